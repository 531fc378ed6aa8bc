//! What each construct becomes.

use dwell_model::expr::{BinaryOp, ClockConstraint, ClockRef, Expr, Guard, Place, Relation, Stmt};
use dwell_model::tchecker::load;
use dwell_model::{
    ClockId, EventId, LabelId, LocationId, LocationKind, Network, OutOfRange, ProcessId, Span, Strength,
    Sync, VarId,
};

fn network(text: &str) -> Network {
    let (network, diagnostics) = load(text);
    network.unwrap_or_else(|| panic!("{diagnostics:?}"))
}

const HEAD: &str = "system:s\nprocess:P\nevent:a\nclock:1:x\nclock:3:y\nint:1:0:10:2:i\nint:4:-5:5:-1:v\n\
    location:P:l{initial:}\n";

/// Spans are checked elsewhere.
const NOWHERE: Span = Span { start: 0, end: 0 };

fn no_spans(e: Expr) -> Expr {
    let again = |e: Box<Expr>| Box::new(no_spans(*e));
    match e {
        Expr::Element { first, len, index, .. } => {
            Expr::Element { first, len, index: again(index), span: NOWHERE }
        }
        Expr::LocalElement { first, len, index, .. } => {
            Expr::LocalElement { first, len, index: again(index), span: NOWHERE }
        }
        Expr::Neg(e, _) => Expr::Neg(again(e), NOWHERE),
        Expr::Not(e) => Expr::Not(again(e)),
        Expr::Binary(op, a, b, _) => Expr::Binary(op, again(a), again(b), NOWHERE),
        Expr::And(a, b) => Expr::And(again(a), again(b)),
        Expr::IfThenElse(a, b, c) => Expr::IfThenElse(again(a), again(b), again(c)),
        leaf @ (Expr::Const(_) | Expr::Var(_) | Expr::Local(_)) => leaf,
        other => panic!("{other:?} is not of this language"),
    }
}

fn guard(condition: &str) -> Guard {
    let mut network = network(&format!("{HEAD}edge:P:l:l:a{{provided: {condition}}}\n"));
    let guard = network.processes[0].edges.remove(0).guard;
    Guard { discrete: guard.discrete.into_iter().map(no_spans).collect(), ..guard }
}

fn discrete(condition: &str) -> Vec<Expr> {
    let guard = guard(condition);
    assert!(guard.clocks.is_empty());
    guard.discrete
}

fn body(statements: &str) -> (u32, Vec<Stmt>) {
    let mut network = network(&format!("{HEAD}edge:P:l:l:a{{do: {statements}}}\n"));
    let program = network.processes[0].edges.remove(0).update;
    (program.locals, program.body)
}

fn bin(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    Expr::Binary(op, Box::new(a), Box::new(b), NOWHERE)
}

const I: Expr = Expr::Var(VarId(0));

fn int(value: i32) -> Expr {
    Expr::Const(value)
}

/// `x`, `y[0]`, `y[1]` and `y[2]` are clocks 0 to 3.
fn clock(id: u32) -> ClockRef {
    ClockRef::Fixed(ClockId(id))
}

