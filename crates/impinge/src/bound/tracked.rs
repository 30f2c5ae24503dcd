//! The box of one body at one pose after the other.
//!
//! Three ways, after Cohen, Lin, Manocha and Ponamgi (I-COLLIDE, 1995, section 4.1), who compare the first and the last:
//!
//! - **Fixed**: a cube about the centre that holds the body however it is turned. One placed point a frame; the size never
//!   changes, which sorted lists like.
//! - **Oriented**: the box around the turned box of the body's own frame, cut down to the fixed cube. Nine products more.
//! - **Dynamic**: the tightest box. Their six extremal vertices follow the body by hill climbing from where they were;
//!   polytopes of up to some hundred vertices are scanned instead, which is faster than climbing. Curved shapes have closed
//!   forms. Meshes have no neighbours to climb to; their box is the oriented one.
//!
//! A tight box costs a scan or a climb a frame, and saves the pairs that overlap with the fixed cube only. A ball fills its
//! cube in every turn, so for polytopes with many vertices that are nearly as round the cube is the better choice;
//! [`BoxKind::Automatic`] makes it, by the size of both boxes when the body comes. For those that are at least compact it depends on
//! how many bodies are near each other: where few are, the cube saves more than it costs. A world knows that.
//!
//! **Rounding.** With `u` half an EPSILON, a coordinate of a placed point is off by at most `4 u` times the sum of its
//! products, at most twice the reach, and by `u` times the translation. What is computed here (sums of at most four
//! products of that size, the radius or extremes of the body) adds no more than as much again. [`error`] is above both.

use super::extent::length;
use super::{Extent, OwnBall};
use crate::lanes::in_lanes;
use crate::math::{Aabb, Box32, Pose, Vec3};
use crate::shape::{DOT_ERROR, Packed, Polytope, Shape};
use fearless_simd::Simd;

/// Which boxes bodies get.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum BoxKind {
    /// A cube that holds the body however it is turned: quickest to place, and the largest.
    Fixed,
    /// The box of the body's own frame, turned, and boxed again; never larger than the fixed one.
    Oriented,
    /// The tightest box, from the extreme points of the body; for meshes the oriented one.
    Dynamic,
    /// For each body the fixed cube, if it is a ball, or round with many vertices, or else the dynamic box. A world that is only asked
    /// which bodies intersect takes the cube for all compact bodies while few of them are near each other.
    #[default]
    Automatic,
}

/// The box of a body from pose to pose.
///
/// ```
/// # use impinge::{Pose, Shape, Vec3, bound::{BoxKind, TrackedBox}};
/// let bar = Shape::cuboid(Vec3::new(3.0, 0.5, 0.5))?;
/// let mut tight = TrackedBox::new(&bar, BoxKind::Dynamic);
/// let mut fixed = TrackedBox::new(&bar, BoxKind::Fixed);
/// let upright = Pose::from_axis_angle(Vec3::Y, std::f64::consts::FRAC_PI_2, Vec3::ZERO)?;
/// assert!((tight.at(&bar, &upright).size().z - 6.0).abs() < 1e-5);
/// assert!(fixed.at(&bar, &upright).size().x > 6.0);
/// # Ok::<(), impinge::Error>(())
/// ```
#[derive(Debug, Clone)]
// One line of memory, and not parts of two.
#[repr(align(64))]
pub struct TrackedBox {
    /// Not [`BoxKind::Automatic`]: that is decided.
    kind: BoxKind,
    /// Whether the kind was chosen here, and the fixed cube would be larger by a small factor only.
    is_compact: bool,
    /// The ball around the body; of infinite radius for a half-space.
    center: Vec3,
    radius: f64,
    /// A ball of this radius about the centre is inside the body; minus infinity when none is known to be.
    inner_radius: f64,
    /// No point of the body is farther from its origin than this.
    reach: f64,
    /// What few bodies need: apart, so that many bodies touch little memory.
    more: Option<Box<More>>,
}

/// What the box of a mesh, of a large polytope, and an oriented box are made from.
#[derive(Debug, Clone)]
struct More {
    extent: Extent,
    /// Whether the box is the oriented one, about the centre of the ball.
    is_oriented: bool,
    /// The last known extreme vertices of a large polytope: lowest and highest on each axis.
    extremes: [u32; 6],
}

