//! A run written down between two of its states, to be gone on with later.
//!
//! CP-1 Only between two states: nothing is half expanded, so that what is
//!      stored, what waits and what was counted are all there is to know.
//! CP-2 A run that goes on from there does what the first would have done:
//!      verdict, path and counters are the same, whatever came in between.

use crate::{
    Cover, Extrapolate, Goal, KeyStore, NodeId, Observer, Order, Pipeline, Rank, Reduce, TraceStore,
    ZoneStore,
};
use dwell_base::persist::{Persist, put, take};
use dwell_zones::Bound;
use std::io::{self, Read, Write};

/// Says when a run is to be written down, and does it.
pub trait Keeper {
    /// Whether it ever is. Limits stop such a run between two states.
    fn keeps(&self) -> bool;
    /// Whether it is time.
    fn due(&self) -> bool;
    /// Writes a run down. What goes wrong is for the keeper to tell.
    fn keep(&mut self, run: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>);
}

/// The stage switched off.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoKeeper;

impl Keeper for NoKeeper {
    fn keeps(&self) -> bool {
        false
    }
    fn due(&self) -> bool {
        false
    }
    fn keep(&mut self, _run: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) {}
}

impl<T: Keeper + ?Sized> Keeper for Box<T> {
    fn keeps(&self) -> bool {
        (**self).keeps()
    }
    fn due(&self) -> bool {
        (**self).due()
    }
    fn keep(&mut self, run: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) {
        (**self).keep(run);
    }
}

/// The best state so far that meets the goal, and its rank.
pub(crate) type Best = Option<(i64, NodeId)>;

impl<B, E, R, G, V, H, K, Z, C, O, T> Pipeline<'_, B, E, R, G, V, H, K, Z, C, O, T>
where
    B: Bound,
    E: Extrapolate<B>,
    R: Reduce,
    G: Goal<B>,
    V: Observer,
    H: Rank<B>,
    K: KeyStore,
    Z: ZoneStore<B>,
    C: Cover<B>,
    O: Order,
    T: TraceStore,
{
    /// CP-1
    #[cold]
    pub(crate) fn keep(&mut self, best: Best) {
        let (stats, pw, keeping) = (&self.stats, &self.pw, &self.keeping);
        self.keeper.keep(&mut |out| {
            stats.clone().counters().into_iter().try_for_each(|counter| put(out, *counter))?;
            let (rank, NodeId(node)) = best.unwrap_or((0, NodeId(u32::MAX)));
            put(out, rank)?;
            put(out, node)?;
            keeping.as_ref().map_or(Ok(()), |keeping| keeping.strategy.freeze(out))?;
            pw.freeze(out)
        });
    }

    /// Reads what [`keep`](Self::keep) wrote.
    pub(crate) fn thaw(&mut self, from: &mut dyn Read) -> io::Result<Best> {
        for counter in self.stats.counters() {
            *counter = take(from)?;
        }
        let (rank, node) = (take(from)?, take(from)?);
        self.keeping.as_mut().map_or(Ok(()), |keeping| keeping.strategy.thaw(from))?;
        self.pw.thaw(from)?;
        Ok((node != u32::MAX).then_some((rank, NodeId(node))))
    }
}
