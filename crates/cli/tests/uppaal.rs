//! Models and queries in UPPAAL's formats, from the command line to the exit code.

mod common;

use common::{Ran, dwell, dwell_with_input, folder, folder_with};
use serde_json::Value;
use std::path::PathBuf;

/// A counter that goes to `N`, an exponential rate, and a query that only statistics could answer.
const COUNTER: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<nta>
  <declaration>const int N = 2; const bool fast = false; int[0,9] n; int m; clock x;</declaration>
  <template>
    <name>P</name>
    <location id="id0"><name>A</name><label kind="exponentialrate">3</label></location>
    <location id="id1"><name>B</name></location>
    <init ref="id0"/>
    <transition>
      <source ref="id0"/><target ref="id1"/>
      <label kind="guard">x &gt;= (fast ? 1 : 5) &amp;&amp; n == N</label>
    </transition>
    <transition>
      <source ref="id0"/><target ref="id0"/>
      <label kind="guard">n &lt; N</label>
      <label kind="assignment">n++</label>
    </transition>
  </template>
  <system>system P;</system>
  <queries>
    <query><formula>E&lt;&gt; P.B</formula><comment>the end is reached</comment></query>
    <query><formula>Pr[&lt;=10] (&lt;&gt; P.B)</formula><comment></comment></query>
    <query><formula>A[] n &lt;= 2</formula><comment></comment></query>
    <query><formula>A[] P.B imply x &gt;= 5</formula><comment></comment></query>
  </queries>
</nta>
"#;

/// A lamp in the syntax of UPPAAL 3.
const OLD: &str = "\
clock x; chan press; const DELAY 5;
process Lamp(const d; chan c) { state off, low { x <= 10 }, bright; init off;
  trans off -> low { sync c?; assign x := 0; }, low -> bright { guard x < d, x > 0; sync c?; },
        low -> off { guard x >= d; }, bright -> off { sync c?; }; }
process User(chan c) { state idle; init idle; trans idle -> idle { sync c!; }; }
L := Lamp(DELAY, press); U := User(press);
system L, U;
";

/// A command in a folder with the counter.
fn counter(test: &str, args: &[&str]) -> Ran {
    let folder = folder_with(&format!("uppaal-cli-{test}"), "counter.xml", COUNTER);
    dwell(&folder, &[&["check", "counter.xml", "--trace", "none"], args].concat())
}

/// Formulas and verdicts.
fn answers(ran: &Ran) -> Vec<(String, String)> {
    let report = ran.json();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let queries = report["queries"].as_array().expect("answers");
    queries.iter().map(|q| (text(&q["formula"]), text(&q["verdict"]))).collect()
}

fn verdicts(ran: &Ran) -> Vec<String> {
    answers(ran).into_iter().map(|(_, verdict)| verdict).collect()
}

/// Refused: exit code 2, nothing on standard output, a sentence on standard error.
fn refused(ran: &Ran, sentence: &str) {
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
    assert!(ran.err.contains(sentence), "'{sentence}' in {}", ran.err);
}

#[test]
fn one_refused_query_does_not_spoil_the_others() {
    let ran = counter("embedded", &["--json"]);
    assert_eq!(ran.code, 2, "one query got no answer");
    assert_eq!(verdicts(&ran), ["satisfied", "error", "satisfied", "satisfied"]);
    let report = ran.json();
    let refused = &report["queries"][1];
    assert_eq!(refused["formula"], "Pr[<=10] (<> P.B)");
    assert_eq!(refused["why"], "a statistical query is not supported");
    assert!(report["queries"][0]["why"].is_null());
    let finding = &report["diagnostics"][0];
    assert_eq!(finding["code"], "unsupported-query");
    assert_eq!((&finding["line"], &finding["path"]), (&22.into(), &"/nta/queries/query[2]/formula".into()));
    assert_eq!(report["diagnostics"].as_array().unwrap().len(), 1, "the rate is no reason to complain");
}

