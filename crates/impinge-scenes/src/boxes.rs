//! Boxes in motion: what a broad phase is given, at any size and seed.
//!
//! A [`BoxScene`] names its bodies and says, frame by frame, who comes, who goes and who moves where. Sizes and space are
//! chosen so that the number of overlapping pairs a body does not depend on the number of bodies. A box moves by about a
//! twentieth of its size a frame and rebounds from the walls of its room.

use impinge::body::BodyIds;
use impinge::broad::{Box32, BroadPhase};
use impinge::{Aabb, BodyId, Error, Vec3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fmt;
use std::str::FromStr;

/// A scene of boxes by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BoxSceneKind {
    /// Boxes of similar size all over a cube, a tenth of it filled; all move.
    Uniform,
    /// Crowds of 64 boxes, each in a room half filled, far from other crowds; all move.
    Clustered,
    /// Boxes from 0.01 to 1000 long, as many of each order of magnitude; all move.
    Sizes,
    /// Dice of one size that slide and hop on a table; the table is the first body.
    Dice,
    /// Still boxes all over a cube, of which one in a hundred moves.
    Walkthrough,
    /// As uniform, but every body is somewhere else in every frame.
    Teleport,
    /// As uniform, with one body in twenty replaced by a new one in every frame.
    Churn,
    /// Boxes with whole corners that move by whole steps: many touch exactly.
    Snapped,
}

impl BoxSceneKind {
    /// All scenes.
    pub const ALL: [BoxSceneKind; 8] = [
        BoxSceneKind::Uniform,
        BoxSceneKind::Clustered,
        BoxSceneKind::Sizes,
        BoxSceneKind::Dice,
        BoxSceneKind::Walkthrough,
        BoxSceneKind::Teleport,
        BoxSceneKind::Churn,
        BoxSceneKind::Snapped,
    ];

    /// Its name: `uniform`, `clustered`, `sizes`, `dice`, `walkthrough`, `teleport`, `churn`, `snapped`.
    pub fn name(self) -> &'static str {
        match self {
            BoxSceneKind::Uniform => "uniform",
            BoxSceneKind::Clustered => "clustered",
            BoxSceneKind::Sizes => "sizes",
            BoxSceneKind::Dice => "dice",
            BoxSceneKind::Walkthrough => "walkthrough",
            BoxSceneKind::Teleport => "teleport",
            BoxSceneKind::Churn => "churn",
            BoxSceneKind::Snapped => "snapped",
        }
    }
}

impl fmt::Display for BoxSceneKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for BoxSceneKind {
    type Err = Error;

    fn from_str(name: &str) -> Result<BoxSceneKind, Error> {
        let known = BoxSceneKind::ALL
            .into_iter()
            .find(|kind| kind.name() == name);
        known.ok_or_else(|| Error::UnknownName {
            what: "scene",
            name: name.to_owned(),
            known: BoxSceneKind::ALL.map(BoxSceneKind::name).to_vec(),
        })
    }
}

/// What happens in one frame, in this order.
#[derive(Debug, Clone, Default)]
pub struct BoxFrame {
    /// Bodies that go.
    pub removed: Vec<BodyId>,
    /// Bodies that come.
    pub inserted: Vec<(BodyId, Box32)>,
    /// Bodies that move, each once.
    pub moved: Vec<(BodyId, Box32)>,
    /// Where nobody comes or goes and all of them move, their boxes once more, by index.
    pub all: Vec<Box32>,
}

impl BoxFrame {
    /// Tells a broad phase; of all bodies by index where it has no others.
    pub fn apply(&self, broad: &mut dyn BroadPhase) -> Result<(), Error> {
        for body in &self.removed {
            broad.remove(*body)?;
        }
        for (body, bounds) in &self.inserted {
            broad.insert(*body, *bounds)?;
        }
        if !self.all.is_empty() && self.all.len() == broad.boxes().index_end() {
            broad.update_all(&self.all)
        } else {
            broad.update_many(&self.moved)
        }
    }

    fn clear(&mut self) {
        self.removed.clear();
        self.inserted.clear();
        self.moved.clear();
        self.all.clear();
    }
}

