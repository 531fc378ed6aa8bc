//! What the user asked for: one table that help texts, the command line and
//! tests are all made from.

use crate::plan::{
    Abstraction, BoundsScope, Chains, CoverRule, DistributionName, OrderName, Plan, SideProof, StoreName,
    Switch, TraceKind,
};
use crate::{Heuristic, Keep, KeepName, Model, OutOfRange, Overflow, Question, Table};

/// One option.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// Without the dashes.
    pub name: &'static str,
    /// What it may be, the default first, each with a line of help.
    pub values: &'static [(&'static str, &'static str)],
    /// What it is for.
    pub help: &'static str,
    /// First version that has it.
    pub since: &'static str,
}

/// Every option that shapes a run.
pub const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "order",
        values: &[
            ("auto", "the plan chooses"),
            ("bfs", "breadth first"),
            ("dfs", "depth first"),
            ("random-dfs", "depth first, the successors of a state in random order; see --seed"),
            ("random", "any of the waiting states; see --seed"),
            ("best-first", "the smallest value of --heuristic first"),
            ("depth", "the fewest transitions from the start first"),
            ("reversed-depth", "the most transitions from the start first; for comparison"),
            ("ranking", "a larger zone overtakes what the smaller one led to, true zones first (R-BFS)"),
            ("true-zone", "zones that nothing can cover first, then breadth first"),
            (
                "waiting",
                "what other states may still lead to waits: topological order of locations and counters",
            ),
            ("tw-bfs", "true zones first, then the waiting order, then breadth first"),
            ("adaptive", "tw-bfs, and ranking from where that makes mistakes"),
            ("unstored-first", "what --keep will not store first, then breadth first"),
        ],
        help: "Search order",
        since: "0.1",
    },
    OptionSpec {
        name: "abstraction",
        values: &[
            ("auto", "the plan chooses"),
            ("extra-m", "maximal constants"),
            ("extra-m+", "maximal constants, refined by the zone's position"),
            ("extra-lu", "lower and upper constants apart"),
            ("extra-lu+", "lower and upper constants, refined by the zone's position"),
            ("a-lu", "exact zones, covered up to the LU-simulation"),
            ("none", "exact zones; may not end"),
        ],
        help: "How zones are abstracted so that finitely many suffice",
        since: "0.1",
    },
    OptionSpec {
        name: "bounds",
        values: &[("local", "per location"), ("global", "one for the whole model")],
        help: "Clock bounds for the abstraction",
        since: "0.1",
    },
    OptionSpec {
        name: "store",
        values: &[
            ("auto", "the plan chooses"),
            ("copy", "every zone in a block of its own"),
            ("shared", "location vectors, variable vectors and zones each once"),
            ("minimal", "zones as minimal constraint graphs"),
            ("shared-minimal", "minimal constraint graphs, each once"),
            ("packed-number", "discrete part and zone as numbers, multiply-and-add; slow, small"),
            ("packed-bits", "zones as bit strings that are compared by subtraction"),
            ("words", "a 32-bit word for everything: what papers compare with"),
            ("bit-state", "a bit for a passed state; may miss states. bit-state:SIZE,FUNCTIONS"),
            ("hash-compact", "a signature for a passed state; may miss states. hash-compact:SIZE,BITS"),
            ("hash-compact-zone", "a signature and a zone; may miss states. hash-compact-zone:SIZE,BITS"),
        ],
        help: "How states are stored",
        since: "0.1",
    },
    OptionSpec {
        name: "cover",
        values: &[
            ("inclusion", "a state is dropped for one with a larger zone"),
            ("equality", "a state is dropped for an equal one only"),
        ],
        help: "When a state need not be explored",
        since: "0.1",
    },
    OptionSpec {
        name: "waiting-inclusion",
        values: &[("on", "with all stored states"), ("off", "with passed states only, when it is taken")],
        help: "What a state is compared with",
        since: "0.3",
    },
    OptionSpec {
        name: "side-proof",
        values: &[
            ("auto", "when a search takes long, unless an order is asked for"),
            ("first", "before anything else"),
            ("off", "never"),
        ],
        help: "Try to show with one zone for each discrete state that there is nothing to be found",
        since: "0.3",
    },
    OptionSpec {
        name: "keep",
        values: &[
            ("all", "every state"),
            ("auto", "as few as can be without visiting many states again"),
            ("non-committed", "those without a committed location"),
            ("entry-points", "those that enter a loop of some automaton"),
            ("covering", "targets of edges that every cycle takes one of; see dwell analyse --covering"),
            ("successors", "those with more than one successor. successors:K cuts chains of K"),
            ("distance", "every K-th of a path. distance:K"),
            ("random", "a share of P. random:P, or random:P,Q with Q for targets of covering edges"),
            ("every", "every K-th that is visited. every:K"),
            ("combination", "branching ones, K covering edges apart. combination:K"),
        ],
        help: "Which states are stored",
        since: "0.1",
    },
    OptionSpec {
        name: "distribution",
        values: &[
            ("auto", "the plan chooses"),
            ("d0", "by the discrete part"),
            ("d1", "by the whole state; zones are not compared then, and many more states are visited"),
            ("d2", "by the variables"),
            ("d3", "by every second location"),
        ],
        help: "Which thread owns a state",
        since: "0.3",
    },
    OptionSpec {
        name: "reduce-clocks",
        values: &[("on", "zones over the active clocks only"), ("off", "all clocks, always")],
        help: "Active-clock reduction",
        since: "0.1",
    },
    OptionSpec {
        name: "reduce-variables",
        values: &[
            (
                "auto",
                "on where a property of a model in UPPAAL's language is asked for, and all states are stored",
            ),
            ("on", "variables that are written before they are read again, or never read, are forgotten"),
            ("off", "all variables, always"),
        ],
        help: "Live-variable reduction",
        since: "0.3",
    },
    OptionSpec {
        name: "chains",
        values: &[
            ("auto", "on where a property of a model in UPPAAL's language is asked for, after 65,536 states"),
            ("on", "states with a single move, in which no time passes, are passed through"),
            ("off", "every state is stored"),
        ],
        help: "Whether states in which nothing is decided are passed through",
        since: "0.3",
    },
    OptionSpec {
        name: "trace",
        values: &[
            ("auto", "some, for a query that a trace explains, in text output; none with --json"),
            ("none", "no trace"),
            ("some", "the first one found"),
            ("shortest", "with the fewest transitions"),
            ("fastest", "with the least time"),
        ],
        help: "Show a run that explains the verdict",
        since: "0.1",
    },
    OptionSpec {
        name: "out-of-range",
        values: &[
            ("error", "the model has failed: a run-time error"),
            ("disable", "the transition is impossible"),
        ],
        help: "What assigning a value outside a variable's range means, in TChecker's format",
        since: "0.1",
    },
    OptionSpec {
        name: "overflow",
        values: &[
            ("wrap", "it is taken modulo 2^32, as UPPAAL does; assignments check the range all the same"),
            ("error", "the model has failed: a run-time error"),
        ],
        help: "What a result that does not fit 32 bits means, in UPPAAL's language",
        since: "0.2",
    },
];

