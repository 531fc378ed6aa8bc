//! Updates whose live variables one can see.

use super::*;
use crate::expr::{BinaryOp, Expr, Function, Guard, Place, Program};
use crate::{Edge, EventId, FunctionId, Location, LocationId, Overflow, Span, Sync, Var, VarId};

const NOWHERE: Span = Span { start: 0, end: 0 };

/// Two variables of all 32 bits, then one of 0 to 3, then an array of three.
fn network(edges: Vec<Edge>, functions: Vec<Function>) -> Network {
    let wide = Var { min: i32::MIN, max: i32::MAX, ..Var::default() };
    let narrow = Var { max: 3, ..Var::default() };
    let vars = vec![wide.clone(), wide, narrow.clone(), narrow.clone(), narrow.clone(), narrow];
    let process = Process { locations: vec![Location::default(); 3], edges, ..Process::default() };
    Network {
        vars,
        processes: vec![process],
        functions,
        locals: 8,
        overflow: Overflow::Wrap,
        ..Network::default()
    }
}

fn edge(source: u32, target: u32, guard: Vec<Expr>, body: Vec<Stmt>) -> Edge {
    Edge {
        source: LocationId(source),
        target: LocationId(target),
        guard: Guard { discrete: guard, clocks: Vec::new() },
        update: Program { locals: 2, body },
        sync: Sync::Internal,
        event: EventId(0),
        span: NOWHERE,
        select: Vec::new(),
    }
}

fn var(slot: u32) -> Expr {
    Expr::Var(VarId(slot))
}

fn binary(op: BinaryOp, l: Expr, r: Expr) -> Expr {
    Expr::Binary(op, Box::new(l), Box::new(r), NOWHERE)
}

fn set(slot: u32, value: Expr) -> Stmt {
    Stmt::Assign { place: Place::Var(VarId(slot)), value, span: NOWHERE }
}

fn set_local(local: u32, value: Expr) -> Stmt {
    Stmt::Assign { place: Place::Local(local), value, span: NOWHERE }
}

/// `for (i = 0; i < 3; i++) a[i] = value`
fn fill(value: Expr) -> Vec<Stmt> {
    let place = Place::Element { first: VarId(3), len: 3, index: Expr::Local(0), span: NOWHERE };
    let round = vec![
        Stmt::Assign { place, value, span: NOWHERE },
        set_local(0, binary(BinaryOp::Add, Expr::Local(0), Expr::Const(1))),
    ];
    let condition = binary(BinaryOp::Lt, Expr::Local(0), Expr::Const(3));
    vec![set_local(0, Expr::Const(0)), Stmt::While { condition, body: round, span: NOWHERE }]
}

/// The variables that are live at each location.
fn live(edges: Vec<Edge>, functions: Vec<Function>) -> Vec<Vec<usize>> {
    let network = network(edges, functions);
    let simplifier = Simplifier::new(&network);
    let bodies: Vec<Vec<Stmt>> = network.functions.iter().map(|f| simplifier.block(&f.body, 0)).collect();
    let mut backward = Backward::new(&network, &bodies);
    let process = &network.processes[0];
    let updates: Vec<_> = process.edges.iter().map(|e| simplifier.program(&e.update).body).collect();
    let sets = of_process(process, &updates, &mut backward, &function_effects(&network)).unwrap();
    sets.iter().map(|set| (0..network.vars.len()).filter(|&slot| set.contains(slot)).collect()).collect()
}

#[test]
fn what_is_written_before_it_is_read_is_not_live() {
    let read = edge(1, 2, vec![var(2)], Vec::new());
    assert_eq!(live(vec![edge(0, 1, vec![], vec![set(2, Expr::Const(1))]), read.clone()], vec![])[0], [0; 0]);
    // Not if only one branch writes it, nor if it is written from itself.
    let perhaps = Stmt::If { condition: var(0), then: vec![set(2, Expr::Const(1))], otherwise: Vec::new() };
    assert_eq!(live(vec![edge(0, 1, vec![], vec![perhaps]), read.clone()], vec![])[0], [0, 2]);
    let from = binary(BinaryOp::BitXor, var(2), Expr::Const(1));
    assert_eq!(live(vec![edge(0, 1, vec![], vec![set(2, from)]), read], vec![])[0], [2]);
}

#[test]
fn a_counter_that_nothing_reads_is_not_live_unless_it_may_fail() {
    let next = |slot| set(slot, binary(BinaryOp::Add, var(slot), Expr::Const(1)));
    assert_eq!(live(vec![edge(0, 0, vec![], vec![next(0)])], vec![])[0], [0; 0]);
    assert_eq!(live(vec![edge(0, 0, vec![], vec![next(2)])], vec![])[0], [2]);
    let divided = set(0, binary(BinaryOp::Div, Expr::Const(6), var(1)));
    assert_eq!(live(vec![edge(0, 0, vec![], vec![divided])], vec![])[0], [1]);
}

#[test]
fn arrays_that_are_filled_are_written_and_picked_elements_are_not() {
    let index = Box::new(var(2));
    let read = edge(1, 2, vec![Expr::Element { first: VarId(3), len: 3, index, span: NOWHERE }], Vec::new());
    let filled = edge(0, 1, vec![], fill(Expr::Const(1)));
    assert_eq!(live(vec![filled, read.clone()], vec![])[0], [2]);
    let place = Place::Element { first: VarId(3), len: 3, index: var(0), span: NOWHERE };
    let one = Stmt::Assign { place, value: Expr::Const(1), span: NOWHERE };
    assert_eq!(live(vec![edge(0, 1, vec![], vec![one]), read], vec![])[0], [0, 2, 3, 4, 5]);
}

#[test]
fn calls_hand_over_what_they_need() {
    // f(a) { if (a) return 0; v2 = 1; return v1; }
    let body = vec![
        Stmt::If {
            condition: Expr::Local(4),
            then: vec![Stmt::Return(Some(Expr::Const(0)))],
            otherwise: vec![],
        },
        set(2, Expr::Const(1)),
        Stmt::Return(Some(var(1))),
    ];
    let function = Function {
        name: "f".into(),
        first_param: 4,
        params: 1,
        body,
        min: i32::MIN,
        max: i32::MAX,
        writes: true,
    };
    let call = |argument| Expr::Call(FunctionId(0), vec![argument], NOWHERE);
    let read = |slot| edge(1, 2, vec![var(slot)], Vec::new());
    // Its result is needed, or not; where it returns early v2 is not written.
    let used = edge(0, 1, vec![], vec![set(0, call(var(2)))]);
    assert_eq!(live(vec![used, read(0)], vec![function.clone()])[0], [1, 2]);
    let unused = edge(0, 1, vec![], vec![Stmt::Eval(call(Expr::Const(0)))]);
    assert_eq!(live(vec![unused, read(2)], vec![function])[0], [2]);
}

#[test]
fn what_is_observed_is_known_everywhere() {
    let network = network(vec![edge(0, 1, vec![], vec![set(2, Expr::Const(1))])], vec![]);
    let forgotten = |observed: &[(u32, u32)]| {
        let observed = observed.iter().map(|&(first, len)| Slots { first, len }).collect();
        variable_facts(&network, &observed).map(|facts| facts.slots)
    };
    assert_eq!(forgotten(&[]), Some(vec![0, 1, 2, 3, 4, 5]));
    assert_eq!(forgotten(&[(0, 2), (3, 2)]), Some(vec![2, 5]));
    assert_eq!(forgotten(&[(0, 6)]), None);
}
