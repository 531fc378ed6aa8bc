//! What every process of `tests/mpirun.rs` runs: a graph of numbers, explored by
//! all workers together; and what may happen to one of them on the way.
//!
//! ```text
//! mpirun -n 4 dwell-mpi-traffic THREADS STATES ROUNDS [die|panic|stumble|leave|absent|stop|more RANK]
//! ```

use dwell_mpi::World;
use dwell_parallel::{Cluster, Meeting, Pace, Post, Transport, Worker};
use std::process::{Command, ExitCode};

/// What a process does after its first states.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Event {
    Nothing,
    /// It is killed.
    Die,
    /// Its first thread has a bug.
    Panic,
    /// Another one has.
    Stumble,
    /// It ends as if all had been done.
    Leave,
    /// It ends the run for all, which it may.
    Stop,
}

/// When that is.
const SOON: u64 = 1_000;

/// What workers have found: how many states, and their sum; what they sent and
/// took in.
#[derive(Clone, Copy, Default)]
struct Found([u64; 4]);

impl Found {
    fn state(&mut self, state: u32) {
        self.0[0] += 1;
        self.0[1] += u64::from(state);
    }

    fn add(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(sum, more)| *sum += more);
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| arguments.get(at).and_then(|text| text.parse::<u32>().ok());
    let (Some(threads), Some(states), Some(rounds)) = (number(0), number(1), number(2)) else {
        eprintln!("dwell-mpi-traffic THREADS STATES ROUNDS [die|panic|stumble|leave|absent|stop|more RANK]");
        return ExitCode::from(2);
    };
    let world = match World::join() {
        Ok(Some(world)) => world,
        Ok(None) => {
            println!("alone");
            return ExitCode::SUCCESS;
        }
        Err(why) => {
            eprintln!("{why}");
            return ExitCode::from(2);
        }
    };
    let word = arguments.get(3).map_or("", String::as_str);
    let mine = number(4) == Some(world.rank().into());
    if word == "absent" && mine {
        return ExitCode::SUCCESS;
    }
    let event = match word {
        "die" if mine => Event::Die,
        "panic" if mine => Event::Panic,
        "stumble" if mine => Event::Stumble,
        "leave" if mine => Event::Leave,
        "stop" if mine => Event::Stop,
        _ => Event::Nothing,
    };
    let threads = threads as Worker + Worker::from(word == "more" && mine);
    for round in 0..rounds {
        let mut ends = world.connect(threads);
        let Some(found) = explore(&mut ends, states, event) else { return ExitCode::SUCCESS };
        let Some([count, sum, sent, taken]) = tell(Meeting::new(&mut *ends[0], threads), found) else {
            continue;
        };
        let Found([states, expected, ..]) = alone(states);
        if word == "stop" {
            assert!(count < states, "a run that was stopped");
            println!("round {round}: stopped");
        } else {
            assert_eq!((count, sum), (states, expected), "every state is found once");
            assert_eq!(sent, taken, "what is sent arrives");
            println!("round {round}: {count}");
        }
    }
    ExitCode::SUCCESS
}

fn successors(state: u32, states: u32) -> [u32; 3] {
    [(3, 1), (7, 5), (1, 1)].map(|(by, plus)| ((u64::from(state) * by + plus) % u64::from(states)) as u32)
}

fn owner(state: u32, workers: Worker) -> Worker {
    (state.wrapping_mul(2_654_435_761) >> 16) as Worker % workers
}

/// By one worker.
fn alone(states: u32) -> Found {
    let mut seen = vec![false; states as usize];
    let (mut waiting, mut found) = (vec![0], Found::default());
    while let Some(state) = waiting.pop() {
        if !std::mem::replace(&mut seen[state as usize], true) {
            found.state(state);
            waiting.extend(successors(state, states));
        }
    }
    found
}

/// By all workers; what those of this process have found, unless it leaves.
fn explore(ends: &mut [Box<dyn Transport + Send + '_>], states: u32, event: Event) -> Option<Found> {
    let (event, other) = match event {
        Event::Stumble => (Event::Nothing, Event::Panic),
        event => (event, Event::Nothing),
    };
    let (first, others) = ends.split_first_mut()?;
    std::thread::scope(|scope| {
        let others: Vec<_> =
            others.iter_mut().map(|end| scope.spawn(|| work(&mut **end, states, other))).collect();
        let mut found = work(&mut **first, states, event)?;
        for thread in others {
            found.add(thread.join().expect("a thread that does not panic")?);
        }
        Some(found)
    })
}

fn work(end: &mut dyn Transport, states: u32, event: Event) -> Option<Found> {
    let (me, workers) = (end.me(), end.workers());
    let mut post = Post::new(end, dwell_parallel::Tuning::default());
    let mut seen = vec![false; states as usize];
    let (mut waiting, mut found) = (Vec::new(), Found::default());
    if owner(0, workers) == me {
        waiting.push(0);
    }
    while post.ended().is_none() {
        let paced = post.pace() != Pace::Hold;
        let _ = post.receive(|_, batch| {
            let (arrived, rest) = batch.as_chunks();
            assert!(rest.is_empty(), "whole numbers");
            found.0[3] += arrived.len() as u64;
            waiting.extend(arrived.iter().map(|bytes| u32::from_le_bytes(*bytes)));
            Ok::<(), ()>(())
        });
        if !paced {
            continue;
        }
        let Some(state) = waiting.pop() else {
            post.rest();
            continue;
        };
        if std::mem::replace(&mut seen[state as usize], true) {
            continue;
        }
        found.state(state);
        if found.0[0] == SOON {
            match event {
                Event::Nothing | Event::Stumble => {}
                Event::Die => {
                    let _ = Command::new("kill").args(["-9", &std::process::id().to_string()]).status();
                }
                Event::Panic => panic!("a bug in one process"),
                Event::Leave => return None,
                Event::Stop => post.stop(),
            }
        }
        for next in successors(state, states) {
            match owner(next, workers) {
                own if own == me => waiting.push(next),
                other => {
                    found.0[2] += 1;
                    post.batch(other).extend_from_slice(&next.to_le_bytes());
                    post.filled(other);
                }
            }
        }
    }
    post.finish();
    Some(found)
}

/// Process 0 is told what all have found.
fn tell(mut meeting: Meeting<'_>, mut found: Found) -> Option<[u64; 4]> {
    if !meeting.presides() {
        meeting.tell(0, found.0.iter().flat_map(|number| number.to_le_bytes()).collect());
        return None;
    }
    for _ in 1..meeting.ranks() {
        let (_, bytes) = meeting.hear();
        let (numbers, _) = bytes.as_chunks();
        found.add(Found(std::array::from_fn(|at| u64::from_le_bytes(numbers[at]))));
    }
    Some(found.0)
}
