//! `--suggest-orders`: which stronger memory orders make a program pass.
//!
//! All accesses are made seq_cst; if the program passes so, each is made as weak again as the program allows, one after the
//! other. What is left is minimal: with any of its orders as it was, the program fails. (Weaker orders only allow more.)

use crate::problem::Problem;
use crate::target::Target;
use graphs::{ModelInfo, Settings};
use litmus::{LitmusProgram, Sketch};
use model::{Order, Orders};
use std::fmt::Write;
use std::ops::ControlFlow;

/// What to print.
pub(crate) fn text(target: &Target, model: &'static ModelInfo, settings: &Settings) -> Result<String, Problem> {
    let Some(sketch) = target.sketch() else {
        return Err(Problem::Input("--suggest-orders is for programs in litmus notation".to_owned()));
    };
    let search = Search { model, settings: Settings { keep_going: false, ..*settings } };
    let Some(stronger) = search.minimal(&sketch)? else {
        return Ok("\nno stronger memory order makes this pass: it fails with every access seq_cst, too\n".to_owned());
    };
    let mut text = "\nwith these memory orders, and none of them weaker, it passes:\n".to_owned();
    for (old, new) in sketch.ordered().iter().zip(stronger.ordered()).filter(|(old, new)| old.orders != new.orders) {
        let _ = writeln!(text, "  {}  `{}`  {} → {}", old.body, old.text, old.orders.success, new.orders.success);
    }
    Ok(text)
}

struct Search {
    model: &'static ModelInfo,
    settings: Settings,
}

impl Search {
    /// The program with a minimal set of stronger orders; none if no orders help.
    fn minimal(&self, sketch: &Sketch) -> Result<Option<Sketch>, Problem> {
        let accesses = sketch.ordered();
        let mut strong = sketch.clone();
        for (number, access) in accesses.iter().enumerate() {
            if is_atomic(access.orders) && access.allowed.len() > 1 {
                strong.set_orders(number, Orders::default());
            }
        }
        if !self.passes(&strong)? {
            return Ok(None);
        }
        for (number, access) in accesses.iter().enumerate().filter(|(_, access)| is_atomic(access.orders)) {
            let stronger = access.allowed.iter().filter(|orders| orders.success.includes(access.orders.success));
            for &orders in std::iter::once(&access.orders).chain(stronger) {
                let mut candidate = strong.clone();
                candidate.set_orders(number, orders);
                if self.passes(&candidate)? {
                    strong = candidate;
                    break;
                }
            }
        }
        Ok(Some(strong))
    }

    fn passes(&self, sketch: &Sketch) -> Result<bool, Problem> {
        let program = LitmusProgram::new(sketch.clone()).map_err(Problem::input)?;
        let mut go_on = |_: &trace::Tally, _: usize| ControlFlow::Continue(());
        let report = graphs::check(&program, self.model, &self.settings, &mut go_on).map_err(Problem::input)?;
        Ok(report.exhaustive && report.findings.is_empty())
    }
}

fn is_atomic(orders: Orders) -> bool {
    orders.success != Order::Plain
}
