//! Exact delays for a path.
//!
//! Let `t(i)` be the time of the i-th move, `t(0) = 0` the start. At any moment
//! of the path a clock is `t(now) - t(r) + c`, where `r` is the move that last
//! set it. So every guard and invariant on the path is a difference of two
//! times with an integer bound, and the earliest schedule is a longest path
//! from `t(0)`. Strict bounds count in units of an infinitesimal: a time is
//! `a + k·ε`; with `K` the largest `k`, `ε = 1/(K+1)` keeps every constraint:
//! where the integer parts agree the `k` decide, and where they differ they
//! differ by one, which is more than `K·ε`.

use crate::timing::Timing;
use dwell_model::code::{ClockReset, Code, Machine};
use dwell_model::{BoundOperand, Clock, ClockOperand, Constraint, System};
use dwell_oracle::Rational;
use dwell_semantics::{Discrete, Participant, Role, fire};
use dwell_zones::{Bound, MinimalGraph, Zone};

/// `a + k·ε`, ordered lexicographically.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Time {
    whole: i64,
    epsilons: i64,
}

/// `time(to) >= time(from) + least` (`>` if strict).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AtLeast {
    pub from: u32,
    pub to: u32,
    pub least: i64,
    pub strict: bool,
}

/// A clock on the path: set at time `since`, to `offset`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ClockOrigin {
    pub since: u32,
    pub offset: i64,
}

/// What is wanted of the times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pace {
    /// Whole numbers where they will do: they read best.
    Readable,
    /// The end as early as possible.
    Earliest(Moment),
}

/// The end of a path, as a number of times before the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moment {
    /// The end of the stay in the last state.
    EndOfStay = 0,
    /// Arrival in the last state.
    Arrival = 1,
}

/// The least time in which something can be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LeastTime {
    /// No run is faster.
    pub time: i64,
    /// Some run takes just that; else any time above it is possible.
    pub attained: bool,
}

/// Sweeps after which whole numbers are given up: without a solution they would
/// go on for the length of the trace.
const WHOLE_ROUNDS: usize = 40;

/// Collects the constraints along a path.
pub(crate) struct Schedule<'s> {
    system: &'s System,
    clocks: Vec<ClockOrigin>,
    /// Clocks that were set: at which time, which one, to what.
    changes: Vec<(u32, usize, ClockOrigin)>,
    constraints: Vec<AtLeast>,
    /// Index of the last move.
    now: u32,
}

impl<'s> Schedule<'s> {
    /// A path that starts in `state`.
    pub fn new(system: &'s System, state: &mut Discrete, frozen: bool) -> Option<Self> {
        let clocks = origins(system);
        let mut this = Self { system, clocks, changes: Vec::new(), constraints: Vec::new(), now: 0 };
        this.stay(state, frozen)?;
        Some(this)
    }

    /// Takes a move from `state`, which becomes the next state; whether no
    /// time passes there is `frozen`. `None` when the move is not one: a bug of
    /// the caller.
    pub fn step(&mut self, state: &mut Discrete, participants: &[Participant], frozen: bool) -> Option<()> {
        for p in participants {
            let guard = &self.system.processes[p.process as usize].edges[p.edge as usize].guard;
            let code = &self.system.code;
            match p.role {
                Role::Takes => self.require(&guard.clocks, code, state, self.now)?,
                Role::Refuses(failing) => {
                    let (before, rest) = guard.clocks.split_at(failing as usize);
                    self.require(before, code, state, self.now)?;
                    self.require_not(rest.first()?, code, state)?;
                }
            }
        }
        let mut next = state.clone();
        let mut resets = Vec::new();
        if !fire(self.system, state, participants, &mut next, &mut resets).ok()? {
            return None;
        }
        for reset in &resets {
            self.reset(reset);
        }
        *state = next;
        self.stay(state, frozen)
    }

