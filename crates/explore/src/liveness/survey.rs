//! Is there certainly no run that goes on for ever and keeps away from something?
//!
//! One zone for each discrete state, the convex hull of all that came, so that
//! there are few; then a look at the loops of the graph. Where those are in the
//! way, the same with several zones.
//!
//! SV-1 The zones of a discrete state include every state that a run that keeps
//!      away passes through there: exact successors are included in those made
//!      here, extrapolation and hulls only add.
//! SV-2 So if no zone has a point in which a run ends, none does; and every
//!      infinite run is a path of the graph, whose edges say what is true of
//!      every point they are taken from ([`Effect`]). If no path goes on for ever
//!      ([`super::cycles`]), no run does.
//! SV-3 A point or a loop that is found may not be there: then nothing is said.
//! SV-4 A loop may be none because of exact times, which hulls lose. So the survey
//!      is made again: of the zones of a discrete state only those of one class are
//!      joined, and what tells classes apart ([`super::classes`]) is how far the
//!      clocks are from each other that the loop sets. None of the above asks
//!      which zones are joined.

use super::expand::Avoiding;
use super::hulls::{Hulls, Starts};
use super::{LivenessStats, Stages};
use crate::KeyStore;
use crate::pipeline::Halt;
use dwell_base::limits::Stop;
use dwell_model::CompiledFormula;
use dwell_semantics::{Discrete, initial_locations};
use dwell_zones::{Bound, Zone};

/// What part of its patience a survey may spend on telling zones apart: as much
/// as the search that waits for it has done. Where that proves nothing, all of it
/// is lost.
const REFINING: u64 = 4;

/// The search for a proof. It is told where runs start, then asked.
pub struct Survey<'s, B: Bound, K> {
    avoiding: Avoiding<'s, B>,
    hulls: Hulls<B, K>,
    /// States that may be looked into, each as often as it grows.
    patience: u64,
}

impl<'s, B: Bound, K: KeyStore> Survey<'s, B, K> {
    /// A search for a proof that no run keeps away from where `avoid` holds.
    pub fn new<C>(stages: Stages<'s, B, K, C>, avoid: &'s CompiledFormula, patience: u64) -> Self {
        let words = stages.stepper.system.layout.words();
        let (avoiding, keys, _) = Avoiding::new(stages, avoid);
        Self { avoiding, hulls: Hulls::new(keys, words), patience }
    }

    /// Runs may start in the initial states. False if there are none.
    pub fn start(&mut self) -> Result<bool, Halt> {
        let mut started = false;
        for (index, locations) in initial_locations(self.avoiding.stepper.system).enumerate() {
            started |= self.avoiding.start(&locations, index as u32, &mut Starts(&mut self.hulls))?.0;
        }
        Ok(started)
    }

    /// They may start in part of a state, at any moment.
    pub fn start_in(&mut self, state: &Discrete, zone: &Zone<B>) -> Result<(), Halt> {
        self.avoiding.enter_at(state, zone, &mut Starts(&mut self.hulls)).map(|_| ())
    }

    /// Whether there is certainly no such run; false where one may have been found.
    pub fn proves(&mut self) -> Result<bool, Halt> {
        let timed = !self.avoiding.stepper.has_stopwatches();
        let refining = self.patience / REFINING;
        loop {
            self.hulls.begin(&mut self.avoiding);
            if !self.visit()? {
                return Ok(false); // SV-3
            }
            match self.hulls.all_runs_end(timed, &self.avoiding.limits) {
                Ok(()) => return Ok(true),
                Err(clocks) if !self.hulls.refine(clocks) => return Ok(false),
                // SV-4
                Err(_) => self.patience = self.patience.min(self.avoiding.stats.visited + refining),
            }
        }
    }

    /// Looks into all states; false if a run ends in one.
    fn visit(&mut self) -> Result<bool, Halt> {
        while let Some(id) = self.hulls.next(&mut self.avoiding) {
            if self.avoiding.stats.visited == self.patience {
                return Err(Halt::Stop(Stop::Visits));
            }
            self.avoiding.stats.visited += 1;
            if self.avoiding.look_into(&mut self.hulls)?.is_some() {
                return Ok(false);
            }
            self.hulls.done(id);
        }
        Ok(true)
    }

    /// What was counted.
    pub fn stats(&self) -> LivenessStats {
        self.avoiding.counted(&self.hulls)
    }
}
