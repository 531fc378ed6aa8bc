//! Reads a collection of other people's models, where it is at hand.

use dwell_syntax::uppaal::parse_xml;
use dwell_syntax::{SourceFile, decode};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The XML files of the collection with what is known about them.
fn models() -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models/uppaal");
    let Ok(index) = std::fs::read_to_string(folder.join("index.csv")) else {
        println!("skipped: no folder {}", folder.display());
        return Vec::new();
    };
    let rows = index.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>());
    rows.filter(|row| row[1].ends_with(".xml")).map(|row| (folder.join(row[1]), row[3].to_owned())).collect()
}

#[test]
fn models_without_errors() {
    let mut failures = Vec::new();
    for (path, status) in models() {
        let text = decode(&std::fs::read(&path).unwrap()).unwrap();
        let start = Instant::now();
        let (document, diagnostics) = parse_xml(&text);
        let seconds = start.elapsed().as_secs_f64();
        assert!(seconds < 2.0, "{}: {seconds} s", path.display());
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let wrong = status != "unsure" && diagnostics.has_errors();
        if wrong {
            let file = SourceFile::new(&name, text.as_str());
            let first = diagnostics.iter().find(|d| d.severity == dwell_syntax::Severity::Error).unwrap();
            let at = dwell_syntax::locate(first, &file);
            failures.push(format!("{name} ({status}): {at:?}"));
        }
        assert!(wrong || !document.templates.is_empty(), "{name}");
    }
    assert!(failures.is_empty(), "{} models\n{}", failures.len(), failures.join("\n"));
}
