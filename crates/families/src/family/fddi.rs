//! The FDDI token ring, after C. Daws, A. Olivero, S. Tripakis and S. Yovine, *The tool Kronos*, Hybrid
//! Systems III, 1996.

use crate::Family;
use crate::model::{Header, Model};

pub(crate) const FAMILY: Family = Family {
    name: "fddi",
    summary: "FDDI token ring with three clocks per station; the size counts stations",
    default_size: 6,
    min_size: 2,
    max_size: 1000,
    write,
};

/// How long a station may send synchronous traffic.
const SYNCHRONOUS: u32 = 20;
/// The target rotation time of the token grows by this much with each station.
const ROTATION_PER_STATION: u32 = 50;
/// How long the token travels from one station to the next.
const TRAVEL: u32 = 0;

fn write(n: u32) -> String {
    let target = ROTATION_PER_STATION * n;
    let mut model = Model::new(&header(n, target), format_args!("fddi_{n}_{target}_{SYNCHRONOUS}_{TRAVEL}"));
    for event in ["tau", "TT", "RT"] {
        model.event(event);
    }
    for i in 1..=n {
        model.event(format_args!("TT{i}"));
        model.event(format_args!("RT{i}"));
    }
    for i in 1..=n {
        station(&mut model, i, target);
    }
    ring(&mut model, n);
    model.blank();
    for i in 1..=n {
        model.sync(format_args!("P{i}@TT:R@TT{i}"));
        model.sync(format_args!("P{i}@RT:R@RT{i}"));
    }
    model.finish()
}

/// A station alternates between two rounds of the token, since the length of one round decides about
/// the next: `trt` measures the current round, `xA` and `xB` in turn the sending time it leaves.
fn station(model: &mut Model, i: u32, target: u32) {
    let trt = format!("trt{i}");
    model.process(format_args!("P{i}"));
    for clock in ["trt", "xA", "xB"] {
        model.clock(format_args!("{clock}{i}"));
    }
    // Locations: (waiting, late, early, sending asynchronously) for each of the two rounds.
    let rounds = [(["q0", "q1", "q2", "q3"], "xA"), (["q4", "q5", "q6", "q7"], "xB")];
    for ([waiting, late, early, sending], since) in rounds {
        let waiting = model.location(waiting);
        if since == "xA" {
            waiting.initial();
        }
        model.location(late).invariant(format_args!("{trt}<={SYNCHRONOUS}"));
        model.location(early).invariant(format_args!("{trt}<={SYNCHRONOUS}"));
        model.location(sending).invariant(format_args!("{since}{i}<={}", target + SYNCHRONOUS));
    }
    for (round, ([waiting, late, early, sending], since)) in rounds.into_iter().enumerate() {
        let next = rounds[1 - round].0[0];
        let restarted = if since == "xA" { "xB" } else { "xA" };
        let take = format!("{trt}=0;{restarted}{i}=0");
        model.edge(waiting, late, "TT").when(format_args!("{trt}>={target}")).then(&take);
        model.edge(waiting, early, "TT").when(format_args!("{trt}<{target}")).then(&take);
        model.edge(late, next, "RT").when(format_args!("{trt}=={SYNCHRONOUS}"));
        model.edge(early, sending, "tau").when(format_args!("{trt}=={SYNCHRONOUS}"));
        model.edge(sending, next, "RT");
    }
}

/// The ring hands the token to each station in turn and gets it back.
fn ring(model: &mut Model, n: u32) {
    model.process("R");
    model.clock("t");
    for i in 1..=n {
        let travelling = model.location(format_args!("q{i}"));
        if i == 1 {
            travelling.initial();
        }
        travelling.invariant(format_args!("t<={TRAVEL}"));
        model.location(format_args!("r{i}"));
    }
    for i in 1..=n {
        let next = i % n + 1;
        model
            .edge(format_args!("q{i}"), format_args!("r{i}"), format_args!("TT{i}"))
            .when(format_args!("t=={TRAVEL}"));
        model.edge(format_args!("r{i}"), format_args!("q{next}"), format_args!("RT{i}")).then("t=0");
    }
}

fn header(n: u32, target: u32) -> Header {
    Header {
        title: format!("FDDI token ring, {n} stations, target rotation time {target}"),
        instance: (FAMILY.name, n),
        about: &[
            "A station that gets the token (TT) sends synchronous traffic for 20 time units. If the",
            "token came early it may go on until the target rotation time is used up; then the token",
            "is released (RT). After C. Daws, A. Olivero, S. Tripakis and S. Yovine, The tool Kronos,",
            "Hybrid Systems III, 1996.",
        ],
        search: "nothing (the model has no labels: explore the whole state space)".to_owned(),
    }
}
