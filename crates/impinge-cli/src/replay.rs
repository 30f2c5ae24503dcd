//! `impinge replay`: a recorded motion through any broad and narrow phase.
//!
//! The time of a frame is everything from the new poses to the finished answers. The numbers of pairs do not depend on the
//! methods; the sum of the distances is the same up to the last digits.

use crate::simulate::Boxes;
use clap::Args;
use impinge::bound::TrackedBox;
use impinge::broad::{Box32, BroadPhase, BroadPhaseKind, PairChanges};
use impinge::exact::{self, Counts};
use impinge::query::{self, Method};
use impinge::world::{Compute, WorldOptions};
use impinge::{BodyId, Error, Pair, Pose, Shape, World, body::BodyIds};
use impinge_scenes::trace::Trace;
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Run a recorded motion through any broad and narrow phase
#[derive(Debug, Clone, Args)]
pub(crate) struct Arguments {
    /// A recording, in the trace format of docs/formats.md
    file: PathBuf,
    /// The broad phase, by name
    #[arg(long, value_name = "NAME", default_value_t)]
    broad: BroadPhaseKind,
    /// The boxes of the bodies
    #[arg(long, value_enum, default_value_t = Boxes::Automatic)]
    boxes: Boxes,
    /// The narrow phase, by name: default, reference, gjk, lin-canny
    #[arg(long, value_name = "NAME", default_value_t)]
    narrow: Method,
    /// What to ask of each pair of overlapping boxes
    #[arg(long, value_enum, default_value_t = Question::Intersects)]
    query: Question,
    /// How many threads; 0 for all that the machine has
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

/// What can be asked of each pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Question {
    /// Whether they intersect
    Intersects,
    /// How far they are apart
    Distance,
    /// How far they are apart, or how deep they overlap
    Penetration,
}

/// Replays a recording and prints its summary.
pub(crate) fn run(args: &Arguments) -> io::Result<ExitCode> {
    match replay(args) {
        Ok(summary) => {
            let mut out = io::stdout().lock();
            if args.json {
                writeln!(out, "{}", serde_json::json!(summary))?;
            } else {
                write_summary(&mut out, &summary)?;
            }
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            eprintln!("impinge: {error}");
            Ok(ExitCode::FAILURE)
        }
    }
}

fn replay(args: &Arguments) -> Result<Summary, Error> {
    let trace = Trace::read(&args.file)?;
    let hulls = trace
        .shapes
        .iter()
        .map(|shape| Shape::hull(&shape.vertices));
    let hulls: Vec<Shape> = hulls.collect::<Result<_, _>>()?;
    let shapes = trace
        .shape_of
        .iter()
        .map(|shape| hulls[*shape as usize].clone());
    let shapes: Vec<Shape> = shapes.collect();
    let mut engine: Box<dyn Engine> = if args.narrow == Method::Default {
        Box::new(Whole::new(args, shapes)?)
    } else {
        Box::new(Named::new(args, shapes)?)
    };
    let mut poses = Vec::new();
    let mut frames = Vec::new();
    for placements in &trace.frames {
        poses.clear();
        for placement in placements {
            poses.push(placement.pose()?);
        }
        frames.push(engine.frame(&poses)?);
    }
    Ok(Summary::new(trace.shape_of.len(), &frames))
}

/// What a frame gave, and how long it took.
#[derive(Debug, Clone, Copy, Default)]
struct Frame {
    candidates: usize,
    intersecting: usize,
    distance_sum: f64,
    boxes: Duration,
    pairs: Duration,
    contacts: Duration,
    decisions: Counts,
}

/// A way from poses to answers.
trait Engine {
    fn frame(&mut self, poses: &[Pose]) -> Result<Frame, Error>;
}

/// The world: everything at its best.
struct Whole {
    world: World,
    bodies: Vec<BodyId>,
}

