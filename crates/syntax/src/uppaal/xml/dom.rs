//! The elements of an XML file, with their places.
//!
//! * D-1: every span is a byte range of the whole file.
//! * D-2: at most [`MAX_DEPTH`] elements lie inside each other, so that
//!   recursion over them is safe.
//! * D-3: nothing of a file is expanded: no entity but XML's own five and
//!   character references, no DTD.
//!
//! At the first offence against XML reading stops; what is open then counts as
//! closed.

use super::Fault;
use super::tag::{self, Attribute};
use crate::uppaal::Fragment;
use crate::{Diagnostics, Span};
use quick_xml::Reader;
use quick_xml::errors::{Error, IllFormedError, SyntaxError};
use quick_xml::events::Event;

/// UPPAAL's own files are six deep.
pub(super) const MAX_DEPTH: usize = 64;

/// An element.
#[derive(Debug)]
pub(super) struct Element<'x> {
    pub name: &'x str,
    pub attributes: Vec<Attribute<'x>>,
    pub children: Vec<Node<'x>>,
    /// Its start tag.
    pub tag: Span,
    /// What lies between its tags.
    pub content: Span,
    /// All of it.
    pub span: Span,
}

/// What an element holds.
#[derive(Debug)]
pub(super) enum Node<'x> {
    Element(Element<'x>),
    /// Text that stands in the file as it is.
    Text(Span),
    /// A reference, or a line end of two bytes.
    Char(char, Span),
    /// With its markers.
    Comment(Span),
}

/// A whole file.
#[derive(Debug, Default)]
pub(super) struct Tree<'x> {
    pub root: Option<Element<'x>>,
    /// Comments before and after the root.
    pub comments: Vec<Span>,
}

impl<'x> Element<'x> {
    /// The value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&Attribute<'x>> {
        self.attributes.iter().find(|a| a.name == name)
    }

    /// The elements right inside.
    pub fn elements(&self) -> impl Iterator<Item = &Element<'x>> {
        self.children.iter().filter_map(|node| match node {
            Node::Element(element) => Some(element),
            _ => None,
        })
    }

    /// The text right inside, decoded.
    pub fn text(&self, source: &str) -> Fragment {
        let mut text = Fragment::at(self.content.start);
        let mut buffer = [0; 4];
        for node in &self.children {
            match node {
                Node::Text(span) => text.push(&source[span.start as usize..span.end as usize], *span, true),
                Node::Char(c, span) => text.push(c.encode_utf8(&mut buffer), *span, false),
                Node::Element(_) | Node::Comment(_) => {}
            }
        }
        text
    }
}

/// Reads a file. Whether it is XML, `diagnostics` say.
pub(super) fn build<'x>(source: &'x str, diagnostics: &mut Diagnostics) -> Tree<'x> {
    // The mark is not counted in the reader's positions.
    let base = source.len() - source.trim_start_matches('\u{feff}').len();
    let mut builder = Builder { source, base, open: Vec::new(), tree: Tree::default() };
    if let Err(fault) = builder.run() {
        fault.report(diagnostics);
    }
    while let Some(element) = builder.open.pop() {
        builder.close(element, source.len(), source.len());
    }
    builder.tree
}

struct Builder<'x> {
    source: &'x str,
    base: usize,
    /// The elements that are not closed yet, outermost first.
    open: Vec<Element<'x>>,
    tree: Tree<'x>,
}

impl<'x> Builder<'x> {
    fn run(&mut self) -> Result<(), Fault> {
        let mut reader = Reader::from_str(&self.source[self.base..]);
        reader.config_mut().check_comments = true;
        loop {
            let start = self.base + reader.buffer_position() as usize;
            let event = reader.read_event();
            let end = self.base + reader.buffer_position() as usize;
            match event {
                Ok(Event::Eof) => break,
                Ok(event) => self.event(event, start, end)?,
                Err(error) => {
                    return Err(self.fault(&error, self.base + reader.error_position() as usize));
                }
            }
        }
        match self.open.last() {
            None => Ok(()),
            Some(element) => Err(Fault::syntax(
                element.tag,
                format!("the file ends before `</{}>` of this element", element.name),
            )),
        }
    }

