//! Covering sets on whole zone graphs: without the transitions that take an
//! edge of the set there is no cycle left. The graphs are made state by state,
//! two states being the same only if their zones are equal, so every infinite
//! path of an exploration is a path in them.

use dwell_base::Rng;
use dwell_engine::covering_sets::{Coefficients, EdgeSet, build, entry_points, verify};
use dwell_engine::{Format, LoadOptions, Model, random_walk};
use dwell_model::{Network, System};
use dwell_semantics::{
    Conjunction, Participant, Role, Stepper, SymbolicState, Transitions, ZoneFault, ZoneSystem,
};
use dwell_testkit::random::{Config, describe, minimise, network};
use dwell_testkit::seeds::{reproducing, seeds};
use dwell_zones::{LuBounds, Zone};
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

/// Random networks in the default run.
const NETWORKS: u64 = 1_200;

/// Most states of a graph.
const LIMIT: usize = 4_000;

/// The extrapolations, from the finest to the coarsest.
type Widen = fn(&mut Zone<i32>, &LuBounds<i32>);
const WIDEN: [Widen; 4] = [Zone::extra_m, Zone::extra_lu, Zone::extra_m_plus, Zone::extra_lu_plus];

/// For each state the transitions that leave it: participants and target.
type Graph = Vec<Vec<(Vec<Participant>, usize)>>;

/// Locations, variables and bounds.
type Key = (Vec<u32>, Vec<i32>, Vec<i32>);

struct Builder<'s> {
    stepper: Stepper<'s, i32>,
    widen: Widen,
    numbers: HashMap<Key, usize>,
    states: Vec<SymbolicState<i32>>,
}

impl Builder<'_> {
    /// The number of a state, after extrapolation.
    fn number(&mut self, mut state: SymbolicState<i32>) -> usize {
        let system = self.stepper.system;
        let mut bounds = LuBounds::new(system.zone_dimension());
        for (process, &l) in system.facts.local.iter().zip(&state.discrete.locations) {
            for &(clock, lower, upper) in &process[l as usize].clocks {
                let x = clock.index() + 1;
                lower.into_iter().for_each(|c| bounds.raise_lower(x, c));
                upper.into_iter().for_each(|c| bounds.raise_upper(x, c));
            }
        }
        (self.widen)(&mut state.zone, &bounds);
        let dim = state.zone.dim();
        let cells = (0..dim).flat_map(|i| state.zone.row(i)[..dim].to_vec()).collect();
        let key = (state.discrete.locations.clone(), state.discrete.vars(system).to_vec(), cells);
        let new = self.states.len();
        let number = *self.numbers.entry(key).or_insert(new);
        if number == new {
            self.states.push(state);
        }
        number
    }

    fn successors(&self, from: &SymbolicState<i32>) -> Vec<(Vec<Participant>, SymbolicState<i32>)> {
        let mut from = from.clone();
        let mut invariants = Conjunction::new(from.zone.dim());
        let zones = self.stepper.zones;
        zones.invariants(self.stepper.system, &mut from.discrete, &mut invariants).expect("it was entered");
        assert!(invariants.apply(&mut from.zone).expect("small constants"), "it was entered");
        let mut found = Vec::new();
        // What fails while running has no successors.
        let Ok(moves) = self.stepper.moves(&from) else { return found };
        for m in 0..moves.len() {
            match self.stepper.step(&from, moves.get(m)) {
                Ok(states) => found.extend(states.into_iter().map(|state| (moves.get(m).to_vec(), state))),
                Err(ZoneFault::Runtime(_)) => {}
                Err(fault) => panic!("{fault:?}"),
            }
        }
        found
    }
}

/// The zone graph; `None` when it has too many states.
fn graph(system: &System, widen: Widen, limit: usize) -> Option<Graph> {
    let transitions = Transitions::new(system);
    let zones = ZoneSystem::new(system).expect("small constants");
    let stepper = Stepper { system, transitions: &transitions, zones: &zones };
    let mut builder = Builder { stepper, widen, numbers: HashMap::new(), states: Vec::new() };
    for locations in stepper.initial_locations() {
        let states = stepper.initial(&locations).unwrap_or_default();
        states.into_iter().for_each(|state| _ = builder.number(state));
    }
    let mut graph = Graph::new();
    while graph.len() < builder.states.len() {
        if graph.len() > limit {
            return None;
        }
        let successors = builder.successors(&builder.states[graph.len()]);
        graph.push(successors.into_iter().map(|(by, state)| (by, builder.number(state))).collect());
    }
    Some(graph)
}