/// Choices for the options of [`OPTIONS`], and those that are no choices.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Options {
    /// `None` is `auto`, here and below.
    pub order: Option<OrderName>,
    pub abstraction: Option<Abstraction>,
    pub bounds: BoundsScope,
    pub store: Option<StoreName>,
    /// For stores that forget.
    pub table: Table,
    pub waiting_inclusion: Switch,
    /// One zone for each discrete state: over-approximate.
    pub convex_hull: Switch,
    pub cover: CoverRule,
    pub side_proof: SideProof,
    /// `None` is every state.
    pub keep: Option<Keep>,
    /// The text of a covering set.
    pub cover_set: Option<String>,
    /// Threads that share the work; 0 is one for every core.
    pub threads: u16,
    /// Processes that do.
    pub ranks: u16,
    pub distribution: Option<DistributionName>,
    pub reduce_clocks: Switch,
    pub reduce_variables: Option<Switch>,
    pub chains: Chains,
    pub trace: Option<TraceKind>,
    pub out_of_range: OutOfRange,
    pub overflow: Overflow,
    /// What `best-first` goes by: an integer expression in UPPAAL's language.
    pub heuristic: Option<String>,
    /// For every random choice.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            order: None,
            abstraction: None,
            bounds: BoundsScope::Local,
            store: None,
            table: Table::default(),
            waiting_inclusion: Switch::On,
            convex_hull: Switch::Off,
            cover: CoverRule::Inclusion,
            side_proof: SideProof::Auto,
            keep: None,
            cover_set: None,
            threads: 1,
            ranks: 1,
            distribution: None,
            reduce_clocks: Switch::On,
            reduce_variables: None,
            chains: Chains::Auto,
            trace: None,
            out_of_range: OutOfRange::Error,
            overflow: Overflow::Wrap,
            heuristic: None,
            seed: 1,
        }
    }
}

