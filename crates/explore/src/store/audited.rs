//! A set that forgets with an exact one beside it, for comparison: which
//! states did it take for others?
//!
//! AU-1 A state is omitted directly if the set says that it was there and it
//!      never was put in. What only an omitted state leads to is not met and
//!      not counted. The formulas of paper 1 foretell direct omissions.
//! AU-2 For sets of whole states: what is there is there for ever, so that a
//!      state counts once however often it comes.

use super::{Omissions, Seen, StateSet};
use dwell_base::persist::{Persist, put, take};
use dwell_zones::Bound;
use std::collections::HashSet;
use std::io::{self, Read, Write};

/// A discrete part and a zone.
type State<B> = (Vec<u64>, Vec<B>);

/// A set and what it should hold.
pub struct Audited<B> {
    set: Box<dyn StateSet<B>>,
    passed: HashSet<State<B>>,
    omitted: HashSet<State<B>>,
}

impl<B: Bound> Audited<B> {
    /// The same set, watched.
    pub fn new(set: Box<dyn StateSet<B>>) -> Self {
        Self { set, passed: HashSet::new(), omitted: HashSet::new() }
    }

    /// AU-1.
    fn met(&mut self, words: &[u64], cells: &[B]) {
        let state = (words.into(), cells.into());
        if !self.passed.contains(&state) {
            self.omitted.insert(state);
        }
    }
}

impl<B: Bound> StateSet<B> for Audited<B> {
    fn contains(&mut self, words: &[u64], cells: &[B]) -> bool {
        let found = self.set.contains(words, cells);
        if found {
            self.met(words, cells);
        }
        found
    }

    fn insert(&mut self, words: &[u64], cells: &[B]) -> Seen {
        let seen = self.set.insert(words, cells);
        match seen {
            Seen::New { .. } => _ = self.passed.insert((words.into(), cells.into())),
            Seen::Before => self.met(words, cells),
            Seen::Full => {}
        }
        seen
    }

    fn omissions(&self) -> Omissions {
        Omissions { measured: Some(self.omitted.len() as u64), ..self.set.omissions() }
    }

    /// Those of the set alone: what is beside it is not part of the technique.
    fn bytes(&self) -> u64 {
        self.set.bytes()
    }
}

impl<B: Bound> Persist for Audited<B> {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        self.set.freeze(out)?;
        for states in [&self.passed, &self.omitted] {
            put(out, states.len() as u64)?;
            for (words, cells) in states {
                words.freeze(out)?;
                cells.freeze(out)?;
            }
        }
        Ok(())
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.set.thaw(from)?;
        for states in [&mut self.passed, &mut self.omitted] {
            for _ in 0..take::<u64>(from)? {
                let mut state = State::default();
                state.0.thaw(from)?;
                state.1.thaw(from)?;
                states.insert(state);
            }
        }
        Ok(())
    }
}
