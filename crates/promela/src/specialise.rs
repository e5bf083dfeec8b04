//! The transitions of a process whose pid is known: `fork[(_pid + 1) % N]` is one variable then, without any reckoning.

use crate::code::{Code, Index, Indexed, Op, Place, Poll, Receive, State, Target};
use crate::machine::binary;

/// For how many pids transitions are kept.
pub(crate) const PIDS: u8 = 16;

/// The states of a proctype for the processes with the first pids; none where the pid makes no difference.
pub(crate) fn by_pid(states: &[State]) -> Vec<Vec<State>> {
    let one = |pid: u8| -> Vec<State> {
        let of = |state: &State| {
            let mut state = state.clone();
            state.transitions.iter_mut().for_each(|made| made.op = op(&made.op, i32::from(pid)));
            state
        };
        states.iter().map(of).collect()
    };
    let ops = |states: &[State]| -> Vec<Op> {
        states.iter().flat_map(|state| &state.transitions).map(|made| made.op.clone()).collect()
    };
    if ops(&one(0)) == ops(&one(1)) && ops(&one(0)) == ops(states) {
        return Vec::new();
    }
    (0..PIDS).map(one).collect()
}

fn op(of: &Op, pid: i32) -> Op {
    let codes = |codes: &[Code]| codes.iter().map(|inner| code(inner, pid)).collect();
    match of {
        Op::Condition(condition) => Op::Condition(code(condition, pid)),
        Op::Assert(condition) => Op::Assert(code(condition, pid)),
        Op::Assign(to, value) => Op::Assign(target(to, pid), code(value, pid)),
        Op::Run { proctype, arguments, result } => Op::Run {
            proctype: *proctype,
            arguments: codes(arguments),
            result: result.as_ref().map(|to| target(to, pid)),
        },
        Op::Send { channel, arguments, sorted } => {
            Op::Send { channel: code(channel, pid), arguments: codes(arguments), sorted: *sorted }
        }
        Op::Receive { channel, arguments, random, keep } => {
            let one = |argument: &Receive| match argument {
                Receive::Store(to) => Receive::Store(target(to, pid)),
                Receive::Match(value) => Receive::Match(code(value, pid)),
            };
            let arguments = arguments.iter().map(one).collect();
            Op::Receive { channel: code(channel, pid), arguments, random: *random, keep: *keep }
        }
        Op::Skip | Op::Print(..) | Op::Else | Op::Fill(_) | Op::End | Op::DStep(_) => of.clone(),
    }
}

fn target(of: &Target, pid: i32) -> Target {
    match of {
        Target::Indexed(found) => match indexed(found, pid) {
            Ok(place) => Target::Place(place),
            Err(found) => Target::Indexed(Box::new(found)),
        },
        other => other.clone(),
    }
}

/// The place that all indices together mean, where they are all known.
fn indexed(of: &Indexed, pid: i32) -> Result<Place, Indexed> {
    let one = |index: &Index| Index { value: code(&index.value, pid), ..index.clone() };
    let indices: Vec<Index> = of.indices.iter().map(one).collect();
    let mut place = of.first;
    for index in &indices {
        match index.value {
            // What is no element fails when it is used.
            Code::Const(value) if (0..index.length as i32).contains(&value) => {
                place.offset += value as u32 * index.stride;
            }
            _ => return Err(Indexed { first: of.first, indices }),
        }
    }
    Ok(place)
}

fn code(of: &Code, pid: i32) -> Code {
    match of {
        Code::Pid => Code::Const(pid),
        Code::LoadIndexed(found) => match indexed(found, pid) {
            Ok(place) => Code::Load(place),
            Err(found) => Code::LoadIndexed(Box::new(found)),
        },
        Code::Unary(operator, inner) => Code::Unary(*operator, Box::new(code(inner, pid))),
        Code::Binary(operator, sides) => {
            let (left, right) = (code(&sides.0, pid), code(&sides.1, pid));
            match (left, right) {
                (Code::Const(left), Code::Const(right)) => match binary(*operator, left, right) {
                    Ok(value) => Code::Const(value),
                    Err(_) => Code::Binary(*operator, Box::new((Code::Const(left), Code::Const(right)))),
                },
                (Code::Load(place), Code::Const(value)) => Code::PlaceConst(*operator, place, value),
                sides => Code::Binary(*operator, Box::new(sides)),
            }
        }
        Code::Condition(parts) => Code::Condition(Box::new([0, 1, 2].map(|part| code(&parts[part], pid)))),
        Code::Probe(probe, channel) => Code::Probe(*probe, Box::new(code(channel, pid))),
        Code::Poll(poll) => {
            let argument = |argument: &Option<Code>| argument.as_ref().map(|argument| code(argument, pid));
            let arguments = poll.arguments.iter().map(argument).collect();
            Code::Poll(Box::new(Poll { channel: code(&poll.channel, pid), arguments, random: poll.random }))
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::{Base, Width};
    use crate::model::Model;

    #[test]
    fn an_index_by_pid_is_one_place() {
        let text = "byte a[3]; active [2] proctype P() { a[(_pid + 1) % 3] = _pid; a[_pid] == 0 }";
        let model = Model::parse("model.pml", text, &[]).expect("a model");
        let proctype = &model.proctypes[0];
        let initial = proctype.initial as usize;
        let Op::Assign(Target::Place(place), Code::Const(1)) = &proctype.by_pid[1][initial].transitions[0].op else {
            panic!("{:?}", proctype.by_pid[1][initial].transitions[0].op);
        };
        let first = model.variables[0].place.offset;
        assert_eq!(*place, Place { base: Base::Global, offset: first + 2, width: Width::Byte });
    }

    #[test]
    fn without_pids_there_is_one_text_for_all() {
        let model =
            Model::parse("model.pml", "byte a[3], i; active [2] proctype P() { a[i] = i }", &[]).expect("a model");
        assert!(model.proctypes[0].by_pid.is_empty());
    }
}
