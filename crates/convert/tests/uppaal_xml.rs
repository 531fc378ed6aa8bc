//! Models read, written as XML, and read again.

mod common;

use common::{MODEL, assert_same, collection, shape, sound};
use dwell_base::Rng;
use dwell_convert::uppaal::{to_dot, to_json, to_q, to_svg, to_xml, to_xta};
use dwell_syntax::uppaal::tree::{Document, Extra, Syntax};
use dwell_syntax::uppaal::{parse_xml, parse_xta};

/// A tree without what writing may change: places in the file, places on the
/// drawing board, and the grammar with the texts it was read from.
fn essence(mut document: Document) -> String {
    document.paths.clear();
    if document.syntax == Syntax::Old {
        document.syntax = Syntax::New;
    }
    document.declarations.text.clear();
    document.system.declarations.text.clear();
    let drawn = |extra: &Extra| match extra {
        Extra::Attribute(name, _) | Extra::ChildAttribute(_, name, _) => name == "x" || name == "y",
        Extra::Element(raw) => raw.starts_with("<nail"),
        Extra::Comment(_) => false,
    };
    for template in &mut document.templates {
        template.declarations.text.clear();
        template.locations.iter_mut().for_each(|l| l.extra.retain(|e| !drawn(e)));
        template.branchpoints.iter_mut().for_each(|b| b.extra.retain(|e| !drawn(e)));
        template.edges.iter_mut().for_each(|edge| edge.extra.retain(|e| !drawn(e)));
    }
    document.queries.iter_mut().for_each(|item| item.diagnostics.clear());
    shape(&document)
}

#[test]
fn a_model_comes_back_whole() {
    let document = sound(parse_xml(MODEL), "model", MODEL);
    let text = to_xml(&document);
    let mut again = sound(parse_xml(&text), "again", &text);
    let mut whole = document.clone();
    (whole.paths, again.paths) = (Vec::new(), Vec::new());
    assert_same(&shape(&whole), &shape(&again), "the tree");
    again.paths = document.paths;
    assert_same(&text, &to_xml(&again), "the bytes");
    assert!(text.contains("flat-1_6.dtd"));
    // Order matters to other readers.
    let order = ["<imports>", "<declaration>", "<template>", "<lsc>", "<system>", "<queries>"];
    let places: Vec<_> = order.iter().map(|part| text.find(part).unwrap()).collect();
    assert!(places.is_sorted(), "{places:?}");
}

#[test]
fn names_become_ids_and_get_places() {
    let xta = "clock x; process P() { state a { x <= 3 }, b; branchpoint c; commit b; init a; \
        trans a -> c { guard x > 1; }, c -> a { assign x = 0; }, c -> b { }, b -> b { guard x > 0; }; } \
        process Q() { state a; init a; } system P, Q;";
    let document = sound(parse_xta(xta), "xta", xta);
    let text = to_xml(&document);
    for part in
        ["<location id=\"id0\" x=\"", "<branchpoint id=\"id2\" x=\"", "<location id=\"id3\" x=\"0\" y=\"0\">"]
    {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(
        text.contains("<init ref=\"id3\"/>")
            && text.contains("<source ref=\"id2\"/>")
            && text.contains("<nail ")
    );
    let again = sound(parse_xml(&text), "again", &text);
    assert_same(&text, &to_xml(&again), "the bytes");
}

#[test]
fn old_models_become_new_ones() {
    let old = "<nta><declaration>const N 5; int x; chan c; // lost</declaration><template><name>P</name>\
        <parameter>int y; const m; clock z</parameter><location id='a'>\
        <label kind='invariant'>z &lt;= 3, y &lt;= N</label></location><init ref='a'/></template>\
        <instantiation>Q := P(x, 3, t);</instantiation><system>clock t; system Q;</system></nta>";
    let document = sound(parse_xml(old), "old", old);
    let text = to_xml(&document);
    for part in [
        "const int N = 5;",
        "int &amp;y, const int m, clock &amp;z",
        "z &lt;= 3 &amp;&amp; y &lt;= N",
        "Q = P(x, 3, t);",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let again = sound(parse_xml(&text), "again", &text);
    assert_eq!(again.syntax, Syntax::New);
    assert_same(&essence(document), &essence(again), "the tree");
}

#[test]
fn labels_without_words_are_kept() {
    let text = MODEL.replace(
        "<label kind=\"assignment\">x = 0, v = i, n++</label>",
        "<label kind=\"assignment\" x=\"1\">spawn Train(1, n)</label>",
    );
    assert_ne!(text, MODEL);
    let (document, _) = parse_xml(&text);
    let out = to_xml(&document);
    assert!(out.contains("<label kind=\"assignment\" x=\"1\">spawn Train(1, n)</label>"), "{out}");
    assert!(!out.contains("not written"));
}

#[test]
fn broken_models_break_no_writer() {
    const PARTS: [&str; 16] = [
        "",
        "",
        " ",
        "x",
        "0",
        "(",
        ")",
        ",",
        "&lt;",
        "&amp;",
        "&#13;",
        "\r\n",
        "<!-- c -->",
        "\"",
        "<urgent/>",
        "]]&gt;",
    ];
    let mut rng = Rng::new(9);
    let mut sound = 0;
    for round in 0..2500 {
        let mut text = MODEL.to_owned();
        for _ in 0..=rng.below(2) {
            let at = rng.below(text.len() as u64) as usize;
            let end = (at + rng.below(3) as usize).min(text.len());
            text.replace_range(at..end, PARTS[rng.below(PARTS.len() as u64) as usize]);
        }
        let (document, diagnostics) = parse_xml(&text);
        let out = to_xml(&document);
        let _ = (to_xta(&document), to_q(&document), to_dot(&document), to_json(&document));
        let picture = to_svg(&document, &text);
        assert!(roxmltree::Document::parse(&picture).is_ok(), "round {round}: {picture}");
        if !diagnostics.has_errors() {
            let again =
                common::sound(parse_xml(&out), &format!("round {round}"), &format!("{text}\n---\n{out}"));
            assert_same(&out, &to_xml(&again), &format!("round {round}"));
            assert_same(&essence(document), &essence(again), &format!("round {round}"));
            sound += 1;
        }
    }
    assert!(sound > 500, "{sound}");
}

#[test]
fn models_at_hand() {
    collection(|name, document| {
        let text = to_xml(&document);
        let again = sound(parse_xml(&text), name, &text);
        if document.syntax == Syntax::New && !document.paths.is_empty() {
            assert_eq!(document.declarations.text, again.declarations.text, "{name}");
        }
        assert_same(&text, &to_xml(&again), name);
        if !document.paths.is_empty() {
            assert_same(&essence(document), &essence(again), name);
        }
    });
}
