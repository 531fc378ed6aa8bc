//! Compiled code does what walking the trees does: the same value, the same
//! error at the same place, the same variables and clock assignments
//! afterwards, whatever was left in the scratch registers.

use dwell_base::Rng;
use dwell_model::code::{ClockReset, Code, CodeRef, Machine, compile};
use dwell_model::expr::{
    BinaryOp, ClockRef, Expr, Place, Program, Relation, RuntimeError, RuntimeErrorKind, Stmt,
};
use dwell_model::{Clock, ClockId, Network, OutOfRange, Span, Var, VarId};
use dwell_oracle::eval::{self, Clocks, Inexpressible, Refusal};
use dwell_oracle::{Discrete, State};
use dwell_testkit::random::{Config, network};
use dwell_testkit::seeds::{reproducing, seeds};

const SCALARS: u32 = 3;
const ARRAY: u32 = 3;
const LOCALS: u32 = 4;
const CLOCKS: u32 = 3;

/// Clocks that only take notes.
#[derive(Clone, Debug, Default)]
struct Notes(Vec<ClockReset>);

impl Clocks for Notes {
    fn holds(&self, _: ClockId, _: Option<ClockId>, _: Relation, _: i32) -> Result<bool, Inexpressible> {
        unreachable!("updates test no clocks")
    }

    fn assign(&mut self, clock: ClockId, from: Option<ClockId>, value: i32) -> Result<(), Inexpressible> {
        self.0.push(ClockReset { clock, from, value });
        Ok(())
    }
}

/// What running a piece of code comes to.
#[derive(Debug, PartialEq, Eq)]
struct Outcome {
    value: Result<i32, RuntimeError>,
    vars: Vec<i32>,
    resets: Vec<ClockReset>,
}

fn by_machine(rng: &mut Rng, code: &Code, entry: CodeRef, vars: &[i32]) -> Outcome {
    let mut registers = vars.to_vec();
    // What other code left there must not matter.
    registers.resize_with(code.registers(), || rng.range(-3, 3));
    let mut resets = Vec::new();
    let value = Machine::new(code).run(entry, &mut registers, &mut resets);
    registers.truncate(vars.len());
    Outcome { value, vars: registers, resets }
}

fn program_by_tree(network: &Network, program: &Program, vars: &[i32]) -> Outcome {
    let discrete = Discrete { locations: Vec::new(), vars: vars.to_vec() };
    let mut state = State { discrete, clocks: Notes::default() };
    let value = match eval::run(network, program, &mut state) {
        Ok(()) => Ok(1),
        Err(Refusal::Error(error)) => Err(error),
        Err(other) => unreachable!("{other:?} is no outcome of an update here"),
    };
    Outcome { value, vars: state.discrete.vars, resets: state.clocks.0 }
}

/// Writes random trees; every span is different, so that errors tell where
/// they come from.
struct Trees<'r> {
    rng: &'r mut Rng,
    locals: u32,
    spans: u32,
}

