//! Workers as threads of one process.
//!
//! Every worker has one mailbox: a lock around a list of messages, taken once
//! for each batch, that is, once for a hundred states or so. Whether there is
//! anything in it is a flag of its own, so that looking costs a load.
//!
//! TH-1 Whoever sees an empty mailbox under the lock says there that it sleeps,
//!      and gives the lock up by falling asleep. The next message finds that
//!      said, takes it back and wakes the sleeper: each sleep is ended by one
//!      wake-up, or by the clock. Whoever works is not woken, which would ask
//!      the system for nothing once for each batch.
//!
//! Where there are other processes ([`connect_some`]), what is for their workers
//! lies in the mailbox of the first thread, which sends it on.

use crate::sync::atomic::{AtomicBool, Ordering};
use crate::sync::{Arc, Condvar, Mutex, MutexGuard, spin_loop};
use crate::transport::{Kind, Message, Transport};
use dwell_explore::Worker;
use std::collections::VecDeque;
use std::ops::Range;
use std::time::Duration;

/// Buffers kept for messages to come.
const SPARE: usize = 16;

/// How often a worker looks before it sleeps: for less time than sleeping and
/// being woken takes.
const LOOKS: u32 = if cfg!(feature = "shuttle") { 1 } else { 200 };

/// A message and who it is for.
pub type Addressed = (Worker, Message);

/// Two of them never share a cache line, nor a pair of lines that is fetched
/// together: a worker looks into its own while others write to theirs.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Mailbox {
    letters: Mutex<Letters>,
    /// There may be some.
    any: AtomicBool,
    arrived: Condvar,
}

/// What a mailbox's lock guards.
#[derive(Debug, Default)]
struct Letters {
    messages: VecDeque<Addressed>,
    /// The worker is to be woken; TH-1.
    sleeps: bool,
}

/// A thread's end.
#[derive(Debug)]
pub struct Threads {
    me: Worker,
    /// The worker that the first mailbox belongs to.
    first: Worker,
    workers: Worker,
    boxes: Arc<[Mailbox]>,
    /// Taken out of the mailbox.
    read: VecDeque<Addressed>,
    spare: Vec<Vec<u8>>,
}

/// The ends of so many workers, by number.
pub fn connect(workers: Worker) -> Vec<Threads> {
    connect_some(0..workers, workers)
}

/// The ends of those of so many workers that are threads of this process.
pub fn connect_some(here: Range<Worker>, workers: Worker) -> Vec<Threads> {
    let boxes: Arc<[Mailbox]> = here.clone().map(|_| Mailbox::default()).collect::<Vec<_>>().into();
    let end = |me| Threads {
        me,
        first: here.start,
        workers,
        boxes: Arc::clone(&boxes),
        read: VecDeque::new(),
        spare: Vec::new(),
    };
    here.clone().map(end).collect()
}

/// What is in a mailbox. A worker that panicked while it held the lock has left
/// a whole list behind.
fn open(mailbox: &Mailbox) -> MutexGuard<'_, Letters> {
    mailbox.letters.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Threads {
    /// Puts a message, whoever sent it, where it is looked for: into its
    /// receiver's mailbox, or the first one.
    pub fn deliver(&self, to: Worker, message: Message) {
        let here = to.checked_sub(self.first).and_then(|at| self.boxes.get(usize::from(at)));
        let mailbox = here.unwrap_or(&self.boxes[0]);
        let mut letters = open(mailbox);
        letters.messages.push_back((to, message));
        mailbox.any.store(true, Ordering::Release);
        let wake = std::mem::take(&mut letters.sleeps); // TH-1
        // Whoever is woken wants the lock.
        drop(letters);
        if wake {
            mailbox.arrived.notify_one();
        }
    }

    /// The next message in this thread's mailbox, whoever it is for.
    #[inline]
    pub fn take(&mut self) -> Option<Addressed> {
        if let Some(message) = self.read.pop_front() {
            return Some(message);
        }
        let mailbox = &self.boxes[usize::from(self.me - self.first)];
        if !mailbox.any.load(Ordering::Acquire) {
            return None;
        }
        let mut letters = open(mailbox);
        mailbox.any.store(false, Ordering::Release);
        std::mem::swap(&mut letters.messages, &mut self.read);
        drop(letters);
        self.read.pop_front()
    }
}

impl Transport for Threads {
    fn me(&self) -> Worker {
        self.me
    }

    fn workers(&self) -> Worker {
        self.workers
    }

    fn send(&mut self, to: Worker, kind: Kind, bytes: Vec<u8>) {
        self.deliver(to, Message { from: self.me, kind, bytes });
    }

    #[inline]
    fn receive(&mut self) -> Option<Message> {
        self.take().map(|(_, message)| message)
    }

    fn unread(&mut self, message: Message) {
        self.read.push_front((self.me, message));
    }

    fn wait(&mut self, at_most: Duration) {
        if !self.read.is_empty() {
            return;
        }
        let mailbox = &self.boxes[usize::from(self.me - self.first)];
        for _ in 0..LOOKS {
            if mailbox.any.load(Ordering::Acquire) {
                return;
            }
            spin_loop();
        }
        let mut letters = open(mailbox);
        if letters.messages.is_empty() {
            letters.sleeps = true;
            // A wake-up for nothing does no harm, nor does a lock that somebody left in a panic.
            let woken = mailbox.arrived.wait_timeout(letters, at_most);
            woken.unwrap_or_else(|poisoned| poisoned.into_inner()).0.sleeps = false;
        }
    }

    fn buffer(&mut self) -> Vec<u8> {
        self.spare.pop().unwrap_or_default()
    }

    fn recycle(&mut self, mut bytes: Vec<u8>) {
        if self.spare.len() < SPARE {
            bytes.clear();
            self.spare.push(bytes);
        }
    }
}
