//! Arbitrary programs in C come out the same by every algorithm: structs, unions, heap, thread-locals, constructors,
//! destructors, exits, missing joins, locks of all kinds with their lives, plain, volatile and atomic accesses.
//!
//! An ordinary test tries [`PROGRAMS`] of them; a campaign sets `MAZURKA_CAMPAIGN_PROGRAMS` to how many it wants, and
//! `MAZURKA_CAMPAIGN_SEED` to the seed of the first, `MAZURKA_CAMPAIGN_COMPILERS` to the compilers (`clang-14,gcc`). One that goes wrong is shrunk, and shown.

use crate::agreement::judge;
use crate::arbitrary::{Scratch, setting};
use crate::checking::{Answer, compilers, finish};
use crate::many::Checks;
use crate::parallel;
use report::summary::{Counts, FailureSummary, FindingSummary};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// How many programs an ordinary test tries.
const PROGRAMS: u64 = 1000;
/// Programs of one source. Compiling takes longer than checking one of them.
const BATCH: usize = 50;
/// Programs of more executions than this are left out.
const MOST_EXECUTIONS: &str = "3000";

/// A report has no more findings than this.
const MOST_FINDINGS: usize = 16;

/// What a thread can do. (Not among it: to initialise a mutex that another thread may hold; see `agreement`.) `V` is what its last read found, `N` a small number, `P` the program's prefix.
const STATEMENTS: &[&str] = &[
    "Ps.c[0] = N;",
    "Ps.c[1] = N;",
    "V = Ps.c[0];",
    "Ps.w++;",
    "V = Ps.w;",
    "Ps.l += N;",
    "memcpy(&Ps, &Pother, 4);",
    "Pother = Ps;",
    "Pu.w = N;",
    "Pu.c[N] = N;",
    "V = Pu.w;",
    "V = Pu.h[1];",
    "memset(&Pu, N, 3);",
    "Pu.bits.high = N;",
    "Pv = N;",
    "V = Pv;",
    "Pv++;",
    "atomic_fetch_add(&Pa, N);",
    "atomic_store(&Pa, N);",
    "V = atomic_load(&Pa);",
    "{ int none = 0; V = atomic_compare_exchange_strong(&Pa, &none, N + 1); }",
    "V = atomic_exchange(&Pb, N);",
    "atomic_fetch_or(&Pl, N);",
    "V = Pl;",
    "pthread_mutex_lock(&Pm); Ps.w++; pthread_mutex_unlock(&Pm);",
    "pthread_mutex_lock(&Pm);",
    "pthread_mutex_unlock(&Pm);",
    "if (pthread_mutex_trylock(&Pm) == 0) { V = Ps.w; pthread_mutex_unlock(&Pm); }",
    "if (pthread_mutex_timedlock(&Pm, &soon) == 0) pthread_mutex_unlock(&Pm); else V = 9;",
    "pthread_mutex_lock(&Pr); pthread_mutex_lock(&Pr); pthread_mutex_unlock(&Pr); pthread_mutex_unlock(&Pr);",
    "pthread_mutex_lock(&Pr); pthread_mutex_lock(&Pr); pthread_mutex_unlock(&Pr);",
    "V = pthread_mutex_unlock(&Pr) != 0;",
    "pthread_mutex_lock(&Pe); V = pthread_mutex_lock(&Pe) != 0; pthread_mutex_unlock(&Pe);",
    "pthread_rwlock_rdlock(&Pq); V = Ps.w; pthread_rwlock_unlock(&Pq);",
    "pthread_rwlock_wrlock(&Pq); Ps.w = N; pthread_rwlock_unlock(&Pq);",
    "pthread_rwlock_wrlock(&Pq);",
    "if (pthread_rwlock_tryrdlock(&Pq) == 0) pthread_rwlock_unlock(&Pq);",
    "if (pthread_rwlock_trywrlock(&Pq) == 0) { V = 7; pthread_rwlock_unlock(&Pq); }",
    "sem_wait(&Pz);",
    "sem_post(&Pz);",
    "V = sem_trywait(&Pz) == 0;",
    "V = sem_timedwait(&Pz, &soon) == 0;",
    "{ int value; sem_getvalue(&Pz, &value); V = value; }",
    "pthread_spin_lock(&Py); Ps.h++; pthread_spin_unlock(&Py);",
    "if (pthread_spin_trylock(&Py) == 0) pthread_spin_unlock(&Py);",
    "pthread_cond_signal(&Pc);",
    "pthread_cond_broadcast(&Pc);",
    "pthread_mutex_lock(&Pm); pthread_cond_wait(&Pc, &Pm); pthread_mutex_unlock(&Pm);",
    "pthread_mutex_lock(&Pm); V = pthread_cond_timedwait(&Pc, &Pm, &soon) != 0; pthread_mutex_unlock(&Pm);",
    "pthread_once(&Po, Pfirst);",
    "{ struct block *mine = calloc(1, sizeof *mine); pthread_mutex_init(&mine->m, NULL); mine->n = N; \
     free(atomic_exchange(&Ph, mine)); }",
    "{ struct block *some = Ph; if (some) V = some->n; }",
    "{ struct block *some = Ph; if (some) { pthread_mutex_lock(&some->m); some->n++; pthread_mutex_unlock(&some->m); } }",
    "Pt++; V = Pt;",
    "Pshown = &Pt;",
    "{ int *theirs = Pshown; if (theirs) (*theirs)++; }",
    "pthread_setspecific(Pk, &Pa);",
    "assert(V != N);",
    "assert(Pa != N);",
    "exit(0);",
    "pthread_exit(NULL);",
    "pthread_mutex_destroy(&Pm);",
    "sem_destroy(&Pz);",
    "sem_init(&Pz, 0, N);",
    "sched_yield();",
    "atexit(Platest);",
    "pthread_barrier_wait(&Pw);",
    "V = pthread_barrier_wait(&Pw) == PTHREAD_BARRIER_SERIAL_THREAD;",
    "{ pthread_t t; pthread_create(&t, NULL, Pnested, NULL); pthread_join(t, NULL); }",
    "{ pthread_t t; pthread_create(&t, NULL, Pnested, NULL); pthread_detach(t); }",
    "{ pthread_t t; pthread_create(&t, NULL, Pnested, NULL); }",
    "for (int i = 0; i < 2 && !atomic_load(&Pa); i++) sched_yield();",
    "{ int old = atomic_load(&Pa); while (!atomic_compare_exchange_weak(&Pa, &old, old + 1)); }",
    "V = mzk_choose(2);",
    "mzk_assume(V != N);",
    "mzk_assume(Pa != N);",
    "__VERIFIER_atomic_begin(); Pg++; V = Pg; __VERIFIER_atomic_end();",
    "V = Pg;",
    "mtx_lock(&Px); Pn++; mtx_unlock(&Px);",
    "if (mtx_trylock(&Px) == thrd_success) { V = Pn; mtx_unlock(&Px); }",
    "quick_exit(0);",
    "_Exit(0);",
    "pthread_cond_destroy(&Pc);",
    "pthread_rwlock_destroy(&Pq);",
    "pthread_rwlock_unlock(&Pq);",
    "Parray[N]++;",
    "V = Parray[Pa & 3];",
    "Parray[Ps.c[0] & 3] = N;",
    "memmove(Parray, Parray + 1, 6);",
    "Pd = Pd + 1;",
    "Pd += N;",
    "V = Pd > 1;",
    "{ unsigned char *p = (unsigned char *)&Pl; V = p[N]; }",
    "*(unsigned short *)(Ppacked.bytes + 1) = N;",
    "Ppacked.odd = N;",
    "V = Ppacked.odd;",
    "{ char *text = strdup(\"text\"); Ps.c[1] = text[N]; free(text); }",
    "free(malloc(N + 1));",
    "(void)!malloc(N + 1);",
    "atomic_thread_fence(memory_order_seq_cst);",
    "V = __atomic_load_n(&Ps.w, __ATOMIC_SEQ_CST);",
    "__atomic_store_n(&Ps.c[0], N, __ATOMIC_SEQ_CST);",
    "V = __sync_fetch_and_add(&Ps.h, 1);",
    "V = atomic_flag_test_and_set(&Pf);",
    "atomic_flag_clear(&Pf);",
    "pthread_mutex_lock(&Pm); while (!Pb) pthread_cond_wait(&Pc, &Pm); pthread_mutex_unlock(&Pm);",
    "pthread_mutex_lock(&Pm); Pb = 1; pthread_cond_signal(&Pc); pthread_mutex_unlock(&Pm);",
];

