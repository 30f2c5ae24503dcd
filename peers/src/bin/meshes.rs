//! Two meshes along a path: do they intersect, how far are they apart.
//!
//! `impinge-peers-meshes --record TRIANGLES FILE` writes a recording of two knots, `--record MODEL MODEL FILE` one of two models that are
//! brought to the size of the knots.
//! `impinge-peers-meshes [--rounds N] [--peer PROGRAM]... TRACE...` prints a page in Markdown: for each recording, question and
//! engine the microseconds a query. A recording has two bodies; their shapes are taken as meshes. Trees are built before
//! the clock starts. In every round engines take turns; of each frame the median round counts. Impinge answers cold
//! and with the memory of the frame before; the others have no memory. parry3d's distance takes so long that it gets every
//! hundredth frame only.
//!
//! Answers are compared: booleans with Impinge's, which are exact, and distances with its certified intervals.
//!
//! A program is given the name of the recording. For each line that it reads, `intersects` or `distance`, it goes through all
//! frames and answers with a line: the seconds of each frame and then the answers.

use impinge::narrow::PairCache;
use impinge::{Pose, Shape, TriMesh, io, query};
use impinge_peers::process::Process;
use impinge_scenes::knots;
use impinge_scenes::trace::{Placement, Trace, TraceShape};
use parry3d::math::{Pose as ParryPose, Vector};
use parry3d::shape::TriMesh as ParryMesh;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Two meshes and their poses.
struct Work {
    name: String,
    meshes: [TriMesh; 2],
    frames: Vec<[Pose; 2]>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Question {
    Intersects,
    Distance,
}

/// What an engine came to: for each frame that it was asked about, its number, the seconds and the answer.
struct Run(Vec<(usize, f64, f64)>);

trait Engine {
    fn name(&self) -> String;
    fn run(&mut self, work: &Work, question: Question) -> Result<Run, String>;
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
            "--record" => return record(&words.collect::<Vec<_>>()),
            "--peer" => programs.push(PathBuf::from(words.next().ok_or("--peer needs a program")?)),
            _ => traces.push(PathBuf::from(word)),
        }
    }
    println!("# Two meshes along a path\n");
    println!("Microseconds a query, each frame by the median of {rounds} rounds.\n");
    println!(
        "| recording | question | engine | mean | median | slowest | against Impinge cold | wrong |"
    );
    println!("|---|---|---|---:|---:|---:|---:|---:|");
    for trace in traces {
        let work = Work::load(&trace)?;
        for question in [Question::Intersects, Question::Distance] {
            compare(&work, &trace, &programs, question, rounds)?;
        }
    }
    Ok(())
}

/// Records two knots of about as many triangles as asked for, or two models, on a path of 500 frames.
fn record(words: &[String]) -> Result<(), String> {
    let problem = |error: impinge::Error| error.to_string();
    let (meshes, path) = match words {
        [triangles, path] => {
            let triangles = triangles.parse().map_err(|_| "--record needs a number")?;
            let knots = [(2, 3), (3, 4)].map(|(p, q)| knots::torus_knot(p, q, triangles));
            (knots.map(|knot| knot.map_err(problem)), path)
        }
        [a, b, path] => ([a, b].map(|file| model(file).map_err(problem)), path),
        _ => {
            return Err(
                "--record needs a number of triangles or two models, and a file".to_owned(),
            );
        }
    };
    let mut shapes = Vec::new();
    for mesh in meshes {
        let mesh = mesh?;
        shapes.push(TraceShape {
            vertices: mesh.vertices().to_vec(),
            triangles: mesh.triangles().to_vec(),
        });
    }
    let placement = |pose: &Pose| Placement {
        rotation: pose.rotation(),
        translation: pose.translation(),
    };
    let poses = knots::approach(500).map_err(problem)?;
    let frames = poses
        .iter()
        .map(|pose| vec![placement(&Pose::IDENTITY), placement(pose)]);
    let trace = Trace {
        shapes,
        shape_of: vec![0, 1],
        frames: frames.collect(),
    };
    let file = std::fs::File::create(path).map_err(|error| format!("{path}: {error}"))?;
    let written = trace.write(std::io::BufWriter::new(file));
    written.map_err(|error| format!("{path}: {error}"))
}

