//! The critical region, in the two published variants: `critical-region`, and the one used in
//! F. Herbreteau and T.-T. Tran, *Improving search order for reachability testing in timed automata*,
//! FORMATS 2015, whose counter does not move while a cell is inside.

use crate::Family;
use crate::model::{Header, Model};

pub(crate) const FAMILY: Family = Family {
    name: "critical-region",
    summary: "production cells that share a critical region; the size counts cells",
    default_size: 3,
    min_size: 2,
    max_size: 500,
    write: |n| write(Counter::AlwaysTurns, n),
};

pub(crate) const FORMATS15: Family = Family {
    name: "critical-region-formats15",
    summary: "the critical region, its counter still while a cell is inside; the size counts cells",
    default_size: 3,
    min_size: 2,
    max_size: 500,
    write: |n| write(Counter::RestsWhileOccupied, n),
};

/// What the counter does while `id` is 0, which is while some cell is inside.
#[derive(Clone, Copy)]
enum Counter {
    AlwaysTurns,
    RestsWhileOccupied,
}

/// How long a cell tests before it gives up; inside it may stay twice as long.
const DELAY: u32 = 10;

fn write(counter: Counter, n: u32) -> String {
    let system = match counter {
        Counter::AlwaysTurns => "critical_region",
        Counter::RestsWhileOccupied => "critical_region_f15",
    };
    let mut model = Model::new(&header(counter, n), format_args!("{system}_{n}_{DELAY}"));
    model.event("tau");
    for i in 1..=n {
        model.event(format_args!("enter{i}"));
        model.event(format_args!("exit{i}"));
    }
    model.int("id", (0, n), 0);

    model.process("counter");
    model.location("I").initial();
    model.location("C");
    let next = match counter {
        Counter::AlwaysTurns => format!("id<{n}"),
        Counter::RestsWhileOccupied => format!("id>0&&id<{n}"),
    };
    model.edge("I", "C", "tau").when("id==0").then("id=1");
    model.edge("C", "C", "tau").when(next).then("id=id+1");
    model.edge("C", "C", "tau").when(format_args!("id=={n}")).then("id=1");

    for i in 1..=n {
        arbiter(&mut model, i);
    }
    for i in 1..=n {
        cell(&mut model, i);
    }
    model.blank();
    for i in 1..=n {
        model.sync(format_args!("arbiter{i}@enter{i}:prodcell{i}@enter{i}"));
        model.sync(format_args!("arbiter{i}@exit{i}:prodcell{i}@exit{i}"));
    }
    model.finish()
}

/// Lets its cell in when the counter points at it, and hands the turn back afterwards.
fn arbiter(model: &mut Model, i: u32) {
    model.process(format_args!("arbiter{i}"));
    model.location("req").initial();
    model.location("ack");
    model.edge("req", "ack", format_args!("enter{i}")).when(format_args!("id=={i}")).then("id=0");
    model.edge("ack", "req", format_args!("exit{i}")).then(format_args!("id={i}"));
}

fn cell(model: &mut Model, i: u32) {
    let reset = format!("x{i}=0");
    let in_time = format!("x{i}<={}", DELAY - 1);
    let too_late = format!("x{i}>={DELAY}");
    let testing = format!("x{i}<={DELAY}");
    model.process(format_args!("prodcell{i}"));
    model.clock(format_args!("x{i}"));
    model.location("not_ready").initial();
    model.location("testing").invariant(&testing);
    model.location("requesting");
    model.location("critical").invariant(format_args!("x{i}<={}", 2 * DELAY));
    model.location("testing2").invariant(&testing);
    model.location("safe").label(format_args!("safe{i}"));
    model.location("error").label(format_args!("error{i}"));
    model.edge("not_ready", "testing", "tau").when(format_args!("x{i}<={}", 2 * DELAY)).then(&reset);
    model.edge("testing", "not_ready", "tau").when(&too_late).then(&reset);
    model.edge("testing", "requesting", "tau").when(&in_time);
    model.edge("requesting", "critical", format_args!("enter{i}")).then(&reset);
    model.edge("critical", "error", "tau").when(format_args!("x{i}>={}", 2 * DELAY));
    model.edge("critical", "testing2", format_args!("exit{i}")).when(&in_time).then(&reset);
    model.edge("testing2", "error", "tau").when(&too_late);
    model.edge("testing2", "safe", "tau").when(&in_time);
}

fn header(counter: Counter, n: u32) -> Header {
    let (family, counting) = match counter {
        Counter::AlwaysTurns => (FAMILY.name, "the counter always turns"),
        Counter::RestsWhileOccupied => (FORMATS15.name, "the counter rests while a cell is inside"),
    };
    Header {
        title: format!("Critical region shared by {n} production cells; {counting}"),
        instance: (family, n),
        about: &[
            "A counter points at one cell after the other; the arbiter of that cell lets it into the",
            "region. A cell that stays inside too long, or tests too long afterwards, is in error.",
        ],
        search: "error1 (the first cell was too slow; reachable)".to_owned(),
    }
}
