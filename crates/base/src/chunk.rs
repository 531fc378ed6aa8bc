//! A piece of memory filled from its start: on the heap, or in a file.
//!
//! To whoever reads and writes elements both are a pointer and a length: the
//! place is chosen when the chunk is made or [moved](Chunk::spill), not looked
//! at in between.
//!
//! H-1 `start` points to `capacity` elements of which the first `len` are
//!     initialised; nobody else refers to them.
//! H-2 Without a mapping they are the buffer of a vector; with one they lie
//!     inside it, and `capacity` is `len`.

use crate::spill::SpillFile;
use memmap2::MmapRaw;
use std::fmt;
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::sync::Arc;
use std::{io, slice};

/// Elements in one piece.
pub struct Chunk<T> {
    start: NonNull<T>,
    len: usize,
    capacity: usize,
    mapping: Option<Arc<MmapRaw>>,
}

// SAFETY: by H-1 a chunk owns its elements like a vector; a mapping is a range
// of addresses and may be given up by any thread.
unsafe impl<T: Send> Send for Chunk<T> {}
// SAFETY: as above; a shared chunk hands out shared references only.
unsafe impl<T: Sync> Sync for Chunk<T> {}

impl<T> Chunk<T> {
    fn from_vec(elements: Vec<T>) -> Self {
        let mut elements = ManuallyDrop::new(elements);
        let start = NonNull::new(elements.as_mut_ptr()).expect("a vector's pointer is never null");
        Self { start, len: elements.len(), capacity: elements.capacity(), mapping: None }
    }
}

impl<T: Copy> Chunk<T> {
    /// An empty chunk on the heap with room for `capacity` elements.
    pub fn with_capacity(capacity: usize) -> Self {
        Self::from_vec(Vec::with_capacity(capacity))
    }

    /// Adds elements at the end, with more room if there is too little. Not for
    /// a chunk in a file.
    #[inline]
    pub fn extend_from_slice(&mut self, elements: &[T]) {
        if self.capacity - self.len < elements.len() {
            self.grow(elements.len());
        }
        // SAFETY: H-1, and there is room for as many; `elements` cannot lie
        // there, since `self` is borrowed for writing.
        unsafe {
            let end = self.start.as_ptr().add(self.len);
            std::ptr::copy_nonoverlapping(elements.as_ptr(), end, elements.len());
        }
        self.len += elements.len();
    }

    /// Adds an element at the end.
    #[inline]
    pub fn push(&mut self, element: T) {
        self.extend_from_slice(&[element]);
    }

    #[cold]
    fn grow(&mut self, by: usize) {
        assert!(self.mapping.is_none(), "a chunk in a file is full");
        let mut elements = self.take_vec();
        elements.reserve(by);
        *self = Self::from_vec(elements);
    }

    /// The vector whose buffer this is; leaves an empty chunk.
    fn take_vec(&mut self) -> Vec<T> {
        debug_assert!(self.mapping.is_none(), "H-2");
        let (start, len, capacity) = (self.start, self.len, self.capacity);
        (self.start, self.len, self.capacity) = (NonNull::dangling(), 0, 0);
        // SAFETY: H-2: these are the parts of a vector of `T`, and `self` has
        // just forgotten them.
        unsafe { Vec::from_raw_parts(start.as_ptr(), len, capacity) }
    }

    /// Moves the elements to a file and gives their memory back. Nothing can be
    /// added then.
    pub fn spill(&mut self, to: &mut SpillFile) -> io::Result<()> {
        if self.mapping.is_some() || self.len == 0 {
            return Ok(());
        }
        let (mapping, room) = to.room(self.len * size_of::<T>())?;
        let room = room.cast::<T>();
        // SAFETY: the room is as large as the elements, aligned for them
        // (`SpillFile::ALIGN`), and nobody else's.
        unsafe { std::ptr::copy_nonoverlapping(self.start.as_ptr(), room.as_ptr(), self.len) };
        let len = self.len;
        drop(self.take_vec());
        (self.start, self.len, self.capacity, self.mapping) = (room, len, len, Some(mapping));
        Ok(())
    }

    /// Bytes held, in memory or in a file.
    pub fn bytes(&self) -> u64 {
        (self.capacity * size_of::<T>()) as u64
    }
}

impl<T> Deref for Chunk<T> {
    type Target = [T];
    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: H-1.
        unsafe { slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl<T> DerefMut for Chunk<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: H-1.
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

impl<T> Drop for Chunk<T> {
    fn drop(&mut self) {
        if self.mapping.is_none() {
            // SAFETY: H-2. Elements are `Copy`: there is nothing to drop but
            // the buffer.
            drop(unsafe { Vec::from_raw_parts(self.start.as_ptr(), 0, self.capacity) });
        }
    }
}

/// The copy is on the heap.
impl<T: Clone> Clone for Chunk<T> {
    fn clone(&self) -> Self {
        Self::from_vec(self.to_vec())
    }
}

impl<T: fmt::Debug> fmt::Debug for Chunk<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_the_same_wherever_they_are() {
        let mut file = SpillFile::create_in(&std::env::temp_dir()).unwrap();
        let mut chunks: Vec<Chunk<u32>> = Vec::new();
        for n in 0..100u32 {
            let mut chunk = Chunk::with_capacity(n as usize % 3);
            (0..n * 7).for_each(|i| chunk.push(n * 1000 + i));
            if n % 4 != 0 {
                chunk.spill(&mut file).unwrap();
                chunk.spill(&mut file).unwrap();
            }
            chunks.push(chunk);
        }
        file.drop_pages();
        chunks[5][3] = 1;
        file.drop_pages();
        assert_eq!(chunks[5][3], 1);
        chunks[5][3] = 5003;
        let copies = chunks.clone();
        drop(file);
        for (n, chunk) in (0u32..).zip(chunks.iter().chain(&copies)) {
            let n = n % 100;
            assert!((0..n * 7).map(|i| n * 1000 + i).eq(chunk.iter().copied()));
        }
    }

    #[test]
    fn the_file_holds_what_was_moved() {
        let mut file = SpillFile::create_in(&std::env::temp_dir()).unwrap();
        let mut large = Chunk::with_capacity(0);
        large.extend_from_slice(&vec![7u64; 10_000_000]);
        large.spill(&mut file).unwrap();
        let mut small = Chunk::with_capacity(0);
        small.extend_from_slice(&[1u8, 2, 3]);
        small.spill(&mut file).unwrap();
        assert!(file.bytes() >= 80_000_003 && file.bytes() < 81_000_000);
        assert!(large.iter().all(|&x| x == 7) && *small == [1, 2, 3]);
    }
}
