//! `docs/constructs.md`: a small use of each construct of UPPAAL's language, and what the program says to it.
//!
//! The page is printed from what comes out; a construct that is answered, refused or reported in another way than the page
//! says is a failure. `UPDATE_PAGES=1 cargo test -p dwell --test constructs` writes the page.

#[path = "../common/mod.rs"]
mod common;
mod rows;

use common::{dwell_with_input, folder};
use dwell_testkit::pages;
use rows::{ROWS, Row};
use std::fmt::Write;
use std::path::Path;

const HEAD: &str = "\
# Constructs, tried

A small use of each construct of UPPAAL's language, and what dwell says to it: printed by a test from what comes out.
[UPPAAL's language](compatibility.md) has all of them with the fine print. Where a row is not a whole model it stands in this
one, and where it is no query the question is `E<> P.B`. A construct is answered (yes), refused, an error in the text, or
fails while the model runs:

```text
clock x, y; int[0,3] n;
process P() { state A, B; init A; trans A -> B { }; }
system P;
```
";

/// What the program says: the state, and why.
fn said(place: &Path, (_, row): &Row) -> (String, String) {
    let (model, query) = row.model();
    let args = ["check", "-", "--input-format", "xta", "--json", "--trace", "none", "-q", query];
    let report = dwell_with_input(place, &args, model.as_bytes()).json();
    let verdict = report["queries"][0]["verdict"].as_str().unwrap_or("error");
    let findings = report["diagnostics"].as_array().expect("diagnostics");
    match findings.iter().find(|finding| finding["severity"] == "error") {
        None => {
            let why = report["queries"][0]["why"].as_str().unwrap_or_default();
            ("yes".into(), [&format!("`{verdict}`"), why].join(" ").trim().to_owned())
        }
        Some(first) => {
            let code = first["code"].as_str().expect("a code");
            let state = match code {
                "unsupported" | "unsupported-query" => "refused",
                "run-time-error" => "fails",
                _ => "error",
            };
            (format!("**{state}**"), format!("`{code}`: {}", first["message"].as_str().expect("a message")))
        }
    }
}

#[test]
fn the_page_is_what_comes_out() {
    let place = folder("constructs");
    let mut page = HEAD.to_owned();
    for (section, rows) in ROWS {
        let _ = write!(page, "\n## {section}\n\n| construct | for example | | |\n|---|---|---|---|\n");
        for row in rows {
            let (state, why) = said(&place, row);
            let cells = [row.0, &format!("`{}`", row.1.text()), &state, &why];
            let cells = cells.map(|cell| cell.replace('|', "\\|").replace('\n', " "));
            let _ = writeln!(page, "| {} |", cells.join(" | "));
        }
    }
    pages::compare("docs/constructs.md", &page, "-p dwell --test constructs");
}
