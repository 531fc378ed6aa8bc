//! A model as UPPAAL's XML.
//!
//! * W-1: reading the output gives the tree back, but for places that the
//!   layout adds; writing that again gives the same bytes.
//! * W-2: every string from the tree is escaped, except for elements and
//!   comments that were kept as written.

use super::{block, layout, print, system};
use dwell_syntax::uppaal::tree::{
    Document, Edge, Expectation, Extra, Location, Outcome, QueryItem, Template,
};
use std::collections::HashMap;

const HEADER: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
    <!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.6//EN' \
    'http://www.it.uu.se/research/group/darts/uppaal/flat-1_6.dtd'>\n";

/// A model as XML, with its queries and everything that was kept from the
/// file it came from. What has no place to be drawn at gets one.
pub fn to_xml(document: &Document) -> String {
    let mut document = document.clone();
    // In other formats ids are names, and unique in their template only.
    if document.paths.is_empty() {
        number(&mut document);
    }
    document.templates.iter_mut().for_each(layout::complete);
    let mut xml = Xml { out: HEADER.to_owned(), depth: 0 };
    xml.document(&document);
    xml.out
}

/// Gives every location and branch point an id of its own.
fn number(document: &mut Document) {
    let mut next = 0;
    for template in &mut document.templates {
        let mut ids: HashMap<String, String> = HashMap::new();
        let locations = template.locations.iter_mut().map(|location| &mut location.id);
        let branchpoints = template.branchpoints.iter_mut().map(|branchpoint| &mut branchpoint.id.name);
        for id in locations.chain(branchpoints) {
            let new = format!("id{next}");
            next += 1;
            ids.insert(std::mem::replace(id, new.clone()), new);
        }
        let ends = template.edges.iter_mut().flat_map(|edge| [&mut edge.source, &mut edge.target]);
        for end in ends.chain(&mut template.init) {
            if let Some(id) = ids.get(&end.name) {
                end.name.clone_from(id);
            }
        }
    }
}

struct Xml {
    out: String,
    depth: usize,
}

impl Xml {
    fn document(&mut self, document: &Document) {
        let mut attributes = String::new();
        own_attributes(&document.extra, &mut attributes);
        self.open(&format!("nta{attributes}"));
        self.comments(&document.extra);
        let (queries, others): (Vec<&str>, Vec<&str>) =
            elements(&document.extra).partition(|raw| is_element(raw, "query"));
        // Imports come first, scenarios after the templates.
        let scenarios = others.iter().position(|raw| is_element(raw, "lsc")).unwrap_or(others.len());
        self.raws(&others[..scenarios]);
        let declarations = block(&document.declarations, document.syntax);
        self.text("declaration", &child_attributes(&document.extra, "declaration"), &declarations);
        for template in &document.templates {
            self.template(template, document);
        }
        self.raws(&others[scenarios..]);
        self.text("system", &child_attributes(&document.extra, "system"), &system(document));
        if !(document.queries.is_empty() && document.options.is_empty() && queries.is_empty()) {
            self.open("queries");
            self.options(&document.options);
            for item in &document.queries {
                self.query(item);
            }
            self.raws(&queries);
            self.close("queries");
        }
        self.close("nta");
    }

    fn template(&mut self, template: &Template, document: &Document) {
        let extra = &template.extra;
        let mut attributes = String::new();
        own_attributes(extra, &mut attributes);
        self.open(&format!("template{attributes}"));
        self.comments(extra);
        self.text("name", &child_attributes(extra, "name"), &template.name.name);
        self.optional("parameter", extra, &print::parameters(&template.params));
        self.optional("declaration", extra, &block(&template.declarations, document.syntax));
        for location in &template.locations {
            self.location(location);
        }
        for branchpoint in &template.branchpoints {
            let mut attributes = attribute("id", &branchpoint.id.name);
            own_attributes(&branchpoint.extra, &mut attributes);
            self.open(&format!("branchpoint{attributes}"));
            self.comments(&branchpoint.extra);
            self.elements(&branchpoint.extra);
            self.close("branchpoint");
        }
        if let Some(init) = &template.init {
            self.empty("init", &(attribute("ref", &init.name) + &child_attributes(extra, "init")));
        }
        for edge in &template.edges {
            self.edge(edge);
        }
        self.elements(extra);
        self.close("template");
    }

