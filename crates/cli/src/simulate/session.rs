//! A session: commands in, text out. Reads and writes the files that `load`
//! and `save` name, and nothing else.

use super::command::{Command, HELP};
use super::file;
use super::show::{self, Detail};
use crate::trace::JsonTrace;
use dwell_engine::Model;
use dwell_engine::simulate::{Fault, Kept, Mode, Simulation, Stopped};
use dwell_engine::syntax::SourceFile;
use std::fmt::Write;

/// What comes of a command.
pub enum Answer {
    /// Something to show.
    Text(String),
    /// The session ends.
    End,
}

/// A simulation and where its names come from.
pub struct Session<'m> {
    model: &'m Model,
    source: &'m SourceFile,
    simulation: Simulation<'m>,
}

/// Largest file that is loaded.
const LARGEST_FILE: u64 = 256 << 20;

impl<'m> Session<'m> {
    /// At the start of `simulation`.
    pub fn new(model: &'m Model, source: &'m SourceFile, simulation: Simulation<'m>) -> Self {
        Self { model, source, simulation }
    }

    /// The first words.
    pub fn opening(&self, seed: u64) -> String {
        let mode = mode_name(self.simulation.mode());
        format!("{}: {mode} mode, seed {seed}; `help` lists the commands\n", self.source.name())
    }

    /// The initial state.
    pub fn start(&mut self) -> String {
        let (count, chosen) = {
            let (all, chosen) = self.simulation.starts();
            (all.len(), chosen + 1)
        };
        let which = match count {
            1 => String::new(),
            n => format!(": initial state {chosen} of {n}; `start N` chooses"),
        };
        format!("start{which}\n{}", self.state(Detail::Whole))
    }

    /// Does what a line says.
    pub fn answer(&mut self, line: &str) -> Answer {
        let command = match Command::read(line) {
            Ok(Command::Quit) => return Answer::End,
            Ok(command) => command,
            Err(why) => return Answer::Text(format!("{why}\n")),
        };
        Answer::Text(self.execute(command).unwrap_or_else(|fault| {
            let why = show::fault(self.source, self.model, &fault);
            match fault {
                Fault::Runtime(_) => format!("the model fails: {why}\n"),
                Fault::Refused(_) => format!("{why}\n"),
            }
        }))
    }

    fn execute(&mut self, command: Command) -> Result<String, Fault> {
        let before = self.simulation.path().len();
        match command {
            Command::Nothing | Command::Quit => Ok(String::new()),
            Command::Help => Ok(HELP.into()),
            Command::Take(number, delay) => {
                if delay.is_some() && self.simulation.mode() == Mode::Zone {
                    return Err(Fault::Refused("delays are chosen in `mode concrete`".into()));
                }
                self.simulation.take(number - 1, delay)?;
                Ok(self.since(before))
            }
            Command::Delay(delay) => {
                self.simulation.delay(delay)?;
                Ok(self.since(before))
            }
            Command::Random(count) => Ok(self.random(count)),
            Command::Undo(count) => {
                let undone = (0..count).take_while(|_| self.simulation.undo()).count();
                if undone == 0 {
                    return Err(Fault::Refused("there is no step to undo".into()));
                }
                Ok(self.here())
            }
            Command::Restart => {
                self.simulation.restart();
                Ok(self.start())
            }
            Command::Start(number) => {
                self.simulation.start(number - 1)?;
                Ok(self.start())
            }
            Command::Mode(mode) => self.set_mode(mode),
            Command::State => Ok(self.state(Detail::Whole)),
            Command::Path => Ok(self.path()),
            Command::Save(path) => self.save(&path),
            Command::Load(path) => self.load(&path).map_err(Fault::Refused),
        }
    }

    /// The steps since there were `before`, and the state now.
    fn since(&mut self, before: usize) -> String {
        let mut out = self.steps(before);
        out.push_str(&self.state(Detail::Brief));
        out
    }

    fn steps(&self, from: usize) -> String {
        let path = self.simulation.path();
        let mut before = self.simulation.vars(from);
        let mut out = String::new();
        for (i, step) in path.iter().enumerate().skip(from) {
            let after = self.simulation.vars(i + 1);
            out.push_str(&show::step(self.model.network(), i + 1, step, &before, &after));
            before = after;
        }
        out
    }

