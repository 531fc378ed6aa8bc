//! Formulas on zones.

use super::State;
use dwell_model::Network;
use dwell_model::property::Formula;
use dwell_oracle::eval;

/// Whether some valuation of the zone makes every formula of `left` true.
pub fn holds_somewhere(network: &Network, zone: &State, left: &[&Formula]) -> bool {
    let Some((first, rest)) = left.split_first() else { return true };
    match first {
        Formula::Discrete(e) => {
            eval::value(network, e, &zone.discrete).expect("formulas do not fail") != 0
                && holds_somewhere(network, zone, rest)
        }
        Formula::Clock(constraint) => {
            let mut part = zone.clone();
            part.clocks.constrain(network, constraint, &zone.discrete);
            part.clocks.close() && holds_somewhere(network, &part, rest)
        }
        Formula::And(parts) => {
            let all: Vec<&Formula> = parts.iter().chain(rest.iter().copied()).collect();
            holds_somewhere(network, zone, &all)
        }
        Formula::Or(parts) => parts.iter().any(|part| {
            let one: Vec<&Formula> = std::iter::once(part).chain(rest.iter().copied()).collect();
            holds_somewhere(network, zone, &one)
        }),
        Formula::Deadlock(_) => unreachable!("not asked for"),
    }
}
