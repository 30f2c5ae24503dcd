//! Where the boxes of bodies are kept, for all broad phases.
//!
//! **The pair relation of every broad phase is that the two [`Box32`] overlap, touching included**; this is why all methods
//! give the same pairs, bit for bit.
//!
//! Boxes lie by index, or by [seat](super::seats) where a method has found a better order.

use super::seats::Seats;
use crate::ahead;
use crate::body::BodyId;
use crate::error::Error;
use crate::math::{Ball32, Box32};
use fearless_simd::Simd;
#[cfg(feature = "parallel")]
use rayon::prelude::*;
use std::ops::Range;

/// Of fewer than one in so many bodies that move, each box is put where it belongs, instead of all seats being asked.
const FEW: usize = 4;

/// How many seats ahead the boxes that they take are asked for.
const TAKE_AHEAD: usize = 96;

/// The boxes of bodies, and which body each belongs to.
///
/// Every change of a broad phase goes through here first: what is refused has changed nothing.
#[derive(Debug, Clone, Default)]
pub struct Boxes {
    /// By seat; meaningless where there is no body.
    boxes: Vec<Box32>,
    seats: Seats,
    /// By seat: whether the box is a cube about a ball.
    round: Vec<bool>,
    round_count: usize,
    /// By seat: the ball, or everything where there is none. Without any until a box is a cube.
    balls: Vec<Ball32>,
    /// By index: the generation of the body, 0 where there is none.
    generations: Vec<u32>,
    /// By index: the generation at the last [`Boxes::settle`].
    settled: Vec<u32>,
    /// Indices whose generation may have changed since then, each as often as it did.
    renewed: Vec<u32>,
    len: usize,
}

/// Something with a box, in a list of bodies that come one index after the other.
pub(super) trait Bounded: Sync {
    /// The box.
    fn bounds(&self) -> &Box32;
}

impl Bounded for Box32 {
    #[inline(always)]
    fn bounds(&self) -> &Box32 {
        self
    }
}

impl Bounded for (BodyId, Box32) {
    #[inline(always)]
    fn bounds(&self) -> &Box32 {
        &self.1
    }
}

/// The boxes of a range of bodies that lie by index, to be replaced, and the balls that follow from them.
#[derive(Debug)]
pub(super) struct PlainBoxes<'b> {
    boxes: &'b mut [Box32],
    /// Where some are round: all balls, and which are.
    balls: Option<(&'b mut [Ball32], &'b [bool])>,
}

impl<'b> PlainBoxes<'b> {
    /// The box of the body at a place of the range.
    #[inline(always)]
    pub(super) fn at(&self, place: usize) -> &Box32 {
        &self.boxes[place]
    }

    /// Replaces the boxes from a place on.
    #[inline(always)]
    pub(super) fn replace(&mut self, begin: usize, new: &[impl Bounded]) {
        let boxes = &mut self.boxes[begin..][..new.len()];
        let olds = boxes.iter_mut().zip(new);
        olds.for_each(|(old, new)| *old = *new.bounds());
        if let Some((balls, round)) = &mut self.balls {
            let boxes = boxes.iter().zip(&round[begin..]);
            let balls = balls[begin..].iter_mut().zip(boxes);
            balls.for_each(|(ball, (bounds, is_round))| *ball = ball_of(bounds, *is_round));
        }
    }

    /// The first so many, and the others.
    #[cfg(feature = "parallel")]
    pub(super) fn split_at(self, count: usize) -> (Self, Self) {
        let (here, behind) = self.boxes.split_at_mut(count);
        let balls = self.balls.map(|(balls, round)| {
            let (balls, balls_behind) = balls.split_at_mut(count);
            let (round, round_behind) = round.split_at(count);
            ((balls, round), (balls_behind, round_behind))
        });
        let (balls, balls_behind) = balls.unzip();
        let here = PlainBoxes { boxes: here, balls };
        let behind = PlainBoxes {
            boxes: behind,
            balls: balls_behind,
        };
        (here, behind)
    }
}

impl Boxes {
    /// How many bodies there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// One more than the largest index there has been.
    pub fn index_end(&self) -> usize {
        self.boxes.len()
    }

