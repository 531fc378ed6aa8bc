//! The simulator, end to end: commands in, text out.

mod common;

use common::{COUNTER, Ran, command, dwell, dwell_with_input, examples, folder, folder_with};
use dwell_base::Rng;
use insta::assert_snapshot;
use std::io::Read;
use std::path::Path;
use std::process::Stdio;

/// Who hears a broadcast depends on the clock.
const HEARING: &str = "\
clock x;
broadcast chan bell;
process Bell() { state ringing; init ringing; trans ringing -> ringing { sync bell!; }; }
process Sleeper() {
  state asleep { x <= 8 }, awake;
  init asleep;
  trans asleep -> awake { guard x >= 2 && x < 4; sync bell?; };
}
system Bell, Sleeper;
";

const STARTS: &str = "\
system:starts
event:a
process:P
location:P:left{initial:}
location:P:right{initial:}
location:P:end{}
edge:P:left:end:a
edge:P:right:end:a
";

/// A priority leaves gaps in the delays of what is below it.
const PRIORITIES: &str = "\
clock x;
chan low, high;
chan priority low < default < high;
process Sender() {
  state s { x <= 6 };
  init s;
  trans s -> s { sync low!; }, s -> s { guard x >= 2 && x < 4; sync high!; assign x = 0; };
}
process Receiver() { state r; init r; trans r -> r { sync low?; }, r -> r { sync high?; }; }
system Sender, Receiver;
";

/// Time passes until the later of two guards holds.
const DEADLINE: &str = "\
clock x, y;
urgent chan go;
process P() {
  state wait, done;
  init wait;
  trans wait -> done { guard x >= 3; sync go!; }, wait -> wait { assign y = 0; };
}
process Q() { state wait, done; init wait; trans wait -> done { guard y >= 1; sync go?; }; }
system P, Q;
";

