//! The calls by which compilers announce accesses.

use super::{READ, WRITE, aligned, volatile, whole};
use crate::calls::{NOTHING, Nothing, entry};

macro_rules! accesses {
    ($($module:ident $size:literal $($read:literal)+, $($write:literal)+;)*) => { $(
        mod $module {
            use super::*;
            extern "C-unwind" fn read(address: usize, return_address: usize) -> Nothing {
                aligned(address, $size, READ, return_address);
                NOTHING
            }
            extern "C-unwind" fn write(address: usize, return_address: usize) -> Nothing {
                aligned(address, $size, WRITE, return_address);
                NOTHING
            }
            $(const _: () = { entry!(entry_of_read, $read, "rsi", read); };)+
            $(const _: () = { entry!(entry_of_write, $write, "rsi", write); };)+
        }
    )* };
}

accesses! {
    byte 1 "__tsan_read1" "__tsan_unaligned_read1", "__tsan_write1" "__tsan_unaligned_write1";
    two 2 "__tsan_read2", "__tsan_write2";
    four 4 "__tsan_read4", "__tsan_write4";
    eight 8 "__tsan_read8", "__tsan_write8";
}

macro_rules! unaligned {
    ($($module:ident $size:literal $($read:literal)+, $($write:literal)+;)*) => { $(
        mod $module {
            use super::*;
            extern "C-unwind" fn read(address: usize, return_address: usize) -> Nothing {
                whole(address, $size, READ, return_address);
                NOTHING
            }
            extern "C-unwind" fn write(address: usize, return_address: usize) -> Nothing {
                whole(address, $size, WRITE, return_address);
                NOTHING
            }
            $(const _: () = { entry!(entry_of_read, $read, "rsi", read); };)+
            $(const _: () = { entry!(entry_of_write, $write, "rsi", write); };)+
        }
    )* };
}

unaligned! {
    unaligned_two 2 "__tsan_unaligned_read2", "__tsan_unaligned_write2";
    unaligned_four 4 "__tsan_unaligned_read4", "__tsan_unaligned_write4";
    unaligned_eight 8 "__tsan_unaligned_read8", "__tsan_unaligned_write8";
    sixteen 16 "__tsan_read16" "__tsan_unaligned_read16", "__tsan_write16" "__tsan_unaligned_write16";
}

macro_rules! volatile {
    ($($module:ident $size:literal;)*) => { $(
        mod $module {
            use super::*;
            extern "C-unwind" fn read(address: usize, return_address: usize) -> Nothing {
                volatile(address, $size, READ, return_address);
                NOTHING
            }
            extern "C-unwind" fn write(address: usize, return_address: usize) -> Nothing {
                volatile(address, $size, WRITE, return_address);
                NOTHING
            }
            entry!(entry_of_read, concat!("__tsan_volatile_read", $size), "rsi", read);
            entry!(entry_of_write, concat!("__tsan_volatile_write", $size), "rsi", write);
            entry!(entry_of_unaligned_read, concat!("__tsan_unaligned_volatile_read", $size), "rsi", read);
            entry!(entry_of_unaligned_write, concat!("__tsan_unaligned_volatile_write", $size), "rsi", write);
        }
    )* };
}

volatile! {
    volatile_byte 1;
    volatile_two 2;
    volatile_four 4;
    volatile_eight 8;
    volatile_sixteen 16;
}

extern "C-unwind" fn read_range(address: usize, size: usize, return_address: usize) -> Nothing {
    whole(address, size, READ, return_address);
    NOTHING
}

extern "C-unwind" fn write_range(address: usize, size: usize, return_address: usize) -> Nothing {
    whole(address, size, WRITE, return_address);
    NOTHING
}

entry!(tsan_read_range, "__tsan_read_range", "rdx", read_range);
entry!(tsan_write_range, "__tsan_write_range", "rdx", write_range);

extern "C-unwind" fn vptr_update(address: usize, _new: usize, return_address: usize) -> Nothing {
    aligned(address, 8, WRITE, return_address);
    NOTHING
}

extern "C-unwind" fn vptr_read(address: usize, return_address: usize) -> Nothing {
    aligned(address, 8, READ, return_address);
    NOTHING
}

entry!(tsan_vptr_update, "__tsan_vptr_update", "rdx", vptr_update);
entry!(tsan_vptr_read, "__tsan_vptr_read", "rsi", vptr_read);

/// Nothing is to be done when the program is loaded, nor at the start and end of functions.
#[unsafe(export_name = "__tsan_init")]
extern "C" fn tsan_init() {}

#[unsafe(export_name = "__tsan_func_entry")]
extern "C" fn tsan_func_entry(_caller: usize) {}

#[unsafe(export_name = "__tsan_func_exit")]
extern "C" fn tsan_func_exit() {}