/// Bodies with boxes, and what they do next.
///
/// ```
/// # use impinge::broad::{BroadPhaseKind, PairChanges};
/// # use impinge_scenes::boxes::{BoxScene, BoxSceneKind};
/// let mut scene = BoxScene::new(BoxSceneKind::Churn, 100, 7)?;
/// let mut broad = BroadPhaseKind::Brute.create();
/// let mut changes = PairChanges::default();
/// scene.start().apply(&mut *broad)?;
/// for _ in 0..10 {
///     broad.collect(&mut changes);
///     scene.step()?.apply(&mut *broad)?;
/// }
/// assert_eq!(broad.boxes().len(), 100);
/// # Ok::<(), impinge::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct BoxScene {
    kind: BoxSceneKind,
    rng: ChaCha8Rng,
    ids: BodyIds,
    bodies: Vec<Body>,
    /// The next body to be replaced.
    turn: usize,
    frame: BoxFrame,
}

#[derive(Debug, Clone, Copy)]
struct Body {
    id: BodyId,
    center: Vec3,
    half: Vec3,
    velocity: Vec3,
    room: Room,
}

/// Where the centre of a body may be.
#[derive(Debug, Clone, Copy)]
struct Room {
    min: Vec3,
    max: Vec3,
}

impl BoxScene {
    /// A scene of so many bodies. Fails for more than can be named.
    pub fn new(kind: BoxSceneKind, bodies: usize, seed: u64) -> Result<BoxScene, Error> {
        let mut scene = BoxScene {
            kind,
            rng: ChaCha8Rng::seed_from_u64(seed),
            ids: BodyIds::default(),
            bodies: Vec::with_capacity(bodies),
            turn: 0,
            frame: BoxFrame::default(),
        };
        let space = Space::new(kind, bodies, &mut scene.rng);
        for number in 0..bodies {
            let body = scene.new_body(number, &space)?;
            scene.bodies.push(body);
        }
        let all = scene.bodies.iter();
        scene.frame.inserted = all.map(|body| (body.id, body.bounds())).collect();
        Ok(scene)
    }

    /// All bodies, coming. To be asked before the first [`step`](BoxScene::step).
    pub fn start(&self) -> &BoxFrame {
        &self.frame
    }

    /// The next frame.
    pub fn step(&mut self) -> Result<&BoxFrame, Error> {
        self.frame.clear();
        match self.kind {
            BoxSceneKind::Uniform
            | BoxSceneKind::Clustered
            | BoxSceneKind::Sizes
            | BoxSceneKind::Snapped => self.advance(0, 1),
            BoxSceneKind::Dice => self.advance(1, 1),
            BoxSceneKind::Walkthrough => self.advance(0, 100),
            BoxSceneKind::Teleport => self.teleport(),
            BoxSceneKind::Churn => {
                self.replace(self.bodies.len().div_ceil(20))?;
                self.advance(0, 1);
            }
        }
        let (frame, ids) = (&mut self.frame, self.ids.len());
        if frame.removed.is_empty() && frame.moved.len() == ids {
            // Bodies are in the order of their indices, as long as none was replaced.
            frame
                .all
                .extend(frame.moved.iter().map(|(_, bounds)| *bounds));
        }
        Ok(&self.frame)
    }

    /// How many bodies there are.
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// Moves every body from `first` on whose number `every` divides.
    fn advance(&mut self, first: usize, every: usize) {
        for body in self.bodies.iter_mut().skip(first).step_by(every) {
            body.advance();
            self.frame.moved.push((body.id, body.bounds()));
        }
    }

    fn teleport(&mut self) {
        for body in &mut self.bodies {
            body.center = body.room.any_point(&mut self.rng);
            self.frame.moved.push((body.id, body.bounds()));
        }
    }

    /// Some bodies go, in turn; as many of the same size come elsewhere.
    fn replace(&mut self, count: usize) -> Result<(), Error> {
        for _ in 0..count {
            let body = &mut self.bodies[self.turn];
            self.turn = (self.turn + 1) % self.ids.len();
            self.frame.removed.push(body.id);
            self.ids.remove(body.id)?;
            body.id = self.ids.insert()?;
            body.center = body.room.any_point(&mut self.rng);
            self.frame.inserted.push((body.id, body.bounds()));
        }
        Ok(())
    }

