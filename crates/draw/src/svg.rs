//! A writer of SVG: elements as text, and how far they reach.
//!
//! Numbers have one decimal, so that the text does not depend on the last bit
//! of a sine; text is escaped; characters that XML cannot hold are left out.

use crate::geometry::{Point, Rect};
use crate::style;
use crate::text::{self, LEADING};
use std::fmt::Write;

/// Around the picture.
const MARGIN: f64 = 12.0;

/// Where a text lies from its place.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// A picture while it is drawn.
pub(crate) struct Canvas {
    out: String,
    bounds: Rect,
    /// Series colours that are used.
    series: usize,
}

impl Canvas {
    pub fn new() -> Self {
        Self { out: String::new(), bounds: Rect::EMPTY, series: 0 }
    }

    /// How far it reaches.
    pub fn bounds(&self) -> Rect {
        self.bounds
    }

    /// Nothing is drawn there, but it belongs to the picture.
    pub fn reserve(&mut self, rect: &Rect) {
        self.bounds = self.bounds.union(rect);
    }

    pub fn line(&mut self, class: &str, from: Point, to: Point) {
        self.path(class, &[from, to]);
    }

    /// Straight lines through these points.
    pub fn path(&mut self, class: &str, points: &[Point]) {
        let mut data = String::new();
        for (index, point) in points.iter().enumerate() {
            self.hold(*point);
            let _ =
                write!(data, "{}{} {}", if index == 0 { "M" } else { "L" }, number(point.x), number(point.y));
        }
        self.shape(class, &data);
    }

    /// Lines through these points with round corners.
    pub fn round_path(&mut self, class: &str, points: &[Point], radius: f64) {
        let [first, .., last] = points else { return };
        let mut data = format!("M{} {}", number(first.x), number(first.y));
        points.iter().for_each(|point| self.hold(*point));
        for corner in points.windows(3) {
            let [before, at, after] = [corner[0], corner[1], corner[2]];
            let cut = |other: Point| at.towards(other, radius.min(at.distance(other) / 2.0));
            let (a, b) = (cut(before), cut(after));
            let [a, at, b] = [a, at, b].map(|p| format!("{} {}", number(p.x), number(p.y)));
            let _ = write!(data, "L{a}Q{at} {b}");
        }
        let _ = write!(data, "L{} {}", number(last.x), number(last.y));
        self.shape(class, &data);
    }

    /// A path that is written already; `bounds` grow elsewhere.
    fn shape(&mut self, class: &str, data: &str) {
        let _ = writeln!(self.out, "<path class=\"{class}\" d=\"{data}\"/>");
    }

    /// The head of an arrow that comes from `from`.
    pub fn arrow_head(&mut self, class: &str, from: Point, tip: Point) {
        let back = tip.towards(from, 9.0);
        let (dx, dy) = ((tip.x - back.x) * 0.4, (tip.y - back.y) * 0.4);
        let corners = [tip, Point::new(back.x - dy, back.y + dx), Point::new(back.x + dy, back.y - dx)];
        corners.iter().for_each(|&corner| self.hold(corner));
        let [a, b, c] = corners.map(|p| format!("{} {}", number(p.x), number(p.y)));
        self.shape(class, &format!("M{a}L{b}L{c}Z"));
    }

    pub fn circle(&mut self, class: &str, middle: Point, radius: f64) {
        self.reserve(&Rect::around(middle, 2.0 * radius, 2.0 * radius));
        let [x, y, r] = [middle.x, middle.y, radius].map(number);
        let _ = writeln!(self.out, "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/>");
    }

    pub fn rect(&mut self, class: &str, rect: &Rect, round: f64) {
        self.reserve(rect);
        let [x, y, w, h] = [rect.left, rect.top, rect.width(), rect.height()].map(number);
        let round = if round > 0.0 { format!(" rx=\"{}\"", number(round)) } else { String::new() };
        let _ = writeln!(
            self.out,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"{round}/>"
        );
    }