#[test]
fn queries_given_replace_the_others() {
    let folder = folder_with("uppaal-cli-given", "counter.xml", COUNTER);
    std::fs::write(folder.join("more.q"), "A[] n < 2\n\n// and\nE<> n == 2 && \\\n  P.B\n").expect("written");
    let check = |args: &[&str]| dwell(&folder, &[&["check", "counter.xml", "--json"], args].concat());
    let file = check(&["more.q"]);
    let expected = [("A[] n < 2", "not-satisfied"), ("E<> n == 2 && P.B", "satisfied")];
    assert_eq!(answers(&file), expected.map(|(f, v)| (f.to_owned(), v.to_owned())));
    assert_eq!(file.code, 1);
    let given = check(&["more.q", "-q", "E<> true", "--query", "A[] n <= N"]);
    let expected = [("E<> true", "satisfied"), ("A[] n <= N", "satisfied")];
    assert_eq!(answers(&given), expected.map(|(f, v)| (f.to_owned(), v.to_owned())));
    assert_eq!(given.code, 0);
    // The state space may be asked for as well.
    let space = check(&["--space", "-q", "E<> P.B"]);
    assert_eq!(verdicts(&space), ["satisfied", "satisfied"]);
    refused(&dwell(&folder, &["check", "counter.xml", "missing.q"]), "cannot read missing.q");
    std::fs::write(folder.join("empty.q"), "// nothing\n").expect("written");
    refused(&dwell(&folder, &["check", "counter.xml", "empty.q"]), "empty.q has no queries");
    std::fs::write(folder.join("latin.q"), b"E<> true // caf\xe9\n").expect("written");
    refused(&dwell(&folder, &["check", "counter.xml", "latin.q"]), "not UTF-8");
    let bad = check(&["-q", "E<> P.C", "-q", "E<> P.B", "-q", ""]);
    assert_eq!((verdicts(&bad), bad.code), (vec!["error".into(), "satisfied".into(), "error".into()], 2));
    assert_eq!(bad.json()["diagnostics"][0]["file"], "<query>");
}

#[test]
fn only_some_of_the_queries() {
    let only = |args: &[&str]| counter("only", args);
    assert_eq!(answers(&only(&["--json", "--only", "3"]))[0].0, "A[] n <= 2");
    assert_eq!(verdicts(&only(&["--json", "--only", "1", "--only", "4"])), ["satisfied", "satisfied"]);
    assert_eq!(only(&["--only", "1", "--only", "3"]).code, 0);
    assert_eq!(only(&["--only", "2"]).code, 2);
    refused(&only(&["--only", "5"]), "--only 5: there are queries 1 to 4");
    refused(&only(&["--only", "0"]), "--only 0: there are queries 1 to 4");
    refused(&only(&["--only", "x"]), "--only");
    let ran = only(&["-q", "E<> n == 1", "-q", "E<> n == 9", "--only", "2"]);
    assert_eq!(ran.code, 1, "{}", ran.out);
}

#[test]
fn other_values_for_constants() {
    let define = |args: &[&str]| counter("define", args);
    assert_eq!(define(&["--only", "3"]).code, 0);
    assert_eq!(define(&["--only", "3", "-D", "N=3"]).code, 1);
    assert_eq!(define(&["--only", "3", "-D", "N = 1"]).code, 0, "blanks do not matter");
    assert_eq!(define(&["-q", "E<> n == 5", "-D", "N=5", "-D", "fast=true"]).code, 0);
    assert_eq!(define(&["-q", "A[] N == -1 && n == 0", "-D", "N=-1"]).code, 0);
    assert_eq!(define(&["--only", "4"]).code, 0);
    for fast in ["fast=true", "fast=1"] {
        assert_eq!(define(&["--only", "4", "-D", fast]).code, 1, "{fast}");
    }
    for slow in ["fast=false", "fast=0"] {
        assert_eq!(define(&["--only", "4", "-D", slow]).code, 0, "{slow}");
    }
    let bad = [
        ("M=3", "the model declares no constant `M`"),
        ("M=3", "there are `N`, `fast`"),
        ("fats=3", "did you mean `fast`?"),
        ("P=3", "the model declares no constant `P`"),
        ("n=3", "`n` is not a constant"),
        ("N=x", "`x` is not an integer, `true` or `false`"),
        ("N=1+1", "`1+1` is not an integer"),
        ("N=99999999999", "the value does not fit 32 bits"),
        ("N=", "there is no value"),
        ("N", "write NAME=VALUE"),
        ("=3", "write NAME=VALUE"),
    ];
    for (define_it, sentence) in bad {
        refused(&define(&["--only", "3", "-D", define_it]), sentence);
    }
    // What does not fit a constant's type is the model's error, at its place.
    let folder = folder_with(
        "uppaal-cli-ranged",
        "m.xta",
        "const int[0,3] K = 1;\nprocess P() { state A; init A; }\nsystem P;\n",
    );
    refused(&dwell(&folder, &["check", "m.xta", "--space", "-D", "K=7"]), "m.xta:1:");
    assert_eq!(dwell(&folder, &["check", "m.xta", "-q", "A[] K == 3", "-D", "K=3"]).code, 0);
}

