//! Variables that say how far a process has come.
//!
//! A program counter or a loop counter is one more automaton: its values are
//! the locations, its assignments the edges, so it has an order like theirs
//! (`docs/decisions/0006-waiting-with-data.md`).
//!
//! CV-1 A control variable has few values, and all that is ever assigned to it
//!      is constants and its own value plus or minus a constant. What else is
//!      assigned says nothing about the way a value comes after another.
//! CV-2 An assignment leads from every value that the comparisons of the
//!      variable with constants in the guard of its edge allow.

use super::topology::{EdgeOrder, positions};
use dwell_model::expr::{BinaryOp, Expr, Guard, Place, Stmt};
use dwell_model::visit::{self, Node};
use dwell_model::{Network, System, VarId, VarKind};

/// The most values of a control variable.
const MAX_VALUES: i64 = 64;

/// A variable and the positions of its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Control {
    pub register: usize,
    pub min: i32,
    pub positions: Vec<u32>,
}

/// The control variables of a system.
pub(super) fn variables(system: &System, order: EdgeOrder) -> Vec<Control> {
    let network = &system.network;
    let mut graphs: Vec<Option<Values>> = network.vars.iter().map(Values::new).collect();
    for edge in network.processes.iter().flat_map(|process| &process.edges) {
        visit::edge(edge, &mut |node| assigned(node, Some(&edge.guard), &mut graphs));
    }
    let others = [&network.before_update.body, &network.after_update.body];
    for body in others.into_iter().chain(network.functions.iter().map(|f| &f.body)) {
        visit::block(body, &mut |node| assigned(node, None, &mut graphs));
    }
    let graphs = graphs.into_iter().enumerate();
    graphs.filter_map(|(register, values)| values?.ordered(network, register, order)).collect()
}

/// What an assignment says about the values of a variable, if `node` is one.
fn assigned(node: Node<'_>, guard: Option<&Guard>, graphs: &mut [Option<Values>]) {
    let Node::Stmt(Stmt::Assign { place, value, .. }) = node else { return };
    let slots = match place {
        Place::Var(var) => var.index()..var.index() + 1,
        Place::Element { first, index: Expr::Const(index), len, .. } if (0..*len as i32).contains(index) => {
            let slot = first.index() + *index as usize;
            slot..slot + 1
        }
        Place::Element { first, len, .. } => first.index()..first.index() + *len as usize,
        Place::Local(_) | Place::LocalElement { .. } => return,
    };
    for slot in slots {
        let var = VarId::new(slot);
        match (step(value, place), &mut graphs[slot]) {
            (Some(step), Some(values)) => values.lead(var, guard, step),
            (None, known) => *known = None, // CV-1
            (Some(_), None) => {}
        }
    }
}

/// How the value after an assignment comes from the one before.
#[derive(Clone, Copy)]
enum Step {
    To(i32),
    By(i32),
}

fn step(value: &Expr, place: &Place) -> Option<Step> {
    let reads_place = |expr: &Expr| match (expr, place) {
        (Expr::Var(read), Place::Var(written)) => read == written,
        (Expr::Element { first: a, index: i, .. }, Place::Element { first: b, index: j, .. }) => {
            a == b && **i == *j
        }
        _ => false,
    };
    match value {
        Expr::Const(value) => Some(Step::To(*value)),
        Expr::Checked { value, .. } => step(value, place),
        Expr::Binary(op, left, right, _) => match (op, &**left, &**right) {
            (BinaryOp::Add, own, Expr::Const(by)) | (BinaryOp::Add, Expr::Const(by), own)
                if reads_place(own) =>
            {
                Some(Step::By(*by))
            }
            (BinaryOp::Sub, own, Expr::Const(by)) if reads_place(own) => by.checked_neg().map(Step::By),
            _ => None,
        },
        _ => None,
    }
}

/// The values of a variable as a graph.
struct Values {
    min: i32,
    successors: Vec<Vec<u32>>,
}

impl Values {
    fn new(var: &dwell_model::Var) -> Option<Self> {
        let count = i64::from(var.max) - i64::from(var.min) + 1;
        let few = var.kind != VarKind::Constant && (2..=MAX_VALUES).contains(&count);
        few.then(|| Self { min: var.min, successors: vec![Vec::new(); count as usize] })
    }

    fn lead(&mut self, var: VarId, guard: Option<&Guard>, step: Step) {
        let count = self.successors.len() as i64;
        for from in 0..self.successors.len() {
            let before = self.min + from as i32;
            let after = match step {
                Step::To(value) => i64::from(value),
                Step::By(by) => i64::from(before) + i64::from(by),
            };
            let to = after - i64::from(self.min);
            let known = self.successors[from].contains(&(to as u32));
            if (0..count).contains(&to) && !known && guard.is_none_or(|guard| allows(guard, var, before)) {
                self.successors[from].push(to as u32);
            }
        }
    }

    fn ordered(self, network: &Network, register: usize, order: EdgeOrder) -> Option<Control> {
        let moves = self.successors.iter().any(|successors| !successors.is_empty());
        let init = (network.vars[register].init - self.min) as usize;
        let ordered = || positions(self.successors, std::iter::once(init), order);
        moves.then(|| Control { register, min: self.min, positions: ordered() })
    }
}

/// CV-2
fn allows(guard: &Guard, var: VarId, value: i32) -> bool {
    guard.discrete.iter().all(|conjunct| holds(conjunct, var, value))
}

fn holds(conjunct: &Expr, var: VarId, value: i32) -> bool {
    match conjunct {
        Expr::And(left, right) => holds(left, var, value) && holds(right, var, value),
        Expr::Binary(op, left, right, _) => match (&**left, &**right) {
            (Expr::Var(read), Expr::Const(bound)) if *read == var => compares(*op, value, *bound),
            (Expr::Const(bound), Expr::Var(read)) if *read == var => compares(*op, *bound, value),
            _ => true,
        },
        _ => true,
    }
}

fn compares(op: BinaryOp, left: i32, right: i32) -> bool {
    match op {
        BinaryOp::Eq => left == right,
        BinaryOp::Ne => left != right,
        BinaryOp::Lt => left < right,
        BinaryOp::Le => left <= right,
        BinaryOp::Ge => left >= right,
        BinaryOp::Gt => left > right,
        _ => true,
    }
}
