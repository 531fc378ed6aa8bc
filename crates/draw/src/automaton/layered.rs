//! Automata without places: layers from the initial location downwards.
//!
//! Nodes have the even ranks. Every edge passes the odd rank between two of
//! them, where its label stands right of it, so that no label lies on another.
//! Lines go straight through a rank and bend between ranks only.

use super::layers::{Item, Layers, Link, ranks};
use super::{Automaton, Edge, Label, NodeKind, STEP, Scene, Shape, Text, extent};
use crate::geometry::{Point, Rect};

/// More than this many places are not laid out: it would take long, and nobody
/// could read it.
const MOST_ITEMS: usize = 20_000;
/// From a line to its label, and what a line needs on its other side.
const BESIDE: f64 = 6.0;
/// How far the line of a loop goes.
const LOOP: f64 = 26.0;

/// The scene; none for an automaton that is too large.
pub(super) fn scene(automaton: &Automaton) -> Option<Scene> {
    let drawn = |edge: &&Edge| edge.source.max(edge.target) < automaton.nodes.len();
    let ways: Vec<(usize, usize)> = (automaton.edges.iter().filter(drawn))
        .filter(|edge| edge.source != edge.target)
        .map(|edge| (edge.source, edge.target))
        .collect();
    let first = automaton.nodes.iter().position(|node| node.initial).unwrap_or(0);
    let (rank, upward) = ranks(automaton.nodes.len(), &ways, first);
    let steps = |&(a, b): &(usize, usize)| 2 * rank[a].abs_diff(rank[b]);
    if automaton.nodes.len() + ways.iter().map(steps).sum::<usize>() > MOST_ITEMS {
        return None;
    }
    let mut plan = Plan {
        automaton,
        items: Vec::new(),
        heights: Vec::new(),
        links: Vec::new(),
        loops: Vec::new(),
        sizes: Vec::new(),
    };
    plan.nodes(&rank);
    let mut upward = upward.into_iter();
    let chains = automaton.edges.iter().map(|edge| match drawn(&edge) {
        true if edge.source != edge.target => upward.next().map(|upward| plan.chain(edge, &rank, upward)),
        _ => None,
    });
    let chains: Vec<Option<Chain>> = chains.collect();
    let at = Layers::new(&plan.items, &plan.links).coordinates();
    Some(plan.placed(&at, &chains))
}

/// What is to be placed.
struct Plan<'a> {
    automaton: &'a Automaton,
    /// The nodes, then the ways of the edges through ranks.
    items: Vec<Item>,
    heights: Vec<f64>,
    links: Vec<Link>,
    /// For each node the edges from it to itself.
    loops: Vec<Vec<usize>>,
    /// Width and height of each node.
    sizes: Vec<(f64, f64)>,
}

/// The way of an edge: items from its source to its target.
struct Chain {
    items: Vec<usize>,
    /// Which of them carries the label.
    label: usize,
}

/// What a node says inside its box.
fn inside(automaton: &Automaton, node: usize) -> Vec<(&'static str, Vec<String>)> {
    let node = &automaton.nodes[node];
    let mark = match node.kind {
        NodeKind::Urgent => vec![("soft", vec!["urgent".to_owned()])],
        NodeKind::Committed => vec![("soft", vec!["committed".to_owned()])],
        NodeKind::Plain | NodeKind::Branch => Vec::new(),
    };
    let labels = node.labels.iter().map(|label| (label.class(), label.lines()));
    labels.filter(|(_, lines)| !lines.is_empty()).chain(mark).collect()
}

/// Width and height of a node.
fn node_size(automaton: &Automaton, node: usize) -> (f64, f64) {
    if automaton.nodes[node].kind == NodeKind::Branch {
        return (8.0, 8.0);
    }
    let all: Vec<String> = inside(automaton, node).into_iter().flat_map(|(_, lines)| lines).collect();
    let (width, height) = extent(&all);
    ((width + 26.0).max(44.0), (height + 16.0).max(30.0))
}

