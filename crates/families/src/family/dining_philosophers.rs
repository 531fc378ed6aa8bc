//! The dining philosophers of E. W. Dijkstra, with a timeout: a philosopher who does not get the second
//! fork in time puts the first one down again, so a circle of waiting philosophers dissolves.

use crate::Family;
use crate::model::{Header, Model};

pub(crate) const FAMILY: Family = Family {
    name: "dining-philosophers",
    summary: "dining philosophers who give up after a while; the size counts philosophers",
    default_size: 4,
    min_size: 3,
    max_size: 1000,
    write,
};

/// How long a philosopher waits for the second fork.
const PATIENCE: u32 = 3;
/// How long a meal takes.
const MEAL: u32 = 10;
/// How long it takes to put the second fork down after the first.
const RELEASE: u32 = 0;

fn write(n: u32) -> String {
    let mut model =
        Model::new(&header(n), format_args!("dining_philosophers_{n}_{PATIENCE}_{MEAL}_{RELEASE}"));
    model.event("tau");
    for i in 1..=n {
        model.event(format_args!("take{i}"));
        model.event(format_args!("release{i}"));
    }
    for i in 1..=n {
        philosopher(&mut model, i, left_of(i, n));
    }
    for i in 1..=n {
        fork(&mut model, i);
    }
    model.blank();
    for i in 1..=n {
        let left = left_of(i, n);
        model.sync(format_args!("P{i}@take{left}:F{left}@take{left}"));
        model.sync(format_args!("P{i}@take{i}:F{i}@take{i}"));
        model.sync(format_args!("P{i}@release{left}:F{left}@release{left}"));
        model.sync(format_args!("P{i}@release{i}:F{i}@release{i}"));
    }
    model.finish()
}

/// The fork on the left of philosopher `i`; the one on the right has the same number.
fn left_of(i: u32, n: u32) -> u32 {
    if i == 1 { n } else { i - 1 }
}

fn philosopher(model: &mut Model, i: u32, left: u32) {
    let reset = format!("x{i}=0");
    model.process(format_args!("P{i}"));
    model.clock(format_args!("x{i}"));
    model.location("idle").initial();
    model.location("acq").invariant(format_args!("x{i}<={PATIENCE}"));
    model.location("eat").invariant(format_args!("x{i}<={MEAL}")).label(format_args!("eating{i}"));
    model.location("rel").invariant(format_args!("x{i}<={RELEASE}"));
    model.edge("idle", "acq", format_args!("take{left}")).then(&reset);
    model.edge("acq", "idle", format_args!("release{left}")).when(format_args!("x{i}>={PATIENCE}"));
    model.edge("acq", "eat", format_args!("take{i}")).when(format_args!("x{i}<={PATIENCE}")).then(&reset);
    model.edge("eat", "rel", format_args!("release{i}")).when(format_args!("x{i}>={MEAL}")).then(&reset);
    model.edge("rel", "idle", format_args!("release{left}"));
}

fn fork(model: &mut Model, i: u32) {
    model.process(format_args!("F{i}"));
    model.location("free").initial();
    model.location("taken");
    model.edge("free", "taken", format_args!("take{i}"));
    model.edge("taken", "free", format_args!("release{i}"));
}

fn header(n: u32) -> Header {
    Header {
        title: format!("Dining philosophers with a timeout, {n} philosophers and as many forks"),
        instance: (FAMILY.name, n),
        about: &[
            "A philosopher takes the left fork, waits up to 3 time units for the right one, and puts",
            "the left one down again if it does not come; a meal takes 10.",
        ],
        search: "eating1,eating2 (two neighbours eat at the same time; not reachable)".to_owned(),
    }
}
