//! Expressions and types as text, with no more parentheses than needed.
//!
//! The levels are those of the language's grammar; a higher one binds
//! tighter. An operand is put in parentheses exactly when its level is below
//! what its place asks for. Quantifiers have the lowest: their body reaches as
//! far right as it can, so anywhere but at the top they stand in parentheses.

use dwell_syntax::uppaal::tree::{
    BinaryOp, Dim, Expr, ExprKind, Prefix, Quantifier, Type, TypeBase, UnaryOp,
};

/// Levels of the grammar.
mod level {
    pub const LOWEST: u8 = 1;
    pub const ASSIGN: u8 = 2;
    pub const CONDITIONAL: u8 = 3;
    pub const UNARY: u8 = 16;
    pub const STEP: u8 = 17;
    pub const POSTFIX: u8 = 18;
    pub const ATOM: u8 = 19;
}

/// Longer chains of `&&` or `||` are printed flat: the parser has balanced them
/// and will do so again.
const LONG: usize = 64;

/// Writes text; remembers what it had no words for.
#[derive(Debug, Default)]
pub(super) struct Writer {
    pub out: String,
    /// What has no text: something not understood, or not supported.
    pub lost: Option<&'static str>,
    /// Blocks around the current line.
    pub depth: usize,
}

impl Writer {
    pub fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Something without a text. The comment makes sure that no one takes the
    /// output for whole.
    pub fn lose(&mut self, what: &'static str) {
        self.lost = self.lost.or(Some(what));
        self.push("/* not written: ");
        self.push(what);
        self.push(" */");
    }

    /// Things with a separator between them.
    pub fn list<T>(&mut self, items: &[T], separator: &str, mut each: impl FnMut(&mut Self, &T)) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.push(separator);
            }
            each(self, item);
        }
    }

    /// Expressions with commas.
    pub fn exprs(&mut self, list: &[Expr]) {
        self.list(list, ", ", |w, e| w.expr(e));
    }

    /// A whole expression.
    pub fn expr(&mut self, e: &Expr) {
        self.operand(e, level::LOWEST);
    }

    fn operand(&mut self, e: &Expr, least: u8) {
        if level(e) < least {
            self.push("(");
            self.bare(e);
            self.push(")");
        } else {
            self.bare(e);
        }
    }

    fn bare(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Int(value) => self.push(&value.to_string()),
            ExprKind::Double(value) => self.push(&double(*value)),
            ExprKind::String(text) => {
                self.push("\"");
                self.push(&text.replace('\\', "\\\\").replace('"', "\\\""));
                self.push("\"");
            }
            ExprKind::Bool(value) => self.push(if *value { "true" } else { "false" }),
            ExprKind::Name(name) => self.push(name),
            ExprKind::Index(array, index) => {
                self.operand(array, level::POSTFIX);
                self.push("[");
                self.expr(index);
                self.push("]");
            }
            ExprKind::Field(of, field) => {
                self.operand(of, level::POSTFIX);
                self.push(".");
                self.push(&field.name);
            }
            ExprKind::Location(of) => {
                self.operand(of, level::POSTFIX);
                self.push(".location");
            }
            ExprKind::Rate(of) => {
                self.operand(of, level::POSTFIX);
                self.push("'");
            }
            ExprKind::Call(callee, arguments) => {
                self.operand(callee, level::POSTFIX);
                self.push("(");
                self.exprs(arguments);
                self.push(")");
            }
            ExprKind::Builtin(function, arguments) => {
                self.push(&function.name);
                self.push("(");
                self.exprs(arguments);
                self.push(")");
            }
            ExprKind::Unary(op, operand) => self.unary(*op, operand),
            ExprKind::Step { prefix, up, place } => {
                let op = if *up { "++" } else { "--" };
                if *prefix {
                    self.push(op);
                    self.operand(place, level::STEP);
                } else {
                    self.operand(place, level::POSTFIX);
                    self.push(op);
                }
            }
            ExprKind::Binary(op, left, right) => {
                let (symbol, level) = binary(*op);
                let chain = chain(e, *op);
                let operands = if chain.len() > LONG { &chain[..] } else { &[&**left, &**right] };
                for (index, operand) in operands.iter().enumerate() {
                    if index > 0 {
                        self.push(" ");
                        self.push(symbol);
                        self.push(" ");
                    }
                    self.operand(operand, level + u8::from(index > 0));
                }
            }
            ExprKind::Assign(op, left, right) => {
                // What `c ? a : b = 1` means is not clear to every reader.
                self.operand(left, level::CONDITIONAL + 1);
                self.push(" ");
                self.push(op.map_or("", |op| binary(op).0));
                self.push("= ");
                self.operand(right, level::ASSIGN);
            }
            ExprKind::Conditional(test, then, otherwise) => {
                self.operand(test, level::CONDITIONAL + 1);
                self.push(" ? ");
                self.operand(then, level::CONDITIONAL);
                self.push(" : ");
                self.operand(otherwise, level::CONDITIONAL);
            }
            ExprKind::Quantified(quantifier, name, ty, body) => {
                self.push(match quantifier {
                    Quantifier::Forall => "forall (",
                    Quantifier::Exists => "exists (",
                    Quantifier::Sum => "sum (",
                });
                self.push(&name.name);
                self.push(" : ");
                self.ty(ty);
                self.push(") ");
                self.expr(body);
            }
            ExprKind::Deadlock => self.push("deadlock"),
            ExprKind::Unsupported(what) => self.lose(what),
            ExprKind::Error => self.lose("an expression that was not understood"),
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr) {
        let symbol = match op {
            UnaryOp::Neg => "-",
            UnaryOp::Plus => "+",
            UnaryOp::Not => "!",
        };
        self.push(symbol);
        let start = self.out.len();
        self.operand(operand, level::UNARY);
        // `- -x` is not `--x`.
        if op != UnaryOp::Not && self.out[start..].starts_with(symbol) {
            self.out.insert(start, ' ');
        }
    }

    /// A type with its prefix.
    pub fn ty(&mut self, ty: &Type) {
        self.push(&prefix(&ty.prefix));
        match &ty.base {
            TypeBase::Named(name) => self.push(name),
            TypeBase::Bool => self.push("bool"),
            TypeBase::Int(None) => self.push("int"),
            TypeBase::Int(Some(bounds)) => {
                self.push("int[");
                self.expr(&bounds.0);
                self.push(",");
                self.expr(&bounds.1);
                self.push("]");
            }
            TypeBase::Double => self.push("double"),
            TypeBase::String => self.push("string"),
            TypeBase::Chan => self.push("chan"),
            TypeBase::Scalar(size) => {
                self.push("scalar[");
                self.expr(size);
                self.push("]");
            }
            TypeBase::Struct(fields) => {
                self.push("struct { ");
                for field in fields {
                    self.ty(&field.ty);
                    self.push(" ");
                    self.list(&field.names, ", ", |w, d| w.declarator(d));
                    self.push("; ");
                }
                self.push("}");
            }
            TypeBase::Clock => self.push("clock"),
            TypeBase::Void => self.push("void"),
            TypeBase::Error => self.lose("a type that was not understood"),
        }
    }

    /// Array dimensions.
    pub fn dims(&mut self, dims: &[Dim]) {
        for dim in dims {
            self.push("[");
            match dim {
                Dim::Size(size) => self.expr(size),
                Dim::Index(ty) => self.ty(ty),
            }
            self.push("]");
        }
    }
}

