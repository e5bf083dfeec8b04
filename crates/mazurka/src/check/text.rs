//! What people read.

use super::found::{FindingKind, Report, Told, main_failure};
use explore::TooLong;
use fiber::PARK_TOKEN;
use model::{Names, OpKind, ThreadId};
use report::finding::Named;
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
    if report.algorithm == "graphs" {
        let _ = write!(text, " under {}", report.memory);
    }
    match (&report.limit, report.exhaustive) {
        (Some(limit), _) => {
            let _ = write!(text, "; not all: {limit}");
        }
        (None, true) => text.push_str("; there are no others"),
        (None, false) => {}
    }
    if let Some(remark) = &report.remark {
        let _ = write!(text, "; {remark}");
    }
    text
}

fn plural(n: u64) -> &'static str {
    if n == 1 { "" } else { "s" }
}

/// What happened, in a line.
pub(super) fn headline(finding: &explore::Finding, kind: FindingKind, names: &dyn Names) -> String {
    let story = Named::of(finding, names);
    match kind {
        FindingKind::Livelock => "livelock: threads look for a change that nobody makes any more".to_owned(),
        _ => match (main_failure(finding), finding.failures.len()) {
            (Some(first), several @ 2..) => {
                let execution = trace::Execution { failures: std::slice::from_ref(first), ..story.execution };
                let first = Named { execution, ..story };
                format!("{}; and {} more", first.headline(), several - 1)
            }
            _ => story.headline(),
        },
    }
}

/// Headline, lanes, waits, pivot, schedule, and how to run it again, in a debugger too.
pub(super) fn story(finding: &explore::Finding, kind: FindingKind, told: &Told<'_>, schedule: &str) -> String {
    let names = told.names;
    let story = Named::of(finding, names);
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
            "\nA thread that goes round its loop sees the same every time: nobody changes any more what it looks at.\n",
        );
    }
    let _ = writeln!(text, "\nschedule: {schedule}");
    for (what, line) in commands(schedule, told.test) {
        let _ = writeln!(text, "{what} {line}");
    }
    text
}

/// Where an execution is that did not end, and what to try; and its schedule.
pub(super) fn endless(run: &TooLong, told: &Told<'_>) -> (String, String) {
    let names = told.names;
    let mut text = String::new();
    let mut threads: Vec<ThreadId> = run.tail.iter().map(|&(thread, _)| thread).collect();
    threads.sort();
    threads.dedup();
    for thread in threads {
        let ops = run.tail.iter().filter(|&&(other, _)| other == thread).map(|(_, op)| op);
        let mut places: Vec<(String, usize)> = Vec::new();
        let mut steps = 0;
        for op in ops {
            steps += 1;
            let site = names.site(op.site).unwrap_or_else(|| "an unknown place".to_owned());
            let place = format!("{} at {site}", op.kind);
            match places.iter_mut().find(|(known, _)| *known == place) {
                Some((_, times)) => *times += 1,
                None => places.push((place, 1)),
            }
        }
        places.sort_by_key(|&(_, times)| std::cmp::Reverse(times));
        let name = report::words::printable(&names.thread(thread));
        let _ = writeln!(text, "\n{name} took {steps} of the last {} steps:", run.tail.len());
        for (place, times) in places.iter().take(MOST_PLACES) {
            let _ = writeln!(text, "  {times:>5} × {place}");
        }
    }
    text.push_str(
        "\nWhat to try: if the loop waits for another thread, let it call yield_now or spin_loop in each round; if it is long, \
         make the test smaller; with Checker::max_steps, or MAZURKA_MAX_STEPS, longer executions are given up without a \
         finding.\n",
    );
    let schedule = format!("{}{}", run.schedule, told.knowledge);
    match schedule.char_indices().nth(MOST_OF_SCHEDULE) {
        Some((end, _)) => {
            let _ = writeln!(text, "\nschedule so far: {}… ({} characters)", &schedule[..end], schedule.len());
        }
        None => {
            let _ = writeln!(text, "\nschedule so far: {schedule}");
        }
    }
    (text, schedule)
}

/// A loop has few places.
const MOST_PLACES: usize = 12;
/// What fits on a screen.
const MOST_OF_SCHEDULE: usize = 2_000;

/// What to do with a finding on the command line: words that say what for, and the line.
pub(super) fn commands(schedule: &str, test: Option<&str>) -> Vec<(String, String)> {
    let test = test.unwrap_or_default();
    let replay = format!("MAZURKA_REPLAY='{schedule}'");
    let mut commands = vec![("run it again:".to_owned(), format!("{replay} cargo test {test}"))];
    if let Some(program) = program() {
        let words = format!("'{program}' {test} --exact --nocapture");
        let stop = ("break mazurka_panicked", "breakpoint set --name mazurka_panicked");
        commands.push((
            "in gdb, which stops where it fails:".to_owned(),
            format!("{replay} gdb -q -ex 'set breakpoint pending on' -ex '{}' -ex run --args {words}", stop.0),
        ));
        commands.push(("in lldb:".to_owned(), format!("{replay} lldb -o '{}' -o run -- {words}", stop.1)));
    }
    commands
}

/// What the `launch.json` of an editor needs to run a finding again in its debugger.
pub(super) fn launch_json(schedule: &str, test: Option<&str>) -> Option<String> {
    let [test, program, schedule] = [test.unwrap_or_default(), &program()?, schedule].map(|text| format!("{text:?}"));
    let folder = format!("{:?}", std::env::current_dir().ok()?.display().to_string());
    let (gdb, lldb) = ("set breakpoint pending on", "breakpoint set --name mazurka_panicked");
    Some(format!(
        r#"{{
  "version": "0.2.0",
  "configurations": [
    {{
      "name": "mazurka (gdb)",
      "type": "cppdbg",
      "request": "launch",
      "program": {program},
      "args": [{test}, "--exact", "--nocapture"],
      "cwd": {folder},
      "environment": [{{ "name": "MAZURKA_REPLAY", "value": {schedule} }}],
      "MIMode": "gdb",
      "setupCommands": [{{ "text": "{gdb}" }}, {{ "text": "break mazurka_panicked" }}]
    }},
    {{
      "name": "mazurka (lldb)",
      "type": "lldb",
      "request": "launch",
      "program": {program},
      "args": [{test}, "--exact", "--nocapture"],
      "cwd": {folder},
      "env": {{ "MAZURKA_REPLAY": {schedule} }},
      "preRunCommands": ["{lldb}"]
    }}
  ]
}}"#
    ))
}

/// The program that the test is in.
fn program() -> Option<String> {
    Some(std::env::current_exe().ok()?.display().to_string())
}

/// Who waits for what, and where.
fn waits(story: &Named<'_>, finding: &explore::Finding, names: &dyn Names, text: &mut String) {
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
