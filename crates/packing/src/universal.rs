//! Hash functions drawn at random (paper 1, section 4.3).
//!
//! A table that forgets states should be able to forget others in the next run. The paper
//! proposes a universal₂ family (Carter, Wegman, *Universal classes of hash functions*, 1979)
//! with a member for each seed. [`Universal`] is the multilinear family over words
//! s1, s2, ..., sn of 64 bits:
//!
//! ```text
//! h(s) = mix((a0 + a1 s1 + a2 s2 + ... + an sn + a(n+1)  mod 2^128) div 2^64)
//! ```
//!
//! with independent, uniform 128-bit coefficients (Lemire, Kaser, *Strongly universal string
//! hashing is fast*, The Computer Journal 2014).
//!
//! - **U-1** The family is strongly universal: for s ≠ t, the pair (h(s), h(t)) is uniform, so
//!   two states collide with probability 2^-64. Proof: let H be the sum before the division.
//!   The last term makes it as if s ended with a one and zeros without end, so s and t differ
//!   at some i even where one starts with the other; s_i - t_i = 2^j u with u odd and j < 64.
//!   Whatever the other coefficients are, a_i (s_i - t_i) is uniform on the multiples of 2^j,
//!   so the bits j to 127 of H(s) - H(t) are uniform, among them the upper 64. And a0 makes
//!   H(t) uniform whatever H(s) - H(t) is.
//! - **U-2** `mix` is a fixed permutation, so it changes nothing about U-1. Without it, states
//!   in a row (a variable that counts) would lie in a row in the table, much better or much
//!   worse than chance, depending on the seed.
//! - **U-3** The coefficients come from a generator with one word of state, so there are 2^64
//!   members; U-1 holds as far as its numbers pass for independent.
//!
//! [`PaperHash`] is the function of the paper's experiments, its algorithm 5.

use dwell_base::Rng;

/// A member of the family, with `N` independent values of 64 bits.
#[derive(Clone, Debug)]
pub struct Universal<const N: usize> {
    start: [u128; N],
    coefficients: Vec<[u128; N]>,
}

impl<const N: usize> Universal<N> {
    /// The member number `seed`, for sequences of at most `words` words.
    pub fn new(seed: u64, words: usize) -> Self {
        let mut rng = Rng::new(seed);
        let mut draw = || [(); N].map(|()| u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64()));
        Self { start: draw(), coefficients: (0..=words).map(|_| draw()).collect() }
    }

    /// The hash of a sequence.
    #[inline]
    pub fn hash(&self, words: impl IntoIterator<Item = u64>) -> [u64; N] {
        let (mut sums, mut at) = (self.start, 0);
        for word in words {
            let coefficients = &self.coefficients[at];
            for n in 0..N {
                sums[n] = sums[n].wrapping_add(coefficients[n].wrapping_mul(word.into()));
            }
            at += 1;
        }
        let end = &self.coefficients[at];
        std::array::from_fn(|n| mix((sums[n].wrapping_add(end[n]) >> 64) as u64))
    }
}

/// A permutation of the words without visible order (the last step of SplitMix64, Steele,
/// Lea, Flood 2014).
#[inline(always)]
pub(crate) fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}

/// Algorithm 5: the number of a state modulo the size of the table.
///
/// It is one function, not a family, and a bad one where the modulus and the radices have
/// a factor in common: with words and a power of two, only the last word counts.
#[derive(Clone, Copy, Debug)]
pub struct PaperHash {
    modulus: u64,
}

impl PaperHash {
    /// For a table of `modulus` places.
    pub fn new(modulus: u64) -> Self {
        Self { modulus: modulus.max(1) }
    }

    /// The place of a sequence of (digit, radix).
    pub fn of_digits(self, digits: impl IntoIterator<Item = (u64, u64)>) -> u64 {
        let step = |place: u64, (digit, radix)| {
            (u128::from(place) * u128::from(radix) + u128::from(digit)) % u128::from(self.modulus)
        };
        digits.into_iter().fold(0, |place, digit| step(place, digit) as u64)
    }

