//! The zones of one discrete state: a chain, or a long list with digests.

use super::nodes::{NONE, Node, Status};
use super::{At, Inserted, LONG_LIST, PwList};
use crate::digest::{Digest, LONG, LongList, Place};
use crate::{Cover, KeyStore, Order, Origin, Stats, TraceStore, ZoneStore};
use dwell_zones::{Bound, Relation};

impl<B, K, Z, C, O, T> PwList<B, K, Z, C, O, T>
where
    B: Bound,
    K: KeyStore,
    Z: ZoneStore<B>,
    C: Cover<B>,
    O: Order,
    T: TraceStore,
{
    /// Puts a node among the zones of its entry.
    #[inline]
    pub(super) fn link(&mut self, id: u32, entry: u32, cells: &[B]) {
        let head = self.heads.get(entry as usize);
        if head < LONG_LIST || head == NONE {
            self.nodes.set_next(id, head);
            *self.heads.get_mut(entry as usize) = id;
        } else {
            self.long[(head - LONG_LIST) as usize].push(Digest::new(cells), id);
        }
    }

    /// The inverse of [`link`](Self::link).
    pub(super) fn unlink(&mut self, id: u32, entry: u32, cells: &[B]) {
        let head = self.heads.get(entry as usize);
        if head != NONE && head >= LONG_LIST {
            let list = &mut self.long[(head - LONG_LIST) as usize];
            let digest = Digest::new(cells);
            let mut from = Place::default();
            while let Some((at, found)) = list.next(&digest, from) {
                if found == id {
                    list.remove(at);
                    if list.is_empty() {
                        *self.heads.get_mut(entry as usize) = NONE;
                        self.unused_long.push(head - LONG_LIST);
                    }
                    return;
                }
                from = at.after();
            }
            return;
        }
        let next = self.nodes.get(id).next;
        if head == id {
            *self.heads.get_mut(entry as usize) = next;
            return;
        }
        let mut at = head;
        while at != NONE {
            let after = self.nodes.get(at).next;
            if after == id {
                self.nodes.set_next(at, next);
                return;
            }
            at = after;
        }
    }

    /// Compares the zone that the store was prepared for with the stored zones
    /// of an entry and drops those that it covers. By PW-1 and transitivity
    /// none is dropped when it is itself covered.
    pub(super) fn covered(
        &mut self,
        entry: u32,
        cells: &[B],
        at_state: At<'_, B>,
        origin: Option<Origin>,
        stats: &mut Stats,
    ) -> bool {
        let mut previous = NONE;
        let mut at = self.heads.get(entry as usize);
        if at != NONE && at >= LONG_LIST {
            return self.covered_long((at - LONG_LIST) as usize, cells, at_state, origin, stats);
        }
        let mut length = 0;
        while at != NONE {
            length += 1;
            let node = self.nodes.get(at);
            match self.compare(node, cells, at_state) {
                relation @ (Relation::Equal | Relation::Subset) if self.may_cover(at, origin) => {
                    self.count_covered(at, node, relation, stats);
                    return true;
                }
                Relation::Superset | Relation::Equal if self.may_replace(at, origin) => {
                    if previous == NONE {
                        *self.heads.get_mut(entry as usize) = node.next;
                    } else {
                        self.nodes.set_next(previous, node.next);
                    }
                    self.drop_node(at, node, cells.len(), stats);
                }
                _ => previous = at,
            }
            at = node.next;
        }
        if C::CELLWISE && length >= LONG {
            self.lengthen(entry, cells.len());
        }
        false
    }

    /// The same for an entry with a long list.
    fn covered_long(
        &mut self,
        list: usize,
        cells: &[B],
        at_state: At<'_, B>,
        origin: Option<Origin>,
        stats: &mut Stats,
    ) -> bool {
        let digest = Digest::new(cells);
        let mut from = Place::default();
        while let Some((at, id)) = self.long[list].next(&digest, from) {
            let node = self.nodes.get(id);
            match self.compare(node, cells, at_state) {
                relation @ (Relation::Equal | Relation::Subset) if self.may_cover(id, origin) => {
                    self.count_covered(id, node, relation, stats);
                    return true;
                }
                Relation::Superset | Relation::Equal if self.may_replace(id, origin) => {
                    from = self.long[list].remove(at);
                    self.drop_node(id, node, cells.len(), stats);
                }
                _ => from = at.after(),
            }
        }
        false
    }

    /// Whether the trace lets a stored state cover a new one; a state without
    /// an origin has been expanded, and asks for no trace.
    #[inline(always)]
    fn may_cover(&self, old: u32, origin: Option<Origin>) -> bool {
        origin.is_none_or(|origin| self.trace.may_cover(old, origin))
    }

    /// Whether the trace lets a new state replace a stored one.
    #[inline(always)]
    fn may_replace(&self, old: u32, origin: Option<Origin>) -> bool {
        origin.is_none_or(|origin| self.trace.may_replace(old, origin))
    }

    #[inline(always)]
    fn compare(&mut self, node: Node, cells: &[B], at: At<'_, B>) -> Relation {
        let stored = (&self.zones, node.zone);
        self.cover.compare_stored(cells, stored, at.active, at.bounds, &mut self.scratch[..cells.len()])
    }

    /// Makes a long list of a chain.
    #[cold]
    fn lengthen(&mut self, entry: u32, len: usize) {
        let mut list = LongList::default();
        let mut at = self.heads.get(entry as usize);
        while at != NONE {
            let node = self.nodes.get(at);
            list.push(Digest::new(self.zones.unpacked(node.zone, &mut self.scratch[..len])), at);
            at = node.next;
        }
        let number = match self.unused_long.pop() {
            Some(number) => {
                self.long[number as usize] = list;
                number
            }
            None => {
                self.long.push(list);
                self.long.len() as u32 - 1
            }
        };
        *self.heads.get_mut(entry as usize) = LONG_LIST + number;
    }

    /// A state that is not linked any more leaves.
    #[cold]
    fn drop_node(&mut self, id: u32, node: Node, len: usize, stats: &mut Stats) {
        stats.stored -= 1;
        stats.replaced += 1;
        if self.followed {
            self.order.dropped(id);
        }
        self.zones.free(node.zone, len);
        if let Some(flags) = &mut self.flags {
            flags.replaced(id, node.status() == Status::Passed, id == self.expanding);
        }
        if node.status() == Status::Passed {
            stats.visited_stored -= 1;
            if id == self.expanding {
                self.expanding_dropped = true;
            } else {
                self.recycle(id);
            }
        } else {
            stats.replaced_waiting += 1;
            self.nodes.set_status(id, Status::Stale);
        }
    }

    /// With a convex hull for each entry: the zone that is there grows, if it
    /// must, and waits again. It grows cell by cell to one of finitely many
    /// values each, so that there is an end where zones are extrapolated.
    #[cold]
    pub(super) fn insert_hull(
        &mut self,
        entry: u32,
        cells: &[B],
        origin: Origin,
        stats: &mut Stats,
    ) -> Inserted {
        let id = self.heads.get(entry as usize);
        let node = self.nodes.get(id);
        let relation = self.zones.relation(cells, node.zone);
        if matches!(relation, Relation::Equal | Relation::Subset) {
            self.count_covered(id, node, relation, stats);
            return Inserted::Covered;
        }
        let mut hull = std::mem::take(&mut self.scratch);
        self.zones.read(node.zone, &mut hull[..cells.len()]);
        hull.iter_mut().zip(cells).for_each(|(old, &new)| *old = (*old).max(new));
        *self.heads.get_mut(entry as usize) = NONE;
        self.drop_node(id, node, cells.len(), stats);
        self.zones.prepare(&hull[..cells.len()]);
        let inserted = self.add(entry, &hull[..cells.len()], origin, stats);
        self.scratch = hull;
        inserted
    }

    /// Paper 2, table 1: how often it is a waiting state that covers.
    #[inline]
    fn count_covered(&mut self, by: u32, node: Node, relation: Relation, stats: &mut Stats) {
        stats.covered += 1;
        stats.covered_by_waiting += u64::from(node.status() == Status::Waiting);
        if let Some(flags) = &mut self.flags {
            flags.covered_by(by, relation, stats.visited, self.order.len());
        }
    }
}
