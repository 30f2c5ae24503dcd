//! `impinge simulate`: the multi-body simulation, every contact exact.
//!
//! Without arguments this is the main job of the program. Each frame moves the bodies and brings a world up to date; pairs
//! that intersect exchange their velocities.

use clap::Args;
use impinge::bound::BoxKind;
use impinge::broad::BroadPhaseKind;
use impinge::exact::Counts;
use impinge::world::{Compute, WorldOptions};
use impinge::{BodyId, Error, Pose, Shape, World};
use impinge_scenes::multi_body::{MultiBody, MultiBodyOptions};
use impinge_scenes::trace::{Placement, TraceWriter};
use serde::Serialize;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Let polytopes tumble in a cube, every contact exact
#[derive(Debug, Clone, Args)]
pub(crate) struct Arguments {
    /// How many polytopes
    #[arg(long, default_value_t = 1000)]
    bodies: usize,
    /// Faces of each polytope, an even number of at least 4
    #[arg(long, default_value_t = 36)]
    faces: usize,
    /// Volume of the polytopes, in per cent of the volume of the cube
    #[arg(long, default_value_t = 1.0)]
    density: f64,
    /// Turn a frame, in degrees
    #[arg(long, default_value_t = 10.0)]
    degrees: f64,
    /// Way a frame, in per cent of each polytope's radius
    #[arg(long, default_value_t = 10.0)]
    speed: f64,
    /// How many frames to run
    #[arg(long, default_value_t = 200)]
    frames: usize,
    /// Where the random numbers start
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// What is computed for pairs of overlapping boxes
    #[arg(long, value_enum, default_value_t = Asked::Intersects)]
    compute: Asked,
    /// The boxes of the bodies
    #[arg(long, value_enum, default_value_t = Boxes::Automatic)]
    boxes: Boxes,
    /// The broad phase, by name
    #[arg(long, value_name = "NAME", default_value_t)]
    broad: BroadPhaseKind,
    /// How many threads; 0 for all that the machine has
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Write the motion to this file, in the trace format of docs/formats.md
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

impl Default for Arguments {
    fn default() -> Arguments {
        let scene = MultiBodyOptions::default();
        Arguments {
            bodies: scene.bodies,
            faces: scene.faces,
            density: scene.density_percent,
            degrees: scene.degrees_a_frame,
            speed: scene.percent_of_radius_a_frame,
            frames: 200,
            seed: scene.seed,
            compute: Asked::Intersects,
            boxes: Boxes::Automatic,
            broad: BroadPhaseKind::default(),
            threads: 1,
            record: None,
            json: false,
        }
    }
}

/// What a world computes, as it is named here.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Asked {
    /// Whether they intersect
    Intersects,
    /// How far they are apart
    Distances,
    /// How far apart, or how deep
    Contacts,
}

impl From<Asked> for Compute {
    fn from(asked: Asked) -> Compute {
        match asked {
            Asked::Intersects => Compute::Intersects,
            Asked::Distances => Compute::Distances,
            Asked::Contacts => Compute::Contacts,
        }
    }
}

/// Boxes, as they are named here.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub(crate) enum Boxes {
    /// Cubes that hold a body however it is turned
    Fixed,
    /// Turned boxes, boxed
    Oriented,
    /// The tightest
    Dynamic,
    /// Whichever suits the body
    Automatic,
}

impl From<Boxes> for BoxKind {
    fn from(boxes: Boxes) -> BoxKind {
        match boxes {
            Boxes::Fixed => BoxKind::Fixed,
            Boxes::Oriented => BoxKind::Oriented,
            Boxes::Dynamic => BoxKind::Dynamic,
            Boxes::Automatic => BoxKind::Automatic,
        }
    }
}

