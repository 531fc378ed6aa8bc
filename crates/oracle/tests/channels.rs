//! Computed channels, broadcasts that clocks have a say in, and which guards
//! are looked at.

mod common;

use common::*;
use dwell_model::expr::{BinaryOp, Expr, Relation::*, RuntimeErrorKind, RuntimeErrorKind::*};
use dwell_model::{ChannelId, ChannelKind, EdgeId, LocationId, LocationKind, Network, ProcessId, Sync};
use dwell_oracle::replay::{delayed, fired};
use dwell_oracle::{ExploreError, Participants, Rational, Replay, ReplayFault, State, Unsupported};
use dwell_oracle::{explore, step};

fn zero_divided() -> Expr {
    binary(BinaryOp::Div, Expr::Const(0), Expr::Const(0))
}

fn failure(network: &Network) -> Option<RuntimeErrorKind> {
    reachable(network);
    explore(network, 1000).unwrap().failure.map(|failure| failure.error.kind)
}

/// A sender; a process with an edge up to 1 and one from 1 on; a process with
/// an edge from beyond 2 on and another from beyond 3 on.
fn listeners() -> Network {
    let mut net = network(1, &[], &[2, 3, 3]);
    let c = channel(&mut net, ChannelKind::Broadcast, false);
    edge(&mut net, 0, 0, 1, send(c));
    edge(&mut net, 1, 0, 1, receive(c)).guard.clocks = vec![clock(0, Le, 1)];
    edge(&mut net, 1, 0, 2, receive(c)).guard.clocks = vec![clock(0, Ge, 1)];
    edge(&mut net, 2, 0, 1, receive(c)).guard.clocks = vec![clock(0, Gt, 2)];
    edge(&mut net, 2, 0, 2, receive(c)).guard.clocks = vec![clock(0, Gt, 3), clock(0, Gt, 1)];
    net
}

/// The state after this delay from the start.
fn after(network: &Network, delay: Rational) -> State<Vec<Rational>> {
    let locations: Vec<_> = network.processes.iter().map(|p| p.initial[0]).collect();
    let start = Replay::start(network, &locations).unwrap();
    delayed(network, start.state(), delay).unwrap()
}

#[test]
fn clocks_decide_who_hears_a_broadcast() {
    let mut net = listeners();
    // Who hears it before 1, at 1, up to 2, up to 3 and later.
    assert_eq!(reachable(&net), "000 110 120 121 122");
    net.processes[0].edges[0].guard.clocks = vec![clock(0, Eq, 1)];
    assert_eq!(reachable(&net), "000 110 120", "the sender's guard counts too");
    net.processes[0].edges[0].guard.clocks = vec![clock(0, Gt, 1), clock(0, Le, 2)];
    assert_eq!(reachable(&net), "000 120");
    // An edge without a clock guard: the second process always hears it.
    net.processes[2].edges[1].guard.clocks.clear();
    assert_eq!(reachable(&net), "000 122");
}

#[test]
fn replay_accepts_exactly_the_broadcasts_that_are_enumerated() {
    let net = listeners();
    let faults = |delay: &str, list: &[(u32, u32)]| {
        fired(&net, &after(&net, delay.parse().unwrap()), &participants(list)).unwrap_err()
    };
    assert_eq!(faults("1/2", &[(0, 0)]), ReplayFault::ReceiverLeftOut(ProcessId(1)));
    assert_eq!(faults("5/2", &[(0, 0), (1, 1)]), ReplayFault::ReceiverLeftOut(ProcessId(2)));
    let early = ReplayFault::GuardFalse(ProcessId(2), EdgeId(1));
    assert_eq!(faults("5/2", &[(0, 0), (1, 1), (2, 1)]), early);
    let mut accepted = 0;
    for halves in 0..10 {
        let state = after(&net, Rational::new(halves, 2).unwrap());
        let mut enumerated: Vec<Participants> = Vec::new();
        let transitions = step::transitions(&net, &state.discrete);
        assert!(transitions.enabled.is_empty() && transitions.timed.len() == 1);
        step::fire_all(&net, &state, &transitions, |participants, outcome| {
            assert!(outcome.is_ok());
            enumerated.push(participants.to_vec());
            Ok::<(), ()>(())
        })
        .unwrap();
        for (first, second) in (0..3).flat_map(|a| (0..3).map(move |b| (a, b))) {
            let mut list = vec![(0, 0)];
            list.extend((first < 2).then_some((1, first)));
            list.extend((second < 2).then_some((2, second)));
            let list = participants(&list);
            let is_accepted = fired(&net, &state, &list).is_ok();
            assert_eq!(is_accepted, enumerated.contains(&list), "{halves}/2: {list:?}");
            accepted += usize::from(is_accepted);
        }
    }
    assert_eq!(accepted, 1 + 1 + 2 + 1 + 1 + 1 + 1 + 2 + 2 + 2);
}

