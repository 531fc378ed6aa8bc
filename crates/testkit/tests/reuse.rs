//! Several questions in one session get the answers that each gets on its own.

use dwell_base::Rng;
use dwell_engine::limits::Limits;
use dwell_engine::syntax::uppaal::parse_query;
use dwell_engine::{
    Control, Format, Model, Options, Plan, Question, Report, Session, TraceKind, Verdict, check,
    share_observed,
};
use dwell_model::property::{Extremum, Formula, Measured, Property, Quantity};
use dwell_model::{Network, VarId, expr::Expr};
use dwell_testkit::differential::replayed;
use dwell_testkit::plans;
use dwell_testkit::random::{Config, describe, formula, network, with_query_functions};
use dwell_testkit::seeds::{reproducing, seeds};

fn questions(rng: &mut Rng, config: &Config, model: &Model, whole: &Network) -> Vec<Question> {
    let mut asked = vec![Question::space()];
    for i in 0..6 {
        let formula: Formula = formula(rng, config, whole);
        let property = match i % 3 {
            0 => Property::Invariantly { violation: formula },
            1 => Property::Possibly(formula),
            _ if whole.vars.is_empty() => Property::Possibly(formula),
            _ => {
                let value = Measured::Integer(Expr::Var(VarId::new(0)));
                Property::Extremum(Extremum::Bounds, formula, vec![Quantity { text: "v".into(), value }])
            }
        };
        asked.push(Question::property(model, "random", property, whole));
    }
    asked
}

#[test]
fn random_networks_give_the_same_answers() {
    // Only what stores all states has any for the next question.
    let cover = plans::pairwise(plans::patient(plans::all()), 11, 20);
    let (mut reused, mut found, mut asked) = (0, 0, 0);
    for seed in seeds(300) {
        let config =
            Config { diagonal_percent: 0, ..if seed % 2 == 0 { Config::timed() } else { Config::small() } };
        let config = if seed % 5 < 3 { config } else { config.with_subtraction() };
        let rng = &mut Rng::new(seed);
        let made = network(rng, &config);
        let whole = with_query_functions(rng, &config, &made);
        let model = Model::from_network(made.clone()).unwrap();
        let choice = &cover[seed as usize % cover.len()];
        if !choice.ends() {
            continue;
        }
        let trace = if seed % 3 == 0 { TraceKind::None } else { TraceKind::Some };
        let questions = questions(rng, &config, &model, &whole);
        let mut session = Session::new(&model, questions.len());
        for (i, question) in questions.iter().enumerate() {
            let plan = Plan { trace, ..choice.plan(&model, question).unwrap() };
            let alone = check(&model, question, &plan, Control::default());
            let report = session.check(question, &plan, Control::default());
            let of = |r: &Report| (r.verdict, r.why.clone(), r.values.clone(), r.trace.is_some());
            assert_eq!(of(&report), of(&alone), "DWELL_SEED={seed}, question {i}\n{}", describe(&made));
            asked += 1;
            if report.reused.is_some() {
                reused += 1;
                if let Some(trace) = &report.trace {
                    found += 1;
                    replayed(&whole, trace).unwrap_or_else(|e| panic!("DWELL_SEED={seed}: {e}"));
                }
            }
        }
    }
    println!(
        "{asked} questions, {reused} answered from states that were there, {found} of them with a trace"
    );
    if !reproducing() {
        assert!(reused * 4 > asked && found > 50);
    }
}

const MODEL: &str = "clock x; int[0,9] n; int a[3];
    process P() { state A { x <= 5 }, B; init A;
      trans A -> A { guard x >= 2, n < 9; assign x = 0, n++; }, A -> B { guard n == 9; }; }
    system P;";

fn session(queries: &[&str], limits: &Limits) -> Vec<Report> {
    let model = Model::read(MODEL, Format::Xta, &Default::default()).unwrap();
    let items: Vec<_> = queries.iter().map(|q| parse_query(q).0).collect();
    let mut session = Session::new(&model, queries.len());
    let ask = |question: Result<Question, _>| {
        let question = question.unwrap_or_else(|_| panic!("a query is wrong"));
        let plan = Options::default().plan(&model, &question).unwrap();
        session.check(&question, &plan, Control { limits: limits.clone(), observer: None })
    };
    let mut questions = model.questions(&items);
    share_observed(questions.iter_mut().filter_map(|question| question.as_mut().ok()));
    questions.into_iter().map(ask).collect()
}

fn sources(queries: &[&str]) -> Vec<Option<usize>> {
    let reports = session(queries, &Limits::default());
    reports.iter().map(|report| report.reused.map(|r| r.question)).collect()
}

#[test]
fn what_is_reused() {
    assert_eq!(sources(&["A[] n < 10", "E<> P.B", "E<> n > 3", "sup: n"]), [None, Some(1), Some(1), Some(1)]);
    assert_eq!(sources(&["E<> P.B", "A[] n < 10"]), [None, None], "nothing complete");
    assert_eq!(sources(&["sup: n", "A[] n < 10", "A[] x < 5"]), [None, Some(1), None]);
    assert_eq!(sources(&["sup: x", "sup: n"]), [None, None], "clock values are a matter of their own");
    let wider = [
        "A[] n < 10",
        "A[] P.A imply x < 30",
        "A[] P.A imply x < 20",
        "E<> P.A and x > 30",
        "E<> P.A and x > 31",
        "E<> n == 4",
    ];
    assert_eq!(sources(&wider), [None, None, Some(2), Some(2), None, Some(5)]);
}

#[test]
fn a_question_that_fails_on_some_state_is_asked_anew() {
    let reports =
        session(&["A[] n < 10", "E<> a[n] == 1", "E<> a[n] == 0", "E<> n == 9"], &Limits::default());
    let seen: Vec<_> = reports.iter().map(|r| (r.verdict, r.reused.is_some())).collect();
    use Verdict::{Error, Satisfied};
    assert_eq!(seen, [(Satisfied, false), (Error, false), (Satisfied, false), (Satisfied, true)]);
    assert_eq!(reports[3].reused.unwrap().question, 1);
    assert!(reports[1].trace.is_some(), "the way to the failure is shown");
}

#[test]
fn nothing_is_kept_where_memory_is_short() {
    // More than this process has, and less than twice as much.
    let used = dwell_engine::limits::resident_bytes().unwrap_or(1 << 20);
    let limits = Limits { memory_bytes: Some(used + used / 10 * 9), ..Limits::default() };
    let reports = session(&["A[] n < 10", "E<> P.B"], &limits);
    assert!(reports.iter().all(|r| r.reused.is_none() && r.verdict == Verdict::Satisfied));
}
