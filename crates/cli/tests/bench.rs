//! `dwell bench`, and plots of what it finds.

mod common;

use common::{Ran, dwell, examples, folder, folder_with};
use std::path::Path;

fn read(folder: &Path, file: &str) -> String {
    std::fs::read_to_string(folder.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn is_picture(folder: &Path, file: &str) {
    let svg = read(folder, file);
    assert!(roxmltree::Document::parse(&svg).is_ok(), "{file}: {svg}");
}

/// The table, a row of words each.
fn rows(ran: &Ran) -> Vec<Vec<&str>> {
    ran.out.lines().map(|line| line.split_whitespace().collect()).collect()
}

#[test]
fn models_and_plans_in_a_table_and_files() {
    let folder = folder("bench-files");
    for model in ["lamp.tck", "fischer.tck"] {
        std::fs::copy(examples().join(model), folder.join(model)).expect("copied");
    }
    std::fs::create_dir(folder.join("lists")).expect("a folder");
    std::fs::write(
        folder.join("lists/all"),
        "# two\n\n../lamp.tck --labels bright\n../fischer.tck --space\n",
    )
    .expect("written");
    let ran = dwell(
        &folder,
        &[
            "bench",
            "fischer.tck --labels cs1,cs2",
            "--list",
            "lists/all",
            "--plan",
            "",
            "--plan",
            "--order bfs",
            "--runs",
            "2",
            "--csv",
            "r.csv",
            "--json",
            "r.json",
            "--plots",
            "plots",
        ],
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    let rows = rows(&ran);
    assert_eq!(rows[0], ["model", "plan", "verdict", "visited", "stored", "s", "MiB"]);
    assert_eq!(rows.len(), 7, "{}", ran.out);
    assert_eq!(rows[1][..6], ["fischer.tck", "--labels", "cs1,cs2", "default", "not-satisfied", "65"]);
    assert_eq!(rows[6][..6], ["../fischer.tck", "--space", "--order", "bfs", "satisfied", "71"]);
    // Three models, two plans, two runs.
    assert_eq!(ran.err.lines().count(), 12, "{}", ran.err);
    let csv = read(&folder, "r.csv");
    assert!(csv.starts_with("model,plan,verdict,why,visited,") && csv.lines().count() == 7, "{csv}");
    assert!(csv.contains("\n\"fischer.tck --labels cs1,cs2\",default,not-satisfied,,65,65,"), "{csv}");
    let json: serde_json::Value = serde_json::from_str(&read(&folder, "r.json")).expect("JSON");
    assert_eq!(
        (json["plans"][1].as_str(), json["results"][0]["runs"][1]["seconds"].is_f64()),
        (Some("--order bfs"), true)
    );
    for plot in ["cactus", "cactus-memory", "scatter-1-2", "scatter-memory-1-2", "model-1", "model-3"] {
        is_picture(&folder, &format!("plots/{plot}.svg"));
    }
    for show in ["auto", "cactus", "cactus-memory", "scatter", "scatter-memory"] {
        let ran = dwell(&folder, &["plot", "r.json", "--show", show, "-o", "p.svg"]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{show}");
        is_picture(&folder, "p.svg");
    }
    let ran = dwell(&folder, &["plot", "r.json", "--show", "scatter", "--y", "3"]);
    assert_eq!((ran.code, ran.err.as_str()), (2, "error: there is no plan 3: there are 2\n"));
    let ran = dwell(&folder, &["plot", "r.json", "--show", "states"]);
    assert!(ran.code == 2 && ran.err.contains("states is for the log of a run"), "{}", ran.err);
}

#[test]
fn what_has_no_answer_is_a_row_with_its_reason() {
    let folder = folder_with("bench-reasons", "large.tck", common::large());
    std::fs::write(folder.join("bad.tck"), "no model").expect("written");
    let ran = dwell(
        &folder,
        &[
            "bench",
            "large.tck --space",
            "large.tck --no-such-option",
            "bad.tck --space",
            "none.xml",
            "--timeout",
            "300ms",
            "--runs",
            "3",
            "--plots",
            "plots",
        ],
    );
    assert_eq!(ran.code, 3, "{}", ran.err);
    let reasons = ["out of time", "--no-such-option", "bad.tck has", "cannot read none.xml"];
    for (row, reason) in ran.out.lines().skip(1).zip(reasons) {
        assert!(row.contains(" none ") && row.contains(reason), "`{reason}` is not in {row}");
    }
    // What failed once is not tried again.
    assert_eq!(ran.err.lines().count(), 4, "{}", ran.err);
    is_picture(&folder, "plots/model-1.svg");
    assert!(!folder.join("plots/model-4.svg").exists(), "nothing was logged");
}

#[test]
fn too_little_memory_is_a_reason() {
    let folder = folder_with("bench-memory", "large.tck", common::large());
    let ran = dwell(&folder, &["bench", "large.tck --space", "--memory", "1MiB", "--runs", "1"]);
    assert_eq!(ran.code, 3, "{}", ran.err);
    assert!(ran.out.contains("memory"), "{}", ran.out);
}

#[test]
fn bad_benches_are_told_before_anything_runs() {
    let folder = folder_with("bench-bad", "m.tck", common::DIAGONAL);
    std::fs::write(folder.join("list"), "m.tck -q 'open\n").expect("written");
    let model = "m.tck --space";
    for (args, sentence) in [
        (&[][..], "there is no model to run"),
        (&["--list", "none"], "cannot read none"),
        (&["--list", "list"], "line 1 of list: a quote is not closed"),
        (&[model, "--plan", "'"], "a quote is not closed"),
        (&[model, "--csv", "no/r.csv"], "cannot write no/r.csv"),
        (&[model, "--plots", "m.tck"], "cannot make the folder"),
        (&[model, "--json", "r.json", "--runs", "0"], "--runs"),
    ] {
        let ran = dwell(&folder, &[&["bench"], args].concat());
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}: {}", ran.err);
        assert!(ran.err.contains(sentence), "{args:?}: {}", ran.err);
    }
}
