//! `sup`, `inf` and `bounds`: models with known answers, and random networks
//! whose answers are compared with those to `E<>`.

use dwell_base::Rng;
use dwell_engine::limits::Limits;
use dwell_engine::syntax::uppaal::parse_query;
use dwell_engine::{Abstraction, Control, Format, Model, Options, Question, Report, Verdict, Width, check};
use dwell_model::expr::{BinaryOp, ClockConstraint, ClockRef, Expr, Relation};
use dwell_model::property::{Extremum, Formula, Measured, Property, Quantity};
use dwell_model::{ClockId, Network, Span, VarId};
use dwell_testkit::random::{Config, describe, describe_formula, formula, network, with_query_functions};
use dwell_testkit::seeds::{reproducing, seeds};
use std::time::{Duration, Instant};

fn model(text: &str) -> Model {
    Model::read(text, Format::Xta, &Default::default()).unwrap_or_else(|e| panic!("{:?}", e.diagnostics))
}

fn ask_with(options: Options, text: &str, query: &str) -> Report {
    let model = model(text);
    let (item, _) = parse_query(query);
    let question = model.questions(&[item]).remove(0).unwrap_or_else(|e| panic!("{query}: {}", e.why));
    let plan = options.plan(&model, &question).unwrap();
    let deadline = Some(Instant::now() + Duration::from_secs(20));
    check(
        &model,
        &question,
        &plan,
        Control { limits: Limits { deadline, ..Limits::default() }, observer: None },
    )
}

fn ask(text: &str, query: &str) -> Report {
    ask_with(Options::default(), text, query)
}

fn values(report: &Report) -> String {
    let values = report.values.as_ref().unwrap_or_else(|| panic!("{:?}: {:?}", report.verdict, report.why));
    values.iter().map(|v| format!("{}: {}", v.expression, v.value)).collect::<Vec<_>>().join("; ")
}

/// Every query with its answer.
fn expect(text: &str, answers: &[(&str, &str)]) {
    for (query, expected) in answers {
        let report = ask(text, query);
        assert_eq!(report.verdict, Verdict::Satisfied, "{query}: {:?}", report.why);
        assert_eq!(values(&report), *expected, "{query}");
    }
}

#[test]
fn integers() {
    let text = "int[-3,9] n; int a[3] = {4, 7, 1}; int[0,2] i;
        process P() { state A, B; init A;
          trans A -> A { guard n < 3; assign n = n + 2; }, A -> B { guard n > 0; assign n = -3; },
                B -> B { guard i < 2; assign i = i + 1; }; }
        system P;";
    expect(
        text,
        &[
            ("sup: n", "n: 4"),
            ("inf: n", "n: -3"),
            ("bounds: n", "n: [-3, -3] ∪ [0, 0] ∪ [2, 2] ∪ [4, 4]"),
            ("bounds{P.B}: i, a[i]", "i: [0, 2]; a[i]: [1, 1] ∪ [4, 4] ∪ [7, 7]"),
            ("sup{P.A and n < 4}: n, n * n", "n: 2; n * n: 4"),
            ("sup{n > 8}: n", "n: none"),
        ],
    );
    assert!(ask(text, "sup{n > 8}: n").why.unwrap().contains("no reachable state"));
}

#[test]
fn clocks_with_bounds() {
    let text = "clock x, y; 
        process P() { state A { x <= 10 }, B { x < 8 }, C { y <= 3 }; init A; urgent C;
          trans A -> B { guard x > 2; assign x = 0, y = 0; }, B -> C { guard x >= 5, y < 7; }; }
        system P;";
    expect(
        text,
        &[
            ("sup: x", "x: <= 10"),
            ("sup{P.B}: x, y", "x: < 8; y: < 8"),
            ("inf{P.C}: x, y", "x: none; y: none"),
            ("bounds{P.A and x > 2 or P.B and x < 1}: x", "x: [0, 1) ∪ (2, 10]"),
            ("bounds{P.A and (x < 1 or x == 3 or x > 5 and x <= 7)}: x", "x: [0, 1) ∪ [3, 3] ∪ (5, 7]"),
            ("inf{P.B and x > 3}: x", "x: > 3"),
            ("sup{P.B imply x < 1}: x", "x: <= 10"),
        ],
    );
}

/// A clock that is compared with small constants only, and reaches large values.
const COUNTED: &str = "clock x, y; int[0,20] n;
    process P() { state A { y <= 10 }, End; init A; urgent End;
      trans A -> A { guard y >= 8, n < 20; assign y = 0, n++; }, A -> End { guard n == 20; }; }
    system P;";

