//! Tokens, of declarations and of attribute values.
//!
//! The two have different words, so there are two functions; both work on the
//! whole text with an offset, which makes every span one of the whole text.

use crate::Span;

/// One token, of either kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

/// The kinds of tokens. Words are names and keywords alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Word,
    /// Digits; with a sign in declarations only.
    Integer,
    /// One of the operators and punctuation marks.
    Symbol(&'static str),
    Newline,
    End,
    /// A character that starts no token.
    Unknown,
}

/// Operators of expressions and statements, longer ones first. Those that the
/// format lacks are here so that errors can name them whole.
const PROGRAM_SYMBOLS: [&str; 33] = [
    "&&", "||", "==", "!=", "<=", ">=", "++", "--", "+=", "-=", "*=", "/=", "->", "=", "(", ")", "[", "]",
    ";", "+", "-", "*", "/", "%", "!", "<", ">", ",", "&", "|", "?", ":", "}",
];

const DECLARATION_SYMBOLS: [&str; 5] = [":", "@", "?", "{", "}"];

fn is_word_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.'
}

/// The end of the run of bytes from `at` on that satisfy `f`.
fn run(bytes: &[u8], at: usize, f: impl Fn(u8) -> bool) -> usize {
    bytes[at..].iter().position(|&b| !f(b)).map_or(bytes.len(), |n| at + n)
}

fn unknown(text: &str, at: usize) -> Token {
    let width = text[at..].chars().next().map_or(0, char::len_utf8);
    Token { kind: TokenKind::Unknown, span: Span::new(at, at + width) }
}

fn symbol(text: &str, at: usize, symbols: &[&'static str]) -> Option<Token> {
    let symbol = symbols.iter().find(|s| text.as_bytes()[at..].starts_with(s.as_bytes()))?;
    Some(Token { kind: TokenKind::Symbol(symbol), span: Span::new(at, at + symbol.len()) })
}

/// The next token of a declaration at or after `at`. Blanks and comments are
/// skipped; the end of a line is a token.
pub(super) fn declaration_token(text: &str, at: usize) -> Token {
    let bytes = text.as_bytes();
    let mut at = run(bytes, at, |b| matches!(b, b' ' | b'\t' | b'\r'));
    if bytes.get(at) == Some(&b'#') {
        at = run(bytes, at, |b| b != b'\n');
    }
    let make = |kind, end| Token { kind, span: Span::new(at, end) };
    match bytes.get(at) {
        None => make(TokenKind::End, at),
        Some(b'\n') => make(TokenKind::Newline, at + 1),
        Some(&b) if is_word_start(b) => make(TokenKind::Word, run(bytes, at, is_word)),
        Some(&b) if b.is_ascii_digit() => make(TokenKind::Integer, run(bytes, at, |b| b.is_ascii_digit())),
        Some(b'-' | b'+') if bytes.get(at + 1).is_some_and(u8::is_ascii_digit) => {
            make(TokenKind::Integer, run(bytes, at + 1, |b| b.is_ascii_digit()))
        }
        _ => symbol(text, at, &DECLARATION_SYMBOLS).unwrap_or_else(|| unknown(text, at)),
    }
}

/// The next token of an expression or statement at or after `at`, which ends
/// at `end`. Blanks and ends of lines are skipped.
pub(super) fn program_token(text: &str, at: usize, end: usize) -> Token {
    let bytes = &text.as_bytes()[..end];
    let at = run(bytes, at, |b| matches!(b, b' ' | b'\t' | b'\r' | b'\n'));
    let make = |kind, end| Token { kind, span: Span::new(at, end) };
    match bytes.get(at) {
        None => make(TokenKind::End, at),
        Some(&b) if is_word_start(b) || b == b'$' => make(TokenKind::Word, run(bytes, at + 1, is_word)),
        Some(&b) if b.is_ascii_digit() => make(TokenKind::Integer, run(bytes, at, |b| b.is_ascii_digit())),
        _ => symbol(&text[..end], at, &PROGRAM_SYMBOLS).unwrap_or_else(|| unknown(text, at)),
    }
}

/// The text of a span.
pub(super) fn slice(text: &str, span: Span) -> &str {
    &text[span.start as usize..span.end as usize]
}

/// What a token is called in "found …".
pub(super) fn describe(text: &str, token: Token) -> String {
    const LONGEST: usize = 40;
    match token.kind {
        TokenKind::Newline => "the end of the line".to_owned(),
        TokenKind::End if token.span.end as usize == text.len() => "the end of the file".to_owned(),
        TokenKind::End => "the end of the attribute".to_owned(),
        _ => {
            let quoted = slice(text, token.span);
            match quoted.char_indices().nth(LONGEST) {
                Some((cut, _)) => format!("`{}…`", &quoted[..cut]),
                None => format!("`{quoted}`"),
            }
        }
    }
}

/// The value of an integer token that fits 32 bits.
pub(super) fn integer_value(digits: &str) -> Option<i32> {
    digits.parse().ok()
}
