//! The syntax tree of UPPAAL's language, for XML, XTA and TA files alike.
//!
//! Every span is a byte range of the file, also inside XML where the text had
//! to be decoded. What was not understood is [`ExprKind::Error`] (or is left
//! out of a list), and a diagnostic says so. Names are not resolved: whether
//! `a[T]` has a size or an index type is for the type checker to say.

use crate::{Diagnostic, Span};

/// A name where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    /// The name.
    pub name: String,
    /// Where.
    pub span: Span,
}

/// A whole model.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// The grammar the texts were read with.
    pub syntax: Syntax,
    /// The global declarations.
    pub declarations: Block,
    /// The templates, in file order.
    pub templates: Vec<Template>,
    /// The system section: its declarations, the processes, and the rest.
    pub system: System,
    /// Queries that came with the model.
    pub queries: Vec<QueryItem>,
    /// Options that came with the queries, `--search-order` and such.
    pub options: Vec<(String, String)>,
    /// What the file holds besides, kept for writing it again.
    pub extra: Vec<Extra>,
    /// The texts of an XML file: where each one lies, with its XPath, in
    /// file order. Empty for other files.
    pub paths: Vec<TextPath>,
}

/// Which grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Syntax {
    /// UPPAAL 4 and 5.
    #[default]
    New,
    /// UPPAAL 3: `const N 5;`, `=<`, commas in guards.
    Old,
}

/// The place of one text of an XML file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextPath {
    /// The element's content in the file.
    pub span: Span,
    /// `/nta/template[2]/transition[3]/label[1]`.
    pub path: String,
}

/// Declarations together with the text they were read from.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// What is declared, in order.
    pub items: Vec<Decl>,
    /// The text, decoded, comments included; empty where the block was not
    /// one piece of text (XTA, TA, built in code).
    pub text: String,
    /// Where.
    pub span: Span,
}

/// A declaration.
#[derive(Clone, Debug)]
pub enum Decl {
    /// `int a = 1, b[3];`
    Variables(Variables),
    /// `typedef int[0,3] id_t;`
    Typedef(Typedef),
    /// A function.
    Function(Function),
    /// `P1 = P(1);` or `Q(int[0,3] i) = P(i, 2);`
    Instantiation(Instantiation),
    /// `chan priority a < default < b, c[1];`
    ChannelPriority(ChannelPriority),
    /// `before_update { … }`
    BeforeUpdate(Vec<Expr>, Span),
    /// `after_update { … }`
    AfterUpdate(Vec<Expr>, Span),
    /// `import "lib.so" { … };`: functions written elsewhere.
    Import(Import),
    /// `dynamic P(int x);`
    Dynamic(Ident, Vec<Param>, Span),
}

/// Variables of one declaration.
#[derive(Clone, Debug)]
pub struct Variables {
    /// Their common type.
    pub ty: Type,
    /// The names with their array dimensions and initial values.
    pub names: Vec<(Declarator, Option<Initialiser>)>,
    /// The whole declaration.
    pub span: Span,
}

/// New names for a type.
#[derive(Clone, Debug)]
pub struct Typedef {
    /// The type.
    pub ty: Type,
    /// The names.
    pub names: Vec<Declarator>,
    /// The whole declaration.
    pub span: Span,
}

/// A declared name: `a[3][id_t]`.
#[derive(Clone, Debug)]
pub struct Declarator {
    /// The name.
    pub name: Ident,
    /// The dimensions after it, outermost first.
    pub dims: Vec<Dim>,
}

/// One array dimension.
#[derive(Clone, Debug)]
pub enum Dim {
    /// `[N]`; also a lone name, which may turn out to be a type.
    Size(Expr),
    /// `[int[5,7]]`, `[scalar[3]]`: certainly a type.
    Index(Type),
}

/// An initial value.
#[derive(Clone, Debug)]
pub enum Initialiser {
    /// A value.
    Expr(Expr),
    /// `{ 1, x: 2, { 3, 4 } }`.
    List(Vec<(Option<Ident>, Initialiser)>, Span),
}

impl Initialiser {
    /// Where.
    pub fn span(&self) -> Span {
        match self {
            Self::Expr(e) => e.span,
            Self::List(_, span) => *span,
        }
    }
}

/// A type as written.
#[derive(Clone, Debug)]
pub struct Type {
    /// What stands before it.
    pub prefix: Prefix,
    /// The type itself.
    pub base: TypeBase,
    /// Where, prefix included.
    pub span: Span,
}

