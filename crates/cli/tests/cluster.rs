//! `--cluster`, `mazurka worker`, `mazurka status` and others, as users have them.

#[path = "../../cluster/tests/common/server.rs"]
mod server;

use server::Server;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

fn mazurka(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mazurka"));
    command.args(words).env_remove("MAZURKA_CLUSTER").stdin(Stdio::null());
    command
}

fn output(words: &[&str]) -> Output {
    mazurka(words).output().expect("the command")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The counts and the findings of a report in JSON, without what time it took.
fn counts(output: &Output) -> serde_json::Value {
    let all: serde_json::Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output.stderr)));
    let counts = &all["counts"];
    serde_json::json!({
        "executions": counts["executions"], "deadlocks": counts["deadlocked"], "failures": counts["failed"],
        "exhaustive": all["exhaustive"], "agrees": all["agrees"], "findings": all["findings"],
    })
}

fn spawn(words: &[&str]) -> Child {
    mazurka(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command")
}

fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    let started = Instant::now();
    while !is_so() {
        assert!(started.elapsed() < Duration::from_secs(60), "{what}");
        thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_run_with_a_worker_that_is_killed_prints_what_one_machine_prints() {
    let Some(server) = Server::start("cli") else { return };
    let url = server.url("public");
    let one = output(&["run", "lastzero", "18", "--workers", "1", "--no-bug-first", "--json"]);
    let short = ["--lease", "1s"];
    let worker = |idle: &str| spawn(&["worker", &url, "--workers", "1", "--idle", idle, short[0], short[1]]);
    let mut killed = worker("1m");
    let mut staying = worker("2s");
    let run = spawn(&["run", "lastzero", "18", "--workers", "1", "--cluster", &url, "--json", short[0], short[1]]);
    wait_for("no worker works", || text(&output(&["status", &url]).stdout).matches("seen").count() >= 3);
    killed.kill().expect("it is this process's");
    killed.wait().expect("it was killed");
    let many = run.wait_with_output().expect("its output");
    assert_eq!(counts(&many), counts(&one));
    assert_eq!(many.status.code(), Some(0), "{}", text(&many.stderr));
    let status = text(&output(&["status", &url]).stdout);
    assert!(status.contains("lastzero(18)  done") && status.contains("1,376,256 executions"), "{status}");
    assert!(staying.wait().expect("it is this process's").success());
    assert_eq!(text(&output(&["forget", &url, "--run", "1"]).stdout), "run 1 is forgotten\n");
    assert_eq!(text(&output(&["status", &url]).stdout), "there are no runs\n");
}

/// Under a memory model, one by name, and the one that follows by itself where memory orders are weak.
#[test]
fn memory_models_come_to_what_one_machine_comes_to() {
    let Some(server) = Server::start("models") else { return };
    let url = server.url("public");
    let weak =
        "var x, f; p: x = 1 relaxed; f = 1 relaxed | q: r = f relaxed; if r == 1 { s = x relaxed; assert s == 1 }";
    let folder = written("models", &[("mp.litmus", weak)]);
    let mp = folder.join("mp.litmus").to_string_lossy().into_owned();
    let two_workers = || [(); 2].map(|()| spawn(&["worker", &url, "--workers", "1", "--idle", "1s"]));
    for (words, status) in [
        (vec!["run", "fib_bench", "5", "--memory", "tso"], 0),
        (vec!["run", "lost_update", "4", "--memory", "rc11", "--keep-going"], 1),
        (vec!["run", &mp], 1),
    ] {
        let one = output(&[&words[..], &["--workers", "1", "--json"]].concat());
        let workers = two_workers();
        let many = output(&[&words[..], &["--workers", "1", "--json", "--cluster", &url]].concat());
        assert_eq!(counts(&many), counts(&one), "{words:?}: {}", text(&many.stderr));
        assert_eq!((many.status.code(), one.status.code()), (Some(status), Some(status)), "{words:?}");
        for worker in workers {
            let said = worker.wait_with_output().expect("its output");
            assert!(said.status.success(), "{words:?}: {}", text(&said.stderr));
        }
    }
    // The last program has two runs.
    let status = text(&output(&["status", &url]).stdout);
    assert!(status.contains("run 4") && status.contains("fib_bench(5) under tso  done"), "{status}");
    std::fs::remove_dir_all(folder).expect("the folder");
}

/// The blocks of a section of the documentation, without the word behind the first fence.
fn blocks(section: &str) -> Vec<(String, String)> {
    let docs = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/cluster.md")).expect("docs");
    let section = docs.split("\n## ").find(|text| text.starts_with(section)).expect("the section").to_owned();
    let block = |text: &str| {
        let (kind, text) = text.split_once('\n').expect("a line");
        (kind.to_owned(), text.to_owned())
    };
    section.split("```").skip(1).step_by(2).map(block).collect()
}

/// The commands of the documentation, as they stand there: with another port and folder, so that they disturb nobody, and with a
/// smaller search.
#[test]
fn five_minutes_from_nothing_to_two_workers() {
    let Some(user) = Server::start("five") else { return };
    let blocks = blocks("Five minutes");
    let [(_, begin), (_, work)] = &blocks[..] else { panic!("two blocks, not {}", blocks.len()) };
    let lines: Vec<&str> = work.lines().collect();
    let [worker, run, status] = lines[..] else { panic!("three commands, not {work}") };
    let folder = user.folder().join("five");
    let port = 20_000 + std::process::id() % 20_000;
    let begin = begin.replace("5433", &port.to_string()).replace("-k /tmp", &format!("-k {}", folder.display()));
    let script = format!(
        "set -e\ntrap 'pg_ctl -D db -m immediate stop >&2' EXIT\n{begin}\n{worker} --idle 2s >worker.log 2>&1 &\n\
         {}\n{}\nwait\ncat worker.log\n",
        run.replace("lastzero 20", "lastzero 16"),
        status.replace(" --watch", ""),
    );
    let said = user.shell(&folder, &[env!("CARGO_BIN_EXE_mazurka")], &script);
    let (out, err) = (text(&said.stdout), text(&said.stderr));
    assert!(said.status.success(), "{script}{out}{err}");
    assert!(out.contains("lastzero(16)  done") && out.contains("311,296"), "{out}{err}");
}

/// What the documentation has for ssh, systemd, Slurm and Kubernetes starts a worker that does a run alone. There are no other machines
/// here: `ssh` and `srun` are scripts that run their command at once.
#[test]
fn workers_start_as_the_documentation_says() {
    let Some(server) = Server::start("deploy") else { return };
    let blocks = blocks("Starting workers");
    let [(_, ssh), (_, unit), (_, slurm), (_, manifest)] = &blocks[..] else { panic!("{} blocks", blocks.len()) };
    let value = |text: &str, key: &str| {
        let line = text.lines().find_map(|line| line.trim().strip_prefix(key)).unwrap_or_else(|| panic!("no {key}"));
        line.trim().to_owned()
    };
    // Both end by the signal that the system sends.
    let until_told = |command: String| format!("{command} &\nworker=$!\nfinished\nkill -TERM $worker\nwait $worker\n");
    let of_unit = value(unit, "ExecStart=").replace("/usr/local/bin/", "");
    let of_pod = value(manifest, "command:").replace(['[', ']', '"', ','], "");
    assert_eq!([&of_unit, &of_pod], ["mazurka worker"; 2]);
    let ways = [
        // Nobody waits for those: they are to be gone, for want of work, before the server is.
        ("ssh", ssh.replace("10m", "2s") + "finished\nsleep 5\n"),
        ("systemd", until_told(of_unit)),
        ("slurm", format!("cat >job.sh <<'JOB'\n{}JOB\nbash -n job.sh\nsh job.sh\n", slurm.replace("10m", "2s"))),
        ("kubernetes", until_told(of_pod)),
    ];
    for (number, (name, start)) in (1..).zip(ways) {
        let script = format!(
            "set -e\nexport MAZURKA_CLUSTER='{}'\n\
             printf '#!/bin/sh\\nshift\\nexec sh -c \"$*\"\\n' | tee ssh >srun\nchmod +x ssh srun\n\
             finished() {{\n  for n in $(seq 600); do\n    \
             [ \"$(mazurka status | grep -c 'lastzero(16)  done')\" = {number} ] && return\n    sleep 0.2\n  done\n}}\n\
             mazurka run lastzero 16 --workers 1 --max-time 50ms >/dev/null 2>&1 || true\n\
             mazurka resume --run {number}\nmazurka status\n{start}mazurka status\n",
            server.url("public"),
        );
        let said = server.shell(&server.folder().join(name), &[env!("CARGO_BIN_EXE_mazurka")], &script);
        let (out, err) = (text(&said.stdout), text(&said.stderr));
        assert!(said.status.success(), "{name}: {script}{out}{err}");
        assert_eq!(out.matches("lastzero(16)  done").count(), 2 * number - 1, "{name}: {out}{err}");
    }
    verify_unit(&server, unit);
}

/// The role, the database and the certificates of the documentation, on a server of their own: a run goes through with them, and not
/// without TLS, nor without the password.
#[test]
fn who_may_connect_is_what_the_documentation_says() {
    let Some(user) = Server::start("role") else { return };
    let blocks = blocks("The server");
    let [(_, role), (_, address), (_, certificates)] = &blocks[..] else { panic!("{} blocks", blocks.len()) };
    let port = 20_000 + (std::process::id() + 1) % 20_000;
    let address = address.trim().replace("db.example.org", &format!("localhost:{port}"));
    let address = address.replace("mazurka@", "mazurka:$password@").replace("/etc/mazurka/", "$PWD/");
    let plain = address.split_once('?').expect("options").0;
    let script = format!(
        "set -e\npassword=secret\n{}\ninitdb -D db -U admin -A trust >/dev/null\ncp server.crt server.key db\n\
         chmod 600 db/server.key\n\
         echo 'local all admin trust' >db/pg_hba.conf\n\
         echo 'hostssl mazurka mazurka 127.0.0.1/32 scram-sha-256' >>db/pg_hba.conf\n\
         trap 'pg_ctl -D db -m immediate stop >&2' EXIT\n\
         pg_ctl -D db -w -o \"-k $PWD -h 127.0.0.1 -p {port} -c ssl=on\" -l db.log start >/dev/null\n\
         psql -v ON_ERROR_STOP=1 -q -h $PWD -p {port} -U admin -d postgres <<'SQL'\n{}SQL\n\
         mazurka run lastzero 14 --workers 1 --cluster \"{address}\"\n\
         mazurka status \"{address}\"\n\
         ! mazurka status \"{plain}\"\n\
         password=wrong\n! mazurka status \"{address}\"\n",
        certificates.replace("db.example.org", "localhost").replace("\nopenssl", " 2>/dev/null\nopenssl"),
        role.replace('…', "secret"),
    );
    let said = user.shell(&user.folder().join("role"), &[env!("CARGO_BIN_EXE_mazurka")], &script);
    let (out, err) = (text(&said.stdout), text(&said.stderr));
    assert!(said.status.success(), "{script}{out}{err}");
    assert!(out.contains("lastzero(14)  done"), "{out}{err}");
    assert_eq!(err.matches("cannot use the cluster's PostgreSQL").count(), 2, "{out}{err}");
}

/// systemd says whether it would take the unit, where it is installed.
fn verify_unit(server: &Server, unit: &str) {
    if Command::new("systemd-analyze").arg("--version").output().is_err() {
        eprintln!("left out: systemd-analyze is not installed, so nothing is known of the unit");
        return;
    }
    let unit = unit.replace("/usr/local/bin/mazurka", env!("CARGO_BIN_EXE_mazurka"));
    let path = server.folder().join("mazurka-worker.service");
    std::fs::write(&path, unit).expect("a file can be written");
    let said = Command::new("systemd-analyze")
        .args(["verify", "--recursive-errors=no"])
        .arg(&path)
        .output()
        .expect("a verdict");
    let err = text(&said.stderr);
    assert!(said.status.success() && !err.contains("mazurka-worker"), "{err}");
}

#[test]
fn findings_are_those_of_one_machine() {
    let Some(server) = Server::start("findings") else { return };
    let url = server.url("public");
    for program in [["philosophers", "3"], ["lost_update", "3"]] {
        let words = ["run", program[0], program[1], "--keep-going", "--json"];
        let one = output(&words);
        let many = output(&[&words[..], &["--cluster", &url]].concat());
        assert_eq!(counts(&many), counts(&one));
        assert_eq!((many.status.code(), one.status.code()), (Some(1), Some(1)));
    }
}

#[test]
fn a_run_that_is_stopped_says_how_to_go_on() {
    let Some(server) = Server::start("stopped") else { return };
    let url = server.url("public");
    let late = output(&["run", "lastzero", "24", "--max-time", "1s", "--cluster", &url]);
    let said = text(&late.stdout);
    assert_eq!(late.status.code(), Some(3), "{said}{}", text(&late.stderr));
    assert!(said.contains("mazurka resume --run 1"), "{said}");
    assert!(text(&output(&["status", &url]).stdout).contains("lastzero(24)  stopped"));
    assert_eq!(text(&output(&["resume", &url, "--run", "1"]).stdout), "run 1 is open\n");
    assert_eq!(text(&output(&["stop", &url, "--run", "1"]).stdout), "run 1 is stopped\n");
    let problem = output(&["stop", &url, "--run", "2"]);
    assert_eq!(problem.status.code(), Some(2));
    assert!(text(&problem.stderr).contains("there is no run 2"));
}

#[test]
fn a_worker_whose_server_is_gone_for_good_ends() {
    let Some(mut server) = Server::start("gone") else { return };
    let url = server.url("public");
    let late = output(&["run", "lastzero", "24", "--max-time", "100ms", "--workers", "1", "--cluster", &url]);
    assert_eq!(late.status.code(), Some(3), "{}", text(&late.stderr));
    assert!(output(&["resume", &url, "--run", "1"]).status.success());
    let worker = spawn(&["worker", &url, "--workers", "1", "--patience", "2s"]);
    wait_for("no worker works", || text(&output(&["status", &url]).stdout).contains("seen"));
    server.kill();
    let started = Instant::now();
    let said = worker.wait_with_output().expect("its output");
    assert_eq!(said.status.code(), Some(2), "{}", text(&said.stderr));
    assert!(text(&said.stderr).contains("PostgreSQL does not answer any more"), "{}", text(&said.stderr));
    assert!(started.elapsed() > Duration::from_secs(2));
    server.launch();
    assert!(text(&output(&["status", &url]).stdout).contains("lastzero(24)  open"));
}

#[test]
fn what_cannot_be_put_on_a_cluster_is_refused_by_name() {
    let url = "postgres://nobody@127.0.0.1:1/none";
    for (words, said) in [
        (vec!["run", "lastzero", "5", "--algorithm", "source"], "'source' cannot be shared out"),
        (vec!["run", "lastzero", "5", "--max-executions", "5"], "--max-executions is for one machine"),
        (vec!["run", "lastzero", "5"], "cannot use the cluster's PostgreSQL"),
        (
            vec!["run", "lastzero", "5", "--memory", "tso", "--max-executions", "5"],
            "--max-executions is for one machine",
        ),
        (vec!["run", "lastzero", "5", "--memory", "tso", "-a", "pop"], "are for searches without --memory"),
        (vec!["run", "lastzero", "5", "--memory", "tso"], "cannot use the cluster's PostgreSQL"),
        (vec!["check", "a.c", "--memory", "rc11", "--paranoid"], "--paranoid is for searches without --memory"),
        (vec!["verify", "model.pml"], "Promela models"),
        (vec!["run", "model.pml"], "model.pml cannot be read"),
    ] {
        let refused = output(&[&words[..], &["--cluster", url]].concat());
        let problem = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{problem}");
        assert!(problem.contains(said), "{words:?}: {problem}");
    }
}

/// Writes files into a folder of this process's own, which is the answer.
fn written(name: &str, files: &[(&str, &str)]) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("mazurka-cluster-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    for (name, text) in files {
        std::fs::write(folder.join(name), text).expect("a file");
    }
    folder
}

/// Workers have no files: what a model includes and its macros come with the run.
#[test]
fn models_in_promela_come_to_what_one_machine_comes_to() {
    let Some(server) = Server::start("promela") else { return };
    let url = server.url("public");
    let folder = written("promela", &MODELS);
    for (name, many, executions, status) in
        [("ring.pml", "-DMANY=3", 40, 1), ("counters.pml", "-DMANY=3", 884, 0), ("sections.pml", "-DMANY=4", 62_592, 0)]
    {
        let path = folder.join(name).to_string_lossy().into_owned();
        let words = ["run", &path, many, "--algorithm", "pop", "--keep-going", "--no-bug-first", "--json"];
        let one = output(&words);
        let worker = |idle: &str| spawn(&["worker", &url, "--workers", "1", "--idle", idle, "--lease", "1s"]);
        let (mut killed, staying) = (worker("1m"), worker("1s"));
        let run = spawn(&[&words[..], &["--workers", "1", "--cluster", &url, "--lease", "1s"]].concat());
        if executions > 10_000 {
            // It is long enough for somebody to die of it.
            wait_for("no worker works", || text(&output(&["status", &url]).stdout).matches("seen").count() >= 3);
        }
        killed.kill().expect("it is this process's");
        killed.wait().expect("it was killed");
        let shared = run.wait_with_output().expect("its output");
        assert_eq!(counts(&shared), counts(&one), "{name}: {}", text(&shared.stderr));
        assert_eq!(counts(&one)["executions"], executions, "{name}");
        assert_eq!(shared.status.code(), Some(status), "{name}: {}", text(&shared.stderr));
        let said = staying.wait_with_output().expect("its output");
        assert!(said.status.success(), "{name}: {}", text(&said.stderr));
    }
    std::fs::remove_dir_all(folder).expect("the folder");
}

/// Messages and an assertion that fails, processes that are created late, and what several steps choose and do at once.
const MODELS: [(&str, &str); 4] = [
    ("many.h", "#ifndef MANY\n#define MANY 2\n#endif\n"),
    (
        "ring.pml",
        r#"
#include "many.h"
chan next[MANY] = [1] of { byte };
byte sum;
proctype node(byte me) {
    byte got;
    next[(me + 1) % MANY] ! me + 1;
    next[me] ? got;
    sum = sum + got;
    assert(sum != 3 || me != 0)
}
init {
    byte n;
    do
    :: n < MANY -> run node(n); n++
    :: else -> break
    od
}
"#,
    ),
    (
        "counters.pml",
        r#"
#include "many.h"
byte x, y;
proctype late(byte n) { x = x + n; y = x }
active [MANY] proctype work() {
    byte r;
    r = x;
    x = r + 1;
    if
    :: r == 1 -> run late(_pid)
    :: else -> y++
    fi
}
"#,
    ),
    (
        "sections.pml",
        r#"
#include "many.h"
byte left = MANY;
bool flag;
chan c = [0] of { byte };
active [MANY] proctype work() {
    byte got;
    atomic { left > 0; left-- };
    if
    :: c ! left
    :: c ? got
    :: flag -> skip
    fi;
    d_step { flag = true; got = left }
}
"#,
    ),
];

#[test]
fn programs_in_c_come_to_what_one_machine_comes_to() {
    let Some(server) = Server::start("c") else { return };
    let url = server.url("public");
    let folder = written("c", &PROGRAMS);
    let interleavings = ["--workers", "2", "--no-bug-first"].as_slice();
    let searches = [interleavings, &["--memory", "rc11"], &["--memory", "tso"]];
    for ((name, _), options) in PROGRAMS.iter().flat_map(|program| searches.map(|options| (program, options))) {
        let path = folder.join(name).to_string_lossy().into_owned();
        let words = [&["check", &path, "--keep-going", "--json"], options].concat();
        let one = output(&words);
        let workers = [(); 2].map(|()| spawn(&["worker", &url, "--workers", "2", "--idle", "1s"]));
        let many = output(&[&words[..], &["--cluster", &url]].concat());
        assert_eq!(counts(&many), counts(&one), "{name} {options:?}: {}", text(&many.stderr));
        assert_eq!(many.status.code(), one.status.code(), "{name} {options:?}");
        for worker in workers {
            let said = worker.wait_with_output().expect("its output");
            assert!(said.status.success(), "{name} {options:?}: {}", text(&said.stderr));
        }
    }
    std::fs::remove_dir_all(folder).expect("the folder");
}

/// Shared memory that is found out late, a loop that waits, threads that are created late, and a failure.
const PROGRAMS: [(&str, &str); 3] = [
    (
        "counts.c",
        r#"
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y, z;
int rare;
void *work(void *n) {
    atomic_fetch_add(&x, 1);
    atomic_store(&y, (int)(long)n);
    if (atomic_load(&z) == 2 && atomic_load(&x) == 3) rare++;
    atomic_fetch_add(&z, 1);
    return 0;
}
int main(void) {
    pthread_t t[4];
    for (long n = 0; n < 4; n++) pthread_create(&t[n], 0, work, (void *)n);
    for (int n = 0; n < 4; n++) pthread_join(t[n], 0);
}
"#,
    ),
    (
        "late.c",
        r#"
#include <pthread.h>
#include <stdatomic.h>
atomic_int flag, x;
void *leaf(void *_) { atomic_fetch_add(&x, 1); return 0; }
void *work(void *_) {
    pthread_t t;
    int seen = atomic_fetch_add(&x, 1);
    if (seen == 1) { pthread_create(&t, 0, leaf, 0); pthread_join(t, 0); }
    atomic_store(&flag, 1);
    return 0;
}
int main(void) {
    pthread_t t[2];
    for (int n = 0; n < 2; n++) pthread_create(&t[n], 0, work, 0);
    while (!atomic_load(&flag)) ;
    atomic_fetch_add(&x, 1);
    for (int n = 0; n < 2; n++) pthread_join(t[n], 0);
}
"#,
    ),
    (
        "lost.c",
        r#"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int count;
void *work(void *_) { int seen = atomic_load(&count); atomic_store(&count, seen + 1); return 0; }
int main(void) {
    pthread_t t[3];
    for (int n = 0; n < 3; n++) pthread_create(&t[n], 0, work, 0);
    for (int n = 0; n < 3; n++) pthread_join(t[n], 0);
    assert(atomic_load(&count) == 3);
}
"#,
    ),
];
