//! Workers are killed at any instruction and at every point of the protocol, paused beyond their lease and woken, cut off, and
//! the server is killed and started again: every total is that of one machine.

mod common;
#[path = "common/models.rs"]
mod models;
#[path = "common/watch.rs"]
mod watch;

use common::server::{Server, address};
use common::{Manner, alone, assert_same, built_in, going_on, make_schema, open, parsed, reported, start, work_on};
use mazurka_cluster::{Moment, Run, RunState, Store};
use models::{alone_under, reported_under, start_under};
use std::cell::Cell;
use std::io::{Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};
use watch::wait_for_more;

/// What a worker process is told: the address and the run, and at which point of the protocol to die, the how-manieth time.
const WORKER: &str = "MAZURKA_TEST_WORKER";
const LEASE: Duration = Duration::from_millis(700);

const MOMENTS: [Moment; 7] = [
    Moment::Leased,
    Moment::Sliced,
    Moment::Committed,
    Moment::Finishing,
    Moment::Finished,
    Moment::Learning,
    Moment::Learnt,
];

/// The points that every worker comes to.
const EVERYONES: [Moment; 3] = [Moment::Leased, Moment::Sliced, Moment::Committed];

/// No test by itself: what the others start as a process of its own.
#[test]
fn worker_process() {
    let Ok(told) = std::env::var(WORKER) else { return };
    let [url, run, moment, nth] = <[&str; 4]>::try_from(told.split('|').collect::<Vec<_>>()).expect("four words");
    let is_deadly = moment == DEADLY;
    let run: i64 = run.parse().expect("a number");
    let left = Cell::new(nth.parse::<u32>().expect("a number"));
    let at = |now: Moment| {
        if format!("{now:?}") == moment {
            left.set(left.get().saturating_sub(1));
            if left.get() == 0 {
                std::process::abort();
            }
        }
    };
    let mut store = open(url, "process");
    store.set_lease(LEASE);
    let run = store.run(run).expect("the run");
    let manner = Manner { slice: Duration::from_millis(60), workers: 2, at: &at, is_deadly };
    work_on(&mut store, &run, &manner).expect("it works");
}

/// In the place of a point of the protocol: an execution that writes [`common::DEADLY_WORD`] ends the process.
const DEADLY: &str = "deadly";

fn spawn(url: &str, run: i64, dies: Option<(Moment, u32)>) -> Child {
    let (moment, nth) = dies.map_or((String::new(), 0), |(moment, nth)| (format!("{moment:?}"), nth));
    spawn_by(url, run, &moment, nth)
}

fn spawn_by(url: &str, run: i64, moment: &str, nth: u32) -> Child {
    Command::new(std::env::current_exe().expect("this program"))
        .args(["worker_process", "--exact", "--nocapture", "--test-threads=1"])
        .env(WORKER, format!("{url}|{run}|{moment}|{nth}"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("a process")
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(sent.expect("kill").success());
}

/// What happens to a run.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Torture {
    /// Workers are killed at any instruction.
    Kills,
    /// Workers die at points of the protocol.
    Points,
    /// Workers are paused beyond their lease, and woken.
    Pauses,
    /// The server is killed, and started again.
    Server,
    /// Connections are cut.
    Cuts,
}

/// Passes connections on to a server, until they are cut.
struct Proxy {
    folder: PathBuf,
    open: Arc<Mutex<Vec<UnixStream>>>,
}

impl Proxy {
    fn start(server: &Path, name: &str) -> Proxy {
        let folder = server.join(name);
        std::fs::create_dir_all(&folder).expect("a folder");
        let socket = ".s.PGSQL.5432";
        let listener = UnixListener::bind(folder.join(socket)).expect("a socket");
        let open: Arc<Mutex<Vec<UnixStream>>> = Arc::default();
        let (kept, target) = (open.clone(), server.join(socket));
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let Ok(server) = UnixStream::connect(&target) else { continue };
                let streams = [&client, &server].map(|stream| stream.try_clone().expect("a stream"));
                kept.lock().expect("no panic").extend(streams);
                let (mut a, mut b) = (client.try_clone().expect("a stream"), server.try_clone().expect("a stream"));
                let (mut c, mut d) = (server, client);
                thread::spawn(move || pass(&mut a, &mut b));
                thread::spawn(move || pass(&mut c, &mut d));
            }
        });
        Proxy { folder, open }
    }

    /// Cuts all connections, at whatever byte they are.
    fn cut(&self) {
        for stream in self.open.lock().expect("no panic").drain(..) {
            let _ = stream.shutdown(std::net::Shutdown::Both);
        }
    }
}

