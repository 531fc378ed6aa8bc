//! Waiting for messages from other processes.

use std::time::Duration;

/// Looks with the processor given up in between, before the first sleep.
const YIELDS: u32 = 100;
/// The first sleep; each is longer than the one before, up to the last.
const FIRST: Duration = Duration::from_micros(50);
const LONGEST: Duration = Duration::from_millis(1);

/// How long to wait before the next look. A blocking receive would keep the
/// processor busy, which is bad where there are more processes than cores: a
/// process that has something to do would have to wait for those that have not.
#[derive(Debug, Default)]
pub(crate) struct Pause {
    looks: u32,
}

impl Pause {
    /// `None`: only let others run.
    pub(crate) fn next(&mut self) -> Option<Duration> {
        self.looks += 1;
        let doublings = self.looks.checked_sub(YIELDS + 1)?;
        self.looks = self.looks.min(YIELDS + 16);
        Some((FIRST * (1 << doublings.min(15))).min(LONGEST))
    }

    /// Waits that long.
    pub(crate) fn pass(&mut self) {
        match self.next() {
            None => std::thread::yield_now(),
            Some(time) => std::thread::sleep(time),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sleeps_grow_up_to_the_longest() {
        let mut pause = Pause::default();
        assert!((0..YIELDS).all(|_| pause.next().is_none()));
        let sleeps: Vec<_> = (0..100).filter_map(|_| pause.next()).collect();
        assert_eq!((sleeps.len(), sleeps[0], sleeps[1], sleeps[99]), (100, FIRST, 2 * FIRST, LONGEST));
        assert!(sleeps.is_sorted());
    }
}
