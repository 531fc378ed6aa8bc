//! Members of structures, and processes and their members in queries.

use std::rc::Rc;

use dwell_syntax::uppaal::tree::{Expr, Ident};
use dwell_syntax::{Span, closest};

use super::codes;
use super::context::Context;
use super::expr::{Access, Place, Typed};
use super::scope::{Kind, Template};
use super::types::Ty;

impl Context {
    /// A name of a template in a query.
    pub fn process(&mut self, template: &Rc<Template>, span: Span) -> Typed {
        if self.processes.iter().any(|process| process.name == template.name) {
            let template = template.clone();
            let alone = template.params.is_empty();
            return Typed::value(if alone { Ty::Process(template) } else { Ty::ProcessSet(template) });
        }
        let instances: Vec<String> = self
            .processes
            .iter()
            .filter(|process| process.origin == template.origin)
            .take(3)
            .map(|process| format!("`{}`", process.name))
            .collect();
        let message = format!("`{}` is a template, but not a process of the system", template.name);
        let report = self.out.error(codes::UNKNOWN_PROCESS, span, message);
        if instances.is_empty() {
            report.help("only what is on the system line can be asked about");
        } else {
            report.help(format!("its processes are called {}", instances.join(", ")));
        }
        Typed::ERROR
    }

    pub fn field(&mut self, base: &Expr, field: &Ident, access: Access) -> Typed {
        let typed = self.base(base, access);
        self.field_of(&typed, base.span, field)
    }

    /// `base.field`, where the base has been walked.
    pub fn field_of(&mut self, typed: &Typed, base: Span, field: &Ident) -> Typed {
        match &typed.ty {
            Ty::Error => Typed::ERROR,
            Ty::Struct(structure) => {
                if let Some((_, ty)) = structure.fields.iter().find(|(name, _)| **name == *field.name) {
                    return Typed { ty: ty.clone(), place: typed.place };
                }
                let names = structure.fields.iter().map(|(name, _)| &**name);
                self.unknown_member(field, &typed.ty.to_string(), names);
                Typed::ERROR
            }
            Ty::Process(template) => self.member(template, field),
            Ty::ProcessSet(template) => {
                let message = format!("`{}` is a set of processes", template.name);
                self.out.error(codes::NOT_A_PROCESS, base, message).help(example_of(template));
                Typed::ERROR
            }
            other => {
                let message =
                    format!("only structures and processes have members, and this is of type `{other}`");
                self.out.error(codes::NOT_A_STRUCTURE, base, message);
                Typed::ERROR
            }
        }
    }

    /// What a process holds: never to be changed from outside.
    fn member(&mut self, template: &Rc<Template>, field: &Ident) -> Typed {
        let own = template.params.iter().find(|param| *param.name == *field.name);
        if let Some(symbol) = own.or_else(|| template.members.get(&field.name)) {
            let symbol = symbol.clone();
            self.touch(&symbol, field.span, Access::Read);
            match symbol.kind {
                Kind::Location => return Typed::value(Ty::Bool),
                Kind::Variable(_) | Kind::Constant(_) | Kind::Parameter(..) => {
                    return Typed { ty: symbol.ty.clone(), place: Place::Fixed };
                }
                Kind::Missing => return Typed::ERROR,
                _ => {
                    let message = format!("`{}` is {}, not a value", field.name, symbol.kind.describe());
                    self.out.error(codes::NOT_A_VALUE, field.span, message);
                    return Typed::ERROR;
                }
            }
        }
        let mut names: Vec<&str> = template.members.names().map(|symbol| &*symbol.name).collect();
        names.sort_unstable();
        self.unknown_member(field, &template.name, names);
        Typed::ERROR
    }

    fn unknown_member<'n>(&mut self, field: &Ident, of: &str, names: impl IntoIterator<Item = &'n str>) {
        let message = format!("`{of}` has no member `{}`", field.name);
        let report = self.out.error(codes::UNKNOWN_MEMBER, field.span, message);
        if let Some(near) = closest(&field.name, names) {
            report.help(format!("did you mean `{near}`?"));
        }
    }
}

/// How to name one process of a set.
fn example_of(template: &Template) -> String {
    let params: Vec<&str> = template.params.iter().map(|param| &*param.name).collect();
    format!("name one of them: `{}({})`", template.name, params.join(", "))
}