/// How main ends.
const ENDS: &[&str] = &[
    "for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL); free(Ph);",
    "for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);",
    "",
    "pthread_join(t[0], NULL);",
    "for (int i = 0; i < THREADS; i++) pthread_detach(t[i]);",
    "pthread_exit(NULL);",
    "exit(0);",
];

/// What `pop` is compared with, besides `naive`.
const RIVALS: [&str; 5] = ["optimal", "source", "classic", "unfolding", "observers"];

/// What every source begins with.
const PRELUDE: &str = "\
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <mazurka.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
struct packed { unsigned char bytes[3]; unsigned odd; } __attribute__((packed));
struct parts { unsigned char c[2]; unsigned short h; unsigned w; unsigned long l; };
union pieces { unsigned w; unsigned short h[2]; unsigned char c[4]; struct { unsigned low : 5, high : 9; } bits; };
struct block { pthread_mutex_t m; int n; };
static const struct timespec soon = {1, 0};
static pthread_mutexattr_t recursive, checking;
static int selected;

__attribute__((constructor(101))) static void select_one(int count, char **arguments)
{
    selected = count > 1 ? atoi(arguments[1]) : 0;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutexattr_init(&checking);
    pthread_mutexattr_settype(&checking, PTHREAD_MUTEX_ERRORCHECK);
}
";

