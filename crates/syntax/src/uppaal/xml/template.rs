//! Templates: their locations, branch points and edges.

use super::Reader;
use super::dom::Element;
use super::keep::Keep;
use crate::uppaal::parse::{Context, Parser};
use crate::uppaal::tree::{
    Branchpoint, Document, Edge, Expr, ExprKind, Ident, Location, Select, SyncLabel, Template,
};
use crate::{Diagnostics, Span};
use std::collections::{HashMap, HashSet};

/// Labels that carry notes and test code, known to mean nothing to a checker.
const NOTES: [&str; 4] = ["comments", "testcode", "testcodeEnter", "testcodeExit"];

impl<'x> Reader<'x> {
    pub(super) fn template(&mut self, element: &Element<'x>, mut context: Context) -> Template {
        let mut keep = Keep::of(self.source, element, &[]);
        let (mut name, mut parameter, mut declaration, mut init) = (None, None, None, None);
        let (mut locations, mut branchpoints, mut transitions) = (Vec::new(), Vec::new(), Vec::new());
        for child in element.elements() {
            match child.name {
                "name" => self.only(&mut name, child),
                "parameter" => self.only(&mut parameter, child),
                "declaration" => self.only(&mut declaration, child),
                "init" => self.only(&mut init, child),
                "location" => locations.push(child),
                "branchpoint" => branchpoints.push(child),
                "transition" => transitions.push(child),
                _ => self.unknown(child, element, &mut keep),
            }
        }
        self.no_text(element);
        for (key, child) in
            [("name", name), ("parameter", parameter), ("declaration", declaration), ("init", init)]
        {
            if let Some(child) = child {
                keep.child(key, child, if key == "init" { &["ref"] } else { &[] });
            }
        }

        // Parameters and declarations first: labels may use their names.
        let ident = self.template_name(name, element, &mut context);
        let params = parameter.map(|p| self.parse(p, &mut context, |p| p.parameters())).unwrap_or_default();
        let declarations = self.block(declaration, &mut context);
        let template = Template {
            params,
            declarations,
            locations: locations.iter().map(|child| self.location(child, &mut context)).collect(),
            branchpoints: branchpoints.iter().map(|child| self.branchpoint(child)).collect(),
            init: self.init(init, &ident, element),
            edges: transitions.iter().filter_map(|child| self.edge(child, &mut context)).collect(),
            extra: keep.finish(&["name", "parameter", "declaration", "init"]),
            span: name.map_or(element.tag, |name| name.span),
            name: ident,
        };
        self.report_duplicate_ids(&template);
        template
    }

    fn template_name(
        &mut self,
        name: Option<&Element<'x>>,
        template: &Element<'x>,
        context: &mut Context,
    ) -> Ident {
        let Some(element) = name.filter(|name| !self.is_blank(name)) else {
            self.structure.error("missing-name", template.tag, "this template has no name");
            return Ident { name: String::new(), span: template.tag };
        };
        self.parse(element, context, |p| p.name()).unwrap_or_else(|| Ident {
            name: element.text(self.source).text().trim().to_owned(),
            span: element.content,
        })
    }

    fn init(&mut self, init: Option<&Element<'x>>, name: &Ident, template: &Element<'x>) -> Option<Ident> {
        match init {
            Some(init) => self.reference(init),
            None => {
                let message = format!("template `{}` has no initial location", name.name);
                self.structure
                    .error("missing-init", template.tag, message)
                    .help("`<init ref=\"…\"/>` names the id of a location");
                None
            }
        }
    }

    fn location(&mut self, element: &Element<'x>, context: &mut Context) -> Location {
        let mut keep = Keep::of(self.source, element, &["id"]);
        let (mut name, mut invariant, mut rate) = (None, None, None);
        let (mut urgent, mut committed) = (None, None);
        for child in element.elements() {
            match (child.name, kind(child)) {
                ("name", _) => self.only(&mut name, child),
                ("urgent", _) => self.only(&mut urgent, child),
                ("committed", _) => self.only(&mut committed, child),
                ("label", Some("invariant")) => self.only_label(&mut invariant, child),
                ("label", Some("exponentialrate")) => self.only_label(&mut rate, child),
                ("label", kind) => self.other_label(child, kind, element, &mut keep),
                _ => self.unknown(child, element, &mut keep),
            }
        }
        self.no_text(element);
        for (key, child) in [("name", name), ("urgent", urgent), ("committed", committed)] {
            if let Some(child) = child {
                keep.child(key, child, &[]);
            }
        }
        Location {
            id: self.id(element).name,
            name: name.and_then(|child| self.parse(child, context, |p| p.name())),
            invariant: self.label(invariant, context, &mut keep, |p| p.invariant()),
            rate: self.label(rate, context, &mut keep, |p| p.rate()),
            urgent: urgent.is_some(),
            committed: committed.is_some(),
            extra: keep.finish(&["name", "label:invariant", "label:exponentialrate", "urgent", "committed"]),
            span: element.tag,
        }
    }

