//! Automata whose author said where everything is.
//!
//! Labels without a place are put beside the middle of their edge. Our texts
//! may be wider than the author's: one that would lie on another moves up or
//! down a little, if that helps.

use super::occupied::Occupied;
use super::{Automaton, Edge, Label, NodeKind, STEP, Scene, Shape, Text, extent, has_places};
use crate::geometry::{Point, Rect};
use std::collections::HashMap;

/// Of a location.
pub(super) const RADIUS: f64 = 12.0;
/// Of a branch point.
pub(super) const DOT: f64 = 3.5;
/// Between the nodes of a grid.
const GRID: (f64, f64) = (180.0, 120.0);

/// The scene, if there are places.
pub(super) fn scene(automaton: &Automaton) -> Option<Scene> {
    has_places(automaton).then(|| {
        let places: Vec<Point> = automaton.nodes.iter().filter_map(|node| node.place).collect();
        Given::new(automaton, &places, true).scene()
    })
}

/// The scene on a grid, for automata that are too large for anything better.
pub(super) fn grid(automaton: &Automaton) -> Scene {
    let columns = (automaton.nodes.len() as f64).sqrt().ceil().max(1.0) as usize;
    let place = |n: usize| Point::new((n % columns) as f64 * GRID.0, (n / columns) as f64 * GRID.1);
    let places: Vec<Point> = (0..automaton.nodes.len()).map(place).collect();
    Given::new(automaton, &places, false).scene()
}

struct Given<'a> {
    automaton: &'a Automaton,
    places: &'a [Point],
    /// Nails and places of labels belong to these places.
    trusted: bool,
    occupied: Occupied,
    texts: Vec<Text>,
}

impl<'a> Given<'a> {
    fn new(automaton: &'a Automaton, places: &'a [Point], trusted: bool) -> Self {
        Self { automaton, places, trusted, occupied: Occupied::default(), texts: Vec::new() }
    }

    fn scene(mut self) -> Scene {
        let nodes = self.automaton.nodes.iter().zip(self.places).map(|(node, &place)| match node.kind {
            NodeKind::Branch => Shape::Dot(place),
            _ => Shape::Circle(place),
        });
        let nodes: Vec<Shape> = nodes.collect();
        let mut between = HashMap::new();
        let lines: Vec<Option<Vec<Point>>> =
            self.automaton.edges.iter().map(|edge| self.line(edge, &mut between)).collect();
        // What has a place comes first, so that the rest can keep away from it.
        let all = || {
            let nodes = self.automaton.nodes.iter().flat_map(|node| &node.labels);
            nodes.chain(self.automaton.edges.iter().flat_map(|edge| &edge.labels))
        };
        let placed: Vec<&'a Label> = all().filter(|label| self.trusted && label.place.is_some()).collect();
        for label in placed {
            self.put(label);
        }
        for &place in self.places {
            self.occupied.add(Rect::around(place, 2.0 * RADIUS, 2.0 * RADIUS));
        }
        for (node, &place) in self.automaton.nodes.iter().zip(self.places) {
            self.beside(&node.labels, Point::new(place.x, place.y + RADIUS), RADIUS);
        }
        for (edge, line) in self.automaton.edges.iter().zip(&lines) {
            if let Some(line) = line {
                self.beside(&edge.labels, halfway(line), 0.0);
            }
        }
        Scene { nodes, lines, radius: 8.0, texts: self.texts }
    }

    /// A label at its place, or a little above or below.
    fn put(&mut self, label: &Label) {
        let (Some(place), lines) = (label.place, label.lines()) else { return };
        let (width, height) = extent(&lines);
        if lines.is_empty() {
            return;
        }
        // The estimate is rather too wide: what hardly touches does not.
        let rect = Rect::at(place, width * 0.9, height - 2.0);
        let shifts = [0.0, 4.0, -4.0, 8.0, -8.0, 13.0, -13.0, 17.0, -17.0, 26.0, 34.0];
        let found = self.occupied.first_free(shifts.into_iter().map(|dy| rect.moved(0.0, dy)));
        let rect = found.unwrap_or(rect);
        self.occupied.add(rect);
        let at = Point::new(rect.left, rect.top);
        self.texts.push(Text { class: label.class(), lines, at, centred: false });
    }

