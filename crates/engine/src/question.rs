//! What is asked of a model.

use crate::Model;
use dwell_model::LabelId;

/// A question and how it is written.
#[derive(Clone, Debug)]
pub struct Question {
    /// As the user knows it.
    pub formula: String,
    /// What is looked for.
    pub goal: Goal,
}

/// What is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Nothing: explore everything.
    Space,
    /// A state that carries all these labels.
    Labels(Vec<LabelId>),
}

impl Question {
    /// Explore the whole state space.
    pub fn space() -> Self {
        Self { formula: "state space".into(), goal: Goal::Space }
    }

    /// Is a state reachable that carries all these labels? An unknown label
    /// is an error, with the nearest known one as a hint.
    pub fn labels<S: AsRef<str>>(model: &Model, labels: &[S]) -> Result<Self, String> {
        let known = &model.network().labels;
        let mut ids = Vec::new();
        for label in labels.iter().map(AsRef::as_ref) {
            match known.iter().position(|k| k == label) {
                Some(id) => ids.push(LabelId::new(id)),
                None => return Err(unknown(label, known)),
            }
        }
        if ids.is_empty() {
            return Err("no label given".into());
        }
        let names: Vec<&str> = labels.iter().map(AsRef::as_ref).collect();
        Ok(Self { formula: format!("labels {}", names.join(",")), goal: Goal::Labels(ids) })
    }
}

fn unknown(label: &str, known: &[String]) -> String {
    let mut message = format!("no location carries the label '{label}'");
    if known.is_empty() {
        message.push_str("; this model has no labels");
    } else if let Some(near) = dwell_syntax::closest(label, known.iter().map(String::as_str)) {
        message.push_str(&format!("; did you mean '{near}'?"));
    } else {
        let mut names: Vec<&str> = known.iter().map(String::as_str).take(8).collect();
        if known.len() > names.len() {
            names.push("…");
        }
        message.push_str(&format!("; there are: {}", names.join(", ")));
    }
    message
}
