//! Going on when memory is full (`--spill`): full chunks of the passed list move
//! to a file that is mapped in their place.
//!
//! OC-1 What is stored is compared as before, wherever it lies: verdict and
//!      counters do not depend on the memory.
//! OC-2 Nothing is moved before the limit is reached.
//! OC-3 Hash tables and the waiting list stay: they are looked at all over, all
//!      the time.

use crate::Stats;
use dwell_base::SpillFile;
use dwell_base::limits::{Limits, Stop};
use dwell_base::persist::Persist;

/// Gives memory back if there is too little, or says why the run must end.
pub(crate) fn make_room(
    list: &mut dyn Persist,
    file: Option<&mut SpillFile>,
    limits: &Limits,
    stats: &mut Stats,
) -> Option<Stop> {
    let exceeded =
        |stats: &Stats| limits.memory_exceeded(stats.held_bytes.saturating_sub(stats.spilled_bytes));
    let stop = exceeded(stats)?;
    let Some(file) = file else { return Some(stop) };
    let moved = list.spill(file);
    file.drop_pages();
    stats.spilled_bytes = file.bytes();
    match moved {
        Err(error) => Some(Stop::Disk(error.kind())),
        Ok(()) => exceeded(stats).map(|_| Stop::Pinned),
    }
}
