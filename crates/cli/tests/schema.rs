//! The JSON that the program prints is what `docs/json-schema.json` says, and
//! the schema says something about every field.

mod common;

use common::{COUNTER, WARNED, dwell, examples, folder_with, large};
use serde_json::Value;
use std::path::Path;

/// The part of JSON Schema that ours uses; anything else in it is an error.
struct Checker {
    root: Value,
}

/// Everything that is wrong, with the way to it.
type Faults = Vec<String>;

impl Checker {
    fn ours() -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/json-schema.json");
        let text = std::fs::read_to_string(path).expect("the schema");
        Self { root: serde_json::from_str(&text).expect("JSON") }
    }

    fn faults(&self, schema: &Value, value: &Value, at: &str) -> Faults {
        let mut faults = Vec::new();
        for (keyword, of) in schema.as_object().expect("a schema is an object") {
            match keyword.as_str() {
                "$schema" | "title" | "description" | "$defs" => {}
                "$ref" => {
                    let name = of.as_str().and_then(|r| r.strip_prefix("#/$defs/")).expect("a definition");
                    faults.extend(self.faults(&self.root["$defs"][name], value, at));
                }
                "type" if !has_type(value, of) => faults.push(format!("{at}: {value} is no {of}")),
                "type" => {}
                "enum" if !of.as_array().expect("a list").contains(value) => {
                    faults.push(format!("{at}: {value} is none of {of}"));
                }
                "enum" => {}
                "minimum" if value.as_f64() < of.as_f64() => faults.push(format!("{at}: {value} < {of}")),
                "minimum" => {}
                "anyOf" | "oneOf" => faults.extend(self.alternatives(keyword, of, value, at)),
                "required" => {
                    let missing = list(of).filter(|name| value.get(name.as_str().expect("a name")).is_none());
                    faults.extend(missing.map(|name| format!("{at}: {name} is missing")));
                }
                "items" => {
                    for (i, item) in list(value).enumerate() {
                        faults.extend(self.faults(of, item, &format!("{at}[{i}]")));
                    }
                }
                "properties" | "additionalProperties" => faults.extend(self.fields(keyword, of, value, at)),
                other => panic!("this test does not know the keyword {other}"),
            }
        }
        faults
    }

    fn alternatives(&self, keyword: &str, of: &Value, value: &Value, at: &str) -> Faults {
        let faults: Vec<Faults> = list(of).map(|one| self.faults(one, value, at)).collect();
        match faults.iter().filter(|faults| faults.is_empty()).count() {
            0 => faults.into_iter().min_by_key(Vec::len).unwrap_or_default(),
            1 => Vec::new(),
            _ if keyword == "anyOf" => Vec::new(),
            n => vec![format!("{at}: {n} alternatives hold")],
        }
    }

    /// Stricter than the standard, which allows what is not described.
    fn fields(&self, keyword: &str, of: &Value, value: &Value, at: &str) -> Faults {
        let mut faults = Vec::new();
        for (name, field) in value.as_object().into_iter().flatten() {
            let at = format!("{at}.{name}");
            match of.get(name) {
                Some(schema) if keyword == "properties" => faults.extend(self.faults(schema, field, &at)),
                None if keyword == "properties" => faults.push(format!("{at} is not described")),
                _ => faults.extend(self.faults(of, field, &at)),
            }
        }
        faults
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn has_type(value: &Value, of: &Value) -> bool {
    match of.as_str().expect("one type") {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("no type {other}"),
    }
}

/// Runs a command line with `--json`; the document holds to the schema.
#[track_caller]
fn holds(folder: &Path, args: &[&str]) -> Value {
    let checker = Checker::ours();
    let ran = dwell(folder, &[args, &["--json"]].concat());
    let document = ran.json();
    let faults = checker.faults(&checker.root, &document, "document");
    assert!(faults.is_empty(), "{args:?}: {faults:#?}");
    document
}

#[test]
fn answers() {
    let folder = examples();
    for (args, verdict) in [
        (&["fischer.xml"][..], "satisfied"),
        (&["train-gate.xml", "--trace", "some"], "satisfied"),
        (&["philosophers.xta", "philosophers.q", "--trace", "some"], "satisfied"),
        (&["philosophers.xta", "-q", "A<> Philosopher(0).Eating", "--trace", "some"], "not-satisfied"),
        (&["fischer-broken.tck", "--labels", "cs1,cs2", "--trace", "fastest"], "satisfied"),
        (&["fischer.tck", "--space", "--order", "random-dfs"], "satisfied"),
        (&["fischer.tck", "--space", "--order", "ranking"], "satisfied"),
        (&["fischer.tck", "--space", "--store", "hash-compact"], "maybe-satisfied"),
        (&["fischer.xml", "-q", "E<> P(1).critcal"], "error"),
        (&["fischer.xml", "-q", "sup: id"], "satisfied"),
    ] {
        let document = holds(&folder, &[&["check"], args].concat());
        assert_eq!(document["queries"][0]["verdict"], verdict, "{args:?}");
    }
    let folder = folder_with("schema-error", "counter.tck", COUNTER);
    std::fs::write(folder.join("warned.tck"), WARNED).expect("written");
    std::fs::write(folder.join("large.tck"), large()).expect("written");
    let stopped = holds(&folder, &["check", "large.tck", "--space", "--timeout", "50ms"]);
    assert_eq!(stopped["queries"][0]["verdict"], "unknown");
    assert!(holds(&folder, &["check", "counter.tck", "--space"])["queries"][0]["trace"].is_object());
    assert!(holds(&folder, &["check", "warned.tck", "--space"])["diagnostics"][0]["line"].is_u64());
}

#[test]
fn bad_input() {
    let folder = folder_with("schema-bad", "bad.xta", "process P() { state a; }\nsystem P;\n");
    for args in [
        &["check", "nowhere.xml"][..],
        &["check", "bad.xta", "--space"],
        &["check", "bad.xta", "--nonsense"],
        &["analyse", "bad.xta", "--sanity"],
    ] {
        assert!(holds(&folder, args)["error"]["message"].is_string(), "{args:?}");
    }
}

#[test]
fn analyses() {
    let folder = examples();
    assert!(holds(&folder, &["analyse", "fischer.xml"])["clocks"][0]["lower"].is_u64());
    assert!(holds(&folder, &["analyse", "fischer.xml", "--covering"])["sanity"].is_null());
    assert!(holds(&folder, &["analyse", "polling.xta", "--sanity"])["covering"].is_null());
    holds(&folder, &["analyse", "scheduler.tck", "--sanity", "--covering", "--timeout", "0s"]);
    let folder = folder_with("schema-set", "fischer.xml", include_str!("../../../examples/fischer.xml"));
    std::fs::write(folder.join("set.txt"), "P(1): idle -> request\n").expect("written");
    let proposed = holds(&folder, &["analyse", "fischer.xml", "--cover-set", "set.txt"]);
    assert_eq!(proposed["covering"]["proposed"]["covering"], false);
}

#[test]
fn traces_in_files() {
    let checker = Checker::ours();
    let folder = folder_with("schema-trace", "fischer.xml", include_str!("../../../examples/fischer.xml"));
    let args = ["check", "fischer.xml", "-q", "E<> P(1).critical", "--trace-out", "trace.json"];
    assert_eq!(dwell(&folder, &args).code, 0);
    let text = std::fs::read_to_string(folder.join("trace.json")).expect("written");
    let trace = serde_json::from_str(&text).expect("JSON");
    let faults = checker.faults(&checker.root["$defs"]["trace"], &trace, "trace");
    assert!(faults.is_empty(), "{faults:#?}");
}

/// The checker itself finds what is wrong.
#[test]
fn what_is_wrong_is_found() {
    let checker = Checker::ours();
    let good = holds(&examples(), &["check", "fischer.xml"]);
    let change = |change: &dyn Fn(&mut Value)| {
        let mut bad = good.clone();
        change(&mut bad);
        checker.faults(&checker.root, &bad, "document").len()
    };
    assert_eq!(change(&|_| {}), 0);
    assert!(change(&|d| d["queries"][0]["verdict"] = "perhaps".into()) > 0);
    assert!(change(&|d| d["queries"][0]["stats"]["visited"] = "many".into()) > 0);
    assert!(change(&|d| d["queries"][0]["stats"]["visited"] = (-1).into()) > 0);
    assert!(change(&|d| d["queries"][0]["more"] = 1.into()) > 0);
    assert!(change(&|d| _ = d.as_object_mut().map(|d| d.remove("queries"))) > 0);
}
