use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use dwell_model::property::Property;
use dwell_syntax::uppaal::{parse_query, parse_xml, parse_xta};
use dwell_uppaal::elaborate::elaborate;
use dwell_oracle::{explore_with, ExploreError};

#[test]
fn verdicts() {
    let limit: usize = std::env::var("LIMIT").ok().and_then(|l| l.parse().ok()).unwrap_or(100_000);
    let only = std::env::var("ONLY").unwrap_or_default();
    let rows = std::fs::read_to_string("/tmp/expected.tsv").unwrap();
    let (mut ok, mut bad, mut skipped, mut err) = (0, 0, 0, 0);
    let mut last: Option<(String, dwell_uppaal::elaborate::Elaborated)> = None;
    let mut slow = std::collections::HashSet::new();
    for row in rows.lines() {
        let cells: Vec<_> = row.split('\t').collect();
        let (id, outcome, formula) = (cells[0], cells[2], cells[3]);
        if !id.contains(&only) { continue; }
        if last.as_ref().is_none_or(|(l, _)| l != id) {
            let dir = Path::new("/work/shared/models/uppaal");
            let (doc, found) = if let Ok(t) = std::fs::read_to_string(dir.join(format!("{id}.xml"))) { parse_xml(&t) }
                else { parse_xta(&std::fs::read_to_string(dir.join(format!("{id}.xta"))).unwrap()) };
            if found.has_errors() { println!("UNREAD {id}"); continue; }
            let (e, f) = elaborate(Arc::new(doc));
            let Some(e) = e else { println!("NOELAB {id} {:?}", f.iter().next()); continue };
            last = Some((id.to_owned(), e));
        }
        let e = &mut last.as_mut().unwrap().1;
        let (item, _) = parse_query(formula);
        let Some(query) = item.query else { println!("BADQUERY {id} {formula}"); err += 1; continue };
        let property = match e.query(&query) {
            Ok(p) => p,
            Err(d) => { println!("QUERY {id} {formula} {:?}", d.iter().next().map(|d| &d.message)); err += 1; continue }
        };
        let (f, expect_met) = match property {
            Property::Possibly(f) => (f, outcome == "success"),
            Property::Invariantly { violation } => (violation, outcome != "success"),
            _ => { skipped += 1; continue }
        };
        if slow.contains(id) { skipped += 1; continue; }
        let start = Instant::now();
        match explore_with(&e.network, &[f], limit) {
            Ok(g) => {
                if let Some(fail) = &g.failure { println!("FAILURE {id} {formula} {:?}", fail.error); }
                if let Some(er) = &g.asked[0].error { println!("ASKERR {id} {formula} {er:?}"); }
                if g.asked[0].met == expect_met { ok += 1; } else { bad += 1; println!("BAD {id} {formula} expected {outcome} nodes {}", g.nodes); }
            }
            Err(ExploreError::Limit { .. }) => { skipped += 1; slow.insert(id.to_owned()); println!("LIMIT {id} {:?}", start.elapsed()); }
            Err(other) => { skipped += 1; slow.insert(id.to_owned()); println!("CANNOT {id} {other}"); }
        }
    }
    println!("ok {ok} bad {bad} skipped {skipped} err {err}");
}
