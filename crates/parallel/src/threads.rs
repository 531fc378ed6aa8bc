//! Workers as threads of one process.
//!
//! Every worker has one mailbox: a lock around a list of messages, taken once
//! for each batch, that is, once for a hundred states or so. Whether there is
//! anything in it is a flag of its own, so that looking costs a load.
//!
//! TH-1 The flag is set, and the waiting worker woken, while the lock is held:
//!      whoever sees an empty mailbox under the lock and then waits is woken by
//!      the next message.

use crate::sync::atomic::{AtomicBool, Ordering};
use crate::sync::{Arc, Condvar, Mutex};
use crate::transport::{Kind, Message, Transport};
use dwell_explore::Worker;
use std::collections::VecDeque;
use std::time::Duration;

/// Buffers kept for messages to come.
const SPARE: usize = 16;

#[derive(Debug, Default)]
struct Mailbox {
    messages: Mutex<VecDeque<Message>>,
    /// There may be some.
    any: AtomicBool,
    arrived: Condvar,
}

/// A thread's end.
#[derive(Debug)]
pub struct Threads {
    me: Worker,
    boxes: Arc<[Mailbox]>,
    /// Taken out of the mailbox.
    read: VecDeque<Message>,
    spare: Vec<Vec<u8>>,
}

/// The ends of so many workers, by number.
pub fn connect(workers: Worker) -> Vec<Threads> {
    let boxes: Arc<[Mailbox]> = (0..workers).map(|_| Mailbox::default()).collect::<Vec<_>>().into();
    let end = |me| Threads { me, boxes: Arc::clone(&boxes), read: VecDeque::new(), spare: Vec::new() };
    (0..workers).map(end).collect()
}

/// The messages of a mailbox. A worker that panicked while it held the lock
/// has left a whole list behind.
fn open(mailbox: &Mailbox) -> impl std::ops::DerefMut<Target = VecDeque<Message>> + '_ {
    mailbox.messages.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Transport for Threads {
    fn me(&self) -> Worker {
        self.me
    }

    fn workers(&self) -> Worker {
        self.boxes.len() as Worker
    }

    fn send(&mut self, to: Worker, kind: Kind, bytes: Vec<u8>) {
        let mailbox = &self.boxes[usize::from(to)];
        let mut messages = open(mailbox);
        messages.push_back(Message { from: self.me, kind, bytes });
        mailbox.any.store(true, Ordering::Release); // TH-1
        mailbox.arrived.notify_one();
    }

    #[inline]
    fn receive(&mut self) -> Option<Message> {
        if let Some(message) = self.read.pop_front() {
            return Some(message);
        }
        let mailbox = &self.boxes[usize::from(self.me)];
        if !mailbox.any.load(Ordering::Acquire) {
            return None;
        }
        let mut messages = open(mailbox);
        mailbox.any.store(false, Ordering::Release);
        std::mem::swap(&mut *messages, &mut self.read);
        drop(messages);
        self.read.pop_front()
    }

    fn unread(&mut self, message: Message) {
        self.read.push_front(message);
    }

    fn wait(&mut self, at_most: Duration) {
        if !self.read.is_empty() {
            return;
        }
        let mailbox = &self.boxes[usize::from(self.me)];
        let messages = mailbox.messages.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if messages.is_empty() {
            // A wake-up for nothing does no harm, nor does a lock that somebody left in a panic.
            drop(mailbox.arrived.wait_timeout(messages, at_most));
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