impl Whole {
    fn new(args: &Arguments, shapes: Vec<Shape>) -> Result<Whole, Error> {
        let mut world = World::new(WorldOptions {
            compute: match args.query {
                Question::Intersects => Compute::Intersects,
                Question::Distance => Compute::Distances,
                Question::Penetration => Compute::Contacts,
            },
            // The distances of all pairs of overlapping boxes are wanted.
            margin: f64::INFINITY,
            broad_phase: args.broad,
            boxes: args.boxes.into(),
            threads: args.threads,
        })?;
        let bodies = shapes.into_iter();
        let bodies = bodies.map(|shape| world.insert(shape, Pose::IDENTITY));
        Ok(Whole {
            bodies: bodies.collect::<Result<_, _>>()?,
            world,
        })
    }
}

impl Engine for Whole {
    fn frame(&mut self, poses: &[Pose]) -> Result<Frame, Error> {
        let start = Instant::now();
        for (body, pose) in self.bodies.iter().zip(poses) {
            self.world.set_pose(*body, *pose)?;
        }
        let moved = start.elapsed();
        self.world.update();
        let stats = self.world.stats();
        let distances = self
            .world
            .contacts()
            .iter()
            .filter_map(impinge::Contact::distance);
        Ok(Frame {
            candidates: stats.pairs,
            intersecting: stats.intersecting,
            distance_sum: distances.fold(0.0, |sum, distance| sum + distance),
            boxes: moved + stats.times.boxes,
            pairs: stats.times.pairs,
            contacts: stats.times.contacts + stats.times.events,
            decisions: stats.decisions,
        })
    }
}

/// A named narrow phase behind a broad phase, pair by pair and without memory.
struct Named {
    method: Method,
    query: Question,
    bodies: Vec<BodyId>,
    shapes: Vec<Shape>,
    boxes: Vec<TrackedBox>,
    moved: Vec<(BodyId, Box32)>,
    broad: Box<dyn BroadPhase>,
    changes: PairChanges,
    pairs: Vec<Pair>,
}

impl Named {
    fn new(args: &Arguments, shapes: Vec<Shape>) -> Result<Named, Error> {
        if args.query == Question::Penetration {
            return Err(Error::UnknownName {
                what: "narrow phase for penetration",
                name: args.narrow.to_string(),
                known: vec![Method::Default.name()],
            });
        }
        let mut ids = BodyIds::default();
        let bodies = shapes
            .iter()
            .map(|_| ids.insert())
            .collect::<Result<_, _>>()?;
        let boxes = shapes
            .iter()
            .map(|shape| TrackedBox::new(shape, args.boxes.into()));
        Ok(Named {
            method: args.narrow,
            query: args.query,
            boxes: boxes.collect(),
            bodies,
            shapes,
            moved: Vec::new(),
            broad: args.broad.create(),
            changes: PairChanges::default(),
            pairs: Vec::new(),
        })
    }

    fn update_boxes(&mut self, poses: &[Pose]) -> Result<(), Error> {
        self.moved.clear();
        for (k, tracked) in self.boxes.iter_mut().enumerate() {
            let bounds = tracked.at(&self.shapes[k], &poses[k]);
            self.moved.push((self.bodies[k], Box32::around(&bounds)?));
        }
        if self.broad.boxes().is_empty() {
            for (body, bounds) in &self.moved {
                self.broad.insert(*body, *bounds)?;
            }
            return Ok(());
        }
        self.broad.update_many(&self.moved)
    }

    /// Adds the answer of one pair.
    fn ask(&self, pair: Pair, poses: &[Pose], frame: &mut Frame) -> Result<(), Error> {
        let [a, b] = [pair.a(), pair.b()].map(|body| {
            let place = body.index() as usize;
            self.shapes[place].at(poses[place])
        });
        match self.query {
            Question::Intersects => {
                frame.intersecting += usize::from(query::intersects_by(self.method, a, b)?);
            }
            Question::Distance | Question::Penetration => {
                let near = query::distance_by(self.method, a, b)?;
                frame.intersecting += usize::from(near.distance == 0.0);
                frame.distance_sum += near.distance;
            }
        }
        Ok(())
    }
}

