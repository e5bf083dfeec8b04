//! Constructors and destructors are held back from the loader: the runtime calls them itself, as part of the main thread,
//! so that they are explored as everything else is.
//!
//! The entries of the program's dynamic section that name them get tags of our own, which loaders skip.

use super::DriverError;
use object::elf::{DT_FINI_ARRAY, DT_FINI_ARRAYSZ, DT_INIT_ARRAY, DT_INIT_ARRAYSZ, FileHeader64, PT_DYNAMIC};
use object::read::elf::{FileHeader, ProgramHeader};
use object::{Endianness, U64};
use std::fs;
use std::path::Path;

/// Added to a tag to make it one of ours: in the range for operating systems, where no loader knows it.
const OURS: u64 = 0x6d7a_6b00;

/// Where the array of constructors is, and its bytes; the same of destructors.
pub(crate) const CONSTRUCTORS: [u64; 2] = [OURS + DT_INIT_ARRAY as u64, OURS + DT_INIT_ARRAYSZ as u64];
pub(crate) const DESTRUCTORS: [u64; 2] = [OURS + DT_FINI_ARRAY as u64, OURS + DT_FINI_ARRAYSZ as u64];

/// Hides constructors and destructors of a program that was linked from loaders.
pub(super) fn hold_back(program: &Path) -> Result<(), DriverError> {
    let problem = |error: &dyn std::fmt::Display| DriverError::File(program.to_owned(), error.to_string());
    let mut bytes = fs::read(program).map_err(|error| problem(&error))?;
    let entries = dynamic_section(&bytes).map_err(|error| problem(&error))?;
    for entry in bytes[entries].chunks_exact_mut(16) {
        let (tag, _) = entry.split_at_mut(8);
        let number = u64::from_le_bytes(tag.try_into().expect("8 bytes"));
        let is_held_back = |ours: &u64| ours - OURS == number;
        if let Some(ours) = CONSTRUCTORS.iter().chain(&DESTRUCTORS).find(|ours| is_held_back(ours)) {
            tag.copy_from_slice(&ours.to_le_bytes());
        }
    }
    fs::write(program, bytes).map_err(|error| problem(&error))
}

/// Where in the file the dynamic section is.
fn dynamic_section(bytes: &[u8]) -> object::Result<std::ops::Range<usize>> {
    let header = FileHeader64::<Endianness>::parse(bytes)?;
    let endian = header.endian()?;
    let dynamic = header.program_headers(endian, bytes)?.iter().find(|segment| segment.p_type(endian) == PT_DYNAMIC);
    let at = |number: &U64<Endianness>| number.get(endian) as usize;
    let range = dynamic.map_or(0..0, |segment| at(&segment.p_offset)..at(&segment.p_offset) + at(&segment.p_filesz));
    Ok(if range.end <= bytes.len() { range } else { 0..0 })
}
