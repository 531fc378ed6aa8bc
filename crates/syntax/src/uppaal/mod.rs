//! UPPAAL's language: XML, XTA and TA files, and queries.

mod expectation;
mod files;
pub mod parse;
mod queries;
mod text;
pub mod tree;
mod xml;

pub use files::{parse_ta, parse_xta};
pub use queries::{parse_queries, parse_query};
pub use text::Fragment;
pub use xml::parse_xml;
