//! Cost against the number of vertices: two polytopes that roll past each other.
//!
//! Both are hulls of points on the unit sphere. One orbits the other at a small gap while both tumble. With a cache kept
//! from frame to frame the cost should hardly depend on the number of vertices as long as a frame moves less than the size
//! of a feature; at a fixed turn a frame, and without a cache, it may grow with the square root.
//!
//! Before a motion is timed, all methods answer all of its frames, in the same order and with the same caches as later. They
//! must agree whether the bodies intersect, and their certified intervals must have a point in common.

use super::Outcome;
use super::plot::{Plot, Scale};
use super::table::Table;
use clap::Args;
use impinge::narrow::gjk::{self, GjkCache};
use impinge::narrow::lin_canny::{self, DirectionTable, FeatureCache, Start};
use impinge::narrow::{PairCache, distance_polytopes, intersects_polytopes};
use impinge::{Interval, Polytope, Pose, Quat, Separation, Vec3};
use impinge_scenes::points::on_sphere;
use std::hint::black_box;
use std::time::Instant;

/// Cost of a query against the number of vertices, coherent and cold
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Frames of each measurement
    #[arg(long, default_value_t = 2000)]
    frames: usize,
    /// Repetitions; each stretch of frames counts by its fastest
    #[arg(long, default_value_t = 5)]
    repeat: usize,
    /// Numbers of vertices, separated by commas
    #[arg(long, value_delimiter = ',', default_values_t = [20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000])]
    vertices: Vec<usize>,
}

/// How the bodies move, and whether anything is remembered.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Motion {
    /// A tenth of the angle between neighbouring vertices a frame, caches kept.
    BelowFeatures,
    /// One degree a frame, caches kept.
    OneDegree,
    /// Ten degrees a frame, every query the first one.
    Cold,
}

const MOTIONS: [Motion; 3] = [Motion::BelowFeatures, Motion::OneDegree, Motion::Cold];

impl Motion {
    /// As columns and files name it.
    fn name(self) -> &'static str {
        match self {
            Motion::BelowFeatures => "below features",
            Motion::OneDegree => "1 degree",
            Motion::Cold => "cold",
        }
    }

    /// Radians a frame.
    fn turn(self, vertices: usize) -> f64 {
        match self {
            // Each vertex has this share of the sphere.
            Motion::BelowFeatures => 0.1 * (4.0 * std::f64::consts::PI / vertices as f64).sqrt(),
            Motion::OneDegree => 1f64.to_radians(),
            Motion::Cold => 10f64.to_radians(),
        }
    }

    /// How much more a query may cost at so many times the vertices.
    fn bar(self, growth: f64) -> f64 {
        match self {
            Motion::BelowFeatures => 3.0,
            Motion::OneDegree | Motion::Cold => growth.sqrt(),
        }
    }

    fn plot(self) -> (&'static str, &'static str) {
        match self {
            Motion::BelowFeatures => ("below-features", "Coherent, motion below the feature size"),
            Motion::OneDegree => ("one-degree", "Coherent, 1 degree a frame"),
            Motion::Cold => ("cold", "Without a cache"),
        }
    }
}

/// What is asked, and how.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Method {
    /// The default for "do they intersect".
    Intersects,
    /// The default for "how far are they apart".
    Distance,
    /// Closest features; cold queries begin at a table.
    LinCanny,
    Gjk,
}

const METHODS: [Method; 4] = [
    Method::Intersects,
    Method::Distance,
    Method::LinCanny,
    Method::Gjk,
];

impl Method {
    fn name(self) -> &'static str {
        match self {
            Method::Intersects => "intersects",
            Method::Distance => "distance",
            Method::LinCanny => "lin-canny",
            Method::Gjk => "gjk",
        }
    }
}

