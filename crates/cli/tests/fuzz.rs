//! Texts that are almost models: nothing may panic, hang or eat the machine.
//!
//! Our own models are changed byte by byte and token by token, and go through everything a user's file goes
//! through: readers of every format, type checker, instantiation, queries, a short run, writers. The seeds are
//! fixed, so every run does the same. What once failed lies in `tests/regressions` and is replayed.
//!
//! To look for more: `DWELL_FUZZ_CASES=100000 DWELL_FUZZ_SEED=7 DWELL_FUZZ_MODELS=folder cargo test -p dwell --test fuzz`.

use dwell_convert::network::{network_to_svg, network_to_tck, network_to_xta};
use dwell_convert::uppaal::{to_dot, to_json, to_q, to_svg, to_xml, to_xta};
use dwell_engine::limits::{Limits, resident_bytes};
use dwell_engine::syntax::decode;
use dwell_engine::syntax::uppaal::{parse_queries, parse_query};
use dwell_engine::{Control, Format, LoadOptions, Model, Options, Question, check};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Cases of each thread of a test.
const CASES: u64 = 1500;

/// Longest that one text may take, with the short runs of its queries.
const LONGEST: Duration = Duration::from_secs(20);

/// Longest run of a query.
const RUN: Duration = Duration::from_millis(20);

/// Most that a run may take on top of what the process has.
const RUN_BYTES: u64 = 64 << 20;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

/// A model and what may be asked of it.
#[derive(Clone)]
struct Sample {
    name: String,
    format: Format,
    text: String,
    queries: Vec<String>,
}

/// Leaves the text behind if something goes wrong with it.
struct Witness<'a>(&'a Sample);

impl Drop for Witness<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz");
            let _ = std::fs::create_dir_all(&folder);
            let stem = folder.join(&self.0.name);
            let (model, queries) = (stem.with_extension(self.0.format.name()), stem.with_extension("q"));
            let _ = std::fs::write(&model, &self.0.text);
            let _ = std::fs::write(&queries, self.0.queries.join("\n"));
            eprintln!("the text is in {}, the queries beside it", model.display());
        }
    }
}

/// Everything that happens to a file.
fn try_out(sample: &Sample) {
    let _witness = Witness(sample);
    let started = Instant::now();
    let options = LoadOptions { lints: true, ..LoadOptions::default() };
    let Ok(model) = Model::read(&sample.text, sample.format, &options) else {
        assert!(started.elapsed() < LONGEST, "{} takes long to refuse", sample.name);
        return;
    };
    let mut items: Vec<_> = sample.queries.iter().map(|text| parse_query(text).0).collect();
    items.extend(parse_queries(&sample.queries.join("\n")).0);
    items.extend_from_slice(model.queries());
    items.truncate(8);
    let mut questions: Vec<Question> = model.questions(&items).into_iter().flatten().collect();
    questions.push(Question::space());
    for question in &questions {
        let Ok(plan) = Options::default().plan(&model, question) else { continue };
        let limits = Limits {
            deadline: Some(Instant::now() + RUN),
            memory_bytes: resident_bytes().map(|now| now + RUN_BYTES),
            ..Limits::default()
        };
        let _ = check(&model, question, &plan, Control { limits, observer: None });
    }
    write(&model);
    assert!(started.elapsed() < LONGEST, "{} takes long", sample.name);
}

/// What is written is read again.
fn write(model: &Model) {
    let _ = network_to_tck(model.network());
    let Some(document) = model.document() else {
        let _ = (network_to_xta(model.network()), network_to_svg(model.network(), "model"));
        return;
    };
    let _ = (to_dot(document), to_svg(document, "model"), to_json(document), parse_queries(&to_q(document)));
    let xml = to_xml(document);
    if let Err(error) = Model::read(&xml, Format::Xml, &LoadOptions::default()) {
        panic!("what was written in XML is refused: {:?}\n{xml}", error.diagnostics);
    }
    if let Ok(xta) = to_xta(document)
        && let Err(error) = Model::read(&xta, Format::Xta, &LoadOptions::default())
    {
        panic!("what was written in XTA is refused: {:?}\n{xta}", error.diagnostics);
    }
}

/// Words, numbers, blanks and other characters, each a token.
fn tokens(text: &str) -> Vec<&str> {
    let kind = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' => 0,
        c if c.is_whitespace() => 1,
        '<' | '>' | '=' | '!' | '&' | '|' | '+' | '-' | ':' => 2,
        _ => 3,
    };
    let mut found = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (at, c) in text.char_indices() {
        let this = kind(c);
        if last.is_some_and(|last| last != this || this == 3) {
            found.push(&text[start..at]);
            start = at;
        }
        last = Some(this);
    }
    found.push(&text[start..]);
    found
}

/// Numbers that have been trouble elsewhere.
const NUMBERS: [&str; 10] =
    ["0", "1", "-1", "2", "255", "32767", "65536", "2147483647", "-2147483648", "99999999999"];

