//! Atomic operations. In a search of interleavings, whatever memory order they ask for, they take effect at once and in one
//! order for all threads. The orders are for searches over execution graphs.

use super::{NOTHING, Nothing, entry};
use crate::context::{self, Context};
use crate::shadow::Touch;
use crate::slot::Effect;
use model::{Function, ObjectId, OpKind, Order, Orders, Site, Update, Width};

/// The object that an atomic access touches, if others touch it too.
#[inline(always)]
fn object(context: &Context, address: usize, size: usize) -> Option<ObjectId> {
    super::access::witness(context, address, size, true, Site::UNKNOWN);
    if !context.concurrent.get() {
        return None;
    }
    if address % 8 + size > 8 {
        return context.shadow.touch_whole(context.current(), address, size);
    }
    match context.shadow.touch(context.current(), address, size, true) {
        Touch::Private(_) => None,
        Touch::Shared(object, _) => Some(object),
    }
}

/// Announces an access that the program does itself, as an atomic one.
pub(super) fn announce(context: &Context, address: usize, size: usize, write: bool, return_address: usize) {
    match object(context, address, size) {
        Some(object) => {
            let kind = if write { OpKind::Write(0) } else { OpKind::Read };
            context.announce(kind, object, context.site(return_address), Effect::Native);
        }
        None => super::access::note_write(context, address, write, context.site(return_address)),
    }
    super::access::check(context, address, size, write, return_address);
}

/// Performs an operation on a number of `size` bytes. The answer is the number before.
// Inlined, down to the switch: see there.
#[inline(always)]
fn perform(address: usize, size: usize, kind: OpKind, orders: Orders, return_address: usize) -> u64 {
    let Some(context) = context::running() else { return at_once(address, size, kind) };
    let Some(object) = object(context, address, size) else {
        return perform_alone(context, address, size, kind, return_address);
    };
    ask_for(context, orders);
    let before = match context.shadow.find(object) {
        Some(extent) if extent.size == size => context.perform(kind, object, context.site(return_address)).before,
        _ => perform_on_part(context, object, address, size, kind, return_address),
    };
    super::access::check(context, address, size, !matches!(kind, OpKind::Read), return_address);
    before
}

/// The operation that comes next has these orders.
#[inline(always)]
fn ask_for(context: &Context, orders: Orders) {
    context.here().orders.set(orders);
    if !orders.are_seq_cst() && !context.apart.has_weak_orders.get() {
        context.know_weak_orders();
    }
}

/// The order of this number in C: relaxed, consume (which is taken for acquire), acquire, release, acq_rel, seq_cst.
#[inline(always)]
fn order(number: i32) -> Order {
    // Compilers add hints in higher bits.
    match number & 0xFFFF {
        0 => Order::Relaxed,
        1 | 2 => Order::Acquire,
        3 => Order::Release,
        4 => Order::AcqRel,
        _ => Order::SeqCst,
    }
}

#[inline(always)]
fn orders(number: i32) -> Orders {
    Orders::of(order(number))
}

/// Performs an operation on memory that no other thread touches. One that leaves it as it is only looks: a loop of such
/// may wait for others, who have not come to this memory yet.
#[inline(never)]
fn perform_alone(context: &Context, address: usize, size: usize, kind: OpKind, return_address: usize) -> u64 {
    super::access::check(context, address, size, !matches!(kind, OpKind::Read), return_address);
    let before = crate::run::word(&crate::shadow::Extent::of(address, size));
    let after = objects::apply(kind, objects::outcome(kind, before), before, model::ThreadId(0));
    super::access::note_atomic(context, address, before != after, context.site(return_address));
    at_once(address, size, kind)
}

/// Performs an operation on a part of an object that is accessed as a whole elsewhere.
#[cold]
#[inline(never)]
fn perform_on_part(
    context: &Context,
    object: ObjectId,
    address: usize,
    size: usize,
    kind: OpKind,
    return_address: usize,
) -> u64 {
    let announced = if kind == OpKind::Read { kind } else { OpKind::ReadModifyWrite(Update::Native) };
    context.announce_with(&kind, announced, object, context.site(return_address), Effect::Native);
    at_once(address, size, kind)
}

/// The operation on memory that no other thread touches, or that is touched only now.
#[inline(never)]
fn at_once(address: usize, size: usize, kind: OpKind) -> u64 {
    let extent = crate::shadow::Extent::of(address, size);
    let before = crate::run::word(&extent);
    let outcome = objects::outcome(kind, before);
    crate::run::set_word(&extent, objects::apply(kind, outcome, before, model::ThreadId(0)));
    before
}

