//! Sequence charts: a life line for each process, boxes where it enters a
//! location, arrows for synchronisations, and the time on the left.
//!
//! Time goes downwards but not to scale: a delay of a million among delays of
//! one would leave nothing to see. A longer delay is a longer gap, by the
//! logarithm.

use crate::geometry::{Point, Rect};
use crate::svg::{Anchor, Canvas};
use crate::text::{LARGE, SIZE, SMALL, cut, width};

/// A run.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    /// Above the chart.
    pub title: String,
    /// The processes, from left to right.
    pub lanes: Vec<Lane>,
    /// What happens, in order.
    pub steps: Vec<Step>,
    /// The run goes on for ever with the steps from this one on.
    pub loop_from: Option<usize>,
    /// What is said at the end.
    pub ending: String,
}

/// A process.
#[derive(Clone, Debug, Default)]
pub struct Lane {
    /// Its name.
    pub name: String,
    /// Where it starts.
    pub start: String,
}

/// One step of a run.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// How long nothing happens before it, as a text and about; none: at once.
    pub delay: Option<(String, f64)>,
    /// When it happens.
    pub time: String,
    /// What it is called; may be empty.
    pub label: String,
    /// The lane that starts it, of several that take part.
    pub sender: Option<usize>,
    /// Who moves: lane and location that is entered.
    pub moves: Vec<(usize, String)>,
    /// What else changes.
    pub note: String,
}

/// Most steps that are drawn.
const MOST_STEPS: usize = 2000;
/// With more lanes than this, those without a step are left out.
const MANY_LANES: usize = 12;
/// Longest text in a box, in characters.
const BOX: usize = 30;
/// Longest note.
const NOTE: usize = 70;
const BOX_HEIGHT: f64 = 21.0;

/// The chart of a run.
pub fn draw(chart: &Chart) -> String {
    let mut canvas = Canvas::new();
    let drawing = Drawing::new(chart);
    drawing.draw(&mut canvas);
    canvas.finish(&chart.title)
}

/// A chart with the places of its lanes.
struct Drawing<'c> {
    chart: &'c Chart,
    steps: &'c [Step],
    /// The middle of each lane; none for one that is left out.
    middles: Vec<Option<f64>>,
    /// Left of the first lane and right of the last.
    sides: (f64, f64),
}

impl<'c> Drawing<'c> {
    fn new(chart: &'c Chart) -> Self {
        let steps = &chart.steps[..chart.steps.len().min(MOST_STEPS)];
        let mut moving = vec![chart.lanes.len() <= MANY_LANES; chart.lanes.len()];
        for (lane, _) in steps.iter().flat_map(|step| &step.moves) {
            if let Some(moving) = moving.get_mut(*lane) {
                *moving = true;
            }
        }
        // Half of what the boxes of a lane need.
        let mut half: Vec<f64> = (chart.lanes.iter())
            .map(|lane| box_width(&lane.start).max(width(&cut(&lane.name, BOX), SIZE) + 16.0) / 2.0)
            .collect();
        for (lane, to) in steps.iter().flat_map(|step| &step.moves) {
            if let Some(half) = half.get_mut(*lane) {
                *half = half.max(box_width(to) / 2.0);
            }
        }
        let axis = steps.iter().filter_map(|step| step.delay.as_ref());
        let left = axis.map(|(delay, _)| width(&wait(delay), SMALL)).fold(24.0, f64::max) + 18.0;
        let mut drawing = Self { chart, steps, middles: Vec::new(), sides: (left, left) };
        let mut before: Option<(f64, f64)> = None;
        for (lane, &half) in half.iter().enumerate() {
            let place = |(middle, earlier): (f64, f64)| middle + (earlier + half + 22.0).max(96.0);
            let middle = before.map_or(left + half, place);
            // A label over an arrow from the lane before needs room as well.
            let room = before.map_or(0.0, |(before, _)| before + drawing.label_between(lane));
            let middle = middle.max(room);
            drawing.middles.push(moving[lane].then_some(middle));
            if moving[lane] {
                before = Some((middle, half));
                drawing.sides.1 = middle + half;
            }
        }
        drawing
    }

