//! Parts of the tree as text, always in the new syntax.

use super::expr::Writer;
use dwell_syntax::uppaal::tree::{Decl, Expr, Param, Select, SyncLabel, Template};

/// An expression, with no more parentheses than needed.
pub fn expr(e: &Expr) -> String {
    written(|w| w.expr(e))
}

/// Expressions with commas between them: an update.
pub fn exprs(list: &[Expr]) -> String {
    written(|w| w.exprs(list))
}

/// Declarations, one line each.
pub fn declarations(items: &[Decl]) -> String {
    written(|w| w.decls(items))
}

/// Parameters with commas between them.
pub fn parameters(params: &[Param]) -> String {
    written(|w| w.params(params))
}

/// The name of a template with its parameters.
pub fn title(template: &Template) -> String {
    match parameters(&template.params) {
        params if params.is_empty() => template.name.name.clone(),
        params => format!("{}({params})", template.name.name),
    }
}

/// `i : int[0,3], j : id_t`
pub fn selects(list: &[Select]) -> String {
    written(|w| w.selects(list))
}

/// `c[i]!`
pub fn sync(label: &SyncLabel) -> String {
    written(|w| w.sync(label))
}

/// `e`, or `e : f`.
pub fn rate(rate: &(Expr, Option<Expr>)) -> String {
    written(|w| {
        w.expr(&rate.0);
        if let Some(second) = &rate.1 {
            w.push(" : ");
            w.expr(second);
        }
    })
}

fn written(write: impl FnOnce(&mut Writer)) -> String {
    let mut writer = Writer::default();
    write(&mut writer);
    writer.out
}
