//! Watching a run from outside.

use crate::Stats;

/// Told now and then how far a run is.
pub trait Observer {
    /// Called every few thousand moves; `waiting` is the length of the waiting
    /// list.
    fn progress(&mut self, stats: &Stats, waiting: usize);
}

/// The stage switched off.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl Observer for NoObserver {
    #[inline(always)]
    fn progress(&mut self, _stats: &Stats, _waiting: usize) {}
}

impl<T: Observer + ?Sized> Observer for Box<T> {
    fn progress(&mut self, stats: &Stats, waiting: usize) {
        (**self).progress(stats, waiting);
    }
}
