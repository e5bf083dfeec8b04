//! What an execution did, as one number after each step: a task that another worker or process takes over is run again from its
//! start, and must do the same there.

use std::hash::{Hash, Hasher};
use std::mem::discriminant;
use trace::Event;

/// The number after a step, given the one before it. Objects are left out, for each process numbers them as it meets them,
/// and so is what was overwritten, for nobody has read it.
#[inline]
pub(crate) fn seen(before: u64, event: &Event) -> u64 {
    let mut mix = Mix(before);
    event.choice.hash(&mut mix);
    discriminant(&event.op.kind).hash(&mut mix);
    discriminant(&event.outcome).hash(&mut mix);
    if !event.op.kind.overwrites() {
        mix.write_u64(event.before);
    }
    mix.write_u64(event.after);
    mix.finish()
}

/// Mixes words, quickly.
struct Mix(u64);

impl Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        let mixed = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ (mixed >> 32);
    }

    #[inline]
    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
