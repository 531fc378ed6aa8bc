//! The ways a question can be answered: every sound mix of options, and a
//! small choice among them.
//!
//! All come from [`OPTIONS`], so a new value joins the tests by being there.
//! Left out are `auto`, which stands for another value, and the options that
//! change what is shown or what the model means rather than how states are
//! explored. Stores that forget give other answers and have tests of their
//! own. `best-first` needs an expression about the model and has tests of
//! its own.
//!
//! [`pairwise`] is a covering array of strength two: most mistakes in mixes
//! need two values to meet, and every sound pair of values does meet there
//! (Kuhn, Wallace, Gallo: *Software fault interactions and implications for
//! software testing*, IEEE TSE 2004).

use dwell_base::Rng;
use dwell_engine::{Model, OPTIONS, OptionSpec, Options, Plan, Question, StoreName};
use std::collections::{HashMap, HashSet};
use std::fmt;

/// Options that do not shape the exploration.
const LEFT_OUT: [&str; 4] = ["trace", "out-of-range", "overflow", "distribution"];

/// Choices with two given values, one of them of an option of [`SPARING`].
const SOME: usize = 2;
/// How many are drawn for them.
const TRIES: usize = 12;

/// Choices that are looked at for the next of a cover.
const CANDIDATES: usize = 400;

/// One value for each option that shapes the exploration.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Choice {
    values: Vec<(&'static str, &'static str)>,
    /// Threads, where there are several, and which owns a state.
    shared: Option<(u16, &'static str)>,
}

impl Choice {
    /// The default options with these values.
    pub fn options(&self) -> Options {
        let mut options = Options::default();
        for (name, value) in &self.values {
            options.set(name, value).expect("a value from the table");
        }
        if let Some((threads, distribution)) = self.shared {
            options.threads = threads;
            options.set("distribution", distribution).expect("a value from the table");
        }
        options
    }

    /// The same with several threads, and who owns a state.
    pub fn shared(&self, threads: u16, distribution: &'static str) -> Self {
        Self { shared: Some((threads, distribution)), ..self.clone() }
    }

    /// The plan for a question about `model`, or why this choice is unsound
    /// there.
    pub fn plan(&self, model: &Model, question: &Question) -> Result<Plan, String> {
        self.options().plan(model, question)
    }

    /// The value chosen for an option.
    pub fn get(&self, option: &str) -> Option<&'static str> {
        self.values.iter().find(|(name, _)| *name == option).map(|&(_, value)| value)
    }

    /// Whether the run ends on every model, and soon on small ones. Exact zones
    /// need not; and where not all states are stored, orders that follow one
    /// path at a time visit very many states very often.
    pub fn ends(&self) -> bool {
        let one_path = ["dfs", "random-dfs", "random", "reversed-depth", "unstored-first"];
        let patient = self.keeps_all() || !self.get("order").is_some_and(|order| one_path.contains(&order));
        patient && self.get("abstraction") != Some("none")
    }

    /// Whether every state that is taken stays.
    pub fn keeps_all(&self) -> bool {
        self.get("keep") == Some("all")
    }

    /// Whether every state is stored.
    pub fn stores_all(&self) -> bool {
        self.keeps_all() && self.get("chains") == Some("off")
    }

    /// Whether every state is stored, with the values of all variables.
    pub fn stores_everything(&self) -> bool {
        self.stores_all() && self.get("reduce-variables") == Some("off")
    }

    fn has(&self, pair: &[(&str, &str); 2]) -> bool {
        pair.iter().all(|value| self.values.contains(value))
    }

    /// Every two of the values.
    fn pairs(&self) -> impl Iterator<Item = [(&'static str, &'static str); 2]> + '_ {
        let firsts = self.values.iter().enumerate();
        firsts.flat_map(|(i, &a)| self.values[i + 1..].iter().map(move |&b| [a, b]))
    }
}

/// As a user would write it.
impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (name, value)) in self.values.iter().enumerate() {
            write!(f, "{}--{name} {value}", if i == 0 { "" } else { " " })?;
        }
        if let Some((threads, distribution)) = self.shared {
            write!(f, " --threads {threads} --distribution {distribution}")?;
        }
        Ok(())
    }
}

/// Options whose values are not tried with everything, and the value that is:
/// for each other one there are some choices with every other value.
const SPARING: [(&str, &str); 4] =
    [("keep", "all"), ("side-proof", "off"), ("reduce-variables", "off"), ("chains", "off")];

/// The values of an option that plans are made with.
fn values(spec: &'static OptionSpec) -> impl Iterator<Item = (&'static str, &'static str)> {
    let exact = |value: &str| StoreName::from_name(value).is_none_or(StoreName::is_exact);
    // Of these it does something of its own.
    let auto = move |value: &str| value == "auto" && spec.name != "keep";
    spec.values.iter().map(|&(value, _)| (spec.name, value)).filter(move |(_, v)| !auto(v) && exact(v))
}

fn shaping() -> impl Iterator<Item = &'static OptionSpec> {
    OPTIONS.iter().filter(|spec| !LEFT_OUT.contains(&spec.name))
}

