//! When the program itself is wrong: a sentence instead of a backtrace.

use crate::{complain, exit, json, print};
use std::panic::PanicHookInfo;

/// From now on a panic, in whatever thread, ends the program with a sentence
/// that says what to report, and the code for what could not be answered.
pub fn report_panics() {
    std::panic::set_hook(Box::new(|info| {
        let message = sentence(info);
        complain(&format!("error: {message}\n"));
        if std::env::args().any(|arg| arg == "--json") {
            print(&json::bad_input("", &message, Vec::new()));
        }
        // Unwinding would end this thread only, and others wait for it.
        std::process::exit(exit::BAD.into());
    }));
}

fn sentence(info: &PanicHookInfo<'_>) -> String {
    let place = info.location().map(|at| format!(" ({}:{})", at.file(), at.line())).unwrap_or_default();
    let payload = info.payload();
    let what = payload.downcast_ref::<&str>().copied();
    let what = what.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let what = what.unwrap_or("something impossible happened");
    let what = what.lines().map(str::trim).collect::<Vec<_>>().join(", ");
    format!(
        "this is a bug in dwell: {what}{place}; there is no answer. Please report it with the model and the \
         command line; dwell {}",
        env!("CARGO_PKG_VERSION")
    )
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    /// Ends the process: run by the test below in one of its own.
    #[test]
    #[ignore = "ends the process"]
    fn in_the_main_thread() {
        super::report_panics();
        panic!("no such zone");
    }

    /// The same.
    #[test]
    #[ignore = "ends the process"]
    fn in_another_thread() {
        super::report_panics();
        let number = std::hint::black_box(7);
        let ended = std::thread::spawn(move || assert_eq!(number, 8)).join();
        unreachable!("the process has ended: {ended:?}");
    }

    #[test]
    fn a_panic_is_a_sentence_and_an_exit_code() {
        for (test, what) in [("in_the_main_thread", "no such zone ("), ("in_another_thread", "left == right")]
        {
            let name = format!("bug::tests::{test}");
            let child = Command::new(std::env::current_exe().expect("this program"))
                .args(["--ignored", "--exact", "--nocapture", &name])
                .output()
                .expect("it runs");
            let err = String::from_utf8_lossy(&child.stderr);
            assert_eq!(child.status.code(), Some(2), "{err}");
            assert!(err.starts_with("error: this is a bug in dwell: "), "{err}");
            assert!(
                err.contains(what) && err.contains("bug.rs:") && err.contains("Please report it"),
                "{err}"
            );
            assert!(!err.contains("panicked") && !err.contains("RUST_BACKTRACE"), "{err}");
        }
    }
}
