//! Is there a run that goes on for ever and keeps away from something?
//!
//! `E[] p` asks for one that keeps away from not p, `A<> p` for none that keeps
//! away from p, and `p --> q` for none that keeps away from q once p holds. A run
//! goes on for ever (is *maximal*) if it makes moves without end, if it ends
//! in a state from which time can pass without end, or if it ends in a deadlock;
//! in the last two cases all time that can still pass must keep away too.
//!
//! A depth-first search over the zones that keep away ([`Stepper::stays`]):
//!
//! V-1 Zones are abstracted by bounds that are the same from below and from
//!     above, so that a zone only gains points that no run can tell from points it
//!     had: a bisimulation, under which everything asked here is the same.
//! V-2 *Loops*: a path leads from zone Z to Z' of the same discrete state with Z ⊆
//!     Z'. Every point of Z' was reached from one of Z, hence from one of Z' again,
//!     and so on: there are runs of any length along the path, and since points
//!     fall into finitely many classes, one that returns to its class and goes on
//!     for ever. A Z' *smaller* than Z proves nothing and is explored (Laarman,
//!     Olesen, Dalsgaard, Larsen, van de Pol: *Multi-core emptiness checking of
//!     timed Büchi automata using inclusion abstraction*, CAV 2013).
//! V-3 *Done*: a zone that was left without finding a run (black) covers every
//!     zone it includes. Suppose a maximal run starts in a black zone. It is no end,
//!     or that would have been found; so it moves on to a zone that is black too and
//!     became so earlier. That cannot go on for ever.
//! V-4 It ends: there are finitely many abstract zones, and each is looked into at
//!     most once.

mod expand;
mod leads_to;
mod passed;
#[cfg(test)]
mod passed_tests;
mod work;

pub use leads_to::LeadsTo;

use crate::extrapolate::Differences;
use crate::pipeline::Halt;
use crate::{BoundsMap, Cover, Extrapolate, KeyStore, Reduce};
use dwell_base::limits::Limits;
use dwell_model::CompiledFormula;
use dwell_semantics::{Discrete, FormulaTest, Stepper, initial_locations};
use dwell_zones::{Bound, Zone, compact};
use passed::{Colour, Passed};
use std::time::{Duration, Instant};
use work::Work;

/// Moves between two looks at the limits.
const CHECK_EVERY: u64 = 1 << 10;
/// Time between two looks at the memory, which take longer.
const MEASURE_EVERY: Duration = Duration::from_millis(50);

/// How a run goes on for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Its moves from this one on are repeated.
    Loop(usize),
    /// Time passes.
    Unbounded,
    /// Nothing happens any more.
    Stuck,
}

/// A run that goes on for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// Number of the initial state, where the search began with those.
    pub initial: u32,
    /// Numbers of the moves.
    pub moves: Vec<u32>,
    /// What happens after them.
    pub ending: Ending,
}

/// Where a search was when it ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Number of the initial state, where the search began with those.
    pub initial: u32,
    /// Numbers of the moves.
    pub moves: Vec<u32>,
    /// Number of the move after them that was being made; none while the state
    /// after them was looked at.
    pub moving: Option<u32>,
}

/// What a liveness search counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LivenessStats {
    /// Symbolic states looked into.
    pub visited: u64,
    /// Symbolic states stored.
    pub stored: u64,
    /// Successors computed.
    pub transitions: u64,
    /// Bytes held by them.
    pub held_bytes: u64,
}

/// The search. It can be started from several states one after the other and
/// remembers what it has done.
pub struct Liveness<'s, B: Bound, K, C> {
    stepper: Stepper<'s, B>,
    avoid: FormulaTest<'s, B>,
    bounds: BoundsMap<B>,
    extrapolate: Box<dyn Extrapolate<B>>,
    differences: Differences<B>,
    reduce: Box<dyn Reduce>,
    passed: Passed<B, K, C>,
    limits: Limits,
    stats: LivenessStats,
    frames: Vec<Frame>,
    /// Number of the initial state, where the search began with those.
    initial: u32,
    /// The move that is being made.
    moving: Option<u32>,
    /// It was made, and what is avoided fails in the state after it.
    asking: bool,
    /// States to look into, with the moves that led to them; those of the last
    /// frame at the end.
    pending: Vec<(u32, u32)>,
    work: Work<B>,
}

/// A state on the path.
struct Frame {
    node: u32,
    via: u32,
    /// Where its successors begin in `pending`.
    start: usize,
}

/// The stages of a search, as in the pipeline.
pub struct Stages<'s, B: Bound, K, C> {
    /// The system.
    pub stepper: Stepper<'s, B>,
    /// L and U, the same.
    pub bounds: BoundsMap<B>,
    /// How zones are widened.
    pub extrapolate: Box<dyn Extrapolate<B>>,
    /// What they are split at before that.
    pub differences: Differences<B>,
    /// Which clocks are kept.
    pub reduce: Box<dyn Reduce>,
    /// Where discrete states are kept.
    pub keys: K,
    /// When a zone includes another.
    pub cover: C,
    /// When to stop.
    pub limits: Limits,
}

