//! The world: everything at its best.

use super::{Choices, Engine, Frame, Question};
use impinge::world::{Compute, WorldOptions};
use impinge::{BodyId, Contact, Error, Pair, Pose, Shape, World};
use std::time::Instant;

/// A world with a body for each shape.
pub(super) struct Whole {
    world: World,
    bodies: Vec<BodyId>,
}

impl Whole {
    pub(super) fn new(choices: &Choices, shapes: Vec<Shape>) -> Result<Whole, Error> {
        let mut world = World::new(WorldOptions {
            compute: match choices.query {
                Question::Intersects => Compute::Intersects,
                Question::Distance => Compute::Distances,
                Question::Penetration => Compute::Contacts,
            },
            // The distances of all pairs of overlapping boxes are wanted.
            margin: f64::INFINITY,
            broad_phase: choices.broad,
            boxes: choices.boxes,
            threads: choices.threads,
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
        let distances = self.world.contacts().iter().filter_map(Contact::distance);
        Ok(Frame {
            candidates: stats.pairs,
            intersecting: stats.intersecting,
            distance_sum: distances.fold(0.0, |sum, distance| sum + distance),
            boxes: moved + stats.times.boxes,
            pairs: stats.times.pairs,
            contacts: stats.times.contacts + stats.times.events,
            decisions: stats.decisions,
            broad: stats.broad,
            feature_steps: 0,
        })
    }

    fn intersecting(&self, pairs: &mut Vec<Pair>) {
        pairs.clear();
        let contacts = self.world.contacts().iter();
        pairs.extend(contacts.filter(|c| c.intersects()).map(|c| c.pair));
    }
}
