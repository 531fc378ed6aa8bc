//! The processes of a model as UPPAAL counts their edges.
//!
//! A network has one edge for each choice of select variables and for each
//! branch; a template has one with selects, and trace files name that one and
//! the values chosen. So every edge of the network belongs to a *row*: an edge
//! of the template, with the branches behind it. Rows are numbered from 0 in
//! the order of the template, for each process.

use dwell_convert::uppaal::print;
use dwell_engine::model_ir::{EdgeId, LocationId, ProcessId};
use dwell_engine::syntax::uppaal::tree::{Decl, Document, Edge, Expr, ExprKind, Template};
use dwell_engine::{Model, Network};

/// Chains of branch points are followed this far, as when models are read.
const MAX_BRANCHES: usize = 32;

/// All processes of a model.
pub struct Processes<'m> {
    /// The model's network.
    pub network: &'m Network,
    processes: Vec<Rows<'m>>,
}

/// One process.
#[derive(Default)]
struct Rows<'m> {
    template: Option<&'m Template>,
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
        let rows = network.processes.iter().enumerate().map(|(at, process)| {
            let template = template(document, &process.name);
            template.map(|template| Rows::new(network, at, template)).unwrap_or_default()
        });
        Ok(Self { network, processes: rows.collect() })
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
        let location = self.processes[process].template.and_then(|template| template.locations.get(location));
        location.and_then(|location| location.invariant.as_ref()).map_or_else(nothing, print::expr)
    }
}

/// What stands for a guard, an update or an invariant where there is none.
fn nothing() -> String {
    "1".into()
}

impl<'m> Rows<'m> {
    fn new(network: &Network, process: usize, template: &'m Template) -> Self {
        let edges = &network.processes[process].edges;
        let mut rows = Vec::new();
        let mut of = vec![0; edges.len()];
        for edge in &template.edges {
            let Some(source) = location(template, &edge.source.name) else { continue };
            let first = rows.len();
            let mut branches = Vec::new();
            paths(template, edge, &mut branches, &mut |target, branches| {
                rows.push(Row { source, target, edge, branches: branches.to_vec() });
            });
            let count = rows.len() - first;
            // For each choice of values the branches come in the same order.
            let mut last = count.wrapping_sub(1);
            for (at, found) in edges.iter().enumerate().filter(|(_, found)| found.span == edge.span) {
                let next = (1..=count).map(|after| last.wrapping_add(after) % count);
                last = next.into_iter().find(|&row| rows[first + row].makes(found)).unwrap_or(last);
                of[at] = first + last;
            }
        }
        Self { template: Some(template), rows, of }
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
    fn makes(&self, edge: &dwell_engine::model_ir::Edge) -> bool {
        let selects = std::iter::once(&self.edge).chain(&self.branches).flat_map(|edge| &edge.select);
        edge.target == self.target
            && selects.map(|select| &select.name.name).eq(edge.select.iter().map(|(name, _)| name))
    }
}

fn location(template: &Template, id: &str) -> Option<LocationId> {
    template.locations.iter().position(|location| location.id == id).map(LocationId::new)
}

/// Calls `each` for the targets of an edge, with the branches that lead there.
fn paths<'m>(
    template: &'m Template,
    edge: &'m Edge,
    branches: &mut Vec<&'m Edge>,
    each: &mut dyn FnMut(LocationId, &[&'m Edge]),
) {
    if let Some(target) = location(template, &edge.target.name) {
        each(target, branches);
    } else if branches.len() < MAX_BRANCHES {
        for branch in template.edges.iter().filter(|branch| branch.source.name == edge.target.name) {
            branches.push(branch);
            paths(template, branch, branches, each);
            branches.pop();
        }
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