    fn event(&mut self, event: Event<'_>, start: usize, end: usize) -> Result<(), Fault> {
        let span = Span::new(start, end);
        match event {
            Event::Start(_) => {
                let element = self.start(&self.source[start + 1..end - 1], span)?;
                self.open.push(element);
            }
            Event::Empty(_) => {
                let element = self.start(&self.source[start + 1..end - 2], span)?;
                self.close(element, end, end);
            }
            Event::End(_) => {
                // The reader has compared the names.
                if let Some(element) = self.open.pop() {
                    self.close(element, start, end);
                }
            }
            Event::Text(_) => self.text(start, end)?,
            Event::CData(_) if self.open.is_empty() => return Err(outside(span)),
            Event::CData(_) => self.text(start + "<![CDATA[".len(), end - "]]>".len())?,
            Event::GeneralRef(_) if self.open.is_empty() => return Err(outside(span)),
            Event::GeneralRef(_) => {
                let name = &self.source[start + 1..end - 1];
                let c = tag::resolve(name).ok_or_else(|| tag::unknown_reference(name, span))?;
                self.push(Node::Char(c, span));
            }
            Event::Comment(_) => match self.open.last_mut() {
                Some(element) => element.children.push(Node::Comment(span)),
                None => self.tree.comments.push(span),
            },
            Event::DocType(_) => {
                if let Some(at) = self.source[start..end].find("<!ENTITY") {
                    return Err(Fault::new(
                        "xml-entity",
                        Span::new(start + at, start + at + "<!ENTITY".len()),
                        "a model that defines entities is not read",
                    ));
                }
            }
            Event::Decl(_) | Event::PI(_) | Event::Eof => {}
        }
        Ok(())
    }

    fn start(&self, inside: &'x str, tag: Span) -> Result<Element<'x>, Fault> {
        let (name, attributes) = tag::read(inside, tag.start as usize)?;
        if self.open.is_empty() && self.tree.root.is_some() {
            return Err(Fault::syntax(tag, "a second element after the end of the first"));
        }
        if self.open.len() == MAX_DEPTH {
            return Err(Fault::new(
                "xml-depth",
                tag,
                format!("more than {MAX_DEPTH} elements lie inside each other"),
            ));
        }
        let content = Span { start: tag.end, end: tag.end };
        Ok(Element { name, attributes, children: Vec::new(), tag, content, span: tag })
    }

    /// Closes an element whose end tag lies from `start` to `end`.
    fn close(&mut self, mut element: Element<'x>, start: usize, end: usize) {
        element.content.end = start as u32;
        element.span.end = end as u32;
        match self.open.last_mut() {
            Some(parent) => parent.children.push(Node::Element(element)),
            None => self.tree.root = Some(element),
        }
    }

    /// Text that stands for itself, but for line ends of two bytes, which XML
    /// reads as one.
    fn text(&mut self, start: usize, end: usize) -> Result<(), Fault> {
        let text = &self.source[start..end];
        if self.open.is_empty() {
            let blank = text.trim_matches([' ', '\t', '\r', '\n']);
            return if blank.is_empty() { Ok(()) } else { Err(outside(Span::new(start, end))) };
        }
        let mut from = 0;
        for (at, _) in text.match_indices('\r') {
            let len = if text[at..].starts_with("\r\n") { 2 } else { 1 };
            self.verbatim(start + from, start + at);
            self.push(Node::Char('\n', Span::new(start + at, start + at + len)));
            from = at + len;
        }
        self.verbatim(start + from, end);
        Ok(())
    }

    fn verbatim(&mut self, start: usize, end: usize) {
        if start < end {
            self.push(Node::Text(Span::new(start, end)));
        }
    }

    fn push(&mut self, node: Node<'x>) {
        if let Some(element) = self.open.last_mut() {
            element.children.push(node);
        }
    }

    /// The reader's complaint in our words.
    fn fault(&self, error: &Error, at: usize) -> Fault {
        let at = at.min(self.source.len());
        let here = Span::new(at, at);
        match error {
            Error::IllFormed(IllFormedError::UnclosedReference) => tag::stray_ampersand(at),
            Error::IllFormed(IllFormedError::MismatchedEndTag { expected, found }) => {
                Fault::syntax(here, format!("`</{found}>` where `</{expected}>` is due"))
            }
            Error::IllFormed(IllFormedError::UnmatchedEndTag(found)) => {
                Fault::syntax(here, format!("`</{found}>` closes nothing"))
            }
            Error::IllFormed(IllFormedError::DoubleHyphenInComment) => {
                Fault::syntax(here, "`--` cannot stand inside a comment")
            }
            Error::Syntax(SyntaxError::InvalidBangMarkup) => Fault::syntax(here, "`<!` begins nothing known"),
            Error::Syntax(SyntaxError::UnclosedComment) => Fault::syntax(here, "a comment without `-->`"),
            Error::Syntax(SyntaxError::UnclosedCData) => Fault::syntax(here, "a CDATA section without `]]>`"),
            Error::Syntax(SyntaxError::UnclosedDoctype) => Fault::syntax(here, "a DOCTYPE without `>`"),
            Error::Syntax(_) => Fault::syntax(here, "a tag without `>`"),
            other => Fault::syntax(here, other.to_string()),
        }
    }
}

fn outside(span: Span) -> Fault {
    Fault::syntax(span, "text outside of the file's element")
}
