//! `dwell verifyta` end to end: what it prints and what it writes.

mod common;

use common::{Ran, command, dwell, dwell_with_input, examples, folder, folder_with, light};

/// Counts that differ between runs and machines.
fn masked(ran: &Ran) -> String {
    let mut text = ran.masked();
    for what in ["CPU user time used : ", "Virtual memory used : ", "Resident memory used : "] {
        let lines = text.lines().map(|line| match line.split_once(what) {
            Some((before, value)) => {
                let unit = value.split(' ').nth(1).unwrap_or_default();
                assert!(value.split(' ').next().is_some_and(|n| n.parse::<u64>().is_ok()), "{line}");
                format!("{before}{what}N {unit}\n")
            }
            None => format!("{line}\n"),
        });
        text = lines.collect();
    }
    text
}

/// The page shows what comes out, up to where it is cut off.
#[test]
fn the_page_is_true() {
    let page = std::fs::read_to_string(examples().join("../docs/verifyta.md")).expect("the page");
    let (_, shown) = page.split_once("$ verifyta -u -t1 examples/fischer.xml\n").expect("a command");
    let (shown, _) = shown.split_once(" …\n").expect("its end");
    let ran = dwell(&examples(), &["verifyta", "-u", "-t1", "fischer.xml"]);
    assert!(ran.out.starts_with(shown), "{}", ran.out);
}

