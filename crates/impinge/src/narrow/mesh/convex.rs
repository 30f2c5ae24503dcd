//! A placed mesh and a placed convex shape.
//!
//! The shape is a core and a radius, and the core has a box, which is compared with the boxes of the tree. Boxes wait in a
//! queue, the nearest first, and are dropped when they are farther from the core than the radius and what is asked for. The triangles
//! of leaves that are left are compared with the shape one by one, as convex pairs are (`primitive`); what that leaves open is
//! asked of the reference, for that one triangle.
//!
//! **Invariant.** As for two meshes: what is dropped is farther apart than asked for, or than a triangle that was measured.
//! A half-space has no box; its plane leads instead ([`Plane`]).

use super::boxes::{Probe, distances};
use super::frame::{Frame, Frames};
use super::inside::locate_point;
use super::leaves::distances_to_box;
use super::plane::{Plane, half_space_of};
use super::queue::{Entry, Queue, with_queue};
use super::side::{Made, Side};
use super::work;
use crate::bound::Extent;
use crate::contact::{Feature, Separation, Tolerance};
use crate::exact::Location;
use crate::lanes::in_lanes;
use crate::math::{Interval, Pose, Vec3};
use crate::narrow::cache::{Last, PairCache};
use crate::narrow::primitive::{triangle_distance, triangle_within};
use crate::reference;
use crate::shape::{BLOCK, Block, Child, HalfSpace, Node, Obb, Placed, Shape, Slot, TriMesh};
use fearless_simd::Simd;

/// A mesh and a convex shape.
#[derive(Debug)]
pub(super) struct MeshAndConvex<'a> {
    mesh: Side<'a>,
    other: &'a Placed<'a>,
    frames: Frames,
    lead: Lead,
    /// The radius around the core, rounded up.
    radius: f64,
}

/// What leads to the triangles that are near the shape, in the frame of the tree.
#[derive(Debug, Clone, Copy)]
enum Lead {
    /// The box of the core.
    Core(Obb),
    /// The plane of the half-space.
    Plane(Plane),
}

/// The same in all lanes.
#[derive(Clone, Copy)]
enum WideLead<S: Simd> {
    Core(Probe<S>),
    Plane(Plane),
}

impl Lead {
    #[inline(always)]
    fn in_lanes<S: Simd>(&self, simd: S) -> WideLead<S> {
        match self {
            Lead::Core(obb) => WideLead::Core(Probe::new(simd, obb)),
            Lead::Plane(plane) => WideLead::Plane(*plane),
        }
    }

    /// How far the triangles of a leaf are away, at least, if the error is taken off.
    #[inline(always)]
    fn distances_to<S: Simd>(&self, simd: S, block: &Block) -> [f32; BLOCK] {
        match self {
            Lead::Core(obb) => distances_to_box(simd, block, obb),
            Lead::Plane(plane) => plane.heights_of_triangles(simd, block),
        }
    }
}

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Goal {
    Closest,
    /// A triangle that is surely not farther away than the closest by more than this.
    Approximate(Tolerance),
    Within(f64),
    /// All triangles that meet the shape.
    Meeting,
}

impl Goal {
    /// Given that a triangle is at most so far away: triangles that are farther away than what comes out do not matter.
    fn limit(self, upper: f64) -> f64 {
        match self {
            Goal::Closest | Goal::Within(_) | Goal::Meeting => upper,
            Goal::Approximate(tolerance) => tolerance.below(upper),
        }
    }
}

/// A search among the triangles.
#[derive(Debug)]
struct Search<'p, 'a> {
    pair: &'p MeshAndConvex<'a>,
    goal: Goal,
    /// In units of the tree: cores farther away do not matter.
    limit: f32,
    /// The closest triangle, and the least lower bound of all measured.
    best: Option<(u32, Separation)>,
    lower: f64,
    /// The triangle that ended the search.
    found: Option<u32>,
    /// The triangles that meet the shape, if these are asked for.
    meeting: Vec<u32>,
}