/// A state on a cycle that takes no edge of the set.
fn cycle_without(graph: &Graph, set: &EdgeSet) -> Option<usize> {
    let covering = |p: &Participant| p.role == Role::Takes && set.contains(p.process, p.edge);
    let next: Vec<Vec<usize>> = graph
        .iter()
        .map(|edges| edges.iter().filter(|(by, _)| !by.iter().any(covering)).map(|&(_, to)| to).collect())
        .collect();
    // 0: new, 1: on the path, 2: done.
    let mut colours = vec![0_u8; graph.len()];
    for start in 0..graph.len() {
        if colours[start] != 0 {
            continue;
        }
        colours[start] = 1;
        let mut path = vec![(start, 0)];
        while let Some((at, followed)) = path.last_mut() {
            match next[*at].get(*followed) {
                None => {
                    colours[*at] = 2;
                    path.pop();
                }
                Some(&to) => {
                    *followed += 1;
                    match colours[to] {
                        0 => {
                            colours[to] = 1;
                            path.push((to, 0));
                        }
                        1 => return Some(to),
                        _ => {}
                    }
                }
            }
        }
    }
    None
}

/// The sets to check: of every heuristic, entry points, and sets from which no
/// edge can be taken in some random order, which lean on the rules most.
fn sets(system: &System, rng: &mut Rng, shrunk: usize) -> Vec<(String, EdgeSet)> {
    let network = &system.network;
    let mut sets = vec![("entry points".to_owned(), entry_points(network))];
    for coefficients in [random_walk(system, rng.next_u64()), Coefficients::uniform(network)] {
        for (heuristic, set, _) in build(network, &coefficients).candidates {
            sets.push((format!("{heuristic:?}"), set));
        }
    }
    let all = network.processes.iter().enumerate();
    let mut edges: Vec<(u32, u32)> =
        all.flat_map(|(p, process)| (0..process.edges.len() as u32).map(move |e| (p as u32, e))).collect();
    for _ in 0..shrunk {
        for last in (1..edges.len()).rev() {
            edges.swap(last, rng.below(last as u64 + 1) as usize);
        }
        let mut set = EdgeSet::empty(network);
        edges.iter().for_each(|&(p, e)| _ = set.insert(p, e));
        for &(p, e) in &edges {
            set.remove(p, e);
            if verify(network, &set).is_err() {
                set.insert(p, e);
            }
        }
        sets.push(("as small as can be".to_owned(), set));
    }
    sets
}

/// What is wrong with a network: a set that leaves a cycle.
fn wrong(made: &Network, seed: u64, tally: &mut Tally) -> Option<String> {
    let system = System::new(made.clone());
    if system.facts.diagonals || ZoneSystem::<i32>::new(&system).is_err() {
        return None;
    }
    let graph = graph(&system, WIDEN[seed as usize % WIDEN.len()], LIMIT)?;
    tally.graphs += 1;
    tally.states += graph.len();
    let nothing = EdgeSet::empty(&system.network);
    let cyclic = cycle_without(&graph, &nothing).is_some();
    tally.cyclic += usize::from(cyclic);
    for (name, set) in sets(&system, &mut Rng::new(seed), 6) {
        if let Err(uncovered) = verify(&system.network, &set) {
            return Some(format!("{name}: {uncovered}"));
        }
        if let Some(at) = cycle_without(&graph, &set) {
            return Some(format!(
                "{name}: a cycle through state {at} avoids\n{}",
                set.to_text(&system.network)
            ));
        }
        tally.sets += 1;
        tally.edges += set.len();
    }
    None
}

#[derive(Debug, Default)]
struct Tally {
    graphs: usize,
    cyclic: usize,
    states: usize,
    sets: usize,
    edges: usize,
}

