//! Stage 1: what bodies are and where they are.

use super::boxes::BoxStage;
use super::kits::Kits;
use super::moves::Range;
use super::pairs::LivePair;
use super::threads::Threads;
use crate::ahead;
use crate::body::{BodyId, BodyIds, Pair};
use crate::bound::{BoxKind, CubeUse, OwnBall, Stance, TrackedBox};
use crate::broad::{Box32, Filter};
use crate::error::Error;
use crate::lanes::in_lanes;
use crate::math::{Pose, Vec3};
use crate::narrow::{Glimpse, GlimpsePair, PolytopePair};
use crate::shape::Shape;
use fearless_simd::Simd;
use std::sync::Arc;

/// All bodies, by index; what is read together lies together.
#[derive(Debug, Default)]
pub(super) struct Bodies {
    /// The outer balls of bodies are grown by this, as their boxes are.
    room: f64,
    ids: BodyIds,
    /// Who is there, if anyone.
    names: Vec<Option<BodyId>>,
    slots: Vec<Slot>,
    poses: Vec<Pose>,
    /// What balls are placed from.
    own_balls: Vec<OwnBall>,
    /// None where there is no body.
    shapes: Vec<Option<Shape>>,
    tracked: Vec<TrackedBox>,
    filters: Vec<Filter>,
    kits: Kits,
    /// The indices of bodies that came or moved since the last update, each once.
    moved: Vec<u32>,
    /// Whether all have, so that these need not be told one by one.
    have_all_moved: bool,
    /// All indices, for then.
    every: Vec<u32>,
    /// Whether these are all, and their boxes were made as they moved.
    are_boxed: bool,
    /// What these are marked with, so that nothing has to be taken from them after an update.
    stamp: u8,
    /// Bodies that the broad phase knows and that are gone, and whether it was told that their boxes are cubes.
    removed: Vec<(BodyId, bool)>,
}

/// What is at an index: all that most pairs need to know of a body, and all that a cube is made from. One line of memory.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Slot {
    /// The body where it is now.
    stance: Stance,
    /// The number of the kit of its shape.
    kit: u32,
    /// When its box is a cube about the ball.
    cube_use: CubeUse,
    told: Told,
    /// Whether its pose is one that a glance can be trusted with.
    is_usual: bool,
    /// The stamp of when the body came or moved last.
    stamp: u8,
}

const _: () = assert!(size_of::<Slot>() == 64);

/// What the broad phase knows of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    Nothing,
    /// Its box.
    Box,
    /// Its box, and that it is a cube.
    Cube,
}

impl Slot {
    /// The stamp of no update.
    const LONG_AGO: u8 = 0;

    const EMPTY: Slot = Slot {
        stance: Stance::UNKNOWN,
        kit: Kits::NONE,
        cube_use: CubeUse::Never,
        told: Told::Nothing,
        is_usual: false,
        stamp: Slot::LONG_AGO,
    };

    /// The body where it is.
    #[inline(always)]
    pub(super) fn stance(&self) -> &Stance {
        &self.stance
    }

    /// Places the body and marks it as moved; whether it was not before.
    #[inline(always)]
    pub(super) fn place<S: Simd>(
        &mut self,
        simd: S,
        own_ball: &OwnBall,
        pose: &Pose,
        stamp: u8,
    ) -> bool {
        let is_new = self.stamp != stamp;
        self.place_with_cube(simd, own_ball, pose, stamp);
        is_new
    }

    /// The same; a cube, and whether it is the box of the body while bodies are sparse. A body with a cube is near enough for boxes.
    #[inline(always)]
    pub(super) fn place_with_cube<S: Simd>(
        &mut self,
        simd: S,
        own_ball: &OwnBall,
        pose: &Pose,
        stamp: u8,
    ) -> (Box32, bool) {
        let (stance, (cube, is_in_range)) = own_ball.at_with_cube(simd, pose);
        self.stance = stance;
        self.is_usual = pose.deviation() <= Pose::ROTATION_TOLERANCE;
        self.stamp = stamp;
        (cube, is_in_range & (self.cube_use != CubeUse::Never))
    }

    /// The box of the body, if that is a cube.
    #[inline(always)]
    fn cube(&self, are_sparse: bool) -> Option<Box32> {
        let (cube, is_in_range) = self.stance.cube();
        let is_wanted =
            (self.cube_use == CubeUse::Always) | ((self.cube_use == CubeUse::Sparse) & are_sparse);
        (is_in_range & is_wanted).then_some(cube)
    }

    /// Whether that is what the broad phase knows of the body. If it knows something, there is one.
    #[inline(always)]
    pub(super) fn is_told(&self, told: Told) -> bool {
        self.told == told
    }
}

