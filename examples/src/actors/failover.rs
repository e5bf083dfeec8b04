//! A primary with a backup that takes over when the primary ends.

use mazurka::actor::{self, Address, Me, Message, ReplyTo};
use mazurka::receive;

/// What the primary is sent.
#[derive(Debug, Message)]
enum Primary {
    /// Keep this.
    Write(u32, ReplyTo<()>),
}

/// What the backup is sent.
#[derive(Debug, Message)]
enum Backup {
    /// Take over when this one ends.
    Watch(Address<Primary>),
    /// Keep this.
    Replicate(u32, ReplyTo<()>),
    /// The primary has ended.
    PrimaryEnded,
    /// What is kept? For after the failover.
    Read(ReplyTo<Option<u32>>),
}

/// With `BUG`, a write is confirmed before the backup has it.
fn primary<const BUG: bool>(me: &Me<Primary>, backup: &Address<Backup>) {
    loop {
        let Primary::Write(value, reply) = me.receive();
        if BUG {
            reply.send(());
            let _ = backup.ask(|done| Backup::Replicate(value, done));
        } else if backup.ask(|done| Backup::Replicate(value, done)).is_ok() {
            reply.send(());
        }
    }
}

fn backup(me: &Me<Backup>) {
    let mut kept = None;
    receive!(me, {
        Backup::Watch(primary) => me.monitor(&primary, |_| Backup::PrimaryEnded),
    });
    loop {
        receive!(me, {
            Backup::Replicate(value, done) => {
                kept = Some(value);
                done.send(());
            },
            Backup::PrimaryEnded => break,
        });
    }
    receive!(me, {
        Backup::Read(reply) => reply.send(kept),
    });
}

/// A client writes while the primary is killed, and reads from who took over.
pub fn scenario<const BUG: bool>() {
    let second = actor::spawn("backup", backup);
    let theirs = second.clone();
    let first = actor::spawn("primary", move |me| primary::<BUG>(me, &theirs));
    second.send(Backup::Watch(first.clone()));
    let victim = first.clone();
    actor::spawn("chaos", move |_: &Me<()>| victim.kill());
    let confirmed = first.ask(|reply| Primary::Write(7, reply)).is_ok();
    let kept = second.ask(Backup::Read).expect("the backup replies once it took over");
    assert!(!confirmed || kept == Some(7), "a write that was confirmed is kept");
}
