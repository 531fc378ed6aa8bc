//! `cargo xtask dist`: what is installed, from the release build, in `target/dist`.
//!
//! - `share`: manual and completions, as they lie below `/usr/share`;
//! - `dwell_VERSION_ARCHITECTURE.deb`, where there is a `dpkg-deb`. It is taken apart again and looked at.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{Outcome, cargo, output, root, show, succeeds, target_directory};

/// What a package must have, so that one that lacks it is noticed.
const CONTENTS: [&str; 8] = [
    "./usr/bin/dwell",
    "./usr/share/man/man1/dwell.1.gz",
    "./usr/share/man/man1/dwell-check.1.gz",
    "./usr/share/bash-completion/completions/dwell",
    "./usr/share/zsh/vendor-completions/_dwell",
    "./usr/share/fish/vendor_completions.d/dwell.fish",
    "./usr/share/doc/dwell/copyright",
    "./usr/share/doc/dwell/docs/tutorial.md",
];

/// Makes everything.
pub(crate) fn run(words: &[&str]) -> Outcome {
    let target = target_directory()?;
    let program = match words {
        [] => {
            show(&mut cargo(&["build", "--quiet", "--release", "--locked", "--package", "dwell"]))?;
            target.join("release/dwell")
        }
        ["--binary", path] => PathBuf::from(path),
        _ => return Err("dist takes --binary PATH and nothing else".to_owned()),
    };
    let dist = target.join("dist");
    fresh(&dist)?;
    let share = dist.join("share");
    show(Command::new(&program).arg("pages").arg(&share))?;
    println!("manual and completions: {}", share.display());
    if !succeeds(Command::new("dpkg-deb").arg("--version")) {
        if Path::new("/etc/debian_version").exists() {
            return Err("this is a Debian system without dpkg-deb; install dpkg".to_owned());
        }
        println!("NO DEBIAN PACKAGE: there is no dpkg-deb on this system");
        return Ok(());
    }
    debian(&program, &share, &dist)
}

/// An empty folder.
fn fresh(folder: &Path) -> Outcome {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    folder_at(folder)
}

fn folder_at(folder: &Path) -> Outcome {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))
}

