//! Arbitrary programs on counts of references, which litmus programs do not have: threads clone, drop, upgrade, unwrap and
//! look at references to one value, and a daemon waits until there is none.

use explore::SchedulingOrder;
use mazurka_laws::{Checked, check};
use model::{
    Choice, Counting, Guard, Names, ObjectId, Op, OpKind, Outcome, Pending, Program, Run, Site, State, Stepped,
    ThreadId, ThreadPath, Update,
};
use objects::World;

const PROGRAMS: u64 = 1_000;
const INTERLEAVINGS: u64 = 2_000;

const COUNT: ObjectId = ObjectId(0);
/// What the daemon writes when the count is drained.
const GONE: ObjectId = ObjectId(1);
const ONE_FEWER: State = 1u64.wrapping_neg();

/// What a thread does with the value. All but the last two need a reference, and are passed over without one.
#[derive(Clone, Copy, Debug)]
enum Act {
    Clone,
    Drop,
    /// A drop that sees whether it was the last.
    DropAndLook,
    Unwrap,
    Look,
    /// By a weak reference, which every thread has.
    Upgrade,
    LookWhetherGone,
}

const ACTS: [Act; 7] =
    [Act::Clone, Act::Drop, Act::DropAndLook, Act::Unwrap, Act::Look, Act::Upgrade, Act::LookWhetherGone];

impl Act {
    fn needs_reference(self) -> bool {
        !matches!(self, Act::Upgrade | Act::LookWhetherGone)
    }

    fn op(self) -> Op {
        let kind = match self {
            Act::Clone => OpKind::Add(1),
            Act::Drop => OpKind::Add(ONE_FEWER),
            Act::DropAndLook => OpKind::ReadModifyWrite(Update::FetchAdd(ONE_FEWER)),
            Act::Unwrap => OpKind::Count(Counting::Unwrap),
            Act::Look | Act::LookWhetherGone => OpKind::Read,
            Act::Upgrade => OpKind::Count(Counting::Upgrade),
        };
        let object = if matches!(self, Act::LookWhetherGone) { GONE } else { COUNT };
        Op { kind, object, site: Site::UNKNOWN }
    }
}

/// Threads with what they do, and a daemon after them.
#[derive(Debug)]
struct Counted {
    threads: Vec<Vec<Act>>,
    /// How many references each thread has at the start.
    held: Vec<u32>,
}

impl Counted {
    fn arbitrary(seed: u64) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let threads = random.usize(1..=3);
        let acts = |random: &mut fastrand::Rng| (0..random.usize(1..=3)).map(|_| ACTS[random.usize(..7)]).collect();
        let threads: Vec<Vec<Act>> = (0..threads).map(|_| acts(&mut random)).collect();
        let held = threads.iter().map(|_| random.u32(0..=1)).collect();
        Counted { threads, held }
    }

    fn daemon(&self) -> ThreadId {
        ThreadId(self.threads.len() as u32)
    }
}

impl Program for Counted {
    fn start(&self) -> Box<dyn Run + '_> {
        let mut run = CountedRun { program: self, world: World::default(), places: Vec::new(), held: Vec::new() };
        run.restart();
        Box::new(run)
    }

    fn names(&self) -> &dyn Names {
        self
    }
}

impl Names for Counted {
    fn thread(&self, thread: ThreadId) -> String {
        format!("{:?}", self.threads.get(thread.index()))
    }

    fn path(&self, thread: ThreadId) -> ThreadPath {
        ThreadPath::initial(thread.0)
    }

    fn at_path(&self, path: &ThreadPath) -> Option<ThreadId> {
        (0..=self.daemon().0).map(ThreadId).find(|&thread| self.path(thread) == *path)
    }

    fn object(&self, object: ObjectId) -> String {
        if object == COUNT { "count" } else { "gone" }.to_owned()
    }

    fn site(&self, _: Site) -> Option<String> {
        None
    }
}

struct CountedRun<'p> {
    program: &'p Counted,
    world: World,
    /// Of each thread: how many of its acts are behind it. Of the daemon: how many operations.
    places: Vec<usize>,
    held: Vec<u32>,
}

impl CountedRun<'_> {
    /// The place of a thread's next operation, and the operation: what is left at the end is dropped.
    fn next(&self, thread: ThreadId) -> Option<(usize, Op)> {
        let place = self.places[thread.index()];
        if thread == self.program.daemon() {
            let op = |kind, object| Op { kind, object, site: Site::UNKNOWN };
            let ops = [op(OpKind::Drained, COUNT), op(OpKind::Write(1), GONE)];
            return ops.get(place).map(|&op| (place, op));
        }
        let (acts, held) = (&self.program.threads[thread.index()], self.held[thread.index()]);
        let next = (place..acts.len()).find(|&place| held > 0 || !acts[place].needs_reference());
        match next {
            Some(place) => Some((place, acts[place].op())),
            None => (held > 0).then(|| (acts.len(), Act::Drop.op())),
        }
    }
}

impl Run for CountedRun<'_> {
    fn restart(&mut self) {
        self.held.clone_from(&self.program.held);
        self.places.clear();
        self.places.resize(self.program.threads.len() + 1, 0);
        self.world.reset(&[self.held.iter().map(|&held| u64::from(held)).sum(), 0]);
    }

    fn threads(&self) -> usize {
        self.places.len()
    }

    fn pending(&self, thread: ThreadId) -> Option<Pending> {
        let (_, op) = self.next(thread)?;
        let enabled = self.world.enabled(thread, &op);
        Some(Pending { thread, op, enabled, alternatives: 1, guard: Guard::NONE, transition: 0, is_of_several: false })
    }

    fn step(&mut self, choice: Choice) -> Option<Stepped> {
        let thread = choice.thread;
        let (place, op) = self.next(thread).filter(|(_, op)| self.world.enabled(thread, op))?;
        let done = self.world.perform(thread, &op, 0);
        self.places[thread.index()] = place + 1;
        if let Some(held) = self.held.get_mut(thread.index())
            && done.outcome == Outcome::Done
        {
            match op.kind {
                OpKind::Add(1) | OpKind::Count(Counting::Upgrade) => *held += 1,
                OpKind::Add(_) | OpKind::ReadModifyWrite(_) | OpKind::Count(Counting::Unwrap) => *held -= 1,
                _ => {}
            }
        }
        Some(Stepped { op, outcome: done.outcome, before: done.before, after: done.after, failure: None })
    }

    fn is_cut(&self) -> bool {
        false
    }

    fn word(&self, object: ObjectId) -> State {
        self.world.word(object)
    }
}

#[test]
fn counts_of_references_obey_the_laws() {
    let (mut programs, mut classes) = (0, 0);
    for seed in 0..PROGRAMS {
        let program = Counted::arbitrary(seed);
        let orders = [SchedulingOrder::default(), SchedulingOrder::LastCreated];
        match check(&program, &orders, INTERLEAVINGS) {
            Ok(Checked::Holds { classes: more }) => (programs, classes) = (programs + 1, classes + more),
            Ok(Checked::TooLarge) => {}
            Err(violation) => panic!("seed {seed}, {program:?}: {violation}"),
        }
    }
    assert!(programs > PROGRAMS / 2 && classes > 5 * programs as usize, "{programs} programs with {classes} classes");
}
