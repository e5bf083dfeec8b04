//! Signals of the machine become failures of the thread that runs: a segmentation fault, a division by zero, a stack that
//! is used up, and a loop that never comes to an operation.
//!
//! The handler notes what happened and lets the thread go on in [`give_up`], on a stack of its own.

use crate::calls::call::is_in_wipe;
use crate::context::{self, Context};
use crate::layout;
use crate::recorder::MOST_FRAMES;
use crate::slot::Status;
use model::{FailureKind, Site};
use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::time::{Duration, Instant};
use std::{io, ptr};

/// What happened to the thread that runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trouble {
    signal: c_int,
    /// The address that could not be accessed.
    address: usize,
    site: Site,
    stack: usize,
    frames: [*mut c_void; MOST_FRAMES],
    count: usize,
}

/// Bytes of the stack on which a thread is given up.
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
    for signal in [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGTRAP, libc::SIGALRM] {
        // SAFETY: a zeroed `sigaction` is a valid one; the handler is made for these signals.
        unsafe {
            let mut action: libc::sigaction = MaybeUninit::zeroed().assume_init();
            action.sa_sigaction = handle as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_RESTART;
            if libc::sigaction(signal, &action, ptr::null_mut()) != 0 {
                return Err(io::Error::last_os_error());
            }
        }
    }
    start_timer(context);
    Ok(())
}

/// From now on, it is looked at whether the thread that runs comes forward. A copy of this process needs its own timer.
pub(crate) fn start_timer(context: &Context) {
    let between = between_looks(context);
    context.look_every.set(between);
    set_timer(between, between);
}

/// It is looked for the first time after `first`, and then every `between`.
fn set_timer(first: Duration, between: Duration) {
    let time =
        |span: Duration| libc::timeval { tv_sec: span.as_secs() as i64, tv_usec: i64::from(span.subsec_micros()) };
    let timer = libc::itimerval { it_interval: time(between), it_value: time(first) };
    // SAFETY: a plain system call.
    unsafe { libc::setitimer(libc::ITIMER_REAL, &timer, ptr::null_mut()) };
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
    let context = context::running();
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
    let mut frames = [ptr::null_mut(); MOST_FRAMES];
    // SAFETY: as many addresses as there is room for. The unwinder was made ready when the program was loaded.
    let count = unsafe { libc::backtrace(frames.as_mut_ptr(), MOST_FRAMES as c_int) } as usize;
    if signal == libc::SIGALRM && (is_in_runtime(context, &frames[..count], at, stack) || is_in_stub(context, at)) {
        // It comes to an end, and is not to be left in the middle of a change. A thread that does little but call the runtime
        // ends itself when it next announces an access, or is met in its own code when it is looked for soon and often.
        context.reads_left.set(0);
        set_timer(SOON, context.look_every.get());
        return;
    }
    context.trouble.set(Some(Trouble { signal, address, site: site(context, at, stack), stack, frames, count }));
    registers[libc::REG_RIP as usize] = give_up as *const () as i64;
    // As after a call: 8 less than a multiple of 16.
    registers[libc::REG_RSP as usize] = context.emergency.get() as i64 - 8;
}

/// Whether what was interrupted at an address was called by the runtime, and not by the program.
fn is_in_runtime(context: &Context, frames: &[*mut c_void], interrupted: usize, stack: usize) -> bool {
    if is_in_wipe(interrupted) {
        // It was called by an entry, which has changed nothing yet, and which was called from here.
        // SAFETY: the stack of the thread that runs, above its stack pointer.
        let caller = unsafe { ((stack + size_of::<usize>()) as *const usize).read() };
        return !context.image().text.contains(&caller);
    }
    let frames = frames.iter().map(|&frame| frame as usize).skip_while(|&frame| frame != interrupted);
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
    let stack = stack.max(top - context.options.stack_size - layout::RESERVE);
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

extern "C-unwind" fn fail_too_deep(return_address: usize) -> ! {
    let context = context::running().expect("a fiber has called");
    context.fail(FailureKind::StackOverflow, used_up(context), context.site(return_address))
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
        libc::SIGSEGV if guard.contains(&trouble.address) => (FailureKind::StackOverflow, used_up(context)),
        libc::SIGSEGV if trouble.address < NEAR => {
            (FailureKind::Crash, format!("segmentation fault: access of the null pointer ({:#x})", trouble.address))
        }
        libc::SIGSEGV | libc::SIGBUS => {
            (FailureKind::Crash, format!("segmentation fault: access of {:#x}", trouble.address))
        }
        libc::SIGFPE => (FailureKind::Crash, "arithmetic error, such as a division by zero".to_owned()),
        libc::SIGALRM => (FailureKind::Hang, computed_for_long(context)),
        _ => (FailureKind::Crash, "illegal instruction".to_owned()),
    };
    let frames = trouble.frames[..trouble.count].iter().map(|&frame| frame as usize);
    let text = &context.image().text;
    let mut calls: Vec<Site> = frames.filter(|at| text.contains(at)).map(|at| context.site(at)).collect();
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
