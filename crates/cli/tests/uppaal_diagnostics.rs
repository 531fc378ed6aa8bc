//! What people read about mistakes in UPPAAL's files, word for word.

mod common;

use common::{Ran, dwell, folder_with};
use insta::assert_snapshot;

/// Five mistakes: in a declaration, a parameter, a synchronisation, a guard and the system line.
const FIVE_MISTAKES: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<nta>
  <declaration>
const int N = 3;
typedef int[0,N-1] id_t;
chan appr[N], go;
int[0,N] waiting = 5;
clock t;
  </declaration>
  <template>
    <name>Train</name>
    <parameter>const idt id</parameter>
    <declaration>clock x;</declaration>
    <location id="id0"><name>Far</name></location>
    <location id="id1"><name>Near</name><label kind="invariant">x &lt;= 20</label></location>
    <init ref="id0"/>
    <transition>
      <source ref="id0"/><target ref="id1"/>
      <label kind="synchronisation">appr!</label>
      <label kind="assignment">x = 0, waiting++</label>
    </transition>
    <transition>
      <source ref="id1"/><target ref="id0"/>
      <label kind="guard">x &gt;= 10 &amp;&amp; wating &gt; 0</label>
      <label kind="assignment">waiting--</label>
    </transition>
  </template>
  <system>T1 = Train(0);
T2 = Train(1);
system T1, T3;</system>
  <queries><query><formula>E&lt;&gt; T1.Near</formula></query></queries>
</nta>
"#;

fn checked(test: &str, file: &str, text: &str, args: &[&str]) -> Ran {
    let folder = folder_with(&format!("uppaal-{test}"), file, text);
    dwell(&folder, &[&["check", file], args].concat())
}

/// Checks `text` as the file `model.xta`.
fn xta(test: &str, text: &str, args: &[&str]) -> String {
    checked(test, "model.xta", text, args).masked()
}