#[test]
fn warnings_on_request_and_denied() {
    let quiet = counter("warnings", &["--only", "3"]);
    assert_eq!((quiet.code, quiet.err.as_str()), (0, ""));
    assert_eq!(counter("warnings", &["--only", "3", "--deny-warnings"]).code, 0);
    let all = counter("warnings", &["--only", "3", "--warnings", "all"]);
    assert_eq!(all.code, 0);
    assert!(all.err.contains("warning[unused]: `m` is never used"), "{}", all.err);
    let denied = counter("warnings", &["--only", "3", "--warnings", "all", "--deny-warnings"]);
    refused(&denied, "--deny-warnings makes them errors");
    let json = counter("warnings", &["--only", "3", "--warnings", "all", "--json"]).json();
    assert_eq!(json["diagnostics"][0]["path"], "/nta/declaration");
    assert_eq!(json["diagnostics"][0]["severity"], "warning");
    // Those that are always shown.
    let folder = folder_with(
        "uppaal-cli-warned",
        "m.xta",
        "clock x = 2;\nprocess P() { state A { x >= 1 }; init A; }\nsystem P;\n",
    );
    let ran = dwell(&folder, &["check", "m.xta", "--space"]);
    assert_eq!(ran.code, 0);
    assert!(ran.err.starts_with("warning[invariant-lower-bound]"), "{}", ran.err);
    refused(&dwell(&folder, &["check", "m.xta", "--space", "--deny-warnings"]), "m.xta has warnings");
}

#[test]
fn exit_codes() {
    let code = |args: &[&str]| counter("codes", args).code;
    assert_eq!(code(&["-q", "E<> P.B"]), 0);
    assert_eq!(code(&["-q", "E<> P.B", "-q", "E<> false"]), 1);
    assert_eq!(code(&["-q", "E<> P.B", "-q", "E<> false", "-q", "E<> nonsense"]), 2);
    assert_eq!(code(&["-q", "A[] not deadlock"]), 1, "B is the end");
    assert_eq!(code(&["-q", "E<> deadlock && P.B"]), 0);
    assert_eq!(code(&["-q", "A<> deadlock"]), 2, "no query");
    let large = "int a, b;\nprocess P() { state A; init A;\n\
        trans A -> A { guard a < 30000; assign a++; }, A -> A { guard b < 30000; assign b++; }; }\nsystem P;\n";
    let folder = folder_with("uppaal-cli-large", "large.xta", large);
    let check = |args: &[&str]| {
        let args = [&["check", "large.xta", "--timeout", "50ms", "--trace", "none"], args].concat();
        dwell(&folder, &args).code
    };
    assert_eq!(check(&["-q", "E<> a == 3 && b == 2"]), 0);
    assert_eq!(check(&["-q", "E<> a == -1"]), 3, "no time");
    assert_eq!(check(&["-q", "E<> a == -1", "-q", "A[] a == 0"]), 1, "one is known");
}

#[test]
fn clock_guards_on_urgent_channels() {
    let model = |kind: &str, guard: &str, sync: &str| {
        let text = format!(
            "clock x, y; urgent {kind} u;\nprocess P() {{ state A, B; init A; trans A -> B {{ guard {guard}; sync u{sync}; }}; }}\n\
             process Q() {{ state A; init A; trans A -> A {{ sync u{}; }}; }}\nsystem P, Q;\n",
            if sync == "!" { "?" } else { "!" }
        );
        let folder = folder_with("uppaal-cli-urgent", "m.xta", &text);
        dwell(&folder, &["check", "m.xta", "-q", "A<> P.B", "-q", "A[] P.A imply x <= 3", "--json"])
    };
    // Time passes until the guard holds, and no further: then something happens.
    assert_eq!(verdicts(&model("chan", "x >= 3", "!")), ["satisfied", "satisfied"]);
    for guard in ["x > 3", "x <= 3", "x == 3", "x - y >= 0"] {
        for sync in ["!", "?"] {
            let ran = model("chan", guard, sync);
            assert_eq!((ran.code, verdicts(&ran)), (2, vec!["error".into(); 2]), "{guard}");
            assert!(ran.out.contains("clocks may only be compared as in x >= c"), "{}", ran.out);
        }
    }
    // Who hears a broadcast does not make it urgent.
    assert_eq!(model("broadcast chan", "x == 3", "?").code, 1);
}

