//! Whether more threads come to a barrier than meet there: then the order of their arrivals decides who meets whom.

use crate::sketch::{Action, Block, ObjectRef, Sketch, Spawned, Statement};

/// More threads than any barrier has parties.
const MANY: u64 = 1 << 40;
/// How deep spawns may be nested before their threads are no longer counted: templates may spawn themselves.
const DEEPEST: u32 = 32;

/// Whether they do at one of the barriers of this declaration.
pub(super) fn is_crowded(sketch: &Sketch, barrier: ObjectRef, parties: u32) -> bool {
    let census = Census { sketch, barrier };
    let threads: u64 = sketch.threads.iter().map(|thread| census.threads(&thread.body.block, 0)).sum();
    threads > parties.into()
}

struct Census<'s> {
    sketch: &'s Sketch,
    barrier: ObjectRef,
}

impl Census<'_> {
    /// How many threads may come to the barrier: one that runs this block, and those that it spawns.
    fn threads(&self, block: &Block, depth: u32) -> u64 {
        if depth == DEEPEST {
            return MANY;
        }
        u64::from(self.meets(block)) + self.spawned(block, depth)
    }

    fn spawned(&self, block: &Block, depth: u32) -> u64 {
        let mut threads: u64 = 0;
        for statement in block {
            threads += match statement {
                Statement::Spawn { what: Spawned::Inline(body), .. } => self.threads(&body.block, depth + 1),
                Statement::Spawn { what: Spawned::Template(number, _), .. } => {
                    let template = self.sketch.templates.get(*number);
                    template.map_or(0, |template| self.threads(&template.body.block, depth + 1))
                }
                // As often as it goes round.
                Statement::Loop(body) if self.spawned(body, depth) > 0 => MANY,
                Statement::If(_, then, otherwise) => self.spawned(then, depth) + self.spawned(otherwise, depth),
                Statement::Select(arms) => arms.iter().map(|arm| self.spawned(arm, depth)).sum(),
                _ => 0,
            };
        }
        threads.min(MANY)
    }

    fn meets(&self, block: &Block) -> bool {
        block.iter().any(|statement| match statement {
            Statement::Act { action: Action::Meet, place, .. } => place.object == self.barrier,
            Statement::Loop(body) => self.meets(body),
            Statement::If(_, then, otherwise) => self.meets(then) || self.meets(otherwise),
            Statement::Select(arms) => arms.iter().any(|arm| self.meets(arm)),
            _ => false,
        })
    }
}
