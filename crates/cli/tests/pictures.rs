//! Pictures of models and runs, logs of runs and their plots.

mod common;

use common::{DIAGONAL, Ran, dwell, dwell_with_input, examples, folder, folder_with};
use serde_json::Value;
use std::path::Path;

/// The texts in a picture, which is XML with a size.
fn texts(svg: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(svg).unwrap_or_else(|error| panic!("{error} in {svg}"));
    let root = document.root_element();
    assert_eq!(root.tag_name().name(), "svg");
    let size = |name| root.attribute(name).and_then(|size| size.parse::<f64>().ok());
    assert!(size("width") > Some(20.0) && size("height") > Some(20.0), "{svg}");
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    texts.filter_map(|node| node.text().map(str::to_owned)).collect()
}

fn says(texts: &[String], expected: &[&str]) {
    for word in expected {
        assert!(texts.iter().any(|text| text == word), "`{word}` is not in {texts:?}");
    }
}

fn refused(ran: &Ran, sentence: &str) {
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
    assert!(ran.err.contains(sentence), "{}", ran.err);
}

fn read(folder: &Path, file: &str) -> String {
    std::fs::read_to_string(folder.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

#[test]
fn templates_are_drawn_with_their_labels() {
    let picture = dwell(&examples(), &["convert", "train-gate.xml", "--to", "svg"]);
    assert_eq!((picture.code, picture.err.as_str()), (0, ""));
    says(&texts(&picture.out), &["Train(const id_t id)", "Gate", "crossing", "x <= 20", "leave[id]!", "C"]);
    let picture = dwell(&examples(), &["convert", "philosophers.xta", "--to", "svg"]);
    says(&texts(&picture.out), &["Philosopher(const id_t id)", "Thinking", "x <= 4", "!taken[first]"]);
}

/// The pictures in the documents are what the program draws. After a change
/// that is meant, write them again with the commands in `docs/pictures.md`.
#[test]
fn the_documents_show_what_is_drawn() {
    let shown = examples().join("../docs/pictures");
    let model = dwell(&examples(), &["convert", "train-gate.xml", "--to", "svg"]).out;
    assert!(model == read(&shown, "train-gate.svg"), "docs/pictures/train-gate.svg is not up to date");
    let folder = folder("pictures-shown");
    std::fs::copy(examples().join("train-gate.xml"), folder.join("train-gate.xml")).expect("copied");
    let query = "E<> Train(0).crossing && Train(1).stopped";
    let how = ["--order", "bfs", "--trace", "shortest", "--trace-out", "run.svg"];
    dwell(&folder, &[&["check", "train-gate.xml", "-q", query], &how[..]].concat());
    assert!(read(&folder, "run.svg") == read(&shown, "run.svg"), "docs/pictures/run.svg is not up to date");
}

#[test]
fn processes_of_tchecker_are_drawn_also_where_xta_has_no_words() {
    let picture = dwell(&examples(), &["convert", "train-gate.tck", "--to", "svg"]);
    says(&texts(&picture.out), &["T1", "near", "x1 <= 20", "x1 >= 10"]);
    let model = "system:s\nevent:a\nclock:1:x\nprocess:P\nlocation:P:l{initial: : committed:}\nedge:P:l:l:a{do: x=0}\n\
                 process:Q\nlocation:Q:l{initial:}\nedge:Q:l:l:a\nprocess:R\nlocation:R:l{initial:}\nedge:R:l:l:a\n\
                 sync:P@a:Q@a:R@a\n";
    let picture = dwell_with_input(&examples(), &["convert", "-", "--to", "svg"], model.as_bytes());
    says(&texts(&picture.out), &["P", "Q", "R", "a", "x = 0", "committed"]);
}

#[test]
fn the_same_model_gives_the_same_picture() {
    let args = ["convert", "train-gate.tck", "--to", "svg"];
    assert_eq!(dwell(&examples(), &args).out, dwell(&examples(), &args).out);
}

#[test]
fn a_trace_is_drawn_as_a_sequence_chart() {
    let folder = folder("pictures-trace");
    let model = examples().join("fischer.xml");
    let model = model.to_str().expect("text");
    let ran = dwell(&folder, &["check", model, "-D", "K=1", "--only", "1", "--trace-out", "run.svg"]);
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    let texts = texts(&read(&folder, "run.svg"));
    says(&texts, &["P(1)", "P(2)", "P(3)", "idle", "critical", "+2", "4", "id: 1 -> 2"]);
}

#[test]
fn a_loop_and_an_endless_wait_are_marked() {
    let folder = folder("pictures-loop");
    let model = examples().join("retry.xta");
    let model = model.to_str().expect("text");
    let drawn = |query: &str| {
        let ran = dwell(&folder, &["check", model, "-q", query, "--trace-out", "run.svg"]);
        assert_eq!(ran.err, "");
        texts(&read(&folder, "run.svg"))
    };
    says(&drawn("E[] Sender.tries == 1 && (Sender.Idle imply total <= 2)"), &["for ever", "send", "answer"]);
    says(&drawn("A<> Sender.Waiting"), &["Sender", "then time passes for ever"]);
}

#[test]
fn pictures_that_cannot_be_written_are_told() {
    let folder = folder_with("pictures-unwritable", "m.tck", DIAGONAL);
    refused(&dwell(&folder, &["convert", "m.tck", "--to", "svg", "-o", "no/m.svg"]), "cannot write no/m.svg");
    let ran = dwell(&folder, &["check", "m.tck", "--labels", "far", "--trace-out", "no/run.svg"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("cannot write no/run.svg"), "{}", ran.err);
    refused(
        &dwell(&folder, &["check", "m.tck", "--labels", "far", "--log", "no/run.log"]),
        "cannot write no/run.log",
    );
}

/// The lines of a log.
fn lines(folder: &Path, file: &str) -> Vec<Value> {
    read(folder, file).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn a_log_tells_start_progress_and_end_of_each_query() {
    let folder = folder_with("pictures-log", "m.tck", common::large());
    let labels = ["--labels", "cs1", "--labels", "cs1,cs2"];
    let args =
        [&["check", "m.tck", "--log", "run.log", "--timeout", "700ms", "--json"], &labels[..]].concat();
    let ran = dwell(&folder, &args);
    assert_eq!(ran.json()["queries"][1]["verdict"], "unknown");
    let lines = lines(&folder, "run.log");
    let events: Vec<&str> = lines.iter().filter_map(|line| line["event"].as_str()).collect();
    assert_eq!((events[0], events[1], events[2]), ("start", "end", "start"), "{events:?}");
    assert_eq!(events.last(), Some(&"end"));
    assert!(events[3..events.len() - 1].iter().all(|event| *event == "progress") && events.len() > 5);
    assert_eq!((&lines[0]["model"], &lines[0]["query"]), (&"m.tck".into(), &1.into()));
    assert_eq!(lines[2]["formula"], "labels cs1,cs2");
    assert!(lines[2]["plan"]["order"].is_string());
    let progress = &lines[3];
    for field in ["visited", "stored", "waiting", "transitions", "resident_bytes", "held_bytes"] {
        assert!(progress[field].as_u64() > Some(0), "{field} in {progress}");
    }
    let end = lines.last().expect("a line");
    assert_eq!((&end["verdict"], &end["query"]), (&"unknown".into(), &2.into()));
    assert!(end["why"].as_str().is_some_and(|why| why.contains("out of time")), "{end}");
    let seconds: Vec<f64> = lines[3..].iter().filter_map(|line| line["seconds"].as_f64()).collect();
    assert!(seconds.is_sorted() && seconds[0] >= 0.0, "{seconds:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_log_that_cannot_go_on_does_not_spoil_the_answer() {
    let folder = folder_with("pictures-full", "m.tck", DIAGONAL);
    let ran = dwell(&folder, &["check", "m.tck", "--labels", "far", "--log", "/dev/full"]);
    assert_eq!(ran.code, 0);
    assert!(ran.err.starts_with("warning: the log ends early: cannot write /dev/full"), "{}", ran.err);
}

#[test]
fn logs_become_plots() {
    let folder = folder_with("pictures-plot", "m.tck", DIAGONAL);
    for (order, log) in [("bfs", "first.log"), ("dfs", "second.log")] {
        dwell(&folder, &["check", "m.tck", "--labels", "far", "--order", order, "--log", log]);
    }
    let one = dwell(&folder, &["plot", "first.log"]);
    assert_eq!((one.code, one.err.as_str()), (0, ""));
    says(
        &texts(&one.out),
        &["States over time, m.tck", "visited", "stored", "Memory over time, m.tck", "MiB"],
    );
    let two = dwell(&folder, &["plot", "first.log", "second.log", "--show", "memory", "-o", "two.svg"]);
    assert_eq!((two.code, two.out.as_str(), two.err.as_str()), (0, "", ""));
    let drawn = texts(&read(&folder, "two.svg"));
    says(&drawn, &["Memory over time, m.tck", "first", "second"]);
    assert!(!drawn.iter().any(|text| text.starts_with("States")), "{drawn:?}");
    // The process gives memory back before the end is told: that is no part of the run.
    let counts = |seconds: f64, resident: u64| {
        format!(
            r#""query":1,"seconds":{seconds},"visited":9,"stored":9,"waiting":1,"transitions":9,"resident_bytes":{resident},"held_bytes":9"#
        )
    };
    let start = r#"{"event":"start","dwell":"","model":"m","query":1,"formula":"","plan":{}}"#;
    let progress = format!(r#"{{"event":"progress",{}}}"#, counts(1.0, 64 << 20));
    let end = |resident| {
        let counts = counts(2.0, resident);
        format!(r#"{{"event":"end",{counts},"verdict":"satisfied","why":null}}"#)
    };
    let drawn = |resident| {
        let log = [start, &progress, &end(resident)].join("\n");
        std::fs::write(folder.join("end.log"), log).expect("written");
        let ran = dwell(&folder, &["plot", "end.log", "--show", "memory"]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        ran.out
    };
    assert_eq!(drawn(1 << 20), drawn(64 << 20));
    // A run that was killed while it wrote.
    std::fs::write(folder.join("cut.log"), read(&folder, "first.log") + "{\"event\":\"prog")
        .expect("written");
    assert_eq!(dwell(&folder, &["plot", "cut.log"]).code, 0);
}

#[test]
fn what_is_no_log_is_told() {
    let folder = folder_with("pictures-no-log", "m.tck", DIAGONAL);
    let write = |file: &str, text: &str| std::fs::write(folder.join(file), text).expect("written");
    dwell(&folder, &["check", "m.tck", "--labels", "far", "--log", "good.log"]);
    let good = read(&folder, "good.log");
    let start = good.lines().next().expect("a line");
    write("empty.log", "");
    write("start.log", start);
    write("torn.log", &format!("{start}\n{{\"event\":\n{start}\n"));
    write("bytes.log", "\u{1}\u{2}");
    for (file, sentence) in [
        ("empty.log", "not the results of a bench"),
        ("start.log", "start.log: it tells of no progress yet"),
        ("torn.log", "torn.log: line 2 is not of a log"),
        ("bytes.log", "not the results of a bench"),
        ("m.tck", "not the results of a bench"),
        ("none.log", "cannot read none.log"),
    ] {
        refused(&dwell(&folder, &["plot", file]), sentence);
    }
    refused(&dwell(&folder, &["plot", "good.log", "m.tck"]), "m.tck: line 1 is not of a log");
    refused(
        &dwell(&folder, &["plot", "good.log", "--show", "cactus"]),
        "cactus is for the results of a bench",
    );
    refused(&dwell(&folder, &["plot", "good.log", "-o", "no/x.svg"]), "cannot write no/x.svg");
}
