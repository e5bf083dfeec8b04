//! A rate limiter: so many requests are let through in each window of time.

use mazurka::actor::{self, Me, Message, ReplyTo, Timer};
use mazurka::receive;
use std::time::Duration;

const WINDOW: Duration = Duration::from_secs(1);

/// What the limiter is sent.
#[derive(Debug, Message)]
enum Limiter {
    /// May I?
    Acquire(ReplyTo<bool>),
    /// Begin a new window now.
    Reset,
    /// The time of this window is up.
    Tick { window: u32 },
    /// End.
    Stop,
}

/// Ends a window early: its timer must not end the next one. With `BUG`, nobody looks whether it had fired already.
fn cancel<const BUG: bool>(me: &Me<Limiter>, timer: Timer) {
    if !timer.cancel() && !BUG {
        receive!(me, {
            Limiter::Tick { .. } => {},
        });
    }
}

fn limit<const BUG: bool>(me: &Me<Limiter>, most: u32) {
    let mut window = 0;
    let mut granted = 0;
    let mut timer = me.send_after(WINDOW, Limiter::Tick { window });
    loop {
        let message = me.receive();
        match message {
            Limiter::Acquire(reply) => {
                granted += 1;
                reply.send(granted <= most);
                continue;
            }
            Limiter::Tick { window: ended } => assert_eq!(ended, window, "the timer of a window ends that window"),
            Limiter::Reset => cancel::<BUG>(me, timer),
            Limiter::Stop => return cancel::<BUG>(me, timer),
        }
        window += 1;
        granted = 0;
        if window > 1 {
            // Two windows are enough to be seen.
            return;
        }
        timer = me.send_after(WINDOW, Limiter::Tick { window });
    }
}

/// One request for each window, and a reset in between.
pub fn scenario<const BUG: bool>() {
    let limiter = actor::spawn("limiter", |me| limit::<BUG>(me, 1));
    let first = limiter.ask(Limiter::Acquire);
    assert_ne!(first, Ok(false), "a new window lets one through");
    limiter.send(Limiter::Reset);
    limiter.send(Limiter::Stop);
}
