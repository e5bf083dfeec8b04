//! The types of the matrix.

use super::ways;

/// How a type is accessed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Numbers that can be incremented.
    Number,
    /// Integers of 1, 2, 4, 8 and 16 bytes, which the atomic functions take.
    Integer,
    /// Several numbers that are added at once.
    Vector,
    /// What can only be copied.
    Whole,
    /// A number declared atomic.
    AtomicNumber,
    /// Something else declared atomic.
    AtomicWhole,
    /// A struct with a member `f` that is accessed.
    Member,
    /// What functions of the C library are given.
    Argument,
}

/// A type: its declaration, as a `typedef` of `@`, and how it is accessed.
pub(super) struct Type {
    pub(super) declaration: String,
    pub(super) kind: Kind,
    /// Whether gcc has it.
    pub(super) by_gcc: bool,
    /// The oldest clang that has it; none has it if there is none.
    pub(super) by_clang: Option<u32>,
}

impl Type {
    fn new(declaration: impl Into<String>, kind: Kind) -> Self {
        Type { declaration: declaration.into(), kind, by_gcc: true, by_clang: Some(14) }
    }

    /// Whether all bytes of an object are bytes of its value, which every access takes.
    pub(super) fn is_full(&self) -> bool {
        let has_padding = ["long double", "_BitInt", "ext_vector_type", "int a; char b;", "double a; float b;"];
        !matches!(self.kind, Kind::Member | Kind::Argument | Kind::AtomicWhole)
            && !has_padding.iter().any(|part| self.declaration.contains(part))
    }
}

pub(super) fn types() -> Vec<Type> {
    let mut types = Vec::new();
    scalars(&mut types);
    wholes(&mut types);
    bit_fields(&mut types);
    for bits in 1..=128 {
        let declaration = format!("typedef unsigned _BitInt({bits}) @;");
        types.push(Type { by_gcc: false, ..Type::new(declaration, Kind::Number) });
    }
    types
}

fn scalars(types: &mut Vec<Type>) {
    for of in ["char", "short", "int", "long", "__int128"] {
        for volatile in ["", "volatile "] {
            types.push(Type::new(format!("typedef {volatile}{of} @;"), Kind::Integer));
        }
        types.push(Type::new(format!("typedef _Atomic {of} @;"), Kind::AtomicNumber));
        // At an address that is no multiple of its size.
        types.push(Type::new(format!("typedef struct {{ char c; {of} f; }} __attribute__((packed)) @;"), Kind::Member));
        types.push(Type::new(format!("typedef struct {{ volatile {of} f; }} @;"), Kind::Member));
        types.push(Type::new(format!("typedef union {{ {of} f; char c[3]; }} @;"), Kind::Member));
    }
    for of in
        ["float", "double", "long double", "__float128", "_Complex float", "_Complex double", "_Complex long double"]
    {
        types.push(Type::new(format!("typedef {of} @;"), Kind::Number));
        types.push(Type::new(format!("typedef volatile {of} @;"), Kind::Number));
        types.push(Type::new(format!("typedef struct {{ char c; {of} f; }} __attribute__((packed)) @;"), Kind::Member));
    }
    for of in ["float", "double", "long double"] {
        types.push(Type::new(format!("typedef _Atomic {of} @;"), Kind::AtomicNumber));
    }
    types.push(Type::new("typedef _Complex float @c; typedef _Atomic @c @;", Kind::AtomicWhole));
    types.push(Type::new("typedef _Bool @;", Kind::Number));
    types.push(Type::new("typedef enum { NONE@, SOME@ } @;", Kind::Number));
    types.push(Type::new("typedef char *@;", Kind::Number));
    types.push(Type { by_clang: Some(15), ..Type::new("typedef _Float16 @;", Kind::Number) });
    types.push(Type::new(ways::ARGUMENT, Kind::Argument));
}

fn wholes(types: &mut Vec<Type>) {
    for size in 1..=24 {
        types.push(Type::new(format!("typedef struct {{ char c[{size}]; }} @;"), Kind::Whole));
        types.push(Type::new(
            format!("typedef struct {{ char c[{size}]; }} @s; typedef _Atomic @s @;"),
            Kind::AtomicWhole,
        ));
    }
    for members in [
        "int a; char b;",
        "long a, b, c, d, e;",
        "float a, b, c;",
        "double a; float b;",
        "short a, b, c;",
        "long double a; char b;",
    ] {
        types.push(Type::new(format!("typedef struct {{ {members} }} @;"), Kind::Whole));
        types.push(Type::new(format!("typedef volatile struct {{ {members} }} @;"), Kind::Whole));
        types.push(Type::new(format!("typedef union {{ struct {{ {members} }} s; char c; }} @;"), Kind::Whole));
    }
    for size in [2, 4, 8, 16, 32, 64] {
        for (of, bytes) in [("char", 1), ("short", 2), ("int", 4), ("float", 4), ("double", 8)] {
            if size >= bytes {
                let declaration = format!("typedef {of} @ __attribute__((vector_size({size})));");
                types.push(Type::new(declaration, Kind::Vector));
            }
        }
    }
    for (of, count) in [("char", 3), ("short", 3), ("int", 3), ("float", 3), ("double", 3), ("float", 5), ("int", 7)] {
        let declaration = format!("typedef {of} @ __attribute__((ext_vector_type({count})));");
        types.push(Type { by_gcc: false, ..Type::new(declaration, Kind::Vector) });
    }
}

/// Bit-fields of every width, at several offsets, alone and with something behind them.
fn bit_fields(types: &mut Vec<Type>) {
    for (of, most) in [("unsigned", 32), ("unsigned long", 64)] {
        for width in 1..=most {
            for offset in [0, 1, 7, 8, 20, 40] {
                let before = if offset == 0 { String::new() } else { format!("{of} : {offset}; ") };
                if offset + width > most {
                    continue;
                }
                for behind in ["", " unsigned char b;", " unsigned short b;"] {
                    let declaration = format!("typedef struct {{ {before}{of} f : {width};{behind} }} @;");
                    types.push(Type::new(declaration, Kind::Member));
                }
                let packed =
                    format!("typedef struct {{ char c; {before}{of} f : {width}; }} __attribute__((packed)) @;");
                types.push(Type::new(packed, Kind::Member));
            }
        }
    }
    types.push(Type::new("typedef struct { volatile unsigned f : 20; unsigned char b; } @;", Kind::Member));
    types.push(Type::new("typedef struct { _Bool f : 1; } @;", Kind::Member));
}
