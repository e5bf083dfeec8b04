//! What the subcommands print.

mod common;

use common::{command, mazurka, said};
use std::io::Write;
use std::process::Stdio;

fn json(args: &[&str]) -> serde_json::Value {
    let said = mazurka(args);
    serde_json::from_str(&said.out).unwrap_or_else(|error| panic!("{args:?}: {error}\n{}\n{}", said.out, said.err))
}

#[test]
fn run_as_json() {
    let value = json(&["run", "lastzero", "5", "--json"]);
    assert_eq!(value["schema_version"], 1);
    assert_eq!(value["program"], "lastzero");
    assert_eq!(value["arguments"], serde_json::json!([5]));
    assert_eq!(value["counts"]["executions"], 64);
    assert_eq!(value["counts"]["sleep_set_blocked"], 0);
    assert_eq!(value["exhaustive"], true);
    assert_eq!(value["agrees"], true);
}

#[test]
fn other_subcommands_as_json() {
    let programs = json(&["programs", "lastzero", "--json"]);
    assert_eq!(programs[0]["name"], "lastzero");
    let compared = json(&["compare", "lastzero", "3", "--json"]);
    assert_eq!(compared["agrees"], true);
    assert!(compared["results"].as_array().is_some_and(|results| results.len() >= 4), "{compared}");
    let corpus = json(&["compare", "--corpus", "control_flow", "--json"]);
    assert_eq!(corpus[0]["verdict"], "agrees");
}

#[test]
fn the_replay_command_shows_the_same_failure() {
    let found = mazurka(&["run", "lost_update", "2"]);
    let line = found.out.lines().find(|line| line.contains("mazurka replay")).expect("the command is printed");
    let (command, schedule) = line.trim().split_once(" --schedule ").expect("with a schedule");
    assert_eq!(command, "mazurka replay lost_update 2");
    let again = mazurka(&["replay", "lost_update", "2", "--schedule", schedule.trim_matches('\'')]);
    assert_eq!(again.status, 1, "{}", again.err);
    let execution = |text: &str| {
        let start = text.find("step  ").expect("lanes");
        let end = text.find("replay it with").unwrap_or(text.len());
        text[start..end].trim_end().to_owned()
    };
    assert_eq!(execution(&found.out), execution(&again.out));
}

