//! Random networks with deadlines and priorities, and random properties of all
//! kinds, with and without clocks and deadlocks: what the engine answers under
//! every kind of plan is what clock regions say, and the runs that explain it
//! are replayed. Failures print the seed, the plan, the property and a minimal
//! network; `DWELL_SEED` runs one seed again under all plans,
//! `DWELL_RANDOM_NETWORKS` changes how many there are.

use dwell_base::Rng;
use dwell_engine::{Control, Model, Options, Question, Report, TraceKind, Verdict, check};
use dwell_model::Network;
use dwell_model::property::{Formula, Property};
use dwell_oracle::{Answer, Answers, ExploreError, Rational, answer, fastest, shortest};
use dwell_testkit::answers::{Tally, disagreement, formulas, property};
use dwell_testkit::differential::replayed;
use dwell_testkit::plans::{self, Choice};
use dwell_testkit::random::{
    Config, describe, describe_formula, formula, minimise, names_locations_of, network, with_query_functions,
};
use dwell_testkit::seeds::{reproducing, seeds};

/// Most nodes of a region graph that is explored.
const LIMIT: usize = 1_500;

/// Networks in the default run.
const NETWORKS: u64 = 3_600;

/// Properties of each network.
const PROPERTIES: usize = 10;

fn config(seed: u64) -> Config {
    let config = match seed % 5 {
        0 | 1 => Config::small(),
        2 => Config { max_clocks: 2, ..Config::timed() },
        3 => Config { max_clocks: 2, ..Config::loud() },
        _ => Config { max_constant: 2, max_clocks: 2, max_locations: 4, ..Config::default() },
    };
    let risky_percent = if seed.is_multiple_of(7) { 3 } else { 0 };
    let config = Config { risky_guard_percent: 0, risky_percent, ..config };
    if seed % 8 == 3 { Config { deadlock_percent: 12, ..config } } else { config.with_subtraction() }
}

struct Case {
    network: Network,
    /// With functions for the properties.
    whole: Network,
    properties: Vec<Property>,
}

impl Case {
    fn new(seed: u64) -> Self {
        Self::with(seed, config(seed))
    }

    fn with(seed: u64, config: Config) -> Self {
        let rng = &mut Rng::new(seed);
        let network = network(rng, &config);
        let whole = with_query_functions(rng, &config, &network);
        let properties = (0..PROPERTIES).map(|kind| property(rng, &config, &whole, kind)).collect();
        Self { network, whole, properties }
    }

    fn answers(&self) -> Option<Answers> {
        match answer(&self.whole, &self.properties, 0, LIMIT) {
            Ok(answers) => Some(answers),
            Err(ExploreError::Limit { .. }) => None,
            Err(other) => panic!("{other}\n{}", describe(&self.network)),
        }
    }
}

/// Traces are asked for more often than not.
fn trace(seed: u64, property: usize) -> TraceKind {
    if (seed as usize + property).is_multiple_of(4) { TraceKind::None } else { TraceKind::Some }
}

/// The same for a smaller network.
fn departs(network: &Network, case: &Case, at: usize, choice: &Choice, trace: TraceKind) -> Option<String> {
    let (mut whole, property) = (network.clone(), &case.properties[at]);
    whole.functions.clone_from(&case.whole.functions);
    whole.locals = case.whole.locals;
    if !formulas(property).into_iter().all(|f| names_locations_of(f, network)) {
        return None;
    }
    let answers = answer(&whole, std::slice::from_ref(property), 0, LIMIT).ok()?;
    let oracle: (&Answer, bool) = (&answers.answers[0], answers.failure.is_some());
    disagreement(network, &whole, property, oracle, choice, trace, &mut Tally::default())
}