/// Changes some tokens: to others of the corpus, to none, to two, to each other.
fn by_tokens(text: &str, corpus: &[&str], random: &mut Random) -> String {
    let mut tokens = tokens(text);
    for _ in 0..=random.below(4) {
        if tokens.is_empty() {
            break;
        }
        let at = random.below(tokens.len());
        let other = random.below(tokens.len());
        match random.below(8) {
            0 => drop(tokens.remove(at)),
            1 => tokens.insert(at, tokens[at]),
            2 => tokens.swap(at, other),
            3 => tokens[at] = tokens[other],
            4 => tokens[at] = random.pick(corpus),
            5 => tokens.insert(at, random.pick(corpus)),
            6 => {
                // A number for a number, most likely.
                let numbers: Vec<usize> = (0..tokens.len())
                    .filter(|i| tokens[*i].starts_with(|c: char| c.is_ascii_digit()))
                    .collect();
                let at = numbers.get(random.below(numbers.len())).copied().unwrap_or(at);
                tokens[at] = random.pick(&NUMBERS);
            }
            _ => drop(tokens.drain(at.min(other)..at.max(other).min(at.min(other) + 20))),
        }
    }
    tokens.concat()
}

/// Changes some bytes; what is no UTF-8 any more is mended as any editor would.
fn by_bytes(text: &str, random: &mut Random) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=random.below(6) {
        if bytes.is_empty() {
            break;
        }
        let at = random.below(bytes.len());
        match random.below(5) {
            0 => drop(bytes.remove(at)),
            1 => bytes[at] ^= 1 << random.below(8),
            2 => bytes.insert(at, random.next() as u8),
            3 => bytes[at] = random.pick(b"(){}[]<>;,.:='\"&!?\\/*-+0129 \n\t\0aA_"),
            _ => bytes.truncate(bytes.len().saturating_sub(random.below(20))),
        }
    }
    if let Err(diagnostic) = decode(&bytes) {
        assert!(!diagnostic.message.is_empty());
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The beginning of one text and the end of another, cut between lines.
fn spliced(one: &str, other: &str, random: &mut Random) -> String {
    let (one, other): (Vec<&str>, Vec<&str>) =
        (one.split_inclusive('\n').collect(), other.split_inclusive('\n').collect());
    let (to, from) = (random.below(one.len() + 1), random.below(other.len() + 1));
    one[..to].concat() + &other[from..].concat()
}

fn mutated(corpus: &[Sample], words: &[&str], random: &mut Random) -> Sample {
    let mut sample = corpus[random.below(corpus.len())].clone();
    match random.below(8) {
        0 => sample.text = by_bytes(&sample.text, random),
        1 => {
            let other = &corpus[random.below(corpus.len())];
            sample.text = spliced(&sample.text, &other.text, random);
            sample.queries.extend_from_slice(&other.queries);
        }
        2 => {} // the queries only
        _ => sample.text = by_tokens(&sample.text, words, random),
    }
    for query in &mut sample.queries {
        match random.below(6) {
            0 => *query = by_bytes(query, random),
            1 | 2 => *query = by_tokens(query, words, random),
            _ => {}
        }
    }
    if random.below(40) == 0 {
        sample.format = random.pick(&[Format::Xml, Format::Xta, Format::Ta, Format::Tck]);
    }
    sample
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The models of a folder, with the queries that are expected or lie beside them.
fn samples(folder: &Path) -> Vec<Sample> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let mut samples = Vec::new();
    for path in paths {
        let Some(format) = path.extension().and_then(|e| e.to_str()).and_then(Format::from_extension) else {
            continue;
        };
        let text = String::from_utf8_lossy(&std::fs::read(&path).expect("readable")).into_owned();
        let mut queries: Vec<String> = text
            .lines()
            .filter(|line| line.contains("expect "))
            .filter_map(|line| line.split_once(": "))
            .map(|(_, query)| query.to_owned())
            .collect();
        if let Ok(file) = std::fs::read_to_string(path.with_extension("q")) {
            queries.extend(file.lines().map(str::to_owned).take(20));
        }
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name").to_owned();
        samples.push(Sample { name, format, text, queries });
    }
    samples
}

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn what_once_failed() {
    samples(&root().join("tests/regressions")).iter().for_each(try_out);
}

#[test]
fn the_models_themselves() {
    for folder in ["tests/corner-cases", "examples"] {
        samples(&root().join(folder)).iter().for_each(try_out);
    }
}

/// Twice, with two seeds, to use two cores.
fn hunt(stream: u64) {
    let corpus = match std::env::var("DWELL_FUZZ_MODELS") {
        Ok(folder) => samples(Path::new(&folder)),
        Err(_) => ["tests/corner-cases", "examples"].iter().flat_map(|f| samples(&root().join(f))).collect(),
    };
    let words: Vec<&str> = corpus.iter().flat_map(|sample| tokens(&sample.text)).collect();
    let seed = number("DWELL_FUZZ_SEED", 1);
    for case in 0..number("DWELL_FUZZ_CASES", CASES) {
        let mut random = Random(seed << 40 ^ stream << 32 ^ case);
        let mut sample = mutated(&corpus, &words, &mut random);
        sample.name = format!("{}-{seed}-{stream}-{case}", sample.name);
        try_out(&sample);
    }
}

#[test]
fn almost_models() {
    hunt(0);
}

#[test]
fn almost_models_again() {
    hunt(1);
}
