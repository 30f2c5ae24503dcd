//! Many bodies, kept up to date: poses go in, contacts and events come out.
//!
//! ```
//! use impinge::{Event, Pose, Shape, Vec3, World};
//!
//! let mut world = World::default();
//! let floor = world.insert(Shape::cuboid(Vec3::new(5.0, 5.0, 0.5))?, Pose::IDENTITY)?;
//! let ball = world.insert(Shape::sphere(0.5)?, Pose::from_translation(Vec3::Z * 3.0)?)?;
//! world.update();
//! assert!(world.contacts().is_empty());
//!
//! world.set_pose(ball, Pose::from_translation(Vec3::Z * 0.9)?)?;
//! world.update();
//! let contact = &world.contacts()[0];
//! assert_eq!((contact.pair.a(), contact.pair.b()), (floor, ball));
//! assert!((contact.distance().expect("contacts are measured") + 0.1).abs() < 1e-12);
//! assert_eq!(world.events(), [Event::Began(contact.pair)]);
//! # Ok::<(), impinge::Error>(())
//! ```
//!
//! [`World::update`] is the whole way, one stage after the other:
//!
//! | stage | file | from | to |
//! |---|---|---|---|
//! | 1 | `bodies`, `moves` | `insert`, `set_pose`, `swap_poses`, `remove` | poses, their balls, and which of them changed |
//! | 2 | `boxes` | changed poses | boxes |
//! | 3 | `pairs` | changed boxes | pairs of overlapping boxes, filtered |
//! | 4 | `contacts` | pairs, and what is remembered of each | [`Contact`]s |
//! | 5 | `events` | contacts now and before | [`Event`]s |
//!
//! Everything comes out sorted by pair, the same bits for any number of threads. A body that does not move costs nothing,
//! and a pair of two that do not next to nothing: its last answer stands.
//!
//! What is computed is chosen for the world ([`WorldOptions::compute`]) and can be changed for single pairs
//! ([`World::set_compute`]). Which pairs are looked at is chosen by [`Filter`]s and pair by pair ([`World::set_active`]).
//!
//! In [`continuous`] time there are motions in place of poses, and impacts in place of contacts.
//!
//! A body of many parts ([`World::insert_articulated`]) is a body a part, moved together; its linkage says which of them are
//! looked at against each other.

mod articulations;
mod bodies;
mod boxes;
mod clock;
mod contacts;
pub mod continuous;
mod events;
mod kits;
mod moves;
mod options;
mod pairs;
mod rules;
mod stats;
mod threads;

pub use contacts::{Contact, Finding};
pub use events::Event;
pub use options::{Compute, WorldOptions};
pub use stats::{StageTimes, Stats};

use crate::body::{BodyId, Pair};
use crate::broad::{BroadPhase, Filter};
use crate::error::Error;
use crate::math::{Pose, Vec3};
use crate::shape::Shape;
use articulations::Articulations;
use bodies::Bodies;
use boxes::BoxStage;
use clock::Clock;
use contacts::{ContactStage, Scene};
use pairs::{Meetings, Pairs};
use rules::Rules;
use threads::Threads;

/// Bodies, the pairs of them that are near each other, and their contacts.
#[derive(Debug)]
pub struct World {
    options: WorldOptions,
    bodies: Bodies,
    articulations: Articulations,
    rules: Rules,
    boxes: BoxStage,
    broad: Box<dyn BroadPhase>,
    pairs: Pairs,
    contacts: ContactStage,
    threads: Threads,
    events: Vec<Event>,
    stats: Stats,
}

impl Default for World {
    fn default() -> World {
        World::new(WorldOptions::default()).expect("the default options are sound")
    }
}

impl World {
    /// An empty world. Fails for a margin that is negative or not a number, and when threads cannot be started.
    pub fn new(options: WorldOptions) -> Result<World, Error> {
        options.check()?;
        Ok(World {
            bodies: Bodies::new(options.room()),
            articulations: Articulations::default(),
            rules: Rules::default(),
            boxes: BoxStage::new(&options),
            broad: options.broad_phase.create(),
            pairs: Pairs::default(),
            contacts: ContactStage::default(),
            threads: Threads::new(options.threads)?,
            events: Vec::new(),
            stats: Stats::default(),
            options,
        })
    }

