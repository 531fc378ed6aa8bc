//! Blocks of one size: big chunks, no header per block, freed blocks first.

/// Bytes a full-grown chunk should have.
const CHUNK_BYTES: usize = 1 << 18;

/// Equal blocks of `len` cells, numbered from 0.
#[derive(Clone, Debug)]
pub(super) struct Slab<B> {
    len: usize,
    /// log2 of the blocks in a chunk.
    shift: u32,
    chunks: Vec<Vec<B>>,
    free: Vec<u32>,
    used: u32,
}

impl<B: Copy> Slab<B> {
    /// Blocks of `len` cells; `len` is not zero.
    pub fn new(len: usize) -> Self {
        let blocks = (CHUNK_BYTES / (len * size_of::<B>())).max(1);
        Self { len, shift: blocks.ilog2(), chunks: Vec::new(), free: Vec::new(), used: 0 }
    }

    /// A block for [`Slab::cells_mut`].
    pub fn add(&mut self) -> u32
    where
        B: Default,
    {
        match self.free.pop() {
            Some(block) => block,
            None => self.append(|chunk, len| chunk.resize(chunk.len() + len, B::default())),
        }
    }

    /// Puts `cells` into a block.
    #[inline]
    pub fn save(&mut self, cells: &[B]) -> u32 {
        debug_assert_eq!(cells.len(), self.len);
        if let Some(block) = self.free.pop() {
            self.cells_mut(block).copy_from_slice(cells);
            return block;
        }
        self.append(|chunk, _| chunk.extend_from_slice(cells))
    }

    /// One block more, which `fill` appends to its chunk.
    #[inline]
    fn append(&mut self, fill: impl FnOnce(&mut Vec<B>, usize)) -> u32 {
        let block = self.used;
        assert!(block < u32::MAX, "more zones of one size than a key can name");
        self.used += 1;
        let (chunk, start) = self.place(block);
        if start == 0 {
            // The first chunk grows by doubling so that small runs stay small.
            let capacity = if chunk == 0 { 0 } else { self.len << self.shift };
            self.chunks.push(Vec::with_capacity(capacity));
        }
        fill(&mut self.chunks[chunk], self.len);
        block
    }

    /// The cells of a block.
    #[inline]
    pub fn cells(&self, block: u32) -> &[B] {
        let (chunk, start) = self.place(block);
        &self.chunks[chunk][start..start + self.len]
    }

    /// The same, to be written.
    #[inline]
    pub fn cells_mut(&mut self, block: u32) -> &mut [B] {
        let (chunk, start) = self.place(block);
        &mut self.chunks[chunk][start..start + self.len]
    }

    /// Gives a block up for the next [`Slab::save`].
    pub fn free(&mut self, block: u32) {
        self.free.push(block);
    }

    /// Blocks ever used; numbers stay below.
    pub fn used(&self) -> usize {
        self.used as usize
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        let cells: usize = self.chunks.iter().map(Vec::capacity).sum();
        (cells * size_of::<B>() + self.free.capacity() * size_of::<u32>()) as u64
    }

    #[inline]
    fn place(&self, block: u32) -> (usize, usize) {
        let block = block as usize;
        (block >> self.shift, (block & ((1 << self.shift) - 1)) * self.len)
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

    pub fn iter(&self) -> impl Iterator<Item = &S> {
        self.by_len.iter().flatten().map(|slab| &**slab)
    }
}