#[test]
fn values_far_above_every_constant() {
    expect(
        COUNTED,
        &[
            ("sup: x", "x: <= 210"),
            ("sup: x, y, n", "x: <= 210; y: <= 10; n: 20"),
            ("inf{P.End}: x", "x: >= 160"),
            ("bounds{n == 2 and y == 0}: x", "x: [16, 20]"),
            ("bounds{P.End and y < 1 or n == 0}: x", "x: [0, 10] ∪ [160, 201)"),
        ],
    );
    // Beyond sixteen bits.
    let scaled = COUNTED.replace("y <= 10", "y <= 1000").replace("y >= 8", "y >= 800");
    let report = ask(&scaled, "sup: x");
    assert_eq!((values(&report).as_str(), report.plan.width), ("x: <= 21000", Width::Bits32));
    assert_eq!(values(&ask(&scaled, "inf{P.End}: x")), "x: >= 16000");
}

#[test]
fn every_abstraction_gives_the_same() {
    for abstraction in Abstraction::ALL.iter().copied().filter(|a| *a != Abstraction::ALu) {
        let options = Options { abstraction: Some(abstraction), ..Options::default() };
        assert_eq!(
            values(&ask_with(options.clone(), COUNTED, "sup: x, n")),
            "x: <= 210; n: 20",
            "{abstraction:?}"
        );
        let report = ask_with(options, COUNTED, "bounds{n == 2 and y == 0}: x");
        assert_eq!(values(&report), "x: [16, 20]", "{abstraction:?}");
    }
    let options = Options { abstraction: Some(Abstraction::ALu), ..Options::default() };
    let model = model(COUNTED);
    let question = |query| model.questions(&[parse_query(query).0]).remove(0).unwrap();
    assert!(options.plan(&model, &question("sup: x")).unwrap_err().contains("a-lu"));
    assert!(options.plan(&model, &question("sup: n")).is_ok());
    assert_eq!(values(&ask_with(options, COUNTED, "sup{x > 100}: n")), "n: 20");
}

#[test]
fn no_upper_bound() {
    // Waiting for ever; leaving at some time and being elsewhere.
    let waits = "clock x, y; process P() { state A, B { y <= 2 }; init A;
        trans A -> B { guard x >= 3; assign y = 0; }, B -> A { assign x = 0; }; } system P;";
    expect(
        waits,
        &[
            ("sup: x", "x: < infinity"),
            ("sup{P.B}: x, y", "x: < infinity; y: <= 2"),
            ("inf{P.B}: x, y", "x: >= 3; y: >= 0"),
            ("bounds: x", "x: [0, infinity)"),
            ("bounds{P.B or x < 1}: x, y", "x: [0, 1) ∪ [3, infinity); y: [0, 3)"),
            ("bounds{x > 40}: x", "x: (40, infinity)"),
        ],
    );
    // Every zone has an end, but a loop leads from each to a later one.
    let loops = "clock x, y, z; process P() { state A { y <= 10 }, B { y <= 10 }; init A;
        trans A -> B { guard y >= 4; }, B -> A { assign y = 0; }, B -> B { guard z >= 6; }; } system P;";
    expect(
        loops,
        &[
            ("sup: x", "x: < infinity"),
            ("sup: x, z, y", "x: < infinity; z: < infinity; y: <= 10"),
            ("bounds: x", "x: [0, infinity)"),
            ("bounds{P.B}: x", "x: [4, infinity)"),
            ("inf{P.B and x > 50}: x", "x: > 50"),
        ],
    );
    // The same at multiples of five only: no union of finitely many intervals.
    let ticks = "clock x, y; process P() { state A { y <= 5 }; init A;
        trans A -> A { guard y == 5; assign y = 0; }; } system P;";
    expect(ticks, &[("sup{y == 0}: x", "x: < infinity"), ("bounds: x", "x: [0, infinity)")]);
    let report = ask(ticks, "bounds{y == 0}: x");
    assert_eq!(report.verdict, Verdict::Unknown);
    assert!(report.why.unwrap().contains("no upper bound"));
}

#[test]
fn clocks_picked_by_a_variable() {
    let text = "clock c[3]; int[0,3] i; clock y;
        process P() { state A { y <= 4 }; init A;
          trans A -> A { guard i < 2; assign c[i] = 0, i++; }; } system P;";
    expect(text, &[("sup{i < 2}: c[i]", "c[i]: <= 4"), ("inf{i == 1}: c[i - 1]", "c[i - 1]: >= 0")]);
}

