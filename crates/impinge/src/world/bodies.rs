//! Stage 1: what bodies are and where they are.

use super::moves::Range;
use super::pairs::LivePair;
use super::threads::Threads;
use crate::ahead;
use crate::body::{BodyId, BodyIds, Pair};
use crate::bound::{Ball, BoxKind, CubeUse, OwnBall, TrackedBox};
use crate::broad::{Box32, Filter};
use crate::error::Error;
use crate::math::{Pose, Vec3};
use crate::narrow::{Glimpse, GlimpsePair, PolytopePair};
use crate::shape::Shape;
use std::sync::Arc;

/// All bodies, by index; what is read together lies together.
#[derive(Debug, Default)]
pub(super) struct Bodies {
    /// The outer balls of bodies are grown by this, as their boxes are.
    room: f64,
    ids: BodyIds,
    slots: Vec<Slot>,
    poses: Vec<Pose>,
    /// What balls are placed from.
    own_balls: Vec<OwnBall>,
    /// None where there is no body.
    shapes: Vec<Option<Shape>>,
    tracked: Vec<TrackedBox>,
    filters: Vec<Filter>,
    /// The indices of bodies that came or moved since the last update, each once.
    moved: Vec<u32>,
    /// What these are marked with, so that nothing has to be taken from them after an update.
    stamp: u8,
    /// Bodies that the broad phase knows and that are gone, and whether it was told that their boxes are cubes.
    removed: Vec<(BodyId, bool)>,
}

/// What is at an index: all that most pairs need to know of a body, and all that a cube is made from.
#[derive(Debug, Clone, Copy)]
#[repr(align(32))]
pub(super) struct Slot {
    /// The balls of the body where it is now.
    ball: Ball,
    /// The body, if there is one.
    body: Option<BodyId>,
    /// When its box is a cube about the ball.
    cube_use: CubeUse,
    /// Whether the broad phase knows it.
    is_boxed: bool,
    /// Whether the broad phase was told that its box is a cube.
    is_round: bool,
    /// The stamp of when the body came or moved last.
    stamp: u8,
}

const _: () = assert!(size_of::<Slot>() == 32);

impl Slot {
    /// The stamp of no update.
    const LONG_AGO: u8 = 0;

    const EMPTY: Slot = Slot {
        ball: Ball::UNKNOWN,
        body: None,
        cube_use: CubeUse::Never,
        is_boxed: false,
        is_round: false,
        stamp: Slot::LONG_AGO,
    };

    /// The balls of the body.
    #[inline(always)]
    pub(super) fn ball(&self) -> &Ball {
        &self.ball
    }

    /// Places the balls of the body and marks it as moved; whether it was not before.
    #[inline(always)]
    pub(super) fn place(&mut self, own_ball: &OwnBall, pose: &Pose, stamp: u8) -> bool {
        self.ball = own_ball.at(pose);
        std::mem::replace(&mut self.stamp, stamp) != stamp
    }

    /// Whether a pose is near enough for the body, if there is one.
    #[inline(always)]
    pub(super) fn may_be_at(&self, pose: &Pose) -> bool {
        (pose.translation().abs().max_element() <= FARTHEST) | self.body.is_none()
    }
}

/// A body that came or moved.
#[derive(Debug)]
pub(super) struct Moved<'b> {
    pub(super) body: BodyId,
    /// Whether the broad phase knows it.
    pub(super) is_boxed: bool,
    /// Whether the broad phase was told that its box is a cube.
    pub(super) is_round: bool,
    /// Its box, if that is a cube.
    pub(super) cube: Option<Box32>,
    /// What any other box is made from. Only read where it is used: a cube needs none of it.
    pub(super) shape: &'b Option<Shape>,
    pub(super) pose: &'b Pose,
    pub(super) tracked: &'b mut TrackedBox,
}

/// Bodies that came or moved.
#[derive(Debug)]
pub(super) struct MovedBodies<'b> {
    indices: &'b [u32],
    /// The index that `tracked` begins with.
    first: usize,
    tracked: &'b mut [TrackedBox],
    slots: &'b [Slot],
    poses: &'b [Pose],
    shapes: &'b [Option<Shape>],
}

impl<'b> MovedBodies<'b> {
    /// How many there are; some may be gone again.
    pub(super) fn len(&self) -> usize {
        self.indices.len()
    }

