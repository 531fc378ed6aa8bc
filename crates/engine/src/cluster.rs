//! Processes that share a question (paper 4).
//!
//! All of them read the same model and do the same; the first one decides.
//!
//! CL-1 A run begins when the first process says so: it hands out how much time
//!      is left, so that nobody runs out of it while others are busy elsewhere.
//! CL-2 A run ends with the same outcome, counts, values and path everywhere, so
//!      that what is done next is the same everywhere.
//! CL-3 What one worker has to do alone, after a failure of the model, or for
//!      questions that one worker answers, the first process does; the others
//!      go on to the next question and wait there.

use crate::Stats;
use crate::run::Ended;
use dwell_base::limits::{Limits, Stop};
use dwell_base::persist::{Persist, put, take};
use dwell_explore::measure::Gauge;
use dwell_explore::{NodeId, Origin, Outcome, Parent, SAME, Worker, unchained};
use dwell_model::Span;
use dwell_model::expr::{RuntimeError, RuntimeErrorKind};
use dwell_parallel::Meeting;
use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

/// What a message says, first of all.
const QUESTION: u8 = 0;
const REPORT: u8 = 1;

/// CL-1
pub(crate) fn begin(meeting: &mut Meeting<'_>, limits: &mut Limits) {
    if meeting.presides() {
        let left = limits.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let millis = left.map_or(u64::MAX, |left| left.as_millis() as u64);
        meeting.tell_all(&millis.to_le_bytes());
        return;
    }
    let (_, bytes) = meeting.hear();
    let millis = bytes.first_chunk().map_or(u64::MAX, |bytes| u64::from_le_bytes(*bytes));
    limits.deadline =
        Instant::now().checked_add(Duration::from_millis(millis)).filter(|_| millis != u64::MAX);
}

/// What one process knows at the end of a run, or all of them.
pub(crate) struct Summary {
    /// Who it was, where somebody ended the run.
    pub worker: Worker,
    pub ended: Ended,
    pub gauges: Vec<Gauge>,
    /// States visited by each worker.
    pub loads: Vec<u64>,
}

/// CL-2. `origin` tells where a state of a worker of this process comes from.
pub(crate) fn agree(
    meeting: &mut Meeting<'_>,
    mut mine: Summary,
    origin: impl Fn(Worker, u32) -> Option<Origin>,
) -> Summary {
    let rank = meeting.rank();
    if !meeting.presides() {
        meeting.tell(0, mine.to_bytes());
        loop {
            let (_, bytes) = meeting.hear();
            if bytes.first() == Some(&REPORT) {
                let read = mine.read(&mut &bytes[1..]);
                debug_assert!(read.is_ok(), "what the first process says is whole");
                return mine;
            }
            let node = asked(&bytes);
            let found = node.and_then(|(worker, node)| origin(worker, node));
            meeting.tell(0, answer(found));
        }
    }
    let mut gauges: Vec<Vec<Gauge>> = vec![mine.gauges.clone()];
    let mut parts: Vec<(Worker, Summary)> = Vec::new();
    while parts.len() + 1 < meeting.ranks().into() {
        let (rank, bytes) = meeting.hear();
        let mut part = Summary::blank(&mine.gauges);
        // A report that cannot be read stops the run: its sender knows more than we do.
        if part.read(&mut bytes.get(1..).unwrap_or_default()).is_err() {
            part.ended.outcome = Outcome::Stopped(Stop::Elsewhere);
        }
        parts.push((rank, part));
    }
    parts.sort_by_key(|(rank, _)| *rank);
    for (_, part) in parts {
        if weight(&part.ended.outcome) < weight(&mine.ended.outcome) {
            (mine.worker, mine.ended.outcome) = (part.worker, part.ended.outcome);
        }
        mine.ended.stats += part.ended.stats;
        mine.loads.extend(part.loads);
        gauges.push(part.gauges);
    }
    for (at, gauge) in mine.gauges.iter_mut().enumerate() {
        gauge.unite(gauges.iter().map(|gauges| &gauges[at]));
    }
    if let Outcome::Reached(node) | Outcome::ReachedAt(node, _) = mine.ended.outcome {
        mine.ended.path = path(mine.worker, node, |worker, node| {
            let owner = meeting.rank_of(worker);
            if owner == rank || owner >= meeting.ranks() {
                // Ours, or one of a run before this one.
                return origin(worker, node);
            }
            meeting.tell(owner, question(worker, node));
            answered(&meeting.hear().1)
        });
    }
    let bytes = mine.to_bytes();
    meeting.tell_all(&bytes);
    mine
}

