//! What steps touch, and when two of them conflict.
//!
//! A step that is about to be taken (the left side of [`Touch::conflicts`]) is compared with all that another process may
//! do from now on (the right side). Variables conflict as in the paper: the same byte, at least one write. Channels are
//! finer. A send that is possible now commutes with receives: nobody else sends, or that would conflict, so the channel
//! stays not full, and a receive that was possible without the message takes the same one with it. The same holds for a
//! receive that is possible now and sends. A step that is *not* possible now conflicts with all that could make it so.

/// Bits for the channels of a state, of which there are at most 255.
type Channels = [u64; 4];

/// How a channel is touched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    Send,
    Receive,
    /// `?< >`: the first message stays.
    Peek,
    /// Asks how many messages there are, or which.
    Look,
    /// All of it: a sorted send, a rendezvous, and whatever is not possible now.
    All,
}

/// Variables, channels and the number of processes, as a step or many steps touch them.
#[derive(Clone, Default, Debug)]
pub(crate) struct Touch {
    /// What cannot be told.
    pub(crate) everything: bool,
    reads: Vec<u64>,
    writes: Vec<u64>,
    channels: [Channels; 5],
    /// Makes processes.
    pub(crate) runs: bool,
    /// A process dies.
    pub(crate) ends: bool,
    /// A process that would die, and cannot yet.
    pub(crate) waits_to_end: bool,
    /// Asks how many processes there are.
    pub(crate) counts: bool,
}

impl Touch {
    /// Touches bytes of the globals.
    pub(crate) fn bytes(&mut self, bytes: std::ops::Range<u32>, write: bool) {
        let set = if write { &mut self.writes } else { &mut self.reads };
        for byte in bytes {
            let word = byte as usize / 64;
            if set.len() <= word {
                set.resize(word + 1, 0);
            }
            set[word] |= 1 << (byte % 64);
        }
    }

    /// Touches the channel of a number, from 0.
    pub(crate) fn channel(&mut self, number: usize, mode: Mode) {
        self.channels[mode as usize][number / 64 % 4] |= 1 << (number % 64);
    }

    pub(crate) fn every_channel(&mut self, mode: Mode) {
        self.channels[mode as usize] = [u64::MAX; 4];
    }

    pub(crate) fn add(&mut self, other: &Touch) {
        self.everything |= other.everything;
        for (set, more) in [(&mut self.reads, &other.reads), (&mut self.writes, &other.writes)] {
            if set.len() < more.len() {
                set.resize(more.len(), 0);
            }
            set.iter_mut().zip(more).for_each(|(set, more)| *set |= more);
        }
        for (set, more) in self.channels.iter_mut().zip(&other.channels) {
            set.iter_mut().zip(more).for_each(|(set, more)| *set |= more);
        }
        self.runs |= other.runs;
        self.ends |= other.ends;
        self.waits_to_end |= other.waits_to_end;
        self.counts |= other.counts;
    }

    /// Whether a step now can conflict with what another process may do.
    pub(crate) fn conflicts(&self, future: &Touch) -> bool {
        let meet = |one: &[u64], other: &[u64]| one.iter().zip(other).any(|(one, other)| one & other != 0);
        self.everything
            || future.everything
            || meet(&self.writes, &future.writes)
            || meet(&self.writes, &future.reads)
            || meet(&self.reads, &future.writes)
            || self.channels_conflict(future)
            || self.processes_conflict(future)
    }

    fn channels_conflict(&self, future: &Touch) -> bool {
        use Mode::{All, Look, Peek, Receive, Send};
        let pairs: [(Mode, &[Mode]); 5] = [
            (Send, &[Send, Look, All]),
            (Receive, &[Receive, Peek, Look, All]),
            (Peek, &[Receive, All]),
            (Look, &[Send, Receive, All]),
            (All, &[Send, Receive, Peek, Look, All]),
        ];
        let meet = |one: Mode, other: Mode| {
            let [one, other] = [&self.channels[one as usize], &future.channels[other as usize]];
            one.iter().zip(other).any(|(one, other)| one & other != 0)
        };
        pairs.into_iter().any(|(one, others)| others.iter().any(|other| meet(one, *other)))
    }

    fn processes_conflict(&self, future: &Touch) -> bool {
        let changes = future.runs || future.ends;
        (self.runs && (changes || future.counts))
            // Only the youngest can die, so that nobody dies before one that could.
            || (self.ends && (future.runs || future.counts))
            || (self.waits_to_end && (changes || future.counts))
            || (self.counts && changes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn channel(mode: Mode) -> Touch {
        let mut touch = Touch::default();
        touch.channel(3, mode);
        touch
    }

    #[test]
    fn bytes_conflict_when_one_is_written() {
        let [mut read, mut write, mut other] = [(); 3].map(|()| Touch::default());
        read.bytes(70..72, false);
        write.bytes(71..73, true);
        other.bytes(73..74, true);
        assert!(read.conflicts(&write) && write.conflicts(&read) && write.conflicts(&write));
        assert!(!read.conflicts(&read) && !write.conflicts(&other));
    }

    #[test]
    fn a_send_that_is_possible_commutes_with_receives_and_no_other_send() {
        assert!(!channel(Mode::Send).conflicts(&channel(Mode::Receive)));
        assert!(!channel(Mode::Receive).conflicts(&channel(Mode::Send)));
        assert!(channel(Mode::Send).conflicts(&channel(Mode::Send)));
        assert!(channel(Mode::Send).conflicts(&channel(Mode::Look)));
        assert!(channel(Mode::All).conflicts(&channel(Mode::Receive)));
        assert!(!channel(Mode::Peek).conflicts(&channel(Mode::Send)));
    }

    #[test]
    fn the_youngest_may_die_whoever_else_will() {
        let dies = Touch { ends: true, ..Touch::default() };
        let waits = Touch { waits_to_end: true, ..Touch::default() };
        let runs = Touch { runs: true, ..Touch::default() };
        assert!(!dies.conflicts(&dies) && waits.conflicts(&dies) && dies.conflicts(&runs));
    }
}