    /// The place of a sequence of words, the first the most significant.
    pub fn of_words(self, words: impl IntoIterator<Item = u64>) -> u64 {
        let step =
            |place: u64, word: u64| (u128::from(place) << 64 | u128::from(word)) % u128::from(self.modulus);
        words.into_iter().fold(0, |place, word| step(place, word) as u64)
    }

    /// A hash that [`place`] takes to `place` again in a table of as many places.
    pub fn spread(self, place: u64) -> u64 {
        (u128::from(place) << 64).div_ceil(u128::from(self.modulus)) as u64
    }
}

/// The place of a hash in a table of `places`: by its upper bits, without a division.
#[inline(always)]
pub fn place(hash: u64, places: u64) -> u64 {
    ((u128::from(hash) * u128::from(places)) >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Radices;

    /// The square sum of deviations from equal shares, over the expected one; near 1.
    fn deviation(counts: &[u32]) -> f64 {
        let total: u32 = counts.iter().sum();
        let share = f64::from(total) / counts.len() as f64;
        let sum: f64 = counts.iter().map(|&c| (f64::from(c) - share).powi(2) / share).sum();
        sum / (counts.len() - 1) as f64
    }

    /// Sequences that resemble each other, in 256 buckets: upper bits, lower bits, both
    /// values together. The deviation over 255 degrees of freedom has a spread of 0.09.
    #[test]
    fn members_spread_similar_sequences() {
        for seed in 0..20 {
            let member = Universal::<2>::new(seed, 3);
            let mut counts = [[0; 256]; 4];
            for i in 0..25_600 {
                let [a, b] = member.hash([i % 160, 7, i / 160]);
                counts[0][(a >> 56) as usize] += 1;
                counts[1][(b >> 56) as usize] += 1;
                counts[2][(a & 255) as usize] += 1;
                counts[3][((a >> 60) << 4 | b >> 60) as usize] += 1;
            }
            for counts in counts {
                assert!((0.6..1.5).contains(&deviation(&counts)), "seed {seed}: {}", deviation(&counts));
            }
        }
    }

    /// U-1 with 8 bits: over all seeds, a pair of sequences takes all pairs of values alike.
    #[test]
    fn pairs_are_uniform_over_the_members() {
        let pairs: [(&[u64], &[u64]); 4] =
            [(&[0], &[1]), (&[1 << 63, 5], &[0, 5]), (&[3], &[3, 0]), (&[], &[0])];
        for (s, t) in pairs {
            let (mut counts, mut equal) = ([0; 256], 0);
            for seed in 0..40_000 {
                let member = Universal::<1>::new(seed, 2);
                let [x] = member.hash(s.iter().copied());
                let [y] = member.hash(t.iter().copied());
                counts[((x >> 60) << 4 | y >> 60) as usize] += 1;
                equal += u32::from(x >> 56 == y >> 56);
            }
            assert!((0.6..1.5).contains(&deviation(&counts)), "{s:?} {t:?}");
            assert!((100..220).contains(&equal), "{s:?} {t:?}: {equal} of 156 expected");
        }
    }

    #[test]
    fn the_seed_fixes_the_member() {
        let [x] = Universal::<1>::new(1, 4).hash([1, 2, 3]);
        assert_eq!([x], Universal::<1>::new(1, 9).hash([1, 2, 3]));
        assert_ne!([x], Universal::<1>::new(2, 4).hash([1, 2, 3]));
    }

    #[test]
    fn the_paper_takes_the_number_modulo_the_size() {
        let radices = [5, 300, 43, 43, 43, 4003, 1 << 32, 9];
        let digits = [4, 299, 0, 42, 17, 4000, 123_456_789, 8];
        let packed = Radices::new(&radices);
        let mut number = vec![0; packed.limbs()];
        packed.pack(&digits, &mut number);
        for modulus in [1, 2, 97, 1 << 27, (1 << 61) - 1, u64::MAX] {
            let paper = PaperHash::new(modulus);
            let at = paper.of_digits(digits.iter().zip(radices).map(|(&d, r)| (d.into(), r)));
            assert_eq!(at, paper.of_words(number.iter().rev().copied()));
            assert!(at < modulus);
            assert_eq!(place(paper.spread(at), modulus), at);
        }
    }
}
