//! Regions on networks small enough to know the answer, each also explored
//! by sampled time.

mod common;

use common::*;
use dwell_model::expr::{BinaryOp, ClockConstraint, Expr, Relation::*, RuntimeErrorKind, Stmt};
use dwell_model::{ChannelKind, EventId, LabelId, LocationKind, OutOfRange, ProcessId, Span};
use dwell_model::{Strength, Sync, SyncMember, SyncVector};
use dwell_oracle::{ExploreError, Unsupported, explore};

#[test]
fn strict_bounds_leave_room_between_whole_numbers_only() {
    for (low, high, passes) in [(1, 2, true), (1, 1, false), (0, 1, true)] {
        let mut net = network(1, &[], &[2]);
        edge(&mut net, 0, 0, 1, Sync::Internal).guard.clocks = vec![clock(0, Gt, low), clock(0, Lt, high)];
        assert_eq!(reachable(&net), if passes { "0 1" } else { "0" });
    }
}

#[test]
fn fractions_keep_their_order_across_resets() {
    // y is reset strictly between 0 and 1 of x; then x reaches 1 before y does.
    let mut net = network(2, &[], &[4]);
    let first = edge(&mut net, 0, 0, 1, Sync::Internal);
    first.guard.clocks = vec![clock(0, Gt, 0), clock(0, Lt, 1)];
    first.update.body = vec![reset(1, 0)];
    edge(&mut net, 0, 1, 2, Sync::Internal).guard.clocks = vec![clock(0, Lt, 1), clock(1, Eq, 1)];
    edge(&mut net, 0, 1, 3, Sync::Internal).guard.clocks = vec![clock(0, Eq, 1), clock(1, Lt, 1)];
    assert_eq!(reachable(&net), "0 1 3");
}

#[test]
fn many_short_delays_fit_into_one_unit() {
    // Each round takes some time, and ten of them less than one unit: no fixed
    // sampling step would do without rearranging fractions.
    let mut net = network(2, &[(0, 10, 0)], &[2]);
    net.out_of_range = OutOfRange::Disable;
    let round = edge(&mut net, 0, 0, 0, Sync::Internal);
    round.guard.clocks = vec![clock(0, Gt, 0), clock(1, Lt, 1)];
    round.update.body = vec![reset(0, 0), add(0, 1)];
    let last = edge(&mut net, 0, 0, 1, Sync::Internal);
    last.guard.discrete = vec![binary(BinaryOp::Eq, var(0), Expr::Const(10))];
    assert!(reachable(&net).ends_with("1:10"));
}

#[test]
fn invariants_stop_time_and_forbid_entry() {
    let mut net = network(1, &[], &[3]);
    net.processes[0].locations[0].invariant.clocks = vec![clock(0, Le, 2)];
    net.processes[0].locations[2].invariant.clocks = vec![clock(0, Ge, 3)];
    edge(&mut net, 0, 0, 1, Sync::Internal).guard.clocks = vec![clock(0, Gt, 2)];
    edge(&mut net, 0, 0, 2, Sync::Internal);
    assert_eq!(reachable(&net), "0");
    net.processes[0].locations[0].invariant.clocks = vec![clock(0, Gt, 0)];
    assert_eq!(reachable(&net), "", "no initial state");
    assert!(!explore(&net, 10).unwrap().reaches_labels(&[]));
}

#[test]
fn assigned_values_copies_and_shifts_are_exact() {
    let mut net = network(2, &[], &[5]);
    let copy = edge(&mut net, 0, 0, 1, Sync::Internal);
    copy.guard.clocks = vec![clock(0, Gt, 0), clock(0, Lt, 1)];
    copy.update.body = vec![shift(1, 0, 1), reset(0, 2)];
    // Now x = 2 and 1 < y < 2: y reaches 2 before x reaches 3.
    edge(&mut net, 0, 1, 2, Sync::Internal).guard.clocks = vec![clock(1, Eq, 2), clock(0, Lt, 3)];
    edge(&mut net, 0, 1, 3, Sync::Internal).guard.clocks = vec![clock(1, Eq, 2), clock(0, Ge, 3)];
    let far = edge(&mut net, 0, 2, 2, Sync::Internal);
    far.update.body = vec![shift(1, 1, 1)];
    edge(&mut net, 0, 2, 4, Sync::Internal).guard.clocks = vec![clock(1, Gt, 3), clock(0, Lt, 3)];
    assert_eq!(reachable(&net), "0 1 2 4");
}

