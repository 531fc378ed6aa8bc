//! The variables of a random network, and small pieces of trees.

use dwell_base::Rng;
use dwell_model::expr::{BinaryOp, Expr, Place, Stmt};
use dwell_model::{Network, Span, Var, VarId, VarKind};

use super::Config;

/// Ranges of variables, parameters and results. All hold 1, which is what
/// shrinking puts in the place of expressions.
pub const RANGES: [(i32, i32); 6] = [(-1, 2), (0, 1), (0, 2), (0, 3), (-1, 1), (1, 3)];

/// Length of every array of variables.
pub const ARRAY: u32 = 2;

/// The variables of a network: where they are and what they may hold.
pub struct Data {
    /// Those that stand alone, meta variables included.
    pub scalars: Vec<VarId>,
    /// First slots of arrays.
    pub arrays: Vec<VarId>,
    /// First slots of arrays of constants.
    pub tables: Vec<VarId>,
    /// Least and greatest value of each slot that can be written; these slots
    /// come first.
    pub ranges: Vec<(i32, i32)>,
}

impl Data {
    /// Declares variables in `network`.
    pub fn random(rng: &mut Rng, config: &Config, network: &mut Network) -> Self {
        let slots = super::pick_up_to(rng, config.max_vars);
        while network.vars.len() < slots {
            let is_array = slots - network.vars.len() >= ARRAY as usize && rng.percent(40);
            declare(rng, network, if is_array { 'a' } else { 'v' }, VarKind::State);
        }
        if rng.percent(config.meta_percent) {
            declare(rng, network, 'm', VarKind::Meta);
        }
        if rng.percent(config.table_percent) {
            declare(rng, network, 't', VarKind::Constant);
        }
        Self::of(network)
    }

    /// What was declared in `network`, by the names.
    pub fn of(network: &Network) -> Self {
        let mut data =
            Data { scalars: Vec::new(), arrays: Vec::new(), tables: Vec::new(), ranges: Vec::new() };
        for (slot, var) in network.vars.iter().enumerate() {
            let is_element = var.name.ends_with(']');
            let list = match var.kind {
                VarKind::Constant => &mut data.tables,
                _ if is_element => &mut data.arrays,
                _ => &mut data.scalars,
            };
            if !is_element || var.name.ends_with("[0]") {
                list.push(VarId::new(slot));
            }
            if var.kind != VarKind::Constant {
                data.ranges.push((var.min, var.max));
            }
        }
        data
    }
}

/// A variable, or an array where the letter stands for one.
fn declare(rng: &mut Rng, network: &mut Network, letter: char, kind: VarKind) {
    let first = network.vars.len();
    let (min, max) = *rng.pick(&RANGES);
    let names: Vec<String> = match letter {
        'a' | 't' => (0..ARRAY).map(|element| format!("{letter}{first}[{element}]")).collect(),
        _ => vec![format!("{letter}{first}")],
    };
    for name in names {
        network.vars.push(Var { name, min, max, init: rng.range(min, max), kind });
    }
}

/// `left op right`.
pub fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    Expr::Binary(op, Box::new(left), Box::new(right), Span::default())
}

/// `place = value`.
pub fn assign(place: Place, value: Expr) -> Stmt {
    Stmt::Assign { place, value, span: Span::default() }
}

/// `slot = value`.
pub fn set_local(slot: u32, value: Expr) -> Stmt {
    assign(Place::Local(slot), value)
}

/// `slot + 1`.
pub fn next(slot: u32) -> Expr {
    binary(BinaryOp::Add, Expr::Local(slot), Expr::Const(1))
}

/// `if c then t else e`.
pub fn choice(condition: Expr, then: Expr, otherwise: Expr) -> Expr {
    Expr::IfThenElse(Box::new(condition), Box::new(then), Box::new(otherwise))
}
