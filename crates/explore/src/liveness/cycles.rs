//! Loops that no run goes round for ever, because of time.
//!
//! A graph of discrete states whose edges say what they do to clocks
//! ([`Effect`]); every infinite run is a path of it. In the end such a run stays
//! in one strongly connected component and takes some of its edges infinitely
//! often, the others no more. All clocks run at the same rate, so:
//!
//! T-1 *Time diverges.* A clock that is not set any more grows beyond every
//!     bound. So where an edge with an upper bound on x is taken for ever, one
//!     that sets x is. Edges with a bound on a clock that no edge of the component
//!     sets are no part of the run: they are taken out, and what is left falls
//!     into components again (the condition is Streett's, and so is the loop that
//!     decides it).
//! T-2 *Time converges* (a Zeno run). In the end less than one unit of time is
//!     left, and a clock that is set to zero then stays below one. So for each
//!     clock x that is only ever set to zero, edges that set it, or edges that need
//!     x ≥ 1, are no part of the run: both cases are looked at. (Strong
//!     non-Zenoness: Tripakis, *Verifying progress in timed systems*, ARTS 1999.)
//!
//! A component that stands both is not a proof of a run, only of ignorance.

use super::effects::{Clocks, Effect};
use dwell_base::limits::Limits;

/// The graph: nodes are numbers, edges of a node are neighbours.
pub(super) struct Graph<'g> {
    /// Where the edges of each node begin and end.
    pub ranges: &'g [(u32, u32)],
    /// Target and effect of each edge.
    pub edges: &'g [(u32, u32)],
    /// The effects.
    pub effects: &'g [Effect],
}

/// How often, for each edge of the graph, an edge may be looked at.
const PATIENCE: usize = 256;
/// Edges looked at between two looks at the limits.
const CHECK_EVERY: usize = 1 << 22;

/// Which edges are left: none whose effect has one of these.
#[derive(Clone, Copy, Debug, Default)]
struct Cut {
    assigned: Clocks,
    late: Clocks,
    bounded: Clocks,
}

impl Cut {
    fn leaves(self, effect: &Effect) -> bool {
        effect.assigned() & self.assigned == 0
            && effect.late & self.late == 0
            && effect.bounded & self.bounded == 0
    }
}

/// Which kind of runs is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Time {
    Diverges,
    Converges,
    /// Some clocks stand still now and then.
    Unknown,
}

impl Graph<'_> {
    /// Whether no run goes on for ever: otherwise the clocks that are set where
    /// one might (none where that is not known, or a limit is reached). `timed`
    /// says whether clocks may be argued with: not where some stand still.
    pub fn all_runs_end(&self, timed: bool, limits: &Limits) -> Result<(), Clocks> {
        let all: Vec<u32> = (0..self.ranges.len() as u32).collect();
        let mut search = Search {
            graph: self,
            limits,
            now: 0,
            patience: PATIENCE * (self.edges.len() + 1),
            member: vec![0; all.len()],
            members: 0,
            order: vec![0; all.len()],
        };
        let times: &[Time] = if timed { &[Time::Diverges, Time::Converges] } else { &[Time::Unknown] };
        times.iter().try_for_each(|&time| search.ends(&all, Cut::default(), time))
    }
}

struct Search<'g> {
    graph: &'g Graph<'g>,
    limits: &'g Limits,
    /// Edges that may still be looked at: before the limits are, and after.
    now: usize,
    patience: usize,
    /// The set each node was put into last.
    member: Vec<u32>,
    members: u32,
    /// Tarjan's numbers; 0 while not seen.
    order: Vec<u32>,
}

