//! `dwell generate`.

mod common;

use common::{dwell, dwell_with_input, folder};

#[test]
fn every_family_is_written_and_can_be_read_back() {
    let folder = folder("generate");
    for family in dwell_families::all() {
        let ran = dwell(&folder, &["generate", family.name]);
        let expected = dwell_families::generate(family.name, family.default_size).expect("the default size");
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", family.name);
        assert_eq!(ran.out, expected, "{}", family.name);

        let size = family.min_size.to_string();
        let small = dwell(&folder, &["generate", family.name, "-n", &size, "--to", "tck"]);
        let checked =
            dwell_with_input(&folder, &["check", "-", "--space", "--deny-warnings"], small.out.as_bytes());
        assert_eq!((checked.code, checked.err.as_str()), (0, ""), "{} {size}", family.name);
    }
}

#[test]
fn the_label_to_search_for_can_be_searched_for() {
    let folder = folder("generate-labels");
    for family in dwell_families::all() {
        let text = dwell_families::generate(family.name, family.min_size).expect("a size");
        let search = text.lines().find_map(|l| l.strip_prefix("# Search for: ")).expect("what to search for");
        let labels = search.split(' ').next().expect("a word");
        if labels != "nothing" {
            let ran = dwell_with_input(&folder, &["check", "-", "--labels", labels], text.as_bytes());
            assert!(ran.code < 2, "{}: {}", family.name, ran.err);
        }
    }
}

#[test]
fn an_unknown_family_is_answered_with_the_known_ones() {
    let ran = dwell(&folder("generate-unknown"), &["generate", "fisher"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(
        ran.err.starts_with("error: there is no family `fisher`") && ran.err.contains("fischer"),
        "{}",
        ran.err
    );
}

#[test]
fn a_bad_size_is_answered_with_the_good_ones() {
    let folder = folder("generate-size");
    for size in ["0", "1", "1001", "4294967295"] {
        let ran = dwell(&folder, &["generate", "fischer", "-n", size]);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{size}");
        assert!(ran.err.contains("sizes go from 2 to 1000"), "{}", ran.err);
    }
    for size in ["", "x", "-1", "2.5", "99999999999999999999"] {
        let ran = dwell(&folder, &["generate", "fischer", &format!("--size={size}")]);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{size}");
        assert!(ran.err.contains("--size"), "{}", ran.err);
    }
}

#[test]
fn formats_that_are_not_built_are_not_accepted() {
    for format in ["svg", "dot", "q"] {
        let ran = dwell(&folder("generate-format"), &["generate", "fischer", "--to", format]);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{format}");
    }
}
