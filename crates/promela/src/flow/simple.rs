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
            check_channels(lowering, variable, value)?;
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
            let channel = lowering.channel(channel)?;
            Op::Send { channel, arguments: lowering.message(pos, arguments)?, sorted: *sorted }
        }
        StmtKind::Receive { channel, arguments, random, keep } => {
            let channel = lowering.channel(channel)?;
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

/// A channel is given a channel, and nothing is worked out with one.
fn check_channels(lowering: &Lowering<'_>, variable: &VarRef, value: &Expr) -> Lowered<()> {
    let kind = |name: &Name| lowering.scopes.find(name).map(|symbol| &symbol.kind);
    let name = &variable.parts[0].0;
    match kind(name) {
        Some(Type::Struct(_)) => return Ok(()),
        Some(Type::Chan) if matches!(value, Expr::Const(_)) => {
            return Err(Problem::new(variable.pos, format!("{name} is a channel, and no number")).wide(name.len()));
        }
        _ => {}
    }
    // Each with whether it is the operand of something.
    let mut left = vec![(value, false)];
    while let Some((value, is_operand)) = left.pop() {
        match value {
            Expr::Var(reference) => {
                let name = &reference.parts[0].0;
                if is_operand && kind(name) == Some(&Type::Chan) {
                    let message = format!("{name} is a channel, and no number");
                    return Err(Problem::new(reference.pos, message).wide(name.len()));
                }
                left.extend(reference.parts.iter().filter_map(|(_, index)| Some((index.as_ref()?, false))));
            }
            Expr::Unary(_, operand) | Expr::Enabled(_, operand) | Expr::PcValue(_, operand) => {
                left.push((operand, true));
            }
            Expr::Binary(_, _, one, other) => left.extend([(&**one, true), (&**other, true)]),
            Expr::Condition(parts) => left.extend(parts.iter().map(|part| (part, true))),
            _ => {}
        }
    }
    Ok(())
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
