//! `docs/options.md`, printed from the command line's own table: a test compares the two.
//!
//! `UPDATE_PAGES=1 cargo test -p dwell --bin dwell options_page` writes the page.

use clap::{Arg, ArgAction, Command};
use dwell_engine::OPTIONS;
use dwell_testkit::pages;
use std::fmt::Write;

const HEAD: &str = "\
# Options

All commands with all their options, printed from the program's own table; `dwell COMMAND --help` says the same, and so
does the manual (`man dwell-check`). What a technique does, and when it helps: [techniques](techniques/README.md). Which
to choose: [choosing options](howto/choosing-options.md).

Durations are decimals with `ms`, `s`, `m` or `h`, sizes decimals with `KiB`, `MiB` or `GiB`. What makes no sense
together is refused with a sentence.
";

/// Text in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

/// As one types it: `-q, --query TEXT`.
fn usage(arg: &Arg) -> String {
    let names =
        [arg.get_short().map(|short| format!("-{short}")), arg.get_long().map(|long| format!("--{long}"))];
    let names: Vec<String> = names.into_iter().flatten().collect();
    let takes = matches!(arg.get_action(), ArgAction::Set | ArgAction::Append);
    let value = arg.get_value_names().filter(|_| takes).map(|names| names.join(" "));
    [Some(names.join(", ")).filter(|names| !names.is_empty()), value]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" ")
}

/// What it may be, where that is a list, and the default.
fn values(arg: &Arg) -> String {
    let default = arg.get_default_values().first().and_then(|value| value.to_str()).unwrap_or_default();
    let takes = matches!(arg.get_action(), ArgAction::Set | ArgAction::Append);
    let all = if takes { arg.get_possible_values() } else { Vec::new() };
    let others = all.iter().map(|value| value.get_name()).filter(|name| *name != default);
    let first = (!default.is_empty()).then(|| format!("**`{default}`**"));
    first.into_iter().chain(others.map(|name| format!("`{name}`"))).collect::<Vec<_>>().join(" ")
}

fn section(command: &Command) -> String {
    let name = command.get_name();
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let mut text =
        format!("\n## dwell {name}\n\n{about}.\n\n| | values, the default first | |\n|---|---|---|\n");
    for arg in command.get_arguments().filter(|arg| !arg.is_hide_set()) {
        let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
        let _ = writeln!(text, "| `{}` | {} | {} |", cell(&usage(arg)), values(arg), cell(&help));
    }
    text
}

/// The page.
fn page() -> String {
    let mut text = HEAD.to_owned();
    for command in super::args::command().get_subcommands().filter(|command| !command.is_hide_set()) {
        text += &section(command);
    }
    text += "\n## What the values mean\n";
    for option in OPTIONS {
        let _ = write!(
            text,
            "\n### --{}\n\n{}; since version {}.\n\n| | |\n|---|---|\n",
            option.name, option.help, option.since
        );
        for (value, help) in option.values {
            let _ = writeln!(text, "| `{value}` | {} |", cell(help));
        }
    }
    text
}

#[test]
fn the_page_is_what_the_table_says() {
    pages::compare("docs/options.md", &page(), "-p dwell --bin dwell options_page");
}
