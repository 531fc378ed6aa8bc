//! The zones of a survey: for each discrete state the convex hulls of zones
//! that are alike ([`Classes`]).

use super::classes::Classes;
use super::cycles::Graph;
use super::effects::{Clocks, Effect};
use super::expand::{Avoiding, New, Sink};
use crate::KeyStore;
use dwell_base::limits::Limits;
use dwell_zones::Bound;
use std::collections::{HashMap, VecDeque};
use std::convert::Infallible;

/// Edges that may be left behind in any case.
const SPARE_EDGES: usize = 1 << 20;

/// The discrete states and their zones.
pub(super) struct Hulls<B, K> {
    keys: K,
    words: Vec<u64>,
    classes: Classes,
    /// The node of each discrete state and class.
    ids: HashMap<(u32, u64), u32>,
    nodes: Vec<Node<B>>,
    waiting: VecDeque<u32>,
    /// Of what was looked into last, the end of them. What is looked into again
    /// has new ones, and leaves the old ones behind.
    edges: Vec<(u32, u32)>,
    /// How many are not left behind.
    in_use: usize,
    effects: Vec<Effect>,
    numbers: HashMap<Effect, u32>,
    /// Where runs start: discrete states and zones, kept for other classes.
    starts: Vec<(u32, Box<[B]>)>,
    bytes: u64,
}

struct Node<B> {
    key: u32,
    cells: Box<[B]>,
    waits: bool,
    /// Where its edges begin and end.
    edges: (u32, u32),
}

impl<B: Bound, K: KeyStore> Hulls<B, K> {
    /// None yet; of discrete states of so many words.
    pub fn new(keys: K, words: usize) -> Self {
        Self {
            keys,
            words: vec![0; words],
            classes: Classes::default(),
            ids: HashMap::new(),
            nodes: Vec::new(),
            waiting: VecDeque::new(),
            edges: Vec::new(),
            in_use: 0,
            effects: Vec::new(),
            numbers: HashMap::new(),
            starts: Vec::new(),
            bytes: 0,
        }
    }

    /// Puts the starts into their classes; nothing else has been met then.
    pub fn begin(&mut self, avoiding: &mut Avoiding<'_, B>) {
        let starts = std::mem::take(&mut self.starts);
        for (key, cells) in &starts {
            self.keys.load(*key, &mut self.words);
            avoiding.load(&self.words);
            self.add(*key, cells, avoiding.clocks().0);
        }
        self.starts = starts;
    }

    /// Forgets all but the starts, and tells more zones apart, among them by the
    /// clocks that a loop sets. False if that cannot be done.
    pub fn refine(&mut self, clocks: Clocks) -> bool {
        let cells = self.nodes.iter().flat_map(|node| &node.cells);
        let largest = cells.filter(|cell| !cell.is_inf()).map(|cell| cell.constant().abs()).max();
        if !self.classes.refine(clocks, largest.unwrap_or(0)) {
            return false;
        }
        self.ids.clear();
        self.nodes.clear();
        self.waiting.clear();
        self.edges.clear();
        self.in_use = 0;
        self.bytes = 0;
        true
    }

    /// Takes a state that waits and puts it in place.
    pub fn next(&mut self, avoiding: &mut Avoiding<'_, B>) -> Option<u32> {
        let id = self.waiting.pop_front()?;
        let node = &mut self.nodes[id as usize];
        node.waits = false;
        self.keys.load(node.key, &mut self.words);
        avoiding.load(&self.words);
        avoiding.unpack(&node.cells);
        self.in_use -= (node.edges.1 - node.edges.0) as usize;
        node.edges = (0, 0);
        if self.edges.len() > 2 * self.in_use + SPARE_EDGES {
            self.clear_edges();
        }
        let begin = self.edges.len() as u32;
        self.nodes[id as usize].edges = (begin, begin);
        Some(id)
    }

    /// Drops edges that were left behind.
    #[cold]
    fn clear_edges(&mut self) {
        let mut edges = Vec::with_capacity(self.edges.len() / 2);
        for node in &mut self.nodes {
            let begin = edges.len() as u32;
            edges.extend_from_slice(&self.edges[node.edges.0 as usize..node.edges.1 as usize]);
            node.edges = (begin, edges.len() as u32);
        }
        self.edges = edges;
    }

    /// All edges that a state has now were met since it was taken.
    pub fn done(&mut self, id: u32) {
        let node = &mut self.nodes[id as usize];
        node.edges.1 = u32::try_from(self.edges.len()).expect("fewer edges than memory holds");
        self.in_use += (node.edges.1 - node.edges.0) as usize;
    }

    /// Whether no run goes on for ever: otherwise the clocks that a loop sets
    /// that one might go round.
    pub fn all_runs_end(&self, timed: bool, limits: &Limits) -> Result<(), Clocks> {
        let ranges: Vec<(u32, u32)> = self.nodes.iter().map(|node| node.edges).collect();
        Graph { ranges: &ranges, edges: &self.edges, effects: &self.effects }.all_runs_end(timed, limits)
    }

    /// Adds a zone: its node.
    fn add(&mut self, key: u32, cells: &[B], active: &[u16]) -> u32 {
        let next = self.nodes.len() as u32;
        let id = *self.ids.entry((key, self.classes.of(cells, active))).or_insert(next);
        if id == next {
            self.bytes +=
                (size_of::<Node<B>>() + 2 * size_of::<(u32, u64, u32)>() + size_of_val(cells)) as u64;
            self.nodes.push(Node { key, cells: cells.into(), waits: true, edges: (0, 0) });
            self.waiting.push_back(id);
            return id;
        }
        let node = &mut self.nodes[id as usize];
        let mut grows = false;
        for (old, &cell) in node.cells.iter_mut().zip(cells) {
            grows |= *old < cell;
            *old = (*old).max(cell);
        }
        if grows && !node.waits {
            node.waits = true;
            self.waiting.push_back(id);
        }
        id
    }
}

impl<B: Bound, K: KeyStore> Sink<B> for Hulls<B, K> {
    type Found = Infallible;
    const EFFECTS: bool = true;

    fn meet(&mut self, new: New<'_, B>) -> Option<Infallible> {
        let (key, _) = self.keys.save(new.words);
        let id = self.add(key, new.cells, new.active);
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
        let starts = self.starts.iter().map(|(_, cells)| size_of_val(&**cells)).sum::<usize>();
        let lists = self.starts.capacity() * size_of::<(u32, Box<[B]>)>()
            + self.edges.capacity() * size_of::<(u32, u32)>();
        self.keys.bytes() + self.bytes + (starts + lists) as u64
    }
}

/// Where runs start.
pub(super) struct Starts<'h, B, K>(pub &'h mut Hulls<B, K>);

impl<B: Bound, K: KeyStore> Sink<B> for Starts<'_, B, K> {
    type Found = Infallible;
    const EFFECTS: bool = false;

    fn meet(&mut self, new: New<'_, B>) -> Option<Infallible> {
        let (key, _) = self.0.keys.save(new.words);
        self.0.starts.push((key, new.cells.into()));
        None
    }

    fn stored(&self) -> u64 {
        self.0.starts.len() as u64
    }

    fn waiting(&self) -> usize {
        self.0.starts.len()
    }

    fn bytes(&self) -> u64 {
        self.0.bytes()
    }
}
