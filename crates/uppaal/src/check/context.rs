//! What the checker knows at one place of the text.

use std::collections::HashSet;
use std::mem::discriminant;
use std::rc::Rc;

use dwell_syntax::uppaal::tree::{Ident, Syntax};
use dwell_syntax::{Diagnostics, Span, closest};

use super::codes;
use super::facts::Facts;
use super::log::{Log, Uses};
use super::relate;
use super::scope::{Clash, FrameKind, Kind, Scopes, Symbol, Template};
use super::types::Ty;

pub(super) struct Context {
    pub out: Diagnostics,
    pub scopes: Scopes,
    pub log: Log,
    pub uses: Uses,
    pub syntax: Syntax,
    pub mode: Mode,
    pub facts: Facts,
    /// What is on the system line.
    pub processes: Rc<[Rc<Template>]>,
    /// XML files without one were reported by their reader.
    pub reports_missing_init: bool,
    /// What the function being checked returns.
    pub result: Option<Ty>,
    /// Parameters of the template being checked that sizes depend on.
    pub sizing: HashSet<u32>,
    /// The first thing a symbolic query cannot ask about.
    pub floating: Option<(Ty, Span)>,
    /// The first `deadlock` of a query.
    pub deadlock: Option<Span>,
    next_symbol: u32,
    next_scalar: u32,
}

/// Which names an expression may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    /// Those declared around it.
    Model,
    /// Processes and what they hold, too.
    Query,
}

impl Context {
    pub fn new(syntax: Syntax) -> Self {
        Self {
            out: Diagnostics::default(),
            scopes: Scopes::default(),
            log: Log::default(),
            uses: Uses::default(),
            syntax,
            mode: Mode::Model,
            facts: Facts::default(),
            processes: Rc::new([]),
            reports_missing_init: true,
            result: None,
            sizing: HashSet::new(),
            floating: None,
            deadlock: None,
            next_symbol: 0,
            next_scalar: 0,
        }
    }

    /// For a query: sees what `self` declared, reports on its own.
    pub fn for_query(&self) -> Self {
        let mut scopes = self.scopes.clone();
        scopes.enter(FrameKind::Query);
        Self {
            scopes,
            processes: self.processes.clone(),
            next_symbol: self.next_symbol,
            next_scalar: self.next_scalar,
            mode: Mode::Query,
            ..Self::new(self.syntax)
        }
    }

    pub fn is_old(&self) -> bool {
        self.syntax == Syntax::Old
    }

    /// A number for a new scalar set.
    pub fn fresh_scalar(&mut self) -> u32 {
        self.next_scalar += 1;
        self.next_scalar
    }

    /// The id of the next symbol: those from here on are declared later.
    pub fn next_symbol(&self) -> u32 {
        self.next_symbol
    }

    pub fn symbol(&mut self, name: &Ident, kind: Kind, ty: Ty) -> Rc<Symbol> {
        let symbol = Rc::new(Symbol {
            id: self.next_symbol,
            name: name.name.as_str().into(),
            span: name.span,
            kind,
            ty,
        });
        self.next_symbol += 1;
        symbol
    }

    /// Declares a name in the innermost scope.
    pub fn declare(&mut self, name: &Ident, kind: Kind, ty: Ty) -> Rc<Symbol> {
        let symbol = self.symbol(name, kind, ty);
        self.declare_symbol(symbol.clone());
        symbol
    }

    pub fn declare_symbol(&mut self, symbol: Rc<Symbol>) {
        self.uses.symbols.push(symbol.clone());
        let (name, span) = (symbol.name.clone(), symbol.span);
        let message = match self.scopes.declare(symbol.clone()) {
            Clash::None => return,
            Clash::Prelude => format!("`{name}` is declared in every model already"),
            Clash::Twice(first) => {
                // Two different things: who is meant later is anyone's guess.
                let alike = discriminant(&first.kind) == discriminant(&symbol.kind)
                    && relate::equivalent(&first.ty, &symbol.ty);
                if !alike {
                    let name = Ident { name: name.to_string(), span };
                    let either = self.symbol(&name, Kind::Missing, Ty::Error);
                    self.scopes.obscure(either);
                }
                format!("`{name}` is declared twice in this scope")
            }
        };
        self.out.error(codes::DUPLICATE_NAME, span, message);
    }

