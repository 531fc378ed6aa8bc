// A comment, and a line without anything.

/* EXPECT: T */
E<> P.B

/*
  The next one takes three lines.
  EXPECT: F
*/
E<> \
  P.A \
  && n == 1

/* EXPECT: T */ A[] P.B imply n == 1 // behind a query
//NO_QUERY

// EXPECT: F
A[] n == \   
0
