//! What every operation does, on tiny programs run by hand.

use mazurka_litmus::arbitrary::{Generator, Profile};
use mazurka_litmus::{LitmusProgram, Sketch, library};
use model::{
    Choice, FailureKind, Names, ObjectId, OpKind, Outcome, Pending, Program, Run, Stepped, ThreadId, ThreadPath,
};

fn program(text: &str) -> LitmusProgram {
    let sketch: Sketch = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    LitmusProgram::new(sketch).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn pending(run: &dyn Run, thread: u32) -> Option<Pending> {
    run.pending(ThreadId(thread))
}

fn enabled(run: &dyn Run, thread: u32) -> bool {
    pending(run, thread).is_some_and(|pending| pending.enabled)
}

fn step(run: &mut dyn Run, thread: u32) -> Stepped {
    step_by(run, thread, 0)
}

fn step_by(run: &mut dyn Run, thread: u32, alternative: u32) -> Stepped {
    run.step(Choice { thread: ThreadId(thread), alternative }).expect("an enabled step")
}

/// Runs the only thread, or the first enabled one, to the end; the message of the first failure.
fn outcome(text: &str) -> Option<String> {
    let program = program(text);
    let mut run = program.start();
    to_the_end(&mut *run).into_iter().next().map(|failure| failure.to_string())
}

fn to_the_end(run: &mut dyn Run) -> Vec<model::Failure> {
    let mut failures = Vec::new();
    while let Some(thread) = (0..run.threads() as u32).find(|&thread| enabled(run, thread)) {
        failures.extend(step(run, thread).failure.map(|failure| *failure));
    }
    failures
}

/// That a thread running alone passes all its assertions.
fn holds(text: &str) {
    assert_eq!(outcome(text), None, "{text}");
}

#[test]
fn variables() {
    holds("var x = 3; r = x; assert r == 3; x = r + 1; s = x; assert s == 4");
    holds("var x; r = fetch_add x, 5; s = swap x, 7; t = x; assert r == 0 && s == 5 && t == 7");
    holds(
        "var x; r = compare_exchange x, 0, 1; s = compare_exchange x, 0, 2; t = x; assert r == 0 && s == 1 && t == 1",
    );
    holds("var x; x += 2; x += -3; r = x; assert r == -1");
    holds("var a[3] = 1 2 3; i = 2; r = a[i]; a[i - 1] = r; s = a[1]; assert s == 3");
}

#[test]
fn a_failed_compare_exchange_is_refused() {
    let program = program("var x; compare_exchange x, 1, 2");
    let mut run = program.start();
    let stepped = step(&mut *run, 0);
    assert_eq!((stepped.outcome, stepped.before, stepped.after), (Outcome::Refused, 0, 0));
    assert_eq!(pending(&*run, 0), None);
}

#[test]
fn awaits_wait() {
    let program = program("var x; x = 1; x = 2 | await x == 1; r = await x != 1; assert r == 2");
    let mut run = program.start();
    assert!(!enabled(&*run, 1));
    step(&mut *run, 0);
    step(&mut *run, 1);
    assert!(!enabled(&*run, 1));
    step(&mut *run, 0);
    assert_eq!(step(&mut *run, 1).failure, None);
}

#[test]
fn mutexes() {
    let program =
        program("mutex m; lock m; unlock m | r = try_lock m; assert r == 0; lock m; r = try_lock m; unlock m");
    let mut run = program.start();
    step(&mut *run, 0);
    let stepped = step(&mut *run, 1);
    assert_eq!((stepped.outcome, stepped.failure), (Outcome::Refused, None));
    assert!(!enabled(&*run, 1));
    step(&mut *run, 0);
    assert_eq!(to_the_end(&mut *run), []);
    assert_eq!(outcome("mutex m; unlock m").unwrap(), "misuse: a mutex was unlocked by a thread that does not hold it");
}

#[test]
fn sections_are_one_step() {
    let text = "mutex m[2]; guarded c[2] by m; i = 1; section m[i] { v = c[i]; c[i] = v + 1 }; \
                section m[1] { w = c[1] }; assert w == 1";
    let program = program(text);
    let mut run = program.start();
    assert_eq!(pending(&*run, 0).unwrap().op.kind, OpKind::Section);
    step(&mut *run, 0);
    assert_eq!(step(&mut *run, 0).failure, None);
    assert_eq!(pending(&*run, 0), None);
    let wrong = outcome("mutex m[2]; guarded c[2] by m; section m[0] { v = c[1] }").unwrap();
    assert!(wrong.contains("another cell's mutex"), "{wrong}");
    let build = |text: &str| LitmusProgram::new(text.parse().unwrap()).unwrap_err().to_string();
    assert!(build("mutex m; guarded c by m; c = 1").contains("section of its mutex"));
    assert!(build("mutex m; var x; section m { x = 1 }").contains("one step"));
}

#[test]
fn reader_writer_locks() {
    holds("rwlock l; read_lock l; r = try_read_lock l; w = try_write_lock l; assert r == 1 && w == 0");
    holds("rwlock l; write_lock l; r = try_read_lock l; write_unlock l; w = try_write_lock l; assert r == 0 && w == 1");
    let program = program("rwlock l; read_lock l; read_unlock l | write_lock l; write_unlock l");
    let mut run = program.start();
    step(&mut *run, 0);
    assert!(!enabled(&*run, 1));
    step(&mut *run, 0);
    step(&mut *run, 1);
    assert!(outcome("rwlock l; read_unlock l").unwrap().starts_with("misuse"));
    assert!(outcome("rwlock l; read_lock l; write_unlock l").unwrap().starts_with("misuse"));
}

#[test]
fn a_wait_is_three_steps_and_a_notify_chooses() {
    let text =
        "condvar c; mutex m; lock m; wait c, m; unlock m | lock m; wait c, m; unlock m | notify_one c; notify_all c";
    let program = program(text);
    let mut run = program.start();
    for thread in [0, 0, 0, 1, 1, 1] {
        step(&mut *run, thread);
    }
    assert!(matches!(pending(&*run, 0).unwrap().op.kind, OpKind::Relock { .. }));
    assert!(!enabled(&*run, 0) && !enabled(&*run, 1));
    assert_eq!(pending(&*run, 2).unwrap().alternatives, 2);
    assert_eq!(step_by(&mut *run, 2, 1).outcome, Outcome::Woke(ThreadId(1)));
    assert!(!enabled(&*run, 0) && enabled(&*run, 1));
    step(&mut *run, 2);
    assert_eq!(to_the_end(&mut *run), []);
    assert_eq!(pending(&*run, 0), None);
    assert!(outcome("condvar c; mutex m; wait c, m").unwrap().starts_with("misuse"));
}

#[test]
fn semaphores() {
    holds("semaphore s = 1; acquire s; r = try_acquire s; release s; t = try_acquire s; assert r == 0 && t == 1");
    let program = program("semaphore s; acquire s | release s");
    let mut run = program.start();
    assert!(!enabled(&*run, 0));
    step(&mut *run, 1);
    assert!(enabled(&*run, 0));
}

#[test]
fn barriers_meet_again_and_again() {
    let program = program("barrier b of 2; meet b; meet b | meet b; meet b");
    let mut run = program.start();
    step(&mut *run, 0);
    assert!(!enabled(&*run, 0));
    step(&mut *run, 1);
    assert_eq!(pending(&*run, 1).unwrap().op.kind, OpKind::Pass { parties: 2, generation: 0 });
    for thread in [0, 0, 1] {
        step(&mut *run, thread);
    }
    assert_eq!(pending(&*run, 0).unwrap().op.kind, OpKind::Pass { parties: 2, generation: 1 });
    assert!(!enabled(&*run, 0));
    assert_eq!(to_the_end(&mut *run), []);
}

#[test]
fn spawned_threads_have_the_same_ids_in_every_run() {
    let text = "var x; def w(i, j) { x = i * 10 + j; spawn { x = 0 } } \
                main: h = spawn w(4, 2); k = spawn w(1, 1); join h; r = x; assert r == 42; join k";
    let program = program(text);
    let mut run = program.start();
    let spawned = |stepped: Stepped| match stepped.outcome {
        Outcome::Spawned(thread) => thread,
        other => panic!("{other:?}"),
    };
    let first = spawned(step(&mut *run, 0));
    let second = spawned(step(&mut *run, 0));
    assert_eq!((program.thread(ThreadId(0)), program.thread(second)), ("main".to_owned(), "w#0.1".to_owned()));
    assert_eq!(program.path(second), ThreadPath::initial(0).child(1));
    assert!(!enabled(&*run, 0));
    step(&mut *run, first.0);
    let grandchild = spawned(step(&mut *run, first.0));
    assert_eq!(program.at_path(&"0.0.0".parse().unwrap()), Some(grandchild));
    step(&mut *run, 0);
    assert_eq!(step(&mut *run, 0).failure, None);
    assert_eq!(to_the_end(&mut *run), []);
    run.restart();
    assert_eq!((pending(&*run, first.0), pending(&*run, second.0)), (None, None));
    assert_eq!(spawned(step(&mut *run, 0)), first);
    assert_eq!(spawned(step(&mut *program.start(), 0)), first);
}

#[test]
fn choices_assumes_and_exits() {
    let program = program("c = choose 3; assume c != 1; assert c == 0, \"not 0\"; yield; exit; yield");
    let mut run = program.start();
    assert_eq!(pending(&*run, 0).unwrap().alternatives, 3);
    step_by(&mut *run, 0, 1);
    assert!(run.is_cut() && pending(&*run, 0).is_none());
    run.restart();
    assert!(!run.is_cut());
    let failure = step_by(&mut *run, 0, 2).failure.unwrap();
    assert_eq!((failure.kind, failure.message.as_str()), (FailureKind::Assertion, "not 0"));
    assert_eq!(program.site(failure.site).unwrap(), "assert c == 0, \"not 0\"");
    run.restart();
    step(&mut *run, 0);
    step(&mut *run, 0);
    assert_eq!(pending(&*run, 0), None);
}

#[test]
fn failed_and_cut_threads_are_not_joined() {
    let program = program("var x; read x; assert 0, \"no\" | read x; assume 0 | join 0 | join 1");
    let mut run = program.start();
    assert!(step(&mut *run, 0).failure.is_some());
    step(&mut *run, 1);
    assert!(run.is_cut() && !enabled(&*run, 2) && !enabled(&*run, 3));
}

#[test]
fn what_fails_before_the_first_operation_fails_on_a_yield() {
    let program = program("var x; assert 0, \"early\"; x = 1 | x = 2; spawn { r = 1 / 0 } | assume 0; x = 3 |");
    let mut run = program.start();
    for _ in 0..2 {
        assert!(run.is_cut());
        assert_eq!((pending(&*run, 2), pending(&*run, 3)), (None, None));
        assert_eq!(pending(&*run, 0).unwrap().op.kind, OpKind::Yield);
        assert_eq!(step(&mut *run, 0).failure.unwrap().message, "early");
        assert_eq!(pending(&*run, 0), None);
        step(&mut *run, 1);
        assert_eq!(step(&mut *run, 1).failure, None);
        assert_eq!(to_the_end(&mut *run)[0].message, "division by zero");
        run.restart();
    }
}

#[test]
fn what_goes_wrong_locally_is_a_failure() {
    assert!(outcome("var a[2]; yield; r = 2; read a[r]").unwrap().contains("index out of range"));
    assert!(outcome("yield; join 7").unwrap().contains("no thread"));
    assert!(outcome("yield; loop {}").unwrap().contains("without ever reaching a visible operation"));
}

#[test]
fn arithmetic() {
    holds("yield; assert 7 / 2 == 3 && -7 % 4 == 1 && 2 * 3 - 4 == 2, \"arithmetic\"");
    holds("yield; r = !(1 < 2) || 3 >= 3 && !0; assert r == 1; s = -r; assert s == -1");
    holds(
        "i = 0; s = 0; while i < 5 { i = i + 1; if i == 2 {} else if i == 4 { break } else { s = s + i } }; yield; assert s == 4",
    );
}

#[test]
fn names_of_objects_and_sites() {
    let program = program("var x, a[2]; mutex m; i = 1; a[i] = 5 | lock m");
    assert_eq!((program.object(ObjectId(0)), program.object(ObjectId(2))), ("x".to_owned(), "a[1]".to_owned()));
    let run = program.start();
    assert_eq!(program.site(pending(&*run, 0).unwrap().op.site).unwrap(), "a[i] = 5");
    assert_eq!(program.thread(ThreadId(1)), "p1");
}

#[test]
fn every_library_program_runs_to_its_end() {
    for entry in library::all() {
        let program = entry.build_default().unwrap_or_else(|error| panic!("{}: {error}", entry.name));
        let mut run = program.start();
        let failures = to_the_end(&mut *run);
        assert_eq!(failures, [], "{}", entry.name);
        let printed = program.sketch().to_string();
        assert_eq!(&printed.parse::<Sketch>().unwrap(), program.sketch(), "{printed}");
        assert!(entry.build(&[i64::MIN; 9]).is_err());
    }
}

#[test]
fn messages() {
    holds("mailbox m; send m, 5; send m, 6; r = receive m; s = receive m; assert r == 5 && s == 6");
    holds(
        "mailbox m; send m, 1: 5; send m, 2: 6; r = receive m of 2; assert r == 6; s = receive m of 1, 2 == 5; assert s == 5",
    );
    holds(
        "mailbox m; send m, 5; r = try_receive m == 6; assert r == -1; s = try_receive m; assert s == 5; t = try_receive m; assert t == -1",
    );
    assert!(outcome("mailbox m; yield; r = -1; send m, r").unwrap().contains("number of a message"));
    let program = program("mailbox m; receive m == 1 | send m, 0; send m, 1");
    let mut run = program.start();
    for _ in 0..2 {
        assert!(!pending(&*run, 0).unwrap().enabled);
        run.step(Choice { thread: ThreadId(1), alternative: 0 });
    }
    assert!(pending(&*run, 0).unwrap().enabled);
}

/// Runs at random and goes back at random, so many times. After each, the run is where one from the start comes to. Says how
/// many steps were run again at the most where the run had gone back by less than ten.
fn go_back_at_random(program: &LitmusProgram, times: usize) -> usize {
    let (mut run, mut from_start) = (program.start(), program.start());
    let mut random = 0x9e37_79b9_u64;
    let mut below = |bound: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % bound
    };
    let mut schedule: Vec<Choice> = Vec::new();
    let mut most = 0;
    for time in 0..times {
        while schedule.len() < 2_000 {
            let threads = (0..run.threads() as u32).filter_map(|thread| pending(&*run, thread));
            let enabled: Vec<Pending> = threads.filter(|pending| pending.enabled).collect();
            if enabled.is_empty() {
                break;
            }
            let Pending { thread, alternatives, .. } = enabled[below(enabled.len())];
            schedule.push(Choice { thread, alternative: below(alternatives as usize) as u32 });
            run.step(schedule[schedule.len() - 1]).unwrap();
        }
        let back = below(if time % 2 == 0 { schedule.len() + 1 } else { schedule.len().min(9) + 1 });
        schedule.truncate(schedule.len() - back);
        let kept = run.rewind(schedule.len());
        schedule[kept..].iter().for_each(|&choice| assert!(run.step(choice).is_some()));
        from_start.restart();
        schedule.iter().for_each(|&choice| assert!(from_start.step(choice).is_some()));
        assert_eq!(run.whole_state(), from_start.whole_state());
        assert_eq!(run.is_cut(), from_start.is_cut());
        for thread in 0..from_start.threads() as u32 {
            assert_eq!(pending(&*run, thread), pending(&*from_start, thread));
        }
        if time > 10 && back < 10 {
            most = most.max(schedule.len() - kept);
        }
    }
    most
}

#[test]
fn a_run_that_goes_back_is_where_it_was() {
    for profile in Profile::ALL {
        let generator = Generator::new(profile);
        for seed in 0..40 {
            go_back_at_random(&LitmusProgram::new(generator.sample(seed)).unwrap(), 20);
        }
    }
    let pol = library::find("pol").unwrap().build(&[7, 3]).unwrap();
    go_back_at_random(&pol, 100);
}

#[test]
fn a_long_run_goes_back_a_little_by_a_few_steps() {
    let long = program("var x; i = 0; while i < 2000 { x = i; i = i + 1 } | r = x");
    assert!(go_back_at_random(&long, 60) < 40);
}
