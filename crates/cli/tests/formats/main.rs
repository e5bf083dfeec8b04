//! Reports for machines are as their schemas say: SARIF's has the members and types of the standard's own.

#[path = "../common/mod.rs"]
mod common;
mod schema;

use common::{Said, mazurka};
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn file(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("mazurka-formats-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    folder.join(name)
}

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn c_program(name: &str) -> String {
    here("../c/tests/programs").join(name).to_str().expect("UTF-8").to_owned()
}

fn read_json(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Commands that find all sorts of things, or nothing.
fn searches() -> Vec<Vec<String>> {
    let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let mut all: Vec<Vec<String>> = [
        "run lost_update 2",
        "run opposite_locks",
        "run philosophers 3 --keep-going",
        "run lost_wakeup",
        "run lastzero 5",
        "run lastzero 10 --max-executions 5",
        "run lost_update 3 --algorithm random --seed 7 --max-executions 50",
        "run lastzero 5 --algorithm source --preemption-bound 1",
    ]
    .map(words)
    .to_vec();
    let weak = file("weak.litmus");
    let text =
        "var x, f; p: x = 1 relaxed; f = 1 relaxed | q: r = f relaxed; if r == 1 { s = x relaxed; assert s == 1 }";
    std::fs::write(&weak, text).expect("a file can be written");
    all.push(vec!["run".to_owned(), weak.to_str().expect("UTF-8").to_owned()]);
    for program in ["bugs/race_in_function.c", "bugs/leak.c", "corpus/opposite_locks.c", "bugs/division_by_zero.c"] {
        all.push(vec!["check".to_owned(), c_program(program)]);
    }
    all.extend(models());
    all.extend(endless());
    all
}

fn model(name: &str, text: &str, more: &[&str]) -> Vec<String> {
    let path = file(name);
    std::fs::write(&path, text).expect("a file can be written");
    let words = ["verify", path.to_str().expect("UTF-8")].into_iter().chain(more.iter().copied());
    words.map(str::to_owned).collect()
}

/// Programs that need not end: a deadlock, none, a search that is stopped.
fn endless() -> Vec<Vec<String>> {
    vec![
        model("opposite.litmus", "mutex m, n; loop { lock m; lock n; unlock n; unlock m } | lock n; lock m", &[]),
        model("round.litmus", "mutex m; loop { lock m; unlock m } | loop { lock m; unlock m }", &[]),
        model("counting.litmus", "var x; loop { r = fetch_add x, 1 }", &["--max-states", "50"]),
    ]
}

/// Models in Promela: an assertion, an end state, a formula that does not hold, one that holds, a search that is stopped.
fn models() -> Vec<Vec<String>> {
    let lost = "byte x;\nbyte ended;\nactive [2] proctype P() {\n  byte t = x;\n  x = t + 1;\n  ended++\n}\n\
                active proctype Q() {\n  ended == 2;\n  assert(x == 2)\n}\n";
    let opposite = "bit a, b;\nactive proctype P() {\n  atomic { !a -> a = 1 };\n  atomic { !b -> b = 1 };\n  a = 0; b = 0\n}\n\
                    active proctype Q() {\n  atomic { !b -> b = 1 };\n  atomic { !a -> a = 1 };\n  a = 0; b = 0\n}\n";
    let starved = "bit served;\nactive proctype Busy() {\n  bit round;\nend: do\n  :: round = 1 - round\n  od\n}\n\
                   active proctype Patient() { served = 1 }\nltl comes { eventually served }\n";
    vec![
        model("lost.pml", lost, &[]),
        model("opposite.pml", opposite, &[]),
        model("starved.pml", starved, &[]),
        model("fair.pml", starved, &["--fair"]),
        model("stopped.pml", starved, &["--max-states", "2"]),
    ]
}

fn run(search: &[String], more: &[&str]) -> Said {
    let args: Vec<&str> = search.iter().map(String::as_str).chain(more.iter().copied()).collect();
    let said = mazurka(&args);
    assert!([0, 1, 3].contains(&said.status), "{args:?}: {}", said.err);
    said
}

#[test]
fn json_is_as_the_documented_schema_says() {
    let schema = read_json(&here("../../docs/report.schema.json"));
    for search in searches() {
        let said = run(&search, &["--json"]);
        let value: Value = serde_json::from_str(&said.out).unwrap();
        schema::validate(&value, &schema).unwrap_or_else(|problem| panic!("{search:?}: {problem}"));
        if search[0] != "verify" {
            assert_eq!(said.out, run_json_again(&value), "{search:?}: a field is not in the order of the schema");
        }
    }
    let replayed = mazurka(&["replay", "lost_update", "2", "--schedule", "mzk1:", "--json"]);
    schema::validate(&serde_json::from_str(&replayed.out).unwrap(), &schema).unwrap();
}

/// The same JSON read and written once more, so that nothing is lost between the two.
fn run_json_again(value: &Value) -> String {
    let summary: report::summary::Summary = serde_json::from_value(value.clone()).expect("it can be read back");
    summary.to_json() + "\n"
}

#[test]
fn sarif_is_as_its_schema_says() {
    let schema = read_json(&here("tests/formats/sarif-schema-2.1.0.json"));
    for (i, search) in searches().iter().enumerate() {
        let path = file(&format!("{i}.sarif"));
        run(search, &["--sarif", path.to_str().unwrap()]);
        let sarif = read_json(&path);
        schema::validate(&sarif, &schema).unwrap_or_else(|problem| panic!("{search:?}: {problem}"));
        let run = &sarif["runs"][0];
        for result in run["results"].as_array().unwrap() {
            let rule = result["ruleIndex"].as_u64().expect("a rule") as usize;
            assert_eq!(run["tool"]["driver"]["rules"][rule]["id"], result["ruleId"]);
            // Every place is in a file that is named, and in a line that is there.
            for location in result.pointer("/codeFlows/0/threadFlows/0/locations").unwrap().as_array().unwrap() {
                let Some(place) = location["location"].get("physicalLocation") else { continue };
                let artifact = &run["artifacts"][place["artifactLocation"]["index"].as_u64().unwrap() as usize];
                assert_eq!(artifact["location"]["uri"], place["artifactLocation"]["uri"]);
            }
        }
    }
}

#[test]
fn sarif_shows_the_line_and_the_interleaving() {
    let path = file("race.sarif");
    run(&["check".to_owned(), c_program("bugs/race_in_function.c")], &["--sarif", path.to_str().unwrap()]);
    let result = &read_json(&path)["runs"][0]["results"][0];
    let place = &result["locations"][0]["physicalLocation"];
    assert!(place["artifactLocation"]["uri"].as_str().unwrap().ends_with("bugs/race_in_function.c"), "{place}");
    assert_eq!(place["region"]["startLine"], 9);
    let steps = result.pointer("/codeFlows/0/threadFlows/0/locations").unwrap().as_array().unwrap();
    assert!(steps.iter().any(|step| step["location"]["message"]["text"].as_str().unwrap().contains("read counter")));
}

#[test]
fn junit_is_as_its_schema_says() {
    let is_there = Command::new("xmllint").arg("--version").output().is_ok();
    if !is_there {
        let is_required = std::env::var("MAZURKA_REQUIRE_TOOLS").is_ok_and(|value| value == "1");
        assert!(!is_required, "xmllint is not installed: install Debian's package libxml2-utils");
        eprintln!("left out: xmllint is not installed, so nothing is known of JUnit's XML");
        return;
    }
    for (i, search) in searches().iter().enumerate() {
        let path = file(&format!("{i}.xml"));
        run(search, &["--junit", path.to_str().unwrap()]);
        let xmllint = Command::new("xmllint")
            .args(["--noout", "--schema"])
            .arg(here("tests/formats/junit.xsd"))
            .arg(&path)
            .output()
            .expect("it can be started");
        assert!(xmllint.status.success(), "{search:?}: {}", String::from_utf8_lossy(&xmllint.stderr));
    }
}

#[test]
fn annotations_name_the_line() {
    let said = run(&["check".to_owned(), c_program("bugs/race_in_function.c")], &["--format", "github"]);
    let line = said.out.lines().next().unwrap();
    assert!(line.starts_with("::error file=") && line.contains("race_in_function.c,line=9,"), "{}", said.out);
    let said = mazurka(&["run", "lastzero", "5", "--format", "github"]);
    assert!(said.out.starts_with("::notice title=mazurka::lastzero(5): 64 executions"), "{}", said.out);
    assert_eq!(said.status, 0);
}

/// Each property of a model is a test; what goes against one has the lines of the model and its steps, and is seen again.
#[test]
fn a_model_is_told_as_a_program_is() {
    let [lost, opposite, starved, fair, stopped] = <[Vec<String>; 5]>::try_from(models()).expect("five");
    let said = run(&lost, &["--format", "github"]);
    let line = said.out.lines().next().unwrap();
    assert!(line.starts_with("::error file=") && line.contains("lost.pml,line=10,title=mazurka%3A failure"), "{line}");
    assert!(line.contains("schedule: mzp1:"), "{line}");
    assert!(run(&opposite, &["--format", "github"]).out.contains("title=mazurka%3A deadlock::"));
    let said = run(&starved, &["--format", "github"]);
    assert!(said.out.contains("assertions and end states: holds") && said.out.starts_with("::error "), "{}", said.out);
    assert_eq!(run(&fair, &["--format", "github"]).out.matches("::notice ").count(), 2);
    assert!(run(&stopped, &["--format", "github"]).out.starts_with("::warning "));
    let tests = |search: &[String]| {
        let path = file("model.xml");
        run(search, &["--junit", path.to_str().unwrap()]);
        let xml = std::fs::read_to_string(&path).unwrap();
        ["<testcase ", "<failure ", "<skipped "].map(|tag| xml.matches(tag).count())
    };
    assert_eq!([tests(&starved), tests(&fair), tests(&stopped)], [[2, 1, 0], [2, 0, 0], [2, 0, 2]]);
    let path = file("model.sarif");
    run(&lost, &["--sarif", path.to_str().unwrap()]);
    let result = read_json(&path)["runs"][0]["results"][0].clone();
    let steps = result.pointer("/codeFlows/0/threadFlows/0/locations").unwrap().as_array().unwrap().clone();
    assert!(steps.len() == 7 && steps[0]["location"]["physicalLocation"]["region"]["startLine"] == 5, "{steps:?}");
    let schedule = result["properties"]["schedule"].as_str().unwrap();
    let page = file("model.html");
    let again = ["replay", &lost[1], "--schedule", schedule, "--json", "--html", page.to_str().unwrap()];
    let said = mazurka(&again);
    let found: Value = serde_json::from_str(&said.out).unwrap();
    schema::validate(&found, &read_json(&here("../../docs/report.schema.json"))).unwrap();
    assert_eq!((said.status, &found["kind"]), (1, &Value::from("failure")), "{}", said.out);
    assert!(std::fs::read_to_string(&page).unwrap().contains(schedule));
}

#[test]
fn trace_events_have_a_track_for_each_thread_and_flows_between_them() {
    let path = file("events.json");
    run(&["run".to_owned(), "lost_update".to_owned(), "2".to_owned()], &["--trace-events", path.to_str().unwrap()]);
    let events = read_json(&path)["traceEvents"].clone();
    let events = events.as_array().unwrap();
    let of = |ph: &str| events.iter().filter(|event| event["ph"] == ph).count();
    assert_eq!(of("X"), 9);
    assert_eq!(of("s"), of("f"));
    assert!(of("s") >= 4);
    let tracks = events.iter().filter(|event| event["name"] == "thread_name");
    let names: Vec<&str> = tracks.map(|track| track["args"]["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["main", "adder#0.0", "adder#0.1"]);
    // Slices of a track do not overlap.
    for thread in 1..4 {
        let slices: Vec<(u64, u64)> = events
            .iter()
            .filter(|event| event["ph"] == "X" && event["tid"] == thread)
            .map(|event| (event["ts"].as_u64().unwrap(), event["dur"].as_u64().unwrap()))
            .collect();
        assert!(!slices.is_empty());
        assert!(slices.windows(2).all(|pair| pair[0].0 + pair[0].1 <= pair[1].0), "{slices:?}");
    }
}

#[test]
fn executions_under_a_memory_model_are_trace_events_too() {
    let path = file("weak.json");
    let search = searches().into_iter().find(|search| search[1].ends_with("weak.litmus")).expect("it is one of them");
    run(&search, &["--trace-events", path.to_str().unwrap()]);
    let events = read_json(&path)["traceEvents"].clone();
    let events = events.as_array().unwrap();
    let of = |ph: &str| events.iter().filter(|event| event["ph"] == ph).count();
    assert!(of("X") == 4 && of("s") == 1 && of("i") == 1, "{events:?}");
    let at = |ph: &str| -> Vec<u64> {
        events.iter().filter(|event| event["ph"] == ph).map(|event| event["ts"].as_u64().unwrap()).collect()
    };
    assert!(at("s").into_iter().zip(at("f")).all(|(from, to)| from < to), "no flow goes back in time");
}

#[test]
fn tables_of_papers_are_drawn() {
    let folder = file("figures");
    let said = mazurka(&["papers", "pop", "--only", "filesystem(22)", "--svg", folder.to_str().unwrap()]);
    assert!([0, 1, 3].contains(&said.status), "{}", said.err);
    for name in ["time", "memory", "executions"] {
        let path = folder.join(format!("pop-table-1-{name}.svg"));
        let svg = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(svg.starts_with("<svg") && svg.contains(">filesystem(22)<"), "{svg}");
        assert!(svg.contains(">pop<") && svg.contains(">optimal<"), "{svg}");
    }
}

#[test]
fn a_tree_for_graphviz() {
    for algorithm in ["pop", "optimal", "unfolding"] {
        let path = file(&format!("tree-{algorithm}.dot"));
        let program = ["run", "lastzero", "3", "--algorithm", algorithm].map(str::to_owned);
        run(&program, &["--tree", path.to_str().unwrap()]);
        let dot = std::fs::read_to_string(&path).unwrap();
        assert_eq!(dot.matches(" -> ").count(), 11, "{algorithm}: {dot}");
        assert_eq!(dot.matches("reverses ").count(), 11, "{algorithm}: {dot}");
    }
}

/// Under a memory model too: every run has one that it branches from, and says what is different.
#[test]
fn a_tree_under_a_memory_model() {
    let program = file("orders.litmus");
    let text = "var x, y; p: x = 1 relaxed; r = y relaxed | q: y = 1 relaxed; r = x relaxed | w: x = 2 relaxed";
    std::fs::write(&program, text).expect("a file can be written");
    let program = program.to_str().expect("UTF-8");
    for model in ["sc", "tso", "pso", "ra", "rc11"] {
        let path = file(&format!("tree-{model}.dot"));
        let search = ["run", program, "--memory", model, "--json"].map(str::to_owned);
        let said = run(&search, &["--tree", path.to_str().unwrap()]);
        let found: Value = serde_json::from_str(&said.out).unwrap();
        let count = |name: &str| found["counts"][name].as_u64().unwrap() as usize;
        let runs = count("executions") + count("sleep_set_blocked");
        let dot = std::fs::read_to_string(&path).unwrap();
        assert_eq!(dot.matches(" -> ").count(), runs - 1, "{model}: {dot}");
        for why in ["takes what came later in execution", " from the last write", " it is the last"] {
            assert!(dot.contains(why), "{model}: {why}: {dot}");
        }
    }
    let path = file("tree-c.dot");
    let search = ["check".to_owned(), c_program("memory/message_passing.c"), "--memory".to_owned(), "rc11".to_owned()];
    run(&search, &["--tree", path.to_str().unwrap()]);
    assert!(std::fs::read_to_string(&path).unwrap().contains("fillcolor=\"#fadbd8\""));
}

#[test]
fn a_file_that_cannot_be_written_is_said() {
    for option in ["--html", "--junit", "--sarif", "--tree", "--trace-events"] {
        let said = mazurka(&["run", "lost_update", "2", option, "/nowhere/at/all"]);
        assert_eq!(said.status, 2, "{option}");
        assert!(said.err.contains("cannot write '/nowhere/at/all'"), "{option}: {}", said.err);
    }
}

#[test]
fn an_editor_is_told_how_to_debug() {
    let program = c_program("bugs/race_in_function.c");
    let said = mazurka(&["replay", &program, "--schedule", "mzk1:0", "--launch-json", "--", "-DN=1"]);
    assert_eq!(said.status, 0, "{}", said.err);
    let launch: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(launch["version"], "0.2.0");
    for configuration in launch["configurations"].as_array().unwrap() {
        assert_eq!(
            configuration["args"],
            serde_json::json!(["replay", program, "--schedule", "mzk1:0", "--in-place", "--", "-DN=1"])
        );
        assert!(Path::new(configuration["program"].as_str().unwrap()).is_file());
    }
    let said = mazurka(&["replay", "lost_update", "2", "--schedule", "mzk1:", "--launch-json"]);
    assert_eq!(said.status, 2);
    let said = mazurka(&["replay", &models()[0][1], "--schedule", "mzp1:", "--launch-json"]);
    assert_eq!(said.status, 2, "{}", said.out);
}

/// The debugger of an editor does what the configuration says: here gdb does it.
#[test]
fn gdb_stops_where_it_fails() {
    if Command::new("gdb").arg("--version").output().is_err() {
        let is_required = std::env::var("MAZURKA_REQUIRE_TOOLS").is_ok_and(|value| value == "1");
        assert!(!is_required, "gdb is not installed: install Debian's package gdb");
        eprintln!("left out: gdb is not installed");
        return;
    }
    let program = c_program("bugs/abort_in_one_order.c");
    let found: Value = serde_json::from_str(&mazurka(&["check", &program, "--json"]).out).unwrap();
    let schedule = found["findings"][0]["schedule"].as_str().unwrap();
    let launch = mazurka(&["replay", &program, "--schedule", schedule, "--launch-json"]);
    let launch: Value = serde_json::from_str(&launch.out).unwrap();
    let configuration = &launch["configurations"][0];
    let mut gdb = Command::new("gdb");
    gdb.args(["-q", "-batch"]);
    for command in configuration["setupCommands"].as_array().unwrap() {
        gdb.args(["-ex", command["text"].as_str().unwrap()]);
    }
    gdb.args(["-ex", "run", "-ex", "backtrace", "--args", configuration["program"].as_str().unwrap()]);
    gdb.args(configuration["args"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()));
    let said = gdb.output().expect("it can be started");
    let text = String::from_utf8_lossy(&said.stdout);
    assert!(
        text.contains("mazurka_failed") && text.contains("#0"),
        "{text}\n{}",
        String::from_utf8_lossy(&said.stderr)
    );
}

/// The line that a report prints for lldb, which need not be installed.
#[test]
fn lldb_stops_where_it_fails() {
    if Command::new("lldb").arg("--version").output().is_err() {
        eprintln!("left out: lldb is not installed");
        return;
    }
    let program = c_program("bugs/abort_in_one_order.c");
    let found: Value = serde_json::from_str(&mazurka(&["check", &program, "--json"]).out).unwrap();
    let schedule = found["findings"][0]["schedule"].as_str().unwrap();
    let mut replay = common::command(&["replay", &program, "--schedule", schedule, "--lldb"]);
    let mut lldb =
        replay.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a process");
    lldb.stdin.take().expect("a pipe").write_all(b"bt\nquit\n").expect("it reads");
    let said = common::said(lldb.wait_with_output().expect("its output"));
    assert!(said.out.contains("stop reason = breakpoint"), "{}\n{}", said.out, said.err);
    assert!(said.out.contains("main at abort_in_one_order.c:"), "{}\n{}", said.out, said.err);
}
