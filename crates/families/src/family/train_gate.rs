//! The train gate, after W. Yi, P. Pettersson and M. Daniels, *Automatic verification of real-time
//! communicating systems by constraint-solving*, FORTE 1994.

use crate::Family;
use crate::model::{Header, Model};

pub(crate) const FAMILY: Family = Family {
    name: "train-gate",
    summary: "trains queue for a bridge; the size counts trains",
    default_size: 3,
    min_size: 2,
    max_size: 200,
    write,
};

fn write(n: u32) -> String {
    let mut model = Model::new(&header(n), format_args!("train_gate_{n}"));
    model.event("tau");
    for event in ["go", "appr", "leave", "stop"] {
        model.event(event);
    }
    for i in 1..=n {
        for event in ["go", "appr", "leave", "stop"] {
            model.event(format_args!("{event}{i}"));
        }
    }
    gate(&mut model, n);
    for i in 1..=n {
        train(&mut model, i);
        for event in ["appr", "stop", "go", "leave"] {
            model.sync(format_args!("Train{i}@{event}:Gate@{event}{i}"));
        }
    }
    model.finish()
}

/// The gate keeps the trains in a ring buffer: `length` of them, the first at index `head`.
fn gate(model: &mut Model, n: u32) {
    model.process("Gate");
    model.int_array("buffer", n, (1, n), 1);
    model.int("head", (0, n - 1), 0);
    model.int("length", (0, n), 0);
    model.location("Free").initial();
    model.location("Occ");
    model.location("Transient").committed();
    for i in 1..=n {
        let is_first = format!("length>0&&buffer[head]=={i}");
        let is_last = format!("length>0&&buffer[(head+length-1)%{n}]=={i}");
        let enqueue = format!("buffer[(head+length)%{n}]={i};length=length+1");
        let dequeue = format!("head=(head+1)%{n};length=length-1");
        model.edge("Free", "Occ", format_args!("go{i}")).when(&is_first);
        model.edge("Free", "Occ", format_args!("appr{i}")).when("length==0").then(&enqueue);
        model.edge("Occ", "Transient", format_args!("appr{i}")).then(&enqueue);
        model.edge("Occ", "Free", format_args!("leave{i}")).when(&is_first).then(dequeue);
        model.edge("Transient", "Occ", format_args!("stop{i}")).when(is_last);
    }
}

fn train(model: &mut Model, i: u32) {
    let reset = format!("x{i}=0");
    model.process(format_args!("Train{i}"));
    model.clock(format_args!("x{i}"));
    model.location("Safe").initial();
    model.location("Appr").invariant(format_args!("x{i}<=20"));
    model.location("Stop");
    model.location("Start").invariant(format_args!("x{i}<=15"));
    model.location("Cross").invariant(format_args!("x{i}<=5")).label(format_args!("cross{i}"));
    model.edge("Safe", "Appr", "appr").then(&reset);
    model.edge("Appr", "Cross", "tau").when(format_args!("x{i}>=10")).then(&reset);
    model.edge("Appr", "Stop", "stop").when(format_args!("x{i}<=10"));
    model.edge("Stop", "Start", "go").then(&reset);
    model.edge("Start", "Cross", "tau").when(format_args!("x{i}>=7")).then(&reset);
    model.edge("Cross", "Safe", "leave").when(format_args!("x{i}>=3"));
}

fn header(n: u32) -> Header {
    Header {
        title: format!("Train gate, {n} trains and one bridge"),
        instance: (FAMILY.name, n),
        about: &[
            "A train announces itself 20 time units ahead and can be stopped during the first 10.",
            "The gate lets one train onto the bridge and keeps the others in a queue.",
            "After W. Yi, P. Pettersson and M. Daniels, FORTE 1994.",
        ],
        search: "cross1,cross2 (two trains on the bridge; not reachable)".to_owned(),
    }
}
