//! Random formulas.

use dwell_base::Rng;
use dwell_model::expr::{ClockConstraint, ClockRef, Expr, Relation};
use dwell_model::property::Formula;
use dwell_model::{ClockId, LocationId, Network, ProcessId, Span};

use super::data::Data;
use super::writer::{Effects, Writer};
use super::{Config, functions};

/// The network with a function or none added, as a query may need it.
pub fn with_query_functions(rng: &mut Rng, config: &Config, network: &Network) -> Network {
    let mut grown = network.clone();
    if rng.percent(30) {
        functions::add(rng, config, &mut grown, Effects::None);
    }
    grown
}

/// A formula about states of `network`, differences of clocks in as many
/// percent of its clock constraints as in those of guards.
pub fn formula(rng: &mut Rng, config: &Config, network: &Network) -> Formula {
    let data = Data::of(network);
    let depth = 1 + rng.below(3) as u32;
    Asker { rng, config, network, data }.formula(depth)
}

/// A conjunction of constraints on two clocks, where there are two.
pub fn two_clocks(rng: &mut Rng, config: &Config, network: &Network) -> Option<Formula> {
    let count = network.clocks.len() as u64;
    if count < 2 {
        return None;
    }
    let (first, distance) = (rng.below(count), 1 + rng.below(count - 1));
    let data = Data::of(network);
    let mut asker = Asker { rng, config, network, data };
    let parts = [first, (first + distance) % count]
        .map(|clock| Formula::Clock(asker.constraint(ClockRef::Fixed(ClockId(clock as u32)))));
    Some(Formula::And(parts.into()))
}

/// Whether the locations that a formula speaks of are there; shrinking a network
/// may have taken them away.
pub fn names_locations_of(formula: &Formula, network: &Network) -> bool {
    fn exists(e: &Expr, network: &Network) -> bool {
        match e {
            Expr::At(p, l) => network.processes.get(p.index()).is_some_and(|p| l.index() < p.locations.len()),
            Expr::Not(e) => exists(e, network),
            Expr::And(left, right) | Expr::Or(left, right) => exists(left, network) && exists(right, network),
            _ => true,
        }
    }
    match formula {
        Formula::Discrete(e) => exists(e, network),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().all(|p| names_locations_of(p, network)),
        Formula::Clock(_) | Formula::Deadlock(_) => true,
    }
}

struct Asker<'a> {
    rng: &'a mut Rng,
    config: &'a Config,
    network: &'a Network,
    data: Data,
}

impl Asker<'_> {
    fn formula(&mut self, depth: u32) -> Formula {
        if depth > 0 && self.rng.percent(75) {
            // No parts at all now and then.
            let count = *self.rng.pick(&[0, 1, 2, 2, 2, 2, 2, 3, 3, 3]);
            let parts = (0..count).map(|_| self.formula(depth - 1)).collect();
            return if self.rng.percent(65) { Formula::And(parts) } else { Formula::Or(parts) };
        }
        let percent = self.config.deadlock_percent;
        if percent > 0 && self.rng.percent(percent) {
            return Formula::Deadlock(self.rng.percent(60));
        }
        match self.clock() {
            Some(clock) if self.rng.percent(60) => Formula::Clock(self.constraint(clock)),
            _ => Formula::Discrete(self.discrete()),
        }
    }

    fn discrete(&mut self) -> Expr {
        let p = self.rng.below(self.network.processes.len() as u64) as usize;
        let l = self.rng.below(self.network.processes[p].locations.len() as u64) as usize;
        let at = Expr::At(ProcessId::new(p), LocationId::new(l));
        let mut test = Writer::test(self.rng, self.config, self.network, &self.data);
        match test.rng.below(5) {
            0 => at,
            1 => Expr::Not(Box::new(at)),
            2 => Expr::And(Box::new(at), Box::new(test.condition())),
            3 => Expr::Or(Box::new(test.condition()), Box::new(at)),
            _ => test.condition(),
        }
    }

    fn clock(&mut self) -> Option<ClockRef> {
        let count = self.network.clocks.len() as u64;
        if count == 0 {
            return None;
        }
        if count > 1 && self.rng.percent(self.config.clock_array_percent) {
            let first = ClockId(self.rng.below(count - 1) as u32);
            let index = Writer::test(self.rng, self.config, self.network, &self.data).index(2);
            return Some(ClockRef::Element { first, len: 2, index, span: Span::default() });
        }
        Some(ClockRef::Fixed(ClockId(self.rng.below(count) as u32)))
    }

    fn constraint(&mut self, left: ClockRef) -> ClockConstraint {
        use Relation::*;
        let relation = *self.rng.pick(&[Lt, Le, Ge, Gt, Eq, Eq]);
        let literal = self.rng.range(0, self.config.max_constant);
        let minus = if self.rng.percent(self.config.diagonal_percent) { self.clock() } else { None };
        let bound = if self.rng.percent(self.config.bound_expr_percent) {
            Writer::test(self.rng, self.config, self.network, &self.data).bound(literal)
        } else {
            Expr::Const(literal)
        };
        ClockConstraint { when: None, left, minus, relation, bound, span: Span::default() }
    }
}
