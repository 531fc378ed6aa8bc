//! The command `dwell`.
#![forbid(unsafe_code)]

mod analyse;
mod args;
mod check;
mod convert;
mod generate;
mod input;
mod json;
#[cfg(test)]
mod options_page;
mod pages;
mod progress;
mod questions;
mod simulate;
mod text;
mod trace;

use std::io::Write;
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
    let matches = match args::command().try_get_matches() {
        Ok(matches) => matches,
        Err(error) => {
            // Help and version go to standard output and are no mistakes.
            let code = if error.use_stderr() { exit::BAD } else { exit::SATISFIED };
            let _ = error.print();
            if error.use_stderr() && std::env::args().any(|arg| arg == "--json") {
                let message = error.to_string();
                let first = message.lines().next().unwrap_or_default().trim_start_matches("error: ");
                print(&json::bad_input("", first, Vec::new()));
            }
            return ExitCode::from(code);
        }
    };
    let code = match matches.subcommand() {
        Some(("check", matches)) => check::run(matches),
        Some(("generate", matches)) => generate::run(matches),
        Some(("convert", matches)) => convert::run(matches),
        Some(("simulate", matches)) => simulate::run(matches),
        Some(("analyse", matches)) => analyse::run(matches),
        Some(("pages", matches)) => pages::run(matches),
        _ => unreachable!("a subcommand is required"),
    };
    ExitCode::from(code)
}

/// Writes to standard output. A reader that has gone away (`| head`) is no
/// mistake of ours.
pub(crate) fn print(text: &str) {
    let mut out = anstream::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Writes to standard error.
pub(crate) fn complain(text: &str) {
    let mut err = anstream::stderr().lock();
    let _ = err.write_all(text.as_bytes()).and_then(|()| err.flush());
}