    fn location(&mut self, location: &Location) {
        let extra = &location.extra;
        let mut attributes = attribute("id", &location.id);
        own_attributes(extra, &mut attributes);
        self.open(&format!("location{attributes}"));
        self.comments(extra);
        self.optional("name", extra, location.name.as_ref().map_or("", |name| &name.name));
        self.label("invariant", extra, location.invariant.as_ref().map(print::expr));
        self.label("exponentialrate", extra, location.rate.as_ref().map(print::rate));
        self.elements(extra);
        for (name, set) in [("urgent", location.urgent), ("committed", location.committed)] {
            if set {
                self.empty(name, &child_attributes(extra, name));
            }
        }
        self.close("location");
    }

    fn edge(&mut self, edge: &Edge) {
        let extra = &edge.extra;
        let mut attributes = String::new();
        own_attributes(extra, &mut attributes);
        if !edge.controllable {
            attributes.push_str(&attribute("controllable", "false"));
        }
        self.open(&format!("transition{attributes}"));
        self.comments(extra);
        for (name, end) in [("source", &edge.source), ("target", &edge.target)] {
            self.empty(name, &(attribute("ref", &end.name) + &child_attributes(extra, name)));
        }
        let select = (!edge.select.is_empty()).then(|| print::selects(&edge.select));
        let update = (!edge.update.is_empty()).then(|| print::exprs(&edge.update));
        self.label("select", extra, select);
        self.label("guard", extra, edge.guard.as_ref().map(print::expr));
        self.label("synchronisation", extra, edge.sync.as_ref().map(print::sync));
        self.label("assignment", extra, update);
        self.label("probability", extra, edge.probability.as_ref().map(print::expr));
        self.elements(extra);
        self.close("transition");
    }

    fn query(&mut self, item: &QueryItem) {
        let extra = &item.extra;
        // Empty queries that stood before this one.
        let (headings, inside): (Vec<&str>, Vec<&str>) =
            elements(extra).partition(|raw| is_element(raw, "query"));
        self.raws(&headings);
        let mut attributes = String::new();
        own_attributes(extra, &mut attributes);
        self.open(&format!("query{attributes}"));
        self.comments(extra);
        self.text("formula", &child_attributes(extra, "formula"), &item.text);
        let comment = item.comment.as_deref().unwrap_or_default();
        self.text("comment", &child_attributes(extra, "comment"), comment);
        self.options(&item.options);
        if let Some(expect) = &item.expect {
            self.expect(expect, extra);
        }
        self.raws(&inside);
        self.close("query");
    }

    fn expect(&mut self, expect: &Expectation, extra: &[Extra]) {
        let mut attributes = String::new();
        if let Some(outcome) = expect.outcome {
            let word = match outcome {
                Outcome::Satisfied => "success",
                Outcome::NotSatisfied => "failure",
                Outcome::MaybeSatisfied => "maybe_true",
                Outcome::MaybeNotSatisfied => "maybe_false",
                Outcome::Error => "error",
            };
            attributes.push_str(&attribute("outcome", word));
        }
        match child_attributes(extra, "expect") {
            kept if kept.contains(" type=") => attributes.push_str(&kept),
            kept => attributes.push_str(&(attribute("type", "symbolic") + &kept)),
        }
        if let Some(value) = &expect.value {
            attributes.push_str(&attribute("value", value));
        }
        self.open(&format!("expect{attributes}"));
        for resource in &expect.resources {
            let digits = resource.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(resource.len());
            let (value, unit) = (&resource[..digits], resource[digits..].trim());
            let kind = if unit.to_ascii_uppercase().ends_with('B') { "memory" } else { "time" };
            self.empty(
                "resource",
                &(attribute("type", kind) + &attribute("value", value) + &attribute("unit", unit)),
            );
        }
        self.close("expect");
    }

