//! Stage 1: what bodies are and where they are.

use crate::body::{BodyId, BodyIds, Pair};
use crate::bound::{BoxKind, TrackedBox};
use crate::broad::Filter;
use crate::error::Error;
use crate::math::Pose;
use crate::shape::Shape;

/// All bodies, by index; what is read together lies together.
#[derive(Debug, Default)]
pub(super) struct Bodies {
    ids: BodyIds,
    /// By index: the body of now, if there is one.
    names: Vec<Option<BodyId>>,
    shapes: Vec<Option<Shape>>,
    poses: Vec<Pose>,
    filters: Vec<Filter>,
    tracked: Vec<TrackedBox>,
    /// Whether the body came or moved since the last update.
    is_moved: Vec<bool>,
    /// The indices of those, each once.
    moved: Vec<u32>,
    /// Bodies that the broad phase knows and that are gone.
    removed: Vec<BodyId>,
    /// By index: the body that the broad phase knows.
    boxed: Vec<Option<BodyId>>,
}

/// A body that came or moved.
#[derive(Debug)]
pub(super) struct Moved<'b> {
    pub(super) body: BodyId,
    pub(super) shape: &'b Shape,
    pub(super) pose: &'b Pose,
    pub(super) tracked: &'b mut TrackedBox,
    /// Whether the broad phase knows it.
    pub(super) is_boxed: bool,
}

impl Bodies {
    pub(super) fn insert(
        &mut self,
        shape: Shape,
        pose: Pose,
        boxes: BoxKind,
    ) -> Result<BodyId, Error> {
        let tracked = TrackedBox::new(&shape, boxes);
        check_place(&pose, tracked.reach())?;
        let body = self.ids.insert()?;
        let place = body.index() as usize;
        if place == self.shapes.len() {
            self.names.push(None);
            self.shapes.push(None);
            self.poses.push(Pose::IDENTITY);
            self.filters.push(Filter::default());
            self.tracked.push(tracked.clone());
            self.is_moved.push(false);
            self.boxed.push(None);
        }
        self.names[place] = Some(body);
        self.shapes[place] = Some(shape);
        self.poses[place] = pose;
        self.filters[place] = Filter::default();
        self.tracked[place] = tracked;
        self.mark_moved(body.index());
        Ok(body)
    }

    pub(super) fn remove(&mut self, body: BodyId) -> Result<(), Error> {
        self.ids.remove(body)?;
        let place = body.index() as usize;
        self.names[place] = None;
        self.shapes[place] = None;
        if self.boxed[place] == Some(body) {
            self.boxed[place] = None;
            self.removed.push(body);
        }
        Ok(())
    }

    pub(super) fn set_pose(&mut self, body: BodyId, pose: Pose) -> Result<(), Error> {
        self.check(body)?;
        let place = body.index() as usize;
        check_place(&pose, self.tracked[place].reach())?;
        self.poses[place] = pose;
        self.mark_moved(body.index());
        Ok(())
    }

    fn mark_moved(&mut self, index: u32) {
        if !std::mem::replace(&mut self.is_moved[index as usize], true) {
            self.moved.push(index);
        }
    }

    pub(super) fn set_filter(&mut self, body: BodyId, filter: Filter) -> Result<(), Error> {
        self.check(body)?;
        self.filters[body.index() as usize] = filter;
        Ok(())
    }

    pub(super) fn check(&self, body: BodyId) -> Result<(), Error> {
        if self.ids.contains(body) {
            Ok(())
        } else {
            Err(Error::UnknownBody { body })
        }
    }

    pub(super) fn pose(&self, body: BodyId) -> Result<&Pose, Error> {
        self.check(body)?;
        Ok(&self.poses[body.index() as usize])
    }

    pub(super) fn shape(&self, body: BodyId) -> Result<&Shape, Error> {
        let shape = self
            .check(body)
            .map(|()| &self.shapes[body.index() as usize]);
        shape?.as_ref().ok_or(Error::UnknownBody { body })
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = BodyId> {
        self.ids.iter()
    }

    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether the filters of a pair let it meet.
    pub(super) fn may_meet(&self, pair: Pair) -> bool {
        let of = |body: BodyId| &self.filters[body.index() as usize];
        of(pair.a()).allows(of(pair.b()))
    }

    /// The shape and the pose of a body that is in a live pair.
    #[inline]
    pub(super) fn placed(&self, body: BodyId) -> (&Shape, &Pose) {
        let place = body.index() as usize;
        let shape = self.shapes[place].as_ref();
        (
            shape.expect("bodies of live pairs are here"),
            &self.poses[place],
        )
    }

    /// Whether a body came or moved since the last update.
    #[inline]
    pub(super) fn is_moved(&self, body: BodyId) -> bool {
        self.is_moved[body.index() as usize]
    }

    /// Visits the bodies that came or moved since the last update.
    #[inline(always)]
    pub(super) fn for_each_moved(&mut self, mut visit: impl FnMut(Moved<'_>)) {
        for index in &self.moved {
            let place = *index as usize;
            // It may be gone again.
            if let (Some(body), Some(shape)) = (self.names[place], &self.shapes[place]) {
                visit(Moved {
                    body,
                    shape,
                    pose: &self.poses[place],
                    tracked: &mut self.tracked[place],
                    is_boxed: self.boxed[place].is_some(),
                });
            }
        }
    }

    /// The broad phase now knows a body.
    pub(super) fn note_boxed(&mut self, body: BodyId) {
        self.boxed[body.index() as usize] = Some(body);
    }

    /// The bodies that the broad phase knows and that are gone.
    pub(super) fn take_removed(&mut self) -> impl Iterator<Item = BodyId> {
        self.removed.drain(..)
    }

    /// The end of an update: nothing has moved since.
    pub(super) fn settle(&mut self) {
        for index in self.moved.drain(..) {
            self.is_moved[index as usize] = false;
        }
    }
}

/// Whether all coordinates of a body stay far enough inside the range of `f64` for its box.
fn check_place(pose: &Pose, reach: f64) -> Result<(), Error> {
    let away = pose.translation().abs().max_element();
    if away.max(reach) <= FARTHEST {
        return Ok(());
    }
    let (what, value) = if away > reach {
        ("translation", away)
    } else {
        ("reach of the shape", reach)
    };
    Err(Error::OutOfRange {
        what: what.to_owned(),
        value,
        expected: "at most 2^1020",
    })
}

/// Sums of a few coordinates up to this are finite.
const FARTHEST: f64 = f64::from_bits((1023 + 1020) << 52);
