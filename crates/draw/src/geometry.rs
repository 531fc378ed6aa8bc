//! Points and boxes.

/// A place in a picture: x to the right, y downwards.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Downwards.
    pub y: f64,
}

impl Point {
    /// The place at these coordinates.
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// How far another place is.
    pub(crate) fn distance(self, other: Self) -> f64 {
        (other.x - self.x).hypot(other.y - self.y)
    }

    /// The place `length` away from here on the way to `other`; here if they are the same.
    pub(crate) fn towards(self, other: Self, length: f64) -> Self {
        let distance = self.distance(other);
        if distance == 0.0 { self } else { self.between(other, length / distance) }
    }

    /// Part of the way to `other`.
    pub(crate) fn between(self, other: Self, part: f64) -> Self {
        Self { x: self.x + (other.x - self.x) * part, y: self.y + (other.y - self.y) * part }
    }
}

/// A box with sides along the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rect {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Rect {
    /// Holds nothing, grows to hold anything.
    pub const EMPTY: Self =
        Self { left: f64::INFINITY, top: f64::INFINITY, right: f64::NEG_INFINITY, bottom: f64::NEG_INFINITY };

    /// From its upper left corner.
    pub fn at(corner: Point, width: f64, height: f64) -> Self {
        Self { left: corner.x, top: corner.y, right: corner.x + width, bottom: corner.y + height }
    }

    /// Around its middle.
    pub fn around(middle: Point, width: f64, height: f64) -> Self {
        Self::at(Point::new(middle.x - width / 2.0, middle.y - height / 2.0), width, height)
    }

    pub fn width(&self) -> f64 {
        (self.right - self.left).max(0.0)
    }

    pub fn height(&self) -> f64 {
        (self.bottom - self.top).max(0.0)
    }

    /// The least box that holds both.
    pub fn union(&self, other: &Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    pub fn moved(&self, dx: f64, dy: f64) -> Self {
        Self { left: self.left + dx, top: self.top + dy, right: self.right + dx, bottom: self.bottom + dy }
    }

    pub fn overlaps(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }
}
