//! Law 4 for mailboxes: two operations called independent commute, whatever messages there are.

use model::{ObjectId, Op, OpKind, Outcome, Pattern, Site, Tag, ThreadId};
use objects::{Message, World};
use trace::Footprint;
use trace::dependence::Change;

const MAILBOX: ObjectId = ObjectId(0);

/// Two kinds and two keys of message.
fn tags() -> Vec<Tag> {
    [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(kind, key)| Tag::new(kind, key).unwrap()).to_vec()
}

fn send(tag: Tag) -> OpKind {
    OpKind::Send { tag, value: u64::from(tag.kind()) * 10 + u64::from(tag.key()) }
}

fn operations() -> Vec<OpKind> {
    let patterns = [Pattern::ANY, Pattern::of_kinds([0]), Pattern::of_kinds([1]).with_key(0), Pattern::ANY.with_key(1)];
    let receives = patterns.into_iter().flat_map(|pattern| [OpKind::Receive(pattern), OpKind::TryReceive(pattern)]);
    tags().into_iter().map(send).chain(receives).collect()
}

/// Mailboxes with no message, with each, and with each two.
fn worlds() -> Vec<World> {
    let one = tags().into_iter().map(|tag| vec![tag]);
    let two = tags().into_iter().flat_map(|first| tags().into_iter().map(move |second| vec![first, second]));
    let world = |messages: Vec<Tag>| {
        let mut world = World::default();
        world.reset(&[0]);
        for tag in messages {
            perform(&mut world, send(tag), 7);
        }
        world
    };
    std::iter::once(Vec::new()).chain(one).chain(two).map(world).collect()
}

/// What an operation does, if it is enabled: its outcome and what it received.
fn perform(world: &mut World, kind: OpKind, thread: u32) -> Option<(Outcome, u64)> {
    let op = Op { kind, object: MAILBOX, site: Site::UNKNOWN };
    if !world.enabled(ThreadId(thread), &op) {
        return None;
    }
    let performed = world.perform(ThreadId(thread), &op, 0);
    Some((performed.outcome, performed.received))
}

fn footprint(kind: OpKind, outcome: Outcome) -> Footprint {
    Footprint::new(&Op { kind, object: MAILBOX, site: Site::UNKNOWN }, outcome, Change::Changed)
}

/// Performs a then b. If they are independent and b did not receive what a sent, b then a must do the same. Says whether
/// they are independent.
fn check_pair(a: OpKind, b: OpKind, start: &World) -> bool {
    let mut world = start.clone();
    let next = start.word(MAILBOX) as u32;
    let Some(first) = perform(&mut world, a, 0) else { return false };
    let Some(second) = perform(&mut world, b, 1) else { return false };
    let received_it = matches!(a, OpKind::Send { .. }) && second.0 == Outcome::Received(next);
    if received_it || footprint(a, first.0).depends(&footprint(b, second.0)) {
        return false;
    }
    let mut other = start.clone();
    let case = format!("{a:?} then {b:?} with {:?}", start.messages(MAILBOX));
    assert_eq!(perform(&mut other, b, 1), Some(second), "{case}: b");
    assert_eq!(perform(&mut other, a, 0), Some(first), "{case}: a");
    let messages = |world: &World| -> Vec<Message> { world.messages(MAILBOX).to_vec() };
    assert_eq!(messages(&world), messages(&other), "{case}");
    true
}

#[test]
fn independent_operations_on_a_mailbox_commute() {
    let mut independent = 0;
    for world in worlds() {
        for a in operations() {
            for b in operations() {
                independent += u32::from(check_pair(a, b, &world));
            }
        }
    }
    assert!(independent >= 500, "only {independent} independent pairs");
}
