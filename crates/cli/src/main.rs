//! The command `dwell`.
#![forbid(unsafe_code)]

mod analyse;
mod args;
mod bench;
mod bug;
mod check;
mod clocks;
mod convert;
mod generate;
mod input;
mod json;
mod log;
#[cfg(test)]
mod options_page;
mod pages;
mod plot;
mod processes;
mod progress;
mod questions;
mod sanity;
mod sequence;
mod show;
mod simulate;
mod text;
mod trace;
mod verifyta;

use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// What scripts rely on.
pub(crate) mod exit {
    /// Every query is satisfied.
    pub const SATISFIED: u8 = 0;
    /// Some query is not.
    pub const NOT_SATISFIED: u8 = 1;
    /// Bad usage, bad input, or a model that fails while running.
    pub const BAD: u8 = 2;
    /// No query failed, but some verdict is unknown.
    pub const UNKNOWN: u8 = 3;
    /// Interrupted by the user.
    pub const INTERRUPTED: u8 = 130;
}

fn main() -> ExitCode {
    bug::report_panics();
    let called = std::env::args_os().next().map(PathBuf::from);
    let as_verifyta =
        called.as_ref().and_then(|path| path.file_stem()).is_some_and(|name| name == "verifyta");
    let command = if as_verifyta { verifyta::command() } else { args::command() };
    let matches = match command.try_get_matches() {
        Ok(matches) => matches,
        Err(error) => {
            // Help and version go to standard output and are no mistakes.
            if !error.use_stderr() {
                print(&error.render().ansi().to_string());
                return ExitCode::from(exit::SATISFIED);
            }
            let _ = error.print();
            // Of a bench it is a file.
            let is_bench = std::env::args_os().nth(1).is_some_and(|command| command == "bench");
            if !is_bench && std::env::args_os().any(|arg| arg == "--json") {
                let message = error.to_string();
                let first = message.lines().next().unwrap_or_default().trim_start_matches("error: ");
                print(&json::bad_input("", first, Vec::new()));
            }
            return ExitCode::from(exit::BAD);
        }
    };
    let code = match matches.subcommand() {
        _ if as_verifyta => verifyta::run(&matches),
        Some(("check", matches)) => check::run(matches),
        Some(("generate", matches)) => generate::run(matches),
        Some(("convert", matches)) => convert::run(matches),
        Some(("simulate", matches)) => simulate::run(matches),
        Some(("analyse", matches)) => analyse::run(matches),
        Some(("verifyta", matches)) => verifyta::run(matches),
        Some(("bench", matches)) => bench::run(matches),
        Some(("plot", matches)) => plot::run(matches),
        Some(("pages", matches)) => pages::run(matches),
        _ => unreachable!("a subcommand is required"),
    };
    ExitCode::from(code)
}

/// Writes to standard output.
pub(crate) fn print(text: &str) {
    // What is left to do, such as writing a trace, is done without a reader too.
    let _ = is_read(text);
}

/// Writes to standard output. A reader that has gone away (`| head`) is no
/// mistake of ours: false. An answer that is lost for another reason
/// (`> /dev/full`) must not look like one, so that is the end.
pub(crate) fn is_read(text: &str) -> bool {
    if processes::silent() {
        return true;
    }
    let mut out = anstream::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => true,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => false,
        Err(error) => {
            complain(&format!("error: cannot write standard output: {error}\n"));
            std::process::exit(exit::BAD.into());
        }
    }
}

/// Writes to standard error.
pub(crate) fn complain(text: &str) {
    if processes::silent() {
        return;
    }
    let mut err = anstream::stderr().lock();
    let _ = err.write_all(text.as_bytes()).and_then(|()| err.flush());
}
