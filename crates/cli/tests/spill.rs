//! Runs that do not fit into their memory.
#![cfg(target_os = "linux")]

mod common;

use common::{Ran, dwell, folder_with};
use serde_json::Value;

fn stats(ran: &Ran) -> Value {
    ran.json()["queries"][0]["stats"].clone()
}

fn number(stats: &Value, name: &str) -> u64 {
    stats[name].as_u64().unwrap_or(0)
}

/// Verdict and counters; not the time, nor what the process held.
fn essence(ran: &Ran) -> Vec<Value> {
    let document = ran.json();
    let query = &document["queries"][0];
    let counters = ["visited", "stored", "max_stored", "transitions", "mistakes", "discrete_states"];
    let counters = counters.map(|name| query["stats"][name].clone());
    [query["verdict"].clone(), query["trace"].clone()].into_iter().chain(counters).collect()
}

/// What the process holds before it stores anything.
fn base_bytes() -> u64 {
    let folder = folder_with("spill-base", "model.tck", common::COUNTER);
    let ran = dwell(&folder, &["check", "model.tck", "--labels", "two", "--json", "--trace", "some"]);
    number(&stats(&ran), "peak_bytes")
}

#[test]
fn a_passed_list_of_four_times_the_memory() {
    let model = dwell_families::generate("fischer", 8).expect("a model");
    let folder = folder_with("spill", "model.tck", model);
    let base = base_bytes();
    // Shared zones need more of what stays: hash tables.
    for (plan, times) in [
        (&["--space", "--store", "copy", "--reduce-clocks", "off"][..], 4.0),
        (&["--labels", "cs1,cs2", "--store", "copy", "--trace", "shortest", "--reduce-clocks", "off"], 4.0),
        (&["--space", "--store", "shared", "--cover", "equality", "--order", "dfs", "--trace", "some"], 1.5),
    ] {
        let args = [&["check", "model.tck", "--json"], plan].concat();
        let whole = dwell(&folder, &args);
        let held = number(&stats(&whole), "held_bytes");
        let limit = format!("{}KiB", (base + (held as f64 / times) as u64) / 1024);
        let limited = [&args[..], &["--memory", &limit]].concat();
        let ended = dwell(&folder, &limited);
        assert_eq!(ended.json()["queries"][0]["verdict"], "unknown", "{plan:?} fits into {limit}");
        let spilled = dwell(&folder, &[&limited[..], &["--spill", "."]].concat());
        assert_eq!(essence(&spilled), essence(&whole), "{plan:?}, {limit}: {}", spilled.out);
        assert!(number(&stats(&spilled), "spilled_bytes") > held / 4, "{}", spilled.out);
        let files = std::fs::read_dir(&folder).expect("a folder").count();
        assert_eq!(files, 1, "nothing is left behind");
    }
}

#[test]
fn nothing_is_moved_while_there_is_room() {
    let folder =
        folder_with("spill-room", "model.tck", dwell_families::generate("fischer", 5).expect("a model"));
    let ran = dwell(&folder, &["check", "model.tck", "--space", "--json", "--spill", "."]);
    assert_eq!((ran.code, stats(&ran)["spilled_bytes"].clone()), (0, Value::Null));
}

#[test]
fn what_cannot_be_done_is_said() {
    let folder = folder_with("spill-refused", "large.tck", common::large());
    let pinned = ["check", "large.tck", "--space", "--memory", "1KiB", "--spill", ".", "--timeout", "60s"];
    let ran = dwell(&folder, &pinned);
    assert_eq!((ran.code, ran.err.as_str()), (3, ""));
    assert!(
        ran.out.contains("out of memory: what must stay there (hash tables, the waiting list)"),
        "{}",
        ran.out
    );
    let ran = dwell(&folder, &["check", "large.tck", "--space", "--spill", "no-such-folder"]);
    assert_eq!(ran.code, 2);
    assert!(ran.out.contains("cannot write in no-such-folder: "), "{}", ran.out);
    let model = "process P() { state A; init A; } system P;";
    let folder = folder_with("spill-live", "model.xta", model);
    let ran = dwell(&folder, &["check", "model.xta", "-q", "A<> P.A", "--spill", "."]);
    assert_eq!(ran.code, 2);
    assert!(ran.out.contains("--spill is not for E[], A<> and -->"), "{}", ran.out);
}
