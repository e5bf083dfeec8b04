//! Pictures for the documentation: made when `MAZURKA_PICTURES` names a folder. (That of trace events is taken in Perfetto by hand.)

use crate::chromium::Browser;
use crate::common::mazurka;
use crate::{browser, litmus, page_of, place_for};
use std::path::{Path, PathBuf};

#[test]
fn pictures_of_the_documentation() {
    let Some(folder) = std::env::var_os("MAZURKA_PICTURES").map(PathBuf::from) else { return };
    let Some(mut browser) = browser() else { return };
    let browser = browser.as_mut().expect("it was started");
    browser.prefer_dark(false);
    trees(browser, &folder);
    pages(browser, &folder);
    figure(browser, &folder);
    formats(browser, &folder);
}

fn trees(browser: &mut Browser, folder: &Path) {
    for algorithm in ["naive", "classic", "source", "optimal", "pop"] {
        let path = place_for(&format!("picture-{algorithm}.html"));
        let tree = ["--tree", path.to_str().expect("UTF-8")];
        let said = mazurka(&[&["run", "lastzero", "3", "--algorithm", algorithm][..], &tree].concat());
        assert_eq!(said.status, 0, "{}", said.err);
        browser.resize(1280, 480);
        browser.open(&path);
        browser.evaluate("document.getElementById('tree').style.height = '430px'; tree.draw()");
        browser.picture(&folder.join(format!("lastzero-{algorithm}.png")));
    }
}

fn pages(browser: &mut Browser, folder: &Path) {
    let page = page_of("picture", &["run", "lost_update", "2"]);
    browser.resize(1280, 760);
    browser.open(&page);
    browser.picture(&folder.join("report.png"));
    let page = page_of("picture-deadlock", &["run", "philosophers", "3"]);
    browser.open(&page);
    browser.picture(&folder.join("report-deadlock.png"));
    let text = "var x, flag;\nwriter: x = 1 relaxed; flag = 1 relaxed |\nreader: r = flag relaxed; if r == 1 { s = x relaxed; \
                assert s == 1, \"the flag came before the data\" }";
    let page = page_of("picture-weak", &["run", litmus("weak", text).to_str().expect("UTF-8")]);
    browser.open(&page);
    browser.evaluate("document.getElementById('subject').textContent = 'weak.litmus by graphs under rc11'");
    browser.picture(&folder.join("report-weak.png"));
    let page = page_of("picture-plots", &["run", "lastzero", "16"]);
    browser.resize(1280, 620);
    browser.open(&page);
    browser.picture(&folder.join("plots.png"));
}

/// A table of a paper, drawn.
fn figure(browser: &mut Browser, folder: &Path) {
    let figures = place_for("picture-figures");
    let path = figures.to_str().expect("UTF-8");
    mazurka(&["papers", "pop", "--only", "filesystem", "--max-time", "20s", "--svg", path]);
    let svg = std::fs::read_to_string(figures.join("pop-table-1-memory.svg")).expect("it was written");
    let page = place_for("picture-figure.html");
    let html = format!("<!doctype html><meta charset=utf-8><body data-ready=0 style=\"margin:0\">{svg}");
    std::fs::write(&page, html).expect("it can be written");
    browser.resize(1000, 330);
    browser.open(&page);
    browser.picture(&folder.join("figure.png"));
}

/// Files for machines, as their texts.
fn formats(browser: &mut Browser, folder: &Path) {
    let path = |name: &str| place_for(name).to_str().expect("UTF-8").to_owned();
    let [junit, sarif] = [path("picture.xml"), path("picture.sarif")];
    let run = ["run", "lost_update", "2"];
    mazurka(&[&run[..], &["--junit", &junit, "--sarif", &sarif]].concat());
    let read = |path: &str| std::fs::read_to_string(path).expect("it was written");
    let counter = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/c/counter.c");
    let launch = mazurka(&["replay", counter, "--schedule", "mzk1:0x2", "--launch-json"]).out;
    let here = env!("CARGO_MANIFEST_DIR").trim_end_matches("/crates/cli");
    let launch = launch.replace("crates/cli/../../", "").replace(here, "/home/me/work");
    let json = mazurka(&[&run[..], &["--json"]].concat()).out;
    let github = mazurka(&[&run[..], &["--format", "github"]].concat()).out;
    let sarif = read(&sarif);
    let flow = sarif.split("\"codeFlows\"").nth(1).map_or(String::new(), |flow| format!("        \"codeFlows\"{flow}"));
    let texts = [
        ("json", json),
        ("junit", read(&junit)),
        ("sarif", flow),
        ("github", github.replace("%0A", "%0A\n    ")),
        ("launch-json", launch),
    ];
    for (name, text) in texts {
        let first: Vec<&str> = text.lines().take(24).collect();
        let escaped = first.join("\n").replace('&', "&amp;").replace('<', "&lt;");
        let html = format!(
            "<!doctype html><meta charset=utf-8><body data-ready=0 style=\"margin:0;padding:14px 18px;background:#fbfbfc;\
             color:#1c2430;font:13px/1.45 monospace;white-space:pre-wrap;overflow:hidden\">{escaped}"
        );
        let page = place_for(&format!("picture-{name}.html"));
        std::fs::write(&page, html).expect("it can be written");
        browser.resize(1000, 440);
        browser.open(&page);
        browser.picture(&folder.join(format!("{name}.png")));
    }
}
