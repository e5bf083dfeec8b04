//! Actors do what Erlang's processes do, in every execution.

use crate::common::{outcomes, proved};
use mazurka::actor::{self, Address, Child, Down, Exit, Me, Message, Names, NoReply, Reason, ReplyTo, Restart, Table};
use mazurka::sync::atomic::{AtomicU32, Ordering::SeqCst};
use mazurka::sync::{Arc, Mutex};
use mazurka::{Checker, FindingKind, receive, thread};
use std::time::Duration;

#[derive(Debug, Message)]
enum Note {
    Number(u32),
    Pair { left: u32, right: u32 },
    Ended(Down),
    Exited(Exit),
    Stop,
}

#[derive(Debug, Message)]
enum Account {
    Balance(ReplyTo<u32>),
    Set(u32),
    Close,
}

/// The example of the guide, docs/actors.md.
#[test]
fn two_deposits_of_which_one_may_be_lost() {
    let balances = outcomes(|| {
        let account = actor::spawn("account", |me| {
            let mut balance = 0;
            loop {
                receive!(me, {
                    Account::Balance(reply) => reply.send(balance),
                    Account::Set(new) => balance = new,
                    Account::Close => return,
                });
            }
        });
        let me = actor::here("main");
        for name in ["one", "two"] {
            let (account, main) = (account.clone(), me.address());
            actor::spawn(name, move |_: &Me<()>| {
                let balance = account.ask(Account::Balance).unwrap();
                account.send(Account::Set(balance + 10));
                main.send(());
            });
        }
        me.receive();
        me.receive();
        let balance = account.ask(Account::Balance);
        account.send(Account::Close);
        balance.unwrap()
    });
    assert_eq!(balances, [10, 20]);
}

#[test]
fn messages_of_one_actor_arrive_in_order_and_of_several_in_any() {
    let orders = outcomes(|| {
        let me = actor::here("main");
        for first in [1, 3] {
            let main = me.address();
            actor::spawn("sender", move |_: &Me<()>| {
                main.send(first);
                main.send(first + 1);
            });
        }
        let all: Vec<u32> = (0..4).map(|_| me.receive()).collect();
        all
    });
    assert_eq!(orders.len(), 6, "{orders:?}");
    assert!(orders.iter().all(|all| {
        let place = |number| all.iter().position(|&other| other == number);
        place(1) < place(2) && place(3) < place(4)
    }));
}

#[test]
fn a_selective_receive_takes_the_oldest_that_matches_and_leaves_the_rest() {
    proved(|| {
        let me = actor::here("main");
        for note in [Note::Number(1), Note::Pair { left: 2, right: 3 }, Note::Number(4), Note::Stop] {
            me.address().send(note);
        }
        let pair = receive!(me, {
            Note::Pair { left, right } => (left, right),
            Note::Stop => unreachable!(),
        });
        assert_eq!(pair, (2, 3));
        let even = receive!(me, {
            Note::Number(number) if number % 2 == 0 => number,
        });
        assert_eq!(even, 4);
        // The message that the guard refused is older than the one that was never looked at.
        assert!(matches!(me.receive(), Note::Number(1)));
        let next = receive!(me, {
            Note::Number(_) => "number",
            other => if matches!(other, Note::Stop) { "stop" } else { "other" },
        });
        assert_eq!(next, "stop");
        assert!(me.receive_timeout(Duration::ZERO).is_none());
    });
}

#[test]
fn messages_that_a_receive_did_not_look_at_keep_their_age() {
    proved(|| {
        let me = actor::here("main");
        for note in [Note::Stop, Note::Number(1), Note::Number(2)] {
            me.address().send(note);
        }
        let two = receive!(me, {
            Note::Number(number) if number == 2 => number,
        });
        assert_eq!(two, 2);
        assert!(matches!(me.receive(), Note::Stop), "it is older than the number that was looked at");
        assert!(matches!(me.receive(), Note::Number(1)));
    });
}

#[test]
fn a_receive_with_a_time_out_ends_both_ways() {
    let ways = outcomes(|| {
        let me = actor::here("main");
        let main = me.address();
        actor::spawn("sender", move |_: &Me<()>| main.send(Note::Stop));
        receive!(me, {
            Note::Stop => "message",
            after => "time-out",
        })
    });
    assert_eq!(ways, ["message", "time-out"]);
}

#[derive(Debug, Message)]
enum Request {
    Increment(ReplyTo<u32>),
    Drop(ReplyTo<u32>),
    End,
}

fn counter(me: &Me<Request>) {
    let mut count = 0;
    loop {
        receive!(me, {
            Request::Increment(reply) => {
                count += 1;
                reply.send(count);
            },
            Request::Drop(reply) => drop(reply),
            Request::End => return,
        });
    }
}

