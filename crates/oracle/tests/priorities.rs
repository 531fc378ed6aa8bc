//! Transitions of higher priority block others exactly where they are possible.

mod common;

use common::*;
use dwell_model::expr::{BinaryOp, Expr, Relation::*};
use dwell_model::property::Formula;
use dwell_model::{ChannelKind, LocationId, LocationKind, Network, OutOfRange, ProcessId, Sync};
use dwell_oracle::{ReplayFault, explore, explore_with, replay};

/// A process with a low transition to 1 from `x >= 2` on and one of a higher
/// priority to 1 while `x <= 3`.
fn two() -> Network {
    let mut net = network(1, &[], &[2, 2]);
    net.processes[1].priority = 1;
    edge(&mut net, 0, 0, 1, Sync::Internal).guard.clocks = vec![clock(0, Ge, 2)];
    edge(&mut net, 1, 0, 1, Sync::Internal).guard.clocks = vec![clock(0, Le, 3)];
    net
}

fn fault(network: &Network, delay: &str, list: &[(u32, u32)]) -> Option<ReplayFault> {
    let start = vec![LocationId(0); network.processes.len()];
    replay(network, &start, &[step(delay, list)]).err().map(|error| error.fault)
}

#[test]
fn where_the_high_one_is_enabled_the_low_one_is_blocked() {
    let mut net = two();
    let blocked = Some(ReplayFault::Blocked(participants(&[(1, 0)])));
    assert_eq!(fault(&net, "2", &[(0, 0)]), blocked);
    assert_eq!(fault(&net, "3", &[(0, 0)]), blocked);
    assert_eq!(fault(&net, "3", &[(1, 0)]), None);
    assert_eq!(fault(&net, "3001/1000", &[(0, 0)]), None);
    assert!(matches!(fault(&net, "1", &[(0, 0)]), Some(ReplayFault::GuardFalse(..))), "guards come first");
    assert_eq!(reachable(&net), "00 01 10 11");
    net.processes[0].edges[0].guard.clocks = vec![clock(0, Le, 3)];
    assert_eq!(reachable(&net), "00 01 11", "always blocked at 00");
    net.processes[1].edges[0].guard.clocks = vec![clock(0, Lt, 3)];
    assert_eq!(reachable(&net), "00 01 10 11", "not at x = 3; afterwards the high one is late");
    net.processes[1].locations[1].invariant.clocks = vec![clock(0, Le, 2)];
    net.processes[0].edges[0].guard.clocks = vec![clock(0, Le, 2)];
    assert_eq!(reachable(&net), "00 01 11");
}

#[test]
fn only_what_is_possible_blocks() {
    let mut net = two();
    net.processes[1].locations[1].invariant.clocks = vec![clock(0, Le, 1)];
    assert_eq!(fault(&net, "2", &[(0, 0)]), None, "its target invariant is false");
    assert_eq!(reachable(&net), "00 01 10");
    let mut net = two();
    net.processes[0].locations[0].kind = LocationKind::Committed;
    net.processes[0].edges[0].guard.clocks.clear();
    assert_eq!(fault(&net, "0", &[(0, 0)]), None, "the committed one goes first");
    assert_eq!(reachable(&net), "00 10 11");
    // An update out of range disables it, or is a failure that does not block.
    for out_of_range in [OutOfRange::Disable, OutOfRange::Error] {
        let mut net = two();
        net.vars = network(0, &[(0, 1, 0)], &[]).vars;
        net.out_of_range = out_of_range;
        net.processes[1].edges[0].update.body = vec![assign(0, Expr::Const(2))];
        assert_eq!(fault(&net, "2", &[(0, 0)]), None);
        assert_eq!(reachable(&net), "00:0 10:0");
        assert_eq!(explore(&net, 1000).unwrap().failure.is_some(), out_of_range == OutOfRange::Error);
        // The update of a blocked one is not run.
        let failing = net.processes[1].edges[0].update.body.split_off(0);
        net.processes[1].edges[0].target = LocationId(0);
        net.processes[0].edges[0].update.body = failing;
        net.processes[0].edges[0].guard.clocks = vec![clock(0, Le, 3)];
        assert!(explore(&net, 1000).unwrap().failure.is_none());
    }
}

#[test]
fn guards_of_blocked_transitions_are_evaluated() {
    let mut net = two();
    net.processes[0].edges[0].guard.discrete = vec![binary(BinaryOp::Div, Expr::Const(1), Expr::Const(0))];
    assert!(explore(&net, 1000).unwrap().failure.is_some());
}

#[test]
fn channels_come_before_processes() {
    // 0 sends to 1 on `low`, 0 to 2 on `high`; 3 moves alone.
    let mut net = network(0, &[], &[2, 2, 2, 2]);
    let low = channel(&mut net, ChannelKind::Binary, false);
    let high = channel(&mut net, ChannelKind::Broadcast, false);
    edge(&mut net, 0, 0, 1, send(low));
    edge(&mut net, 1, 0, 1, receive(low));
    edge(&mut net, 0, 0, 1, send(high));
    edge(&mut net, 2, 0, 1, receive(high));
    edge(&mut net, 3, 0, 1, Sync::Internal);
    net.internal_priority = 1;
    net.channels[high.index()].priority = 2;
    net.processes[1].priority = 7;
    assert_eq!(reachable(&net), "0000 1010 1011");
    // Levels of processes decide between equal channels, the highest counts.
    (net.channels[low.index()].priority, net.channels[high.index()].priority) = (1, 1);
    assert_eq!(reachable(&net), "0000 1100 1101");
    net.processes[3].priority = 8;
    assert_eq!(reachable(&net), "0000 0001 1101");
    // An element of an array has its own level.
    net.processes[0].edges[0].sync = Sync::Send(picked(low, 1, Expr::Const(0)));
    net.channels[low.index()].priority = 3;
    assert_eq!(reachable(&net), "0000 1100 1101");
}

#[test]
fn deadlocks_are_what_priorities_leave() {
    let stuck = |net: &Network, formula: Formula| {
        explore_with(net, &[Formula::And(vec![Formula::Deadlock(true), formula])], 1000).unwrap().asked[0].met
    };
    let mut net = network(1, &[], &[2, 2]);
    edge(&mut net, 0, 0, 0, Sync::Internal);
    edge(&mut net, 1, 0, 1, Sync::Internal).guard.clocks = vec![clock(0, Ge, 1)];
    let left = || Formula::Discrete(Expr::At(ProcessId(1), LocationId(1)));
    assert!(!stuck(&net, Formula::And(Vec::new())), "the loop is always possible");
    net.processes[0].edges[0].guard.discrete =
        vec![Expr::Not(Box::new(Expr::At(ProcessId(1), LocationId(1))))];
    assert!(stuck(&net, left()));
    net.processes[0].priority = 1;
    assert!(!stuck(&net, Formula::And(Vec::new())), "the loop keeps the other one from moving");
    net.processes[0].edges[0].guard.clocks = vec![clock(0, Le, 5)];
    assert!(stuck(&net, left()));
}
