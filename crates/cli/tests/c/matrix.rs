//! The matrix of accesses: every type, every way to access it, every place where it can be, by every compiler. One thread does the
//! access, another one writes all bytes of the object, each by a store of its own, and nothing orders them: the data race must be
//! found, or the compiler announces the access in a way that the front end does not understand.
//!
//! An ordinary test tries a sample. `MAZURKA_MATRIX=all cargo test -p mazurka-cli --test c matrix -- --nocapture` tries all, and
//! `MAZURKA_MATRIX=3/50` the third of fifty parts of it.

use crate::checking::{Answer, finish};
use crate::parallel;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// How a type is accessed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Numbers that can be incremented.
    Number,
    /// Integers of 1, 2, 4, 8 and 16 bytes, which the atomic functions take.
    Integer,
    /// Several numbers that are added at once.
    Vector,
    /// What can only be copied.
    Whole,
    /// A number declared atomic.
    AtomicNumber,
    /// Something else declared atomic.
    AtomicWhole,
    /// A struct with a member `f` that is accessed.
    Member,
    /// What functions of the C library are given.
    Argument,
}

/// A type: its declaration, as a `typedef` of `@`, and how it is accessed.
struct Type {
    declaration: String,
    kind: Kind,
    /// Whether gcc has it.
    by_gcc: bool,
    /// The oldest clang that has it; none has it if there is none.
    by_clang: Option<u32>,
}

impl Type {
    fn new(declaration: impl Into<String>, kind: Kind) -> Self {
        Type { declaration: declaration.into(), kind, by_gcc: true, by_clang: Some(14) }
    }
}

fn types() -> Vec<Type> {
    let mut types = Vec::new();
    scalars(&mut types);
    wholes(&mut types);
    bit_fields(&mut types);
    for bits in 1..=128 {
        let declaration = format!("typedef unsigned _BitInt({bits}) @;");
        types.push(Type { by_gcc: false, ..Type::new(declaration, Kind::Number) });
    }
    types
}

fn scalars(types: &mut Vec<Type>) {
    for of in ["char", "short", "int", "long", "__int128"] {
        for volatile in ["", "volatile "] {
            types.push(Type::new(format!("typedef {volatile}{of} @;"), Kind::Integer));
        }
        types.push(Type::new(format!("typedef _Atomic {of} @;"), Kind::AtomicNumber));
        // At an address that is no multiple of its size.
        types.push(Type::new(format!("typedef struct {{ char c; {of} f; }} __attribute__((packed)) @;"), Kind::Member));
        types.push(Type::new(format!("typedef struct {{ volatile {of} f; }} @;"), Kind::Member));
        types.push(Type::new(format!("typedef union {{ {of} f; char c[3]; }} @;"), Kind::Member));
    }
    for of in
        ["float", "double", "long double", "__float128", "_Complex float", "_Complex double", "_Complex long double"]
    {
        types.push(Type::new(format!("typedef {of} @;"), Kind::Number));
        types.push(Type::new(format!("typedef volatile {of} @;"), Kind::Number));
        types.push(Type::new(format!("typedef struct {{ char c; {of} f; }} __attribute__((packed)) @;"), Kind::Member));
    }
    for of in ["float", "double", "long double"] {
        types.push(Type::new(format!("typedef _Atomic {of} @;"), Kind::AtomicNumber));
    }
    types.push(Type::new("typedef _Complex float @c; typedef _Atomic @c @;", Kind::AtomicWhole));
    types.push(Type::new("typedef _Bool @;", Kind::Number));
    types.push(Type::new("typedef enum { NONE@, SOME@ } @;", Kind::Number));
    types.push(Type::new("typedef char *@;", Kind::Number));
    types.push(Type { by_clang: Some(15), ..Type::new("typedef _Float16 @;", Kind::Number) });
    types.push(Type::new(ARGUMENT, Kind::Argument));
}

