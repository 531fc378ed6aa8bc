//! Small helpers around child processes and the paths of the workspace.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A task ends well or with a message for the developer.
pub(crate) type Outcome<T = ()> = Result<T, String>;

/// The root of the repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace")
}

/// The cargo that runs this task, in the root of the repository.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root());
    command
}

/// Where cargo puts what it builds.
pub(crate) fn target_directory() -> Outcome<PathBuf> {
    let text = output(&mut cargo(&["metadata", "--format-version", "1", "--no-deps", "--locked"]))?;
    let metadata: serde_json::Value =
        serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))?;
    let directory = metadata["target_directory"].as_str();
    directory.map(PathBuf::from).ok_or_else(|| "cargo metadata names no target directory".to_owned())
}

/// Runs a command with its output shown, and fails when it fails.
pub(crate) fn show(command: &mut Command) -> Outcome {
    let status = command.status().map_err(|error| format!("{}: {error}", words(command)))?;
    if status.success() { Ok(()) } else { Err(format!("`{}` failed ({status})", words(command))) }
}

/// Runs a command and returns what it printed; its complaints are shown.
pub(crate) fn output(command: &mut Command) -> Outcome<String> {
    command.stderr(Stdio::inherit());
    let output = command.output().map_err(|error| format!("{}: {error}", words(command)))?;
    if !output.status.success() {
        return Err(format!("`{}` failed ({})", words(command), output.status));
    }
    String::from_utf8(output.stdout)
        .map_err(|_| format!("`{}` printed something else than text", words(command)))
}

/// Whether a command runs at all and reports success; nothing is shown.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// The command as one would type it.
pub(crate) fn words(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let all: Vec<_> =
        std::iter::once(program).chain(command.get_args()).map(OsStr::to_string_lossy).collect();
    all.join(" ")
}
