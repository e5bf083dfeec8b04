//! Calls of an `inline`, which put its text in their place.

use super::*;

impl Parser {
    /// The text of an inline takes the place of its call, with the arguments in it.
    pub(super) fn put_inline(&mut self, at: &Token, inline: &Inline, result: Option<&[Token]>) -> Parsed<()> {
        let start = self.next;
        let arguments = self.inline_arguments(at, inline.parameters.len())?;
        let mut text = Vec::with_capacity(inline.body.len());
        for token in &inline.body {
            match &token.kind {
                Kind::Word(word) if &**word == "return" => {
                    let Some(result) = result else {
                        return Err(Problem::new(token.pos, "`return` in an inline whose result nobody takes").wide(6));
                    };
                    text.extend_from_slice(result);
                    text.push(Token { kind: Kind::Mark("="), ..token.clone() });
                }
                Kind::Word(word) => match inline.parameters.iter().position(|parameter| parameter == word) {
                    Some(number) => text.extend(arguments[number].iter().cloned()),
                    None => text.push(token.clone()),
                },
                _ => text.push(token.clone()),
            }
        }
        if self.tokens.len() + text.len() > MOST_TOKENS {
            return Err(Problem::new(at.pos, format!("the inline {at} calls itself, or the model is too large"))
                .wide(at.width()));
        }
        if !self.in_inline() {
            self.behind_inline = self.tokens.len() - self.next;
        }
        self.tokens.splice(start..self.next, text);
        self.next = start;
        Ok(())
    }

    /// Whether the next token comes from an inline.
    pub(super) fn in_inline(&self) -> bool {
        self.tokens.len() - self.next > self.behind_inline
    }

    pub(super) fn inline_arguments(&mut self, at: &Token, wanted: usize) -> Parsed<Vec<Vec<Token>>> {
        self.expect("(")?;
        let mut arguments = vec![Vec::new()];
        let mut depth = 0;
        loop {
            let token = self.take();
            match token.kind {
                Kind::Mark(")" | "]" | "}") if depth == 0 => break,
                Kind::Mark(",") if depth == 0 => {
                    arguments.push(Vec::new());
                    continue;
                }
                Kind::Mark("(" | "[" | "{") => depth += 1,
                Kind::Mark(")" | "]" | "}") => depth -= 1,
                Kind::End => return Err(Problem::new(at.pos, "this call has no `)`").wide(at.width())),
                _ => {}
            }
            arguments.last_mut().expect("there is always one").push(token);
        }
        if wanted == 0 && arguments.len() == 1 && arguments[0].is_empty() {
            arguments.clear();
        }
        if arguments.len() != wanted {
            let message = format!("the inline {at} takes {wanted} arguments, not {}", arguments.len());
            return Err(Problem::new(at.pos, message).wide(at.width()));
        }
        Ok(arguments)
    }
}
