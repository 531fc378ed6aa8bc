//! The end of a process's first thread, which passes on what is for the others
//! and what they send.
//!
//! FI-1 *Whoever leaves has done all its work.* The first thread looks for messages
//!      only as long as it is asked for them. So the goodbye after which it leaves
//!      is kept back until all goodbyes of the other threads, and for them, have
//!      passed and everything sent from here has left. After that only the first
//!      end of a process hears from other processes.
//! FI-2 *Whoever waits is waited for.* Where workers say goodbye, all do. A process
//!      that comes to a fence before that will never do so: the job is aborted.

use crate::line::Line;
use crate::pause::Pause;
use crate::world::fail;
use dwell_parallel::threads::{Addressed, Threads};
use dwell_parallel::{Kind, Message, Transport, Worker};
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Of so many questions for messages one looks at MPI, which takes a microsecond
/// or so; a state takes a few.
const SELDOM: u32 = 4;

/// The first thread's end.
#[derive(Debug)]
pub(crate) struct First<'w> {
    local: Threads,
    threads: Worker,
    line: &'w Mutex<Line>,
    /// Arrived for this thread.
    inbox: VecDeque<Message>,
    /// Taken in and not sorted yet.
    arrived: VecDeque<Addressed>,
    /// Questions since the last look at MPI.
    asked: u32,
    /// Since the last message; goes on from one wait to the next.
    pause: Pause,
    goodbyes: Goodbyes,
}

/// Goodbyes that have passed here; FI-1.
#[derive(Debug, Default)]
struct Goodbyes {
    /// Messages of others than `Result` have passed: goodbyes will come.
    due: bool,
    /// From each other process.
    from: Vec<u32>,
    /// From the other threads here to other processes.
    out: u32,
    /// Those that were handed out here.
    heard: Worker,
    kept_back: Option<Message>,
}

impl<'w> First<'w> {
    /// The end of a thread among so many here, with what has arrived already.
    pub(crate) fn new(
        local: Threads,
        threads: Worker,
        line: &'w Mutex<Line>,
        arrived: VecDeque<Addressed>,
    ) -> Self {
        let ranks = usize::from(local.workers() / threads);
        let goodbyes = Goodbyes { from: vec![0; ranks], ..Goodbyes::default() };
        let mut first = Self {
            local,
            threads,
            line,
            inbox: VecDeque::new(),
            arrived,
            asked: 0,
            pause: Pause::default(),
            goodbyes,
        };
        first.sort_in();
        first
    }