    /// Where the path has come to, in words and in full.
    fn here(&mut self) -> String {
        match self.simulation.path().len() {
            0 => self.start(),
            1 => format!("after 1 step\n{}", self.state(Detail::Whole)),
            n => format!("after {n} steps\n{}", self.state(Detail::Whole)),
        }
    }

    fn state(&mut self, detail: Detail) -> String {
        let view = self.simulation.view(self.simulation.path().len());
        let mut out = show::state(self.model, &view, detail);
        match self.simulation.listing() {
            Ok(listing) => out.push_str(&show::listing(self.source, self.model, &listing, detail)),
            Err(why) => {
                let why = show::fault(self.source, self.model, &why);
                let _ = writeln!(out, "  the transitions cannot be listed: {why}");
            }
        }
        out
    }

    fn random(&mut self, count: usize) -> String {
        let before = self.simulation.path().len();
        let mut ended = String::new();
        for taken in 0..count {
            let why = match self.simulation.random() {
                Ok(true) => continue,
                Ok(false) => "no transition is possible".into(),
                Err(why) => show::fault(self.source, self.model, &why),
            };
            ended = format!("stopped after {taken} of {count} steps: {why}\n");
            break;
        }
        format!("{}{ended}{}", self.steps(before), self.state(Detail::Brief))
    }

    fn set_mode(&mut self, mode: Mode) -> Result<String, Fault> {
        if self.simulation.mode() == mode {
            return Err(Fault::Refused(format!("this is {} mode already", mode_name(mode))));
        }
        let kept = self.simulation.set_mode(mode)?;
        let delays = if kept == Kept::Chosen { ", with delays chosen for the run" } else { "" };
        Ok(format!("{} mode{delays}\n{}", mode_name(mode), self.here()))
    }

    fn path(&self) -> String {
        let mut out = format!("start\n{}", show::state(self.model, &self.simulation.view(0), Detail::Whole));
        let steps = self.simulation.path().len();
        if steps > 0 {
            out.push_str(&self.steps(0));
            let end = self.simulation.view(steps);
            let _ = write!(out, "at the end\n{}", show::state(self.model, &end, Detail::Brief));
        }
        out
    }

    fn save(&self, path: &str) -> Result<String, Fault> {
        let trace = JsonTrace::new(self.model.network(), &self.simulation.trace()?);
        let mut text = serde_json::to_string_pretty(&trace).expect("plain data");
        text.push('\n');
        let written = std::fs::write(path, text);
        written.map_err(|error| Fault::Refused(format!("cannot write {path}: {error}")))?;
        Ok(format!("the run is in {path}\n"))
    }

    /// Follows the run in a file; only a file that holds none is an error.
    pub fn load(&mut self, path: &str) -> Result<String, String> {
        let unreadable = |error: std::io::Error| format!("cannot read {path}: {error}");
        if std::fs::metadata(path).map_err(unreadable)?.len() > LARGEST_FILE {
            return Err(format!("cannot read {path}: it is too large"));
        }
        let text = std::fs::read_to_string(path).map_err(unreadable)?;
        let run = file::read(self.model.network(), &text).map_err(|why| format!("{path}: {why}"))?;
        let total = run.steps.len() + usize::from(run.cut.is_some());
        let stopped = match self.simulation.follow(&run.start, &run.steps) {
            Ok(()) => run.cut.map(|why| (run.steps.len(), why)),
            Err(Stopped { after, why }) => Some((after, show::fault(self.source, self.model, &why))),
        };
        let end = match stopped {
            None => format!("{path}: followed to its end{}\n", repeated(run.loop_at)),
            Some((after, why)) => format!("{path}: stopped before step {} of {total}: {why}\n", after + 1),
        };
        Ok(format!("{}{end}{}", self.steps(0), self.here()))
    }
}

/// How a run goes on that comes back to a state it was in.
fn repeated(loop_at: Option<usize>) -> String {
    match loop_at {
        None => String::new(),
        Some(0) => ", from where it goes on as from the start, again and again".into(),
        Some(1) => ", from where it goes on as after its first step, again and again".into(),
        Some(n) => format!(", from where it goes on as after its first {n} steps, again and again"),
    }
}

fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::Zone => "zone",
        Mode::Concrete => "concrete",
    }
}
