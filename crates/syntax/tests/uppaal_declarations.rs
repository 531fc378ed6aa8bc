//! Declarations, types, parameters, functions and statements.

mod uppaal_show;

use dwell_syntax::uppaal::tree::{Decl, Syntax};
use uppaal_show::{declarations, errors, run, show_decl, show_params};

#[test]
fn variables() {
    assert_eq!(declarations("int a = 1, b[3], c;"), "int a = 1, b[3], c;");
    assert_eq!(declarations("int[0, N-1] x := 2;"), "int[0,(N Sub 1)] x = 2;");
    assert_eq!(declarations("urgent broadcast chan c[N][M];"), "urgent broadcast chan c[N][M];");
    assert_eq!(
        declarations("meta bool b; hybrid clock h; clock x = 5;"),
        "meta bool b; hybrid clock h; clock x = 5;"
    );
    assert_eq!(
        declarations("const double pi = 3.14; const string s = \"a\";"),
        "const double pi = 3.14; const string s = \"a\";"
    );
    assert_eq!(declarations("id_t x; scalar[3] s; void_t v;"), "id_t x; scalar[3] s; void_t v;");
    assert_eq!(
        declarations("int a[int[5,7]][id_t][scalar[2]][N+1] = { 1, { 2, 3 } };"),
        "int a[:int[5,7]][id_t][:scalar[2]][(N Add 1)] = {1, {2, 3}};"
    );
}

#[test]
fn types() {
    assert_eq!(
        declarations("typedef struct { int x, y[2]; const id_t z; struct { bool b; } s; } point, line[2];"),
        "typedef struct{int x, y[2]; const id_t z; struct{bool b;} s;} point, line[2];"
    );
    assert_eq!(
        declarations("const point p = { x: 1, y: { 2, 3 }, 4 };"),
        "const point p = {x: 1, y: {2, 3}, 4};"
    );
    assert_eq!(declarations("typedef int[0,3] A, U;  A a; U u[A];"), "typedef int[0,3] A, U; A a; U u[A];");
}

#[test]
fn other_declarations() {
    assert_eq!(
        declarations("P1 = P(1, x); Q(const id_t i) = P(i, 2); R() = P();"),
        "P1() = P(1, x); Q(const id_t i) = P(i, 2); R() = P();"
    );
    assert_eq!(
        declarations("chan priority a < default, b[1][i+1] < c;"),
        "priority a < default, b[1][(i Add 1)] < c;"
    );
    assert_eq!(
        declarations("before_update { x = 1, y++ } after_update { f() }"),
        "before { (x = 1), (y ++) } after { f() }"
    );
    assert_eq!(
        declarations("import \"lib.so\" { int f(int x); g = void h(); }; import \"b\" int k(bool b);"),
        "import \"lib.so\" { int f(int x); void h() } import \"b\" { int k(bool b) }"
    );
    assert_eq!(declarations("dynamic P(int x);"), "dynamic P(int x);");
    assert_eq!(declarations(" /* nothing */ "), "");
}

#[test]
fn parameters() {
    let text = "int a, const id_t &b, chan &c[N], int[0,3] d[2][3], clock &x";
    let (params, found) = run(text, Syntax::New, |p| p.parameters());
    assert!(found.is_empty(), "{found:?}");
    assert_eq!(show_params(&params), "int a, const id_t &b, chan &c[N], int[0,3] d[2][3], clock &x");
    let (params, found) = run("", Syntax::New, |p| p.parameters());
    assert!(params.is_empty() && found.is_empty());
}

#[test]
fn every_statement() {
    let text = "
        int f(int a[3], bool &b) {
            int i, j = a[0];
            typedef int[0,2] t;
            T x = g();
            ;
            i = j + 1;
            A[i] = E[2]--;
            { int k; k++; }
            if (i > 0, b) j = 1; else if (b) j = 2; else { }
            if (a) if (b) i = 1; else i = 2;
            while (i < 3) i++;
            do { i--; } while (i > 0);
            for (i = 0, j = 0; i < 3; i++, j++) a[i] = j;
            for (k : t) { a[k] = 0; }
            for (k : int[0,2]) a[k] = 0;
            assert i == j;
            P.x(3);
            if (b) return 1;
            return i ? 1 : 0;
        }
        void g() { return; }
        void h() { }";
    let expected = "
        int f(int a[3], bool &b) {
            int i, j = a[0];
            typedef int[0,2] t;
            T x = g();
            ;
            (i = (j Add 1));
            (A[i] = (E[2] --));
            { int k; (k ++); }
            if ((i Gt 0), b) (j = 1); else if (b) (j = 2); else {  }
            if (a) if (b) (i = 1); else (i = 2);
            while ((i Lt 3)) (i ++);
            do { (i --); } while ((i Gt 0));
            for ((i = 0), (j = 0); (i Lt 3); (i ++), (j ++)) (a[i] = j);
            for (k : t) { (a[k] = 0); }
            for (k : int[0,2]) (a[k] = 0);
            assert (i Eq j);
            P.x(3);
            if (b) return 1;
            return (i ? 1 : 0);
        }
        void g() { return; }
        void h() {  }";
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(words(&declarations(text)), words(expected));
}

#[test]
fn long_chains_of_branches() {
    let text = format!("void f() {{ if (x) y = 0; {} else y = 1; }}", "else if (x) y = 0; ".repeat(400));
    assert_eq!(declarations(&text).matches("else").count(), 401);
}

