//! Statements that are one element.

use super::*;

/// A statement that is one element.
pub(super) fn simple_statement(lowering: &mut Lowering<'_>, kind: &StmtKind, pos: Pos) -> Lowered<Op> {
    Ok(match kind {
        StmtKind::Assign(variable, Expr::Run(at, name, arguments)) => {
            let target = lowering.target(variable, false)?;
            run(lowering, *at, name, arguments, Some(target))?
        }
        StmtKind::Assign(variable, value) => {
            let target = lowering.target(variable, false)?;
            Op::Assign(target, lowering.expression(value)?)
        }
        StmtKind::Step(variable, value) => {
            if lowering.find(variable)?.kind == Type::Chan {
                return Err(Problem::new(variable.pos, "a channel is no number").wide(variable.parts[0].0.len()));
            }
            let target = lowering.target(variable, false)?;
            lowering.counts_reads = false;
            let value = lowering.expression(value);
            lowering.counts_reads = true;
            Op::Assign(target, value?)
        }
        StmtKind::Expr(Expr::Run(at, name, arguments)) => run(lowering, *at, name, arguments, None)?,
        StmtKind::Expr(Expr::Const(1)) => Op::Skip,
        StmtKind::Expr(value) => Op::Condition(lowering.expression(value)?),
        StmtKind::Send { channel, arguments, sorted } => {
            let channel = lowering.expression(&Expr::Var(channel.clone()))?;
            Op::Send { channel, arguments: lowering.values(arguments)?, sorted: *sorted }
        }
        StmtKind::Receive { channel, arguments, random, keep } => {
            let channel = lowering.expression(&Expr::Var(channel.clone()))?;
            let arguments = lowering.receive_arguments(arguments)?;
            Op::Receive { channel, arguments, random: *random, keep: *keep }
        }
        StmtKind::Print { format, arguments } => Op::Print(Arc::clone(format), printed(lowering, arguments)?),
        StmtKind::Printm(value) => Op::Print("%e".into(), printed(lowering, std::slice::from_ref(value))?),
        StmtKind::Assert(value) => Op::Assert(lowering.expression(value)?),
        StmtKind::Else => Op::Else,
        other => return Err(Problem::new(pos, format!("{other:?} is no simple statement"))),
    })
}

/// What is only printed does not count as read.
pub(super) fn printed(lowering: &mut Lowering<'_>, arguments: &[Expr]) -> Lowered<Vec<Code>> {
    lowering.counts_reads = false;
    let values = lowering.values(arguments);
    lowering.counts_reads = true;
    values
}

pub(super) fn run(
    lowering: &mut Lowering<'_>,
    pos: Pos,
    name: &Name,
    arguments: &[Expr],
    result: Option<Target>,
) -> Lowered<Op> {
    let proctype = lowering.proctype(pos, name)?;
    let arguments = lowering.values(arguments)?;
    let mut wanted = Vec::new();
    for parameter in &lowering.proctypes[usize::from(proctype)].parameters {
        lowering.types.flatten(&parameter.kind, &mut wanted);
    }
    if arguments.len() != wanted.len() {
        let message = format!("{name} takes {} arguments, not {}", wanted.len(), arguments.len());
        return Err(Problem::new(pos, message).wide(3));
    }
    Ok(Op::Run { proctype, arguments, result })
}
