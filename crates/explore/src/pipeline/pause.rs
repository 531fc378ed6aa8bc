//! A run of several workers written down, and gone on with.
//!
//! The first worker pauses all others (PO-5 of `dwell_parallel`), asks each of
//! them for what it has stored, part by part, and writes all of it to one file.
//! When a run goes on, it reads the file and hands every state over to its
//! owner, as if it had just been made: so there may be more workers, or fewer.
//!
//! ```text
//!  chunk: worker (2 bytes) · length (4) · kind (1) · bytes        the last has length 0
//!  kind 0: states, as they travel · 1: a piece of the links to parents · 2: counters
//! ```
//!
//! PA-1 A state is written with its number; where traces are wanted, its parent
//!      in the run that goes on is itself in the run that was written down
//!      ([`SAME`]), whose links the first worker keeps ([`Past`]).
//! PA-2 Nobody expands anything before all states are where they belong:
//!      otherwise what is stored would be met as new.
//! PA-3 No zone is compared on the way that was not compared before: stored
//!      states do not cover each other.

use super::work::{Pause, Work};
use super::{Halt, Pipeline};
use crate::trace::Past;
use crate::{
    At, Cover, Extrapolate, Goal, Inserted, KeyStore, NodeId, Observer, Order, Origin, Pace, Parcel, Parent,
    Pausing, Progress, Rank, Reduce, Rest, SAME, Stats, TraceStore, Worker, ZoneStore,
};
use dwell_base::limits::Stop;
use dwell_base::persist::{corrupt, put, take};
use dwell_zones::{Bound, compact};
use std::io::{self, Read, Write};

/// Bytes of a part, or a little more.
const PART: usize = 1 << 16;

const STATES: u8 = 0;
const LINKS: u8 = 1;
const COUNTERS: u8 = 2;

/// What a worker has still to hand out.
#[derive(Default)]
pub(super) struct Parts {
    /// The stored states; `None` if nobody has asked yet.
    nodes: Option<Vec<(u32, u32)>>,
    /// Links to parents, as bytes.
    links: Vec<u8>,
    counters: Vec<u8>,
}

