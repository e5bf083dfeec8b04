#!/usr/bin/env python3
"""Writes items.rs: every stable item of std that mazurka mirrors, as code that compiles only if the item is there.

It reads the documentation of the installed toolchain (`rustup component add rust-docs`):
    ./generate.py > items.rs && rustfmt items.rs
Each method becomes a function of the same signature that calls it, each impl of a trait a function that needs it.
"""

import glob
import html
import os
import re
import subprocess

SYSROOT = subprocess.run(["rustc", "--print", "sysroot"], capture_output=True, text=True, check=True).stdout.strip()
ROOT = SYSROOT + "/share/doc/rust/html/std/"
VERSION = subprocess.run(["rustc", "--version"], capture_output=True, text=True, check=True).stdout.split()[1]

# What mazurka cannot have, with the reason. docs/soundness.md lists the same.
CANNOT = {
    r"Atomic\w+::from_ptr": "a mirror is larger than the value",
    r"Atomic\w+::as_ptr": "the run keeps the value",
    r"UnsafeCell::from_mut": "a mirror is larger than the value",
}
# Const functions of std that are none in mazurka, because they ask the run.
NOT_CONST = r"(Atomic\w+::into_inner)|(UnsafeCell::(get|get_mut|into_inner))"
# Traits that are unstable, or that the compiler alone may ask for.
SKIPPED = set(
    "Drop Freeze UnsafeUnpin CoerceUnsized DispatchFromDyn PinCoerceUnsized StructuralPartialEq Receiver CloneToUninit "
    "CloneFromCell LegacyReceiver DerefPure TrustedLen UseCloned Any Borrow BorrowMut Into TryFrom TryInto ToOwned "
    "ToString AsHandle AsRawHandle JoinHandleExt IntoRawHandle Allocator AsFd AsRawFd AsSocket AsRawSocket Read Write Seek".split()
)


def text(markup):
    plain = html.unescape(re.sub(r"<[^>]+>", "", markup)).replace("ⓘ", "")
    return re.sub(r"\s+", " ", plain.replace("where", " where ")).strip()


def split_top(arguments):
    parts, depth, start = [], 0, 0
    for i, c in enumerate(arguments):
        if c in "(<[{":
            depth += 1
        elif c in ")]}" or c == ">" and arguments[i - 1] != "-":
            depth -= 1
        elif c == "," and depth == 0:
            parts.append(arguments[start:i].strip())
            start = i + 1
    parts.append(arguments[start:].strip())
    return [part for part in parts if part]


def matching(s, start):
    """The index after the bracket that closes the one at `start`."""
    depth = 0
    for i in range(start, len(s)):
        if s[i] in "(<[":
            depth += 1
        elif s[i] in ")]" or s[i] == ">" and s[i - 1] != "-":
            depth -= 1
            if depth == 0:
                return i + 1
    raise ValueError(s)


def without_allocator(s):
    s = re.sub(r"\b(Arc|Weak)<([^<>]+|\[[^\]]*\]|MaybeUninit<[^<>]*>), A>", r"\1<\2>", s)
    s = re.sub(r"\b(Arc|Weak)<(dyn Any[^,]*), A>", r"\1<\2>", s)
    s = re.sub(r"(, )?\bA: [^,{>]+", "", s)
    s = re.sub(r"(<[^<>]*), A>", r"\1>", s).replace("<A, ", "<").replace("<A>", "")
    return re.sub(r"where *(?=\{)", "", s.replace("where ,", "where "))


def header(impl):
    """Generics, type and where clause of an impl's header."""
    rest = impl.removeprefix("unsafe ").removeprefix("impl")
    generics = ""
    if rest.startswith("<"):
        end = matching(rest, 0)
        generics, rest = rest[1 : end - 1], rest[end:]
    rest, _, where = rest.strip().partition(" where ")
    return generics, rest.strip(), where.strip().rstrip(",")


def joined(*generics):
    """Generics, lifetimes first."""
    parts = [part for generic in generics for part in split_top(generic)]
    parts.sort(key=lambda part: not part.startswith("'"))
    return f"<{', '.join(parts)}>" if parts else ""


def bounds(*wheres):
    parts = [where.strip().rstrip(",") for where in wheres if where.strip()]
    return f" where {', '.join(parts)}" if parts else ""