impl TrackedBox {
    /// For a body of that shape.
    pub fn new(shape: &Shape, kind: BoxKind) -> TrackedBox {
        let Some(extent) = Extent::of(shape) else {
            return TrackedBox {
                kind: BoxKind::Fixed,
                is_compact: false,
                center: Vec3::ZERO,
                radius: f64::INFINITY,
                inner_radius: f64::NEG_INFINITY,
                reach: 0.0,
                more: None,
            };
        };
        let is_compact =
            kind == BoxKind::Automatic && extent.half.min_element() > COMPACT * extent.radius;
        let kind = match kind {
            BoxKind::Automatic if is_round(shape, &extent) => BoxKind::Fixed,
            BoxKind::Automatic => BoxKind::Dynamic,
            BoxKind::Fixed | BoxKind::Oriented | BoxKind::Dynamic => kind,
        };
        TrackedBox {
            kind,
            is_compact,
            center: extent.center,
            radius: extent.radius,
            inner_radius: inner_radius(shape, &extent),
            reach: extent.reach,
            more: needs_more(shape, kind).then(|| {
                let is_oriented = kind == BoxKind::Oriented || shape.as_polytope().is_none();
                Box::new(More {
                    extent,
                    is_oriented: is_oriented && extent.center == extent.middle,
                    extremes: [0; 6],
                })
            }),
        }
    }

    /// The box of the shape, which must be that of [`TrackedBox::new`], at a pose. A half-space gets the largest box that
    /// there is, and so does a body whose coordinates leave the range of `f64`.
    pub fn at(&mut self, shape: &Shape, pose: &Pose) -> Aabb {
        in_lanes!(simd => self.fit(simd, shape, pose, 0.0))
    }

    /// No point of the body is farther from its origin than this; 0 for a half-space.
    pub(crate) fn reach(&self) -> f64 {
        self.reach
    }

    /// When the cube about the ball is the box of the body.
    pub(crate) fn cube_use(&self) -> CubeUse {
        match self.kind {
            BoxKind::Fixed => CubeUse::Always,
            BoxKind::Oriented | BoxKind::Dynamic | BoxKind::Automatic if self.is_compact => {
                CubeUse::Sparse
            }
            BoxKind::Oriented | BoxKind::Dynamic | BoxKind::Automatic => CubeUse::Never,
        }
    }

    /// The balls of the body in its own frame, the outer one with some room.
    pub(crate) fn own_ball(&self, room: f64) -> OwnBall {
        let radii = [self.radius + room, self.inner_radius];
        let reach = self.reach.max(self.center.length());
        OwnBall::new(self.center, radii, reach + room)
    }

    /// [`TrackedBox::at`] with some room on all sides, rounded outward, for loops that have chosen their instructions. What becomes of
    /// the box is compiled into each way to it: six numbers that meet in memory on their way would cost more than the box.
    #[inline(always)]
    pub(crate) fn fit_rounded<S: Simd>(
        &mut self,
        simd: S,
        shape: &Shape,
        pose: &Pose,
        room: f64,
        take: impl FnOnce(Box32),
    ) {
        let room = room + error(self.reach + room, pose);
        let bounds = if self.kind == BoxKind::Fixed {
            None
        } else if let Some(half) = self.own_half(shape) {
            let half = turned(half, pose).min(Vec3::splat(stretched(self.radius, pose)));
            let [x, y, z] = [rounded_up(half.x), rounded_up(half.y), rounded_up(half.z)];
            let corners = [[-x, -y, -z], [x, y, z]];
            Box32::about(simd, pose.place(self.center), corners, rounded_up(room))
        } else if self.more.is_none()
            && let Some(packed) = scannable(shape)
        {
            let scale = packed.scale as f32;
            let [[a, b, c], [p, q, r]] = ranges(simd, packed, pose);
            let ranges = [
                [a * scale, b * scale, c * scale],
                [p * scale, q * scale, r * scale],
            ];
            let margin = rounded_up(SCAN_BLUR * packed.scale + room);
            Box32::about(simd, pose.place(packed.center), ranges, margin)
        } else {
            None
        };
        match bounds {
            Some(bounds) => take(bounds),
            None => take(self.fit_otherwise(shape, pose, room)),
        }
    }

