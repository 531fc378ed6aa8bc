//! Updates that take long, or for ever.

mod common;

use common::{dwell, folder_with};

fn asked(name: &str, function: &str) -> common::Ran {
    let text = format!(
        "int[0,100000] n = 60000, s;\n\
         bool fits(int j) {{ return j % 50 == 0; }}\n\
         void nothing() {{}}\n\
         void f() {{ int[0,100000] i = 0; s = 0; {function} }}\n\
         process P() {{ state A, B; init A;\n\
         trans A -> B {{ assign f(); }}, B -> B {{ assign n = 100; }}; }}\nsystem P;\n"
    );
    let folder = folder_with(name, "model.xta", &text);
    dwell(&folder, &["check", "model.xta", "-q", "E<> P.B && s == 60000"])
}

/// Rounds and calls of which nothing is left count where the run is replayed.
#[test]
fn what_ends_here_ends_where_it_is_replayed() {
    let calls = "for (j : int[0,19]) { if (fits(j) && !fits(j+1) && !fits(j+2) && !fits(j+3)) s++; \
                 else if (fits(j) && fits(j+1)) s = 0; }";
    let empty = "nothing(); ".repeat(60);
    for (name, body) in [("calls", calls.to_owned()), ("empty", format!("s++; {empty}"))] {
        let ran = asked(name, &format!("while (i < n) {{ i++; {body} }}"));
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
        assert!(ran.out.contains("P: A -> B (tau)  s: 0 -> 60000"), "{}", ran.out);
    }
}

#[test]
fn one_without_an_end_is_an_error() {
    let ran = asked("endless", "while (i < n) { s = i; }");
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("an update takes more than 30000000 operations\n --> model.xta:4:"),
        "{}",
        ran.err
    );
    assert!(ran.out.contains("then fails  P: A -> B (tau)"), "{}", ran.out);
}

/// A question with a loop of 50,000 rounds, asked of 32,000 states.
const SLOW: &str = "forall (i : int[0,49999]) a[i] + n >= 0";

fn asked_slowly(name: &str, kinds: &[&str], args: &[&str]) -> common::Ran {
    let text = "int[0,32000] n; int[0,7] a[int[0,49999]];\n\
                process P() { state A; urgent A; init A; trans A -> A { guard n < 32000; assign n = n + 1; }; }\n\
                system P;\n";
    let folder = folder_with(&format!("slow-{name}"), "model.xta", text);
    let queries = kinds.iter().flat_map(|kind| ["-q".to_owned(), kind.replace("slow", SLOW)]);
    let queries: Vec<String> = queries.collect();
    let more = ["--trace", "none", "--side-proof", "off", "--json"];
    let queries = queries.iter().map(String::as_str);
    let all: Vec<&str> =
        ["check", "model.xta"].into_iter().chain(queries).chain(more).chain(args.iter().copied()).collect();
    dwell(&folder, &all)
}

/// Time runs out while queries are evaluated, too: where they are asked on the way, by
/// several threads, and of states that are there already.
#[test]
fn slow_questions_end_in_time() {
    let cases: [(&str, &[&str], &[&str]); 4] = [
        ("every", &["A[] slow"], &["--timeout", "10ms"]),
        ("some-run", &["E[] slow"], &["--timeout", "10ms"]),
        ("threads", &["E[] slow"], &["--timeout", "10ms", "--threads", "2"]),
        ("reused", &["A[] n <= 32000", "A[] slow"], &["--timeout", "2s"]),
    ];
    for (name, kinds, args) in cases {
        let ran = asked_slowly(name, kinds, args);
        let answers = ran.json()["queries"].clone();
        let last = answers.as_array().and_then(|all| all.last()).expect("an answer");
        assert_eq!((ran.code, last["verdict"].as_str()), (3, Some("unknown")), "{name}: {}", ran.out);
        if name != "reused" {
            // A look at the clock every few states.
            assert!(last["stats"]["visited"].as_u64() < Some(500), "{name}: {last}");
        }
    }
}
