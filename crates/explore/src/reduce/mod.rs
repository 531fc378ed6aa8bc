//! Which clocks and variables matter at a discrete state.
//!
//! Daws, Yovine: *Reducing the number of clock variables of timed automata*
//! (RTSS 1996). A clock that is reset before it is next compared is inactive;
//! its value is forgotten, and zones are stored over the active clocks only. The
//! same for variables: those that are written before they are next read.

mod active;
mod variables;

pub use active::ActiveClocks;
pub use variables::LiveVariables;

/// Chooses what is kept.
pub trait Reduce {
    /// Lists the zone indices kept at `locations`, in order, 0 first.
    ///
    /// Contract: the answer depends on `locations` only, and no behaviour
    /// depends on a clock left out before that clock is set again. Forgetting
    /// is projection: in a closed zone that is leaving out rows and columns.
    fn active(&self, locations: &[u32], out: &mut Vec<u16>);

    /// Puts fixed values in the place of variables that do not matter at
    /// `locations`.
    ///
    /// Contract: which ones depends on `locations` only, and no behaviour depends
    /// on the value of one of them before it is written again.
    #[inline]
    fn forget(&self, _locations: &[u32], _registers: &mut [i32]) {}
}

/// The stage switched off: everything is kept.
#[derive(Clone, Copy, Debug)]
pub struct NoReduction {
    /// Dimension of the zones.
    pub dim: usize,
}

impl Reduce for NoReduction {
    #[inline]
    fn active(&self, _locations: &[u32], out: &mut Vec<u16>) {
        if out.len() != self.dim {
            out.clear();
            out.extend(0..self.dim as u16);
        }
    }
}

impl<T: Reduce + ?Sized> Reduce for Box<T> {
    #[inline]
    fn active(&self, locations: &[u32], out: &mut Vec<u16>) {
        (**self).active(locations, out);
    }
    #[inline]
    fn forget(&self, locations: &[u32], registers: &mut [i32]) {
        (**self).forget(locations, registers);
    }
}