#[test]
fn options_verdicts_counts_and_a_trace() {
    let folder = light("verifyta_shown", "// The light can be warm.\nE<> L.warm\nA[] level < 3\n");
    insta::assert_snapshot!(masked(&dwell(&folder, &["verifyta", "-u", "-t0", "light.xta", "light.q"])), @r#"
    exit code 0
    --- standard output
    Options for the verification:
      Generating some trace
      Search order is breadth first
      Using conservative space optimisation
      Seed is 1
      State space representation uses minimal constraint systems

    Verifying formula 1 at light.q:2
     -- Formula is satisfied.
    Showing example trace.
     -- States stored : 7 states
     -- States explored : 6 states
     -- CPU user time used : N ms
     -- Virtual memory used : N KiB
     -- Resident memory used : N KiB

    Verifying formula 2 at light.q:3
     -- Formula is NOT satisfied.
    Showing counter example.
     -- States stored : 7 states
     -- States explored : 4 states
     -- CPU user time used : N ms
     -- Virtual memory used : N KiB
     -- Resident memory used : N KiB
    --- standard error
    State:
    ( L.off User.idle )
    level=0 L.x=0 User.y=0 #depth=0

    Delay: 2

    State:
    ( L.off User.idle )
    level=0 L.x=2 User.y=2 #depth=0

    Transitions:
      User.idle->User.idle { y >= 2, press!, pressed := k, y := 0 }
      L.off->L.on { 1, press?, level := pressed, x := 0 }

    State:
    ( L.on User.idle )
    level=1 L.x=0 User.y=0 #depth=1

    Delay: 4

    State:
    ( L.on User.idle )
    level=1 L.x=4 User.y=4 #depth=1

    Transitions:
      User.idle->User.idle { y >= 2, press!, pressed := k, y := 0 }
      L.on->L.warm { x > 3, press?, x := 0 }

    State:
    ( L.warm User.idle )
    level=1 L.x=0 User.y=0 #depth=2

    State:
    ( L.off User.idle )
    level=0 L.x=0 User.y=0 #depth=0

    Delay: 2

    State:
    ( L.off User.idle )
    level=0 L.x=2 User.y=2 #depth=0

    Transitions:
      User.idle->User.idle { y >= 2, press!, pressed := k, y := 0 }
      L.off->L.on { 1, press?, level := pressed, x := 0 }

    State:
    ( L.on User.idle )
    level=3 L.x=0 User.y=0 #depth=1
    "#);
}

#[test]
fn zones_instead_of_values() {
    let folder = light("verifyta_zones", "E<> L.on && L.x > 4");
    insta::assert_snapshot!(masked(&dwell(&folder, &["verifyta", "-qs", "-y", "-t1", "light.xta"])), @r#"
    exit code 0
    --- standard output

    Verifying formula 1 at light.q:1
     -- Formula is satisfied.
    Showing example trace.
    --- standard error
    State:
    ( L.off User.idle )
    level=0 L.x-User.y<=0 User.y-L.x<=0 #depth=0

    Transitions:
      User.idle->User.idle { y >= 2, press!, pressed := k, y := 0 }
      L.off->L.on { 1, press?, level := pressed, x := 0 }

    State:
    ( L.on User.idle )
    level=1 L.x>4 L.x<10 L.x-User.y<=0 User.y-L.x<=0 #depth=1
    "#);
}

#[test]
fn zones_of_what_goes_on_to_the_end() {
    let model = "clock x, y;\nprocess P() { state A, B, C; init A;\n  trans A -> B { guard x <= 3; assign y = 0; }, \
                 B -> C { guard x >= 2 && x < 5; }; }\nsystem P;\n";
    let folder = folder_with("verifyta_stable", "late.xta", model);
    std::fs::write(folder.join("late.q"), "E<> P.C && y > 1\nE[] P.A\n").expect("written");
    insta::assert_snapshot!(masked(&dwell(&folder, &["verifyta", "-qs", "-Y", "-t1", "late.xta"])), @r#"
    exit code 2
    --- standard output

    Verifying formula 1 at late.q:1
     -- Formula is satisfied.
    Showing example trace.

    Verifying formula 2 at late.q:2
     -- Formula is satisfied.
    --- standard error
    State:
    ( P.A )
    x<=3 x-y<=0 y-x<=0 #depth=0

    Transitions:
      P.A->P.B { x <= 3, tau, y := 0 }

    State:
    ( P.B )
    x<5 x-y<=3 y-x<=0 #depth=1

    Transitions:
      P.B->P.C { x >= 2 && x < 5, tau, 1 }

    State:
    ( P.C )
    x>=2 y>1 x-y<=3 y-x<=0 #depth=2

    error: -Y is for traces that end, and this one goes on for ever; -y shows it
    "#);
}

#[test]
fn every_verdict_and_the_values_that_are_asked_for() {
    let folder = light(
        "verifyta_verdicts",
        "sup: level\nsup{L.on}: L.x\ninf: User.y\nE<> level > 3\nE[] L.off\nL.on --> L.warm\nA[] not deadlock\n",
    );
    insta::assert_snapshot!(masked(&dwell(&folder, &["verifyta", "-q", "light.xta"])), @r#"
    exit code 0
    --- standard output

    Verifying formula 1 at light.q:1
     -- Formula is satisfied.
     -- Result: 3

    Verifying formula 2 at light.q:2
     -- Formula is satisfied.
     -- Result: < 10

    Verifying formula 3 at light.q:3
     -- Formula is satisfied.
     -- Result: 0

    Verifying formula 4 at light.q:4
     -- Formula is NOT satisfied.

    Verifying formula 5 at light.q:5
     -- Formula is satisfied.

    Verifying formula 6 at light.q:6
     -- Formula is satisfied.

    Verifying formula 7 at light.q:7
     -- Formula is NOT satisfied.
    "#);
    insta::assert_snapshot!(masked(&dwell(&folder, &["verifyta", "-q", "-A", "light.xta"])), @r#"
    exit code 2
    --- standard output

    Verifying formula 1 at light.q:1
     -- Verification aborted: -A cannot be used here: it adds states, and the answer needs those that are there

    Verifying formula 2 at light.q:2
     -- Verification aborted: -A cannot be used here: it adds states, and the answer needs those that are there

    Verifying formula 3 at light.q:3
     -- Verification aborted: -A cannot be used here: it adds states, and the answer needs those that are there

    Verifying formula 4 at light.q:4
     -- Formula is NOT satisfied.

    Verifying formula 5 at light.q:5
     -- Verification aborted: -A cannot be used here: it adds states, and the answer needs those that are there

    Verifying formula 6 at light.q:6
     -- Verification aborted: -A cannot be used here: it adds states, and the answer needs those that are there

    Verifying formula 7 at light.q:7
     -- Formula MAY NOT be satisfied.
    "#);
    insta::assert_snapshot!(masked(&dwell(&folder, &["verifyta", "-q", "-Z", "-H", "20", "light.xta"])), @r#"
    exit code 2
    --- standard output

    Verifying formula 1 at light.q:1
     -- Verification aborted: -Z cannot be used here: the answer needs all states, and some may be missing

    Verifying formula 2 at light.q:2
     -- Verification aborted: -Z cannot be used here: the answer needs all states, and some may be missing

    Verifying formula 3 at light.q:3
     -- Verification aborted: -Z cannot be used here: the answer needs all states, and some may be missing

    Verifying formula 4 at light.q:4
     -- Formula MAY NOT be satisfied.

    Verifying formula 5 at light.q:5
     -- Verification aborted: -Z cannot be used here: the answer needs all states, and some may be missing

    Verifying formula 6 at light.q:6
     -- Verification aborted: -Z cannot be used here: the answer needs all states, and some may be missing

    Verifying formula 7 at light.q:7
     -- Formula is NOT satisfied.
    "#);
}

#[test]
fn the_compiled_model() {
    let folder = light("verifyta_compiled", "E<> true");
    let ran = command(&folder, &["verifyta", "light.xta"]).env("UPPAAL_COMPILE_ONLY", "1").output();
    insta::assert_snapshot!(Ran::new(ran.expect("it runs")).masked(), @r#"
    exit code 0
    --- standard output
    layout
    #index:kind:...
    0:clock:0:t(0)
    1:clock:1:L.x
    2:clock:2:User.y
    3:var:-32768:32767:0:0:level
    4:meta:0:9:0:1:pressed
    5:location::off
    6:location::on
    7:location:urgent:warm
    8:location::idle
    9:location:committed:busy

    instructions
    #address: opcode

    processes
    #index:initial:name
    0:5:L
    1:8:User

    locations
    #index:process:invariant
    5:0:0
    6:0:1
    7:0:2
    8:1:12
    9:1:13

    edges
    #process:source:target:guard:sync:update
    0:5:6:3:4:5
    0:6:7:6:7:8
    0:7:5:9:10:11
    1:8:8:14:15:16
    1:8:9:17:18:19
    1:9:8:20:21:22

    expressions
    #address:reads:writes:text
    0:::1
    1:::x < 10
    2:::1
    3:::1
    4:::press?
    5:::level = pressed, x = 0
    6:::x > 3
    7:::press?
    8:::x = 0
    9:::level <= most
    10:::0
    11:::level = 0
    12:::1
    13:::1
    14:::y >= 2
    15:::press!
    16:::pressed = k, y = 0
    17:::y > 20
    18:::0
    19:::1
    20:::1
    21:::0
    22:::1
    "#);
    // Set to nothing is not set: so PyUPPAAL switches it off.
    let ran = command(&folder, &["verifyta", "light.xta"]).env("UPPAAL_COMPILE_ONLY", "").output();
    assert!(Ran::new(ran.expect("it runs")).out.contains("Formula is satisfied"));
}

#[test]
fn findings_are_told_as_uppaal_tells_them() {
    let folder = light("verifyta_findings", "E<> L.hot\nE<> L.warm\n");
    std::fs::write(folder.join("bad.xta"), "int a = b;\nprocess P() { state s; init s; }\nsystem P;\n")
        .expect("written");
    let xml = "<nta><declaration>int a;</declaration><template><name>P</name><location id=\"id0\"/><init ref=\"id0\"/>\
               <transition><source ref=\"id0\"/><target ref=\"id0\"/><label kind=\"guard\">c == 0</label></transition>\
               </template><system>system P;</system></nta>";
    std::fs::write(folder.join("bad.xml"), xml).expect("written");
    let runs = [
        &["verifyta", "-q", "light.xta"][..],
        &["verifyta", "bad.xta"],
        &["verifyta", "bad.xml"],
        &["verifyta", "missing.xml"],
        &["verifyta", "light.xta", "missing.q"],
        &["verifyta"],
        &["verifyta", "-o", "4", "light.xta"],
        &["verifyta", "light.xta", "--query-index", "2"],
    ];
    let told: Vec<String> = runs
        .iter()
        .map(|args| format!("$ dwell {}\n{}", args.join(" "), dwell(&folder, args).masked()))
        .collect();
    insta::assert_snapshot!(told.join("\n"), @r#"
    $ dwell verifyta -q light.xta
    exit code 2
    --- standard output

    Verifying formula 1 at light.q:1
     -- Verification aborted: `L` has no member `hot`

    Verifying formula 2 at light.q:2
     -- Formula is satisfied.
    --- standard error
    light.q:1: [error] `L` has no member `hot`

    $ dwell verifyta bad.xta
    exit code 2
    --- standard error
    bad.xta:1: [error] `b` is not declared

    $ dwell verifyta bad.xml
    exit code 2
    --- standard error
    bad.xml:/nta/template[1]/transition[1]/label[1]: [error] `c` is not declared

    $ dwell verifyta missing.xml
    exit code 2
    --- standard error
    error: cannot read missing.xml: No such file or directory (os error 2)

    $ dwell verifyta light.xta missing.q
    exit code 2
    --- standard error
    error: cannot read missing.q: No such file or directory (os error 2)

    $ dwell verifyta
    exit code 2
    --- standard error
    error: no model is given; see verifyta -h

    $ dwell verifyta -o 4 light.xta
    exit code 2
    --- standard error
    error: -o 4 searches for the best trace, so it needs -t 1 or -t 2

    $ dwell verifyta light.xta --query-index 2
    exit code 2
    --- standard output
    Options for the verification:
      Generating no trace
      Search order is breadth first
      Using conservative space optimisation
      Seed is 1
      State space representation uses minimal constraint systems
    --- standard error
    error: --query-index 2: there are queries 0 to 1
    "#);
}

#[test]
fn flags_that_change_nothing_are_taken_with_a_note() {
    let folder = light("verifyta_notes", "E<> L.warm");
    let ran = dwell(&folder, &["verifyta", "-q", "-U", "-o6", "light.xta"]);
    assert_eq!(ran.code, 0);
    assert_eq!(
        ran.err,
        "note: -o 6 is not a search order here; the search is breadth first\nnote: -U changes nothing here\n"
    );
    let ran = dwell(&folder, &["verifyta", "--lease", "168", "--key", "secret"]);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", "note: no licence is needed\n"));
}

#[test]
fn every_choice_of_every_flag_has_the_same_verdicts() {
    let queries = "E<> L.warm\nA[] level < 3\nA[] L.on imply L.x < 10\nE<> deadlock\nL.on --> L.off\n";
    let folder = light("verifyta_choices", queries);
    let verdicts = |flags: &[&str]| {
        let args: Vec<&str> = ["verifyta", "-q"].iter().chain(flags).chain(&["light.xta"]).copied().collect();
        let ran = dwell(&folder, &args);
        assert_eq!(ran.code, 0, "{flags:?}: {}{}", ran.out, ran.err);
        ran.out.lines().filter(|line| line.starts_with(" -- Formula")).map(str::to_owned).collect::<Vec<_>>()
    };
    let expected = verdicts(&[]);
    assert_eq!(expected.len(), 5);
    let choices: &[&[&str]] = &[
        &["-o0"],
        &["-o1"],
        &["-o2", "-r9"],
        &["-t0"],
        &["-t1"],
        &["-t2"],
        &["-t1", "-o3"],
        &["-t2", "-o4"],
        &["-t1", "-o1"],
        &["-S0"],
        &["-S1"],
        &["-S2"],
        &["-S2", "-t0"],
        &["-C"],
        &["-C", "-t1", "-S0"],
        &["-n0"],
        &["-n2"],
        &["-n3"],
        &["-T"],
        &["-T", "-t0"],
        &["--state-representation", "1"],
    ];
    for flags in choices {
        assert_eq!(verdicts(flags), expected, "{flags:?}");
    }
}

#[cfg(unix)]
#[test]
fn called_as_verifyta_it_is_verifyta() {
    let folder = light("verifyta_name", "E<> L.warm");
    let link = folder.join("verifyta");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_dwell"), &link).expect("a link");
    let run = |args: &[&str]| {
        let output = std::process::Command::new(&link).args(args).current_dir(&folder).output();
        Ran::new(output.expect("it runs"))
    };
    let version = run(&["-v"]);
    assert_eq!((version.code, version.err.as_str()), (0, ""));
    assert_eq!(version.out, dwell(&folder, &["verifyta", "--version"]).out);
    // What clients look for.
    let words: Vec<&str> = version.out.split_whitespace().collect();
    let at = words.iter().position(|word| *word == "UPPAAL").expect("the word");
    assert!(words[at + 1].starts_with("4."), "{}", version.out);
    assert_eq!(
        run(&["-q", "light.xta"]).out,
        "\nVerifying formula 1 at light.q:1\n -- Formula is satisfied.\n"
    );
    assert!(run(&["-h"]).out.contains("--search-order"));
    assert_eq!(run(&["check", "light.xta"]).code, 2);
}

#[test]
fn traces_in_xml() {
    let folder = light("verifyta_xml", "E<> L.on");
    let ran = dwell(&folder, &["verifyta", "-q", "-t1", "-X", "trace", "light.xta"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, "Writing example trace to trace-1.xml\n"));
    insta::assert_snapshot!(std::fs::read_to_string(folder.join("trace-1.xml")).expect("written"), @r#"
    <?xml version="1.0" encoding="utf-8"?>
    <trace initial_node="State0">
      <system>
        <clock id="sys.t(0)" name="t(0)"/>
        <variable id="sys.level" name="level"/>
        <variable id="sys.pressed" name="pressed"/>
        <process id="L" name="L">
          <clock id="L.x" name="x"/>
          <location id="L.off" name="off">1</location>
          <location id="L.on" name="on">x &lt; 10</location>
          <location id="L.warm" name="warm">1</location>
          <edge id="L.Edge0" from="L.off" to="L.on"><guard>1</guard><sync>press?</sync><update>level = pressed, x = 0</update></edge>
          <edge id="L.Edge1" from="L.on" to="L.warm"><guard>x &gt; 3</guard><sync>press?</sync><update>x = 0</update></edge>
          <edge id="L.Edge2" from="L.warm" to="L.off"><guard>level &lt;= most</guard><sync></sync><update>level = 0</update></edge>
        </process>
        <process id="User" name="User">
          <clock id="User.y" name="y"/>
          <location id="User.idle" name="idle">1</location>
          <location id="User.busy" name="busy">1</location>
          <edge id="User.Edge0" from="User.idle" to="User.idle"><guard>y &gt;= 2</guard><sync>press!</sync><update>pressed = k, y = 0</update></edge>
          <edge id="User.Edge1" from="User.idle" to="User.busy"><guard>y &gt; 20</guard><sync></sync><update>1</update></edge>
          <edge id="User.Edge2" from="User.busy" to="User.idle"><guard>1</guard><sync></sync><update>1</update></edge>
        </process>
      </system>
      <node id="State0" location_vector="Locations0" dbm_instance="Zone0" variable_vector="Values0"/>
      <location_vector id="Locations0" locations="L.off User.idle"/>
      <dbm_instance id="Zone0">
        <clockbound clock1="sys.t(0)" clock2="L.x" bound="0" comp="&lt;="/>
        <clockbound clock1="L.x" clock2="User.y" bound="0" comp="&lt;="/>
        <clockbound clock1="User.y" clock2="L.x" bound="0" comp="&lt;="/>
      </dbm_instance>
      <variable_vector id="Values0">
        <variable_state variable="sys.level" value="0"/>
        <variable_state variable="sys.pressed" value="0"/>
      </variable_vector>
      <transition from="State0" to="State1" edges="User.Edge0 L.Edge0"/>
      <node id="State1" location_vector="Locations1" dbm_instance="Zone1" variable_vector="Values1"/>
      <location_vector id="Locations1" locations="L.on User.idle"/>
      <dbm_instance id="Zone1">
        <clockbound clock1="sys.t(0)" clock2="L.x" bound="0" comp="&lt;="/>
        <clockbound clock1="L.x" clock2="sys.t(0)" bound="10" comp="&lt;"/>
        <clockbound clock1="L.x" clock2="User.y" bound="0" comp="&lt;="/>
        <clockbound clock1="User.y" clock2="L.x" bound="0" comp="&lt;="/>
      </dbm_instance>
      <variable_vector id="Values1">
        <variable_state variable="sys.level" value="1"/>
        <variable_state variable="sys.pressed" value="0"/>
      </variable_vector>
    </trace>
    "#);
}

#[test]
fn branches_are_edges_of_their_own() {
    let branches = "<nta><declaration>int n;</declaration><template><name>P</name>\
        <location id=\"id0\"><name>a</name></location><location id=\"id1\"><name>b</name></location>\
        <branchpoint id=\"id2\"/><init ref=\"id0\"/>\
        <transition><source ref=\"id0\"/><target ref=\"id2\"/><label kind=\"select\">k : int[0,1]</label>\
        <label kind=\"assignment\">n = k</label></transition>\
        <transition><source ref=\"id2\"/><target ref=\"id0\"/><label kind=\"assignment\">n = n + 2</label></transition>\
        <transition><source ref=\"id2\"/><target ref=\"id1\"/><label kind=\"assignment\">n = n + 4</label></transition>\
        <transition><source ref=\"id2\"/><target ref=\"id1\"/><label kind=\"assignment\">n = n + 6</label></transition>\
        </template><system>system P;</system><queries><query><formula>E&lt;&gt; n == 7</formula></query></queries></nta>";
    let folder = folder_with("verifyta_branches", "branches.xml", branches);
    let ran = dwell(&folder, &["verifyta", "-q", "-t1", "branches.xml"]);
    assert!(ran.err.contains("  P.a->P.b { 1, tau, n := k, n := n + 6 }\n"), "{}", ran.err);
    let ran = dwell(&folder, &["verifyta", "-q", "-t1", "-f", "trace", "branches.xml"]);
    assert_eq!(ran.code, 0);
    let trace = std::fs::read_to_string(folder.join("trace-1.xtr")).expect("written");
    assert!(trace.contains("0 2 1 ; .\n"), "the third edge with k = 1: {trace}");
}

#[test]
fn other_languages_have_no_such_traces() {
    let folder = folder("verifyta_tck");
    std::fs::copy(examples().join("lamp.tck"), folder.join("lamp.tck")).expect("a copy");
    let ran = dwell(&folder, &["verifyta", "lamp.tck"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(ran.err.contains("only models in UPPAAL's language"), "{}", ran.err);
}

#[test]
fn models_from_standard_input_and_in_the_old_syntax() {
    let old = "const K 2;\nclock x;\nprocess P { state A { x <= K }, B; init A; trans A -> B { guard x >= K, x < 9; assign x := 0; }; }\n\
               system P;\n";
    let folder = folder_with("verifyta_old", "old.xta", old);
    std::fs::write(folder.join("old.q"), "E<> P.B\n").expect("written");
    let ran = command(&folder, &["verifyta", "-q", "old.xta"]).env("UPPAAL_OLD_SYNTAX", "1").output();
    let ran = Ran::new(ran.expect("it runs"));
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (0, "\nVerifying formula 1 at old.q:1\n -- Formula is satisfied.\n")
    );
    let ran = command(&folder, &["verifyta", "old.xml"]).env("UPPAAL_OLD_SYNTAX", "1").output();
    assert!(Ran::new(ran.expect("it runs")).err.contains("XML in the old syntax is not supported"));

    let model = std::fs::read(examples().join("fischer.xml")).expect("readable");
    let ran = dwell_with_input(&folder, &["verifyta", "-q", "-", "--query-index", "1"], &model);
    let place = "/nta/queries/query[2]/formula";
    assert_eq!(ran.out, format!("\nVerifying formula 2 at {place}\n -- Formula is satisfied.\n"));
}

#[test]
fn a_model_that_fails_says_where() {
    let model =
        "int[0,1] n;\nprocess P() { state A; init A; trans A -> A { assign n = n + 1; }; }\nsystem P;\n";
    let folder = folder_with("verifyta_fails", "fails.xta", model);
    std::fs::write(folder.join("fails.q"), "E<> n == 1\nA[] n < 2\n").expect("written");
    insta::assert_snapshot!(masked(&dwell(&folder, &["verifyta", "-q", "-t0", "-y", "fails.xta"])), @r#"
    exit code 2
    --- standard output

    Verifying formula 1 at fails.q:1
     -- Formula is satisfied.
    Showing example trace.

    Verifying formula 2 at fails.q:2
     -- Verification aborted: 2 is assigned to n, whose range is 0 to 1
    --- standard error
    State:
    ( P.A )
    n=0 #depth=0

    Transitions:
      P.A->P.A { 1, tau, n := n + 1 }

    State:
    ( P.A )
    n=1 #depth=1

    fails.xta:2: [error] 2 is assigned to n, whose range is 0 to 1
    "#);
}
