//! The same path in the other mode, and as a trace.

use crate::concrete::{self, Concrete};
use crate::fault::TOO_PRECISE;
use crate::simulation::{Point, Step};
use crate::{Fault, Mode, Participants, Rational, Simulation};
use dwell_check::{After, End, Trace, TraceState, TraceStep, rebuild};
use dwell_model::Network;
use std::collections::BTreeSet;

/// What became of the delays of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// They are as they were.
    Same,
    /// Some were unknown or did not fit; all were chosen.
    Chosen,
}

/// Delays that lead nowhere before a run is given up.
const MOST_TRIES: usize = 10_000;

const NOT_FOUND: &str =
    "no exact delays were found for this path: zones are over-approximated where clocks stand still";

/// A few delays after which a transition can be taken, the first to try last.
fn delays_to_try(network: &Network, state: &Concrete, participants: Option<&Participants>) -> Vec<Rational> {
    let Some(participants) = participants else { return Vec::new() };
    let listing = concrete::listing(network, state);
    let found = listing.transitions.into_iter().find(|t| t.participants == *participants);
    let intervals = found.and_then(|t| t.delays).unwrap_or_default().0;
    let mut delays = Vec::new();
    for interval in intervals {
        let Ok(earliest) = interval.earliest() else { continue };
        let later = [1, 2, 5].into_iter().filter_map(|more| earliest.checked_add(more.into()).ok());
        let last = interval.high.filter(|high| !high.open).map(|high| high.at);
        let all =
            std::iter::once(earliest).chain(last).chain(later.filter(|&delay| interval.contains(delay)));
        delays.extend(all);
    }
    let mut seen = BTreeSet::new();
    delays.retain(|delay| seen.insert(*delay));
    delays.reverse();
    delays
}

