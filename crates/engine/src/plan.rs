//! What will be done, and why. Data: printable, comparable, refusing mixes
//! that are unsound.

use crate::covering::Covering;
use crate::keep::Keep;
use crate::{Heuristic, KeepName, Model, Options, Question, Table, chains, spread, variables};
use dwell_explore::Worker;
use dwell_explore::rank::{EdgeOrder, passes_values};
use dwell_model::analysis::{ClockFacts, VariableFacts};
use dwell_zones::Bound;
use std::fmt;
use std::sync::Arc;
use std::thread::available_parallelism;

/// Declares an enum whose variants have the names users write.
macro_rules! named {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum $name { $($variant,)* }

        impl $name {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// As users write it.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }

            /// The one with this name.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|v| v.name() == name)
            }
        }
    };
}

pub(crate) use named;

named! {
    /// Search orders.
    OrderName {
        Bfs = "bfs",
        Dfs = "dfs",
        RandomDfs = "random-dfs",
        Random = "random",
        BestFirst = "best-first",
        Depth = "depth",
        ReversedDepth = "reversed-depth",
        Ranking = "ranking",
        TrueZone = "true-zone",
        Waiting = "waiting",
        TwBfs = "tw-bfs",
        Adaptive = "adaptive",
        UnstoredFirst = "unstored-first",
    }
}
named! {
    /// Abstractions.
    Abstraction {
        ExtraM = "extra-m",
        ExtraMPlus = "extra-m+",
        ExtraLu = "extra-lu",
        ExtraLuPlus = "extra-lu+",
        ALu = "a-lu",
        None = "none",
    }
}
named! {
    /// Where clock bounds are taken from.
    BoundsScope { Local = "local", Global = "global", }
}
named! {
    /// Stores.
    StoreName { Copy = "copy", Shared = "shared", Minimal = "minimal", SharedMinimal = "shared-minimal",
        PackedNumber = "packed-number",
        PackedBits = "packed-bits",
        Words = "words",
        BitState = "bit-state",
        HashCompact = "hash-compact",
        HashCompactZone = "hash-compact-zone",
    }
}
named! {
    /// When a state covers another.
    CoverRule { Inclusion = "inclusion", Equality = "equality", }
}
named! {
    /// On or off.
    Switch { On = "on", Off = "off", }
}
named! {
    /// When states in which nothing is decided are passed through.
    Chains { Auto = "auto", On = "on", Off = "off", }
}
named! {
    /// When a proof on over-approximated states is tried.
    SideProof { Auto = "auto", First = "first", Off = "off", }
}
named! {
    /// Which worker owns a state (paper 4).
    DistributionName { D0 = "d0", D1 = "d1", D2 = "d2", D3 = "d3", }
}
named! {
    /// Traces.
    TraceKind { None = "none", Some = "some", Shortest = "shortest", Fastest = "fastest", }
}
named! {
    /// Width of the bounds in a zone.
    Width { Bits16 = "16", Bits32 = "32", }
}

impl Width {
    /// As a number.
    pub fn bits(self) -> u32 {
        match self {
            Self::Bits16 => 16,
            Self::Bits32 => 32,
        }
    }
}

/// Why a part of the plan is what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// Which part.
    pub part: &'static str,
    /// What was chosen.
    pub choice: &'static str,
    /// Why.
    pub why: String,
}

/// What will be done.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Plan {
    pub order: OrderName,
    pub abstraction: Abstraction,
    pub bounds: BoundsScope,
    pub store: StoreName,
    /// Of a store that forgets.
    pub table: Table,
    /// Whether new states are compared with those that wait.
    pub waiting_inclusion: Switch,
    /// Whether each discrete state has one zone, which includes all that came.
    pub convex_hull: Switch,
    pub cover: CoverRule,
    pub keep: Keep,
    /// For strategies that go by one.
    pub covering: Option<Covering>,
    pub reduce_clocks: Switch,
    /// Variables that are forgotten where nothing depends on them.
    pub variables: Option<Arc<VariableFacts>>,
    pub chains: Chains,
    pub trace: TraceKind,
    /// For [`OrderName::BestFirst`], unless the least time counts.
    pub heuristic: Option<Heuristic>,
    /// How the waiting order searches the automata.
    pub edges: EdgeOrder,
    /// When it is tried to show with one zone for each discrete state that
    /// nothing can be found.
    pub side_proof: SideProof,
    /// How many threads of this process share the work.
    pub workers: Worker,
    /// How many processes do.
    pub ranks: Worker,
    /// Which of them owns a state.
    pub distribution: DistributionName,
    /// For every random choice.
    pub seed: u64,
    /// Whether a failure of the model is shown with the way to it.
    pub failure_trace: Switch,
    /// The width zones start with; a run that overflows it goes on wider.
    pub width: Width,
    /// One for each part.
    pub reasons: Vec<Reason>,
}

