//! Litmus tests of the literature in C: under each memory model as many executions as there are graphs of the programs in litmus notation,
//! and as many that have the outcome that is asked about.
//!
//! All of them are one program, which chooses one: so it is compiled once.

use crate::checking::{command, finish};
use graphs::{Complete, Graph, Graphs, MODELS, ModelInfo, Watcher};
use litmus::LitmusProgram;
use litmus::corpus::{OutcomeRow, outcome_rows};
use litmus::sketch::{Action, Expr, Local, Sketch, Statement};
use model::{Names, Order, Program, ThreadId};
use std::fmt::Write;
use std::ops::ControlFlow;

const HEAD: &str = "#include <assert.h>\n#include <mazurka.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\
    atomic_int x, y, z, f;\nint r[8];\n\
    static void run(int n, void *(**threads)(void *)) {\n  pthread_t t[4];\n\
    \x20 for (int i = 0; i < n; i++) pthread_create(&t[i], 0, threads[i], 0);\n\
    \x20 for (int i = 0; i < n; i++) pthread_join(t[i], 0);\n}\n";

fn order(order: Order) -> &'static str {
    match order {
        Order::Acquire => "memory_order_acquire",
        Order::Release => "memory_order_release",
        Order::AcqRel => "memory_order_acq_rel",
        Order::SeqCst => "memory_order_seq_cst",
        Order::Plain | Order::Relaxed => "memory_order_relaxed",
    }
}

/// A thread: what it reads goes into `r` from this place on. Says how much it reads.
fn thread(sketch: &Sketch, number: usize, first: usize, text: &mut String) -> usize {
    let mut locals: Vec<Local> = Vec::new();
    for statement in &sketch.threads[number].body.block {
        let (result, action, place, orders) = match statement {
            Statement::Fence(which) => {
                let _ = writeln!(text, "  atomic_thread_fence({});", order(*which));
                continue;
            }
            Statement::Act { result, action, place, orders } => (result, action, place, orders),
            _ => panic!("such statements are not in {sketch}"),
        };
        let x = &sketch.objects[place.object.0 as usize].name;
        let value = |value: &Expr| match value {
            Expr::Number(number) => number.to_string(),
            Expr::Local(local) => {
                format!("r[{}]", first + locals.iter().position(|known| known == local).expect("it was read"))
            }
            _ => panic!("such values are not in {sketch}"),
        };
        let (with, to) = (order(orders.success), format!("r[{}]", first + locals.len()));
        let _ = match action {
            Action::Read => writeln!(text, "  {to} = atomic_load_explicit(&{x}, {with});"),
            Action::Write(new) => writeln!(text, "  atomic_store_explicit(&{x}, {}, {with});", value(new)),
            Action::FetchAdd(by) => {
                writeln!(text, "  {to} = atomic_fetch_add_explicit(&{x}, {}, {with});", value(by))
            }
            Action::Swap(new) => writeln!(text, "  {to} = atomic_exchange_explicit(&{x}, {}, {with});", value(new)),
            Action::CompareExchange(expected, new) => writeln!(
                text,
                "  {{ int e = {}; atomic_compare_exchange_strong_explicit(&{x}, &e, {}, {with}, {}); {to} = e; }}",
                value(expected),
                value(new),
                order(orders.failure)
            ),
            _ => panic!("such operations are not in {sketch}"),
        };
        locals.extend(*result);
    }
    locals.len()
}

/// All rows as one program.
fn in_c(rows: &[OutcomeRow]) -> String {
    let (mut text, mut cases) = (HEAD.to_owned(), String::new());
    for (number, row) in rows.iter().enumerate() {
        let sketch: Sketch = row.text.parse().unwrap_or_else(|error| panic!("{}: {error}", row.name));
        let (mut names, mut read) = (Vec::new(), 0);
        for place in 0..sketch.threads.len() {
            let name = format!("t{number}_{place}");
            let _ = writeln!(text, "static void *{name}(void *p) {{");
            read += thread(&sketch, place, read, &mut text);
            text.push_str("  return p;\n}\n");
            names.push(name);
        }
        assert_eq!(read, row.reads.len(), "{}", row.name);
        let reads = row.reads.iter().enumerate().map(|(place, value)| format!("r[{place}] == {value}"));
        let last = row.last.iter().map(|(name, value)| format!("{name} == {value}"));
        let outcome = reads.chain(last).collect::<Vec<_>>().join(" && ");
        let (threads, name) = (names.join(", "), &row.name);
        let _ = writeln!(
            cases,
            "  case {number}: {{ // {name}\n    void *(*threads[])(void *) = {{{threads}}};\n    run({}, threads);\n    \
             assert(!({outcome}));\n    break;\n  }}",
            names.len()
        );
    }
    format!("{text}int main(void) {{\n  switch (mzk_choose({})) {{\n{cases}  }}\n}}\n", rows.len())
}

/// Counts graphs, and those with the outcome of a row.
struct Counted<'p> {
    row: &'p OutcomeRow,
    names: &'p dyn Names,
    graphs: u64,
    found: u64,
}

impl Counted<'_> {
    fn has_outcome(&self, g: &Graph) -> bool {
        let threads = (0..g.thread_count() as u32).map(ThreadId);
        let events = threads.flat_map(|thread| g.of_thread(thread)).map(|&e| g.event(e));
        let reads = events.clone().filter(|event| event.is_read()).map(|event| event.value);
        let is_last = |(name, value): (&String, &u64)| {
            events.clone().any(|event| {
                let is_it = event.is_write() && event.place as usize + 1 == g.co(event.object()).len();
                is_it && self.names.object(event.object()) == *name && event.value == *value
            })
        };
        reads.eq(self.row.reads.iter().copied()) && self.row.last.iter().all(is_last)
    }
}

impl Watcher for Counted<'_> {
    fn complete(&mut self, complete: &Complete<'_>) -> ControlFlow<()> {
        self.graphs += 1;
        self.found += u64::from(self.has_outcome(complete.graph));
        ControlFlow::Continue(())
    }
}

fn in_litmus(rows: &[OutcomeRow], info: &'static ModelInfo) -> (u64, u64) {
    let mut sum = (0, 0);
    for row in rows {
        let sketch = row.text.parse().unwrap_or_else(|error| panic!("{}: {error}", row.name));
        let program = LitmusProgram::new(sketch).unwrap_or_else(|error| panic!("{}: {error}", row.name));
        let mut counted = Counted { row, names: program.names(), graphs: 0, found: 0 };
        let threads = program.threads().expect("litmus programs have threads");
        let explored = Graphs::new(threads, program.names(), info, 1_000).explore(&mut counted);
        explored.unwrap_or_else(|error| panic!("{}: {error}", row.name));
        sum = (sum.0 + counted.graphs, sum.1 + counted.found);
    }
    sum
}

#[test]
fn litmus_tests_of_the_literature_have_the_same_graphs_in_c() {
    let rows = outcome_rows().unwrap();
    let file = std::env::temp_dir().join(format!("mazurka-literature-{}.c", std::process::id()));
    std::fs::write(&file, in_c(&rows)).unwrap();
    for info in MODELS {
        let mut command = command("clang", &["--memory", info.name, "--keep-going", "--json"]);
        command.arg(&file);
        let answer = finish(command).unwrap_or_else(|problem| panic!("under {}: {problem}", info.name));
        let counts = answer.summary.as_ref().unwrap_or_else(|| panic!("{}", answer.told())).counts;
        let expected = in_litmus(&rows, info);
        assert_eq!((counts.completed + counts.failed, counts.failed), expected, "under {}", info.name);
    }
    std::fs::remove_file(file).unwrap();
}
