//! Places for what has none, so that an editor can show it.
//!
//! Locations and branch points without coordinates go onto a circle, or onto
//! a grid where they are many or others have coordinates already, their names
//! above them and their invariants below. Edges between them get labels at
//! their middle; loops and parallel edges get nails, or they would lie on top
//! of each other.
//!
//! What has coordinates is left alone, so laying out twice changes nothing.

use super::attribute;
use dwell_syntax::uppaal::tree::{Edge, Extra, Template};
use std::collections::{HashMap, HashSet};

/// Most nodes that a circle shows better than a grid.
const CIRCLE: usize = 12;
const STEP_X: i64 = 204;
const STEP_Y: i64 = 153;
/// Height of a line of text.
const LINE: i64 = 17;

/// Gives places to what has none in a template.
pub(super) fn complete(template: &mut Template) {
    let mut nodes: Vec<(&str, &mut Vec<Extra>)> = Vec::new();
    nodes.extend(template.locations.iter_mut().map(|l| (l.id.as_str(), &mut l.extra)));
    nodes.extend(template.branchpoints.iter_mut().map(|b| (b.id.name.as_str(), &mut b.extra)));

    let mut places: HashMap<String, (i64, i64)> = HashMap::new();
    let mut missing = Vec::new();
    for (id, extra) in nodes {
        match place(extra) {
            Some(place) => {
                places.insert(id.to_owned(), place);
            }
            None => missing.push((id, extra)),
        }
    }
    if missing.is_empty() {
        return;
    }
    let top = places.values().map(|place| place.1 + STEP_Y).max();
    let count = missing.len();
    let mut placed = HashSet::new();
    for (index, (id, extra)) in missing.into_iter().enumerate() {
        let (x, y) = match top {
            None if count <= CIRCLE => on_circle(index, count),
            _ => on_grid(index, count, top.unwrap_or(0)),
        };
        extra.retain(|extra| !matches!(extra, Extra::Attribute(name, _) if name == "x" || name == "y"));
        extra.push(Extra::Attribute("x".to_owned(), x.to_string()));
        extra.push(Extra::Attribute("y".to_owned(), y.to_string()));
        places.insert(id.to_owned(), (x, y));
        placed.insert(id.to_owned());
    }
    for location in template.locations.iter_mut().filter(|location| placed.contains(&location.id)) {
        let (x, y) = places[&location.id];
        let texts = [
            ("name", location.name.is_some(), -2),
            ("label:invariant", location.invariant.is_some(), 1),
            ("label:exponentialrate", location.rate.is_some(), 2),
        ];
        for (key, _, lines) in texts.into_iter().filter(|(_, present, _)| *present) {
            put(&mut location.extra, key, (x - LINE, y + lines * LINE));
        }
    }
    let mut between: HashMap<(String, String), i64> = HashMap::new();
    for edge in &mut template.edges {
        let (source, target) = (&edge.source.name, &edge.target.name);
        if let (true, Some(&from), Some(&to)) =
            (placed.contains(source) || placed.contains(target), places.get(source), places.get(target))
        {
            let pair = (source.min(target).clone(), source.max(target).clone());
            let earlier = between.entry(pair).or_default();
            draw(edge, from, to, *earlier);
            *earlier += 1;
        }
    }
}

fn place(extra: &[Extra]) -> Option<(i64, i64)> {
    let coordinate = |name| attribute(extra, name)?.trim().parse::<i32>().ok().map(i64::from);
    Some((coordinate("x")?, coordinate("y")?))
}

fn on_circle(index: usize, count: usize) -> (i64, i64) {
    if count == 1 {
        return (0, 0);
    }
    let radius = (count as f64 * 50.0).max(136.0);
    // The first one on top. Multiples of 17: sines of other machines differ
    // in their last bit.
    let angle = index as f64 / count as f64 * std::f64::consts::TAU - std::f64::consts::FRAC_PI_2;
    let snap = |value: f64| (value / LINE as f64).round() as i64 * LINE;
    (snap(radius * angle.cos()), snap(radius * angle.sin()))
}

fn on_grid(index: usize, count: usize, top: i64) -> (i64, i64) {
    let columns = (1..).find(|n| n * n >= count).unwrap_or(1);
    ((index % columns) as i64 * STEP_X, top + (index / columns) as i64 * STEP_Y)
}

/// Gives an edge nails where it needs them, and its labels their places.
/// `earlier` edges connect the same two nodes.
fn draw(edge: &mut Edge, from: (i64, i64), to: (i64, i64), earlier: i64) {
    let mut middle = ((from.0 + to.0) / 2, (from.1 + to.1) / 2);
    let has_nails =
        edge.extra.iter().any(|extra| matches!(extra, Extra::Element(raw) if raw.starts_with("<nail")));
    let mut nail = |x: i64, y: i64| {
        edge.extra.push(Extra::Element(format!("<nail x=\"{x}\" y=\"{y}\"/>")));
    };
    if !has_nails && from == to {
        let height = 3 * LINE + earlier * 2 * LINE;
        nail(from.0 - LINE, from.1 - height);
        nail(from.0 + LINE, from.1 - height);
        middle.1 -= height + LINE;
    } else if !has_nails && earlier > 0 {
        // Alternately to either side of the line, ever further away.
        let away = (earlier + 1) / 2 * 2 * LINE * if earlier % 2 == 0 { -1 } else { 1 };
        let steep = (to.1 - from.1).abs() > (to.0 - from.0).abs();
        middle = if steep { (middle.0 + away, middle.1) } else { (middle.0, middle.1 + away) };
        nail(middle.0, middle.1);
    }
    let labels = [
        ("label:select", !edge.select.is_empty()),
        ("label:guard", edge.guard.is_some()),
        ("label:synchronisation", edge.sync.is_some()),
        ("label:assignment", !edge.update.is_empty()),
        ("label:probability", edge.probability.is_some()),
    ];
    let mut y = middle.1;
    for key in labels.into_iter().filter_map(|(key, present)| present.then_some(key)) {
        put(&mut edge.extra, key, (middle.0, y));
        y += LINE;
    }
}

/// Gives a text its place, if it has none.
fn put(extra: &mut Vec<Extra>, key: &str, (x, y): (i64, i64)) {
    if !extra.iter().any(|extra| matches!(extra, Extra::ChildAttribute(child, ..) if child == key)) {
        for (name, value) in [("x", x), ("y", y)] {
            extra.push(Extra::ChildAttribute(key.to_owned(), name.to_owned(), value.to_string()));
        }
    }
}