impl<'s, B: Bound, K: KeyStore, C: Cover<B>> Liveness<'s, B, K, C> {
    /// A search for runs that keep away from where `avoid` holds.
    pub fn new(stages: Stages<'s, B, K, C>, avoid: &'s CompiledFormula) -> Self {
        let Stages { stepper, bounds, extrapolate, differences, reduce, keys, cover, limits } = stages;
        let mut work = Work::new(stepper.system);
        let avoid = FormulaTest::new(avoid, stepper);
        work.from.reserve(avoid.registers());
        work.to.reserve(avoid.registers());
        Self {
            stepper,
            avoid,
            bounds,
            extrapolate,
            differences,
            reduce,
            passed: Passed::new(stepper.system.layout.words(), keys, cover),
            limits,
            stats: LivenessStats::default(),
            frames: Vec::new(),
            initial: 0,
            moving: None,
            asking: false,
            pending: Vec::new(),
            work,
        }
    }

    /// Where the search is, if it was ended inside a run.
    pub fn place(&self) -> Option<Place> {
        let mut moves: Vec<u32> = self.frames.iter().skip(1).map(|frame| frame.via).collect();
        let mut moving = self.moving;
        if self.asking {
            moves.extend(moving.take());
        }
        (self.asking || !self.frames.is_empty()).then_some(Place { initial: self.initial, moves, moving })
    }

    /// Searches from the initial states.
    pub fn from_start(&mut self) -> Result<Option<Lasso>, Halt> {
        let mut started = false;
        for (index, locations) in initial_locations(self.stepper.system).enumerate() {
            let Some((discrete, zone)) = self.stepper.start(&locations)? else { continue };
            self.work.to.copy_from(&discrete);
            self.work.next.copy_from(&zone);
            // What keeps away from nothing at once is an initial state too.
            started |= !self.stepper.stays(&mut self.work.to, &zone, &[])?.is_empty();
            self.initial = index as u32;
            let met = self.enter(index as u32)?;
            if let Some(lasso) = self.search(met)? {
                return Ok(Some(lasso));
            }
        }
        self.stats.visited = self.stats.visited.max(u64::from(started));
        Ok(None)
    }

    /// Searches from part of a state, at any moment.
    pub fn from_state(&mut self, state: &Discrete, zone: &Zone<B>) -> Result<Option<Lasso>, Halt> {
        self.work.to.copy_from(state);
        self.work.next.copy_from(zone);
        let met = self.enter(0)?;
        self.search(met)
    }

    /// The loop. `met` is what came of entering the start: with no path yet
    /// there is no loop.
    fn search(&mut self, met: Option<u32>) -> Result<Option<Lasso>, Halt> {
        debug_assert!(met.is_none());
        loop {
            let start = self.frames.last().map_or(0, |frame| frame.start);
            if self.pending.len() == start {
                let Some(frame) = self.frames.pop() else { break };
                self.blacken(frame.node);
                continue;
            }
            let Some((node, via)) = self.pending.pop() else { break };
            if self.passed.colour(node) != Colour::White {
                continue;
            }
            self.passed.put_on_path(node);
            self.frames.push(Frame { node, via, start: self.pending.len() });
            self.stats.visited += 1;
            if let Some(ending) = self.look_into(node)? {
                return Ok(Some(self.lasso(ending)));
            }
        }
        Ok(None)
    }

    fn blacken(&mut self, node: u32) {
        if self.passed.is_alone(node) {
            return self.passed.blacken_alone(node);
        }
        self.load(node);
        let Work { from, active, bounds, .. } = &mut self.work;
        self.bounds.at(&from.locations, bounds);
        self.passed.blacken(node, compact::compact_len(active.len()), active, bounds);
    }

    /// What was counted.
    pub fn stats(&self) -> LivenessStats {
        LivenessStats { stored: self.passed.len() as u64, held_bytes: self.held_bytes(), ..self.stats }
    }

    fn held_bytes(&self) -> u64 {
        self.passed.bytes() + (self.pending.capacity() * size_of::<(u32, u32)>()) as u64
    }

    /// The path, and what happens after it. The first frame is the start.
    fn lasso(&self, ending: (Ending, Option<u32>)) -> Lasso {
        let mut moves: Vec<u32> = self.frames.iter().skip(1).map(|frame| frame.via).collect();
        moves.extend(ending.1);
        Lasso { initial: self.initial, moves, ending: ending.0 }
    }

    /// Puts the discrete part and the active clocks of a state in place.
    fn load(&mut self, node: u32) {
        let Work { from, active, .. } = &mut self.work;
        let system = self.stepper.system;
        system.layout.unpack(self.passed.key(node), &mut from.locations, &mut from.registers);
        self.reduce.active(&from.locations, active);
    }

    #[cold]
    fn check(&mut self) -> Result<(), Halt> {
        let mut stop = self.limits.interrupted();
        if self.work.measured.elapsed() >= MEASURE_EVERY {
            self.work.measured = Instant::now();
            stop = stop.or_else(|| self.limits.memory_exceeded(self.held_bytes()));
        }
        stop.map_or(Ok(()), |stop| Err(Halt::Stop(stop)))
    }
}
