//! Robots: self-collision over random joint positions, Impinge beside others on the same hulls and poses.
//!
//! `impinge-peers-robots [--meshes] [--rounds N] [--configurations N] [--package NAME=FOLDER]... [--peer PROGRAM]... ROBOT.urdf...` prints a
//! page in Markdown: for each robot and engine the configurations a second and the wrong answers. An SRDF file beside a robot
//! tells which links may meet. Poses are given; a configuration is telling an engine where all parts are and hearing which
//! pairs of those looked at touch. Impinge takes all configurations at once, or one after the other; in a world its parts are told
//! the same poses one by one, or the joint positions, from which the world computes them. In every round engines take turns; the fastest round counts, because the others were disturbed. The truth is decided by exact arithmetic on the
//! placed vertices, pair by pair. With `--meshes` links are the triangles of their meshes, not hulls; the truth is then decided
//! by comparing every triangle with every other.
//!
//! A program is given the name of a file: `u32` parts; for each a `u32` that is 1 for triangles and 0 for what is convex, the `u32`
//! numbers of vertices and triangles, the vertices as
//! `f64`, the triangles as `u32`; then the `u32` number of pairs and the pairs of parts; then the `u32` number of configurations,
//! and for each part of each a matrix by rows and a translation, twelve `f64`. It first says its name. For each line that it
//! reads it starts afresh, goes through all configurations and answers with a line: the seconds, and a `0` or `1` for each
//! pair of each configuration, all in one word.

use impinge::articulated::PartPair;
use impinge::articulated::urdf::{self, MeshUse, UrdfOptions};
use impinge::exact::{hulls_intersect, triangles_intersect};
use impinge::world::Compute;
use impinge::{
    Aabb, Articulation, ArticulationId, BodyId, Linkage, Pose, Shape, Vec3, World, WorldOptions,
};
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
    /// Whether links are the triangles of their meshes.
    is_meshes: bool,
    rounds: usize,
    configurations: usize,
    packages: Vec<(String, PathBuf)>,
    programs: Vec<PathBuf>,
    robots: Vec<PathBuf>,
}

