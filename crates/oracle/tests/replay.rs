//! Replay accepts runs and says precisely why it refuses others.

mod common;

use common::*;
use dwell_model::expr::{BinaryOp, ClockRef, Expr, Relation::*, RuntimeErrorKind, Stmt};
use dwell_model::{
    ChannelKind, ClockId, EdgeId, LabelId, LocationId, LocationKind, Network, OutOfRange, ProcessId,
};
use dwell_model::{Span, Sync};
use dwell_oracle::{Rational, Replay, ReplayFault, Step, replay};

/// The fault of the last step; the others must be possible.
fn fault(network: &Network, steps: &[Step]) -> ReplayFault {
    let start = vec![LocationId(0); network.processes.len()];
    let error = replay(network, &start, steps).unwrap_err();
    assert_eq!(error.step, Some(steps.len() - 1), "{error}");
    error.fault
}

#[test]
fn clock_values_are_exact() {
    let mut net = network(2, &[], &[3]);
    label(&mut net, 0, 2);
    edge(&mut net, 0, 0, 1, Sync::Internal).update.body = vec![reset(0, 0), shift(1, 1, 2)];
    let mut last = clock(1, Gt, 1);
    last.minus = Some(ClockRef::Fixed(ClockId(0)));
    edge(&mut net, 0, 1, 2, Sync::Internal).guard.clocks = vec![last, clock(0, Eq, 1)];
    let steps = [step("1/3", &[(0, 0)]), step("1", &[(0, 1)]), step("2/3", &[])];
    let states = replay(&net, &[LocationId(0)], &steps).unwrap();
    let values: Vec<String> = states
        .iter()
        .map(|s| s.clocks.iter().map(Rational::to_string).collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(values, ["0 0", "0 7/3", "1 10/3", "5/3 4"]);
    assert_eq!(
        fault(&net, &[step("1/3", &[(0, 0)]), step("999/1000", &[(0, 1)])]),
        ReplayFault::GuardFalse(ProcessId(0), EdgeId(1))
    );
    let mut run = Replay::start(&net, &[LocationId(0)]).unwrap();
    for taken in &steps {
        assert!(run.step(taken).is_ok());
    }
    assert!(run.ends_with_labels(&[LabelId(0)]));
}

#[test]
fn delays_are_checked() {
    let mut net = network(1, &[], &[2, 2]);
    net.processes[0].locations[0].invariant.clocks = vec![clock(0, Lt, 1)];
    edge(&mut net, 0, 0, 1, Sync::Internal);
    assert_eq!(fault(&net, &[step("1", &[])]), ReplayFault::InvariantAfterDelay(ProcessId(0)));
    assert_eq!(fault(&net, &[step("-1/2", &[])]), ReplayFault::NegativeDelay);
    net.processes[0].locations[1].kind = LocationKind::Urgent;
    let late = fault(&net, &[step("1/2", &[(0, 0)]), step("1/2", &[])]);
    assert_eq!(late, ReplayFault::UrgentLocation(ProcessId(0)));
    let c = channel(&mut net, ChannelKind::Binary, true);
    edge(&mut net, 0, 0, 1, send(c));
    edge(&mut net, 1, 0, 1, receive(c));
    assert_eq!(fault(&net, &[step("1/2", &[])]), ReplayFault::UrgentChannel(c));
    assert!(replay(&net, &[LocationId(0); 2], &[step("0", &[(0, 1), (1, 0)])]).is_ok());
}

#[test]
fn participants_must_form_a_transition() {
    let mut net = network(0, &[(0, 1, 0)], &[2, 2, 2]);
    let pair = channel(&mut net, ChannelKind::Binary, false);
    let cast = channel(&mut net, ChannelKind::Broadcast, false);
    edge(&mut net, 0, 0, 1, send(pair));
    edge(&mut net, 0, 0, 1, send(cast));
    edge(&mut net, 0, 1, 1, Sync::Internal);
    for process in [1, 2] {
        edge(&mut net, process, 0, 1, receive(pair));
        edge(&mut net, process, 0, 1, receive(cast));
    }
    net.processes[2].edges[1].guard.discrete = vec![binary(BinaryOp::Eq, var(0), Expr::Const(0))];
    let of = |list: &[(u32, u32)]| fault(&net, &[step("0", list)]);
    let is_malformed = |list: &[(u32, u32)]| matches!(of(list), ReplayFault::NoTransition(_));
    assert!(is_malformed(&[(0, 0)]) && is_malformed(&[(1, 0), (0, 0)]) && is_malformed(&[(0, 0), (1, 1)]));
    assert!(is_malformed(&[(0, 0), (1, 0), (2, 0)]) && is_malformed(&[(0, 1), (2, 1), (1, 1)]));
    assert_eq!(of(&[(0, 1), (1, 1)]), ReplayFault::ReceiverLeftOut(ProcessId(2)));
    assert_eq!(of(&[(0, 2)]), ReplayFault::NotAtSource(ProcessId(0), EdgeId(2)));
    assert_eq!(of(&[(0, 1), (0, 0)]), ReplayFault::ProcessTwice(ProcessId(0)));
    assert_eq!(of(&[(0, 9)]), ReplayFault::NoSuchEdge(ProcessId(0), EdgeId(9)));
    assert_eq!(of(&[(7, 0)]), ReplayFault::NoSuchEdge(ProcessId(7), EdgeId(0)));
    assert!(replay(&net, &[LocationId(0); 3], &[step("0", &[(0, 1), (1, 1), (2, 1)])]).is_ok());
    net.processes[2].locations[0].kind = LocationKind::Committed;
    assert_eq!(fault(&net, &[step("0", &[(0, 0), (1, 0)])]), ReplayFault::CommittedNotLeft);
}

#[test]
fn updates_run_in_order_and_their_errors_are_faults() {
    let mut net = network(1, &[(0, 9, 1), (0, 1, 0)], &[2, 2]);
    let c = channel(&mut net, ChannelKind::Binary, false);
    let double = assign(0, binary(BinaryOp::Mul, var(0), Expr::Const(2)));
    edge(&mut net, 0, 0, 1, send(c)).update.body = vec![add(0, 3)];
    edge(&mut net, 1, 0, 1, receive(c)).update.body = vec![double];
    edge(&mut net, 0, 1, 1, Sync::Internal).update.body = vec![add(0, 3)];
    let negative = Expr::Neg(Box::new(var(0)), Span::default());
    let set = Stmt::Reset { clock: fixed(0), from: Some(fixed(0)), value: negative, span: Span::default() };
    edge(&mut net, 0, 1, 1, Sync::Internal).update.body = vec![set];
    edge(&mut net, 0, 1, 0, Sync::Internal).guard.discrete =
        vec![binary(BinaryOp::Div, Expr::Const(1), var(1))];
    let both = step("0", &[(0, 0), (1, 0)]);
    let states = replay(&net, &[LocationId(0); 2], std::slice::from_ref(&both)).unwrap();
    assert_eq!(states[1].discrete.vars, [8, 0], "sender first");
    let error = |net: &Network, edge| match fault(net, &[both.clone(), step("0", &[(0, edge)])]) {
        ReplayFault::RuntimeError(error) => error.kind,
        other => panic!("{other}"),
    };
    assert!(matches!(error(&net, 1), RuntimeErrorKind::OutOfRange { value: 11, .. }));
    assert_eq!(error(&net, 2), RuntimeErrorKind::NegativeClock { value: -8 });
    assert_eq!(error(&net, 3), RuntimeErrorKind::DivisionByZero);
    net.out_of_range = OutOfRange::Disable;
    let last = fault(&net, &[both, step("0", &[(0, 1)])]);
    assert!(matches!(last, ReplayFault::OutOfRange { value: 11, .. }));
}

#[test]
fn starts_are_checked() {
    let mut net = network(1, &[], &[2]);
    let of = |net: &Network, start: &[LocationId]| {
        let error = Replay::start(net, start).unwrap_err();
        assert_eq!(error.step, None);
        error.fault
    };
    assert_eq!(of(&net, &[]), ReplayFault::WrongLocationCount(0));
    assert_eq!(of(&net, &[LocationId(1)]), ReplayFault::NotInitial(ProcessId(0)));
    net.processes[0].locations[0].invariant.clocks = vec![clock(0, Gt, 0)];
    assert_eq!(of(&net, &[LocationId(0)]), ReplayFault::InvariantAtStart(ProcessId(0)));
}