#[test]
fn urgent_channels_stop_time_only_while_enabled() {
    for kind in [ChannelKind::Binary, ChannelKind::Broadcast] {
        let mut net = network(1, &[(0, 1, 0)], &[2, 2, 2]);
        let c = channel(&mut net, kind, true);
        edge(&mut net, 0, 0, 1, send(c));
        edge(&mut net, 1, 0, 1, receive(c)).guard.discrete = vec![var(0)];
        edge(&mut net, 2, 0, 1, Sync::Internal).guard.clocks = vec![clock(0, Ge, 1)];
        let expected = match kind {
            // Nobody listens, time passes.
            ChannelKind::Binary => "000:0 001:0",
            // Nobody needs to listen: once the sender has gone, time passes.
            ChannelKind::Broadcast => "000:0 100:0 101:0",
        };
        assert_eq!(reachable(&net), expected, "{kind:?}");
    }
}

#[test]
fn broadcasts_take_every_willing_process_once() {
    let mut net = network(0, &[(0, 1, 0)], &[2, 3, 2]);
    let c = channel(&mut net, ChannelKind::Broadcast, false);
    edge(&mut net, 0, 0, 1, send(c));
    edge(&mut net, 1, 0, 1, receive(c));
    edge(&mut net, 1, 0, 2, receive(c));
    edge(&mut net, 2, 0, 1, receive(c)).guard.discrete = vec![var(0)];
    assert_eq!(reachable(&net), "000:0 110:0 120:0");
}

#[test]
fn vectors_need_strong_members_and_skip_weak_ones() {
    let mut net = network(0, &[], &[2, 2, 2]);
    let member = |p, e, strength| SyncMember { process: ProcessId(p), event: EventId(e), strength };
    let members =
        vec![member(1, 1, Strength::Strong), member(0, 1, Strength::Weak), member(2, 2, Strength::Weak)];
    net.vectors = vec![SyncVector { members }];
    for (process, event) in [(0, 1), (1, 1)] {
        edge(&mut net, process, 0, 1, Sync::Vector).event = EventId(event);
    }
    assert_eq!(reachable(&net), "000 110", "no edge with the event: skipped");
    edge(&mut net, 2, 0, 1, Sync::Vector).event = EventId(2);
    net.processes[2].edges[0].guard.discrete = vec![Expr::Const(0)];
    assert_eq!(reachable(&net), "000", "an edge with a false guard blocks");
    net.processes[1].edges.clear();
    assert_eq!(reachable(&net), "000", "a strong member is missing");
}

#[test]
fn committed_locations_are_left_first_and_without_delay() {
    let mut net = network(1, &[], &[2, 2]);
    net.processes[0].locations[0].kind = LocationKind::Committed;
    edge(&mut net, 0, 0, 1, Sync::Internal);
    edge(&mut net, 1, 0, 1, Sync::Internal);
    assert_eq!(reachable(&net), "00 10 11");
    net.processes[0].edges[0].guard.clocks = vec![clock(0, Gt, 0)];
    assert_eq!(reachable(&net), "00");
    net.processes[0].locations[0].kind = LocationKind::Urgent;
    assert_eq!(reachable(&net), "00 01");
}

#[test]
fn out_of_range_disables_or_fails() {
    let mut net = network(0, &[(0, 1, 0)], &[1]);
    edge(&mut net, 0, 0, 0, Sync::Internal).update.body = vec![add(0, 1)];
    net.out_of_range = OutOfRange::Disable;
    assert_eq!(reachable(&net), "0:0 0:1");
    assert!(explore(&net, 10).unwrap().failure.is_none());
    net.out_of_range = OutOfRange::Error;
    let graph = explore(&net, 10).unwrap();
    let failure = graph.failure.unwrap();
    assert_eq!((failure.at.vars, failure.participants), (vec![1], participants(&[(0, 0)])));
    assert!(matches!(failure.error.kind, RuntimeErrorKind::OutOfRange { value: 2, .. }));
}

#[test]
fn an_endless_update_is_an_error() {
    let mut net = network(0, &[], &[1]);
    let endless = Stmt::While { condition: Expr::Const(1), body: Vec::new(), span: Span::default() };
    edge(&mut net, 0, 0, 0, Sync::Internal).update.body = vec![endless];
    assert_eq!(explore(&net, 10).unwrap().failure.unwrap().error.kind, RuntimeErrorKind::Endless);
}

