//! The parser of attribute lists `{key: value : key: value}`.

use super::declarations::{Parse, Parser, Reported};
use super::expressions::Program;
use super::lexer::{Token, TokenKind, declaration_token, slice};
use super::tree::{Attribute, AttributeKind, Keyword, Name};
use crate::{Span, closest};

/// The keys that mean something, and for which declarations.
const KEYS: [(&str, Keyword); 7] = [
    ("initial", Keyword::Location),
    ("urgent", Keyword::Location),
    ("committed", Keyword::Location),
    ("labels", Keyword::Location),
    ("invariant", Keyword::Location),
    ("provided", Keyword::Edge),
    ("do", Keyword::Edge),
];

/// What other tools call these attributes.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("guard", "provided"),
    ("when", "provided"),
    ("update", "do"),
    ("assign", "do"),
    ("assignment", "do"),
    ("action", "do"),
    ("reset", "do"),
    ("label", "labels"),
];

impl Parser<'_> {
    /// Parses an attribute list; the next token is `{`. When this fails the
    /// cursor is where [`Parser::skip_attributes`] would leave it.
    pub fn attributes(&mut self, keyword: Keyword) -> Parse<Vec<Attribute>> {
        let open = self.next();
        let mut list: Vec<Attribute> = Vec::new();
        if self.peek_key()?.kind == TokenKind::Symbol("}") {
            self.next();
            return Ok(list);
        }
        loop {
            let key = self.key(open, &list)?;
            let value = self.value_span();
            let stop = self.peek_value_end();
            // A value that was cut short by an error makes no sense of its own.
            let kind = match stop {
                Stop::Colon | Stop::Close => self.attribute(keyword, &key, value),
                Stop::Open | Stop::Comment | Stop::End => AttributeKind::Broken,
            };
            self.check_repetition(&list, &key, &kind);
            list.push(Attribute { key, value_span: value, kind });
            match stop {
                Stop::Colon => self.at += 1,
                Stop::Close => {
                    self.at += 1;
                    self.last_end = self.at as u32;
                    return Ok(list);
                }
                Stop::Open => {
                    let at = Span::new(self.at, self.at + 1);
                    self.diagnostics
                        .error("unexpected-token", at, "`{` cannot stand inside an attribute value")
                        .help("close the list of attributes with `}` first");
                    self.skip_attributes();
                    return Err(Reported);
                }
                Stop::Comment => {
                    self.comment_inside();
                    self.skip_attributes();
                    return Err(Reported);
                }
                Stop::End => return Err(self.unclosed(open)),
            }
        }
    }

    /// The next token where a key may stand: ends of lines are skipped, a
    /// comment is an error.
    fn peek_key(&mut self) -> Parse<Token> {
        loop {
            let blank =
                |b: &u8| matches!(b, b' ' | b'\t' | b'\r' | b'\n') && !self.declaration_follows(self.at);
            match self.text.as_bytes().get(self.at) {
                Some(b) if blank(b) => self.at += 1,
                Some(b'#') => {
                    self.comment_inside();
                    self.skip_attributes();
                    return Err(Reported);
                }
                _ => return Ok(self.peek()),
            }
        }
    }

    /// Parses `key :`.
    fn key(&mut self, open: Token, before: &[Attribute]) -> Parse<Name> {
        let token = self.peek_key()?;
        if token.kind == TokenKind::End || token.kind == TokenKind::Newline {
            return Err(self.unclosed(open));
        }
        if token.kind != TokenKind::Word {
            let help = match token.kind {
                TokenKind::Symbol("}") if !before.is_empty() => "remove the `:` before `}`",
                TokenKind::Symbol(":") if !before.is_empty() => "one `:` separates two attributes",
                _ => "the form is `{key: value : key: value}`",
            };
            self.unexpected(token, "the name of an attribute", Some(help.to_owned()));
            self.skip_attributes();
            return Err(Reported);
        }
        self.next();
        let colon = self.peek_key()?;
        if colon.kind == TokenKind::End || colon.kind == TokenKind::Newline {
            return Err(self.unclosed(open));
        }
        let text = slice(self.text, token.span);
        if colon.kind != TokenKind::Symbol(":") {
            let help = format!("write `{text}:`, also for an attribute without a value");
            self.unexpected(colon, "`:`", Some(help));
            self.skip_attributes();
            return Err(Reported);
        }
        self.next();
        Ok(Name { text: text.to_owned(), span: token.span })
    }

    /// Takes the text of a value, up to its end; the span leaves out the
    /// blanks around it.
    fn value_span(&mut self) -> Span {
        let start = self.at;
        let bytes = self.text.as_bytes();
        while self.at < bytes.len()
            && !matches!(bytes[self.at], b':' | b'{' | b'}' | b'#')
            && !self.declaration_follows(self.at)
        {
            self.at += 1;
        }
        let raw = &self.text[start..self.at];
        let trimmed = raw.trim_matches([' ', '\t', '\r', '\n']);
        let start = start + (raw.len() - raw.trim_start_matches([' ', '\t', '\r', '\n']).len());
        if trimmed.is_empty() {
            // An empty value is marked where it should begin.
            let start = self.at - raw.len();
            return Span::new(start, start);
        }
        Span::new(start, start + trimmed.len())
    }

    fn peek_value_end(&self) -> Stop {
        match self.text.as_bytes().get(self.at) {
            Some(b':') => Stop::Colon,
            Some(b'}') => Stop::Close,
            Some(b'{') => Stop::Open,
            Some(b'#') => Stop::Comment,
            _ => Stop::End,
        }
    }

    /// True at the end of a line after which a declaration begins. Inside an
    /// attribute list this means that the closing brace was forgotten.
    fn declaration_follows(&self, at: usize) -> bool {
        if self.text.as_bytes().get(at) != Some(&b'\n') {
            return false;
        }
        let word = declaration_token(self.text, at + 1);
        word.kind == TokenKind::Word
            && Keyword::from_text(slice(self.text, word.span)).is_some()
            && declaration_token(self.text, word.span.end as usize).kind == TokenKind::Symbol(":")
    }

    /// Skips to after the closing brace, or to the end of the line before the
    /// next declaration.
    pub fn skip_attributes(&mut self) {
        let bytes = self.text.as_bytes();
        while self.at < bytes.len() && !self.declaration_follows(self.at) {
            self.at += 1;
            if bytes[self.at - 1] == b'}' {
                return;
            }
        }
    }

    fn unclosed(&mut self, open: Token) -> Reported {
        self.diagnostics
            .error("unclosed-attributes", open.span, "this list of attributes is not closed")
            .help("add `}` at the end of the declaration");
        Reported
    }

    fn comment_inside(&mut self) {
        let rest = &self.text[self.at..];
        let end = rest.find('\n').unwrap_or(rest.len());
        let span = Span::new(self.at, self.at + rest[..end].trim_end().len());
        self.diagnostics
            .error("comment-in-attributes", span, "a comment cannot stand inside a list of attributes")
            .help("move the comment before the declaration or after `}`");
        // Braces in the comment close nothing.
        self.at += end;
    }

    fn attribute(&mut self, keyword: Keyword, key: &Name, value: Span) -> AttributeKind {
        if !KEYS.contains(&(key.text.as_str(), keyword)) {
            self.unknown_key(keyword, key);
            return AttributeKind::Unknown;
        }
        match key.text.as_str() {
            "initial" => self.flag(key, value, AttributeKind::Initial),
            "urgent" => self.flag(key, value, AttributeKind::Urgent),
            "committed" => self.flag(key, value, AttributeKind::Committed),
            "labels" => AttributeKind::Labels(self.labels(value)),
            _ if value.start == value.end => {
                let what = if key.text == "do" { "a statement" } else { "a condition" };
                let message = format!("`{}:` needs {what}", key.text);
                self.diagnostics
                    .error("missing-value", key.span, message)
                    .help("leave the attribute out if it has no value");
                AttributeKind::Broken
            }
            "do" => match Program::new(self.text, value, self.diagnostics).statements() {
                Ok(list) => AttributeKind::Do(list),
                Err(Reported) => AttributeKind::Broken,
            },
            name => match Program::new(self.text, value, self.diagnostics).condition() {
                Ok(e) if name == "provided" => AttributeKind::Provided(e),
                Ok(e) => AttributeKind::Invariant(e),
                Err(Reported) => AttributeKind::Broken,
            },
        }
    }

    fn flag(&mut self, key: &Name, value: Span, kind: AttributeKind) -> AttributeKind {
        if value.start < value.end {
            let message = format!("`{}:` takes no value; this one is ignored", key.text);
            self.diagnostics.warning("ignored-value", value, message).help(format!(
                "the location is {} whatever the value; remove the attribute if not",
                key.text
            ));
        }
        kind
    }

    fn labels(&mut self, value: Span) -> Vec<Name> {
        let mut labels = Vec::new();
        let mut start = value.start as usize;
        if value.start == value.end {
            return labels;
        }
        for part in slice(self.text, value).split(',') {
            let text = part.trim();
            let lead = part.len() - part.trim_start().len();
            if text.is_empty() {
                let span = Span::new(start, start + part.len());
                self.diagnostics
                    .warning("empty-label", span, "a label is missing here")
                    .help("remove the comma");
            } else {
                let span = Span::new(start + lead, start + lead + text.len());
                labels.push(Name { text: text.to_owned(), span });
            }
            start += part.len() + 1;
        }
        labels
    }

    fn unknown_key(&mut self, keyword: Keyword, key: &Name) {
        let message =
            format!("`{}` declarations have no attribute `{}`; it is ignored", keyword.text(), key.text);
        let warning = self.diagnostics.warning("unknown-attribute", key.span, message);
        let here = KEYS.iter().filter(|(_, k)| *k == keyword).map(|(text, _)| *text);
        if let Some((_, owner)) = KEYS.iter().find(|(text, _)| *text == key.text) {
            warning.help(format!("`{}` belongs to a declaration of {}s", key.text, owner.text()));
        } else if let Some(near) = closest(&key.text, here) {
            warning.help(format!("did you mean `{near}`?"));
        } else if let Some((_, named)) = OTHER_NAMES.iter().find(|(other, _)| *other == key.text) {
            warning.help(format!("it is called `{named}` here"));
        }
    }

    fn check_repetition(&mut self, list: &[Attribute], key: &Name, kind: &AttributeKind) {
        if !list.iter().any(|a| a.key.text == key.text) {
            return;
        }
        let meaning = match kind {
            AttributeKind::Unknown | AttributeKind::Broken => return,
            AttributeKind::Initial | AttributeKind::Urgent | AttributeKind::Committed => "once is enough",
            AttributeKind::Labels(_) => "the location has all the labels",
            AttributeKind::Invariant(_) | AttributeKind::Provided(_) => "all the conditions must hold",
            AttributeKind::Do(_) => "the statements run one after the other",
        };
        let message = format!("`{}` is given more than once; {meaning}", key.text);
        self.diagnostics.warning("duplicate-attribute", key.span, message);
    }
}

/// What ends the text of a value.
#[derive(Clone, Copy)]
enum Stop {
    Colon,
    Close,
    Open,
    Comment,
    End,
}
