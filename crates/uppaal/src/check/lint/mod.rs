//! Warnings that are off by default: what is probably not what the author
//! had in mind, and often is.

mod channels;
mod graph;
mod unused;

use dwell_syntax::Diagnostics;
use dwell_syntax::uppaal::tree::Document;

use super::{Checker, codes};

/// Looks a model over for things that are legal and suspicious: declarations
/// that are not used (queries of the document count as uses), locations that
/// cannot be reached, channels with one end, cycles in which time may stand
/// still, invariants with `<` or that never hold.
///
/// Meant for models without errors; makes the best of others.
pub fn lint(document: &Document) -> Diagnostics {
    let (mut checker, _) = Checker::new(document);
    for item in &document.queries {
        if let Some(query) = &item.query {
            let asked = checker.check_query(query);
            checker.context.uses.add(&asked.uses);
        }
    }
    let mut out = Diagnostics::default();
    unused::report(&checker, &mut out);
    channels::report(&checker, &mut out);
    graph::report(&checker, &mut out);
    invariants(&checker, &mut out);
    out.sort_by_position();
    out
}

fn invariants(checker: &Checker, out: &mut Diagnostics) {
    for facts in &checker.context.facts.templates {
        for &span in &facts.impossible {
            out.warning(codes::IMPOSSIBLE_INVARIANT, span, "this invariant never holds")
                .help("the location can never be entered");
        }
        for &span in facts.strict.iter().filter(|span| !facts.impossible.contains(span)) {
            out.warning(
                codes::STRICT_INVARIANT,
                span,
                "a strict invariant: there is no last moment to leave",
            )
            .help("`<=` is usually meant");
        }
    }
}
