//! From a scene to elements.

use super::given::{DOT, RADIUS};
use super::{Automaton, NodeKind, STEP, Scene, Shape, Text};
use crate::geometry::{Point, Rect};
use crate::svg::{Anchor, Canvas};
use crate::text::{LARGE, SMALL, cut};

/// The automaton with its name, in a frame.
pub(super) fn framed(automaton: &Automaton, scene: &Scene) -> Canvas {
    let mut inner = Canvas::new();
    for (edge, line) in automaton.edges.iter().zip(&scene.lines) {
        if let Some(line) = line {
            arrow(&mut inner, line, scene.radius, edge.broken, is_branch(automaton, edge.target));
        }
    }
    for (node, shape) in automaton.nodes.iter().zip(&scene.nodes) {
        draw_node(&mut inner, shape, node.kind, node.initial);
    }
    for text in &scene.texts {
        draw_text(&mut inner, text);
    }
    let empty = automaton.nodes.is_empty();
    let bounds = if empty { Rect::at(Point::default(), 60.0, 20.0) } else { inner.bounds() };
    let mut canvas = Canvas::new();
    let at = Point::new(bounds.left, bounds.top - 16.0);
    canvas.text("", at, Anchor::Start, LARGE, &cut(&automaton.title, 80));
    canvas.reserve(&bounds);
    let around = canvas.bounds();
    let mut framed = Canvas::new();
    let frame = Rect {
        left: around.left - 14.0,
        top: around.top - 10.0,
        right: around.right + 14.0,
        bottom: around.bottom + 14.0,
    };
    framed.rect("panel", &frame, 6.0);
    framed.place(&canvas, 0.0, 0.0);
    framed.place(&inner, 0.0, 0.0);
    framed
}

fn is_branch(automaton: &Automaton, node: usize) -> bool {
    automaton.nodes.get(node).is_some_and(|node| node.kind == NodeKind::Branch)
}

/// The line of an edge; into a branch point it goes without a head.
fn arrow(canvas: &mut Canvas, line: &[Point], radius: f64, broken: bool, into_branch: bool) {
    let class = if broken { "line broken" } else { "line" };
    canvas.round_path(class, line, radius);
    if let ([.., before, tip], false) = (line, into_branch) {
        canvas.arrow_head("tip", *before, *tip);
    }
}

fn draw_node(canvas: &mut Canvas, shape: &Shape, kind: NodeKind, initial: bool) {
    let (class, letter) = match kind {
        NodeKind::Committed => ("committed", "C"),
        NodeKind::Urgent => ("urgent", "U"),
        NodeKind::Plain | NodeKind::Branch => ("box", ""),
    };
    match shape {
        Shape::Dot(place) => canvas.circle("tip", *place, DOT),
        Shape::Circle(place) => {
            canvas.circle(class, *place, RADIUS);
            if initial {
                canvas.circle(class, *place, RADIUS - 3.5);
            }
            if !letter.is_empty() {
                let at = Point::new(place.x, place.y + 4.0);
                canvas.text("", at, Anchor::Middle, SMALL, letter);
            }
        }
        Shape::Box(rect) => {
            canvas.rect(class, rect, 9.0);
            if initial {
                let Rect { left, top, right, bottom } = *rect;
                let inside =
                    Rect { left: left + 3.0, top: top + 3.0, right: right - 3.0, bottom: bottom - 3.0 };
                canvas.rect(class, &inside, 6.5);
            }
        }
    }
}

fn draw_text(canvas: &mut Canvas, text: &Text) {
    // Beside lines a text needs a border of its own.
    let (anchor, class) = match text.centred {
        true => (Anchor::Middle, text.class.to_owned()),
        false => (Anchor::Start, format!("{} halo", text.class).trim_start().to_owned()),
    };
    for (number, line) in text.lines.iter().enumerate() {
        let at = Point::new(text.at.x, text.at.y + number as f64 * STEP + 11.0);
        canvas.text(&class, at, anchor, SMALL, line);
    }
}
