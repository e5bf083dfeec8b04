//! A shared variable. Its word is its value.

use model::{Function, OpKind, State, Update, Width};

/// The value after a write of any sort that was not refused.
#[inline]
pub(crate) fn updated(kind: OpKind, value: State) -> State {
    match kind {
        OpKind::Write(new) | OpKind::PlainWrite(new) | OpKind::CompareExchange { new, .. } => new,
        OpKind::ReadModifyWrite(Update::Swap(new)) => new,
        OpKind::ReadModifyWrite(Update::Native) => value,
        OpKind::ReadModifyWrite(Update::FetchAdd(by)) | OpKind::Add(by) => value.wrapping_add(by),
        OpKind::AddIn { width, by } => fetch(Function::Add, width, value, by),
        OpKind::ReadModifyWrite(Update::Fetch { function, width, operand }) => fetch(function, width, value, operand),
        _ => value,
    }
}

fn fetch(function: Function, width: Width, a: State, b: State) -> State {
    let less = if width.signed { (a as i64) < b as i64 } else { a < b };
    width.extend(match function {
        Function::Add => a.wrapping_add(b),
        Function::Sub => a.wrapping_sub(b),
        Function::And => a & b,
        Function::Nand => !(a & b),
        Function::Or => a | b,
        Function::Xor => a ^ b,
        Function::Max => {
            if less {
                b
            } else {
                a
            }
        }
        Function::Min => {
            if less {
                a
            } else {
                b
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_wrap_at_their_width() {
        let byte = Width { bits: 8, signed: false };
        let signed = Width { bits: 8, signed: true };
        assert_eq!(fetch(Function::Add, byte, 255, 1), 0);
        assert_eq!(fetch(Function::Sub, byte, 0, 1), 255);
        assert_eq!(fetch(Function::Add, signed, 127, 1), -128i64 as u64);
        assert_eq!(fetch(Function::Nand, byte, 3, 1), 254);
        assert_eq!(fetch(Function::Max, signed, -1i64 as u64, 1), 1);
        assert_eq!(fetch(Function::Max, byte, 255, 1), 255);
        assert_eq!(fetch(Function::Min, signed, -1i64 as u64, 1), -1i64 as u64);
    }
}