    /// Half of the edges of the box in the body's own frame, when that box, turned, is all that the body's box is made from, and has the
    /// centre of the ball.
    #[inline(always)]
    fn own_half(&self, shape: &Shape) -> Option<Vec3> {
        match (&self.more, shape) {
            (Some(more), _) => more.is_oriented.then_some(more.extent.half),
            (None, Shape::Cuboid(cuboid)) => Some(cuboid.half_size()),
            (None, _) => None,
        }
    }

    /// The box of a shape that is neither a cube nor turned nor scanned, or beyond the range of single precision, with room. Out of line, so
    /// that it does not crowd the loops around those.
    #[inline(never)]
    fn fit_otherwise(&mut self, shape: &Shape, pose: &Pose, room: f64) -> Box32 {
        in_lanes!(simd => {
            let bounds = self.fit(simd, shape, pose, room);
            Box32::around_sound(simd, &bounds)
        })
    }

    /// [`TrackedBox::at`] with some room on all sides.
    #[inline(always)]
    fn fit<S: Simd>(&mut self, simd: S, shape: &Shape, pose: &Pose, room: f64) -> Aabb {
        let room = room + error(self.reach + room, pose);
        let ends = match (self.kind, &mut self.more) {
            (BoxKind::Fixed, _) => fixed(self.center, self.radius, pose),
            (_, None) => tightest(simd, shape, pose),
            (BoxKind::Oriented, Some(more)) => oriented(&more.extent, pose),
            (_, Some(more)) => more.tightest(shape, pose),
        };
        closed(ends, room)
    }
}

/// The box between two ends with some room; the largest one when the ends are beyond the range of `f64`.
#[inline(always)]
fn closed((min, max): Ends, room: f64) -> Aabb {
    let (min, max) = (min - Vec3::splat(room), max + Vec3::splat(room));
    let size = max - min;
    if size.x + size.y + size.z < f64::INFINITY {
        Aabb::between(min, max)
    } else {
        everything()
    }
}

impl More {
    /// The climbed box of a polytope, or the oriented one of a mesh.
    #[cold]
    fn tightest(&mut self, shape: &Shape, pose: &Pose) -> Ends {
        match shape.as_polytope() {
            Some(polytope) => climbed(polytope, pose, self.extent.reach, &mut self.extremes),
            None => oriented(&self.extent, pose),
        }
    }
}

/// When a body gets the cube about its ball for a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum CubeUse {
    /// It gets its own box.
    #[default]
    Never,
    /// While bodies are sparse.
    Sparse,
    /// It has no other.
    Always,
}

/// The radius of a ball about the centre that is inside the shape, if there is one for certain.
fn inner_radius(shape: &Shape, extent: &Extent) -> f64 {
    let packed = shape.as_polytope().and_then(Polytope::packed);
    let packed = packed.filter(|packed| packed.center == extent.center);
    packed.map_or(f64::NEG_INFINITY, |packed| packed.inner_radius)
}

/// Whether the box of a body needs more than its ball and its shape.
fn needs_more(shape: &Shape, kind: BoxKind) -> bool {
    match (kind, shape) {
        (BoxKind::Fixed, _) => false,
        (BoxKind::Oriented, _) | (_, Shape::Mesh(_) | Shape::Solid(_) | Shape::HeightField(_)) => {
            true
        }
        (BoxKind::Dynamic | BoxKind::Automatic, _) => {
            shape.as_polytope().is_some_and(|p| !is_scanned(p))
        }
    }
}

/// Whether the vertices of a polytope are scanned rather than climbed.
#[inline(always)]
fn is_scanned(polytope: &Polytope) -> bool {
    polytope
        .packed()
        .is_some_and(|packed| packed.vertices.is_scanned())
}

/// Whether the cube about the ball of a shape is hardly larger than its tightest boxes, which would cost more.
fn is_round(shape: &Shape, extent: &Extent) -> bool {
    if matches!(shape, Shape::Sphere(_)) {
        return true;
    }
    let is_costly = shape
        .as_polytope()
        .is_some_and(|p| p.vertices().len() > CHEAP);
    is_costly && extent.half.min_element() > 0.9 * extent.radius
}

/// In the frame of a compact body, half of the least edge of its box is more than this share of the radius of its ball. For a cube it is 0.58. With
/// 0.7, two in five random polytopes of 20 vertices had to be scanned, and nobody could foresee which.
const COMPACT: f64 = 0.5;

