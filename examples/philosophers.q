// Neighbours never eat at the same time.
/* EXPECT: T */
A[] forall (i : id_t) not (Philosopher(i).Eating && Philosopher((i + 1) % N).Eating)

// They may be stuck,
/* EXPECT: T */
E<> deadlock

// namely if each of them has a fork, and only then.
/* EXPECT: T */
A[] deadlock imply forall (i : id_t) Philosopher(i).OneFork

// Who eats stops eating,
/* EXPECT: T */
Philosopher(0).Eating --> Philosopher(0).Thinking

// but who is hungry may stay so.
/* EXPECT: F */
Philosopher(0).Hungry --> Philosopher(0).Eating

/* EXPECT: T */
E[] not Philosopher(0).Eating

// The time it takes to eat.
/* EXPECT: T */
// values: <= 4
sup{Philosopher(0).Eating}: Philosopher(0).x
