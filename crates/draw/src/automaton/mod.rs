//! Automata: locations and edges with their labels.
//!
//! Where every location has a place, the picture is the author's: circles,
//! nails and labels are where they were put (`given`). Else the automaton is
//! laid out in layers, with names and invariants inside boxes (`layered`).
//! Either way a `Scene` is made first and painted then.

mod given;
mod layered;
mod layers;
mod occupied;
mod paint;

use crate::geometry::{Point, Rect};
use crate::svg::Canvas;
use crate::text::{SMALL, wrapped};

/// An automaton.
#[derive(Clone, Debug, Default)]
pub struct Automaton {
    /// Its name, with its parameters.
    pub title: String,
    /// Locations and branch points.
    pub nodes: Vec<Node>,
    /// Edges between them; those to nodes that are not there are not drawn.
    pub edges: Vec<Edge>,
}

/// A location or branch point.
#[derive(Clone, Debug)]
pub struct Node {
    /// Which.
    pub kind: NodeKind,
    /// The automaton starts here.
    pub initial: bool,
    /// Its name, invariant and rate.
    pub labels: Vec<Label>,
    /// Its place, if it has one.
    pub place: Option<Point>,
}

/// The kinds of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum NodeKind {
    Plain,
    Urgent,
    Committed,
    Branch,
}

/// An edge.
#[derive(Clone, Debug, Default)]
pub struct Edge {
    /// Index of a node.
    pub source: usize,
    /// Index of a node.
    pub target: usize,
    /// Drawn with a broken line.
    pub broken: bool,
    /// Where it bends.
    pub nails: Vec<Point>,
    /// Selection, guard, synchronisation, update.
    pub labels: Vec<Label>,
}

/// A text that belongs to a node or an edge.
#[derive(Clone, Debug)]
pub struct Label {
    /// What it is.
    pub kind: LabelKind,
    /// What it says.
    pub text: String,
    /// Its upper left corner, if it has a place.
    pub place: Option<Point>,
}

/// The kinds of labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum LabelKind {
    Name,
    Invariant,
    Select,
    Guard,
    Sync,
    Update,
    Other,
}

/// Longest line of a label, in characters.
const LINE: usize = 46;
/// From one line of a label to the next.
const STEP: f64 = 14.0;

/// What is to be painted.
struct Scene {
    nodes: Vec<Shape>,
    /// For each edge the way of its line, from border to border; none for one
    /// that is not drawn.
    lines: Vec<Option<Vec<Point>>>,
    /// How far corners of lines are rounded.
    radius: f64,
    texts: Vec<Text>,
}

/// What a node looks like.
enum Shape {
    Circle(Point),
    /// With its name inside.
    Box(Rect),
    Dot(Point),
}

/// Lines of text below each other, from an upper left corner or around a middle.
struct Text {
    class: &'static str,
    lines: Vec<String>,
    at: Point,
    centred: bool,
}

impl Label {
    fn lines(&self) -> Vec<String> {
        wrapped(&self.text, LINE)
    }

    fn class(&self) -> &'static str {
        match self.kind {
            LabelKind::Name => "",
            LabelKind::Invariant => "invariant",
            LabelKind::Select => "select",
            LabelKind::Guard => "guard",
            LabelKind::Sync => "sync",
            LabelKind::Update => "update",
            LabelKind::Other => "soft",
        }
    }
}

/// Width and height of lines of text.
fn extent(lines: &[String]) -> (f64, f64) {
    let widest = lines.iter().map(|line| crate::text::width(line, SMALL)).fold(0.0, f64::max);
    (widest, lines.len() as f64 * STEP)
}

/// Automata beside each other, in rows, as one picture.
pub fn draw(title: &str, automata: &[Automaton]) -> String {
    let parts: Vec<Canvas> = automata.iter().map(one).collect();
    let area: f64 = parts.iter().map(|part| part.bounds().width() * part.bounds().height()).sum();
    let widest = parts.iter().map(|part| part.bounds().width()).fold(0.0, f64::max);
    // A little wider than high, as screens are, and as wide as one in any case.
    let limit = widest.max((area * 1.8).sqrt()).max(1100.0);
    let mut canvas = Canvas::new();
    let (mut left, mut top, mut height): (f64, f64, f64) = (0.0, 0.0, 0.0);
    for part in &parts {
        let bounds = part.bounds();
        if left > 0.0 && left + bounds.width() > limit {
            (left, top, height) = (0.0, top + height + 24.0, 0.0);
        }
        canvas.place(part, left - bounds.left, top - bounds.top);
        left += bounds.width() + 24.0;
        height = height.max(bounds.height());
    }
    canvas.finish(title)
}

/// One automaton in its frame.
fn one(automaton: &Automaton) -> Canvas {
    let scene = match given::scene(automaton) {
        Some(scene) => scene,
        None => layered::scene(automaton).unwrap_or_else(|| given::grid(automaton)),
    };
    paint::framed(automaton, &scene)
}

/// Is the place of every node known, and not the same for all?
fn has_places(automaton: &Automaton) -> bool {
    let places: Option<Vec<Point>> = automaton.nodes.iter().map(|node| node.place).collect();
    match places.as_deref() {
        None => false,
        Some([] | [_]) => true,
        Some(places) => places.windows(2).any(|two| two[0] != two[1]),
    }
}
