//! A world that is warm allocates nothing, and neither does a mesh that deforms.
#![allow(missing_docs)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use allocation_counter::measure;
use impinge::world::Compute;
use impinge::{Articulation, Polytope, Pose, Shape, Vec3};
use impinge::{BodyId, World, WorldOptions};
use impinge_scenes::hand::{bent, hand};
use impinge_scenes::multi_body::{MultiBody, MultiBodyOptions};

/// Bodies that tumble in a cube, in a world of their own.
struct Tumble {
    scene: MultiBody,
    world: World,
    bodies: Vec<BodyId>,
    /// Memory for poses of all bodies.
    next: Vec<Pose>,
}

impl Tumble {
    fn new(compute: Compute) -> Tumble {
        let scene = MultiBody::new(&MultiBodyOptions {
            bodies: 400,
            density_percent: 8.0,
            ..MultiBodyOptions::default()
        })
        .unwrap();
        let mut world = World::new(WorldOptions {
            compute,
            margin: 0.05,
            ..WorldOptions::default()
        })
        .unwrap();
        let bodies = (0..scene.len())
            .map(|i| {
                let shape = Shape::Polytope(scene.polytope(i).clone());
                world.insert(shape, scene.pose(i)).unwrap()
            })
            .collect();
        Tumble {
            scene,
            world,
            bodies,
            next: Vec::new(),
        }
    }

    /// The poses of so many frames.
    fn motion(&mut self, frames: usize) -> Vec<Vec<Pose>> {
        (0..frames)
            .map(|_| {
                self.scene.step();
                (0..self.scene.len()).map(|i| self.scene.pose(i)).collect()
            })
            .collect()
    }

    /// Moves bodies one by one and, in every other frame, all at once.
    fn run(&mut self, frames: &[Vec<Pose>]) -> usize {
        let mut contacts = 0;
        for (number, poses) in frames.iter().enumerate() {
            if number % 2 == 0 {
                for (body, pose) in self.bodies.iter().zip(poses) {
                    self.world.set_pose(*body, *pose).unwrap();
                }
            } else {
                self.next.clone_from(poses);
                self.world.swap_poses(&mut self.next).unwrap();
            }
            self.world.update();
            contacts += self.world.contacts().len();
        }
        contacts
    }
}

#[test]
fn a_warm_world_allocates_nothing() {
    for compute in [Compute::Intersects, Compute::Distances, Compute::Contacts] {
        let mut tumble = Tumble::new(compute);
        let motion = tumble.motion(60);
        // Back and forth, so that later frames are no more crowded than those that warmed it.
        let back: Vec<Vec<Pose>> = motion.iter().rev().cloned().collect();
        for _ in 0..4 {
            tumble.run(&motion);
            tumble.run(&back);
        }
        let mut contacts = 0;
        let counted = measure(|| contacts = tumble.run(&motion));
        assert!(contacts > 1000);
        assert_eq!(counted.count_total, 0, "{compute:?}: {counted:?}");
    }
}

#[test]
fn a_warm_hand_allocates_nothing() {
    let mut alone = Articulation::new(hand().unwrap()).unwrap();
    let mut world = World::default();
    let id = world
        .insert_articulated(alone.linkage().clone(), Pose::IDENTITY)
        .unwrap();
    let frames: Vec<Vec<f64>> = (0..=60).map(|k| bent(f64::from(k) / 60.0)).collect();
    let mut run = || {
        let mut contacts = 0;
        for positions in frames.iter().chain(frames.iter().rev()) {
            alone.set_joints(positions).unwrap();
            contacts += alone.self_contacts().len();
            world.set_joints(id, positions).unwrap();
            world.update();
            contacts += world.contacts().len();
        }
        contacts
    };
    run();
    run();
    let mut contacts = 0;
    let counted = measure(|| contacts = run());
    assert!(contacts > 0);
    assert_eq!(counted.count_total, 0, "{counted:?}");
}

#[test]
fn a_mesh_is_fitted_to_moved_vertices_in_place() {
    let mut mesh = Polytope::cuboid(Vec3::ONE).unwrap().to_mesh();
    let stretched: Vec<Vec3> = mesh.vertices().iter().map(|v| *v * 2.0).collect();
    let counts = measure(|| mesh.set_vertices(&stretched).unwrap());
    assert_eq!(counts.count_total, 0);
    assert_eq!(mesh.bounds().max(), Vec3::splat(2.0));
}
