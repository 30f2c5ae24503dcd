//! The broad phases by name.

use super::{
    BroadPhase, Brute, Grid, Levels, PairStorage, Rectangles, Sweep, SweepAxis, Tree, Watch,
};
use crate::error::Error;
use std::fmt;
use std::str::FromStr;

/// A broad phase to choose. All give the same pairs; they differ in time and memory.
///
/// ```
/// # use impinge::broad::BroadPhaseKind;
/// assert_eq!("brute".parse(), Ok(BroadPhaseKind::Brute));
/// assert!("fastest".parse::<BroadPhaseKind>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum BroadPhaseKind {
    /// [`Brute`]: every body against every other.
    Brute,
    /// [`Sweep`]: three sorted lists of endpoints.
    Sweep,
    /// [`Sweep`] with a bit for each pair that could be; for at most [`Sweep::DENSE_CAPACITY`] bodies.
    SweepDense,
    /// [`SweepAxis`]: one sorted list.
    SweepAxis,
    /// [`Rectangles`]: a sweep over an interval tree in a plane.
    Rectangles,
    /// [`Grid`]: a uniform grid in a hash table.
    Grid,
    /// [`Levels`]: grids of several resolutions in a hash table.
    Levels,
    /// [`Tree`]: a binary tree of boxes that changes as bodies move.
    Tree,
    /// [`Watch`]: wide boxes and a list of pairs to watch; fast on all scenes.
    #[default]
    Watch,
}

impl BroadPhaseKind {
    /// All of them.
    pub const ALL: [BroadPhaseKind; 9] = [
        BroadPhaseKind::Brute,
        BroadPhaseKind::Sweep,
        BroadPhaseKind::SweepDense,
        BroadPhaseKind::SweepAxis,
        BroadPhaseKind::Rectangles,
        BroadPhaseKind::Grid,
        BroadPhaseKind::Levels,
        BroadPhaseKind::Tree,
        BroadPhaseKind::Watch,
    ];

    /// Its name: `brute`, `sweep`, `sweep-dense`, `sweep-axis`, `rectangles`, `grid`, `levels`, `tree`, `watch`.
    pub fn name(self) -> &'static str {
        match self {
            BroadPhaseKind::Brute => "brute",
            BroadPhaseKind::Sweep => "sweep",
            BroadPhaseKind::SweepDense => "sweep-dense",
            BroadPhaseKind::SweepAxis => "sweep-axis",
            BroadPhaseKind::Rectangles => "rectangles",
            BroadPhaseKind::Grid => "grid",
            BroadPhaseKind::Levels => "levels",
            BroadPhaseKind::Tree => "tree",
            BroadPhaseKind::Watch => "watch",
        }
    }

    /// An empty one with the options that it has by default.
    pub fn create(self) -> Box<dyn BroadPhase> {
        match self {
            BroadPhaseKind::Brute => Box::new(Brute::default()),
            BroadPhaseKind::Sweep => Box::new(Sweep::new(PairStorage::Sparse)),
            BroadPhaseKind::SweepDense => Box::new(Sweep::new(PairStorage::Dense)),
            BroadPhaseKind::SweepAxis => Box::new(SweepAxis::default()),
            BroadPhaseKind::Rectangles => Box::new(Rectangles::default()),
            BroadPhaseKind::Grid => Box::new(Grid::default()),
            BroadPhaseKind::Levels => Box::new(Levels::default()),
            BroadPhaseKind::Tree => Box::new(Tree::default()),
            BroadPhaseKind::Watch => Box::new(Watch::default()),
        }
    }
}

impl fmt::Display for BroadPhaseKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for BroadPhaseKind {
    type Err = Error;

    fn from_str(name: &str) -> Result<BroadPhaseKind, Error> {
        let known = BroadPhaseKind::ALL
            .into_iter()
            .find(|kind| kind.name() == name);
        known.ok_or_else(|| Error::UnknownName {
            what: "broad phase",
            name: name.to_owned(),
            known: BroadPhaseKind::ALL.map(BroadPhaseKind::name).to_vec(),
        })
    }
}
