//! Small pictures, word for word, and large and odd ones that must still be XML.

use dwell_draw::Point;
use dwell_draw::automaton::{self, Automaton, Edge, Label, LabelKind, Node, NodeKind};
use dwell_draw::chart::{self, Chart, Lane, Step};
use dwell_draw::plot::{self, Axis, Look, Plot, Scale, Series};
use insta::assert_snapshot;

/// The elements of a picture, without the style sheet that all share. Every
/// picture that is looked at here must be XML.
fn elements(svg: &str) -> String {
    let document = roxmltree::Document::parse(svg).unwrap_or_else(|error| panic!("{error} in {svg}"));
    assert_eq!(document.root_element().tag_name().name(), "svg");
    let (head, rest) = svg.split_once("<style>").expect("a style sheet");
    format!("{head}{}", rest.split_once("</style>\n").expect("its end").1)
}

fn label(kind: LabelKind, text: &str) -> Label {
    Label { kind, text: text.to_owned(), place: None }
}

fn node(name: &str, place: Option<(f64, f64)>) -> Node {
    let place = place.map(|(x, y)| Point::new(x, y));
    Node { kind: NodeKind::Plain, initial: false, labels: vec![label(LabelKind::Name, name)], place }
}

fn edge(source: usize, target: usize, sync: &str) -> Edge {
    Edge { source, target, labels: vec![label(LabelKind::Sync, sync)], ..Edge::default() }
}

/// Two locations and a loop.
fn lamp(places: [Option<(f64, f64)>; 2]) -> Automaton {
    let mut nodes = vec![node("off", places[0]), node("on", places[1])];
    nodes[0].initial = true;
    nodes[1].kind = NodeKind::Urgent;
    nodes[1].labels.push(label(LabelKind::Invariant, "x <= 3 && y < 5"));
    let edges = vec![edge(0, 1, "press?"), edge(1, 0, "press?"), edge(1, 1, "tick!")];
    Automaton { title: "Lamp".to_owned(), nodes, edges }
}

#[test]
fn an_automaton_at_its_places() {
    let mut lamp = lamp([Some((0.0, 0.0)), Some((150.0, 0.0))]);
    lamp.edges[1].nails = vec![Point::new(75.0, 60.0)];
    lamp.edges[1].broken = true;
    lamp.edges[0].labels[0].place = Some(Point::new(50.0, -20.0));
    assert_snapshot!(elements(&automaton::draw("lamp.xml", &[lamp])));
}

#[test]
fn an_automaton_without_places() {
    assert_snapshot!(elements(&automaton::draw("lamp.xta", &[lamp([None, None])])));
}

#[test]
fn places_that_are_all_the_same_are_none() {
    let here = lamp([Some((7.0, 7.0)), Some((7.0, 7.0))]);
    let none = lamp([None, Some((7.0, 7.0))]);
    assert_eq!(automaton::draw("", &[here]), automaton::draw("", &[none]));
}

fn run() -> Chart {
    let lane = |name: &str, start: &str| Lane { name: name.to_owned(), start: start.to_owned() };
    let step = |delay: Option<(&str, f64)>, time: &str, label: &str, sender, moves: &[(usize, &str)]| Step {
        delay: delay.map(|(text, about)| (text.to_owned(), about)),
        time: time.to_owned(),
        label: label.to_owned(),
        sender,
        moves: moves.iter().map(|&(lane, to)| (lane, to.to_owned())).collect(),
        note: String::new(),
    };
    let mut steps = vec![
        step(None, "0", "", None, &[(0, "ready")]),
        step(Some(("5/2", 2.5)), "5/2", "press", Some(0), &[(0, "idle"), (1, "on")]),
        step(Some(("1000", 1000.0)), "2005/2", "both", None, &[(0, "ready"), (1, "off")]),
    ];
    steps[1].note = "i: 0 -> 1".to_owned();
    let lanes = vec![lane("User", "idle"), lane("Lamp", "off")];
    Chart { title: "E<> Lamp.on".to_owned(), lanes, steps, loop_from: Some(1), ending: String::new() }
}

#[test]
fn a_run_with_a_loop() {
    assert_snapshot!(elements(&chart::draw(&run())));
}

#[test]
fn two_lines() {
    let series = |name: &str, points: &[(f64, f64)], look| Series {
        name: name.to_owned(),
        points: points.to_vec(),
        look,
    };
    let plot = Plot {
        title: "States < memory".to_owned(),
        x: Axis::new("seconds", Scale::Linear).with(0.0),
        y: Axis::new("states", Scale::Log),
        series: vec![
            series("stored", &[(0.5, 10.0), (1.0, 1000.0)], Look::Line),
            series("seen", &[(0.5, 0.0), (2.0, 30.0)], Look::LinePoints),
        ],
        diagonal: false,
        without: None,
    };
    assert_snapshot!(elements(&plot::draw(&[plot])));
}

