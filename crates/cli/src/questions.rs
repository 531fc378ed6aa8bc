//! What is asked: queries of the model, of a file or of the command line,
//! labels, or the whole state space.

use crate::input::text;
use clap::ArgMatches;
use dwell_engine::syntax::uppaal::tree::{Outcome, QueryItem};
use dwell_engine::syntax::uppaal::{parse_queries, parse_query};
use dwell_engine::syntax::{Diagnostic, Diagnostics, Severity, SourceFile};
use dwell_engine::{Model, Question, share_observed};
use std::path::Path;

/// Something asked, or why it cannot be answered.
pub struct Asked {
    /// As the user wrote it.
    pub formula: String,
    /// What is to be done, or why nothing can be.
    pub question: Result<Question, String>,
    /// What its author says about it.
    pub comment: Option<String>,
    /// What its author expects.
    pub expected: Option<Outcome>,
    /// What is wrong with the text of the query.
    pub diagnostics: Vec<Diagnostic>,
    /// Where that text stands; `None`: in the model.
    pub source: Option<SourceFile>,
}

/// Everything the command line asks.
pub fn questions(matches: &ArgMatches, model: &Model, path: &str) -> Result<Vec<Asked>, String> {
    let mut asked = Vec::new();
    for labels in matches.get_many::<String>("labels").into_iter().flatten() {
        let labels: Vec<&str> = labels.split(',').map(str::trim).filter(|l| !l.is_empty()).collect();
        asked.push(plain(Question::labels(model, &labels)?));
    }
    if matches.get_flag("space") {
        asked.push(plain(Question::space()));
    }
    let beside = asked.len();
    let given: Vec<&String> = matches.get_many::<String>("query").into_iter().flatten().collect();
    if !given.is_empty() {
        for query in given {
            let source = SourceFile::new("<query>", query.clone());
            let (item, stray) = parse_query(source.text());
            only_queries(&source, &stray)?;
            asked.extend(of_items(model, &[item], Some(&source)));
        }
    } else if let Some(file) = matches.get_one::<String>("queries") {
        let source = text(file)?.map_err(|(source, found)| at(&source, &found))?;
        if source.text().trim_start_matches('\u{feff}').trim_start().starts_with("<?xml") {
            return Err(format!(
                "{file} is XML, not a file of queries; those in a model are asked without it"
            ));
        }
        let (items, stray) = parse_queries(source.text());
        only_queries(&source, &stray)?;
        if items.is_empty() {
            return Err(format!("{file} has no queries"));
        }
        asked.extend(of_items(model, &items, Some(&source)));
    } else if asked.is_empty() {
        asked.extend(of_items(model, model.queries(), None));
    }
    if asked.is_empty() {
        return Err(nothing_asked(model, path));
    }
    let queries = asked.split_off(beside);
    asked.extend(only(matches, queries)?);
    share_observed(asked.iter_mut().filter_map(|asked| asked.question.as_mut().ok()));
    Ok(asked)
}

/// Mistakes outside any query, such as a comment that swallows some.
fn only_queries(source: &SourceFile, stray: &Diagnostics) -> Result<(), String> {
    match stray.iter().find(|d| d.severity == Severity::Error) {
        None => Ok(()),
        Some(first) => Err(at(source, first)),
    }
}

/// What is wrong, and where, in a sentence.
fn at(source: &SourceFile, found: &Diagnostic) -> String {
    let (start, _) = source.positions(found.span);
    format!("{}:{}:{}: {}", source.name(), start.line, start.column, found.message)
}

fn plain(question: Question) -> Asked {
    let formula = question.formula.clone();
    Asked {
        formula,
        question: Ok(question),
        comment: None,
        expected: None,
        diagnostics: Vec::new(),
        source: None,
    }
}

fn of_items(model: &Model, items: &[QueryItem], source: Option<&SourceFile>) -> Vec<Asked> {
    let questions = model.questions(items).into_iter().zip(items);
    questions
        .map(|(question, item)| {
            let (question, diagnostics) = match question {
                Ok(question) => (Ok(question), Vec::new()),
                Err(error) => (Err(error.why), error.diagnostics),
            };
            Asked {
                formula: item.text.clone(),
                question,
                comment: item.comment.clone(),
                expected: item.expect.as_ref().and_then(|expect| expect.outcome),
                diagnostics,
                source: source.cloned(),
            }
        })
        .collect()
}

/// `--only N`, counted from 1, in the order they are given.
fn only(matches: &ArgMatches, asked: Vec<Asked>) -> Result<Vec<Asked>, String> {
    let picked: Vec<usize> = matches.get_many::<usize>("only").into_iter().flatten().copied().collect();
    if picked.is_empty() {
        return Ok(asked);
    }
    if asked.is_empty() {
        return Err("--only chooses among queries, and --labels and --space are none".into());
    }
    if let Some(bad) = picked.iter().find(|n| !(1..=asked.len()).contains(n)) {
        return Err(format!("--only {bad}: there are queries 1 to {}", asked.len()));
    }
    let asked = asked.into_iter().enumerate();
    Ok(asked.filter(|(i, _)| picked.contains(&(i + 1))).map(|(_, asked)| asked).collect())
}

fn nothing_asked(model: &Model, path: &str) -> String {
    if model.document().is_none() {
        return "nothing is asked: give --labels a,b to look for labels, or --space to explore everything"
            .into();
    }
    let beside = Path::new(path).with_extension("q");
    let hint = if path != "-" && beside.exists() {
        format!("; perhaps: dwell check {path} {}", beside.display())
    } else {
        String::new()
    };
    format!("nothing is asked: the model has no queries; give a .q file, -q 'E<> …' or --space{hint}")
}