fn wholes(types: &mut Vec<Type>) {
    for size in 1..=24 {
        types.push(Type::new(format!("typedef struct {{ char c[{size}]; }} @;"), Kind::Whole));
        types.push(Type::new(
            format!("typedef struct {{ char c[{size}]; }} @s; typedef _Atomic @s @;"),
            Kind::AtomicWhole,
        ));
    }
    for members in [
        "int a; char b;",
        "long a, b, c, d, e;",
        "float a, b, c;",
        "double a; float b;",
        "short a, b, c;",
        "long double a; char b;",
    ] {
        types.push(Type::new(format!("typedef struct {{ {members} }} @;"), Kind::Whole));
        types.push(Type::new(format!("typedef volatile struct {{ {members} }} @;"), Kind::Whole));
        types.push(Type::new(format!("typedef union {{ struct {{ {members} }} s; char c; }} @;"), Kind::Whole));
    }
    for size in [2, 4, 8, 16, 32, 64] {
        for (of, bytes) in [("char", 1), ("short", 2), ("int", 4), ("float", 4), ("double", 8)] {
            if size >= bytes {
                let declaration = format!("typedef {of} @ __attribute__((vector_size({size})));");
                types.push(Type::new(declaration, Kind::Vector));
            }
        }
    }
    for (of, count) in [("char", 3), ("short", 3), ("int", 3), ("float", 3), ("double", 3), ("float", 5), ("int", 7)] {
        let declaration = format!("typedef {of} @ __attribute__((ext_vector_type({count})));");
        types.push(Type { by_gcc: false, ..Type::new(declaration, Kind::Vector) });
    }
}

/// Bit-fields of every width, at several offsets, alone and with something behind them.
fn bit_fields(types: &mut Vec<Type>) {
    for (of, most) in [("unsigned", 32), ("unsigned long", 64)] {
        for width in 1..=most {
            for offset in [0, 1, 7, 8, 20, 40] {
                let before = if offset == 0 { String::new() } else { format!("{of} : {offset}; ") };
                if offset + width > most {
                    continue;
                }
                for behind in ["", " unsigned char b;", " unsigned short b;"] {
                    let declaration = format!("typedef struct {{ {before}{of} f : {width};{behind} }} @;");
                    types.push(Type::new(declaration, Kind::Member));
                }
                let packed =
                    format!("typedef struct {{ char c; {before}{of} f : {width}; }} __attribute__((packed)) @;");
                types.push(Type::new(packed, Kind::Member));
            }
        }
    }
    types.push(Type::new("typedef struct { volatile unsigned f : 20; unsigned char b; } @;", Kind::Member));
    types.push(Type::new("typedef struct { _Bool f : 1; } @;", Kind::Member));
}

/// The ways to access something: `$` is the object, `V` and `W` are what one thread alone has.
fn ways(kind: Kind) -> Vec<&'static str> {
    let whole = ["V = $;", "$ = V;", "by@($);", "$ = make@();"];
    let copies = [
        "memcpy((void *)&V, (void *)&$, sizeof V);",
        "memcpy((void *)&$, (void *)&V, sizeof V);",
        "memset((void *)&$, 0, sizeof V);",
    ];
    let number = ["$++;", "$ += 1;", "if ($ == V) V = W;"];
    match kind {
        Kind::Number => [&whole[..], &copies, &number].concat(),
        Kind::Vector => [&whole[..], &copies, &["$ += V;"]].concat(),
        Kind::Integer => [&whole[..], &copies, &number, ATOMIC_FUNCTIONS].concat(),
        Kind::Whole => [&whole[..], &copies].concat(),
        Kind::AtomicNumber => vec!["V = $;", "$ = V;", "$++;", "$ += 1;", "$ -= 1;"],
        Kind::AtomicWhole => vec!["V = $;", "$ = V;"],
        Kind::Argument => CALLS.to_vec(),
        Kind::Member => vec!["V.f = $.f;", "$.f = V.f;", "$.f++;", "$.f += 1;", "V = $;"],
    }
}

const ARGUMENT: &str = "typedef union { char text[64]; char *pointer; void *block; int integer; unsigned seed; long number; double floating; \
    size_t size; wchar_t wide[8]; time_t seconds; struct timespec time; struct timeval day; struct tm date; struct stat status; \
    pthread_t thread; pthread_key_t key; sem_t semaphore; pthread_mutexattr_t mutex; pthread_attr_t attributes; } @;";

