//! Broad phases beside each other: the boxes of a recording, frame by frame, and the pairs that overlap.
//!
//! `impinge-peers-boxes [--rounds N] [--peer PROGRAM]... TRACE...` prints a page in Markdown: for each recording and engine the
//! milliseconds a frame. Boxes are given; a frame is telling an engine all new boxes and hearing all pairs, or, from
//! Impinge, what began and ended. The first frame, where structures are built, does not count. In every round engines
//! take turns; of each frame the median round counts. At its turn an engine goes through all frames twice, and the second time
//! counts: in a running program, boxes and code are where the processor finds them, and here other engines came before.
//!
//! A program is given the name of a file: `u32` bodies and frames, then for each frame and body six `f64`, the lowest and the
//! highest corner. For each line that it reads it starts afresh, goes through all frames and answers with a line: the
//! seconds of each frame and then the number of pairs of all frames together.

use impinge::body::BodyIds;
use impinge::broad::{Box32, BroadPhaseKind, PairChanges};
use impinge::{Aabb, Error};
use impinge_peers::process::Process;
use impinge_scenes::trace::Trace;
use parry3d::bounding_volume::Aabb as ParryBox;
use parry3d::math::Vector;
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// The boxes of all bodies in all frames.
struct Work {
    name: String,
    frames: Vec<Vec<Aabb>>,
}

/// What an engine came to: seconds of each frame but the first, and pairs of all frames.
struct Run {
    seconds: Vec<f64>,
    pairs: usize,
}

/// A broad phase that goes through all frames from a fresh start.
trait Engine {
    fn name(&self) -> &str;
    fn run(&mut self, work: &Work) -> Result<Run, String>;
}

fn main() -> ExitCode {
    match compare_all() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn compare_all() -> Result<(), String> {
    let (mut rounds, mut programs, mut traces) = (5, Vec::new(), Vec::new());
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--rounds" => {
                let count = words.next().and_then(|n| n.parse().ok());
                rounds = count.filter(|n| *n > 0).ok_or("--rounds needs a number")?;
            }
            "--peer" => programs.push(PathBuf::from(words.next().ok_or("--peer needs a program")?)),
            _ => traces.push(PathBuf::from(word)),
        }
    }
    println!("# Broad phases on given boxes\n");
    println!(
        "Milliseconds a frame, each frame by the median of {rounds} rounds; at its turn an engine goes through all frames \
         twice, and the second time counts. Pairs a frame.\n"
    );
    println!("| recording | engine | mean | median | slowest frame | against Impinge | pairs |");
    println!("|---|---|---:|---:|---:|---:|---:|");
    for trace in traces {
        let work = Work::load(&trace).map_err(|error| error.to_string())?;
        let file = std::env::temp_dir().join(format!("{}-{}.boxes", work.name, std::process::id()));
        work.write(&file).map_err(|error| error.to_string())?;
        let compared = compare(&work, &file, &programs, rounds);
        std::fs::remove_file(&file).map_err(|error| error.to_string())?;
        compared?;
    }
    Ok(())
}

/// All engines on one recording.
fn compare(work: &Work, file: &Path, programs: &[PathBuf], rounds: usize) -> Result<(), String> {
    let mut engines: Vec<Box<dyn Engine>> = vec![Box::new(Impinge), Box::new(Parry)];
    for program in programs {
        engines.push(Box::new(Program::start(program, file)?));
    }
    let mut runs: Vec<Vec<Run>> = engines.iter().map(|_| Vec::new()).collect();
    for round in 1..=rounds {
        eprintln!("{}: round {round} of {rounds}", work.name);
        for (engine, runs) in engines.iter_mut().zip(&mut runs) {
            engine.run(work)?;
            runs.push(engine.run(work)?);
        }
    }
    let mut own = None;
    for (engine, runs) in engines.iter().zip(&runs) {
        let mut frames = medians(runs);
        let mean = frames.iter().sum::<f64>() / frames.len() as f64;
        frames.sort_by(f64::total_cmp);
        let median = frames[frames.len() / 2];
        let own = *own.get_or_insert(mean);
        let pairs = runs[0].pairs as f64 / work.frames.len() as f64;
        println!(
            "| {} | {} | {:.4} | {:.4} | {:.4} | {:.1} | {pairs:.1} |",
            work.name,
            engine.name(),
            mean * 1e3,
            median * 1e3,
            frames[frames.len() - 1] * 1e3,
            mean / own,
        );
    }
    Ok(())
}

/// For each frame the median of the rounds.
fn medians(runs: &[Run]) -> Vec<f64> {
    let median = |frame: usize| {
        let mut rounds: Vec<f64> = runs.iter().map(|run| run.seconds[frame]).collect();
        rounds.sort_by(f64::total_cmp);
        rounds[rounds.len() / 2]
    };
    (0..runs[0].seconds.len()).map(median).collect()
}

