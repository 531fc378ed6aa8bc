//! Pages of the documents that are printed from what the program does.

use std::path::Path;

/// Set to write a page anew.
const UPDATE: &str = "UPDATE_PAGES";

/// Compares a page of the repository, `docs/options.md` say, with what it should be. Where it differs the test fails
/// and says which command writes it: `cargo test ARGUMENTS`, with a variable set.
///
/// # Panics
///
/// When they differ.
pub fn compare(page: &str, now: &str, arguments: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page);
    if std::env::var_os(UPDATE).is_some() {
        std::fs::write(&file, now).unwrap_or_else(|error| panic!("{page}: {error}"));
    }
    let before = std::fs::read_to_string(&file).unwrap_or_default();
    let how = format!("if what comes out is meant: {UPDATE}=1 cargo test {arguments}");
    for (number, (left, right)) in before.lines().zip(now.lines()).enumerate() {
        assert_eq!(left, right, "{page}:{}: left the page, right what comes out; {how}", number + 1);
    }
    assert!(before == now, "{page}: another length; {how}");
}
