//! Models with mistakes, and what is said about them.

pub mod edges;
pub mod expressions;
pub mod functions;
pub mod lints;
pub mod names;
pub mod queries;
pub mod system;
pub mod types;

use crate::check_support::Found;

/// A model and what is found.
pub type Row = (&'static str, &'static [Found]);

/// A model, a query and what is found in the query.
pub type QueryRow = (&'static str, &'static str, &'static [Found]);
