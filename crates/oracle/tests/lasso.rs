//! Runs that witness or refute liveness.

mod common;

use common::*;
use dwell_model::expr::{Expr, Relation::*};
use dwell_model::property::Formula;
use dwell_model::{ChannelKind, LocationId, LocationKind, Network, Sync};
use dwell_oracle::{MaximalError, Rational, ReplayFault, Step, replay_maximal};

fn check(
    network: &Network,
    steps: &[Step],
    loop_at: Option<usize>,
    always: Formula,
) -> Result<(), MaximalError> {
    check_from(network, steps, loop_at, 0, always)
}

fn check_from(
    network: &Network,
    steps: &[Step],
    loop_at: Option<usize>,
    from: usize,
    always: Formula,
) -> Result<(), MaximalError> {
    let start = vec![LocationId(0); network.processes.len()];
    let states = replay_maximal(network, &start, steps, loop_at, from, &always)?;
    assert_eq!(states.len(), steps.len() + 1);
    Ok(())
}

fn after(text: &str) -> Rational {
    text.parse().unwrap()
}

/// From 0 to 1 at x >= 1, and back until x <= 3 with x := 0; y is never reset.
fn turns() -> Network {
    let mut net = network(2, &[], &[2]);
    edge(&mut net, 0, 0, 1, Sync::Internal).guard.clocks = vec![clock(0, Ge, 1)];
    let back = edge(&mut net, 0, 1, 0, Sync::Internal);
    back.guard.clocks = vec![clock(0, Le, 3)];
    back.update.body = vec![reset(0, 0)];
    net
}

#[test]
fn loops_are_closed_up_to_regions() {
    let net = turns();
    let round = [step("1", &[(0, 0)]), step("1/2", &[(0, 1)])];
    let anywhere = || some([at(0), at(1)]);
    assert_eq!(check(&net, &round, Some(0), anywhere()), Ok(()), "y is compared with nothing");
    assert_eq!(check(&net, &round, Some(1), anywhere()), Err(MaximalError::NotClosed));
    let young = || some([is(clock(1, Le, 9)), at(1), at(0)]);
    assert_eq!(check(&net, &round, Some(0), young()), Err(MaximalError::NotClosed), "now y counts");
    let rounds: Vec<Step> = round.iter().cycle().take(30).cloned().collect();
    assert_eq!(check(&net, &rounds, Some(28), young()), Ok(()), "y is large in the end");
    assert_eq!(check(&net, &round, Some(2), anywhere()), Err(MaximalError::EmptyLoop));
    assert_eq!(check(&net, &[step("0", &[])], Some(0), anywhere()), Err(MaximalError::EmptyLoop));
    assert_eq!(check(&net, &round, Some(3), anywhere()), Err(MaximalError::NoSuchState(3)));
    assert_eq!(check_from(&net, &round, Some(0), 1, anywhere()), Err(MaximalError::NoSuchState(0)));
    let early = check(&net, &[step("1/2", &[(0, 0)])], Some(0), anywhere()).unwrap_err();
    assert!(matches!(early, MaximalError::Replay(e) if matches!(e.fault, ReplayFault::GuardFalse(..))));
}

#[test]
fn the_formula_holds_at_every_moment() {
    let net = turns();
    let round = [step("2", &[(0, 0)]), step("0", &[(0, 1)])];
    let except = |low, high| some([is(clock(0, Le, low)), is(clock(0, Ge, high))]);
    let at_one = Err(MaximalError::NotAlways { state: 0, after: after("3/2") });
    assert_eq!(check(&net, &round, Some(0), except(1, 2)), at_one, "between two whole numbers");
    assert_eq!(check(&net, &round, Some(0), except(2, 3)), Ok(()));
    let point = some([is(clock(0, Lt, 1)), is(clock(0, Gt, 1))]);
    let at_one = Err(MaximalError::NotAlways { state: 0, after: after("1") });
    assert_eq!(check(&net, &round, Some(0), point), at_one);
    assert_eq!(
        check(&net, &round, Some(0), at(0)),
        Err(MaximalError::NotAlways { state: 1, after: after("0") })
    );
    // From a later state on; a delay alone may come before it.
    let late = || some([is(clock(1, Ge, 1)), at(1)]);
    let split = [step("1", &[]), step("1", &[(0, 0)]), step("0", &[(0, 1)])];
    assert!(matches!(check(&net, &split, Some(1), late()), Err(MaximalError::NotAlways { state: 0, .. })));
    assert_eq!(check_from(&net, &split, None, 1, late()), Ok(()), "then it stays at 0");
    let loops: Vec<Step> = split.iter().chain(&split[..]).cloned().collect();
    assert_eq!(check_from(&net, &loops, Some(3), 1, late()), Ok(()));
}

