//! Exact rational numbers over 128-bit integers.
//!
//! R-1 the denominator is positive; R-2 numerator and denominator have no
//! common factor, so equal numbers are equal structures. A sum whose
//! computation does not fit is an [`Overflow`]; comparisons always succeed.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// A rational number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rational {
    numerator: i128,
    denominator: i128,
}

/// A result that needs more than 128 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overflow;

impl Rational {
    /// 0.
    pub const ZERO: Rational = Rational { numerator: 0, denominator: 1 };

    /// `numerator / denominator`. `None` for a zero denominator and for the
    /// few quotients whose sign cannot be normalised in 128 bits.
    pub fn new(numerator: i128, denominator: i128) -> Option<Self> {
        if denominator == 0 || numerator == i128::MIN || denominator == i128::MIN {
            return None;
        }
        let divisor = gcd(numerator, denominator) * denominator.signum();
        Some(Self { numerator: numerator / divisor, denominator: denominator / divisor })
    }

    /// The numerator in lowest terms.
    pub fn numerator(self) -> i128 {
        self.numerator
    }

    /// The denominator in lowest terms, positive.
    pub fn denominator(self) -> i128 {
        self.denominator
    }

    /// The greatest whole number that is not greater, and what remains.
    pub fn split(self) -> (i128, Self) {
        let whole = self.numerator.div_euclid(self.denominator);
        // Numerator and denominator have no common factor: nor has the rest.
        (whole, Self { numerator: self.numerator.rem_euclid(self.denominator), ..self })
    }

    /// True below zero.
    pub fn is_negative(self) -> bool {
        self.numerator < 0
    }

    /// True for zero.
    pub fn is_zero(self) -> bool {
        self.numerator == 0
    }

    /// The sum.
    pub fn checked_add(self, other: Self) -> Result<Self, Overflow> {
        let sum = || {
            let divisor = gcd(self.denominator, other.denominator);
            let left = self.numerator.checked_mul(other.denominator / divisor)?;
            let right = other.numerator.checked_mul(self.denominator / divisor)?;
            let denominator = self.denominator.checked_mul(other.denominator / divisor)?;
            Self::new(left.checked_add(right)?, denominator)
        };
        sum().ok_or(Overflow)
    }

    /// The difference.
    pub fn checked_sub(self, other: Self) -> Result<Self, Overflow> {
        // R-1 and `new` keep MIN out of numerators, so the sign can be turned.
        self.checked_add(Self { numerator: -other.numerator, ..other })
    }

    /// The number half-way to another.
    pub fn checked_middle(self, other: Self) -> Result<Self, Overflow> {
        let sum = self.checked_add(other)?;
        let double = sum.denominator.checked_mul(2).ok_or(Overflow)?;
        Self::new(sum.numerator, double).ok_or(Overflow)
    }
}

impl From<i32> for Rational {
    fn from(value: i32) -> Self {
        Self { numerator: value.into(), denominator: 1 }
    }
}

impl Ord for Rational {
    /// Compares integer parts, then the reciprocals of what remains, as in
    /// Euclid's algorithm: no product is formed, so nothing overflows.
    fn cmp(&self, other: &Self) -> Ordering {
        let (mut a, mut b) = (*self, *other);
        let mut turned = false;
        loop {
            let (whole_a, rest_a) =
                (a.numerator.div_euclid(a.denominator), a.numerator.rem_euclid(a.denominator));
            let (whole_b, rest_b) =
                (b.numerator.div_euclid(b.denominator), b.numerator.rem_euclid(b.denominator));
            let order = whole_a.cmp(&whole_b).then_with(|| match (rest_a, rest_b) {
                (0, 0) => Ordering::Equal,
                (0, _) => Ordering::Less,
                (_, 0) => Ordering::Greater,
                _ => Ordering::Equal,
            });
            if order != Ordering::Equal || rest_a == 0 {
                return if turned { order.reverse() } else { order };
            }
            a = Self { numerator: a.denominator, denominator: rest_a };
            b = Self { numerator: b.denominator, denominator: rest_b };
            turned = !turned;
        }
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.denominator == 1 {
            write!(f, "{}", self.numerator)
        } else {
            write!(f, "{}/{}", self.numerator, self.denominator)
        }
    }
}

/// Not a rational number: neither `7` nor `-3/2` in form, a zero denominator,
/// or too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseRationalError;

impl fmt::Display for ParseRationalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a number such as 7 or 3/2")
    }
}

impl std::error::Error for ParseRationalError {}

impl FromStr for Rational {
    type Err = ParseRationalError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
        if denominator.starts_with(['-', '+']) {
            return Err(ParseRationalError);
        }
        let parse = |part: &str| part.parse::<i128>().map_err(|_| ParseRationalError);
        Self::new(parse(numerator)?, parse(denominator)?).ok_or(ParseRationalError)
    }
}

/// The greatest common divisor, positive; one argument must not be zero and
/// neither may be `i128::MIN`.
fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rational(text: &str) -> Rational {
        text.parse().unwrap()
    }

    #[test]
    fn text_round_trips_in_lowest_terms() {
        for (text, shown) in
            [("0", "0"), ("6/4", "3/2"), ("-6/4", "-3/2"), ("0/5", "0"), ("8/2", "4"), ("1/3", "1/3")]
        {
            assert_eq!(rational(text).to_string(), shown);
            assert_eq!(rational(shown), rational(text));
        }
        for text in
            ["", "1/0", "1/-2", "a", "1/", "/2", "1.5", "1/2/3", "999999999999999999999999999999999999999999"]
        {
            assert_eq!(text.parse::<Rational>(), Err(ParseRationalError), "{text}");
        }
    }

    #[test]
    fn sums_and_order_agree_with_common_denominators() {
        let all: Vec<Rational> =
            (-6..=6).flat_map(|n| (1..=6).map(move |d| Rational::new(n, d).unwrap())).collect();
        for &a in &all {
            for &b in &all {
                let (x, y) = (a.numerator() * b.denominator(), b.numerator() * a.denominator());
                assert_eq!(a.cmp(&b), x.cmp(&y), "{a} {b}");
                let sum = a.checked_add(b).unwrap();
                assert_eq!(Some(sum), Rational::new(x + y, a.denominator() * b.denominator()));
                assert_eq!(sum.checked_sub(b), Ok(a));
                assert_eq!(sum.checked_sub(a).unwrap().cmp(&b), Ordering::Equal);
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_an_error_and_order_still_works() {
        let huge = Rational::new(i128::MAX, 2).unwrap();
        assert_eq!(huge.checked_add(huge), Err(Overflow));
        assert_eq!(Rational::new(i128::MAX, 1).unwrap().checked_add(Rational::from(1)), Err(Overflow));
        let fine = Rational::new(1, i128::MAX).unwrap();
        let finer = Rational::new(1, i128::MAX - 1).unwrap();
        assert!(fine < finer && finer < huge && Rational::ZERO < fine);
        assert_eq!(fine.checked_add(finer), Err(Overflow));
        assert_eq!(Rational::new(i128::MIN, 1), None);
    }
}
