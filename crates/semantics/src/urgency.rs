//! When time may pass.
//!
//! U-1 No time passes in urgent and committed locations, nor while a
//!     synchronisation on an urgent channel is enabled. Target invariants,
//!     committed locations and priorities play no role in that.
//! U-2 Clock guards of such a synchronisation are closed lower bounds (others
//!     are refused when a model is read), so time may pass until the last of
//!     them holds: a *deadline* is a set of bounds `x <= c`, one of which holds
//!     at the end of every delay.
//! U-3 An urgent broadcast needs a sender only.

use crate::channels::Sends;
use crate::transitions::{Scan, Transitions};
use crate::zones::{bound, evaluate};
use crate::{Difference, Discrete, Moves, Participant, Scratch, Stepper, ZoneFault};
use dwell_model::expr::RuntimeError;
use dwell_model::{ChannelKind, System};
use dwell_zones::Bound;

/// Whether time may pass in a discrete state, invariants apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delay {
    /// No.
    Frozen,
    /// Yes.
    Free,
    /// Until an urgent synchronisation becomes enabled; which ones there are
    /// is left in the scratch memory.
    Deadlines,
}

/// The bounds of which one holds at the end of every delay. U-2
pub(crate) type Deadline<B> = Vec<Difference<B>>;

impl Transitions {
    /// Whether time may pass.
    #[inline]
    pub fn delay(
        &self,
        system: &System,
        state: &mut Discrete,
        scratch: &mut Scratch,
    ) -> Result<Delay, RuntimeError> {
        if self.here(state).any(|local| local.no_delay) {
            return Ok(Delay::Frozen);
        }
        if !self.has_urgent_channels {
            return Ok(Delay::Free);
        }
        let mut moves = Moves::default();
        let mut scan = Scan { system, state, committed: false, moves: &mut moves, scratch };
        self.urgent_delay(&mut scan)
    }

    fn urgent_delay(&self, scan: &mut Scan<'_>) -> Result<Delay, RuntimeError> {
        self.gather(scan, Sends::Urgent)?;
        let system = scan.system;
        let clocks =
            |p: &Participant| &system.processes[p.process as usize].edges[p.edge as usize].guard.clocks;
        let Scratch { sends, receives, urgent, .. } = &mut *scan.scratch;
        urgent.clear();
        for &(channel, sender) in sends.iter() {
            if system.network.channels[channel as usize].kind == ChannelKind::Broadcast {
                urgent.push((sender, None)); // U-3
                continue;
            }
            let heard = receives.iter().filter(|(c, r)| *c == channel && r.process != sender.process);
            urgent.extend(heard.map(|&(_, receiver)| (sender, Some(receiver))));
        }
        let guarded = |(sender, receiver): &(Participant, Option<Participant>)| {
            !clocks(sender).is_empty() || receiver.as_ref().is_some_and(|r| !clocks(r).is_empty())
        };
        Ok(if urgent.is_empty() {
            Delay::Free
        } else if urgent.iter().all(guarded) {
            Delay::Deadlines
        } else {
            Delay::Frozen
        })
    }
}

impl<B: Bound> Stepper<'_, B> {
    /// The deadlines of a state after [`Transitions::delay`] found some;
    /// `None` when one of them has passed whatever the clocks are.
    pub(crate) fn deadlines(
        &self,
        state: &mut Discrete,
        scratch: &Scratch,
    ) -> Result<Option<Vec<Deadline<B>>>, ZoneFault> {
        let mut deadlines = Vec::new();
        for (sender, receiver) in &scratch.urgent {
            let mut deadline = Vec::new();
            for p in std::iter::once(sender).chain(receiver) {
                let guard = &self.system.processes[p.process as usize].edges[p.edge as usize].guard;
                for constraint in &guard.clocks {
                    let atom = evaluate::<B>(constraint, &self.system.code, &mut state.registers)?;
                    // The guard says x >= c, the deadline x <= c.
                    let Some(d) = atom else { continue };
                    let bound = bound(-i64::from(d.bound.constant()), false).ok_or(ZoneFault::Overflow)?;
                    deadline.push(Difference { i: d.j, j: d.i, bound });
                }
            }
            if deadline.is_empty() {
                return Ok(None);
            }
            deadlines.push(deadline);
        }
        Ok(Some(deadlines))
    }
}
