//! What the flags of UPPAAL's `verifyta` ask of the engine.
//!
//! A flag does what it says, or is refused with a sentence. Those that change
//! nothing here but the way to an answer are taken with a note.

use super::command::STATISTICAL;
use clap::ArgMatches;
use dwell_engine::{
    Abstraction, BoundsScope, Keep, KeepName, Options, OrderName, StoreName, Switch, TraceKind,
};

/// Where traces go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// To standard error, with clock values.
    Shown,
    /// To standard error, with zones.
    Zones,
    /// To standard error, with zones of what goes on to the end.
    StableZones,
    /// To files that begin so, in UPPAAL's trace format.
    Xtr(String),
    /// To files that begin so, in XML.
    Xml(String),
}

/// How states are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Representation {
    /// Zones as minimal constraint systems.
    Compact,
    /// Zones as difference bound matrices.
    Dbm,
    /// A bit for a state: some may be missed.
    Under,
    /// One zone for each discrete state: some may not be there.
    Over,
}

/// What the flags say.
#[derive(Debug)]
pub struct Flags {
    /// The model's file.
    pub model: Option<String>,
    /// The queries' file.
    pub queries: Option<String>,
    /// Which trace is wanted.
    pub trace: TraceKind,
    /// Where it goes.
    pub destination: Destination,
    /// Search order, as UPPAAL counts them.
    order: u32,
    /// How few states are stored, as UPPAAL counts.
    pub reduction: u32,
    /// How they are stored.
    pub representation: Representation,
    /// Of the table of bits: two to the power of this many bits.
    bits: u32,
    extrapolation: u32,
    /// Whether queries may be answered from the states of earlier ones.
    pub reuse: bool,
    /// Whether counts are printed after each query.
    pub summary: bool,
    /// Whether the options are printed.
    pub option_summary: bool,
    /// Whether to show how far the run is.
    pub progress: bool,
    /// For random choices.
    pub seed: u64,
    /// The only query to be asked, from 0.
    pub index: Option<usize>,
    /// What is to be known about flags that change nothing.
    pub notes: Vec<&'static str>,
}

impl Flags {
    /// Reads the command line.
    pub fn read(matches: &ArgMatches) -> Result<Self, String> {
        if let Some(flag) = STATISTICAL.iter().find(|flag| matches.contains_id(flag.name)) {
            return Err(format!("{} is for statistics and learning, which are not supported", flag.name));
        }
        let choice = |name: &str, flag: &str, default: u32, allowed: &[u32]| {
            let value = matches.get_one::<u32>(name).copied().unwrap_or(default);
            let list: Vec<String> = allowed.iter().map(u32::to_string).collect();
            let message = || format!("{flag} may be {}, not {value}", list.join(", "));
            allowed.contains(&value).then_some(value).ok_or_else(message)
        };
        let text = |name: &str| matches.get_one::<String>(name).cloned();
        let order = choice("order", "-o", 0, &[0, 1, 2, 3, 4, 6])?;
        let asked = match matches.get_one::<u32>("trace") {
            None => None,
            Some(_) => Some(choice("trace", "-t", 0, &[0, 1, 2])?),
        };
        let destination = destination(matches)?;
        let trace = match asked {
            Some(1) => TraceKind::Shortest,
            Some(2) => TraceKind::Fastest,
            Some(_) => TraceKind::Some,
            // A file for traces without a trace is not worth asking for.
            None if destination != Destination::Shown => TraceKind::Some,
            None => TraceKind::None,
        };
        if matches!(order, 3 | 4) && !matches!(trace, TraceKind::Shortest | TraceKind::Fastest) {
            return Err(format!("-o {order} searches for the best trace, so it needs -t 1 or -t 2"));
        }
        let mut notes = Vec::new();
        if order == 6 {
            notes.push("-o 6 is not a search order here; the search is breadth first");
        }
        if matches.get_flag("unpack") {
            notes.push("-U changes nothing here");
        }
        if matches.contains_id("key") || matches.contains_id("lease") {
            notes.push("no licence is needed");
        }
        Ok(Self {
            model: text("model"),
            queries: text("queries"),
            trace,
            destination,
            order,
            reduction: choice("reduction", "-S", 1, &[0, 1, 2])?,
            representation: representation(
                matches,
                choice("representation", "--state-representation", 0, &[0, 1, 2, 3])?,
            )?,
            bits: match matches.get_one::<u32>("bits").copied().unwrap_or(27) {
                bits @ 13..=48 => bits,
                bits => {
                    return Err(format!(
                        "-H may be 13 to 48, not {bits}: the table has two to the power of it bits"
                    ));
                }
            },
            extrapolation: choice("extrapolation", "-n", 0, &[0, 1, 2, 3, 4])?,
            reuse: matches.get_flag("reuse"),
            summary: matches.get_flag("summary"),
            option_summary: !matches.get_flag("quiet"),
            progress: !matches.get_flag("silent"),
            seed: *matches.get_one::<u64>("seed").expect("has a default"),
            index: matches.get_one::<usize>("index").copied(),
            notes,
        })
    }

    /// The order of the search; `None` where the trace that is wanted decides.
    pub fn order(&self) -> Option<OrderName> {
        match (self.trace, self.order) {
            (TraceKind::Shortest | TraceKind::Fastest, _) => None,
            (_, 1) => Some(OrderName::Dfs),
            (_, 2) => Some(OrderName::RandomDfs),
            _ => Some(OrderName::Bfs),
        }
    }

