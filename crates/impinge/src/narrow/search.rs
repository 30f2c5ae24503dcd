//! The quick search: GJK in `f32` for eight pairs side by side. It proposes, it does not decide.
//!
//! A step of GJK is a long chain of dependent operations, at whose end stands a branch that nobody can predict. Alone it
//! leaves a processor idle most of the time. Here eight pairs take their steps together, one a lane of a SIMD register:
//! the support points are found by a scan for each pair in turn, all else is done for the eight at once and without
//! branches. What comes out (up to three vertex pairs of a closest feature, or four around the origin) is rounded to
//! `f32` and believed by nobody; [`certificate`](super::certificate) checks it in `f64`, and what does not pass is searched
//! again by [`gjk`](super::gjk).
//!
//! **The step.** Let `s0, s1, s2` be the corners of the nearest part so far (repeated when it has fewer) and `w` the new
//! support point. The new nearest part contains `w`, which leaves seven candidates: `w`, its edges `w s_k`, and its faces
//! `w s_k s_(k+1)`. With `e_k = s_k - w`, `n_k = e_k x e_(k+1)` and `c_k = w x e_k` the Voronoi regions are these signs:
//!
//! - face `k`: the origin is beyond it (`w . n_k` has the sign of the volume), and between its edges at `w`:
//!   `n_k . c_k > 0` and `n_k . c_(k+1) < 0`;
//! - edge `k`: not between them on either side, and `w . e_k < 0`;
//! - otherwise `w`. Beyond no face: the origin is inside.
//!
//! **Cost.** A few hundred SIMD instructions a step for all lanes, and two scans for each that is not done.

use super::centers::Centers;
use super::pair::{CENTER, Start};
use super::side::Side;
use super::wide::{Columns, LANES, Matrices, Wide, set};
use fearless_simd::{Simd, f32x8, mask32x8, prelude::*, u32x8};

/// The most steps; a pair that is not done by then is left open.
pub(super) const MAX_STEPS: u32 = 24;
/// A support point that is nearer than the part by less than this, relative to the larger polytope, is no progress. It is
/// some ten times the rounding of the coordinates.
pub(super) const NO_PROGRESS: f32 = 2e-6;

/// A pair, and where its search begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item<'c, 'a, S> {
    pub(super) centers: &'c Centers<'a, S>,
    pub(super) start: Start,
}

/// How the search of a pair ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It looks as if they are apart.
    Apart,
    /// It looks as if they overlap.
    Overlapping,
    /// The steps ran out.
    Open,
}

impl Outcome {
    /// The outcome of a lane, given one bit for each that seems to be apart, and for each that seems to overlap.
    #[inline(always)]
    pub(super) fn of_lane(lane: usize, apart: u32, inside: u32) -> Outcome {
        if apart >> lane & 1 == 1 {
            Outcome::Apart
        } else if inside >> lane & 1 == 1 {
            Outcome::Overlapping
        } else {
            Outcome::Open
        }
    }
}

/// What the search found out about one pair.
#[derive(Debug, Clone, Copy)]
pub(super) struct Proposal {
    pub(super) outcome: Outcome,
    /// A direction from `a` to `b`, of no particular length: for [`Outcome::Apart`] that of the gap.
    pub(super) direction: [f32; 3],
    /// Pairs of a vertex of `a` and one of `b`: the corners of the nearest part, repeated to three, and the support point
    /// that closes the tetrahedron when they overlap.
    pub(super) corners: [[u32; 2]; 4],
}

impl Proposal {
    pub(super) const OPEN: Proposal = Proposal {
        outcome: Outcome::Open,
        direction: [0.0; 3],
        corners: [[0; 2]; 4],
    };
}

