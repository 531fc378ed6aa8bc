//! Blocks of any size up to a chunk: big chunks, no header, freed blocks first.
//!
//! A block is a run of granules of four bytes and is named by its first; who
//! asks for it knows how long it is, mostly from what it holds.

use dwell_base::persist::{Persist, corrupt, put, put_each, take, take_each};
use dwell_base::{Chunk, SpillFile};
use std::collections::HashMap;
use std::io::{self, Read, Write};

/// Bytes of a granule.
pub(super) const GRANULE: usize = 4;

/// Bytes of a chunk.
const CHUNK: usize = 1 << 18;

/// A growable heap.
#[derive(Clone, Debug, Default)]
pub(super) struct Arena {
    chunks: Vec<Chunk<u8>>,
    /// Free blocks by length in granules.
    free: Vec<Vec<u32>>,
}

impl Arena {
    /// A copy of `bytes`, whole granules, at least one and less than a chunk.
    pub fn save(&mut self, bytes: &[u8]) -> u32 {
        let len = bytes.len();
        if let Some(at) = self.free.get_mut(len / GRANULE).and_then(Vec::pop) {
            self.block_mut(at, len).copy_from_slice(bytes);
            return at;
        }
        let used = self.chunks.last().map_or(CHUNK, |chunk| chunk.len());
        if used + len > CHUNK {
            if used < CHUNK {
                // What is left at the end is a block too.
                let last = self.chunks.last_mut().expect("it is being filled");
                (used..CHUNK).for_each(|_| last.push(0));
                let at = ((self.chunks.len() - 1) * CHUNK + used) / GRANULE;
                self.free(at as u32, CHUNK - used);
            }
            // The first chunk grows by doubling so that small runs stay small.
            self.chunks.push(Chunk::with_capacity(if self.chunks.is_empty() { 0 } else { CHUNK }));
        }
        let chunk = self.chunks.len() - 1;
        let at = (chunk * CHUNK + self.chunks[chunk].len()) / GRANULE;
        assert!(at < u32::MAX as usize, "more zones than a key can name");
        self.chunks[chunk].extend_from_slice(bytes);
        at as u32
    }

    /// From a granule to the end of its chunk.
    #[inline]
    pub fn from(&self, at: u32) -> &[u8] {
        let at = at as usize * GRANULE;
        &self.chunks[at / CHUNK][at % CHUNK..]
    }

    /// A block of so many bytes, to be written.
    #[inline]
    pub fn block_mut(&mut self, at: u32, len: usize) -> &mut [u8] {
        let at = at as usize * GRANULE;
        &mut self.chunks[at / CHUNK][at % CHUNK..][..len]
    }

    /// Gives a block of so many bytes up.
    pub fn free(&mut self, at: u32, len: usize) {
        let granules = len / GRANULE;
        if self.free.len() <= granules {
            self.free.resize_with(granules + 1, Vec::new);
        }
        self.free[granules].push(at);
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        let bytes: u64 = self.chunks.iter().map(Chunk::bytes).sum();
        let free: usize = self.free.iter().map(|list| list.capacity() * size_of::<u32>()).sum();
        let headers =
            self.chunks.capacity() * size_of::<Chunk<u8>>() + self.free.capacity() * size_of::<Vec<u32>>();
        bytes + (free + headers) as u64
    }

    /// Every block that is not free; `len` tells how many bytes one has.
    pub fn blocks(&self, len: impl Fn(&[u8]) -> usize) -> io::Result<Vec<u32>> {
        let lists = self.free.iter().enumerate();
        let free: HashMap<u32, usize> =
            lists.flat_map(|(granules, list)| list.iter().map(move |&at| (at, granules * GRANULE))).collect();
        let mut blocks = Vec::new();
        for (number, chunk) in self.chunks.iter().enumerate() {
            let mut start = 0;
            while start < chunk.len() {
                let at = ((number * CHUNK + start) / GRANULE) as u32;
                let bytes = match free.get(&at) {
                    Some(&bytes) => bytes,
                    None => {
                        blocks.push(at);
                        len(&chunk[start..])
                    }
                };
                if bytes == 0 || bytes % GRANULE != 0 || start + bytes > chunk.len() {
                    return Err(corrupt("blocks that do not fill their chunk"));
                }
                start += bytes;
            }
        }
        Ok(blocks)
    }
}

impl Persist for Arena {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        put(out, self.chunks.iter().map(|chunk| chunk.len() as u64).sum::<u64>())?;
        self.chunks.iter().try_for_each(|chunk| put_each(out, chunk))?;
        put(out, self.free.len() as u64)?;
        self.free.iter().try_for_each(|list| list.freeze(out))
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        *self = Self::default();
        let mut left = take::<u64>(from)?;
        while left > 0 {
            let bytes = left.min(CHUNK as u64);
            let mut chunk = Chunk::with_capacity(0);
            take_each(from, bytes, |block: &[u8]| chunk.extend_from_slice(block))?;
            self.chunks.push(chunk);
            left -= bytes;
        }
        let lists = take::<u64>(from)?;
        if lists > (CHUNK / GRANULE) as u64 + 1 {
            return Err(corrupt("free blocks of an impossible size"));
        }
        for _ in 0..lists {
            let mut list = Vec::new();
            list.thaw(from)?;
            self.free.push(list);
        }
        Ok(())
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
    use dwell_base::Rng;

    #[test]
    fn blocks_keep_what_was_put_into_them() {
        let mut rng = Rng::new(1);
        let mut arena = Arena::default();
        let mut kept: Vec<(u32, Vec<u8>)> = Vec::new();
        for round in 0..100_000_u32 {
            if kept.is_empty() || rng.percent(55) {
                let granules = 1 + rng.below(if round % 50 == 0 { 255 } else { 20 }) as usize;
                let block: Vec<u8> = (0..GRANULE * granules).map(|i| (round as usize ^ i) as u8).collect();
                kept.push((arena.save(&block), block));
            } else {
                let (at, block) = kept.swap_remove(rng.below(kept.len() as u64) as usize);
                assert_eq!(&arena.from(at)[..block.len()], block);
                arena.free(at, block.len());
            }
        }
        for (at, block) in kept {
            assert_eq!(&arena.from(at)[..block.len()], block);
        }
    }
}
