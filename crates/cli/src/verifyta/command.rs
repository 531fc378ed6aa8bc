//! The command line of UPPAAL's `verifyta`.

use clap::{Arg, ArgAction, Command, value_parser};

/// The version of UPPAAL whose flags and output these are.
pub const SPOKEN: &str = "4.1.26";

/// A flag for statistics or learning: its name, short or long or both.
pub struct Statistical {
    short: Option<char>,
    long: Option<&'static str>,
    /// As people write it.
    pub name: &'static str,
}

/// All of them.
pub const STATISTICAL: &[Statistical] = &[
    Statistical { short: Some('a'), long: Some("alpha"), name: "-a, --alpha" },
    Statistical { short: Some('e'), long: Some("epsilon"), name: "-e, --epsilon" },
    Statistical { short: None, long: Some("beta"), name: "--beta" },
    Statistical { short: Some('D'), long: None, name: "-D" },
    Statistical { short: Some('E'), long: None, name: "-E" },
    Statistical { short: None, long: Some("good-runs"), name: "--good-runs" },
    Statistical { short: None, long: Some("total-runs"), name: "--total-runs" },
    Statistical { short: None, long: Some("runs-pr-state"), name: "--runs-pr-state" },
    Statistical { short: None, long: Some("eval-runs"), name: "--eval-runs" },
    Statistical { short: None, long: Some("max-iterations"), name: "--max-iterations" },
];

/// The command line.
pub fn command() -> Command {
    let number = |name: &'static str, short: char, long: &'static str| {
        Arg::new(name).short(short).long(long).value_name("N").value_parser(value_parser!(u32))
    };
    let switch = |name: &'static str, short: char| Arg::new(name).short(short).action(ArgAction::SetTrue);
    let prefix = |name: &'static str, short: char| Arg::new(name).short(short).value_name("PREFIX");
    let mut command = Command::new("verifyta")
        .about("Verify a model with the flags and the output of UPPAAL's verifyta")
        .after_help(
            "Exit codes: 0 every query has an answer, whatever it is; 2 bad usage, bad input or a query without \
             an answer; 130 interrupted. dwell check has exit codes that tell verdicts.",
        )
        .infer_long_args(true)
        .disable_version_flag(true)
        .arg(Arg::new("model").value_name("MODEL").help("An .xml, .xta or .ta file, or - for standard input"))
        .arg(Arg::new("queries").value_name("QUERY").help(
            "A file of queries; without one, those in the model are asked, or those of the .q file beside it",
        ))
        .arg(switch("version", 'v').long("version").help("Print the version"))
        .arg(number("trace", 't', "diagnostic").help("Show a trace: 0 some, 1 shortest, 2 fastest"))
        .arg(prefix("xtr", 'f').help("Write traces to PREFIX-N.xtr instead of standard error"))
        .arg(prefix("xml", 'X').help("Write traces to PREFIX-N.xml"))
        .arg(switch("symbolic", 'y').help("Show traces with zones instead of clock values"))
        .arg(switch("stable", 'Y').help("The same with every zone cut down to what the rest of the trace can start from"))
        .arg(number("order", 'o', "search-order").help(
            "0 breadth first, 1 depth first, 2 random depth first, 3 optimal first, 4 random optimal depth first",
        ))
        .arg(
            Arg::new("reduction")
                .short('S')
                .value_name("N")
                .value_parser(value_parser!(u32))
                .help("0 store every state, 1 none with a committed location, 2 only those that enter a loop"),
        )
        .arg(switch("dbm", 'C').help("Store whole zones instead of minimal constraint systems"))
        .arg(switch("over", 'A').help("Over-approximate: one zone for each discrete state (convex hull)"))
        .arg(switch("under", 'Z').help("Under-approximate: a table of bits (bit-state hashing)"))
        .arg(
            Arg::new("representation")
                .long("state-representation")
                .value_name("N")
                .value_parser(value_parser!(u32))
                .help("0 minimal constraint systems, 1 as -C, 2 as -Z, 3 as -A"),
        )
        .arg(number("bits", 'H', "hashtable-size").help("The table of -Z has 2^N bits [default: 27]"))
        .arg(number("extrapolation", 'n', "extrapolation").help(
            "0 automatic, 1 none, 2 differences, 3 largest bounds per location, 4 lower and upper bounds",
        ))
        .arg(switch("reuse", 'T').help("Answer queries from the states of earlier ones where they have the answer"))
        .arg(switch("unpack", 'U').help("Changes nothing here"))
        .arg(switch("summary", 'u').long("summary").help("Print counts after each query"))
        .arg(switch("quiet", 'q').help("Do not print the options"))
        .arg(switch("silent", 's').long("silence-progress").help("Do not show how far the run is"))
        .arg(
            Arg::new("seed")
                .short('r')
                .long("seed")
                .value_name("N")
                .value_parser(value_parser!(u64))
                .default_value("1")
                .help("For every random choice"),
        )
        .arg(
            Arg::new("index")
                .long("query-index")
                .value_name("N")
                .value_parser(value_parser!(usize))
                .help("Only this query, counted from 0"),
        )
        .arg(Arg::new("key").long("key").value_name("KEY").help("No licence is needed"))
        .arg(Arg::new("lease").long("lease").value_name("HOURS").help("No licence is needed"));
    for flag in STATISTICAL {
        let mut arg = Arg::new(flag.name).num_args(0..=1).action(ArgAction::Append).hide(true);
        if let Some(short) = flag.short {
            arg = arg.short(short);
        }
        if let Some(long) = flag.long {
            arg = arg.long(long);
        }
        command = command.arg(arg);
    }
    command
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_command_line_is_consistent() {
        super::command().debug_assert();
    }
}
