//! What the pages have in common: a program to run, counts to read, tables to write.

use std::path::PathBuf;
use std::process::Command;

use dwell_bench::child;
use serde_json::Value;

use crate::shell::{Outcome, cargo, output, root, show, target_directory};

/// Seconds after which a run is given up; its cells stay empty.
const SECONDS: u32 = 240;

/// The program, built for the purpose.
pub(super) struct Dwell {
    program: PathBuf,
    models: PathBuf,
}

/// A model with its constants.
#[derive(Clone)]
pub(super) struct Case {
    pub(super) name: String,
    pub(super) file: PathBuf,
    pub(super) constants: &'static [&'static str],
    /// Its names in the papers.
    pub(super) printed: &'static [&'static str],
}

impl Case {
    /// A model of `examples/papers`.
    pub(super) fn ours(
        file: &str,
        constants: &'static [&'static str],
        printed: &'static [&'static str],
    ) -> Self {
        let name = [&[file], constants].concat().join(" ");
        Self { name, file: root().join(format!("examples/papers/{file}-like.xml")), constants, printed }
    }

    /// A model of others, from a folder that need not be there.
    pub(super) fn theirs(name: &str, printed: &'static [&'static str]) -> Option<Self> {
        let file = root().join(format!("../shared/models/uppaal/{name}.xml"));
        file.is_file().then(|| Self { name: name.to_owned(), file, constants: &[], printed })
    }

    /// The options that set the constants.
    pub(super) fn defines(&self) -> impl Iterator<Item = &str> {
        self.constants.iter().flat_map(|constant| ["-D", constant])
    }
}

const EMPTY_TCK: &str = "system:empty\nprocess:P\nlocation:P:a{initial:}\n";
const EMPTY_XML: &str = "<nta><template><name>P</name><location id=\"a\"/><init ref=\"a\"/></template>\
                         <system>system P;</system></nta>\n";

/// Highest resident bytes with a model of one state. UPPAAL's language has a larger reader, which stays in memory.
pub(super) struct EmptyPeaks {
    pub(super) tck: f64,
    pub(super) xml: f64,
}

impl EmptyPeaks {
    /// With a model in the language of this one.
    pub(super) fn like(&self, case: &Case) -> f64 {
        if case.file.extension().is_some_and(|extension| extension == "xml") { self.xml } else { self.tck }
    }
}

/// What one exploration counted.
#[derive(Debug, Clone)]
pub(super) struct Counts {
    stats: Value,
    /// Seconds of CPU time, of the whole process.
    pub(super) cpu_seconds: f64,
    /// Transitions of the trace, if there is one.
    pub(super) steps: Option<usize>,
}

impl Counts {
    pub(super) fn get(&self, name: &str) -> u64 {
        self.stats[name].as_u64().unwrap_or(0)
    }

    /// Highest resident bytes.
    pub(super) fn peak(&self) -> f64 {
        self.get("peak_bytes") as f64
    }

    /// A list of counts; empty if it is missing.
    pub(super) fn list(&self, name: &str) -> Vec<u64> {
        self.stats[name].as_array().into_iter().flatten().filter_map(Value::as_u64).collect()
    }

    /// A count that may be missing or a fraction.
    pub(super) fn number(&self, name: &str) -> Option<f64> {
        self.stats[name].as_f64()
    }
}

impl Dwell {
    pub(super) fn build() -> Outcome<Self> {
        show(&mut cargo(&["build", "--quiet", "--release", "--locked", "--package", "dwell"]))?;
        Self::built()
    }

    /// The same with what counts distinct parts.
    pub(super) fn build_with_counter() -> Outcome<Self> {
        let counter = ["--package", "dwell-engine", "--example", "unique_parts"];
        show(cargo(&["build", "--quiet", "--release", "--locked"]).args(counter))?;
        Self::build()
    }

    fn built() -> Outcome<Self> {
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

    /// Distinct parts of the stored states of a model: the counts that the example of the engine prints.
    pub(super) fn unique_parts(&self, model: &PathBuf, constants: &[&str]) -> Outcome<Value> {
        let program = self.program.with_file_name("examples").join("unique_parts");
        let printed = output(Command::new(program).arg(model).args(constants))?;
        serde_json::from_str(&printed).map_err(|error| format!("not JSON: {error}"))
    }

    /// A model of a family, as a case.
    pub(super) fn family(&self, family: &str, size: u32, printed: &'static [&'static str]) -> Outcome<Case> {
        let file = self.model(family, size)?;
        Ok(Case { name: format!("{family} {size}"), file, constants: &[], printed })
    }

    /// Highest resident bytes with a model of one state, in each language.
    pub(super) fn empty_peaks(&self, options: &[&str]) -> Outcome<EmptyPeaks> {
        let peak = |name, text| {
            let file = self.file(name, text)?;
            let mut least = f64::INFINITY;
            for _ in 0..5 {
                least = self.explore_with(&file, options)?.map_or(least, |counts| least.min(counts.peak()));
            }
            Ok::<_, String>(least)
        };
        Ok(EmptyPeaks { tck: peak("empty.tck", EMPTY_TCK)?, xml: peak("empty.xml", EMPTY_XML)? })
    }

    /// What static analysis finds.
    pub(super) fn covering_sets(&self, case: &Case) -> Outcome<Value> {
        let mut command = Command::new(&self.program);
        let text = output(
            command.arg("analyse").arg(&case.file).args(["--covering", "--json"]).args(case.defines()),
        )?;
        let document: Value = serde_json::from_str(&text).map_err(|error| format!("not JSON: {error}"))?;
        Ok(document["covering"].clone())
    }

    /// Explores everything; nothing if that takes too long.
    pub(super) fn explore(&self, model: &PathBuf, order: &str) -> Outcome<Option<Counts>> {
        self.explore_with(model, &["--order", order, "--timeout", &format!("{SECONDS}s")])
    }

    /// Explores everything with these options; nothing if it did not get through.
    pub(super) fn explore_with(&self, model: &PathBuf, options: &[&str]) -> Outcome<Option<Counts>> {
        self.ask(model, &[&["--space"], options].concat())
    }

    /// Asks one question with these options; nothing if the answer is not yes.
    pub(super) fn ask(&self, model: &PathBuf, options: &[&str]) -> Outcome<Option<Counts>> {
        eprintln!("{} {}", model.file_name().unwrap_or_default().to_string_lossy(), options.join(" "));
        let mut command = Command::new(&self.program);
        command.arg("check").arg(model).arg("--json").args(options);
        let ended = child::measure(&mut command, None)?;
        let document: Value =
            serde_json::from_str(&ended.printed).map_err(|error| format!("not JSON: {error}"))?;
        // Others on the machine hardly count in CPU time.
        let cpu_seconds = ended.user_seconds + ended.system_seconds;
        let query = &document["queries"][0];
        let complete = query["verdict"] == "satisfied" || query["verdict"] == "maybe-satisfied";
        let steps = query["trace"]["steps"].as_array().map(Vec::len);
        Ok(complete.then(|| Counts { stats: query["stats"].clone(), cpu_seconds, steps }))
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
