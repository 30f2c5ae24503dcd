//! What a world computes, and how.

use crate::bound::BoxKind;
use crate::broad::BroadPhaseKind;
use crate::error::Error;

/// How a [`World`](super::World) works. Everything but `compute` and `margin` changes the time, never the answers.
///
/// ```
/// # use impinge::{World, world::{Compute, WorldOptions}};
/// let options = WorldOptions {
///     compute: Compute::Distances,
///     margin: 0.25,
///     ..WorldOptions::default()
/// };
/// assert!(World::new(options).is_ok());
/// assert!(World::new(WorldOptions { margin: -1.0, ..WorldOptions::default() }).is_err());
/// # Ok::<(), impinge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct WorldOptions {
    /// What is computed for pairs that have no choice of their own.
    pub compute: Compute,
    /// Pairs that are at most this far apart are contacts, too; not with [`Compute::Intersects`]. Boxes are grown so that no
    /// such pair is missed, unless it is infinite: then the contacts are all pairs whose boxes overlap.
    pub margin: f64,
    /// How pairs of boxes are found.
    pub broad_phase: BroadPhaseKind,
    /// Which boxes bodies get.
    pub boxes: BoxKind,
    /// How many threads work on an update: 1 for the caller's alone, 0 for as many as the machine has. Without the crate
    /// feature `parallel` it is always 1.
    pub threads: usize,
}

impl Default for WorldOptions {
    fn default() -> WorldOptions {
        WorldOptions {
            compute: Compute::Contacts,
            margin: 0.0,
            broad_phase: BroadPhaseKind::default(),
            boxes: BoxKind::default(),
            threads: 1,
        }
    }
}

impl WorldOptions {
    /// What bodies are grown by on all sides, so that those within the margin of each other are found.
    pub(super) fn room(&self) -> f64 {
        if self.margin.is_finite() {
            0.5 * self.margin
        } else {
            0.0
        }
    }

    pub(super) fn check(&self) -> Result<(), Error> {
        if self.margin.is_nan() {
            return Err(Error::NonFinite {
                what: "margin of the world".to_owned(),
            });
        }
        if self.margin < 0.0 {
            return Err(Error::OutOfRange {
                what: "margin of the world".to_owned(),
                value: self.margin,
                expected: "at least 0",
            });
        }
        Ok(())
    }
}

/// What is computed for a pair whose boxes overlap, from the quickest to the most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Compute {
    /// Whether they intersect, nothing more.
    Intersects,
    /// How far they are apart: distance, closest points, features. A distance of 0 and a common point when they intersect.
    Distances,
    /// The distance of those that are apart, the depth and the way out of those that intersect. A pair with a mesh or a
    /// solid gets contact points, a normal and an estimated depth ([`Manifold`](crate::Manifold)) where surfaces meet. For
    /// a shape inside a solid, and for half-spaces that nothing can part, this is the same as [`Compute::Distances`].
    #[default]
    Contacts,
}
