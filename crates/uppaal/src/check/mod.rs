//! Names and types.
//!
//! Templates are checked once, whatever their arguments: bounds that depend
//! on parameters are compared as they are written. An expression that is in
//! error goes with everything, so that one mistake is reported once.
//!
//! * [`codes`]: what can be reported;
//! * `types`, `relate`, `value`: types, when they go together, constants;
//! * `scope`, `context`, `log`: names, and what is known at one place of the
//!   text;
//! * `resolve`, `init`, `decl`, `stmt`, `expr`, `member`, `operator`, `call`:
//!   the language inside;
//! * `template`, `label`, `system`, `query`: the language outside;
//! * `facts`, `lint`: extra warnings.
//!
//! Where the manual and real models disagree, real models win: what UPPAAL
//! accepts is not rejected here. Statistical parts (`double`, hybrid clocks,
//! rates, dynamic templates, libraries) are checked and accepted; symbolic
//! queries cannot ask about them.

mod call;
pub mod codes;
mod context;
mod decl;
mod expr;
mod facts;
mod init;
mod label;
mod lint;
mod log;
mod member;
mod operator;
mod query;
mod relate;
mod resolve;
mod scope;
mod stmt;
mod system;
mod template;
mod types;
mod value;

use dwell_syntax::uppaal::tree::{Document, Ident, Query, Syntax};
use dwell_syntax::{Diagnostics, Span};

use crate::prelude;

use context::Context;
use scope::{Constant, FrameKind, Kind, TypeName};
use types::Ty;
use value::Value;

pub use lint::lint;

/// A model whose names and types are in order enough to ask queries about.
pub struct Checker<'d> {
    document: &'d Document,
    context: Context,
}

impl<'d> Checker<'d> {
    /// Checks a model: its errors and warnings, in the order of the text.
    pub fn new(document: &'d Document) -> (Self, Diagnostics) {
        let mut context = Context::new(document.syntax);
        context.reports_missing_init = document.paths.is_empty();
        context.prelude();
        context.scopes.enter(FrameKind::Global);
        context.declarations(&document.declarations.items);
        for (origin, template) in document.templates.iter().enumerate() {
            context.template(origin, template);
        }
        context.system(document);
        let mut found = std::mem::take(&mut context.out);
        found.sort_by_position();
        (Self { document, context }, found)
    }

    /// Checks one query about the model. Kinds of queries that are recognised
    /// and not supported have no mistakes.
    pub fn query(&self, query: &Query) -> Diagnostics {
        let mut found = self.check_query(query).out;
        found.sort_by_position();
        found
    }
}

impl Context {
    /// Declares what every model may use; nothing in the old syntax.
    fn prelude(&mut self) {
        self.scopes.enter(FrameKind::Prelude);
        if self.syntax == Syntax::Old {
            return;
        }
        for (name, value) in prelude::CONSTANTS {
            let kind = Kind::Constant(Constant { value: Some(Value::Int(value)), from: Vec::new() });
            self.predeclare(name, kind, Ty::INT);
        }
        for (name, low, high) in prelude::TYPES {
            self.predeclare(name, Kind::Type(TypeName::default()), Ty::range(low, high));
        }
        for name in prelude::DOUBLES {
            self.predeclare(name, Kind::Constant(Constant { value: None, from: Vec::new() }), Ty::Double);
        }
    }

    fn predeclare(&mut self, name: &str, kind: Kind, ty: Ty) {
        let symbol = self.symbol(&Ident { name: name.to_owned(), span: Span::default() }, kind, ty);
        self.scopes.declare(symbol);
    }
}
