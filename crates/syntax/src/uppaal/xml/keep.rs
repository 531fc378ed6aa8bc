//! What has no meaning for us is kept, so that a file can be written again.

use super::dom::{Element, Node};
use crate::Span;
use crate::uppaal::tree::Extra;

/// Collects the `extra` of one node of the tree.
pub(super) struct Keep<'x> {
    source: &'x str,
    list: Vec<Extra>,
}

impl<'x> Keep<'x> {
    pub fn new(source: &'x str) -> Self {
        Self { source, list: Vec::new() }
    }

    /// The extra of an element: its attributes but those understood, and the
    /// comments right inside.
    pub fn of(source: &'x str, element: &Element<'x>, understood: &[&str]) -> Self {
        let mut keep = Self::new(source);
        keep.attributes(element, understood);
        keep.comments(element);
        keep
    }

    /// The attributes of the element itself.
    pub fn attributes(&mut self, element: &Element<'x>, understood: &[&str]) {
        for attribute in element.attributes.iter().filter(|a| !understood.contains(&a.name)) {
            self.list.push(Extra::Attribute(attribute.name.to_owned(), attribute.value.to_string()));
        }
    }

    /// The comments right inside an element.
    pub fn comments(&mut self, element: &Element<'x>) {
        for node in &element.children {
            if let Node::Comment(span) = node {
                self.comment(*span);
            }
        }
    }

    /// One comment.
    pub fn comment(&mut self, span: Span) {
        self.list.push(Extra::Comment(self.raw(span)));
    }

    /// What an understood child has besides: attributes and comments.
    pub fn child(&mut self, key: &str, child: &Element<'x>, understood: &[&str]) {
        for attribute in child.attributes.iter().filter(|a| !understood.contains(&a.name)) {
            self.list.push(Extra::ChildAttribute(
                key.to_owned(),
                attribute.name.to_owned(),
                attribute.value.to_string(),
            ));
        }
        self.comments(child);
    }

    /// A whole element.
    pub fn element(&mut self, element: &Element<'x>) {
        self.list.push(Extra::Element(self.raw(element.span)));
    }

    /// All of it in the order of X-3, where `children` is the order of
    /// children.
    pub fn finish(mut self, children: &[&str]) -> Vec<Extra> {
        self.list.sort_by_key(|extra| super::rank(extra, children));
        self.list
    }

    fn raw(&self, span: Span) -> String {
        self.source[span.start as usize..span.end as usize].to_owned()
    }
}
