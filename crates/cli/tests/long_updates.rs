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
