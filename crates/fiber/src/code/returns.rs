//! Where code leads that leaves its function: what is called or jumped to, and whether that ever comes back.
//!
//! Compilers write nothing behind a call that does not come back: what stands there belongs to another way through the function, and
//! would be taken for what is read next.

use super::tables::Tables;
use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, OpKind};
use rustc_hash::FxHashMap;
use std::ffi::{c_int, c_void};
use std::ops::Range;
use std::sync::OnceLock;

/// So many functions may hand on to each other by jumps.
pub(super) const MOST_JUMPS: u32 = 8;
/// Larger functions are taken to come back.
const MOST_BYTES: usize = 1 << 14;

/// What is known of functions: whether each, by where it begins, may come back to who called it.
#[derive(Default)]
pub(super) struct Returns {
    known: FxHashMap<usize, bool>,
}

unsafe extern "C" {
    /// Of the unwinder: goes on with it, behind a destructor. It comes back to nobody, though its code ends like that of a function.
    fn _Unwind_Resume(exception: *mut c_void) -> !;
}

impl Returns {
    /// Whether the code behind a call may be what comes after it.
    pub(super) fn comes_back(&mut self, call: &Instruction) -> bool {
        target(call).is_none_or(|target| self.may_return(target, MOST_JUMPS))
    }

    pub(super) fn may_return(&mut self, function: usize, jumps: u32) -> bool {
        if let Some(&known) = self.known.get(&function) {
            return known;
        }
        let may = function != _Unwind_Resume as *const () as usize && self.has_return(function, jumps);
        if jumps == MOST_JUMPS {
            self.known.insert(function, may);
        }
        may
    }

    /// Whether there is any instruction in a function that leaves it, or one of which that is not known. A function that has none calls what
    /// does not come back, or goes round for ever.
    fn has_return(&mut self, function: usize, jumps: u32) -> bool {
        let Some(tables) = Tables::of(function).filter(|tables| tables.start == function) else { return true };
        let range = tables.start..tables.end;
        if jumps == 0 || range.len() > MOST_BYTES {
            return true;
        }
        // SAFETY: the tables are of code that is there, and can be read: the program calls it.
        let code = unsafe { std::slice::from_raw_parts(range.start as *const u8, range.len()) };
        let mut decoder = Decoder::with_ip(64, code, range.start as u64, DecoderOptions::NONE);
        decoder.iter().any(|instruction| match instruction.flow_control() {
            FlowControl::Next | FlowControl::Call | FlowControl::IndirectCall => instruction.is_invalid(),
            FlowControl::Exception => instruction.is_invalid(),
            FlowControl::UnconditionalBranch | FlowControl::ConditionalBranch | FlowControl::IndirectBranch => {
                match target(&instruction) {
                    Some(target) => !range.contains(&target) && self.may_return(target, jumps - 1),
                    None => true,
                }
            }
            FlowControl::Return | FlowControl::Interrupt | FlowControl::XbeginXabortXend => true,
        })
    }
}

/// Where an instruction calls or jumps to, if that is always the same place.
pub(super) fn target(instruction: &Instruction) -> Option<usize> {
    match instruction.flow_control() {
        FlowControl::Call | FlowControl::UnconditionalBranch | FlowControl::ConditionalBranch => {
            let is_near = matches!(instruction.op0_kind(), OpKind::NearBranch64);
            is_near.then(|| instruction.near_branch_target() as usize)
        }
        FlowControl::IndirectCall | FlowControl::IndirectBranch if instruction.is_ip_rel_memory_operand() => {
            let place = instruction.ip_rel_memory_address() as usize;
            let is_fixed =
                place.is_multiple_of(size_of::<usize>()) && fixed().iter().any(|range| range.contains(&place));
            // SAFETY: the place is in memory that the linker has filled in and that can be read, but not written any more.
            is_fixed.then(|| unsafe { (place as *const usize).read() })
        }
        _ => None,
    }
}

/// The memory that nobody writes to once the program has been loaded: that is where the addresses of functions of other libraries are.
fn fixed() -> &'static [Range<usize>] {
    static FIXED: OnceLock<Vec<Range<usize>>> = OnceLock::new();
    FIXED.get_or_init(|| {
        let mut found: Vec<Range<usize>> = Vec::new();
        // SAFETY: the function is called with a pointer to this list, while it is there.
        unsafe { libc::dl_iterate_phdr(Some(note_fixed), (&raw mut found).cast()) };
        found
    })
}

/// # Safety
/// To be called by `dl_iterate_phdr`, with a pointer to a list.
unsafe extern "C" fn note_fixed(library: *mut libc::dl_phdr_info, _: usize, found: *mut c_void) -> c_int {
    // SAFETY: promised by the caller.
    let (library, found) = unsafe { (&*library, &mut *found.cast::<Vec<Range<usize>>>()) };
    if library.dlpi_phnum > 0 {
        // SAFETY: these are the headers of the library, so many of them.
        let headers = unsafe { std::slice::from_raw_parts(library.dlpi_phdr, usize::from(library.dlpi_phnum)) };
        for header in headers.iter().filter(|header| header.p_type == libc::PT_GNU_RELRO) {
            let start = library.dlpi_addr as usize + header.p_vaddr as usize;
            // The last page of it is left as it is where it is not whole.
            let end = (start + header.p_memsz as usize) & !(PAGE - 1);
            found.push(start..end);
        }
    }
    0
}

/// The smallest size of a page on this processor.
const PAGE: usize = 4096;
