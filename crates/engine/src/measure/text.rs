//! Values as they are written.

use dwell_explore::measure::{FOREVER, Gauge};
use dwell_model::property::{Extremum, Measured, Quantity};

/// The answer about one expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// As the user wrote it.
    pub expression: String,
    /// Its value: `7`, `<= 10`, `> 2`, `< infinity`, `[0, 3) ∪ [5, infinity)`,
    /// or `none`.
    pub value: String,
}

/// What is written where no state counts.
pub(crate) const NONE: &str = "none";

/// Why there are no values.
pub(crate) const NO_STATE: &str = "no reachable state satisfies the condition";

/// Why the values may be wrong.
pub(crate) const STOPWATCHES: &str = "where clocks stand still, more clock values are looked at than can be reached, so the true values may be \
     less extreme";

/// What a gauge shows.
pub(crate) fn value(quantity: &Quantity, gauge: &Gauge) -> Value {
    let clock = matches!(quantity.value, Measured::Clock(_));
    let value = match gauge.values.ends() {
        None => NONE.into(),
        Some((first, last)) => match (gauge.kind, clock) {
            (Extremum::Sup, true) => at_most(last),
            (Extremum::Inf, true) => at_least(first),
            (Extremum::Sup, false) => (last >> 1).to_string(),
            (Extremum::Inf, false) => (first >> 1).to_string(),
            (Extremum::Bounds, _) => {
                let spans = gauge.values.spans().map(|span| if clock { interval(span) } else { range(span) });
                spans.collect::<Vec<_>>().join(" ∪ ")
            }
        },
    };
    Value { expression: quantity.text.clone(), value }
}

/// Odd cells lie between two numbers.
fn between(cell: i64) -> bool {
    cell & 1 == 1
}

fn at_most(cell: i64) -> String {
    match cell {
        FOREVER => "< infinity".into(),
        cell if between(cell) => format!("< {}", (cell + 1) >> 1),
        cell => format!("<= {}", cell >> 1),
    }
}

fn at_least(cell: i64) -> String {
    if between(cell) { format!("> {}", cell >> 1) } else { format!(">= {}", cell >> 1) }
}

fn interval((first, last): (i64, i64)) -> String {
    let open = if between(first) { '(' } else { '[' };
    let end = match last {
        FOREVER => "infinity)".into(),
        cell if between(cell) => format!("{})", (cell + 1) >> 1),
        cell => format!("{}]", cell >> 1),
    };
    format!("{open}{}, {end}", first >> 1)
}

fn range((first, last): (i64, i64)) -> String {
    format!("[{}, {}]", first >> 1, last >> 1)
}

/// What is known of a clock whose extreme value is not.
pub(super) fn above(quantity: &str, most: i32) -> String {
    format!("{quantity} has values above {most}")
}

/// Why there is no answer.
pub(super) fn too_large(quantity: &str, most: i32) -> String {
    let known = above(quantity, most);
    format!("{known}, and larger ones cannot be told apart; scale the model's time unit down")
}

/// The same for a clock that grows with gaps.
pub(super) fn no_pattern(quantity: &str) -> String {
    format!(
        "{quantity} has no upper bound, and its values do not end in a single interval; ask for its inf and sup"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_intervals() {
        assert_eq!(
            (at_most(20), at_most(19), at_most(FOREVER)),
            ("<= 10".into(), "< 10".into(), "< infinity".into())
        );
        assert_eq!((at_least(6), at_least(7)), (">= 3".into(), "> 3".into()));
        assert_eq!((interval((0, 20)), interval((1, 19))), ("[0, 10]".into(), "(0, 10)".into()));
        assert_eq!((interval((5, FOREVER)), range((-4, 3))), ("(2, infinity)".into(), "[-2, 1]".into()));
    }
}