    /// The same for the engine.
    pub fn options(&self) -> Options {
        let (abstraction, bounds) = match self.extrapolation {
            1 => (Some(Abstraction::None), BoundsScope::Local),
            2 => (Some(Abstraction::ExtraM), BoundsScope::Global),
            3 => (Some(Abstraction::ExtraM), BoundsScope::Local),
            4 => (Some(Abstraction::ExtraLuPlus), BoundsScope::Local),
            _ => (None, BoundsScope::Local),
        };
        let mut options = Options {
            order: self.order(),
            abstraction,
            bounds,
            trace: Some(self.trace),
            seed: self.seed,
            ..Options::default()
        };
        options.store = match self.representation {
            Representation::Compact => Some(StoreName::Minimal),
            Representation::Dbm => Some(StoreName::Copy),
            Representation::Under => Some(StoreName::BitState),
            Representation::Over => None,
        };
        options.table.bytes = 1 << (self.bits - 3);
        match self.representation {
            Representation::Over => options.convex_hull = Switch::On,
            Representation::Under => {}
            // Approximations have lists of their own.
            Representation::Compact | Representation::Dbm => {
                options.keep = match self.reduction {
                    0 => None,
                    1 => Some(Keep::new(KeepName::NonCommitted)),
                    _ => Some(Keep::new(KeepName::EntryPoints)),
                };
            }
        }
        options
    }
}

fn destination(matches: &ArgMatches) -> Result<Destination, String> {
    let text = |name: &str| matches.get_one::<String>(name).cloned();
    Ok(match (text("xtr"), text("xml")) {
        (Some(_), Some(_)) => return Err("-f and -X exclude each other: a trace goes to one file".into()),
        (Some(prefix), None) => Destination::Xtr(prefix),
        (None, Some(prefix)) => Destination::Xml(prefix),
        (None, None) if matches.get_flag("stable") => Destination::StableZones,
        (None, None) if matches.get_flag("symbolic") => Destination::Zones,
        (None, None) => Destination::Shown,
    })
}

fn representation(matches: &ArgMatches, number: u32) -> Result<Representation, String> {
    let all = [Representation::Compact, Representation::Dbm, Representation::Under, Representation::Over];
    let flags =
        [("dbm", Representation::Dbm), ("under", Representation::Under), ("over", Representation::Over)];
    let mut asked: Vec<Representation> =
        flags.into_iter().filter(|(name, _)| matches.get_flag(name)).map(|(_, one)| one).collect();
    if matches.contains_id("representation") {
        asked.push(all[number as usize]);
    }
    asked.dedup();
    match asked.as_slice() {
        [] => Ok(Representation::Compact),
        [one] => Ok(*one),
        // Whole zones are what a convex hull is stored as in any case.
        [Representation::Dbm, Representation::Over] => Ok(Representation::Over),
        _ => Err("-C, -A, -Z and --state-representation exclude each other".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::command::command;
    use super::*;

    fn read(args: &[&str]) -> Result<Flags, String> {
        let args = std::iter::once(&"verifyta").chain(args);
        Flags::read(&command().try_get_matches_from(args).map_err(|error| error.to_string())?)
    }

    #[test]
    fn flags_are_read_as_uppaal_reads_them() {
        let flags = read(&["-squ", "-t1", "-o", "1", "-S2", "-C", "-r", "7", "m.xml", "m.q"]).unwrap();
        assert_eq!((flags.trace, flags.reduction, flags.seed), (TraceKind::Shortest, 2, 7));
        assert_eq!(flags.representation, Representation::Dbm);
        assert!(flags.summary && !flags.option_summary && !flags.progress);
        // The shortest trace decides the order.
        assert_eq!(flags.order(), None);
        let flags =
            read(&["--search-order=2", "--diag", "0", "--state-rep", "2", "-H", "20", "m.xml"]).unwrap();
        assert_eq!((flags.order(), flags.trace), (Some(OrderName::RandomDfs), TraceKind::Some));
        assert_eq!(flags.options().table.bytes, 1 << 17);
    }

    #[test]
    fn a_file_for_traces_asks_for_one() {
        assert_eq!(read(&["-f", "x", "m.xml"]).unwrap().trace, TraceKind::Some);
        assert_eq!(read(&["m.xml"]).unwrap().trace, TraceKind::None);
    }

    #[test]
    fn what_cannot_be_done_is_refused_with_a_sentence() {
        let cases: [(&[&str], &str); 7] = [
            (&["-o", "5", "m.xml"], "-o may be 0, 1, 2, 3, 4, 6, not 5"),
            (&["-o3", "m.xml"], "needs -t 1 or -t 2"),
            (&["-t", "3", "m.xml"], "-t may be 0, 1, 2"),
            (&["-A", "-Z", "m.xml"], "exclude each other"),
            (&["-f", "a", "-X", "b", "m.xml"], "exclude each other"),
            (&["-H", "3", "m.xml"], "-H may be 13 to 48"),
            (&["m.xml", "--epsilon", "0.1"], "-e, --epsilon is for statistics and learning"),
        ];
        for (args, expected) in cases {
            let message = read(args).unwrap_err();
            assert!(message.contains(expected), "{args:?}: {message}");
        }
    }
}
