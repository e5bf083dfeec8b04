//! Memory that is not the program's: neither its variables, nor its heaps, nor its stacks.
//!
//! The explorer knows nothing of it, and no execution takes back what is written there. A program may read what nobody writes: constants
//! of libraries, the environment, and variables of the C library that stay as they are. Any other access of foreign memory is refused.
//! What is not mapped at all is left to the processor, which reports it.

use crate::context::{Context, Table};
use crate::driver::library::DATA;
use model::{FailureKind, Site};
use std::cell::{Cell, RefCell};
use std::ffi::{CString, c_char, c_void};
use std::ops::Range;

/// What is known of foreign memory.
#[derive(Default)]
pub(crate) struct Foreign {
    /// What the program may read: looked for once.
    harmless: RefCell<Vec<Range<usize>>>,
    is_prepared: Cell<bool>,
}

impl Foreign {
    /// See [`crate::context::Table`].
    pub(crate) fn table(&self) -> &dyn Table {
        &self.harmless
    }

    /// Whether an access of this memory is harmless.
    fn allows(&self, address: usize, size: usize, write: bool) -> bool {
        if !self.is_prepared.replace(true) {
            self.harmless.borrow_mut().extend(of_c_library());
        }
        let is_within = |range: &Range<usize>| range.start <= address && address + size <= range.end;
        if is_within(&error_number()) || !write && self.harmless.borrow().iter().any(is_within) {
            return true;
        }
        match mapping(address) {
            Some((range, is_writable)) => {
                if !is_writable {
                    self.harmless.borrow_mut().push(range);
                }
                !is_writable
            }
            None => true,
        }
    }

    /// Whether this memory can be read and not written.
    fn is_constant(&self, address: usize) -> bool {
        !error_number().contains(&address) && mapping(address).is_some_and(|(_, is_writable)| !is_writable)
    }
}

/// Refuses an access of memory that is foreign.
#[cold]
#[inline(never)]
pub(crate) fn check(context: &Context, address: usize, size: usize, write: bool, site: Site) {
    if write && context.foreign.is_constant(address) {
        // The optimiser may have removed the write itself, for it takes it for one that never happens.
        context.fail(FailureKind::Crash, format!("segmentation fault: write of a constant at {address:#x}"), site);
    }
    if !context.foreign.allows(address, size, write) {
        let what = if write { "a write" } else { "an access" };
        context.refuse(
            format!(
                "{what} of {size} bytes at {address:#x}, which is neither a variable, nor on the heap or a stack of the program, is \
                 not supported: memory that a library hands out is not explored"
            ),
            site,
        );
    }
}

unsafe extern "C" {
    fn __ctype_b_loc() -> *const c_void;
    fn __ctype_tolower_loc() -> *const c_void;
    fn __ctype_toupper_loc() -> *const c_void;
    static environ: *const *const c_char;
}

fn at(address: *const c_void, size: usize) -> Range<usize> {
    address as usize..address as usize + size
}

/// The number of the last error, which is each thread's own: threads that are switched take it along.
fn error_number() -> Range<usize> {
    // SAFETY: the address of a variable of this OS thread.
    at(unsafe { libc::__errno_location() }.cast(), size_of::<i32>())
}

/// Variables of the C library that stay as they are, and the environment.
fn of_c_library() -> Vec<Range<usize>> {
    const WORD: usize = size_of::<usize>();
    // SAFETY: these functions answer with addresses of variables of this OS thread.
    let mut ranges =
        unsafe { vec![at(__ctype_b_loc(), WORD), at(__ctype_tolower_loc(), WORD), at(__ctype_toupper_loc(), WORD)] };
    for name in DATA.iter().filter_map(|name| CString::new(*name).ok()) {
        // SAFETY: the name of a variable, if there is one.
        let variable = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
        if !variable.is_null() {
            ranges.push(at(variable, 2 * WORD));
        }
    }
    // SAFETY: the environment is a list that ends with a null, and nobody changes it.
    unsafe {
        let mut next = environ;
        while !next.is_null() && !(*next).is_null() {
            ranges.push(at((*next).cast(), libc::strlen(*next) + 1));
            next = next.add(1);
        }
        ranges.push(environ as usize..next as usize + WORD);
    }
    ranges
}

/// The mapping of this process that an address is in, and whether it can be written.
fn mapping(address: usize) -> Option<(Range<usize>, bool)> {
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    maps.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        let (start, end) = words.next()?.split_once('-')?;
        let number = |text: &str| usize::from_str_radix(text, 16).ok();
        let range = number(start)?..number(end)?;
        let rights = words.next()?;
        (range.contains(&address) && rights.starts_with('r')).then(|| (range, rights.contains('w')))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_may_be_read_and_variables_may_not() {
        let foreign = Foreign::default();
        let constant = "a constant".as_ptr() as usize;
        let variable = Box::new(5);
        assert!(foreign.allows(constant, 4, false));
        assert!(!foreign.allows(&raw const *variable as usize, 4, false));
        assert!(foreign.allows(16, 4, false), "nothing is there: the processor says so");
        assert!(foreign.allows(error_number().start, 4, true));
        // SAFETY: nobody changes the environment of this process.
        let environment = unsafe { environ } as usize;
        assert!(foreign.allows(environment, 8, false) && !foreign.allows(environment, 8, true));
    }
}