/// A model about the origin, as large as a knot.
fn model(file: &str) -> Result<TriMesh, impinge::Error> {
    let mesh = io::read(Path::new(file))?.triangulate()?;
    let bounds = mesh.bounds();
    let scale = KNOT_RADIUS / (bounds.max() - bounds.center()).max_element();
    let moved = mesh
        .vertices()
        .iter()
        .map(|v| (*v - bounds.center()) * scale);
    TriMesh::new(moved.collect(), mesh.triangles().to_vec())
}

/// How far knots reach along their longest axis.
const KNOT_RADIUS: f64 = 3.5;

/// All engines on one recording and question.
fn compare(
    work: &Work,
    file: &Path,
    programs: &[PathBuf],
    question: Question,
    rounds: usize,
) -> Result<(), String> {
    let mut engines: Vec<Box<dyn Engine>> = vec![
        Box::new(Impinge::new(work, false)),
        Box::new(Impinge::new(work, true)),
    ];
    engines.push(Box::new(Parry::new(work)?));
    for program in programs {
        engines.push(Box::new(Program::start(program, file)?));
    }
    let mut runs: Vec<Vec<Run>> = engines.iter().map(|_| Vec::new()).collect();
    for round in 1..=rounds {
        eprintln!("{}, {question:?}: round {round} of {rounds}", work.name);
        for (engine, runs) in engines.iter_mut().zip(&mut runs) {
            runs.push(engine.run(work, question)?);
        }
    }
    let mut own = None;
    for (engine, runs) in engines.iter().zip(&runs) {
        let mut times = medians(runs);
        let mean = times.iter().sum::<f64>() / times.len() as f64;
        times.sort_by(f64::total_cmp);
        let own = *own.get_or_insert(mean);
        println!(
            "| {} | {question:?} | {} | {:.2} | {:.2} | {:.2} | {:.1} | {} |",
            work.name,
            engine.name(),
            mean * 1e6,
            times[times.len() / 2] * 1e6,
            times[times.len() - 1] * 1e6,
            mean / own,
            work.wrong(question, &runs[0]),
        );
    }
    Ok(())
}

/// For each frame the median of the rounds.
fn medians(runs: &[Run]) -> Vec<f64> {
    let median = |place: usize| {
        let mut rounds: Vec<f64> = runs.iter().map(|run| run.0[place].1).collect();
        rounds.sort_by(f64::total_cmp);
        rounds[rounds.len() / 2]
    };
    (0..runs[0].0.len()).map(median).collect()
}

impl Work {
    fn load(path: &Path) -> Result<Work, String> {
        let problem = |error: impinge::Error| format!("{}: {error}", path.display());
        let trace = Trace::read(path).map_err(problem)?;
        let [a, b] = &trace.shape_of[..] else {
            return Err(format!("{}: not two bodies", path.display()));
        };
        let mesh = |shape: &u32| {
            let shape = &trace.shapes[*shape as usize];
            TriMesh::new(shape.vertices.clone(), shape.triangles.clone())
        };
        let frame =
            |placements: &Vec<Placement>| Ok([placements[0].pose()?, placements[1].pose()?]);
        let frames: Result<_, impinge::Error> = trace.frames.iter().map(frame).collect();
        Ok(Work {
            name: path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            meshes: [mesh(a).map_err(problem)?, mesh(b).map_err(problem)?],
            frames: frames.map_err(problem)?,
        })
    }

    /// How many answers are wrong: booleans, or distances that are off by more than a millionth.
    fn wrong(&self, question: Question, run: &Run) -> usize {
        let [a, b] = self.meshes.clone().map(Shape::from);
        let is_wrong = |(frame, _, answer): &&(usize, f64, f64)| {
            let [p, q] = self.frames[*frame];
            let near = query::distance(a.at(p), b.at(q));
            match question {
                Question::Intersects => (*answer > 0.0) != (near.distance <= 0.0),
                Question::Distance => {
                    (answer - near.distance).abs() > 1e-6 * near.distance.max(1e-3)
                }
            }
        };
        run.0.iter().filter(is_wrong).count()
    }
}

