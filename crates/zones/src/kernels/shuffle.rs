//! Packing and unpacking with some clocks inactive, eight 16-bit cells at a time.
//!
//! The active columns of a row are a bit mask; each byte of it selects a byte shuffle
//! that squeezes eight cells together, or spreads them out again. Only for AVX2, 16
//! bits and at most 64 clocks; everything else goes cell by cell.

use std::arch::x86_64::*;

/// For every mask of eight lanes a byte shuffle.
#[repr(C, align(16))]
struct Tables {
    /// Moves the lanes in the mask to the front.
    squeeze: [[u8; 16]; 256],
    /// Moves lanes from the front to their places; high bit set in the other lanes.
    spread: [[u8; 16]; 256],
}

static TABLES: Tables = Tables::new();

/// The 16 bytes from 2n on move n lanes to the front.
static SLIDE: [u8; 32] = {
    let mut bytes = [0x80; 32];
    let mut byte = 0;
    while byte < 16 {
        bytes[byte] = byte as u8;
        byte += 1;
    }
    bytes
};

impl Tables {
    const fn new() -> Self {
        let mut tables = Self { squeeze: [[0x80; 16]; 256], spread: [[0x80; 16]; 256] };
        let mut mask = 0;
        while mask < 256 {
            let (mut lane, mut rank) = (0, 0);
            while lane < 8 {
                if mask >> lane & 1 == 1 {
                    let (low, high) = (2 * lane as u8, 2 * rank as u8);
                    tables.squeeze[mask][2 * rank] = low;
                    tables.squeeze[mask][2 * rank + 1] = low + 1;
                    tables.spread[mask][2 * lane] = high;
                    tables.spread[mask][2 * lane + 1] = high + 1;
                    rank += 1;
                }
                lane += 1;
            }
            mask += 1;
        }
        tables
    }
}

/// Bits of the active indices.
#[inline(always)]
fn mask_of(active: &[u16]) -> u64 {
    active.iter().fold(0, |mask, &i| mask | 1 << i)
}

/// Rows `active` of a matrix, columns `active` but the diagonal, to `out`.
///
/// # Safety
///
/// AVX2 is there; the matrix has rows of `stride` cells, a multiple of 8 and at most
/// 64, for all `active` indices; `out` has m (m - 1) cells for m active indices.
#[target_feature(enable = "avx2,popcnt")]
pub unsafe fn pack(cells: *const i16, stride: usize, active: &[u16], out: &mut [i16]) {
    let mask = mask_of(active);
    let (to, len) = (out.as_mut_ptr(), out.len());
    let mut at = 0;
    for &i in active {
        let mut left = mask & !(1 << i);
        // SAFETY: row i; its groups of eight end with the last active column.
        let mut from = unsafe { cells.add(i as usize * stride) };
        while left != 0 {
            let lanes = (left & 0xFF) as usize;
            // SAFETY: eight cells at `from`; the table has a shuffle for every byte.
            let moved = unsafe {
                let shuffle = _mm_load_si128(TABLES.squeeze.get_unchecked(lanes).as_ptr().cast());
                _mm_shuffle_epi8(_mm_loadu_si128(from.cast()), shuffle)
            };
            let count = lanes.count_ones() as usize;
            // SAFETY: `at` + `count` cells are in `out`; a whole vector only where it fits,
            // and what spills over is written again.
            unsafe {
                if at + 8 <= len {
                    _mm_storeu_si128(to.add(at).cast(), moved);
                } else {
                    let mut rest = [0i16; 8];
                    _mm_storeu_si128(rest.as_mut_ptr().cast(), moved);
                    to.add(at).copy_from_nonoverlapping(rest.as_ptr(), count);
                }
                from = from.add(8);
            }
            at += count;
            left >>= 8;
        }
    }
}

/// The inverse: whole rows, diagonal included; the padding is left as it is. An
/// inactive clock is free: its row is infinite, and the distance to it is the distance
/// to zero.
///
/// # Safety
///
/// AVX2 is there; the matrix has `dim` rows of `stride` cells, a multiple of 8 and at
/// most 64; `active` starts with 0 and lies below `dim`; `packed` has m (m - 1) cells.
#[target_feature(enable = "avx2,popcnt")]
pub unsafe fn unpack(packed: &[i16], active: &[u16], cells: *mut i16, dim: usize, stride: usize) {
    let mask = mask_of(active);
    let inf = _mm_set1_epi16(i16::MAX);
    let iota = _mm_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7);
    let groups = dim.div_ceil(8);
    // All ones in the lanes of the last group that are beyond `dim`.
    let padding = _mm_cmpgt_epi16(iota, _mm_set1_epi16((dim as i32 - 8 * (groups as i32 - 1) - 1) as i16));
    let mut few = [0i16; 8];
    let eights = if packed.len() < 8 {
        few[..packed.len()].copy_from_slice(packed);
        &few[..]
    } else {
        packed
    };
    let (source, last) = (eights.as_ptr(), eights.len() - 8);
    let mut at = 0;
    for i in 0..dim {
        // SAFETY: row i.
        let row = unsafe { cells.add(i * stride) };
        // No branch on whether a clock is active: that is hard to foresee, and a
        // row without columns comes out right.
        let active = 0u64.wrapping_sub(mask >> i & 1);
        // To an inactive clock it is as far as to zero.
        let free = if i == 0 { 1 } else { packed.get(at).copied().unwrap_or(i16::MAX) };
        let free = _mm_set1_epi16(free & active as i16 | i16::MAX & !active as i16);
        let mut left = mask & !(1 << i) & active;
        for group in 0..groups {
            let lanes = (left & 0xFF) as usize;
            left >>= 8;
            // The last eight cells instead of eight from `at`, where there are less.
            let from = at.min(last);
            // SAFETY: `from` is at most `last`, `at` at most 8 more: there are that many
            // cells. Eight cells of row i; the tables have a shuffle for each of nine
            // distances and for every byte.
            unsafe {
                let eight = _mm_loadu_si128(source.add(from).cast());
                let slide = _mm_loadu_si128(SLIDE.as_ptr().add(2 * (at - from)).cast());
                let eight = _mm_shuffle_epi8(eight, slide);
                let shuffle = _mm_load_si128(TABLES.spread.get_unchecked(lanes).as_ptr().cast());
                let mut moved = _mm_blendv_epi8(_mm_shuffle_epi8(eight, shuffle), free, shuffle);
                if group + 1 == groups {
                    moved = _mm_blendv_epi8(moved, inf, padding);
                }
                _mm_storeu_si128(row.add(8 * group).cast(), moved);
            }
            at += lanes.count_ones() as usize;
        }
        // SAFETY: the diagonal lies in row i.
        unsafe { *row.add(i) = 1 };
    }
}
