//! The boxes that all broad phases compare, and where they are kept.
//!
//! A [`Box32`] is an [`Aabb`] rounded outward to `f32`, or a box of `f32` that was found sound. Each number goes to the nearest `f32` that does not shrink the box,
//! and numbers beyond the range of `f32` to its last finite one. Both ends go through monotone functions, `down` and `up`,
//! with `down(x) <= c(x) <= up(x)` for the clamp `c` to the range of `f32`. Where two boxes overlap, `a.min <= b.max` gives
//! `down(a.min) <= c(a.min) <= c(b.max) <= up(b.max)`: no pair is lost. All six numbers are finite, and none is -0, so
//! that equal numbers have equal bits.
//!
//! **The pair relation of every broad phase is that the two [`Box32`] overlap, touching included**; this is why all methods
//! give the same pairs, bit for bit.

use super::endpoints::{from_ordered, ordered};
use crate::body::BodyId;
use crate::error::Error;
use crate::math::{Aabb, Vec3};

/// A closed axis-aligned box in single precision: finite, and not inverted.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Box32 {
    pub(crate) min: [f32; 3],
    pub(crate) max: [f32; 3],
}

impl Box32 {
    /// The box between two corners. They must be finite, and `min` at most `max` on each axis.
    ///
    /// ```
    /// # use impinge::broad::Box32;
    /// let unit = Box32::new([0.0; 3], [1.0; 3])?;
    /// assert!(unit.overlaps(&Box32::new([1.0; 3], [2.0; 3])?));
    /// assert!(Box32::new([0.0; 3], [f32::NAN; 3]).is_err());
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn new(min: [f32; 3], max: [f32; 3]) -> Result<Box32, Error> {
        let [low, high] = [min, max].map(|corner| Vec3::from(corner.map(f64::from)));
        Aabb::new(low, high)?;
        // -0 + 0 is 0.
        let [min, max] = [min, max].map(|corner| corner.map(|x| x + 0.0));
        Ok(Box32 { min, max })
    }

    /// The smallest one around a box. Fails for a box that is not finite, or inverted.
    ///
    /// ```
    /// # use impinge::{Aabb, Vec3, broad::Box32};
    /// let bounds = Box32::around(&Aabb::new(Vec3::splat(0.1), Vec3::splat(1e300))?)?;
    /// assert!(f64::from(bounds.min()[0]) <= 0.1 && bounds.max()[0] == f32::MAX);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn around(bounds: &Aabb) -> Result<Box32, Error> {
        let (min, max) = (bounds.min(), bounds.max());
        Aabb::new(min, max)?;
        Ok(Box32 {
            min: [round_down(min.x), round_down(min.y), round_down(min.z)],
            max: [round_up(max.x), round_up(max.y), round_up(max.z)],
        })
    }

    /// The lowest corner.
    pub fn min(&self) -> [f32; 3] {
        self.min
    }

    /// The highest corner.
    pub fn max(&self) -> [f32; 3] {
        self.max
    }

    /// Whether the two closed boxes share a point.
    #[inline]
    pub fn overlaps(&self, other: &Box32) -> bool {
        // Without branches: the outcome of each comparison is hard to foresee.
        let mut apart = false;
        for axis in 0..3 {
            apart |= self.min[axis] > other.max[axis];
            apart |= other.min[axis] > self.max[axis];
        }
        !apart
    }

    /// Whether the other box is inside, boundary included.
    #[inline]
    pub fn contains(&self, other: &Box32) -> bool {
        let mut outside = false;
        for axis in 0..3 {
            outside |= self.min[axis] > other.min[axis];
            outside |= other.max[axis] > self.max[axis];
        }
        !outside
    }
}

/// The largest finite `f32` that is not above `x` clamped to the range of `f32`.
#[inline]
pub(super) fn round_down(x: f64) -> f32 {
    let x = x.max(f64::from(f32::MIN));
    let near = x as f32;
    // One step down when the nearest is above, without a branch: which it is, nobody can foresee.
    let below = from_ordered(ordered(near) - u32::from(f64::from(near) > x));
    // -0 + 0 is 0.
    below + 0.0
}

/// The smallest finite `f32` that is not below `x` clamped to the range of `f32`.
#[inline]
pub(super) fn round_up(x: f64) -> f32 {
    -round_down(-x) + 0.0
}

