//! Table 2, and the best that each model can be searched with.

use std::fmt::Write;

use super::measure::{Bench, Relative, Search, cell};
use super::printed::{STRATEGIES, TABLE_2};
use crate::bench::papers::page::{Case, grouped};
use crate::shell::Outcome;

/// What the paper does not have.
const MORE: [&str; 3] = ["non-committed", "every:10", "auto"];

/// Zones as they were in 2003.
const OLD_ZONES: [&str; 6] = ["--abstraction", "extra-m", "--bounds", "global", "--reduce-clocks", "off"];

/// What suits a model better than the numbers of table 2.
const TUNED: [(&str, &[&str]); 10] = [
    ("brp", &["random:0.05,0.7 O4", "distance:9", "covering O5"]),
    ("flexray 2", &["distance:20", "distance:25"]),
    ("train-gate 4", &["combination:2 O1", "covering O1"]),
    ("train-gate 5", &["combination:2 O1", "covering O1"]),
    ("dacapo", &["combination:2"]),
    ("bo-collision", &["distance:20", "distance:30", "combination:3 O5"]),
    ("lip6-bocdp-67e2c3", &["combination:4", "combination:5"]),
    ("bo-power-down", &["combination:4"]),
    ("field-bus", &["combination:2 O1", "distance:12"]),
    ("fddi 7", &["distance:20", "covering O5"]),
];

pub(super) fn table_2(bench: &mut Bench, cases: &[Case], text: &mut String) -> Outcome {
    text.push_str(HEAD);
    header(text, "", &[&STRATEGIES[..], &MORE].concat());
    let mut shown = "";
    for case in cases {
        if let Some((name, states, row)) = TABLE_2.iter().find(|row| case.printed.contains(&row.0))
            && *name != shown
        {
            shown = name;
            let cells: Vec<String> =
                row.iter().map(|(memory, overhead)| format!("*{memory:.1} % · {overhead:.2}*")).collect();
            let _ = writeln!(text, "| *{name}* | *{}* | {} | | | |", grouped(*states), cells.join(" | "));
        }
        line(bench, case, &[&STRATEGIES[..], &MORE].concat(), &[], text)?;
    }
    text.push_str(NOTES);
    text.push_str(OLD_HEAD);
    header(text, "", &STRATEGIES);
    for case in cases.iter().filter(|case| case.printed.contains(&"old")) {
        if let Some((name, states, row)) = TABLE_2.iter().find(|row| case.printed.contains(&row.0)) {
            let cells: Vec<String> =
                row.iter().map(|(memory, overhead)| format!("*{memory:.1} % · {overhead:.2}*")).collect();
            let _ = writeln!(text, "| *{name}* | *{}* | {} |", grouped(*states), cells.join(" | "));
        }
        line(bench, case, &STRATEGIES, &OLD_ZONES, text)?;
    }
    text.push_str(OLD_NOTES);
    Ok(())
}

fn header(text: &mut String, first: &str, columns: &[&str]) {
    let _ = writeln!(
        text,
        "| {first} | states | {} |\n|---|---|{}",
        columns.join(" | "),
        "---|".repeat(columns.len())
    );
}

fn line(bench: &mut Bench, case: &Case, keeps: &[&str], zones: &[&str], text: &mut String) -> Outcome {
    let all = bench.run(case, Search { zones, ..Search::breadth_first("all") })?;
    let states = all.map_or("⊥".to_owned(), |all| grouped(all.get("stored")));
    let mut cells = Vec::new();
    for keep in keeps {
        cells.push(cell(bench.relative(case, Search { zones, ..Search::breadth_first(keep) })?));
    }
    let _ = writeln!(text, "| {} | {states} | {} |", case.name, cells.join(" | "));
    Ok(())
}

const HEAD: &str = "
## Table 2: strategies

Memory and overhead, breadth first; the paper's rows are in italics, ours below them.

";

const NOTES: &str = "
- Fischer, CSMA: nothing saves much without many visits, here as there; these are copies of one process, whose
  interleavings fill the waiting list. Extra⁺LU leaves so few zones that fischer 4 has a fourteenth of the paper's states
  (see the next table).
- Token ring: breadth first meets small zones long before the large ones that cover them (fddi 10 visits 10,219 states to
  keep 525), and all that waits is in memory: `covering` stores 4 % of the states in the end, and the list has 122 % at its
  longest. With an order that meets large zones first it is otherwise, see below. The public model (finv-fddi-0006) has no
  more than 75 states and no such zones. `successors` goes round a cycle of states with one successor each there until its
  counter says 1,000 (with `successors:20`: 13.3 % · 1.36); the paper never met one.