    fn options(&mut self, options: &[(String, String)]) {
        for (key, value) in options {
            self.empty("option", &(attribute("key", key) + &attribute("value", value)));
        }
    }

    /// A label; one without text only where it had a place of its own. One
    /// that is kept as written comes with the other elements.
    fn label(&mut self, kind: &str, extra: &[Extra], text: Option<String>) {
        if elements(extra).any(|raw| is_label(raw, kind)) {
            return;
        }
        let attributes = child_attributes(extra, &format!("label:{kind}"));
        if text.is_some() || !attributes.is_empty() {
            self.text("label", &(attribute("kind", kind) + &attributes), &text.unwrap_or_default());
        }
    }

    /// An element with text; left out where it has neither text nor attributes.
    fn optional(&mut self, name: &str, extra: &[Extra], text: &str) {
        let attributes = child_attributes(extra, name);
        if !text.is_empty() || !attributes.is_empty() {
            self.text(name, &attributes, text);
        }
    }

    fn line(&mut self, text: &str) {
        for _ in 0..self.depth {
            self.out.push('\t');
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn open(&mut self, tag: &str) {
        self.line(&format!("<{tag}>"));
        self.depth += 1;
    }

    fn close(&mut self, name: &str) {
        self.depth -= 1;
        self.line(&format!("</{name}>"));
    }

    fn empty(&mut self, name: &str, attributes: &str) {
        self.line(&format!("<{name}{attributes}/>"));
    }

    fn text(&mut self, name: &str, attributes: &str, text: &str) {
        self.line(&format!("<{name}{attributes}>{}</{name}>", escaped(text)));
    }

    fn comments(&mut self, extra: &[Extra]) {
        for extra in extra {
            if let Extra::Comment(text) = extra {
                self.line(text);
            }
        }
    }

    fn elements(&mut self, extra: &[Extra]) {
        self.raws(&elements(extra).collect::<Vec<_>>());
    }

    fn raws(&mut self, elements: &[&str]) {
        for raw in elements {
            self.line(raw);
        }
    }
}

fn elements(extra: &[Extra]) -> impl Iterator<Item = &str> {
    extra.iter().filter_map(|extra| match extra {
        Extra::Element(raw) => Some(raw.as_str()),
        _ => None,
    })
}

/// Is this the text of an element of that name?
fn is_element(raw: &str, name: &str) -> bool {
    let rest = raw.strip_prefix('<').and_then(|rest| rest.strip_prefix(name));
    rest.is_some_and(|rest| rest.starts_with(['>', '/', ' ', '\t', '\r', '\n']))
}

/// Is this the text of a label of that kind?
fn is_label(raw: &str, kind: &str) -> bool {
    let tag = raw.split('>').next().unwrap_or_default();
    is_element(raw, "label")
        && [format!("\"{kind}\""), format!("'{kind}'")].iter().any(|kind| tag.contains(kind))
}

/// ` name="value"`
fn attribute(name: &str, value: &str) -> String {
    let value = escaped(value).replace('"', "&quot;").replace('\n', "&#10;").replace('\t', "&#9;");
    format!(" {name}=\"{value}\"")
}

fn own_attributes(extra: &[Extra], out: &mut String) {
    for extra in extra {
        if let Extra::Attribute(name, value) = extra {
            out.push_str(&attribute(name, value));
        }
    }
}

fn child_attributes(extra: &[Extra], child: &str) -> String {
    extra
        .iter()
        .filter_map(|extra| match extra {
            Extra::ChildAttribute(of, name, value) if of == child => Some(attribute(name, value)),
            _ => None,
        })
        .collect()
}

/// Text that XML reads as it is. A `\r` alone would be read as a line end.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\r' => out.push_str("&#13;"),
            _ => out.push(c),
        }
    }
    out
}
