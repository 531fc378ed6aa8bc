//! Batches out and in.
//!
//! PO-1 *Back-pressure.* Of the batches sent to one worker at most
//!      [`credits`](Tuning::credits) have not been taken in; what is made for it
//!      meanwhile is kept here, and beyond [`full`](Tuning::full) bytes nothing
//!      more is expanded. So the memory of a run is bounded by what the lists hold
//!      and so many batches for each pair.
//! PO-2 *No deadlock.* A worker that must not expand goes on taking in batches,
//!      and taking one in sends nothing but credits, for a lot (`Tuning::lot`) of
//!      batches at once. So every batch is taken in at some time; of those of one
//!      worker less than a lot, so less than all it may send, are then without a
//!      credit, and the worker that waits for one may send on.
//! PO-3 *The end.* A worker is idle, in the sense of [`Termination`], only if
//!      nothing waits, all batches that have arrived were taken in, and none is
//!      left to be sent. Only batches count as messages there: all others make
//!      no work.
//! PO-5 *Pauses.* A worker that pauses expands nothing, so it counts as idle; when
//!      the first worker finds that all are, nothing travels. Only the first one
//!      begins a pause, and it does not find the end of the run in one.
//! PO-4 *Nothing is left behind.* After the end every worker says goodbye to all
//!      others and takes in everything up to their goodbyes (TR-2). What was sent
//!      after those is handed back, for whoever comes next.

use crate::termination::{Step, Termination, Token};
use crate::transport::{Kind, Message, Transport};
use dwell_explore::{Pace, Pausing, Rest, Worker};
use std::time::Duration;

/// When batches are sent, and how many.
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    /// A batch is sent when it has this many bytes.
    pub batch: usize,
    /// Batches on their way to one worker, at most; at least one.
    pub credits: u32,
    /// Bytes for one worker from which on nothing is expanded.
    pub full: usize,
    /// States expanded before what has been made is sent, however little.
    pub patience: u32,
}

impl Default for Tuning {
    /// Above the usual eager limit of MPI implementations two messages become
    /// three: batches stay below it.
    fn default() -> Self {
        Self { batch: 1 << 14, credits: 8, full: 1 << 20, patience: 32 }
    }
}

impl Tuning {
    /// Batches of one worker that are taken in before it hears of it: so many
    /// credits are one message. PO-2: at most all that are on their way.
    fn lot(&self) -> u32 {
        (self.credits / 2).max(1)
    }
}

/// States expanded before a worker looks for what has arrived.
const LOOK_EVERY: u32 = 8;

/// How long a worker without work waits before it looks at the clock.
const NAP: Duration = Duration::from_millis(20);

/// A worker's letter boxes.
#[derive(Debug)]
pub struct Post<T: Transport> {
    transport: T,
    tuning: Tuning,
    /// What is to be sent, by worker.
    out: Vec<Vec<u8>>,
    /// Batches that may be sent, by worker; PO-1.
    credits: Vec<u32>,
    /// Batches that were taken in and whose credits have not been sent, by worker.
    taken: Vec<u32>,
    termination: Termination,
    /// States expanded since the last batches were sent.
    expanded: u32,
    ended: Option<Rest>,
    least_depth: u32,
    /// How many have said goodbye.
    gone: Worker,
    /// Messages for what comes after the run.
    later: Vec<Message>,
    paused: bool,
    pause_wanted: bool,
    part_wanted: bool,
    /// One that was asked for.
    part: Option<Vec<u8>>,
    /// Batches and bytes sent.
    pub batches: u64,
    /// Bytes of states sent.
    pub bytes: u64,
}

impl<T: Transport> Post<T> {
    /// Nothing has been sent yet.
    pub fn new(transport: T, tuning: Tuning) -> Self {
        let (me, workers) = (transport.me(), transport.workers());
        Self {
            out: (0..workers).map(|_| Vec::new()).collect(),
            credits: vec![tuning.credits; workers.into()],
            taken: vec![0; workers.into()],
            termination: Termination::new(me, workers),
            transport,
            tuning,
            expanded: 0,
            ended: None,
            least_depth: u32::MAX,
            gone: 0,
            later: Vec::new(),
            paused: false,
            pause_wanted: false,
            part_wanted: false,
            part: None,
            batches: 0,
            bytes: 0,
        }
    }

