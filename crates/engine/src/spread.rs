//! Which distribution pays (paper 4, sections 3.3 and 4.3).
//!
//! The fewer parts of a state decide who owns it, the more successors stay where
//! they were made and need not be handed over; but the less even is the load, and
//! the busiest worker decides how long a run takes. Both are judged by a small part
//! of the states, explored in a random order.
//!
//! SD-1 Every process of a cluster comes to the same choice: the part depends on
//!      the model alone.

use crate::plan::{ASKED, DistributionName};
use crate::{Model, Options};
use dwell_base::Rng;
use dwell_explore::Worker;
use dwell_model::System;
use dwell_parallel::Distribution;
use dwell_semantics::{Stepper, SymbolicState, Transitions, ZoneSystem};
use std::collections::{HashMap, HashSet};

/// Moves that are tried, at most; those over large zones count as several.
const WORK: usize = 2_000;
/// Cells of a zone that cost as much as a move without clocks.
const CELLS: usize = 64;
/// States that count as new ones.
const NEWEST: usize = 8;
/// Fewer states than these say nothing.
const ENOUGH: usize = 150;
/// Sets of states for each worker below which it is luck who gets how many.
const PARTS: usize = 32;
/// What handing a state over costs, as a share of what making it costs.
const HANDING_OVER: f64 = 0.35;

/// Which worker owns a state, and why; an error where one would own all.
pub(crate) fn planned(
    options: &Options,
    workers: Worker,
    model: &Model,
) -> Result<(DistributionName, String), String> {
    let system = &model.system;
    let lacks = match options.distribution {
        Some(DistributionName::D2) if Distribution::d2(2, system).is_none() => {
            "d2: the model has no variables"
        }
        Some(DistributionName::D3) if Distribution::d3(2, system).is_none() => {
            "d3: the model has no second location"
        }
        Some(asked) => return Ok((asked, ASKED.into())),
        None => return Ok(chosen(workers, model)),
    };
    Err(format!("--distribution {lacks}, so one worker would own all states"))
}

fn chosen(workers: Worker, model: &Model) -> (DistributionName, String) {
    // Walking needs a meaning that we know.
    let best = (workers > 1 && model.refusals().is_empty())
        .then(|| model.sample.get_or_init(|| Sample::new(&model.system)).best(workers, &model.system))
        .flatten();
    match best {
        Some((name, Spread { locality, load })) => {
            let stay = 100.0 * locality;
            let why =
                format!("{stay:.0} % of a sample stay where they are made, the load is {load:.2} of even");
            (name, why)
        }
        None => (DistributionName::D0, "states are spread evenly".into()),
    }
}

/// Some states, and which of them make which.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sample {
    /// All different, packed.
    states: Vec<Box<[u64]>>,
    /// By their places; some are the same state twice.
    steps: Vec<(u32, u32)>,
}

/// How a distribution does on a sample.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spread {
    /// Share of the states that are owned by whoever made them.
    pub locality: f64,
    /// States of the busiest worker over the mean.
    pub load: f64,
}

impl Spread {
    /// Time per state, in terms of making one.
    fn cost(self) -> f64 {
        self.load * (1.0 + HANDING_OVER * (1.0 - self.locality))
    }
}

impl Sample {
    pub(crate) fn new(system: &System) -> Self {
        let Ok(zones) = ZoneSystem::new(system) else { return Self::default() };
        let transitions = Transitions::new(system);
        let mut sampler = Sampler {
            stepper: Stepper { system, transitions: &transitions, zones: &zones },
            sample: Self::default(),
            places: HashMap::new(),
            waiting: Vec::new(),
        };
        sampler.run();
        sampler.sample
    }

    /// The best distribution for so many workers, and how it does; `None` where
    /// that cannot be told, or the plain one is best.
    pub(crate) fn best(&self, workers: Worker, system: &System) -> Option<(DistributionName, Spread)> {
        if self.states.len() < ENOUGH {
            return None;
        }
        let plain = self.judge(&Distribution::d0(workers), workers);
        let others = [
            (DistributionName::D2, Distribution::d2(workers, system)),
            (DistributionName::D3, Distribution::d3(workers, system)),
        ];
        others
            .into_iter()
            .filter_map(|(name, distribution)| Some((name, distribution?)))
            .filter(|(_, distribution)| self.parts(distribution) >= PARTS * usize::from(workers))
            .map(|(name, distribution)| (name, self.judge(&distribution, workers)))
            .filter(|(_, spread)| spread.cost() < plain.cost())
            .min_by(|(_, a), (_, b)| a.cost().total_cmp(&b.cost()))
    }

    /// How many sets of states it keeps together, whoever gets them.
    fn parts(&self, distribution: &Distribution) -> usize {
        self.states.iter().map(|state| distribution.hash::<i32>(state, &[])).collect::<HashSet<_>>().len()
    }

