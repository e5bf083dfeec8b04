//! One step in words, with the names of things and the values read and written.

use crate::holders::{Hold, Holders};
use model::{Choice, KINDS, Names, ObjectId, OpKind, Outcome, Pattern, Tag, Test};
use trace::{Event, EventId, Trace};

/// Every step of an execution in words, in order.
pub fn steps(trace: &Trace, names: &dyn Names) -> Vec<String> {
    if let Some(steps) = names.steps(&choices(trace.events())) {
        return steps.iter().map(|step| printable(step)).collect();
    }
    let mut holders = Holders::default();
    let describe = |(id, event): (usize, &Event)| {
        let text = step(event, &holders, names);
        holders.apply(id as EventId, event);
        text
    };
    trace.events().iter().enumerate().map(describe).collect()
}

/// One step of an execution in words.
pub(crate) fn one(trace: &Trace, id: EventId, names: &dyn Names) -> String {
    let event = trace.event(id);
    if let Some(step) = names.steps(&choices(&trace.events()[..=id as usize])).and_then(|mut steps| steps.pop()) {
        return printable(&step);
    }
    let mut holders = Holders::default();
    // Only what was done to the objects that it is about makes a difference.
    for (earlier, other) in trace.events()[..id as usize].iter().enumerate() {
        if other.op.object == event.op.object
            || matches!(event.op.kind, OpKind::Wait { mutex } if mutex == other.op.object)
        {
            holders.apply(earlier as EventId, other);
        }
    }
    step(event, &holders, names)
}

fn choices(events: &[Event]) -> Vec<Choice> {
    events.iter().map(|event| event.choice).collect()
}

/// One step in words; `holders` are those before it.
fn step(event: &Event, holders: &Holders, names: &dyn Names) -> String {
    if let Some(statement) = names.statement(event.op.site) {
        return printable(&statement);
    }
    let object = event.op.object;
    let name = match object {
        ObjectId::NONE => String::new(),
        object => printable(&names.object(object)),
    };
    let value = |word| printable(&names.value(object, word));
    let (before, after) = (event.before, event.after);
    let refused = event.outcome == Outcome::Refused;
    let kind = event.op.kind;
    match kind {
        _ if event.outcome == Outcome::Lifeless => format!("{kind} {name}"),
        OpKind::Read | OpKind::PlainRead => format!("read {name} = {}", value(before)),
        OpKind::Write(new) | OpKind::PlainWrite(new) => format!("write {name} := {}", value(new)),
        OpKind::ReadModifyWrite(_) | OpKind::Add(_) | OpKind::AddIn { .. } => {
            format!("{kind} {name}: {} → {}", value(before), value(after))
        }
        OpKind::Count(_) if refused => format!("{kind} {name}: failed, found {}", value(before)),
        OpKind::Count(_) => format!("{kind} {name}: {} → {}", value(before), value(after)),
        OpKind::CompareExchange { expected, new } if refused => {
            format!("cas {name}: {} → {} failed, found {}", value(expected), value(new), value(before))
        }
        OpKind::CompareExchange { expected, new } => format!("cas {name}: {} → {}", value(expected), value(new)),
        OpKind::Await(Test::Equal(wanted)) => format!("await {name} == {}", value(wanted)),
        OpKind::Await(Test::NotEqual(unwanted)) => {
            format!("await {name} != {}: found {}", value(unwanted), value(before))
        }
        OpKind::TryLock | OpKind::TryReadLock | OpKind::TryWriteLock if refused => {
            format!("{kind} {name}: {}", held_by(holders.of(object), names))
        }
        OpKind::TryLock | OpKind::TryReadLock | OpKind::TryWriteLock => format!("{kind} {name}: taken"),
        OpKind::Unlock | OpKind::ReadUnlock | OpKind::WriteUnlock if refused => {
            format!("{kind} {name}: {}", held_by(holders.of(object), names))
        }
        OpKind::Wait { mutex } if refused => {
            let mutex_name = printable(&names.object(mutex));
            format!("wait {name} with {mutex_name}: {}", held_by(holders.of(mutex), names))
        }
        OpKind::Wait { mutex } => format!("wait {name} (will release {})", printable(&names.object(mutex))),
        OpKind::Relock { condvar } => format!("relock {name} (woken from {})", printable(&names.object(condvar))),
        OpKind::StopWaiting if refused => format!("{name}: was notified in time"),
        OpKind::StopWaiting => format!("{name}: time out"),
        OpKind::NotifyOne | OpKind::NotifyAll if refused => format!("{kind} {name}: nobody waits"),
        OpKind::NotifyOne => match event.outcome {
            Outcome::Woke(woken) => format!("{kind} {name}: wakes {}", printable(&names.thread(woken))),
            _ => format!("{kind} {name}"),
        },
        OpKind::NotifyAll => format!("{kind} {name}: wakes {before}"),
        OpKind::TryAcquire if refused => format!("{kind} {name}: none left"),
        OpKind::Acquire | OpKind::TryAcquire | OpKind::Release => format!("{kind} {name}: {before} → {after}"),
        OpKind::Arrive { parties, .. } => {
            format!("{kind} {name}: {} of {parties}", before % u64::from(parties.max(1)) + 1)
        }
        OpKind::Send { tag, value } => format!("{kind} {name}: {}", message(object, tag, value, names)),
        OpKind::Receive(pattern) | OpKind::TryReceive(pattern) => {
            let wanted = selection(object, pattern, names);
            match holders.mailbox(object).and_then(|mailbox| mailbox.oldest(pattern)) {
                Some(taken) => format!("{kind} {name}{wanted} = {}", message(object, taken.tag, taken.value, names)),
                None => format!("{kind} {name}{wanted}: no message"),
            }
        }
        OpKind::Spawn => match event.outcome {
            Outcome::Spawned(child) => format!("{kind} {}", printable(&names.thread(child))),
            _ => kind.to_string(),
        },
        OpKind::Join(other) => format!("{kind} {}", printable(&names.thread(other))),
        OpKind::Choose(of) => format!("{kind} {} of 0..{of}", event.choice.alternative),
        OpKind::Yield | OpKind::Fence | OpKind::Atomic | OpKind::Step(_) => kind.to_string(),
        OpKind::Free => format!("{kind} {}", printable(&names.whole(object))),
        OpKind::CountDown => format!("{kind} {name}: {before} → {after}"),
        _ => format!("{kind} {name}"),
    }
}

