//! Atomic operations on more than 8 bytes: those of 16, and those of any size that compilers leave to a library. What they
//! touch is one object.

use super::access::{before_read, before_write, check};
use super::entry;
use crate::context;
use crate::slot::Effect;
use model::{OpKind, Update};
use std::hash::Hash;
use std::ptr;

/// What an operation does to the memory of its object, as far as the explorer has to know.
#[derive(Clone, Copy)]
enum Does {
    Read,
    Write,
    Both,
}

/// Waits until the thread may access the memory. What it has to write or to compare is in `operands`.
fn announce(address: usize, size: usize, does: Does, operands: &(impl Hash + ?Sized), return_address: usize) {
    let Some(context) = context::running().filter(|_| size > 0) else { return };
    let site = context.site(return_address);
    super::access::witness(context, address, size, true, site);
    if context.concurrent.get()
        && let Some(object) = context.shadow.touch_whole(context.current(), address, size)
    {
        let kind = match does {
            Does::Read => OpKind::Read,
            Does::Write => OpKind::Write(0),
            Does::Both => OpKind::ReadModifyWrite(Update::Native),
        };
        context.announce_with(operands, kind, object, site, Effect::Native);
    } else {
        context.here().note_unseen();
    }
    check(context, address, size, !matches!(does, Does::Read), return_address);
}

/// Atomic objects of more bytes are refused.
const LARGEST: usize = 256;

/// Bytes of the program that a function of the runtime keeps while it waits: on its stack, where they need not be freed.
struct Bytes {
    bytes: [u8; LARGEST],
    size: usize,
}

impl std::ops::Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[..self.size]
    }
}

fn copy_of(from: *const u8, size: usize) -> Bytes {
    let mut bytes = Bytes { bytes: [0; LARGEST], size };
    // SAFETY: `from` is memory of the program of this size, which `refuse_large` has found to fit.
    unsafe { ptr::copy_nonoverlapping(from, bytes.bytes.as_mut_ptr(), size) };
    bytes
}

fn refuse_large(size: usize, return_address: usize) {
    if size > LARGEST {
        super::refused::refuse("an atomic object of more than 256 bytes is not supported", return_address);
    }
}

/// Reads an operand of the program's: an access of its own.
fn take_in(from: *const u8, size: usize, return_address: usize) -> Bytes {
    refuse_large(size, return_address);
    before_read(from as usize, size, return_address);
    copy_of(from, size)
}

/// Writes a result where the program wants it: an access of its own.
fn hand_out(bytes: &[u8], to: *mut u8, return_address: usize) {
    before_write(to as usize, bytes.len(), return_address);
    // SAFETY: `to` is memory of the program of this size.
    unsafe { ptr::copy(bytes.as_ptr(), to, bytes.len()) };
}

extern "C-unwind" fn load(size: usize, from: usize, to: *mut u8, _order: i32, return_address: usize) {
    refuse_large(size, return_address);
    announce(from, size, Does::Read, &(), return_address);
    hand_out(&copy_of(from as *const u8, size), to, return_address);
}

extern "C-unwind" fn store(size: usize, to: usize, from: *const u8, _order: i32, return_address: usize) {
    let new = take_in(from, size, return_address);
    announce(to, size, Does::Write, &new[..], return_address);
    // SAFETY: `to` is memory of the program of this size.
    unsafe { ptr::copy(new.as_ptr(), to as *mut u8, size) };
}

extern "C-unwind" fn exchange(
    size: usize,
    at: usize,
    new: *const u8,
    old: *mut u8,
    _order: i32,
    return_address: usize,
) {
    let new = take_in(new, size, return_address);
    announce(at, size, Does::Both, &new[..], return_address);
    let found = copy_of(at as *const u8, size);
    // SAFETY: `at` is memory of the program of this size.
    unsafe { ptr::copy(new.as_ptr(), at as *mut u8, size) };
    hand_out(&found, old, return_address);
}

extern "C-unwind" fn compare_exchange(
    size: usize,
    at: usize,
    expected: *mut u8,
    new: *const u8,
    _order: i32,
    return_address: usize,
) -> bool {
    let wanted = take_in(expected, size, return_address);
    let new = take_in(new, size, return_address);
    announce(at, size, Does::Both, &(&wanted[..], &new[..]), return_address);
    let found = copy_of(at as *const u8, size);
    let is_equal = found[..] == wanted[..];
    if is_equal {
        // SAFETY: `at` is memory of the program of this size.
        unsafe { ptr::copy(new.as_ptr(), at as *mut u8, size) };
    } else {
        hand_out(&found, expected, return_address);
    }
    is_equal
}

const SIZE: usize = size_of::<u128>();

extern "C-unwind" fn load_16(at: usize, _order: i32, return_address: usize) -> u128 {
    announce(at, SIZE, Does::Read, &(), return_address);
    number(at)
}

fn number(at: usize) -> u128 {
    // SAFETY: `at` is 16 bytes of the program's.
    unsafe { (at as *const u128).read_unaligned() }
}

fn set_number(at: usize, value: u128) {
    // SAFETY: as in `number`.
    unsafe { (at as *mut u128).write_unaligned(value) }
}

extern "C-unwind" fn store_16(at: usize, value: u128, _order: i32, return_address: usize) {
    announce(at, SIZE, Does::Write, &value, return_address);
    set_number(at, value);
}

fn update_16(at: usize, operands: [u128; 2], new: impl FnOnce(u128) -> u128, return_address: usize) -> u128 {
    announce(at, SIZE, Does::Both, &operands, return_address);
    let old = number(at);
    set_number(at, new(old));
    old
}

extern "C-unwind" fn exchange_16(at: usize, value: u128, _order: i32, return_address: usize) -> u128 {
    update_16(at, [value, 0], |_| value, return_address)
}

extern "C-unwind" fn compare_exchange_16(
    at: usize,
    expected: usize,
    new: u128,
    _order: i32,
    return_address: usize,
) -> bool {
    before_read(expected, SIZE, return_address);
    let wanted = number(expected);
    let found = compare_exchange_val_16(at, wanted, new, return_address);
    if found != wanted {
        before_write(expected, SIZE, return_address);
        set_number(expected, found);
    }
    found == wanted
}

extern "C-unwind" fn compare_exchange_val_16(at: usize, expected: u128, new: u128, return_address: usize) -> u128 {
    update_16(at, [expected, new], |found| if found == expected { new } else { found }, return_address)
}

macro_rules! fetches_16 {
    ($($name:ident, $new:expr;)*) => { $(
        extern "C-unwind" fn $name(at: usize, operand: u128, _order: i32, return_address: usize) -> u128 {
            let new: fn(u128, u128) -> u128 = $new;
            update_16(at, [operand, 0], |old| new(old, operand), return_address)
        }
        const _: () = {
            entry!(of_tsan, concat!("__tsan_atomic128_", stringify!($name)), "r8", $name);
            entry!(of_library, concat!("__atomic_", stringify!($name), "_16"), "r8", $name);
        };
    )* };
}

fetches_16! {
    fetch_add, |a, b| a.wrapping_add(b);
    fetch_sub, |a, b| a.wrapping_sub(b);
    fetch_and, |a, b| a & b;
    fetch_or, |a, b| a | b;
    fetch_xor, |a, b| a ^ b;
    fetch_nand, |a, b| !(a & b);
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
