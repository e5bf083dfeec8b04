//! Workers on a network of their own lose the wire to the server for longer than their lease, again and again: the total is that
//! of one machine.
//!
//! Two network namespaces are made for it, with a wire between them. Where this process may not do so, it is left out: `torture`
//! cuts connections by a proxy everywhere.

mod common;
#[path = "common/watch.rs"]
mod watch;

use common::server::Server;
use common::{Manner, alone, assert_same, built_in, going_on, make_schema, open, reported, start, work_on};
use mazurka_cluster::RunState;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use watch::wait_for_more;

const WORKER: &str = "MAZURKA_TEST_WORKER";
const LEASE: Duration = Duration::from_millis(700);
const NETWORK: &str = "10.213.77.0/30";
const ADDRESSES: [&str; 2] = ["10.213.77.1", "10.213.77.2"];

/// No test by itself: what the other starts as a process of its own.
#[test]
fn worker_process() {
    let Ok(told) = std::env::var(WORKER) else { return };
    let (url, run) = told.split_once('|').expect("two words");
    let mut store = open(url, "process");
    store.set_lease(LEASE);
    let run = store.run(run.parse().expect("a number")).expect("the run");
    work_on(&mut store, &run, &Manner { slice: Duration::from_millis(60), ..Manner::default() }).expect("it works");
}

/// Two namespaces: the server's and the workers'.
struct Network([String; 2]);

fn ip(words: &[&str]) -> bool {
    let done = Command::new("ip").args(words).stdout(Stdio::null()).stderr(Stdio::null()).status();
    done.is_ok_and(|done| done.success())
}

impl Network {
    /// None where this process may not make them.
    fn new() -> Option<Network> {
        let number = std::process::id();
        let network = Network([format!("mz{number}s"), format!("mz{number}w")]);
        let [server, workers] = network.0.each_ref().map(String::as_str);
        let wire = ["-n", server, "link", "add", "wire", "type", "veth", "peer", "name", "wire", "netns", workers];
        let is_made = network.0.iter().all(|name| ip(&["netns", "add", name])) && ip(&wire);
        let is_up = |(name, address): (&String, &str)| {
            ip(&["-n", name, "addr", "add", &format!("{address}/30"), "dev", "wire"])
                && ip(&["-n", name, "link", "set", "lo", "up"])
                && ip(&["-n", name, "link", "set", "wire", "up"])
        };
        (is_made && network.0.iter().zip(ADDRESSES).all(is_up)).then_some(network)
    }

    /// Takes the wire out at one end, and puts it back in.
    fn cut(&self, end: usize, time: Duration) {
        assert!(ip(&["-n", &self.0[end], "link", "set", "wire", "down"]));
        thread::sleep(time);
        assert!(ip(&["-n", &self.0[end], "link", "set", "wire", "up"]));
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        for name in &self.0 {
            ip(&["netns", "del", name]);
        }
    }
}

/// A worker in a namespace, or in that of this process.
fn spawn(namespace: Option<&str>, url: &str, run: i64) -> Child {
    let this = std::env::current_exe().expect("this program");
    let mut command = Command::new(namespace.map_or(this.as_path(), |_| "ip".as_ref()));
    if let Some(namespace) = namespace {
        command.args(["netns", "exec", namespace]).arg(&this);
    }
    command.args(["worker_process", "--exact", "--nocapture", "--test-threads=1"]).env(WORKER, format!("{url}|{run}"));
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a process")
}

#[test]
fn workers_that_are_cut_off_change_no_total() {
    let Some(network) = Network::new() else {
        eprintln!("left out: this process may not make network namespaces");
        return;
    };
    let Some(mut server) = Server::start("network") else { return };
    server.move_to(&network.0[0], ADDRESSES[0], NETWORK);
    let text = built_in("lastzero", &[17]);
    let one = alone(&text, &going_on());
    let mut random = fastrand::Rng::with_seed(7);
    let near = server.url("network");
    make_schema(&near, "network");
    let far = format!("postgres://mazurka@{}/postgres?options=-c%20search_path%3Dnetwork", ADDRESSES[0]);
    let mut store = open(&near, "watcher");
    let run = start(&mut store, &text, &going_on());
    let mut workers: Vec<Child> = (0..2).map(|_| spawn(Some(&network.0[1]), &far, run.run)).collect();
    let started = Instant::now();
    // As long as only those who are cut off work, the run cannot end while the wire is out: two cuts hit it on any machine.
    let mut cuts = 0;
    let mut last = 0;
    for end in 0..2 {
        last = wait_for_more(&mut store, &run, last);
        network.cut(end, LEASE + Duration::from_millis(random.u64(100..600)));
        cuts += 1;
    }
    // One is never cut off, and takes over what the others cannot bring back.
    workers.push(spawn(None, &near, run.run));
    while store.version(&run).expect("the run").state == RunState::Open {
        assert!(started.elapsed() < Duration::from_secs(240), "it does not end");
        thread::sleep(Duration::from_millis(random.u64(200..600)));
        network.cut(random.usize(..2), LEASE + Duration::from_millis(random.u64(100..600)));
        cuts += 1;
    }
    for worker in &mut workers {
        let waited = Instant::now();
        while worker.try_wait().expect("it is this process's").is_none() {
            assert!(waited.elapsed() < Duration::from_secs(60), "a worker does not end");
            thread::sleep(Duration::from_millis(10));
        }
    }
    let run = store.run(run.run).expect("the run");
    assert_same(&reported(&mut store, &run), &one, "cut off");
    assert_eq!(store.verdict(&run).expect("a verdict").set_aside.len(), 0);
    println!("{cuts} cuts: {} executions, exact; {:.1} s", one.tally.executions(), started.elapsed().as_secs_f64());
}