fn compare(seed: u64, case: &Case, answers: &Answers, at: usize, choice: &Choice, tally: &mut Tally) {
    let Case { network, whole, properties } = case;
    let (property, trace) = (&properties[at], trace(seed, at));
    let oracle = (&answers.answers[at], answers.failure.is_some());
    let Some(difference) = disagreement(network, whole, property, oracle, choice, trace, tally) else {
        return;
    };
    eprintln!("DWELL_SEED={seed}, {choice}, {trace:?}\n{difference}\nshrinking the network …");
    let law = &difference[..3];
    let least =
        minimise(network, |n| departs(n, case, at, choice, trace).is_some_and(|d| d.starts_with(law)));
    let kind = format!("{property:?}");
    let kind = kind.split(['(', ' ']).next().unwrap_or_default();
    let texts: Vec<String> = formulas(property).iter().map(|f| describe_formula(whole, f)).collect();
    panic!(
        "DWELL_SEED={seed}, {choice}, {trace:?}\n{difference}\n{kind} {}\nminimal: {}\n{}",
        texts.join(" --> not "),
        departs(&least, case, at, choice, trace).unwrap_or_default(),
        describe(&least)
    );
}

#[test]
fn properties_of_all_kinds_agree_with_regions() {
    let (all, cover) = (plans::usual(), plans::pairwise(plans::patient(plans::all()), 11, 40));
    let mut tally = Tally::default();
    let (mut compared, mut too_large, mut holds, mut next) = (0, 0, 0, 0);
    let mut small = Vec::new();
    for seed in seeds(NETWORKS) {
        let case = Case::new(seed);
        let Some(answers) = case.answers() else {
            too_large += 1;
            continue;
        };
        compared += 1;
        holds += answers.answers.iter().filter(|a| **a == Answer::Holds(true)).count();
        for at in 0..PROPERTIES {
            if reproducing() {
                all.iter().for_each(|choice| compare(seed, &case, &answers, at, choice, &mut tally));
            } else {
                let choice = &cover[next % cover.len()];
                // Some with several threads; what goes on for ever has a search of its own for them.
                let shared =
                    (seed + at as u64).is_multiple_of(4).then(|| choice.shared(2 + seed as u16 % 3, "d0"));
                compare(seed, &case, &answers, at, shared.as_ref().unwrap_or(choice), &mut tally);
            }
            next += 1;
        }
        // The number of properties and of plans have common factors.
        next += 1;
        let edges = case.network.processes.iter().map(|p| p.edges.len()).sum::<usize>();
        if edges > 4 && !case.network.clocks.is_empty() {
            small.push((edges, seed));
        }
    }
    small.sort_unstable();
    if !reproducing() {
        for &(_, seed) in small.iter().take(50) {
            let case = Case::new(seed);
            let answers = case.answers().expect("it was explored above");
            for (i, choice) in all.iter().enumerate() {
                compare(seed, &case, &answers, i % PROPERTIES, choice, &mut tally);
            }
        }
    }
    println!("{compared} networks compared, {too_large} too large for regions; {holds} properties hold");
    println!("{} plans in the cover, {} in all; {tally:?}", cover.len(), all.len());
    if !reproducing() && seeds(NETWORKS).end >= NETWORKS {
        assert!(compared >= 3_000, "too many networks are too large");
        assert!(tally.answers * 10 > compared * PROPERTIES as u64 * 8, "too few answers");
        assert!(tally.found * 5 > tally.answers && tally.loops * 20 > tally.replayed);
        assert!(tally.errors > 50 && tally.open * 8 < tally.answers);
    }
}

/// States in which nothing is decided are passed through, and no answer changes.
#[test]
fn what_is_passed_through_is_not_missed() {
    let passes = |c: &Choice| c.get("chains") == Some("on") && c.ends();
    let cover: Vec<Choice> = plans::all().into_iter().filter(passes).collect();
    let mut tally = Tally::default();
    for seed in seeds(NETWORKS / 3) {
        let config = if seed % 3 == 0 { Config::timed() } else { Config::default() };
        let deadlock_percent = if seed % 2 == 0 { 12 } else { 0 };
        let config = Config { max_constant: 2, max_clocks: 2, deadlock_percent, ..config.hurried() };
        let risky_percent = if seed % 7 == 0 { 3 } else { 0 };
        let case = Case::with(seed, Config { risky_guard_percent: 0, risky_percent, ..config });
        let Some(answers) = case.answers() else { continue };
        for at in 0..PROPERTIES {
            let choice = &cover[(seed as usize * PROPERTIES + at) % cover.len()];
            let shared = (seed + at as u64).is_multiple_of(4).then(|| choice.shared(2, "d0"));
            compare(seed, &case, &answers, at, shared.as_ref().unwrap_or(choice), &mut tally);
        }
    }
    println!("{} plans; {tally:?}", cover.len());
    assert!(reproducing() || (tally.passing * 12 > tally.answers && tally.loops * 20 > tally.replayed));
}

