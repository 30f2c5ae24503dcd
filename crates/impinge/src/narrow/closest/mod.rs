//! The distance of polytopes with few vertices or with a table of directions, for eight pairs side by side, from poses to certified intervals.
//!
//! Nearly all that such a pair costs is to bring its numbers to where they are needed. So eight pairs are put in
//! columns once, one pair a lane, by reading four numbers at a time and turning four by four of them in registers:
//!
//! 1. Poses and sizes become columns in `f64`, four pairs a register ([`half`]), and rounded ones in `f32`, eight pairs a
//!    register ([`Turns`]).
//! 2. GJK in `f32`, as in [`search`](super::search), from the corners of last time or from the offset of the centres ([`starts`]). How
//!    vertices are found and named depends on how many there are ([`finder`]); each scan tells all that are nearly the farthest.
//! 3. The corners that it ends with are placed in `f64`, and measured ([`intervals`](super::intervals)). What is left to show
//!    is that no other vertex is farther along the direction of the distance. The last scan of the search shows it: its direction
//!    differs a little, and by how much is checked.
//!
//! A search that ends around the origin proves that the pair overlaps, if its tetrahedron has more room there than rounding needs
//! ([`decide`](super::decide) says how much that is). The common point is computed from its corners in `f64`.
//!
//! **Which vertices may be the farthest.** Let `d` be the direction of the scan and `u` the one of the proof, both taken as of
//! unit length, and `|d - u| <= DRIFT`. The scan sees `M^T d` with the rounding of the matrix and of a product (below
//! [`TURN_ERROR`]) and of its own products ([`DOT_ERROR`]). A placed vertex is off by [`Side::error`](super::side::Side). Seen along
//! `u` each product hence differs from the scan's by at most the sum of these, and a vertex that is farther below the largest one
//! than twice that sum is not the farthest.
//!
//! **Invariant.** What [`Closest::separation`] returns is certified as [`separation`](super::separation) promises. A lane that
//! proves nothing says nothing, and has a [`Proposal`] for the slower ways.

mod bits;
mod cells;
mod finder;
mod half;
mod starts;

use super::features::spanned;
use super::four::{FOUR, Four, Numbers, Points, point_of};
use super::pair::{CENTER, PolytopePair};
use super::proofs::lanes_of;
use super::search::{Blurs, MAX_STEPS, NO_PROGRESS, Names, Outcome, Part, Proposal, Turns, step};
use super::wide::{Columns, LANES, Rows, Wide, rows_of};
use crate::contact::{Feature, Separation};
use crate::math::{Pose, Vec3};
use crate::shape::{DOT_ERROR, Packed, Polytope};
pub(super) use bits::Bits;
pub(super) use cells::Cells;
use fearless_simd::{Simd, f32x8, f64x4, mask32x8, prelude::*, u32x8};
pub(super) use finder::{Finder, Size, size_of};
use half::{Half, Rough};
use starts::Starts;

/// How far the direction of a proof may be from that of the last scan, both of unit length.
const DRIFT: f64 = 1.0 / (1 << 16) as f64;

/// How far a direction of unit length, turned in `f32`, may be from the true one: the matrix is rounded (1), and of each
/// sum each term passes through at most three roundings (3). That is 4 roundings of 2^-24 in each of three coordinates,
/// together below 7; 16 leave room for the rounding of margins.
pub(super) const TURN_ERROR: f64 = 2.0 * DOT_ERROR;

/// Where margins are smaller, underflow might matter.
const SMALLEST_MARGIN: f32 = 1e-30;

/// Directions of such lengths have squares in `f32` that neither overflow nor underflow. Scans along longer ones might find nothing.
pub(super) const SHORTEST: f32 = 1e-15;
pub(super) const LONGEST: f32 = 1e15;

/// One polytope of a pair, and where it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Body<'a> {
    polytope: &'a Polytope,
    packed: &'a Packed,
    pose: &'a Pose,
}

impl<'a> Body<'a> {
    #[inline(always)]
    fn new(polytope: &'a Polytope, pose: &'a Pose) -> Body<'a> {
        Body {
            polytope,
            packed: polytope
                .packed()
                .expect("pairs that are measured together are packed"),
            pose,
        }
    }

    #[inline(always)]
    fn both(pair: &PolytopePair<'a>) -> [Body<'a>; 2] {
        [
            Body::new(pair.a, pair.pose_a),
            Body::new(pair.b, pair.pose_b),
        ]
    }
}

