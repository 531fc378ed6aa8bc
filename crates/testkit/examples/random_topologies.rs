//! `random_topologies FAMILY SIZE SEEDS`: visited states and mistakes of tw-bfs
//! on one of our families, one line for each random topological order of the
//! locations (paper 5, section 5). The first line is the usual order, the second
//! that of the paper, which goes by the sequence of the edges.

use dwell_engine::{EdgeOrder, Model, Options, Plan, Question, check};

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [family, size, seeds] = arguments.as_slice() else {
        return Err("usage: random_topologies FAMILY SIZE SEEDS".into());
    };
    let number = |text: &String| text.parse().map_err(|_| format!("'{text}' is no number"));
    let (size, seeds) = (number(size)?, u64::from(number(seeds)?));
    let text = dwell_families::generate(family, size).map_err(|error| error.to_string())?;
    let model = Model::from_tchecker(&text, &Default::default()).map_err(|error| format!("{error:?}"))?;
    let mut options = Options::default();
    options.set("order", "tw-bfs")?;
    let question = Question::space();
    let plan = options.plan(&model, &question)?;
    let usual = [EdgeOrder::default(), EdgeOrder::Declared];
    for edges in usual.into_iter().chain((1..=seeds).map(EdgeOrder::Random)) {
        let plan = Plan { edges, ..plan.clone() };
        let stats = check(&model, &question, &plan, Default::default()).stats;
        println!("{} {}", stats.visited, stats.mistakes());
    }
    Ok(())
}
