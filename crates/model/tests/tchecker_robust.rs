//! Broken texts never break the front end.
//!
//! Seeded mutations of small models: whatever the text, parsing, lowering and
//! rendering end, and all spans lie inside the text on character boundaries.

use std::time::{Duration, Instant};

use dwell_base::Rng;
use dwell_model::tchecker::{load, lower, parse};
use dwell_syntax::tchecker::{
    AttributeKind, DeclarationKind, Expr, ExprKind, MAX_HEIGHT, MAX_NESTING, Stmt, StmtKind, Tree,
};
use dwell_syntax::{Colour, SourceFile, Span, decode, locate, render};

const TIME: Duration = Duration::from_secs(3);

const MODELS: [&str; 3] = [
    "system:train_gate\n# a comment\nclock:1:x\nclock:2:y\nint:2:-1:+7:0:v\nprocess:P\nprocess:Q\n\
     event:a\nevent:b\nlocation:P:l{initial: : invariant: x <= 5 && v[0] != 2}\n\
     location:P:m{labels: red,green : urgent: : committed:}\nlocation:Q:k{initial:}\n\
     edge:P:l:m:a{provided: 1 <= x < 5 && (v[v[1]] + 2) * 3 == -v[0] % 4 : do: x = 0; y[1] = x + 2}\n\
     edge:Q:k:k:b{do: local i = 0; local t[3];\n  while i < 3 do t[i] = (if i == 1 then 2 else 3);\n\
     if !i then nop else v[0] = t[i] end; i = i + 1 end;}\nsync:P@a:Q@b?\n",
    "system:s{\n}\nprocess:P\nlocation:P:l{initial: }\nevent:e\nedge:P:l:l:e{\n  provided:\n    1\n  : do : nop\n}",
    "\u{feff}system:s\r\nprocess:P\r\nlocation:P:l{initial: : labels: h\u{e9}, \u{2200}}\r\n# \u{1f600}\r\n",
];

fn check_span(text: &str, span: Span) {
    let (start, end) = (span.start as usize, span.end as usize);
    assert!(start <= end && end <= text.len(), "{start}..{end} of {}", text.len());
    assert!(text.is_char_boundary(start) && text.is_char_boundary(end), "{start}..{end}");
}

fn check_expr(text: &str, e: &Expr) -> u32 {
    check_span(text, e.span);
    let below = match &e.kind {
        ExprKind::Int(_) | ExprKind::Name(_) => 0,
        ExprKind::Index(name, e) => {
            check_span(text, name.span);
            check_expr(text, e)
        }
        ExprKind::Paren(e) | ExprKind::Neg(e) | ExprKind::Not(e) => check_expr(text, e),
        ExprKind::Arithmetic(_, a, b) => check_expr(text, a).max(check_expr(text, b)),
        ExprKind::Compare(first, chain) => {
            chain.iter().for_each(|link| check_span(text, link.op_span));
            chain.iter().map(|link| check_expr(text, &link.right)).fold(check_expr(text, first), u32::max)
        }
        ExprKind::And(list) => list.iter().map(|e| check_expr(text, e)).max().unwrap(),
        ExprKind::IfThenElse(a, b, c) => {
            check_expr(text, a).max(check_expr(text, b)).max(check_expr(text, c))
        }
    };
    assert!(below < MAX_HEIGHT);
    below + 1
}

fn check_statements(text: &str, list: &[Stmt]) {
    for statement in list {
        check_span(text, statement.span);
        match &statement.kind {
            StmtKind::Nop => {}
            StmtKind::Assign { target, index, value } => {
                check_span(text, target.span);
                index.iter().for_each(|e| _ = check_expr(text, e));
                check_expr(text, value);
            }
            StmtKind::If { condition, then, otherwise } => {
                check_expr(text, condition);
                check_statements(text, then);
                check_statements(text, otherwise);
            }
            StmtKind::While { condition, body } => {
                check_expr(text, condition);
                check_statements(text, body);
            }
            StmtKind::Local { name, init } => {
                check_span(text, name.span);
                init.iter().for_each(|e| _ = check_expr(text, e));
            }
            StmtKind::LocalArray { name, size } => {
                check_span(text, name.span);
                check_expr(text, size);
            }
        }
    }
}

