//! From shapes and trajectories to moving boxes; from moving boxes to still ones, and to times at which they may meet.
//!
//! **Rounding.** A trajectory is meant as the polynomial that its numbers say, a body's place at a time as what
//! [`Trajectory::pose_at`] rounds it to. With `u = EPSILON` the two differ by less than `16 u` times the size of
//! the coordinates and of the way since the reference time. Boxes have room for a good deal more than that, [`ROOM`] of the
//! coordinates, and hold for as long as the way does not use it up; then they are made anew.

use super::track::{KineticBox, Track};
use crate::bound::{BoxKind, Extent, TrackedBox};
use crate::error::Error;
use crate::math::{Aabb, Vec3};
use crate::motion::Trajectory;
use crate::shape::Shape;

/// The room that boxes have, as a share of the coordinates of the body: 2^-32.
const ROOM: f64 = 1.0 / 4_294_967_296.0;
/// How many times its coordinates a body may move until its box is made anew: `16 u` of that way is a quarter of the room.
const FAR: f64 = 16_384.0;
/// More than the roundings of a place, as a share of its size and of the way to it.
const BLUR: f64 = 32.0 * f64::EPSILON;

/// What boxes of a body are made from.
#[derive(Debug, Clone)]
pub(crate) struct Girth {
    tracked: TrackedBox,
    extent: Option<Extent>,
}

impl Girth {
    pub(crate) fn of(shape: &Shape) -> Girth {
        Girth {
            tracked: TrackedBox::new(shape, BoxKind::Dynamic),
            extent: Extent::of(shape),
        }
    }

    /// No point of the body is farther from a point of its own than this; infinite for a half-space.
    pub(crate) fn reach_from(&self, pivot: Vec3) -> f64 {
        self.extent.map_or(f64::INFINITY, |extent| {
            extent.radius + (extent.center - pivot).length()
        })
    }

    /// The box of a body from a time on, with some more room.
    pub(crate) fn kinetic_box(
        &mut self,
        shape: &Shape,
        trajectory: &Trajectory,
        from: f64,
        room: f64,
    ) -> Result<KineticBox, Error> {
        let pose = trajectory.pose_at(from)?;
        let velocity = trajectory.velocity_at(from);
        let acceleration = trajectory.acceleration();
        if self.extent.is_none() {
            let everything = Vec3::splat(EVERYTHING);
            return KineticBox::still(Aabb::new(-everything, everything)?);
        }
        let reach = self.reach_from(trajectory.pivot());
        let (fast, bent) = (velocity.length(), acceleration.length());
        // A body that is a point at the origin still has a way.
        let size = (pose.translation().length() + reach).max(fast).max(bent);
        require_ordinary(size)?;
        let lasting = lasting(FAR * size, fast, bent);
        let since = from - trajectory.at() + lasting;
        let way = trajectory.velocity_at(trajectory.at()).length() * since + bent * since * since;
        let room = room + ROOM * size + if since.is_finite() { BLUR * way } else { 0.0 };
        let bounds = if trajectory.is_turning() {
            let center = trajectory.pivot_at(from);
            let reach = Vec3::splat(reach * (1.0 + 1.5 * pose.deviation()));
            Aabb::new(center - reach, center + reach)?
        } else {
            self.tracked.at(shape, &pose)
        };
        KineticBox::thrown(bounds.grown(room), from, velocity, acceleration)?
            .until(trajectory.end().min(from + lasting))
    }
}

/// Bodies that are larger, farther away or faster have no box: on their way they would leave the range of `f64`.
const LARGEST: f64 = 1e150;

/// The corners of the box of a half-space: beyond all others, and small enough to compute with.
const EVERYTHING: f64 = 1e160;

fn require_ordinary(size: f64) -> Result<(), Error> {
    if size <= LARGEST {
        return Ok(());
    }
    Err(Error::OutOfRange {
        what: "size of a body, its place or its velocity".to_owned(),
        value: size,
        expected: "at most 1e150",
    })
}

