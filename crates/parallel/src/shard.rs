//! A worker's end of the exchange.

use crate::{Distribution, Post, Transport, Tuning};
use dwell_explore::{Exchange, Halt, Pace, Parcel, Pausing, Rest, Worker};
use dwell_zones::Bound;

/// Knows who owns what, and sends it there.
#[derive(Debug)]
pub struct Shard<B, T: Transport> {
    distribution: Distribution,
    post: Post<T>,
    /// The least depth is looked for, not any.
    shortest: bool,
    words: Vec<u64>,
    cells: Vec<B>,
}

impl<B: Bound, T: Transport> Shard<B, T> {
    /// For states of so many words and zones of at most so many cells.
    pub fn new((words, cells): (usize, usize), distribution: Distribution, transport: T) -> Self {
        Self::tuned((words, cells), distribution, transport, Tuning::default())
    }

    /// The same with other sizes of batches.
    pub fn tuned(
        (words, cells): (usize, usize),
        distribution: Distribution,
        transport: T,
        tuning: Tuning,
    ) -> Self {
        let post = Post::new(transport, tuning);
        Self { distribution, post, shortest: false, words: vec![0; words], cells: vec![B::INF; cells] }
    }

    /// The same, for the shortest trace.
    pub fn shortest(self, shortest: bool) -> Self {
        Self { shortest, ..self }
    }
}

impl<B: Bound, T: Transport> Exchange<B> for Shard<B, T> {
    fn starts(&self) -> bool {
        self.post.me() == 0
    }

    #[inline]
    fn owner(&self, words: &[u64], cells: &[B]) -> Option<Worker> {
        let owner = self.distribution.owner(words, cells);
        (owner != self.post.me()).then_some(owner)
    }

    #[inline]
    fn send(&mut self, to: Worker, parcel: Parcel<'_, B>) {
        parcel.write(self.post.batch(to));
        self.post.filled(to);
    }

    fn receive(&mut self, each: &mut dyn FnMut(Parcel<'_, B>) -> Result<(), Halt>) -> Result<bool, Halt> {
        let (words, cells) = (&mut self.words[..], &mut self.cells[..]);
        self.post.receive(|from, mut batch| {
            while let Some(parcel) = Parcel::read(from, &mut batch, words, cells) {
                each(parcel)?;
            }
            debug_assert!(batch.is_empty(), "bytes that are no state");
            Ok(())
        })
    }

    #[inline]
    fn pace(&mut self) -> Pace {
        self.post.pace()
    }

    fn rest(&mut self) -> Rest {
        self.post.rest()
    }

    fn stopped(&self) -> bool {
        self.post.ended() == Some(Rest::Stopped)
    }

    fn finish(&mut self) {
        self.post.finish();
    }

    fn workers(&self) -> Worker {
        self.post.workers()
    }

    fn pause(&mut self) {
        self.post.pause();
    }

    #[inline]
    fn pausing(&self) -> Pausing {
        self.post.pausing()
    }

    fn ask_part(&mut self, of: Worker) {
        self.post.ask_part(of);
    }

    fn give_part(&mut self, bytes: Vec<u8>) {
        self.post.give_part(bytes);
    }

    fn take_part(&mut self) -> Option<Vec<u8>> {
        self.post.take_part()
    }

    fn go_on(&mut self) {
        self.post.go_on();
    }

    fn found(&mut self, depth: u32) {
        self.post.found(depth);
    }

    #[inline]
    fn least_depth(&self) -> Option<u32> {
        self.shortest.then(|| self.post.least_depth())
    }
}