fn pass(from: &mut UnixStream, to: &mut UnixStream) {
    let mut bytes = [0; 4096];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        if to.write_all(&bytes[..count]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(std::net::Shutdown::Both);
}

/// Keeps three workers at a run, with what happens to them, until it is over. Says how many were lost.
fn torture(
    server: &mut Server,
    schema: &str,
    torture: Torture,
    begin: &dyn Fn(&mut Store) -> Run,
    seed: u64,
) -> (Store, Run, u32) {
    let mut random = fastrand::Rng::with_seed(seed);
    let url = server.url(schema);
    make_schema(&url, schema);
    let mut store = open(&url, "watcher");
    let run = begin(&mut store);
    let proxy = (torture == Torture::Cuts).then(|| Proxy::start(server.folder(), schema));
    let worker_url = proxy.as_ref().map_or_else(|| url.clone(), |proxy| address(&proxy.folder, schema));
    let dies = |random: &mut fastrand::Rng| {
        let moment = MOMENTS[random.usize(..MOMENTS.len())];
        // A run begins anew once or twice.
        let is_rare = matches!(moment, Moment::Learning | Moment::Learnt);
        let nth = if is_rare { 1 } else { random.u32(1..6) };
        (torture == Torture::Points).then_some((moment, nth))
    };
    let mut strike = |workers: &mut [Child], random: &mut fastrand::Rng| {
        let struck = random.usize(..workers.len());
        match torture {
            Torture::Kills => {
                workers[struck].kill().expect("it is this process's");
                workers[struck].wait().expect("it is this process's");
            }
            Torture::Pauses => {
                signal(&workers[struck], "-STOP");
                thread::sleep(LEASE + Duration::from_millis(random.u64(200..600)));
                signal(&workers[struck], "-CONT");
            }
            Torture::Server => {
                server.kill();
                thread::sleep(Duration::from_millis(random.u64(1..400)));
                server.launch();
            }
            Torture::Cuts => proxy.iter().for_each(Proxy::cut),
            // It dies by itself.
            Torture::Points => {}
        }
    };
    // The first blow strikes one who works alone, so that on a fast machine, too, a run is not over before it.
    let first = (torture == Torture::Points).then(|| (EVERYONES[random.usize(..EVERYONES.len())], 1));
    let mut workers = vec![spawn(&worker_url, run.run, first)];
    if torture == Torture::Points {
        workers[0].wait().expect("it is this process's");
    } else {
        wait_for_more(&mut store, &run, 0);
        strike(&mut workers, &mut random);
    }
    workers.extend((1..3).map(|_| spawn(&worker_url, run.run, dies(&mut random))));
    let (mut lost, started) = (0, Instant::now());
    loop {
        assert!(started.elapsed() < Duration::from_secs(120), "{torture:?} with seed {seed} does not end");
        let is_over = store.version(&run).expect("the run").state != RunState::Open;
        for worker in &mut workers {
            if worker.try_wait().expect("it is this process's").is_some() && !is_over {
                lost += 1;
                *worker = spawn(&worker_url, run.run, dies(&mut random));
            }
        }
        if is_over {
            break;
        }
        thread::sleep(Duration::from_millis(random.u64(30..250)));
        // A server takes long to come back.
        if torture != Torture::Server || random.u8(..4) == 0 {
            strike(&mut workers, &mut random);
        }
    }
    for mut worker in workers {
        // The run is over: all end by themselves.
        let waited = Instant::now();
        while worker.try_wait().expect("it is this process's").is_none() {
            assert!(waited.elapsed() < Duration::from_secs(60), "a worker does not end");
            thread::sleep(Duration::from_millis(10));
        }
    }
    (store, run, lost)
}

/// So many seeds of each torture; more are run by hand.
fn rounds() -> u64 {
    std::env::var("MAZURKA_TORTURE_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(1)
}

#[test]
fn whatever_happens_totals_are_exact() {
    let Some(mut server) = Server::start("torture") else { return };
    let text = built_in("lastzero", &[17]);
    let one = alone(&text, &going_on());
    for seed in 0..rounds() {
        for kind in TORTURES {
            let begin = |store: &mut Store| start(store, &text, &going_on());
            endure(&mut server, kind, seed, &begin, &|store, run, what| {
                assert_same(&reported(store, run), &one, what);
                one.tally.executions()
            });
        }
    }
}

/// The same under a memory model, whose tasks and lessons are others.
#[test]
fn whatever_happens_totals_under_a_memory_model_are_exact() {
    let Some(mut server) = Server::start("graphs") else { return };
    let text = built_in("lost_update", &[6]);
    let one = alone_under("rc11", &text, &going_on());
    for seed in 0..rounds() {
        // In the ordinary run, one after the other would only be the same once more.
        let kinds = if rounds() > 1 { &TORTURES[..] } else { &[Torture::Kills, Torture::Server][..] };
        for &kind in kinds {
            let begin = |store: &mut Store| start_under("rc11", store, &text, &going_on());
            endure(&mut server, kind, seed, &begin, &|store, run, what| {
                assert_eq!(reported_under(store, run), one, "{what}");
                one.executions
            });
        }
    }
}

const TORTURES: [Torture; 5] = [Torture::Kills, Torture::Points, Torture::Pauses, Torture::Server, Torture::Cuts];

/// One run with what happens to it. `is_exact` says how many executions it has.
fn endure(
    server: &mut Server,
    kind: Torture,
    seed: u64,
    begin: &dyn Fn(&mut Store) -> Run,
    is_exact: &dyn Fn(&mut Store, &Run, &str) -> u64,
) {
    let schema = format!("t{seed}_{kind:?}").to_lowercase();
    let (started, what) = (Instant::now(), format!("{kind:?}, seed {seed}"));
    let (mut store, run, lost) = torture(server, &schema, kind, begin, seed);
    let executions = is_exact(&mut store, &run, &what);
    let aside = store.verdict(&run).expect("a verdict").set_aside.len();
    assert_eq!(aside, 0, "{what}");
    assert!(lost > 0 || !matches!(kind, Torture::Kills | Torture::Points), "{what}: nothing happened");
    let seconds = started.elapsed().as_secs_f64();
    println!("{what}: {executions} executions, exact; {lost} workers lost; {seconds:.1} s");
}

#[test]
fn an_execution_that_ends_its_worker_is_set_aside() {
    let Some(server) = Server::start("deadly") else { return };
    let url = server.url("deadly");
    make_schema(&url, "deadly");
    let mut store = open(&url, "watcher");
    let text = "var x; r = x; if r == 1 { x = 666 } | x = 1";
    let run = start(&mut store, text, &going_on());
    let mut lost = 0;
    while store.version(&run).expect("the run").state == RunState::Open {
        assert!(lost < 40, "it goes on for ever");
        let ended = spawn_by(&url, run.run, DEADLY, 0).wait().expect("it ends");
        lost += u32::from(!ended.success());
    }
    let report = reported(&mut store, &run);
    assert!(!report.exhaustive && report.stopped, "{report:?}");
    let aside = store.verdict(&run).expect("a verdict").set_aside;
    assert!(report.tally.executions() == 1 && lost >= 5 && aside.len() == 1, "{:?}, {lost}, {aside:?}", report.tally);
    for schedule in aside {
        let again = explore::replay(&parsed(text), &schedule.parse().expect("a schedule"), &going_on(), &mut ());
        assert!(again.is_ok(), "{schedule}");
    }
}

/// Without exactly-once commits, the same happens to be counted twice: the torture is able to fail.
#[test]
fn a_store_that_forgets_to_remove_tasks_is_noticed() {
    let Some(server) = Server::start("control") else { return };
    let url = server.url("control");
    make_schema(&url, "control");
    let text = built_in("lastzero", &[9]);
    let mut store = open(&url, "worker");
    let run = start(&mut store, &text, &going_on());
    let mut client = postgres::Client::connect(&url, postgres::NoTls).expect("a server");
    // Every task that is removed comes back once.
    client
        .batch_execute(
            "CREATE TABLE back(uid bigint PRIMARY KEY);
             CREATE FUNCTION again() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
               IF NOT EXISTS (SELECT 1 FROM back WHERE uid = OLD.uid) THEN
                 INSERT INTO back VALUES (OLD.uid);
                 INSERT INTO mazurka_task(run, version, uid, payload, tasks, share)
                   VALUES (OLD.run, OLD.version, OLD.uid, OLD.payload, OLD.tasks, OLD.share);
               END IF; RETURN OLD; END $$;
             CREATE TRIGGER again AFTER DELETE ON mazurka_task FOR EACH ROW EXECUTE FUNCTION again();",
        )
        .expect("a trigger");
    let manner = Manner { slice: Duration::from_secs(5), ..Manner::default() };
    let worked = work_on(&mut store, &run, &manner).expect("it works");
    assert_eq!(worked.state, Some(RunState::Failed));
    assert!(store.verdict(&run).expect("a verdict").problem.is_some_and(|problem| problem.contains("lost tasks")));
}
