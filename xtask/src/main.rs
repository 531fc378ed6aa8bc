//! Development tasks, run as `cargo xtask TASK`.
//!
//! | task | what it does |
//! |---|---|
//! | `test` | everything a change must pass; also `ci` |
//! | `clients` | installs the programs of others that tests run |
//! | `book` | looks through the pages of `docs`, and builds the book where mdBook is installed |
//! | `dist` | manual, completions and a Debian package, in `target/dist` |
//! | `bench` | runs the program over a fixed list of models and plans, and records time and memory |
//! | `bench micro` | times the zone kernels |
//! | `bench papers` | measures the tables of the papers and writes `docs/papers` |

#![forbid(unsafe_code)]

mod bench;
mod book;
mod dist;
mod shell;
mod test;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask TASK

  test              format, lints, licences, build, clients, tests, documentation, benches in small
  ci                the same
  clients           install the programs of others that tests run, from PyPI; test does it too
  book              look through the pages of docs; build the book where mdbook is installed
  dist              manual, completions and a Debian package, in target/dist
      --binary PATH     of a dwell program built earlier (default: build one)
  bench [OPTIONS]   run the program over a fixed list of models and plans
      --smoke           tiny models, one run, check verdicts and counts
      --rival PATH      run this tck-reach on the same models, alternating, and compare
      --runs N          how many runs of each; medians are printed (default 3)
      --only TEXT       only the cases whose name contains TEXT
      --binary PATH     a dwell program built earlier (default: build one)
      --out FILE        where to append the records (default: bench/history/macro.jsonl)
  bench cluster          simulate many ranks, write docs/cluster-scaling.md
      --binary PATH     the simulation, built earlier (default: build it)
  bench micro [OPTIONS]  time the zone kernels
      --smoke           a few rounds: do they run?
      --count           count instructions as well, under valgrind
      --out FILE        where to append the records (default: bench/history/micro.jsonl)
  bench papers           write all pages of docs/papers; or one of them:
  bench papers distributed  write docs/papers/distributed.md
  bench papers memory    write docs/papers/memory.md
  bench papers order     write docs/papers/search-order.md
  bench papers storing   write docs/papers/storing.md
  bench papers index     write docs/papers/index.md, which measures nothing
      --large           with models that take minutes";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["test" | "ci"] => test::run(),
        ["clients"] => test::clients(),
        ["bench", "cluster", options @ ..] => bench::cluster::run(options),
        ["book"] => book::run(),
        ["dist", options @ ..] => dist::run(options),
        ["bench", "micro", options @ ..] => bench::micro::run(options),
        ["bench", "papers", names @ ..] => bench::papers::run(names),
        ["bench", options @ ..] => bench::run(options),
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            Ok(())
        }
        [] => Err(format!("no task given\n\n{USAGE}")),
        [task, ..] => Err(format!("no such task, or too much after it: `{task}`\n\n{USAGE}")),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}