/// The boxes of bodies, by index, and which body each belongs to.
///
/// Every change of a broad phase goes through here first: what is refused has changed nothing.
#[derive(Debug, Clone, Default)]
pub struct Boxes {
    /// By index; meaningless where there is no body.
    boxes: Vec<Box32>,
    /// By index: the generation of the body, 0 where there is none.
    generations: Vec<u32>,
    /// By index: the generation at the last [`Boxes::settle`].
    settled: Vec<u32>,
    /// Indices whose generation may have changed since then, each as often as it did.
    renewed: Vec<u32>,
    len: usize,
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
        self.place_of(body).map(|place| self.boxes[place])
    }

    /// The body at an index.
    #[inline]
    pub fn body_at(&self, index: u32) -> Option<BodyId> {
        BodyId::from_parts(index, *self.generations.get(index as usize)?)
    }

    /// All bodies with their boxes, by index.
    pub fn iter(&self) -> impl Iterator<Item = (BodyId, &Box32)> {
        let bodies = self.generations.iter().zip(&self.boxes).zip(0..);
        bodies.filter_map(|((&generation, bounds), index)| {
            BodyId::from_parts(index, generation).map(|body| (body, bounds))
        })
    }

    /// The box at an index below [`Boxes::index_end`]; meaningless where there is no body.
    #[inline]
    pub(crate) fn at(&self, index: u32) -> &Box32 {
        &self.boxes[index as usize]
    }

    /// Takes a body in. Fails, changing nothing, for an index that is in use.
    pub(crate) fn insert(&mut self, body: BodyId, bounds: &Box32) -> Result<(), Error> {
        let place = body.index() as usize;
        if self.body_at(body.index()).is_some() {
            return Err(Error::BodyInUse { body });
        }
        if place >= self.boxes.len() {
            self.boxes.resize(place + 1, Box32::default());
            self.generations.resize(place + 1, 0);
            self.settled.resize(place + 1, 0);
        }
        self.boxes[place] = *bounds;
        self.generations[place] = body.generation().get();
        self.renewed.push(body.index());
        self.len += 1;
        Ok(())
    }

    /// Gives a body another box and tells the old one. Fails, changing nothing, for a body that is not here.
    #[inline]
    pub(crate) fn update(&mut self, body: BodyId, bounds: &Box32) -> Result<Box32, Error> {
        let place = self.place_of(body)?;
        Ok(std::mem::replace(&mut self.boxes[place], *bounds))
    }

    /// Forgets a body and tells its last box. Fails, changing nothing, for a body that is not here.
    pub(crate) fn remove(&mut self, body: BodyId) -> Result<Box32, Error> {
        let place = self.place_of(body)?;
        self.generations[place] = 0;
        self.renewed.push(body.index());
        self.len -= 1;
        Ok(self.boxes[place])
    }

    /// All boxes, by index; meaningless where there is no body.
    #[inline]
    pub(crate) fn slice(&self) -> &[Box32] {
        &self.boxes
    }

    /// All boxes, to be replaced.
    #[inline]
    pub(crate) fn slice_mut(&mut self) -> &mut [Box32] {
        &mut self.boxes
    }

    /// Fails when [`Boxes::update`] would fail for one of these.
    pub(crate) fn check_updates(&self, moved: &[(BodyId, Box32)]) -> Result<(), Error> {
        // Without branches first, as all is nearly always well.
        let generation_of = |body: &BodyId| self.generations.get(body.index() as usize);
        let is_here = |body: &BodyId| generation_of(body) == Some(&body.generation().get());
        if moved
            .iter()
            .fold(true, |all, (body, _)| all & is_here(body))
        {
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
            + (self.generations.capacity() + self.settled.capacity() + self.renewed.capacity()) * 4
    }

    /// Panics when an invariant is broken.
    pub(crate) fn validate(&self) {
        let count = self.boxes.len();
        assert_eq!(self.generations.len(), count, "a generation for each box");
        assert_eq!(self.settled.len(), count, "a settled one for each box");
        assert_eq!(self.iter().count(), self.len, "bodies are counted");
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

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::body::BodyIds;

    pub(in super::super) const NUMBERS: [f64; 22] = [
        -f64::MAX,
        -1e39,
        -3.402_823_466_385_288_6e38,
        -16_777_217.0,
        -1.000_000_01,
        -1.0,
        -1e-40,
        -1e-46,
        -1e-300,
        -0.0,
        0.0,
        5e-324,
        1e-46,
        1e-45,
        1.5e-38,
        0.1,
        1.0,
        16_777_217.0,
        3.402_823_466_385_288_6e38,
        3.402_823_47e38,
        1e39,
        f64::MAX,
    ];

    #[test]
    fn rounding_goes_outward_and_no_farther_than_needed() {
        for x in NUMBERS {
            let clamped = x.clamp(f64::from(f32::MIN), f64::from(f32::MAX));
            let (down, up) = (round_down(x), round_up(x));
            assert!(down.is_finite() && up.is_finite());
            assert!(
                f64::from(down) <= clamped && clamped <= f64::from(up),
                "{x}"
            );
            assert!(f64::from(down.next_up()) > clamped, "{x}");
            assert!(f64::from(up.next_down()) < clamped, "{x}");
            for rounded in [down, up] {
                assert!(rounded != 0.0 || rounded.is_sign_positive());
            }
        }
    }

    #[test]
    fn no_pair_is_lost() {
        let interval = |min: f64, max: f64| {
            let exact = Aabb::new(Vec3::splat(min), Vec3::splat(max)).unwrap();
            (exact, Box32::around(&exact).unwrap())
        };
        let mut intervals = Vec::new();
        for (place, min) in NUMBERS.into_iter().enumerate() {
            intervals.extend(NUMBERS[place..].iter().map(|max| interval(min, *max)));
        }
        let mut parted = 0;
        for (exact, rounded) in &intervals {
            for (other, other_rounded) in &intervals {
                let overlaps = rounded.overlaps(other_rounded);
                assert_eq!(overlaps, other_rounded.overlaps(rounded));
                assert!(overlaps || !exact.overlaps(other));
                parted += usize::from(!overlaps);
            }
        }
        assert!(parted > intervals.len());
    }

    #[test]
    fn there_is_one_zero() {
        let zero = Box32::new([-0.0; 3], [-0.0; 3]).unwrap();
        let mut corners = zero.min.into_iter().chain(zero.max);
        assert!(corners.all(f32::is_sign_positive));
    }

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
