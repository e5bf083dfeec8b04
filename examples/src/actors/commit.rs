//! Two-phase commit: a transaction is done everywhere or nowhere.

use mazurka::actor::{self, Address, Me, Message};
use mazurka::receive;

/// What participants are sent.
#[derive(Debug, Message)]
enum Order {
    /// Can you do it?
    Prepare(Address<Vote>),
    /// Do it.
    Commit,
    /// Do not.
    Abort,
}

/// What the coordinator is sent.
#[derive(Debug, Message)]
enum Vote {
    /// It can be done.
    Yes,
    /// It cannot.
    No,
}

fn participant(me: &Me<Order>, can: bool) {
    receive!(me, {
        Order::Prepare(coordinator) => coordinator.send(if can { Vote::Yes } else { Vote::No }),
    });
    receive!(me, {
        Order::Commit => assert!(can, "what is committed can be done everywhere"),
        Order::Abort => {},
    });
}

/// Asks all, and decides. With `BUG`, a vote that does not come in time counts as a yes.
fn coordinate<const BUG: bool>(me: &Me<Vote>, participants: &[Address<Order>]) {
    for participant in participants {
        participant.send(Order::Prepare(me.address()));
    }
    let is_yes = |_: &Address<Order>| {
        receive!(me, {
            Vote::Yes => true,
            Vote::No => false,
            after => BUG,
        })
    };
    let all = participants.iter().all(is_yes);
    for participant in participants {
        participant.send(if all { Order::Commit } else { Order::Abort });
    }
}

/// Two participants, which can or cannot.
pub fn scenario<const BUG: bool>() {
    let participants: Vec<Address<Order>> = ["first", "second"]
        .into_iter()
        .map(|name| {
            let can = mazurka::choose(2) == 0;
            actor::spawn(name, move |me| participant(me, can))
        })
        .collect();
    actor::spawn("coordinator", move |me| coordinate::<BUG>(me, &participants));
}
