//! Variables that say how far a process has come.
//!
//! A program counter or a loop counter is one more automaton: its values are
//! the locations, its assignments the edges, so it has an order like theirs
//! (`docs/decisions/0006-waiting-with-data.md`).
//!
//! CV-1 A control variable has few values, and all that is ever assigned to it
//!      is constants and its own value plus or minus a constant. Anything else
//!      says nothing about which value comes after which.
//! CV-2 Its values are in their natural order, or in the opposite one if more
//!      assignments lead down than up. Going back to the initial value is
//!      neither.

use dwell_model::expr::{BinaryOp, Expr, Place, Stmt};
use dwell_model::visit;
use dwell_model::{Network, Var, VarKind};

/// The most values of a control variable.
const MAX_VALUES: i64 = 64;

/// A control variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Control {
    pub register: usize,
    /// The value that comes first.
    first: i32,
    direction: i32,
}

impl Control {
    /// The position of a value.
    #[inline]
    pub fn position(&self, value: i32) -> i64 {
        (i64::from(value) - i64::from(self.first)) * i64::from(self.direction)
    }
}

/// The control variables of a network.
pub(super) fn variables(network: &Network) -> Vec<Control> {
    let mut trends: Vec<Option<i64>> =
        network.vars.iter().map(|var| has_few_values(var).then_some(0)).collect();
    let mut written = vec![false; network.vars.len()];
    visit::statements(network, |stmt| {
        let Stmt::Assign { place, value, .. } = stmt else { return };
        for slot in slots(place) {
            written[slot] = true;
            let trend = trend(value, place, network.vars[slot].init); // CV-1
            trends[slot] = trends[slot].zip(trend).map(|(all, this)| all + this);
        }
    });
    let control = |(register, trend): (usize, Option<i64>)| {
        let Var { min, max, .. } = network.vars[register];
        let down = trend? < 0; // CV-2
        let (first, direction) = if down { (max, -1) } else { (min, 1) };
        written[register].then_some(Control { register, first, direction })
    };
    trends.into_iter().enumerate().filter_map(control).collect()
}

/// Whether some variable gets a value that is neither a constant nor counted:
/// then neither locations nor counters say how far a process has come.
pub fn passes_values(network: &Network) -> bool {
    let mut passes = false;
    visit::statements(network, |stmt| {
        if let Stmt::Assign { place, value, .. } = stmt {
            passes |= slots(place).any(|slot| trend(value, place, network.vars[slot].init).is_none());
        }
    });
    passes
}

fn has_few_values(var: &Var) -> bool {
    var.kind != VarKind::Constant && i64::from(var.max) - i64::from(var.min) < MAX_VALUES
}

/// What an assignment may write.
fn slots(place: &Place) -> std::ops::Range<usize> {
    match place {
        Place::Var(var) => var.index()..var.index() + 1,
        Place::Element { first, len, .. } => first.index()..first.index() + *len as usize,
        Place::Local(_) | Place::LocalElement { .. } => 0..0,
    }
}

/// 1 for an assignment that leads up, -1 for one that leads down.
fn trend(value: &Expr, place: &Place, init: i32) -> Option<i64> {
    let reads_place = |expr: &Expr| match (expr, place) {
        (Expr::Var(read), Place::Var(written)) => read == written,
        (Expr::Element { first: a, index: i, .. }, Place::Element { first: b, index: j, .. }) => {
            a == b && **i == *j
        }
        _ => false,
    };
    let sign = |number: i64| Some(number.signum());
    match value {
        Expr::Const(value) => sign(i64::from(*value) - i64::from(init)),
        Expr::Checked { value, .. } => trend(value, place, init),
        Expr::Binary(op, left, right, _) => match (op, &**left, &**right) {
            (BinaryOp::Add, own, Expr::Const(by)) | (BinaryOp::Add, Expr::Const(by), own)
                if reads_place(own) =>
            {
                sign(i64::from(*by))
            }
            (BinaryOp::Sub, own, Expr::Const(by)) if reads_place(own) => sign(-i64::from(*by)),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dwell_model::{Span, VarId};

    fn add(left: Expr, by: i32) -> Expr {
        Expr::Binary(BinaryOp::Add, Box::new(left), Box::new(Expr::Const(by)), Span::default())
    }

    #[test]
    fn assignments_lead_up_down_or_nowhere() {
        let (x, y) = (VarId::new(0), VarId::new(1));
        let trend = |value: &Expr| trend(value, &Place::Var(x), 3);
        assert_eq!(trend(&Expr::Const(5)), Some(1));
        assert_eq!(trend(&Expr::Const(3)), Some(0));
        assert_eq!(trend(&Expr::Const(0)), Some(-1));
        assert_eq!(trend(&add(Expr::Var(x), 2)), Some(1));
        assert_eq!(trend(&add(Expr::Var(x), -2)), Some(-1));
        assert_eq!(trend(&add(Expr::Var(y), 2)), None);
        assert_eq!(trend(&Expr::Var(x)), None);
    }

    #[test]
    fn positions_follow_the_direction() {
        let up = Control { register: 0, first: -1, direction: 1 };
        let down = Control { register: 0, first: 4, direction: -1 };
        assert_eq!(([-1, 0, 4]).map(|v| up.position(v)), [0, 1, 5]);
        assert_eq!(([-1, 0, 4]).map(|v| down.position(v)), [5, 4, 0]);
    }
}
