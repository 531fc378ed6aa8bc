//! Whole properties on networks small enough to know the answer.

mod common;

use common::*;
use dwell_model::expr::{BinaryOp, Expr, Relation::*, RuntimeErrorKind};
use dwell_model::property::{Extremum, Formula, Measured, Property, Quantity};
use dwell_model::{ChannelKind, LocationKind, Network, Sync};
use dwell_oracle::{Answer, Endpoint, Extent, answer, fastest, shortest};

fn ask<const N: usize>(network: &Network, properties: [Property; N]) -> [bool; N] {
    let answers = answer(network, &properties, 0, 10_000).unwrap().answers;
    let holds = |answer: Answer| match answer {
        Answer::Holds(holds) => holds,
        other => panic!("{other:?}"),
    };
    answers.into_iter().map(holds).collect::<Vec<_>>().try_into().unwrap()
}

/// `E[] p`; `A<> not p` must say the opposite.
fn lasts(network: &Network, formula: Formula) -> bool {
    let avoiding = formula.clone();
    let [lasts, ends] =
        ask(network, [Property::PotentiallyAlways(formula), Property::Eventually { avoiding }]);
    assert_ne!(lasts, ends);
    lasts
}

/// One process that leaves 0 for 1 from x >= 2 on, with this invariant at 0.
fn leaving(invariant: Option<(dwell_model::expr::Relation, i32)>) -> Network {
    let mut net = network(1, &[(0, 1, 0)], &[2]);
    net.processes[0].locations[0].invariant.clocks =
        invariant.into_iter().map(|(relation, bound)| clock(0, relation, bound)).collect();
    edge(&mut net, 0, 0, 1, Sync::Internal).guard.clocks = vec![clock(0, Ge, 2)];
    net
}

#[test]
fn time_that_goes_on_for_ever_lasts() {
    assert!(lasts(&leaving(None), at(0)));
    assert!(!lasts(&leaving(Some((Le, 5))), at(0)), "it must leave in the end");
    assert!(lasts(&leaving(Some((Le, 5))), some([at(0), at(1)])));
    assert!(!lasts(&leaving(None), all([at(0), is(clock(0, Le, 7))])));
    assert!(!lasts(&leaving(None), all([at(0), is(clock(0, Lt, 7))])), "short delays only do not count");
    assert!(lasts(&leaving(None), is(clock(0, Ge, 0))));
    assert!(!lasts(&leaving(None), at(1)), "it does not start there");
    // Without clocks too, unless time stands still and something can move.
    let mut net = network(0, &[], &[2]);
    edge(&mut net, 0, 0, 1, Sync::Internal);
    assert!(lasts(&net, at(0)));
    net.processes[0].locations[0].kind = LocationKind::Urgent;
    assert!(!lasts(&net, at(0)));
}

#[test]
fn runs_end_where_nothing_is_possible() {
    // Time ends before 5, or before 2, strictly or not.
    assert!(lasts(&leaving(Some((Lt, 2))), at(0)), "the last open region");
    assert!(!lasts(&leaving(Some((Le, 2))), at(0)), "one may move at 2");
    assert!(!lasts(&leaving(Some((Lt, 5))), at(0)));
    // Where all transitions lead elsewhere one must move none the less.
    let mut net = leaving(Some((Le, 5)));
    assert!(!lasts(&net, all([at(0), is(clock(0, Le, 5))])));
    // Not if the target does not let it in.
    net.processes[0].locations[1].invariant.clocks = vec![clock(0, Le, 4)];
    assert!(lasts(&net, at(0)));
    net.processes[0].locations[1].invariant.clocks = vec![clock(0, Le, 5)];
    assert!(!lasts(&net, at(0)));
    // Urgency ends time too.
    let mut net = leaving(None);
    let c = channel(&mut net, ChannelKind::Broadcast, true);
    net.processes[0].edges[0].sync = send(c);
    assert!(!lasts(&net, at(0)));
    net.processes[0].locations[1].invariant.clocks = vec![clock(0, Lt, 2)];
    assert!(lasts(&net, at(0)), "it is enabled, and not possible");
}

#[test]
fn loops_last_whether_time_passes_or_not() {
    let mut net = leaving(Some((Le, 5)));
    edge(&mut net, 0, 0, 0, Sync::Internal);
    assert!(lasts(&net, all([at(0), is(clock(0, Eq, 0))])), "Zeno");
    net.processes[0].edges[1].guard.clocks = vec![clock(0, Eq, 5)];
    assert!(lasts(&net, at(0)));
    assert!(!lasts(&net, all([at(0), is(clock(0, Lt, 5))])));
    net.processes[0].edges[1].update.body = vec![add(0, 1)];
    assert!(!lasts(&net, at(0)), "an update that fails is no transition");
    assert!(answer(&net, &[], 0, 1000).unwrap().failure.is_some());
    // A loop of higher priority keeps it from leaving, a blocked one is none.
    let mut net = network(1, &[], &[2, 1]);
    net.processes[0].locations[0].invariant.clocks = vec![clock(0, Le, 5)];
    edge(&mut net, 0, 0, 1, Sync::Internal);
    edge(&mut net, 1, 0, 0, Sync::Internal).guard.clocks = vec![clock(0, Ge, 5)];
    assert!(lasts(&net, at(0)));
    net.processes[0].priority = 1;
    assert!(!lasts(&net, at(0)));
}

