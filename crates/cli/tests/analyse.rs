//! `dwell analyse`.

mod common;

use common::{dwell, examples, folder_with};

/// Figure 1 of paper 3.
const FIGURE_1: &str = "\
chan a;
int[0,1] i;
process L() {
  state X, Y;
  init X;
  trans X -> Y { sync a?; },
        Y -> X { assign i = 0; };
}
process R() {
  state A, B, C;
  init C;
  trans A -> B { assign i = 1; },
        B -> A { guard i == 0; },
        B -> C { guard i == 1; },
        C -> A { sync a!; };
}
system L, R;
";

#[test]
fn cycles_and_covering_sets_are_shown() {
    let folder = folder_with("analyse_text", "figure.xta", FIGURE_1);
    let ran = dwell(&folder, &["analyse", "figure.xta", "--covering"]);
    assert_eq!(ran.code, 0);
    assert!(
        ran.out.starts_with("process  edges  local cycles\nL            2  1\nR            4  2\n"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("\nO1                1  0."), "{}", ran.out);
    assert!(ran.out.contains("\nentry points      3  0."), "{}", ran.out);
    // What is shown can be proposed again.
    let (_, set) = ran.out.split_once("\n#").expect("a set");
    std::fs::write(folder.join("set.txt"), format!("#{set}")).expect("written");
    let ran = dwell(&folder, &["analyse", "figure.xta", "--cover-set", "set.txt"]);
    assert_eq!(ran.code, 0);
    assert!(ran.out.ends_with(": is covering\n"), "{}", ran.out);
}

#[test]
fn a_proposed_set_is_verified() {
    let folder = folder_with("analyse_proposed", "figure.xta", FIGURE_1);
    let proposed = |set: &str| {
        std::fs::write(folder.join("set.txt"), set).expect("written");
        dwell(&folder, &["analyse", "figure.xta", "--cover-set", "set.txt", "--json"])
    };
    for set in ["L: Y -> X", "R: C -> A"] {
        let ran = proposed(set);
        assert_eq!(ran.code, 0);
        assert_eq!(ran.json()["covering"]["proposed"]["covering"], true);
    }
    let ran = proposed("R: B -> A\n");
    assert_eq!(ran.code, 1);
    let found = &ran.json()["covering"]["proposed"];
    assert_eq!(found["covering"], false);
    assert_eq!(found["uncovered"], serde_json::json!(["L: X -> Y -> X", "R: A -> B -> C -> A"]));
    let ran = proposed("R: B -> D\n");
    assert_eq!(ran.code, 2);
    assert_eq!(ran.json()["error"]["message"], "set.txt: line 1: R has no location `D`");
    let ran = dwell(&folder, &["analyse", "figure.xta", "--cover-set", "none.txt"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.starts_with("error: cannot read none.txt"), "{}", ran.err);
}

#[test]
fn the_document_names_edges_and_places() {
    let folder = folder_with("analyse_json", "figure.xta", FIGURE_1);
    let ran = dwell(&folder, &["analyse", "figure.xta", "--covering", "--json", "--seed", "5"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let found = &ran.json()["covering"];
    assert_eq!(found["seed"], 5);
    assert_eq!(found["processes"][1], serde_json::json!({ "name": "R", "edges": 4, "cycles": 2 }));
    assert_eq!(found["heuristics"].as_array().map(Vec::len), Some(9));
    let chosen =
        found["heuristics"].as_array().into_iter().flatten().find(|set| set["name"] == found["found_by"]);
    assert_eq!(chosen.map(|set| &set["set"][0]), Some(&found["edges"][0]["edge"]));
    let edges = found["edges"].as_array().expect("edges");
    assert_eq!(edges.len(), 1);
    let line = edges[0]["line"].as_u64().expect("a line") as usize;
    let (_, ends) = edges[0]["edge"].as_str().and_then(|name| name.split_once(": ")).expect("an edge");
    assert!(FIGURE_1.lines().nth(line - 1).is_some_and(|text| text.contains(ends)), "{edges:?}");
    // The same seed, the same document.
    let again = dwell(&folder, &["analyse", "figure.xta", "--covering", "--json", "--seed", "5"]);
    assert_eq!(ran.out, again.out);
}

#[test]
fn without_a_wish_all_that_needs_no_exploration_is_told() {
    let folder = folder_with("analyse_usage", "figure.xta", format!("int unused;\n{FIGURE_1}"));
    let ran = dwell(&folder, &["analyse", "figure.xta"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.starts_with("there are no clocks\n\nprocess  edges  local cycles\n"), "{}", ran.out);
    assert!(ran.err.contains("`unused`"), "{}", ran.err);
    let told = dwell(&folder, &["analyse", "figure.xta", "--json"]).json();
    assert!(told["clocks"].is_array() && told["covering"].is_object() && told["sanity"].is_null(), "{told}");
    let unused = |found: &serde_json::Value| found["code"] == "unused";
    assert!(told["diagnostics"].as_array().expect("findings").iter().any(unused), "{told}");
    let ran = dwell(&folder, &["analyse", "missing.xta", "--json"]);
    assert_eq!(ran.code, 2);
    assert!(ran.json()["error"]["message"].is_string());
}

#[test]
fn clocks_have_bounds_where_they_matter() {
    let model = "\
clock x, idle;
process P(const int n) {
  clock y;
  state A { x <= 7 }, B, C;
  init A;
  trans A -> B { guard x >= 3; assign x = 0, y = 0; },
        B -> C { guard y > n && x < 5; },
        C -> A { assign x = 0; };
}
Q = P(9);
system Q;
";
    let folder = folder_with("analyse_clocks", "m.xta", model);
    let ran = dwell(&folder, &["analyse", "m.xta", "--clocks"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let expected = "\
clock  where           lower  upper
x      anywhere            3      7
       Q.A                 3      7
       Q.B                 -      5
idle   never compared      -      -
Q.y    anywhere            9      -
       Q.B                 9      -
";
    assert_eq!(ran.out, expected);
    let told = dwell(&folder, &["analyse", "m.xta", "--clocks", "--json"]).json();
    let there = serde_json::json!({ "process": "Q", "location": "B", "lower": null, "upper": 5 });
    assert_eq!(told["clocks"][0]["locations"][1], there);
    assert!(told["covering"].is_null(), "{told}");
}

#[test]
fn examples_in_every_language_have_small_sets() {
    for (model, most) in
        [("fischer.xml", 3), ("train-gate.xml", 7), ("retry.xta", 2), ("traffic-light.tck", 5)]
    {
        let ran = dwell(&examples(), &["analyse", model, "--covering", "--json"]);
        assert_eq!(ran.code, 0, "{model}: {}", ran.err);
        let found = ran.json();
        let edges = found["covering"]["edges"].as_array().expect("edges").len();
        assert!((1..=most).contains(&edges), "{model}: {edges}");
    }
}
