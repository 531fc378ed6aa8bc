//! Input of every kind, good and bad, and options that make no sense.

mod common;

use common::{COUNTER, DIAGONAL, Ran, WARNED, dwell, dwell_with_input, examples, folder, folder_with};

const LAMP: &str = include_str!("../../../examples/lamp.tck");

/// Refused: exit code 2, nothing on standard output, a sentence on standard error.
fn refused(ran: &Ran, sentence: &str) {
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
    assert!(ran.err.contains(sentence), "'{sentence}' in {}", ran.err);
    assert!(ran.err.starts_with("error"), "{}", ran.err);
}

#[test]
fn exit_codes() {
    let folder = examples();
    let code = |args: &[&str]| dwell(&folder, &[&["check"], args].concat()).code;
    assert_eq!(code(&["lamp.tck", "--labels", "bright"]), 0);
    assert_eq!(code(&["lamp.tck", "--space"]), 0);
    assert_eq!(code(&["lamp.tck", "--labels", "bright,dim"]), 1);
    assert_eq!(code(&["lamp.tck", "--labels", "bright", "--labels", "bright,dim"]), 1);
    assert_eq!(code(&["lamp.tck", "--labels", "dark"]), 2);
    assert_eq!(code(&[]), 2);
    assert_eq!(dwell(&folder, &[]).code, 2);
    assert_eq!(dwell(&folder, &["nonsense"]).code, 2);
    for help in
        [&["--help"][..], &["--version"], &["check", "--help"], &["check", "-h"], &["help", "generate"]]
    {
        let ran = dwell(&folder, help);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{help:?}");
    }
}