/// Which of two outcomes is that of both: the smaller one.
pub(crate) fn weight(outcome: &Outcome) -> (u8, i64) {
    match outcome {
        Outcome::Reached(_) => (0, 0),
        Outcome::ReachedAt(_, depth) => (1, *depth),
        Outcome::Failed { .. } => (2, 0),
        Outcome::Overflow => (3, 0),
        Outcome::TooManySplits => (4, 0),
        Outcome::NotResumed(_) => (5, 0),
        Outcome::Stopped(Stop::Elsewhere) => (7, 0),
        Outcome::Stopped(_) => (6, 0),
        Outcome::Complete => (8, 0),
    }
}

/// The way to a state, from where its ancestors come from.
pub(crate) fn path(
    mut worker: Worker,
    NodeId(mut node): NodeId,
    mut origin: impl FnMut(Worker, u32) -> Option<Origin>,
) -> Option<(u32, Vec<u32>)> {
    let mut moves = Vec::new();
    loop {
        let Origin { parent, index, .. } = origin(worker, node)?;
        match parent {
            Parent::None => {
                moves.reverse();
                return Some((index, unchained(moves)));
            }
            Parent::Here(parent) => node = parent.0,
            Parent::Elsewhere { worker: other, node: parent } => (worker, node) = (other, parent),
        }
        if index != SAME {
            moves.push(index);
        }
    }
}

fn question(worker: Worker, node: u32) -> Vec<u8> {
    let mut bytes = vec![QUESTION];
    bytes.extend(worker.to_le_bytes());
    bytes.extend(node.to_le_bytes());
    bytes
}

fn asked(bytes: &[u8]) -> Option<(Worker, u32)> {
    let (worker, rest) = bytes.get(1..)?.split_first_chunk()?;
    Some((Worker::from_le_bytes(*worker), u32::from_le_bytes(*rest.first_chunk()?)))
}

/// Where a state comes from: a byte, and numbers where they mean something.
fn answer(origin: Option<Origin>) -> Vec<u8> {
    let Some(Origin { parent, index, depth }) = origin else { return vec![3] };
    let (kind, worker, node) = match parent {
        Parent::None => (0, 0, 0),
        Parent::Here(node) => (1, 0, node.0),
        Parent::Elsewhere { worker, node } => (2, worker, node),
    };
    let mut bytes = vec![kind];
    bytes.extend(worker.to_le_bytes());
    [node, index, depth].iter().for_each(|number| bytes.extend(number.to_le_bytes()));
    bytes
}

fn answered(bytes: &[u8]) -> Option<Origin> {
    let (&kind, rest) = bytes.split_first()?;
    let (worker, rest) = rest.split_first_chunk()?;
    let number = |at: usize| Some(u32::from_le_bytes(*rest.get(at..)?.first_chunk()?));
    let node = number(0)?;
    let parent = match kind {
        0 => Parent::None,
        1 => Parent::Here(NodeId(node)),
        _ => Parent::Elsewhere { worker: Worker::from_le_bytes(*worker), node },
    };
    Some(Origin { parent, index: number(4)?, depth: number(8)? })
}

