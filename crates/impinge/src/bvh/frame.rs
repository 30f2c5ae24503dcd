//! The coordinates of trees, and how two of them lie to each other.
//!
//! A tree's frame has its origin `c` in the middle of the mesh and a power of two `w` as its unit, such that
//! coordinates are at most 1 (at most 2 for meshes as large as doubles allow). Its point `x` is the point `o + w M x`
//! of the world, with `o = M c + t`. So the point `y` of the other frame is `R y s + d` in this one, with `R = M^T M'`,
//! `s = w' / w` and `d = M^T (o' - o) / w`.
//!
//! **Error bound.** Lengths are in units of this frame; `u = EPSILON / 2`; a coordinate is at most 2, so that a point
//! is within 3.5 of its origin. Between what a test computes about two volumes and what holds for the placed triangles
//! are:
//!
//! 1. *Entering*: a corner minus `c` is rounded once: `3.5 u (1 + s)`. Dividing by a power of two is exact.
//! 2. *Volumes*: they hold the corners up to `16 EPSILON (1 + s)`.
//! 3. *`R` and `d`*: each entry of `R` has three roundings, `d` has as many: `16 u (3.5 s + |d|)`.
//! 4. *The test*: `512 EPSILON (|d| + 4 + 4 s)`.
//! 5. *Placing*: placed vertices, `o` and `o' - o` are rounded in the world: less than `32 EPSILON` times the sum of
//!    all coordinates there.
//! 6. *Poses that are not quite rotations*: with deviations `e` and `e'`, `M^T M` is within `3 e` of the identity:
//!    points are off by `3 (e + e') (|d| + 3.5 + 3.5 s)`.
//!
//! [`Relative::error`] is more than the sum.

use crate::math::{Mat3, Pose, Vec3};
use crate::shape::TriMesh;

/// The frame in which a tree keeps its volumes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TreeFrame {
    center: Vec3,
    unit: f64,
}

impl TreeFrame {
    /// The frame of a mesh.
    pub fn of(mesh: &TriMesh) -> TreeFrame {
        TreeFrame {
            center: mesh.tree().center(),
            unit: mesh.tree().unit(),
        }
    }

    /// A point of the body in this frame, rounded.
    #[inline]
    pub fn enter(&self, point: Vec3) -> Vec3 {
        (point - self.center) / self.unit
    }

    /// The point of the body at a point of this frame, rounded.
    pub fn leave(&self, point: Vec3) -> Vec3 {
        self.center + point * self.unit
    }

    /// The unit of length: a power of two.
    pub fn unit(&self) -> f64 {
        self.unit
    }
}

/// How the frame of a second tree lies in that of the first.
#[derive(Debug, Clone, Copy)]
pub struct Relative {
    /// The axes of the second frame, as columns.
    pub rotation: Mat3,
    /// The origin of the second frame.
    pub shift: Vec3,
    /// The unit of the second frame: a power of two.
    pub scale: f64,
    /// The largest number that tests meet: `|shift| + 4 + 4 scale`.
    pub reach: f64,
    /// A gap of more than this is a gap between placed triangles; see [`Bound`](super::Bound).
    pub error: f64,
    /// The length in the world that one unit of the first frame stands for at least.
    length: f64,
    /// The same at most.
    length_above: f64,
}

/// Shares and distances beyond this, or below its inverse, are not computed with: products of four of them must be
/// ordinary numbers.
const LARGEST: f64 = f64::from_bits((1023 + 200) << 52);

impl Relative {
    /// The frame of `b` in that of `a`, for two poses.
    pub fn new(a: &TreeFrame, pose_a: &Pose, b: &TreeFrame, pose_b: &Pose) -> Relative {
        let offset = pose_b.place(b.center) - pose_a.place(a.center);
        let shift = pose_a.unrotate(offset) / a.unit;
        let scale = b.unit / a.unit;
        let world = [(a, pose_a), (b, pose_b)].map(|(frame, pose)| {
            (frame.center.abs() + pose.translation().abs()).element_sum() + frame.unit
        });
        let reach = shift.length() + 4.0 + 4.0 * scale;
        let deviation = pose_a.deviation() + pose_b.deviation();
        let error = (1024.0 * f64::EPSILON + 4.0 * deviation) * reach
            + 32.0 * f64::EPSILON * ((world[0] + world[1]) / a.unit);
        let relative = Relative {
            rotation: pose_a.matrix().transpose() * *pose_b.matrix(),
            shift,
            scale,
            reach,
            error,
            length: a.unit * (1.0 - 4.0 * deviation - 8.0 * f64::EPSILON),
            length_above: a.unit * (1.0 + 4.0 * deviation + 8.0 * f64::EPSILON),
        };
        if scale > 1.0 / LARGEST && reach < LARGEST {
            relative
        } else {
            relative.unknown()
        }
    }

    /// Ordinary numbers in place of extreme ones, and an error that leaves everything open.
    fn unknown(self) -> Relative {
        Relative {
            shift: Vec3::ZERO,
            scale: 1.0,
            reach: 8.0,
            error: f64::INFINITY,
            ..self
        }
    }

    /// A point of the second frame in the first.
    #[inline]
    pub fn place(&self, point: Vec3) -> Vec3 {
        self.rotation * (point * self.scale) + self.shift
    }

    /// A point of the first frame in the second, in units of the first.
    #[inline]
    pub fn unplace(&self, point: Vec3) -> Vec3 {
        self.rotation.transpose() * (point - self.shift)
    }

    /// A distance in the world that units of the first frame stand for, or less.
    pub fn world_below(&self, units: f64) -> f64 {
        (units * self.length).next_down()
    }

    /// A distance in the world that units of the first frame stand for, or more.
    pub fn world_above(&self, units: f64) -> f64 {
        (units * self.length_above).next_up()
    }

    /// A number of units of the first frame that stand for the distance in the world, or more.
    pub fn units_above(&self, distance: f64) -> f64 {
        (distance / self.length).next_up()
    }
}