/// Searches up to eight pairs, each from its start; the proposals are in the same order.
#[inline(always)]
pub(super) fn search<S: Simd>(simd: S, pairs: &[Item<'_, '_, S>]) -> [Proposal; LANES] {
    let mut proposals = [Proposal::OPEN; LANES];
    let Some(first) = pairs.first() else {
        return proposals;
    };
    let (frames, starts) = gather(pairs, first);
    let mut part = frames.first_part(simd, &starts);
    let mut open = (1_u32 << pairs.len()) - 1;
    for _ in 0..MAX_STEPS {
        let (w, names) = frames.support(simd, &part, open);
        let tolerance = part.direction.size() * f32x8::splat(simd, NO_PROGRESS);
        let ahead = part.direction.dot(part.corners[0].sub(w));
        let is_apart = ahead.simd_le(tolerance);
        let taken = step(simd, &part, w, names);
        let apart = is_apart.to_bitmask() as u32 & open;
        let inside = taken.is_inside.to_bitmask() as u32 & open & !apart;
        if apart | inside != 0 {
            write(&mut proposals, apart, Outcome::Apart, &part, names);
            write(&mut proposals, inside, Outcome::Overlapping, &part, names);
            open &= !(apart | inside);
            if open == 0 {
                break;
            }
        }
        part = taken.next;
    }
    proposals
}

/// What stays the same during a search, one column a lane. All lengths are in units of the larger polytope of each pair.
struct Frames<'w, 'a> {
    sides: [[&'w Side<'a>; 2]; LANES],
    turns: Turns,
}

/// How the polytopes of eight pairs are placed about their centres, in units of the larger polytope of each pair.
#[derive(Debug)]
pub(super) struct Turns {
    /// The matrices of both poses, times the scales of the polytopes.
    pub(super) matrices: [Matrices; 2],
    /// The offsets of the centres.
    pub(super) offsets: Columns,
}

impl Turns {
    pub(super) const ZERO: Turns = Turns {
        matrices: [Matrices::ZERO; 2],
        offsets: [[0.0; LANES]; 3],
    };

    /// Directions as `a` sees them, and the opposite ones as `b` does.
    #[inline(always)]
    pub(super) fn local<S: Simd>(&self, simd: S, directions: Wide<S>) -> [Wide<S>; 2] {
        let zero = f32x8::splat(simd, 0.0);
        let backward = Wide {
            x: zero - directions.x,
            y: zero - directions.y,
            z: zero - directions.z,
        };
        [
            self.matrices[0].apply_transposed(simd, directions),
            self.matrices[1].apply_transposed(simd, backward),
        ]
    }

    /// The differences of points of `b` and points of `a`, given in their own frames.
    #[inline(always)]
    pub(super) fn difference<S: Simd>(&self, simd: S, [a, b]: [Wide<S>; 2]) -> Wide<S> {
        let a = self.matrices[0].apply(simd, a);
        let b = self.matrices[1].apply(simd, b);
        Wide::load(simd, &self.offsets).add(b).sub(a)
    }
}

/// The cached corners of the pairs, in the frames of the bodies; the offset of the centres where there are none.
struct Starts {
    is_known: [f32; LANES],
    points: [[Columns; 2]; 3],
    names: [Names; 3],
}

/// The vertices of `a` and of `b` that corners are made of.
pub(super) type Names = [[u32; LANES]; 2];

