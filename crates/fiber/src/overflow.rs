//! Signals that end a fiber instead of the process. Stack overflows become failures: the guard page under a fiber's stack is
//! hit, and the fiber ends there. A destructor that panics while a run is given up ends its fiber too.
//!
//! The signal handler runs on the alternate stack that Rust's runtime gives to each OS thread. It leaves the fiber without
//! running destructors, so what the fiber held stays held. That must be nothing of this crate or of the allocator, which others
//! go on to use: whoever takes a lock or borrows a table on a fiber's stack first looks whether there is enough of it
//! ([`need_stack`]), and if not, the fiber ends there. So does whoever allocates, unless that was looked at before
//! ([`crate::context::quietly`]): while a table is borrowed, nobody looks.

use crate::context::Context;

/// So many bytes of a stack are for this crate and for the allocator.
pub(crate) const RESERVE: usize = 32 << 10;

/// More than any guard page.
const GUARD: usize = 1 << 16;

/// The thread that runs has [`RESERVE`] bytes of its stack left, or it ends here, with a stack overflow. Nothing is to be held.
#[inline(never)]
pub(crate) fn need_stack(context: &Context) {
    debug_assert!(context.tables_are_free(), "a table is borrowed where the thread may end");
    let (lowest, _) = context.running().stack.get();
    let here = 0u8;
    let left = (&raw const here as usize).wrapping_sub(lowest);
    // On another stack, as that of the explorer, this is no small number.
    if lowest != 0 && left < RESERVE {
        // SAFETY: the page below the stack, which cannot be read: the handler ends the fiber.
        unsafe { (lowest as *const u8).read_volatile() };
    }
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod linux {
    use super::{GUARD, RESERVE};
    use crate::context::{self, Mode};
    use model::{Failure, FailureKind};
    use std::mem::MaybeUninit;
    use std::ptr;
    use std::sync::OnceLock;

    static PREVIOUS: OnceLock<libc::sigaction> = OnceLock::new();

    /// Puts a handler before the one for segmentation faults, once.
    pub(crate) fn install() {
        PREVIOUS.get_or_init(|| {
            // SAFETY: plain system calls with valid pointers; a zeroed `sigaction` is a valid one.
            unsafe {
                let mut action: libc::sigaction = MaybeUninit::zeroed().assume_init();
                action.sa_sigaction = handle as *const () as usize;
                action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
                let mut previous: libc::sigaction = MaybeUninit::zeroed().assume_init();
                libc::sigaction(libc::SIGSEGV, &action, &mut previous);
                action.sa_sigaction = handle_abort as *const () as usize;
                libc::sigaction(libc::SIGABRT, &action, ptr::null_mut());
                previous
            }
        });
    }

    /// # Safety
    /// Called by the system.
    unsafe extern "C" fn handle(signal: libc::c_int, info: *mut libc::siginfo_t, machine: *mut libc::c_void) {
        // SAFETY: the arguments are the system's.
        if unsafe { overflowed(info, machine.cast()) } {
            return;
        }
        // Not ours: once more, with the handler that was there.
        if let Some(previous) = PREVIOUS.get() {
            // SAFETY: it was read from the system.
            unsafe { libc::sigaction(signal, previous, ptr::null_mut()) };
        }
    }

    /// A destructor that panics while a thread unwinds aborts the process. If the thread unwinds only because its run is given
    /// up, it is left there instead: C allows a handler of this signal not to return.
    ///
    /// # Safety
    /// Called by the system.
    unsafe extern "C" fn handle_abort(signal: libc::c_int, _: *mut libc::siginfo_t, machine: *mut libc::c_void) {
        if let Some(context) = context::current()
            && context.mode.get() != Mode::Running
        {
            context.registry.learn_to_forget();
            // SAFETY: the fiber runs, so it is there, and only its handler is made here.
            if let Some(fiber) = unsafe { &*context.running().fiber.get() } {
                // SAFETY: nothing of the fiber is used any more, and the registers are set as they must be.
                unsafe { jump(machine.cast(), fiber.trap_handler().setup_trap_handler(|| ())) };
                return;
            }
        }
        // SAFETY: plain system calls with valid pointers. The process aborts, as it would have.
        unsafe {
            let mut default: libc::sigaction = MaybeUninit::zeroed().assume_init();
            default.sa_sigaction = libc::SIG_DFL;
            libc::sigaction(signal, &default, ptr::null_mut());
        }
    }

    /// If the address is just under the running fiber's stack, ends the fiber.
    ///
    /// # Safety
    /// The arguments are those of a signal handler.
    unsafe fn overflowed(info: *mut libc::siginfo_t, machine: *mut libc::ucontext_t) -> bool {
        let Some(context) = context::current() else { return false };
        let thread = context.current();
        let slot = context.slot(thread);
        let (lowest, top) = slot.stack.get();
        // SAFETY: promised by the caller.
        let address = unsafe { (*info).si_addr() } as usize;
        if lowest == 0 || !(lowest..lowest + GUARD).contains(&address) {
            return false;
        }
        // SAFETY: the fiber runs, so it is there, and only its handler is made here.
        let Some(fiber) = (unsafe { &*slot.fiber.get() }) else { return false };
        let handler = fiber.trap_handler();
        let size = (top - lowest).saturating_sub(RESERVE);
        // SAFETY: the fiber was interrupted at an access of its guard page, and the registers are set as they must be.
        // What it was doing to memory outside of its stack is left as it is: nothing but reports is made from it.
        unsafe {
            let registers = handler.setup_trap_handler(move || {
                let message = format!(
                    "the thread used up its stack of {size} bytes; MAZURKA_STACK_SIZE, Checker::stack_size or \
                     thread::Builder::stack_size give it more"
                );
                let site = slot_site();
                let failure = Failure { kind: FailureKind::StackOverflow, message, site };
                if let Some(context) = context::current() {
                    *context.slot(context.current()).failure.borrow_mut() = Some(failure);
                }
            });
            jump(machine, registers);
        }
        true
    }

    fn slot_site() -> model::Site {
        context::current().map_or(model::Site::UNKNOWN, |context| context.slot(context.current()).op.get().site)
    }

    #[cfg(target_arch = "x86_64")]
    unsafe fn jump(machine: *mut libc::ucontext_t, registers: corosensei::trap::TrapHandlerRegs) {
        let corosensei::trap::TrapHandlerRegs { rip, rsp, rbp, rdi, rsi } = registers;
        // SAFETY: the machine context of a signal handler.
        let saved = unsafe { &mut (*machine).uc_mcontext.gregs };
        saved[libc::REG_RIP as usize] = rip as i64;
        saved[libc::REG_RSP as usize] = rsp as i64;
        saved[libc::REG_RBP as usize] = rbp as i64;
        saved[libc::REG_RDI as usize] = rdi as i64;
        saved[libc::REG_RSI as usize] = rsi as i64;
    }

    #[cfg(target_arch = "aarch64")]
    unsafe fn jump(machine: *mut libc::ucontext_t, registers: corosensei::trap::TrapHandlerRegs) {
        let corosensei::trap::TrapHandlerRegs { pc, sp, x0, x1, x29, lr } = registers;
        // SAFETY: the machine context of a signal handler.
        let saved = unsafe { &mut (*machine).uc_mcontext };
        saved.pc = pc;
        saved.sp = sp;
        saved.regs[0] = x0;
        saved.regs[1] = x1;
        saved.regs[29] = x29;
        saved.regs[30] = lr;
    }
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(crate) use linux::install;

/// Elsewhere an overflow is the system's signal.
#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
pub(crate) fn install() {}
