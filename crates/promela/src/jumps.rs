//! Jumps that cannot be: into a `d_step`, and out of one. A `d_step` is one step, so that nobody can stand within it; SPIN
//! takes a jump to the `d_step` itself for one into it, and so a loop cannot be left for one. A jump that leaves an `atomic`
//! on its way to one stops at the end of the `atomic`, which is none.

use crate::flow::{El, Flow, Kind, Seq, Sub};
use crate::lower::Lowered;
use crate::text::Problem;

/// Refuses a flow with such a jump.
pub(crate) fn check(flow: &Flow) -> Lowered<()> {
    let dstep_of = dsteps(flow);
    for (element, found) in flow.elements.iter().enumerate() {
        let Kind::Goto(jump) = found.kind else { continue };
        if flow.is_of_select(jump) {
            continue;
        }
        let to = flow.target(jump);
        if dstep_of[element].is_some() && dstep_of[to] != dstep_of[element] {
            return Err(Problem::new(found.pos, "a jump out of a `d_step`").help("`atomic` can be left by a jump"));
        }
        if dstep_of[element].is_none() && dstep_of[flow.hunt(to, found.atomic)?].is_some() {
            return Err(Problem::new(found.pos, "a jump into a `d_step`").help("put a `skip` before the `d_step`"));
        }
    }
    Ok(())
}

/// The outermost `d_step` that each element is part of; it is part of itself.
fn dsteps(flow: &Flow) -> Vec<Option<El>> {
    let mut dstep_of = vec![None; flow.elements.len()];
    // Inner ones were made before outer ones, which have the last word.
    for (element, found) in flow.elements.iter().enumerate() {
        if let Kind::Sub(Sub::DStep, inner) = found.kind {
            dstep_of[element] = Some(element);
            mark(flow, inner, element, &mut dstep_of);
        }
    }
    dstep_of
}

fn mark(flow: &Flow, seq: Seq, dstep: El, dstep_of: &mut [Option<El>]) {
    for element in flow.elements_of(seq) {
        dstep_of[element] = Some(dstep);
        match &flow.elements[element].kind {
            Kind::Choice(options) => options.iter().for_each(|option| mark(flow, *option, dstep, dstep_of)),
            Kind::Unless(main, escape) => [*main, *escape].iter().for_each(|part| mark(flow, *part, dstep, dstep_of)),
            Kind::Sub(_, inner) => mark(flow, *inner, dstep, dstep_of),
            Kind::Leaf(_) | Kind::Goto(_) | Kind::Dot | Kind::Break => {}
        }
    }
}
