//! Reading a model: from a file or standard input to a compiled model.

use dwell_engine::syntax::{Diagnostic, SourceFile, decode};
use dwell_engine::{LoadOptions, Model};
use std::io::Read;
use std::path::Path;

/// Why there is no model.
pub enum InputError {
    /// The text could not be had at all.
    Unreadable(String),
    /// The text is not a model.
    Rejected(Box<SourceFile>, Vec<Diagnostic>),
}

/// Reads and compiles the model at `path`; `-` is standard input.
pub fn load(
    path: &str,
    format: Option<&str>,
    options: &LoadOptions,
) -> Result<(SourceFile, Model), InputError> {
    known_format(path, format).map_err(InputError::Unreadable)?;
    let bytes = read(path).map_err(InputError::Unreadable)?;
    let name = if path == "-" { "<stdin>" } else { path };
    let text = match decode(&bytes) {
        Ok(text) => text,
        Err(diagnostic) => {
            let source = SourceFile::new(name, String::from_utf8_lossy(&bytes).into_owned());
            return Err(InputError::Rejected(Box::new(source), vec![diagnostic]));
        }
    };
    let source = SourceFile::new(name, text);
    match Model::from_tchecker(source.text(), options) {
        Ok(model) => Ok((source, model)),
        Err(error) => Err(InputError::Rejected(Box::new(source), error.diagnostics)),
    }
}

fn known_format(path: &str, format: Option<&str>) -> Result<(), String> {
    if format.is_some() || path == "-" {
        return Ok(());
    }
    let ending = Path::new(path).extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
    match ending.as_str() {
        "tck" | "txt" => Ok(()),
        "xml" | "xta" | "ta" => {
            Err(format!("{path}: UPPAAL's formats are not read yet, only TChecker's (.tck)"))
        }
        _ => Err(format!("{path}: the name does not tell the format; add --input-format tck")),
    }
}

fn read(path: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let result = if path == "-" {
        std::io::stdin().lock().read_to_end(&mut bytes).map(|_| ())
    } else {
        std::fs::read(path).map(|read| bytes = read)
    };
    result.map_err(|error| format!("cannot read {path}: {error}"))?;
    Ok(bytes)
}
