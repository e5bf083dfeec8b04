//! Treiber's stack: a list whose head is replaced by compare-exchange.

use crate::shim::sync::Arc;
use crate::shim::sync::atomic::{AtomicPtr, Ordering::SeqCst};
use crate::shim::thread;
use std::ptr;
use std::sync::Mutex as StdMutex;

struct Node {
    value: u32,
    next: *mut Node,
}

/// A stack of numbers. With `BUG`, a pop stores the new head without looking whether the old one is still there.
pub struct Stack<const BUG: bool> {
    head: AtomicPtr<Node>,
    /// Nodes that others may still look at, freed with the stack.
    retired: StdMutex<Vec<*mut Node>>,
}

// SAFETY: nodes are changed only before they are published.
unsafe impl<const BUG: bool> Send for Stack<BUG> {}
// SAFETY: as above.
unsafe impl<const BUG: bool> Sync for Stack<BUG> {}

impl<const BUG: bool> Stack<BUG> {
    /// An empty stack.
    #[allow(clippy::new_without_default, reason = "an example")]
    pub fn new() -> Self {
        Stack { head: AtomicPtr::new(ptr::null_mut()), retired: StdMutex::default() }
    }

    /// Puts a number on top.
    pub fn push(&self, value: u32) {
        let node = Box::into_raw(Box::new(Node { value, next: ptr::null_mut() }));
        let mut head = self.head.load(SeqCst);
        loop {
            // SAFETY: nobody else has the node yet.
            unsafe { (*node).next = head };
            match self.head.compare_exchange(head, node, SeqCst, SeqCst) {
                Ok(_) => return,
                Err(found) => head = found,
            }
        }
    }

    /// Takes the number on top.
    pub fn pop(&self) -> Option<u32> {
        let mut head = self.head.load(SeqCst);
        while !head.is_null() {
            // SAFETY: nodes are not freed before the stack is.
            let Node { value, next } = unsafe { ptr::read(head) };
            let taken = if BUG {
                self.head.store(next, SeqCst);
                Ok(head)
            } else {
                self.head.compare_exchange(head, next, SeqCst, SeqCst)
            };
            match taken {
                Ok(_) => {
                    self.retired.lock().unwrap().push(head);
                    return Some(value);
                }
                Err(found) => head = found,
            }
        }
        None
    }
}

impl<const BUG: bool> Drop for Stack<BUG> {
    fn drop(&mut self) {
        while self.pop().is_some() {}
        let mut retired = std::mem::take(&mut *self.retired.lock().unwrap());
        retired.sort_unstable();
        retired.dedup();
        for node in retired {
            // SAFETY: nobody has the stack any more, and every node is freed once.
            drop(unsafe { Box::from_raw(node) });
        }
    }
}

/// Two threads push and pop: nothing is lost, nothing comes twice.
pub fn scenario<const BUG: bool>() {
    let stack = Arc::new(Stack::<BUG>::new());
    let work = |value| {
        let stack = stack.clone();
        thread::spawn(move || {
            stack.push(value);
            stack.pop()
        })
    };
    let threads = [work(1), work(2)];
    let mut popped: Vec<u32> = threads.into_iter().filter_map(|thread| thread.join().unwrap()).collect();
    popped.sort_unstable();
    assert_eq!(popped, [1, 2], "every number is popped once");
}
