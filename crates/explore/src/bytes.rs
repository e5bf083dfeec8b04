//! Numbers as bytes: seven bits to a byte, the lowest first, so that small numbers are short.

/// What is written.
#[derive(Default)]
pub struct Writer(Vec<u8>);

impl Writer {
    /// All bytes so far.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    /// One byte.
    pub fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    /// A number.
    pub fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    /// A number that is as likely to be large, in eight bytes.
    pub fn word(&mut self, word: u64) {
        self.0.extend(word.to_le_bytes());
    }
}

/// What is left to be read. Whatever cannot have been written is no number.
pub struct Reader<'b>(&'b [u8]);

impl<'b> Reader<'b> {
    /// Of these bytes.
    pub fn new(bytes: &'b [u8]) -> Self {
        Reader(bytes)
    }

    /// Whether everything was read.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A number.
    pub fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.0.split_first()?;
            self.0 = rest;
            let bits = u64::from(byte & 0x7f);
            if bits.checked_shl(shift)? >> shift != bits {
                return None;
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// A number that fits into this type.
    pub fn small<T: TryFrom<u64>>(&mut self) -> Option<T> {
        T::try_from(self.number()?).ok()
    }

    /// A number in eight bytes.
    pub fn word(&mut self) -> Option<u64> {
        let (word, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*word))
    }
}
