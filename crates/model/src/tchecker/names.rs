//! Tables of names, and complaints about names that are not in them.

use std::collections::{HashMap, HashSet};

use dwell_syntax::tchecker::{DeclarationKind, Keyword, Name, Tree};
use dwell_syntax::{Diagnostics, closest};

use crate::{ClockId, VarId};

/// What a variable's name stands for: `len` slots from the first on.
#[derive(Clone, Copy, Debug)]
pub(super) enum Variable {
    Clock { first: ClockId, len: u32 },
    Int { first: VarId, len: u32 },
    Local { first: u32, len: u32 },
}

/// Names of one kind, in order of declaration.
#[derive(Default)]
pub(super) struct Table<'t> {
    ids: HashMap<&'t str, usize>,
    order: Vec<&'t str>,
}

impl<'t> Table<'t> {
    /// Adds a name with the next number; false if it is there already.
    pub fn declare(&mut self, name: &'t Name) -> bool {
        let fresh = self.ids.len();
        if self.ids.contains_key(name.text.as_str()) {
            return false;
        }
        self.ids.insert(&name.text, fresh);
        self.order.push(&name.text);
        true
    }

    pub fn get(&self, name: &str) -> Option<usize> {
        self.ids.get(name).copied()
    }

    pub fn names(&self) -> impl Iterator<Item = &'t str> + '_ {
        self.order.iter().copied()
    }
}

/// Everything the file declares anywhere, to tell names that come too late
/// from names that never come.
#[derive(Default)]
pub(super) struct Later<'t> {
    processes: HashSet<&'t str>,
    events: HashSet<&'t str>,
    locations: HashSet<(&'t str, &'t str)>,
}

impl<'t> Later<'t> {
    pub fn new(tree: &'t Tree) -> Self {
        let mut later = Self::default();
        for declaration in &tree.declarations {
            match &declaration.kind {
                DeclarationKind::Process { name } => {
                    later.processes.insert(&name.text);
                }
                DeclarationKind::Event { name } => {
                    later.events.insert(&name.text);
                }
                DeclarationKind::Location { process, name } => {
                    later.locations.insert((&process.text, &name.text));
                }
                _ => {}
            }
        }
        later
    }
}

/// Reports names that are not declared, each once.
#[derive(Default)]
pub(super) struct Unknown {
    reported: HashSet<(&'static str, String)>,
}

impl Unknown {
    /// Reports `name`. `scope` is the process of a location, else empty;
    /// `broken` says that declarations of this kind have been lost to syntax
    /// errors, which silences the report.
    #[allow(clippy::too_many_arguments)]
    pub fn report<'a>(
        &mut self,
        what: Kind,
        name: &Name,
        scope: &str,
        later: &Later<'_>,
        candidates: impl Iterator<Item = &'a str>,
        broken: &[Option<Keyword>],
        diagnostics: &mut Diagnostics,
    ) {
        let (code, keywords, noun): (_, &[Keyword], _) = match what {
            Kind::Process => ("unknown-process", &[Keyword::Process], "process"),
            Kind::Event => ("unknown-event", &[Keyword::Event], "event"),
            Kind::Location => ("unknown-location", &[Keyword::Location], "location"),
            Kind::Variable => ("unknown-variable", &[Keyword::Clock, Keyword::Int], "variable"),
        };
        let lost = broken.iter().any(|k| k.is_none_or(|k| keywords.contains(&k)));
        if lost || !self.reported.insert((code, format!("{scope}:{}", name.text))) {
            return;
        }
        let text = name.text.as_str();
        let comes_later = match what {
            Kind::Process => later.processes.contains(text),
            Kind::Event => later.events.contains(text),
            Kind::Location => later.locations.contains(&(scope, text)),
            Kind::Variable => false,
        };
        let place = if scope.is_empty() { String::new() } else { format!(" in process `{scope}`") };
        if comes_later {
            let message = format!("{noun} `{text}` is used before it is declared{place}");
            let help = format!("move the declaration of `{text}` up");
            diagnostics.error("used-before-declaration", name.span, message).help(help);
            return;
        }
        let message = format!("there is no {noun} `{text}`{place}");
        let error = diagnostics.error(code, name.span, message);
        if let Some(near) = closest(text, candidates) {
            error.help(format!("did you mean `{near}`?"));
        } else if what == Kind::Variable && (text == "true" || text == "false") {
            error.help("truth is an integer: write 1 or 0");
        }
    }
}

/// The kinds of names that can be unknown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Process,
    Event,
    Location,
    Variable,
}