impl Work {
    fn load(path: &Path) -> Result<Work, Error> {
        let trace = Trace::read(path)?;
        let bounds = |placement: &impinge_scenes::trace::Placement, shape: &u32| {
            let pose = placement.pose()?;
            let vertices = trace.shapes[*shape as usize].vertices.iter();
            let placed = vertices.map(|vertex| pose.place(*vertex));
            Aabb::of_points(placed).ok_or(Error::Empty { what: "shape" })
        };
        let frame = |placements: &Vec<_>| {
            let bodies = placements.iter().zip(&trace.shape_of);
            bodies.map(|(p, shape)| bounds(p, shape)).collect()
        };
        let name = path.file_stem().unwrap_or_default();
        Ok(Work {
            name: name.to_string_lossy().into_owned(),
            frames: trace
                .frames
                .iter()
                .map(frame)
                .collect::<Result<Vec<_>, _>>()?,
        })
    }

    /// For programs in other languages.
    fn write(&self, path: &Path) -> std::io::Result<()> {
        let mut file = std::io::BufWriter::new(std::fs::File::create(path)?);
        let bodies = self.frames.first().map_or(0, Vec::len);
        for number in [bodies, self.frames.len()] {
            file.write_all(&(number as u32).to_ne_bytes())?;
        }
        for bounds in self.frames.iter().flatten() {
            for number in [bounds.min().to_array(), bounds.max().to_array()].concat() {
                file.write_all(&number.to_ne_bytes())?;
            }
        }
        file.flush()
    }
}

/// Impinge's default.
struct Impinge;

impl Engine for Impinge {
    fn name(&self) -> &str {
        "impinge"
    }

    fn run(&mut self, work: &Work) -> Result<Run, String> {
        let mut names = BodyIds::default();
        let mut broad = BroadPhaseKind::default().create();
        let mut changes = PairChanges::default();
        let mut moved: Vec<Box32> = Vec::new();
        let mut run = Run {
            seconds: Vec::new(),
            pairs: 0,
        };
        let mut present = 0;
        for (number, boxes) in work.frames.iter().enumerate() {
            if number == 0 {
                for bounds in boxes {
                    let body = names.insert().map_err(|error| error.to_string())?;
                    let inserted = broad.insert(body, rounded(bounds));
                    inserted.map_err(|error| error.to_string())?;
                }
                broad.collect(&mut changes);
            } else {
                moved.clear();
                moved.extend(boxes.iter().map(rounded));
                let start = Instant::now();
                let updated = broad.update_all(&moved);
                updated.map_err(|error| error.to_string())?;
                broad.collect(&mut changes);
                run.seconds.push(start.elapsed().as_secs_f64());
            }
            present = present + changes.began.len() - changes.ended.len();
            run.pairs += present;
        }
        Ok(run)
    }
}

/// A box in the precision of Impinge's broad phases. Making it is not counted, as it is not for parry3d.
fn rounded(bounds: &Aabb) -> Box32 {
    Box32::around(bounds).expect("recorded boxes are finite")
}

/// parry3d's tree: leaves updated in place, the tree improved a little and refit, and compared with itself.
struct Parry;

impl Engine for Parry {
    fn name(&self) -> &str {
        "parry3d Bvh"
    }

    fn run(&mut self, work: &Work) -> Result<Run, String> {
        let mut space = BvhWorkspace::default();
        let mut tree = Bvh::default();
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        let mut placed: Vec<ParryBox> = Vec::new();
        let mut run = Run {
            seconds: Vec::new(),
            pairs: 0,
        };
        for (number, boxes) in work.frames.iter().enumerate() {
            placed.clear();
            placed.extend(boxes.iter().map(parry_box));
            let start = Instant::now();
            pairs.clear();
            if number == 0 {
                tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &placed);
            } else {
                for (leaf, bounds) in (0..).zip(&placed) {
                    tree.insert_or_update_partially(*bounds, leaf, 0.0);
                }
                tree.optimize_incremental(&mut space);
                tree.refit(&mut space);
            }
            tree.traverse_bvtt_single_tree::<false>(&mut space, &mut |a, b| pairs.push((a, b)));
            if number > 0 {
                run.seconds.push(start.elapsed().as_secs_f64());
            }
            run.pairs += pairs.len();
        }
        Ok(run)
    }
}

fn parry_box(bounds: &Aabb) -> ParryBox {
    let [min, max] =
        [bounds.min(), bounds.max()].map(|v| Vector::new(v.x as f32, v.y as f32, v.z as f32));
    ParryBox::new(min, max)
}

/// An engine in another language.
struct Program {
    name: String,
    process: Process,
}

impl Program {
    fn start(path: &Path, file: &Path) -> Result<Program, String> {
        let (process, name) = Process::start_named(path, file)?;
        Ok(Program { name, process })
    }
}

impl Engine for Program {
    fn name(&self) -> &str {
        &self.name
    }

    fn run(&mut self, _: &Work) -> Result<Run, String> {
        self.process.send(b"run\n")?;
        let mut numbers = self.process.line_of_numbers()?;
        let pairs = numbers
            .pop()
            .ok_or_else(|| self.process.problem("an empty answer"))?;
        Ok(Run {
            seconds: numbers,
            pairs: pairs as usize,
        })
    }
}