impl Plan {
    /// How many share the work, in all processes.
    pub fn all_workers(&self) -> Worker {
        self.workers * self.ranks
    }
}

/// What a question looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aim {
    /// Nothing: everything is explored.
    Nothing,
    /// Least and greatest values, over all states.
    Values,
    /// A state.
    State,
    /// A state that one hopes is not there.
    Violation,
    /// A state with labels, which mostly is one of those.
    Labels,
    /// A run that goes on for ever, from the start.
    RunFromStart,
    /// One from some state.
    RunFromState,
}

impl Aim {
    fn is_state(self) -> bool {
        matches!(self, Self::State | Self::Violation | Self::Labels)
    }
}

pub(crate) const ASKED: &str = "asked for";

impl Plan {
    /// What is sound and yet hardly what one wants.
    pub fn warning(&self) -> Option<&'static str> {
        (self.workers > 1 && self.distribution == DistributionName::D1).then_some(
            "--distribution d1: zones of one discrete state lie with different threads and cannot cover each \
             other; many more states may be visited",
        )
    }

    pub(crate) fn new(
        options: &Options,
        model: &Model,
        heuristic: Option<Heuristic>,
        question: &Question,
    ) -> Result<Self, String> {
        let (facts, aim) = (question.facts(model), question.aim());
        let mut reasons = Vec::new();
        let mut because = |part, choice, why: String| reasons.push(Reason { part, choice, why });

        refuse_order(options)?;
        let trace = match options.trace {
            // There is no state to be found.
            Some(TraceKind::Shortest | TraceKind::Fastest) if !aim.is_state() => TraceKind::Some,
            asked => asked.unwrap_or(TraceKind::None),
        };
        let keep = kept(options, trace, aim)?;
        let (workers, ranks, why) = workers(options, trace, aim);
        if let Some(why) = why {
            because("threads", if workers * ranks == 1 { "one" } else { "several" }, why);
        }
        // Runs that go on for ever are shared by where they start.
        let owners = if aim == Aim::RunFromStart { 1 } else { workers * ranks };
        let (distribution, why) = spread::planned(options, owners, model)?;
        if owners > 1 {
            because("distribution", distribution.name(), why);
        }
        // All states are to be seen, or so one hopes, and any order will do. Strategies that do not
        // learn what an order costs them go with the one in which paths of one length meet.
        let thorough = matches!(aim, Aim::Nothing | Aim::Violation | Aim::Labels)
            && options.cover == CoverRule::Inclusion
            && options.waiting_inclusion == Switch::On
            && options.convex_hull == Switch::Off
            && options.store.is_none_or(StoreName::is_exact)
            && matches!(keep.rule, KeepName::All | KeepName::Auto);
        let thorough = thorough && !matches!(trace, TraceKind::Shortest | TraceKind::Fastest);
        // Workers that follow one order through the model meet the same states at about the same
        // time, while they are in the cache: twice the speed where it decides nothing else.
        let shared = workers * ranks > 1;
        let followed = thorough && (shared || !passes_values(model.network()));
        let order = match trace {
            TraceKind::Fastest => OrderName::BestFirst,
            _ if aim == Aim::RunFromStart => OrderName::Dfs,
            _ => options.order.unwrap_or(match thorough {
                true if followed => OrderName::Adaptive,
                true => OrderName::Ranking,
                false if shared => OrderName::Depth,
                false => OrderName::Bfs,
            }),
        };
        let why = match trace {
            _ if aim == Aim::RunFromStart => "runs that go on for ever are looked for depth first",
            _ if aim == Aim::RunFromState => {
                "for where runs start; those that go on for ever are looked for depth first"
            }
            TraceKind::Fastest => "by time: what can be reached earliest comes first, for the fastest trace",
            TraceKind::Shortest => "strictly by the number of transitions, for the shortest trace",
            _ if thorough && !followed => {
                "makes mistakes cheap; variables get values from each other, so the waiting order means little"
            }
            _ if thorough => {
                "tw-bfs usually visits fewest states; where it makes mistakes, ranking makes them cheap"
            }
            _ if !keep.is_all() => {
                "what is not stored is still waiting when it is met again by another way of the same length"
            }
            _ => "short ways often lead to large zones, and traces come out short",
        };
        let why = match &heuristic {
            Some(heuristic) => format!("{ASKED}, by {}", heuristic.text),
            None => asked_or(options.order.is_some() && aim != Aim::RunFromStart, why),
        };
        because("order", order.name(), why);
        if let TraceKind::Shortest | TraceKind::Fastest = trace {
            because("trace", trace.name(), ASKED.into());
        }

        let abstraction = match options.abstraction {
            Some(abstraction) => abstraction,
            None if facts.diagonals && facts.differences.is_none() => Abstraction::None,
            None if facts.diagonals => Abstraction::ExtraM,
            None => Abstraction::ExtraLuPlus,
        };
        let why = match abstraction {
            Abstraction::None => {
                "clocks are compared with each other in too many ways for zones to be split at each; \
                 with exact zones the run may not end"
            }
            Abstraction::ExtraM => {
                "differences of clocks are compared: zones are split at each of them before they are widened"
            }
            _ => "the coarsest extrapolation that is sound here",
        };
        because("abstraction", abstraction.name(), asked_or(options.abstraction.is_some(), why));
        refuse(options, abstraction, facts)?;
        refuse_fastest(options, abstraction)?;

        let why = match options.bounds {
            BoundsScope::Local if abstraction == Abstraction::None => "not used: zones are exact",
            BoundsScope::Local => "what is compared after the next reset of a clock does not count",
            BoundsScope::Global => ASKED,
        };
        because("bounds", options.bounds.name(), why.into());

        let store = options.store.unwrap_or(StoreName::Shared);
        let why = "zones that recur at other discrete states are kept once; costs little where none do";
        let why = match store.is_exact() {
            false => format!("{ASKED}, with {}", options.table.show(store)),
            true => asked_or(options.store.is_some(), why),
        };
        because("store", store.name(), why);
        crate::approximate::refuse(options, store, abstraction, trace, aim)?;

        let why = match options.cover {
            CoverRule::Inclusion => "a smaller zone can do nothing that a larger one cannot",
            CoverRule::Equality => ASKED,
        };
        because("cover", options.cover.name(), why.into());
        if options.waiting_inclusion == Switch::Off {
            because("waiting", "off", "asked for: states that wait are not compared".into());
        }
        if options.convex_hull == Switch::On {
            because("convex-hull", "on", "asked for: what is found may not be there".into());
        }
        let covering = Covering::planned(options, keep, model)?;
        let why = match (&covering, options.keep) {
            (Some(covering), _) => format!("{ASKED}; {covering}"),
            (None, Some(asked)) if asked != keep => {
                "every state is stored: the answer needs all of them at once".into()
            }
            (None, Some(_)) => ASKED.into(),
            (None, None) => "every state is stored".into(),
        };
        because("keep", keep.rule.name(), why);
        let why = match options.reduce_clocks {
            Switch::On => "clocks that are reset before they are compared need not be stored",
            Switch::Off => ASKED,
        };
        because("reduce-clocks", options.reduce_clocks.name(), why.into());
        let (variables, why) = variables::planned(options, model, question, keep)?;
        if let Some(why) = why {
            because("reduce-variables", if variables.is_some() { "on" } else { "off" }, why);
        }

        let (chains, why) = chains::planned(options, model, keep, trace, (facts, aim))?;
        if let Some(why) = why {
            because("chains", chains.name(), why);
        }

        let side_proof = side_proof(options, abstraction, trace, aim);
        if side_proof != SideProof::Off {
            let why = match side_proof {
                SideProof::First => ASKED,
                _ => "a search that goes on for long is interrupted: one zone for each discrete state may do",
            };
            because("side-proof", side_proof.name(), why.into());
        }
        let width = width(facts, abstraction);
        because("width", width.0.name(), width.1);
        Ok(Self {
            order,
            abstraction,
            bounds: options.bounds,
            store,
            table: options.table,
            waiting_inclusion: options.waiting_inclusion,
            convex_hull: options.convex_hull,
            cover: options.cover,
            keep,
            covering,
            reduce_clocks: options.reduce_clocks,
            variables,
            chains,
            trace,
            heuristic,
            edges: EdgeOrder::default(),
            side_proof,
            workers,
            ranks,
            distribution,
            seed: options.seed,
            failure_trace: if options.trace == Some(TraceKind::None) { Switch::Off } else { Switch::On },
            width: width.0,
            reasons,
        })
    }
}