    /// Visits them one by one; compact ones with a cube, if they are sparse.
    #[inline(always)]
    pub(super) fn for_each(&mut self, are_sparse: bool, mut visit: impl FnMut(Moved<'_>)) {
        for index in self.indices {
            let place = *index as usize;
            let slot = &self.slots[place];
            // It may be gone again.
            let Some(body) = slot.body else {
                continue;
            };
            let is_cube = match slot.cube_use {
                CubeUse::Never => false,
                CubeUse::Sparse => are_sparse,
                CubeUse::Always => true,
            };
            visit(Moved {
                body,
                is_boxed: slot.is_boxed,
                is_round: slot.is_round,
                cube: if is_cube { slot.ball.cube() } else { None },
                shape: &self.shapes[place],
                pose: &self.poses[place],
                tracked: &mut self.tracked[place - self.first],
            });
        }
    }

    /// Parts of `size` bodies each, and the rest, when there are at least two of them, and bodies moved in the order of their
    /// indices; all in one otherwise.
    pub(super) fn parts(self, size: usize) -> Vec<MovedBodies<'b>> {
        if self.indices.len() < 2 * size || !self.indices.is_sorted_by(|a, b| a < b) {
            return vec![self];
        }
        let mut parts = Vec::with_capacity(self.indices.len().div_ceil(size));
        let (mut first, mut rest) = (self.first, self.tracked);
        for indices in self.indices.chunks(size) {
            let end = indices.last().map_or(first, |last| *last as usize + 1);
            let (tracked, behind) = rest.split_at_mut(end - first);
            parts.push(MovedBodies {
                indices,
                first,
                tracked,
                ..self
            });
            (first, rest) = (end, behind);
        }
        parts
    }
}