#[test]
fn a_model_with_everything() {
    let text = "\u{feff}  system : everything {}\r
# comment
process:P # another
process:Q
event:a
event:b.c
clock:1:x
clock:2:y
int:1:0:10:3:i
int:2:-7:+7:-1:v
location:P:l{initial: : invariant: x <= 5}
location:P:m{labels: red, green : urgent:}
location:P:n{committed: : urgent: : labels:green : initial:}
location:Q:k{initial:}
edge:P:l:m:a{provided: x >= 2 && i == 3
  : do: x = 0}
edge:P:m:l:b.c
edge:Q:k:k:a
edge:Q:k:k:b.c
sync:Q@b.c?:P@a";
    let network = network(text);
    assert_eq!(network.name, "everything");
    assert_eq!(network.out_of_range, OutOfRange::Error);
    assert_eq!(network.clocks.iter().map(|c| c.name.as_str()).collect::<Vec<_>>(), ["x", "y[0]", "y[1]"]);
    let vars: Vec<_> = network.vars.iter().map(|v| (v.name.as_str(), v.min, v.max, v.init)).collect();
    assert_eq!(vars, [("i", 0, 10, 3), ("v[0]", -7, 7, -1), ("v[1]", -7, 7, -1)]);
    assert_eq!(network.events, ["a", "b.c"]);
    assert_eq!(network.labels, ["red", "green"]);
    assert!(network.channels.is_empty());

    let [p, q] = network.processes.as_slice() else { panic!() };
    assert_eq!((p.name.as_str(), q.name.as_str()), ("P", "Q"));
    assert_eq!(p.initial, [LocationId(0), LocationId(2)]);
    let locations: Vec<_> = p.locations.iter().map(|l| (l.name.as_str(), l.kind, l.labels.clone())).collect();
    assert_eq!(
        locations,
        [
            ("l", LocationKind::Normal, vec![]),
            ("m", LocationKind::Urgent, vec![LabelId(0), LabelId(1)]),
            ("n", LocationKind::Committed, vec![LabelId(1)]),
        ]
    );
    assert_eq!(p.locations[0].invariant.clocks.len(), 1);

    let edges: Vec<_> =
        p.edges.iter().chain(&q.edges).map(|e| (e.source.0, e.target.0, e.event.0, e.sync.clone())).collect();
    assert_eq!(
        edges,
        [
            (0, 1, 0, Sync::Vector),
            (1, 0, 1, Sync::Internal),
            (0, 0, 0, Sync::Internal),
            (0, 0, 1, Sync::Vector)
        ]
    );
    assert_eq!((p.edges[0].guard.discrete.len(), p.edges[0].guard.clocks.len()), (1, 1));
    assert_eq!(p.edges[0].update.body.len(), 1);
    let span = p.edges[0].span;
    assert_eq!(
        &text[span.start as usize..span.end as usize],
        "edge:P:l:m:a{provided: x >= 2 && i == 3\n  : do: x = 0}"
    );

    let members: Vec<_> =
        network.vectors[0].members.iter().map(|m| (m.process, m.event, m.strength)).collect();
    assert_eq!(
        members,
        [(ProcessId(1), EventId(1), Strength::Weak), (ProcessId(0), EventId(0), Strength::Strong)]
    );
}

#[test]
fn integer_expressions() {
    use BinaryOp::*;
    assert_eq!(discrete("i"), [I]);
    assert_eq!(discrete("1"), []);
    assert_eq!(discrete("0"), [int(0)]);
    assert_eq!(discrete("i && 1 && !i"), [I, Expr::Not(Box::new(I))]);
    assert_eq!(discrete("!i == 3"), [Expr::Not(Box::new(bin(Eq, I, int(3))))]);
    assert_eq!(discrete("!!(i)"), [Expr::Not(Box::new(Expr::Not(Box::new(I))))]);
    assert_eq!(
        discrete("(i == 1 && i != 2) && i > 0"),
        [bin(Eq, I, int(1)), bin(Ne, I, int(2)), bin(Gt, I, int(0))]
    );
    assert_eq!(discrete("0 <= i < 5 <= i"), [bin(Le, int(0), I), bin(Lt, I, int(5)), bin(Le, int(5), I)]);
    assert_eq!(
        discrete("i - 1 - i * 2 + 3 < 0"),
        [bin(Lt, bin(Add, bin(Sub, bin(Sub, I, int(1)), bin(Mul, I, int(2))), int(3)), int(0))]
    );
    assert_eq!(
        discrete("-i * 2 == i--1"),
        [bin(Eq, bin(Mul, Expr::Neg(Box::new(I), NOWHERE), int(2)), bin(Sub, I, int(-1)))]
    );
    assert_eq!(discrete("i == -2147483648"), [bin(Eq, I, int(i32::MIN))]);
    assert_eq!(discrete("i == 1 + 2 * 3 - 7 / 2 % 2"), [bin(Eq, I, int(6))]);
    assert_eq!(discrete("i[0] == v[1 + 1]"), [bin(Eq, I, Expr::Var(VarId(3)))]);
    let element = Expr::Element { first: VarId(1), len: 4, index: Box::new(I), span: NOWHERE };
    assert_eq!(discrete("v[i] >= 0"), [bin(Ge, element, int(0))]);
    assert_eq!(
        discrete("(if i && v[0] then 1 else i) == 1"),
        [bin(
            Eq,
            Expr::IfThenElse(
                Box::new(Expr::And(Box::new(I), Box::new(Expr::Var(VarId(1))))),
                Box::new(int(1)),
                Box::new(I)
            ),
            int(1)
        )]
    );
    assert_eq!(discrete("(if 1 < 2 then i else 3) == 1"), [bin(Eq, I, int(1))]);
}

