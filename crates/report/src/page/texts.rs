//! What the pages' data say once and point at often: texts, sites and files.

use crate::words::printable;
use model::{Location, Names, Site};
use serde::Serialize;
use std::collections::{BTreeSet, HashMap};

/// Files with more lines are shown around the lines that are used.
const WHOLE_FILE: usize = 3000;
/// So many lines on each side.
const AROUND: u32 = 60;

/// Points at a text, a site or a file; 0 where there is none.
pub(super) type Ref = u32;

/// Collects what is pointed at.
#[derive(Default)]
pub(super) struct Texts {
    texts: Vec<String>,
    text_of: HashMap<String, Ref>,
    sites: Vec<SiteData>,
    site_of: HashMap<Site, Ref>,
    files: Vec<FileData>,
    file_of: HashMap<String, usize>,
}

/// The same, as the pages' script reads it.
#[derive(Serialize)]
pub(super) struct TextsData {
    texts: Vec<String>,
    sites: Vec<SiteData>,
    files: Vec<FileData>,
}

#[derive(Serialize, Clone, PartialEq, Debug)]
struct SiteData {
    /// As people read it.
    label: String,
    /// The place of its file among the files.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<usize>,
    /// Counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
}

#[derive(Serialize, Clone, PartialEq, Debug)]
struct FileData {
    name: String,
    /// Parts of its text, each with the number of its first line.
    parts: Vec<(u32, Vec<String>)>,
    #[serde(skip)]
    text: Option<String>,
}

impl Texts {
    pub(super) fn text(&mut self, text: &str) -> Ref {
        if let Some(&known) = self.text_of.get(text) {
            return known;
        }
        self.texts.push(text.to_owned());
        let place = self.texts.len() as Ref;
        self.text_of.insert(text.to_owned(), place);
        place
    }

    pub(super) fn site(&mut self, site: Site, names: &dyn Names) -> Ref {
        if let Some(&known) = self.site_of.get(&site) {
            return known;
        }
        let location = names.location(site);
        let label = names.site(site).or_else(|| location.as_ref().map(|at| format!("{}:{}", at.file, at.line)));
        let place = match label {
            None => 0,
            Some(label) => {
                let file = location.as_ref().map(|at| self.file(at, names));
                let line = location.map(|at| at.line);
                self.sites.push(SiteData { label: printable(&label), file, line });
                self.sites.len() as Ref
            }
        };
        self.site_of.insert(site, place);
        place
    }

    fn file(&mut self, at: &Location, names: &dyn Names) -> usize {
        if let Some(&known) = self.file_of.get(&at.file) {
            return known;
        }
        let place = self.files.len();
        self.files.push(FileData { name: at.file.clone(), parts: Vec::new(), text: names.text(&at.file) });
        self.file_of.insert(at.file.clone(), place);
        place
    }

    pub(super) fn into_data(mut self) -> TextsData {
        for (place, file) in self.files.iter_mut().enumerate() {
            let used = self.sites.iter().filter(|site| site.file == Some(place)).filter_map(|site| site.line);
            file.parts = parts(file.text.as_deref().unwrap_or_default(), used);
        }
        TextsData { texts: self.texts, sites: self.sites, files: self.files }
    }
}

/// The lines of a text, or of a long one those around the used lines.
fn parts(text: &str, used: impl Iterator<Item = u32>) -> Vec<(u32, Vec<String>)> {
    let lines: Vec<&str> = text.lines().collect();
    let last = lines.len() as u32;
    if lines.is_empty() {
        return Vec::new();
    }
    let shown: BTreeSet<u32> = match lines.len() <= WHOLE_FILE {
        true => (1..=last).collect(),
        false => used.flat_map(|line| line.saturating_sub(AROUND).max(1)..=(line + AROUND).min(last)).collect(),
    };
    let mut parts: Vec<(u32, Vec<String>)> = Vec::new();
    for line in shown {
        let text = lines[line as usize - 1].replace('\t', "    ");
        match parts.last_mut() {
            Some((first, part)) if *first + part.len() as u32 == line => part.push(printable(&text)),
            _ => parts.push((line, vec![printable(&text)])),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_kept_once() {
        let mut texts = Texts::default();
        assert_eq!([texts.text("a"), texts.text("b"), texts.text("a")], [1, 2, 1]);
        assert_eq!(texts.into_data().texts, ["a", "b"]);
    }

    #[test]
    fn of_a_long_file_what_is_around_the_used_lines_is_kept() {
        let text = "line\n".repeat(10_000);
        let parts = parts(&text, [100, 120, 9_990].into_iter());
        let ranges: Vec<(u32, usize)> = parts.iter().map(|(first, lines)| (*first, lines.len())).collect();
        assert_eq!(ranges, [(40, 141), (9_930, 71)]);
    }
}
