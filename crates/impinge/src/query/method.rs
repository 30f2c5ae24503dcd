//! The questions, answered by a method of the caller's choice.
//!
//! The default picks by itself and is the quickest. The others are here for those who know why: to compare, to study, or to
//! follow a source. All give the same booleans, and distances whose certified intervals overlap.

use super::{distance, intersects, within};
use crate::bvh::{TreeKind, TreePair, TreeSearch};
use crate::contact::{Feature, Separation, Witness};
use crate::error::Error;
use crate::math::{Interval, Vec3, unit};
use crate::narrow::gjk::{self, GjkCache, GjkDistance};
use crate::narrow::lin_canny::{self, FeatureCache, Start};
use crate::narrow::{mesh, spanned};
use crate::reference;
use crate::shape::{Placed, Polytope, Shape, SupportMap, TriMesh};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// A way to find out how two shapes stand.
///
/// ```
/// # use impinge::{Pose, Shape, Vec3, query::{self, Method}};
/// let cube = Shape::cuboid(Vec3::ONE)?;
/// let beside = Pose::from_translation(Vec3::new(2.5, 0.25, 0.0))?;
/// for method in [Method::Default, Method::Reference, Method::Gjk, Method::LinCanny] {
///     let near = query::distance_by(method, cube.at(Pose::IDENTITY), cube.at(beside))?;
///     assert!(near.bounds.contains(0.5), "{method}");
/// }
/// assert_eq!("lin-canny".parse(), Ok(Method::LinCanny));
/// # Ok::<(), impinge::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Method {
    /// What the functions without a method do: for all shapes.
    #[default]
    Default,
    /// The slow, obviously right way of [`mod@reference`]: for all shapes.
    Reference,
    /// [`gjk`]: for bounded convex shapes. What its interval leaves open is asked of the reference. Curved shapes get wider
    /// intervals than by the others, of about 1e-9 of their size.
    Gjk,
    /// [`lin_canny`]: for polytopes and boxes.
    LinCanny,
    /// A tree of [`bvh`](crate::bvh): for meshes and solids. The trees are built for each question; [`TreePair`] keeps them.
    Tree(TreeKind),
}

impl Method {
    /// All methods.
    pub const ALL: [Method; 4 + TreeKind::ALL.len()] = {
        let mut all = [Method::Default; 4 + TreeKind::ALL.len()];
        (all[1], all[2], all[3]) = (Method::Reference, Method::Gjk, Method::LinCanny);
        let mut k = 0;
        while k < TreeKind::ALL.len() {
            all[4 + k] = Method::Tree(TreeKind::ALL[k]);
            k += 1;
        }
        all
    };

