//! Templates as graphs for Graphviz.

use super::print;
use dwell_syntax::uppaal::tree::{Document, Edge, Location, Template};
use std::collections::HashMap;
use std::fmt::Write;

/// The templates of a model as one graph, a cluster each. Initial locations
/// have a double border; urgent and committed ones say so and are filled.
pub fn to_dot(document: &Document) -> String {
    let mut out = String::from(
        "digraph model {\n  compound=true;\n  node [shape=ellipse, fontname=\"sans-serif\"];\n  \
         edge [fontname=\"sans-serif\"];\n",
    );
    for (index, template) in document.templates.iter().enumerate() {
        cluster(index, template, &mut out);
    }
    out.push_str("}\n");
    out
}

fn cluster(index: usize, template: &Template, out: &mut String) {
    let title = print::title(template);
    let _ = writeln!(out, "  subgraph cluster_{index} {{\n    label={};", quoted(&title));
    let mut nodes = HashMap::new();
    for (number, location) in template.locations.iter().enumerate() {
        let node = format!("t{index}l{number}");
        let initial = template.init.as_ref().is_some_and(|init| init.name == location.id);
        let _ = writeln!(out, "    {node} [{}];", attributes(location, initial));
        nodes.entry(location.id.as_str()).or_insert(node);
    }
    for (number, branchpoint) in template.branchpoints.iter().enumerate() {
        let node = format!("t{index}b{number}");
        let _ = writeln!(out, "    {node} [shape=point, width=0.1];");
        nodes.entry(branchpoint.id.name.as_str()).or_insert(node);
    }
    for edge in &template.edges {
        // An edge to nowhere is an error of the model; a graph can do without.
        if let (Some(source), Some(target)) =
            (nodes.get(edge.source.name.as_str()), nodes.get(edge.target.name.as_str()))
        {
            let style = if edge.controllable { "" } else { ", style=dashed" };
            let _ = writeln!(out, "    {source} -> {target} [label={}{style}];", quoted(&label(edge)));
        }
    }
    out.push_str("  }\n");
}

fn attributes(location: &Location, initial: bool) -> String {
    let mut lines: Vec<String> = location.name.iter().map(|name| name.name.clone()).collect();
    lines.extend(location.urgent.then(|| "urgent".to_owned()));
    lines.extend(location.committed.then(|| "committed".to_owned()));
    lines.extend(location.invariant.as_ref().map(print::expr));
    lines.extend(location.rate.as_ref().map(print::rate));
    let mut text = format!("label={}", quoted(&lines.join("\n")));
    if initial {
        text.push_str(", peripheries=2");
    }
    if location.committed {
        text.push_str(", style=filled, fillcolor=\"#f4cccc\"");
    } else if location.urgent {
        text.push_str(", style=filled, fillcolor=\"#fff2cc\"");
    }
    text
}

fn label(edge: &Edge) -> String {
    let mut lines = Vec::new();
    if !edge.select.is_empty() {
        lines.push(print::selects(&edge.select));
    }
    lines.extend(edge.guard.as_ref().map(print::expr));
    lines.extend(edge.sync.as_ref().map(print::sync));
    if !edge.update.is_empty() {
        lines.push(print::exprs(&edge.update));
    }
    lines.extend(edge.probability.as_ref().map(print::expr));
    lines.join("\n")
}

/// A string of Graphviz: only quotes, backslashes and line ends are special.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
