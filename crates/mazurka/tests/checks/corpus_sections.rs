//! The programs of the paper on quasi-optimal partial order reduction, made of critical sections, written in Rust: as many
//! classes as their litmus forms have (`corpus/`).

use crate::common::classes;
use mazurka::sync::{Arc, Mutex};
use mazurka::thread;

fn mutexes<T: Default>(n: usize) -> Arc<Vec<Mutex<T>>> {
    Arc::new((0..n).map(|_| Mutex::new(T::default())).collect())
}

/// A dispatcher gives requests to servers, of which another thread chooses one.
fn disp(servers: usize, requests: usize) {
    let served = mutexes::<(u32, u32)>(servers);
    let chosen = Arc::new(Mutex::new(0));
    for x in 0..servers {
        let served = served.clone();
        thread::spawn(move || {
            let mut server = served[x].lock().unwrap();
            if server.0 > 0 {
                server.1 = server.0;
            }
        });
    }
    for _ in 0..requests {
        let choice = chosen.clone();
        let pick = thread::spawn(move || (0..servers).for_each(|x| *choice.lock().unwrap() = x));
        let to = *chosen.lock().unwrap();
        served[to].lock().unwrap().0 += 1;
        pick.join().unwrap();
    }
}

#[test]
fn dispatcher() {
    for servers in 2..=6 {
        classes((4 * servers * servers + 7 * servers + 2) as u64, move || disp(servers, 2));
    }
    classes(1482, || disp(5, 3));
    classes(6854, || disp(4, 4));
}

/// Writers of places, and readers of them one after the other.
fn mpat(k: usize) {
    let places = mutexes::<()>(k);
    let all = Arc::new(Mutex::new(()));
    for i in 0..k {
        let (writes, reads, all) = (places.clone(), places.clone(), all.clone());
        thread::spawn(move || drop(writes[i].lock().unwrap()));
        thread::spawn(move || {
            let _all = all.lock().unwrap();
            drop(reads[i].lock().unwrap());
        });
    }
}

#[test]
fn mpat_is_every_order_of_the_readers_and_two_of_each_place() {
    classes(2, || mpat(1));
    classes(4 * 2, || mpat(2));
    classes(8 * 6, || mpat(3));
    classes(16 * 24, || mpat(4));
}

/// Producers change a buffer twice, and give work to the worker that it then names; workers look for it twice.
fn mpc(producers: u32, workers: usize) {
    let requests = mutexes::<u32>(workers);
    let buffer = Arc::new(Mutex::new(0u32));
    for i in 0..workers {
        let requests = requests.clone();
        thread::spawn(move || {
            for _ in 0..2 {
                let mut open = requests[i].lock().unwrap();
                *open = open.saturating_sub(1);
            }
        });
    }
    for i in 0..producers {
        let (requests, buffer) = (requests.clone(), buffer.clone());
        thread::spawn(move || {
            let produce = || {
                let mut buffer = buffer.lock().unwrap();
                *buffer = buffer.wrapping_mul(producers).wrapping_add(i);
                *buffer as usize
            };
            produce();
            let worker = produce() % workers;
            *requests[worker].lock().unwrap() += 1;
        });
    }
}

#[test]
fn producers_and_workers() {
    classes(60, || mpc(2, 5));
    classes(2430, || mpc(3, 3));
    classes(3486, || mpc(3, 4));
    classes(2958, || mpc(3, 5));
}

/// Threads add their part of a sum.
fn pi(n: u32) {
    let sum = Arc::new(Mutex::new(0));
    let threads: Vec<_> = (0..n)
        .map(|mine| {
            let sum = sum.clone();
            thread::spawn(move || *sum.lock().unwrap() += mine)
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    assert_eq!(*sum.lock().unwrap(), n * (n - 1) / 2);
}

#[test]
fn pi_is_every_order() {
    for (n, orders) in [(2, 2), (3, 6), (4, 24), (5, 120), (6, 720)] {
        classes(orders, move || pi(n));
    }
}

/// One thread chooses a place, another looks there, for some rounds.
fn pol(n: usize, rounds: usize) {
    let places = mutexes::<bool>(n);
    let chosen = Arc::new(Mutex::new(0));
    let writers: Vec<_> = (0..n)
        .map(|x| {
            let places = places.clone();
            thread::spawn(move || *places[x].lock().unwrap() = true)
        })
        .collect();
    for _ in 0..rounds {
        let (choice, looked, places) = (chosen.clone(), chosen.clone(), places.clone());
        let choice = thread::spawn(move || (1..n).for_each(|x| *choice.lock().unwrap() = x));
        let reader = thread::spawn(move || {
            let at = *looked.lock().unwrap();
            *places[at].lock().unwrap() = false;
        });
        choice.join().unwrap();
        reader.join().unwrap();
    }
    writers.into_iter().for_each(|writer| writer.join().unwrap());
}

#[test]
fn poke() {
    for n in 2..=7 {
        classes(2 * n as u64, move || pol(n, 1));
        classes((4 * n * n - n) as u64, move || pol(n, 2));
    }
    classes(2440, || pol(7, 3));
}

/// Source-DPOR is blocked by sleep sets exponentially often.
fn ssbexp(k: usize) {
    let places = mutexes::<()>(k);
    let chosen = Arc::new(Mutex::new(0));
    let mut threads: Vec<_> = (0..k)
        .map(|x| {
            let places = places.clone();
            thread::spawn(move || drop(places[x].lock().unwrap()))
        })
        .collect();
    let count = chosen.clone();
    threads.push(thread::spawn(move || (1..k).for_each(|x| *count.lock().unwrap() = x)));
    let at = *chosen.lock().unwrap();
    drop(places[at].lock().unwrap());
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}

#[test]
fn ssbexp_is_linear() {
    for k in 2..=10 {
        classes(2 * k as u64, move || ssbexp(k));
    }
}
