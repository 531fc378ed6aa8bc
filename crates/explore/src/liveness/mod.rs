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

mod classes;
#[cfg(test)]
mod classes_tests;
mod cycles;
#[cfg(test)]
mod cycles_tests;
mod effects;
mod expand;
mod hulls;
mod leads_to;
mod passed;
#[cfg(test)]
mod passed_tests;
mod roots;
mod survey;
mod work;

pub use leads_to::{LeadsTo, Starts};
pub use roots::Roots;
pub use survey::Survey;

use crate::extrapolate::Differences;
use crate::pipeline::Halt;
use crate::{
    BoundsMap, ChainCounts, ChainsFrom, Cover, Extrapolate, KeyStore, Observer, Reduce, Stats, unchained,
};
use dwell_base::limits::Limits;
use dwell_model::CompiledFormula;
use dwell_semantics::{Discrete, Stepper, initial_locations};
use dwell_zones::{Bound, Zone, compact};
use expand::{After, Avoiding, New, Sink};
use passed::{Colour, Met, Passed};

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

impl Lasso {
    /// The same run from an initial state on, which leads to its start with these
    /// moves.
    fn after(self, (initial, mut moves): (u32, Vec<u32>)) -> Self {
        let ending = match self.ending {
            Ending::Loop(at) => Ending::Loop(moves.len() + at),
            end => end,
        };
        moves.extend(self.moves);
        Self { initial, moves, ending }
    }

    /// Whether its moves are repeated.
    pub fn is_loop(&self) -> bool {
        matches!(self.ending, Ending::Loop(_))
    }
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
    /// Their discrete states.
    pub discrete: u64,
    /// Successors computed.
    pub transitions: u64,
    /// States that were passed through.
    pub chains: ChainCounts,
    /// Bytes held by them.
    pub held_bytes: u64,
}

impl From<LivenessStats> for Stats {
    fn from(counted: LivenessStats) -> Self {
        let LivenessStats { visited, stored, discrete, transitions, chains, held_bytes } = counted;
        Self {
            visited,
            visited_stored: visited,
            stored,
            max_stored: stored,
            discrete,
            transitions,
            chains,
            held_bytes,
            ..Self::default()
        }
    }
}

/// The search. It can be started from several states one after the other and
/// remembers what it has done.
pub struct Liveness<'s, B: Bound, K, C> {
    avoiding: Avoiding<'s, B>,
    met: MetStates<B, K, C>,
    frames: Vec<Frame>,
    /// Number of the initial state, where the search began with those.
    initial: u32,
}

/// What has been met, and what of it is to be looked into.
struct MetStates<B, K, C> {
    passed: Passed<B, K, C>,
    /// States to look into, with the moves that led to them; those of the last
    /// frame at the end.
    pending: Vec<(u32, u32)>,
}

impl<B: Bound, K: KeyStore, C: Cover<B>> Sink<B> for MetStates<B, K, C> {
    /// A state on the path, which closes a loop, and the moves that lead to it.
    type Found = (u32, u32);
    const EFFECTS: bool = false;
    const CHAINS: bool = true;

    fn meet(&mut self, new: New<'_, B>) -> Option<(u32, u32)> {
        match self.passed.meet(new.words, new.cells, new.active, new.bounds) {
            Met::Open(node) => self.pending.push((node, new.index)),
            Met::Done => {}
            Met::Loop(node) => return Some((node, new.index)),
        }
        None
    }

    fn stored(&self) -> u64 {
        self.passed.len() as u64
    }

    fn discrete(&self) -> u64 {
        self.passed.discrete() as u64
    }

    fn waiting(&self) -> usize {
        self.pending.len()
    }

    fn bytes(&self) -> u64 {
        self.passed.bytes() + (self.pending.capacity() * size_of::<(u32, u32)>()) as u64
    }
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
    /// From when on states in which nothing is decided are passed through.
    pub chains: ChainsFrom,
    /// Where discrete states are kept.
    pub keys: K,
    /// When a zone includes another.
    pub cover: C,
    /// When to stop.
    pub limits: Limits,
    /// Told how far it is.
    pub observer: Box<dyn Observer + 's>,
}

impl<'s, B: Bound, K: KeyStore, C: Cover<B>> Liveness<'s, B, K, C> {
    /// A search for runs that keep away from where `avoid` holds.
    pub fn new(stages: Stages<'s, B, K, C>, avoid: &'s CompiledFormula) -> Self {
        let words = stages.stepper.system.layout.words();
        let (avoiding, keys, cover) = Avoiding::new(stages, avoid);
        let met = MetStates { passed: Passed::new(words, keys, cover), pending: Vec::new() };
        Self { avoiding, met, frames: Vec::new(), initial: 0 }
    }

