//! What people read, word for word.

mod common;

use common::{COUNTER, Ran, dwell, examples, folder_with};
use insta::assert_snapshot;

fn example(args: &[&str]) -> String {
    dwell(&examples(), &[&["check"], args].concat()).masked()
}

/// Checks `text` as the file `model.tck`.
fn model(test: &str, text: &str, args: &[&str]) -> Ran {
    let folder = folder_with(&format!("snapshot-{test}"), "model.tck", text);
    dwell(&folder, &[&["check", "model.tck"], args].concat())
}

fn bad(test: &str, text: &str) -> String {
    model(test, text, &["--space"]).masked()
}

#[test]
fn satisfied_with_a_trace() {
    assert_snapshot!(example(&["fischer-broken.tck", "--labels", "cs1,cs2"]), @r"
    exit code 0
    --- standard output
    labels cs1,cs2: satisfied (TIME, 21 states, SIZE)
      start       P1.idle P2.idle
                  id=0
      at once     P1: idle -> request (tau)
      at once     P2: idle -> request (tau)
      at once     P1: request -> wait (tau)  id: 0 -> 1
      after 1     P1: wait -> critical (tau)
      at once     P2: request -> wait (tau)  id: 1 -> 2
      after 3     P2: wait -> critical (tau)
      at the end  P1.critical P2.critical
                  x1=4 x2=3
    ");
}

#[test]
fn satisfied_with_a_synchronisation() {
    assert_snapshot!(example(&["lamp.tck", "--labels", "bright"]), @r"
    exit code 0
    --- standard output
    labels bright: satisfied (TIME, 3 states, SIZE)
      start       Lamp.off User.idle
      after 1     User: idle -> idle (press), Lamp: off -> dim (press)
      after 1     User: idle -> idle (press), Lamp: dim -> bright (press)
      at the end  Lamp.bright User.idle
                  y=1 x=0
    ");
}

#[test]
fn satisfied_without_a_trace() {
    assert_snapshot!(example(&["lamp.tck", "--labels", "bright", "--trace", "none"]), @r"
    exit code 0
    --- standard output
    labels bright: satisfied (TIME, 3 states, SIZE)
    ");
}

#[test]
fn not_satisfied() {
    assert_snapshot!(example(&["fischer.tck", "--labels", "cs1,cs2"]), @r"
    exit code 1
    --- standard output
    labels cs1,cs2: NOT satisfied (TIME, 65 states, SIZE)
    ");
}

#[test]
fn the_state_space() {
    assert_snapshot!(example(&["fischer.tck", "--space"]), @r"
    exit code 0
    --- standard output
    state space: explored (TIME, 65 states, SIZE)
      65 visited, 65 stored, 120 transitions, 0 mistakes
    ");
}

#[test]
fn the_plan() {
    assert_snapshot!(example(&["lamp.tck", "--space", "--explain"]), @"
    exit code 0
    --- standard output
    plan for state space:
      order             adaptive           tw-bfs usually visits fewest states; where it makes mistakes, ranking makes them cheap
      abstraction       extra-lu+          the coarsest extrapolation that is sound here
      bounds            local              what is compared after the next reset of a clock does not count
      store             shared             zones that recur at other discrete states are kept once; costs little where none do
      cover             inclusion          a smaller zone can do nothing that a larger one cannot
      keep              all                every state is stored
      reduce-clocks     on                 clocks that are reset before they are compared need not be stored
      width             16                 the largest constant is 5; should sums of bounds outgrow it, 32 bits take over
    state space: explored (TIME, 3 states, SIZE)
      3 visited, 3 stored, 4 transitions, 0 mistakes
    ");
}

#[test]
fn the_plan_where_something_is_asked_for() {
    let args = [
        "--order",
        "dfs",
        "--store",
        "copy",
        "--bounds",
        "global",
        "--cover",
        "equality",
        "--reduce-clocks",
        "off",
    ];
    assert_snapshot!(example(&[&["lamp.tck", "--space", "--explain"], &args[..]].concat()), @"
    exit code 0
    --- standard output
    plan for state space:
      order             dfs                asked for
      abstraction       extra-lu+          the coarsest extrapolation that is sound here
      bounds            global             asked for
      store             copy               asked for
      cover             equality           asked for
      keep              all                every state is stored
      reduce-clocks     off                asked for
      width             16                 the largest constant is 5; should sums of bounds outgrow it, 32 bits take over
    state space: explored (TIME, 5 states, SIZE)
      5 visited, 5 stored, 6 transitions, 0 mistakes
    ");
}

#[test]
fn the_plan_with_diagonals() {
    assert_snapshot!(model("diagonal", common::DIAGONAL, &["--labels", "far", "--explain"]).masked(), @"
    exit code 0
    --- standard output
    plan for labels far:
      order             adaptive           tw-bfs usually visits fewest states; where it makes mistakes, ranking makes them cheap
      abstraction       extra-m            differences of clocks are compared: zones are split at each of them before they are widened
      bounds            local              what is compared after the next reset of a clock does not count
      store             shared             zones that recur at other discrete states are kept once; costs little where none do
      cover             inclusion          a smaller zone can do nothing that a larger one cannot
      keep              all                every state is stored
      reduce-clocks     on                 clocks that are reset before they are compared need not be stored
      width             16                 the largest constant is 3; should sums of bounds outgrow it, 32 bits take over
    labels far: satisfied (TIME, 4 states, SIZE)
      4 visited, 4 stored, 4 transitions, 0 mistakes
      start       P.l0
      after 4     P: l0 -> l0 (a)
      at once     P: l0 -> l1 (a)
      at the end  P.l1
                  x=0 y=4
    ");
}

#[test]
fn a_misspelt_keyword() {
    assert_snapshot!(bad("keyword", "system:s\nproces:P\n"), @r"
    exit code 2
    --- standard error
    error[unknown-declaration]: expected a declaration, found `proces`
     --> model.tck:2:1
      |
    2 | proces:P
      | ^^^^^^
      |
      = help: did you mean `process`?
    error: model.tck has an error
    ");
}

#[test]
fn an_unknown_name() {
    let text = "system:s\nevent:go\nprocess:P\nlocation:P:start{initial:}\nedge:P:start:strat:go\n";
    assert_snapshot!(bad("name", text), @r"
    exit code 2
    --- standard error
    error[unknown-location]: there is no location `strat` in process `P`
     --> model.tck:5:14
      |
    5 | edge:P:start:strat:go
      |              ^^^^^
      |
      = help: did you mean `start`?
    error: model.tck has an error
    ");
}

#[test]
fn a_guard_with_a_mistake() {
    let text = "system:s\nevent:a\nclock:1:x\nprocess:P\nlocation:P:l{initial:}\nedge:P:l:l:a{provided: x >= : do: x=0}\n";
    assert_snapshot!(bad("guard", text), @r"
    exit code 2
    --- standard error
    error[unexpected-token]: expected an expression, found the end of the attribute
     --> model.tck:6:28
      |
    6 | edge:P:l:l:a{provided: x >= : do: x=0}
      |                            ^
    error: model.tck has an error
    ");
}

#[test]
fn a_clock_where_none_can_be() {
    let text = "system:s\nevent:a\nclock:1:x\nint:1:0:9:0:i\nprocess:P\nlocation:P:l{initial:}\nedge:P:l:l:a{do: i = x}\n";
    assert_snapshot!(bad("clock", text), @r"
    exit code 2
    --- standard error
    error[not-an-integer]: expected an integer, found a clock
     --> model.tck:7:22
      |
    7 | edge:P:l:l:a{do: i = x}
      |                      ^
      |
      = help: the value of a clock can only be compared
    error: model.tck has an error
    ");
}

#[test]
fn declared_twice_and_never() {
    let text = "system:s\nint:1:0:9:0:i\nint:1:5:1:0:i\nprocess:P\nlocation:P:l{initial:}\nsync:P@a:Q@b\n";
    assert_snapshot!(bad("twice", text), @r"
    exit code 2
    --- standard error
    error[empty-range]: the range from 5 to 1 is empty
     --> model.tck:3:7
      |
    3 | int:1:5:1:0:i
      |       ^^^
      |
      = help: the least value comes first
    error[duplicate-variable]: integer `i` is already declared
     --> model.tck:3:13
      |
    3 | int:1:5:1:0:i
      |             ^
      |
      = help: remove this declaration or choose another name
    error[unknown-event]: there is no event `a`
     --> model.tck:6:8
      |
    6 | sync:P@a:Q@b
      |        ^
    error[unknown-process]: there is no process `Q`
     --> model.tck:6:10
      |
    6 | sync:P@a:Q@b
      |          ^
    error[unknown-event]: there is no event `b`
     --> model.tck:6:12
      |
    6 | sync:P@a:Q@b
      |            ^
    error: model.tck has 5 errors
    ");
}

#[test]
fn not_utf8() {
    let folder = folder_with("snapshot-latin1", "model.tck", b"system:s\n# caf\xe9\n");
    assert_snapshot!(dwell(&folder, &["check", "model.tck", "--space"]).masked(), @r"
    exit code 2
    --- standard error
    error[invalid-utf8]: byte 0xe9 is not UTF-8
     --> model.tck:2:6
      |
    2 | # caf�
      |      ^
      |
      = help: save the file as UTF-8 or plain ASCII
    error: model.tck has an error
    ");
}

#[test]
fn a_warning() {
    assert_snapshot!(model("warning", common::WARNED, &["--labels", "end"]).masked(), @r"
    exit code 0
    --- standard output
    labels end: satisfied (TIME, 2 states, SIZE)
      start       P.l0
      at once     P: l0 -> l1 (a)
      at the end  P.l1
    --- standard error
    warning[unknown-attribute]: `location` declarations have no attribute `colour`; it is ignored
     --> model.tck:4:26
      |
    4 | location:P:l0{initial: : colour: red}
      |                          ^^^^^^
    ");
}

#[test]
fn out_of_range() {
    assert_snapshot!(model("range", COUNTER, &["--space"]).masked(), @r"
    exit code 2
    --- standard output
    state space: ERROR (TIME, 3 states, SIZE)
      3 visited, 3 stored, 2 transitions, 0 mistakes
      start       P.l0
                  i=0
      at once     P: l0 -> l0 (a)  i: 0 -> 1
      at once     P: l0 -> l0 (a)  i: 1 -> 2
      at the end  P.l0
      then fails  P: l0 -> l0 (a)
    --- standard error
    error[run-time-error]: 3 is assigned to i, whose range is 0 to 2
     --> model.tck:7:20
      |
    7 | edge:P:l0:l0:a{do: i=i+1}
      |                    ^^^^^
    ");
}

#[test]
fn a_division_by_zero() {
    let text = "system:division\nevent:a\nevent:b\nprocess:P\nclock:1:x\nint:1:0:5:2:i\nlocation:P:l0{initial:}\n\
                location:P:l1\nedge:P:l0:l0:a{provided: x>=1 : do: i=i-1; x=0}\nedge:P:l0:l1:b{provided: 4/i>=9}\n";
    assert_snapshot!(model("division", text, &["--space"]).masked(), @r"
    exit code 2
    --- standard output
    state space: ERROR (TIME, 3 states, SIZE)
      3 visited, 3 stored, 2 transitions, 0 mistakes
      start       P.l0
                  i=2
      after 1     P: l0 -> l0 (a)  i: 2 -> 1
      after 1     P: l0 -> l0 (a)  i: 1 -> 0
      at the end  P.l0
                  x=0
    --- standard error
    error[run-time-error]: division by zero
      --> model.tck:10:26
       |
    10 | edge:P:l0:l1:b{provided: 4/i>=9}
       |                          ^^^
    ");
}

#[test]
fn a_bad_index() {
    let text = "system:indexing\nevent:a\nprocess:P\nint:3:0:9:0:t\nint:1:0:9:0:i\nlocation:P:l0{initial:}\n\
                edge:P:l0:l0:a{do: t[i]=1; i=i+1}\n";
    assert_snapshot!(model("index", text, &["--space"]).masked(), @r"
    exit code 2
    --- standard output
    state space: ERROR (TIME, 4 states, SIZE)
      4 visited, 4 stored, 3 transitions, 0 mistakes
      start       P.l0
                  t[0]=0 t[1]=0 t[2]=0 i=0
      at once     P: l0 -> l0 (a)  t[0]: 0 -> 1  i: 0 -> 1
      at once     P: l0 -> l0 (a)  t[1]: 0 -> 1  i: 1 -> 2
      at once     P: l0 -> l0 (a)  t[2]: 0 -> 1  i: 2 -> 3
      at the end  P.l0
      then fails  P: l0 -> l0 (a)
    --- standard error
    error[run-time-error]: index 3 is outside an array of 3
     --> model.tck:7:20
      |
    7 | edge:P:l0:l0:a{do: t[i]=1; i=i+1}
      |                    ^^^
    ");
}

#[test]
fn help_for_check() {
    let ran = dwell(&examples(), &["check", "--help"]);
    let text: Vec<&str> = ran.out.lines().map(str::trim_end).collect();
    assert_snapshot!(text.join("\n"), @"
    Verify a model

    Usage: dwell check [OPTIONS] <MODEL> [QUERIES.q]

    Arguments:
      <MODEL>
              An .xml, .xta or .ta file (UPPAAL), a .tck or .txt file (TChecker), or - for standard
              input

      [QUERIES.q]
              A file of queries; replaces those in the model

    Options:
      -q, --query <TEXT>
              A query, such as 'A[] not deadlock'; replaces those in the files. May repeat

          --only <N>
              Only the N-th query, counted from 1. May repeat

      -D <NAME=VALUE>
              Another value for a global constant of the model. May repeat

          --labels <a,b>
              Is a state reachable that carries all these labels? May repeat

          --space
              Explore the whole state space and report the statistics

          --order <HOW>
              Search order

              Possible values:
              - auto:           the plan chooses
              - bfs:            breadth first
              - dfs:            depth first
              - random-dfs:     depth first, the successors of a state in random order; see --seed
              - random:         any of the waiting states; see --seed
              - best-first:     the smallest value of --heuristic first
              - depth:          the fewest transitions from the start first
              - reversed-depth: the most transitions from the start first; for comparison
              - ranking:        a larger zone overtakes what the smaller one led to, true zones first
                (R-BFS)
              - true-zone:      zones that nothing can cover first, then breadth first
              - waiting:        what other states may still lead to waits: topological order of
                locations and counters
              - tw-bfs:         true zones first, then the waiting order, then breadth first
              - adaptive:       tw-bfs, and ranking from where that makes mistakes
              - unstored-first: what --keep will not store first, then breadth first

              [default: auto]

          --abstraction <HOW>
              How zones are abstracted so that finitely many suffice

              Possible values:
              - auto:      the plan chooses
              - extra-m:   maximal constants
              - extra-m+:  maximal constants, refined by the zone's position
              - extra-lu:  lower and upper constants apart
              - extra-lu+: lower and upper constants, refined by the zone's position
              - a-lu:      exact zones, covered up to the LU-simulation
              - none:      exact zones; may not end

              [default: auto]

          --bounds <HOW>
              Clock bounds for the abstraction

              Possible values:
              - local:  per location
              - global: one for the whole model

              [default: local]

          --store <HOW>
              How states are stored

              Possible values:
              - auto:              the plan chooses
              - copy:              every zone in a block of its own
              - shared:            location vectors, variable vectors and zones each once
              - minimal:           zones as minimal constraint graphs
              - shared-minimal:    minimal constraint graphs, each once
              - packed-number:     discrete part and zone as numbers, multiply-and-add; slow, small
              - packed-bits:       zones as bit strings that are compared by subtraction
              - words:             a 32-bit word for everything: what papers compare with
              - bit-state:         a bit for a passed state; may miss states. bit-state:SIZE,FUNCTIONS
              - hash-compact:      a signature for a passed state; may miss states.
                hash-compact:SIZE,BITS
              - hash-compact-zone: a signature and a zone; may miss states. hash-compact-zone:SIZE,BITS

              [default: auto]

          --cover <HOW>
              When a state need not be explored

              Possible values:
              - inclusion: a state is dropped for one with a larger zone
              - equality:  a state is dropped for an equal one only

              [default: inclusion]

          --waiting-inclusion <HOW>
              What a state is compared with

              Possible values:
              - on:  with all stored states
              - off: with passed states only, when it is taken

              [default: on]

          --side-proof <HOW>
              Try to show with one zone for each discrete state that there is nothing to be found

              Possible values:
              - auto:  when a search takes long, unless an order is asked for
              - first: before anything else
              - off:   never

              [default: auto]

          --keep <HOW>
              Which states are stored

              Possible values:
              - all:           every state
              - auto:          as few as can be without visiting many states again
              - non-committed: those without a committed location
              - entry-points:  those that enter a loop of some automaton
              - covering:      targets of edges that every cycle takes one of; see dwell analyse
                --covering
              - successors:    those with more than one successor. successors:K cuts chains of K
              - distance:      every K-th of a path. distance:K
              - random:        a share of P. random:P, or random:P,Q with Q for targets of covering
                edges
              - every:         every K-th that is visited. every:K
              - combination:   branching ones, K covering edges apart. combination:K

              [default: all]

          --distribution <HOW>
              Which thread owns a state

              Possible values:
              - auto: the plan chooses
              - d0:   by the discrete part
              - d1:   by the whole state; zones are not compared then, and many more states are visited
              - d2:   by the variables
              - d3:   by every second location

              [default: auto]

          --reduce-clocks <HOW>
              Active-clock reduction

              Possible values:
              - on:  zones over the active clocks only
              - off: all clocks, always

              [default: on]

          --reduce-variables <HOW>
              Live-variable reduction

              Possible values:
              - auto: on where a property of a model in UPPAAL's language is asked for, and all states
                are stored
              - on:   variables that are written before they are read again, or never read, are
                forgotten
              - off:  all variables, always

              [default: auto]

          --chains <HOW>
              Whether states in which nothing is decided are passed through

              Possible values:
              - auto: on where a property of a model in UPPAAL's language is asked for, after 65,536
                states
              - on:   states with a single move, in which no time passes, are passed through
              - off:  every state is stored

              [default: auto]

          --trace <HOW>
              Show a run that explains the verdict

              Possible values:
              - auto:     some, for a query that a trace explains, in text output; none with --json
              - none:     no trace
              - some:     the first one found
              - shortest: with the fewest transitions
              - fastest:  with the least time

              [default: auto]

          --out-of-range <HOW>
              What assigning a value outside a variable's range means, in TChecker's format

              Possible values:
              - error:   the model has failed: a run-time error
              - disable: the transition is impossible

              [default: error]

          --overflow <HOW>
              What a result that does not fit 32 bits means, in UPPAAL's language

              Possible values:
              - wrap:  it is taken modulo 2^32, as UPPAAL does; assignments check the range all the same
              - error: the model has failed: a run-time error

              [default: wrap]

          --heuristic <EXPR>
              For --order best-first: an integer expression over variables and locations, smallest first

          --cover-set <FILE>
              For --keep: a covering set of yours, which is verified; see dwell analyse --covering

          --threads <N>
              How many threads share the work; 0: one for every core

              [default: 1]

          --seed <N>
              For every random choice

              [default: 1]

          --trace-out <FILE>
              Write the trace of the last query that has one there: as JSON if the name ends in .json,
              as a sequence chart if it ends in .svg, in UPPAAL's format if it ends in .xtr, else as
              text

          --timeout <TIME>
              Stop a query after this long: 500ms, 90s, 1.5m, 2h

          --memory <SIZE>
              Stop when the process holds this much: 512MiB, 4GiB [default: nine tenths of what is free]

          --checkpoint <FILE>
              Write the run there now and then, and where a limit or Ctrl-C stops it

          --checkpoint-every <TIME>
              How often --checkpoint writes

              [default: 60s]

          --resume <FILE>
              Go on from what --checkpoint wrote, for the same model, query and options

          --spill <DIR>
              When --memory is reached, move what is stored to a file in this folder and go on, slower

          --log <FILE>
              Write there how the run goes, one JSON document on each line; see dwell plot

          --input-format <FORMAT>
              Format of the model, where its name does not tell

              [possible values: xml, xta, ta, tck]

          --warnings <WHICH>
              all: also what is unused, unreachable or unmatched in a model

              [default: default]
              [possible values: default, all]

          --convex-hull
              One zone for each discrete state: what is found may not be there

          --deny-warnings
              Warnings of the model are errors

          --json
              One JSON document on standard output and nothing else there

          --explain
              Print what will be done and why; afterwards all that was counted

          --progress <WHEN>
              Show how far the run is: auto = on a terminal

              [default: auto]
              [possible values: auto, on, off]

      -h, --help
              Print help (see a summary with '-h')

    Exit codes: 0 every query is satisfied; 1 some query is not; 2 bad usage, bad input or a model that
    fails while running; 3 some verdict is unknown; 130 interrupted.
    ");
}

#[test]
fn short_help_for_check() {
    assert_snapshot!(dwell(&examples(), &["check", "-h"]).out, @"
    Verify a model

    Usage: dwell check [OPTIONS] <MODEL> [QUERIES.q]

    Arguments:
      <MODEL>      An .xml, .xta or .ta file (UPPAAL), a .tck or .txt file (TChecker), or - for standard
                   input
      [QUERIES.q]  A file of queries; replaces those in the model

    Options:
      -q, --query <TEXT>             A query, such as 'A[] not deadlock'; replaces those in the files.
                                     May repeat
          --only <N>                 Only the N-th query, counted from 1. May repeat
      -D <NAME=VALUE>                Another value for a global constant of the model. May repeat
          --labels <a,b>             Is a state reachable that carries all these labels? May repeat
          --space                    Explore the whole state space and report the statistics
          --order <HOW>              Search order [default: auto] [possible values: auto, bfs, dfs,
                                     random-dfs, random, best-first, depth, reversed-depth, ranking,
                                     true-zone, waiting, tw-bfs, adaptive, unstored-first]
          --abstraction <HOW>        How zones are abstracted so that finitely many suffice [default:
                                     auto] [possible values: auto, extra-m, extra-m+, extra-lu,
                                     extra-lu+, a-lu, none]
          --bounds <HOW>             Clock bounds for the abstraction [default: local] [possible values:
                                     local, global]
          --store <HOW>              How states are stored [default: auto] [possible values: auto, copy,
                                     shared, minimal, shared-minimal, packed-number, packed-bits, words,
                                     bit-state, hash-compact, hash-compact-zone]
          --cover <HOW>              When a state need not be explored [default: inclusion] [possible
                                     values: inclusion, equality]
          --waiting-inclusion <HOW>  What a state is compared with [default: on] [possible values: on,
                                     off]
          --side-proof <HOW>         Try to show with one zone for each discrete state that there is
                                     nothing to be found [default: auto] [possible values: auto, first,
                                     off]
          --keep <HOW>               Which states are stored [default: all] [possible values: all, auto,
                                     non-committed, entry-points, covering, successors, distance,
                                     random, every, combination]
          --distribution <HOW>       Which thread owns a state [default: auto] [possible values: auto,
                                     d0, d1, d2, d3]
          --reduce-clocks <HOW>      Active-clock reduction [default: on] [possible values: on, off]
          --reduce-variables <HOW>   Live-variable reduction [default: auto] [possible values: auto, on,
                                     off]
          --chains <HOW>             Whether states in which nothing is decided are passed through
                                     [default: auto] [possible values: auto, on, off]
          --trace <HOW>              Show a run that explains the verdict [default: auto] [possible
                                     values: auto, none, some, shortest, fastest]
          --out-of-range <HOW>       What assigning a value outside a variable's range means, in
                                     TChecker's format [default: error] [possible values: error,
                                     disable]
          --overflow <HOW>           What a result that does not fit 32 bits means, in UPPAAL's language
                                     [default: wrap] [possible values: wrap, error]
          --heuristic <EXPR>         For --order best-first: an integer expression over variables and
                                     locations, smallest first
          --cover-set <FILE>         For --keep: a covering set of yours, which is verified; see dwell
                                     analyse --covering
          --threads <N>              How many threads share the work; 0: one for every core [default: 1]
          --seed <N>                 For every random choice [default: 1]
          --trace-out <FILE>         Write the trace of the last query that has one there: as JSON if
                                     the name ends in .json, as a sequence chart if it ends in .svg, in
                                     UPPAAL's format if it ends in .xtr, else as text
          --timeout <TIME>           Stop a query after this long: 500ms, 90s, 1.5m, 2h
          --memory <SIZE>            Stop when the process holds this much: 512MiB, 4GiB [default: nine
                                     tenths of what is free]
          --checkpoint <FILE>        Write the run there now and then, and where a limit or Ctrl-C stops
                                     it
          --checkpoint-every <TIME>  How often --checkpoint writes [default: 60s]
          --resume <FILE>            Go on from what --checkpoint wrote, for the same model, query and
                                     options
          --spill <DIR>              When --memory is reached, move what is stored to a file in this
                                     folder and go on, slower
          --log <FILE>               Write there how the run goes, one JSON document on each line; see
                                     dwell plot
          --input-format <FORMAT>    Format of the model, where its name does not tell [possible values:
                                     xml, xta, ta, tck]
          --warnings <WHICH>         all: also what is unused, unreachable or unmatched in a model
                                     [default: default] [possible values: default, all]
          --convex-hull              One zone for each discrete state: what is found may not be there
          --deny-warnings            Warnings of the model are errors
          --json                     One JSON document on standard output and nothing else there
          --explain                  Print what will be done and why; afterwards all that was counted
          --progress <WHEN>          Show how far the run is: auto = on a terminal [default: auto]
                                     [possible values: auto, on, off]
      -h, --help                     Print help (see more with '--help')

    Exit codes: 0 every query is satisfied; 1 some query is not; 2 bad usage, bad input or a model that
    fails while running; 3 some verdict is unknown; 130 interrupted.
    ");
}

#[test]
fn help_for_bench() {
    let ran = dwell(&examples(), &["bench", "--help"]);
    let text: Vec<&str> = ran.out.lines().map(str::trim_end).collect();
    assert_snapshot!(text.join("\n"), @r"
    Compare plans over models: time and memory, as a table, files and plots

    Usage: dwell bench [OPTIONS] [MODEL]...

    Arguments:
      [MODEL]...  A model; with options of check after it, in quotes: 'model.tck --space'

    Options:
          --list <FILE>     A file with a model on each line, options after it; # begins a comment. May
                            repeat
          --plan <OPTIONS>  Options of check: '--order bfs --store minimal'; '' for none [default:
                            none]. May repeat
          --runs <N>        How often each is run; medians are shown [default: 3]
          --timeout <TIME>  How long one run may take [default: 60s]
          --memory <SIZE>   What one run may hold: 512MiB, 4GiB [default: nine tenths of what is free]
          --csv <FILE>      Write the table there, for spreadsheets
          --json <FILE>     Write all results there; dwell plot draws them
          --plots <DIR>     Draw cactus and scatter plots there, and for each model states and memory
                            over time
      -h, --help            Print help

    Example: dwell bench model.xml 'large.tck --space' --plan '' --plan '--order bfs' --plots plots

    Exit codes: 0 every model has an answer with every plan; 1 plans contradict each other; 2 bad usage,
    or a list or result that cannot be read or written; 3 some have no answer, which the table tells.
    ");
}

#[test]
fn help_for_plot() {
    let ran = dwell(&examples(), &["plot", "--help"]);
    let text: Vec<&str> = ran.out.lines().map(str::trim_end).collect();
    assert_snapshot!(text.join("\n"), @r"
    Draw the log of a run, or the results of a bench

    Usage: dwell plot [OPTIONS] <FILE>...

    Arguments:
      <FILE>...  Logs of check --log, or the results of one bench --json

    Options:
      -o, --output <FILE>  Write there (SVG)
          --show <WHAT>    states, memory: of logs, over time; cactus, scatter: of a bench. auto: states
                           and memory, or both cactus plots [default: auto] [possible values: auto,
                           states, memory, cactus, cactus-memory, scatter, scatter-memory]
          --x <N>          For scatter: the plan to the right [default: 1]
          --y <N>          For scatter: the plan upwards [default: 2]
      -h, --help           Print help
    ");
}
