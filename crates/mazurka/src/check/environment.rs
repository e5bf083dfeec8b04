//! Settings from the environment.

use super::Checker;
use super::memory::Memory;
use std::str::FromStr;
use std::time::Duration;

/// Changes a checker by the variables that are set.
pub(super) fn apply(mut checker: Checker, variable: impl Fn(&str) -> Option<String>) -> Result<Checker, String> {
    if let Some(text) = variable("MAZURKA_REPLAY") {
        let schedule = text.parse().map_err(|problem| format!("MAZURKA_REPLAY: {problem}"))?;
        checker.replay = Some(schedule);
    }
    if let Some(name) = variable("MAZURKA_ALGORITHM") {
        let algorithm = explore::algorithm(&name);
        let problem = || format!("MAZURKA_ALGORITHM: {}", no_such_algorithm(&name));
        checker.algorithm = Some(algorithm.ok_or_else(problem)?);
    }
    if let Some(name) = variable("MAZURKA_MEMORY") {
        checker.memory = Memory::of(&name).map_err(|problem| format!("MAZURKA_MEMORY: {problem}"))?;
    }
    if let Some(wanted) = value(&variable, "MAZURKA_SUGGEST_ORDERS")? {
        checker = checker.suggest_orders(wanted);
    }
    if let Some(executions) = value(&variable, "MAZURKA_MAX_EXECUTIONS")? {
        checker = checker.max_executions(executions);
    }
    if let Some(steps) = value(&variable, "MAZURKA_MAX_STEPS")? {
        checker = checker.max_steps(steps);
    }
    if let Some(seconds) = seconds(&variable, "MAZURKA_MAX_TIME")? {
        checker = checker.max_time(seconds);
    }
    if let Some(workers) = value(&variable, "MAZURKA_WORKERS")? {
        checker.settings.workers = workers;
    }
    if let Some(preemptions) = value(&variable, "MAZURKA_PREEMPTION_BOUND")? {
        checker = checker.preemption_bound(preemptions);
    }
    if let Some(delays) = value(&variable, "MAZURKA_DELAY_BOUND")? {
        checker = checker.delay_bound(delays);
    }
    if let Some(depth) = value(&variable, "MAZURKA_PCT_DEPTH")? {
        checker.settings.pct_depth = depth;
    }
    if let Some(seed) = value(&variable, "MAZURKA_SEED")? {
        checker = checker.seed(seed);
    }
    if let Some(wanted) = value(&variable, "MAZURKA_BUG_FIRST")? {
        checker = checker.bug_first(wanted);
    }
    if let Some(wanted) = value(&variable, "MAZURKA_SHRINK")? {
        checker = checker.shrink(wanted);
    }
    if let Some(bytes) = value(&variable, "MAZURKA_STACK_SIZE")? {
        checker = checker.stack_size(bytes);
    }
    if let Some(looks) = value(&variable, "MAZURKA_SPIN_LIMIT")? {
        checker = checker.spin_limit(looks);
    }
    report::progress::period(variable("MAZURKA_PROGRESS").as_deref())?;
    if let Some(seconds) = seconds(&variable, "MAZURKA_HANG_AFTER")? {
        checker = checker.hang_after(seconds);
    }
    if let Some(found) = value(&variable, "MAZURKA_LEAKS")? {
        checker = checker.leaks(found);
    }
    if let Some(explored) = value(&variable, "MAZURKA_SPURIOUS")? {
        checker = checker.spurious(explored);
    }
    if let Some(found) = value(&variable, "MAZURKA_JOINED_PANICS")? {
        checker = checker.joined_panics(found);
    }
    if let Some(url) = variable("MAZURKA_CLUSTER") {
        if !cfg!(feature = "cluster") {
            return Err("MAZURKA_CLUSTER: this test was built without the feature 'cluster' of mazurka".to_owned());
        }
        checker.cluster = Some(url);
    }
    if let Some(folder) = variable("MAZURKA_HTML") {
        checker = checker.html(folder);
    }
    checker.launch_json |= variable("MAZURKA_LAUNCH_JSON").is_some_and(|wanted| wanted == "1");
    Ok(checker)
}

/// What there is instead.
pub(super) fn no_such_algorithm(name: &str) -> String {
    let names: Vec<&str> = explore::ALGORITHMS.iter().map(|algorithm| algorithm.name).collect();
    format!("there is no algorithm '{name}'; there are {}", names.join(", "))
}