    /// Adds a body. It takes part from the next [`World::update`] on. Shapes are cheap to clone: many bodies may share one.
    ///
    /// Fails for a shape so large or so far away that its coordinates leave the range of `f64`.
    pub fn insert(&mut self, shape: Shape, pose: Pose) -> Result<BodyId, Error> {
        self.bodies.insert(shape, pose, self.options.boxes)
    }

    /// Removes a body. Its contacts end with the next [`World::update`]. Fails for a part of an articulated body, which is
    /// removed as a whole by [`World::remove_articulated`].
    pub fn remove(&mut self, body: BodyId) -> Result<(), Error> {
        self.articulations.check_single(body)?;
        self.bodies.remove(body)?;
        self.rules.forget(body);
        Ok(())
    }

    /// Moves a body. Fails for a body that is not here, and for a place beyond the range of `f64`.
    #[inline]
    pub fn set_pose(&mut self, body: BodyId, pose: Pose) -> Result<(), Error> {
        self.bodies.set_pose(body, &pose)
    }

    /// Moves all bodies: each to the pose at its index. The list of poses is taken over as it is, and that of [`World::poses`] comes back
    /// in its place, to be written over. So nothing is copied, and for a world in which most bodies move this takes half of the time
    /// of [`World::set_pose`] for one after the other. The work is shared among the threads of the world.
    ///
    /// Fails, changing nothing, unless there are as many poses as in [`World::poses`], and for a place beyond the range of `f64`. At
    /// indices whose bodies are gone any pose will do.
    ///
    /// ```
    /// # use impinge::{Pose, Shape, Vec3, World};
    /// let mut world = World::default();
    /// let ball = Shape::sphere(0.5)?;
    /// for x in 0..10 {
    ///     world.insert(ball.clone(), Pose::from_translation(Vec3::X * f64::from(x) * 2.0)?)?;
    /// }
    /// let mut poses = world.poses().to_vec();
    /// for step in 1..=100 {
    ///     // They move together until each touches the next.
    ///     for (x, pose) in poses.iter_mut().enumerate() {
    ///         *pose = Pose::from_translation(Vec3::X * (x as f64 * (2.0 - 0.01 * f64::from(step))))?;
    ///     }
    ///     world.swap_poses(&mut poses)?;
    ///     world.update();
    /// }
    /// assert_eq!(world.contacts().len(), 9);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn swap_poses(&mut self, poses: &mut Vec<Pose>) -> Result<(), Error> {
        let threads = self.threads.clone();
        threads.run(|| self.bodies.swap_poses(poses, &mut self.boxes, &threads))
    }

    /// Moves the vertices of a body that is a mesh; see [`TriMesh::set_vertices`](crate::TriMesh::set_vertices). Bodies that
    /// share the mesh keep theirs.
    ///
    /// Fails for a body that is not here or is no mesh, and for vertices that are not as many as before, not finite, or
    /// so far away that coordinates leave the range of `f64`.
    pub fn deform(&mut self, body: BodyId, vertices: &[Vec3]) -> Result<(), Error> {
        self.bodies.deform(body, vertices, self.options.boxes)
    }

    /// Where a body is.
    pub fn pose(&self, body: BodyId) -> Result<&Pose, Error> {
        self.bodies.pose(body)
    }

    /// The poses of all bodies, by index; meaningless where a body is gone.
    pub fn poses(&self) -> &[Pose] {
        self.bodies.poses()
    }

    /// What a body is.
    pub fn shape(&self, body: BodyId) -> Result<&Shape, Error> {
        self.bodies.shape(body)
    }

    /// All bodies, by index.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> {
        self.bodies.iter()
    }

    /// How many bodies there are.
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// Whether there are no bodies.
    pub fn is_empty(&self) -> bool {
        self.bodies.len() == 0
    }

    /// Which others a body may meet; by default all.
    pub fn set_filter(&mut self, body: BodyId, filter: Filter) -> Result<(), Error> {
        self.bodies.set_filter(body, filter)?;
        self.rules.note_change();
        Ok(())
    }

    /// Whether a pair of bodies is looked at, if their filters allow it; by default it is.
    ///
    /// ```
    /// # use impinge::{Pose, Shape, World};
    /// let mut world = World::default();
    /// let upper_arm = world.insert(Shape::capsule(1.0, 0.25)?, Pose::IDENTITY)?;
    /// let lower_arm = world.insert(Shape::capsule(1.0, 0.25)?, Pose::IDENTITY)?;
    /// world.set_active(upper_arm, lower_arm, false)?;
    /// world.update();
    /// assert!(world.contacts().is_empty());
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn set_active(&mut self, a: BodyId, b: BodyId, is_active: bool) -> Result<(), Error> {
        let pair = self.pair(a, b)?;
        self.rules.set_active(pair, is_active);
        Ok(())
    }

    /// What is computed for a pair; `None` for what the world computes.
    pub fn set_compute(
        &mut self,
        a: BodyId,
        b: BodyId,
        compute: Option<Compute>,
    ) -> Result<(), Error> {
        let pair = self.pair(a, b)?;
        self.rules.set_compute(pair, compute);
        Ok(())
    }

    fn pair(&self, a: BodyId, b: BodyId) -> Result<Pair, Error> {
        self.bodies.check(a)?;
        self.bodies.check(b)?;
        Pair::new(a, b).ok_or(Error::SameBody { body: a })
    }

    /// Brings contacts and events up to date with the poses.
    pub fn update(&mut self) {
        let threads = self.threads.clone();
        threads.run(|| self.update_stages());
    }

    fn update_stages(&mut self) {
        let mut clock = Clock::start();
        let moved = self
            .boxes
            .update(&mut self.bodies, &self.threads, &mut *self.broad);
        self.stats.times.boxes = clock.lap();
        self.pairs.update(
            &mut *self.broad,
            &mut self.rules,
            Meetings {
                bodies: &self.bodies,
                articulations: &self.articulations,
                usual: self.options.compute,
            },
        );
        self.boxes.note_pairs(self.pairs.len(), self.bodies.len());
        self.stats.times.pairs = clock.lap();
        let scene = Scene {
            bodies: &self.bodies,
            margin: self.options.margin,
            threads: &self.threads,
        };
        let work = self.contacts.update(&scene, self.pairs.live_mut());
        self.stats.times.contacts = clock.lap();
        let pairs = &self.pairs;
        events::merge(pairs.ended(), self.contacts.events(), &mut self.events);
        self.bodies.settle();
        self.stats.times.events = clock.lap();
        self.stats
            .count(moved, &self.pairs, &self.contacts, work, &*self.broad);
    }

    /// The pairs that intersect, and those within the margin, sorted; as of the last [`World::update`].
    pub fn contacts(&self) -> &[Contact] {
        self.contacts.contacts()
    }

    /// The contact of two bodies as of the last [`World::update`], if they have one.
    pub fn contact(&self, a: BodyId, b: BodyId) -> Option<&Contact> {
        let pair = Pair::new(a, b)?;
        let contacts = self.contacts();
        let place = contacts.binary_search_by_key(&pair, |contact| contact.pair);
        Some(&contacts[place.ok()?])
    }

    /// What began to intersect, goes on, and ended with the last [`World::update`], sorted by pair.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// How much work the last [`World::update`] was.
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// The options the world was made with.
    pub fn options(&self) -> &WorldOptions {
        &self.options
    }

    /// Panics when something inside is inconsistent.
    pub fn validate(&self) {
        self.broad.validate();
        self.pairs.validate();
        self.contacts.validate();
        assert!(
            self.events.is_sorted_by_key(Event::pair),
            "events are sorted"
        );
    }
}
