//! XML files: structure, places, and what is wrong with them.

use dwell_syntax::uppaal::parse_xml;
use dwell_syntax::uppaal::tree::{Direction, Document, ExprKind, Extra, Outcome, Syntax};
use dwell_syntax::{Diagnostic, Severity, Span};

const MODEL: &str = r##"<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.6//EN' 'http://www.it.uu.se/research/group/darts/uppaal/flat-1_6.dtd'>
<nta>
	<!-- a gate -->
	<declaration>// channels
chan go;
int n = 3;</declaration>
	<template>
		<name x="5" y="5">Train</name>
		<parameter>const int id</parameter>
		<declaration>clock x;</declaration>
		<location id="id0" x="-10" y="20" color="#ff00ff">
			<name x="0" y="0">Safe</name>
			<label kind="invariant" x="1" y="2">x &lt;= 5 &amp;&amp; n &gt; 0</label>
			<label kind="comments">quiet</label>
		</location>
		<location id="id1"><committed/></location>
		<location id="id2"><urgent/><committed/></location>
		<branchpoint id="id3" x="7" y="8"/>
		<init ref="id0"/>
		<transition id="e1" controllable="false" action="a">
			<source ref="id0"/>
			<target ref="id1"/>
			<label kind="assignment">x = 0, n = i</label>
			<label kind="synchronisation" x="3" y="4">go!</label>
			<label kind="guard"><![CDATA[x < 3 && i > 1]]></label>
			<label kind="select">i : int[0,3]</label>
			<nail x="1" y="1"/>
			<nail x="2" y="2"/>
		</transition>
	</template>
	<instantiation>T1 = Train(1);</instantiation>
	<system>T2 = Train(2);
system T1, T2;</system>
	<queries>
		<option key="--search-order" value="1"/>
		<query>
			<formula></formula>
			<comment>Safety</comment>
		</query>
		<query>
			<formula>A[] not deadlock
			// never stuck
			</formula>
			<comment>no &lt;deadlock&gt;</comment>
			<option key="--trace" value="0"/>
			<expect outcome="success" type="symbolic"><resource type="time" value="3" unit="s"/></expect>
			<result outcome="success" type="quality" timestamp="now"/>
		</query>
		<query><formula>E&lt;&gt; T1.(</formula><comment/></query>
	</queries>
</nta>
"##;

fn read(text: &str) -> (Document, Vec<Diagnostic>) {
    let (document, diagnostics) = parse_xml(text);
    (document, diagnostics.into_vec())
}

/// A model around one piece of XML that stands in a template.
fn with_template(inside: &str) -> String {
    format!("<nta><declaration/><template><name>P</name>{inside}</template><system>system P;</system></nta>")
}

fn codes(text: &str) -> Vec<&'static str> {
    read(text).1.iter().map(|d| d.code).collect()
}

fn slice(text: &str, span: Span) -> &str {
    &text[span.start as usize..span.end as usize]
}

#[test]
fn a_whole_model() {
    let (document, diagnostics) = read(MODEL);
    assert!(diagnostics.is_empty(), "{diagnostics:#?}");
    assert_eq!(document.syntax, Syntax::New);
    assert_eq!(document.declarations.items.len(), 2);
    assert!(document.declarations.text.starts_with("// channels"));
    let train = &document.templates[0];
    assert_eq!((train.name.name.as_str(), train.params.len()), ("Train", 1));
    assert_eq!(slice(MODEL, train.span), "<name x=\"5\" y=\"5\">Train</name>");
    assert_eq!(train.init.as_ref().unwrap().name, "id0");
    let names: Vec<_> = train.locations.iter().map(|l| l.name.as_ref().map(|n| n.name.as_str())).collect();
    assert_eq!(names, [Some("Safe"), None, None]);
    let flags: Vec<_> = train.locations.iter().map(|l| (l.urgent, l.committed)).collect();
    assert_eq!(flags, [(false, false), (false, true), (true, true)]);
    assert_eq!(train.branchpoints[0].id.name, "id3");

    let edge = &train.edges[0];
    assert_eq!((edge.source.name.as_str(), edge.target.name.as_str()), ("id0", "id1"));
    assert_eq!(slice(MODEL, edge.source.span), "id0");
    assert!(!edge.controllable);
    assert_eq!(edge.select[0].name.name, "i");
    assert_eq!(edge.update.len(), 2);
    assert_eq!(edge.sync.as_ref().unwrap().direction, Direction::Send);
    assert_eq!(slice(MODEL, edge.guard.as_ref().unwrap().span), "x < 3 && i > 1");

    assert_eq!(document.system.declarations.items.len(), 2);
    assert_eq!(document.system.levels[0].len(), 2);
}

