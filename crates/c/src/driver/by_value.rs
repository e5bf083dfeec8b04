//! Structs that a call copies, by gcc: its instrumentation announces neither that an argument is copied out of shared memory nor
//! that a result is copied into it. What gcc says of its intermediate form shows such calls, and they are refused.
//!
//! In that form, an argument or a result that is not a register is a struct or union in memory. It is let pass if it is a local
//! variable whose address is not given away. In C++, the addresses of local variables go to their own member functions and to those of the
//! library everywhere, so there only storing the address and handing it to others count as giving it away. Where a function of C++ makes an object in the
//! place that it is given, it announces that, unless the object can be copied byte by byte.

use super::{DriverError, Language, library};
use std::collections::HashSet;

/// What gcc is to write: the functions after instrumentation, and all symbols.
pub(super) fn flags(functions: &str, symbols: &str) -> Vec<String> {
    // The pass has another name where nothing is optimised.
    let passes = ["tsan", "tsan0"].map(|pass| format!("-fdump-tree-{pass}-lineno-uid={functions}"));
    passes.into_iter().chain([format!("-fdump-ipa-cgraph={symbols}")]).collect()
}

/// Refuses a program in which a call copies a struct that may be shared.
pub(super) fn refuse(functions: &str, symbols: &str, language: Language) -> Result<(), DriverError> {
    let variables = variables(symbols);
    let texts = || functions.split("\n;; Function ").filter_map(|function| function.split_once("\n{\n"));
    let make_in_place: HashSet<&str> =
        texts().filter(|(_, body)| makes_in_place(body)).filter_map(|(head, _)| number(head)).collect();
    for (_, function) in texts() {
        let function = Function::new(function, language, &make_in_place);
        if let Some(problem) = function.lines.iter().find_map(|line| function.shared_copy(line, &variables)) {
            return Err(DriverError::ByValue(problem));
        }
    }
    Ok(())
}

/// The names of all variables with static storage that may change, without what they are part of.
fn variables(symbols: &str) -> HashSet<&str> {
    let mut found = HashSet::new();
    let mut last = "";
    let mut variable = None;
    for line in symbols.lines() {
        if line.trim_start().starts_with("Type: ") {
            // `_ZN1n1gE/9 (s n::g) @0x7f`, `s n::g/9 (s n::g) @0x7f`
            let name =
                last.split_once(" (").and_then(|(_, rest)| rest.rsplit_once(") @")).map_or(last, |(name, _)| name);
            found.extend(variable.take());
            variable = name.rsplit([' ', ':']).next().filter(|_| line.contains("variable"));
        } else if line.contains("Varpool flags:") && line.contains(" read-only") {
            variable = None;
        }
        last = line;
    }
    found.extend(variable);
    found
}

/// Whether a function whose result is an object is given the place where it is to make it: it has that by a name, then.
fn makes_in_place(body: &str) -> bool {
    let body = body.split_once("\n}\n").map_or(body, |(body, _)| body);
    !body.contains("return <retval>")
}

/// By which the function is known that has this head.
fn number(head: &str) -> Option<&str> {
    head.split_once("decl_uid=").and_then(|(_, rest)| rest.split(',').next())
}

/// A function of the program: its declarations and statements, without the places in front of operands.
struct Function<'t> {
    /// The numbers of functions that make what they return in the place that they are given.
    make_in_place: &'t HashSet<&'t str>,
    lines: Vec<Line<'t>>,
    locals: HashSet<&'t str>,
    given_away: HashSet<String>,
}

pub(super) struct Line<'t> {
    /// Where it is in the source.
    pub(super) place: Option<&'t str>,
    text: String,
}

impl<'t> Function<'t> {
    fn new(text: &'t str, language: Language, make_in_place: &'t HashSet<&'t str>) -> Self {
        let body = text.split_once("\n}\n").map_or(text, |(body, _)| body);
        let is_local =
            |line: &&str| !line.trim_start().starts_with("static ") && !line.trim_start().starts_with("extern ");
        let declarations = body.lines().take_while(|line| !line.contains("<bb ")).filter(is_local);
        let locals = declarations.filter_map(|line| line.trim_end().strip_suffix(';')?.rsplit([' ', '*']).next());
        let lines: Vec<Line<'t>> = body.lines().map(Line::new).collect();
        let given_away = lines.iter().flat_map(|line| line.gives_away(language)).collect();
        Function { make_in_place, locals: locals.collect(), lines, given_away }
    }

