//! The page with what a check found.

use super::found::{Told, kind};
use super::text;
use report::finding::Named;
use report::graph::GraphStory;
use report::page::{Exhibit, GraphExhibit, Page};
use report::timeline::Timeline;
use std::path::{Path, PathBuf};

/// Writes a page into a folder, and says where; none if nothing was found.
pub(super) fn write(
    folder: &Path,
    report: &explore::Report,
    told: &Told<'_>,
    algorithm: &str,
    timeline: &Timeline,
) -> Result<Option<PathBuf>, String> {
    if report.findings.is_empty() {
        return Ok(None);
    }
    let test = told.test;
    let mut page = Page::new(&format!("{} by {algorithm}", test.unwrap_or("check")));
    page.fact("executions", &report.tally.executions().to_string());
    page.fact("exhaustive", if report.exhaustive { "yes" } else { "no" });
    for finding in &report.findings {
        let kind = kind(finding);
        let schedule = told.schedule_of(finding);
        page.exhibit(Exhibit {
            story: Named::of(finding, told.names),
            headline: Some(text::headline(finding, kind, told.names)),
            stacks: Vec::new(),
            commands: text::commands(&schedule, test),
            schedule,
        });
    }
    page.plots(&timeline.plots());
    put(page, folder, test)
}

/// The same of a search under a memory model.
pub(super) fn write_graphs(folder: &Path, report: &graphs::Report, told: &Told<'_>) -> Result<Option<PathBuf>, String> {
    if report.findings.is_empty() {
        return Ok(None);
    }
    let (test, name) = (told.test, report.model.name);
    let mut page = Page::new(&format!("{} by graphs under {name}", test.unwrap_or("check")));
    page.fact("executions", &report.tally.executions().to_string());
    page.fact("memory model", name);
    page.fact("exhaustive", if report.exhaustive { "yes" } else { "no" });
    for finding in &report.findings {
        let story = GraphStory { finding, model: report.model, names: told.names };
        let again = format!("MAZURKA_MEMORY={name} cargo test {}", test.unwrap_or_default());
        page.graph_exhibit(GraphExhibit {
            headline: Some(format!("{}, under {name}", story.headline())),
            story,
            schedule: String::new(),
            commands: vec![("run it again:".to_owned(), again)],
        });
    }
    put(page, folder, test)
}

fn put(page: Page, folder: &Path, test: Option<&str>) -> Result<Option<PathBuf>, String> {
    let path = folder.join(format!("{}.html", file_name(test.unwrap_or("check"))));
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, page.to_html()));
    written.map(|()| Some(path.clone())).map_err(|error| format!("cannot write '{}': {error}", path.display()))
}

/// The name of a test as that of a file.
fn file_name(test: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
    test.replace("::", "-").chars().map(plain).collect()
}
