//! CSMA/CD, the collision detection of Ethernet, after S. Tripakis and S. Yovine, *Analysis of timed
//! systems using time-abstracting bisimulations*, Formal Methods in System Design 18(1), 2001.
//!
//! Two families share the stations. In `csmacd` the bus tells the stations of a collision one after the
//! other, in a committed loop; in `csmacd-full` one synchronisation of everybody does it. A station that
//! waits to retry answers `busy` by starting its wait again; the publication leaves that loop out, and
//! then no message would ever be completed after a collision.

use crate::Family;
use crate::model::{Header, Model};

pub(crate) const FAMILY: Family = Family {
    name: "csmacd",
    summary: "CSMA/CD, collisions announced station by station; the size counts stations",
    default_size: 5,
    min_size: 2,
    max_size: 1000,
    write: write_loop,
};

pub(crate) const FULL: Family = Family {
    name: "csmacd-full",
    summary: "CSMA/CD, a collision is one synchronisation of all; the size counts stations",
    default_size: 5,
    min_size: 2,
    // Every station multiplies the combinations of edges in the collision by up to two.
    max_size: 100,
    write: write_full,
};

/// How long it takes to send a message, in microseconds.
const LAMBDA: u32 = 808;
/// How long a signal takes from one end of the bus to the other, in microseconds.
const SIGMA: u32 = 26;

/// Collisions are announced by a committed loop over the stations, counted by `j`.
fn write_loop(n: u32) -> String {
    let mut model = Model::new(
        &header(FAMILY.name, n, "tells the stations one after the other, in no time"),
        format_args!("csmacd_{n}_{LAMBDA}_{SIGMA}"),
    );
    for event in ["tau", "begin", "busy", "end", "cd"] {
        model.event(event);
    }
    for i in 1..=n {
        model.event(format_args!("cd{i}"));
    }

    bus(&mut model, n);
    model.location("Loop").committed();
    bus_traffic(&mut model);
    model.edge("Collision", "Loop", "tau").when(format_args!("y<{SIGMA}")).then("j=1");
    model.edge("Loop", "Idle", "tau").when(format_args!("j=={n}+1&&y<{SIGMA}")).then("y=0;j=1");
    for i in 1..=n {
        model.edge("Loop", "Loop", format_args!("cd{i}")).when(format_args!("j=={i}")).then("j=j+1");
    }

    for i in 1..=n {
        station(&mut model, i);
        model.sync(format_args!("Bus@begin:Station{i}@begin"));
        model.sync(format_args!("Bus@busy:Station{i}@busy"));
        model.sync(format_args!("Bus@cd{i}:Station{i}@cd"));
        model.sync(format_args!("Bus@end:Station{i}@end"));
    }
    model.finish()
}

/// A collision synchronises the bus with every station at once.
fn write_full(n: u32) -> String {
    let mut model = Model::new(
        &header(FULL.name, n, "tells all stations at once"),
        format_args!("csmacd_full_{n}_{LAMBDA}_{SIGMA}"),
    );
    for event in ["tau", "begin", "busy", "end", "cd"] {
        model.event(event);
    }

    bus(&mut model, n);
    bus_traffic(&mut model);
    model.edge("Collision", "Idle", "cd").when(format_args!("y<{SIGMA}")).then("y=0");

    for i in 1..=n {
        station(&mut model, i);
    }
    model.blank();
    for i in 1..=n {
        model.sync(format_args!("Bus@begin:Station{i}@begin"));
        model.sync(format_args!("Bus@busy:Station{i}@busy"));
        model.sync(format_args!("Bus@end:Station{i}@end"));
    }
    let mut everybody = vec!["Bus@cd".to_owned()];
    everybody.extend((1..=n).map(|i| format!("Station{i}@cd")));
    model.sync(everybody.join(":"));
    model.finish()
}

/// The bus up to its last location. `csmacd-full` does not use `j`; it is declared there as well so that
/// the instance is the published one.
fn bus(model: &mut Model, n: u32) {
    model.process("Bus");
    model.int("j", (1, n + 1), 1);
    model.clock("y");
    model.location("Idle").initial();
    model.location("Active");
    model.location("Collision").invariant(format_args!("y<{SIGMA}"));
}

/// The edges of the bus that both families share.
fn bus_traffic(model: &mut Model) {
    model.edge("Idle", "Active", "begin").then("y=0");
    model.edge("Active", "Collision", "begin").when(format_args!("y<{SIGMA}")).then("y=0");
    model.edge("Active", "Active", "busy").when(format_args!("y>={SIGMA}"));
    model.edge("Active", "Idle", "end").then("y=0");
}

fn station(model: &mut Model, i: u32) {
    let reset = format!("x{i}=0");
    let before_retry = format!("x{i}<2*{SIGMA}");
    model.process(format_args!("Station{i}"));
    model.clock(format_args!("x{i}"));
    model.location("Wait").initial();
    model.location("Start").invariant(format_args!("x{i}<={LAMBDA}"));
    model.location("Retry").invariant(&before_retry);
    model.edge("Wait", "Start", "begin").then(&reset);
    model.edge("Wait", "Retry", "busy").then(&reset);
    model.edge("Wait", "Wait", "cd").then(&reset);
    model.edge("Wait", "Retry", "cd").then(&reset);
    model.edge("Start", "Wait", "end").when(format_args!("x{i}=={LAMBDA}")).then(&reset);
    model.edge("Start", "Retry", "cd").when(format_args!("x{i}<{SIGMA}")).then(&reset);
    model.edge("Retry", "Start", "begin").when(&before_retry).then(&reset);
    model.edge("Retry", "Retry", "busy").when(&before_retry).then(&reset);
    model.edge("Retry", "Retry", "cd").when(&before_retry).then(&reset);
}

fn header(family: &'static str, n: u32, collision: &str) -> Header {
    Header {
        title: format!("CSMA/CD, {n} stations on one bus; after a collision the bus {collision}"),
        instance: (family, n),
        about: &[
            "A station sends for 808 microseconds. For the first 26 others cannot hear it yet, and one",
            "of them may begin too: then the bus reports a collision and both retry within 52.",
            "After S. Tripakis and S. Yovine, Formal Methods in System Design 18(1), 2001.",
        ],
        search: "nothing (the model has no labels: explore the whole state space)".to_owned(),
    }
}