impl Summary {
    /// Of nothing.
    fn blank(gauges: &[Gauge]) -> Self {
        let ended = Ended::new(Outcome::Complete, Stats::default());
        Self { worker: 0, ended, gauges: gauges.to_vec(), loads: Vec::new() }
    }

    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![REPORT];
        let written = self.write(&mut bytes);
        debug_assert!(written.is_ok(), "memory takes everything");
        bytes
    }

    fn write(&self, out: &mut Vec<u8>) -> io::Result<()> {
        put(out, self.worker)?;
        write_outcome(&self.ended.outcome, out)?;
        let mut stats = self.ended.stats;
        stats.counters().into_iter().try_for_each(|counter| put(out, *counter))?;
        self.loads.freeze(out)?;
        for gauge in &self.gauges {
            put(out, u8::from(gauge.above))?;
            let spans: Vec<i64> = gauge.values.spans().flat_map(|(first, last)| [first, last]).collect();
            spans.freeze(out)?;
        }
        let (initial, moves) = self.ended.path.clone().unwrap_or((u32::MAX, Vec::new()));
        put(out, initial)?;
        moves.freeze(out)
    }

    fn read(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.worker = take(from)?;
        self.ended.outcome = read_outcome(from)?;
        for counter in self.ended.stats.counters() {
            *counter = take(from)?;
        }
        self.loads.thaw(from)?;
        for gauge in &mut self.gauges {
            let above = take::<u8>(from)? != 0;
            let mut spans = Vec::<i64>::new();
            spans.thaw(from)?;
            gauge.set(above, spans.chunks_exact(2).map(|span| (span[0], span[1])));
        }
        let (initial, mut moves) = (take::<u32>(from)?, Vec::new());
        moves.thaw(from)?;
        self.ended.path = (initial != u32::MAX).then_some((initial, moves));
        Ok(())
    }
}

/// Why somebody stopped, as a number and back; others are told less.
const STOPS: [Stop; 6] =
    [Stop::Timeout, Stop::Memory, Stop::Cancelled, Stop::Pinned, Stop::Visits, Stop::Answered];

fn write_outcome(outcome: &Outcome, out: &mut dyn Write) -> io::Result<()> {
    let (kind, number, depth): (u8, u32, i64) = match outcome {
        Outcome::Complete => (0, 0, 0),
        Outcome::Reached(node) => (1, node.0, 0),
        Outcome::ReachedAt(node, depth) => (2, node.0, *depth),
        Outcome::Failed { .. } => (3, 0, 0),
        Outcome::Overflow => (4, 0, 0),
        Outcome::TooManySplits => (5, 0, 0),
        Outcome::NotResumed(_) => (6, 0, 0),
        Outcome::Stopped(Stop::Disk(_)) => (7, 0, 0),
        Outcome::Stopped(stop) => {
            (8, STOPS.iter().position(|known| known == stop).map_or(u32::MAX, |at| at as u32), 0)
        }
    };
    put(out, kind)?;
    put(out, number)?;
    put(out, depth)
}

fn read_outcome(from: &mut dyn Read) -> io::Result<Outcome> {
    let (kind, number, depth) = (take::<u8>(from)?, take::<u32>(from)?, take::<i64>(from)?);
    Ok(match kind {
        0 => Outcome::Complete,
        1 => Outcome::Reached(NodeId(number)),
        2 => Outcome::ReachedAt(NodeId(number), depth),
        // What failed, and where, is found out by one worker alone.
        3 => Outcome::Failed {
            error: RuntimeError { kind: RuntimeErrorKind::AssertionFailed, span: Span::default() },
            at: None,
        },
        4 => Outcome::Overflow,
        5 => Outcome::TooManySplits,
        6 => Outcome::NotResumed("another process could not go on".into()),
        7 => Outcome::Stopped(Stop::Disk(io::ErrorKind::Other)),
        _ => Outcome::Stopped(STOPS.get(number as usize).copied().unwrap_or(Stop::Elsewhere)),
    })
}
