//! Expressions: precedence, literals, operands.

mod uppaal_show;

use dwell_syntax::uppaal::tree::{Direction, Expr, ExprKind, Syntax};
use uppaal_show::{errors, guard, run, show};

#[test]
fn every_level_binds_tighter_than_the_one_before() {
    let levels: [(&[(&str, &str)], bool); 14] = [
        (&[("=", "="), ("+=", "Add="), (":=", "="), ("<<=", "Shl="), ("^=", "BitXor=")], true),
        (&[("||", "Or"), ("or", "Or"), ("xor", "Xor"), ("imply", "Imply")], false),
        (&[("&&", "And"), ("and", "And")], false),
        (&[("|", "BitOr")], false),
        (&[("^", "BitXor")], false),
        (&[("&", "BitAnd")], false),
        (&[("==", "Eq"), ("!=", "Ne")], false),
        (&[("<", "Lt"), ("<=", "Le"), (">=", "Ge"), (">", "Gt")], false),
        (&[("<?", "Min"), (">?", "Max")], false),
        (&[("<<", "Shl"), (">>", "Shr")], false),
        (&[("+", "Add"), ("-", "Sub")], false),
        (&[("*", "Mul"), ("/", "Div"), ("%", "Rem")], false),
        (&[("**", "Pow")], false),
        (&[], false),
    ];
    for (i, (here, right)) in levels.iter().enumerate() {
        for (op, name) in *here {
            for (other, other_name) in *here {
                let expected = if *right {
                    format!("(a {name} (b {other_name} c))")
                } else {
                    format!("((a {name} b) {other_name} c)")
                };
                assert_eq!(guard(&format!("a {op} b {other} c")), expected, "{op} {other}");
            }
            for (tight, tight_name) in levels[i + 1..].iter().flat_map(|(ops, _)| *ops) {
                let text = format!("a {op} b {tight} c");
                assert_eq!(guard(&text), format!("(a {name} (b {tight_name} c))"), "{text}");
                let text = format!("a {tight} b {op} c");
                assert_eq!(guard(&text), format!("((a {tight_name} b) {name} c)"), "{text}");
            }
        }
    }
}

#[test]
fn unary_operators_bind_tighter_than_binary_ones() {
    assert_eq!(guard("not a == b"), "((Not a) Eq b)");
    assert_eq!(guard("!a && -b + +c"), "((Not a) And ((Neg b) Add (Plus c)))");
    assert_eq!(guard("-a ** b"), "((Neg a) Pow b)");
    assert_eq!(guard("not a.b[i]++"), "(Not (a.b[i] ++))");
    assert_eq!(guard("++a--"), "(++ (a --))");
    assert_eq!(guard("- - !a"), "(Neg (Neg (Not a)))");
    assert_eq!(guard("x' == 0 && y'==n"), "((x' Eq 0) And (y' Eq n))");
}

#[test]
fn implication_groups_to_the_left() {
    assert_eq!(guard("a imply b imply c"), "((a Imply b) Imply c)");
    assert_eq!(guard("a or b imply c or d"), "(((a Or b) Imply c) Or d)");
    assert_eq!(guard("a xor b && c"), "(a Xor (b And c))");
}

#[test]
fn a_quantifier_takes_all_that_follows() {
    assert_eq!(guard("forall(i:T) a[i] && b"), "(Forall i:T. (a[i] And b))");
    assert_eq!(
        guard("a || exists (i : int[0,N-1]) b[i] imply c"),
        "(a Or (Exists i:int[0,(N Sub 1)]. (b[i] Imply c)))"
    );
    assert_eq!(guard("1 + sum (i : T) x[i] == 3"), "(1 Add (Sum i:T. (x[i] Eq 3)))");
    assert_eq!(guard("!forall (i : T) x ? y : z"), "(Not (Forall i:T. (x ? y : z)))");
    assert_eq!(guard("(forall (i : T) a[i]) && b"), "((Forall i:T. a[i]) And b)");
}

