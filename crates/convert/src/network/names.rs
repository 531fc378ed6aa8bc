//! Names for what a network has numbers for.

use std::collections::HashSet;

/// Hands out names, each once, made of letters, digits and `_`.
#[derive(Debug)]
pub(super) struct Names {
    taken: HashSet<String>,
}

impl Names {
    /// With words that cannot be names.
    pub fn new(reserved: &[&str]) -> Self {
        Self { taken: reserved.iter().map(|&word| word.to_owned()).collect() }
    }

    /// A name like `wanted`: `P(1).x[2]` becomes `P_1_x_2`.
    pub fn pick(&mut self, wanted: &str) -> String {
        let mut name = String::new();
        for c in wanted.chars() {
            if c.is_ascii_alphanumeric() || c == '_' {
                name.push(c);
            } else if !name.ends_with('_') && !name.is_empty() {
                name.push('_');
            }
        }
        let mut name = name.trim_end_matches('_').to_owned();
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            name.insert(0, '_');
        }
        let base = name.clone();
        let mut count = 1;
        while !self.taken.insert(name.clone()) {
            count += 1;
            name = format!("{base}_{count}");
        }
        name
    }
}

/// Slots of a network as variables and arrays.
///
/// Slots that are picked by an index together form an array; any other slot is
/// a variable of its own.
#[derive(Debug)]
pub(super) struct Slots {
    pub blocks: Vec<Block>,
    /// Block of each slot.
    block_of: Vec<usize>,
}

/// A variable, or an array of several slots.
#[derive(Debug)]
pub(super) struct Block {
    pub first: usize,
    pub len: usize,
    pub name: String,
}

impl Slots {
    /// `arrays` are the ranges (first slot and length) that are picked from.
    /// An error where two of them overlap without being the same.
    pub fn new(
        slots: &[&str],
        arrays: impl IntoIterator<Item = (usize, usize)>,
        names: &mut Names,
    ) -> Result<Self, String> {
        let mut starts: Vec<Option<usize>> = vec![None; slots.len()];
        let mut inside = vec![false; slots.len()];
        let arrays: HashSet<(usize, usize)> = arrays.into_iter().filter(|&(_, len)| len > 0).collect();
        for &(first, len) in &arrays {
            starts[first] = Some(len);
            inside[first..first + len].iter_mut().for_each(|slot| *slot = true);
        }
        let covered: usize = arrays.iter().map(|&(_, len)| len).sum();
        if covered != inside.iter().filter(|&&slot| slot).count() {
            return Err("an array is used as a whole and in parts".into());
        }
        let mut this = Self { blocks: Vec::new(), block_of: Vec::new() };
        while this.block_of.len() < slots.len() {
            let first = this.block_of.len();
            let len = starts[first].unwrap_or(1);
            let wanted =
                if starts[first].is_some() { slots[first].trim_end_matches("[0]") } else { slots[first] };
            this.block_of.extend(std::iter::repeat_n(this.blocks.len(), len));
            this.blocks.push(Block { first, len, name: names.pick(wanted) });
        }
        // An array of one element is an array all the same.
        for (i, block) in this.blocks.iter_mut().enumerate() {
            debug_assert_eq!(this.block_of[block.first], i);
            if starts[block.first].is_none() {
                block.len = 0;
            }
        }
        Ok(this)
    }

    /// How a slot is written.
    pub fn slot(&self, slot: usize) -> String {
        let block = &self.blocks[self.block_of[slot]];
        if block.is_array() { format!("{}[{}]", block.name, slot - block.first) } else { block.name.clone() }
    }

    /// The name of the array that starts at a slot.
    pub fn array(&self, first: usize) -> &str {
        &self.blocks[self.block_of[first]].name
    }
}

impl Block {
    /// Whether it is an array; then `len` counts its elements.
    pub fn is_array(&self) -> bool {
        self.len > 0
    }

    /// Number of slots.
    pub fn slots(&self) -> usize {
        self.len.max(1)
    }
}