/// Scanning so many vertices costs less than the pairs that a tighter box saves.
const CHEAP: usize = 64;

/// More than all roundings of a coordinate of a placed body; see the module's page.
#[inline(always)]
pub(super) fn error(reach: f64, pose: &Pose) -> f64 {
    16.0 * f64::EPSILON * (reach + pose.translation().abs().max_element())
}

/// The largest box.
#[cold]
fn everything() -> Aabb {
    let corner = Vec3::splat(f64::MAX);
    Aabb::new(-corner, corner).expect("the corners are finite and in order")
}

/// The ends of a box about a point, without the error of rounding.
type Ends = (Vec3, Vec3);

#[inline(always)]
fn fixed(center: Vec3, radius: f64, pose: &Pose) -> Ends {
    around(pose.place(center), Vec3::splat(stretched(radius, pose)))
}

/// A radius that holds the placed ball.
#[inline(always)]
fn stretched(radius: f64, pose: &Pose) -> f64 {
    // The matrix stretches by at most 1.5 times its deviation.
    radius * (1.0 + 2.0 * pose.deviation())
}

#[inline(always)]
fn oriented(extent: &Extent, pose: &Pose) -> Ends {
    let (min, max) = around(pose.place(extent.middle), turned(extent.half, pose));
    let (fixed_min, fixed_max) = fixed(extent.center, extent.radius, pose);
    (min.max(fixed_min), max.min(fixed_max))
}

/// Half of the box around a turned box, given by half of its edges.
#[inline(always)]
fn turned(half: Vec3, pose: &Pose) -> Vec3 {
    let matrix = pose.matrix();
    matrix.x_axis.abs() * half.x + matrix.y_axis.abs() * half.y + matrix.z_axis.abs() * half.z
}

#[inline(always)]
fn around(center: Vec3, half: Vec3) -> Ends {
    (center - half, center + half)
}

#[inline(always)]
fn tightest<S: Simd>(simd: S, shape: &Shape, pose: &Pose) -> Ends {
    match scannable(shape) {
        Some(packed) => {
            let center = pose.place(packed.center);
            let [low, high] = scanned(simd, packed, pose);
            (center + low, center + high)
        }
        None => curved(shape, pose),
    }
}

/// What is scanned of a polytope of some hundred vertices at most.
#[inline(always)]
fn scannable(shape: &Shape) -> Option<&Packed> {
    let packed = shape.as_polytope().and_then(Polytope::packed);
    packed.filter(|packed| packed.vertices.is_scanned())
}

/// Where vertices begin and end, seen from the placed centre.
#[inline(always)]
fn scanned<S: Simd>(simd: S, packed: &Packed, pose: &Pose) -> [Vec3; 2] {
    let [low, high] = ranges(simd, packed, pose);
    let blur = Vec3::splat(SCAN_BLUR);
    [
        (widened(low) - blur) * packed.scale,
        (widened(high) + blur) * packed.scale,
    ]
}

/// The same in units of the scale, in `f32`, off by at most [`SCAN_BLUR`]: the ranges of products with the rows of the
/// matrix.
#[inline(always)]
fn ranges<S: Simd>(simd: S, packed: &Packed, pose: &Pose) -> [[f32; 3]; 2] {
    let [x, y, z] = rows(pose);
    let rows = [narrowed(x), narrowed(y), narrowed(z)];
    packed.vertices.ranges_along(simd, rows)
}

/// Rows have unit length up to the deviation of the matrix, which is at most 1e-6.
const SCAN_BLUR: f64 = DOT_ERROR * (1.0 + 1e-5);

/// A single-precision number that is not below a positive one; infinite beyond the range.
#[inline(always)]
fn rounded_up(x: f64) -> f32 {
    (x * (1.0 + f64::from(f32::EPSILON))) as f32 + f32::MIN_POSITIVE
}

#[inline(always)]
fn narrowed(v: Vec3) -> [f32; 3] {
    [v.x as f32, v.y as f32, v.z as f32]
}

#[inline(always)]
fn widened([x, y, z]: [f32; 3]) -> Vec3 {
    Vec3::new(f64::from(x), f64::from(y), f64::from(z))
}