#[test]
fn a_schedule_can_come_from_the_standard_input() {
    let schedule = json(&["run", "opposite_locks", "--json"])["findings"][0]["schedule"].clone();
    let mut child = command(&["replay", "opposite_locks", "--schedule", "-", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("started");
    let mut input = child.stdin.take().expect("piped");
    input.write_all(schedule.as_str().expect("a text").as_bytes()).expect("written");
    drop(input);
    let said = said(child.wait_with_output().expect("it ends"));
    assert_eq!(said.status, 1);
    let value: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
    assert_eq!(value["kind"], "deadlock");
    assert_eq!(value["schedule"], schedule);
}

#[test]
fn a_schedule_that_ends_well_is_shown_too() {
    let said = mazurka(&["replay", "lost_update", "2", "--schedule", "mzk1:"]);
    assert_eq!(said.status, 0, "{}", said.err);
    assert!(said.out.contains("completed: every thread ended"), "{}", said.out);
}

#[test]
fn a_program_from_a_file() {
    let path = std::env::temp_dir().join(format!("mazurka-outputs-{}.litmus", std::process::id()));
    std::fs::write(&path, "var x; a: r = x; x = r + 1 | b: r = x; x = r + 1").expect("a file can be written");
    let value = json(&["run", path.to_str().expect("UTF-8"), "--json"]);
    std::fs::remove_file(&path).expect("the file is there");
    // Of the 6 interleavings, the two reads commute when both come first: 4 classes.
    assert_eq!(value["exhaustive"], true);
    assert_eq!(value["counts"]["executions"], 4);
}

#[test]
fn comparing_says_what_was_stopped() {
    let said = mazurka(&["compare", "lastzero", "5", "--algorithms", "naive,optimal", "--max-executions", "100"]);
    assert_eq!(said.status, 0, "{}", said.err);
    assert!(said.out.contains("stopped: the limit of 100 executions was reached"), "{}", said.out);
    assert!(said.out.contains("64 classes are expected"), "{}", said.out);
}

#[test]
fn the_corpus_agrees() {
    let said = mazurka(&["compare", "--corpus", "sleeping_races", "--algorithms", "classic,source,optimal"]);
    assert_eq!(said.status, 0, "{}\n{}", said.out, said.err);
    assert!(said.out.contains(" 0 mismatch"), "{}", said.out);
}

#[test]
fn piped_output_has_no_control_characters() {
    for args in [
        &["programs"][..],
        &["run", "lost_update", "2"],
        &["run", "philosophers", "3"],
        &["compare", "lastzero", "3"],
        &["run", "--help"],
    ] {
        let said = mazurka(args);
        let is_control = |c: char| c.is_control() && c != '\n';
        assert!(!said.out.contains(is_control) && !said.err.contains(is_control), "{args:?}");
    }
}

#[test]
fn every_subcommand_teaches_by_example() {
    for subcommand in ["programs", "run", "compare", "replay", "bench", "campaign", "papers", "unfold"] {
        let said = mazurka(&[subcommand, "--help"]);
        assert_eq!(said.status, 0);
        assert!(said.out.contains(&format!("mazurka {subcommand}")) && said.out.contains("Examples:"), "{}", said.out);
    }
}

/// The cells of the line of a table that starts with a name.
fn cells<'o>(out: &'o str, name: &str) -> Vec<&'o str> {
    let line = out.lines().find(|line| line.starts_with(name)).unwrap();
    line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect()
}

#[test]
fn tables_are_beside_the_papers_figures() {
    let said = mazurka(&["papers", "pop", "--only", "lastzero(10)"]);
    assert_eq!(said.status, 0, "{}", said.err);
    let cells = cells(&said.out, "lastzero(10)");
    assert_eq!(cells[1..4], ["3,328 (3328)"; 3], "by pop, optimal and graphs: {cells:?}");
    assert!(cells[4].ends_with("(0.27)") && cells[9].ends_with("(85)"), "{cells:?}");
    let markdown = mazurka(&["papers", "source-sets", "--only", "linexp(1)", "--markdown"]);
    assert!(markdown.out.contains("| linexp(1) | ") && markdown.out.contains("| 5 (5) |"), "{}", markdown.out);
    assert_eq!(mazurka(&["papers", "--only", "nothing"]).status, 2);
}

#[test]
fn quasi_optimal_has_the_counts_of_dpu() {
    let said = mazurka(&["papers", "quasi-optimal", "--only", "disp(5,2)"]);
    assert_eq!(said.status, 0, "{}{}", said.out, said.err);
    let figures = cells(&said.out, "disp(5,2)");
    assert_eq!(figures[1..7], ["137 (137)", "1,039 (1039)", "43 (43)", "0 (0)", "0 (0)", "1,603 (1603)"]);
    // A program whose first thread waits for the others.
    let said = mazurka(&["papers", "quasi-optimal", "--only", "mpc(2,5)"]);
    assert_eq!(said.status, 0, "{}{}", said.out, said.err);
    let figures = cells(&said.out, "mpc(2,5)");
    assert_eq!(figures[1..4], ["60 (60)", "560 (560)", "0 (0)"]);
    assert_eq!(figures[5..7], ["0 (0)", "397 (397)"]);
}

