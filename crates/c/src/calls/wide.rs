//! Atomic operations on more than 8 bytes: those of 16, and those of any size that compilers leave to a library. What they
//! touch is one object.

use super::access::check;
use super::entry;
use crate::context;
use crate::slot::Effect;
use model::{OpKind, Update};
use std::ptr;

/// What an operation does to the memory of its object, as far as the explorer has to know.
#[derive(Clone, Copy)]
enum Does {
    Read,
    Write,
    Both,
}

/// Waits until the thread may access the memory.
fn announce(address: usize, size: usize, does: Does, return_address: usize) {
    let Some(context) = context::running().filter(|_| size > 0) else { return };
    let site = context.site(return_address);
    super::access::witness(context, address, size, true, site);
    if context.concurrent.get()
        && let Some(object) = context.shadow.touch_whole(context.current(), address, size)
    {
        let kind = match does {
            Does::Read => OpKind::Read,
            Does::Write => OpKind::Write(0),
            Does::Both => OpKind::ReadModifyWrite(Update::Swap(0)),
        };
        context.announce(kind, object, site, Effect::Native);
    } else {
        context.here().spin.wrote.set(true);
    }
    check(context, address, size, return_address);
}

extern "C-unwind" fn load(size: usize, from: usize, to: *mut u8, _order: i32, return_address: usize) {
    announce(from, size, Does::Read, return_address);
    // SAFETY: what the program asks for, on its own memory.
    unsafe { ptr::copy(from as *const u8, to, size) };
}

extern "C-unwind" fn store(size: usize, to: usize, from: *const u8, _order: i32, return_address: usize) {
    announce(to, size, Does::Write, return_address);
    // SAFETY: what the program asks for, on its own memory.
    unsafe { ptr::copy(from, to as *mut u8, size) };
}

extern "C-unwind" fn exchange(
    size: usize,
    at: usize,
    new: *const u8,
    old: *mut u8,
    _order: i32,
    return_address: usize,
) {
    announce(at, size, Does::Both, return_address);
    // SAFETY: what the program asks for, on its own memory. The new bytes may be where the old ones go.
    unsafe {
        let bytes = std::slice::from_raw_parts(new, size).to_vec();
        ptr::copy(at as *const u8, old, size);
        ptr::copy(bytes.as_ptr(), at as *mut u8, size);
    }
}

extern "C-unwind" fn compare_exchange(
    size: usize,
    at: usize,
    expected: *mut u8,
    new: *const u8,
    _order: i32,
    return_address: usize,
) -> bool {
    announce(at, size, Does::Both, return_address);
    // SAFETY: what the program asks for, on its own memory.
    unsafe {
        let found = std::slice::from_raw_parts(at as *const u8, size);
        let is_equal = found == std::slice::from_raw_parts(expected, size);
        match is_equal {
            true => ptr::copy(new, at as *mut u8, size),
            false => ptr::copy(at as *const u8, expected, size),
        }
        is_equal
    }
}

const SIZE: usize = size_of::<u128>();

extern "C-unwind" fn load_16(at: usize, order: i32, return_address: usize) -> u128 {
    let mut value = 0u128;
    load(SIZE, at, (&raw mut value).cast(), order, return_address);
    value
}

extern "C-unwind" fn store_16(at: usize, value: u128, order: i32, return_address: usize) {
    store(SIZE, at, (&raw const value).cast(), order, return_address);
}

extern "C-unwind" fn exchange_16(at: usize, value: u128, order: i32, return_address: usize) -> u128 {
    let mut old = 0u128;
    exchange(SIZE, at, (&raw const value).cast(), (&raw mut old).cast(), order, return_address);
    old
}

extern "C-unwind" fn compare_exchange_16(
    at: usize,
    expected: *mut u8,
    new: u128,
    order: i32,
    return_address: usize,
) -> bool {
    compare_exchange(SIZE, at, expected, (&raw const new).cast(), order, return_address)
}

extern "C-unwind" fn compare_exchange_val_16(at: usize, mut expected: u128, new: u128, return_address: usize) -> u128 {
    compare_exchange(SIZE, at, (&raw mut expected).cast(), (&raw const new).cast(), 0, return_address);
    expected
}

/// Whether operations on so many bytes are atomic without a lock: here, all are.
#[unsafe(export_name = "__atomic_is_lock_free")]
extern "C" fn is_lock_free(size: usize, _at: usize) -> bool {
    size <= SIZE
}

// Orders are not looked at, so that the return address may take the place of the last one.
entry!(atomic_load, "__atomic_load", "r8", load);
entry!(atomic_store, "__atomic_store", "r8", store);
entry!(atomic_exchange, "__atomic_exchange", "r9", exchange);
entry!(atomic_compare_exchange, "__atomic_compare_exchange", "r9", compare_exchange);
entry!(atomic_load_16, "__atomic_load_16", "rdx", load_16);
entry!(atomic_store_16, "__atomic_store_16", "r8", store_16);
entry!(atomic_exchange_16, "__atomic_exchange_16", "r8", exchange_16);
entry!(atomic_compare_exchange_16, "__atomic_compare_exchange_16", "r9", compare_exchange_16);
entry!(tsan_load, "__tsan_atomic128_load", "rdx", load_16);
entry!(tsan_store, "__tsan_atomic128_store", "r8", store_16);
entry!(tsan_exchange, "__tsan_atomic128_exchange", "r8", exchange_16);
entry!(tsan_compare_exchange_val, "__tsan_atomic128_compare_exchange_val", "r9", compare_exchange_val_16);
entry!(tsan_compare_exchange_strong, "__tsan_atomic128_compare_exchange_strong", "r9", compare_exchange_16);
entry!(tsan_compare_exchange_weak, "__tsan_atomic128_compare_exchange_weak", "r9", compare_exchange_16);