#[inline(always)]
fn gather<'w, 'a, S: Simd>(
    pairs: &[Item<'w, 'a, S>],
    first: &Item<'w, 'a, S>,
) -> (Frames<'w, 'a>, Starts) {
    const ZERO: Columns = [[0.0; LANES]; 3];
    let mut frames = Frames {
        // Lanes without a pair are never looked at.
        sides: [[&first.centers.a, &first.centers.b]; LANES],
        turns: Turns::ZERO,
    };
    let mut starts = Starts {
        is_known: [0.0; LANES],
        points: [[ZERO; 2]; 3],
        names: [[[CENTER; LANES]; 2]; 3],
    };
    for (lane, item) in pairs.iter().enumerate() {
        let pair = item.centers;
        set(&mut frames.turns.offsets, lane, pair.offset_narrowed());
        for (k, side) in [&pair.a, &pair.b].into_iter().enumerate() {
            frames.sides[lane][k] = side;
            let scale = pair.share_of_unit(side);
            let matrix = side.pose.matrix();
            for (column, axis) in frames.turns.matrices[k].0.iter_mut().zip([
                matrix.x_axis,
                matrix.y_axis,
                matrix.z_axis,
            ]) {
                set(
                    column,
                    lane,
                    [
                        (axis.x * scale) as f32,
                        (axis.y * scale) as f32,
                        (axis.z * scale) as f32,
                    ],
                );
            }
            if let Start::Corners(corners) = &item.start {
                starts.is_known[lane] = 1.0;
                for (corner, vertices) in corners.iter().enumerate() {
                    starts.names[corner][k][lane] = vertices[k];
                    let point = side.packed.vertices.point(vertices[k]);
                    set(&mut starts.points[corner][k], lane, point);
                }
            }
        }
    }
    (frames, starts)
}

impl Frames<'_, '_> {
    /// The support points along the directions, and the vertices they come from.
    #[inline(always)]
    fn support<S: Simd>(&self, simd: S, part: &Part<S>, open: u32) -> (Wide<S>, Names) {
        let [local_a, local_b] = self.turns.local(simd, part.direction);
        let nothing = f32x8::splat(simd, 0.0);
        let (rows_a, rows_b) = (local_a.rows(nothing), local_b.rows(nothing));
        let mut points = [[[0.0; LANES]; 3]; 2];
        // The newest corner is where climbs begin.
        let mut names = [[0; LANES]; 2];
        part.names[0][0].store_slice(&mut names[0]);
        part.names[0][1].store_slice(&mut names[1]);
        let mut todo = open;
        while todo != 0 {
            let lane = todo.trailing_zeros() as usize % LANES;
            todo &= todo - 1;
            // Not a loop over both sides: its counter, and all that depends on it, would be in memory.
            let [side_a, side_b] = self.sides[lane];
            let ([x, y, z, _], [u, v, w, _]) = (rows_a[lane], rows_b[lane]);
            let (vertex_a, point_a) = side_a.farthest(simd, [x, y, z], names[0][lane]);
            let (vertex_b, point_b) = side_b.farthest(simd, [u, v, w], names[1][lane]);
            names[0][lane] = vertex_a;
            names[1][lane] = vertex_b;
            set(&mut points[0], lane, point_a);
            set(&mut points[1], lane, point_b);
        }
        let points = [Wide::load(simd, &points[0]), Wide::load(simd, &points[1])];
        (self.turns.difference(simd, points), names)
    }

    /// The part of the cached triangle that is nearest to the origin, or the offset of the centres as a single corner.
    #[inline(always)]
    fn first_part<S: Simd>(&self, simd: S, starts: &Starts) -> Part<S> {
        let offset = Wide::load(simd, &self.turns.offsets);
        let is_known = f32x8::load_array_ref(simd, &starts.is_known);
        let is_known = is_known.simd_gt(f32x8::splat(simd, 0.0));
        let mut y = [offset; 3];
        let mut names = [[u32x8::splat(simd, 0); 2]; 3];
        for k in 0..3 {
            let [a, b] = &starts.points[k];
            let corner = [Wide::load(simd, a), Wide::load(simd, b)];
            y[k] = Wide::select(is_known, self.turns.difference(simd, corner), offset);
            names[k] = [
                u32x8::load_array_ref(simd, &starts.names[k][0]),
                u32x8::load_array_ref(simd, &starts.names[k][1]),
            ];
        }
        nearest_part(simd, y, names)
    }
}

