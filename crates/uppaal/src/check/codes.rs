//! The codes of everything the checker reports. They are stable: programs may
//! act on them.

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $code:literal;)*) => {
        $($(#[$doc])* pub const $name: &str = $code;)*

        /// Every code.
        pub const ALL: &[&str] = &[$($code),*];
    };
}

codes! {
    // Names.
    /// A name that is not declared.
    UNKNOWN_NAME = "unknown-name";
    /// A type's name that is not declared.
    UNKNOWN_TYPE = "unknown-type";
    /// A name declared twice in one scope.
    DUPLICATE_NAME = "duplicate-name";
    /// A name that is no process of the system.
    UNKNOWN_PROCESS = "unknown-process";
    /// A name that is no template, where one is instantiated.
    NOT_A_TEMPLATE = "not-a-template";
    /// An edge from or to a location that does not exist.
    UNKNOWN_LOCATION = "unknown-location";
    /// Something else where a location must stand.
    LOCATION_EXPECTED = "location-expected";
    /// A member of something that has none.
    NOT_A_STRUCTURE = "not-a-structure";
    /// A member that a structure or process does not have.
    UNKNOWN_MEMBER = "unknown-member";
    /// A set of processes where one process must stand, or no process at all.
    NOT_A_PROCESS = "not-a-process";
    /// Something else where a type must stand.
    NOT_A_TYPE = "not-a-type";
    /// A type, function, template or location used as a value.
    NOT_A_VALUE = "not-a-value";

    // Types.
    /// `urgent` before something other than a channel.
    URGENT_PREFIX = "urgent-prefix";
    /// `broadcast` before something other than a channel.
    BROADCAST_PREFIX = "broadcast-prefix";
    /// `hybrid` before something other than a clock.
    HYBRID_PREFIX = "hybrid-prefix";
    /// `const` or `meta` before a type that cannot be either.
    CONST_PREFIX = "const-prefix";
    /// A type that cannot be passed by reference, or only so.
    PARAMETER_TYPE = "parameter-type";
    /// A type that a variable cannot have.
    VARIABLE_TYPE = "variable-type";
    /// Bounds of a range that are no integers.
    RANGE_BOUND = "range-bound";
    /// A range whose upper bound is below its lower bound.
    EMPTY_RANGE = "empty-range";
    /// A size or index type that an array cannot have.
    ARRAY_SIZE = "array-size";
    /// A field of a type that structures cannot hold.
    FIELD_TYPE = "field-type";
    /// A `const` field.
    FIELD_PREFIX = "field-prefix";
    /// Types nested too deep.
    TYPE_TOO_DEEP = "type-too-deep";
    /// A `string` that is not `const`.
    STRING_NOT_CONST = "string-not-const";

    // Initial values.
    /// An initial value for something that cannot have one.
    CANNOT_INITIALISE = "cannot-initialise";
    /// A constant without a value.
    CONST_WITHOUT_VALUE = "const-without-value";
    /// Something that must be known before the model runs, and is not.
    NOT_COMPILE_TIME = "not-compile-time";
    /// A change where nothing may change.
    SIDE_EFFECT = "side-effect";
    /// A field name in the initial value of an array.
    FIELD_IN_ARRAY = "field-in-array";
    /// A field that the structure does not have.
    UNKNOWN_FIELD = "unknown-field";
    /// More values than places.
    TOO_MANY_ELEMENTS = "too-many-elements";
    /// A field given twice.
    DUPLICATE_FIELD = "duplicate-field";
    /// Fewer values than places.
    MISSING_ELEMENTS = "missing-elements";
    /// An initial value of another type.
    INCOMPATIBLE_INITIALISER = "incompatible-initialiser";
    /// A constant outside its range.
    OUT_OF_RANGE = "out-of-range";

    // Functions.
    /// A type that a function cannot return.
    RETURN_TYPE = "return-type";
    /// A path through a function without `return`.
    MISSING_RETURN = "missing-return";
    /// A value for `void`, none for something else, or one of another type.
    RETURN_VALUE = "return-value";
    /// A function that calls itself.
    RECURSION = "recursion";
    /// A variable in a function that cannot be local.
    LOCAL_TYPE = "local-type";
    /// Fewer arguments than parameters.
    TOO_FEW_ARGUMENTS = "too-few-arguments";
    /// More arguments than parameters.
    TOO_MANY_ARGUMENTS = "too-many-arguments";
    /// An argument of another type than its parameter.
    INCOMPATIBLE_ARGUMENT = "incompatible-argument";
    /// A reference to something that is no variable.
    REFERENCE_ARGUMENT = "reference-argument";
    /// A call of something that is no function.
    NOT_A_FUNCTION = "not-a-function";

    // Expressions.
    /// A condition is needed.
    BOOLEAN_EXPECTED = "boolean-expected";
    /// An integer is needed.
    INTEGER_EXPECTED = "integer-expected";
    /// A number is needed.
    NUMBER_EXPECTED = "number-expected";
    /// An array is needed.
    ARRAY_EXPECTED = "array-expected";
    /// A clock is needed.
    CLOCK_EXPECTED = "clock-expected";
    /// A channel is needed.
    CHANNEL_EXPECTED = "channel-expected";
    /// An index of another type than the array's.
    INDEX_TYPE = "index-type";
    /// A type without bounds, where all its values are gone through.
    RANGE_EXPECTED = "range-expected";
    /// Operands that do not go together.
    INCOMPATIBLE_TYPES = "incompatible-types";
    /// Something that cannot be changed.
    NOT_ASSIGNABLE = "not-assignable";
    /// `*=` and such on something that is no integer.
    PLAIN_ASSIGNMENT = "plain-assignment";
    /// `++`, `+=` and such on something that is no integer.
    INCREMENT_TYPE = "increment-type";
    /// Branches of `?:` that do not go together.
    INCOMPATIBLE_BRANCHES = "incompatible-branches";
    /// A sum over something that cannot be added.
    SUM_TYPE = "sum-type";
    /// An update that is no assignment, step or call.
    INVALID_UPDATE = "invalid-update";

    // Edges and locations.
    /// A guard that says too much about clocks, or is no condition.
    GUARD_TYPE = "guard-type";
    /// An invariant that says too much about clocks, or is no condition.
    INVARIANT_TYPE = "invariant-type";
    /// A weight or rate that is no number.
    PROBABILITY_TYPE = "probability-type";
    /// A location both urgent and committed.
    COMMITTED_URGENT = "committed-urgent";
    /// An invariant that sets one clock's rate twice.
    RATE_SET_TWICE = "rate-set-twice";
    /// `c!` and `c?` beside bare `c` in one model.
    MIXED_SYNCHRONISATION = "mixed-synchronisation";
    /// A template without an initial location.
    MISSING_INIT = "missing-init";
    /// A label that edges out of a branch point cannot have.
    BRANCHPOINT_LABEL = "branchpoint-label";

    // System.
    /// A free parameter of a type that cannot be gone through.
    FREE_PARAMETER_TYPE = "free-parameter-type";
    /// A free parameter that sizes or select types depend on.
    FREE_PARAMETER_SIZE = "free-parameter-size";
    /// A process twice on the system line.
    PROCESS_TWICE = "process-twice";
    /// More than one channel priority.
    PRIORITY_TWICE = "priority-twice";

    // Queries.
    /// Something that is no formula.
    INVALID_FORMULA = "invalid-formula";
    /// `deadlock` in other queries than `E<>` and `A[]`.
    DEADLOCK_PLACEMENT = "deadlock-placement";
    /// Floating-point numbers or hybrid clocks in a symbolic query.
    NOT_SYMBOLIC = "not-symbolic";
    /// A symbolic query to a model with dynamic templates.
    DYNAMIC_TEMPLATES = "dynamic-templates";
    /// `sup` or `inf` of something that is no integer and no clock.
    EXTREMUM_TYPE = "extremum-type";

    // Warnings.
    /// A statement or update that changes nothing.
    NO_EFFECT = "no-effect";
    /// A select or quantifier variable that hides another name.
    SHADOWED = "shadowed";
    /// A clock guard on an urgent edge.
    URGENT_CLOCK_GUARD = "urgent-clock-guard";
    /// A strict clock guard on an urgent edge.
    URGENT_STRICT_GUARD = "urgent-strict-guard";
    /// A lower bound in an invariant.
    INVARIANT_LOWER_BOUND = "invariant-lower-bound";
    /// A location called `__RESET__`.
    RESET_LOCATION = "reset-location";

    // Only on request.
    /// Something declared and never used.
    UNUSED = "unused";
    /// A variable that is written and never read.
    NEVER_READ = "never-read";
    /// A variable that keeps its initial value.
    NEVER_WRITTEN = "never-written";
    /// A template without a process.
    NEVER_INSTANTIATED = "never-instantiated";
    /// A location that no path of edges leads to.
    UNREACHABLE_LOCATION = "unreachable-location";
    /// A channel with senders only, or receivers only.
    UNMATCHED_CHANNEL = "unmatched-channel";
    /// A cycle that may be run through without time passing.
    ZENO_CYCLE = "zeno-cycle";
    /// An invariant with `<`.
    STRICT_INVARIANT = "strict-invariant";
    /// An invariant that never holds.
    IMPOSSIBLE_INVARIANT = "impossible-invariant";
}