#[test]
fn a_quantity_that_fails_is_an_error_with_a_trace() {
    let text = "int[0,5] i; int a[3]; clock c[3]; process P() { state A; init A;
        trans A -> A { guard i < 4; assign i++; }; } system P;";
    for (query, words) in
        [("sup: a[i]", "index 3"), ("sup: c[i]", "index 3"), ("bounds: 6 / (2 - i)", "division")]
    {
        let report = ask(text, query);
        assert_eq!(report.verdict, Verdict::Error, "{query}");
        assert!(report.why.as_ref().unwrap().contains(words), "{query}: {:?}", report.why);
        assert!(report.trace.is_some_and(|trace| trace.steps.len() >= 2), "{query}");
    }
    assert_eq!(values(&ask(text, "sup{i < 3}: a[i], i")), "a[i]: 0; i: 2", "where it holds only");
}

/// A clock that is set to another over and over: growth that is not noticed.
#[test]
fn what_is_known_when_time_is_up() {
    let text = "clock x, y, z; process P() { state A { z <= 3 }; init A;
        trans A -> A { guard z == 3; assign x = y, z = 0; }; } system P;";
    let model = model(text);
    let question = model.questions(&[parse_query("sup{z == 0}: x").0]).remove(0).unwrap();
    let plan = Options::default().plan(&model, &question).unwrap();
    let limits = Limits { deadline: Some(Instant::now() + Duration::from_millis(100)), ..Limits::default() };
    let report = check(&model, &question, &plan, Control { limits, observer: None });
    assert_eq!(report.verdict, Verdict::Unknown, "{:?}", report.values);
    let why = report.why.unwrap();
    assert!(why.contains("out of time") && why.contains("; x has values above "), "{why}");
}

/// Whether `E<> f and also`; `None`: no answer.
fn possible(model: &Model, whole: &Network, f: &Formula, also: Vec<Formula>) -> Option<bool> {
    let property = Property::Possibly(Formula::And([vec![f.clone()], also].concat()));
    let question = Question::property(model, "random", property, whole);
    let plan = Options::default().plan(model, &question).unwrap();
    match check(model, &question, &plan, Control::default()).verdict {
        Verdict::Satisfied => Some(true),
        Verdict::NotSatisfied => Some(false),
        _ => None,
    }
}

fn compared(x: ClockId, relation: Relation, bound: i64) -> Formula {
    let bound = Expr::Const(bound as i32);
    let (left, span) = (ClockRef::Fixed(x), Span::default());
    Formula::Clock(ClockConstraint { when: None, left, minus: None, relation, bound, span })
}

/// x lies in a cell: 2c is c, 2c + 1 between c and c + 1.
fn in_cell(x: ClockId, cell: i64) -> Vec<Formula> {
    match cell % 2 {
        0 => vec![compared(x, Relation::Eq, cell / 2)],
        _ => vec![compared(x, Relation::Gt, cell / 2), compared(x, Relation::Lt, cell / 2 + 1)],
    }
}

/// The cells that a text names, up to a limit: `<= 3`, `> 2`, `[0, 3) ∪ [5, infinity)`.
fn cells(text: &str, kind: Extremum, limit: i64) -> Vec<i64> {
    let number = |text: &str| text.trim().parse::<i64>();
    let end = |text: &str, open: bool| number(text).map_or(limit, |n| 2 * n - i64::from(open));
    if text == "none" {
        return Vec::new();
    }
    match kind {
        Extremum::Sup if text.starts_with("<=") => vec![end(&text[2..], false)],
        Extremum::Sup => vec![end(&text[1..], true)],
        Extremum::Inf if text.starts_with(">=") => vec![end(&text[2..], false)],
        Extremum::Inf => vec![end(&text[1..], false) + 1],
        Extremum::Bounds => {
            let span = |span: &str| {
                let (from, to) = span[1..span.len() - 1].split_once(", ").unwrap();
                let first = 2 * number(from).unwrap() + i64::from(span.starts_with('('));
                first..=end(to, span.ends_with(')')).min(limit)
            };
            text.split(" ∪ ").flat_map(span).collect()
        }
    }
}

/// Cells up to here are asked for one by one: far beyond the constants.
const LIMIT: i64 = 2 * 12;

/// What is wrong with the values of a clock; `None`: nothing, or no answer.
fn wrong_clock(
    model: &Model,
    whole: &Network,
    f: &Formula,
    x: ClockId,
    kind: Extremum,
    text: &str,
) -> Option<String> {
    let at = |cell| possible(model, whole, f, in_cell(x, cell));
    let named = cells(text, kind, LIMIT);
    let far = text.contains("infinity");
    if far && !possible(model, whole, f, vec![compared(x, Relation::Gt, 1000)])? {
        return Some("there is an upper bound".into());
    }
    let limit = if far { LIMIT } else { LIMIT.max(named.last().map_or(0, |last| last + 2)) };
    for cell in 0..=limit {
        let taken = at(cell)?;
        let right = match (kind, named.first()) {
            (Extremum::Bounds, _) => taken == named.contains(&cell),
            (_, None) => !taken,
            (Extremum::Sup, Some(_)) if far => true,
            (Extremum::Sup, Some(&last)) => taken == (cell == last) || cell < last,
            (Extremum::Inf, Some(&first)) => taken == (cell == first) || cell > first,
        };
        if !right {
            return Some(format!("cell {cell} is {}taken", if taken { "" } else { "not " }));
        }
    }
    None
}

