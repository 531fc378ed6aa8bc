//! The running example of the paper.

mod common;

use common::{covers, edges, figure_1};
use dwell_covering::{Coefficients, CycleCount, EdgeSet, Heuristic, build, entry_points, verify};

#[test]
fn one_edge_covers_all_three_local_cycles() {
    let network = figure_1();
    assert!(covers(&network, "L: Y -> X"));
    assert!(covers(&network, "R: C -> A"));
    assert!(covers(&network, "L: X -> Y") && covers(&network, "R: B -> C"));
    // The cycle of A and B does not bring the other one with it.
    assert!(!covers(&network, "R: B -> A"));
    assert!(!covers(&network, ""));
}

#[test]
fn what_is_not_covered_is_said() {
    let network = figure_1();
    let uncovered = verify(&network, &EdgeSet::empty(&network)).expect_err("nothing is covered");
    assert_eq!(
        uncovered.to_string(),
        "3 local cycles are not covered: L: X -> Y -> X; R: A -> B -> A; R: A -> B -> C -> A"
    );
    let uncovered = verify(&network, &edges(&network, "R: B -> A")).expect_err("two are left");
    assert_eq!(uncovered.cycles.len(), 2);
}

/// As measured in the paper: C to A is taken by 2 of 12 transitions, Y to X by
/// 4, and the others by what figure 1 shows.
#[test]
fn the_least_frequent_edge_is_chosen() {
    let network = figure_1();
    // X->Y, Y->X; A->B, B->A, B->C, C->A.
    let counts = [vec![2, 4], vec![3, 1, 2, 2]];
    let found = build(&network, &Coefficients::from_counts(&network, &counts, 12));
    assert_eq!(found.cycles, [CycleCount::Known(1), CycleCount::Known(2)]);
    assert!(found.all_listed());
    assert_eq!((found.set.len(), found.sum), (1, 2.0 / 12.0));
    for (heuristic, set, sum) in &found.candidates {
        assert!(verify(&network, set).is_ok(), "{heuristic:?}");
        assert!(*sum >= found.sum);
    }
    let of = |wanted| found.candidates.iter().find(|(h, ..)| *h == wanted).map(|(_, set, _)| set);
    // The most frequent edge first.
    assert_eq!(of(Heuristic::O5), Some(&edges(&network, "L: Y -> X")));
}

#[test]
fn entry_points_of_one_process_are_enough_as_both_synchronise_on_every_cycle_but_one() {
    let network = figure_1();
    // L needs R on its only cycle.
    assert_eq!(entry_points(&network), edges(&network, "R: B -> A\nR: B -> C\nR: C -> A"));
}

#[test]
fn sets_can_be_written_and_read() {
    let network = figure_1();
    let found = build(&network, &Coefficients::uniform(&network));
    assert_eq!(EdgeSet::parse(&found.set.to_text(&network), &network), Ok(found.set));
    let wrong = |text: &str| EdgeSet::parse(text, &network).expect_err("wrong");
    assert_eq!(wrong("L: X -> Y\n\nM: A -> B"), "line 3: there is no process `M`");
    assert_eq!(wrong("L: X -> B"), "line 1: L has no location `B`");
    assert_eq!(wrong("L: X -> X"), "line 1: L has no edge from X to X");
    assert_eq!(
        wrong("# nothing\nL X Y"),
        "line 2: an edge is written `Process: source -> target`, with ` #n` for the n-th of several"
    );
    assert_eq!(wrong("L: X -> Y #2"), "line 1: L has one edge from X to Y, none with the number 2");
    assert_eq!(edges(&network, "# a comment\n  L:X->Y  # another\nL: X -> Y #1\n").len(), 1);
}
