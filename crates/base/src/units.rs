//! Durations and sizes as people write them.

use std::time::Duration;

const TIMES: &[(&str, f64)] = &[("ms", 1e-3), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
const SIZES: &[(&str, f64)] = &[("KiB", 1024.0), ("MiB", 1024.0 * 1024.0), ("GiB", 1024.0 * 1024.0 * 1024.0)];

fn parse(text: &str, units: &[(&str, f64)], example: &str) -> Result<f64, String> {
    let wrong = || format!("'{text}' is not a number with a unit, such as {example}");
    // Longer units first: "ms" ends in "s" too.
    let mut units = units.to_vec();
    units.sort_by_key(|(unit, _)| std::cmp::Reverse(unit.len()));
    let (number, factor) =
        units.iter().find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, factor))).ok_or_else(wrong)?;
    let digits = number.chars().all(|c| c.is_ascii_digit() || c == '.');
    let number: f64 = number.parse().ok().filter(|_| digits).ok_or_else(wrong)?;
    Ok(number * factor)
}

/// `500ms`, `90s`, `1.5m`, `2h`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let seconds = parse(text, TIMES, "90s or 1.5m")?;
    Duration::try_from_secs_f64(seconds).map_err(|_| format!("{text} is longer than time can be told"))
}

/// `512MiB`, `4GiB`.
pub fn size(text: &str) -> Result<u64, String> {
    let bytes = parse(text, SIZES, "512MiB or 4GiB")?;
    if bytes < 2f64.powi(62) { Ok(bytes as u64) } else { Err(format!("{text} is more than any machine has")) }
}

/// `3.2 MiB`.
pub fn show_bytes(bytes: u64) -> String {
    match bytes as f64 {
        b if b < 1024.0 => format!("{bytes} B"),
        b if b < 1024.0 * 1024.0 => format!("{:.1} KiB", b / 1024.0),
        b if b < 1024.0 * 1024.0 * 1024.0 => format!("{:.1} MiB", b / (1024.0 * 1024.0)),
        b => format!("{:.2} GiB", b / (1024.0 * 1024.0 * 1024.0)),
    }
}

/// The largest unit that needs no fraction: `1536MiB`; bytes as `B`, which is
/// not read again.
pub fn exact_size(bytes: u64) -> String {
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
    match units.iter().find(|(shift, _)| bytes.trailing_zeros() >= *shift && bytes > 0) {
        Some((shift, unit)) => format!("{}{unit}", bytes >> shift),
        None => format!("{bytes}B"),
    }
}

/// `1,234,567`.
pub fn show_count(count: u64) -> String {
    let digits = count.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_read() {
        assert_eq!(duration("500ms").unwrap(), Duration::from_millis(500));
        assert_eq!(duration("1.5m").unwrap(), Duration::from_secs(90));
        assert_eq!(duration("2h").unwrap(), Duration::from_secs(7200));
        assert_eq!(size("4GiB").unwrap(), 4 << 30);
        assert_eq!(size("0.5KiB").unwrap(), 512);
        for bad in ["", "s", "5", "-3s", "1e9s", "nans", "infs", "5 s", "3GB", "99999999999999999999h"] {
            assert!(duration(bad).is_err(), "{bad}");
        }
        assert!(duration("99999999999999999999h").unwrap_err().ends_with("is longer than time can be told"));
        for bad in ["", "MiB", "4GB", "-1GiB", "99999999999999999999GiB"] {
            assert!(size(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn numbers_are_shown() {
        assert_eq!(show_count(0), "0");
        assert_eq!(show_count(1_234_567), "1,234,567");
        assert_eq!(show_bytes(100), "100 B");
        assert_eq!(show_bytes(3 << 20), "3.0 MiB");
        assert_eq!(exact_size(3 << 29), "1536MiB");
        assert_eq!(exact_size(1000), "1000B");
    }
}
