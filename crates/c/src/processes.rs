//! The processes of a search: the one that the command starts for it, and copies of that one that share the work.
//!
//! A copy has the program loaded at the same addresses, with the same variables, and knows all that was found out about
//! it so far. None outlives the process that made it.

use crate::discoveries::Room;
use crate::program::CProgram;
use crate::signals;
use std::ffi::c_int;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus};
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};
use std::{io, ptr, thread};

/// Makes a command ready to be the process of a search: the program is at the same addresses in all such processes, and
/// none is left behind when this process ends, however it does.
pub fn prepare(command: &mut Command) {
    let parent = std::process::id();
    // SAFETY: only system calls are made between fork and exec.
    unsafe {
        command.pre_exec(move || {
            libc::personality(libc::ADDR_NO_RANDOMIZE as libc::c_ulong);
            end_with(parent)
        });
    }
}

/// The same for a command that this process becomes.
pub fn prepare_in_place(command: &mut Command) {
    // SAFETY: only a system call is made before exec.
    unsafe {
        command.pre_exec(|| {
            libc::personality(libc::ADDR_NO_RANDOMIZE as libc::c_ulong);
            Ok(())
        });
    }
}

/// Makes a command notice signals that tell it to end only when it asks for them ([`is_told_to_end`]): they come while a
/// program's own stack is in use, and a search is to end in order.
pub fn defer_signals(command: &mut Command) {
    // SAFETY: only system calls are made between fork and exec.
    unsafe {
        command.pre_exec(|| {
            let signals = ends();
            match libc::sigprocmask(libc::SIG_BLOCK, &signals, ptr::null_mut()) {
                0 => Ok(()),
                _ => Err(io::Error::last_os_error()),
            }
        });
    }
}

/// The signals by which a process is told to end.
fn ends() -> libc::sigset_t {
    // SAFETY: a set that is emptied before it is used.
    unsafe {
        let mut signals = std::mem::zeroed();
        libc::sigemptyset(&mut signals);
        libc::sigaddset(&mut signals, libc::SIGINT);
        libc::sigaddset(&mut signals, libc::SIGTERM);
        signals
    }
}

/// Whether this process, of which signals are [deferred](defer_signals), was told to end.
pub fn is_told_to_end() -> bool {
    // SAFETY: a set that is written before it is read.
    unsafe {
        let mut pending = std::mem::zeroed();
        libc::sigpending(&mut pending) == 0
            && [libc::SIGINT, libc::SIGTERM].iter().any(|&signal| libc::sigismember(&pending, signal) == 1)
    }
}

/// Tells a process to end that this one started and has not waited for.
pub fn tell_to_end(process: &std::process::Child) {
    // SAFETY: a plain system call.
    unsafe { libc::kill(process.id() as libc::pid_t, libc::SIGTERM) };
}

/// This process is killed when its parent ends.
fn end_with(parent: u32) -> io::Result<()> {
    // SAFETY: plain system calls.
    unsafe {
        if libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) != 0 {
            return Err(io::Error::last_os_error());
        }
        // It may have ended before that.
        if libc::getppid() as u32 != parent {
            libc::_exit(1);
        }
    }
    Ok(())
}

/// The two sides of a process that was copied.
pub enum Copied {
    /// This is the original, and that is its copy.
    Original(ProcessCopy),
    /// This is the copy.
    Copy,
}

/// A copy of this process. It is killed when this is dropped.
pub struct ProcessCopy {
    pid: libc::pid_t,
    ended: Option<ExitStatus>,
}

impl CProgram {
    /// Copies this process, which must have one thread of the operating system. What the copy finds out from now on is
    /// [kept](CProgram::discoveries).
    pub fn copy_process(&self) -> io::Result<Copied> {
        let parent = std::process::id();
        let room = Room::new()?;
        // SAFETY: there is no other thread that could hold a lock.
        match unsafe { libc::fork() } {
            -1 => Err(io::Error::last_os_error()),
            0 => {
                self.context().shadow.discoveries.keep_as_copy(room);
                self.context().uninitialised.forget_executions();
                if end_with(parent).is_err() || !signals::start_timer(self.context()) {
                    leave();
                }
                Ok(Copied::Copy)
            }
            pid => Ok(Copied::Original(ProcessCopy { pid, ended: None })),
        }
    }
}

impl ProcessCopy {
    /// Ends it at once.
    pub fn kill(&mut self) {
        if self.ended.is_none() {
            // SAFETY: a plain system call; the process has not been waited for, so the id is still its own.
            unsafe { libc::kill(self.pid, libc::SIGKILL) };
        }
    }

    /// Waits for its end, but not for longer than that; none if it goes on.
    pub fn wait_for(&mut self, patience: Duration) -> io::Result<Option<ExitStatus>> {
        let start = Instant::now();
        while self.wait(libc::WNOHANG)?.is_none() && start.elapsed() < patience {
            thread::sleep(Duration::from_millis(1));
        }
        Ok(self.ended)
    }

    /// How it ended; none if it has not, and `options` say not to wait for that.
    fn wait(&mut self, options: c_int) -> io::Result<Option<ExitStatus>> {
        while self.ended.is_none() {
            let mut status = 0;
            // SAFETY: a plain system call.
            match unsafe { libc::waitpid(self.pid, &mut status, options) } {
                0 => break,
                -1 => {
                    let error = io::Error::last_os_error();
                    if error.kind() != io::ErrorKind::Interrupted {
                        return Err(error);
                    }
                }
                _ => self.ended = Some(ExitStatus::from_raw(status)),
            }
        }
        Ok(self.ended)
    }
}

impl Drop for ProcessCopy {
    fn drop(&mut self) {
        self.kill();
        // Nothing is to be done about a process that cannot be waited for.
        let _ = self.wait(0);
    }
}

/// Does this work in a copy of this process, which must have one thread of the operating system, and says how the copy ended: with the
/// status that the work says, unless that ends it itself.
pub fn run_copy(work: impl FnOnce() -> i32) -> io::Result<ExitStatus> {
    let parent = std::process::id();
    // SAFETY: there is no other thread that could hold a lock.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => {
            if end_with(parent).is_err() {
                leave();
            }
            std::process::exit(work())
        }
        pid => {
            let ended = ProcessCopy { pid, ended: None }.wait(0)?;
            ended.ok_or_else(|| io::Error::other("it has not ended"))
        }
    }
}

/// Ends this process, a copy, and nothing else: what the original has still to write is not written twice.
pub fn leave() -> ! {
    // SAFETY: the process ends here.
    unsafe { libc::_exit(0) }
}

/// Numbers that this process and its copies have in common, 0 at first.
pub fn common_numbers<const N: usize>() -> io::Result<&'static [AtomicU64; N]> {
    let flags = libc::MAP_SHARED | libc::MAP_ANONYMOUS;
    let (size, access) = (size_of::<[AtomicU64; N]>().max(1), libc::PROT_READ | libc::PROT_WRITE);
    // SAFETY: a new mapping takes nobody's memory away.
    let memory = unsafe { libc::mmap(ptr::null_mut(), size, access, flags, -1, 0) };
    if memory == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: zeroed, large enough, aligned as pages are, and never unmapped.
    Ok(unsafe { &*memory.cast() })
}