impl<B, E, R, G, V, H, K, Z, C, O, T> Pipeline<'_, B, E, R, G, V, H, K, Z, C, O, T>
where
    B: Bound,
    E: Extrapolate<B>,
    R: Reduce,
    G: Goal<B>,
    V: Observer,
    H: Rank<B>,
    K: KeyStore,
    Z: ZoneStore<B>,
    C: Cover<B>,
    O: Order,
    T: TraceStore,
{
    /// Pauses, if somebody wants to. An error ends the run.
    pub(super) fn pause_if_wanted(&mut self, work: &mut Work<B>) -> Result<(), Halt> {
        let Some(exchange) = &mut self.exchange else { return Ok(()) };
        let pausing = exchange.pausing();
        if !exchange.starts() {
            if let Some(Pause::Stop(stop)) = work.pause.take()
                && work.stopping.is_none()
            {
                work.stopping = Some(stop);
                exchange.pause();
            }
            return if pausing == Pausing::No { Ok(()) } else { self.sit_out(work) };
        }
        if work.pause.is_none() && pausing == Pausing::No {
            return Ok(());
        }
        let pause = work.pause.take();
        exchange.pause();
        self.until_quiet(work)?;
        self.write_down(work)?;
        if let Some(exchange) = &mut self.exchange {
            exchange.go_on();
        }
        match pause {
            Some(Pause::Stop(stop)) => Err(Halt::Stop(stop)),
            _ => Ok(()),
        }
    }

    /// Another worker than the first: hands out what is stored until the pause
    /// is over.
    fn sit_out(&mut self, work: &mut Work<B>) -> Result<(), Halt> {
        let mut parts = Parts::default();
        let mut written = false;
        loop {
            if self.collect(work)? {
                return Err(Halt::Stop(Stop::Elsewhere));
            }
            let Some(exchange) = &mut self.exchange else { return Ok(()) };
            match exchange.pausing() {
                Pausing::No | Pausing::Wanted => break,
                Pausing::Paused => match exchange.rest() {
                    Rest::Over | Rest::Stopped => return Err(Halt::Stop(Stop::Elsewhere)),
                    Rest::Look | Rest::Quiet => {}
                },
                Pausing::PartWanted => {
                    let part = self.part(&mut parts, work);
                    if part.is_empty() {
                        // One pause may follow another without a moment between them.
                        parts = Parts::default();
                        written = true;
                    }
                    if let Some(exchange) = &mut self.exchange {
                        exchange.give_part(part);
                    }
                }
            }
        }
        // Written down, and not just read back: now the limit counts.
        if !written {
            return Ok(());
        }
        work.stopping.take().map_or(Ok(()), |stop| Err(Halt::Stop(stop)))
    }

    /// The first worker: waits until nothing travels.
    fn until_quiet(&mut self, work: &mut Work<B>) -> Result<(), Halt> {
        loop {
            if self.collect(work)? {
                return Err(Halt::Stop(Stop::Elsewhere));
            }
            match self.exchange.as_mut().map_or(Rest::Quiet, |exchange| exchange.rest()) {
                Rest::Quiet | Rest::Over => return Ok(()),
                Rest::Stopped => return Err(Halt::Stop(Stop::Elsewhere)),
                Rest::Look => {}
            }
        }
    }

    /// The first worker: all parts of all workers.
    fn write_down(&mut self, work: &mut Work<B>) -> Result<(), Halt> {
        let mut keeper = std::mem::replace(&mut self.keeper, Box::new(crate::NoKeeper));
        let mut halted = None;
        keeper.keep(&mut |out| {
            let mut own = Parts::default();
            loop {
                let part = self.part(&mut own, work);
                if part.is_empty() {
                    break;
                }
                chunk(out, 0, &part)?;
            }
            // Runs before this one, as if they had been workers of it.
            for (worker, mut links) in self.pw.trace().past_links() {
                while !links.is_empty() {
                    let left = links.split_off(PART.min(links.len()));
                    chunk(out, worker, &[&[LINKS][..], &links].concat())?;
                    links = left;
                }
            }
            for worker in 1..self.exchange.as_ref().map_or(0, |exchange| exchange.workers()) {
                loop {
                    match self.fetch(worker, work) {
                        Ok(part) if part.is_empty() => break,
                        Ok(part) => chunk(out, worker, &part)?,
                        Err(halt) => {
                            halted = Some(halt);
                            return Err(io::Error::other("another worker has ended the run"));
                        }
                    }
                }
            }
            chunk(out, 0, &[])
        });
        self.keeper = keeper;
        halted.map_or(Ok(()), Err)
    }

    /// The next part of another worker.
    fn fetch(&mut self, worker: Worker, work: &mut Work<B>) -> Result<Vec<u8>, Halt> {
        if let Some(exchange) = &mut self.exchange {
            exchange.ask_part(worker);
        }
        loop {
            if self.collect(work)? {
                return Err(Halt::Stop(Stop::Elsewhere));
            }
            let Some(exchange) = &mut self.exchange else { return Ok(Vec::new()) };
            if let Some(part) = exchange.take_part() {
                return Ok(part);
            }
            let _ = exchange.rest();
        }
    }

    /// The next part of this worker; empty after the last.
    fn part(&mut self, parts: &mut Parts, work: &mut Work<B>) -> Vec<u8> {
        let nodes = parts.nodes.get_or_insert_with(|| {
            let mut nodes: Vec<(u32, u32)> = Vec::new();
            for entry in 0..self.pw.entries() {
                nodes.extend(self.pw.nodes_of(entry).map(|node| (entry as u32, node.0)));
            }
            if self.pw.trace().keeps_nodes() {
                let written = self.pw.trace().freeze(&mut parts.links);
                debug_assert!(written.is_ok(), "memory takes everything");
            }
            let mut stats = self.stats;
            stats.counters().into_iter().for_each(|count| parts.counters.extend(count.to_le_bytes()));
            nodes
        });
        if !nodes.is_empty() {
            let mut bytes = vec![STATES];
            while bytes.len() < PART
                && let Some((_, node)) = nodes.pop()
            {
                write_state(self, NodeId(node), work, &mut bytes);
            }
            return bytes;
        }
        let (kind, rest) = match parts.links.is_empty() {
            false => (LINKS, &mut parts.links),
            true => (COUNTERS, &mut parts.counters),
        };
        if rest.is_empty() {
            return Vec::new();
        }
        let left = rest.split_off(PART.min(rest.len()));
        let mut bytes = vec![kind];
        bytes.append(&mut std::mem::replace(rest, left));
        bytes
    }

    /// The first worker: reads what [`write_down`](Self::write_down) wrote and
    /// hands it out; PA-2.
    pub(super) fn read_back(
        &mut self,
        from: &mut dyn Read,
        work: &mut Work<B>,
    ) -> io::Result<Result<(), Halt>> {
        let mut links: Vec<Vec<u8>> = Vec::new();
        let mut counts = Stats::default();
        let Some(exchange) = &mut self.exchange else { return Ok(Ok(())) };
        exchange.pause();
        // Workers of the run that was written down come after those of this one.
        let workers = exchange.workers();
        loop {
            let (worker, length) = (take::<Worker>(from)?, take::<u32>(from)?);
            if length == 0 {
                break;
            }
            let mut bytes = Vec::new();
            if from.take(length.into()).read_to_end(&mut bytes)? != length as usize {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            let body = &bytes[1..];
            match bytes[0] {
                STATES => {
                    let past = worker.checked_add(workers).ok_or_else(|| corrupt("too many workers"))?;
                    if let Err(halt) = self.place(past, body, work) {
                        return Ok(Err(halt));
                    }
                }
                LINKS => {
                    let at = usize::from(worker);
                    if links.len() <= at {
                        links.resize_with(at + 1, Vec::new);
                    }
                    links[at].extend_from_slice(body);
                }
                COUNTERS => add_counters(&mut counts, body),
                _ => return Err(corrupt("a chunk of no kind")),
            }
        }
        let past = Past::read(workers, &links)?;
        self.pw.trace_mut().remember(past);
        // What is stored is counted when it comes, what is held is measured.
        self.stats += Stats {
            stored: 0,
            max_stored: 0,
            visited_stored: 0,
            discrete: 0,
            held_bytes: 0,
            spilled_bytes: 0,
            ..counts
        };
        Ok(self.until_quiet(work).map(|()| {
            if let Some(exchange) = &mut self.exchange {
                exchange.go_on();
            }
        }))
    }

    /// Hands states of the past out to their owners.
    fn place(&mut self, past: Worker, mut batch: &[u8], work: &mut Work<B>) -> Result<(), Halt> {
        let (mut words, mut cells) = (work.words.clone(), work.cells.clone());
        while let Some(parcel) = Parcel::<B>::read(past, &mut batch, &mut words, &mut cells) {
            let Some(exchange) = &mut self.exchange else { return Ok(()) };
            match exchange.owner(parcel.words, parcel.cells) {
                Some(owner) => exchange.send(owner, parcel),
                None => self.settle_in(parcel, work),
            }
            while self.exchange.as_mut().is_some_and(|exchange| exchange.pace() == Pace::Hold) {
                if self.collect(work)? {
                    return Err(Halt::Stop(Stop::Elsewhere));
                }
            }
        }
        Ok(())
    }

    /// A state of the past comes to its owner.
    pub(super) fn settle_in(&mut self, parcel: Parcel<'_, B>, work: &mut Work<B>) {
        let Parcel { words, cells, origin, rank, progress, .. } = parcel;
        self.look_up(words, work);
        let at = At { active: &work.active, bounds: &work.bounds };
        if let Inserted::New(node) = self.pw.insert(words, cells, at, origin, &mut self.stats) {
            match progress {
                Progress::Waits => self.pw.wait_at(node, rank, origin.depth),
                Progress::Expanded => self.pw.pass(node, &mut self.stats),
            }
        }
    }
}

fn chunk(out: &mut dyn Write, worker: Worker, part: &[u8]) -> io::Result<()> {
    put(out, worker)?;
    put(out, part.len() as u32)?;
    out.write_all(part)
}

fn add_counters(sum: &mut Stats, bytes: &[u8]) {
    for (counter, bytes) in sum.counters().into_iter().zip(bytes.chunks_exact(8)) {
        *counter += bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    }
}

/// PA-1
fn write_state<B, E, R, G, V, H, K, Z, C, O, T>(
    run: &mut Pipeline<'_, B, E, R, G, V, H, K, Z, C, O, T>,
    node: NodeId,
    work: &mut Work<B>,
    out: &mut Vec<u8>,
) where
    B: Bound,
    H: Rank<B>,
    R: Reduce,
    K: KeyStore,
    Z: ZoneStore<B>,
    C: Cover<B>,
    O: Order,
    T: TraceStore,
{
    work.words.copy_from_slice(run.pw.key(node));
    run.system.layout.unpack(&work.words, &mut work.to.locations, &mut work.to.registers);
    run.reduce.active(&work.to.locations, &mut work.active);
    let cells = &mut work.cells[..compact::compact_len(work.active.len())];
    run.pw.read(node, cells);
    let progress = if run.pw.was_taken(node) { Progress::Expanded } else { Progress::Waits };
    let rank = match progress {
        Progress::Expanded => 0,
        Progress::Waits => {
            compact::unpack(cells, &work.active, &mut work.zone);
            run.rank.of(&mut work.to, &work.zone, &work.active)
        }
    };
    let depth = run.pw.trace().origin(node.0).map_or(0, |origin| origin.depth);
    let origin = Origin { parent: Parent::Here(node), index: SAME, depth };
    Parcel { words: &work.words, cells, origin, rank, flag: 0, progress }.write(out);
}