    /// The widest label over an arrow between this lane and the one before.
    fn label_between(&self, lane: usize) -> f64 {
        let before = self.middles.iter().rposition(Option::is_some);
        let crosses = |step: &&Step| {
            let part = |lane| step.moves.iter().any(|(mover, _)| Some(*mover) == lane);
            part(Some(lane)) && part(before)
        };
        let labels =
            self.steps.iter().filter(crosses).map(|step| width(&cut(&step.label, BOX), SMALL) + 28.0);
        labels.fold(0.0, f64::max)
    }

    fn middle(&self, lane: usize) -> Option<f64> {
        self.middles.get(lane).copied().flatten()
    }

    fn draw(&self, canvas: &mut Canvas) {
        let mut body = Canvas::new();
        let mut marks = Canvas::new();
        for (lane, middle) in self.chart.lanes.iter().zip(&self.middles) {
            if let Some(middle) = *middle {
                let name = cut(&lane.name, BOX);
                body.text("", Point::new(middle, 4.0), Anchor::Middle, SIZE, &name);
                entered(&mut body, middle, 12.0, &lane.start);
            }
        }
        marks.text("soft", Point::new(-8.0, 26.0), Anchor::End, SMALL, "0");
        let first = 12.0 + BOX_HEIGHT;
        let mut y = first;
        let mut starts = Vec::new();
        let mut time = "0";
        for step in self.steps {
            starts.push(y + 6.0);
            // A time is told once.
            let told = std::mem::replace(&mut time, &step.time) == step.time;
            y = self.step(&mut body, &mut marks, (step, told), y);
        }
        let end = y + 14.0;
        self.life_lines(canvas, first, end);
        canvas.place(&marks, 0.0, 0.0);
        canvas.place(&body, 0.0, 0.0);
        if let Some(&from) = self.chart.loop_from.and_then(|from| starts.get(from)) {
            again(canvas, from, y + 4.0);
        }
        self.words(canvas, end);
    }

    /// A step that begins at `y`; answers where it ends.
    fn step(&self, body: &mut Canvas, marks: &mut Canvas, (step, told): (&Step, bool), y: f64) -> f64 {
        let mut y = y + 10.0;
        if let Some((delay, about)) = &step.delay {
            let gap = 16.0 + (8.0 * about.max(0.0).ln_1p()).min(60.0);
            let (from, to) = (Point::new(0.0, y), Point::new(0.0, y + gap));
            marks.line("mark", from, to);
            marks.text("soft", Point::new(7.0, y + gap / 2.0 + 4.0), Anchor::Start, SMALL, &wait(delay));
            y += gap;
        }
        let places: Vec<(f64, &str, usize)> = (step.moves.iter())
            .filter_map(|(lane, to)| Some((self.middle(*lane)?, to.as_str(), *lane)))
            .collect();
        let arrow = y + if step.label.is_empty() { 4.0 } else { 15.0 };
        self.message(body, step, &places, arrow);
        let top = arrow + 6.0;
        for (middle, to, _) in &places {
            entered(body, *middle, top, to);
        }
        let note = Point::new(self.sides.1 + 14.0, top + 15.0);
        if !step.note.is_empty() {
            body.text("soft", note, Anchor::Start, SMALL, &cut(&step.note, NOTE));
        }
        marks.line("line", Point::new(-4.0, arrow), Point::new(4.0, arrow));
        if !told {
            marks.text("soft", Point::new(-8.0, arrow + 4.0), Anchor::End, SMALL, &cut(&step.time, BOX));
        }
        top + BOX_HEIGHT
    }

