//! Queries as a file of their own.

use dwell_syntax::uppaal::tree::{Document, Expectation, Outcome, QueryItem};

/// The queries of a model as a `.q` file: one per line, what their authors say
/// about them as comments above.
pub fn to_q(document: &Document) -> String {
    let mut out = String::new();
    for (index, item) in document.queries.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        comment(item, &mut out);
        out.push_str(&item.text);
        out.push('\n');
    }
    out
}

fn comment(item: &QueryItem, out: &mut String) {
    for line in item.comment.iter().flat_map(|comment| comment.lines()) {
        out.push_str("// ");
        // A backslash at the end would join the next line to the comment.
        out.push_str(line.trim_end_matches([' ', '\t', '\\']));
        out.push('\n');
    }
    if let Some(expect) = &item.expect {
        let words = words(expect);
        if !words.is_empty() {
            out.push_str(&format!("/* EXPECT: {} */\n", words.join(", ")));
        }
    }
}

/// An expectation in the words of `.q` files.
fn words(expect: &Expectation) -> Vec<String> {
    let outcome = expect.outcome.map(|outcome| match outcome {
        Outcome::Satisfied => "T",
        Outcome::NotSatisfied => "F",
        Outcome::MaybeSatisfied => "MT",
        Outcome::MaybeNotSatisfied => "MF",
        Outcome::Error => "E",
    });
    let parts = outcome.map(str::to_owned).into_iter().chain(expect.value.clone());
    // `*/` would end the comment, a comma begin another word.
    parts.chain(expect.resources.iter().cloned()).map(|word| word.replace(['*', ',', '\n'], " ")).collect()
}
