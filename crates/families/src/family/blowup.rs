//! A racing situation iterated: figure 2 of F. Herbreteau and T.-T. Tran, *Improving search order for
//! reachability testing in timed automata*, FORMATS 2015.
//!
//! The pattern is the paper's: from q1 a short cut leads to q3 at once but only later than 1, the detour
//! through q2 has no guard, so the longer path brings the bigger zone. The clocks and the final guard are
//! ours. Clock `x{i}` starts with iteration i, so a zone remembers by `x{i} - x{i+1} > 1` that iteration
//! i took the short cut, and q{2i+1} has one zone for every subset of the first i iterations. The last
//! guard mentions every clock with a constant of at least n, lest an extrapolation forget a difference;
//! it cannot be met, since the clocks are ordered by age.
//!
//! Breadth-first search that takes the short cut first visits all 3·2ⁿ − 2 nodes and keeps 2n + 1 of them.
//! The paper keeps as many, but visits fewer on the way (63, 1254 and 37091 for n = 5, 10 and 15).

use crate::Family;
use crate::model::{Header, Model};

pub(crate) const FAMILY: Family = Family {
    name: "blowup",
    summary: "small zones found first, 2^n times over; the size counts iterations of the pattern",
    default_size: 8,
    min_size: 1,
    max_size: 200,
    write,
};

fn write(n: u32) -> String {
    let mut model = Model::new(&header(n), format_args!("blowup_{n}"));
    model.event("tau");
    model.process("P");
    for i in 1..=n + 1 {
        model.clock(format_args!("x{i}"));
    }
    model.location("q1").initial();
    for q in 2..=2 * n + 1 {
        model.location(format_args!("q{q}"));
    }
    model.location("qf").label("final");
    for i in 1..=n {
        let [begin, detour, end] = [2 * i - 1, 2 * i, 2 * i + 1].map(|q| format!("q{q}"));
        let start_next = format!("x{}=0", i + 1);
        model.edge(&begin, &end, "tau").when(format_args!("x{i}>1")).then(&start_next);
        model.edge(&begin, &detour, "tau");
        model.edge(&detour, &end, "tau").then(&start_next);
    }
    let rest: Vec<String> = (2..=n + 1).map(|i| format!("x{i}=={n}")).collect();
    model.edge(format_args!("q{}", 2 * n + 1), "qf", "tau").when(format_args!("x1<{n}&&{}", rest.join("&&")));
    model.finish()
}

fn header(n: u32) -> Header {
    Header {
        title: format!("Racing situation, {n} iterations"),
        instance: (FAMILY.name, n),
        about: &[
            "In each iteration a guarded short cut races an unguarded detour of two edges that brings",
            "the bigger zone. Breadth-first search meets all the small zones first.",
            "After figure 2 of F. Herbreteau and T.-T. Tran, Improving search order for reachability",
            "testing in timed automata, FORMATS 2015; clocks and constants are ours.",
        ],
        search: "final (not reachable)".to_owned(),
    }
}
