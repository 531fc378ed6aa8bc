//! Small networks with traps in them: where clocks are copied in odd places,
//! what is forgotten after a transition, which errors count. Every plan says
//! what the regions say.

use dwell_model::expr::{
    BinaryOp, ClockConstraint, ClockRef, Expr, Function, Guard, Place, Program, Relation, Stmt,
};
use dwell_model::{
    Channel, ChannelId, ChannelKind, ChannelRef, Clock, ClockId, Edge, EventId, FunctionId, LabelId,
    Location, LocationId, LocationKind, Network, Process, Span, Sync, Var, VarId, VarKind,
};
use dwell_oracle::explore;
use dwell_testkit::differential::{Tally, disagreement};
use dwell_testkit::plans;
use dwell_testkit::random::{describe, well_formed};

const X: ClockId = ClockId(0);
const Y: ClockId = ClockId(1);
const Z: ClockId = ClockId(2);
const V: VarId = VarId(0);

/// Clocks x, y and z, a variable v and one process for each number of
/// locations; the last location of the first one is the goal.
fn network(sizes: &[usize]) -> Network {
    let clock = |name: &str| Clock { name: name.to_owned(), init: 0 };
    let process = |(p, &size): (usize, &usize)| Process {
        name: format!("P{p}"),
        locations: (0..size).map(|l| Location { name: format!("l{l}"), ..Location::default() }).collect(),
        initial: vec![LocationId(0)],
        ..Process::default()
    };
    let mut network = Network {
        name: "corner".to_owned(),
        clocks: ["x", "y", "z"].map(clock).to_vec(),
        vars: vec![Var { name: "v".to_owned(), min: 0, max: 2, ..Var::default() }],
        processes: sizes.iter().enumerate().map(process).collect(),
        events: vec!["tau".to_owned()],
        labels: vec!["goal".to_owned()],
        locals: 4,
        ..Network::default()
    };
    network.processes[0].locations.last_mut().expect("some").labels.push(LabelId(0));
    network
}

fn edge(network: &mut Network, process: usize, from: u32, to: u32) -> &mut Edge {
    network.processes[process].edges.push(Edge {
        source: LocationId(from),
        target: LocationId(to),
        guard: Guard::default(),
        update: Program::default(),
        sync: Sync::Internal,
        event: EventId(0),
        span: Span::default(),
        select: Vec::new(),
    });
    network.processes[process].edges.last_mut().expect("just added")
}

fn when(clock: ClockId, relation: Relation, bound: i32) -> ClockConstraint {
    let (left, bound, span) = (ClockRef::Fixed(clock), Expr::Const(bound), Span::default());
    ClockConstraint { when: None, left, minus: None, relation, bound, span }
}

fn copy(to: ClockId, from: ClockId) -> Stmt {
    let (clock, from) = (ClockRef::Fixed(to), Some(ClockRef::Fixed(from)));
    Stmt::Reset { clock, from, value: Expr::Const(0), span: Span::default() }
}

fn set(value: Expr) -> Stmt {
    Stmt::Assign { place: Place::Var(V), value, span: Span::default() }
}

fn compare(op: BinaryOp, left: Expr, right: i32) -> Expr {
    Expr::Binary(op, left.into(), Expr::Const(right).into(), Span::default())
}

fn update(body: Vec<Stmt>) -> Program {
    Program { locals: 1, body }
}

/// Whether the goal is reached and whether an error is: every plan that ends
/// says so too.
fn outcome(network: &Network) -> (bool, bool) {
    well_formed(network).unwrap_or_else(|law| panic!("{law}\n{}", describe(network)));
    let graph = explore(network, 1000).expect("a small network");
    for choice in plans::all().iter().filter(|choice| choice.ends()) {
        let difference = disagreement(network, &graph, choice, &mut Tally::default());
        assert_eq!(difference, None, "{choice}\n{}", describe(network));
    }
    (graph.reaches_labels(&[LabelId(0)]), graph.failure.is_some())
}

