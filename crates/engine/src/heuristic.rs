//! `--heuristic EXPR`: what best-first search goes by.

use crate::Model;
use dwell_model::expr::Expr;
use dwell_model::{CompiledValue, Network};
use std::sync::Arc;

/// An integer expression about the states of a model.
#[derive(Clone, Debug)]
pub struct Heuristic {
    /// As the user wrote it.
    pub text: String,
    pub(crate) value: Arc<CompiledValue>,
}

impl Heuristic {
    /// Reads an expression over the variables and locations of a model in
    /// UPPAAL's language.
    pub fn new(model: &Model, text: &str) -> Result<Self, String> {
        model.heuristic(text).map_err(|why| format!("--heuristic '{text}': {why}"))
    }

    /// An expression made in code. It may use functions that only `network`
    /// has: the model's network with functions and locals added at the end.
    pub fn of(expr: &Expr, text: impl Into<String>, network: &Network) -> Self {
        Self { text: text.into(), value: Arc::new(CompiledValue::new(expr, network)) }
    }
}

/// The text says what it is.
impl PartialEq for Heuristic {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Heuristic {}
