//! What came of a bench: medians, as text, CSV and JSON.

use crate::child::{Answer, Run};
use crate::suite::Suite;
use crate::table::aligned;
use crate::{machine, mebibytes, median};
use serde::{Deserialize, Serialize};

/// All results, as they are written to a file. Fields may be added, none
/// removed.
#[derive(Debug, Serialize, Deserialize)]
pub struct Results {
    /// The version.
    pub dwell: String,
    /// Where it was measured.
    pub cpu: String,
    /// What a run was given.
    pub timeout_seconds: f64,
    /// What a run was given, if that was said.
    pub memory_bytes: Option<u64>,
    /// The models.
    pub models: Vec<String>,
    /// The plans.
    pub plans: Vec<String>,
    /// For each model, for each plan.
    pub results: Vec<Row>,
}

/// One model with one plan: the medians of its runs.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Row {
    /// As in [`Results::models`].
    pub model: String,
    /// As in [`Results::plans`].
    pub plan: String,
    /// None where there was no answer.
    pub verdict: Option<String>,
    /// Why there was none.
    pub why: Option<String>,
    /// Symbolic states visited.
    pub visited: Option<u64>,
    /// Symbolic states stored at the end.
    pub stored: Option<u64>,
    /// Successors computed.
    pub transitions: Option<u64>,
    /// Wall-clock seconds of the whole process.
    pub seconds: Option<f64>,
    /// Seconds of CPU time in user mode.
    pub user_seconds: Option<f64>,
    /// The largest resident size.
    pub peak_bytes: Option<f64>,
    /// The runs themselves.
    pub runs: Vec<Figures>,
}

/// What was measured in one run.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Figures {
    /// Wall-clock seconds of the whole process.
    pub seconds: f64,
    /// Seconds of CPU time in user mode.
    pub user_seconds: f64,
    /// The largest resident size.
    pub peak_bytes: u64,
}

impl Results {
    /// The results of a suite.
    pub fn new(version: &str, suite: &Suite, runs: &[Vec<Run>]) -> Self {
        let pairs = suite.cases.iter().flat_map(|case| suite.plans.iter().map(move |plan| (case, plan)));
        let rows = pairs.zip(runs).map(|((case, plan), runs)| Row::new(&case.name, &plan.name, runs));
        Self {
            dwell: version.to_owned(),
            cpu: machine::cpu(),
            timeout_seconds: suite.timeout.as_secs_f64(),
            memory_bytes: suite.memory,
            models: suite.cases.iter().map(|case| case.name.clone()).collect(),
            plans: suite.plans.iter().map(|plan| plan.name.clone()).collect(),
            results: rows.collect(),
        }
    }

    /// Reads what [`Results::to_json`] wrote.
    ///
    /// # Errors
    ///
    /// A sentence about what is wrong with the text.
    pub fn from_json(text: &str) -> Result<Self, String> {
        let results: Self =
            serde_json::from_str(text).map_err(|error| format!("not the results of a bench: {error}"))?;
        if results.results.len() != results.models.len() * results.plans.len() {
            return Err("the results of a bench are not whole".to_owned());
        }
        Ok(results)
    }

    /// For programs.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("plain data");
        text.push('\n');
        text
    }

    /// The rows of one plan.
    pub fn of_plan(&self, plan: usize) -> impl Iterator<Item = &Row> {
        self.results.iter().skip(plan).step_by(self.plans.len().max(1))
    }

    /// Models about which two plans say different things.
    pub fn contradictions(&self) -> Vec<&str> {
        let definite = |row: &&Row| row.verdict.as_ref().is_some_and(|verdict| !verdict.contains("maybe"));
        let differ = |rows: &[Row]| {
            let mut verdicts: Vec<&Option<String>> =
                rows.iter().filter(definite).map(|row| &row.verdict).collect();
            verdicts.dedup();
            verdicts.len() > 1
        };
        let models = self.results.chunks(self.plans.len().max(1)).filter(|rows| differ(rows));
        models.map(|rows| rows[0].model.as_str()).collect()
    }

    /// For people.
    pub fn to_text(&self) -> String {
        let head = ["model", "plan", "verdict", "visited", "stored", "s", "MiB", ""];
        let mut lines = vec![head.map(str::to_owned).to_vec()];
        for row in &self.results {
            let count = |count: Option<u64>| count.map_or("-".to_owned(), |count| count.to_string());
            let figure =
                |value: Option<f64>, digits: usize| value.map_or("-".to_owned(), |v| format!("{v:.digits$}"));
            lines.push(vec![
                row.model.clone(),
                row.plan.clone(),
                row.verdict.clone().unwrap_or_else(|| "none".to_owned()),
                count(row.visited),
                count(row.stored),
                figure(row.seconds, 3),
                figure(row.peak_bytes.map(mebibytes), 1),
                row.why.clone().unwrap_or_default(),
            ]);
        }
        aligned(&lines)
    }

    /// For spreadsheets.
    pub fn to_csv(&self) -> String {
        let mut text = String::from(
            "model,plan,verdict,why,visited,stored,transitions,seconds,user_seconds,peak_bytes,runs\n",
        );
        for row in &self.results {
            let count = |count: Option<u64>| count.map(|count| count.to_string()).unwrap_or_default();
            let figure = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
            let cells = [
                row.model.clone(),
                row.plan.clone(),
                row.verdict.clone().unwrap_or_default(),
                row.why.clone().unwrap_or_default(),
                count(row.visited),
                count(row.stored),
                count(row.transitions),
                figure(row.seconds),
                figure(row.user_seconds),
                figure(row.peak_bytes),
                row.runs.len().to_string(),
            ];
            text.push_str(&cells.map(quoted).join(","));
            text.push('\n');
        }
        text
    }
}

