//! Arbitrary models, made from numbers: any numbers make one, so that shrinking needs no care.

use std::fmt::Write as _;

/// Numbers that decide what a model is like; when they are used up, all are 0.
struct Genes<'g> {
    genes: &'g [u8],
    next: usize,
}

/// A variable that every number of a channel fits into: where one does not, SPIN puts another number back than it took, when it goes
/// back from such a receive.
fn byte(variable: &'static str) -> &'static str {
    if ["b", "j"].contains(&variable) { "y" } else { variable }
}

impl Genes<'_> {
    fn draw(&mut self, most: u8) -> u8 {
        let gene = self.genes.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        gene % most
    }
}

/// The genes of a seed.
pub(crate) fn genes(mut seed: u64, length: usize) -> Vec<u8> {
    seed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    (0..length)
        .map(|_| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            (seed >> 24) as u8
        })
        .collect()
}

/// The message of the shortest genes, with the smallest numbers, that still make a difference.
pub(crate) fn shrink(mut genes: Vec<u8>, difference: impl Fn(&[u8]) -> Option<String>) -> String {
    let mut message = difference(&genes).expect("there is a difference");
    let mut changed = true;
    while changed {
        changed = false;
        let shorter = (0..genes.len()).step_by(1 + genes.len() / 40).map(|length| genes[..length].to_vec());
        let zeroed = (0..genes.len()).filter(|place| genes[*place] > 0).map(|place| {
            let mut fewer = genes.clone();
            fewer[place] = 0;
            fewer
        });
        let removed = (0..genes.len()).map(|place| {
            let mut fewer = genes.clone();
            fewer.remove(place);
            fewer
        });
        let candidates: Vec<_> = shorter.chain(zeroed).chain(removed).collect();
        for candidate in candidates {
            if let Some(found) = difference(&candidate)
                && (candidate.len() < genes.len() || found.len() <= message.len())
            {
                genes = candidate;
                message = found;
                changed = true;
                break;
            }
        }
    }
    message
}

/// A model with a few processes, whose states are few; every execution of it ends if it is to.
pub(crate) fn model(genes: &[u8], ends: bool) -> String {
    let mut maker = Maker {
        genes: Genes { genes, next: 0 },
        text: String::new(),
        indent: 1,
        labels: 0,
        loops: 0,
        in_dstep: false,
        in_atomic: false,
        blocks: 0,
        ends,
    };
    maker.text.push_str(
        "mtype = { red, green };\nbyte x, y;\nbit b;\nbyte a[2];\nshort unread;\nmtype colour;\n\
         typedef pair { byte first; bit second };\npair p;\n\
         chan c = [1] of { byte };\nchan d = [2] of { mtype, bit };\nchan r = [0] of { byte };\n\n\
         inline swap(one, other) { byte t; t = one; one = other; other = t }\n\n",
    );
    let processes = 1 + maker.genes.draw(3);
    let with_run = maker.genes.draw(4) == 1;
    for number in 0..processes {
        let active = if with_run { "" } else { "active " };
        let provided = if maker.genes.draw(12) == 1 { " provided (x < 3)" } else { "" };
        // A channel that is handed over, or one of its own.
        let parameter = if with_run { "chan z" } else { "" };
        let _ = writeln!(maker.text, "{active}proctype p{number}({parameter}){provided} {{");
        maker.text.push_str("  byte i; bit j = 1;\n");
        if !with_run {
            maker.text.push_str("  chan z = [1] of { byte };\n");
        }
        let statements = 1 + maker.genes.draw(4);
        maker.statements(statements, 2);
        maker.text.push_str("}\n");
    }
    if with_run {
        maker.text.push_str("init {\n  chan own = [1] of { byte };\n");
        for number in 0..processes {
            let channel = ["c", "own"][usize::from(maker.genes.draw(2))];
            let _ = writeln!(maker.text, "  run p{number}({channel});");
        }
        maker.text.push_str("  skip\n}\n");
    }
    maker.text
}

struct Maker<'g> {
    genes: Genes<'g>,
    text: String,
    indent: usize,
    labels: u32,
    loops: u32,
    in_dstep: bool,
    in_atomic: bool,
    blocks: u32,
    /// Nothing goes round.
    ends: bool,
}

