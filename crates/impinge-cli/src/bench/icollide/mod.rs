//! Graphs 1 to 6 of Cohen, Lin, Manocha and Ponamgi (I-COLLIDE, 1995, section 7), measured anew.
//!
//! The multi-body simulation runs with all parameters but one at the defaults of the source. Its motion is recorded once for
//! each point of a graph; then three arrangements go through the same frames, and must find the same pairs in each of them:
//! the source's own with fixed cubes, the same with dynamic boxes, and the default of the world. The times of a frame are
//! those of the source, in three stages: update boxes, sort lists, collision tests. The default sorts no lists; there the
//! second is whatever leads from boxes to pairs.
//!
//! The text of the source gives the range of Graph 1 and the number of points of Graph 2. The other ranges are ours.

mod measure;
mod page;
mod text;

use super::Outcome;
use super::plot::{Plot, Scale};
use super::table::Table;
use clap::Args;
use impinge_scenes::multi_body::MultiBodyOptions;
use measure::{Arrangement, Entry, Point};

/// Graphs 1 to 6 of I-COLLIDE (1995): time a frame by stage, with fixed and dynamic boxes, and the default beside them
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Frames of each measurement, after some to warm up
    #[arg(long, default_value_t = 100)]
    frames: usize,
    /// How often each graph is gone along; each stage counts by its median round
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// The most points of a graph; without it as many as the source has
    #[arg(long)]
    points: Option<usize>,
    /// How many polytopes where their number is not what changes
    #[arg(long, default_value_t = 1000)]
    bodies: usize,
}

/// What changes along a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Parameter {
    Bodies,
    Faces,
    Density,
    Turn,
}

impl Parameter {
    const ALL: [Parameter; 4] = [
        Parameter::Bodies,
        Parameter::Faces,
        Parameter::Density,
        Parameter::Turn,
    ];

    fn name(self) -> &'static str {
        match self {
            Parameter::Bodies => "bodies",
            Parameter::Faces => "faces",
            Parameter::Density => "density",
            Parameter::Turn => "turn",
        }
    }

    /// What stands at the axis.
    fn axis(self) -> &'static str {
        match self {
            Parameter::Bodies => "polytopes",
            Parameter::Faces => "faces of each polytope",
            Parameter::Density => "density, per cent of the volume",
            Parameter::Turn => "rotational velocity, degrees a frame",
        }
    }

    /// What its values count.
    fn unit(self) -> &'static str {
        match self {
            Parameter::Bodies => "polytopes",
            Parameter::Faces => "faces",
            Parameter::Density => "per cent",
            Parameter::Turn => "degrees a frame",
        }
    }

    /// All values, ascending: 100 or 20 of them.
    fn values(self) -> Vec<f64> {
        let (step, count) = match self {
            Parameter::Bodies | Parameter::Faces => {
                (20.0, if self == Parameter::Bodies { 100 } else { 20 })
            }
            Parameter::Density => (0.5, 20),
            Parameter::Turn => (2.0, 20),
        };
        (1..=count).map(|k| step * f64::from(k)).collect()
    }

    /// The defaults of the source with one changed.
    fn options(self, value: f64, bodies: usize) -> MultiBodyOptions {
        let usual = MultiBodyOptions {
            bodies,
            ..MultiBodyOptions::default()
        };
        match self {
            Parameter::Bodies => MultiBodyOptions {
                bodies: value as usize,
                ..usual
            },
            Parameter::Faces => MultiBodyOptions {
                faces: value as usize,
                ..usual
            },
            Parameter::Density => MultiBodyOptions {
                density_percent: value,
                ..usual
            },
            Parameter::Turn => MultiBodyOptions {
                degrees_a_frame: value,
                ..usual
            },
        }
    }
}

/// A time out of an entry.
type Stage = fn(&Entry) -> f64;

