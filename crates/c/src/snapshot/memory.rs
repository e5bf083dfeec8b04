//! Copies of memory.

use std::ops::Range;

/// What was at some places of memory.
#[derive(Default)]
pub(super) struct Memory {
    ranges: Vec<Range<usize>>,
    size: usize,
    bytes: Vec<u8>,
}

impl Memory {
    /// No place is to be copied.
    pub(super) fn clear(&mut self) {
        self.ranges.clear();
        self.size = 0;
    }

    /// This place is to be copied.
    #[inline]
    pub(super) fn add(&mut self, range: Range<usize>) {
        if !range.is_empty() {
            self.size += range.len();
            self.ranges.push(range);
        }
    }

    /// How many bytes that is.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// Copies what is there now.
    ///
    /// # Safety
    /// All places are mapped, and nobody writes them meanwhile.
    pub(super) unsafe fn save(&mut self) {
        self.bytes.clear();
        self.bytes.reserve(self.size);
        for range in &self.ranges {
            // SAFETY: promised by the caller.
            self.bytes.extend_from_slice(unsafe { std::slice::from_raw_parts(range.start as *const u8, range.len()) });
        }
    }

    /// Puts back what was there.
    ///
    /// # Safety
    /// All places are mapped and can be written, and nobody uses them meanwhile.
    pub(super) unsafe fn load(&self) {
        let mut bytes = &self.bytes[..];
        for range in &self.ranges {
            let (these, rest) = bytes.split_at(range.len());
            // SAFETY: promised by the caller.
            unsafe { std::ptr::copy_nonoverlapping(these.as_ptr(), range.start as *mut u8, these.len()) };
            bytes = rest;
        }
    }
}
