// There is always something that can be done, now or later.
/* EXPECT: T */
A[] not deadlock

// Nobody has to send anything: time may pass for ever before the first message.
/* EXPECT: F */
A<> Sender.Waiting

// But once sent, a message is delivered or given up,
/* EXPECT: T */
Sender.Waiting --> Sender.Delivered || Sender.GivenUp

// which is not to say that it is delivered: the line may lose every one.
/* EXPECT: F */
Sender.Waiting --> Sender.Delivered

// Messages may go on and on, with little rest, without one that is sent twice,
/* EXPECT: T */
E[] Sender.tries == 1 && (Sender.Idle imply total <= 2)

// but not without an answer, unless the sender rests somewhere.
/* EXPECT: F */
E[] Sender.Waiting || total == 0

// How long it takes: the longest wait, and the least time until the sender gives up.
/* EXPECT: T */
// values: <= 15, 3
sup{Sender.Waiting}: total, Sender.tries

/* EXPECT: T */
// values: >= 15
inf{Sender.GivenUp}: total
