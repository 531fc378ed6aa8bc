//! Messages and time of a network that there is not.
//!
//! Every rank has a clock. Of all ranks that have something to do, the one whose clock is least runs; it goes on until
//! another's is. So whatever arrives before its clock has been sent when it looks.
//!
//! VT-1 A look that finds nothing is followed by the expansion of a state, or by a wait, which takes the cost of the
//!      state back.
//! VT-2 A rank sends one message after the other, at the rate of its link; a message arrives `latency` after its last
//!      byte was sent. So messages of a pair stay in order (TR-2).

use dwell_explore::Worker;
use dwell_parallel::{Kind, Message, Transport};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

/// Nanoseconds, in steps that can be compared.
type Time = u64;

/// What things cost, in nanoseconds.
#[derive(Clone, Copy)]
pub struct Costs {
    /// To visit a state: its successors, and looking them up.
    pub state: f64,
    /// To write and read a byte of a state that travels.
    pub byte: f64,
    /// To send a message, or to receive it.
    pub message: f64,
    /// From the sender to the receiver.
    pub latency: f64,
    /// Bytes that a link carries in a nanosecond.
    pub bytes: f64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    /// It runs, or waits for its turn.
    Ready,
    /// It waits for a message since its clock stood there.
    Waits,
    Gone,
}

struct Node {
    clock: Time,
    status: Status,
    /// Its link is free again.
    free_at: Time,
    /// By arrival and number.
    inbox: BTreeMap<(Time, u64), Message>,
    over_at: Time,
}

/// All ranks.
pub struct World {
    costs: Costs,
    nodes: Vec<Node>,
    /// Those whose turn may come, by clock; entries that are not up to date mean nothing.
    turns: BinaryHeap<Reverse<(Time, usize)>>,
    running: usize,
    /// Messages with states, and all their bytes.
    pub messages: u64,
    pub bytes: u64,
    numbered: u64,
}

impl World {
    /// When the last rank knew that it was over.
    pub fn over_at(&self) -> f64 {
        self.nodes.iter().map(|node| node.over_at).max().unwrap_or(0) as f64
    }

    /// When a rank may go on, if it may.
    fn due(&self, rank: usize) -> Option<Time> {
        let node = &self.nodes[rank];
        match node.status {
            Status::Ready => Some(node.clock),
            Status::Waits => node.inbox.first_key_value().map(|((arrival, _), _)| node.clock.max(*arrival)),
            Status::Gone => None,
        }
    }

    /// The rank that goes on first.
    fn next(&mut self) -> Option<usize> {
        while let Some(Reverse((time, rank))) = self.turns.pop() {
            if self.due(rank) == Some(time) {
                return Some(rank);
            }
        }
        None
    }

    fn queue(&mut self, rank: usize) {
        if let Some(time) = self.due(rank) {
            self.turns.push(Reverse((time, rank)));
        }
    }
}

/// One rank's end.
pub struct Rank {
    me: usize,
    world: Arc<Mutex<World>>,
    woken: Arc<Vec<Condvar>>,
    /// VT-1.
    charged: Time,
}

/// The ends of so many ranks, and what they share.
pub fn connect(ranks: Worker, costs: Costs) -> (Vec<Rank>, Arc<Mutex<World>>) {
    let node = |_| Node { clock: 0, status: Status::Ready, free_at: 0, inbox: BTreeMap::new(), over_at: 0 };
    let count = usize::from(ranks);
    let nodes = (0..count).map(node).collect();
    let turns = (1..count).map(|rank| Reverse((0, rank))).collect();
    let world = World { costs, nodes, turns, running: 0, messages: 0, bytes: 0, numbered: 0 };
    let world = Arc::new(Mutex::new(world));
    let woken: Arc<Vec<Condvar>> = Arc::new((0..count).map(|_| Condvar::new()).collect());
    let end = |me| Rank { me, world: Arc::clone(&world), woken: Arc::clone(&woken), charged: 0 };
    ((0..count).map(end).collect(), world)
}

impl Rank {
    fn lock(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Lets the rank run whose turn it is, until it is this one's again.
    fn turn<'w>(&'w self, mut world: MutexGuard<'w, World>) -> MutexGuard<'w, World> {
        if world.running == self.me {
            world.queue(self.me);
            match world.next() {
                Some(next) if next == self.me => return world,
                Some(next) => {
                    world.running = next;
                    self.woken[next].notify_one();
                }
                None => panic!("every rank waits"),
            }
        }
        while world.running != self.me {
            world = self.woken[self.me].wait(world).unwrap_or_else(|poisoned| poisoned.into_inner());
        }
        world
    }
}

impl Transport for Rank {
    fn me(&self) -> Worker {
        self.me as Worker
    }

    fn workers(&self) -> Worker {
        self.woken.len() as Worker
    }

    fn send(&mut self, to: Worker, kind: Kind, bytes: Vec<u8>) {
        let (to, from) = (usize::from(to), self.me);
        let mut world = self.lock();
        let Costs { byte, message, latency, bytes: rate, .. } = world.costs;
        if kind == Kind::States {
            world.messages += 1;
            world.bytes += bytes.len() as u64;
        }
        world.numbered += 1;
        let number = world.numbered;
        let sender = &mut world.nodes[from];
        sender.clock += (message + byte * bytes.len() as f64) as Time;
        sender.free_at = sender.clock.max(sender.free_at) + (bytes.len() as f64 / rate) as Time;
        let arrival = sender.free_at + latency as Time;
        if kind == Kind::Over {
            sender.over_at = sender.clock;
        }
        let message = Message { from: from as Worker, kind, bytes };
        world.nodes[to].inbox.insert((arrival, number), message);
        if world.nodes[to].status == Status::Waits {
            world.queue(to);
        }
    }

    fn receive(&mut self) -> Option<Message> {
        self.charged = 0;
        let mut world = self.turn(self.lock());
        let costs = world.costs;
        let node = &mut world.nodes[self.me];
        let arrived = node.inbox.first_entry().filter(|first| first.key().0 <= node.clock);
        let Some(message) = arrived.map(|first| first.remove()) else {
            let state = costs.state as Time;
            node.clock += state;
            drop(world);
            self.charged = state; // VT-1
            return None;
        };
        node.clock += (costs.message + costs.byte * message.bytes.len() as f64) as Time;
        if message.kind == Kind::Over {
            node.over_at = node.clock;
        }
        Some(message)
    }

    fn unread(&mut self, message: Message) {
        self.lock().nodes[self.me].inbox.insert((0, 0), message);
    }

    fn wait(&mut self, _at_most: Duration) {
        let charged = std::mem::take(&mut self.charged);
        let mut world = self.lock();
        let node = &mut world.nodes[self.me];
        node.clock -= charged; // VT-1
        node.status = Status::Waits;
        let mut world = self.turn(world);
        let due = world.due(self.me);
        let node = &mut world.nodes[self.me];
        node.status = Status::Ready;
        node.clock = due.unwrap_or(node.clock);
    }
}

/// Nobody waits for a rank that has left.
impl Drop for Rank {
    fn drop(&mut self) {
        let mut world = self.lock();
        world.nodes[self.me].status = Status::Gone;
        if world.running == self.me
            && let Some(next) = world.next()
        {
            world.running = next;
            self.woken[next].notify_one();
        }
    }
}
