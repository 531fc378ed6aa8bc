//! The simulation itself: a path, the states along it, and how it goes on.
//!
//! P-1 There is one point more than there are steps, and all points are of
//!     the current mode.
//! P-2 A step without participants only lets time pass. It leaves a zone as it
//!     is, because zones are closed under delay.
//! P-3 In concrete mode every step has its delay. In zone mode a step may have
//!     one, from a concrete run; it is used again if it still fits.

use crate::concrete::{self, Concrete};
use crate::fault::TOO_PRECISE;
use crate::interval::Interval;
use crate::symbolic::{Set, Tables};
use crate::{ClockView, Fault, Listing, Mode, Participants, Passage, Rational, Transition, View};
use dwell_base::Rng;
use dwell_model::{LocationId, System};
use dwell_oracle::eval::comparison;
use dwell_oracle::step::{DelayBar, UrgentSync, edge, urgency};
use dwell_semantics::initial_locations;
use std::sync::Arc;

/// Most initial states that can be chosen from, possible or not.
const MAX_STARTS: usize = 10_000;

/// How far beyond the earliest moment a random delay may go.
const WINDOW: i32 = 10;

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// How long to wait first, if that has been decided.
    pub delay: Option<Rational>,
    /// Who moves; nobody if time passes only (P-2).
    pub participants: Participants,
}

/// A state along the path.
#[derive(Clone, Debug)]
pub(crate) enum Point {
    Symbolic(Set),
    Concrete(Concrete),
}

/// A path through a system, step by step.
#[derive(Debug)]
pub struct Simulation<'m> {
    pub(crate) system: &'m System,
    pub(crate) tables: Tables,
    /// Initial locations whose invariants hold, and their number among all.
    pub(crate) starts: Vec<(u32, Vec<LocationId>)>,
    pub(crate) start: usize,
    pub(crate) mode: Mode,
    pub(crate) path: Vec<Step>,
    pub(crate) points: Vec<Point>,
    /// Of the last point, once asked for.
    pub(crate) listing: Option<Arc<Listing>>,
    rng: Rng,
}

impl<'m> Simulation<'m> {
    /// Starts in the first initial state.
    pub fn new(system: &'m System, mode: Mode, seed: u64) -> Result<Self, Fault> {
        let tables = Tables::new(system)?;
        let mut starts = Vec::new();
        for (number, locations) in initial_locations(system).take(MAX_STARTS).enumerate() {
            if tables.initial(system, &locations)?.is_some() {
                starts.push((number as u32, locations));
            }
        }
        if starts.is_empty() {
            return Err(Fault::refused(
                "the model has no initial state: the invariants exclude every choice of initial locations",
            ));
        }
        let rng = Rng::new(seed);
        let (path, points) = (Vec::new(), Vec::new());
        let mut new = Self { system, tables, starts, start: 0, mode, path, points, listing: None, rng };
        new.points.push(new.first(mode)?);
        Ok(new)
    }

    pub(crate) fn first(&self, mode: Mode) -> Result<Point, Fault> {
        let (_, locations) = &self.starts[self.start];
        match mode {
            Mode::Concrete => concrete::initial(&self.system.network, locations).map(Point::Concrete),
            Mode::Zone => {
                let set = self.tables.initial(self.system, locations)?;
                Ok(Point::Symbolic(set.expect("only initial states whose invariants hold are kept")))
            }
        }
    }

