//! Signals of the machine become failures of the thread that runs: a segmentation fault, a division by zero, a stack that
//! is used up, and a loop that never comes to an operation.
//!
//! The handler notes what happened and lets the thread go on in [`give_up`], on a stack of its own.

use crate::calls::call::is_in_wipe;
use crate::context::{self, Context};
use crate::layout;
use crate::recorder::{Calls, unwound};
use crate::slot::Status;
use model::{FailureKind, Site};
use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::time::{Duration, Instant};
use std::{io, ptr};

/// What happened to the thread that runs.
pub(crate) struct Trouble {
    signal: c_int,
    /// Where the processor was.
    at: usize,
    /// The address that could not be accessed, if it is one that memory can have.
    address: Option<usize>,
    site: Site,
    stack: usize,
    calls: Calls,
}

/// What the system says of a fault for which the processor gives no address.
const SI_KERNEL: c_int = 0x80;

/// Bytes of the stack on which a thread is given up, and of that of handlers.
const EMERGENCY: usize = 1 << 18;
/// How far up the stack the program's own code is looked for.
const NEAR: usize = 4096;
/// Looks at whether the thread that runs comes forward, for each patience.
const LOOKS: u32 = 4;
/// No timer is faster.
const SHORTEST: Duration = Duration::from_millis(5);

/// When to look again for a thread that was not met in its own code.
const SOON: Duration = Duration::from_micros(700);