impl Row {
    fn new(model: &str, plan: &str, runs: &[Run]) -> Self {
        let why = runs.iter().find_map(|run| run.answer.as_ref().err());
        let answer: Option<&Answer> =
            runs.first().and_then(|run| run.answer.as_ref().ok()).filter(|_| why.is_none());
        let of = |pick: fn(&Run) -> f64| match why {
            None => median(runs.iter().map(pick).collect()),
            Some(_) => None,
        };
        Self {
            model: model.to_owned(),
            plan: plan.to_owned(),
            verdict: answer.map(|answer| answer.verdict.clone()),
            why: why.cloned(),
            visited: answer.map(|answer| answer.visited),
            stored: answer.and_then(|answer| answer.stored),
            transitions: answer.map(|answer| answer.transitions),
            seconds: of(|run| run.seconds),
            user_seconds: of(|run| run.user_seconds),
            peak_bytes: of(|run| run.peak_bytes as f64),
            runs: runs
                .iter()
                .map(|run| Figures {
                    seconds: run.seconds,
                    user_seconds: run.user_seconds,
                    peak_bytes: run.peak_bytes,
                })
                .collect(),
        }
    }
}

/// A cell of CSV (RFC 4180).
fn quoted(cell: String) -> String {
    if cell.contains([',', '"', '\n', '\r']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::{Case, Plan};
    use std::time::Duration;

    fn run(answer: Result<&str, &str>, seconds: f64) -> Run {
        let answer = answer.map(|verdict| Answer {
            verdict: verdict.to_owned(),
            visited: 7,
            stored: Some(5),
            transitions: 9,
            peak_bytes: None,
        });
        Run { answer: answer.map_err(str::to_owned), seconds, user_seconds: seconds, peak_bytes: 3 << 20 }
    }

    fn results(runs: &[Vec<Run>]) -> Results {
        let case = |name: &str| Case { name: name.to_owned(), words: Vec::new(), folder: None };
        let plan = |name: &str| Plan { name: name.to_owned(), words: Vec::new() };
        let suite = Suite {
            program: "dwell".into(),
            cases: vec![case("a.xml"), case("b, c.xml")],
            plans: vec![plan("default"), plan("--order bfs")],
            runs: 3,
            timeout: Duration::from_secs(60),
            memory: None,
            logs: None,
        };
        Results { cpu: "some".to_owned(), ..Results::new("0.1.0", &suite, runs) }
    }

    fn mixed() -> Results {
        results(&[
            vec![run(Ok("satisfied"), 1.0), run(Ok("satisfied"), 4.0), run(Ok("satisfied"), 2.0)],
            vec![run(Ok("not-satisfied"), 1.0)],
            vec![run(Ok("satisfied"), 1.0), run(Err("killed by the system"), 9.0)],
            vec![run(Err("say \"no\""), 0.5)],
        ])
    }

    #[test]
    fn medians_and_reasons_are_told() {
        let text = mixed().to_text();
        let expected = "\
model     plan         verdict        visited  stored      s  MiB
a.xml     default      satisfied            7       5  2.000  3.0
a.xml     --order bfs  not-satisfied        7       5  1.000  3.0
b, c.xml  default      none                 -       -      -    -  killed by the system
b, c.xml  --order bfs  none                 -       -      -    -  say \"no\"
";
        assert_eq!(text, expected);
        assert_eq!(mixed().contradictions(), ["a.xml"]);
    }

    #[test]
    fn cells_with_commas_and_quotes_are_quoted() {
        let csv = mixed().to_csv();
        assert!(csv.contains("\na.xml,default,satisfied,,7,5,9,2,2,3145728,3\n"), "{csv}");
        assert!(csv.ends_with("\"b, c.xml\",--order bfs,,\"say \"\"no\"\"\",,,,,,,1\n"), "{csv}");
    }

    #[test]
    fn json_is_read_again() {
        let again = Results::from_json(&mixed().to_json()).expect("our own");
        assert_eq!(again.to_text(), mixed().to_text());
        assert!(Results::from_json("{}").is_err());
        let mut cut = mixed();
        cut.results.pop();
        assert!(Results::from_json(&cut.to_json()).is_err());
    }
}
