//! Expressions at the edges of 32 bits, and updates with locals.

mod common;

use common::*;
use dwell_model::expr::{BinaryOp, BinaryOp::*, Expr, Place, RuntimeErrorKind, RuntimeErrorKind::*, Stmt};
use dwell_model::{OutOfRange, Span, Sync, VarId};
use dwell_oracle::{Rational, State, eval, step};

fn compute(op: BinaryOp, left: i32, right: i32) -> Result<i32, RuntimeErrorKind> {
    eval::value(&binary(op, Expr::Const(left), Expr::Const(right)), &[], &[]).map_err(|e| e.kind)
}

#[test]
fn arithmetic_is_exact_or_an_error() {
    assert_eq!(compute(Add, i32::MAX, 1), Err(Overflow));
    assert_eq!(compute(Sub, i32::MIN, 1), Err(Overflow));
    assert_eq!(compute(Mul, 1 << 16, 1 << 15), Err(Overflow));
    assert_eq!(compute(Div, i32::MIN, -1), Err(Overflow));
    assert_eq!(compute(Rem, i32::MIN, -1), Ok(0));
    assert_eq!(compute(Div, -7, 2), Ok(-3));
    assert_eq!(compute(Rem, -7, 2), Ok(-1));
    assert_eq!(compute(Rem, 7, -2), Ok(1));
    assert_eq!(compute(Div, 1, 0), Err(DivisionByZero));
    assert_eq!(compute(Rem, 1, 0), Err(DivisionByZero));
    let least = Expr::Neg(Box::new(Expr::Const(i32::MIN)), Span::default());
    assert_eq!(eval::value(&least, &[], &[]).unwrap_err().kind, Overflow);
}

#[test]
fn one_side_decides_alone() {
    let fails = binary(Div, Expr::Const(1), Expr::Const(0));
    let not_reached = Expr::And(Box::new(Expr::Const(0)), Box::new(fails.clone()));
    assert_eq!(eval::value(&not_reached, &[], &[]), Ok(0));
    let both = Expr::And(Box::new(Expr::Const(2)), Box::new(Expr::Const(3)));
    assert_eq!(eval::value(&both, &[], &[]), Ok(1));
    let choice = |c| Expr::IfThenElse(Expr::Const(c).into(), Expr::Const(5).into(), fails.clone().into());
    assert_eq!(eval::value(&choice(-1), &[], &[]), Ok(5));
    assert!(eval::value(&choice(0), &[], &[]).is_err());
    assert_eq!(eval::all_true(&[Expr::Const(0), fails.clone()], &[]), Ok(false));
    assert!(eval::all_true(&[Expr::Const(1), fails], &[]).is_err());
}

#[test]
fn indices_are_checked() {
    let element = |index| Expr::Element {
        first: VarId(1),
        len: 2,
        index: Box::new(Expr::Const(index)),
        span: Span::default(),
    };
    let vars = [7, 8, 9, 10];
    assert_eq!(eval::value(&element(0), &vars, &[]), Ok(8));
    assert_eq!(eval::value(&element(1), &vars, &[]), Ok(9));
    for index in [-1, 2] {
        assert_eq!(eval::value(&element(index), &vars, &[]).unwrap_err().kind, BadIndex { index, len: 2 });
    }
}

#[test]
fn loops_and_local_arrays_compute() {
    // i = 0; while i < 4 { squares[i] = i * i; sum = sum + squares[i]; i = i + 1 }
    let mut net = network(0, &[(0, 100, 0)], &[1]);
    net.out_of_range = OutOfRange::Error;
    let span = Span::default();
    let i = || Expr::Local(0);
    let set = |place, value| Stmt::Assign { place, value, span };
    let body = vec![
        set(Place::LocalElement { first: 1, len: 4, index: i(), span }, binary(Mul, i(), i())),
        assign(0, binary(Add, var(0), Expr::LocalElement { first: 1, len: 4, index: Box::new(i()), span })),
        set(Place::Local(0), binary(Add, i(), Expr::Const(1))),
    ];
    let update = &mut edge(&mut net, 0, 0, 0, Sync::Internal).update;
    update.locals = 5;
    update.body = vec![Stmt::While { condition: binary(Lt, i(), Expr::Const(4)), body, span }];
    let discrete = step::initial(&net).remove(0);
    let start = State { discrete, clocks: Vec::<Rational>::new() };
    let end = step::fire(&net, &start, &participants(&[(0, 0)])).unwrap();
    assert_eq!(end.discrete.vars, [14]);
    // Locals start at zero again.
    let end = step::fire(&net, &end, &participants(&[(0, 0)])).unwrap();
    assert_eq!(end.discrete.vars, [28]);
}