/// The variables of a program and what is called for it.
const VARIABLES: &str = "
static struct parts Ps, Pother;
static union pieces Pu;
static volatile int Pv;
static atomic_int Pa;
static _Atomic unsigned char Pb;
static atomic_ulong Pl;
static pthread_mutex_t Pm = PTHREAD_MUTEX_INITIALIZER, Pr, Pe;
static pthread_rwlock_t Pq = PTHREAD_RWLOCK_INITIALIZER;
static sem_t Pz;
static pthread_spinlock_t Py;
static pthread_cond_t Pc = PTHREAD_COND_INITIALIZER;
static pthread_once_t Po = PTHREAD_ONCE_INIT;
static struct block *_Atomic Ph;
static __thread int Pt;
static int *_Atomic Pshown;
static pthread_key_t Pk;
static pthread_barrier_t Pw;
static int Pg, Pn;
static mtx_t Px;
static short Parray[4];
static double Pd;
static struct packed Ppacked;
static atomic_flag Pf = ATOMIC_FLAG_INIT;
__attribute__((unused)) static void *Pnested(void *value) { Pa++; Ps.w = 5; return value; }
__attribute__((unused)) static void Pfirst(void) { Ps.h++; }
__attribute__((unused)) static void Platest(void) { Pa += 2; }
__attribute__((unused)) static void Pended(void *value) { atomic_fetch_add((atomic_int *)value, 1); }
__attribute__((constructor)) static void Pconstruct(void)
{
    if (selected != NUMBER) return;
    pthread_mutex_init(&Pr, &recursive);
    pthread_mutex_init(&Pe, &checking);
    pthread_spin_init(&Py, 0);
    sem_init(&Pz, 0, 1);
    pthread_barrier_init(&Pw, NULL, 2);
    mtx_init(&Px, mtx_plain);
    pthread_key_create(&Pk, Pended);
}
";

/// Numbers that depend on a seed.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }
}

/// A program: what main and its threads do, how it ends, and how it is checked.
#[derive(Clone, Debug)]
pub(crate) struct Trial {
    pub(crate) seed: u64,
    /// For each thread, main first: statements and their numbers.
    threads: Vec<Vec<(usize, usize)>>,
    end: usize,
    /// A destructor that looks at a variable.
    destructor: bool,
    races: bool,
    leaks: bool,
    checkpoints: bool,
    rival: &'static str,
}