/// How long it takes at least to come so far.
fn lasting(far: f64, speed: f64, acceleration: f64) -> f64 {
    let by_speed = 0.5 * far / speed;
    let by_acceleration = (far / acceleration).sqrt();
    // Without a motion the quotients are infinite, or not numbers.
    by_speed.min(by_acceleration)
}

impl KineticBox {
    /// A box that holds a body on its trajectory from a time on, until [`KineticBox::end`]: the end of the trajectory, or
    /// the time at which rounding has used up the room of the box. For a body that turns it is the box around the ball about
    /// the pivot.
    ///
    /// ```
    /// use impinge::{Pose, Shape, Trajectory, Vec3, kinetic::KineticBox};
    ///
    /// let bar = Shape::cuboid(Vec3::new(2.0, 0.5, 0.5))?;
    /// let spinning = Trajectory::moving(0.0, Pose::IDENTITY, Vec3::X)?.spinning(Vec3::Z, Vec3::ZERO)?;
    /// let bounds = KineticBox::around(&bar, &spinning, 0.0)?.swept(0.0, 4.0)?;
    /// assert!(bounds.min().y < -2.0 && bounds.max().x > 6.0 && bounds.max().x < 6.2);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// For a time that is not finite, and for a body that leaves the range of `f64`.
    pub fn around(shape: &Shape, trajectory: &Trajectory, from: f64) -> Result<KineticBox, Error> {
        Girth::of(shape).kinetic_box(shape, trajectory, from, 0.0)
    }

    /// A box that holds this one at all times from one to another, rounded outward.
    ///
    /// # Errors
    ///
    /// When it leaves the range of `f64`.
    pub fn swept(&self, from: f64, to: f64) -> Result<Aabb, Error> {
        let (mut min, mut max) = (Vec3::ZERO, Vec3::ZERO);
        for axis in 0..3 {
            let [lower, upper] = self.tracks(axis);
            min[axis] = lower.range(from, to)[0];
            max[axis] = upper.range(from, to)[1];
        }
        // Corners that pass each other make an empty box.
        Aabb::new(min.min(max), max)
    }

    /// The first and the last time, from one time to another, at which two boxes may overlap, or a little earlier and later; `None`
    /// when they surely never do. In between they may part and meet again.
    pub fn meeting(&self, other: &KineticBox, from: f64, to: f64) -> Option<[f64; 2]> {
        let mut span = [from, to];
        for axis in 0..3 {
            let ([low, high], [other_low, other_high]) = (self.tracks(axis), other.tracks(axis));
            for (above, below) in [(high, other_low), (other_high, low)] {
                span = Gap::between(&above, &below, span[0]).not_negative(span)?;
            }
        }
        Some(span)
    }
}

impl Track {
    /// The least and the greatest value from one time to another, or a little less and more.
    fn range(&self, from: f64, to: f64) -> [f64; 2] {
        let mut range = [f64::INFINITY, f64::NEG_INFINITY];
        let mut take = |t: f64| {
            let rough = self.near(t, 0.0);
            range[0] = range[0].min(rough.value - rough.error);
            range[1] = range[1].max(rough.value + rough.error);
        };
        take(from);
        take(to);
        let top = self.origin - 0.5 * self.velocity / self.half_acceleration;
        if top > from && top < to {
            take(top);
        }
        [range[0].next_down(), range[1].next_up()]
    }
}

/// An upper bound of the difference of two tracks from a time on: `value + speed s + bend s^2`.
struct Gap {
    value: f64,
    speed: f64,
    bend: f64,
}

impl Gap {
    fn between(above: &Track, below: &Track, origin: f64) -> Gap {
        let value = above.near(origin, 0.0).minus(below.near(origin, 0.0));
        let speeds = [above, below].map(|track| track.speed_near(origin, 0.0));
        let speed = speeds[0].minus(speeds[1]);
        let bend = above.half_acceleration - below.half_acceleration;
        Gap {
            value: value.value + 2.0 * value.error,
            speed: speed.value + 2.0 * speed.error,
            bend: bend + f64::EPSILON * bend.abs(),
        }
    }

