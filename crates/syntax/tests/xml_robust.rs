//! Broken files never break the reader.
//!
//! Whatever the text, reading ends, and all places lie inside the text on
//! character boundaries.

use dwell_base::Rng;
use dwell_syntax::uppaal::parse_xml;
use dwell_syntax::{Colour, SourceFile, Span, render};

const MODEL: &str = "\u{feff}<?xml version=\"1.0\"?><!DOCTYPE nta><nta><!-- h\u{e9} -->\r\n\
    <declaration>int a[2] = { 1, 2 }; /* \u{1f600} */ clock x;\r\nvoid f(int &amp;b) { b = b + 1; }</declaration>\
    <template><name x='1'>P</name><parameter>const int[0,3] k</parameter><declaration>int y;</declaration>\
    <location id='a'><name>A</name><label kind='invariant'>x &lt;= 5 &amp;&amp; x' == 1</label><urgent/></location>\
    <location id='b'><label kind='exponentialrate'>1:2</label></location><branchpoint id='c'/><init ref='a'/>\
    <transition controllable='false'><source ref='a'/><target ref='c'/><label kind='select'>i : int[0,1]</label>\
    <label kind='guard'><![CDATA[a[i] < 2 &&]]> x &gt; &#49;</label><label kind='synchronisation'>c!</label>\
    <label kind='assignment'>y = i, f(y)</label><nail x='1' y='2'/></transition>\
    <transition><source ref='c'/><target ref='b'/><label kind='probability'>3</label></transition></template>\
    <instantiation>Q = P(1);</instantiation><system>system Q &lt; P;</system>\
    <queries><option key='k' value='v'/><query><formula>E&lt;&gt; Q.A</formula><comment>c</comment>\
    <expect outcome='failure'/></query></queries></nta>";

/// Reads a text and looks at all that came of it.
fn check(text: &str) {
    let (document, diagnostics) = parse_xml(text);
    let inside = |span: Span| {
        let (start, end) = (span.start as usize, span.end as usize);
        assert!(start <= end && end <= text.len(), "{start}..{end} of {}: {text}", text.len());
        assert!(text.is_char_boundary(start) && text.is_char_boundary(end), "{start}..{end}: {text}");
    };
    document.paths.iter().for_each(|path| inside(path.span));
    document.queries.iter().flat_map(|item| &item.diagnostics).for_each(|d| inside(d.span));
    for template in &document.templates {
        inside(template.span);
        inside(template.name.span);
        template.locations.iter().for_each(|location| inside(location.span));
        template.edges.iter().for_each(|edge| inside(edge.span.to(edge.source.span)));
    }
    let diagnostics = diagnostics.into_vec();
    diagnostics.iter().for_each(|d| inside(d.span));
    let file = SourceFile::new("model.xml", text.to_owned());
    for diagnostic in &diagnostics {
        assert!(!render(diagnostic, &file, Colour::Never).is_empty());
    }
}

#[test]
fn the_model_is_sound() {
    let (document, diagnostics) = parse_xml(MODEL);
    assert!(!diagnostics.has_errors(), "{:#?}", diagnostics.into_vec());
    assert_eq!(document.templates[0].edges.len(), 2);
}

#[test]
fn cut_anywhere() {
    for (end, _) in MODEL.char_indices() {
        check(&MODEL[..end]);
        check(&MODEL[end..]);
    }
}

#[test]
fn mutated() {
    const PARTS: [&str; 30] = [
        "<",
        ">",
        "&",
        ";",
        "\"",
        "'",
        "/",
        "=",
        " ",
        "\r\n",
        "<a>",
        "</a>",
        "<label kind='guard'>",
        "</label>",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "&lt;",
        "&#x10FFFF;",
        "&#0;",
        "<template>",
        "</template>",
        "<init ref='b'/>",
        "(",
        "{",
        "\u{e9}",
        "\u{0}",
        "//",
        "/*",
    ];
    let mut rng = Rng::new(11);
    for _ in 0..15_000 {
        let mut text = MODEL.to_owned();
        for _ in 0..=rng.below(3) {
            let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            let at = rng.below(places.len() as u64) as usize;
            let end = (at + rng.below(12) as usize).min(places.len() - 1);
            let part = match rng.below(4) {
                0 => "",
                1 => {
                    let from = rng.below(places.len() as u64) as usize;
                    let to = (from + rng.below(40) as usize).min(places.len() - 1);
                    &text[places[from]..places[to]]
                }
                _ => PARTS[rng.below(PARTS.len() as u64) as usize],
            }
            .to_owned();
            text.replace_range(places[at]..places[end], &part);
        }
        check(&text);
    }
}
