use crate::code::{Code, CodeRef, Op, compile};
use crate::expr::{BinaryOp, Expr, Place, Program, Stmt};
use crate::{Network, Span, Var, VarId};

/// Two bits and a number from 0 to 9.
fn network() -> Network {
    let var = |max| Var { min: 0, max, ..Var::default() };
    Network { vars: vec![var(1), var(1), var(9)], locals: 2, ..Network::default() }
}

fn code(body: Vec<Stmt>) -> (Code, CodeRef) {
    let mut compiler = compile(&network());
    let entry = compiler.program(&Program { locals: 2, body }).expect("something to do");
    (compiler.finish(), entry)
}

fn ops(body: Vec<Stmt>) -> Vec<Op> {
    let (code, entry) = code(body);
    code.ops[entry.0 as usize..].to_vec()
}

fn var(number: u32) -> Expr {
    Expr::Var(VarId(number))
}

fn binary(op: BinaryOp, left: Expr, right: i32) -> Expr {
    Expr::Binary(op, Box::new(left), Box::new(Expr::Const(right)), Span::default())
}

fn set(number: u32, value: Expr) -> Stmt {
    Stmt::Assign { place: Place::Var(VarId(number)), value, span: Span::default() }
}

fn local(number: u32, value: Expr) -> Stmt {
    Stmt::Assign { place: Place::Local(number), value, span: Span::default() }
}

const END: Op = Op::ReturnConst { value: 1 };

#[test]
fn values_in_range_are_not_checked() {
    assert_eq!(ops(vec![set(0, var(1))]), [Op::Move { dst: 0, src: 1 }, END]);
    assert_eq!(ops(vec![set(2, Expr::Const(9))]), [Op::Const { dst: 2, value: 9 }, END]);
    let too_much = ops(vec![set(2, Expr::Const(10))]);
    assert!(matches!(too_much[..], [Op::Const { .. }, Op::Store { var: 2, .. }]), "{too_much:?}");
}

#[test]
fn a_guard_tells_the_range_inside() {
    let more = |limit| {
        let then = vec![set(2, binary(BinaryOp::Add, var(2), 1))];
        let condition = binary(BinaryOp::Lt, var(2), limit);
        ops(vec![Stmt::If { condition, then, otherwise: Vec::new() }])
    };
    let checked = |ops: &[Op]| ops.iter().any(|op| matches!(op, Op::Store { .. }));
    assert!(!checked(&more(9)));
    assert!(checked(&more(10)), "9 + 1 does not fit");
}

#[test]
fn locals_nobody_reads_are_not_written() {
    let body = vec![local(0, Expr::Const(3)), local(1, Expr::Local(0)), set(0, var(1))];
    assert_eq!(ops(body), [Op::Move { dst: 0, src: 1 }, END]);
    let may_fail = vec![local(0, binary(BinaryOp::Div, Expr::Const(1), 0))];
    assert!(ops(may_fail).iter().any(|op| matches!(op, Op::BinaryConst { op: BinaryOp::Div, .. })));
}

#[test]
fn a_branch_over_two_moves_is_two_moves() {
    let then = vec![set(0, var(1)), set(1, Expr::Const(0))];
    let condition = binary(BinaryOp::Eq, var(0), 0);
    let found = ops(vec![Stmt::If { condition, then, otherwise: Vec::new() }]);
    let [Op::Test { dst, .. }, Op::MoveIf { when, .. }, Op::ConstIf { when: again, .. }, END] = found[..]
    else {
        panic!("{found:?}")
    };
    assert!(when == dst && again == dst);
}

#[test]
fn what_is_never_reached_goes() {
    let condition = binary(BinaryOp::Gt, var(2), 9);
    let then = vec![set(0, Expr::Const(1))];
    let body = vec![Stmt::If { condition, then, otherwise: vec![set(1, Expr::Const(1))] }];
    assert_eq!(ops(body), [Op::Const { dst: 1, value: 1 }, END]);
}

#[test]
fn nothing_is_known_in_a_loop() {
    let round = vec![set(2, var(0)), local(0, binary(BinaryOp::Add, Expr::Local(0), 1))];
    let condition = binary(BinaryOp::Lt, Expr::Local(0), 3);
    let found = ops(vec![Stmt::While { condition, body: round, span: Span::default() }]);
    assert!(found.iter().any(|op| matches!(op, Op::JumpUnless { op: BinaryOp::Lt, value: 3, .. })));
}
