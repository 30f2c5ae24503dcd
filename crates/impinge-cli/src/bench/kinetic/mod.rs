//! Figures 6, 7 and 8 of Coming and Staadt (Kinetic Sweep and Prune for Multi-Body Continuous Motion, 2006), measured anew.
//!
//! Rings of 64 triangles bounce in a cube for one unit of time, a second of the source, and the world is asked at a rate. What is measured is the
//! ratio of the time spent to the time simulated: below 1 it would run in real time. Methods: their three, and the hybrid. All must
//! come to the same impacts and to the same places, to the last bit.

mod measure;
mod page;
mod text;

use super::Outcome;
use super::plot::{Plot, Scale};
use super::table::Table;
use clap::Args;
use impinge_scenes::elastic::{BodyKind, ElasticOptions};
use measure::{Method, Point};

/// Figures 6 to 8 of Coming and Staadt (2006): time spent for time simulated, kinetic, swept, unpruned and hybrid
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The most bodies of Figure 7
    #[arg(long, default_value_t = 20_000)]
    most: usize,
    /// How often each point is measured; the median counts
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// How long each simulation runs, in seconds of its own
    #[arg(long, default_value_t = 1.0)]
    seconds: f64,
    /// How many bodies where their number is not what changes
    #[arg(long, default_value_t = 1000)]
    bodies: usize,
}

/// What changes along a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Figure {
    /// The number of bodies, at 1000 Hz.
    Bodies,
    /// The rate, with 1000 bodies.
    Rate,
    /// 100 complex models at 15 Hz and at 1000 Hz.
    Models,
}

impl Figure {
    const ALL: [Figure; 3] = [Figure::Bodies, Figure::Rate, Figure::Models];

    fn name(self) -> &'static str {
        match self {
            Figure::Bodies => "bodies",
            Figure::Rate => "rate",
            Figure::Models => "models",
        }
    }

    fn axis(self) -> &'static str {
        match self {
            Figure::Bodies => "bodies",
            Figure::Rate | Figure::Models => "Hz",
        }
    }

    fn values(self, most: usize) -> Vec<f64> {
        let values: &[f64] = match self {
            Figure::Bodies => &[
                100.0, 200.0, 300.0, 400.0, 500.0, 600.0, 700.0, 800.0, 900.0, 1000.0, 2000.0,
                5000.0, 10_000.0, 20_000.0,
            ],
            Figure::Rate => &[1.0, 10.0, 30.0, 60.0, 100.0, 200.0, 500.0, 1000.0, 2000.0],
            Figure::Models => &[15.0, 1000.0],
        };
        let is_within = |value: &&f64| self != Figure::Bodies || **value <= most as f64;
        values.iter().filter(is_within).copied().collect()
    }

    /// The scene and the rate of a point.
    fn point(self, value: f64, bodies: usize) -> (ElasticOptions, f64) {
        let rings = ElasticOptions {
            bodies,
            ..ElasticOptions::default()
        };
        match self {
            Figure::Bodies => {
                let scene = ElasticOptions {
                    bodies: value as usize,
                    ..rings
                };
                (scene, 1000.0)
            }
            Figure::Rate => (rings, value),
            Figure::Models => {
                let scene = ElasticOptions {
                    bodies: bodies.min(100),
                    kind: BodyKind::Knots(6200),
                    density_percent: 5.0,
                    ..rings
                };
                (scene, value)
            }
        }
    }

    /// The methods that are measured at a value.
    fn methods(self, value: f64) -> Vec<Method> {
        // Unpruned, the number of pairs is out of reach.
        let is_unpruned = self != Figure::Bodies || value <= 1000.0;
        Method::ALL
            .into_iter()
            .filter(|method| is_unpruned || *method != Method::Unpruned)
            .collect()
    }
}

/// A time out of an entry.
type Stage = fn(&measure::Entry) -> f64;