#[test]
fn nothing_asked() {
    let text = "process P() { state A; init A; }\nsystem P;\n";
    let folder = folder_with("uppaal-cli-nothing", "m.xta", text);
    refused(
        &dwell(&folder, &["check", "m.xta"]),
        "the model has no queries; give a .q file, -q 'E<> …' or --space",
    );
    std::fs::write(folder.join("m.q"), "E<> P.A\n").expect("written");
    refused(&dwell(&folder, &["check", "m.xta"]), "perhaps: dwell check m.xta m.q");
    assert_eq!(dwell(&folder, &["check", "m.xta", "m.q"]).code, 0);
    let tck = "system:s\nprocess:P\nlocation:P:a{initial:}\n";
    std::fs::write(folder.join("m.tck"), tck).expect("written");
    let ran = dwell(&folder, &["check", "m.tck", "-q", "E<> P.a", "--json"]);
    assert_eq!((ran.code, verdicts(&ran)), (2, vec!["error".into()]));
    assert!(ran.out.contains("queries are for models in UPPAAL's language"), "{}", ran.out);
    refused(&dwell(&folder, &["check", "m.xta", "--labels", "a"]), "this model has no labels");
}

#[test]
fn standard_input() {
    let folder = folder("uppaal-cli-stdin");
    let check = |args: &[&str], text: &str| {
        dwell_with_input(&folder, &[&["check", "-"], args].concat(), text.as_bytes())
    };
    for args in [&["--only", "3"][..], &["--only", "3", "--input-format", "xml"]] {
        let ran = check(args, COUNTER);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{args:?}");
    }
    let xta = "int n;\nprocess P() { state A, B; init A; trans A -> B { assign n = 1; }; }\nsystem P;\n";
    assert_eq!(check(&["-q", "E<> n == 1", "--input-format", "xta"], xta).code, 0);
    refused(&check(&["--space"], xta), "does not tell its format; add --input-format xml, xta, ta or tck");
    assert_eq!(check(&["-q", "E<> L.bright", "--input-format", "ta"], OLD).code, 0);
    refused(&check(&["--space", "--input-format", "xml"], xta), "<stdin>:1:");
    refused(&check(&["--space", "--input-format", "xta"], COUNTER), "<stdin>:1:1");
}

#[test]
fn files_in_the_old_syntax() {
    let folder = folder_with("uppaal-cli-old", "lamp.ta", OLD);
    let check = |queries: &[&str]| {
        let args: Vec<&str> = queries.iter().flat_map(|q| ["-q", q]).collect();
        dwell(&folder, &[&["check", "lamp.ta", "--json", "--deny-warnings"], &args[..]].concat())
    };
    let ran = check(&[
        "E<> L.bright && x < 5",
        "A[] L.low imply x <= 10",
        "E<> L.off && x == 5",
        "E<> L.bright && x <= 0",
    ]);
    assert_eq!(verdicts(&ran), ["satisfied", "satisfied", "satisfied", "not-satisfied"]);
    assert_eq!(ran.code, 1);
    // Written in the new syntax it means the same.
    let stored = |file: &str| {
        let ran = dwell(&folder, &["check", file, "--space", "--json"]);
        ran.json()["queries"][0]["stats"]["stored"].as_u64().unwrap_or_else(|| panic!("{file}: {}", ran.err))
    };
    let expected = stored("lamp.ta");
    for to in ["xta", "xml"] {
        let file = format!("new.{to}");
        let ran = dwell(&folder, &["convert", "lamp.ta", "--to", to, "-o", &file]);
        assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""));
        assert_eq!(stored(&file), expected, "{file}");
    }
}

/// Models to be converted: the corner cases that are models.
fn models() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/corner-cases");
    let entries = std::fs::read_dir(folder).expect("the corner cases").map(|e| e.expect("an entry").path());
    let mut models: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|e| e != "q")).collect();
    models.sort();
    models
}

/// `stored` of the whole state space, or what kept it from being known.
fn space(folder: &std::path::Path, file: &str) -> Result<u64, String> {
    let report = dwell(folder, &["check", file, "--space", "--json"]).json();
    let query = &report["queries"][0];
    match query["verdict"].as_str() {
        Some("satisfied") => Ok(query["stats"]["stored"].as_u64().expect("a number")),
        _ => Err(format!("{} {}", query["why"], report["error"])),
    }
}

