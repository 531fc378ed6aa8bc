//! A vector of chunks: grows without ever moving or doubling.
//!
//! The passed list is most of a run's memory. A plain vector that doubles
//! needs three times its size at the moment it grows; this one needs one
//! chunk more.

use crate::persist::{Persist, Plain, put, put_each, take, take_each};
use crate::{Chunk, SpillFile};
use std::io::{self, Read, Write};

/// log2 of the elements in a chunk.
const SHIFT: usize = 14;
const CHUNK: usize = 1 << SHIFT;

/// A growable array of `Copy` elements in chunks of 16,384.
#[derive(Clone, Debug)]
pub struct ChunkedVec<T> {
    chunks: Vec<Chunk<T>>,
    len: usize,
}

impl<T> Default for ChunkedVec<T> {
    fn default() -> Self {
        Self { chunks: Vec::new(), len: 0 }
    }
}

impl<T: Copy> ChunkedVec<T> {
    /// An empty array; allocates nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// True when there is no element.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds an element at the end.
    #[inline]
    pub fn push(&mut self, value: T) {
        if self.len & (CHUNK - 1) == 0 {
            // The first chunk grows by doubling so that small runs stay small.
            self.chunks.push(Chunk::with_capacity(if self.len == 0 { 0 } else { CHUNK }));
        }
        self.chunks[self.len >> SHIFT].push(value);
        self.len += 1;
    }

    /// The `index`-th element.
    #[inline]
    pub fn get(&self, index: usize) -> T {
        self.chunks[index >> SHIFT][index & (CHUNK - 1)]
    }

    /// The place of the `index`-th element.
    #[inline]
    pub fn get_mut(&mut self, index: usize) -> &mut T {
        &mut self.chunks[index >> SHIFT][index & (CHUNK - 1)]
    }

    /// Bytes of storage held.
    pub fn bytes(&self) -> u64 {
        let chunks = self.chunks.iter().map(Chunk::bytes).sum::<u64>();
        chunks + (self.chunks.capacity() * size_of::<Chunk<T>>()) as u64
    }
}

impl<T: Plain> Persist for ChunkedVec<T> {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        put(out, self.len as u64)?;
        self.chunks.iter().try_for_each(|chunk| put_each(out, chunk))
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        *self = Self::default();
        let count = take(from)?;
        take_each(from, count, |block| block.iter().for_each(|&value| self.push(value)))
    }

    fn spill(&mut self, to: &mut SpillFile) -> io::Result<()> {
        // All but the last are full.
        let full = self.chunks.len().saturating_sub(1);
        self.chunks[..full].iter_mut().try_for_each(|chunk| chunk.spill(to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_stay_where_they_were_put() {
        let mut v = ChunkedVec::new();
        assert!(v.is_empty());
        for i in 0..3 * CHUNK + 5 {
            v.push(i);
        }
        *v.get_mut(CHUNK) = 7;
        assert_eq!(v.len(), 3 * CHUNK + 5);
        for i in 0..v.len() {
            assert_eq!(v.get(i), if i == CHUNK { 7 } else { i });
        }
        assert!(v.bytes() >= (v.len() * size_of::<usize>()) as u64);
    }

    #[test]
    fn an_array_is_read_as_it_was_written() {
        let mut v = ChunkedVec::new();
        for i in 0..2 * CHUNK as u32 + 5 {
            v.push(i);
            if i % 9000 == 0 {
                let mut bytes = Vec::new();
                v.freeze(&mut bytes).unwrap();
                let mut read = ChunkedVec::new();
                read.push(1);
                read.thaw(&mut &bytes[..]).unwrap();
                assert!(read.len() == v.len() && (0..v.len()).all(|i| read.get(i) == v.get(i)));
                assert!(read.thaw(&mut &bytes[..bytes.len() - 1]).is_err());
            }
        }
    }
}
