//! Lists per process and location, in one array.

/// For every location of every process a slice of items.
#[derive(Clone, Debug)]
pub struct LocationTable<T> {
    /// Where the locations of each process begin in `ranges`.
    bases: Vec<u32>,
    ranges: Vec<Range>,
    items: Vec<T>,
}

#[derive(Clone, Copy, Debug)]
struct Range {
    start: u32,
    end: u32,
    /// Where the items without effect end that come behind it.
    full: u32,
}

/// At most so many items without effect come behind a list.
const FILL: usize = 2;

impl<T: Clone> LocationTable<T> {
    /// From `lists[process][location]`.
    pub fn new(lists: impl IntoIterator<Item = impl IntoIterator<Item = Vec<T>>>) -> Self {
        Self::build(lists, None)
    }

    /// The same, where `nothing` is an item that has no effect in any list.
    /// [`LocationTable::for_each`] shows it too, so often that there are as many
    /// items at each location of a process: a processor does not foresee how
    /// often a loop goes round that is different each time.
    pub fn filled(lists: impl IntoIterator<Item = impl IntoIterator<Item = Vec<T>>>, nothing: T) -> Self {
        Self::build(lists, Some(nothing))
    }

    fn build(lists: impl IntoIterator<Item = impl IntoIterator<Item = Vec<T>>>, nothing: Option<T>) -> Self {
        let mut table = Self { bases: Vec::new(), ranges: Vec::new(), items: Vec::new() };
        for process in lists {
            table.bases.push(table.ranges.len() as u32);
            let lists: Vec<Vec<T>> = process.into_iter().collect();
            let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
            for list in lists {
                let missing = longest - list.len();
                let start = table.items.len() as u32;
                table.items.extend(list);
                let end = table.items.len() as u32;
                if let Some(nothing) = &nothing
                    && missing <= FILL
                {
                    table.items.extend(std::iter::repeat_n(nothing.clone(), missing));
                }
                table.ranges.push(Range { start, end, full: table.items.len() as u32 });
            }
        }
        table
    }

    /// True when every list is empty.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Every item, of a table that is not filled.
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// The items at a location vector: those of each process's location in turn.
    #[inline]
    pub fn at<'t>(&'t self, locations: &'t [u32]) -> impl Iterator<Item = &'t T> {
        let processes = 0..self.bases.len();
        processes.zip(locations).flat_map(|(process, &location)| self.of(process, location))
    }

    /// The items of one process at one of its locations.
    pub fn of(&self, process: usize, location: u32) -> &[T] {
        let Range { start, end, .. } = self.ranges[(self.bases[process] + location) as usize];
        &self.items[start as usize..end as usize]
    }

    /// Calls `each` with the items of [`LocationTable::at`], and with others that
    /// have no effect: a plain loop, for hot paths.
    #[inline(always)]
    pub fn for_each(&self, locations: &[u32], mut each: impl FnMut(&T)) {
        for (&base, &location) in self.bases.iter().zip(locations) {
            let Range { start, full, .. } = self.ranges[(base + location) as usize];
            for item in &self.items[start as usize..full as usize] {
                each(item);
            }
        }
    }
}