impl Search<'_> {
    /// Whether no run stays among these nodes and on these edges for ever.
    fn ends(&mut self, nodes: &[u32], cut: Cut, time: Time) -> Result<(), Clocks> {
        let components = self.components(nodes, cut).ok_or(0 as Clocks)?;
        components.iter().try_for_each(|component| self.leaves_component(component, cut, time))
    }

    fn leaves_component(&mut self, component: &[u32], cut: Cut, time: Time) -> Result<(), Clocks> {
        let inside = self.mark(component);
        let mut all = Effect::default();
        let mut looked = 0;
        for &node in component {
            for effect in self.graph.inside(node, cut, |to| self.member[to as usize] == inside) {
                looked += 1;
                all.zeroed |= effect.zeroed;
                all.set |= effect.set;
                all.late |= effect.late;
                all.bounded |= effect.bounded;
            }
        }
        self.look(looked).ok_or(0 as Clocks)?;
        match time {
            Time::Diverges => {
                let bounded = all.bounded & !all.assigned();
                if bounded == 0 {
                    return Err(all.assigned());
                }
                // T-1
                self.ends(component, Cut { bounded: cut.bounded | bounded, ..cut }, time)
            }
            Time::Converges => {
                let candidates = all.zeroed & all.late & !all.set;
                if candidates == 0 {
                    return Err(all.assigned());
                }
                let clock = candidates & candidates.wrapping_neg();
                // T-2
                self.ends(component, Cut { late: cut.late | clock, ..cut }, time)?;
                self.ends(component, Cut { assigned: cut.assigned | clock, ..cut }, time)
            }
            Time::Unknown => Err(all.assigned()),
        }
    }

    /// So many edges are looked at; none if patience is at an end.
    #[inline]
    fn look(&mut self, edges: usize) -> Option<()> {
        match self.now.checked_sub(edges) {
            Some(left) => self.now = left,
            None => self.go_on(edges)?,
        }
        Some(())
    }

    #[cold]
    fn go_on(&mut self, edges: usize) -> Option<()> {
        let more = self.patience.min(edges + CHECK_EVERY);
        self.patience -= more;
        self.now = (self.now + more).checked_sub(edges)?;
        self.limits.interrupted().is_none().then_some(())
    }

    /// Makes a set of these nodes: its number.
    fn mark(&mut self, nodes: &[u32]) -> u32 {
        self.members += 1;
        nodes.iter().for_each(|&node| self.member[node as usize] = self.members);
        self.members
    }

    /// The strongly connected components with an edge inside (Tarjan); none if
    /// patience is at an end.
    fn components(&mut self, nodes: &[u32], cut: Cut) -> Option<Vec<Vec<u32>>> {
        let inside = self.mark(nodes);
        nodes.iter().for_each(|&node| self.order[node as usize] = 0);
        let mut found = Vec::new();
        let mut next = 0;
        // Nodes without a component yet; the path: node, its least number, its next edge.
        let (mut open, mut path): (Vec<u32>, Vec<(u32, u32, u32)>) = (Vec::new(), Vec::new());
        for &root in nodes {
            if self.order[root as usize] != 0 {
                continue;
            }
            next += 1;
            self.order[root as usize] = next;
            open.push(root);
            path.push((root, next, self.graph.ranges[root as usize].0));
            while let Some(&mut (node, ref mut least, ref mut edge)) = path.last_mut() {
                if *edge < self.graph.ranges[node as usize].1 {
                    let (to, effect) = self.graph.edges[*edge as usize];
                    *edge += 1;
                    self.look(1)?;
                    let there = self.member[to as usize] == inside;
                    if !there || !cut.leaves(&self.graph.effects[effect as usize]) {
                        continue;
                    }
                    match self.order[to as usize] {
                        0 => {
                            next += 1;
                            self.order[to as usize] = next;
                            open.push(to);
                            path.push((to, next, self.graph.ranges[to as usize].0));
                        }
                        seen => *least = (*least).min(seen),
                    }
                    continue;
                }
                let (node, least, _) = path.pop()?;
                if let Some((_, above, _)) = path.last_mut() {
                    *above = (*above).min(least);
                }
                if least == self.order[node as usize] {
                    let start = open.iter().rposition(|&n| n == node)?;
                    let component = open.split_off(start);
                    // Seen, and of no use to others.
                    component.iter().for_each(|&n| self.order[n as usize] = u32::MAX);
                    if component.len() > 1 || self.graph.inside(node, cut, |to| to == node).next().is_some() {
                        found.push(component);
                    }
                }
            }
        }
        Some(found)
    }
}

impl<'g> Graph<'g> {
    /// The effects of a node's edges that are left and lead to such nodes.
    fn inside<'a>(
        &'a self,
        node: u32,
        cut: Cut,
        leads: impl Fn(u32) -> bool + 'a,
    ) -> impl Iterator<Item = &'g Effect> + 'a {
        let (from, to) = self.ranges[node as usize];
        self.edges[from as usize..to as usize].iter().filter_map(move |&(target, effect)| {
            let effect = &self.effects[effect as usize];
            (leads(target) && cut.leaves(effect)).then_some(effect)
        })
    }
}
