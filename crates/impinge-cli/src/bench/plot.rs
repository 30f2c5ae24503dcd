//! Curves, as SVG.

use plotters::coord::Shift;
use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::prelude::*;
use std::error::Error;

/// How numbers become places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scale {
    /// Evenly, from 0.
    Linear,
    /// By their logarithms; both axes.
    Logarithmic,
}

/// What a plot shows.
pub(super) struct Plot<'a> {
    pub(super) title: &'a str,
    pub(super) x: &'a str,
    pub(super) y: &'a str,
    pub(super) scale: Scale,
    pub(super) curves: Vec<(String, Vec<(f64, f64)>)>,
}

impl Plot<'_> {
    /// The SVG text; an error when there is nothing positive to show.
    pub(super) fn to_svg(&self) -> Result<String, String> {
        let mut svg = String::new();
        self.draw(&mut svg)
            .map_err(|error| format!("plot {}: {error}", self.title))?;
        Ok(svg)
    }

    fn draw<'s>(&self, svg: &'s mut String) -> Result<(), Box<dyn Error + 's>> {
        let points = || self.curves.iter().flat_map(|(_, curve)| curve);
        let (left, right) = range(points().map(|p| p.0)).ok_or("no points")?;
        let (low, high) = range(points().map(|p| p.1)).ok_or("no points")?;
        let area = SVGBackend::with_string(svg, (800, 520)).into_drawing_area();
        area.fill(&WHITE)?;
        match self.scale {
            Scale::Linear => self.draw_on(&area, 0.0..right, 0.0..high * 1.1)?,
            Scale::Logarithmic => self.draw_on(
                &area,
                (left..right).log_scale(),
                (low * 0.7..high * 1.4).log_scale(),
            )?,
        }
        area.present()?;
        Ok(())
    }

    fn draw_on<'s, X, Y>(
        &self,
        area: &DrawingArea<SVGBackend<'s>, Shift>,
        across: X,
        up: Y,
    ) -> Result<(), Box<dyn Error + 's>>
    where
        X: AsRangedCoord<Value = f64>,
        Y: AsRangedCoord<Value = f64>,
        X::CoordDescType: ValueFormatter<f64>,
        Y::CoordDescType: ValueFormatter<f64>,
    {
        let mut chart = ChartBuilder::on(area)
            .caption(self.title, ("sans-serif", 20))
            .margin(12)
            .x_label_area_size(44)
            .y_label_area_size(64)
            .build_cartesian_2d(across, up)?;
        chart
            .configure_mesh()
            .x_desc(self.x)
            .y_desc(self.y)
            .x_label_formatter(&label)
            .y_label_formatter(&label)
            .light_line_style(BLACK.mix(0.08))
            .draw()?;
        for (number, (name, curve)) in self.curves.iter().enumerate() {
            let color = Palette99::pick(number).to_rgba();
            chart
                .draw_series(LineSeries::new(
                    curve.iter().copied(),
                    color.stroke_width(2),
                ))?
                .label(name)
                .legend(move |(x, y)| {
                    PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2))
                });
            // Many dots would hide the line.
            let dots = curve.iter().filter(|_| curve.len() <= MOST_DOTS);
            chart.draw_series(dots.map(|p| Circle::new(*p, 3, color.filled())))?;
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .background_style(WHITE.mix(0.85))
            .border_style(BLACK.mix(0.3))
            .draw()?;
        Ok(())
    }
}

/// The most points of a curve that are marked.
const MOST_DOTS: usize = 30;

/// A number without the last digits, in which sums of steps are off.
fn label(number: &f64) -> String {
    format!("{}", (number * 1e9).round() / 1e9)
}

/// The smallest and the largest of some positive numbers.
fn range(numbers: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    numbers
        .filter(|x| x.is_finite() && *x > 0.0)
        .map(|x| (x, x))
        .reduce(|(low, high), (x, _)| (low.min(x), high.max(x)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_curve_is_drawn_and_named() {
        let plot = Plot {
            title: "cost",
            x: "vertices",
            y: "ns",
            scale: Scale::Logarithmic,
            curves: vec![
                ("first".to_owned(), vec![(20.0, 100.0), (200.0, 150.0)]),
                ("second".to_owned(), vec![(20.0, 50.0), (200.0, 900.0)]),
            ],
        };
        let svg = plot.to_svg().unwrap();
        // Only curves and their places in the legend are of this width.
        let thick = svg
            .split("<polyline")
            .filter(|line| line.contains("stroke-width=\"2\""));
        assert_eq!(thick.count(), 2 + 2);
        assert_eq!(svg.matches("<circle").count(), 4);
        assert!(svg.contains("first") && svg.contains("second"));
    }

    #[test]
    fn linear_axes_begin_at_0_and_long_curves_have_no_dots() {
        let curve = (1..=100).map(|k| (f64::from(k), 0.1 * f64::from(k)));
        let plot = Plot {
            title: "growth",
            x: "bodies",
            y: "ms",
            scale: Scale::Linear,
            curves: vec![("only".to_owned(), curve.collect())],
        };
        let svg = plot.to_svg().unwrap();
        assert_eq!(svg.matches("<circle").count(), 0);
        assert!(svg.lines().any(|line| line.trim() == "0"), "{svg}");
    }

    #[test]
    fn an_empty_plot_is_an_error() {
        let plot = Plot {
            title: "nothing",
            x: "x",
            y: "y",
            scale: Scale::Linear,
            curves: vec![],
        };
        assert!(plot.to_svg().unwrap_err().contains("nothing"));
    }
}
