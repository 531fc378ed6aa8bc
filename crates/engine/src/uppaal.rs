//! Models and queries in UPPAAL's language.

use crate::model::{LoadOptions, ModelError, Read, oversized, small_enough};
use crate::{Heuristic, Model, Question};
use dwell_model::property::{Measured, Property};
use dwell_syntax::uppaal::parse_query;
use dwell_syntax::uppaal::tree::{Document, QueryItem};
use dwell_syntax::{Diagnostic, Diagnostics, Severity};
use dwell_uppaal::check::{Checker, lint};
use dwell_uppaal::elaborate::{Elaborated, elaborate, override_constant};
use std::sync::{Arc, Mutex, PoisonError};

/// What a model in UPPAAL's language keeps for its queries.
#[derive(Debug)]
pub(crate) struct Uppaal {
    pub document: Arc<Document>,
    /// Queries may add functions to its network.
    elaborated: Mutex<Elaborated>,
}

/// Why a query is not answered.
#[derive(Clone, Debug)]
pub struct QueryError {
    /// In a sentence.
    pub why: String,
    /// Everything found, in the text the query stands in.
    pub diagnostics: Vec<Diagnostic>,
}

/// Why a clock is no heuristic.
const CLOCK: &str = "a clock has no single value in a symbolic state; use variables and locations";

/// Checks and instantiates a document.
pub(crate) fn read(
    mut document: Document,
    mut diagnostics: Diagnostics,
    options: &LoadOptions,
) -> Result<Read, ModelError> {
    let paths = document.paths.clone();
    let failed = |diagnostics: Diagnostics| {
        let mut diagnostics = diagnostics;
        diagnostics.sort_by_position();
        ModelError { diagnostics: diagnostics.into_vec(), paths: paths.clone() }
    };
    if diagnostics.has_errors() {
        return Err(failed(diagnostics));
    }
    for (name, value) in &options.defines {
        if let Err(refused) = override_constant(&mut document, name, value) {
            let report = diagnostics.error(refused.code, refused.span, refused.message);
            report.help = refused.help;
            return Err(failed(diagnostics));
        }
    }
    diagnostics.append(Checker::new(&document).1);
    if options.lints {
        diagnostics.append(lint(&document));
    }
    if diagnostics.has_errors() {
        return Err(failed(diagnostics));
    }
    let document = Arc::new(document);
    let (elaborated, found) = elaborate(Arc::clone(&document));
    diagnostics.append(found);
    let Some(mut elaborated) = elaborated.filter(|_| !diagnostics.has_errors()) else {
        return Err(failed(diagnostics));
    };
    elaborated.network.overflow = options.overflow;
    let network = elaborated.network.clone();
    diagnostics.append(oversized(&network));
    if let Err(message) = small_enough(&network) {
        diagnostics.error("model-too-large", Default::default(), message);
    }
    if let Err(message) = network.validate() {
        diagnostics.error("broken-network", Default::default(), message);
    }
    if diagnostics.has_errors() {
        return Err(failed(diagnostics));
    }
    diagnostics.sort_by_position();
    let uppaal = Uppaal { document, elaborated: Mutex::new(elaborated) };
    Ok(Read { network, warnings: diagnostics.into_vec(), uppaal: Some(uppaal) })
}

impl Model {
    /// The queries that came with the model.
    pub fn queries(&self) -> &[QueryItem] {
        self.uppaal.as_ref().map_or(&[], |uppaal| &uppaal.document.queries)
    }

    /// The model as it was written, where that was in UPPAAL's language.
    pub fn document(&self) -> Option<&Document> {
        self.uppaal.as_ref().map(|uppaal| &*uppaal.document)
    }

    /// Makes questions of queries. A query that cannot be answered does not
    /// keep the others from being.
    pub fn questions(&self, items: &[QueryItem]) -> Vec<Result<Question, QueryError>> {
        let Some(uppaal) = &self.uppaal else {
            let why = "queries are for models in UPPAAL's language; ask --labels of this one";
            return items.iter().map(|_| Err(QueryError::plain(why))).collect();
        };
        let (checker, _) = Checker::new(&uppaal.document);
        let mut elaborated = uppaal.elaborated.lock().unwrap_or_else(PoisonError::into_inner);
        items.iter().map(|item| self.question(item, &checker, &mut elaborated)).collect()
    }

    /// An integer expression, read as that of `inf: EXPR`.
    pub(crate) fn heuristic(&self, text: &str) -> Result<Heuristic, String> {
        let Some(uppaal) = &self.uppaal else {
            return Err("TChecker's format has no expressions about states; convert the model".into());
        };
        let (item, stray) = parse_query(&format!("inf: {text}"));
        let first = stray.iter().chain(&item.diagnostics).find(|d| d.severity == Severity::Error);
        let query = match (&item.query, first) {
            (Some(query), None) => query,
            (_, first) => return Err(first.map_or("it is not understood".into(), |d| d.message.clone())),
        };
        let (checker, _) = Checker::new(&uppaal.document);
        let found = checker.query(query);
        if let Some(first) = found.iter().find(|d| d.severity == Severity::Error) {
            return Err(first.message.clone());
        }
        let mut elaborated = uppaal.elaborated.lock().unwrap_or_else(PoisonError::into_inner);
        let property = elaborated.query(query).map_err(|found| {
            let why = QueryError::found(found.into_vec(), "it cannot be evaluated").why;
            // Sums of clocks, which extreme values cannot be asked of either.
            if why.contains("`inf`") { CLOCK.into() } else { why }
        })?;
        let Property::Extremum(_, _, quantities) = property else {
            return Err("an integer expression is needed".into());
        };
        match quantities.as_slice() {
            [quantity] => match &quantity.value {
                Measured::Integer(expr) => Ok(Heuristic::of(expr, text, &elaborated.network)),
                Measured::Clock(_) => Err(CLOCK.into()),
            },
            _ => Err("one expression is needed".into()),
        }
    }

    fn question(
        &self,
        item: &QueryItem,
        checker: &Checker<'_>,
        elaborated: &mut Elaborated,
    ) -> Result<Question, QueryError> {
        let Some(query) = &item.query else {
            return Err(QueryError::found(item.diagnostics.clone(), "the query is not understood"));
        };
        let found = checker.query(query);
        if found.has_errors() {
            return Err(QueryError::found(found.into_vec(), "the query does not fit the model"));
        }
        let property = elaborated
            .query(query)
            .map_err(|found| QueryError::found(found.into_vec(), "the query cannot be evaluated"))?;
        Ok(Question::property(self, item.text.clone(), property, &elaborated.network))
    }
}

impl QueryError {
    fn plain(why: &str) -> Self {
        Self { why: why.into(), diagnostics: Vec::new() }
    }

    fn found(diagnostics: Vec<Diagnostic>, otherwise: &str) -> Self {
        let why = diagnostics.first().map_or(otherwise.into(), |first| first.message.clone());
        Self { why, diagnostics }
    }
}
