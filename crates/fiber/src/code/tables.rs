//! The tables by which a stack is unwound: where frames keep registers and return addresses, and where calls land that unwind.
//!
//! Only what compilers write for functions of their own is understood; of all else, nothing is known.

use super::REGISTERS;
use std::ffi::{c_int, c_void};

/// What the tables say of one function.
#[derive(Debug)]
pub(super) struct Tables {
    /// Where its code begins and ends.
    pub(super) start: usize,
    pub(super) end: usize,
    /// What frames are like, from each address on.
    rows: Vec<(usize, Row)>,
    /// Calls from one address to another, and where they land if they unwind.
    landings: Vec<(usize, usize, usize)>,
}

/// What a frame is like at an instruction. The frame's base is where the stack pointer was before the call of the function.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Row {
    /// How far the base is above the stack pointer; none if that is not how it is found.
    pub(super) height: Option<i64>,
    /// How far the base is above the register `rbp`, if that is how it is found.
    pub(super) above_rbp: Option<i64>,
    /// Where the function keeps the registers of its caller, from the base on; none if they are where they were.
    pub(super) saved: [Option<i64>; REGISTERS],
}

/// The numbers that the tables have for the registers that a call keeps, in the order of [`crate::registers::Registers`].
const NUMBERS: [u64; REGISTERS] = [3, 6, 12, 13, 14, 15];
const RBP: u64 = 6;
const RSP: u64 = 7;

#[repr(C)]
struct Bases {
    text: *mut c_void,
    data: *mut c_void,
    function: *mut c_void,
}

unsafe extern "C" {
    /// Of the unwinder: what the tables say of the function that has this instruction.
    fn _Unwind_Find_FDE(pc: *const c_void, bases: *mut Bases) -> *const u8;
}

impl Tables {
    /// Of the function that has the instruction at `pc`.
    pub(super) fn of(pc: usize) -> Option<Tables> {
        let mut bases =
            Bases { text: std::ptr::null_mut(), data: std::ptr::null_mut(), function: std::ptr::null_mut() };
        // SAFETY: it may be asked of any address.
        let entry = unsafe { _Unwind_Find_FDE(pc as *const c_void, &mut bases) };
        if entry.is_null() {
            return None;
        }
        // SAFETY: the unwinder relies on it: this is an entry of its tables.
        unsafe { entry_at(entry as usize) }
    }

    /// What a frame is like at the instruction at `pc`.
    pub(super) fn row(&self, pc: usize) -> Option<&Row> {
        let place = self.rows.partition_point(|&(from, _)| from <= pc);
        place.checked_sub(1).map(|place| &self.rows[place].1)
    }

    /// Where a call at `pc` lands if it unwinds.
    pub(super) fn landing(&self, pc: usize) -> Option<usize> {
        self.landings.iter().find(|&&(from, to, _)| (from..to).contains(&pc)).map(|&(.., landing)| landing)
    }
}

/// Reads tables.
struct Reader {
    at: usize,
}

impl Reader {
    unsafe fn take<T>(&mut self) -> T {
        // SAFETY: promised by the caller: there is a number of this size.
        let value = unsafe { (self.at as *const T).read_unaligned() };
        self.at += size_of::<T>();
        value
    }

    unsafe fn unsigned(&mut self) -> u64 {
        let (mut value, mut shift) = (0, 0);
        loop {
            // SAFETY: promised by the caller.
            let byte: u8 = unsafe { self.take() };
            value |= u64::from(byte & 0x7F).checked_shl(shift).unwrap_or(0);
            shift += 7;
            if byte & 0x80 == 0 {
                return value;
            }
        }
    }

    unsafe fn signed(&mut self) -> i64 {
        let from = self.at;
        // SAFETY: promised by the caller.
        let value = unsafe { self.unsigned() };
        let bits = (7 * (self.at - from)).min(64) as u32;
        (value << (64 - bits)) as i64 >> (64 - bits)
    }

