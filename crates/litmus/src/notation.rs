//! Programs as text.
//!
//! ```text
//! var x, y; mutex m;
//! x = 1 | r = x; if r == 1 { s = y } | lock m; y += 1; unlock m
//! ```
//!
//! Objects are declared first, then templates, then threads, separated by `|`. Any other name is a local of its thread,
//! which must be set before it is used. A statement holds at most one visible operation, so that what is one step can be
//! seen: expressions are over locals and numbers only. `//` and `#` start a comment. An access of a variable may end with its
//! memory order, as in `r = x acquire`; without one, it is `seq_cst`. A `plain` access is not atomic.
//!
//! ```text
//! program     = { declaration } { template } thread { "|" thread }
//! declaration = "var" | "mutex" | "rwlock" | "condvar" | "semaphore" | "barrier" | "latch" | "region" | "mailbox" | "guarded", item { "," item } ";"
//! item        = NAME [ "[" NUMBER "]" ] [ "of" NUMBER ] [ "by" NAME ] [ "=" NUMBER { NUMBER } ]
//!               (of: a barrier's parties; by: a guarded cell's mutex or region; =: one initial value, or one for each element)
//! template    = "def" NAME "(" [ NAME { "," NAME } ] ")" block
//! thread      = [ NAME [ "[" NUMBER "]" ] ":" ] statements
//! block       = "{" statements "}"
//! statements  = [ statement ] { ";" [ statement ] }          (";" may be left out after "}")
//! statement   = LOCAL "=" expr                               computes a local
//!             | LOCAL "=" place | "read" place               reads a variable or guarded cell
//!             | place "=" expr                               writes it
//!             | place "+=" expr                              adds to it without looking: such steps commute
//!             | [LOCAL "="] "fetch_add" place "," expr       the result is the value before
//!             | [LOCAL "="] "fetch_sub" place "," expr       and fetch_and, fetch_nand, fetch_or, fetch_xor, fetch_max, fetch_min
//!             | [LOCAL "="] "upgrade" place                  one reference more, if there is any; the result is whether there was
//!             | [LOCAL "="] "unwrap" place                   the only reference goes; the result is whether it was the only one
//!             | "drained" place                              waits until there is no reference
//!             | "read_cell" place | "write_cell" place       touches a variable as plain memory that is no number
//!             | [LOCAL "="] "swap" place "," expr            the result is the value before
//!             | [LOCAL "="] "compare_exchange" place "," expr "," expr      the result is the value found
//!             | [LOCAL "="] "await" place ("==" | "!=") expr
//!             | "lock" place | [LOCAL "="] "try_lock" place | "unlock" place
//!             | "section" place block                        a critical section of a mutex, or an atomic one of a region, in one step
//!             | "read_lock" place | [LOCAL "="] "try_read_lock" place | "read_unlock" place
//!             | "write_lock" place | [LOCAL "="] "try_write_lock" place | "write_unlock" place
//!             | "downgrade" place                            a reader-writer lock held exclusive is held shared
//!             | "wait" place "," place                       condition variable, mutex
//!             | [LOCAL "="] "wait_timeout" place "," place   the same until time is up; the result is whether it was
//!             | "notify_one" place | "notify_all" place
//!             | "acquire" place | [LOCAL "="] "try_acquire" place | "release" place
//!             | "meet" place                                 a barrier
//!             | "count_down" place | "pass_latch" place      a latch
//!             | "init" place | "destroy" place | "deallocate" place the life of a lock, condition variable, semaphore or barrier
//!             | "send" place "," [ NUMBER ":" ] expr         a message: its kind (0 if left out) and its number
//!             | [LOCAL "="] "receive" place [selection]      the oldest message that matches; the result is its number
//!             | [LOCAL "="] "try_receive" place [selection]  the same if there is one; the result is -1 if there is none
//!             | [LOCAL "="] "spawn" (NAME "(" [ expr { "," expr } ] ")" | block)
//!             | "join" expr                                  a handle, or the number of an initial thread
//!             | "yield" | [LOCAL "="] "choose" NUMBER
//!             | "choose" "{" arm { "|" arm } "}"              waits until the first operation of an arm can be done, and goes on by it
//!             | "fence" order
//!             | "assume" expr | "assert" expr [ "," STRING ]
//!             | "if" expr block [ "else" (block | if-statement) ]
//!             | "while" expr block | "loop" block | "break" | "exit"
//! arm         = statement [ "->" statements ]                the first is an operation on an object that neither waits in two steps,
//!                                                            releases a lock, nor begins or ends a life
//! selection   = [ "of" NUMBER { "," NUMBER } ] [ "==" expr ]                kinds, and the number
//! orders      = order [ order ]                              behind an access; the second if a compare-exchange fails
//! order       = "plain" | "relaxed" | "acquire" | "release" | "acq_rel" | "seq_cst"
//! place       = NAME [ "[" expr "]" ]
//! expr        = with || && == != < <= > >= + - * / % ! - ( ) as in C; division rounds so that % is never negative
//! ```
//!
//! Printing a [`Sketch`] gives this notation, and reading that gives the same sketch.

