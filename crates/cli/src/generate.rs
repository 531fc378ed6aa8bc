//! `dwell generate`.

use crate::{complain, exit, print};
use clap::ArgMatches;
use dwell_engine::Model;
use dwell_families::GenerateError;

/// Writes a model; answers with the exit code.
pub fn run(matches: &ArgMatches) -> u8 {
    let name = matches.get_one::<String>("family").expect("required");
    let default = dwell_families::find(name).map_or(1, |family| family.default_size);
    let size = matches.get_one::<u32>("size").copied().unwrap_or(default);
    match dwell_families::generate(name, size) {
        Ok(text) => written(&text, matches.get_one::<String>("to").expect("has a default")),
        Err(error) => {
            let names = dwell_families::all().iter().map(|family| family.name);
            let near = match error {
                GenerateError::UnknownFamily { .. } => dwell_engine::syntax::closest(name, names),
                GenerateError::Size { .. } => None,
            };
            let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            complain(&format!("error: {error}{hint}\n"));
            exit::BAD
        }
    }
}

/// Families are written in TChecker's format and translated where another one
/// is asked for.
fn written(text: &str, to: &str) -> u8 {
    if to == "tck" {
        print(text);
        return exit::SATISFIED;
    }
    let model = Model::from_tchecker(text, &Default::default()).expect("families are correct models");
    match crate::convert::write(&model, to) {
        Ok(text) => {
            print(&text);
            exit::SATISFIED
        }
        Err(message) => {
            complain(&format!("error: {message}\n"));
            exit::BAD
        }
    }
}
