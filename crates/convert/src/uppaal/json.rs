//! A model as JSON, for tools of other languages.
//!
//! The shape, version 1; keys are always there but for those marked `?`, and
//! texts are in the new syntax:
//!
//! ```text
//! { "format": "dwell-uppaal", "version": 1,
//!   "declarations": text,
//!   "templates": [ { "name", "parameters": text, "declarations": text, "init"?: id,
//!       "locations": [ { "id", "name"?, "invariant"?, "rate"?, "urgent", "committed", "x"?, "y"? } ],
//!       "branchpoints": [ { "id", "x"?, "y"? } ],
//!       "edges": [ { "source": id, "target": id, "controllable",
//!                    "select"?, "guard"?, "sync"?, "update"?, "probability"? } ] } ],
//!   "system": text, "processes": [ [ name ] ],
//!   "options": [ [ key, value ] ],
//!   "queries": [ { "text", "comment"?, "options": [ [ key, value ] ],
//!       "expect"?: { "outcome"?, "value"?, "resources": [ text ] } } ] }
//! ```
//!
//! `processes` lists the levels of priority from low to high. Outcomes are
//! `satisfied`, `not-satisfied`, `maybe-satisfied`, `maybe-not-satisfied` and
//! `error`. Keys may be added within a version, none changes its meaning.

use super::{attribute, block, print, system};
use dwell_syntax::uppaal::tree::{
    Branchpoint, Document, Edge, Extra, Location, Outcome, QueryItem, Template,
};
use serde::Serialize;

/// A model as JSON, indented.
pub fn to_json(document: &Document) -> String {
    let model = Model {
        format: "dwell-uppaal",
        version: 1,
        declarations: block(&document.declarations, document.syntax),
        templates: document.templates.iter().map(|t| template(t, document)).collect(),
        system: system(document),
        processes: document
            .system
            .levels
            .iter()
            .map(|level| level.iter().map(|name| name.name.as_str()).collect())
            .collect(),
        options: &document.options,
        queries: document.queries.iter().map(query).collect(),
    };
    let mut text = serde_json::to_string_pretty(&model).expect("strings, numbers and lists are JSON");
    text.push('\n');
    text
}

#[derive(Serialize)]
struct Model<'d> {
    format: &'static str,
    version: u32,
    declarations: String,
    templates: Vec<TemplateShape<'d>>,
    system: String,
    processes: Vec<Vec<&'d str>>,
    options: &'d [(String, String)],
    queries: Vec<QueryShape<'d>>,
}

#[derive(Serialize)]
struct TemplateShape<'d> {
    name: &'d str,
    parameters: String,
    declarations: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    init: Option<&'d str>,
    locations: Vec<LocationShape<'d>>,
    branchpoints: Vec<BranchpointShape<'d>>,
    edges: Vec<EdgeShape<'d>>,
}

#[derive(Serialize)]
struct LocationShape<'d> {
    id: &'d str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'d str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    invariant: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rate: Option<String>,
    urgent: bool,
    committed: bool,
    #[serde(flatten)]
    place: Place,
}

#[derive(Serialize)]
struct BranchpointShape<'d> {
    id: &'d str,
    #[serde(flatten)]
    place: Place,
}

#[derive(Serialize)]
struct Place {
    #[serde(skip_serializing_if = "Option::is_none")]
    x: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    y: Option<i64>,
}

#[derive(Serialize)]
struct EdgeShape<'d> {
    source: &'d str,
    target: &'d str,
    controllable: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    select: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    guard: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sync: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    update: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    probability: Option<String>,
}

#[derive(Serialize)]
struct QueryShape<'d> {
    text: &'d str,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<&'d str>,
    options: &'d [(String, String)],
    #[serde(skip_serializing_if = "Option::is_none")]
    expect: Option<ExpectShape<'d>>,
}

#[derive(Serialize)]
struct ExpectShape<'d> {
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'d str>,
    resources: &'d [String],
}

fn template<'d>(template: &'d Template, document: &Document) -> TemplateShape<'d> {
    TemplateShape {
        name: &template.name.name,
        parameters: print::parameters(&template.params),
        declarations: block(&template.declarations, document.syntax),
        init: template.init.as_ref().map(|init| init.name.as_str()),
        locations: template.locations.iter().map(location).collect(),
        branchpoints: template.branchpoints.iter().map(branchpoint).collect(),
        edges: template.edges.iter().map(edge).collect(),
    }
}

fn location(location: &Location) -> LocationShape<'_> {
    LocationShape {
        id: &location.id,
        name: location.name.as_ref().map(|name| name.name.as_str()),
        invariant: location.invariant.as_ref().map(print::expr),
        rate: location.rate.as_ref().map(print::rate),
        urgent: location.urgent,
        committed: location.committed,
        place: place(&location.extra),
    }
}

fn branchpoint(branchpoint: &Branchpoint) -> BranchpointShape<'_> {
    BranchpointShape { id: &branchpoint.id.name, place: place(&branchpoint.extra) }
}

fn place(extra: &[Extra]) -> Place {
    let coordinate = |name| attribute(extra, name).and_then(|value| value.trim().parse().ok());
    Place { x: coordinate("x"), y: coordinate("y") }
}

fn edge(edge: &Edge) -> EdgeShape<'_> {
    EdgeShape {
        source: &edge.source.name,
        target: &edge.target.name,
        controllable: edge.controllable,
        select: (!edge.select.is_empty()).then(|| print::selects(&edge.select)),
        guard: edge.guard.as_ref().map(print::expr),
        sync: edge.sync.as_ref().map(print::sync),
        update: (!edge.update.is_empty()).then(|| print::exprs(&edge.update)),
        probability: edge.probability.as_ref().map(print::expr),
    }
}

fn query(item: &QueryItem) -> QueryShape<'_> {
    QueryShape {
        text: &item.text,
        comment: item.comment.as_deref(),
        options: &item.options,
        expect: item.expect.as_ref().map(|expect| ExpectShape {
            outcome: expect.outcome.map(|outcome| match outcome {
                Outcome::Satisfied => "satisfied",
                Outcome::NotSatisfied => "not-satisfied",
                Outcome::MaybeSatisfied => "maybe-satisfied",
                Outcome::MaybeNotSatisfied => "maybe-not-satisfied",
                Outcome::Error => "error",
            }),
            value: expect.value.as_deref(),
            resources: &expect.resources,
        }),
    }
}
