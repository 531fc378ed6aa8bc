//! The passed/waiting list against a list of states that does everything by
//! looking at all of them. PW-1 to PW-4 are those of the list itself.

mod common;

use common::{all, bounds, cells};
use dwell_base::Rng;
use dwell_explore::cover::{AluInclusion, Equality, Inclusion};
use dwell_explore::order::{BreadthFirst, DepthFirst};
use dwell_explore::store::{CopiedKeys, CopiedZones, SharedKeys, SharedZones};
use dwell_explore::trace::{NoTrace, Parents, ShortestPaths};
use dwell_explore::{
    At, Cover, Inserted, KeyStore, NodeId, Order, Origin, PwList, Stats, TraceStore, ZoneStore,
};
use dwell_zones::{Bound, LuBounds, Relation, compact};
use std::collections::HashMap;

/// Words of a packed discrete state.
const WORDS: usize = 3;

/// A state of the naive list.
#[derive(Clone, Debug, PartialEq)]
struct State<B> {
    words: [u64; WORDS],
    cells: Vec<B>,
    stored: bool,
    taken: bool,
    parent: Option<usize>,
    index: u32,
}

/// The naive list: every state that ever was, in the order they came.
struct Naive<B: Bound, C> {
    cover: C,
    states: Vec<State<B>>,
    /// Bounds of each discrete state.
    bounds: HashMap<[u64; WORDS], LuBounds<B>>,
    last_in_first_out: bool,
    /// A state is not dropped for a deeper one.
    by_depth: bool,
}

impl<B: Bound, C: Cover<B>> Naive<B, C> {
    fn compare(&self, new: &[B], old: &State<B>) -> Relation {
        let dim = self.bounds[&old.words].dim();
        self.cover.compare(new, &old.cells, &all(dim), &self.bounds[&old.words])
    }

    /// PW-3; the number of the new state if there is one.
    fn insert(
        &mut self,
        words: [u64; WORDS],
        cells: &[B],
        parent: Option<usize>,
        index: u32,
    ) -> Option<usize> {
        let same = |s: &State<B>| s.stored && s.words == words;
        let relations: Vec<(usize, Relation)> = (0..self.states.len())
            .filter(|&i| same(&self.states[i]))
            .map(|i| (i, self.compare(cells, &self.states[i])))
            .collect();
        if relations.iter().any(|(_, r)| matches!(r, Relation::Equal | Relation::Subset)) {
            return None;
        }
        let depth = parent.map_or(0, |parent| self.depth(parent) + 1);
        for (i, _) in relations.iter().filter(|(_, r)| *r == Relation::Superset) {
            self.states[*i].stored = self.by_depth && self.depth(*i) < depth;
        }
        let cells = cells.to_vec();
        self.states.push(State { words, cells, stored: true, taken: false, parent, index });
        Some(self.states.len() - 1)
    }

    /// PW-2.
    fn take(&mut self) -> Option<usize> {
        let mut waiting = (0..self.states.len()).filter(|&i| self.states[i].stored && !self.states[i].taken);
        let next = if self.last_in_first_out { waiting.next_back() } else { waiting.next() }?;
        self.states[next].taken = true;
        Some(next)
    }

    fn depth(&self, at: usize) -> usize {
        self.path_to(at).1.len()
    }

    fn path_to(&self, mut at: usize) -> (u32, Vec<u32>) {
        let mut moves = Vec::new();
        while let Some(parent) = self.states[at].parent {
            moves.push(self.states[at].index);
            at = parent;
        }
        moves.reverse();
        (self.states[at].index, moves)
    }

    fn stored(&self) -> impl Iterator<Item = &State<B>> {
        self.states.iter().filter(|s| s.stored)
    }
}

/// Dimension of the zones of a discrete state.
fn dim(words: &[u64]) -> usize {
    2 + (words[0] % 3) as usize
}

/// Both lists, kept in step.
struct Twins<B: Bound, K, Z, C, O, T> {
    list: PwList<B, K, Z, C, O, T>,
    naive: Naive<B, C>,
    /// Node of each state of the naive list, and back for those in use.
    nodes: Vec<u32>,
    states: HashMap<u32, usize>,
    stats: Stats,
    /// The state being expanded.
    expanding: Option<(NodeId, usize)>,
    reused: u32,
    own_successor_covered: u32,
    stale: u32,
}

