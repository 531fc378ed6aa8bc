//! A model as XTA.
//!
//! The format has no place for what an editor draws, for labels without a
//! meaning, and for locations without a name: those are called `_` and their
//! id.

use super::expr::Writer;
use dwell_syntax::Diagnostics;
use dwell_syntax::uppaal::Fragment;
use dwell_syntax::uppaal::parse::{Context, Parser};
use dwell_syntax::uppaal::tree::{Decl, Document, Edge, Location, Syntax, Template};
use std::collections::{HashMap, HashSet};

/// A model as XTA, without its queries; those are [`super::to_q`]'s.
///
/// # Errors
///
/// A sentence about what cannot be written: something the model says in a way
/// that was not understood, or that XTA cannot say.
pub fn to_xta(document: &Document) -> Result<String, String> {
    let mut writer = Writer::default();
    writer.block(&document.declarations, document.syntax);
    end_line(&mut writer);
    let mut global = HashSet::new();
    declared(&document.declarations.items, &mut global);
    for template in &document.templates {
        process(template, document, &global, &mut writer)?;
    }
    let mut system = Writer::default();
    system.system(&document.system, document.syntax);
    writer.push("\n");
    writer.push(&system.out);
    end_line(&mut writer);
    match writer.lost.or(system.lost) {
        None => Ok(writer.out),
        Some(what) => Err(format!("the model uses {what}, which cannot be written")),
    }
}

/// Lines of text may end in a comment.
fn end_line(writer: &mut Writer) {
    if !writer.out.is_empty() && !writer.out.ends_with('\n') {
        writer.push("\n");
    }
}

fn process(
    template: &Template,
    document: &Document,
    global: &HashSet<String>,
    w: &mut Writer,
) -> Result<(), String> {
    let name = &template.name.name;
    if !is_name(name) {
        return Err(format!("`{name}` cannot be the name of a process in XTA"));
    }
    let named = template.locations.iter().filter_map(|location| location.name.as_ref());
    if let Some(bad) = named.map(|location| &location.name).find(|location| !is_name(location)) {
        return Err(format!(
            "`{bad}` cannot be the name of a location in XTA; rename it in template `{name}`"
        ));
    }
    let names = names(template, document, global);
    let called = |id: &str| {
        names.get(id).ok_or_else(|| format!("template `{name}` has no location with the id `{id}`"))
    };
    w.push("\nprocess ");
    w.push(name);
    w.signature(&template.params);
    w.push(" {\n");
    w.block(&template.declarations, document.syntax);
    end_line(w);

    if template.locations.is_empty() {
        return Err(format!("template `{name}` has no locations"));
    }
    w.push("state");
    for (index, location) in template.locations.iter().enumerate() {
        w.push(if index == 0 { "\n    " } else { ",\n    " });
        w.push(called(&location.id)?);
        insides(location, w);
    }
    w.push(";\n");
    let branchpoints: Vec<&str> = template
        .branchpoints
        .iter()
        .map(|b| called(&b.id.name).map(String::as_str))
        .collect::<Result<_, _>>()?;
    line("branchpoint", &branchpoints, w);
    let committed: fn(&Location) -> bool = |location| location.committed;
    for (word, flag) in [("commit", committed), ("urgent", |location| location.urgent)] {
        let list: Vec<&str> = template
            .locations
            .iter()
            .filter(|location| flag(location))
            .map(|location| called(&location.id).map(String::as_str))
            .collect::<Result<_, _>>()?;
        line(word, &list, w);
    }
    let init = template.init.as_ref().ok_or_else(|| format!("template `{name}` has no initial location"))?;
    line("init", &[called(&init.name)?], w);
    if !template.edges.is_empty() {
        w.push("trans");
    }
    for (index, edge) in template.edges.iter().enumerate() {
        w.push(if index == 0 { "\n    " } else { ",\n    " });
        w.push(called(&edge.source.name)?);
        w.push(if edge.controllable { " -> " } else { " -u-> " });
        w.push(called(&edge.target.name)?);
        labels(edge, w);
    }
    w.push(if template.edges.is_empty() { "}\n" } else { ";\n}\n" });
    Ok(())
}

