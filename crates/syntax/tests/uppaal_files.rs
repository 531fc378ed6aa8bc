//! Whole text files and the system section.

mod uppaal_show;

use dwell_syntax::uppaal::tree::{Direction, Document, QueryKind, Syntax};
use dwell_syntax::uppaal::{parse_ta, parse_xta};
use uppaal_show::{errors, run, show, show_decl, show_params};

const XTA: &str = "
// A train and its gate.
const int N = 3;
typedef int[0, N-1] id_t;
chan appr[N], stop;
urgent chan go;
process Train(const id_t id, int &n) {
    clock x;
    int f() { return n; }
    urgent chan u;
    state Safe, Cross { x <= 5 }, Appr { x <= 20 && n' == 0; 1 : 2 }, Stop { ; 3 }, Start { };
    branchpoint b1, b2;
    commit Start;
    urgent Stop, Safe;
    commit Safe;
    init Safe;
    trans Safe -> Appr { select i : id_t, j : int[0,1]; guard x > 1 && i == id; sync appr[i]!; assign x = 0, n++; },
        -> Stop { },
        -u-> b1 { sync stop?; },
        b1 -> Cross { probability 3; },
        Cross -u-> Safe { assign x := 0; };
}
process Gate() { state A; init A; }
int m;
T1 = Train(1, m);
Trains(const id_t i) = Train(i, m);
G = Gate();
system T1, Trains < G;
progress { m > 1 : m; m; }
gantt { A : x > 1 -> 2; for (i : id_t) B(i) -> 3; }
query { A[] not deadlock }
query { E<> T1.Cross && /* why */
  m == 1 }
";

fn names(document: &Document) -> Vec<&str> {
    document.templates.iter().map(|t| t.name.name.as_str()).collect()
}

#[test]
fn xta() {
    let (document, found) = parse_xta(XTA);
    let found = found.into_vec();
    assert!(found.is_empty(), "{found:?}");
    assert_eq!(document.syntax, Syntax::New);
    assert_eq!(names(&document), ["Train", "Gate"]);
    let globals: Vec<String> = document.declarations.items.iter().map(show_decl).collect();
    assert_eq!(globals.len(), 5);
    assert_eq!(globals[4], "int m;");
    let train = &document.templates[0];
    assert_eq!(show_params(&train.params), "const id_t id, int &n");
    assert_eq!(train.declarations.items.len(), 3);
    let locations: Vec<_> = train
        .locations
        .iter()
        .map(|l| {
            let rate = l.rate.as_ref().map(|(a, b)| (show(a), b.as_ref().map(show)));
            (l.id.as_str(), l.invariant.as_ref().map(show), rate, l.urgent, l.committed)
        })
        .collect();
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(locations[0], ("Safe", None, None, true, true));
    assert_eq!(locations[1], ("Cross", some("(x Le 5)"), None, false, false));
    let rate = Some(("1".to_owned(), some("2")));
    assert_eq!(locations[2], ("Appr", some("((x Le 20) And (n' Eq 0))"), rate, false, false));
    assert_eq!(locations[3], ("Stop", None, Some(("3".to_owned(), None)), true, false));
    assert_eq!(locations[4], ("Start", None, None, false, true));
    assert_eq!(train.branchpoints.len(), 2);
    assert_eq!(train.init.as_ref().unwrap().name, "Safe");
    let edges: Vec<_> = train
        .edges
        .iter()
        .map(|e| (e.source.name.as_str(), e.target.name.as_str(), e.controllable))
        .collect();
    assert_eq!(
        edges,
        [
            ("Safe", "Appr", true),
            ("Safe", "Stop", true),
            ("Safe", "b1", false),
            ("b1", "Cross", true),
            ("Cross", "Safe", false)
        ]
    );
    let edge = &train.edges[0];
    assert_eq!(edge.select.len(), 2);
    assert_eq!(show(edge.guard.as_ref().unwrap()), "((x Gt 1) And (i Eq id))");
    let sync = edge.sync.as_ref().unwrap();
    assert_eq!((show(&sync.channel), sync.direction), ("appr[i]".to_owned(), Direction::Send));
    assert_eq!(edge.update.iter().map(show).collect::<Vec<_>>(), ["(x = 0)", "(n ++)"]);
    assert_eq!(show(train.edges[3].probability.as_ref().unwrap()), "3");
}

#[test]
fn the_system_section_of_xta() {
    let (document, _) = parse_xta(XTA);
    let system = &document.system;
    let instances: Vec<String> = system.declarations.items.iter().map(show_decl).collect();
    assert_eq!(instances, ["T1() = Train(1, m);", "Trains(const id_t i) = Train(i, m);", "G() = Gate();"]);
    let levels: Vec<Vec<&str>> =
        system.levels.iter().map(|level| level.iter().map(|name| name.name.as_str()).collect()).collect();
    assert_eq!(levels, [vec!["T1", "Trains"], vec!["G"]]);
    assert_eq!(system.progress.len(), 2);
    assert!(system.progress[0].0.is_some() && system.progress[1].0.is_none());
    assert!(
        system.gantt.as_ref().unwrap().starts_with("gantt { A")
            && system.gantt.as_ref().unwrap().ends_with('}')
    );
    let texts: Vec<&str> = document.queries.iter().map(|q| q.text.as_str()).collect();
    assert_eq!(texts, ["A[] not deadlock", "E<> T1.Cross && m == 1"]);
    assert!(matches!(document.queries[1].query.as_ref().unwrap().kind, QueryKind::Possibly(_)));
}

const TA: &str = "
const k 2, n 3;
int[0,n] id := 0;
chan a, sum;
process P(const p, q; int x; chan c, d) {
    clock y;
    const z 1;
    state A, B { y =< k, x <= 3 };
    commit A;
    init A;
    trans A -> B { guard x == 0, y => p; sync c!; assign y := 0, x := p; },
          -> A { sync d?; };
}
process Q { state idle; init idle; }
P1 := P(1, k, id, a, sum);
Q1 := Q();
system P1, Q1;
";

#[test]
fn ta() {
    for (document, found) in [parse_ta(TA), parse_xta(TA)] {
        let found = found.into_vec();
        assert_eq!(errors(TA, &found), []);
        assert_eq!(document.syntax, Syntax::Old);
        assert_eq!(names(&document), ["P", "Q"]);
        let p = &document.templates[0];
        assert_eq!(show_params(&p.params), "const int p, const int q, int &x, chan &c, chan &d");
        assert_eq!(show(p.locations[1].invariant.as_ref().unwrap()), "((y Le k) And (x Le 3))");
        assert_eq!(show(p.edges[0].guard.as_ref().unwrap()), "((x Eq 0) And (y Ge p))");
        assert_eq!(p.edges[1].source.name, "A");
        assert_eq!(document.system.declarations.items.len(), 2);
        assert_eq!(document.system.levels[0].len(), 2);
    }
    let warned: Vec<_> = parse_xta(TA).1.iter().map(|d| d.code).collect();
    assert!(warned.contains(&"old-syntax"), "{warned:?}");
}

#[test]
fn a_new_file_with_an_old_mistake_stays_new() {
    let text = "typedef int[0,3] t; process P(t i) { clock x; state A { x =< i }; init A; } system P;";
    let (document, found) = parse_xta(text);
    assert_eq!(document.syntax, Syntax::New);
    assert_eq!(errors(text, &found.into_vec()), [("old-syntax", "=<")]);
}

#[test]
fn an_old_file_with_a_mistake_stays_old() {
    let text = TA.replace("init idle;", "init;");
    let (document, found) = parse_xta(&text);
    assert_eq!(document.syntax, Syntax::Old);
    let found = found.into_vec();
    assert_eq!(errors(&text, &found), [("unexpected-token", ";")]);
}

#[test]
fn system_sections() {
    let text = "// here\nP1 = P(1);\nconst int n = 2; system P1, Q < R, S;\nprogress { x; }";
    let ((system, queries), found) = run(text, Syntax::New, |p| p.system());
    assert!(found.is_empty() && queries.is_empty(), "{found:?}");
    assert_eq!(system.declarations.items.len(), 2);
    assert!(system.declarations.text.starts_with("// here\nP1"));
    assert_eq!(&text[system.span.start as usize..system.span.end as usize], "system P1, Q < R, S;");
    let ((system, _), found) = run("system P; int x;", Syntax::New, |p| p.system());
    assert_eq!(system.levels.len(), 1);
    assert_eq!(errors("system P; int x;", &found), [("unexpected-token", "int")]);
}