- Train-gate: `entry-points` is a covering set here (each train's edge into its only loop), so it is not worse than
  `covering`. `successors` and `distance` save less than in the paper. Its model has six automata for four trains, ours
  five and a queue in variables; what of it matters was not looked into.
- BRP: the paper's, but for more visits with `combination` and `covering`, whose edges are rarer than those of its set.
- BOCDP, Buscoupler: about the paper's.
- Dacapo: the start-up of `flexray 2` behaves as the paper's does. Our dacapo has drifting clocks and visits each state more
  than twice even if all are stored; with `combination` 13 % are stored in the end, more than half of the memory waits.
- BOPDP: as under table 1, more is stored than in the paper, 16 % in the end with `combination`.
- `every:10` is `random:0.1` without the dice. `non-committed` costs next to nothing, as committed states are seldom met
  twice; train-gate, brp and csmacd are the exceptions. For `auto` see below.
";

const OLD_HEAD: &str = "
### With zones as they were

`--abstraction extra-m --bounds global --reduce-clocks off`, nearest to what was there in 2003.

";

const OLD_NOTES: &str = "
Fischer's protocol has the paper's 3,077 states now, and `successors` its 47.9 % and 1.00. `random`, `distance` and
`combination`, which depend on dice and on the sequence of transitions, are near; `entry-points` and `covering` go by other
edges, and cost the waiting list more. CSMA is near as well. The other models are not the paper's files.
";

/// The best of table 2 and of other numbers, with fewer than twice the visits.
pub(super) fn headline(bench: &mut Bench, cases: &[Case], text: &mut String) -> Outcome {
    text.push_str(BEST_HEAD);
    let mut best_of: Vec<(&str, f64)> = Vec::new();
    for case in cases {
        let tuned = TUNED.iter().find(|(name, _)| case.name == *name).map_or(&[][..], |(_, keeps)| keeps);
        let mut best: Option<(&str, Relative)> = None;
        for keep in STRATEGIES.iter().chain(tuned) {
            let Some(found) = bench.relative(case, Search::breadth_first(keep))? else { continue };
            if found.overhead < 2.0 && best.is_none_or(|(_, best)| found.memory < best.memory) {
                best = Some((keep, found));
            }
        }
        let name = TABLE_2.iter().find(|row| case.printed.contains(&row.0)).map_or("", |row| row.0);
        let Some((keep, found)) = best else {
            let _ = writeln!(text, "| {} | {name} | none | | | |", case.name);
            continue;
        };
        let reached = match found.memory {
            memory if memory <= 10.0 => "≤ 10 %",
            memory if memory <= 20.0 => "≤ 20 %",
            _ => "",
        };
        let Relative { memory, overhead, .. } = found;
        let _ = writeln!(
            text,
            "| {} | {name} | `{keep}` | {memory:.1} % | {overhead:.2} | {reached} |",
            case.name
        );
        match best_of.iter_mut().find(|(of, _)| *of == name) {
            Some((_, least)) => *least = least.min(memory),
            None if name.is_empty() => {}
            None => best_of.push((name, memory)),
        }
    }
    let within = |bound: f64| best_of.iter().filter(|(_, least)| *least <= bound).count();
    let _ = writeln!(
        text,
        "\nOf the paper's {} models {} get along with 20 % of the states or less, {} with 10 % or less.",
        TABLE_2.len(),
        within(20.0),
        within(10.0)
    );
    text.push_str(BEST_NOTES);
    Ok(())
}

const BEST_HEAD: &str = "
## The best with less than twice the visits

Of the six strategies, and of others with numbers that suit the model (a heuristic behind the strategy: with the covering
set that it finds).

| model | paper's | strategy | memory | overhead | |
|---|---|---|---|---|---|
";

const BEST_NOTES: &str = "
With the same bound the paper's table has five below 20 % (BRP, Token Ring, Dacapo, BOCDP, BOPDP), four of them below 10 %.
Missing here: BOPDP by a little, for the reasons above. Token ring counts by a small public model. On brp the covering set
is one that O4 found, which draws edges at random. With seeds 1 to 5 for the dice and this set, `random:0.05,0.7` takes 16.9
to 17.4 % and 1.86 to 1.92 visits; with the sets that seeds 2 to 5 find, 27 % and 1.33 (three) or 19 % and 2.22.
";