impl Trees<'_> {
    fn span(&mut self) -> Span {
        self.spans += 1;
        Span { start: self.spans, end: self.spans + 1 }
    }

    fn leaf(&mut self) -> Expr {
        match self.rng.below(10) {
            0 => Expr::Const(*self.rng.pick(&[i32::MIN, i32::MIN + 1, i32::MAX, -1, 0, 1 << 16])),
            1..4 => Expr::Const(self.rng.range(-3, 3)),
            4..6 if self.locals > 0 => Expr::Local(self.rng.below(self.locals.into()) as u32),
            _ => Expr::Var(VarId(self.rng.below((SCALARS + ARRAY).into()) as u32)),
        }
    }

    fn expr(&mut self, depth: u32) -> Expr {
        use BinaryOp::*;
        if depth == 0 || self.rng.percent(15) {
            return self.leaf();
        }
        let span = self.span();
        let first = Box::new(self.expr(depth - 1));
        match self.rng.below(12) {
            0 => Expr::Element { first: VarId(SCALARS), len: ARRAY, index: first, span },
            1 if self.locals >= 2 => {
                Expr::LocalElement { first: self.locals - 2, len: 2, index: first, span }
            }
            2 => Expr::Neg(first, span),
            3 => Expr::Not(first),
            4 => Expr::And(first, Box::new(self.expr(depth - 1))),
            5 => {
                let then = Box::new(self.expr(depth - 1));
                Expr::IfThenElse(first, then, Box::new(self.expr(depth - 1)))
            }
            _ => {
                let op = *self.rng.pick(&[Add, Sub, Mul, Div, Rem, Eq, Ne, Lt, Le, Ge, Gt]);
                Expr::Binary(op, first, Box::new(self.expr(depth - 1)), span)
            }
        }
    }

    fn clock(&mut self) -> ClockRef {
        if self.rng.percent(60) {
            return ClockRef::Fixed(ClockId(self.rng.below(CLOCKS.into()) as u32));
        }
        ClockRef::Element { first: ClockId(1), len: 2, index: self.expr(1), span: self.span() }
    }

    fn place(&mut self) -> Place {
        match self.rng.below(8) {
            0 | 1 => {
                Place::Element { first: VarId(SCALARS), len: ARRAY, index: self.expr(1), span: self.span() }
            }
            2 if self.locals > 0 => Place::Local(self.rng.below(self.locals.into()) as u32),
            3 if self.locals >= 2 => {
                Place::LocalElement { first: self.locals - 2, len: 2, index: self.expr(1), span: self.span() }
            }
            _ => Place::Var(VarId(self.rng.below((SCALARS + ARRAY).into()) as u32)),
        }
    }

    fn statement(&mut self, depth: u32) -> Vec<Stmt> {
        let span = self.span();
        match self.rng.below(10) {
            0..4 => vec![Stmt::Assign { place: self.place(), value: self.expr(2), span }],
            4..6 => {
                let from = self.rng.percent(40).then(|| self.clock());
                vec![Stmt::Reset { clock: self.clock(), from, value: self.expr(1), span }]
            }
            6 | 7 if depth > 0 => {
                let otherwise = if self.rng.percent(50) { self.block(depth - 1) } else { Vec::new() };
                vec![Stmt::If { condition: self.expr(2), then: self.block(depth - 1), otherwise }]
            }
            8 if depth > 0 && self.locals > 0 => {
                // The counter is the first local; a body that sets it back is cut short below.
                let set = |value| Stmt::Assign { place: Place::Local(0), value, span };
                let step = Expr::Binary(BinaryOp::Add, Expr::Local(0).into(), Expr::Const(1).into(), span);
                let rounds = Expr::Const(self.rng.range(0, 4));
                let condition = Expr::Binary(BinaryOp::Lt, Expr::Local(0).into(), rounds.into(), span);
                let mut body: Vec<Stmt> = self.block(0);
                body.retain(|s| !writes_counter(s));
                body.push(set(step));
                vec![set(Expr::Const(0)), Stmt::While { condition, body, span }]
            }
            _ => Vec::new(),
        }
    }

    fn block(&mut self, depth: u32) -> Vec<Stmt> {
        (0..1 + self.rng.below(3)).flat_map(|_| self.statement(depth)).collect()
    }
}

fn writes_counter(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Assign { place: Place::Local(_) | Place::LocalElement { .. }, .. })
}

/// Variables of odd ranges and an array; no processes.
fn bare_network() -> Network {
    let ranges = [(-5, 5), (i32::MIN, i32::MAX), (0, 1), (-2, 4), (-2, 4), (-2, 4)];
    let var =
        |(i, (min, max)): (usize, (i32, i32))| Var { name: format!("v{i}"), min, max, ..Var::default() };
    Network {
        vars: ranges.into_iter().enumerate().map(var).collect(),
        clocks: (0..CLOCKS).map(|c| Clock { name: format!("x{c}"), init: 0 }).collect(),
        out_of_range: OutOfRange::Error,
        ..Network::default()
    }
}

fn values(rng: &mut Rng, network: &Network) -> Vec<i32> {
    let near = |rng: &mut Rng, v: &Var| match rng.below(8) {
        0 => v.min,
        1 => v.max,
        _ => rng.range(v.min.max(-3), v.max.min(3)),
    };
    network.vars.iter().map(|v| near(rng, v)).collect()
}

/// Counts of the kinds of outcomes, so that none is left untested.
#[derive(Debug, Default)]
struct Tally {
    values: u64,
    by_kind: [u64; 6],
}

impl Tally {
    fn count(&mut self, outcome: &Outcome) {
        let Err(error) = &outcome.value else {
            self.values += 1;
            return;
        };
        self.by_kind[match error.kind {
            RuntimeErrorKind::OutOfRange { .. } => 0,
            RuntimeErrorKind::BadIndex { .. } => 1,
            RuntimeErrorKind::DivisionByZero => 2,
            RuntimeErrorKind::Overflow => 3,
            RuntimeErrorKind::NegativeClock { .. } => 4,
            RuntimeErrorKind::Endless => 5,
            RuntimeErrorKind::TooManyMoves => unreachable!("code makes no moves"),
        }] += 1;
    }
}

