//! What one process sends to the others and receives from them.
//!
//! ```text
//!  tag: kind of the message, or FENCE
//!  | what it says | to (u16) | from (u16) |      FENCE: | threads (u16) |
//! ```
//!
//! Sender and receiver are numbers of workers, little-endian, at the end: so the
//! bytes of a batch are sent as they are.
//!
//! LI-1 *Order.* Messages of one process to another are started in the order of
//!      `send`, all in one communicator, and taken in by one thread that asks for
//!      any of them: MPI keeps their order then.
//! LI-2 *Bounded.* At most [`IN_FLIGHT`] sends to one process are started and not
//!      finished; others wait in a queue here. Nobody waits for them.
//! LI-3 *Fences.* All processes meet when workers are connected, and at the end:
//!      each tells all others, and goes on when all have told it. By LI-1 what was
//!      sent before has arrived by then, and is thrown away; what comes from a
//!      process after its fence is for the workers of the next round.

use crate::flights::Flights;
use crate::pause::Pause;
use crate::world::fail;
use dwell_parallel::threads::Addressed;
use dwell_parallel::{Kind, Message, Worker};
use mpi::topology::{Communicator, SimpleCommunicator};
use mpi::traits::{Equivalence, Source};
use std::collections::VecDeque;
use std::os::raw::c_int;
use std::thread::ThreadId;

/// The tag of a fence; those of messages are their kinds.
const FENCE: c_int = Kind::ALL.len() as c_int;
/// Sends to one process that are started and not finished, at most.
const IN_FLIGHT: u32 = 32;
/// Buffers kept for messages to come.
const SPARE: usize = 64;
/// Messages taken in at one look, at most.
const LOOK: usize = 16;

/// One process's way to all others.
#[derive(Debug)]
pub(crate) struct Line {
    /// The thread that may call MPI.
    home: ThreadId,
    rank: usize,
    flights: Flights,
    others: Vec<Other>,
    /// Messages that wait for an earlier one to be sent.
    queued: usize,
    spare: Vec<Vec<u8>>,
    /// What arrived for the workers of the next round; LI-3.
    early: VecDeque<Addressed>,
}

/// What is known of another process.
#[derive(Debug, Default)]
struct Other {
    in_flight: u32,
    queue: VecDeque<(c_int, Vec<u8>)>,
    /// It has come to a fence, for so many threads in each process; 0: to leave.
    /// Two at most: it can pass the first when this process has come there.
    fences: VecDeque<Worker>,
}

impl Line {
    /// For the thread that has initialised MPI.
    pub(crate) fn new(rank: Worker, ranks: Worker) -> Self {
        Self {
            home: std::thread::current().id(),
            rank: rank.into(),
            flights: Flights::default(),
            others: (0..ranks).map(|_| Other::default()).collect(),
            queued: 0,
            spare: Vec::new(),
            early: VecDeque::new(),
        }
    }

    /// Sends a message to a worker of another process.
    pub(crate) fn send(&mut self, rank: usize, to: Worker, message: Message) {
        let Message { from, kind, mut bytes } = message;
        bytes.extend_from_slice(&to.to_le_bytes());
        bytes.extend_from_slice(&from.to_le_bytes());
        self.start(rank, kind as c_int, bytes);
    }

    fn start(&mut self, rank: usize, tag: c_int, bytes: Vec<u8>) {
        self.at_home();
        let other = &mut self.others[rank];
        if other.in_flight < IN_FLIGHT && other.queue.is_empty() {
            other.in_flight += 1;
            self.flights.start(rank, tag, bytes);
        } else {
            other.queue.push_back((tag, bytes)); // LI-2
            self.queued += 1;
        }
    }

    /// Whatever else may be called, MPI is called by one thread.
    fn at_home(&self) {
        assert!(
            std::thread::current().id() == self.home,
            "MPI is called by the thread that joined the world"
        );
    }

    /// Takes back what was sent, sends what waited, and takes in what has arrived.
    pub(crate) fn look(&mut self, arrived: &mut VecDeque<Addressed>) {
        self.at_home();
        self.push_on();
        let world = SimpleCommunicator::world();
        for _ in 0..LOOK {
            let Some((message, status)) = world.any_process().immediate_matched_probe() else { return };
            let mut bytes = self.buffer();
            bytes.resize(status.count(u8::equivalent_datatype()).max(0) as usize, 0);
            message.matched_receive_into(&mut bytes[..]);
            self.sort_in(status.source_rank() as usize, status.tag(), bytes, arrived);
        }
    }

