//! States in few bits: packed zones, and tables that remember states without keeping them.
//!
//! The data structures of Bengtsson, *Reducing memory usage in symbolic state-space
//! exploration for timed systems* (Uppsala University, report 2001-009), here "paper 1",
//! and nothing around them: the crate knows neither automata nor exploration. A zone
//! comes as the cells of [`dwell_zones::compact`].
//!
//! | module | owns | paper 1 |
//! |---|---|---|
//! | [`digits`] | a bound as a small number | 3 |
//! | [`number`] | sequences of digits as one number | 3.2 |
//! | [`bits`] | zones as bit strings with test bits | 3.3 |
//! | [`minimal`] | zones as minimal constraint graphs | |
//! | [`limbs`] | the arithmetic of long numbers | |
#![forbid(unsafe_code)]

pub mod bits;
pub mod digits;
pub mod limbs;
pub mod minimal;
pub mod number;

pub use bits::{BitsCodec, Slots};
pub use digits::ZoneDigits;
pub use minimal::MinimalCodec;
pub use number::{NumberCodec, Radices};
