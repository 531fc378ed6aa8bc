//! States in few bits: packed zones, and tables that remember states without keeping them.
//!
//! The data structures of Bengtsson, *Reducing memory usage in symbolic state-space
//! exploration for timed systems* (Uppsala University, 2001), here "paper 1", and nothing
//! around them: the crate knows neither automata nor exploration. A zone comes as the
//! cells of [`dwell_zones::compact`].
//!
//! | module | owns | paper 1 |
//! |---|---|---|
//! | [`digits`] | a bound as a small number | 3 |
//! | [`number`] | sequences of digits as one number | 3.2 |
//! | [`fields`] | bit fields as a few numbers of one limb | 3.2 |
//! | [`bits`] | zones as bit strings with test bits | 3.3 |
//! | [`minimal`] | zones as minimal constraint graphs | |
//! | [`universal`] | hash functions drawn at random | 4.3 |
//! | [`bit_table`] | one bit for each state | 4.3 |
//! | [`signatures`] | one signature for each state | 4.4 |
//! | [`zone_table`] | one signature for each discrete part, and its zones | 4.4 |
//! | [`limbs`] | the arithmetic of long numbers | |
#![forbid(unsafe_code)]

pub mod bit_table;
pub mod bits;
pub mod digits;
pub mod fields;
pub mod limbs;
pub mod minimal;
pub mod number;
pub mod signatures;
mod slots;
pub mod universal;
pub mod zone_table;

pub use bit_table::BitTable;
pub use bits::{BitsCodec, Slots};
pub use digits::ZoneDigits;
pub use fields::{Field, FieldCodec};
pub use minimal::MinimalCodec;
pub use number::{NumberCodec, Radices};
pub use signatures::{Entered, SignatureTable, Start};
pub use universal::{PaperHash, Universal};
pub use zone_table::ZoneTable;
