//! Words that are special only sometimes.
//!
//! Hard keywords are tokens of their own (see the lexer) and never names. The
//! words here are names unless their place says otherwise, so that models from
//! before UPPAAL made them keywords go on working.

/// Mathematical functions, sorted.
#[rustfmt::skip]
const FUNCTIONS: [&str; 61] = [
    "abs", "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "copysign",
    "cos", "cosh", "erf", "erfc", "exp", "exp2", "expm1", "fabs", "fdim", "fint", "floor", "fma",
    "fmax", "fmin", "fmod", "fpclassify", "hypot", "ilogb", "isfinite", "isinf", "isnan",
    "isnormal", "isunordered", "ldexp", "lgamma", "ln", "log", "log10", "log1p", "log2", "logb",
    "nextafter", "pow", "random", "random_arcsine", "random_beta", "random_gamma", "random_normal",
    "random_poisson", "random_tri", "random_weibull", "round", "signbit", "sin", "sinh", "sqrt",
    "tan", "tanh", "tgamma", "trunc",
];

/// Other words that are keywords for UPPAAL 5 and were names before, sorted.
const LATE: [&str; 10] =
    ["IO", "double", "dynamic", "exit", "hybrid", "import", "location", "query", "spawn", "string"];

/// Keywords of queries that models may use as names, sorted. Those that
/// queries accept as names too (`sup`, `A`, `U` …) are not here.
#[rustfmt::skip]
const QUERY: [&str; 19] = [
    "Pmax", "Pr", "X", "control", "control_t", "deadlock", "foreach", "imitate", "loadStrategy", "maxE",
    "maxPr", "minE", "minPr", "numOf", "sat", "saveStrategy", "simulate", "strategy", "under",
];

/// Kept free by the manual for later versions of the language.
const RESERVED: [&str; 5] = ["break", "case", "continue", "enum", "switch"];

/// The number of a soft keyword: functions first, then the late words.
pub(super) fn soft(word: &str) -> Option<u32> {
    let late = || LATE.binary_search(&word).ok().map(|i| i + FUNCTIONS.len());
    FUNCTIONS.binary_search(&word).ok().or_else(late).map(|i| i as u32)
}

/// The number of a mathematical function.
pub(super) fn function(word: &str) -> Option<u32> {
    FUNCTIONS.binary_search(&word).ok().map(|i| i as u32)
}

/// Is this a late keyword of models that is none of queries and labels?
pub(super) fn is_model_word(word: &str) -> bool {
    word != "double" && LATE.contains(&word)
}

/// Is this a keyword of queries?
pub(super) fn is_query_keyword(word: &str) -> bool {
    QUERY.binary_search(&word).is_ok()
}

/// Is this one of the words the manual keeps free?
pub(super) fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word)
}

/// A set of soft keywords: those a model declares as names of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct WordSet(u128);

impl WordSet {
    const ROOM: () = assert!(FUNCTIONS.len() + LATE.len() <= 128);

    pub fn insert(&mut self, number: u32) {
        let () = Self::ROOM;
        self.0 |= 1 << number;
    }

    pub fn contains(self, number: u32) -> bool {
        self.0 >> number & 1 == 1
    }

    pub fn contains_word(self, word: &str) -> bool {
        soft(word).is_some_and(|number| self.contains(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        assert!(FUNCTIONS.is_sorted() && LATE.is_sorted() && QUERY.is_sorted());
    }

    #[test]
    fn numbers_differ() {
        let mut set = WordSet::default();
        for word in FUNCTIONS.iter().chain(&LATE) {
            assert!(!set.contains_word(word), "{word}");
            set.insert(soft(word).unwrap());
            assert!(set.contains_word(word), "{word}");
        }
    }
}