#[test]
fn expressions_and_conjunctions_have_the_value_of_their_trees() {
    let made = bare_network();
    let mut tally = Tally::default();
    for seed in seeds(20_000) {
        let rng = &mut Rng::new(seed);
        let mut trees = Trees { rng, locals: 0, spans: 0 };
        let expr = trees.expr(4);
        let conjuncts = [trees.expr(3), expr.clone(), trees.expr(2)];
        let clock = trees.clock();
        let mut compiler = compile(&made);
        let value = compiler.value(&expr);
        let conjunction = compiler.conjunction(&conjuncts);
        let picked = compiler.clock(&clock);
        let code = compiler.finish();
        for _ in 0..2 {
            let vars = values(rng, &made);
            let tree = |value| Outcome { value, vars: vars.clone(), resets: Vec::new() };
            let ours = by_machine(rng, &code, value, &vars);
            assert_eq!(ours, tree(eval::value(&expr, &vars, &[])), "DWELL_SEED={seed} {vars:?} {expr:?}");
            tally.count(&ours);
            let truth = eval::all_true(&conjuncts, &vars).map(i32::from);
            match conjunction {
                Some(entry) => {
                    let ours = by_machine(rng, &code, entry, &vars);
                    let mut registers = vec![0; code.registers()];
                    registers[..vars.len()].copy_from_slice(&vars);
                    let holds = Machine::new(&code).holds(entry, &mut registers);
                    assert_eq!(
                        holds,
                        truth.clone().map(|t| t != 0),
                        "DWELL_SEED={seed} {vars:?} {conjuncts:?}"
                    );
                    assert_eq!(ours, tree(truth), "DWELL_SEED={seed} {vars:?} {conjuncts:?}");
                }
                None => assert_eq!(truth, Ok(1), "DWELL_SEED={seed} {conjuncts:?}"),
            }
            let ours = by_machine(rng, &code, picked, &vars);
            let expected = eval::clock(&clock, &vars, &[]).map(|c| c.0 as i32);
            assert_eq!(ours, tree(expected), "DWELL_SEED={seed} {vars:?} {clock:?}");
        }
    }
    println!("{tally:?}");
    let [_, index, division, overflow, ..] = tally.by_kind;
    assert!(reproducing() || (tally.values > 20_000 && index > 500 && division > 500 && overflow > 500));
}

#[test]
fn updates_do_what_their_trees_do() {
    let made = bare_network();
    let mut tally = Tally::default();
    let mut resets = 0;
    for seed in seeds(20_000) {
        let rng = &mut Rng::new(seed);
        let locals = rng.below(u64::from(LOCALS) + 1) as u32;
        let body = Trees { rng, locals, spans: 0 }.block(2);
        let program = Program { locals, body };
        let mut compiler = compile(&made);
        let entry = compiler.program(&program);
        let code = compiler.finish();
        for _ in 0..2 {
            let vars = values(rng, &made);
            let expected = program_by_tree(&made, &program, &vars);
            let Some(entry) = entry else {
                assert!(program.body.is_empty(), "DWELL_SEED={seed}");
                continue;
            };
            let ours = by_machine(rng, &code, entry, &vars);
            assert_eq!(ours, expected, "DWELL_SEED={seed} {vars:?} {program:?}");
            tally.count(&ours);
            resets += ours.resets.len();
        }
    }
    println!("{tally:?}, {resets} clock assignments");
    let [range, index, division, overflow, negative, _] = tally.by_kind;
    let kinds = [range, index, division, overflow, negative];
    assert!(reproducing() || (tally.values > 5_000 && resets > 5_000 && kinds.iter().all(|&k| k > 100)));
}

/// The programs of random networks, which loop over arrays and keep notes.
#[test]
fn updates_of_random_networks_do_what_their_trees_do() {
    let mut ran = 0;
    for seed in seeds(2_000) {
        let rng = &mut Rng::new(seed);
        let config =
            Config { control_percent: 50, risky_percent: 20, disable_percent: 0, ..Config::default() };
        let made = network(rng, &config);
        let mut compiler = compile(&made);
        let programs = made.processes.iter().flat_map(|p| &p.edges).map(|e| &e.update);
        let compiled: Vec<_> = programs.map(|p| (p, compiler.program(p))).collect();
        let code = compiler.finish();
        for (program, entry) in compiled {
            let Some(entry) = entry else { continue };
            let vars = values(rng, &made);
            let expected = program_by_tree(&made, program, &vars);
            let ours = by_machine(rng, &code, entry, &vars);
            assert_eq!(ours, expected, "DWELL_SEED={seed} {vars:?} {program:?}");
            ran += 1;
        }
    }
    println!("{ran} updates");
    assert!(reproducing() || ran > 10_000);
}

#[test]
fn an_update_that_does_not_end_is_noticed_by_both() {
    let made = bare_network();
    let (span, inner) = (Span { start: 1, end: 2 }, Span { start: 3, end: 4 });
    let bodies = [
        vec![],
        vec![Stmt::Assign { place: Place::Local(0), value: Expr::Const(1), span: inner }],
        vec![Stmt::While { condition: Expr::Const(0), body: Vec::new(), span: inner }],
    ];
    for body in bodies {
        let endless = Stmt::While { condition: Expr::Const(1), body, span };
        let program = Program { locals: 1, body: vec![endless] };
        let mut compiler = compile(&made);
        let entry = compiler.program(&program).expect("something to do");
        let vars = vec![0; made.vars.len()];
        let ours = by_machine(&mut Rng::new(0), &compiler.finish(), entry, &vars).value;
        assert_eq!(ours, Err(RuntimeError { kind: RuntimeErrorKind::Endless, span }));
        assert_eq!(ours, program_by_tree(&made, &program, &vars).value);
    }
}
