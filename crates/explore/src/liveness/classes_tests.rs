//! Which zones are of one class.

use super::classes::Classes;
use dwell_zones::{Bound, Zone, compact};

const ACTIVE: [u16; 3] = [0, 1, 2];

/// The class of the zone in which the first clock is so far ahead of the second.
fn class(classes: &Classes, ahead: (i32, i32)) -> u64 {
    let mut zone = Zone::<i32>::new(3);
    zone.set_universe();
    zone.constrain(1, 2, <i32 as Bound>::le(ahead.1).unwrap());
    zone.constrain(2, 1, <i32 as Bound>::le(-ahead.0).unwrap());
    let mut cells = vec![i32::INF; compact::compact_len(ACTIVE.len())];
    compact::pack(&zone, &ACTIVE, &mut cells);
    classes.of(&cells, &ACTIVE)
}

#[test]
fn all_zones_are_of_one_class_at_first() {
    let classes = Classes::default();
    assert_eq!(class(&classes, (0, 5)), class(&classes, (70, 90)));
}

#[test]
fn differences_tell_classes_by_steps() {
    let mut classes = Classes::default();
    assert!(classes.refine(0b11, 100));
    assert_eq!(class(&classes, (0, 5)), class(&classes, (0, 49)));
    assert_ne!(class(&classes, (0, 5)), class(&classes, (0, 50)));
    assert_ne!(class(&classes, (0, 5)), class(&classes, (1, 5)));
    assert!(classes.refine(0b11, 100));
    assert_ne!(class(&classes, (0, 5)), class(&classes, (0, 49)));
}

#[test]
fn other_clocks_do_not() {
    let mut classes = Classes::default();
    assert!(classes.refine(0b101, 100));
    assert_eq!(class(&classes, (0, 5)), class(&classes, (70, 90)));
    assert!(classes.refine(0b11, 100), "one clock more");
    assert_ne!(class(&classes, (0, 5)), class(&classes, (70, 90)));
}

#[test]
fn it_ends() {
    let mut classes = Classes::default();
    assert!(!classes.refine(0, 100), "nothing is known");
    assert!(!classes.refine(0b10, 100), "a clock has no difference to itself");
    let times = (0..100).take_while(|_| classes.refine(0b11, 90)).count();
    assert_eq!(times, 6, "45, 22, 11, 5, 2, 1");
    assert!(classes.refine(0b111, 90) && !classes.refine(0b111, 90));
    assert!(Classes::default().refine(0b11, 0), "no constants at all");
}