#[test]
fn a_receiver_may_be_the_one_that_leaves_a_committed_location() {
    let mut net = network(1, &[], &[2, 2]);
    let c = channel(&mut net, ChannelKind::Broadcast, false);
    edge(&mut net, 0, 0, 1, send(c));
    edge(&mut net, 1, 0, 1, receive(c)).guard.clocks = vec![clock(0, Ge, 1)];
    net.processes[1].locations[0].kind = LocationKind::Committed;
    assert_eq!(reachable(&net), "00", "no time passes, and nobody hears it");
    net.clocks[0].init = 1;
    assert_eq!(reachable(&net), "00 11");
}

#[test]
fn channels_are_computed_where_the_guard_holds() {
    for kind in [ChannelKind::Binary, ChannelKind::Broadcast] {
        // The first process sends on channel v0, the others listen to 0 and 1.
        let mut net = network(0, &[(0, 5, 1), (0, 5, 0)], &[2, 2, 2]);
        let first = channel(&mut net, kind, false);
        channel(&mut net, kind, false);
        edge(&mut net, 0, 0, 1, Sync::Send(picked(first, 2, var(0))));
        edge(&mut net, 1, 0, 1, Sync::Receive(picked(first, 2, var(1))));
        edge(&mut net, 2, 0, 1, receive(ChannelId(1)));
        assert_eq!(reachable(&net), "000:1,0 101:1,0", "{kind:?}");
        net.vars[1].init = 1;
        let expected = match kind {
            ChannelKind::Binary => "000:1,1 101:1,1 110:1,1",
            ChannelKind::Broadcast => "000:1,1 111:1,1",
        };
        assert_eq!(reachable(&net), expected, "{kind:?}");
        // Replay computes them too.
        let alone = fired(&net, &after(&net, Rational::ZERO), &participants(&[(0, 0)]));
        assert!(alone.is_err(), "{kind:?}");
        // A wrong index is an error, unless a guard comes before it.
        net.vars[0].init = 2;
        assert_eq!(failure(&net), Some(BadIndex { index: 2, low: 0, len: 2 }), "{kind:?}");
        let pair = fired(&net, &after(&net, Rational::ZERO), &participants(&[(0, 0), (2, 0)]));
        assert!(matches!(pair, Err(ReplayFault::RuntimeError(_))), "{kind:?}");
        net.processes[0].edges[0].guard.discrete = vec![binary(BinaryOp::Lt, var(0), Expr::Const(2))];
        assert_eq!(failure(&net), None, "{kind:?}");
        let pair = fired(&net, &after(&net, Rational::ZERO), &participants(&[(0, 0), (2, 0)]));
        assert_eq!(pair.unwrap_err(), ReplayFault::GuardFalse(ProcessId(0), EdgeId(0)), "{kind:?}");
        assert_eq!(reachable(&net), "000:2,1", "{kind:?}");
    }
}

#[test]
fn urgent_channels_may_be_computed() {
    let mut net = network(1, &[(0, 1, 0)], &[1, 1, 2]);
    let first = channel(&mut net, ChannelKind::Binary, true);
    channel(&mut net, ChannelKind::Binary, true);
    edge(&mut net, 0, 0, 0, Sync::Send(picked(first, 2, var(0))));
    edge(&mut net, 1, 0, 0, receive(ChannelId(1)));
    edge(&mut net, 2, 0, 1, Sync::Internal).guard.clocks = vec![clock(0, Ge, 1)];
    assert_eq!(reachable(&net), "000:0 001:0", "nobody listens to channel 0");
    net.vars[0].init = 1;
    assert_eq!(reachable(&net), "000:1");
}