impl<'a> MeshAndConvex<'a> {
    /// `None` for numbers of extreme size.
    pub(super) fn new(mesh: Side<'a>, other: &'a Placed<'a>) -> Option<MeshAndConvex<'a>> {
        if let Some((half_space, radius)) = half_space_of(other.shape) {
            return MeshAndConvex::with_half_space(mesh, other, half_space, radius);
        }
        let core = CoreBox::of(other.shape)?;
        let unit = mesh.frame().unit;
        let frame = Frame {
            pose: &other.pose,
            center: core.middle,
            unit,
        };
        let frames = Frames::new(&mesh.frame(), &frame)?;
        let half = core.half / unit;
        let half = half + Vec3::splat(SLACK * half.element_sum());
        if half.max_element() > LARGEST || core.radius > LARGEST * unit {
            return None;
        }
        let own = Obb {
            center: [0.0; 3],
            axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            half: half.as_vec3().to_array(),
        };
        Some(MeshAndConvex {
            mesh,
            other,
            lead: Lead::Core(frames.into_a.obb(&own)),
            frames,
            radius: core.radius,
        })
    }

    fn with_half_space(
        mesh: Side<'a>,
        other: &'a Placed<'a>,
        half_space: &HalfSpace,
        radius: f64,
    ) -> Option<MeshAndConvex<'a>> {
        let frame = Frame {
            pose: &other.pose,
            center: Plane::foot(half_space, &other.pose, &mesh.frame()),
            unit: mesh.frame().unit,
        };
        let frames = Frames::new(&mesh.frame(), &frame)?;
        let plane = Plane {
            through: frames.into_a.shift,
            up: Plane::up_in(half_space, &other.pose, &mesh.frame())?,
        };
        (radius <= LARGEST * frame.unit).then_some(MeshAndConvex {
            mesh,
            other,
            frames,
            lead: Lead::Plane(plane),
            radius,
        })
    }

    /// What the distances of boxes and triangles may be too much, in units of the tree.
    #[inline(always)]
    fn error(&self) -> f32 {
        match self.lead {
            Lead::Core(_) => self.frames.error_a,
            // Once more for the foot, which is rounded, and for the normal.
            Lead::Plane(_) => 2.0 * self.frames.error_a,
        }
    }

    /// Whether the distance is at most `gap`, finite and not negative.
    pub(super) fn within(&self, gap: f64, cache: &mut PairCache) -> bool {
        let search = self.search(Goal::Within(gap), cache);
        if let Some(triangle) = search.found {
            cache.keep_triangles([triangle, 0], Last::Overlapping);
        }
        search.found.is_some() || self.is_contained()
    }

    /// How far they are apart, the mesh being the first.
    pub(super) fn distance(&self, goal: Goal, cache: &mut PairCache) -> Separation {
        let search = self.search(goal, cache);
        let (triangle, near) = search.best.expect("every mesh has a triangle");
        cache.keep_triangles([triangle, 0], Last::Apart);
        if search.found.is_none() && self.is_contained() {
            return Separation::meeting_at(self.some_point(), [Feature::Inside, Feature::Inside]);
        }
        let features = [self.named(triangle, near.features[0]), near.features[1]];
        let lower = search.lower.min(near.bounds.lower);
        let lower = lower.min(goal.limit(near.bounds.upper));
        let bounds = Interval {
            lower,
            ..near.bounds
        };
        Separation {
            bounds,
            features,
            ..near
        }
    }

    /// The triangles that meet the shape, sorted.
    pub(super) fn meeting(&self) -> Vec<u32> {
        let mut meeting = self.search(Goal::Meeting, &PairCache::default()).meeting;
        meeting.sort_unstable();
        meeting
    }

    fn search(&self, goal: Goal, cache: &PairCache) -> Search<'_, 'a> {
        let mut search = Search {
            pair: self,
            goal,
            limit: match goal {
                Goal::Closest | Goal::Approximate(_) => f32::INFINITY,
                Goal::Within(gap) => self.frames.units_above(gap + self.radius).next_up(),
                Goal::Meeting => self.frames.units_above(self.radius).next_up(),
            },
            best: None,
            lower: f64::INFINITY,
            found: None,
            meeting: Vec::new(),
        };
        if let Some([triangle, _]) = cache.triangles().filter(|[t, _]| self.mesh.has(*t)) {
            search.visit(triangle);
        }
        if search.found.is_none() {
            in_lanes!(simd => search.run(simd));
        }
        search
    }

