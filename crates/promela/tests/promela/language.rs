//! Each construct of the language, in a small model: as many states and errors as SPIN counts. `docs/promela.md` has the
//! same rows.

use crate::oracle::{Counts, Spin};
use mazurka_promela::{Limits, Model, search};

const CONSTRUCTS: &[(&str, &str)] = &[
    ("active [n]", "byte x; active [3] proctype P() { x++ }"),
    // Nobody looks at a variable by counting it: it is no part of a state.
    ("++ of a variable that nobody reads", "byte x, y; active [2] proctype P() { x = x + 1; y = x; y++ }"),
    ("++ of an element", "byte i; byte a[3]; active [2] proctype P() { a[i]++; i++; a[i % 3] = 2 }"),
    (
        "names of their own in blocks, and before globals",
        "inline f() { x = 1 } byte x; active proctype P() { { byte k; k = x; x = k + 1 }; { byte k; x = k }; byte late; late = x; f() }
        byte late",
    ),
    (
        "array of channels",
        "chan c[2] = [1] of { byte }; active proctype P() { byte x; c[1]!3; c[1]?x; assert(x == 3) }",
    ),
    ("assert, twice in a step", "byte x; active proctype P() { d_step { assert(x == 1); x = 1; assert(x == 0) } }"),
    ("assert", "byte x; active [2] proctype P() { x++; assert(x == 1) }"),
    ("atomic", "byte x; active [2] proctype P() { byte t; atomic { t = x; x = t + 1 }; atomic { x > 0; x = 2 } }"),
    (
        "channel in a message",
        "chan c = [1] of { chan }; active proctype P() { chan own = [1] of { bit }; c!own; own?1 }
        active proctype Q() { chan d; c?d; d!1 }",
    ),
    ("condition", "bit b; active proctype P() { b -> assert(b) } active proctype Q() { b = 1 }"),
    ("conditional expression", "byte x; active [2] proctype P() { x = (_pid > 0 -> 7 : x + 1) }"),
    (
        "d_step",
        "byte x, y; active [2] proctype P() { d_step { x < 2 -> x++; if :: x == 1 -> y = 1 :: else -> y = 2 fi } }",
    ),
    ("declarations among statements", "byte x; active [2] proctype P() { x++; byte y = x; y++; assert(y > x - 1) }"),
    ("define", "#define N 3\n#define inc(v) v = v + 1\nbyte x; active [N] proctype P() { inc(x) }"),
    ("do", "byte x; active [2] proctype P() { do :: x < 4 -> x++ :: x > 2 -> break :: else od }"),
    (
        "do with break from within",
        "byte x; active proctype P() { do :: x++; if :: x == 3 -> break :: else fi od; assert(x == 3) }",
    ),
    ("else", "byte x; active [2] proctype P() { if :: x == 0 -> x = 1 :: else -> x = 2 fi }"),
    (
        "empty, full, len",
        "chan c = [2] of { bit }; active proctype P() { c!1; c!0; full(c); assert(len(c) == 2) }
        active proctype Q() { bit b; nempty(c); c?b; nfull(c); c?b; empty(c) }",
    ),
    (
        "enabled",
        "bit b; active proctype P() { b -> skip } active proctype Q() { b = 1 } never { do :: enabled(0) -> break :: else od }",
    ),
    ("end labels", "chan c = [0] of { bit }; active proctype P() { end: do :: c?1 od } active proctype Q() { c!1 }"),
    (
        "eval",
        "chan c = [2] of { byte }; active proctype P() { c!2; c!3 } active proctype Q() { byte x = 3; c?2; c?eval(x) }",
    ),
    ("for over a range", "byte i, s; active proctype P() { for (i : 1 .. 4) { s = s + i } assert(s == 10) }"),
    ("for over an array", "byte i, a[3]; active proctype P() { for (i in a) { a[i] = i } assert(a[2] == 2) }"),
    (
        "for over a channel",
        "typedef message { byte n; bit b }; chan c = [2] of { message };\n active proctype P() { message m; byte s; m.n = 1; c!m; m.n = 2; c!m; for (m in c) { s = s + m.n } assert(s == 3) }",
    ),
    ("goto", "byte x; active [2] proctype P() { l: x++; if :: x < 3 -> goto l :: else fi }"),
    ("hidden", "hidden byte h; byte x; active [2] proctype P() { h = h + 1; x = 1 }"),
    ("if", "byte x; active [2] proctype P() { if :: x = 1 :: x = 2 :: x == 2 -> x = 3 fi }"),
    (
        "init and run",
        "byte x; proctype P(byte n) { x = x + n } init { run P(1); run P(2); (_nr_pr == 1) -> assert(x == 3) }",
    ),
    (
        "inline",
        "inline swap(a, b) { byte t; t = a; a = b; b = t } byte x = 1, y = 2; active proctype P() { swap(x, y); assert(x == 2) }",
    ),
    ("several init", "byte x; init { x++ } active proctype P() { assert(_pid == 1) } init { assert(_pid == 2); x++ }"),
    ("int and short", "int i = -3; short s = 70000; active proctype P() { i = i * 2; assert(i == -6 && s == 4464) }"),
    (
        "jumps near a d_step",
        "byte x, y; active [2] proctype P() { atomic { do :: x < 2 -> x++ :: else -> break od }; d_step { x = 0; y = 1 };
        atomic { for (y : 1 .. 2) { x = y } }; d_step { x = 0; y = 1 }; if :: goto l :: skip fi; l: { d_step { y = 0; x = 1 } };
        d_step { if :: x == 1 -> goto m :: else fi; x = 3; m: y = 2 } }",
    ),
    ("label before what can be left", "byte x; active [2] proctype P() { l: atomic { x++; x++ } unless { x > 2 }; if :: x < 3 -> goto l :: else fi }"),
    ("last", "byte x; active [2] proctype P() { x++; assert(_last <= 2) }"),
    (
        "messages with too many fields and too few",
        "chan c = [1] of { byte }; chan d = [0] of { byte, byte }; byte x;
        active proctype P() { c!1, 2; d!3, 0; d_step { c!4, 5; x = 1 } } active proctype Q() { byte y; c?y; d?y; c?4 }",
    ),
    (
        "mtype",
        "mtype = { ping, pong }; mtype m = ping; active proctype P() { m = pong } active proctype Q() { m == pong }",
    ),
    (
        "mtype with a name",
        "mtype:fruit = { apple, pear }; mtype:size = { small, large }; mtype:fruit f = pear;
        active proctype P() { f = apple; assert(f == apple) }",
    ),
    (
        "never",
        "byte x; active proctype P() { do :: x < 3 -> x++ :: else -> break od } never { do :: x == 2 -> break :: else od }",
    ),
    ("non-progress", "byte x; active proctype P() { do :: progress: x = 1 - x od }"),
    ("ltl with a keyword for a name", "byte x; active [2] proctype P() { x++ } ltl full { [] (x < 3) }"),
    ("peek", "chan c = [1] of { byte }; active proctype P() { byte x; c!3; c?<x>; assert(len(c) == 1 && x == 3) }"),
    (
        "poll",
        "chan c = [2] of { byte, bit }; active proctype P() { c!3, 1 } active proctype Q() { c?[3, 1] -> c?_, _ }",
    ),
    ("printf", "active proctype P() { printf(\"%d %e\\n\", 3, 4) }"),
    (
        "provided",
        "bit turn; active proctype P() provided (turn == 0) { skip; turn = 1 } active proctype Q() provided (turn == 1) { skip; turn = 0 }",
    ),
    (
        "random receive",
        "chan c = [3] of { byte }; active proctype P() { c!1; c!2; c!3; c??2; assert(len(c) == 2); c??[3] }",
    ),
    ("remote label", "active proctype P() { skip; there: skip; skip } active proctype Q() { P@there -> skip }"),
    ("remote variable", "active proctype P() { byte v; v = 1; v = 2 } active proctype Q() { P:v == 2 -> skip }"),
    (
        "rendezvous",
        "chan c = [0] of { byte }; active [2] proctype P() { c!_pid } active proctype Q() { byte x; c?x; c?x }",
    ),
    (
        "rendezvous out of an atomic",
        "chan c = [0] of { bit }; byte x; active proctype P() { atomic { c!1; x = 1 } } active proctype Q() { c?1; x = 2 }",
    ),
    (
        "select that can be left",
        "byte x; chan c = [1] of { byte }; active proctype P() { byte i; { select (i : 0 .. 2) } unless { i == 5 };
        { do :: i < 2 -> i++ :: x = 1; break od; x = 2 } unless { c?eval(i) } }",
    ),
    ("select", "byte x; active proctype P() { select (x : 1 .. 4); assert(x != 3) }"),
    ("show and local", "show byte x; local bit b; active [2] proctype P() { x = 1; b = 1 }"),
    ("sorted send", "chan c = [3] of { byte }; active proctype P() { c!!3; c!!1; c!!2; c?1; c?2; c?3 }"),
    ("timeout", "bit b; active proctype P() { b -> skip } active proctype Q() { timeout -> b = 1 }"),
    (
        "typedef",
        "typedef point { byte x; byte y[2] }; point p[2]; active [2] proctype P() { p[_pid].y[1] = p[1 - _pid].x + 1 }",
    ),
    (
        "unless",
        "bit stop; byte x; active proctype P() { { do :: x < 3 -> x++ od } unless { stop } } active proctype Q() { stop = 1 }",
    ),
    ("unsigned", "unsigned u : 3 = 7; active [2] proctype P() { u++ }"),
    ("xr and xs", "chan c = [1] of { bit }; active proctype P() { xs c; c!1 } active proctype Q() { xr c; c?1 }"),
];

#[test]
fn each_construct_has_the_states_that_spin_counts() {
    let spin = Spin::find();
    let mut differences = Vec::new();
    for (name, text) in CONSTRUCTS {
        let model = Model::parse(name, text, &[]).unwrap_or_else(|problem| panic!("{problem}"));
        let outcome = search(&model, &Limits { keep_going: true, ..Limits::default() });
        assert!(outcome.states > 1, "{name}");
        let ours = Ok(Counts { states: outcome.states, errors: outcome.errors });
        let theirs = spin.as_ref().map(|spin| spin.count(text, &["-DSAFETY", "-DNOCLAIM"], &[]));
        if theirs.is_some_and(|theirs| theirs != ours) {
            differences.push((name, ours, spin.as_ref().map(|spin| spin.count(text, &["-DSAFETY", "-DNOCLAIM"], &[]))));
        }
    }
    assert!(differences.is_empty(), "{differences:#?}");
}
