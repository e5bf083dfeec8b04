//! Tasks as bytes, for other processes and for files: each is what it has in common with the one before it, and the rest.

use crate::NONE;
use crate::task::{Step, StepKind, Task};
use explore::Portable;
use explore::bytes::{Reader, Writer};

const KINDS: [StepKind; 4] = [StepKind::Read, StepKind::Write, StepKind::Ghost, StepKind::Other];

impl Portable for Task {
    const FORM: u8 = 0x40;

    fn whole() -> Self {
        Task::whole()
    }

    fn share(&self) -> f64 {
        self.share
    }

    fn write(tasks: &[Self], out: &mut Writer) {
        out.number(tasks.len() as u64);
        let mut before: &[Step] = &[];
        for task in tasks {
            let common = before.iter().zip(&task.steps).take_while(|(a, b)| a == b).count();
            out.number(common as u64);
            out.number((task.steps.len() - common) as u64);
            for (place, step) in task.steps.iter().enumerate().skip(common) {
                write_step(step, stamp_after(&task.steps[..place]), out);
            }
            out.word(task.share.to_bits());
            before = &task.steps;
        }
    }

    fn read(from: &mut Reader<'_>) -> Option<Vec<Self>> {
        let mut tasks: Vec<Task> = Vec::new();
        for _ in 0..from.number()? {
            let common: usize = from.small()?;
            let mut steps = tasks.last().map_or(Some(&[][..]), |task| task.steps.get(..common))?.to_vec();
            if steps.len() != common {
                return None;
            }
            for _ in 0..from.number()? {
                let step = read_step(stamp_after(&steps), from)?;
                steps.push(step);
            }
            tasks.push(Task { steps, kept: 0, branch: None, share: f64::from_bits(from.word()?) });
        }
        Some(tasks)
    }
}

/// The stamp that the next step mostly has.
fn stamp_after(steps: &[Step]) -> u32 {
    steps.last().map_or(0, |step| step.stamp.wrapping_add(1))
}

/// All that is rare is said by a bit of the first number.
fn write_step(step: &Step, stamp: u32, out: &mut Writer) {
    let Step { thread, stamp: own, argument, kind, maximal, alternative } = *step;
    let kind = KINDS.iter().position(|&other| other == kind).expect("all of them") as u64;
    let flags = [maximal, argument == NONE, alternative != 0, own != stamp];
    let bits = flags.iter().rev().fold(0, |bits, &flag| bits << 1 | u64::from(flag));
    out.number(u64::from(thread) << 6 | kind << 4 | bits);
    for (is_there, number) in [(argument != NONE, argument), (alternative != 0, alternative), (own != stamp, own)] {
        if is_there {
            out.number(number.into());
        }
    }
}

fn read_step(stamp: u32, from: &mut Reader<'_>) -> Option<Step> {
    let head = from.number()?;
    let flag = |place: u32| head >> place & 1 == 1;
    let argument = if flag(1) { NONE } else { from.small().filter(|&argument| argument != NONE)? };
    let alternative = if flag(2) { from.small().filter(|&alternative| alternative != 0)? } else { 0 };
    let own = if flag(3) { from.small()? } else { stamp };
    let (thread, kind) = (u32::try_from(head >> 6).ok()?, KINDS[(head >> 4 & 3) as usize]);
    Some(Step { thread, stamp: own, argument, kind, maximal: flag(0), alternative })
}

#[cfg(test)]
mod tests {
    use super::*;
    use explore::Bundle;

    fn tasks(random: &mut fastrand::Rng) -> Vec<Task> {
        let small = |random: &mut fastrand::Rng| if random.bool() { 0 } else { random.u32(..) };
        let mut steps: Vec<Step> = Vec::new();
        let mut tasks = Vec::new();
        for _ in 0..random.usize(..5) {
            steps.truncate(random.usize(..=steps.len()));
            for _ in 0..random.usize(..6) {
                let stamp = if random.bool() { stamp_after(&steps) } else { random.u32(..) };
                let argument = if random.bool() { NONE } else { random.u32(..1_000) };
                let (thread, alternative) = (random.u32(..300), small(random));
                let (kind, maximal) = (KINDS[random.usize(..4)], random.bool());
                steps.push(Step { thread, stamp, argument, kind, maximal, alternative });
            }
            tasks.push(Task { steps: steps.clone(), kept: 0, branch: None, share: random.f64() });
        }
        tasks
    }

    #[test]
    fn tasks_are_read_as_they_were_written() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..2_000 {
            let tasks = tasks(&mut random);
            let bytes = Bundle::new(tasks.clone(), 7).encode();
            let again = Bundle::<Task>::decode(&bytes).unwrap();
            assert_eq!((again.runs_before(), again.into_tasks()), (7, tasks));
            for len in 0..bytes.len() {
                assert!(Bundle::<Task>::decode(&bytes[..len]).is_err(), "the first {len} bytes of {}", bytes.len());
            }
        }
    }

    #[test]
    fn no_bytes_are_too_much() {
        let mut random = fastrand::Rng::with_seed(2);
        for _ in 0..20_000 {
            let mut bytes = vec![0; random.usize(1..40)];
            random.fill(&mut bytes);
            bytes[0] = Task::FORM;
            // Whatever comes of it, it comes back.
            let _ = Bundle::<Task>::decode(&bytes);
        }
    }
}
