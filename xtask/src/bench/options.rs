//! The options of `bench` and `bench micro`.

use std::path::PathBuf;

use crate::shell::{Outcome, root};

/// What the developer asked for.
#[derive(Debug, Default)]
pub(crate) struct Options {
    /// Tiny models, one run, answers checked, nothing kept.
    pub(crate) smoke: bool,
    /// A `tck-reach` to compare with.
    pub(crate) rival: Option<PathBuf>,
    /// Only cases whose name contains this.
    pub(crate) only: Option<String>,
    /// A program built earlier.
    pub(crate) binary: Option<PathBuf>,
    /// Count instructions (`micro` only).
    pub(crate) count: bool,
    runs: Option<usize>,
    out: Option<PathBuf>,
}

impl Options {
    /// Reads the words after the task.
    pub(crate) fn parse(words: &[&str]) -> Outcome<Self> {
        let mut options = Self::default();
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            let mut value =
                || words.next().map(|&value| value.to_owned()).ok_or(format!("{word} wants a value"));
            match word {
                "--smoke" => options.smoke = true,
                "--count" => options.count = true,
                "--rival" => options.rival = Some(value()?.into()),
                "--binary" => options.binary = Some(value()?.into()),
                "--only" => options.only = Some(value()?),
                "--out" => options.out = Some(value()?.into()),
                "--runs" => {
                    let runs = value()?.parse().ok().filter(|&runs| runs > 0);
                    options.runs = Some(runs.ok_or("--runs wants a number of at least 1")?);
                }
                _ => return Err(format!("bench has no option `{word}`; see cargo xtask help")),
            }
        }
        Ok(options)
    }

    /// How often each case runs.
    pub(crate) fn runs(&self) -> usize {
        self.runs.unwrap_or(if self.smoke { 1 } else { 3 })
    }

    /// The file to append records to; smoke runs keep none unless told to.
    pub(crate) fn out(&self, kind: &str) -> Option<PathBuf> {
        if self.smoke && self.out.is_none() {
            return None;
        }
        Some(self.out.clone().unwrap_or_else(|| root().join(format!("bench/history/{kind}.jsonl"))))
    }
}

#[cfg(test)]
mod tests {
    use super::Options;

    #[test]
    fn options_are_read_in_any_order() {
        let options = Options::parse(&["--runs", "5", "--smoke", "--only", "fischer"]).expect("good options");
        assert_eq!((options.runs(), options.smoke, options.only.as_deref()), (5, true, Some("fischer")));
        assert!(options.out("macro").is_none(), "a smoke run leaves the history alone");
    }

    #[test]
    fn bad_options_are_named() {
        for (words, part) in [
            (&["--fast"][..], "--fast"),
            (&["--rival"], "--rival"),
            (&["--runs", "0"], "at least 1"),
            (&["--runs", "many"], "at least 1"),
        ] {
            let message = Options::parse(words).expect_err("bad options");
            assert!(message.contains(part), "{message}");
        }
    }
}
