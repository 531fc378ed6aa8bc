//! `cargo xtask bench cluster`: what to expect of more ranks than there are, by simulation; `docs/cluster-scaling.md`.
//!
//! The simulation is the example `cluster` of `dwell-testkit`: the real exploration, one rank at a time, in virtual time.
//! What things cost was measured here once and is written below, so that the page is the same on every machine.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;

use crate::shell::{Outcome, cargo, output, root, show, target_directory};

/// Nanoseconds: CPU time of fischer 10 with one thread, 1.5 s for 447,917 visits.
const STATE: f64 = 3_400.0;
/// Nanoseconds, for each side: what two threads take beyond that, for 850,000 states of 157 bytes.
const BYTE: f64 = 1.3;

/// Ranks.
const RANKS: [u32; 4] = [16, 64, 256, 1024];

/// A name, nanoseconds for a message at each end, nanoseconds of latency, and megabytes in a second.
type Network = (&'static str, f64, f64, f64);

const FAST: Network = ("InfiniBand", 500.0, 2_000.0, 10_000.0);
const PLAIN: Network = ("10 Gbit Ethernet", 2_000.0, 20_000.0, 1_200.0);

/// Bytes of a batch, and states expanded before what there is gets sent.
const BATCH: u32 = 1 << 14;
const PATIENCE: u32 = 32;

/// Simulates and writes the page.
pub(crate) fn run(words: &[&str]) -> Outcome {
    let program = match words {
        [] => build()?,
        ["--binary", path] => PathBuf::from(path),
        _ => return Err("bench cluster takes --binary PATH, or nothing".to_owned()),
    };
    let mut text = HEAD.to_owned();
    for (size, network) in [(9, FAST), (10, FAST), (9, PLAIN)] {
        let (name, message, latency, mbytes) = network;
        let _ = writeln!(
            text,
            "\n## fischer {size}, {name}\n\n{message:.0} ns for a message at each end, {:.0} µs of latency, {:.1} GB/s for each \
             rank.\n\n{COLUMNS}",
            latency / 1e3,
            mbytes / 1e3
        );
        for ranks in RANKS {
            // The largest of all takes too long for what it adds.
            if (size, ranks) != (10, 1024) {
                let run = Simulated::run(&program, size, ranks, PATIENCE, network)?;
                let _ = writeln!(text, "{}", run.row(&ranks.to_string(), ranks));
            }
        }
    }
    let _ =
        writeln!(text, "\n## Smaller and larger batches\n\nfischer 9, {}, 256 ranks.\n\n{COLUMNS}", FAST.0);
    for patience in [8, 32, 128] {
        let run = Simulated::run(&program, 9, 256, patience, FAST)?;
        let _ = writeln!(text, "{}", run.row(&format!("sent after {patience} states"), 256));
    }
    text.push_str(NOTES);
    let path = root().join("docs/cluster-scaling.md");
    std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
}

fn build() -> Outcome<PathBuf> {
    show(cargo(&["build", "--quiet", "--release", "--locked"]).args([
        "--package",
        "dwell-testkit",
        "--example",
        "cluster",
    ]))?;
    Ok(target_directory()?.join("release/examples/cluster"))
}

/// What a simulation says.
struct Simulated {
    visited: f64,
    nanoseconds: f64,
    imbalance: f64,
    messages: f64,
    bytes: f64,
}

impl Simulated {
    fn run(program: &PathBuf, size: u32, ranks: u32, patience: u32, network: Network) -> Outcome<Self> {
        eprintln!("fischer {size}, {ranks} ranks, {}", network.0);
        let (_, message, latency, mbytes) = network;
        let numbers = [size, ranks, BATCH, patience].map(|number| number.to_string());
        let costs = [STATE, BYTE, message, latency, mbytes].map(|cost| cost.to_string());
        let printed = output(Command::new(program).arg("fischer").args(numbers).args(costs))?;
        let figures: Vec<f64> = printed.split_whitespace().filter_map(|figure| figure.parse().ok()).collect();
        let [visited, _, nanoseconds, imbalance, messages, bytes, _] = figures[..] else {
            return Err(format!("the simulation printed {printed}"));
        };
        Ok(Self { visited, nanoseconds, imbalance, messages, bytes })
    }

    fn row(&self, name: &str, ranks: u32) -> String {
        let ranks = f64::from(ranks);
        // Of one rank that visits as many states: normalised, as in paper 4.
        let speedup = STATE * self.visited / self.nanoseconds;
        format!(
            "| {name} | {:.1} | {speedup:.0} | {:.0} % | {:.2} | {:.0} | {:.0} | {:.0} | {:.0} |",
            self.nanoseconds / 1e6,
            100.0 * speedup / ranks,
            self.imbalance,
            self.visited,
            self.bytes / self.messages.max(1.0),
            self.messages / ranks / self.nanoseconds * 1e6,
            1e3 * self.bytes / ranks / self.nanoseconds,
        )
    }
}

const COLUMNS: &str = "\
| ranks | ms | speed-up | of ideal | load | visited | bytes of a message | messages, per ms and rank | MB/s per rank |
|---|---|---|---|---|---|---|---|---|";

const HEAD: &str = "\
# Expected scaling

What more ranks than anybody here has would do, by simulation. Written by `cargo xtask bench cluster`.

The exploration is the real one: every rank has its own passed/waiting list, states travel through the same batches,
credits and termination detection as in a run, `--order depth`, `--distribution d0`. Only time is made up: of all ranks the
one whose clock is least goes on, and clocks advance by what things cost. Measured on one core: 3.4 µs for a visited state
(its successors included), 1.3 ns for a byte that is packed or unpacked. The network is given by its numbers: what a message
costs the sender and the receiver, its latency, and the bandwidth of a rank's link; switches are never full. *Speed-up* is
normalised by visited states, as in paper 4; *load* is what the busiest rank visits, in terms of the mean.
";

const NOTES: &str = "
## What follows

- **Messages, not bytes, are the limit.** No rank ever needs more than a twentieth of its link. But what a rank makes in 32
  states is spread over all others, so that messages shrink to a state or two of 157 bytes, and each costs both ends a
  part of what a state costs; so does the credit that answers it. Four times the price of a message and ten times the
  latency (Ethernet) take more than half of the speed-up of 64 ranks.
- **The load is no problem**: with D0 the busiest rank visits 1.00 to 1.08 times the mean up to 256 ranks, less evenly only
  where a rank has a hundred states. Nor is the search order: `--order depth` visits at most 9 % more up to 256 ranks.
- **The state space must be large.** With 256 ranks fischer 10, three times as large as fischer 9, is at 27 % of the ideal
  and not 19 %. 1024 ranks are slower than 256 on fischer 9: a rank has 130 states then, and the token that tells the end
  takes 1024 × 3 µs for each of its rounds. Some ten thousand states for each rank are a sensible least.
- **Waiting longer before batches are sent** pays in time and costs visits (128 states: 5 % less time, 22 % more visits).

What to try first on a real cluster: threads inside a node, one message for the whole node; credits that travel with
states; a tree in place of the ring; `--distribution d2` with `--keep non-committed`, which sends a third of the states
([table 5](papers/distributed.md), the bus coupler). Where a state takes longer than the three microseconds it takes here,
the same messages cost less of the whole.

Left out: switches that are full, ranks that share a link, other programs, and the cost of memory that is colder with
more ranks, or warmer.
";
