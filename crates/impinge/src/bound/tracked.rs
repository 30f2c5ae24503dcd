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
//! [`BoxKind::Automatic`] makes it, by the size of both boxes when the body comes.
//!
//! **Rounding.** With `u` half an EPSILON, a coordinate of a placed point is off by at most `4 u` times the sum of its
//! products, at most twice the reach, and by `u` times the translation. What is computed here (sums of at most four
//! products of that size, the radius or extremes of the body) adds no more than as much again. [`error`] is above both.

use super::Extent;
use super::extent::length;
use crate::math::{Aabb, Pose, Vec3};
use crate::shape::{DOT_ERROR, Packed, Polytope, Shape};
use fearless_simd::{Level, Simd, dispatch};

/// Which boxes bodies get.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum BoxKind {
    /// A cube that holds the body however it is turned: quickest to place, and the largest.
    Fixed,
    /// The box of the body's own frame, turned, and boxed again; never larger than the fixed one.
    Oriented,
    /// The tightest box, from the extreme points of the body; for meshes the oriented one.
    Dynamic,
    /// For each body the fixed cube, if it is round and has many vertices, or else the dynamic box.
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
pub struct TrackedBox {
    /// Not [`BoxKind::Automatic`]: that is decided.
    kind: BoxKind,
    /// None for a half-space.
    extent: Option<Extent>,
    /// The last known extreme vertices of a large polytope: lowest and highest on each axis.
    extremes: [u32; 6],
}

impl TrackedBox {
    /// For a body of that shape.
    pub fn new(shape: &Shape, kind: BoxKind) -> TrackedBox {
        let extent = Extent::of(shape);
        let kind = match (kind, &extent) {
            (BoxKind::Automatic, Some(extent)) if is_round(shape, extent) => BoxKind::Fixed,
            (BoxKind::Automatic, _) => BoxKind::Dynamic,
            (kind, _) => kind,
        };
        TrackedBox {
            kind,
            extent,
            extremes: [0; 6],
        }
    }

    /// The box of the shape, which must be that of [`TrackedBox::new`], at a pose. A half-space gets the largest box that
    /// there is, and so does a body whose coordinates leave the range of `f64`.
    pub fn at(&mut self, shape: &Shape, pose: &Pose) -> Aabb {
        dispatch!(Level::new(), simd => self.fit(simd, shape, pose))
    }

    /// The reach of [`Extent`]; 0 for a half-space.
    pub(crate) fn reach(&self) -> f64 {
        self.extent.map_or(0.0, |extent| extent.reach)
    }

    /// [`TrackedBox::at`], for loops that have chosen their instructions.
    #[inline(always)]
    pub(crate) fn fit<S: Simd>(&mut self, simd: S, shape: &Shape, pose: &Pose) -> Aabb {
        let Some(extent) = &self.extent else {
            return everything();
        };
        let (min, max) = match self.kind {
            BoxKind::Fixed => fixed(extent, pose),
            BoxKind::Oriented => oriented(extent, pose),
            BoxKind::Dynamic | BoxKind::Automatic => {
                tightest(simd, extent, shape, pose, &mut self.extremes)
            }
        };
        let error = error(extent.reach, pose);
        let (min, max) = (min - Vec3::splat(error), max + Vec3::splat(error));
        if (max - min).is_finite() {
            Aabb::between(min, max)
        } else {
            everything()
        }
    }
}

/// Whether the cube about the ball of a polytope is hardly larger than its tightest boxes, which would cost much more.
fn is_round(shape: &Shape, extent: &Extent) -> bool {
    let is_costly = shape
        .as_polytope()
        .is_some_and(|p| p.vertices().len() > CHEAP);
    is_costly && extent.half.min_element() > 0.9 * extent.radius
}

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
fn fixed(extent: &Extent, pose: &Pose) -> Ends {
    // The matrix stretches by at most 1.5 times its deviation.
    let radius = extent.radius * (1.0 + 2.0 * pose.deviation());
    around(pose.place(extent.center), Vec3::splat(radius))
}

#[inline(always)]
fn oriented(extent: &Extent, pose: &Pose) -> Ends {
    let matrix = pose.matrix();
    let half = matrix.x_axis.abs() * extent.half.x
        + matrix.y_axis.abs() * extent.half.y
        + matrix.z_axis.abs() * extent.half.z;
    let (min, max) = around(pose.place(extent.middle), half);
    let (fixed_min, fixed_max) = fixed(extent, pose);
    (min.max(fixed_min), max.min(fixed_max))
}

#[inline(always)]
fn around(center: Vec3, half: Vec3) -> Ends {
    (center - half, center + half)
}

#[inline(always)]
fn tightest<S: Simd>(
    simd: S,
    extent: &Extent,
    shape: &Shape,
    pose: &Pose,
    extremes: &mut [u32; 6],
) -> Ends {
    if let Some(polytope) = shape.as_polytope() {
        return match polytope
            .packed()
            .filter(|packed| packed.vertices.is_scanned())
        {
            Some(packed) => scanned(simd, packed, pose),
            None => climbed(polytope, pose, extremes),
        };
    }
    curved(extent, shape, pose)
}

/// The box of few vertices: the ranges of their products with the rows of the matrix, in `f32`.
#[inline(always)]
fn scanned<S: Simd>(simd: S, packed: &Packed, pose: &Pose) -> Ends {
    let [x, y, z] = rows(pose);
    let rows = [narrowed(x), narrowed(y), narrowed(z)];
    let [low, high] = packed.vertices.ranges_along(simd, rows);
    // Rows have unit length up to the deviation of the matrix, which is at most 1e-6.
    let blur = DOT_ERROR * (1.0 + 1e-5);
    let center = pose.place(packed.center);
    (
        center + (widened(low) - Vec3::splat(blur)) * packed.scale,
        center + (widened(high) + Vec3::splat(blur)) * packed.scale,
    )
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
#[cold]
fn climbed(polytope: &Polytope, pose: &Pose, extremes: &mut [u32; 6]) -> Ends {
    let (mut min, mut max) = (Vec3::ZERO, Vec3::ZERO);
    for (axis, row) in rows(pose).into_iter().enumerate() {
        let [low, high] = [2 * axis, 2 * axis + 1];
        extremes[low] = polytope.climb(-row, extremes[low]);
        extremes[high] = polytope.climb(row, extremes[high]);
        let placed = |k: usize| pose.place(polytope.vertices()[extremes[k] as usize])[axis];
        (min[axis], max[axis]) = (placed(low), placed(high));
    }
    (min, max)
}

/// The closed forms. A row of the matrix is what the body sees of a world axis; how far the body reaches along it is its
/// support function.
fn curved(extent: &Extent, shape: &Shape, pose: &Pose) -> Ends {
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
            // A core is convex, so the extent, that of the rounded shape, is not asked for.
            let core = rounded.core();
            let inner =
                dispatch!(Level::new(), simd => tightest(simd, extent, core, pose, &mut [0; 6]));
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
        // Polytopes are not curved, and half-spaces have no extent; neither comes here.
        Shape::Mesh(_)
        | Shape::Solid(_)
        | Shape::Cuboid(_)
        | Shape::Polytope(_)
        | Shape::HalfSpace(_) => oriented(extent, pose),
    }
}

/// The rows of the matrix of a pose.
#[inline(always)]
fn rows(pose: &Pose) -> [Vec3; 3] {
    let matrix = pose.matrix();
    [matrix.row(0), matrix.row(1), matrix.row(2)]
}