impl Simulation<'_> {
    /// Changes the mode and keeps the path.
    pub fn set_mode(&mut self, mode: Mode) -> Result<Kept, Fault> {
        let mut kept = Kept::Same;
        match (self.mode, mode) {
            (Mode::Zone, Mode::Concrete) => {
                let (path, points, delays) = self.concrete_run()?;
                (self.path, kept) = (path, delays);
                self.points = points.into_iter().map(Point::Concrete).collect();
            }
            (Mode::Concrete, Mode::Zone) => self.points = self.symbolic_run()?,
            _ => {}
        }
        self.mode = mode;
        self.listing = None;
        Ok(kept)
    }

    /// The path on zones.
    fn symbolic_run(&self) -> Result<Vec<Point>, Fault> {
        let mut points = vec![self.first(Mode::Zone)?];
        for step in &self.path {
            points.push(self.after(points.last().expect("P-1"), step)?);
        }
        Ok(points)
    }

    /// The path with exact clock values: with the delays it has if they fit,
    /// and else with others.
    fn concrete_run(&self) -> Result<(Vec<Step>, Vec<Concrete>, Kept), Fault> {
        if self.path.iter().all(|step| step.delay.is_some())
            && let Ok(states) = self.timed(&self.path)
        {
            return Ok((self.path.clone(), states, Kept::Same));
        }
        let path = if self.system.has_stopwatches() {
            // Zones may promise too much (Y-3), and times do not solve it alone.
            let path = self.searched().or_else(|| self.scheduled().ok());
            path.ok_or_else(|| Fault::refused(NOT_FOUND))?
        } else {
            self.scheduled()?
        };
        let states = self.timed(&path)?;
        Ok((path, states, Kept::Chosen))
    }

    fn timed(&self, path: &[Step]) -> Result<Vec<Concrete>, Fault> {
        let network = &self.system.network;
        let mut states = vec![concrete::initial(network, &self.starts[self.start].1)?];
        for step in path {
            let delay = step.delay.expect("a path with delays");
            states.push(concrete::step(network, states.last().expect("P-1"), delay, &step.participants)?);
        }
        Ok(states)
    }

    /// The transitions of a path on zones, with delays.
    fn scheduled(&self) -> Result<Vec<Step>, Fault> {
        let mut numbers = Vec::new();
        let mut at = 0;
        for (step, point) in self.path.iter().zip(&self.points[1..]).rev() {
            let Point::Symbolic(set) = point else { unreachable!("P-1: paths with delays have been tried") };
            if !step.participants.is_empty() {
                numbers.push(set[at].number);
                at = set[at].parent;
            }
        }
        numbers.reverse();
        let initial = self.starts[self.start].0;
        let trace = rebuild(self.system, &self.tables.transitions, initial, &numbers, End::Anywhere)
            .map_err(|error| Fault::Refused(error.to_string()))?;
        let step = |step: TraceStep| Step { delay: Some(step.delay), participants: step.participants };
        Ok(trace.steps.into_iter().map(step).collect())
    }

    /// The transitions of the path with delays, by trying some. `None` does not
    /// mean that there are none.
    fn searched(&self) -> Option<Vec<Step>> {
        let network = &self.system.network;
        let moves: Vec<&Participants> =
            self.path.iter().map(|step| &step.participants).filter(|p| !p.is_empty()).collect();
        let start = concrete::initial(network, &self.starts[self.start].1).ok()?;
        // States on the way, and the delays still to be tried from them.
        let mut tried = vec![(delays_to_try(network, &start, moves.first().copied()), start)];
        let mut chosen: Vec<Rational> = Vec::new();
        for _ in 0..moves.len() + MOST_TRIES {
            let at = chosen.len();
            if at == moves.len() {
                break;
            }
            let (delays, state) = tried.last_mut().expect("one more than chosen");
            match delays.pop() {
                Some(delay) => {
                    if let Ok(next) = concrete::step(network, state, delay, moves[at]) {
                        chosen.push(delay);
                        tried.push((delays_to_try(network, &next, moves.get(at + 1).copied()), next));
                    }
                }
                None => {
                    tried.pop();
                    chosen.pop()?;
                }
            }
        }
        let step = |(delay, participants): (Rational, &&Participants)| Step {
            delay: Some(delay),
            participants: (*participants).clone(),
        };
        (chosen.len() == moves.len()).then(|| chosen.into_iter().zip(&moves).map(step).collect())
    }

    /// The path as a trace: with exact delays, and the zones along it. Steps
    /// that only let time pass are joined with what follows them.
    pub fn trace(&self) -> Result<Trace, Fault> {
        let (path, states, _) = self.concrete_run()?;
        let zones = match self.mode {
            Mode::Zone => Ok(self.points.clone()),
            Mode::Concrete => self.symbolic_run(),
        };
        // Chosen anew, a path has no steps that only let time pass.
        let zones = zones.ok().map(|zones| {
            let moves = |i: &usize| *i == 0 || !self.path[i - 1].participants.is_empty();
            let all = path.len() == self.path.len();
            (0..zones.len()).filter(|i| all || moves(i)).map(|i| zones[i].clone()).collect::<Vec<Point>>()
        });
        let state = |i: usize| {
            let state: &Concrete = &states[i];
            let zone = match zones.as_ref().and_then(|zones| zones.get(i)) {
                Some(Point::Symbolic(set)) => {
                    let here = set.iter().find(|branch| branch.contains(&state.clocks)).unwrap_or(&set[0]);
                    Some(here.constraints())
                }
                _ => None,
            };
            let (locations, vars) = (state.discrete.locations.clone(), state.discrete.vars.clone());
            TraceState { locations, vars, zone, clocks: state.clocks.clone() }
        };
        let mut trace = Trace { states: vec![state(0)], steps: Vec::new(), after: After::Open, timing: None };
        let mut waited = Rational::ZERO;
        for (i, step) in path.into_iter().enumerate() {
            let delay = step.delay.expect("a path with delays");
            waited = waited.checked_add(delay).map_err(|_| Fault::refused(TOO_PRECISE))?;
            if !step.participants.is_empty() || i + 1 == states.len() - 1 {
                trace.steps.push(TraceStep { delay: waited, participants: step.participants });
                trace.states.push(state(i + 1));
                waited = Rational::ZERO;
            }
        }
        Ok(trace)
    }
}