    /// Its name: `default`, `reference`, `gjk`, `lin-canny`, and that of a tree with `-tree` behind it, as in `obb-tree`.
    pub fn name(self) -> &'static str {
        match self {
            Method::Default => "default",
            Method::Reference => "reference",
            Method::Gjk => "gjk",
            Method::LinCanny => "lin-canny",
            Method::Tree(kind) => kind.method_name(),
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Method {
    type Err = Error;

    fn from_str(name: &str) -> Result<Method, Error> {
        let known = Method::ALL.into_iter().find(|method| method.name() == name);
        known.ok_or_else(|| Error::UnknownName {
            what: "method",
            name: name.to_owned(),
            known: Method::ALL.map(Method::name).to_vec(),
        })
    }
}

/// Whether two placed shapes share a point, by a named method; the answer is that of [`intersects`]. Fails for shapes that the
/// method does not know.
pub fn intersects_by(method: Method, a: Placed<'_>, b: Placed<'_>) -> Result<bool, Error> {
    match method {
        Method::Default => Ok(intersects(a, b)),
        Method::Reference => Ok(reference::intersects(a, b)),
        Method::Gjk => gjk_within(a, b, 0.0),
        Method::LinCanny => Ok(track(a, b)?.distance == 0.0),
        Method::Tree(kind) => {
            let trees = trees_of(kind, &a, &b)?;
            let meeting = trees.meeting([a.pose, b.pose], &mut TreeSearch::default());
            Ok(meeting.is_some() || mesh::contained(&a, &b).is_some())
        }
    }
}

/// Whether the distance is at most `gap`, by a named method; the answer is that of [`within`].
pub fn within_by(method: Method, a: Placed<'_>, b: Placed<'_>, gap: f64) -> Result<bool, Error> {
    match method {
        Method::Default => Ok(within(a, b, gap)),
        Method::Reference => Ok(reference::within(a, b, gap)),
        Method::Gjk => gjk_within(a, b, gap),
        Method::LinCanny => {
            let bounds = track(a, b)?.bounds;
            Ok(decide(bounds, gap).unwrap_or_else(|| reference::within(a, b, gap)))
        }
        Method::Tree(kind) => {
            let bounds = tree_distance(kind, a, b)?.bounds;
            Ok(decide(bounds, gap).unwrap_or_else(|| reference::within(a, b, gap)))
        }
    }
}

/// How far two placed shapes are apart, by a named method.
pub fn distance_by(method: Method, a: Placed<'_>, b: Placed<'_>) -> Result<Separation, Error> {
    match method {
        Method::Default => Ok(distance(a, b)),
        Method::Reference => Ok(reference::distance(a, b)),
        Method::Gjk => gjk_distance(a, b),
        Method::LinCanny => track(a, b),
        Method::Tree(kind) => tree_distance(kind, a, b),
    }
}

/// What an interval says about a gap.
fn decide(bounds: Interval, gap: f64) -> Option<bool> {
    if bounds.upper <= gap {
        Some(true)
    } else if bounds.lower > gap {
        Some(false)
    } else {
        None
    }
}

/// A bounded convex shape as the support points of its core, and a radius. The radius is not turned with the shape, whose matrix may be a little
/// off a rotation, so it stays apart.
#[derive(Debug)]
struct Supports<'a> {
    core: Core<'a>,
    /// A sum of radii is rounded.
    radius: Interval,
}

#[derive(Debug)]
enum Core<'a> {
    Map(&'a dyn SupportMap),
    /// The centre of a ball.
    Point,
    /// The axis of a capsule, of this half height.
    Segment(f64),
}

impl<'a> Supports<'a> {
    fn of(shape: &'a Shape) -> Result<Supports<'a>, Error> {
        let plain = |map: &'a dyn SupportMap| (Core::Map(map), 0.0);
        let (core, radius) = match shape {
            Shape::Sphere(s) => (Core::Point, s.radius()),
            Shape::Capsule(c) => (Core::Segment(c.half_height()), c.radius()),
            Shape::Cuboid(c) => plain(c),
            Shape::Cylinder(c) => plain(c),
            Shape::Cone(c) => plain(c),
            Shape::Ellipsoid(e) => plain(e),
            Shape::Polytope(p) => plain(&**p),
            Shape::Custom(c) => plain(c.map()),
            Shape::Rounded(r) => {
                let core = Supports::of(r.core())?;
                let radius = sum(core.radius, Interval::exact(r.radius()));
                return Ok(Supports { radius, ..core });
            }
            Shape::HalfSpace(_) | Shape::Mesh(_) | Shape::Solid(_) | Shape::HeightField(_) => {
                return Err(Error::WrongShape {
                    message: "gjk needs bounded convex shapes: no half-spaces, meshes or solids",
                });
            }
        };
        let radius = Interval::exact(radius);
        Ok(Supports { core, radius })
    }
}

/// The sum of two intervals of numbers that are not negative, rounded outward.
fn sum(x: Interval, y: Interval) -> Interval {
    if x.upper == 0.0 {
        return y;
    }
    if y.upper == 0.0 {
        return x;
    }
    Interval {
        lower: (x.lower + y.lower).next_down(),
        upper: (x.upper + y.upper).next_up(),
    }
}

impl SupportMap for Supports<'_> {
    fn support(&self, direction: Vec3) -> Vec3 {
        match self.core {
            Core::Map(map) => map.support(direction),
            Core::Point => Vec3::ZERO,
            Core::Segment(half_height) => Vec3::Z * half_height.copysign(direction.z),
        }
    }
}

/// What the search found out about two shapes.
struct Found<'a> {
    sides: [Supports<'a>; 2],
    /// Of the cores.
    near: GjkDistance,
    cache: GjkCache,
    /// The distance of the shapes themselves, at least 0.
    bounds: Interval,
}

fn descend<'a>(a: &Placed<'a>, b: &Placed<'a>) -> Result<Found<'a>, Error> {
    let sides = [Supports::of(a.shape)?, Supports::of(b.shape)?];
    let mut cache = GjkCache::default();
    let near = gjk::distance(&sides[0], &a.pose, &sides[1], &b.pose, &mut cache);
    let reach = sum(sides[0].radius, sides[1].radius);
    let bounds = if reach.upper == 0.0 {
        near.bounds
    } else {
        Interval {
            lower: (near.bounds.lower - reach.upper).next_down().max(0.0),
            upper: (near.bounds.upper - reach.lower).next_up().max(0.0),
        }
    };
    Ok(Found {
        sides,
        near,
        cache,
        bounds,
    })
}

fn gjk_within(a: Placed<'_>, b: Placed<'_>, gap: f64) -> Result<bool, Error> {
    let bounds = descend(&a, &b)?.bounds;
    // That two shapes touch is for exact arithmetic to say.
    let quick = decide(bounds, gap).filter(|answer| !answer || gap > 0.0);
    Ok(quick.unwrap_or_else(|| reference::within(a, b, gap)))
}

fn gjk_distance(a: Placed<'_>, b: Placed<'_>) -> Result<Separation, Error> {
    let found = descend(&a, &b)?;
    let bounds = found.bounds;
    if bounds.lower <= 0.0 {
        return Ok(reference::distance(a, b));
    }
    let Witness { a: p, b: q } = found.near.witness;
    let along = q - p;
    let Some(direction) = unit(along) else {
        return Ok(reference::distance(a, b));
    };
    let feature = |placed: &Placed<'_>, side: usize, outward: Vec3| {
        let directions = found.cache.directions().iter();
        let corners: Vec<Vec3> = directions
            .map(|pair| found.sides[side].support(pair[side]))
            .collect();
        carrier(placed.shape, &corners, placed.pose.unrotate(outward))
    };
    let [r, s] = found.sides.each_ref().map(|side| side.radius.upper);
    Ok(Separation {
        distance: (direction.dot(along) - (r + s)).clamp(bounds.lower, bounds.upper),
        bounds,
        witness: Witness {
            a: p + direction * r,
            b: q - direction * s,
        },
        features: [feature(&a, 0, along), feature(&b, 1, -along)],
    })
}

