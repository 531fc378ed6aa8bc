//! Properties of states, in regions, in sampled time and at the end of traces.

mod common;

use common::*;
use dwell_model::expr::{BinaryOp, Expr, Relation::*, RuntimeErrorKind};
use dwell_model::property::Formula;
use dwell_model::{LocationId, Network, Sync};
use dwell_oracle::{ExploreError, FormulaError, Replay, Step, Unsupported, explore, explore_with, ticks};

/// Whether each formula is met, by regions and by sampled time.
fn met<const N: usize>(network: &Network, formulas: [Formula; N]) -> [bool; N] {
    let graph = explore_with(network, &formulas, 100_000).unwrap();
    let sampled = ticks::explore_with(network, &formulas, 100_000).unwrap();
    let found = formulas.map(|formula| graph.reaches(&formula).unwrap());
    assert_eq!(found.to_vec(), sampled.met);
    assert_eq!(graph.asked.iter().map(|asked| asked.met).collect::<Vec<_>>(), found);
    found
}

/// From 0 to 1 no sooner than at x = 2, resetting y; there until x = 4.
fn timed() -> Network {
    let mut net = network(2, &[(0, 3, 1)], &[2]);
    net.processes[0].locations[1].invariant.clocks = vec![clock(0, Le, 4)];
    let taken = edge(&mut net, 0, 0, 1, Sync::Internal);
    taken.guard.clocks = vec![clock(0, Ge, 2)];
    taken.update.body = vec![reset(1, 0)];
    net
}

#[test]
fn clocks_in_conjunctions_and_disjunctions() {
    let early_or_late = some([is(clock(0, Lt, 2)), is(clock(1, Gt, 2))]);
    let late_at_last = all([is(clock(1, Ge, 2)), is(clock(0, Ge, 4))]);
    assert_eq!(
        met(
            &timed(),
            [
                all([at(1), early_or_late.clone()]),
                all([at(0), early_or_late]),
                all([at(1), late_at_last.clone()]),
                all([at(1), is(clock(1, Eq, 2)), is(clock(0, Lt, 4))]),
                some([all([at(1), is(clock(0, Gt, 4))]), all([at(0), is(clock(1, Lt, 0))])]),
                some([at(5), all([at(1), is(clock(1, Lt, 1)), is(clock(0, Gt, 3))])]),
            ]
        ),
        [false, true, true, false, false, true]
    );
    assert_eq!(met(&timed(), [Formula::And(Vec::new()), Formula::Or(Vec::new())]), [true, false]);
    assert_eq!(explore(&timed(), 1000).unwrap().reaches(&late_at_last), None, "was not asked");
}

#[test]
fn constants_of_formulas_are_covered() {
    // The network compares with 4 at most; y is copied to x in a function.
    let mut net = timed();
    let copy = function(&mut net, 0, 0, |_| vec![shift(0, 1, 0)]);
    let back = edge(&mut net, 0, 1, 0, Sync::Internal);
    back.update.body = vec![dwell_model::expr::Stmt::Eval(call(copy, Vec::new()))];
    let bound = |x, relation, v| Formula::Clock(clock_expr(x, relation, v));
    let nine = binary(BinaryOp::Mul, var(0), Expr::Const(9));
    assert_eq!(
        met(
            &net,
            [
                all([at(0), is(clock(0, Gt, 9)), is(clock(1, Eq, 10))]),
                all([at(1), is(clock(0, Gt, 9))]),
                all([bound(0, Ge, nine.clone()), bound(1, Lt, nine)]),
            ]
        ),
        [true, false, false]
    );
}

