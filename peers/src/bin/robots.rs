//! Robots: self-collision over random joint positions, Impinge beside others on the same hulls and poses.
//!
//! `impinge-peers-robots [--rounds N] [--configurations N] [--package NAME=FOLDER]... [--peer PROGRAM]... ROBOT.urdf...` prints a
//! page in Markdown: for each robot and engine the configurations a second and the wrong answers. An SRDF file beside a robot
//! tells which links may meet. Poses are given; a configuration is telling an engine where all parts are and hearing which
//! pairs of those looked at touch. Impinge takes all configurations at once, or one after the other. In every round engines
//! take turns; the fastest round counts, because the others were disturbed. The truth is decided by exact arithmetic on the
//! placed vertices, pair by pair.
//!
//! A program is given the name of a file: `u32` parts; for each the `u32` numbers of vertices and triangles, the vertices as
//! `f64`, the triangles as `u32`; then the `u32` number of pairs and the pairs of parts; then the `u32` number of configurations,
//! and for each part of each a matrix by rows and a translation, twelve `f64`. It first says its name. For each line that it
//! reads it starts afresh, goes through all configurations and answers with a line: the seconds, and a `0` or `1` for each
//! pair of each configuration, all in one word.

use impinge::articulated::PartPair;
use impinge::articulated::urdf::{self, UrdfOptions};
use impinge::exact::hulls_intersect;
use impinge::{Aabb, Articulation, Linkage, Polytope, Pose, Vec3};
use impinge_peers::process::Process;
use impinge_scenes::configurations::Configurations;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

fn main() -> ExitCode {
    match Arguments::read().and_then(|arguments| compare_all(&arguments)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

struct Arguments {
    rounds: usize,
    configurations: usize,
    packages: Vec<(String, PathBuf)>,
    programs: Vec<PathBuf>,
    robots: Vec<PathBuf>,
}

impl Arguments {
    fn read() -> Result<Arguments, String> {
        let mut arguments = Arguments {
            rounds: 5,
            configurations: 10_000,
            packages: Vec::new(),
            programs: Vec::new(),
            robots: Vec::new(),
        };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} needs a value"));
            let count = |text: String| {
                let count = text.parse().ok().filter(|n: &usize| *n > 0);
                count.ok_or(format!("{text} is not a count"))
            };
            match word.as_str() {
                "--rounds" => arguments.rounds = count(value()?)?,
                "--configurations" => arguments.configurations = count(value()?)?,
                "--peer" => arguments.programs.push(value()?.into()),
                "--package" => {
                    let text = value()?;
                    let (name, folder) = text.split_once('=').ok_or("expected NAME=FOLDER")?;
                    arguments.packages.push((name.to_owned(), folder.into()));
                }
                _ => arguments.robots.push(word.into()),
            }
        }
        Ok(arguments)
    }
}

fn compare_all(arguments: &Arguments) -> Result<(), String> {
    println!("# Robots: self-collision\n");
    println!(
        "{} random configurations a robot; the fastest of {} rounds.\n",
        arguments.configurations, arguments.rounds
    );
    println!(
        "| robot | parts | pairs | touching | engine | configurations a second | against Impinge | wrong |"
    );
    println!("|---|---:|---:|---:|---|---:|---:|---:|");
    for robot in &arguments.robots {
        let work = Work::load(robot, arguments)?;
        let name = format!("{}-{}.robot", work.name, std::process::id());
        let file = std::env::temp_dir().join(name);
        work.write(&file).map_err(|error| error.to_string())?;
        let compared = compare(&work, &file, arguments);
        std::fs::remove_file(&file).map_err(|error| error.to_string())?;
        compared?;
    }
    Ok(())
}

