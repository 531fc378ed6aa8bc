//! Models written again in other formats.
#![forbid(unsafe_code)]
