//! Estimates of how many executions there are, against numbers that are known. All by fixed seeds.

use litmus::{LitmusProgram, corpus, library};
use mazurka_explore::{Error, Estimate, Limits, Sampling, Settings, algorithm, check, estimate};
use std::num::{NonZeroU32, NonZeroUsize};

fn sampling(samples: u32, width: usize) -> Sampling {
    Sampling { samples: NonZeroU32::new(samples).unwrap(), width: NonZeroUsize::new(width).unwrap() }
}

fn of(program: &LitmusProgram, sampling: Sampling, seed: u64) -> Result<Estimate, Error> {
    let settings = Settings { seed, ..Settings::default() };
    Ok(estimate(program, &settings, sampling, &mut ())?.expect("no limit"))
}

fn program(name: &str, arguments: &[i64]) -> LitmusProgram {
    library::find(name).unwrap().build(arguments).unwrap()
}

/// Every row of the corpus that is neither tiny nor heavy. The samples are wide enough for their mean to be about normal, so
/// that four standard errors are left with a chance of less than one in ten thousand.
#[test]
fn the_rows_of_the_corpus_are_within_four_standard_errors() {
    let mut compared = 0;
    let rows = corpus::rows().unwrap().into_iter().filter(|row| !row.heavy && (300..=20_000).contains(&row.classes));
    for row in rows {
        let estimate = match of(&row.build().unwrap(), sampling(30, 60), 1) {
            Err(Error::Unsupported { .. }) => continue,
            result => result.unwrap(),
        };
        let (found, known) = (estimate.executions, row.classes as f64);
        let error = estimate.standard_error.unwrap();
        assert!((found - known).abs() <= 4.0 * error + 1e-6, "{}: {found} ± {error}, not {known}", row.name());
        assert!(estimate.at_least as f64 <= known, "{}", row.name());
        compared += 1;
    }
    assert!(compared >= 20, "only {compared} rows were compared");
}

/// With the narrowest samples, which are Knuth's, and very many of them: the mean is right.
#[test]
fn the_estimate_is_unbiased_however_narrow() {
    for (name, arguments, known) in [("readers", &[4][..], 16.0), ("lastzero", &[4], 28.0), ("pol", &[3, 2], 33.0)] {
        let estimate = of(&program(name, arguments), sampling(40_000, 1), 2).unwrap();
        let error = estimate.standard_error.unwrap();
        assert!((estimate.executions - known).abs() <= 4.0 * error, "{name}: {} ± {error}", estimate.executions);
        assert!(error < 0.03 * known, "{name}: ± {error} is too wide to tell");
    }
}

/// Of 200 intervals that should hold the true number in 95 of 100 cases.
#[test]
fn the_interval_holds_the_number_as_often_as_it_says() {
    let program = program("lastzero", &[7]);
    let holds = |seed: &u64| {
        let (low, high) = of(&program, sampling(40, 30), *seed).unwrap().interval().unwrap();
        (low..=high).contains(&320.0)
    };
    let held = (0..200).filter(holds).count();
    assert!((180..=199).contains(&held), "{held} of 200");
}

#[test]
fn what_is_small_is_counted_exactly() {
    let estimate = of(&program("lastzero", &[5]), sampling(40, 1000), 3).unwrap();
    assert!(estimate.exact);
    assert_eq!((estimate.executions, estimate.standard_error), (64.0, Some(0.0)));
    assert_eq!((estimate.samples, estimate.executions_run, estimate.at_least), (1, 64, 64));
    assert_eq!(estimate.interval(), Some((64.0, 64.0)));
}

#[test]
fn deadlocks_and_failures_are_executions_too() {
    for (name, arguments, known) in [("opposite_locks", &[][..], 3.0), ("lost_update", &[2], 4.0)] {
        let estimate = of(&program(name, arguments), Sampling::default(), 4).unwrap();
        assert_eq!((estimate.executions, estimate.exact), (known, true), "{name}");
    }
}

/// Where threads wait or try again, some executions are cut, and some steps are not enabled: what is estimated is how many executions the
/// search runs with what was learnt of the loops.
#[test]
fn executions_that_are_cut_count_and_threads_that_wait_do_not() {
    let lock = "loop { r = fetch_add l, -1; if r > 0 { break } l += 1; loop { s = l; if s > 0 { break } } } l += 1; \
        loop { r = fetch_add l, -100; if r == 100 { break } l += 100; loop { s = l; if s == 100 { break } } } l += 100";
    let exchange = "loop { r = swap l, 1; if r == 100 { break } } l = 100";
    for (body, threads) in [(lock, 2), (lock, 3), (exchange, 4), (exchange, 6)] {
        let text = format!("var l = 100; {}", vec![body; threads].join(" | "));
        let program = LitmusProgram::new(text.parse().unwrap()).unwrap();
        let pop = algorithm("pop").unwrap();
        let report = check(&program, &mut *(pop.make)(), &Settings::default()).unwrap();
        let known = report.tally.executions() as f64;
        assert!(report.exhaustive && (body == exchange) == (report.tally.cut == 0), "{text}: {:?}", report.tally);
        let estimate = of(&program, sampling(20, 100), 6).unwrap();
        let off = (estimate.executions - known).abs();
        assert!(off <= 4.0 * estimate.standard_error.unwrap(), "{text}: {estimate:?}, not {known}");
    }
}

#[test]
fn one_sample_tells_nothing_of_its_error() {
    let estimate = of(&program("lastzero", &[8]), sampling(1, 5), 5).unwrap();
    assert_eq!((estimate.standard_error, estimate.interval()), (None, None));
}

#[test]
fn a_seed_gives_the_same_estimate_again() {
    let program = program("lastzero", &[8]);
    let one = |seed| of(&program, sampling(10, 10), seed).unwrap().executions;
    assert_eq!(one(6), one(6));
    assert_ne!(one(6), one(7));
}

#[test]
fn a_limit_leaves_the_samples_that_are_finished() {
    let program = program("lastzero", &[12]);
    let limits = Limits { executions: Some(10_000), ..Limits::default() };
    let settings = Settings { limits, ..Settings::default() };
    let found = estimate(&program, &settings, sampling(u32::MAX, 20), &mut ()).unwrap().unwrap();
    assert!(found.samples > 10 && found.executions_run <= 10_000, "{found:?}");
    let limits = Limits { executions: Some(10), ..Limits::default() };
    let settings = Settings { limits, ..Settings::default() };
    assert_eq!(estimate(&program, &settings, Sampling::default(), &mut ()).unwrap(), None);
}
