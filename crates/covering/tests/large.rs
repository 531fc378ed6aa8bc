//! Many processes: the analysis is bounded, and what it finds is covering.

mod common;

use common::tck;
use dwell_covering::{Coefficients, build, entry_points, verify};
use dwell_model::Network;
use std::fmt::Write;
use std::time::Instant;

fn measured(name: &str, network: &Network) {
    let edges: usize = network.processes.iter().map(|p| p.edges.len()).sum();
    let start = Instant::now();
    let found = build(network, &Coefficients::uniform(network));
    let built = start.elapsed();
    let start = Instant::now();
    let entries = entry_points(network);
    let entered = start.elapsed();
    println!(
        "{name}: {edges} edges; {built:?}, {} by {:?}; entry points {entered:?}, {}",
        found.set.len(),
        found.found_by,
        entries.len()
    );
    let sizes: Vec<usize> = found.candidates.iter().map(|(_, set, _)| set.len()).collect();
    println!("  {sizes:?}");
    assert!(verify(network, &found.set).is_ok() && verify(network, &entries).is_ok());
}

/// Fischer's protocol with 2,000 processes.
#[test]
fn a_shared_variable() {
    let mut text = "system:fischer\nevent:t\nint:1:0:2000:0:id\nclock:1:x\n".to_owned();
    for p in 1..=2000 {
        let _ = write!(
            text,
            "process:P{p}\nlocation:P{p}:A{{initial:}}\nlocation:P{p}:req{{invariant:x<=10}}\n\
             location:P{p}:wait{{}}\nlocation:P{p}:cs{{}}\nedge:P{p}:A:req:t{{provided:id==0:do:x=0}}\n\
             edge:P{p}:req:wait:t{{do:x=0;id={p}}}\nedge:P{p}:wait:req:t{{provided:id==0:do:x=0}}\n\
             edge:P{p}:wait:cs:t{{provided:id=={p}&&x>10}}\nedge:P{p}:cs:A:t{{do:id=0}}\n"
        );
    }
    measured("fischer 2000", &tck(&text));
}

/// 1,000 stations around a bus with a loop for each of them.
#[test]
fn a_shared_partner() {
    let mut text = "system:bus\nevent:t\nevent:begin\nevent:end\nprocess:Bus\nlocation:Bus:free{initial:}\nlocation:Bus:busy{}\n\
                    edge:Bus:free:busy:begin\nedge:Bus:busy:free:end\nedge:Bus:busy:busy:t\n"
        .to_owned();
    for p in 0..1000 {
        let _ = write!(
            text,
            "process:P{p}\nclock:1:x{p}\nlocation:P{p}:wait{{initial:}}\nlocation:P{p}:send{{invariant:x{p}<=8}}\n\
             edge:P{p}:wait:send:begin{{do:x{p}=0}}\nedge:P{p}:send:wait:end{{provided:x{p}==8}}\n\
             edge:P{p}:wait:wait:t{{provided:x{p}>=4:do:x{p}=0}}\nedge:P{p}:send:send:begin\n\
             sync:Bus@begin:P{p}@begin\nsync:Bus@end:P{p}@end\n"
        );
    }
    measured("bus 1000", &tck(&text));
}

/// One process of 3,000 locations in a ring with chords.
#[test]
fn a_large_process() {
    let mut text = "system:ring\nevent:t\nprocess:P\n".to_owned();
    for l in 0..3000 {
        let _ = writeln!(text, "location:P:l{l}{{{}}}", if l == 0 { "initial:" } else { "" });
    }
    for l in 0..3000 {
        for to in [(l + 1) % 3000, (l + 7) % 3000, l / 2] {
            let _ = writeln!(text, "edge:P:l{l}:l{to}:t");
        }
    }
    measured("ring 3000", &tck(&text));
}
