//! Plots that compare programs over many inputs.

use super::{Axis, Look, Plot, Scale, Series};

/// For each program its results, smallest first, numbered: how many inputs it
/// can do with so much each. Lower and longer is better.
pub fn cactus(title: &str, measured: &str, results: &[(String, Vec<f64>)]) -> Plot {
    let series = results.iter().map(|(name, values)| {
        let mut values: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
        values.sort_by(f64::total_cmp);
        let points = values.into_iter().enumerate().map(|(n, value)| ((n + 1) as f64, value)).collect();
        Series { name: name.clone(), points, look: Look::LinePoints }
    });
    Plot {
        title: title.to_owned(),
        x: Axis::new("models answered", Scale::Linear).with(0.0),
        y: Axis::new(measured, Scale::Log),
        series: series.collect(),
        diagonal: false,
        without: None,
    }
}

/// Each input at its results with two programs; below the diagonal the second
/// one needs less. What has no result lies on a broken line beyond all others.
pub fn scatter(title: &str, measured: &str, names: [&str; 2], results: &[[Option<f64>; 2]]) -> Plot {
    let most = results.iter().flatten().flatten().copied().fold(0.0, f64::max);
    let missing = results.iter().flatten().any(Option::is_none);
    let without = (missing && most > 0.0).then_some(most * 3.0);
    let points = (results.iter())
        .filter(|both| both.iter().any(Option::is_some))
        .map(|both| {
            let [x, y] = both.map(|value| value.or(without).unwrap_or(most));
            (x, y)
        })
        .collect();
    let axis = |name: &str| Axis::new(&format!("{name} ({measured})"), Scale::Log);
    Plot {
        title: title.to_owned(),
        x: axis(names[0]),
        y: axis(names[1]),
        series: vec![Series { name: "inputs".to_owned(), points, look: Look::Points }],
        diagonal: true,
        without,
    }
}