#[test]
fn which_guards_are_looked_at() {
    // A sender's guard, though nobody listens and a committed location is active.
    let mut net = network(0, &[], &[2, 2, 2]);
    let c = channel(&mut net, ChannelKind::Binary, false);
    let other = channel(&mut net, ChannelKind::Binary, false);
    net.processes[2].locations[0].kind = LocationKind::Committed;
    edge(&mut net, 0, 0, 1, send(c)).guard.discrete = vec![zero_divided()];
    assert_eq!(failure(&net), Some(DivisionByZero));
    // A receiver's guard only where someone sends on a channel it may hear.
    net.processes[0].edges[0].guard.discrete = vec![Expr::Const(0)];
    edge(&mut net, 1, 0, 1, receive(c)).guard.discrete = vec![zero_divided()];
    assert_eq!(failure(&net), None, "the sender is not enabled");
    net.processes[0].edges[0].guard.discrete = vec![Expr::Const(1)];
    assert_eq!(failure(&net), Some(DivisionByZero));
    net.processes[0].edges[0].sync = send(other);
    assert_eq!(failure(&net), None, "another channel");
    net.processes[1].edges[0].sync = Sync::Receive(picked(c, 2, Expr::Const(0)));
    assert_eq!(failure(&net), Some(DivisionByZero), "it may be the other channel");
    net.processes[1].edges[0].guard.discrete.clear();
    assert_eq!(failure(&net), None);
    net.processes[1].edges[0].sync = Sync::Receive(picked(c, 2, Expr::Const(7)));
    assert_eq!(failure(&net), Some(BadIndex { index: 7, low: 0, len: 2 }));
    // Also where nobody but the receiver itself sends.
    net.processes[0].edges.clear();
    assert_eq!(failure(&net), None);
    edge(&mut net, 1, 0, 1, send(c));
    assert_eq!(failure(&net), Some(BadIndex { index: 7, low: 0, len: 2 }));
    // Not the guard of an internal edge that a committed location keeps back.
    net.processes[1].edges.clear();
    edge(&mut net, 1, 0, 1, Sync::Internal).guard.discrete = vec![zero_divided()];
    assert_eq!(failure(&net), None);
    net.processes[2].locations[0].kind = LocationKind::Normal;
    assert_eq!(failure(&net), Some(DivisionByZero));
}

#[test]
fn what_is_not_covered_is_refused() {
    let refused = |net: &Network| {
        let locations: Vec<_> = net.processes.iter().map(|p| p.initial[0]).collect();
        let fault = Replay::start(net, &locations).unwrap_err().fault;
        match explore(net, 10) {
            Err(ExploreError::Unsupported(what)) => {
                assert_eq!(fault, ReplayFault::Unsupported(what.clone()));
                what
            }
            other => panic!("{other:?}"),
        }
    };
    let base = || {
        let mut net = network(1, &[], &[1, 1]);
        let c = channel(&mut net, ChannelKind::Binary, true);
        edge(&mut net, 0, 0, 0, send(c));
        edge(&mut net, 1, 0, 0, receive(c));
        net
    };
    for process in 0..2 {
        let mut net = base();
        net.processes[process].edges[0].guard.clocks = vec![clock(0, Le, 1)];
        assert!(matches!(refused(&net), Unsupported::UrgentClockGuard { .. }));
    }
    let mut net = base();
    net.channels[0].kind = ChannelKind::Broadcast;
    net.processes[1].edges[0].guard.clocks = vec![clock(0, Le, 1)];
    assert!(explore(&net, 10).is_ok(), "the broadcast does not need its receiver");
    let mut difference = clock(0, Ge, 1);
    difference.minus = Some(fixed(0));
    for constraint in [clock(0, Gt, 1), clock(0, Eq, 1), difference] {
        let mut net = base();
        net.processes[0].edges[0].guard.clocks = vec![clock(0, Ge, 1), constraint];
        assert!(matches!(refused(&net), Unsupported::UrgentClockGuard { .. }));
    }
    // Only regions need all clocks to run.
    let mut net = base();
    net.processes[1].locations[0].rates = vec![(fixed(0), Expr::Const(0))];
    let rate = Unsupported::Rate(ProcessId(1), LocationId(0));
    assert_eq!(explore(&net, 10).unwrap_err(), ExploreError::Unsupported(rate));
    assert!(Replay::start(&net, &[LocationId(0); 2]).is_ok());
    let mut net = base();
    let needs = dwell_model::Unsupported { message: "it needs".to_owned(), span: Default::default() };
    net.unsupported = vec![needs];
    assert!(matches!(refused(&net), Unsupported::Network { .. }));
}
