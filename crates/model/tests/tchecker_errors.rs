//! Every diagnostic, with the exact place it marks.
//!
//! In each row `«` and `»` enclose what must be marked; they are removed
//! before the text is loaded. A row must give its diagnostic and no other.

use dwell_model::tchecker::load;
use dwell_syntax::{Colour, Diagnostic, Severity, SourceFile, locate, render};

const HEAD: &str = "system:s\nprocess:P\nevent:a\nevent:b\nclock:1:x\nclock:3:y\n\
    int:1:0:10:0:i\nint:4:-5:5:0:v\nlocation:P:l{initial:}\n";

/// Removes the marks; the offsets are those of the marked bytes.
fn unmark(text: &str) -> (String, usize, usize) {
    let start = text.find('«').unwrap_or_else(|| panic!("no mark in {text}"));
    let end = text.find('»').unwrap() - '«'.len_utf8();
    (text.replace(['«', '»'], ""), start, end)
}

fn check(text: &str, code: &str, severity: Severity) {
    let (text, start, end) = unmark(text);
    let (network, diagnostics) = load(&text);
    let list = diagnostics.into_vec();
    let found: Vec<String> = list
        .iter()
        .map(|d| {
            format!("{} at {:?}: {}", d.code, &text[d.span.start as usize..d.span.end as usize], d.message)
        })
        .collect();
    assert_eq!(list.len(), 1, "{text}\n{found:#?}");
    let Diagnostic { span, .. } = list[0];
    assert_eq!(list[0].code, code, "{text}\n{found:#?}");
    assert_eq!((span.start as usize, span.end as usize), (start, end), "{text}\n{found:#?}");
    assert_eq!(list[0].severity, severity, "{text}");
    assert_eq!(network.is_some(), severity == Severity::Warning, "{text}");
}

#[test]
fn whole_files() {
    let table = [
        ("«»", "empty-file"),
        ("«»\n\n# nothing here\n", "empty-file"),
        ("«process»:P\nlocation:P:l{initial:}\n", "missing-system"),
        ("«event»:a\nsystem:s\nprocess:P\nlocation:P:l{initial:}\n", "system-not-first"),
        ("system:s\nsystem:«t»\nprocess:P\nlocation:P:l{initial:}\n", "duplicate-system"),
        ("system:«s»\n", "no-process"),
        ("system:s\nprocess:«P»\n", "no-location"),
        ("system:s\nprocess:«P»\nlocation:P:l\n", "no-initial-location"),
        ("system:s\nprocess:P\nlocation:P:l{initial:}\nprocess:«P»\n", "duplicate-process"),
        ("system«»", "unexpected-token"),
        ("system:«»\nprocess:P\nlocation:P:l{initial:}\n", "unexpected-token"),
        ("system:«3»\nprocess:P\nlocation:P:l{initial:}\n", "unexpected-token"),
        ("«systm»:s\nprocess:P\nlocation:P:l{initial:}\n", "unknown-declaration"),
        ("«<»?xml?>\nprocess:P\nlocation:P:l{initial:}\n", "unexpected-character"),
        ("system:s\nprocess:«clock»\n", "reserved-word"),
        ("system:s\r\nprocess:P\r\nlocation:P:l{initial:}\r\nevent:«»\r\n", "unexpected-token"),
    ];
    for (text, code) in table {
        check(text, code, Severity::Error);
    }
}

