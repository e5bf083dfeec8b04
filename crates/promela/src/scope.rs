//! Names of variables: what they are and where they lie.

use crate::ast::{Decl, Initial, Name, StructDecl, Type};
use crate::code::{Base, Width};
use crate::text::Problem;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A declared variable.
#[derive(Clone, Debug)]
pub(crate) struct Symbol {
    pub(crate) name: Name,
    pub(crate) kind: Type,
    pub(crate) array: Option<u32>,
    pub(crate) base: Base,
    pub(crate) offset: u32,
    /// Its number among the variables of its process or among the globals.
    pub(crate) number: usize,
    /// The struct that its messages are, where it is declared with a channel of such.
    pub(crate) messages: Option<Name>,
}

/// The struct that the messages of a declared channel are.
pub(crate) fn messages(decl: &Decl) -> Option<Name> {
    match &decl.initial {
        Initial::Channel(channel) => match &channel.fields[..] {
            [Type::Struct(name)] => Some(Arc::clone(name)),
            _ => None,
        },
        _ => None,
    }
}

/// Sizes and fields of types.
pub(crate) struct Types {
    structs: FxHashMap<Name, Vec<Field>>,
}

#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: Name,
    pub(crate) kind: Type,
    pub(crate) array: Option<u32>,
    pub(crate) offset: u32,
}

impl Types {
    pub(crate) fn new(structs: &[StructDecl]) -> Self {
        let mut types = Types { structs: FxHashMap::default() };
        for declared in structs {
            let mut offset = 0;
            let mut fields = Vec::new();
            for Decl { name, kind, array, .. } in &declared.fields {
                fields.push(Field { name: Arc::clone(name), kind: kind.clone(), array: *array, offset });
                offset += types.size(kind) * array.unwrap_or(1);
            }
            types.structs.insert(Arc::clone(&declared.name), fields);
        }
        types
    }

    pub(crate) fn fields(&self, name: &Name) -> &[Field] {
        self.structs.get(name).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn field(&self, of: &Name, name: &Name) -> Option<&Field> {
        self.fields(of).iter().find(|field| field.name == *name)
    }

    /// Bytes of a value of this type.
    pub(crate) fn size(&self, kind: &Type) -> u32 {
        match kind {
            Type::Struct(name) => {
                self.fields(name).iter().map(|field| self.size(&field.kind) * field.array.unwrap_or(1)).sum()
            }
            other => width(other).size(),
        }
    }

    /// The scalars that a message field or a parameter of this type consists of.
    pub(crate) fn flatten(&self, kind: &Type, widths: &mut Vec<Width>) {
        match kind {
            Type::Struct(name) => {
                for field in self.fields(name) {
                    for _ in 0..field.array.unwrap_or(1) {
                        self.flatten(&field.kind, widths);
                    }
                }
            }
            other => widths.push(width(other)),
        }
    }
}

/// How a scalar of this type is kept.
pub(crate) fn width(kind: &Type) -> Width {
    match kind {
        Type::Bit => Width::Bit,
        Type::Byte | Type::Mtype | Type::Chan => Width::Byte,
        Type::Short => Width::Short,
        Type::Int | Type::Struct(_) => Width::Int,
        Type::Unsigned(bits) => Width::Bits(*bits as u8),
    }
}

/// The names that can be seen: globals outside, blocks inside.
pub(crate) struct Scopes {
    levels: Vec<FxHashMap<Name, Symbol>>,
    /// So many globals stand before what is looked at.
    pub(crate) globals: usize,
}

impl Default for Scopes {
    fn default() -> Self {
        Scopes { levels: Vec::new(), globals: usize::MAX }
    }
}

impl Scopes {
    pub(crate) fn open(&mut self) {
        self.levels.push(FxHashMap::default());
    }

    pub(crate) fn close(&mut self) {
        self.levels.pop();
    }

    pub(crate) fn add(&mut self, decl: &Decl, symbol: Symbol) -> Result<(), Problem> {
        // As in SPIN, no variable hides another one.
        if self.find(&symbol.name).is_some() {
            let message = format!("the variable {} is declared twice", decl.name);
            return Err(Problem::new(decl.pos, message).wide(decl.name.len()));
        }
        let innermost = self.levels.last_mut().expect("a scope is open");
        innermost.insert(Arc::clone(&symbol.name), symbol);
        Ok(())
    }

    pub(crate) fn find(&self, name: &str) -> Option<&Symbol> {
        let is_seen = |symbol: &&Symbol| symbol.base != Base::Global || symbol.number < self.globals;
        self.levels.iter().rev().find_map(|level| level.get(name)).filter(is_seen)
    }
}
