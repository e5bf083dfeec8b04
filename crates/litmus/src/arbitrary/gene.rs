//! What arbitrary programs are grown from, and how likely each is.

use super::Profile;
use proptest::bool::weighted;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::Union;

/// A whole program, before it is grown.
#[derive(Clone, Debug)]
pub(super) struct Genome {
    pub(super) threads: Vec<Vec<Gene>>,
    /// The semaphore's count at the start.
    pub(super) count: i64,
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
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Construct {
    If,
    Repeat,
    Spawn,
    Locked,
    ReadLocked,
    WriteLocked,
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
    Join,
    Yield,
    Choose,
    Assume,
    Assert,
    Exit,
}

const VARIABLES: [Deed; 5] = [Deed::Read, Deed::Write, Deed::FetchAdd, Deed::Swap, Deed::CompareExchange];
const AWAITS: [Deed; 3] = [Deed::Add, Deed::AwaitEqual, Deed::AwaitNotEqual];
const LOCKS: [Deed; 4] = [Deed::Lock, Deed::TryLock, Deed::Unlock, Deed::Section];
const RWLOCKS: [Deed; 6] =
    [Deed::ReadLock, Deed::TryReadLock, Deed::ReadUnlock, Deed::WriteLock, Deed::TryWriteLock, Deed::WriteUnlock];
const CONDVARS: [Deed; 3] = [Deed::Wait, Deed::NotifyOne, Deed::NotifyAll];
const SEMAPHORES: [Deed; 4] = [Deed::Acquire, Deed::TryAcquire, Deed::Release, Deed::Meet];
const OTHERS: [Deed; 6] = [Deed::Join, Deed::Yield, Deed::Choose, Deed::Assume, Deed::Assert, Deed::Exit];

/// How often the deeds of each group are done.
struct Weights {
    variables: u32,
    awaits: u32,
    locks: u32,
    rwlocks: u32,
    condvars: u32,
    semaphores: u32,
    others: u32,
}

impl Profile {
    fn weights(self) -> Weights {
        let none = Weights { variables: 2, awaits: 0, locks: 0, rwlocks: 0, condvars: 0, semaphores: 0, others: 1 };
        match self {
            Profile::Everything => {
                Weights { variables: 6, awaits: 3, locks: 3, rwlocks: 2, condvars: 4, semaphores: 3, others: 2 }
            }
            Profile::Variables => Weights { variables: 20, ..none },
            Profile::Locks => Weights { locks: 8, ..none },
            Profile::Condvars => Weights { condvars: 8, locks: 3, ..none },
            Profile::RwLocks => Weights { rwlocks: 6, ..none },
            Profile::Semaphores => Weights { semaphores: 8, ..none },
            Profile::Awaits => Weights { awaits: 10, ..none },
        }
    }

    fn deeds(self) -> Union<Just<Deed>> {
        let weights = self.weights();
        let groups: [(u32, &[Deed]); 7] = [
            (weights.others, &OTHERS),
            (weights.variables, &VARIABLES),
            (weights.awaits, &AWAITS),
            (weights.locks, &LOCKS),
            (weights.rwlocks, &RWLOCKS),
            (weights.condvars, &CONDVARS),
            (weights.semaphores, &SEMAPHORES),
        ];
        let of_group = |(weight, deeds): (u32, &'static [Deed])| deeds.iter().map(move |&deed| (weight, Just(deed)));
        Union::new_weighted(groups.into_iter().filter(|&(weight, _)| weight > 0).flat_map(of_group).collect())
    }

    fn constructs(self) -> Union<Just<Construct>> {
        let weights = self.weights();
        let constructs = [
            (6, Construct::If),
            (1, Construct::Repeat),
            (3, Construct::Spawn),
            (weights.locks + weights.condvars, Construct::Locked),
            (weights.rwlocks, Construct::ReadLocked),
            (weights.rwlocks, Construct::WriteLocked),
        ];
        let wanted = constructs.into_iter().filter(|&(weight, _)| weight > 0);
        Union::new_weighted(wanted.map(|(weight, construct)| (weight, Just(construct))).collect())
    }
}

fn numbers() -> impl Strategy<Value = Genes> {
    (0..4u8, any::<u8>(), weighted(0.4), 0..3u8, 0..4u8).prop_map(|(object, local, use_local, number, comparison)| {
        Genes { object, local, use_local, number, comparison }
    })
}

fn gene(profile: Profile) -> impl Strategy<Value = Gene> {
    let leaf = (profile.deeds(), numbers()).prop_map(|(deed, genes)| Gene::Leaf(deed, genes));
    leaf.prop_recursive(3, 8, 3, move |inner| {
        let around = (
            weighted(0.95),
            profile.constructs(),
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
        prop_oneof![3 => inner, 1 => around]
    })
}

pub(super) fn genomes(profile: Profile) -> impl Strategy<Value = Genome> {
    let threads = vec(vec(gene(profile), 0..=5), 2..=4);
    (threads, 0..=2i64).prop_map(|(threads, count)| Genome { threads, count })
}