/// Calls of the C library that read or write what they are given.
const CALLS: &[&str] = &[
    "bzero($.text, 8);",
    "explicit_bzero($.text, 8);",
    "mempcpy($.text, V.text, 8);",
    "mempcpy(V.text, $.text, 8);",
    "memmove($.text, V.text, 8);",
    "bcopy($.text, V.text, 8);",
    "bcmp($.text, V.text, 8);",
    "memccpy($.text, V.text, 7, 8);",
    "memchr($.text, 1, 8);",
    "memrchr($.text, 1, 8);",
    "memcmp($.text, V.text, 8);",
    "memcmp(V.text, $.text, 8);",
    "memmem($.text, 8, \"a\", 1);",
    "swab(V.text, $.text, 8);",
    "V.size = strlen($.text);",
    "V.size = strnlen($.text, 8);",
    "strcpy($.text, V.text);",
    "strcpy(V.text, $.text);",
    "strncpy($.text, V.text, 8);",
    "stpcpy(V.text, $.text);",
    "stpncpy($.text, V.text, 8);",
    "strcat($.text, V.text);",
    "strncat(V.text, $.text, 8);",
    "V.integer = strcmp($.text, V.text);",
    "V.integer = strncmp(V.text, $.text, 8);",
    "V.integer = strcasecmp($.text, V.text);",
    "V.integer = strncasecmp($.text, V.text, 8);",
    "V.integer = strcoll($.text, V.text);",
    "strxfrm(V.text, $.text, 8);",
    "V.pointer = strchr($.text, 1);",
    "V.pointer = strrchr($.text, 1);",
    "V.pointer = strstr($.text, \"a\");",
    "V.pointer = strcasestr($.text, \"a\");",
    "V.size = strspn($.text, \"a\");",
    "V.size = strcspn($.text, \"a\");",
    "V.pointer = strpbrk($.text, \"a\");",
    "free(strdup($.text));",
    "free(strndup($.text, 8));",
    "strtok($.text, \" \");",
    "strtok_r($.text, \" \", &V.pointer);",
    "strtok_r(V.text, \" \", &$.pointer);",
    "strsep(&$.pointer, \" \");",
    "strerror_r(1, $.text, 8);",
    "V.size = wcslen($.wide);",
    "wmemcpy($.wide, V.wide, 2);",
    "wcscpy(V.wide, $.wide);",
    "V.integer = atoi($.text);",
    "V.number = atol($.text);",
    "V.floating = atof($.text);",
    "V.number = strtol($.text, 0, 10);",
    "strtol(V.text, &$.pointer, 10);",
    "strtoul(V.text, &$.pointer, 10);",
    "strtoll($.text, 0, 10);",
    "strtod($.text, 0);",
    "strtod(V.text, &$.pointer);",
    "strtof(V.text, &$.pointer);",
    "sscanf(\"5\", \"%d\", &$.integer);",
    "sscanf($.text, \"%d\", &V.integer);",
    "sscanf(\"a\", \"%s\", $.text);",
    "sscanf(\"1.5\", \"%lf\", &$.floating);",
    "qsort($.text, 4, 1, compare);",
    "bsearch(V.text, $.text, 4, 1, compare);",
    "bsearch($.text, V.text, 4, 1, compare);",
    "printf(\"%s\", $.text);",
    "printf(\"%n\", &$.integer);",
    "printf($.text);",
    "fprintf(stderr, \"%5s\", $.text);",
    "puts($.text);",
    "fputs($.text, stdout);",
    "fwrite($.text, 1, 4, stdout);",
    "write(1, $.text, 4);",
    "dprintf(1, \"%s\", $.text);",
    "perror($.text);",
    "snprintf($.text, 8, \"%d\", 3);",
    "sprintf($.text, \"%d\", 3);",
    "snprintf(V.text, 8, \"%s\", $.text);",
    "asprintf(&$.pointer, \"a\");",
    "time(&$.seconds);",
    "clock_gettime(CLOCK_MONOTONIC, &$.time);",
    "clock_getres(CLOCK_MONOTONIC, &$.time);",
    "timespec_get(&$.time, 1);",
    "gettimeofday(&$.day, 0);",
    "nanosleep(&$.time, 0);",
    "localtime(&$.seconds);",
    "localtime_r(&V.seconds, &$.date);",
    "gmtime_r(&$.seconds, &V.date);",
    "mktime(&$.date);",
    "asctime_r(&V.date, $.text);",
    "ctime_r(&$.seconds, V.text);",
    "strftime($.text, 8, \"%Y\", &V.date);",
    "strftime(V.text, 8, \"%Y\", &$.date);",
    "posix_memalign(&$.block, 16, 8);",
    "rand_r(&$.seed);",
    "getentropy($.text, 4);",
    "frexp(1.5, &$.integer);",
    "modf(1.5, &$.floating);",
    "getcwd($.text, 64);",
    "gethostname($.text, 64);",
    "stat(\"/\", &$.status);",
    "access($.text, 0);",
    "V.pointer = getenv($.text);",
    "V.integer = open($.text, 0);",
    "V.block = fopen($.text, \"r\");",
    "V.pointer = realpath($.text, 0);",
    "fgets($.text, 8, fopen(\"/etc/passwd\", \"r\"));",
    "fread($.text, 1, 8, fopen(\"/etc/passwd\", \"r\"));",
    "read(open(\"/etc/passwd\", 0), $.text, 8);",
    "pthread_mutexattr_init(&$.mutex);",
    "pthread_mutexattr_settype(&$.mutex, PTHREAD_MUTEX_RECURSIVE);",
    "pthread_attr_init(&$.attributes);",
    "pthread_attr_setdetachstate(&$.attributes, 1);",
    "pthread_attr_init(&V.attributes); pthread_attr_getstacksize(&V.attributes, &$.size);",
    "pthread_key_create(&$.key, 0);",
    "sem_init(&V.semaphore, 0, 0); sem_getvalue(&V.semaphore, &$.integer);",
    "pthread_create(&$.thread, 0, nothing, 0);",
    "pthread_create(&V.thread, 0, nothing, 0); pthread_join(V.thread, &$.block);",
    "pthread_create(&V.thread, &$.attributes, nothing, 0);",
    "pthread_mutex_init(&spare, &$.mutex);",
    "pthread_setname_np(pthread_self(), $.text);",
    "pthread_mutex_timedlock(&lock, &$.time);",
    "pthread_rwlock_timedrdlock(&shared, &$.time);",
    "pthread_rwlock_timedwrlock(&shared, &$.time);",
    "pthread_mutex_lock(&lock); pthread_cond_timedwait(&condition, &lock, &$.time);",
    "sem_init(&V.semaphore, 0, 1); sem_timedwait(&V.semaphore, &$.time);",
];

