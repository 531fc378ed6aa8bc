//! Locks: those of the standard library, or of a schedule explorer in tests.

#[cfg(not(feature = "shuttle"))]
pub(crate) use std::hint::spin_loop;
#[cfg(not(feature = "shuttle"))]
pub(crate) use std::sync::{Arc, Condvar, Mutex, MutexGuard, atomic};

#[cfg(feature = "shuttle")]
pub(crate) use shuttle::hint::spin_loop;
#[cfg(feature = "shuttle")]
pub(crate) use shuttle::sync::{Arc, Condvar, Mutex, MutexGuard, atomic};
