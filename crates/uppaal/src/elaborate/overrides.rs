//! Constants given from outside.

use dwell_syntax::uppaal::tree::{Decl, Document, Expr, ExprKind, Initialiser, TypeBase};

/// Replaces the initialiser of a global integer or boolean constant. The error
/// is a sentence without a full stop.
pub fn override_constant(document: &mut Document, name: &str, value: &str) -> Result<(), String> {
    let kind = match value.trim() {
        "true" => ExprKind::Bool(true),
        "false" => ExprKind::Bool(false),
        number => match number.parse::<i32>() {
            Ok(number) => ExprKind::Int(number),
            Err(_) => return Err(format!("`{value}` is not an integer, `true` or `false`")),
        },
    };
    for decl in &mut document.declarations.items {
        match decl {
            Decl::Variables(variables) => {
                let Some((declarator, init)) = variables.names.iter_mut().find(|(d, _)| d.name.name == name)
                else {
                    continue;
                };
                // Which type a name stands for is not known yet: it must be one of integers.
                let fits =
                    matches!(variables.ty.base, TypeBase::Int(_) | TypeBase::Bool | TypeBase::Named(_));
                if !variables.ty.prefix.constant {
                    return Err(format!("`{name}` is not a constant"));
                }
                if !fits || !declarator.dims.is_empty() {
                    return Err(format!("`{name}` is not an integer or boolean constant"));
                }
                let span = init.as_ref().map_or(declarator.name.span, Initialiser::span);
                *init = Some(Initialiser::Expr(Expr { kind, span }));
                // The text still has the old value: whoever writes the model must not use it.
                document.declarations.text.clear();
                return Ok(());
            }
            Decl::Typedef(typedef) if typedef.names.iter().any(|d| d.name.name == name) => {
                return Err(format!("`{name}` is a type, not a constant"));
            }
            Decl::Function(function) if function.name.name == name => {
                return Err(format!("`{name}` is a function, not a constant"));
            }
            _ => {}
        }
    }
    Err(format!("the model declares no constant `{name}`"))
}
