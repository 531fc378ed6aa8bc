//! Decoded texts and where their bytes came from.

use crate::Span;

/// A text of the language, perhaps decoded from XML, with the way back to the
/// file: piece by piece, decoded offsets to file offsets.
#[derive(Clone, Debug, Default)]
pub struct Fragment {
    text: String,
    /// `(decoded offset, file offset)` of the start of each piece, ascending.
    /// Inside a piece of length one-to-one offsets grow together; a character
    /// that stands for an entity is a piece of its own.
    pieces: Vec<(u32, u32)>,
    /// File offset of the end.
    end: u32,
}

impl Fragment {
    /// The whole text of a plain file.
    pub fn plain(text: &str) -> Self {
        Self { text: text.to_owned(), pieces: vec![(0, 0)], end: text.len() as u32 }
    }

    /// An empty text at a place of the file; fill it with [`Self::push`].
    pub fn at(file_offset: u32) -> Self {
        Self { text: String::new(), pieces: Vec::new(), end: file_offset }
    }

    /// Appends decoded text that stands at `file` in the file. `verbatim` text
    /// is there byte for byte; otherwise all of it stands for that span.
    pub fn push(&mut self, decoded: &str, file: Span, verbatim: bool) {
        debug_assert!(!verbatim || decoded.len() as u32 == file.end - file.start);
        self.pieces.push((self.text.len() as u32, file.start));
        self.text.push_str(decoded);
        self.end = file.end;
    }

    /// The decoded text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The place of a range of the decoded text in the file.
    pub fn span(&self, start: usize, end: usize) -> Span {
        let from = self.file(start as u32);
        // The end of a range is where its last byte ends, or an entity would
        // be cut after its first byte.
        let to = if end >= self.text.len() {
            self.end
        } else if end > start {
            self.file_end(end as u32)
        } else {
            from
        };
        Span { start: from, end: to.max(from) }
    }

    /// The place of the whole text.
    pub fn whole(&self) -> Span {
        self.span(0, self.text.len())
    }

    fn piece(&self, offset: u32) -> usize {
        self.pieces.partition_point(|&(decoded, _)| decoded <= offset).saturating_sub(1)
    }

    fn file(&self, offset: u32) -> u32 {
        if offset as usize >= self.text.len() && !self.text.is_empty() {
            return self.end;
        }
        match self.pieces.get(self.piece(offset)) {
            None => self.end,
            Some(&(decoded, file)) => file + (offset - decoded),
        }
    }

    /// Where the byte before `offset` ends in the file.
    fn file_end(&self, offset: u32) -> u32 {
        let last = self.piece(offset - 1);
        let (decoded, file) = self.pieces[last];
        match self.pieces.get(last + 1) {
            // The range ends with its piece: that is where the next one begins,
            // unless markup lies between; then the piece was verbatim.
            Some(&(next, next_file)) if next == offset => {
                let verbatim = file + (offset - decoded);
                if next - decoded == 1 { next_file } else { verbatim }
            }
            _ => file + (offset - decoded),
        }
    }
}
