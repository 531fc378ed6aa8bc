//! Functions, side effects and the order in which they happen.

mod common;

use common::*;
use dwell_model::expr::{BinaryOp::*, Expr, MAX_CALL_DEPTH, Place, Program, RuntimeErrorKind as Kind, Stmt};
use dwell_model::{Network, OutOfRange, Span, Sync, VarId, VarKind};
use dwell_oracle::eval::{self, Refusal};
use dwell_oracle::{Rational, State, explore, step};

const SPAN: Span = Span { start: 0, end: 0 };

/// Runs statements from the initial state: the variables and clocks then.
fn run(network: &Network, body: Vec<Stmt>) -> Result<(Vec<i32>, Vec<Rational>), Refusal> {
    let discrete = step::initial(network).remove(0);
    let mut state = State { discrete, clocks: vec![Rational::ZERO; network.clocks.len()] };
    eval::run(network, &Program { locals: 0, body }, &mut state)?;
    Ok((state.discrete.vars, state.clocks))
}

fn error(network: &Network, body: Vec<Stmt>) -> Kind {
    match run(network, body) {
        Err(Refusal::Error(error)) => error.kind,
        other => panic!("{other:?}"),
    }
}

fn vars(network: &Network, body: Vec<Stmt>) -> Vec<i32> {
    run(network, body).unwrap().0
}

/// `v++`, which keeps the old value in a local.
fn increment(v: u32, local: u32) -> Expr {
    Expr::Seq(vec![set(local, var(v)), add(v, 1)], Box::new(Expr::Local(local)))
}

/// A network with the variables v0 = 5 and v1 = 0 and an array in the others,
/// some locals and a clock.
fn scratch() -> Network {
    let mut net = network(1, &[(-100, 100, 5), (-100, 100, 0), (0, 9, 0), (0, 9, 0), (0, 9, 0)], &[2]);
    net.locals = 4;
    net
}

#[test]
fn operands_are_evaluated_left_to_right() {
    let net = scratch();
    let result = |expr| vars(&net, vec![assign(1, expr)])[..2].to_vec();
    assert_eq!(result(binary(Add, increment(0, 0), increment(0, 1))), [7, 11], "5 + 6");
    assert_eq!(result(binary(Sub, increment(0, 0), increment(0, 1))), [7, -1], "5 - 6");
    assert_eq!(result(binary(Sub, var(0), increment(0, 0))), [6, 0], "the left side first");
    assert_eq!(result(binary(Sub, increment(0, 0), var(0))), [6, -1], "the right side last");
    let both = Expr::And(Box::new(binary(Lt, increment(0, 0), Expr::Const(0))), Box::new(increment(0, 1)));
    assert_eq!(result(both), [6, 0], "the right side not at all");
}

#[test]
fn indices_come_before_values_and_are_checked_first() {
    let net = scratch();
    let element = |index| Place::Element { first: VarId(2), len: 3, index, span: SPAN };
    let put = |index, value| Stmt::Assign { place: element(index), value, span: SPAN };
    // i = 1; a[i++] = i
    let body = vec![assign(1, Expr::Const(1)), put(increment(1, 0), var(1))];
    assert_eq!(vars(&net, body), [5, 2, 0, 2, 0]);
    // i = 1; a[i] = i++
    let body = vec![assign(1, Expr::Const(1)), put(var(1), increment(1, 0))];
    assert_eq!(vars(&net, body), [5, 2, 0, 1, 0]);
    let division = binary(Div, Expr::Const(1), Expr::Const(0));
    assert_eq!(error(&net, vec![put(Expr::Const(3), division)]), Kind::BadIndex { index: 3, low: 0, len: 3 });
    assert!(matches!(
        error(&net, vec![put(Expr::Const(0), Expr::Const(10))]),
        Kind::OutOfRange { value: 10, .. }
    ));
}

#[test]
fn arguments_are_evaluated_before_any_is_passed() {
    let mut net = scratch();
    // f(a, b) = 10 * a + b
    let digits = function(&mut net, 2, 2, |p| {
        let sum = binary(Add, binary(Mul, Expr::Const(10), Expr::Local(p)), Expr::Local(p + 1));
        vec![Stmt::Return(Some(sum))]
    });
    let f = |a, b| call(digits, vec![a, b]);
    assert_eq!(vars(&net, vec![assign(1, f(increment(0, 0), increment(0, 1)))])[..2], [7, 56]);
    // f(1, f(f(0, 2), 3)): the inner calls use the slots of the outer one.
    let inner = f(f(Expr::Const(0), Expr::Const(2)), Expr::Const(3));
    assert_eq!(vars(&net, vec![assign(1, f(Expr::Const(1), inner))])[1], 33);
}

