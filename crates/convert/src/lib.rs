//! Models written again in other formats.
//!
//! * [`network`]: networks in the language of another tool;
//! * [`uppaal`]: trees of UPPAAL's language as XML, XTA, graphs and JSON.
//!
//! Nothing here does I/O.
#![forbid(unsafe_code)]

pub mod network;
pub mod uppaal;
