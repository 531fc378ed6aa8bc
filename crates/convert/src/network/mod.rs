//! Networks, written again: from one language to the other.
//!
//! What the other language cannot say, or says with another meaning, is
//! refused with a sentence: a converted model means what it meant, or there is
//! none.

mod names;
mod ranges;
mod svg;
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

/// The processes of a network that came from TChecker's format, as a picture
/// (SVG).
///
/// # Errors
///
/// What of the network cannot be written beside a line.
pub fn network_to_svg(network: &Network, title: &str) -> Result<String, String> {
    svg::write(network, title).map_err(|what| format!("a picture cannot say this: {what}"))
}