/// The nearest part of each pair's simplex.
#[derive(Clone, Copy)]
pub(super) struct Part<S: Simd> {
    /// From the origin towards the part.
    pub(super) direction: Wide<S>,
    /// Its corners; the first is always one of them, the others repeat when there are fewer than three.
    pub(super) corners: [Wide<S>; 3],
    /// For each corner something that tells it from others.
    pub(super) names: [[u32x8<S>; 2]; 3],
    /// Where it is a triangle.
    is_triangle: mask32x8<S>,
}

/// Writes the proposals of the lanes that are done.
#[inline(always)]
fn write<S: Simd>(
    proposals: &mut [Proposal; LANES],
    lanes: u32,
    outcome: Outcome,
    part: &Part<S>,
    last: Names,
) {
    let direction = part.direction.store();
    let mut names = [last; 4];
    for (stored, part) in names.iter_mut().zip(&part.names) {
        part[0].store_slice(&mut stored[0]);
        part[1].store_slice(&mut stored[1]);
    }
    let mut todo = lanes;
    while todo != 0 {
        let lane = todo.trailing_zeros() as usize % LANES;
        todo &= todo - 1;
        proposals[lane] = Proposal {
            outcome,
            direction: [direction[0][lane], direction[1][lane], direction[2][lane]],
            corners: [
                [names[0][0][lane], names[0][1][lane]],
                [names[1][0][lane], names[1][1][lane]],
                [names[2][0][lane], names[2][1][lane]],
                [names[3][0][lane], names[3][1][lane]],
            ],
        };
    }
}

/// The part of a triangle, perhaps with repeated corners, that is nearest to the origin.
///
/// The offset of the centres is a point of the difference, too. It is inside, so it does not remain as a corner of the nearest part.
#[inline(always)]
pub(super) fn nearest_part<S: Simd>(
    simd: S,
    y: [Wide<S>; 3],
    names: [[u32x8<S>; 2]; 3],
) -> Part<S> {
    let zero = f32x8::splat(simd, 0.0);
    let e = [y[1].sub(y[0]), y[2].sub(y[1]), y[0].sub(y[2])];
    let normal = e[0].cross(e[1]);
    // Inside the prism over the triangle, each edge k has the origin on its inner side.
    let inner = [
        normal.dot(y[0].cross(e[0])).simd_gt(zero),
        normal.dot(y[1].cross(e[1])).simd_gt(zero),
        normal.dot(y[2].cross(e[2])).simd_gt(zero),
    ];
    let is_triangle = inner[0] & inner[1] & inner[2];
    let faces_edge = [
        y[0].dot(e[0]).simd_lt(zero) & y[1].dot(e[0]).simd_gt(zero) & !inner[0],
        y[1].dot(e[1]).simd_lt(zero) & y[2].dot(e[1]).simd_gt(zero) & !inner[1],
        y[2].dot(e[2]).simd_lt(zero) & y[0].dot(e[2]).simd_gt(zero) & !inner[2],
    ];
    let is_edge = faces_edge[0] | faces_edge[1] | faces_edge[2];
    let squared = [y[0].dot(y[0]), y[1].dot(y[1]), y[2].dot(y[2])];
    let is_second = squared[1].simd_lt(squared[0]);
    let is_third = squared[2].simd_lt(squared[0].min(squared[1]));
    let is_vertex = !(is_triangle | is_edge);

    // The first corner, where it is not the first of the triangle; and the second, where it is not the second.
    let corners = [
        Corners::of(y[0], names[0]),
        Corners::of(y[1], names[1]),
        Corners::of(y[2], names[2]),
    ];
    let not_first = !(is_triangle | faces_edge[0]);
    let from_second = not_first & (faces_edge[1] | (is_vertex & is_second & !is_third));
    let from_third = not_first & !faces_edge[1] & (faces_edge[2] | (is_vertex & is_third));
    let first = corners[0]
        .or(from_second, corners[1])
        .or(from_third, corners[2]);
    let to_third = not_first & (faces_edge[1] | (is_vertex & is_third));
    let to_first =
        not_first & !faces_edge[1] & (faces_edge[2] | (is_vertex & !is_second & !is_third));
    let second = corners[1].or(to_third, corners[2]).or(to_first, corners[0]);
    let third = second.or(is_triangle, corners[2]);

    let along = second.point.sub(first.point);
    let of_edge = across(first.point, along, first.point.dot(along));
    let direction = Wide::select(is_edge, of_edge, first.point);
    let outward = f32x8::splat(simd, 1.0).copysign(normal.dot(y[0]));
    Part {
        direction: Wide::select(is_triangle, normal.scale(outward), direction),
        corners: [first.point, second.point, third.point],
        names: [first.names, second.names, third.names],
        is_triangle,
    }
}