impl Trial {
    pub(crate) fn new(seed: u64) -> Self {
        let mut numbers = Numbers(seed);
        let count = 2 + numbers.below(2);
        let threads = (0..=count).map(|thread| {
            let most = if thread == 0 { 2 } else { 4 };
            let length = numbers.below(most) + usize::from(thread > 0);
            (0..length).map(|_| (numbers.below(STATEMENTS.len()), numbers.below(4))).collect()
        });
        Trial {
            seed,
            threads: threads.collect(),
            end: numbers.below(ENDS.len()),
            destructor: numbers.below(3) == 0,
            races: numbers.below(3) == 0,
            leaks: numbers.below(2) == 0,
            checkpoints: numbers.below(2) == 0,
            rival: RIVALS[numbers.below(RIVALS.len())],
        }
    }

    /// The program in C, as number so many of a source.
    fn source(&self, number: usize) -> String {
        let body = |thread: &[(usize, usize)]| {
            let line = |&(statement, n): &(usize, usize)| format!("    {}\n", numbered(STATEMENTS[statement], n));
            thread.iter().map(line).collect::<String>()
        };
        let mut text = VARIABLES.to_owned();
        if self.destructor {
            text += "__attribute__((destructor)) static void Pdestruct(void)\n{\n    if (selected == NUMBER) assert(Pa != 3);\n}\n";
        }
        for (thread, statements) in self.threads.iter().enumerate().skip(1) {
            let body = body(statements);
            let _ = write!(
                text,
                "static void *Pthread{thread}(void *unused)\n{{\n    unsigned long V = 0;\n{body}    (void)V;\n    return unused;\n}}\n"
            );
        }
        let count = self.threads.len() - 1;
        let creates: String = (1..=count)
            .map(|thread| format!("    pthread_create(&t[{}], NULL, Pthread{thread}, NULL);\n", thread - 1))
            .collect();
        let end = ENDS[self.end].replace("THREADS", &count.to_string());
        let body = body(&self.threads[0]);
        let _ = write!(
            text,
            "static int Pmain(void)\n{{\n    unsigned long V = 0;\n    pthread_t t[{count}];\n{creates}{body}    {end}\n    (void)V;\n    return 0;\n}}\n"
        );
        // `P` is a prefix only where a name begins.
        prefixed(&text, &format!("p{number}_")).replace("NUMBER", &number.to_string())
    }

    /// How it is searched.
    fn options(&self) -> impl Iterator<Item = &'static str> + use<> {
        let options = [(!self.races, "--no-races"), (!self.leaks, "--no-leaks"), (!self.checkpoints, "--no-snapshots")];
        options.into_iter().filter(|(given, _)| *given).map(|(_, option)| option)
    }

    /// Whether there is a loop that waits or tries again.
    fn waits(&self) -> bool {
        self.threads.iter().flatten().any(|&(statement, _)| STATEMENTS[statement].contains("while ("))
    }

    /// What is left when something is taken out.
    fn smaller(&self) -> Vec<Trial> {
        let mut smaller = Vec::new();
        for thread in 0..self.threads.len() {
            for statement in 0..self.threads[thread].len() {
                let mut trial = self.clone();
                trial.threads[thread].remove(statement);
                smaller.push(trial);
            }
            if thread > 0 && self.threads.len() > 2 {
                let mut trial = self.clone();
                trial.threads.remove(thread);
                smaller.push(trial);
            }
        }
        if self.destructor {
            smaller.push(Trial { destructor: false, ..self.clone() });
        }
        if self.end > 0 {
            smaller.push(Trial { end: 0, ..self.clone() });
        }
        smaller
    }
}

/// Puts a number in the place of each `N` that stands alone.
fn numbered(statement: &str, number: usize) -> String {
    statement.replace("NULL", "\0").replace('N', &number.to_string()).replace('\0', "NULL")
}

/// Replaces the `P` at the start of the names of a program's own things.
fn prefixed(text: &str, prefix: &str) -> String {
    let mut result = String::with_capacity(text.len() * 2);
    let mut before = ' ';
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        let begins_name = !before.is_alphanumeric() && before != '_';
        let is_own = rest.peek().is_some_and(char::is_ascii_lowercase);
        if character == 'P' && begins_name && is_own {
            result += prefix;
        } else {
            result.push(character);
        }
        before = character;
    }
    result
}

/// One program of many, built.
pub(crate) struct Built {
    _scratch: Scratch,
    binary: PathBuf,
    checks: RefCell<Checks>,
}