#[test]
fn declarations() {
    let table = [
        ("«foo»:bar", "unknown-declaration"),
        ("«clok»:1:z", "unknown-declaration"),
        ("event:«a»", "duplicate-event"),
        ("clock:1:«x»", "duplicate-variable"),
        ("clock:1:«i»", "duplicate-variable"),
        ("int:1:0:1:0:«y»", "duplicate-variable"),
        ("location:P:«l»", "duplicate-location"),
        ("location:«Q»:l", "unknown-process"),
        ("location:«Q»:l{initial:}\nedge:Q:l:l:a\nsync:P@a:Q@b", "unknown-process"),
        ("edge:P:«m»:l:a\nedge:P:l:m:a", "unknown-location"),
        ("edge:P:l:«m»:a", "unknown-location"),
        ("edge:P:l:l:«c»", "unknown-event"),
        ("edge:P:l:l:«c»\nevent:c", "used-before-declaration"),
        ("edge:P:l:«m»:a\nlocation:P:m", "used-before-declaration"),
        ("location:«Q»:m{initial:}\nprocess:Q\nlocation:Q:n{initial:}", "used-before-declaration"),
        ("sync:P@a:«Q»@a", "unknown-process"),
        ("sync:P@«c»:P@a", "unknown-event"),
        ("sync:P@a:«P»@b", "duplicate-sync-member"),
        ("sync:P«:»a", "unexpected-token"),
        ("sync:P@a«,»P@b", "unexpected-character"),
        ("clock:«0»:z", "bad-size"),
        ("clock:«-1»:z", "bad-size"),
        ("clock:«40000»:z", "too-many-variables"),
        ("int:«2000000000»:0:1:0:z", "too-many-variables"),
        ("int:1:«5:2»:3:z", "empty-range"),
        ("int:1:0:9:«10»:z", "initial-value-out-of-range"),
        ("int:1:0:«2147483648»:0:z", "integer-too-large"),
        ("int:1:«-99999999999999999999»:0:0:z", "integer-too-large"),
        ("int:1:0:«z»", "unexpected-token"),
        ("int:1:0:1:0«»", "unexpected-token"),
        ("clock:«z»", "unexpected-token"),
        ("edge:P:l:l:a«:»{provided: i==0}", "unexpected-token"),
        ("edge:P:l:l«{»provided: i==0\n : do: i=1}\nevent:c", "unexpected-token"),
        ("event:c «d»", "unexpected-token"),
        ("event:«é»", "unexpected-character"),
        ("edge:P:l:l:a«{»provided: i==0\nevent:c\nevent:d", "unclosed-attributes"),
        ("edge:P:l:l:a«{»provided: i==0", "unclosed-attributes"),
        ("edge:P:l:l:a«{»", "unclosed-attributes"),
        ("edge:P:l:l:a«{»provided", "unclosed-attributes"),
        ("edge:P:l:l:a{provided: i==0 «# } why»\n : do: i=1}", "comment-in-attributes"),
        ("edge:P:l:l:a{ «# why»\n do: i=1}", "comment-in-attributes"),
        ("edge:P:l:l:a{do: i=1 «{» }", "unexpected-token"),
        ("edge:P:l:l:a{do: i=1 :«}»", "unexpected-token"),
        ("edge:P:l:l:a{do: i=1 : «:» provided: i==0}", "unexpected-token"),
        ("edge:P:l:l:a{do«}»", "unexpected-token"),
        ("edge:P:l:l:a{«provided»:}", "missing-value"),
        ("edge:P:l:l:a{«do»: : provided: i==0}", "missing-value"),
        (
            "process:Q\nlocation:Q:l{initial:}\nsync:Q@a:P@a?\nedge:P:l:l:a{provided: «i == 0»}",
            "guarded-weak-sync",
        ),
    ];
    for (text, code) in table {
        check(&format!("{HEAD}{text}"), code, Severity::Error);
        check(&format!("{HEAD}{text}\n"), code, Severity::Error);
    }
}

#[test]
fn conditions() {
    let table = [
        ("«j» == 0", "unknown-variable"),
        ("«j» == 0 && j < 3 && j > 5", "unknown-variable"),
        ("«true»", "unknown-variable"),
        ("«x»", "not-a-condition"),
        ("«x - y[0]»", "not-a-condition"),
        ("i == 0 && «(x + 1)»", "not-a-condition"),
        ("«v»", "array-without-index"),
        ("«v» == 0", "array-without-index"),
        ("«y» < 3", "array-without-index"),
        ("v[«v»] == 0", "array-without-index"),
        ("v[«4»] == 0", "index-out-of-range"),
        ("v[«-1»] == 0", "index-out-of-range"),
        ("y[«1 + 2»] < 5", "index-out-of-range"),
        ("i[«1»] == 0", "index-out-of-range"),
        ("v[«x»] == 0", "not-an-integer"),
        ("x «!=» 3", "clock-inequality"),
        ("3 «!=» x", "clock-inequality"),
        ("x - y[0] «!=» 3", "clock-inequality"),
        ("«!(x < 3)»", "negated-clock-constraint"),
        ("«! 1 < x < 3»", "negated-clock-constraint"),
        ("«!(i == 0 && i == 1)»", "negated-conjunction"),
        ("!«x»", "not-a-condition"),
        ("«x < y[0] + 1»", "bad-clock-comparison"),
        ("«x - y[0] < y[1]»", "bad-clock-comparison"),
        ("«x < y[0] - y[1]»", "bad-clock-comparison"),
        ("«x < (i == 0)»", "bad-clock-comparison"),
        ("«x * 2» < 3", "bad-clock-arithmetic"),
        ("«x - 1» < 3", "bad-clock-arithmetic"),
        ("«x + y[0]» < 3", "bad-clock-arithmetic"),
        ("-«x» < 3", "not-an-integer"),
        ("«(i == 0)» == 1", "not-an-integer"),
        ("«(i == 0)» + 1", "not-an-integer"),
        ("(if «x < 1» then 1 else 0)", "clock-in-condition"),
        ("(if i == 0 && «x < 1» then 1 else 0)", "clock-in-condition"),
        ("(if i then «x» else 0) == 1", "not-an-integer"),
        ("«1 / 0» == 1", "division-by-zero"),
        ("«i % (1 - 1)» == 1", "division-by-zero"),
        ("«2147483647 + 1» == i", "integer-overflow"),
        ("«-(-2147483648)» == i", "integer-overflow"),
        ("i == «2147483648»", "integer-too-large"),
        ("i == -«2147483649»", "integer-too-large"),
        ("x <= «4294967296000000000000»", "integer-too-large"),
        ("i «=» 0", "assignment-in-condition"),
        ("i == 0 «||» i == 1", "no-disjunction"),
        ("i == 0 «&» i == 1", "unexpected-token"),
        ("0 < i «>» 1", "chained-comparison"),
        ("i == 0 «==» 1", "chained-comparison"),
        ("i + «!»i", "unexpected-token"),
        ("i == 0 &&«»", "unexpected-token"),
        ("(i == 0«»", "unexpected-token"),
        ("v[0«»", "unexpected-token"),
        ("v[«]» == 0", "unexpected-token"),
        ("i == 0«)»", "unexpected-token"),
        ("i «i»", "unexpected-token"),
        ("i «?» 1", "unexpected-token"),
        ("«if» i then 1 else 0", "unexpected-token"),
        ("(if i then 1 «end») == 0", "unexpected-token"),
        ("i == «é»", "unexpected-character"),
        ("i == «\"»a\"", "unexpected-character"),
    ];
    for (condition, code) in table {
        check(&format!("{HEAD}edge:P:l:l:a{{provided: {condition}}}\n"), code, Severity::Error);
        check(&format!("{HEAD}location:P:m{{invariant:{condition} : labels: q}}"), code, Severity::Error);
    }
}