mod cursor;
mod expr;
mod lexer;
mod parser;
mod statement;

use crate::sketch::Sketch;
use std::fmt;
use std::str::FromStr;

/// A text that is no program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// The line, counted from 1.
    pub line: u32,
    /// The column, counted in characters from 1.
    pub column: u32,
    /// What is wrong, and what was expected.
    pub problem: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.problem)
    }
}

impl std::error::Error for ParseError {}

/// Whether objects and locals may be called so.
pub(crate) fn is_name(name: &str) -> bool {
    let mut chars = name.chars();
    let starts = chars.next().is_some_and(|first| first.is_alphabetic() || first == '_');
    starts && chars.all(|c| c.is_alphanumeric() || c == '_') && !cursor::is_keyword(name)
}

impl FromStr for Sketch {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Sketch, ParseError> {
        parser::parse(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(text: &str) {
        let sketch: Sketch = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
        let printed = sketch.to_string();
        let again: Sketch = printed.parse().unwrap_or_else(|e| panic!("{printed}: {e}"));
        assert_eq!(sketch, again, "{printed}");
        assert!(crate::LitmusProgram::new(sketch).is_ok(), "{printed}");
    }

    #[test]
    fn every_statement_survives_printing() {
        round_trip("var x, y; mutex m; x = 1 | r = x; if r == 1 { s = y } | lock m; y += 1; unlock m");
        round_trip("var a[3] = 1 2 3, b = -4; r = a[1 + 1]; r = r % 2; a[r * (r + 1)] = -(r) - -1");
        round_trip(
            "var x; r = fetch_add x, 2; swap x, 3; s = compare_exchange x, 1, r; await x != 0; t = await x == 5",
        );
        round_trip("mutex m[2]; guarded c[2] by m; i = 1; section m[i] { v = c[i]; if v > 0 { c[i] = v - 1 } }");
        round_trip(
            "var x, y; x = 1 relaxed; r = x acquire; y = r + 1 release; read y plain; x += 1 acq_rel; fence acq_rel",
        );
        round_trip("var x; r = compare_exchange x, 0, 1 acq_rel relaxed; swap x, r release; s = await x != 0 acquire");
        round_trip("var x; compare_exchange x, 0, 1 relaxed; compare_exchange x, 0, 1 seq_cst relaxed; x = 2 plain");
        round_trip("rwlock l; read_lock l; read_unlock l; a = try_write_lock l; write_unlock l; b = try_read_lock l");
        round_trip("condvar c; mutex m; lock m; wait c, m; unlock m | notify_one c; notify_all c; k = try_lock m");
        round_trip("var x = 1; t = fetch_max x, 2; u = upgrade x; w = unwrap x; drained x; read_cell x; write_cell x");
        round_trip("rwlock l; latch d = 2; write_lock l; downgrade l; read_unlock l; count_down d; pass_latch d");
        round_trip("mutex m; condvar c; lock m; t = wait_timeout c, m; unlock m; destroy m; init m; deallocate m");
        round_trip("region z; guarded g by z; section z { t = g; g = t + 1 }");
        round_trip("semaphore s = 2; acquire s; r = try_acquire s; release s");
        round_trip("barrier b of 2; a: meet b | b[1]: r = meet b");
        round_trip(
            "var x; def w(i, j) { x = i + j } h = spawn w(1, 2); join h; k = spawn { x = 3; spawn { yield } }; join k",
        );
        round_trip("c = choose 3; assume c != 1; assert c < 2, \"a \\\"quoted\\\" \\\\ text\"; exit");
        round_trip("var x; loop { read x; break }; while 1 { if !(1 && 0 || 1) { break } else if 2 {} else { exit } }");
    }

    #[test]
    fn errors_say_where_and_what() {
        let message = |text: &str| text.parse::<Sketch>().unwrap_err().to_string();
        assert_eq!(message("var x;\nx = q"), "line 2, column 5: 'q' is no declared object, and no local set before");
        assert_eq!(message("x = = 1"), "line 1, column 5: expected an expression, found '='");
        assert_eq!(message("mutex m; lock n"), "line 1, column 15: 'n' is not declared");
        assert_eq!(message("var x; x = 1 }"), "line 1, column 14: expected '|' or the end of the text, found '}'");
        assert!(message("r = 99999999999999999999").contains("too large"));
        assert!(message("spawn f()").contains("no template"));
        assert_eq!(message("fence now"), "line 1, column 7: expected ';' or a memory order, found 'now'");
        assert_eq!(message("fence"), "line 1, column 6: expected a memory order, found the end of the text");
        assert!(message(&format!("r = {}1", "(".repeat(100_000))).contains("nested"));
        assert!(message(&format!("r = 1{}", " + 1".repeat(100_000))).contains("operators"));
        assert!(message(&"loop {".repeat(100_000)).contains("nested"));
        assert!(message(&format!("r = {}1", "-".repeat(100_000))).contains("nested"));
        assert!(message(&format!("if 1 {{}} {}", "else if 1 {} ".repeat(100_000))).contains("nested"));
    }
}