/// Width and height of the labels of an edge, below each other.
fn label_size(labels: &[Label]) -> (f64, f64) {
    let all: Vec<String> = labels.iter().flat_map(Label::lines).collect();
    extent(&all)
}

impl Plan<'_> {
    fn nodes(&mut self, rank: &[usize]) {
        self.loops = vec![Vec::new(); rank.len()];
        for (number, edge) in self.automaton.edges.iter().enumerate() {
            if edge.source == edge.target && edge.source < rank.len() {
                self.loops[edge.source].push(number);
            }
        }
        for (node, &rank) in rank.iter().enumerate() {
            let (width, height) = node_size(self.automaton, node);
            let (mut wide, mut high): (f64, f64) = (0.0, 0.0);
            for &number in &self.loops[node] {
                let (width, height) = label_size(&self.automaton.edges[number].labels);
                wide = wide.max(LOOP + BESIDE + width);
                high += loop_height(height);
            }
            self.items.push(Item { rank: 2 * rank, left: width / 2.0, right: width / 2.0 + wide });
            // High enough for all its loops to begin and end at it.
            let height = height.max(high);
            self.heights.push(height);
            self.sizes.push((width, height));
        }
    }

    /// Makes the items of an edge between two ranks.
    fn chain(&mut self, edge: &Edge, rank: &[usize], upward: bool) -> Chain {
        let (upper, lower) = if upward { (edge.target, edge.source) } else { (edge.source, edge.target) };
        let (from, to) = (2 * rank[upper], 2 * rank[lower]);
        // In the middle, but between ranks of nodes.
        let labelled = (from + (to - from) / 2) | 1;
        let (width, height) = label_size(&edge.labels);
        let mut chain = Chain { items: vec![upper], label: 0 };
        for rank in from + 1..to {
            let carries = rank == labelled;
            if carries {
                chain.label = self.items.len();
            }
            let right = if carries && width > 0.0 { width + BESIDE } else { BESIDE };
            chain.items.push(self.items.len());
            self.items.push(Item { rank, left: BESIDE, right });
            self.heights.push(if carries { height } else { 0.0 });
        }
        chain.items.push(lower);
        for pair in chain.items.windows(2) {
            let nodes = pair.iter().filter(|&&item| item < self.automaton.nodes.len()).count();
            let weight = [24.0, 3.0, 1.0][nodes];
            self.links.push(Link { upper: pair[0], lower: pair[1], weight });
        }
        if upward {
            chain.items.reverse();
        }
        chain
    }

    /// Upper and lower border of each rank.
    fn rows(&self, at: &[f64]) -> Vec<(f64, f64)> {
        let count = self.items.iter().map(|item| item.rank + 1).max().unwrap_or(0);
        let (mut heights, mut slants) = (vec![0.0f64; count], vec![0.0f64; count]);
        for (item, height) in self.items.iter().zip(&self.heights) {
            heights[item.rank] = heights[item.rank].max(*height);
        }
        for link in &self.links {
            let slant = &mut slants[self.items[link.upper].rank];
            *slant = slant.max((at[link.upper] - at[link.lower]).abs());
        }
        let mut top = 0.0;
        let rows = heights.iter().zip(&slants).map(|(height, slant)| {
            let row = (top, top + height);
            // Lines that go far to the side need room to do so.
            top += height + (slant * 0.12).clamp(14.0, 60.0);
            row
        });
        rows.collect()
    }

    fn placed(&self, at: &[f64], chains: &[Option<Chain>]) -> Scene {
        let rows = self.rows(at);
        let middle = |item: usize| {
            let (top, bottom) = rows[self.items[item].rank];
            Point::new(at[item], (top + bottom) / 2.0)
        };
        let mut scene = Scene { nodes: Vec::new(), lines: Vec::new(), radius: 14.0, texts: Vec::new() };
        for node in 0..self.automaton.nodes.len() {
            self.node(node, middle(node), &mut scene);
        }
        scene.lines = vec![None; chains.len()];
        for (number, (edge, chain)) in self.automaton.edges.iter().zip(chains).enumerate() {
            if let Some(chain) = chain {
                scene.lines[number] = Some(self.line(chain, at, &rows));
                let (_, height) = label_size(&edge.labels);
                let Point { x, y } = middle(chain.label);
                labels(edge, Point::new(x + BESIDE, y - height / 2.0), &mut scene.texts);
            }
        }
        for node in 0..self.automaton.nodes.len() {
            self.draw_loops(node, middle(node), &mut scene);
        }
        scene
    }

    fn node(&self, node: usize, middle: Point, scene: &mut Scene) {
        let (width, height) = self.sizes[node];
        if self.automaton.nodes[node].kind == NodeKind::Branch {
            scene.nodes.push(Shape::Dot(middle));
            return;
        }
        scene.nodes.push(Shape::Box(Rect::around(middle, width, height)));
        let texts = inside(self.automaton, node);
        let lines: usize = texts.iter().map(|(_, lines)| lines.len()).sum();
        let mut at = Point::new(middle.x, middle.y - lines as f64 * STEP / 2.0);
        for (class, lines) in texts {
            let height = lines.len() as f64 * STEP;
            scene.texts.push(Text { class, lines, at, centred: true });
            at.y += height;
        }
    }

    /// The way of a line from the border of one node to that of another.
    fn line(&self, chain: &Chain, at: &[f64], rows: &[(f64, f64)]) -> Vec<Point> {
        let nodes = self.automaton.nodes.len();
        let down = self.items[chain.items[0]].rank < self.items[chain.items[1]].rank;
        let mut line = Vec::new();
        for (number, &item) in chain.items.iter().enumerate() {
            let (top, bottom) = rows[self.items[item].rank];
            if item >= nodes {
                let both = if down { [top, bottom] } else { [bottom, top] };
                line.extend(both.map(|y| Point::new(at[item], y)));
                continue;
            }
            // It leaves a node where it wants to go to, but not at a corner.
            let leaves = number == 0;
            let next = chain.items[if leaves { 1 } else { chain.items.len() - 2 }];
            let (width, height) = self.sizes[item];
            let reach = (width / 2.0 - 12.0).max(0.0);
            let x = at[item] + ((at[next] - at[item]) * 0.35).clamp(-reach, reach);
            let middle = (top + bottom) / 2.0;
            let below = down == leaves;
            let [border, edge] =
                if below { [middle + height / 2.0, bottom] } else { [middle - height / 2.0, top] };
            let two = [Point::new(x, border), Point::new(x, edge)];
            line.extend(if leaves { two } else { [two[1], two[0]] });
        }
        line.dedup();
        line
    }

    /// Loops go out and back on the right side.
    fn draw_loops(&self, node: usize, middle: Point, scene: &mut Scene) {
        let (width, _) = self.sizes[node];
        let right = middle.x + width / 2.0;
        let size = |number: usize| label_size(&self.automaton.edges[number].labels).1;
        let all: f64 = self.loops[node].iter().map(|&number| loop_height(size(number))).sum();
        let mut top = middle.y - all / 2.0;
        for &number in &self.loops[node] {
            let height = size(number);
            let y = top + loop_height(height) / 2.0;
            let far = right + LOOP;
            let corners = [(right, y - 7.0), (far, y - 7.0), (far, y + 7.0), (right, y + 7.0)];
            scene.lines[number] = Some(corners.map(|(x, y)| Point::new(x, y)).to_vec());
            let at = Point::new(far + BESIDE, y - height / 2.0);
            labels(&self.automaton.edges[number], at, &mut scene.texts);
            top += loop_height(height);
        }
    }
}

fn loop_height(label: f64) -> f64 {
    label.max(20.0) + 8.0
}

/// The labels of an edge below each other.
fn labels(edge: &Edge, mut at: Point, texts: &mut Vec<Text>) {
    for label in &edge.labels {
        let lines = label.lines();
        let height = lines.len() as f64 * STEP;
        texts.push(Text { class: label.class(), lines, at, centred: false });
        at.y += height;
    }
}
