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
    /// Whether there are colours, and how many columns.
    fn look(self) -> (Colour, usize) {
        let (terminal, size) = match self {
            Self::Out => {
                (std::io::stdout().is_terminal(), terminal_size::terminal_size_of(std::io::stdout()))
            }
            Self::Err => {
                (std::io::stderr().is_terminal(), terminal_size::terminal_size_of(std::io::stderr()))
            }
        };
        let colour = if terminal { Colour::Always } else { Colour::Never };
        (colour, size.map_or(usize::MAX, |(width, _)| width.0.into()))
    }
}

/// A diagnostic as it is shown there.
pub fn rendered(diagnostic: &Diagnostic, source: &SourceFile, on: Stream) -> String {
    let (colour, columns) = on.look();
    render_within(diagnostic, source, colour, columns)
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
