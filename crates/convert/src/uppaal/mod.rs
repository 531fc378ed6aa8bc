//! UPPAAL's models written again.
//!
//! * [`to_xml`]: UPPAAL's XML, with everything the file held;
//! * [`to_xta`] and [`to_q`]: the model and its queries as text;
//! * [`to_svg`]: a picture; [`to_dot`]: for Graphviz; [`to_json`]: for other tools;
//! * [`mod@print`]: parts of the tree.
//!
//! All text is in the new syntax, whatever the model was written in. Where a
//! model brings its declarations as text in the new syntax, the text is used
//! as it is, with its comments; labels and everything else are printed from
//! the tree.

mod decl;
mod dot;
mod expr;
mod json;
mod layout;
pub mod print;
mod queries;
mod svg;
mod xml;
mod xta;

pub use dot::to_dot;
pub use json::to_json;
pub use queries::to_q;
pub use svg::to_svg;
pub use xml::to_xml;
pub use xta::to_xta;

use dwell_syntax::uppaal::tree::{Block, Document, Extra, Syntax};
use expr::Writer;

/// The text of declarations.
fn block(block: &Block, syntax: Syntax) -> String {
    let mut writer = Writer::default();
    writer.block(block, syntax);
    writer.out
}

/// The text of the system section.
fn system(document: &Document) -> String {
    let mut writer = Writer::default();
    writer.system(&document.system, document.syntax);
    writer.out
}

/// The value of an attribute that was kept.
fn attribute<'e>(extra: &'e [Extra], wanted: &str) -> Option<&'e str> {
    extra.iter().find_map(|extra| match extra {
        Extra::Attribute(name, value) if name == wanted => Some(value.as_str()),
        _ => None,
    })
}
