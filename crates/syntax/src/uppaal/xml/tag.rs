//! The insides of a start tag: its name, its attributes, and the references
//! in their values.
//!
//! `quick-xml` finds where a tag ends and asks no more of it, so that
//! `x<5 && y>3` passes for a tag. What XML demands is checked here.

use super::Fault;
use crate::Span;
use std::borrow::Cow;

/// An attribute of an element.
#[derive(Debug)]
pub(super) struct Attribute<'x> {
    pub name: &'x str,
    /// References resolved, white space as blanks.
    pub value: Cow<'x, str>,
    /// Where the value stands, without its quotes.
    pub span: Span,
}

/// The name and the attributes of the start tag that begins at `start`;
/// `inside` is what stands between `<` and `>` or `/>`.
pub(super) fn read<'x>(inside: &'x str, start: usize) -> Result<(&'x str, Vec<Attribute<'x>>), Fault> {
    let mut scan = Scan { text: inside, at: 0, base: start + 1 };
    let name = scan.name();
    if name.is_empty() {
        return Err(stray(start));
    }
    let mut attributes: Vec<Attribute<'x>> = Vec::new();
    loop {
        let blanks = scan.blanks();
        if scan.at == inside.len() {
            return Ok((name, attributes));
        }
        let attribute = scan.attribute(start)?;
        if blanks == 0 {
            return Err(Fault::syntax(attribute.span, "a blank is missing before this attribute"));
        }
        if attributes.iter().any(|a| a.name == attribute.name) {
            return Err(Fault::syntax(
                attribute.span,
                format!("attribute `{}` is given twice", attribute.name),
            ));
        }
        attributes.push(attribute);
    }
}

/// A `<` that begins no tag.
fn stray(at: usize) -> Fault {
    Fault::syntax(Span::new(at, at + 1), "`<` begins no tag")
        .help("in a text, `<` is written `&lt;` and `&` is written `&amp;`")
}

/// The character a reference stands for, given what is between `&` and `;`.
/// Names that a DTD might define are unknown.
pub(super) fn resolve(name: &str) -> Option<char> {
    let code = match name {
        "lt" => return Some('<'),
        "gt" => return Some('>'),
        "amp" => return Some('&'),
        "apos" => return Some('\''),
        "quot" => return Some('"'),
        _ => name.strip_prefix('#')?,
    };
    let (digits, radix) = match code.strip_prefix('x') {
        Some(hex) => (hex, 16),
        None => (code, 10),
    };
    // `from_str_radix` would take a sign.
    if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let c = char::from_u32(u32::from_str_radix(digits, radix).ok()?)?;
    let legal = !c.is_control() || matches!(c, '\t' | '\n' | '\r' | '\u{7f}'..='\u{9f}');
    (legal && !matches!(c, '\u{fffe}' | '\u{ffff}')).then_some(c)
}

/// The complaint about a reference that stands for nothing.
pub(super) fn unknown_reference(name: &str, span: Span) -> Fault {
    Fault::new("xml-entity", span, format!("`&{name};` stands for no character"))
        .help("XML knows `&lt;`, `&gt;`, `&amp;`, `&quot;`, `&apos;` and numbers such as `&#233;`")
}

/// The complaint about a `&` that begins no reference.
pub(super) fn stray_ampersand(at: usize) -> Fault {
    Fault::syntax(Span::new(at, at + 1), "`&` begins no reference").help("a `&` is written `&amp;`")
}

struct Scan<'x> {
    text: &'x str,
    at: usize,
    /// Offset of `text` in the file.
    base: usize,
}

