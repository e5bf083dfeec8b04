//! Michael and Scott's queue: a list with a dummy node, whose tail may lag behind.

use crate::shim::sync::Arc;
use crate::shim::sync::atomic::{AtomicPtr, Ordering::SeqCst};
use crate::shim::thread;
use std::ptr;
use std::sync::Mutex as StdMutex;

struct Node {
    value: u32,
    next: AtomicPtr<Node>,
}

impl Node {
    fn new(value: u32) -> *mut Node {
        Box::into_raw(Box::new(Node { value, next: AtomicPtr::new(ptr::null_mut()) }))
    }
}

/// A queue of numbers. With `BUG`, an enqueue stores the new node without looking whether another is there by now.
pub struct Queue<const BUG: bool> {
    head: AtomicPtr<Node>,
    tail: AtomicPtr<Node>,
    /// All nodes, freed with the queue.
    nodes: StdMutex<Vec<*mut Node>>,
}

// SAFETY: nodes are changed only through their atomics once they are published.
unsafe impl<const BUG: bool> Send for Queue<BUG> {}
// SAFETY: as above.
unsafe impl<const BUG: bool> Sync for Queue<BUG> {}

impl<const BUG: bool> Queue<BUG> {
    /// An empty queue.
    #[allow(clippy::new_without_default, reason = "an example")]
    pub fn new() -> Self {
        let dummy = Node::new(0);
        Queue { head: AtomicPtr::new(dummy), tail: AtomicPtr::new(dummy), nodes: StdMutex::new(vec![dummy]) }
    }

    fn next(&self, node: *mut Node) -> &AtomicPtr<Node> {
        // SAFETY: nodes are freed with the queue.
        unsafe { &(*node).next }
    }

    /// Puts a number at the end.
    pub fn enqueue(&self, value: u32) {
        let node = Node::new(value);
        self.nodes.lock().unwrap().push(node);
        loop {
            let tail = self.tail.load(SeqCst);
            let next = self.next(tail).load(SeqCst);
            if !next.is_null() {
                let _ = self.tail.compare_exchange(tail, next, SeqCst, SeqCst);
                continue;
            }
            let linked = if BUG {
                self.next(tail).store(node, SeqCst);
                true
            } else {
                self.next(tail).compare_exchange(next, node, SeqCst, SeqCst).is_ok()
            };
            if linked {
                let _ = self.tail.compare_exchange(tail, node, SeqCst, SeqCst);
                return;
            }
        }
    }

    /// Takes the first number.
    pub fn dequeue(&self) -> Option<u32> {
        loop {
            let head = self.head.load(SeqCst);
            let tail = self.tail.load(SeqCst);
            let next = self.next(head).load(SeqCst);
            if next.is_null() {
                return None;
            }
            if head == tail {
                let _ = self.tail.compare_exchange(tail, next, SeqCst, SeqCst);
            } else if self.head.compare_exchange(head, next, SeqCst, SeqCst).is_ok() {
                // SAFETY: nodes are freed with the queue.
                return Some(unsafe { (*next).value });
            }
        }
    }
}

impl<const BUG: bool> Drop for Queue<BUG> {
    fn drop(&mut self) {
        for node in std::mem::take(&mut *self.nodes.lock().unwrap()) {
            // SAFETY: nobody has the queue any more.
            drop(unsafe { Box::from_raw(node) });
        }
    }
}

/// Two threads enqueue while a third dequeues once: what is left is the rest.
pub fn scenario<const BUG: bool>() {
    let queue = Arc::new(Queue::<BUG>::new());
    let put = |value| {
        let queue = queue.clone();
        thread::spawn(move || queue.enqueue(value))
    };
    let threads = [put(1), put(2)];
    let mut taken = Vec::from_iter(queue.dequeue());
    for thread in threads {
        thread.join().unwrap();
    }
    taken.extend(std::iter::from_fn(|| queue.dequeue()));
    taken.sort_unstable();
    assert_eq!(taken, [1, 2], "every number is dequeued once");
}