/// What may stand before a type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Prefix {
    pub urgent: bool,
    pub broadcast: bool,
    pub constant: bool,
    pub meta: bool,
    pub hybrid: bool,
}

/// A type without its prefix.
#[derive(Clone, Debug)]
pub enum TypeBase {
    /// A name made by `typedef` (or of the prelude: `int8_t` …).
    Named(String),
    /// `bool`
    Bool,
    /// `int`, or `int[low, high]`.
    Int(Option<Box<(Expr, Expr)>>),
    /// `double`
    Double,
    /// `string`
    String,
    /// `chan`
    Chan,
    /// `scalar[n]`
    Scalar(Box<Expr>),
    /// `struct { … }`
    Struct(Vec<Field>),
    /// `clock`
    Clock,
    /// `void`
    Void,
    /// Not understood; an error was reported.
    Error,
}

/// Fields of one type.
#[derive(Clone, Debug)]
pub struct Field {
    /// Their type.
    pub ty: Type,
    /// The names.
    pub names: Vec<Declarator>,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// What it returns.
    pub result: Type,
    /// Its name.
    pub name: Ident,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its body.
    pub body: Body,
    /// All of it.
    pub span: Span,
}

/// A parameter of a function or template.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its type.
    pub ty: Type,
    /// `&`; in the old syntax whatever is not `const`.
    pub reference: bool,
    /// Its name.
    pub name: Ident,
    /// Its dimensions.
    pub dims: Vec<Dim>,
    /// All of it.
    pub span: Span,
}

/// `{ declarations statements }`
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// Variables and types.
    pub items: Vec<Decl>,
    /// Then statements.
    pub stmts: Vec<Stmt>,
    /// With the braces.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Which.
    pub kind: StmtKind,
    /// Where.
    pub span: Span,
}

/// The kinds of statements. A list of expressions is a comma expression: all
/// are evaluated, the last one counts.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `{ … }`
    Block(Body),
    /// `;`
    Empty,
    /// `e;`
    Expr(Expr),
    /// `assert e;`
    Assert(Expr),
    /// `for (init; test; step) body`
    For(Vec<Expr>, Vec<Expr>, Vec<Expr>, Box<Stmt>),
    /// `for (i : T) body`
    ForEach(Ident, Type, Box<Stmt>),
    /// `while (test) body`
    While(Vec<Expr>, Box<Stmt>),
    /// `do body while (test);`
    DoWhile(Box<Stmt>, Vec<Expr>),
    /// `if (test) then else otherwise`
    If(Vec<Expr>, Box<Stmt>, Option<Box<Stmt>>),
    /// `return e;`
    Return(Option<Expr>),
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Which.
    pub kind: ExprKind,
    /// Where.
    pub span: Span,
}

impl Expr {
    /// Whether `is` holds for the expression or for one inside it, from left to
    /// right. Types that quantifiers range over are not looked into. A list
    /// instead of recursion: chains of operators can be long.
    pub fn any<'t>(&'t self, is: &mut dyn FnMut(&'t Expr) -> bool) -> bool {
        let mut list = vec![self];
        while let Some(e) = list.pop() {
            if is(e) {
                return true;
            }
            e.push_operands(&mut list);
        }
        false
    }

