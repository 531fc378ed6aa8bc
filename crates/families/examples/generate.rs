//! Prints one model: `cargo run -p dwell-families --example generate -- fischer 3`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, size] = arguments.as_slice() else {
        eprintln!("usage: generate FAMILY SIZE");
        return ExitCode::from(2);
    };
    let Ok(size) = size.parse() else {
        eprintln!("`{size}` is not a size");
        return ExitCode::from(2);
    };
    match dwell_families::generate(name, size) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
