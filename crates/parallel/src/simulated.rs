//! A network that is slow, and as unfair as it may be: for tests.
//!
//! Every pair of workers has a queue; which message arrives next, and when, is
//! for a seeded die to say. Order is kept within a pair only (TR-2). All workers
//! run in one thread, in turns that the test chooses.

use crate::transport::{Kind, Message, Transport};
use dwell_base::Rng;
use dwell_explore::Worker;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;

#[derive(Debug)]
struct Network {
    workers: usize,
    /// By receiver and sender.
    queues: Vec<VecDeque<(Kind, Vec<u8>)>>,
    rng: Rng,
    /// Per cent of looks that find nothing although something is there.
    delay: u64,
}

/// One worker's end.
#[derive(Clone, Debug)]
pub struct Simulated {
    me: Worker,
    network: Rc<RefCell<Network>>,
}

/// The ends of so many workers, by number. Of the looks into a mailbox, `delay`
/// per cent find nothing; at most 99.
pub fn connect(workers: Worker, seed: u64, delay: u64) -> Vec<Simulated> {
    let count = usize::from(workers);
    let network = Network {
        workers: count,
        queues: vec![VecDeque::new(); count * count],
        rng: Rng::new(seed),
        delay: delay.min(99),
    };
    let network = Rc::new(RefCell::new(network));
    (0..workers).map(|me| Simulated { me, network: Rc::clone(&network) }).collect()
}

/// How many messages of a kind are on their way between all workers, and
/// between the two with the most.
pub fn travelling(any: &Simulated, kind: Kind) -> (usize, usize) {
    let network = any.network.borrow();
    let between = network.queues.iter().map(|queue| queue.iter().filter(|message| message.0 == kind).count());
    between.fold((0, 0), |(all, most), count| (all + count, most.max(count)))
}

impl Transport for Simulated {
    fn me(&self) -> Worker {
        self.me
    }

    fn workers(&self) -> Worker {
        self.network.borrow().workers as Worker
    }

    fn send(&mut self, to: Worker, kind: Kind, bytes: Vec<u8>) {
        let mut network = self.network.borrow_mut();
        let queue = usize::from(to) * network.workers + usize::from(self.me);
        network.queues[queue].push_back((kind, bytes));
    }

    fn receive(&mut self) -> Option<Message> {
        let mut network = self.network.borrow_mut();
        let Network { workers, queues, rng, delay } = &mut *network;
        if rng.percent(*delay) {
            return None;
        }
        let first = rng.below(*workers as u64) as usize;
        let from = (0..*workers).map(|i| (first + i) % *workers);
        let mine = usize::from(self.me) * *workers;
        let from = from.into_iter().find(|from| !queues[mine + from].is_empty())?;
        let (kind, bytes) = queues[mine + from].pop_front()?;
        Some(Message { from: from as Worker, kind, bytes })
    }

    fn unread(&mut self, message: Message) {
        let mut network = self.network.borrow_mut();
        let queue = usize::from(self.me) * network.workers + usize::from(message.from);
        network.queues[queue].push_front((message.kind, message.bytes));
    }

    fn wait(&mut self, _at_most: Duration) {}
}
