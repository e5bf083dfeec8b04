//! The oracle's laws hold of programs made of std's mirrors: every algorithm reaches exactly the classes that running every
//! interleaving reaches, an optimal one reaches none twice and is never blocked (crate `laws`).

use explore::SchedulingOrder;
use fiber::{FiberProgram, Lesson, Lessons, Options};
use laws::Checked;
use mazurka::actor::{self, Me, Message, Reason, Table};
use mazurka::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, Ordering::SeqCst};
use mazurka::sync::{Arc, Barrier, Condvar, Mutex, Once, RwLock, mpsc};
use mazurka::{hint, thread};
use std::time::Duration;

#[derive(Debug)]
struct ReplyTo(actor::ReplyTo<u32>);

impl Message for ReplyTo {}

#[track_caller]
fn lawful(body: impl Fn() + Send + Sync + 'static) {
    lawful_knowing(Lessons::default(), body);
}

/// With what is to be learnt of the program first, for which a check would begin anew.
#[track_caller]
fn lawful_knowing(lessons: Lessons, body: impl Fn() + Send + Sync + 'static) {
    let program = FiberProgram::new(body, Options::default());
    program.set_lessons(lessons);
    let orders = [SchedulingOrder::FirstCreated, SchedulingOrder::LastCreated];
    let checked = loop {
        let knowledge = program.knowledge();
        let checked = laws::check(&program, &orders, 200_000);
        // As a check does: what a run shows of its references is known from the start of the next search.
        if program.knowledge() == knowledge {
            break checked;
        }
    };
    match checked {
        Ok(Checked::Holds { classes }) => println!("{classes} classes"),
        Ok(Checked::TooLarge) => panic!("too many interleavings for the oracle"),
        Err(violation) => panic!("{violation}"),
    }
}

fn both<T: Send + Sync + 'static>(shared: T, f: impl Fn(&T, u32) + Send + Sync + Copy + 'static) {
    let shared = Arc::new(shared);
    for i in 0..2 {
        let shared = shared.clone();
        thread::spawn(move || f(&shared, i));
    }
}

#[test]
fn read_modify_writes_of_any_width() {
    lawful(|| {
        both(AtomicU8::new(250), |x, i| {
            x.fetch_add(10, SeqCst);
            let _ = x.compare_exchange(4, 9 + i as u8, SeqCst, SeqCst);
            x.fetch_max(7, SeqCst);
        });
    });
}

#[test]
fn waits_that_time_out() {
    lawful(|| {
        both((Mutex::new(0), Condvar::new()), |(mutex, condvar), i| {
            let mut guard = mutex.lock().unwrap();
            if i == 0 {
                drop(condvar.wait_timeout(guard, Duration::ZERO).unwrap());
            } else {
                *guard = 1;
                condvar.notify_one();
            }
        });
    });
    lawful(|| {
        let pair = Arc::new((Mutex::new(0), Condvar::new()));
        let timed = pair.clone();
        thread::spawn(move || drop(timed.1.wait_timeout(timed.0.lock().unwrap(), Duration::ZERO).unwrap()));
        let waits = pair.clone();
        thread::spawn(move || drop(waits.1.wait(waits.0.lock().unwrap()).unwrap()));
        pair.1.notify_one();
    });
}

#[test]
fn channels() {
    lawful(|| {
        let (sender, receiver) = mpsc::channel();
        let other = sender.clone();
        thread::spawn(move || sender.send(1));
        thread::spawn(move || other.send(2));
        let _ = receiver.recv();
        let _ = receiver.try_recv();
    });
    lawful(|| {
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            let _ = sender.send(1);
            let _ = sender.send(2);
        });
        receiver.iter().count();
    });
    lawful(|| {
        let (sender, receiver) = mpsc::sync_channel(1);
        thread::spawn(move || {
            let _ = sender.send(1);
            let _ = sender.send(2);
        });
        let _ = receiver.recv();
    });
    lawful(|| {
        let (sender, receiver) = mpsc::sync_channel(0);
        thread::spawn(move || sender.send(1));
        let _ = receiver.recv_timeout(Duration::ZERO);
    });
}

#[test]
fn channels_that_close() {
    lawful(|| {
        let (sender, receiver) = mpsc::channel();
        let other = sender.clone();
        thread::spawn(move || sender.send(1));
        thread::spawn(move || drop(receiver));
        let _ = other.send(2);
    });
    lawful(|| {
        let (sender, receiver) = mpsc::channel::<u8>();
        thread::spawn(move || drop(sender));
        let _ = receiver.try_recv();
    });
    lawful(|| {
        let (sender, receiver) = mpsc::sync_channel(1);
        thread::spawn(move || drop(receiver));
        let _ = sender.try_send(1);
        let _ = sender.send(2);
    });
    lawful_knowing(Lessons::default().with(Lesson::Polls), || {
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || sender.send(1));
        while receiver.try_recv().is_err() {
            thread::yield_now();
        }
    });
}

#[test]
fn actors() {
    lawful(|| {
        let me = actor::here("main");
        for number in 0..2 {
            let main = me.address();
            actor::spawn("sender", move |_: &Me<()>| main.send(number));
        }
        let first = me.receive();
        let _ = me.receive_timeout(Duration::ZERO);
        assert!(first < 2);
    });
    lawful(|| {
        let server = actor::spawn("server", |me: &Me<ReplyTo>| {
            if let Some(ReplyTo(reply)) = me.receive_timeout(Duration::ZERO) {
                reply.send(1);
            }
        });
        let _ = server.ask(ReplyTo);
    });
    lawful(|| {
        let table = Table::new("table");
        for value in 0..2 {
            let table = table.clone();
            thread::spawn(move || table.insert_new("a", value) || table.delete("a").is_some());
        }
        let _ = table.update_counter("a", 1);
    });
}

