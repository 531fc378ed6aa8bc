//! CorSSO, a distributed single sign-on: a user collects signatures of several authentication servers
//! before a ticket runs out.

use crate::Family;
use crate::model::{Header, Model, numbered};

pub(crate) const FAMILY: Family = Family {
    name: "corsso",
    summary: "single sign-on by collecting signatures in time; the size counts users",
    default_size: 2,
    min_size: 1,
    max_size: 500,
    write,
};

/// How long one signature takes: a user waits longer than this for it.
const SIGNING: u32 = 2;
/// How long a ticket is good, from the choice of the service.
const VALIDITY: u32 = 10;
/// How many signatures each service asks for; a user stops collecting at the most demanding one.
const SERVICES: [u32; 2] = [1, 2];

fn write(n: u32) -> String {
    let [first, second] = SERVICES;
    let mut model = Model::new(&header(n), format_args!("corsso_{n}_{SIGNING}_{VALIDITY}_{first}_{second}"));
    model.event("tau");
    for i in 1..=n {
        user(&mut model, i);
    }
    model.finish()
}

/// `p` is the service chosen (0: none yet) and `a` the number of signatures collected.
fn user(model: &mut Model, i: u32) {
    let most = SERVICES[SERVICES.len() - 1];
    model.process(format_args!("P{i}"));
    model.clock(format_args!("x{i}"));
    model.clock(format_args!("y{i}"));
    model.int(format_args!("a{i}"), (0, most + 1), 0);
    model.int(format_args!("p{i}"), (0, most + 1), 0);
    model.location("auth").initial();
    model.location("access").label(format_args!("access{i}"));
    model
        .edge("auth", "auth", "tau")
        .when(format_args!("p{i}>0&&x{i}>{SIGNING}&&a{i}<{most}"))
        .then(format_args!("a{i}=a{i}+1;x{i}=0"));
    for (service, needed) in (1..).zip(SERVICES) {
        model
            .edge("auth", "auth", "tau")
            .when(format_args!("p{i}==0"))
            .then(format_args!("p{i}={service};a{i}=0;x{i}=0;y{i}=0"));
        model
            .edge("auth", "access", "tau")
            .when(format_args!("y{i}<{VALIDITY}&&p{i}=={service}&&a{i}>={needed}"));
    }
    model.edge("access", "auth", "tau").then(format_args!("p{i}=0"));
}

fn header(n: u32) -> Header {
    Header {
        title: format!("CorSSO, distributed single sign-on, {n} users"),
        instance: (FAMILY.name, n),
        about: &[
            "A user chooses one of two services and collects signatures, each taking more than 2 time",
            "units; with enough of them within 10 the service grants access. Users do not interact, so",
            "the state space is their product.",
        ],
        search: format!("{} (all users have access at once; reachable)", numbered("access", n)),
    }
}
