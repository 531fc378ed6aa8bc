//! Where values lie on an axis, and which of them are written beside it.

/// How values are spread over an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Evenly, from zero where that is not far.
    Linear,
    /// By their order of magnitude; only values above zero.
    Log,
}

/// From values to places along an axis of some length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mapping {
    scale: Scale,
    low: f64,
    high: f64,
    length: f64,
}

/// Values beyond are no figures that anyone measures.
const MOST: f64 = 1e18;

impl Mapping {
    /// An axis that holds these values.
    pub fn new(scale: Scale, values: impl Iterator<Item = f64>, length: f64) -> Self {
        let shown = values.filter(|&value| shows(scale, value));
        let (low, high) =
            shown.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), value| (a.min(value), b.max(value)));
        let (low, high) = match (low <= high, scale) {
            (false, _) => (1.0, 10.0),
            (true, Scale::Linear) => linear_ends(low, high),
            // From a power of ten to one.
            (true, Scale::Log) => {
                let low = low.log10().floor();
                (10f64.powf(low), 10f64.powf(high.log10().ceil().max(low + 1.0)))
            }
        };
        Self { scale, low, high, length }
    }

    /// An axis as long as this one that holds what either holds.
    pub fn union(&self, other: &Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high), ..*self }
    }

    /// The place of a value; none for one that cannot be shown.
    pub fn at(&self, value: f64) -> Option<f64> {
        if !shows(self.scale, value) {
            return None;
        }
        let part = match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Log => (value / self.low).log10() / (self.high / self.low).log10(),
        };
        Some(part * self.length)
    }

    /// Places of the values that are written, with their texts.
    pub fn ticks(&self) -> Vec<(f64, String)> {
        let values = match self.scale {
            Scale::Linear => linear_ticks(self.low, self.high),
            Scale::Log => log_ticks(self.low, self.high),
        };
        values.into_iter().filter_map(|value| Some((self.at(value)?, figure(value)))).collect()
    }
}

fn shows(scale: Scale, value: f64) -> bool {
    value.abs() <= MOST && (scale == Scale::Linear || value > 1.0 / MOST)
}

/// Round numbers around the values; zero where it is not far.
fn linear_ends(low: f64, high: f64) -> (f64, f64) {
    let low = if low > 0.0 && low < 0.7 * high { 0.0 } else { low };
    let (low, high) = if high > low { (low, high) } else { (low - low.abs() / 2.0, high + high.abs() / 2.0) };
    let (low, high) = if high > low { (low, high) } else { (0.0, 1.0) };
    let step = step(high - low);
    ((low / step).floor() * step, (high / step).ceil() * step)
}

/// A round distance of which a handful fits into a range.
fn step(range: f64) -> f64 {
    let power = 10f64.powf((range / 5.0).log10().floor());
    let part = range / 5.0 / power;
    power
        * if part <= 1.0 {
            1.0
        } else if part <= 2.0 {
            2.0
        } else if part <= 5.0 {
            5.0
        } else {
            10.0
        }
}

fn linear_ticks(low: f64, high: f64) -> Vec<f64> {
    let step = step(high - low);
    let first = (low / step).round() as i64;
    (0..=12).map(|n| (first + n) as f64 * step).take_while(|&value| value <= high + step / 2.0).collect()
}

/// Powers of ten, not more than fit; between few of them also 2 and 5.
fn log_ticks(low: f64, high: f64) -> Vec<f64> {
    let (low, high) = (low.log10().round() as i32, high.log10().round() as i32);
    let every = ((high - low) / 8 + 1) as usize;
    let parts: &[f64] = if high - low <= 2 { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let mut ticks: Vec<f64> = (low..high)
        .step_by(every)
        .flat_map(|power| parts.iter().map(move |part| part * 10f64.powi(power)))
        .collect();
    if ((high - low) as usize).is_multiple_of(every) {
        ticks.push(10f64.powi(high));
    }
    ticks
}

/// A value in a few characters.
fn figure(value: f64) -> String {
    let short = |value: f64, unit: &str| {
        let text = format!("{value:.3}");
        format!("{}{unit}", text.trim_end_matches('0').trim_end_matches('.'))
    };
    match value.abs() {
        v if v >= 1e12 => format!("{value:.0e}"),
        v if v >= 1e9 => short(value / 1e9, "G"),
        v if v >= 1e6 => short(value / 1e6, "M"),
        v if v >= 1e4 => short(value / 1e3, "k"),
        v if v >= 1e-3 || v == 0.0 => short(value, ""),
        _ => format!("{value:e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks(scale: Scale, values: &[f64]) -> String {
        let all = Mapping::new(scale, values.iter().copied(), 100.0).ticks();
        all.iter().map(|(at, text)| format!("{text}@{at:.0}")).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn linear_axes_have_round_figures() {
        assert_eq!(ticks(Scale::Linear, &[0.0, 9.0]), "0@0 2@20 4@40 6@60 8@80 10@100");
        assert_eq!(ticks(Scale::Linear, &[3.0, 48_000.0]), "0@0 10k@20 20k@40 30k@60 40k@80 50k@100");
        assert_eq!(ticks(Scale::Linear, &[0.0]), "0@0 0.2@20 0.4@40 0.6@60 0.8@80 1@100");
        assert_eq!(ticks(Scale::Linear, &[7.0]), "2@0 4@20 6@40 8@60 10@80 12@100");
        assert_eq!(ticks(Scale::Linear, &[-1.0, 1.0]), "-1@0 -0.5@25 0@50 0.5@75 1@100");
    }

    #[test]
    fn logarithmic_axes_have_powers_of_ten() {
        assert_eq!(ticks(Scale::Log, &[0.02, 3.0]), "0.01@0 0.1@33 1@67 10@100");
        assert_eq!(ticks(Scale::Log, &[5.0]), "1@0 2@30 5@70 10@100");
        assert_eq!(ticks(Scale::Log, &[1e-9, 1e9]), "1e-9@0 1e-6@17 0.001@33 1@50 1000@67 1M@83 1G@100");
    }

    #[test]
    fn odd_values_do_no_harm() {
        for scale in [Scale::Linear, Scale::Log] {
            let odd = [f64::NAN, f64::INFINITY, -f64::INFINITY, f64::MAX, -1.0, 0.0, f64::MIN_POSITIVE];
            for count in 0..=odd.len() {
                let mapping = Mapping::new(scale, odd[..count].iter().copied(), 100.0);
                assert!(mapping.ticks().len() <= 14, "{mapping:?}");
                let places = odd.iter().filter_map(|&value| mapping.at(value));
                assert!(places.into_iter().all(f64::is_finite), "{mapping:?}");
            }
        }
    }
}
