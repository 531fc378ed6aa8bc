//! Any text at all: no panic, and every span lies inside it.
//!
//! Texts that are almost right reach further into the parser than noise does,
//! so these are good ones with a few tokens or bytes changed.

mod uppaal_show;

use dwell_syntax::uppaal::tree::Syntax;
use dwell_syntax::uppaal::{parse_queries, parse_query, parse_ta, parse_xta};
use std::fmt::Debug;
use uppaal_show::run;

const MODEL: &str = r#"
const int N = 3; const M 4; typedef int[0, N-1] id_t;
typedef struct { int x, y[2]; bool b; } point; point p = { x: 1, y: { 2, 3 }, true };
urgent broadcast chan go[N]; chan priority go[0] < default, tau; meta int m = -2147483648; hybrid clock h;
import "lib" { int f(int x); }; before_update { m = 0, m++ } string s = "é\"";
int sq(const int a[3], id_t &b) {
    int i; double d = 1.5e3;
    for (i = 0; i < N; i++) { if (a[i] > 0 || b == i) return i ? 1 : -1; else ; }
    for (k : id_t) while (b <? 3 != k) b--;
    do { assert forall (j : id_t) a[j] && not exists (l : int[0,3]) l == a[j]; } while (b-->0);
    return sum (k : id_t) abs(a[k]) ** 2;
}
process P(const id_t id, int &n) {
    clock x, y[2];
    state A, B { x <= 5 && y[0]' == 0; 1 : 2 }, C { ; 3 };
    branchpoint b1; commit C; urgent B; init A;
    trans A -> B { select i : id_t; guard x > 1 && i == id; sync go[i]!; assign x = 0, n += 2; },
        -> C { guard x =< 3, y[1] => 2; sync go[0]?; }, -u-> b1 { }, b1 -> A { probability 3; };
}
P1 = P(1, m); Q(id_t i) = P(i, m); // λ
system P1, Q < R; progress { m > 1 : m; } gantt { G : x -> 1; } query { A[] not deadlock }
"#;

const QUERIES: &str = r#"
/* all is well: é */
A[] not deadlock and forall (i : id_t) P(i).x <= 3 \
  or Q.b
/* EXPECT: T, 3 MB */
E<> (P.a &&
   Q.b) // λ
p.x --> q.y imply z'
A[ x < 3 U a[2] ] under S
sup{x > 1}: y, z
Pr[<=100](<> a) >= 0.5
E[<=3; 4](max: x)
//NO_QUERY
{ a } control: A[] p
"#;

/// A small generator; the tests need no good one, only the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % bound.max(1)
    }
}

/// Words, numbers and single other characters.
fn tokens(text: &str) -> Vec<&str> {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let mut list = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| !word(c) || !word(first)).unwrap_or(rest.len()).max(first.len_utf8());
        let (token, after) = rest.split_at(end);
        list.push(token);
        rest = after;
    }
    list
}

fn mutate(text: &str, random: &mut Random) -> String {
    let mut list: Vec<&str> = tokens(text);
    let pool = list.clone();
    for _ in 0..1 + random.below(4) {
        if list.is_empty() {
            break;
        }
        let (i, j) = (random.below(list.len()), random.below(list.len()));
        match random.below(6) {
            0 => drop(list.remove(i)),
            1 => list.insert(i, list[j]),
            2 => list.swap(i, j),
            3 => list.insert(i, pool[random.below(pool.len())]),
            4 => list.truncate(i + 1),
            _ => drop(list.drain(i.min(j)..i.max(j).min(i.min(j) + 8))),
        }
    }
    let mut bytes = list.concat().into_bytes();
    for _ in 0..random.below(3) {
        let i = random.below(bytes.len());
        match random.below(3) {
            _ if bytes.is_empty() => break,
            0 => drop(bytes.remove(i)),
            1 => bytes.insert(i, random.below(256) as u8),
            _ => bytes[i] = b"()[]{};,'\"/*\\<>-=&|!? \n\0"[random.below(24)],
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Checks all spans of a tree or diagnostic, as its debug form shows them.
fn check(text: &str, tree: &impl Debug) {
    let shown = format!("{tree:?}");
    let number =
        |part: &str| part.find(|c: char| !c.is_ascii_digit()).map(|end| part[..end].parse::<usize>());
    for part in shown.split("Span { start: ").skip(1) {
        let start = number(part).unwrap().unwrap();
        let end = number(part.split_once(", end: ").unwrap().1).unwrap().unwrap();
        let inside = start <= end && text.is_char_boundary(start) && text.is_char_boundary(end);
        assert!(inside, "{start}..{end} in {text:?}");
    }
}

#[test]
fn mutated_files() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for _ in 0..3000 {
        let text = mutate(MODEL, &mut random);
        check(&text, &parse_xta(&text));
        check(&text, &parse_ta(&text));
    }
}

#[test]
fn mutated_queries() {
    let mut random = Random(0x0123_4567_89ab_cdef);
    for _ in 0..5000 {
        let text = mutate(QUERIES, &mut random);
        check(&text, &parse_queries(&text));
        check(&text, &parse_query(&text));
    }
}

#[test]
fn mutated_labels() {
    let mut random = Random(0xfeed_beef_1234_5678);
    let pool: Vec<&str> = tokens(MODEL);
    for _ in 0..20_000 {
        let start = random.below(pool.len() - 40);
        let text = mutate(&pool[start..start + random.below(40)].concat(), &mut random);
        for syntax in [Syntax::New, Syntax::Old] {
            check(&text, &run(&text, syntax, |p| p.guard()));
            check(&text, &run(&text, syntax, |p| p.update()));
            check(&text, &run(&text, syntax, |p| p.parameters()));
            check(&text, &run(&text, syntax, |p| p.select()));
            check(&text, &run(&text, syntax, |p| p.sync()));
            check(&text, &run(&text, syntax, |p| p.rate()));
            check(&text, &run(&text, syntax, |p| p.name()));
            check(&text, &run(&text, syntax, |p| p.system()));
            check(&text, &run(&text, syntax, |p| p.query()));
        }
    }
}

#[test]
fn time_is_proportional_to_length() {
    // Each of these was, or could be, quadratic or deep.
    for unit in [
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "a-->b ",
        "/*",
        "*/",
        "\"",
        "\\",
        "é",
        "\n",
        ";",
        ",",
        "int ",
        "a b ",
        "a = ",
        "if (",
        "process P() { ",
        "state A, ",
        "trans ",
        "-> B { ",
        "query { ",
        "A[ ",
        "E[ ",
        "{ a ",
        "const ",
        "?:",
        "forall (i : ",
        "struct { ",
        "gantt { ",
        "int f() { ",
        "a[",
        "E<> (\n",
        "a ? ",
        "x = (",
    ] {
        let text = unit.repeat(200_000 / unit.len());
        let _ = parse_xta(&text);
        let _ = parse_queries(&text);
        let _ = parse_query(&text);
    }
}
