//! Variables and channels.

use super::*;

impl Parser {
    /// Whether a declaration begins here.
    pub(super) fn is_declaration(&self) -> bool {
        match &self.peek().kind {
            Kind::Word(word) => {
                matches!(
                    &**word,
                    "bit"
                        | "bool"
                        | "byte"
                        | "pid"
                        | "short"
                        | "int"
                        | "unsigned"
                        | "mtype"
                        | "chan"
                        | "hidden"
                        | "show"
                        | "local"
                ) || self.structs.contains(word)
            }
            _ => false,
        }
    }

    pub(super) fn declaration(&mut self) -> Parsed<Vec<Decl>> {
        let hidden = self.skip_word("hidden");
        let _ = self.skip_word("show") || self.skip_word("local");
        let kind = self.type_name()?;
        let mut decls = Vec::new();
        loop {
            decls.push(self.variable(kind.clone(), hidden)?);
            if !self.skip(",") {
                return Ok(decls);
            }
        }
    }

    pub(super) fn type_name(&mut self) -> Parsed<Type> {
        let Kind::Word(word) = self.peek().kind.clone() else { return Err(self.unexpected("a type")) };
        let kind = match &*word {
            "bit" | "bool" => Type::Bit,
            "byte" | "pid" => Type::Byte,
            "short" => Type::Short,
            "int" => Type::Int,
            "unsigned" => Type::Unsigned(0),
            "chan" => Type::Chan,
            "mtype" => {
                self.take();
                if self.at(":") {
                    self.take();
                    self.name("the name of an mtype")?;
                }
                return Ok(Type::Mtype);
            }
            _ if self.structs.contains(&word) => Type::Struct(word),
            _ => return Err(self.unexpected("a declaration or a process")),
        };
        self.take();
        Ok(kind)
    }

    pub(super) fn variable(&mut self, mut kind: Type, hidden: bool) -> Parsed<Decl> {
        let pos = self.pos();
        let name = self.name("the name of a variable")?;
        let mut array = None;
        if self.skip(":") {
            let at = self.pos();
            let bits = self.constant()?;
            match &mut kind {
                Type::Unsigned(width) if (1..=31).contains(&bits) => *width = bits as u32,
                Type::Unsigned(_) => return Err(Problem::new(at, "an unsigned has 1 to 31 bits")),
                _ => return Err(Problem::new(at, "only an `unsigned` has a number of bits")),
            }
        } else if kind == Type::Unsigned(0) {
            return Err(Problem::new(pos, "an unsigned needs its number of bits").help("write `unsigned x : 4`"));
        }
        if self.skip("[") {
            let at = self.pos();
            let length = self.constant()?;
            array = Some(
                u32::try_from(length)
                    .ok()
                    .filter(|length| *length > 0)
                    .ok_or_else(|| Problem::new(at, format!("an array has at least one element, not {length}")))?,
            );
            self.expect("]")?;
        }
        let mut initial = Initial::Zero;
        if self.skip("=") {
            initial = if kind == Type::Chan && self.at("[") {
                Initial::Channel(self.channel()?)
            } else if self.at("{") {
                self.elements(array)?
            } else {
                Initial::Value(self.expression()?)
            };
        }
        if let (Initial::Value(Expr::Const(value)), None) = (&initial, array) {
            self.constants.insert(Arc::clone(&name), *value);
        }
        Ok(Decl { pos, name, kind, array, hidden, initial })
    }

    /// `{ 1, 2, 3 }`.
    pub(super) fn elements(&mut self, array: Option<u32>) -> Parsed<Initial> {
        let open = self.expect("{")?;
        if array.is_none() {
            return Err(Problem::new(open.pos, "only an array has a list of initial values"));
        }
        let mut values = Vec::new();
        while !self.at("}") {
            values.push(self.constant()?);
            if !self.skip(",") {
                break;
            }
        }
        self.expect("}")?;
        Ok(Initial::Elements(values))
    }

    /// `[capacity] of { types }`.
    pub(super) fn channel(&mut self) -> Parsed<ChannelDecl> {
        self.expect("[")?;
        let at = self.pos();
        let capacity = self.constant()?;
        let capacity = u32::try_from(capacity)
            .ok()
            .filter(|capacity| *capacity <= 255)
            .ok_or_else(|| Problem::new(at, format!("a channel holds 0 to 255 messages, not {capacity}")))?;
        self.expect("]")?;
        self.expect_word("of")?;
        self.expect("{")?;
        let mut fields = Vec::new();
        loop {
            let at = self.pos();
            let kind = self.type_name()?;
            if matches!(kind, Type::Unsigned(_)) {
                return Err(Problem::new(at, "`unsigned` cannot be the type of a message field"));
            }
            fields.push(kind);
            if !self.skip(",") {
                break;
            }
        }
        self.expect("}")?;
        Ok(ChannelDecl { capacity, fields })
    }
}
