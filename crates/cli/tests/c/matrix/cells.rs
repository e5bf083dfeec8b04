//! The cells of the matrix, as programs in C.

use super::compilers::Compiler;
use super::types::{Type, types};
use super::ways::ways;
use std::fmt::Write;

/// Where the object is, and who accesses it: a thread by its name or by a pointer, or main its own.
const PLACES: [&str; 5] = ["global", "pointer", "heap", "stack", "thread-local"];

/// The same where the other thread writes the last byte only, so that an access of less than the whole is noticed: where the object
/// should be, and five bytes behind a multiple of eight, where a pointer was cast.
const PLACES_OF_FULL_TYPES: [&str; 7] =
    ["global", "pointer", "heap", "stack", "thread-local", "last byte", "cast pointer"];

/// Of bit-fields there are so many that two places have to do.
fn places(of: &Type) -> &'static [&'static str] {
    match of.declaration.contains(" : ") {
        true => &["global", "stack"],
        false if of.is_full() => &PLACES_OF_FULL_TYPES,
        false => &PLACES,
    }
}

/// One cell of the matrix.
pub(super) struct Cell {
    pub(super) name: String,
    pub(super) text: String,
}

/// All cells that a compiler has.
pub(super) fn cells(compiler: &Compiler) -> Vec<Cell> {
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
        "last byte" => format!(
            "static @ global@;\nstatic void *thread@(void *p) {{ @ *object = p; {} return 0; }}\n\
             static void run@(void) {{ race_at_last(thread@, (void *)&global@, sizeof(@)); }}\n",
            access("(*object)")
        ),
        // Processors load what is aligned to 16 bytes from there only.
        "cast pointer" => format!(
            "static struct {{ char before[8]; _Alignas(16) char bytes[sizeof(@) + 8]; }} room@;\n\
             static void *thread@(void *p) {{ @ *object = p; {} return 0; }}\n\
             static void run@(void) {{ race_at_last(thread@, room@.bytes + (_Alignof(@) > 8 ? 0 : 5), sizeof(@)); }}\n",
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
        bytes->start[i] = bytes->size <= 64 || i + 16 < bytes->size; /* A text ends, and there is room behind it. */
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

static void race_at_last(void *(*thread)(void *), void *start, unsigned long size)
{
    pthread_t writer = begin((char *)start + size - 1, 1), other;
    pthread_create(&other, 0, thread, start);
    pthread_join(other, 0);
    end(writer);
}

/* Where nothing is accessed, there is no race. */
static void *nothing(void *p) { return p; }
static void run_control(void) { static char object[64]; race(nothing, object, sizeof object); (void)end; (void)compare; (void)race_at_last; }
";

/// A program that runs one of these cells: that of its argument, or any. The number behind the last one is the control.
pub(super) fn program(cells: &[(usize, &Cell)]) -> String {
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
