//! Zones: convex sets of clock valuations, kept as difference bound matrices.
//!
//! A zone over clocks x1..xn is a conjunction of constraints xi - xj ⋈ c with
//! ⋈ one of < and ≤; x0 is the constant zero. [`Zone`] holds one bound per
//! ordered pair (Dill, *Timing assumptions and verification of finite-state
//! concurrent systems*, 1989) and offers what a forward exploration of a timed
//! automaton needs: closure, guards, delay, resets, the extrapolations that make
//! the set of zones finite, and inclusion tests.
//!
//! | module | owns |
//! |---|---|
//! | [`Bound`] | one bound in one machine word, 16 or 32 bits |
//! | [`Zone`] | a square matrix of bounds and its operations |
//! | [`LuBounds`] | lower and upper constants per clock, for extrapolation |
//! | [`compact`] | a zone without padding, diagonal and inactive clocks, for stores |
//! | [`minimal`] | the fewest constraints that still describe a zone |
//! | [`federation`] | finite unions of zones, and subtraction |
//!
//! The crate knows no automata. Arithmetic never wraps and never panics on large
//! constants: an operation whose result does not fit sets [`Zone::overflowed`], and
//! the caller starts again with wider bounds (see the header of `kernels` for why
//! that test is exact).
//!
//! ```
//! use dwell_zones::{Bound, Zone};
//!
//! let mut zone = Zone::<i16>::new(3);
//! zone.set_zero(); // x1 = x2 = 0
//! zone.up(); // x1 = x2
//! assert!(zone.constrain(1, 0, i16::weak(5).unwrap())); // x1 <= 5
//! zone.reset(2, 0);
//! assert_eq!(zone.get(1, 2).constant(), 5); // x1 - x2 <= 5
//! ```

mod bound;
mod clock_box;
pub mod compact;
mod extrapolate;
pub mod federation;
mod kernels;
mod lu;
pub mod minimal;
mod ops;
mod simd;
mod zone;

pub use bound::Bound;
pub use clock_box::ClockBox;
pub use federation::Federation;
pub use lu::{ClockWords, LuBounds};
pub use minimal::MinimalGraph;
pub use zone::{Relation, Zone};