#[test]
fn there_and_back_again() {
    let folder = folder("uppaal-cli-convert");
    let mut compared = 0;
    let mut in_tck = 0;
    for model in models() {
        let path = model.to_str().expect("a name");
        let Ok(stored) = space(&folder, path) else { continue };
        let convert =
            |from: &str, to: &str, file: &str| dwell(&folder, &["convert", from, "--to", to, "-o", file]);
        let mut from = path.to_owned();
        for (to, file) in [("xml", "1.xml"), ("xta", "2.xta"), ("xml", "3.xml"), ("xta", "4.xta")] {
            let ran = convert(&from, to, file);
            if to == "xta" && ran.code == 2 {
                // Locations need names there.
                assert!(
                    ran.err.starts_with("error: ") && ran.err.lines().count() == 1,
                    "{path}: {}",
                    ran.err
                );
                break;
            }
            assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{path} to {file}");
            assert_eq!(space(&folder, file), Ok(stored), "{path} to {file}");
            from = file.to_owned();
        }
        if from == "4.xta" {
            let read = |file: &str| std::fs::read_to_string(folder.join(file)).expect("written");
            if path.ends_with("xta") {
                // XML has more to say: positions, comments.
                assert_eq!(read("1.xml"), read("3.xml"), "{path}");
            }
            assert_eq!(read("2.xta"), read("4.xta"), "{path}");
            compared += 1;
        }
        let ran = convert(path, "tck", "5.tck");
        if ran.code == 0 {
            // Another semantics of ranges and clocks that are not used may store other zones, not other verdicts.
            space(&folder, "5.tck").unwrap_or_else(|why| panic!("{path}: {why}"));
            in_tck += 1;
        } else {
            let sentence = "error: TChecker's format cannot say this: ";
            assert!(ran.err.starts_with(sentence) && ran.err.lines().count() == 1, "{path}: {}", ran.err);
        }
        for to in ["dot", "svg", "json", "q"] {
            let ran = dwell(&folder, &["convert", path, "--to", to]);
            assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{path} to {to}");
            match to {
                "dot" => assert!(ran.out.starts_with("digraph"), "{}", ran.out),
                "svg" => assert!(ran.out.starts_with("<svg") && ran.out.ends_with("</svg>\n"), "{}", ran.out),
                "json" => assert!(ran.json().is_object()),
                _ => {}
            }
        }
    }
    assert!(compared >= 25 && in_tck >= 5, "{compared} compared, {in_tck} in TChecker's format");
}

#[test]
fn queries_are_converted_with_their_models() {
    let folder = folder_with("uppaal-cli-queries", "counter.xml", COUNTER);
    let ran = dwell(&folder, &["convert", "counter.xml", "--to", "q"]);
    assert!(ran.out.contains("E<> P.B") && ran.out.contains("the end is reached"), "{}", ran.out);
    std::fs::write(folder.join("all.q"), &ran.out).expect("written");
    dwell(&folder, &["convert", "counter.xml", "--to", "xta", "-o", "counter.xta"]);
    dwell(&folder, &["convert", "counter.xml", "--to", "xml", "-o", "again.xml"]);
    let expected = answers(&dwell(&folder, &["check", "counter.xml", "--json"]));
    assert_eq!(answers(&dwell(&folder, &["check", "counter.xta", "all.q", "--json"])), expected);
    assert_eq!(answers(&dwell(&folder, &["check", "again.xml", "--json"])), expected);
    // A constant may be set on the way.
    dwell(&folder, &["convert", "counter.xml", "--to", "xml", "-D", "N=4", "-o", "four.xml"]);
    assert_eq!(dwell(&folder, &["check", "four.xml", "-q", "E<> n == 4 && N == 4"]).code, 0);
}

#[test]
fn conversions_that_are_refused() {
    let folder = folder("uppaal-cli-refused");
    let write = |file: &str, text: &str| std::fs::write(folder.join(file), text).expect("written");
    write("bad.xta", "process P() { state A; init B; }\nsystem P;\n");
    refused(&dwell(&folder, &["convert", "bad.xta", "--to", "xml"]), "bad.xta has an error");
    write(
        "three.tck",
        "system:s\nevent:a\nprocess:P\nlocation:P:l{initial:}\nedge:P:l:l:a\nprocess:Q\nlocation:Q:l{initial:}\n\
          edge:Q:l:l:a\nprocess:R\nlocation:R:l{initial:}\nedge:R:l:l:a\nsync:P@a:Q@a:R@a\n",
    );
    refused(&dwell(&folder, &["convert", "three.tck", "--to", "xta"]), "UPPAAL's language cannot say this");
    write(
        "wraps.xta",
        "int32_t n;\nprocess P() { state A; init A; trans A -> A { assign n = n + 1; }; }\nsystem P;\n",
    );
    refused(
        &dwell(&folder, &["convert", "wraps.xta", "--to", "tck"]),
        "it wraps around here, but is an error there",
    );
    write("ok.xta", "process P() { state A; init A; }\nsystem P;\n");
    refused(&dwell(&folder, &["convert", "ok.xta", "--to", "pdf"]), "pdf");
    refused(
        &dwell(&folder, &["convert", "ok.xta", "--to", "xml", "-o", "missing/ok.xml"]),
        "cannot write missing/ok.xml",
    );
    refused(&dwell(&folder, &["convert", "missing.xta", "--to", "xml"]), "cannot read missing.xta");
}