/// Latest time that the oracle looks for.
const LATEST: u32 = 8;

fn traced(network: &Network, formula: &Formula, trace: &str, abstraction: &str) -> Report {
    let model = Model::from_network(network.clone()).expect("a valid network");
    let question = Question::property(&model, "random", Property::Possibly(formula.clone()), network);
    let mut options = Options::default();
    options.set("trace", trace).expect("a kind of trace");
    options.set("abstraction", abstraction).expect("an abstraction");
    let plan = options.plan(&model, &question).expect("a sound plan");
    check(&model, &question, &plan, Control::default())
}

/// Where shortest or fastest traces are not, if somewhere; also, whether the
/// formula is reached.
fn not_optimal(network: &Network, formula: &Formula, abstraction: &str) -> Result<bool, String> {
    let (Ok(fewest), Ok(least)) =
        (shortest(network, formula, 2 * LIMIT), fastest(network, formula, LATEST, 8 * LIMIT))
    else {
        return Ok(false);
    };
    let verdict = if fewest.is_some() { Verdict::Satisfied } else { Verdict::NotSatisfied };
    let report = traced(network, formula, "shortest", abstraction);
    let moves = report.trace.as_ref().map(|t| t.steps.iter().filter(|s| !s.participants.is_empty()).count());
    if (report.verdict, moves) != (verdict, fewest) {
        return Err(format!(
            "shortest: {:?} by {moves:?} ({:?}), not {fewest:?}",
            report.verdict, report.why
        ));
    }
    let report = traced(network, formula, "fastest", abstraction);
    let time = report.least_time.map(|least| (least.time, least.attained));
    let expected = least.map(|end| (i64::from(end.value), end.attained));
    if report.verdict != verdict || (expected.is_some() && time != expected) {
        return Err(format!(
            "fastest: {:?} in {time:?} ({:?}), not {expected:?}",
            report.verdict, report.why
        ));
    }
    if let (Some(trace), Some((least, attained))) = (&report.trace, time) {
        replayed(network, trace)?;
        let total = trace.steps.iter().try_fold(Rational::ZERO, |sum, step| sum.checked_add(step.delay));
        let (total, least) = (total.expect("short"), Rational::new(least.into(), 1).expect("small"));
        if (total == least) != attained || total < least {
            return Err(format!("fastest: the trace takes {total}, not {least}"));
        }
    }
    Ok(fewest.is_some())
}

#[test]
fn optimal_traces_agree_with_regions() {
    let (mut asked, mut reached) = (0, 0);
    for seed in seeds(NETWORKS / 6) {
        let config = Config { risky_percent: 0, ..config(seed) };
        let rng = &mut Rng::new(seed);
        let made = network(rng, &config);
        let formula = formula(rng, &config, &made);
        let abstraction = ["extra-lu+", "extra-m", "extra-lu", "extra-m+"][seed as usize % 4];
        match not_optimal(&made, &formula, abstraction) {
            Ok(found) => reached += u64::from(found),
            Err(difference) => {
                let least = minimise(&made, |n| {
                    names_locations_of(&formula, n) && not_optimal(n, &formula, abstraction).is_err()
                });
                panic!(
                    "DWELL_SEED={seed}, {abstraction}: {difference}\n{}\nminimal: {:?}\n{}",
                    describe_formula(&least, &formula),
                    not_optimal(&least, &formula, abstraction),
                    describe(&least)
                );
            }
        }
        asked += 1;
    }
    println!("{asked} asked, {reached} reached");
    assert!(reproducing() || reached * 4 > asked);
}
