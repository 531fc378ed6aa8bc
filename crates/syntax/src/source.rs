//! Source texts: decoding, lines and columns.

use crate::{Diagnostic, Severity, Span};

/// A place in a text as people count it: lines and columns from 1, columns
/// in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

/// Where the lines of a text begin.
///
/// A line ends with `\n`; a `\r` before it belongs to the line. A byte order
/// mark at the start of the text has no width.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Vec<u32>,
}

impl LineIndex {
    /// Finds the lines of `text`.
    pub fn new(text: &str) -> Self {
        let after_mark = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 };
        let mut starts = vec![after_mark as u32];
        starts.extend(text.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(i, _)| i as u32 + 1));
        Self { starts }
    }

    /// The number of lines, at least 1.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Never true: an empty text has one empty line.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The index, from 0, of the line that `offset` lies on.
    fn line_of(&self, offset: u32) -> usize {
        self.starts.partition_point(|&start| start <= offset).saturating_sub(1)
    }

    /// Line and column of a byte offset of the same text. An offset past the
    /// end counts as the end, one inside a character as its first byte.
    pub fn position(&self, text: &str, offset: u32) -> Position {
        let offset = floor_char_boundary(text, offset as usize);
        let line = self.line_of(offset as u32);
        let start = self.starts[line] as usize;
        let column = text.get(start..offset).map_or(0, |before| before.chars().count());
        Position { line: line as u32 + 1, column: column as u32 + 1 }
    }

    /// The byte range of the line that `offset` lies on, without its end of
    /// line.
    pub fn line_range(&self, text: &str, offset: u32) -> std::ops::Range<usize> {
        let line = self.line_of(offset);
        let start = self.starts[line] as usize;
        let end = self.starts.get(line + 1).map_or(text.len(), |&next| next as usize - 1);
        let end = if text[start..end].ends_with('\r') { end - 1 } else { end };
        start..end
    }
}

/// U+FEFF at the start of a text says that it is Unicode and nothing else.
pub(crate) const BYTE_ORDER_MARK: char = '\u{feff}';

/// The last character boundary of `text` at or before `offset`.
pub(crate) fn floor_char_boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// A named text with its lines.
#[derive(Clone, Debug)]
pub struct SourceFile {
    name: String,
    text: String,
    lines: LineIndex,
}

impl SourceFile {
    /// Takes a text under the name that messages shall use.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let lines = LineIndex::new(&text);
        Self { name: name.into(), text, lines }
    }

    /// What messages call it: a path, or `<stdin>`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its lines.
    pub fn lines(&self) -> &LineIndex {
        &self.lines
    }

    /// Where a span begins and ends; the end is exclusive.
    pub fn positions(&self, span: Span) -> (Position, Position) {
        (
            self.lines.position(&self.text, span.start),
            self.lines.position(&self.text, span.end.max(span.start)),
        )
    }
}

/// Turns the bytes of a file into text: UTF-8, or Latin-1 where an XML
/// declaration says so.
///
/// Fails at the first byte that is not UTF-8 (`invalid-utf8`) and for texts
/// whose offsets do not fit 32 bits (`source-too-large`). To show the error
/// in its line, make the [`SourceFile`] with `String::from_utf8_lossy`:
/// offsets up to the error are the same.
pub fn decode(bytes: &[u8]) -> Result<String, Diagnostic> {
    let fail = |code, message: String, span, help: &str| Diagnostic {
        severity: Severity::Error,
        code,
        message,
        span,
        help: Some(help.to_owned()),
    };
    if u32::try_from(bytes.len()).is_err() {
        let message = format!("the text has {} bytes, more than 4 GiB", bytes.len());
        return Err(fail("source-too-large", message, Span::default(), "split the model"));
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.to_owned()),
        // Its characters are the first 256 of Unicode, in their order.
        Err(_) if is_declared_latin1(bytes) => Ok(bytes.iter().map(|&byte| char::from(byte)).collect()),
        Err(error) => {
            let at = error.valid_up_to();
            let message = format!("byte 0x{:02x} is not UTF-8", bytes[at]);
            let help = "save the file as UTF-8 or plain ASCII";
            Err(fail("invalid-utf8", message, Span::new(at, at + 1), help))
        }
    }
}

