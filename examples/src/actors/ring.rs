//! Leader election on a ring: every node passes the largest number on that it has seen; whose number comes back leads.

use mazurka::actor::{self, Address, Me, Message};
use mazurka::receive;

/// What nodes are sent.
#[derive(Debug, Message)]
enum Ring {
    /// Who is next.
    Neighbour(Address<Ring>),
    /// Stand for election.
    Start,
    /// This node stands.
    Candidate(u32),
    /// This node leads.
    Elected(u32),
}

/// A node. With `BUG`, one that has not stood yet passes a smaller number on instead of its own.
fn node<const BUG: bool>(me: &Me<Ring>, number: u32, report: &Address<u32>) {
    let next = receive!(me, {
        Ring::Neighbour(next) => next,
    });
    let mut stands = false;
    loop {
        receive!(me, {
            Ring::Start if stands => {},
            Ring::Start => {
                stands = true;
                next.send(Ring::Candidate(number));
            },
            Ring::Candidate(other) if other == number => next.send(Ring::Elected(number)),
            Ring::Candidate(other) if other > number => {
                stands = true;
                next.send(Ring::Candidate(other));
            },
            Ring::Candidate(other) if BUG && !stands => next.send(Ring::Candidate(other)),
            Ring::Candidate(_) if !stands => {
                stands = true;
                next.send(Ring::Candidate(number));
            },
            Ring::Candidate(_) => {},
            Ring::Elected(leader) => {
                if leader != number {
                    next.send(Ring::Elected(leader));
                }
                return report.send(leader);
            },
        });
    }
}

/// Three nodes, two of which stand at the same time.
pub fn scenario<const BUG: bool>() {
    let me = actor::here("main");
    let nodes: Vec<Address<Ring>> = [1, 3, 2]
        .into_iter()
        .map(|number| {
            let report = me.address();
            actor::spawn(&format!("node {number}"), move |me| node::<BUG>(me, number, &report))
        })
        .collect();
    for (place, node) in nodes.iter().enumerate() {
        node.send(Ring::Neighbour(nodes[(place + 1) % nodes.len()].clone()));
    }
    nodes[0].send(Ring::Start);
    nodes[1].send(Ring::Start);
    for _ in &nodes {
        assert_eq!(me.receive(), 3, "all follow the node with the largest number");
    }
}
