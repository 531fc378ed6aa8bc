//! Programs of others, unchanged, with dwell in the place of UPPAAL: PyUPPAAL
//! drives `verifyta` and reads its traces, uppaalpy reads and writes models.
//!
//! They are Python; `cargo xtask test` installs them under the target
//! directory, and so does `cargo xtask clients` alone. The scripts that use them are in `clients/`.
#![cfg(unix)]

mod common;

use common::{dwell, examples, folder};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The interpreter that knows the clients.
fn python() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target directory");
    let python = target.join("clients-venv/bin/python");
    assert!(
        python.exists(),
        "PyUPPAAL and uppaalpy are not installed; run `cargo xtask test`, or `cargo xtask clients` for that alone"
    );
    python
}

/// What a script prints.
fn script(folder: &Path, name: &str, args: &[&str]) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients").join(name);
    let mut command = Command::new(python());
    command.arg(script).args(args).current_dir(folder).env_remove("UPPAAL_COMPILE_ONLY");
    let output = command.output().expect("it runs");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{name} {args:?}: {out}{err}");
    out.into_owned()
}

/// What the last line of that says.
fn answer(folder: &Path, name: &str, args: &[&str]) -> serde_json::Value {
    let out = script(folder, name, args);
    serde_json::from_str(out.lines().last().expect("a line")).unwrap_or_else(|e| panic!("{e} in {out}"))
}

/// A folder with the program under UPPAAL's name and copies of these examples:
/// PyUPPAAL writes the models it reads.
fn workplace(test: &str, models: &[&str]) -> (PathBuf, String) {
    let folder = folder(test);
    let verifyta = folder.join("verifyta");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_dwell"), &verifyta).expect("a link");
    for model in models {
        std::fs::copy(examples().join(model), folder.join(model)).expect("a copy");
    }
    let machine = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients/machine.xml");
    std::fs::copy(machine, folder.join("machine.xml")).expect("a copy");
    (folder, verifyta.to_str().expect("a path").to_owned())
}

fn verdicts(folder: &Path, model: &str) -> Vec<String> {
    let report = dwell(folder, &["check", model, "--json"]).json();
    let queries = report["queries"].as_array().expect("queries");
    queries.iter().map(|query| query["verdict"].as_str().expect("a verdict").to_owned()).collect()
}

#[test]
fn pyuppaal_gets_our_verdicts() {
    let models = ["fischer.xml", "train-gate.xml", "vikings.xml"];
    let (folder, verifyta) = workplace("pyuppaal_verdicts", &models);
    for model in models {
        let expected: Vec<String> =
            verdicts(&folder, model).into_iter().map(|verdict| verdict.replace("not-", "NOT ")).collect();
        let answer = answer(&folder, "verdicts.py", &[&verifyta, model]);
        assert_eq!(answer["verdicts"], serde_json::json!(expected), "{model}");
        assert!(expected.len() > 1);
    }
}

#[test]
fn pyuppaal_reads_our_traces() {
    let (folder, verifyta) = workplace("pyuppaal_trace", &[]);
    let trace = answer(&folder, "trace.py", &[&verifyta, "machine.xml", "A[] not M.done", "-t 1"]);
    let expected = serde_json::json!({
        "states": [["M.idle"], ["M.paid"], ["M.done"]],
        "values": [{}, {}, {}],
        "zones": [
            [["t(0)", "M.x", true, 0]],
            [["t(0)", "M.x", true, 0], ["M.x", "t(0)", true, 5]],
            [["t(0)", "M.x", false, -2]],
        ],
        "transitions": [
            [["M.idle", "M.paid", "1", "coin!", "x = 0"]],
            [["M.paid", "M.done", "x > 2", "tea!", "1"]],
        ],
        "actions": ["coin", "tea"],
    });
    assert_eq!(trace, expected);
    let none = answer(&folder, "trace.py", &[&verifyta, "machine.xml", "E<> M.paid && M.x > 5", "-t 1"]);
    assert!(none.is_null(), "{none}");
}

#[test]
fn pyuppaal_reads_traces_with_variables_selects_and_several_processes() {
    let (folder, verifyta) = workplace("pyuppaal_train", &["train-gate.xml"]);
    let trace = answer(&folder, "trace.py", &[&verifyta, "train-gate.xml", "E<> Gate.waiting == N", "-t 1"]);
    assert_eq!(
        trace["states"][4],
        serde_json::json!(["Train(0).approaching", "Train(1).stopped", "Train(2).approaching", "Gate._id7"])
    );
    assert_eq!(trace["values"][4]["Gate.waiting"], 3);
    // The reader shows the value of `select train : id_t` behind the target.
    let first = &trace["transitions"][0];
    assert_eq!(
        first[0],
        serde_json::json!(["Train(0).far", "Train(0).approaching", "1", "near[id]!", "x = 0"])
    );
    assert_eq!(first[1][1], "Gate.taken [0]");
}

#[test]
fn pyuppaal_finds_all_patterns() {
    let (folder, verifyta) = workplace("pyuppaal_patterns", &[]);
    let args = [verifyta.as_str(), "machine.xml", "E<> M.done", "coin", "tea", "coffee", "sugar"];
    let mut patterns: Vec<Vec<String>> =
        serde_json::from_value(answer(&folder, "patterns.py", &args)).expect("lists");
    patterns.sort();
    let expected = [vec!["coin", "coffee"], vec!["coin", "coffee", "sugar"], vec!["coin", "tea"]];
    assert_eq!(patterns, expected);
}

#[test]
fn pyuppaal_reads_what_convert_made_of_other_formats() {
    let (folder, verifyta) = workplace("pyuppaal_convert", &["fischer.tck", "polling.xta", "polling.q"]);
    for (model, query) in [("fischer.tck", "E<> P1.critical"), ("polling.xta", "E<> Sampler.Collecting")] {
        let ran = dwell(&folder, &["convert", model, "--to", "xml", "-o", "made.xml"]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        let trace = answer(&folder, "trace.py", &[&verifyta, "made.xml", query, "-t 0"]);
        assert!(!trace["states"].as_array().expect("states").is_empty(), "{model}");
    }
}

#[test]
fn uppaalpy_changes_and_writes_what_convert_made() {
    let (folder, _) = workplace("uppaalpy", &["fischer.tck", "vikings.xml"]);
    let exclusion = "A[] not (P1.critical && P2.critical)";
    let check = |model: &str| dwell(&folder, &["check", model, "-q", exclusion]).code;
    assert_eq!(dwell(&folder, &["convert", "fischer.tck", "--to", "xml", "-o", "made.xml"]).code, 0);
    let args = ["made.xml", "same.xml", "changed.xml", "x1", "1"];
    assert_eq!(script(&folder, "change.py", &args), "2 -> 1\n");
    // With the shorter delay two processes can be in the critical section.
    assert_eq!([check("made.xml"), check("same.xml"), check("changed.xml")], [0, 0, 1]);
    assert_eq!(verdicts(&folder, "same.xml"), verdicts(&folder, "made.xml"));

    assert_eq!(dwell(&folder, &["convert", "vikings.xml", "--to", "xml", "-o", "made.xml"]).code, 0);
    script(&folder, "change.py", &["made.xml", "same.xml"]);
    assert_eq!(verdicts(&folder, "same.xml"), verdicts(&folder, "vikings.xml"));
}
