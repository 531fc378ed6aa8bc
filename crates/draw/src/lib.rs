//! Pictures as SVG text.
//!
//! * [`plot`]: lines and points over axes, linear or logarithmic; cactus and
//!   scatter plots;
//! * [`automaton`]: locations and edges, at given places or laid out;
//! * [`chart`]: the sequence chart of a run, with its time.
//!
//! Plain data goes in, text comes out; the same data give the same text.
//! Pictures bring their own background, dark where the reader's pages are, and
//! need no script and no font of their own: the width of a text is estimated,
//! rather too wide than too narrow.
//!
//! Nothing here knows models or engines, or does I/O.
#![forbid(unsafe_code)]

pub mod automaton;
pub mod chart;
mod geometry;
pub mod plot;
mod style;
mod svg;
mod text;

pub use geometry::Point;
