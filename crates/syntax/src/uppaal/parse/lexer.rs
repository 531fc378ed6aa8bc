//! Tokens.
//!
//! One table for all texts: white space matters only in files of queries,
//! which ask for line ends and comments too. Tokens cover the text in order,
//! never overlap, lie on character boundaries, and end with one [`Kind::End`].

use crate::source::BYTE_ORDER_MARK;
use logos::{Lexer, Logos};

/// One token: byte offsets into the decoded text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub kind: Kind,
    pub start: u32,
    pub end: u32,
}

/// The kinds of tokens.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\x0b\x0c]+")]
#[logos(skip r"\\[ \t]*\r?\n")]
pub(crate) enum Kind {
    #[token("\n")]
    Newline,
    #[regex("//[^\n]*", allow_greedy = true)]
    LineComment,
    #[token("/*", block_comment)]
    BlockComment,
    UnclosedComment,

    #[regex("[A-Za-z_][A-Za-z0-9_$#]*")]
    Word,
    #[regex("[0-9]+", priority = 3)]
    Int,
    #[regex(r"[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")]
    Float,
    #[regex(r#""([^"\\\n]|\\[^\n])*""#)]
    String,
    #[regex(r#""([^"\\\n]|\\[^\n])*"#, priority = 1)]
    UnclosedString,

    #[token(".")]
    Dot,
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token(":")]
    Colon,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token("(")]
    OpenParen,
    #[token(")")]
    CloseParen,
    #[token("?")]
    Question,
    #[token("'")]
    Apostrophe,
    #[token("#")]
    Hash,
    #[token("\\")]
    Backslash,
    #[token("->")]
    Arrow,
    #[token("-u->")]
    UncontrollableArrow,
    /// `p --> q`; in a model it is `p-- > q`.
    #[token("-->")]
    LeadsTo,
    #[token("<>")]
    Diamond,

    #[token("=")]
    #[token(":=")]
    Assign,
    #[token("+=")]
    AddAssign,
    #[token("-=")]
    SubAssign,
    #[token("*=")]
    MulAssign,
    #[token("/=")]
    DivAssign,
    #[token("%=")]
    RemAssign,
    #[token("&=")]
    AndAssign,
    #[token("|=")]
    OrAssign,
    #[token("^=")]
    XorAssign,
    #[token("<<=")]
    ShlAssign,
    #[token(">>=")]
    ShrAssign,

    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("**")]
    StarStar,
    #[token("&")]
    Ampersand,
    #[token("|")]
    Pipe,
    #[token("^")]
    Caret,
    #[token("<<")]
    Shl,
    #[token(">>")]
    Shr,
    #[token("<?")]
    Min,
    #[token(">?")]
    Max,
    #[token("<")]
    Less,
    #[token("<=")]
    LessEqual,
    #[token(">=")]
    GreaterEqual,
    #[token(">")]
    Greater,
    /// `<=` in the old syntax.
    #[token("=<")]
    OldLessEqual,
    /// `>=` in the old syntax.
    #[token("=>")]
    OldGreaterEqual,
    #[token("==")]
    EqualEqual,
    #[token("!=")]
    NotEqual,
    #[token("&&")]
    #[token("and")]
    And,
    #[token("||")]
    #[token("or")]
    Or,
    #[token("xor")]
    Xor,
    #[token("imply")]
    Imply,
    /// Conjunction in a logic of the statistical engine.
    #[token("/\\")]
    Wedge,
    /// Disjunction there.
    #[token("\\/")]
    Vee,
    #[token("!")]
    Bang,
    #[token("not")]
    Not,
    #[token("++")]
    PlusPlus,
    #[token("--")]
    MinusMinus,

    #[token("true")]
    True,
    #[token("false")]
    False,
    #[token("forall")]
    Forall,
    #[token("exists")]
    Exists,
    #[token("sum")]
    Sum,

    #[token("const")]
    Const,
    #[token("urgent")]
    Urgent,
    #[token("broadcast")]
    Broadcast,
    #[token("meta")]
    Meta,
    #[token("bool")]
    Bool,
    #[token("int")]
    IntType,
    #[token("chan")]
    Chan,
    #[token("clock")]
    Clock,
    #[token("void")]
    Void,
    #[token("scalar")]
    Scalar,
    #[token("struct")]
    Struct,
    #[token("typedef")]
    Typedef,
    #[token("priority")]
    Priority,
    #[token("default")]
    Default,
    #[token("before_update")]
    BeforeUpdate,
    #[token("after_update")]
    AfterUpdate,

    #[token("for")]
    For,
    #[token("while")]
    While,
    #[token("do")]
    Do,
    #[token("if")]
    If,
    #[token("else")]
    Else,
    #[token("return")]
    Return,
    #[token("assert")]
    Assert,

    #[token("process")]
    Process,
    #[token("state")]
    State,
    #[token("branchpoint")]
    Branchpoint,
    #[token("commit")]
    Commit,
    #[token("init")]
    Init,
    #[token("trans")]
    Trans,
    #[token("select")]
    Select,
    #[token("guard")]
    Guard,
    #[token("sync")]
    Sync,
    #[token("assign")]
    AssignLabel,
    #[token("probability")]
    Probability,
    #[token("system")]
    System,
    #[token("progress")]
    Progress,
    #[token("gantt")]
    Gantt,

    /// A character that starts no token.
    Unknown,
    End,
}