/// Directions of eight pairs as their bodies see them, and behind each the margin of scans along it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Along([Rows; 2]);

impl Along {
    const NONE: Along = Along([[[0.0; 4]; LANES]; 2]);

    /// The direction of one side of a lane, and the margin.
    #[inline(always)]
    fn of(&self, side: usize, lane: usize) -> ([f32; 3], f32) {
        let [x, y, z, margin] = self.0[side][lane];
        ([x, y, z], margin)
    }
}

/// Three corners that a search ended with, repeated if there are fewer, and the last support point: vertices of both polytopes, or [`CENTER`].
type Ended = [[u32; 2]; 4];

/// Both polytopes of up to eight pairs. Lanes without a pair repeat the first.
pub(super) type Bodies<'a> = [[Body<'a>; 2]; LANES];

/// The closest points of up to eight pairs. Its room is used again and again.
#[derive(Debug)]
pub(super) struct Closest<F> {
    halves: [Half; LANES / FOUR],
    turns: Turns,
    /// What a scan along a direction of unit length leaves open, in the units that scans have.
    margins: [[f32; LANES]; 2],
    /// What [`Blurs`] are made of.
    extent: [f32; LANES],
    placing: [f32; LANES],
    /// The names of the last support points; 0 is the centre.
    last: Names,
    /// The vertices of each search's last corners, and of its last support point.
    corners: [Ended; LANES],
    /// Where vertices are found, and which were nearly the farthest in the last scan.
    finder: F,
    /// One bit for each pair that seems to be apart, that seems to overlap, and of which one of these is proven.
    apart: u32,
    inside: u32,
    proven: u32,
    met: u32,
    features: [[Feature; 2]; LANES],
    /// Common points of those that are proven to overlap.
    points: [Vec3; LANES],
}

impl<F: Finder> Closest<F> {
    /// Of no pairs.
    const NONE: Closest<F> = Closest {
        halves: [Half::NONE; LANES / FOUR],
        turns: Turns::ZERO,
        margins: [[0.0; LANES]; 2],
        extent: [0.0; LANES],
        placing: [0.0; LANES],
        last: [[0; LANES]; 2],
        corners: [[[0; 2]; 4]; LANES],
        finder: F::NONE,
        apart: 0,
        inside: 0,
        proven: 0,
        met: 0,
        points: [Vec3::ZERO; LANES],
        // All of it is zero, and hence not copied from anywhere.
        features: [[Feature::Vertex(0); 2]; LANES],
    };

    /// Of no pairs.
    #[inline(always)]
    pub(super) fn of_none() -> Closest<F> {
        Closest::NONE
    }