    /// This worker.
    pub fn me(&self) -> Worker {
        self.transport.me()
    }

    /// The batch that goes to this worker next, to be added to; then
    /// [`filled`](Self::filled).
    #[inline]
    pub fn batch(&mut self, to: Worker) -> &mut Vec<u8> {
        &mut self.out[usize::from(to)]
    }

    /// Something was added to a batch.
    #[inline]
    pub fn filled(&mut self, to: Worker) {
        if self.out[usize::from(to)].len() >= self.tuning.batch {
            self.dispatch(to);
        }
    }

    /// Sends what there is, if it may be sent.
    fn dispatch(&mut self, to: Worker) {
        let at = usize::from(to);
        if self.out[at].is_empty() || self.credits[at] == 0 {
            return;
        }
        let next = self.transport.buffer();
        let bytes = std::mem::replace(&mut self.out[at], next);
        self.credits[at] -= 1;
        self.batches += 1;
        self.bytes += bytes.len() as u64;
        self.termination.sent();
        self.transport.send(to, Kind::States, bytes);
    }

    fn dispatch_all(&mut self) {
        self.expanded = 0;
        (0..self.transport.workers()).for_each(|to| self.dispatch(to));
    }

    /// A state has been expanded. Says whether another may be (PO-1), and
    /// whether to look for what has arrived first.
    #[inline]
    pub fn pace(&mut self) -> Pace {
        self.expanded += 1;
        match self.expanded {
            expanded if expanded >= self.tuning.patience => self.catch_up(),
            expanded if expanded % LOOK_EVERY == 0 => Pace::Look,
            _ => Pace::Go,
        }
    }

    #[inline(never)]
    fn catch_up(&mut self) -> Pace {
        self.dispatch_all();
        let full = self.out.iter().any(|batch| batch.len() >= self.tuning.full);
        if full && self.ended.is_none() {
            self.expanded = self.tuning.patience;
            // A batch is full because credits are missing: they are on their way.
            self.transport.wait(NAP);
            return Pace::Hold;
        }
        Pace::Look
    }

    /// Takes in all messages that have arrived; each batch goes to `take`, with
    /// its sender. Whether there was one.
    pub fn receive<E>(&mut self, mut take: impl FnMut(Worker, &[u8]) -> Result<(), E>) -> Result<bool, E> {
        let mut any = false;
        while let Some(message) = self.transport.receive() {
            let from = message.from;
            match message.kind {
                Kind::States => {
                    any = true;
                    self.termination.received();
                    // After the end nobody asks for what arrives.
                    let taken = if self.ended.is_none() { take(from, &message.bytes) } else { Ok(()) };
                    self.transport.recycle(message.bytes);
                    self.credit(from);
                    taken?;
                    continue;
                }
                Kind::Credit => self.credits[usize::from(from)] += self.tuning.lot(),
                Kind::Token => self.termination.take(Token::from_bytes(&message.bytes)),
                Kind::Over => self.ended = self.ended.or(Some(Rest::Over)),
                Kind::Stop => self.ended = Some(Rest::Stopped),
                Kind::Found => {
                    let depth = message.bytes.first_chunk().map_or(u32::MAX, |b| u32::from_le_bytes(*b));
                    self.least_depth = self.least_depth.min(depth);
                }
                Kind::Goodbye => self.gone += 1,
                Kind::Result => self.later.push(message),
                Kind::Pause if self.transport.me() == 0 => self.pause_wanted = true,
                Kind::Pause => self.paused = true,
                Kind::GoOn => self.paused = false,
                Kind::Part if self.transport.me() == 0 => self.part = Some(message.bytes),
                Kind::Part => self.part_wanted = true,
            }
        }
        Ok(any)
    }

    /// A batch of this worker was taken in.
    fn credit(&mut self, from: Worker) {
        let taken = &mut self.taken[usize::from(from)];
        *taken += 1;
        if *taken == self.tuning.lot() {
            *taken = 0;
            self.transport.send(from, Kind::Credit, Vec::new());
        }
    }

