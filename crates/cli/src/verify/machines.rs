//! What `mazurka verify` tells continuous integration: each property is a test.

use super::{Check, measures, verdict};
use report::results::{Checked, Remark, Results};
use report::summary::FindingSummary;
use serde_json::json;

pub(super) fn results<'a>(model: &str, checks: &[Check], findings: &'a [FindingSummary]) -> Results<'a> {
    let is_clean = |check: &&Check| check.wrong.is_none();
    let open = |check: &Check| (!check.proved).then(|| verdict(check));
    let clean = || checks.iter().filter(is_clean);
    Results {
        title: model.to_owned(),
        suite: format!("{model} by its states"),
        seconds: checks.iter().map(|check| check.seconds).sum(),
        facts: checks.iter().map(|check| (check.what.clone(), measures(check))).collect(),
        findings: findings.iter().collect(),
        checks: clean()
            .map(|check| Checked { name: check.what.clone(), seconds: check.seconds, open: open(check) })
            .collect(),
        remarks: clean()
            .map(|check| Remark {
                is_warning: !check.proved,
                text: format!("{model}: {}: {} ({})", check.what, verdict(check), measures(check)),
            })
            .collect(),
        properties: json!({
            "program": model,
            "states": checks.iter().map(|check| check.states).sum::<u64>(),
            "exhaustive": checks.iter().all(|check| check.proved),
        }),
    }
}
