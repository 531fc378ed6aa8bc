//! The processes, from the first call of MPI to the last.
//!
//! WO-1 *Nothing hangs.* A panic in any thread of a process aborts all processes, at
//!      once: whoever would catch it, the end of a scope for instance, first waits
//!      for threads that wait for the one that panicked. A process that ends while
//!      others work is noticed by its fence ([`Line`]). What MPI or the launcher
//!      notices, a process that was killed for instance, ends all processes by
//!      itself.

use crate::first::First;
use crate::launch::launch;
use crate::line::Line;
use dwell_parallel::threads::connect_some;
use dwell_parallel::{Cluster, Transport, Worker};
use mpi::Threading;
use mpi::environment::Universe;
use mpi::topology::{Communicator, SimpleCommunicator};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The exit code of a job that was aborted here.
const ABORTED: u8 = 2;

/// All processes of a job. Dropping it, in the thread that joined, waits for all of
/// them to do so: whoever prints does so before.
///
/// Launchers kill a job when a process ends with another exit code than 0, and the
/// job's code is that one: only the process that prints should have one to tell.
#[derive(Debug)]
pub struct World {
    rank: Worker,
    ranks: Worker,
    line: Mutex<Line>,
    /// Finalises MPI when dropped, after the last meeting.
    _universe: Finalise,
}

/// MPI, initialised.
struct Finalise(#[expect(dead_code, reason = "kept for its drop")] Universe);

impl std::fmt::Debug for Finalise {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("MPI")
    }
}

impl World {
    /// Joins the other processes of a job; `None` if there are none, and then MPI
    /// is not touched. To be called by the main thread, once; from then on a panic
    /// ends all processes.
    ///
    /// # Errors
    ///
    /// A sentence, where launcher and library do not belong together.
    pub fn join() -> Result<Option<Self>, String> {
        let Some((launched, variable)) = launch(|name| std::env::var(name).ok()) else { return Ok(None) };
        let Some((universe, threading)) = mpi::initialize_with_threading(Threading::Funneled) else {
            return Err("MPI was initialised before".to_owned());
        };
        let world = SimpleCommunicator::world();
        let size = world.size();
        if size != i32::from(launched) {
            return Err(format!(
                "the launcher started {launched} processes ({variable}), but the MPI library of this program knows \
                 of {size}: they are of different MPI implementations, or there are more processes than dwell can \
                 number; use the launcher of the MPI that dwell was built with"
            ));
        }
        if threading < Threading::Funneled {
            return Err("the MPI library cannot be used by a program with threads".to_owned());
        }
        abort_on_panic();
        let (rank, ranks) = (world.rank() as Worker, launched);
        let line = Mutex::new(Line::new(rank, ranks));
        Ok(Some(Self { rank, ranks, line, _universe: Finalise(universe) }))
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Cluster for World {
    fn rank(&self) -> Worker {
        self.rank
    }

    fn ranks(&self) -> Worker {
        self.ranks
    }

    fn connect(&self, threads: Worker) -> Vec<Box<dyn Transport + Send + '_>> {
        let (Some(workers), 1..) = (self.ranks.checked_mul(threads), threads) else {
            let ranks = self.ranks;
            fail(&format!("{ranks} processes with {threads} threads each: at most {} workers", Worker::MAX))
        };
        let early = self.line().meet(threads);
        let start = self.rank * threads;
        let mut ends = connect_some(start..start + threads, workers).into_iter();
        let first = ends.next().map(|end| First::new(end, threads, &self.line, early));
        let first = first.into_iter().map(|end| Box::new(end) as _);
        first.chain(ends.map(|end| Box::new(end) as _)).collect()
    }
}

impl Drop for World {
    fn drop(&mut self) {
        self.line().meet(0);
    }
}

/// WO-1. What is said about panics is said before.
fn abort_on_panic() {
    let say = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        say(panic);
        abort(ABORTED);
    }));
}

/// Ends all processes of the job at once, with this exit code; without a job, this
/// process alone. For what cannot be told to the others in any other way.
pub fn abort(code: u8) -> ! {
    if mpi::is_initialized() && !mpi::is_finalized() {
        SimpleCommunicator::world().abort(code.into());
    }
    std::process::exit(code.into());
}

/// Says why, and aborts.
pub(crate) fn fail(why: &str) -> ! {
    // The one thing that is printed by a library: whoever would print it is not there any more.
    eprintln!("dwell: {why}; all processes are stopped");
    abort(ABORTED);
}