#[test]
fn errors_of_formulas_are_their_own() {
    let net = timed();
    let inverse = Formula::Discrete(binary(BinaryOp::Div, Expr::Const(1), Expr::Const(0)));
    let formulas = [all([at(1), inverse.clone()]), some([at(0), inverse])];
    let graph = explore_with(&net, &formulas, 1000).unwrap();
    assert!(graph.failure.is_none());
    let kinds: Vec<_> = graph.asked.iter().map(|asked| asked.error.as_ref().map(|e| &e.kind)).collect();
    assert_eq!(kinds, [Some(&RuntimeErrorKind::DivisionByZero), None]);
    assert_eq!(graph.asked.iter().map(|asked| asked.met).collect::<Vec<_>>(), [false, true]);
    let mut difference = clock(0, Gt, 1);
    difference.minus = Some(fixed(1));
    let refused = explore_with(&net, &[is(difference)], 1000).unwrap_err();
    assert!(matches!(refused, ExploreError::Unsupported(Unsupported::Diagonal { .. })));
}

#[test]
fn deadlocks_are_states_from_which_nothing_ever_moves() {
    let stuck = || Formula::Deadlock(true);
    let moves = || Formula::Deadlock(false);
    let asked =
        || [all([at(0), stuck()]), all([at(1), stuck()]), all([at(0), moves()]), all([at(1), moves()])];
    assert_eq!(met(&timed(), asked()), [true, true, true, false], "after x = 4 location 1 cannot be entered");
    let mut net = timed();
    net.processes[0].locations[0].invariant.clocks = vec![clock(0, Le, 4)];
    assert_eq!(met(&net, asked()), [false, true, true, false], "waiting helps at 0");
    // Back from 1 until x = 3: later there is no way out.
    edge(&mut net, 0, 1, 0, Sync::Internal).guard.clocks = vec![clock(0, Le, 3)];
    assert_eq!(met(&net, asked()), [false, true, true, true]);
    assert_eq!(met(&net, [all([at(1), stuck(), is(clock(0, Le, 3))])]), [false]);
    assert_eq!(met(&net, [all([at(1), stuck(), is(clock(0, Gt, 3))])]), [true]);
    // Waiting is of no help where an invariant or an urgent location ends it.
    net.processes[0].locations[0].invariant.clocks = vec![clock(0, Lt, 2)];
    assert_eq!(met(&net, asked()), [true, false, false, false]);
    net.processes[0].locations[0].kind = dwell_model::LocationKind::Urgent;
    net.processes[0].locations[0].invariant.clocks.clear();
    assert_eq!(met(&net, asked()), [true, false, false, false]);
}

#[test]
fn formulas_are_exact_where_a_trace_ends() {
    let mut net = timed();
    let mut run = Replay::start(&net, &[LocationId(0)]).unwrap();
    let step = Step { delay: "7/3".parse().unwrap(), participants: participants(&[(0, 0)]) };
    run.step(&step).unwrap();
    run.step(&Step { delay: "1/3".parse().unwrap(), participants: Vec::new() }).unwrap();
    // Now x = 8/3 and y = 1/3.
    let mut difference = clock(0, Gt, 2);
    difference.minus = Some(fixed(1));
    let holds = |formula: Formula| run.holds(&formula).unwrap();
    assert!(holds(all([at(1), is(difference.clone()), is(clock(0, Lt, 3)), is(clock(1, Gt, 0))])));
    assert!(holds(some([at(0), is(clock(0, Gt, 2))])));
    assert!(!holds(some([at(0), is(clock(0, Ge, 3))])));
    assert!(holds(Formula::Deadlock(true)) && !holds(Formula::Deadlock(false)));
    let inverse = Formula::Discrete(binary(BinaryOp::Div, Expr::Const(1), Expr::Const(0)));
    assert!(matches!(run.holds(&inverse), Err(FormulaError::RuntimeError(_))));
    // From here on regions see nothing: the network compares a difference.
    edge(&mut net, 0, 1, 1, Sync::Internal).guard.clocks = vec![difference];
    let mut run = Replay::start(&net, &[LocationId(0)]).unwrap();
    assert_eq!(run.holds(&at(0)), Ok(true));
    assert_eq!(run.holds(&Formula::Deadlock(true)), Ok(false));
    run.step(&step).unwrap();
    assert_eq!(run.holds(&Formula::Deadlock(true)), Ok(false), "x - y > 2");
}
