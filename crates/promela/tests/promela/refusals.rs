//! What is no model is refused, with its place.

use mazurka_promela::Model;

fn refusal(text: &str) -> String {
    match Model::parse("model.pml", text, &[]) {
        Ok(_) => panic!("it is taken for a model"),
        Err(problem) => problem.to_string(),
    }
}

#[test]
fn what_is_no_model_is_refused_with_its_place() {
    let text = refusal("active proctype P() {\n  x = 1\n}\n");
    assert!(text.contains("the variable x is not declared"), "{text}");
    assert!(text.contains("--> model.pml:2:3"), "{text}");
    assert!(text.contains("2 |   x = 1"), "{text}");
    assert!(text.contains("^"), "{text}");
    for (model, message) in [
        ("active proctype P() { if :: skip od }", "expected `;` or `->`, found `od`"),
        ("active proctype P() { goto nowhere }", "there is no label nowhere"),
        ("init { c_code { x = 1; } }", "embedded C is not supported: `c_code`"),
        ("init { run Q() }", "there is no proctype Q"),
        ("proctype Q(byte x) { skip } init { run Q() }", "Q takes 1 arguments, not 0"),
        ("byte x; byte x; init { skip }", "the variable x is declared twice"),
        ("init { break }", "`break` outside of a loop"),
        ("#if 1\ninit { skip }", "this condition has no `#endif`"),
        ("byte x; proctype P() { skip }\n/* no end", "this comment has no end"),
        ("", "the model has no process"),
        ("active proctype P() priority 2 { skip }", "priorities of processes are not supported: `priority`"),
        ("byte x; init { do :: break od; d_step { x = 1; x = 0 } }", "a jump into a `d_step`"),
        ("byte x; init { goto l; x = 2; l: d_step { x = 1; x = 0 } }", "a jump into a `d_step`"),
        ("byte x; init { d_step { x = 1; goto l }; l: x = 2 }", "a jump out of a `d_step`"),
        ("byte x; init { d_step { x = 1; run Q() } } proctype Q() { skip }", "`run` in a `d_step`"),
        ("chan c = [1] of { bit }; init { c++ }", "a channel is no number"),
        ("init { ; skip }", "expected a statement, found `;`"),
        // What stands further down cannot be named.
        ("init { x = 1 } byte x;", "the variable x is not declared"),
        ("init { c!1 } chan c = [1] of { bit };", "the variable c is not declared"),
        ("byte y = x; byte x; init { y = 1 }", "the variable x is not declared"),
        ("never { do :: x == 0 od } byte x; init { x = 1 }", "the variable x is not declared"),
        ("active proctype P() provided (x == 0) { skip } byte x;", "the variable x is not declared"),
        ("init { Q@L } active proctype Q() { L: skip }", "the proctype Q is declared further down"),
        // No variable hides another one, and a process has no variables where it is provided for.
        ("byte x; init { byte x; x = 1 }", "the variable x is declared twice"),
        ("byte x; proctype Q(byte x) { skip } init { run Q(1) }", "the variable x is declared twice"),
        ("init { byte x; { byte x; x = 1 } }", "the variable x is declared twice"),
        ("proctype Q(byte x) provided (x == 0) { skip } init { run Q(0) }", "the variable x is not declared"),
        // Jumps that go to a `d_step` itself, or to a loop's end with one behind it.
        ("byte x; init { atomic { x = 1; goto l }; x = 2; l: d_step { x = 1; x = 0 } }", "a jump into a `d_step`"),
        ("byte x; init { { do :: break od } unless { x == 2 }; d_step { x = 1; x = 0 } }", "a jump into a `d_step`"),
        ("byte x; init { for (x : 1 .. 2) { skip }; d_step { x = 1; x = 0 } }", "a jump into a `d_step`"),
        ("byte x; init { do :: d_step { x++; break } od }", "a jump out of a `d_step`"),
        // The first step of a block has no label.
        ("byte x; init { atomic { l: x = 1; x = 2 } }", "the first step has the label l"),
        ("byte x; init { { end: x = 1 } unless { x == 2 } }", "the first step has the label end"),
        ("byte x; init { x = 1 unless l: x == 1 }", "the first step has the label l"),
        ("byte x; init { l: if :: x = 1 fi unless { x == 2 } }", "the first step has the label l"),
        // Channels are no numbers, and nothing else is a channel.
        ("chan c = [1] of { byte }; init { c!1, 2 }", "2 values are sent"),
        ("chan c; init { c!1 }", "1 values are sent"),
        ("chan c = [1] of { byte }; byte x; init { x!1 }", "x is no channel"),
        ("chan c = [1] of { byte }; byte x; init { x?1 }", "x is no channel"),
        ("chan c = [1] of { byte }; init { c = 1 }", "c is a channel, and no number"),
        ("chan c = [1] of { byte }; byte x; init { x = c + 1 }", "c is a channel, and no number"),
        ("chan c = [1] of { byte }; byte x, a[2]; init { x = a[!c] }", "c is a channel, and no number"),
        ("byte x, i; init { x[i] = 1 }", "x is no array"),
        ("typedef t { byte a[3] }; t v; byte i; init { for (i in v.a) { skip } }", "no part of a struct"),
        (
            "typedef t { byte n }; chan c = [2] of { byte }; init { t v; for (v in c) { skip } }",
            "the messages of c are not each one struct as v",
        ),
        ("notrace { skip }", "trace assertions are not supported: `notrace`"),
    ] {
        let text = refusal(model);
        assert!(text.contains(message), "{model}: {text}");
    }
}
