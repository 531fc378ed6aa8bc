//! The command line, made from the engine's option table.

mod measuring;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, ArgAction, Command};
use dwell_engine::{OPTIONS, OptionSpec, units};
use std::ffi::OsStr;
use std::str::FromStr;

/// The whole command line.
pub fn command() -> Command {
    Command::new("dwell")
        .version(env!("CARGO_PKG_VERSION"))
        .about("A model checker for real-time systems")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(check())
        .subcommand(generate())
        .subcommand(convert())
        .subcommand(simulate())
        .subcommand(analyse())
        .subcommand(crate::verifyta::command())
        .subcommand(measuring::bench())
        .subcommand(measuring::plot())
        .subcommand(pages())
}

fn flag(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
}

fn check() -> Command {
    let mut command = Command::new("check")
        .about("Verify a model")
        .after_help(
            "Exit codes: 0 every query is satisfied; 1 some query is not; 2 bad usage, bad input or a model that \
             fails while running; 3 some verdict is unknown; 130 interrupted.",
        )
        .arg(Arg::new("model").value_name("MODEL").required(true).help("An .xml, .xta or .ta file (UPPAAL), a .tck or .txt file (TChecker), or - for standard input"))
        .arg(Arg::new("queries").value_name("QUERIES.q").help("A file of queries; replaces those in the model"))
        .arg(
            Arg::new("query")
                .short('q')
                .long("query")
                .value_name("TEXT")
                .action(ArgAction::Append)
                .help("A query, such as 'A[] not deadlock'; replaces those in the files. May repeat"),
        )
        .arg(
            Arg::new("only")
                .long("only")
                .value_name("N")
                .value_parser(whole::<usize>)
                .allow_negative_numbers(true)
                .action(ArgAction::Append)
                .help("Only the N-th query, counted from 1. May repeat"),
        )
        .arg(define_arg())
        .arg(
            Arg::new("labels")
                .long("labels")
                .value_name("a,b")
                .action(ArgAction::Append)
                .help("Is a state reachable that carries all these labels? May repeat"),
        )
        .arg(flag("space", "Explore the whole state space and report the statistics"));
    for option in OPTIONS {
        command = command.arg(option_arg(option));
    }
    command
        .arg(
            Arg::new("heuristic")
                .long("heuristic")
                .value_name("EXPR")
                .allow_hyphen_values(true)
                .help("For --order best-first: an integer expression over variables and locations, smallest first"),
        )
        .arg(
            Arg::new("cover-set")
                .long("cover-set")
                .value_name("FILE")
                .help("For --keep: a covering set of yours, which is verified; see dwell analyse --covering"),
        )
        .arg(
            Arg::new("threads")
                .long("threads")
                .value_name("N")
                .value_parser(clap::value_parser!(u16).range(..=MAX_THREADS))
                .allow_negative_numbers(true)
                .default_value("1")
                .help("How many threads share the work; 0: one for every core"),
        )
        .arg(
            Arg::new("seed")
                .long("seed")
                .value_name("N")
                .value_parser(whole::<u64>)
                .allow_negative_numbers(true)
                .default_value("1")
                .help("For every random choice"),
        )
        .arg(
            Arg::new("trace-out")
                .long("trace-out")
                .value_name("FILE")
                .help("Write the trace of the last query that has one there: as JSON if the name ends in .json, as a sequence chart if it ends in .svg, in UPPAAL's format if it ends in .xtr, else as text"),
        )
        .arg(timeout().help("Stop a query after this long: 500ms, 90s, 1.5m, 2h"))
        .arg(memory())
        .args(disk())
        .arg(
            Arg::new("log")
                .long("log")
                .value_name("FILE")
                .help("Write there how the run goes, one JSON document on each line; see dwell plot"),
        )
        .arg(input_format())
        .arg(
            Arg::new("warnings")
                .long("warnings")
                .value_name("WHICH")
                .value_parser(["default", "all"])
                .default_value("default")
                .help("all: also what is unused, unreachable or unmatched in a model"),
        )
        .arg(flag("convex-hull", "One zone for each discrete state: what is found may not be there"))
        .arg(flag("deny-warnings", "Warnings of the model are errors"))
        .arg(flag("json", "One JSON document on standard output and nothing else there"))
        .arg(flag("explain", "Print what will be done and why; afterwards all that was counted"))
        .arg(progress())
}

