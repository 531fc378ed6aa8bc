//! To store or not to store (Behrmann, Larsen, Pelánek, CAV 2003, paper 3).
//!
//! The generic scheme of the paper's figure 3: every waiting state has a flag,
//! `to_store` decides by it whether a state that is taken stays in the list,
//! `next_flag` makes the flags of its successors. A state that does not stay
//! is *transient*: it leaves when it has been expanded, zone, discrete part and
//! number (paper 2, section 4).
//!
//! ## Why searches end
//!
//! The paper's lemma 1 is about states that are equal. Here smaller zones are
//! dropped for larger ones, and a larger state might push a stored one out of
//! the list and then not be stored itself. So:
//!
//! KS-1 A state that takes the place of a stored one, or of one that waits in
//!      the place of a stored one, is stored, whatever the strategy says
//!      ([`PwList`](crate::PwList) marks it). What the stored states cover
//!      never becomes less.
//! KS-2 On every infinite path of the symbolic state graph, infinitely many
//!      states are stored (a random strategy: with probability one); or, by
//!      count, of the states that are taken one in every k.
//!
//! From both: *every search ends that ends when all states are stored*. A
//! state that waits is covered neither by stored states when it comes, nor
//! later, for then it is dropped. So when it is stored, what the stored states
//! cover grows. It can grow only finitely often: symbolic states are well
//! ordered by the cover, which is why a search that stores all of them ends.
//! After the last state was stored, finitely many are taken: every state that
//! is taken has a parent that was taken, states have finitely many successors,
//! so infinitely many would be an infinite path (König) without stored states
//! from some point on, against KS-2; and so would one in every k.
//!
//! The state being expanded covers its own successors whether it will be
//! stored or not: all it leads to is about to be seen.
//!
//! That nothing is missed needs no argument beyond the usual: a state is
//! dropped only for one that is, was or will be expanded and covers it.

mod adaptive;
mod by_count;
mod combination;
mod covering;
mod distance;
mod non_committed;
mod random;
mod successors;

pub use adaptive::Adaptive;
pub use by_count::EveryKth;
pub use combination::Combination;
pub use covering::CoveringSet;
pub use distance::Distance;
pub use non_committed::NonCommitted;
pub use random::{RandomStates, Share};
pub use successors::Successors;

use crate::Stats;
use dwell_base::persist::Persist;
use dwell_semantics::{Discrete, Participant};

/// What a waiting state carries for `to_store`, at most [`MAX_FLAG`].
pub type Flag = u16;

/// The largest flag; the list needs the bits above.
pub const MAX_FLAG: Flag = (1 << 13) - 1;

/// Whether a state stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToStore {
    /// It does.
    Yes,
    /// It leaves when it has been expanded.
    No,
    /// It does if it has more than one successor.
    IfBranching,
}

impl ToStore {
    /// From a truth value.
    fn when(stays: bool) -> Self {
        if stays { Self::Yes } else { Self::No }
    }
}

/// A storing strategy. Flags start at zero.
pub trait StoringStrategy: Persist {
    /// `to_store(s, flag)`, asked once, when `state` is taken. `stats` are for
    /// strategies that learn.
    fn to_store(&mut self, flag: Flag, state: &Discrete, stats: &Stats) -> ToStore;
    /// `next_flag(s, t, flag)`, where `stored` says whether s stays and
    /// `covering` whether t [is a covering transition](Self::covers).
    fn next_flag(&mut self, flag: Flag, stored: bool, covering: bool) -> Flag;
    /// What [`next_flag`](Self::next_flag) would have been, had it been known
    /// that s stays.
    fn after_stored(&self, _flag: Flag) -> Flag {
        0
    }
    /// Whether a transition with these edges is in the covering set.
    fn covers(&self, _edges: &[Participant]) -> bool {
        false
    }
    /// A transition with these edges is about to be taken.
    fn note(&mut self, _edges: &[Participant]) {}
    /// The state that was asked about last, with this flag, has been expanded,
    /// and is stored or not. What is returned makes it a sample with another
    /// flag: stored, whatever was said, so that it can be seen how often it is
    /// met again.
    fn sample(&mut self, _flag: Flag, _branching: bool, _stored: bool) -> Option<Flag> {
        None
    }
    /// A sample would have been explored once more, because of a state with
    /// the flag `from` that is not stored, or of one that is.
    fn returned(&mut self, _sample: Flag, _from: Option<Flag>) {}
    /// Whether a waiting state with this flag may be stored when it is taken.
    fn may_store(&self, _flag: Flag, _state: &Discrete) -> bool {
        true
    }
}

/// One more, up to the largest.
fn next(flag: Flag) -> Flag {
    (flag + 1).min(MAX_FLAG)
}

/// The stage of a run.
pub struct Keeping {
    /// Which states are stored.
    pub strategy: Box<dyn StoringStrategy>,
    /// States that will not be stored are taken first (paper 3, section 5.2).
    pub unstored_first: bool,
}

/// Strategies that go by nothing but the flag have nothing to write down.
macro_rules! stateless {
    ($name:ty) => {
        impl dwell_base::persist::Persist for $name {
            fn freeze(&self, _out: &mut dyn std::io::Write) -> std::io::Result<()> {
                Ok(())
            }
            fn thaw(&mut self, _from: &mut dyn std::io::Read) -> std::io::Result<()> {
                Ok(())
            }
        }
    };
}
use stateless;