#[test]
fn what_leads_to_what() {
    let leads = |net: &Network, p: Formula, not_q: Formula| ask(net, [Property::LeadsTo(p, not_q)])[0];
    let net = leaving(Some((Le, 5)));
    assert!(leads(&net, at(0), at(0)), "0 --> 1");
    assert!(!leads(&leaving(None), at(0), at(0)));
    assert!(!leads(&net, at(1), at(1)), "1 --> 0");
    assert!(leads(&net, at(0), some([at(0), is(clock(0, Le, 5))])), "0 --> 1 and x > 5");
    // Only from states that satisfy p.
    let mut net = leaving(None);
    net.processes[0].locations[0].invariant.clocks = vec![clock(0, Le, 5)];
    edge(&mut net, 0, 0, 0, Sync::Internal).guard.clocks = vec![clock(0, Le, 1)];
    assert!(!leads(&net, at(0), at(0)), "the loop");
    assert!(leads(&net, all([at(0), is(clock(0, Gt, 1))]), at(0)));
    assert!(leads(&net, Formula::Deadlock(true), Formula::Or(Vec::new())), "p --> true");
    let stuck = ask(&net, [Property::LeadsTo(at(0), Formula::Deadlock(false))]);
    assert!(!stuck[0], "0 --> deadlock is refuted by the loop");
}

#[test]
fn safety_and_errors() {
    let net = leaving(Some((Le, 5)));
    let late = all([at(0), is(clock(0, Gt, 5))]);
    let properties = [Property::Possibly(at(1)), Property::Invariantly { violation: late }];
    assert_eq!(ask(&net, properties), [true, true]);
    let fails = || Formula::Discrete(binary(BinaryOp::Div, Expr::Const(1), Expr::Const(0)));
    let properties = [
        Property::PotentiallyAlways(all([at(0), is(clock(0, Le, 1)), fails()])),
        Property::PotentiallyAlways(all([at(1), fails()])),
        Property::LeadsTo(at(1), fails()),
    ];
    let answers = answer(&net, &properties, 0, 1000).unwrap().answers;
    let is_error =
        |answer: &Answer| matches!(answer, Answer::Error(e) if e.kind == RuntimeErrorKind::DivisionByZero);
    assert_eq!(answers.iter().map(is_error).collect::<Vec<_>>(), [true, false, true]);
}

#[test]
fn least_and_greatest_values() {
    let mut net = leaving(Some((Lt, 5)));
    net.processes[0].edges[0].update.body = vec![add(0, 1)];
    let quantity = |value| Quantity { text: String::new(), value };
    let quantities = || vec![quantity(Measured::Integer(var(0))), quantity(Measured::Clock(fixed(0)))];
    let extent = |formula, horizon| {
        let property = Property::Extremum(Extremum::Bounds, formula, quantities());
        match answer(&net, &[property], horizon, 1000).unwrap().answers.remove(0) {
            Answer::Values(values) => values,
            other => panic!("{other:?}"),
        }
    };
    let end = |value, attained| Some(Endpoint { value, attained });
    let whole = |least, greatest| Some(Extent { least: end(least, true), greatest: end(greatest, true) });
    let clock_values = |least, greatest| Some(Extent { least, greatest });
    let anywhere = || Formula::And(Vec::new());
    assert_eq!(extent(anywhere(), 9), [whole(0, 1), clock_values(end(0, true), None)]);
    assert_eq!(extent(at(0), 9), [whole(0, 0), clock_values(end(0, true), end(5, false))]);
    let above = all([at(1), is(clock(0, Gt, 3)), is(clock(0, Le, 7))]);
    assert_eq!(extent(above, 9), [whole(1, 1), clock_values(end(3, false), end(7, true))]);
    assert_eq!(extent(is(clock(0, Gt, 9)), 9), [whole(1, 1), clock_values(None, None)]);
    assert_eq!(extent(Formula::Or(Vec::new()), 9), [None, None]);
}

#[test]
fn the_nearest_in_transitions_and_in_time() {
    // To 3 by two transitions late, or by three without delay.
    let mut net = network(1, &[], &[4]);
    edge(&mut net, 0, 0, 1, Sync::Internal).update.body = vec![reset(0, 0)];
    edge(&mut net, 0, 1, 3, Sync::Internal).guard.clocks = vec![clock(0, Gt, 4)];
    edge(&mut net, 0, 1, 2, Sync::Internal);
    edge(&mut net, 0, 2, 3, Sync::Internal);
    let end = |value, attained| Some(Endpoint { value, attained });
    let near = |net: &Network, formula: Formula| {
        (shortest(net, &formula, 1000).unwrap(), fastest(net, &formula, 9, 1000).unwrap())
    };
    assert_eq!(near(&net, at(3)), (Some(2), end(0, true)));
    assert_eq!(near(&net, at(0)), (Some(0), end(0, true)));
    assert_eq!(near(&net, Formula::Or(Vec::new())), (None, None));
    net.processes[0].edges.truncate(2);
    assert_eq!(near(&net, at(3)), (Some(2), end(4, false)));
    assert_eq!(near(&net, all([at(1), is(clock(0, Ge, 3))])), (Some(1), end(3, true)));
    assert_eq!(near(&net, is(clock(0, Ge, 3))), (Some(0), end(3, true)));
    assert_eq!(near(&net, is(clock(0, Gt, 9))), (Some(0), None), "beyond the horizon");
    // Time adds up over resets.
    net.processes[0].edges[0].guard.clocks = vec![clock(0, Ge, 2)];
    assert_eq!(near(&net, at(3)), (Some(2), end(6, false)));
}
