//! `dwell analyse --sanity`.

mod common;

use common::{COUNTER, Ran, dwell, examples, folder_with, large};
use insta::assert_snapshot;

/// One of each, and nothing that is as it should be.
const ODD: &str = "\
chan go, lost;
int unread;
int[0,3] n;

process P() {
  clock x;
  state A, B { x <= 5 }, C, D { x <= 2 }, E, F;
  init A;
  trans A -> B { assign unread = 1; },
        A -> A { guard n > 2; assign x = 0; },
        B -> A { guard x >= 1; sync go!; assign x = 0; },
        B -> C { guard x > 5; },
        B -> D { guard x == 4; },
        B -> B { sync lost!; },
        A -> C { guard false; },
        C -> E { };
}
process Q() {
  state S;
  init S;
  trans S -> S { sync go?; },
        S -> S { assign n = 1; };
}
system P, Q;
";

fn look(test: &str, file: &str, model: &str, more: &[&str]) -> Ran {
    let folder = folder_with(test, file, model);
    dwell(&folder, &[&["analyse", file, "--sanity"], more].concat())
}

#[test]
fn every_kind_of_finding_has_its_place() {
    let ran = look("sanity-odd", "odd.xta", ODD, &[]);
    assert_snapshot!(ran.masked(), @r"
    exit code 1
    --- standard output
    warning[unmatched-channel]: nobody receives on `lost`
     --> odd.xta:1:10
      |
    1 | chan go, lost;
      |          ^^^^
    warning[never-read]: `unread` is written and never read
     --> odd.xta:2:5
      |
    2 | int unread;
      |     ^^^^^^
    warning[unreachable-location]: `C` is never reached
     --> odd.xta:7:26
      |
    7 |   state A, B { x <= 5 }, C, D { x <= 2 }, E, F;
      |                          ^
    warning[unreachable-location]: `D` is never reached
     --> odd.xta:7:29
      |
    7 |   state A, B { x <= 5 }, C, D { x <= 2 }, E, F;
      |                             ^
    warning[unreachable-location]: `E` is never reached
     --> odd.xta:7:43
      |
    7 |   state A, B { x <= 5 }, C, D { x <= 2 }, E, F;
      |                                           ^
    warning[unreachable-location]: no path of edges leads to `F`
     --> odd.xta:7:46
      |
    7 |   state A, B { x <= 5 }, C, D { x <= 2 }, E, F;
      |                                              ^
    warning[stopped-by-invariant]: the invariant of `B` may stop the edge from `A`: the guard holds where the invariant does not
     --> odd.xta:9:9
      |
    9 |   trans A -> B { assign unread = 1; },
      |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      |
      = help: the edge cannot be taken then; say so in its guard, or reset the clock
    warning[edge-never-taken]: the edge from `A` to `A` is never taken
      --> odd.xta:10:9
       |
    10 |         A -> A { guard n > 2; assign x = 0; },
       |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: no reachable state satisfies its guard, or others always go first
    warning[stopped-by-invariant]: the edge from `B` to `D` is never taken: where the guard holds, the invariant of `D` does not
      --> odd.xta:13:9
       |
    13 |         B -> D { guard x == 4; },
       |         ^^^^^^^^^^^^^^^^^^^^^^^^
    warning[edge-never-taken]: the edge from `B` to `B` is never taken
      --> odd.xta:14:9
       |
    14 |         B -> B { sync lost!; },
       |         ^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: in no reachable state its guard holds and a partner is ready
    warning[edge-never-taken]: the edge from `A` to `C` is never taken
      --> odd.xta:15:9
       |
    15 |         A -> C { guard false; },
       |         ^^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: its guard is false whatever the values of variables
    warning[zeno-cycle]: a cycle may be run through again and again while no time passes: Q: S -> S #2
      --> odd.xta:19:9
       |
    19 |   state S;
       |         ^
       |
       = help: reset a clock on the cycle, and wait for it: `x >= 1`
    12 findings; everything was explored, 6 states
    ");
}

#[test]
fn the_document_has_codes_and_places() {
    let ran = look("sanity-json", "odd.xta", ODD, &["--json"]);
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    let document = ran.json();
    assert_eq!(document["sanity"]["complete"], true);
    assert_eq!(document["sanity"]["why"], serde_json::Value::Null);
    let found = document["diagnostics"].as_array().expect("findings");
    for code in [
        "unreachable-location",
        "edge-never-taken",
        "stopped-by-invariant",
        "unmatched-channel",
        "never-read",
        "zeno-cycle",
    ] {
        let finding =
            found.iter().find(|f| f["code"] == code).unwrap_or_else(|| panic!("no {code}: {found:#?}"));
        let line = ODD.lines().nth(finding["line"].as_u64().expect("a line") as usize - 1);
        assert!(line.is_some_and(|line| !line.is_empty()), "{finding}");
    }
}

#[test]
fn places_in_xml_have_paths() {
    let model = include_str!("../../../examples/fischer.xml").replacen(
        "id == 0</label>",
        "id == 0 &amp;&amp; id == 1</label>",
        1,
    );
    let ran = look("sanity-xml", "m.xml", &model, &["--json"]);
    assert_eq!(ran.code, 1);
    let document = ran.json();
    let found: Vec<_> = document["diagnostics"].as_array().expect("findings").iter().collect();
    assert!(found.iter().all(|f| f["code"] == "unreachable-location"), "{found:?}");
    let paths: Vec<_> = found.iter().map(|f| f["path"].as_str().expect("a path")).collect();
    assert_eq!(paths.len(), 3, "all but the first location: {paths:?}");
    assert!(paths[0].starts_with("/nta/template[1]/location[2]"), "{paths:?}");
}

#[test]
fn a_sane_model_has_no_findings() {
    for model in ["fischer.xml", "train-gate.xml", "vikings.xml", "philosophers.xta", "traffic-light.tck"] {
        let ran = dwell(&examples(), &["analyse", model, "--sanity"]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{model}: {}", ran.out);
        assert!(ran.out.starts_with("nothing found; everything was explored, "), "{model}: {}", ran.out);
    }
}

#[test]
fn nothing_is_said_about_what_was_not_explored() {
    for (limit, why) in [(["--timeout", "50ms"], "out of time"), (["--memory", "8MiB"], "out of memory")] {
        let ran = look("sanity-limit", "large.tck", &large(), &limit);
        assert_eq!(ran.code, 3, "{}{}", ran.out, ran.err);
        let said =
            "nothing found; not everything was explored, so nothing is said about what is reached or taken: ";
        assert!(ran.out.starts_with(&format!("{said}{why}")), "{}", ran.out);
    }
    // What the text alone tells is told all the same.
    let counts = "int[0,30000] c, d;\nprocess R() {\n  state T;\n  init T;\n  \
                  trans T -> T { assign c = (c + 1) % 30000; }, T -> T { assign d = (d + 1) % 30000; };\n}\n";
    let long = format!("{counts}{}", ODD.replace("system P, Q", "system P, Q, R"));
    let ran = look("sanity-timeout", "odd.xta", &long, &["--timeout", "50ms", "--json"]);
    assert_eq!(ran.code, 1);
    let document = ran.json();
    assert_eq!(document["sanity"]["complete"], false);
    let codes: Vec<_> =
        document["diagnostics"].as_array().expect("findings").iter().map(|f| &f["code"]).collect();
    assert!(
        codes.contains(&&"unmatched-channel".into()) && codes.contains(&&"zeno-cycle".into()),
        "{codes:?}"
    );
    assert!(!codes.contains(&&"edge-never-taken".into()), "{codes:?}");
}

#[test]
fn a_model_that_fails_is_told_with_its_place() {
    let ran = look("sanity-fails", "counter.tck", COUNTER, &[]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.out.contains("error[run-time-error]: 3 is assigned to i, whose range is 0 to 2"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("counter.tck:7:20"), "{}", ran.out);
    assert!(ran.out.contains("not everything was explored"), "{}", ran.out);
}

#[test]
fn what_is_unsupported_is_a_reason() {
    let model = "urgent chan c;\nclock x;\nprocess P() { state a; init a; trans a -> a { guard x < 3; sync c!; }; }\n\
                 process Q() { state b; init b; trans b -> b { sync c?; }; }\nsystem P, Q;\n";
    let ran = look("sanity-refused", "m.xta", model, &["--json"]);
    let document = ran.json();
    assert_eq!(document["sanity"]["complete"], false);
    assert!(
        document["sanity"]["why"].as_str().is_some_and(|why| why.contains("urgent channel")),
        "{document}"
    );
}

/// Choices of `select` and instances of a template are one place.
#[test]
fn what_one_process_uses_is_used() {
    let model = "process P(const int[0,1] me) {\n  clock x;\n  state a, b, c;\n  init a;\n  \
                 trans a -> b { select i : int[0,3]; guard i == 2 && me == 1 && x >= 1; assign x = 0; },\n        \
                 b -> a { guard x >= 1; assign x = 0; },\n        \
                 b -> c { select i : int[0,3]; guard me == 0; };\n}\nsystem P;\n";
    let ran = look("sanity-shared", "m.xta", model, &["--json"]);
    let document = ran.json();
    let found: Vec<_> = document["diagnostics"].as_array().expect("findings").iter().collect();
    let told: Vec<_> =
        found.iter().map(|f| (f["code"].as_str().unwrap(), f["line"].as_u64().unwrap())).collect();
    assert_eq!(told, [("unreachable-location", 3)], "{found:#?}");
}

/// Where clocks stand still there are zones with more values than can be
/// reached: nothing is said about invariants there.
#[test]
fn invariants_and_stopwatches() {
    let model = |invariant: &str| {
        format!(
            "process P() {{\n  clock x;\n  state a{invariant}, b {{ x <= 2 }};\n  init a;\n  trans a -> b {{ }};\n}}\n\
             system P;\n"
        )
    };
    let stopped = |ran: &Ran| ran.out.contains("stopped-by-invariant");
    assert!(stopped(&look("sanity-runs", "m.xta", &model(""), &["--json"])));
    assert!(!stopped(&look("sanity-stands", "m.xta", &model(" { x' == 0 }"), &["--json"])));
}
