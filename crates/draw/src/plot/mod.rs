//! Plots: lines and points over two axes.
//!
//! Points that an axis cannot show (no number; not above zero where the axis
//! is logarithmic) are left out, and a line goes on after them.

mod kinds;
mod scale;

pub use kinds::{cactus, scatter};
pub use scale::Scale;

use crate::geometry::{Point, Rect};
use crate::style::COLOURS;
use crate::svg::{Anchor, Canvas};
use crate::text::{LARGE, LEADING, SIZE, SMALL, cut, width};
use scale::Mapping;

/// Two axes and what is shown over them.
#[derive(Clone, Debug)]
pub struct Plot {
    /// Above the plot.
    pub title: String,
    /// To the right.
    pub x: Axis,
    /// Upwards.
    pub y: Axis,
    /// What is shown, in the sequence of the legend.
    pub series: Vec<Series>,
    /// A line where both values are the same.
    pub diagonal: bool,
    /// A broken line across either axis where what has no value is shown.
    pub without: Option<f64>,
}

/// An axis.
#[derive(Clone, Debug)]
pub struct Axis {
    /// What is measured, with its unit.
    pub name: String,
    /// How values are spread.
    pub scale: Scale,
    /// Values that are shown in any case.
    pub holds: Vec<f64>,
}

impl Axis {
    /// An axis that holds what the series need.
    pub fn new(name: &str, scale: Scale) -> Self {
        Self { name: name.to_owned(), scale, holds: Vec::new() }
    }

    /// The same with a value that is shown in any case.
    pub fn with(mut self, value: f64) -> Self {
        self.holds.push(value);
        self
    }
}

/// Points that belong together.
#[derive(Clone, Debug)]
pub struct Series {
    /// In the legend.
    pub name: String,
    /// The values.
    pub points: Vec<(f64, f64)>,
    /// How they are shown.
    pub look: Look,
}

/// How points are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Connected.
    Line,
    /// Each by itself.
    Points,
    /// Both.
    LinePoints,
}

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 300.0;
/// Longest name in the legend, in characters.
const NAME: usize = 44;

/// Plots below each other, as one picture.
pub fn draw(plots: &[Plot]) -> String {
    let mut canvas = Canvas::new();
    let mut top = 0.0;
    for plot in plots {
        let mut part = Canvas::new();
        plot.draw(&mut part);
        canvas.place(&part, 0.0, top - part.bounds().top);
        top = canvas.bounds().bottom + 24.0;
    }
    let titles: Vec<&str> = plots.iter().map(|plot| plot.title.as_str()).collect();
    canvas.finish(&titles.join("; "))
}

impl Plot {
    fn draw(&self, canvas: &mut Canvas) {
        // A square where both axes measure the same.
        let across = if self.diagonal { WIDTH * 0.75 } else { WIDTH };
        let up = if self.diagonal { across } else { HEIGHT };
        let area = Rect::at(Point::default(), across, up);
        let values = |pick: fn(&(f64, f64)) -> f64| {
            self.series.iter().flat_map(move |series| series.points.iter().map(pick)).chain(self.without)
        };
        let x = Mapping::new(self.x.scale, values(|p| p.0).chain(self.x.holds.iter().copied()), across);
        let y = Mapping::new(self.y.scale, values(|p| p.1).chain(self.y.holds.iter().copied()), up);
        let (x, y) = if self.diagonal { (x.union(&y), y.union(&x)) } else { (x, y) };

        let title = cut(&self.title, 90);
        canvas.text("", Point::new(0.0, -14.0), Anchor::Start, LARGE, &title);
        axes(canvas, &area, (&self.x.name, &x), (&self.y.name, &y));
        if self.diagonal {
            canvas.line("thin", Point::new(0.0, up), Point::new(across, 0.0));
        }
        if let Some((right, above)) = self.without.and_then(|at| Some((x.at(at)?, up - y.at(at)?))) {
            canvas.line("thin broken", Point::new(right, above), Point::new(right, up));
            canvas.line("thin broken", Point::new(0.0, above), Point::new(right, above));
            let beside = Point::new(across + 6.0, above + 4.0);
            canvas.text("soft", beside, Anchor::Start, SMALL, "no answer");
        }
        for (number, series) in self.series.iter().enumerate() {
            let places: Vec<Point> = (series.points.iter())
                .filter_map(|&(a, b)| Some(Point::new(x.at(a)?, up - y.at(b)?)))
                .collect();
            draw_series(canvas, number, series.look, &places);
        }
        self.legend(canvas, across + 18.0);
        canvas.reserve(&area);
    }