impl Bodies {
    /// No bodies, whose balls will be grown by some room.
    pub(super) fn new(room: f64) -> Bodies {
        Bodies {
            room,
            stamp: Slot::LONG_AGO + 1,
            ..Bodies::default()
        }
    }

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
        if place == self.slots.len() {
            self.slots.push(Slot::EMPTY);
            self.poses.push(pose);
            self.own_balls.push(tracked.own_ball(self.room));
            self.shapes.push(None);
            self.tracked.push(tracked.clone());
            self.filters.push(Filter::default());
        }
        self.slots[place].body = Some(body);
        self.shapes[place] = Some(shape);
        self.filters[place] = Filter::default();
        self.track(place, tracked);
        self.move_at(place, &pose);
        Ok(body)
    }

    pub(super) fn remove(&mut self, body: BodyId) -> Result<(), Error> {
        self.ids.remove(body)?;
        let place = body.index() as usize;
        self.shapes[place] = None;
        let slot = &mut self.slots[place];
        slot.body = None;
        let was_round = std::mem::take(&mut slot.is_round);
        if std::mem::take(&mut slot.is_boxed) {
            self.removed.push((body, was_round));
        }
        Ok(())
    }

    #[inline]
    pub(super) fn set_pose(&mut self, body: BodyId, pose: &Pose) -> Result<(), Error> {
        self.check(body)?;
        let place = body.index() as usize;
        // The reach of the shape was checked when it came.
        check_place(pose, 0.0)?;
        self.move_at(place, pose);
        Ok(())
    }

    /// Moves all bodies, or none of them, if one is refused; the poses before come back.
    pub(super) fn swap_poses(
        &mut self,
        poses: &mut Vec<Pose>,
        threads: &Threads,
    ) -> Result<(), Error> {
        let count = self.slots.len();
        if poses.len() != count {
            return Err(Error::WrongCount {
                what: "poses".to_owned(),
                count: poses.len(),
                expected: count,
            });
        }
        let range = Range {
            slots: &mut self.slots,
            own_balls: &self.own_balls,
            poses,
        };
        if !range.place_all(self.stamp, threads) {
            return Err(self.take_back(poses));
        }
        std::mem::swap(&mut self.poses, poses);
        // Some may be gone; who asks looks.
        self.moved.clear();
        self.moved.extend(0..count as u32);
        Ok(())
    }

    /// Places all balls where they were before some poses were refused, and tells why they were.
    #[cold]
    fn take_back(&mut self, refused: &[Pose]) -> Error {
        let others = self.own_balls.iter().zip(&self.poses);
        for (slot, (own_ball, pose)) in self.slots.iter_mut().zip(others) {
            slot.place(own_ball, pose, Slot::LONG_AGO);
        }
        for index in &self.moved {
            self.slots[*index as usize].stamp = self.stamp;
        }
        let mut places = self.slots.iter().zip(refused);
        let far = places.find(|(slot, pose)| !slot.may_be_at(pose));
        let away = far.map_or(0.0, |(_, pose)| pose.translation().abs().max_element());
        too_far(away, 0.0)
    }

    /// [`Bodies::set_pose`], unless the body is there already.
    #[inline]
    pub(super) fn move_to(&mut self, body: BodyId, pose: &Pose) -> Result<(), Error> {
        if self.pose(body)? == pose {
            return Ok(());
        }
        self.set_pose(body, pose)
    }

    pub(super) fn deform(
        &mut self,
        body: BodyId,
        vertices: &[Vec3],
        boxes: BoxKind,
    ) -> Result<(), Error> {
        self.check(body)?;
        let place = body.index() as usize;
        let Some(Shape::Mesh(mesh)) = &mut self.shapes[place] else {
            return Err(Error::WrongShape {
                message: "only a mesh can be deformed",
            });
        };
        let reach = vertices
            .iter()
            .fold(0.0, |reach: f64, v| reach.max(v.abs().element_sum()));
        check_place(&self.poses[place], reach)?;
        Arc::make_mut(mesh).set_vertices(vertices)?;
        let shape = Shape::Mesh(Arc::clone(mesh));
        self.track(place, TrackedBox::new(&shape, boxes));
        let pose = self.poses[place];
        self.move_at(place, &pose);
        Ok(())
    }

    /// Takes note of what the boxes of a body are made from.
    fn track(&mut self, place: usize, tracked: TrackedBox) {
        self.slots[place].cube_use = tracked.cube_use();
        self.own_balls[place] = tracked.own_ball(self.room);
        self.tracked[place] = tracked;
    }

    /// Moves the body at a place. Its balls are placed while the pose is at hand, so that few have to read it again.
    #[inline]
    fn move_at(&mut self, place: usize, pose: &Pose) {
        self.poses[place] = *pose;
        let own_ball = &self.own_balls[place];
        if self.slots[place].place(own_ball, pose, self.stamp) {
            self.moved.push(place as u32);
        }
    }

    pub(super) fn set_filter(&mut self, body: BodyId, filter: Filter) -> Result<(), Error> {
        self.check(body)?;
        self.filters[body.index() as usize] = filter;
        Ok(())
    }

    #[inline]
    pub(super) fn check(&self, body: BodyId) -> Result<(), Error> {
        let slot = self.slots.get(body.index() as usize);
        if slot.is_some_and(|slot| slot.body == Some(body)) {
            Ok(())
        } else {
            Err(Error::UnknownBody { body })
        }
    }

    #[inline]
    pub(super) fn pose(&self, body: BodyId) -> Result<&Pose, Error> {
        self.check(body)?;
        Ok(&self.poses[body.index() as usize])
    }

    /// By index, also of those that are gone.
    pub(super) fn poses(&self) -> &[Pose] {
        &self.poses
    }

    pub(super) fn shape(&self, body: BodyId) -> Result<&Shape, Error> {
        self.check(body)?;
        let shape = self.shapes[body.index() as usize].as_ref();
        shape.ok_or(Error::UnknownBody { body })
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

    /// Two small polytopes, if the bodies of a live pair are.
    #[inline(always)]
    pub(super) fn glimpses(&self, pair: Pair) -> Option<GlimpsePair<'_>> {
        Some([self.glimpse(pair.a())?, self.glimpse(pair.b())?])
    }

    #[inline(always)]
    fn glimpse(&self, body: BodyId) -> Option<Glimpse<'_>> {
        let place = body.index() as usize;
        let Some(Shape::Polytope(polytope)) = &self.shapes[place] else {
            return None;
        };
        Some(Glimpse {
            kit: polytope.kit()?,
            pose: &self.poses[place],
            center: self.slots[place].ball.center(),
        })
    }

    /// Asks for what [`Bodies::glimpses`] leads to, if there may be any.
    #[inline(always)]
    pub(super) fn fetch_kits(&self, pair: Pair) {
        for body in [pair.a(), pair.b()] {
            if let Some(Shape::Polytope(polytope)) = &self.shapes[body.index() as usize] {
                polytope.fetch_kit();
            }
        }
    }

    /// Two polytopes of a live pair that has glimpses.
    #[inline(always)]
    pub(super) fn polytopes<'w>(&'w self, live: &'w mut LivePair) -> PolytopePair<'w> {
        let [(a, pose_a), (b, pose_b)] =
            [live.pair.a(), live.pair.b()].map(|body| self.placed(body));
        let small = "pairs with glimpses are polytopes";
        PolytopePair {
            a: a.as_polytope().expect(small),
            pose_a,
            b: b.as_polytope().expect(small),
            pose_b,
            cache: &mut live.cache,
        }
    }

    /// What most pairs need to know of a body.
    #[inline(always)]
    pub(super) fn slot(&self, body: BodyId) -> &Slot {
        &self.slots[body.index() as usize]
    }

    /// Asks for the balls of two bodies.
    #[inline(always)]
    pub(super) fn fetch_slots(&self, pair: Pair) {
        for body in [pair.a(), pair.b()] {
            ahead::fetch_line(&self.slots, body.index() as usize);
        }
    }

    /// Asks for the shapes and poses of two bodies.
    #[inline(always)]
    pub(super) fn fetch(&self, pair: Pair) {
        for body in [pair.a(), pair.b()] {
            let place = body.index() as usize;
            self.poses[place].fetch();
            ahead::fetch_line(&self.shapes, place);
        }
    }

    /// Whether one of two bodies came or moved since the last update.
    #[inline(always)]
    pub(super) fn have_moved(&self, a: &Slot, b: &Slot) -> bool {
        (a.stamp == self.stamp) | (b.stamp == self.stamp)
    }

    /// The bodies that came or moved since the last update.
    pub(super) fn all_moved(&mut self) -> MovedBodies<'_> {
        MovedBodies {
            indices: &self.moved,
            first: 0,
            tracked: &mut self.tracked,
            slots: &self.slots,
            poses: &self.poses,
            shapes: &self.shapes,
        }
    }

    /// The broad phase now knows a body.
    pub(super) fn note_boxed(&mut self, body: BodyId) {
        self.slots[body.index() as usize].is_boxed = true;
    }

    /// The broad phase is told whether the box of a body is a cube.
    pub(super) fn note_round(&mut self, body: BodyId, is_round: bool) {
        self.slots[body.index() as usize].is_round = is_round;
    }

    /// The bodies that the broad phase knows and that are gone, and whether it was told that their boxes are cubes.
    pub(super) fn take_removed(&mut self) -> impl Iterator<Item = (BodyId, bool)> {
        self.removed.drain(..)
    }

    /// The end of an update: nothing has moved since.
    pub(super) fn settle(&mut self) {
        self.moved.clear();
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == Slot::LONG_AGO {
            // Stamps begin again: those that are left over must not be taken for new ones.
            for slot in &mut self.slots {
                slot.stamp = Slot::LONG_AGO;
            }
            self.stamp += 1;
        }
    }
}