impl Engine for Named {
    fn frame(&mut self, poses: &[Pose]) -> Result<Frame, Error> {
        let start = Instant::now();
        self.update_boxes(poses)?;
        let boxed = Instant::now();
        self.broad.collect(&mut self.changes);
        self.broad.pairs(&mut self.pairs);
        let paired = Instant::now();
        let before = exact::counts();
        let mut frame = Frame {
            candidates: self.pairs.len(),
            boxes: boxed - start,
            pairs: paired - boxed,
            ..Frame::default()
        };
        for pair in &self.pairs {
            self.ask(*pair, poses, &mut frame)?;
        }
        frame.contacts = paired.elapsed();
        frame.decisions = exact::counts() - before;
        Ok(frame)
    }
}

#[derive(Serialize)]
struct Summary {
    frames: usize,
    objects: usize,
    candidates: usize,
    intersecting: usize,
    distance_sum: f64,
    ms: Milliseconds,
    counters: Counters,
}

/// Milliseconds a frame: the median and the 99th percentile of whole frames, the medians of the stages.
#[derive(Serialize)]
struct Milliseconds {
    median: f64,
    p99: f64,
    boxes: f64,
    pairs: f64,
    contacts: f64,
}

/// How pairs were decided.
#[derive(Serialize)]
struct Counters {
    filter: u64,
    expansion: u64,
    big_integer: u64,
}

impl Summary {
    fn new(objects: usize, frames: &[Frame]) -> Summary {
        let decisions = frames
            .iter()
            .fold(Counts::default(), |sum, frame| sum + frame.decisions);
        let sorted = |of: &dyn Fn(&Frame) -> Duration| {
            let mut times: Vec<f64> = frames.iter().map(|f| of(f).as_secs_f64() * 1e3).collect();
            times.sort_by(f64::total_cmp);
            times
        };
        let at = |times: &[f64], share: f64| {
            let last = times.len().saturating_sub(1);
            times
                .get((last as f64 * share).round() as usize)
                .copied()
                .unwrap_or(0.0)
        };
        let whole = sorted(&|frame| frame.boxes + frame.pairs + frame.contacts);
        Summary {
            frames: frames.len(),
            objects,
            candidates: frames.iter().map(|frame| frame.candidates).sum(),
            intersecting: frames.iter().map(|frame| frame.intersecting).sum(),
            distance_sum: frames
                .iter()
                .fold(0.0, |sum, frame| sum + frame.distance_sum),
            ms: Milliseconds {
                median: at(&whole, 0.5),
                p99: at(&whole, 0.99),
                boxes: at(&sorted(&|frame| frame.boxes), 0.5),
                pairs: at(&sorted(&|frame| frame.pairs), 0.5),
                contacts: at(&sorted(&|frame| frame.contacts), 0.5),
            },
            counters: Counters {
                filter: decisions.filter,
                expansion: decisions.expansion,
                big_integer: decisions.big,
            },
        }
    }
}

fn write_summary(out: &mut impl Write, summary: &Summary) -> io::Result<()> {
    let ms = &summary.ms;
    writeln!(out, "{} bodies, {} frames", summary.objects, summary.frames)?;
    writeln!(
        out,
        "  pairs of boxes that overlap  {:12}",
        summary.candidates
    )?;
    writeln!(
        out,
        "  pairs that intersect         {:12}",
        summary.intersecting
    )?;
    writeln!(
        out,
        "  sum of distances             {:12.6}",
        summary.distance_sum
    )?;
    writeln!(
        out,
        "  a frame                      {:12.3} ms in the median, {:.3} ms at the 99th percentile",
        ms.median, ms.p99
    )?;
    writeln!(
        out,
        "  by stage                     {:12.3} ms boxes, {:.3} ms pairs, {:.3} ms contacts",
        ms.boxes, ms.pairs, ms.contacts
    )?;
    writeln!(
        out,
        "  decisions                    {:12} in floating point, {} by expansions, {} by big integers",
        summary.counters.filter, summary.counters.expansion, summary.counters.big_integer
    )
}
