//! Instantiation: from a checked document to a [`Network`], and from queries
//! to properties of it.
//!
//! The work has two parts. First all declarations are elaborated: the global
//! ones, those of the system section, and those of every process on the
//! system line; then all variables have their ids. Second, everything that
//! runs is lowered, process by process: invariants, guards, updates, and the
//! functions they call. Names are resolved on the way; after instantiation
//! most of what a model computes is constant and is computed here.
//!
//! E-1 A document that was checked yields a network or an error, never a
//!     panic; a network that is handed out satisfies [`Network::validate`].
//! E-2 What symbolic analysis cannot do is recorded in
//!     [`Network::unsupported`], at the place where it is used. Nothing is
//!     left out of the meaning of a model silently.
//! E-3 Queries add functions and locals to the network, never variables.
//!
//! One file for each task: `types`, `scope`; `storage`, `slots`, `place`,
//! `address`; `constant`, `fold`, `range`; `expression`, `operators`,
//! `quantifier`, `assignment`, `aggregate`; `statement`, `function`, `call`,
//! `effects`; `condition`; `declaration`, `instance`, `edge`, `channel`;
//! `query`, `process`; `text`, `walk`.

mod address;
mod aggregate;
mod assignment;
mod call;
mod channel;
mod condition;
mod constant;
mod declaration;
mod edge;
mod effects;
mod expression;
mod fold;
mod function;
mod instance;
mod operators;
mod overrides;
mod place;
mod process;
mod quantifier;
mod query;
mod range;
mod scope;
mod slots;
mod statement;
mod storage;
mod text;
mod types;
mod walk;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use dwell_model::expr::Program;
use dwell_model::property::Property;
use dwell_model::{EventId, LocationId, Network, Span, Unsupported};
use dwell_syntax::Diagnostics;
use dwell_syntax::uppaal::tree::{ChannelPriority, Document, Expr, Query, Syntax};

pub use overrides::override_constant;

use crate::prelude;
use edge::Graph;
use function::{FunctionRef, Home, Key, Lowered, Signature};
use instance::{Definition, Instance, ProcessSet};
use scope::{Binding, Frame, ScopeId, Scopes, View};
use slots::Slots;
use storage::Storages;
use types::{Ty, Typed};

/// The most variables, and the most elements of an array.
const MAX_SLOTS: u64 = 10_000_000;
/// The most clocks.
const MAX_CLOCKS: u64 = 10_000;
/// The most processes.
const MAX_PROCESSES: usize = 1 << 16;
/// The most edges, counting every choice of select variables.
const MAX_EDGES: u64 = 1 << 20;
/// The most copies of one expression or statement.
const MAX_COPIES: u64 = 1 << 16;
/// The deepest nest of expressions and statements, called functions included.
/// A level takes 0.7 to 1.2 KB of stack, so this stays below 2 MB; that is why
/// what recursion passes through is kept out of line.
const MAX_DEPTH: usize = 1000;

/// A model after instantiation, ready for queries.
#[derive(Debug)]
pub struct Elaborated {
    /// The network.
    pub network: Network,
    document: Arc<Document>,
    tables: Tables,
}

/// What outlives the elaboration of one expression.
#[derive(Debug, Default)]
struct Tables {
    scopes: Scopes,
    storages: Storages,
    slots: Slots,
    /// Bounds of what each local may hold.
    local_ranges: Vec<(i32, i32)>,
    /// Locals that guards and updates share.
    temporaries: Vec<u32>,
    signatures: HashMap<(FunctionRef, ScopeId), Arc<Signature>>,
    /// `None` while a function is being lowered.
    functions: HashMap<Key, Option<Lowered>>,
    /// How many versions of each function there are.
    specialised: HashMap<(FunctionRef, ScopeId), usize>,
    /// Whether functions change anything but floating-point numbers.
    effects: HashMap<(FunctionRef, ScopeId), bool>,
    templates: HashMap<String, usize>,
    /// For each template its locations by name.
    locations: Vec<HashMap<String, LocationId>>,
    instances: Vec<Instance>,
    sets: Vec<ProcessSet>,
    globals: ScopeId,
    queries: ScopeId,
    /// Locals of the interpreter, kept for the next run.
    scratch: Vec<i32>,
}

/// Elaborates a document that the type checker found in order. The network is
/// missing if there are errors among the diagnostics.
pub fn elaborate(document: Arc<Document>) -> (Option<Elaborated>, Diagnostics) {
    let mut elaborator = Elaborator::new(&document, Network::default(), Tables::default());
    elaborator.run();
    let Elaborator { network, tables, mut diagnostics, .. } = elaborator;
    if !diagnostics.has_errors()
        && let Err(broken) = network.validate()
    {
        diagnostics.error(
            "broken-network",
            Span::default(),
            format!("the network is not well-formed: {broken}"),
        );
    }
    let elaborated = (!diagnostics.has_errors()).then_some(Elaborated { network, document, tables });
    (elaborated, diagnostics)
}

impl Elaborated {
    /// The property a checked query asks for. May add functions and locals to
    /// the network, never variables or clocks.
    pub fn query(&mut self, query: &Query) -> Result<Property, Diagnostics> {
        let (network, tables) = (std::mem::take(&mut self.network), std::mem::take(&mut self.tables));
        let document = self.document.clone();
        let mut elaborator = Elaborator::new(&document, network, tables);
        elaborator.asking = true;
        elaborator.frame = Frame::new(elaborator.tables.scopes.view(elaborator.tables.queries));
        let property = elaborator.property(query);
        let Elaborator { network, tables, diagnostics, .. } = elaborator;
        (self.network, self.tables) = (network, tables);
        property.filter(|_| !diagnostics.has_errors()).ok_or(diagnostics)
    }
}