    /// The box of a body. Fails for a body that is not here.
    pub fn get(&self, body: BodyId) -> Result<Box32, Error> {
        self.place_of(body).map(|_| *self.at(body.index()))
    }

    /// The body at an index.
    #[inline]
    pub fn body_at(&self, index: u32) -> Option<BodyId> {
        BodyId::from_parts(index, *self.generations.get(index as usize)?)
    }

    /// All bodies with their boxes, by index.
    pub fn iter(&self) -> impl Iterator<Item = (BodyId, &Box32)> + Clone {
        let bodies = self.generations.iter().zip(0..);
        bodies.filter_map(|(&generation, index)| {
            BodyId::from_parts(index, generation).map(|body| (body, self.at(index)))
        })
    }

    /// The box at an index below [`Boxes::index_end`]; meaningless where there is no body.
    #[inline]
    pub(crate) fn at(&self, index: u32) -> &Box32 {
        &self.boxes[self.seats.of(index) as usize]
    }

    /// The seats of bodies.
    #[inline(always)]
    pub(super) fn seats(&self) -> &Seats {
        &self.seats
    }

    /// The body at a seat.
    #[inline]
    pub(super) fn body_in(&self, seat: u32) -> Option<BodyId> {
        self.body_at(self.seats.index_at(seat))
    }

    /// Takes a body in. Fails, changing nothing, for an index that is in use.
    pub(crate) fn insert(&mut self, body: BodyId, bounds: &Box32) -> Result<(), Error> {
        let place = body.index() as usize;
        if self.body_at(body.index()).is_some() {
            return Err(Error::BodyInUse { body });
        }
        if place >= self.boxes.len() {
            self.boxes.resize(place + 1, Box32::default());
            self.round.resize(place + 1, false);
            if !self.balls.is_empty() {
                self.balls.resize(place + 1, Ball32::EVERYTHING);
            }
            self.generations.resize(place + 1, 0);
            self.settled.resize(place + 1, 0);
            self.seats.resize(place + 1);
        }
        let seat = self.seats.of(body.index()) as usize;
        self.boxes[seat] = *bounds;
        self.generations[place] = body.generation().get();
        self.renewed.push(body.index());
        self.len += 1;
        Ok(())
    }

    /// Gives a body another box and tells the old one. Fails, changing nothing, for a body that is not here.
    #[inline]
    pub(crate) fn update(&mut self, body: BodyId, bounds: &Box32) -> Result<Box32, Error> {
        self.place_of(body)?;
        let seat = self.seats.of(body.index()) as usize;
        let old = std::mem::replace(&mut self.boxes[seat], *bounds);
        self.renew_ball(seat);
        Ok(old)
    }

    /// Forgets a body and tells its last box. Fails, changing nothing, for a body that is not here.
    pub(crate) fn remove(&mut self, body: BodyId) -> Result<Box32, Error> {
        let place = self.place_of(body)?;
        self.generations[place] = 0;
        self.renewed.push(body.index());
        self.len -= 1;
        self.set_round(body.index(), false);
        Ok(*self.at(body.index()))
    }

    /// Says whether the box at an index is a cube about a ball.
    pub(super) fn set_round(&mut self, index: u32, is_round: bool) {
        if self.balls.is_empty() && is_round {
            self.balls.resize(self.boxes.len(), Ball32::EVERYTHING);
        }
        let seat = self.seats.of(index) as usize;
        let was_round = std::mem::replace(&mut self.round[seat], is_round);
        self.round_count += usize::from(is_round);
        self.round_count -= usize::from(was_round);
        self.renew_ball(seat);
    }

    /// Brings the ball at a seat up to date with the box.
    #[inline(always)]
    fn renew_ball(&mut self, seat: usize) {
        if let Some(ball) = self.balls.get_mut(seat) {
            *ball = ball_of(&self.boxes[seat], self.round[seat]);
        }
    }

    /// Brings all balls up to date with the boxes.
    fn renew_balls(&mut self) {
        let boxes = self.boxes.iter().zip(&self.round);
        for (ball, (bounds, is_round)) in self.balls.iter_mut().zip(boxes) {
            *ball = ball_of(bounds, *is_round);
        }
    }

