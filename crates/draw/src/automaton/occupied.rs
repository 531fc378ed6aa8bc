//! What is taken already, to find free places for texts.

use crate::geometry::Rect;
use std::collections::HashMap;

/// Side of a cell.
const CELL: f64 = 64.0;
/// A box over more cells than this is looked at each time instead.
const MANY_CELLS: i64 = 400;

/// Boxes, by the cells of a grid they touch.
#[derive(Default)]
pub(super) struct Occupied {
    cells: HashMap<(i64, i64), Vec<Rect>>,
    large: Vec<Rect>,
}

impl Occupied {
    pub fn add(&mut self, rect: Rect) {
        match cells(&rect) {
            Some(cells) => cells.for_each(|cell| self.cells.entry(cell).or_default().push(rect)),
            None => self.large.push(rect),
        }
    }

    pub fn is_free(&self, rect: &Rect) -> bool {
        let here = |cell: (i64, i64)| self.cells.get(&cell).into_iter().flatten();
        let Some(mut cells) = cells(rect) else { return false };
        !self.large.iter().any(|other| other.overlaps(rect))
            && !cells.any(|cell| here(cell).any(|other| other.overlaps(rect)))
    }

    /// The first free one of these places; the first one if none is.
    pub fn first_free(&self, places: impl Iterator<Item = Rect> + Clone) -> Option<Rect> {
        places.clone().find(|rect| self.is_free(rect)).or_else(|| places.clone().next())
    }
}

fn cells(rect: &Rect) -> Option<impl Iterator<Item = (i64, i64)>> {
    let cell = |value: f64| (value / CELL).floor() as i64;
    let (left, right) = (cell(rect.left), cell(rect.right));
    let (top, bottom) = (cell(rect.top), cell(rect.bottom));
    let count = right.saturating_sub(left).saturating_add(1).saturating_mul(bottom.saturating_sub(top) + 1);
    (count <= MANY_CELLS).then(|| (left..=right).flat_map(move |x| (top..=bottom).map(move |y| (x, y))))
}
