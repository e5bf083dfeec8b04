//! The causes of an event: few, as a rule, and then where the rest of the event is.

use super::arena::Node;
use std::ops::Deref;

const FEW: usize = 3;

/// A list that does not change.
#[derive(Clone, Debug)]
#[repr(C)]
pub(super) struct Causes {
    few: [Node; FEW],
    len: u32,
    /// All, if they are more than few.
    more: Vec<Node>,
}

impl Causes {
    pub(super) const NONE: Causes = Causes { few: [Node::NONE; FEW], len: 0, more: Vec::new() };

    /// Becomes these.
    #[inline]
    pub(super) fn set(&mut self, causes: &[Node]) {
        self.len = causes.len() as u32;
        if let Some(few) = self.few.get_mut(..causes.len()) {
            few.copy_from_slice(causes);
        } else {
            self.more.clear();
            self.more.extend_from_slice(causes);
        }
    }
}

impl Deref for Causes {
    type Target = [Node];

    #[inline]
    fn deref(&self) -> &[Node] {
        self.few.get(..self.len as usize).unwrap_or(&self.more)
    }
}
