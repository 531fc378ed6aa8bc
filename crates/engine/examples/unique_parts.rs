//! Distinct location vectors, variable vectors and zones among the stored states (paper 2, table 2), as
//! a line of JSON: `cargo run --release -p dwell-engine --example unique_parts -- MODEL [NAME=VALUE]...`.

use dwell_engine::{Format, LoadOptions, Model, Options, Question, UniqueParts, unique_parts};
use std::process::ExitCode;

fn count(words: &[String]) -> Result<UniqueParts, String> {
    let (file, defines) = words.split_first().ok_or("MODEL [NAME=VALUE]...")?;
    let defines = defines.iter().map(|define| {
        let (name, value) = define.split_once('=').ok_or_else(|| format!("{define}: not NAME=VALUE"))?;
        Ok((name.to_owned(), value.to_owned()))
    });
    let load = LoadOptions { defines: defines.collect::<Result<_, String>>()?, ..Default::default() };
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let format = if file.ends_with(".xml") { Format::Xml } else { Format::Tck };
    let model = Model::read(&text, format, &load).map_err(|error| format!("{file}: {error:?}"))?;
    let mut options = Options::default();
    options.set("order", "bfs")?;
    unique_parts(&model, &options.plan(&model, &Question::space())?)
}

fn main() -> ExitCode {
    match count(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(UniqueParts { states, locations, variables, zones }) => {
            println!(
                r#"{{"states": {states}, "locations": {locations}, "variables": {variables}, "zones": {zones}}}"#
            );
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
