//! Numbers as sequences of limbs, the least significant first.
//!
//! Only what a mixed-radix number needs: one multiply-and-add, one division by a divisor
//! known in advance, and the way to bytes. A division of two limbs by one costs two
//! multiplications with a precomputed reciprocal (Möller, Granlund, *Improved division by
//! invariant integers*, IEEE Transactions on Computers 2011, algorithm 4).

/// `limbs = limbs * factor + summand`; the carry out of the last limb.
#[inline(always)]
pub(crate) fn mul_add(limbs: &mut [u64], factor: u64, summand: u64) -> u64 {
    let mut carry = summand;
    for limb in limbs {
        // At most (2^64 - 1)² + 2^64 - 1: no overflow.
        let wide = u128::from(*limb) * u128::from(factor) + u128::from(carry);
        *limb = wide as u64;
        carry = (wide >> 64) as u64;
    }
    carry
}

/// Division by a constant d as multiplication (Granlund, Montgomery, *Division by invariant
/// integers using multiplication*, PLDI 1994): with l = ⌈log2 d⌉ and M = ⌈2^(63 + l) / d⌉,
/// n / d = n M / 2^(63 + l) rounded down for all n < 2^63.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quotient {
    magic: u64,
    shift: u32,
}

impl Quotient {
    /// Of what is smaller than the divisor.
    pub(crate) const ZERO: Self = Self { magic: 0, shift: 0 };

    pub(crate) fn by(divisor: u64) -> Self {
        let shift = divisor.next_power_of_two().ilog2();
        Self { magic: (1_u128 << (63 + shift)).div_ceil(u128::from(divisor)) as u64, shift }
    }

    #[inline(always)]
    pub(crate) fn of(self, number: u64) -> u64 {
        ((u128::from(2 * number) * u128::from(self.magic)) >> 64) as u64 >> self.shift
    }
}

/// A divisor below 2^63 with its reciprocal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Divisor {
    /// Shifted so that the top bit is set.
    normal: u64,
    reciprocal: u64,
    /// At least 1.
    shift: u32,
}

impl Divisor {
    pub(crate) fn new(divisor: u64) -> Self {
        assert!(divisor > 0 && divisor < 1 << 63, "no such divisor");
        let shift = divisor.leading_zeros();
        let normal = divisor << shift;
        // The part above 2^64 is always one and dropped.
        let reciprocal = (u128::MAX / u128::from(normal)) as u64;
        Self { normal, reciprocal, shift }
    }

    /// `limbs = limbs / divisor`; the remainder.
    #[inline(always)]
    pub(crate) fn divide(self, limbs: &mut [u64]) -> u64 {
        self.divide_all([limbs])[0]
    }

    /// Divides numbers of one length side by side: a division waits for itself, so two
    /// take hardly longer than one.
    #[inline(always)]
    pub(crate) fn divide_all<const N: usize>(self, numbers: [&mut [u64]; N]) -> [u64; N] {
        let len = numbers.first().map_or(0, |limbs| limbs.len());
        if len == 0 {
            return [0; N];
        }
        let mut above = numbers.each_ref().map(|limbs| limbs[len - 1]);
        let mut remainders = above.map(|top| top >> (64 - self.shift));
        for i in (0..len).rev() {
            for n in 0..N {
                let below = if i == 0 { 0 } else { numbers[n][i - 1] };
                let low = above[n] << self.shift | below >> (64 - self.shift);
                above[n] = below;
                (numbers[n][i], remainders[n]) = self.step(remainders[n], low);
            }
        }
        remainders.map(|remainder| remainder >> self.shift)
    }

    /// Quotient and remainder of `high * 2^64 + low`, where `high < normal`.
    #[inline(always)]
    fn step(self, high: u64, low: u64) -> (u64, u64) {
        let estimate =
            u128::from(self.reciprocal) * u128::from(high) + (u128::from(high) << 64 | u128::from(low));
        let mut quotient = ((estimate >> 64) as u64).wrapping_add(1);
        let mut remainder = low.wrapping_sub(quotient.wrapping_mul(self.normal));
        // PERF: every other time, so not a branch.
        let too_large = u64::from(remainder > estimate as u64);
        quotient = quotient.wrapping_sub(too_large);
        remainder = remainder.wrapping_add(self.normal & too_large.wrapping_neg());
        // Hardly ever.
        if remainder >= self.normal {
            quotient += 1;
            remainder -= self.normal;
        }
        (quotient, remainder)
    }
}