impl<B, K, Z, C, O, T> Twins<B, K, Z, C, O, T>
where
    B: Bound,
    K: KeyStore,
    Z: ZoneStore<B>,
    C: Cover<B> + Copy,
    O: Order,
    T: TraceStore,
{
    fn insert(&mut self, words: [u64; WORDS], cells: &[B], index: u32) {
        let bounds = self.naive.bounds[&words].clone();
        let parent = self.expanding;
        let before: Vec<bool> = self.naive.states.iter().map(|s| s.stored && !s.taken).collect();
        let expected = self.naive.insert(words, cells, parent.map(|(_, state)| state), index);
        let origin = Origin::here(parent.map(|(node, _)| node), index);
        let active = all(dim(&words));
        let at = At { active: &active, bounds: &bounds };
        match (self.list.insert(&words, cells, at, origin, &mut self.stats), expected) {
            (Inserted::Covered, None) => {}
            (Inserted::New(node), Some(state)) => {
                let keeps_nodes = self.list.trace().keeps_nodes();
                if keeps_nodes {
                    assert_eq!(node.0 as usize, state, "PW-4: a node number is used twice");
                }
                // PW-4: only the node of a state that is gone and not being expanded is used again.
                if let Some(old) = self.states.insert(node.0, state) {
                    assert!(!self.naive.states[old].stored, "a stored state lost its node");
                    assert_ne!(
                        Some(old),
                        parent.map(|(_, s)| s),
                        "PW-4: the node being expanded is used again"
                    );
                    self.reused += 1;
                }
                self.nodes.push(node.0);
                self.list.wait(node, 0);
            }
            (ours, expected) => panic!("PW-3: {ours:?}, expected {expected:?}"),
        }
        let gone = before.iter().zip(&self.naive.states).filter(|(was, s)| **was && !s.stored);
        self.stale += gone.count() as u32;
    }

    fn take(&mut self) -> bool {
        if let Some((_, state)) = self.expanding {
            self.own_successor_covered += u32::from(!self.naive.states[state].stored);
        }
        let ours = self.list.take();
        let expected = self.naive.take();
        match (ours, expected) {
            (None, None) => return false,
            (Some(node), Some(state)) => {
                assert_eq!(node.0, self.nodes[state], "PW-2: another state is taken");
                self.expanding = Some((node, state));
                let State { words, cells, .. } = &self.naive.states[state];
                assert_eq!(self.list.key(node), words);
                let mut read = vec![B::INF; cells.len()];
                self.list.read(node, &mut read);
                assert_eq!(read, *cells);
                let at = At { active: &all(dim(words)), bounds: &self.naive.bounds[words] };
                assert_eq!(self.list.admit(node, cells, at, &mut self.stats), Ok(true));
                let path = self.list.trace().path_to(node.0);
                assert_eq!(path, self.list.trace().keeps_nodes().then(|| self.naive.path_to(state)));
            }
            (ours, expected) => panic!("PW-2: {ours:?}, expected {expected:?}"),
        }
        true
    }

    fn check(&self) {
        let mut ours = Vec::new();
        self.list.enumerate(
            |words| compact::compact_len(dim(words)),
            |words, cells| ours.push((words.to_vec(), cells.to_vec())),
        );
        let mut theirs: Vec<_> = self.naive.stored().map(|s| (s.words.to_vec(), s.cells.clone())).collect();
        ours.sort();
        theirs.sort();
        assert_eq!(ours, theirs);
        // PW-1.
        for a in self.naive.stored().filter(|_| !self.naive.by_depth) {
            for b in self.naive.stored().filter(|b| b.words == a.words && !std::ptr::eq(a, *b)) {
                assert_eq!(self.naive.compare(&a.cells, b), Relation::Incomparable, "PW-1");
            }
        }
        let count = |f: fn(&State<B>) -> bool| self.naive.states.iter().filter(|s| f(s)).count() as u64;
        assert_eq!(self.stats.stored, count(|s| s.stored));
        assert_eq!(self.stats.visited, count(|s| s.taken));
        assert_eq!(self.stats.visited_stored, count(|s| s.stored && s.taken));
        assert_eq!(self.stats.mistakes(), count(|s| !s.stored && s.taken));
        assert!(self.stats.max_stored >= self.stats.stored);
        let mut discrete: Vec<_> = self.naive.states.iter().map(|s| s.words).collect();
        discrete.sort_unstable();
        discrete.dedup();
        assert_eq!(self.stats.discrete, discrete.len() as u64);
        assert!(self.list.waiting() as u64 >= self.stats.stored - self.stats.visited_stored);
        assert!(self.list.bytes() > 0 || self.naive.states.is_empty());
    }
}

