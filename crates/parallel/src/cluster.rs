//! Workers beyond this process.

use crate::Transport;
use dwell_explore::Worker;

/// The processes that run the same program on the same question, each with a
/// number; all of them make the same calls in the same order.
///
/// With n threads in each process, worker n · r + t is thread t of process r.
pub trait Cluster {
    /// Number of this process.
    fn rank(&self) -> Worker;
    /// How many processes there are.
    fn ranks(&self) -> Worker;
    /// The ends of this process's workers, the first for the thread that calls.
    /// What was sent through ends that were handed out before has arrived.
    fn connect(&self, threads: Worker) -> Vec<Box<dyn Transport + Send + '_>>;
}
