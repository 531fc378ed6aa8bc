//! Names and what they stand for.
//!
//! One name space per scope; inner scopes hide outer ones (LANGUAGE 3).
//! Frames are shared: queries see the finished global frame and put their own
//! on top of it.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use dwell_syntax::Span;

use super::types::Ty;
use super::value::Value;

/// Something that has a name.
#[derive(Debug)]
pub(super) struct Symbol {
    /// Counts up in the order of declaration, over the whole model.
    pub id: u32,
    pub name: Rc<str>,
    pub span: Span,
    pub kind: Kind,
    /// Of its value; `Void` for what has none.
    pub ty: Ty,
}

#[derive(Debug)]
pub(super) enum Kind {
    Variable(Home),
    Constant(Constant),
    Parameter(Passing, Owner),
    /// Chosen by `select`, a quantifier or `for (i : T)`.
    Chosen,
    Type(TypeName),
    Function(Rc<Function>),
    Template(Rc<Template>),
    Location,
    Branchpoint,
    /// Used without being declared, or declared as two things, and reported.
    Missing,
}

impl Kind {
    /// For messages: "`x` is …".
    pub fn describe(&self) -> &'static str {
        match self {
            Self::Variable(_) => "a variable",
            Self::Constant(_) => "a constant",
            Self::Parameter(passing, _) if passing.is_constant() => "a constant parameter",
            Self::Parameter(..) => "a parameter",
            Self::Chosen => "a bound name",
            Self::Type(_) => "a type",
            Self::Function(_) => "a function",
            Self::Template(_) => "a template",
            Self::Location => "a location",
            Self::Branchpoint => "a branch point",
            Self::Missing => "not declared",
        }
    }
}

/// Whose variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Home {
    /// The model's or a template's.
    Model,
    Function,
}

/// What `const` and `meta` in a `typedef` pass on to variables.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Qualifiers {
    pub constant: bool,
    pub meta: bool,
}

/// A type made by `typedef`.
#[derive(Debug, Default)]
pub(super) struct TypeName {
    pub qualifiers: Qualifiers,
    /// The template parameters it depends on.
    pub from: Vec<Rc<Symbol>>,
}

#[derive(Debug)]
pub(super) struct Constant {
    /// Where it could be computed.
    pub value: Option<Value>,
    /// The template parameters it is computed from.
    pub from: Vec<Rc<Symbol>>,
}

/// How an argument reaches a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passing {
    Value,
    ConstValue,
    Reference,
    ConstReference,
}

impl Passing {
    pub fn is_reference(self) -> bool {
        matches!(self, Self::Reference | Self::ConstReference)
    }

    pub fn is_constant(self) -> bool {
        matches!(self, Self::ConstValue | Self::ConstReference)
    }
}

/// Whose parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    Function,
    Template,
    /// `Q(int[0,3] i) = P(i);`
    Instantiation,
}

/// A function that can be called.
#[derive(Debug)]
pub(super) struct Function {
    pub params: Vec<Rc<Symbol>>,
    pub result: Ty,
    /// Not known while its body is checked: a call is then recursive.
    pub effects: OnceCell<Effects>,
}

/// What a call reads and writes besides its arguments and its own variables.
#[derive(Debug, Default)]
pub(super) struct Effects {
    pub reads: Vec<Rc<Symbol>>,
    pub writes: Vec<Rc<Symbol>>,
    /// Written elsewhere: may do anything.
    pub external: bool,
}

/// A template, or an instantiation of one.
#[derive(Debug)]
pub(super) struct Template {
    pub name: Rc<str>,
    /// Those still free.
    pub params: Vec<Rc<Symbol>>,
    /// Everything declared in the template, parameters included.
    pub members: Rc<Frame>,
    /// Parameters that sizes of arrays and scalar sets or select types
    /// depend on, by symbol id: these cannot stay free.
    pub sizing: HashSet<u32>,
    /// Which template of the document.
    pub origin: usize,
    /// What reference parameters stand for: parameter and argument by id.
    pub bindings: Vec<(u32, u32)>,
}

/// What a scope is for. Undeclared names are reported once in each scope
/// other than `Inner`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) enum FrameKind {
    Prelude,
    Global,
    Template,
    Function,
    Query,
    #[default]
    Inner,
}

/// The names of one scope.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    kind: FrameKind,
    names: HashMap<Rc<str>, Rc<Symbol>>,
}

impl Frame {
    pub fn get(&self, name: &str) -> Option<&Rc<Symbol>> {
        self.names.get(name)
    }

    /// The declared names, in no order.
    pub fn names(&self) -> impl Iterator<Item = &Rc<Symbol>> {
        self.names.values().filter(|symbol| !matches!(symbol.kind, Kind::Missing))
    }
}

/// Whether a name was free.
#[derive(Debug)]
pub(super) enum Clash {
    None,
    /// This is what it stands for in this scope.
    Twice(Rc<Symbol>),
    /// Every model has it.
    Prelude,
}

/// The scopes around a place, outermost first.
#[derive(Clone, Debug, Default)]
pub(super) struct Scopes {
    frames: Vec<Rc<Frame>>,
}

impl Scopes {
    pub fn enter(&mut self, kind: FrameKind) {
        self.frames.push(Rc::new(Frame { kind, names: HashMap::new() }));
    }

    /// Goes back into a scope that was left.
    pub fn reenter(&mut self, frame: Rc<Frame>) {
        self.frames.push(frame);
    }

    /// Leaves the innermost scope and hands it over.
    pub fn leave(&mut self) -> Rc<Frame> {
        self.frames.pop().unwrap_or_default()
    }

    pub fn get(&self, name: &str) -> Option<&Rc<Symbol>> {
        self.frames.iter().rev().find_map(|frame| frame.get(name))
    }

    /// Adds a name to the innermost scope. A name that was missing may be
    /// declared after all; otherwise what the name stood for stays.
    pub fn declare(&mut self, symbol: Rc<Symbol>) -> Clash {
        let [outer @ .., frame] = &mut self.frames[..] else { return Clash::None };
        // The prelude counts as part of the global scope.
        let predeclared = match outer {
            [prelude] if frame.kind == FrameKind::Global => prelude.get(&symbol.name).is_some(),
            _ => false,
        };
        let frame = Rc::make_mut(frame);
        match frame.names.get(&symbol.name) {
            Some(first) if !matches!(first.kind, Kind::Missing) => Clash::Twice(first.clone()),
            _ => {
                frame.names.insert(symbol.name.clone(), symbol);
                if predeclared { Clash::Prelude } else { Clash::None }
            }
        }
    }

    /// Lets a name of the innermost scope stand for whatever it should.
    pub fn obscure(&mut self, symbol: Rc<Symbol>) {
        if let Some(frame) = self.frames.last_mut() {
            Rc::make_mut(frame).names.insert(symbol.name.clone(), symbol);
        }
    }

    /// Notes that a name is missing, so that it is reported only once.
    pub fn declare_missing(&mut self, symbol: Rc<Symbol>) {
        if let Some(frame) = self.frames.iter_mut().rev().find(|frame| frame.kind != FrameKind::Inner) {
            Rc::make_mut(frame).names.entry(symbol.name.clone()).or_insert(symbol);
        }
    }

    /// Everything visible, inner scopes first, in no order within a scope.
    pub fn visible(&self) -> impl Iterator<Item = &Rc<Symbol>> {
        self.frames.iter().rev().flat_map(|frame| frame.names())
    }
}