    /// The mesh's name for a part of one of its triangles.
    fn named(&self, triangle: u32, part: Feature) -> Feature {
        match part {
            Feature::Vertex(k) => {
                let corners = self.mesh.vertices_of(triangle);
                Feature::Vertex(corners[k as usize % 3])
            }
            Feature::Edge(k) => Feature::Edge(3 * triangle + k),
            Feature::Face(_) => Feature::Face(triangle),
            Feature::Surface | Feature::Inside => part,
        }
    }

    /// Whether the shape is inside the mesh, which is a solid, given that it does not meet the surface.
    fn is_contained(&self) -> bool {
        // A half-space never is.
        let is_bounded = matches!(self.lead, Lead::Core(_));
        is_bounded
            && self.mesh.is_solid
            && locate_point(&self.mesh, self.some_point()) != Location::Outside
    }

    /// A point of the convex shape.
    fn some_point(&self) -> Vec3 {
        point_of(self.other.shape, &self.other.pose)
    }
}

/// A point of a bounded convex shape: a placed vertex, or the centre.
fn point_of(shape: &Shape, pose: &Pose) -> Vec3 {
    match shape {
        Shape::Cuboid(cuboid) => pose.place(cuboid.corners()[0]),
        Shape::Polytope(polytope) => pose.place(polytope.vertices()[0]),
        Shape::Capsule(capsule) => pose.place(Vec3::Z * capsule.half_height()),
        Shape::Custom(custom) => pose.place(custom.support(Vec3::X)),
        Shape::Rounded(rounded) => point_of(rounded.core(), pose),
        Shape::Sphere(_)
        | Shape::Cylinder(_)
        | Shape::Cone(_)
        | Shape::Ellipsoid(_)
        | Shape::HalfSpace(_)
        | Shape::Mesh(_)
        | Shape::Solid(_)
        | Shape::HeightField(_) => pose.place(Vec3::ZERO),
    }
}

/// A box around the core of a convex shape, in the frame of the shape, and the radius around the core.
#[derive(Debug, Clone, Copy)]
pub(in crate::narrow) struct CoreBox {
    pub(in crate::narrow) middle: Vec3,
    pub(in crate::narrow) half: Vec3,
    pub(in crate::narrow) radius: f64,
}

/// By how much the box of a core is made larger, as a share of its size: for the rounding of its axes and edges.
pub(in crate::narrow) const SLACK: f64 = 1.0 / (1 << 16) as f64;
/// Larger shapes, in units of the tree, are not computed with in `f32`.
pub(in crate::narrow) const LARGEST: f64 = (1_u64 << 50) as f64;

impl CoreBox {
    /// `None` for a half-space.
    pub(in crate::narrow) fn of(shape: &Shape) -> Option<CoreBox> {
        let thin = |half: Vec3, radius: f64| CoreBox {
            middle: Vec3::ZERO,
            half,
            radius,
        };
        match shape {
            Shape::Sphere(sphere) => Some(thin(Vec3::ZERO, sphere.radius())),
            Shape::Capsule(capsule) => {
                Some(thin(Vec3::Z * capsule.half_height(), capsule.radius()))
            }
            Shape::Rounded(rounded) => {
                let core = CoreBox::of(rounded.core())?;
                let radius = (core.radius + rounded.radius()).next_up();
                Some(CoreBox { radius, ..core })
            }
            Shape::Cuboid(_)
            | Shape::Cylinder(_)
            | Shape::Cone(_)
            | Shape::Ellipsoid(_)
            | Shape::HalfSpace(_)
            | Shape::Polytope(_)
            | Shape::Mesh(_)
            | Shape::Solid(_)
            | Shape::HeightField(_)
            | Shape::Custom(_) => {
                let Extent { middle, half, .. } = Extent::of(shape)?;
                Some(CoreBox {
                    middle,
                    half,
                    radius: 0.0,
                })
            }
        }
    }
}

