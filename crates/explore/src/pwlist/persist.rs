//! A list written down between two states, and read again; and one that does
//! not fit into memory.
//!
//! What is read is checked as far as numbers must name something that is
//! there. Whether zones and discrete states are those of the model is for the
//! checksums of whoever keeps the bytes.

use super::nodes::NONE;
use super::{LONG_LIST, LongList, Passing, PwList};
use crate::{KeyStore, Order, TraceStore, ZoneStore};
use dwell_base::SpillFile;
use dwell_base::persist::{Persist, corrupt, put, take};
use dwell_zones::Bound;
use std::io::{self, Read, Write};

impl<B: Bound, K: KeyStore, Z: ZoneStore<B>, C: Send, O: Order, T: TraceStore> Persist
    for PwList<B, K, Z, C, O, T>
{
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        self.keys.freeze(out)?;
        self.zones.freeze(out)?;
        self.order.freeze(out)?;
        self.trace.freeze(out)?;
        if let Passing::Approximate { passed, .. } = &self.passing {
            passed.freeze(out)?;
        }
        self.heads.freeze(out)?;
        put(out, self.long.len() as u64)?;
        self.long.iter().try_for_each(|list| list.freeze(out))?;
        self.unused_long.freeze(out)?;
        self.nodes.freeze(out)?;
        self.flags.as_ref().map_or(Ok(()), |flags| flags.freeze(out))?;
        put(out, self.expanding)?;
        put(out, u8::from(self.expanding_dropped))
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.keys.thaw(from)?;
        self.zones.thaw(from)?;
        self.order.thaw(from)?;
        self.trace.thaw(from)?;
        if let Passing::Approximate { passed, .. } = &mut self.passing {
            passed.thaw(from)?;
        }
        self.heads.thaw(from)?;
        self.long.clear();
        for _ in 0..take::<u64>(from)? {
            let mut list = LongList::default();
            list.thaw(from)?;
            self.long.push(list);
        }
        self.unused_long.thaw(from)?;
        self.nodes.thaw(from)?;
        self.flags.as_mut().map_or(Ok(()), |flags| flags.thaw(from))?;
        self.expanding = take(from)?;
        self.expanding_dropped = take::<u8>(from)? != 0;
        if self.is_connected() { Ok(()) } else { Err(corrupt("a state that never was")) }
    }

    /// What waits stays, and what only says where to look.
    fn spill(&mut self, to: &mut SpillFile) -> io::Result<()> {
        self.zones.spill(to)?;
        self.keys.spill(to)?;
        self.trace.spill(to)?;
        self.nodes.spill(to)?;
        self.heads.spill(to)
    }
}

impl<B: Bound, K: KeyStore, Z: ZoneStore<B>, C, O: Order, T: TraceStore> PwList<B, K, Z, C, O, T> {
    /// Whether all numbers name nodes, entries and long lists that there are.
    fn is_connected(&self) -> bool {
        let (nodes, entries, long) = (self.nodes.len(), self.heads.len(), self.long.len());
        let node = |id: u32| (id as usize) < nodes;
        let head = |at: usize| match self.heads.get(at) {
            NONE => true,
            head if head >= LONG_LIST => ((head - LONG_LIST) as usize) < long,
            head => node(head),
        };
        (0..entries).all(head)
            && self.nodes.iter().all(|n| (n.next == NONE || node(n.next)) && (n.entry() as usize) < entries)
            && self.nodes.given_up_end()
            && self.long.iter().flat_map(LongList::nodes).all(node)
            && self.unused_long.iter().all(|&list| (list as usize) < long)
            && self.flags.as_ref().is_none_or(|flags| flags.len() == nodes)
            && (self.expanding == NONE || node(self.expanding))
    }
}