#[test]
fn five_mistakes_to_read() {
    let ran = checked("five", "gate.xml", FIVE_MISTAKES, &[]);
    assert_snapshot!(ran.masked(), @r#"
    exit code 2
    --- standard error
    error[out-of-range]: 5 is outside the range of `int[0,3]`
     --> gate.xml:7:20
      |
    7 | int[0,N] waiting = 5;
      |                    ^
    error[unknown-type]: type `idt` is not declared
      --> gate.xml:12:22
       |
    12 |     <parameter>const idt id</parameter>
       |                      ^^^
       |
       = help: did you mean `id_t`?
    error[channel-expected]: only channels synchronise, and this is of type `chan[3]`
      --> gate.xml:19:37
       |
    19 |       <label kind="synchronisation">appr!</label>
       |                                     ^^^^
       |
       = help: pick an element of the array: `c[i]`
    error[unknown-name]: `wating` is not declared
      --> gate.xml:24:49
       |
    24 |       <label kind="guard">x &gt;= 10 &amp;&amp; wating &gt; 0</label>
       |                                                 ^^^^^^
       |
       = help: did you mean `waiting`?
    error[unknown-process]: process `T3` is not declared
      --> gate.xml:30:12
       |
    30 | system T1, T3;</system>
       |            ^^
       |
       = help: did you mean `T1`?
    error: gate.xml has 5 errors
    "#);
}

#[test]
fn five_mistakes_for_programs() {
    let report = checked("five-json", "gate.xml", FIVE_MISTAKES, &["--json"]).json();
    let mut shown = format!("{}\n", report["error"]["message"].as_str().unwrap());
    for finding in report["diagnostics"].as_array().expect("a list") {
        let text = |key: &str| finding[key].as_str().unwrap_or("-").to_owned();
        let place = format!(
            "{}:{}-{}:{}",
            finding["line"], finding["column"], finding["end_line"], finding["end_column"]
        );
        shown += &format!("{} {} {place} {}\n", text("severity"), text("code"), text("path"));
    }
    assert_snapshot!(shown, @r"
    gate.xml has 5 errors
    error out-of-range 7:20-7:21 /nta/declaration
    error unknown-type 12:22-12:25 /nta/template[1]/parameter
    error channel-expected 19:37-19:41 /nta/template[1]/transition[1]/label[1]
    error unknown-name 24:49-24:55 /nta/template[1]/transition[2]/label[1]
    error unknown-process 30:12-30:14 /nta/system
    ");
    assert_snapshot!(format!("{:#}", report["diagnostics"][3]), @r#"
    {
      "code": "unknown-name",
      "column": 49,
      "end_column": 55,
      "end_line": 24,
      "file": "gate.xml",
      "help": "did you mean `waiting`?",
      "line": 24,
      "message": "`wating` is not declared",
      "path": "/nta/template[1]/transition[2]/label[1]",
      "severity": "error"
    }
    "#);
}

#[test]
fn a_missing_semicolon() {
    let text = "int n\nclock x;\nprocess P() { state A; init A; trans A -> A { guard n > 0; assign n = 0; }; }\nsystem P;\n";
    assert_snapshot!(xta("semicolon", text, &["--space"]), @r"
    exit code 2
    --- standard error
    error[missing-semicolon]: `;` is missing here
     --> model.xta:1:6
      |
    1 | int n
      |      ^
    error: model.xta has an error
    ");
}

#[test]
fn a_wrong_number_of_arguments() {
    let text = "\
int add(int a, int b) { return a + b; }
int n;
process P() {
  state A;
  init A;
  trans A -> A { assign n = add(1); },
        A -> A { assign n = add(1, 2, 3); };
}
system P;
";
    assert_snapshot!(xta("arguments", text, &["--space"]), @r"
    exit code 2
    --- standard error
    error[too-few-arguments]: `add` takes 2 arguments, not 1
     --> model.xta:6:29
      |
    6 |   trans A -> A { assign n = add(1); },
      |                             ^^^^^^
    error[too-many-arguments]: `add` takes 2 arguments, not 3
     --> model.xta:7:39
      |
    7 |         A -> A { assign n = add(1, 2, 3); };
      |                                       ^
    error: model.xta has 2 errors
    ");
}

/// UPPAAL reads such files only as `.ta`; we read them, and say so.
#[test]
fn old_syntax_in_a_new_file() {
    let text = "\
const N 5;
int n;
process P(int a; const b) { state A; init A; trans A -> A { guard n == 1, n < 5; assign n := b; }; }
Q := P(n, 3);
system Q;
";
    assert_snapshot!(xta("old", text, &["--space"]), @r"
    exit code 0
    --- standard output
    state space: explored (TIME, 1 state, SIZE)
      1 visited, 1 stored, 0 transitions, 0 mistakes
    --- standard error
    warning[old-syntax]: this file is read in the old syntax of UPPAAL 3
     --> model.xta:1:1
      |
    1 | const N 5;
      | ^^^^^
      |
      = help: in the syntax of UPPAAL 4 there would be an error here
    ");
}

#[test]
fn bad_queries_in_a_file_among_good_ones() {
    let model =
        "int[0,2] n;\nprocess P() { state A, B; init A; trans A -> B { assign n = 1; }; }\nsystem P;\n";
    let queries = "\
// The first is fine, and the last.
E<> P.B

E<> P.C
A[] (n >= 0
E<> n = 1
Pr[<=10] (<> P.B)
A[] n <= 1
";
    let folder = folder_with("uppaal-queries", "model.xta", model);
    std::fs::write(folder.join("some.q"), queries).expect("written");
    let ran = dwell(&folder, &["check", "model.xta", "some.q", "--trace", "none"]);
    assert_snapshot!(ran.masked(), @r"
    exit code 2
    --- standard output
    E<> P.B: satisfied (TIME, 2 states, SIZE)
      The first is fine, and the last.
    E<> P.C: ERROR
      `P` has no member `C`
    A[] (n >= 0: ERROR
      this `(` is not closed
    E<> n = 1: ERROR
      a formula must not change anything, and this changes `n`
    Pr[<=10] (<> P.B): ERROR
      a statistical query is not supported
    A[] n <= 1: satisfied (TIME, 2 states, SIZE)
    6 queries: 2 satisfied, 4 ERROR; TIME, SIZE
    --- standard error
    error[unknown-member]: `P` has no member `C`
     --> some.q:4:7
      |
    4 | E<> P.C
      |       ^
    error[unclosed-parenthesis]: this `(` is not closed
     --> some.q:5:5
      |
    5 | A[] (n >= 0
      |     ^
    error[side-effect]: a formula must not change anything, and this changes `n`
     --> some.q:6:5
      |
    6 | E<> n = 1
      |     ^
      |
      = help: `=` assigns; `==` compares
    error[unsupported-query]: a statistical query is not supported
     --> some.q:7:1
      |
    7 | Pr[<=10] (<> P.B)
      | ^^^^^^^^^^^^^^^^^
    ");
}

#[test]
fn a_comment_that_swallows_queries() {
    let model = "process P() { state A; init A; }\nsystem P;\n";
    let folder = folder_with("uppaal-swallow", "model.xta", model);
    std::fs::write(folder.join("some.q"), "E<> P.A\n/* and\nE<> false\n").expect("written");
    let ran = dwell(&folder, &["check", "model.xta", "some.q"]);
    assert_snapshot!(ran.masked(), @r"
    exit code 2
    --- standard error
    error: some.q:2:1: this comment is not closed
    ");
}

#[test]
fn a_store_outside_the_range() {
    let text = "\
int[0,2] n;
clock x;
process P() {
  state A { x <= 3 };
  init A;
  trans A -> A { guard x >= 3; assign n = n + 1, x = 0; };
}
system P;
";
    assert_snapshot!(xta("range", text, &["-q", "A[] n < 9"]), @r"
    exit code 2
    --- standard output
    A[] n < 9: ERROR (TIME, 3 states, SIZE)
      start       P.A
                  n=0
      after 3     P: A -> A (tau)  n: 0 -> 1
      after 3     P: A -> A (tau)  n: 1 -> 2
      at the end  P.A
                  x=0
      then fails  P: A -> A (tau)
    --- standard error
    error[run-time-error]: 3 is assigned to n, whose range is 0 to 2
     --> model.xta:6:39
      |
    6 |   trans A -> A { guard x >= 3; assign n = n + 1, x = 0; };
      |                                       ^^^^^^^^^
    ");
}

#[test]
fn an_index_outside_the_array_in_a_guard() {
    let text = "\
int a[3];
int i;
process P() {
  state A, B;
  init A;
  trans A -> A { assign i = i + 1; },
        A -> B { guard a[i] == 1; };
}
system P;
";
    assert_snapshot!(xta("index", text, &["-q", "E<> P.B"]), @r"
    exit code 2
    --- standard output
    E<> P.B: ERROR (TIME, 4 states, SIZE)
      start       P.A
                  a[0]=0 a[1]=0 a[2]=0 i=0
      at once     P: A -> A (tau)  i: 0 -> 1
      at once     P: A -> A (tau)  i: 1 -> 2
      at once     P: A -> A (tau)  i: 2 -> 3
      at the end  P.A
    --- standard error
    error[run-time-error]: index 3 is outside an array of 3
     --> model.xta:7:24
      |
    7 |         A -> B { guard a[i] == 1; };
      |                        ^^^^
    ");
}

#[test]
fn a_division_by_zero_in_a_function() {
    let text = "\
int n = 2;
chan c;
int share(int parts) { return 12 / parts; }
process P() { state A; init A; trans A -> A { guard n > 0; sync c!; assign n--; }; }
process Q() { int got; state A; init A; trans A -> A { sync c?; assign got = share(n); }; }
system P, Q;
";
    assert_snapshot!(xta("division", text, &["-q", "A[] n >= 0"]), @r"
    exit code 2
    --- standard output
    A[] n >= 0: ERROR (TIME, 2 states, SIZE)
      start       P.A Q.A
                  n=2 Q.got=0
      at once     P: A -> A (c!), Q: A -> A (c?)  n: 2 -> 1  Q.got: 0 -> 12
      at the end  P.A Q.A
      then fails  P: A -> A (c!), Q: A -> A (c?)
    --- standard error
    error[run-time-error]: division by zero
     --> model.xta:3:31
      |
    3 | int share(int parts) { return 12 / parts; }
      |                               ^^^^^^^^^^
    ");
}
