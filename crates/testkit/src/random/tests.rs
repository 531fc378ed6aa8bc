//! The generator makes sound and varied networks that can be explored.

use std::time::{Duration, Instant};

use dwell_base::Rng;
use dwell_model::expr::{BinaryOp, ClockConstraint, Expr, Stmt};
use dwell_model::{
    ChannelKind, ChannelRef, Edge, LocationKind, Network, OutOfRange, Strength, Sync, VarKind, visit,
};
use dwell_oracle::{ExploreError, explore};

use super::walk::{self, Visit};
use super::{Config, describe, minimise, network, shrink, well_formed};

#[test]
fn networks_and_their_variants_are_well_formed() {
    for seed in 0..2000 {
        let made = network(&mut Rng::new(seed), &Config::default());
        well_formed(&made).unwrap_or_else(|law| panic!("seed {seed}: {law}\n{}", describe(&made)));
        let again = network(&mut Rng::new(seed), &Config::default());
        assert_eq!(format!("{made:?}"), format!("{again:?}"), "seed {seed}");
        if seed < 100 {
            for variant in shrink(&made) {
                well_formed(&variant)
                    .unwrap_or_else(|law| panic!("seed {seed}: {law}\n{}", describe(&variant)));
            }
        }
    }
}

#[test]
fn minimising_keeps_what_fails_and_drops_the_rest() {
    let fails = |n: &Network| edges(n).any(|e| e.guard.clocks.len() > 1);
    let seed = (0..).find(|&seed| fails(&network(&mut Rng::new(seed), &Config::default()))).unwrap();
    let least = minimise(&network(&mut Rng::new(seed), &Config::default()), fails);
    assert!(fails(&least));
    assert_eq!(least.processes.len(), 1, "{}", describe(&least));
    assert_eq!(least.processes[0].edges.len(), 1, "{}", describe(&least));
    assert!(least.processes[0].edges[0].update.body.is_empty());
    assert!(least.processes[0].edges[0].guard.discrete.is_empty());
}

