//! An execution as a table: a row for each step, a lane for each thread.
//!
//! Where the lanes would be too narrow to read, the same rows are printed as a list. Long executions are cut to their
//! start, their end, and what is around the steps that matter.

use std::collections::BTreeMap;
use std::fmt::Write;
use trace::EventId;

/// Lanes narrower than this are harder to read than a list.
const NARROWEST_LANE: usize = 16;
/// What is assumed of an output whose width is not known.
const USUAL_WIDTH: usize = 120;
/// How many steps are shown at the start, at the end, and on each side of a step that matters.
const FIRST: usize = 12;
const LAST: usize = 24;
const AROUND: usize = 4;
const GAP: &str = "  ";

/// How to lay an execution out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    /// Columns of the terminal, if it is one.
    pub width: Option<usize>,
    /// Leave nothing out.
    pub full: bool,
}

/// One step, ready to be shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The lane it belongs to.
    pub lane: usize,
    /// What was done.
    pub text: String,
    /// Whether it belongs to the step before it, and is shown only where nothing is left out.
    pub folded: bool,
    /// Whether it is shown however long the execution is.
    pub matters: bool,
    /// A mark behind the text.
    pub mark: Option<&'static str>,
    /// What is said below the step.
    pub note: Option<String>,
}

impl Row {
    fn marked(&self) -> String {
        match self.mark {
            Some(mark) => format!("{} {mark}", self.text),
            None => self.text.clone(),
        }
    }
}

/// Prints the steps of an execution; `threads` are the names of the lanes.
pub fn print(threads: &[String], rows: &[Row], layout: Layout) -> String {
    let shown = shown(rows, layout.full);
    let used: BTreeMap<usize, usize> = {
        let mut lanes: Vec<usize> = shown.iter().map(|&id| rows[id as usize].lane).collect();
        lanes.sort_unstable();
        lanes.dedup();
        lanes.into_iter().enumerate().map(|(column, lane)| (lane, column)).collect()
    };
    let number_width = rows.len().to_string().len().max("step".len());
    let room = layout.width.unwrap_or(USUAL_WIDTH).saturating_sub(number_width);
    let mut widths: Vec<usize> = used.keys().map(|&lane| threads[lane].chars().count()).collect();
    for &id in &shown {
        let row = &rows[id as usize];
        let width = &mut widths[used[&row.lane]];
        *width = (*width).max(row.marked().chars().count());
    }
    let page = Page { threads, rows, shown: &shown, number_width };
    if shrink(&mut widths, room) { page.lanes(&used, &widths) } else { page.list() }
}

/// Which steps are shown.
fn shown(rows: &[Row], full: bool) -> Vec<EventId> {
    let near = |id: usize| {
        let around = &rows[id.saturating_sub(AROUND)..(id + AROUND + 1).min(rows.len())];
        around.iter().any(|row| row.matters)
    };
    let is_shown = |&id: &usize| {
        let is_told = !rows[id].folded || rows[id].mark.is_some() || rows[id].note.is_some();
        full || is_told && (id < FIRST || id + LAST >= rows.len() || near(id))
    };
    (0..rows.len()).filter(is_shown).map(|id| id as EventId).collect()
}

/// Takes from the widest lanes until all fit; false when they would get too narrow.
fn shrink(widths: &mut [usize], room: usize) -> bool {
    loop {
        let total: usize = widths.iter().map(|width| width + GAP.len()).sum();
        let Some(excess) = total.checked_sub(room).filter(|&excess| excess > 0) else { return true };
        let widest = widths.iter_mut().max().expect("an excess is of some lane");
        if *widest <= NARROWEST_LANE {
            return false;
        }
        // By half of what is too much, so that several wide lanes share the loss.
        *widest = (*widest - excess.div_ceil(2).min(*widest)).max(NARROWEST_LANE);
    }
}

struct Page<'a> {
    threads: &'a [String],
    rows: &'a [Row],
    shown: &'a [EventId],
    number_width: usize,
}

