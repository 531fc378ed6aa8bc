//! Instantiation.