/// Writes the low bytes of `limbs`; what is cut off must be zero.
#[inline]
pub fn to_bytes(limbs: &[u64], bytes: &mut [u8]) {
    assert_eq!(limbs.len(), bytes.len().div_ceil(8), "wrong number of bytes");
    let (whole, rest) = bytes.as_chunks_mut::<8>();
    for (bytes, limb) in whole.iter_mut().zip(limbs) {
        *bytes = limb.to_le_bytes();
    }
    if let Some(limb) = limbs.get(whole.len()) {
        debug_assert!(limb >> (8 * rest.len()) == 0, "bytes are lost");
        rest.iter_mut().zip(limb.to_le_bytes()).for_each(|(byte, of)| *byte = of);
    }
}

/// The inverse of [`to_bytes`].
#[inline]
pub fn from_bytes(bytes: &[u8], limbs: &mut [u64]) {
    assert_eq!(limbs.len(), bytes.len().div_ceil(8), "wrong number of bytes");
    let (whole, rest) = bytes.as_chunks::<8>();
    for (limb, bytes) in limbs.iter_mut().zip(whole) {
        *limb = u64::from_le_bytes(*bytes);
    }
    if let Some(limb) = limbs.get_mut(whole.len()) {
        *limb = last_of(bytes, rest);
    }
}

/// One limb of [`from_bytes`]; zero beyond the last.
#[inline(always)]
pub(crate) fn get(bytes: &[u8], at: usize) -> u64 {
    let (whole, rest) = bytes.as_chunks::<8>();
    match whole.get(at) {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None if at == whole.len() && !rest.is_empty() => last_of(bytes, rest),
        None => 0,
    }
}

/// The limb of the bytes that are left at the end; there is at least one.
#[inline(always)]
fn last_of(bytes: &[u8], rest: &[u8]) -> u64 {
    match bytes.last_chunk::<8>() {
        // PERF: the bytes before are read once more and shifted out.
        Some(last) => u64::from_le_bytes(*last) >> (64 - 8 * rest.len()),
        None => rest.iter().rev().fold(0, |limb, &byte| limb << 8 | u64::from(byte)),
    }
}

/// Do the bytes make these limbs?
#[inline]
pub fn is_equal(bytes: &[u8], limbs: &[u64]) -> bool {
    limbs.iter().enumerate().all(|(at, &limb)| get(bytes, at) == limb)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dwell_base::Rng;

    #[test]
    fn division_undoes_multiplication() {
        let mut rng = Rng::new(3);
        let mut divisors = vec![1, 2, 3, (1 << 63) - 1, 1 << 62, (1 << 62) + 1, 43];
        divisors.extend((1..63).map(|bits| (rng.next_u64() >> (64 - bits)).max(1)));
        for &divisor in &divisors {
            for len in 0..5 {
                for extreme in [0, 1, 2] {
                    let limb = |rng: &mut Rng| match extreme {
                        0 => u64::MAX,
                        1 => 0,
                        _ => rng.next_u64(),
                    };
                    let quotient: Vec<u64> = (0..len).map(|_| limb(&mut rng)).collect();
                    for remainder in [0, divisor - 1, rng.below(divisor)] {
                        let mut number = quotient.clone();
                        let carry = mul_add(&mut number, divisor, remainder);
                        number.push(carry);
                        assert_eq!(Divisor::new(divisor).divide(&mut number), remainder, "{divisor}");
                        assert_eq!(number[..len], quotient[..]);
                        assert_eq!(number[len], 0);
                    }
                }
            }
        }
        assert_eq!(Divisor::new(7).divide(&mut []), 0);
    }

    #[test]
    fn bytes_and_back() {
        for len in 0..=17_usize {
            let bytes: Vec<u8> = (1..=len as u8).collect();
            let mut limbs = vec![u64::MAX; len.div_ceil(8)];
            from_bytes(&bytes, &mut limbs);
            assert!(
                is_equal(&bytes, &limbs) && (0..4).all(|at| get(&bytes, at) == *limbs.get(at).unwrap_or(&0))
            );
            let mut back = vec![0; len];
            to_bytes(&limbs, &mut back);
            assert_eq!(back, bytes);
        }
    }
}
