//! What the pages have in common: a program to run, counts to read, tables to write.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::shell::{Outcome, cargo, output, root, show, target_directory};

/// Seconds after which a run is given up; its cells stay empty.
const SECONDS: u32 = 240;

/// The program, built for the purpose.
pub(super) struct Dwell {
    program: PathBuf,
    models: PathBuf,
}

/// What one exploration counted.
#[derive(Debug, Clone)]
pub(super) struct Counts {
    stats: Value,
    /// The order it ended in.
    pub(super) order: String,
}

impl Counts {
    pub(super) fn get(&self, name: &str) -> u64 {
        self.stats[name].as_u64().unwrap_or(0)
    }

    /// A count that may be missing or a fraction.
    pub(super) fn number(&self, name: &str) -> Option<f64> {
        self.stats[name].as_f64()
    }
}

impl Dwell {
    pub(super) fn build() -> Outcome<Self> {
        show(&mut cargo(&["build", "--quiet", "--release", "--locked", "--package", "dwell"]))?;
        let target = target_directory()?;
        let models = target.join("paper-models");
        std::fs::create_dir_all(&models).map_err(|error| format!("{}: {error}", models.display()))?;
        Ok(Self { program: target.join("release/dwell"), models })
    }

    /// The text of a model of ours.
    pub(super) fn generate(&self, family: &str, size: u32) -> Outcome<String> {
        output(Command::new(&self.program).args(["generate", family, "-n", &size.to_string(), "--to", "tck"]))
    }

    /// The file of a model of ours.
    pub(super) fn model(&self, family: &str, size: u32) -> Outcome<PathBuf> {
        self.file(&format!("{family}_{size}.tck"), &self.generate(family, size)?)
    }

    /// A file with this text.
    pub(super) fn file(&self, name: &str, text: &str) -> Outcome<PathBuf> {
        let path = self.models.join(name);
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(path)
    }

    /// Explores everything; nothing if that takes too long.
    pub(super) fn explore(&self, model: &PathBuf, order: &str) -> Outcome<Option<Counts>> {
        self.explore_with(model, &["--order", order, "--timeout", &format!("{SECONDS}s")])
    }

    /// Explores everything with these options; nothing if it did not get through.
    pub(super) fn explore_with(&self, model: &PathBuf, options: &[&str]) -> Outcome<Option<Counts>> {
        eprintln!("{} {}", model.file_name().unwrap_or_default().to_string_lossy(), options.join(" "));
        let mut command = Command::new(&self.program);
        let printed = command.arg("check").arg(model).args(["--space", "--json"]).args(options).output();
        let printed = printed.map_err(|error| format!("{}: {error}", self.program.display()))?;
        let document: Value =
            serde_json::from_slice(&printed.stdout).map_err(|error| format!("not JSON: {error}"))?;
        let query = &document["queries"][0];
        let order = query["plan"]["order"].as_str().unwrap_or_default().to_owned();
        let complete = query["verdict"] == "satisfied" || query["verdict"] == "maybe-satisfied";
        Ok(complete.then(|| Counts { stats: query["stats"].clone(), order }))
    }
}

/// Writes a page of `docs/papers`.
pub(super) fn write(name: &str, text: &str) -> Outcome {
    let path = root().join("docs/papers").join(name);
    std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    eprintln!("wrote {}", path.display());
    Ok(())
}

/// 12,345.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn thousands_are_told_apart() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
