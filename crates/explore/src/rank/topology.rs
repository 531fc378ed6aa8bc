//! Topological-like orders of graphs with loops (paper 5, section 4.1).
//!
//! A depth-first search takes the edges away that lead back; what is left has
//! a topological order: the reverse of the order in which the search leaves
//! the vertices. Which edges lead back depends on the order in which the edges
//! of a vertex are tried, and so does which of two branches comes first.
//!
//! ```text
//!        ┌─► b ─► c ─┐         a b c d e: what is in d waits for all of the
//!    a ──┤           ├─► e     longer branch, as it should;
//!        └─► d ──────┘         a d b c e: it does not.
//! ```
//!
//! TO-1 Of the branches that begin at a vertex the longest comes first: paths
//!      of more edges bring larger zones (paper 5, figure 2). The length of a
//!      branch is that of its longest path to an end in the graph without the
//!      edges that lead back. Equal ones are in the sequence of the vertices,
//!      so that of the edges does not matter.

use dwell_base::Rng;

/// In which order a depth-first search tries the edges of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum EdgeOrder {
    /// Short branches first, so that they come after long ones in the order;
    /// TO-1.
    #[default]
    ShortFirst,
    /// As they are declared (paper 5).
    Declared,
    /// At random, from this seed.
    Random(u64),
}

/// The position of each vertex; `successors` are tried from the `roots` on.
/// What no root leads to comes before everything else.
pub(super) fn positions(
    mut successors: Vec<Vec<u32>>,
    roots: impl Iterator<Item = usize> + Clone,
    order: EdgeOrder,
) -> Vec<u32> {
    match order {
        EdgeOrder::ShortFirst => short_first(&mut successors, roots.clone()),
        EdgeOrder::Declared => {}
        EdgeOrder::Random(seed) => {
            let rng = &mut Rng::new(seed);
            for edges in &mut successors {
                for i in (1..edges.len()).rev() {
                    edges.swap(i, rng.below(i as u64 + 1) as usize);
                }
            }
        }
    }
    let mut positions = vec![0; successors.len()];
    for (position, vertex) in left(&successors, roots).into_iter().rev().enumerate() {
        positions[vertex] = position as u32;
    }
    positions
}

/// The vertices in the order in which the search leaves them.
fn left(successors: &[Vec<u32>], roots: impl Iterator<Item = usize>) -> Vec<usize> {
    let size = successors.len();
    let mut seen = vec![false; size];
    let mut left = Vec::with_capacity(size);
    for root in roots.chain(0..size) {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        let mut stack = vec![(root, 0)];
        while let Some((vertex, next)) = stack.last_mut() {
            let Some(&target) = successors[*vertex].get(*next) else {
                left.push(*vertex);
                stack.pop();
                continue;
            };
            *next += 1;
            if !std::mem::replace(&mut seen[target as usize], true) {
                stack.push((target as usize, 0));
            }
        }
    }
    left
}

/// TO-1.
fn short_first(successors: &mut [Vec<u32>], roots: impl Iterator<Item = usize>) {
    successors.iter_mut().for_each(|edges| edges.sort_unstable());
    // The most edges from a vertex to an end, those that lead back taken away.
    let mut heights: Vec<Option<u32>> = vec![None; successors.len()];
    for vertex in left(successors, roots) {
        let below = successors[vertex].iter().filter_map(|&target| heights[target as usize]).max();
        heights[vertex] = Some(below.map_or(0, |height| height + 1));
    }
    successors.iter_mut().for_each(|edges| edges.sort_by_key(|&target| heights[target as usize]));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The automaton of the paper's figure 1: q1 → q3, q1 → q2 → q3 → q4 → q1.
    fn figure_1() -> Vec<Vec<u32>> {
        vec![vec![2, 1], vec![2], vec![3], vec![0]]
    }

    const ORDERS: [EdgeOrder; 3] = [EdgeOrder::ShortFirst, EdgeOrder::Declared, EdgeOrder::Random(7)];

    #[test]
    fn figure_1_is_ordered_as_the_paper_says() {
        for order in ORDERS {
            assert_eq!(positions(figure_1(), [0].into_iter(), order), [0, 1, 2, 3]);
        }
    }

    #[test]
    fn a_loop_has_several_orders() {
        // With q3 → q2 as well (section 5).
        let mut graph = figure_1();
        graph[2] = vec![1, 3];
        assert_eq!(positions(graph.clone(), [0].into_iter(), EdgeOrder::Declared), [0, 3, 1, 2]);
        graph[0] = vec![1, 2];
        assert_eq!(positions(graph, [0].into_iter(), EdgeOrder::Declared), [0, 1, 2, 3]);
    }

    /// TO-1 on a station of fddi: one round is 0 → 1 → 4 or 0 → 2 → 3 → 4, then
    /// the other begins.
    #[test]
    fn long_branches_come_first() {
        let mut graph = vec![vec![1, 2], vec![4], vec![3], vec![4], vec![5, 6], vec![0], vec![7], vec![0]];
        for _ in 0..2 {
            let found = positions(graph.clone(), [0].into_iter(), EdgeOrder::ShortFirst);
            assert_eq!(found, [0, 3, 1, 2, 4, 7, 5, 6]);
            graph.iter_mut().for_each(|edges| edges.reverse());
        }
    }

    #[test]
    fn the_sequence_of_edges_does_not_matter() {
        let rng = &mut Rng::new(5);
        for _ in 0..1_000 {
            let size = 1 + rng.below(9) as usize;
            let mut edges = || (0..rng.below(4)).map(|_| rng.below(size as u64) as u32).collect();
            let graph: Vec<Vec<u32>> = (0..size).map(|_| edges()).collect();
            let found = positions(graph.clone(), [0].into_iter(), EdgeOrder::ShortFirst);
            let mut other = graph.clone();
            for edges in &mut other {
                edges.reverse();
                edges.extend(edges.clone().first());
            }
            assert_eq!(positions(other, [0].into_iter(), EdgeOrder::ShortFirst), found, "{graph:?}");
            let mut sorted = found;
            sorted.sort_unstable();
            assert!(sorted.into_iter().eq(0..size as u32), "a position for each: {graph:?}");
        }
    }
}
