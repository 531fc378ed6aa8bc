//! Blocks of one size: big chunks, no header per block, freed blocks first.

use dwell_base::persist::{Persist, Plain, corrupt, put, put_each, take, take_each};
use dwell_base::{Chunk, SpillFile};
use std::io::{self, Read, Write};

/// Bytes a full-grown chunk should have.
const CHUNK_BYTES: usize = 1 << 18;

/// More cells than a zone of the largest model has.
const MAX_LEN: u64 = 1 << 28;

/// Equal blocks of `len` cells, numbered from 0.
#[derive(Clone, Debug)]
pub(super) struct Slab<B> {
    len: usize,
    /// log2 of the blocks in a chunk.
    shift: u32,
    chunks: Vec<Chunk<B>>,
    free: Vec<u32>,
    used: u32,
}

impl<B: Copy> Slab<B> {
    /// Blocks of `len` cells; `len` is not zero.
    pub fn new(len: usize) -> Self {
        let blocks = (CHUNK_BYTES / (len * size_of::<B>())).max(1);
        Self { len, shift: blocks.ilog2(), chunks: Vec::new(), free: Vec::new(), used: 0 }
    }

    /// Puts `cells` into a block.
    #[inline]
    pub fn save(&mut self, cells: &[B]) -> u32 {
        debug_assert_eq!(cells.len(), self.len);
        if let Some(block) = self.free.pop() {
            self.cells_mut(block).copy_from_slice(cells);
            return block;
        }
        let block = self.used;
        assert!(block < u32::MAX, "more zones of one size than a key can name");
        self.used += 1;
        let (chunk, start) = self.place(block);
        if start == 0 {
            // The first chunk grows by doubling so that small runs stay small.
            let capacity = if chunk == 0 { 0 } else { self.len << self.shift };
            self.chunks.push(Chunk::with_capacity(capacity));
        }
        self.chunks[chunk].extend_from_slice(cells);
        block
    }

    /// The cells of a block.
    #[inline]
    pub fn cells(&self, block: u32) -> &[B] {
        let (chunk, start) = self.place(block);
        &self.chunks[chunk][start..start + self.len]
    }

    #[inline]
    fn cells_mut(&mut self, block: u32) -> &mut [B] {
        let (chunk, start) = self.place(block);
        &mut self.chunks[chunk][start..start + self.len]
    }

    /// Gives a block up for the next [`Slab::save`].
    pub fn free(&mut self, block: u32) {
        self.free.push(block);
    }

    /// The blocks that are not free.
    pub fn blocks(&self) -> Vec<u32> {
        let mut used = vec![true; self.used()];
        self.free.iter().for_each(|&block| used[block as usize] = false);
        (0..self.used).filter(|&block| used[block as usize]).collect()
    }

    /// Blocks ever used; numbers stay below.
    pub fn used(&self) -> usize {
        self.used as usize
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        let headers = self.chunks.capacity() * size_of::<Chunk<B>>();
        let free = self.free.capacity() * size_of::<u32>();
        self.chunks.iter().map(Chunk::bytes).sum::<u64>() + (headers + free) as u64
    }

    #[inline]
    fn place(&self, block: u32) -> (usize, usize) {
        let block = block as usize;
        (block >> self.shift, (block & ((1 << self.shift) - 1)) * self.len)
    }
}

impl<B: Plain> Persist for Slab<B> {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        put(out, self.used)?;
        self.chunks.iter().try_for_each(|chunk| put_each(out, chunk))?;
        self.free.freeze(out)
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        *self = Self::new(self.len);
        let used = take::<u32>(from)?;
        let mut block = Vec::with_capacity(self.len);
        for _ in 0..used {
            block.clear();
            take_each(from, self.len as u64, |cells| block.extend_from_slice(cells))?;
            self.save(&block);
        }
        self.free.thaw(from)?;
        let known = self.free.iter().all(|&block| block < used);
        if known { Ok(()) } else { Err(corrupt("a free block that never was used")) }
    }

    fn spill(&mut self, to: &mut SpillFile) -> io::Result<()> {
        // All but the last are full.
        let full = self.chunks.len().saturating_sub(1);
        self.chunks[..full].iter_mut().try_for_each(|chunk| chunk.spill(to))
    }
}

/// One slab for each block size that occurs.
#[derive(Clone, Debug)]
pub(super) struct Slabs<S> {
    by_len: Vec<Option<Box<S>>>,
}

impl<S> Slabs<S> {
    pub fn new() -> Self {
        Self { by_len: Vec::new() }
    }

    #[inline]
    pub fn get(&self, len: usize) -> &S {
        self.by_len[len].as_ref().expect("a key of this size was handed out")
    }

    #[inline]
    pub fn get_mut(&mut self, len: usize, new: impl FnOnce(usize) -> S) -> &mut S {
        if len >= self.by_len.len() {
            self.by_len.resize_with(len + 1, || None);
        }
        self.by_len[len].get_or_insert_with(|| Box::new(new(len)))
    }

    /// The block sizes.
    pub fn lengths(&self) -> Vec<u64> {
        let sizes = self.by_len.iter().enumerate();
        sizes.filter(|(_, slab)| slab.is_some()).map(|(len, _)| len as u64).collect()
    }

    pub fn iter(&self) -> impl Iterator<Item = &S> {
        self.by_len.iter().flatten().map(|slab| &**slab)
    }

    /// Bytes held; `of` tells those of a slab.
    pub fn bytes(&self, of: fn(&S) -> u64) -> u64 {
        let table = self.by_len.capacity() * size_of::<Option<Box<S>>>();
        table as u64 + self.iter().map(|slab| of(slab) + size_of::<S>() as u64).sum::<u64>()
    }
}

impl<S: Persist> Slabs<S> {
    pub fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        put(out, self.iter().count() as u64)?;
        for (len, slab) in self.by_len.iter().enumerate() {
            if let Some(slab) = slab {
                put(out, len as u64)?;
                slab.freeze(out)?;
            }
        }
        Ok(())
    }

    /// `new` makes an empty slab of blocks of a length.
    pub fn thaw(&mut self, from: &mut dyn Read, new: impl Fn(usize) -> S) -> io::Result<()> {
        for _ in 0..take::<u64>(from)? {
            let len = take::<u64>(from)?;
            if len == 0 || len > MAX_LEN {
                return Err(corrupt("blocks of an impossible size"));
            }
            self.get_mut(len as usize, &new).thaw(from)?;
        }
        Ok(())
    }

    pub fn spill(&mut self, to: &mut SpillFile) -> io::Result<()> {
        self.by_len.iter_mut().flatten().try_for_each(|slab| slab.spill(to))
    }
}
