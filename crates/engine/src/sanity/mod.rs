//! Is the model what its author had in mind? What no run ever uses, and what
//! most often is a mistake.
//!
//! The checker's lints say what the text tells. A complete exploration says
//! more: locations that are never reached, edges that are never taken, edges
//! that the invariant of their target stops. `dwell-covering` says which cycles
//! may be run through while no time passes.
//!
//! One finding is one place in the text: what several processes share is
//! reported where none of them uses it.

mod findings;
mod survey;

use crate::run::{Run, Watching};
use crate::verdict::too_large;
use crate::{Control, Model, Observer, Options, Question, Stats, Verdict};
use dwell_covering::zeno_candidates;
use dwell_explore::cover::Inclusion;
use dwell_explore::store::SharedZones;
use dwell_model::expr::RuntimeError;
use dwell_semantics::{Stepper, Transitions, ZoneSystem};
use dwell_syntax::{Diagnostic, Diagnostics, Span};
use findings::{ZENO_CYCLE, cycles, edges, locations};
use std::borrow::Cow;
use std::collections::HashSet;
use survey::{Seen, Survey};

/// What was found.
#[derive(Clone, Debug)]
pub struct Sanity {
    /// Everything, in the order of the text.
    pub findings: Vec<Diagnostic>,
    /// Why not everything was explored: then nothing is said about what is
    /// reached or taken.
    pub unfinished: Option<String>,
    /// The run-time error that ended the exploration.
    pub failure: Option<RuntimeError>,
    /// Processes with too many cycles to list: nothing is said about theirs.
    pub unlisted: Vec<String>,
    /// What was counted.
    pub stats: Stats,
    /// The user asked to stop.
    pub interrupted: bool,
}

/// Looks a model over. Its warnings are among the findings: load it with lints.
pub fn sanity(model: &Model, control: Control<'_>) -> Sanity {
    let network = model.network();
    let mut seen = Seen::nothing(network);
    let explored = explore(model, &mut seen, control);
    let complete = explored.unfinished.is_none();
    let mut found = Diagnostics::default();
    if complete {
        locations(network, &seen, &mut found);
        edges(model, &seen, &mut found);
    }
    let zeno =
        zeno_candidates(network, |process, edge| !complete || seen.taken[process as usize][edge as usize]);
    cycles(network, &zeno.candidates, &mut found);
    // What the text alone tells about cycles is said better here.
    let warnings = model.warnings().iter().filter(|warning| warning.code != ZENO_CYCLE);
    let mut findings: Vec<Diagnostic> = warnings.cloned().collect();
    let told: HashSet<(&str, Span)> = findings.iter().map(|d| (d.code, d.span)).collect();
    let new: Vec<Diagnostic> = found.iter().filter(|d| !told.contains(&(d.code, d.span))).cloned().collect();
    findings.extend(new);
    findings.sort_by_key(|finding| (finding.span.start, finding.span.end));
    let name = |&process: &u32| network.processes[process as usize].name.clone();
    Sanity { findings, unlisted: zeno.unlisted.iter().map(name).collect(), ..explored }
}

/// Explores everything that the limits allow; nothing is found yet.
fn explore(model: &Model, seen: &mut Seen, control: Control<'_>) -> Sanity {
    let mut explored = Sanity {
        findings: Vec::new(),
        unfinished: None,
        failure: None,
        unlisted: Vec::new(),
        stats: Stats::default(),
        interrupted: false,
    };
    let system = &model.system;
    let question = Question::space();
    let plan = match model.refusals().first() {
        Some(refusal) => Err(refusal.message.clone()),
        None => Options::default().plan(model, &question),
    };
    let ready = plan.and_then(|plan| Ok((plan, ZoneSystem::<i32>::new(system).map_err(too_large)?)));
    let (plan, zones) = match ready {
        Ok(ready) => ready,
        Err(why) => return Sanity { unfinished: Some(why), ..explored },
    };
    let transitions = Transitions::new(system);
    let mut run = Run::new(model, &transitions, &question, control.limits.clone());
    run.facts = Cow::Owned(system.facts.symmetric()); // SN-2
    run.observer = control.observer.map(|observer| Box::new(Watching(observer)) as Box<dyn Observer>);
    let stepper = Stepper { system, transitions: &transitions, zones: &zones };
    let survey = Box::new(Survey::new(stepper, seen, control.limits));
    let ended = run.pipeline(&plan, stepper, SharedZones::default(), Inclusion, survey, None);
    let report = run.report(ended, &plan);
    explored.stats = report.stats;
    explored.interrupted = report.interrupted;
    explored.failure = report.failure;
    if report.verdict != Verdict::Satisfied {
        explored.unfinished = report.why.or_else(|| Some("the exploration did not end".into()));
    }
    explored
}