/// Which states are stored. Runs that go on for ever have searches of their
/// own, and the fastest run comes back to a state that was taken.
fn kept(options: &Options, trace: TraceKind, aim: Aim) -> Result<Keep, String> {
    let keep = options.keep.unwrap_or(match &options.cover_set {
        Some(_) => Keep::new(KeepName::Covering),
        None => Keep::ALL,
    });
    if keep.is_all() && options.order == Some(OrderName::UnstoredFirst) {
        return Err(
            "--order unstored-first is for --keep: with --keep all there is no state that will not be stored"
                .into(),
        );
    }
    if keep.is_all() {
        return Ok(keep);
    }
    let reason = if options.store.is_some_and(|store| !store.is_exact()) {
        "a store that forgets stores no state"
    } else if options.convex_hull == Switch::On {
        "with --convex-hull a state is all that came to its discrete part"
    } else if options.waiting_inclusion == Switch::Off {
        "states that are not stored are found again while they wait only, so --waiting-inclusion must be on"
    } else if matches!(aim, Aim::RunFromStart | Aim::RunFromState) || trace == TraceKind::Fastest {
        return Ok(Keep::ALL);
    } else {
        return Ok(keep);
    };
    Err(format!("--keep {keep} cannot be used here: {reason}"))
}

/// Whether a proof on the side can answer: something is looked for that
/// may not be there, and hulls of zones come to an end. Who asks for an order
/// wants to see what it does; so do those who ask for labels, of whose models
/// counts are published.
fn side_proof(options: &Options, abstraction: Abstraction, trace: TraceKind, aim: Aim) -> SideProof {
    let looked_for = !matches!(aim, Aim::Nothing | Aim::Values);
    let exact = options.store.is_none_or(StoreName::is_exact) && options.convex_hull == Switch::Off;
    let ends = !matches!(abstraction, Abstraction::ALu | Abstraction::None) && trace != TraceKind::Fastest;
    let plain = options.order.is_none()
        && options.cover == CoverRule::Inclusion
        && options.waiting_inclusion == Switch::On
        && aim != Aim::Labels;
    match options.side_proof {
        SideProof::First if looked_for && exact && ends => SideProof::First,
        SideProof::Auto if looked_for && exact && ends && plain => SideProof::Auto,
        _ => SideProof::Off,
    }
}

