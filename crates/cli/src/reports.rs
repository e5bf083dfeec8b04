//! Where else a result goes: pages for people, files for machines.

use crate::output::{print, print_json};
use crate::problem::Problem;
use clap::{Args, ValueEnum};
use graphs::{Complete, ModelInfo, Watcher};
use model::Names;
use report::events::Events;
use report::page::{Exhibit, GraphExhibit, GraphTree, Page, Tree, TreeSink};
use report::results::Results;
use report::summary::Summary;
use report::timeline::Timeline;
use report::{github, junit, sarif};
use serde::Serialize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;
use trace::{Ending, Progress, Sink, Tally};

/// Files that show executions.
#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Reports")]
pub(crate) struct PageArgs {
    /// Write a page to this file that shows what was found: one file, to be opened in a browser
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the executions that were found to this file, for Perfetto (ui.perfetto.dev) or chrome://tracing
    #[arg(long, value_name = "FILE")]
    trace_events: Option<PathBuf>,
}

/// What continuous integration reads.
#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Reports")]
pub(crate) struct ResultArgs {
    /// Write the result to this file as JUnit's XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write the findings to this file as SARIF, for code-scanning pages
    #[arg(long, value_name = "FILE")]
    sarif: Option<PathBuf>,
    /// How the result is printed
    #[arg(long, value_enum, default_value_t = Format::Text, conflicts_with = "json")]
    format: Format,
    /// Print JSON, as --format json does
    #[arg(long)]
    json: bool,
}

/// Files that tell of a whole search.
#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Reports")]
pub(crate) struct ReportArgs {
    #[command(flatten)]
    pages: PageArgs,
    /// Write the tree of executions to this file, a page or, if its name ends in .dot, for Graphviz. May be given twice.
    /// Searches by one worker
    #[arg(long, value_name = "FILE")]
    tree: Vec<PathBuf>,
    #[command(flatten)]
    results: ResultArgs,
}

/// What is printed.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Format {
    /// For people
    #[default]
    Text,
    /// By docs/report.schema.json
    Json,
    /// Annotations of GitHub's workflows
    Github,
}

impl ResultArgs {
    /// What is printed.
    pub(crate) fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }

    /// Writes the files. `text_of` is the text of a file that is in no folder.
    pub(crate) fn write(&self, results: &Results<'_>, text_of: impl Fn(&str) -> Option<String>) -> Result<(), Problem> {
        if let Some(path) = &self.junit {
            write(path, &junit::to_xml(results))?;
        }
        if let Some(path) = &self.sarif {
            // Others have the files themselves.
            let text_of = |file: &str| (!Path::new(file).exists()).then(|| text_of(file)).flatten();
            write(path, &sarif::to_json(results, text_of))?;
        }
        Ok(())
    }
}

impl ReportArgs {
    /// What is printed.
    pub(crate) fn format(&self) -> Format {
        self.results.format()
    }

    /// Whether a tree is wanted.
    pub(crate) fn wants_tree(&self) -> bool {
        !self.tree.is_empty()
    }

    /// Whatever watches the search for these reports.
    pub(crate) fn watchers<'p>(&self, names: &'p dyn Names) -> Watchers<'p> {
        Watchers {
            timeline: self.pages.html.is_some().then(Timeline::default),
            tree: self.wants_tree().then(|| TreeSink::new(names)),
            graphs: None,
        }
    }

    /// Begins the files that show executions.
    pub(crate) fn pages(&self, title: &str) -> Pages<'_> {
        self.pages.begin(title)
    }

    /// Writes all files about a search.
    pub(crate) fn write(
        &self,
        summary: &Summary,
        mut pages: Pages<'_>,
        watchers: Watchers<'_>,
        names: &dyn Names,
    ) -> Result<(), Problem> {
        pages.page.summary(summary);
        if let Some(timeline) = &watchers.timeline {
            pages.page.plots(&timeline.plots());
        }
        let title = pages.title.clone();
        pages.write()?;
        self.results.write(&summary.into(), |file| names.text(file))?;
        // The search that the report tells of.
        let tree = watchers.graphs.map(GraphTree::into_tree).or_else(|| watchers.tree.map(TreeSink::into_tree));
        if let Some(tree) = tree {
            self.write_tree(&title, tree)?;
        }
        Ok(())
    }

    fn write_tree(&self, title: &str, tree: Tree) -> Result<(), Problem> {
        let is_dot = |path: &&PathBuf| path.extension().is_some_and(|extension| extension == "dot");
        let (dots, pages): (Vec<_>, Vec<_>) = self.tree.iter().partition(is_dot);
        for path in dots {
            write(path, &tree.to_dot(title))?;
        }
        let html = Page::of_tree(title, tree).to_html();
        pages.into_iter().try_for_each(|path| write(path, &html))
    }

    /// Prints the result for machines, if it is wanted so.
    pub(crate) fn print(&self, summary: &Summary) -> Result<bool, Problem> {
        match self.format() {
            Format::Text => return Ok(false),
            Format::Json => print(&(summary.to_json() + "\n"))?,
            Format::Github => print(&github::to_text(&summary.into()))?,
        }
        Ok(true)
    }

    /// Prints why there is no result, if it is wanted as JSON.
    pub(crate) fn print_refusal(&self, refusal: &impl Serialize) -> Result<bool, Problem> {
        let is_json = self.format() == Format::Json;
        if is_json {
            print_json(refusal)?;
        }
        Ok(is_json)
    }
}

