//! Sizes of the types of clang's intermediate language, on x86-64.

use super::captured::operands;
use std::collections::HashMap;

/// Bytes of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Size {
    /// What an access of it reads or writes.
    pub(super) stored: usize,
    align: usize,
}

impl Size {
    const POINTER: Size = Size { stored: 8, align: 8 };

    fn of_bits(bits: usize) -> Self {
        let stored = bits.div_ceil(8);
        Size { stored, align: stored.next_power_of_two().min(16) }
    }

    /// What it takes in an array.
    pub(super) fn allocated(self) -> usize {
        self.stored.next_multiple_of(self.align)
    }
}

/// The types that a module gives names to.
pub(super) struct Types<'t> {
    named: HashMap<&'t str, &'t str>,
}

impl<'t> Types<'t> {
    /// Of the module with this text.
    pub(super) fn of(text: &'t str) -> Self {
        let definitions = text.lines().filter(|line| line.starts_with('%'));
        Types { named: definitions.filter_map(|line| line.split_once(" = type ")).collect() }
    }

    /// The size of the type that a text begins with, and the text behind it.
    pub(super) fn read<'s>(&self, text: &'s str) -> Option<(Size, &'s str)> {
        let (mut size, mut rest) = self.read_simple(text)?;
        loop {
            if let Some(behind) = rest.strip_prefix('*') {
                (size, rest) = (Size::POINTER, behind);
            } else if let Some(behind) = rest.strip_prefix(" (") {
                // A function, which there is only a pointer to.
                rest = behind_bracket(behind, ')').filter(|rest| rest.starts_with('*'))?;
            } else {
                return Some((size, rest));
            }
        }
    }

    fn read_simple<'s>(&self, text: &'s str) -> Option<(Size, &'s str)> {
        let packed = text.strip_prefix("<{");
        if let Some(inner) = packed.or_else(|| text.strip_prefix('{')) {
            let rest = behind_bracket(inner, '}')?;
            let members = &inner[..inner.len() - rest.len() - 1];
            let rest = if packed.is_some() { rest.strip_prefix('>')? } else { rest };
            return Some((self.structure(members.trim(), packed.is_some())?, rest));
        }
        if let Some(inner) = text.strip_prefix('[').or_else(|| text.strip_prefix('<')) {
            let is_array = text.starts_with('[');
            let rest = behind_bracket(inner, if is_array { ']' } else { '>' })?;
            let (count, of) = inner[..inner.len() - rest.len() - 1].split_once(" x ")?;
            let (count, element) = (count.parse::<usize>().ok()?, self.read(of)?.0);
            return Some((if is_array { array(count, element) } else { vector(count, of, element) }, rest));
        }
        let is_end = |c: char| !(c.is_alphanumeric() || "%._-$\"".contains(c));
        let end = match text.strip_prefix("%\"") {
            Some(quoted) => quoted.find('"')? + 3,
            None => text.find(is_end).unwrap_or(text.len()),
        };
        let (name, rest) = text.split_at(end);
        let size = match name {
            "half" | "bfloat" => Size::of_bits(16),
            "float" => Size::of_bits(32),
            "double" => Size::of_bits(64),
            "x86_fp80" => Size { stored: 10, align: 16 },
            "fp128" => Size::of_bits(128),
            "x86_mmx" => Size::of_bits(64),
            "ptr" if !rest.starts_with(" addrspace") => Size::POINTER,
            // A type that is not known is only pointed to.
            name if name.starts_with('%') && rest.starts_with('*') => Size::POINTER,
            name if name.starts_with('%') => self.read(self.named.get(name)?)?.0,
            // There are only pointers to it, and to functions without an answer.
            "void" => Size::POINTER,
            name => Size::of_bits(name.strip_prefix('i')?.parse().ok()?),
        };
        Some((size, rest))
    }

    fn structure(&self, members: &str, is_packed: bool) -> Option<Size> {
        let mut size = Size { stored: 0, align: 1 };
        for member in operands(members).filter(|member| !member.is_empty()) {
            let (of, _) = self.read(member)?;
            let align = if is_packed { 1 } else { of.align };
            let allocated = of.allocated();
            size = Size { stored: size.stored.next_multiple_of(align) + allocated, align: size.align.max(align) };
        }
        Some(Size { stored: size.stored.next_multiple_of(size.align), ..size })
    }
}

fn array(count: usize, element: Size) -> Size {
    Size { stored: count * element.allocated(), align: element.align }
}

/// Elements of a vector lie bit by bit beside each other.
fn vector(count: usize, of: &str, element: Size) -> Size {
    let bits = of.strip_prefix('i').and_then(|bits| bits.parse().ok()).unwrap_or(element.stored * 8);
    let stored = (count * bits).div_ceil(8);
    Size { stored, align: stored.next_power_of_two() }
}

/// What is behind the bracket that closes one which was opened just before the text.
fn behind_bracket(text: &str, closing: char) -> Option<&str> {
    let mut depth = 0;
    let mut is_quoted = false;
    for (at, c) in text.char_indices() {
        match c {
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '(' | '[' | '{' | '<' => depth += 1,
            c if depth == 0 && c == closing => return Some(&text[at + 1..]),
            ')' | ']' | '}' | '>' => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(text: &str) -> Option<usize> {
        let module = "%struct.S = type { i8, i32, [3 x i16] }\n%struct.T = type <{ i8, %struct.S* }>\n";
        Types::of(module).read(text).map(|(size, rest)| {
            assert!(rest.is_empty() || rest.starts_with(' '), "{rest}");
            size.stored
        })
    }

    #[test]
    fn types_have_their_sizes() {
        for (text, size) in [
            ("i1 0", 1),
            ("i24", 3),
            ("i33 5", 5),
            ("i128", 16),
            ("x86_fp80 0xK0", 10),
            ("<3 x float> zeroinitializer", 12),
            ("<8 x i1>", 1),
            ("[3 x i16]", 6),
            ("{ double, i8 }", 16),
            ("<{ double, i8 }>", 9),
            ("%struct.S %1", 16),
            ("%struct.T", 9),
            ("%struct.Unknown* %1", 8),
            ("i32 (i8*, ...)* @f", 8),
            ("[2 x <{ i8, i16 }>]*", 8),
            ("void (%\"struct.A<B, (C)>\"*)** %9", 8),
            ("ptr @x", 8),
        ] {
            assert_eq!(stored(text), Some(size), "{text}");
        }
        assert_eq!(stored("ptr addrspace(256) null"), None);
        assert_eq!(stored("%struct.Unknown %1"), None);
    }
}
