//! What the formats of continuous integration are made from, whichever search it was.

use crate::summary::{FindingSummary, Summary};
use serde_json::{Value, json};

/// What a search came to.
pub struct Results<'a> {
    /// What was searched.
    pub title: String,
    /// What was searched, and how.
    pub suite: String,
    /// Time for the search.
    pub seconds: f64,
    /// What was counted, with labels.
    pub facts: Vec<(String, String)>,
    /// What was found.
    pub findings: Vec<&'a FindingSummary>,
    /// What was looked for and not found.
    pub checks: Vec<Checked>,
    /// What else is to be said.
    pub remarks: Vec<Remark>,
    /// What programs may want to know.
    pub properties: Value,
}

/// Something that was looked for and not found.
pub struct Checked {
    /// What, in words.
    pub name: String,
    /// Time for it.
    pub seconds: f64,
    /// Why this is no proof, if it is none.
    pub open: Option<String>,
}

/// A line about the whole search.
pub struct Remark {
    /// Whether somebody should look into it.
    pub is_warning: bool,
    /// What is said.
    pub text: String,
}

impl<'a> From<&'a Summary> for Results<'a> {
    fn from(summary: &'a Summary) -> Self {
        let reason = || summary.not_exhaustive_because.clone().unwrap_or_else(|| "the search was stopped".to_owned());
        let check = Checked {
            name: "no schedule fails".to_owned(),
            seconds: summary.seconds,
            open: (!summary.exhaustive).then(reason),
        };
        Results {
            title: summary.title(),
            suite: format!("{} by {}", summary.title(), summary.algorithm),
            seconds: summary.seconds,
            facts: summary.rows().into_iter().map(|(label, value)| (label.trim().to_owned(), value)).collect(),
            findings: summary.findings.iter().collect(),
            checks: if summary.findings.is_empty() { vec![check] } else { Vec::new() },
            remarks: remark(summary).into_iter().collect(),
            properties: json!({
                "program": summary.title(),
                "algorithm": summary.algorithm,
                "executions": summary.counts.executions,
                "exhaustive": summary.exhaustive,
            }),
        }
    }
}

fn remark(summary: &Summary) -> Option<Remark> {
    let title = summary.title();
    let counts = format!("{} executions by {}", summary.counts.executions, summary.algorithm);
    match (&summary.not_exhaustive_because, summary.findings.is_empty()) {
        (None, _) => Some(Remark { is_warning: false, text: format!("{title}: {counts}; there are no others") }),
        (Some(reason), true) => {
            let text = format!("{title}: nothing found in {counts}, but not all were run: {reason}");
            Some(Remark { is_warning: true, text })
        }
        (Some(_), false) => None,
    }
}