impl Options {
    /// Sets an option of [`OPTIONS`] by name.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let spec = OPTIONS.iter().find(|o| o.name == name).ok_or_else(|| format!("no option '{name}'"))?;
        let (value, parameters) = value.split_once(':').map_or((value, None), |(v, p)| (v, Some(p)));
        if !spec.values.iter().any(|(v, _)| *v == value) {
            let values: Vec<&str> = spec.values.iter().map(|(v, _)| *v).collect();
            return Err(format!("--{name} may be {}, not '{value}'", values.join(", ")));
        }
        let takes_more = match name {
            "store" => StoreName::from_name(value).is_some_and(|s| !s.is_exact()),
            "keep" => true, // which says so itself
            _ => false,
        };
        if let (Some(parameters), false) = (parameters, takes_more) {
            return Err(format!("--{name} {value} takes nothing more, such as ':{parameters}'"));
        }
        match name {
            "order" => self.order = OrderName::from_name(value),
            "abstraction" => self.abstraction = Abstraction::from_name(value),
            "bounds" => self.bounds = BoundsScope::from_name(value).unwrap_or(self.bounds),
            "store" => {
                self.store = StoreName::from_name(value);
                self.table = match (self.store, parameters) {
                    (Some(store), Some(text)) if !store.is_exact() => {
                        Table::parse(store, text).map_err(|why| format!("--store {value}: {why}"))?
                    }
                    _ => Table::default(),
                };
            }
            "waiting-inclusion" => {
                self.waiting_inclusion = Switch::from_name(value).unwrap_or(self.waiting_inclusion);
            }
            "cover" => self.cover = CoverRule::from_name(value).unwrap_or(self.cover),
            "side-proof" => self.side_proof = SideProof::from_name(value).unwrap_or(self.side_proof),
            "keep" => {
                self.keep = match (KeepName::from_name(value), parameters) {
                    (Some(rule), Some(text)) => Some(Keep::parse(rule, text)?),
                    (Some(KeepName::All), None) => None,
                    (rule, _) => rule.map(Keep::new),
                };
            }
            "distribution" => self.distribution = DistributionName::from_name(value),
            "reduce-clocks" => self.reduce_clocks = Switch::from_name(value).unwrap_or(self.reduce_clocks),
            "reduce-variables" => self.reduce_variables = Switch::from_name(value),
            "chains" => self.chains = Chains::from_name(value).unwrap_or(self.chains),
            "trace" => self.trace = TraceKind::from_name(value),
            "out-of-range" => {
                self.out_of_range = if value == "disable" { OutOfRange::Disable } else { OutOfRange::Error };
            }
            "overflow" => self.overflow = if value == "error" { Overflow::Error } else { Overflow::Wrap },
            other => unreachable!("option {other} of the table has no place"),
        }
        Ok(())
    }

    /// Decides what will be done, or says why that makes no sense.
    pub fn plan(&self, model: &Model, question: &Question) -> Result<Plan, String> {
        let heuristic = self.heuristic.as_ref().map(|text| Heuristic::new(model, text)).transpose()?;
        let plan = Plan::new(self, model, heuristic, question)?;
        question.refuses(&plan).map_or(Ok(plan), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_of_every_option_can_be_set_and_nothing_else() {
        let mut options = Options::default();
        for spec in OPTIONS {
            for (value, _) in spec.values {
                options.set(spec.name, value).unwrap();
            }
            assert!(options.set(spec.name, "nonsense").unwrap_err().contains(spec.values[0].0));
        }
        assert!(options.set("nonsense", "x").is_err());
    }

    #[test]
    fn an_explicit_value_is_kept() {
        let mut options = Options::default();
        options.set("order", "dfs").unwrap();
        options.set("cover", "equality").unwrap();
        options.set("reduce-clocks", "off").unwrap();
        assert_eq!(options.order, Some(OrderName::Dfs));
        assert_eq!(options.cover, CoverRule::Equality);
        assert_eq!(options.reduce_clocks, Switch::Off);
        options.set("order", "auto").unwrap();
        assert_eq!(options.order, None);
    }
}
