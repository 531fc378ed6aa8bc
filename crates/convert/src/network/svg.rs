//! The processes of a network as a picture, with the events of TChecker's
//! format. Which of them synchronise is not drawn.

use super::names::Names;
use super::text::{Language, Writer, Written};
use dwell_draw::automaton::{Automaton, Edge, Label, LabelKind, Node, NodeKind, draw};
use dwell_model::{self as model, LocationKind, Network, Process};

/// The picture.
pub(super) fn write(network: &Network, title: &str) -> Written<String> {
    let writer = Writer::new(network, Language::Tck, &mut Names::new(&[]))?;
    let automata: Vec<Automaton> =
        network.processes.iter().map(|process| automaton(&writer, process)).collect::<Result<_, _>>()?;
    Ok(draw(title, &automata))
}

fn automaton(writer: &Writer<'_>, process: &Process) -> Written<Automaton> {
    let node = |(number, location): (usize, &model::Location)| {
        let texts = [
            (LabelKind::Name, location.name.clone()),
            (LabelKind::Invariant, writer.guard(&location.invariant)?),
        ];
        Ok(Node {
            kind: match location.kind {
                LocationKind::Normal => NodeKind::Plain,
                LocationKind::Urgent => NodeKind::Urgent,
                LocationKind::Committed => NodeKind::Committed,
            },
            initial: process.initial.iter().any(|initial| initial.index() == number),
            labels: labels(texts),
            place: None,
        })
    };
    let edge = |edge: &model::Edge| {
        let texts = [
            (LabelKind::Guard, writer.guard(&edge.guard)?),
            (LabelKind::Sync, writer.network.events[edge.event.index()].clone()),
            (LabelKind::Update, writer.locals(&edge.update) + &writer.statements(&edge.update.body)?),
        ];
        let (source, target) = (edge.source.index(), edge.target.index());
        Ok(Edge { source, target, labels: labels(texts), ..Edge::default() })
    };
    Ok(Automaton {
        title: process.name.clone(),
        nodes: process.locations.iter().enumerate().map(node).collect::<Written<_>>()?,
        edges: process.edges.iter().map(edge).collect::<Written<_>>()?,
    })
}

/// Those that say something.
fn labels<const N: usize>(texts: [(LabelKind, String); N]) -> Vec<Label> {
    let said = texts.into_iter().filter(|(_, text)| !text.is_empty());
    said.map(|(kind, text)| Label { kind, text, place: None }).collect()
}
