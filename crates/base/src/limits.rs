//! Limits on a run: time, memory, and the user's patience.

use std::io::ErrorKind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Why a run was stopped before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The deadline passed.
    Timeout,
    /// The process grew over its memory limit.
    Memory,
    /// Somebody asked to stop.
    Cancelled,
    /// A table of fixed size is full.
    TableFull,
    /// The process is over its memory limit with everything in a file that can
    /// be there.
    Pinned,
    /// The file for what does not fit into memory cannot be written.
    Disk(ErrorKind),
    /// As many states as may be were visited.
    Visits,
    /// The answer was found by other means.
    Answered,
    /// Another worker has ended the run.
    Elsewhere,
}

/// What a run may use. The default is no limit.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Stop after this moment.
    pub deadline: Option<Instant>,
    /// Stop when the process holds more than this.
    pub memory_bytes: Option<u64>,
    /// Set from outside (a signal handler, another thread) to stop.
    pub cancel: Arc<AtomicBool>,
    /// Most states that may be visited.
    pub visits: Option<u64>,
    /// Set when the answer was found by other means.
    pub answered: Option<Arc<AtomicBool>>,
    /// Set when another worker has ended the run.
    pub elsewhere: Option<Arc<AtomicBool>>,
    /// What is made beside the run.
    pub beside: Option<Beside>,
}

/// A smaller run that one thread of a run makes meanwhile, while others go on. It
/// is given up where nobody needs it any more, and where there is no memory for it.
#[derive(Clone, Debug, Default)]
pub struct Beside {
    under_way: Arc<AtomicBool>,
    unwanted: Arc<AtomicBool>,
}

impl Beside {
    /// The limits of the smaller run, given those of the other.
    pub fn limits(&self, of: &Limits) -> Limits {
        Limits { elsewhere: Some(self.unwanted.clone()), beside: None, ..of.clone() }
    }

    /// Makes it.
    pub fn make<T>(&self, run: impl FnOnce() -> T) -> T {
        self.under_way.store(true, Ordering::Relaxed);
        let made = run();
        self.under_way.store(false, Ordering::Relaxed);
        made
    }

    /// The other run begins, or is made once more.
    pub fn begin(&self) {
        self.unwanted.store(false, Ordering::Relaxed);
    }

    /// It is to end.
    pub fn give_up(&self) {
        self.unwanted.store(true, Ordering::Relaxed);
    }
}

impl Limits {
    /// Whether this many states are too many.
    pub fn exhausted(&self, visited: u64) -> Option<Stop> {
        self.visits.is_some_and(|most| visited >= most).then_some(Stop::Visits)
    }

    /// Asked to stop, or out of time? Cheap.
    pub fn interrupted(&self) -> Option<Stop> {
        if self.cancel.load(Ordering::Relaxed) {
            return Some(Stop::Cancelled);
        }
        let set = |flag: &Option<Arc<AtomicBool>>| flag.as_ref().is_some_and(|f| f.load(Ordering::Relaxed));
        if set(&self.answered) {
            return Some(Stop::Answered);
        }
        if set(&self.elsewhere) {
            return Some(Stop::Elsewhere);
        }
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline).then_some(Stop::Timeout)
    }

    /// Over the memory limit? `held_bytes` is what the run itself accounts
    /// for; the process's resident size counts where it is larger. What is made
    /// beside the run has to go first.
    pub fn memory_exceeded(&self, held_bytes: u64) -> Option<Stop> {
        let limit = self.memory_bytes?;
        if resident_bytes().unwrap_or(0).max(held_bytes) <= limit {
            return None;
        }
        match &self.beside {
            Some(beside) if beside.under_way.load(Ordering::Relaxed) => {
                beside.give_up();
                None
            }
            _ => Some(Stop::Memory),
        }
    }
}

/// Memory that an allocation of so many bytes takes, with the allocator's own
/// (glibc's: a header of 8 bytes, multiples of 16, at least 32). It counts where
/// there are many small ones.
pub fn allocated_bytes(requested: usize) -> u64 {
    if requested == 0 { 0 } else { (requested as u64 + 8).next_multiple_of(16).max(32) }
}

