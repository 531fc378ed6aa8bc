//! `--keep covering` and `--keep entry-points`: targets of transitions that
//! take an edge of a covering set.
//!
//! The set comes from static analysis: every infinite path takes infinitely
//! many of its edges, which is KS-2.

use super::{Flag, StoringStrategy, ToStore};
use crate::Stats;
use dwell_covering::EdgeSet;
use dwell_semantics::{Discrete, Participant, Role};

/// Whether a transition takes an edge of the set.
#[inline]
pub(super) fn meets(set: &EdgeSet, edges: &[Participant]) -> bool {
    edges.iter().any(|p| p.role == Role::Takes && set.contains(p.process, p.edge))
}

/// Paper 3, section 3, *Covering Set*. The flag says whether a state was
/// entered by such a transition.
#[derive(Clone, Debug)]
pub struct CoveringSet {
    /// Edges that every cycle takes one of.
    pub edges: EdgeSet,
}

super::stateless!(CoveringSet);

impl StoringStrategy for CoveringSet {
    fn to_store(&mut self, flag: Flag, _state: &Discrete, _stats: &Stats) -> ToStore {
        ToStore::when(flag == 1)
    }

    fn next_flag(&mut self, _flag: Flag, _stored: bool, covering: bool) -> Flag {
        Flag::from(covering)
    }

    fn covers(&self, edges: &[Participant]) -> bool {
        meets(&self.edges, edges)
    }

    fn may_store(&self, flag: Flag, _state: &Discrete) -> bool {
        flag == 1
    }
}
