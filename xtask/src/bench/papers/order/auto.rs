//! What `--order auto` makes of our models, beside single orders.

use std::fmt::Write;
use std::path::PathBuf;

use super::{shuffled, visited};
use crate::bench::papers::page::{Dwell, grouped};
use crate::shell::{Outcome, root};

/// What `auto` is held to, with `examples/`.
const CORPUS: [(&str, &[u32]); 13] = [
    ("blowup", &[5, 10]),
    ("corsso", &[2, 3]),
    ("critical-region", &[2, 3, 4]),
    ("critical-region-formats15", &[3, 4]),
    ("csmacd", &[5, 7, 9]),
    ("csmacd-full", &[5, 7, 9]),
    ("dining-philosophers", &[3, 4, 5, 6]),
    ("fddi", &[5, 8, 10]),
    ("fischer", &[3, 5, 7, 8]),
    ("flexray", &[2, 3]),
    ("lynch", &[3, 5, 7, 8]),
    ("parallel", &[3, 8]),
    ("train-gate", &[2, 3, 4]),
];

/// What was not looked at while the rule of `auto` was sought: other sizes, or the largest that is
/// quickly explored, of each of the families, their edges and synchronisations shuffled.
const HELD_OUT: [(&str, u32); 14] = [
    ("blowup", 8),
    ("corsso", 3),
    ("critical-region", 4),
    ("critical-region-formats15", 5),
    ("csmacd", 8),
    ("csmacd-full", 8),
    ("dining-philosophers", 7),
    ("fddi", 9),
    ("fddi", 12),
    ("fischer", 6),
    ("flexray", 3),
    ("lynch", 6),
    ("parallel", 6),
    ("train-gate", 4),
];

/// Of each of them so many versions, with seeds that were used for nothing else.
const HELD_OUT_SEEDS: std::ops::RangeInclusive<u64> = 1_001..=1_003;

/// The orders that `auto` is compared with.
const SINGLE: [&str; 6] = ["bfs", "dfs", "ranking", "true-zone", "waiting", "tw-bfs"];

/// What `auto` makes of our models.
pub(super) fn auto(dwell: &Dwell, text: &mut String) -> Outcome {
    text.push_str(
        "\n## auto\n\nVisited states. Where `auto` changed from tw-bfs to ranking, it says after how many states. Models of \
         `examples/` that every order visits alike are left out.\n\n",
    );
    let mut bounds = Bounds::begin(text);
    for (family, size) in
        CORPUS.iter().flat_map(|(family, sizes)| sizes.iter().map(move |size| (family, size)))
    {
        bounds.add(dwell, &format!("{family} {size}"), &dwell.model(family, *size)?, true, text)?;
    }
    let examples = std::fs::read_dir(root().join("examples")).map_err(|error| error.to_string())?;
    let mut examples: Vec<_> = examples.filter_map(|entry| Some(entry.ok()?.path())).collect();
    examples.sort();
    let is_model = |path: &PathBuf| {
        path.extension().is_some_and(|ending| ["tck", "xml", "xta"].iter().any(|known| ending == *known))
    };
    for path in examples.into_iter().filter(is_model) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        bounds.add(dwell, &name, &path, false, text)?;
    }
    bounds.end(text);
    text.push_str(AUTO_NOTES);
    let _ = writeln!(
        text,
        "\n{} versions of each, their edges and synchronisations shuffled.\n",
        HELD_OUT_SEEDS.count()
    );
    let mut bounds = Bounds::begin(text);
    for (family, size) in HELD_OUT {
        let declared = dwell.generate(family, size)?;
        for seed in HELD_OUT_SEEDS {
            let file = dwell.file("shuffled.tck", &shuffled(&declared, seed))?;
            bounds.add(dwell, &format!("{family} {size}"), &file, true, text)?;
        }
    }
    bounds.end(text);
    Ok(())
}

/// A table of `auto` beside the single orders, and how near to them it is.
#[derive(Default)]
struct Bounds {
    all: u32,
    near: u32,
    to_bfs: f64,
    to_best: f64,
}

impl Bounds {
    fn begin(text: &mut String) -> Self {
        let _ = writeln!(
            text,
            "| | {} | auto | changed after | to bfs | to best |\n|---|{}---|---|---|---|",
            SINGLE.join(" | "),
            "---|".repeat(SINGLE.len()),
        );
        Self::default()
    }

    /// A row, if it is `always` to be shown or not all orders are alike.
    fn add(
        &mut self,
        dwell: &Dwell,
        name: &str,
        model: &PathBuf,
        always: bool,
        text: &mut String,
    ) -> Outcome {
        let mut single = Vec::new();
        for order in SINGLE {
            single.push(visited(dwell.explore(model, order)?));
        }
        let Some(auto) = dwell.explore(model, "auto")? else { return Ok(()) };
        let changed = auto.number("changed_after").map(|n| grouped(n as u64)).unwrap_or_default();
        let total = auto.get("visited");
        let best = single.iter().copied().filter(|&n| n > 0).min().unwrap_or(total);
        let (to_bfs, to_best) = (total as f64 / single[0].max(1) as f64, total as f64 / best as f64);
        self.all += 1;
        self.near += u32::from(to_best <= 1.05);
        self.to_bfs = self.to_bfs.max(to_bfs);
        self.to_best = self.to_best.max(to_best);
        if always || single.iter().any(|&n| n != total) {
            let cells: Vec<String> =
                single.iter().map(|&n| if n == 0 { String::new() } else { grouped(n) }).collect();
            let _ = writeln!(
                text,
                "| {name} | {} | {} | {changed} | {to_bfs:.2} | {to_best:.2} |",
                cells.join(" | "),
                grouped(total)
            );
        }
        Ok(())
    }

    fn end(&self, text: &mut String) {
        let Self { all, near, to_bfs, to_best } = self;
        let _ = writeln!(
            text,
            "\nOf {all} models `auto` is within 5 % of the best order on {near}; in the worst case it visits \
             {to_bfs:.2} times what breadth first does and {to_best:.2} times what the best order does."
        );
    }
}

const AUTO_NOTES: &str = "
The rule of [`auto`](../techniques/order.md) was found on some of these models and a few of other people's. The following
were not looked at before: shuffled versions with seeds of their own, where there are any with other sizes. They are of
the same families, so they show that neither the size nor the sequence of edges matters, and are no forecast for models
of another kind.
";
