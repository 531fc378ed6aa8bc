//! The command lines of `bench` and `plot`.

use clap::{Arg, ArgAction, Command};
use dwell_engine::units;

/// `dwell bench`.
pub fn bench() -> Command {
    let file = |name| Arg::new(name).long(name).value_name("FILE");
    Command::new("bench")
        .about("Compare plans over models: time and memory, as a table, files and plots")
        .after_help(
            "Example: dwell bench model.xml 'large.tck --space' --plan '' --plan '--order bfs' --plots plots\n\n\
             Exit codes: 0 every model has an answer with every plan; 1 plans contradict each other; 2 bad usage, or a \
             list or result that cannot be read or written; 3 some have no answer, which the table tells.",
        )
        .arg(
            Arg::new("cases")
                .value_name("MODEL")
                .num_args(0..)
                .help("A model; with options of check after it, in quotes: 'model.tck --space'"),
        )
        .arg(
            file("list")
                .action(ArgAction::Append)
                .help("A file with a model on each line, options after it; # begins a comment. May repeat"),
        )
        .arg(
            Arg::new("plan")
                .long("plan")
                .value_name("OPTIONS")
                .allow_hyphen_values(true)
                .action(ArgAction::Append)
                .help("Options of check: '--order bfs --store minimal'; '' for none [default: none]. May repeat"),
        )
        .arg(
            Arg::new("runs")
                .long("runs")
                .value_name("N")
                .value_parser(clap::value_parser!(u16).range(1..))
                .default_value("3")
                .help("How often each is run; medians are shown"),
        )
        .arg(
            Arg::new("timeout")
                .long("timeout")
                .value_name("TIME")
                .value_parser(units::duration)
                .default_value("60s")
                .help("How long one run may take"),
        )
        .arg(
            Arg::new("memory")
                .long("memory")
                .value_name("SIZE")
                .value_parser(units::size)
                .help("What one run may hold: 512MiB, 4GiB [default: nine tenths of what is free]"),
        )
        .arg(file("csv").help("Write the table there, for spreadsheets"))
        .arg(file("json").help("Write all results there; dwell plot draws them"))
        .arg(
            Arg::new("plots")
                .long("plots")
                .value_name("DIR")
                .help("Draw cactus and scatter plots there, and for each model states and memory over time"),
        )
}

/// `dwell plot`.
pub fn plot() -> Command {
    let plan = |name: &'static str, default| {
        Arg::new(name)
            .long(name)
            .value_name("N")
            .value_parser(clap::value_parser!(u16).range(1..))
            .default_value(default)
    };
    Command::new("plot")
        .about("Draw the log of a run, or the results of a bench")
        .arg(
            Arg::new("files")
                .value_name("FILE")
                .required(true)
                .num_args(1..)
                .help("Logs of check --log, or the results of one bench --json"),
        )
        .arg(Arg::new("output").short('o').long("output").value_name("FILE").help("Write there (SVG)"))
        .arg(
            Arg::new("show")
                .long("show")
                .value_name("WHAT")
                .value_parser(["auto", "states", "memory", "cactus", "cactus-memory", "scatter", "scatter-memory"])
                .default_value("auto")
                .help("states, memory: of logs, over time; cactus, scatter: of a bench. auto: states and memory, or both cactus plots"),
        )
        .arg(plan("x", "1").help("For scatter: the plan to the right"))
        .arg(plan("y", "2").help("For scatter: the plan upwards"))
}
