//! Loops that count: `for` and `select`.

use super::*;

impl Flow {
    #[allow(clippy::too_many_arguments, reason = "these are the parts of the statement")]
    pub(super) fn counting(
        &mut self,
        lowering: &mut Lowering<'_>,
        variable: &VarRef,
        from: &Expr,
        to: &Expr,
        body: &Block,
        pos: Pos,
        seq: Seq,
    ) -> Lowered<El> {
        self.assign(lowering, variable, from, pos, seq)?;
        let round = self.open_round(lowering, variable, Binary::Le, to, pos)?;
        self.block(lowering, body, round)?;
        self.round(lowering, variable, round, true, pos, seq)
    }

    pub(super) fn select(
        &mut self,
        lowering: &mut Lowering<'_>,
        variable: &VarRef,
        from: &Expr,
        to: &Expr,
        pos: Pos,
        seq: Seq,
    ) -> Lowered<El> {
        self.assign(lowering, variable, from, pos, seq)?;
        let round = self.open_round(lowering, variable, Binary::Lt, to, pos)?;
        self.round(lowering, variable, round, false, pos, seq)
    }

    /// Opens a loop whose round begins when the variable compares so with its last value.
    fn open_round(
        &mut self,
        lowering: &mut Lowering<'_>,
        variable: &VarRef,
        compares: Binary,
        to: &Expr,
        pos: Pos,
    ) -> Lowered<Seq> {
        self.open_loop();
        let round = self.sequence();
        let condition = Expr::Binary(pos, compares, Box::new(Expr::Var(variable.clone())), Box::new(to.clone()));
        let op = Op::Condition(lowering.expression(&condition)?);
        self.put(lowering, round, op, pos);
        Ok(round)
    }

    pub(super) fn for_in(
        &mut self,
        lowering: &mut Lowering<'_>,
        variable: &VarRef,
        of: &VarRef,
        body: &Block,
        pos: Pos,
        seq: Seq,
    ) -> Lowered<El> {
        let found = lowering.find(of)?;
        if let Some(length) = found.array {
            if of.parts.len() > 1 {
                return Err(Problem::new(
                    of.pos,
                    "a `for` goes through arrays that are no part of a struct, as with SPIN",
                )
                .help(format!("write `for (… : 0 .. {})`", length - 1)));
            }
            let to = Expr::Const(length as i32 - 1);
            return self.counting(lowering, variable, &Expr::Const(0), &to, body, pos, seq);
        }
        if found.kind != Type::Chan {
            return Err(Problem::new(of.pos, format!("{} is neither an array nor a channel", of.parts[0].0)));
        }
        let into = lowering.find(variable)?;
        let is_fit = matches!(&into.kind, Type::Struct(name) if found.symbol.messages.as_ref() == Some(name));
        if !is_fit || of.parts.len() > 1 {
            let message =
                format!("the messages of {} are not each one struct as {}", of.parts[0].0, variable.parts[0].0);
            return Err(Problem::new(of.pos, message).help("declare it as `chan c = [n] of { that_struct }`"));
        }
        // The messages of a channel go round once; a counter says when.
        let name: Name = format!("_messages_{}", self.symbols.len()).into();
        let counter =
            Decl { pos, name: Arc::clone(&name), kind: Type::Byte, array: None, hidden: false, initial: Initial::Zero };
        self.declare(lowering, &counter)?;
        let counter = VarRef::simple(pos, name);
        self.assign(lowering, &counter, &Expr::Const(0), pos, seq)?;
        self.open_loop();
        let round = self.sequence();
        let left = Box::new(Expr::Var(counter.clone()));
        let length = Box::new(Expr::Probe(crate::ast::Probe::Len, of.clone()));
        let op = Op::Condition(lowering.expression(&Expr::Binary(pos, Binary::Lt, left, length))?);
        self.put(lowering, round, op, pos);
        let channel = lowering.expression(&Expr::Var(of.clone()))?;
        let arguments = lowering.receive_arguments(&[crate::ast::Argument::Store(variable.clone())])?;
        let receive = Op::Receive { channel: channel.clone(), arguments, random: false, keep: false };
        self.put(lowering, round, receive, pos);
        let arguments = lowering.values(&[Expr::Var(variable.clone())])?;
        self.put(lowering, round, Op::Send { channel, arguments, sorted: false }, pos);
        self.block(lowering, body, round)?;
        self.round(lowering, &counter, round, true, pos, seq)
    }

    pub(super) fn assign(
        &mut self,
        lowering: &mut Lowering<'_>,
        variable: &VarRef,
        value: &Expr,
        pos: Pos,
        seq: Seq,
    ) -> Lowered<()> {
        self.before_statements = false;
        let target = lowering.target(variable, true)?;
        let value = lowering.expression(value)?;
        self.put(lowering, seq, Op::Assign(target, value), pos);
        Ok(())
    }

    /// Ends a loop that counts: one more, or out.
    pub(super) fn round(
        &mut self,
        lowering: &mut Lowering<'_>,
        variable: &VarRef,
        round: Seq,
        with_else: bool,
        pos: Pos,
        seq: Seq,
    ) -> Lowered<El> {
        let one = Box::new(Expr::Const(1));
        let more = Expr::Binary(pos, Binary::Add, Box::new(Expr::Var(variable.clone())), one);
        self.assign(lowering, variable, &more, pos, round)?;
        self.close(round, pos)?;
        let leave = self.sequence();
        if with_else {
            let element = self.leaf(Op::Else, pos);
            self.append(leave, element);
        }
        let innermost = *self.loops.last().expect("the loop is open");
        self.goto(leave, JumpTo::Loop(innermost), pos);
        self.jumps.last_mut().expect("it was put there a moment ago").of_select = !with_else;
        self.close(leave, pos)?;
        self.put_choice(vec![leave, round], pos, true, seq)
    }
}