/// Impinge, with or without memory.
struct Impinge {
    shapes: [Shape; 2],
    is_coherent: bool,
}

impl Impinge {
    fn new(work: &Work, is_coherent: bool) -> Impinge {
        Impinge {
            shapes: work.meshes.clone().map(Shape::from),
            is_coherent,
        }
    }
}

impl Engine for Impinge {
    fn name(&self) -> String {
        let memory = if self.is_coherent { "coherent" } else { "cold" };
        format!("impinge, {memory}")
    }

    fn run(&mut self, work: &Work, question: Question) -> Result<Run, String> {
        let mut cache = PairCache::default();
        let mut run = Vec::new();
        for (number, [p, q]) in work.frames.iter().enumerate() {
            let (a, b) = (self.shapes[0].at(*p), self.shapes[1].at(*q));
            if !self.is_coherent {
                cache = PairCache::default();
            }
            let start = Instant::now();
            let answer = match question {
                Question::Intersects => f64::from(query::intersects_with(a, b, &mut cache)),
                Question::Distance => query::distance_with(a, b, &mut cache).distance,
            };
            run.push((number, start.elapsed().as_secs_f64(), answer));
        }
        Ok(Run(run))
    }
}

/// parry3d's meshes.
struct Parry {
    meshes: [ParryMesh; 2],
}

impl Parry {
    fn new(work: &Work) -> Result<Parry, String> {
        let mesh = |mesh: &TriMesh| {
            let vertices = mesh
                .vertices()
                .iter()
                .map(|v| Vector::new(v.x as f32, v.y as f32, v.z as f32));
            ParryMesh::new(vertices.collect(), mesh.triangles().to_vec())
                .map_err(|error| error.to_string())
        };
        Ok(Parry {
            meshes: [mesh(&work.meshes[0])?, mesh(&work.meshes[1])?],
        })
    }
}

fn parry_pose(pose: &Pose) -> ParryPose {
    let (t, q) = (pose.translation(), pose.rotation());
    let rotation =
        parry3d::math::Rotation::from_xyzw(q.x as f32, q.y as f32, q.z as f32, q.w as f32);
    ParryPose::from_parts(Vector::new(t.x as f32, t.y as f32, t.z as f32), rotation)
}

impl Engine for Parry {
    fn name(&self) -> String {
        "parry3d".to_owned()
    }

    fn run(&mut self, work: &Work, question: Question) -> Result<Run, String> {
        let step = if question == Question::Distance {
            100
        } else {
            1
        };
        let mut run = Vec::new();
        for (number, [p, q]) in work.frames.iter().enumerate().step_by(step) {
            let (p, q) = (parry_pose(p), parry_pose(q));
            let [a, b] = &self.meshes;
            let start = Instant::now();
            let answer = match question {
                Question::Intersects => parry3d::query::intersection_test(&p, a, &q, b)
                    .map(|met| f64::from(met.intersecting)),
                Question::Distance => {
                    parry3d::query::distance(&p, a, &q, b).map(|near| f64::from(near.distance))
                }
            };
            let seconds = start.elapsed().as_secs_f64();
            run.push((number, seconds, answer.map_err(|error| error.to_string())?));
        }
        Ok(Run(run))
    }
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
    fn name(&self) -> String {
        self.name.clone()
    }

    fn run(&mut self, work: &Work, question: Question) -> Result<Run, String> {
        self.process.send(match question {
            Question::Intersects => b"intersects\n",
            Question::Distance => b"distance\n",
        })?;
        let numbers = self.process.line_of_numbers()?;
        let frames = work.frames.len();
        if numbers.len() != 2 * frames {
            let what = format!("it gave {} numbers", numbers.len());
            return Err(self.process.problem(&what));
        }
        let all = (0..frames).map(|k| (k, numbers[k], numbers[frames + k]));
        Ok(Run(all.collect()))
    }
}