#[test]
fn conditionals_and_assignments_group_to_the_right() {
    assert_eq!(guard("a ? b : c ? d : e"), "(a ? b : (c ? d : e))");
    assert_eq!(guard("a ? b ? c : d : e"), "(a ? (b ? c : d) : e)");
    assert_eq!(guard("a || b ? c && d : e || f"), "((a Or b) ? (c And d) : (e Or f))");
    assert_eq!(guard("x = y += z ? 1 : 2"), "(x = (y Add= (z ? 1 : 2)))");
    assert_eq!(guard("a ? x = 1 : y = 2"), "(a ? (x = 1) : (y = 2))");
    assert_eq!(
        guard("a ? 1 : b ? 2 : c || d ? 3 : x = y = 4"),
        "(a ? 1 : (b ? 2 : ((c Or d) ? 3 : (x = (y = 4)))))"
    );
    let table = format!("{}0", "i == 7 ? 3 : ".repeat(400));
    assert_eq!(guard(&table).matches("? 3 :").count(), 400);
}

#[test]
fn operands() {
    assert_eq!(guard("f(a, g(), -1)[2].x"), "f(a, g(), (Neg 1))[2].x");
    assert_eq!(guard("P(1, 2).loc and Q.location == 3"), "(P(1, 2).loc And (Q@location Eq 3))");
    assert_eq!(guard("abs(x - 3) <= fmod(1.5, 2e3)"), "(#abs((x Sub 3)) Le #fmod(1.5, 2000.0))");
    assert_eq!(guard("abs + round.x"), "(abs Add round.x)");
    assert_eq!(guard("true && false"), "(true And false)");
    assert_eq!(guard(r#"f("a\"b\\")"#), r#"f("a\"b\\")"#);
    assert_eq!(guard("n -- > 0 && m-->0"), "(((n --) Gt 0) And ((m --) Gt 0))");
    assert_eq!(guard("a$b + _c#1"), "(a$b Add _c#1)");
    assert_eq!(guard("spawn P(1) + exit()"), "(<the creation of a process> Add <the end of a process>)");
    assert_eq!(guard("exit && query(1) && spawn.x"), "((exit And query(1)) And spawn.x)");
    assert_eq!(guard("A.U + E[sup] * W < R + M + inf"), "((A.U Add (E[sup] Mul W)) Lt ((R Add M) Add inf))");
    assert_eq!(guard(" // nothing\n /* here */ "), "none");
    assert_eq!(guard("a /* b */ && // c\n d \\\n || e"), "((a And d) Or e)");
}

#[test]
fn integers() {
    assert_eq!(guard("007 + 0 + 000"), "((7 Add 0) Add 0)");
    assert_eq!(guard("2147483647"), "2147483647");
    assert_eq!(guard("-2147483648 + - 002147483648"), "(-2147483648 Add -2147483648)");
    for text in ["2147483648", "- (2147483648)", "1 - 2147483648", "99999999999999999999"] {
        let (_, found) = run(text, Syntax::New, |p| p.guard());
        let codes: Vec<_> = found.iter().map(|d| d.code).collect();
        // A minus between operands is not a sign.
        assert_eq!(codes, ["integer-overflow"], "{text}");
    }
}

#[test]
fn spans_cover_parentheses() {
    let text = "(a + b) * f(c)[ d ].e";
    let (guard, _) = run(text, Syntax::New, |p| p.guard());
    let guard = guard.unwrap();
    let slice = |e: &Expr| &text[e.span.start as usize..e.span.end as usize];
    let ExprKind::Binary(_, left, right) = &guard.kind else { panic!("{guard:?}") };
    assert_eq!(slice(&guard), text);
    assert_eq!((slice(left), slice(right)), ("(a + b)", "f(c)[ d ].e"));
    let ExprKind::Binary(_, a, _) = &left.kind else { panic!("{left:?}") };
    assert_eq!(slice(a), "a");
}

#[test]
fn synchronisations() {
    let sync = |text| {
        let (sync, found) = run(text, Syntax::New, |p| p.sync());
        assert!(found.is_empty(), "{text}: {found:?}");
        sync.map(|s| (show(&s.channel), s.direction))
    };
    assert_eq!(sync("c[i]!"), Some(("c[i]".to_owned(), Direction::Send)));
    assert_eq!(sync("c[i ? 1 : 2] ?"), Some(("c[(i ? 1 : 2)]".to_owned(), Direction::Receive)));
    assert_eq!(sync("b ? c : d ? // why"), Some(("(b ? c : d)".to_owned(), Direction::Receive)));
    assert_eq!(sync("tick"), Some(("tick".to_owned(), Direction::Csp)));
    assert_eq!(sync("  "), None);
}

#[test]
fn other_labels() {
    let (update, found) = run("x = 0, n++, f(a, b)", Syntax::New, |p| p.update());
    assert!(found.is_empty());
    assert_eq!(update.iter().map(show).collect::<Vec<_>>(), ["(x = 0)", "(n ++)", "f(a, b)"]);
    let (rate, found) = run("1 : n + 1", Syntax::New, |p| p.rate());
    assert!(found.is_empty());
    let (first, second) = rate.unwrap();
    assert_eq!((show(&first), second.map(|e| show(&e))), ("1".to_owned(), Some("(n Add 1)".to_owned())));
    let (select, found) = run("i : int[0, 3], j : T", Syntax::New, |p| p.select());
    assert!(found.is_empty());
    assert_eq!(select.iter().map(|s| s.name.name.as_str()).collect::<Vec<_>>(), ["i", "j"]);
    let (name, _) = run(" select ", Syntax::New, |p| p.name());
    assert_eq!(name.unwrap().name, "select");
    let (name, found) = run("init", Syntax::New, |p| p.name());
    assert!(name.is_none());
    assert_eq!(errors("init", &found), [("keyword-as-name", "init")]);
}

#[test]
fn long_chains_of_conditions_are_balanced() {
    for op in ["&&", "||", "and", "or"] {
        let operands: Vec<String> = (0..20_000).map(|i| format!("a{i}")).collect();
        let text = operands.join(&format!(" {op} "));
        let (guard, found) = run(&text, Syntax::New, |p| p.guard());
        assert!(found.is_empty(), "{found:?}");
        let shown = show(&guard.unwrap());
        let names: Vec<&str> = shown.split(['(', ')', ' ']).filter(|word| word.starts_with('a')).collect();
        assert_eq!(names, operands);
    }
}

#[test]
fn what_is_nested_too_deeply_is_refused() {
    let deep = |open: &str, middle: &str, close: &str, times: usize| {
        format!("{}{middle}{}", open.repeat(times), close.repeat(times))
    };
    for (open, middle, close) in [
        ("(", "x", ")"),
        ("!", "x", ""),
        ("- ", "x", ""),
        ("++", "x", ""),
        ("a[", "0", "]"),
        ("f(", "0", ")"),
        ("a ? b : ", "c", ""),
        ("a ? ", "b", " : c"),
        ("x = ", "0", ""),
        ("forall (i : T) ", "x", ""),
        ("forall (i : int[0, ", "x", "]) y"),
        ("x", "", "'"),
        ("x", "", "++"),
        ("x", "", ".y"),
        ("x", "", "()"),
        ("1 + ", "1", ""),
        ("a imply ", "b", ""),
        ("a && b || ", "c", ""),
    ] {
        for times in [60, 600, 30_000] {
            let text = deep(open, middle, close, times);
            let (guard, found) = run(&text, Syntax::New, |p| p.guard());
            let codes: Vec<_> = found.iter().map(|d| d.code).collect();
            match times {
                60 => assert!(codes.is_empty() || middle.is_empty(), "{open}: {codes:?}"),
                30_000 if !text.contains("||") => assert_eq!(codes[0], "too-deep", "{open}"),
                _ => {}
            }
            assert!(codes.len() <= 2, "{open} {times}: {codes:?}");
            assert!(guard.is_none_or(|e| height(&e) <= 1000));
        }
    }
}

fn height(e: &Expr) -> usize {
    let max = |list: &[&Expr]| list.iter().map(|e| height(e)).max().unwrap_or(0);
    1 + match &e.kind {
        ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) | ExprKind::Assign(_, a, b) => max(&[a, b]),
        ExprKind::Field(a, _) | ExprKind::Rate(a) | ExprKind::Unary(_, a) => height(a),
        ExprKind::Step { place, .. } => height(place),
        ExprKind::Call(f, args) => height(f).max(args.iter().map(height).max().unwrap_or(0)),
        ExprKind::Conditional(a, b, c) => max(&[a, b, c]),
        ExprKind::Quantified(_, _, _, body) => height(body),
        _ => 0,
    }
}
