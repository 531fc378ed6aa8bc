//! Processes: instantiation, selects, branch points, channels, priorities.

mod elaborated;

use dwell_model::{ChannelKind, ChannelRef, LocationKind, Sync};
use elaborated::{all_hold, holds, model, unsupported};

#[test]
fn instantiation_binds_values_and_references() {
    let text = "int a, b[2]; clock x, y[2]; chan c[3]; const int K = 2;
        typedef struct { int p; int q[2]; } S; const S conf[2] = {{1, {2, 3}}, {4, {5, 6}}};
        process P(int &v, clock &t, chan &go, const int n, S s, bool neg) {
            int w = n * 2; state A { t <= n }, B; init A;
            trans A -> B { guard t >= n; sync go!; assign v = s.q[1] + w + neg; };
        }
        process Q(chan &go) { state A; init A; trans A -> A { sync go?; }; }
        P1 = P(a, x, c[0], K, conf[0], true);
        P2 = P(b[1], y[K - 1], c[K], K + 1, conf[1], 0);
        R = Q(c[0]); R2 = Q(c[2]);
        system P1, P2, R, R2;";
    all_hold(
        text,
        &[
            "E<> P1.B && P2.B",
            "A[] P1.B imply a == 3 + 4 + 1 && x >= 2",
            "A[] P2.B imply b[1] == 6 + 6 && y[1] >= 3",
            "A[] P1.n == 2 && P2.n == 3 && P2.w == 6 && P1.s.p == 1",
        ],
    );
    let model = model(text);
    let names: Vec<_> = model.network.processes.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["P1", "P2", "R", "R2"]);
}

#[test]
fn sets_enumerate_their_parameters() {
    let mut model = model(
        "typedef int[1,2] id; typedef scalar[2] S; int n;
         process P(const id i, const int[0,1] j, int k) { int x = 10 * i + j; state A; init A; }
         process T(const S s) { state A; init A; }
         Q(const int[0,1] j, const id i) = P(i, j, 7);
         R = P(1, 1, 2);
         system Q, R, T;",
    );
    let names: Vec<_> = model.network.processes.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["Q(0,1)", "Q(0,2)", "Q(1,1)", "Q(1,2)", "R", "T(0)", "T(1)"]);
    assert!(holds(&mut model, "A[] forall (i : id) forall (j : int[0,1]) Q(j, i).x == 10 * i + j"));
    assert!(holds(&mut model, "A[] Q(1,2).k == 7 && R.x == 11"));
    assert!(holds(&mut model, "A[] forall (s : S) T(s).A"));
}

#[test]
fn system_declarations_are_seen_by_arguments_only() {
    let text = "int g = 1;
        process P(int &v) { state A, B; init A; trans A -> B { assign v = v + g; }; }
        int g2 = 5; int g3[2] = {7, 8};
        X = P(g2); Y = P(g3[1]);
        system X, Y;";
    all_hold(text, &["E<> g2 == 6 && g3[1] == 9", "A[] X.B imply g2 == 6"]);
}

#[test]
fn parameters_can_be_variables() {
    let text = "void up(int[0,9] &x) { x++; }
        process P(int[0,9] n, const int m) { state A; init A; trans A -> A { guard n < m; assign up(n); }; }
        A1 = P(2, 4); system A1;";
    all_hold(text, &["E<> A1.n == 2", "E<> A1.n == 4", "A[] A1.n >= 2 && A1.n <= 4"]);
}

#[test]
fn selects_make_one_edge_for_each_choice() {
    let model = model(
        "int i = 5; int[0,9] r; chan c[3]; const int me = 1;
         process P() { state A, B; init A;
            trans A -> B { select i : int[0,2], b : int[0,1]; guard i != me; sync c[i]!; assign r = i * 2 + b; }; }
         process Q() { state A; init A; trans A -> A { select k : int[0,2]; sync c[k]?; }; }
         system P, Q;",
    );
    let edges = &model.network.processes[0].edges;
    let selects: Vec<_> =
        edges.iter().map(|e| e.select.iter().map(|(_, v)| *v).collect::<Vec<_>>()).collect();
    assert_eq!(selects, [[0, 0], [0, 1], [2, 0], [2, 1]]);
    assert_eq!(edges[0].select[0].0, "i");
    assert!(edges.iter().all(|e| e.guard.is_trivial()));
    assert!(matches!(edges[3].sync, Sync::Send(ChannelRef::Fixed(c)) if c.0 == 2));
    let events: Vec<_> = model.network.events.iter().map(String::as_str).collect();
    assert_eq!(events, ["c[0]!", "c[2]!", "c[0]?", "c[1]?", "c[2]?"]);
}

#[test]
fn select_values_shadow() {
    let text = "int i = 5; int r;
        process P() { int i = 7; state A, B; init A;
            trans A -> B { select i : int[1,2]; guard i == 2; assign r = i + (sum (i : int[10,11]) i); }; }
        system P;";
    all_hold(text, &["A[] P.B imply r == 23", "E<> r == 23"]);
}

#[test]
fn branch_points_make_one_edge_for_each_branch() {
    let text = "int r;
        process P() { state A, B, C; branchpoint X, Y; init A;
            trans A -> X { select i : int[1,2]; guard r == 0; assign r = i; },
                  X -> B { assign r = r * 10; probability 0; },
                  X -> Y { assign r = r + 50; probability 3; },
                  Y -> C { assign r++; probability 1; }, Y -> B { probability 1; }; }
        system P;";
    let model = model(text);
    assert_eq!(model.network.processes[0].edges.len(), 6);
    all_hold(
        text,
        &[
            "E<> P.B && r == 20",
            "E<> P.C && r == 53",
            "E<> P.B && r == 51",
            "A[] P.C imply r >= 52 && r <= 53",
        ],
    );
    assert_eq!(
        elaborated::errors(
            "process P() { state A; branchpoint X, Y; init A; trans A -> X { }, X -> Y { }, Y -> X { }; } system P;"
        ),
        ["branch-circle"]
    );
}