impl Page<'_> {
    fn lanes(&self, used: &BTreeMap<usize, usize>, widths: &[usize]) -> String {
        let mut page = String::new();
        let number = self.number_width;
        let heads: Vec<Vec<String>> =
            used.iter().map(|(&lane, &column)| wrap(&self.threads[lane], widths[column])).collect();
        for line in 0..heads.iter().map(Vec::len).max().unwrap_or(0) {
            let mut text = format!("{:>number$}", if line == 0 { "step" } else { "" });
            for (head, &width) in heads.iter().zip(widths) {
                let part = head.get(line).map_or("", String::as_str);
                let _ = write!(text, "{GAP}{part:<width$}");
            }
            push_line(&mut page, &text);
        }
        self.each(&mut page, |page, id, row| {
            let column = used[&row.lane];
            let indent: usize = widths[..column].iter().map(|width| width + GAP.len()).sum();
            for (i, part) in wrap(&row.marked(), widths[column]).into_iter().enumerate() {
                let label = if i == 0 { (id + 1).to_string() } else { String::new() };
                push_line(page, &format!("{label:>number$}{GAP}{:indent$}{part}", ""));
            }
        });
        page
    }

    fn list(&self) -> String {
        let mut page = String::new();
        let number = self.number_width;
        let shown_names = self.shown.iter().map(|&id| self.threads[self.rows[id as usize].lane].chars().count());
        let name_width = shown_names.max().unwrap_or(0).max("thread".len());
        push_line(&mut page, &format!("{:>number$}{GAP}{:<name_width$}{GAP}does", "step", "thread"));
        self.each(&mut page, |page, id, row| {
            let name = &self.threads[row.lane];
            push_line(page, &format!("{:>number$}{GAP}{name:<name_width$}{GAP}{}", id + 1, row.marked()));
        });
        page
    }

    /// Prints every shown step by `print`, its note below it, and a line where steps are left out.
    fn each(&self, page: &mut String, mut print: impl FnMut(&mut String, EventId, &Row)) {
        let mut next = 0;
        for &id in self.shown {
            let left_out = self.rows[next as usize..id as usize].iter().filter(|row| !row.folded).count();
            if left_out > 0 {
                let steps = if left_out == 1 { "step" } else { "steps" };
                push_line(
                    page,
                    &format!("{:>1$}{GAP}{left_out} {steps} left out; --full shows all", "⋮", self.number_width),
                );
            }
            next = id + 1;
            let row = &self.rows[id as usize];
            print(page, id, row);
            if let Some(note) = &row.note {
                push_line(page, &format!("{:1$}{GAP}✗ {note}", "", self.number_width));
            }
        }
    }
}

fn push_line(page: &mut String, line: &str) {
    page.push_str(line.trim_end());
    page.push('\n');
}

/// Breaks a text at spaces into parts of at most `width`, and in words that are longer.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let mut word: Vec<char> = word.chars().collect();
        loop {
            let line = lines.last_mut().expect("there is always a line");
            let taken = line.chars().count();
            let room = width.saturating_sub(taken + usize::from(taken > 0));
            if word.len() <= room || (taken == 0 && width == 0) {
                if taken > 0 {
                    line.push(' ');
                }
                line.extend(word);
                break;
            }
            if taken == 0 {
                line.extend(word.drain(..width));
            }
            lines.push(String::new());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(lane: usize, text: &str) -> Row {
        Row { lane, text: text.to_owned(), folded: false, matters: false, mark: None, note: None }
    }

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|i| format!("thread[{i}]")).collect()
    }

    #[test]
    fn a_lane_for_each_thread() {
        let mut rows = vec![row(0, "read x = 0"), row(2, "write x := 1"), row(0, "write x := 1")];
        rows[1].mark = Some("◀1");
        rows[2].note = Some("assertion failed: x == 2".to_owned());
        insta::assert_snapshot!(print(&names(3), &rows, Layout::default()), @r"
        step  thread[0]     thread[2]
           1  read x = 0
           2                write x := 1 ◀1
           3  write x := 1
              ✗ assertion failed: x == 2
        ");
    }

    #[test]
    fn narrow_lanes_wrap() {
        let rows = vec![row(0, "compare_exchange x: 0 → 1 failed, found 2"), row(1, "read x = 2")];
        let layout = Layout { width: Some(44), full: false };
        insta::assert_snapshot!(print(&names(2), &rows, layout), @r"
        step  thread[0]                   thread[1]
           1  compare_exchange x: 0 → 1
              failed, found 2
           2                              read x = 2
        ");
    }

    #[test]
    fn too_many_lanes_become_a_list() {
        let rows: Vec<Row> = (0..9).map(|i| row(i, "compare_exchange x: 0 → 1")).collect();
        let text = print(&names(9), &rows, Layout { width: Some(80), full: false });
        insta::assert_snapshot!(text.lines().take(3).collect::<Vec<_>>().join("\n"), @r"
        step  thread     does
           1  thread[0]  compare_exchange x: 0 → 1
           2  thread[1]  compare_exchange x: 0 → 1
        ");
    }

    #[test]
    fn the_middle_of_a_long_execution_is_left_out() {
        let mut rows: Vec<Row> = (0..1000).map(|i| row(i % 2, "yield")).collect();
        rows[500].mark = Some("◀1");
        rows[500].matters = true;
        let text = print(&names(2), &rows, Layout::default());
        assert_eq!(text.lines().count(), 1 + FIRST + 1 + (2 * AROUND + 1) + 1 + LAST);
        assert!(text.contains("484 steps left out; --full shows all"), "{text}");
        assert!(text.contains("501") && text.contains("yield ◀1"));
        let full = print(&names(2), &rows, Layout { full: true, ..Layout::default() });
        assert_eq!(full.lines().count(), 1001);
    }
}
