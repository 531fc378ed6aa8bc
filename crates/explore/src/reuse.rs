//! Asking a question of states that are there already (paper 2, section 5:
//! *it is possible to reuse the previously generated reachable state space by
//! reevaluating the new property on all previously retrieved states*).
//!
//! The stored states of a complete exploration are enumerated and shown to a
//! goal. Whether their zones are exact enough for it is for the caller to know
//! (`ClockFacts::dominates`).

use crate::countdown::Countdown;
use crate::{
    Cover, Goal, Halt, KeyStore, Met, NodeId, Order, Outcome, PwList, Reduce, TraceStore, ZoneStore,
};
use dwell_base::limits::Limits;
use dwell_model::System;
use dwell_semantics::{Conjunction, Discrete, ZoneSystem};
use dwell_zones::{Bound, Zone, compact};

/// How states are looked at.
#[derive(Debug)]
pub struct Scan<'a, B> {
    /// What was explored.
    pub system: &'a System,
    /// Its clock constraints.
    pub zones: &'a ZoneSystem<B>,
    /// Look at all states even when one meets the goal: evaluating it may fail
    /// on another.
    pub to_the_end: bool,
    /// When to stop.
    pub limits: &'a Limits,
}

impl<B: Bound> Scan<'_, B> {
    /// Shows the states of `pw` to `goal`; also, how many.
    pub fn run<K, Z, C, O, T>(
        &self,
        pw: &PwList<B, K, Z, C, O, T>,
        reduce: &dyn Reduce,
        goal: &mut dyn Goal<B>,
    ) -> (Outcome, u64)
    where
        K: KeyStore,
        Z: ZoneStore<B>,
        C: Cover<B>,
        O: Order,
        T: TraceStore,
    {
        let mut looked = 0;
        let mut at = None;
        let outcome = match self.look(pw, reduce, goal, &mut looked, &mut at) {
            Ok(outcome) => outcome,
            Err(halt) => Outcome::halted(halt, at.map(|node| (node, None))),
        };
        (outcome, looked)
    }

    fn look<K, Z, C, O, T>(
        &self,
        pw: &PwList<B, K, Z, C, O, T>,
        reduce: &dyn Reduce,
        goal: &mut dyn Goal<B>,
        looked: &mut u64,
        at: &mut Option<NodeId>,
    ) -> Result<Outcome, Halt>
    where
        K: KeyStore,
        Z: ZoneStore<B>,
        C: Cover<B>,
        O: Order,
        T: TraceStore,
    {
        let system = self.system;
        let mut words = vec![0; system.layout.words()];
        let mut state = Discrete::new(system);
        state.reserve(goal.registers());
        let mut active = Vec::new();
        let mut cells = vec![B::INF; compact::compact_len(system.zone_dimension())];
        let mut invariants = Conjunction::new(system.zone_dimension());
        let mut reached = None;
        let mut countdown = Countdown::default();
        for entry in 0..pw.entries() {
            pw.load(entry, &mut words);
            system.layout.unpack(&words, &mut state.locations, &mut state.registers);
            reduce.active(&state.locations, &mut active);
            self.zones.invariants(system, &mut state, &mut invariants)?;
            for node in pw.nodes_of(entry) {
                *at = Some(node);
                *looked += 1;
                if countdown.due()
                    && let Some(stop) = self.limits.interrupted()
                {
                    return Ok(Outcome::Stopped(stop));
                }
                // Extrapolation may have widened the zone beyond the invariants.
                let cells = &mut cells[..compact::compact_len(active.len())];
                let mut zone = |zone: &mut Zone<B>| {
                    pw.read(node, cells);
                    compact::unpack(cells, &active, zone);
                    invariants.apply(zone)
                };
                if goal.met(&mut state, &mut zone)? != Met::No && reached.is_none() {
                    reached = Some(node);
                    if !self.to_the_end {
                        return Ok(Outcome::Reached(node));
                    }
                }
            }
        }
        Ok(reached.map_or(Outcome::Complete, Outcome::Reached))
    }
}
