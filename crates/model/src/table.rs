//! Lists per process and location, in one array.

/// For every location of every process a slice of items.
#[derive(Clone, Debug)]
pub struct LocationTable<T> {
    /// Where the locations of each process begin in `ranges`.
    bases: Vec<u32>,
    ranges: Vec<(u32, u32)>,
    items: Vec<T>,
}

impl<T> LocationTable<T> {
    /// From `lists[process][location]`.
    pub fn new(lists: impl IntoIterator<Item = impl IntoIterator<Item = Vec<T>>>) -> Self {
        let mut table = Self { bases: Vec::new(), ranges: Vec::new(), items: Vec::new() };
        for process in lists {
            table.bases.push(table.ranges.len() as u32);
            for list in process {
                let start = table.items.len() as u32;
                table.items.extend(list);
                table.ranges.push((start, table.items.len() as u32));
            }
        }
        table
    }

    /// True when every list is empty.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Every item.
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// The items at a location vector: those of each process's location in turn.
    #[inline]
    pub fn at<'t>(&'t self, locations: &'t [u32]) -> impl Iterator<Item = &'t T> {
        self.bases.iter().zip(locations).flat_map(|(&base, &location)| self.list(base + location))
    }

    /// The items of one process at one of its locations.
    pub fn of(&self, process: usize, location: u32) -> &[T] {
        self.list(self.bases[process] + location)
    }

    #[inline(always)]
    fn list(&self, number: u32) -> &[T] {
        let (start, end) = self.ranges[number as usize];
        &self.items[start as usize..end as usize]
    }

    /// Calls `each` with the items of [`LocationTable::at`]: a plain loop, for hot paths.
    #[inline(always)]
    pub fn for_each(&self, locations: &[u32], mut each: impl FnMut(&T)) {
        for (&base, &location) in self.bases.iter().zip(locations) {
            for item in self.list(base + location) {
                each(item);
            }
        }
    }
}
