//! A network made ready to run: code, layout, facts, and the edges sorted by
//! the location they leave.

use crate::analysis::{ClockFacts, clock_facts, narrow_unwritten};
use crate::code::{Code, CodeRef, Compiler, compile_with, constant};
use crate::expr::{ClockConstraint, ClockRef, Expr, Guard, Relation};
use crate::simplify::Simplifier;
use crate::{ChannelRef, ClockId, EdgeId, Layout, Location, LocationKind, Network, Sync, VarKind};

/// A network, compiled.
#[derive(Clone, Debug)]
pub struct System {
    /// What was compiled.
    pub network: Network,
    /// The code of all guards, invariants and updates.
    pub code: Code,
    /// How discrete states are packed.
    pub layout: Layout,
    /// Clock bounds and activity.
    pub facts: ClockFacts,
    /// Compiled processes, in the order of the network.
    pub processes: Vec<CompiledProcess>,
    /// Executed before the updates of every transition.
    pub before_update: Option<CodeRef>,
    /// Executed after them.
    pub after_update: Option<CodeRef>,
    /// Number of variables that can change: constants come after them.
    pub mutable_vars: usize,
}

/// A process, compiled.
#[derive(Clone, Debug)]
pub struct CompiledProcess {
    /// By location.
    pub locations: Vec<CompiledLocation>,
    /// By edge.
    pub edges: Vec<CompiledEdge>,
}

/// A location, compiled.
#[derive(Clone, Debug)]
pub struct CompiledLocation {
    /// Its invariant.
    pub invariant: CompiledGuard,
    /// Normal, urgent or committed.
    pub kind: LocationKind,
    /// Outgoing edges in declaration order.
    pub edges: Vec<EdgeId>,
    /// Clocks that may stand still here, with code that returns their rates.
    pub rates: Vec<(ClockOperand, CodeRef)>,
}

/// An edge, compiled.
#[derive(Clone, Debug)]
pub struct CompiledEdge {
    /// Source location.
    pub source: u32,
    /// Target location.
    pub target: u32,
    /// Tested on the source state.
    pub guard: CompiledGuard,
    /// The update, if it does anything.
    pub update: Option<CodeRef>,
    /// With whom it is taken.
    pub sync: CompiledSync,
}

/// With whom an edge is taken.
#[derive(Clone, Copy, Debug)]
pub enum CompiledSync {
    /// Alone.
    Internal,
    /// With receivers.
    Send(ChannelOperand),
    /// With a sender.
    Receive(ChannelOperand),
    /// As a member of a synchronisation vector.
    Vector,
}

/// A channel of a compiled edge.
#[derive(Clone, Copy, Debug)]
pub struct ChannelOperand {
    /// The least channel it may be.
    pub first: u32,
    /// How many it may be.
    pub len: u32,
    /// Returns its number, where it may be several.
    pub picked: Option<CodeRef>,
}

/// A guard: code for the discrete part, constraints for the clocks.
#[derive(Clone, Debug, Default)]
pub struct CompiledGuard {
    /// Returns non-zero where the discrete part holds; `None` when always.
    pub discrete: Option<CodeRef>,
    /// Clock constraints as upper bounds on differences.
    pub clocks: Vec<Constraint>,
}

/// `left - right < bound` (or `<=`).
#[derive(Clone, Copy, Debug)]
pub struct Constraint {
    /// Without effect where this code returns 0.
    pub when: Option<CodeRef>,
    /// First clock.
    pub left: ClockOperand,
    /// Second clock.
    pub right: ClockOperand,
    /// `<` rather than `<=`.
    pub strict: bool,
    /// The bound.
    pub bound: BoundOperand,
}

/// A clock in a compiled constraint.
#[derive(Clone, Copy, Debug)]
pub enum ClockOperand {
    /// The reference clock, always zero.
    Zero,
    /// A clock.
    Clock(ClockId),
    /// A clock whose number the code returns.
    Picked(CodeRef),
}

/// A bound in a compiled constraint.
#[derive(Clone, Copy, Debug)]
pub enum BoundOperand {
    /// Known.
    Const(i32),
    /// What the code returns.
    Value(CodeRef),
    /// Minus what the code returns.
    Negated(CodeRef),
}

