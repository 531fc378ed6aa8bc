//! Whether a clock has no upper bound, judged by one path on exact zones.
//!
//! Two ways to be sure, where the path ends in a state with the formula:
//!
//! G-1 The clock has no upper bound in the part of the last zone where the
//!     formula holds. That part is convex: every value from its least on is
//!     taken.
//! G-2 From some state of the path the clock `x` is not touched any more and is
//!     above every constant that clocks are compared with, in a zone `Z`; a later
//!     zone `Z'` of the same discrete state simulates `Z` with `x` larger by
//!     some d > 0. What is reached from `Z` does not depend on `x`, so the moves
//!     between them can be made again from `Z'`, and again: `x` grows by d each
//!     time, and the rest of the path leads to the formula from each of them.
//!
//! *Simulates* is inclusion in Extra⁺LU of `Z'` for the bounds of the model and
//! the formula, with `x` compared exactly: states related by it follow each
//! other with the same delays (Behrmann, Bouyer, Larsen, Pelánek, TACAS 2004).
//! Where differences of clocks are compared it is no simulation, and only G-1
//! is tried.

use super::Measure;
use dwell_explore::BoundsMap;
use dwell_explore::measure::{FOREVER, cells};
use dwell_model::System;
use dwell_semantics::{
    Discrete, FormulaTest, Moves, QuantityReader, Reading, Stepper, SymbolicState, Transitions, Truth,
    ZoneSystem, fire,
};
use dwell_zones::{Bound, ClockWords, LuBounds, Zone};
use std::ops::ControlFlow;

/// Symbolic steps that looking for a loop may take.
const STEPS: usize = 50_000;

/// A clock has no upper bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Growth {
    /// The cell from which on it has every value, if that is known.
    pub from: Option<i64>,
}

/// Looks at a path to a state where the formula holds and a clock has a value
/// above `most`. `None`: nothing was found.
pub(super) fn look(
    measure: &Measure,
    quantity: usize,
    most: i32,
    system: &System,
    transitions: &Transitions,
    initial: u32,
    moves: &[u32],
) -> Option<Growth> {
    let zones = ZoneSystem::<i32>::new(system).ok()?;
    let stepper = Stepper { system, transitions, zones: &zones };
    let path = Path::remake(&stepper, initial, moves)?;
    let looker = Looker { measure, stepper, path };
    let end = looker.path.states.last()?;
    let x = looker.clock(quantity, &end.discrete)?;
    let unbounded = looker.parts(x, end)?.into_iter().filter(|&(_, last)| last == FOREVER);
    if let Some(from) = unbounded.map(|(first, _)| first).min() {
        return Some(Growth { from: Some(from) }); // G-1
    }
    if measure.plain.diagonals { None } else { looker.repeats(x, most) }
}

/// States of a path that are kept to find a loop among them.
const KEPT: usize = 1_000;

/// The end of a path, on exact zones.
struct Path {
    states: Vec<SymbolicState<i32>>,
    /// The moves of each state but the last, and which of them is made.
    moves: Vec<(Moves, usize)>,
    /// Zone indices of the clocks that each move sets or copies.
    touched: Vec<Vec<usize>>,
}

impl Path {
    fn remake(stepper: &Stepper<'_, i32>, initial: u32, made: &[u32]) -> Option<Self> {
        let start = stepper.initial_locations().nth(initial as usize)?;
        let mut states = vec![only(stepper.initial(&start).ok()?)?];
        let (mut moves, mut touched) = (Vec::new(), Vec::new());
        for &index in made {
            let state = states.last()?;
            let enabled = stepper.moves(state).ok()?;
            let participants = enabled.get(index as usize);
            let (mut next, mut resets) = (state.discrete.clone(), Vec::new());
            fire(stepper.system, &state.discrete, participants, &mut next, &mut resets).ok()?;
            let clocks = resets.iter().flat_map(|reset| [Some(reset.clock), reset.from]).flatten();
            touched.push(clocks.map(|clock| clock.index() + 1).collect());
            let next = only(stepper.step(state, participants).ok()?)?;
            states.push(next);
            moves.push((enabled, index as usize));
            if states.len() > 2 * KEPT {
                states.drain(..KEPT);
                moves.drain(..KEPT);
                touched.drain(..KEPT);
            }
        }
        Some(Self { states, moves, touched })
    }
}

/// Nothing is concluded where a step has several outcomes.
fn only<T>(outcomes: Vec<T>) -> Option<T> {
    let mut outcomes = outcomes.into_iter();
    let first = outcomes.next()?;
    outcomes.next().is_none().then_some(first)
}

struct Looker<'a> {
    measure: &'a Measure,
    stepper: Stepper<'a, i32>,
    path: Path,
}

