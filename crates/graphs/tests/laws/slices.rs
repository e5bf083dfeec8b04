//! A search that is done in slices, each in a process that knows nothing else, or is stopped and gone on with, is the search.

use crate::program;
use explore::{Checkpoints, Sampling, Shareable, Slice, SliceEnd, Sliced, Total};
use mazurka_graphs::{Complete, MODELS, Report, Settings, UnderModel, Watcher, check, check_kept, estimate, model};
use mazurka_graphs::{ModelInfo, report_of};
use model::Program;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;
use trace::{Ending, Execution, Progress, Sink, Tally};

/// Loops that wait or retry, failures and deadlocks, threads that are created late, updates, choices.
const TEXTS: [&str; 6] = [
    "var x, y; x = 1 relaxed; y = 1 relaxed | r = y relaxed; if r == 1 { s = x relaxed; assert s == 1, \"late\" } | x = 2; r = y",
    "mutex a, b; var x; lock a; lock b; x = 1; unlock b; unlock a | lock b; lock a; x = 2; unlock a; unlock b | r = x relaxed",
    "var l; loop { r = swap l, 1; if r == 0 { break } } l = 0 | loop { r = swap l, 1; if r == 0 { break } } l = 0 | r = l; s = l",
    "var x, y; y = 1; x = 1 | loop { r = x; if r == 1 { s = y; if s == 1 { break } } } | x = 2; y = 2",
    "var x, y; r = x; if r == 1 { a = spawn { y = 1; b = spawn { x = 2 } } } r = y | x = 1; s = y | fetch_add x, 1 relaxed",
    "var x; r = choose 3; x = r | s = x; t = choose 2; x = t | fetch_add x, 2; r = x",
];

fn settings() -> Settings {
    Settings { keep_going: true, ..Settings::default() }
}

fn whole(text: &str, info: &'static ModelInfo) -> Report {
    check(&program(text), info, &settings(), &mut |_, _| ControlFlow::Continue(())).unwrap()
}

/// All that must be the same.
fn told(report: &Report, text: &str) -> (Tally, Vec<String>, bool) {
    let program = program(text);
    let names =
        |finding: &mazurka_graphs::Finding| mazurka_graphs::schedule(&finding.graph, report.model, program.names());
    // How much is executed again depends on what went before in the same process.
    let tally = Tally { replayed: 0, steps: 0, ..report.tally };
    (tally, report.findings.iter().map(names).collect(), report.exhaustive)
}

/// Ends every slice at its first look, or after some.
struct After(u32);