/// Performs an update that the explorer has no name for. The answer is the number before.
fn update(address: usize, size: usize, operand: u64, new: impl FnOnce(u64) -> u64, return_address: usize) -> u64 {
    if let Some(context) = context::running() {
        match object(context, address, size) {
            Some(object) => {
                let kind = OpKind::ReadModifyWrite(Update::Native);
                context.announce_with(&operand, kind, object, context.site(return_address), Effect::Native);
            }
            None => super::access::note_atomic(context, address, true, context.site(return_address)),
        }
        super::access::check(context, address, size, true, return_address);
    }
    let extent = crate::shadow::Extent::of(address, size);
    let before = crate::run::word(&extent);
    crate::run::set_word(&extent, new(before));
    before
}

/// Where the program wants what the next operation finds, which is part of the thread's local state; 0 when that is over.
fn note_result(place: usize) {
    if let Some(context) = context::running() {
        context.here().operands.set(place as u128);
    }
}

/// Stores a byte for the runtime itself.
pub(super) fn store_byte(address: usize, value: u8, return_address: usize) {
    perform(address, 1, OpKind::Write(value.into()), Orders::default(), return_address);
}

/// Counts one more in 8 bytes for the runtime itself.
pub(super) fn count(address: usize, return_address: usize) {
    perform(address, 8, fetch(Function::Add, 64, 1), Orders::default(), return_address);
}

/// Loads 4 bytes for the runtime itself.
pub(super) fn load_word(address: usize, return_address: usize) -> u32 {
    perform(address, 4, OpKind::Read, Orders::default(), return_address) as u32
}

fn fetch(function: Function, bits: u8, operand: u64) -> OpKind {
    OpKind::ReadModifyWrite(Update::Fetch { function, width: Width { bits, signed: false }, operand })
}

macro_rules! fetches {
    ($number:ty, $bits:literal, $($name:ident $function:ident),*) => { $(
        extern "C-unwind" fn $name(at: usize, operand: $number, order: i32, from: usize) -> $number {
            let kind = fetch(Function::$function, $bits, operand.into());
            perform(at, $bits / 8, kind, orders(order), from) as $number
        }
        const _: () = { entry!(entry_of, concat!("__tsan_atomic", $bits, "_", stringify!($name)), "rcx", $name); };
    )* };
}

/// Additions and subtractions whose result the program does not look at: see `driver::blind`. They commute.
macro_rules! blind {
    ($number:ty, $bits:literal, $($name:ident $by:expr),*) => { $(
        pub(super) mod $name {
            use super::*;
            extern "C-unwind" fn blind(at: usize, operand: $number, order: i32, from: usize) -> $number {
                let by: fn($number) -> $number = $by;
                let kind = OpKind::AddIn { width: Width { bits: $bits, signed: false }, by: by(operand).into() };
                perform(at, $bits / 8, kind, orders(order), from);
                0
            }
            entry!(entry_of, concat!("__mazurka_blind_tsan_atomic", $bits, "_", stringify!($name)), "rcx", blind);
        }
    )* };
}

macro_rules! atomics {
    ($($module:ident $number:ty, $bits:literal;)*) => { $(
        mod $module {
            use super::*;
            const SIZE: usize = $bits / 8;

            extern "C-unwind" fn load(at: usize, order: i32, from: usize) -> $number {
                perform(at, SIZE, OpKind::Read, orders(order), from) as $number
            }
            extern "C-unwind" fn store(at: usize, value: $number, order: i32, from: usize) -> Nothing {
                perform(at, SIZE, OpKind::Write(value.into()), orders(order), from);
                NOTHING
            }
            extern "C-unwind" fn exchange(at: usize, value: $number, order: i32, from: usize) -> $number {
                let kind = OpKind::ReadModifyWrite(Update::Swap(value.into()));
                perform(at, SIZE, kind, orders(order), from) as $number
            }
            extern "C-unwind" fn compare_exchange_val(
                at: usize, expected: $number, new: $number, success: i32, failure: i32, from: usize,
            ) -> $number {
                let kind = OpKind::CompareExchange { expected: expected.into(), new: new.into() };
                let orders = Orders { success: order(success), failure: order(failure) };
                perform(at, SIZE, kind, orders, from) as $number
            }
            extern "C-unwind" fn compare_exchange(
                at: usize, expected: *mut $number, new: $number, success: i32, failure: i32, from: usize,
            ) -> i32 {
                super::super::access::before_read(expected as usize, SIZE, from);
                // SAFETY: `expected` is the program's place for the number to be found.
                let wanted = unsafe { expected.read_unaligned() };
                note_result(expected as usize);
                let found = compare_exchange_val(at, wanted, new, success, failure, from);
                note_result(0);
                if found != wanted {
                    super::super::access::before_write(expected as usize, SIZE, from);
                    // SAFETY: as above; it is written only where it differs.
                    unsafe { expected.write_unaligned(found) };
                }
                i32::from(found == wanted)
            }
            fetches!($number, $bits, fetch_add Add, fetch_sub Sub, fetch_and And, fetch_or Or, fetch_xor Xor,
                fetch_nand Nand);
            mod unseen {
                use super::*;
                blind!($number, $bits, fetch_add |by| by, fetch_sub <$number>::wrapping_neg);
            }
            entry!(entry_of_load, concat!("__tsan_atomic", $bits, "_load"), "rdx", load);
            entry!(entry_of_store, concat!("__tsan_atomic", $bits, "_store"), "rcx", store);
            entry!(entry_of_exchange, concat!("__tsan_atomic", $bits, "_exchange"), "rcx", exchange);
            entry!(entry_of_val, concat!("__tsan_atomic", $bits, "_compare_exchange_val"), "r9", compare_exchange_val);
            entry!(entry_of_strong, concat!("__tsan_atomic", $bits, "_compare_exchange_strong"), "r9", compare_exchange);
            entry!(entry_of_weak, concat!("__tsan_atomic", $bits, "_compare_exchange_weak"), "r9", compare_exchange);
        }
    )* };
}

