//! Reading: from files or standard input to texts and a compiled model.

use crate::complain;
use dwell_engine::limits::available_bytes;
use dwell_engine::syntax::{Diagnostic, SourceFile, decode};
use dwell_engine::units::show_bytes;
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
    let format = match format {
        Some(format) => format,
        None => guess(source.text()).map_err(InputError::Unreadable)?,
    };
    match Model::read(source.text(), format, options) {
        Ok(model) => Ok((source, model)),
        Err(error) => Err(InputError::Rejected(Box::new(source), error)),
    }
}

/// Files up to this size are read in any case.
const SMALL: u64 = 16 << 20;

/// Bytes of memory for each byte of a model that is nothing but model, about:
/// 215 MiB of locations and edges take 6.3 GiB.
const SWELLS: u64 = 30;

/// Refuses a file whose text alone does not fit into the memory there may be,
/// and warns where the model may not: the system would end the process without
/// a word.
pub fn fits(path: &str, memory: Option<u64>) -> Result<(), String> {
    let size = std::fs::metadata(path).ok().filter(|found| path != "-" && found.is_file());
    let (Some(size), Some(limit)) = (size.map(|found| found.len()), memory.or_else(available_bytes)) else {
        return Ok(());
    };
    // Its bytes and its text; what it means comes on top of that.
    let swollen = size.saturating_mul(SWELLS);
    if size <= SMALL || swollen <= limit {
        return Ok(());
    }
    let (size, refused) = (show_bytes(size), size.saturating_mul(2) > limit);
    let limit = show_bytes(limit);
    if !refused {
        let may = show_bytes(swollen);
        complain(&format!("note: {path} has {size}; reading it may take {may}, and there may be {limit}\n"));
        return Ok(());
    }
    Err(format!("{path} has {size}, and the whole process may have {limit}; give a larger --memory"))
}

/// The text of a file, or what is wrong with its bytes.
pub fn text(path: &str) -> Result<Result<SourceFile, (SourceFile, Diagnostic)>, String> {
    let bytes = read(path)?;
    let name = if path == "-" { "<stdin>" } else { path };
    if let Some(what) = not_text(&bytes) {
        return Err(format!("{name} is {what}"));
    }
    Ok(match decode(&bytes) {
        Ok(text) => Ok(SourceFile::new(name, text)),
        Err(diagnostic) => {
            Err((SourceFile::new(name, String::from_utf8_lossy(&bytes).into_owned()), diagnostic))
        }
    })
}

/// What a file is that has no text to show an error in.
fn not_text(bytes: &[u8]) -> Option<&'static str> {
    /// Bytes that are looked at.
    const LOOK: usize = 1 << 16;
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        Some("text in UTF-16; save it as UTF-8")
    } else if bytes.iter().take(LOOK).any(|&byte| byte == 0) {
        Some("a binary file, not a model")
    } else {
        None
    }
}

/// The text of a file that is no model.
pub fn plain(path: &str) -> Result<String, String> {
    match text(path)? {
        Ok(source) => Ok(source.text().to_owned()),
        Err((_, diagnostic)) => Err(format!("{path}: {}", diagnostic.message)),
    }
}

/// The format of a model, given or by its name; `None`: its text will tell.
fn format_of(path: &str, format: Option<&str>) -> Result<Option<Format>, String> {
    if let Some(format) = format.and_then(Format::from_name) {
        return Ok(Some(format));
    }
    if path == "-" {
        return Ok(None);
    }
    if Path::new(path).is_dir() {
        return Err(format!("cannot read {path}: it is a folder"));
    }
    let ending = Path::new(path).extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
    match Format::from_extension(&ending) {
        Some(format) => Ok(Some(format)),
        None => Err(format!("{path}: the name does not tell the format; {SAY_IT}")),
    }
}

const SAY_IT: &str = "add --input-format xml, xta, ta or tck";

/// The format of standard input, where it is plain to see.
fn guess(text: &str) -> Result<Format, String> {
    let text = text.trim_start_matches('\u{feff}');
    if text.trim_start().starts_with('<') {
        Ok(Format::Xml)
    } else if text.lines().any(|line| line.trim_start().starts_with("system:")) {
        Ok(Format::Tck)
    } else {
        Err(format!("standard input does not tell its format; {SAY_IT}"))
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
