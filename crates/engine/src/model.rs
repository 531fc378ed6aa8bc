//! A model, loaded and compiled.

use dwell_model::{Network, OutOfRange, System, tchecker};
use dwell_syntax::{Diagnostic, Diagnostics};

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
                Ok(Self { system: System::new(network), warnings: diagnostics })
            }
            None => Err(ModelError { diagnostics }),
        }
    }

    /// Takes a network that was built in code.
    pub fn from_network(network: Network) -> Result<Self, String> {
        network.validate()?;
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
