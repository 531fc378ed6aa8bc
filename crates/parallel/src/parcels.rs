//! States as bytes.
//!
//! ```text
//!  0        4       8       12          16     18     26      26 + 8w
//!  | parent | index | depth | cells (n) | flag | rank | words | cells |
//! ```
//!
//! The discrete part is packed as in the stores, the zone is over the active
//! clocks, without its diagonal: what the `copy` store keeps of a state. All
//! numbers are little-endian. The parent is a state of the sender.

use dwell_base::persist::Plain;
use dwell_explore::{Origin, Parcel, Parent, Worker};
use dwell_zones::Bound;

/// Bytes in front of the words.
const HEAD: usize = 26;
/// No parent.
const NO_PARENT: u32 = u32::MAX;

/// Appends a state to a batch.
#[inline]
pub(crate) fn write<B: Bound>(parcel: &Parcel<'_, B>, out: &mut Vec<u8>) {
    let Parcel { words, cells, origin, rank, flag } = *parcel;
    let start = out.len();
    out.resize(start + HEAD + size_of_val(words) + size_of_val(cells), 0);
    let (head, body) = out[start..].split_at_mut(HEAD);
    let parent = origin.local().unwrap_or(NO_PARENT);
    head[0..4].copy_from_slice(&parent.to_le_bytes());
    head[4..8].copy_from_slice(&origin.index.to_le_bytes());
    head[8..12].copy_from_slice(&origin.depth.to_le_bytes());
    head[12..16].copy_from_slice(&(cells.len() as u32).to_le_bytes());
    head[16..18].copy_from_slice(&flag.to_le_bytes());
    head[18..26].copy_from_slice(&rank.to_le_bytes());
    let (first, second) = body.split_at_mut(8 * words.len());
    put(words, first);
    put(cells, second);
}

/// Takes the first state off a batch from this worker; `None` at its end, and
/// where the bytes are no batch.
#[inline]
pub(crate) fn read<'a, B: Bound>(
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
    let parent = match number(0) {
        NO_PARENT => Parent::None,
        node => Parent::Elsewhere { worker: from, node },
    };
    let rank = i64::from_le_bytes(*head[18..].first_chunk()?);
    let origin = Origin { parent, index: number(4), depth: number(8) };
    Some(Parcel { words, cells, origin, rank, flag: u16::from_le_bytes([head[16], head[17]]) })
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

#[cfg(test)]
mod tests {
    use super::*;
    use dwell_explore::NodeId;
    use proptest::prelude::*;

    fn origin(parent: Option<u32>, index: u32, depth: u32) -> Origin {
        Origin { depth, ..Origin::here(parent.map(NodeId), index) }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            states in prop::collection::vec(
                (any::<[u64; 2]>(), prop::collection::vec(any::<i16>(), 0..9), any::<(u32, u32, i64, u16)>()),
                0..20,
            )
        ) {
            let mut batch = Vec::new();
            for (words, cells, (node, index, rank, flag)) in &states {
                let origin = origin((*node != NO_PARENT).then_some(*node), *index, node ^ index);
                write(&Parcel { words, cells, origin, rank: *rank, flag: *flag }, &mut batch);
            }
            let mut rest = &batch[..];
            let (mut words, mut cells) = ([0; 2], [0i16; 9]);
            for (expected_words, expected_cells, (node, index, rank, flag)) in &states {
                let parcel = read(3, &mut rest, &mut words, &mut cells).unwrap();
                prop_assert_eq!(parcel.words, expected_words);
                prop_assert_eq!(parcel.cells, &expected_cells[..]);
                prop_assert_eq!((parcel.origin.index, parcel.rank, parcel.flag), (*index, *rank, *flag));
                let parent = match *node {
                    NO_PARENT => Parent::None,
                    node => Parent::Elsewhere { worker: 3, node },
                };
                prop_assert_eq!(parcel.origin.parent, parent);
            }
            prop_assert!(read(3, &mut rest, &mut words, &mut cells).is_none());
        }

        #[test]
        fn other_bytes_are_no_batch(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let mut rest = &bytes[..];
            let (mut words, mut cells) = ([0; 2], [0i16; 9]);
            while read(0, &mut rest, &mut words, &mut cells).is_some() {}
        }
    }
}
