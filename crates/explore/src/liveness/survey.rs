//! Is there certainly no run that goes on for ever and keeps away from something?
//!
//! One zone for each discrete state, the convex hull of all that came, so that
//! there are few; then a look at the loops of the graph.
//!
//! SV-1 The zone of a discrete state includes every state that a run that keeps
//!      away passes through there: exact successors are included in those made
//!      here, extrapolation and hulls only add.
//! SV-2 So if no zone has a point in which a run ends, none does; and every
//!      infinite run is a path of the graph, whose edges say what is true of
//!      every point they are taken from ([`Effect`]). If no path goes on for ever
//!      ([`super::cycles`]), no run does.
//! SV-3 A point or a loop that is found may not be there: then nothing is said.

use super::cycles::Graph;
use super::effects::Effect;
use super::expand::{Avoiding, New, Sink};
use super::{LivenessStats, Stages};
use crate::KeyStore;
use crate::pipeline::Halt;
use dwell_base::limits::Stop;
use dwell_model::CompiledFormula;
use dwell_semantics::{Discrete, initial_locations};
use dwell_zones::{Bound, Zone};
use std::collections::{HashMap, VecDeque};

/// The search for a proof. It is told where runs start, then asked.
pub struct Survey<'s, B: Bound, K> {
    avoiding: Avoiding<'s, B>,
    hulls: Hulls<B, K>,
    /// Discrete states that may be looked into, each as often as it grows.
    patience: u64,
}

/// The discrete states and their zones.
struct Hulls<B, K> {
    keys: K,
    words: Vec<u64>,
    nodes: Vec<Node<B>>,
    waiting: VecDeque<u32>,
    /// Of what was looked into last, the end of them.
    edges: Vec<(u32, u32)>,
    effects: Vec<Effect>,
    numbers: HashMap<Effect, u32>,
    bytes: u64,
}

struct Node<B> {
    cells: Box<[B]>,
    waits: bool,
    /// Where its edges begin and end.
    edges: (u32, u32),
}

impl<B: Bound, K: KeyStore> Sink<B> for Hulls<B, K> {
    type Found = std::convert::Infallible;
    const EFFECTS: bool = true;

    fn meet(&mut self, new: New<'_, B>) -> Option<Self::Found> {
        let (id, is_new) = self.keys.save(new.words);
        if is_new {
            self.bytes += (size_of::<Node<B>>() + size_of_val(new.cells)) as u64;
            self.nodes.push(Node { cells: new.cells.into(), waits: true, edges: (0, 0) });
            self.waiting.push_back(id);
        } else {
            let node = &mut self.nodes[id as usize];
            let mut grows = false;
            for (old, &cell) in node.cells.iter_mut().zip(new.cells) {
                grows |= *old < cell;
                *old = (*old).max(cell);
            }
            if grows && !node.waits {
                node.waits = true;
                self.waiting.push_back(id);
            }
        }
        let effects = &mut self.effects;
        let effect = *self.numbers.entry(new.effect).or_insert_with(|| {
            effects.push(new.effect);
            effects.len() as u32 - 1
        });
        self.edges.push((id, effect));
        None
    }

    fn stored(&self) -> u64 {
        self.nodes.len() as u64
    }

    fn waiting(&self) -> usize {
        self.waiting.len()
    }

    fn bytes(&self) -> u64 {
        self.keys.bytes() + self.bytes + (self.edges.capacity() * size_of::<(u32, u32)>()) as u64
    }
}

impl<'s, B: Bound, K: KeyStore> Survey<'s, B, K> {
    /// A search for a proof that no run keeps away from where `avoid` holds.
    pub fn new<C>(stages: Stages<'s, B, K, C>, avoid: &'s CompiledFormula, patience: u64) -> Self {
        let words = vec![0; stages.stepper.system.layout.words()];
        let (avoiding, keys, _) = Avoiding::new(stages, avoid);
        let hulls = Hulls {
            keys,
            words,
            nodes: Vec::new(),
            waiting: VecDeque::new(),
            edges: Vec::new(),
            effects: Vec::new(),
            numbers: HashMap::new(),
            bytes: 0,
        };
        Self { avoiding, hulls, patience }
    }

    /// Runs may start in the initial states. False if there are none.
    pub fn start(&mut self) -> Result<bool, Halt> {
        let mut started = false;
        for (index, locations) in initial_locations(self.avoiding.stepper.system).enumerate() {
            started |= self.avoiding.start(&locations, index as u32, &mut self.hulls)?.0;
        }
        Ok(started)
    }

    /// They may start in part of a state, at any moment.
    pub fn start_in(&mut self, state: &Discrete, zone: &Zone<B>) -> Result<(), Halt> {
        self.avoiding.enter_at(state, zone, &mut self.hulls).map(|_| ())
    }

    /// Whether there is certainly no such run; false where one may have been found.
    pub fn proves(&mut self) -> Result<bool, Halt> {
        // Starts are no moves.
        self.hulls.edges.clear();
        while let Some(id) = self.hulls.waiting.pop_front() {
            if self.avoiding.stats.visited == self.patience {
                return Err(Halt::Stop(Stop::Visits));
            }
            self.avoiding.stats.visited += 1;
            let Hulls { keys, words, nodes, edges, .. } = &mut self.hulls;
            keys.load(id, words);
            self.avoiding.load(words);
            let node = &mut nodes[id as usize];
            node.waits = false;
            self.avoiding.unpack(&node.cells);
            let begin = edges.len() as u32;
            if self.avoiding.look_into(&mut self.hulls)?.is_some() {
                return Ok(false); // SV-3
            }
            self.hulls.nodes[id as usize].edges = (begin, self.hulls.edges.len() as u32);
        }
        let ranges: Vec<(u32, u32)> = self.hulls.nodes.iter().map(|node| node.edges).collect();
        let graph = Graph { ranges: &ranges, edges: &self.hulls.edges, effects: &self.hulls.effects };
        Ok(graph.all_runs_end(!self.avoiding.stepper.has_stopwatches()))
    }

    /// What was counted.
    pub fn stats(&self) -> LivenessStats {
        self.avoiding.counted(&self.hulls)
    }
}
