//! `dwell pages`: the manual and the completions of shells, from the same table as the command line.
//!
//! What packages are made of, so it is not among the commands that help lists.

use clap::ArgMatches;
use clap_complete::Shell;
use std::fs::create_dir_all;
use std::io::Result;
use std::path::Path;

use crate::{args, complain, exit};

/// Folders as they are below `/usr/share` and `~/.local/share`.
const MANUAL: &str = "man/man1";
const COMPLETIONS: [(Shell, &str, &str); 3] = [
    (Shell::Bash, "bash-completion/completions", "dwell"),
    (Shell::Zsh, "zsh/site-functions", "_dwell"),
    (Shell::Fish, "fish/vendor_completions.d", "dwell.fish"),
];

/// Writes them below a folder.
pub fn run(matches: &ArgMatches) -> u8 {
    let folder = matches.get_one::<String>("folder").expect("a folder is required");
    match write(Path::new(folder)) {
        Ok(()) => exit::SATISFIED,
        Err(error) => {
            complain(&format!("error: cannot write to '{folder}': {error}\n"));
            exit::BAD
        }
    }
}

fn write(folder: &Path) -> Result<()> {
    let manual = folder.join(MANUAL);
    create_dir_all(&manual)?;
    clap_mangen::generate_to(args::command(), &manual)?;
    for (shell, place, name) in COMPLETIONS {
        let place = folder.join(place);
        create_dir_all(&place)?;
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut args::command(), "dwell", &mut script);
        std::fs::write(place.join(name), script)?;
    }
    Ok(())
}