    /// Pushes the direct operands, the last one first.
    fn push_operands<'t>(&'t self, list: &mut Vec<&'t Expr>) {
        match &self.kind {
            ExprKind::Int(_)
            | ExprKind::Double(_)
            | ExprKind::String(_)
            | ExprKind::Bool(_)
            | ExprKind::Name(_)
            | ExprKind::Deadlock
            | ExprKind::Unsupported(_)
            | ExprKind::Error => {}
            ExprKind::Field(a, _)
            | ExprKind::Location(a)
            | ExprKind::Rate(a)
            | ExprKind::Unary(_, a)
            | ExprKind::Step { place: a, .. }
            | ExprKind::Quantified(_, _, _, a) => list.push(a),
            ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) | ExprKind::Assign(_, a, b) => {
                list.extend([&**b, &**a]);
            }
            ExprKind::Conditional(a, b, c) => list.extend([&**c, &**b, &**a]),
            ExprKind::Call(f, args) => {
                list.extend(args.iter().rev());
                list.push(f);
            }
            ExprKind::Builtin(_, args) => list.extend(args.iter().rev()),
        }
    }
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A natural number, or `-2147483648`.
    Int(i32),
    /// A floating-point number, as written.
    Double(f64),
    /// A string without its quotes, escapes resolved.
    String(String),
    /// `true`, `false`
    Bool(bool),
    /// A name.
    Name(String),
    /// `a[i]`
    Index(Box<Expr>, Box<Expr>),
    /// `a.f`
    Field(Box<Expr>, Ident),
    /// `P.location`
    Location(Box<Expr>),
    /// `x'`
    Rate(Box<Expr>),
    /// `f(a, b)`, or a process of a set in a query.
    Call(Box<Expr>, Vec<Expr>),
    /// A mathematical function: `abs(x)`, `fmod(x, y)`.
    Builtin(Ident, Vec<Expr>),
    /// `-e`, `+e`, `!e`
    Unary(UnaryOp, Box<Expr>),
    /// `++e`, `e--` …
    Step {
        /// Before the operand.
        prefix: bool,
        /// `++` rather than `--`.
        up: bool,
        /// What is changed.
        place: Box<Expr>,
    },
    /// `l op r`
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `l = r`, or `l op= r`
    Assign(Option<BinaryOp>, Box<Expr>, Box<Expr>),
    /// `c ? t : e`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `forall (i : T) e`
    Quantified(Quantifier, Ident, Box<Type>, Box<Expr>),
    /// `deadlock`, in queries.
    Deadlock,
    /// Recognised, not supported: `spawn P(1)`, `numOf(P)` …; what it is
    /// called.
    Unsupported(&'static str),
    /// Not understood; an error was reported.
    Error,
}

/// Unary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum UnaryOp {
    Neg,
    Plus,
    Not,
}

/// Binary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Pow,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
    Min,
    Max,
    Lt,
    Le,
    Ge,
    Gt,
    Eq,
    Ne,
    And,
    Or,
    Xor,
    Imply,
}

/// Quantifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Quantifier {
    Forall,
    Exists,
    Sum,
}

/// `P1 = P(1);`
#[derive(Clone, Debug)]
pub struct Instantiation {
    /// The new name.
    pub name: Ident,
    /// New parameters, for a partial instantiation.
    pub params: Vec<Param>,
    /// The template.
    pub template: Ident,
    /// Its arguments.
    pub args: Vec<Expr>,
    /// All of it.
    pub span: Span,
}

/// `chan priority a < b, c;`: levels from low to high.
#[derive(Clone, Debug)]
pub struct ChannelPriority {
    /// Levels from low to high.
    pub levels: Vec<Vec<PriorityItem>>,
    /// All of it.
    pub span: Span,
}

/// One entry of a channel priority.
#[derive(Clone, Debug)]
pub enum PriorityItem {
    /// Everything not listed.
    Default(Span),
    /// A channel, an element of an array, or all elements.
    Channel(Expr),
}

/// Functions from a library, recognised and refused where called.
#[derive(Clone, Debug)]
pub struct Import {
    /// The library.
    pub library: String,
    /// Result type, name and parameters.
    pub functions: Vec<(Type, Ident, Vec<Param>)>,
    /// All of it.
    pub span: Span,
}

/// A template.
#[derive(Clone, Debug)]
pub struct Template {
    /// Its name.
    pub name: Ident,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its local declarations.
    pub declarations: Block,
    /// Its locations.
    pub locations: Vec<Location>,
    /// Its branch points.
    pub branchpoints: Vec<Branchpoint>,
    /// The id of the location where it starts.
    pub init: Option<Ident>,
    /// Its edges.
    pub edges: Vec<Edge>,
    /// Positions and such.
    pub extra: Vec<Extra>,
    /// The name's element, or the whole process.
    pub span: Span,
}

/// A location.
#[derive(Clone, Debug)]
pub struct Location {
    /// What edges refer to: the XML id, or the name.
    pub id: String,
    /// Its name; without one it is called `_` and its id.
    pub name: Option<Ident>,
    /// Its invariant.
    pub invariant: Option<Expr>,
    /// Its exponential rate: `e`, or `e1 : e2`.
    pub rate: Option<(Expr, Option<Expr>)>,
    /// No time passes.
    pub urgent: bool,
    /// No time passes and someone must leave.
    pub committed: bool,
    /// Positions and such.
    pub extra: Vec<Extra>,
    /// Where.
    pub span: Span,
}

/// A branch point.
#[derive(Clone, Debug)]
pub struct Branchpoint {
    /// What edges refer to.
    pub id: Ident,
    /// Positions and such.
    pub extra: Vec<Extra>,
}

