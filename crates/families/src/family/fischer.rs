//! Fischer's mutual exclusion by timing, from L. Lamport, *A fast mutual exclusion algorithm*, ACM
//! Transactions on Computer Systems 5(1), 1987, where it is credited to M. Fischer.

use crate::Family;
use crate::model::{Header, Model};

pub(crate) const FAMILY: Family = Family {
    name: "fischer",
    summary: "Fischer's mutual exclusion by timing; the size counts processes",
    default_size: 5,
    min_size: 2,
    max_size: 1000,
    write,
};

/// A write takes at most this long, and a process waits longer than this before it reads back.
const DELAY: u32 = 10;

fn write(n: u32) -> String {
    let mut model = Model::new(&header(n), format_args!("fischer_{n}_{DELAY}"));
    model.event("tau");
    model.int("id", (0, n), 0);
    for i in 1..=n {
        model.process(format_args!("P{i}"));
        model.clock(format_args!("x{i}"));
        model.location("A").initial();
        model.location("req").invariant(format_args!("x{i}<={DELAY}"));
        model.location("wait");
        model.location("cs").label(format_args!("cs{i}"));
        model.edge("A", "req", "tau").when("id==0").then(format_args!("x{i}=0"));
        model
            .edge("req", "wait", "tau")
            .when(format_args!("x{i}<={DELAY}"))
            .then(format_args!("x{i}=0;id={i}"));
        model.edge("wait", "req", "tau").when("id==0").then(format_args!("x{i}=0"));
        model.edge("wait", "cs", "tau").when(format_args!("x{i}>{DELAY}&&id=={i}"));
        model.edge("cs", "A", "tau").then("id=0");
    }
    model.finish()
}

fn header(n: u32) -> Header {
    Header {
        title: format!("Fischer's mutual exclusion protocol, {n} processes"),
        instance: (FAMILY.name, n),
        about: &[
            "One shared variable, id, is 0 while the critical section is free. A process that sees 0",
            "writes its own number within 10 time units, then waits for more than 10: whoever is still",
            "named by id may enter, since every write that could follow has already happened.",
        ],
        search: "cs1,cs2 (two processes in the critical section; not reachable)".to_owned(),
    }
}