    /// Goes on with what is being sent.
    fn push_on(&mut self) {
        let Self { flights, others, spare, queued, .. } = self;
        flights.land(|bytes, to| {
            others[to].in_flight -= 1;
            keep(spare, bytes);
        });
        if *queued == 0 {
            return;
        }
        for (to, other) in others.iter_mut().enumerate() {
            while other.in_flight < IN_FLIGHT
                && let Some((tag, bytes)) = other.queue.pop_front()
            {
                *queued -= 1;
                other.in_flight += 1;
                flights.start(to, tag, bytes);
            }
        }
    }

    fn sort_in(&mut self, rank: usize, tag: c_int, mut bytes: Vec<u8>, arrived: &mut VecDeque<Addressed>) {
        let number = |bytes: &[u8]| bytes.try_into().map(Worker::from_le_bytes).ok();
        if tag == FENCE {
            self.others[rank].fences.extend(number(&bytes));
            keep(&mut self.spare, bytes);
            return;
        }
        let kind = usize::try_from(tag).ok().and_then(|tag| Kind::ALL.get(tag).copied());
        let body = bytes.len().checked_sub(4);
        let (Some(kind), Some(body)) = (kind, body) else {
            fail(&format!("what process {rank} sent is no message: tag {tag}, {} bytes", bytes.len()))
        };
        let address = (number(&bytes[body..body + 2]), number(&bytes[body + 2..]));
        let (Some(to), Some(from)) = address else { return };
        bytes.truncate(body);
        let letter = (to, Message { from, kind, bytes });
        let list = if self.left(rank) { &mut self.early } else { arrived }; // LI-3
        list.push_back(letter);
    }

    /// Whether nothing is on its way from here.
    pub(crate) fn settled(&self) -> bool {
        self.flights.is_empty() && self.queued == 0
    }

    /// Whether that process waits at a fence: it has left the workers it had.
    pub(crate) fn left(&self, rank: usize) -> bool {
        !self.others[rank].fences.is_empty()
    }

    /// Meets all other processes, for so many threads in each, or to leave (0).
    /// Returns what has arrived since for the workers of the next round.
    pub(crate) fn meet(&mut self, threads: Worker) -> VecDeque<Addressed> {
        let me = self.rank;
        for to in (0..self.others.len()).filter(|to| *to != me) {
            self.start(to, FENCE, threads.to_le_bytes().to_vec());
        }
        self.others[self.rank].fences.push_back(threads);
        let (mut old, mut pause) = (VecDeque::new(), Pause::default());
        while !self.settled() || self.others.iter().any(|other| other.fences.is_empty()) {
            self.look(&mut old);
            old.clear();
            for (rank, other) in self.others.iter().enumerate() {
                if let Some(theirs) = other.fences.front().filter(|theirs| **theirs != threads) {
                    fail(&disagreement(self.rank, threads, rank, *theirs));
                }
            }
            pause.pass();
        }
        for other in &mut self.others {
            other.fences.pop_front();
        }
        std::mem::take(&mut self.early)
    }

    /// An empty buffer.
    pub(crate) fn buffer(&mut self) -> Vec<u8> {
        self.spare.pop().unwrap_or_default()
    }

    /// A buffer that is not needed any more.
    pub(crate) fn recycle(&mut self, bytes: Vec<u8>) {
        keep(&mut self.spare, bytes);
    }
}

fn keep(spare: &mut Vec<Vec<u8>>, mut bytes: Vec<u8>) {
    if spare.len() < SPARE {
        bytes.clear();
        spare.push(bytes);
    }
}

fn disagreement(rank: usize, threads: Worker, other: usize, theirs: Worker) -> String {
    match (threads, theirs) {
        (_, 0) => format!("process {other} ended early, while process {rank} had questions left"),
        (0, _) => format!("process {rank} ended early, while process {other} had questions left"),
        _ => format!(
            "process {rank} has {threads} threads and process {other} has {theirs}: \
             give all of them the same number with --threads"
        ),
    }
}
