//! Tables 3 and 4, figures 4 and 5: time, speed-up and work, normalised by the number of states.

use std::fmt::Write;

use super::measure::Bench;
use super::printed::{self, TABLE_1, TABLE_3};
use super::{ORDERS, WORKERS};
use crate::bench::papers::page::Case;
use crate::shell::Outcome;

/// Runs that take turns, for times.
const TURNS: usize = 7;

/// Run times with one worker and with two.
pub(super) fn times(bench: &mut Bench, cases: &[Case], text: &mut String) -> Outcome {
    text.push_str(TIMES_HEAD);
    for case in cases {
        for (column, (order, name)) in ORDERS.into_iter().enumerate() {
            let mut seconds = [f64::INFINITY; 2];
            let mut states = [0.0; 2];
            for turn in 0..TURNS {
                for (at, workers) in [(0, 1), (1, 2)] {
                    // A name of its own, so that every turn is a run.
                    let seed = turn.to_string();
                    let options: Vec<&str> = ["--space", "--order", order, "--seed", &seed]
                        .into_iter()
                        .chain(case.defines())
                        .collect();
                    if let Some(runs) = bench.several(&case.file, workers, &options, 1)? {
                        seconds[at] = seconds[at].min(runs.seconds());
                        states[at] = runs.visited();
                    }
                }
            }
            let speedup = (seconds[0] / states[0]) / (seconds[1] / states[1]);
            let paper = printed::of(&TABLE_3, case.printed).zip(printed::of(&TABLE_1, case.printed));
            let paper = paper.map_or(String::new(), |((_, times), (_, states))| {
                let of = |at: usize| {
                    let [time, states] =
                        [times[at], states[at]].map(|(fifo, priority)| [fifo, priority][column]);
                    time / states
                };
                format!("*{:.2}*", of(0) / of(1))
            });
            let _ = writeln!(
                text,
                "| {} | {name} | {:.2} | {:.2} | {:.2} | {paper} |",
                case.name, seconds[0], seconds[1], speedup
            );
        }
    }
    text.push_str(TIMES_NOTES);
    Ok(())
}

const TIMES_HEAD: &str = "
## Tables 3 and 4, figure 4: time

The least seconds of seven runs that took turns, and the normalised speed-up: (time₁ / states₁) / (time₂ / states₂); the
paper's from the Sun's tables, in italics. Only for as many workers as there are cores.

| model | list | 1 worker | 2 workers | speed-up | paper |
|---|---|---|---|---|---|
";

const TIMES_NOTES: &str = "
Most of these runs are too short to say much: [longer ones](../techniques/threads.md). The
paper's speed-ups beyond 2 come from caches, by its own conjecture: a worker's part of the lists fits better than the
whole. Ours fit anyway.
";

/// CPU time per state, and what the load allows.
pub(super) fn work(bench: &mut Bench, cases: &[Case], text: &mut String) -> Outcome {
    text.push_str(WORK_HEAD);
    for case in cases {
        let Some(alone) = bench.explore(case, 1, &["--order", "depth"])? else { continue };
        let paper = printed::of(&TABLE_3, case.printed).zip(printed::of(&TABLE_1, case.printed));
        for (at, workers) in WORKERS.into_iter().enumerate().skip(1) {
            let Some(runs) = bench.explore(case, workers, &["--order", "depth"])? else { continue };
            let work = runs.cost() / alone.cost();
            let imbalance = runs.imbalance();
            let theirs = paper.map_or(String::new(), |((_, times), (_, states))| {
                let of = |at: usize| times[at].1 * WORKERS[at] as f64 / states[at].1;
                let work = of(at) / of(0);
                format!("*{work:.2}* | *{:.1}*", workers as f64 / work)
            });
            let theirs = if theirs.is_empty() { " | ".to_owned() } else { theirs };
            let _ = writeln!(
                text,
                "| {} | {workers} | {work:.2} | {imbalance:.2} | {:.1} | {theirs} |",
                case.name,
                workers as f64 / work / imbalance
            );
        }
    }
    text.push_str(WORK_NOTES);
    Ok(())
}

const WORK_HEAD: &str = "
## Figures 4 and 5: work and load

Priority. *Work* is CPU time per state, in terms of one worker's: what several cost beside the states they share. *Load* is
what the busiest worker visits, in terms of the mean. Workers / work / load is the speed-up that is left where each worker
has a core of its own and none ever waits for another. The paper's work counts waiting as well.

| model | workers | work | load | allows | work, paper | speed-up, paper |
|---|---|---|---|---|---|---|
";

const WORK_NOTES: &str = "
Parcels, locks and cold caches are the cost of sharing: a fifth with two workers, up to a half with eight that share two
cores. It is worst where a state is cheap (dacapo takes 0.05 s in all, loading included). The paper's work falls below 1,
ours does on bo-power-down alone, where visits become cheaper; why was not looked into. Where the paper's speed-up is near
or above the number of workers, ours allows half to two thirds of it: a state takes 1 to 7 µs here and took 200 to 400 µs
there, while a message has become cheaper by less.
";
