//! Diagnostics for people and for programs.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use crate::source::floor_char_boundary;
use crate::{Diagnostic, Severity, SourceFile, Span};

/// Whether rendered text carries terminal colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Colour {
    /// Plain text.
    #[default]
    Never,
    /// ANSI escape sequences.
    Always,
}

/// Lines longer than this are shown around the error only.
const LONG_LINE: usize = 4000;

/// Shows a diagnostic: what and where, the line with a caret below it, and
/// the advice. Ends with a newline.
///
/// ```text
/// error[unknown-process]: there is no process `Q`
///  --> model.tck:3:10
///   |
/// 3 | location:Q:idle{initial:}
///   |          ^
///   |
///   = help: did you mean `P`?
/// ```
pub fn render(diagnostic: &Diagnostic, source: &SourceFile, colour: Colour) -> String {
    render_within(diagnostic, source, colour, WIDE)
}

/// Columns of a line of the source that are shown, where nobody says.
const WIDE: usize = 140;

/// Fewest columns of it: a caret needs something above it.
const NARROW: usize = 20;

/// The same on a terminal with so many columns: a line that would be wrapped
/// is shown around the error only.
pub fn render_within(diagnostic: &Diagnostic, source: &SourceFile, colour: Colour, columns: usize) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let view = View::new(source, diagnostic.span);
    let (position, _) = source.positions(diagnostic.span);
    let place = |column| format!("{}:{}:{column}", source.name(), position.line);
    // Of a line that is cut, the column in the part shown is not the one in the line.
    let (told, meant) = (place(view.column()), place(position.column as usize));
    let snippet = Snippet::source(view.text)
        .line_start(position.line as usize)
        .path(source.name())
        .annotation(AnnotationKind::Primary.span(view.mark));
    let title = level.primary_title(visible(&diagnostic.message)).id(diagnostic.code);
    let mut group = title.element(snippet);
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(visible(help)));
    }
    let renderer = match colour {
        Colour::Never => Renderer::plain(),
        Colour::Always => Renderer::styled(),
    };
    let mut text = renderer.term_width(columns.clamp(NARROW, WIDE)).render(&[group]);
    if view.cut {
        text = text.replacen(&told, &meant, 1);
    }
    text.push('\n');
    text
}

/// Control characters in messages (they quote the source) as escapes.
fn visible(text: &str) -> String {
    text.chars().flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] }).collect()
}

/// The part of the source that is shown, and the marked range within it.
struct View {
    text: String,
    /// Whether the text is less than the line.
    cut: bool,
    mark: std::ops::Range<usize>,
}

impl View {
    fn new(source: &SourceFile, span: Span) -> Self {
        let text = source.text();
        let start = floor_char_boundary(text, span.start as usize);
        let line = source.lines().line_range(text, start as u32);
        let start = start.clamp(line.start, line.end);
        let end = floor_char_boundary(text, (span.end as usize).clamp(start, line.end)).max(start);
        let (from, to) = if line.len() <= LONG_LINE {
            (line.start, line.end)
        } else {
            let from = floor_char_boundary(text, start.saturating_sub(LONG_LINE / 4).max(line.start));
            let to = floor_char_boundary(text, (start + LONG_LINE / 2).min(line.end)).max(start);
            (from, to)
        };
        let end = end.min(to);
        // One control character is as wide as one space, in every terminal.
        let mut shown = String::with_capacity(to - from + 1);
        let mut mark = 0..0;
        for (offset, c) in text[from..to].char_indices() {
            if from + offset == start {
                mark.start = shown.len();
            }
            if from + offset == end {
                mark.end = shown.len();
            }
            shown.push(if c.is_control() { ' ' } else { c });
        }
        if start == to {
            mark.start = shown.len();
        }
        if end == to {
            mark.end = shown.len();
        }
        Self { text: shown, cut: line.len() > LONG_LINE, mark }
    }

    /// Where the mark begins in the text, from 1.
    fn column(&self) -> usize {
        self.text[..self.mark.start].chars().count() + 1
    }
}

/// A diagnostic as plain data, with lines and columns instead of offsets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    /// Error or warning.
    pub severity: Severity,
    /// The stable short name.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// How to mend it.
    pub help: Option<String>,
    /// Line of the first character, from 1.
    pub line: u32,
    /// Column of the first character, from 1.
    pub column: u32,
    /// Line of the first character after the place.
    pub end_line: u32,
    /// Column of the first character after the place.
    pub end_column: u32,
}

/// Replaces offsets by lines and columns.
pub fn locate(diagnostic: &Diagnostic, source: &SourceFile) -> Located {
    let (start, end) = source.positions(diagnostic.span);
    Located {
        severity: diagnostic.severity,
        code: diagnostic.code,
        message: diagnostic.message.clone(),
        help: diagnostic.help.clone(),
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_very_long_line_is_cut_around_the_error() {
        let text = format!("{}X{}", "a".repeat(5000), "b".repeat(5000));
        let source = SourceFile::new("m.xta", text);
        let diagnostic = Diagnostic {
            severity: Severity::Error,
            code: "some-code",
            message: "no X".into(),
            span: Span::new(5000, 5001),
            help: None,
        };
        let shown = render(&diagnostic, &source, Colour::Never);
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines[..3], ["error[some-code]: no X", " --> m.xta:1:5001", "  |"], "{shown}");
        assert!(lines[3].starts_with("1 | ...aaa") && lines[3].ends_with("bbb..."), "{shown}");
        assert_eq!((lines.len(), lines[3].find('X')), (5, lines[4].find('^')), "{shown}");
    }
}
