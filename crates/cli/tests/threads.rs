//! `--threads` and `--distribution` from the command line.

mod common;

use common::{Ran, dwell, folder_with};
use serde_json::Value;

const D1: &str = "--distribution d1: zones of one discrete state lie with different threads";

fn fischer(test: &str, args: &[&str]) -> Ran {
    let model = dwell_families::generate("fischer", 5).expect("a family");
    let folder = folder_with(&format!("threads-{test}"), "fischer.tck", &model);
    dwell(&folder, &[&["check", "fischer.tck", "--space"], args].concat())
}

fn stats(test: &str, args: &[&str]) -> Value {
    let ran = fischer(test, &[&["--json"], args].concat());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{args:?}");
    serde_json::from_str(&ran.out).expect("JSON")
}

#[test]
fn one_thread_says_nothing_of_others() {
    let alone = stats("alone", &[]);
    for field in ["sent", "arrived", "locality", "load"] {
        assert!(alone["queries"][0]["stats"][field].is_null(), "{field}");
    }
    assert!(alone["queries"][0]["plan"]["distribution"].is_null());
    assert!(!fischer("silent", &[]).out.contains("threads"));
}

#[test]
fn locality_and_load_of_several() {
    for (distribution, least) in [("d0", 0.05), ("d2", 0.3), ("d3", 0.2)] {
        let shared = stats("shared", &["--threads", "4", "--distribution", distribution]);
        let query = &shared["queries"][0];
        let count = |field: &str| query["stats"][field].as_u64().expect("a count");
        assert_eq!(query["plan"]["threads"], 4);
        assert_eq!(query["plan"]["distribution"], distribution);
        let load: Vec<u64> =
            query["stats"]["load"].as_array().expect("a list").iter().filter_map(Value::as_u64).collect();
        assert_eq!((load.len(), load.iter().sum::<u64>()), (4, count("visited")), "{distribution}");
        assert!(count("arrived") <= count("sent") && count("sent") <= count("transitions"), "{distribution}");
        let locality = query["stats"]["locality"].as_f64().expect("a share");
        assert!((least..0.95).contains(&locality), "{distribution}: {locality}");
    }
    let told = fischer("told", &["--threads", "3"]).out;
    assert!(told.contains("  3 threads: ") && told.contains("stayed where they were made"), "{told}");
}

#[test]
fn what_several_threads_cannot_write_down_is_said() {
    let ran = fischer("file", &["--threads", "2", "--checkpoint", "run.checkpoint", "--keep", "distance"]);
    assert_eq!(ran.code, 2, "{}", ran.out);
    assert!(ran.out.contains("with several threads need --keep all"), "{}", ran.out);
}

#[test]
fn inclusion_that_is_lost_is_warned_of() {
    let text = fischer("warned", &["--threads", "2", "--distribution", "d1"]);
    assert_eq!(text.code, 0);
    assert!(text.err.starts_with("warning: ") && text.err.contains(D1), "{}", text.err);
    let json = stats("warned-json", &["--threads", "2", "--distribution", "d1"]);
    let found = &json["diagnostics"][0];
    assert_eq!((&found["severity"], &found["code"]), (&"warning".into(), &"options".into()));
    assert!(found["message"].as_str().is_some_and(|message| message.contains(D1)));
    // With one thread there is nobody else to lie with.
    assert_eq!(fischer("alone-d1", &["--distribution", "d1"]).err, "");
}
