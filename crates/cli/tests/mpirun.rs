//! Several processes under `mpirun`: the answers of one; and a process that is
//! killed ends all of them, after which others go on from the checkpoint.
//!
//! `DWELL_KILLS` says how often one is killed.

use dwell_base::Rng;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(120);

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
}

/// A model of ours in a file.
fn model(family: &str, size: u32) -> PathBuf {
    let path = folder().join(format!("mpirun-{family}-{size}.tck"));
    let text = dwell_families::generate(family, size).expect("a model of ours");
    std::fs::write(&path, text).expect("a folder for tests");
    path
}

fn mpirun(processes: u32, arguments: &[&str]) -> Command {
    let mut command = Command::new("mpirun");
    command.args(["--oversubscribe", "--bind-to", "none", "-n", &processes.to_string()]);
    command.arg(env!("CARGO_BIN_EXE_dwell")).args(arguments);
    // For machines where tests run as root.
    command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Waits for the end, and fails if there is none.
fn ends(mut child: Child) -> Output {
    let begin = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if begin.elapsed() > PATIENCE {
            let _ = child.kill();
            panic!("processes hang");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().expect("its output")
}

fn answer(processes: u32, arguments: &[&str]) -> (Option<i32>, serde_json::Value) {
    let mut all = arguments.to_vec();
    all.push("--json");
    let output = match processes {
        0 => Command::new(env!("CARGO_BIN_EXE_dwell")).args(&all).output().expect("the program"),
        _ => ends(mpirun(processes, &all).spawn().expect("mpirun")),
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    let json = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}\n{complaint}"));
    (output.status.code(), json)
}

fn stored(json: &serde_json::Value) -> (&serde_json::Value, &serde_json::Value) {
    (&json["queries"][0]["verdict"], &json["queries"][0]["stats"]["stored"])
}

#[test]
fn processes_answer_as_one_does() {
    for (family, size) in [("fischer", 6), ("csmacd", 6), ("critical-region", 3)] {
        let path = model(family, size);
        let path = path.to_str().expect("a name");
        let (code, alone) = answer(0, &["check", path, "--space"]);
        for (processes, threads) in [(2, "1"), (4, "1"), (2, "2")] {
            let (shared, json) = answer(processes, &["check", path, "--space", "--threads", threads]);
            assert_eq!((shared, stored(&json)), (code, stored(&alone)), "{family}, {processes} × {threads}");
            assert_eq!(json["queries"][0]["plan"]["processes"], processes);
        }
    }
}

#[test]
fn traces_errors_and_several_queries() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let fischer = examples.join("fischer.xml");
    let fischer = fischer.to_str().expect("a name");
    for arguments in [
        &["check", fischer][..],
        &["check", fischer, "-D", "K=1", "--trace", "some"],
        &["check", fischer, "-D", "K=1", "--trace", "shortest"],
        &[
            "check",
            fischer,
            "-q",
            "sup: id",
            "-q",
            "E<> P(1).critical",
            "-q",
            "P(1).request --> P(1).critical",
        ],
        &["check", "no-such-file.xml"],
    ] {
        let (code, alone) = answer(0, arguments);
        let (shared, json) = answer(3, arguments);
        // mpirun has codes of its own for processes that fail.
        assert_eq!(shared == Some(0), code == Some(0), "{arguments:?}");
        let verdicts = |json: &serde_json::Value| -> Vec<(String, bool)> {
            let queries = json["queries"].as_array().cloned().unwrap_or_default();
            queries.iter().map(|q| (q["verdict"].to_string(), q["trace"].is_null())).collect()
        };
        assert_eq!(verdicts(&json), verdicts(&alone), "{arguments:?}");
    }
}

/// The processes that a launcher started.
fn started_by(launcher: u32) -> Vec<u32> {
    let parent = |pid: &u32| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse::<u32>().ok()
    };
    let all = std::fs::read_dir("/proc").expect("a list of processes").flatten();
    let all = all.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    all.filter(|pid| parent(pid) == Some(launcher)).collect()
}

#[test]
fn one_is_killed_and_others_go_on() {
    let kills = std::env::var("DWELL_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(6);
    let path = model("fischer", 8);
    let path = path.to_str().expect("a name");
    let file = folder().join("mpirun.checkpoint");
    let name = file.to_str().expect("a name");
    let (_, alone) = answer(0, &["check", path, "--space"]);
    let mut rng = Rng::new(1);
    for kill in 0..kills {
        let _ = std::fs::remove_file(&file);
        let processes = 2 + kill % 3;
        let keep = ["check", path, "--space", "--checkpoint", name, "--checkpoint-every", "30ms"];
        let child = mpirun(processes, &keep).spawn().expect("mpirun");
        let begin = Instant::now();
        while !file.exists() && begin.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(rng.below(60)));
        let victims = started_by(child.id());
        // It may have come to its end before.
        let killed = !victims.is_empty() && {
            let victim = rng.pick(&victims).to_string();
            Command::new("kill")
                .args(["-KILL", &victim])
                .stderr(Stdio::null())
                .status()
                .is_ok_and(|s| s.success())
        };
        let output = ends(child);
        if killed {
            // A process that had just ended was no victim.
            let whole = output.status.success();
            assert!(whole || !output.stderr.is_empty(), "an end without a word");
        }
        let other = (2 + (kill + 1) % 3).to_string();
        let (code, resumed) =
            answer(other.parse().expect("a number"), &["check", path, "--space", "--resume", name]);
        assert_eq!((code, stored(&resumed)), (Some(0), stored(&alone)), "kill {kill}");
    }
}
