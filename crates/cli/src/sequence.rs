//! Traces as sequence charts.

use crate::trace::{changes, names};
use dwell_draw::chart::{Chart, Lane, Step, draw};
use dwell_engine::model_ir::{EdgeId, ProcessId};
use dwell_engine::simulate::Rational;
use dwell_engine::{After, LeastTime, Network, Trace, TraceStep};

/// The chart of a trace, as SVG.
pub fn to_svg(network: &Network, title: &str, trace: &Trace, least: Option<LeastTime>) -> String {
    let start = &trace.states[0];
    let lanes = network.processes.iter().zip(&start.locations).map(|(process, location)| Lane {
        name: process.name.clone(),
        start: process.locations[location.index()].name.clone(),
    });
    let mut time = Some(Rational::ZERO);
    let steps = trace.steps.iter().zip(trace.states.windows(2)).map(|(taken, states)| {
        time = time.and_then(|time| time.checked_add(taken.delay).ok());
        let note = changes(network, &states[0].vars, &states[1].vars);
        step(network, taken, time, note.trim_start().replace("  ", ", "))
    });
    draw(&Chart {
        title: title.to_owned(),
        lanes: lanes.collect(),
        steps: steps.collect(),
        loop_from: trace.loop_at(),
        ending: ending(trace.after, least),
    })
}

fn step(network: &Network, taken: &TraceStep, time: Option<Rational>, note: String) -> Step {
    let delay = taken.delay;
    let about = delay.numerator() as f64 / delay.denominator() as f64;
    let moves = |&(process, edge): &(ProcessId, EdgeId)| {
        (process.index(), names(network, process, edge).to.to_owned())
    };
    let (label, sender) = match taken.participants.as_slice() {
        [] => ("time passes".to_owned(), None),
        all => message(network, all),
    };
    Step {
        delay: (!delay.is_zero()).then(|| (delay.to_string(), about)),
        // A sum that does not fit is one that nobody reads.
        time: time.map(|time| time.to_string()).unwrap_or_default(),
        label,
        sender,
        moves: taken.participants.iter().map(moves).collect(),
        note,
    }
}

/// What is sent, and by whom; with synchronisation vectors nobody sends.
fn message(network: &Network, participants: &[(ProcessId, EdgeId)]) -> (String, Option<usize>) {
    let syncs: Vec<(usize, String)> =
        participants.iter().map(|&(p, e)| (p.index(), names(network, p, e).sync)).collect();
    if let Some((sender, sync)) = syncs.iter().find(|(_, sync)| sync.ends_with('!')) {
        let label = if participants.len() > 1 { sync.trim_end_matches('!') } else { sync };
        return (label.to_owned(), Some(*sender));
    }
    let mut labels: Vec<&str> =
        syncs.iter().map(|(_, sync)| sync.as_str()).filter(|sync| *sync != "tau").collect();
    labels.dedup();
    (labels.join(", "), None)
}

fn ending(after: After, least: Option<LeastTime>) -> String {
    let least = least.map(|LeastTime { time, attained }| match attained {
        true => format!("at time {time}, the earliest possible"),
        false => format!("after time {time}, as close to that as one likes"),
    });
    match after {
        After::Open | After::Loop(_) => least.unwrap_or_default(),
        After::TimePasses => "then time passes for ever".to_owned(),
        After::Deadlock => "then nothing can happen any more".to_owned(),
    }
}
