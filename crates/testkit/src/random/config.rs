//! Which features random networks have, and how often.

/// What random networks may contain. Percentages are of the places where the
/// feature could occur; 0 turns it off.
#[derive(Clone, Debug)]
pub struct Config {
    /// Most processes; at least 1.
    pub max_processes: usize,
    /// Most locations of a process; at least 2.
    pub max_locations: usize,
    /// Most clocks.
    pub max_clocks: usize,
    /// Most variable slots.
    pub max_vars: usize,
    /// Greatest literal in a clock bound.
    pub max_constant: i32,
    /// Edges of a process beyond those that lead to each location.
    pub max_extra_edges: usize,
    /// Clocks that all processes use; others belong to one.
    pub shared_clock_percent: u64,
    /// Clock conjuncts in guards.
    pub clock_guard_percent: u64,
    /// Upper bounds in invariants.
    pub invariant_percent: u64,
    /// Lower bounds and equalities in invariants, of locations.
    pub odd_invariant_percent: u64,
    /// Discrete conjuncts in invariants, of locations.
    pub discrete_invariant_percent: u64,
    /// Bounds that are not literals.
    pub bound_expr_percent: u64,
    /// Clocks picked from an array at run time.
    pub clock_array_percent: u64,
    /// Clock assignments other than `x = 0`.
    pub odd_reset_percent: u64,
    /// Allow `x = y` among them.
    pub copies: bool,
    /// Allow `x = y + c` among them.
    pub shifts: bool,
    /// Clock constraints under a condition.
    pub conditional_percent: u64,
    /// Clocks that do not start at zero.
    pub clock_init_percent: u64,
    /// Constraints on differences of clocks, of clock conjuncts of guards.
    pub diagonal_percent: u64,
    /// Urgent locations.
    pub urgent_percent: u64,
    /// Committed locations.
    pub committed_percent: u64,
    /// Most channels and arrays of channels.
    pub max_channels: usize,
    /// Arrays of channels, of which edges pick one by a variable.
    pub channel_array_percent: u64,
    /// Broadcast channels.
    pub broadcast_percent: u64,
    /// Urgent channels.
    pub urgent_channel_percent: u64,
    /// Clock guards on urgent channels, of the edges that decide whether time
    /// may pass: closed lower bounds; and any clock guards of receivers of
    /// urgent broadcasts.
    pub deadline_percent: u64,
    /// Networks with priorities of channels.
    pub channel_priority_percent: u64,
    /// Networks with priorities of processes.
    pub process_priority_percent: u64,
    /// Deadlocks, of the least parts of formulas.
    pub deadlock_percent: u64,
    /// Clocks that locations may make stand still, of locations.
    pub rate_percent: u64,
    /// Most synchronisation vectors.
    pub max_vectors: usize,
    /// Weak members of vectors.
    pub weak_percent: u64,
    /// Conditionals and loops, of statements.
    pub control_percent: u64,
    /// Assertions, of statements.
    pub assert_percent: u64,
    /// Most functions.
    pub max_functions: usize,
    /// Calls, of operands.
    pub call_percent: u64,
    /// Writing inside expressions, of operands and indices in updates.
    pub effect_percent: u64,
    /// Loops inside expressions, as quantifiers are, of operands.
    pub quantifier_percent: u64,
    /// Networks with a meta variable.
    pub meta_percent: u64,
    /// Networks with a table of constants.
    pub table_percent: u64,
    /// Networks that do something before every transition, or after it.
    pub around_percent: u64,
    /// Processes with several initial locations.
    pub several_initial_percent: u64,
    /// Networks where an assignment out of range disables the transition.
    pub disable_percent: u64,
    /// Places in updates where a run-time error is not ruled out.
    pub risky_percent: u64,
    /// Places in guards where a run-time error is not ruled out.
    pub risky_guard_percent: u64,
}

impl Default for Config {
    /// Everything but diagonal constraints, clocks that stand still, deadlines,
    /// priorities and deadlocks, in moderation.
    fn default() -> Self {
        Self {
            max_processes: 4,
            max_locations: 5,
            max_clocks: 3,
            max_vars: 3,
            max_constant: 4,
            max_extra_edges: 4,
            shared_clock_percent: 50,
            clock_guard_percent: 50,
            invariant_percent: 30,
            odd_invariant_percent: 4,
            discrete_invariant_percent: 6,
            bound_expr_percent: 20,
            clock_array_percent: 8,
            odd_reset_percent: 30,
            copies: true,
            shifts: true,
            conditional_percent: 8,
            clock_init_percent: 12,
            diagonal_percent: 0,
            urgent_percent: 6,
            committed_percent: 4,
            max_channels: 2,
            channel_array_percent: 35,
            broadcast_percent: 40,
            urgent_channel_percent: 30,
            deadline_percent: 0,
            channel_priority_percent: 0,
            process_priority_percent: 0,
            deadlock_percent: 0,
            rate_percent: 0,
            max_vectors: 2,
            weak_percent: 40,
            control_percent: 15,
            assert_percent: 5,
            max_functions: 2,
            call_percent: 8,
            effect_percent: 8,
            quantifier_percent: 4,
            meta_percent: 25,
            table_percent: 25,
            around_percent: 10,
            several_initial_percent: 12,
            disable_percent: 50,
            risky_percent: 6,
            risky_guard_percent: 1,
        }
    }
}

impl Config {
    /// Networks of a few dozen states: for twins that are slow.
    pub fn small() -> Self {
        Self {
            max_processes: 3,
            max_locations: 3,
            max_clocks: 2,
            max_vars: 2,
            max_constant: 2,
            max_extra_edges: 2,
            ..Self::default()
        }
    }

    /// Networks whose behaviour hangs on the order of clock values: few
    /// processes, many clock constraints with small constants, little else.
    pub fn timed() -> Self {
        Self {
            max_processes: 2,
            max_vars: 1,
            max_constant: 2,
            max_extra_edges: 5,
            shared_clock_percent: 80,
            clock_guard_percent: 90,
            bound_expr_percent: 5,
            urgent_percent: 2,
            committed_percent: 2,
            max_channels: 1,
            max_vectors: 0,
            control_percent: 2,
            max_functions: 1,
            call_percent: 3,
            around_percent: 5,
            ..Self::default()
        }
    }

    /// The same with deadlines and priorities, and deadlocks in formulas.
    pub fn with_subtraction(self) -> Self {
        Self {
            urgent_channel_percent: self.urgent_channel_percent.max(40),
            deadline_percent: 60,
            channel_priority_percent: 35,
            process_priority_percent: 25,
            deadlock_percent: 12,
            ..self
        }
    }

    /// Networks that are in a hurry: time passes in few states, and many have a
    /// single move.
    pub fn hurried(self) -> Self {
        Self {
            max_processes: 3,
            max_locations: 6,
            max_extra_edges: 1,
            max_vars: 1,
            max_channels: 1,
            clock_guard_percent: 20,
            invariant_percent: 60,
            urgent_percent: 10,
            committed_percent: 40,
            max_vectors: 1,
            ..self
        }
    }

    /// Networks that mostly broadcast, to receivers that look at clocks.
    pub fn loud() -> Self {
        Self {
            max_processes: 3,
            max_locations: 3,
            max_vars: 1,
            max_constant: 2,
            max_extra_edges: 3,
            clock_guard_percent: 70,
            invariant_percent: 15,
            broadcast_percent: 95,
            urgent_channel_percent: 5,
            max_vectors: 0,
            ..Self::default()
        }
    }
}
