//! Cost against the number of vertices: two polytopes that roll past each other.
//!
//! Both are hulls of points on the unit sphere. One orbits the other at a small gap while both tumble. With a cache kept
//! from frame to frame the cost should hardly depend on the number of vertices as long as a frame moves less than the size
//! of a feature; at a fixed turn a frame, and without a cache, it may grow with the square root.

use super::Outcome;
use super::plot::Plot;
use super::table::Table;
use clap::Args;
use impinge::narrow::lin_canny::{self, DirectionTable, FeatureCache, Start};
use impinge::narrow::{PairCache, distance_polytopes, gjk, intersects_polytopes};
use impinge::{Polytope, Pose, Quat, Vec3};
use impinge_scenes::points::on_sphere;
use std::hint::black_box;
use std::time::Instant;

/// Cost of a query against the number of vertices, coherent and cold
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Frames of each measurement
    #[arg(long, default_value_t = 2000)]
    frames: usize,
    /// Repetitions, of which the fastest counts
    #[arg(long, default_value_t = 3)]
    repeat: usize,
    /// Numbers of vertices, separated by commas
    #[arg(long, value_delimiter = ',', default_values_t = [20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000])]
    vertices: Vec<usize>,
}

/// How far a frame turns the bodies.
#[derive(Clone, Copy)]
enum Turn {
    /// A tenth of the angle between neighbouring vertices.
    BelowFeatures,
    /// In degrees.
    Fixed(f64),
}

impl Turn {
    fn radians(self, vertices: usize) -> f64 {
        match self {
            // Each vertex has this share of the sphere.
            Turn::BelowFeatures => 0.1 * (4.0 * std::f64::consts::PI / vertices as f64).sqrt(),
            Turn::Fixed(degrees) => degrees.to_radians(),
        }
    }
}

/// Asks about a frame, and may remember what it found.
type Query = Box<dyn FnMut(&Frame<'_>)>;

/// A column: its name, how the bodies move, and the query.
struct Column {
    name: &'static str,
    turn: Turn,
    query: fn() -> Query,
}

/// Two polytopes, and where walks between them may begin.
struct Bodies {
    polytopes: [Polytope; 2],
    tables: [DirectionTable; 2],
}

/// The two bodies in one frame.
struct Frame<'a> {
    polytopes: [&'a Polytope; 2],
    tables: &'a [DirectionTable; 2],
    poses: [Pose; 2],
}

const COLUMNS: [Column; 10] = [
    Column {
        name: "intersects, below features",
        turn: Turn::BelowFeatures,
        query: intersects,
    },
    Column {
        name: "distance, below features",
        turn: Turn::BelowFeatures,
        query: distance,
    },
    Column {
        name: "lin-canny, below features",
        turn: Turn::BelowFeatures,
        query: tracked,
    },
    Column {
        name: "intersects, 1 degree",
        turn: Turn::Fixed(1.0),
        query: intersects,
    },
    Column {
        name: "distance, 1 degree",
        turn: Turn::Fixed(1.0),
        query: distance,
    },
    Column {
        name: "lin-canny, 1 degree",
        turn: Turn::Fixed(1.0),
        query: tracked,
    },
    Column {
        name: "intersects, cold",
        turn: Turn::Fixed(10.0),
        query: cold_intersects,
    },
    Column {
        name: "distance, cold",
        turn: Turn::Fixed(10.0),
        query: cold_distance,
    },
    Column {
        name: "lin-canny, cold from table",
        turn: Turn::Fixed(10.0),
        query: cold_tracked,
    },
    Column {
        name: "gjk, cold",
        turn: Turn::Fixed(10.0),
        query: cold_gjk,
    },
];

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, String> {
    if arguments.frames == 0 || arguments.repeat == 0 || arguments.vertices.is_empty() {
        return Err("frames, repetitions and numbers of vertices must not be 0".to_owned());
    }
    let mut names = vec!["vertices"];
    names.extend(COLUMNS.iter().map(|column| column.name));
    let mut table = Table::new(names);
    for &vertices in &arguments.vertices {
        let bodies =
            Bodies::new(vertices).map_err(|error| format!("{vertices} vertices: {error}"))?;
        let mut row = vec![vertices as f64];
        for column in &COLUMNS {
            row.push(measure(&bodies, column, arguments)?);
        }
        table.push(row);
    }
    let plots = vec![
        (
            "below-features",
            plot(&table, "Coherent, motion below the feature size", 1..4)?,
        ),
        (
            "one-degree",
            plot(&table, "Coherent, 1 degree a frame", 4..7)?,
        ),
        ("cold", plot(&table, "Without a cache", 7..11)?),
    ];
    Ok(Outcome {
        name: "vertices",
        plots,
        remarks: remarks(&table),
        table,
    })
}

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

/// Cells along each side of a lookup table.
const TABLE_CELLS: usize = 16;

/// Nanoseconds a query: the fastest repetition over all frames.
fn measure(bodies: &Bodies, column: &Column, arguments: &Arguments) -> Result<f64, String> {
    let turn = column.turn.radians(bodies.polytopes[0].vertices().len());
    let frames = (0..arguments.frames)
        .map(|number| Frame::new(bodies, number, turn))
        .collect::<Result<Vec<_>, impinge::Error>>()
        .map_err(|error| error.to_string())?;
    let mut fastest = f64::INFINITY;
    for _ in 0..arguments.repeat {
        let mut query = (column.query)();
        let start = Instant::now();
        for frame in &frames {
            query(frame);
        }
        fastest = fastest.min(start.elapsed().as_secs_f64() * 1e9);
    }
    Ok(fastest / arguments.frames as f64)
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
            polytopes: bodies.polytopes.each_ref(),
            tables: &bodies.tables,
            poses: [
                Pose::from_quat(tumble(Vec3::new(1.0, 2.0, 3.0)), Vec3::ZERO)?,
                Pose::from_quat(tumble(Vec3::new(-2.0, 1.0, 1.0)), place)?,
            ],
        })
    }
}

