//! What queries and extra warnings must know about a model that was checked.

use dwell_syntax::Span;
use dwell_syntax::uppaal::tree::Direction;

/// Facts about a model.
#[derive(Default)]
pub(super) struct Facts {
    /// Channel priorities have been declared.
    pub priorities: bool,
    /// There are dynamic templates.
    pub dynamic: bool,
    /// How processes synchronise, once one does.
    pub style: Option<Style>,
    /// By index of the template.
    pub templates: Vec<TemplateFacts>,
}

/// How processes synchronise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// `c!` and `c?`
    SendReceive,
    /// `c`
    Csp,
}

/// Facts about a template.
#[derive(Default)]
pub(super) struct TemplateFacts {
    pub edges: Vec<EdgeFacts>,
    /// Invariants with strict upper bounds.
    pub strict: Vec<Span>,
    /// Invariants that never hold.
    pub impossible: Vec<Span>,
}

/// Facts about an edge. Clocks and channels are ids of symbols; those of
/// arrays stand for all elements.
#[derive(Default)]
pub(super) struct EdgeFacts {
    /// Clocks, and variables, that the update may change.
    pub writes: Vec<u32>,
    /// Clocks that must have reached more than 0.
    pub waits_for: Vec<u32>,
    pub channel: Option<(u32, Direction)>,
    /// Another process must take part.
    pub needs_partner: bool,
    /// The guard is never true.
    pub never: bool,
}
