//! A pool of workers, which may fail: whatever they do, every job is done.

use mazurka::actor::{self, ActorId, Address, Down, Me, Message, Reason};
use mazurka::receive;

/// What the dispatcher is sent.
#[derive(Debug, Message)]
enum Pool {
    /// A worker asks for a job.
    Ready(Address<Option<u32>>),
    /// A worker has done its job.
    Done(ActorId),
    /// A worker has ended.
    Ended(Down),
}

/// Does jobs until there are no more. One that is flaky fails with its first.
fn work(me: &Me<Option<u32>>, pool: &Address<Pool>, is_flaky: bool) {
    loop {
        pool.send(Pool::Ready(me.address()));
        if me.receive().is_none() {
            return;
        }
        if is_flaky {
            me.exit(Reason::Error("out of order".to_owned()));
        }
        pool.send(Pool::Done(me.id()));
    }
}

/// Hands `jobs` out until all are done, and says how many workers have ended. With `BUG`, the job of a worker that fails is forgotten.
fn dispatch<const BUG: bool>(me: &Me<Pool>, mut jobs: Vec<u32>) -> usize {
    let mut busy: Vec<(ActorId, u32)> = Vec::new();
    let mut idle: Vec<Address<Option<u32>>> = Vec::new();
    let (mut left, mut ended) = (jobs.len(), 0);
    while left > 0 {
        receive!(me, {
            Pool::Ready(worker) => idle.push(worker),
            Pool::Done(worker) => {
                busy.retain(|(other, _)| *other != worker);
                left -= 1;
            },
            Pool::Ended(down) => {
                ended += 1;
                let place = busy.iter().position(|(worker, _)| *worker == down.actor);
                let lost = place.map(|place| busy.remove(place).1);
                jobs.extend(lost.filter(|_| !BUG));
            },
        });
        while !jobs.is_empty() && !idle.is_empty() {
            let (worker, job) = (idle.remove(0), jobs.remove(0));
            busy.push((worker.id(), job));
            worker.send(Some(job));
        }
    }
    idle.iter().for_each(|worker| worker.send(None));
    ended
}

/// Two jobs, a worker that fails and one that does not.
pub fn scenario<const BUG: bool>() {
    let me = actor::here("pool");
    for (name, is_flaky) in [("flaky", true), ("steady", false)] {
        let pool = me.address();
        let worker = actor::spawn(name, move |me| work(me, &pool, is_flaky));
        me.monitor(&worker, Pool::Ended);
    }
    let mut ended = dispatch::<BUG>(&me, vec![1, 2]);
    // Workers that ask when all is done are sent home.
    while ended < 2 {
        receive!(me, {
            Pool::Ready(worker) => worker.send(None),
            Pool::Ended(_) => ended += 1,
            Pool::Done(_) => {},
        });
    }
}
