//! Orders, and traces that are the best of their kind, from the command line.

mod common;

use common::{Ran, dwell, examples, folder_with};

/// Fast with many transitions, slow with one, and in between: in no time at all
/// just after 3, by one transition at 5.
const WAYS: &str = "\
clock x, y; int n = 0;
process P() {
  state A { x <= 9 }, B, C, D { y <= 1 };
  init A;
  trans A -> B { guard x > 3; assign y = 0, n = 1; },
        B -> D { assign n = 2; },
        D -> C { guard y <= 0; },
        A -> C { guard x >= 5; assign n = 3; };
}
system P;
";

fn ways(test: &str, args: &[&str]) -> Ran {
    let folder = folder_with(&format!("searching-{test}"), "ways.xta", WAYS);
    dwell(&folder, &[&["check", "ways.xta"], args].concat())
}

fn refused(test: &str, args: &[&str], why: &str) {
    let ran = ways(test, &[&["-q", "E<> P.C"], args].concat());
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}");
    assert!(ran.err.starts_with("error: ") && ran.err.contains(why), "{args:?}: {}", ran.err);
}

fn steps(ran: &Ran) -> usize {
    ran.out.lines().filter(|l| l.starts_with("  after") || l.starts_with("  at once")).count()
}

#[test]
fn the_shortest_trace_and_the_fastest() {
    let shortest = ways("shortest", &["-q", "E<> P.C", "--trace", "shortest"]);
    assert_eq!((shortest.code, steps(&shortest)), (0, 1), "{}", shortest.out);
    assert!(shortest.out.contains("after 5     P: A -> C"), "{}", shortest.out);

    let fastest = ways("fastest", &["-q", "E<> P.C", "--trace", "fastest"]);
    assert_eq!((fastest.code, steps(&fastest)), (0, 3), "{}", fastest.out);
    assert!(fastest.out.contains("after 7/2   P: A -> B"), "{}", fastest.out);
    let time = "  takes more than 3 time units, as close to that as one likes\n";
    assert!(fastest.out.ends_with(time), "{}", fastest.out);
}

#[test]
fn the_fastest_trace_ends_as_soon_as_the_formula_holds() {
    let q = "E<> P.C && (n == 2 && x >= 8 || n == 3 && y >= 7 || x - y == 20)";
    let ran =
        ways("formula", &["-q", "E<> P.C && (n == 2 && x >= 8 || n == 3 && y >= 7)", "--trace", "fastest"]);
    assert!(ran.out.ends_with("  takes 7 time units, the least possible\n"), "{}", ran.out);
    // A difference of clocks: exact zones, which the time does not make endless here.
    let ran = ways("diagonal", &["-q", q, "--trace", "fastest"]);
    assert!(ran.out.ends_with("  takes 7 time units, the least possible\n"), "{}", ran.out);
    let ran = ways("violated", &["-q", "A[] P.A imply x < 1", "--trace", "fastest"]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.ends_with("  takes 1 time unit, the least possible\n"), "{}", ran.out);
    let ran = ways("never", &["-q", "E<> P.C && n == 0", "--trace", "fastest"]);
    assert_eq!((ran.code, steps(&ran)), (1, 0), "{}", ran.out);
}

#[test]
fn the_fastest_trace_to_labels() {
    let ran =
        dwell(&examples(), &["check", "fischer-broken.tck", "--labels", "cs1,cs2", "--trace", "fastest"]);
    assert_eq!(ran.code, 0, "{}", ran.out);
    assert!(ran.out.contains("  takes ") && ran.out.contains(" time unit"), "{}", ran.out);
}

#[test]
fn the_least_time_in_json_and_in_a_file() {
    let folder = folder_with("searching-json", "ways.xta", WAYS);
    let args =
        ["check", "ways.xta", "-q", "E<> P.C", "--trace", "fastest", "--json", "--trace-out", "trace.txt"];
    let query = dwell(&folder, &args).json()["queries"][0].clone();
    let written = std::fs::read_to_string(folder.join("trace.txt")).expect("written");
    assert!(
        written.ends_with("  takes more than 3 time units, as close to that as one likes\n"),
        "{written}"
    );
    assert_eq!(query["stats"]["least_time"], "> 3");
    assert_eq!(query["plan"]["order"], "best-first");
    assert_eq!(query["trace"]["steps"].as_array().expect("steps").len(), 3);
    let ran = ways("json-2", &["-q", "E<> P.C && n == 3", "--trace", "fastest", "--json"]);
    assert_eq!(ran.json()["queries"][0]["stats"]["least_time"], "5");
    let ran = ways("json-3", &["-q", "E<> P.C", "--trace", "some", "--json"]);
    assert!(ran.json()["queries"][0]["stats"].get("least_time").is_none());
}

