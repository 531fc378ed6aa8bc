//! Processes that start one by one and must end together: the smallest model in which the order of
//! independent resets multiplies the zones.

use crate::Family;
use crate::model::{Header, Model};

pub(crate) const FAMILY: Family = Family {
    name: "parallel",
    summary: "processes that start alone and end together; the size counts processes",
    default_size: 6,
    min_size: 2,
    max_size: 1000,
    write,
};

fn write(n: u32) -> String {
    let mut model = Model::new(&header(n), format_args!("parallel_{n}"));
    model.event("tau");
    model.event("s");
    for i in 1..=n {
        model.process(format_args!("P{i}"));
        model.clock(format_args!("x{i}"));
        model.location("A").initial();
        model.location("B");
        model.location("C");
        model.edge("A", "B", "tau").then(format_args!("x{i}=0"));
        model.edge("B", "C", "s").when(format_args!("x{i}<=1"));
    }
    model.blank();
    let everybody: Vec<String> = (1..=n).map(|i| format!("P{i}@s")).collect();
    model.sync(everybody.join(":"));
    model.finish()
}

fn header(n: u32) -> Header {
    Header {
        title: format!("{n} processes that start one by one and end together"),
        instance: (FAMILY.name, n),
        about: &[
            "Each process resets its clock when it starts; all of them end in one synchronisation,",
            "which nobody may reach later than 1 after its start.",
        ],
        search: "nothing (the model has no labels: explore the whole state space)".to_owned(),
    }
}