    fn line(&self) -> MutexGuard<'w, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn rank_of(&self, worker: Worker) -> usize {
        usize::from(worker / self.threads)
    }

    fn rank(&self) -> usize {
        self.rank_of(self.local.me())
    }

    /// Sends a message of a thread here to another process.
    fn abroad(&mut self, to: Worker, message: Message) {
        self.goodbyes.due |= message.kind != Kind::Result;
        if message.kind == Kind::Goodbye && message.from != self.local.me() {
            self.goodbyes.out += 1;
        }
        let rank = self.rank_of(to);
        self.line().send(rank, to, message);
    }

    /// What threads of this process have sent to this one or, through it, abroad.
    fn gather(&mut self) {
        while let Some((to, message)) = self.local.take() {
            if to == self.local.me() {
                self.inbox.push_back(message);
            } else {
                self.abroad(to, message);
            }
        }
    }

    /// What other processes have sent.
    fn look(&mut self) {
        self.asked = 0;
        let mut arrived = std::mem::take(&mut self.arrived);
        self.line().look(&mut arrived);
        self.arrived = arrived;
        self.sort_in();
    }

    fn sort_in(&mut self) {
        while let Some((to, message)) = self.arrived.pop_front() {
            self.goodbyes.due |= message.kind != Kind::Result;
            if message.kind == Kind::Goodbye {
                let rank = self.rank_of(message.from);
                self.goodbyes.from[rank] += 1;
            }
            if to == self.local.me() {
                self.inbox.push_back(message);
            } else {
                self.local.deliver(to, message);
            }
        }
    }

    /// Whether all threads of that process have said goodbye to all of this one.
    fn goodbye_from(&self, rank: usize) -> bool {
        self.goodbyes.from[rank] >= u32::from(self.threads) * u32::from(self.threads)
    }

    fn others(&self) -> impl Iterator<Item = usize> + use<> {
        let rank = self.rank();
        (0..usize::from(self.local.workers() / self.threads)).filter(move |other| *other != rank)
    }

    /// Whether nothing of the other threads here is still to pass; FI-1.
    fn all_passed(&self) -> bool {
        let Self { goodbyes, threads, .. } = self;
        let out = u32::from(threads - 1) * u32::from(self.local.workers() - threads);
        goodbyes.out >= out && self.others().all(|rank| self.goodbye_from(rank)) && self.line().settled()
    }

    /// Whether there is a message to hand out.
    fn ready(&self) -> bool {
        if self.goodbyes.kept_back.is_some() { self.all_passed() } else { !self.inbox.is_empty() }
    }

    /// The next message; none after a goodbye that is kept back.
    fn next(&mut self) -> Option<Message> {
        if self.goodbyes.kept_back.is_some() {
            return if self.all_passed() { self.goodbyes.kept_back.take() } else { None };
        }
        let message = self.inbox.pop_front()?;
        if message.kind == Kind::Goodbye {
            self.goodbyes.heard += 1;
            if self.goodbyes.heard + 1 == self.local.workers() {
                self.goodbyes.kept_back = Some(message);
                return None;
            }
        }
        Some(message)
    }

    /// Nothing has arrived: whether anything can; FI-2.
    fn check(&self) {
        let left: Vec<usize> = {
            let line = self.line();
            self.others().filter(|rank| line.left(*rank)).collect()
        };
        let missing = left.iter().find(|rank| self.goodbyes.due && !self.goodbye_from(**rank));
        let nobody =
            self.threads == 1 && self.goodbyes.kept_back.is_none() && left.len() == self.others().count();
        if let Some(rank) = missing.or(left.first().filter(|_| nobody)) {
            fail(&format!("process {rank} left the work before it was done"));
        }
    }
}

impl Transport for First<'_> {
    fn me(&self) -> Worker {
        self.local.me()
    }

    fn workers(&self) -> Worker {
        self.local.workers()
    }

    fn send(&mut self, to: Worker, kind: Kind, bytes: Vec<u8>) {
        if self.rank_of(to) == self.rank() {
            self.local.send(to, kind, bytes);
        } else {
            self.abroad(to, Message { from: self.me(), kind, bytes });
        }
    }

    #[inline]
    fn receive(&mut self) -> Option<Message> {
        if let Some(message) = self.next() {
            return Some(message);
        }
        self.gather();
        self.asked += 1;
        if self.asked >= SELDOM {
            self.look();
        }
        self.next()
    }

    fn unread(&mut self, message: Message) {
        if message.kind == Kind::Goodbye {
            self.goodbyes.heard -= 1;
        }
        self.inbox.push_front(message);
    }

    fn wait(&mut self, at_most: Duration) {
        let until = Instant::now() + at_most;
        loop {
            self.gather();
            self.look();
            if self.ready() {
                self.pause = Pause::default();
                return;
            }
            self.check();
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            match self.pause.next() {
                None => std::thread::yield_now(),
                // The other threads here wake it.
                Some(time) => self.local.wait(time.min(left)),
            }
        }
    }

    fn buffer(&mut self) -> Vec<u8> {
        self.line().buffer()
    }

    fn recycle(&mut self, bytes: Vec<u8>) {
        self.line().recycle(bytes);
    }
}

/// What was sent is on its way before the next round.
impl Drop for First<'_> {
    fn drop(&mut self) {
        self.gather();
        let mut pause = Pause::default();
        while !self.line().settled() {
            self.look();
            pause.pass();
        }
    }
}