/// A message: what its value means in this mailbox, with its kind before it unless that is 0 or has a name.
pub(crate) fn message(mailbox: ObjectId, tag: Tag, value: u64, names: &dyn Names) -> String {
    let value = printable(&names.value(mailbox, value));
    if tag.kind() == 0 || names.kind(mailbox, tag.kind()).is_some() {
        value
    } else {
        format!("{}: {value}", tag.kind())
    }
}

/// The messages that a pattern selects, as the notation of litmus programs has it; nothing for all messages.
pub(crate) fn selection(mailbox: ObjectId, pattern: Pattern, names: &dyn Names) -> String {
    let name = |kind: u8| names.kind(mailbox, kind).map_or_else(|| kind.to_string(), |name| printable(&name));
    let kinds: Vec<String> = pattern.kinds().map(name).collect();
    let kinds = if kinds.len() == usize::from(KINDS) { String::new() } else { format!(" of {}", kinds.join(", ")) };
    let key = pattern.key().map_or(String::new(), |key| format!(" == {key}"));
    kinds + &key
}

/// `held by T1`, `held by 2 readers`, `held by nobody`.
pub(crate) fn held_by(holds: &[Hold], names: &dyn Names) -> String {
    match holds {
        [] => "held by nobody".to_owned(),
        [one] if one.exclusive => format!("held by {}", printable(&names.thread(one.thread))),
        readers => {
            let readers: Vec<String> = readers.iter().map(|hold| printable(&names.thread(hold.thread))).collect();
            format!("held shared by {}", readers.join(", "))
        }
    }
}