impl Built {
    pub(crate) fn new(trials: &[Trial], compiler: &'static str) -> Result<Self, String> {
        let scratch = Scratch::new();
        let (source, binary) = (scratch.path().join("programs.c"), scratch.path().join("programs"));
        let mut text = PRELUDE.to_owned();
        let mut mains = String::new();
        for (number, trial) in trials.iter().enumerate() {
            text += &trial.source(number);
            let _ = writeln!(mains, "    case {number}: return p{number}_main();");
        }
        let _ = write!(text, "int main(void)\n{{\n    switch (selected) {{\n{mains}    }}\n    return 1;\n}}\n");
        fs::write(&source, text).map_err(|error| error.to_string())?;
        let mut build = Command::new(env!("CARGO_BIN_EXE_mazurka"));
        // Names and lines, which nobody reads here, are half of the time that a check takes.
        build.arg("cc").env("MAZURKA_CC", compiler).args(["-w", "-g0"]).arg(&source).arg("-o").arg(&binary);
        let answer = finish(build)?;
        match answer.status {
            0 => Ok(Built { _scratch: scratch, binary, checks: RefCell::new(Checks::start()?) }),
            _ => Err(format!("{compiler} cannot build it: {}", answer.told())),
        }
    }

    /// What an algorithm counts and finds; none if there is more than it may explore, or something that it cannot.
    pub(crate) fn found(
        &self,
        number: usize,
        trial: &Trial,
        algorithm: &str,
        paranoid: bool,
    ) -> Result<Option<Found>, String> {
        let mut words = vec!["--json", "--keep-going", "--workers", "1", "--algorithm", algorithm];
        words.extend(["--no-shrink", "--max-executions", MOST_EXECUTIONS]);
        words.extend(paranoid.then_some("--paranoid"));
        let options: Vec<&'static str> = trial.options().collect();
        words.extend(options);
        let answer = self.checks.borrow_mut().check(&self.binary, &words, number)?;
        match &answer.summary {
            Some(summary) if answer.status != 2 => Ok(summary.exhaustive.then(|| Found {
                counts: summary.counts,
                failures: failures(&summary.findings),
                first_failures: first_failures(&summary.findings),
                has_more: summary.findings.len() >= MOST_FINDINGS,
            })),
            _ if answer.err.contains("cannot explore programs with") => Ok(None),
            _ => Err(format!("{algorithm}: {}", answer.told())),
        }
    }

    /// `mazurka verify` of one of the programs.
    pub(crate) fn verify(&self, number: usize, trial: &Trial) -> Result<Answer, String> {
        let mut verify = Command::new(env!("CARGO_BIN_EXE_mazurka"));
        verify
            .args(["verify", "--json", "--keep-going"])
            .args(trial.options())
            .arg(&self.binary)
            .arg(number.to_string());
        finish(verify)
    }

    /// Whether all algorithms agree on a program.
    fn check(&self, number: usize, trial: &Trial) -> Result<(), String> {
        let Some(pop) = self.found(number, trial, "pop", true)? else { return Ok(()) };
        for algorithm in [trial.rival, "naive"] {
            let Some(other) = self.found(number, trial, algorithm, false)? else { continue };
            if trial.waits() {
                judge_presence(&pop.counts, algorithm, &other.counts)?;
            } else {
                judge(&pop.counts, algorithm, &other.counts)?;
            }
            if other.failures != pop.failures && !other.has_more && !pop.has_more {
                return Err(format!("{algorithm} finds {:?}, pop finds {:?}", other.failures, pop.failures));
            }
        }
        Ok(())
    }
}

/// Rounds of loops that wait or try again are left out by some algorithms, by others not: how many executions are cut says nothing.
fn judge_presence(pop: &Counts, algorithm: &str, other: &Counts) -> Result<(), String> {
    let endings = |counts: &Counts| [counts.completed, counts.deadlocked, counts.failed].map(|n| n > 0);
    if endings(pop) == endings(other) {
        return Ok(());
    }
    Err(format!("{algorithm} completes, deadlocks, fails: {:?}, pop: {:?}", endings(other), endings(pop)))
}