/// Whether all coordinates of a body stay far enough inside the range of `f64` for its box.
#[inline]
fn check_place(pose: &Pose, reach: f64) -> Result<(), Error> {
    let away = pose.translation().abs().max_element();
    if away.max(reach) <= FARTHEST {
        Ok(())
    } else {
        Err(too_far(away, reach))
    }
}

#[cold]
fn too_far(away: f64, reach: f64) -> Error {
    let (what, value) = if away > reach {
        ("translation", away)
    } else {
        ("reach of the shape", reach)
    };
    Error::OutOfRange {
        what: what.to_owned(),
        value,
        expected: "at most 2^1020",
    }
}

/// Sums of a few coordinates up to this are finite.
const FARTHEST: f64 = f64::from_bits((1023 + 1020) << 52);

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever the pauses between two moves, also those after which stamps begin again, a body counts as moved exactly when it moved.
    #[test]
    fn a_body_has_moved_exactly_when_it_moved() {
        let mut bodies = Bodies::new(0.0);
        let ball = Shape::sphere(1.0).unwrap();
        let mut insert = || bodies.insert(ball.clone(), Pose::IDENTITY, BoxKind::Automatic);
        let [still, moving] = [insert().unwrap(), insert().unwrap()];
        let mut due = 0;
        for update in 0..3000 {
            let moves = update == due;
            if moves {
                due += [1, 2, 253, 254, 255, 256, 257, 509, 510][update % 9];
                bodies.set_pose(moving, &Pose::IDENTITY).unwrap();
                bodies.set_pose(moving, &Pose::IDENTITY).unwrap();
            }
            let came = update == 0;
            assert_eq!(
                bodies.all_moved().len(),
                if came { 2 } else { usize::from(moves) }
            );
            let [a, b] = [still, moving].map(|body| bodies.slot(body));
            assert_eq!(bodies.have_moved(a, a), came, "update {update}");
            assert_eq!(bodies.have_moved(a, b), moves, "update {update}");
            assert_eq!(bodies.have_moved(b, a), moves, "update {update}");
            bodies.settle();
        }
        assert!(due > 3000);
    }
}