fn config(seed: u64) -> Config {
    let copies = seed.is_multiple_of(7);
    let base = Config { copies, shifts: copies, ..Config::default() };
    let few = Config { max_vars: 3, control_percent: 5, max_functions: 1, call_percent: 2, ..base.clone() };
    match seed % 8 {
        0 => Config::small(),
        1 => Config::timed(),
        2 => Config::loud(),
        3 => Config::small().with_subtraction(),
        4 => Config { rate_percent: 30, ..Config::timed() },
        5 => base,
        // Little but variables.
        6 => Config { max_clocks: 1, clock_guard_percent: 5, around_percent: 0, ..few },
        _ => Config { around_percent: 0, ..few },
    }
}

fn none_avoids(networks: impl Fn(u64) -> Network) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds(NETWORKS) {
        let made = networks(seed);
        if let Some(message) = wrong(&made, seed, &mut tally) {
            let least = minimise(&made, |n| wrong(n, seed, &mut Tally::default()).is_some());
            let message = wrong(&least, seed, &mut Tally::default()).unwrap_or(message);
            panic!("DWELL_SEED={seed}: {message}\n{}", describe(&least));
        }
    }
    println!("{tally:?}");
    tally
}

#[test]
fn no_cycle_of_a_random_zone_graph_avoids_a_covering_set() {
    let tally = none_avoids(|seed| network(&mut Rng::new(seed), &config(seed)));
    assert!(reproducing() || tally.graphs as u64 > NETWORKS / 2 && tally.cyclic > tally.graphs / 4);
}

