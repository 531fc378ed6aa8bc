//! Runs that go on for ever, and models that fail on the way, as people and programs see them.

mod common;

use common::{Ran, dwell, folder_with};
use insta::assert_snapshot;

/// A loop with time, one without, a deadlock, and a place to wait.
const MODEL: &str = "\
clock x;
int[0,1] n;
process P() {
  state Start { x <= 2 }, Ping { x <= 1 }, Pong, Ends { x <= 3 }, Rest, Done;
  urgent Pong;
  init Start;
  trans Start -> Ping { guard x >= 2; assign x = 0; },
        Ping -> Pong { guard x >= 1; assign n = 1 - n; },
        Pong -> Ping { assign x = 0; },
        Start -> Ends { guard x >= 2; assign x = 0; },
        Start -> Rest { guard x >= 2; },
        Ping -> Done { };
}
system P;
";

fn check(test: &str, query: &str, args: &[&str]) -> Ran {
    let folder = folder_with(&format!("forever-{test}"), "m.xta", MODEL);
    dwell(&folder, &[&["check", "m.xta", "-q", query], args].concat())
}

#[test]
fn a_loop() {
    assert_snapshot!(check("loop", "E[] P.Start || P.Ping || P.Pong", &[]).masked(), @"
    exit code 0
    --- standard output
    E[] P.Start || P.Ping || P.Pong: satisfied (TIME, 3 states, SIZE)
      start       P.Start
                  n=0
      after 2     P: Start -> Ping (tau)
      from here on, for ever:
      after 1     P: Ping -> Pong (tau)  n: 0 -> 1
      at once     P: Pong -> Ping (tau)
      after 1     P: Ping -> Pong (tau)  n: 1 -> 0
      at once     P: Pong -> Ping (tau)
      again at    P.Ping
                  x=0
      and so on
    ");
}

#[test]
fn time_passes() {
    assert_snapshot!(check("rest", "A<> P.Ping || P.Ends", &[]).masked(), @r"
    exit code 1
    --- standard output
    A<> P.Ping || P.Ends: NOT satisfied (TIME, 2 states, SIZE)
      start       P.Start
                  n=0
      after 2     P: Start -> Rest (tau)
      at the end  P.Rest
                  x=2
      then time passes for ever
    ");
}

#[test]
fn nothing_happens_any_more() {
    assert_snapshot!(check("stuck", "P.Ends && x >= 1 --> P.Done", &[]).masked(), @r"
    exit code 1
    --- standard output
    P.Ends && x >= 1 --> P.Done: NOT satisfied (TIME, 4 states, SIZE)
      start       P.Start
                  n=0
      after 2     P: Start -> Ends (tau)
      after 1     time passes
      at the end  P.Ends
                  x=1
      then nothing can happen any more
    ");
}

#[test]
fn waiting_at_once_for_what_never_comes() {
    assert_snapshot!(check("waiting", "P.Rest --> P.Done", &[]).masked(), @r"
    exit code 1
    --- standard output
    P.Rest --> P.Done: NOT satisfied (TIME, 5 states, SIZE)
      start       P.Start
                  n=0
      after 2     P: Start -> Rest (tau)
      at the end  P.Rest
                  x=2
      then time passes for ever
    ");
    assert_snapshot!(check("waiting-later", "P.Rest && x > 5 --> P.Done", &[]).masked(), @r"
    exit code 1
    --- standard output
    P.Rest && x > 5 --> P.Done: NOT satisfied (TIME, 5 states, SIZE)
      start       P.Start
                  n=0
      after 2     P: Start -> Rest (tau)
      after 4     there it is
      at the end  P.Rest
                  x=6
      then time passes for ever
    ");
}

#[test]
fn no_such_run() {
    assert_snapshot!(check("none", "A<> !P.Start", &[]).masked(), @r"
    exit code 0
    --- standard output
    A<> !P.Start: satisfied (TIME, 1 state, SIZE)
    ");
}

/// Among runs that go on for ever there is no shortest or fastest: any will do.
#[test]
fn whatever_is_asked_of_the_trace() {
    for query in ["A<> P.Done", "P.Ping --> P.Done", "P.Ends --> P.Done"] {
        let some = check("some", query, &["--trace", "some"]).masked();
        for kind in ["shortest", "fastest"] {
            assert_eq!(check(kind, query, &["--trace", kind]).masked(), some, "{query}, {kind}");
        }
    }
}

#[test]
fn for_programs() {
    let trace = |test: &str, query: &str| {
        let ran = check(test, query, &["--json", "--trace", "some"]);
        ran.json()["queries"][0]["trace"].clone()
    };
    let found = trace("json-loop", "E[] P.Start || P.Ping || P.Pong");
    let steps = found["steps"].as_array().unwrap().len();
    let at = found["loop_at"].as_u64().expect("a loop") as usize;
    assert_eq!(found["ending"], "loop");
    assert!(at < steps && found["states"].as_array().unwrap().len() == steps + 1);
    let (first, last) = (&found["states"][at], &found["states"][steps]);
    assert_eq!((&first["locations"], &first["variables"]), (&last["locations"], &last["variables"]));

    let found = trace("json-rest", "A<> P.Ping || P.Ends");
    assert!(found["loop_at"].is_null());
    assert_eq!(found["ending"], "time-passes");
    assert_eq!(trace("json-stuck", "P.Ends --> P.Done")["ending"], "deadlock");
    let reached = trace("json-reached", "E<> P.Done");
    assert!(reached["loop_at"].is_null() && reached["ending"].is_null());
    assert!(check("json-auto", "A<> P.Done", &["--json"]).json()["queries"][0]["trace"].is_null());
}

/// Three steps away a division by zero; other places are nearer.
const FAILS: &str = "\
int n = 2;
int m;
process P() {
  state A, B, C;
  urgent A;
  init A;
  trans A -> A { guard n > 0; assign n--; },
        A -> B { },
        A -> C { assign m = 4 / n; };
}
system P;
";

fn fails(test: &str, query: &str, args: &[&str]) -> Ran {
    let folder = folder_with(&format!("fails-{test}"), "m.xta", FAILS);
    dwell(&folder, &[&["check", "m.xta", "-q", query], args].concat())
}

#[test]
fn a_failure_is_shown_with_the_way_to_it() {
    assert_snapshot!(fails("reach", "A[] n >= 0", &[]).masked(), @r"
    exit code 2
    --- standard output
    A[] n >= 0: ERROR (TIME, 5 states, SIZE)
      start       P.A
                  n=2 m=0
      at once     P: A -> A (tau)  n: 2 -> 1
      at once     P: A -> A (tau)  n: 1 -> 0
      at the end  P.A
      then fails  P: A -> C (tau)
    --- standard error
    error[run-time-error]: division by zero
     --> m.xta:9:29
      |
    9 |         A -> C { assign m = 4 / n; };
      |                             ^^^^^
    ");
}

/// Nothing can be done but what fails: no deadlock, and the failure is told. Where the
/// guard of what fails does not hold any more, there is nothing to do.
#[test]
fn a_failure_is_no_deadlock() {
    let ask = |test: &str, guard: &str, query: &str| {
        let text = format!(
            "clock x; int n; int m;
             process P() {{ state A, B; init A; trans A -> B {{ guard x >= 2; }},
                 B -> A {{ guard {guard}; assign m = 1 / n; }}; }}
             system P;"
        );
        let folder = folder_with(&format!("fails-stuck-{test}"), "m.xta", &text);
        dwell(&folder, &["check", "m.xta", "-q", query, "--trace", "none", "--json"])
    };
    for (test, guard, query, verdict) in [
        ("all", "x >= 2", "A[] not deadlock", "error"),
        ("some", "x >= 5", "E<> deadlock", "error"),
        ("none", "x < 2", "E<> deadlock", "satisfied"),
        ("early", "x < 3", "A[] not deadlock", "not-satisfied"),
        ("free", "x >= 5", "E<> P.B && not deadlock", "satisfied"),
    ] {
        assert_eq!(ask(test, guard, query).json()["queries"][0]["verdict"], verdict, "{test}");
    }
}

#[test]
fn what_is_found_before_a_failure_is_an_answer() {
    let ran = fails("before", "E<> P.B", &["--json"]);
    let report = ran.json();
    assert_eq!((ran.code, &report["queries"][0]["verdict"]), (0, &"satisfied".into()));
    assert!(report["queries"][0]["why"].is_null() && report["diagnostics"].as_array().unwrap().is_empty());
    // Two queries: each has its own answer.
    let ran = fails("both", "E<> P.B", &["-q", "A[] m <= 4", "--json"]);
    let report = ran.json();
    assert_eq!(ran.code, 2);
    assert_eq!(report["queries"][0]["verdict"], "satisfied");
    assert_eq!(report["queries"][1]["verdict"], "error");
    assert_eq!(report["queries"][1]["trace"]["steps"].as_array().unwrap().len(), 2, "traced even so");
}

#[test]
fn a_failure_on_a_run_that_is_to_go_on_for_ever() {
    assert_snapshot!(fails("live", "A<> P.B || P.C", &[]).masked(), @r"
    exit code 2
    --- standard output
    A<> P.B || P.C: ERROR (TIME, 3 states, SIZE)
      start       P.A
                  n=2 m=0
      at once     P: A -> A (tau)  n: 2 -> 1
      at once     P: A -> A (tau)  n: 1 -> 0
      at the end  P.A
      then fails  P: A -> C (tau)
    --- standard error
    error[run-time-error]: division by zero
     --> m.xta:9:29
      |
    9 |         A -> C { assign m = 4 / n; };
      |                             ^^^^^
    ");
}

#[test]
fn a_failure_behind_what_leads_to_something() {
    assert_snapshot!(fails("leads-to", "n == 1 --> P.B || P.C", &[]).masked(), @r"
    exit code 2
    --- standard output
    n == 1 --> P.B || P.C: ERROR (TIME, 4 states, SIZE)
      start       P.A
                  n=2 m=0
      at once     P: A -> A (tau)  n: 2 -> 1
      at once     P: A -> A (tau)  n: 1 -> 0
      at the end  P.A
      then fails  P: A -> C (tau)
    --- standard error
    error[run-time-error]: division by zero
     --> m.xta:9:29
      |
    9 |         A -> C { assign m = 4 / n; };
      |                             ^^^^^
    ");
    let ran = fails("leads-to-json", "n == 1 --> P.B || P.C", &["--json"]);
    let trace = &ran.json()["queries"][0]["trace"];
    assert_eq!(trace["states"][2]["variables"]["n"], 0, "{trace}");
}

#[test]
fn a_query_that_fails_on_a_run() {
    assert_snapshot!(fails("query", "E[] 8 / n > 0 && P.A", &[]).masked(), @r"
    exit code 2
    --- standard output
    E[] 8 / n > 0 && P.A: ERROR (TIME, 2 states, SIZE)
      start       P.A
                  n=2 m=0
      at once     P: A -> A (tau)  n: 2 -> 1
      at once     P: A -> A (tau)  n: 1 -> 0
      at the end  P.A
    --- standard error
    error[run-time-error]: division by zero
     --> <query>:1:5
      |
    1 | E[] 8 / n > 0 && P.A
      |     ^^^^^
    ");
    assert_snapshot!(fails("query-reach", "E<> 8 / n > 8", &[]).masked(), @r"
    exit code 2
    --- standard output
    E<> 8 / n > 8: ERROR (TIME, 5 states, SIZE)
      start       P.A
                  n=2 m=0
      at once     P: A -> A (tau)  n: 2 -> 1
      at once     P: A -> A (tau)  n: 1 -> 0
      at the end  P.A
    --- standard error
    error[run-time-error]: division by zero
     --> <query>:1:5
      |
    1 | E<> 8 / n > 8
      |     ^^^^^
    ");
}

/// Two trains that are far away for a while, and a light that turns green when the last one leaves.
fn trains(far: u32) -> String {
    format!(
        "broadcast chan near, gone;
int[0,2] here = 2;
process Train() {{
  clock t;
  state Far {{ t <= 90 }}, Stop {{ t <= 15 }}, In {{ t <= 10 }};
  init Stop;
  trans Far -> Stop {{ guard t >= {far}; sync near!; assign t = 0, here++; }},
        Stop -> In {{ guard t >= 10; assign t = 0; }},
        In -> Far {{ guard t >= 5; sync gone!; assign t = 0, here--; }};
}}
process Light() {{
  state Red, Green;
  init Red;
  trans Red -> Green {{ guard here == 1; sync gone?; }},
        Green -> Red {{ sync near?; }};
}}
A = Train();
B = Train();
system A, B, Light;
"
    )
}

/// A train is not back before the other one has left, unless it is away for 25 at most: that is a
/// matter of how far their clocks are apart.
#[test]
fn a_proof_tells_apart_who_came_first() {
    for (far, verdict, proved) in
        [(50, "satisfied", true), (26, "satisfied", true), (25, "not-satisfied", false)]
    {
        let folder = folder_with(&format!("forever-trains-{far}"), "m.xta", trains(far));
        for how in ["first", "off"] {
            let args = ["check", "m.xta", "-q", "Light.Red --> Light.Green", "--json", "--side-proof", how];
            let ran = dwell(&folder, &args).masked();
            let verdict = format!("\"verdict\": \"{verdict}\"");
            assert!(ran.contains(&verdict), "{far}, {how}: {ran}");
            let hull = format!("\"convex_hull\": {}", proved && how == "first");
            assert!(ran.contains(&hull), "{far}, {how}: {ran}");
        }
    }
}

/// Rings of states that are [passed through](../../../docs/techniques/chains.md), of many lengths: they
/// are cut in the same places each time round, so that few states are stored, and the run that goes
/// round is no longer than the ring needs.
#[test]
fn rings_in_which_nothing_is_decided() {
    for length in [1, 3, 16, 63, 64, 65, 101, 257, 1001] {
        let last = length - 1;
        let model = format!(
            "clock x;
             int[0,{last}] n = 0;
             process P() {{
               state Start {{ x <= 3 }}, Ring, Turn, End;
               urgent Ring, Turn;
               init Start;
               trans Start -> Ring {{ guard x >= 2; }},
                     Ring -> Ring {{ guard n < {last}; assign n = n + 1; }},
                     Ring -> Turn {{ guard n == {last}; assign x = 0; }},
                     Turn -> Ring {{ assign n = 0; }},
                     Turn -> End {{ guard n < 0 && x >= 1; }};
             }}
             system P;"
        );
        let folder = folder_with(&format!("forever-ring-{length}"), "m.xta", &model);
        let ask = |query: &str, chains: &str| {
            dwell(&folder, &["check", "m.xta", "-q", query, "--json", "--chains", chains]).json()
        };
        for query in ["A<> P.End", "E[] !P.End", "P.Ring --> P.End", "E<> P.End"] {
            let [with, without] = ["on", "off"].map(|chains| ask(query, chains)["queries"][0].clone());
            assert_eq!(with["verdict"], without["verdict"], "{length} {query}");
            let steps = with["trace"]["steps"].as_array().map_or(0, Vec::len);
            assert!(steps <= 20 * length + 100, "{length} {query}: {steps} steps");
            let count = |answer: &serde_json::Value, of: &str| answer["stats"][of].as_u64().expect("a count");
            let moves = [&with, &without].map(|answer| count(answer, "transitions"));
            assert!(moves[0] <= 3 * moves[1] + 200, "{length} {query}: {moves:?}");
        }
    }
}