    /// What the line copies by a call although others may share it: where, and what.
    fn shared_copy(&self, line: &Line<'_>, variables: &HashSet<&str>) -> Option<String> {
        let call = line.call()?;
        // In C++, most functions that return an object are given the place where they are to make it.
        let of_callee = call.callee.rsplit_once("D.").is_some_and(|(_, number)| self.make_in_place.contains(number));
        let is_made_in_place = of_callee && line.text.ends_with("[return slot optimization]");
        let operands = call.arguments.iter().copied().chain(call.result.filter(|_| !is_made_in_place));
        let is_own = |operand: &str| {
            self.is_own_result(operand) || line.place.is_some_and(|place| is_of_library(place, &call, operand))
        };
        let shared = operands.into_iter().find(|operand| self.may_be_shared(operand, variables) && !is_own(operand))?;
        let place = line.place.map_or_else(String::new, |place| format!(" at {place}"));
        Some(format!("'{}' in a call of {}{place}", without_numbers(shared), without_numbers(call.callee)))
    }

    /// Whether an operand is the place where the function itself is to make what it returns: whoever calls it is looked at.
    fn is_own_result(&self, operand: &str) -> bool {
        let returned = format!("return {};", operand.trim_start_matches('*'));
        operand.starts_with("*_") && self.lines.iter().any(|line| line.text == returned)
    }

    fn may_be_shared(&self, operand: &str, variables: &HashSet<&str>) -> bool {
        if is_register(operand) || operand.starts_with(['&', '"', '{', '(', '-']) || operand.starts_with("*.LC") {
            return false;
        }
        if operand.starts_with('*') || operand.contains("->") {
            return true;
        }
        if let Some(reference) = operand.strip_prefix("MEM") {
            let of_variable = reference.split_once(")&").map(|(_, variable)| base(variable));
            return of_variable.is_none_or(|variable| variable.is_empty() || self.may_be_shared(variable, variables));
        }
        let base = base(operand);
        match base.rsplit_once("D.") {
            // What the compiler made itself has no name.
            Some(("", _)) | None => false,
            Some(_) if self.given_away.contains(base) => true,
            Some((name, _)) => !self.locals.contains(base) && variables.contains(name),
        }
    }
}

/// `by (g)`, or `g = make ()`.
pub(super) struct Call<'t> {
    result: Option<&'t str>,
    pub(super) callee: &'t str,
    pub(super) arguments: Vec<&'t str>,
}

/// Functions that hand addresses to another thread.
const OF_THREADS: [&str; 5] =
    ["pthread_create", "thrd_create", "std::thread::thread", "std::jthread::jthread", "std::async"];

impl<'t> Call<'t> {
    /// What somebody may keep of what this call is given.
    fn kept(&self, language: Language) -> &[&'t str] {
        let name = self.callee.rsplit_once("D.").map_or(self.callee, |(name, _)| name);
        let is_of_thread = OF_THREADS.iter().any(|of_threads| name.starts_with(of_threads));
        let is_of_library = match language {
            Language::C => library::is_known(name),
            Language::Cpp => OF_LIBRARY.iter().any(|prefix| name.starts_with(prefix)) || library::is_known(name),
        };
        match &*self.arguments {
            arguments if is_of_thread => arguments,
            _ if is_of_library => &[],
            // A member function keeps no address of its own object, it is hoped.
            [_, others @ ..] if language == Language::Cpp && name.contains("::") => others,
            arguments => arguments,
        }
    }
}

/// What names of functions of the C++ library and of the compiler begin with.
const OF_LIBRARY: &[&str] = &["std::", "__gnu_cxx::", "__cxxabiv1::", "__builtin_", "operator "];

impl<'t> Line<'t> {
    /// Places such as `[a.c:6:44] ` are in front of statements and of operands.
    pub(super) fn new(line: &'t str) -> Self {
        let mut place = None;
        let mut text = String::with_capacity(line.len());
        let mut rest = line.trim();
        while let Some(at) = rest.find('[') {
            let inner = &rest[at + 1..];
            let end = inner.find(']').unwrap_or(inner.len());
            if is_place(&inner[..end]) {
                place = place.or(Some(&inner[..end]));
                text.push_str(&rest[..at]);
                rest = inner[end..].trim_start_matches(']').trim_start();
            } else {
                text.push_str(&rest[..=at]);
                rest = inner;
            }
        }
        text.push_str(rest);
        Line { place, text }
    }

