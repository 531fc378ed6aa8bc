//! Few edges that hit given cycles.

use crate::local::Local;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// An edge with the score it had when it was last looked at.
struct Scored {
    score: f64,
    edge: usize,
}

impl Ord for Scored {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score).then(other.edge.cmp(&self.edge))
    }
}

impl PartialOrd for Scored {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Scored {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Scored {}

/// Greedy: the edge with the best score, over and over. The score of an edge
/// must not grow when it hits fewer cycles; then an old score is a bound, and
/// few edges are looked at again.
pub(crate) fn hitting_set(
    local: &Local,
    cycles: Vec<u32>,
    score: impl Fn(usize, usize) -> f64,
) -> Vec<usize> {
    let mut open = vec![false; local.cycles.len()];
    let mut hits = vec![0_usize; local.through.len()];
    let mut left = 0;
    for cycle in cycles {
        if !std::mem::replace(&mut open[cycle as usize], true) {
            left += 1;
            local.edges(cycle).for_each(|edge| hits[edge] += 1);
        }
    }
    let scored = |edge: usize, hits: &[usize]| Scored { score: score(hits[edge], edge), edge };
    let candidates = (0..hits.len()).filter(|&edge| hits[edge] > 0);
    let mut heap: BinaryHeap<Scored> = candidates.map(|edge| scored(edge, &hits)).collect();
    let mut chosen = Vec::new();
    while left > 0 {
        let Scored { score: old, edge } = heap.pop().expect("each open cycle has edges");
        if hits[edge] == 0 {
            continue;
        }
        let now = scored(edge, &hits);
        if now.score < old {
            heap.push(now);
            continue;
        }
        chosen.push(edge);
        for &cycle in &local.through[edge] {
            if std::mem::replace(&mut open[cycle as usize], false) {
                left -= 1;
                local.edges(cycle).for_each(|other| hits[other] -= 1);
            }
        }
    }
    chosen
}
