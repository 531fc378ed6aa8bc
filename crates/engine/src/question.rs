//! What is asked of a model.

use crate::Model;
use crate::live::Live;
use crate::measure::Measure;
use crate::plan::{Abstraction, Aim, Plan};
use dwell_model::analysis::{ClockFacts, Slots, clock_facts};
use dwell_model::expr::ClockConstraint;
use dwell_model::property::{Formula, Property};
use dwell_model::{CompiledFormula, LabelId, Network, Span, Sync};
use std::collections::BTreeSet;

/// A question and how it is written.
#[derive(Clone, Debug)]
pub struct Question {
    /// As the user knows it.
    pub formula: String,
    /// What is looked for.
    pub(crate) goal: Goal,
    /// Variables that it sees in states, or that others see which are to use them
    /// again.
    pub(crate) observed: BTreeSet<Slots>,
}

/// What is looked for.
#[derive(Clone, Debug)]
pub(crate) enum Goal {
    /// Nothing: explore everything.
    Space,
    /// A state that carries all these labels.
    Labels(Vec<LabelId>),
    /// A state where a formula holds.
    Reach(Box<Reach>),
    /// A run that goes on for ever.
    Live(Box<Live>),
    /// Nothing; the extreme values of quantities.
    Measure(Box<Measure>),
}

/// A formula to be reached, or never to be reached.
#[derive(Clone, Debug)]
pub(crate) struct Reach {
    pub formula: CompiledFormula,
    /// Clock bounds with those of the formula, where it has some.
    pub facts: Option<ClockFacts>,
    /// Reaching it makes the query false.
    pub violates: bool,
}

impl Question {
    /// Explore the whole state space.
    pub fn space() -> Self {
        Self { formula: "state space".into(), goal: Goal::Space, observed: BTreeSet::new() }
    }

    /// Is a state reachable that carries all these labels? An unknown label
    /// is an error, with the nearest known one as a hint.
    pub fn labels<S: AsRef<str>>(model: &Model, labels: &[S]) -> Result<Self, String> {
        let known = &model.network().labels;
        let mut ids = Vec::new();
        for label in labels.iter().map(AsRef::as_ref) {
            match known.iter().position(|k| k == label) {
                Some(id) => ids.push(LabelId::new(id)),
                None => return Err(unknown(label, known)),
            }
        }
        if ids.is_empty() {
            return Err("no label given".into());
        }
        let names: Vec<&str> = labels.iter().map(AsRef::as_ref).collect();
        let formula = format!("labels {}", names.join(","));
        Ok(Self { formula, goal: Goal::Labels(ids), observed: BTreeSet::new() })
    }

    /// Asks for a property of the model's network, written as `text`. The
    /// property may use functions that only `network` has: the model's network
    /// with functions and locals added at the end.
    pub fn property(model: &Model, text: impl Into<String>, property: Property, network: &Network) -> Self {
        let text = text.into();
        let observed = property.reads(network);
        let live = |start, always, violates| {
            let live = Live::new(start, always, violates, &model.system, network);
            Self { formula: text.clone(), goal: Goal::Live(Box::new(live)), observed: observed.clone() }
        };
        let (formula, violates) = match property {
            Property::Possibly(formula) => (formula, false),
            Property::Invariantly { violation } => (violation, true),
            Property::PotentiallyAlways(always) => return live(None, always, false),
            Property::Eventually { avoiding } => return live(None, avoiding, true),
            Property::LeadsTo(start, avoiding) => return live(Some(start), avoiding, true),
            Property::Extremum(kind, formula, quantities) => {
                let measure = Measure::new(kind, formula, quantities, &model.system, network);
                return Self { formula: text, goal: Goal::Measure(Box::new(measure)), observed };
            }
        };
        let compared = formula.clock_constraints();
        let differ = formula.has_deadlock() || !compared.is_empty();
        let facts = differ.then(|| bounds(&formula, network, &compared));
        let formula = CompiledFormula::new(formula, &model.system, network);
        let goal = Goal::Reach(Box::new(Reach { formula, facts, violates }));
        Self { formula: text, goal, observed }
    }

