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
        ("notrace { skip }", "trace assertions are not supported: `notrace`"),
    ] {
        let text = refusal(model);
        assert!(text.contains(message), "{model}: {text}");
    }
}
