//! The parser of declarations.

use super::lexer::{Token, TokenKind, declaration_token, describe, integer_value, slice};
use super::tree::{Declaration, DeclarationKind, Integer, Keyword, Name, SyncMember, Tree};
use crate::source::BYTE_ORDER_MARK;
use crate::{Diagnostics, Span, closest};

/// The error has been reported; skip to where parsing can go on.
pub(super) struct Reported;

pub(super) type Parse<T> = Result<T, Reported>;

/// A cursor in a text.
pub(super) struct Parser<'a> {
    pub text: &'a str,
    pub at: usize,
    /// End of the last token taken.
    pub last_end: u32,
    pub diagnostics: &'a mut Diagnostics,
}

impl<'a> Parser<'a> {
    pub fn new(text: &'a str, diagnostics: &'a mut Diagnostics) -> Self {
        let at = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 };
        Self { text, at, last_end: at as u32, diagnostics }
    }

    /// Parses all declarations.
    pub fn parse(mut self) -> Tree {
        let mut tree = Tree { end: Span::new(self.text.len(), self.text.len()), ..Tree::default() };
        loop {
            let token = self.peek();
            match token.kind {
                TokenKind::End => return tree,
                TokenKind::Newline => {
                    self.next();
                }
                _ => {
                    let keyword = Keyword::from_text(slice(self.text, token.span));
                    match self.declaration(keyword) {
                        Ok(declaration) => tree.declarations.push(declaration),
                        Err(Reported) => {
                            tree.broken.push(keyword.or_else(|| similar(slice(self.text, token.span))));
                            self.recover();
                        }
                    }
                }
            }
        }
    }

    pub fn peek(&self) -> Token {
        declaration_token(self.text, self.at)
    }

    pub fn next(&mut self) -> Token {
        let token = self.peek();
        self.at = token.span.end as usize;
        self.last_end = token.span.end;
        token
    }

    fn declaration(&mut self, keyword: Option<Keyword>) -> Parse<Declaration> {
        let first = self.next();
        let Some(keyword) = keyword else {
            return Err(self.unknown_declaration(first));
        };
        let kind = match keyword {
            Keyword::System => DeclarationKind::System { name: self.name_field(keyword)? },
            Keyword::Process => DeclarationKind::Process { name: self.name_field(keyword)? },
            Keyword::Event => DeclarationKind::Event { name: self.name_field(keyword)? },
            Keyword::Clock => {
                DeclarationKind::Clock { size: self.integer_field(keyword)?, name: self.name_field(keyword)? }
            }
            Keyword::Int => DeclarationKind::Int {
                size: self.integer_field(keyword)?,
                min: self.integer_field(keyword)?,
                max: self.integer_field(keyword)?,
                init: self.integer_field(keyword)?,
                name: self.name_field(keyword)?,
            },
            Keyword::Location => DeclarationKind::Location {
                process: self.name_field(keyword)?,
                name: self.name_field(keyword)?,
            },
            Keyword::Edge => DeclarationKind::Edge {
                process: self.name_field(keyword)?,
                source: self.name_field(keyword)?,
                target: self.name_field(keyword)?,
                event: self.name_field(keyword)?,
            },
            Keyword::Sync => DeclarationKind::Sync { members: self.sync_members()? },
        };
        let attributes = match self.peek().kind {
            TokenKind::Symbol("{") => self.attributes(keyword)?,
            _ => Vec::new(),
        };
        let span = Span { start: first.span.start, end: self.last_end };
        let end = self.peek();
        if matches!(end.kind, TokenKind::Newline | TokenKind::End) {
            return Ok(Declaration { kind, attributes, span });
        }
        Err(self.after_declaration(end, keyword))
    }

    /// The line starts with something that is no keyword.
    fn unknown_declaration(&mut self, first: Token) -> Reported {
        let quoted = describe(self.text, first);
        if first.kind == TokenKind::Unknown {
            return self.unexpected(first, "a declaration", None);
        }
        let word = slice(self.text, first.span);
        let message = format!("expected a declaration, found {quoted}");
        let error = self.diagnostics.error("unknown-declaration", first.span, message);
        match similar(word) {
            Some(near) => error.help(format!("did you mean `{}`?", near.text())),
            None => error
                .help("a line starts with one of system, process, event, clock, int, location, edge, sync"),
        }
        Reported
    }

    /// Something follows a complete declaration.
    fn after_declaration(&mut self, token: Token, keyword: Keyword) -> Reported {
        let mut help = format!("the form is `{}`", keyword.form());
        if token.kind == TokenKind::Symbol(":") {
            let brace = declaration_token(self.text, token.span.end as usize);
            if brace.kind == TokenKind::Symbol("{") {
                help = "no `:` stands before the attributes".to_owned();
            }
        }
        self.unexpected(token, "the end of the line", Some(help))
    }

    fn sync_members(&mut self) -> Parse<Vec<SyncMember>> {
        let mut members = Vec::new();
        loop {
            let process = self.name_field(Keyword::Sync)?;
            self.expect("@", Keyword::Sync)?;
            let event = self.name(Keyword::Sync)?;
            let weak = (self.peek().kind == TokenKind::Symbol("?")).then(|| self.next().span);
            members.push(SyncMember { process, event, weak });
            if self.peek().kind != TokenKind::Symbol(":") {
                return Ok(members);
            }
        }
    }

    fn expect(&mut self, symbol: &'static str, keyword: Keyword) -> Parse<Token> {
        let token = self.peek();
        if token.kind == TokenKind::Symbol(symbol) {
            return Ok(self.next());
        }
        let help = format!("the form is `{}`", keyword.form());
        Err(self.unexpected(token, &format!("`{symbol}`"), Some(help)))
    }

    fn name_field(&mut self, keyword: Keyword) -> Parse<Name> {
        self.expect(":", keyword)?;
        self.name(keyword)
    }

    fn name(&mut self, keyword: Keyword) -> Parse<Name> {
        let token = self.peek();
        if token.kind != TokenKind::Word {
            let help = format!("the form is `{}`", keyword.form());
            return Err(self.unexpected(token, "a name", Some(help)));
        }
        let text = slice(self.text, token.span);
        if Keyword::from_text(text).is_some() {
            let message = format!("`{text}` is a keyword and cannot be a name");
            self.diagnostics.error("reserved-word", token.span, message).help("choose another name");
            return Err(Reported);
        }
        self.next();
        Ok(Name { text: text.to_owned(), span: token.span })
    }

    fn integer_field(&mut self, keyword: Keyword) -> Parse<Integer> {
        self.expect(":", keyword)?;
        let token = self.peek();
        if token.kind != TokenKind::Integer {
            let help = format!("the form is `{}`", keyword.form());
            return Err(self.unexpected(token, "an integer", Some(help)));
        }
        self.next();
        match integer_value(slice(self.text, token.span)) {
            Some(value) => Ok(Integer { value, span: token.span }),
            None => Err(too_large(self.diagnostics, token.span)),
        }
    }

    /// Reports `token` where `expected` should stand.
    pub fn unexpected(&mut self, token: Token, expected: &str, help: Option<String>) -> Reported {
        let found = describe(self.text, token);
        let (code, message) = match token.kind {
            TokenKind::Unknown => ("unexpected-character", format!("unexpected character {found}")),
            _ => ("unexpected-token", format!("expected {expected}, found {found}")),
        };
        let span = match token.kind {
            // Whatever is missing belongs right after the last token.
            TokenKind::Newline | TokenKind::End => Span { start: self.last_end, end: self.last_end },
            _ => token.span,
        };
        let error = self.diagnostics.error(code, span, message);
        if let Some(help) = help {
            error.help(help);
        }
        Reported
    }

    /// Skips the rest of the line, with the attributes that begin on it.
    fn recover(&mut self) {
        loop {
            let token = self.peek();
            match token.kind {
                TokenKind::End | TokenKind::Newline => return,
                TokenKind::Symbol("{") => {
                    self.next();
                    self.skip_attributes();
                }
                _ => {
                    self.next();
                }
            }
        }
    }
}

/// The keyword that was probably meant.
fn similar(word: &str) -> Option<Keyword> {
    closest(word, Keyword::ALL.map(Keyword::text)).and_then(Keyword::from_text)
}

/// Reports an integer that does not fit.
pub(super) fn too_large(diagnostics: &mut Diagnostics, span: Span) -> Reported {
    diagnostics.error("integer-too-large", span, "this integer does not fit 32 bits").help(format!(
        "integers range from {} to {}",
        i32::MIN,
        i32::MAX
    ));
    Reported
}
