//! Runs on a cluster come to what one machine comes to.

mod common;
#[path = "common/models.rs"]
mod models;

use common::server::Server;
use common::{Manner, alone, assert_same, built_in, going_on, make_schema, open, reported, start, work_on};
use explore::Settings;
use mazurka_cluster::Run;
use mazurka_cluster::{Moment, Owner, Problem, RunState, SCHEMA, Store, status};
use models::{alone_under, reported_under, start_under};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// A row takes no longer than this many executions.
const SMALL: u64 = 600;

/// Two workers, each with a store of its own.
fn by_two(url: &str, text: &str, settings: &Settings) -> explore::Report {
    versions_by_two(url, text, settings).0
}

/// Also how often it began anew.
fn versions_by_two(url: &str, text: &str, settings: &Settings) -> (explore::Report, i32) {
    let mut store = open(url, "first");
    let run = start(&mut store, text, settings);
    done_by_two(url, &mut store, &run);
    (reported(&mut store, &run), store.version(&run).expect("a version").number)
}

/// A second worker helps with a run.
fn done_by_two(url: &str, store: &mut Store, run: &Run) {
    let join = || {
        let mut store = open(url, "second");
        let run = store.run(run.run).expect("the run");
        work_on(&mut store, &run, &Manner::default()).expect("it works");
    };
    thread::scope(|scope| {
        scope.spawn(join);
        let worked = work_on(store, run, &Manner::default()).expect("it works");
        assert_eq!(worked.state, Some(RunState::Done));
    });
}

/// The same under a memory model. How often it began anew is the answer.
fn is_the_same_under_a_model(url: &str, model: &str, text: &str, name: &str) -> i32 {
    let settings = going_on();
    let one = alone_under(model, text, &settings);
    let mut store = open(url, "first");
    let run = start_under(model, &mut store, text, &settings);
    done_by_two(url, &mut store, &run);
    assert_eq!(reported_under(&mut store, &run), one, "{name} under {model}");
    store.version(&run).expect("a version").number
}

/// Rows with reference counts under every model.
#[test]
fn memory_models_by_two_workers_are_as_on_one_machine() {
    let Some(server) = Server::start("models") else { return };
    let url = server.url("models");
    make_schema(&url, "models");
    let mut tried = 0;
    for row in litmus::corpus::graph_rows().expect("the corpus") {
        for info in graphs::MODELS {
            // Small ones are over before a second worker comes.
            if row.graphs(info.name).is_some_and(|graphs| graphs > 20) {
                is_the_same_under_a_model(&url, info.name, &row.text, &row.name);
                tried += 1;
            }
        }
    }
    assert!(tried > 30, "only {tried} rows");
}