/// Processes that wait for each other, in every way the rules are about.
fn handshakes(rng: &mut Rng) -> String {
    const GUARDS: &[&str] = &[
        "v == 0",
        "v == 1",
        "v == 2",
        "v == 3",
        "w == 1",
        "w != 0",
        "w == 0",
        "v < 2",
        "v > w",
        "2 <= v",
        "a[0] == 1",
        "a[0] == 0",
        "a[w] == 0",
        "x > 1",
        "x <= 1",
        "x >= 2",
        "y < 1",
        "x < 2 && v == 1",
        "x == 2",
        "y >= w",
        "b0",
        "!b0",
    ];
    const UPDATES: &[&str] = &[
        "v = 0",
        "v = 1",
        "v = 2",
        "w = 1",
        "w = 0",
        "v++",
        "v--",
        "v += 2",
        "w = v > 1 ? 1 : 0",
        "v = w",
        "a[w] = 1",
        "a[0] = 0",
        "f()",
        "v = g()",
        "x = 0",
        "y = 0",
        "x = 0, v = 1",
        "v = 3, v--",
        "x = 2",
        "b0 = true",
        "b0 = w > 0",
    ];
    const SYNCS: &[&str] = &["c!", "c?", "d!", "d?", "b!", "b?", "e[0]!", "e[1]?", "e[w]!", "e[w]?"];
    let mut text =
        "int[0,3] v; int[0,1] w; int[0,1] a[2]; bool b0; clock x, y; chan c, d, e[2]; broadcast chan b;\n\
                    void f() { if (w > 0) v = 0; } int g() { w = 1 - w; return w + 1; }\n"
            .to_owned();
    // Few labels in each network, so that they meet.
    let mut few = |labels: &[&'static str]| (0..3).map(|_| *rng.pick(labels)).collect::<Vec<_>>();
    let (guards, updates, syncs) = (few(GUARDS), few(UPDATES), few(SYNCS));
    let processes = 2 + rng.below(2);
    for p in 0..processes {
        let locations = 1 + rng.below(3);
        let names: Vec<String> = (0..locations).map(|l| format!("L{l}")).collect();
        let mut edges = Vec::new();
        for e in 0..locations + rng.below(3) {
            // A ring, then anything.
            let (from, to) = if e < locations {
                (e, (e + 1) % locations)
            } else {
                (rng.below(locations), rng.below(locations))
            };
            let mut label = |name: &str, percent, labels: &[&str]| {
                if rng.percent(percent) { format!("{name} {}; ", rng.pick(labels)) } else { String::new() }
            };
            let (guard, sync, update) =
                (label("guard", 60, &guards), label("sync", 30, &syncs), label("assign", 65, &updates));
            edges.push(format!("L{from} -> L{to} {{ {guard}{sync}{update}}}"));
        }
        let body = format!("state {}; init L0; trans {};", names.join(", "), edges.join(", "));
        text += &format!("process P{p}() {{ {body} }}\n");
    }
    let names: Vec<String> = (0..processes).map(|p| format!("P{p}")).collect();
    text + &format!("system {};\n", names.join(", "))
}

#[test]
fn no_cycle_of_processes_that_wait_for_each_other_avoids_a_covering_set() {
    let tally = none_avoids(|seed| {
        let text = handshakes(&mut Rng::new(seed));
        let model = Model::read(&text, Format::Xta, &LoadOptions::default());
        model.unwrap_or_else(|error| panic!("{text}\n{:?}", error.diagnostics)).network().clone()
    });
    assert!(reproducing() || tally.graphs as u64 > NETWORKS / 2 && tally.cyclic > tally.graphs / 4);
}

/// Figure 1 of paper 3: 12 transitions, of which 4 go from Y to X and 2 from C
/// to A; these enter three and two of the states.
#[test]
fn figure_1_has_the_frequencies_of_the_text() {
    let text = "chan a; int[0,1] i;
        process L() { state X, Y; init X; trans X -> Y { sync a?; }, Y -> X { assign i = 0; }; }
        process R() { state A, B, C; init C;
            trans A -> B { assign i = 1; }, B -> A { guard i == 0; },
                  B -> C { guard i == 1; }, C -> A { sync a!; }; }
        system L, R;";
    let model = Model::read(text, Format::Xta, &LoadOptions::default()).expect("a correct model");
    let graph = graph(model.system(), Zone::extra_m, LIMIT).expect("small");
    assert_eq!((graph.len(), graph.iter().map(Vec::len).sum::<usize>()), (9, 12));
    for (edge, transitions, states) in [("L: Y -> X", 4, 3), ("R: C -> A", 2, 2)] {
        let set = EdgeSet::parse(edge, model.network()).expect("an edge");
        assert_eq!(verify(model.network(), &set), Ok(()));
        assert_eq!(cycle_without(&graph, &set), None);
        let takes = |by: &[Participant]| by.iter().any(|p| set.contains(p.process, p.edge));
        let entered: Vec<usize> =
            graph.iter().flatten().filter(|(by, _)| takes(by)).map(|&(_, to)| to).collect();
        assert_eq!(entered.len(), transitions);
        assert_eq!(entered.into_iter().collect::<BTreeSet<_>>().len(), states);
    }
}

fn check(name: &str, model: &Model, limit: usize) {
    let system = model.system();
    let graph = graph(system, Zone::extra_lu_plus, limit);
    let Some(graph) = graph else {
        println!("{name}: more than {limit} states");
        return;
    };
    let mut sizes = Vec::new();
    for (by, set) in sets(system, &mut Rng::new(1), 3) {
        assert!(verify(&system.network, &set).is_ok(), "{name}, {by}");
        assert_eq!(cycle_without(&graph, &set), None, "{name}, {by}:\n{}", set.to_text(&system.network));
        sizes.push(set.len());
    }
    println!("{name}: {} states, sets of {sizes:?} edges", graph.len());
}

#[test]
fn families_are_covered() {
    for (name, size) in
        [("fischer", 3), ("csmacd", 3), ("fddi", 3), ("train-gate", 3), ("critical-region", 2)]
    {
        let text = dwell_families::generate(name, size).expect("a family");
        let model = Model::from_tchecker(&text, &Default::default()).expect("a correct model");
        check(&format!("{name} {size}"), &model, 100_000);
    }
}

#[test]
fn examples_and_the_models_of_the_papers_are_covered() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for folder in [root.clone(), root.join("papers")] {
        let mut files: Vec<_> =
            std::fs::read_dir(folder).expect("examples").map(|entry| entry.expect("a file").path()).collect();
        files.sort();
        for file in files {
            let extension = file.extension().and_then(|e| e.to_str()).unwrap_or_default();
            let Some(format) = Format::from_extension(extension) else { continue };
            let text = std::fs::read_to_string(&file).expect("a file");
            let model = Model::read(&text, format, &LoadOptions::default()).expect("a correct model");
            if !model.system().facts.diagonals {
                let name = file.file_name().unwrap_or_default().to_string_lossy();
                check(&name, &model, 20_000);
            }
        }
    }
}