#[test]
fn statements() {
    let table = [
        ("«j» = 0", "unknown-variable"),
        ("i = «j»", "unknown-variable"),
        ("«v» = 0", "array-without-index"),
        ("i = «v»", "array-without-index"),
        ("v[«9»] = 0", "index-out-of-range"),
        ("i = «x»", "not-an-integer"),
        ("i = «(i == 0)»", "not-an-integer"),
        ("i = «x - y[0]»", "not-an-integer"),
        ("i = «y[0] + 1»", "not-an-integer"),
        ("x = «x - y[0]»", "bad-clock-assignment"),
        ("x = «(x < 1)»", "bad-clock-assignment"),
        ("x = «y[0] - 1»", "bad-clock-arithmetic"),
        ("x = «y[0] + 1 + 1»", "bad-clock-arithmetic"),
        ("if «x < 1» then i = 0 end", "clock-in-condition"),
        ("while «1 <= x» do i = 0 end", "clock-in-condition"),
        ("if «x» then i = 0 end", "not-a-condition"),
        ("local «i»", "duplicate-local"),
        ("local k; local «k» = 1", "duplicate-local"),
        ("local k; local «k»[2]", "duplicate-local"),
        ("if i then local k = 1 else local «k» = 2 end", "duplicate-local"),
        ("while i < 3 do local k; i = i + 1 end; i = «k»", "unknown-variable"),
        ("local k = «k»", "unknown-variable"),
        ("local k = «x»", "not-an-integer"),
        ("local k[«i»]; k[3] = 1; k[i] = 2", "size-not-constant"),
        ("local k[«0»]; k[3] = 1", "bad-size"),
        ("local «k»[100000]; k[99999] = 1", "too-many-variables"),
        ("local k[3]; i = «k»", "array-without-index"),
        ("local k[3]; k[«3»] = 1", "index-out-of-range"),
        ("i = 1«,» x = 0", "unexpected-token"),
        ("i = 1 «x» = 0", "unexpected-token"),
        ("i «==» 1", "not-an-assignment"),
        ("i«++»", "not-an-assignment"),
        ("i «+=» 1", "not-an-assignment"),
        ("i = i «==» 1", "condition-as-value"),
        ("i«»", "unexpected-token"),
        ("«5» = i", "unexpected-token"),
        ("«;» i = 1", "unexpected-token"),
        ("i = 1;«;» i = 2", "unexpected-token"),
        ("i =«»", "unexpected-token"),
        ("if i then i = 0«»", "missing-end"),
        ("while i do i = 0«»", "missing-end"),
        ("while i do i = 0 «done»", "unexpected-token"),
        ("if i «i» = 0 end", "unexpected-token"),
        ("if i «=» 0 then nop end", "assignment-in-condition"),
        ("if i then nop end «end»", "unexpected-token"),
        ("local «nop»", "unexpected-token"),
        ("«end» = 1", "unexpected-token"),
        ("i = 1 «@»", "unexpected-character"),
    ];
    for (statement, code) in table {
        check(&format!("{HEAD}edge:P:l:l:a{{do: {statement}}}\n"), code, Severity::Error);
        check(&format!("{HEAD}edge:P:l:l:a{{do:\n\t{statement}\n: provided: x < 1}}"), code, Severity::Error);
    }
}

