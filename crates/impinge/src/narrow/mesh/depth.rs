//! How deep two solids are inside each other: the deepest point of a surface inside the other.
//!
//! Looked for is the point of the surface of `b` inside `a` that is farthest from the surface of `a`. Cells, which are boxes of the
//! tree of `b` or triangles and parts of triangles, wait in a heap by an upper bound of the depth of their points. It rests on
//! one fact: the distance to a single triangle `t` of `a` is a convex function of the point, so within a cell it is largest at
//! a corner; and the distance to all of `a` is below it. With the triangle nearest to the middle of the cell, the bound is the
//! depth itself where a flat cell lies beside a flat surface. A cell of which the middle is outside, and farther from the
//! surface than its corners from the middle, is outside as a whole and dropped. Deepest points of triangles give lower bounds;
//! a triangle for which the two do not meet is cut in four. (Branch and bound after Land and Doig 1960; for the one-sided
//! Hausdorff distance of meshes Tang, Lee and Kim 2009 bound cells in this way.)
//!
//! **Invariant.** Every point of the surface of `b` inside `a` is in a cell that waits, or is no deeper than the greatest lower bound
//! and the tolerance. Distances of points come with certified intervals; what is inside is decided exactly; midpoints are
//! off their triangle by roundings, which the bounds allow for.
//! **Cost.** Two searches for the nearest triangle a cell. Boxes far from the other surface go at once; a ridge of equally deep
//! points takes cells in proportion to its length divided by the tolerance. After [`MOST_CELLS`] the search ends with the bounds that
//! it has.

use super::convex::{Goal, MeshAndConvex};
use super::frame::Frame;
use super::inside::locate_point;
use super::side::Side;
use super::triangles::{Part, distance_to_triangle};
use crate::contact::{Feature, Separation, SolidDepth, Witness};
use crate::exact::Location;
use crate::math::{Interval, Pose, Vec3};
use crate::narrow::cache::{Last, PairCache};
use crate::shape::{Block, Child, Node, Shape, Slot, Sphere};
use arrayvec::ArrayVec;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// So many cells are looked at, at most.
const MOST_CELLS: usize = 1 << 18;

/// Roundings of coordinates: a cell's points are off by less than this times the largest coordinate.
const ROUNDING: f64 = 16.0 * f64::EPSILON;
/// How far the boxes of a tree are off, in its units.
const STORING: f64 = 4.0 / (1_u64 << 24) as f64;

/// A part of the surface that may hold a deep point.
#[derive(Debug, Clone)]
struct Cell {
    /// No point of it is deeper.
    upper: f64,
    /// The triangle of the other that is nearest to its middle.
    near: u32,
    what: What,
}

#[derive(Debug, Clone, Copy)]
enum What {
    Slot(Slot),
    /// A triangle, or a part of it.
    Triangle(u32, [Vec3; 3]),
}

impl PartialEq for Cell {
    fn eq(&self, other: &Cell) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Cell {}

impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Cell) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Cell {
    fn cmp(&self, other: &Cell) -> Ordering {
        self.upper.total_cmp(&other.upper)
    }
}

/// The deepest point so far.
#[derive(Debug, Clone, Copy)]
struct Deepest {
    depth: Interval,
    /// The point, and the nearest point of the surface that it is under.
    point: Vec3,
    foot: Vec3,
    on: Feature,
    under: Feature,
    /// Whether the point is of the first solid.
    is_first: bool,
}

/// A search for the deepest point of `moving` inside `fixed`.
struct Search<'a> {
    fixed: Side<'a>,
    moving: Side<'a>,
    is_swapped: bool,
    tolerance: f64,
    /// The largest coordinate, or thereabouts.
    size: f64,
}

/// How deep two solids are inside each other that intersect, within a tolerance.
pub(super) fn of_solids(a: Side<'_>, b: Side<'_>, tolerance: f64) -> SolidDepth {
    let size = reach_of(&a).max(reach_of(&b));
    let mut best = None;
    let mut upper: f64 = 0.0;
    for (fixed, moving, is_swapped) in [(a, b, false), (b, a, true)] {
        let search = Search {
            fixed,
            moving,
            is_swapped,
            tolerance,
            size,
        };
        upper = upper.max(search.run(&mut best));
    }
    conclude(best, upper, &a, &b)
}

