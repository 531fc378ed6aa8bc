//! Workers as processes under `mpirun`: the transport over MPI.
//!
//! ```text
//!  process 0                                process 1
//!  thread 0      thread 1                   thread 0      thread 1
//!  First ──────── Threads                   First ──────── Threads
//!    │   mailboxes                            │   mailboxes
//!  Line: queues, fences                     Line
//!    │                                        │
//!  Flights ───────────── MPI ─────────────── Flights
//! ```
//!
//! With n threads in each process, worker n · r + t is thread t of process r.
//! The first thread of a process makes all calls of MPI (`MPI_THREAD_FUNNELED`),
//! in `receive` and `wait`; it passes on what is for the other threads and what
//! they send abroad.
//!
//! | | |
//! |---|---|
//! | [`launched`] | whether there is a launcher; needs no MPI |
//! | `World` | the processes: joined once, left at the end |
//! | `line` | what one process sends and receives; meetings of all |
//! | `first` | the first thread's end |
//! | `flights` | sends on their way; the only `unsafe` |
//!
//! Everything but [`launched`] and [`needs_mpi`] needs the feature `mpi`, so that a
//! plain build needs no system package.

#![deny(unsafe_code)]

mod launch;

pub use launch::{launched, needs_mpi};

#[cfg(feature = "mpi")]
mod first;
#[cfg(feature = "mpi")]
#[expect(unsafe_code, reason = "requests of MPI that outlive the call")]
mod flights;
#[cfg(feature = "mpi")]
mod line;
#[cfg(feature = "mpi")]
mod pause;
#[cfg(feature = "mpi")]
mod world;

#[cfg(feature = "mpi")]
pub use world::{World, abort};