impl Sink for After {
    fn execution(&mut self, _: &Execution<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn progress(&mut self, _: &Progress) -> ControlFlow<()> {
        self.0 = self.0.saturating_sub(1);
        if self.0 == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// By slices that look so often. Also how often the search began anew.
fn in_slices(text: &str, info: &'static ModelInfo, search: &UnderModel, random: &mut fastrand::Rng) -> (Report, u32) {
    let (mut lessons, mut versions) = (search.first_lessons(), 0);
    'anew: loop {
        let mut total = Total { is_complete: true, ..Total::default() };
        let mut left = vec![search.whole()];
        while !left.is_empty() {
            let bundle = left.swap_remove(random.usize(..left.len()));
            let most = random.bool().then_some(1);
            let slice = Slice { bundle: &bundle, lessons: &lessons, restarts: versions, most };
            let sliced = search.slice(&program(text), None, &mut After(random.u32(1..4)), slice);
            let sliced = Sliced::from_text(&sliced.to_text()).unwrap();
            match sliced.end {
                SliceEnd::Learnt => {
                    lessons = search.after(&lessons, &[sliced.learnt.unwrap()]).unwrap();
                    versions += 1;
                    continue 'anew;
                }
                ref end => assert_eq!(end, &SliceEnd::Over, "{text}"),
            }
            total.tally.add(&sliced.tally);
            total.findings.extend(sliced.findings);
            left.extend(search.split(&sliced.left, 3).unwrap().into_iter().map(|parcel| parcel.bytes));
        }
        return (report_of(&program(text), info, &settings(), &total).unwrap(), versions);
    }
}

#[test]
fn slices_are_the_search_together() {
    let mut random = fastrand::Rng::with_seed(1);
    let mut versions = 0;
    for info in MODELS {
        for text in TEXTS {
            let one = whole(text, info);
            for search in [
                UnderModel::new(info, settings()),
                UnderModel::new(info, Settings { workers: NonZeroUsize::new(3).unwrap(), ..settings() }),
            ] {
                let (many, anew) = in_slices(text, info, &search, &mut random);
                assert_eq!(told(&many, text), told(&one, text), "{text} under {}", info.name);
                versions += anew;
            }
        }
    }
    assert!(versions > 20, "nothing was learnt: {versions}");
}

/// The shares of what is left are what is not done.
#[test]
fn shares_add_up() {
    let search = UnderModel::new(model("rc11").unwrap(), settings());
    let (lessons, mut done) = (search.first_lessons(), 0.0);
    let mut left = search.split(&search.whole(), 1).unwrap();
    while let Some(parcel) = left.pop() {
        let slice = Slice { bundle: &parcel.bytes, lessons: &lessons, restarts: 0, most: Some(2) };
        let sliced = search.slice(&program(TEXTS[0]), None, &mut (), slice);
        let parts = search.split(&sliced.left, 2).unwrap();
        done += parcel.share - parts.iter().map(|part| part.share).sum::<f64>();
        left.extend(parts);
        let open: f64 = left.iter().map(|parcel| parcel.share).sum();
        assert!((done + open - 1.0).abs() < 1e-9, "{done} and {open}");
    }
}

/// A file that is removed in the end.
struct File(PathBuf);

impl File {
    fn new(name: &str) -> Self {
        let file = File(std::env::temp_dir().join(format!("mazurka-graphs-{name}-{}.mzk", std::process::id())));
        drop(std::fs::remove_file(&file.0));
        file
    }

    fn checkpoints(&self, text: &str) -> Checkpoints {
        Checkpoints {
            path: self.0.clone(),
            every: Duration::ZERO,
            resume: self.0.exists().then(|| self.0.clone()),
            is_anew: false,
            program: text.to_owned(),
        }
    }
}

impl Drop for File {
    fn drop(&mut self) {
        drop(std::fs::remove_file(&self.0));
    }
}

/// Wants to know of nothing, and ends the search after so many looks.
struct Stopping(u32);

impl Watcher for Stopping {
    fn wants(&self, _: Ending) -> bool {
        false
    }

    fn complete(&mut self, _: &Complete<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn progress(&mut self, _: &Tally, _: usize) -> ControlFlow<()> {
        self.0 = self.0.saturating_sub(1);
        if self.0 == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn what_was_stopped_and_gone_on_with_is_the_search() {
    let mut resumed = 0;
    for (number, text) in TEXTS.iter().enumerate() {
        for info in MODELS.iter().step_by(2) {
            let one = whole(text, info);
            for workers in [1, 3] {
                let file = File::new(&format!("{number}-{}-{workers}", info.name));
                let settings = Settings { workers: NonZeroUsize::new(workers).unwrap(), ..settings() };
                let mut looks = 2;
                let report = loop {
                    let kept = file.checkpoints(text);
                    resumed += u32::from(kept.resume.is_some());
                    let report = check_kept(&program(text), info, &settings, &kept, &mut Stopping(looks)).unwrap();
                    if report.exhaustive {
                        break report;
                    }
                    // Each time longer, for what is learnt begins anew.
                    looks += looks / 2 + 2;
                };
                assert_eq!(told(&report, text), told(&one, text), "{text} under {} by {workers}", info.name);
            }
        }
    }
    assert!(resumed > 60, "only {resumed} searches went on");
}

#[test]
fn what_does_not_fit_is_not_gone_on_with() {
    let file = File::new("refused");
    let [text, other] = [TEXTS[0], TEXTS[1]];
    let go_on = |text: &str, model_name: &str, settings: &Settings| {
        let kept = file.checkpoints(text);
        let report = check_kept(&program(text), model(model_name).unwrap(), settings, &kept, &mut Stopping(4));
        report.map(|report| report.exhaustive).map_err(|error| error.to_string())
    };
    assert_eq!(go_on(text, "rc11", &settings()), Ok(false));
    for (said, result) in [
        ("its search is graphs under rc11, and not graphs under tso", go_on(text, "tso", &settings())),
        ("it is of the program", go_on(other, "rc11", &settings())),
        ("its limit of steps is 10000, and not 99", go_on(text, "rc11", &Settings { events: 99, ..settings() })),
    ] {
        let problem = result.unwrap_err();
        assert!(problem.contains(said), "{problem}");
    }
    let anew = Checkpoints { resume: None, ..file.checkpoints(text) };
    let problem = check_kept(&program(text), model("rc11").unwrap(), &settings(), &anew, &mut Stopping(4)).err();
    assert!(problem.unwrap().to_string().contains("is there already"));
}

#[test]
fn estimates_are_near_the_truth() {
    let mut exact = 0;
    let text = "var x, y, z; x = 1 relaxed; y = 1 relaxed; r = z | y = 2 relaxed; z = 1 relaxed; s = x | z = 2 relaxed; x = 2 relaxed; r = y";
    for info in MODELS {
        for text in TEXTS.into_iter().chain([text]) {
            let wanted = whole(text, info).tally.executions() as f64;
            let sampling = Sampling { samples: 60.try_into().unwrap(), width: 12.try_into().unwrap() };
            let mut go_on = |_: &Tally| ControlFlow::Continue(());
            let found = estimate(&program(text), info, &settings(), (sampling, 1), &mut go_on).unwrap().unwrap();
            exact += u32::from(found.exact);
            let error = if found.exact { 0.0 } else { 5.0 * found.standard_error.unwrap() };
            assert!((found.executions - wanted).abs() <= error, "{text} under {}: {found:?}, not {wanted}", info.name);
            assert!(found.at_least as f64 <= wanted);
        }
    }
    assert!((5..30).contains(&exact), "{exact} were exact");
}