/// Sinks that reports are made from.
pub(crate) struct Watchers<'p> {
    timeline: Option<Timeline>,
    tree: Option<TreeSink<'p>>,
    /// Of a search over execution graphs.
    graphs: Option<GraphTree<'p>>,
}

impl<'p> Watchers<'p> {
    /// Whoever watches a search over execution graphs, which begins.
    pub(crate) fn of_graphs(
        &mut self,
        names: &'p dyn Names,
        model: &'static ModelInfo,
        plots: Plots,
    ) -> GraphWatcher<'_, 'p> {
        self.graphs = self.tree.as_ref().map(|_| GraphTree::new(names, model));
        let mut timeline = self.timeline.as_mut().filter(|_| plots == Plots::New);
        if let Some(timeline) = &mut timeline {
            timeline.begin();
        }
        GraphWatcher { timeline, tree: self.graphs.as_mut(), started: Instant::now() }
    }

    /// The tree is to be that of the search before.
    pub(crate) fn forget_graphs(&mut self) {
        self.graphs = None;
    }

    /// The sinks.
    pub(crate) fn sinks(&mut self) -> impl Iterator<Item = &mut dyn Sink> {
        let timeline = self.timeline.iter_mut().map(|sink| sink as &mut dyn Sink);
        timeline.chain(self.tree.iter_mut().map(|sink| sink as &mut dyn Sink))
    }
}

/// Which search a page has plots of, where one follows another.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Plots {
    New,
    Before,
}

/// Watches a search over execution graphs.
pub(crate) struct GraphWatcher<'w, 'p> {
    timeline: Option<&'w mut Timeline>,
    tree: Option<&'w mut GraphTree<'p>>,
    started: Instant,
}

impl Watcher for GraphWatcher<'_, '_> {
    fn wants(&self, _: Ending) -> bool {
        self.tree.is_some()
    }

    fn complete(&mut self, complete: &Complete<'_>) -> ControlFlow<()> {
        self.tree.as_mut().map_or(ControlFlow::Continue(()), |tree| tree.complete(complete))
    }

    fn given_up(&mut self, given_up: &Complete<'_>) {
        if let Some(tree) = &mut self.tree {
            tree.given_up(given_up);
        }
    }

    fn anew(&mut self) {
        if let Some(tree) = &mut self.tree {
            tree.anew();
        }
    }

    fn progress(&mut self, tally: &Tally, tasks: usize) -> ControlFlow<()> {
        let Some(timeline) = &mut self.timeline else { return ControlFlow::Continue(()) };
        timeline.progress(&Progress {
            tally: *tally,
            elapsed: self.started.elapsed(),
            depth: tally.longest as usize,
            tasks: Some(tasks as u64),
            share: None,
        })
    }
}

impl PageArgs {
    /// Begins the files.
    pub(crate) fn begin(&self, title: &str) -> Pages<'_> {
        Pages { args: self, title: title.to_owned(), page: Page::new(title), events: Events::default() }
    }
}

/// Files that show executions, as they are made.
pub(crate) struct Pages<'a> {
    args: &'a PageArgs,
    title: String,
    page: Page,
    events: Events,
}

impl Pages<'_> {
    /// Whether any is wanted.
    pub(crate) fn are_wanted(&self) -> bool {
        self.args.html.is_some() || self.args.trace_events.is_some()
    }

    /// Says something of the search.
    pub(crate) fn fact(&mut self, label: &str, value: &str) {
        self.page.fact(label, value);
    }

    /// Adds an execution.
    pub(crate) fn exhibit(&mut self, exhibit: Exhibit<'_>) {
        if self.args.trace_events.is_some() {
            self.events.add(&exhibit.story.headline(), &exhibit.story);
        }
        if self.args.html.is_some() {
            self.page.exhibit(exhibit);
        }
    }

    /// Adds an execution under a memory model.
    pub(crate) fn graph_exhibit(&mut self, exhibit: GraphExhibit<'_>) {
        if self.args.trace_events.is_some() {
            self.events.add_graph(&exhibit.story.headline(), &exhibit.story);
        }
        if self.args.html.is_some() {
            self.page.graph_exhibit(exhibit);
        }
    }

    /// Writes them.
    pub(crate) fn write(self) -> Result<(), Problem> {
        if let Some(path) = &self.args.html {
            write(path, &self.page.to_html())?;
        }
        if let Some(path) = &self.args.trace_events {
            write(path, &self.events.to_json())?;
        }
        Ok(())
    }
}

/// Writes a file.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Problem> {
    std::fs::write(path, text)
        .map_err(|error| Problem::Input(format!("cannot write '{}': {error}; give another file", path.display())))
}
