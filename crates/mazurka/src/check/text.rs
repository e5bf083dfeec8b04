//! What people read.

use super::found::{FindingKind, Report, Told, main_failure};
use fiber::PARK_TOKEN;
use model::{Names, OpKind};
use report::finding::Story;
use report::lanes::{self, Layout};
use report::summary::time;
use report::table::thousands;
use std::fmt::Write;
use trace::Ending;

/// The counts, in a line.
pub(super) fn line(report: &Report) -> String {
    let tally = &report.tally;
    let mut text = format!("mazurka: {} execution{}", thousands(tally.executions()), plural(tally.executions()));
    if tally.sleep_set_blocked > 0 {
        let _ = write!(text, " and {} given up", thousands(tally.sleep_set_blocked));
    }
    if tally.cut > 0 {
        let _ = write!(text, ", {} of them cut", thousands(tally.cut));
    }
    if report.sampled.runs() > 0 {
        let _ = write!(text, ", after {} samples,", thousands(report.sampled.runs()));
    }
    let _ = write!(text, " in {} by {}", time(report.elapsed.as_secs_f64()), report.algorithm);
    match (&report.limit, report.exhaustive) {
        (Some(limit), _) => {
            let _ = write!(text, "; not all: {limit}");
        }
        (None, true) => text.push_str("; there are no others"),
        (None, false) => {}
    }
    text
}

fn plural(n: u64) -> &'static str {
    if n == 1 { "" } else { "s" }
}

fn story_of<'a>(finding: &'a explore::Finding, names: &'a dyn Names) -> Story<'a> {
    Story {
        ending: finding.ending,
        trace: &finding.trace,
        failures: &finding.failures,
        waiting: &finding.waiting,
        pivot: finding.pivot,
        names,
    }
}

/// What happened, in a line.
pub(super) fn headline(finding: &explore::Finding, kind: FindingKind, names: &dyn Names) -> String {
    let story = story_of(finding, names);
    match kind {
        FindingKind::Livelock => "livelock: threads look for a change that nobody makes any more".to_owned(),
        _ => match (main_failure(finding), finding.failures.len()) {
            (Some(first), several @ 2..) => {
                let first = Story { failures: std::slice::from_ref(first), ..story };
                format!("{}; and {} more", first.headline(), several - 1)
            }
            _ => story.headline(),
        },
    }
}

/// Headline, lanes, waits, pivot, schedule, and how to run it again.
pub(super) fn story(finding: &explore::Finding, kind: FindingKind, told: &Told<'_>, schedule: &str) -> String {
    let names = told.names;
    let story = story_of(finding, names);
    let mut rows = story.rows();
    for (row, event) in rows.iter_mut().zip(finding.trace.events()) {
        if let Some(site) = names.site(event.op.site) {
            let _ = write!(row.text, "  {}", short(&site));
        }
    }
    let last_lane = rows.iter().map(|row| row.lane).max();
    let threads: Vec<String> = (0..last_lane.map_or(0, |lane| lane + 1))
        .map(|lane| report::words::printable(&names.thread(model::ThreadId(lane as u32))))
        .collect();
    let mut text = format!("{}\n\n", headline(finding, kind, names));
    if rows.is_empty() {
        text.push_str("No step was taken.\n");
    } else {
        text.push_str(&lanes::print(&threads, &rows, Layout::default()));
    }
    if finding.pivot.is_some() {
        text.push_str("\n◀1 comes before ◀2 here; the other way round, this does not happen.\n");
    }
    if finding.ending == Ending::Deadlocked {
        waits(&story, finding, names, &mut text);
    }
    if kind == FindingKind::Livelock {
        text.push_str(
            "\nA thread that spins waits until something that it looked at changes: its loop went round a thousand times \
             more without doing anything else.\n",
        );
    }
    let _ = writeln!(text, "\nschedule: {schedule}");
    let _ = writeln!(text, "run it again: MAZURKA_REPLAY='{schedule}' cargo test {}", told.test.unwrap_or_default());
    text
}

/// Who waits for what, and where.
fn waits(story: &Story<'_>, finding: &explore::Finding, names: &dyn Names, text: &mut String) {
    let explanation = story.explanation();
    let width = explanation.waits.iter().map(|wait| wait.thread.chars().count()).max().unwrap_or(0);
    text.push('\n');
    for (wait, pending) in explanation.waits.iter().zip(&finding.waiting) {
        let site = names.site(pending.op.site).map_or(String::new(), |site| format!("  ({site})"));
        let is_parked = pending.op.kind == OpKind::Acquire && names.object(pending.op.object).starts_with(PARK_TOKEN);
        let reason = if is_parked { "waits to be woken: nobody unparks or wakes it any more" } else { &wait.reason };
        let _ = writeln!(text, "{:<width$}  {reason}{site}", wait.thread);
    }
    if !explanation.cycle.is_empty() {
        let _ = writeln!(text, "\ncycle: {}", explanation.cycle.join(" → "));
    }
}

/// The file's name without its folders: lanes are narrow.
fn short(site: &str) -> &str {
    site.rsplit(['/', '\\']).next().unwrap_or(site)
}
