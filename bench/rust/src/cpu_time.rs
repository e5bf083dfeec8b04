//! The time that this process has computed: unlike time on the clock, it does not grow when others use the machine.

/// CPU seconds of this process so far.
pub fn cpu_seconds() -> f64 {
    // SAFETY: a plain system call into memory that is there.
    let usage = unsafe {
        let mut usage = std::mem::zeroed::<libc::rusage>();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage
    };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 * 1e-6;
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}