fn check_tree(text: &str, tree: &Tree) {
    check_span(text, tree.end);
    for declaration in &tree.declarations {
        check_span(text, declaration.span);
        if let DeclarationKind::Edge { process, source, target, event } = &declaration.kind {
            for name in [process, source, target, event] {
                assert_eq!(&text[name.span.start as usize..name.span.end as usize], name.text);
            }
        }
        for attribute in &declaration.attributes {
            check_span(text, attribute.value_span);
            assert_eq!(
                &text[attribute.key.span.start as usize..attribute.key.span.end as usize],
                attribute.key.text
            );
            match &attribute.kind {
                AttributeKind::Invariant(e) | AttributeKind::Provided(e) => _ = check_expr(text, e),
                AttributeKind::Do(list) => check_statements(text, list),
                AttributeKind::Labels(list) => list.iter().for_each(|name| check_span(text, name.span)),
                _ => {}
            }
        }
    }
}

/// Everything there is to check about one text.
fn check(text: &str) {
    let (tree, mut diagnostics) = parse(text);
    check_tree(text, &tree);
    assert!(diagnostics.has_errors() || tree.broken.is_empty());
    let network = lower(&tree, &mut diagnostics);
    assert_eq!(network.is_none(), diagnostics.has_errors());
    let file = SourceFile::new("m.tck", text);
    for (number, diagnostic) in diagnostics.iter().enumerate() {
        check_span(text, diagnostic.span);
        let place = locate(diagnostic, &file);
        assert!((1, 1) <= (place.line, place.column));
        assert!((place.line, place.column) <= (place.end_line, place.end_column));
        if number < 20 {
            let shown = render(diagnostic, &file, Colour::Never);
            let origin = format!("m.tck:{}:{}", place.line, place.column);
            assert!(shown.contains(&origin), "{origin}\n{shown}\n{diagnostic:?}\n{text:?}");
            assert!(shown.contains('^'), "{shown}");
        }
    }
}

fn check_bytes(bytes: &[u8]) {
    match decode(bytes) {
        Ok(text) => check(&text),
        Err(error) => {
            let lossy = String::from_utf8_lossy(bytes).into_owned();
            assert!(error.span.start as usize <= lossy.len());
            render(&error, &SourceFile::new("m.tck", lossy.as_str()), Colour::Always);
            check(&lossy);
        }
    }
}

#[test]
fn the_models_load() {
    for model in MODELS {
        let (network, diagnostics) = load(model);
        assert!(network.is_some(), "{diagnostics:?}");
    }
}

#[test]
fn truncation_at_every_byte() {
    for model in MODELS {
        for end in 0..=model.len() {
            check_bytes(&model.as_bytes()[..end]);
            check_bytes(&model.as_bytes()[end..]);
        }
    }
}

#[test]
fn deletion_and_doubling_of_every_byte() {
    for model in MODELS {
        for at in 0..model.len() {
            let mut bytes = model.as_bytes().to_vec();
            bytes.remove(at);
            check_bytes(&bytes);
            let mut bytes = model.as_bytes().to_vec();
            bytes.insert(at, bytes[at]);
            check_bytes(&bytes);
        }
    }
}

