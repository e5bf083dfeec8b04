//! The page with what a check found.

use super::found::{Told, kind};
use super::text;
use report::page::{Exhibit, Page};
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
            story: text::story_of(finding, told.names),
            headline: Some(text::headline(finding, kind, told.names)),
            stacks: Vec::new(),
            commands: text::commands(&schedule, test),
            schedule,
        });
    }
    page.plots(&timeline.plots());
    let path = folder.join(format!("{}.html", file_name(test.unwrap_or("check"))));
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, page.to_html()));
    written.map(|()| Some(path.clone())).map_err(|error| format!("cannot write '{}': {error}", path.display()))
}

/// The name of a test as that of a file.
fn file_name(test: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
    test.replace("::", "-").chars().map(plain).collect()
}
