//! `impinge simulate`: the multi-body simulation, every contact exact.
//!
//! Without arguments this is the main job of the program. Each frame moves the bodies and brings a world up to date; pairs
//! that intersect exchange their velocities.

mod continuous;
mod memory;
mod simulation;
mod summary;

use clap::Args;
use impinge::bound::BoxKind;
use impinge::broad::BroadPhaseKind;
use impinge::world::Compute;
use impinge_scenes::multi_body::MultiBodyOptions;
use memory::{Reading, Readings};
use simulation::Simulation;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use summary::Summary;

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
    /// Tell how much memory is held, twenty times along the run (Linux only)
    #[arg(long)]
    memory: bool,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    continuous: continuous::Continuous,
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
            memory: false,
            json: false,
            continuous: continuous::Continuous::default(),
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
    if args.continuous.continuous {
        return continuous::run(args);
    }
    let mut simulation = match Simulation::new(args) {
        Ok(simulation) => simulation,
        Err(error) => {
            eprintln!("impinge: {error}");
            return Ok(ExitCode::from(2));
        }
    };
    let mut readings = Readings::new(args.frames);
    if let Err(problem) = run_frames(args, &mut simulation, &mut readings) {
        eprintln!("impinge: {problem}");
        return Ok(ExitCode::FAILURE);
    }
    let readings = readings.into_vec();
    let summary = Summary::new(&simulation, args.frames, readings.clone());
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::json!(summary))?;
    } else {
        summary.write(&mut out, args)?;
        memory::write_verdict(&mut out, &readings)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// All frames, recorded and watched as the arguments say; an error says what went wrong.
fn run_frames(
    args: &Arguments,
    simulation: &mut Simulation,
    readings: &mut Readings,
) -> Result<(), String> {
    let not_recorded = |error: io::Error| {
        let path = args.record.as_deref().unwrap_or(Path::new(""));
        format!("{}: {error}", path.display())
    };
    let path = args.record.as_deref();
    let recorder = path.map(|path| simulation.record(path, args.frames));
    let mut recorder = recorder.transpose().map_err(not_recorded)?;
    let mut live = Live::new(args);
    for frame in 1..=args.frames {
        let advanced = simulation.advance();
        advanced.map_err(|error| format!("frame {frame}: {error}"))?;
        if let Some(recorder) = &mut recorder {
            let written = recorder.frame(&simulation.placements);
            written.map_err(not_recorded)?;
        }
        if args.memory {
            let reading = readings.take(frame).map_err(|error| error.to_string())?;
            live.tell_memory(reading);
        }
        live.tell(frame, simulation);
    }
    live.end();
    recorder.map_or(Ok(()), |recorder| recorder.finish().map_err(not_recorded))
}

/// What is told while the frames go by, on standard error.
struct Live {
    frames: usize,
    /// Whether there is a line that changes: on a terminal only.
    has_line: bool,
    is_silent: bool,
    last: Instant,
}

impl Live {
    /// How long the line stays as it is.
    const PAUSE: Duration = Duration::from_millis(50);

    fn new(args: &Arguments) -> Live {
        Live {
            frames: args.frames,
            has_line: !args.json && io::stderr().is_terminal(),
            is_silent: args.json,
            last: Instant::now(),
        }
    }

    fn tell(&mut self, frame: usize, simulation: &Simulation) {
        let is_due = self.last.elapsed() >= Live::PAUSE || frame == self.frames;
        if !(self.has_line && is_due) {
            return;
        }
        self.last = Instant::now();
        eprint!(
            "\rframe {frame} of {}: {} pairs near each other, {} contacts   ",
            self.frames, simulation.frame_pairs, simulation.frame_contacts
        );
        // A line that cannot be written is no reason to stop.
        let _ = io::stderr().flush();
    }

    fn tell_memory(&self, reading: Option<Reading>) {
        if let Some(reading) = reading.filter(|_| !self.is_silent) {
            // On a terminal the live line is overwritten to its end.
            let [before, after] = match self.has_line {
                true => ["\r", "                                        "],
                false => [""; 2],
            };
            let megabytes = reading.megabytes();
            eprintln!(
                "{before}frame {}: {megabytes:.1} MB resident{after}",
                reading.frame
            );
        }
    }

    fn end(&self) {
        if self.has_line {
            eprintln!();
        }
    }
}
