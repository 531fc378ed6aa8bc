//! A few words to write small networks with.
#![allow(dead_code)]

use dwell_model::expr::{BinaryOp, ClockConstraint, ClockRef, Expr, Guard, Place, Program, Relation, Stmt};
use dwell_model::{
    Channel, ChannelKind, Clock, ClockId, Edge, EdgeId, EventId, LabelId, Location, LocationId, LocationKind,
    Network, Process, ProcessId, Span, Sync, Var, VarId,
};

/// A network with these clocks and variables, and one process of each size.
pub fn network(clocks: usize, vars: &[(i32, i32, i32)], sizes: &[usize]) -> Network {
    let location = |l| Location {
        name: format!("l{l}"),
        invariant: Guard::default(),
        kind: LocationKind::Normal,
        labels: Vec::new(),
    };
    Network {
        name: "test".to_owned(),
        clocks: (0..clocks).map(|c| Clock { name: format!("x{c}") }).collect(),
        vars: vars.iter().map(|&(min, max, init)| Var { name: "v".to_owned(), min, max, init }).collect(),
        processes: sizes
            .iter()
            .map(|&size| Process {
                name: "P".to_owned(),
                locations: (0..size).map(location).collect(),
                edges: Vec::new(),
                initial: vec![LocationId(0)],
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
    });
    edges.last_mut().unwrap()
}

pub fn channel(network: &mut Network, kind: ChannelKind, urgent: bool) -> dwell_model::ChannelId {
    network.channels.push(Channel { name: "c".to_owned(), kind, urgent });
    dwell_model::ChannelId::new(network.channels.len() - 1)
}

/// `x ~ bound`.
pub fn clock(x: u32, relation: Relation, bound: i32) -> ClockConstraint {
    clock_expr(x, relation, Expr::Const(bound))
}

pub fn clock_expr(x: u32, relation: Relation, bound: Expr) -> ClockConstraint {
    ClockConstraint { left: fixed(x), minus: None, relation, bound, span: Span::default() }
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