/// `word a, b;`
fn line(word: &str, names: &[&str], w: &mut Writer) {
    if !names.is_empty() {
        w.push(&format!("{word} {};\n", names.join(", ")));
    }
}

/// `{ invariant ; rate }`
fn insides(location: &Location, w: &mut Writer) {
    if location.invariant.is_none() && location.rate.is_none() {
        return;
    }
    w.push(" { ");
    if let Some(invariant) = &location.invariant {
        w.expr(invariant);
        w.push(" ");
    }
    if let Some((rate, second)) = &location.rate {
        w.push("; ");
        w.expr(rate);
        if let Some(second) = second {
            w.push(" : ");
            w.expr(second);
        }
        w.push(" ");
    }
    w.push("}");
}

fn labels(edge: &Edge, w: &mut Writer) {
    w.push(" { ");
    if !edge.select.is_empty() {
        w.push("select ");
        w.selects(&edge.select);
        w.push("; ");
    }
    if let Some(guard) = &edge.guard {
        w.push("guard ");
        w.expr(guard);
        w.push("; ");
    }
    if let Some(sync) = &edge.sync {
        w.push("sync ");
        w.sync(sync);
        w.push("; ");
    }
    if !edge.update.is_empty() {
        w.push("assign ");
        w.exprs(&edge.update);
        w.push("; ");
    }
    if let Some(probability) = &edge.probability {
        w.push("probability ");
        w.expr(probability);
        w.push("; ");
    }
    w.push("}");
}

/// What the locations and branch points are called, by id.
fn names<'t>(
    template: &'t Template,
    document: &Document,
    global: &HashSet<String>,
) -> HashMap<&'t str, String> {
    let mut taken = global.clone();
    taken.extend(template.params.iter().map(|param| param.name.name.clone()));
    declared(&template.declarations.items, &mut taken);
    let named = template.locations.iter().filter_map(|location| location.name.as_ref());
    taken.extend(named.map(|name| name.name.clone()));
    let mut names = HashMap::new();
    for location in &template.locations {
        let name = match &location.name {
            Some(name) => name.name.clone(),
            None => fresh(&format!("_{}", location.id), &mut taken),
        };
        names.entry(location.id.as_str()).or_insert(name);
    }
    for branchpoint in &template.branchpoints {
        let id = &branchpoint.id.name;
        // In XTA the id is the name already.
        let base = if document.paths.is_empty() { id.clone() } else { format!("_{id}") };
        names.entry(id.as_str()).or_insert_with(|| fresh(&base, &mut taken));
    }
    names
}

/// A name that is not taken, like `base`.
fn fresh(base: &str, taken: &mut HashSet<String>) -> String {
    let mut name: String = base.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    while !taken.insert(name.clone()) {
        name.push('_');
    }
    name
}

/// The names that declarations make.
fn declared(items: &[Decl], names: &mut HashSet<String>) {
    for item in items {
        match item {
            Decl::Variables(variables) => {
                names.extend(variables.names.iter().map(|(declarator, _)| declarator.name.name.clone()));
            }
            Decl::Typedef(typedef) => {
                names.extend(typedef.names.iter().map(|declarator| declarator.name.name.clone()));
            }
            Decl::Function(function) => {
                names.insert(function.name.name.clone());
            }
            Decl::Instantiation(instantiation) => {
                names.insert(instantiation.name.name.clone());
            }
            Decl::Import(import) => {
                names.extend(import.functions.iter().map(|(_, name, _)| name.name.clone()))
            }
            Decl::Dynamic(name, ..) => {
                names.insert(name.name.clone());
            }
            Decl::ChannelPriority(_) | Decl::BeforeUpdate(..) | Decl::AfterUpdate(..) => {}
        }
    }
}

/// Can this be a name in a text of the language? Names in XML may be keywords.
fn is_name(word: &str) -> bool {
    let (mut context, mut diagnostics) = (Context::default(), Diagnostics::default());
    let text = Fragment::plain(&format!("int {word}"));
    let params = Parser::new(&text, Syntax::New, &mut context, &mut diagnostics).parameters();
    !diagnostics.has_errors() && matches!(&params[..], [param] if param.name.name == word)
}