#[test]
fn what_means_nothing_is_kept() {
    let (document, _) = read(MODEL);
    let train = &document.templates[0];
    let attribute = |name: &str, value: &str| Extra::Attribute(name.into(), value.into());
    let child =
        |of: &str, name: &str, value: &str| Extra::ChildAttribute(of.into(), name.into(), value.into());
    assert_eq!(document.extra, [Extra::Comment("<!-- a gate -->".into())]);
    assert_eq!(train.extra, [child("name", "x", "5"), child("name", "y", "5")]);
    assert_eq!(
        train.locations[0].extra,
        [
            attribute("x", "-10"),
            attribute("y", "20"),
            attribute("color", "#ff00ff"),
            child("name", "x", "0"),
            child("name", "y", "0"),
            child("label:invariant", "x", "1"),
            child("label:invariant", "y", "2"),
            Extra::Element("<label kind=\"comments\">quiet</label>".into()),
        ]
    );
    assert_eq!(
        train.edges[0].extra,
        [
            attribute("id", "e1"),
            attribute("action", "a"),
            child("label:synchronisation", "x", "3"),
            child("label:synchronisation", "y", "4"),
            Extra::Element("<nail x=\"1\" y=\"1\"/>".into()),
            Extra::Element("<nail x=\"2\" y=\"2\"/>".into()),
        ]
    );
}

#[test]
fn queries() {
    let (document, diagnostics) = read(MODEL);
    assert!(diagnostics.is_empty(), "a bad query is no fault of the model: {diagnostics:#?}");
    assert_eq!(document.options, [("--search-order".to_owned(), "1".to_owned())]);
    let [good, bad] = &document.queries[..] else { panic!("{:#?}", document.queries) };
    assert_eq!(good.text, "A[] not deadlock");
    assert!(good.query.is_some() && good.diagnostics.is_empty());
    assert_eq!(good.comment.as_deref(), Some("no <deadlock>"));
    assert_eq!(good.options, [("--trace".to_owned(), "0".to_owned())]);
    let expect = good.expect.as_ref().unwrap();
    assert_eq!((expect.outcome, &expect.resources[..]), (Some(Outcome::Satisfied), &["3 s".to_owned()][..]));
    let [Extra::Element(heading), Extra::Element(result)] = &good.extra[..] else {
        panic!("{:?}", good.extra)
    };
    assert!(heading.starts_with("<query>") && heading.contains("Safety"));
    assert!(result.starts_with("<result "));

    assert!(bad.query.is_none() && bad.comment.is_none());
    assert_eq!(bad.diagnostics[0].severity, Severity::Error);
    let line = MODEL[..bad.diagnostics[0].span.start as usize].lines().count();
    assert_eq!(
        MODEL.lines().nth(line - 1).unwrap().trim(),
        "<query><formula>E&lt;&gt; T1.(</formula><comment/></query>"
    );
}

