//! Runs the program and looks at what it says.
#![allow(dead_code)] // each test file uses its own part

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// What a run left behind.
#[derive(Debug)]
pub struct Ran {
    /// Exit code.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Ran {
    /// From a finished process. No run may ever panic, whatever it was given.
    pub fn new(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("the program writes UTF-8");
        let (out, err) = (text(output.stdout), text(output.stderr));
        assert!(!err.contains("panicked") && !err.contains("RUST_BACKTRACE"), "{err}");
        assert!(!out.contains('\u{1b}') && !err.contains('\u{1b}'), "no escape codes in a pipe: {out}{err}");
        Self { code: output.status.code().expect("ended by itself"), out, err }
    }

    /// The JSON document on standard output.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e} in {}", self.out))
    }

    /// Both streams with times and sizes masked, for snapshots.
    pub fn masked(&self) -> String {
        let mut shown = format!("exit code {}\n", self.code);
        for (name, text) in [("standard output", &self.out), ("standard error", &self.err)] {
            if !text.is_empty() {
                shown.push_str(&format!("--- {name}\n{}", mask(text)));
            }
        }
        shown
    }
}

/// Without what a verdict took: `0.003 s, 3 states, 3.8 MiB` is `TIME, 3 states, SIZE`.
pub fn mask(text: &str) -> String {
    let number = |c: char| c.is_ascii_digit() || c == '.';
    let masked = |line: &str| match (line.split_once(" s, "), line.split_once("iB")) {
        (Some((before, rest)), Some(_)) if before.ends_with(number) => {
            let parts = rest.split(", ").map(|part| match part.split_once("iB") {
                Some((_, after)) => format!("SIZE{after}"),
                None => part.to_owned(),
            });
            let parts: Vec<String> = parts.collect();
            format!("{}TIME, {}\n", before.trim_end_matches(number), parts.join(", "))
        }
        _ => format!("{line}\n"),
    };
    text.lines().map(masked).collect()
}

/// The program, in a folder of its own so that paths in messages are short.
pub fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dwell"));
    command.args(args).current_dir(folder).stdin(Stdio::null()).env_remove("NO_COLOR").env_remove("COLUMNS");
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs it to the end.
pub fn dwell(folder: &Path, args: &[&str]) -> Ran {
    Ran::new(command(folder, args).output().expect("the program runs"))
}

/// Runs it with something on standard input.
pub fn dwell_with_input(folder: &Path, args: &[&str], input: &[u8]) -> Ran {
    let mut child = command(folder, args).stdin(Stdio::piped()).spawn().expect("the program runs");
    child.stdin.take().expect("piped").write_all(input).expect("it reads its input");
    Ran::new(child.wait_with_output().expect("it ends"))
}

/// A fresh folder for the files of one test.
pub fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

/// A fresh folder with one file in it.
pub fn folder_with(test: &str, file: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let folder = folder(test);
    std::fs::write(folder.join(file), content).expect("written");
    folder
}

/// The folder of examples.
pub fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// A model that takes long to explore.
pub fn large() -> String {
    dwell_families::generate("fischer", 14).expect("a model")
}

/// A counter that leaves its range.
pub const COUNTER: &str = "\
system:counter
event:a
process:P
int:1:0:2:0:i
location:P:l0{initial:}
location:P:l1{labels:two}
edge:P:l0:l0:a{do: i=i+1}
edge:P:l0:l1:a{provided: i==2}
";

/// A model with a warning.
pub const WARNED: &str = "\
system:warned
event:a
process:P
location:P:l0{initial: : colour: red}
location:P:l1{labels:end}
edge:P:l0:l1:a
";

/// A model that compares differences of clocks.
pub const DIAGONAL: &str = "\
system:diagonal
event:a
process:P
clock:1:x
clock:1:y
location:P:l0{initial:}
location:P:l1{labels:far}
edge:P:l0:l0:a{provided: x>=1 : do: x=0}
edge:P:l0:l1:a{provided: y-x>3}
";

/// A light with a button: selects, a meta variable, an urgent and a committed location.
pub const LIGHT: &str = "\
int level;
meta int[0,9] pressed;
chan press;
process Light(const int most) {
  clock x;
  state off, on { x < 10 }, warm;
  urgent warm;
  init off;
  trans off -> on { sync press?; assign level = pressed, x = 0; },
        on -> warm { guard x > 3; sync press?; assign x = 0; },
        warm -> off { guard level <= most; assign level = 0; };
}
process User() {
  clock y;
  state idle, busy;
  commit busy;
  init idle;
  trans idle -> idle { select k : int[1,3]; guard y >= 2; sync press!; assign pressed = k, y = 0; },
        idle -> busy { guard y > 20; },
        busy -> idle { };
}
L = Light(2);
system L, User;
";

/// A fresh folder with that model and queries about it.
pub fn light(test: &str, queries: &str) -> PathBuf {
    let folder = folder_with(test, "light.xta", LIGHT);
    std::fs::write(folder.join("light.q"), queries).expect("written");
    folder
}
