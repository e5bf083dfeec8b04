//! Figures over time or size, as lines.

use super::{COLOURS, escaped, text};
use std::fmt::Write;

/// Several series of figures over the same axis.
#[derive(Clone, PartialEq, Debug)]
pub struct LinePlot {
    /// What is shown.
    pub title: String,
    /// What the horizontal axis counts.
    pub across: String,
    /// What the vertical axis counts.
    pub up: String,
    /// Whether the vertical axis is logarithmic.
    pub logarithmic: bool,
    /// At most as many as there are colours: four.
    pub series: Vec<Series>,
}

/// Figures that belong together.
#[derive(Clone, PartialEq, Debug)]
pub struct Series {
    /// Their name; a single series needs none.
    pub name: String,
    /// Places on both axes, from left to right.
    pub points: Vec<(f64, f64)>,
}

const LEFT: f64 = 64.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 40.0;
const RIGHT: f64 = 16.0;
const PLOT: (f64, f64) = (300.0, 130.0);
const LEGEND: f64 = 18.0;

impl LinePlot {
    /// The picture. Its words have the colour of the text around it.
    pub fn to_svg(&self) -> String {
        let across = Scale::of(self.points().map(|(x, _)| x), false, PLOT.0);
        let up = Scale::of(self.points().map(|(_, y)| y), self.logarithmic, PLOT.1);
        let legend = if self.series.len() > 1 { LEGEND * self.series.len() as f64 } else { 0.0 };
        let (width, height) = (LEFT + PLOT.0 + RIGHT, TOP + PLOT.1 + BOTTOM + legend);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" role=\"img\" font-family=\"sans-serif\" font-size=\"11\" fill=\"currentColor\">\n\
             <title>{}</title>\n",
            escaped(&self.summary())
        );
        text(&mut svg, (LEFT, 16.0), "start\" font-weight=\"bold", &self.title);
        text(&mut svg, (LEFT, 32.0), "start\" opacity=\"0.7", &self.up);
        let (bottom, right) = (TOP + PLOT.1, LEFT + PLOT.0);
        for tick in up.ticks() {
            let y = bottom - up.place(tick);
            let _ = writeln!(
                svg,
                "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\" stroke=\"currentColor\" opacity=\"0.2\"/>"
            );
            text(&mut svg, (LEFT - 6.0, y + 4.0), "end", &short(tick));
        }
        for tick in across.ticks() {
            text(&mut svg, (LEFT + across.place(tick), bottom + 15.0), "middle", &short(tick));
        }
        text(&mut svg, (right, bottom + 30.0), "end\" opacity=\"0.7", &self.across);
        for (series, colour) in self.series.iter().zip(COLOURS) {
            let point = |&(x, y): &(f64, f64)| format!("{:.1},{:.1}", LEFT + across.place(x), bottom - up.place(y));
            let points: Vec<String> = series.points.iter().map(point).collect();
            let _ = writeln!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-linejoin=\"round\"/>",
                points.join(" ")
            );
        }
        if self.series.len() > 1 {
            for (i, (series, colour)) in self.series.iter().zip(COLOURS).enumerate() {
                let y = bottom + BOTTOM + LEGEND * i as f64;
                let _ = writeln!(
                    svg,
                    "<rect x=\"{LEFT}\" y=\"{:.1}\" width=\"12\" height=\"4\" fill=\"{colour}\"/>",
                    y - 4.0
                );
                text(&mut svg, (LEFT + 18.0, y), "start", &series.name);
            }
        }
        svg + "</svg>\n"
    }

    fn points(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.series.iter().flat_map(|series| series.points.iter().copied())
    }

    /// What somebody reads who does not see the lines.
    fn summary(&self) -> String {
        let of = |series: &Series| match (series.points.first(), series.points.last()) {
            (Some(first), Some(last)) => {
                format!("{} from {} to {}", series.name, short(first.1), short(last.1)).trim_start().to_owned()
            }
            _ => format!("{} has no figures", series.name),
        };
        let series: Vec<String> = self.series.iter().map(of).collect();
        format!("{}, {}: {}", self.title, self.up, series.join("; "))
    }
}

/// From figures to places.
struct Scale {
    least: f64,
    most: f64,
    logarithmic: bool,
    length: f64,
}

