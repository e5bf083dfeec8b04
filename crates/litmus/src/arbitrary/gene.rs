//! What arbitrary programs are grown from, and how likely each is.

use super::Profile;
use proptest::bool::weighted;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::strategy::Union;

/// A whole program, before it is grown.
#[derive(Clone, Debug)]
pub(super) struct Genome {
    pub(super) threads: Vec<Vec<Option<Gene>>>,
    /// The semaphore's count at the start.
    pub(super) count: i64,
    /// Whether it grows to a program of more steps than all interleavings of which can be run.
    pub(super) is_large: bool,
}

/// One statement, or one with others inside.
#[derive(Clone, Debug)]
pub(super) enum Gene {
    Leaf(Deed, Genes),
    /// A construct around others. When not kept, the others stand alone: so a construct shrinks to what is inside it.
    Around {
        keep: bool,
        construct: Construct,
        genes: Genes,
        inside: Vec<Gene>,
        otherwise: Vec<Gene>,
    },
}

/// Small numbers that a statement takes what it needs from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Genes {
    /// Which of the objects that fit.
    pub(super) object: u8,
    /// Which of the locals, if a local is used.
    pub(super) local: u8,
    /// Whether the operand is a local rather than a number.
    pub(super) use_local: bool,
    /// The number.
    pub(super) number: u8,
    /// Which comparison.
    pub(super) comparison: u8,
    /// Whether this statement stands as it is, however soon it ends the run: a lock that is held already, an unlock of
    /// one that is not, an assertion of a constant.
    pub(super) reckless: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Construct {
    If,
    Repeat,
    Spawn,
    Locked,
    ReadLocked,
    WriteLocked,
    /// The thread goes on by the first of the others that can be done.
    Select,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Deed {
    Read,
    Write,
    FetchAdd,
    Swap,
    CompareExchange,
    Add,
    AwaitEqual,
    AwaitNotEqual,
    Lock,
    TryLock,
    Unlock,
    Section,
    ReadLock,
    TryReadLock,
    ReadUnlock,
    WriteLock,
    TryWriteLock,
    WriteUnlock,
    Wait,
    NotifyOne,
    NotifyAll,
    Acquire,
    TryAcquire,
    Release,
    Meet,
    Send,
    Receive,
    TryReceive,
    Fetch,
    Upgrade,
    Unwrap,
    /// One reference more or less.
    Refer,
    Drained,
    CellRead,
    CellWrite,
    PlainRead,
    PlainWrite,
    Fence,
    Downgrade,
    WaitTimeout,
    CountDown,
    PassLatch,
    /// An atomic section.
    Region,
    Init,
    Destroy,
    Free,
    Join,
    Yield,
    Choose,
    Assume,
    Assert,
    Exit,
    /// A loop that waits or retries: see `spin.rs`.
    Spin,
    EnterAndLeave,
}

const VARIABLES: [Deed; 5] = [Deed::Read, Deed::Write, Deed::FetchAdd, Deed::Swap, Deed::CompareExchange];
// What lets others go on is there twice, or most runs would soon be deadlocked.
const AWAITS: [Deed; 4] = [Deed::Add, Deed::Add, Deed::AwaitEqual, Deed::AwaitNotEqual];
const LOCKS: [Deed; 4] = [Deed::Lock, Deed::TryLock, Deed::Unlock, Deed::Section];
const RWLOCKS: [Deed; 6] =
    [Deed::ReadLock, Deed::TryReadLock, Deed::ReadUnlock, Deed::WriteLock, Deed::TryWriteLock, Deed::WriteUnlock];
const CONDVARS: [Deed; 3] = [Deed::Wait, Deed::NotifyOne, Deed::NotifyAll];
const SEMAPHORES: [Deed; 5] = [Deed::Acquire, Deed::TryAcquire, Deed::Release, Deed::Release, Deed::Meet];
const MESSAGES: [Deed; 5] = [Deed::Send, Deed::Send, Deed::Send, Deed::Receive, Deed::TryReceive];
const BARRIERS: [Deed; 1] = [Deed::Meet];
const OTHERS: [Deed; 6] = [Deed::Join, Deed::Yield, Deed::Choose, Deed::Assume, Deed::Assert, Deed::Exit];

const LATCHES: [Deed; 3] = [Deed::CountDown, Deed::CountDown, Deed::PassLatch];
const TIMED: [Deed; 4] = [Deed::WaitTimeout, Deed::Wait, Deed::NotifyOne, Deed::NotifyAll];
// Few lives end, so that objects are used.
const LIVES: [Deed; 7] =
    [Deed::Init, Deed::Init, Deed::Destroy, Deed::Free, Deed::TryLock, Deed::Lock, Deed::TryAcquire];
const CELLS: [Deed; 6] =
    [Deed::CellRead, Deed::CellWrite, Deed::PlainRead, Deed::PlainWrite, Deed::Fence, Deed::Region];
const COUNTS: [Deed; 6] = [Deed::Fetch, Deed::Refer, Deed::Refer, Deed::Upgrade, Deed::Unwrap, Deed::Drained];
const DOWNGRADES: [Deed; 4] = [Deed::WriteLock, Deed::Downgrade, Deed::ReadLock, Deed::TryWriteLock];
const LOOPS: [Deed; 4] = [Deed::Spin, Deed::Spin, Deed::Spin, Deed::Spin];
const PAIRS: [Deed; 4] = [Deed::Spin, Deed::Spin, Deed::Spin, Deed::EnterAndLeave];
const CHECKS: [Deed; 4] = [Deed::Assert, Deed::Yield, Deed::Choose, Deed::TryLock];

/// How often the deeds of each group are done.
#[derive(Clone, Copy)]
struct Weights {
    variables: u32,
    awaits: u32,
    locks: u32,
    rwlocks: u32,
    condvars: u32,
    semaphores: u32,
    messages: u32,
    barriers: u32,
    latches: u32,
    timed: u32,
    lives: u32,
    cells: u32,
    counts: u32,
    downgrades: u32,
    others: u32,
    loops: u32,
    pairs: u32,
    checks: u32,
    arms: u32,
}

const NONE: Weights = Weights {
    variables: 0,
    awaits: 0,
    locks: 0,
    rwlocks: 0,
    condvars: 0,
    semaphores: 0,
    messages: 0,
    barriers: 0,
    latches: 0,
    timed: 0,
    lives: 0,
    cells: 0,
    counts: 0,
    downgrades: 0,
    others: 0,
    loops: 0,
    pairs: 0,
    checks: 0,
    arms: 0,
};

/// A few variables, and what every thread does now and then.
const FEW: Weights = Weights { variables: 3, others: 1, ..NONE };

impl Profile {
    /// What a program may be made of: one of these, each as likely as the others. Programs with a little of everything
    /// are those whose threads meet least, so that most programs are of two kinds of object.
    fn weights(self) -> Vec<Weights> {
        let awaits = |weights| Weights { awaits: 6, ..weights };
        let locks = |weights| Weights { locks: 6, ..weights };
        let rwlocks = |weights| Weights { rwlocks: 6, ..weights };
        let condvars = |weights| Weights { condvars: 8, locks: 2, ..weights };
        let semaphores = |weights| Weights { semaphores: 6, ..weights };
        let messages = |weights| Weights { messages: 6, ..weights };
        let barriers = |weights| Weights { barriers: 8, ..weights };
        let latches = |weights| Weights { latches: 6, ..weights };
        let timed = |weights| Weights { timed: 6, ..weights };
        let lives = |weights| Weights { lives: 4, ..weights };
        let cells = |weights| Weights { cells: 4, ..weights };
        let counts = |weights| Weights { counts: 6, ..weights };
        let downgrades = |weights| Weights { downgrades: 6, ..weights };
        match self {
            Profile::Everything => vec![
                awaits(locks(FEW)),
                awaits(rwlocks(FEW)),
                awaits(condvars(FEW)),
                awaits(semaphores(FEW)),
                locks(rwlocks(FEW)),
                rwlocks(condvars(FEW)),
                rwlocks(semaphores(FEW)),
                condvars(semaphores(FEW)),
                locks(semaphores(FEW)),
                locks(messages(FEW)),
                messages(semaphores(FEW)),
                barriers(awaits(FEW)),
                barriers(locks(FEW)),
                Weights {
                    variables: 6,
                    awaits: 2,
                    locks: 3,
                    rwlocks: 2,
                    condvars: 3,
                    semaphores: 3,
                    messages: 3,
                    barriers: 3,
                    others: 2,
                    ..NONE
                },
            ],
            Profile::Variables => vec![Weights { variables: 20, ..FEW }],
            Profile::Locks => vec![locks(FEW)],
            Profile::Condvars => vec![condvars(FEW)],
            Profile::RwLocks => vec![rwlocks(FEW)],
            Profile::Semaphores => vec![semaphores(FEW)],
            Profile::Awaits => vec![awaits(FEW)],
            Profile::Messages => vec![messages(FEW)],
            Profile::Barriers => vec![barriers(FEW)],
            Profile::Latches => vec![latches(FEW), latches(awaits(FEW))],
            Profile::TimedWaits => vec![timed(FEW), timed(locks(FEW))],
            Profile::Lives => vec![
                lives(FEW),
                lives(condvars(FEW)),
                lives(semaphores(FEW)),
                lives(rwlocks(FEW)),
                lives(barriers(FEW)),
            ],
            Profile::Cells => vec![cells(FEW), cells(locks(FEW)), cells(semaphores(FEW))],
            Profile::Counts => vec![counts(FEW), downgrades(FEW), counts(awaits(FEW)), downgrades(rwlocks(FEW))],
            Profile::Large => vec![
                Weights { variables: 8, ..FEW },
                locks(FEW),
                timed(FEW),
                barriers(FEW),
                downgrades(FEW),
                Weights { latches: 2, cells: 1, counts: 1, downgrades: 1, ..semaphores(condvars(FEW)) },
                Weights { messages: 2, lives: 1, ..locks(FEW) },
            ],
            Profile::Arms => [
                FEW,
                awaits(FEW),
                locks(FEW),
                rwlocks(FEW),
                Weights { condvars: 5, ..locks(FEW) },
                semaphores(FEW),
                messages(FEW),
                latches(FEW),
                counts(FEW),
                awaits(locks(FEW)),
                locks(semaphores(FEW)),
                messages(semaphores(FEW)),
                rwlocks(awaits(FEW)),
                cells(locks(FEW)),
            ]
            .map(|weights| Weights { arms: 20, ..weights })
            .to_vec(),
            Profile::Loops => vec![
                Weights { variables: 8, loops: 5, checks: 1, ..NONE },
                Weights { variables: 6, loops: 5, locks: 2, checks: 1, ..NONE },
                Weights { variables: 6, loops: 5, awaits: 2, ..NONE },
            ],
            Profile::LoopsThatShow => vec![Weights { variables: 8, pairs: 5, locks: 1, ..NONE }],
        }
    }
}

impl Weights {
    fn deeds(self) -> Union<Just<Deed>> {
        let groups: [(u32, &[Deed]); 18] = [
            (self.others, &OTHERS),
            (self.variables, &VARIABLES),
            (self.awaits, &AWAITS),
            (self.locks, &LOCKS),
            (self.rwlocks, &RWLOCKS),
            (self.condvars, &CONDVARS),
            (self.semaphores, &SEMAPHORES),
            (self.messages, &MESSAGES),
            (self.barriers, &BARRIERS),
            (self.latches, &LATCHES),
            (self.timed, &TIMED),
            (self.lives, &LIVES),
            (self.cells, &CELLS),
            (self.counts, &COUNTS),
            (self.downgrades, &DOWNGRADES),
            (self.loops, &LOOPS),
            (self.pairs, &PAIRS),
            (self.checks, &CHECKS),
        ];
        let of_group = |(weight, deeds): (u32, &'static [Deed])| deeds.iter().map(move |&deed| (weight, Just(deed)));
        Union::new_weighted(groups.into_iter().filter(|&(weight, _)| weight > 0).flat_map(of_group).collect())
    }

    fn constructs(self) -> Union<Just<Construct>> {
        let constructs = [
            (6, Construct::If),
            (1, Construct::Repeat),
            (3, Construct::Spawn),
            (self.locks + self.condvars + self.timed + self.lives, Construct::Locked),
            (self.rwlocks + self.downgrades, Construct::ReadLocked),
            (self.rwlocks + self.downgrades, Construct::WriteLocked),
            (self.arms, Construct::Select),
        ];
        let wanted = constructs.into_iter().filter(|&(weight, _)| weight > 0);
        Union::new_weighted(wanted.map(|(weight, construct)| (weight, Just(construct))).collect())
    }
}

fn numbers() -> impl Strategy<Value = Genes> {
    (0..4u8, any::<u8>(), weighted(0.4), 0..3u8, 0..4u8, weighted(0.04)).prop_map(
        |(object, local, use_local, number, comparison, reckless)| Genes {
            object,
            local,
            use_local,
            number,
            comparison,
            reckless,
        },
    )
}

fn gene(weights: Weights) -> impl Strategy<Value = Gene> {
    let leaf = (weights.deeds(), numbers()).prop_map(|(deed, genes)| Gene::Leaf(deed, genes));
    leaf.prop_recursive(3, 8, 3, move |inner| {
        let around = (
            weighted(0.95),
            weights.constructs(),
            numbers(),
            vec(inner.clone(), 0..=3),
            prop_oneof![3 => Just(Vec::new()), 1 => vec(inner.clone(), 1..=2)],
        );
        let around = around.prop_map(|(keep, construct, genes, inside, otherwise)| Gene::Around {
            keep,
            construct,
            genes,
            inside,
            otherwise,
        });
        // Only an arm that something else stands in the way of is one.
        prop_oneof![3 => inner, if weights.arms > 0 { 3 } else { 1 } => around]
    })
}

pub(super) fn genomes(profile: Profile) -> impl Strategy<Value = Genome> {
    let is_large = profile == Profile::Large;
    Union::new(profile.weights().into_iter().map(move |weights| {
        // Left-out genes, rather than fewer of them, make for programs that are long and can be shrunk to short ones.
        let threads = vec(vec(option::weighted(0.8, gene(weights)), 6), if is_large { 3..=6 } else { 2..=4 });
        (threads, 0..=2i64).prop_map(move |(threads, count)| Genome { threads, count, is_large })
    }))
}