#[test]
fn clock_constraints() {
    use Relation::*;
    let constraints = |text: &str| -> Vec<(ClockRef, Option<ClockRef>, Relation, Expr)> {
        let guard = guard(text);
        assert!(guard.discrete.is_empty());
        let parts = |c: ClockConstraint| (c.left, c.minus, c.relation, c.bound);
        guard.clocks.into_iter().map(parts).collect()
    };
    assert_eq!(constraints("x < 5"), [(clock(0), None, Lt, int(5))]);
    assert_eq!(constraints("5 < (x)"), [(clock(0), None, Gt, int(5))]);
    assert_eq!(constraints("5 >= y[0]"), [(clock(1), None, Le, int(5))]);
    assert_eq!(constraints("x == i"), [(clock(0), None, Eq, I)]);
    assert_eq!(constraints("x - y[2] >= -1"), [(clock(0), Some(clock(3)), Ge, int(-1))]);
    assert_eq!(constraints("3 <= x - y[0]"), [(clock(0), Some(clock(1)), Ge, int(3))]);
    assert_eq!(constraints("x < y[0]"), [(clock(0), Some(clock(1)), Lt, int(0))]);
    assert_eq!(constraints("1 <= x < 5"), [(clock(0), None, Ge, int(1)), (clock(0), None, Lt, int(5))]);
    let [(left, ..)] = constraints("y[i] > 0").try_into().unwrap();
    assert!(matches!(left, ClockRef::Element { first: ClockId(1), len: 3, index: I, .. }));
    // A clock equals itself.
    assert_eq!(constraints("x <= x"), []);
    assert_eq!(discrete("x < x"), [int(0)]);
    assert_eq!(discrete("x - x < i"), [bin(BinaryOp::Lt, int(0), I)]);
}

#[test]
fn statements() {
    assert_eq!(body("nop;"), (0, vec![]));
    let (_, list) = body("x = 3; x = y[0]; x = y[0] + i; y[i] = 2 + x");
    let resets: Vec<_> = list
        .into_iter()
        .map(|s| match s {
            Stmt::Reset { clock, from, value, .. } => (clock, from, value),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(resets[0], (clock(0), None, int(3)));
    assert_eq!(resets[1], (clock(0), Some(clock(1)), int(0)));
    assert_eq!(resets[2], (clock(0), Some(clock(1)), I));
    assert!(
        matches!(&resets[3], (ClockRef::Element { .. }, Some(from), Expr::Const(2)) if *from == clock(0))
    );

    let (locals, list) =
        body("local k; local t[2]; while i < 3 do local k2 = i; t[k2] = k; i = t[1] end; v[3] = 1");
    assert_eq!(locals, 4);
    let [zero, t0, t1, repeat, last] = list.as_slice() else { panic!("{list:?}") };
    for (slot, statement) in [zero, t0, t1].into_iter().enumerate() {
        assert!(
            matches!(statement, Stmt::Assign { place: Place::Local(s), value: Expr::Const(0), .. } if *s == slot as u32)
        );
    }
    let Stmt::While { body: inner, .. } = repeat else { panic!("{repeat:?}") };
    assert!(matches!(&inner[0], Stmt::Assign { place: Place::Local(3), value: I, .. }));
    assert!(matches!(
        &inner[1],
        Stmt::Assign {
            place: Place::LocalElement { first: 1, len: 2, index: Expr::Local(3), .. },
            value: Expr::Local(0),
            ..
        }
    ));
    assert!(matches!(&inner[2], Stmt::Assign { place: Place::Var(VarId(0)), value: Expr::Local(2), .. }));
    assert!(matches!(last, Stmt::Assign { place: Place::Var(VarId(4)), value: Expr::Const(1), .. }));

    let (_, list) = body("if i == 1 then i = 2 else i = 3; x = 0 end");
    assert!(
        matches!(&list[..], [Stmt::If { then, otherwise, .. }] if then.len() == 1 && otherwise.len() == 2)
    );
    let (locals, list) = body("while i < 2 do local q = 1; i = i + q end; local q = 5; i = q");
    assert_eq!((locals, list.len()), (2, 3));
}

#[test]
fn repeated_attributes_are_joined() {
    let network = network(&format!(
        "{HEAD}edge:P:l:l:a{{do: local k = 1 : provided: i == 0 : do: i = k : provided: x < 1}}\n"
    ));
    let edge = &network.processes[0].edges[0];
    assert_eq!((edge.guard.discrete.len(), edge.guard.clocks.len()), (1, 1));
    assert_eq!((edge.update.locals, edge.update.body.len()), (1, 2));
}

#[test]
fn variables_may_be_declared_after_their_use_in_attributes() {
    network(&format!("{HEAD}edge:P:l:l:a{{provided: z == 0 : do: w = 0}}\nint:1:0:1:0:z\nclock:1:w"));
}

#[test]
fn constant_guards_on_weak_events_are_allowed() {
    network(&format!(
        "{HEAD}edge:P:l:l:a{{provided: 1}}\nprocess:Q\nlocation:Q:l{{initial:}}\nsync:Q@a:P@a?"
    ));
}