#[test]
fn places_inside_decoded_text() {
    let (document, _) = read(MODEL);
    let invariant = document.templates[0].locations[0].invariant.as_ref().unwrap();
    assert_eq!(slice(MODEL, invariant.span), "x &lt;= 5 &amp;&amp; n &gt; 0");
    let ExprKind::Binary(_, left, right) = &invariant.kind else { panic!("{invariant:?}") };
    assert_eq!(slice(MODEL, left.span), "x &lt;= 5");
    assert_eq!(slice(MODEL, right.span), "n &gt; 0");

    // The offence is behind references, a CDATA section and a comment.
    let label =
        "<label kind=\"guard\">a &lt; 1 &amp;&amp; <![CDATA[b < 2]]> <!-- and --> &amp;&amp;\r\n ) c</label>";
    let text = with_template(&format!(
        "<location id=\"i\"/><init ref=\"i\"/><transition><source ref=\"i\"/><target ref=\"i\"/>{label}</transition>"
    ));
    let (_, diagnostics) = read(&text);
    assert_eq!(slice(&text, diagnostics[0].span), ")", "{diagnostics:#?}");
}

#[test]
fn paths_of_texts() {
    let (document, _) = read(MODEL);
    let paths: Vec<_> = document.paths.iter().map(|p| (p.path.as_str(), slice(MODEL, p.span))).collect();
    assert_eq!(paths[1], ("/nta/template[1]/name", "Train"));
    assert_eq!(paths[3], ("/nta/template[1]/declaration", "clock x;"));
    assert!(paths.contains(&("/nta/template[1]/location[1]/label[1]", "x &lt;= 5 &amp;&amp; n &gt; 0")));
    assert!(paths.contains(&("/nta/template[1]/transition[1]/label[4]", "i : int[0,3]")));
    assert!(paths.contains(&("/nta/queries/query[3]/formula", "E&lt;&gt; T1.(")));
    assert!(paths.iter().any(|(path, _)| *path == "/nta/system"));
    assert!(document.paths.is_sorted_by(|a, b| a.span.end <= b.span.start));
    let (project, _) = read("<project><template/><template><name>Q</name></template></project>");
    assert_eq!(project.paths[0].path, "/project/template[2]/name");
}

#[test]
fn old_files_are_read_with_the_old_grammar() {
    let text = "<nta><declaration>const N 5; int x;</declaration><template><name>P</name>\
        <parameter>int y; const m</parameter><location id=\"a\"><label kind=\"invariant\">y &lt;= 3, x &lt;= N</label></location>\
        <init ref=\"a\"/></template><instantiation>Q := P(x, 3);</instantiation><system>system Q;</system></nta>";
    let (document, diagnostics) = read(text);
    assert_eq!(diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(), ["old-syntax"], "{diagnostics:#?}");
    assert_eq!(diagnostics[0].severity, Severity::Warning);
    assert_eq!(document.syntax, Syntax::Old);
    assert_eq!(document.templates[0].params.len(), 2);

    // Offences against both are reported as the new one sees them.
    let broken = text.replace("int x;", "int x ) ;");
    let (document, diagnostics) = read(&broken);
    assert_eq!(document.syntax, Syntax::New);
    assert!(diagnostics.iter().any(|d| d.severity == Severity::Error));
}

#[test]
fn what_is_missing_is_said() {
    assert_eq!(codes(""), ["missing-root"]);
    assert_eq!(codes("<?xml version='1.0'?>"), ["missing-root"]);
    assert_eq!(codes("<html/>"), ["missing-root"]);
    assert_eq!(codes("<nta/>"), ["missing-system"]);
    assert_eq!(codes("<nta><system> \n </system></nta>"), ["missing-system"]);
    assert_eq!(codes(&with_template("<location id='a'/>")), ["missing-init"]);
    assert_eq!(codes(&with_template("<location id='a'/><init/>")), ["missing-ref"]);
    let edge = |inside: &str| {
        with_template(&format!("<location id='a'/><init ref='a'/><transition>{inside}</transition>"))
    };
    assert_eq!(codes(&edge("<source ref='a'/>")), ["missing-ref"]);
    assert_eq!(codes(&edge("<source/><target ref='a'/>")), ["missing-ref"]);
    assert_eq!(codes(&edge("<source ref='a'/><target ref='a'/><label>x</label>")), ["missing-kind"]);
    assert_eq!(codes(&with_template("<location/><init ref='a'/>")), ["missing-id"]);
    assert_eq!(
        codes("<nta><template><init ref='a'/></template><system>system P;</system></nta>"),
        ["missing-name"]
    );
}