    fn new_body(&mut self, number: usize, space: &Space) -> Result<Body, Error> {
        let id = self.ids.insert()?;
        if self.kind == BoxSceneKind::Dice && number == 0 {
            return Ok(space.table(id));
        }
        let rng = &mut self.rng;
        let half = half_size(self.kind, rng);
        let room = space.room_of(number);
        let mut body = Body {
            id,
            center: room.any_point(rng),
            half,
            velocity: random_vector(rng, -0.1, 0.1) * half,
            room,
        };
        if self.kind == BoxSceneKind::Snapped {
            body.center = (body.center - half).round() + half;
            body.velocity = (body.velocity * 20.0).round();
        }
        if self.kind == BoxSceneKind::Dice && !number.is_multiple_of(5) {
            // It rests: on the table, touching.
            (body.center.z, body.velocity.z) = (half.z, 0.0);
        }
        Ok(body)
    }
}

impl Body {
    fn bounds(&self) -> Box32 {
        let corners = [self.center - self.half, self.center + self.half];
        let bounds = Aabb::of_points(corners).expect("two points");
        Box32::around(&bounds).expect("rooms and bodies are finite")
    }

    /// One step, rebounding from the walls. No step is longer than the room.
    fn advance(&mut self) {
        self.center += self.velocity;
        for axis in 0..3 {
            let (min, max) = (self.room.min[axis], self.room.max[axis]);
            let beyond = (self.center[axis] - max).max(0.0) + (self.center[axis] - min).min(0.0);
            if beyond != 0.0 {
                self.center[axis] -= 2.0 * beyond;
                self.velocity[axis] = -self.velocity[axis];
            }
        }
    }
}

/// Where the bodies of a scene are.
#[derive(Debug)]
struct Space {
    rooms: Vec<Room>,
}

impl Space {
    fn new(kind: BoxSceneKind, bodies: usize, rng: &mut ChaCha8Rng) -> Space {
        let cube = |volume: usize| Room {
            min: Vec3::ZERO,
            max: Vec3::splat(root(volume, 3)),
        };
        let rooms = match kind {
            BoxSceneKind::Uniform
            | BoxSceneKind::Walkthrough
            | BoxSceneKind::Teleport
            | BoxSceneKind::Churn
            | BoxSceneKind::Snapped => vec![cube(10 * bodies)],
            BoxSceneKind::Clustered => clusters(bodies.div_ceil(64), cube(100 * bodies), rng),
            // The mean volume of a box is 5.6e7.
            BoxSceneKind::Sizes => vec![cube(560_000_000 * bodies)],
            BoxSceneKind::Dice => vec![Room {
                min: Vec3::new(0.0, 0.0, 0.5),
                max: Vec3::splat(root(5 * bodies, 2)).with_z(1.0),
            }],
        };
        Space { rooms }
    }

    /// The room of the body with this number.
    fn room_of(&self, number: usize) -> Room {
        self.rooms[number % self.rooms.len()]
    }

    /// The table that dice are on.
    fn table(&self, id: BodyId) -> Body {
        let max = self.rooms[0].max.with_z(0.0);
        Body {
            id,
            center: (max - Vec3::Z) / 2.0,
            half: (max + Vec3::Z) / 2.0,
            velocity: Vec3::ZERO,
            room: self.rooms[0],
        }
    }
}

impl Room {
    fn any_point(&self, rng: &mut ChaCha8Rng) -> Vec3 {
        self.min + random_vector(rng, 0.0, 1.0) * (self.max - self.min)
    }
}

/// Rooms for 64 boxes each, anywhere in a space.
fn clusters(count: usize, space: Room, rng: &mut ChaCha8Rng) -> Vec<Room> {
    let cluster = |corner: Vec3| Room {
        min: corner,
        max: corner + Vec3::splat(5.0),
    };
    (0..count).map(|_| cluster(space.any_point(rng))).collect()
}

