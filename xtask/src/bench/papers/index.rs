//! `docs/papers/index.md`: every table and figure of the five papers, and where it is measured again or why not.

use std::fmt::Write;
use std::path::Path;

/// A paper with its tables and figures.
struct Paper {
    title: &'static str,
    parts: &'static [Part],
}

/// Tables or figures, and what became of them.
struct Part {
    what: &'static str,
    of: &'static str,
    became: Became,
}

enum Became {
    /// Measured again, on this page, below the heading with this name, if any.
    Page(&'static str, &'static str),
    /// Not a measurement: what there is instead.
    Instead(&'static str),
}

use Became::{Instead, Page};

const fn part(what: &'static str, of: &'static str, became: Became) -> Part {
    Part { what, of, became }
}

const PAPERS: [Paper; 5] = [
    Paper {
        title: "1. J. Bengtsson: *Reducing memory usage in symbolic state-space exploration for timed systems*, 2001",
        parts: &[
            part(
                "table 1",
                "one number for a state, equality",
                Page("memory.md", "paper-1-table-1-one-number-for-a-state-equality-only"),
            ),
            part(
                "table 2",
                "one number, inclusion by division",
                Page("memory.md", "paper-1-table-2-one-number-inclusion-by-division"),
            ),
            part(
                "table 3",
                "zones as bit strings",
                Page("memory.md", "paper-1-table-3-zones-as-bit-strings"),
            ),
            part(
                "table 4",
                "inclusion among waiting states",
                Page("memory.md", "paper-1-table-4-inclusion-among-waiting-states"),
            ),
            part(
                "table 5",
                "supertrace, states not visited",
                Page("memory.md", "paper-1-table-5-supertrace-states-not-visited"),
            ),
            part("table 6", "supertrace, time", Page("memory.md", "paper-1-table-6-supertrace-time")),
            part(
                "table 7",
                "signatures of 7 bits, states not visited",
                Page("memory.md", "paper-1-table-7-signatures-of-7-bits-states-not-visited"),
            ),
            part(
                "table 8",
                "signatures of 47 bits, time",
                Page("memory.md", "paper-1-table-8-signatures-of-47-bits-time"),
            ),
            part(
                "table 9",
                "signatures of 47 bits, space",
                Page("memory.md", "paper-1-table-9-signatures-of-47-bits-space"),
            ),
            part(
                "figures 1 to 8",
                "small automata and their zones",
                Instead(
                    "drawings; the lamp is `examples/lamp.tck`, and [abstraction](../techniques/abstraction.md) and [convex hulls](../techniques/convex-hull.md) are about what they show",
                ),
            ),
            part(
                "figures 9 to 13",
                "data structures",
                Instead(
                    "drawings; ours are on the pages about [stores](../techniques/store.md), [bit-state hashing](../techniques/bit-state.md) and [hash compaction](../techniques/hash-compaction.md)",
                ),
            ),
        ],
    },
    Paper {
        title: "2. A. David, G. Behrmann, K. G. Larsen, W. Yi: *A tool architecture for the next generation of UPPAAL*, 2003",
        parts: &[
            part(
                "table 1",
                "inclusions found with waiting states",
                Page("memory.md", "paper-2-table-1-inclusions-found-with-waiting-states"),
            ),
            part("table 2", "unique parts of states", Page("memory.md", "paper-2-table-2-unique-parts")),
            part("table 3", "the unified list", Page("memory.md", "paper-2-table-3-the-unified-list")),
            part(
                "figures 1 to 6",
                "algorithms and architecture",
                Instead("no measurements; ours are in `ARCHITECTURE.md`"),
            ),
        ],
    },
    Paper {
        title: "3. G. Behrmann, K. G. Larsen, R. Pelánek: *To store or not to store*, CAV 2003",
        parts: &[
            part("table 1", "heuristics for covering sets", Page("storing.md", "table-1-covering-sets")),
            part("table 2", "strategies: memory and overhead", Page("storing.md", "table-2-strategies")),
            part(
                "figure 1",
                "two automata and their states",
                Instead("a test: its cycles, covering sets and counts (`crates/covering/tests/figure_1.rs`)"),
            ),
            part(
                "figures 2 to 4",
                "algorithms",
                Instead(
                    "no measurements; [storing](../techniques/storing.md), [covering sets](../techniques/covering-sets.md)",
                ),
            ),
        ],
    },
    Paper {
        title: "4. G. Behrmann, T. Hune, F. Vaandrager: *Distributing timed model checking — how the search order matters*, CAV 2000",
        parts: &[
            part("tables 1 and 2", "states with and without the heuristic", Page("distributed.md", "")),
            part("tables 3 and 4", "run time on more and more nodes", Page("distributed.md", "")),
            part("table 5", "locality of distributions and storage policies", Page("distributed.md", "")),
            part("figures 4 and 5", "speedup and work", Page("distributed.md", "")),
            part("figure 6", "speedup with shortest traces", Page("distributed.md", "")),
            part("figures 1 to 3", "an automaton, algorithms", Instead("no measurements")),
        ],
    },
    Paper {
        title: "5. F. Herbreteau, T.-T. Tran: *Improving search order for reachability testing in timed automata*, FORMATS 2015",
        parts: &[
            part("table 1", "breadth first, ranking and TW-BFS", Page("search-order.md", "")),
            part(
                "section 5",
                "random orders of transitions",
                Page("search-order.md", "random-transition-orders"),
            ),
            part(
                "figures 1 and 3",
                "an automaton and its exploration",
                Instead(
                    "a test: which states are taken, one by one (`crates/explore/tests/search_steps.rs`)",
                ),
            ),
            part(
                "figure 2",
                "a race, iterated",
                Instead("`dwell generate blowup`, rows B-5 to B-15 of table 1"),
            ),
            part(
                "figure 4",
                "what waiting is for",
                Instead("a drawing; [the waiting order](../techniques/waiting.md)"),
            ),
        ],
    },
];

const HEAD: &str = "\
# The papers' tables, measured again

Every table and figure of the five papers that dwell builds on. One command measures them all and writes these pages:

```sh
cargo xtask bench papers            # quick sizes
cargo xtask bench papers --large    # with models that take minutes
```

One page alone: `cargo xtask bench papers memory`, or `storing`, `order`. The papers' models were mostly never
published; each page says what stands for them.
";

/// The page, for a folder of pages: one that is not there yet is named and not linked.
pub(super) fn text(folder: &Path) -> String {
    let mut text = HEAD.to_owned();
    for Paper { title, parts } in PAPERS {
        let _ = write!(text, "\n## {title}\n\n| | | measured again |\n|---|---|---|\n");
        for Part { what, of, became } in parts {
            let became = match became {
                Instead(words) => (*words).to_owned(),
                Page(page, _) if !folder.join(page).is_file() => format!("`{page}`, not written yet"),
                Page(page, "") => format!("[{page}]({page})"),
                Page(page, heading) => format!("[{page}]({page}#{heading})"),
            };
            let _ = writeln!(text, "| {what} | {of} | {became} |");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use crate::shell::root;

    #[test]
    fn the_page_is_what_the_table_says() {
        let folder = root().join("docs/papers");
        let page = std::fs::read_to_string(folder.join("index.md")).expect("docs/papers/index.md");
        assert!(page == super::text(&folder), "run: cargo xtask bench papers index");
    }
}