#[test]
fn a_return_leaves_loops_and_the_rest() {
    let mut net = scratch();
    // The least d > 1 that divides n: for (d = 2; ; d++) { if (n % d == 0) return d; }
    let divisor = function(&mut net, 1, 2, |n| {
        let d = n + 1;
        let divides = binary(Eq, binary(Rem, Expr::Local(n), Expr::Local(d)), Expr::Const(0));
        let found = Stmt::If {
            condition: divides,
            then: vec![Stmt::Return(Some(Expr::Local(d))), add(0, 50)],
            otherwise: Vec::new(),
        };
        let next = set(d, binary(Add, Expr::Local(d), Expr::Const(1)));
        let search = Stmt::While { condition: Expr::Const(1), body: vec![found, next], span: SPAN };
        vec![set(d, Expr::Const(2)), search, add(0, 50)]
    });
    // Nothing is returned, early.
    let nothing = function(&mut net, 0, 0, |_| vec![add(1, 1), Stmt::Return(None), add(1, 10)]);
    let body = vec![
        assign(0, call(divisor, vec![Expr::Const(35)])),
        Stmt::Eval(call(nothing, Vec::new())),
        Stmt::Eval(call(nothing, Vec::new())),
    ];
    assert_eq!(vars(&net, body)[..2], [5, 2]);
    // Also out of the middle of an expression.
    let deep = Expr::Seq(vec![Stmt::Return(Some(Expr::Const(7)))], Box::new(Expr::Const(1)));
    let middle = function(&mut net, 0, 0, |_| vec![assign(0, binary(Add, Expr::Const(1), deep))]);
    assert_eq!(vars(&net, vec![assign(1, call(middle, Vec::new()))])[..2], [5, 7]);
}

#[test]
fn functions_write_variables_and_clocks() {
    let mut net = scratch();
    let both = function(&mut net, 1, 1, |p| {
        let set = Stmt::Reset { clock: fixed(0), from: None, value: Expr::Local(p), span: SPAN };
        vec![set, assign(0, Expr::Local(p)), Stmt::Return(Some(var(0)))]
    });
    let body = vec![assign(1, binary(Add, call(both, vec![Expr::Const(3)]), var(0)))];
    assert_eq!(run(&net, body), Ok((vec![3, 6, 0, 0, 0], vec![3.into()])));
    let negative = vec![Stmt::Eval(call(both, vec![Expr::Const(-3)]))];
    assert_eq!(error(&net, negative), Kind::NegativeClock { value: -3 });
    let large = vec![Stmt::Eval(call(both, vec![Expr::Const(101)]))];
    assert!(matches!(error(&net, large.clone()), Kind::OutOfRange { value: 101, .. }));
    net.out_of_range = OutOfRange::Disable;
    assert!(matches!(run(&net, large), Err(Refusal::OutOfRange { value: 101, .. })));
}

#[test]
fn asserts_and_checks_fail() {
    let net = scratch();
    let assert = |condition| vec![Stmt::Assert { condition, span: SPAN }];
    assert!(run(&net, assert(var(0))).is_ok());
    assert_eq!(error(&net, assert(var(1))), Kind::AssertionFailed);
    let checked = Expr::Checked { value: Box::new(var(0)), min: 0, max: 4, span: SPAN };
    assert_eq!(error(&net, vec![set(0, checked)]), Kind::ValueOutOfRange { value: 5, min: 0, max: 4 });
}

#[test]
fn calls_nest_as_deep_as_allowed() {
    let mut net = scratch();
    // f0(n) = n, f(n) of each next one is f(n + 1) of the one before.
    let mut last = function(&mut net, 1, 1, |p| vec![Stmt::Return(Some(Expr::Local(p)))]);
    for _ in 1..MAX_CALL_DEPTH {
        let before = last;
        last = function(&mut net, 1, 1, |p| {
            vec![Stmt::Return(Some(call(before, vec![binary(Add, Expr::Local(p), Expr::Const(1))])))]
        });
    }
    let body = vec![assign(1, binary(Div, call(last, vec![Expr::Const(1)]), Expr::Const(2)))];
    assert_eq!(vars(&net, body)[1], MAX_CALL_DEPTH as i32 / 2);
    let deeper = function(&mut net, 0, 0, |_| vec![Stmt::Eval(call(last, vec![Expr::Const(0)]))]);
    assert_eq!(error(&net, vec![Stmt::Eval(call(deeper, Vec::new()))]), Kind::Endless);
}

