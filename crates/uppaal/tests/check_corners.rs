//! Corner cases of the language that are decided without running the model,
//! how findings are worded, and that one mistake is one finding.

mod check_support;

use check_support::{check_model, check_query, parse, slices, whole};
use dwell_syntax::uppaal::{parse_query, parse_ta, parse_xml};
use dwell_uppaal::check::{Checker, lint};

#[test]
fn scalars_are_equal_only_within_one_typedef() {
    let model =
        "typedef scalar[3] a_t; typedef scalar[3] b_t; typedef a_t c_t; a_t a; b_t b; c_t c; scalar[3] d, e;";
    check_query(model, "E<> a == c && d == e", &[]);
    check_query(model, "E<> a == b", &[("incompatible-types", "a == b")]);
    check_query(model, "E<> a == d", &[("incompatible-types", "a == d")]);
}

#[test]
fn labels_move_the_cursor_of_a_structure() {
    let types = "typedef struct { int a, b, c; } s_t; typedef struct { s_t s; int n[2]; } t_t; ";
    let good = [
        "s_t s = { c: 3, a: 1, 2 };",
        "s_t s = { b: 2, 3, a: 1 };",
        "t_t t = { n: { 1, 2 }, s: { 1, 2, 3 } };",
    ];
    good.iter().for_each(|init| check_model(&format!("{types}{init}"), &[]));
    check_model(
        &format!("{types}s_t s = {{ c: 3, 4 }};"),
        &[("missing-elements", "{ c: 3, 4 }"), ("too-many-elements", "4")],
    );
}

#[test]
fn selections_hide_with_a_warning() {
    let model = "int i; process P() { state A; init A; trans A -> A { select i : int[0,3]; guard i > 1; assign i = 0; }; } system P;";
    check_model(model, &[("shadowed", "i"), ("not-assignable", "i")]);
}

#[test]
fn references_need_the_same_range() {
    let function = "void f(int &a) { a = 1; } ";
    check_model(&format!("{function} int a; void g() {{ f(a); }}"), &[]);
    check_model(&format!("{function} int[0,5] a; void g() {{ f(a); }}"), &[("incompatible-argument", "a")]);
    check_model(&format!("{function} int16_t a; void g() {{ f(a); }}"), &[]);
    // Bounds are compared by value where they have one, else as written.
    let same = "const int N = 4; void f(int[0,3] &a) { a = 1; } int[0,N-1] a; void g() { f(a); }";
    check_model(same, &[]);
    let template = "process P(const int N, const int M) { void f(int[0,N] &a, int &b[N]) { a = b[0]; } \
         int[0,N] a; int[0,M] b; int c[N]; int d[int[0,N-1]]; \
         void g() { f(a, c); f(a, d); f(b, c); } state A; init A; } Q = P(1, 2); system Q;";
    check_model(template, &[("incompatible-argument", "b")]);
}

#[test]
fn free_parameters_cannot_size_arrays() {
    let model = |use_of: &str| {
        format!("process P(const int[1,3] n) {{ {use_of} state A; init A; }} Q = P(2); system Q, P;")
    };
    check_model(&model("int a[n];"), &[("free-parameter-size", "P")]);
    check_model(&model("typedef int[0,n] t; int a[t];"), &[("free-parameter-size", "P")]);
    check_model(&model("scalar[n] s;"), &[("free-parameter-size", "P")]);
    check_model(&model("int[0,n] m;"), &[]);
}

#[test]
fn words_of_queries_are_names() {
    check_query("int A, U, sup;", "E<> A == 1 && U == 2 && sup == 3", &[]);
    check_query("int A, U, sup;", "sup: A + U, sup", &[]);
}

#[test]
fn priorities_on_the_system_line() {
    let processes =
        "process P() { state A; init A; } process Q() { state A; init A; } process R() { state A; init A; }";
    check_model(&format!("{processes} system P < Q, R;"), &[]);
    check_model(&format!("{processes} system P < Q, S;"), &[("unknown-process", "S")]);
}

