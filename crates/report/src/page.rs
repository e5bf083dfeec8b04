//! Pages that people look at: one file each, with nothing to be fetched from anywhere.
//!
//! The data of a page stand in it as JSON, and a script draws them: `page/assets`. The script is plain, and put into the page
//! as it stands there.

mod arrows;
mod diagram;
mod fold;
mod graph;
mod graph_tree;
mod sample;
mod states;
mod texts;
mod tree;

pub use graph_tree::GraphTree;
pub use tree::{Reversed, Tree, TreeSink};

use crate::chart::LinePlot;
use crate::finding::Named;
use crate::graph::GraphStory;
use crate::lanes::Layout;
use crate::summary::{StackSummary, Summary, stacks_text};
use diagram::{About, Cast, CastData, Columns, Recorded, record};
use graph::record_graph;
use serde::Serialize;
use texts::{Texts, TextsData};
use trace::{EventId, Trace};
use tree::TreeData;

const FRAME: &str = include_str!("page/assets/page.html");
const STYLE: &str = include_str!("page/assets/page.css");
/// In the order in which they are run.
const SCRIPTS: [&str; 7] = [
    include_str!("page/assets/data.js"),
    include_str!("page/assets/diagram.js"),
    include_str!("page/assets/panes.js"),
    include_str!("page/assets/waits.js"),
    include_str!("page/assets/table.js"),
    include_str!("page/assets/tree.js"),
    include_str!("page/assets/main.js"),
];

/// An execution, and how it is shown.
pub struct Exhibit<'a> {
    /// The execution.
    pub story: Named<'a>,
    /// What happened, in a line, where the story's own headline does not say it best.
    pub headline: Option<String>,
    /// The calls that led to what matters.
    pub stacks: Vec<StackSummary>,
    /// Its schedule.
    pub schedule: String,
    /// What to do with it on the command line: each with words that say what for.
    pub commands: Vec<(String, String)>,
}

/// An execution under a memory model, and how it is shown.
pub struct GraphExhibit<'a> {
    /// The execution.
    pub story: GraphStory<'a>,
    /// What happened, in a line, where the story's own headline does not say it best.
    pub headline: Option<String>,
    /// Its schedule.
    pub schedule: String,
    /// What to do with it on the command line: each with words that say what for.
    pub commands: Vec<(String, String)>,
}

/// A page with the findings of a search, or one execution, or the tree of a search.
#[derive(Default)]
pub struct Page {
    title: String,
    facts: Vec<(String, String)>,
    findings: Vec<FindingData>,
    plots: Vec<String>,
    tree: Option<TreeData>,
    texts: Texts,
    /// What is shown where no script runs.
    plain: String,
}

#[derive(Serialize)]
struct FindingData {
    schedule: String,
    commands: Vec<(String, String)>,
    cast: CastData,
    columns: Columns,
    about: About,
}

/// What the script reads.
#[derive(Serialize)]
struct Data {
    title: String,
    facts: Vec<(String, String)>,
    findings: Vec<FindingData>,
    plots: Vec<String>,
    tree: Option<TreeData>,
    #[serde(flatten)]
    texts: TextsData,
}

impl Page {
    /// An empty page. The title says what was searched, and how.
    pub fn new(title: &str) -> Self {
        Page { title: title.to_owned(), ..Page::default() }
    }

    /// Shows what a search counted.
    pub fn summary(&mut self, summary: &Summary) {
        let rows = summary.rows().into_iter();
        self.facts = rows.map(|(label, value)| (label.to_owned(), value)).collect();
        self.plain += &summary.to_text();
    }

    /// Shows a fact.
    pub fn fact(&mut self, label: &str, value: &str) {
        self.facts.push((label.to_owned(), value.to_owned()));
    }

    /// Shows an execution.
    pub fn exhibit(&mut self, exhibit: Exhibit<'_>) {
        let Exhibit { story, headline, stacks, schedule, commands } = exhibit;
        self.plain += &format!("\n{}{}", story.print(Layout::default()), stacks_text(&stacks));
        let headline = headline.unwrap_or_else(|| story.headline());
        self.push(schedule, commands, |cast| record(&story, headline, stacks, cast));
    }

    /// Shows an execution under a memory model.
    pub fn graph_exhibit(&mut self, exhibit: GraphExhibit<'_>) {
        let GraphExhibit { story, headline, schedule, commands } = exhibit;
        self.plain += &format!("\n{}", story.print(Layout::default()));
        let headline = headline.unwrap_or_else(|| story.headline());
        self.push(schedule, commands, |cast| record_graph(&story, headline, cast));
    }

    fn push(&mut self, schedule: String, commands: Vec<(String, String)>, record: impl FnOnce(&mut Cast) -> Recorded) {
        let mut cast = Cast::with(std::mem::take(&mut self.texts));
        let Recorded { columns, about } = record(&mut cast);
        self.findings.push(FindingData { schedule, commands, cast: cast.take_data(), columns, about });
        self.texts = cast.texts;
    }

    /// Shows plots.
    pub fn plots(&mut self, plots: &[LinePlot]) {
        self.plots.extend(plots.iter().map(LinePlot::to_svg));
    }

    /// A page with the tree of a search.
    pub fn of_tree(title: &str, tree: Tree) -> Self {
        let (tree, texts) = tree.into_data();
        Page { title: title.to_owned(), tree: Some(tree), texts, ..Page::default() }
    }

    /// The file.
    pub fn to_html(self) -> String {
        let title = escaped(&self.title);
        let plain = escaped(&self.plain);
        let data = Data {
            title: self.title,
            facts: self.facts,
            findings: self.findings,
            plots: self.plots,
            tree: self.tree,
            texts: self.texts.into_data(),
        };
        let json = serde_json::to_string(&data).expect("strings, numbers and lists are always JSON");
        let script = SCRIPTS.concat();
        let parts = [
            ("{{title}}", title.as_str()),
            ("{{style}}", STYLE),
            ("{{plain}}", &plain),
            ("{{data}}", &in_script(&json)),
            ("{{script}}", &script),
        ];
        fill(FRAME, &parts)
    }
}

pub(crate) use graph::graph_flows;

/// What happens before what in an execution, with a word that says why; orders that are nothing but races are left out.
pub(crate) fn flows(trace: &Trace) -> Vec<(EventId, EventId, &'static str)> {
    let told = |arrow: arrows::Arrow| Some((arrow.from, arrow.to, arrow.why.word()?));
    arrows::arrows(trace).into_iter().filter_map(told).collect()
}

/// Puts each part in place of its mark, once, from left to right: what is put in is not looked at again.
fn fill(frame: &str, parts: &[(&str, &str)]) -> String {
    let mut page = String::new();
    let mut rest = frame;
    for (mark, part) in parts {
        let (before, after) = rest.split_once(mark).expect("every mark is in the frame, in this order");
        page += before;
        page += part;
        rest = after;
    }
    page + rest
}

/// JSON in which nothing ends the script that it stands in.
fn in_script(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
