//! Names, where they are used and where they are declared.
//!
//! Only declarations warn of a name that is a keyword elsewhere, and only they
//! change what the words after them mean.

use super::lexer::Kind;
use super::words;
use super::{Parse, Parser};
use crate::uppaal::tree::{Ident, Syntax};

/// Longer names are cut by UPPAAL, so they are refused.
const LONGEST_NAME: usize = 4000;

impl Parser<'_> {
    /// Is this a keyword that UPPAAL 3 did not have, in its syntax?
    pub(super) fn is_old_name(&self, kind: Kind) -> bool {
        self.syntax == Syntax::Old && kind.is_new_keyword()
    }

    /// Is there a name at the cursor?
    pub(super) fn is_name(&self) -> bool {
        self.kind() == Kind::Word || self.is_old_name(self.kind())
    }

    /// Parses a name that is used.
    pub(super) fn name_use(&mut self, expected: &str) -> Parse<Ident> {
        if !self.is_name() {
            return Err(self.unexpected(expected));
        }
        let token = self.bump();
        Ok(Ident { name: self.slice(token).to_owned(), span: self.token_span(token) })
    }

    /// Parses a name that is declared here and that queries can see.
    pub(super) fn declare(&mut self, expected: &str) -> Parse<Ident> {
        let name = self.declare_local(expected)?;
        if !self.in_function && words::is_query_keyword(&name.name) {
            let message = format!("`{}` is a keyword of UPPAAL's queries", name.name);
            self.warning("query-keyword", name.span, message)
                .help("UPPAAL's queries cannot speak of it; choose another name");
        }
        Ok(name)
    }

    /// Parses a name that is declared here and that no query can see.
    pub(super) fn declare_local(&mut self, expected: &str) -> Parse<Ident> {
        let name = self.declare_field(expected)?;
        if let Some(number) = words::soft(&name.name) {
            self.context.own.insert(number);
        }
        Ok(name)
    }

    /// Parses the name of a field, or one of the above.
    pub(super) fn declare_field(&mut self, expected: &str) -> Parse<Ident> {
        let token = self.token();
        let text = self.slice(token);
        if words::is_reserved(text) {
            let message = format!("`{text}` is reserved for later versions of the language");
            self.warning("reserved-word", self.token_span(token), message).help("choose another name");
        }
        if text.len() > LONGEST_NAME {
            let message = format!("this name has more than {LONGEST_NAME} bytes");
            self.error("name-too-long", self.token_span(token), message);
        }
        if !self.is_name() && token.kind != Kind::Word && text.starts_with(|c: char| c.is_ascii_alphabetic())
        {
            let message = format!("`{text}` is a keyword and cannot be a name");
            return Err(self.error("keyword-as-name", self.token_span(token), message));
        }
        let name = self.name_use(expected)?;
        if token.kind != Kind::Word || words::soft(&name.name).is_some() {
            let message = format!("`{}` is a keyword in newer versions of UPPAAL", name.name);
            self.warning("keyword-as-name", name.span, message)
                .help("UPPAAL 5 refuses it; choose another name");
        }
        if name.name == "location" {
            // From here on `e.location` may be this field.
            self.context.own.insert(words::soft("location").expect("a soft keyword"));
        }
        Ok(name)
    }

    /// Parses the name of a template or location in XML. Words that are
    /// keywords in models alone, and not in queries, are let pass: UPPAAL does
    /// the same, and `P.select` can only be this name.
    pub(super) fn xml_name(&mut self) -> Parse<Ident> {
        let token = self.token();
        if !token.kind.is_model_keyword() && !words::is_model_word(self.slice(token)) {
            return self.declare("a name");
        }
        self.bump();
        Ok(Ident { name: self.slice(token).to_owned(), span: self.token_span(token) })
    }
}