#[test]
fn names_of_locations_in_xml() {
    let text = r#"<nta><declaration>int n;</declaration>
        <template><name>P</name><declaration>int L;</declaration>
        <location id="id0"><name>select</name></location>
        <location id="id1"><name>L</name></location>
        <location id="id2"><name>M</name></location>
        <location id="id3"><name>M</name></location>
        <location id="id4"/>
        <init ref="id0"/>
        <transition><source ref="id0"/><target ref="id9"/><label kind="guard">n &lt; k</label></transition>
        </template><system>system P;</system></nta>"#;
    let (document, findings) = parse_xml(text);
    assert!(!findings.has_errors(), "{findings:#?}");
    let (checker, findings) = Checker::new(&document);
    let expected = [
        ("duplicate-name", "L"),
        ("duplicate-name", "M"),
        ("unknown-location", "id9"),
        ("unknown-name", "k"),
    ];
    assert_eq!(slices(text, &findings), expected);
    for query in ["E<> P.select", "E<> P._id4", "E<> P.M"] {
        let (item, _) = parse_query(query);
        let findings = checker.query(&item.query.expect("a query"));
        assert!(!findings.has_errors(), "{query} {findings:#?}");
    }
}

#[test]
fn an_instantiation_with_too_many_arguments() {
    let model = "process P(int a) { state A; init A; } Q = P(1, nothing); system Q;";
    check_model(model, &[("too-many-arguments", "nothing"), ("unknown-name", "nothing")]);
}

#[test]
fn the_old_syntax_is_lax() {
    let text = "const N 5; int[0,5] n; chan c; clock x;\n\
         process P(int id; const m; clock y; chan d) { state A { y <= 5 }; init A;\n\
         trans A -> A { guard y >= N, n == id; sync d!; assign y := 0, n := m; }; }\n\
         Q := P(n, 3, x, c); R := P(1, N, x, c); system Q, R;";
    let (document, findings) = parse_ta(text);
    assert!(!findings.has_errors(), "{findings:#?}");
    let (_, findings) = Checker::new(&document);
    assert_eq!(slices(text, &findings), []);
}

#[test]
fn five_mistakes_are_five_findings() {
    let model = "\
const int N = 3;
int[0,N] level = 7;
typedef int[0,N-1] id_t;
chan go[N];
clock x;
int total(int a[N]) { int s = 0; for (i : id_t) s += a[i]; return sum; }
process P(const id_t id) {
  int seen[N];
  state idle { x <= limit }, busy;
  init idle;
  trans idle -> busy { guard x >= limit && seen[id] = 0; sync go!; assign x = 0, level = total(seen); };
}
system P;
";
    let model = model.replace("return sum;", "return total;");
    let expected = [
        ("out-of-range", "7"),
        ("not-a-value", "total"),
        ("unknown-name", "limit"),
        ("not-assignable", "x >= limit && seen[id]"),
        ("channel-expected", "go"),
    ];
    check_model(&model, &expected);
}

#[test]
fn one_mistake_is_one_finding() {
    // Whatever an unknown name touches is fine with it.
    check_model(
        "int f(int &a, int b[3]) { return a + b[0]; } int c = f(x, x) + x[2].y(x ? x : -x);",
        &[("unknown-name", "x")],
    );
    check_model(
        "t_t a[3] = { 1, { 2 }, x: 3 }; void f() { a[0] = a[1].b; a[2]++; }",
        &[("unknown-type", "t_t"), ("field-in-array", "x")],
    );
    let model = "process P(t_t a) { t_t b; state A { b <= a }; init A; trans A -> A { guard b; sync b!; assign b = a; }; } Q = P(1); system Q;";
    check_model(model, &[("unknown-type", "t_t")]);
    // A broken instantiation is not missed on the system line.
    check_model("process P() { state A; init A; } Q = R(); system P, Q;", &[("not-a-template", "R")]);
    check_query(
        "",
        "E<> P.B && forall (i : t_t) P(i).A",
        &[("unknown-member", "B"), ("unknown-type", "t_t"), ("not-a-process", "P(i)")],
    );
}

