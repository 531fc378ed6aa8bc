//! A model, loaded and compiled.

use crate::covering::Sets;
use crate::question::negates_guards;
use crate::refusals::refusals;
use crate::spread::Sample;
use crate::uppaal::{self, Uppaal};
use dwell_model::analysis::{clock_unknowns, oversized_constants};
use dwell_model::{Network, OutOfRange, Overflow, System, Unsupported, tchecker};
use dwell_syntax::uppaal::tree::TextPath;
use dwell_syntax::uppaal::{parse_ta, parse_xml, parse_xta};
use dwell_syntax::{Diagnostic, Diagnostics, Span};
use dwell_zones::Bound;
use std::sync::OnceLock;

/// How a model may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// UPPAAL's XML.
    Xml,
    /// UPPAAL's text format.
    Xta,
    /// The same in the syntax of UPPAAL 3.
    Ta,
    /// TChecker's.
    Tck,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Xml, Self::Xta, Self::Ta, Self::Tck];

    /// The name users give, which is the usual ending of files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Xml => "xml",
            Self::Xta => "xta",
            Self::Ta => "ta",
            Self::Tck => "tck",
        }
    }

    /// The format with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The format that files with this ending have.
    pub fn from_extension(extension: &str) -> Option<Self> {
        if extension == "txt" { Some(Self::Tck) } else { Self::from_name(extension) }
    }
}

/// What can be decided when a model is read.
#[derive(Clone, Debug)]
pub struct LoadOptions {
    /// What an assignment outside its range does, in TChecker's format.
    pub out_of_range: OutOfRange,
    /// What a result that does not fit 32 bits does, in UPPAAL's language.
    pub overflow: Overflow,
    /// Values for global constants, in UPPAAL's language.
    pub defines: Vec<(String, String)>,
    /// Whether to look for what is odd, not only for what is wrong.
    pub lints: bool,
}

impl Default for LoadOptions {
    /// What the users of each language expect.
    fn default() -> Self {
        Self { out_of_range: OutOfRange::Error, overflow: Overflow::Wrap, defines: Vec::new(), lints: false }
    }
}

/// A compiled model and the warnings its text gave.
#[derive(Debug)]
pub struct Model {
    pub(crate) system: System,
    pub(crate) uppaal: Option<Uppaal>,
    warnings: Vec<Diagnostic>,
    refusals: Vec<Unsupported>,
    /// Looked for once, with the first seed.
    pub(crate) coverings: OnceLock<(u64, Sets)>,
    /// States of random walks, once several workers share the work.
    pub(crate) sample: OnceLock<Sample>,
}

/// What reading a text gave.
pub(crate) struct Read {
    pub network: Network,
    pub warnings: Vec<Diagnostic>,
    pub uppaal: Option<Uppaal>,
}

/// Why a text is not a model.
#[derive(Clone, Debug)]
pub struct ModelError {
    /// Everything found, warnings included.
    pub diagnostics: Vec<Diagnostic>,
    /// In XML, where the texts lie.
    pub paths: Vec<TextPath>,
}

impl ModelError {
    /// The XPath of the text that a span lies in, for XML.
    pub fn path(&self, span: Span) -> Option<&str> {
        path(&self.paths, span)
    }
}

fn path(paths: &[TextPath], span: Span) -> Option<&str> {
    let inside = |p: &&TextPath| p.span.start <= span.start && span.end <= p.span.end;
    paths.iter().filter(inside).min_by_key(|p| p.span.end - p.span.start).map(|p| p.path.as_str())
}

impl Model {
    /// Reads a model.
    pub fn read(text: &str, format: Format, options: &LoadOptions) -> Result<Self, ModelError> {
        let (document, diagnostics) = match format {
            Format::Tck => return tck(text, options).map(Self::new),
            Format::Xml => parse_xml(text),
            Format::Xta => parse_xta(text),
            Format::Ta => parse_ta(text),
        };
        uppaal::read(document, diagnostics, options).map(Self::new)
    }

    /// Reads a model in TChecker's format.
    pub fn from_tchecker(text: &str, options: &LoadOptions) -> Result<Self, ModelError> {
        Self::read(text, Format::Tck, options)
    }

    /// Takes a network that was built in code.
    pub fn from_network(network: Network) -> Result<Self, String> {
        network.validate()?;
        small_enough(&network)?;
        if let Some(first) = oversized(&network).iter().next() {
            return Err(first.message.clone());
        }
        Ok(Self::new(Read { network, warnings: Vec::new(), uppaal: None }))
    }

    fn new(read: Read) -> Self {
        let refusals = refusals(&read.network);
        let mut system = System::new(read.network);
        if negates_guards(&system.network) {
            system.facts = system.facts.symmetric();
        }
        let (coverings, sample) = (OnceLock::new(), OnceLock::new());
        Self { system, uppaal: read.uppaal, warnings: read.warnings, refusals, coverings, sample }
    }

    /// The model, compiled.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.system.network
    }

    /// What is odd about the text.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// What the model needs and we cannot do: questions about it are refused.
    pub fn refusals(&self) -> &[Unsupported] {
        &self.refusals
    }

    /// The XPath of the text that a span lies in, for XML.
    pub fn path(&self, span: Span) -> Option<&str> {
        self.uppaal.as_ref().and_then(|uppaal| path(&uppaal.document.paths, span))
    }
}

fn tck(text: &str, options: &LoadOptions) -> Result<Read, ModelError> {
    let (network, diagnostics): (Option<Network>, Diagnostics) = tchecker::load(text);
    let failed = |diagnostics| ModelError { diagnostics, paths: Vec::new() };
    let diagnostics = diagnostics.into_vec();
    let Some(mut network) = network else { return Err(failed(diagnostics)) };
    network.out_of_range = options.out_of_range;
    let mut refused = oversized(&network);
    if let Err(message) = small_enough(&network) {
        refused.error("model-too-large", Default::default(), message);
    }
    if let Some((name, _)) = options.defines.first() {
        let message = format!("there is no constant `{name}` to define: TChecker's format has none");
        refused.error("bad-define", Default::default(), message);
    }
    if refused.has_errors() {
        return Err(failed([diagnostics, refused.into_vec()].concat()));
    }
    Ok(Read { network, warnings: diagnostics, uppaal: None })
}

/// The widest zones hold constants up to a limit.
pub(crate) fn oversized(network: &Network) -> Diagnostics {
    let limit = <i32 as Bound>::MAX_CONSTANT;
    let mut found = Diagnostics::default();
    for (span, constant) in oversized_constants(network, limit) {
        let message = format!("clocks cannot be compared with or set to {constant}");
        let help = format!("zones hold constants up to {limit}; use a coarser unit of time");
        found.error("constant-too-large", span, message).help(help);
    }
    found
}

/// Most pairs of a location and a clock that its process compares: static
/// analysis has an unknown and flows for each, about a hundred bytes.
const MAX_CLOCK_PLACES: usize = 20_000_000;

/// Most clocks: a zone has a bound for every pair.
const MAX_CLOCKS: usize = 10_000;

pub(crate) fn small_enough(network: &Network) -> Result<(), String> {
    let clocks = network.clocks.len();
    if clocks > MAX_CLOCKS {
        return Err(format!("{clocks} clocks are more than zones can hold ({MAX_CLOCKS})"));
    }
    let pairs = clock_unknowns(network);
    if pairs > MAX_CLOCK_PLACES {
        return Err(format!(
            "{pairs} pairs of a location and a clock are more than the analysis can hold ({MAX_CLOCK_PLACES})"
        ));
    }
    Ok(())
}