impl System {
    /// Compiles a valid network; variables that nothing writes become narrow.
    pub fn new(mut network: Network) -> Self {
        narrow_unwritten(&mut network);
        let simplifier = Simplifier::new(&network);
        let mut compiler = compile_with(&network, |function| simplifier.block(&function.body, 0).into());
        let processes = network
            .processes
            .iter()
            .map(|process| {
                let mut outgoing = vec![Vec::new(); process.locations.len()];
                for (e, edge) in process.edges.iter().enumerate() {
                    outgoing[edge.source.index()].push(EdgeId::new(e));
                }
                let locations =
                    process.locations.iter().zip(outgoing).map(|(location, edges)| CompiledLocation {
                        invariant: guard(&simplifier.guard(&location.invariant), &mut compiler),
                        kind: location.kind,
                        edges,
                        rates: rates(location, &mut compiler),
                    });
                let locations = locations.collect();
                let edges = process.edges.iter().map(|edge| CompiledEdge {
                    source: edge.source.0,
                    target: edge.target.0,
                    guard: guard(&simplifier.guard(&edge.guard), &mut compiler),
                    update: compiler.program(&simplifier.program(&edge.update)),
                    sync: match &edge.sync {
                        Sync::Internal => CompiledSync::Internal,
                        Sync::Vector => CompiledSync::Vector,
                        Sync::Send(channel) => CompiledSync::Send(operand(channel, &mut compiler)),
                        Sync::Receive(channel) => CompiledSync::Receive(operand(channel, &mut compiler)),
                    },
                });
                CompiledProcess { locations, edges: edges.collect() }
            })
            .collect();
        let layout = Layout::new(&network);
        let facts = clock_facts(&network, &[]);
        let before_update = compiler.program(&simplifier.program(&network.before_update));
        let after_update = compiler.program(&simplifier.program(&network.after_update));
        let mutable_vars = network.vars.iter().filter(|v| v.kind != VarKind::Constant).count();
        let code = compiler.finish();
        Self { code, layout, facts, processes, before_update, after_update, mutable_vars, network }
    }

    /// Whether some clock may stand still somewhere.
    pub fn has_stopwatches(&self) -> bool {
        self.processes.iter().flat_map(|p| &p.locations).any(|l| !l.rates.is_empty())
    }

    /// Clocks and the reference clock.
    pub fn zone_dimension(&self) -> usize {
        self.network.clocks.len() + 1
    }
}

fn operand(channel: &ChannelRef, compiler: &mut Compiler) -> ChannelOperand {
    let (first, len) = channel.range();
    let picked = matches!(channel, ChannelRef::Element { .. }).then(|| compiler.channel(channel));
    ChannelOperand { first: first.0, len, picked }
}

fn rates(location: &Location, compiler: &mut Compiler) -> Vec<(ClockOperand, CodeRef)> {
    let may_stand = location.rates.iter().filter(|(_, rate)| *rate != Expr::Const(1));
    may_stand.map(|(clock, rate)| (clock_operand(clock, compiler), compiler.value(rate))).collect()
}

fn clock_operand(clock: &ClockRef, compiler: &mut Compiler) -> ClockOperand {
    match clock {
        ClockRef::Fixed(id) => ClockOperand::Clock(*id),
        picked => ClockOperand::Picked(compiler.clock(picked)),
    }
}

fn guard(guard: &Guard, compiler: &mut Compiler) -> CompiledGuard {
    let discrete = compiler.conjunction(&guard.discrete);
    let clocks = guard.clocks.iter().flat_map(|c| constraints(c, compiler)).collect();
    CompiledGuard { discrete, clocks }
}

/// `x - y <= c`, `x - y >= c` and so on as upper bounds; `==` gives two.
pub(crate) fn constraints(constraint: &ClockConstraint, compiler: &mut Compiler) -> Vec<Constraint> {
    let when = constraint.when.as_ref().map(|condition| compiler.value(condition));
    let left = clock_operand(&constraint.left, compiler);
    let right = constraint.minus.as_ref().map_or(ClockOperand::Zero, |c| clock_operand(c, compiler));
    let (upper, lower) = bounds(&constraint.bound, compiler);
    let at_most = |strict| Constraint { when, left, right, strict, bound: upper };
    let at_least = |strict| Constraint { when, left: right, right: left, strict, bound: lower };
    match constraint.relation {
        Relation::Lt => vec![at_most(true)],
        Relation::Le => vec![at_most(false)],
        Relation::Ge => vec![at_least(false)],
        Relation::Gt => vec![at_least(true)],
        Relation::Eq => vec![at_most(false), at_least(false)],
    }
}

/// The bound as it stands, and negated.
fn bounds(expr: &Expr, compiler: &mut Compiler) -> (BoundOperand, BoundOperand) {
    match constant(expr).map(|c| (c, c.checked_neg())) {
        Some((c, Some(negated))) => (BoundOperand::Const(c), BoundOperand::Const(negated)),
        _ => {
            let code = compiler.value(expr);
            (BoundOperand::Value(code), BoundOperand::Negated(code))
        }
    }
}
