//! Bad days: what a user sees when something is not as it should be. Each
//! case ends with a sentence and an exit code; `Ran` looks for panics.

mod common;

use common::{Ran, dwell, dwell_with_input, examples, folder, folder_with};
use std::fs::File;
use std::io::Write;
use std::path::Path;

const FISCHER: &str = include_str!("../../../examples/fischer.xml");

/// Two templates that declare the same names, without queries.
const TWINS: &str = "\
process A() { clock x; state idle, busy; init idle; trans idle -> busy { }; }
process B() { clock x; state idle, busy; init idle; trans idle -> busy { }; }
system A, B;
";

/// Exit code 2, nothing on standard output, and a sentence in the last line of
/// standard error.
#[track_caller]
fn refused(ran: &Ran, sentence: &str) {
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
    let last = ran.err.lines().last().unwrap_or_default();
    assert!(last.starts_with("error: ") && last.contains(sentence), "'{sentence}' in {}", ran.err);
}

/// A query that is refused: the place is shown, and the answer is an error.
#[track_caller]
fn refused_query(ran: &Ran, said: &[&str]) {
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.out.contains(": ERROR\n"), "{}", ran.out);
    assert!(!ran.out.contains("ERROR ("), "nothing was explored: {}", ran.out);
    said.iter().for_each(|said| assert!(ran.err.contains(said), "'{said}' in {}", ran.err));
}

/// A file of this name with these bytes, checked.
fn checked(folder: &Path, file: &str, bytes: &[u8]) -> Ran {
    std::fs::write(folder.join(file), bytes).expect("written");
    dwell(folder, &["check", file])
}

#[test]
fn missing_file() {
    let folder = folder("bad-missing");
    refused(&dwell(&folder, &["check", "nowhere.xml"]), "cannot read nowhere.xml: No such file or directory");
    std::fs::write(folder.join("m.xml"), FISCHER).expect("written");
    refused(&dwell(&folder, &["check", "m.xml", "nowhere.q"]), "cannot read nowhere.q");
    for command in ["simulate", "analyse"] {
        let more: &[&str] = if command == "analyse" { &["--covering"] } else { &[] };
        refused(&dwell(&folder, &[&[command, "nowhere.xml"], more].concat()), "cannot read nowhere.xml");
    }
    refused(&dwell(&folder, &["convert", "nowhere.xml", "--to", "xta"]), "cannot read nowhere.xml");
}

#[test]
fn empty_file() {
    let folder = folder("bad-empty");
    let ran = checked(&folder, "empty.xml", b"");
    refused(&ran, "empty.xml has an error");
    assert!(ran.err.contains("the file holds no element, `<nta>` is expected"), "{}", ran.err);
    let ran = checked(&folder, "empty.xta", b"");
    refused(&ran, "empty.xta has an error");
    assert!(ran.err.contains("there is no `system` line"), "{}", ran.err);
    refused(&checked(&folder, "empty.tck", b""), "empty.tck has an error");
    std::fs::write(folder.join("m.xta"), TWINS).expect("written");
    std::fs::write(folder.join("empty.q"), "").expect("written");
    refused(&dwell(&folder, &["check", "m.xta", "empty.q"]), "empty.q has no queries");
    refused(&dwell(&folder, &["check", "-"]), "standard input does not tell its format");
}

#[test]
fn binary_file() {
    let folder = folder("bad-binary");
    let program = std::fs::read(env!("CARGO_BIN_EXE_dwell")).expect("this program");
    for ending in ["xml", "xta", "ta", "tck"] {
        let ran = checked(&folder, &format!("m.{ending}"), &program[..100_000]);
        refused(&ran, &format!("m.{ending} is a binary file, not a model"));
        assert_eq!(ran.err.lines().count(), 1, "no line of it is shown: {}", ran.err);
    }
    let utf16: Vec<u8> = "\u{feff}<nta/>".encode_utf16().flat_map(u16::to_le_bytes).collect();
    refused(&checked(&folder, "m.xml", &utf16), "m.xml is text in UTF-16; save it as UTF-8");
}

