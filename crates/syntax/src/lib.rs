//! From text to a syntax tree with spans and diagnostics.
//!
//! Parsing never fails: it returns what it understood together with the
//! [`Diagnostic`]s it found on the way. Nothing here does I/O.
//!
//! * [`tchecker`]: the tree and the parser of TChecker's format;
//! * [`uppaal`]: the tree and the parsers of UPPAAL's language;
//! * [`decode`], [`SourceFile`]: bytes to text, offsets to lines and columns;
//! * [`render`], [`locate`]: diagnostics for people and for programs;
//! * [`closest`]: did you mean …?
#![forbid(unsafe_code)]

mod diagnostic;
mod render;
mod source;
mod span;
mod suggest;
pub mod tchecker;
pub mod uppaal;

pub use diagnostic::{Diagnostic, Diagnostics, Severity};
pub use render::{Colour, Located, locate, render, render_within};
pub use source::{LineIndex, Position, SourceFile, decode};
pub use span::Span;
pub use suggest::closest;
