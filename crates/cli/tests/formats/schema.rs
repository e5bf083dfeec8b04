//! Whether JSON is as a schema says: the part of JSON Schema that the schemas of this repository use, and the one of SARIF. A word
//! of the language that is not known here is an error, not passed over.

use serde_json::Value;

/// Says where a value is not as its schema says.
pub(crate) fn validate(value: &Value, schema: &Value) -> Result<(), String> {
    check(value, schema, schema, "$")
}

fn check(value: &Value, schema: &Value, whole: &Value, at: &str) -> Result<(), String> {
    let wrong = |what: String| Err(format!("{at}: {what}: {value}"));
    for (word, says) in schema.as_object().ok_or("a schema is an object")? {
        match word.as_str() {
            "$schema" | "$id" | "$defs" | "definitions" | "title" | "description" | "properties" | "default" => {}
            "$ref" => {
                let path = says.as_str().and_then(|path| path.strip_prefix('#')).ok_or("a reference to elsewhere")?;
                check(value, whole.pointer(path).ok_or_else(|| format!("there is no {path}"))?, whole, at)?;
            }
            "type" => {
                let types = says.as_array().cloned().unwrap_or_else(|| vec![says.clone()]);
                if !types.iter().any(|one| is_of(value, one.as_str().unwrap_or_default())) {
                    return wrong(format!("is not of type {says}"));
                }
            }
            "const" if value != says => return wrong(format!("is not {says}")),
            "enum" if !says.as_array().is_some_and(|all| all.contains(value)) => {
                return wrong(format!("is none of {says}"));
            }
            "const" | "enum" => {}
            "minimum" | "maximum" => {
                let (number, limit) = (value.as_f64(), says.as_f64().ok_or("a limit is a number")?);
                let fits = |number: f64| if word == "minimum" { number >= limit } else { number <= limit };
                if number.is_some_and(|number| !fits(number)) {
                    return wrong(format!("{word} is {limit}"));
                }
            }
            "format" => {
                if value.as_str().is_some_and(|text| !has_format(text, says.as_str().unwrap_or_default())) {
                    return wrong(format!("is no {says}"));
                }
            }
            "uniqueItems" => {
                let items = value.as_array().map_or(&[][..], Vec::as_slice);
                if (1..items.len()).any(|i| items[..i].contains(&items[i])) {
                    return wrong("has something twice".to_owned());
                }
            }
            "pattern" => {
                let start = says.as_str().and_then(|says| says.strip_prefix('^')).ok_or("only starts are known")?;
                if !value.as_str().is_some_and(|text| text.starts_with(start)) {
                    return wrong(format!("does not start with {start}"));
                }
            }
            "required" => {
                for name in says.as_array().into_iter().flatten() {
                    if value.get(name.as_str().unwrap_or_default()).is_none() && value.is_object() {
                        return wrong(format!("has no {name}"));
                    }
                }
            }
            "minItems" | "maxItems" => {
                let (length, limit) = (value.as_array().map(Vec::len), says.as_u64().unwrap_or(0) as usize);
                let fits = |length: usize| if word == "minItems" { length >= limit } else { length <= limit };
                if length.is_some_and(|length| !fits(length)) {
                    return wrong(format!("{word} is {limit}"));
                }
            }
            "items" => {
                for (i, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(item, says, whole, &format!("{at}[{i}]"))?;
                }
            }
            "oneOf" | "anyOf" => {
                let tried: Vec<_> =
                    says.as_array().into_iter().flatten().map(|one| check(value, one, whole, at)).collect();
                let right = tried.iter().filter(|one| one.is_ok()).count();
                if right == 0 || (right > 1 && word == "oneOf") {
                    return Err(format!("{at}: not {word}: {tried:?}"));
                }
            }
            "additionalProperties" => {}
            other => return Err(format!("'{other}' is no word that is known of schemas")),
        }
    }
    check_properties(value, schema, whole, at)
}

fn check_properties(value: &Value, schema: &Value, whole: &Value, at: &str) -> Result<(), String> {
    for (name, member) in value.as_object().into_iter().flatten() {
        let at = format!("{at}.{name}");
        match (schema.pointer("/properties").and_then(|known| known.get(name)), schema.get("additionalProperties")) {
            (Some(known), _) => check(member, known, whole, &at)?,
            (None, Some(Value::Bool(false))) => return Err(format!("{at}: there is no such property")),
            (None, Some(other)) if other.is_object() => check(member, other, whole, &at)?,
            _ => {}
        }
    }
    Ok(())
}

/// As far as it goes without reading the standards: a reference has no blanks and nothing else that is to be written by its
/// number, and begins with a scheme where it is a whole one.
fn has_format(text: &str, format: &str) -> bool {
    let is_reference = text.bytes().all(|byte| byte.is_ascii_graphic() && !b"<>\"{}|\\^`".contains(&byte));
    match format {
        "uri" => is_reference && text.split_once(':').is_some_and(|(scheme, _)| !scheme.is_empty()),
        "uri-reference" => is_reference,
        _ => false,
    }
}

fn is_of(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        _ => false,
    }
}

#[test]
fn what_is_wrong_is_found() {
    let schema = serde_json::json!({
        "type": "object", "required": ["a"], "additionalProperties": false,
        "properties": { "a": { "type": "array", "items": { "$ref": "#/$defs/b" }, "minItems": 1 } },
        "$defs": { "b": { "type": ["integer", "null"], "minimum": 1, "maximum": 9 } },
    });
    let valid = |value| validate(&value, &schema).is_ok();
    assert!(valid(serde_json::json!({ "a": [1, null] })));
    let wrong = [
        serde_json::json!({ "a": [0] }),
        serde_json::json!({ "a": [10] }),
        serde_json::json!({ "a": [] }),
        serde_json::json!({ "a": ["x"] }),
        serde_json::json!({}),
        serde_json::json!({ "a": [1], "b": 1 }),
        serde_json::json!([]),
    ];
    assert!(wrong.into_iter().all(|value| !valid(value)));
}
