//! Loads the models of TChecker's distribution, where they are at hand.

use std::path::{Path, PathBuf};

use dwell_model::tchecker::{load, parse};
use dwell_syntax::{Colour, Severity, SourceFile, Span, render};

/// The folder with the models, or `None` with a note.
fn corpus() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models/tchecker");
    if !folder.is_dir() {
        println!("skipped: no folder {}", folder.display());
        return None;
    }
    Some(folder)
}

fn models(folder: &Path) -> Vec<PathBuf> {
    let mut list = Vec::new();
    let mut folders = vec![folder.join("models")];
    folders.extend(std::fs::read_dir(folder.join("tests")).unwrap().map(|entry| entry.unwrap().path()));
    for folder in folders.iter().filter(|f| f.is_dir()) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|e| e == "tck" || e == "txt") {
                list.push(path);
            }
        }
    }
    list.sort();
    list
}

/// The line that TChecker's first message names, if it names one.
fn expected_line(path: &Path) -> Option<u32> {
    let text = std::fs::read_to_string(path).unwrap();
    let word = text.split_whitespace().nth(1)?;
    word.split('.').next()?.parse().ok()
}

/// TChecker counts from the key of an attribute where we name a word in its
/// value.
fn coarse(text: &str, span: Span) -> Span {
    let (tree, _) = parse(text);
    let mut attributes = tree.declarations.iter().flat_map(|d| &d.attributes);
    let around = attributes.find(|a| a.value_span.start <= span.start && span.end <= a.value_span.end);
    around.map_or(span, |a| a.key.span)
}

#[test]
fn every_model_loads_or_fails_where_tchecker_does() {
    let Some(folder) = corpus() else { return };
    let paths = models(&folder);
    assert!(paths.len() > 200, "only {} models", paths.len());
    let mut loaded = 0;
    for path in &paths {
        let name = path.file_name().unwrap().to_str().unwrap();
        let text = std::fs::read_to_string(path).unwrap();
        let (network, diagnostics) = load(&text);
        let file = SourceFile::new(name, text);
        let shown: String = diagnostics.iter().map(|d| render(d, &file, Colour::Never)).collect();
        let first = diagnostics.iter().find(|d| d.severity == Severity::Error);
        assert_eq!(network.is_none(), first.is_some(), "{name}");
        if let Some(network) = &network {
            assert_eq!(network.validate(), Ok(()), "{name}");
        }

        if name.starts_with("ad94_Long") {
            assert_eq!(first.expect("constants over 32 bits").code, "integer-too-large", "{name}\n{shown}");
            continue;
        }
        let expectation = path.with_extension("err-expected");
        let line = if expectation.exists() { expected_line(&expectation) } else { None };
        match (first, line) {
            (Some(error), Some(line)) => {
                let place = coarse(file.text(), error.span);
                assert_eq!(file.positions(place).0.line, line, "{name}\n{shown}");
            }
            (None, None) => loaded += 1,
            (Some(_), None) => panic!("{name} should load\n{shown}"),
            (None, Some(line)) => panic!("{name} should fail in line {line}"),
        }
    }
    println!("{loaded} of {} models loaded", paths.len());
}