/// How many share the work, and why, if that was asked for.
fn workers(options: &Options, trace: TraceKind, aim: Aim) -> (Worker, Worker, Option<String>) {
    let most = Worker::try_from(available_parallelism().map_or(1, usize::from)).unwrap_or(Worker::MAX);
    let asked = if options.threads == 0 { most } else { options.threads };
    let alone = match aim {
        Aim::RunFromState => Some("runs that go on for ever are looked for depth first"),
        Aim::RunFromStart if options.ranks > 1 => {
            Some("runs that go on for ever are looked for by one process")
        }
        _ if trace == TraceKind::Fastest => Some("states are looked at in the order of time"),
        _ if options.store.is_some_and(|store| !store.is_exact()) => {
            Some("a store that forgets is one table")
        }
        _ => None,
    };
    let ranks = options.ranks.max(1);
    match alone {
        _ if asked * ranks == 1 => (1, 1, (options.threads != 1).then(|| "there is one core".into())),
        Some(why) => (1, 1, Some(format!("{why}, which is for one thread alone"))),
        None if ranks == 1 => (asked, 1, Some(format!("{asked} threads, each with a list of its own"))),
        None => (asked, ranks, Some(format!("{ranks} processes of {asked}, each with a list of its own"))),
    }
}

fn asked_or(asked: bool, why: &str) -> String {
    if asked { ASKED.into() } else { why.into() }
}

