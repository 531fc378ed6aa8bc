//! How wide a text is, without a font.
//!
//! The widths are those of DejaVu Sans, the widest of the fonts that the
//! pictures name: in another one a text is narrower, never wider.

/// Size of ordinary text.
pub(crate) const SIZE: f64 = 12.0;
/// Size of text beside something.
pub(crate) const SMALL: f64 = 11.0;
/// Size of a title.
pub(crate) const LARGE: f64 = 15.0;
/// From one line of text to the next, as a part of its size.
pub(crate) const LEADING: f64 = 1.3;

/// The estimated width of a text of this size.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(em).sum::<f64>() * size
}

fn em(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | '\'' | '|' => 0.29,
        ' ' | '.' | ',' | ':' | ';' | 'I' | '/' | '\\' => 0.34,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '!' | '-' => 0.42,
        's' | 'c' | 'k' | 'v' | 'x' | 'y' | 'z' | '?' | '"' | '*' | '_' => 0.57,
        'm' | 'M' | 'W' | '%' | '@' => 0.99,
        'w' | '+' | '=' | '<' | '>' | '&' | 'O' | 'Q' | 'N' | 'D' | 'G' | 'H' => 0.84,
        c if c.is_ascii_uppercase() => 0.7,
        c if c.is_ascii() => 0.64,
        c if (c as u32) < 0x2e80 => 0.84,
        _ => 1.1,
    }
}

/// Breaks a text into lines of at most about `limit` characters, after what
/// connects parts of a formula or a list. What has no such place stays whole.
pub(crate) fn wrapped(text: &str, limit: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for whole in text.lines() {
        let mut line = String::new();
        for part in parts(whole) {
            let long = line.chars().count() + part.trim_end().chars().count() > limit;
            if long && !line.trim().is_empty() {
                lines.push(std::mem::take(&mut line).trim_end().to_owned());
            }
            line.push_str(part);
        }
        lines.push(line.trim_end().to_owned());
    }
    lines.retain(|line| !line.is_empty());
    lines
}

/// The text in pieces, each with the connective that ends it.
fn parts(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(at) = ["&& ", "|| ", ", ", "; ", " imply ", " and ", " or "]
        .into_iter()
        .filter_map(|connective| Some(rest.find(connective)? + connective.len()))
        .min()
    {
        pieces.push(&rest[..at]);
        rest = &rest[at..];
    }
    pieces.push(rest);
    pieces
}

/// Cuts a text to at most `limit` characters.
pub(crate) fn cut(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    text.chars().take(limit.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_break_after_connectives() {
        assert_eq!(wrapped("x <= 3", 20), ["x <= 3"]);
        assert_eq!(wrapped("x <= 3 && y >= 5 && z == 1", 20), ["x <= 3 && y >= 5 &&", "z == 1"]);
        assert_eq!(wrapped("i = i + 1; j = 2; done = 1", 20), ["i = i + 1; j = 2;", "done = 1"]);
        assert_eq!(wrapped("abcdefghijklmnopqrstuvwxyz", 5), ["abcdefghijklmnopqrstuvwxyz"]);
        assert_eq!(wrapped("", 5), [""; 0]);
        assert_eq!(wrapped("a\n\nb", 5), ["a", "b"]);
    }

    #[test]
    fn texts_are_cut_between_characters() {
        assert_eq!(cut("löslich", 4), "lös…");
        assert_eq!(cut("lös", 4), "lös");
    }

    #[test]
    fn wider_texts_are_wider() {
        assert!(width("mmm", SIZE) > width("iii", SIZE));
        assert_eq!(width("", SIZE), 0.0);
    }
}
