//! Decoded texts and where their bytes came from.
//!
//! A text of an XML file is not one piece of it: `&lt;` stands for one
//! character, a CDATA section lies between markers, a comment may interrupt
//! it. A [`Fragment`] remembers where every piece lies.
//!
//! * F-1: pieces ascend, in the decoded text and in the file; none is empty.
//! * F-2: inside a verbatim piece offsets of both sides grow together; any
//!   part of another piece stands for all of its place in the file.

use crate::Span;

/// A text of the language, perhaps decoded from XML, with the way back to the
/// file: piece by piece, decoded offsets to file offsets.
#[derive(Clone, Debug, Default)]
pub struct Fragment {
    text: String,
    pieces: Vec<Piece>,
    /// File offset of the end.
    end: u32,
}

#[derive(Clone, Copy, Debug)]
struct Piece {
    /// Where it starts in the decoded text.
    decoded: u32,
    /// Where it lies in the file.
    file: Span,
    verbatim: bool,
}

impl Piece {
    /// Where the byte at a decoded offset begins in the file.
    fn start(&self, offset: u32) -> u32 {
        if self.verbatim { self.file.start + (offset - self.decoded) } else { self.file.start }
    }

    /// Where the byte before a decoded offset ends in the file.
    fn end(&self, offset: u32) -> u32 {
        if self.verbatim { self.file.start + (offset - self.decoded) } else { self.file.end }
    }
}

impl Fragment {
    /// The whole text of a plain file.
    pub fn plain(text: &str) -> Self {
        let mut whole = Self::at(0);
        whole.push(text, Span::new(0, text.len()), true);
        whole
    }

    /// An empty text at a place of the file; fill it with [`Self::push`].
    pub fn at(file_offset: u32) -> Self {
        Self { text: String::new(), pieces: Vec::new(), end: file_offset }
    }

    /// Appends decoded text that stands at `file` in the file, after all that
    /// was appended before. `verbatim` text is there byte for byte; otherwise
    /// all of it stands for that span.
    pub fn push(&mut self, decoded: &str, file: Span, verbatim: bool) {
        debug_assert!(!verbatim || decoded.len() as u32 == file.end - file.start);
        debug_assert!(file.start >= self.end, "F-1");
        if !decoded.is_empty() {
            self.pieces.push(Piece { decoded: self.text.len() as u32, file, verbatim });
            self.text.push_str(decoded);
        }
        self.end = file.end;
    }

    /// The decoded text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The place of a range of the decoded text in the file. An empty range
    /// is an empty place, before the byte at `start`.
    pub fn span(&self, start: usize, end: usize) -> Span {
        let from = match self.piece(start) {
            Some(piece) if start < self.text.len() => piece.start(start as u32),
            _ => self.end,
        };
        // The end of a range is where its last byte ends: not where the next
        // one begins, for markup may lie between.
        let to = match self.piece(end.min(self.text.len()).saturating_sub(1)) {
            Some(piece) if end > start => piece.end(end.min(self.text.len()) as u32),
            _ => from,
        };
        Span { start: from, end: to.max(from) }
    }

    /// The place of the whole text.
    pub fn whole(&self) -> Span {
        self.span(0, self.text.len())
    }

    /// The piece that holds the byte at a decoded offset.
    fn piece(&self, offset: usize) -> Option<&Piece> {
        let after = self.pieces.partition_point(|piece| piece.decoded as usize <= offset);
        self.pieces.get(after.checked_sub(1)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `a` `&lt;` `<![CDATA[` `bc` `]]>` `&#233;` `d`, at 10.
    fn pieces() -> Fragment {
        let mut f = Fragment::at(10);
        f.push("a", Span::new(10, 11), true);
        f.push("<", Span::new(11, 15), false);
        f.push("bc", Span::new(24, 26), true);
        f.push("é", Span::new(29, 35), false);
        f.push("d", Span::new(35, 36), true);
        f
    }

    #[test]
    fn ranges_end_where_their_last_byte_ends() {
        let f = pieces();
        assert_eq!(f.text(), "a<bcéd");
        assert_eq!(f.span(0, 1), Span::new(10, 11));
        assert_eq!(f.span(0, 2), Span::new(10, 15));
        assert_eq!(f.span(1, 2), Span::new(11, 15));
        assert_eq!(f.span(2, 4), Span::new(24, 26));
        assert_eq!(f.span(3, 4), Span::new(25, 26));
        assert_eq!(f.span(4, 6), Span::new(29, 35));
        assert_eq!(f.whole(), Span::new(10, 36));
    }

    #[test]
    fn empty_ranges_lie_before_their_byte() {
        let f = pieces();
        assert_eq!(f.span(2, 2), Span::new(24, 24));
        assert_eq!(f.span(7, 7), Span::new(36, 36));
        assert_eq!(Fragment::at(5).whole(), Span::new(5, 5));
        assert_eq!(Fragment::plain("").whole(), Span::new(0, 0));
    }

    #[test]
    fn ranges_beyond_the_end_are_cut() {
        let f = pieces();
        assert_eq!(f.span(6, 99), Span::new(35, 36));
        assert_eq!(f.span(50, 99), Span::new(36, 36));
    }
}
