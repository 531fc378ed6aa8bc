//! Constants given from outside.

use dwell_model::Span;
use dwell_syntax::uppaal::tree::{Decl, Document, Expr, ExprKind, Initialiser, TypeBase};
use dwell_syntax::{Diagnostic, Severity, closest};

/// Most constants that are named where another is meant.
const NAMED: usize = 8;

/// Replaces the initialiser of a global integer or boolean constant, or says at
/// the declaration, where there is one, why not.
pub fn override_constant(document: &mut Document, name: &str, value: &str) -> Result<(), Diagnostic> {
    let refused = |span, message| Diagnostic {
        severity: Severity::Error,
        code: "bad-define",
        message: format!("-D {name}={value}: {message}"),
        span,
        help: None,
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
                let place = declarator.name.span;
                if !variables.ty.prefix.constant {
                    return Err(refused(place, format!("`{name}` is not a constant")));
                }
                if !fits || !declarator.dims.is_empty() {
                    return Err(refused(place, format!("`{name}` is not an integer or boolean constant")));
                }
                let kind = literal(value).map_err(|message| refused(place, message))?;
                let span = init.as_ref().map_or(place, Initialiser::span);
                *init = Some(Initialiser::Expr(Expr { kind, span }));
                // The text still has the old value: whoever writes the model must not use it.
                document.declarations.text.clear();
                return Ok(());
            }
            Decl::Typedef(typedef) => {
                if let Some(named) = typedef.names.iter().find(|d| d.name.name == name) {
                    return Err(refused(named.name.span, format!("`{name}` is a type, not a constant")));
                }
            }
            Decl::Function(function) if function.name.name == name => {
                return Err(refused(function.name.span, format!("`{name}` is a function, not a constant")));
            }
            _ => {}
        }
    }
    let message = format!("the model declares no constant `{name}`");
    Err(Diagnostic { help: instead(document, name), ..refused(Span::default(), message) })
}

/// What a constant may be given.
fn literal(value: &str) -> Result<ExprKind, String> {
    match value.trim() {
        "true" => Ok(ExprKind::Bool(true)),
        "false" => Ok(ExprKind::Bool(false)),
        "" => Err("there is no value".to_owned()),
        number => match number.parse::<i32>() {
            Ok(number) => Ok(ExprKind::Int(number)),
            Err(_) if number.trim_start_matches('-').bytes().all(|digit| digit.is_ascii_digit()) => {
                Err("the value does not fit 32 bits".to_owned())
            }
            Err(_) => Err(format!("`{number}` is not an integer, `true` or `false`")),
        },
    }
}

/// The constant that is meant, or those that there are.
fn instead(document: &Document, name: &str) -> Option<String> {
    let variables = document.declarations.items.iter().filter_map(|decl| match decl {
        Decl::Variables(variables) if variables.ty.prefix.constant => Some(&variables.names),
        _ => None,
    });
    let names: Vec<&str> = variables.flatten().map(|(declarator, _)| declarator.name.name.as_str()).collect();
    if let Some(near) = closest(name, names.iter().copied()) {
        return Some(format!("did you mean `{near}`?"));
    }
    let shown: Vec<String> = names.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
    match names.len() {
        0 => Some("there are no global constants".to_owned()),
        n if n > NAMED => Some(format!("there are {}, …", shown.join(", "))),
        _ => Some(format!("there are {}", shown.join(", "))),
    }
}
