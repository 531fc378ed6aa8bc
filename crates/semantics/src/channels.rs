//! Synchronisation over channels.
//!
//! H-1 A sender is enabled if its discrete guard holds; only then is its
//!     channel determined, and a receiver is looked at only if someone sends
//!     on a channel it may be listening to.
//! H-2 Binary: each pair of a sender and a receiver in different processes.
//! H-3 Broadcast: every other process with an enabled receiving edge takes
//!     part with one of them. Clocks decide too: a process whose enabled edges
//!     all have clock guards takes part with one of them, or all of these
//!     guards are false ([`crate::Role::Refuses`]).

use crate::Participant;
use crate::transitions::{Scan, Transitions};
use dwell_model::code::Machine;
use dwell_model::expr::RuntimeError;
use dwell_model::{ChannelKind, ChannelOperand, System};

/// Which senders are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sends {
    All,
    Urgent,
}

impl Scan<'_> {
    pub(crate) fn channel(&mut self, channel: &ChannelOperand) -> Result<u32, RuntimeError> {
        match channel.picked {
            None => Ok(channel.first),
            Some(code) => Machine::new(&self.system.code)
                .run(code, &mut self.state.registers, &mut Vec::new())
                .map(|number| number as u32),
        }
    }

    fn is_sent(&self, channel: u32) -> bool {
        self.scratch.sent[channel as usize / 64] & (1 << (channel % 64)) != 0
    }
}

/// Clock constraints of an edge.
fn atoms(system: &System, p: Participant) -> u32 {
    system.processes[p.process as usize].edges[p.edge as usize].guard.clocks.len() as u32
}

impl Transitions {
    pub(crate) fn enabled_channels(&self, scan: &mut Scan<'_>) -> Result<(), RuntimeError> {
        self.gather(scan, Sends::All)?;
        let sends = std::mem::take(&mut scan.scratch.sends);
        let receives = std::mem::take(&mut scan.scratch.receives);
        let result = sends.iter().try_for_each(|&(channel, sender)| {
            let heard = receives.iter().filter(|&&(c, r)| c == channel && r.process != sender.process);
            let heard = heard.map(|&(_, receiver)| receiver);
            match scan.system.network.channels[channel as usize].kind {
                ChannelKind::Binary => self.binary(sender, heard, scan),
                ChannelKind::Broadcast => self.broadcast(sender, heard, scan),
            }
        });
        scan.scratch.sends = sends;
        scan.scratch.receives = receives;
        result
    }

    /// Lists enabled senders and those who may hear them, by process. H-1
    pub(crate) fn gather(&self, scan: &mut Scan<'_>, sends: Sends) -> Result<(), RuntimeError> {
        let channels = &scan.system.network.channels;
        scan.scratch.sends.clear();
        scan.scratch.receives.clear();
        scan.scratch.sent.clear();
        scan.scratch.sent.resize(channels.len().div_ceil(64), 0);
        for process in 0..self.local.len() {
            let local = &self.local[process][scan.state.locations[process] as usize];
            for (operand, edge) in &local.send {
                if sends == Sends::Urgent && !channels[operand.first as usize].urgent {
                    continue;
                }
                if scan.guard_holds(process as u32, *edge)? {
                    let channel = scan.channel(operand)?;
                    scan.scratch.sent[channel as usize / 64] |= 1 << (channel % 64);
                    scan.scratch.sends.push((channel, Participant::takes(process as u32, *edge)));
                }
            }
        }
        if scan.scratch.sends.is_empty() {
            return Ok(());
        }
        for process in 0..self.local.len() {
            let local = &self.local[process][scan.state.locations[process] as usize];
            for (operand, edge) in &local.receive {
                let mut heard = operand.first..operand.first + operand.len;
                if heard.any(|c| scan.is_sent(c)) && scan.guard_holds(process as u32, *edge)? {
                    let channel = scan.channel(operand)?;
                    if scan.is_sent(channel) {
                        scan.scratch.receives.push((channel, Participant::takes(process as u32, *edge)));
                    }
                }
            }
        }
        Ok(())
    }

    /// H-2
    fn binary(
        &self,
        sender: Participant,
        heard: impl Iterator<Item = Participant>,
        scan: &mut Scan<'_>,
    ) -> Result<(), RuntimeError> {
        scan.scratch.options.begin(sender);
        let start = scan.scratch.options.open();
        heard.for_each(|receiver| scan.scratch.options.choice(receiver));
        if scan.scratch.options.close(start) { scan.combine(&self.local) } else { Ok(()) }
    }

    /// H-3
    fn broadcast(
        &self,
        sender: Participant,
        heard: impl Iterator<Item = Participant>,
        scan: &mut Scan<'_>,
    ) -> Result<(), RuntimeError> {
        scan.scratch.options.begin(sender);
        let mut heard = heard.peekable();
        while let Some(first) = heard.next() {
            let start = scan.scratch.options.open();
            scan.scratch.options.choice(first);
            let mut may_refuse = atoms(scan.system, first) > 0;
            while let Some(other) = heard.next_if(|r| r.process == first.process) {
                scan.scratch.options.choice(other);
                may_refuse &= atoms(scan.system, other) > 0;
            }
            if may_refuse {
                let system = scan.system;
                if !scan.scratch.options.refuse_all(start, |p| atoms(system, p)) {
                    return Err(scan.too_many());
                }
            }
            scan.scratch.options.close(start);
        }
        scan.combine(&self.local)
    }
}