    pub(super) fn call(&self) -> Option<Call<'_>> {
        let mut statement = self.text.strip_suffix(';').unwrap_or(&self.text);
        // Such as `[return slot optimization]`.
        while let Some((before, note)) = statement.rsplit_once(" [").filter(|_| statement.ends_with(']')) {
            if !statement[before.len()..].starts_with(" [") || note.contains('[') {
                break;
            }
            statement = before.trim_end_matches(';');
        }
        let inner = statement.strip_suffix(')')?;
        let open = opening(inner)?;
        let (callee, arguments) = (inner[..open].strip_suffix(' ')?, &inner[open + 1..]);
        let (result, callee) = match callee.split_once(" = ") {
            Some((result, callee)) => (Some(result), callee),
            None => (None, callee),
        };
        let is_call =
            !callee.is_empty() && !callee.starts_with('(') && !callee.starts_with("if") && !callee.starts_with('#');
        // Functions of the compiler's own begin with a dot; a complex number is made of its two parts.
        let is_of_compiler =
            callee.starts_with("__builtin___tsan") || callee.starts_with('.') || callee == "__complex__";
        (is_call && !is_of_compiler).then(|| Call { result, callee, arguments: arguments_in(arguments) })
    }

    /// The variables whose addresses are stored here, or handed to somebody.
    fn gives_away(&self, language: Language) -> Vec<String> {
        let handed: Vec<&str> = match self.call() {
            Some(call) => call.kept(language).to_vec(),
            None => {
                let stored = self.text.split_once(" = ").filter(|(to, _)| !is_register(to));
                stored.map(|(_, what)| what.trim_end_matches(';')).into_iter().collect()
            }
        };
        handed.iter().filter_map(|what| what.strip_prefix('&')).map(|variable| base(variable).to_owned()).collect()
    }
}

/// What headers of the C++ library copy by calls that is not shared, or that they order themselves: identifiers of threads, closures,
/// which they pass on, and codes of errors that they construct.
fn is_of_library(place: &str, call: &Call<'_>, operand: &str) -> bool {
    let known = [
        ("/stop_token:", "std::operator"),
        ("/stop_token:", "std::this_thread::get_id"),
        ("/system_error:", "std::make_error_"),
    ];
    let is_known = known.iter().any(|(header, callee)| place.contains(header) && call.callee.starts_with(callee));
    place.starts_with("/usr/") && (is_known || operand.contains("(struct ._anon_"))
}

/// `a.c:6:44`, `a.c:6:44 discrim 1`
fn is_place(text: &str) -> bool {
    let mut parts = text.rsplitn(3, ':');
    let column = parts.next().and_then(|column| column.split(' ').next()).unwrap_or_default();
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number(column) && parts.next().is_some_and(is_number) && parts.next().is_some()
}

/// `_1`, `xD.12_3(D)`: numbers of versions are behind those of variables.
fn is_register(operand: &str) -> bool {
    let operand = operand.trim_end_matches("(D)").trim_end_matches("(ab)");
    let Some((name, version)) = operand.rsplit_once('_') else { return is_constant(operand) };
    let is_version = !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_digit());
    let is_named = name.rsplit_once("D.").is_some_and(|(_, number)| number.bytes().all(|byte| byte.is_ascii_digit()));
    is_version && (name.is_empty() || is_named) || is_constant(operand)
}

fn is_constant(operand: &str) -> bool {
    operand.is_empty() || operand.starts_with(|c: char| c.is_ascii_digit())
}

/// The variable in `xD.12.cD.13[2]`.
fn base(operand: &str) -> &str {
    let number = operand.find("D.").map(|at| at + "D.".len());
    let end = number.and_then(|at| Some(at + operand[at..].find(|c: char| !c.is_ascii_digit())?));
    &operand[..end.unwrap_or(operand.len())]
}

