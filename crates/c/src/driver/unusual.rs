//! Accesses of unusual sizes, in the intermediate language of clang: `long double` and vectors of more than 16 bytes. Its
//! instrumentation passes over them, so they are announced here.

use super::captured::operands;
use std::fmt::Write;

/// Bytes of a `long double` in memory.
const LONG_DOUBLE: usize = 16;
/// The largest size that is announced without help.
const LARGEST_USUAL: usize = 16;

/// The same program with these accesses announced.
pub(super) fn announce(text: &str) -> String {
    let mut announced = String::with_capacity(text.len());
    let mut count = 0;
    for line in text.lines() {
        if let Some(access) = Access::of(line) {
            access.announce(&mut announced, count);
            count += 1;
        }
        announced.push_str(line);
        announced.push('\n');
    }
    for name in ["read", "write"].into_iter().filter(|_| count > 0) {
        let pointer = if text.contains("i8* ") { "i8*" } else { "ptr" };
        let _ = writeln!(announced, "declare void @__tsan_{name}_range({pointer}, i64)");
    }
    announced
}

/// An access of an unusual size.
struct Access<'t> {
    does: &'static str,
    size: usize,
    /// The type of the pointer and its name.
    pointer: (&'t str, &'t str),
    /// Where in the source it is.
    place: &'t str,
}

impl<'t> Access<'t> {
    fn of(line: &'t str) -> Option<Self> {
        let instruction = line.trim_start();
        let (does, rest) = match instruction.strip_prefix("store ") {
            Some(rest) => ("write", rest),
            None => ("read", instruction.split_once(" = load ").filter(|_| instruction.starts_with('%'))?.1),
        };
        let rest = rest.strip_prefix("volatile ").unwrap_or(rest);
        let size = unusual_size(rest)?;
        // Behind the type and the value, or the type alone.
        let pointer = operands(rest).nth(1)?;
        let place = rest.find(", !dbg ").map_or("", |at| &rest[at..]);
        let place = place.get(..place[1..].find(", !").map_or(place.len(), |end| end + 1))?;
        Some(Access { does, size, pointer: pointer.rsplit_once(' ')?, place })
    }

    fn announce(&self, text: &mut String, count: usize) {
        let (of, name) = self.pointer;
        let (does, size, place) = (self.does, self.size, self.place);
        let _ = match of {
            "ptr" => writeln!(text, "  call void @__tsan_{does}_range(ptr {name}, i64 {size}){place}"),
            of => writeln!(
                text,
                "  %\"mazurka access {count}\" = bitcast {of} {name} to i8*\n  call void @__tsan_{does}_range(i8* \
                 %\"mazurka access {count}\", i64 {size}){place}"
            ),
        };
    }
}

/// The bytes of the type that a text begins with, if it is an unusual one.
fn unusual_size(text: &str) -> Option<usize> {
    if text.starts_with("x86_fp80") {
        return Some(LONG_DOUBLE);
    }
    let (count, of) = text.strip_prefix('<')?.split_once('>')?.0.split_once(" x ")?;
    let bits = match of {
        "float" => 32,
        "double" => 64,
        of => of.strip_prefix('i')?.parse().ok()?,
    };
    Some(count.parse::<usize>().ok()? * bits / 8).filter(|&size| size > LARGEST_USUAL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unusual_accesses_are_announced() {
        let text = "  %2 = load x86_fp80, x86_fp80* @x, align 16, !dbg !7, !tbaa !9\n\
                    \x20 store <4 x double> <double 1.0, double 2.0>, ptr %p, align 32, !dbg !8\n";
        let announced = announce(text);
        let lines: Vec<&str> = announced.lines().collect();
        assert_eq!(lines[0], "  %\"mazurka access 0\" = bitcast x86_fp80* @x to i8*");
        assert_eq!(lines[1], "  call void @__tsan_read_range(i8* %\"mazurka access 0\", i64 16), !dbg !7");
        assert_eq!(lines[3], "  call void @__tsan_write_range(ptr %p, i64 32), !dbg !8");
    }

    #[test]
    fn usual_accesses_are_left_alone() {
        let text = "  %2 = load <4 x i32>, ptr %p, align 16\n  store i64 1, ptr %p, align 8\n  %3 = add i32 1, 2\n";
        assert_eq!(announce(text), text);
    }
}