/// An edge.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The id of a location or branch point.
    pub source: Ident,
    /// The id of a location or branch point.
    pub target: Ident,
    /// False for the environment's edges of a game.
    pub controllable: bool,
    /// `i : T, j : U`
    pub select: Vec<Select>,
    /// Its guard.
    pub guard: Option<Expr>,
    /// Its synchronisation.
    pub sync: Option<SyncLabel>,
    /// Its update, in order.
    pub update: Vec<Expr>,
    /// Its weight.
    pub probability: Option<Expr>,
    /// Positions and such.
    pub extra: Vec<Extra>,
    /// Where.
    pub span: Span,
}

/// One select variable.
#[derive(Clone, Debug)]
pub struct Select {
    /// Its name.
    pub name: Ident,
    /// What it ranges over.
    pub ty: Type,
}

/// `c!`, `c?` or `c`.
#[derive(Clone, Debug)]
pub struct SyncLabel {
    /// The channel.
    pub channel: Expr,
    /// The direction.
    pub direction: Direction,
    /// All of it.
    pub span: Span,
}

/// Who starts a synchronisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Direction {
    Send,
    Receive,
    /// Neither: as in CSP.
    Csp,
}

/// The system section.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// Declarations that only the system section sees; the `<instantiation>`
    /// element's come first. Instantiations are always here.
    pub declarations: Block,
    /// The processes on the `system` line, by priority from low to high; one
    /// level without `<`. Empty when there is no such line.
    pub levels: Vec<Vec<Ident>>,
    /// `progress { guard : measure; }`
    pub progress: Vec<(Option<Expr>, Expr)>,
    /// `gantt { … }`, as text.
    pub gantt: Option<String>,
    /// The `system` line, or the whole section where there is none.
    pub span: Span,
}

/// A query with what stood around it.
#[derive(Clone, Debug)]
pub struct QueryItem {
    /// Its text, on one line, comments left out.
    pub text: String,
    /// The query; `None` when it was not understood.
    pub query: Option<Query>,
    /// What its author says about it.
    pub comment: Option<String>,
    /// What its author expects.
    pub expect: Option<Expectation>,
    /// Options for this query.
    pub options: Vec<(String, String)>,
    /// Other elements (`result` …), kept for writing the file again.
    pub extra: Vec<Extra>,
    /// What is wrong with the query. Kept here and not with the model's
    /// findings: a bad query does not spoil the model.
    pub diagnostics: Vec<Diagnostic>,
    /// Where.
    pub span: Span,
}

/// What a query's author expects.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// The outcome, if given.
    pub outcome: Option<Outcome>,
    /// The value, if given.
    pub value: Option<String>,
    /// Time and memory and such, as written.
    pub resources: Vec<String>,
}

/// An expected outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Outcome {
    Satisfied,
    NotSatisfied,
    MaybeSatisfied,
    MaybeNotSatisfied,
    Error,
}

/// A query.
#[derive(Clone, Debug)]
pub struct Query {
    /// Which.
    pub kind: QueryKind,
    /// Where.
    pub span: Span,
}

/// The kinds of queries.
#[derive(Clone, Debug)]
pub enum QueryKind {
    /// `E<> p`
    Possibly(Expr),
    /// `A[] p`
    Invariantly(Expr),
    /// `E[] p`
    PotentiallyAlways(Expr),
    /// `A<> p`
    Eventually(Expr),
    /// `p --> q`
    LeadsTo(Expr, Expr),
    /// `A[p U q]`
    Until(Expr, Expr),
    /// `A[p W q]`
    WeakUntil(Expr, Expr),
    /// `sup{p}: e, f`, `inf…`, `bounds…`
    Extremum(Extremum, Option<Expr>, Vec<Expr>),
    /// Recognised, not supported; what it is called: "a statistical query".
    Unsupported(&'static str),
}

/// Which extreme values are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Extremum {
    Sup,
    Inf,
    Bounds,
}

/// Something of an XML file that has no meaning for us.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extra {
    /// An attribute of the element itself: `x`, `y`, `color`, `action`.
    Attribute(String, String),
    /// An attribute of a child that was understood: child (`name`,
    /// `parameter`, `source`, or `label:guard` by its kind), attribute, value.
    ChildAttribute(String, String, String),
    /// A whole child element as written (`nail`, `label` of an unknown kind
    /// such as `comments`, `lsc`, `imports`, `result`), in file order. Also a
    /// label that holds something unsupported, which the tree cannot spell;
    /// and an empty query, kept with the query after it or, if it is the
    /// last, with the document.
    Element(String),
    /// A comment between the elements, with its markers.
    Comment(String),
}
