//! Names that every model in the new syntax may use (LANGUAGE, lexis).

/// Integer constants.
pub const CONSTANTS: [(&str, i32); 8] = [
    ("INT8_MIN", -128),
    ("INT8_MAX", 127),
    ("UINT8_MAX", 255),
    ("INT16_MIN", -32768),
    ("INT16_MAX", 32767),
    ("UINT16_MAX", 65535),
    ("INT32_MIN", i32::MIN),
    ("INT32_MAX", i32::MAX),
];

/// Integer types and their ranges.
pub const TYPES: [(&str, i32, i32); 5] = [
    ("int8_t", -128, 127),
    ("uint8_t", 0, 255),
    ("int16_t", -32768, 32767),
    ("uint16_t", 0, 65535),
    ("int32_t", i32::MIN, i32::MAX),
];

/// Floating-point constants: only their names matter to symbolic analysis.
pub const DOUBLES: [&str; 17] = [
    "FLT_MIN",
    "FLT_MAX",
    "DBL_MIN",
    "DBL_MAX",
    "M_PI",
    "M_PI_2",
    "M_PI_4",
    "M_E",
    "M_LOG2E",
    "M_LOG10E",
    "M_LN2",
    "M_LN10",
    "M_1_PI",
    "M_2_PI",
    "M_2_SQRTPI",
    "M_SQRT2",
    "M_SQRT1_2",
];

/// The range of `int` without bounds.
pub const INT: (i32, i32) = (-32768, 32767);
