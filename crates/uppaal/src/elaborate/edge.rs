//! Locations and edges of the processes.
//!
//! An edge with select variables becomes one edge for each choice of values;
//! one into a branch point becomes one for each branch, its update followed by
//! the branch's. Edges whose guard is false whatever the state are left out.

use std::collections::HashMap;

use dwell_model::expr::{Expr, Guard, Program, Stmt};
use dwell_model::{ChannelRef, Edge, EventId, Location, LocationId, LocationKind, Process, Span, Sync};
use dwell_syntax::uppaal::tree::{self, Direction, Template};

use super::address::Offset;
use super::instance::{Instance, location_name};
use super::scope::Binding;
use super::text::expression_text;
use super::types::Ty;
use super::{Elaborator, MAX_EDGES};

/// Chains of branch points are followed this far.
const MAX_BRANCHES: usize = 32;

/// What the ids of a template's edges refer to, and the edges out of each branch point.
pub(super) struct Graph<'a> {
    template: &'a Template,
    locations: HashMap<&'a str, LocationId>,
    branches: HashMap<&'a str, Vec<&'a tree::Edge>>,
}

impl<'a> Graph<'a> {
    pub fn new(template: &'a Template) -> Self {
        let locations = template.locations.iter().enumerate();
        let locations = locations.map(|(at, l)| (l.id.as_str(), LocationId::new(at))).collect();
        let mut branches: HashMap<_, Vec<_>> =
            template.branchpoints.iter().map(|b| (b.id.name.as_str(), Vec::new())).collect();
        for edge in &template.edges {
            if let Some(out) = branches.get_mut(edge.source.name.as_str()) {
                out.push(edge);
            }
        }
        Self { template, locations, branches }
    }
}

/// The values of select variables.
type Choice = Vec<(String, i32)>;

/// An edge up to its target.
#[derive(Clone)]
struct Start {
    source: LocationId,
    guard: Guard,
    sync: Sync,
    event: EventId,
    span: Span,
    select: Choice,
    body: Vec<Stmt>,
}

impl<'a> Elaborator<'a> {
    /// Locations and edges of a process whose declarations are elaborated.
    pub(super) fn process_body(&mut self, instance: &Instance, graph: &Graph<'a>) -> Process {
        let outer = self.enter(self.tables.scopes.view(instance.scope));
        let template = graph.template;
        let locations = template.locations.iter().map(|location| self.location(location)).collect();
        let initial = template.init.as_ref().and_then(|init| graph.locations.get(init.name.as_str()));
        if initial.is_none() {
            let message = format!("`{}` has no initial location", template.name.name);
            self.error("no-initial-location", template.span, message);
        }
        let mut edges = Vec::new();
        for edge in &template.edges {
            if let Some(&source) = graph.locations.get(edge.source.name.as_str()) {
                self.edges_from(graph, source, edge, &mut edges);
            } else if !graph.branches.contains_key(edge.source.name.as_str()) {
                let message = format!("there is no location `{}`", edge.source.name);
                self.error("unknown-location", edge.source.span, message);
            }
        }
        self.leave(outer);
        Process {
            name: instance.name.clone(),
            priority: instance.priority,
            locations,
            edges,
            initial: initial.copied().into_iter().collect(),
        }
    }

    fn location(&mut self, location: &'a tree::Location) -> Location {
        self.frame.temporaries = 0;
        let mut result = Location {
            name: location_name(location),
            kind: match (location.committed, location.urgent) {
                (true, _) => LocationKind::Committed,
                (false, true) => LocationKind::Urgent,
                (false, false) => LocationKind::Normal,
            },
            span: location.name.as_ref().map_or(location.span, |name| name.span),
            ..Location::default()
        };
        if let Some(invariant) = &location.invariant {
            let cond = self.cond(invariant);
            let conjunction = self.conjunction(cond, invariant.span);
            result.invariant = conjunction.guard;
            result.rates = conjunction.rates;
        }
        result
    }

    fn edges_from(
        &mut self,
        graph: &Graph<'a>,
        source: LocationId,
        edge: &'a tree::Edge,
        out: &mut Vec<Edge>,
    ) {
        self.selected(edge, &mut Vec::new(), &mut |this, select| {
            this.frame.temporaries = 0;
            let guard = this.edge_guard(edge);
            if guard.discrete.first() == Some(&Expr::Const(0)) {
                return;
            }
            let (sync, event) = this.sync(edge);
            let mut body = Vec::new();
            edge.update.iter().for_each(|e| this.effect(e, &mut body));
            let select = select.clone();
            let start = Start { source, guard, sync, event, span: edge.span, select, body };
            this.ends(graph, start, &edge.target, 0, out);
        });
    }

