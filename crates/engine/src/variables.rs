//! `--reduce-variables`: which variables are forgotten where.

use crate::plan::{ASKED, Aim, Switch};
use crate::{Keep, Model, Options, Question};
use dwell_model::analysis::{Slots, VariableFacts, variable_facts};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Decides, and says why, where there is something to decide.
///
/// Whoever asks for the whole state space, or for labels, wants to compare
/// counts: nothing is forgotten unasked then, nor where not all states
/// are stored (KS-2 of `dwell_explore::keep` goes by cycles of states with all
/// variables), nor where a heuristic looks at variables.
pub(crate) fn planned(
    options: &Options,
    model: &Model,
    question: &Question,
    keep: Keep,
) -> Result<(Option<Arc<VariableFacts>>, Option<String>), String> {
    let asked = options.reduce_variables == Some(Switch::On);
    let plain = keep.is_all() && options.heuristic.is_none();
    if asked && !plain {
        let why = if keep.is_all() {
            "--heuristic, which may look at variables that are forgotten".to_owned()
        } else {
            format!("--keep {keep}: cycles that count in a variable end, unless it is forgotten")
        };
        return Err(format!("--reduce-variables on cannot go with {why}"));
    }
    let counts = matches!(question.aim(), Aim::Nothing | Aim::Labels) || model.document().is_none();
    if !plain || options.reduce_variables == Some(Switch::Off) || (counts && !asked) {
        return Ok((None, None));
    }
    let facts = variable_facts(&model.system.network, &question.observed).map(Arc::new);
    let why = match &facts {
        Some(_) if asked => ASKED.into(),
        Some(facts) => match facts.slots.len() {
            1 => "one variable is written before it is read again, or never read".into(),
            n => format!("{n} variables are written before they are read again, or never read"),
        },
        None => "every variable may be read everywhere".into(),
    };
    let why = (facts.is_some() || asked).then_some(why);
    Ok((facts, why))
}

/// Makes the states that are explored for one of the questions good for the
/// others: what any of them sees is known.
pub fn share_observed<'q>(questions: impl IntoIterator<Item = &'q mut Question>) {
    let mut questions: Vec<&mut Question> =
        questions.into_iter().filter(|question| question.is_of_states()).collect();
    let all: BTreeSet<Slots> =
        questions.iter().flat_map(|question| question.observed.iter().copied()).collect();
    questions.iter_mut().for_each(|question| question.observed.clone_from(&all));
}
