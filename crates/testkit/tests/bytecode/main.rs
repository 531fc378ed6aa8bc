//! Compiled code does what walking the trees does: the same value, the same
//! error at the same place, the same variables and clock assignments
//! afterwards, whatever was left in the scratch registers.

mod trees;

use dwell_base::Rng;
use dwell_model::code::{ClockReset, Code, CodeRef, Machine, compile};
use dwell_model::expr::{Expr, Place, Program, Relation, RuntimeError, RuntimeErrorKind, Stmt};
use dwell_model::{ClockId, LocationId, Network, Span, System, Var, VarKind};
use dwell_oracle::eval::{self, Clocks, Inexpressible, Refusal};
use dwell_oracle::{Discrete, State};
use dwell_testkit::random::{Config, network};
use dwell_testkit::seeds::{reproducing, seeds};
use trees::Trees;

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

fn by_machine(rng: &mut Rng, code: &Code, entry: CodeRef, at: &Discrete) -> Outcome {
    let mut registers = registers(rng, code, at);
    let mut resets = Vec::new();
    let value = Machine::new(code).run(entry, &mut registers, &mut resets);
    registers.truncate(at.vars.len());
    Outcome { value, vars: registers, resets }
}

/// What other code left there must not matter, variables and locations apart.
fn registers(rng: &mut Rng, code: &Code, at: &Discrete) -> Vec<i32> {
    let mut registers = at.vars.clone();
    registers.resize_with(code.registers(), || rng.range(-3, 3));
    for (register, location) in registers[code.location_registers()..].iter_mut().zip(&at.locations) {
        *register = location.0 as i32;
    }
    registers
}

fn program_by_tree(network: &Network, program: &Program, at: &Discrete) -> Outcome {
    let mut state = State { discrete: at.clone(), clocks: Notes::default() };
    let value = match eval::run(network, program, &mut state) {
        Ok(()) => Ok(1),
        Err(Refusal::Error(error)) => Err(error),
        Err(other) => unreachable!("{other:?} is no outcome of an update here"),
    };
    Outcome { value, vars: state.discrete.vars, resets: state.clocks.0 }
}

/// A state with values near zero or at the ends of their ranges.
fn state(rng: &mut Rng, network: &Network) -> Discrete {
    let locations = network.processes.iter().map(|p| LocationId(rng.below(p.locations.len() as u64) as u32));
    let locations = locations.collect();
    Discrete { locations, vars: values(rng, network) }
}

fn values(rng: &mut Rng, network: &Network) -> Vec<i32> {
    let near = |rng: &mut Rng, v: &Var| match rng.below(8) {
        _ if v.kind == VarKind::Constant => v.init,
        0 => v.min,
        1 => v.max,
        _ if v.min > 3 || v.max < -3 => v.min,
        _ => rng.range(v.min.max(-3), v.max.min(3)),
    };
    network.vars.iter().map(|v| near(rng, v)).collect()
}

/// Counts of the kinds of outcomes, so that none is left untested.
#[derive(Debug, Default)]
struct Tally {
    values: u64,
    range: u64,
    checked: u64,
    index: u64,
    division: u64,
    overflow: u64,
    shift: u64,
    exponent: u64,
    assertion: u64,
    negative_clock: u64,
}

impl Tally {
    fn count(&mut self, outcome: &Outcome) {
        let Err(error) = &outcome.value else {
            self.values += 1;
            return;
        };
        *match error.kind {
            RuntimeErrorKind::OutOfRange { .. } => &mut self.range,
            RuntimeErrorKind::ValueOutOfRange { .. } => &mut self.checked,
            RuntimeErrorKind::BadIndex { .. } => &mut self.index,
            RuntimeErrorKind::DivisionByZero => &mut self.division,
            RuntimeErrorKind::Overflow => &mut self.overflow,
            RuntimeErrorKind::BadShift { .. } => &mut self.shift,
            RuntimeErrorKind::NegativeExponent => &mut self.exponent,
            RuntimeErrorKind::AssertionFailed => &mut self.assertion,
            RuntimeErrorKind::NegativeClock { .. } => &mut self.negative_clock,
            RuntimeErrorKind::Endless => unreachable!("every loop ends"),
            RuntimeErrorKind::TooManyMoves => unreachable!("code makes no moves"),
        } += 1;
    }

    /// Errors that expressions alone can have.
    fn of_expressions(&self) -> [u64; 6] {
        [self.checked, self.index, self.division, self.overflow, self.shift, self.exponent]
    }
}