    /// Where the search is, if it was ended inside a run.
    pub fn place(&self) -> Option<Place> {
        let mut moves = self.moves();
        let mut moving = self.avoiding.moving;
        let asking = self.avoiding.asking;
        if asking {
            moves.extend(moving.take());
        }
        (asking || !self.frames.is_empty()).then_some(Place { initial: self.initial, moves, moving })
    }

    /// Searches from the initial states.
    pub fn from_start(&mut self) -> Result<Option<Lasso>, Halt> {
        let system = self.avoiding.stepper.system;
        let mut started = false;
        for (index, locations) in initial_locations(system).enumerate() {
            self.initial = index as u32;
            let (there, met) = self.avoiding.start(&locations, index as u32, &mut self.met)?;
            started |= there;
            if let Some(lasso) = self.search(met)? {
                return Ok(Some(lasso));
            }
        }
        let visited = &mut self.avoiding.stats.visited;
        *visited = (*visited).max(u64::from(started));
        Ok(None)
    }

    /// Searches from part of a state, at any moment.
    pub fn from_state(&mut self, state: &Discrete, zone: &Zone<B>) -> Result<Option<Lasso>, Halt> {
        let met = self.avoiding.enter_at(state, zone, &mut self.met)?;
        self.search(met)
    }

    /// Searches from the leaves of a tree that fall to a worker.
    pub fn from_roots(&mut self, roots: &Roots<B>, worker: usize) -> Result<Option<Lasso>, Halt> {
        while let Some(leaf) = roots.next(worker) {
            let root = roots.root(leaf);
            self.avoiding.load(&root.words);
            let (active, bounds) = self.avoiding.clocks();
            if let Met::Open(node) = self.met.passed.meet(&root.words, &root.cells, active, bounds) {
                self.met.pending.push((node, 0));
            }
            if let Some(lasso) = self.search(None)? {
                return Ok(Some(lasso.after(roots.path(leaf))));
            }
        }
        Ok(None)
    }

    /// The loop. `met` is what came of entering the start: with no path yet
    /// there is no loop.
    fn search(&mut self, met: Option<(u32, u32)>) -> Result<Option<Lasso>, Halt> {
        debug_assert!(met.is_none());
        loop {
            let start = self.frames.last().map_or(0, |frame| frame.start);
            if self.met.pending.len() == start {
                let Some(frame) = self.frames.pop() else { break };
                self.blacken(frame.node);
                continue;
            }
            let Some((node, via)) = self.met.pending.pop() else { break };
            if self.met.passed.colour(node) != Colour::White {
                continue;
            }
            self.met.passed.put_on_path(node);
            self.frames.push(Frame { node, via, start: self.met.pending.len() });
            self.avoiding.stats.visited += 1;
            self.avoiding.load(self.met.passed.key(node));
            let cells = self.met.passed.cells(node, self.avoiding.cells_len());
            self.avoiding.unpack(cells);
            if let Some(after) = self.avoiding.look_into(&mut self.met)? {
                return Ok(Some(self.lasso(after)));
            }
        }
        Ok(None)
    }

    fn blacken(&mut self, node: u32) {
        let passed = &mut self.met.passed;
        if passed.is_alone(node) {
            return passed.blacken_alone(node);
        }
        self.avoiding.load(passed.key(node));
        let (active, bounds) = self.avoiding.clocks();
        passed.blacken(node, compact::compact_len(active.len()), active, bounds);
    }

    /// What was counted.
    pub fn stats(&self) -> LivenessStats {
        self.avoiding.counted(&self.met)
    }

    /// Numbers of the moves of the path.
    fn moves(&self) -> Vec<u32> {
        unchained(self.frames.iter().skip(1).map(|frame| frame.via))
    }

    /// The path, and what happens after it. The first frame is the start.
    fn lasso(&self, after: After<(u32, u32)>) -> Lasso {
        let mut moves = self.moves();
        let ending = match after {
            After::Ends(ending) => ending,
            After::Found((node, via)) => {
                moves.extend(unchained([via]));
                let at = self.frames.iter().position(|frame| frame.node == node);
                let at = at.expect("grey states are on the path");
                Ending::Loop(unchained(self.frames[1..=at].iter().map(|frame| frame.via)).len())
            }
        };
        Lasso { initial: self.initial, moves, ending }
    }
}