/// As it is in the source, without the numbers behind the names.
fn without_numbers(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("D.") {
        let number = &rest[at + 2..];
        plain.push_str(&rest[..at]);
        rest = number.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    plain + rest
}

/// Where the bracket begins that ends behind this text.
fn opening(text: &str) -> Option<usize> {
    let mut open = Vec::new();
    each_outside_quotes(text, |at, c| match c {
        '(' => open.push(at),
        ')' => drop(open.pop()),
        _ => {}
    });
    open.last().copied()
}

/// The parts between commas that are in no brackets.
fn arguments_in(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    each_outside_quotes(text, |at, c| match c {
        '(' | '[' | '{' => depth += 1,
        ')' | ']' | '}' => depth -= 1,
        ',' if depth == 0 => {
            parts.push(text[start..at].trim());
            start = at + 1;
        }
        _ => {}
    });
    parts.push(text[start..].trim());
    parts
}

fn each_outside_quotes(text: &str, mut each: impl FnMut(usize, char)) {
    let (mut is_quoted, mut is_escaped) = (false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if is_quoted => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            _ => each(at, c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SYMBOLS: &str =
        "_ZN1n1gE/9 (s n::g) @0x7f\n  Type: variable definition analyzed\nf/3 (f) @0x8\n  Type: function\n";

    fn problem(statements: &str, language: Language) -> Option<String> {
        let text = format!(
            "\n;; Function main\n\nvoidD.48 fD.32 (struct sD.3 * qD.5)\n{{\n  struct sD.3 lD.33;\n  struct sD.3 eD.34;\n\n  \
             <bb 2> :\n{statements}\n}}\n"
        );
        match refuse(&text, SYMBOLS, language) {
            Ok(()) => None,
            Err(error) => Some(error.to_string()),
        }
    }

    #[test]
    fn copies_of_what_may_be_shared_are_refused() {
        for (statement, what) in [
            ("  [a.c:6:44] byD.9 (gD.7);", "'g' in a call of by at a.c:6:44"),
            ("  [a.c:6:51] byD.9 ([a.c:6:51] *q_3(D));", "'*q_3(D)' in a call of by"),
            ("  [a.c:6:63] gD.7 = makeD.8 ();", "'g' in a call of make"),
            ("  [a.c:6:76] [a.c:6:71] *q_3(D) = makeD.8 ();", "in a call of make"),
            ("  [a.c:6:84] byD.9 (1, [a.c:6:84] [a.c:6:89] ttD.3_7(D)->inD.4[i_8(D)]);", "in a call of by"),
            ("  byD.9 (gD.7.partD.8); [tail call]", "in a call of by"),
            ("  byD.9 (MEM[(const struct sD.3243 &)q_8(D)]);", "in a call of by"),
            ("  escD.2 (&eD.34);\n  byD.9 (eD.34);", "'e' in a call of by"),
            ("  xD.1 = &eD.34;\n  byD.9 (eD.34);", "'e' in a call of by"),
        ] {
            let found = problem(statement, Language::C).unwrap_or_default();
            assert!(found.contains(what), "{statement}: {found}");
        }
    }

    #[test]
    fn other_calls_pass() {
        for statement in [
            "  [a.c:6:134] byD.9 (lD.33);",
            "  [a.c:6:182] lD.33 = makeD.8 (); [return slot optimization]",
            "  [a.c:6:111] memsetD.5 ([a.c:6:118] &lD.33, 0, 24);\n  _1 = fD.3 (_2, \"a) b (\", 1.0e+0, x_1D.7_12(D));",
            "  [a.c:7:21] gD.7 = __complex__ (_4, _5);",
            "  [a.c:3:75] takeD.3294 ([a.c:3:75] fD.3289);",
            "  _1 = (intD.1) xD.4_2(D);\n  if (_1 != 0)\n  D.31 = {};\n  byD.9 (D.31);",
            "  __builtin___tsan_read_rangeD.17 (gD.7, 24);",
            "  escD.2 (&eD.34);\n  [a.c:7:3] eD.34 = .DEFERRED_INIT (24, 1, &\"e\"[0]);",
        ] {
            assert_eq!(problem(statement, Language::C), None, "{statement}");
        }
        let made = "  MEM[(struct sD.3 *)q_7] = makeD.8 (); [return slot optimization]";
        assert!(problem(made, Language::Cpp).is_some(), "it is not known how that function returns it");
        let with_maker = |body: &str| {
            let text = format!(
                "\n;; Function make (_Z4makev, funcdef_no=1, decl_uid=8, cgraph_uid=1)\n\nstruct sD.3 makeD.8 ()\n{{\n{body}\n}}\n\n;; \
                 Function f (_Z1fv, funcdef_no=2, decl_uid=9)\n\n{{\n  <bb 2> :\n{made}\n}}\n"
            );
            refuse(&text, SYMBOLS, Language::Cpp)
        };
        assert_eq!(with_maker("  return _2(D);"), Ok(()));
        assert!(with_maker("  <retval> = {};\n  return <retval>;").is_err());
        for callee in
            ["std::moveD.5 (&eD.34)", "std::vector<int>::push_backD.5 (&vD.3, &eD.34)", "s::lengthD.5 (&eD.34)"]
        {
            assert_eq!(problem(&format!("  {callee};\n  byD.9 (eD.34);"), Language::Cpp), None, "{callee}");
        }
        for callee in ["initD.5 (&eD.34)", "pool::addD.5 (&pD.3, &eD.34)"] {
            assert!(problem(&format!("  {callee};\n  byD.9 (eD.34);"), Language::Cpp).is_some(), "{callee}");
        }
        assert!(problem("  std::thread::threadD.5 (&tD.1, &eD.34);\n  byD.9 (eD.34);", Language::Cpp).is_some());
    }
}
