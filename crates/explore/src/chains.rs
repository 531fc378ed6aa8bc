//! Chains: states in which nothing is decided are passed through.
//!
//! Paper 2 calls states *transient* that may be returned several times as long as
//! the search ends (section 4), paper 3 stores none that have one successor (its
//! strategy *successors*). There such a state waits and leaves when it has been
//! expanded. Here it is never stored: its successor is made at once, in its place.
//!
//! CH-1 A state is passed through if no time may pass in it, one move is possible,
//!      without clock guards, and all of its zone gets through: all points satisfy
//!      the invariant of the target. So it is no deadlock, no run ends in it, and its
//!      successor stands for it. Whoever asks must see to it that the question is not
//!      answered in it.
//! CH-2 Where something is odd (a guard or an update fails, say) nothing is passed:
//!      the state is stored, and what is odd is found when it is expanded.
//! CH-3 After [`LONGEST`] moves the state is stored, and where the discrete state
//!      comes back it is too (Brent: one copy, renewed after 4, 8, 16 … moves). So a
//!      search that ends when all states are stored ends: on every infinite path
//!      infinitely many states are stored, as in [`crate::keep`] (KS-2), and what is
//!      passed through pushes nobody out of the list (KS-1). From [`MANY`] moves on
//!      one state in eight is stored, which one is a matter of the discrete state:
//!      paths that meet in a long chain then end in the same states, and a ring is
//!      left where it was left the last time round.
//! CH-4 Whether time may pass, and how many moves there are, is a matter of the
//!      discrete state. Paths that meet inside a chain meet again at its end, or, of a
//!      very long one, most likely before. What was made twice until then is counted,
//!      and where it is too much of all that is passed, nothing is.
//! CH-5 The number of the move that a chain begins with and its length are one
//!      number ([`via`]); the moves behind it are the first of their states.

use crate::{Inserted, Origin, Parent};
use dwell_model::code::ClockReset;
use dwell_model::expr::MAX_MOVES;
use dwell_semantics::{Conjunction, Delay, Discrete, Moves, Participant, Scratch, Stepper, fire};
use dwell_zones::{Bound, Zone};
use std::iter::{once, repeat_n};
use std::mem::swap;
use std::ops::AddAssign;

/// The most moves that are made without storing what they lead to.
const LONGEST: u32 = 63;
/// Moves before it is looked whether they go round: a power of two.
const FEW: u32 = 4;

/// Moves after which it depends on a state whether it is passed through.
const MANY: u32 = 16;

/// Of chains that may end where others did, one in so many does, or nothing is
/// passed through.
const SHARE: u64 = 4;
/// So many may at first.
const SOME: u64 = 256;

/// When states are passed through: never, or from so many visited states on.
pub type ChainsFrom = Option<u64>;

/// Memory for the states between.
pub(crate) struct Chains<B: Bound> {
    from: u64,
    state: Discrete,
    zone: Zone<B>,
    /// A state that the chain may come back to; CH-3.
    before: Discrete,
    moves: Moves,
    resets: Vec<ClockReset>,
    invariants: Conjunction<B>,
}

/// What came of chains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChainCounts {
    /// States passed through.
    pub passed: u64,
    /// Chains that ended here.
    pub chains: u64,
    /// Those whose end was covered by a stored state.
    pub met: u64,
}

impl AddAssign for ChainCounts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.chains += other.chains;
        self.met += other.met;
    }
}

impl ChainCounts {
    /// A state has come into the list, or would have. Whoever owns it counts it.
    #[inline(always)]
    pub(crate) fn end(&mut self, origin: Origin, inserted: Inserted) {
        if length(origin.index) > 0 && origin.parent != Parent::None {
            self.count(inserted != Inserted::Covered);
        }
    }

    /// A chain has ended, in a state that is `new`.
    pub(crate) fn count(&mut self, new: bool) {
        self.chains += 1;
        self.met += u64::from(!new);
    }

    /// CH-4
    #[inline(always)]
    fn pay(&self) -> bool {
        self.met * SHARE <= self.chains + SOME
    }
}

impl<B: Bound> Chains<B> {
    /// `registers` are what the states must have that are asked about.
    pub fn new(stepper: Stepper<'_, B>, from: u64, registers: usize) -> Self {
        let dim = stepper.system.zone_dimension();
        let mut state = Discrete::new(stepper.system);
        state.reserve(registers);
        Self {
            from,
            before: state.clone(),
            state,
            zone: Zone::new(dim),
            moves: Moves::default(),
            resets: Vec::new(),
            invariants: Conjunction::new(dim),
        }
    }