    /// A number that is kept in one of the ways that tables have for addresses; 0 stays 0.
    unsafe fn encoded(&mut self, way: u8) -> Option<usize> {
        let from = self.at;
        // SAFETY: promised by the caller.
        let value = unsafe {
            match way & 0x0F {
                0 | 4 | 12 => self.take::<u64>() as usize,
                1 => self.unsigned() as usize,
                2 => usize::from(self.take::<u16>()),
                3 => self.take::<u32>() as usize,
                9 => self.signed() as usize,
                10 => self.take::<i16>() as usize,
                11 => self.take::<i32>() as usize,
                _ => return None,
            }
        };
        let base = match way & 0x70 {
            _ if value == 0 => 0,
            0 => 0,
            0x10 => from,
            _ => return None,
        };
        let address = base.wrapping_add(value);
        match way & 0x80 != 0 && address != 0 {
            // SAFETY: the way says that the address is there.
            true => Some(unsafe { (address as *const usize).read_unaligned() }),
            false => Some(address),
        }
    }
}

/// What entries have in common.
struct Common {
    code_align: u64,
    data_align: i64,
    way: u8,
    way_of_landings: u8,
    has_more: bool,
    program: (usize, usize),
}

/// # Safety
/// It must be an entry of the tables.
unsafe fn entry_at(entry: usize) -> Option<Tables> {
    let mut reader = Reader { at: entry };
    // SAFETY: promised by the caller, as for all that is read here.
    unsafe {
        let len: u32 = reader.take();
        if len == u32::MAX {
            return None;
        }
        let end = reader.at + len as usize;
        let here = reader.at;
        let back: u32 = reader.take();
        let common = common_at(here.checked_sub(back as usize)?)?;
        let start = reader.encoded(common.way)?;
        let len = reader.encoded(common.way & 0x0F)?;
        let mut landings = Vec::new();
        if common.has_more {
            let more = reader.unsigned() as usize;
            let after = reader.at + more;
            if common.way_of_landings != OMITTED {
                let table = reader.encoded(common.way_of_landings)?;
                if table != 0 {
                    landings = landings_at(table, start)?;
                }
            }
            reader.at = after;
        }
        let rows = rows(&common, (reader.at, end), start)?;
        Some(Tables { start, end: start + len, rows, landings })
    }
}

const OMITTED: u8 = 0xFF;

unsafe fn common_at(place: usize) -> Option<Common> {
    let mut reader = Reader { at: place };
    // SAFETY: as for the entry that leads here.
    unsafe {
        let len: u32 = reader.take();
        let end = reader.at + len as usize;
        let _: u32 = reader.take();
        let version: u8 = reader.take();
        let mut letters = Vec::new();
        loop {
            match reader.take::<u8>() {
                0 => break,
                letter => letters.push(letter),
            }
        }
        let (code_align, data_align) = (reader.unsigned(), reader.signed());
        match version {
            1 => _ = reader.take::<u8>(),
            3 => _ = reader.unsigned(),
            _ => return None,
        }
        let mut common =
            Common { code_align, data_align, way: 0, way_of_landings: OMITTED, has_more: false, program: (0, end) };
        if let Some((b'z', letters)) = letters.split_first() {
            common.has_more = true;
            let after = reader.unsigned() as usize + reader.at;
            for letter in letters {
                match letter {
                    b'L' => common.way_of_landings = reader.take(),
                    b'R' => common.way = reader.take(),
                    b'P' => {
                        let way: u8 = reader.take();
                        // Where it is counts, not what it leads to.
                        reader.encoded(way & 0x7F)?;
                    }
                    _ => return None,
                }
            }
            reader.at = after;
        } else if !letters.is_empty() {
            return None;
        }
        common.program.0 = reader.at;
        Some(common)
    }
}

/// Where calls land that unwind, of a function that begins at `start`.
unsafe fn landings_at(table: usize, start: usize) -> Option<Vec<(usize, usize, usize)>> {
    let mut reader = Reader { at: table };
    let mut landings = Vec::new();
    // SAFETY: as for the entry that leads here.
    unsafe {
        let way: u8 = reader.take();
        let base = if way == OMITTED { start } else { reader.encoded(way)? };
        if reader.take::<u8>() != OMITTED {
            reader.unsigned();
        }
        let way: u8 = reader.take();
        let end = reader.unsigned() as usize + reader.at;
        while reader.at < end {
            let from = start + reader.encoded(way)?;
            let to = from + reader.encoded(way)?;
            let landing = reader.encoded(way)?;
            reader.unsigned();
            if landing != 0 {
                landings.push((from, to, base + landing));
            }
        }
    }
    Some(landings)
}