#[test]
fn two_plans_model_by_model() {
    let results = [[Some(0.1), Some(1.0)], [Some(2.0), None], [None, None]];
    let plot = plot::scatter("Time of two plans", "seconds", ["default", "--order bfs"], &results);
    assert_snapshot!(elements(&plot::draw(&[plot])));
}

#[test]
fn a_cactus_is_sorted() {
    let plot = plot::cactus("Time", "seconds", &[("default".to_owned(), vec![3.0, f64::NAN, 1.0, 2.0])]);
    assert_eq!(plot.series[0].points, [(1.0, 1.0), (2.0, 2.0), (3.0, 3.0)]);
    elements(&plot::draw(&[plot]));
}

#[test]
fn the_style_has_a_dark_version_and_only_what_is_used() {
    let svg = chart::draw(&run());
    assert!(svg.contains("@media (prefers-color-scheme:dark)") && !svg.contains(".s0{"), "{svg}");
}

#[test]
fn nothing_at_all_is_a_picture() {
    elements(&automaton::draw("", &[]));
    elements(&automaton::draw("", &[Automaton::default()]));
    elements(&chart::draw(&Chart::default()));
    elements(&plot::draw(&[]));
    elements(&plot::draw(&[plot::cactus("", "", &[])]));
    elements(&plot::draw(&[plot::scatter("", "", ["", ""], &[[None, None]])]));
}

#[test]
fn names_that_are_none_do_no_harm() {
    let odd = "<&>\"'\u{0}\u{1b}]]>\u{fffe}ä日本\n\t x";
    let mut automaton = lamp([None, None]);
    automaton.title = odd.to_owned();
    automaton.nodes[0].labels[0].text = odd.repeat(20);
    automaton.edges.push(edge(0, 99, odd));
    automaton.edges.push(edge(99, 99, odd));
    elements(&automaton::draw(odd, &[automaton]));
    let mut chart = run();
    chart.title = odd.to_owned();
    chart.lanes[0].name = odd.to_owned();
    chart.steps[0].moves.push((17, odd.to_owned()));
    chart.steps[1].sender = Some(17);
    chart.loop_from = Some(17);
    elements(&chart::draw(&chart));
}

#[test]
fn a_long_run_is_cut_and_idle_processes_are_left_out() {
    let mut chart = run();
    let step = chart.steps[1].clone();
    chart.steps = vec![step; 3000];
    chart.lanes.extend((0..40).map(|n| Lane { name: format!("P{n}"), start: "idle".to_owned() }));
    let svg = elements(&chart::draw(&chart));
    assert!(svg.contains(">1000 more steps are not drawn<"));
    assert!(svg.contains(">40 processes that do nothing here are not drawn<") && !svg.contains(">P7<"));
}

/// Boxes of the labels of a laid-out automaton: none lies on another.
#[test]
fn labels_keep_apart() {
    let count = 9;
    let names = (0..count).map(|n| node(&format!("location{n}"), None));
    let mut automaton = Automaton { title: "Dense".to_owned(), nodes: names.collect(), edges: Vec::new() };
    automaton.nodes[0].initial = true;
    for n in 0..count {
        for m in [(n + 1) % count, (n + 3) % count, n] {
            automaton.edges.push(edge(n, m, &format!("channel_{n}_{m}?")));
            automaton.edges.push(edge(n, m, "other!"));
        }
    }
    let svg = automaton::draw("", &[automaton]);
    let document = roxmltree::Document::parse(&svg).expect("XML");
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    let boxes: Vec<(f64, f64, f64)> = texts
        .map(|node| {
            let number =
                |name| node.attribute(name).and_then(|value| value.parse::<f64>().ok()).expect("a number");
            // As wide as the narrowest fonts make them.
            let wide = node.text().unwrap_or_default().len() as f64 * 4.5;
            let middle = node.attribute("text-anchor").is_some();
            (number("x") - if middle { wide / 2.0 } else { 0.0 }, number("y"), wide)
        })
        .collect();
    assert!(boxes.len() > 60, "{} texts", boxes.len());
    for (n, a) in boxes.iter().enumerate() {
        for b in &boxes[n + 1..] {
            let apart = a.0 + a.2 <= b.0 || b.0 + b.2 <= a.0 || (a.1 - b.1).abs() >= 10.0;
            assert!(apart, "{a:?} and {b:?} overlap");
        }
    }
}

#[test]
fn automata_of_any_size_are_drawn() {
    // A chain with edges that skip most of it would need millions of places.
    let count = 3000;
    let nodes = (0..count).map(|n| node(&format!("l{n}"), None)).collect();
    let chain = (0..count - 1).map(|n| edge(n, n + 1, "a!"));
    let far = (0..count / 2).map(|n| edge(n, count - 1 - n, "b!"));
    let automaton = Automaton { title: "Long".to_owned(), nodes, edges: chain.chain(far).collect() };
    assert!(elements(&automaton::draw("", &[automaton])).contains(">l2999<"));
}
