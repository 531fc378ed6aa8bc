//! The syntax tree.

use crate::Span;

/// A parsed file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// The declarations that were understood, in order.
    pub declarations: Vec<Declaration>,
    /// Keywords of the declarations that were not understood; `None` where
    /// even the keyword was not. What these would have declared is unknown,
    /// so complaints about missing names would only repeat the error.
    pub broken: Vec<Option<Keyword>>,
    /// The end of the text, for complaints about what is missing.
    pub end: Span,
}

/// The first word of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Keyword {
    System,
    Process,
    Event,
    Clock,
    Int,
    Location,
    Edge,
    Sync,
}

impl Keyword {
    /// All of them.
    pub const ALL: [Keyword; 8] = [
        Keyword::System,
        Keyword::Process,
        Keyword::Event,
        Keyword::Clock,
        Keyword::Int,
        Keyword::Location,
        Keyword::Edge,
        Keyword::Sync,
    ];

    /// As it is written.
    pub fn text(self) -> &'static str {
        match self {
            Keyword::System => "system",
            Keyword::Process => "process",
            Keyword::Event => "event",
            Keyword::Clock => "clock",
            Keyword::Int => "int",
            Keyword::Location => "location",
            Keyword::Edge => "edge",
            Keyword::Sync => "sync",
        }
    }

    /// The keyword that is written so.
    pub fn from_text(text: &str) -> Option<Keyword> {
        Keyword::ALL.into_iter().find(|k| k.text() == text)
    }

    /// How a declaration with it looks.
    pub fn form(self) -> &'static str {
        match self {
            Keyword::System => "system:NAME",
            Keyword::Process => "process:NAME",
            Keyword::Event => "event:NAME",
            Keyword::Clock => "clock:SIZE:NAME",
            Keyword::Int => "int:SIZE:MIN:MAX:INIT:NAME",
            Keyword::Location => "location:PROCESS:NAME{ATTRIBUTES}",
            Keyword::Edge => "edge:PROCESS:SOURCE:TARGET:EVENT{ATTRIBUTES}",
            Keyword::Sync => "sync:PROCESS@EVENT:PROCESS@EVENT?",
        }
    }
}

/// A name where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// An integer where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Integer {
    /// Its value.
    pub value: i32,
    /// Where it stands, with its sign.
    pub span: Span,
}

/// One declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// What is declared.
    pub kind: DeclarationKind,
    /// What is said about it.
    pub attributes: Vec<Attribute>,
    /// From the keyword to the last field or the closing brace.
    pub span: Span,
}

/// What a declaration declares.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum DeclarationKind {
    System { name: Name },
    Process { name: Name },
    Event { name: Name },
    Clock { size: Integer, name: Name },
    Int { size: Integer, min: Integer, max: Integer, init: Integer, name: Name },
    Location { process: Name, name: Name },
    Edge { process: Name, source: Name, target: Name, event: Name },
    Sync { members: Vec<SyncMember> },
}

/// `process@event` or `process@event?`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyncMember {
    /// Who.
    pub process: Name,
    /// With which event.
    pub event: Name,
    /// The question mark of a weak member.
    pub weak: Option<Span>,
}

/// `key: value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// The key.
    pub key: Name,
    /// The value, without the blanks around it.
    pub value_span: Span,
    /// What it means.
    pub kind: AttributeKind,
}

/// What an attribute means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttributeKind {
    /// `initial:` of a location.
    Initial,
    /// `urgent:` of a location.
    Urgent,
    /// `committed:` of a location.
    Committed,
    /// `labels: a,b` of a location.
    Labels(Vec<Name>),
    /// `invariant: e` of a location.
    Invariant(Expr),
    /// `provided: e` of an edge.
    Provided(Expr),
    /// `do: s` of an edge.
    Do(Vec<Stmt>),
    /// A key that means nothing here; reported as a warning.
    Unknown,
    /// A known key whose value has a syntax error.
    Broken,
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands, with its parentheses.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ExprKind {
    Int(i32),
    Name(String),
    /// `array[index]`.
    Index(Name, Box<Expr>),
    /// `(e)`.
    Paren(Box<Expr>),
    /// `-e`.
    Neg(Box<Expr>),
    /// `!e`.
    Not(Box<Expr>),
    Arithmetic(ArithmeticOp, Box<Expr>, Box<Expr>),
    /// `a < b` or a chain `a < b <= c`: at least one comparison; more than
    /// one only with `<` and `<=`.
    Compare(Box<Expr>, Vec<Comparison>),
    /// `a && b && …`, at least two.
    And(Vec<Expr>),
    /// `(if condition then value else value)`.
    IfThenElse(Box<Expr>, Box<Expr>, Box<Expr>),
}

/// `< right`, one link of a chain of comparisons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// How.
    pub op: CompareOp,
    /// Where the operator stands.
    pub op_span: Span,
    /// With what.
    pub right: Expr,
}

/// Operators between integers that yield an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum ArithmeticOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
}

/// Operators that compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum CompareOp {
    Eq,
    Ne,
    Lt,
    Le,
    Ge,
    Gt,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where it stands, without `;`.
    pub span: Span,
}

/// The kinds of statements.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum StmtKind {
    Nop,
    /// `target[index] = value`, the index for elements only.
    Assign {
        target: Name,
        index: Option<Expr>,
        value: Expr,
    },
    If {
        condition: Expr,
        then: Vec<Stmt>,
        otherwise: Vec<Stmt>,
    },
    While {
        condition: Expr,
        body: Vec<Stmt>,
    },
    /// `local name` or `local name = init`.
    Local {
        name: Name,
        init: Option<Expr>,
    },
    /// `local name[size]`.
    LocalArray {
        name: Name,
        size: Expr,
    },
}