#[test]
fn requests_are_replied_or_it_is_said_why_not() {
    proved(|| {
        let server = actor::spawn("counter", counter);
        assert_eq!(server.ask(Request::Increment), Ok(1));
        assert_eq!(server.ask(Request::Drop), Err(NoReply::Dropped));
        server.send(Request::End);
        assert_eq!(server.ask(Request::Increment), Err(NoReply::Ended));
        assert_eq!(server.ask(Request::Increment), Err(NoReply::Ended));
    });
    let replies = outcomes(|| {
        let server = actor::spawn("counter", counter);
        let reply = server.ask_timeout(Duration::from_secs(1), Request::Increment);
        server.send(Request::End);
        reply.ok()
    });
    assert_eq!(replies, [None, Some(1)]);
}

#[test]
fn monitors_tell_of_an_end_once_before_or_after_it() {
    let reasons = outcomes(|| {
        let me = actor::here("main");
        let worker = actor::spawn("worker", |me: &Me<()>| me.exit(Reason::Error("broken".to_owned())));
        me.monitor(&worker, Note::Ended);
        let down = receive!(me, {
            Note::Ended(down) => down,
        });
        assert_eq!(down.actor, worker.id());
        assert!(me.receive_timeout(Duration::ZERO).is_none());
        format!("{:?}", down.reason)
    });
    assert_eq!(reasons, ["Error(\"broken\")", "NoActor"]);
}

#[test]
fn an_exit_ends_those_who_are_linked_and_do_not_trap_it() {
    proved(|| {
        let me = actor::here("main");
        me.trap_exits(Note::Exited);
        let middle = me.spawn_link("middle", |me: &Me<()>| {
            me.spawn_link("leaf", |me: &Me<()>| me.exit(Reason::Error("leaf".to_owned())));
            me.receive();
            unreachable!("nobody sends it anything");
        });
        let exit = receive!(me, {
            Note::Exited(exit) => exit,
        });
        assert_eq!(exit, Exit { from: middle.id(), reason: Reason::Error("leaf".to_owned()) });
    });
    proved(|| {
        let me = actor::here("main");
        let child = me.spawn_link("child", |_: &Me<()>| {});
        me.monitor(&child, Note::Ended);
        // A normal end is no reason to end too.
        assert!(matches!(me.receive(), Note::Ended(_)));
    });
}

#[test]
fn an_actor_can_be_killed_before_each_of_its_operations() {
    let done = outcomes(|| {
        let me = actor::here("main");
        let steps = Table::new("steps");
        let theirs = steps.clone();
        let victim = actor::spawn("victim", move |me: &Me<Note>| {
            me.trap_exits(Note::Exited);
            theirs.insert("first", ());
            theirs.insert("second", ());
        });
        me.monitor(&victim, Note::Ended);
        victim.kill();
        me.receive();
        (steps.contains("first"), steps.contains("second"))
    });
    assert_eq!(done, [(false, false), (true, false), (true, true)]);
}

#[test]
fn a_link_to_an_actor_that_has_ended_is_an_exit() {
    let reasons = outcomes(|| {
        let me = actor::here("main");
        me.trap_exits(Note::Exited);
        let other = actor::spawn("other", |_: &Me<()>| {});
        me.link(&other);
        let exit = receive!(me, {
            Note::Exited(exit) => exit,
        });
        format!("{:?}", exit.reason)
    });
    assert_eq!(reasons, ["NoActor", "Normal"]);
}

#[test]
fn names_are_unique_and_given_up_at_the_end() {
    let found = outcomes(|| {
        let me = actor::here("main");
        let names = Names::new();
        let server = |names: &Names<Note>| {
            let names = names.clone();
            actor::spawn("server", move |me: &Me<Note>| {
                // One of them comes too late.
                let _ = names.register("server", &me.address());
                me.receive();
            })
        };
        let servers = [server(&names), server(&names)];
        servers.iter().for_each(|server| me.monitor(server, Note::Ended));
        let found = names.whereis("server").map(|server| servers.iter().position(|other| *other == server));
        servers.iter().for_each(|server| server.send(Note::Stop));
        servers.iter().for_each(|_| drop(me.receive()));
        assert_eq!(names.whereis("server"), None);
        assert_eq!(names.register("server", &servers[0]), Err(actor::RegisterError::Ended));
        found
    });
    assert_eq!(found, [None, Some(Some(0)), Some(Some(1))]);
}

#[test]
fn a_timer_fires_or_is_cancelled() {
    let fired = outcomes(|| {
        let me = actor::here("main");
        let timer = me.send_after(Duration::from_secs(1), Note::Stop);
        let cancelled = timer.cancel();
        if !cancelled {
            assert!(matches!(me.receive(), Note::Stop));
        }
        cancelled
    });
    assert_eq!(fired, [false, true]);
}

