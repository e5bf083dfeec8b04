//! Functions that a program under test cannot use: they would reach out of it, or do what no fiber can.

use super::{entry, entry_of_shim};
use crate::context;
use crate::image::text;
use std::ffi::c_char;

pub(super) fn refuse(what: impl Into<String>, return_address: usize) -> usize {
    match context::running() {
        Some(context) => context.refuse(what, context.site(return_address)),
        None => {
            let what = what.into();
            eprintln!("error: the program cannot be checked: {what}, called by a constructor before main");
            std::process::exit(2)
        }
    }
}

/// A refusal of the part of the runtime that is in C.
unsafe extern "C-unwind" fn refuse_for_shim(what: *const c_char, return_address: usize) {
    let message = {
        // SAFETY: a text of the shim.
        let what = unsafe { text(what) };
        let (what, why) = what.split_once(": ").unwrap_or((&what, "it would be left from execution to execution"));
        format!("{what} is not supported: {why}")
    };
    refuse(message, return_address);
}

entry_of_shim!(shim_refuse, "mazurka_refuse", "rsi", refuse_for_shim);

macro_rules! refused {
    ($($name:ident $why:literal;)*) => {
        /// Their names, without the prefix.
        #[cfg(test)]
        pub(crate) const NAMES: &[&str] = &[$(stringify!($name)),*];
        $(
            mod $name {
                use super::*;
                extern "C-unwind" fn called(return_address: usize) -> usize {
                    refuse(concat!(stringify!($name), "() is not supported: ", $why), return_address)
                }
                entry!(called_entry, concat!("__wrap_", stringify!($name)), "rdi", called);
            }
        )*
    };
}

refused! {
    fork "one process is explored";
    vfork "one process is explored";
    daemon "one process is explored";
    clone "threads are created by pthread_create or C++";
    execl "one process is explored";
    execlp "one process is explored";
    execle "one process is explored";
    execv "one process is explored";
    execve "one process is explored";
    execvp "one process is explored";
    posix_spawn "one process is explored";
    posix_spawnp "one process is explored";
    system "one process is explored";
    popen "one process is explored";
    wait "one process is explored";
    waitpid "one process is explored";
    signal "signals are not explored";
    sigaction "signals are not explored";
    sigwait "signals are not explored";
    sigsuspend "signals are not explored";
    raise "signals are not explored";
    kill "signals are not explored";
    pthread_kill "signals are not explored";
    alarm "signals are not explored";
    setitimer "signals are not explored";
    timer_create "signals are not explored";
    pause "signals are not explored";
    pthread_cancel "threads end by themselves here: return, or call pthread_exit";
    pthread_setcanceltype "threads end by themselves here: return, or call pthread_exit";
    socket "the network is not part of an execution";
    socketpair "the network is not part of an execution";
    connect "the network is not part of an execution";
    accept "the network is not part of an execution";
    pipe "what goes through it is not seen";
    pipe2 "what goes through it is not seen";
    eventfd "what goes through it is not seen";
    epoll_create "waiting for files is not explored";
    epoll_create1 "waiting for files is not explored";
    select "waiting for files is not explored";
    poll "waiting for files is not explored";
    dlopen "all code has to be compiled for the check";
    longjmp "use return, or exceptions of C++";
    siglongjmp "use return, or exceptions of C++";
    mmap "memory comes from malloc, new or variables here";
    sem_open "use sem_init";
    shm_open "one process is explored";
    shmget "one process is explored";
    mkdir "files would be left by every execution";
    unlink "files would be changed by every execution";
    rename "files would be changed by every execution";
    remove "files would be changed by every execution";
    rmdir "files would be changed by every execution";
    truncate "files would be changed by every execution";
    ftruncate "files would be changed by every execution";
    creat "files would be changed by every execution";
    pthread_getname_np "a thread is no thread of the system here";
    pthread_getattr_np "a thread is no thread of the system here";
    pthread_getaffinity_np "a thread is no thread of the system here";
    pthread_getschedparam "a thread is no thread of the system here";
    pthread_getcpuclockid "a thread is no thread of the system here";
    pthread_tryjoin_np "use pthread_join";
    pthread_timedjoin_np "use pthread_join";
    pthread_clockjoin_np "use pthread_join";
    execvpe "one process is explored";
    fexecve "one process is explored";
    execveat "one process is explored";
    prctl "one process is explored";
    ptrace "one process is explored";
    setsid "one process is explored";
    setpgid "one process is explored";
    pthread_atfork "one process is explored";
    sigprocmask "signals are not explored";
    pthread_sigmask "signals are not explored";
    sigwaitinfo "signals are not explored";
    sigtimedwait "signals are not explored";
    sigqueue "signals are not explored";
    sigaltstack "signals are not explored";
    pthread_sigqueue "signals are not explored";
    signalfd "signals are not explored";
    timerfd_create "signals are not explored";
    bind "the network is not part of an execution";
    listen "the network is not part of an execution";
    accept4 "the network is not part of an execution";
    getaddrinfo "the network is not part of an execution";
    ppoll "waiting for files is not explored";
    pselect "waiting for files is not explored";
    inotify_init "waiting for files is not explored";
    inotify_init1 "waiting for files is not explored";
    mmap64 "memory comes from malloc, new or variables here";
    mremap "memory comes from malloc, new or variables here";
    shmat "memory comes from malloc, new or variables here";
    sbrk "memory comes from malloc, new or variables here";
    brk "memory comes from malloc, new or variables here";
    tmpfile "files would be left by every execution";
    mkstemp "files would be left by every execution";
    mkdtemp "files would be left by every execution";
    mkostemp "files would be left by every execution";
    mkfifo "files would be left by every execution";
    mknod "files would be left by every execution";
    symlink "files would be left by every execution";
    link "files would be left by every execution";
    chmod "files would be changed by every execution";
    fchmod "files would be changed by every execution";
    chown "files would be changed by every execution";
    utime "files would be changed by every execution";
    utimes "files would be changed by every execution";
    fallocate "files would be changed by every execution";
    chdir "it would be left from execution to execution";
    fchdir "it would be left from execution to execution";
    chroot "it would be left from execution to execution";
    setenv "it would be left from execution to execution";
    unsetenv "it would be left from execution to execution";
    putenv "it would be left from execution to execution";
    clearenv "it would be left from execution to execution";
    openlog "it would be left from execution to execution";
    syslog "it would be left from execution to execution";
    times "time is virtual, and this one is real";
    getrusage "time is virtual, and this one is real";
    ftime "time is virtual, and this one is real";
    err "it prints and ends the program: call exit";
    errx "it prints and ends the program: call exit";
    verr "it prints and ends the program: call exit";
    verrx "it prints and ends the program: call exit";
    error "it prints and ends the program: call exit";
    error_at_line "it prints and ends the program: call exit";
}

#[cfg(test)]
mod tests {
    /// What is not replaced by the linker is not refused.
    #[test]
    fn everything_refused_is_wrapped() {
        for name in super::NAMES {
            assert!(crate::driver::wrapped::WRAPPED.contains(name), "{name} is not in the list");
        }
    }
}