impl Scale {
    fn of(figures: impl Iterator<Item = f64>, logarithmic: bool, length: f64) -> Self {
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for figure in figures.filter(|figure| figure.is_finite() && (!logarithmic || *figure > 0.0)) {
            least = least.min(figure);
            most = most.max(figure);
        }
        if least > most {
            (least, most) = (1.0, 10.0);
        }
        if logarithmic {
            least = 10f64.powf(least.log10().floor());
            most = 10f64.powf(most.log10().ceil()).max(least * 10.0);
        } else {
            least = least.min(0.0);
            most = if most > least { most } else { least + 1.0 };
        }
        Scale { least, most, logarithmic, length }
    }

    fn place(&self, figure: f64) -> f64 {
        let share = if self.logarithmic {
            (figure.max(self.least) / self.least).log10() / (self.most / self.least).log10()
        } else {
            (figure - self.least) / (self.most - self.least)
        };
        self.length * share.clamp(0.0, 1.0)
    }

    fn ticks(&self) -> Vec<f64> {
        if self.logarithmic {
            let decades = (self.most / self.least).log10().round() as i32;
            return (0..=decades).map(|decade| self.least * 10f64.powi(decade)).collect();
        }
        let rough = (self.most - self.least) / 4.0;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|step| step * power).into_iter().find(|&step| step >= rough);
        let step = step.unwrap_or(rough);
        let first = (self.least / step).ceil() as i64;
        (first..).map(|n| n as f64 * step).take_while(|&tick| tick <= self.most).collect()
    }
}

/// A figure with few digits: `1.2M`, `350k`, `0.25`.
fn short(figure: f64) -> String {
    let (scaled, unit) = match figure.abs() {
        large if large >= 1e9 => (figure / 1e9, "G"),
        large if large >= 1e6 => (figure / 1e6, "M"),
        large if large >= 1e4 => (figure / 1e3, "k"),
        _ => (figure, ""),
    };
    let text = match scaled.abs() {
        small if small >= 100.0 || scaled.fract() == 0.0 => format!("{scaled:.0}"),
        small if small >= 1.0 => format!("{scaled:.1}"),
        _ => format!("{scaled:.3}").trim_end_matches('0').to_owned(),
    };
    text + unit
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(logarithmic: bool, points: &[(f64, f64)]) -> LinePlot {
        LinePlot {
            title: "rate <now>".to_owned(),
            across: "seconds".to_owned(),
            up: "executions a second".to_owned(),
            logarithmic,
            series: vec![Series { name: String::new(), points: points.to_vec() }],
        }
    }

    #[test]
    fn points_are_where_their_figures_are() {
        let svg = plot(false, &[(0.0, 0.0), (1.0, 50.0), (2.0, 100.0)]).to_svg();
        assert!(svg.contains("points=\"64.0,170.0 214.0,105.0 364.0,40.0\""), "{svg}");
        let svg = plot(true, &[(0.0, 1.0), (1.0, 10.0), (2.0, 100.0)]).to_svg();
        assert!(svg.contains("points=\"64.0,170.0 214.0,105.0 364.0,40.0\""), "{svg}");
    }

    #[test]
    fn it_is_told_in_words_too() {
        let svg = plot(false, &[(0.0, 0.0), (2.0, 1_250_000.0)]).to_svg();
        assert!(svg.contains("<title>rate &lt;now&gt;, executions a second: from 0 to 1.2M</title>"), "{svg}");
    }

    #[test]
    fn no_figures_and_equal_figures_make_a_picture() {
        for points in [&[][..], &[(0.0, 5.0)], &[(1.0, 0.0), (1.0, 0.0)]] {
            for logarithmic in [false, true] {
                let svg = plot(logarithmic, points).to_svg();
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            }
        }
    }

    #[test]
    fn axes_have_round_figures() {
        assert_eq!(Scale::of([0.0, 7.0].into_iter(), false, 1.0).ticks(), [0.0, 2.0, 4.0, 6.0]);
        assert_eq!(Scale::of([3.0, 700.0].into_iter(), true, 1.0).ticks(), [1.0, 10.0, 100.0, 1000.0]);
        assert_eq!([0.25, 12.0, 1234.5, 45_000.0, 2.5e6].map(short), ["0.25", "12", "1234", "45k", "2.5M"]);
    }
}
