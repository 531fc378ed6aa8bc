//! `dwell convert`.

use crate::check::{Refusal, describe, refuse};
use crate::input::{InputError, load};
use crate::{complain, exit, print};
use clap::ArgMatches;
use dwell_convert::network::{network_to_svg, network_to_tck, network_to_xta};
use dwell_convert::uppaal::{to_dot, to_json, to_q, to_svg, to_xml, to_xta};
use dwell_engine::syntax::uppaal::tree::Document;
use dwell_engine::syntax::uppaal::{parse_query, parse_xta};
use dwell_engine::{LoadOptions, Model};

/// Writes a model in another format; answers with the exit code.
pub fn run(matches: &ArgMatches) -> u8 {
    let path = matches.get_one::<String>("model").expect("required");
    let to = matches.get_one::<String>("to").expect("required");
    match converted(matches, path, to) {
        Ok(text) => match matches.get_one::<String>("output") {
            None => {
                print(&text);
                exit::SATISFIED
            }
            Some(file) => match std::fs::write(file, text) {
                Ok(()) => exit::SATISFIED,
                Err(error) => {
                    complain(&format!("error: cannot write {file}: {error}\n"));
                    exit::BAD
                }
            },
        },
        Err(refusal) => refuse(&refusal),
    }
}

fn converted(matches: &ArgMatches, path: &str, to: &str) -> Result<String, Refusal> {
    let format = matches.get_one::<String>("input-format").map(String::as_str);
    let defines = matches.get_many::<(String, String)>("define").into_iter().flatten().cloned().collect();
    let options = LoadOptions { defines, ..LoadOptions::default() };
    let (_, model) = match load(path, format, &options) {
        Ok(loaded) => loaded,
        Err(InputError::Unreadable(message)) => return Err(message.into()),
        Err(InputError::Rejected(source, error)) => return Err(describe(path, *source, error)),
    };
    if to == "svg" {
        return Ok(match model.document() {
            Some(document) => to_svg(document, path),
            None => network_to_svg(model.network(), path)?,
        });
    }
    Ok(write(&model, to)?)
}

/// A model in the format `to`.
pub fn write(model: &Model, to: &str) -> Result<String, String> {
    if to == "tck" {
        return network_to_tck(model.network());
    }
    let made;
    let document = match model.document() {
        Some(document) => document,
        None => {
            let (text, queries) = network_to_xta(model.network())?;
            if to == "xta" {
                return Ok(text);
            }
            made = document(&text, &queries)?;
            &made
        }
    };
    Ok(match to {
        "xml" => to_xml(document),
        "xta" => to_xta(document)?,
        "q" => to_q(document),
        "dot" => to_dot(document),
        _ => to_json(document),
    })
}

fn document(text: &str, queries: &[String]) -> Result<Document, String> {
    let (mut document, found) = parse_xta(text);
    if let Some(first) = found.iter().find(|d| d.severity == dwell_engine::syntax::Severity::Error) {
        return Err(format!("this is a bug in dwell: what it wrote is not a model: {}", first.message));
    }
    document.queries = queries.iter().map(|query| parse_query(query).0).collect();
    Ok(document)
}