impl Arguments {
    fn read() -> Result<Arguments, String> {
        let mut arguments = Arguments {
            is_meshes: false,
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
                "--meshes" => arguments.is_meshes = true,
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
    for given in [
        Given::Poses,
        Given::PosesOneByOne,
        Given::Joints,
        Given::PosesInWorld,
        Given::JointsInWorld,
    ] {
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
            work.bodies.len(),
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
    bodies: Vec<Body>,
    pairs: Vec<PartPair>,
    positions: Vec<Vec<f64>>,
    /// For each configuration the poses of all parts.
    poses: Vec<Vec<Pose>>,
    /// For each configuration and pair whether it touches.
    truth: Vec<bool>,
}

/// A part as programs and the truth know it.
struct Body {
    /// Whether it is triangles, and not convex.
    is_mesh: bool,
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

impl Body {
    fn of(shape: &Shape) -> Result<Body, String> {
        if let Shape::Mesh(mesh) = shape {
            return Ok(Body {
                is_mesh: true,
                vertices: mesh.vertices().to_vec(),
                triangles: mesh.triangles().to_vec(),
            });
        }
        let hull = shape.as_polytope();
        let hull = hull.ok_or("only polytopes and meshes are compared")?;
        Ok(Body {
            is_mesh: false,
            vertices: hull.vertices().to_vec(),
            triangles: hull.triangles().collect(),
        })
    }

    /// The placed vertices of what it is made of: its triangles, or all of it.
    fn pieces(&self, pose: &Pose) -> Vec<(Aabb, Vec<Vec3>)> {
        let boxed = |vertices: Vec<Vec3>| {
            let placed: Vec<Vec3> = vertices.into_iter().map(|v| pose.place(v)).collect();
            Aabb::of_points(placed.iter().copied()).map(|bounds| (bounds, placed))
        };
        if self.is_mesh {
            let corners = |t: &[u32; 3]| t.map(|i| self.vertices[i as usize]).to_vec();
            let pieces = self.triangles.iter().map(corners);
            pieces.filter_map(boxed).collect()
        } else {
            boxed(self.vertices.clone()).into_iter().collect()
        }
    }
}

impl Work {
    fn load(path: &Path, arguments: &Arguments) -> Result<Work, String> {
        let options = UrdfOptions {
            packages: arguments.packages.clone(),
            srdf: Some(path.with_extension("srdf")).filter(|path| path.is_file()),
            meshes: if arguments.is_meshes {
                MeshUse::Triangles
            } else {
                MeshUse::Hull
            },
            ..UrdfOptions::default()
        };
        let problem = |error: impinge::Error| error.to_string();
        let builder = urdf::read(path, &options).map_err(problem)?;
        let linkage = Arc::new(builder.build().map_err(problem)?);
        let bodies = linkage.parts().iter().map(|part| Body::of(part.shape()));
        let bodies: Vec<Body> = bodies.collect::<Result<_, _>>()?;
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
            truth.extend(decide_exactly(&bodies, robot.part_poses(), &pairs));
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
            bodies,
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
        put(&mut file, self.bodies.len())?;
        for body in &self.bodies {
            put(&mut file, usize::from(body.is_mesh))?;
            put(&mut file, body.vertices.len())?;
            put(&mut file, body.triangles.len())?;
            for number in body.vertices.iter().flat_map(|v| v.to_array()) {
                file.write_all(&number.to_ne_bytes())?;
            }
            for vertex in body.triangles.iter().flatten() {
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
fn decide_exactly(bodies: &[Body], poses: &[Pose], pairs: &[PartPair]) -> Vec<bool> {
    let placed = bodies.iter().zip(poses).map(|(body, pose)| {
        let pieces = body.pieces(pose);
        let all = pieces.iter().map(|(bounds, _)| *bounds);
        (all.reduce(|p, q| p.merge(&q)), pieces)
    });
    let placed: Vec<_> = placed.collect();
    let decide = |pair: &PartPair| {
        let [(box_a, a), (box_b, b)] = [pair.a, pair.b].map(|part| &placed[part.index()]);
        let (Some(box_a), Some(box_b)) = (box_a, box_b) else {
            return false;
        };
        // Only pieces in the box of the other part matter.
        let near = |pieces: &'_ [(Aabb, Vec<Vec3>)], other: &Aabb| -> Vec<usize> {
            let all = 0..pieces.len();
            all.filter(|k| pieces[*k].0.overlaps(other)).collect()
        };
        let (near_a, near_b) = (near(a, box_b), near(b, box_a));
        near_a.iter().any(|i| {
            let (bounds, piece) = &a[*i];
            near_b
                .iter()
                .any(|j| bounds.overlaps(&b[*j].0) && pieces_meet(piece, &b[*j].1))
        })
    };
    pairs.iter().map(decide).collect()
}

fn pieces_meet(a: &[Vec3], b: &[Vec3]) -> bool {
    match (<[Vec3; 3]>::try_from(a), <[Vec3; 3]>::try_from(b)) {
        (Ok(a), Ok(b)) => triangles_intersect(&a, &b),
        _ => hulls_intersect(a, b),
    }
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
    /// The poses of one configuration after the other, body by body, in a world.
    PosesInWorld,
    /// The joint positions of one configuration after the other, in a world.
    JointsInWorld,
}

struct Impinge {
    /// For each two parts the place of their pair among those looked at.
    places: Vec<Vec<usize>>,
    given: Given,
}

impl Impinge {
    fn new(work: &Work, given: Given) -> Impinge {
        let count = work.bodies.len();
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
            Given::PosesInWorld => "impinge, in a world",
            Given::JointsInWorld => "impinge, joint positions given, in a world",
        }
    }

    fn run(&mut self, work: &Work) -> Result<Run, String> {
        let problem = |error: impinge::Error| error.to_string();
        let mut robot = Articulation::new(work.linkage.clone()).map_err(problem)?;
        let mut arena = Arena::new(work).map_err(problem)?;
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
            Given::PosesInWorld => work.poses.iter().enumerate().try_for_each(|(k, poses)| {
                arena.set_poses(poses)?;
                note(k, arena.touching());
                Ok(())
            }),
            Given::JointsInWorld => work.positions.iter().enumerate().try_for_each(|(k, p)| {
                arena.set_joints(p)?;
                note(k, arena.touching());
                Ok(())
            }),
        }
        .map_err(problem)?;
        let seconds = start.elapsed().as_secs_f64();
        Ok(Run { seconds, answers })
    }
}

/// A robot in a world.
struct Arena {
    world: World,
    robot: ArticulationId,
    bodies: Vec<BodyId>,
    touching: Vec<PartPair>,
}

impl Arena {
    fn new(work: &Work) -> Result<Arena, impinge::Error> {
        let mut world = World::new(WorldOptions {
            compute: Compute::Intersects,
            ..WorldOptions::default()
        })?;
        let robot = world.insert_articulated(work.linkage.clone(), Pose::IDENTITY)?;
        Ok(Arena {
            bodies: world.part_bodies(robot)?.to_vec(),
            world,
            robot,
            touching: Vec::new(),
        })
    }

    fn set_poses(&mut self, poses: &[Pose]) -> Result<(), impinge::Error> {
        let mut parts = self.bodies.iter().zip(poses);
        parts.try_for_each(|(body, pose)| self.world.set_pose(*body, *pose))
    }

    fn set_joints(&mut self, positions: &[f64]) -> Result<(), impinge::Error> {
        self.world.set_joints(self.robot, positions)
    }

    /// The parts that touch now.
    fn touching(&mut self) -> &[PartPair] {
        self.world.update();
        let world = &self.world;
        self.touching.clear();
        self.touching
            .extend(world.contacts().iter().filter_map(|contact| {
                let [a, b] = [contact.pair.a(), contact.pair.b()].map(|body| world.part_of(body));
                let (a, b) = (a?.1, b?.1);
                Some(PartPair {
                    a: a.min(b),
                    b: a.max(b),
                })
            }));
        &self.touching
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
