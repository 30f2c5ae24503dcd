//! The multi-body scene with a world around it: each frame moves the bodies, updates the world, and lets those that intersect
//! exchange their velocities.

use super::Arguments;
use impinge::exact::Counts;
use impinge::world::WorldOptions;
use impinge::{Error, Pose, Shape, World};
use impinge_scenes::multi_body::{MultiBody, MultiBodyOptions};
use impinge_scenes::trace::{Placement, TraceWriter};
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;
use std::time::{Duration, Instant};

/// The scene, and the world that is kept up to date with it.
pub(super) struct Simulation {
    pub(super) scene: MultiBody,
    world: World,
    /// Memory for the poses of all bodies. Bodies were inserted in the order of the scene, and none is removed.
    poses: Vec<Pose>,
    /// Where the bodies are in the frame that was last computed.
    pub(super) placements: Vec<Placement>,
    /// What the last frame gave.
    pub(super) frame_pairs: usize,
    pub(super) frame_contacts: usize,
    /// What all frames gave together.
    pub(super) pairs: u64,
    pub(super) contacts: u64,
    pub(super) time: StageTimes,
    pub(super) decisions: Counts,
}

/// How long the stages of all frames took together.
#[derive(Default)]
pub(super) struct StageTimes {
    pub(super) motion: Duration,
    pub(super) boxes: Duration,
    pub(super) pairs: Duration,
    pub(super) contacts: Duration,
}

impl Simulation {
    pub(super) fn new(args: &Arguments) -> Result<Simulation, Error> {
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
        for i in 0..scene.len() {
            world.insert(Shape::Polytope(scene.polytope(i).clone()), scene.pose(i))?;
        }
        Ok(Simulation {
            scene,
            world,
            poses: Vec::new(),
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
    pub(super) fn record(
        &self,
        path: &Path,
        frames: usize,
    ) -> io::Result<TraceWriter<BufWriter<File>>> {
        let shapes = self.scene.trace_shapes();
        let shape_of: Vec<u32> = (0..shapes.len() as u32).collect();
        TraceWriter::new(
            BufWriter::new(File::create(path)?),
            &shapes,
            &shape_of,
            frames,
        )
    }

    /// Moves the bodies by a frame and brings the world up to date.
    pub(super) fn advance(&mut self) -> Result<(), Error> {
        let start = Instant::now();
        self.scene.step();
        let bodies = 0..self.scene.len();
        self.placements = bodies.clone().map(|i| self.scene.placement(i)).collect();
        self.poses.clear();
        self.poses.extend(bodies.map(|i| self.scene.pose(i)));
        let stepped = Instant::now();
        self.world.swap_poses(&mut self.poses)?;
        let moved = Instant::now();
        self.world.update();
        for contact in self.world.contacts().iter().filter(|c| c.intersects()) {
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
}
