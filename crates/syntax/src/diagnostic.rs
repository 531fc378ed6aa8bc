//! What is wrong with a source text, and where.

use crate::Span;

/// How bad a [`Diagnostic`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The text has a meaning, perhaps not the one its author had in mind.
    Warning,
    /// The text has no meaning.
    Error,
}

/// One finding: a sentence, the place, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// A stable short name such as `unknown-process`.
    pub code: &'static str,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// Where.
    pub span: Span,
    /// How to mend it, if that can be said.
    pub help: Option<String>,
}

/// Collects diagnostics in the order they were found.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    errors: usize,
}

impl Diagnostics {
    /// Records an error.
    pub fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        self.push(Severity::Error, code, span, message.into())
    }

    /// Records a warning.
    pub fn warning(&mut self, code: &'static str, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        self.push(Severity::Warning, code, span, message.into())
    }

    fn push(
        &mut self,
        severity: Severity,
        code: &'static str,
        span: Span,
        message: String,
    ) -> &mut Diagnostic {
        self.errors += usize::from(severity == Severity::Error);
        self.list.push(Diagnostic { severity, code, message, span, help: None });
        self.list.last_mut().expect("just pushed")
    }

    /// True when at least one error was recorded.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// How many errors were recorded.
    pub fn error_count(&self) -> usize {
        self.errors
    }

    /// The findings so far, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    /// Adds the findings of another text, or of another look at this one.
    pub fn append(&mut self, other: Diagnostics) {
        self.errors += other.errors;
        self.list.extend(other.list);
    }

    /// Puts the findings into the order of the text; those at one place keep
    /// the order in which they were found.
    pub fn sort_by_position(&mut self) {
        self.list.sort_by_key(|d| d.span.start);
    }

    /// Gives up the findings.
    pub fn into_vec(self) -> Vec<Diagnostic> {
        self.list
    }
}

impl Diagnostic {
    /// Adds advice.
    pub fn help(&mut self, text: impl Into<String>) {
        self.help = Some(text.into());
    }
}