/// What support points of a shape span.
fn carrier(shape: &Shape, points: &[Vec3], outward: Vec3) -> Feature {
    let Some(polytope) = shape.as_polytope() else {
        return Feature::Surface;
    };
    let index = |point: &Vec3| {
        let place = polytope.vertices().iter().position(|v| v == point);
        place.map(|place| place as u32)
    };
    let vertices: Vec<u32> = points.iter().filter_map(index).collect();
    named(shape, spanned(polytope, &vertices, || outward))
}

/// The name of a part of a shape's polytope: boxes have their own.
fn named(shape: &Shape, part: Feature) -> Feature {
    if let Shape::Cuboid(cuboid) = shape {
        cuboid.name_of(part)
    } else {
        part
    }
}

fn track(a: Placed<'_>, b: Placed<'_>) -> Result<Separation, Error> {
    let [p, q] = [require_polytope(a.shape)?, require_polytope(b.shape)?];
    let mut cache = FeatureCache::default();
    let tracked = lin_canny::closest(p, &a.pose, q, &b.pose, Start::Previous, &mut cache);
    let [on_a, on_b] = tracked.separation.features;
    Ok(Separation {
        features: [named(a.shape, on_a), named(b.shape, on_b)],
        ..tracked.separation
    })
}

fn require_polytope(shape: &Shape) -> Result<&Polytope, Error> {
    shape.as_polytope().ok_or(Error::WrongShape {
        message: "lin-canny needs polytopes or boxes without a radius",
    })
}

fn tree_distance(kind: TreeKind, a: Placed<'_>, b: Placed<'_>) -> Result<Separation, Error> {
    let trees = trees_of(kind, &a, &b)?;
    let (found, _) = trees.closest([a.pose, b.pose], None, &mut TreeSearch::default());
    let is_apart = found.distance > 0.0;
    let contained = is_apart.then(|| mesh::contained(&a, &b)).flatten();
    Ok(contained.unwrap_or(found))
}

fn trees_of(kind: TreeKind, a: &Placed<'_>, b: &Placed<'_>) -> Result<TreePair, Error> {
    let [p, q] = [require_mesh(a.shape)?, require_mesh(b.shape)?];
    Ok(TreePair::new(kind, &p, &q))
}

fn require_mesh(shape: &Shape) -> Result<Arc<TriMesh>, Error> {
    if let Shape::Mesh(mesh) = shape {
        return Ok(Arc::clone(mesh));
    }
    let mesh = shape.as_mesh().ok_or(Error::WrongShape {
        message: "trees of bounding volumes need meshes or solids",
    })?;
    Ok(Arc::new(mesh.clone()))
}