/// The labels of a model in TChecker's format, in the order of their first use.
fn labels(text: &str) -> Vec<&str> {
    let mut labels = Vec::new();
    for line in text.lines().filter(|line| line.starts_with("location:")) {
        let Some((_, rest)) = line.split_once("labels:") else { continue };
        let list = rest.split([':', '}']).next().unwrap_or_default();
        for label in list.split(',').map(str::trim) {
            if !labels.contains(&label) {
                labels.push(label);
            }
        }
    }
    labels
}

#[test]
fn families_in_every_format() {
    let folder = folder("uppaal-cli-families");
    let mut written = 0;
    for family in dwell_families::all() {
        let name = family.name;
        let size = family.min_size.max(2).to_string();
        let generate = |to: &str| {
            let ran = dwell(&folder, &["generate", name, "-n", &size, "--to", to]);
            std::fs::write(folder.join(format!("{name}.{to}")), &ran.out).expect("written");
            ran
        };
        let tck = generate("tck").out;
        let xml = generate("xml");
        if xml.code == 2 {
            assert!(xml.err.starts_with("error: UPPAAL's language cannot say this: "), "{name}: {}", xml.err);
            refused(&generate("xta"), &xml.err);
            continue;
        }
        assert_eq!((xml.code, generate("xta").code, xml.err.as_str()), (0, 0, ""), "{name}");
        written += 1;
        let file = |to: &str| format!("{name}.{to}");
        let stored = space(&folder, &file("tck"));
        assert!(stored.is_ok(), "{name}: {stored:?}");
        assert_eq!(space(&folder, &file("xml")), stored, "{name}");
        assert_eq!(space(&folder, &file("xta")), stored, "{name}");

        // One query for each label, and for all of them together their conjunction.
        let labels = labels(&tck);
        if labels.is_empty() {
            continue;
        }
        let queries = dwell(&folder, &["convert", &file("xml"), "--to", "q"]).out;
        let queries: Vec<&str> = queries.lines().filter(|line| !line.is_empty()).collect();
        assert_eq!(queries.len(), labels.len(), "{name}: {labels:?} {queries:?}");
        let mut asked: Vec<(String, String)> = labels
            .iter()
            .zip(&queries)
            .map(|(label, query)| ((*label).to_owned(), (*query).to_owned()))
            .collect();
        let both: Vec<String> =
            queries.iter().map(|q| format!("({})", q.trim_start_matches("E<> "))).collect();
        asked.push((labels.join(","), format!("E<> {}", both.join(" && "))));
        for (labels, query) in asked {
            let expected = dwell(&folder, &["check", &file("tck"), "--labels", &labels]).code;
            assert!(expected < 2, "{name} {labels}");
            for to in ["xml", "xta"] {
                let ran = dwell(&folder, &["check", &file(to), "-q", &query]);
                assert_eq!((ran.code, ran.err.as_str()), (expected, ""), "{name}.{to}: {query}");
            }
        }
    }
    assert!(written >= 10, "only {written} families");
}

#[test]
fn what_is_written_can_be_piped() {
    let folder = folder("uppaal-cli-pipe");
    for to in ["tck", "xml"] {
        let text = dwell(&folder, &["generate", "fischer", "-n", "3", "--to", to]).out;
        let ran = dwell_with_input(&folder, &["check", "-", "--space"], text.as_bytes());
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{to}");
        let back = dwell_with_input(&folder, &["convert", "-", "--to", "xta"], text.as_bytes());
        assert_eq!((back.code, back.err.as_str()), (0, ""), "{to}");
        assert!(back.out.contains("system P1, P2, P3;"), "{}", back.out);
    }
}
