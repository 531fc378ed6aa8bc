//! The parser of all texts in UPPAAL's language: declarations, labels, whole
//! files, queries.
//!
//! Recursive descent over a list of tokens, with a table of operators. Which
//! names are types is not known here: at the start of a declaration a name is
//! a type unless it is instantiated, in a function body two names in a row
//! start a declaration, and `a[N]` is left to the type checker.
//!
//! Invariants: U-1 every span lies inside the file, on character boundaries;
//! U-2 no tree is higher than 1000: recursion is at most `MAX_NESTING` deep,
//! with `else if` chains at most `MAX_ABOVE`, and an expression is at most
//! `MAX_HEIGHT` high; U-3 a mistake is reported once and spoils as little as
//! it can; U-4 the time taken is proportional to the length of the text.

mod cursor;
mod declarations;
mod expressions;
pub(super) mod lexer;
mod names;
mod operators;
mod primary;
mod process;
mod query;
mod statements;
mod system;
mod types;
mod words;

use super::Fragment;
use super::tree::{Decl, Expr, Ident, Param, Query, QueryItem, Select, SyncLabel, Syntax, System};
use crate::Diagnostics;
use lexer::{Keep, Kind, Token};
pub(super) use query::one_line;
use words::WordSet;

/// What the texts of one document must know of each other.
///
/// Words that became keywords in UPPAAL 5 (`exit`, `round`, `location` …) are
/// names in a model that declares them. A reader makes one context for each
/// document and hands it to every [`Parser`] in the order: global
/// declarations, templates, system section, queries. What a template declares
/// is known only there: give each template a clone of the context as the
/// global declarations left it.
#[derive(Clone, Debug, Default)]
pub struct Context {
    own: WordSet,
    modern: bool,
}

impl Context {
    /// True when some text used what UPPAAL 3 did not have: type definitions,
    /// functions, selections and such. Such a document is not in the old
    /// syntax even if its texts can be read that way.
    pub fn is_modern(&self) -> bool {
        self.modern
    }
}

/// Says that an error was reported.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reported;

pub(crate) type Parse<T> = Result<T, Reported>;

/// Parses one text. Each method reads the whole text; what follows the thing
/// asked for is an error.
pub struct Parser<'t> {
    fragment: &'t Fragment,
    text: &'t str,
    syntax: Syntax,
    context: &'t mut Context,
    diagnostics: &'t mut Diagnostics,
    tokens: Vec<Token>,
    /// Index of the token at the cursor; never beyond the last, which is the
    /// end.
    at: usize,
    /// Where the token taken last ends, in the decoded text.
    end: u32,
    depth: u32,
    /// Branches of `else if` chains above the cursor.
    branches: u32,
    /// The height of the highest expression finished so far.
    tallest: u32,
    errors: u32,
    /// The token of the last error.
    last_error: Option<usize>,
    /// In a query: `deadlock` and `-->` mean something.
    in_query: bool,
    /// In a function: names declared here cannot be seen by queries.
    in_function: bool,
}

impl<'t> Parser<'t> {
    /// A parser of a text. The tree gets spans of the file the text is from.
    pub fn new(
        fragment: &'t Fragment,
        syntax: Syntax,
        context: &'t mut Context,
        diagnostics: &'t mut Diagnostics,
    ) -> Self {
        let tokens = lexer::lex(fragment.text(), Keep::Code);
        Self::of_tokens(fragment, syntax, context, diagnostics, tokens)
    }

    /// A parser of some tokens of a text, the last of which is the end.
    pub(super) fn of_tokens(
        fragment: &'t Fragment,
        syntax: Syntax,
        context: &'t mut Context,
        diagnostics: &'t mut Diagnostics,
        tokens: Vec<Token>,
    ) -> Self {
        debug_assert!(tokens.last().is_some_and(|t| t.kind == Kind::End));
        let end = tokens[0].start;
        Self {
            fragment,
            text: fragment.text(),
            syntax,
            context,
            diagnostics,
            tokens,
            at: 0,
            end,
            depth: 0,
            branches: 0,
            tallest: 0,
            errors: 0,
            last_error: None,
            in_query: false,
            in_function: false,
        }
    }

    /// `<declaration>` and `<instantiation>`.
    pub fn declarations(mut self) -> Vec<Decl> {
        let items = self.declaration_list();
        self.finish("a declaration or the end of the text");
        items
    }

    /// The parameters of a template.
    pub fn parameters(mut self) -> Vec<Param> {
        let params = self.parameter_list(Kind::End);
        self.finish("`,` or the end of the text");
        params
    }

    /// An invariant; `None` when the text is empty.
    pub fn invariant(self) -> Option<Expr> {
        self.whole(Self::condition)
    }

    /// An exponential rate, `e` or `e1 : e2`.
    pub fn rate(self) -> Option<(Expr, Option<Expr>)> {
        self.whole(Self::rate_label)
    }

    /// `i : T, j : U`
    pub fn select(mut self) -> Vec<Select> {
        if self.kind() == Kind::End {
            return Vec::new();
        }
        let list = self.select_list();
        self.finish("`,` or the end of the text");
        list
    }

    /// A guard; `None` when the text is empty.
    pub fn guard(self) -> Option<Expr> {
        self.whole(Self::condition)
    }

    /// `c!`, `c?` or `c`.
    pub fn sync(self) -> Option<SyncLabel> {
        self.whole(Self::sync_label)
    }

    /// The expressions of an update.
    pub fn update(mut self) -> Vec<Expr> {
        if self.kind() == Kind::End {
            return Vec::new();
        }
        let list = self.expression_list();
        self.finish("`,`, an operator or the end of the text");
        list
    }

    /// The weight of an edge; `None` when the text is empty.
    pub fn probability(self) -> Option<Expr> {
        self.whole(Self::expression)
    }

    /// The system section, and the queries of `query { … }` blocks after it.
    pub fn system(mut self) -> (System, Vec<QueryItem>) {
        let result = self.system_section();
        self.finish("the end of the system section");
        result
    }

    /// The name of a template or location, a text of its own in XML; `None`
    /// when the text is empty or no name.
    pub fn name(mut self) -> Option<Ident> {
        if self.kind() == Kind::End {
            return None;
        }
        let name = self.xml_name().ok();
        self.finish("the end of the name");
        name
    }

    /// The text on one line, comments left out.
    pub fn one_line(&self) -> String {
        one_line(self.text, &self.tokens)
    }

    /// One query; line ends are white space. `None` when the text is empty or
    /// no query.
    pub fn query(mut self) -> Option<Query> {
        self.whole_query()
    }

    /// Applies a rule to a text that may be empty.
    fn whole<T>(mut self, rule: impl FnOnce(&mut Self) -> Parse<T>) -> Option<T> {
        if self.kind() == Kind::End {
            return None;
        }
        let result = rule(&mut self);
        if result.is_ok() {
            self.finish("an operator or the end of the text");
        }
        result.ok()
    }

    /// Reports what is left of the text.
    fn finish(&mut self, expected: &str) {
        if self.kind() != Kind::End {
            self.unexpected(expected);
        }
    }
}
