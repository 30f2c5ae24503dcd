//! Impinge: a world that computes whether pairs intersect, on one thread.

use super::{Engine, Run};
use impinge::world::{Compute, WorldOptions};
use impinge::{Error, Pose, Shape, World, exact::Counts};
use impinge_peers::work::Work;
use std::time::{Duration, Instant};

/// The engine.
pub struct Impinge;

impl Engine for Impinge {
    fn name(&self) -> &str {
        "impinge"
    }

    fn run(&mut self, work: &Work) -> Result<Run, String> {
        run(work).map_err(|error| error.to_string())
    }
}

fn run(work: &Work) -> Result<Run, Error> {
    let mut world = build(work)?;
    let mut run = Run::default();
    let mut decisions = Counts::default();
    let mut stages: Vec<[Duration; 3]> = Vec::new();
    for placements in &work.trace.frames {
        let poses = placements.iter().map(|placement| placement.pose());
        let mut poses: Vec<Pose> = poses.collect::<Result<_, _>>()?;
        let start = Instant::now();
        world.swap_poses(&mut poses)?;
        let moved = start.elapsed();
        world.update();
        let whole = start.elapsed();
        let stats = *world.stats();
        let broad = moved + stats.times.boxes + stats.times.pairs;
        let seconds = [broad, whole].map(|time| time.as_secs_f64());
        run.note(seconds, stats.computed, hits(&world));
        decisions = decisions + stats.decisions;
        let times = stats.times;
        stages.push([
            moved + times.boxes,
            times.pairs,
            times.contacts + times.events,
        ]);
    }
    let broad = world.stats().broad;
    let [boxes, pairs, contacts] = [0, 1, 2].map(|stage| {
        let mut times: Vec<Duration> = stages.iter().map(|frame| frame[stage]).collect();
        times.sort_unstable();
        times[times.len() / 2].as_secs_f64() * 1e9 / world.len() as f64
    });
    run.work = format!(
        "{boxes:.0} ns a body for boxes, {pairs:.0} ns for pairs, {contacts:.0} ns for contacts in a median frame; in all frames {} \
         boxes compared and {} nodes visited, {} decisions in floating point with an error bound, {} by expansions, {} by big \
         integers",
        broad.box_tests, broad.nodes, decisions.filter, decisions.expansion, decisions.big
    );
    Ok(run)
}

/// A world with all bodies, where they are in the first frame.
fn build(work: &Work) -> Result<World, Error> {
    let mut world = World::new(WorldOptions {
        compute: Compute::Intersects,
        ..WorldOptions::default()
    })?;
    let shapes = work.trace.shapes.iter();
    let shapes = shapes.map(|shape| Shape::hull(&shape.vertices));
    let shapes: Vec<Shape> = shapes.collect::<Result<_, _>>()?;
    let first = work.trace.frames.first().into_iter().flatten();
    for (placement, shape) in first.zip(&work.trace.shape_of) {
        let shape = shapes[*shape as usize].clone();
        world.insert(shape, placement.pose()?)?;
    }
    Ok(world)
}

/// The pairs that intersect. Bodies were inserted in the order of the recording, and none was removed.
fn hits(world: &World) -> Vec<[u32; 2]> {
    let contacts = world.contacts().iter().filter(|c| c.intersects());
    contacts
        .map(|c| [c.pair.a().index(), c.pair.b().index()])
        .collect()
}
