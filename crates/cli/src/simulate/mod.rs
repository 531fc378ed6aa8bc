//! `dwell simulate`: reads commands line by line and shows what comes of
//! them. A mistake in a command is answered with a sentence, and the session
//! goes on; the end of the input ends it.

mod command;
mod file;
mod session;
mod show;

use crate::args::MEANING;
use crate::check::{Refusal, describe, refuse, refused};
use crate::input::{InputError, load};
use crate::show::show as show_diagnostics;
use crate::{exit, is_read, print};
use clap::ArgMatches;
use dwell_engine::simulate::{Fault, Mode, Simulation};
use dwell_engine::syntax::SourceFile;
use dwell_engine::{LoadOptions, Model, Options};
use session::{Answer, Session};
use std::io::{BufRead, IsTerminal, Read};

/// Runs a session; answers with the exit code.
pub fn run(matches: &ArgMatches) -> u8 {
    let path = matches.get_one::<String>("model").expect("required");
    match simulated(matches, path) {
        Ok(()) => exit::SATISFIED,
        Err(refusal) => refuse(&refusal),
    }
}

fn simulated(matches: &ArgMatches, path: &str) -> Result<(), Refusal> {
    let (source, model) = model(matches, path)?;
    show_diagnostics(&source, model.warnings());
    if !model.refusals().is_empty() {
        show_diagnostics(&source, &refused(&model, "this model cannot be simulated"));
        return Err(format!("{path} cannot be simulated: {}", model.refusals()[0].message).into());
    }
    let mode = if matches.get_flag("concrete") { Mode::Concrete } else { Mode::Zone };
    let seed = *matches.get_one::<u64>("seed").expect("has a default");
    let simulation = Simulation::new(model.system(), mode, seed).map_err(|fault| match &fault {
        Fault::Runtime(_) => {
            format!("{path} has no initial state: {}", show::fault(&source, &model, &fault))
        }
        Fault::Refused(why) => why.clone(),
    })?;
    let mut session = Session::new(&model, &source, simulation);
    let opening = session.opening(seed);
    let saved = match matches.get_one::<String>("trace") {
        None => session.start(),
        Some(file) => session.load(file)?,
    };
    converse(&mut session, &format!("{opening}{saved}"));
    Ok(())
}

fn model(matches: &ArgMatches, path: &str) -> Result<(SourceFile, Model), Refusal> {
    let mut options = Options::default();
    for name in MEANING {
        options.set(name, matches.get_one::<String>(name).expect("has a default"))?;
    }
    let defines = matches.get_many::<(String, String)>("define").into_iter().flatten().cloned().collect();
    let (out_of_range, overflow) = (options.out_of_range, options.overflow);
    let load_options = LoadOptions { out_of_range, overflow, defines, lints: false };
    let format = matches.get_one::<String>("input-format").map(String::as_str);
    match load(path, format, &load_options) {
        Ok(loaded) => Ok(loaded),
        Err(InputError::Unreadable(message)) => Err(message.into()),
        Err(InputError::Rejected(source, error)) => Err(describe(path, *source, error)),
    }
}

/// Longest line that is read as one.
const LONGEST_LINE: u64 = 1 << 16;

/// Goes on until the input ends, a command ends it, or nobody reads on.
fn converse(session: &mut Session<'_>, opening: &str) {
    let mut input = std::io::stdin().lock();
    let prompt = if input.is_terminal() { "> " } else { "" };
    let mut open = is_read(&format!("{opening}{prompt}"));
    let mut line = Vec::new();
    while open {
        line.clear();
        match input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) if prompt.is_empty() => break,
            Ok(0) | Err(_) => {
                print("\n");
                break;
            }
            Ok(_) => {}
        }
        match session.answer(&String::from_utf8_lossy(&line)) {
            Answer::Text(text) => open = is_read(&format!("{text}{prompt}")),
            Answer::End => break,
        }
    }
}
