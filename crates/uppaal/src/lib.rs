//! From UPPAAL's syntax tree to a network.
//!
//! * [`check`]: names and types, on the templates, whatever their arguments;
//! * [`elaborate`]: instantiation, process by process, to a
//!   [`dwell_model::Network`], and of queries to properties of it;
//! * [`prelude`]: what every model may use without declaring it.
#![forbid(unsafe_code)]

pub mod check;
pub mod elaborate;
pub mod prelude;