#[test]
fn a_line_of_a_table_that_was_stopped_says_so() {
    let said = mazurka(&["papers", "pop", "--only", "lastzero(20)", "--full", "--max-time", "10ms"]);
    assert_eq!(said.status, 3, "{}", said.out);
    assert!(said.out.contains('>'), "{}", said.out);
    let left_out = mazurka(&["papers", "pop", "--only", "lastzero(20)"]);
    assert!(left_out.out.contains("- (6029312)"), "{}", left_out.out);
}

#[test]
fn options_of_unfolding_go_with_it() {
    let said = mazurka(&["run", "readers", "3", "--algorithm", "unfolding", "--k", "1", "--json"]);
    assert!(said.out.contains("\"unfolding_events_live\""), "{}", said.out);
    assert_eq!(mazurka(&["run", "readers", "--algorithm", "optimal", "--k", "1"]).status, 2);
    assert_eq!(mazurka(&["run", "readers", "--algorithm", "unfolding", "--k", "0"]).status, 2);
}

#[test]
fn every_round_is_run_where_that_is_asked_for() {
    let path = std::env::temp_dir().join(format!("mazurka-rounds-{}.txt", std::process::id()));
    std::fs::write(&path, "var x; x = 1 | r = 0; while !r { r = x }").unwrap();
    let run = |more: &[&str]| mazurka(&[&["run", path.to_str().unwrap(), "--json"][..], more].concat()).out;
    let (left_out, all) = (run(&[]), run(&["--every-round", "--max-steps", "20"]));
    std::fs::remove_file(&path).unwrap();
    assert!(left_out.contains("\"exhaustive\": true"), "{left_out}");
    assert!(all.contains("\"exhaustive\": false"), "{all}");
}

#[test]
fn an_unfolding_is_shown() {
    let path = std::env::temp_dir().join(format!("mazurka-unfolding-{}.dot", std::process::id()));
    let said = mazurka(&["unfold", "readers", "2", "--dot", path.to_str().unwrap()]);
    assert_eq!(said.status, 0, "{}", said.err);
    assert!(said.out.contains("maximal configurations") && said.out.contains("configuration 4:"), "{}", said.out);
    let dot = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(dot.starts_with("digraph") && dot.contains("->") && dot.contains("style=dashed"), "{dot}");
    assert_eq!(mazurka(&["unfold", "readers", "2", "--dot", "-"]).out, dot);
    assert_eq!(mazurka(&["unfold", "readers", "2", "--dot", "-", "--json"]).status, 2);
    let json = mazurka(&["unfold", "readers", "2", "--json"]);
    assert!(json.out.contains("\"configurations\"") && json.out.contains("\"conflicts\""), "{}", json.out);
}

#[test]
fn memory_is_drawn() {
    let path = std::env::temp_dir().join(format!("mazurka-memory-{}.svg", std::process::id()));
    let said = mazurka(&["memory", "pol", "--svg", path.to_str().unwrap()]);
    assert_eq!(said.status, 0, "{}", said.err);
    assert!(said.out.contains("pol(10,3)"), "{}", said.out);
    let svg = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains(">pol(10,3)<") && svg.trim_end().ends_with("</svg>"), "{svg}");
}

#[test]
fn an_estimate_has_its_error() {
    let said = mazurka(&["estimate", "lastzero", "10", "--samples", "20", "--width", "30", "--json"]);
    assert_eq!(said.status, 0, "{}", said.err);
    let json: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    let (low, high) = (json["interval"][0].as_f64().unwrap(), json["interval"][1].as_f64().unwrap());
    let (found, known) = (json["executions"].as_f64().unwrap(), json["expected_executions"].as_u64());
    assert!(low < found && found < high, "{}", said.out);
    assert_eq!((known, json["samples"].as_u64()), (Some(3328), Some(20)));
    let said = mazurka(&["estimate", "lastzero", "5"]);
    assert!(said.out.contains("executions        64, exactly"), "{}", said.out);
    assert_eq!(mazurka(&["estimate", "lastzero", "30", "--max-time", "1ms", "--width", "1000000"]).status, 3);
}