/// What a network may have.
type Feature = (&'static str, fn(&Network) -> bool);

const FEATURES: &[Feature] = &[
    ("no clocks", |n| n.clocks.is_empty()),
    ("3 clocks", |n| n.clocks.len() == 3),
    ("clocks that start late", |n| n.clocks.iter().any(|c| c.init > 0)),
    ("arrays", |n| n.vars.iter().any(|v| v.kind == VarKind::State && v.name.ends_with(']'))),
    ("meta variables", |n| n.vars.iter().any(|v| v.kind == VarKind::Meta)),
    ("tables", |n| n.vars.iter().any(|v| v.kind == VarKind::Constant)),
    ("urgent", |n| any_location(n, LocationKind::Urgent)),
    ("committed", |n| any_location(n, LocationKind::Committed)),
    ("broadcast sent", |n| edges(n).any(|e| matches!(&e.sync, Sync::Send(c) if is_broadcast(n, c)))),
    ("binary sent", |n| edges(n).any(|e| matches!(&e.sync, Sync::Send(c) if !is_broadcast(n, c)))),
    ("receivers that look at clocks", |n| {
        let receives = |e: &Edge| matches!(&e.sync, Sync::Receive(c) if is_broadcast(n, c));
        edges(n).any(|e| receives(e) && !e.guard.clocks.is_empty())
    }),
    ("urgent channel", |n| n.channels.iter().any(|c| c.urgent)),
    ("computed channel", |n| {
        edges(n).any(|e| {
            matches!(
                e.sync,
                Sync::Send(ChannelRef::Element { .. }) | Sync::Receive(ChannelRef::Element { .. })
            )
        })
    }),
    ("vector edges", |n| edges(n).any(|e| e.sync == Sync::Vector)),
    ("weak members", |n| n.vectors.iter().flat_map(|v| &v.members).any(|m| m.strength == Strength::Weak)),
    ("several initial", |n| n.processes.iter().any(|p| p.initial.len() > 1)),
    ("invariants", |n| n.processes.iter().flat_map(|p| &p.locations).any(|l| !l.invariant.clocks.is_empty())),
    ("bound expressions", |n| any_constraint(n, |c| !matches!(c.bound, Expr::Const(_)))),
    ("conditional constraints", |n| any_constraint(n, |c| c.when.is_some())),
    ("copies", |n| any_statement(n, |s| matches!(s, Stmt::Reset { from: Some(_), .. }))),
    ("conditionals", |n| any_statement(n, |s| matches!(s, Stmt::If { .. }))),
    ("loops", |n| any_statement(n, |s| matches!(s, Stmt::While { .. }))),
    ("assertions", |n| any_statement(n, |s| matches!(s, Stmt::Assert { .. }))),
    ("calls for their effect", |n| any_statement(n, |s| matches!(s, Stmt::Eval(Expr::Call(..))))),
    ("pure functions", |n| n.functions.iter().any(|f| !f.writes)),
    ("functions that write", |n| n.functions.iter().any(|f| f.writes)),
    ("calls", |n| any_expr(n, |e| matches!(e, Expr::Call(..)))),
    ("sequences", |n| any_expr(n, |e| matches!(e, Expr::Seq(..)))),
    ("bit operators", |n| {
        any_expr(n, |e| matches!(e, Expr::Binary(BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor, ..)))
    }),
    ("shifts and powers", |n| {
        any_expr(n, |e| matches!(e, Expr::Binary(BinaryOp::Shl | BinaryOp::Shr | BinaryOp::Pow, ..)))
    }),
    ("disjunctions", |n| any_expr(n, |e| matches!(e, Expr::Or(..)))),
    ("checked values", |n| any_expr(n, |e| matches!(e, Expr::Checked { .. }))),
    ("indices with a lower bound", |n| any_expr(n, |e| matches!(e, Expr::Index { .. }))),
    ("before updates", |n| !n.before_update.body.is_empty()),
    ("after updates", |n| !n.after_update.body.is_empty()),
    ("disabling", |n| n.out_of_range == OutOfRange::Disable),
];

#[test]
fn default_networks_use_all_features() {
    let made: Vec<Network> = (0..1000).map(|seed| network(&mut Rng::new(seed), &Config::default())).collect();
    for (name, has) in FEATURES {
        let share = made.iter().filter(|n| has(n)).count();
        println!("{name}: {share} of 1000");
        assert!(share > 50, "{name}");
    }
}

fn edges(network: &Network) -> impl Iterator<Item = &Edge> {
    network.processes.iter().flat_map(|p| &p.edges)
}

fn any_location(network: &Network, kind: LocationKind) -> bool {
    network.processes.iter().flat_map(|p| &p.locations).any(|l| l.kind == kind)
}

fn is_broadcast(network: &Network, channel: &ChannelRef) -> bool {
    network.channels[channel.range().0.index()].kind == ChannelKind::Broadcast
}

fn any_constraint(network: &Network, is_wanted: fn(&ClockConstraint) -> bool) -> bool {
    edges(network).flat_map(|e| &e.guard.clocks).any(is_wanted)
}

fn any_statement(network: &Network, is_wanted: fn(&Stmt) -> bool) -> bool {
    let mut found = false;
    visit::statements(network, |stmt| found |= is_wanted(stmt));
    found
}

fn any_expr(network: &Network, is_wanted: fn(&Expr) -> bool) -> bool {
    struct Search(fn(&Expr) -> bool, bool);
    impl Visit for Search {
        fn expr(&mut self, e: &mut Expr) {
            self.1 |= (self.0)(e);
        }
    }
    let mut search = Search(is_wanted, false);
    walk::network(&mut network.clone(), &mut search);
    search.1
}

#[test]
fn default_networks_are_explored_quickly() {
    let (mut nodes, mut transitions, mut too_large, start) = (0, 0, 0, Instant::now());
    let mut sizes = Vec::new();
    for seed in 10_000..10_400 {
        match explore(&network(&mut Rng::new(seed), &Config::default()), 50_000) {
            Ok(graph) => {
                sizes.push(graph.discrete.len());
                nodes += graph.nodes;
                transitions += graph.transitions;
            }
            Err(ExploreError::Limit { .. }) => too_large += 1,
            Err(refused) => panic!("seed {seed}: {refused}"),
        }
    }
    let took = start.elapsed();
    println!("400 networks: {nodes} nodes, {transitions} transitions, {too_large} too large, {took:?}");
    sizes.sort_unstable();
    let quartile = |q: usize| sizes[q * (sizes.len() - 1) / 4];
    println!(
        "discrete states: quartiles {} {} {}, most {}",
        quartile(1),
        quartile(2),
        quartile(3),
        quartile(4)
    );
    assert!(too_large < 20);
    assert!(took < Duration::from_secs(60));
}