    /// The arrow of a synchronisation, or the name of what one process does.
    fn message(&self, body: &mut Canvas, step: &Step, places: &[(f64, &str, usize)], y: f64) {
        let label = cut(&step.label, BOX);
        let sender = step.sender.and_then(|lane| self.middle(lane));
        let others: Vec<f64> = places.iter().map(|(middle, ..)| *middle).collect();
        let Some(&first) = others.first() else {
            body.text("soft halo", Point::new(self.sides.0, y), Anchor::Start, SMALL, &label);
            return;
        };
        if others.len() == 1 {
            body.text("sync halo", Point::new(first, y), Anchor::Middle, SMALL, &label);
            return;
        }
        let ends = others.iter().fold((first, first), |(a, b), &x| (a.min(x), b.max(x)));
        body.line("line", Point::new(ends.0, y), Point::new(ends.1, y));
        let start = sender.unwrap_or(first);
        for &other in others.iter().filter(|&&other| other != start) {
            match sender {
                Some(start) => body.arrow_head("tip", Point::new(start, y), Point::new(other, y)),
                None => body.circle("tip", Point::new(other, y), 3.0),
            }
        }
        body.circle("tip", Point::new(start, y), 3.0);
        // Between the one that starts and its nearest neighbour.
        let near = others.iter().filter(|&&x| x != start).min_by(|a, b| {
            let far = |x: f64| (x - start).abs();
            far(**a).total_cmp(&far(**b))
        });
        let middle = (start + near.copied().unwrap_or(start)) / 2.0;
        body.text("sync halo", Point::new(middle, y - 4.0), Anchor::Middle, SMALL, &label);
    }

    fn life_lines(&self, canvas: &mut Canvas, top: f64, bottom: f64) {
        for middle in self.middles.iter().flatten() {
            canvas.line("thin", Point::new(*middle, top), Point::new(*middle, bottom));
        }
        let foot = Point::new(0.0, bottom);
        canvas.line("line", Point::new(0.0, top - 12.0), foot);
        canvas.arrow_head("tip", Point::new(0.0, top), foot);
    }

    /// Title, ending, and what is not drawn.
    fn words(&self, canvas: &mut Canvas, bottom: f64) {
        canvas.text("", Point::new(-8.0, -28.0), Anchor::Start, LARGE, &cut(&self.chart.title, 100));
        let mut notes = vec![self.chart.ending.clone()];
        let undrawn = self.chart.steps.len() - self.steps.len();
        if undrawn > 0 {
            notes.insert(0, format!("{undrawn} more steps are not drawn"));
        }
        let idle = self.middles.iter().filter(|middle| middle.is_none()).count();
        if idle > 0 {
            notes.push(format!("{idle} processes that do nothing here are not drawn"));
        }
        notes.retain(|note| !note.is_empty());
        for (line, note) in notes.iter().enumerate() {
            let at = Point::new(self.sides.0, bottom + 18.0 + line as f64 * 16.0);
            canvas.text("", at, Anchor::Start, SIZE, note);
        }
    }
}

fn wait(delay: &str) -> String {
    format!("+{}", cut(delay, BOX))
}

fn box_width(text: &str) -> f64 {
    width(&cut(text, BOX), SIZE) + 18.0
}

/// A location that is entered.
fn entered(canvas: &mut Canvas, middle: f64, top: f64, name: &str) {
    let place = Rect::at(Point::new(middle - box_width(name) / 2.0, top), box_width(name), BOX_HEIGHT);
    canvas.rect("box", &place, 5.0);
    canvas.text("", Point::new(middle, top + 15.0), Anchor::Middle, SIZE, &cut(name, BOX));
}

/// The bracket of what is done again and again, right of all there is.
fn again(canvas: &mut Canvas, from: f64, to: f64) {
    let right = canvas.bounds().right;
    let [a, b] = [right + 14.0, right + 24.0];
    let corners = [Point::new(a, to), Point::new(b, to), Point::new(b, from), Point::new(a, from)];
    canvas.round_path("mark", &corners, 6.0);
    canvas.arrow_head("tip", corners[2], corners[3]);
    canvas.upward_text("", Point::new(b + 16.0, (from + to) / 2.0), SIZE, "for ever");
}
