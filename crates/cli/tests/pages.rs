//! The manual and the completions know every option.

mod common;

use common::{dwell, folder};
use dwell_engine::OPTIONS;
use std::path::Path;

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_option_is_in_the_manual_and_the_completions() {
    let share = folder("pages");
    let ran = dwell(&share, &["pages", "."]);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""));
    // In the manual a hyphen is written `\-`, and so is none that is meant as a minus elsewhere.
    let manual = read(&share.join("man/man1/dwell-check.1")).replace("\\-", "-");
    let scripts = [
        "bash-completion/completions/dwell",
        "zsh/site-functions/_dwell",
        "fish/vendor_completions.d/dwell.fish",
    ];
    let scripts = scripts.map(|script| read(&share.join(script)));
    for option in OPTIONS {
        assert!(manual.contains(&format!("--{}", option.name)), "manual: --{}", option.name);
        assert!(scripts.iter().all(|script| script.contains(option.name)), "completions: --{}", option.name);
        for (value, _) in option.values {
            assert!(manual.contains(value), "manual: --{} {value}", option.name);
            assert!(
                scripts.iter().all(|script| script.contains(value)),
                "completions: --{} {value}",
                option.name
            );
        }
    }
    let first = read(&share.join("man/man1/dwell.1"));
    for command in ["check", "generate", "convert", "simulate", "analyse"] {
        assert!(first.contains(&format!("dwell\\-{command}(1)")), "{command} in {first}");
        assert!(share.join(format!("man/man1/dwell-{command}.1")).is_file(), "{command}");
    }
    assert!(!first.contains("pages"), "this one is for those who make packages");
}

#[test]
fn a_folder_that_cannot_be_written_is_a_sentence() {
    let share = common::folder_with("pages-file", "taken", "");
    let ran = dwell(&share, &["pages", "taken"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(ran.err.starts_with("error: cannot write to 'taken': "), "{}", ran.err);
}
