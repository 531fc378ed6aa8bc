//! Diagnostics at their places in the source.

use crate::complain;
use dwell_engine::syntax::{Colour, Diagnostic, Severity, SourceFile, render_within};
use std::io::IsTerminal;

/// Most errors, and most warnings, that are shown: a file that is no model has millions.
const SHOWN: usize = 20;

/// Where something is shown.
#[derive(Clone, Copy)]
pub enum Stream {
    Out,
    Err,
}

impl Stream {
    /// How many columns the terminal has; `None`: it is none.
    pub fn columns(self) -> Option<usize> {
        let size = match self {
            Self::Out => terminal_size::terminal_size_of(std::io::stdout()),
            Self::Err => terminal_size::terminal_size_of(std::io::stderr()),
        };
        size.map(|(width, _)| width.0.into())
    }

    fn colour(self) -> Colour {
        let terminal = match self {
            Self::Out => std::io::stdout().is_terminal(),
            Self::Err => std::io::stderr().is_terminal(),
        };
        if terminal { Colour::Always } else { Colour::Never }
    }
}

/// A diagnostic as it is shown there.
pub fn rendered(diagnostic: &Diagnostic, source: &SourceFile, on: Stream) -> String {
    render_within(diagnostic, source, on.colour(), on.columns().unwrap_or(usize::MAX))
}

/// Shows diagnostics on standard error.
pub fn show(source: &SourceFile, diagnostics: &[Diagnostic]) {
    let (mut errors, mut warnings) = (0, 0);
    for diagnostic in diagnostics {
        let count = if diagnostic.severity == Severity::Error { &mut errors } else { &mut warnings };
        *count += 1;
        if *count <= SHOWN {
            complain(&rendered(diagnostic, source, Stream::Err));
        }
    }
    let hidden = (errors + warnings) - (errors.min(SHOWN) + warnings.min(SHOWN));
    if hidden > 0 {
        complain(&format!("note: {hidden} more are not shown\n"));
    }
}
