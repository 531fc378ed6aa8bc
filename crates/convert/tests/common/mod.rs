//! Trees to compare, and models to try things on.
#![allow(dead_code)] // Each test file uses its part.

use dwell_syntax::uppaal::tree::Document;
use dwell_syntax::uppaal::{parse_ta, parse_xml, parse_xta};
use dwell_syntax::{Diagnostics, decode};
use std::path::Path;

/// A thing without its places.
pub fn shape(thing: &impl std::fmt::Debug) -> String {
    let text = format!("{thing:?}");
    let mut out = String::with_capacity(text.len());
    let mut parts = text.split("Span { start: ");
    out.push_str(parts.next().unwrap());
    for part in parts {
        out.push_str(&part[part.find('}').unwrap() + 1..]);
    }
    out
}

/// Says where two texts part.
pub fn assert_same(left: &str, right: &str, what: &str) {
    if left == right {
        return;
    }
    let at = left.chars().zip(right.chars()).take_while(|(a, b)| a == b).count();
    let part = |text: &str| text.chars().skip(at.saturating_sub(300)).take(600).collect::<String>();
    panic!("{what}: at {at}\n--- left\n{}\n--- right\n{}", part(left), part(right));
}

/// Reads a model without errors.
pub fn sound(parsed: (Document, Diagnostics), what: &str, text: &str) -> Document {
    let (document, diagnostics) = parsed;
    assert!(!diagnostics.has_errors(), "{what}: {:#?}\n{text}", diagnostics.into_vec());
    document
}

/// The models of a collection, where it is at hand: name and tree of those
/// that can be read.
pub fn collection(mut each: impl FnMut(&str, Document)) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models/uppaal");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        println!("skipped: no folder {}", folder.display());
        return;
    };
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        let parse = match path.extension().and_then(|e| e.to_str()) {
            Some("xml") => parse_xml,
            Some("xta") => parse_xta,
            Some("ta") => parse_ta,
            _ => continue,
        };
        let text = decode(&std::fs::read(&path).unwrap()).unwrap();
        let (document, diagnostics) = parse(&text);
        if !diagnostics.has_errors() {
            each(&path.file_name().unwrap().to_string_lossy(), document);
        }
    }
}

/// A model with a bit of everything that XML can hold.
pub const MODEL: &str = r##"<?xml version="1.0" encoding="utf-8"?>
<!-- made by hand -->
<nta>
	<imports>x &lt; y</imports>
	<declaration>// channels &amp; more
chan go, stop[3];
urgent broadcast chan now;
typedef struct { int[0,7] a; bool b[2]; } pair_t;
int n = 3, m[2] = { 1, 2 };
pair_t p = { 1, b: { true, false } };
int f(int a, int &amp;b) { for (i : int[0,3]) b += i; return a &gt; 3 ? a : b; }</declaration>
	<template>
		<!-- inside -->
		<name x="5" y="5">Train</name>
		<parameter x="1" y="2">const int[0,3] id, int &amp;v</parameter>
		<declaration>clock x; // mine</declaration>
		<location id="id0" x="-10" y="20" color="#ff00ff">
			<label kind="comments" x="0" y="9">quiet &amp; still</label>
			<label kind="invariant" x="1" y="2">x &lt;= 5 &amp;&amp; (n &gt; 0 || v == 1)</label>
			<label kind="exponentialrate" x="1" y="3">1:2</label>
			<name x="0" y="0">Safe</name>
		</location>
		<location id="id1" x="0" y="0"><committed/></location>
		<location id="id2" x="1" y="1"><name>Cross</name><urgent/></location>
		<branchpoint id="id3" x="7" y="8"/>
		<init ref="id0"/>
		<transition id="e1" controllable="false" action="a&quot;b">
			<source ref="id0"/>
			<target ref="id3"/>
			<label kind="assignment">x = 0, v = i, n++</label>
			<label kind="guard"><![CDATA[x < 3 && i > 1]]></label>
			<label kind="synchronisation" x="3" y="4">stop[i]!</label>
			<label kind="select">i : int[0,2], j : int[0,1]</label>
			<label kind="comments">why</label>
			<nail x="1" y="1"/>
			<nail x="2" y="2"/>
		</transition>
		<transition><source ref="id3"/><target ref="id1"/><label kind="probability">3</label></transition>
		<transition><source ref="id3"/><target ref="id2"/><label kind="guard" x="3" y="3"></label></transition>
	</template>
	<lsc><name>L</name></lsc>
	<instantiation>T1 = Train(1, n);</instantiation>
	<system>// the processes
T2 = Train(2, n);
system T1 &lt; T2;
progress { n &gt; 0 : m[0]; n; }</system>
	<queries>
		<option key="--search-order" value="1"/>
		<query><formula></formula><comment>Safety</comment></query>
		<query>
			<formula>A[] not deadlock
			// never stuck
			</formula>
			<comment>no &lt;deadlock&gt;
ever \</comment>
			<option key="--trace" value="0"/>
			<expect outcome="success" type="symbolic"><resource type="time" value="3" unit="s"/></expect>
			<result outcome="success" type="quality" timestamp="now"><details>d</details></result>
		</query>
		<query><formula>T1.Safe --&gt; T1.Cross</formula><comment/><expect outcome="failure" type="value" value="7"/></query>
		<query><formula/><comment>The end</comment></query>
	</queries>
</nta>
"##;