    /// The current mode.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The system that is simulated.
    pub fn system(&self) -> &'m System {
        self.system
    }

    /// The steps so far.
    pub fn path(&self) -> &[Step] {
        &self.path
    }

    /// The initial locations that can be chosen, and which of them were.
    pub fn starts(&self) -> (impl ExactSizeIterator<Item = &[LocationId]>, usize) {
        (self.starts.iter().map(|(_, locations)| locations.as_slice()), self.start)
    }

    /// The state after `steps` steps.
    pub fn view(&self, steps: usize) -> View {
        match &self.points[steps] {
            Point::Symbolic(set) => View {
                locations: set[0].locations(),
                vars: self.vars(steps),
                clocks: ClockView::Zones(set.iter().map(|b| b.view(self.system)).collect()),
            },
            Point::Concrete(state) => View {
                locations: state.discrete.locations.clone(),
                vars: self.vars(steps),
                clocks: ClockView::Values(state.clocks.clone()),
            },
        }
    }

    /// The variables after `steps` steps.
    pub fn vars(&self, steps: usize) -> Vec<i32> {
        match &self.points[steps] {
            Point::Symbolic(set) => set[0].vars(self.system),
            Point::Concrete(state) => state.discrete.vars.clone(),
        }
    }

    fn now(&self) -> &Point {
        self.points.last().expect("P-1")
    }

    /// What may happen now.
    pub fn listing(&mut self) -> Result<Arc<Listing>, Fault> {
        if self.listing.is_none() {
            let listing = match self.now() {
                Point::Concrete(state) => {
                    let (locations, vars) = (&state.discrete.locations, &state.discrete.vars);
                    self.tables.check_moves(self.system, locations, vars)?;
                    concrete::listing(&self.system.network, state)
                }
                Point::Symbolic(set) => self.symbolic_listing(set)?,
            };
            self.listing = Some(Arc::new(listing));
        }
        Ok(Arc::clone(self.listing.as_ref().expect("just made")))
    }

    fn symbolic_listing(&self, set: &Set) -> Result<Listing, Fault> {
        let discrete =
            dwell_oracle::Discrete { locations: set[0].locations(), vars: set[0].vars(self.system) };
        let network = &self.system.network;
        // Guards on clocks let time pass until they hold, if their conditions
        // are true.
        let untimed = |sync: &&UrgentSync| {
            let mut guards =
                sync.deciding.iter().flat_map(|&(process, id)| &edge(network, process, id).guard.clocks);
            guards.all(|guard| matches!(comparison(network, guard, &discrete), Ok(None)))
        };
        let time = match urgency(network, &discrete) {
            Ok(urgency) => match (urgency.location, urgency.syncs.iter().find(untimed)) {
                (Some(process), _) => Passage::Barred(DelayBar::Location(process)),
                (None, Some(sync)) => Passage::Barred(DelayBar::Channel(sync.channel)),
                (None, None) => Passage::Free(Interval::ALL),
            },
            Err(error) => Passage::Fails(error.into()),
        };
        let successors = self.tables.successors(self.system, set, None)?;
        let transitions = successors.into_iter().map(|(participants, successor)| Transition {
            participants,
            delays: None,
            failure: successor.failure,
        });
        Ok(Listing { transitions: transitions.collect(), failures: Vec::new(), time })
    }

    /// Takes transition `number` of the listing, from 0; in concrete mode
    /// after `delay`, or as early as it can be.
    pub fn take(&mut self, number: usize, delay: Option<Rational>) -> Result<(), Fault> {
        let listing = self.listing()?;
        let Some(transition) = listing.transitions.get(number) else {
            return Err(Fault::Refused(match listing.transitions.len() {
                0 => "there is no transition to take".into(),
                1 => format!("there is no transition {}; there is only 1", number + 1),
                n => format!("there is no transition {}; there are {n}", number + 1),
            }));
        };
        let delay = match (self.mode, delay) {
            (Mode::Zone, delay) => delay,
            (Mode::Concrete, Some(delay)) => Some(delay),
            (Mode::Concrete, None) => {
                let delays = transition.delays.as_ref().and_then(|delays| delays.earliest());
                Some(delays.expect("listed").map_err(|_| Fault::refused(TOO_PRECISE))?)
            }
        };
        let step = Step { delay, participants: transition.participants.clone() };
        self.go(step).map_err(|fault| match (fault, &transition.delays) {
            (Fault::Refused(why), Some(delays)) if transition.failure.is_none() => {
                Fault::Refused(format!("{why}; transition {} can be taken {delays}", number + 1))
            }
            (fault, _) => fault,
        })
    }

    /// Lets time pass, in concrete mode.
    pub fn delay(&mut self, delay: Rational) -> Result<(), Fault> {
        if self.mode == Mode::Zone {
            return Err(Fault::refused("a zone holds all delays already; `mode concrete` lets time pass"));
        }
        self.pass(delay)
    }

    /// Lets time pass, in either mode (P-2).
    pub(crate) fn pass(&mut self, delay: Rational) -> Result<(), Fault> {
        self.go(Step { delay: Some(delay), participants: Vec::new() })
    }

    /// Takes a step, or stays where it is.
    pub(crate) fn go(&mut self, step: Step) -> Result<(), Fault> {
        let next = self.after(self.now(), &step)?;
        self.points.push(next);
        self.path.push(step);
        self.listing = None;
        Ok(())
    }

    /// What comes after a point by a step of its mode.
    pub(crate) fn after(&self, point: &Point, step: &Step) -> Result<Point, Fault> {
        let set = match point {
            Point::Concrete(state) => {
                let delay = step.delay.expect("P-3");
                let next = concrete::step(&self.system.network, state, delay, &step.participants);
                return next.map(Point::Concrete);
            }
            Point::Symbolic(set) if step.participants.is_empty() => {
                return Ok(Point::Symbolic(Arc::clone(set))); // P-2
            }
            Point::Symbolic(set) => set,
        };
        let mut found = self.tables.successors(self.system, set, Some(&step.participants))?;
        let successor = found.remove(&step.participants).unwrap_or_default();
        match (successor.branches.is_empty(), successor.failure) {
            (false, _) => Ok(Point::Symbolic(successor.branches.into())),
            (true, Some(fault)) => Err(fault),
            (true, None) => Err(Fault::refused("the transition is not possible there")),
        }
    }

    /// A random step; false when there is none. Transitions are equally
    /// likely; delays are multiples of a half where one is possible, at most
    /// ten later than the earliest.
    pub fn random(&mut self) -> Result<bool, Fault> {
        let listing = self.listing()?;
        let able: Vec<usize> =
            (0..listing.transitions.len()).filter(|&n| listing.transitions[n].failure.is_none()).collect();
        if able.is_empty() {
            return Ok(false);
        }
        let number = *self.rng.pick(&able);
        let delay = match &listing.transitions[number].delays {
            None => None,
            Some(delays) => {
                let interval = *self.rng.pick(&delays.0);
                Some(self.random_delay(interval).map_err(|_| Fault::refused(TOO_PRECISE))?)
            }
        };
        self.take(number, delay)?;
        Ok(true)
    }

    fn random_delay(&mut self, interval: Interval) -> Result<Rational, dwell_oracle::Overflow> {
        let (whole, _) = interval.low.at.split();
        let halves = (0..=2 * i128::from(WINDOW)).filter_map(|n| Rational::new(whole * 2 + n, 2));
        let possible: Vec<Rational> = halves.filter(|&delay| interval.contains(delay)).collect();
        if possible.is_empty() { interval.earliest() } else { Ok(*self.rng.pick(&possible)) }
    }

    /// Goes one step back; false at the start.
    pub fn undo(&mut self) -> bool {
        self.listing = None;
        let undone = self.path.pop().is_some();
        if undone {
            self.points.pop();
        }
        undone
    }

    /// Goes back to the start.
    pub fn restart(&mut self) {
        self.path.clear();
        self.points.truncate(1);
        self.listing = None;
    }

    /// Starts in initial state `number`, from 0.
    pub fn start(&mut self, number: usize) -> Result<(), Fault> {
        if number >= self.starts.len() {
            return Err(Fault::Refused(match self.starts.len() {
                1 => "there is only one initial state".into(),
                n => format!("there are {n} initial states"),
            }));
        }
        let before = std::mem::replace(&mut self.start, number);
        match self.first(self.mode) {
            Ok(first) => {
                self.restart();
                self.points[0] = first;
                Ok(())
            }
            Err(fault) => {
                self.start = before;
                Err(fault)
            }
        }
    }
}