#[test]
fn findings_say_what_is_wrong_and_what_to_do() {
    let model = "\
int count; const int N = 2; clock x; urgent chan go;
typedef struct { int first; int second; } pair_t;
pair_t pair;
void f(int &r) { r = cuont; N = 3; pair.frist = 1; f(r); }
void g() { int[0,3] small; f(small); count == 1; }
process P(int size) { int a[size]; state A { x >= N }; init A; trans A -> A { guard x < 1 || x > 2; sync go?; }; }
system P;
";
    let document = parse(model);
    let (_, findings) = Checker::new(&document);
    let said: Vec<String> = findings
        .iter()
        .map(|d| match &d.help {
            Some(help) => format!("{}; {help}", d.message),
            None => d.message.clone(),
        })
        .collect();
    let expected = "\
`cuont` is not declared; did you mean `count`?
`N` cannot be changed: it is a constant
`pair_t` has no member `frist`; did you mean `first`?
`f` calls itself, and recursion is not allowed
the parameter `r` is of type `int`, not `int[0,3]`; a reference needs a variable with the very same range
this changes nothing; `==` compares; `=` assigns
the size of an array must be known before the model runs, and `size` is not; declare the parameter `size` as `const`
a lower bound in an invariant keeps the location from being entered early; to leave not before that time, put it \
into the guards of the edges
a guard cannot be a choice between conditions on clocks, nor the opposite of one; only one side of `||` may be about \
clocks, and `!` none; use several edges or locations
`P` needs a value for its parameter `size`; only bounded integers and scalars passed by value may be left open on the \
system line";
    assert_eq!(said.join("\n"), expected);
}

#[test]
fn a_query_is_told_where_a_name_lives() {
    let document = parse(
        "process P(int[0,1] i) { state critical; init critical; } process Q() { int n; state A; init A; } R = Q(); system P, R;",
    );
    let (checker, _) = Checker::new(&document);
    let helps = |query: &str| -> Vec<String> {
        let (item, _) = parse_query(query);
        checker.query(&item.query.expect("a query")).into_vec().into_iter().filter_map(|d| d.help).collect()
    };
    assert_eq!(helps("E<> critical"), ["did you mean `P(…).critical`?"]);
    assert_eq!(helps("E<> n == 1"), ["did you mean `R.n`?"]);
    assert_eq!(helps("E<> Q.A"), ["its processes are called `R`"]);
    assert_eq!(helps("E<> P.critical"), ["name one of them: `P(i)`"]);
    assert_eq!(helps("E<> P(0).criticl"), ["did you mean `critical`?"]);
}

#[test]
fn good_models_give_no_warnings() {
    let train_gate = "
        const int N = 6; typedef int[0,N-1] id_t; chan appr[N], stop[N], leave[N]; urgent chan go[N];
        process Train(const id_t id) { clock x;
          state Safe, Cross { x <= 5 }, Appr { x <= 20 }, Stop, Start { x <= 15 }; init Safe;
          trans Safe -> Appr { sync appr[id]!; assign x = 0; }, Appr -> Cross { guard x >= 10; assign x = 0; },
            Cross -> Safe { guard x >= 3; sync leave[id]!; }, Appr -> Stop { guard x <= 10; sync stop[id]?; },
            Stop -> Start { sync go[id]?; assign x = 0; }, Start -> Cross { guard x >= 7; assign x = 0; }; }
        process Gate() { id_t list[N+1]; int[0,N] len;
          void enqueue(id_t element) { list[len++] = element; }
          void dequeue() { int i = 0; len -= 1; while (i < len) { list[i] = list[i + 1]; i++; } list[i] = 0; }
          id_t front() { return list[0]; } id_t tail() { return list[len - 1]; }
          state Free, Occ, Wait; commit Wait; init Free;
          trans Free -> Occ { select e : id_t; guard len == 0; sync appr[e]?; assign enqueue(e); },
            Free -> Occ { guard len > 0; sync go[front()]!; }, Occ -> Wait { select e : id_t; sync appr[e]?; assign enqueue(e); },
            Wait -> Occ { sync stop[tail()]!; }, Occ -> Free { select e : id_t; guard e == front(); sync leave[e]?; assign dequeue(); }; }
        system Train, Gate;";
    check_model(train_gate, &[]);
    let document = parse(&whole(train_gate));
    assert_eq!(slices(train_gate, &lint(&document)), []);
    check_query(
        train_gate,
        "A[] forall (i : id_t) forall (j : id_t) Train(i).Cross && Train(j).Cross imply i == j",
        &[],
    );
    check_query(train_gate, "A[] Gate.list[N] == 0", &[]);
    check_query(train_gate, "Train(0).Appr --> Train(0).Cross", &[]);
    check_query(train_gate, "A[] not deadlock", &[]);
}
