//! Benchmark families of timed automata, generated to any size in TChecker's text format.
//!
//! Each family is one file under `family/` and one line in [`all`]. The models are written from the
//! published protocols. Where a family also appears in TChecker's benchmark collection, the instance of
//! the same size is the same automaton, with processes, edges and synchronisations in the same order, so
//! that counts of states can be compared; `tests/counts.csv` records them.
//!
//! ```
//! let text = dwell_families::generate("fischer", 3)?;
//! assert!(text.contains("process:P3"));
//! # Ok::<(), dwell_families::GenerateError>(())
//! ```

#![forbid(unsafe_code)]

mod family;
mod model;

use std::fmt;

/// A family of models, one for each size.
#[derive(Debug, Clone, Copy)]
pub struct Family {
    /// The name on the command line.
    pub name: &'static str,
    /// One line for a listing: the protocol, and what the size counts.
    pub summary: &'static str,
    /// The size when the user names none: explored in well under a second.
    pub default_size: u32,
    /// The smallest size that makes sense.
    pub min_size: u32,
    /// The largest size that is written; far beyond what can be explored.
    pub max_size: u32,
    /// Writes the model of a size within the bounds above.
    pub write: fn(size: u32) -> String,
}

/// Every family, in alphabetical order of the names.
pub fn all() -> &'static [Family] {
    family::ALL
}

/// Other names that people use.
const ALIASES: [(&str, &str); 1] = [("csma", "csmacd")];

/// The family of that name.
pub fn find(name: &str) -> Option<&'static Family> {
    let name = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, meant)| meant);
    all().iter().find(|family| family.name == name)
}

/// Writes one model, after checking name and size.
///
/// # Errors
///
/// When there is no such family, or when it has no model of that size; the message says what there is.
pub fn generate(name: &str, size: u32) -> Result<String, GenerateError> {
    let family = find(name).ok_or_else(|| GenerateError::UnknownFamily { name: name.to_owned() })?;
    if !(family.min_size..=family.max_size).contains(&size) {
        return Err(GenerateError::Size { family, size });
    }
    Ok((family.write)(size))
}

/// Why no model was written.
#[derive(Debug, Clone)]
pub enum GenerateError {
    /// No family has that name.
    UnknownFamily {
        /// The name as given.
        name: String,
    },
    /// The family has no model of that size.
    Size {
        /// The family asked for.
        family: &'static Family,
        /// The size as given.
        size: u32,
    },
}

impl fmt::Display for GenerateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownFamily { name } => {
                let known: Vec<&str> = all().iter().map(|family| family.name).collect();
                write!(f, "there is no family `{name}`; the families are {}", known.join(", "))
            }
            Self::Size { family, size } => write!(
                f,
                "`{}` has no model of size {size}; sizes go from {} to {}",
                family.name, family.min_size, family.max_size
            ),
        }
    }
}

impl std::error::Error for GenerateError {}
