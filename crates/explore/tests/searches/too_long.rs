//! A run that is given up at the limit of steps leaves the search without a proof.

use litmus::LitmusProgram;
use mazurka_explore::{ALGORITHMS, Limit, Settings, check};

#[test]
fn also_when_it_failed_before() {
    // It counts its rounds, so that none is like another.
    let text = "assert 0, \"at once\" | i = 0; loop { yield; i = i + 1 }";
    let program = LitmusProgram::new(text.parse().unwrap()).unwrap();
    let mut settings = Settings { keep_going: true, ..Settings::default() };
    settings.limits.steps = 50;
    for info in ALGORITHMS.iter().filter(|info| info.guarantee.is_exhaustive() && info.name != "naive") {
        let report = check(&program, &mut *(info.make)(), &settings).unwrap();
        assert_eq!(report.findings.len(), 1, "{}", info.name);
        assert_eq!(report.limit, Some(Limit::Steps(50)), "{}", info.name);
        assert!(!report.exhaustive, "{}", info.name);
    }
}
