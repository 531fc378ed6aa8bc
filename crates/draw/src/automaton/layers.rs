//! Layered drawing of graphs: ranks, sequence within a rank, coordinates.
//!
//! K. Sugiyama, S. Tagawa, M. Toda: *Methods for visual understanding of
//! hierarchical system structures*, 1981. Cycles are cut where a depth-first
//! search finds them, ranks are longest paths, crossings are reduced by
//! barycentres. Coordinates come from repeated exact solutions for one rank: the
//! places nearest to those wanted, in their sequence and far enough apart, are
//! an isotonic regression (pool adjacent violators).

/// Something that has a place in a rank.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub rank: usize,
    /// How far it reaches to either side.
    pub left: f64,
    pub right: f64,
}

/// Connects items of neighbouring ranks; a heavy one wants to be straight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub upper: usize,
    pub lower: usize,
    pub weight: f64,
}

/// Between two items.
const SPACE: f64 = 16.0;
const SWEEPS: usize = 10;
const PASSES: usize = 16;

/// The rank of each node, and which edges go upwards. There are no loops among
/// the edges.
pub(super) fn ranks(nodes: usize, edges: &[(usize, usize)], first: usize) -> (Vec<usize>, Vec<bool>) {
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); nodes];
    for (edge, &(source, _)) in edges.iter().enumerate() {
        out[source].push(edge);
    }
    let mut upward = vec![false; edges.len()];
    let mut state = vec![State::New; nodes];
    let mut finished = Vec::with_capacity(nodes);
    for root in std::iter::once(first).chain(0..nodes).filter(|&root| root < nodes) {
        if state[root] != State::New {
            continue;
        }
        state[root] = State::Open;
        let mut stack = vec![(root, 0)];
        while let Some((node, next)) = stack.last_mut() {
            let Some(&edge) = out[*node].get(*next) else {
                state[*node] = State::Done;
                finished.push(*node);
                stack.pop();
                continue;
            };
            *next += 1;
            let target = edges[edge].1;
            match state[target] {
                State::New => {
                    state[target] = State::Open;
                    stack.push((target, 0));
                }
                State::Open => upward[edge] = true,
                State::Done => {}
            }
        }
    }
    // Without the edges that go upwards, late finishers come before early ones.
    let downward = |edge: usize| if upward[edge] { (edges[edge].1, edges[edge].0) } else { edges[edge] };
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); nodes];
    let mut has_above = vec![false; nodes];
    for edge in 0..edges.len() {
        let (upper, lower) = downward(edge);
        below[upper].push(lower);
        has_above[lower] = true;
    }
    let mut rank: Vec<usize> = vec![0; nodes];
    for &node in finished.iter().rev() {
        for &lower in &below[node] {
            rank[lower] = rank[lower].max(rank[node] + 1);
        }
    }
    // What nothing leads to moves down to what it leads to.
    for node in (0..nodes).filter(|&node| node != first && !has_above[node]) {
        let nearest = below[node].iter().map(|&lower| rank[lower]).min();
        rank[node] = nearest.map_or(0, |nearest| nearest.saturating_sub(1));
    }
    (rank, upward)
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    New,
    Open,
    Done,
}

/// Items with their links, and in which sequence they stand.
pub(super) struct Layers<'i> {
    items: &'i [Item],
    links: &'i [Link],
    /// Links of each item upwards and downwards.
    above: Vec<Vec<usize>>,
    below: Vec<Vec<usize>>,
    sequence: Vec<Vec<usize>>,
}

impl<'i> Layers<'i> {
    pub fn new(items: &'i [Item], links: &'i [Link]) -> Self {
        let mut layers = Self {
            items,
            links,
            above: vec![Vec::new(); items.len()],
            below: vec![Vec::new(); items.len()],
            sequence: vec![Vec::new(); items.iter().map(|item| item.rank + 1).max().unwrap_or(0)],
        };
        for (number, link) in links.iter().enumerate() {
            layers.below[link.upper].push(number);
            layers.above[link.lower].push(number);
        }
        layers.first_sequence();
        layers.uncross();
        layers
    }

    /// As a depth-first search comes along.
    fn first_sequence(&mut self) {
        let mut seen = vec![false; self.items.len()];
        for root in 0..self.items.len() {
            let mut stack = vec![root];
            while let Some(item) = stack.pop() {
                if std::mem::replace(&mut seen[item], true) {
                    continue;
                }
                self.sequence[self.items[item].rank].push(item);
                stack.extend(self.below[item].iter().rev().map(|&link| self.links[link].lower));
            }
        }
    }

    /// Sorts each rank by its neighbours', up and down; keeps the best.
    fn uncross(&mut self) {
        let mut best = (self.crossings(), self.sequence.clone());
        for sweep in 0..SWEEPS {
            let mut places = self.places();
            let ranks = self.sequence.len();
            for step in 0..ranks {
                let rank = if sweep % 2 == 0 { step } else { ranks - 1 - step };
                let centre = |item: usize| {
                    let links = if sweep % 2 == 0 { &self.above[item] } else { &self.below[item] };
                    let others = links.iter().map(|&link| places[self.other(link, item)]);
                    if links.is_empty() { places[item] } else { others.sum::<f64>() / links.len() as f64 }
                };
                let mut keyed: Vec<(f64, usize)> =
                    self.sequence[rank].iter().map(|&item| (centre(item), item)).collect();
                keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
                for (place, &(_, item)) in keyed.iter().enumerate() {
                    places[item] = place as f64;
                }
                self.sequence[rank] = keyed.into_iter().map(|(_, item)| item).collect();
            }
            let crossings = self.crossings();
            if crossings < best.0 {
                best = (crossings, self.sequence.clone());
            }
        }
        self.sequence = best.1;
    }