/// Runs the simulation and prints its summary.
pub(crate) fn run(args: &Arguments) -> io::Result<ExitCode> {
    let mut simulation = match Simulation::new(args) {
        Ok(simulation) => simulation,
        Err(error) => {
            eprintln!("impinge: {error}");
            return Ok(ExitCode::from(2));
        }
    };
    let mut recorder = match args
        .record
        .as_deref()
        .map(|path| simulation.record(path, args.frames))
    {
        None => None,
        Some(Ok(recorder)) => Some(recorder),
        Some(Err(error)) => return Ok(report_recording(args, &error)),
    };
    let live = !args.json && io::stderr().is_terminal();
    for frame in 1..=args.frames {
        if let Err(error) = simulation.advance() {
            eprintln!("impinge: frame {frame}: {error}");
            return Ok(ExitCode::FAILURE);
        }
        if let Some(recorder) = &mut recorder
            && let Err(error) = recorder.frame(&simulation.placements)
        {
            return Ok(report_recording(args, &error));
        }
        if live && (frame % 10 == 0 || frame == args.frames) {
            eprint!(
                "\rframe {frame} of {}: {} pairs of boxes, {} contacts   ",
                args.frames, simulation.frame_pairs, simulation.frame_contacts
            );
            // A progress line that cannot be written is no reason to stop.
            let _ = io::stderr().flush();
        }
    }
    if live {
        eprintln!();
    }
    if let Some(Err(error)) = recorder.map(TraceWriter::finish) {
        return Ok(report_recording(args, &error));
    }
    let summary = simulation.summary(args.frames);
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::json!(summary))?;
    } else {
        write_summary(&mut out, args, &summary)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A recording that cannot be written ends the run: it was asked for.
fn report_recording(args: &Arguments, error: &io::Error) -> ExitCode {
    let path = args.record.as_deref().unwrap_or(Path::new(""));
    eprintln!("{}: {error}", path.display());
    ExitCode::FAILURE
}

struct Simulation {
    scene: MultiBody,
    world: World,
    /// The bodies of the world, in the order of the scene.
    bodies: Vec<BodyId>,
    /// Where the bodies are in the frame that was last computed.
    placements: Vec<Placement>,
    frame_pairs: usize,
    frame_contacts: usize,
    pairs: u64,
    contacts: u64,
    time: StageTimes,
    decisions: Counts,
}

#[derive(Default)]
struct StageTimes {
    motion: Duration,
    boxes: Duration,
    pairs: Duration,
    contacts: Duration,
}

impl Simulation {
    fn new(args: &Arguments) -> Result<Simulation, Error> {
        let scene = MultiBody::new(&MultiBodyOptions {
            bodies: args.bodies,
            faces: args.faces,
            degrees_a_frame: args.degrees,
            percent_of_radius_a_frame: args.speed,
            density_percent: args.density,
            seed: args.seed,
        })?;
        let mut world = World::new(WorldOptions {
            compute: args.compute.into(),
            broad_phase: args.broad,
            boxes: args.boxes.into(),
            threads: args.threads,
            ..WorldOptions::default()
        })?;
        let bodies = (0..scene.len())
            .map(|i| world.insert(Shape::Polytope(scene.polytope(i).clone()), scene.pose(i)))
            .collect::<Result<_, Error>>()?;
        Ok(Simulation {
            scene,
            world,
            bodies,
            placements: Vec::new(),
            frame_pairs: 0,
            frame_contacts: 0,
            pairs: 0,
            contacts: 0,
            time: StageTimes::default(),
            decisions: Counts::default(),
        })
    }

    /// Begins a recording of so many frames.
    fn record(&self, path: &Path, frames: usize) -> io::Result<TraceWriter<BufWriter<File>>> {
        let shapes = self.scene.trace_shapes();
        let shape_of: Vec<u32> = (0..shapes.len() as u32).collect();
        TraceWriter::new(
            BufWriter::new(File::create(path)?),
            &shapes,
            &shape_of,
            frames,
        )
    }

    fn advance(&mut self) -> Result<(), Error> {
        let start = Instant::now();
        self.scene.step();
        let bodies = 0..self.scene.len();
        self.placements = bodies.clone().map(|i| self.scene.placement(i)).collect();
        let poses: Vec<Pose> = bodies.map(|i| self.scene.pose(i)).collect();
        let stepped = Instant::now();
        for (body, pose) in self.bodies.iter().zip(&poses) {
            self.world.set_pose(*body, *pose)?;
        }
        let moved = Instant::now();
        self.world.update();
        for contact in self.world.contacts().iter().filter(|c| c.intersects()) {
            // Bodies were inserted in the order of the scene, and none was removed.
            let [a, b] = [contact.pair.a(), contact.pair.b()].map(|body| body.index() as usize);
            self.scene.exchange_velocities(a, b);
        }

        let stats = self.world.stats();
        self.time.motion += stepped - start;
        self.time.boxes += moved - stepped + stats.times.boxes;
        self.time.pairs += stats.times.pairs;
        self.time.contacts += stats.times.contacts + stats.times.events;
        self.frame_pairs = stats.pairs;
        self.frame_contacts = stats.intersecting;
        self.pairs += stats.pairs as u64;
        self.contacts += stats.intersecting as u64;
        self.decisions = self.decisions + stats.decisions;
        Ok(())
    }

    fn summary(&self, frames: usize) -> Summary {
        let frames_f = frames.max(1) as f64;
        let ms = |time: Duration| time.as_secs_f64() * 1e3 / frames_f;
        let counts = self.decisions;
        let total = ms(self.time.boxes) + ms(self.time.pairs) + ms(self.time.contacts);
        Summary {
            bodies: self.scene.len(),
            frames,
            pairs_a_frame: self.pairs as f64 / frames_f,
            contacts_a_frame: self.contacts as f64 / frames_f,
            ms: StageMs {
                motion: ms(self.time.motion),
                boxes: ms(self.time.boxes),
                pairs: ms(self.time.pairs),
                contacts: ms(self.time.contacts),
                total,
            },
            frames_a_second: if total > 0.0 { 1e3 / total } else { 0.0 },
            decided: Decided {
                filter: counts.filter,
                expansion: counts.expansion,
                big_integer: counts.big,
            },
        }
    }
}

#[derive(Serialize)]
struct Summary {
    bodies: usize,
    frames: usize,
    pairs_a_frame: f64,
    contacts_a_frame: f64,
    ms: StageMs,
    frames_a_second: f64,
    decided: Decided,
}

/// Milliseconds a frame. The motion is the scene's own work and not part of the total.
#[derive(Serialize)]
struct StageMs {
    motion: f64,
    boxes: f64,
    pairs: f64,
    contacts: f64,
    total: f64,
}

/// How many exact decisions each level of arithmetic made.
#[derive(Serialize)]
struct Decided {
    filter: u64,
    expansion: u64,
    big_integer: u64,
}

fn write_summary(out: &mut impl Write, args: &Arguments, summary: &Summary) -> io::Result<()> {
    let (ms, decided) = (&summary.ms, &summary.decided);
    writeln!(
        out,
        "{} polytopes of {} faces filling {} % of a cube, {} frames",
        summary.bodies, args.faces, args.density, summary.frames
    )?;
    let row =
        |out: &mut dyn Write, what: &str, value: String| writeln!(out, "  {what:<28} {value}");
    row(
        out,
        "pairs of boxes that overlap",
        format!("{:10.1} a frame", summary.pairs_a_frame),
    )?;
    row(
        out,
        "pairs that intersect",
        format!("{:10.1} a frame, exactly", summary.contacts_a_frame),
    )?;
    row(
        out,
        "boxes from poses",
        format!("{:10.3} ms a frame", ms.boxes),
    )?;
    row(
        out,
        "pairs from boxes",
        format!("{:10.3} ms a frame", ms.pairs),
    )?;
    row(
        out,
        "contacts from pairs",
        format!("{:10.3} ms a frame", ms.contacts),
    )?;
    row(
        out,
        "together",
        format!(
            "{:10.3} ms a frame, {:.0} frames a second",
            ms.total, summary.frames_a_second
        ),
    )?;
    row(
        out,
        "decisions in floating point",
        format!(
            "{:10} with an error bound, {} by expansions, {} by big integers",
            decided.filter, decided.expansion, decided.big_integer
        ),
    )
}