    /// Whether states are passed through when so many have been visited, and that
    /// came of it. CH-4
    #[inline(always)]
    pub fn pay(&self, visited: u64, counts: &ChainCounts) -> bool {
        visited >= self.from && counts.pay()
    }

    /// Goes on from `state` and `zone`, in which no time may pass, while nothing is
    /// decided; how many moves that are, at most [`LONGEST`]. `undecided` says
    /// whether a state is to be passed through, if it can be, `enters` whether its
    /// successor may be entered.
    #[inline]
    pub fn pass(
        &mut self,
        stepper: Stepper<'_, B>,
        (state, zone): (&mut Discrete, &mut Zone<B>),
        scratch: &mut Scratch,
        mut undecided: impl FnMut(&mut Discrete, &Zone<B>) -> bool,
        mut enters: impl FnMut(&mut Discrete) -> bool,
    ) -> u32 {
        for passed in 0..LONGEST {
            if passed > FEW && state.is_like(&self.before) || passed >= MANY && is_milestone(state) {
                return passed;
            }
            if passed >= FEW && passed.is_power_of_two() {
                self.before.copy_from(state);
            }
            if !self.has_one_move(stepper, state, scratch) || !undecided(state, zone) {
                return passed;
            }
            match self.step(stepper, (state, zone), scratch, &mut enters) {
                Some(Delay::Frozen) => {}
                Some(_) => return passed + 1,
                None => return passed,
            }
        }
        LONGEST
    }

    fn has_one_move(&mut self, stepper: Stepper<'_, B>, state: &mut Discrete, scratch: &mut Scratch) -> bool {
        let Stepper { system, transitions, .. } = stepper;
        let listed = transitions.enabled(system, state, &mut self.moves, scratch);
        let unguarded = |p: &Participant| {
            system.processes[p.process as usize].edges[p.edge as usize].guard.clocks.is_empty()
        };
        listed.is_ok() && self.moves.len() == 1 && self.moves.get(0).iter().all(unguarded)
    }

    /// Makes the move, unless CH-1 or CH-2 is against it.
    fn step(
        &mut self,
        stepper: Stepper<'_, B>,
        (state, zone): (&mut Discrete, &mut Zone<B>),
        scratch: &mut Scratch,
        enters: &mut impl FnMut(&mut Discrete) -> bool,
    ) -> Option<Delay> {
        swap(state, &mut self.state);
        let delay = self.follow(stepper, state, zone, scratch, enters);
        match delay {
            Some(_) => swap(zone, &mut self.zone),
            None => swap(state, &mut self.state),
        }
        delay
    }

    fn follow(
        &mut self,
        stepper: Stepper<'_, B>,
        next: &mut Discrete,
        before: &Zone<B>,
        scratch: &mut Scratch,
        enters: &mut impl FnMut(&mut Discrete) -> bool,
    ) -> Option<Delay> {
        let Stepper { system, transitions, zones } = stepper;
        let Self { state, zone, moves, resets, invariants, .. } = self;
        if !fire(system, state, moves.get(0), next, resets).ok()? || !enters(next) {
            return None;
        }
        zone.copy_from(before);
        zones.reset(resets, zone).ok()?;
        zones.invariants(system, next, invariants).ok()?;
        let delay = transitions.delay(system, next, scratch).ok()?;
        let through =
            invariants.includes(zone) && zones.enter(invariants, delay == Delay::Free, zone).ok()?;
        through.then_some(delay)
    }
}

/// One state in eight; CH-3
fn is_milestone(state: &Discrete) -> bool {
    state.hash() >> 61 == 0
}

/// CH-5
pub(crate) fn via(index: u32, passed: u32) -> u32 {
    debug_assert!(index < MAX_MOVES as u32, "more moves than a state may have");
    const { assert!(MAX_MOVES.is_power_of_two() && MAX_MOVES * (LONGEST as usize + 1) <= 1 << 31) };
    index | passed << MAX_MOVES.trailing_zeros()
}

/// How many moves follow the first. CH-5
fn length(via: u32) -> u32 {
    via / MAX_MOVES as u32
}

/// Numbers of the moves that stand behind numbers with chains. CH-5
pub fn unchained(vias: impl IntoIterator<Item = u32>) -> Vec<u32> {
    let moves = |via: u32| once(via % MAX_MOVES as u32).chain(repeat_n(0, length(via) as usize));
    vias.into_iter().flat_map(moves).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_and_what_follows_it_is_a_number() {
        let last = MAX_MOVES as u32 - 1;
        assert_eq!(unchained([via(3, 0), via(last, 2), via(0, LONGEST)])[..4], [3, last, 0, 0]);
        assert_eq!(unchained([via(0, LONGEST)]), [0; LONGEST as usize + 1]);
        assert!(via(last, LONGEST) < crate::SAME);
    }
}