const ATOMIC_FUNCTIONS: &[&str] = &[
    "V = __atomic_load_n(&$, 5);",
    "__atomic_store_n(&$, V, 5);",
    "__atomic_exchange_n(&$, V, 5);",
    "__atomic_compare_exchange_n(&$, &V, W, 0, 5, 5);",
    "__atomic_compare_exchange_n(&$, &V, W, 1, 5, 5);",
    "__atomic_compare_exchange_n(&V, &$, W, 0, 5, 5);",
    "__atomic_compare_exchange(&$, &V, &W, 0, 5, 5);",
    "__atomic_compare_exchange(&V, &W, &$, 0, 5, 5);",
    "__atomic_load(&$, &V, 5);",
    "__atomic_load(&V, &$, 5);",
    "__atomic_store(&$, &V, 5);",
    "__atomic_store(&V, &$, 5);",
    "__atomic_exchange(&$, &V, &W, 5);",
    "__atomic_exchange(&V, &$, &W, 5);",
    "__atomic_exchange(&V, &W, &$, 5);",
    "__atomic_fetch_add(&$, V, 5);",
    "__atomic_sub_fetch(&$, V, 5);",
    "__atomic_fetch_and(&$, V, 5);",
    "__atomic_fetch_or(&$, V, 5);",
    "__atomic_fetch_xor(&$, V, 5);",
    "__atomic_fetch_nand(&$, V, 5);",
    "__atomic_fetch_min(&$, V, 5);",
    "__atomic_fetch_max(&$, V, 5);",
    "__sync_fetch_and_add(&$, V);",
    "__sync_val_compare_and_swap(&$, V, W);",
    "__sync_lock_test_and_set(&$, V);",
];

