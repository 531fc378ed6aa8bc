//! TChecker's file format: tree and parser.
//!
//! A file is a list of declarations, one a line, of fields separated by `:`.
//! Each may end with attributes in braces, which may span lines; the values
//! of some attributes are expressions or statements.
//!
//! [`parse`] understands a little more than TChecker does: parentheses around
//! any condition, chains `a < b <= c < d` of any length, and names with dots
//! inside expressions.
//!
//! Invariants: T-1 every span lies inside the text, on character boundaries;
//! T-2 no expression is higher than [`MAX_HEIGHT`] and no construct nests
//! deeper than [`MAX_NESTING`], so that trees can be walked recursively;
//! T-3 a syntax error spoils one declaration or one attribute value, and is
//! reported once.

mod attributes;
mod declarations;
mod expressions;
mod lexer;
mod statements;
mod tree;

pub use tree::*;

use crate::Diagnostics;

/// The deepest nesting of parentheses, subscripts, conditionals and
/// statements.
pub const MAX_NESTING: u32 = 128;

/// The greatest height of an expression; a sum of n terms has height n.
pub const MAX_HEIGHT: u32 = 512;

/// Parses a text in TChecker's format.
///
/// Returns what was understood; when errors were found, declarations may be
/// missing from the tree (see [`Tree::broken`]).
pub fn parse(text: &str) -> (Tree, Diagnostics) {
    let mut diagnostics = Diagnostics::default();
    let tree = declarations::Parser::new(text, &mut diagnostics).parse();
    (tree, diagnostics)
}
