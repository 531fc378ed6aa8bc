//! The elements of a file against another reader of XML: what `roxmltree`
//! accepts we accept, with the same structure, texts and places.

use super::dom::{self, Element, MAX_DEPTH, Node, Tree};
use crate::{Diagnostics, Span};
use dwell_base::Rng;

const FILES: [&str; 4] = [
    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\r\n<!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.1//EN' \
     'http://www.it.uu.se/research/group/darts/uppaal/flat-1_1.dtd'>\r\n<!-- top -->\r\n<nta>\
     <declaration>int a = 1 &lt;? 2;\r\n// h\u{e9} &amp;&#x26;\r</declaration>\
     <template><name x=\"5\" y='&#53;'>P</name><location id=\"id0\"/></template>\
     <system><![CDATA[x < y && ]]>&gt; z<!-- in between --> w</system></nta>\n<!-- end -->",
    "<a><b c='1\r\n2\t3'>t&#10;u</b><b/>v<b></b ></a>",
    "\u{feff}<project><lsc:x \u{e9}=\"&quot;\"><?pi <<>>?>\u{1f600}</lsc:x></project>",
    "<!DOCTYPE nta [ <!ELEMENT nta (a)> ]><nta>]] ></nta>",
];

/// Compares an element with its twin.
fn compare(source: &str, ours: &Element, theirs: roxmltree::Node) {
    let name = match theirs.tag_name().namespace() {
        None => theirs.tag_name().name(),
        Some(_) => return,
    };
    assert_eq!(ours.name, name);
    let range = theirs.range();
    assert_eq!(ours.span, Span::new(range.start, range.end), "<{name}>");
    let attributes: Vec<_> = theirs.attributes().collect();
    assert_eq!(ours.attributes.len(), attributes.len(), "<{name}>");
    for (ours, theirs) in ours.attributes.iter().zip(attributes) {
        assert_eq!((ours.name, ours.value.as_ref()), (theirs.name(), theirs.value()));
        let range = theirs.range_value();
        assert_eq!(ours.span, Span::new(range.start, range.end));
    }
    let text: String = theirs.children().filter(|n| n.is_text()).filter_map(|n| n.text()).collect();
    let fragment = ours.text(source);
    // A `\r` alone is a line end; theirs stays as it is before a tag.
    assert_eq!(fragment.text().replace('\r', "\n"), text.replace('\r', "\n"), "<{name}>");
    // Every character lies in the file where it came from.
    for (at, c) in fragment.text().char_indices() {
        let span = fragment.span(at, at + c.len_utf8());
        let raw = &source[span.start as usize..span.end as usize];
        assert!(raw.starts_with(c) || raw.starts_with(['&', '\r']), "`{c}` from `{raw}`");
    }
    let comments: Vec<_> = theirs.children().filter(|n| n.is_comment()).map(|n| n.range()).collect();
    let ours_too = ours.children.iter().filter_map(|node| match node {
        Node::Comment(span) => Some(span.start as usize..span.end as usize),
        _ => None,
    });
    assert_eq!(ours_too.collect::<Vec<_>>(), comments);
    let children: Vec<_> = theirs.children().filter(|n| n.is_element()).collect();
    assert_eq!(ours.elements().count(), children.len(), "<{name}>");
    for (ours, theirs) in ours.elements().zip(children) {
        compare(source, ours, theirs);
    }
}

fn read(source: &str) -> Result<Tree<'_>, &'static str> {
    let mut diagnostics = Diagnostics::default();
    let tree = dom::build(source, &mut diagnostics);
    match diagnostics.into_vec().first() {
        None => Ok(tree),
        Some(diagnostic) => Err(diagnostic.code),
    }
}

/// Reads a text twice. Namespaces have rules of their own, which we do not
/// know; entities and depth are refused on purpose.
fn both(source: &str) -> bool {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let ours = read(source);
    let Ok(theirs) = roxmltree::Document::parse_with_options(source, options) else { return false };
    match ours {
        Ok(tree) => compare(source, tree.root.as_ref().expect("an element"), theirs.root_element()),
        Err(code) => assert!(matches!(code, "xml-entity" | "xml-depth"), "{code}: {source}"),
    }
    true
}

#[test]
fn small_files() {
    assert!(both(FILES[0]));
    assert!(both(FILES[1]));
    assert!(both(FILES[3]));
    assert!(read(FILES[2]).is_ok());
}

#[test]
fn mutated_files() {
    const PARTS: [&str; 24] = [
        "<",
        ">",
        "&",
        ";",
        "\"",
        "'",
        "/",
        "=",
        " ",
        "\r",
        "\n",
        "<a>",
        "</a>",
        "<b/>",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "&lt;",
        "&#65;",
        "&x;",
        "<!DOCTYPE",
        "<?",
        "\u{e9}",
    ];
    let mut rng = Rng::new(7);
    let mut sound = 0;
    for round in 0..60_000 {
        let mut text = FILES[round % FILES.len()].to_owned();
        for _ in 0..=rng.below(2) {
            let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            let at = places[rng.below(places.len() as u64) as usize];
            let end = places[rng.below(places.len() as u64) as usize].clamp(at, at + 3);
            let end = (end..).find(|&end| text.is_char_boundary(end)).unwrap();
            text.replace_range(at..end, PARTS[rng.below(PARTS.len() as u64) as usize]);
        }
        sound += usize::from(both(&text));
    }
    assert!(sound > 3000, "{sound} files that are XML");
}

#[test]
fn models_at_hand() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models/uppaal");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        println!("skipped: no folder {}", folder.display());
        return;
    };
    for path in
        entries.map(|entry| entry.unwrap().path()).filter(|p| p.extension().is_some_and(|e| e == "xml"))
    {
        let source = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
        assert!(read(&source).is_ok(), "{}", path.display());
        assert!(both(&source), "{}", path.display());
    }
}

#[test]
fn bombs_are_refused() {
    let lol = "<!DOCTYPE a [<!ENTITY a \"aa\"><!ENTITY b \"&a;&a;\">]><a>&b;</a>";
    assert_eq!(read(lol).err(), Some("xml-entity"));
    assert_eq!(read("<a>&b;</a>").err(), Some("xml-entity"));
    let deep = |depth| "<a>".repeat(depth) + &"</a>".repeat(depth);
    assert!(read(&deep(MAX_DEPTH)).is_ok());
    assert_eq!(read(&deep(MAX_DEPTH + 1)).err(), Some("xml-depth"));
    assert_eq!(read(&"<a>".repeat(1_000_000)).err(), Some("xml-depth"));
}