fn wrong_integer(
    model: &Model,
    whole: &Network,
    f: &Formula,
    var: VarId,
    kind: Extremum,
    text: &str,
) -> Option<String> {
    let compare = |op, value: i32| {
        let (left, right) = (Box::new(Expr::Var(var)), Box::new(Expr::Const(value)));
        possible(model, whole, f, vec![Formula::Discrete(Expr::Binary(op, left, right, Span::default()))])
    };
    let values: Vec<i32> = match (kind, text) {
        (_, "none") => Vec::new(),
        (Extremum::Bounds, spans) => {
            let ends = |span: &str| {
                let (from, to) = span[1..span.len() - 1].split_once(", ").unwrap();
                from.parse().unwrap()..=to.parse().unwrap()
            };
            spans.split(" ∪ ").flat_map(ends).collect()
        }
        (_, number) => vec![number.parse().unwrap()],
    };
    let Some(&value) = values.first() else {
        return compare(BinaryOp::Ge, i32::MIN)?.then(|| "there is a state".into());
    };
    let right = match kind {
        Extremum::Sup => compare(BinaryOp::Eq, value)? && !compare(BinaryOp::Gt, value)?,
        Extremum::Inf => compare(BinaryOp::Eq, value)? && !compare(BinaryOp::Lt, value)?,
        Extremum::Bounds => {
            let var = &whole.vars[var.index()];
            let range = var.min.max(-20)..=var.max.min(20);
            range
                .into_iter()
                .try_fold(true, |ok, v| Some(ok && compare(BinaryOp::Eq, v)? == values.contains(&v)))?
        }
    };
    (!right).then(|| "another value".into())
}

#[test]
fn random_networks_agree_with_reachability() {
    let (mut clocks, mut integers, mut infinite, mut open) = (0, 0, 0, 0);
    for seed in seeds(250) {
        let config = if seed % 2 == 0 { Config::timed() } else { Config::small() };
        let config = if seed % 5 < 3 { config } else { config.with_subtraction() };
        let config = Config { diagonal_percent: 0, risky_percent: 0, risky_guard_percent: 0, ..config };
        let rng = &mut Rng::new(seed);
        let made = network(rng, &config);
        let whole = with_query_functions(rng, &config, &made);
        let f = formula(rng, &config, &whole);
        let kind = *rng.pick(&[Extremum::Sup, Extremum::Inf, Extremum::Bounds]);
        let model = Model::from_network(made.clone()).unwrap();
        let of_clocks = (0..made.clocks.len()).map(|x| Measured::Clock(ClockRef::Fixed(ClockId::new(x))));
        let of_vars = (0..made.vars.len().min(2)).map(|v| Measured::Integer(Expr::Var(VarId::new(v))));
        let measured: Vec<Measured> = of_clocks.chain(of_vars).collect();
        if measured.is_empty() {
            continue;
        }
        let quantities =
            measured.iter().map(|value| Quantity { text: "q".into(), value: value.clone() }).collect();
        let property = Property::Extremum(kind, f.clone(), quantities);
        let question = Question::property(&model, "random", property, &whole);
        let plan = Options::default().plan(&model, &question).unwrap();
        let limits =
            Limits { deadline: Some(Instant::now() + Duration::from_millis(200)), ..Limits::default() };
        let report = check(&model, &question, &plan, Control { limits, observer: None });
        let Some(values) = &report.values else {
            open += u64::from(report.verdict == Verdict::Unknown);
            continue;
        };
        for (value, measured) in values.iter().zip(&measured) {
            infinite += u64::from(value.value.contains("infinity"));
            let wrong = match measured {
                Measured::Clock(ClockRef::Fixed(x)) => {
                    clocks += 1;
                    wrong_clock(&model, &whole, &f, *x, kind, &value.value)
                }
                Measured::Integer(Expr::Var(v)) => {
                    integers += 1;
                    wrong_integer(&model, &whole, &f, *v, kind, &value.value)
                }
                _ => None,
            };
            if let Some(wrong) = wrong {
                let text = describe_formula(&whole, &f);
                panic!(
                    "DWELL_SEED={seed} {kind:?} {measured:?} is {}: {wrong}\n{text}\n{}",
                    value.value,
                    describe(&made)
                );
            }
        }
    }
    println!("{clocks} clocks, {infinite} without end, {integers} integers, {open} open");
    if !reproducing() {
        assert!(clocks > 200 && infinite > 50 && integers > 50 && open < 25);
    }
}