    /// Whether some boxes are cubes about balls.
    pub(super) fn has_round(&self) -> bool {
        self.round_count > 0
    }

    /// By seat, the balls of bodies, if most of them are round; those of others may meet everything.
    #[inline(always)]
    pub(super) fn balls_of_most(&self) -> Option<&[Ball32]> {
        (self.round_count * 2 > self.len).then_some(&self.balls[..])
    }

    /// Has the bodies at some seats look as if they were not round, if most are; tells whether it does.
    pub(super) fn hide_balls(&mut self, seats: &[u32]) -> bool {
        let are_most_round = self.balls_of_most().is_some();
        if are_most_round {
            for seat in seats {
                self.balls[*seat as usize] = Ball32::EVERYTHING;
            }
        }
        are_most_round
    }

    /// Takes back [`Boxes::hide_balls`].
    pub(super) fn show_balls(&mut self, seats: &[u32]) {
        for seat in seats {
            self.renew_ball(*seat as usize);
        }
    }

    /// Whether the bodies at two seats may meet: their boxes overlap, or the balls in them where both are cubes about balls.
    #[inline(always)]
    pub(super) fn may_meet<S: Simd>(&self, simd: S, [a, b]: [usize; 2]) -> bool {
        if self.round_count > 0 {
            let (one, other) = (&self.balls[a], &self.balls[b]);
            if one.is_finite() & other.is_finite() {
                return one.may_meet(other);
            }
        }
        self.boxes[a].overlaps_in(simd, &self.boxes[b])
    }

