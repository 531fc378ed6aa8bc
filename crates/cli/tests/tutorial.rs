//! What a newcomer types: the commands of the pages, word for word, with what the pages say comes out.
//!
//! A block marked `console` is run: what follows `$ ` goes to a shell, the lines below are what it must print. A
//! block with a second word, as in `xta gate.xta`, is a file that is written first. Each page has a folder of its
//! own, in which `examples` lies as it does in the repository. Times and sizes may differ, nothing else.
//!
//! `UPDATE_PAGES=1 cargo test -p dwell --test tutorial` writes what comes out into the pages.

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

use common::{dwell, examples, folder, mask};
use dwell_testkit::pages;

/// Pages all of whose commands are run.
const PAGES: [&str; 6] = [
    "docs/tutorial.md",
    "docs/howto/from-uppaal.md",
    "docs/howto/from-tchecker.md",
    "docs/howto/choosing-options.md",
    "docs/howto/memory.md",
    "docs/howto/scripting.md",
];

fn root() -> PathBuf {
    examples().join("..")
}

/// A folder for the commands of a page.
fn place(page: &str) -> PathBuf {
    let place = folder(&format!("page-{}", page.replace(['/', '.'], "-")));
    let examples = examples().canonicalize().expect("the examples");
    std::os::unix::fs::symlink(examples, place.join("examples")).expect("a link to the examples");
    place
}

/// What a shell prints for a command, where `dwell` is the program under test.
fn shell(command: &str, place: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_dwell")).parent().expect("a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let mut sh = Command::new("sh");
    sh.args(["-c", &format!("exec 2>&1\n{command}")]).current_dir(place);
    let ran = sh.env("PATH", format!("{}:{path}", program.display())).output().expect("a shell");
    String::from_utf8(ran.stdout).expect("text")
}

/// The page as it should be: with what its commands print now. What differs in times only stays as it is.
fn rendered(text: &str, place: &Path) -> String {
    let mut page = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        page += &format!("{line}\n");
        let Some(marks) = line.strip_prefix("```") else { continue };
        let mut block = Vec::new();
        while let Some(line) = lines.next_if(|line| *line != "```") {
            block.push(line);
        }
        lines.next();
        let content = block.join("\n") + "\n";
        match marks.split_once(' ') {
            Some((_, file)) => {
                std::fs::write(place.join(file), &content).expect("written");
                page += &content;
            }
            None if marks == "console" => page += &session(&content, place),
            None => page += &content,
        }
        page += "```\n";
    }
    page
}

/// Commands and what they print.
fn session(text: &str, place: &Path) -> String {
    let mut shown = String::new();
    for part in format!("\n{text}").split("\n$ ").skip(1) {
        let (command, before) = part.split_once('\n').unwrap_or((part, ""));
        let before = if before.is_empty() { String::new() } else { before.trim_end().to_owned() + "\n" };
        let now = shell(command, place);
        let now = if mask(&before) == mask(&now) { &before } else { &now };
        shown += &format!("$ {command}\n{now}");
    }
    shown
}

fn check(page: &str, change: impl Fn(&str) -> String) {
    let text = std::fs::read_to_string(root().join(page)).unwrap_or_else(|error| panic!("{page}: {error}"));
    pages::compare(page, &change(&text), "-p dwell --test tutorial");
}

#[test]
fn what_the_pages_show_is_what_comes_out() {
    for page in PAGES {
        check(page, |text| {
            assert!(text.contains("\n```console\n$ dwell "), "{page} has no command");
            rendered(text, &place(page))
        });
    }
}

/// The readme shows the program before it is installed.
const FROM_SOURCE: &str = "cargo run --release -- ";

#[test]
fn the_first_screen_of_the_readme_is_true() {
    check("README.md", |text| {
        let (first, rest) = text.split_once("\n## ").expect("sections");
        let shown = rendered(&first.replace(FROM_SOURCE, "dwell "), &place("README.md"));
        format!(
            "{}\n## {rest}",
            shown.trim_end_matches('\n').replace("$ dwell ", &format!("$ {FROM_SOURCE}")) + "\n"
        )
    });
}

#[test]
fn the_first_command_of_the_readme_verifies_a_model() {
    let text = std::fs::read_to_string(root().join("README.md")).expect("the readme");
    let (_, rest) = text.split_once("| `cargo run --release -- ").expect("a first command");
    let (words, _) = rest.split_once('`').expect("its end");
    let ran = dwell(&root(), &words.split(' ').collect::<Vec<_>>());
    assert_eq!((ran.code, ran.err.as_str()), (1, ""), "{words}");
    assert!(ran.out.starts_with("labels cs1,cs2: NOT satisfied ("), "{}", ran.out);
}