/// The text without control characters: names and messages come from the program under test, and must neither break
/// the table nor speak to the terminal.
pub fn printable(text: &str) -> String {
    if !text.chars().any(char::is_control) {
        return text.to_owned();
    }
    text.chars().map(|c| if c.is_control() { c.escape_default().to_string() } else { c.to_string() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{A, B, Plain, trace};
    use model::{Outcome::*, ThreadId, Update};

    #[test]
    fn every_operation_has_words() {
        let none = ObjectId::NONE;
        let steps = steps(
            &trace(&[
                (0, OpKind::Spawn, none, Spawned(ThreadId(1)), 0, 0),
                (0, OpKind::Read, A, Done, 7, 7),
                (0, OpKind::Write(u64::MAX), A, Done, 7, u64::MAX),
                (0, OpKind::ReadModifyWrite(Update::FetchAdd(1)), A, Done, 0, 1),
                (0, OpKind::ReadModifyWrite(Update::Swap(5)), A, Done, 1, 5),
                (0, OpKind::Add(2), A, Done, 5, 7),
                (0, OpKind::CompareExchange { expected: 7, new: 1 }, A, Done, 7, 1),
                (0, OpKind::CompareExchange { expected: 7, new: 2 }, A, Refused, 1, 1),
                (0, OpKind::Await(Test::Equal(1)), A, Done, 1, 1),
                (0, OpKind::Await(Test::NotEqual(0)), A, Done, 1, 1),
                (0, OpKind::Choose(3), none, Done, 0, 0),
                (0, OpKind::Yield, none, Done, 0, 0),
            ]),
            &Plain,
        );
        insta::assert_snapshot!(steps.join("\n"), @r"
        spawn T1
        read a = 7
        write a := -1
        fetch_add a: 0 → 1
        swap a: 1 → 5
        add a: 5 → 7
        cas a: 7 → 1
        cas a: 7 → 2 failed, found 1
        await a == 1
        await a != 0: found 1
        choose 0 of 0..3
        yield
        ");
    }

    #[test]
    fn locks_say_who_holds_them() {
        let steps = steps(
            &trace(&[
                (0, OpKind::Lock, A, Done, 0, 1),
                (1, OpKind::TryLock, A, Refused, 1, 1),
                (0, OpKind::Wait { mutex: A }, B, Done, 0, 1),
                (0, OpKind::Unlock, A, Done, 1, 0),
                (1, OpKind::TryLock, A, Done, 0, 2),
                (1, OpKind::NotifyOne, B, Woke(ThreadId(0)), 1, 0),
                (1, OpKind::NotifyAll, B, Refused, 0, 0),
                (1, OpKind::Unlock, A, Done, 2, 0),
                (0, OpKind::Relock { condvar: B }, A, Done, 0, 1),
                (1, OpKind::Unlock, A, Refused, 1, 1),
            ]),
            &Plain,
        );
        insta::assert_snapshot!(steps.join("\n"), @r"
        lock a
        try_lock a: held by T0
        wait b (will release a)
        unlock a
        try_lock a: taken
        notify_one b: wakes T0
        notify_all b: nobody waits
        unlock a
        relock a (woken from b)
        unlock a: held by T0
        ");
    }

    #[test]
    fn messages_say_what_they_are() {
        let [plain, special] = [(0, 7), (2, 8)].map(|(kind, key)| Tag::new(kind, key).unwrap());
        let steps = steps(
            &trace(&[
                (0, OpKind::Send { tag: plain, value: 7 }, A, Done, 0, 1),
                (0, OpKind::Send { tag: special, value: 8 }, A, Done, 1, 2),
                (1, OpKind::Receive(Pattern::of_kinds([1, 2])), A, Received(1), 2, 2),
                (1, OpKind::TryReceive(Pattern::ANY.with_key(9)), A, Refused, 2, 2),
                (1, OpKind::TryReceive(Pattern::ANY), A, Received(0), 2, 2),
            ]),
            &Plain,
        );
        insta::assert_snapshot!(steps.join("\n"), @r"
        send a: 7
        send a: 2: 8
        receive a of 1, 2 = 2: 8
        try_receive a == 9: no message
        try_receive a = 7
        ");
    }

    #[test]
    fn shared_things_say_how_many() {
        let steps = steps(
            &trace(&[
                (0, OpKind::ReadLock, A, Done, 0, 1),
                (1, OpKind::TryReadLock, A, Done, 1, 2),
                (2, OpKind::TryWriteLock, A, Refused, 2, 2),
                (0, OpKind::Acquire, B, Done, 2, 1),
                (0, OpKind::TryAcquire, B, Refused, 0, 0),
                (0, OpKind::Arrive { parties: 2, ordered: true }, ObjectId(2), Done, 3, 4),
                (0, OpKind::Pass { parties: 2, generation: 1 }, ObjectId(2), Done, 4, 4),
            ]),
            &Plain,
        );
        insta::assert_snapshot!(steps.join("\n"), @r"
        read_lock a
        try_read_lock a: taken
        try_write_lock a: held shared by T0, T1
        acquire b: 2 → 1
        try_acquire b: none left
        arrive c: 2 of 2
        pass c
        ");
    }

    #[test]
    fn control_characters_are_spelt_out() {
        assert_eq!(printable("a\x1b[31mb\n"), "a\\u{1b}[31mb\\n");
    }
}