/// The elaboration in progress.
struct Elaborator<'a> {
    document: &'a Document,
    network: Network,
    tables: Tables,
    diagnostics: Diagnostics,
    frame: Frame<'a>,
    /// A query is being elaborated, not the model.
    asking: bool,
    /// How deep expressions and statements are nested here.
    depth: usize,
    /// How often something was found to be wrong or not supported.
    complaints: usize,
    /// What was said to be unsupported, so that it is said once for all processes.
    refused: HashSet<(Span, String)>,
    definitions: Vec<Definition<'a>>,
    priorities: Vec<(&'a ChannelPriority, View)>,
    before_update: Vec<(&'a [Expr], View)>,
    after_update: Vec<(&'a [Expr], View)>,
    /// For each template the names it assigns to.
    assigned: HashMap<usize, HashSet<&'a str>>,
    events: HashMap<String, EventId>,
    /// Choices of select variables so far.
    choices: u64,
}

impl<'a> Elaborator<'a> {
    fn new(document: &'a Document, network: Network, tables: Tables) -> Self {
        Self {
            document,
            network,
            tables,
            diagnostics: Diagnostics::default(),
            frame: Frame::default(),
            asking: false,
            depth: 0,
            complaints: 0,
            refused: HashSet::new(),
            definitions: Vec::new(),
            priorities: Vec::new(),
            before_update: Vec::new(),
            after_update: Vec::new(),
            assigned: HashMap::new(),
            events: HashMap::new(),
            choices: 0,
        }
    }

    fn run(&mut self) {
        self.declarations();
        if self.diagnostics.has_errors() {
            return;
        }
        self.settle();
        self.channel_priorities();
        self.network.before_update = self.updates(false);
        self.network.after_update = self.updates(true);
        self.processes();
    }

    /// The first part: every declaration of every process.
    fn declarations(&mut self) {
        let document = self.document;
        let prelude = self.tables.scopes.open(None, String::new());
        if document.syntax == Syntax::New {
            self.declare_prelude(prelude);
        }
        let view = self.tables.scopes.view(prelude);
        let globals = self.tables.scopes.open(Some(view), String::new());
        self.tables.globals = globals;
        self.tables.queries = globals;
        self.frame = Frame::new(view);
        self.declare_block(Home::Global, globals, &document.declarations.items);
        for (at, template) in document.templates.iter().enumerate() {
            self.tables.templates.entry(template.name.name.clone()).or_insert(at);
            self.tables.locations.push(instance::location_names(template));
        }
        let view = self.tables.scopes.view(globals);
        let system = self.tables.scopes.open(Some(view), String::new());
        self.declare_block(Home::System, system, &document.system.declarations.items);
        if !self.diagnostics.has_errors() {
            self.instantiate(system);
        }
    }

    fn declare_prelude(&mut self, scope: ScopeId) {
        for (name, value) in prelude::CONSTANTS {
            self.tables.scopes.bind(scope, name, Binding::Constant(value));
        }
        for (name, min, max) in prelude::TYPES {
            let typed = Typed { ty: Ty::Int { min, max }, constant: false, meta: false };
            self.tables.scopes.bind(scope, name, Binding::Type(typed));
        }
        for name in prelude::DOUBLES {
            self.tables.scopes.bind(scope, name, Binding::Double);
        }
    }

    /// Between the parts: variables get their ids; what was lowered to compute
    /// constants is dropped, for it refers to variables that had none (S-2).
    fn settle(&mut self) {
        self.tables.slots.settle(&mut self.network);
        self.tables.functions.clear();
        self.tables.specialised.clear();
        self.tables.local_ranges.clear();
        self.tables.temporaries.clear();
        self.network.functions.clear();
        self.network.locals = 0;
    }

    /// All `before_update` or `after_update` lists, in order.
    fn updates(&mut self, after: bool) -> Program {
        let lists = if after { &self.after_update } else { &self.before_update }.clone();
        let mut body = Vec::new();
        for (list, view) in lists {
            let outer = self.enter(view);
            list.iter().for_each(|e| self.effect(e, &mut body));
            self.leave(outer);
        }
        Program { locals: 0, body }
    }

    /// The second part: locations and edges.
    fn processes(&mut self) {
        let document = self.document;
        let mut graphs: HashMap<usize, Graph<'a>> = HashMap::new();
        for at in 0..self.tables.instances.len() {
            let instance = self.tables.instances[at].clone();
            let template = instance.template;
            let graph = graphs.entry(template).or_insert_with(|| Graph::new(&document.templates[template]));
            let process = self.process_body(&instance, graph);
            self.network.processes.push(process);
        }
    }

    /// Records an error.
    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.complaints += 1;
        let message = message.into();
        // Every process of a template would report it again.
        if self.refused.insert((span, message.clone())) {
            self.diagnostics.error(code, span, message);
        }
    }

    /// Records that something is not supported.
    fn unsupported(&mut self, what: &str, span: Span) {
        self.complaints += 1;
        let message = format!("{what} is not supported");
        if !self.refused.insert((span, message.clone())) {
            return;
        }
        if self.asking {
            self.diagnostics.error("unsupported-query", span, message);
        } else {
            self.network.unsupported.push(Unsupported { message, span });
        }
    }

    /// How often something was wrong or not supported so far.
    fn complaints(&self) -> usize {
        self.complaints
    }
}