    fn judge(&self, distribution: &Distribution, workers: Worker) -> Spread {
        let owners: Vec<Worker> =
            self.states.iter().map(|state| distribution.owner::<i32>(state, &[])).collect();
        let mut loads = vec![0_u32; workers.into()];
        owners.iter().for_each(|&owner| loads[usize::from(owner)] += 1);
        let busiest = loads.into_iter().max().unwrap_or(0);
        let stay =
            self.steps.iter().filter(|(from, to)| owners[*from as usize] == owners[*to as usize]).count();
        Spread {
            locality: stay as f64 / self.steps.len().max(1) as f64,
            load: f64::from(busiest) * f64::from(workers) / owners.len() as f64,
        }
    }
}

/// Explores in a random order, one zone for each discrete state.
struct Sampler<'s> {
    stepper: Stepper<'s, i32>,
    sample: Sample,
    places: HashMap<Box<[u64]>, u32>,
    waiting: Vec<(u32, SymbolicState<i32>)>,
}

impl Sampler<'_> {
    fn run(&mut self) {
        let system = self.stepper.system;
        let start: Vec<_> = system.network.processes.iter().map(|p| p.initial[0]).collect();
        let mut rng = Rng::new(0);
        // A model that fails somewhere has other states to look at.
        self.stepper.initial(&start).unwrap_or_default().into_iter().for_each(|state| self.meet(None, state));
        let mut work = 0;
        while work < WORK && !self.waiting.is_empty() {
            // Deep states as well as shallow ones.
            let among = if rng.below(2) == 0 { self.waiting.len() } else { self.waiting.len().min(NEWEST) };
            let at = self.waiting.len() - 1 - rng.below(among as u64) as usize;
            let (from, state) = self.waiting.swap_remove(at);
            let Ok(moves) = self.stepper.moves(&state) else { continue };
            for index in 0..moves.len() {
                work += 1 + state.zone.dim() * state.zone.dim() / CELLS;
                let next = self.stepper.step(&state, moves.get(index)).unwrap_or_default();
                next.into_iter().for_each(|next| self.meet(Some(from), next));
            }
        }
    }

    fn meet(&mut self, from: Option<u32>, state: SymbolicState<i32>) {
        let layout = &self.stepper.system.layout;
        let mut words = vec![0; layout.words()].into_boxed_slice();
        layout.pack(&state.discrete.locations, &state.discrete.registers, &mut words);
        let new = self.sample.states.len() as u32;
        let place = *self.places.entry(words.clone()).or_insert(new);
        if place == new {
            self.sample.states.push(words);
            self.waiting.push((place, state));
        }
        self.sample.steps.extend(from.map(|from| (from, place)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen_for(workers: Worker, text: &str) -> (DistributionName, String) {
        let model = Model::from_tchecker(text, &Default::default()).expect("a correct model");
        chosen(workers, &model)
    }

    /// So many processes of four locations each, that do not know each other.
    fn apart(processes: usize) -> String {
        let process = |p| {
            let edges: String = (0..4).map(|l| format!("edge:P{p}:l{l}:l{}:a\n", (l + 1) % 4)).collect();
            let locations: String = (1..4).map(|l| format!("location:P{p}:l{l}{{}}\n")).collect();
            format!("process:P{p}\nlocation:P{p}:l0{{initial:}}\n{locations}{edges}")
        };
        format!("system:s\nevent:a\n{}", (0..processes).map(process).collect::<String>())
    }

    #[test]
    fn many_processes_are_spread_by_some_of_them() {
        let (name, why) = chosen_for(2, &apart(12));
        assert_eq!(name, DistributionName::D3, "{why}");
        assert!(why.contains("stay where they are made"), "{why}");
    }

    #[test]
    fn few_states_or_parts_are_spread_evenly() {
        assert_eq!(chosen_for(2, &apart(2)).0, DistributionName::D0);
        assert_eq!(chosen_for(2, &apart(4)).0, DistributionName::D0);
        assert_eq!(chosen_for(1, &apart(12)).0, DistributionName::D0);
    }

    #[test]
    fn values_that_seldom_change_decide() {
        let steps: String =
            (0..3).map(|v| format!("edge:Q:q:q:a{{provided: v[{v}]<6 : do: v[{v}]=v[{v}]+1}}\n")).collect();
        let text = apart(3) + "int:3:0:6:0:v\nprocess:Q\nlocation:Q:q{initial:}\n" + &steps;
        assert_eq!(chosen_for(2, &text).0, DistributionName::D2);
    }

    #[test]
    fn models_that_fail_are_no_trouble() {
        let failing =
            "system:s\nevent:a\nprocess:P\nint:1:0:2:0:i\nlocation:P:l{initial:}\nedge:P:l:l:a{do: i=i+1}\n";
        assert_eq!(chosen_for(2, failing).0, DistributionName::D0);
    }
}
