//! The page of a search: its tree of executions.

use crate::common::mazurka;
use crate::{judged, litmus, place_for};
use std::path::PathBuf;

fn tree_of(name: &str, args: &[&str]) -> PathBuf {
    let path = place_for(&format!("tree-{name}.html"));
    let mut all = args.to_vec();
    all.extend(["--tree", path.to_str().expect("UTF-8")]);
    let said = mazurka(&all);
    assert!([0, 1, 3].contains(&said.status), "{args:?}: {}\n{}", said.out, said.err);
    path
}

#[test]
fn every_execution_is_a_row_with_the_race_that_it_reverses() {
    let page = tree_of("lastzero", &["run", "lastzero", "3", "--algorithm", "optimal"]);
    judged(&page, "tree-lastzero", |browser| {
        assert_eq!(browser.count("#tree-drawing g.branch"), 12);
        assert!(browser.text("#tree-note").starts_with("12: 12 completed"), "{}", browser.text("#tree-note"));
        let reasons =
            browser.evaluate("[...document.querySelectorAll('#tree-drawing .why')].map((w) => w.textContent)");
        let reasons: Vec<&str> = reasons.as_array().unwrap().iter().map(|reason| reason.as_str().unwrap()).collect();
        assert_eq!(reasons.iter().filter(|reason| reason.starts_with("reverses ")).count(), 11, "{reasons:?}");
        assert_eq!(reasons[0], "the first execution");
        // The keys go from execution to execution, and show each.
        let first = browser.evaluate("JSON.stringify(view.execution.columns.thread)");
        browser.press("ArrowDown");
        assert_ne!(browser.evaluate("JSON.stringify(view.execution.columns.thread)"), first);
        let all_whole =
            browser.evaluate("page.tree.executions.every((node, i) => executionOfTree(i).length === node.steps)");
        assert_eq!(all_whole, true);
        browser.press("End");
        assert_eq!(browser.evaluate("tree.rowOf[tree.chosen]"), 11);
    });
}

#[test]
fn failing_ones_are_red_and_blocked_ones_are_marked() {
    let page = tree_of("lost-update", &["run", "lost_update", "2", "--keep-going"]);
    judged(&page, "tree-failing", |browser| {
        assert!(browser.count("#tree-drawing g.branch.failure") >= 1);
        assert!(browser.text("#headline").contains("an update was lost"), "a failing one is shown first");
    });
    let page = tree_of("blocked", &["run", "readers", "3", "--algorithm", "classic"]);
    judged(&page, "tree-blocked", |browser| {
        assert_eq!(browser.count("#tree-drawing g.branch.given-up"), 6);
        assert_eq!(browser.count("#tree-drawing g.branch"), 14);
    });
}

#[test]
fn a_large_search_is_a_sample_and_says_so() {
    let writers = ["x = 1; y = 1; z = 1; x = 2"; 3].join(" | ");
    let file = litmus("many", &format!("var x, y, z; {writers}"));
    let page = tree_of("many", &["run", file.to_str().unwrap(), "--algorithm", "naive"]);
    judged(&page, "tree-sample", |browser| {
        assert!(browser.text("#tree-note").contains("of 34,650"), "{}", browser.text("#tree-note"));
        assert!(browser.text("#tree-note").starts_with("A sample of"), "{}", browser.text("#tree-note"));
        assert!(browser.count("#tree-drawing g.branch") < 200);
        browser.press("End");
        assert!(browser.evaluate("tree.rowOf[tree.chosen]").as_u64().unwrap() > 5_000);
    });
}

/// A program with weaker memory orders: the tree is that of the search that found the failure.
#[test]
fn under_a_memory_model_branches_say_what_is_read() {
    let text = "var x, flag; writer: x = 1 relaxed; flag = 1 relaxed |
        reader: r = flag relaxed; if r == 1 { s = x relaxed; assert s == 1, \"too early\" }";
    let file = litmus("weak-tree", text);
    let page = tree_of("weak", &["run", file.to_str().unwrap(), "--keep-going"]);
    judged(&page, "tree-weak", |browser| {
        assert_eq!(browser.count("#tree-drawing g.branch"), 3);
        assert_eq!(browser.count("#tree-drawing g.branch.failure"), 1);
        assert!(browser.text("#headline").contains("too early"), "a failing one is shown first");
        let reasons = browser
            .evaluate("[...document.querySelectorAll('#tree-drawing .why')].map((w) => w.textContent).join('\\n')");
        let reasons = reasons.as_str().unwrap();
        assert!(reasons.contains("; in execution 1 from the last write"), "{reasons}");
        let all_whole =
            browser.evaluate("page.tree.executions.every((node, i) => executionOfTree(i).length === node.steps)");
        assert_eq!(all_whole, true);
    });
}
