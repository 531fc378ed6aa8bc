//! UPPAAL models that other people wrote, where the folder exists: they load,
//! and the verdicts recorded for them are ours.
//!
//! By default a verdict that takes long is passed over; `DWELL_ALL_VERDICTS=1`
//! gives each a minute.

use dwell_base::limits::Limits;
use dwell_engine::syntax::uppaal::parse_query;
use dwell_engine::{Control, Format, LoadOptions, Model, Options, Question, TraceKind, Verdict, check};
use dwell_testkit::shared;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A row of the index.
struct Row {
    id: String,
    file: PathBuf,
    status: String,
}

fn rows(root: &Path) -> Vec<Row> {
    let index = std::fs::read_to_string(root.join("index.csv")).expect("an index");
    let row = |line: &str| {
        let mut fields = line.split(',').map(str::to_owned);
        let (id, file, _, status) = (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
        Some(Row { id, file: root.join(file), status })
    };
    index.lines().skip(1).filter_map(row).collect()
}

fn read(path: &Path) -> Result<Model, String> {
    let bytes = std::fs::read(path).expect("a file of the index");
    let text = dwell_engine::syntax::decode(&bytes).map_err(|d| d.message)?;
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    let format = Format::from_extension(extension).expect("a model");
    Model::read(&text, format, &LoadOptions::default())
        .map_err(|e| e.diagnostics.iter().map(|d| d.message.clone()).collect::<Vec<_>>().join("; "))
}

#[test]
fn models_load_in_under_a_second() {
    let Some(root) = shared::models("uppaal") else { return };
    let mut failed = Vec::new();
    for row in rows(&root) {
        let started = Instant::now();
        let result = read(&row.file);
        if row.status != "unsure"
            && let Err(why) = &result
        {
            failed.push(format!("{}: {why}", row.id));
        }
        if started.elapsed() > Duration::from_secs(1) {
            failed.push(format!("{}: takes {:?}", row.id, started.elapsed()));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// Recorded verdicts that the model in the file cannot have; the reasons are
/// in `docs/compatibility.md`.
const STALE: [(&str, &str); 7] = [
    ("brandhoej-risc-vm-e54530", "E<> vm.DONE && mem_u8(g_authenticated) == 1"),
    ("brandhoej-risc-vm-e54530", "E<> vm.DONE && mem_u8(g_authenticated) == 170"),
    ("pablo-villarej-segundomodeloreducido-a89e2e", "Metro1.enLaParada --> Metro1.DentroCruce"),
    ("pablo-villarej-segundomodeloreducido-a89e2e", "Metro2.Alarma --> Metro2.DentroCruce"),
    ("turting-bo-an-electronic-examination-model-ba-5da462", "A[] not deadlock"),
    ("turting-bo-an-electronic-examination-model-ba-df8eb5", "A<> I.Login"),
    ("uppaalmodelche-smc-non-deterministic-input2-407856", "E<> Cat.s == Mouse.s"),
];

/// The verdict, or `None` when it takes too long.
fn verdict(model: &Model, question: &Question, limit: Duration) -> Option<Verdict> {
    // With the trace, which is replayed.
    let options = Options { trace: Some(TraceKind::Some), ..Options::default() };
    let plan = options.plan(model, question).expect("a plan");
    let limits =
        Limits { deadline: Some(Instant::now() + limit), memory_bytes: Some(4 << 30), ..Limits::default() };
    let report = check(model, question, &plan, Control { limits, observer: None });
    assert!(!report.why.as_ref().is_some_and(|why| why.contains("bug in dwell")), "{:?}", report.why);
    (report.verdict != Verdict::Unknown).then_some(report.verdict)
}

#[test]
fn recorded_verdicts_are_ours() {
    let Some(root) = shared::models("uppaal") else { return };
    let all = std::env::var_os("DWELL_ALL_VERDICTS").is_some();
    let limit = if all { Duration::from_secs(60) } else { Duration::from_millis(100) };
    let (mut agreed, mut late, mut failed) = (0, 0, Vec::new());
    for row in rows(&root) {
        let Ok(expected) = std::fs::read_to_string(root.join(format!("{}.expected.json", row.id))) else {
            continue;
        };
        let expected: Vec<serde_json::Value> = serde_json::from_str(&expected).expect("JSON");
        let field = |e: &serde_json::Value, name: &str| e[name].as_str().unwrap_or_default().to_owned();
        let trusted = |e: &&serde_json::Value| {
            ["high", "medium", "log", "by-construction"].contains(&&*field(e, "trust"))
        };
        let wanted: Vec<&serde_json::Value> = expected.iter().filter(trusted).collect();
        if wanted.is_empty() {
            continue;
        }
        let model = read(&row.file).unwrap_or_else(|why| panic!("{}: {why}", row.id));
        for e in wanted {
            let formula = field(e, "formula").split_whitespace().collect::<Vec<_>>().join(" ");
            let (item, _) = parse_query(&formula);
            let question = model.questions(&[item]).remove(0);
            let question = question.unwrap_or_else(|e| panic!("{}: {formula}: {}", row.id, e.why));
            let recorded =
                if field(e, "outcome") == "success" { Verdict::Satisfied } else { Verdict::NotSatisfied };
            match verdict(&model, &question, limit) {
                None => late += 1,
                Some(ours) if ours == recorded => agreed += 1,
                Some(_) if STALE.contains(&(&*row.id, &*formula)) => {}
                Some(ours) => failed.push(format!("{}: {formula}: {ours:?}, recorded {recorded:?}", row.id)),
            }
        }
    }
    println!("{agreed} verdicts agree, {late} took too long");
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(agreed > 50, "{agreed} verdicts agree, {late} took too long");
}
