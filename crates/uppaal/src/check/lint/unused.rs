//! Declarations without use.

use dwell_syntax::Diagnostics;

use super::super::scope::{Home, Kind, Owner, Symbol};
use super::super::types::Ty;
use super::super::{Checker, codes};

/// Called by the engine, not by the model.
const HOOKS: [&str; 4] = ["__ON_CONSTRUCT__", "__ON_DESTRUCT__", "__ON_BEGIN__", "__ON_END__"];

pub(super) fn report(checker: &Checker, out: &mut Diagnostics) {
    for symbol in &checker.context.uses.symbols {
        let (reads, writes) = checker.context.uses.of(symbol.id);
        match &symbol.kind {
            Kind::Variable(home) => variable(symbol, *home, reads, writes, out),
            Kind::Function(_) if HOOKS.contains(&&*symbol.name) => {}
            Kind::Constant(_) | Kind::Type(_) | Kind::Function(_) if reads == 0 => unused(symbol, out),
            Kind::Parameter(_, owner) if reads + writes == 0 => parameter(symbol, *owner, out),
            Kind::Template(_) if reads == 0 => {
                let message = format!("`{}` is not part of the system", symbol.name);
                out.warning(codes::NEVER_INSTANTIATED, symbol.span, message)
                    .help("put it on the system line");
            }
            _ => {}
        }
    }
}

fn unused(symbol: &Symbol, out: &mut Diagnostics) {
    let message = format!("`{}` is never used", symbol.name);
    out.warning(codes::UNUSED, symbol.span, message);
}

fn parameter(symbol: &Symbol, owner: Owner, out: &mut Diagnostics) {
    // The values of a template's own bounded parameter are counted off on the
    // system line: not naming it again is how one writes "three of these".
    if owner != Owner::Template || !symbol.ty.is_enumerable() {
        unused(symbol, out);
    }
}

fn variable(symbol: &Symbol, home: Home, reads: u32, writes: u32, out: &mut Diagnostics) {
    let name = &symbol.name;
    let changes_alone = matches!(symbol.ty.innermost(), Ty::Clock(_) | Ty::Chan(_));
    match (reads, writes) {
        (0, 0) => unused(symbol, out),
        (0, _) => {
            let message = format!("`{name}` is written and never read");
            out.warning(codes::NEVER_READ, symbol.span, message);
        }
        (_, 0) if home == Home::Model && !changes_alone => {
            let message = format!("`{name}` keeps its initial value");
            out.warning(codes::NEVER_WRITTEN, symbol.span, message).help("declare it as `const`");
        }
        _ => {}
    }
}