fn reach_of(side: &Side<'_>) -> f64 {
    let bounds = side.bounds();
    bounds.magnitude() * 2.0 + side.pose.translation().abs().max_element()
}

fn conclude(best: Option<Deepest>, upper: f64, a: &Side<'_>, b: &Side<'_>) -> SolidDepth {
    let Some(best) = best else {
        // They touch from outside, or in surfaces that coincide.
        let point = a.placed(0)[0];
        return SolidDepth {
            depth: 0.0,
            bounds: Interval { lower: 0.0, upper },
            witness: Witness { a: point, b: point },
            features: [a.feature(0, Part::Corner(0)), b.feature(0, Part::Corner(0))],
        };
    };
    let bounds = Interval {
        lower: best.depth.lower,
        upper: upper.max(best.depth.upper),
    };
    let (witness, features) = if best.is_first {
        let (a, b) = (best.point, best.foot);
        (Witness { a, b }, [best.on, best.under])
    } else {
        let (a, b) = (best.foot, best.point);
        (Witness { a, b }, [best.under, best.on])
    };
    SolidDepth {
        depth: (witness.b - witness.a)
            .length()
            .clamp(bounds.lower, bounds.upper),
        bounds,
        witness,
        features,
    }
}

impl Search<'_> {
    /// Looks for deeper points than the best; returns an upper bound for those that there are.
    fn run(&self, best: &mut Option<Deepest>) -> f64 {
        let mut heap = BinaryHeap::from_iter(self.cell(What::Slot(Slot::ROOT), 0, best));
        let mut count = 0;
        // The most that a dropped cell may hold.
        let mut dropped = 0.0;
        while let Some(cell) = heap.pop() {
            if !self.matters(cell.upper, best) || count >= MOST_CELLS {
                return cell.upper.max(dropped);
            }
            for part in self.parts(&cell.what) {
                count += 1;
                match self.cell(part, cell.near, best) {
                    Some(part) if self.matters(part.upper, best) => heap.push(part),
                    Some(part) => dropped = part.upper.max(dropped),
                    None => (),
                }
            }
        }
        dropped
    }

    /// Whether a cell may be deeper than what is known by more than the tolerance.
    fn matters(&self, upper: f64, best: &Option<Deepest>) -> bool {
        upper > best.map_or(0.0, |best| best.depth.lower) + self.tolerance
    }

    /// What a cell is made of.
    fn parts(&self, what: &What) -> ArrayVec<What, 8> {
        match *what {
            What::Slot(slot) => match self.moving.child(slot) {
                Child::Node(node) => {
                    let mut made = Node::NEW;
                    let lanes = self.moving.node(node, &mut made).lanes();
                    lanes
                        .map(|lane| What::Slot(Slot::new(node, lane)))
                        .collect()
                }
                Child::Block(block) => {
                    let mut made = Block::NEW;
                    let triangles = self.moving.block(block, &mut made).distinct();
                    let whole = |t: &u32| What::Triangle(*t, self.moving.placed(*t));
                    triangles.iter().map(whole).collect()
                }
            },
            What::Triangle(triangle, [p, q, r]) => {
                let [pq, qr, rp] = [p.midpoint(q), q.midpoint(r), r.midpoint(p)];
                let parts = [[p, pq, rp], [pq, q, qr], [rp, qr, r], [pq, qr, rp]];
                parts
                    .map(|part| What::Triangle(triangle, part))
                    .into_iter()
                    .collect()
            }
        }
    }

    /// A cell with its bound; `None` when all of it is outside. May find a deeper point.
    fn cell(&self, what: What, near: u32, best: &mut Option<Deepest>) -> Option<Cell> {
        let corners = self.corners(&what);
        let share = 1.0 / corners.len() as f64;
        let middle: Vec3 = corners.iter().map(|p| *p * share).sum();
        let radius = farthest(&corners, |p| (p - middle).length()).1;
        let (near, distance) = self.nearest(middle, near)?;
        let off = self.off(&what);
        if distance.bounds.lower > radius + off && !self.is_inside(middle) {
            return None;
        }
        let nearest = self.fixed.placed(near);
        let (corner, upper) = farthest(&corners, |p| distance_to_triangle(p, &nearest));
        let upper = upper.min(distance.bounds.upper + radius) + off;
        if let What::Triangle(triangle, _) = what
            && self.matters(upper, best)
        {
            self.try_point(corner, triangle, near, best);
            self.try_point(middle, triangle, near, best);
        }
        Some(Cell { upper, near, what })
    }

    /// Points whose hull holds the cell.
    fn corners(&self, what: &What) -> ArrayVec<Vec3, 8> {
        match what {
            What::Triangle(_, corners) => corners.iter().copied().collect(),
            What::Slot(slot) => {
                let Frame { center, unit, .. } = self.moving.frame();
                let (obb, _) = self.moving.opened(*slot);
                let wide = |v: [f32; 3]| Vec3::from(v.map(f64::from));
                let half: [Vec3; 3] =
                    std::array::from_fn(|k| wide(obb.axes[k]) * f64::from(obb.half[k]));
                let signs = [1.0, -1.0];
                let corner = |k: usize| {
                    let [x, y, z] = [k & 1, k >> 1 & 1, k >> 2].map(|bit| signs[bit]);
                    let at = wide(obb.center) + half[0] * x + half[1] * y + half[2] * z;
                    self.moving.pose.place(center + at * unit)
                };
                (0..8).map(corner).collect()
            }
        }
    }

    /// How far the points of a cell may be outside the hull of its corners.
    fn off(&self, what: &What) -> f64 {
        let rounding = ROUNDING * self.size;
        match what {
            What::Triangle(..) => rounding,
            What::Slot(_) => rounding + STORING * self.moving.frame().unit,
        }
    }

    fn is_inside(&self, point: Vec3) -> bool {
        locate_point(&self.fixed, point) == Location::Inside
    }

    /// The triangle of the other surface that is nearest to a point, and how far it is; `guess` is tried first.
    ///
    /// `None` for numbers of extreme size, which were refused before.
    fn nearest(&self, point: Vec3, guess: u32) -> Option<(u32, Separation)> {
        let dot = Shape::Sphere(Sphere::POINT);
        let placed = dot.at(Pose::from_translation(point).ok()?);
        let surface = self.fixed.surface();
        let mut cache = PairCache::default();
        cache.keep_triangles([guess, 0], Last::Apart);
        let near = MeshAndConvex::new(surface, &placed)?.distance(Goal::Closest, &mut cache);
        let [triangle, _] = cache.triangles()?;
        Some((triangle, near))
    }

    /// Takes note of a point of a triangle, if it is deeper than the best.
    fn try_point(&self, point: Vec3, triangle: u32, guess: u32, best: &mut Option<Deepest>) {
        let Some((_, near)) = self.nearest(point, guess) else {
            return;
        };
        // The point is off its triangle by a few roundings.
        let lower = near.bounds.lower - ROUNDING * self.size;
        let is_deeper = lower > best.map_or(0.0, |best| best.depth.lower);
        if is_deeper && self.is_inside(point) {
            *best = Some(Deepest {
                depth: Interval {
                    lower,
                    upper: near.bounds.upper + ROUNDING * self.size,
                },
                point,
                foot: near.witness.a,
                on: Feature::Face(triangle),
                under: near.features[0],
                is_first: self.is_swapped,
            });
        }
    }
}

/// The point for which a number is largest, and the number.
fn farthest(points: &[Vec3], number: impl Fn(Vec3) -> f64) -> (Vec3, f64) {
    points
        .iter()
        .fold((Vec3::ZERO, f64::NEG_INFINITY), |best, p| {
            let own = number(*p);
            if own > best.1 { (*p, own) } else { best }
        })
}