    /// Labels without a place, below each other near `at`.
    fn beside(&mut self, labels: &[Label], at: Point, away: f64) {
        let free = labels.iter().filter(|label| !(self.trusted && label.place.is_some()));
        let blocks: Vec<(&Label, Vec<String>)> = free.map(|label| (label, label.lines())).collect();
        let all: Vec<String> = blocks.iter().flat_map(|(_, lines)| lines.clone()).collect();
        if all.is_empty() {
            return;
        }
        let (width, height) = extent(&all);
        let sides = (0..8).flat_map(|n| {
            let far = 5.0 + f64::from(n) * 9.0;
            let beside = at.y - height / 2.0 - away;
            [
                Point::new(at.x + away + far, beside),
                Point::new(at.x - width - away - far, beside),
                Point::new(at.x - width / 2.0, at.y + far),
                Point::new(at.x - width / 2.0, at.y - 2.0 * away - height - far),
            ]
        });
        let found = self.occupied.first_free(sides.map(|corner| Rect::at(corner, width, height)));
        let Some(rect) = found else { return };
        self.occupied.add(rect);
        let mut at = Point::new(rect.left, rect.top);
        for (label, lines) in blocks {
            let height = lines.len() as f64 * STEP;
            self.texts.push(Text { class: label.class(), lines, at, centred: false });
            at.y += height;
        }
    }

    /// The way of an edge, clipped at its ends. Loops and parallel edges
    /// without nails get some, or they could not be seen.
    fn line(&self, edge: &Edge, between: &mut HashMap<(usize, usize), u32>) -> Option<Vec<Point>> {
        let (from, to) = (*self.places.get(edge.source)?, *self.places.get(edge.target)?);
        let pair = (edge.source.min(edge.target), edge.source.max(edge.target));
        let mut line = vec![from];
        if self.trusted && !edge.nails.is_empty() {
            line.extend(&edge.nails);
        } else {
            let earlier = between.entry(pair).or_default();
            line.extend(nails(from, to, f64::from(*earlier)));
            *earlier += 1;
        }
        line.push(to);
        let size = |node: usize| match self.automaton.nodes[node].kind {
            NodeKind::Branch => DOT,
            _ => RADIUS + 1.0,
        };
        let last = line.len() - 1;
        let ends = (from.towards(line[1], size(edge.source)), to.towards(line[last - 1], size(edge.target)));
        (line[0], line[last]) = ends;
        Some(line)
    }
}

/// Nails for an edge without any, after `earlier` ones between the same nodes.
fn nails(from: Point, to: Point, earlier: f64) -> Vec<Point> {
    if from == to {
        let height = 40.0 + earlier * 26.0;
        return vec![Point::new(from.x - 16.0, from.y - height), Point::new(from.x + 16.0, from.y - height)];
    }
    if earlier == 0.0 {
        return Vec::new();
    }
    // Alternately to either side of the line, ever further away.
    let side = if earlier % 2.0 == 0.0 { -1.0 } else { 1.0 };
    let away = ((earlier + 1.0) / 2.0).floor() * 34.0 * side;
    let (middle, length) = (from.between(to, 0.5), from.distance(to));
    let (dx, dy) = ((to.x - from.x) / length, (to.y - from.y) / length);
    // The same side whichever way the edge goes.
    let turn = if (from.x, from.y) < (to.x, to.y) { 1.0 } else { -1.0 };
    vec![Point::new(middle.x - dy * away * turn, middle.y + dx * away * turn)]
}

/// The place half the way along a line.
fn halfway(line: &[Point]) -> Point {
    let length: f64 = line.windows(2).map(|part| part[0].distance(part[1])).sum();
    let mut left = length / 2.0;
    for part in line.windows(2) {
        let step = part[0].distance(part[1]);
        if step >= left && step > 0.0 {
            return part[0].between(part[1], left / step);
        }
        left -= step;
    }
    line.first().copied().unwrap_or_default()
}