    fn branchpoint(&mut self, element: &Element<'x>) -> Branchpoint {
        let mut keep = Keep::of(self.source, element, &["id"]);
        for child in element.elements() {
            self.unknown(child, element, &mut keep);
        }
        self.no_text(element);
        Branchpoint { id: self.id(element), extra: keep.finish(&[]) }
    }

    /// An edge, or nothing where it does not say what it connects.
    fn edge(&mut self, element: &Element<'x>, context: &mut Context) -> Option<Edge> {
        let mut keep = Keep::of(self.source, element, &["controllable"]);
        let (mut source, mut target) = (None, None);
        let (mut select, mut guard, mut sync, mut update, mut probability) = (None, None, None, None, None);
        for child in element.elements() {
            match (child.name, kind(child)) {
                ("source", _) => self.only(&mut source, child),
                ("target", _) => self.only(&mut target, child),
                ("label", Some("select")) => self.only_label(&mut select, child),
                ("label", Some("guard")) => self.only_label(&mut guard, child),
                ("label", Some("synchronisation")) => self.only_label(&mut sync, child),
                ("label", Some("assignment")) => self.only_label(&mut update, child),
                ("label", Some("probability")) => self.only_label(&mut probability, child),
                ("label", kind) => self.other_label(child, kind, element, &mut keep),
                ("nail", _) => keep.element(child),
                _ => self.unknown(child, element, &mut keep),
            }
        }
        self.no_text(element);
        for (key, child) in [("source", source), ("target", target)] {
            if let Some(child) = child {
                keep.child(key, child, &["ref"]);
            }
        }
        // A select may come late in the file and declares names all the same.
        let select = self.label(select, context, &mut keep, |p| p.select());
        let guard = self.label(guard, context, &mut keep, |p| p.guard());
        let sync = self.label(sync, context, &mut keep, |p| p.sync());
        let update = self.label(update, context, &mut keep, |p| p.update());
        let probability = self.label(probability, context, &mut keep, |p| p.probability());
        let source = self.end(source, "source", element);
        let target = self.end(target, "target", element);
        Some(Edge {
            source: source?,
            target: target?,
            controllable: element.attribute("controllable").is_none_or(|a| a.value != "false"),
            select,
            guard,
            sync,
            update,
            probability,
            extra: keep.finish(&[
                "source",
                "target",
                "label:select",
                "label:guard",
                "label:synchronisation",
                "label:assignment",
                "label:probability",
            ]),
            span: element.tag,
        })
    }

    /// A label that is read. One with something unsupported inside is kept as
    /// written too.
    fn label<T: Default + Expressions>(
        &mut self,
        label: Option<&Element<'x>>,
        context: &mut Context,
        keep: &mut Keep<'x>,
        rule: impl FnOnce(Parser<'_>) -> T,
    ) -> T {
        let Some(label) = label else { return T::default() };
        let result = self.parse(label, context, rule);
        if result.any(&mut |e| e.any(&mut |e| matches!(e.kind, ExprKind::Unsupported(_)))) {
            keep.element(label);
        } else {
            keep.child(&format!("label:{}", kind(label).unwrap_or_default()), label, &["kind"]);
        }
        result
    }

    fn end(&mut self, end: Option<&Element<'x>>, name: &str, edge: &Element<'x>) -> Option<Ident> {
        if end.is_none() {
            let message = format!("this transition has no `<{name} ref=\"…\"/>`");
            self.structure.error("missing-ref", edge.tag, message);
        }
        self.reference(end?)
    }

    /// What an element refers to.
    fn reference(&mut self, element: &Element<'x>) -> Option<Ident> {
        match element.attribute("ref") {
            Some(a) if !a.value.is_empty() => Some(Ident { name: a.value.to_string(), span: a.span }),
            _ => {
                let message = format!("`<{}>` has no attribute `ref`", element.name);
                self.structure.error("missing-ref", element.tag, message);
                None
            }
        }
    }

    fn id(&mut self, element: &Element<'x>) -> Ident {
        match element.attribute("id") {
            Some(a) if !a.value.is_empty() => Ident { name: a.value.to_string(), span: a.span },
            _ => {
                let message = format!("`<{}>` has no attribute `id`", element.name);
                self.structure.error("missing-id", element.tag, message);
                Ident { name: String::new(), span: element.tag }
            }
        }
    }

    fn only_label<'e>(&mut self, place: &mut Option<&'e Element<'x>>, label: &'e Element<'x>) {
        if place.is_some() {
            let message = format!("a second label of kind `{}`", kind(label).unwrap_or_default());
            self.structure.error("duplicate-label", label.tag, message);
        } else {
            *place = Some(label);
        }
    }

