//! Runs that are killed and go on.
#![cfg(unix)]

mod common;

use common::{Ran, command, dwell, folder_with};
use dwell_base::Rng;
use serde_json::Value;
use std::path::Path;
use std::time::Duration;

/// Verdict and counters; not the time, nor what the process held.
fn essence(ran: &Ran) -> Vec<Value> {
    let document = ran.json();
    let query = &document["queries"][0];
    let counters = ["visited", "stored", "max_stored", "transitions", "mistakes", "discrete_states"];
    let counters = counters.map(|name| query["stats"][name].clone());
    [query["verdict"].clone(), query["trace"].clone()].into_iter().chain(counters).collect()
}

/// Starts it again and again, and kills it each time after a while, until it
/// ends by itself. How often it was killed.
fn with_kills(folder: &Path, args: &[&str], rng: &mut Rng, longest: u64) -> (Ran, u32) {
    let mut kills = 0;
    loop {
        let mut all = args.to_vec();
        all.extend(["--checkpoint", "run.checkpoint", "--checkpoint-every", "20ms"]);
        if folder.join("run.checkpoint").exists() {
            all.extend(["--resume", "run.checkpoint"]);
        }
        let mut child = command(folder, &all).spawn().expect("the program runs");
        let patience = longest + longest * u64::from(kills) / 8;
        std::thread::sleep(Duration::from_millis(5 + rng.below(patience)));
        let done = child.try_wait().expect("it can be asked").is_some();
        let _ = child.kill();
        let output = child.wait_with_output().expect("it ends");
        if done {
            return (Ran::new(output), kills);
        }
        kills += 1;
    }
}

#[test]
fn killed_at_random_moments_it_gets_there_all_the_same() {
    let model = dwell_families::generate("fischer", 7).expect("a model");
    let mut rng = Rng::new(1);
    let mut kills = 0;
    for (i, plan) in [
        &["--space", "--order", "bfs"][..],
        &["--space", "--order", "random-dfs", "--store", "copy", "--cover", "equality"],
        &["--labels", "cs1,cs2", "--trace", "some", "--order", "random"],
        &["--labels", "cs7,cs1", "--trace", "shortest"],
    ]
    .into_iter()
    .enumerate()
    {
        let folder = folder_with(&format!("killed-{i}"), "model.tck", &model);
        let args = [&["check", "model.tck", "--json"], plan].concat();
        let whole = dwell(&folder, &args);
        let (last, killed) = with_kills(&folder, &args, &mut rng, 80);
        assert_eq!(essence(&last), essence(&whole), "{plan:?}");
        assert_eq!(last.code, whole.code);
        kills += killed;
    }
    assert!(kills >= 4, "{kills} kills");
}

#[test]
fn a_limit_leaves_a_file_to_go_on_from() {
    let model = dwell_families::generate("fischer", 8).expect("a model");
    let folder = folder_with("limited", "model.tck", model);
    let args = ["check", "model.tck", "--space", "--checkpoint", "run.checkpoint", "--timeout", "150ms"];
    let ran = dwell(&folder, &args);
    assert_eq!((ran.code, ran.err.as_str()), (3, ""));
    let why = "out of time; try a longer --timeout; to go on, give --resume run.checkpoint\n";
    assert!(ran.out.contains(why), "{}", ran.out);
    assert!(!folder.join("run.checkpoint.part").exists());
    let whole = dwell(&folder, &["check", "model.tck", "--space", "--json"]);
    let rest = dwell(&folder, &["check", "model.tck", "--space", "--json", "--resume", "run.checkpoint"]);
    assert_eq!(essence(&rest), essence(&whole));

    let other =
        dwell(&folder, &["check", "model.tck", "--space", "--order", "dfs", "--resume", "run.checkpoint"]);
    assert_eq!(other.code, 2);
    let why = "run.checkpoint is a checkpoint of a run with order adaptive; this one would have order dfs";
    assert!(other.out.contains(why), "{}", other.out);
}

#[test]
fn what_cannot_be_kept_is_refused() {
    let model =
        "clock x; process P() { state A { x <= 5 }; init A; trans A -> A { guard x >= 2; assign x = 0; }; }
                 system P;";
    let folder = folder_with("not-kept", "model.xta", model);
    let refused = |args: &[&str], why: &str| {
        let ran = dwell(&folder, &[&["check", "model.xta"], args].concat());
        assert_eq!(ran.code, 2, "{args:?}");
        assert!(ran.out.contains(why) || ran.err.contains(why), "{}{}", ran.out, ran.err);
    };
    let other_searches = "--checkpoint and --resume are for queries about single states";
    refused(&["-q", "A<> P.A", "--checkpoint", "c"], other_searches);
    refused(&["-q", "sup: x", "--resume", "c"], other_searches);
    refused(&["-q", "E<> P.A", "-q", "E<> x > 1", "--checkpoint", "c"], "are for one query, and there are 2");
    refused(&["-q", "E<> P.A", "--resume", "c"], "cannot read c: ");
    refused(&["-q", "E<> P.A", "--resume", "model.xta"], "cannot go on from model.xta: it is no checkpoint");
}