    /// Calls `each` for every choice of the select variables.
    fn selected(
        &mut self,
        edge: &'a tree::Edge,
        values: &mut Choice,
        each: &mut dyn FnMut(&mut Self, &Choice),
    ) {
        let Some(select) = edge.select.get(values.len()) else {
            self.choices += 1;
            if self.choices <= MAX_EDGES {
                each(self, values);
            } else if self.choices == MAX_EDGES + 1 {
                self.error("model-too-large", edge.span, format!("there are more than {MAX_EDGES} edges"));
            }
            return;
        };
        let (low, high) = self.values_of(&select.ty);
        for value in low..=high {
            if self.choices > MAX_EDGES {
                return;
            }
            values.push((select.name.name.clone(), value));
            self.frame.names.push((&select.name.name, Binding::Constant(value)));
            self.selected(edge, values, each);
            self.frame.names.pop();
            values.pop();
        }
    }

    fn edge_guard(&mut self, edge: &'a tree::Edge) -> Guard {
        let Some(guard) = &edge.guard else { return Guard::default() };
        let cond = self.cond(guard);
        let conjunction = self.conjunction(cond, guard.span);
        if !conjunction.rates.is_empty() {
            self.unsupported("a clock rate in a guard", guard.span);
        }
        conjunction.guard
    }

    /// Completes an edge at its target, or at the targets of a branch point.
    fn ends(
        &mut self,
        graph: &Graph<'a>,
        start: Start,
        target: &'a tree::Ident,
        depth: usize,
        out: &mut Vec<Edge>,
    ) {
        if let Some(&target) = graph.locations.get(target.name.as_str()) {
            let Start { source, guard, sync, event, span, select, body } = start;
            let update = Program { locals: 0, body };
            out.push(Edge { source, target, guard, update, sync, event, span, select });
            return;
        }
        let Some(branches) = graph.branches.get(target.name.as_str()) else {
            let message = format!("there is no location `{}`", target.name);
            self.error("unknown-location", target.span, message);
            return;
        };
        if depth >= MAX_BRANCHES {
            self.error("branch-circle", target.span, "these branch points lead nowhere");
            return;
        }
        for &branch in branches {
            if branch.guard.is_some() || branch.sync.is_some() {
                self.unsupported("a guard or synchronisation on a branch", branch.span);
            }
            // The names selected by the first edge are not the branch's.
            let hidden = std::mem::take(&mut self.frame.names);
            self.selected(branch, &mut Vec::new(), &mut |this, select| {
                let mut start = start.clone();
                start.select.extend_from_slice(select);
                branch.update.iter().for_each(|e| this.effect(e, &mut start.body));
                this.ends(graph, start, &branch.target, depth + 1, out);
            });
            self.frame.names = hidden;
        }
    }

    fn sync(&mut self, edge: &'a tree::Edge) -> (Sync, EventId) {
        let Some(label) = &edge.sync else { return (Sync::Internal, self.event("tau".to_owned())) };
        if label.direction == Direction::Csp {
            self.unsupported("synchronisation without `!` and `?`", label.span);
            return (Sync::Internal, self.event("tau".to_owned()));
        }
        let place = match self.place(&label.channel) {
            Some(place) if matches!(place.ty, Ty::Channel { .. }) => place,
            _ => {
                self.bad("a channel is expected here", label.channel.span);
                return (Sync::Internal, self.event("tau".to_owned()));
            }
        };
        let channel = self.channel_at(self.address(&place, 0, 1, Offset::Known(0)));
        let (first, _) = channel.range();
        let name = match (&channel, self.network.channels.get(first.index())) {
            (ChannelRef::Fixed(_), Some(channel)) => channel.name.clone(),
            _ => expression_text(&label.channel),
        };
        match label.direction {
            Direction::Receive => (Sync::Receive(channel), self.event(format!("{name}?"))),
            _ => (Sync::Send(channel), self.event(format!("{name}!"))),
        }
    }

    fn event(&mut self, label: String) -> EventId {
        if let Some(&event) = self.events.get(&label) {
            return event;
        }
        let event = EventId::new(self.network.events.len());
        self.network.events.push(label.clone());
        self.events.insert(label, event);
        event
    }
}