/// Whether a file begins with `<?xml … encoding="iso-8859-1"?>` or the like.
fn is_declared_latin1(bytes: &[u8]) -> bool {
    const LONGEST: usize = 200;
    let declaration = bytes.strip_prefix(b"<?xml").map(|rest| &rest[..rest.len().min(LONGEST)]);
    let declaration = declaration.and_then(|rest| rest.split(|&byte| byte == b'>').next());
    let declaration = String::from_utf8_lossy(declaration.unwrap_or_default()).to_ascii_lowercase();
    let encoding = declaration.split_once("encoding").and_then(|(_, rest)| rest.split(['"', '\'']).nth(1));
    matches!(encoding, Some("iso-8859-1" | "latin1" | "latin-1"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, offset: u32) -> (u32, u32) {
        let p = LineIndex::new(text).position(text, offset);
        (p.line, p.column)
    }

    #[test]
    fn latin1_is_read_where_it_is_declared() {
        let file =
            |encoding: &str| format!("<?xml version='1.0' encoding={encoding}?>\n<nta>caf").into_bytes();
        for encoding in ["\"ISO-8859-1\"", "'latin1'"] {
            let read = decode(&[file(encoding), b"\xe9 \xa7</nta>".to_vec()].concat());
            assert!(read.is_ok_and(|text| text.ends_with("<nta>café §</nta>")), "{encoding}");
        }
        // Some files say one thing and are another.
        let utf8 = decode(&[file("'latin1'"), "é</nta>".as_bytes().to_vec()].concat());
        assert!(utf8.is_ok_and(|text| text.ends_with("<nta>café</nta>")));
        for bytes in [&file("'utf-8'")[..], b"<?xml", b"<?xml encoding=latin1>", b""] {
            assert!(decode(&[bytes, b"\xe9"].concat()).is_err());
        }
    }

    #[test]
    fn columns_count_characters() {
        let text = "ab\nçé∀d\n";
        assert_eq!(at(text, 0), (1, 1));
        assert_eq!(at(text, 2), (1, 3));
        assert_eq!(at(text, 3), (2, 1));
        assert_eq!(at(text, 5), (2, 2));
        assert_eq!(at(text, 6), (2, 2), "inside é");
        assert_eq!(at(text, 10), (2, 4));
        assert_eq!(at(text, 12), (3, 1));
        assert_eq!(at(text, 4_000_000), (3, 1));
        assert_eq!(at("", 0), (1, 1));
    }

    #[test]
    fn a_byte_order_mark_has_no_width() {
        assert_eq!(at("\u{feff}ab", 0), (1, 1));
        assert_eq!(at("\u{feff}ab", 3), (1, 1));
        assert_eq!(at("\u{feff}ab", 4), (1, 2));
    }

    #[test]
    fn lines_end_before_carriage_return_and_newline() {
        let text = "ab\r\ncd";
        let index = LineIndex::new(text);
        assert_eq!(index.line_range(text, 1), 0..2);
        assert_eq!(index.line_range(text, 3), 0..2);
        assert_eq!(index.line_range(text, 5), 4..6);
        assert_eq!(index.len(), 2);
    }

    #[test]
    fn bad_bytes_are_located() {
        let error = decode(b"ab\n\xffc").unwrap_err();
        assert_eq!((error.code, error.span), ("invalid-utf8", Span::new(3, 4)));
        assert_eq!(error.message, "byte 0xff is not UTF-8");
        assert_eq!(decode("çé".as_bytes()).unwrap(), "çé");
    }
}