/// All engines on one robot.
fn compare(work: &Work, file: &Path, arguments: &Arguments) -> Result<(), String> {
    let mut engines: Vec<Box<dyn Engine>> = Vec::new();
    for given in [Given::Poses, Given::PosesOneByOne, Given::Joints] {
        engines.push(Box::new(Impinge::new(work, given)));
    }
    for program in &arguments.programs {
        engines.push(Box::new(Program::start(program, file)?));
    }
    let mut runs: Vec<Vec<f64>> = engines.iter().map(|_| Vec::new()).collect();
    let mut wrong = vec![0; engines.len()];
    for round in 1..=arguments.rounds {
        eprintln!("{}: round {round} of {}", work.name, arguments.rounds);
        for (place, engine) in engines.iter_mut().enumerate() {
            let run = engine.run(work)?;
            runs[place].push(run.seconds);
            let differ = run.answers.iter().zip(&work.truth).filter(|(p, q)| p != q);
            wrong[place] = differ.count();
            if run.answers.len() != work.truth.len() {
                return Err(format!("{} gives too few answers", engine.name()));
            }
        }
    }
    let touching = work.truth.iter().filter(|touch| **touch).count();
    let mut own = None;
    for ((engine, runs), wrong) in engines.iter().zip(&runs).zip(wrong) {
        let fastest = runs.iter().copied().fold(f64::INFINITY, f64::min);
        let per_second = work.poses.len() as f64 / fastest;
        let own = *own.get_or_insert(per_second);
        println!(
            "| {} | {} | {} | {touching} | {} | {per_second:.0} | {:.2} | {wrong} |",
            work.name,
            work.hulls.len(),
            work.pairs.len(),
            engine.name(),
            own / per_second,
        );
    }
    Ok(())
}

/// A robot, and where its parts are.
struct Work {
    name: String,
    linkage: Arc<Linkage>,
    hulls: Vec<Polytope>,
    pairs: Vec<PartPair>,
    positions: Vec<Vec<f64>>,
    /// For each configuration the poses of all parts.
    poses: Vec<Vec<Pose>>,
    /// For each configuration and pair whether it touches.
    truth: Vec<bool>,
}

impl Work {
    fn load(path: &Path, arguments: &Arguments) -> Result<Work, String> {
        let options = UrdfOptions {
            packages: arguments.packages.clone(),
            srdf: Some(path.with_extension("srdf")).filter(|path| path.is_file()),
            ..UrdfOptions::default()
        };
        let problem = |error: impinge::Error| error.to_string();
        let builder = urdf::read(path, &options).map_err(problem)?;
        let linkage = Arc::new(builder.build().map_err(problem)?);
        let hulls = linkage.parts().iter().map(|part| {
            let hull = part.shape().as_polytope().cloned();
            hull.ok_or("only polytopes are compared".to_owned())
        });
        let hulls: Vec<Polytope> = hulls.collect::<Result<_, _>>()?;
        let ids: Vec<_> = linkage.part_ids().collect();
        let all = ids
            .iter()
            .flat_map(|a| ids.iter().map(|b| PartPair { a: *a, b: *b }));
        let pairs = all.filter(|pair| pair.a < pair.b && linkage.may_meet(pair.a, pair.b));
        let pairs: Vec<PartPair> = pairs.collect();
        let mut random = Configurations::new(1);
        let mut robot = Articulation::new(linkage.clone()).map_err(problem)?;
        let (mut positions, mut poses, mut truth) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..arguments.configurations {
            let drawn = random.draw(&linkage);
            robot.set_joints(&drawn).map_err(problem)?;
            truth.extend(decide_exactly(&hulls, robot.part_poses(), &pairs));
            positions.push(drawn);
            poses.push(robot.part_poses().to_vec());
        }
        Ok(Work {
            name: path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            linkage,
            hulls,
            pairs,
            positions,
            poses,
            truth,
        })
    }

    /// For programs in other languages.
    fn write(&self, path: &Path) -> std::io::Result<()> {
        let mut file = std::io::BufWriter::new(std::fs::File::create(path)?);
        let put =
            |file: &mut dyn Write, number: usize| file.write_all(&(number as u32).to_ne_bytes());
        put(&mut file, self.hulls.len())?;
        for hull in &self.hulls {
            put(&mut file, hull.vertices().len())?;
            put(&mut file, hull.triangles().count())?;
            for number in hull.vertices().iter().flat_map(|v| v.to_array()) {
                file.write_all(&number.to_ne_bytes())?;
            }
            for vertex in hull.triangles().flatten() {
                file.write_all(&vertex.to_ne_bytes())?;
            }
        }
        put(&mut file, self.pairs.len())?;
        for pair in &self.pairs {
            put(&mut file, pair.a.index())?;
            put(&mut file, pair.b.index())?;
        }
        put(&mut file, self.poses.len())?;
        for pose in self.poses.iter().flatten() {
            let rows = pose.matrix().transpose().to_cols_array();
            for number in rows.into_iter().chain(pose.translation().to_array()) {
                file.write_all(&number.to_ne_bytes())?;
            }
        }
        file.flush()
    }
}

