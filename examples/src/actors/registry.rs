//! Servers that are started when somebody first asks for them by name.

use mazurka::actor::{self, Address, Me, Message, Names, ReplyTo};
use mazurka::receive;

/// What the counter is sent.
#[derive(Debug, Message)]
enum Counter {
    /// Count one more.
    Increment,
    /// How many were counted? Then end.
    Take(ReplyTo<u32>),
    /// End.
    Stop,
}

fn counter(me: &Me<Counter>) {
    let mut count = 0;
    loop {
        receive!(me, {
            Counter::Increment => count += 1,
            Counter::Take(reply) => return reply.send(count),
            Counter::Stop => return,
        });
    }
}

/// The counter of this name, started if there is none. With `BUG`, who finds none keeps the one that it started, even if
/// another one has the name by then.
fn counter_of<const BUG: bool>(names: &Names<Counter>, name: &str) -> Address<Counter> {
    if let Some(known) = names.whereis(name) {
        return known;
    }
    let mine = actor::spawn("counter", counter);
    match names.register(name, &mine) {
        Err(_) if !BUG => {
            mine.send(Counter::Stop);
            names.whereis(name).expect("it ends only when it is asked to, at the end")
        }
        _ => mine,
    }
}

/// Two clients count.
pub fn scenario<const BUG: bool>() {
    let me = actor::here("main");
    let names = Names::new();
    for client in ["one", "two"] {
        let (names, main) = (names.clone(), me.address());
        actor::spawn(client, move |_: &Me<()>| {
            counter_of::<BUG>(&names, "visits").send(Counter::Increment);
            main.send(());
        });
    }
    me.receive();
    me.receive();
    let visits = names.whereis("visits").expect("two clients used it");
    assert_eq!(visits.ask(Counter::Take), Ok(2), "all count in the same place");
}