    fn other(&self, link: usize, item: usize) -> usize {
        let Link { upper, lower, .. } = self.links[link];
        if upper == item { lower } else { upper }
    }

    fn places(&self) -> Vec<f64> {
        let mut places = vec![0.0; self.items.len()];
        for rank in &self.sequence {
            for (place, &item) in rank.iter().enumerate() {
                places[item] = place as f64;
            }
        }
        places
    }

    /// How many pairs of links cross, counted with a tree of sums.
    fn crossings(&self) -> u64 {
        let places = self.places();
        let mut total = 0;
        for (rank, items) in self.sequence.iter().enumerate() {
            let Some(next) = self.sequence.get(rank + 1) else { continue };
            let mut sums = vec![0u64; next.len() + 1];
            let mut seen = 0;
            for &item in items {
                let mut ends: Vec<usize> =
                    self.below[item].iter().map(|&link| places[self.links[link].lower] as usize).collect();
                ends.sort_unstable();
                for &end in &ends {
                    let (mut at, mut left) = (end + 1, 0);
                    while at > 0 {
                        left += sums[at];
                        at &= at - 1;
                    }
                    total += seen - left;
                }
                for end in ends {
                    let mut at = end + 1;
                    while at < sums.len() {
                        sums[at] += 1;
                        at += at & at.wrapping_neg();
                    }
                    seen += 1;
                }
            }
        }
        total
    }

    /// A coordinate for each item: near its neighbours, apart in its rank.
    pub fn coordinates(&self) -> Vec<f64> {
        let mut at = vec![0.0; self.items.len()];
        for rank in &self.sequence {
            let wanted: Vec<(f64, f64)> = rank.iter().map(|_| (0.0, 1.0)).collect();
            self.settle(rank, &wanted, &mut at);
        }
        let ranks = self.sequence.len();
        for pass in 0..PASSES {
            for step in 0..ranks {
                let rank = &self.sequence[if pass % 2 == 0 { step } else { ranks - 1 - step }];
                let wanted: Vec<(f64, f64)> = rank
                    .iter()
                    .map(|&item| {
                        // At the end both sides count.
                        let both = pass + 4 >= PASSES;
                        let above = self.above[item].iter().filter(|_| both || pass % 2 == 0);
                        let below = self.below[item].iter().filter(|_| both || pass % 2 == 1);
                        let (mut sum, mut weights) = (at[item] * 0.05, 0.05);
                        for &link in above.chain(below) {
                            let weight = self.links[link].weight;
                            sum += at[self.other(link, item)] * weight;
                            weights += weight;
                        }
                        (sum / weights, weights)
                    })
                    .collect();
                self.settle(rank, &wanted, &mut at);
            }
        }
        at
    }

    /// The places of a rank nearest to those wanted (place, weight).
    fn settle(&self, rank: &[usize], wanted: &[(f64, f64)], at: &mut [f64]) {
        let mut offsets = Vec::with_capacity(rank.len());
        let mut offset = 0.0;
        for (number, &item) in rank.iter().enumerate() {
            if number > 0 {
                offset += self.items[rank[number - 1]].right + SPACE + self.items[item].left;
            }
            offsets.push(offset);
        }
        // Blocks that move together: weighted sum, weight, members.
        let mut blocks: Vec<(f64, f64, usize)> = Vec::new();
        for (&(place, weight), offset) in wanted.iter().zip(&offsets) {
            let mut block = ((place - offset) * weight, weight, 1);
            while let Some(&(sum, weight, members)) = blocks.last() {
                if sum / weight <= block.0 / block.1 {
                    break;
                }
                block = (sum + block.0, weight + block.1, members + block.2);
                blocks.pop();
            }
            blocks.push(block);
        }
        let mut placed = rank.iter().zip(&offsets);
        for (sum, weight, members) in blocks {
            for (&item, offset) in placed.by_ref().take(members) {
                at[item] = sum / weight + offset;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_are_cut_once() {
        let (ranks, upward) = ranks(3, &[(0, 1), (1, 2), (2, 0)], 0);
        assert_eq!((ranks, upward), (vec![0, 1, 2], vec![false, false, true]));
    }

    #[test]
    fn a_source_stands_above_what_it_leads_to() {
        assert_eq!(ranks(4, &[(0, 1), (1, 2), (3, 2)], 0).0, [0, 1, 2, 1]);
    }

    #[test]
    fn deep_graphs_need_no_stack() {
        let edges: Vec<(usize, usize)> = (0..200_000).map(|n| (n, n + 1)).collect();
        assert_eq!(ranks(200_001, &edges, 0).0[200_000], 200_000);
    }

    #[test]
    fn two_links_that_cross_are_parted() {
        let item = |rank| Item { rank, left: 10.0, right: 10.0 };
        let link = |upper, lower| Link { upper, lower, weight: 1.0 };
        let items = [item(0), item(0), item(1), item(1)];
        let links = [link(0, 3), link(1, 2)];
        let layers = Layers::new(&items, &links);
        assert_eq!(layers.crossings(), 0);
        let at = layers.coordinates();
        assert!((at[0] - at[3]).abs() < 1.0 && (at[1] - at[2]).abs() < 1.0, "{at:?}");
        assert!((at[0] - at[1]).abs() >= 36.0 - 1e-6, "{at:?}");
    }
}