#[test]
fn xml_without_a_model() {
    let folder = folder("bad-xml");
    let ran = checked(&folder, "svg.xml", b"<?xml version=\"1.0\"?>\n<svg><g/></svg>\n");
    refused(&ran, "svg.xml has an error");
    assert!(ran.err.contains("the file is a `<svg>`, not a model, which is an `<nta>`"), "{}", ran.err);
    let ran = checked(&folder, "prose.xml", b"Dear colleague,\n");
    refused(&ran, "prose.xml has an error");
    assert!(ran.err.contains("prose.xml:1:1"), "{}", ran.err);
    let ran = checked(&folder, "half.xml", &FISCHER.as_bytes()[..FISCHER.len() / 2]);
    refused(&ran, "half.xml has ");
}

/// It is read if it may be; where the memory will not do, that is said before.
#[test]
fn a_model_of_200_megabytes() {
    let folder = folder("bad-large");
    let mut file = File::create(folder.join("large.xml")).expect("created");
    let (head, tail) = FISCHER.split_once("<template>").expect("a template");
    file.write_all(head.as_bytes()).expect("written");
    let blanks = [b' '; 1 << 20];
    (0..200).for_each(|_| file.write_all(&blanks).expect("written"));
    write!(file, "<template>{tail}").expect("written");
    drop(file);
    let ran = dwell(&folder, &["check", "large.xml", "--memory", "100MiB"]);
    refused(
        &ran,
        "large.xml has 200.0 MiB, and the whole process may have 100.0 MiB; give a larger --memory",
    );
    let ran = dwell(&folder, &["check", "large.xml", "--only", "2", "--memory", "2GiB"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let note = "note: large.xml has 200.0 MiB; reading it may take 5.86 GiB, and there may be 2.00 GiB\n";
    assert_eq!(ran.err, note);
    std::fs::remove_file(folder.join("large.xml")).expect("removed");
}

#[test]
fn a_query_with_a_typo() {
    let ask = |query: &str| dwell(&examples(), &["check", "fischer.xml", "-q", query]);
    let near =
        |ran: &Ran, near: &str| refused_query(ran, &["<query>:1:", &format!("did you mean `{near}`?")]);
    near(&ask("E<> P(1).critcal"), "critical");
    near(&ask("E<> Pp(1).critical"), "P");
    near(&ask("E<> forall (i : pidt) P(i).critical"), "pid_t");
    refused_query(&ask("E<> P(1).critical &&"), &["unexpected end of the text, expected an expression"]);
    refused_query(&ask("E< P(1).critical"), &["error["]);
    refused_query(&ask("A[] P(9).critical"), &["error["]);
    refused_query(&ask(""), &["error["]);
    let ran = dwell(&examples(), &["check", "train-gate.xml", "-q", "E<> Bridge.free"]);
    refused_query(&ran, &["process `Bridge` is not declared", "the processes are `Train`, `Gate`"]);
    // The others are answered.
    let two = ["check", "fischer.xml", "-q", "E<> P(1).critcal", "-q", "E<> P(1).critical"];
    let ran = dwell(&examples(), &two);
    assert_eq!(ran.code, 2);
    assert!(ran.out.contains("E<> P(1).critical: satisfied ("), "{}", ran.out);
    assert!(ran.out.contains("\n2 queries: 1 satisfied, 1 ERROR; "), "{}", ran.out);
}

#[test]
fn a_name_that_two_templates_have() {
    let folder = folder_with("bad-twins", "twins.xta", TWINS);
    for name in ["idle", "x"] {
        let query = if name == "x" { "E<> x > 3" } else { "E<> idle" };
        let ran = dwell(&folder, &["check", "twins.xta", "-q", query]);
        refused_query(&ran, &[&format!("did you mean `A.{name}` or `B.{name}`?")]);
    }
}

#[test]
fn no_queries_at_all() {
    let folder = folder_with("bad-nothing", "twins.xta", TWINS);
    let ran = dwell(&folder, &["check", "twins.xta"]);
    refused(&ran, "nothing is asked: the model has no queries; give a .q file, -q 'E<> …' or --space");
    std::fs::write(folder.join("twins.q"), "E<> A.busy\n").expect("written");
    refused(&dwell(&folder, &["check", "twins.xta"]), "perhaps: dwell check twins.xta twins.q");
    assert_eq!(dwell(&folder, &["check", "twins.xta", "twins.q"]).code, 0);
}

/// Files that cannot be written: the answer is not lost, the exit code tells.
#[test]
fn an_output_that_cannot_be_written() {
    let folder = folder_with("bad-output", "twins.xta", TWINS);
    let ask = ["check", "twins.xta", "-q", "E<> A.busy"];
    for path in ["nowhere/trace.txt", "."] {
        let ran = dwell(&folder, &[&ask[..], &["--trace-out", path]].concat());
        assert_eq!(ran.code, 2);
        assert!(ran.out.starts_with("E<> A.busy: satisfied ("), "{}", ran.out);
        assert!(ran.err.starts_with(&format!("error: cannot write {path}: ")), "{}", ran.err);
    }
    refused(&dwell(&folder, &["convert", "twins.xta", "--to", "xml", "-o", "nowhere/m.xml"]), "cannot write");
    // A run that cannot be kept is not begun: what it finds may be worth hours.
    let ran = dwell(&folder, &[&ask[..], &["--checkpoint", "nowhere/run"]].concat());
    assert_eq!(ran.code, 2);
    assert!(ran.out.starts_with("E<> A.busy: ERROR\n  cannot write nowhere/run: "), "{}", ran.out);
}

/// Values that no option can have are told as such, with the option.
#[test]
fn odd_values() {
    let folder = folder_with("bad-values", "m.xml", FISCHER);
    for (args, sentence) in [
        (&["--timeout", "-1s"][..], "'-1s' is not a number with a unit"),
        (&["--timeout", "999999999999999999h"], "is longer than time can be told"),
        (&["--memory", "-1GiB"], "'-1GiB' is not a number with a unit"),
        (&["--threads", "-1"], "-1 is not in 0..=1024"),
        (&["--seed", "-1"], "not a whole number from 0"),
        (&["--only", "-1"], "'--only <N>'"),
        (&["--store", "bit-state:0"], "--store bit-state: '0' is not a number with a unit"),
        (&["--store", "hash-compact:1MiB,0"], "--store hash-compact: '0': bits of a signature"),
        (&["--space", "--only", "1"], "--only chooses among queries"),
    ] {
        let ran = dwell(&folder, &[&["check", "m.xml"], args].concat());
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}: {}", ran.err);
        assert!(ran.err.starts_with("error: ") && ran.err.contains(sentence), "{args:?}: {}", ran.err);
    }
    // The state space has no number.
    let ran =
        dwell(&folder, &["check", "m.xml", "--space", "-q", "E<> false", "-q", "E<> true", "--only", "2"]);
    assert_eq!(ran.code, 0, "{}", ran.out);
    assert!(ran.out.contains("2 queries: 2 satisfied"), "{}", ran.out);
}

/// Files that are something else than what is asked for.
#[test]
fn files_that_are_something_else() {
    let folder = folder_with("bad-kinds", "m.xml", FISCHER);
    refused(&dwell(&folder, &["check", "m.xml", "m.xml"]), "m.xml is XML, not a file of queries");
    refused(&dwell(&folder, &["check", "."]), "cannot read .: it is a folder");
    refused(
        &dwell(&folder, &["plot", "m.xml"]),
        "m.xml is not the log of a run, and not the results of a bench",
    );
    std::fs::write(folder.join("latin.q"), b"// Schlo\xdf\nE<> P(1).critical\n").expect("written");
    refused(&dwell(&folder, &["check", "m.xml", "latin.q"]), "latin.q:1:9: byte 0xdf is not UTF-8");
}

#[test]
#[cfg(unix)]
fn an_argument_that_is_no_text() {
    use std::os::unix::ffi::OsStrExt;
    let folder = folder_with("bad-argument", "m.xml", FISCHER);
    let mut command = common::command(&folder, &["check", "--json"]);
    let ran = Ran::new(command.arg(std::ffi::OsStr::from_bytes(b"\xff.xml")).output().expect("it runs"));
    assert_eq!(ran.code, 2);
    assert_eq!(ran.json()["error"]["message"], "invalid UTF-8 was detected in one or more arguments");
}

/// A slip of the pen is answered with what may be meant, once.
#[test]
fn what_may_be_meant() {
    let folder = folder_with("bad-meant", "m.xml", FISCHER);
    let ask = |query: &str| dwell(&folder, &["check", "m.xml", "-q", query]);
    refused_query(&ask("A[] not deadlok"), &["did you mean `deadlock`?"]);
    let ran = ask("E<> P(9).critical");
    refused_query(&ran, &["there is no such process; there are 3, from `P(1)` to `P(3)`"]);
    assert!(!ran.err.contains("member"), "what follows from it is not told: {}", ran.err);
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk() {
    let folder = folder_with("bad-full", "twins.xta", TWINS);
    let full = || File::options().write(true).open("/dev/full").expect("Linux has it");
    let ask = ["check", "twins.xta", "-q", "E<> A.busy"];
    let ran = dwell(&folder, &[&ask[..], &["--trace-out", "/dev/full"]].concat());
    assert_eq!(ran.code, 2);
    assert!(ran.out.starts_with("E<> A.busy: satisfied ("), "{}", ran.out);
    assert_eq!(ran.err, "error: cannot write /dev/full: No space left on device (os error 28)\n");
    // Standard output itself: an answer that nobody gets is none.
    let convert = ["convert", "twins.xta", "--to", "xml"];
    for args in [
        &ask[..],
        &[&ask[..], &["--json"]].concat(),
        &convert,
        &["generate", "fischer"],
        &["simulate", "twins.xta"],
        &["check", "--help"],
        &["--version"],
    ] {
        let mut command = common::command(&folder, args);
        let ran = Ran::new(command.stdout(full()).output().expect("the program runs"));
        assert_eq!(ran.code, 2, "{args:?}");
        assert_eq!(ran.err, "error: cannot write standard output: No space left on device (os error 28)\n");
    }
    // With standard error full as well there is nothing left to say it with.
    let mut command = common::command(&folder, &ask);
    let output = command.stdout(full()).stderr(full()).output().expect("the program runs");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn windows_line_endings_and_a_byte_order_mark() {
    let folder = folder("bad-endings");
    let query = "// Both?\nE<> P(1).critical\n\nE<> P(1).critical && P(2).critical\n";
    let xta = TWINS.to_owned();
    let tck = include_str!("../../../examples/lamp.tck").to_owned();
    let windows = |text: &str| text.replace('\n', "\r\n");
    let marked = |text: &str| format!("\u{feff}{text}");
    for (name, change) in [
        ("line endings", &windows as &dyn Fn(&str) -> String),
        ("a mark", &marked),
        ("both", &|text: &str| marked(&windows(text))),
    ] {
        let write =
            |file: &str, text: &str| std::fs::write(folder.join(file), change(text)).expect("written");
        write("m.xml", FISCHER);
        write("m.q", query);
        write("m.xta", &xta);
        write("m.tck", &tck);
        let check = |args: &[&str]| dwell(&folder, &[&["check", "--deny-warnings"], args].concat());
        let ran = check(&["m.xml", "m.q"]);
        assert_eq!((ran.code, ran.err.as_str()), (1, ""), "{name}: {}", ran.out);
        assert!(ran.out.starts_with("E<> P(1).critical: satisfied ("), "{name}: {}", ran.out);
        assert!(ran.out.contains(")\n  Both?\n"), "{name}: {}", ran.out);
        assert!(!ran.out.contains('\r'), "{name}: {:?}", ran.out);
        assert_eq!(check(&["m.xml", "--only", "2"]).code, 0, "{name}");
        assert_eq!(check(&["m.xta", "-q", "E<> B.busy"]).code, 0, "{name}");
        assert_eq!(check(&["m.tck", "--labels", "bright"]).code, 0, "{name}");
        let input = change(FISCHER);
        let ran = dwell_with_input(&folder, &["check", "-", "--only", "2"], input.as_bytes());
        assert_eq!(ran.code, 0, "{name}: {}", ran.err);
    }
    // Places are those of the lines that an editor shows.
    let wrong = windows(&FISCHER.replacen("x &lt;= D", "y &lt;= D", 1));
    assert_ne!(wrong, windows(FISCHER), "something was changed");
    let line = 1 + wrong.lines().position(|line| line.contains("y &lt;= D")).expect("a line");
    let ran = checked(&folder, "wrong.xml", wrong.as_bytes());
    refused(&ran, "wrong.xml has an error");
    assert!(ran.err.contains(&format!("wrong.xml:{line}:")), "{}", ran.err);
}

#[test]
fn latin_1() {
    let folder = folder("bad-latin1");
    let with_comment = FISCHER.replacen("<template>", "<!-- caf\u{e9} --><template>", 1);
    let latin1: Vec<u8> =
        with_comment.chars().map(|c| u8::try_from(u32::from(c)).expect("Latin-1")).collect();
    let ran = checked(&folder, "plain.xml", &latin1);
    refused(&ran, "plain.xml has an error");
    assert!(ran.err.contains("byte 0xe9 is not UTF-8"), "{}", ran.err);
    assert!(ran.err.contains("save the file as UTF-8"), "{}", ran.err);
    // A file that says what it is can be read.
    let declared = with_comment.replacen("encoding=\"utf-8\"", "encoding=\"ISO-8859-1\"", 1);
    assert_ne!(declared, with_comment, "the example declares its encoding");
    let latin1: Vec<u8> = declared.chars().map(|c| u8::try_from(u32::from(c)).expect("Latin-1")).collect();
    let ran = checked(&folder, "declared.xml", &latin1);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    // Queries have no way to say so.
    std::fs::write(folder.join("m.q"), b"// caf\xe9\nE<> P(1).critical\n").expect("written");
    refused(&dwell(&folder, &["check", "declared.xml", "m.q"]), "m.q:1:7: byte 0xe9 is not UTF-8");
}

/// The limits say what was reached and what to try next; Ctrl-C and closed
/// pipes are in `running`.
#[test]
fn limits_say_what_to_try() {
    let folder = folder_with("bad-limits", "large.tck", common::large());
    let check = |args: &[&str]| dwell(&folder, &[&["check", "large.tck", "--space"], args].concat());
    for (args, said) in [
        (["--timeout", "100ms"], "out of time; try a longer --timeout"),
        (
            ["--memory", "12MiB"],
            "out of memory; try --store shared-minimal, --spill DIR, or a larger --memory",
        ),
    ] {
        let ran = check(&args);
        assert_eq!((ran.code, ran.err.as_str()), (3, ""), "{args:?}");
        assert!(ran.out.starts_with("state space: unknown ("), "{}", ran.out);
        assert!(ran.out.contains(&format!(")\n  {said}\n")), "{}", ran.out);
        assert!(ran.out.contains(" visited, "), "what is known is told: {}", ran.out);
    }
}

/// A verdict that is only a maybe says why, and how to be sure.
#[test]
fn a_maybe_says_what_to_try() {
    let stopwatch = "process P() { clock x; state a { x' == 0 }, b; init a; trans a -> b { assign x = 0; }; }\nsystem P;\n";
    let folder = folder_with("bad-maybe", "m.xta", stopwatch);
    let space = ["--space"];
    let reach = ["-q", "E<> P.b && P.x > 2"];
    for (ask, more, said) in [
        (&space[..], &["--store", "bit-state"][..], "to be sure, ask with --store shared"),
        (&space, &["--convex-hull"], "to be sure, ask without --convex-hull"),
        (&reach, &[], "to be sure, look for a run with dwell simulate"),
    ] {
        let ran = dwell(&folder, &[&["check", "m.xta", "--json"], ask, more].concat());
        assert_eq!(ran.code, 3, "{more:?}: {}", ran.out);
        let query = &ran.json()["queries"][0];
        assert!(query["verdict"].as_str().is_some_and(|v| v.starts_with("maybe")), "{query}");
        assert!(query["why"].as_str().is_some_and(|why| why.contains(said)), "{query}");
    }
}

/// An urgent state whose deadlocks are what 24 guards leave: more zones than can be made.
#[test]
fn too_many_zones_for_a_deadlock() {
    let clocks: Vec<String> = (0..24).map(|i| format!("x{i}")).collect();
    let states: Vec<String> = (0..24).map(|i| format!("A{i}")).collect();
    let along = |i: usize| format!("A{i} -> A{} {{ assign x{} = 0; }}", i + 1, i + 1);
    let away = |i: usize| format!("U -> D {{ guard x{i} == {}; }}", 10 * (24 - i));
    let edges: Vec<String> = (0..23)
        .map(along)
        .chain(["A23 -> U { }".to_owned(), "D -> D { }".to_owned()])
        .chain((0..24).map(away))
        .collect();
    let model = format!(
        "clock {};\nprocess P() {{ state {}, U, D; urgent U; init A0; trans {}; }}\nsystem P;\n",
        clocks.join(", "),
        states.join(", "),
        edges.join(", ")
    );
    let folder = folder_with("bad-federation", "m.xta", &model);
    let ran = dwell(&folder, &["check", "m.xta", "-q", "A[] not deadlock", "--memory", "1GiB"]);
    assert_eq!(ran.code, 3, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("more alternatives over clocks than can be tried"), "{}{}", ran.out, ran.err);
}
