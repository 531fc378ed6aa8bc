//! The algorithm on a network that delays messages and prefers some workers, one step at a time: everything is
//! expanded, the end is announced when it has come and not before, and it always comes.

mod toy;

use dwell_base::Rng;
use dwell_explore::{Rest, Worker};
use dwell_parallel::simulated::{self, Simulated, travelling};
use dwell_parallel::{Kind, Message, Token, Transport, Tuning};
use std::time::Duration;
use toy::{Graph, Toy, lots, tight};

/// Steps after which it is said that there is no end; the longest run takes a tenth.
const STEPS: u32 = 1_000_000;

/// A run: its workers and who is next.
struct Crew<T: Transport> {
    toys: Vec<Toy<T>>,
    ends: Vec<Option<Rest>>,
    network: Simulated,
    tuning: Tuning,
    rng: Rng,
    favourite: u64,
}

impl<T: Transport> Crew<T> {
    fn new(seed: u64, graph: &Graph, wrap: impl Fn(Simulated) -> T) -> Self {
        let usual = |rng: &mut Rng| if rng.percent(80) { tight(rng) } else { Tuning::default() };
        Self::tuned(seed, graph, wrap, usual)
    }

    fn tuned(
        seed: u64,
        graph: &Graph,
        wrap: impl Fn(Simulated) -> T,
        tuning: impl Fn(&mut Rng) -> Tuning,
    ) -> Self {
        let mut rng = Rng::new(seed);
        let workers = 2 + rng.below(7) as Worker;
        let tuning = tuning(&mut rng);
        let ends = simulated::connect(workers, rng.next_u64(), rng.clone().below(91));
        let network = ends[0].clone();
        let toys: Vec<_> = ends.into_iter().map(|end| Toy::new(graph, wrap(end), tuning)).collect();
        let ends = vec![None; toys.len()];
        Self { toys, ends, network, tuning, rng, favourite: 0 }
    }

    /// A worker that may take a step. One is preferred for a while, then another.
    fn pick(&mut self) -> usize {
        let workers = self.toys.len() as u64;
        if self.rng.percent(2) {
            self.favourite = self.rng.below(workers);
        }
        let favoured = self.rng.percent(70);
        let at = if favoured { self.favourite } else { self.rng.below(workers) } as usize;
        // Those that have ended take no more steps.
        (0..self.toys.len())
            .map(|i| (at + i) % self.toys.len())
            .find(|at| self.ends[*at].is_none())
            .unwrap_or(at)
    }

    /// Until everybody knows that it is over; an error if it was announced too early.
    fn run(&mut self) -> Result<(), String> {
        for _ in 0..STEPS {
            if self.ends.iter().all(Option::is_some) {
                return Ok(());
            }
            let at = self.pick();
            let end = self.toys[at].step();
            self.pressure();
            if end == Some(Rest::Over) && self.ends.iter().all(Option::is_none) {
                self.really_over()?;
            }
            self.ends[at] = end;
        }
        Err("no end".to_owned())
    }

    /// PO-1: neither on the way nor here is more than there may be.
    fn pressure(&mut self) {
        assert!(travelling(&self.network, Kind::States).1 <= self.tuning.credits as usize);
        // Between two looks `patience` nodes are expanded, with at most four successors of four bytes.
        let most = self.tuning.full + 16 * self.tuning.patience as usize;
        assert!(self.toys.iter_mut().all(|toy| toy.kept() <= most));
    }

    /// PO-3.
    fn really_over(&mut self) -> Result<(), String> {
        let (states, _) = travelling(&self.network, Kind::States);
        let busy = self.toys.iter_mut().filter_map(|toy| toy.busy().then_some(())).count();
        if states + busy == 0 { Ok(()) } else { Err(format!("{states} batches travel, {busy} workers work")) }
    }

    /// PO-4.
    fn part(&mut self) {
        self.toys.iter_mut().for_each(|toy| toy.post.leave());
        let mut alone = vec![false; self.toys.len()];
        for _ in 0..STEPS {
            let at = self.rng.below(alone.len() as u64) as usize;
            alone[at] = alone[at] || self.toys[at].post.alone();
            if alone.iter().all(|alone| *alone) {
                break;
            }
        }
        assert!(alone.iter().all(|alone| *alone), "somebody waits for ever");
        assert_eq!(travelling(&self.network, Kind::States).0, 0);
    }

