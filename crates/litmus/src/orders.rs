//! The memory orders of a sketch: what they are, and how they are changed.

use crate::print;
use crate::sketch::{Block, Body, Sketch, Spawned, Statement};
use model::{Order, Orders};

/// An access of a variable, or a fence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ordered {
    /// The thread or template that it is in.
    pub body: String,
    /// Its statement.
    pub text: String,
    /// Its orders.
    pub orders: Orders,
    /// Those that it may have, from the weakest to the strongest.
    pub allowed: Vec<Orders>,
}

impl Sketch {
    /// All accesses of variables and fences, in the order of the text.
    pub fn ordered(&self) -> Vec<Ordered> {
        let mut all = Vec::new();
        for template in &self.templates {
            self.collect(&template.name, &template.body, &template.body.block, &mut all);
        }
        for (number, thread) in self.threads.iter().enumerate() {
            let name = thread.name.clone().unwrap_or_else(|| format!("p{number}"));
            self.collect(&name, &thread.body, &thread.body.block, &mut all);
        }
        all
    }

    /// Whether every access is seq_cst and there is no fence, so that sequential consistency is all that RC11 allows.
    pub fn is_seq_cst(&self) -> bool {
        self.ordered().iter().all(|access| access.orders == Orders::default() && access.allowed.len() > 1)
    }

    /// Gives the access of this number in [`ordered`](Self::ordered) other orders.
    pub fn set_orders(&mut self, number: usize, orders: Orders) {
        let mut left = number;
        let bodies = self.templates.iter_mut().map(|template| &mut template.body);
        for body in bodies.chain(self.threads.iter_mut().map(|thread| &mut thread.body)) {
            if set(&mut body.block, &mut left, orders) {
                return;
            }
        }
    }

    fn collect(&self, name: &str, body: &Body, block: &Block, all: &mut Vec<Ordered>) {
        for statement in block {
            let ordered = |orders: Orders, allowed: Vec<Orders>| Ordered {
                body: name.to_owned(),
                text: print::head(self, body, statement),
                orders,
                allowed,
            };
            match statement {
                Statement::Act { action, orders, .. } if action.has_orders() => {
                    let allowed = Order::ALL.into_iter().map(Orders::of).filter(|&orders| action.allows(orders));
                    all.push(ordered(*orders, allowed.collect()));
                }
                Statement::Fence(order) => all.push(ordered(Orders::of(*order), vec![Orders::of(*order)])),
                Statement::Spawn { what: Spawned::Inline(inner), .. } => self.collect(name, inner, &inner.block, all),
                Statement::If(_, then, otherwise) => {
                    self.collect(name, body, then, all);
                    self.collect(name, body, otherwise, all);
                }
                Statement::Loop(inside) => self.collect(name, body, inside, all),
                Statement::Select(arms) => arms.iter().for_each(|arm| self.collect(name, body, arm, all)),
                _ => {}
            }
        }
    }
}

/// Whether the one that is meant was in the block.
fn set(block: &mut Block, left: &mut usize, orders: Orders) -> bool {
    block.iter_mut().any(|statement| match statement {
        Statement::Act { action, orders: old, .. } if action.has_orders() => {
            let is_it = *left == 0;
            if is_it {
                *old = orders;
            }
            *left = left.wrapping_sub(1);
            is_it
        }
        Statement::Fence(order) => {
            let is_it = *left == 0;
            if is_it {
                *order = orders.success;
            }
            *left = left.wrapping_sub(1);
            is_it
        }
        Statement::Spawn { what: Spawned::Inline(inner), .. } => set(&mut inner.block, left, orders),
        Statement::If(_, then, otherwise) => set(then, left, orders) || set(otherwise, left, orders),
        Statement::Loop(inside) => set(inside, left, orders),
        Statement::Select(arms) => arms.iter_mut().any(|arm| set(arm, left, orders)),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_found_and_changed_by_number() {
        let mut sketch: Sketch =
            "var x; a: x = 1 relaxed; if 1 { fence acquire; r = x } | spawn { swap x, 2 acq_rel }".parse().unwrap();
        let texts: Vec<String> = sketch.ordered().into_iter().map(|access| access.text).collect();
        assert_eq!(texts, ["x = 1 relaxed", "fence acquire", "r = x", "swap x, 2 acq_rel"]);
        assert!(!sketch.is_seq_cst());
        sketch.set_orders(3, Orders::of(Order::Relaxed));
        assert_eq!(sketch.ordered()[3].orders, Orders::of(Order::Relaxed));
        assert_eq!(sketch.ordered()[2].orders, Orders::default());
    }
}
