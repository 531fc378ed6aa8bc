//! Reading: from files or standard input to texts and a compiled model.

use dwell_engine::syntax::{Diagnostic, SourceFile, decode};
use dwell_engine::{Format, LoadOptions, Model, ModelError};
use std::io::Read;
use std::path::Path;

/// Why there is no model.
pub enum InputError {
    /// The text could not be had at all.
    Unreadable(String),
    /// The text is not a model.
    Rejected(Box<SourceFile>, ModelError),
}

/// Reads and compiles the model at `path`; `-` is standard input.
pub fn load(
    path: &str,
    format: Option<&str>,
    options: &LoadOptions,
) -> Result<(SourceFile, Model), InputError> {
    let format = format_of(path, format).map_err(InputError::Unreadable)?;
    let source = match text(path).map_err(InputError::Unreadable)? {
        Ok(source) => source,
        Err((source, diagnostic)) => {
            let error = ModelError { diagnostics: vec![diagnostic], paths: Vec::new() };
            return Err(InputError::Rejected(Box::new(source), error));
        }
    };
    match Model::read(source.text(), format, options) {
        Ok(model) => Ok((source, model)),
        Err(error) => Err(InputError::Rejected(Box::new(source), error)),
    }
}

/// The text of a file, or what is wrong with its bytes.
pub fn text(path: &str) -> Result<Result<SourceFile, (SourceFile, Diagnostic)>, String> {
    let bytes = read(path)?;
    let name = if path == "-" { "<stdin>" } else { path };
    Ok(match decode(&bytes) {
        Ok(text) => Ok(SourceFile::new(name, text)),
        Err(diagnostic) => {
            Err((SourceFile::new(name, String::from_utf8_lossy(&bytes).into_owned()), diagnostic))
        }
    })
}

/// The format of a model, given or by its name.
pub fn format_of(path: &str, format: Option<&str>) -> Result<Format, String> {
    if let Some(format) = format.and_then(Format::from_name) {
        return Ok(format);
    }
    let ending = Path::new(path).extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
    Format::from_extension(&ending).ok_or_else(|| {
        let what = if path == "-" { "standard input has no name to tell" } else { "the name does not tell" };
        format!("{path}: {what} the format; add --input-format xml, xta, ta or tck")
    })
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