/// Whether a pose is near enough for boxes.
#[inline(always)]
pub(super) fn is_near(pose: &Pose) -> bool {
    pose.translation().abs().max_element() <= FARTHEST
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
    names: &'b [Option<BodyId>],
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
            let Some(body) = self.names[place] else {
                continue;
            };
            visit(Moved {
                body,
                is_boxed: slot.told != Told::Nothing,
                is_round: slot.told == Told::Cube,
                cube: slot.cube(are_sparse),
                shape: &self.shapes[place],
                pose: &self.poses[place],
                tracked: &mut self.tracked[place - self.first],
            });
        }
    }

    /// Some of them, by index.
    pub(super) fn some<'s>(&'s mut self, indices: &'s [u32]) -> MovedBodies<'s> {
        MovedBodies {
            indices,
            tracked: &mut *self.tracked,
            ..*self
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
            self.every.push(body.index());
            self.names.push(None);
            self.slots.push(Slot::EMPTY);
            self.poses.push(pose);
            self.own_balls.push(tracked.own_ball(self.room));
            self.shapes.push(None);
            self.tracked.push(tracked.clone());
            self.filters.push(Filter::default());
        }
        self.names[place] = Some(body);
        self.slots[place].kit = self.kits.insert(&shape);
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
        self.names[place] = None;
        self.are_boxed = false;
        let slot = &mut self.slots[place];
        self.kits
            .remove(std::mem::replace(&mut slot.kit, Kits::NONE));
        let told = std::mem::replace(&mut slot.told, Told::Nothing);
        if told != Told::Nothing {
            self.removed.push((body, told == Told::Cube));
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

    /// Moves all bodies, or none of them, if one is refused; the poses before come back. Their boxes are made on the way, if they are
    /// cubes.
    pub(super) fn swap_poses(
        &mut self,
        poses: &mut Vec<Pose>,
        boxes: &mut BoxStage,
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
        let found = range.place_all(self.stamp, boxes, threads);
        if !found.are_near {
            self.check_places(poses)?;
        }
        std::mem::swap(&mut self.poses, poses);
        // Some may be gone; who asks looks.
        self.have_all_moved = true;
        self.are_boxed = found.are_boxed;
        Ok(())
    }

    /// Fails if poses are refused for one of the bodies that are here; then all are placed where they were before.
    #[cold]
    fn check_places(&mut self, poses: &[Pose]) -> Result<(), Error> {
        let mut places = self.names.iter().zip(poses);
        let far = places.find(|(name, pose)| name.is_some() && !is_near(pose));
        let Some((_, pose)) = far else {
            return Ok(());
        };
        let away = pose.translation().abs().max_element();
        let others = self.own_balls.iter().zip(&self.poses);
        for (slot, (own_ball, pose)) in self.slots.iter_mut().zip(others) {
            in_lanes!(simd => slot.place(simd, own_ball, pose, Slot::LONG_AGO));
        }
        let moved = if self.have_all_moved {
            &self.every
        } else {
            &self.moved
        };
        for index in moved {
            self.slots[*index as usize].stamp = self.stamp;
        }
        self.are_boxed = false;
        Err(too_far(away, 0.0))
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
        self.are_boxed = false;
        let own_ball = &self.own_balls[place];
        let (slot, stamp) = (&mut self.slots[place], self.stamp);
        if in_lanes!(simd => slot.place(simd, own_ball, pose, stamp)) {
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
        let name = self.names.get(body.index() as usize);
        if name == Some(&Some(body)) {
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
        let slot = self.slot(body);
        let kit = self.kits.get(slot.kit)?;
        let stance = &slot.stance;
        slot.is_usual.then_some(Glimpse { kit, stance })
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

    /// Asks for what a pair is decided by, once their balls are known.
    #[inline(always)]
    pub(super) fn fetch(&self, pair: Pair) {
        let [a, b] = [pair.a(), pair.b()].map(|body| self.kits.get(self.slot(body).kit));
        match (a, b) {
            (Some(a), Some(b)) => {
                a.fetch_vertices();
                b.fetch_vertices();
            }
            _ => self.fetch_placed(pair),
        }
    }

    /// Asks for the shapes and poses of two bodies.
    #[inline(always)]
    pub(super) fn fetch_placed(&self, pair: Pair) {
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
            indices: if self.have_all_moved {
                &self.every
            } else {
                &self.moved
            },
            first: 0,
            tracked: &mut self.tracked,
            names: &self.names,
            slots: &self.slots,
            poses: &self.poses,
            shapes: &self.shapes,
        }
    }

    /// Whether all came in one call that made their boxes, and nothing happened since.
    pub(super) fn take_boxed(&mut self) -> bool {
        std::mem::take(&mut self.are_boxed)
    }

    /// The broad phase now knows a body.
    pub(super) fn note_boxed(&mut self, body: BodyId) {
        self.slots[body.index() as usize].told = Told::Box;
    }

    /// The broad phase is told whether the box of a body is a cube.
    pub(super) fn note_round(&mut self, body: BodyId, is_round: bool) {
        let told = if is_round { Told::Cube } else { Told::Box };
        self.slots[body.index() as usize].told = told;
    }

    /// The bodies that the broad phase knows and that are gone, and whether it was told that their boxes are cubes.
    pub(super) fn take_removed(&mut self) -> impl Iterator<Item = (BodyId, bool)> {
        self.removed.drain(..)
    }

    /// The end of an update: nothing has moved since.
    pub(super) fn settle(&mut self) {
        self.moved.clear();
        self.have_all_moved = false;
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
