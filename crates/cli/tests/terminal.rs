//! What a user sees on a terminal, a narrow one among them: colours, and
//! progress that stays on its line.
#![cfg(target_os = "linux")]

mod common;

use common::{command, examples, folder_with, large};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Runs it on a terminal with so many columns; gives back what was on it, and
/// the exit code.
fn on_terminal(folder: &Path, columns: u16, env: &[(&str, &str)], args: &[&str]) -> (String, i32) {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&master).and_then(|()| unlockpt(&master)).expect("a terminal of ours");
    let name = ptsname(&master, Vec::new()).expect("its name").into_string().expect("text");
    let terminal = File::options().read(true).write(true).open(name).expect("its other end");
    let size = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&terminal, size).expect("resized");
    let mut command = command(folder, args);
    // Where CI is set, every terminal is taken for one with colours.
    command.env_remove("CI").env("TERM", "xterm").envs(env.iter().copied());
    command.stdout(terminal.try_clone().expect("twice")).stderr(terminal);
    let mut child = command.spawn().expect("the program runs");
    // The command holds our copies of the other end: without them reading ends with the child.
    drop(command);
    let mut shown = Vec::new();
    // Linux ends with an error where the other end is closed.
    let _ = File::from(master).read_to_end(&mut shown);
    let code = child.wait().expect("it ends").code().expect("by itself");
    let shown = String::from_utf8(shown).expect("UTF-8").replace("\r\n", "\n");
    assert!(!shown.contains("panicked"), "{shown}");
    (shown, code)
}

/// Without escape sequences.
fn plain(shown: &str) -> String {
    anstream::adapter::strip_str(shown).to_string()
}

#[test]
fn verdicts_are_coloured() {
    let args = ["check", "train-gate.xml", "--trace", "none", "--progress", "off"];
    let (shown, code) = on_terminal(&examples(), 100, &[], &args);
    assert_eq!(code, 1);
    assert!(shown.contains("i == j: \u{1b}[1m\u{1b}[32msatisfied\u{1b}[0m\u{1b}[2m\n"), "{shown}");
    assert!(shown.contains("x > 20: \u{1b}[1m\u{1b}[31mNOT satisfied\u{1b}[0m\u{1b}[2m\n"), "{shown}");
    assert!(plain(&shown).contains("\n6 queries: 4 satisfied, 2 NOT satisfied; "), "{shown}");
}

#[test]
fn a_verdict_and_its_cost_are_one_line_where_that_fits() {
    let args = ["check", "fischer.xml", "-q", "E<> P(1).critical", "--trace", "none", "--progress", "off"];
    for (columns, lines) in [(100, 1), (60, 2), (40, 2)] {
        let (shown, code) = on_terminal(&examples(), columns, &[], &args);
        assert_eq!((code, plain(&shown).lines().count()), (0, lines), "{columns}: {shown}");
    }
}

#[test]
fn nothing_in_a_query_moves_the_cursor() {
    let folder = folder_with("cursor", "m.xta", "process P() { state a; init a; }\nsystem P;\n");
    let query = "E<> \u{1b}[2J P.a";
    let (shown, code) = on_terminal(&folder, 100, &[("NO_COLOR", "1")], &["check", "m.xta", "-q", query]);
    assert_eq!(code, 2);
    assert!(!shown.contains('\u{1b}'), "{shown:?}");
}

#[test]
fn no_colours_where_they_are_not_wanted() {
    let cases: [&[&str]; 3] = [
        &["check", "fischer.xml"],
        &["check", "fischer.xml", "-q", "E<> P(1).critcal"],
        &["check", "fischer.xml", "--nonsense"],
    ];
    for env in [("NO_COLOR", "1"), ("TERM", "dumb")] {
        for args in cases {
            let (shown, _) = on_terminal(&examples(), 100, &[env], args);
            assert!(!shown.contains("\u{1b}["), "{env:?} {args:?}: {shown:?}");
        }
    }
    for args in cases {
        assert!(on_terminal(&examples(), 100, &[], args).0.contains("\u{1b}["), "{args:?}");
    }
}

#[test]
fn forty_columns() {
    // Lines of the source are cut around the error, so that the caret is below it.
    let text =
        format!("process P() {{ {}state a; init a; trans a -> b {{ }}; }}\nsystem P;\n", " ".repeat(80));
    let folder = folder_with("forty", "m.xta", text);
    let (shown, code) = on_terminal(&folder, 40, &[], &["check", "m.xta", "--space"]);
    assert_eq!(code, 2);
    let plain_shown = plain(&shown);
    let lines: Vec<&str> = plain_shown.lines().collect();
    let caret = lines.iter().position(|line| line.contains('^')).expect("a caret");
    let column = lines[caret].chars().position(|c| c == '^').expect("a caret");
    for line in [lines[caret], lines[caret - 1]] {
        assert!(line.chars().count() <= 40, "{line:?} in {plain_shown}");
    }
    assert_eq!(lines[caret - 1].chars().nth(column), Some('b'), "{plain_shown}");
    // Help is wrapped.
    let (shown, code) = on_terminal(&folder, 40, &[], &["check", "--help"]);
    assert_eq!(code, 0);
    let wide = plain(&shown).lines().filter(|line| line.chars().count() > 60).count();
    assert!(wide < 5, "{wide} lines are wide: {shown}");
}

#[test]
fn progress_stays_on_its_line() {
    let folder = folder_with("narrow", "large.tck", large());
    let (shown, code) =
        on_terminal(&folder, 40, &[], &["check", "large.tck", "--space", "--timeout", "1500ms"]);
    assert_eq!(code, 3);
    // It is written over itself: each time at the start of a line, and never past its end.
    let drawn: Vec<&str> = shown.split(['\r', '\n']).filter(|part| part.contains(" visited, ")).collect();
    assert!(drawn.len() >= 3, "{shown:?}");
    let (last, bars) = drawn.split_last().expect("some");
    for bar in bars {
        assert!(plain(bar).trim_end().chars().count() <= 40, "{:?}", plain(bar));
    }
    assert!(plain(last).contains(" stored, "), "the statistics are whole: {last:?}");
}