#[test]
fn receivers_see_what_senders_wrote_in_updates_not_in_guards() {
    let text = "chan c; int n, m;
        process S() { state A, B; init A; trans A -> B { sync c!; assign n = 5; }; }
        process R() { state A, B; init A; trans A -> B { guard n == 0; sync c?; assign m = n; }; }
        system S, R;";
    all_hold(text, &["E<> R.B", "A[] R.B imply m == 5"]);
}

#[test]
fn meta_variables_start_every_transition_afresh() {
    let text = "chan c; meta int[0,9] m = 1; int n, k;
        process S() { state A, B, C; init A;
            trans A -> B { sync c!; assign m = 5; }, B -> C { assign k = m; }; }
        process R() { state A, B; init A; trans A -> B { sync c?; assign n = m; }; }
        system S, R;";
    all_hold(text, &["A[] R.B imply n == 5", "A[] S.C imply k == 1"]);
}

#[test]
fn channels_may_be_picked_at_run_time() {
    let text = "chan c[2][3]; int[0,2] i, j; urgent broadcast chan u;
        process S() { state A, B; init A; trans A -> A { guard i < 1; assign i++, j = 2; }, A -> B { sync c[i][j]!; }; }
        process R(const int[0,1] a, const int[0,2] b) { state A, B; init A; trans A -> B { sync c[a][b]?; }; }
        process U() { state A; init A; trans A -> A { sync u!; }; }
        system S, R, U;";
    all_hold(
        text,
        &["E<> R(0,0).B", "E<> R(1,2).B", "A[] not R(0,1).B && not R(1,1).B && not R(0,2).B && not R(1,0).B"],
    );
    let model = model(text);
    let u = model.network.channels.iter().find(|c| c.name == "u").unwrap();
    assert!(u.urgent && u.kind == ChannelKind::Broadcast);
    assert_eq!(model.network.channels[5].name, "c[1][2]");
    assert!(model.network.events.iter().any(|e| e == "c[i][j]!"));
}

#[test]
fn priorities_of_channels() {
    let levels = |declaration: &str| {
        let model =
            model(&format!("chan a, b, c[2], d; {declaration} process P() {{ state A; init A; }} system P;"));
        let levels: Vec<_> = model.network.channels.iter().map(|c| c.priority).collect();
        (model.network.internal_priority, levels)
    };
    assert_eq!(levels(""), (0, vec![0, 0, 0, 0, 0]));
    assert_eq!(levels("chan priority a < default < b, c[1];"), (1, vec![0, 2, 1, 2, 1]));
    // What is not listed is lowest where `default` is not written.
    assert_eq!(levels("chan priority a < c;"), (0, vec![1, 0, 2, 2, 0]));
}

#[test]
fn priorities_of_processes() {
    let model = model(
        "process P() { state A; init A; } process Q(int[0,1] i) { state A; init A; } process R() { state A; init A; }
         system P < Q, R;",
    );
    let levels: Vec<_> = model.network.processes.iter().map(|p| (p.name.as_str(), p.priority)).collect();
    assert_eq!(levels, [("P", 0), ("Q(0)", 1), ("Q(1)", 1), ("R", 1)]);
}

#[test]
fn updates_around_every_transition() {
    let text = "int n, m, k;
        before_update { n = 0, m++ } after_update { k = n }
        process P() { state A, B; init A; trans A -> B { assign n = n + 7; }; }
        system P;";
    all_hold(text, &["A[] P.B imply n == 7 && m == 1 && k == 7"]);
}

#[test]
fn kinds_of_locations() {
    let model = model("process P() { state A, B, C; commit A; urgent B; init C; } system P;");
    let process = &model.network.processes[0];
    let kinds: Vec<_> = process.locations.iter().map(|l| l.kind).collect();
    assert_eq!(kinds, [LocationKind::Committed, LocationKind::Urgent, LocationKind::Normal]);
    assert_eq!(process.initial[0].0, 2);
}

#[test]
fn old_syntax_means_the_same() {
    let text = "const N 3; clock x; int[0,5] n; chan go;
        process P(const k; clock c; int[0,5] v) { state A { c <= k }, B; init A;
            trans A -> B { guard c >= 2, v < k; sync go!; assign v := v + k, c := 0; }; }
        process Q() { state A; init A; trans A -> A { sync go?; }; }
        X := P(N, x, n);
        system X, Q;";
    let (document, found) = dwell_syntax::uppaal::parse_ta(text);
    assert!(!found.has_errors(), "{found:?}");
    let mut model = dwell_uppaal::elaborate::elaborate(std::sync::Arc::new(document)).0.unwrap();
    assert!(holds(&mut model, "A[] X.B imply n == 3"));
    assert!(holds(&mut model, "E<> X.B && x == 0"));
}

#[test]
fn exotic_parts_are_named() {
    let refused = |declarations: &str, edge: &str| {
        unsupported(&format!(
            "{declarations} process P() {{ state A; init A; trans A -> A {{ {edge} }}; }} system P;"
        ))
    };
    assert_eq!(refused("chan c;", "sync c;").len(), 1);
    assert_eq!(refused("int n; void __ON_BEGIN__() { n = 1; }", "").len(), 1);
    assert!(refused("int n; void __ON_BEGIN__() { }", "").is_empty());
    assert_eq!(refused("import \"lib\" { int f(int n); };", "guard f(1) == 1;").len(), 1);
    assert!(refused("import \"lib\" { int f(int n); };", "").is_empty());
}
