//! The fixed list: what is run, at which size, with which plan.
//!
//! The first group is the one to quote: sizes at which a run takes seconds. The second looks at other
//! abstractions, stores and orders on models small enough that a slow choice still ends. Change a line
//! only together with the history, or old and new records no longer compare.

/// One model and plan.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Case {
    /// The family of `dwell generate`.
    pub(crate) family: &'static str,
    /// Sizes for the bench proper and for the smoke run.
    sizes: (u32, u32),
    /// Flags of `dwell check` besides `--space --json`.
    pub(crate) plan: Flags,
    /// The flags with which `tck-reach` does the same work, if it can.
    pub(crate) rival: Option<Flags>,
    /// What the recorded counts say about this plan.
    pub(crate) counts: Counts,
}

/// Which recorded count a plan must meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counts {
    /// The symbolic states stored at the end, as the named algorithm found breadth-first.
    Stored(&'static str),
    /// The symbolic states visited, as the named algorithm found breadth-first.
    Visited(&'static str),
    /// Nothing is recorded for this plan.
    Free,
}

/// How large the models are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scale {
    /// Tiny: does everything still run and answer right?
    Smoke,
    /// Large enough to measure.
    Full,
}

/// Flags of one program.
type Flags = &'static [&'static str];

const BFS: Flags = &["--order", "bfs", "--store", "auto"];
const DFS: Flags = &["--order", "dfs"];
const RANDOM_DFS: Flags = &["--order", "random-dfs", "--seed", "1"];
const A_LU: Flags = &["--order", "bfs", "--abstraction", "a-lu"];
const EXTRA_M_PLUS: Flags = &["--order", "bfs", "--abstraction", "extra-m+"];
const EQUALITY: Flags = &["--order", "bfs", "--cover", "equality"];
const COPY: Flags = &["--order", "bfs", "--store", "copy"];
const SHARED: Flags = &["--order", "bfs", "--store", "shared"];

const COVREACH: Option<Flags> = Some(&["-a", "covreach", "-s", "bfs"]);
const COVREACH_DFS: Option<Flags> = Some(&["-a", "covreach", "-s", "dfs"]);
const ALU_COVREACH: Option<Flags> = Some(&["-a", "aLU-covreach", "-s", "bfs"]);
const REACH: Option<Flags> = Some(&["-a", "reach", "-s", "bfs"]);

const STORED: Counts = Counts::Stored("covreach");
const STORED_ALU: Counts = Counts::Stored("aLU-covreach");
const VISITED: Counts = Counts::Visited("reach");

#[rustfmt::skip]
const CASES: &[Case] = &[
    Case { family: "fischer",     sizes: (10, 3), plan: BFS, rival: COVREACH, counts: STORED },
    Case { family: "lynch",       sizes: (10, 3), plan: BFS, rival: COVREACH, counts: STORED },
    Case { family: "csmacd",      sizes: (11, 5), plan: BFS, rival: COVREACH, counts: STORED },
    Case { family: "csmacd-full", sizes: (10, 5), plan: BFS, rival: COVREACH, counts: STORED },
    Case { family: "critical-region-formats15", sizes: (5, 3), plan: BFS, rival: COVREACH, counts: STORED },
    Case { family: "fddi",        sizes: (13, 5), plan: BFS, rival: COVREACH, counts: STORED },

    Case { family: "train-gate",  sizes: (5, 3),  plan: BFS,          rival: COVREACH,     counts: STORED },
    Case { family: "blowup",      sizes: (12, 5), plan: BFS,          rival: COVREACH,     counts: STORED },
    Case { family: "corsso",      sizes: (3, 2),  plan: A_LU,         rival: ALU_COVREACH, counts: STORED_ALU },
    Case { family: "fischer",     sizes: (8, 3),  plan: A_LU,         rival: ALU_COVREACH, counts: STORED_ALU },
    Case { family: "fischer",     sizes: (8, 3),  plan: EQUALITY,     rival: REACH,        counts: VISITED },
    Case { family: "fischer",     sizes: (8, 3),  plan: EXTRA_M_PLUS, rival: None,         counts: Counts::Free },
    Case { family: "fischer",     sizes: (8, 3),  plan: DFS,          rival: COVREACH_DFS, counts: STORED },
    Case { family: "fischer",     sizes: (8, 3),  plan: RANDOM_DFS,   rival: None,         counts: STORED },
    Case { family: "csmacd",      sizes: (9, 5),  plan: COPY,         rival: None,         counts: STORED },
    Case { family: "csmacd",      sizes: (9, 5),  plan: SHARED,       rival: None,         counts: STORED },
];

impl Case {
    /// The size of the model.
    pub(crate) fn size(&self, scale: Scale) -> u32 {
        match scale {
            Scale::Full => self.sizes.0,
            Scale::Smoke => self.sizes.1,
        }
    }

    /// Model, size and plan in one line.
    pub(crate) fn name(&self, scale: Scale) -> String {
        format!("{} {} {}", self.family, self.size(scale), self.plan.join(" "))
    }
}

/// The cases whose name contains `only`, or all.
pub(crate) fn selected(scale: Scale, only: Option<&str>) -> Vec<Case> {
    let wanted = |case: &Case| only.is_none_or(|text| case.name(scale).contains(text));
    CASES.iter().copied().filter(wanted).collect()
}
