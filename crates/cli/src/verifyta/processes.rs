//! The processes of a model as UPPAAL counts their edges.
//!
//! A network has one edge for each choice of select variables and for each
//! branch; a template has one with selects, and trace files name that one and
//! the values chosen. So every edge of the network belongs to a *row*: an edge
//! of the template, with the branches behind it. Rows are numbered from 0 in
//! the order of the template, for each process.

use dwell_convert::uppaal::print;
use dwell_engine::model_ir::{self, EdgeId, LocationId, Process, ProcessId};
use dwell_engine::syntax::uppaal::tree::{Decl, Document, Edge, Expr, ExprKind, Template};
use dwell_engine::{Model, Network, Span};
use std::collections::HashMap;

/// Chains of branch points are followed this far, as when models are read.
const MAX_BRANCHES: usize = 32;

/// All processes of a model.
pub struct Processes<'m> {
    /// The model's network.
    pub network: &'m Network,
    processes: Vec<Rows<'m>>,
}

/// One process.
struct Rows<'m> {
    template: &'m Template,
    rows: Vec<Row<'m>>,
    /// The row of each edge of the network.
    of: Vec<usize>,
}

/// An edge of a template, with the branches behind it.
pub struct Row<'m> {
    /// From.
    pub source: LocationId,
    /// To.
    pub target: LocationId,
    edge: &'m Edge,
    branches: Vec<&'m Edge>,
}

impl<'m> Processes<'m> {
    /// The processes of a model in UPPAAL's language.
    pub fn new(model: &'m Model) -> Result<Self, String> {
        let Some(document) = model.document() else {
            return Err(
                "only models in UPPAAL's language have traces and compiled models in its formats".into()
            );
        };
        let network = model.network();
        let rows = network.processes.iter().map(|process| {
            let found = template(document, &process.name).and_then(|template| Rows::new(process, template));
            let bug = || format!("this is a bug in dwell: the template of {} is not found", process.name);
            found.ok_or_else(bug)
        });
        Ok(Self { network, processes: rows.collect::<Result<_, _>>()? })
    }

    /// The rows of a process.
    pub fn rows(&self, process: usize) -> &[Row<'m>] {
        &self.processes[process].rows
    }

    /// The number of the row an edge belongs to.
    pub fn row_of(&self, process: ProcessId, edge: EdgeId) -> usize {
        self.processes[process.index()].of[edge.index()]
    }

    /// The invariant of a location, as it was written.
    pub fn invariant(&self, process: usize, location: usize) -> String {
        let location = self.processes[process].template.locations.get(location);
        location.and_then(|location| location.invariant.as_ref()).map_or_else(nothing, print::expr)
    }
}

/// What stands for a guard, an update or an invariant where there is none.
fn nothing() -> String {
    "1".into()
}

impl<'m> Rows<'m> {
    /// `None` if the process is not of this template.
    fn new(process: &Process, template: &'m Template) -> Option<Self> {
        let graph = Graph::new(template);
        let mut made: HashMap<Span, Vec<usize>> = HashMap::new();
        for (at, edge) in process.edges.iter().enumerate() {
            made.entry(edge.span).or_default().push(at);
        }
        let mut rows = Vec::new();
        let mut of = vec![None; process.edges.len()];
        for edge in &template.edges {
            let Some(&source) = graph.locations.get(edge.source.name.as_str()) else { continue };
            let made = made.get(&edge.span);
            // Of an edge that can never be taken nobody counted the branches: there may be too many.
            if made.is_none() && graph.branches.contains_key(edge.target.name.as_str()) {
                continue;
            }
            let first = rows.len();
            graph.ends(edge, &mut Vec::new(), &mut |target, branches| {
                rows.push(Row { source, target, edge, branches: branches.to_vec() });
            });
            let count = rows.len() - first;
            // For each choice of values the branches come in the same order.
            let mut next = 0;
            for &at in made.into_iter().flatten() {
                let candidates = (0..count).map(|after| (next + after) % count);
                let row = candidates.into_iter().find(|row| rows[first + row].makes(&process.edges[at]))?;
                of[at] = Some(first + row);
                next = row + 1;
            }
        }
        Some(Self { template, rows, of: of.into_iter().collect::<Option<_>>()? })
    }
}

/// What the ids of a template's edges refer to.
struct Graph<'m> {
    locations: HashMap<&'m str, LocationId>,
    /// The edges out of each branch point.
    branches: HashMap<&'m str, Vec<&'m Edge>>,
}

impl<'m> Graph<'m> {
    fn new(template: &'m Template) -> Self {
        let locations = template.locations.iter().enumerate();
        let mut branches: HashMap<&str, Vec<&Edge>> =
            template.branchpoints.iter().map(|point| (point.id.name.as_str(), Vec::new())).collect();
        for edge in &template.edges {
            if let Some(out) = branches.get_mut(edge.source.name.as_str()) {
                out.push(edge);
            }
        }
        Self { locations: locations.map(|(at, l)| (l.id.as_str(), LocationId::new(at))).collect(), branches }
    }

    /// Calls `each` for the targets of an edge, with the branches that lead there.
    fn ends(&self, edge: &Edge, taken: &mut Vec<&'m Edge>, each: &mut dyn FnMut(LocationId, &[&'m Edge])) {
        if let Some(&target) = self.locations.get(edge.target.name.as_str()) {
            each(target, taken);
        } else if taken.len() < MAX_BRANCHES {
            for &branch in self.branches.get(edge.target.name.as_str()).into_iter().flatten() {
                taken.push(branch);
                self.ends(branch, taken, each);
                taken.pop();
            }
        }
    }
}

impl Row<'_> {
    /// Its guard, as it was written.
    pub fn guard(&self) -> String {
        self.edge.guard.as_ref().map_or_else(nothing, print::expr)
    }

    /// Its synchronisation, as it was written.
    pub fn sync(&self) -> Option<String> {
        self.edge.sync.as_ref().map(print::sync)
    }

    /// Its update, with those of the branches; `:=` for `=` where asked for.
    pub fn update(&self, becomes: &str) -> String {
        let all = std::iter::once(&self.edge).chain(&self.branches).flat_map(|edge| &edge.update);
        let text = |expr: &Expr| match &expr.kind {
            ExprKind::Assign(None, left, right) => {
                format!("{} {becomes} {}", print::expr(left), print::expr(right))
            }
            _ => print::expr(expr),
        };
        let texts: Vec<String> = all.map(text).collect();
        if texts.is_empty() { nothing() } else { texts.join(", ") }
    }

    /// Whether an edge of the network can come from this row.
    fn makes(&self, edge: &model_ir::Edge) -> bool {
        let selects = std::iter::once(&self.edge).chain(&self.branches).flat_map(|edge| &edge.select);
        edge.target == self.target
            && selects.map(|select| &select.name.name).eq(edge.select.iter().map(|(name, _)| name))
    }
}

/// The template of a process: its name without arguments, through as many
/// instantiations as there are.
fn template<'m>(document: &'m Document, process: &str) -> Option<&'m Template> {
    let mut name = process.split('(').next()?;
    let declared = &document.system.declarations.items;
    for _ in 0..=declared.len() {
        let made = declared.iter().find_map(|item| match item {
            Decl::Instantiation(made) if made.name.name == name => Some(made),
            _ => None,
        });
        match made {
            Some(made) => name = &made.template.name,
            None => break,
        }
    }
    document.templates.iter().find(|template| template.name.name == name)
}