fn intersects() -> Query {
    let mut cache = PairCache::default();
    Box::new(move |f| {
        let [a, b] = f.polytopes;
        black_box(intersects_polytopes(
            a,
            &f.poses[0],
            b,
            &f.poses[1],
            &mut cache,
        ));
    })
}

fn distance() -> Query {
    let mut cache = PairCache::default();
    Box::new(move |f| {
        let [a, b] = f.polytopes;
        black_box(distance_polytopes(
            a,
            &f.poses[0],
            b,
            &f.poses[1],
            &mut cache,
        ));
    })
}

fn tracked() -> Query {
    let mut cache = FeatureCache::default();
    Box::new(move |f| {
        let [a, b] = f.polytopes;
        let [at_a, at_b] = &f.poses;
        black_box(lin_canny::closest(
            a,
            at_a,
            b,
            at_b,
            Start::Previous,
            &mut cache,
        ));
    })
}

fn cold_tracked() -> Query {
    let mut cache = FeatureCache::default();
    Box::new(move |f| {
        let [a, b] = f.polytopes;
        let [at_a, at_b] = &f.poses;
        let start = Start::Table([&f.tables[0], &f.tables[1]]);
        black_box(lin_canny::closest(a, at_a, b, at_b, start, &mut cache));
    })
}

fn cold_intersects() -> Query {
    Box::new(|f| {
        let [a, b] = f.polytopes;
        let mut cache = PairCache::default();
        black_box(intersects_polytopes(
            a,
            &f.poses[0],
            b,
            &f.poses[1],
            &mut cache,
        ));
    })
}

fn cold_distance() -> Query {
    Box::new(|f| {
        let [a, b] = f.polytopes;
        let mut cache = PairCache::default();
        black_box(distance_polytopes(
            a,
            &f.poses[0],
            b,
            &f.poses[1],
            &mut cache,
        ));
    })
}

fn cold_gjk() -> Query {
    Box::new(|f| {
        let [a, b] = f.polytopes;
        let mut cache = gjk::GjkCache::default();
        black_box(gjk::distance(a, &f.poses[0], b, &f.poses[1], &mut cache));
    })
}

fn plot(table: &Table, title: &str, columns: std::ops::Range<usize>) -> Result<String, String> {
    let curve = |column: usize| (table.columns()[column].clone(), table.curve(column));
    let curves = columns.map(curve).collect();
    let plot = Plot {
        title,
        x: "vertices of each polytope",
        y: "nanoseconds a query",
        curves,
    };
    plot.to_svg()
}

/// From end to end, and as a power of the number of vertices.
fn remarks(table: &Table) -> Vec<String> {
    (1..table.columns().len())
        .filter_map(|column| {
            let curve = table.curve(column);
            let (first, last) = (curve.first()?, curve.last()?);
            let power = (last.1 / first.1).ln() / (last.0 / first.0).ln();
            Some(format!(
                "{}: {:.1} times from {} to {} vertices, like n^{power:.2}",
                table.columns()[column],
                last.1 / first.1,
                first.0,
                last.0
            ))
        })
        .collect()
}
