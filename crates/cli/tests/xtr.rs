//! UPPAAL's trace files, read again: with the compiled model they tell what
//! `check` tells in JSON.

mod common;

use common::{Ran, command, dwell, examples, light};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// A compiled model, read again: the names that numbers stand for.
#[derive(Default)]
struct Compiled {
    clocks: Vec<String>,
    vars: Vec<String>,
    processes: Vec<String>,
    /// Of each process.
    locations: Vec<Vec<String>>,
    /// Of each process: from, to, guard, sync, update.
    edges: Vec<Vec<[String; 5]>>,
}

impl Compiled {
    fn read(text: &str) -> Self {
        let mut sections = text.split("\n\n").map(|section| {
            let mut lines = section.lines();
            let name = lines.next().expect("a name");
            (name, lines.filter(|line| !line.starts_with('#')).collect::<Vec<_>>())
        });
        let mut section = |name: &str| {
            let (found, lines) = sections.next().expect("a section");
            assert_eq!(found, name);
            lines
        };
        let mut this = Self::default();
        let mut cells = Vec::new();
        for (at, line) in section("layout").iter().enumerate() {
            let fields: Vec<&str> = line.split(':').collect();
            assert_eq!(fields[0], at.to_string());
            let name = fields.last().expect("a name").to_string();
            match fields[1] {
                "clock" => this.clocks.push(name.clone()),
                "var" | "meta" => this.vars.push(name.clone()),
                _ => {}
            }
            cells.push(name);
        }
        assert!(section("instructions").is_empty());
        for line in section("processes") {
            this.processes.push(line.splitn(3, ':').nth(2).expect("a name").to_owned());
        }
        let number = |text: &str| text.parse::<usize>().expect("a number");
        this.locations.resize(this.processes.len(), Vec::new());
        for line in section("locations") {
            let fields: Vec<usize> = line.split(':').map(number).collect();
            this.locations[fields[1]].push(cells[fields[0]].clone());
        }
        this.edges.resize(this.processes.len(), Vec::new());
        let edges = section("edges");
        let texts: Vec<&str> =
            section("expressions").iter().map(|line| line.splitn(4, ':').nth(3).expect("a text")).collect();
        for line in edges {
            let f: Vec<usize> = line.split(':').map(number).collect();
            let texts = [cells[f[1]].as_str(), &cells[f[2]], texts[f[3]], texts[f[4]], texts[f[5]]];
            this.edges[f[0]].push(texts.map(str::to_owned));
        }
        this
    }

    fn constraint(&self, i: usize, j: usize, bound: i64) -> String {
        let (less, greater) = if bound & 1 == 1 { ("<", ">") } else { ("<=", ">=") };
        match (i, j, bound >> 1) {
            (0, j, c) => format!("{}{greater}{}", self.clocks[j], -c),
            (i, 0, c) => format!("{}{less}{c}", self.clocks[i]),
            (i, j, c) => format!("{}-{}{less}{c}", self.clocks[i], self.clocks[j]),
        }
    }

    /// A trace, read again, as `check --json` would tell it, without delays and
    /// clock values; syncs without `tau`.
    fn trace(&self, text: &str) -> Vec<Value> {
        let mut lines = text.lines();
        let mut states = Vec::new();
        loop {
            let first = lines.next().expect("the end is marked");
            if first == "." {
                assert_eq!(lines.next(), None);
                return states;
            }
            let numbers = |line: &str| -> Vec<usize> {
                line.split_whitespace().map(|n| n.parse().expect("a number")).collect()
            };
            let locations: Vec<String> = (numbers(first).iter().enumerate())
                .map(|(p, &l)| format!("{}.{}", self.processes[p], self.locations[p][l]))
                .collect();
            assert_eq!((lines.next(), locations.len()), (Some("."), self.processes.len()));
            let mut zone = BTreeSet::new();
            loop {
                let line = lines.next().expect("a constraint or the end of them");
                if line == "." {
                    break;
                }
                let fields: Vec<i64> = line.split(' ').map(|n| n.parse().expect("a number")).collect();
                let text = self.constraint(fields[0] as usize, fields[1] as usize, fields[2]);
                if !text.ends_with(">=0") {
                    zone.insert(text);
                }
                assert_eq!(lines.next(), Some("."));
            }
            let values = lines.next().expect("values").split_whitespace();
            let values: Vec<String> =
                self.vars.iter().zip(values).map(|(name, v)| format!("{name}={v}")).collect();
            assert_eq!((lines.next(), values.len()), (Some("."), self.vars.len()));
            let mut moves = Vec::new();
            if !states.is_empty() {
                let line = lines.next().expect("a transition").strip_suffix('.').expect("its end");
                for edge in line.split(';').map(numbers).filter(|edge| !edge.is_empty()) {
                    let [from, to, ..] = &self.edges[edge[0]][edge[1]];
                    let name = &self.processes[edge[0]];
                    moves.push(format!("{name}.{from}->{name}.{to} {:?}", &edge[2..]));
                }
            }
            states.push(serde_json::json!({ "at": locations, "zone": zone, "values": values, "by": moves }));
        }
    }
}