    /// The boxes of some indices, to be replaced, if they lie by index; otherwise all as they lie.
    #[inline]
    pub(super) fn plain_mut(
        &mut self,
        indices: Range<usize>,
    ) -> Result<PlainBoxes<'_>, (&[Box32], &Seats)> {
        if self.seats.are_plain() {
            let balls = (self.round_count > 0).then(|| {
                let balls = &mut self.balls[indices.clone()];
                (balls, &self.round[indices.clone()])
            });
            let boxes = &mut self.boxes[indices];
            Ok(PlainBoxes { boxes, balls })
        } else {
            Err((&self.boxes, &self.seats))
        }
    }

    /// Whether [`Boxes::plain_mut`] and [`Boxes::take_from_row`] suit so many bodies in a row: not a few that have seats.
    pub(super) fn suit_row(&self, bodies: usize) -> bool {
        self.seats.are_plain() || bodies * FEW > self.len
    }

    /// Has every seat take its box from those of bodies that are here and come one index after the other from `first` on; nothing where boxes
    /// lie by index.
    pub(super) fn take_from_row(&mut self, first: usize, moved: &[impl Bounded]) {
        if self.seats.are_plain() {
            return;
        }
        self.take_boxes(first, moved);
        if self.round_count > 0 {
            self.renew_balls();
        }
    }

    fn take_boxes(&mut self, first: usize, moved: &[impl Bounded]) {
        let indices = self.seats.indices();
        let take = |boxes: &mut [Box32], indices: &[u32]| {
            let place_of = |index: &u32| (*index as usize).wrapping_sub(first);
            for (number, (old, index)) in boxes.iter_mut().zip(indices).enumerate() {
                if let Some(later) = indices.get(number + TAKE_AHEAD) {
                    ahead::fetch_far(moved, place_of(later));
                }
                if let Some(new) = moved.get(place_of(index)) {
                    *old = *new.bounds();
                }
            }
        };
        #[cfg(feature = "parallel")]
        if indices.len() > 2 * PART && crate::sharing::is_shared() {
            let size = indices.len().div_ceil(rayon::current_num_threads());
            let parts = self.boxes.par_chunks_mut(size);
            parts
                .zip(indices.par_chunks(size))
                .for_each(|(boxes, indices)| take(boxes, indices));
            return;
        }
        take(&mut self.boxes, indices);
    }

    /// All boxes, by seat; meaningless where there is no body.
    #[inline]
    pub(crate) fn slice(&self) -> &[Box32] {
        &self.boxes
    }

    /// The generations of all bodies, by index; 0 where there is none.
    #[inline]
    pub(crate) fn generations(&self) -> &[u32] {
        &self.generations
    }

    /// Gives bodies that are here other boxes, the last one where a body is there twice.
    #[inline(always)]
    pub(super) fn replace_all(&mut self, moved: &[(BodyId, Box32)]) {
        self.replace_boxes(moved);
        if self.round_count > 0 {
            self.renew_balls();
        }
    }

    #[inline(always)]
    fn replace_boxes(&mut self, moved: &[(BodyId, Box32)]) {
        if self.seats.are_plain() {
            for (body, bounds) in moved {
                self.boxes[body.index() as usize] = *bounds;
            }
            return;
        }
        let seats = self.seats.as_slice();
        #[cfg(feature = "parallel")]
        if moved.len() > 2 * PART && crate::sharing::is_shared() {
            // Everyone goes through all of the list, and takes what belongs to its seats.
            let size = self.boxes.len().div_ceil(rayon::current_num_threads());
            let parts = self.boxes.par_chunks_mut(size).enumerate();
            parts.for_each(|(number, part)| {
                let first = number * size;
                for (body, bounds) in moved {
                    let seat = seats[body.index() as usize] as usize;
                    if let Some(place) = part.get_mut(seat.wrapping_sub(first)) {
                        *place = *bounds;
                    }
                }
            });
            return;
        }
        for (body, bounds) in moved {
            self.boxes[seats[body.index() as usize] as usize] = *bounds;
        }
    }

    /// Gives every index another seat: by seat, where it moves to.
    pub(super) fn renumber(&mut self, targets: &[u32]) {
        let mut boxes = vec![Box32::default(); self.boxes.len()];
        let mut round = vec![false; self.boxes.len()];
        for ((bounds, is_round), target) in self.boxes.iter().zip(&self.round).zip(targets) {
            boxes[*target as usize] = *bounds;
            round[*target as usize] = *is_round;
        }
        self.boxes = boxes;
        self.round = round;
        self.renew_balls();
        self.seats.renumber(targets);
    }

    /// All bodies with their boxes in a list by index. Fails unless it has a box for every index.
    pub(crate) fn named(&self, bounds: &[Box32]) -> Result<Vec<(BodyId, Box32)>, Error> {
        self.check_count(bounds)?;
        let bodies = (0..).zip(bounds);
        let named = bodies.filter_map(|(index, bounds)| Some((self.body_at(index)?, *bounds)));
        Ok(named.collect())
    }

    /// Fails unless there is a box for every index.
    pub(super) fn check_count(&self, bounds: &[Box32]) -> Result<(), Error> {
        if bounds.len() == self.index_end() {
            return Ok(());
        }
        Err(Error::WrongCount {
            what: "boxes".to_owned(),
            count: bounds.len(),
            expected: self.index_end(),
        })
    }

    /// Fails when [`Boxes::update`] would fail for one of these.
    pub(crate) fn check_updates(&self, moved: &[(BodyId, Box32)]) -> Result<(), Error> {
        // Without branches first, as all is nearly always well.
        let generation_of = |body: &BodyId| self.generations.get(body.index() as usize);
        let is_here = |body: &BodyId| generation_of(body) == Some(&body.generation().get());
        let are_here =
            |part: &[(BodyId, Box32)]| part.iter().fold(true, |all, (body, _)| all & is_here(body));
        if all_parts(moved, are_here) {
            return Ok(());
        }
        moved
            .iter()
            .try_for_each(|(body, _)| self.place_of(*body).map(|_| ()))
    }

    #[inline]
    fn place_of(&self, body: BodyId) -> Result<usize, Error> {
        if self.body_at(body.index()) == Some(body) {
            Ok(body.index() as usize)
        } else {
            Err(Error::UnknownBody { body })
        }
    }

    /// The body at an index at the last [`Boxes::settle`].
    #[inline]
    pub(crate) fn settled_body_at(&self, index: u32) -> Option<BodyId> {
        BodyId::from_parts(index, *self.settled.get(index as usize)?)
    }

    /// Whether an index belongs to the same body as at the last [`Boxes::settle`].
    #[inline]
    pub(crate) fn is_settled(&self, index: u32) -> bool {
        let place = index as usize;
        self.generations[place] == self.settled[place]
    }

    /// Remembers who is here now; a broad phase calls it at the end of `collect`.
    pub(crate) fn settle(&mut self) {
        for index in self.renewed.drain(..) {
            let place = index as usize;
            self.settled[place] = self.generations[place];
        }
    }

    /// The memory held.
    pub(crate) fn bytes(&self) -> usize {
        self.boxes.capacity() * size_of::<Box32>()
            + self.seats.bytes()
            + self.round.capacity()
            + self.balls.capacity() * size_of::<Ball32>()
            + (self.generations.capacity() + self.settled.capacity() + self.renewed.capacity()) * 4
    }

    /// Panics when an invariant is broken.
    pub(crate) fn validate(&self) {
        let count = self.boxes.len();
        assert_eq!(self.generations.len(), count, "a generation for each box");
        assert_eq!(self.settled.len(), count, "a settled one for each box");
        assert_eq!(self.iter().count(), self.len, "bodies are counted");
        self.seats.validate(count);
        assert!(self.round_count == 0 || self.balls.len() == count, "balls");
        for (ball, (bounds, is_round)) in self.balls.iter().zip(self.boxes.iter().zip(&self.round))
        {
            assert_eq!(
                *ball,
                ball_of(bounds, *is_round),
                "balls are in their boxes"
            );
        }
        for (body, bounds) in self.iter() {
            for axis in 0..3 {
                let (min, max) = (bounds.min[axis], bounds.max[axis]);
                assert!(min.is_finite() && max.is_finite(), "box of {body}");
                assert!(min <= max, "the box of {body} is not inverted");
                let is_negative_zero = |x: f32| x == 0.0 && x.is_sign_negative();
                assert!(!is_negative_zero(min) && !is_negative_zero(max), "{body}");
            }
        }
        let changed = (0..count as u32).filter(|index| !self.is_settled(*index));
        for index in changed {
            assert!(self.renewed.contains(&index), "{index} changed unseen");
        }
    }
}