#[test]
fn what_is_twice_is_said() {
    let label = "<label kind='guard'>true</label>";
    let edge = format!("<transition><source ref='a'/><target ref='a'/>{label}{label}</transition>");
    assert_eq!(
        codes(&with_template(&format!("<location id='a'/><init ref='a'/>{edge}"))),
        ["duplicate-label"]
    );
    assert_eq!(
        codes(&with_template("<location id='a'/><init ref='a'/><init ref='a'/>")),
        ["duplicate-element"]
    );
    assert_eq!(
        codes(&with_template("<location id='a'/><location id='a'/><init ref='a'/>")),
        ["duplicate-id"]
    );
    let template = "<template><name>P</name><location id='a'/><init ref='a'/></template>";
    let twice = format!("<nta>{template}{}<system>system P;</system></nta>", template.replace('P', "Q"));
    let (_, diagnostics) = read(&twice);
    assert_eq!(diagnostics.len(), 1);
    assert_eq!((diagnostics[0].code, diagnostics[0].severity), ("duplicate-id", Severity::Warning));
}

#[test]
fn strange_things_are_harmless() {
    let strange = with_template(
        "<location id='a' new='1'><glow/><label kind='moods'>x</label></location><init ref='a'/>stray<nail/>",
    );
    let (document, diagnostics) = read(&strange);
    let mut codes: Vec<_> = diagnostics.iter().map(|d| d.code).collect();
    codes.sort_unstable();
    assert_eq!(codes, ["stray-text", "unknown-element", "unknown-element", "unknown-label"]);
    assert!(diagnostics.iter().all(|d| d.severity == Severity::Warning));
    assert_eq!(document.templates[0].locations[0].extra.len(), 3);
}

#[test]
fn offences_against_xml() {
    let guard = |text: &str| {
        with_template(&format!(
            "<location id='a'><label kind='invariant'>{text}</label></location><init ref='a'/>"
        ))
    };
    for (text, at) in
        [("x<5 && y>2", "<"), ("x<y && z", "<"), ("x &< 3", "&"), ("a && b", "&"), ("x < 5", "<")]
    {
        let model = guard(text);
        let (_, diagnostics) = read(&model);
        assert_eq!(diagnostics.len(), 1, "{text}: {diagnostics:#?}");
        assert_eq!((diagnostics[0].code, slice(&model, diagnostics[0].span)), ("xml-syntax", at), "{text}");
        assert!(diagnostics[0].help.is_some());
        let offset = model.find(text).unwrap() + text.find(at).unwrap();
        assert_eq!(diagnostics[0].span.start as usize, offset);
    }
    assert_eq!(codes(&guard("&nbsp;")), ["xml-entity"]);
    assert_eq!(codes("<nta><system></nta>"), ["xml-syntax"]);
    assert_eq!(codes("<nta></nta></nta>"), ["xml-syntax"]);
    assert_eq!(codes("<nta/><nta/>"), ["xml-syntax"]);
    assert_eq!(codes("model <nta/>"), ["xml-syntax"]);
    assert_eq!(codes("<nta a='1' a='2'/>"), ["xml-syntax"]);
    assert_eq!(codes("<nta><!-- a -- b --></nta>"), ["xml-syntax"]);
    assert_eq!(
        codes("<!DOCTYPE nta [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]><nta>&b;</nta>"),
        ["xml-entity"]
    );
    assert_eq!(codes(&"<nta>".repeat(100_000)), ["xml-depth"]);
}
