//! The variables of the network while their ids are not settled.

use dwell_model::{Network, Var, VarId};

use super::storage::Space;

/// The variables of the network while their ids are not settled.
#[derive(Debug, Default)]
pub(super) struct Slots {
    pending: [Vec<Var>; 3],
    bases: Option<[u32; 3]>,
}

impl Slots {
    const SHIFT: u32 = 30;

    fn kind(space: Space) -> usize {
        match space {
            Space::State => 0,
            Space::Meta => 1,
            _ => 2,
        }
    }

    /// True once ids are final; from then on only constants can be added.
    pub fn settled(&self) -> bool {
        self.bases.is_some()
    }

    /// Variables so far.
    pub fn total(&self, network: &Network) -> u64 {
        self.pending.iter().map(Vec::len).sum::<usize>() as u64 + network.vars.len() as u64
    }

    /// The number of the next slot of a kind.
    pub fn next(&self, space: Space, network: &Network) -> u32 {
        match self.bases {
            None => self.pending[Self::kind(space)].len() as u32,
            Some(bases) => network.vars.len() as u32 - bases[2],
        }
    }

    /// Adds a variable.
    pub fn push(&mut self, space: Space, var: Var, network: &mut Network) {
        match self.bases {
            None => self.pending[Self::kind(space)].push(var),
            Some(_) => network.vars.push(var),
        }
    }

    /// The id of a slot: its final one, or one that says where it will be.
    pub fn id(&self, space: Space, slot: u32) -> VarId {
        let kind = Self::kind(space);
        match self.bases {
            None => VarId(slot | (kind as u32 + 1) << Self::SHIFT),
            Some(bases) => VarId(bases[kind] + slot),
        }
    }

    /// The variable behind an id.
    pub fn var<'s>(&'s self, id: VarId, network: &'s Network) -> Option<&'s Var> {
        match self.bases {
            None => {
                let kind = (id.0 >> Self::SHIFT).checked_sub(1)?;
                self.pending.get(kind as usize)?.get((id.0 & ((1 << Self::SHIFT) - 1)) as usize)
            }
            Some(_) => network.vars.get(id.index()),
        }
    }

    /// Gives all variables their ids, ordered by kind.
    pub fn settle(&mut self, network: &mut Network) {
        let mut bases = [0; 3];
        for (base, pending) in bases.iter_mut().zip(&mut self.pending) {
            *base = network.vars.len() as u32;
            network.vars.append(pending);
        }
        self.bases = Some(bases);
    }
}