class Writer:
    def __init__(self):
        self.number = 0

    def name(self):
        self.number += 1
        return f"f{self.number}"

    def method(self, impl, code):
        generics, of, where = header(impl)
        signature = re.match(r"pub (const )?(unsafe )?fn (\w+)", code)
        if not signature:
            return
        const, unsafe, method = signature.groups()
        rest = code[signature.end() :]
        own = ""
        if rest.startswith("<"):
            end = matching(rest, 0)
            own, rest = rest[1 : end - 1], rest[end:]
        end = matching(rest, 0)
        arguments, rest = split_top(rest[1 : end - 1]), rest[end:]
        result, _, own_where = rest.partition(" where ")
        short = re.match(r"\w+", of).group(0)
        path = f"{short}::{method}"
        for pattern, reason in CANNOT.items():
            if re.fullmatch(pattern, path):
                print(f"// {path}: {reason}.")
                return
        if re.fullmatch(NOT_CONST, path):
            const = None
        names, typed = [], []
        for i, argument in enumerate(arguments):
            receiver = re.fullmatch(r"(&(?:'\w+ )?(?:mut )?|mut )?self", argument)
            if receiver:
                typed.append(f"this: {(receiver.group(1) or '').removeprefix('mut ')}{of}")
                names.append("this")
            else:
                _, _, kind = argument.partition(": ")
                typed.append(f"a{i}: {kind}")
                names.append(f"a{i}")
        if "'" in of and typed and typed[0].startswith("this: &") and "'" not in typed[0].split(of)[0]:
            typed[0] = typed[0].replace("&", "&'s ", 1)
            result = re.sub(r"&(?!')", "&'s ", result)
            own = joined("'s", own)[1:-1]
        typed = [re.sub(r"\bSelf\b", of, one) for one in typed]
        result = re.sub(r"\bSelf\b", of, result)
        call = f"<{of}>::{method}({', '.join(names)})"
        body = f"unsafe {{ {call} }}" if unsafe else call
        line = (
            f"{'const ' if const else ''}{'unsafe ' if unsafe else ''}fn {self.name()}{joined(generics, own)}"
            f"({', '.join(typed)}){result}{bounds(where, own_where)} {{ {body} }}"
        ).replace("CloneToUninit", "Clone")
        print(without_allocator(line) if short in ("Arc", "Weak") else line)

    def impl(self, impl):
        if impl.startswith("impl<T> From<!>"):
            return
        generics, rest, where = header(impl)
        trait, _, of = rest.partition(" for ")
        if not of or trait.startswith("!") or re.match(r"\w+", trait).group(0) in SKIPPED:
            return
        # The first is no type of its own, the others are unstable, or those of another module.
        if re.fullmatch(r"\w", of) or re.search(r"Owned|ByteStr|SendTimeoutError|Error<T>: From|Cow<", rest + where):
            return
        if re.fullmatch(r"(RecvTimeoutError|TryRecvError)<T>", of):
            return
        all_generics = joined("'x", generics)
        line = f"fn {self.name()}{all_generics}(x: &'x {of}) -> &'x (impl {trait} + ?Sized){bounds(where)} {{ x }}"
        print(without_allocator(line) if re.search(r"\b(Arc|Weak)<", line) else line)


def is_unstable(markup):
    return "stab unstable" in markup


def page(path, writer):
    markup = re.search(r"<main>(.*)</main>", open(path).read(), re.S).group(1)
    head = markup.split("<h2", 1)[0].split('<details class="toggle top-doc"', 1)[0]
    if is_unstable(head):
        return
    kind, name = re.search(r"/(struct|enum|fn|type|constant)\.(\w+)\.html", path).groups()
    folder = os.path.dirname(path)[len(ROOT) :].replace("/", "::")
    result = {"JoinHandle": "super::thread", "ScopedJoinHandle": "super::thread", "Builder": "std::io"}.get(name, "std::result")
    print(f"mod {folder.replace('::', '_')}_{name} {{")
    print(f"use super::*; use super::sync::*; use super::sync::atomic::*; use super::sync::mpsc::*; use super::thread::*;")
    if name != "Result":
        print(f"use {result}::Result;")
    print(f"use super::{folder}::{name};")
    if kind != "fn":
        items(markup, writer)
    print("}")


def items(markup, writer):
    inherent, _, traits = markup.partition('id="trait-implementations"')
    inherent = inherent.split('id="deref-methods', 1)[0]
    impl = None
    pieces = re.finditer(r'<section id="(impl|method)[-.][^"]*" class="[^"]*">(.*?)</section>(?=(.{0,700}))', inherent, re.S)
    for piece in pieces:
        code = re.search(r'<h[34] class="code-header">(.*?)</h[34]>', piece.group(2), re.S)
        if not code:
            continue
        if piece.group(1) == "impl":
            impl = text(code.group(1))
        elif not is_unstable(piece.group(3).split("docblock")[0]) and impl:
            writer.method(impl, text(code.group(1)))
    traits = traits.split('id="blanket-implementations"', 1)[0]
    for piece in re.finditer(r'<section id="impl-[^"]*" class="impl">(.*?)</section>', traits, re.S):
        code = re.search(r'<h3 class="code-header">(.*?)</h3>', piece.group(1), re.S)
        if code:
            writer.impl(text(code.group(1)))


def main():
    print(f"// Written by generate.py from the documentation of std {VERSION}.")
    pages = [ROOT + "cell/struct.UnsafeCell.html"]
    for folder in ("sync", "sync/atomic", "sync/mpsc", "thread"):
        pages += sorted(glob.glob(f"{ROOT}{folder}/*.html"))
    writer = Writer()
    for path in pages:
        if re.search(r"/(struct|enum|fn|type|constant)\.\w+\.html$", path):
            page(path, writer)


main()
