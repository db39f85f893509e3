//! Random numbers for searches and levels: fast, small, and the same on every machine.
//!
//! Not for anything that must be unpredictable.

/// One step of SplitMix64 (Steele, Lea and Flood, 2014): the number and the next state.
#[inline(always)]
pub const fn split_mix(state: u64) -> (u64, u64) {
    let next = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = next;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (z ^ (z >> 31), next)
}

/// A stream of random numbers that follows from its seed alone.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The stream of a seed; any seed is good.
    pub const fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    /// The next 64 random bits.
    #[inline(always)]
    pub fn next_u64(&mut self) -> u64 {
        let (number, next) = split_mix(self.0);
        self.0 = next;
        number
    }

    /// A number below `limit`; 0 if the limit is 0. The bias, at most limit / 2^32, is far below
    /// what a play-out could show.
    #[inline(always)]
    pub fn below(&mut self, limit: u32) -> u32 {
        (((self.next_u64() >> 32) * u64::from(limit)) >> 32) as u32
    }

    /// A number from 0 (included) to 1 (excluded).
    #[inline]
    pub fn unit(&mut self) -> f32 {
        (self.next_u64() >> 40) as f32 / (1_u64 << 24) as f32
    }
}
