//! How messages travel.

use dwell_explore::Worker;
use std::time::Duration;

/// What a message is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// A batch of states.
    States,
    /// A lot of batches was taken in: their sender may send as many more.
    Credit,
    /// The token of [`Termination`](crate::Termination).
    Token,
    /// Nobody has anything to do, and nothing is on its way.
    Over,
    /// The sender ends the run.
    Stop,
    /// Something was found at a depth.
    Found,
    /// The last message of its sender.
    Goodbye,
    /// What a worker knows in the end, and questions about it.
    Result,
    /// Nothing is to be expanded; to the first worker: please say so.
    Pause,
    /// The pause is over.
    GoOn,
    /// A part of what is stored; to others than the first worker: please send
    /// the next one.
    Part,
}

impl Kind {
    /// All kinds, by number.
    pub const ALL: [Self; 11] = [
        Self::States,
        Self::Credit,
        Self::Token,
        Self::Over,
        Self::Stop,
        Self::Found,
        Self::Goodbye,
        Self::Result,
        Self::Pause,
        Self::GoOn,
        Self::Part,
    ];
}

/// A message that has arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Who sent it.
    pub from: Worker,
    /// What it is about.
    pub kind: Kind,
    /// What it says.
    pub bytes: Vec<u8>,
}

/// One worker's end of the ways to all others.
///
/// TR-1 No message is lost, changed or delivered twice.
/// TR-2 Messages from one worker to another arrive in the order they were sent.
/// TR-3 `send` never waits for the receiver.
pub trait Transport {
    /// This worker.
    fn me(&self) -> Worker;
    /// How many workers there are.
    fn workers(&self) -> Worker;
    /// Sends a message to another worker.
    fn send(&mut self, to: Worker, kind: Kind, bytes: Vec<u8>);
    /// The next message that has arrived.
    fn receive(&mut self) -> Option<Message>;
    /// Hands a message back: it is received again, before all others.
    fn unread(&mut self, message: Message);
    /// Returns when a message may have arrived, at the latest after `at_most`.
    fn wait(&mut self, at_most: Duration);
    /// An empty buffer for a message, perhaps one that was used before.
    fn buffer(&mut self) -> Vec<u8> {
        Vec::new()
    }
    /// The contents of a message are not needed any more.
    fn recycle(&mut self, _bytes: Vec<u8>) {}
}

impl<T: Transport + ?Sized> Transport for &mut T {
    fn me(&self) -> Worker {
        (**self).me()
    }
    fn workers(&self) -> Worker {
        (**self).workers()
    }
    fn send(&mut self, to: Worker, kind: Kind, bytes: Vec<u8>) {
        (**self).send(to, kind, bytes);
    }
    fn receive(&mut self) -> Option<Message> {
        (**self).receive()
    }
    fn unread(&mut self, message: Message) {
        (**self).unread(message);
    }
    fn wait(&mut self, at_most: Duration) {
        (**self).wait(at_most);
    }
    fn buffer(&mut self) -> Vec<u8> {
        (**self).buffer()
    }
    fn recycle(&mut self, bytes: Vec<u8>) {
        (**self).recycle(bytes);
    }
}