#[test]
fn standard_input() {
    let folder = folder("stdin");
    let ran = dwell_with_input(&folder, &["check", "-", "--labels", "bright"], LAMP.as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let ran = dwell_with_input(&folder, &["check", "-", "--input-format", "tck", "--space"], LAMP.as_bytes());
    assert_eq!(ran.code, 0);
    let ran = dwell_with_input(&folder, &["check", "-", "--space", "--input-format", "tck"], b"nonsense");
    refused(&ran, "<stdin>:1:1");
    refused(
        &dwell(&folder, &["check", "-", "--space", "--input-format", "tck"]),
        "the file declares nothing",
    );
    let ran = dwell_with_input(&folder, &["check", "-", "--space"], b"nonsense");
    refused(&ran, "standard input does not tell its format; add --input-format");
}

#[test]
fn files_that_are_no_models() {
    let folder = folder("files");
    let check = |file: &str| dwell(&folder, &["check", file, "--space"]);
    let write = |file: &str, bytes: &[u8]| std::fs::write(folder.join(file), bytes).expect("written");
    refused(&check("missing.tck"), "cannot read missing.tck");
    write("empty.tck", b"");
    refused(&check("empty.tck"), "declares nothing");
    write("comment.tck", b"# only a comment\n");
    refused(&check("comment.tck"), "declares nothing");
    let binary: Vec<u8> = (0..=255).cycle().take(5000).collect();
    write("binary.tck", &binary);
    refused(&check("binary.tck"), "binary.tck is a binary file");
    write("zeros.tck", &[0; 4096]);
    refused(&check("zeros.tck"), "zeros.tck is a binary file");
    std::fs::create_dir(folder.join("folder.tck")).expect("created");
    refused(&check("folder.tck"), "cannot read folder.tck");
    refused(&check("."), "cannot read .: it is a folder");
    write("model.foo", LAMP.as_bytes());
    refused(&check("model.foo"), "add --input-format");
    write("model", LAMP.as_bytes());
    refused(&check("model"), "add --input-format");
    write("model.xml", b"<nta></nta>");
    refused(&check("model.xml"), "model.xml has an error");
}

#[test]
fn the_ending_does_not_matter_when_the_format_is_said() {
    let folder = folder_with("format", "model.foo", LAMP);
    std::fs::write(folder.join("model.TXT"), LAMP).expect("written");
    assert_eq!(dwell(&folder, &["check", "model.foo", "--space", "--input-format", "tck"]).code, 0);
    assert_eq!(dwell(&folder, &["check", "model.TXT", "--space"]).code, 0);
}

#[test]
fn encodings() {
    let folder = folder("encodings");
    let check = |bytes: &[u8]| {
        std::fs::write(folder.join("m.tck"), bytes).expect("written");
        dwell(&folder, &["check", "m.tck", "--space", "--deny-warnings"])
    };
    assert_eq!(check(LAMP.replace('\n', "\r\n").as_bytes()).code, 0, "CRLF");
    assert_eq!(check(format!("\u{feff}{LAMP}").as_bytes()).code, 0, "a byte order mark");
    assert_eq!(check(format!("{LAMP}# caf\u{e9} \u{1f600}\n").as_bytes()).code, 0, "UTF-8 in a comment");
    assert_eq!(check(LAMP.trim_end().as_bytes()).code, 0, "no end of line at the end");
    let latin1 = [b"system:s\n# caf\xe9\n", LAMP.as_bytes()].concat();
    let ran = check(&latin1);
    refused(&ran, "byte 0xe9 is not UTF-8");
    assert!(ran.err.contains("m.tck:2:6"), "{}", ran.err);
}

#[test]
fn twenty_megabytes_of_junk() {
    let mut junk = String::with_capacity(20 << 20);
    let mut random = 1_u32;
    while junk.len() < 20 << 20 {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        junk.push(char::from(b' ' + (random >> 24) as u8 % 95));
        if random >> 16 & 63 == 0 {
            junk.push('\n');
        }
    }
    let folder = folder_with("junk", "junk.tck", &junk);
    let ran = dwell(&folder, &["check", "junk.tck", "--space"]);
    refused(&ran, "junk.tck has");
    assert!(ran.err.len() < 100_000, "{} bytes of complaints", ran.err.len());
    // One line of the same size.
    std::fs::write(folder.join("line.tck"), junk.replace('\n', " ")).expect("written");
    let ran = dwell(&folder, &["check", "line.tck", "--space"]);
    refused(&ran, "line.tck has");
    assert!(ran.err.len() < 100_000, "{} bytes of complaints", ran.err.len());
}

#[test]
fn labels() {
    let folder = examples();
    let check = |labels: &str| dwell(&folder, &["check", "lamp.tck", "--labels", labels]);
    refused(&check("brigth"), "no location carries the label 'brigth'; did you mean 'bright'?");
    refused(&check("bright,zzzzzzzz"), "no location carries the label 'zzzzzzzz'; there are: dim, bright");
    refused(&check(""), "no label given");
    refused(&check(","), "no label given");
    assert_eq!(check(" bright , ").code, 0, "blanks do not matter");
    refused(&dwell(&folder, &["check", "lamp.tck"]), "nothing is asked");
}

#[test]
fn mixes_that_make_no_sense() {
    let folder = folder_with("mixes", "diagonal.tck", DIAGONAL);
    let check =
        |args: &[&str]| dwell(&folder, &[&["check", "diagonal.tck", "--labels", "far"], args].concat());
    for abstraction in ["extra-m+", "extra-lu", "extra-lu+", "a-lu"] {
        refused(
            &check(&["--abstraction", abstraction]),
            "is unsound here: differences of clocks are compared (x - y < c)",
        );
    }
    assert_eq!(check(&["--abstraction", "extra-m"]).code, 0);
    assert_eq!(check(&["--abstraction", "none"]).code, 0);
    assert_eq!(check(&[]).code, 0, "the plan knows");

    // A copy of a clock makes one difference another.
    let copies = DIAGONAL.replace("do: x=0", "do: y=x; x=0");
    std::fs::write(folder.join("copies.tck"), copies).expect("written");
    let check = |args: &[&str]| dwell(&folder, &[&["check", "copies.tck", "--labels", "far"], args].concat());
    refused(&check(&["--abstraction", "extra-m"]), "cannot be listed, since clocks are copied");
    assert_eq!(check(&["--explain"]).out.matches("abstraction       none").count(), 1);

    let lamp = ["check", "lamp.tck", "--space", "--abstraction", "a-lu", "--cover", "equality"];
    refused(&dwell(&examples(), &lamp), "it cannot go with --cover equality");
}

#[test]
fn options_that_are_not_built_are_not_accepted() {
    for command in ["ui", "lint"] {
        refused(&dwell(&examples(), &[command, "lamp.tck"]), command);
    }
}

#[test]
fn units() {
    for bad in [["--timeout", "5"], ["--timeout", "1e3s"], ["--memory", "4GB"], ["--memory", "lots"]] {
        let ran = dwell(&examples(), &[&["check", "lamp.tck", "--space"], &bad[..]].concat());
        refused(&ran, "is not a number with a unit");
    }
}

#[test]
fn warnings_denied() {
    let folder = folder_with("denied", "warned.tck", WARNED);
    let check = |args: &[&str]| dwell(&folder, &[&["check", "warned.tck", "--labels", "end"], args].concat());
    let allowed = check(&[]);
    assert_eq!(allowed.code, 0);
    assert!(allowed.err.starts_with("warning"), "{}", allowed.err);
    let denied = check(&["--deny-warnings"]);
    assert_eq!((denied.code, denied.out.as_str()), (2, ""));
    assert!(denied.err.contains("warned.tck:4:") && denied.err.contains("--deny-warnings"), "{}", denied.err);
}

#[test]
fn out_of_range() {
    let folder = folder_with("range", "counter.tck", COUNTER);
    let check = |args: &[&str]| dwell(&folder, &[&["check", "counter.tck"], args].concat());
    assert_eq!(check(&["--space"]).code, 2);
    assert_eq!(check(&["--space", "--out-of-range", "error"]).code, 2);
    let ran = check(&["--space", "--out-of-range", "disable"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_eq!(check(&["--labels", "two", "--out-of-range", "disable"]).code, 0);
}

#[test]
fn traces_into_files() {
    let folder = folder_with("trace-out", "lamp.tck", LAMP);
    let check =
        |file: &str| dwell(&folder, &["check", "lamp.tck", "--labels", "bright", "--trace-out", file]);
    let shown = dwell(&folder, &["check", "lamp.tck", "--labels", "bright"]).out;
    let ran = check("trace.txt");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(!ran.out.contains("start"), "the trace goes to the file only: {}", ran.out);
    let text = std::fs::read_to_string(folder.join("trace.txt")).expect("written");
    assert!(text.starts_with("  start ") && shown.ends_with(&text), "{text}");

    assert_eq!(check("trace.json").code, 0);
    let json = std::fs::read_to_string(folder.join("trace.json")).expect("written");
    let trace: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(trace["states"].as_array().unwrap().len(), 3);
    assert_eq!(trace["steps"].as_array().unwrap().len(), 2);

    let ran = check("missing/trace.txt");
    assert_eq!(ran.code, 2);
    assert!(ran.out.starts_with("labels bright: satisfied"), "the verdict is not lost: {}", ran.out);
    assert!(ran.err.starts_with("error: cannot write missing/trace.txt"), "{}", ran.err);

    // Of several queries the last that has a trace; with --json it is asked for too.
    let several =
        ["--labels", "dim", "--labels", "bright", "--labels", "bright,dim", "--trace-out", "last.txt"];
    for more in [&[][..], &["--json"]] {
        let ran = dwell(&folder, &[&["check", "lamp.tck"], &several[..], more].concat());
        assert_eq!((ran.code, ran.err.as_str()), (1, ""));
        assert_eq!(std::fs::read_to_string(folder.join("last.txt")).expect("written"), text);
        std::fs::remove_file(folder.join("last.txt")).expect("written again");
    }

    let none = ["check", "lamp.tck", "--labels", "bright,dim", "--trace-out", "none.txt"];
    let ran = dwell(&folder, &none);
    assert_eq!((ran.code, ran.err.as_str()), (1, "note: there is no trace to write\n"));
    assert!(!folder.join("none.txt").exists());
}
