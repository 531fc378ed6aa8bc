//! What a run holds, as bytes, and back.
//!
//! Numbers are little-endian and have their full width; sequences have their
//! length in front. What can be computed again, such as a hash table, is not
//! written.

use crate::SpillFile;
use std::io::{self, Read, Write};

/// Elements that are turned into bytes together.
const BLOCK: usize = 1 << 10;

/// Can be written down, and read back into an empty one that was made in the
/// same way.
///
/// P-1 What is read behaves as what was written, to the last number it hands
///     out. Hints that only save time may be lost.
/// P-2 Bytes that were not written by [`freeze`](Self::freeze) may give an
///     error, or something useless; reading them never allocates more than a
///     fixed multiple of them.
pub trait Persist: Send {
    /// Writes it.
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()>;
    /// Reads it. After an error it is of no use.
    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()>;
    /// Moves what is large and seldom looked at to a file, where it works as
    /// before, and slower; the rest stays. After an error it works all the same.
    fn spill(&mut self, _to: &mut SpillFile) -> io::Result<()> {
        Ok(())
    }
}

impl<T: Persist + ?Sized> Persist for Box<T> {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        (**self).freeze(out)
    }
    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        (**self).thaw(from)
    }
    fn spill(&mut self, to: &mut SpillFile) -> io::Result<()> {
        (**self).spill(to)
    }
}

/// A value of fixed size.
pub trait Plain: Copy + Send {
    /// An array of bytes.
    type Bytes: AsRef<[u8]> + AsMut<[u8]> + Copy + Default;
    /// The value as bytes.
    fn to_bytes(self) -> Self::Bytes;
    /// The value that gave these bytes.
    fn from_bytes(bytes: Self::Bytes) -> Self;
}

macro_rules! plain {
    ($($number:ty)*) => {$(
        impl Plain for $number {
            type Bytes = [u8; size_of::<$number>()];
            #[inline]
            fn to_bytes(self) -> Self::Bytes {
                self.to_le_bytes()
            }
            #[inline]
            fn from_bytes(bytes: Self::Bytes) -> Self {
                Self::from_le_bytes(bytes)
            }
        }
    )*};
}
plain!(u8 u16 u32 u64 i16 i32 i64);

/// Not what was written.
pub fn corrupt(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// Writes a value.
pub fn put<T: Plain>(out: &mut dyn Write, value: T) -> io::Result<()> {
    out.write_all(value.to_bytes().as_ref())
}

/// Reads a value.
pub fn take<T: Plain>(from: &mut dyn Read) -> io::Result<T> {
    let mut bytes = T::Bytes::default();
    from.read_exact(bytes.as_mut())?;
    Ok(T::from_bytes(bytes))
}

/// Writes values, not how many there are.
pub fn put_each<T: Plain>(out: &mut dyn Write, values: &[T]) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(BLOCK.min(values.len()) * size_of::<T::Bytes>());
    for block in values.chunks(BLOCK) {
        bytes.clear();
        block.iter().for_each(|value| bytes.extend_from_slice(value.to_bytes().as_ref()));
        out.write_all(&bytes)?;
    }
    Ok(())
}

/// Reads `count` values and hands them out in blocks.
pub fn take_each<T: Plain>(from: &mut dyn Read, count: u64, mut each: impl FnMut(&[T])) -> io::Result<()> {
    let mut bytes = vec![0; BLOCK * size_of::<T::Bytes>()];
    let mut values = Vec::with_capacity(BLOCK);
    let mut left = count;
    while left > 0 {
        let block = left.min(BLOCK as u64);
        let bytes = &mut bytes[..block as usize * size_of::<T::Bytes>()];
        from.read_exact(bytes)?;
        values.clear();
        values.extend(bytes.chunks_exact(size_of::<T::Bytes>()).map(|chunk| {
            let mut one = T::Bytes::default();
            one.as_mut().copy_from_slice(chunk);
            T::from_bytes(one)
        }));
        each(&values);
        left -= block;
    }
    Ok(())
}

impl<T: Plain> Persist for Vec<T> {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        put(out, self.len() as u64)?;
        put_each(out, self)
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.clear();
        let count = take(from)?;
        take_each(from, count, |block| self.extend_from_slice(block))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut bytes = Vec::new();
        let numbers: Vec<i16> = (0..3000).map(|i| i - 1500).collect();
        put(&mut bytes, 7u8).unwrap();
        numbers.freeze(&mut bytes).unwrap();
        put(&mut bytes, -1i64).unwrap();
        let mut from = &bytes[..];
        assert_eq!(take::<u8>(&mut from).unwrap(), 7);
        let mut read = vec![1i16];
        read.thaw(&mut from).unwrap();
        assert_eq!(read, numbers);
        assert_eq!(take::<i64>(&mut from).unwrap(), -1);
        assert!(take::<u8>(&mut from).is_err());
    }

    #[test]
    fn a_length_that_is_too_large_is_an_error() {
        let mut bytes = Vec::new();
        put(&mut bytes, u64::MAX).unwrap();
        bytes.extend([0; 100]);
        assert!(Vec::<u64>::new().thaw(&mut &bytes[..]).is_err());
    }
}