/// Every choice that is sound for models without diagonal constraints, with the
/// usual value of sparing options; and some with their others, since
/// everything with everything would be too much.
pub fn all() -> Vec<Choice> {
    let model = plain_model();
    let sound = |choice: &Choice| choice.plan(&model, &Question::space()).is_ok();
    let mut choices = vec![Choice { values: Vec::new(), shared: None }];
    for spec in shaping() {
        let usual = SPARING.iter().find(|(name, _)| *name == spec.name);
        let with = |choice: &Choice, value| {
            let mut longer = choice.clone();
            longer.values.push(value);
            longer
        };
        let values = || values(spec).filter(|value| usual.is_none_or(|usual| usual == value));
        choices = choices.iter().flat_map(|c| values().map(move |v| with(c, v))).collect();
    }
    choices.retain(sound);
    let mut rng = Rng::new(1);
    let mut met = HashSet::new();
    let others = shaping()
        .flat_map(values)
        .filter(|&(name, value)| SPARING.iter().any(|&(sparing, usual)| sparing == name && usual != value));
    for rare in others {
        for second in shaping().flat_map(values).filter(|second| second.0 != rare.0) {
            let draw = |_| with_both(&mut rng, rare, second);
            choices.extend((0..TRIES).map(draw).filter(sound).take(SOME).filter(|c| met.insert(c.clone())));
        }
    }
    choices
}

/// Those of [`all`] with the usual values of sparing options.
pub fn usual() -> Vec<Choice> {
    let usual = |c: &Choice| SPARING.iter().all(|&(name, value)| c.get(name) == Some(value));
    all().into_iter().filter(usual).collect()
}

/// Those that keep all states: the others have to walk through a model first, or
/// visit states very often, and are for tests with fewer networks.
pub fn patient(choices: Vec<Choice>) -> Vec<Choice> {
    choices.into_iter().filter(Choice::keeps_all).collect()
}

/// Any choice with these two values.
fn with_both(rng: &mut Rng, first: (&str, &'static str), second: (&str, &'static str)) -> Choice {
    let value = |spec: &'static OptionSpec| match spec.name {
        name if name == first.0 => (name, first.1),
        name if name == second.0 => (name, second.1),
        _ => *rng.pick(&values(spec).collect::<Vec<_>>()),
    };
    Choice { values: shaping().map(value).collect(), shared: None }
}

/// Some of these, with every pair of values that occurs in them, and at least
/// `at_least` if there are that many. Greedy: of those with some pair that is
/// still to be met, drawn by `seed`, always the one whose pairs have been met
/// least.
pub fn pairwise(mut left: Vec<Choice>, seed: u64, at_least: usize) -> Vec<Choice> {
    let mut met: HashMap<[(&str, &str); 2], u32> = HashMap::new();
    let pairs = left.iter().flat_map(Choice::pairs);
    let mut unmet: Vec<_> = pairs.filter(|pair| met.insert(*pair, 0).is_none()).collect();
    let mut rng = Rng::new(seed);
    let mut chosen = Vec::new();
    while !left.is_empty() && (chosen.len() < at_least || !unmet.is_empty()) {
        // How often the pairs were met, fewest first: lexicographic, so that
        // a pair that is new counts more than any number of others.
        let rank = |choice: &Choice| {
            let mut times: Vec<u32> = choice.pairs().map(|pair| met[&pair]).collect();
            times.sort_unstable();
            times
        };
        // Few choices have a rare pair: drawn among all they would be met late.
        let with = |i: &usize| unmet.first().is_none_or(|pair| left[*i].has(pair));
        let mut drawn: Vec<usize> = (0..left.len()).filter(with).collect();
        // Among a few hundred there is always one nearly as good as the best.
        for at in 0..drawn.len().min(CANDIDATES) {
            let rest = drawn.len() - at;
            drawn.swap(at, at + rng.below(rest as u64) as usize);
        }
        let candidates = drawn.into_iter().take(CANDIDATES);
        let best = candidates.min_by_key(|&i| rank(&left[i])).expect("some are left");
        let choice = left.swap_remove(best);
        for pair in choice.pairs() {
            *met.get_mut(&pair).expect("all pairs are known") += 1;
        }
        unmet.retain(|pair| met[pair] == 0);
        chosen.push(choice);
    }
    chosen
}

/// A model on which nothing but the options themselves is a reason to refuse.
fn plain_model() -> Model {
    let text =
        "system:plain\nevent:e\nclock:1:x\nprocess:P\nlocation:P:l{initial:}\nedge:P:l:l:e{provided:x>=1}\n";
    Model::from_tchecker(text, &Default::default()).expect("a correct model")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_of_every_shaping_option_occurs() {
        let all = all();
        // best-first needs an expression about the model at hand.
        for (name, value) in shaping().flat_map(values).filter(|(_, value)| *value != "best-first") {
            assert!(all.iter().any(|c| c.get(name) == Some(value)), "{name} {value}");
        }
        let distinct: HashSet<&Choice> = all.iter().collect();
        assert_eq!(distinct.len(), all.len());
        assert!(
            all.iter().all(|c| !(c.get("abstraction") == Some("a-lu") && c.get("cover") == Some("equality")))
        );
    }

    #[test]
    fn the_cover_meets_every_sound_pair_and_is_fixed_by_its_seed() {
        let pairs = |choices: &[Choice]| -> HashSet<_> {
            choices.iter().flat_map(|c| c.pairs().collect::<Vec<_>>()).collect()
        };
        for (choices, enough) in [(all(), 150), (patient(all()), 100)] {
            for seed in 0..3 {
                let least = pairwise(choices.clone(), seed, 0);
                assert!(least.len() < enough, "{} of {}", least.len(), choices.len());
                let cover = pairwise(choices.clone(), seed, enough);
                assert_eq!(cover.len(), enough);
                assert_eq!(cover, pairwise(choices.clone(), seed, enough));
                assert_eq!(cover.iter().collect::<HashSet<_>>().len(), cover.len());
                assert!([&least, &cover].iter().all(|cover| pairs(cover) == pairs(&choices)), "seed {seed}");
            }
        }
    }
}
