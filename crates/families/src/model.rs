//! A small builder of models in TChecker's text format.
//!
//! The format is one declaration per line, so the builder keeps a list of lines. Locations and edges
//! belong to the process begun last; their attributes are added to the line that was just returned:
//!
//! ```text
//! model.process("P1");
//! model.location("request").invariant("x1<=10");
//! model.edge("idle", "request", "tau").when("id==0").then("x1=0");
//! ```
//!
//! Nothing is checked here: the readers of the format do that, and the tests read every family.

use std::fmt::{Display, Write};

/// A model under construction.
#[derive(Default)]
pub(crate) struct Model {
    lines: Vec<Line>,
    process: String,
}

/// One declaration and its attributes, written as `declaration{key:value : key:value}`.
#[derive(Default)]
pub(crate) struct Line {
    declaration: String,
    attributes: Vec<String>,
}

impl Model {
    /// Begins a model with a header of comment lines and the system's name.
    pub(crate) fn new(header: &Header, system: impl Display) -> Self {
        let mut model = Self::default();
        for line in header.lines() {
            model.note(line);
        }
        model.blank();
        model.declare(format!("system:{system}"));
        model.blank();
        model
    }

    /// A comment line.
    pub(crate) fn note(&mut self, text: impl Display) {
        self.declare(format!("# {text}").trim_end().to_owned());
    }

    /// An empty line, for the reader's eye.
    pub(crate) fn blank(&mut self) {
        self.declare(String::new());
    }

    /// Declares an event.
    pub(crate) fn event(&mut self, name: impl Display) {
        self.declare(format!("event:{name}"));
    }

    /// Declares a single clock.
    pub(crate) fn clock(&mut self, name: impl Display) {
        self.declare(format!("clock:1:{name}"));
    }

    /// Declares a bounded integer with its range and initial value.
    pub(crate) fn int(&mut self, name: impl Display, range: (u32, u32), initial: u32) {
        self.int_array(name, 1, range, initial);
    }

    /// Declares an array of `length` bounded integers, all with the same range and initial value.
    pub(crate) fn int_array(&mut self, name: impl Display, length: u32, range: (u32, u32), initial: u32) {
        let (least, most) = range;
        self.declare(format!("int:{length}:{least}:{most}:{initial}:{name}"));
    }

    /// Begins a process, after a blank line; the locations and edges that follow are its own.
    pub(crate) fn process(&mut self, name: impl Display) {
        self.blank();
        self.process = name.to_string();
        self.declare(format!("process:{name}"));
    }

    /// Declares a location of the current process.
    pub(crate) fn location(&mut self, name: impl Display) -> &mut Line {
        self.declare(format!("location:{}:{name}", self.process))
    }

    /// Declares an edge of the current process.
    pub(crate) fn edge(&mut self, from: impl Display, to: impl Display, event: impl Display) -> &mut Line {
        self.declare(format!("edge:{}:{from}:{to}:{event}", self.process))
    }

    /// Declares a synchronisation; `members` is written `process@event:process@event:…`.
    pub(crate) fn sync(&mut self, members: impl Display) {
        self.declare(format!("sync:{members}"));
    }

    /// The finished text, ending in a newline.
    pub(crate) fn finish(self) -> String {
        let mut text = String::new();
        for line in &self.lines {
            text.push_str(&line.declaration);
            if !line.attributes.is_empty() {
                // Writing to a string cannot fail.
                let _ = write!(text, "{{{}}}", line.attributes.join(" : "));
            }
            text.push('\n');
        }
        text
    }

    fn declare(&mut self, declaration: String) -> &mut Line {
        self.lines.push(Line { declaration, attributes: Vec::new() });
        self.lines.last_mut().expect("a line was just pushed")
    }
}

impl Line {
    /// The process starts here.
    pub(crate) fn initial(&mut self) -> &mut Self {
        self.attribute("initial", "")
    }

    /// No delay, and the next transition leaves such a location.
    pub(crate) fn committed(&mut self) -> &mut Self {
        self.attribute("committed", "")
    }

    /// The process may stay only while the condition holds.
    pub(crate) fn invariant(&mut self, condition: impl Display) -> &mut Self {
        self.attribute("invariant", condition)
    }

    /// The label that searches name.
    pub(crate) fn label(&mut self, label: impl Display) -> &mut Self {
        self.attribute("labels", label)
    }

    /// The guard of an edge.
    pub(crate) fn when(&mut self, guard: impl Display) -> &mut Self {
        self.attribute("provided", guard)
    }

    /// The statements of an edge, separated by semicolons.
    pub(crate) fn then(&mut self, statements: impl Display) -> &mut Self {
        self.attribute("do", statements)
    }

    fn attribute(&mut self, key: &str, value: impl Display) -> &mut Self {
        self.attributes.push(format!("{key}:{value}"));
        self
    }
}

/// The comment lines at the top of a generated model.
pub(crate) struct Header {
    /// What the model is, with its size in words.
    pub(crate) title: String,
    /// Family and size, from which the command that writes the model again is built.
    pub(crate) instance: (&'static str, u32),
    /// How the protocol works and where it was published.
    pub(crate) about: &'static [&'static str],
    /// The labels to search for and what an answer means.
    pub(crate) search: String,
}

impl Header {
    fn lines(&self) -> Vec<String> {
        let (family, size) = self.instance;
        let mut lines =
            vec![self.title.clone(), format!("Written by: dwell generate {family} -n {size} --to tck")];
        lines.push(String::new());
        lines.extend(self.about.iter().map(|line| (*line).to_owned()));
        lines.push(String::new());
        lines.push(format!("Search for: {}", self.search));
        lines
    }
}

/// `prefix1,prefix2,…` up to `count`: the labels of a search, separated as the command line wants them.
pub(crate) fn numbered(prefix: &str, count: u32) -> String {
    let names: Vec<String> = (1..=count).map(|i| format!("{prefix}{i}")).collect();
    names.join(",")
}
