//! Memory that is none of the program's variables, heaps and stacks. Accesses of it are not explored, so it must be memory that
//! no other thread of the program can change: constants, arguments, the environment, and what the C library keeps for itself.
//! Anything else, such as a block that a library allocated, ends the search with its address.

use crate::context::Context;
use std::cell::RefCell;
use std::fs;
use std::ops::Range;

/// What is known of the memory of others.
#[derive(Default)]
pub(crate) struct Foreign {
    /// Memory that may be accessed.
    known: RefCell<Vec<Range<usize>>>,
}

/// What an address outside of the program's memory is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Known,
    /// Nothing is there: the access itself will fail.
    Nothing,
    /// Memory of somebody else.
    Unknown,
}

impl Context {
    /// What an address is that is not of the program's own memory.
    #[cold]
    pub(crate) fn foreign_kind(&self, address: usize) -> Kind {
        let is_known = |context: &Context| context.foreign.known.borrow().iter().any(|range| range.contains(&address));
        if is_known(self) {
            return Kind::Known;
        }
        let mappings = fs::read_to_string("/proc/self/maps").unwrap_or_default();
        let mappings: Vec<Mapping<'_>> = mappings.lines().filter_map(Mapping::parse).collect();
        *self.foreign.known.borrow_mut() = self.known_ranges(&mappings);
        match mappings.iter().any(|mapping| mapping.range.contains(&address)) {
            _ if is_known(self) => Kind::Known,
            true => Kind::Unknown,
            false => Kind::Nothing,
        }
    }

    fn known_ranges(&self, mappings: &[Mapping<'_>]) -> Vec<Range<usize>> {
        let (own, errno) = (self.own_text.start, self.errno as usize);
        let own = mappings.iter().find(|mapping| mapping.range.contains(&own)).map_or("", |mapping| mapping.path);
        // Libraries and the program itself, what the system puts on the first stack, and the C library's variables of the
        // one thread of the operating system.
        let is_known = |mapping: &&Mapping<'_>| {
            let of_file = mapping.path.starts_with('/') && mapping.path != own;
            of_file || mapping.path.starts_with("[stack") || mapping.path == "[vdso]" || mapping.range.contains(&errno)
        };
        let mut known: Vec<Range<usize>> =
            mappings.iter().filter(is_known).map(|mapping| mapping.range.clone()).collect();
        let arguments = self.arguments();
        let start = arguments.as_ptr() as usize;
        known.push(start..start + size_of_val(arguments));
        for &argument in arguments.iter().filter(|argument| !argument.is_null()) {
            // SAFETY: an argument of the program, which ends with a zero.
            let length = unsafe { libc::strlen(argument) };
            known.push(argument as usize..argument as usize + length + 1);
        }
        known
    }
}

/// A line of the system's list of mappings.
struct Mapping<'l> {
    range: Range<usize>,
    path: &'l str,
}

impl<'l> Mapping<'l> {
    fn parse(line: &'l str) -> Option<Self> {
        let mut words = line.split_whitespace();
        let (start, end) = words.next()?.split_once('-')?;
        let number = |text: &str| usize::from_str_radix(text, 16).ok();
        Some(Mapping { range: number(start)?..number(end)?, path: words.nth(4).unwrap_or("") })
    }
}