    /// A constant chosen by `select`, a quantifier or an iteration.
    pub fn declare_chosen(&mut self, name: &Ident, ty: Ty) {
        if let Some(hidden) = self.scopes.get(&name.name)
            && matches!(
                hidden.kind,
                Kind::Variable(_) | Kind::Constant(_) | Kind::Parameter(..) | Kind::Chosen
            )
        {
            let message = format!("`{}` hides an outer name, which is {}", name.name, hidden.kind.describe());
            self.out.warning(codes::SHADOWED, name.span, message).help("give it a name of its own");
        }
        self.declare(name, Kind::Chosen, ty);
    }

    /// What a name stands for; reports an undeclared name, once per scope.
    pub fn lookup(&mut self, name: &str, span: Span, wanted: Wanted) -> Rc<Symbol> {
        if let Some(symbol) = self.scopes.get(name) {
            return symbol.clone();
        }
        let (code, what) = match wanted {
            Wanted::Value => (codes::UNKNOWN_NAME, ""),
            Wanted::Function => (codes::UNKNOWN_NAME, "function "),
            Wanted::Type => (codes::UNKNOWN_TYPE, "type "),
            Wanted::Template => (codes::NOT_A_TEMPLATE, "template "),
            Wanted::Process => (codes::UNKNOWN_PROCESS, "process "),
        };
        let near = self.owner_of(name, wanted).or_else(|| self.nearest(name, wanted));
        let processes = if wanted == Wanted::Process { self.process_names() } else { None };
        let report = self.out.error(code, span, format!("{what}`{name}` is not declared"));
        if let Some(near) = near {
            report.help(format!("did you mean {near}?"));
        } else if let Some(names) = processes {
            report.help(format!("the processes are {names}"));
        } else if name == "cost" {
            report.help("costs of priced models are not part of this language: declare a `hybrid clock`");
        }
        let symbol = self.symbol(&Ident { name: name.to_owned(), span }, Kind::Missing, Ty::Error);
        self.scopes.declare_missing(symbol.clone());
        symbol
    }

    /// What a query must say to ask about something that processes declare.
    fn owner_of(&self, name: &str, wanted: Wanted) -> Option<String> {
        /// Most processes that are named.
        const NAMED: usize = 3;
        if self.mode != Mode::Query || wanted != Wanted::Value {
            return None;
        }
        let mut owners = self.processes.iter().filter(|process| process.members.get(name).is_some());
        let called = owners.by_ref().take(NAMED).map(|process| {
            let set = if process.params.is_empty() { "" } else { "(…)" };
            format!("`{}{set}.{name}`", process.name)
        });
        let mut called: Vec<String> = called.collect();
        if owners.next().is_some() {
            called.push("that of another process".into());
        }
        (!called.is_empty()).then(|| called.join(" or "))
    }

    /// The processes of the system, if they are few.
    fn process_names(&self) -> Option<String> {
        /// Most processes that are named.
        const NAMED: usize = 8;
        let names: Vec<String> =
            self.processes.iter().take(NAMED + 1).map(|process| format!("`{}`", process.name)).collect();
        (1..=NAMED).contains(&names.len()).then(|| names.join(", "))
    }

    /// The visible name nearest to a misspelt one, of the kind that is wanted.
    fn nearest(&self, name: &str, wanted: Wanted) -> Option<String> {
        let mut names: Vec<&str> = self
            .scopes
            .visible()
            .filter(|symbol| wanted.fits(&symbol.kind))
            .map(|symbol| &*symbol.name)
            .collect();
        if self.mode == Mode::Query && wanted == Wanted::Value {
            names.push("deadlock");
        }
        names.sort_unstable();
        closest(name, names).map(|near| format!("`{near}`"))
    }
}

/// What a name should stand for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    Value,
    Function,
    Type,
    Template,
    Process,
}

impl Wanted {
    fn fits(self, kind: &Kind) -> bool {
        match self {
            Self::Value => !matches!(kind, Kind::Type(_) | Kind::Location | Kind::Branchpoint),
            Self::Function => matches!(kind, Kind::Function(_)),
            Self::Type => matches!(kind, Kind::Type(_)),
            Self::Template | Self::Process => matches!(kind, Kind::Template(_)),
        }
    }
}
