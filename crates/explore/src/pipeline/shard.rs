//! The loop's part in sharing the work with others ([`crate::exchange`]).

use super::work::Work;
use super::{Halt, Pipeline};
use crate::keep::Flag;
use crate::{
    At, Cover, Extrapolate, Goal, Inserted, KeyStore, NodeId, Observer, Order, Origin, Pace, Parcel, Parent,
    Pausing, Progress, Rank, Reduce, Rest, SAME, TraceStore, ZoneStore,
};
use dwell_base::limits::Stop;
use dwell_zones::{Bound, compact};

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
    /// The next state to be expanded; `None` when nobody has one.
    #[inline(never)]
    pub(super) fn next_shared(&mut self, work: &mut Work<B>) -> Result<Option<NodeId>, Halt> {
        let Some(exchange) = &mut self.exchange else { return Ok(self.pw.take()) };
        let mut pace = exchange.pace();
        loop {
            if pace != Pace::Go {
                if self.collect(work)? {
                    return Err(Halt::Stop(Stop::Elsewhere));
                }
                if work.pause.is_some()
                    || self.exchange.as_ref().is_some_and(|exchange| exchange.pausing() != Pausing::No)
                {
                    self.pause_if_wanted(work)?;
                }
            }
            if pace != Pace::Hold
                && let Some(node) = self.pw.take()
            {
                let Some(exchange) = &self.exchange else { return Ok(Some(node)) };
                let depth = self.pw.order().depth().saturating_sub(1);
                if exchange.least_depth().is_none_or(|least| depth < least) {
                    return Ok(Some(node));
                }
                continue;
            }
            let Some(exchange) = &mut self.exchange else { return Ok(None) };
            pace = match pace {
                // Only who has taken in everything may rest.
                Pace::Go => Pace::Look,
                Pace::Hold => exchange.pace(),
                Pace::Look => match exchange.rest() {
                    Rest::Over => return Ok(None),
                    Rest::Stopped => return Err(Halt::Stop(Stop::Elsewhere)),
                    Rest::Look | Rest::Quiet => Pace::Look,
                },
            };
            self.check(work)?;
        }
    }

    /// Takes in what others made; whether one of them has ended the run.
    #[inline]
    pub(super) fn collect(&mut self, work: &mut Work<B>) -> Result<bool, Halt> {
        let Some(mut exchange) = self.exchange.take() else { return Ok(false) };
        let collected = exchange.receive(&mut |parcel| self.arrive(parcel, work));
        let stopped = exchange.stopped();
        self.exchange = Some(exchange);
        collected.map(|_| stopped)
    }

    /// A state that another worker made.
    fn arrive(&mut self, parcel: Parcel<'_, B>, work: &mut Work<B>) -> Result<(), Halt> {
        if parcel.origin.index == SAME {
            self.settle_in(parcel, work);
            return Ok(());
        }
        let Parcel { words, cells, origin, mut rank, flag, .. } = parcel;
        self.look_up(words, work);
        let at = At { active: &work.active, bounds: &work.bounds };
        let inserted = self.pw.insert(words, cells, at, origin, &mut self.stats);
        self.stats.chains.end(origin, inserted);
        if let Inserted::New(node) = inserted {
            work.unchecked_bytes += size_of_val(cells);
            self.stats.arrived += 1;
            if let Some(keeping) = &self.keeping {
                self.pw.set_flag(node, flag);
                if keeping.unstored_first {
                    rank = rank.max(i64::from(self.pw.flag(node).1));
                }
            }
            self.pw.wait_at(node, rank, origin.depth);
        }
        Ok(())
    }

    /// What zones of a discrete state are compared by, where it is not their
    /// cells alone.
    #[inline]
    pub(super) fn look_up(&self, words: &[u64], work: &mut Work<B>) {
        if !C::CELLWISE {
            self.system.layout.unpack(words, &mut work.to.locations, &mut work.to.registers);
            self.reduce.active(&work.to.locations, &mut work.active);
            self.bounds.at(&work.to.locations, &mut work.bounds);
        }
    }

    /// Hands the state in `work` over to its owner; false if it is ours, or may
    /// stay (EX-2).
    #[inline(never)]
    pub(super) fn hand_over(&mut self, origin: Origin, work: &mut Work<B>) -> bool {
        let Some(exchange) = &self.exchange else { return false };
        let len = compact::compact_len(work.active.len());
        let Some(owner) = exchange.owner(&work.words, &work.cells[..len]) else { return false };
        let flag = match self.keeping.is_some() {
            true => {
                let flag = self.next_flag(origin.parent != Parent::None, work);
                if !self.keeping.as_ref().is_none_or(|keeping| keeping.strategy.may_store(flag, &work.to)) {
                    return false;
                }
                self.count_successor(work);
                flag
            }
            false => 0,
        };
        let rank = self.rank_of(flag, false, work);
        self.stats.sent += 1;
        if let Some(exchange) = &mut self.exchange {
            let (words, cells) = (&work.words[..], &work.cells[..len]);
            exchange.send(owner, Parcel { words, cells, origin, rank, flag, progress: Progress::Waits });
        }
        true
    }

    /// What the order goes by, of the state in `work`; `heir`: it is stored
    /// whatever its flag (KS-1).
    pub(super) fn rank_of(&mut self, flag: Flag, heir: bool, work: &mut Work<B>) -> i64 {
        match &self.keeping {
            Some(keeping) if keeping.unstored_first => {
                i64::from(heir || keeping.strategy.may_store(flag, &work.to))
            }
            _ => self.rank.of(&mut work.to, &work.zone, &work.active),
        }
    }
}