/// What happened in all runs of a law.
#[derive(Default)]
struct Happened {
    reused: u32,
    own_successor_covered: u32,
    stale: u32,
}

/// Whether a trace store goes by depth.
trait Depths {
    fn has_depths(&self) -> bool {
        false
    }
}

impl Depths for NoTrace {}
impl Depths for Parents {}
impl Depths for ShortestPaths {
    fn has_depths(&self) -> bool {
        true
    }
}

fn behaves<B, K, Z, C, O, T>(keys: fn() -> K, last_in_first_out: bool, happened: &mut Happened)
where
    B: Bound,
    K: KeyStore,
    Z: ZoneStore<B> + Default,
    C: Cover<B> + Copy + Default,
    O: Order + Default,
    T: TraceStore + Default + Depths,
{
    for seed in 0..40 {
        let rng = &mut Rng::new(seed);
        let list = PwList::new((WORDS, 100), keys(), Z::default(), C::default(), O::default(), T::default());
        let naive = Naive {
            cover: C::default(),
            states: Vec::new(),
            bounds: HashMap::new(),
            last_in_first_out,
            by_depth: T::default().has_depths(),
        };
        let mut twins = Twins::<B, K, Z, C, O, T> {
            list,
            naive,
            nodes: Vec::new(),
            states: HashMap::new(),
            stats: Stats::default(),
            expanding: None,
            reused: 0,
            own_successor_covered: 0,
            stale: 0,
        };
        let entries = 1 + rng.below(6);
        for round in 0..120 {
            // Initial states first, then successors of what is taken; often of its own discrete state.
            if round > 3 && !twins.take() {
                break;
            }
            for index in 0..1 + rng.below(4) {
                let words = match twins.expanding {
                    Some((_, state)) if rng.percent(40) => twins.naive.states[state].words,
                    _ => [rng.below(entries), 7, rng.below(2)],
                };
                let dim = dim(&words);
                twins.naive.bounds.entry(words).or_insert_with(|| bounds(rng, dim, 3));
                let cells: Vec<B> = cells(rng, dim, 4);
                twins.insert(words, &cells, (round * 10 + index) as u32);
            }
            twins.check();
        }
        while twins.take() {}
        twins.check();
        happened.reused += twins.reused;
        happened.own_successor_covered += twins.own_successor_covered;
        happened.stale += twins.stale;
    }
}

macro_rules! pwlist_laws {
    ($($name:ident: $cover:ident, $zones:ident, $keys:expr;)*) => {$(
        #[test]
        fn $name() {
            let (mut traced, mut untraced) = (Happened::default(), Happened::default());
            behaves::<i16, _, $zones<_>, $cover, BreadthFirst, NoTrace>($keys, false, &mut untraced);
            behaves::<i32, _, $zones<_>, $cover, DepthFirst, NoTrace>($keys, true, &mut untraced);
            behaves::<i16, _, $zones<_>, $cover, DepthFirst, Parents>($keys, true, &mut traced);
            behaves::<i32, _, $zones<_>, $cover, BreadthFirst, Parents>($keys, false, &mut traced);
            behaves::<i16, _, $zones<_>, $cover, BreadthFirst, ShortestPaths>($keys, false, &mut traced);
            assert_eq!(traced.reused, 0, "PW-4");
            // Where states are dropped, all the odd cases have come up.
            if stringify!($cover) != "Equality" {
                for happened in [&traced, &untraced] {
                    assert!(happened.own_successor_covered > 20 && happened.stale > 100);
                }
                assert!(untraced.reused > 100, "nodes are used again");
            }
        }
    )*};
}

pwlist_laws! {
    inclusion_with_copies: Inclusion, CopiedZones, || CopiedKeys::new(WORDS);
    inclusion_with_sharing: Inclusion, SharedZones, || SharedKeys::new(1, WORDS);
    equality_with_copies: Equality, CopiedZones, || SharedKeys::new(2, WORDS);
    equality_with_sharing: Equality, SharedZones, || CopiedKeys::new(WORDS);
    alu_with_copies: AluInclusion, CopiedZones, || CopiedKeys::new(WORDS);
    alu_with_sharing: AluInclusion, SharedZones, || Box::new(SharedKeys::new(1, WORDS)) as Box<dyn KeyStore>;
}