#[test]
fn warnings() {
    let table = [
        ("edge:P:l:l:a{«colour»: red}", "unknown-attribute"),
        ("edge:P:l:l:a{«invariant»: j == (}", "unknown-attribute"),
        ("event:c{«do»:}", "unknown-attribute"),
        ("location:P:m{«lables»: q}", "unknown-attribute"),
        ("location:P:m{initial: «yes»}", "ignored-value"),
        ("location:P:m{urgent: : «urgent»:}", "duplicate-attribute"),
        ("location:P:m{labels: q,«»}", "empty-label"),
        ("edge:P:l:l:a{provided: i==0 : «provided»: x<1}", "duplicate-attribute"),
        ("edge:P:l:l:a{do: i=0 : «do»: x=0}", "duplicate-attribute"),
        ("edge:P:l:l:a{do: i=0; «i = 11»}", "value-out-of-range"),
        ("edge:P:l:l:a{do: «v[i] = 6»}", "value-out-of-range"),
        ("edge:P:l:l:a{do: «x = -1»}", "negative-clock"),
        ("edge:P:l:l:a{do: local «x» = 1; i = x}", "hidden-clock"),
        ("sync:«P@a»", "lonely-sync"),
    ];
    for (text, code) in table {
        check(&format!("{HEAD}{text}\n"), code, Severity::Warning);
    }
}

#[test]
fn several_errors_are_found_in_one_run() {
    let text = format!(
        "{HEAD}edge:P:l:l:a{{provided: i = 1 : do: i == 1}}\nfoo\nedge:P:m:l:a\nclock:0:z\n\
         edge:P:l:l:a{{provided: z < 1 && w : do: x = y; i = }}\n"
    );
    let (network, diagnostics) = load(&text);
    assert!(network.is_none());
    let file = SourceFile::new("m.tck", text);
    let found: Vec<String> = diagnostics
        .iter()
        .map(|d| locate(d, &file))
        .map(|d| format!("{}:{} {}", d.line, d.column, d.code))
        .collect();
    // The unknown declaration `foo` might have declared `m` and `w`.
    let expected = [
        "10:26 assignment-in-condition",
        "10:38 not-an-assignment",
        "11:1 unknown-declaration",
        "13:7 bad-size",
        "14:51 unexpected-token",
    ];
    assert_eq!(found, expected);
}

fn shown(text: &str) -> String {
    let (_, diagnostics) = load(text);
    let file = SourceFile::new("model.tck", text);
    diagnostics.iter().map(|d| render(d, &file, Colour::Never)).collect()
}

#[test]
fn rendering() {
    let text = "system:s\nprocess:Train\nevent:a\nlocation:Trian:near{initial:}\n\
                location:Train:far{initial: : labels: ö : invariant: x<1}\nclock:1:xx\n";
    let expected = "\
error[unknown-process]: there is no process `Trian`
 --> model.tck:4:10
  |
4 | location:Trian:near{initial:}
  |          ^^^^^
  |
  = help: did you mean `Train`?
error[unknown-variable]: there is no variable `x`
 --> model.tck:5:54
  |
5 | location:Train:far{initial: : labels: ö : invariant: x<1}
  |                                                      ^
  |
  = help: did you mean `xx`?
";
    assert_eq!(shown(text), expected);
    let expected = "\
error[unexpected-token]: expected a name, found the end of the line
 --> model.tck:1:8
  |
1 | system:
  |        ^
  |
  = help: the form is `system:NAME`
";
    assert_eq!(shown("\u{feff}system:\r\n"), expected);
}

#[test]
fn rendering_in_colour_says_the_same() {
    let text = "system:s\nprocess:P\nlocation:P:l";
    let (_, diagnostics) = load(text);
    let file = SourceFile::new("m", text);
    let error = diagnostics.iter().next().unwrap();
    let coloured = render(error, &file, Colour::Always);
    assert!(coloured.contains("\u{1b}["));
    let mut plain = String::new();
    let mut rest = coloured.as_str();
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        plain += before;
        rest = after.split_once('m').unwrap().1;
    }
    plain += rest;
    assert_eq!(plain, render(error, &file, Colour::Never));
}
