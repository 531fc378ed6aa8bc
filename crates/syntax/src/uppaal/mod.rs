//! UPPAAL's language: XML, XTA and TA files, and queries.

mod text;
pub mod tree;

pub use text::Fragment;
