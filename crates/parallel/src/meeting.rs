//! The first workers of all processes meet: before a run, and after it.
//!
//! All messages are of the kind [`Kind::Result`]; what else arrives meanwhile
//! belongs to the run that begins and is handed back.

use crate::transport::{Kind, Message, Transport};
use dwell_explore::Worker;
use std::time::Duration;

/// How long is waited before a look whether to go on waiting.
const NAP: Duration = Duration::from_millis(20);

/// One process's seat.
pub struct Meeting<'m> {
    end: &'m mut dyn Transport,
    /// Workers of each process.
    threads: Worker,
}

impl<'m> Meeting<'m> {
    /// `end` is that of the first of the `threads` workers of this process.
    pub fn new(end: &'m mut dyn Transport, threads: Worker) -> Self {
        Self { end, threads }
    }

    /// Whether this is the process that decides.
    pub fn presides(&self) -> bool {
        self.end.me() == 0
    }

    /// The processes.
    pub fn ranks(&self) -> Worker {
        self.end.workers() / self.threads
    }

    /// The process that a worker belongs to.
    pub fn rank_of(&self, worker: Worker) -> Worker {
        worker / self.threads
    }

    /// This process.
    pub fn rank(&self) -> Worker {
        self.rank_of(self.end.me())
    }

    /// Tells a process something.
    pub fn tell(&mut self, rank: Worker, bytes: Vec<u8>) {
        self.end.send(rank * self.threads, Kind::Result, bytes);
    }

    /// Tells all others.
    pub fn tell_all(&mut self, bytes: &[u8]) {
        let me = self.rank();
        for rank in (0..self.ranks()).filter(|rank| *rank != me) {
            self.tell(rank, bytes.to_vec());
        }
    }

    /// What somebody tells this process next, and who.
    pub fn hear(&mut self) -> (Worker, Vec<u8>) {
        let mut others: Vec<Message> = Vec::new();
        let heard = loop {
            match self.end.receive() {
                Some(message) if message.kind == Kind::Result => break message,
                Some(message) => others.push(message),
                None => self.end.wait(NAP),
            }
        };
        while let Some(message) = others.pop() {
            self.end.unread(message);
        }
        (self.rank_of(heard.from), heard.bytes)
    }
}