#[test]
fn a_supervisor_starts_the_child_that_ended_and_no_other() {
    let starts = outcomes(|| {
        let me = actor::here("main");
        let starts = Arc::new([AtomicU32::new(0), AtomicU32::new(0)]);
        let theirs = starts.clone();
        let flaky = Child::new("flaky", Restart::Transient, move |me: &Me<()>| {
            if theirs[0].fetch_add(1, SeqCst) == 0 {
                me.exit(Reason::Error("the first time".to_owned()));
            }
        });
        let theirs = starts.clone();
        let steady = Child::new("steady", Restart::Transient, move |_: &Me<()>| {
            theirs[1].fetch_add(1, SeqCst);
        });
        let supervisor = actor::supervise("supervisor", 1, [flaky, steady]);
        me.monitor(&supervisor, Note::Ended);
        me.receive();
        (starts[0].load(SeqCst), starts[1].load(SeqCst))
    });
    assert_eq!(starts, [(2, 1)]);
}

#[test]
fn a_supervisor_gives_up_and_ends_its_children() {
    proved(|| {
        let me = actor::here("main");
        let hopeless = Child::new("hopeless", Restart::Permanent, |_: &Me<()>| {});
        let waiting = Child::new("waiting", Restart::Permanent, |me: &Me<()>| me.receive());
        let supervisor = actor::supervise("supervisor", 1, [waiting, hopeless]);
        me.monitor(&supervisor, Note::Ended);
        let down = receive!(me, {
            Note::Ended(down) => down,
        });
        assert!(matches!(down.reason, Reason::Shutdown | Reason::NoActor));
    });
}

#[test]
fn operations_on_different_keys_of_a_table_commute() {
    let each = |keys: [&'static str; 3]| {
        proved(move || {
            let table = Table::new("table");
            let threads = keys.map(|key| {
                let table = table.clone();
                thread::spawn(move || table.insert(key, 1))
            });
            threads.into_iter().for_each(|thread| thread.join().unwrap());
        })
        .executions()
    };
    assert_eq!(each(["a", "b", "c"]), 1);
    assert_eq!(each(["a", "b", "a"]), 2);
    assert_eq!(each(["a", "a", "a"]), 6);
}

#[test]
fn a_table_is_a_table() {
    proved(|| {
        let table = Table::new("table");
        assert!(table.insert_new("a".to_owned(), 1) && !table.insert_new("a".to_owned(), 2));
        assert_eq!((table.lookup("a"), table.lookup("b")), (Some(1), None));
        assert_eq!((table.update_counter("a", 4), table.update_counter("b", 4)), (Some(5), None));
        table.insert("a".to_owned(), 9);
        assert_eq!((table.delete("a"), table.delete("a"), table.contains("a")), (Some(9), None, false));
        assert!(table.insert_new("a".to_owned(), 3));
    });
    // Of several who insert a new value, one succeeds: the others only look.
    let report = proved(|| {
        let table = Table::new("table");
        for value in 0..4 {
            let table = table.clone();
            thread::spawn(move || table.insert_new("a", value));
        }
    });
    assert_eq!(report.executions(), 4);
}

#[test]
fn actors_and_locks_work_together() {
    proved(|| {
        let me = actor::here("main");
        let total = Arc::new(Mutex::new(0));
        for number in 1..=2 {
            let (main, total) = (me.address(), total.clone());
            actor::spawn("adder", move |_: &Me<()>| {
                *total.lock().unwrap() += number;
                main.send(());
            });
        }
        me.receive();
        me.receive();
        assert_eq!(*total.lock().unwrap(), 3);
    });
}

#[test]
fn a_deadlock_shows_every_mailbox() {
    let report = Checker::new().check(|| {
        let waits = |me: &Me<Note>| {
            receive!(me, {
                Note::Stop => {},
            });
        };
        let one: Address<Note> = actor::spawn("one", waits);
        actor::spawn("two", waits);
        one.send(Note::Pair { left: 1, right: 2 });
    });
    let finding = report.finding().expect("a deadlock");
    assert_eq!(finding.kind, FindingKind::Deadlock);
    let holds = "waits for a message to mailbox of one of Stop, which holds Pair { left: 1, right: 2 }";
    assert!(finding.text.contains(holds), "{}", finding.text);
    assert!(finding.text.contains("waits for a message to mailbox of two of Stop, which is empty"), "{}", finding.text);
}

#[test]
fn an_actor_that_panics_is_a_finding_and_is_run_again() {
    let program = || {
        let server = actor::spawn("server", |me| assert_ne!(me.receive(), 2, "the second first"));
        for number in [1, 2] {
            let server = server.clone();
            actor::spawn("client", move |_: &Me<()>| server.send(number));
        }
    };
    let report = Checker::new().check(program);
    let finding = report.finding().expect("a panic");
    assert_eq!(finding.kind, FindingKind::Panic);
    let again = Checker::new().replay(&finding.schedule).check(program);
    assert_eq!(again.finding().expect("the same").headline, finding.headline);
}

#[test]
fn an_actor_that_looks_again_and_again_waits_for_a_message() {
    let report = proved(|| {
        let me = actor::here("main");
        let main = me.address();
        actor::spawn("sender", move |_: &Me<()>| main.send(7));
        let got = loop {
            match me.receive_timeout(Duration::ZERO) {
                Some(message) => break message,
                None => thread::yield_now(),
            }
        };
        assert_eq!(got, 7);
    });
    assert!(report.executions() >= 2);
}