atomics! {
    of_8 u8, 8;
    of_16 u16, 16;
    of_32 u32, 32;
    of_64 u64, 64;
}

/// Updates that the sanitizer has no functions for; the driver puts calls of these in their place.
macro_rules! updates {
    ($($module:ident $number:ty, $bits:literal, $name:literal, $new:expr;)*) => { $(
        mod $module {
            use super::*;
            extern "C-unwind" fn perform(at: usize, operand: $number, from: usize) -> $number {
                let new: fn($number, $number) -> $number = $new;
                update(at, $bits / 8, operand.into(), |before| new(before as $number, operand).into(), from) as $number
            }
            entry!(entry_of, concat!("mazurka_atomic", $bits, "_", $name), "rdx", perform);
        }
    )* };
}

updates! {
    min_8 u8, 8, "min", |a, b| (a as i8).min(b as i8) as u8;
    max_8 u8, 8, "max", |a, b| (a as i8).max(b as i8) as u8;
    umin_8 u8, 8, "umin", |a, b| a.min(b);
    umax_8 u8, 8, "umax", |a, b| a.max(b);
    min_16 u16, 16, "min", |a, b| (a as i16).min(b as i16) as u16;
    max_16 u16, 16, "max", |a, b| (a as i16).max(b as i16) as u16;
    umin_16 u16, 16, "umin", |a, b| a.min(b);
    umax_16 u16, 16, "umax", |a, b| a.max(b);
    min_32 u32, 32, "min", |a, b| (a as i32).min(b as i32) as u32;
    max_32 u32, 32, "max", |a, b| (a as i32).max(b as i32) as u32;
    umin_32 u32, 32, "umin", |a, b| a.min(b);
    umax_32 u32, 32, "umax", |a, b| a.max(b);
    fadd_32 u32, 32, "fadd", |a, b| (f32::from_bits(a) + f32::from_bits(b)).to_bits();
    fsub_32 u32, 32, "fsub", |a, b| (f32::from_bits(a) - f32::from_bits(b)).to_bits();
    min_64 u64, 64, "min", |a, b| (a as i64).min(b as i64) as u64;
    max_64 u64, 64, "max", |a, b| (a as i64).max(b as i64) as u64;
    umin_64 u64, 64, "umin", |a, b| a.min(b);
    umax_64 u64, 64, "umax", |a, b| a.max(b);
    fadd_64 u64, 64, "fadd", |a, b| (f64::from_bits(a) + f64::from_bits(b)).to_bits();
    fsub_64 u64, 64, "fsub", |a, b| (f64::from_bits(a) - f64::from_bits(b)).to_bits();
}

/// In a search of interleavings, everything is in one order anyway.
extern "C-unwind" fn thread_fence(order: i32, from: usize) -> Nothing {
    let Some(context) = context::running().filter(|context| context.concurrent.get()) else { return NOTHING };
    ask_for(context, orders(order));
    if context.apart.is_on() {
        context.perform(OpKind::Fence, ObjectId::NONE, context.site(from));
    }
    NOTHING
}

entry!(entry_of_fence, "__tsan_atomic_thread_fence", "rsi", thread_fence);

#[unsafe(export_name = "__tsan_atomic_signal_fence")]
extern "C" fn signal_fence(_order: i32) {}

unsafe extern "C" {
    /// Of the C library: sets flags of the floating-point environment, which is the thread's own.
    fn feraiseexcept(exceptions: std::ffi::c_int) -> std::ffi::c_int;
}

/// What gcc calls when an atomic update of a floating-point number is done, with the exceptions that it had.
#[unsafe(no_mangle)]
extern "C" fn __atomic_feraiseexcept(exceptions: std::ffi::c_int) {
    // SAFETY: touches nothing but the flags of this thread.
    unsafe { feraiseexcept(exceptions) };
}
