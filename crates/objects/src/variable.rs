//! A shared variable. Its word is its value.

use model::{OpKind, State, Update};

/// The value after a write of any sort that was not refused.
#[inline]
pub(crate) fn updated(kind: OpKind, value: State) -> State {
    match kind {
        OpKind::Write(new) | OpKind::CompareExchange { new, .. } => new,
        OpKind::ReadModifyWrite(Update::Swap(new)) => new,
        OpKind::ReadModifyWrite(Update::FetchAdd(by)) | OpKind::Add(by) => value.wrapping_add(by),
        _ => value,
    }
}
