//! The loop's part in storing some states and not others ([`crate::keep`]).

use super::Pipeline;
use super::work::Work;
use crate::keep::{Flag, ToStore};
use crate::{
    Cover, Extrapolate, Goal, Inserted, KeyStore, NodeId, Observer, Order, Rank, Reduce, TraceStore,
    ZoneStore,
};
use dwell_semantics::Participant;
use dwell_zones::{Bound, compact};

/// Whether the state being expanded is stored.
#[derive(Default)]
pub(super) struct Choice {
    pub flag: Flag,
    pub to_store: Option<ToStore>,
    /// Of the state, so far.
    pub successors: u32,
    /// Its first, if it waits.
    pub first: Option<NodeId>,
    /// Whether the transition at hand is one.
    pub covering: bool,
}

impl Choice {
    /// What is known of it by now.
    pub fn is_stored(&self) -> bool {
        match self.to_store {
            None | Some(ToStore::Yes) => true,
            Some(ToStore::No) => false,
            Some(ToStore::IfBranching) => self.successors > 1,
        }
    }
}

impl<B, E, R, G, V, H, K, Z, C, O, T> Pipeline<'_, B, E, R, G, V, H, K, Z, C, O, T>
where
    B: Bound,
    E: Extrapolate<B>,
    R: Reduce,
    G: Goal<B>,
    V: Observer,
    H: Rank<B>,
    K: KeyStore,
    Z: ZoneStore<B>,
    C: Cover<B>,
    O: Order,
    T: TraceStore,
{
    /// `to_store` of the state that was taken.
    #[cold]
    pub(super) fn choose(&mut self, node: NodeId, work: &mut Work<B>) {
        let Some(keeping) = &mut self.keeping else { return };
        let (flag, heir) = self.pw.flag(node);
        // Strategies that learn look at it.
        self.stats.changed_after = self.pw.order().changed_after();
        let to_store =
            if heir { ToStore::Yes } else { keeping.strategy.to_store(flag, &work.from, &self.stats) };
        self.pw.may_stay(to_store != ToStore::No);
        work.choice = Choice { flag, to_store: Some(to_store), ..Choice::default() };
    }

    /// The state has been expanded and leaves, if it was not to be stored.
    #[inline]
    pub(super) fn settle_choice(&mut self, node: NodeId, work: &Work<B>) {
        let Some(keeping) = &mut self.keeping else { return };
        let (flag, stored) = (work.choice.flag, work.choice.is_stored());
        let from = (!stored).then_some(flag);
        while let Some(sample) = self.pw.returned() {
            keeping.strategy.returned(sample, from);
        }
        if let Some(sample) = keeping.strategy.sample(flag, work.choice.successors > 1, stored) {
            self.pw.stay_as_sample(node, sample);
        } else if !stored {
            let cells = &work.from_cells[..compact::compact_len(work.from_active.len())];
            self.pw.leave(node, cells, &mut self.stats);
        }
    }

    /// The next successors come from a transition with these edges.
    #[inline]
    pub(super) fn note_transition(&mut self, edges: &[Participant], work: &mut Work<B>) {
        if let Some(keeping) = &mut self.keeping {
            keeping.strategy.note(edges);
            work.choice.covering = keeping.strategy.covers(edges);
        }
    }

    /// A successor has been made, and perhaps stored.
    #[cold]
    pub(super) fn flag(&mut self, has_parent: bool, inserted: Inserted, work: &mut Work<B>) {
        self.count_successor(work);
        let Inserted::New(node) = inserted else { return };
        let flag = self.next_flag(has_parent, work);
        self.pw.set_flag(node, flag);
        if work.choice.successors == 1 {
            work.choice.first = Some(node);
        }
        let rank = self.rank_of(flag, self.pw.flag(node).1, work);
        self.pw.wait(node, rank);
    }

    /// One more successor. The first may have got its flag when it was thought
    /// to be the only one; where it is another worker's, it keeps that and may
    /// be stored sooner than need be.
    pub(super) fn count_successor(&mut self, work: &mut Work<B>) {
        let Some(keeping) = &mut self.keeping else { return };
        let choice = &mut work.choice;
        choice.successors += 1;
        if choice.successors == 2
            && choice.to_store == Some(ToStore::IfBranching)
            && let Some(first) = choice.first
        {
            let (flag, _) = self.pw.flag(first);
            self.pw.set_flag(first, keeping.strategy.after_stored(flag));
        }
    }

    /// `next_flag` of the successor at hand, or of an initial state.
    pub(super) fn next_flag(&mut self, has_parent: bool, work: &Work<B>) -> Flag {
        let choice = &work.choice;
        match &mut self.keeping {
            Some(keeping) if has_parent => {
                keeping.strategy.next_flag(choice.flag, choice.is_stored(), choice.covering)
            }
            _ => 0,
        }
    }
}