/// The trace of `check --json`, in the same words.
fn told(json: &Value, compiled: &Compiled, selects: &[&[i32]]) -> Vec<Value> {
    let mut states: Vec<Value> = Vec::new();
    let steps = json["steps"].as_array().expect("steps");
    let mut selects = selects.iter();
    for (at, state) in json["states"].as_array().expect("states").iter().enumerate() {
        let edges = if at == 0 { None } else { steps[at - 1]["edges"].as_array() };
        let locations: Vec<String> = compiled
            .processes
            .iter()
            .map(|process| format!("{process}.{}", state["locations"][process].as_str().expect("a location")))
            .collect();
        let zone = state["zone"].as_array().expect("a zone").iter();
        let zone: BTreeSet<&str> = zone.map(|text| text.as_str().expect("a text")).collect();
        let known = |name: &&String| !state["variables"][name.as_str()].is_null();
        let value = |name: &String| format!("{name}={}", state["variables"][name.as_str()]);
        let values: Vec<String> = compiled.vars.iter().filter(known).map(value).collect();
        let text = |edge: &Value| {
            let part = |name: &str| edge[name].as_str().expect("a text");
            let process = part("process");
            let chosen = selects.next().copied().unwrap_or_default();
            format!("{process}.{}->{process}.{} {chosen:?}", part("from"), part("to"))
        };
        let moves: Vec<String> = edges.into_iter().flatten().map(text).collect();
        let mut told = serde_json::json!({ "at": locations, "zone": zone, "values": values, "by": moves });
        // Waiting is no transition: the state after it takes the place of the one before.
        if at > 0 && told["by"].as_array().is_some_and(Vec::is_empty) {
            told["by"] = states.pop().expect("one before")["by"].take();
        }
        states.push(told);
    }
    states
}

fn round_trip(folder: &Path, model: &str, query: &str, selects: &[&[i32]]) -> Vec<Value> {
    let ran =
        command(folder, &["verifyta", model]).env("UPPAAL_COMPILE_ONLY", "1").output().expect("it runs");
    let compiled = Compiled::read(&Ran::new(ran).out);
    let check = |file: &str| {
        let ran = dwell(folder, &["check", model, "-q", query, "--trace", "shortest", "--trace-out", file]);
        assert!(ran.code < 2, "{}", ran.err);
        std::fs::read_to_string(folder.join(file)).expect("written")
    };
    let json: Value = serde_json::from_str(&check("trace.json")).expect("JSON");
    let read = compiled.trace(&check("trace.xtr"));
    let expected = told(&json, &compiled, selects);
    for (read, expected) in read.iter().zip(&expected) {
        for part in ["at", "zone", "by"] {
            assert_eq!(read[part], expected[part], "{model} {query}");
        }
        // Meta variables are in the file and not in JSON.
        let all: BTreeSet<String> = serde_json::from_value(read["values"].clone()).expect("texts");
        let some: BTreeSet<String> = serde_json::from_value(expected["values"].clone()).expect("texts");
        assert!(all.is_superset(&some), "{model} {query}: {all:?} {some:?}");
    }
    assert_eq!(read.len(), expected.len(), "{model} {query}");
    read
}

#[test]
fn traces_come_back_from_their_files() {
    let folder = light("verifyta_round_trip", "");
    // The light is off, on with level 2, warm, and off again.
    let selects: &[&[i32]] = &[&[2], &[], &[1], &[]];
    let read = round_trip(&folder, "light.xta", "E<> level == 2 && L.warm", selects);
    assert_eq!(read.len(), 3);
    assert_eq!(read[1]["values"], serde_json::json!(["level=2", "pressed=0"]));
    round_trip(&folder, "light.xta", "E<> User.busy", &[]);
    for (model, queries) in [
        ("fischer.xml", &["E<> P(1).critical", "A[] P(2).x < 3 || !P(2).critical"][..]),
        ("vikings.xml", &["E<> Ann.there && Bo.there", "E<> time > 30 && Dag.there"]),
    ] {
        std::fs::copy(examples().join(model), folder.join(model)).expect("a copy");
        for query in queries {
            assert!(round_trip(&folder, model, query, &[]).len() > 3);
        }
    }
}