    /// Enters `state` at the time of the last move and leaves it at the time
    /// of the next: the invariants hold at both. Also: goes on staying.
    pub fn stay(&mut self, state: &mut Discrete, frozen: bool) -> Option<()> {
        let entered = self.now;
        self.now += 1;
        self.add(entered, self.now, 0, false);
        if frozen {
            self.add(self.now, entered, 0, false);
        }
        for (process, &location) in self.system.processes.iter().zip(&state.locations.clone()) {
            let invariant = &process.locations[location as usize].invariant;
            self.require(&invariant.clocks, &self.system.code, state, entered)?;
            self.require(&invariant.clocks, &self.system.code, state, self.now)?;
        }
        Some(())
    }

    /// The clocks lie in `zone` when the stay in the last state begins.
    pub fn arrive_in(&mut self, zone: &Zone<i32>) {
        self.require_zone(zone, self.now - 1);
    }

    /// The clocks lie in `zone` when the stay in the last state ends.
    pub fn leave_from(&mut self, zone: &Zone<i32>) {
        self.require_zone(zone, self.now);
    }

    fn require_zone(&mut self, zone: &Zone<i32>, at: u32) {
        let mut graph = MinimalGraph::with_capacity(zone.dim());
        graph.reduce(zone);
        for &(i, j, bound) in graph.edges() {
            let operand = |i: u16| match i {
                0 => ClockOrigin { since: at, offset: 0 },
                i => self.clocks[usize::from(i) - 1],
            };
            let (left, right) = (operand(i), operand(j));
            let least = left.offset - right.offset - i64::from(bound.constant());
            self.add(right.since, left.since, least, bound.is_strict());
        }
    }

    fn reset(&mut self, reset: &ClockReset) {
        let value = i64::from(reset.value);
        let origin = match reset.from {
            None => ClockOrigin { since: self.now, offset: value },
            Some(from) => {
                let origin = self.clocks[from.index()];
                ClockOrigin { offset: origin.offset + value, ..origin }
            }
        };
        self.clocks[reset.clock.index()] = origin;
        self.changes.push((self.now, reset.clock.index(), origin));
    }

    /// The clock constraints hold at time `at`.
    fn require(
        &mut self,
        constraints: &[Constraint],
        code: &Code,
        state: &mut Discrete,
        at: u32,
    ) -> Option<()> {
        for constraint in constraints {
            if let Some(c) = self.as_times(constraint, code, state, at)? {
                self.constraints.push(c);
            }
        }
        Some(())
    }

    /// The clock constraint does not hold at the time of the next move.
    fn require_not(&mut self, constraint: &Constraint, code: &Code, state: &mut Discrete) -> Option<()> {
        // A constraint without effect here holds; then there is no such move.
        let c = self.as_times(constraint, code, state, self.now)??;
        // Not to - from >= least: from - to > -least.
        self.add(c.to, c.from, -c.least, !c.strict);
        Some(())
    }

    /// A clock constraint at time `at` as one on times; no constraint where its
    /// condition is false.
    fn as_times(
        &self,
        constraint: &Constraint,
        code: &Code,
        state: &mut Discrete,
        at: u32,
    ) -> Option<Option<AtLeast>> {
        let machine = Machine::new(code);
        let mut run = |code| machine.run(code, &mut state.registers, &mut Vec::new()).ok();
        if let Some(condition) = constraint.when
            && run(condition)? == 0
        {
            return Some(None);
        }
        // A clock is t(at) - t(since) + offset; the reference clock is 0.
        let mut operand = |operand| {
            Some(match operand {
                ClockOperand::Zero => ClockOrigin { since: at, offset: 0 },
                ClockOperand::Clock(clock) => self.clocks[clock.index()],
                ClockOperand::Picked(code) => self.clocks[run(code)? as usize],
            })
        };
        let (left, right) = (operand(constraint.left)?, operand(constraint.right)?);
        let bound = match constraint.bound {
            BoundOperand::Const(bound) => i64::from(bound),
            BoundOperand::Value(code) => i64::from(run(code)?),
            BoundOperand::Negated(code) => -i64::from(run(code)?),
        };
        // left - right = t(right.since) - t(left.since) + offsets <= bound.
        let least = left.offset - right.offset - bound;
        Some(Some(AtLeast { from: right.since, to: left.since, least, strict: constraint.strict }))
    }

