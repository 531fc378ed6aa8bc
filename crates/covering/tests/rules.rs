//! Every rule where it holds and where it must not be used.

mod common;

use common::{covers, tck, xta};

/// A process that sets a flag and waits for it to be taken back.
const WAITS: &str =
    "process Waits() { state A, B; init A; trans A -> B { assign v = 1; }, B -> A { guard v == 0; }; }";

fn with(declarations: &str, process: &str) -> dwell_model::Network {
    xta(&format!("{declarations} {WAITS} {process} system Waits, Q;"))
}

#[test]
fn a_cycle_that_needs_another_value_needs_who_sets_it() {
    let network = with("int v;", "process Q() { state X; init X; trans X -> X { assign v = 0; }; }");
    assert!(covers(&network, "Q: X -> X"));
    assert!(!covers(&network, "Waits: A -> B"), "Q goes on alone");
    // Whoever sets it to something else does not help, so there is no such run.
    let network = with("int v;", "process Q() { state X, Y; init X; trans X -> Y { assign v = 2; }; }");
    assert!(covers(&network, ""));
}

#[test]
fn what_is_not_understood_may_set_anything() {
    // Q needs the other one and may be all that the other one needs.
    for update in ["v = v - w", "f()", "a[w] = 0, v = a[1]", "v = w > 1 ? 3 : w", "w = 1, v = w - 1", "v--"] {
        let network = xta(&format!(
            "chan c; int v; int[0,3] w; int[0,3] a[3]; void f() {{ if (w > 1) v = 0; }}
             process P() {{ state A, B; init A; trans A -> B {{ sync c!; assign v = 1; }}, B -> A {{ guard v == 0; }}; }}
             process Q() {{ state X; init X; trans X -> X {{ sync c?; assign w = 2, {update}; }}; }}
             system P, Q;"
        ));
        assert!(covers(&network, "Q: X -> X") && covers(&network, "P: A -> B"), "{update}");
        assert!(!covers(&network, ""), "{update}");
    }
    // A part of an array that is needed, written by a computed index.
    let network = xta("int[0,1] a[3]; int[0,2] i;
        process P() { state A, B; init A; trans A -> B { assign a[1] = 1; }, B -> A { guard a[1] == 0; }; }
        process Q() { state X; init X; trans X -> X { assign a[i] = 0; }; }
        system P, Q;");
    assert!(covers(&network, "Q: X -> X"));
}

#[test]
fn what_every_transition_may_write_is_left_alone() {
    let network = with(
        "int v; int w; before_update { v = w }",
        "process Q() { state X; init X; trans X -> X { assign w = 0; }; }",
    );
    assert!(!covers(&network, "Q: X -> X"));
}

#[test]
fn a_variable_that_is_written_in_between_proves_nothing() {
    let network = xta("int v; int w;
        process P() { state A, B, C; init A;
            trans A -> B { assign v = 1; }, B -> C { assign v = w; }, C -> A { guard v == 0; }; }
        process Q() { state X; init X; trans X -> X { assign v = 0; }; }
        system P, Q;");
    assert!(!covers(&network, "Q: X -> X"));
}

#[test]
fn guards_tell_values_too_and_intervals_do() {
    let network = xta("int[0,9] v;
        process P() { state A, B; init A; trans A -> B { guard v > 3; }, B -> A { guard v < 2 && true; }; }
        process Q() { state X; init X; trans X -> X { assign v = 5; }; }
        process R() { state X; init X; trans X -> X { assign v = 1; }; }
        system P, Q, R;");
    assert!(covers(&network, "Q: X -> X, R: X -> X"));
    assert!(!covers(&network, "Q: X -> X") && !covers(&network, "R: X -> X"));
    // P alone is covered by either: the loop needs both.
    let alone = xta("int[0,9] v;
        process P() { state A, B; init A; trans A -> B { guard v > 3; }, B -> A { guard v < 2; }; }
        process Q() { state X; init X; trans X -> X { assign v = 5; }; }
        system P, Q;");
    assert!(covers(&alone, "Q: X -> X"));
    // Intervals that meet say nothing.
    let both = xta("int[0,9] v;
        process P() { state A, B; init A; trans A -> B { guard v > 3; }, B -> A { guard v < 5; }; }
        system P;");
    assert!(!covers(&both, ""));
}

/// The cycle itself sets the value that it needs, at another place: that does
/// not help it.
#[test]
fn a_cycle_is_not_needed_for_itself() {
    let network = xta("int v;
        process P() { state A, B, C; init A;
            trans A -> B { assign v = 1; }, B -> C { guard v == 0; }, C -> A { assign v = 0; }; }
        process Q() { state X; init X; trans X -> X { assign v = 0; }; }
        system P, Q;");
    assert!(covers(&network, "Q: X -> X"));
}

#[test]
fn counting_up_needs_a_way_down() {
    let counter = |range: &str, down: &str| {
        xta(&format!(
            "int[{range}] n;
             process Up() {{ state X; init X; trans X -> X {{ assign n++; }}; }}
             process Down() {{ state X; init X; trans X -> X {{ {down} }}; }}
             system Up, Down;"
        ))
    };
    let network = counter("0,5", "assign n = 0;");
    assert!(covers(&network, "Down: X -> X"));
    assert!(!covers(&network, "Up: X -> X"), "a variable may be set to zero again and again");
    let network = counter("0,5", "assign n = n - 2;");
    assert!(covers(&network, "Down: X -> X") && covers(&network, "Up: X -> X"));
    // Nothing goes down.
    let network = counter("0,5", "assign n += 2;");
    assert!(covers(&network, ""));
    // Sums that may wrap around end nothing.
    let network = counter("-2147483648,2147483647", "assign n += 2;");
    assert!(!covers(&network, "Down: X -> X"));
    // One that adds and subtracts, in sum more than zero.
    let network = xta("int[0,9] n;
        process P() { state A, B; init A; trans A -> B { assign n = n + 3; }, B -> A { assign n -= 2; }; }
        process Q() { state A, B; init A; trans A -> B { assign n = n + 2; }, B -> A { assign n -= 2; }; }
        system P, Q;");
    assert!(covers(&network, "Q: A -> B") && !covers(&network, "P: A -> B"));
}

#[test]
fn partners_come_in_pairs() {
    let network = xta("chan a;
        process S() { state X; init X; trans X -> X { sync a!; }; }
        process R() { state X; init X; trans X -> X { sync a?; }; }
        system S, R;");
    assert!(covers(&network, "S: X -> X") && covers(&network, "R: X -> X"));
    // Nobody answers, so there is no run.
    let network = xta("chan a; process S() { state X; init X; trans X -> X { sync a!; }; } system S;");
    assert!(covers(&network, ""));
    // Partners are in other processes.
    let network = xta("chan a;
        process S() { state X; init X; trans X -> X { sync a!; }, X -> X { sync a?; }; }
        system S;");
    assert!(covers(&network, ""));
}

/// The paper's rule says that either side of a channel covers the other; the
/// sender of a broadcast goes on alone.
#[test]
fn a_broadcast_needs_no_receiver() {
    let network = xta("broadcast chan a;
        process S() { state X; init X; trans X -> X { sync a!; }; }
        process R() { state X; init X; trans X -> X { sync a?; }; }
        system S, R;");
    assert!(covers(&network, "S: X -> X"));
    assert!(!covers(&network, "R: X -> X"));
}

#[test]
fn a_computed_channel_may_be_any_of_its_array() {
    let network = xta("chan a[3]; int[0,2] i;
        process S() { state X; init X; trans X -> X { sync a[i]!; }; }
        process R() { state X; init X; trans X -> X { sync a[1]?; }; }
        process T() { state X; init X; trans X -> X { sync a[2]?; }; }
        system S, R, T;");
    assert!(covers(&network, "S: X -> X"));
    assert!(covers(&network, "R: X -> X, T: X -> X"));
    assert!(!covers(&network, "R: X -> X"));
}

#[test]
fn members_of_vectors_need_strong_members() {
    let model = |vectors: &str| {
        tck(&format!(
            "system:s\nevent:a\nevent:b\nprocess:P\nlocation:P:x{{initial:}}\nedge:P:x:x:a\n\
             process:Q\nlocation:Q:x{{initial:}}\nedge:Q:x:x:a\nedge:Q:x:x:b\n\
             process:R\nlocation:R:x{{initial:}}\nedge:R:x:x:a\n{vectors}"
        ))
    };
    let network = model("sync:P@a:Q@a\n");
    assert!(covers(&network, "P: x -> x, Q: x -> x #2, R: x -> x"));
    assert!(covers(&network, "Q: x -> x #1, Q: x -> x #2, R: x -> x"));
    assert!(!covers(&network, "P: x -> x, R: x -> x"), "b is taken alone");
    let network = model("sync:P@a:Q@a?\n");
    assert!(covers(&network, "P: x -> x, Q: x -> x #2, R: x -> x"));
    assert!(!covers(&network, "Q: x -> x #1, Q: x -> x #2, R: x -> x"), "P may be alone");
    // Both weak: each may be alone.
    let network = model("sync:P@a?:Q@a?\n");
    assert!(!covers(&network, "P: x -> x, Q: x -> x #2, R: x -> x"));
    // Two vectors: a partner in each.
    let network = model("sync:P@a:Q@a\nsync:P@a:R@a\n");
    assert!(covers(&network, "P: x -> x, Q: x -> x #2"));
    assert!(covers(&network, "Q: x -> x #1, Q: x -> x #2, R: x -> x"));
    assert!(!covers(&network, "Q: x -> x #1, Q: x -> x #2"));
    // A vector of three: any one of them.
    let network = model("sync:P@a:Q@a:R@a\n");
    for one in ["P: x -> x", "Q: x -> x #1", "R: x -> x"] {
        assert!(covers(&network, &format!("{one}, Q: x -> x #2")), "{one}");
    }
}

#[test]
fn clocks_go_down_only_where_they_are_set() {
    let timed = |first: &str, second: &str, update: &str| {
        xta(&format!(
            "clock x; clock y; int[0,1] n;
             process P() {{ state A, B; init A; trans A -> B {{ guard {first}; }}, B -> A {{ guard {second}; }}; }}
             process Q() {{ state X; init X; trans X -> X {{ {update} }}; }}
             system P, Q;"
        ))
    };
    for set in ["assign x = 0;", "assign x = 7;", "guard n == 1; assign x = 0;"] {
        let network = timed("x > 5", "x <= 5", set);
        assert!(covers(&network, "Q: X -> X"), "{set}");
        assert!(!covers(&network, ""), "{set}");
    }
    assert!(covers(&timed("x >= 5", "x < 5", "assign x = 0;"), "Q: X -> X"));
    assert!(!covers(&timed("x >= 5", "x <= 5", "assign x = 0;"), "Q: X -> X"));
    assert!(!covers(&timed("x >= 5", "y < 5", "assign x = 0;"), "Q: X -> X"));
    // Another clock is set.
    assert!(covers(&timed("x > 5", "x <= 5", "guard y >= 1; assign y = 0;"), "Q: X -> X"));
    // Bounds that vary count with the weakest they may be.
    assert!(!covers(&timed("x >= n", "x < 1", "assign x = 0;"), "Q: X -> X"));
    assert!(covers(&timed("x >= n + 1", "x < 1", "assign n = 1 - n, x = 0;"), "Q: X -> X"));
}

#[test]
fn invariants_bound_clocks_and_own_resets_count() {
    let model = |edges: &str| {
        xta(&format!(
            "clock x;
             process P() {{ state A, B {{ x <= 3 }}; init A; trans {edges}; }}
             process Q() {{ state X; init X; trans X -> X {{ assign x = 0; }}; }}
             system P, Q;"
        ))
    };
    assert!(covers(&model("A -> B { guard x > 4; }, B -> A { }"), "Q: X -> X"));
    assert!(!covers(&model("A -> B { guard x > 4; assign x = 0; }, B -> A { }"), "Q: X -> X"));
    assert!(!covers(&model("A -> B { }, B -> A { guard x > 2; }"), "Q: X -> X"));
}

/// Another cycle of the same process does what a cycle needs.
#[test]
fn the_same_process_may_help_itself() {
    let network = xta("int[0,1] v;
        process P() { state A, B; init A;
            trans A -> B { assign v = 1; }, B -> A { guard v == 0; }, B -> B { assign v = 0; }; }
        system P;");
    assert!(covers(&network, "P: B -> B"));
    assert!(!covers(&network, "P: A -> B"), "the loop at B goes on alone");
}