/// Where the object is, and who accesses it: a thread by its name or by a pointer, or main its own.
const PLACES: [&str; 5] = ["global", "pointer", "heap", "stack", "thread-local"];

/// Of bit-fields there are so many that two places have to do.
fn places(of: &Type) -> &'static [&'static str] {
    if of.declaration.contains(" : ") { &["global", "stack"] } else { &PLACES }
}

/// One cell of the matrix.
struct Cell {
    name: String,
    text: String,
}

/// All cells that a compiler has.
fn cells(compiler: &Compiler) -> Vec<Cell> {
    let mut cells = Vec::new();
    for of in types().iter().filter(|of| compiler.has(of)) {
        for way in ways(of.kind).into_iter().filter(|way| compiler.has_way(of, way)) {
            for place in places(of) {
                let text = text(of, way, place).replace('@', &format!("x{}", cells.len()));
                cells.push(Cell { name: format!("{place}: {way} of {}", of.declaration), text });
            }
        }
    }
    cells
}

/// The text of a cell, which `run@` runs.
fn text(of: &Type, way: &str, place: &str) -> String {
    let values = "@ V, W; memset((void *)&V, 0, sizeof V); memset((void *)&W, 0, sizeof W);";
    let access = |object: &str| format!("{values} {}", way.replace('$', object));
    let mut text = format!("{}\n", of.declaration);
    if way.contains("by@") {
        text += "static void by@(@ value) { (void)value; }\n";
    }
    if way.contains("make@") {
        text += "static @ make@(void) { @ value; memset((void *)&value, 0, sizeof value); return value; }\n";
    }
    let by_main = |object: &str| {
        format!("pthread_t writer = begin((void *)&{object}, sizeof(@)); {} end(writer); }}\n", access(object))
    };
    text += &match place {
        "global" => format!(
            "static @ global@;\nstatic void *thread@(void *unused) {{ {} return unused; }}\n\
             static void run@(void) {{ race(thread@, (void *)&global@, sizeof(@)); }}\n",
            access("global@")
        ),
        "pointer" => format!(
            "static @ global@;\nstatic void *thread@(void *p) {{ @ *object = p; {} return 0; }}\n\
             static void run@(void) {{ race(thread@, (void *)&global@, sizeof(@)); }}\n",
            access("(*object)")
        ),
        "heap" => format!(
            "static void *thread@(void *p) {{ @ *object = p; {} return 0; }}\n\
             static void run@(void) {{ void *p = calloc(1, sizeof(@)); race(thread@, p, sizeof(@)); free(p); }}\n",
            access("(*object)")
        ),
        "stack" => {
            format!("static void run@(void) {{ @ local; memset((void *)&local, 0, sizeof local); {}", by_main("local"))
        }
        _ => format!("static __thread @ local@;\nstatic void run@(void) {{ {}", by_main("local@")),
    };
    text
}

const CELLS_IN_A_FILE: usize = 250;

const PRELUDE: &str = r"
#define _GNU_SOURCE
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, spare;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static int compare(const void *one, const void *other) { return *(const char *)one - *(const char *)other; }

struct bytes { unsigned char *start; unsigned long size; };

static void *write_all(void *p)
{
    struct bytes *bytes = p;
    for (unsigned long i = 0; i < bytes->size; i++)
        bytes->start[i] = 1;
    return 0;
}

static struct bytes bytes;

static pthread_t begin(void *start, unsigned long size)
{
    pthread_t writer;
    bytes.start = start;
    bytes.size = size;
    pthread_create(&writer, 0, write_all, &bytes);
    return writer;
}

static void end(pthread_t writer) { pthread_join(writer, 0); }

static void race(void *(*thread)(void *), void *start, unsigned long size)
{
    pthread_t writer = begin(start, size), other;
    pthread_create(&other, 0, thread, start);
    pthread_join(other, 0);
    end(writer);
}

/* Where nothing is accessed, there is no race. */
static void *nothing(void *p) { return p; }
static void run_control(void) { static char object[64]; race(nothing, object, sizeof object); (void)end; (void)compare; }
";

