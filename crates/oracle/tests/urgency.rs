//! Clock guards on urgent channels, and clocks that stand still.

mod common;

use common::*;
use dwell_model::expr::{ClockConstraint, Expr, Relation::*};
use dwell_model::property::Formula;
use dwell_model::{ChannelId, ChannelKind, ClockId, LocationId, Network, ProcessId, Sync};
use dwell_oracle::{ReplayFault, explore_with, replay};

/// A sender from x >= 5 on and a receiver on an urgent channel.
fn urgent(kind: ChannelKind) -> Network {
    let mut net = network(2, &[(0, 9, 3)], &[2, 2]);
    let c = channel(&mut net, kind, true);
    edge(&mut net, 0, 0, 1, send(c)).guard.clocks = vec![clock(0, Ge, 5)];
    edge(&mut net, 1, 0, 1, receive(c));
    net
}

fn fault(network: &Network, delay: &str) -> Option<ReplayFault> {
    replay(network, &[LocationId(0); 2], &[step(delay, &[])]).err().map(|error| error.fault)
}

fn reaches(network: &Network, formula: Formula) -> bool {
    explore_with(network, &[formula], 10_000).unwrap().asked[0].met
}

#[test]
fn time_stops_when_a_lower_bound_is_reached() {
    for kind in [ChannelKind::Binary, ChannelKind::Broadcast] {
        let mut net = urgent(kind);
        let stopped = Some(ReplayFault::UrgentChannel(ChannelId(0)));
        assert_eq!((fault(&net, "5"), fault(&net, "5001/1000")), (None, stopped.clone()));
        assert!(reaches(&net, all([at(0), is(clock(0, Eq, 5))])));
        assert!(!reaches(&net, all([at(0), is(clock(0, Gt, 5))])));
        assert!(reaches(&net, all([at(1), is(clock(0, Gt, 5))])), "afterwards it goes on");
        assert_eq!(reachable(&net), "00:3 11:3");
        // The receiver has a say on a binary channel.
        let late = ClockConstraint { when: Some(var(0)), ..clock_expr(1, Ge, Expr::Const(7)) };
        net.processes[1].edges[0].guard.clocks = vec![late];
        let is_binary = kind == ChannelKind::Binary;
        assert_eq!(fault(&net, "7"), if is_binary { None } else { stopped.clone() });
        assert_eq!(fault(&net, "8"), stopped);
        assert_eq!(reaches(&net, all([at(0), is(clock(0, Gt, 6))])), is_binary);
        net.vars[0].init = 0;
        assert_eq!(fault(&net, "6"), stopped, "the condition is false");
        // Its target invariant and priorities do not matter.
        net.processes[0].locations[1].invariant.clocks = vec![clock(0, Lt, 3)];
        net.processes[1].priority = 1;
        assert_eq!(fault(&net, "6"), stopped);
        assert!(!reaches(&net, all([at(0), is(clock(0, Gt, 5))])));
    }
}

#[test]
fn a_receiver_may_come_too_late() {
    let mut net = urgent(ChannelKind::Binary);
    net.processes[1].edges.clear();
    assert_eq!(fault(&net, "9"), None, "nobody listens");
    assert!(reaches(&net, all([at(0), is(clock(0, Gt, 5))])));
}

/// Clock 0 stands still in location 1.
fn stopping() -> Network {
    let mut net = network(2, &[(0, 2, 0)], &[3, 2]);
    net.processes[0].locations[1].rates = vec![(fixed(0), var(0)), (fixed(1), Expr::Const(1))];
    net.processes[0].locations[1].invariant.clocks = vec![clock(1, Le, 5)];
    edge(&mut net, 0, 0, 1, Sync::Internal);
    edge(&mut net, 0, 1, 2, Sync::Internal).guard.clocks = vec![clock(0, Eq, 1)];
    net
}

#[test]
fn clocks_stand_still_in_replay() {
    let mut net = stopping();
    let steps = [step("1", &[(0, 0)]), step("3/2", &[(0, 1)]), step("1/2", &[])];
    let states = replay(&net, &[LocationId(0); 2], &steps).unwrap();
    let values: Vec<String> = states.iter().map(|s| format!("{} {}", s.clocks[0], s.clocks[1])).collect();
    assert_eq!(values, ["0 0", "1 1", "1 5/2", "3/2 3"]);
    let late = replay(&net, &[LocationId(0); 2], &[step("1", &[(0, 0)]), step("5", &[])]).unwrap_err();
    assert_eq!(late.fault, ReplayFault::InvariantAfterDelay(ProcessId(0)));
    let of = |net: &Network, delay| {
        replay(net, &[LocationId(0); 2], &[step("1", &[(0, 0)]), step(delay, &[])]).err().map(|e| e.fault)
    };
    net.vars[0].init = 2;
    let bad = ReplayFault::BadRate { process: ProcessId(0), clock: ClockId(0), rate: 2 };
    assert_eq!((of(&net, "1"), of(&net, "0")), (Some(bad), None), "rates matter when time passes");
    net.vars[0].init = 0;
    net.processes[1].locations[0].rates = vec![(fixed(0), Expr::Const(1))];
    assert_eq!(of(&net, "1"), Some(ReplayFault::RatesDiffer(ClockId(0))));
    net.processes[1].locations[0].rates = vec![(fixed(0), Expr::Const(0))];
    assert_eq!(of(&net, "1"), None);
}

#[test]
fn a_bound_on_a_clock_that_stands_still_is_never_reached() {
    let mut net = stopping();
    let c = channel(&mut net, ChannelKind::Broadcast, true);
    edge(&mut net, 1, 0, 1, send(c)).guard.clocks = vec![clock(1, Ge, 2), clock(0, Ge, 2)];
    let of = |first, second| {
        let steps = [step(first, &[(0, 0)]), step(second, &[])];
        replay(&net, &[LocationId(0); 2], &steps).err().map(|e| e.fault)
    };
    assert_eq!(of("1", "4"), None);
    assert_eq!(of("2", "1/9"), Some(ReplayFault::UrgentChannel(c)));
}
