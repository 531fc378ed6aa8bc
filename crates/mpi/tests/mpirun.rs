//! Several processes under `mpirun`: every state is found once, whoever finds it,
//! and nothing hangs when a process dies.
//!
//! The machine may have fewer cores than there are processes, and the user may be
//! root; Open MPI is told to go on all the same, others do not ask.

use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// More than any of these runs takes, however busy the machine.
const PATIENCE: Duration = Duration::from_secs(100);

struct Ended {
    code: Option<i32>,
    out: String,
    err: String,
}

/// Waits for a command to end; it is killed, and the test fails, if it does not.
fn ended(command: &mut Command) -> Ended {
    let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("mpirun, of the MPI this test was built with");
    let begin = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if begin.elapsed() > PATIENCE {
            let _ = child.kill();
            panic!("{command:?} does not end");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let Output { status, stdout, stderr } = child.wait_with_output().expect("its output");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ended { code: status.code(), out: text(stdout), err: text(stderr) }
}

/// Runs the program in so many processes.
fn mpirun(ranks: u32, arguments: &str) -> Ended {
    let mut command = Command::new("mpirun");
    command.args(["-n", &ranks.to_string(), env!("CARGO_BIN_EXE_dwell-mpi-traffic")]);
    command.args(arguments.split(' ')).env("RUST_BACKTRACE", "0");
    for allowed in
        ["OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMPI_MCA_rmaps_base_oversubscribe"]
    {
        command.env(allowed, "1");
    }
    ended(command.env("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"))
}

#[track_caller]
fn finds_everything(ranks: u32, threads: u32) {
    let Ended { code, out, err } = mpirun(ranks, &format!("{threads} 60000 3"));
    assert_eq!(out, "round 0: 60000\nround 1: 60000\nround 2: 60000\n", "{err}");
    assert_eq!(code, Some(0), "{err}");
}

#[test]
fn processes_find_every_state_once() {
    [2, 3, 4].iter().for_each(|ranks| finds_everything(*ranks, 1));
}

#[test]
fn processes_with_threads_find_every_state_once() {
    [2, 3, 4].iter().for_each(|ranks| finds_everything(*ranks, 2));
    finds_everything(2, 3);
}

/// Batches, credits and tokens of a run that was stopped do not turn up in the next.
#[test]
fn a_run_that_is_stopped_leaves_nothing_behind() {
    for threads in [1, 2] {
        let Ended { code, out, err } = mpirun(3, &format!("{threads} 60000 4 stop 1"));
        assert_eq!(out.matches("stopped").count(), 4, "{out}{err}");
        assert_eq!(code, Some(0), "{err}");
    }
}

#[test]
fn a_killed_process_ends_the_job() {
    for (ranks, threads, victim) in [(2, 1, 0), (3, 1, 2), (2, 2, 1)] {
        let Ended { code, out, err } = mpirun(ranks, &format!("{threads} 60000 1 die {victim}"));
        assert!(code != Some(0) && !out.contains("round"), "{code:?} {out}{err}");
        assert!(err.contains("signal 9") || err.contains("KILLED"), "the launcher says why: {err}");
    }
}

#[test]
fn a_bug_in_one_process_ends_the_job() {
    for arguments in ["1 60000 1 panic 0", "2 60000 1 panic 1", "3 60000 1 stumble 2"] {
        let Ended { code, out, err } = mpirun(3, arguments);
        assert!(code != Some(0) && !out.contains("round"), "{code:?} {out}{err}");
        assert!(err.contains("a bug in one process"), "{err}");
    }
}

#[test]
fn a_process_that_ends_early_is_noticed() {
    for culprit in [0, 1] {
        let Ended { code, out, err } = mpirun(3, &format!("1 60000 1 leave {culprit}"));
        assert!(code != Some(0) && !out.contains("round"), "{code:?} {out}{err}");
        assert!(err.contains(&format!("process {culprit} left the work before it was done")), "{err}");
    }
}

#[test]
fn a_process_that_does_not_begin_is_noticed() {
    let Ended { code, out, err } = mpirun(3, "2 60000 1 absent 1");
    assert!(code != Some(0) && !out.contains("round"), "{code:?} {out}{err}");
    assert!(err.contains("process 1 ended early"), "{err}");
}

#[test]
fn processes_agree_on_their_threads() {
    let Ended { code, err, .. } = mpirun(2, "1 1000 1 more 1");
    assert!(code != Some(0));
    assert!(err.contains("give all of them the same number with --threads"), "{err}");
}

/// The launcher of another MPI starts processes that do not know of each other.
#[test]
fn the_wrong_launcher_is_refused() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dwell-mpi-traffic"));
    let Ended { code, err, .. } = ended(command.args(["1", "1000", "1"]).env("PMI_SIZE", "3"));
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("the launcher started 3 processes (PMI_SIZE)"), "{err}");
}

#[test]
fn a_process_alone_does_without() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dwell-mpi-traffic"));
    let Ended { code, out, err } = ended(command.args(["1", "1000", "1"]));
    assert_eq!((code, &out[..]), (Some(0), "alone\n"), "{err}");
}