/// The operands of a chain of `&&` or of `||`, however it is grouped; of other
/// operators, nothing.
fn chain(e: &Expr, op: BinaryOp) -> Vec<&Expr> {
    let mut operands = Vec::new();
    if matches!(op, BinaryOp::And | BinaryOp::Or) {
        let mut open = vec![e];
        while let Some(next) = open.pop() {
            match &next.kind {
                ExprKind::Binary(of, left, right) if *of == op => open.extend([&**right, &**left]),
                _ => operands.push(next),
            }
        }
    }
    operands
}

fn level(e: &Expr) -> u8 {
    match &e.kind {
        ExprKind::Quantified(..) => level::LOWEST,
        ExprKind::Assign(..) => level::ASSIGN,
        ExprKind::Conditional(..) => level::CONDITIONAL,
        ExprKind::Binary(op, ..) => binary(*op).1,
        ExprKind::Unary(..) => level::UNARY,
        // -2147483648 and no other.
        ExprKind::Int(value) if *value < 0 => level::UNARY,
        ExprKind::Step { prefix: true, .. } => level::STEP,
        ExprKind::Step { prefix: false, .. }
        | ExprKind::Index(..)
        | ExprKind::Field(..)
        | ExprKind::Location(_)
        | ExprKind::Rate(_)
        | ExprKind::Call(..) => level::POSTFIX,
        ExprKind::Int(_)
        | ExprKind::Double(_)
        | ExprKind::String(_)
        | ExprKind::Bool(_)
        | ExprKind::Name(_)
        | ExprKind::Builtin(..)
        | ExprKind::Deadlock
        | ExprKind::Unsupported(_)
        | ExprKind::Error => level::ATOM,
    }
}

/// The symbol of an operator and its level.
fn binary(op: BinaryOp) -> (&'static str, u8) {
    match op {
        BinaryOp::Or => ("||", 4),
        BinaryOp::Xor => ("xor", 4),
        BinaryOp::Imply => ("imply", 4),
        BinaryOp::And => ("&&", 5),
        BinaryOp::BitOr => ("|", 6),
        BinaryOp::BitXor => ("^", 7),
        BinaryOp::BitAnd => ("&", 8),
        BinaryOp::Eq => ("==", 9),
        BinaryOp::Ne => ("!=", 9),
        BinaryOp::Lt => ("<", 10),
        BinaryOp::Le => ("<=", 10),
        BinaryOp::Ge => (">=", 10),
        BinaryOp::Gt => (">", 10),
        BinaryOp::Min => ("<?", 11),
        BinaryOp::Max => (">?", 11),
        BinaryOp::Shl => ("<<", 12),
        BinaryOp::Shr => (">>", 12),
        BinaryOp::Add => ("+", 13),
        BinaryOp::Sub => ("-", 13),
        BinaryOp::Mul => ("*", 14),
        BinaryOp::Div => ("/", 14),
        BinaryOp::Rem => ("%", 14),
        BinaryOp::Pow => ("**", 15),
    }
}

/// A number that reads as a floating-point literal again.
fn double(value: f64) -> String {
    if value.is_finite() { format!("{value:?}") } else { "1e999".to_owned() }
}

/// What stands before a type, each word with a blank after it.
fn prefix(prefix: &Prefix) -> String {
    let words = [
        (prefix.urgent, "urgent "),
        (prefix.broadcast, "broadcast "),
        (prefix.constant, "const "),
        (prefix.meta, "meta "),
        (prefix.hybrid, "hybrid "),
    ];
    words.iter().filter(|(set, _)| *set).map(|(_, word)| *word).collect()
}