/// A program that runs one of these cells: that of its argument, or any. The number behind the last one is the control.
fn program(cells: &[(usize, &Cell)]) -> String {
    let mut text = PRELUDE.to_owned();
    cells.iter().for_each(|(_, cell)| text += &cell.text);
    let count = cells.len();
    let _ = write!(
        text,
        "unsigned mzk_choose(unsigned);\nint main(int count, char **arguments)\n{{\n    \
         switch (count > 1 ? (unsigned)atoi(arguments[1]) : mzk_choose({count})) {{\n"
    );
    for (nth, (number, _)) in cells.iter().enumerate() {
        let _ = writeln!(text, "    case {nth}: runx{number}(); break;");
    }
    text + "    default: run_control();\n    }\n    return 0;\n}\n"
}

/// A compiler that is installed.
struct Compiler {
    name: &'static str,
    /// None if it is gcc.
    clang: Option<u32>,
}

impl Compiler {
    fn installed() -> Vec<Self> {
        let all = [
            ("clang-14", Some(14)),
            ("clang-15", Some(15)),
            ("clang-16", Some(16)),
            ("clang-19", Some(19)),
            ("gcc-12", None),
        ];
        let found: Vec<Self> =
            all.into_iter().map(|(name, clang)| Compiler { name, clang }).filter(Self::works).collect();
        assert!(!found.is_empty(), "none of the compilers of the matrix is installed");
        found
    }

    fn works(&self) -> bool {
        let version = Command::new(self.name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        version.is_ok_and(|status| status.success())
    }

    fn has(&self, of: &Type) -> bool {
        match self.clang {
            Some(version) => of.by_clang.is_some_and(|oldest| version >= oldest),
            None => of.by_gcc,
        }
    }

    fn has_way(&self, of: &Type, way: &str) -> bool {
        let is = |word: &str| of.declaration.contains(word);
        match self.clang {
            // Neither minimum nor maximum; complex numbers are not incremented.
            None if way.contains("_min(") || way.contains("_max(") => false,
            // gcc does not announce the copy of an argument or a result that is a struct: such calls are refused.
            None if (is("struct") || is("union")) && (way.contains("make@(") || way.contains("by@(")) => false,
            _ if is("_Bool") && way.contains("++") => self.clang.is_some() && !is(": 1"),
            _ if is("_Complex") && (way.contains("++") || way.contains("_min") || way.contains("_max")) => false,
            _ if is("__int128") && (way.contains("_min(") || way.contains("_max(")) => false,
            _ => true,
        }
    }

    /// Builds a program of cells and tries each of them.
    fn try_cells(&self, folder: &Path, cells: &[(usize, &Cell)]) -> Vec<String> {
        let path = |end: &str| -> PathBuf { folder.join(format!("{}-{}{end}", self.name, cells[0].0)) };
        let (source, binary) = (path(".c"), path(""));
        std::fs::write(&source, program(cells)).expect("a file can be written");
        let mut build = Command::new(env!("CARGO_BIN_EXE_mazurka"));
        build.env("MAZURKA_CC", self.name).args(["cc", "-w", "-o"]).arg(&binary).arg(&source).arg("-lm");
        if let Some(problem) = finish(build).map_or_else(Some, |answer| (answer.status != 0).then(|| answer.told())) {
            return vec![format!("{}: the cells from {} on: {problem}", self.name, cells[0].0)];
        }
        let mut problems = Vec::new();
        if self.check(&binary, cells.len()).is_ok_and(|answer| answer.status != 0) {
            problems.push(format!("{}: something is found where nothing is accessed", self.name));
        }
        for (nth, (_, cell)) in cells.iter().enumerate() {
            match self.check(&binary, nth) {
                Ok(answer) if is_race(&answer) => {}
                Ok(answer) => problems.push(format!("{}: {}: {}", self.name, cell.name, answer.told())),
                Err(problem) => problems.push(format!("{}: {}: {problem}", self.name, cell.name)),
            }
        }
        problems
    }

    /// Checks one cell, up to the first finding: an access of many bytes has too many orders with those of the other thread.
    fn check(&self, binary: &Path, cell: usize) -> Result<Answer, String> {
        let mut check = Command::new(env!("CARGO_BIN_EXE_mazurka"));
        check.args(["check", "--workers", "1", "--json", "--no-shrink"]).arg(binary).arg(cell.to_string());
        finish(check)
    }
}

/// Whether a data race is found, and nothing else.
fn is_race(answer: &Answer) -> bool {
    let findings = answer.findings();
    !findings.is_empty() && findings.iter().all(|finding| finding.headline.contains("data race"))
}

/// How many cells of each compiler an ordinary test tries.
const SAMPLE: usize = 120;

/// Which cells are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Slice {
    /// Some of every compiler.
    Sample,
    /// The `part`-th, counted from 1, of so many parts of the files.
    Part { part: usize, of: usize },
}

