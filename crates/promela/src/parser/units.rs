//! What a model is made of: proctypes, claims, inlines, types.

use super::*;

impl Parser {
    pub(super) fn unit(&mut self) -> Parsed<()> {
        if self.skip_separators() {
            return Ok(());
        }
        let token = self.peek().clone();
        let Kind::Word(word) = &token.kind else {
            return Err(self.unexpected("a declaration or a process"));
        };
        match &**word {
            "active" | "proctype" | "D_proctype" => self.proctype(),
            "init" => self.init(),
            "never" => self.never(),
            "ltl" => self.ltl(),
            "typedef" => self.typedef(),
            "inline" => self.inline(),
            "mtype" if self.is_mtype_list() => self.mtype(),
            _ => {
                let decls = self.declaration()?;
                self.ast.globals.extend(decls);
                Ok(())
            }
        }
    }

    pub(super) fn proctype(&mut self) -> Parsed<()> {
        let pos = self.pos();
        let mut active = 0;
        if self.skip_word("active") {
            active = 1;
            if self.skip("[") {
                let at = self.pos();
                let count = self.constant()?;
                active = u32::try_from(count)
                    .ok()
                    .filter(|count| *count <= 255)
                    .ok_or_else(|| Problem::new(at, format!("{count} processes: there can be 0 to 255")))?;
                self.expect("]")?;
            }
        }
        // That it is deterministic is a promise of the author's, which nothing here relies on.
        if !self.skip_word("D_proctype") {
            self.expect_word("proctype")?;
        }
        let name = self.name("the name of the proctype")?;
        self.expect("(")?;
        let mut parameters = Vec::new();
        while !self.at(")") {
            let pos = self.pos();
            let decls = self.declaration()?;
            if decls.iter().any(|decl| !matches!(decl.initial, Initial::Zero)) {
                return Err(Problem::new(pos, "a parameter has no initial value"));
            }
            parameters.extend(decls);
            if !self.skip(";") {
                break;
            }
        }
        self.expect(")")?;
        let seen = self.seen(1);
        let mut provided = None;
        if self.skip_word("provided") {
            self.expect("(")?;
            provided = Some(self.expression()?);
            self.expect(")")?;
        }
        let body = self.braced()?;
        let end = self.before();
        let proctype = Proctype { pos, end, name, active, parameters, provided, body, seen };
        if let Some(twin) = self.ast.proctypes.iter().find(|other| other.name == proctype.name) {
            return Err(Problem::new(pos, format!("the proctype {} is declared twice", twin.name)));
        }
        self.ast.proctypes.push(proctype);
        Ok(())
    }

    /// What was read so far, with so many proctypes more, which may name themselves.
    fn seen(&self, more: usize) -> Seen {
        Seen { globals: self.ast.globals.len(), proctypes: self.ast.proctypes.len() + more }
    }

    pub(super) fn init(&mut self) -> Parsed<()> {
        let pos = self.take().pos;
        let seen = self.seen(1);
        let body = self.braced()?;
        let end = self.before();
        self.ast.proctypes.push(Proctype {
            pos,
            end,
            name: ":init:".into(),
            active: 1,
            parameters: Vec::new(),
            provided: None,
            body,
            seen,
        });
        Ok(())
    }

    pub(super) fn never(&mut self) -> Parsed<()> {
        let pos = self.take().pos;
        let name = match self.name_ahead() {
            Some(_) => self.name("a name")?,
            None => format!("never_{}", self.ast.claims.len()).into(),
        };
        let seen = self.seen(0);
        let body = self.braced()?;
        self.claim(Claim { name, pos, kind: ClaimKind::Never(body), seen })
    }

    pub(super) fn ltl(&mut self) -> Parsed<()> {
        let pos = self.take().pos;
        let formulas = self.ast.claims.iter().filter(|claim| matches!(claim.kind, ClaimKind::Ltl(_))).count();
        // Here, keywords are names too.
        let name = match &self.peek().kind {
            Kind::Word(word) => Arc::clone(word),
            _ => format!("ltl_{formulas}").into(),
        };
        if !self.at("{") {
            self.next += 1;
        }
        self.expect("{")?;
        self.in_formula = true;
        let formula = self.expression()?;
        self.in_formula = false;
        self.skip_separators();
        self.expect("}")?;
        // SPIN reads formulas after all else.
        self.claim(Claim { name, pos, kind: ClaimKind::Ltl(formula), seen: Seen::ALL })
    }

    pub(super) fn claim(&mut self, claim: Claim) -> Parsed<()> {
        if self.ast.claims.iter().any(|other| other.name == claim.name) {
            return Err(Problem::new(claim.pos, format!("the claim {} is declared twice", claim.name)));
        }
        self.ast.claims.push(claim);
        Ok(())
    }

    pub(super) fn typedef(&mut self) -> Parsed<()> {
        self.take();
        let name = self.name("the name of the type")?;
        self.expect("{")?;
        let mut fields = Vec::new();
        while !self.at("}") {
            fields.extend(self.declaration()?);
            if !self.skip_separators() && !self.line_ended() {
                break;
            }
        }
        self.expect("}")?;
        self.structs.insert(Arc::clone(&name));
        self.ast.structs.push(StructDecl { name, fields });
        Ok(())
    }

    pub(super) fn inline(&mut self) -> Parsed<()> {
        self.take();
        let name = self.name("the name of the inline")?;
        self.expect("(")?;
        let mut parameters = Vec::new();
        while !self.at(")") {
            parameters.push(self.name("the name of a parameter")?);
            if !self.skip(",") {
                break;
            }
        }
        self.expect(")")?;
        let open = self.expect("{")?;
        let start = self.next - 1;
        let mut depth = 1;
        while depth > 0 {
            let token = self.take();
            match token.kind {
                Kind::Mark("{") => depth += 1,
                Kind::Mark("}") => depth -= 1,
                Kind::End => return Err(Problem::new(open.pos, "this inline has no `}`")),
                _ => {}
            }
        }
        let body = self.tokens[start..self.next].to_vec();
        self.inlines.insert(name, Inline { parameters, body });
        Ok(())
    }

    /// `mtype = { … }`, `mtype { … }` or `mtype:name = { … }`, and not a variable.
    pub(super) fn is_mtype_list(&self) -> bool {
        let behind_name = if self.peek_at(1).is(":") { 3 } else { 1 };
        let behind = usize::from(self.peek_at(behind_name).is("=")) + behind_name;
        self.peek_at(behind).is("{")
    }

    pub(super) fn mtype(&mut self) -> Parsed<()> {
        self.take();
        let list: Name = if self.skip(":") { self.name("the name of the mtype")? } else { "_unnamed_".into() };
        self.skip("=");
        self.expect("{")?;
        let mut names = Vec::new();
        while !self.at("}") {
            let pos = self.pos();
            let name = self.name("the name of a message")?;
            if self.mtypes.contains_key(&name) || names.contains(&name) {
                return Err(Problem::new(pos, format!("the message name {name} is declared twice")).wide(name.len()));
            }
            names.push(name);
            self.skip(",");
        }
        self.expect("}")?;
        // The last name of a list has the lowest value.
        let known = self.mtype_lists.entry(list).or_default();
        for name in names.into_iter().rev() {
            known.push(Arc::clone(&name));
            let value = known.len() as i32;
            self.mtypes.insert(Arc::clone(&name), value);
            self.ast.mtypes.push((name, value));
        }
        if known.len() > 255 {
            return Err(Problem::new(self.pos(), "an mtype has at most 255 names"));
        }
        Ok(())
    }
}
