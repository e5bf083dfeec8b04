//! Pages in a real browser, driven by the keyboard.
//!
//! Where no browser is installed the tests say that they were left out, and fail if `MAZURKA_REQUIRE_TOOLS` is 1.
//! `MAZURKA_PICTURES` names a folder for pictures of what the tests see; those of the documentation are made so.

mod chromium;
#[path = "../common/mod.rs"]
mod common;
mod findings;
mod pictures;
mod trees;

use chromium::Browser;
use common::mazurka;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// All tests share one browser: to start it takes longer than most of them.
fn browser() -> Option<MutexGuard<'static, Option<Browser>>> {
    static BROWSER: OnceLock<Option<Mutex<Option<Browser>>>> = OnceLock::new();
    let started = BROWSER.get_or_init(|| chromium::find().map(|path| Mutex::new(Some(Browser::start(&path)))));
    let Some(browser) = started else {
        let is_required = std::env::var("MAZURKA_REQUIRE_TOOLS").is_ok_and(|value| value == "1");
        assert!(!is_required, "no browser is installed: install Debian's package chromium");
        eprintln!("left out: no browser is installed, so nothing is known of the page");
        return None;
    };
    Some(browser.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Shows a page to `judge`; checks that it asked for nothing and that nothing went wrong in it.
fn judged(page: &Path, name: &str, judge: impl FnOnce(&mut Browser)) {
    let Some(mut browser) = browser() else { return };
    let browser = browser.as_mut().expect("it was started");
    browser.resize(1440, 900);
    browser.prefer_dark(false);
    browser.open(page);
    judge(browser);
    if let Some(folder) = std::env::var_os("MAZURKA_PICTURES") {
        browser.picture(&PathBuf::from(folder).join(format!("{name}.png")));
    }
    assert_eq!(browser.console, Vec::<String>::new(), "{name}: something is on the console");
    let others: Vec<&String> = browser.requests.iter().filter(|url| !url.starts_with("file://")).collect();
    assert!(others.is_empty() && browser.requests.len() <= 1, "{name} asked for {:?}", browser.requests);
}

/// A file for a page, in a folder that all tests share.
fn place_for(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("mazurka-pages-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    folder.join(name)
}

/// The page that a command writes with `--html`.
fn page_of(name: &str, args: &[&str]) -> PathBuf {
    let path = place_for(&format!("{name}.html"));
    let mut all = args.to_vec();
    all.extend(["--html", path.to_str().expect("UTF-8")]);
    let said = mazurka(&all);
    assert!([0, 1].contains(&said.status), "{args:?}: {}\n{}", said.out, said.err);
    path
}

/// A file in litmus notation.
fn litmus(name: &str, text: &str) -> PathBuf {
    let path = place_for(&format!("{name}.litmus"));
    std::fs::write(&path, text).expect("a file can be written");
    path
}