fn half_size(kind: BoxSceneKind, rng: &mut ChaCha8Rng) -> Vec3 {
    match kind {
        BoxSceneKind::Uniform
        | BoxSceneKind::Clustered
        | BoxSceneKind::Walkthrough
        | BoxSceneKind::Teleport
        | BoxSceneKind::Churn => random_vector(rng, 0.25, 0.75),
        BoxSceneKind::Sizes => {
            let order = [0.01, 0.1, 1.0, 10.0, 100.0][rng.random_range(0..5)];
            Vec3::splat(rng.random_range(0.5..5.0) * order)
        }
        BoxSceneKind::Dice => Vec3::splat(0.5),
        BoxSceneKind::Snapped => random_vector(rng, 0.5, 2.5).floor().max(Vec3::ONE) / 2.0,
    }
}

fn random_vector(rng: &mut ChaCha8Rng, min: f64, max: f64) -> Vec3 {
    let [x, y, z] = std::array::from_fn(|_| rng.random_range(min..=max));
    Vec3::new(x, y, z)
}

/// The smallest whole number, at least 4, whose power is not below: no rounding that depends on the platform.
fn root(number: usize, power: u32) -> f64 {
    let side = (4u64..).find(|side| side.pow(power) >= number as u64);
    side.expect("the powers grow beyond any number") as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge::broad::{BroadPhaseKind, PairChanges};

    #[test]
    fn scenes_are_what_their_names_say() {
        for kind in BoxSceneKind::ALL {
            let mut scene = BoxScene::new(kind, 500, 3).unwrap();
            let mut broad = BroadPhaseKind::Brute.create();
            let mut changes = PairChanges::default();
            scene.start().apply(&mut *broad).unwrap();
            broad.collect(&mut changes);
            let pairs_a_body = changes.began.len() as f64 / 500.0;
            assert!((0.05..6.0).contains(&pairs_a_body), "{kind} {pairs_a_body}");
            let mut changed = 0;
            for _ in 0..20 {
                scene.step().unwrap().apply(&mut *broad).unwrap();
                broad.collect(&mut changes);
                changed += changes.began.len() + changes.ended.len();
            }
            assert!(changed > 0, "{kind}");
            assert_eq!(broad.boxes().len(), 500);
            assert_eq!(kind.name().parse(), Ok(kind));
        }
    }

    #[test]
    fn pairs_a_body_do_not_depend_on_the_number_of_bodies() {
        for kind in BoxSceneKind::ALL {
            let pairs_a_body = [400, 3200].map(|bodies| {
                let scene = BoxScene::new(kind, bodies, 5).unwrap();
                let mut broad = BroadPhaseKind::Brute.create();
                let mut changes = PairChanges::default();
                scene.start().apply(&mut *broad).unwrap();
                broad.collect(&mut changes);
                changes.began.len() as f64 / bodies as f64
            });
            let [few, many] = pairs_a_body;
            assert!(
                few < 2.0 * many && many < 2.0 * few,
                "{kind} {pairs_a_body:?}"
            );
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_frames() {
        for kind in BoxSceneKind::ALL {
            let [mut one, mut other] = [(); 2].map(|()| BoxScene::new(kind, 50, 9).unwrap());
            for _ in 0..5 {
                let frame = one.step().unwrap();
                assert_eq!(frame.moved, other.step().unwrap().moved);
                // Who is told of all by index hears the same.
                for (index, bounds) in frame.all.iter().enumerate() {
                    let (body, moved) = &frame.moved[index];
                    assert_eq!((body.index() as usize, moved), (index, bounds));
                }
            }
        }
    }

    #[test]
    fn snapped_corners_stay_whole() {
        let mut scene = BoxScene::new(BoxSceneKind::Snapped, 200, 1).unwrap();
        for _ in 0..100 {
            for (_, bounds) in &scene.step().unwrap().moved {
                let corners = [bounds.min(), bounds.max()];
                assert!(corners.as_flattened().iter().all(|x| x.fract() == 0.0));
            }
        }
    }
}