/// Whether each pair touches, by exact arithmetic; the boxes of the placed vertices are exact, too.
fn decide_exactly(hulls: &[Polytope], poses: &[Pose], pairs: &[PartPair]) -> Vec<bool> {
    let placed = hulls.iter().zip(poses).map(|(hull, pose)| {
        let vertices: Vec<Vec3> = hull.vertices().iter().map(|v| pose.place(*v)).collect();
        (Aabb::of_points(vertices.iter().copied()), vertices)
    });
    let placed: Vec<_> = placed.collect();
    let decide = |pair: &PartPair| {
        let [(box_a, a), (box_b, b)] = [pair.a, pair.b].map(|part| &placed[part.index()]);
        let overlap = box_a.zip(*box_b).is_some_and(|(p, q)| p.overlaps(&q));
        overlap && hulls_intersect(a, b)
    };
    pairs.iter().map(decide).collect()
}

/// Seconds for all configurations, and for each and each pair whether it touches.
struct Run {
    seconds: f64,
    answers: Vec<bool>,
}

trait Engine {
    fn name(&self) -> &str;
    fn run(&mut self, work: &Work) -> Result<Run, String>;
}

/// What Impinge is given.
#[derive(Debug, Clone, Copy)]
enum Given {
    /// The poses of all configurations.
    Poses,
    /// The poses of one configuration after the other.
    PosesOneByOne,
    /// The joint positions of all configurations.
    Joints,
}

struct Impinge {
    /// For each two parts the place of their pair among those looked at.
    places: Vec<Vec<usize>>,
    given: Given,
}

impl Impinge {
    fn new(work: &Work, given: Given) -> Impinge {
        let count = work.hulls.len();
        let mut places = vec![vec![0; count]; count];
        for (place, pair) in work.pairs.iter().enumerate() {
            places[pair.a.index()][pair.b.index()] = place;
        }
        Impinge { places, given }
    }
}

impl Engine for Impinge {
    fn name(&self) -> &str {
        match self.given {
            Given::Poses => "impinge",
            Given::PosesOneByOne => "impinge, one by one",
            Given::Joints => "impinge, joint positions given",
        }
    }

    fn run(&mut self, work: &Work) -> Result<Run, String> {
        let problem = |error: impinge::Error| error.to_string();
        let mut robot = Articulation::new(work.linkage.clone()).map_err(problem)?;
        let mut answers = vec![false; work.truth.len()];
        let places = &self.places;
        let row = work.pairs.len();
        let mut note = |k: usize, contacts: &[PartPair]| {
            for pair in contacts {
                answers[k * row + places[pair.a.index()][pair.b.index()]] = true;
            }
        };
        let start = Instant::now();
        match self.given {
            Given::Poses => robot.self_contacts_each_placed(&work.poses, note),
            Given::Joints => robot.self_contacts_each(&work.positions, note),
            Given::PosesOneByOne => work.poses.iter().enumerate().try_for_each(|(k, poses)| {
                robot.set_part_poses(poses)?;
                note(k, robot.self_contacts());
                Ok(())
            }),
        }
        .map_err(problem)?;
        let seconds = start.elapsed().as_secs_f64();
        Ok(Run { seconds, answers })
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
    fn name(&self) -> &str {
        &self.name
    }

    fn run(&mut self, _: &Work) -> Result<Run, String> {
        self.process.send(b"run\n")?;
        let line = self.process.line()?;
        let mut words = line.split_whitespace();
        let seconds = words.next().and_then(|word| word.parse().ok());
        let seconds = seconds.ok_or_else(|| self.process.problem("it tells no time"))?;
        let answers = words.next().unwrap_or_default();
        Ok(Run {
            seconds,
            answers: answers.bytes().map(|byte| byte == b'1').collect(),
        })
    }
}