/// A clock that stands still during a pause.
const STOPWATCH: &str = "\
clock x, t;
process Job() {
  state work { x <= 3 }, paused { x' == 0 }, done;
  init work;
  trans work -> done { guard x == 3; },
        work -> paused { guard x >= 1; assign t = 0; },
        paused -> work { guard t >= 2; };
}
system Job;
";

/// A run need never come to `c`.
const LASSO: &str = "\
clock x;
process P() {
  state start { x <= 1 }, a { x <= 2 }, b { x <= 3 }, c;
  init start;
  trans start -> a { assign x = 0; },
        a -> b { guard x >= 1; assign x = 0; },
        b -> a { guard x >= 2; assign x = 0; },
        b -> c { guard x > 2; };
}
system P;
";

fn simulate(folder: &Path, args: &[&str], lines: &[&str]) -> Ran {
    let input: String = lines.iter().map(|line| format!("{line}\n")).collect();
    dwell_with_input(folder, &[&["simulate"], args].concat(), input.as_bytes())
}

fn example(args: &[&str], lines: &[&str]) -> String {
    simulate(&examples(), args, lines).masked()
}

fn model(test: &str, file: &str, text: &str, args: &[&str], lines: &[&str]) -> String {
    simulate(&folder_with(&format!("simulate-{test}"), file, text), args, lines).masked()
}

#[test]
fn a_session_on_zones() {
    let said =
        example(&["train-gate.xml"], &["1", "2", "1", "undo 2", "# a remark", "", "path", "quit", "state"]);
    assert_snapshot!(said, @r"
    exit code 0
    --- standard output
    train-gate.xml: zone mode, seed 0; `help` lists the commands
    start
      Train(0).far Train(1).far Train(2).far Gate.free
      Gate.queue[0]=0 Gate.queue[1]=0 Gate.queue[2]=0 Gate.waiting=0
      Train(0).x=Train(1).x, Train(0).x=Train(2).x
      time may pass
      1: Train(0): far -> approaching (near[0]!), Gate: free -> taken (near[0]?) train=0
      2: Train(1): far -> approaching (near[1]!), Gate: free -> taken (near[1]?) train=1
      3: Train(2): far -> approaching (near[2]!), Gate: free -> taken (near[2]?) train=2
    step 1      Train(0): far -> approaching (near[0]!), Gate: free -> taken (near[0]?) train=0  Gate.waiting: 0 -> 1
      Train(0).approaching Train(1).far Train(2).far Gate.taken
      Train(1).x=Train(2).x, Train(0).x<=20, Train(0).x-Train(1).x<=0
      time may pass
      1: Train(0): approaching -> crossing (tau)
      2: Train(1): far -> approaching (near[1]!), Gate: taken -> _id7 (near[1]?) train=1
      3: Train(2): far -> approaching (near[2]!), Gate: taken -> _id7 (near[2]?) train=2
    step 2      Train(1): far -> approaching (near[1]!), Gate: taken -> _id7 (near[1]?) train=1  Gate.queue[1]: 0 -> 1  Gate.waiting: 1 -> 2
      Train(0).approaching Train(1).approaching Train(2).far Gate._id7
      Train(1).x=0, Train(0).x<=20, Train(0).x-Train(2).x<=0
      no time may pass: Gate is in an urgent or committed location
      1: Gate: _id7 -> taken (stop[last()]!), Train(1): approaching -> stopped (stop[1]?)
    step 3      Gate: _id7 -> taken (stop[last()]!), Train(1): approaching -> stopped (stop[1]?)
      Train(0).approaching Train(1).stopped Train(2).far Gate.taken
      Train(0).x<=20, Train(0).x-Train(2).x<=0, Train(1).x-Train(0).x<=0
      time may pass
      1: Train(0): approaching -> crossing (tau)
      2: Train(2): far -> approaching (near[2]!), Gate: taken -> _id7 (near[2]?) train=2
    after 1 step
      Train(0).approaching Train(1).far Train(2).far Gate.taken
      Gate.queue[0]=0 Gate.queue[1]=0 Gate.queue[2]=0 Gate.waiting=1
      Train(1).x=Train(2).x, Train(0).x<=20, Train(0).x-Train(1).x<=0
      time may pass
      1: Train(0): approaching -> crossing (tau)
      2: Train(1): far -> approaching (near[1]!), Gate: taken -> _id7 (near[1]?) train=1
      3: Train(2): far -> approaching (near[2]!), Gate: taken -> _id7 (near[2]?) train=2
    start
      Train(0).far Train(1).far Train(2).far Gate.free
      Gate.queue[0]=0 Gate.queue[1]=0 Gate.queue[2]=0 Gate.waiting=0
      Train(0).x=Train(1).x, Train(0).x=Train(2).x
    step 1      Train(0): far -> approaching (near[0]!), Gate: free -> taken (near[0]?) train=0  Gate.waiting: 0 -> 1
    at the end
      Train(0).approaching Train(1).far Train(2).far Gate.taken
      Train(1).x=Train(2).x, Train(0).x<=20, Train(0).x-Train(1).x<=0
    ");
}

#[test]
fn a_session_with_exact_clocks() {
    let said = example(
        &["lamp.tck", "--concrete"],
        &["delay 1/2", "1", "1 after 0.5", "1 after 2.5", "undo 2", "mode zone", "mode concrete"],
    );
    assert_snapshot!(said, @r"
    exit code 0
    --- standard output
    lamp.tck: concrete mode, seed 0; `help` lists the commands
    start
      Lamp.off User.idle
      y=0 x=0
      time may pass
      1: User: idle -> idle (press), Lamp: off -> dim (press)  after 1 or more
    after 1/2   time passes
      Lamp.off User.idle
      y=1/2 x=1/2
      time may pass
      1: User: idle -> idle (press), Lamp: off -> dim (press)  after 1/2 or more
    after 1/2   User: idle -> idle (press), Lamp: off -> dim (press)
      Lamp.dim User.idle
      y=0 x=0
      time may pass
      1: User: idle -> idle (press), Lamp: dim -> bright (press)  after 1 to less than 5
      2: User: idle -> idle (press), Lamp: dim -> off (press)  after 5 or more
    the guard of User: idle -> idle is false then; transition 1 can be taken after 1 to less than 5
    after 5/2   User: idle -> idle (press), Lamp: dim -> bright (press)
      Lamp.bright User.idle
      y=5/2 x=0
      time may pass
      1: User: idle -> idle (press), Lamp: bright -> off (press)  after 1 or more
    after 1 step
      Lamp.off User.idle
      y=1/2 x=1/2
      time may pass
      1: User: idle -> idle (press), Lamp: off -> dim (press)  after 1/2 or more
    zone mode
    after 1 step
      Lamp.off User.idle
      y=x
      time may pass
      1: User: idle -> idle (press), Lamp: off -> dim (press)
    concrete mode
    after 1 step
      Lamp.off User.idle
      y=1/2 x=1/2
      time may pass
      1: User: idle -> idle (press), Lamp: off -> dim (press)  after 1/2 or more
    ");
}

#[test]
fn a_bound_that_is_not_reached() {
    let said = example(&["fischer.tck", "--concrete", "--seed", "7"], &["1", "1"]);
    assert_snapshot!(said, @r"
    exit code 0
    --- standard output
    fischer.tck: concrete mode, seed 7; `help` lists the commands
    start
      P1.idle P2.idle P3.idle
      id=0
      x1=0 x2=0 x3=0
      time may pass
      1: P1: idle -> request (tau)  at any time
      2: P2: idle -> request (tau)  at any time
      3: P3: idle -> request (tau)  at any time
    at once     P1: idle -> request (tau)
      P1.request P2.idle P3.idle
      x1=0 x2=0 x3=0
      time may pass, up to 2
      1: P1: request -> wait (tau)  after 0 to 2
      2: P2: idle -> request (tau)  after 0 to 2
      3: P3: idle -> request (tau)  after 0 to 2
    at once     P1: request -> wait (tau)  id: 0 -> 1
      P1.wait P2.idle P3.idle
      x1=0 x2=0 x3=0
      time may pass
      1: P1: wait -> critical (tau)  after more than 2
    ");
}

#[test]
fn a_model_that_fails() {
    let said = model(
        "a_model_that_fails",
        "counter.tck",
        COUNTER,
        &["counter.tck"],
        &["1", "1", "1", "mode concrete", "1", "random 2"],
    );
    assert_snapshot!(said, @r"
    exit code 0
    --- standard output
    counter.tck: zone mode, seed 0; `help` lists the commands
    start
      P.l0
      i=0
      time may pass
      1: P: l0 -> l0 (a)
    step 1      P: l0 -> l0 (a)  i: 0 -> 1
      P.l0
      time may pass
      1: P: l0 -> l0 (a)
    step 2      P: l0 -> l0 (a)  i: 1 -> 2
      P.l0
      time may pass
      1: P: l0 -> l0 (a)  fails: 3 is assigned to i, whose range is 0 to 2 (counter.tck:7:20)
      2: P: l0 -> l1 (a)
    the model fails: 3 is assigned to i, whose range is 0 to 2 (counter.tck:7:20)
    concrete mode, with delays chosen for the run
    after 2 steps
      P.l0
      i=2
      time may pass
      1: P: l0 -> l0 (a)  at any time  fails: 3 is assigned to i, whose range is 0 to 2 (counter.tck:7:20)
      2: P: l0 -> l1 (a)  at any time
    the model fails: 3 is assigned to i, whose range is 0 to 2 (counter.tck:7:20)
    at once     P: l0 -> l1 (a)
    stopped after 1 of 2 steps: no transition is possible
      P.l1
      time may pass
      no transition is possible
    ");
}

#[test]
fn a_range_that_disables() {
    let said = model(
        "a_range_that_disables",
        "counter.tck",
        COUNTER,
        &["counter.tck", "--out-of-range", "disable"],
        &["1", "1", "1", "2"],
    );
    assert_snapshot!(said, @r"
    exit code 0
    --- standard output
    counter.tck: zone mode, seed 0; `help` lists the commands
    start
      P.l0
      i=0
      time may pass
      1: P: l0 -> l0 (a)
    step 1      P: l0 -> l0 (a)  i: 0 -> 1
      P.l0
      time may pass
      1: P: l0 -> l0 (a)
    step 2      P: l0 -> l0 (a)  i: 1 -> 2
      P.l0
      time may pass
      1: P: l0 -> l1 (a)
    step 3      P: l0 -> l1 (a)
      P.l1
      time may pass
      no transition is possible
    there is no transition to take
    ");
}

#[test]
fn clocks_decide_who_hears() {
    let said = model(
        "clocks_decide_who_hears",
        "hearing.xta",
        HEARING,
        &["hearing.xta", "--concrete"],
        &["2 after 2", "1", "2"],
    );
    assert_snapshot!(said, @r"
    exit code 0
    --- standard output
    hearing.xta: concrete mode, seed 0; `help` lists the commands
    start
      Bell.ringing Sleeper.asleep
      x=0
      time may pass, up to 8
      1: Bell: ringing -> ringing (bell!)  after 0 to less than 2 or after 4 to 8
      2: Bell: ringing -> ringing (bell!), Sleeper: asleep -> awake (bell?)  after 2 to less than 4
    after 2     Bell: ringing -> ringing (bell!), Sleeper: asleep -> awake (bell?)
      Bell.ringing Sleeper.awake
      x=2
      time may pass
      1: Bell: ringing -> ringing (bell!)  at any time
    at once     Bell: ringing -> ringing (bell!)
      Bell.ringing Sleeper.awake
      x=2
      time may pass
      1: Bell: ringing -> ringing (bell!)  at any time
    there is no transition 2; there is only 1
    ");
}

#[test]
fn clocks_decide_who_hears_on_zones() {
    let said = model(
        "clocks_decide_who_hears_on_zones",
        "hearing.xta",
        HEARING,
        &["hearing.xta"],
        &["1", "2", "mode concrete"],
    );
    assert_snapshot!(said, @r"
    exit code 0
    --- standard output
    hearing.xta: zone mode, seed 0; `help` lists the commands
    start
      Bell.ringing Sleeper.asleep
      x<=8
      time may pass
      1: Bell: ringing -> ringing (bell!)
      2: Bell: ringing -> ringing (bell!), Sleeper: asleep -> awake (bell?)
    step 1      Bell: ringing -> ringing (bell!)
      Bell.ringing Sleeper.asleep
      x<=8
      time may pass
      1: Bell: ringing -> ringing (bell!)
      2: Bell: ringing -> ringing (bell!), Sleeper: asleep -> awake (bell?)
    step 2      Bell: ringing -> ringing (bell!), Sleeper: asleep -> awake (bell?)
      Bell.ringing Sleeper.awake
      x>=2
      time may pass
      1: Bell: ringing -> ringing (bell!)
    concrete mode, with delays chosen for the run
    after 2 steps
      Bell.ringing Sleeper.awake
      x=2
      time may pass
      1: Bell: ringing -> ringing (bell!)  at any time
    ");
}

#[test]
fn several_initial_states() {
    let said = model(
        "several_initial_states",
        "starts.tck",
        STARTS,
        &["starts.tck"],
        &["start 2", "1", "restart", "start 3", "start", "1", "1"],
    );
    assert_snapshot!(said, @r"
    exit code 0
    --- standard output
    starts.tck: zone mode, seed 0; `help` lists the commands
    start: initial state 1 of 2; `start N` chooses
      P.left
      time may pass
      1: P: left -> end (a)
    start: initial state 2 of 2; `start N` chooses
      P.right
      time may pass
      1: P: right -> end (a)
    step 1      P: right -> end (a)
      P.end
      time may pass
      no transition is possible
    start: initial state 2 of 2; `start N` chooses
      P.right
      time may pass
      1: P: right -> end (a)
    there are 2 initial states
    `start` takes a number from 1, as in `start 2`
    step 1      P: right -> end (a)
      P.end
      time may pass
      no transition is possible
    there is no transition to take
    ");
}

#[test]
fn mistakes_are_told_and_the_session_goes_on() {
    let said = example(
        &["lamp.tck"],
        &[
            "frobnicate",
            "7",
            "0",
            "1 after 3",
            "delay 2",
            "undo",
            "mode zone",
            "start 2",
            "save",
            "load nowhere.json",
            "load lamp.tck",
            "quit now",
            "help",
        ],
    );
    assert_snapshot!(said, @r"
    exit code 0
    --- standard output
    lamp.tck: zone mode, seed 0; `help` lists the commands
    start
      Lamp.off User.idle
      y=x
      time may pass
      1: User: idle -> idle (press), Lamp: off -> dim (press)
    there is no command `frobnicate`; `help` lists them
    there is no transition 7; there is only 1
    transitions are numbered from 1
    delays are chosen in `mode concrete`
    a zone holds all delays already; `mode concrete` lets time pass
    there is no step to undo
    this is zone mode already
    there is only one initial state
    `save` takes the name of a file
    cannot read nowhere.json: No such file or directory (os error 2)
    lamp.tck: this is not JSON: expected value at line 1 column 1
    `quit` stands alone, without `now`
    commands, and their short forms:
      N              take transition N; with exact clocks as early as it can be taken
      N after D      take transition N after exactly this delay: 3, 5/2 or 2.5
      delay D    d   let time pass (with exact clocks)
      random K   r   K random steps, one without K
      undo K     u   go back K steps, one without K
      restart    rs  go back to the start
      start N    i   start in initial state N
      mode M     m   `zone`: all clock values at once; `concrete`: one for each clock
      state      s   show the whole state
      path       p   show the run so far
      save FILE  w   write the run as JSON
      load FILE  l   follow a run from JSON
      help       h   this list
      quit       q   end
    ");
}

/// The path of an example, seen from another folder.
fn from_examples(file: &str) -> String {
    examples().join(file).to_str().expect("a plain path").to_owned()
}

/// What is said between the first line and the end, without the first line.
fn after_opening(ran: &Ran) -> &str {
    ran.out.split_once('\n').expect("a first line").1
}

#[test]
fn a_saved_run_can_be_followed_in_both_modes() {
    let folder = folder("simulate-save");
    let train = from_examples("train-gate.xml");
    for mode in ["zone", "concrete"] {
        let extra: &[&str] = if mode == "concrete" { &["--concrete"] } else { &[] };
        let args = [&[train.as_str(), "--seed", "5"], extra].concat();
        let saved = simulate(&folder, &args, &["random 30", "save run.json", "state"]);
        let (_, state) = saved.out.split_once("the run is in run.json\n").expect("saved");
        for again in [&args[..], &[&args[..], &["--trace", "run.json"]].concat()] {
            let lines: &[&str] = if again.len() == args.len() { &["load run.json"] } else { &[] };
            let loaded = simulate(&folder, again, lines);
            assert!(loaded.out.contains("run.json: followed to its end\nafter 30 steps\n"), "{}", loaded.out);
            assert!(loaded.out.ends_with(state), "{mode}: {}\n{state}", loaded.out);
        }
        let trace: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(folder.join("run.json")).unwrap()).unwrap();
        assert_eq!(trace["states"].as_array().unwrap().len(), 31);
        assert_eq!(trace["steps"].as_array().unwrap().len(), 30);
        assert!(trace["steps"][0]["delay"].is_string() && trace["loop_at"].is_null());
        assert!(!trace["states"][3]["zone"].as_array().unwrap().is_empty());
    }
}

#[test]
fn delays_alone_are_joined_with_what_follows_when_saved() {
    let folder = folder("simulate-joined");
    let lamp = from_examples("lamp.tck");
    let lines = ["delay 1/2", "delay 1/3", "1 after 1", "delay 2", "delay 1/4", "save run.json", "state"];
    let saved = simulate(&folder, &[&lamp, "--concrete"], &lines);
    let (_, state) = saved.out.split_once("the run is in run.json\n").expect("saved");
    let loaded = simulate(&folder, &[&lamp, "--concrete", "--trace", "run.json"], &[]);
    assert_snapshot!(after_opening(&loaded), @r"
    after 11/6  User: idle -> idle (press), Lamp: off -> dim (press)
    after 9/4   time passes
    run.json: followed to its end
    after 2 steps
      Lamp.dim User.idle
      y=9/4 x=9/4
      time may pass
      1: User: idle -> idle (press), Lamp: dim -> bright (press)  after 0 to less than 11/4
      2: User: idle -> idle (press), Lamp: dim -> off (press)  after 11/4 or more
    ");
    assert!(loaded.out.ends_with(state));
}

#[test]
fn traces_of_check_can_be_followed() {
    let folder = folder("simulate-check");
    let fischer = from_examples("fischer.xml");
    let check = ["check", &fischer, "-D", "K=1", "--only", "1"];
    dwell(&folder, &[&check[..], &["--trace-out", "trace.json"]].concat());
    let document = dwell(&folder, &[&check[..], &["--json", "--trace", "some"]].concat());
    std::fs::write(folder.join("document.json"), &document.out).unwrap();
    for file in ["trace.json", "document.json"] {
        for mode in [&[][..], &["--concrete"]] {
            let args = [&[fischer.as_str(), "-D", "K=1", "--trace", file], mode].concat();
            let ran = simulate(&folder, &args, &["mode concrete"]);
            assert_eq!((ran.code, ran.err.as_str()), (0, ""));
            assert!(
                ran.out.contains(&format!("{file}: followed to its end\nafter 6 steps\n")),
                "{}",
                ran.out
            );
            assert!(ran.out.contains("P(1).x=4 P(2).x=2 P(3).x=4"), "{}", ran.out);
        }
    }
    // With the delay of the file the run is none.
    let ran = simulate(&folder, &[&fischer, "--concrete", "--trace", "trace.json"], &[]);
    assert_snapshot!(after_opening(&ran), @r"
    at once     P(1): idle -> request (tau)
    at once     P(2): idle -> request (tau)
    at once     P(1): request -> waiting (tau)  id: 0 -> 1
    trace.json: stopped before step 4 of 6: the guard of P(1): waiting -> critical is false then
    after 3 steps
      P(1).waiting P(2).request P(3).idle
      id=1
      P(1).x=0 P(2).x=0 P(3).x=0
      time may pass, up to 2
      1: P(2): request -> waiting (tau)  after 0 to 2
    ");
}

#[test]
fn priorities_leave_gaps() {
    let folder = folder_with("simulate-priorities_leave_gaps", "priorities.xta", PRIORITIES);
    let ran = simulate(&folder, &["priorities.xta", "--concrete"], &["1 after 3", "1 after 4"]);
    assert_eq!(ran.code, 0);
    assert_snapshot!(after_opening(&ran), @r"
    start
      Sender.s Receiver.r
      x=0
      time may pass, up to 6
      1: Sender: s -> s (low!), Receiver: r -> r (low?)  after 0 to less than 2 or after 4 to 6
      2: Sender: s -> s (high!), Receiver: r -> r (high?)  after 2 to less than 4
    Sender: s -> s, Receiver: r -> r has a higher priority and is possible then; transition 1 can be taken after 0 to less than 2 or after 4 to 6
    after 4     Sender: s -> s (low!), Receiver: r -> r (low?)
      Sender.s Receiver.r
      x=4
      time may pass, up to 2
      1: Sender: s -> s (low!), Receiver: r -> r (low?)  after 0 to 2
    ");
    let ran = simulate(&folder, &["priorities.xta"], &["1", "2", "1", "mode concrete"]);
    assert_eq!(ran.code, 0);
    assert_snapshot!(after_opening(&ran), @r"
    start
      Sender.s Receiver.r
      x<=6
      time may pass
      1: Sender: s -> s (low!), Receiver: r -> r (low?)
      2: Sender: s -> s (high!), Receiver: r -> r (high?)
    step 1      Sender: s -> s (low!), Receiver: r -> r (low?)
      Sender.s Receiver.r
      x<=6
      time may pass
      1: Sender: s -> s (low!), Receiver: r -> r (low?)
      2: Sender: s -> s (high!), Receiver: r -> r (high?)
    step 2      Sender: s -> s (high!), Receiver: r -> r (high?)
      Sender.s Receiver.r
      x<=6
      time may pass
      1: Sender: s -> s (low!), Receiver: r -> r (low?)
      2: Sender: s -> s (high!), Receiver: r -> r (high?)
    step 3      Sender: s -> s (low!), Receiver: r -> r (low?)
      Sender.s Receiver.r
      x<=6
      time may pass
      1: Sender: s -> s (low!), Receiver: r -> r (low?)
      2: Sender: s -> s (high!), Receiver: r -> r (high?)
    concrete mode, with delays chosen for the run
    after 3 steps
      Sender.s Receiver.r
      x=0
      time may pass, up to 6
      1: Sender: s -> s (low!), Receiver: r -> r (low?)  after 0 to less than 2 or after 4 to 6
      2: Sender: s -> s (high!), Receiver: r -> r (high?)  after 2 to less than 4
    ");
}

#[test]
fn urgent_channels_with_clock_guards_end_delays() {
    let folder =
        folder_with("simulate-urgent_channels_with_clock_guards_end_delays", "deadline.xta", DEADLINE);
    let ran = simulate(&folder, &["deadline.xta", "--concrete"], &["delay 4", "delay 2", "1"]);
    assert_eq!(ran.code, 0);
    assert_snapshot!(after_opening(&ran), @r"
    start
      P.wait Q.wait
      x=0 y=0
      time may pass, up to 3
      1: P: wait -> done (go!), Q: wait -> done (go?)  after 3
      2: P: wait -> wait (tau)  after 0 to 3
    go is urgent and enabled before that delay is over
    after 2     time passes
      P.wait Q.wait
      x=2 y=2
      time may pass, up to 1
      1: P: wait -> done (go!), Q: wait -> done (go?)  after 1
      2: P: wait -> wait (tau)  after 0 to 1
    after 1     P: wait -> done (go!), Q: wait -> done (go?)
      P.done Q.done
      x=3 y=3
      time may pass
      no transition is possible
    ");
    let ran = simulate(&folder, &["deadline.xta"], &["2", "1", "mode concrete"]);
    assert_eq!(ran.code, 0);
    assert_snapshot!(after_opening(&ran), @r"
    start
      P.wait Q.wait
      x=y, x<=3
      time may pass
      1: P: wait -> done (go!), Q: wait -> done (go?)
      2: P: wait -> wait (tau)
    step 1      P: wait -> wait (tau)
      P.wait Q.wait
      x<=3, y-x<=0
      or x-y<=3, y<=1, y-x<=0
      time may pass
      1: P: wait -> done (go!), Q: wait -> done (go?)
      2: P: wait -> wait (tau)
    step 2      P: wait -> done (go!), Q: wait -> done (go?)
      P.done Q.done
      x>=3, x-y<=2, y-x<=0
      or y>=1, x-y<=3, y-x<=-2
      time may pass
      no transition is possible
    concrete mode, with delays chosen for the run
    after 2 steps
      P.done Q.done
      x=3 y=3
      time may pass
      no transition is possible
    ");
}

#[test]
fn clocks_may_stand_still() {
    let folder = folder_with("simulate-clocks_may_stand_still", "stopwatch.xta", STOPWATCH);
    let ran = simulate(&folder, &["stopwatch.xta", "--concrete"], &["2", "delay 5", "1", "1"]);
    assert_eq!(ran.code, 0);
    assert_snapshot!(after_opening(&ran), @r"
    start
      Job.work
      x=0 t=0
      time may pass, up to 3
      1: Job: work -> done (tau)  after 3
      2: Job: work -> paused (tau)  after 1 to 3
    after 1     Job: work -> paused (tau)
      Job.paused
      x=1 t=0
      time may pass
      1: Job: paused -> work (tau)  after 2 or more
    after 5     time passes
      Job.paused
      x=1 t=5
      time may pass
      1: Job: paused -> work (tau)  at any time
    at once     Job: paused -> work (tau)
      Job.work
      x=1 t=5
      time may pass, up to 2
      1: Job: work -> done (tau)  after 2
      2: Job: work -> paused (tau)  after 0 to 2
    after 2     Job: work -> done (tau)
      Job.done
      x=3 t=7
      time may pass
      no transition is possible
    ");
    let ran = simulate(&folder, &["stopwatch.xta"], &["2", "1", "1", "mode concrete", "path"]);
    assert_eq!(ran.code, 0);
    assert_snapshot!(after_opening(&ran), @r"
    start
      Job.work
      zone (over-approximated): x=t, x<=3
      time may pass
      1: Job: work -> done (tau)
      2: Job: work -> paused (tau)
    step 1      Job: work -> paused (tau)
      Job.paused
      zone (over-approximated): x>=1, x<=3
      time may pass
      1: Job: paused -> work (tau)
    step 2      Job: paused -> work (tau)
      Job.work
      zone (over-approximated): x>=1, t>=2, x<=3
      time may pass
      1: Job: work -> done (tau)
      2: Job: work -> paused (tau)
    step 3      Job: work -> done (tau)
      Job.done
      zone (over-approximated): x>=3, x-t<=1
      time may pass
      no transition is possible
    concrete mode, with delays chosen for the run
    after 3 steps
      Job.done
      x=3 t=4
      time may pass
      no transition is possible
    start
      Job.work
      x=0 t=0
    after 1     Job: work -> paused (tau)
    after 2     Job: paused -> work (tau)
    after 2     Job: work -> done (tau)
    at the end
      Job.done
      x=3 t=4
    ");
}

#[test]
fn runs_that_go_on_for_ever_say_where_they_go_back_to() {
    let folder = folder_with("simulate-lasso", "lasso.xta", LASSO);
    let check = ["check", "lasso.xta", "--query"];
    for (query, waits) in [("A<> P.c", false), ("P.b && x >= 1 --> P.c", true)] {
        dwell(&folder, &[&check[..], &[query, "--trace-out", "trace.json"]].concat());
        let document = dwell(&folder, &[&check[..], &[query, "--json", "--trace", "some"]].concat());
        let trace = &document.json()["queries"][0]["trace"];
        let back = trace["loop_at"].as_u64().expect("a loop");
        let steps = trace["steps"].as_array().unwrap();
        let alone = |step: &serde_json::Value| step["edges"].as_array().unwrap().is_empty();
        assert_eq!(steps[..steps.len() - 1].iter().any(alone), waits, "{trace}");
        let steps = steps.len();
        std::fs::write(folder.join("document.json"), &document.out).unwrap();
        for file in ["trace.json", "document.json"] {
            for mode in [&[][..], &["--concrete"]] {
                let ran = simulate(&folder, &[&["lasso.xta", "--trace", file], mode].concat(), &["path"]);
                let place = if back == 1 { "first step".into() } else { format!("first {back} steps") };
                let on = format!("from where it goes on as after its {place}, again and again");
                let said = format!("{file}: followed to its end, {on}\nafter {steps} steps\n");
                assert!(ran.out.contains(&said), "{query}: {said}\n{}", ran.out);
                assert_eq!((ran.code, ran.err.as_str()), (0, ""));
            }
        }
    }
}

#[test]
fn delays_alone_may_stand_anywhere_in_a_file() {
    let folder = folder_with("simulate-delays", "lasso.xta", LASSO);
    let step = |delay: &str, from: &str, to: &str| {
        let edge = serde_json::json!({"process": "P", "from": from, "to": to, "sync": "tau"});
        serde_json::json!({"delay": delay, "edges": [edge]})
    };
    let wait = |delay: &str| serde_json::json!({"delay": delay, "edges": []});
    let steps = [
        wait("1/2"),
        step("1/2", "start", "a"),
        wait("1"),
        wait("0"),
        step("1", "a", "b"),
        wait("2"),
        step("1/2", "b", "c"),
        wait("3"),
    ];
    let text = |back: usize| serde_json::json!({"steps": steps, "loop_at": back}).to_string();
    std::fs::write(folder.join("run.json"), text(0)).unwrap();
    for mode in [&[][..], &["--concrete"]] {
        let ran = simulate(&folder, &[&["lasso.xta", "--trace", "run.json"], mode].concat(), &[]);
        assert!(
            ran.out.contains("as from the start, again and again\nafter 8 steps\n  P.c\n"),
            "{}",
            ran.out
        );
    }
    let ran = simulate(&folder, &["lasso.xta"], &["load run.json", "mode concrete"]);
    assert!(ran.out.contains("concrete mode\nafter 8 steps\n  P.c\n  x=11/2\n"), "{}", ran.out);
    std::fs::write(folder.join("run.json"), text(9)).unwrap();
    let ran = simulate(&folder, &["lasso.xta"], &["load run.json"]);
    assert!(ran.out.contains("goes back to state 9, which it does not have"), "{}", ran.out);
}

#[test]
fn a_run_of_another_model_stops_where_it_differs() {
    let folder = folder_with("simulate-other", "counter.tck", COUNTER);
    simulate(&folder, &["counter.tck"], &["1", "1", "2", "save run.json"]);
    let follow = |text: &str| {
        std::fs::write(folder.join("other.tck"), text).unwrap();
        let ran = simulate(&folder, &["other.tck"], &["load run.json"]);
        assert_eq!(ran.code, 0);
        let said = ran.out.lines().find(|line| line.starts_with("run.json: ")).expect("an answer");
        said.to_owned()
    };
    assert_eq!(follow(COUNTER), "run.json: followed to its end");
    assert_eq!(
        follow(&COUNTER.replace("i=i+1", "i=i+2")),
        "run.json: stopped before step 1 of 3: i becomes 2, not 1"
    );
    assert_eq!(
        follow(&COUNTER.replace("i==2", "i==1")),
        "run.json: stopped before step 3 of 3: the transition is not possible there"
    );
    assert_eq!(
        follow(&COUNTER.replace("edge:P:l0:l1:a{provided: i==2}", "")),
        "run.json: stopped before step 3 of 3: P has no edge l0 -> l1 (a)"
    );
    assert_eq!(follow(&COUNTER.replace(":P", ":Q")), "run.json: the model has no process P");
}

#[test]
fn files_that_hold_no_run() {
    let folder = folder_with("simulate-files", "counter.tck", COUNTER);
    for (text, expected) in [
        ("", "this is not JSON"),
        ("7", "this is not a trace"),
        ("{}", "this is not a trace"),
        ("{\"queries\": []}", "no query in it has a trace"),
        ("{\"queries\": [{\"trace\": null}, {}]}", "no query in it has a trace"),
        ("{\"steps\": [{\"edges\": 3}]}", "this is not a trace"),
        ("{\"states\": [{\"locations\": {\"P\": \"l7\"}}], \"steps\": []}", "P has no location l7"),
        (
            "{\"states\": [{\"locations\": {\"P\": \"l1\"}}], \"steps\": []}",
            "no initial state has the locations",
        ),
        ("{\"steps\": [{\"delay\": \"x\", \"edges\": []}]}", "`x` is no delay"),
        ("{\"steps\": [{\"delay\": \"-1\", \"edges\": []}]}", "the delay is negative"),
        ("{\"steps\": []}", "followed to its end"),
    ] {
        std::fs::write(folder.join("run.json"), text).unwrap();
        let ran = simulate(&folder, &["counter.tck", "--concrete"], &["load run.json", "1"]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{text}");
        assert!(
            ran.out.contains(&format!("run.json: {expected}")) || ran.out.contains(expected),
            "{}",
            ran.out
        );
        assert!(ran.out.contains("i: 0 -> 1"), "the session goes on: {}", ran.out);
    }
}

#[test]
fn what_cannot_be_simulated() {
    let folder = folder_with("simulate-bad", "bad.tck", "system:s\nprocess:P\nlocation:P\n");
    std::fs::write(folder.join("counter.tck"), COUNTER).unwrap();
    let hybrid = "process P() { clock x; state s { x' == 2 }; init s; }\nsystem P;\n";
    std::fs::write(folder.join("hybrid.xta"), hybrid).unwrap();
    let nowhere = "system:s\nprocess:P\nclock:1:x\nlocation:P:l{initial: : invariant: x>1}\n";
    std::fs::write(folder.join("nowhere.tck"), nowhere).unwrap();
    for (args, expected) in [
        (&["bad.tck"][..], "error: bad.tck has"),
        (&["missing.tck"], "cannot read missing.tck"),
        (&["hybrid.xta"], "hybrid.xta cannot be simulated: a clock rate other than 0 and 1 is not supported"),
        (&["nowhere.tck"], "the model has no initial state"),
        (&["counter.tck", "-D", "N=3"], "there is no constant `N`"),
        (&["counter.tck", "--trace", "missing.json"], "cannot read missing.json"),
        (&["counter.tck", "--seed", "x"], "invalid value 'x'"),
    ] {
        let ran = simulate(&folder, args, &[]);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}");
        assert!(ran.err.contains(expected), "{args:?}: {}", ran.err);
    }
}

#[test]
fn the_seed_decides_random_steps() {
    let run =
        |seed: &str| simulate(&examples(), &["train-gate.xml", "--concrete", "--seed", seed], &["r 20"]);
    assert_eq!(run("1").out, run("1").out);
    assert_ne!(after_opening(&run("1")), after_opening(&run("2")));
    assert!(run("18446744073709551615").out.contains("seed 18446744073709551615"));
}

#[test]
fn a_reader_that_goes_away_ends_the_session() {
    let mut child = command(&examples(), &["simulate", "lamp.tck"]).stdin(Stdio::piped()).spawn().unwrap();
    let mut first = [0; 8];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let mut input = child.stdin.take().unwrap();
    // Sooner or later nobody takes the lines any more.
    while std::io::Write::write_all(&mut input, b"state\n").is_ok() {}
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// Words that commands are made of, and some that they are not.
const WORDS: &[&str] = &[
    "1",
    "2",
    "3",
    "17",
    "0",
    "-1",
    "after",
    "delay",
    "d",
    "random",
    "r",
    "undo",
    "u",
    "restart",
    "start",
    "mode",
    "zone",
    "concrete",
    "state",
    "path",
    "save",
    "load",
    "help",
    "5/2",
    "1/3",
    "2.5",
    "1/0",
    "0",
    "100",
    "340282366920938463463374607431768211455",
    "1/170141183460469231731687303715884105727",
    "run.json",
    "?",
    "#",
    "\u{1b}[1m",
    "é",
    "\t",
    "99999999999999999999",
];

#[test]
fn no_line_ends_a_session() {
    let folder = folder_with("simulate-fuzz", "counter.tck", COUNTER);
    std::fs::write(folder.join("hearing.xta"), HEARING).unwrap();
    std::fs::write(folder.join("starts.tck"), STARTS).unwrap();
    let shipped =
        ["fischer.xml", "train-gate.xml", "vikings.xml", "polling.xta", "scheduler.tck", "lamp.tck"];
    let mut models: Vec<String> = shipped.iter().map(|file| from_examples(file)).collect();
    models.extend(["counter.tck".into(), "hearing.xta".into(), "starts.tck".into()]);
    for (file, text) in [("priorities.xta", PRIORITIES), ("stopwatch.xta", STOPWATCH), ("lasso.xta", LASSO)] {
        std::fs::write(folder.join(file), text).unwrap();
        models.push(file.into());
    }
    for seed in 0..48u64 {
        let mut rng = Rng::new(seed);
        let model = &models[seed as usize % models.len()];
        let mut input = Vec::new();
        for _ in 0..150 {
            // Mostly steps, so that the session gets somewhere.
            let line = match rng.below(10) {
                0..4 => format!("{}", 1 + rng.below(4)),
                4 => format!("{} after {}/{}", 1 + rng.below(3), rng.below(12), 1 + rng.below(4)),
                5 => ["mode zone", "mode concrete", "undo 3", "r 5", "save run.json", "load run.json"]
                    [rng.below(6) as usize]
                    .into(),
                _ => (0..rng.below(4)).map(|_| *rng.pick(WORDS)).collect::<Vec<_>>().join(" "),
            };
            if line.starts_with("save") && line != "save run.json" {
                continue; // would litter
            }
            input.extend_from_slice(line.as_bytes());
            if rng.percent(2) {
                input.extend((0..rng.below(9)).map(|_| rng.below(256) as u8));
            }
            input.push(b'\n');
        }
        input.extend_from_slice(b"\nhelp\n");
        let args = ["simulate", model, if seed % 2 == 0 { "--concrete" } else { "--seed=3" }];
        let ran = dwell_with_input(&folder, &args, &input);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "seed {seed}");
        assert!(ran.out.ends_with("quit       q   end\n"), "seed {seed}: the session went on to the end");
    }
}
