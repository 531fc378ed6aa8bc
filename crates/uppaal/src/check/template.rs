//! Templates: locations, edges, and how they hang together.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use dwell_syntax::Span;
use dwell_syntax::uppaal::tree::{Direction, Edge, Ident, Location, Template as Written};

use super::codes;
use super::context::Context;
use super::facts::{EdgeFacts, TemplateFacts};
use super::scope::{FrameKind, Kind, Owner, Template};
use super::types::Ty;

/// What an edge can start from or lead to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Node {
    Location,
    Branchpoint,
}

impl Context {
    /// Checks a template and declares it.
    pub fn template(&mut self, origin: usize, written: &Written) {
        self.sizing = HashSet::new();
        self.scopes.enter(FrameKind::Template);
        let params = self.parameters(&written.params, Owner::Template);
        self.declarations(&written.declarations.items);
        let nodes = self.nodes(written);
        let mut facts = TemplateFacts::default();
        for location in &written.locations {
            let mark = self.mark();
            self.location(location, &mut facts);
            self.forget(mark);
        }
        if self.reports_missing_init || written.init.is_some() {
            self.initial_location(written, &nodes);
        }
        for edge in &written.edges {
            let mark = self.mark();
            let found = self.edge(edge, &nodes);
            facts.edges.push(found);
            self.forget(mark);
        }
        self.facts.templates.push(facts);
        let template = Template {
            name: written.name.name.as_str().into(),
            params,
            members: self.scopes.leave(),
            sizing: std::mem::take(&mut self.sizing),
            origin,
            bindings: Vec::new(),
        };
        self.declare(&written.name, Kind::Template(Rc::new(template)), Ty::Void);
    }

    /// Declares locations and branch points; finds them by id.
    fn nodes<'w>(&mut self, written: &'w Written) -> HashMap<&'w str, Node> {
        let mut nodes = HashMap::new();
        for location in &written.locations {
            nodes.insert(location.id.as_str(), Node::Location);
            match &location.name {
                Some(name) => {
                    self.declare(name, Kind::Location, Ty::Void);
                    if name.name == "__RESET__" {
                        let message = "the special location `__RESET__` is deprecated";
                        self.out.warning(codes::RESET_LOCATION, name.span, message);
                    }
                }
                None => {
                    let name = Ident { name: format!("_{}", location.id), span: location.span };
                    let symbol = self.symbol(&name, Kind::Location, Ty::Void);
                    // A clash of invented names is nobody's mistake.
                    self.scopes.declare(symbol);
                }
            }
        }
        for point in &written.branchpoints {
            nodes.insert(point.id.name.as_str(), Node::Branchpoint);
            let symbol = self.symbol(&point.id, Kind::Branchpoint, Ty::Void);
            self.scopes.declare(symbol);
        }
        nodes
    }

    fn initial_location(&mut self, written: &Written, nodes: &HashMap<&str, Node>) {
        let name = &written.name;
        match &written.init {
            None => {
                let message = format!("`{}` has no initial location", name.name);
                self.out.error(codes::MISSING_INIT, name.span, message);
            }
            Some(init) => match nodes.get(init.name.as_str()) {
                Some(Node::Location) => {}
                Some(Node::Branchpoint) => {
                    let message = format!("`{}` cannot start in a branch point", name.name);
                    self.out.error(codes::LOCATION_EXPECTED, init.span, message);
                }
                None => self.unknown_node(init, nodes),
            },
        }
    }

    fn unknown_node(&mut self, id: &Ident, nodes: &HashMap<&str, Node>) {
        let mut ids: Vec<&str> = nodes.keys().copied().collect();
        ids.sort_unstable();
        let near = dwell_syntax::closest(&id.name, ids);
        let message = format!("there is no location `{}` in this template", id.name);
        let report = self.out.error(codes::UNKNOWN_LOCATION, id.span, message);
        if let Some(near) = near {
            report.help(format!("did you mean `{near}`?"));
        }
    }

    fn location(&mut self, location: &Location, facts: &mut TemplateFacts) {
        if location.urgent && location.committed {
            let (what, span) = match &location.name {
                Some(name) => (format!("`{}`", name.name), name.span),
                None => ("the location".to_owned(), location.span),
            };
            let message = format!("{what} is both urgent and committed");
            self.out
                .error(codes::COMMITTED_URGENT, span, message)
                .help("a committed location is urgent anyway: leave out `urgent`");
        }
        if let Some(invariant) = &location.invariant {
            self.invariant(invariant, facts);
        }
        if let Some((rate, of)) = &location.rate {
            self.weight(rate, "a rate");
            if let Some(of) = of {
                self.weight(of, "a rate");
            }
        }
    }

    fn edge(&mut self, edge: &Edge, nodes: &HashMap<&str, Node>) -> EdgeFacts {
        let source = nodes.get(edge.source.name.as_str());
        if source.is_none() {
            self.unknown_node(&edge.source, nodes);
        }
        if !nodes.contains_key(edge.target.name.as_str()) {
            self.unknown_node(&edge.target, nodes);
        }
        if source == Some(&Node::Branchpoint) {
            self.branch_labels(edge);
        }
        self.scopes.enter(FrameKind::Inner);
        for select in &edge.select {
            self.select(select);
        }
        let mut facts = EdgeFacts::default();
        let before_guard = self.mark();
        let guard = edge.guard.as_ref().map(|guard| self.guard(guard, &mut facts));
        if let Some(sync) = &edge.sync {
            let kind = self.sync(sync, &mut facts);
            let alone = sync.direction == Direction::Send && kind.is_some_and(|kind| kind.broadcast);
            facts.needs_partner = !alone;
            if let (Some(kind), Some(Ty::Constraint(_)), Some(written)) = (kind, guard, &edge.guard)
                && kind.urgent
            {
                self.urgent_guard(written, before_guard);
            }
        }
        let mark = self.mark();
        for update in &edge.update {
            self.effect(update);
        }
        facts.writes = self.writes_since(mark).iter().map(|(symbol, _)| symbol.id).collect();
        if let Some(weight) = &edge.probability {
            self.weight(weight, "a weight");
        }
        self.scopes.leave();
        facts
    }

    /// A branch was chosen by what led to the branch point. UPPAAL says
    /// nothing about such labels.
    fn branch_labels(&mut self, edge: &Edge) {
        let mut report = |span: Span, what: &str| {
            let message = format!("an edge out of a branch point should have no {what}");
            self.out
                .warning(codes::BRANCHPOINT_LABEL, span, message)
                .help("put it on the edge that leads to the branch point");
        };
        if let Some(first) = edge.select.first() {
            report(first.name.span, "selection");
        }
        if let Some(guard) = &edge.guard {
            report(guard.span, "guard");
        }
        if let Some(sync) = &edge.sync {
            report(sync.span, "synchronisation");
        }
    }
}