#[test]
fn late_keywords_are_names_where_declared() {
    let text = "chan exit; int abs(int x) { return x < 0 ? -x : x; } int y = abs(1) + floor(2);
        void f(int floor) { int round = floor(3); } int z = floor(1) + round(2);
        struct { int location; } s; int w = s.location;
        typedef int string; string t;";
    let (items, found) = run(text, Syntax::New, |p| p.declarations());
    assert!(found.iter().all(|d| d.code == "keyword-as-name"), "{found:?}");
    let warned: Vec<_> = found.iter().map(|d| &text[d.span.start as usize..d.span.end as usize]).collect();
    assert_eq!(warned, ["exit", "abs", "floor", "round", "location", "string"]);
    let shown: Vec<String> = items.iter().map(show_decl).collect();
    assert_eq!(shown[2], "int y = (abs(1) Add #floor(2));");
    assert_eq!(shown[3], "void f(int floor) { int round = floor(3); }");
    assert_eq!(shown[4], "int z = (#floor(1) Add #round(2));");
    assert_eq!(shown[6], "int w = s.location;");
    let Decl::Variables(last) = &items[8] else { panic!("{:?}", items[8]) };
    assert!(matches!(&last.ty.base, dwell_syntax::uppaal::tree::TypeBase::Named(name) if name == "string"));
}

#[test]
fn keywords_cannot_be_names_and_others_warn() {
    let text = "int for; int deadlock, Pr, A, sup; chan switch; clock init;";
    let (_, found) = run(text, Syntax::New, |p| p.declarations());
    let found: Vec<_> =
        found.iter().map(|d| (d.code, &text[d.span.start as usize..d.span.end as usize])).collect();
    assert_eq!(
        found,
        [
            ("keyword-as-name", "for"),
            ("query-keyword", "deadlock"),
            ("query-keyword", "Pr"),
            ("reserved-word", "switch"),
            ("keyword-as-name", "init"),
        ]
    );
    // Queries never see what a function declares.
    assert_eq!(declarations("void f(int deadlock) { int X; }"), "void f(int deadlock) { int X; }");
    let text = format!("int {};", "a".repeat(5000));
    let (_, found) = run(&text, Syntax::New, |p| p.declarations());
    assert_eq!(errors(&text, &found)[0].0, "name-too-long");
}

#[test]
fn deep_declarations_are_refused() {
    for (first, open, close) in [
        ("", "struct { ", " x; }"),
        ("int a[", "sum (i : int[0, ", "]) 1"),
        ("int a = ", "{ ", " }"),
        ("void f() {", "{ ", " }"),
        ("void f() {", "if (x) ", ""),
        ("void f() {", "if (x) ; else ", ""),
        ("void f() {", "do ", " while (x);"),
        ("void f() {", "for (i : T) ", ""),
    ] {
        let text = format!("{first}{}x{}", open.repeat(50_000), close.repeat(50_000));
        let (_, found) = run(&text, Syntax::New, |p| p.declarations());
        assert!(found.iter().any(|d| d.code == "too-deep"), "{open}: {found:?}");
        assert!(found.len() <= 101);
    }
}

#[test]
fn old_syntax() {
    let text =
        "const N 5, M -1, L := 3; const K N; const A[2] { 1, 2 }; int[0,N] x := 0; const int J = 2; clock c;
        P := Q(1, x);  chan sum, select;  int y := sum;";
    let (items, found) = run(text, Syntax::Old, |p| p.declarations());
    assert_eq!(errors(text, &found), []);
    let shown: Vec<String> = items.iter().map(show_decl).collect();
    assert_eq!(shown[0], "const int N = 5, M = (Neg 1), L = 3;");
    assert_eq!(shown[1], "const int K = N;");
    assert_eq!(shown[2], "const int A[2] = {1, 2};");
    assert_eq!(shown[3], "int[0,N] x = 0;");
    assert_eq!(shown[4], "const int J = 2;");
    assert_eq!(shown[6], "P() = Q(1, x);");
    assert_eq!(shown[8], "int y = sum;");
    let (params, found) =
        run("const a, b; int[0,1] x, y[2]; chan c; const int d", Syntax::Old, |p| p.parameters());
    assert!(found.is_empty(), "{found:?}");
    assert_eq!(
        show_params(&params),
        "const int a, const int b, int[0,1] &x, int[0,1] &y[2], chan &c, const int d"
    );
    let (guard, found) = run("x =< 5, y => 3, a || b", Syntax::Old, |p| p.guard());
    assert!(found.is_empty(), "{found:?}");
    assert_eq!(uppaal_show::show(&guard.unwrap()), "(((x Le 5) And (y Ge 3)) And (a Or b))");
}

#[test]
fn old_syntax_is_explained() {
    let (_, found) = run("const N 5;", Syntax::New, |p| p.declarations());
    assert_eq!(errors("const N 5;", &found), [("old-syntax", "const")]);
    let (_, found) = run("x =< 5, y => 3, z", Syntax::New, |p| p.guard());
    assert_eq!(
        errors("x =< 5, y => 3, z", &found),
        [("old-syntax", "=<"), ("old-syntax", ","), ("old-syntax", "=>")]
    );
    let text = "int x; const y";
    let (params, found) = run(text, Syntax::New, |p| p.parameters());
    assert_eq!(errors(text, &found), [("old-syntax", ";"), ("old-syntax", "const")]);
    assert_eq!(show_params(&params), "int x, const int y");
    assert!(found.iter().all(|d| d.help.as_ref().is_some_and(|help| help.contains("old syntax"))));
}
