//! A program with one statement on each line: what reports show beside an execution.

use crate::print;
use crate::sketch::{Block, Body, Sketch, Spawned, Statement};
use std::collections::{HashMap, VecDeque};
use std::fmt::{self, Display, Formatter};

/// The text, which is in the [notation](crate::notation) itself, and where the statements are in it.
#[derive(Debug)]
pub(crate) struct Listing {
    pub(crate) text: String,
    /// For each site, as `compile` numbers them, its line, counted from 1.
    pub(crate) lines: Vec<u32>,
}

impl Listing {
    pub(crate) fn of(sketch: &Sketch) -> Self {
        let mut writer = Writer { sketch, text: String::new(), line: 1, lines: HashMap::new() };
        writer.program();
        let lines = in_order_of_sites(sketch).into_iter().map(|statement| writer.lines[&at(statement)]).collect();
        Listing { text: writer.text, lines }
    }
}

/// What tells a statement from others that are written in the same way.
fn at(statement: &Statement) -> usize {
    std::ptr::from_ref(statement).addr()
}

/// All statements as `compile` comes by them: bodies that stand in others come after all that were found before.
fn in_order_of_sites(sketch: &Sketch) -> Vec<&Statement> {
    let templates = sketch.templates.iter().map(|template| &template.body);
    let mut bodies: VecDeque<&Body> = templates.chain(sketch.threads.iter().map(|thread| &thread.body)).collect();
    let mut found = Vec::new();
    while let Some(body) = bodies.pop_front() {
        let mut left: Vec<&Statement> = body.block.iter().rev().collect();
        while let Some(statement) = left.pop() {
            found.push(statement);
            match statement {
                Statement::Section(_, body) | Statement::Loop(body) => left.extend(body.iter().rev()),
                Statement::If(_, then, otherwise) => left.extend(then.iter().chain(otherwise).rev()),
                Statement::Select(arms) => left.extend(arms.iter().flatten().rev()),
                Statement::Spawn { what: Spawned::Inline(body), .. } => bodies.push_back(body),
                _ => {}
            }
        }
    }
    found
}

struct Writer<'s> {
    sketch: &'s Sketch,
    text: String,
    line: u32,
    lines: HashMap<usize, u32>,
}

impl<'s> Writer<'s> {
    fn program(&mut self) {
        for declared in &self.sketch.objects {
            let text = Declared(self.sketch, declared).to_string();
            self.write(0, text.trim_end());
        }
        for template in &self.sketch.templates {
            let parameters = template.body.locals[..template.parameters].join(", ");
            self.write(0, &format!("def {}({parameters}) {{", template.name));
            self.block(&template.body, &template.body.block, 1);
            self.write(0, "}");
        }
        for (n, thread) in self.sketch.threads.iter().enumerate() {
            let name = thread.name.as_ref().map_or(String::new(), |name| format!("{name}:"));
            let mark = if n == 0 { "" } else { "| " };
            self.write(0, &format!("{mark}{name}"));
            self.block(&thread.body, &thread.body.block, 1);
        }
    }

    fn block(&mut self, body: &'s Body, block: &'s [Statement], depth: usize) {
        for (n, statement) in block.iter().enumerate() {
            let end = if n + 1 < block.len() { ";" } else { "" };
            self.lines.insert(at(statement), self.line);
            let head = print::head(self.sketch, body, statement);
            match statement {
                Statement::Section(_, inner) | Statement::Loop(inner) => {
                    self.braced(depth, &head, (body, inner), end);
                }
                Statement::Spawn { what: Spawned::Inline(inner), .. } => {
                    self.braced(depth, &head, (inner, &inner.block), end);
                }
                Statement::If(_, then, otherwise) if otherwise.is_empty() => {
                    self.braced(depth, &head, (body, then), end);
                }
                Statement::If(_, then, otherwise) => {
                    self.braced(depth, &head, (body, then), " else {");
                    self.block(body, otherwise, depth + 1);
                    self.write(depth, &format!("}}{end}"));
                }
                Statement::Select(arms) => self.arms(depth, (body, arms), end),
                _ => self.write(depth, &(head + end)),
            }
        }
    }

    fn arms(&mut self, depth: usize, (body, arms): (&'s Body, &'s [Block]), end: &str) {
        self.write(depth, "choose {");
        for (n, arm) in arms.iter().enumerate() {
            if n > 0 {
                self.write(depth, "|");
            }
            let [first, rest @ ..] = &arm[..] else { continue };
            self.block(body, std::slice::from_ref(first), depth + 1);
            if !rest.is_empty() {
                self.write(depth + 1, "->");
                self.block(body, rest, depth + 1);
            }
        }
        self.write(depth, &format!("}}{end}"));
    }

    fn braced(&mut self, depth: usize, head: &str, (body, inner): (&'s Body, &'s Block), end: &str) {
        self.write(depth, &format!("{head} {{"));
        self.block(body, inner, depth + 1);
        self.write(depth, &format!("}}{end}"));
    }

    fn write(&mut self, depth: usize, text: &str) {
        self.text += &format!("{:1$}{text}\n", "", 4 * depth);
        self.line += 1;
    }
}

struct Declared<'s>(&'s Sketch, &'s crate::sketch::Declaration);

impl Display for Declared<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.declaration(f, self.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LitmusProgram, library};
    use model::Program;

    #[test]
    fn every_site_of_every_program_is_at_its_line() {
        for entry in library::all() {
            let program = entry.build(&entry.defaults()).unwrap();
            let listing = Listing::of(program.sketch());
            let lines: Vec<&str> = listing.text.lines().collect();
            for (site, &line) in listing.lines.iter().enumerate() {
                let told = program.names().site(model::Site(site as u32)).unwrap();
                assert!(lines[line as usize - 1].trim().starts_with(&told), "{}: {told} at {line}", entry.name);
            }
            assert!(program.names().site(model::Site(listing.lines.len() as u32)).is_none(), "{}", entry.name);
        }
    }

    #[test]
    fn a_listing_is_the_program_itself() {
        for text in [
            "var x, y = 2; mutex m; a: x = 1; q = x; if q == 1 { yield } else { loop { break } } | r = x; section m { s = r }",
            "var x; def w(i) { x = i } h = spawn w(1); join h; spawn { x = 3; spawn { yield } }; yield",
        ] {
            let sketch: Sketch = text.parse().unwrap();
            let listing = Listing::of(&sketch);
            let again: Sketch = listing.text.parse().unwrap_or_else(|error| panic!("{}: {error}", listing.text));
            assert_eq!(again, sketch, "{}", listing.text);
            LitmusProgram::new(again).unwrap();
        }
    }
}