    /// The clock bounds that count for this question.
    pub(crate) fn facts<'q>(&'q self, model: &'q Model) -> &'q ClockFacts {
        match &self.goal {
            Goal::Reach(reach) => reach.facts.as_ref().unwrap_or(&model.system.facts),
            Goal::Measure(measure) => &measure.facts,
            Goal::Live(live) => &live.facts,
            Goal::Space | Goal::Labels(_) => &model.system.facts,
        }
    }

    /// Why a plan cannot answer this question, if it cannot.
    pub(crate) fn refuses(&self, plan: &Plan) -> Option<String> {
        match &self.goal {
            Goal::Measure(measure) if measure.has_clocks() && plan.abstraction == Abstraction::ALu => Some(
                "--abstraction a-lu drops states for others with other clock values, so it cannot tell the extreme \
                 values of clocks; use --abstraction extra-lu+"
                    .into(),
            ),
            _ => None,
        }
    }

    /// Whether something it evaluates comes from this text, which then is its own.
    pub(crate) fn has_text(&self, span: Span) -> bool {
        match &self.goal {
            Goal::Space | Goal::Labels(_) => false,
            Goal::Reach(reach) => reach.formula.code.comes_from(span),
            Goal::Live(live) => live.has_text(span),
            Goal::Measure(m) => m.formula.code.comes_from(span) || m.compiled.code.comes_from(span),
        }
    }

    /// Whether a trace explains the answer when a state is found.
    pub fn has_goal(&self) -> bool {
        !matches!(self.aim(), Aim::Nothing | Aim::Values)
    }

    /// What it looks for.
    pub(crate) fn aim(&self) -> Aim {
        match &self.goal {
            Goal::Space => Aim::Nothing,
            Goal::Measure(_) => Aim::Values,
            // Labels mostly mark what should not happen.
            Goal::Labels(_) => Aim::Labels,
            Goal::Reach(reach) => {
                if reach.violates {
                    Aim::Violation
                } else {
                    Aim::State
                }
            }
            Goal::Live(live) if live.start.is_none() => Aim::RunFromStart,
            Goal::Live(_) => Aim::RunFromState,
        }
    }
}

/// Clock bounds with what a question compares. Deadlocks are where guards are
/// false.
pub(crate) fn bounds(formula: &Formula, network: &Network, asked: &[&ClockConstraint]) -> ClockFacts {
    let facts = clock_facts(network, asked);
    if formula.has_deadlock() || negates_guards(network) { facts.symmetric() } else { facts }
}

/// Whether it matters where guards are false: moves are blocked by others, or
/// time passes until a guard holds.
pub(crate) fn negates_guards(network: &Network) -> bool {
    let urgent = |sync: &Sync| match sync {
        Sync::Send(channel) | Sync::Receive(channel) => network.channels[channel.range().0.index()].urgent,
        Sync::Internal | Sync::Vector => false,
    };
    let edges = network.processes.iter().flat_map(|p| &p.edges);
    network.has_priorities() || edges.into_iter().any(|e| urgent(&e.sync) && !e.guard.clocks.is_empty())
}

fn unknown(label: &str, known: &[String]) -> String {
    let mut message = format!("no location carries the label '{label}'");
    if known.is_empty() {
        message.push_str("; this model has no labels");
    } else if let Some(near) = dwell_syntax::closest(label, known.iter().map(String::as_str)) {
        message.push_str(&format!("; did you mean '{near}'?"));
    } else {
        let mut names: Vec<&str> = known.iter().map(String::as_str).take(8).collect();
        if known.len() > names.len() {
            names.push("…");
        }
        message.push_str(&format!("; there are: {}", names.join(", ")));
    }
    message
}
