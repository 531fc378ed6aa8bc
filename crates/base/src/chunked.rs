//! A vector of chunks: grows without ever moving or doubling.
//!
//! The passed list is most of a run's memory. A plain vector that doubles
//! needs three times its size at the moment it grows; this one needs one
//! chunk more.

/// log2 of the elements in a chunk.
const SHIFT: usize = 14;
const CHUNK: usize = 1 << SHIFT;

/// A growable array of `Copy` elements in chunks of 16,384.
#[derive(Clone, Debug)]
pub struct ChunkedVec<T> {
    chunks: Vec<Vec<T>>,
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
            self.chunks.push(if self.len == 0 { Vec::new() } else { Vec::with_capacity(CHUNK) });
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
        let cells: usize = self.chunks.iter().map(Vec::capacity).sum();
        (cells * size_of::<T>() + self.chunks.capacity() * size_of::<Vec<T>>()) as u64
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
}
