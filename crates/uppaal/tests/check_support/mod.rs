//! Checks a model or query and compares what is found.

use dwell_syntax::uppaal::tree::Document;
use dwell_syntax::uppaal::{parse_query, parse_xta};
use dwell_syntax::{Diagnostics, Severity};
use dwell_uppaal::check::Checker;

/// A code, and the text it is about.
pub type Found = (&'static str, &'static str);

/// A model without a system line is completed by a process `P` with one
/// location `A`.
pub fn whole(model: &str) -> String {
    if model.contains("system ") {
        return model.to_owned();
    }
    format!("{model}\nprocess P() {{ state A; init A; }}\nsystem P;\n")
}

/// Parses a model that has no syntax errors.
pub fn parse(text: &str) -> Document {
    let (document, findings) = parse_xta(text);
    let errors: Vec<_> = findings.iter().filter(|d| d.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "{text}\n{errors:?}");
    document
}

/// Codes and texts, in order.
pub fn slices<'t>(text: &'t str, findings: &Diagnostics) -> Vec<(&'static str, &'t str)> {
    findings.iter().map(|d| (d.code, &text[d.span.start as usize..d.span.end as usize])).collect()
}

pub fn check_model(model: &str, expected: &[Found]) {
    let text = whole(model);
    let document = parse(&text);
    let (_, findings) = Checker::new(&document);
    assert_eq!(slices(&text, &findings), expected, "{text}\n{findings:#?}");
    well_worded(&findings);
}

pub fn check_query(model: &str, query: &str, expected: &[Found]) {
    let text = whole(model);
    let document = parse(&text);
    let (checker, findings) = Checker::new(&document);
    assert!(!findings.has_errors(), "{text}\n{findings:#?}");
    let (item, findings) = parse_query(query);
    assert!(!findings.has_errors(), "{query}\n{findings:#?}");
    let findings = checker.query(&item.query.expect("a query"));
    assert_eq!(slices(query, &findings), expected, "{text}\n{query}\n{findings:#?}");
    well_worded(&findings);
}

/// One sentence without a full stop each.
pub fn well_worded(findings: &Diagnostics) {
    for finding in findings.iter() {
        let texts = [Some(&finding.message), finding.help.as_ref()];
        for text in texts.into_iter().flatten() {
            assert!(!text.is_empty() && !text.ends_with('.') && !text.contains('\n'), "{text}");
        }
    }
}
