//! What a page of the documentation has: links, headings, blocks.

/// A page.
#[derive(Default, Debug)]
pub(crate) struct Page {
    pub(crate) links: Vec<String>,
    /// As links name them.
    pub(crate) headings: Vec<String>,
    pub(crate) blocks: Vec<Block>,
}

/// A part of a page that the tests do something with.
#[derive(Debug)]
pub(crate) enum Block {
    /// Lines for a shell.
    Commands(Vec<String>),
    /// Commands with what they print.
    Session(Vec<Exchange>),
    /// A file.
    File { name: String, text: String },
    /// A file of the repository.
    Copy { from: String, to: String },
}

/// A command, and what it prints.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Exchange {
    pub(crate) line: String,
    pub(crate) says: Vec<String>,
    pub(crate) status: i32,
}

impl Exchange {
    /// The first line that is not in the output where it should be.
    pub(crate) fn is_said_in<'a>(&'a self, out: &str) -> Result<(), &'a str> {
        let mut rest = out.lines().map(str::trim_end);
        let mut anywhere = false;
        for says in &self.says {
            if says == "…" {
                anywhere = true;
                continue;
            }
            let found = match anywhere {
                true => rest.any(|line| matches(says, line)),
                false => rest.next().is_some_and(|line| matches(says, line)),
            };
            if !found {
                return Err(says);
            }
            anywhere = false;
        }
        Ok(())
    }
}

/// Whether a line is as it should be, where `…` stands for anything.
fn matches(says: &str, line: &str) -> bool {
    let mut parts = says.split('…');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = line.strip_prefix(first) else { return false };
    let mut is_open = false;
    for part in parts {
        is_open = true;
        match rest.find(part) {
            Some(place) => rest = &rest[place + part.len()..],
            None => return false,
        }
    }
    rest.is_empty() || (is_open && says.ends_with('…'))
}

impl Page {
    pub(crate) fn read(text: &str) -> Self {
        let mut page = Page::default();
        let mut file = None;
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if let Some(language) = line.trim_start().strip_prefix("```") {
                let body: Vec<String> = lines
                    .by_ref()
                    .take_while(|line| !line.trim_start().starts_with("```"))
                    .map(str::to_owned)
                    .collect();
                page.block(language, body, file.take());
                continue;
            }
            if let Some(note) = line.strip_prefix("<!-- ").and_then(|line| line.strip_suffix(" -->")) {
                match note.split(' ').collect::<Vec<_>>().as_slice() {
                    ["file", name] => file = Some((*name).to_owned()),
                    ["empty", name] => {
                        page.blocks.push(Block::File { name: (*name).to_owned(), text: String::new() });
                    }
                    ["copy", from, to] => {
                        page.blocks.push(Block::Copy { from: (*from).to_owned(), to: (*to).to_owned() });
                    }
                    _ => {}
                }
            }
            if line.starts_with('#') {
                page.headings.push(anchor(line.trim_start_matches('#').trim()));
            }
            page.find_links(line);
        }
        page
    }

    fn block(&mut self, language: &str, body: Vec<String>, file: Option<String>) {
        match (file, language) {
            (Some(name), _) => self.blocks.push(Block::File { name, text: body.join("\n") + "\n" }),
            (None, "sh") => {
                let is_command = |line: &String| !line.trim().is_empty() && !line.trim_start().starts_with('#');
                self.blocks.push(Block::Commands(body.into_iter().filter(is_command).collect()));
            }
            (None, "console") => self.blocks.push(Block::Session(session(body))),
            _ => {}
        }
    }

    fn find_links(&mut self, line: &str) {
        // What is between back quotes is code.
        let text: String = line.split('`').step_by(2).collect();
        let mut rest = text.as_str();
        while let Some((_, after)) = rest.split_once("](") {
            let Some((link, after)) = after.split_once(')') else { return };
            self.links.push(link.to_owned());
            rest = after;
        }
    }
}

fn session(lines: Vec<String>) -> Vec<Exchange> {
    let mut session: Vec<Exchange> = Vec::new();
    for line in lines {
        if let Some(command) = line.strip_prefix("$ ") {
            session.push(Exchange { line: command.to_owned(), ..Exchange::default() });
            continue;
        }
        let last = session.last_mut().expect("a session begins with a command");
        let status = line.strip_prefix("[exit status ").and_then(|rest| rest.strip_suffix(']'));
        match status.map(|status| status.parse().expect("a number")) {
            Some(status) => last.status = status,
            None => last.says.push(line),
        }
    }
    session
}

/// A heading as links name it.
fn anchor(heading: &str) -> String {
    let keep = |c: char| c.is_alphanumeric() || [' ', '-', '_'].contains(&c);
    heading.to_lowercase().chars().filter(|&c| keep(c)).map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn output_is_held_against_what_a_page_says() {
    let exchange = |says: &[&str]| Exchange {
        line: String::new(),
        says: says.iter().map(|&line| line.to_owned()).collect(),
        status: 0,
    };
    let out = "one\ntwo 2\nthree\n";
    assert_eq!(exchange(&["one", "two …", "…"]).is_said_in(out), Ok(()));
    assert_eq!(exchange(&["…", "three"]).is_said_in(out), Ok(()));
    assert_eq!(exchange(&["one", "three"]).is_said_in(out), Err("three"));
    assert_eq!(exchange(&["…", "four"]).is_said_in(out), Err("four"));
    assert!(matches("a…c", "abc") && !matches("a…c", "abcd") && matches("a…", "abcd") && !matches("a", "ab"));
    assert_eq!(anchor("GitHub's annotations"), "githubs-annotations");
}
