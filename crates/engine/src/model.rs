//! A model, loaded and compiled.

use dwell_model::analysis::oversized_constants;
use dwell_model::{Network, OutOfRange, System, tchecker};
use dwell_syntax::{Diagnostic, Diagnostics};
use dwell_zones::Bound;

/// What can be decided when a model is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct LoadOptions {
    /// What an assignment outside its range does.
    pub out_of_range: OutOfRange,
}

/// A compiled model and the warnings its text gave.
#[derive(Clone, Debug)]
pub struct Model {
    pub(crate) system: System,
    warnings: Vec<Diagnostic>,
}

/// Why a text is not a model.
#[derive(Clone, Debug)]
pub struct ModelError {
    /// Everything found, warnings included.
    pub diagnostics: Vec<Diagnostic>,
}

impl Model {
    /// Reads a model in TChecker's format.
    pub fn from_tchecker(text: &str, options: &LoadOptions) -> Result<Self, ModelError> {
        let (network, diagnostics): (Option<Network>, Diagnostics) = tchecker::load(text);
        let diagnostics = diagnostics.into_vec();
        match network {
            Some(mut network) => {
                network.out_of_range = options.out_of_range;
                let mut refused = oversized(&network);
                if let Err(message) = small_enough(&network) {
                    refused.error("model-too-large", Default::default(), message);
                }
                if refused.has_errors() {
                    return Err(ModelError { diagnostics: [diagnostics, refused.into_vec()].concat() });
                }
                Ok(Self { system: System::new(network), warnings: diagnostics })
            }
            None => Err(ModelError { diagnostics }),
        }
    }

    /// Takes a network that was built in code.
    pub fn from_network(network: Network) -> Result<Self, String> {
        network.validate()?;
        small_enough(&network)?;
        if let Some(first) = oversized(&network).iter().next() {
            return Err(first.message.clone());
        }
        Ok(Self { system: System::new(network), warnings: Vec::new() })
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.system.network
    }

    /// What is odd about the text.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }
}

/// The widest zones hold constants up to a limit.
fn oversized(network: &Network) -> Diagnostics {
    let limit = <i32 as Bound>::MAX_CONSTANT;
    let mut found = Diagnostics::default();
    for (span, constant) in oversized_constants(network, limit) {
        let message = format!("clocks cannot be compared with or set to {constant}");
        let help = format!("zones hold constants up to {limit}; use a coarser unit of time");
        found.error("constant-too-large", span, message).help(help);
    }
    found
}

/// Most pairs of a clock and a location or edge: static analysis has unknowns
/// and flows for each, about a hundred bytes.
const MAX_CLOCK_PLACES: usize = 20_000_000;

fn small_enough(network: &Network) -> Result<(), String> {
    let places: usize = network.processes.iter().map(|p| p.locations.len() + p.edges.len()).sum();
    if places.saturating_mul(network.clocks.len()) <= MAX_CLOCK_PLACES {
        return Ok(());
    }
    Err(format!(
        "{} clocks times {places} locations and edges are more than the analysis can hold ({MAX_CLOCK_PLACES})",
        network.clocks.len()
    ))
}
