//! `impinge replay`: a recorded motion through any broad and narrow phase.
//!
//! The time of a frame is everything from the new poses to the finished answers. The numbers of pairs do not depend on the
//! methods; the sum of the distances is the same up to the last digits.

use crate::engine::{self, Choices, Frame, Question};
use crate::simulate::Boxes;
use clap::Args;
use impinge::broad::{BroadPhaseKind, Work};
use impinge::exact::Counts;
use impinge::query::Method;
use impinge::{Error, Shape};
use impinge_scenes::trace::Trace;
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

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

impl Arguments {
    fn choices(&self) -> Choices {
        Choices {
            query: self.query,
            boxes: self.boxes.into(),
            broad: self.broad,
            narrow: self.narrow,
            threads: self.threads,
        }
    }
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
    let mut engine = engine::engine(&args.choices(), shapes.collect())?;
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

/// How pairs were decided, and what was done on the way; what a method does not do stays 0.
#[derive(Serialize)]
struct Counters {
    filter: u64,
    expansion: u64,
    big_integer: u64,
    swaps: u64,
    box_tests: u64,
    nodes: u64,
    cells: u64,
    feature_steps: u64,
}

impl Summary {
    fn new(objects: usize, frames: &[Frame]) -> Summary {
        let decisions = frames
            .iter()
            .fold(Counts::default(), |sum, frame| sum + frame.decisions);
        let broad = frames.last().map_or(Work::default(), |frame| frame.broad);
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
                swaps: broad.swaps,
                box_tests: broad.box_tests,
                nodes: broad.nodes,
                cells: broad.cells,
                feature_steps: frames.iter().map(|frame| frame.feature_steps).sum(),
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
