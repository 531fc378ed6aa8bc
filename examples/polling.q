// The answers come in time,
/* EXPECT: T */
A[] not Sampler.Impatient

// the last of them after 5,
/* EXPECT: F */
E<> answers == N && Sampler.t < 5

/* EXPECT: T */
E<> answers == N && Sampler.t == 5

// and the highest is found.
/* EXPECT: T */
A[] answers == N imply \
    highest == 7

// The first answer does not come before 2.
/* EXPECT: F */
E<> answers == 1 && Sampler.t < 2

/* EXPECT: T */
E<> answers == 1 && highest == 4

// Whoever measures is waited for.
/* EXPECT: T */
A[] forall (i : id_t) Sensor(i).Measuring imply Sampler.Collecting