impl Looker<'_> {
    fn clock(&self, quantity: usize, state: &Discrete) -> Option<usize> {
        let reader = QuantityReader::new(&self.measure.compiled);
        let mut state = state.clone();
        state.reserve(reader.registers());
        match reader.read(&mut state, quantity).ok()? {
            Reading::Clock(x) => Some(x),
            Reading::Integer(_) => None,
        }
    }

    /// The cells of a clock in each part of a zone where the formula holds.
    fn parts(&self, x: usize, state: &SymbolicState<i32>) -> Option<Vec<(i64, i64)>> {
        let mut test = FormulaTest::new(&self.measure.formula, self.stepper);
        let mut discrete = state.discrete.clone();
        discrete.reserve(test.registers());
        let mut found = Vec::new();
        if test.discrete(&mut discrete).ok()? != Truth::No {
            let mut see = |part: &Zone<i32>| {
                found.push(cells(x, part));
                ControlFlow::Continue(())
            };
            test.parts(&mut discrete, &state.zone, &mut see).ok()?;
        }
        Some(found)
    }

    /// G-2.
    fn repeats(&self, x: usize, most: i32) -> Option<Growth> {
        let states = &self.path.states;
        let last_touched = self.path.touched.iter().rposition(|clocks| clocks.contains(&x));
        // Beyond every constant, and by far: then clocks that run along with
        // this one, at some distance, are beyond theirs.
        let bounds = &self.measure.plain.global.clocks;
        let beyond = bounds.iter().filter_map(|&(_, lower, upper)| lower.max(upper)).max().unwrap_or(0);
        let beyond = beyond.checked_add(1)?.max(most / 2);
        let beyond = <i32 as Bound>::weak(-beyond)?;
        let same = |i: usize, j: usize| {
            let (a, b) = (&states[i].discrete, &states[j].discrete);
            let system = self.stepper.system;
            a.locations == b.locations && a.vars(system) == b.vars(system)
        };
        let mut steps = STEPS;
        let mut growth = None;
        // The later, the larger is x.
        for i in (last_touched.map_or(0, |at| at + 1)..states.len()).rev() {
            let left = states.len() - i;
            if left > steps {
                break;
            }
            steps -= left;
            let returns: Vec<bool> = (0..states.len()).map(|j| j > i && same(i, j)).collect();
            if !returns.contains(&true) {
                continue;
            }
            let mut start = states[i].clone();
            if !start.zone.constrain(0, x, beyond) || start.zone.overflowed() {
                continue;
            }
            match self.again(x, i, &start, &returns) {
                Some(growth @ Growth { from: Some(_) }) => return Some(growth),
                found => growth = growth.or(found),
            }
        }
        growth
    }

    /// Follows the path from a part of its state number `i`.
    fn again(&self, x: usize, i: usize, start: &SymbolicState<i32>, returns: &[bool]) -> Option<Growth> {
        let mut at = start.clone();
        let mut least: Option<i64> = None;
        for ((moves, made), &returns) in self.path.moves[i..].iter().zip(&returns[i + 1..]) {
            let participants = moves.get(*made);
            at = only(self.stepper.step(&at, participants).ok()?)?;
            if returns && let Some(d) = self.larger_by(x, start, &at) {
                least = Some(least.map_or(d, |least| least.min(d)));
            }
        }
        let d = least?;
        let parts = self.parts(x, &at)?;
        // The same shifted by d, 2d, …: without gaps if it is as wide as that.
        let dense = parts.iter().filter(|(first, last)| last + 1 >= first + 2 * d).map(|part| part.0);
        (!parts.is_empty()).then(|| Growth { from: dense.min() })
    }

    /// The least d such that `later` simulates `earlier` with `x` larger by it.
    fn larger_by(&self, x: usize, earlier: &SymbolicState<i32>, later: &SymbolicState<i32>) -> Option<i64> {
        let dim = self.stepper.system.zone_dimension();
        let mut bounds = LuBounds::new(dim);
        BoundsMap::local(&self.measure.plain).at(&later.discrete.locations, &mut bounds);
        let most = Some(<i32 as Bound>::MAX_CONSTANT);
        bounds.raise(x, ClockWords::new(most, most));
        let mut wide = later.zone.clone();
        wide.extra_lu_plus(&bounds);
        if wide.overflowed() {
            return None;
        }
        let (mut least, mut most) = (1, i64::MAX);
        for i in 0..dim {
            for j in (0..dim).filter(|&j| j != i) {
                let (small, large) = (earlier.zone.get(i, j), wide.get(i, j));
                if large.is_inf() {
                    continue;
                }
                if small.is_inf() {
                    return None;
                }
                let strict = i64::from(large.is_strict() && !small.is_strict());
                let room = i64::from(large.constant()) - i64::from(small.constant()) - strict;
                if i == x {
                    most = most.min(room);
                } else if j == x {
                    least = least.max(-room);
                } else if room < 0 {
                    return None;
                }
            }
        }
        (least <= most).then_some(least)
    }
}
