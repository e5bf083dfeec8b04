//! What a check can come out as, and whether it did.

use crate::checking::Answer;

/// What a check comes out as.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// Explored completely, and nothing was found.
    Ok,
    /// A deadlock.
    Deadlock,
    /// A failure whose headline has one of these words.
    Failure(&'static [&'static str]),
    /// Refused with a message that has this in it.
    Refused(String),
    /// Nothing was found before a bound was hit.
    Bound,
    /// Any answer in order: what the program does is undefined, or for the machine to decide.
    Survives,
}

/// The failures by the names that heads give them, and what headlines say.
const FAILURES: &[(&str, &[&str])] = &[
    ("assertion", &["assertion failed"]),
    ("abort", &["abort"]),
    ("exception", &["exception"]),
    ("race", &["data race"]),
    ("segfault", &["segmentation"]),
    ("arithmetic", &["arithmetic", "division"]),
    ("illegal-instruction", &["illegal instruction", "trap"]),
    ("stack-overflow", &["stack overflow"]),
    ("hang", &["endless loop"]),
    ("use-after-free", &["that was freed"]),
    ("double-free", &["freed twice", "double free", "freed already"]),
    ("out-of-bounds", &["behind the end", "before the start"]),
    ("invalid-free", &["memory error"]),
    ("leak", &["leak", "never freed"]),
    ("stack-returned", &["has returned", "of a thread that has ended"]),
    ("uninitialised", &["never initialised"]),
    ("misuse", &["misuse"]),
];

impl Verdict {
    /// The verdict that a head names.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        match text.trim().split_once(' ') {
            Some(("refused", what)) => Some(Verdict::Refused(what.trim().to_owned())),
            Some(_) => None,
            None => match text.trim() {
                "ok" => Some(Verdict::Ok),
                "deadlock" => Some(Verdict::Deadlock),
                "bound" => Some(Verdict::Bound),
                "survives" => Some(Verdict::Survives),
                name => FAILURES.iter().find(|failure| failure.0 == name).map(|failure| Verdict::Failure(failure.1)),
            },
        }
    }

    /// Whether a check answered so.
    pub(crate) fn fits(&self, answer: &Answer) -> bool {
        let status = |wanted: i32| answer.status == wanted;
        match self {
            Verdict::Ok => status(0) && answer.findings().is_empty(),
            Verdict::Deadlock => status(1) && answer.findings().iter().any(|finding| finding.kind == "deadlock"),
            Verdict::Failure(words) => {
                let says = |text: &str| words.iter().any(|word| text.to_lowercase().contains(word));
                let failed = |finding: &&report::summary::FindingSummary| finding.kind == "failure";
                let notes = |finding: &report::summary::FindingSummary| {
                    says(&finding.headline) || finding.steps.iter().filter_map(|step| step.failure.as_deref()).any(says)
                };
                status(1) && answer.findings().iter().filter(failed).any(notes)
            }
            Verdict::Refused(what) => status(2) && answer.err.to_lowercase().contains(&what.to_lowercase()),
            Verdict::Bound => status(3) && answer.findings().is_empty(),
            Verdict::Survives => (0..=3).contains(&answer.status) && (answer.summary.is_some() || status(2)),
        }
    }
}

#[test]
fn verdicts_are_known_by_name() {
    assert_eq!(Verdict::parse("ok"), Some(Verdict::Ok));
    assert_eq!(Verdict::parse("refused fork"), Some(Verdict::Refused("fork".to_owned())));
    assert_eq!(Verdict::parse("no such thing"), None);
    assert_eq!(Verdict::parse("nothing"), None);
}
