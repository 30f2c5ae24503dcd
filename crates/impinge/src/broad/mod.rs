//! From boxes to pairs: which bodies are so near that a closer look is needed.
//!
//! A [`BroadPhase`] knows bodies by their boxes alone. Boxes go in one by one or many at once; [`collect`](BroadPhase::collect)
//! tells which pairs of boxes began to overlap since it was last asked, and which ended. A body that is not updated stays
//! where it is and costs nearly nothing with most methods; there is no flag for it.
//!
//! All methods give the same pairs, bit for bit, because the relation is one: the boxes rounded outward to single precision
//! ([`Box32`]) overlap, touching included. What a method prunes is truly apart.
//!
//! | module | method | source |
//! |---|---|---|
//! | [`brute`] | every body against every other | the slow twin |
//! | [`sweep`] | three sorted lists of endpoints | Cohen, Lin, Manocha, Ponamgi 1995 |
//! | [`sweep_axis`] | one sorted list | Larsen |
//! | [`rectangles`] | a sweep over an interval tree in a plane | Cohen, Lin, Manocha, Ponamgi 1995 |
//! | [`grid`] | a uniform grid in a hash table | Mirtich 1996, Larsen |
//! | [`levels`] | grids of several resolutions in a hash table | Mirtich 1996, Larsen |
//! | [`tree`] | a binary tree that changes as bodies move | Presson 2006, Catto 2019 |
//! | [`watch`] | wide boxes and a list of pairs to watch: the default | after Verlet 1967 |

pub mod brute;
pub mod grid;
pub mod levels;
pub mod rectangles;
pub mod sweep;
pub mod sweep_axis;
pub mod tree;
pub mod watch;

mod boxes;
mod cells;
mod changes;
mod close;
mod endpoints;
mod filter;
mod key_map;
mod kind;
mod moved;
mod order;
mod pairs;
mod query;
mod row;
mod seats;
mod wide_tree;

pub use crate::math::Box32;
pub use boxes::Boxes;
pub use brute::Brute;
pub use changes::PairChanges;
pub use filter::Filter;
pub use grid::Grid;
pub(crate) use key_map::KeyMap;
pub use kind::BroadPhaseKind;
pub use levels::Levels;
pub use pairs::PairStorage;
pub use rectangles::Rectangles;
pub use sweep::Sweep;
pub use sweep_axis::SweepAxis;
pub use tree::Tree;
pub use watch::Watch;

use crate::body::{BodyId, Pair};
use crate::error::Error;
use crate::math::{Aabb, Ray, Vec3};

/// A way to find the pairs of bodies whose boxes overlap.
///
/// The default shares large crowds among the threads of the pool of `rayon` that it is called in, or of the global one. It is sooner done
/// where it is called by a thread of the pool (`pool.install(..)`): another one would sleep meanwhile, and be woken for what follows.
///
/// ```
/// # use impinge::{body::BodyIds, broad::{Box32, BroadPhase, BroadPhaseKind, PairChanges}};
/// let mut ids = BodyIds::default();
/// let (a, b) = (ids.insert()?, ids.insert()?);
/// let unit = Box32::new([0.0; 3], [1.0; 3])?;
/// let beside = Box32::new([1.0, 0.0, 0.0], [2.0, 1.0, 1.0])?;
/// let far = Box32::new([5.0; 3], [6.0; 3])?;
///
/// let mut broad = BroadPhaseKind::Brute.create();
/// let mut changes = PairChanges::default();
/// broad.insert(a, unit)?;
/// broad.insert(b, beside)?;
/// broad.collect(&mut changes);
/// assert_eq!((changes.began.len(), changes.ended.len()), (1, 0));
///
/// broad.update(b, far)?;
/// broad.collect(&mut changes);
/// assert_eq!((changes.began.len(), changes.ended.len()), (0, 1));
/// # Ok::<(), impinge::Error>(())
/// ```
pub trait BroadPhase: Send + std::fmt::Debug {
    /// Takes a body in. Fails, changing nothing, for an index in use. A box that is not finite or inverted does not get so
    /// far: [`Box32`] refuses it.
    fn insert(&mut self, body: BodyId, bounds: Box32) -> Result<(), Error>;

    /// Gives a body another box. Fails, changing nothing, for a body that is not here.
    fn update(&mut self, body: BodyId, bounds: Box32) -> Result<(), Error>;

    /// Forgets a body. Fails, changing nothing, for a body that is not here.
    fn remove(&mut self, body: BodyId) -> Result<(), Error>;

    /// Gives many bodies other boxes, each body once. Fails, changing nothing at all, when one of them is refused.
    fn update_many(&mut self, moved: &[(BodyId, Box32)]) -> Result<(), Error> {
        self.boxes().check_updates(moved)?;
        for (body, bounds) in moved {
            self.update(*body, *bounds)?;
        }
        Ok(())
    }

