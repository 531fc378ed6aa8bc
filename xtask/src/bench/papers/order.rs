//! `docs/papers/search-order.md`: table 1 of F. Herbreteau and T.-T. Tran, *Improving search order for
//! reachability testing in timed automata*, FORMATS 2015, measured again; how robust the orders are; and
//! what `--order auto` makes of our models.

mod auto;
mod table;

use std::fmt::Write;

use super::page::{Counts, Dwell, grouped, write};
use crate::shell::{Outcome, cargo, output};

/// What random versions are made of.
const ROBUST: [(&str, u32); 6] = [
    ("blowup", 10),
    ("fddi", 8),
    ("csmacd-full", 7),
    ("fischer", 6),
    ("lynch", 6),
    ("critical-region-formats15", 3),
];

/// How many random versions of each.
const VERSIONS: u32 = 20;

/// Measures and writes the page.
pub(super) fn run() -> Outcome {
    let dwell = Dwell::build()?;
    let mut text = String::from(HEAD);
    table::table_1(&dwell, &mut text)?;
    transitions(&dwell, &mut text)?;
    topologies(&mut text)?;
    auto::auto(&dwell, &mut text)?;
    text.push_str(COST);
    write("search-order.md", &text)
}

const HEAD: &str = "\
# Search orders: paper 5, table 1

F. Herbreteau, T.-T. Tran: *Improving search order for reachability testing in timed automata*, FORMATS 2015.
Written by `cargo xtask bench papers order`; whole state spaces, Extra⁺LU with local bounds, inclusion.

";

/// Edges and synchronisations in random order: both the transitions of a state and the depth-first
/// searches of the waiting order see another sequence.
fn transitions(dwell: &Dwell, text: &mut String) -> Outcome {
    let _ = writeln!(
        text,
        "\n## Random transition orders\n\n{VERSIONS} versions of each model, their edges and synchronisations \
         shuffled. Visited states: as declared, then least, mean and most of the versions.\n\n\
         | | bfs | | ranking | | tw-bfs | | auto | |\n|---|---|---|---|---|---|---|---|---|"
    );
    for (family, size) in ROBUST {
        let declared = dwell.generate(family, size)?;
        let mut line = format!("| {family} {size}");
        for order in ["bfs", "ranking", "tw-bfs", "auto"] {
            let usual = visited(dwell.explore(&dwell.model(family, size)?, order)?);
            let mut all = Vec::new();
            for seed in 1..=VERSIONS {
                let file = dwell.file("shuffled.tck", &shuffled(&declared, u64::from(seed)))?;
                all.push(visited(dwell.explore(&file, order)?));
            }
            let _ = write!(line, " | {} | {}", grouped(usual), spread(&all));
        }
        let _ = writeln!(text, "{line} |");
    }
    text.push_str(SHUFFLED_NOTES);
    Ok(())
}

const SHUFFLED_NOTES: &str = "
The waiting order does not look at the sequence of edges (locations stay where they are declared), so only the sequence
of transitions is left to move tw-bfs.
";

/// Visited states, 0 if that took too long.
fn visited(counts: Option<Counts>) -> u64 {
    counts.map_or(0, |counts| counts.get("visited"))
}

fn spread(all: &[u64]) -> String {
    let mean = all.iter().sum::<u64>() / all.len().max(1) as u64;
    let [least, most] = [all.iter().min(), all.iter().max()].map(|n| n.copied().unwrap_or(0));
    format!("{} – {} – {}", grouped(least), grouped(mean), grouped(most))
}

/// The model with its edges and synchronisations in another sequence.
fn shuffled(text: &str, seed: u64) -> String {
    let mut state = seed;
    let mut below = |n: usize| {
        // SplitMix64
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % n as u64) as usize
    };
    let kind = |line: &str| match line.split(':').next() {
        Some("edge") => 1,
        Some("sync") => 2,
        _ => 0,
    };
    let mut parts: [Vec<&str>; 3] = Default::default();
    text.lines().for_each(|line| parts[kind(line)].push(line));
    for part in &mut parts[1..] {
        for i in (1..part.len()).rev() {
            part.swap(i, below(i + 1));
        }
    }
    parts.concat().join("\n") + "\n"
}

/// The same for the topological orders alone.
fn topologies(text: &mut String) -> Outcome {
    let _ = writeln!(
        text,
        "\n## Random topological orders\n\n{VERSIONS} depth-first searches of the automata that try edges at random; \
         the transitions of a state stay in their order. tw-bfs, visited states: in our order, in that which the \
         sequence of the edges gives (the paper's), and least, mean and most in random ones.\n\n\
         | | ours | declared | random |\n|---|---|---|---|"
    );
    for (family, size) in ROBUST {
        let printed = output(&mut cargo(&[
            "run",
            "--quiet",
            "--release",
            "--locked",
            "--package",
            "dwell-testkit",
            "--example",
            "random_topologies",
            "--",
            family,
            &size.to_string(),
            &VERSIONS.to_string(),
        ]))?;
        let first = |line: &str| line.split(' ').next().and_then(|n| n.parse().ok());
        let all: Vec<u64> = printed.lines().filter_map(first).collect();
        let [usual, declared, random @ ..] = all.as_slice() else { return Err("no figures".to_owned()) };
        let _ = writeln!(
            text,
            "| {family} {size} | {} | {} | {} |",
            grouped(*usual),
            grouped(*declared),
            spread(random)
        );
    }
    Ok(())
}

const COST: &str = "
## Cost

What the waiting lists take of the run time, by `perf record -F 9000`, the mean of five runs: adding and taking states
(`order/`), and finding what they are ordered by (`rank/`). Not made by the command.

| | order | taking and adding | ranks | together |
|---|---|---|---|---|
| csmacd 10 | auto | 1.0 % | 1.6 % | 2.6 % |
| | ranking | 1.5 % | 1.3 % | 2.9 % |
| fischer 10 | auto | 0.7 % | 0.8 % | 1.6 % |
| | ranking | 0.6 % | 0.9 % | 1.4 % |
";

#[cfg(test)]
mod tests {
    use super::shuffled;

    #[test]
    fn a_shuffled_model_has_the_same_lines() {
        let text = "system:s\nprocess:P\nedge:a\nedge:b\nedge:c\nsync:d\nsync:e\n";
        let sorted = |text: &str| {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            lines.sort();
            lines
        };
        let versions: Vec<String> = (0..20).map(|seed| shuffled(text, seed)).collect();
        assert!(versions.iter().all(|version| sorted(version) == sorted(text)));
        assert!(versions.iter().any(|version| version != &versions[0]));
        assert!(versions.iter().all(|version| version.starts_with("system:s\nprocess:P\n")));
    }
}
