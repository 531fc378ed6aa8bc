//! UPPAAL's XML files.
//!
//! Three steps: [`dom`] finds the elements and checks that the file is XML,
//! the readers of this folder give them their meaning, and the
//! [`Parser`](crate::uppaal::parse::Parser) reads the texts inside them.
//!
//! * every span of the tree and of every diagnostic lies in the file,
//!   also inside decoded text.
//! * a file that is not XML is reported as that and nothing else; what
//!   could be read of it is returned.
//! * `extra` lists are in one order whatever the file's: attributes, then
//!   attributes of children by kind of child, then comments, then elements.
//!   So writing a tree and reading it again gives the same lists.
//! * the structure is the same for either grammar. The old one is tried
//!   when a text offends the new one, and taken when no text offends it and
//!   none uses what UPPAAL 3 did not have.

mod dom;
mod keep;
mod paths;
mod queries;
mod tag;
mod template;
#[cfg(test)]
mod tests;

use super::Fragment;
use super::parse::{Context, Parser};
use super::tree::{Block, Decl, Document, Extra, Syntax};
use crate::{Diagnostics, Severity, Span};
use dom::{Element, Node, Tree};
use keep::Keep;

/// Parses an XML file: any version of the DTD, which is not consulted, and
/// either grammar.
pub fn parse_xml(text: &str) -> (Document, Diagnostics) {
    let mut diagnostics = Diagnostics::default();
    let tree = dom::build(text, &mut diagnostics);
    let is_xml = !diagnostics.has_errors();
    let root = match &tree.root {
        Some(root) if matches!(root.name, "nta" | "project") => root,
        found => {
            if is_xml {
                missing_root(found.as_ref(), &mut diagnostics);
            }
            return (Document::default(), diagnostics);
        }
    };
    let (mut document, mut reader) = read(text, &tree, root, Syntax::New);
    if !is_xml {
        return (document, diagnostics);
    }
    let first_error = reader.texts.iter().find(|d| d.severity == Severity::Error).map(|d| d.span);
    if let Some(span) = first_error {
        let (old, old_reader) = read(text, &tree, root, Syntax::Old);
        if !old_reader.texts.has_errors() && !old_reader.modern {
            (document, reader) = (old, old_reader);
            reader
                .structure
                .warning("old-syntax", span, "this file is read in the old syntax of UPPAAL 3")
                .help("in the syntax of UPPAAL 4 there would be an error here");
        }
    }
    diagnostics.append(reader.structure);
    diagnostics.append(reader.texts);
    diagnostics.sort_by_position();
    (document, diagnostics)
}

fn missing_root(found: Option<&Element>, diagnostics: &mut Diagnostics) {
    match found {
        None => {
            diagnostics.error(
                "missing-root",
                Span::default(),
                "the file holds no element, `<nta>` is expected",
            );
        }
        Some(root) => {
            let message = format!("the file is a `<{}>`, not a model, which is an `<nta>`", root.name);
            diagnostics.error("missing-root", root.tag, message);
        }
    }
}

fn read<'x>(source: &'x str, tree: &Tree<'x>, root: &Element<'x>, syntax: Syntax) -> (Document, Reader<'x>) {
    let (structure, texts) = (Diagnostics::default(), Diagnostics::default());
    let mut reader = Reader { source, syntax, structure, texts, modern: false };
    let document = reader.document(tree, root);
    (document, reader)
}

/// What is said once, with its place: an offence against XML.
#[derive(Debug)]
struct Fault {
    code: &'static str,
    span: Span,
    message: String,
    help: Option<&'static str>,
}

impl Fault {
    fn new(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self { code, span, message: message.into(), help: None }
    }

    fn syntax(span: Span, message: impl Into<String>) -> Self {
        Self::new("xml-syntax", span, message)
    }

    fn help(self, help: &'static str) -> Self {
        Self { help: Some(help), ..self }
    }

    fn report(self, diagnostics: &mut Diagnostics) {
        let diagnostic = diagnostics.error(self.code, self.span, self.message);
        if let Some(help) = self.help {
            diagnostic.help(help);
        }
    }
}

/// Gives the elements of one file their meaning, in one grammar.
struct Reader<'x> {
    source: &'x str,
    syntax: Syntax,
    /// Findings about elements and attributes; they do not depend on the
    /// grammar.
    structure: Diagnostics,
    /// Findings about texts.
    texts: Diagnostics,
    /// Some text uses what UPPAAL 3 did not have.
    modern: bool,
}

