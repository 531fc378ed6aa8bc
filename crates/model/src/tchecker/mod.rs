//! From TChecker's format to a [`Network`].
//!
//! [`lower`] resolves names, checks types and splits conditions into their
//! discrete and their clock part. The rules are TChecker's, with these
//! differences:
//!
//! * a process without initial location is an error (TChecker warns and
//!   explores nothing);
//! * `x = y + t` is accepted beside `x = t + y`;
//! * clock constraints in the conditions of `if`, `while` and conditional
//!   expressions are errors;
//! * array indices, divisions and overflows that are certain to fail are
//!   errors when the model is loaded.
//!
//! Variables may be used in attributes above their declaration; processes,
//! locations and events must be declared before they are named.

mod declarations;
mod expressions;
mod fold;
mod names;
mod statements;

pub use dwell_syntax::tchecker::{Tree, parse};

use dwell_syntax::Diagnostics;

use crate::Network;

/// The most clocks a model may declare: a zone takes the square of it.
pub const MAX_CLOCKS: usize = 1_000;

/// The most integer slots a model may declare.
pub const MAX_SLOTS: usize = 1 << 20;

/// The most local slots the statements of one edge may declare.
pub const MAX_LOCALS: u32 = 1 << 16;

/// Turns a tree into a network. Findings are added to `diagnostics`; the
/// result is `None` iff they contain an error, be it an earlier one.
pub fn lower(tree: &Tree, diagnostics: &mut Diagnostics) -> Option<Network> {
    let network = declarations::Lowering::new(tree, diagnostics).run();
    (!diagnostics.has_errors()).then_some(network)
}

/// Parses and lowers a text. The diagnostics are in the order of the text.
pub fn load(source: &str) -> (Option<Network>, Diagnostics) {
    let (tree, mut diagnostics) = parse(source);
    let network = lower(&tree, &mut diagnostics);
    diagnostics.sort_by_position();
    (network, diagnostics)
}