/// In l0 no clock exceeds 1; then `body`; at once it is asked whether x is 2.
fn late_after(body: Vec<Stmt>) -> Network {
    let mut network = network(&[3]);
    network.processes[0].locations[0].invariant.clocks.push(when(X, Relation::Le, 1));
    network.processes[0].locations[1].kind = LocationKind::Urgent;
    edge(&mut network, 0, 0, 1).update = update(body);
    edge(&mut network, 0, 1, 2).guard.clocks.push(when(X, Relation::Ge, 2));
    network
}

/// `x = y` where x is asked for and y is not: y counts before the update.
#[test]
fn clocks_may_be_copied_wherever_code_may_stand() {
    let span = Span::default();
    let copies = |value| Expr::Seq(vec![copy(X, Y)], Box::new(Expr::Const(value)));
    let element = |index| Place::Element { first: V, len: 1, index, span };
    let reset = |clock, index| {
        let clock = ClockRef::Element { first: clock, len: 1, index, span };
        Stmt::Reset { clock, from: None, value: Expr::Const(0), span }
    };
    let from_element = ClockRef::Element { first: Z, len: 1, index: copies(0), span };
    let bodies = [
        vec![copy(X, Y)],
        vec![Stmt::Assign { place: element(copies(0)), value: Expr::Const(1), span }],
        vec![reset(Z, copies(0))],
        vec![Stmt::Reset {
            clock: ClockRef::Fixed(Z),
            from: Some(from_element),
            value: Expr::Const(0),
            span,
        }],
        vec![set(copies(1))],
        vec![Stmt::If { condition: copies(1), then: Vec::new(), otherwise: Vec::new() }],
        vec![Stmt::While { condition: copies(0), body: Vec::new(), span }],
        vec![Stmt::Assert { condition: copies(1), span }],
        vec![Stmt::Eval(copies(1))],
    ];
    for body in bodies {
        assert_eq!(outcome(&late_after(body)), (false, false));
    }
}

/// `while v++ < 2 and (x = y, y = z, 1)`: x comes from z in the second round.
#[test]
fn the_condition_of_a_loop_may_copy_clocks_along() {
    let span = Span::default();
    let count = Stmt::Assign {
        place: Place::Local(0),
        value: Expr::Binary(BinaryOp::Add, Expr::Local(0).into(), Expr::Const(1).into(), span),
        span,
    };
    let body = vec![count, copy(X, Y), copy(Y, Z)];
    let condition = Expr::Seq(body, Box::new(compare(BinaryOp::Lt, Expr::Local(0), 3)));
    let network = late_after(vec![Stmt::While { condition, body: Vec::new(), span }]);
    assert_eq!(outcome(&network), (false, false));
}

/// A function that returns in the middle of an expression, having copied a
/// clock that is set again at its end.
#[test]
fn a_function_may_return_from_within_an_expression() {
    let span = Span::default();
    let leave = Stmt::If {
        condition: compare(BinaryOp::Eq, Expr::Var(V), 0),
        then: vec![copy(X, Y), Stmt::Return(Some(Expr::Const(1)))],
        otherwise: Vec::new(),
    };
    let reset = Stmt::Reset { clock: ClockRef::Fixed(X), from: None, value: Expr::Const(0), span };
    let inner = Expr::Seq(vec![leave], Box::new(Expr::Const(1)));
    let body = vec![set(inner), reset, Stmt::Return(Some(Expr::Const(0)))];
    let mut network = late_after(vec![Stmt::Eval(Expr::Call(FunctionId(0), Vec::new(), span))]);
    let name = "f".to_owned();
    let function = Function { name, first_param: 4, params: 0, body, min: 0, max: 1, writes: true };
    network.functions.push(function);
    assert_eq!(outcome(&network), (false, false));
}

