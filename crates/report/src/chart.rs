//! Figures as SVG: bars beside each other, and lines.

mod lines;

pub use lines::{LinePlot, Series};

use std::fmt::Write;

/// Figures of several series for several things, as horizontal bars on a logarithmic scale.
#[derive(Clone, PartialEq, Debug)]
pub struct BarChart {
    /// What is shown.
    pub title: String,
    /// What the figures count.
    pub unit: String,
    /// The names of the series, at most as many as there are colours: eight.
    pub series: Vec<String>,
    /// The things, from top to bottom.
    pub groups: Vec<Group>,
}

/// One thing, with a bar for each series.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    /// Its name.
    pub label: String,
    /// A bar for each series.
    pub bars: Vec<Bar>,
}

/// One figure.
#[derive(Clone, PartialEq, Debug)]
pub struct Bar {
    /// Its size, which is positive; none when there is no figure.
    pub value: Option<f64>,
    /// What is written at its end.
    pub text: String,
}

/// Colours that people who see few colours can tell apart.
const COLOURS: [&str; 8] = ["#e69f00", "#0072b2", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#666666"];
const LEFT: f64 = 170.0;
const WIDTH: f64 = 560.0;
const RIGHT: f64 = 110.0;
const TOP: f64 = 64.0;
const BAR: f64 = 14.0;
const GAP: f64 = 12.0;
const SHORTEST: f64 = 3.0;

impl BarChart {
    /// The picture.
    pub fn to_svg(&self) -> String {
        let (least, most) = self.decades();
        let place = |value: f64| WIDTH * (value.log10() - f64::from(least)) / f64::from(most - least);
        let height = self.groups.iter().map(Group::height).sum::<f64>();
        let (width, bottom) = (LEFT + WIDTH + RIGHT, TOP + height);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {:.0}\" font-family=\"sans-serif\" \
             font-size=\"12\">\n<title>{}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
            bottom + 40.0,
            escaped(&self.title)
        );
        text(&mut svg, (LEFT, 20.0), "start\" font-weight=\"bold", &self.title);
        self.write_legend(&mut svg);
        for decade in least..=most {
            let x = LEFT + place(10f64.powi(decade));
            let _ =
                writeln!(svg, "<line x1=\"{x:.1}\" y1=\"{TOP}\" x2=\"{x:.1}\" y2=\"{bottom:.0}\" stroke=\"#cccccc\"/>");
            text(&mut svg, (x, bottom + 16.0), "middle", &number(decade));
        }
        text(&mut svg, (LEFT + WIDTH, bottom + 32.0), "end", &self.unit);
        let mut y = TOP;
        for group in &self.groups {
            group.write(&mut svg, y, place);
            y += group.height();
        }
        svg + "</svg>\n"
    }

    /// The powers of ten that all figures lie between.
    fn decades(&self) -> (i32, i32) {
        let values = || self.groups.iter().flat_map(|group| &group.bars).filter_map(|bar| bar.value);
        let least = values().fold(f64::INFINITY, f64::min);
        let most = values().fold(0.0, f64::max);
        if most <= 0.0 {
            return (0, 1);
        }
        let least = least.log10().floor() as i32;
        (least, (most.log10().ceil() as i32).max(least + 1))
    }

    fn write_legend(&self, svg: &mut String) {
        let room = ((WIDTH + RIGHT) / self.series.len().max(1) as f64).min(170.0);
        for (i, (series, colour)) in self.series.iter().zip(COLOURS).enumerate() {
            let x = LEFT + (room * i as f64).round();
            let _ = writeln!(svg, "<rect x=\"{x}\" y=\"34\" width=\"12\" height=\"12\" fill=\"{colour}\"/>");
            text(svg, (x + 18.0, 44.0), "start", series);
        }
    }
}

impl Group {
    fn height(&self) -> f64 {
        BAR * self.bars.len() as f64 + GAP
    }

    fn write(&self, svg: &mut String, y: f64, place: impl Fn(f64) -> f64) {
        let middle = y + (GAP + BAR * self.bars.len() as f64) / 2.0;
        text(svg, (LEFT - 8.0, middle + 4.0), "end", &self.label);
        for (i, (bar, colour)) in self.bars.iter().zip(COLOURS).enumerate() {
            let y = y + GAP / 2.0 + BAR * i as f64;
            // The least figure of all has a bar, too.
            let length = bar.value.map_or(0.0, |value| place(value).max(SHORTEST));
            let _ = writeln!(
                svg,
                "<rect x=\"{LEFT}\" y=\"{y:.1}\" width=\"{length:.1}\" height=\"{}\" fill=\"{colour}\"/>",
                BAR - 2.0
            );
            text(svg, (LEFT + length + 4.0, y + 10.0), "start", &bar.text);
        }
    }
}

fn text(svg: &mut String, (x, y): (f64, f64), anchor: &str, words: &str) {
    let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>", escaped(words));
}

fn number(decade: i32) -> String {
    let places = usize::try_from(-decade).unwrap_or(0);
    format!("{:.places$}", 10f64.powi(decade))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(value: f64) -> Bar {
        Bar { value: Some(value), text: format!("{value}") }
    }

    fn chart(bars: Vec<Bar>) -> BarChart {
        BarChart {
            title: "memory <peak>".to_owned(),
            unit: "MB".to_owned(),
            series: vec!["optimal".to_owned(), "pop".to_owned()],
            groups: vec![Group { label: "lastzero(15)".to_owned(), bars }],
        }
    }

    #[test]
    fn a_bar_is_as_long_as_its_logarithm() {
        let svg = chart(vec![bar(100.0), bar(1.0)]).to_svg();
        assert!(svg.contains("width=\"560.0\" height=\"12\" fill=\"#e69f00\""), "{svg}");
        assert!(svg.contains("width=\"3.0\" height=\"12\" fill=\"#0072b2\""), "{svg}");
        let half = chart(vec![bar(100.0), bar(10.0), bar(1.0)]).to_svg();
        assert!(half.contains("width=\"280.0\" height=\"12\" fill=\"#0072b2\""), "{half}");
    }

    #[test]
    fn what_has_no_figure_has_no_bar() {
        let svg = chart(vec![bar(5.0), Bar { value: None, text: "refused".to_owned() }]).to_svg();
        assert!(svg.contains("width=\"0.0\" height=\"12\" fill=\"#0072b2\"") && svg.contains(">refused<"), "{svg}");
        let svg = chart(vec![Bar { value: None, text: String::new() }]).to_svg();
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }

    #[test]
    fn signs_of_the_format_are_escaped() {
        let svg = chart(vec![bar(5.0)]).to_svg();
        assert!(svg.contains("<title>memory &lt;peak&gt;</title>"), "{svg}");
    }

    #[test]
    fn the_scale_begins_and_ends_at_powers_of_ten() {
        assert_eq!(chart(vec![bar(4.5), bar(480.0)]).decades(), (0, 3));
        assert_eq!(chart(vec![bar(10.0)]).decades(), (1, 2));
        assert_eq!([-2, 0, 3].map(number), ["0.01", "1", "1000"]);
    }
}
