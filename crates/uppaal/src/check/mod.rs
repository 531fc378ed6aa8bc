//! Names and types.
