//! Mirror of `shuttle::rand`: the random numbers of a test are part of its schedule.

pub use rand::{Rng, RngCore};

/// Mirror of `shuttle::rand::rngs`.
pub mod rngs {
    use crate::run::{self, Data};
    use rand::{CryptoRng, Error, RngCore};

    /// Mirror of `shuttle::rand::rngs::ThreadRng`. In a random search the numbers are chosen by the search, and come again
    /// when a schedule is replayed. In an exhaustive one they are refused, unless the scheduler allows them: then they follow
    /// from a seed.
    #[derive(Clone, Default, Debug)]
    #[non_exhaustive]
    pub struct ThreadRng;

    impl RngCore for ThreadRng {
        #[track_caller]
        fn next_u32(&mut self) -> u32 {
            self.next_u64() as u32
        }

        #[track_caller]
        fn next_u64(&mut self) -> u64 {
            match run::with(|run| run.data) {
                Data::Choices => (0..4).fold(0, |number, _| number << 16 | mazurka::choose(1 << 16) as u64),
                Data::Fixed(state) => {
                    let (state, number) = split_mix(state);
                    run::with(|run| run.data = Data::Fixed(state));
                    number
                }
                Data::Refused => panic!(
                    "a random number in an exhaustive search: use mazurka::choose for a few values that are all \
                     explored, or DfsScheduler::new(_, true) for numbers that are the same in every execution"
                ),
            }
        }

        fn fill_bytes(&mut self, place: &mut [u8]) {
            for chunk in place.chunks_mut(8) {
                let bytes = self.next_u64().to_le_bytes();
                chunk.copy_from_slice(&bytes[..chunk.len()]);
            }
        }

        fn try_fill_bytes(&mut self, place: &mut [u8]) -> Result<(), Error> {
            self.fill_bytes(place);
            Ok(())
        }
    }

    impl CryptoRng for ThreadRng {}

    /// The next state and number of the generator `SplitMix64` (Steele, Lea and Flood, OOPSLA 2014).
    fn split_mix(state: u64) -> (u64, u64) {
        let state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let number = (state ^ state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let number = (number ^ number >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (state, number ^ number >> 31)
    }
}

/// The generator of the thread that calls.
pub fn thread_rng() -> rngs::ThreadRng {
    rngs::ThreadRng
}