#[test]
fn expressions_and_conjunctions_have_the_value_of_their_trees() {
    let mut tally = Tally::default();
    for seed in seeds(60_000) {
        let rng = &mut Rng::new(seed);
        let made = trees::network(rng);
        let mut trees = Trees::new(rng, &made, false);
        let expr = trees.expr(4);
        let conjuncts = [trees.expr(3), expr.clone(), trees.expr(2)];
        let (clock, channel) = (trees.clock(), trees.channel());
        let mut compiler = compile(&made);
        let value = compiler.value(&expr);
        let conjunction = compiler.conjunction(&conjuncts);
        let (picked_clock, picked_channel) = (compiler.clock(&clock), compiler.channel(&channel));
        let code = compiler.finish();
        for _ in 0..2 {
            let at = state(rng, &made);
            let tree = |value| Outcome { value, vars: at.vars.clone(), resets: Vec::new() };
            let ours = by_machine(rng, &code, value, &at);
            let expected = tree(eval::value(&made, &expr, &at));
            assert_eq!(ours, expected, "DWELL_SEED={seed} {at:?} {expr:?} {:?}", made.functions);
            tally.count(&ours);
            let truth = eval::all_true(&made, &conjuncts, &at).map(i32::from);
            match conjunction {
                Some(entry) => {
                    let ours = by_machine(rng, &code, entry, &at);
                    let holds = Machine::new(&code).holds(entry, &mut registers(rng, &code, &at));
                    assert_eq!(
                        holds,
                        truth.clone().map(|t| t != 0),
                        "DWELL_SEED={seed} {at:?} {conjuncts:?} {:?}",
                        made.functions
                    );
                    assert_eq!(ours, tree(truth), "DWELL_SEED={seed} {at:?} {conjuncts:?}");
                }
                None => assert_eq!(truth, Ok(1), "DWELL_SEED={seed} {conjuncts:?}"),
            }
            let ours = by_machine(rng, &code, picked_clock, &at);
            let expected = eval::clock(&made, &clock, &at).map(|c| c.0 as i32);
            assert_eq!(ours, tree(expected), "DWELL_SEED={seed} {at:?} {clock:?}");
            let ours = by_machine(rng, &code, picked_channel, &at);
            let expected = eval::channel(&made, &channel, &at).map(|c| c.0 as i32);
            assert_eq!(ours, tree(expected), "DWELL_SEED={seed} {at:?} {channel:?}");
        }
    }
    println!("{tally:?}");
    assert!(reproducing() || (tally.values > 15_000 && tally.of_expressions().iter().all(|&n| n > 200)));
}

#[test]
fn updates_do_what_their_trees_do() {
    let mut tally = Tally::default();
    let mut resets = 0;
    for seed in seeds(60_000) {
        let rng = &mut Rng::new(seed);
        let made = trees::network(rng);
        let program = Trees::new(rng, &made, true).program();
        let mut compiler = compile(&made);
        let entry = compiler.program(&program);
        let code = compiler.finish();
        for _ in 0..2 {
            let at = state(rng, &made);
            let expected = program_by_tree(&made, &program, &at);
            let Some(entry) = entry else {
                assert!(program.body.is_empty(), "DWELL_SEED={seed}");
                continue;
            };
            let ours = by_machine(rng, &code, entry, &at);
            assert_eq!(ours, expected, "DWELL_SEED={seed} {at:?} {program:?} {:?}", made.functions);
            tally.count(&ours);
            resets += ours.resets.len();
        }
    }
    println!("{tally:?}, {resets} clock assignments");
    let kinds = [tally.range, tally.assertion, tally.negative_clock];
    assert!(reproducing() || (tally.values > 5_000 && resets > 3_000 && kinds.iter().all(|&n| n > 100)));
    assert!(reproducing() || tally.of_expressions().iter().all(|&n| n > 50));
}

/// The programs of random networks, which loop over arrays and keep notes; they
/// are simplified before they are compiled.
#[test]
fn updates_of_random_networks_do_what_their_trees_do() {
    let mut ran = 0;
    for seed in seeds(10_000) {
        let rng = &mut Rng::new(seed);
        let config =
            Config { control_percent: 50, risky_percent: 20, disable_percent: 0, ..Config::default() };
        let made = network(rng, &config);
        let system = System::new(made.clone());
        let edges = made.processes.iter().flat_map(|p| &p.edges);
        let compiled = system.processes.iter().flat_map(|p| &p.edges);
        let mut compiled: Vec<_> = edges.map(|e| &e.update).zip(compiled.map(|e| e.update)).collect();
        compiled.push((&made.before_update, system.before_update));
        compiled.push((&made.after_update, system.after_update));
        for (program, entry) in compiled {
            let Some(entry) = entry else { continue };
            // Variables that nothing writes have the values they start with there.
            let at = state(rng, &system.network);
            let expected = program_by_tree(&made, program, &at);
            let ours = by_machine(rng, &system.code, entry, &at);
            assert_eq!(ours, expected, "DWELL_SEED={seed} {at:?} {program:?} {:?}", made.functions);
            ran += 1;
        }
    }
    println!("{ran} updates");
    assert!(reproducing() || ran > 10_000);
}

#[test]
fn an_update_that_does_not_end_is_noticed_by_both() {
    let (span, inner) = (Span { start: 1, end: 2 }, Span { start: 3, end: 4 });
    let bodies = [
        vec![],
        vec![Stmt::Assign { place: Place::Local(0), value: Expr::Const(1), span: inner }],
        vec![Stmt::While { condition: Expr::Const(0), body: Vec::new(), span: inner }],
    ];
    for body in bodies {
        let made = Network { locals: 1, ..Network::default() };
        let endless = Stmt::While { condition: Expr::Const(1), body, span };
        let program = Program { locals: 1, body: vec![endless] };
        let mut compiler = compile(&made);
        let entry = compiler.program(&program).expect("something to do");
        let at = Discrete { locations: Vec::new(), vars: Vec::new() };
        let ours = by_machine(&mut Rng::new(0), &compiler.finish(), entry, &at).value;
        assert_eq!(ours, Err(RuntimeError { kind: RuntimeErrorKind::Endless, span }));
        assert_eq!(ours, program_by_tree(&made, &program, &at).value);
    }
}
