//! What holds for every family, and the agreement with the published instances.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Families that are ours alone, so that no other instance exists to agree with.
const OURS_ALONE: [&str; 2] = ["blowup", "flexray"];

#[test]
fn listed_in_order_with_sensible_sizes() {
    let names: Vec<&str> = dwell_families::all().iter().map(|family| family.name).collect();
    let mut sorted = names.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(names, sorted, "names are unique and in alphabetical order");
    for family in dwell_families::all() {
        let sizes = family.min_size..=family.max_size;
        assert!(sizes.contains(&family.default_size), "default size of {}", family.name);
        assert!(!family.summary.ends_with('.') && family.summary.contains("size"), "{}", family.summary);
        assert_eq!(dwell_families::find(family.name).map(|found| found.name), Some(family.name));
    }
}

#[test]
fn every_size_limit_is_written_and_beyond_it_refused() {
    for family in dwell_families::all() {
        for size in [family.min_size, family.default_size, family.max_size] {
            let text = dwell_families::generate(family.name, size).expect("a size within the limits");
            let lines = Declarations::of(&text);
            assert_eq!(lines.of_kind("system").len(), 1, "{} {size}", family.name);
            assert!(!lines.of_kind("edge").is_empty(), "{} {size}", family.name);
        }
        for size in [family.min_size.wrapping_sub(1), family.max_size + 1] {
            let error = dwell_families::generate(family.name, size).expect_err("a size beyond the limits");
            assert!(error.to_string().contains(&family.max_size.to_string()), "{error}");
        }
    }
}

#[test]
fn headers_say_what_the_model_is() {
    for family in dwell_families::all() {
        let text = (family.write)(family.default_size);
        let header: Vec<&str> = text.lines().take_while(|line| line.starts_with('#')).collect();
        let command =
            format!("# Written by: dwell generate {} -n {} --to tck", family.name, family.default_size);
        assert!(header.contains(&command.as_str()), "{} names its command", family.name);
        let search = header.iter().find_map(|line| line.strip_prefix("# Search for: "));
        let search = search.unwrap_or_else(|| panic!("{} says what to search for", family.name));
        let labels = search.split(' ').next().expect("split yields something");
        if labels != "nothing" {
            for label in labels.split(',') {
                assert!(text.contains(&format!("labels:{label}}}")), "{}: label {label}", family.name);
            }
        }
        assert!(text.ends_with('\n') && !text.contains(" \n"), "{} is tidy", family.name);
    }
}

#[test]
fn an_unknown_family_is_answered_with_the_known_ones() {
    let error = dwell_families::generate("fisher", 3).expect_err("a misspelt name");
    let message = error.to_string();
    assert!(message.contains("`fisher`") && message.contains("fischer"), "{message}");
}

/// Equality with instances of the same family and size written by others, where a folder of other
/// people's models lies beside the checkout. Comments, spacing and the system's name may differ.
#[test]
fn instances_are_the_published_automata() {
    let folder = others_models();
    if !folder.is_dir() {
        eprintln!("skipped: no folder of other people's models beside the checkout");
        return;
    }
    let mut compared = 0;
    for family in dwell_families::all().iter().filter(|family| !OURS_ALONE.contains(&family.name)) {
        let mut of_family = 0;
        for size in family.min_size..=family.max_size.min(20) {
            let path = folder.join(format!("{}_{size}.tck", family.name));
            let Ok(theirs) = std::fs::read_to_string(&path) else { continue };
            let ours = Declarations::of(&(family.write)(size));
            let theirs = Declarations::of(&theirs);
            for kind in ["event", "clock", "int", "process", "location", "edge", "sync"] {
                assert_eq!(ours.of_kind(kind), theirs.of_kind(kind), "{} {size}: {kind}", family.name);
            }
            of_family += 1;
        }
        assert!(of_family > 0, "no instance of {} to compare with", family.name);
        compared += of_family;
    }
    eprintln!("{compared} instances agree");
}

fn others_models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models/tchecker/models")
}

/// The declarations of a model by kind, in the order of the file, without comments and spacing.
struct Declarations(BTreeMap<String, Vec<String>>);

impl Declarations {
    fn of(text: &str) -> Self {
        let mut by_kind: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for line in text.lines() {
            let code = line.split('#').next().expect("split yields something");
            let code: String = code.chars().filter(|c| !c.is_whitespace()).collect();
            let code = code.strip_suffix("{}").unwrap_or(&code);
            if let Some((kind, rest)) = code.split_once(':') {
                by_kind.entry(kind.to_owned()).or_default().push(rest.to_owned());
            }
        }
        Self(by_kind)
    }

    fn of_kind(&self, kind: &str) -> &[String] {
        self.0.get(kind).map_or(&[], Vec::as_slice)
    }
}

/// `counts.csv` is read by other tests and by the benches: every row must name a model that exists.
#[test]
fn recorded_counts_are_about_models_of_ours() {
    let mut lines = include_str!("counts.csv").lines().skip_while(|line| line.starts_with('#'));
    let columns = "family,size,algorithm,order,labels,reachable,visited,stored,transitions";
    assert_eq!(lines.next(), Some(columns));
    for line in lines {
        let (before, labels, after) = split_at_labels(line);
        let [family, size, algorithm, order] = before[..] else { panic!("fields before the labels: {line}") };
        let text = dwell_families::generate(family, size.parse().expect("a size")).expect("a model");
        assert!(["covreach", "aLU-covreach", "reach"].contains(&algorithm), "{line}");
        assert!(["bfs", "dfs"].contains(&order), "{line}");
        for label in labels.split(',').filter(|label| !label.is_empty()) {
            assert!(text.contains(&format!("labels:{label}}}")), "{line}");
        }
        let [reachable, visited, stored, transitions] = after[..] else { panic!("fields after: {line}") };
        assert!(reachable == "false" || !labels.is_empty(), "{line}");
        for count in [visited, transitions] {
            assert!(count.parse::<u64>().is_ok(), "{line}");
        }
        assert_eq!(stored.is_empty(), algorithm == "reach", "{line}");
    }
}

/// The one field that may hold commas, and so be quoted, is the fifth.
fn split_at_labels(line: &str) -> (Vec<&str>, &str, Vec<&str>) {
    if let Some((before, rest)) = line.split_once(",\"") {
        let (labels, after) = rest.split_once("\",").expect("a closing quote");
        return (before.split(',').collect(), labels, after.split(',').collect());
    }
    let fields: Vec<&str> = line.split(',').collect();
    (fields[..4].to_vec(), fields[4], fields[5..].to_vec())
}
