//! How many random cases a test runs, and how one of them is run again.

/// The seeds of a test: `0..count`, more (or fewer) when the environment
/// variable `DWELL_RANDOM_NETWORKS` says so, or the one that `DWELL_SEED`
/// names, which is how a failure is run again.
pub fn seeds(count: u64) -> std::ops::Range<u64> {
    if let Some(seed) = number("DWELL_SEED") {
        return seed..seed + 1;
    }
    0..number("DWELL_RANDOM_NETWORKS").unwrap_or(count)
}

/// True when [`seeds`] gives the one seed of a failure, so that statistics
/// over many cases mean nothing.
pub fn reproducing() -> bool {
    number("DWELL_SEED").is_some()
}

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.trim().parse().unwrap_or_else(|_| panic!("{variable} must be a number, not '{text}'")))
}