/// Cuts a text into words, numbers and single other characters.
fn tokens(text: &str) -> Vec<&str> {
    let mut list = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = match word(first) {
            true => rest.find(|c| !word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        list.push(&rest[..end]);
        rest = &rest[end..];
    }
    list
}

#[test]
fn random_mutations() {
    const SEED: u64 = 20_260;
    const WORDS: [&str; 40] = [
        "{",
        "}",
        ":",
        "#",
        "\n",
        "(",
        ")",
        "[",
        "]",
        ";",
        "&&",
        "!",
        "==",
        "!=",
        "<",
        "<=",
        ">",
        "=",
        "+",
        "-",
        "*",
        "/",
        "%",
        "@",
        "?",
        "if",
        "then",
        "else",
        "end",
        "while",
        "do",
        "local",
        "0",
        "2147483648",
        "x",
        "v",
        "provided",
        "edge:",
        "é",
        "\r",
    ];
    let start = Instant::now();
    let mut round = 0;
    while start.elapsed() < TIME {
        let mut rng = Rng::new(SEED + round);
        round += 1;
        let model = *rng.pick(&MODELS);
        if rng.percent(40) {
            let mut bytes = model.as_bytes().to_vec();
            for _ in 0..1 + rng.below(4) {
                let at = rng.below(bytes.len() as u64) as usize;
                bytes[at] ^= 1 << rng.below(8);
            }
            check_bytes(&bytes);
        } else {
            let mut list = tokens(model);
            for _ in 0..1 + rng.below(5) {
                let at = rng.below(list.len() as u64) as usize;
                let other = rng.below(list.len() as u64) as usize;
                match rng.below(4) {
                    0 => _ = list.remove(at),
                    1 => list.insert(at, *rng.pick(&WORDS)),
                    2 => list[at] = *rng.pick(&WORDS),
                    _ => list.swap(at, other),
                }
            }
            check(&list.concat());
        }
    }
    println!("{round} mutations from seed {SEED}");
}

#[test]
fn bombs() {
    const N: usize = 100_000;
    let head =
        "system:s\nprocess:P\nevent:a\nclock:1:x\nint:1:0:10:0:i\nint:3:0:1:0:v\nlocation:P:l{initial:}\n";
    let guard = |e: &str| check(&format!("{head}edge:P:l:l:a{{provided: {e}}}\n"));
    let update = |s: &str| check(&format!("{head}edge:P:l:l:a{{do: {s}}}\n"));
    for open in ["(", "!", "-", "v[", "(if ", "1+(", "(1+", "i<", "i==0&&(", "x-"] {
        guard(&open.repeat(N));
        update(&format!("i = {}", open.repeat(N)));
    }
    for open in ["if i then ", "while i do ", "if i then nop else "] {
        update(&open.repeat(N));
    }
    guard(&format!("{}1{}", "(".repeat(N), ")".repeat(N)));
    guard(&format!("1{}", "+1".repeat(N)));
    guard(&format!("1{}", "+1".repeat(400)));
    guard(&format!("i{}", "&&i".repeat(N)));
    guard(&format!("x<1{}", "&&x<1".repeat(N)));
    guard(&format!("0{}", "<i".repeat(N)));
    guard(&format!("i{}", "*i".repeat(MAX_HEIGHT as usize - 1)));
    update(&format!("i = (if i{} then 1 else 2)", "&&i".repeat(N)));
    update(&"i = 1;".repeat(N));
    update(&format!("{}nop{}", "if i then ".repeat(100), " end".repeat(100)));
    // Every level of nesting may be a chain of its own.
    let mut e = "1".to_owned();
    for _ in 0..MAX_NESTING - 1 {
        e = format!("({e}{})", "+1".repeat(100));
    }
    guard(&e);
    check(&"\n".repeat(N));
    check(&"x".repeat(N));
    check(&"#".repeat(N));
    check(&"{".repeat(N));
    check(&"}\n".repeat(1000));
    check(&format!("{head}{}", "event:a\n".repeat(1000)));
    check(&format!("{head}location:P:m{{{}", "a:".repeat(1000)));
    check(&format!("{head}edge:P:l:l:{}", "9".repeat(N)));
    check(&format!("{head}edge:P:l:l:a{{provided: i == {}}}", "9".repeat(N)));
    check(&format!("{head}edge:P:l:l:{}", "é".repeat(N)));
}
