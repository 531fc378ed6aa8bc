//! Edge sets as text that people write.
//!
//! One edge on each line, `Process: source -> target`; where several edges
//! lead from one location to the other, ` #n` picks the n-th in the order of
//! their declaration, from 1. Where `#` is not followed by a digit a comment
//! begins.

use crate::EdgeSet;
use dwell_model::{Edge, Network, Process};
use std::fmt::Write;

impl EdgeSet {
    /// Reads a set; what is wrong with the text is said in a sentence.
    pub fn parse(text: &str, network: &Network) -> Result<Self, String> {
        let mut set = Self::empty(network);
        for (number, line) in text.lines().enumerate() {
            let line = without_comment(line).trim();
            if line.is_empty() {
                continue;
            }
            let (process, edge) =
                edge(line, network).map_err(|message| format!("line {}: {message}", number + 1))?;
            set.insert(process, edge);
        }
        Ok(set)
    }

    /// The text that [`EdgeSet::parse`] reads as this set.
    pub fn to_text(&self, network: &Network) -> String {
        let mut text = String::new();
        for (process, edge) in self.iter() {
            let _ = writeln!(text, "{}", edge_name(network, process, edge));
        }
        text
    }
}

/// An edge as people write it: `P: a -> b`, or `P: a -> b #2`.
pub fn edge_name(network: &Network, process: u32, edge: u32) -> String {
    let process = &network.processes[process as usize];
    let (from, to) = ends(process, &process.edges[edge as usize]);
    let parallel = parallel(process, from, to);
    let name = format!("{}: {from} -> {to}", process.name);
    match parallel.iter().position(|&e| e == edge) {
        Some(at) if parallel.len() > 1 => format!("{name} #{}", at + 1),
        _ => name,
    }
}

fn ends<'p>(process: &'p Process, edge: &Edge) -> (&'p str, &'p str) {
    let name = |l: dwell_model::LocationId| process.locations[l.index()].name.as_str();
    (name(edge.source), name(edge.target))
}

/// The edges between two locations.
fn parallel(process: &Process, from: &str, to: &str) -> Vec<u32> {
    let all = process.edges.iter().enumerate();
    all.filter(|(_, edge)| ends(process, edge) == (from, to)).map(|(e, _)| e as u32).collect()
}

fn without_comment(line: &str) -> &str {
    let begins = |&(at, _): &(usize, &str)| !line[at + 1..].starts_with(|c: char| c.is_ascii_digit());
    line.match_indices('#').find(begins).map_or(line, |(at, _)| &line[..at])
}

fn edge(line: &str, network: &Network) -> Result<(u32, u32), String> {
    let form = "an edge is written `Process: source -> target`, with ` #n` for the n-th of several";
    let (left, right) = line.split_once("->").ok_or(form)?;
    let (name, from) = left.rsplit_once(':').ok_or(form)?;
    let (to, number) = match right.rsplit_once('#') {
        None => (right, None),
        Some((to, number)) => (to, Some(number.trim().parse::<usize>().map_err(|_| form)?)),
    };
    let (name, from, to) = (name.trim(), from.trim(), to.trim());
    let mut processes = network.processes.iter();
    let p = processes.position(|p| p.name == name).ok_or_else(|| format!("there is no process `{name}`"))?;
    let process = &network.processes[p];
    for location in [from, to] {
        if process.locations.iter().all(|l| l.name != location) {
            return Err(format!("{name} has no location `{location}`"));
        }
    }
    let edges = parallel(process, from, to);
    let edge = match (edges.as_slice(), number) {
        ([], _) => return Err(format!("{name} has no edge from {from} to {to}")),
        ([only], None) => only,
        (several, None) => {
            let last = several.len();
            return Err(format!(
                "{name} has {last} edges from {from} to {to}: say which with #1 to #{last}, one on each line"
            ));
        }
        (several, Some(n)) => several.get(n.wrapping_sub(1)).ok_or_else(|| match several.len() {
            1 => format!("{name} has one edge from {from} to {to}, none with the number {n}"),
            last => {
                format!("{name} has {last} edges from {from} to {to}: the number is 1 to {last}, not {n}")
            }
        })?,
    };
    Ok((p as u32, *edge))
}