/// Puts the handlers in place.
pub(crate) fn install(context: &Context) -> io::Result<()> {
    context.emergency.set(layout::reserve(EMERGENCY, None)? as usize + EMERGENCY);
    let stack = libc::stack_t { ss_sp: layout::reserve(EMERGENCY, None)?.cast(), ss_flags: 0, ss_size: EMERGENCY };
    // SAFETY: memory for the stack of handlers, of which nobody else knows.
    if unsafe { libc::sigaltstack(&stack, ptr::null_mut()) } != 0 {
        return Err(io::Error::last_os_error());
    }
    for signal in [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGTRAP, libc::SIGALRM] {
        // SAFETY: a zeroed `sigaction` is a valid one; the handler is made for these signals.
        unsafe {
            let mut action: libc::sigaction = MaybeUninit::zeroed().assume_init();
            action.sa_sigaction = handle as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_RESTART;
            if signal != libc::SIGALRM {
                // Handlers unwind stacks, which may be destroyed.
                action.sa_flags |= libc::SA_NODEFER;
            }
            if libc::sigaction(signal, &action, ptr::null_mut()) != 0 {
                return Err(io::Error::last_os_error());
            }
        }
    }
    if !start_timer(context) {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

/// A timer of one process.
#[derive(Clone, Copy)]
pub(crate) struct Timer {
    of: u32,
    id: libc::timer_t,
}

/// A new timer, which tells the calling thread and no other: the system would choose any of those that a process has.
fn new_timer() -> Option<Timer> {
    // SAFETY: plain system calls, with room for the answer; a zeroed `sigevent` is a valid one.
    unsafe {
        let mut event: libc::sigevent = MaybeUninit::zeroed().assume_init();
        event.sigev_notify = libc::SIGEV_THREAD_ID;
        event.sigev_signo = libc::SIGALRM;
        event.sigev_notify_thread_id = libc::gettid();
        let mut id: libc::timer_t = ptr::null_mut();
        let is_made = libc::timer_create(libc::CLOCK_MONOTONIC, &mut event, &mut id) == 0;
        is_made.then_some(Timer { of: libc::getpid() as u32, id })
    }
}

/// From now on, it is looked at whether the thread that runs comes forward. A copy of this process needs its own timer. False if
/// the system gives none.
pub(crate) fn start_timer(context: &Context) -> bool {
    let own = context.timer.get().filter(|timer| timer.of == std::process::id());
    let timer = own.or_else(new_timer);
    context.timer.set(timer);
    let between = between_looks(context);
    context.look_every.set(between);
    timer.is_some_and(|timer| set_timer(timer, between, between))
}

/// It is looked for the first time after `first`, and then every `between`.
fn set_timer(timer: Timer, first: Duration, between: Duration) -> bool {
    let time = |span: Duration| libc::timespec { tv_sec: span.as_secs() as i64, tv_nsec: span.subsec_nanos().into() };
    let times = libc::itimerspec { it_interval: time(between), it_value: time(first) };
    // SAFETY: a plain system call, which may be made in a signal handler.
    unsafe { libc::timer_settime(timer.id, 0, &times, ptr::null_mut()) == 0 }
}

/// How long it is between two looks: short enough for the time limit, too.
fn between_looks(context: &Context) -> Duration {
    let left = context.deadline.get().map(|deadline| deadline.saturating_duration_since(Instant::now()));
    let shortest = left.map_or(context.options.hang_after, |left| left.min(context.options.hang_after));
    (shortest / LOOKS).max(SHORTEST)
}

/// # Safety
/// Called by the system.
unsafe extern "C" fn handle(signal: c_int, info: *mut libc::siginfo_t, machine: *mut c_void) {
    if signal == libc::SIGALRM
        && let Some(context) = context::get().filter(|context| is_overdue(context))
    {
        context.is_out_of_time.set(true);
    }
    // Other threads of this process have crashes of their own.
    let context = context::running().filter(|context| context.is_on_its_thread());
    if signal == libc::SIGALRM && !context.is_some_and(looks_hanging) {
        return;
    }
    let Some(context) = context else {
        // Not of the program: once more, and this time it ends the process.
        // SAFETY: a plain system call.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
        return;
    };
    // SAFETY: the arguments are the system's.
    let (address, machine) = unsafe { ((*info).si_addr() as usize, &mut *machine.cast::<libc::ucontext_t>()) };
    let registers = &mut machine.uc_mcontext.gregs;
    let [at, stack] = [libc::REG_RIP, libc::REG_RSP].map(|register| registers[register as usize] as usize);
    if signal != libc::SIGALRM
        && let Some([end, stack_pointer]) = context.end_of_guarded()
    {
        [registers[libc::REG_RIP as usize], registers[libc::REG_RSP as usize]] = [end as i64, stack_pointer as i64];
        return;
    }
    // The unwinder was made ready when the program was loaded.
    let calls = unwound();
    if signal == libc::SIGALRM && (is_in_runtime(context, calls.all(), at, stack) || is_in_stub(context, at)) {
        // It comes to an end, and is not to be left in the middle of a change. A thread that does little but call the runtime
        // ends itself when it next announces an access, or is met in its own code when it is looked for soon and often.
        context.reads_left.set(0);
        if let Some(timer) = context.timer.get() {
            set_timer(timer, SOON, context.look_every.get());
        }
        return;
    }
    // SAFETY: as above.
    let address = (unsafe { (*info).si_code } != SI_KERNEL).then_some(address);
    context.trouble.set(Some(Trouble { signal, at, address, site: site(context, at, stack), stack, calls }));
    registers[libc::REG_RIP as usize] = give_up as *const () as i64;
    // As after a call: 8 less than a multiple of 16.
    registers[libc::REG_RSP as usize] = context.emergency.get() as i64 - 8;
}

/// Whether what was interrupted at an address was called by the runtime, and not by the program.
fn is_in_runtime(context: &Context, calls: &[(usize, usize)], interrupted: usize, stack: usize) -> bool {
    if is_in_wipe(interrupted) {
        // It was called by an entry, which has changed nothing yet, and which was called from here.
        // SAFETY: the stack of the thread that runs, above its stack pointer.
        let caller = unsafe { ((stack + size_of::<usize>()) as *const usize).read() };
        return !context.image().text.contains(&caller);
    }
    let frames = calls.iter().map(|&(at, _)| at).skip_while(|&frame| frame != interrupted);
    let text = &context.image().text;
    frames.take_while(|frame| !text.contains(frame)).any(|frame| context.own_text.contains(&frame))
}

/// Whether the program is on its way to a function that the linker found: between two functions, at no line.
fn is_in_stub(context: &Context, at: usize) -> bool {
    /// `jmp *offset(%rip)`
    const JUMP: [u8; 2] = [0xFF, 0x25];
    context.image.get().is_some_and(|image| image.text.contains(&at) && image.text.contains(&(at + JUMP.len())))
        // SAFETY: code of the program, which can be read.
        && unsafe { (at as *const [u8; 2]).read() } == JUMP
}

/// A look at whether the thread that runs was at the same operation the last few times, too, and hangs.
fn looks_hanging(context: &Context) -> bool {
    let (pulse, times) = context.last_look.get();
    let now = context.pulse.get();
    let times = if pulse == now { times + 1 } else { 0 };
    context.last_look.set((now, times));
    if times == 0 {
        context.computed_before.set(computed());
    }
    hangs(context)
}

/// Whether the thread that runs was at the same operation in the last few looks.
pub(crate) fn hangs(context: &Context) -> bool {
    let (pulse, times) = context.last_look.get();
    pulse == context.pulse.get() && times > 0 && has_had_its_time(context, times)
}

/// Whether a thread that was so many times at the same operation is given up.
fn has_had_its_time(context: &Context, times: u32) -> bool {
    is_overdue(context)
        || context.look_every.get() * times > context.options.hang_after
            && computed().saturating_sub(context.computed_before.get()) > context.options.hang_after / BUSY
}

/// A thread that hangs computes, at least for this part of the time: one that waits for the machine, which others use, does not.
const BUSY: u32 = 4;

/// How long this process has computed.
fn computed() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: a plain system call, which may be made in a signal handler.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn is_overdue(context: &Context) -> bool {
    context.deadline.get().is_some_and(|deadline| Instant::now() >= deadline)
}

/// Where the program was; when it was in a function of a library, where it called that.
fn site(context: &Context, at: usize, stack: usize) -> Site {
    let Some(image) = context.image.get() else { return Site::UNKNOWN };
    if image.text.contains(&at) {
        // Sites are return addresses.
        return context.site(at + 1);
    }
    words_of(context, stack).next().map_or(Site::UNKNOWN, |address| context.site(address))
}

/// What looks like return addresses of the program near this place on a stack.
fn words_of(context: &Context, stack: usize) -> impl Iterator<Item = usize> {
    let top = layout::stack_owner(stack).map_or(stack, |thread| context.locals_of(thread));
    // What is below was not used, and cannot be read.
    let stack = stack.max(top.saturating_sub(context.options.stack_size + layout::RESERVE));
    let words = (stack.next_multiple_of(8)..top.min(stack + NEAR)).step_by(8);
    let text = &context.image().text;
    // SAFETY: the thread's stack, between its stack pointer and its top.
    words.map(|word| unsafe { (word as *const usize).read() }).filter(|word| text.contains(word))
}

fn computed_for_long(context: &Context) -> String {
    format!("the thread computed for more than {:?} without any operation", context.options.hang_after)
}

/// The run is given up, for its time is over.
fn interrupt(context: &Context) -> ! {
    context.interrupted.set(true);
    context.cut.set(true);
    context.leave(Status::Gone)
}

/// The thread that runs notices by itself that it hangs.
pub(crate) fn give_up_hanging(context: &Context, site: Site) -> ! {
    context.here().ahead.borrow_mut().clear();
    if is_overdue(context) {
        interrupt(context);
    }
    context.fail(FailureKind::Hang, computed_for_long(context), site)
}

fn used_up(context: &Context) -> String {
    format!("the thread used up its stack of {} bytes", context.options.stack_size)
}

/// Where a thread goes on that calls the runtime with nothing left of its stack: on the runtime's reserve.
#[unsafe(naked)]
pub(crate) unsafe extern "C-unwind" fn call_too_deep() {
    // The stack pointer is as after a call; the first argument is the return address.
    std::arch::naked_asm!("mov rdi, [rsp]", "jmp {fail}", fail = sym fail_too_deep)
}

pub(crate) extern "C-unwind" fn fail_too_deep(return_address: usize) -> ! {
    let context = context::running().expect("a fiber has called");
    context.fail(FailureKind::StackOverflow, used_up(context), context.site(return_address))
}

/// What a thread did that ends with a segmentation fault.
fn accessed(trouble: &Trouble) -> String {
    let what = if trouble.address == Some(trouble.at) { "call" } else { "access" };
    match trouble.address {
        Some(address) if address < NEAR => format!("{what} of the null pointer ({address:#x})"),
        Some(address) => format!("{what} of {address:#x}"),
        None => "an address that no memory can have".to_owned(),
    }
}

/// The thread that runs fails.
extern "C-unwind" fn give_up() -> ! {
    let context = context::running().expect("the handler looked");
    let trouble = context.trouble.take().expect("the handler noted it");
    if !context.tables_are_free() {
        // Nothing can go on with a table that was left in the middle of a change.
        eprintln!("error: signal {} in the runtime, at {:?}: this is a fault of Mazurka", trouble.signal, trouble.site);
        std::process::abort();
    }
    // What it wrote last is no step any more: it has no stack to go on with.
    context.here().ahead.borrow_mut().clear();
    if trouble.signal == libc::SIGALRM && is_overdue(context) {
        interrupt(context);
    }
    let thread = context.current();
    let region = layout::stack_of(thread);
    let guard = region.start..context.stack_end(thread) + NEAR;
    let (kind, message) = match trouble.signal {
        libc::SIGSEGV if trouble.address.is_some_and(|address| guard.contains(&address)) => {
            (FailureKind::StackOverflow, used_up(context))
        }
        libc::SIGSEGV | libc::SIGBUS => (FailureKind::Crash, format!("segmentation fault: {}", accessed(&trouble))),
        libc::SIGFPE => (FailureKind::Crash, "arithmetic error, such as a division by zero".to_owned()),
        libc::SIGALRM => (FailureKind::Hang, computed_for_long(context)),
        _ => (FailureKind::Crash, "illegal instruction".to_owned()),
    };
    let mut calls = context.own_calls(trouble.calls.all());
    if calls.is_empty() {
        // It happened where the unwinder does not know its way.
        calls = words_of(context, trouble.stack).map(|address| context.site(address)).collect();
    }
    if let Some(innermost) = calls.first_mut() {
        // The first is where the program was, and sites are return addresses.
        *innermost = trouble.site;
    }
    context.fail_after(kind, message, trouble.site, calls)
}
