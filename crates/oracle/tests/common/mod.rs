//! A few words to write small networks with.
#![allow(dead_code)]

use dwell_model::expr::{
    BinaryOp, ClockConstraint, ClockRef, Expr, Function, Guard, Place, Program, Relation, Stmt,
};
use dwell_model::property::Formula;
use dwell_model::{
    Channel, ChannelId, ChannelKind, ChannelRef, Clock, ClockId, Edge, EdgeId, EventId, FunctionId, LabelId,
    Location, LocationId, Network, Process, ProcessId, Span, Sync, Var, VarId,
};
use dwell_oracle::{Discrete, Step, explore, ticks};

/// A network with these clocks and variables, and one process of each size.
pub fn network(clocks: usize, vars: &[(i32, i32, i32)], sizes: &[usize]) -> Network {
    let location = |l| Location { name: format!("l{l}"), ..Location::default() };
    let var = |&(min, max, init)| Var { name: "v".to_owned(), min, max, init, ..Var::default() };
    Network {
        name: "test".to_owned(),
        clocks: (0..clocks).map(|c| Clock { name: format!("x{c}"), init: 0 }).collect(),
        vars: vars.iter().map(var).collect(),
        processes: sizes
            .iter()
            .map(|&size| Process {
                name: "P".to_owned(),
                locations: (0..size).map(location).collect(),
                initial: vec![LocationId(0)],
                ..Process::default()
            })
            .collect(),
        events: ["tau", "a", "b"].map(str::to_owned).to_vec(),
        labels: vec!["goal".to_owned()],
        ..Network::default()
    }
}

/// Adds an edge and gives it for further changes.
pub fn edge(network: &mut Network, process: usize, from: u32, to: u32, sync: Sync) -> &mut Edge {
    let edges = &mut network.processes[process].edges;
    edges.push(Edge {
        source: LocationId(from),
        target: LocationId(to),
        guard: Guard::default(),
        update: Program::default(),
        sync,
        event: EventId(0),
        span: Span::default(),
        select: Vec::new(),
    });
    edges.last_mut().unwrap()
}

pub fn channel(network: &mut Network, kind: ChannelKind, urgent: bool) -> ChannelId {
    network.channels.push(Channel { name: "c".to_owned(), kind, urgent, priority: 0 });
    ChannelId::new(network.channels.len() - 1)
}

pub fn send(channel: ChannelId) -> Sync {
    Sync::Send(ChannelRef::Fixed(channel))
}

pub fn receive(channel: ChannelId) -> Sync {
    Sync::Receive(ChannelRef::Fixed(channel))
}

/// Channel `index` of the `len` from `first` on.
pub fn picked(first: ChannelId, len: u32, index: Expr) -> ChannelRef {
    ChannelRef::Element { first, len, index, span: Span::default() }
}

/// Adds a function whose parameters and other locals are the next `locals`
/// slots of the network; gives the first of them to `body`.
pub fn function(
    network: &mut Network,
    params: u32,
    locals: u32,
    body: impl FnOnce(u32) -> Vec<Stmt>,
) -> FunctionId {
    let first = network.locals;
    network.locals += locals;
    network.functions.push(Function {
        name: "f".to_owned(),
        first_param: first,
        params,
        body: body(first),
        min: i32::MIN,
        max: i32::MAX,
        writes: true,
    });
    FunctionId::new(network.functions.len() - 1)
}

pub fn call(function: FunctionId, args: Vec<Expr>) -> Expr {
    Expr::Call(function, args, Span::default())
}

/// `slot = value` for a local.
pub fn set(slot: u32, value: Expr) -> Stmt {
    Stmt::Assign { place: Place::Local(slot), value, span: Span::default() }
}

/// `x ~ bound`.
pub fn clock(x: u32, relation: Relation, bound: i32) -> ClockConstraint {
    clock_expr(x, relation, Expr::Const(bound))
}

pub fn clock_expr(x: u32, relation: Relation, bound: Expr) -> ClockConstraint {
    ClockConstraint { when: None, left: fixed(x), minus: None, relation, bound, span: Span::default() }
}

pub fn fixed(x: u32) -> ClockRef {
    ClockRef::Fixed(ClockId(x))
}

pub fn reset(x: u32, value: i32) -> Stmt {
    Stmt::Reset { clock: fixed(x), from: None, value: Expr::Const(value), span: Span::default() }
}

pub fn shift(x: u32, from: u32, value: i32) -> Stmt {
    Stmt::Reset { clock: fixed(x), from: Some(fixed(from)), value: Expr::Const(value), span: Span::default() }
}

pub fn var(v: u32) -> Expr {
    Expr::Var(VarId(v))
}

pub fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    Expr::Binary(op, Box::new(left), Box::new(right), Span::default())
}

/// `v = value`.
pub fn assign(v: u32, value: Expr) -> Stmt {
    Stmt::Assign { place: Place::Var(VarId(v)), value, span: Span::default() }
}

/// `v = v + by`.
pub fn add(v: u32, by: i32) -> Stmt {
    assign(v, binary(BinaryOp::Add, var(v), Expr::Const(by)))
}

pub fn label(network: &mut Network, process: usize, location: usize) {
    network.processes[process].locations[location].labels.push(LabelId(0));
}

pub fn participants(list: &[(u32, u32)]) -> Vec<(ProcessId, EdgeId)> {
    list.iter().map(|&(p, e)| (ProcessId(p), EdgeId(e))).collect()
}

/// The first process is at this location.
pub fn at(location: u32) -> Formula {
    Formula::Discrete(Expr::At(ProcessId(0), LocationId(location)))
}

pub fn is(constraint: ClockConstraint) -> Formula {
    Formula::Clock(constraint)
}

pub fn all<const N: usize>(members: [Formula; N]) -> Formula {
    Formula::And(members.to_vec())
}

pub fn some<const N: usize>(members: [Formula; N]) -> Formula {
    Formula::Or(members.to_vec())
}

/// Waits and moves.
pub fn step(delay: &str, list: &[(u32, u32)]) -> Step {
    Step { delay: delay.parse().unwrap(), participants: participants(list) }
}

/// Locations and variables of all reachable discrete states, as text: by
/// regions and by sampled time, which must agree.
pub fn reachable(network: &Network) -> String {
    let graph = explore(network, 100_000).unwrap();
    let sampled = ticks::explore(network, 100_000).unwrap();
    assert_eq!(graph.discrete, sampled.discrete);
    assert_eq!(graph.failure.is_some(), sampled.fails);
    let show = |d: &Discrete| {
        let locations: String = d.locations.iter().map(|l| l.0.to_string()).collect();
        let vars: Vec<String> = d.vars.iter().map(i32::to_string).collect();
        if vars.is_empty() { locations } else { format!("{locations}:{}", vars.join(",")) }
    };
    graph.discrete.iter().map(show).collect::<Vec<_>>().join(" ")
}
