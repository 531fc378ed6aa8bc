//! The queries of a model file.
//!
//! An empty query is how UPPAAL's editor writes a heading: it is no query,
//! but kept as an element of the query that follows it, or of the document
//! when it is the last.

use super::Reader;
use super::dom::Element;
use super::keep::Keep;
use crate::Diagnostics;
use crate::uppaal::parse::{Context, Parser};
use crate::uppaal::tree::{Document, Expectation, Outcome, QueryItem};

impl<'x> Reader<'x> {
    pub(super) fn queries(
        &mut self,
        element: &Element<'x>,
        context: &Context,
        document: &mut Document,
        keep: &mut Keep<'x>,
    ) {
        keep.comments(element);
        let mut headings = Vec::new();
        for child in element.elements() {
            match child.name {
                "option" => document.options.extend(option(child)),
                "query" => match self.query(child, context, &mut headings) {
                    Some(item) => document.queries.push(item),
                    None => headings.push(child),
                },
                _ => self.unknown(child, element, keep),
            }
        }
        self.no_text(element);
        for heading in headings {
            keep.element(heading);
        }
    }

    /// A query, or nothing where it is empty.
    fn query<'e>(
        &mut self,
        element: &'e Element<'x>,
        context: &Context,
        headings: &mut Vec<&'e Element<'x>>,
    ) -> Option<QueryItem> {
        let formula = element.elements().find(|child| child.name == "formula")?;
        let fragment = formula.text(self.source);
        let (mut context, mut found) = (context.clone(), Diagnostics::default());
        let parser = Parser::new(&fragment, self.syntax, &mut context, &mut found);
        let text = parser.one_line();
        if text.is_empty() {
            return None;
        }
        let query = parser.query();
        let mut keep = Keep::of(self.source, element, &[]);
        for heading in headings.drain(..) {
            keep.element(heading);
        }
        let (mut first, mut comment, mut expect) = (None, None, None);
        let mut options = Vec::new();
        for child in element.elements() {
            match child.name {
                "formula" => self.only(&mut first, child),
                "comment" => self.only(&mut comment, child),
                "expect" => self.only(&mut expect, child),
                "option" => options.extend(option(child)),
                "result" => keep.element(child),
                _ => self.unknown(child, element, &mut keep),
            }
        }
        self.no_text(element);
        keep.child("formula", formula, &[]);
        if let Some(child) = comment {
            keep.child("comment", child, &[]);
        }
        if let Some(child) = expect {
            // `symbolic` is what a writer puts anyway.
            let symbolic = child.attribute("type").is_some_and(|a| a.value == "symbolic");
            let understood = ["outcome", "value", "type"];
            keep.child("expect", child, &understood[..if symbolic { 3 } else { 2 }]);
        }
        Some(QueryItem {
            text,
            query,
            comment: comment
                .map(|child| child.text(self.source).text().to_owned())
                .filter(|text| !text.trim().is_empty()),
            expect: expect.map(expectation),
            options,
            extra: keep.finish(&["formula", "comment", "expect"]),
            diagnostics: found.into_vec(),
            span: fragment.whole(),
        })
    }
}

/// `<option key="--search-order" value="0"/>`
fn option(element: &Element) -> Option<(String, String)> {
    let key = element.attribute("key")?.value.to_string();
    let value = element.attribute("value").map(|a| a.value.to_string()).unwrap_or_default();
    Some((key, value))
}

fn expectation(element: &Element) -> Expectation {
    let resource = |child: &Element| {
        let attribute = |name| child.attribute(name).map_or("", |a| a.value.as_ref());
        format!("{} {}", attribute("value"), attribute("unit")).trim().to_owned()
    };
    Expectation {
        outcome: element.attribute("outcome").and_then(|a| match a.value.as_ref() {
            "success" => Some(Outcome::Satisfied),
            "failure" => Some(Outcome::NotSatisfied),
            "maybe_true" => Some(Outcome::MaybeSatisfied),
            "maybe_false" => Some(Outcome::MaybeNotSatisfied),
            "error" => Some(Outcome::Error),
            _ => None,
        }),
        value: element.attribute("value").map(|a| a.value.to_string()),
        resources: element.elements().filter(|child| child.name == "resource").map(resource).collect(),
    }
}