    fn expanded(&self) -> Vec<u32> {
        let mut all: Vec<u32> = self.toys.iter().flat_map(|toy| toy.expanded.iter().copied()).collect();
        all.sort_unstable();
        all
    }
}

/// Long and thin, or with many ways: in the former most workers have nothing to do most of the time.
fn graph(seed: u64) -> Graph {
    Graph::random(&mut Rng::new(!seed), 60, 2 + seed % 3)
}

#[test]
fn every_node_is_expanded_once_and_the_end_is_announced_when_it_has_come() {
    let mut shared = 0;
    for seed in 0..4_000 {
        let graph = graph(seed);
        let mut crew = Crew::new(seed, &graph, |end| end);
        crew.run().unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        assert!(crew.ends.iter().all(|end| *end == Some(Rest::Over)), "seed {seed}");
        let reachable: Vec<u32> = graph.reachable().into_iter().collect();
        assert_eq!(crew.expanded(), reachable, "seed {seed}");
        shared += usize::from(crew.toys.iter().filter(|toy| !toy.expanded.is_empty()).count() > 1);
        crew.part();
    }
    assert!(shared > 1_000, "most graphs are worked on by several: {shared}");
}

#[test]
fn one_that_stops_ends_the_run_for_all() {
    for seed in 0..2_000 {
        let graph = graph(seed);
        let mut crew = Crew::new(seed, &graph, |end| end);
        for _ in 0..crew.rng.below(200) {
            let at = crew.pick();
            crew.ends[at] = crew.toys[at].step();
            if crew.ends[at].is_some() {
                break;
            }
        }
        let over = crew.ends.iter().any(Option::is_some);
        // The others may notice that all is done anyway before they hear of it.
        let who = crew.rng.below(crew.toys.len() as u64) as usize;
        crew.toys[who].post.stop();
        crew.run().unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        assert!(over || crew.ends[who] == Some(Rest::Stopped), "seed {seed}");
        crew.part();
    }
}

#[test]
fn everybody_learns_the_least_depth() {
    for seed in 0..500 {
        let graph = graph(seed);
        let mut crew = Crew::new(seed, &graph, |end| end);
        let depths: Vec<u32> = (0..crew.toys.len()).map(|_| crew.rng.below(100) as u32).collect();
        for (toy, depth) in crew.toys.iter_mut().zip(&depths) {
            toy.post.found(*depth);
        }
        crew.run().unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        crew.part();
        let least = depths.iter().copied().min();
        assert!(crew.toys.iter().all(|toy| Some(toy.post.least_depth()) == least), "seed {seed}");
    }
}

/// Few workers and many nodes, so that more batches than credits go from one to another.
#[test]
fn credits_that_come_in_lots_keep_everybody_going() {
    let mut most = 0;
    for seed in 0..1_000 {
        let graph = Graph::random(&mut Rng::new(!seed), 400, 4);
        let mut crew = Crew::tuned(seed, &graph, |end| end, lots);
        crew.run().unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        assert_eq!(crew.expanded(), graph.reachable().into_iter().collect::<Vec<_>>(), "seed {seed}");
        most = most.max(crew.toys.iter().map(|toy| toy.post.batches).max().unwrap_or(0));
        crew.part();
    }
    assert!(most > 50, "at most {most} batches of one worker");
}

/// Tokens lose their colour on the way: Safra's algorithm without the half that is easily forgotten.
struct Bleached(Simulated);

impl Transport for Bleached {
    fn me(&self) -> Worker {
        self.0.me()
    }
    fn workers(&self) -> Worker {
        self.0.workers()
    }
    fn send(&mut self, to: Worker, kind: Kind, bytes: Vec<u8>) {
        let bytes = match kind {
            Kind::Token => Token { black: false, ..Token::from_bytes(&bytes) }.to_bytes().to_vec(),
            _ => bytes,
        };
        self.0.send(to, kind, bytes);
    }
    fn receive(&mut self) -> Option<Message> {
        self.0.receive()
    }
    fn unread(&mut self, message: Message) {
        self.0.unread(message);
    }
    fn wait(&mut self, at_most: Duration) {
        self.0.wait(at_most);
    }
}

#[test]
fn an_end_that_is_announced_too_early_is_noticed() {
    // One run in a thousand or so does: of fewer runs too few to count on.
    let early = (0..12_000).filter(|seed| Crew::new(*seed, &graph(*seed), Bleached).run().is_err()).count();
    println!("{early} runs ended too early");
    assert!(early > 3);
}