/// Loops that wait, failures and deadlocks: what is learnt starts a new version, and findings are the same.
#[test]
fn memory_models_with_loops_and_findings_by_two_workers() {
    let Some(server) = Server::start("weak") else { return };
    let url = server.url("weak");
    make_schema(&url, "weak");
    // A lock that is taken in every round is an effect under memory models.
    for (before, thread) in WAITING.into_iter().filter(|(before, _)| !before.contains("mutex")) {
        let text = format!("{before}{}", [thread; 2].join(" | "));
        let versions = is_the_same_under_a_model(&url, "rc11", &text, &text);
        assert!(versions > 0, "{text} did not begin anew");
    }
    for text in [
        "var x, y, z; x = 1 relaxed; y = 1 relaxed; r = z relaxed | r = y relaxed; z = 1 relaxed;
         if r == 1 { s = x relaxed; assert s == 1, \"late\" } | z = 2 relaxed; r = z relaxed; assert r == 2, \"mine\"",
        "mutex a, b; var x; lock a; r = x relaxed; lock b; x = r + 1 relaxed; unlock b; unlock a
         | lock b; r = x relaxed; lock a; x = r + 1 relaxed; unlock a; unlock b | x = 5 relaxed",
    ] {
        for model in ["rc11", "tso", "sc"] {
            is_the_same_under_a_model(&url, model, text, text);
        }
    }
}

#[test]
fn the_corpus_by_two_workers_is_as_by_one_machine() {
    let Some(server) = Server::start("corpus") else { return };
    let url = server.url("corpus");
    make_schema(&url, "corpus");
    let mut tried = 0;
    for row in litmus::corpus::rows().expect("the corpus").iter().filter(|row| row.classes <= SMALL) {
        let Ok(program) = row.build() else { continue };
        is_the_same_by_two(&url, &program.sketch().to_string(), &row.name());
        tried += 1;
    }
    assert!(tried > 100, "only {tried} rows");
}

/// Loops that wait or retry, of two threads and of three.
const WAITING: [(&str, &str); 7] = [
    ("var l; ", "loop { r = swap l, 1; if r == 0 { break } } l = 0"),
    ("var l; ", "loop { r = compare_exchange l, 0, 1; if r == 0 { break } } l = 0"),
    ("var l; ", "loop { r = l; if r == 0 { s = swap l, 1; if s == 0 { break } } } l = 0"),
    ("var next, owner; ", "t = fetch_add next, 1; loop { r = owner; if r == t { break } } fetch_add owner, 1"),
    ("var x; ", "loop { t = x; r = compare_exchange x, t, t + 1; if r == t { break } }"),
    ("var x, y; y = 1; x = 1 | ", "loop { r = x; if r == 1 { s = y; if s == 1 { break } } }"),
    ("var x; mutex m; lock m; x = 1; unlock m | ", "loop { lock m; r = x; unlock m; if r == 1 { break } }"),
];

#[test]
fn runs_that_begin_anew_come_to_the_same() {
    let Some(server) = Server::start("anew") else { return };
    let url = server.url("anew");
    make_schema(&url, "anew");
    for (before, thread) in WAITING {
        for threads in [2, 3] {
            let text = format!("{before}{}", vec![thread; threads].join(" | "));
            let versions = is_the_same_by_two(&url, &text, &text);
            assert!(versions > 0, "{text} did not begin anew");
        }
    }
}

/// Checks a program by two workers and alone. How often it began anew is the answer.
fn is_the_same_by_two(url: &str, text: &str, name: &str) -> i32 {
    let mut settings = going_on();
    settings.limits.steps = 1_000;
    let one = alone(text, &settings);
    let (many, versions) = versions_by_two(url, text, &settings);
    assert_same(&many, &one, name);
    versions
}

#[test]
fn threads_that_are_met_late_have_the_same_ids_everywhere() {
    let Some(server) = Server::start("threads") else { return };
    let url = server.url("threads");
    make_schema(&url, "threads");
    let text = "var x, y;
        r = x; if r != 1 { a = spawn { y = 1; b = spawn { x = 2 } } } r = y
        | x = 1; s = y; if s == 1 { a = spawn { x = 3; b = spawn { y = 4; r = x } } }
        | t = x; if t == 2 { a = spawn { y = 5 }; c = spawn { r = y; x = 6 } }";
    let one = alone(text, &going_on());
    assert!(one.tally.executions() > 100, "{:?}", one.tally);
    for _ in 0..3 {
        assert_same(&by_two(&url, text, &going_on()), &one, text);
    }
}

#[test]
fn a_search_that_is_to_stop_at_a_finding_does() {
    let Some(server) = Server::start("found") else { return };
    let url = server.url("found");
    make_schema(&url, "found");
    let text = built_in("lost_update", &[3]);
    let report = by_two(&url, &text, &Settings::default());
    assert!(!report.exhaustive && !report.findings.is_empty());
    let all = by_two(&url, &text, &going_on());
    assert_same(&all, &alone(&text, &going_on()), "lost_update");
}

#[test]
fn runs_are_stopped_resumed_and_forgotten() {
    let Some(server) = Server::start("stop") else { return };
    let url = server.url("stop");
    make_schema(&url, "stop");
    let text = built_in("lastzero", &[14]);
    let one = alone(&text, &going_on());
    let mut store = open(&url, "worker");
    let run = start(&mut store, &text, &going_on());
    // A worker that is told to stop leaves nothing behind.
    let stop = Arc::new(AtomicBool::new(false));
    let mut leaving = open(&url, "leaving");
    leaving.set_stop(stop.clone());
    let commits = Cell::new(0);
    let at = |moment| {
        commits.set(commits.get() + u32::from(moment == Moment::Committed));
        stop.store(commits.get() >= 3, Ordering::Relaxed);
    };
    let manner = Manner { slice: Duration::from_millis(5), at: &at, ..Manner::default() };
    let worked = work_on(&mut leaving, &run, &manner).expect("it works");
    assert_eq!(worked.state, Some(RunState::Open));
    let [now] = <[_; 1]>::try_from(status(&mut store).expect("a status")).expect("one run");
    assert!(now.is_sound && now.leased == 0 && now.ready > 0 && now.share > 0.0 && now.share < 1.0, "{now:?}");
    assert_eq!(store.set_open(run.run, false).expect("it is there"), RunState::Stopped);
    let worked = work_on(&mut store, &run, &Manner::default()).expect("it works");
    assert_eq!((worked.state, worked.committed), (Some(RunState::Stopped), 0));
    assert_eq!(store.set_open(run.run, true).expect("it is there"), RunState::Open);
    work_on(&mut store, &run, &Manner::default()).expect("it works");
    assert_same(&reported(&mut store, &run), &one, "lastzero(14)");
    store.forget(run.run).expect("it is there");
    assert_eq!(store.forget(run.run), Err(Problem::NoRun(run.run)));
    assert_eq!(status(&mut store).expect("a status"), []);
}

#[test]
fn tables_of_another_version_are_refused_by_name() {
    let Some(server) = Server::start("schema") else { return };
    let url = server.url("old");
    make_schema(&url, "old");
    drop(open(&url, "first"));
    let mut client = postgres::Client::connect(&url, postgres::NoTls).expect("a server");
    client.execute("UPDATE mazurka_schema SET version = version - 1", &[]).expect("a table");
    let problem = Store::open(&url, Owner::this("second")).err().expect("it is refused");
    assert_eq!(problem, Problem::OtherSchema { found: SCHEMA - 1, wanted: SCHEMA });
    assert!(problem.to_string().contains("tables in this database are of version 0"), "{problem}");
}

#[test]
fn a_server_that_is_not_there_is_no_panic() {
    let problem = Store::open("postgres://nobody@127.0.0.1:1/none", Owner::this("x")).err().expect("no server");
    assert!(matches!(problem, Problem::NoServer(_)), "{problem}");
    let problem = Store::open("what?", Owner::this("x")).err().expect("no address");
    assert!(matches!(problem, Problem::NoAddress(_)), "{problem}");
}

/// Rows that disappear are noticed: there is no verdict then.
#[test]
fn a_task_that_is_lost_is_no_proof() {
    let Some(server) = Server::start("lost") else { return };
    let url = server.url("lost");
    make_schema(&url, "lost");
    let mut store = open(&url, "worker");
    let run = start(&mut store, &built_in("lastzero", &[9]), &going_on());
    let mut client = postgres::Client::connect(&url, postgres::NoTls).expect("a server");
    client.execute("DELETE FROM mazurka_task", &[]).expect("a table");
    let worked = work_on(&mut store, &run, &Manner::default()).expect("it works");
    assert_eq!(worked.state, Some(RunState::Failed));
    let problem = store.verdict(&run).expect("a verdict").problem.expect("a problem");
    assert!(problem.contains("lost tasks"), "{problem}");
}

/// An authority of its own, a certificate for `localhost` by it, and another authority that signed nothing.
const CERTIFICATES: &str = "set -e
key='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
for name in ca other; do openssl req -x509 $key -keyout $name.key -out $name.crt -days 2 -subj /CN=$name; done
openssl req $key -keyout server.key -out server.csr -subj /CN=localhost
printf 'subjectAltName=DNS:localhost\\nbasicConstraints=CA:FALSE\\n' >server.ext
openssl x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -extfile server.ext -out server.crt
chmod 600 server.key
printf 'local all all trust\\nhostssl all all 127.0.0.0/8 trust\\n' >pg_hba.conf
";

#[test]
fn a_run_by_tls_whose_certificate_is_verified() {
    let Some(mut server) = Server::start("tls") else { return };
    let folder = server.folder().join("tls");
    let made = server.shell(&folder, &[], CERTIFICATES);
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    // An address of this machine that no other server listens at.
    let id = std::process::id();
    let host = format!("127.{}.{}.{}", 1 + id / 65_536 % 250, id / 256 % 256, 1 + id % 250);
    let file = |name: &str| folder.join(name).display().to_string();
    server.launch_with(vec![
        "ssl=on".to_owned(),
        format!("ssl_cert_file={}", file("server.crt")),
        format!("ssl_key_file={}", file("server.key")),
        format!("hba_file={}", file("pg_hba.conf")),
        format!("listen_addresses={host}"),
    ]);
    let url = |name: &str, tls: &str| format!("postgres://mazurka@{name}/postgres?hostaddr={host}&{tls}");
    let verified = format!("sslmode=verify-full&sslrootcert={}", file("ca.crt"));
    let settings = going_on();
    let text = built_in("lastzero", &[8]);
    assert_same(&by_two(&url("localhost", &verified), &text, &settings), &alone(&text, &settings), "by TLS");
    // The server takes nobody without TLS, and who is not the one it should be is not spoken to.
    let other = format!("sslmode=require&sslrootcert={}", file("other.crt"));
    for (name, tls, said) in [
        ("localhost", "sslmode=disable", "no encryption"),
        ("localhost", &other, "UnknownIssuer"),
        ("elsewhere", &verified, "not valid for name"),
        ("localhost", "sslmode=require", "UnknownIssuer"),
    ] {
        let Err(problem) = Store::open(&url(name, tls), Owner::this("test")) else { panic!("{name} {tls}") };
        assert!(matches!(&problem, Problem::NoServer(why) if why.contains(said)), "{name} {tls}: {problem}");
    }
}