fn timeout() -> Arg {
    // `-1s` is no option that nobody knows, but a time that cannot be.
    Arg::new("timeout")
        .long("timeout")
        .value_name("TIME")
        .value_parser(units::duration)
        .allow_hyphen_values(true)
}

fn memory() -> Arg {
    Arg::new("memory")
        .long("memory")
        .value_name("SIZE")
        .value_parser(units::size)
        .allow_hyphen_values(true)
        .help("Stop when the process holds this much: 512MiB, 4GiB [default: nine tenths of what is free]")
}

fn progress() -> Arg {
    Arg::new("progress")
        .long("progress")
        .value_name("WHEN")
        .value_parser(["auto", "on", "off"])
        .default_value("auto")
        .help("Show how far the run is: auto = on a terminal")
}

/// More threads than any machine has cores for.
const MAX_THREADS: i64 = 1024;

/// One of several values, with what may follow a colon; the engine reads that.
#[derive(Clone)]
struct Choice(PossibleValuesParser);

impl TypedValueParser for Choice {
    type Value = String;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, clap::Error> {
        match value.to_str().and_then(|text| text.split_once(':')) {
            Some((name, _)) => {
                self.0.parse_ref(command, arg, OsStr::new(name))?;
                Ok(value.to_string_lossy().into_owned())
            }
            None => self.0.parse_ref(command, arg, value),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        self.0.possible_values()
    }
}

/// What a run may use of the disk.
fn disk() -> [Arg; 4] {
    let file = |name| Arg::new(name).long(name).value_name("FILE");
    [
        file("checkpoint").help("Write the run there now and then, and where a limit or Ctrl-C stops it"),
        Arg::new("checkpoint-every")
            .long("checkpoint-every")
            .value_name("TIME")
            .value_parser(units::duration)
            .default_value("60s")
            .help("How often --checkpoint writes"),
        file("resume").help("Go on from what --checkpoint wrote, for the same model, query and options"),
        Arg::new("spill")
            .long("spill")
            .value_name("DIR")
            .help("When --memory is reached, move what is stored to a file in this folder and go on, slower"),
    ]
}

fn option_arg(option: &'static OptionSpec) -> Arg {
    let values = option.values.iter().map(|(value, help)| PossibleValue::new(*value).help(*help));
    Arg::new(option.name)
        .long(option.name)
        .value_name("HOW")
        .value_parser(Choice(PossibleValuesParser::new(values)))
        .default_value(option.values[0].0)
        .help(option.help)
}

fn define_arg() -> Arg {
    Arg::new("define")
        .short('D')
        .value_name("NAME=VALUE")
        .value_parser(define)
        .action(ArgAction::Append)
        .help("Another value for a global constant of the model. May repeat")
}

fn input_format() -> Arg {
    Arg::new("input-format")
        .long("input-format")
        .value_name("FORMAT")
        .value_parser(["xml", "xta", "ta", "tck"])
        .help("Format of the model, where its name does not tell")
}

fn convert() -> Command {
    Command::new("convert")
        .about("Translate a model")
        .after_help("What the other format cannot say, or would say with another meaning, is refused.")
        .arg(Arg::new("model").value_name("MODEL").required(true).help("The model, or - for standard input"))
        .arg(
            Arg::new("to")
                .long("to")
                .value_name("FORMAT")
                .required(true)
                .value_parser(["xml", "xta", "tck", "q", "dot", "svg", "json"])
                .help("Format to write; q: the queries alone; svg: a picture of the templates"),
        )
        .arg(Arg::new("output").short('o').long("output").value_name("FILE").help("Write there"))
        .arg(define_arg())
        .arg(input_format())
}

/// The options of the engine that change the meaning of a model.
pub const MEANING: &[&str] = &["out-of-range", "overflow"];

fn simulate() -> Command {
    let options = OPTIONS.iter().filter(|option| MEANING.contains(&option.name));
    Command::new("simulate")
        .about("Step through a model by hand or at random")
        .after_help("Commands are read from standard input, one per line; `help` lists them.")
        .arg(Arg::new("model").value_name("MODEL").required(true).help("The model, or - for standard input"))
        .arg(flag("concrete", "Start with exact clock values instead of zones"))
        .arg(
            Arg::new("seed")
                .long("seed")
                .value_name("N")
                .value_parser(whole::<u64>)
                .allow_negative_numbers(true)
                .default_value("0")
                .help("For random steps"),
        )
        .arg(
            Arg::new("trace")
                .long("trace")
                .value_name("FILE")
                .help("Follow a saved run first, or one written by check --trace-out or --json"),
        )
        .args(options.map(option_arg))
        .arg(define_arg())
        .arg(input_format())
}

fn analyse() -> Command {
    Command::new("analyse")
        .about("Show what static analysis finds in a model")
        .after_help(
            "Without --clocks, --covering, --cover-set and --sanity: the first two, and what is unused, unreachable or \
             unmatched in the text; nothing is explored then.\n\n\
             Exit codes: 0 done, nothing was found; 1 --sanity has findings, or a proposed set is not shown to be \
             covering; 2 bad usage or bad input; 3 --sanity found nothing and could not explore everything; 130 \
             interrupted.",
        )
        .arg(Arg::new("model").value_name("MODEL").required(true).help("The model, or - for standard input"))
        .arg(flag("clocks", "Where clocks matter, and the largest constants they are compared with there"))
        .arg(flag("covering", "Local cycles, and sets of edges that no infinite path avoids for ever"))
        .arg(flag("sanity", "What is never reached, taken, read or matched, and where time may stand still"))
        .arg(
            Arg::new("cover-set")
                .long("cover-set")
                .value_name("FILE")
                .help("Is this set covering? One edge on each line: Process: source -> target, with #n for the n-th of several"),
        )
        .arg(
            Arg::new("seed")
                .long("seed")
                .value_name("N")
                .value_parser(whole::<u64>)
                .allow_negative_numbers(true)
                .default_value("1")
                .help("For random walks and every random choice"),
        )
        .arg(timeout().help("Stop exploring after this long: 500ms, 90s, 1.5m, 2h"))
        .arg(memory())
        .arg(progress())
        .arg(define_arg())
        .arg(input_format())
        .arg(flag("json", "One JSON document on standard output and nothing else there"))
}

/// What packages are made of; no command for every day.
fn pages() -> Command {
    Command::new("pages").about("Write the manual and the completions of shells").hide(true).arg(
        Arg::new("folder").value_name("DIR").required(true).help("Where to: /usr/share, ~/.local/share, …"),
    )
}

/// A number to count with.
fn whole<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| "it is not a whole number from 0, or a very large one".to_owned())
}

fn define(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().into(), value.trim().into())),
        _ => Err("write NAME=VALUE".into()),
    }
}

fn generate() -> Command {
    let families: String = dwell_families::all()
        .iter()
        .map(|f| format!("  {:<26}{} [{}]\n", f.name, f.summary, f.default_size))
        .collect();
    Command::new("generate")
        .about("Write a built-in benchmark model")
        .after_help(format!("Families [default size]:\n{families}"))
        .arg(Arg::new("family").value_name("FAMILY").required(true).help("Which one"))
        .arg(
            Arg::new("size")
                .short('n')
                .long("size")
                .value_name("SIZE")
                .value_parser(clap::value_parser!(u32))
                .allow_negative_numbers(true)
                .help("How many"),
        )
        .arg(
            Arg::new("to")
                .long("to")
                .value_name("FORMAT")
                .value_parser(["xml", "xta", "tck"])
                .default_value("tck")
                .help("Format to write"),
        )
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_command_line_is_consistent() {
        super::command().debug_assert();
    }
}
