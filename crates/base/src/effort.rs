//! How many operations of programs a thread has run.
//!
//! Explorations look at the clock every so many moves. A move may run a program
//! with loops, and one of those takes as long as thousands of others: who runs it
//! says so here, far below, and the loop that counts moves asks.

use std::cell::Cell;

thread_local! {
    static SPENT: Cell<u64> = const { Cell::new(0) };
}

/// This thread has run so many operations.
#[inline]
pub fn spend(operations: u64) {
    SPENT.set(SPENT.get() + operations);
}

/// How many it has run since this was asked last.
#[inline]
pub fn spent() -> u64 {
    SPENT.take()
}