/// The direction from the origin to the line through `from` along `edge`, times the square of the edge, given their product.
#[inline(always)]
fn across<S: Simd>(from: Wide<S>, edge: Wide<S>, product: f32x8<S>) -> Wide<S> {
    from.scale(edge.dot(edge)).sub(edge.scale(product))
}

/// A corner of each lane.
#[derive(Clone, Copy)]
struct Corners<S: Simd> {
    point: Wide<S>,
    names: [u32x8<S>; 2],
}

impl<S: Simd> Corners<S> {
    #[inline(always)]
    fn of(point: Wide<S>, names: [u32x8<S>; 2]) -> Corners<S> {
        Corners { point, names }
    }

    /// The other corner where the mask is set.
    #[inline(always)]
    fn or(self, lanes: mask32x8<S>, other: Corners<S>) -> Corners<S> {
        Corners {
            point: Wide::select(lanes, other.point, self.point),
            names: [
                lanes.select(other.names[0], self.names[0]),
                lanes.select(other.names[1], self.names[1]),
            ],
        }
    }
}

impl<S: Simd> Part<S> {
    /// The next part. Lanes that are not open keep their directions and names; their corners mean nothing any more.
    #[inline(always)]
    pub(super) fn advance(&mut self, open: mask32x8<S>, next: Part<S>) {
        self.direction = Wide::select(open, next.direction, self.direction);
        self.corners = next.corners;
        self.is_triangle = next.is_triangle;
        for k in 0..3 {
            self.names[k] = [
                open.select(next.names[k][0], self.names[k][0]),
                open.select(next.names[k][1], self.names[k][1]),
            ];
        }
    }
}

/// What a step comes to.
pub(super) struct Taken<S: Simd> {
    /// The nearest part of the simplex.
    pub(super) next: Part<S>,
    /// Where the origin is inside of it.
    pub(super) is_inside: mask32x8<S>,
    /// The least product of a face at the new corner and that corner, or the volume, six times each.
    pub(super) room: f32x8<S>,
}

/// What rounding may do to points, directions and products with them, for each unit of the extent of a pair: [`decide`](super::decide) says why.
const ROUNDED: f32 = 1.0 / (1 << 15) as f32;

/// How pairs differ from what searches see of them.
#[derive(Clone, Copy)]
pub(super) struct Blurs<S: Simd> {
    /// No difference of two points is longer, in units.
    extent: f32x8<S>,
    /// What placing is off by, in units. Infinite where a search begins at centres that may be outside of their polytopes.
    placing: f32x8<S>,
}

impl<S: Simd> Blurs<S> {
    #[inline(always)]
    pub(super) fn load(simd: S, extent: &[f32; LANES], placing: &[f32; LANES]) -> Blurs<S> {
        Blurs {
            extent: f32x8::load_array_ref(simd, extent),
            placing: f32x8::load_array_ref(simd, placing),
        }
    }

    /// Gaps that are wider than this, along a direction of unit length, are gaps for certain.
    #[inline(always)]
    pub(super) fn gap(&self, simd: S) -> f32x8<S> {
        self.extent * f32x8::splat(simd, ROUNDED) + self.placing
    }

