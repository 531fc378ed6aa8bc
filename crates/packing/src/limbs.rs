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
    for (limb, bytes) in limbs.iter().zip(bytes.chunks_mut(8)) {
        debug_assert!(bytes.len() == 8 || limb >> (8 * bytes.len()) == 0, "bytes are lost");
        bytes.copy_from_slice(&limb.to_le_bytes()[..bytes.len()]);
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
        *limb = rest.iter().rev().fold(0, |limb, &byte| limb << 8 | u64::from(byte));
    }
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
            let mut back = vec![0; len];
            to_bytes(&limbs, &mut back);
            assert_eq!(back, bytes);
        }
    }
}