    /// A label that is kept and not read.
    fn other_label(
        &mut self,
        label: &Element<'x>,
        kind: Option<&str>,
        parent: &Element<'x>,
        keep: &mut Keep<'x>,
    ) {
        match kind {
            None => {
                self.structure.error("missing-kind", label.tag, "this label has no attribute `kind`");
            }
            Some(kind) if NOTES.contains(&kind) => {}
            Some(kind) => {
                let message = format!("a label of kind `{kind}` means nothing on a {}", parent.name);
                self.structure.warning("unknown-label", label.tag, message);
            }
        }
        keep.element(label);
    }

    fn report_duplicate_ids(&mut self, template: &Template) {
        let mut seen = HashSet::new();
        for (id, span) in ids(template) {
            if !id.is_empty() && !seen.insert(id) {
                let message = format!("id `{id}` is given twice in template `{}`", template.name.name);
                self.structure.warning("duplicate-id", span, message);
            }
        }
    }
}

/// Ids that two templates share confuse no one but XML itself: one warning.
pub(super) fn report_shared_ids(document: &Document, diagnostics: &mut Diagnostics) {
    let mut owner = HashMap::new();
    for (index, template) in document.templates.iter().enumerate() {
        for (id, span) in ids(template) {
            let first = *owner.entry(id).or_insert(index);
            if first != index && !id.is_empty() {
                let message = format!(
                    "id `{id}` is given in template `{}` and again in `{}`",
                    document.templates[first].name.name, template.name.name
                );
                diagnostics.warning("duplicate-id", span, message);
                return;
            }
        }
    }
}

fn ids(template: &Template) -> impl Iterator<Item = (&str, Span)> {
    let locations = template.locations.iter().map(|l| (l.id.as_str(), l.span));
    locations.chain(template.branchpoints.iter().map(|b| (b.id.name.as_str(), b.id.span)))
}

/// The kind of a label.
fn kind<'e>(element: &'e Element) -> Option<&'e str> {
    element.attribute("kind").map(|a| a.value.as_ref())
}

/// What a label holds, as far as expressions go.
trait Expressions {
    fn any(&self, test: &mut dyn FnMut(&Expr) -> bool) -> bool;
}

impl Expressions for Option<Expr> {
    fn any(&self, test: &mut dyn FnMut(&Expr) -> bool) -> bool {
        self.as_ref().is_some_and(test)
    }
}

impl Expressions for Option<(Expr, Option<Expr>)> {
    fn any(&self, test: &mut dyn FnMut(&Expr) -> bool) -> bool {
        self.as_ref().is_some_and(|(first, second)| test(first) || second.as_ref().is_some_and(test))
    }
}

impl Expressions for Option<SyncLabel> {
    fn any(&self, test: &mut dyn FnMut(&Expr) -> bool) -> bool {
        self.as_ref().is_some_and(|sync| test(&sync.channel))
    }
}

impl Expressions for Vec<Expr> {
    fn any(&self, test: &mut dyn FnMut(&Expr) -> bool) -> bool {
        self.iter().any(test)
    }
}

impl Expressions for Vec<Select> {
    fn any(&self, _: &mut dyn FnMut(&Expr) -> bool) -> bool {
        false
    }
}
