//! Networks, written again: from one language to the other.
//!
//! What the other language cannot say, or says with another meaning, is
//! refused with a sentence: a converted model means what it meant, or there is
//! none.

mod names;
mod ranges;
mod tck;
mod text;
mod xta;

use dwell_model::Network;

/// A network in TChecker's format.
///
/// # Errors
///
/// What of the network the format cannot say.
pub fn network_to_tck(network: &Network) -> Result<String, String> {
    tck::write(network).map_err(|what| format!("TChecker's format cannot say this: {what}"))
}

/// A network that came from TChecker's format as an `.xta` file, and queries
/// that ask for its labels.
///
/// # Errors
///
/// What of the network UPPAAL's language cannot say.
pub fn network_to_xta(network: &Network) -> Result<(String, Vec<String>), String> {
    xta::write(network).map_err(|what| format!("UPPAAL's language cannot say this: {what}"))
}