/// What was measured along a figure.
struct Series {
    figure: Figure,
    points: Vec<Point>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, String> {
    let Arguments {
        rounds,
        seconds,
        bodies,
        most,
    } = *arguments;
    if rounds == 0 || bodies == 0 || most < 200 || !(seconds > 0.0 && seconds.is_finite()) {
        return Err("at least a round, a body, 200 at most and some time are needed".to_owned());
    }
    let series = Figure::ALL
        .into_iter()
        .map(|figure| measure_series(figure, arguments))
        .collect::<Result<Vec<_>, String>>()?;
    let plots = vec![
        (
            "figure-7",
            series[0].whole("Figure 7: number of bodies, 1000 Hz")?,
        ),
        (
            "figure-8",
            series[1].staged("Figure 8: sample rate, by stage")?,
        ),
        ("rates", series[1].whole("Sample rate, whole time")?),
    ];
    Ok(Outcome {
        name: "kinetic",
        table: table(&series),
        plots,
        remarks: series.iter().map(page::remark).collect(),
        page: Some(page::page(&series, arguments)),
    })
}

fn measure_series(figure: Figure, arguments: &Arguments) -> Result<Series, String> {
    let points = figure.values(arguments.most).into_iter().map(|value| {
        let (scene, rate) = figure.point(value, arguments.bodies);
        let methods = figure.methods(value);
        let rounds = if scene.bodies > 2000 {
            1
        } else {
            arguments.rounds
        };
        let point = measure::measure(&scene, rate, arguments.seconds, &methods, rounds);
        let point = point.map_err(|why| format!("{} {value}: {why}", figure.name()))?;
        eprintln!("{} {value} done", figure.name());
        Ok(Point { value, ..point })
    });
    Ok(Series {
        figure,
        points: points.collect::<Result<_, String>>()?,
    })
}

/// A row for each point and method.
fn table(series: &[Series]) -> Table {
    let columns = [
        "value",
        "impacts",
        "ratio x1000",
        "update x1000",
        "sort x1000",
        "tests x1000",
        "pairs",
        "tests",
        "swaps",
        "frames",
        "switches",
    ];
    let mut table = Table::with_words("figure and method", columns);
    for Series { figure, points } in series {
        for point in points {
            for entry in &point.entries {
                let ratios = [entry.total, entry.updating, entry.sorting, entry.testing];
                let work = [
                    entry.began,
                    entry.tests,
                    entry.swaps,
                    entry.frames,
                    entry.switches,
                ];
                let row = [point.value, point.impacts]
                    .into_iter()
                    .chain(ratios.map(|ratio| ratio * 1e3))
                    .chain(work);
                let word = format!("{} {}", figure.name(), entry.method.name());
                table.push_with(&word, row.collect());
            }
        }
    }
    table
}

impl Series {
    fn curve(&self, method: Method, of: Stage) -> Vec<(f64, f64)> {
        let points = self.points.iter();
        points
            .filter_map(|point| Some((point.value, of(point.entry(method)?))))
            .filter(|(_, ratio)| *ratio > 0.0)
            .collect()
    }

    /// The whole time of all methods.
    fn whole(&self, title: &str) -> Result<String, String> {
        let curves = Method::ALL.map(|method| {
            let curve = self.curve(method, |entry| entry.total);
            (method.describe().to_owned(), curve)
        });
        self.plot(title, curves.to_vec())
    }

    /// The stages of two methods.
    fn staged(&self, title: &str) -> Result<String, String> {
        let stages: [(&str, Stage); 3] = [
            ("updating", |entry| entry.updating),
            ("sorting", |entry| entry.sorting),
            ("testing", |entry| entry.testing),
        ];
        let mut curves = Vec::new();
        for method in [Method::Swept, Method::Kinetic] {
            for (name, stage) in stages {
                let name = format!("{}: {name}", method.describe());
                curves.push((name, self.curve(method, stage)));
            }
        }
        self.plot(title, curves)
    }

    fn plot(&self, title: &str, curves: Vec<(String, Vec<(f64, f64)>)>) -> Result<String, String> {
        let plot = Plot {
            title,
            x: self.figure.axis(),
            y: "time spent for time simulated",
            scale: Scale::Logarithmic,
            curves,
        };
        plot.to_svg()
    }
}
