//! Benches: a program is run as a child, many times, and compared.
//!
//! * [`child`]: one run within its limits, measured;
//! * [`suite`]: models × plans, taking turns;
//! * [`results`]: what came of it, as text, CSV, JSON;
//! * [`plots`]: as pictures;
//! * [`table`], [`median`], [`machine`]: what every bench needs.
//!
//! A child that fails is a result like any other.
#![forbid(unsafe_code)]

pub mod child;
pub mod machine;
pub mod plots;
pub mod results;
pub mod suite;
pub mod table;

/// The middle value; of an even number the mean of the two in the middle; none
/// of none.
pub fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        odd if odd % 2 == 1 => Some(values[middle]),
        _ => Some((values[middle - 1] + values[middle]) / 2.0),
    }
}

/// Bytes as MiB.
pub fn mebibytes(bytes: f64) -> f64 {
    bytes / f64::from(1 << 20)
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn the_median_ignores_the_order() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(Vec::new()), None);
    }
}