impl Slice {
    fn parse(text: &str) -> Option<Self> {
        if text == "all" {
            return Some(Slice::Part { part: 1, of: 1 });
        }
        let (part, of) = text.split_once('/')?;
        let (part, of) = (part.parse().ok()?, of.parse().ok()?);
        (1..=of).contains(&part).then_some(Slice::Part { part, of })
    }

    fn chosen() -> Self {
        match std::env::var("MAZURKA_MATRIX") {
            Ok(text) => {
                Slice::parse(&text).unwrap_or_else(|| panic!("MAZURKA_MATRIX is neither 'all' nor '3/50': {text}"))
            }
            Err(_) => Slice::Sample,
        }
    }

    /// The cells of a compiler that are tried, by files.
    fn files(self, cells: &[Cell]) -> Vec<Vec<(usize, &Cell)>> {
        let files = |step: usize| {
            let chosen: Vec<(usize, &Cell)> = cells.iter().enumerate().step_by(step).collect();
            chosen.chunks(CELLS_IN_A_FILE).map(<[_]>::to_vec).collect::<Vec<_>>()
        };
        match self {
            // A number that is prime to all periods of the matrix meets all of its rows and columns.
            Slice::Sample => files((cells.len() / SAMPLE) | 1),
            Slice::Part { part, of } => files(1).into_iter().skip(part - 1).step_by(of).collect(),
        }
    }
}

#[test]
fn slices_together_are_the_whole_matrix() {
    assert_eq!(Slice::parse("3/50"), Some(Slice::Part { part: 3, of: 50 }));
    assert_eq!(["0/5", "6/5", "some", "1/"].map(Slice::parse), [None; 4]);
    let cell = |nth: usize| Cell { name: nth.to_string(), text: String::new() };
    let cells: Vec<Cell> = (0..7 * CELLS_IN_A_FILE + 3).map(cell).collect();
    let slices = (1..=3).flat_map(|part| Slice::Part { part, of: 3 }.files(&cells));
    let mut numbers: Vec<usize> = slices.flatten().map(|(number, _)| number).collect();
    numbers.sort_unstable();
    assert!(numbers.into_iter().eq(0..cells.len()));
}

#[test]
fn every_access_is_seen() {
    let slice = Slice::chosen();
    let folder = std::env::temp_dir().join(format!("mazurka-matrix-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let compilers = Compiler::installed();
    let all: Vec<(&Compiler, Vec<Cell>)> = compilers.iter().map(|compiler| (compiler, cells(compiler))).collect();
    let mut batches: Vec<(&Compiler, Vec<(usize, &Cell)>)> = Vec::new();
    for (compiler, cells) in &all {
        batches.extend(slice.files(cells).into_iter().map(|file| (*compiler, file)));
    }
    let count: usize = batches.iter().map(|(_, cells)| cells.len()).sum();
    println!("{count} cells of {}", all.iter().map(|(_, cells)| cells.len()).sum::<usize>());
    let problems = std::sync::Mutex::new(Vec::new());
    parallel::all(&batches, |(compiler, cells)| {
        problems.lock().expect("nobody panics with it").extend(compiler.try_cells(&folder, cells));
        Ok(())
    });
    // What cannot be removed is left behind in a folder for such files.
    let _ = std::fs::remove_dir_all(&folder);
    let problems = problems.into_inner().expect("nobody panics with it");
    assert!(problems.is_empty(), "{} of {count} cells went wrong:\n{}", problems.len(), problems.join("\n"));
}
