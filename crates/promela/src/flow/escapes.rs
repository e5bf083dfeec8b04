//! `unless`: what statements are left for.

use super::*;

impl Flow {
    pub(super) fn unless(
        &mut self,
        lowering: &mut Lowering<'_>,
        main: &Stmt,
        escape: &Stmt,
        pos: Pos,
        seq: Seq,
    ) -> Lowered<El> {
        if let Some(lifted) = lifted(main, escape, pos) {
            return self.labelled(lowering, &lifted.0, &lifted.1, seq);
        }
        let main = self.wrapped(lowering, main)?;
        let escape = self.wrapped(lowering, escape)?;
        let element = self.element(Kind::Unless(main, escape), pos);
        let meet = self.element(Kind::Dot, pos);
        self.attach_escape(main, escape);
        self.append(main, meet);
        self.append(escape, meet);
        self.append(seq, element);
        self.append(seq, meet);
        Ok(element)
    }

    pub(super) fn attach_escape(&mut self, seq: Seq, escape: Seq) {
        let Sequence { first, extent, .. } = self.sequences[seq];
        let mut here = first;
        while let Some(element) = here {
            self.escape_from(element, escape);
            if Some(element) == extent {
                break;
            }
            here = self.elements[element].next;
        }
    }

    pub(super) fn escape_from(&mut self, element: El, escape: Seq) {
        if self.elements[element].escapes.contains(&escape) {
            return;
        }
        // Escapes that are there already can be left, too.
        for inner in self.elements[element].escapes.clone() {
            self.attach_escape(inner, escape);
        }
        self.elements[element].escapes.insert(0, escape);
        match self.elements[element].kind.clone() {
            Kind::Unless(main, _) => self.attach_escape(main, escape),
            Kind::Choice(options) => {
                for option in options {
                    self.attach_escape(option, escape);
                }
            }
            Kind::Sub(Sub::DStep, inner) => {
                let first = self.sequences[inner].first.expect("a closed sequence has an element");
                self.escape_from(first, escape);
            }
            Kind::Sub(_, inner) => self.attach_escape(inner, escape),
            Kind::Leaf(_) | Kind::Goto(_) | Kind::Dot | Kind::Break => {}
        }
    }
}

/// The label of a block that can be left is that of a block around it, which is what the label's block was.
fn lifted(main: &Stmt, escape: &Stmt, pos: Pos) -> Option<(Name, Stmt)> {
    let StmtKind::Label(name, inner) = &main.kind else { return None };
    let (block, around): (_, fn(Block) -> StmtKind) = match &inner.kind {
        StmtKind::Block(block) => (block, StmtKind::Block),
        StmtKind::Atomic(block) => (block, StmtKind::Atomic),
        StmtKind::DStep(block) => (block, StmtKind::DStep),
        _ => return None,
    };
    let main = Stmt { pos: inner.pos, kind: StmtKind::Block(block.clone()) };
    let unless = Stmt { pos, kind: StmtKind::Unless(Box::new(main), Box::new(escape.clone())) };
    Some((Arc::clone(name), Stmt { pos: inner.pos, kind: around(Block { steps: vec![unless] }) }))
}