/// Resident size of this process now, where the system tells (Linux).
pub fn resident_bytes() -> Option<u64> {
    status_kib("VmRSS:").map(|kib| kib * 1024)
}

/// Highest resident size of this process so far, where the system tells (Linux).
pub fn peak_resident_bytes() -> Option<u64> {
    status_kib("VmHWM:").map(|kib| kib * 1024)
}

/// Virtual size of this process now, where the system tells (Linux).
pub fn virtual_bytes() -> Option<u64> {
    status_kib("VmSize:").map(|kib| kib * 1024)
}

/// Processor time of this process so far, outside the kernel, to a hundredth
/// of a second, where the system tells (Linux).
pub fn user_time() -> Option<Duration> {
    ticks(&std::fs::read_to_string("/proc/self/stat").ok()?).map(|ticks| Duration::from_millis(10 * ticks))
}

/// The twelfth field after the program's name, which may hold anything.
fn ticks(stat: &str) -> Option<u64> {
    stat.rsplit_once(')')?.1.split_whitespace().nth(11)?.parse().ok()
}

/// Memory that can be had without swapping, where the system tells (Linux).
pub fn available_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    field_kib(&text, "MemAvailable:").map(|kib| kib * 1024)
}

fn status_kib(field: &str) -> Option<u64> {
    field_kib(&std::fs::read_to_string("/proc/self/status").ok()?, field)
}

fn field_kib(text: &str, field: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(field))?.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_stops_with_its_own_reason() {
        let mut limits = Limits::default();
        assert_eq!((limits.interrupted(), limits.memory_exceeded(u64::MAX)), (None, None));
        limits.memory_bytes = Some(1 << 50);
        assert_eq!(limits.memory_exceeded(1), None);
        assert_eq!(limits.memory_exceeded(1 << 51), Some(Stop::Memory));
        limits.deadline = Some(Instant::now() - Duration::from_millis(1));
        assert_eq!(limits.interrupted(), Some(Stop::Timeout));
        limits.visits = Some(7);
        assert_eq!((limits.exhausted(6), limits.exhausted(7)), (None, Some(Stop::Visits)));
        limits.answered = Some(Arc::new(AtomicBool::new(true)));
        assert_eq!(limits.interrupted(), Some(Stop::Answered));
        limits.cancel.store(true, Ordering::Relaxed);
        assert_eq!(limits.interrupted(), Some(Stop::Cancelled));
    }

    #[test]
    fn what_is_made_beside_a_run_gives_way_to_it() {
        let beside = Beside::default();
        let limits =
            Limits { memory_bytes: Some(1 << 50), beside: Some(beside.clone()), ..Limits::default() };
        let its_own = beside.limits(&limits);
        beside.make(|| {
            assert_eq!((its_own.interrupted(), its_own.memory_exceeded(1 << 51)), (None, Some(Stop::Memory)));
            assert_eq!(limits.memory_exceeded(1 << 51), None);
            assert_eq!(its_own.interrupted(), Some(Stop::Elsewhere));
        });
        assert_eq!(limits.memory_exceeded(1 << 51), Some(Stop::Memory));
        beside.begin();
        assert_eq!(its_own.interrupted(), None);
        beside.give_up();
        assert_eq!((its_own.interrupted(), limits.interrupted()), (Some(Stop::Elsewhere), None));
    }

    #[test]
    fn fields_are_read_from_status_text() {
        assert_eq!(field_kib("VmPeak:  9 kB\nVmRSS:\t  1234 kB\n", "VmRSS:"), Some(1234));
        assert_eq!(field_kib("", "VmRSS:"), None);
    }

    #[test]
    fn processor_time_is_read_whatever_the_program_is_called() {
        assert_eq!(ticks("7 (a) 1 (b)) S 1 7 7 0 -1 4194304 100 0 0 0 25 3 0 0 20"), Some(25));
        assert_eq!((ticks(""), ticks("7 (a) S 1")), (None, None));
    }
}