    /// Gives all bodies other boxes, listed by index as far as [`Boxes::index_end`]; where there is no body, what is listed does not
    /// matter. Where every index is in use, there is less to read and to check than with [`update_many`](BroadPhase::update_many). Fails,
    /// changing nothing, when the list is longer or shorter.
    ///
    /// ```
    /// # use impinge::{body::BodyIds, broad::{Box32, BroadPhaseKind}};
    /// # let mut ids = BodyIds::default();
    /// # let unit = Box32::new([0.0; 3], [1.0; 3])?;
    /// let mut broad = BroadPhaseKind::default().create();
    /// for body in [ids.insert()?, ids.insert()?] {
    ///     broad.insert(body, unit)?;
    /// }
    /// let apart = [unit, Box32::new([5.0; 3], [6.0; 3])?];
    /// broad.update_all(&apart)?;
    /// assert!(broad.update_all(&apart[..1]).is_err());
    /// # Ok::<(), impinge::Error>(())
    /// ```
    fn update_all(&mut self, bounds: &[Box32]) -> Result<(), Error> {
        self.boxes().check_count(bounds)?;
        for (index, bounds) in (0..).zip(bounds) {
            if let Some(body) = self.boxes().body_at(index) {
                self.update(body, *bounds)?;
            }
        }
        Ok(())
    }

    /// Says whether the box of a body, from the next one on that it is given, is the smallest cube about a ball that holds the body. A
    /// method may then leave out its pairs with others of which the same is said, while the balls are apart; it tells whether it does.
    /// Nothing is said of a body that came. Fails, changing nothing, for a body that is not here.
    fn set_round(&mut self, body: BodyId, is_round: bool) -> Result<bool, Error> {
        let _ = is_round;
        self.boxes().get(body)?;
        Ok(false)
    }

    /// Replaces `changes` by what began and ended since the last call, both sorted.
    fn collect(&mut self, changes: &mut PairChanges);

    /// Replaces `pairs` by all pairs that overlapped at the last [`collect`](BroadPhase::collect), sorted.
    fn pairs(&self, pairs: &mut Vec<Pair>);

    /// The bodies and their boxes as they are now.
    fn boxes(&self) -> &Boxes;

    /// Replaces `found` by the bodies whose boxes overlap a box, sorted. Fails for a box that is not finite or inverted.
    ///
    /// This and the other questions are about the boxes as they are now, rounded outward ([`Box32`]): no body is missed, and
    /// one that is named may still be just beside. Here every body is tried; methods that can do better do.
    fn in_box(&self, bounds: &Aabb, found: &mut Vec<BodyId>) -> Result<(), Error> {
        self.boxes().in_box(bounds, found)
    }

    /// Replaces `found` by the bodies whose boxes contain a point, sorted. Fails for a point that is not finite.
    fn at_point(&self, point: Vec3, found: &mut Vec<BodyId>) -> Result<(), Error> {
        self.in_box(&Aabb::new(point, point)?, found)
    }

    /// Calls `visit` for the bodies whose boxes a ray meets, nearest first.
    ///
    /// `visit` gets a body and a lower bound of the `t` at which the ray enters its box. Bodies come in the order of these
    /// bounds, then of their names, while the bound is at most `limit`. What `visit` returns is the limit from then on: the one
    /// so far to go on as before, the `t` of a hit to see only what may be hit earlier.
    ///
    /// ```
    /// # use impinge::{Ray, Vec3, body::BodyIds, broad::{Box32, BroadPhase, Sweep}};
    /// let (mut ids, mut broad) = (BodyIds::default(), Sweep::default());
    /// for z in [7.0, 3.0, 5.0] {
    ///     broad.insert(ids.insert()?, Box32::new([0.0, 0.0, z], [1.0, 1.0, z + 1.0])?)?;
    /// }
    /// let up = Ray::new(Vec3::new(0.5, 0.5, 0.0), Vec3::Z)?;
    /// let mut seen = Vec::new();
    /// broad.cast(&up, 6.0, &mut |body, t| {
    ///     seen.push((body.index(), t.round()));
    ///     6.0
    /// });
    /// assert_eq!(seen, [(1, 3.0), (2, 5.0)]);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    fn cast(&self, ray: &Ray, limit: f64, visit: &mut dyn FnMut(BodyId, f64) -> f64) {
        self.boxes().cast(ray, limit, visit);
    }

    /// The work done since the broad phase was made.
    fn work(&self) -> Work;

    /// The memory held, in bytes.
    fn bytes(&self) -> usize;

    /// Panics when an invariant of the method is broken.
    fn validate(&self);
}

/// How much work a broad phase did: repeatable where times are not. What a method does not do stays 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Work {
    /// Exchanges of neighbours in sorted lists.
    pub swaps: u64,
    /// Pairs of boxes compared.
    pub box_tests: u64,
    /// Nodes of trees visited.
    pub nodes: u64,
    /// Cells of grids entered, left or looked into.
    pub cells: u64,
}