/// Runs the program of an entry.
unsafe fn rows(common: &Common, program: (usize, usize), start: usize) -> Option<Vec<(usize, Row)>> {
    let mut rows = Rows { rows: vec![(start, Row::default())], kept: Vec::new(), first: Row::default() };
    // SAFETY: as for the entry that leads here.
    unsafe {
        rows.run(common, common.program)?;
        rows.first = rows.row();
        rows.run(common, program)?;
    }
    Some(rows.rows)
}

struct Rows {
    rows: Vec<(usize, Row)>,
    kept: Vec<Row>,
    /// As it is at the beginning of each function.
    first: Row,
}

impl Rows {
    fn row(&self) -> Row {
        self.rows[self.rows.len() - 1].1
    }

    fn change(&mut self, change: impl FnOnce(&mut Row)) {
        let last = self.rows.len() - 1;
        change(&mut self.rows[last].1);
    }

    fn go_on(&mut self, by: u64) {
        let (at, row) = self.rows[self.rows.len() - 1];
        self.rows.push((at + by as usize, row));
    }

    fn save(&mut self, number: u64, place: Option<i64>) {
        if let Some(register) = NUMBERS.iter().position(|&other| other == number) {
            self.change(|row| row.saved[register] = place);
        }
    }

    fn restore(&mut self, number: u64) {
        if let Some(register) = NUMBERS.iter().position(|&other| other == number) {
            let first = self.first.saved[register];
            self.change(|row| row.saved[register] = first);
        }
    }

    fn base(&mut self, register: u64, offset: i64) {
        self.change(|row| {
            row.height = (register == RSP).then_some(offset);
            row.above_rbp = (register == RBP).then_some(offset);
        });
    }

    unsafe fn run(&mut self, common: &Common, (from, to): (usize, usize)) -> Option<()> {
        let mut reader = Reader { at: from };
        while reader.at < to {
            // SAFETY: promised by the caller.
            unsafe { self.one(&mut reader, common)? };
        }
        Some(())
    }

    unsafe fn one(&mut self, reader: &mut Reader, common: &Common) -> Option<()> {
        // SAFETY: promised by the caller.
        unsafe {
            let code: u8 = reader.take();
            let low = u64::from(code & 0x3F);
            match (code >> 6, low) {
                (1, by) => self.go_on(by * common.code_align),
                (2, register) => {
                    let offset = reader.unsigned() as i64 * common.data_align;
                    self.save(register, Some(offset));
                }
                (3, register) => self.restore(register),
                (_, 0x00) => {}
                (_, 0x02) => self.go_on(u64::from(reader.take::<u8>()) * common.code_align),
                (_, 0x03) => self.go_on(u64::from(reader.take::<u16>()) * common.code_align),
                (_, 0x04) => self.go_on(u64::from(reader.take::<u32>()) * common.code_align),
                (_, 0x05) => {
                    let register = reader.unsigned();
                    let offset = reader.unsigned() as i64 * common.data_align;
                    self.save(register, Some(offset));
                }
                (_, 0x06) => {
                    let register = reader.unsigned();
                    self.restore(register);
                }
                (_, 0x08) => {
                    let register = reader.unsigned();
                    self.save(register, None);
                }
                (_, 0x0A) => self.kept.push(self.row()),
                (_, 0x0B) => {
                    let kept = self.kept.pop()?;
                    self.change(|row| *row = kept);
                }
                (_, 0x0C) => {
                    let register = reader.unsigned();
                    let offset = reader.unsigned() as i64;
                    self.base(register, offset);
                }
                (_, 0x0D) => {
                    let register = reader.unsigned();
                    let row = self.row();
                    self.base(register, row.height.or(row.above_rbp)?);
                }
                (_, 0x0E) => {
                    let offset = reader.unsigned() as i64;
                    let by_rbp = self.row().above_rbp.is_some();
                    self.base(if by_rbp { RBP } else { RSP }, offset);
                }
                (_, 0x2E) => _ = reader.unsigned(),
                _ => return None,
            }
        }
        Some(())
    }
}

// The unwinder's sizes are those of C.
const _: () = assert!(size_of::<c_int>() == 4);
