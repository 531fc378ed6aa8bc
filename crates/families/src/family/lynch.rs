//! Mutual exclusion after N. Lynch and N. Shavit, *Timing-based mutual exclusion*, RTSS 1992.

use crate::Family;
use crate::model::{Header, Model};

pub(crate) const FAMILY: Family = Family {
    name: "lynch",
    summary: "Lynch and Shavit's timing-based mutual exclusion; the size counts processes",
    default_size: 5,
    min_size: 2,
    max_size: 1000,
    write,
};

/// A write takes at most this long, and the one wait takes longer.
const DELAY: u32 = 16;

fn write(n: u32) -> String {
    let mut model = Model::new(&header(n), format_args!("lynch_{n}_{DELAY}"));
    model.event("tau");
    model.int("v1", (0, n), 0);
    model.int("v2", (0, 1), 0);
    for i in 1..=n {
        process(&mut model, i);
    }
    model.finish()
}

fn process(model: &mut Model, i: u32) {
    let reset = format!("x{i}=0");
    let writing = format!("x{i}<={DELAY}");
    let mine = format!("v1=={i}");
    let taken = format!("v1!={i}");
    model.process(format_args!("P{i}"));
    model.clock(format_args!("x{i}"));
    model.location("L1").initial();
    model.location("L2").invariant(&writing);
    model.location("L3");
    model.location("L4");
    model.location("L5").invariant(&writing);
    model.location("L6");
    model.location("CS7").label(format_args!("cs{i}"));
    model.location("L8").invariant(&writing);
    model.location("L9").invariant(&writing);
    // The outer part is Fischer's protocol on v1 …
    model.edge("L1", "L2", "tau").when("v1==0").then(&reset);
    model.edge("L2", "L3", "tau").then(format_args!("v1={i};{reset}"));
    model.edge("L3", "L4", "tau").when(format_args!("{mine}&&x{i}>{DELAY}"));
    model.edge("L3", "L1", "tau").when(&taken);
    // … the inner part keeps the section exclusive whatever the timing.
    model.edge("L4", "L5", "tau").when("v2==0").then(&reset);
    model.edge("L4", "L1", "tau").when("v2==1");
    model.edge("L5", "L6", "tau").then(format_args!("v2=1;{reset}"));
    model.edge("L6", "CS7", "tau").when(&mine);
    model.edge("L6", "L1", "tau").when(&taken);
    model.edge("CS7", "L8", "tau").then(&reset);
    model.edge("L8", "L9", "tau").then(format_args!("v2=0;{reset}"));
    model.edge("L9", "L1", "tau").then("v1=0");
}

fn header(n: u32) -> Header {
    Header {
        title: format!("Timing-based mutual exclusion of Lynch and Shavit, {n} processes"),
        instance: (FAMILY.name, n),
        about: &[
            "Fischer's protocol on v1, with a second variable v2 around the critical section, so that",
            "exclusion does not depend on the timing; only progress does. Writes take at most 16.",
            "After N. Lynch and N. Shavit, Timing-based mutual exclusion, RTSS 1992.",
        ],
        search: "cs1,cs2 (two processes in the critical section; not reachable)".to_owned(),
    }
}