#[test]
fn actors_that_are_killed() {
    let signals = Lessons::default().with(Lesson::Signals);
    lawful_knowing(signals, || {
        let victim = actor::spawn("victim", |me: &Me<u32>| me.receive_timeout(Duration::ZERO).map_or((), drop));
        victim.kill();
        victim.send(1);
    });
    lawful_knowing(signals, || {
        let me = actor::here::<u32>("main");
        me.trap_exits(|_| 1);
        me.spawn_link("child", |me: &Me<u32>| me.exit(Reason::Shutdown));
        let _ = me.receive_timeout(Duration::ZERO);
    });
}

#[test]
fn parking() {
    lawful(|| {
        let main = thread::current();
        for _ in 0..2 {
            let main = main.clone();
            thread::spawn(move || main.unpark());
        }
        thread::park();
        thread::park_timeout(Duration::ZERO);
        thread::park();
    });
}

#[test]
fn a_rendezvous() {
    lawful(|| {
        let (sender, receiver) = mpsc::sync_channel(0);
        let other = sender.clone();
        thread::spawn(move || {
            let _ = receiver.recv();
            let _ = receiver.try_recv();
        });
        thread::spawn(move || other.try_send(1));
        let _ = sender.try_send(2);
    });
}

#[test]
fn loops_that_wait() {
    lawful(|| {
        both((AtomicBool::new(false), AtomicBool::new(false)), |(a, b), i| {
            if i == 0 {
                a.store(true, SeqCst);
                b.store(true, SeqCst);
            } else {
                while !b.load(SeqCst) {
                    hint::spin_loop();
                }
                assert!(a.load(SeqCst));
            }
        });
    });
    lawful(|| {
        both(AtomicBool::new(false), |lock, _| {
            while lock.swap(true, SeqCst) {
                thread::yield_now();
            }
            lock.store(false, SeqCst);
        });
    });
    lawful(|| {
        both([AtomicU32::new(0), AtomicU32::new(0)], |x, i| {
            if i == 0 {
                x[0].store(1, SeqCst);
                x[1].store(1, SeqCst);
            } else {
                while x[0].load(SeqCst) == 0 || x[1].load(SeqCst) == 0 {
                    thread::yield_now();
                }
            }
        });
    });
    lawful(|| {
        both(Mutex::new(false), |ready, i| {
            if i == 0 {
                *ready.lock().unwrap() = true;
            } else {
                while !*ready.lock().unwrap() {
                    thread::yield_now();
                }
            }
        });
    });
}

#[test]
fn locks_barriers_and_onces() {
    lawful(|| {
        both(RwLock::new(0), |lock, i| {
            if lock.try_read().is_ok_and(|value| *value == i) {
                *lock.write().unwrap() += 1;
            }
        });
    });
    lawful(|| {
        both(Barrier::new(2), |barrier, _| {
            barrier.wait();
            barrier.wait();
        });
    });
    lawful(|| {
        both((Once::new(), AtomicU32::new(0)), |(once, x), i| {
            once.call_once(|| x.store(i, SeqCst));
            assert!(once.is_completed());
        });
    });
}

#[test]
fn scopes_and_choices() {
    lawful(|| {
        let x = AtomicU32::new(0);
        thread::scope(|scope| {
            scope.spawn(|| x.store(1, SeqCst));
            let by = mazurka::choose(3) as u32;
            mazurka::assume(by != 1);
            x.fetch_add(by, SeqCst);
        });
        assert_ne!(x.load(SeqCst), 3, "stored before added");
    });
}

/// Stores who it was dropped by.
struct Last(Arc<AtomicU32>, AtomicU32);

impl Drop for Last {
    fn drop(&mut self) {
        self.0.store(self.1.load(SeqCst), SeqCst);
    }
}

#[test]
fn references() {
    lawful(|| {
        let value = Arc::new(1);
        let weak = Arc::downgrade(&value);
        let other = value.clone();
        thread::spawn(move || drop(other.clone()));
        thread::spawn(move || weak.upgrade().is_some());
        drop(value);
    });
    lawful(|| {
        let mut value = Arc::new(1);
        let weak = Arc::downgrade(&value);
        let other = value.clone();
        thread::spawn(move || drop(weak));
        thread::spawn(move || Arc::try_unwrap(other).is_ok());
        *Arc::make_mut(&mut value) = 2;
        let _ = Arc::into_inner(value);
    });
    lawful(|| {
        let seen = Arc::new(AtomicU32::new(0));
        let value = Arc::new(Last(seen.clone(), AtomicU32::new(0)));
        for i in 1..3 {
            let value = value.clone();
            thread::spawn(move || value.1.store(i, SeqCst));
        }
        drop(value);
        seen.load(SeqCst);
    });
    lawful(|| {
        let value = Arc::new(1);
        for _ in 0..2 {
            let value = value.clone();
            thread::spawn(move || drop(value));
        }
        while Arc::strong_count(&value) > 1 {
            thread::yield_now();
        }
    });
}