/// Every motion with every method, in the order of the columns.
fn columns() -> impl Iterator<Item = (Motion, Method)> {
    let of_motion = |motion| METHODS.into_iter().map(move |method| (motion, method));
    MOTIONS.into_iter().flat_map(of_motion)
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, String> {
    if arguments.frames == 0 || arguments.repeat == 0 || arguments.vertices.is_empty() {
        return Err("frames, repetitions and numbers of vertices must not be 0".to_owned());
    }
    let names = columns().map(|(motion, method)| format!("{}, {}", method.name(), motion.name()));
    let mut table = Table::new(std::iter::once("vertices".to_owned()).chain(names));
    for &vertices in &arguments.vertices {
        let mut row = vec![vertices as f64];
        let costs = measure(vertices, arguments);
        row.extend(costs.map_err(|error| format!("{vertices} vertices, {error}"))?);
        table.push(row);
    }
    let plots = MOTIONS
        .into_iter()
        .map(|motion| Ok((motion.plot().0, plot(&table, motion)?)))
        .collect::<Result<Vec<_>, String>>()?;
    Ok(Outcome {
        name: "vertices",
        plots,
        remarks: remarks(&table),
        page: None,
        table,
    })
}

/// Nanoseconds a query, for each column.
fn measure(vertices: usize, arguments: &Arguments) -> Result<Vec<f64>, String> {
    let bodies = Bodies::new(vertices).map_err(|error| error.to_string())?;
    let mut costs = Vec::new();
    for motion in MOTIONS {
        let turn = motion.turn(vertices);
        let frames = (0..arguments.frames)
            .map(|number| Frame::new(&bodies, number, turn))
            .collect::<Result<Vec<_>, impinge::Error>>()
            .map_err(|error| error.to_string())?;
        check(&frames, motion)?;
        costs.extend(METHODS.map(|method| time(&frames, motion, method, arguments.repeat)));
    }
    Ok(costs)
}

/// Compares the answers of all methods, frame by frame.
fn check(frames: &[Frame<'_>], motion: Motion) -> Result<(), String> {
    let mut askers = METHODS.map(|method| Asker::new(motion, method));
    for (number, frame) in frames.iter().enumerate() {
        let answers = askers.each_mut().map(|asker| asker.ask(frame));
        agree(&answers)
            .map_err(|problem| format!("frame {number} of {}: {problem}", motion.name()))?;
    }
    Ok(())
}

/// An error when two answers, in the order of the methods, cannot both be right.
fn agree(answers: &[Answer]) -> Result<(), String> {
    let named = || METHODS.into_iter().zip(answers);
    for (first, p) in named() {
        if let Some((second, q)) = named().find(|(_, q)| !p.agrees_with(q)) {
            let (first, second) = (first.name(), second.name());
            return Err(format!("{first} says {p:?}, {second} says {q:?}"));
        }
    }
    Ok(())
}

/// Frames that are timed together: many beside a reading of the clock, few beside an interruption.
const STRETCH: usize = 50;

/// Nanoseconds a query: all frames, each stretch of them in its fastest repetition.
fn time(frames: &[Frame<'_>], motion: Motion, method: Method, repeat: usize) -> f64 {
    let stretches = frames.chunks(STRETCH);
    let mut fastest = vec![f64::INFINITY; stretches.len()];
    for _ in 0..repeat {
        let mut asker = Asker::new(motion, method);
        for (stretch, fastest) in stretches.clone().zip(&mut fastest) {
            let start = Instant::now();
            for frame in stretch {
                black_box(asker.ask(frame));
            }
            *fastest = fastest.min(start.elapsed().as_secs_f64());
        }
    }
    fastest.iter().sum::<f64>() * 1e9 / frames.len() as f64
}

/// What a method says about a frame.
#[derive(Debug, Clone, Copy)]
struct Answer {
    /// Whether the bodies intersect; `None` when the method cannot tell.
    intersects: Option<bool>,
    /// The distance is in this interval.
    bounds: Interval,
}

impl Answer {
    fn of_boolean(intersects: bool) -> Answer {
        let upper = if intersects { 0.0 } else { f64::INFINITY };
        Answer {
            intersects: Some(intersects),
            bounds: Interval { lower: 0.0, upper },
        }
    }

    fn of_separation(separation: &Separation) -> Answer {
        Answer {
            intersects: Some(separation.bounds.upper <= 0.0),
            bounds: separation.bounds,
        }
    }

    fn of_bounds(bounds: Interval) -> Answer {
        let intersects = if bounds.lower > 0.0 {
            Some(false)
        } else {
            (bounds.upper <= 0.0).then_some(true)
        };
        Answer { intersects, bounds }
    }

    fn agrees_with(&self, other: &Answer) -> bool {
        let is_contradiction =
            matches!((self.intersects, other.intersects), (Some(p), Some(q)) if p != q);
        let (p, q) = (self.bounds, other.bounds);
        !is_contradiction && p.lower <= q.upper && q.lower <= p.upper
    }
}

/// A method, and what it remembers.
struct Asker {
    method: Method,
    is_cold: bool,
    cache: PairCache,
    features: FeatureCache,
    simplex: GjkCache,
}

impl Asker {
    fn new(motion: Motion, method: Method) -> Asker {
        Asker {
            method,
            is_cold: motion == Motion::Cold,
            cache: PairCache::default(),
            features: FeatureCache::default(),
            simplex: GjkCache::default(),
        }
    }

    fn ask(&mut self, frame: &Frame<'_>) -> Answer {
        let Bodies { polytopes, tables } = frame.bodies;
        let ([a, b], [at_a, at_b]) = (polytopes, &frame.poses);
        if self.is_cold {
            *self = Asker::new(Motion::Cold, self.method);
        }
        match self.method {
            Method::Intersects => {
                Answer::of_boolean(intersects_polytopes(a, at_a, b, at_b, &mut self.cache))
            }
            Method::Distance => {
                Answer::of_separation(&distance_polytopes(a, at_a, b, at_b, &mut self.cache))
            }
            Method::LinCanny => {
                let start = match self.is_cold {
                    true => Start::Table(tables.each_ref()),
                    false => Start::Previous,
                };
                let found = lin_canny::closest(a, at_a, b, at_b, start, &mut self.features);
                Answer::of_separation(&found.separation)
            }
            Method::Gjk => {
                let found = gjk::distance(a, at_a, b, at_b, &mut self.simplex);
                Answer::of_bounds(found.bounds)
            }
        }
    }
}

/// Two polytopes, and where walks between them may begin.
struct Bodies {
    polytopes: [Polytope; 2],
    tables: [DirectionTable; 2],
}

/// Cells along each side of a lookup table.
const TABLE_CELLS: usize = 16;

impl Bodies {
    /// Hulls of so many points on the unit sphere.
    fn new(vertices: usize) -> Result<Bodies, impinge::Error> {
        let polytope = |seed: u64| Polytope::from_points(&on_sphere(vertices, seed));
        let polytopes = [polytope(1)?, polytope(2)?];
        let table = |polytope: &Polytope| DirectionTable::new(polytope, TABLE_CELLS);
        Ok(Bodies {
            tables: [table(&polytopes[0])?, table(&polytopes[1])?],
            polytopes,
        })
    }
}

/// The two bodies at one time.
struct Frame<'a> {
    bodies: &'a Bodies,
    poses: [Pose; 2],
}

impl<'a> Frame<'a> {
    /// The second body orbits the first; both tumble about axes of their own. The gap swings between touching and a tenth.
    fn new(bodies: &'a Bodies, number: usize, turn: f64) -> Result<Frame<'a>, impinge::Error> {
        let angle = turn * number as f64;
        let (sin, cos) = angle.sin_cos();
        let away = 2.05 + 0.05 * (0.7 * angle).sin();
        let place = Vec3::new(cos, sin * 0.8, sin * 0.6) * away;
        let tumble = |axis: Vec3| Quat::from_axis_angle(axis.normalize(), angle);
        Ok(Frame {
            bodies,
            poses: [
                Pose::from_quat(tumble(Vec3::new(1.0, 2.0, 3.0)), Vec3::ZERO)?,
                Pose::from_quat(tumble(Vec3::new(-2.0, 1.0, 1.0)), place)?,
            ],
        })
    }
}

fn plot(table: &Table, motion: Motion) -> Result<String, String> {
    let own = (1..).zip(columns()).filter(|(_, (own, _))| *own == motion);
    let curves = own.map(|(column, _)| (table.columns()[column].clone(), table.curve(column)));
    let plot = Plot {
        title: motion.plot().1,
        x: "vertices of each polytope",
        y: "nanoseconds a query",
        scale: Scale::Logarithmic,
        curves: curves.collect(),
    };
    plot.to_svg()
}

/// For each curve the growth from end to end, beside what it may be.
fn remarks(table: &Table) -> Vec<String> {
    (1..)
        .zip(columns())
        .filter_map(|(column, (motion, _))| {
            let curve = table.curve(column);
            let (first, last) = (curve.first()?, curve.last()?);
            let (vertices, cost) = (last.0 / first.0, last.1 / first.1);
            let bar = motion.bar(vertices);
            let verdict = if cost <= bar { "within" } else { "beyond" };
            Some(format!(
                "{}: {cost:.1} times from {} to {} vertices, {verdict} the bar of {bar:.1}",
                table.columns()[column],
                first.0,
                last.0
            ))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apart(lower: f64, upper: f64) -> Answer {
        Answer::of_bounds(Interval { lower, upper })
    }

    #[test]
    fn answers_that_cannot_both_be_right_are_found() {
        let no = Answer::of_boolean(false);
        let yes = Answer::of_boolean(true);
        let near = apart(0.5, 0.75);
        assert_eq!(agree(&[no, near, near, apart(0.75, 1.0)]), Ok(()));
        assert_eq!(agree(&[yes, yes, yes, apart(0.0, 1e-9)]), Ok(()));
        let far = agree(&[no, near, near, apart(0.8, 1.0)]).unwrap_err();
        assert!(
            far.contains("distance says") && far.contains("gjk says"),
            "{far}"
        );
        let wrong = agree(&[yes, near, near, near]).unwrap_err();
        assert!(wrong.contains("intersects says"), "{wrong}");
    }

    #[test]
    fn bars_are_three_and_the_square_root() {
        let bars = MOTIONS.map(|motion| format!("{:.1}", motion.bar(1000.0)));
        assert_eq!(bars, ["3.0", "31.6", "31.6"]);
    }
}
