//! Text files: XTA, and TA in the syntax of UPPAAL 3.

use super::Fragment;
use super::parse::{Context, Parser};
use super::tree::{Document, Syntax};
use crate::{Diagnostics, Severity};

/// Parses an XTA file.
///
/// A file that only makes sense in the syntax of UPPAAL 3 is read in that,
/// with a warning.
pub fn parse_xta(text: &str) -> (Document, Diagnostics) {
    let (document, diagnostics, _) = parse(text, Syntax::New);
    let Some(first) = diagnostics.iter().find(|d| d.severity == Severity::Error) else {
        return (document, diagnostics);
    };
    let (old_document, old_findings, modern) = parse(text, Syntax::Old);
    if modern || old_findings.error_count() >= diagnostics.error_count() {
        return (document, diagnostics);
    }
    let mut findings = Diagnostics::default();
    findings
        .warning("old-syntax", first.span, "this file is read in the old syntax of UPPAAL 3")
        .help("in the syntax of UPPAAL 4 there would be an error here");
    findings.append(old_findings);
    (old_document, findings)
}

/// Parses a TA file, in the syntax of UPPAAL 3.
pub fn parse_ta(text: &str) -> (Document, Diagnostics) {
    let (document, diagnostics, _) = parse(text, Syntax::Old);
    (document, diagnostics)
}

/// Parses a file; also says whether it uses what UPPAAL 3 did not have.
fn parse(text: &str, syntax: Syntax) -> (Document, Diagnostics, bool) {
    let fragment = Fragment::plain(text);
    let mut context = Context::default();
    let mut diagnostics = Diagnostics::default();
    let document = Parser::new(&fragment, syntax, &mut context, &mut diagnostics).document();
    (document, diagnostics, context.is_modern())
}