    /// The first and the last time in a span, which begins where the difference does, at which it may not be negative.
    fn not_negative(&self, span: [f64; 2]) -> Option<[f64; 2]> {
        let length = span[1] - span[0];
        let [first, last] = self.times(length)?;
        // Roots and sums are a few roundings off.
        let slack = |s: f64| 64.0 * f64::EPSILON * (s + span[0].abs());
        let from = (span[0] + first - slack(first)).max(span[0]);
        let to = (span[0] + last + slack(last)).min(span[1]);
        Some([from, to])
    }

    /// The same in the time since then, rounded.
    fn times(&self, length: f64) -> Option<[f64; 2]> {
        let Some([low, high]) = self.roots() else {
            // Of one sign all the time.
            return (self.bend > 0.0 || (self.bend == 0.0 && self.value >= 0.0))
                .then_some([0.0, length]);
        };
        let [first, last] = if self.bend < 0.0 {
            [low.max(0.0), high.min(length)]
        } else {
            // Not negative before the lower root, nor after the upper one.
            let first = if low >= 0.0 { 0.0 } else { high.max(0.0) };
            let last = if high <= length {
                length
            } else {
                low.min(length)
            };
            [first, last]
        };
        (first <= last && first <= length).then_some([first, last])
    }

    /// Where it is zero; for a straight line, one of the two is infinite, so that it is not negative before the lower and after the
    /// upper one.
    fn roots(&self) -> Option<[f64; 2]> {
        let Gap { value, speed, bend } = *self;
        if bend == 0.0 {
            let root = -value / speed;
            return match speed.partial_cmp(&0.0)? {
                std::cmp::Ordering::Greater => Some([f64::NEG_INFINITY, root]),
                std::cmp::Ordering::Less => Some([root, f64::INFINITY]),
                std::cmp::Ordering::Equal => None,
            };
        }
        let size = speed * speed + (4.0 * bend * value).abs();
        // One that is hardly negative may be zero, and for a difference that opens downward it must not be missed.
        let slack = 16.0 * f64::EPSILON * size;
        let discriminant = speed * speed - 4.0 * bend * value + slack.copysign(-bend);
        if discriminant < 0.0 {
            return None;
        }
        let q = -0.5 * (speed + discriminant.sqrt().copysign(speed));
        let [a, b] = if q == 0.0 {
            [0.0; 2]
        } else {
            [q / bend, value / q]
        };
        Some([a.min(b), a.max(b)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_gaps_of_all_forms() {
        let times = |value: f64, speed: f64, bend: f64| {
            Gap { value, speed, bend }
                .times(10.0)
                .map(|times| times.map(|t| (t * 1e6).round() / 1e6))
        };
        assert_eq!(times(1.0, 0.0, 0.0), Some([0.0, 10.0]));
        assert_eq!(times(-1.0, 0.0, 0.0), None);
        assert_eq!(times(-1.0, 0.5, 0.0), Some([2.0, 10.0]));
        assert_eq!(times(-1.0, 0.05, 0.0), None);
        assert_eq!(times(1.0, -0.5, 0.0), Some([0.0, 2.0]));
        assert_eq!(times(-1.0, -0.5, 0.0), None);
        // -(s - 2) (s - 5), -(s + 2) (s - 5) and one that has no root.
        assert_eq!(times(-10.0, 7.0, -1.0), Some([2.0, 5.0]));
        assert_eq!(times(10.0, 3.0, -1.0), Some([0.0, 5.0]));
        assert_eq!(times(-10.0, -7.0, -1.0), None);
        assert_eq!(times(-10.0, 1.0, -1.0), None);
        // (s - 2) (s - 5), (s + 2) (s - 5), (s + 2) (s + 5), (s - 2) (s - 20).
        assert_eq!(times(10.0, -7.0, 1.0), Some([0.0, 10.0]));
        assert_eq!(times(-10.0, -3.0, 1.0), Some([5.0, 10.0]));
        assert_eq!(times(10.0, 7.0, 1.0), Some([0.0, 10.0]));
        assert_eq!(times(40.0, -22.0, 1.0), Some([0.0, 2.0]));
        assert_eq!(times(-40.0, -18.0, 1.0), None);
        assert_eq!(times(10.0, 0.0, 1.0), Some([0.0, 10.0]));
    }
}