#[test]
fn a_run_time_error_on_the_way_is_shown() {
    let text = "clock x; int[0,1] n = 1; process P() { state A, B; init A; \
                trans A -> A { guard x >= 2; assign n = n + 1; }, A -> B { guard x >= 4; }; } system P;";
    let folder = folder_with("searching-error", "error.xta", text);
    for kind in ["shortest", "fastest"] {
        let ran = dwell(&folder, &["check", "error.xta", "-q", "E<> P.B", "--trace", kind]);
        assert_eq!(ran.code, 2);
        assert!(ran.out.contains("then fails  P: A -> A"), "{}", ran.out);
        let space = dwell(&folder, &["check", "error.xta", "--space", "--trace", kind]);
        assert_eq!(space.code, 2);
    }
}

#[test]
fn best_first_goes_where_the_heuristic_says() {
    let ran = ways("best", &["-q", "E<> P.C", "--order", "best-first", "--heuristic", "-n", "--explain"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("asked for, by -n"), "{}", ran.out);
    assert_eq!(steps(&ran), 1, "{}", ran.out);
    let ran = ways("best-2", &["-q", "E<> P.C", "--order", "best-first", "--heuristic", "P.C ? 9 : n"]);
    assert_eq!(steps(&ran), 1, "the others lead nowhere else: {}", ran.out);
    let ran = ways("best-3", &["-q", "E<> P.C", "--order", "best-first", "--heuristic", "1 / (n - 1)"]);
    assert_eq!(ran.code, 0, "where it has no value a state comes last: {}", ran.err);
}

#[test]
fn a_seed_is_told_where_it_matters() {
    let random = |seed: &str, test: &str| {
        let args = ["-q", "E<> P.C", "--order", "random-dfs", "--seed", seed, "--json", "--trace", "some"];
        // The ways differ in a variable that nothing reads.
        let args = [&args[..], &["--reduce-variables", "off"]].concat();
        ways(test, &args).json()["queries"][0].clone()
    };
    let ways_found: Vec<usize> = (0..8)
        .map(|seed| {
            let query = random(&seed.to_string(), "seed");
            assert_eq!(query["stats"]["seed"], seed);
            assert_eq!(query["trace"], random(&seed.to_string(), "seed-again")["trace"]);
            query["trace"]["steps"].as_array().expect("steps").len()
        })
        .collect();
    assert!(ways_found.contains(&1) && ways_found.contains(&3), "{ways_found:?}");
    let ran = ways("told", &["-q", "E<> P.C", "--order", "random-dfs"]);
    assert!(ran.out.contains(", seed 1)\n"), "{}", ran.out);
    let ran = ways("not-told", &["-q", "E<> P.C", "--seed", "7", "--json"]);
    assert!(ran.json()["queries"][0]["stats"].get("seed").is_none());
}

#[test]
fn mixes_that_make_no_sense() {
    refused("mix", &["--order", "best-first"], "needs --heuristic EXPR");
    refused("mix", &["--heuristic", "n"], "--heuristic is for --order best-first");
    refused("mix", &["--order", "bfs", "--heuristic", "n"], "--heuristic is for --order best-first");
    let best = |heuristic: &'static str, why| {
        refused("mix", &["--order", "best-first", "--heuristic", heuristic], why);
    };
    best("x", "a clock has no single value");
    best("x + 1", "a clock has no single value");
    best("m", "`m` is not declared");
    best("n, n", "one expression is needed");
    best("n +", "expected an expression");
    for order in ["dfs", "random-dfs"] {
        refused("mix", &["--trace", "shortest", "--order", order], "is found by searching breadth first");
    }
    for order in ["bfs", "dfs"] {
        refused(
            "mix",
            &["--trace", "fastest", "--order", order],
            "is found by searching in the order of time",
        );
    }
    refused("mix", &["--trace", "fastest", "--abstraction", "a-lu"], "not by when");
    refused("mix", &["--trace", "fastest", "--cover", "equality"], "--cover inclusion");
    assert_eq!(ways("mix", &["-q", "E<> P.C", "--trace", "shortest", "--order", "bfs"]).code, 0);
    let tchecker = ["check", "lamp.tck", "--space", "--order", "best-first", "--heuristic", "1"];
    let ran = dwell(&examples(), &tchecker);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("TChecker's format has no expressions about states"), "{}", ran.err);
}

/// Priorities cut a stay into parts that are left at different times for the
/// same zone; a complete search for the fastest run is not re-used.
#[test]
fn the_fastest_trace_with_priorities_and_several_queries() {
    let model = "clock x; urgent chan never;
process High() { state A; init A; trans A -> A { guard x >= 4 && x <= 5; }, A -> A { guard x >= 1 && x <= 2; }; }
process Low() { state A, B; init A; trans A -> B { assign x = 0; }; }
system Low < High;
";
    let folder = folder_with("searching-priorities", "m.xta", model);
    let ran = dwell(&folder, &["check", "m.xta", "-q", "E<> Low.B", "--trace", "fastest"]);
    assert!(ran.out.ends_with("  takes 0 time units, the least possible\n"), "{}", ran.out);
    let queries = ["-q", "A[] P.A imply x <= 9", "-q", "A[] P.A imply x <= 8"];
    let ran = ways("two", &[&queries[..], &["--trace", "fastest"]].concat());
    assert_eq!(ran.code, 1, "{}", ran.out);
    assert!(ran.out.contains("more than 8 time units"), "{}", ran.out);
}