    /// Whether the run has ended, and how.
    #[inline]
    pub fn ended(&self) -> Option<Rest> {
        self.ended
    }

    /// Nothing waits here, and what has arrived was taken in; PO-3.
    pub fn rest(&mut self) -> Rest {
        self.dispatch_all();
        if let Some(end) = self.ended {
            return end;
        }
        if self.out.iter().all(Vec::is_empty) {
            match self.termination.idle() {
                Step::None => {}
                Step::Pass(to, token) => self.transport.send(to, Kind::Token, token.to_bytes().to_vec()),
                Step::Over if self.paused => return Rest::Quiet,
                Step::Over => {
                    self.tell_all(Kind::Over, &[]);
                    self.ended = Some(Rest::Over);
                    return Rest::Over;
                }
            }
        }
        self.transport.wait(NAP);
        Rest::Look
    }

    /// How many workers there are.
    pub fn workers(&self) -> Worker {
        self.transport.workers()
    }

    /// The first worker pauses everybody; others ask it to. PO-5.
    pub fn pause(&mut self) {
        if self.transport.me() != 0 {
            self.transport.send(0, Kind::Pause, Vec::new());
            return;
        }
        (self.paused, self.pause_wanted) = (true, false);
        self.tell_all(Kind::Pause, &[]);
        self.termination.start_again();
    }

    /// How this worker stands to a pause.
    #[inline]
    pub fn pausing(&self) -> Pausing {
        match (self.paused, self.part_wanted, self.pause_wanted) {
            (true, true, _) => Pausing::PartWanted,
            (true, false, _) => Pausing::Paused,
            (false, _, true) => Pausing::Wanted,
            (false, _, false) => Pausing::No,
        }
    }

    /// The first worker asks another one for its next part.
    pub fn ask_part(&mut self, of: Worker) {
        self.transport.send(of, Kind::Part, Vec::new());
    }

    /// Answers the first worker.
    pub fn give_part(&mut self, bytes: Vec<u8>) {
        self.part_wanted = false;
        self.transport.send(0, Kind::Part, bytes);
    }

    /// The part that was asked for, if it has arrived.
    pub fn take_part(&mut self) -> Option<Vec<u8>> {
        self.part.take()
    }

    /// The first worker ends the pause.
    pub fn go_on(&mut self) {
        self.paused = false;
        self.tell_all(Kind::GoOn, &[]);
        self.termination.start_again();
    }

    /// This worker ends the run.
    pub fn stop(&mut self) {
        if self.ended.is_none() {
            self.tell_all(Kind::Stop, &[]);
            self.ended = Some(Rest::Stopped);
        }
    }

    /// Something was found at this depth.
    pub fn found(&mut self, depth: u32) {
        if depth < self.least_depth {
            self.least_depth = depth;
            self.tell_all(Kind::Found, &depth.to_le_bytes());
        }
    }

    /// The least depth at which something was found.
    #[inline]
    pub fn least_depth(&self) -> u32 {
        self.least_depth
    }

    fn tell_all(&mut self, kind: Kind, bytes: &[u8]) {
        let me = self.transport.me();
        for to in (0..self.transport.workers()).filter(|to| *to != me) {
            self.transport.send(to, kind, bytes.to_vec());
        }
    }

    /// Says goodbye and waits for all others to do so; PO-4.
    pub fn finish(&mut self) {
        self.leave();
        while !self.alone() {
            self.transport.wait(NAP);
        }
        while let Some(message) = self.later.pop() {
            self.transport.unread(message);
        }
    }

    /// Says goodbye; ends the run if it has not ended.
    pub fn leave(&mut self) {
        self.stop();
        self.tell_all(Kind::Goodbye, &[]);
    }

    /// Takes in what is left; whether all others have said goodbye.
    pub fn alone(&mut self) -> bool {
        let _ = self.receive(|_, _| Ok::<(), ()>(()));
        self.gone + 1 >= self.transport.workers()
    }
}

/// A worker that panics must not leave the others waiting.
impl<T: Transport> Drop for Post<T> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.tell_all(Kind::Stop, &[]);
            self.tell_all(Kind::Goodbye, &[]);
        }
    }
}
