//! Templates as a picture.
//!
//! Places come from the XML; a template with a location that has none is laid
//! out by [`dwell_draw`].

use super::{attribute, print};
use dwell_draw::Point;
use dwell_draw::automaton::{Automaton, Edge, Label, LabelKind, Node, NodeKind, draw};
use dwell_syntax::uppaal::tree::{self, Document, Extra, Location, Template};
use std::collections::HashMap;

/// The templates of a model beside each other, as SVG.
pub fn to_svg(document: &Document, title: &str) -> String {
    let automata: Vec<Automaton> = document.templates.iter().map(automaton).collect();
    draw(title, &automata)
}

fn automaton(template: &Template) -> Automaton {
    let locations = template.locations.iter().map(|location| {
        let initial = template.init.as_ref().is_some_and(|init| init.name == location.id);
        (location.id.as_str(), node(location, initial))
    });
    let branchpoints = template.branchpoints.iter().map(|branchpoint| {
        let place = place(&branchpoint.extra);
        let node = Node { kind: NodeKind::Branch, initial: false, labels: Vec::new(), place };
        (branchpoint.id.name.as_str(), node)
    });
    let mut ids = HashMap::new();
    let mut nodes = Vec::new();
    for (id, node) in locations.chain(branchpoints) {
        ids.entry(id).or_insert(nodes.len());
        nodes.push(node);
    }
    // An edge to nowhere is an error of the model; a picture can do without.
    let ends = |edge: &tree::Edge| {
        Some((*ids.get(edge.source.name.as_str())?, *ids.get(edge.target.name.as_str())?))
    };
    let edges = template.edges.iter().filter_map(|edge| Some(drawn_edge(edge, ends(edge)?)));
    Automaton { title: print::title(template), nodes, edges: edges.collect() }
}

fn node(location: &Location, initial: bool) -> Node {
    let kind = if location.committed {
        NodeKind::Committed
    } else if location.urgent {
        NodeKind::Urgent
    } else {
        NodeKind::Plain
    };
    let extra = &location.extra;
    let mut labels = Vec::new();
    labels
        .extend(location.name.as_ref().map(|name| label(extra, "name", LabelKind::Name, name.name.clone())));
    let invariant = location.invariant.as_ref().map(print::expr);
    labels.extend(invariant.map(|text| label(extra, "label:invariant", LabelKind::Invariant, text)));
    let rate = location.rate.as_ref().map(print::rate);
    labels.extend(rate.map(|text| label(extra, "label:exponentialrate", LabelKind::Other, text)));
    Node { kind, initial, labels, place: place(extra) }
}

fn drawn_edge(edge: &tree::Edge, (source, target): (usize, usize)) -> Edge {
    let some = |present: bool, text: fn(&tree::Edge) -> String| present.then(|| text(edge));
    let texts = [
        ("label:select", LabelKind::Select, some(!edge.select.is_empty(), |e| print::selects(&e.select))),
        ("label:guard", LabelKind::Guard, edge.guard.as_ref().map(print::expr)),
        ("label:synchronisation", LabelKind::Sync, edge.sync.as_ref().map(print::sync)),
        ("label:assignment", LabelKind::Update, some(!edge.update.is_empty(), |e| print::exprs(&e.update))),
        ("label:probability", LabelKind::Other, edge.probability.as_ref().map(print::expr)),
    ];
    let labels = texts.into_iter().filter_map(|(key, kind, text)| Some(label(&edge.extra, key, kind, text?)));
    let nails = edge.extra.iter().filter_map(|extra| match extra {
        Extra::Element(raw) if raw.starts_with("<nail") => nail(raw),
        _ => None,
    });
    Edge { source, target, broken: !edge.controllable, nails: nails.collect(), labels: labels.collect() }
}

fn label(extra: &[Extra], child: &str, kind: LabelKind, text: String) -> Label {
    let value = |wanted: &str| {
        extra.iter().find_map(|extra| match extra {
            Extra::ChildAttribute(of, name, value) if of == child && name == wanted => Some(value.as_str()),
            _ => None,
        })
    };
    Label { kind, text, place: point(value("x"), value("y")) }
}

fn place(extra: &[Extra]) -> Option<Point> {
    point(attribute(extra, "x"), attribute(extra, "y"))
}

fn nail(raw: &str) -> Option<Point> {
    let value = |name: &str| {
        let rest = [' ', '\t', '\n'].iter().find_map(|space| raw.split_once(&format!("{space}{name}=")))?.1;
        let quote = ['"', '\''].into_iter().find(|&quote| rest.starts_with(quote))?;
        rest.split(quote).nth(1)
    };
    point(value("x"), value("y"))
}

fn point(x: Option<&str>, y: Option<&str>) -> Option<Point> {
    let number = |text: &str| text.trim().parse::<i32>().ok().map(f64::from);
    Some(Point::new(number(x?)?, number(y?)?))
}

#[cfg(test)]
mod tests {
    use super::nail;
    use dwell_draw::Point;

    #[test]
    fn nails_are_read_as_written() {
        assert_eq!(nail("<nail x=\"-3\" y=\"40\"/>"), Some(Point::new(-3.0, 40.0)));
        assert_eq!(nail("<nail y='4'\n x='7'></nail>"), Some(Point::new(7.0, 4.0)));
        for bad in
            ["<nail/>", "<nail x=\"1\"/>", "<nail x=\"one\" y=\"2\"/>", "<nail x=", "<nail x=\u{e9}1 y=2"]
        {
            assert_eq!(nail(bad), None, "{bad}");
        }
    }
}