    /// Names of the series on the right, if there are several.
    fn legend(&self, canvas: &mut Canvas, left: f64) {
        if self.series.len() < 2 {
            return;
        }
        for (number, series) in self.series.iter().enumerate() {
            let y = 10.0 + number as f64 * SIZE * 1.6;
            let sample = [Point::new(left, y), Point::new(left + 11.0, y), Point::new(left + 22.0, y)];
            draw_series(
                canvas,
                number,
                series.look,
                if series.look == Look::Points { &sample[1..2] } else { &sample },
            );
            canvas.text("", Point::new(left + 29.0, y + 4.0), Anchor::Start, SIZE, &cut(&series.name, NAME));
        }
    }
}

/// Frame, lines, figures and names.
fn axes(canvas: &mut Canvas, area: &Rect, x: (&str, &Mapping), y: (&str, &Mapping)) {
    for (at, label) in x.1.ticks() {
        canvas.line("grid", Point::new(at, area.top), Point::new(at, area.bottom));
        canvas.text("soft", Point::new(at, area.bottom + 16.0), Anchor::Middle, SMALL, &label);
    }
    let mut widest: f64 = 0.0;
    for (at, label) in y.1.ticks() {
        let at = area.bottom - at;
        canvas.line("grid", Point::new(area.left, at), Point::new(area.right, at));
        canvas.text("soft", Point::new(-7.0, at + 4.0), Anchor::End, SMALL, &label);
        widest = widest.max(width(&label, SMALL));
    }
    canvas.rect("panel", area, 0.0);
    let middle = Point::new(area.width() / 2.0, area.bottom + 20.0 + SIZE * LEADING);
    canvas.text("", middle, Anchor::Middle, SIZE, x.0);
    canvas.upward_text("", Point::new(-16.0 - widest, area.height() / 2.0), SIZE, y.0);
}

/// A line, points of a shape of its own, or both.
fn draw_series(canvas: &mut Canvas, number: usize, look: Look, places: &[Point]) {
    if look != Look::Points && places.len() > 1 {
        // Where colours come again, lines are broken.
        let again = if number / COLOURS % 2 == 1 { " broken" } else { "" };
        let class = canvas.series('s', number) + again;
        canvas.path(&class, places);
    }
    if look == Look::Line && places.len() > 1 {
        return;
    }
    let (filled, drawn) = (canvas.series('f', number), canvas.series('s', number));
    for &place in places {
        match number % 4 {
            0 => canvas.circle(&filled, place, 3.2),
            1 => canvas.rect(&filled, &Rect::around(place, 5.8, 5.8), 0.0),
            2 => {
                let Point { x, y } = place;
                let corners = [(0.0, -4.5), (4.2, 3.2), (-4.2, 3.2), (0.0, -4.5)]
                    .map(|(a, b)| Point::new(x + a, y + b));
                canvas.path(&filled, &corners);
            }
            _ => {
                let Point { x, y } = place;
                canvas.line(&drawn, Point::new(x - 3.5, y - 3.5), Point::new(x + 3.5, y + 3.5));
                canvas.line(&drawn, Point::new(x - 3.5, y + 3.5), Point::new(x + 3.5, y - 3.5));
            }
        }
    }
}