#[test]
fn clocks_start_where_they_are_told() {
    let mut net = network(2, &[], &[4]);
    net.clocks[0].init = 3;
    edge(&mut net, 0, 0, 1, Sync::Internal).guard.clocks = vec![clock(0, Eq, 3), clock(1, Eq, 0)];
    edge(&mut net, 0, 0, 2, Sync::Internal).guard.clocks = vec![clock(0, Lt, 3)];
    edge(&mut net, 0, 0, 3, Sync::Internal).guard.clocks = vec![clock(0, Eq, 4), clock(1, Lt, 1)];
    assert_eq!(reachable(&net), "0 1");
}

#[test]
fn conditions_switch_clock_constraints_off() {
    // Invariant: x <= 2 where v0; v1 is zero, so that the bound fails to evaluate.
    let mut net = network(1, &[(0, 1, 1), (0, 1, 0)], &[2]);
    let when = |constraint, condition| ClockConstraint { when: Some(condition), ..constraint };
    net.processes[0].locations[0].invariant.clocks = vec![when(clock(0, Le, 2), var(0))];
    edge(&mut net, 0, 0, 1, Sync::Internal).guard.clocks = vec![clock(0, Gt, 2)];
    assert_eq!(reachable(&net), "0:1,0");
    net.vars[0].init = 0;
    assert_eq!(reachable(&net), "0:0,0 1:0,0");
    let fails = clock_expr(0, Le, binary(BinaryOp::Div, Expr::Const(1), var(1)));
    net.processes[0].locations[0].invariant.clocks = vec![when(fails.clone(), var(0))];
    assert_eq!(reachable(&net), "0:0,0 1:0,0");
    assert!(explore(&net, 100).unwrap().failure.is_none());
    net.processes[0].locations[0].invariant.clocks = vec![when(fails, binary(BinaryOp::Eq, var(0), var(1)))];
    assert!(explore(&net, 100).unwrap().failure.is_some());
}

#[test]
fn bounds_are_computed_by_functions_and_sequences() {
    // f(n) = 2 n, at most 6; g copies x to y.
    let mut net = network(2, &[(0, 3, 2)], &[3]);
    let double = function(&mut net, 1, 1, |p| {
        vec![Stmt::Return(Some(binary(BinaryOp::Mul, Expr::Local(p), Expr::Const(2))))]
    });
    (net.functions[0].min, net.functions[0].max) = (0, 6);
    let copy = function(&mut net, 0, 0, |_| vec![shift(1, 0, 0)]);
    let first = edge(&mut net, 0, 0, 1, Sync::Internal);
    first.guard.clocks = vec![clock_expr(0, Gt, call(double, vec![var(0)])), clock(0, Lt, 5)];
    first.update.body = vec![Stmt::Eval(call(copy, Vec::new())), reset(0, 0)];
    // y is a little more than 4: it is 6 before x is 2.
    let local = Expr::Seq(vec![set(0, Expr::Const(6))], Box::new(Expr::Local(0)));
    let six = Expr::Checked { value: Box::new(local.clone()), min: 0, max: 9, span: Span::default() };
    edge(&mut net, 0, 1, 2, Sync::Internal).guard.clocks = vec![clock(0, Lt, 2), clock_expr(1, Eq, six)];
    assert_eq!(reachable(&net), "0:2 1:2 2:2");
    net.processes[0].edges[1].guard.clocks[1].bound = local;
    let refused = explore(&net, 1000).unwrap_err();
    assert!(matches!(refused, ExploreError::Unsupported(Unsupported::LocalInBound { .. })));
}

#[test]
fn limits_differences_and_labels() {
    let mut net = network(2, &[(0, 3, 2)], &[2]);
    edge(&mut net, 0, 0, 1, Sync::Internal).guard.clocks = vec![clock_expr(0, Ge, var(0))];
    label(&mut net, 0, 1);
    assert!(explore(&net, 1000).unwrap().reaches_labels(&[LabelId(0)]));
    assert_eq!(explore(&net, 3).unwrap_err(), ExploreError::Limit { states: 3 });
    net.processes[0].edges[0].guard.clocks[0].minus = Some(fixed(1));
    let refused = explore(&net, 1000).unwrap_err();
    assert!(matches!(refused, ExploreError::Unsupported(Unsupported::Diagonal { .. })));
}