    /// Searches one to eight pairs, named by their indices, and proves what it can.
    #[inline(always)]
    pub(super) fn measure<S: Simd>(&mut self, simd: S, pairs: &[PolytopePair<'_>], chosen: &[u32]) {
        let first = &pairs[chosen[0] as usize];
        let mut bodies = [Body::both(first); LANES];
        let mut starts = Starts::NONE;
        for lane in 0..chosen.len().min(LANES) {
            let pair = &pairs[chosen[lane] as usize];
            bodies[lane] = Body::both(pair);
            starts.add::<F>(lane, &bodies[lane], pair.cache);
        }
        self.finder.begin(&bodies);
        let ordinary = self.place(simd, &bodies, starts.known(simd));
        let first = starts.part(simd, &self.turns);
        let wanted = (1_u32 << chosen.len()) - 1;
        let last = self.search(simd, &bodies, first, ordinary & wanted);
        self.prove(simd, &bodies, last);
        for lane in lanes_of(self.met) {
            self.points[lane] = self.common_point(lane, &bodies[lane]);
        }
    }

    /// What is proven about a pair.
    #[inline(always)]
    pub(super) fn separation(&self, lane: usize) -> Option<Separation> {
        let (half, place) = (&self.halves[lane / FOUR], lane % FOUR);
        (self.proven >> lane & 1 == 1)
            .then(|| half.intervals.separation(place, self.features[lane]))
    }

    /// A common point of a pair that is proven to overlap.
    #[inline(always)]
    pub(super) fn meeting(&self, lane: usize) -> Option<Vec3> {
        (self.met >> lane & 1 == 1).then_some(self.points[lane % LANES])
    }

    /// The corners that the closest points of a pair are on, where that is proven.
    #[inline(always)]
    pub(super) fn corners(&self, lane: usize) -> [[u32; 2]; 3] {
        let [p, q, r, _] = self.corners[lane];
        [p, q, r]
    }

    /// What the search of a pair ended with.
    #[inline(always)]
    pub(super) fn proposal(&self, lane: usize) -> Proposal {
        Proposal {
            outcome: Outcome::of_lane(lane, self.apart, self.inside),
            direction: [0.0; 3],
            corners: self.corners[lane],
        }
    }

    /// Puts the pairs in columns, of which some begin at corners that are known; one bit for each that is not too far away for the error bounds.
    #[inline(always)]
    fn place<S: Simd>(&mut self, simd: S, bodies: &Bodies<'_>, known: u32) -> u32 {
        let mut rough = [Rough::ZERO; LANES / FOUR];
        // Loops and not twice the same code: all that eight pairs go through should fit into the nearest cache.
        let bodies = bodies.as_chunks::<FOUR>().0;
        for number in 0..LANES / FOUR {
            self.halves[number].place(simd, &bodies[number], F::MOST, &mut rough[number]);
        }
        let [low, high] = &rough;
        narrow(simd, &low.offset, &high.offset, &mut self.turns.offsets);
        for side in 0..2 {
            for axis in 0..3 {
                narrow(
                    simd,
                    &low.matrices[side][axis],
                    &high.matrices[side][axis],
                    &mut self.turns.matrices[side].0[axis],
                );
            }
            let margin = narrowed(simd, &low.margins[side], &high.margins[side]);
            margin.store_slice(&mut self.margins[side]);
        }
        // Rounded up.
        let more = f32x8::splat(simd, 1.0 + 4.0 * f32::EPSILON);
        let extent = narrowed(simd, &low.extent, &high.extent) * more;
        extent.store_slice(&mut self.extent);
        let is_sound = open_to(simd, known | low.centered | high.centered << FOUR);
        let placing = narrowed(simd, &low.placing, &high.placing) * more;
        let placing = is_sound.select(placing, f32x8::splat(simd, f32::INFINITY));
        placing.store_slice(&mut self.placing);
        low.ordinary | high.ordinary << FOUR
    }

    /// Searches the pairs that are wanted; what their last directions were.
    #[inline(always)]
    fn search<S: Simd>(
        &mut self,
        simd: S,
        bodies: &Bodies<'_>,
        first: Part<S>,
        wanted: u32,
    ) -> Part<S> {
        let mut part = first;
        let mut open = open_to(simd, wanted);
        (self.apart, self.inside, self.met) = (0, 0, 0);
        let least = Blurs::load(simd, &self.extent, &self.placing).room(simd);
        let mut points = [[[0.0; LANES]; 3]; 2];
        for _ in 0..MAX_STEPS {
            let todo = open.to_bitmask() as u32;
            if todo == 0 {
                break;
            }
            self.scan(simd, bodies, &part, todo, &mut points);
            let seen = [Wide::load(simd, &points[0]), Wide::load(simd, &points[1])];
            let w = self.turns.difference(simd, seen);
            let tolerance = part.direction.size() * f32x8::splat(simd, NO_PROGRESS);
            let along = part.direction.dot(part.corners[0]);
            let ahead = part.direction.dot(part.corners[0].sub(w));
            let is_apart = ahead.simd_le(tolerance) & open;
            self.apart |= is_apart.to_bitmask() as u32;
            open &= !is_apart;
            if open.to_bitmask() == 0 {
                break;
            }
            let taken = step(simd, &part, w, self.last);
            let is_inside = taken.is_inside & open;
            self.inside |= is_inside.to_bitmask() as u32;
            let is_sure = taken.room.min(along).simd_gt(least) & is_inside;
            self.met |= is_sure.to_bitmask() as u32;
            open &= !is_inside;
            part.advance(open, taken.next);
        }
        part
    }

    /// The support points of some pairs, in the frames of the bodies.
    #[inline(always)]
    fn scan<S: Simd>(
        &mut self,
        simd: S,
        bodies: &Bodies<'_>,
        part: &Part<S>,
        todo: u32,
        points: &mut [Columns; 2],
    ) {
        let local = self.turns.local(simd, part.direction);
        let length = part.direction.dot(part.direction).sqrt();
        let [margins_a, margins_b] = &self.margins;
        let along = Along([
            local[0].rows(length * f32x8::load_array_ref(simd, margins_a)),
            local[1].rows(length * f32x8::load_array_ref(simd, margins_b)),
        ]);
        let (names, scan) = (&mut self.last, (part, local, along));
        self.finder.scan(simd, bodies, scan, todo, (names, points));
    }

    /// Proves what it can about the pairs that seem to be apart.
    #[inline(always)]
    fn prove<S: Simd>(&mut self, simd: S, bodies: &Bodies<'_>, last: Part<S>) {
        let nobody = u32x8::splat(simd, 0);
        let mut is_vertex = open_to(simd, self.apart);
        for [on_a, on_b] in &last.names {
            // A centre is no vertex.
            is_vertex &= on_a.simd_gt(nobody) & on_b.simd_gt(nobody);
        }
        self.corners = ended::<F, S>(simd, &last, &self.last);
        let has_others = self.finder.has_others(simd, &last);
        let length = last.direction.dot(last.direction).sqrt();
        let margins = &self.margins;
        let least =
            f32x8::load_array_ref(simd, &margins[0]).min(f32x8::load_array_ref(simd, &margins[1]));
        let is_sure = (length * least).simd_gt(f32x8::splat(simd, SMALLEST_MARGIN))
            & length.simd_gt(f32x8::splat(simd, SHORTEST))
            & length.simd_lt(f32x8::splat(simd, LONGEST));
        let count = counts(simd, &last);
        let (x, y, z) = (
            last.direction.x.widen(),
            last.direction.y.widen(),
            last.direction.z.widen(),
        );
        let scanned = [
            Four {
                x: x.0,
                y: y.0,
                z: z.0,
            },
            Four {
                x: x.1,
                y: y.1,
                z: z.1,
            },
        ];
        let mut directions = [[[0.0; FOUR]; 3]; LANES / FOUR];
        let mut counted = [[0.0; FOUR]; LANES / FOUR];
        for half in 0..LANES / FOUR {
            scanned[half].store(&mut directions[half]);
            count[half].store_slice(&mut counted[half]);
        }
        for lane in lanes_of(self.apart) {
            let [a, b] = &bodies[lane];
            F::fetch_proof(a, self.corners_on(0, lane));
            F::fetch_proof(b, self.corners_on(1, lane));
        }
        let mut sound = 0;
        let fours = bodies.as_chunks::<FOUR>().0;
        for number in 0..LANES / FOUR {
            let count = f64x4::load_array_ref(simd, &counted[number]);
            let scanned = Four::load(simd, &directions[number]);
            let half = &mut self.halves[number];
            let corners = &self.corners.as_chunks::<FOUR>().0[number];
            let found = half.measure(simd, &fours[number], corners, count, scanned);
            sound |= found << (number * FOUR);
        }
        sound &= (is_vertex & is_sure).to_bitmask() as u32;
        for lane in lanes_of(sound & has_others) {
            let half = &mut self.halves[lane / FOUR];
            let [a, b] = &bodies[lane];
            let corners = &self.corners[lane];
            let base = a.vertex(corners[0][0]);
            self.finder.for_each_other(
                simd,
                lane,
                &bodies[lane],
                corners,
                #[inline(always)]
                |side, vertex| {
                    let body = if side == 0 { a } else { b };
                    half.add_other(lane % FOUR, side, body.vertex(vertex), base);
                },
            );
        }
        for lane in lanes_of(sound) {
            let [a, b] = &bodies[lane];
            let [on_a, on_b] = self.corners[lane][0];
            F::fetch_around(a, on_a);
            F::fetch_around(b, on_b);
        }
        let [first, second] = &mut self.halves;
        let [first, second] = [&mut first.intervals, &mut second.intervals];
        self.proven = sound & (first.conclude(simd) | second.conclude(simd) << FOUR);
        for lane in lanes_of(self.proven) {
            self.features[lane] = self.features(lane, bodies[lane]);
        }
    }

    /// A point of both polytopes of a lane whose last tetrahedron of differences is around the origin: the point of `a` with the same weights.
    #[inline(always)]
    fn common_point(&self, lane: usize, [a, b]: &[Body<'_>; 2]) -> Vec3 {
        let corner = |[on_a, on_b]: [u32; 2]| {
            let point = a.place(on_a);
            (point, b.place(on_b) - point)
        };
        let [p, q, r, s] = self.corners[lane];
        let [p, q, r, s] = [corner(p), corner(q), corner(r), corner(s)];
        // The volumes that the origin makes with the faces. Their signs are known to be the same.
        let volume = |p: Vec3, q: Vec3, r: Vec3| p.dot(q.cross(r));
        let weights = [
            volume(q.1, r.1, s.1),
            volume(p.1, s.1, r.1),
            volume(p.1, q.1, s.1),
            volume(p.1, r.1, q.1),
        ];
        let total = (weights[0] + weights[1]) + (weights[2] + weights[3]);
        let sum = (p.0 * weights[0] + q.0 * weights[1]) + (r.0 * weights[2] + s.0 * weights[3]);
        sum / total
    }

    /// The corners of a lane on one side.
    #[inline(always)]
    fn corners_on(&self, side: usize, lane: usize) -> [u32; 3] {
        let [p, q, r, _] = &self.corners[lane];
        [p[side], q[side], r[side]]
    }

    /// The features that the corners of a lane span.
    #[inline(always)]
    fn features(&self, lane: usize, [a, b]: [Body<'_>; 2]) -> [Feature; 2] {
        let direction = || point_of(&self.halves[lane / FOUR].intervals.direction, lane % FOUR);
        [
            spanned(a.polytope, &self.corners_on(0, lane), || {
                a.pose.unrotate(direction())
            }),
            spanned(b.polytope, &self.corners_on(1, lane), || {
                b.pose.unrotate(-direction())
            }),
        ]
    }
}

/// What the searches of eight lanes ended with.
#[inline(always)]
fn ended<F: Finder, S: Simd>(simd: S, part: &Part<S>, last: &Names) -> [Ended; LANES] {
    let [p, q, r] = &part.names;
    let vertices = |names: u32x8<S>| F::vertices(simd, names);
    let rows = rows_of([
        vertices(p[0]),
        vertices(p[1]),
        vertices(q[0]),
        vertices(q[1]),
        vertices(r[0]),
        vertices(r[1]),
        vertices(u32x8::load_array_ref(simd, &last[0])),
        vertices(u32x8::load_array_ref(simd, &last[1])),
    ]);
    let mut ended = [[[0; 2]; 4]; LANES];
    for lane in 0..LANES {
        let [a, b, c, d, e, f, g, h] = rows[lane];
        ended[lane] = [[a, b], [c, d], [e, f], [g, h]];
    }
    ended
}

/// Rounds the vectors of eight lanes.
#[inline(always)]
fn narrow<S: Simd>(simd: S, low: &Points, high: &Points, columns: &mut Columns) {
    for axis in 0..3 {
        narrowed(simd, &low[axis], &high[axis]).store_slice(&mut columns[axis]);
    }
}

/// Rounds the numbers of eight lanes.
#[inline(always)]
fn narrowed<S: Simd>(simd: S, low: &Numbers, high: &Numbers) -> f32x8<S> {
    f64x4::load_array_ref(simd, low).narrow(f64x4::load_array_ref(simd, high))
}

/// The lanes of some bits.
#[inline(always)]
fn open_to<S: Simd>(simd: S, lanes: u32) -> mask32x8<S> {
    mask32x8::from_bitmask(simd, u64::from(lanes))
}

/// How many different corners there are.
#[inline(always)]
fn counts<S: Simd>(simd: S, part: &Part<S>) -> [f64x4<S>; 2] {
    let [p, q, r] = &part.names;
    let is_same = |p: &[u32x8<S>; 2], q: &[u32x8<S>; 2]| p[0].simd_eq(q[0]) & p[1].simd_eq(q[1]);
    let (is_vertex, is_edge) = (is_same(p, q), is_same(q, r));
    let number = |n: f32| f32x8::splat(simd, n);
    let several = is_edge.select(number(2.0), number(3.0));
    let (low, high) = is_vertex.select(number(1.0), several).widen();
    [low, high]
}

impl Body<'_> {
    /// A placed vertex; the last one for a number too many.
    #[inline(always)]
    fn vertex(&self, vertex: u32) -> Vec3 {
        self.pose.place(self.local(vertex))
    }

    /// The same, or the placed centre.
    #[inline(always)]
    fn place(&self, vertex: u32) -> Vec3 {
        if vertex == CENTER {
            self.pose.place(self.packed.center)
        } else {
            self.vertex(vertex)
        }
    }

    #[inline(always)]
    fn local(&self, vertex: u32) -> Vec3 {
        let vertices = self.polytope.vertices();
        vertices[(vertex as usize).min(vertices.len() - 1)]
    }
}
