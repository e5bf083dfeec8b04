//! `mazurka replay` of programs in C and C++.

use super::child::{Ends, answer};
use super::debug::{Debugger, Start, print_launch_json};
use super::explore::load;
use super::tell::{run_again, stacks};
use super::{is_of_sources, weak};
use crate::problem::{Problem, Status};
use crate::replay::{ReplayArgs, run, run_graph};
use crate::target::Target;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Whether this is a program in C or C++: sources, or what `mazurka cc` linked.
pub(crate) fn is_c(program: &[String]) -> bool {
    is_of_sources(program) || is_binary(Path::new(&program[0]))
}

fn is_binary(path: &Path) -> bool {
    let mut start = [0; 4];
    File::open(path).is_ok_and(|mut file| file.read_exact(&mut start).is_ok()) && start == *b"\x7fELF"
}

/// Runs the schedule, with the program's output, and shows the execution.
pub(crate) fn replay(args: &ReplayArgs) -> Result<Status, Problem> {
    if args.launch_json {
        return print_launch_json(args);
    }
    let Some(built) = &args.c.built else {
        let start = match (args.in_place, args.lldb, args.gdb) {
            (true, ..) => Start::InPlace,
            (_, true, _) => Start::Under(Debugger::Lldb),
            (_, _, true) => Start::Under(Debugger::Gdb),
            _ => Start::Child,
        };
        return args.c.run_child(&args.program, start, Ends::AtOnce);
    };
    let text = args.schedule_text()?;
    let (schedule, known) = text.split_once(';').unwrap_or((&text, ""));
    let program = load(&args.c, &args.program, built, true)?;
    program.know(known).map_err(Problem::Input)?;
    let name = args.program.join(" ");
    let target = Target::named(name, Box::new(program));
    if graphs::is_graph(schedule) {
        let model = graphs::model_of(schedule).map_err(Problem::input)?;
        program.set_races_defined(!model.has_races);
        program.keep_calls(true);
        let status = run_graph(args, &target, schedule, |finding| {
            program.flush();
            program.keep_calls(false);
            weak::stacks(program, finding)
        })?;
        answer(status)
    }
    let status = run(args, &target, schedule, |story, schedule| {
        program.flush();
        run_again(program, schedule);
        stacks(program, story)
    })?;
    answer(status)
}
