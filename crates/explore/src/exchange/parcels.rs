//! States as bytes.
//!
//! ```text
//!  0        4       8       12          16     18     26         27       29      29 + 8w
//!  | parent | index | depth | cells (n) | flag | rank | progress | worker | words | cells |
//! ```
//!
//! The discrete part is packed as in the stores, the zone is over the active
//! clocks, without its diagonal: what the `copy` store keeps of a state. All
//! numbers are little-endian. The parent is a state of the sender, or of a run
//! before.

use super::{Origin, Parcel, Parent, Progress, Worker};
use dwell_base::persist::Plain;
use dwell_zones::Bound;

/// Bytes in front of the words.
const HEAD: usize = 29;
/// The parent is a state of the sender.
const HERE: Worker = Worker::MAX;
/// There is no parent.
const NOWHERE: Worker = Worker::MAX - 1;

impl<'a, B: Bound> Parcel<'a, B> {
    /// Appends it to a batch.
    #[inline]
    pub fn write(&self, out: &mut Vec<u8>) {
        write(self, out);
    }

    /// Takes the first state off a batch from this worker; `None` at its end, and
    /// where the bytes are no batch. The state is put into `words` and `cells`.
    #[inline]
    pub fn read(from: Worker, batch: &mut &[u8], words: &'a mut [u64], cells: &'a mut [B]) -> Option<Self> {
        read(from, batch, words, cells)
    }
}

#[inline]
fn write<B: Bound>(parcel: &Parcel<'_, B>, out: &mut Vec<u8>) {
    let Parcel { words, cells, origin, rank, flag, progress } = *parcel;
    let start = out.len();
    out.resize(start + HEAD + size_of_val(words) + size_of_val(cells), 0);
    let (head, body) = out[start..].split_at_mut(HEAD);
    let (worker, parent) = match origin.parent {
        Parent::None => (NOWHERE, 0),
        Parent::Here(node) => (HERE, node.0),
        Parent::Elsewhere { worker, node } => (worker, node),
    };
    head[0..4].copy_from_slice(&parent.to_le_bytes());
    head[4..8].copy_from_slice(&origin.index.to_le_bytes());
    head[8..12].copy_from_slice(&origin.depth.to_le_bytes());
    head[12..16].copy_from_slice(&(cells.len() as u32).to_le_bytes());
    head[16..18].copy_from_slice(&flag.to_le_bytes());
    head[18..26].copy_from_slice(&rank.to_le_bytes());
    head[26] = u8::from(progress == Progress::Expanded);
    head[27..29].copy_from_slice(&worker.to_le_bytes());
    let (first, second) = body.split_at_mut(8 * words.len());
    put(words, first);
    put(cells, second);
}

#[inline]
fn read<'a, B: Bound>(
    from: Worker,
    batch: &mut &[u8],
    words: &'a mut [u64],
    cells: &'a mut [B],
) -> Option<Parcel<'a, B>> {
    let (head, rest) = batch.split_first_chunk::<HEAD>()?;
    let number = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
    let cells = cells.get_mut(..number(12) as usize)?;
    let (first, rest) = rest.split_at_checked(8 * words.len())?;
    let (second, rest) = rest.split_at_checked(size_of_val(cells))?;
    take(first, words);
    take(second, cells);
    *batch = rest;
    let parent = match Worker::from_le_bytes([head[27], head[28]]) {
        NOWHERE => Parent::None,
        HERE => Parent::Elsewhere { worker: from, node: number(0) },
        worker => Parent::Elsewhere { worker, node: number(0) },
    };
    let rank = i64::from_le_bytes(*head[18..].first_chunk()?);
    let origin = Origin { parent, index: number(4), depth: number(8) };
    let progress = if head[26] == 0 { Progress::Waits } else { Progress::Expanded };
    Some(Parcel { words, cells, origin, rank, flag: u16::from_le_bytes([head[16], head[17]]), progress })
}

#[inline]
fn put<T: Plain>(values: &[T], out: &mut [u8]) {
    for (value, bytes) in values.iter().zip(out.chunks_exact_mut(size_of::<T>())) {
        bytes.copy_from_slice(value.to_bytes().as_ref());
    }
}

#[inline]
fn take<T: Plain>(bytes: &[u8], out: &mut [T]) {
    for (value, bytes) in out.iter_mut().zip(bytes.chunks_exact(size_of::<T>())) {
        let mut own = T::Bytes::default();
        own.as_mut().copy_from_slice(bytes);
        *value = T::from_bytes(own);
    }
}
