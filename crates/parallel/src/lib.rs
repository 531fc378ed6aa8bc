//! Several workers on one state space (Behrmann, Hune, Vaandrager:
//! *Distributing timed model checking: how the search order matters*, CAV 2000,
//! paper 4).
//!
//! ```text
//!  worker 0                                      worker 1
//!  loop ── PwList                                loop ── PwList
//!    │ Exchange                                    │ Exchange
//!  Shard: who owns a state, parcels              Shard
//!    │                                             │
//!  Post: batches, credits, termination           Post
//!    │                                             │
//!  Transport ────────── messages ────────────── Transport
//! ```
//!
//! | | |
//! |---|---|
//! | [`Distribution`] | which worker owns a state (paper 4, section 4.3) |
//! | [`Shard`] | a worker's end of the [`Exchange`](dwell_explore::Exchange) |
//! | [`Post`] | batches out and in, back-pressure, the end |
//! | [`Termination`] | nobody works and nothing travels |
//! | [`Transport`] | how messages travel: [`threads`], [`simulated`], or MPI |

mod cluster;
mod distribution;
mod meeting;
mod post;
mod shard;
pub mod simulated;
mod sync;
mod termination;
pub mod threads;
mod transport;

pub use cluster::Cluster;
pub use distribution::Distribution;
pub use dwell_explore::{Pace, Worker};
pub use meeting::Meeting;
pub use post::{Post, Tuning};
pub use shard::Shard;
pub use termination::{Termination, Token};
pub use transport::{Kind, Message, Transport};