fn value<T: FromStr>(variable: &impl Fn(&str) -> Option<String>, name: &str) -> Result<Option<T>, String> {
    let Some(text) = variable(name) else { return Ok(None) };
    text.trim().parse().map(Some).map_err(|_| format!("{name}: '{text}' is not what it can be"))
}

fn seconds(variable: &impl Fn(&str) -> Option<String>, name: &str) -> Result<Option<Duration>, String> {
    let Some(number) = value::<f64>(variable, name)? else { return Ok(None) };
    Duration::try_from_secs_f64(number).map(Some).map_err(|_| format!("{name}: {number} is no number of seconds"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(name: &'static str, value: &'static str) -> Result<Checker, String> {
        apply(Checker::new(), |asked| (asked == name).then(|| value.to_owned()))
    }

    #[test]
    fn variables_change_settings() {
        assert_eq!(with("MAZURKA_MAX_EXECUTIONS", "7").unwrap().settings.limits.executions, Some(7));
        assert_eq!(with("MAZURKA_MAX_STEPS", "9").unwrap().settings.limits.steps, 9);
        assert_eq!(with("MAZURKA_MAX_TIME", "1.5").unwrap().settings.limits.time, Some(Duration::from_millis(1500)));
        assert_eq!(with("MAZURKA_SEED", "3").unwrap().settings.seed, 3);
        assert_eq!(with("MAZURKA_ALGORITHM", "source").unwrap().chosen_algorithm().name, "source");
        assert_eq!(with("MAZURKA_WORKERS", "2").unwrap().chosen_algorithm().name, "pop");
        assert_eq!(with("MAZURKA_WORKERS", "2").unwrap().settings.workers.get(), 2);
        let bounded = with("MAZURKA_PREEMPTION_BOUND", "2").unwrap();
        assert_eq!((bounded.settings.bounds.preemptions, bounded.chosen_algorithm().name), (Some(2), "source"));
        assert_eq!(with("MAZURKA_DELAY_BOUND", "1").unwrap().settings.bounds.delays, Some(1));
        assert_eq!(with("MAZURKA_PCT_DEPTH", "4").unwrap().settings.pct_depth.get(), 4);
        assert!(with("MAZURKA_SEED", "3").unwrap().settings.bug_first);
        assert!(!with("MAZURKA_BUG_FIRST", "false").unwrap().settings.bug_first);
        assert!(!with("MAZURKA_SHRINK", "false").unwrap().settings.shrink);
        assert_eq!(with("MAZURKA_STACK_SIZE", "65536").unwrap().options.stack_size, 65536);
        assert_eq!(with("MAZURKA_SPIN_LIMIT", "5").unwrap().options.spin_limit, 5);
        assert_eq!(with("MAZURKA_HANG_AFTER", "2").unwrap().options.hang_after, Duration::from_secs(2));
        assert!(with("MAZURKA_REPLAY", "mzk1:0x3").unwrap().replay.is_some());
        assert_eq!(with("MAZURKA_HTML", "pages").unwrap().html.as_deref(), Some("pages".as_ref()));
        assert!(with("MAZURKA_LAUNCH_JSON", "1").unwrap().launch_json);
    }

    #[test]
    fn what_is_not_understood_is_said() {
        let problem = |name, value| with(name, value).err().unwrap();
        assert!(problem("MAZURKA_SEED", "x").contains("MAZURKA_SEED: 'x'"));
        assert!(problem("MAZURKA_WORKERS", "0").contains("MAZURKA_WORKERS: '0'"));
        assert!(problem("MAZURKA_PCT_DEPTH", "0").contains("MAZURKA_PCT_DEPTH: '0'"));
        assert!(problem("MAZURKA_MAX_TIME", "-1").contains("MAZURKA_MAX_TIME"));
        assert!(problem("MAZURKA_ALGORITHM", "magic").contains("optimal"));
        assert!(problem("MAZURKA_MEMORY", "arm").contains("rc11"));
        assert!(problem("MAZURKA_PROGRESS", "often").contains("MAZURKA_PROGRESS: 'often'"));
        assert!(problem("MAZURKA_REPLAY", "0,1").contains("mzk1"));
    }
}
