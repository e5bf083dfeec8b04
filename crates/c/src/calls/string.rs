//! Functions on strings and bytes. Each byte is read and written by an operation of its own, where others touch it.

use super::access::{load_byte, store_byte};
use super::{entry, heap};
use crate::context;

/// A function was called with this, and is several operations.
fn give(arguments: [usize; 3]) {
    if let Some(context) = context::running() {
        context.call.give(arguments);
    }
}

/// How long the string at `at` is, and at most `most`.
fn length(at: usize, most: usize, from: usize) -> usize {
    give([at, most, 0]);
    (0..most).find(|&i| load_byte(at + i, from) == 0).unwrap_or(most)
}

fn compare(one: usize, other: usize, most: usize, ends_at_zero: bool, from: usize) -> i32 {
    give([one, other, most]);
    for i in 0..most {
        let (a, b) = (load_byte(one + i, from), load_byte(other + i, from));
        if a != b {
            return i32::from(a) - i32::from(b);
        }
        if ends_at_zero && a == 0 {
            break;
        }
    }
    0
}

/// Copies up to and with the end of a string; how many bytes before that is the answer.
fn copy(to: usize, text: usize, most: usize, from: usize) -> usize {
    give([to, text, most]);
    for i in 0..most {
        let byte = load_byte(text + i, from);
        store_byte(to + i, byte, from);
        if byte == 0 {
            return i;
        }
    }
    most
}

fn find(at: usize, byte: i32, most: usize, ends_at_zero: bool, from: usize) -> usize {
    give([at, byte as usize, most]);
    for i in 0..most {
        let found = load_byte(at + i, from);
        if found == byte as u8 {
            return at + i;
        }
        if ends_at_zero && found == 0 {
            break;
        }
    }
    0
}

extern "C-unwind" fn strlen(at: usize, from: usize) -> usize {
    length(at, usize::MAX, from)
}

extern "C-unwind" fn strnlen(at: usize, most: usize, from: usize) -> usize {
    length(at, most, from)
}

extern "C-unwind" fn strcmp(one: usize, other: usize, from: usize) -> i32 {
    compare(one, other, usize::MAX, true, from)
}

extern "C-unwind" fn strncmp(one: usize, other: usize, most: usize, from: usize) -> i32 {
    compare(one, other, most, true, from)
}

extern "C-unwind" fn memcmp(one: usize, other: usize, size: usize, from: usize) -> i32 {
    compare(one, other, size, false, from)
}

extern "C-unwind" fn strcpy(to: usize, text: usize, from: usize) -> usize {
    copy(to, text, usize::MAX, from);
    to
}

extern "C-unwind" fn stpcpy(to: usize, text: usize, from: usize) -> usize {
    to + copy(to, text, usize::MAX, from)
}

extern "C-unwind" fn strncpy(to: usize, text: usize, size: usize, from: usize) -> usize {
    let copied = copy(to, text, size, from);
    (copied..size).for_each(|i| store_byte(to + i, 0, from));
    to
}

extern "C-unwind" fn strcat(to: usize, text: usize, from: usize) -> usize {
    copy(to + length(to, usize::MAX, from), text, usize::MAX, from);
    to
}

extern "C-unwind" fn strncat(to: usize, text: usize, most: usize, from: usize) -> usize {
    let end = to + length(to, usize::MAX, from);
    let copied = copy(end, text, most, from);
    store_byte(end + copied, 0, from);
    to
}

extern "C-unwind" fn strchr(at: usize, byte: i32, from: usize) -> usize {
    find(at, byte, usize::MAX, true, from)
}

extern "C-unwind" fn memchr(at: usize, byte: i32, size: usize, from: usize) -> usize {
    find(at, byte, size, false, from)
}

fn duplicate(text: usize, length: usize, from: usize) -> usize {
    let copied = heap::malloc(length + 1, from) as usize;
    if copied != 0 {
        (0..length).for_each(|i| store_byte(copied + i, load_byte(text + i, from), from));
        store_byte(copied + length, 0, from);
    }
    copied
}

extern "C-unwind" fn strdup(text: usize, from: usize) -> usize {
    duplicate(text, length(text, usize::MAX, from), from)
}

extern "C-unwind" fn strndup(text: usize, most: usize, from: usize) -> usize {
    duplicate(text, length(text, most, from), from)
}

entry!(wrap_strlen, "__wrap_strlen", "rsi", strlen);
entry!(wrap_strnlen, "__wrap_strnlen", "rdx", strnlen);
entry!(wrap_strcmp, "__wrap_strcmp", "rdx", strcmp);
entry!(wrap_strncmp, "__wrap_strncmp", "rcx", strncmp);
entry!(wrap_memcmp, "__wrap_memcmp", "rcx", memcmp);
entry!(wrap_strcpy, "__wrap_strcpy", "rdx", strcpy);
entry!(wrap_stpcpy, "__wrap_stpcpy", "rdx", stpcpy);
entry!(wrap_strncpy, "__wrap_strncpy", "rcx", strncpy);
entry!(wrap_strcat, "__wrap_strcat", "rdx", strcat);
entry!(wrap_strncat, "__wrap_strncat", "rcx", strncat);
entry!(wrap_strchr, "__wrap_strchr", "rdx", strchr);
entry!(wrap_memchr, "__wrap_memchr", "rcx", memchr);
entry!(wrap_strdup, "__wrap_strdup", "rsi", strdup);
entry!(wrap_strndup, "__wrap_strndup", "rdx", strndup);