/// Moves past the end of the comment; false when there is none.
fn block_comment(lexer: &mut Lexer<'_, Kind>) -> bool {
    let length = lexer.remainder().find("*/");
    lexer.bump(length.map_or(lexer.remainder().len(), |n| n + 2));
    length.is_some()
}

/// Which of the tokens that mean nothing in a model are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    /// None.
    Code,
    /// Line ends and comments.
    All,
}

/// All tokens of a text.
pub(crate) fn lex(text: &str, keep: Keep) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(text.len() / 3 + 1);
    for (kind, range) in Kind::lexer(text).spanned() {
        let mut end = range.end;
        let kind = match kind {
            Ok(Kind::Newline | Kind::LineComment | Kind::BlockComment) if keep == Keep::Code => continue,
            Ok(kind) => kind,
            Err(()) if text[range.start..].starts_with("/*") => Kind::UnclosedComment,
            // Editors on Windows put it there.
            Err(()) if range.start == 0 && text.starts_with(BYTE_ORDER_MARK) => continue,
            Err(()) => {
                end = end.max(range.start + 1);
                while !text.is_char_boundary(end) {
                    end += 1;
                }
                Kind::Unknown
            }
        };
        tokens.push(Token { kind, start: range.start as u32, end: end as u32 });
    }
    let end = text.len() as u32;
    tokens.push(Token { kind: Kind::End, start: end, end });
    tokens
}

impl Kind {
    /// A keyword that UPPAAL 3 did not have and that queries do not have.
    pub fn is_model_keyword(self) -> bool {
        use Kind::*;
        matches!(
            self,
            Select | Xor | For | While | Do | If | Else | Default | Return | Typedef | Struct | Meta
        ) || matches!(self, BeforeUpdate | AfterUpdate | Progress | Gantt | Assert)
    }

    /// A keyword that UPPAAL 3 did not have.
    pub fn is_new_keyword(self) -> bool {
        self.is_model_keyword() || matches!(self, Kind::Forall | Kind::Exists | Kind::Sum)
    }

    /// A keyword that starts a type; names do so too.
    pub fn starts_type(self) -> bool {
        use Kind::*;
        matches!(
            self,
            Const | Urgent | Broadcast | Meta | Bool | IntType | Chan | Clock | Void | Scalar | Struct
        )
    }

    /// A keyword that can only stand at the start of a declaration or statement.
    pub fn starts_item(self) -> bool {
        use Kind::*;
        self.starts_type()
            || matches!(self, Typedef | BeforeUpdate | AfterUpdate | Process | System | Progress | Gantt)
            || matches!(self, State | Branchpoint | Commit | Init | Trans)
            || matches!(self, Select | Guard | Sync | AssignLabel | Probability)
            || matches!(self, For | While | Do | If | Return | Assert)
    }

    /// Is this the end of some operand, so that no other can follow?
    pub fn ends_operand(self) -> bool {
        use Kind::*;
        matches!(
            self,
            Word | Int | Float | String | CloseParen | CloseBracket | Apostrophe | True | False | PlusPlus
        ) || self == MinusMinus
    }
}