/// Copies a file, or a folder with everything in it.
fn copy(from: &Path, to: &Path) -> Outcome {
    let failed = |error| format!("{}: {error}", from.display());
    if !from.is_dir() {
        return fs::copy(from, to).map(drop).map_err(failed);
    }
    folder_at(to)?;
    for entry in fs::read_dir(from).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

/// Builds the package, then looks at it.
fn debian(program: &Path, share: &Path, dist: &Path) -> Outcome {
    let tree = dist.join("debian");
    let usr = tree.join("usr");
    let doc = usr.join("share/doc/dwell");
    for folder in [usr.join("bin"), doc.clone(), tree.join("DEBIAN")] {
        folder_at(&folder)?;
    }
    copy(program, &usr.join("bin/dwell"))?;
    // Names of functions and lines are of no use to those who install it.
    show(Command::new("strip").arg(usr.join("bin/dwell")))?;
    copy(share, &usr.join("share"))?;
    // Debian's zsh looks elsewhere.
    let zsh = usr.join("share/zsh");
    fs::rename(zsh.join("site-functions"), zsh.join("vendor-completions"))
        .map_err(|error| format!("{}: {error}", zsh.display()))?;
    for name in ["README.md", "docs", "examples"] {
        copy(&root().join(name), &doc.join(name))?;
    }
    copy(&root().join("CHANGELOG.md"), &doc.join("changelog"))?;
    write(&doc.join("copyright"), &copyright()?)?;
    let manual = fs::read_dir(usr.join("share/man/man1")).map_err(|error| format!("the manual: {error}"))?;
    let pages = manual.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    show(Command::new("gzip").arg("-9n").args(pages).arg(doc.join("changelog")))?;

    let architecture = output(Command::new("dpkg").arg("--print-architecture"))?;
    let architecture = architecture.trim();
    let bytes = fs::read(usr.join("bin/dwell")).map_err(|error| format!("{}: {error}", usr.display()))?;
    let size = output(Command::new("du").arg("-sk").arg(&usr))?;
    let kibibytes = size.split_whitespace().next().unwrap_or_default();
    write(&tree.join("DEBIAN/control"), &control(architecture, kibibytes, &glibc(&bytes)))?;
    // Whatever the developer's mask is.
    show(Command::new("chmod").args(["-R", "u=rwX,go=rX"]).arg(&tree))?;
    let package = dist.join(format!("dwell_{}_{architecture}.deb", env!("CARGO_PKG_VERSION")));
    show(Command::new("dpkg-deb").args(["--root-owner-group", "--build"]).arg(&tree).arg(&package))?;
    look_at(&package)
}

/// Is everything in it that should be?
fn look_at(package: &Path) -> Outcome {
    let info = output(Command::new("dpkg-deb").arg("--info").arg(package))?;
    print!("{info}");
    let contents = output(Command::new("dpkg-deb").arg("--contents").arg(package))?;
    let names: Vec<&str> = contents.lines().filter_map(|line| line.split_whitespace().nth(5)).collect();
    match CONTENTS.iter().find(|name| !names.contains(name)) {
        Some(missing) => Err(format!("{} lacks {missing}", package.display())),
        None => {
            println!("{}: {} files and folders", package.display(), names.len());
            Ok(())
        }
    }
}

fn write(path: &Path, text: &str) -> Outcome {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

fn copyright() -> Outcome<String> {
    let path = root().join("LICENSE-MIT");
    let mit = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(format!(
        "dwell may be used under the MIT licence or the Apache License, version 2.0, as you like. The text of the\n\
         latter is in /usr/share/common-licenses/Apache-2.0 on Debian systems, that of the former follows.\n\n{mit}"
    ))
}

/// What a package says of itself.
fn control(architecture: &str, kibibytes: &str, glibc: &str) -> String {
    format!(
        "Package: dwell\n\
         Version: {}\n\
         Architecture: {architecture}\n\
         Maintainer: The dwell authors <authors@dwell.invalid>\n\
         Installed-Size: {kibibytes}\n\
         Depends: libc6 (>= {glibc}), libgcc-s1\n\
         Section: science\n\
         Priority: optional\n\
         Description: model checker for real-time systems\n \
         Answers queries about networks of timed automata, as UPPAAL and TChecker\n \
         write them, with exact runs that explain the answers.\n",
        env!("CARGO_PKG_VERSION")
    )
}

/// The newest version of the C library that a program names, of those it names as `GLIBC_2.34`.
fn glibc(program: &[u8]) -> String {
    const NAME: &[u8] = b"GLIBC_2.";
    let mut newest = 17; // what Rust needs in any case
    for at in program.windows(NAME.len()).enumerate().filter(|(_, bytes)| *bytes == NAME).map(|(at, _)| at) {
        let digits = program[at + NAME.len()..].iter().take(3).take_while(|byte| byte.is_ascii_digit());
        newest = newest.max(digits.fold(0, |number, digit| number * 10 + u32::from(digit - b'0')));
    }
    format!("2.{newest}")
}

#[cfg(test)]
mod tests {
    use super::{control, glibc};

    #[test]
    fn the_c_library_is_as_new_as_the_newest_symbol() {
        assert_eq!(glibc(b"..GLIBC_2.2.5\0GLIBC_2.34\0GLIBC_2.9\0GLIBC_2."), "2.34");
        assert_eq!(glibc(b""), "2.17");
    }

    #[test]
    fn every_line_of_the_control_file_is_a_field_or_goes_on() {
        let text = control("amd64", "12", "2.34");
        assert!(text.lines().all(|line| line.starts_with(' ') || line.contains(": ")), "{text}");
        assert!(text.contains("Depends: libc6 (>= 2.34), libgcc-s1\n"), "{text}");
    }
}