/// The ball that a box is a cube about, if it is.
#[inline(always)]
fn ball_of(bounds: &Box32, is_round: bool) -> Ball32 {
    if is_round {
        Ball32::inside(bounds)
    } else {
        Ball32::EVERYTHING
    }
}

/// Whether all parts of a list are as they should be; several threads may look at long ones.
fn all_parts<T: Sync>(list: &[T], is_fine: impl Fn(&[T]) -> bool + Sync + Send) -> bool {
    #[cfg(feature = "parallel")]
    if list.len() > 2 * PART && crate::sharing::is_shared() {
        return list.par_chunks(PART).all(is_fine);
    }
    is_fine(list)
}

/// How much of a list a thread takes at a time.
#[cfg(feature = "parallel")]
const PART: usize = 1 << 13;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::BodyIds;

    #[test]
    fn what_is_refused_changes_nothing() {
        let mut ids = BodyIds::default();
        let [a, b] = [(); 2].map(|()| ids.insert().unwrap());
        let unit = Box32::new([0.0; 3], [1.0; 3]).unwrap();
        let other = Box32::new([0.0; 3], [2.0; 3]).unwrap();
        let mut boxes = Boxes::default();
        boxes.insert(a, &unit).unwrap();
        assert_eq!(boxes.insert(a, &other), Err(Error::BodyInUse { body: a }));
        assert_eq!(boxes.update(b, &other), Err(Error::UnknownBody { body: b }));
        let many = [(a, other), (b, other)];
        assert_eq!(
            boxes.check_updates(&many),
            Err(Error::UnknownBody { body: b })
        );
        assert_eq!(boxes.get(a), Ok(unit));
        boxes.remove(a).unwrap();
        assert_eq!(boxes.remove(a), Err(Error::UnknownBody { body: a }));
        boxes.validate();
    }
}
