//! Stores that forget: how large, how exact, and how people write it.
//!
//! `bit-state[:SIZE[,K]]`, `hash-compact[:SIZE[,BITS]]`,
//! `hash-compact-zone[:SIZE[,BITS]]`; after the numbers, words: what happens
//! when a table of signatures is full (`stop`, `skip`), where the signature of
//! a state is put (`independent`, `from-signature`), by which functions a
//! state is hashed to bits (`universal`, `positional`), and whether all states
//! are kept beside the table to count those it takes for others (`audit`).

use crate::plan::StoreName;
use std::fmt;

/// Bytes where nothing was said; as large as the largest of paper 1.
const DEFAULT_BYTES: u64 = 64 << 20;
/// Bits of a signature where nothing was said; those of paper 1.
const DEFAULT_BITS: u32 = 47;
/// Functions of a bit table where nothing was said.
const DEFAULT_HASHES: u32 = 3;
/// Signatures shorter than paper 1's shortest say too little.
const BITS: std::ops::RangeInclusive<u32> = 7..=63;
/// More functions fill a table faster than they help.
const HASHES: std::ops::RangeInclusive<u32> = 1..=32;
const SMALLEST: u64 = 1 << 10;

/// The table of a store that forgets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table {
    /// Of the whole table.
    pub bytes: u64,
    /// Of a signature.
    pub bits: u32,
    /// Bits set for each state of a bit table.
    pub hashes: u32,
    /// A state that finds no room is explored and not remembered.
    pub skip_when_full: bool,
    /// The place of a signature comes from itself (Wolper, Leroy) and not from
    /// a hash of its own (Stern, Dill).
    pub from_signature: bool,
    /// The hash function of paper 1 (algorithm 5), which has no seed, instead
    /// of members of a universal family.
    pub positional: bool,
    /// Omissions are counted with an exact set; for comparison.
    pub audit: bool,
}

impl Default for Table {
    fn default() -> Self {
        Self {
            bytes: DEFAULT_BYTES,
            bits: DEFAULT_BITS,
            hashes: DEFAULT_HASHES,
            skip_when_full: false,
            from_signature: false,
            positional: false,
            audit: false,
        }
    }
}

impl Table {
    /// What stands behind the colon.
    pub fn parse(store: StoreName, text: &str) -> Result<Self, String> {
        let mut table = Self::default();
        let mut fields = text.split(',').map(str::trim).peekable();
        if let Some(size) = fields.next_if(|field| field.starts_with(|c: char| c.is_ascii_digit())) {
            table.bytes = dwell_base::units::size(size)?;
            if table.bytes < SMALLEST {
                return Err(format!("a table of {size} is too small; 1KiB is the least"));
            }
        }
        if let Some(number) = fields.next_if(|field| field.starts_with(|c: char| c.is_ascii_digit())) {
            let (value, range, what) = match store {
                StoreName::BitState => (&mut table.hashes, HASHES, "hash functions"),
                _ => (&mut table.bits, BITS, "bits of a signature"),
            };
            *value =
                number.parse().ok().filter(|n| range.contains(n)).ok_or_else(|| {
                    format!("'{number}': {what} may be {} to {}", range.start(), range.end())
                })?;
        }
        for word in fields {
            match (store, word) {
                (StoreName::BitState, "universal") => table.positional = false,
                (StoreName::BitState, "positional") => (table.positional, table.hashes) = (true, 1),
                (StoreName::HashCompact | StoreName::HashCompactZone, "stop") => table.skip_when_full = false,
                (StoreName::HashCompact | StoreName::HashCompactZone, "skip") => table.skip_when_full = true,
                (StoreName::BitState | StoreName::HashCompact, "audit") => table.audit = true,
                (StoreName::HashCompact, "independent") => table.from_signature = false,
                (StoreName::HashCompact, "from-signature") => table.from_signature = true,
                _ => {
                    let words = match store {
                        StoreName::BitState => "universal or positional, audit",
                        StoreName::HashCompact => "stop or skip, independent or from-signature, audit",
                        _ => "stop or skip",
                    };
                    return Err(format!("'{word}': after the numbers there may be {words}"));
                }
            }
        }
        Ok(table)
    }

    /// As it would be written for this store, all of it.
    pub fn show(self, store: StoreName) -> impl fmt::Display {
        let size = dwell_base::units::exact_size(self.bytes);
        let full = if self.skip_when_full { "skip" } else { "stop" };
        let audit = if self.audit { ",audit" } else { "" };
        match store {
            StoreName::BitState => {
                let hash = if self.positional { "positional" } else { "universal" };
                format!("{size},{},{hash}{audit}", self.hashes)
            }
            StoreName::HashCompact => {
                let place = if self.from_signature { "from-signature" } else { "independent" };
                format!("{size},{},{full},{place}{audit}", self.bits)
            }
            _ => format!("{size},{},{full}", self.bits),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_and_shown() {
        for (store, text, shown) in [
            (StoreName::BitState, "16MiB", "16MiB,3,universal"),
            (StoreName::BitState, "16MiB,1,positional", "16MiB,1,positional"),
            (StoreName::BitState, "1KiB,2,audit", "1KiB,2,universal,audit"),
            (StoreName::HashCompact, "1KiB,7", "1KiB,7,stop,independent"),
            (StoreName::HashCompact, "1KiB,7,audit,skip", "1KiB,7,skip,independent,audit"),
            (StoreName::HashCompact, "skip,from-signature", "64MiB,47,skip,from-signature"),
            (StoreName::HashCompactZone, "1.5GiB,63,skip", "1536MiB,63,skip"),
        ] {
            let table = Table::parse(store, text).expect(text);
            assert_eq!(table.show(store).to_string(), shown);
            assert_eq!(Table::parse(store, shown), Ok(table));
        }
        for (store, text) in [
            (StoreName::BitState, ""),
            (StoreName::BitState, "16"),
            (StoreName::BitState, "1B"),
            (StoreName::BitState, "16MiB,0"),
            (StoreName::BitState, "16MiB,3,skip"),
            (StoreName::HashCompact, "16MiB,6"),
            (StoreName::HashCompact, "16MiB,64"),
            (StoreName::HashCompact, "16MiB,47,perhaps"),
            (StoreName::HashCompact, "0.1KiB"),
            (StoreName::HashCompactZone, "1MiB,47,from-signature"),
            (StoreName::HashCompactZone, "1MiB,47,audit"),
        ] {
            assert!(Table::parse(store, text).is_err(), "{text}");
        }
    }
}