/// The box of many vertices: each extreme one is climbed to from where it was.
///
/// Computed products are off by three roundings, 1.5 EPSILON of the reach, so a vertex without a better neighbour need not
/// be the best. The vertices within a margin of it, connected through each other, have the best among them.
#[cold]
fn climbed(polytope: &Polytope, pose: &Pose, reach: f64, extremes: &mut [u32; 6]) -> Ends {
    let margin = 4.0 * f64::EPSILON * reach * (1.0 + 2.0 * pose.deviation());
    let (mut min, mut max) = (Vec3::ZERO, Vec3::ZERO);
    for (axis, row) in rows(pose).into_iter().enumerate() {
        let farthest = |direction: Vec3, sign: f64, from: &mut u32| {
            let height =
                |vertex: u32| sign * pose.place(polytope.vertices()[vertex as usize])[axis];
            let mut best = (*from, f64::NEG_INFINITY);
            let mut visit = |vertex: u32| {
                if height(vertex) > best.1 {
                    best = (vertex, height(vertex));
                }
            };
            match polytope.near_top(direction, *from, margin) {
                Some(near) => near.as_slice().iter().copied().for_each(&mut visit),
                // More vertices in one plane than it finds room for.
                None => (0..polytope.vertices().len() as u32).for_each(&mut visit),
            }
            *from = best.0;
            best.1
        };
        min[axis] = -farthest(-row, -1.0, &mut extremes[2 * axis]);
        max[axis] = farthest(row, 1.0, &mut extremes[2 * axis + 1]);
    }
    (min, max)
}

/// The closed forms. A row of the matrix is what the body sees of a world axis; how far the body reaches along it is its
/// support function.
fn curved(shape: &Shape, pose: &Pose) -> Ends {
    if let Some(polytope) = shape.as_polytope() {
        // The core of a rounded one, which has no memory of its extremes.
        let reach = Extent::of(shape).map_or(f64::INFINITY, |extent| extent.reach);
        return climbed(polytope, pose, reach, &mut [0; 6]);
    }
    let along_rows = |reach: &dyn Fn(Vec3) -> f64| Vec3::from(rows(pose).map(reach));
    let symmetric = |reach: &dyn Fn(Vec3) -> f64| around(pose.translation(), along_rows(reach));
    match shape {
        Shape::Sphere(sphere) => symmetric(&|row| row.length() * sphere.radius()),
        Shape::Capsule(capsule) => {
            symmetric(&|row| row.z.abs() * capsule.half_height() + row.length() * capsule.radius())
        }
        Shape::Cylinder(cylinder) => symmetric(&|row| {
            row.z.abs() * cylinder.half_height() + row.truncate().length() * cylinder.radius()
        }),
        Shape::Cone(cone) => {
            let reach = |row: Vec3| {
                let base = row.truncate().length() * cone.radius() - row.z * cone.half_height();
                base.max(row.z * cone.half_height())
            };
            let at = pose.translation();
            (at - along_rows(&|row| reach(-row)), at + along_rows(&reach))
        }
        Shape::Ellipsoid(ellipsoid) => symmetric(&|row| length(row * ellipsoid.radii())),
        Shape::Rounded(rounded) => {
            let core = rounded.core();
            let inner = in_lanes!(simd => tightest(simd, core, pose));
            let grown = along_rows(&|row| row.length() * rounded.radius());
            (inner.0 - grown, inner.1 + grown)
        }
        Shape::Custom(custom) => {
            // Support points may be short of the farthest by the error, and off to the side by as much.
            let blur = Vec3::splat(2.0 * custom.support_error() * (1.0 + 2.0 * pose.deviation()));
            let along = |row: Vec3| row.dot(custom.support(row));
            let at = pose.translation();
            (
                at - along_rows(&|row| along(-row)) - blur,
                at + along_rows(&along) + blur,
            )
        }
        // Polytopes are answered above. The others are not asked for; the largest box is right for them, too.
        Shape::Cuboid(_)
        | Shape::Polytope(_)
        | Shape::Mesh(_)
        | Shape::Solid(_)
        | Shape::HeightField(_)
        | Shape::HalfSpace(_) => around(Vec3::ZERO, Vec3::INFINITY),
    }
}

/// The rows of the matrix of a pose.
#[inline(always)]
fn rows(pose: &Pose) -> [Vec3; 3] {
    let matrix = pose.matrix();
    [matrix.row(0), matrix.row(1), matrix.row(2)]
}
