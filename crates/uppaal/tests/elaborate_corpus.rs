//! Elaborates other people's models, where they are at hand.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use dwell_syntax::Diagnostics;
use dwell_syntax::uppaal::tree::{Document, QueryItem};
use dwell_syntax::uppaal::{parse_queries, parse_ta, parse_xml, parse_xta};
use dwell_uppaal::elaborate::elaborate;

/// The models with their queries, if the folder is there.
fn models() -> Vec<(PathBuf, Option<PathBuf>, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models/uppaal");
    let Ok(index) = std::fs::read_to_string(folder.join("index.csv")) else {
        println!("not run: there is no folder {}", folder.display());
        return Vec::new();
    };
    index
        .lines()
        .skip(1)
        .map(|row| {
            let cells: Vec<_> = row.split(',').collect();
            let queries = (!cells[2].is_empty()).then(|| folder.join(cells[2]));
            (folder.join(cells[1]), queries, cells[3].to_owned())
        })
        .collect()
}

fn parse(path: &Path, status: &str) -> (Document, Diagnostics) {
    let bytes = std::fs::read(path).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    match path.extension().and_then(|e| e.to_str()) {
        Some("xml") => parse_xml(&text),
        Some("xta") if status != "old-syntax" => parse_xta(&text),
        _ => parse_ta(&text),
    }
}

fn errors(diagnostics: &Diagnostics) -> String {
    let list = diagnostics.iter().filter(|d| d.severity == dwell_syntax::Severity::Error);
    list.map(|d| format!("{}: {} at {}..{}", d.code, d.message, d.span.start, d.span.end))
        .collect::<Vec<_>>()
        .join("; ")
}

#[test]
fn real_models_elaborate() {
    let mut wrong = Vec::new();
    let (mut done, mut unread, mut refused, mut asked) = (0, 0, 0, 0);
    let mut slowest = (Duration::ZERO, PathBuf::new());
    for (path, queries, status) in models() {
        if status == "unsure" {
            continue;
        }
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let (mut document, found) = parse(&path, &status);
        if found.has_errors() {
            unread += 1;
            println!("unread {name}: {}", errors(&found));
            continue;
        }
        let mut items: Vec<QueryItem> = std::mem::take(&mut document.queries);
        if let Some(queries) = queries {
            let bytes = std::fs::read(queries).unwrap();
            items.extend(parse_queries(&String::from_utf8_lossy(&bytes)).0);
        }
        let start = Instant::now();
        let (elaborated, found) = elaborate(Arc::new(document));
        let took = start.elapsed();
        if took > slowest.0 {
            slowest = (took, path.clone());
        }
        let Some(mut elaborated) = elaborated else {
            // Some models are made to have constants without a value.
            if found.iter().all(|d| d.code == "bad-constant") {
                continue;
            }
            wrong.push(format!("{name}: {}", errors(&found)));
            continue;
        };
        done += 1;
        let network = &elaborated.network;
        if let Some(first) = network.unsupported.first() {
            refused += 1;
            println!("refused {name}: {} ({} in all)", first.message, network.unsupported.len());
        }
        for item in items {
            let Some(query) = &item.query else { continue };
            if let Err(found) = elaborated.query(query) {
                println!("query {name}: {}: {}", item.text, errors(&found));
            }
            asked += 1;
        }
    }
    println!("{done} elaborated, {unread} not read, {refused} with unsupported parts, {asked} queries");
    println!("slowest: {:?} {}", slowest.0, slowest.1.display());
    assert!(wrong.is_empty(), "{} models do not elaborate:\n{}", wrong.len(), wrong.join("\n"));
}