    /// A line of text whose baseline starts, ends or has its middle at `at`.
    pub fn text(&mut self, class: &str, at: Point, anchor: Anchor, size: f64, text: &str) {
        let width = text::width(text, size);
        let (left, how) = match anchor {
            Anchor::Start => (at.x, ""),
            Anchor::Middle => (at.x - width / 2.0, " text-anchor=\"middle\""),
            Anchor::End => (at.x - width, " text-anchor=\"end\""),
        };
        self.reserve(&Rect::at(Point::new(left, at.y - size), width, size * LEADING));
        self.write_text(class, at, how, size, text);
    }

    /// A line of text that goes upwards, with its middle at `at`.
    pub fn upward_text(&mut self, class: &str, at: Point, size: f64, text: &str) {
        self.reserve(&Rect::around(at, size * LEADING, text::width(text, size)));
        let turned =
            format!(" text-anchor=\"middle\" transform=\"rotate(-90 {} {})\"", number(at.x), number(at.y));
        self.write_text(class, at, &turned, size, text);
    }

    fn write_text(&mut self, class: &str, at: Point, how: &str, size: f64, text: &str) {
        let [x, y, size] = [at.x, at.y, size].map(number);
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
        let text = escaped(text);
        let _ =
            writeln!(self.out, "<text{class} x=\"{x}\" y=\"{y}\" font-size=\"{size}\"{how}>{text}</text>");
    }

    /// The class of a series; colours repeat after the last.
    pub fn series(&mut self, kind: char, number: usize) -> String {
        let colour = number % style::COLOURS;
        self.series = self.series.max(colour + 1);
        format!("{kind}{colour}")
    }

    /// Another picture as a part of this one, moved.
    pub fn place(&mut self, part: &Self, dx: f64, dy: f64) {
        if part.out.is_empty() {
            return;
        }
        self.reserve(&part.bounds.moved(dx, dy));
        self.series = self.series.max(part.series);
        let _ = write!(
            self.out,
            "<g transform=\"translate({} {})\">\n{}</g>\n",
            number(dx),
            number(dy),
            part.out
        );
    }

    /// The whole picture.
    pub fn finish(self, title: &str) -> String {
        let none = self.bounds.right < self.bounds.left;
        let bounds = if none { Rect::at(Point::default(), 0.0, 0.0) } else { self.bounds };
        let (left, top) = ((bounds.left - MARGIN).floor(), (bounds.top - MARGIN).floor());
        let width = (bounds.right + MARGIN - left).ceil();
        let height = (bounds.bottom + MARGIN - top).ceil();
        let [x, y, w, h] = [left, top, width, height].map(number);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"{x} {y} {w} {h}\">\n\
             <title>{}</title>\n<style>\n{}</style>\n\
             <rect class=\"paper\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"/>\n{}</svg>\n",
            escaped(title),
            style::sheet(self.series),
            self.out
        )
    }

    fn hold(&mut self, point: Point) {
        self.reserve(&Rect::at(point, 0.0, 0.0));
    }
}

/// A number with at most one decimal. Sums and sines of other machines may
/// differ in their last bit; a tenth is the same.
pub(crate) fn number(value: f64) -> String {
    // Also what no picture should hold stays a number.
    let value = if value.is_finite() { value.clamp(-1e9, 1e9) } else { 0.0 };
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Text that XML reads as it is.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | '\r' => out.push(' '),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let shown: Vec<String> = [0.0, -0.01, 1.25, 12.0, -3.96, f64::NAN, 1e300].map(number).to_vec();
        assert_eq!(shown, ["0", "0", "1.2", "12", "-4", "0", "1000000000"]);
    }

    #[test]
    fn text_is_escaped_and_cleaned() {
        assert_eq!(escaped("a<b && \"c\"\u{1}\n"), "a&lt;b &amp;&amp; &quot;c&quot; ");
    }

    #[test]
    fn an_empty_picture_is_one() {
        let text = Canvas::new().finish("<none>");
        assert!(roxmltree::Document::parse(&text).is_ok(), "{text}");
    }
}