impl Maker<'_> {
    fn line(&mut self, text: &str) {
        for _ in 0..self.indent {
            self.text.push_str("  ");
        }
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn statements(&mut self, count: u8, depth: u32) {
        for number in 0..count {
            self.statement(depth, number + 1 == count);
        }
    }

    fn variable(&mut self) -> &'static str {
        ["x", "y", "i", "a[0]", "a[i % 2]", "p.first", "b", "j"][usize::from(self.genes.draw(8))]
    }

    fn value(&mut self) -> String {
        let variable = self.variable();
        match self.genes.draw(8) {
            0 => "0".to_owned(),
            1 => "1".to_owned(),
            2 => variable.to_owned(),
            3 => format!("({variable} + 1) % 3"),
            4 => format!("1 - {} % 2", variable),
            5 => "len(c)".to_owned(),
            6 => format!("({variable} > 1 -> 1 : 2)"),
            _ => "_pid".to_owned(),
        }
    }

    fn condition(&mut self) -> String {
        let variable = self.variable();
        match self.genes.draw(10) {
            0 => "true".to_owned(),
            1 => format!("{variable} == 0"),
            2 => format!("{variable} != 1"),
            3 => format!("{variable} < 2 && b == 0"),
            4 => format!("{variable} > 0 || j"),
            5 => "empty(c)".to_owned(),
            6 => "nempty(d)".to_owned(),
            7 => "nfull(d)".to_owned(),
            8 => "c?[1]".to_owned(),
            _ => "colour == red".to_owned(),
        }
    }

    /// A statement that may wait.
    fn guard(&mut self) -> String {
        if self.in_dstep {
            return self.condition();
        }
        let variable = self.variable();
        match self.genes.draw(14) {
            0..4 => self.condition(),
            4 => format!("c!{variable}"),
            5 => format!("c?{}", byte(variable)),
            6 => "c?eval(x)".to_owned(),
            7 => "d!red, 1".to_owned(),
            8 => "d?colour, b".to_owned(),
            9 => "r!1".to_owned(),
            10 => format!("r?{variable}"),
            11 => format!("z!{variable}"),
            12 => format!("z?{}", byte(variable)),
            _ => "d??green, _".to_owned(),
        }
    }

    fn simple(&mut self) -> String {
        let variable = self.variable();
        match self.genes.draw(14) {
            0 => "skip".to_owned(),
            1 | 2 => format!("{variable} = {}", self.value()),
            3 => "unread = unread + 1".to_owned(),
            4 => "printf(\"%d\\n\", x)".to_owned(),
            5 => format!("assert({})", self.condition()),
            6 => "colour = green".to_owned(),
            7 if !self.in_dstep => "d!!green, 0".to_owned(),
            8 if !self.in_dstep => "c?<i>".to_owned(),
            9 if !self.in_dstep => "d??red, j".to_owned(),
            10 => format!("b = {}", self.value()),
            _ => self.guard(),
        }
    }

    fn block(&mut self, open: &str, close: &str, depth: u32) {
        self.line(open);
        self.indent += 1;
        let count = 1 + self.genes.draw(3);
        self.statements(count, depth);
        self.indent -= 1;
        self.line(close);
    }

    fn statement(&mut self, depth: u32, is_last: bool) {
        let end = if is_last { "" } else { ";" };
        if depth == 0 {
            let text = self.simple() + end;
            return self.line(&text);
        }
        match self.genes.draw(24) {
            0..10 => {
                let text = self.simple() + end;
                self.line(&text);
            }
            10..13 => self.choice("if", "fi", depth, end),
            13 | 14 if self.ends => self.choice("if", "fi", depth, end),
            13 | 14 => self.rounds(depth, end),
            15 if !self.in_atomic => {
                self.in_atomic = true;
                self.block("atomic {", &format!("}}{end}"), depth - 1);
                self.in_atomic = false;
            }
            16 if !self.in_dstep => self.dstep(end),
            17 => {
                self.blocks += 1;
                self.block("{", &format!("}}{end}"), depth - 1);
            }
            18 if !self.in_dstep => {
                self.block("{", "} unless {", depth - 1);
                self.indent += 1;
                let guard = self.guard();
                self.line(&guard);
                self.indent -= 1;
                self.line(&format!("}}{end}"));
            }
            19 => {
                self.labels += 1;
                let label = format!("l{}", self.labels);
                let condition = self.condition();
                self.line("if");
                self.line(&format!(":: {condition} -> goto {label}"));
                self.line(":: else");
                self.line("fi;");
                let text = self.simple() + ";";
                self.line(&text);
                let text = format!("{label}: {}{end}", self.simple());
                self.line(&text);
            }
            20 => self.line(&format!("for (i : 0 .. 1) {{ x = (x + i) % 3 }}{end}")),
            21 => self.line(&format!("select (i : 0 .. 2){end}")),
            22 => self.line(&format!("swap(x, y){end}")),
            _ => {
                let text = format!("timeout{end}");
                let text = if self.in_dstep { format!("skip{end}") } else { text };
                self.line(&text);
            }
        }
    }

    fn choice(&mut self, open: &str, close: &str, depth: u32, end: &str) {
        self.line(open);
        for _ in 0..1 + self.genes.draw(3) {
            let guard = self.guard();
            self.line(&format!(":: {guard} ->"));
            self.indent += 1;
            let count = 1 + self.genes.draw(2);
            self.statements(count, depth - 1);
            self.indent -= 1;
        }
        match self.genes.draw(3) {
            0 => self.line(":: else -> skip"),
            1 => {
                let text = format!(":: else -> {}", self.simple());
                self.line(&text);
            }
            _ if self.in_dstep => self.line(":: else"),
            _ => {}
        }
        self.line(&format!("{close}{end}"));
    }

    /// A loop that ends at some point, or goes round in few states.
    fn rounds(&mut self, depth: u32, end: &str) {
        self.loops += 1;
        if self.in_dstep {
            return self.line(&format!("x = 1{end}"));
        }
        self.line("do");
        let condition = self.condition();
        self.line(&format!(":: {condition} ->"));
        self.indent += 1;
        let count = 1 + self.genes.draw(2);
        self.statements(count, depth - 1);
        self.indent -= 1;
        let guard = self.guard();
        self.line(&format!(":: {guard} -> break"));
        if self.genes.draw(3) == 1 {
            self.line(":: else -> break");
        }
        self.line(&format!("od{end}"));
    }

    fn dstep(&mut self, end: &str) {
        let outer = std::mem::replace(&mut self.in_dstep, true);
        self.line("d_step {");
        self.indent += 1;
        let guard = self.condition();
        self.line(&format!("{guard};"));
        let value = self.value();
        self.line(&format!("x = {value};"));
        if self.genes.draw(2) == 1 {
            let condition = self.condition();
            self.line("if");
            self.line(&format!(":: {condition} -> y = 1"));
            self.line(":: else -> i = 1");
            self.line("fi");
        } else {
            self.line("b = 1");
        }
        self.indent -= 1;
        self.line(&format!("}}{end}"));
        self.in_dstep = outer;
    }
}
