//! Reachable discrete states by sampled time, to check [`crate::explore`].
//!
//! Clocks are whole numbers of ticks, `2 (n + 1)` ticks to the time unit for
//! `n` clocks. A state is stored with its fractions rearranged: whole values
//! stay, the other fractions become 2, 4, 6… ticks in their order, and values
//! above the greatest bound become one value. From such a valuation each
//! region that time passes through within a unit contains a sampling point,
//! so nothing is missed; each sampled run is a run, up to the rearrangement,
//! which no constraint can see.
//!
//! Unlike the region explorer this one computes with plain numbers, has one
//! bound for all clocks, and takes the transitions from the sampled values
//! rather than from their representatives.

use std::collections::{BTreeSet, HashSet, VecDeque};

use dwell_model::expr::Relation;
use dwell_model::property::Formula;
use dwell_model::{ClockId, Network};

use crate::caps::caps;
use crate::eval::{Clocks, Inexpressible, Refusal};
use crate::formula::{self, Time};
use crate::state::{Discrete, ExploreError, State};
use crate::step;

/// What sampled time reaches.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    /// The reachable discrete states.
    pub discrete: BTreeSet<Discrete>,
    /// Whether a run-time error is reachable.
    pub fails: bool,
    /// For each formula that was given, whether a state is reachable in which
    /// it holds; where it fails to evaluate it does not.
    pub met: Vec<bool>,
}

/// Explores by sampled time, up to `limit_states` stored states.
pub fn explore(network: &Network, limit_states: usize) -> Result<Reached, ExploreError> {
    explore_with(network, &[], limit_states)
}

/// Explores by sampled time, up to `limit_states` stored states, and tests the
/// formulas on the way.
pub fn explore_with(
    network: &Network,
    formulas: &[Formula],
    limit_states: usize,
) -> Result<Reached, ExploreError> {
    let caps = caps(network, formulas).map_err(ExploreError::Unsupported)?;
    let unit = 2 * (network.clocks.len() as i64 + 1);
    let top = caps.iter().map(|&cap| i64::from(cap)).max().unwrap_or(0) * unit;
    let start: Vec<i64> = network.clocks.iter().map(|clock| i64::from(clock.init) * unit).collect();
    let mut reached = Reached { met: vec![false; formulas.len()], ..Reached::default() };
    let mut seen: HashSet<(Discrete, Vec<i64>)> = HashSet::new();
    let mut waiting = VecDeque::new();
    let mut insert = |state: &State<Ticks>, waiting: &mut VecDeque<State<Ticks>>| {
        let clocks = state.clocks.rearranged();
        if seen.insert((state.discrete.clone(), clocks.values.clone())) {
            waiting.push_back(State { discrete: state.discrete.clone(), clocks });
        }
        if seen.len() > limit_states { Err(ExploreError::Limit { states: limit_states }) } else { Ok(()) }
    };
    for discrete in step::initial(network) {
        let state = State { discrete, clocks: Ticks { unit, top, values: start.clone() } };
        match step::violated_invariant(network, &state) {
            Ok(None) => insert(&state, &mut waiting)?,
            Ok(Some(_)) => {}
            Err(refusal) => reached.fails |= matches!(refusal, Refusal::Error(_)),
        }
    }
    while let Some(mut state) = waiting.pop_front() {
        reached.discrete.insert(state.discrete.clone());
        let transitions = step::transitions(network, &state.discrete);
        reached.fails |= !transitions.failing.is_empty();
        let urgency = step::urgency(network, &state.discrete);
        for _ in 0..=unit {
            insert(&state, &mut waiting)?;
            for (met, formula) in reached.met.iter_mut().zip(formulas).filter(|(met, _)| !**met) {
                let is_deadlock = |state: &State<Ticks>| Ok(formula::is_deadlock(network, state));
                *met = formula::holds(network, formula, &state, &is_deadlock) == Ok(true);
            }
            step::fire_all(network, &state, &transitions, |_, outcome| match outcome {
                Ok(to) => insert(&to, &mut waiting),
                Err(refusal) => {
                    reached.fails |= matches!(refusal, Refusal::Error(_));
                    Ok(())
                }
            })?;
            let time_may_pass = matches!(&urgency, Ok(urgency) if urgency.bar(network, &state) == Ok(None));
            state.clocks.values.iter_mut().for_each(|v| *v += 1);
            if !time_may_pass || step::violated_invariant(network, &state) != Ok(None) {
                break;
            }
        }
    }
    Ok(reached)
}

#[derive(Clone, Debug)]
struct Ticks {
    unit: i64,
    /// The greatest bound, in ticks.
    top: i64,
    values: Vec<i64>,
}

impl Time for Ticks {
    fn advance(&mut self) -> bool {
        self.values.iter_mut().for_each(|v| *v += 1);
        // One tick beyond the greatest bound nothing changes any more.
        self.values.iter().any(|&v| v <= self.top + 1)
    }
}

impl Ticks {
    fn rearranged(&self) -> Ticks {
        let Ticks { unit, top, .. } = *self;
        let fractions: BTreeSet<i64> =
            self.values.iter().filter(|&&v| v <= top).map(|v| v % unit).filter(|&f| f > 0).collect();
        let place = |v: i64| match v % unit {
            0 => v,
            f => v - f + 2 * (1 + fractions.iter().take_while(|&&g| g < f).count() as i64),
        };
        let values = self.values.iter().map(|&v| if v > top { top + unit } else { place(v) }).collect();
        Ticks { unit, top, values }
    }
}

impl Clocks for Ticks {
    fn holds(
        &self,
        left: ClockId,
        minus: Option<ClockId>,
        relation: Relation,
        bound: i32,
    ) -> Result<bool, Inexpressible> {
        let value = self.values[left.index()] - minus.map_or(0, |m| self.values[m.index()]);
        let bound = i64::from(bound) * self.unit;
        Ok(match relation {
            Relation::Lt => value < bound,
            Relation::Le => value <= bound,
            Relation::Eq => value == bound,
            Relation::Ge => value >= bound,
            Relation::Gt => value > bound,
        })
    }

    fn assign(&mut self, clock: ClockId, from: Option<ClockId>, value: i32) -> Result<(), Inexpressible> {
        let from = from.map_or(0, |from| self.values[from.index()]);
        self.values[clock.index()] = from + i64::from(value) * self.unit;
        Ok(())
    }
}
