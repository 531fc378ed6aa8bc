//! Models as pictures: everything that is in them is drawn, at its place.

mod common;

use common::collection;
use dwell_convert::uppaal::to_svg;
use dwell_syntax::uppaal::parse_xml;

const MODEL: &str = r#"<nta><declaration>chan c; clock x;</declaration><template><name>P</name>
<parameter>int[0,3] id</parameter>
<location id="a" x="0" y="0"><name x="10" y="-30">A</name><label kind="invariant" x="10" y="20">x &lt;= 5</label></location>
<location id="b" x="200" y="0"><committed/></location>
<branchpoint id="p" x="100" y="100"/><init ref="a"/>
<transition><source ref="a"/><target ref="b"/><label kind="guard" x="80" y="-40">x &gt; 1 &amp;&amp; id == 2</label>
<label kind="synchronisation" x="80" y="-20">c!</label><nail x="100" y="-50"/></transition>
<transition controllable="false"><source ref="a"/><target ref="p"/></transition>
<transition><source ref="p"/><target ref="b"/><label kind="assignment">x = 0</label>
<label kind="probability">3</label></transition>
<transition><source ref="nowhere"/><target ref="b"/></transition>
</template><system>Q = P(1); system Q;</system></nta>"#;

/// Texts of a picture with their places.
fn texts(svg: &str) -> Vec<(String, Option<String>, Option<String>)> {
    let document = roxmltree::Document::parse(svg).unwrap_or_else(|error| panic!("{error} in {svg}"));
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    let attribute = |node: &roxmltree::Node<'_, '_>, name| node.attribute(name).map(str::to_owned);
    texts
        .map(|node| {
            (node.text().unwrap_or_default().to_owned(), attribute(&node, "x"), attribute(&node, "y"))
        })
        .collect()
}

#[test]
fn labels_are_where_the_file_says() {
    let (document, _) = parse_xml(MODEL);
    let svg = to_svg(&document, "p.xml");
    let texts = texts(&svg);
    let place = |text: &str| {
        let found = texts.iter().find(|(said, ..)| said == text);
        let (_, x, y) = found.unwrap_or_else(|| panic!("`{text}` is not in {texts:?}"));
        (x.as_deref().unwrap_or_default(), y.as_deref().unwrap_or_default())
    };
    // Places are upper left corners, those of SVG are baselines.
    assert_eq!(place("A"), ("10", "-19"));
    assert_eq!(place("x <= 5"), ("10", "31"));
    assert_eq!(place("x > 1 && id == 2"), ("80", "-29"));
    assert_eq!(place("c!"), ("80", "-9"));
    assert_eq!(place("C"), ("200", "4"));
    for free in ["P(int[0,3] id)", "x = 0", "3"] {
        place(free);
    }
    // The nail, the edge of the environment, and no line from nowhere.
    assert!(svg.contains("100 -50") && svg.contains("\"line broken\""), "{svg}");
    assert_eq!(svg.matches("<path class=\"line").count(), 3, "{svg}");
}

#[test]
fn the_collection_is_drawn() {
    collection(|name, document| {
        let svg = to_svg(&document, name);
        assert!(roxmltree::Document::parse(&svg).is_ok(), "{name}");
    });
}