/// What is done around every transition copies clocks too.
#[test]
fn clocks_may_be_copied_around_updates() {
    for (before, after) in
        [(vec![copy(X, Y)], vec![]), (vec![], vec![copy(X, Y)]), (vec![copy(Y, Z)], vec![copy(X, Y)])]
    {
        let mut network = late_after(Vec::new());
        network.before_update = update(before);
        network.after_update = update(after);
        assert_eq!(outcome(&network), (false, false));
    }
}

/// A meta variable hands a value from one participant to the next, and is
/// forgotten before invariants are looked at.
#[test]
fn meta_variables_are_forgotten_after_every_transition() {
    let mut network = network(&[3]);
    network.vars.push(Var { name: "m".to_owned(), min: 0, max: 2, init: 1, kind: VarKind::Meta });
    let m = VarId(1);
    let is_one = compare(BinaryOp::Eq, Expr::Var(m), 1);
    network.processes[0].locations[1].invariant.discrete.push(is_one.clone());
    let forget = Stmt::Assign { place: Place::Var(m), value: Expr::Const(2), span: Span::default() };
    let first = edge(&mut network, 0, 0, 1);
    first.guard.discrete.push(is_one.clone());
    first.update = update(vec![forget, set(Expr::Var(m))]);
    let second = edge(&mut network, 0, 1, 2);
    second.guard.discrete = vec![is_one, compare(BinaryOp::Eq, Expr::Var(V), 2)];
    assert_eq!(outcome(&network), (true, false));
}

/// P0 sends on a broadcast channel while x is at most 1; P1 hears it while y is
/// at most `limit`.
fn broadcast(limit: i32) -> Network {
    let mut network = network(&[2, 2]);
    let kind = ChannelKind::Broadcast;
    network.channels.push(Channel { name: "c".to_owned(), kind, urgent: false, priority: 0 });
    let channel = ChannelRef::Fixed(ChannelId(0));
    let sender = edge(&mut network, 0, 0, 1);
    sender.sync = Sync::Send(channel.clone());
    sender.guard.clocks.push(when(X, Relation::Le, 1));
    let receiver = edge(&mut network, 1, 0, 1);
    receiver.sync = Sync::Receive(channel);
    receiver.guard.clocks.push(when(Y, Relation::Le, limit));
    receiver.update = update(vec![set(Expr::Const(1))]);
    network
}

/// An error that only happens without the receiver does not happen where the
/// receiver always hears.
#[test]
fn errors_of_a_broadcast_that_someone_misses_need_someone_to_miss_it() {
    for (limit, fails) in [(1, false), (0, true)] {
        let mut network = broadcast(limit);
        let condition = compare(BinaryOp::Eq, Expr::Var(V), 1);
        network.after_update = update(vec![Stmt::Assert { condition, span: Span::default() }]);
        assert_eq!(outcome(&network), (true, fails));
    }
}

/// A guard of an urgent channel that fails to evaluate in a state whose
/// invariant keeps it from being entered.
#[test]
fn guards_of_states_that_do_not_exist_do_not_fail() {
    for (bound, fails) in [(1, false), (0, true)] {
        let mut network = network(&[2]);
        let kind = ChannelKind::Broadcast;
        network.channels.push(Channel { name: "u".to_owned(), kind, urgent: true, priority: 0 });
        network.processes[0].locations[0].invariant.clocks.push(when(X, Relation::Le, 0));
        network.processes[0].locations[1].invariant.clocks.push(when(X, Relation::Ge, bound));
        edge(&mut network, 0, 0, 1);
        let sender = edge(&mut network, 0, 1, 1);
        sender.sync = Sync::Send(ChannelRef::Fixed(ChannelId(0)));
        let quotient =
            Expr::Binary(BinaryOp::Div, Expr::Const(1).into(), Expr::Var(V).into(), Span::default());
        sender.guard.discrete.push(quotient);
        assert_eq!(outcome(&network), (bound == 0, fails));
    }
}