impl<'x> Reader<'x> {
    fn document(&mut self, tree: &Tree<'x>, root: &Element<'x>) -> Document {
        let mut keep = Keep::new(self.source);
        for &comment in &tree.comments {
            keep.comment(comment);
        }
        keep.attributes(root, &[]);
        keep.comments(root);
        let (mut declaration, mut instantiation, mut system) = (None, None, None);
        let mut templates = Vec::new();
        let mut queries = Vec::new();
        for element in root.elements() {
            match element.name {
                "declaration" => self.only(&mut declaration, element),
                "instantiation" => self.only(&mut instantiation, element),
                "system" => self.only(&mut system, element),
                "template" => templates.push(element),
                "queries" => queries.push(element),
                "imports" | "lsc" => keep.element(element),
                _ => self.unknown(element, root, &mut keep),
            }
        }
        self.no_text(root);

        // The order of meaning, whatever the order in the file: names of
        // templates are known to the system section, its names to the queries.
        let mut context = Context::default();
        let mut document = Document {
            syntax: self.syntax,
            declarations: self.block(declaration, &mut context),
            paths: paths::of(root),
            ..Document::default()
        };
        document.templates =
            templates.iter().map(|element| self.template(element, context.clone())).collect();
        template::report_shared_ids(&document, &mut self.structure);
        let first = self.block(instantiation, &mut context);
        self.system(system, root, first, &mut context, &mut document);
        for element in queries {
            self.queries(element, &context, &mut document, &mut keep);
        }
        for (element, key) in [(declaration, "declaration"), (system, "system")] {
            if let Some(element) = element {
                keep.child(key, element, &[]);
            }
        }
        if let Some(element) = instantiation {
            keep.comments(element);
        }
        document.extra = keep.finish(&["declaration", "system"]);
        document
    }

    fn system(
        &mut self,
        element: Option<&Element<'x>>,
        root: &Element<'x>,
        first: Block,
        context: &mut Context,
        document: &mut Document,
    ) {
        match element {
            Some(element) if !self.is_blank(element) => {
                let (system, queries) = self.parse(element, context, |p| p.system());
                document.system = system;
                document.queries.extend(queries);
            }
            _ => {
                let span = element.map_or(root.tag, |element| element.tag);
                self.structure
                    .error("missing-system", span, "the model has no system section")
                    .help("`<system>system P, Q;</system>` says which processes run");
                document.system.span = span;
            }
        }
        if !first.items.is_empty() {
            prepend(first, &mut document.system.declarations);
        }
    }

    /// Keeps the first element of a kind that may occur once.
    fn only<'e>(&mut self, place: &mut Option<&'e Element<'x>>, element: &'e Element<'x>) {
        if place.is_some() {
            let message = format!("a second `<{}>`; the first one counts", element.name);
            self.structure.error("duplicate-element", element.tag, message);
        } else {
            *place = Some(element);
        }
    }

    /// An element that means nothing where it stands.
    fn unknown(&mut self, element: &Element<'x>, parent: &Element<'x>, keep: &mut Keep<'x>) {
        let message = format!("`<{}>` means nothing inside `<{}>`", element.name, parent.name);
        self.structure.warning("unknown-element", element.tag, message);
        keep.element(element);
    }

    /// Warns about text in an element that only holds elements.
    fn no_text(&mut self, element: &Element<'x>) {
        for node in &element.children {
            if let Node::Text(span) = node {
                let text = &self.source[span.start as usize..span.end as usize];
                if !text.trim().is_empty() {
                    let start = span.start as usize + (text.len() - text.trim_start().len());
                    let end = span.start as usize + text.trim_end().len();
                    let message = format!("text right inside `<{}>` means nothing", element.name);
                    self.structure.warning("stray-text", Span::new(start, end), message);
                }
            }
        }
    }

    /// True where an element holds no text but white space.
    fn is_blank(&self, element: &Element<'x>) -> bool {
        element.text(self.source).text().trim().is_empty()
    }

    /// Declarations with their text.
    fn block(&mut self, element: Option<&Element<'x>>, context: &mut Context) -> Block {
        let Some(element) = element else { return Block::default() };
        let items: Vec<Decl> = self.parse(element, context, |p| p.declarations());
        Block { items, text: element.text(self.source).text().to_owned(), span: element.content }
    }

    /// Parses the text of an element by one of the parser's rules.
    fn parse<T>(
        &mut self,
        element: &Element<'x>,
        context: &mut Context,
        rule: impl FnOnce(Parser<'_>) -> T,
    ) -> T {
        for inner in element.elements() {
            let message = format!("`<{}>` means nothing inside the text of `<{}>`", inner.name, element.name);
            self.structure.warning("unknown-element", inner.tag, message);
        }
        let text: Fragment = element.text(self.source);
        let result = rule(Parser::new(&text, self.syntax, context, &mut self.texts));
        self.modern |= context.is_modern();
        result
    }
}

/// Puts the declarations of the `<instantiation>` element before those of the
/// system section.
fn prepend(first: Block, block: &mut Block) {
    block.items.splice(0..0, first.items);
    block.text = format!("{}\n{}", first.text, block.text);
    block.span = first.span.to(block.span);
}

/// The place of `extra` entries in the order of X-3.
fn rank(extra: &Extra, children: &[&str]) -> usize {
    match extra {
        Extra::Attribute(..) => 0,
        Extra::ChildAttribute(child, ..) => {
            1 + children.iter().position(|name| name == child).unwrap_or(children.len())
        }
        Extra::Comment(_) => children.len() + 2,
        Extra::Element(_) => children.len() + 3,
    }
}