#[test]
fn runs_end_where_time_goes_on_or_nothing_is_possible() {
    let mut net = turns();
    assert_eq!(check(&net, &[], None, at(0)), Ok(()), "for ever");
    let soon = all([at(0), is(clock(0, Le, 7))]);
    assert_eq!(check(&net, &[], None, soon), Err(MaximalError::GoesOn { after: after("15/2") }));
    for (relation, bound, expected) in [(Lt, 1, Ok(())), (Le, 1, Err(())), (Lt, 2, Err(())), (Le, 0, Ok(()))]
    {
        net.processes[0].locations[0].invariant.clocks = vec![clock(0, relation, bound)];
        let found = check(&net, &[], None, at(0));
        let moves = Err(MaximalError::MayMove(participants(&[(0, 0)])));
        assert_eq!(found, expected.map_or(moves, Ok), "{relation:?} {bound}");
    }
    let mut net = turns();
    net.processes[0].locations[0].kind = LocationKind::Urgent;
    assert_eq!(check(&net, &[], None, at(0)), Ok(()), "neither time nor a transition");
    net.clocks[0].init = 1;
    assert!(matches!(check(&net, &[], None, at(0)), Err(MaximalError::MayMove(_))));
    // Urgent from 1 on: time ends there.
    let mut net = turns();
    let c = channel(&mut net, ChannelKind::Broadcast, true);
    net.processes[0].edges[0].sync = send(c);
    assert!(matches!(check(&net, &[], None, at(0)), Err(MaximalError::MayMove(_))));
    net.processes[0].locations[1].invariant.clocks = vec![clock(0, Lt, 1)];
    assert_eq!(check(&net, &[step("1/2", &[])], None, at(0)), Ok(()));
    assert_eq!(check(&net, &[], None, all([at(0), Formula::Deadlock(true)])), Ok(()));
}

#[test]
fn differences_and_clocks_that_stand_still_are_followed_exactly() {
    // At 1 clock x stands still, so that y - x grows.
    let mut net = turns();
    net.processes[0].locations[1].rates = vec![(fixed(0), Expr::Const(0))];
    let mut difference = clock(1, Lt, 4);
    difference.minus = Some(fixed(0));
    let to_one = || step("1", &[(0, 0)]);
    let steps = |delay| [to_one(), step(delay, &[])];
    let close = || some([at(0), is(difference.clone())]);
    assert_eq!(check(&net, &steps("3"), None, close()), Err(MaximalError::GoesOn { after: after("1") }));
    let late = check(&net, &[to_one(), step("5", &[])], None, close());
    assert_eq!(late, Err(MaximalError::NotAlways { state: 1, after: after("4") }));
    assert_eq!(check(&net, &[to_one()], None, some([at(0), at(1)])), Ok(()), "x <= 3 for ever");
    net.processes[0].locations[1].invariant.clocks = vec![clock(1, Le, 4)];
    assert!(matches!(check(&net, &[to_one()], None, close()), Err(MaximalError::MayMove(_))));
    net.processes[0].edges[1].guard.clocks = vec![clock(0, Eq, 2)];
    assert_eq!(check(&net, &[to_one()], None, close()), Ok(()));
    // Loops must be closed exactly.
    let mut net = turns();
    net.processes[0].edges[0].guard.clocks = vec![difference.clone()];
    let round = [step("0", &[(0, 0)]), step("1", &[(0, 1)])];
    assert_eq!(check(&net, &round, Some(0), close()), Err(MaximalError::NotClosed));
    assert_eq!(check(&net, &[step("0", &[(0, 0)]), step("0", &[(0, 1)])], Some(0), close()), Ok(()));
}
