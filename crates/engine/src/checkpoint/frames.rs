//! Bytes in frames, packed and checked.
//!
//! ```text
//!  frame: length of what follows (4 bytes) · a zstd frame with its checksum
//!  inside: number of the frame (8 bytes, highest bit set in the last) · up to 1 MiB
//! ```
//!
//! F-1 A frame is handed out only when its checksum (XXH64 of the unpacked
//!     bytes, cut to 32 bits by zstd) is right and it has the number it should
//!     have: damaged, missing, doubled and exchanged frames are all noticed.
//! F-2 The end is where the last frame ends, nowhere else.

use dwell_base::persist::corrupt;
use std::io::{self, Read, Write};
use zstd::bulk::{Compressor, Decompressor};
use zstd::zstd_safe::{CParameter, compress_bound};

/// Unpacked bytes in a full frame, its number apart.
const FRAME: usize = 1 << 20;
const NUMBER: usize = 8;
const LAST: u64 = 1 << 63;
/// Fast; a state space shrinks to a third and less all the same.
const LEVEL: i32 = 1;

/// Packs what is written.
pub struct FrameWriter<W> {
    out: W,
    /// The frame being filled, its number first.
    frame: Vec<u8>,
    packed: Vec<u8>,
    number: u64,
    compressor: Compressor<'static>,
}

impl<W: Write> FrameWriter<W> {
    pub fn new(out: W) -> io::Result<Self> {
        let mut compressor = Compressor::new(LEVEL)?;
        compressor.set_parameter(CParameter::ChecksumFlag(true))?;
        let packed = Vec::with_capacity(compress_bound(NUMBER + FRAME));
        Ok(Self { out, frame: vec![0; NUMBER], packed, number: 0, compressor })
    }

    fn end_frame(&mut self, mark: u64) -> io::Result<()> {
        self.frame[..NUMBER].copy_from_slice(&(self.number | mark).to_le_bytes());
        self.packed.clear();
        self.compressor.compress_to_buffer(&self.frame, &mut self.packed)?;
        self.out.write_all(&(self.packed.len() as u32).to_le_bytes())?;
        self.out.write_all(&self.packed)?;
        self.number += 1;
        self.frame.truncate(NUMBER);
        Ok(())
    }

    /// Writes the last frame.
    pub fn finish(mut self) -> io::Result<W> {
        self.end_frame(LAST)?;
        Ok(self.out)
    }
}

impl<W: Write> Write for FrameWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.frame.len() == NUMBER + FRAME {
            self.end_frame(0)?;
        }
        let taken = bytes.len().min(NUMBER + FRAME - self.frame.len());
        self.frame.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Unpacks what a [`FrameWriter`] wrote.
pub struct FrameReader<R> {
    from: R,
    frame: Vec<u8>,
    /// Bytes of the frame that were handed out, its number included.
    used: usize,
    packed: Vec<u8>,
    number: u64,
    is_last: bool,
    decompressor: Decompressor<'static>,
}

impl<R: Read> FrameReader<R> {
    pub fn new(from: R) -> io::Result<Self> {
        Ok(Self {
            from,
            frame: Vec::with_capacity(NUMBER + FRAME),
            used: 0,
            packed: Vec::new(),
            number: 0,
            is_last: false,
            decompressor: Decompressor::new()?,
        })
    }

    fn next_frame(&mut self) -> io::Result<()> {
        let mut length = [0; 4];
        self.from.read_exact(&mut length)?;
        let length = u32::from_le_bytes(length) as usize;
        if length > compress_bound(NUMBER + FRAME) {
            return Err(corrupt("a frame of impossible size"));
        }
        self.packed.resize(length, 0);
        self.from.read_exact(&mut self.packed)?;
        self.frame.clear();
        let unpacked = self.decompressor.decompress_to_buffer(&self.packed, &mut self.frame);
        unpacked.map_err(|_| corrupt("a frame does not have its checksum"))?; // F-1
        let number = self.frame.first_chunk().map(|bytes| u64::from_le_bytes(*bytes));
        let number = number.ok_or_else(|| corrupt("a frame without a number"))?;
        if number & !LAST != self.number {
            return Err(corrupt("a frame is not where it should be"));
        }
        self.number += 1;
        self.used = NUMBER;
        self.is_last = number & LAST != 0;
        if self.is_last && self.from.read(&mut [0])? != 0 {
            return Err(corrupt("something follows the last frame")); // F-2
        }
        Ok(())
    }
}

impl<R: Read> Read for FrameReader<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        while self.used == self.frame.len() && !self.is_last {
            self.next_frame()?;
        }
        let given = bytes.len().min(self.frame.len() - self.used);
        bytes[..given].copy_from_slice(&self.frame[self.used..self.used + given]);
        self.used += given;
        Ok(given)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dwell_base::Rng;

    fn framed(bytes: &[u8]) -> Vec<u8> {
        let mut writer = FrameWriter::new(Vec::new()).unwrap();
        writer.write_all(bytes).unwrap();
        writer.finish().unwrap()
    }

    fn unframed(bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut read = Vec::new();
        FrameReader::new(bytes)?.read_to_end(&mut read)?;
        Ok(read)
    }

    /// Some noise, some repetition.
    fn sample(len: usize) -> Vec<u8> {
        let mut rng = Rng::new(len as u64);
        (0..len).map(|i| if i % 5000 < 500 { rng.next_u64() as u8 } else { (i / 7000) as u8 }).collect()
    }

    #[test]
    fn what_goes_in_comes_out() {
        for len in [0, 1, FRAME - 1, FRAME, FRAME + 1, 3 * FRAME, 3 * FRAME + 77] {
            assert!(unframed(&framed(&sample(len))).unwrap() == sample(len), "{len}");
        }
    }

    #[test]
    fn every_damage_is_noticed() {
        let original = sample(2 * FRAME + 1000);
        let bytes = framed(&original);
        let mut rng = Rng::new(1);
        for _ in 0..300 {
            let at = rng.below(bytes.len() as u64) as usize;
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << rng.below(8);
            // Bits that mean nothing to zstd may differ; the content may not.
            assert!(
                unframed(&damaged).is_err_and(|e| e.kind() != io::ErrorKind::Other)
                    || unframed(&damaged).unwrap() == original
            );
            assert!(unframed(&bytes[..at]).is_err());
        }
        let extended = [&bytes[..], &[0]].concat();
        assert!(unframed(&extended).is_err());
        // Frames taken out or exchanged.
        let first = 4 + u32::from_le_bytes(*bytes.first_chunk().unwrap()) as usize;
        assert!(unframed(&bytes[first..]).is_err());
        assert!(unframed(&[&bytes[..first], &bytes].concat()).is_err());
    }
}
