//! The loop's part in passing through states in which nothing is decided
//! ([`crate::chains`]).

use super::work::Work;
use super::{Halt, Pipeline};
use crate::chains::via;
use crate::{
    Chance, Cover, Extrapolate, Goal, KeyStore, Met, NodeId, Observer, Order, Rank, Reduce, TraceStore,
    ZoneStore,
};
use dwell_semantics::Discrete;
use dwell_zones::{Bound, Zone};

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
    /// From the discrete part and the zone, which has no delay, through states in which
    /// nothing is decided, to the list.
    #[inline(never)]
    pub(super) fn pass(
        &mut self,
        parent: Option<NodeId>,
        index: u32,
        work: &mut Work<B>,
    ) -> Result<(), Halt> {
        let stepper = self.stepper();
        let Work { to, zone, scratch, chains, .. } = &mut *work;
        let passed = match chains {
            Some(chains) if chains.pay(self.stats.visited, &self.stats.chains) => {
                let goal = &mut self.goal;
                let mut met = |state: &mut Discrete, zone: &Zone<B>| match goal.chance(state)? {
                    Chance::None | Chance::InDeadlocks => Ok(Met::No), // CH-1
                    Chance::Anywhere => goal.met(state, &mut |copy| {
                        copy.copy_from(zone);
                        Ok(true)
                    }),
                };
                let undecided =
                    |state: &mut Discrete, zone: &Zone<B>| met(state, zone) == Ok::<_, Halt>(Met::No);
                chains.pass(stepper, (to, zone), scratch, undecided, |_| true)
            }
            _ => 0,
        };
        self.stats.transitions += u64::from(passed);
        self.stats.chains.passed += u64::from(passed);
        work.passed = passed.into();
        self.store(parent, via(index, passed), work)
    }
}
