//! Lowering of declarations.

use std::collections::{HashMap, HashSet};

use dwell_syntax::tchecker::{
    Attribute, AttributeKind, Declaration, DeclarationKind, Integer, Keyword, Name, SyncMember as Member,
    Tree,
};
use dwell_syntax::{Diagnostics, Span};

use super::names::{Kind, Later, Table, Unknown, Variable};
use super::{MAX_CLOCKS, MAX_SLOTS};
use crate::expr::{Expr, Guard, Program};
use crate::{
    Clock, ClockId, Edge, EventId, LabelId, Location, LocationId, LocationKind, Network, OutOfRange, Process,
    ProcessId, Strength, Sync, SyncMember, SyncVector, Var, VarId,
};

/// The state of lowering one tree.
pub(super) struct Lowering<'t, 'd> {
    pub tree: &'t Tree,
    pub diagnostics: &'d mut Diagnostics,
    pub network: Network,
    pub variables: HashMap<&'t str, Variable>,
    pub unknown: Unknown,
    pub later: Later<'t>,
    processes: Table<'t>,
    process_spans: Vec<Span>,
    events: Table<'t>,
    /// Locations of each process.
    locations: Vec<Table<'t>>,
    labels: HashMap<&'t str, LabelId>,
    /// What is lowered when all variables are known: the attributes of each
    /// location and edge, by process and number.
    location_attributes: Vec<(ProcessId, LocationId, &'t [Attribute])>,
    edge_attributes: Vec<(ProcessId, usize, &'t [Attribute])>,
    weak: HashSet<(ProcessId, EventId)>,
    /// Local variables of the edge at hand, in order of declaration.
    pub locals: Vec<(&'t str, Variable)>,
    pub local_slots: u32,
}

impl<'t, 'd> Lowering<'t, 'd> {
    pub fn new(tree: &'t Tree, diagnostics: &'d mut Diagnostics) -> Self {
        Self {
            tree,
            diagnostics,
            network: Network { out_of_range: OutOfRange::Error, ..Network::default() },
            variables: HashMap::new(),
            unknown: Unknown::default(),
            later: Later::new(tree),
            processes: Table::default(),
            process_spans: Vec::new(),
            events: Table::default(),
            locations: Vec::new(),
            labels: HashMap::new(),
            location_attributes: Vec::new(),
            edge_attributes: Vec::new(),
            weak: HashSet::new(),
            locals: Vec::new(),
            local_slots: 0,
        }
    }

    /// Lowers everything. The network makes sense only without errors.
    pub fn run(mut self) -> Network {
        let system = self.system();
        for declaration in &self.tree.declarations {
            self.declaration(declaration);
        }
        for (process, location, attributes) in std::mem::take(&mut self.location_attributes) {
            self.location_attributes(process, location, attributes);
        }
        for (process, edge, attributes) in std::mem::take(&mut self.edge_attributes) {
            self.edge_attributes(process, edge, attributes);
        }
        self.synchronised_edges();
        self.missing(system);
        self.network
    }

    /// Checks that the file has one `system` declaration, at its beginning,
    /// and returns its name.
    fn system(&mut self) -> Option<&'t Name> {
        let tree = self.tree;
        let lost = tree.broken.iter().any(|k| k.is_none_or(|k| k == Keyword::System));
        let mut systems = tree.declarations.iter().enumerate().filter_map(|(i, d)| match &d.kind {
            DeclarationKind::System { name } => Some((i, name)),
            _ => None,
        });
        let help = "the first declaration is `system:NAME`";
        let Some((position, name)) = systems.next() else {
            match tree.declarations.first() {
                _ if lost => {}
                Some(first) => {
                    let span = first_word(first);
                    self.diagnostics
                        .error("missing-system", span, "the file does not declare a system")
                        .help(help);
                }
                None if tree.broken.is_empty() => {
                    let span = Span::default();
                    self.diagnostics.error("empty-file", span, "the file declares nothing").help(help);
                }
                None => {}
            }
            return None;
        };
        if position > 0 {
            let span = first_word(&tree.declarations[0]);
            let message = "the declaration of the system must come first";
            self.diagnostics.error("system-not-first", span, message).help(help);
        }
        for (_, second) in systems {
            let message = format!("the system is already declared as `{}`", name.text);
            self.diagnostics
                .error("duplicate-system", second.span, message)
                .help("a file declares one system; remove this line");
        }
        self.network.name.clone_from(&name.text);
        Some(name)
    }

    fn declaration(&mut self, declaration: &'t Declaration) {
        match &declaration.kind {
            DeclarationKind::System { .. } => {}
            DeclarationKind::Process { name } => {
                if !self.processes.declare(name) {
                    return self.duplicate("duplicate-process", "process", name, "");
                }
                self.process_spans.push(name.span);
                self.locations.push(Table::default());
                self.network.processes.push(Process { name: name.text.clone(), ..Process::default() });
            }
            DeclarationKind::Event { name } => {
                if !self.events.declare(name) {
                    return self.duplicate("duplicate-event", "event", name, "");
                }
                self.network.events.push(name.text.clone());
            }
            DeclarationKind::Clock { size, name } => self.clock(*size, name),
            DeclarationKind::Int { size, min, max, init, name } => self.int(*size, [*min, *max, *init], name),
            DeclarationKind::Location { process, name } => {
                self.location(process, name, &declaration.attributes)
            }
            DeclarationKind::Edge { process, source, target, event } => {
                self.edge(process, [source, target], event, declaration);
            }
            DeclarationKind::Sync { members } => self.sync(members),
        }
    }

    fn duplicate(&mut self, code: &'static str, noun: &str, name: &Name, place: &str) {
        let message = format!("{noun} `{}` is already declared{place}", name.text);
        self.diagnostics
            .error(code, name.span, message)
            .help("remove this declaration or choose another name");
    }

    /// The size of a declaration of clocks or integers, at least 1. `None`
    /// when there would be too many.
    fn size(&mut self, size: Integer, have: usize, most: usize, noun: &str) -> Option<u32> {
        if size.value < 1 {
            self.diagnostics
                .error("bad-size", size.span, format!("the size is {}, less than 1", size.value))
                .help("the size of a single variable is 1");
            return Some(1);
        }
        if have + size.value as usize > most {
            let message = format!("more than {most} {noun} are declared");
            self.diagnostics
                .error("too-many-variables", size.span, message)
                .help("the first number is the size of an array; is it the one you meant?");
            return None;
        }
        Some(size.value as u32)
    }

    /// Whether a variable's name is new; complains if not.
    fn fresh(&mut self, name: &Name) -> bool {
        let noun = match self.variables.get(name.text.as_str()) {
            None => return true,
            Some(Variable::Clock { .. }) => "clock",
            Some(_) => "integer",
        };
        self.duplicate("duplicate-variable", noun, name, "");
        false
    }

    fn clock(&mut self, size: Integer, name: &'t Name) {
        let len = self.size(size, self.network.clocks.len(), MAX_CLOCKS, "clocks");
        if !self.fresh(name) {
            return;
        }
        let len = len.unwrap_or(1);
        let first = ClockId::new(self.network.clocks.len());
        self.variables.insert(&name.text, Variable::Clock { first, len });
        self.network.clocks.extend((0..len).map(|i| Clock { name: slot_name(&name.text, i, len), init: 0 }));
    }

    fn int(&mut self, size: Integer, [min, max, init]: [Integer; 3], name: &'t Name) {
        let len = self.size(size, self.network.vars.len(), MAX_SLOTS, "integer variables");
        if min.value > max.value {
            let message = format!("the range from {} to {} is empty", min.value, max.value);
            self.diagnostics
                .error("empty-range", min.span.to(max.span), message)
                .help("the least value comes first");
        } else if !(min.value..=max.value).contains(&init.value) {
            let message = format!("the initial value {} is not in {}..{}", init.value, min.value, max.value);
            self.diagnostics
                .error("initial-value-out-of-range", init.span, message)
                .help("the fields are `int:SIZE:MIN:MAX:INIT:NAME`");
        }
        if !self.fresh(name) {
            return;
        }
        let len = len.unwrap_or(1);
        let first = VarId::new(self.network.vars.len());
        self.variables.insert(&name.text, Variable::Int { first, len });
        self.network.vars.extend((0..len).map(|i| Var {
            name: slot_name(&name.text, i, len),
            min: min.value,
            max: max.value,
            init: init.value,
            kind: crate::VarKind::State,
        }));
    }

    fn process_id(&mut self, name: &Name) -> Option<ProcessId> {
        let id = self.processes.get(&name.text).map(ProcessId::new);
        if id.is_none() {
            let broken = &self.tree.broken;
            let near = self.processes.names();
            self.unknown.report(Kind::Process, name, "", &self.later, near, broken, self.diagnostics);
        }
        id
    }

    fn event_id(&mut self, name: &Name) -> Option<EventId> {
        let id = self.events.get(&name.text).map(EventId::new);
        if id.is_none() {
            let broken = &self.tree.broken;
            let near = self.events.names();
            self.unknown.report(Kind::Event, name, "", &self.later, near, broken, self.diagnostics);
        }
        id
    }

    fn location_id(&mut self, process: ProcessId, scope: &Name, name: &Name) -> Option<LocationId> {
        let table = &self.locations[process.index()];
        let id = table.get(&name.text).map(LocationId::new);
        if id.is_none() {
            let (near, broken) = (table.names(), &self.tree.broken);
            self.unknown.report(
                Kind::Location,
                name,
                &scope.text,
                &self.later,
                near,
                broken,
                self.diagnostics,
            );
        }
        id
    }

    fn location(&mut self, process: &'t Name, name: &'t Name, attributes: &'t [Attribute]) {
        let Some(id) = self.process_id(process) else { return };
        if !self.locations[id.index()].declare(name) {
            let place = format!(" in process `{}`", process.text);
            return self.duplicate("duplicate-location", "location", name, &place);
        }
        let locations = &mut self.network.processes[id.index()].locations;
        self.location_attributes.push((id, LocationId::new(locations.len()), attributes));
        locations.push(Location { name: name.text.clone(), span: name.span, ..Location::default() });
    }

    fn edge(&mut self, process: &Name, ends: [&Name; 2], event: &Name, declaration: &'t Declaration) {
        let id = self.process_id(process);
        let [source, target] = ends.map(|name| self.location_id(id?, process, name));
        let event = self.event_id(event);
        let (Some(id), Some(source), Some(target), Some(event)) = (id, source, target, event) else { return };
        let edges = &mut self.network.processes[id.index()].edges;
        self.edge_attributes.push((id, edges.len(), &declaration.attributes));
        edges.push(Edge {
            source,
            target,
            guard: Guard::default(),
            update: Program::default(),
            sync: Sync::Internal,
            event,
            span: declaration.span,
            select: Vec::new(),
        });
    }

    fn sync(&mut self, members: &'t [Member]) {
        let mut vector = SyncVector { members: Vec::new() };
        for member in members {
            let process = self.process_id(&member.process);
            let event = self.event_id(&member.event);
            let (Some(process), Some(event)) = (process, event) else { continue };
            if vector.members.iter().any(|m| m.process == process) {
                let message = format!("process `{}` takes part twice", member.process.text);
                self.diagnostics
                    .error("duplicate-sync-member", member.process.span, message)
                    .help("a process takes one edge at a time; write two `sync` declarations");
                continue;
            }
            let strength = if member.weak.is_some() { Strength::Weak } else { Strength::Strong };
            if strength == Strength::Weak {
                self.weak.insert((process, event));
            }
            vector.members.push(SyncMember { process, event, strength });
        }
        if let [only] = members {
            let message = "this synchronisation has only one member";
            self.diagnostics
                .warning("lonely-sync", only.process.span.to(only.event.span), message)
                .help("an event that is in no `sync` is taken alone anyway");
        }
        if !vector.members.is_empty() {
            self.network.vectors.push(vector);
        }
    }

    fn location_attributes(&mut self, process: ProcessId, id: LocationId, attributes: &'t [Attribute]) {
        let mut invariant = Guard::default();
        let mut kind = LocationKind::Normal;
        let mut labels = Vec::new();
        for attribute in attributes {
            match &attribute.kind {
                AttributeKind::Initial => {
                    let initial = &mut self.network.processes[process.index()].initial;
                    if initial.last() != Some(&id) {
                        initial.push(id);
                    }
                }
                AttributeKind::Committed => kind = LocationKind::Committed,
                AttributeKind::Urgent if kind == LocationKind::Normal => kind = LocationKind::Urgent,
                AttributeKind::Labels(list) => {
                    for name in list {
                        let label = self.label(name);
                        if !labels.contains(&label) {
                            labels.push(label);
                        }
                    }
                }
                AttributeKind::Invariant(e) => self.guard(e, &mut invariant),
                _ => {}
            }
        }
        let location = &mut self.network.processes[process.index()].locations[id.index()];
        location.invariant = invariant;
        location.kind = kind;
        location.labels = labels;
    }

    fn label(&mut self, name: &'t Name) -> LabelId {
        let labels = &mut self.network.labels;
        *self.labels.entry(&name.text).or_insert_with(|| {
            labels.push(name.text.clone());
            LabelId::new(labels.len() - 1)
        })
    }

    fn edge_attributes(&mut self, process: ProcessId, number: usize, attributes: &'t [Attribute]) {
        let mut guard = Guard::default();
        let mut guard_span = None;
        let mut sequences = Vec::new();
        for attribute in attributes {
            match &attribute.kind {
                AttributeKind::Provided(e) => {
                    self.guard(e, &mut guard);
                    guard_span.get_or_insert(e.span);
                }
                AttributeKind::Do(list) => sequences.push(list.as_slice()),
                _ => {}
            }
        }
        let update = self.program(&sequences);
        let edge = &self.network.processes[process.index()].edges[number];
        let varies = !guard.clocks.is_empty() || guard.discrete.iter().any(|e| !matches!(e, Expr::Const(_)));
        if let (true, true, Some(span)) = (varies, self.weak.contains(&(process, edge.event)), guard_span) {
            let event = &self.network.events[edge.event.index()];
            let message = format!("an edge with the weakly synchronised event `{event}` cannot have a guard");
            self.diagnostics
                .error("guarded-weak-sync", span, message)
                .help("whether a weak member takes part must depend on its location alone");
        }
        let edge = &mut self.network.processes[process.index()].edges[number];
        edge.guard = guard;
        edge.update = update;
    }

    /// Marks the edges that are taken through vectors only.
    fn synchronised_edges(&mut self) {
        let pairs: HashSet<(ProcessId, EventId)> =
            self.network.vectors.iter().flat_map(|v| &v.members).map(|m| (m.process, m.event)).collect();
        for (index, process) in self.network.processes.iter_mut().enumerate() {
            for edge in &mut process.edges {
                if pairs.contains(&(ProcessId::new(index), edge.event)) {
                    edge.sync = Sync::Vector;
                }
            }
        }
    }

    /// Reports what should have been declared, unless it may have been lost
    /// to a syntax error.
    fn missing(&mut self, system: Option<&Name>) {
        let lost = |kind| self.tree.broken.iter().any(|k| k.is_none_or(|k| k == kind));
        if let (true, Some(name)) = (self.network.processes.is_empty() && !lost(Keyword::Process), system) {
            self.diagnostics
                .error("no-process", name.span, format!("system `{}` has no process", name.text))
                .help("declare one with `process:NAME`");
        }
        if lost(Keyword::Location) {
            return;
        }
        for (process, &span) in self.network.processes.iter().zip(&self.process_spans) {
            if process.locations.is_empty() {
                let message = format!("process `{}` has no location", process.name);
                self.diagnostics
                    .error("no-location", span, message)
                    .help(format!("declare one with `location:{}:NAME{{initial:}}`", process.name));
            } else if process.initial.is_empty() {
                let message = format!("process `{}` has no initial location", process.name);
                self.diagnostics
                    .error("no-initial-location", span, message)
                    .help("give one of its locations the attribute `initial:`");
            }
        }
    }
}

/// The keyword of a declaration.
fn first_word(declaration: &Declaration) -> Span {
    let keyword = match &declaration.kind {
        DeclarationKind::System { .. } => Keyword::System,
        DeclarationKind::Process { .. } => Keyword::Process,
        DeclarationKind::Event { .. } => Keyword::Event,
        DeclarationKind::Clock { .. } => Keyword::Clock,
        DeclarationKind::Int { .. } => Keyword::Int,
        DeclarationKind::Location { .. } => Keyword::Location,
        DeclarationKind::Edge { .. } => Keyword::Edge,
        DeclarationKind::Sync { .. } => Keyword::Sync,
    };
    let start = declaration.span.start;
    Span { start, end: start + keyword.text().len() as u32 }
}

/// The name of one slot of a variable.
fn slot_name(name: &str, index: u32, len: u32) -> String {
    if len == 1 { name.to_owned() } else { format!("{name}[{index}]") }
}