/// Mixes that would give wrong answers or make no sense.
fn refuse(options: &Options, abstraction: Abstraction, facts: &ClockFacts) -> Result<(), String> {
    if facts.diagonals && facts.differences.is_none() && abstraction != Abstraction::None {
        return Err(format!(
            "--abstraction {} is unsound here: differences of clocks are compared (x - y < c) and cannot be \
             listed, since clocks are copied or bounds vary too much; use --abstraction none",
            abstraction.name()
        ));
    }
    if facts.diagonals && !matches!(abstraction, Abstraction::None | Abstraction::ExtraM) {
        return Err(format!(
            "--abstraction {} is unsound here: differences of clocks are compared (x - y < c), and with such \
             constraints it may call an unreachable state reachable; use --abstraction extra-m, which splits \
             zones at the differences, or none",
            abstraction.name()
        ));
    }
    if abstraction == Abstraction::ALu && options.cover == CoverRule::Equality {
        return Err(
            "--abstraction a-lu is a way of covering states, so it cannot go with --cover equality: \
                    exact zones compared for equality only would be --abstraction none --cover equality"
                .into(),
        );
    }
    Ok(())
}

/// Orders that lack something or contradict the trace asked for.
fn refuse_order(options: &Options) -> Result<(), String> {
    let best_first = options.order == Some(OrderName::BestFirst);
    if let (Some(kind @ (TraceKind::Shortest | TraceKind::Fastest)), Some(order)) =
        (options.trace, options.order)
        && (kind, order) != (TraceKind::Shortest, OrderName::Bfs)
    {
        let own = match kind {
            TraceKind::Shortest => "breadth first",
            _ => "in the order of time",
        };
        return Err(format!(
            "--trace {} is found by searching {own}, so it cannot go with --order {}; leave --order away",
            kind.name(),
            order.name()
        ));
    }
    let unified = options.waiting_inclusion == Switch::On && options.store.is_none_or(StoreName::is_exact);
    if let Some(order @ (OrderName::Ranking | OrderName::Adaptive)) = options.order
        && !unified
    {
        return Err(format!(
            "--order {} goes by which states take the place of which, so it needs a list of all states and \
             --waiting-inclusion on",
            order.name()
        ));
    }
    match (&options.heuristic, best_first) {
        (None, true) => {
            Err("--order best-first needs --heuristic EXPR: states with the smallest value come \
                             first"
                .into())
        }
        (Some(_), false) => {
            Err("--heuristic is for --order best-first; the other orders do not look at it".into())
        }
        _ => Ok(()),
    }
}

/// The fastest trace needs zones that can be compared by time.
fn refuse_fastest(options: &Options, abstraction: Abstraction) -> Result<(), String> {
    if options.trace != Some(TraceKind::Fastest) {
        return Ok(());
    }
    if abstraction == Abstraction::ALu {
        return Err(
            "--trace fastest cannot go with --abstraction a-lu: it covers states by what they can do, \
                    not by when; use an extrapolation, such as extra-lu+"
                .into(),
        );
    }
    if options.cover == CoverRule::Equality {
        return Err(
            "--trace fastest cannot go with --cover equality: the same state later is another state, \
                    so there is no end of them; use --cover inclusion"
                .into(),
        );
    }
    Ok(())
}

/// 16 bits where the constants leave room for sums: half the memory, twice the
/// lanes. Wrong guesses are noticed while running and the run goes on wider.
fn width(facts: &ClockFacts, abstraction: Abstraction) -> (Width, String) {
    let largest = facts.largest_constant;
    let limit = i64::from(<i16 as Bound>::MAX_CONSTANT);
    if largest <= limit / 2 {
        let exact = matches!(abstraction, Abstraction::None | Abstraction::ALu);
        let zones = if exact { "exact zones" } else { "sums of bounds" };
        (
            Width::Bits16,
            format!("the largest constant is {largest}; should {zones} outgrow it, 32 bits take over"),
        )
    } else {
        (Width::Bits32, format!("the largest constant may be {largest}"))
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for reason in &self.reasons {
            writeln!(f, "  {:<18}{:<19}{}", reason.part, reason.choice, reason.why)?;
        }
        Ok(())
    }
}