    /// Tetrahedra with more [room](Taken::room) than this are around the origin for certain.
    #[inline(always)]
    pub(super) fn room(&self, simd: S) -> f32x8<S> {
        let off =
            self.extent * f32x8::splat(simd, ROUNDED) + self.placing * f32x8::splat(simd, 4.0);
        self.extent * self.extent * off
    }
}

/// One step of GJK: the nearest part of the simplex of a part and a new corner `w`.
#[inline(always)]
pub(super) fn step<S: Simd>(simd: S, part: &Part<S>, w: Wide<S>, w_names: Names) -> Taken<S> {
    let zero = f32x8::splat(simd, 0.0);
    let s = &part.corners;
    let e = [s[0].sub(w), s[1].sub(w), s[2].sub(w)];
    let c = [w.cross(e[0]), w.cross(e[1]), w.cross(e[2])];
    let n = [e[0].cross(e[1]), e[1].cross(e[2]), e[2].cross(e[0])];
    let volume = n[0].dot(e[2]);
    let height = [w.dot(n[0]), w.dot(n[1]), w.dot(n[2])];
    // Without a triangle there is no volume to be inside of.
    let behind = [
        (height[0] * volume).simd_lt(zero) & part.is_triangle,
        (height[1] * volume).simd_lt(zero) & part.is_triangle,
        (height[2] * volume).simd_lt(zero) & part.is_triangle,
    ];
    // On the inner side of the first and of the second edge of each face at w.
    let first = [
        n[0].dot(c[0]).simd_gt(zero),
        n[1].dot(c[1]).simd_gt(zero),
        n[2].dot(c[2]).simd_gt(zero),
    ];
    let second = [
        n[0].dot(c[1]).simd_lt(zero),
        n[1].dot(c[2]).simd_lt(zero),
        n[2].dot(c[0]).simd_lt(zero),
    ];
    // What comes first goes before what comes later, and faces before edges.
    let face = [
        first[0] & second[0] & !behind[0],
        first[1] & second[1] & !behind[1],
        first[2] & second[2] & !behind[2],
    ];
    let is_face = face[0] | face[1] | face[2];
    let product = [w.dot(e[0]), w.dot(e[1]), w.dot(e[2])];
    let edge = [
        product[0].simd_lt(zero) & !(first[0] | second[2] | is_face),
        product[1].simd_lt(zero) & !(first[1] | second[0] | is_face),
        product[2].simd_lt(zero) & !(first[2] | second[1] | is_face),
    ];
    let is_edge = edge[0] | edge[1] | edge[2];

    let new = Corners::of(
        w,
        [
            u32x8::load_array_ref(simd, &w_names[0]),
            u32x8::load_array_ref(simd, &w_names[1]),
        ],
    );
    let old = [
        Corners::of(s[0], part.names[0]),
        Corners::of(s[1], part.names[1]),
        Corners::of(s[2], part.names[2]),
    ];
    let other = new
        .or(face[2] | edge[2], old[2])
        .or(face[1] | edge[1], old[1])
        .or(face[0] | edge[0], old[0]);
    let third = other
        .or(face[2], old[0])
        .or(face[1], old[2])
        .or(face[0], old[1]);

    let along = other.point.sub(w);
    let of_edge = across(w, along, w.dot(along));
    let direction = Wide::select(is_edge, of_edge, w);
    let normal = Wide::select(face[1], n[1], n[2]);
    let normal = Wide::select(face[0], n[0], normal);
    let outward = f32x8::splat(simd, 1.0).copysign(w.dot(normal));
    let next = Part {
        direction: Wide::select(is_face, normal.scale(outward), direction),
        corners: [w, other.point, third.point],
        names: [new.names, other.names, third.names],
        is_triangle: is_face,
    };
    let least = height[0].abs().min(height[1].abs());
    Taken {
        next,
        is_inside: behind[0] & behind[1] & behind[2],
        room: least.min(height[2].abs()).min(volume.abs()),
    }
}