impl Search<'_, '_> {
    #[inline(always)]
    fn run<S: Simd>(&mut self, simd: S) {
        let pair = self.pair;
        let lead = pair.lead.in_lanes(simd);
        with_queue(
            #[inline(always)]
            |queue| {
                let mut made = Made::NEW;
                queue.push(Entry::new(Slot::ROOT, Slot::ROOT, 0.0));
                let mut nodes = 0;
                while let Some(entry) = queue.pop() {
                    if entry.below() > self.limit || self.found.is_some() {
                        break;
                    }
                    nodes += 1;
                    match pair.mesh.child(entry.a) {
                        Child::Node(number) => {
                            let node = pair.mesh.node(number, &mut made.node);
                            self.open(simd, &lead, (number, node), queue);
                        }
                        Child::Block(block) => {
                            self.visit_leaf(simd, pair.mesh.block(block, &mut made.blocks[0]));
                        }
                    }
                }
                work::add(nodes, 0);
            },
        );
    }

    #[inline(always)]
    fn open<S: Simd>(
        &self,
        simd: S,
        lead: &WideLead<S>,
        (number, node): (u32, &Node),
        queue: &mut Queue,
    ) {
        let found = match lead {
            WideLead::Core(probe) => distances(simd, probe, node),
            WideLead::Plane(plane) => plane.heights(simd, node),
        };
        for lane in node.lanes() {
            let below = found[lane] - self.pair.error();
            if below <= self.limit {
                queue.push(Entry::new(Slot::new(number, lane), Slot::ROOT, below));
            }
        }
    }

    #[inline(always)]
    fn visit_leaf<S: Simd>(&mut self, simd: S, block: &Block) {
        let pair = self.pair;
        let mut below = pair.lead.distances_to(simd, block);
        let count = block.distinct().len();
        below[count..].fill(f32::INFINITY);
        for _ in 0..count {
            let mut nearest = 0;
            for lane in 1..BLOCK {
                if below[lane] < below[nearest] {
                    nearest = lane;
                }
            }
            if below[nearest] - pair.error() > self.limit || self.found.is_some() {
                return;
            }
            below[nearest] = f32::INFINITY;
            self.visit(block.triangles[nearest]);
        }
    }

    /// Compares a triangle with the shape.
    fn visit(&mut self, triangle: u32) {
        work::add(0, 1);
        let corners = self.pair.mesh.placed(triangle);
        match self.goal {
            Goal::Within(gap) => {
                if is_within(&corners, self.pair.other, gap) {
                    self.found = Some(triangle);
                }
            }
            Goal::Meeting => {
                if is_within(&corners, self.pair.other, 0.0) {
                    self.meeting.push(triangle);
                }
            }
            Goal::Closest | Goal::Approximate(_) => {
                let near = measure(&corners, self.pair.other);
                self.lower = self.lower.min(near.bounds.lower);
                let upper = self
                    .best
                    .map_or(f64::INFINITY, |(_, best)| best.bounds.upper);
                if self.best.is_none() || near.bounds.upper < upper {
                    self.best = Some((triangle, near));
                    let core = self.goal.limit(near.bounds.upper) + self.pair.radius;
                    self.limit = self.pair.frames.units_above(core).next_up();
                }
                if near.distance <= 0.0 {
                    self.best = Some((triangle, near));
                    self.found = Some(triangle);
                }
            }
        }
    }
}

/// The triangles of a mesh that meet a convex shape, one after the other.
pub(super) fn meeting_of_all(mesh: &Side<'_>, other: &Placed<'_>) -> Vec<u32> {
    let meets = |triangle: &u32| is_within(&mesh.placed(*triangle), other, 0.0);
    mesh.numbers().filter(meets).collect()
}

fn is_within(corners: &[Vec3; 3], other: &Placed<'_>, gap: f64) -> bool {
    let quick = triangle_within(corners, other, gap, &mut PairCache::default());
    quick.unwrap_or_else(|| reference::within(alone(corners).at(Pose::IDENTITY), *other, gap))
}

/// How far a triangle and a convex shape are apart.
pub(super) fn measure(corners: &[Vec3; 3], other: &Placed<'_>) -> Separation {
    let quick = triangle_distance(corners, other, &mut PairCache::default());
    quick.unwrap_or_else(|| reference::distance(alone(corners).at(Pose::IDENTITY), *other))
}

/// One triangle as a shape.
#[cold]
fn alone(corners: &[Vec3; 3]) -> Shape {
    let mesh = TriMesh::new(corners.to_vec(), vec![[0, 1, 2]]);
    Shape::from(mesh.expect("the corners are finite and there are three"))
}
