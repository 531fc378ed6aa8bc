//! The page of diagnostics knows every code.

use dwell_uppaal::check::codes;
use std::path::Path;

#[test]
fn every_code_has_a_row() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/diagnostics.md");
    let page = std::fs::read_to_string(page).expect("docs/diagnostics.md");
    let missing: Vec<&&str> =
        codes::ALL.iter().filter(|code| !page.contains(&format!("\n| `{code}` |"))).collect();
    assert!(missing.is_empty(), "not in docs/diagnostics.md: {missing:?}");
}