impl<'x> Scan<'x> {
    /// As many characters as satisfy a test.
    fn take(&mut self, test: impl Fn(char) -> bool) -> &'x str {
        let rest = &self.text[self.at..];
        let taken = &rest[..rest.find(|c| !test(c)).unwrap_or(rest.len())];
        self.at += taken.len();
        taken
    }

    fn blanks(&mut self) -> usize {
        self.take(|c| matches!(c, ' ' | '\t' | '\r' | '\n')).len()
    }

    /// A name; empty where none stands. Beyond ASCII everything is taken for a
    /// letter.
    fn name(&mut self) -> &'x str {
        match self.text[self.at..].chars().next() {
            Some('a'..='z' | 'A'..='Z' | '_' | ':' | '\u{80}'..) => self.take(
                |c| matches!(c, 'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | ':' | '-' | '.' | '\u{80}'..),
            ),
            _ => "",
        }
    }

    fn eat(&mut self, c: char) -> bool {
        let found = self.text[self.at..].starts_with(c);
        self.at += if found { c.len_utf8() } else { 0 };
        found
    }

    fn here(&self) -> Span {
        Span::new(self.base + self.at, self.base + self.at)
    }

    fn attribute(&mut self, tag: usize) -> Result<Attribute<'x>, Fault> {
        let name = self.name();
        if name.is_empty() {
            // Most likely a comparison in a text, not a tag at all.
            return Err(stray(tag));
        }
        self.blanks();
        if !self.eat('=') {
            return Err(stray(tag));
        }
        self.blanks();
        let quote = match self.text[self.at..].chars().next() {
            Some(quote @ ('"' | '\'')) => quote,
            _ => return Err(Fault::syntax(self.here(), "the value of an attribute stands in quotes")),
        };
        self.eat(quote);
        let from = self.at;
        let raw = self.take(|c| c != quote);
        let span = Span::new(self.base + from, self.base + self.at);
        if !self.eat(quote) {
            return Err(Fault::syntax(span, "this value has no closing quote"));
        }
        Ok(Attribute { name, value: value(raw, span)?, span })
    }
}

/// The value of an attribute, given as written.
fn value(raw: &str, span: Span) -> Result<Cow<'_, str>, Fault> {
    let base = span.start as usize;
    if let Some(at) = raw.find('<') {
        return Err(Fault::syntax(
            Span::new(base + at, base + at + 1),
            "`<` cannot stand in the value of an attribute",
        )
        .help("write `&lt;`, or close the value with its quote"));
    }
    if !raw.contains(['&', '\t', '\r', '\n']) {
        return Ok(Cow::Borrowed(raw));
    }
    let mut value = String::with_capacity(raw.len());
    let mut at = 0;
    while let Some(c) = raw[at..].chars().next() {
        match c {
            '&' => {
                let Some(len) = raw[at + 1..].find(';') else { return Err(stray_ampersand(base + at)) };
                let name = &raw[at + 1..at + 1 + len];
                let place = Span::new(base + at, base + at + len + 2);
                value.push(resolve(name).ok_or_else(|| unknown_reference(name, place))?);
                at += len + 2;
                continue;
            }
            '\r' if raw[at..].starts_with("\r\n") => {}
            '\t' | '\r' | '\n' => value.push(' '),
            _ => value.push(c),
        }
        at += c.len_utf8();
    }
    Ok(Cow::Owned(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_with_their_places() {
        let (name, attributes) = read("label kind=\"guard\" x = '1&#50;'", 10).unwrap();
        assert_eq!(name, "label");
        assert_eq!(attributes[0].value, "guard");
        assert_eq!(attributes[0].span, Span::new(23, 28));
        assert_eq!(attributes[1].value, "12");
    }

    #[test]
    fn comparisons_are_no_tags() {
        for text in ["5 && y", "y && z", " a", "a=b", "a b='1'c='2'", "a b='1' b='2'", "a b='<'", "a b='&x;'"]
        {
            assert!(read(text, 0).is_err(), "{text}");
        }
    }

    #[test]
    fn references() {
        assert_eq!(resolve("#x41"), Some('A'));
        assert_eq!(resolve("#233"), Some('é'));
        for name in ["#0", "#+65", "#x", "#", "#xD800", "#99999999999", "nbsp", "", "#xFFFF"] {
            assert_eq!(resolve(name), None, "{name}");
        }
    }
}
