//! Expressions at the edges of 32 bits, and updates with locals.

mod common;

use common::*;
use dwell_model::expr::{BinaryOp, BinaryOp::*, Expr, Place, RuntimeErrorKind, RuntimeErrorKind::*, Stmt};
use dwell_model::{LocationId, Network, OutOfRange, ProcessId, Span, Sync, VarId};
use dwell_oracle::{Discrete, Rational, State, eval, step};

/// The value of an expression over these variables.
fn value(expr: &Expr, vars: &[i32]) -> Result<i32, RuntimeErrorKind> {
    let at = Discrete { locations: Vec::new(), vars: vars.to_vec() };
    eval::value(&Network::default(), expr, &at).map_err(|e| e.kind)
}

fn compute(op: BinaryOp, left: i32, right: i32) -> Result<i32, RuntimeErrorKind> {
    value(&binary(op, Expr::Const(left), Expr::Const(right)), &[])
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
    assert_eq!(value(&least, &[]), Err(Overflow));
}

#[test]
fn one_side_decides_alone() {
    let fails = binary(Div, Expr::Const(1), Expr::Const(0));
    let not_reached = Expr::And(Box::new(Expr::Const(0)), Box::new(fails.clone()));
    assert_eq!(value(&not_reached, &[]), Ok(0));
    let both = Expr::And(Box::new(Expr::Const(2)), Box::new(Expr::Const(3)));
    assert_eq!(value(&both, &[]), Ok(1));
    let choice = |c| Expr::IfThenElse(Expr::Const(c).into(), Expr::Const(5).into(), fails.clone().into());
    assert_eq!(value(&choice(-1), &[]), Ok(5));
    assert!(value(&choice(0), &[]).is_err());
    let either = |left| Expr::Or(Box::new(Expr::Const(left)), Box::new(fails.clone()));
    assert_eq!(value(&either(-4), &[]), Ok(1));
    assert!(value(&either(0), &[]).is_err());
    let (net, at) = (Network::default(), Discrete { locations: Vec::new(), vars: Vec::new() });
    assert_eq!(eval::all_true(&net, &[Expr::Const(0), fails.clone()], &at), Ok(false));
    assert!(eval::all_true(&net, &[Expr::Const(1), fails.clone()], &at).is_err());
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
    assert_eq!(value(&element(0), &vars), Ok(8));
    assert_eq!(value(&element(1), &vars), Ok(9));
    for index in [-1, 2] {
        assert_eq!(value(&element(index), &vars), Err(BadIndex { index, low: 0, len: 2 }));
    }
}

#[test]
fn bits_powers_and_extremes() {
    assert_eq!(compute(BitAnd, -4, 7), Ok(4));
    assert_eq!(compute(BitOr, -4, 3), Ok(-1));
    assert_eq!(compute(BitXor, -1, i32::MAX), Ok(i32::MIN));
    assert_eq!(compute(Shl, 3, 30), Ok(-1 << 30), "bits leave at the top");
    assert_eq!(compute(Shl, -1, 31), Ok(i32::MIN));
    assert_eq!(compute(Shr, -5, 1), Ok(-3), "the sign is kept");
    assert_eq!(compute(Shr, i32::MIN, 31), Ok(-1));
    for (op, count) in [(Shl, -1), (Shl, 32), (Shr, -1), (Shr, 32)] {
        assert_eq!(compute(op, 1, count), Err(BadShift { count }));
    }
    assert_eq!((compute(Min, -3, 2), compute(Max, -3, 2)), (Ok(-3), Ok(2)));
    assert_eq!((compute(Pow, 3, 4), compute(Pow, 0, 0), compute(Pow, -2, 31)), (Ok(81), Ok(1), Ok(i32::MIN)));
    assert_eq!((compute(Pow, 2, 31), compute(Pow, 46341, 2)), (Err(Overflow), Err(Overflow)));
    assert_eq!(compute(Pow, 2, -1), Err(NegativeExponent));
    // Powers that do not grow, with exponents nobody should count to.
    assert_eq!((compute(Pow, 1, i32::MAX), compute(Pow, 0, i32::MAX)), (Ok(1), Ok(0)));
    assert_eq!((compute(Pow, -1, i32::MAX), compute(Pow, -1, i32::MAX - 1)), (Ok(-1), Ok(1)));
}

#[test]
fn lower_bounds_and_ranges_are_checked() {
    let span = Span::default();
    let index = |i| Expr::Index { index: Box::new(Expr::Const(i)), low: -2, len: 3, span };
    assert_eq!([-2, 0].map(|i| value(&index(i), &[])), [Ok(0), Ok(2)]);
    for i in [-3, 1, i32::MIN, i32::MAX] {
        assert_eq!(value(&index(i), &[]), Err(BadIndex { index: i, low: -2, len: 3 }));
    }
    let checked = |v| Expr::Checked { value: Box::new(Expr::Const(v)), min: -1, max: 4, span };
    assert_eq!([-1, 4].map(|v| value(&checked(v), &[])), [Ok(-1), Ok(4)]);
    assert_eq!(value(&checked(5), &[]), Err(ValueOutOfRange { value: 5, min: -1, max: 4 }));
}

#[test]
fn locations_are_looked_at() {
    let at = Discrete { locations: vec![LocationId(2), LocationId(0)], vars: Vec::new() };
    let is_at = |p, l| eval::value(&Network::default(), &Expr::At(ProcessId(p), LocationId(l)), &at).unwrap();
    assert_eq!([is_at(0, 2), is_at(0, 0), is_at(1, 0)], [1, 0, 1]);
}

#[test]
fn loops_and_local_arrays_compute() {
    // i = 0; while i < 4 { squares[i] = i * i; sum = sum + squares[i]; i = i + 1 }
    let mut net = network(0, &[(0, 100, 0)], &[1]);
    net.out_of_range = OutOfRange::Error;
    let span = Span::default();
    let i = || Expr::Local(0);
    let square = Place::LocalElement { first: 1, len: 4, index: i(), span };
    let body = vec![
        Stmt::Assign { place: square, value: binary(Mul, i(), i()), span },
        assign(0, binary(Add, var(0), Expr::LocalElement { first: 1, len: 4, index: Box::new(i()), span })),
        set(0, binary(Add, i(), Expr::Const(1))),
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
