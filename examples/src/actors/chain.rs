//! Chain replication: writes go down a chain of nodes; when the middle one ends, the chain is repaired around it.

use mazurka::actor::{self, Address, Me, Message};
use mazurka::receive;

/// What nodes are sent.
#[derive(Debug, Message)]
enum Node {
    /// Keep this, and pass it on.
    Write(u32),
    /// The tail has it.
    Stored(u32),
    /// The next node has ended.
    NextEnded,
}

/// Sends writes down the chain until the tail has all of them. With `BUG`, those that were on their way when the next node
/// ended are not sent again.
fn head<const BUG: bool>(me: &Me<Node>, middle: &Address<Node>, tail: &Address<Node>, writes: u32) {
    me.monitor(middle, |_| Node::NextEnded);
    let mut next = middle;
    let mut on_their_way: Vec<u32> = (1..=writes).collect();
    for &write in &on_their_way {
        next.send(Node::Write(write));
    }
    while !on_their_way.is_empty() {
        receive!(me, {
            Node::Stored(write) => on_their_way.retain(|&other| other != write),
            Node::NextEnded => {
                next = tail;
                if !BUG {
                    on_their_way.iter().for_each(|&write| next.send(Node::Write(write)));
                }
            },
        });
    }
}

fn middle(me: &Me<Node>, tail: &Address<Node>) {
    loop {
        receive!(me, {
            Node::Write(write) => tail.send(Node::Write(write)),
        });
    }
}

/// Keeps every write once, in order, although some come twice after a repair.
fn tail(me: &Me<Node>, head: &Address<Node>, writes: u32) {
    for wanted in 1..=writes {
        receive!(me, {
            Node::Write(write) if write == wanted => head.send(Node::Stored(write)),
        });
    }
}

/// Two writes, while the middle node is killed.
pub fn scenario<const BUG: bool>() {
    const WRITES: u32 = 2;
    let me = actor::here("head");
    let first = me.address();
    let last = actor::spawn("tail", move |me| tail(me, &first, WRITES));
    let theirs = last.clone();
    let between = actor::spawn("middle", move |me| middle(me, &theirs));
    let victim = between.clone();
    actor::spawn("chaos", move |_: &Me<()>| victim.kill());
    head::<BUG>(&me, &between, &last, WRITES);
}
