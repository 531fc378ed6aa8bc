//! Topological-like orders of graphs with loops (paper 5, section 4.1).
//!
//! A depth-first search takes the edges away that lead back; what is left has
//! a topological order: the reverse of the order in which the search leaves
//! the vertices. Which edges lead back depends on the order in which the edges
//! of a vertex are tried.

use dwell_base::Rng;

/// In which order a depth-first search tries the edges of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum EdgeOrder {
    /// As they are declared.
    #[default]
    Declared,
    /// The other way round.
    Reversed,
    /// At random, from this seed.
    Random(u64),
}

impl EdgeOrder {
    fn apply(self, edges: &mut [u32], rng: &mut Rng) {
        match self {
            Self::Declared => {}
            Self::Reversed => edges.reverse(),
            Self::Random(_) => {
                for i in (1..edges.len()).rev() {
                    edges.swap(i, rng.below(i as u64 + 1) as usize);
                }
            }
        }
    }
}

/// The position of each vertex; `successors` are tried from the `roots` on.
/// What no root leads to comes before everything else.
pub(super) fn positions(
    mut successors: Vec<Vec<u32>>,
    roots: impl Iterator<Item = usize>,
    order: EdgeOrder,
) -> Vec<u32> {
    let size = successors.len();
    let rng = &mut Rng::new(if let EdgeOrder::Random(seed) = order { seed } else { 0 });
    successors.iter_mut().for_each(|edges| order.apply(edges, rng));
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
    let mut positions = vec![0; size];
    for (position, vertex) in left.into_iter().rev().enumerate() {
        positions[vertex] = position as u32;
    }
    positions
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The automaton of the paper's figure 1: q1 → q3, q1 → q2 → q3 → q4 → q1.
    fn figure_1() -> Vec<Vec<u32>> {
        vec![vec![2, 1], vec![2], vec![3], vec![0]]
    }

    #[test]
    fn figure_1_is_ordered_as_the_paper_says() {
        for order in [EdgeOrder::Declared, EdgeOrder::Reversed, EdgeOrder::Random(7)] {
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
}
