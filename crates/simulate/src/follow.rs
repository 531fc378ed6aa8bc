//! Following a path that somebody else wrote down, perhaps for a model that
//! is no longer the same.
//!
//! A file names edges by what people can read, which may fit several edges.
//! Among the transitions that fit, the one that leads to the state the file
//! tells is taken.

use crate::{ClockView, Fault, Participants, Rational, Simulation, Step, View};
use dwell_model::{ClockId, EdgeId, LocationId, ProcessId, VarId};

/// A state as it was written down.
#[derive(Clone, Debug, Default)]
pub struct Landmark {
    /// Locations.
    pub locations: Vec<(ProcessId, LocationId)>,
    /// Values of variables.
    pub vars: Vec<(VarId, i32)>,
    /// Values of clocks.
    pub clocks: Vec<(ClockId, Rational)>,
    /// Constraints on clocks.
    pub zone: Vec<String>,
}

/// A step as it was written down, and where it leads.
#[derive(Clone, Debug, Default)]
pub struct Waypoint {
    /// How long to wait first.
    pub delay: Option<Rational>,
    /// Who moves, each with the edges that fit; nobody if time passes only.
    pub edges: Vec<(ProcessId, Vec<EdgeId>)>,
    /// The state afterwards.
    pub then: Option<Landmark>,
}

/// Why a path could not be followed to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// Steps that were taken before.
    pub after: usize,
    /// Why the next one was not.
    pub why: Fault,
}

impl Simulation<'_> {
    /// Starts anew and follows a path as far as possible.
    pub fn follow(&mut self, start: &Landmark, steps: &[Waypoint]) -> Result<(), Stopped> {
        let stopped = |after| move |why| Stopped { after, why };
        let fits = |locations: &[LocationId]| {
            start.locations.iter().all(|&(process, at)| locations[process.index()] == at)
        };
        let number = self.starts().0.position(fits);
        let number =
            number.ok_or_else(|| Fault::refused("no initial state has the locations of the first state"));
        number.and_then(|number| self.start(number)).map_err(stopped(0))?;
        for (i, step) in steps.iter().enumerate() {
            self.follow_step(step).map_err(stopped(i))?;
        }
        Ok(())
    }

    fn follow_step(&mut self, step: &Waypoint) -> Result<(), Fault> {
        if step.edges.is_empty() {
            return self.pass(step.delay.unwrap_or(Rational::ZERO));
        }
        let listing = self.listing()?;
        let able: Vec<usize> = (0..listing.transitions.len())
            .filter(|&number| fits(&listing.transitions[number].participants, &step.edges))
            .collect();
        if able.is_empty() {
            // Not possible after any delay: the attempt tells why.
            let participants = step.edges.iter().filter_map(|(p, able)| Some((*p, *able.first()?))).collect();
            return self.go(Step { delay: step.delay.or(Some(Rational::ZERO)), participants });
        }
        let (mut best, mut why) = (None, Fault::refused("no such transition is possible there"));
        for number in able {
            match self.take(number, step.delay) {
                Err(fault) => why = fault,
                Ok(()) => {
                    match self.compare(step.then.as_ref()) {
                        Ok(true) => return Ok(()),
                        Ok(false) => best = best.or(Some(number)),
                        Err(fault) => why = fault,
                    }
                    self.undo();
                }
            }
        }
        best.map_or(Err(why), |number| self.take(number, step.delay))
    }

    /// Whether the state now is the one written down; `Ok(false)` if only its
    /// clocks differ.
    fn compare(&self, landmark: Option<&Landmark>) -> Result<bool, Fault> {
        let Some(landmark) = landmark else { return Ok(true) };
        let View { locations, vars, clocks } = self.view(self.path().len());
        let network = &self.system().network;
        for &(process, at) in &landmark.locations {
            let (declared, here) = (&network.processes[process.index()], locations[process.index()]);
            if here != at {
                let name = |location: LocationId| &declared.locations[location.index()].name;
                return Err(Fault::Refused(format!(
                    "it leads {} to {}, not to {}",
                    declared.name,
                    name(here),
                    name(at)
                )));
            }
        }
        for &(var, value) in &landmark.vars {
            let here = vars[var.index()];
            if here != value {
                let name = &network.vars[var.index()].name;
                return Err(Fault::Refused(format!("{name} becomes {here}, not {value}")));
            }
        }
        Ok(match clocks {
            ClockView::Zones(zones) => zones.iter().any(|zone| zone.constraints == landmark.zone),
            ClockView::Values(values) => {
                landmark.clocks.iter().all(|&(clock, value)| values[clock.index()] == value)
            }
        })
    }
}

fn fits(participants: &Participants, edges: &[(ProcessId, Vec<EdgeId>)]) -> bool {
    let known = |(process, edge): &(ProcessId, EdgeId)| {
        edges.iter().any(|(p, able)| p == process && able.contains(edge))
    };
    participants.len() == edges.len() && participants.iter().all(known)
}