#[test]
fn calls_and_loops_count() {
    let mut net = scratch();
    // Each function calls the one before twice: 2^27 calls without any loop.
    let mut last = function(&mut net, 0, 0, |_| Vec::new());
    for _ in 0..27 {
        let before = last;
        last = function(&mut net, 0, 0, |_| vec![Stmt::Eval(call(before, Vec::new())); 2]);
    }
    assert_eq!(error(&net, vec![Stmt::Eval(call(last, Vec::new()))]), Kind::Endless);
    // Statements do not: a hundred of them a hundred thousand times are fine.
    let mut long = network(0, &[(0, 1, 0)], &[1]);
    long.locals = 1;
    let busy = function(&mut long, 0, 0, |_| vec![assign(0, Expr::Const(1)); 100]);
    let count = set(0, binary(Add, Expr::Local(0), Expr::Const(1)));
    let condition = binary(Lt, Expr::Local(0), Expr::Const(100_000));
    let body = vec![Stmt::Eval(call(busy, Vec::new())), count];
    assert!(run(&long, vec![Stmt::While { condition, body, span: SPAN }]).is_ok());
}

#[test]
fn guards_leave_no_trace() {
    let mut net = scratch();
    let writes = function(&mut net, 0, 0, |_| vec![add(0, 1), Stmt::Return(Some(var(0)))]);
    let taken = edge(&mut net, 0, 0, 1, Sync::Internal);
    // v0 is 5 in every conjunct, and afterwards.
    taken.guard.discrete = vec![binary(Eq, call(writes, Vec::new()), Expr::Const(6)); 2];
    assert_eq!(reachable(&net), "0:5,0,0,0,0 1:5,0,0,0,0");
}

#[test]
fn the_network_acts_around_the_participants() {
    // Each step appends a digit: before 1, sender 2, receiver 3, after 4.
    let mut net = network(0, &[(0, 99_999, 0)], &[2, 2]);
    let c = channel(&mut net, dwell_model::ChannelKind::Binary, false);
    let digit = |d| assign(0, binary(Add, binary(Mul, var(0), Expr::Const(10)), Expr::Const(d)));
    net.before_update.body = vec![digit(1)];
    net.after_update.body = vec![digit(4)];
    edge(&mut net, 0, 0, 1, send(c)).update.body = vec![digit(2)];
    edge(&mut net, 1, 0, 1, receive(c)).update.body = vec![digit(3)];
    assert_eq!(reachable(&net), "00:0 11:1234");
    // What happens around a step can fail or disable it.
    net.vars[0].max = 999;
    net.out_of_range = OutOfRange::Disable;
    assert_eq!(reachable(&net), "00:0");
    net.out_of_range = OutOfRange::Error;
    assert!(matches!(
        explore(&net, 10).unwrap().failure.unwrap().error.kind,
        Kind::OutOfRange { value: 1234, .. }
    ));
}

#[test]
fn meta_variables_live_for_one_transition() {
    // v1 is meta: the sender passes a value to the receiver through it.
    let mut net = network(0, &[(0, 9, 0), (0, 9, 2)], &[1, 1]);
    net.vars[1].kind = VarKind::Meta;
    let c = channel(&mut net, dwell_model::ChannelKind::Binary, false);
    edge(&mut net, 0, 0, 0, send(c)).update.body = vec![add(1, 3)];
    edge(&mut net, 1, 0, 0, receive(c)).update.body = vec![assign(0, var(1))];
    // Afterwards it has its initial value again, in guards and invariants too.
    let back = edge(&mut net, 1, 0, 0, Sync::Internal);
    back.guard.discrete = vec![binary(Eq, var(1), Expr::Const(2)), var(0)];
    back.update.body = vec![assign(0, Expr::Const(9)), assign(1, Expr::Const(8))];
    net.processes[0].locations[0].invariant.discrete = vec![binary(Eq, var(1), Expr::Const(2))];
    assert_eq!(reachable(&net), "00:0,2 00:5,2 00:9,2");
}
