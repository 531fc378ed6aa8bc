//! Sets of edges of a network.

use dwell_model::Network;

/// A set of edges, each named by the numbers of its process and of itself
/// there. Asking costs two reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EdgeSet {
    numbers: Numbers,
    bits: Vec<u64>,
    len: usize,
}

impl EdgeSet {
    /// No edge of this network.
    pub fn empty(network: &Network) -> Self {
        Self::over(Numbers::new(network))
    }

    pub(crate) fn over(numbers: Numbers) -> Self {
        let words = numbers.len().div_ceil(64);
        Self { numbers, bits: vec![0; words], len: 0 }
    }

    /// Whether the edge is in the set. Both numbers must be of the network.
    #[inline]
    pub fn contains(&self, process: u32, edge: u32) -> bool {
        let n = self.numbers.of(process, edge);
        self.bits[n / 64] & (1 << (n % 64)) != 0
    }

    /// Adds an edge; false when it was there.
    pub fn insert(&mut self, process: u32, edge: u32) -> bool {
        let n = self.numbers.of(process, edge);
        let new = self.bits[n / 64] & (1 << (n % 64)) == 0;
        self.bits[n / 64] |= 1 << (n % 64);
        self.len += usize::from(new);
        new
    }

    /// Takes an edge out; false when it was not there.
    pub fn remove(&mut self, process: u32, edge: u32) -> bool {
        let there = self.contains(process, edge);
        let n = self.numbers.of(process, edge);
        self.bits[n / 64] &= !(1 << (n % 64));
        self.len -= usize::from(there);
        there
    }

    /// Number of edges.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The edges as process and edge, in increasing order.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32)> {
        let processes = self.numbers.starts.len() as u32 - 1;
        let all = (0..processes).flat_map(|p| (0..self.numbers.edges(p)).map(move |e| (p, e)));
        all.filter(|&(p, e)| self.contains(p, e))
    }
}

/// One number for each edge of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Numbers {
    /// The number of the first edge of each process; the last entry is the
    /// number of edges.
    starts: Vec<u32>,
}

impl Numbers {
    pub fn new(network: &Network) -> Self {
        let mut starts = vec![0];
        for process in &network.processes {
            starts.push(starts[starts.len() - 1] + process.edges.len() as u32);
        }
        Self { starts }
    }

    #[inline]
    pub fn of(&self, process: u32, edge: u32) -> usize {
        debug_assert!(edge < self.edges(process));
        (self.starts[process as usize] + edge) as usize
    }

    /// How many edges there are.
    pub fn len(&self) -> usize {
        self.starts[self.starts.len() - 1] as usize
    }

    /// Process and edge of a number.
    pub fn edge(&self, number: usize) -> (u32, u32) {
        let process = self.starts.partition_point(|&start| start as usize <= number) - 1;
        (process as u32, number as u32 - self.starts[process])
    }

    fn edges(&self, process: u32) -> u32 {
        self.starts[process as usize + 1] - self.starts[process as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_what_was_put_into_it() {
        let starts = vec![0, 3, 3, 70, 72];
        let mut set = EdgeSet::over(Numbers { starts });
        let edges = [(0, 0), (0, 2), (2, 60), (2, 63), (3, 1)];
        assert!(edges.iter().rev().all(|&(p, e)| set.insert(p, e)));
        assert!(!set.insert(2, 60));
        assert_eq!(set.iter().collect::<Vec<_>>(), edges);
        assert!(set.contains(3, 1) && !set.contains(3, 0) && set.len() == 5);
        assert!(set.remove(2, 60) && !set.remove(2, 60) && !set.contains(2, 60));
        assert_eq!(set.len(), 4);
    }
}