/// What an algorithm counts, and which failures it finds.
pub(crate) struct Found {
    pub(crate) counts: Counts,
    pub(crate) failures: BTreeSet<String>,
    /// Those that come before all others of their execution.
    pub(crate) first_failures: BTreeSet<String>,
    /// Whether there may be more of them.
    pub(crate) has_more: bool,
}

/// What went wrong in words, without the numbers and addresses that one execution has and another one of its class has not. Which of
/// two accesses that race comes first is not the class's, nor which of several races is seen first.
pub(crate) fn failures(findings: &[FindingSummary]) -> BTreeSet<String> {
    findings.iter().flat_map(|finding| &finding.failures).map(in_general).collect()
}

/// The same of the first one of each execution.
fn first_failures(findings: &[FindingSummary]) -> BTreeSet<String> {
    let first = |finding: &FindingSummary| finding.failures.iter().min_by_key(|failure| failure.step).map(in_general);
    findings.iter().filter_map(first).collect()
}

fn in_general(failure: &FailureSummary) -> String {
    match failure.message.starts_with("data race") {
        true => "data race".to_owned(),
        false => failure.message.replace(|c: char| c.is_ascii_digit(), ""),
    }
}

/// What is to hold of a program of many.
pub(crate) type Law = fn(&Built, usize, &Trial) -> Result<(), String>;

/// Whether a program goes wrong on its own.
fn problem(trial: &Trial, compiler: &'static str, law: Law) -> Option<String> {
    Built::new(std::slice::from_ref(trial), compiler).and_then(|built| law(&built, 0, trial)).err()
}

/// The smallest program that still goes wrong, as far as it is found by taking things out one by one.
fn shrunk(trial: &Trial, compiler: &'static str, law: Law) -> String {
    let Some(mut why) = problem(trial, compiler, law) else { return "does not go wrong on its own".to_owned() };
    let mut smallest = trial.clone();
    'smaller: loop {
        for trial in smallest.smaller() {
            if let Some(still) = problem(&trial, compiler, law) {
                (smallest, why) = (trial, still);
                continue 'smaller;
            }
        }
        break;
    }
    let options = (smallest.races, smallest.leaks, smallest.checkpoints);
    let source = smallest.source(0);
    let own = source.find("static void *p0_thread1").map_or(&source[..], |start| &source[start..]);
    format!("{own}races, leaks, checkpoints: {options:?}, destructor: {}\n{why}", smallest.destructor)
}

/// The compilers that the variable `MAZURKA_CAMPAIGN_COMPILERS` names, with commas between them; otherwise the usual ones.
fn chosen_compilers() -> Vec<&'static str> {
    match std::env::var("MAZURKA_CAMPAIGN_COMPILERS") {
        // The test ends with what it leaks.
        Ok(names) => names.split(',').map(|name| &*name.to_owned().leak()).collect(),
        Err(_) => compilers().to_vec(),
    }
}

/// Tries a law on so many programs.
pub(crate) fn try_all(programs: u64, law: Law) {
    let first = setting("MAZURKA_CAMPAIGN_SEED", 0);
    let trials: Vec<Trial> = (first..first + programs).map(Trial::new).collect();
    let compilers = chosen_compilers();
    let batches: Vec<(&[Trial], &'static str)> =
        trials.chunks(BATCH).zip(compilers.iter().cycle()).map(|(batch, &compiler)| (batch, compiler)).collect();
    parallel::all(&batches, |&(batch, compiler)| {
        let built = Built::new(batch, compiler)?;
        let mut wrong = Vec::new();
        for (number, trial) in batch.iter().enumerate() {
            if let Err(problem) = law(&built, number, trial) {
                let smallest = shrunk(trial, compiler, law);
                wrong.push(format!("seed {} by {compiler}: {problem}\nshrunk:\n{smallest}", trial.seed));
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n\n")) }
    });
}

#[test]
fn arbitrary_programs_come_out_the_same_by_every_algorithm() {
    try_all(setting("MAZURKA_CAMPAIGN_PROGRAMS", PROGRAMS), Built::check);
}

#[test]
fn names_get_the_prefix_of_their_program() {
    assert_eq!(prefixed("Ps.w = PTHREAD_X + xPs; f(&Pa);", "p1_"), "p1_s.w = PTHREAD_X + xPs; f(&p1_a);");
}
