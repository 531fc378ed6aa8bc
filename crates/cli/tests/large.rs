//! Models that are large in some direction: each ends with an answer or a
//! sentence, soon, and without eating the machine.

mod common;

use common::{Ran, dwell, folder_with};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Far more than any of these needs, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

fn check(name: &str, model: String, args: &[&str]) -> Ran {
    let folder = folder_with(name, "model.tck", model);
    let started = Instant::now();
    let mut all = vec!["check", "model.tck", "--space"];
    all.extend(args);
    let ran = dwell(&folder, &all);
    assert!(started.elapsed() < PATIENCE, "{name} took {:?}", started.elapsed());
    ran
}

/// `processes` in one synchronisation, each with `edges` edges for it; the
/// last process only takes part if its guard holds.
fn wide(processes: usize, edges: usize, last_guard: &str) -> String {
    let mut text = String::from("system:wide\nevent:e\nint:1:0:1:0:v\n");
    let mut sync = String::from("sync");
    for p in 0..processes {
        let guard = if p + 1 == processes { last_guard } else { "1" };
        let _ = writeln!(text, "process:P{p}\nlocation:P{p}:l{{initial:}}");
        for _ in 0..edges {
            let _ = writeln!(text, "edge:P{p}:l:l:e{{provided: {guard}}}");
        }
        let _ = write!(sync, ":P{p}@e");
    }
    text + &sync + "\n"
}

#[test]
fn too_many_ways_to_synchronise() {
    let ran = check("combinations", wide(28, 2, "1"), &[]);
    assert_eq!(ran.code, 2, "{}", ran.out);
    assert!(ran.err.contains("a state has more than 1048576 ways to synchronise"), "{}", ran.err);
    assert!(ran.err.contains("model.tck:6:"), "at an edge: {}", ran.err);
}

#[test]
fn combinations_without_a_move_are_not_tried() {
    let ran = check("no-combination", wide(60, 2, "v==1"), &[]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("1 visited, 1 stored, 0 transitions"), "{}", ran.out);
}

#[test]
fn a_synchronisation_of_very_many() {
    let ran = check("many", wide(20_000, 1, "1"), &[]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("1 visited, 1 stored, 1 transition,"), "{}", ran.out);
}

#[test]
fn more_clocks_than_a_zone_should_have() {
    let ran = check("clocks", "system:s\nclock:40000:x\nprocess:P\nlocation:P:l{initial:}\n".into(), &[]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("model.tck:2:7"), "{}", ran.err);
}

#[test]
fn more_than_the_analysis_can_hold() {
    let mut text = String::from("system:s\nclock:1000:x\nevent:e\nprocess:P\n");
    for l in 0..20_001 {
        let _ = writeln!(text, "location:P:l{l}{{initial:}}");
    }
    for c in 0..1000 {
        let _ = writeln!(text, "edge:P:l0:l0:e{{provided: x[{c}]>1}}");
    }
    let ran = check("places", text, &[]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("more than the analysis can hold"), "{}", ran.err);
}

#[test]
fn many_locations_load_quickly() {
    let mut text = String::from("system:s\nevent:e\nprocess:P\nlocation:P:l0{initial:}\n");
    for l in 1..100_000 {
        let _ = writeln!(text, "location:P:l{l}\nedge:P:l{}:l{l}:e", l - 1);
    }
    let ran = check("locations", text, &[]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("100,000 visited"), "{}", ran.out);
}

#[test]
fn large_zones_stop_near_the_memory_limit() {
    let mut text = String::from(
        "system:s\nevent:e\nint:1:0:1000000:0:i\nclock:100:x\nprocess:P\nlocation:P:l{initial:}\n",
    );
    text.push_str("edge:P:l:l:e{do: i=i+1; x[i%100]=0}\nedge:P:l:l:e{provided: i<0");
    for c in 0..100 {
        let _ = write!(text, " && x[{c}]>=3 && x[{c}]<=3");
    }
    text.push_str("}\n");
    let ran = check("zones", text, &["--store", "copy", "--memory", "40MiB", "--json"]);
    assert_eq!(ran.code, 3, "{}", ran.out);
    let document = ran.json();
    let peak = document["queries"][0]["stats"]["peak_bytes"].as_u64().expect("a number");
    assert!(peak < 70 << 20, "{peak} bytes with a limit of 40 MiB");
}

#[test]
fn long_updates_do_not_outrun_the_timeout() {
    let text = "system:s\nevent:e\nint:1:0:1000000:0:v\nprocess:P\nlocation:P:l{initial:}\n\
                edge:P:l:l:e{do: local i=0; while i<300000 do i=i+1 end; v=v+1}\n";
    let started = Instant::now();
    let ran = check("loops", text.into(), &["--timeout", "0.5s"]);
    assert_eq!(ran.code, 3, "{}{}", ran.out, ran.err);
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_failure_found_is_reported_though_no_time_is_left_for_its_trace() {
    // The way to it is long: the run that looks for it again meets the limit.
    let text = "system:s\nevent:e\nint:1:0:60000:0:v\nprocess:P\nlocation:P:l{initial:}\n\
                edge:P:l:l:e{do: v=v+1}\n";
    for timeout in ["1ms", "5ms", "20ms", "80ms", "60s"] {
        let ran = check("late-failure", text.into(), &["--timeout", timeout, "--json"]);
        let verdict = ran.json()["queries"][0]["verdict"].as_str().expect("a verdict").to_owned();
        assert!(
            matches!((ran.code, verdict.as_str()), (3, "unknown") | (2, "error")),
            "{timeout}: {verdict}"
        );
    }
    let ran = check("late-failure", text.into(), &["--trace", "none"]);
    assert_eq!(ran.code, 2);
    assert!(!ran.out.contains("start"), "no trace was asked for: {}", ran.out);
}

#[test]
fn constants_beyond_the_widest_zones() {
    let text = "system:s\nevent:e\nclock:1:x\nprocess:P\nlocation:P:l{initial: : invariant: x<=300000000}\n\
                edge:P:l:l:e{provided: x>=2147483647 : do: x=268435455}\n";
    let ran = check("constants", text.into(), &[]);
    assert_eq!(ran.code, 2, "{}", ran.out);
    for place in ["model.tck:5:36", "model.tck:6:24", "model.tck:6:44"] {
        assert!(ran.err.contains(place), "{place} in {}", ran.err);
    }
    assert!(ran.err.contains("constant-too-large") && ran.err.contains("up to 268435454"), "{}", ran.err);
}