/// What was measured along one parameter.
struct Series {
    parameter: Parameter,
    points: Vec<Point>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, String> {
    let Arguments {
        frames,
        rounds,
        bodies,
        ..
    } = *arguments;
    if frames == 0 || rounds == 0 || bodies == 0 || arguments.points.is_some_and(|n| n < 2) {
        return Err("at least one frame, round and polytope and two points are needed".to_owned());
    }
    let series = Parameter::ALL
        .into_iter()
        .map(|parameter| measure_series(parameter, arguments))
        .collect::<Result<Vec<_>, String>>()?;
    let graphs = series
        .iter()
        .map(graphs_of)
        .collect::<Result<Vec<_>, _>>()?;
    Ok(Outcome {
        name: "icollide",
        table: table(&series),
        plots: graphs.concat(),
        remarks: series.iter().map(page::remark).collect(),
        page: Some(page::page(&series, frames, rounds)),
    })
}

/// A machine is slower for some minutes, then faster: whole rounds are measured one after the other.
fn measure_series(parameter: Parameter, arguments: &Arguments) -> Result<Series, String> {
    let values = thinned(&parameter.values(), arguments.points);
    let mut rounds: Vec<Vec<Point>> = values.iter().map(|_| Vec::new()).collect();
    for number in 1..=arguments.rounds {
        for (&value, points) in values.iter().zip(&mut rounds) {
            let options = parameter.options(value, arguments.bodies);
            let point = measure::measure(&options, value, arguments.frames);
            points.push(point.map_err(|why| format!("{} {value}: {why}", parameter.name()))?);
        }
        eprintln!(
            "{}: round {number} of {} done",
            parameter.name(),
            arguments.rounds
        );
    }
    let points = rounds.iter().map(|points| Point::median(points));
    Ok(Series {
        parameter,
        points: points.collect(),
    })
}

/// At most so many of some values, evenly, with the first and the last.
fn thinned(values: &[f64], most: Option<usize>) -> Vec<f64> {
    let count = most.unwrap_or(values.len()).min(values.len());
    let last = values.len() - 1;
    (0..count)
        .map(|k| values[(k * last).div_ceil(count - 1)])
        .collect()
}

/// A row for each point, four times and the work of each arrangement.
fn table(series: &[Series]) -> Table {
    let of_arrangement = |arrangement: Arrangement| {
        let name = arrangement.name();
        [
            "update us",
            "sort us",
            "tests us",
            "frame us",
            "pairs",
            "swaps",
            "steps",
        ]
        .map(|what| format!("{name} {what}"))
    };
    let columns = ["value".to_owned(), "intersecting".to_owned()];
    let columns = columns
        .into_iter()
        .chain(Arrangement::ALL.into_iter().flat_map(of_arrangement));
    let mut table = Table::with_words("parameter", columns);
    for Series { parameter, points } in series {
        for point in points {
            let entries = point.entries.iter().flat_map(|entry| {
                let times = [entry.boxes, entry.pairs, entry.contacts, entry.total()];
                let work = [entry.candidates, entry.swaps, entry.feature_steps];
                times.map(|time| time * 1e6).into_iter().chain(work)
            });
            let row = [point.value, point.intersecting].into_iter().chain(entries);
            table.push_with(parameter.name(), row.collect());
        }
    }
    table
}

/// The graphs along one parameter: file name endings and SVG texts.
fn graphs_of(series: &Series) -> Result<Vec<(&'static str, String)>, String> {
    Ok(match series.parameter {
        Parameter::Bodies => vec![("graph-1", series.whole("Graph 1: number of polytopes")?)],
        Parameter::Faces => vec![("graph-2", series.whole("Graph 2: complexity of polytopes")?)],
        Parameter::Density => vec![("graph-3", series.whole("Graph 3: density")?)],
        Parameter::Turn => {
            let dynamic = "Graph 5: rotational velocity, dynamic boxes";
            let fixed = "Graph 6: rotational velocity, fixed cubes";
            vec![
                ("graph-4", series.whole("Graph 4: rotational velocity")?),
                ("graph-5", series.staged(dynamic, Arrangement::Dynamic)?),
                ("graph-6", series.staged(fixed, Arrangement::Fixed)?),
            ]
        }
    })
}

impl Series {
    /// Whole frames of all arrangements.
    fn whole(&self, title: &str) -> Result<String, String> {
        let curves = Arrangement::ALL.map(|arrangement| {
            let curve = self.curve(arrangement, Entry::total);
            (arrangement.describe().to_owned(), curve)
        });
        self.plot(title, curves.to_vec())
    }

    /// The stages of one arrangement.
    fn staged(&self, title: &str, arrangement: Arrangement) -> Result<String, String> {
        let stages: [(&str, Stage); 4] = [
            ("whole frame", Entry::total),
            ("collision tests", |entry| entry.contacts),
            ("sort lists", |entry| entry.pairs),
            ("update boxes", |entry| entry.boxes),
        ];
        let curves = stages.map(|(name, stage)| (name.to_owned(), self.curve(arrangement, stage)));
        self.plot(title, curves.to_vec())
    }

    /// Milliseconds against the parameter.
    fn curve(&self, of: Arrangement, stage: Stage) -> Vec<(f64, f64)> {
        let points = self.points.iter();
        points
            .map(|point| (point.value, stage(point.entry(of)) * 1e3))
            .collect()
    }

    fn plot(&self, title: &str, curves: Vec<(String, Vec<(f64, f64)>)>) -> Result<String, String> {
        let plot = Plot {
            title,
            x: self.parameter.axis(),
            y: "milliseconds a frame",
            scale: Scale::Linear,
            curves,
        };
        plot.to_svg()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn graph_1_has_the_points_of_the_source() {
        let bodies = Parameter::Bodies.values();
        assert_eq!((bodies.len(), bodies[0], bodies[99]), (100, 20.0, 2000.0));
        assert_eq!(Parameter::Faces.values().len(), 20);
    }

    #[test]
    fn fewer_points_keep_both_ends() {
        let values = Parameter::Bodies.values();
        assert_eq!(thinned(&values, None), values);
        assert_eq!(thinned(&values, Some(2)), [20.0, 2000.0]);
        assert_eq!(thinned(&values, Some(3)), [20.0, 1020.0, 2000.0]);
    }

    #[test]
    fn only_one_parameter_differs_from_the_source() {
        let usual = MultiBodyOptions::default();
        for parameter in Parameter::ALL {
            let own = match parameter {
                Parameter::Bodies => 1000.0,
                Parameter::Faces => 36.0,
                Parameter::Density => 1.0,
                Parameter::Turn => 10.0,
            };
            assert_eq!(parameter.options(own, 1000), usual);
            assert_ne!(parameter.options(own + 2.0, 1000), usual);
        }
    }
}