    fn add(&mut self, from: u32, to: u32, least: i64, strict: bool) {
        self.constraints.push(AtLeast { from, to, least, strict });
    }

    /// What is known about the times so far, for the clocks of `system`. The
    /// path ends at the end of the stay in the last state, or anywhere in it.
    pub fn timing(&self, system: &System, end: Moment) -> Option<Timing> {
        let ends_there = end == Moment::EndOfStay;
        Timing::new(origins(system), self.changes.clone(), &self.constraints, self.now, ends_there)
    }

    /// Times of the start, of the moves and of the end of the stay in the last
    /// state; `None` when the constraints contradict each other.
    pub fn solve(mut self, pace: Pace) -> Option<(Vec<Rational>, LeastTime)> {
        self.constraints.sort_by_key(|c| c.to.max(c.from));
        let (exact, moves) = (self.constraints, self.now as usize);
        // A strict bound on whole numbers is a weak one, one further.
        let whole = |c: &AtLeast| AtLeast { least: c.least + i64::from(c.strict), strict: false, ..*c };
        let wholes: Vec<AtLeast> = exact.iter().map(whole).collect();
        let in_wholes = earliest(&wholes, moves, WHOLE_ROUNDS);
        let exactly = || earliest(&exact, moves, moves + 1);
        let times = match pace {
            Pace::Readable => in_wholes.or_else(exactly)?,
            Pace::Earliest(end) => {
                let times = exactly()?;
                // A whole number is as good where it is as early.
                let end = end as usize;
                let as_early = |wholes: &Vec<Time>| wholes[moves - end] == times[moves - end];
                in_wholes.filter(as_early).unwrap_or(times)
            }
        };
        let end = if let Pace::Earliest(end) = pace { times[moves - end as usize] } else { times[moves] };
        let least = LeastTime { time: end.whole, attained: end.epsilons == 0 };
        let denominator = i128::from(times.iter().map(|t| t.epsilons).max()? + 1);
        let rational =
            |t: &Time| Rational::new(i128::from(t.whole) * denominator + i128::from(t.epsilons), denominator);
        Some((times.iter().map(rational).collect::<Option<_>>()?, least))
    }
}

/// Where clocks come from at the start.
fn origins(system: &System) -> Vec<ClockOrigin> {
    let start = |clock: &Clock| ClockOrigin { since: 0, offset: clock.init.into() };
    system.network.clocks.iter().map(start).collect()
}

/// The earliest times that satisfy the constraints.
fn earliest(constraints: &[AtLeast], moves: usize, rounds: usize) -> Option<Vec<Time>> {
    let start = Time { whole: 0, epsilons: 0 };
    let mut times = vec![start; moves + 1];
    for round in 0..=rounds {
        let mut changed = false;
        // Forwards and backwards in turn: a bound at the end of a long trace
        // reaches its start in one sweep.
        let sweep: &mut dyn Iterator<Item = &AtLeast> =
            if round % 2 == 0 { &mut constraints.iter() } else { &mut constraints.iter().rev() };
        for c in sweep {
            let from = times[c.from as usize];
            let wanted = Time { whole: from.whole + c.least, epsilons: from.epsilons + i64::from(c.strict) };
            if c.from == c.to && wanted > from {
                return None;
            }
            if c.from != c.to && times[c.to as usize] < wanted {
                times[c.to as usize] = wanted;
                changed = true;
            }
        }
        if times[0] > start {
            return None;
        }
        if !changed {
            return Some(times);
        }
    }
    None
}
