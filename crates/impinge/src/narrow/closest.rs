//! The distance of polytopes with few vertices, for eight pairs side by side, from poses to certified intervals.
//!
//! Nearly all that a pair of small polytopes costs is to bring its numbers to where they are needed. So eight pairs are put in
//! columns once, one pair a lane, by reading four numbers at a time and turning four by four of them in registers:
//!
//! 1. Poses and sizes become columns in `f64`, four pairs a register ([`Half`]), and rounded ones in `f32`, eight pairs a
//!    register ([`Turns`]).
//! 2. GJK in `f32`, as in [`search`](super::search), from the corners of last time or from the offset of the centres. A vertex is
//!    known by its bit, and a scan tells all vertices that are nearly the farthest.
//! 3. The corners that it ends with are placed in `f64`, and measured as in [`proofs`](super::proofs). What is left to show
//!    is that no other vertex is farther along the direction of the distance. The last scan of the search shows it: its direction
//!    differs a little, and by how much is checked.
//!
//! **Which vertices may be the farthest.** Let `d` be the direction of the scan and `u` the one of the proof, both taken as of
//! unit length, and `|d - u| <= DRIFT`. The scan sees `M^T d` with the rounding of the matrix and of a product (below
//! [`TURN_ERROR`]) and of its own products ([`DOT_ERROR`]). A placed vertex is off by [`Side::error`](super::side::Side). Seen along
//! `u` each product hence differs from the scan's by at most the sum of these, and a vertex that is farther below the largest one
//! than twice that sum is not the farthest.
//!
//! **Invariant.** What [`Closest::separation`] returns is certified as [`separation`](super::separation) promises. A lane that
//! proves nothing says nothing, and has a [`Proposal`] for the slower ways.

use super::cache::PairCache;
use super::four::{FOUR, Four, Numbers, Points, point_of, transposed};
use super::pair::{CENTER, PolytopePair};
use super::proofs::{Measured, lanes_of};
use super::search::{
    MAX_STEPS, NO_PROGRESS, Names, Outcome, Part, Proposal, Turns, nearest_part, step,
};
use super::separation::WIDTH;
use super::side::FARTHEST;
use super::wide::{Columns, LANES, Wide, set};
use crate::ahead;
use crate::contact::{Feature, Separation, Witness};
use crate::math::{Interval, Pose, Vec3};
use crate::narrow::features::spanned;
use crate::shape::{DOT_ERROR, Packed, Polytope};
use fearless_simd::{Simd, f32x8, f64x4, mask32x8, prelude::*, u32x8};

/// The most vertices of a small polytope: one bit each.
const MOST_VERTICES: usize = 32;

/// How far the direction of a proof may be from that of the last scan, both of unit length.
const DRIFT: f64 = 1.0 / (1 << 16) as f64;

/// How far a direction of unit length, turned in `f32`, may be from the true one: the matrix is rounded (1), and of each
/// sum each term passes through at most three roundings (3). That is 4 roundings of 2^-24 in each of three coordinates,
/// together below 7; 16 leave room for the rounding of margins.
const TURN_ERROR: f64 = 2.0 * DOT_ERROR;

/// Where margins are smaller, underflow might matter.
const SMALLEST_MARGIN: f32 = 1e-30;

/// Directions of such lengths have squares in `f32` that neither overflow nor underflow. Scans along longer ones might find nothing.
const SHORTEST: f32 = 1e-15;
const LONGEST: f32 = 1e15;

/// Whether both polytopes have few vertices and are of ordinary size.
#[inline(always)]
pub(super) fn is_small(pair: &PolytopePair<'_>) -> bool {
    let is_few = |polytope: &Polytope| {
        polytope
            .packed()
            .is_some_and(|packed| packed.vertices.len() <= MOST_VERTICES)
    };
    is_few(pair.a) & is_few(pair.b)
}

/// Asks for the vertices of a small pair, as scans see them.
#[inline(always)]
pub(super) fn fetch_scanned(pair: &PolytopePair<'_>) {
    if let (Some(a), Some(b)) = (pair.a.packed(), pair.b.packed()) {
        a.vertices.fetch();
        b.vertices.fetch();
    }
}

/// One polytope of a pair, and where it is.
#[derive(Debug, Clone, Copy)]
struct Body<'a> {
    polytope: &'a Polytope,
    packed: &'a Packed,
    pose: &'a Pose,
}

impl<'a> Body<'a> {
    #[inline(always)]
    fn new(polytope: &'a Polytope, pose: &'a Pose) -> Body<'a> {
        Body {
            polytope,
            packed: polytope.packed().expect("small pairs are packed"),
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

    /// Asks for what a proof with a vertex reads.
    #[inline(always)]
    fn fetch(&self, vertex: u32) {
        ahead::fetch_line(self.polytope.vertices(), vertex as usize);
        self.polytope.joints().fetch(vertex);
    }
}

/// Both polytopes of up to eight pairs. Lanes without a pair repeat the first.
type Bodies<'a> = [[Body<'a>; 2]; LANES];

/// The closest points of up to eight pairs. Its room is used again and again.
#[derive(Debug)]
pub(super) struct Closest {
    halves: [Half; LANES / FOUR],
    turns: Turns,
    /// What a scan along a direction of unit length leaves open, in the units that scans have.
    margins: [[f32; LANES]; 2],
    /// The corners that each search ended with, and the last support point; by bits, where no bit is the centre.
    corners: [Names; 3],
    last: Names,
    /// The vertices that were nearly the farthest in the last scan.
    near: Names,
    /// One bit for each pair that seems to be apart, that seems to overlap, and that is proven to be apart.
    apart: u32,
    inside: u32,
    proven: u32,
    features: [[Feature; 2]; LANES],
}

/// Four of the pairs.
#[derive(Debug)]
struct Half {
    sides: [Placing; 2],
    /// What [`Centers`](super::centers::Centers) says about the sizes of the pairs.
    extent: Numbers,
    gap_error: Numbers,
    scale: Numbers,
    witness: [Points; 2],
    direction: Points,
    far_a: Numbers,
    near_b: Numbers,
    lower: Numbers,
    upper: Numbers,
}

/// The poses of four polytopes.
#[derive(Debug)]
struct Placing {
    matrix: [Points; 3],
    translation: Points,
}

impl Closest {
    /// Of no pairs.
    pub(super) const NONE: Closest = {
        const NUMBERS: Numbers = [0.0; FOUR];
        const POINTS: Points = [NUMBERS; 3];
        const PLACING: Placing = Placing {
            matrix: [POINTS; 3],
            translation: POINTS,
        };
        const HALF: Half = Half {
            sides: [PLACING; 2],
            extent: NUMBERS,
            gap_error: NUMBERS,
            scale: NUMBERS,
            witness: [POINTS; 2],
            direction: POINTS,
            far_a: NUMBERS,
            near_b: NUMBERS,
            lower: NUMBERS,
            upper: NUMBERS,
        };
        Closest {
            halves: [HALF; LANES / FOUR],
            turns: Turns::ZERO,
            margins: [[0.0; LANES]; 2],
            corners: [[[0; LANES]; 2]; 3],
            last: [[0; LANES]; 2],
            near: [[0; LANES]; 2],
            apart: 0,
            inside: 0,
            proven: 0,
            features: [[Feature::Inside; 2]; LANES],
        }
    };

    /// Searches one to eight small pairs, named by their indices, and proves what it can.
    #[inline(always)]
    pub(super) fn measure<S: Simd>(&mut self, simd: S, pairs: &[PolytopePair<'_>], chosen: &[u32]) {
        let first = &pairs[chosen[0] as usize];
        let mut bodies = [Body::both(first); LANES];
        let mut starts = Starts::NONE;
        for lane in 0..chosen.len().min(LANES) {
            let pair = &pairs[chosen[lane] as usize];
            bodies[lane] = Body::both(pair);
            starts.add(lane, &bodies[lane], pair.cache);
        }
        let ordinary = self.place(simd, &bodies);
        let first = starts.part(simd, &self.turns);
        let wanted = (1_u32 << chosen.len()) - 1;
        let last = self.search(simd, &bodies, first, ordinary & wanted);
        self.prove(simd, &bodies, last);
    }

    /// What is proven about a pair.
    #[inline(always)]
    pub(super) fn separation(&self, lane: usize) -> Option<Separation> {
        let (half, place) = (&self.halves[lane / FOUR], lane % FOUR);
        (self.proven >> lane & 1 == 1).then(|| Separation {
            distance: 0.5 * (half.lower[place] + half.upper[place]),
            bounds: Interval {
                lower: half.lower[place],
                upper: half.upper[place],
            },
            witness: Witness {
                a: point_of(&half.witness[0], place),
                b: point_of(&half.witness[1], place),
            },
            features: self.features[lane],
        })
    }

    /// The corners that the closest points of a pair are on, where that is proven.
    #[inline(always)]
    pub(super) fn corners(&self, lane: usize) -> [[u32; 2]; 3] {
        let [p, q, r] = &self.corners;
        let of = |names: &Names| {
            [
                names[0][lane].trailing_zeros(),
                names[1][lane].trailing_zeros(),
            ]
        };
        [of(p), of(q), of(r)]
    }

    /// What the search of a pair ended with.
    #[inline(always)]
    pub(super) fn proposal(&self, lane: usize) -> Proposal {
        let name = |names: &Names| {
            // No bit is the centre.
            let of = |bits: u32| {
                if bits == 0 {
                    CENTER
                } else {
                    bits.trailing_zeros()
                }
            };
            [of(names[0][lane]), of(names[1][lane])]
        };
        let outcome = if self.apart >> lane & 1 == 1 {
            Outcome::Apart
        } else if self.inside >> lane & 1 == 1 {
            Outcome::Overlapping
        } else {
            Outcome::Open
        };
        let [p, q, r] = &self.corners;
        Proposal {
            outcome,
            direction: [0.0; 3],
            corners: [name(p), name(q), name(r), name(&self.last)],
        }
    }

    /// Puts the pairs in columns; one bit for each that is not too far away for the error bounds.
    #[inline(always)]
    fn place<S: Simd>(&mut self, simd: S, bodies: &Bodies<'_>) -> u32 {
        let mut rough = [Rough::ZERO; LANES / FOUR];
        // Loops and not twice the same code: all that eight pairs go through should fit into the nearest cache.
        let bodies = bodies.as_chunks::<FOUR>().0;
        for number in 0..LANES / FOUR {
            self.halves[number].place(simd, &bodies[number], &mut rough[number]);
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
        (self.apart, self.inside) = (0, 0);
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
            let ahead = part.direction.dot(part.corners[0].sub(w));
            let is_apart = ahead.simd_le(tolerance) & open;
            let (next, is_inside) = step(simd, &part, w, self.last);
            let is_inside = is_inside & open & !is_apart;
            self.apart |= is_apart.to_bitmask() as u32;
            self.inside |= is_inside.to_bitmask() as u32;
            open = open & !is_apart & !is_inside;
            // Those that are done stay as they are.
            part = Part::select(open, next, part);
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
        mut todo: u32,
        points: &mut [Columns; 2],
    ) {
        let local = self.turns.local(simd, part.direction);
        let length = part.direction.dot(part.direction).sqrt();
        let mut margins = [[0.0; LANES]; 2];
        let mut known = [[0; LANES]; 2];
        for side in 0..2 {
            let margin = length * f32x8::load_array_ref(simd, &self.margins[side]);
            margin.store_slice(&mut margins[side]);
            corner_bits(part, side).store_slice(&mut known[side]);
        }
        while todo != 0 {
            let lane = todo.trailing_zeros() as usize % LANES;
            todo &= todo - 1;
            let [a, b] = &bodies[lane];
            let along_a = [local[0][0][lane], local[0][1][lane], local[0][2][lane]];
            let along_b = [local[1][0][lane], local[1][1][lane], local[1][2][lane]];
            let (a, b) = (&a.packed.vertices, &b.packed.vertices);
            let near_a = a.near_max(simd, along_a, margins[0][lane]) as u32;
            let near_b = b.near_max(simd, along_b, margins[1][lane]) as u32;
            let vertex_a = one_of(near_a, known[0][lane]);
            let vertex_b = one_of(near_b, known[1][lane]);
            self.near[0][lane] = near_a;
            self.near[1][lane] = near_b;
            self.last[0][lane] = 1 << vertex_a;
            self.last[1][lane] = 1 << vertex_b;
            set(&mut points[0], lane, a.point_of_few(vertex_a));
            set(&mut points[1], lane, b.point_of_few(vertex_b));
        }
    }

    /// Proves what it can about the pairs that seem to be apart.
    #[inline(always)]
    fn prove<S: Simd>(&mut self, simd: S, bodies: &Bodies<'_>, last: Part<S>) {
        let nobody = u32x8::splat(simd, 0);
        let mut others = [[0; LANES]; 2];
        let (mut any, mut is_vertex) = (nobody, open_to(simd, self.apart));
        for (side, others) in others.iter_mut().enumerate() {
            let near = u32x8::load_array_ref(simd, &self.near[side]);
            let other = near & !corner_bits(&last, side);
            other.store_slice(others);
            any |= other;
            for k in 0..3 {
                last.names[k][side].store_slice(&mut self.corners[k][side]);
                // A centre is no vertex.
                is_vertex &= last.names[k][side].simd_gt(nobody);
            }
        }
        let has_others = any.simd_gt(nobody).to_bitmask() as u32;
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
            self.fetch_corners(lane, &bodies[lane]);
        }
        let mut sound = 0;
        let fours = bodies.as_chunks::<FOUR>().0;
        for number in 0..LANES / FOUR {
            let count = f64x4::load_array_ref(simd, &counted[number]);
            let scanned = Four::load(simd, &directions[number]);
            let (half, lane) = (&mut self.halves[number], number * FOUR);
            sound |=
                half.measure(simd, &fours[number], &self.corners, lane, count, scanned) << lane;
        }
        sound &= (is_vertex & is_sure).to_bitmask() as u32;
        for lane in lanes_of(sound & has_others) {
            let others = [others[0][lane], others[1][lane]];
            let first = self.corners[0][0][lane];
            self.halves[lane / FOUR].add_others(lane % FOUR, bodies[lane], others, first);
        }
        let [first, second] = &mut self.halves;
        self.proven = sound & (first.conclude(simd) | second.conclude(simd) << FOUR);
        for lane in lanes_of(self.proven) {
            self.features[lane] = self.features(lane, bodies[lane]);
        }
    }

    /// Asks for what the proof of a lane reads.
    #[inline(always)]
    fn fetch_corners(&self, lane: usize, [a, b]: &[Body<'_>; 2]) {
        for k in 0..3 {
            a.fetch(self.corners[k][0][lane].trailing_zeros());
            b.fetch(self.corners[k][1][lane].trailing_zeros());
        }
    }

    /// The features that the corners of a lane span.
    #[inline(always)]
    fn features(&self, lane: usize, [a, b]: [Body<'_>; 2]) -> [Feature; 2] {
        let [p, q, r] = &self.corners;
        let on = |side: usize| {
            [
                p[side][lane].trailing_zeros(),
                q[side][lane].trailing_zeros(),
                r[side][lane].trailing_zeros(),
            ]
        };
        let direction = || point_of(&self.halves[lane / FOUR].direction, lane % FOUR);
        [
            spanned(a.polytope, &on(0), || a.pose.unrotate(direction())),
            spanned(b.polytope, &on(1), || b.pose.unrotate(-direction())),
        ]
    }
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

/// The vertices of one side that the corners are made of.
#[inline(always)]
fn corner_bits<S: Simd>(part: &Part<S>, side: usize) -> u32x8<S> {
    let [p, q, r] = &part.names;
    p[side] | q[side] | r[side]
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

/// A vertex that is nearly the farthest, if possible not one that is known.
#[inline(always)]
fn one_of(near: u32, known: u32) -> u32 {
    let new = near & !known;
    let some = if new == 0 { near } else { new };
    // There is none where numbers are not numbers.
    if some == 0 { 0 } else { some.trailing_zeros() }
}

/// The corners of last time, in the frames of the bodies.
struct Starts {
    /// By bits; none where no corners are known.
    names: [Names; 3],
    points: [[Columns; 2]; 3],
    /// All bits or none.
    is_known: [u32; LANES],
}

impl Starts {
    const NONE: Starts = Starts {
        names: [[[0; LANES]; 2]; 3],
        points: [[[[0.0; LANES]; 3]; 2]; 3],
        is_known: [0; LANES],
    };

    /// Puts what a cache knows into a lane.
    #[inline(always)]
    fn add(&mut self, lane: usize, [a, b]: &[Body<'_>; 2], cache: &PairCache) {
        let (a, b) = (&a.packed.vertices, &b.packed.vertices);
        let [p, q, r] = cache.corners;
        // A cache of other polytopes may name vertices that do not exist.
        let is_known = cache.has_corners
            & (p[0].max(q[0]).max(r[0]) < a.len() as u32)
            & (p[1].max(q[1]).max(r[1]) < b.len() as u32);
        let mask = u32::from(is_known).wrapping_neg();
        self.is_known[lane] = mask;
        for k in 0..3 {
            let [on_a, on_b] = cache.corners[k];
            let (on_a, on_b) = (on_a & mask, on_b & mask);
            self.names[k][0][lane] = 1_u32.wrapping_shl(on_a) & mask;
            self.names[k][1][lane] = 1_u32.wrapping_shl(on_b) & mask;
            set(&mut self.points[k][0], lane, a.point_of_few(on_a));
            set(&mut self.points[k][1], lane, b.point_of_few(on_b));
        }
    }

    /// The nearest parts of these corners, or the offset of the centres.
    #[inline(always)]
    fn part<S: Simd>(&self, simd: S, turns: &Turns) -> Part<S> {
        let offset = Wide::load(simd, &turns.offsets);
        let known = u32x8::load_array_ref(simd, &self.is_known);
        let is_known = known.simd_gt(u32x8::splat(simd, 0));
        let mut y = [offset; 3];
        let mut names = [[known; 2]; 3];
        for k in 0..3 {
            let [a, b] = &self.points[k];
            let points = [Wide::load(simd, a), Wide::load(simd, b)];
            y[k] = Wide::select(is_known, turns.difference(simd, points), offset);
            names[k] = [
                u32x8::load_array_ref(simd, &self.names[k][0]),
                u32x8::load_array_ref(simd, &self.names[k][1]),
            ];
        }
        nearest_part(simd, y, names)
    }
}

/// What the search needs of four placed pairs.
#[derive(Clone, Copy)]
struct Rough {
    /// The columns of the matrices, times the scales of the polytopes.
    matrices: [[Points; 3]; 2],
    offset: Points,
    margins: [Numbers; 2],
    /// One bit for each that is not too far away.
    ordinary: u32,
}

impl Rough {
    const ZERO: Rough = Rough {
        matrices: [[[[0.0; FOUR]; 3]; 3]; 2],
        offset: [[0.0; FOUR]; 3],
        margins: [[0.0; FOUR]; 2],
        ordinary: 0,
    };
}

/// One polytope of each of four pairs.
struct Sized<S: Simd> {
    matrix: [Four<S>; 3],
    center: Four<S>,
    deviation: f64x4<S>,
    radius: f64x4<S>,
    outer_radius: f64x4<S>,
    scale: f64x4<S>,
    error: f64x4<S>,
    away: f64x4<S>,
}

impl Placing {
    /// As [`Pose::place`] does.
    #[inline(always)]
    fn place<S: Simd>(&self, simd: S, v: Four<S>) -> Four<S> {
        let column = |k: usize| Four::load(simd, &self.matrix[k]);
        let turned = column(0).scale(v.x).add(column(1).scale(v.y));
        let turned = turned.add(column(2).scale(v.z));
        turned.add(Four::load(simd, &self.translation))
    }

    /// Puts four polytopes in columns. Formulas and bounds are those of [`Side`](super::side::Side).
    #[inline(always)]
    fn fill<S: Simd>(&mut self, simd: S, [p, q, r, s]: [&Body<'_>; FOUR]) -> Sized<S> {
        let number = |n: f64| f64x4::splat(simd, n);
        let poses = [
            p.pose.in_fours(simd),
            q.pose.in_fours(simd),
            r.pose.in_fours(simd),
            s.pose.in_fours(simd),
        ];
        let of_poses = |k: usize| transposed([poses[0][k], poses[1][k], poses[2][k], poses[3][k]]);
        let [m0, m1, m2, m3] = of_poses(0);
        let [m4, m5, m6, m7] = of_poses(1);
        let [_, _, _, m8] = of_poses(2);
        let [x, y, z, deviation] = of_poses(3);
        let sizes = [
            p.packed.in_fours(simd),
            q.packed.in_fours(simd),
            r.packed.in_fours(simd),
            s.packed.in_fours(simd),
        ];
        let of_sizes = |k: usize| transposed([sizes[0][k], sizes[1][k], sizes[2][k], sizes[3][k]]);
        let [center_x, center_y, center_z, radius] = of_sizes(0);
        let [scale, reach, _, _] = of_sizes(1);

        let matrix = [
            Four {
                x: m0,
                y: m1,
                z: m2,
            },
            Four {
                x: m3,
                y: m4,
                z: m5,
            },
            Four {
                x: m6,
                y: m7,
                z: m8,
            },
        ];
        let [first, second, third] = &mut self.matrix;
        matrix[0].store(first);
        matrix[1].store(second);
        matrix[2].store(third);
        Four { x, y, z }.store(&mut self.translation);
        let center = Four {
            x: center_x,
            y: center_y,
            z: center_z,
        };
        let turned = matrix[0].scale(center.x).add(matrix[1].scale(center.y));
        let turned = turned.add(matrix[2].scale(center.z));
        let away = x.abs().max(y.abs()).max(z.abs());
        let error = number(8.0 * f64::EPSILON) * (reach + away);
        let stretch = number(1.0) + number(2.0) * deviation + number(4.0 * f64::EPSILON);
        Sized {
            matrix,
            center: turned.add(Four { x, y, z }),
            deviation,
            radius,
            outer_radius: radius * stretch + error,
            scale,
            error,
            away,
        }
    }
}

impl Half {
    /// Puts four pairs in columns. Formulas and bounds are those of [`Centers`](super::centers::Centers).
    #[inline(always)]
    fn place<S: Simd>(&mut self, simd: S, pairs: &[[Body<'_>; 2]; FOUR], rough: &mut Rough) {
        let number = |n: f64| f64x4::splat(simd, n);
        let [p, q, r, s] = pairs;
        let a = self.sides[0].fill(simd, [&p[0], &q[0], &r[0], &s[0]]);
        let b = self.sides[1].fill(simd, [&p[1], &q[1], &r[1], &s[1]]);
        let unit = a.scale.max(b.scale);
        let inverse = number(1.0) / unit;
        let offset = b.center.sub(a.center).scale(inverse);
        let distance = offset.dot(offset).sqrt() * unit;
        let extent = distance + a.outer_radius + b.outer_radius;
        extent.store_slice(&mut self.extent);
        let twice = a.outer_radius + a.outer_radius;
        let gap_error = number(2.5 * f64::EPSILON) * (twice + extent);
        gap_error.store_slice(&mut self.gap_error);
        let scale = a.radius.max(b.radius).max(distance) / number(3.5);
        scale.store_slice(&mut self.scale);
        offset.store(&mut rough.offset);
        let [margin_a, margin_b] = &mut rough.margins;
        a.round(simd, inverse, &mut rough.matrices[0], margin_a);
        b.round(simd, inverse, &mut rough.matrices[1], margin_b);
        let away = a.away.max(b.away);
        rough.ordinary = away.simd_le(number(FARTHEST)).to_bitmask() as u32;
    }

    /// Places the corners, which begin at a lane, and measures them; one bit for each pair where the last scan, along another
    /// direction, tells which vertices may be the farthest.
    #[inline(always)]
    fn measure<S: Simd>(
        &mut self,
        simd: S,
        bodies: &[[Body<'_>; 2]; FOUR],
        corners: &[Names; 3],
        lane: usize,
        count: f64x4<S>,
        scanned: Four<S>,
    ) -> u32 {
        let [first, second, third] = corners;
        let on_a = [
            self.placed(simd, bodies, first, 0, lane),
            self.placed(simd, bodies, second, 0, lane),
            self.placed(simd, bodies, third, 0, lane),
        ];
        let on_b = [
            self.placed(simd, bodies, first, 1, lane),
            self.placed(simd, bodies, second, 1, lane),
            self.placed(simd, bodies, third, 1, lane),
        ];
        let extent = f64x4::load_array_ref(simd, &self.extent);
        let found = Measured::new(simd, [on_a, on_b], count, extent);
        found.direction.store(&mut self.direction);
        found.witness[0].store(&mut self.witness[0]);
        found.witness[1].store(&mut self.witness[1]);
        found.upper.store_slice(&mut self.upper);
        found.far_a.store_slice(&mut self.far_a);
        found.near_b.store_slice(&mut self.near_b);
        let one = f64x4::splat(simd, 1.0);
        let drift = scanned.scale(one / scanned.dot(scanned).sqrt());
        let drift = drift.sub(found.direction);
        // A quarter less, for the rounding of all this and for directions that are not quite of unit length.
        let is_near = drift
            .dot(drift)
            .simd_le(f64x4::splat(simd, 0.75 * DRIFT * DRIFT));
        (found.is_sound & is_near).to_bitmask() as u32
    }

    /// One vertex of each pair, placed: those of one side, by their bits, from a lane on.
    #[inline(always)]
    fn placed<S: Simd>(
        &self,
        simd: S,
        [p, q, r, s]: &[[Body<'_>; 2]; FOUR],
        names: &Names,
        side: usize,
        lane: usize,
    ) -> Four<S> {
        let names = &names[side];
        let [x, y, z, _] = transposed([
            row(simd, &p[side], names[lane]),
            row(simd, &q[side], names[lane + 1]),
            row(simd, &r[side], names[lane + 2]),
            row(simd, &s[side], names[lane + 3]),
        ]);
        self.sides[side].place(simd, Four { x, y, z })
    }

    /// Takes other vertices into account that may be extreme, by their bits; `first` is the first corner of `a`.
    #[cold]
    fn add_others(&mut self, lane: usize, [a, b]: [Body<'_>; 2], others: [u32; 2], first: u32) {
        let direction = point_of(&self.direction, lane);
        let base = a.vertex(first.trailing_zeros());
        let [mut on_a, mut on_b] = others;
        while on_a != 0 {
            let along = direction.dot(a.vertex(on_a.trailing_zeros()) - base);
            self.far_a[lane] = self.far_a[lane].max(along);
            on_a &= on_a - 1;
        }
        while on_b != 0 {
            let along = direction.dot(b.vertex(on_b.trailing_zeros()) - base);
            self.near_b[lane] = self.near_b[lane].min(along);
            on_b &= on_b - 1;
        }
    }

    /// Bounds the distances from below; one bit for each lane where that makes an interval as narrow as promised.
    #[inline(always)]
    fn conclude<S: Simd>(&mut self, simd: S) -> u32 {
        let load = |numbers: &Numbers| f64x4::load_array_ref(simd, numbers);
        let gap = (load(&self.near_b) - load(&self.far_a)) - load(&self.gap_error);
        // The normalised direction is a few roundings from unit length.
        let lower = gap * f64x4::splat(simd, 1.0 - 4.0 * f64::EPSILON);
        let widest = load(&self.scale) * f64x4::splat(simd, WIDTH);
        let is_proven =
            lower.simd_gt(f64x4::splat(simd, 0.0)) & (load(&self.upper) - lower).simd_le(widest);
        lower.store_slice(&mut self.lower);
        is_proven.to_bitmask() as u32
    }
}

impl Body<'_> {
    /// A placed vertex; the last one for a bit too many.
    #[inline(always)]
    fn vertex(&self, vertex: u32) -> Vec3 {
        self.pose.place(self.local(vertex))
    }

    #[inline(always)]
    fn local(&self, vertex: u32) -> Vec3 {
        let vertices = self.polytope.vertices();
        vertices[(vertex as usize).min(vertices.len() - 1)]
    }
}

/// A vertex, by its bit, as a row of four numbers.
#[inline(always)]
fn row<S: Simd>(simd: S, body: &Body<'_>, bit: u32) -> f64x4<S> {
    let [x, y, z] = body.local(bit.trailing_zeros()).to_array();
    f64x4::load_array_ref(simd, &[x, y, z, 0.0])
}

impl<S: Simd> Sized<S> {
    /// The columns of the matrices times the scales, in units whose inverse is given, and what scans leave open.
    #[inline(always)]
    fn round(&self, simd: S, inverse: f64x4<S>, matrix: &mut [Points; 3], margin: &mut Numbers) {
        let number = |n: f64| f64x4::splat(simd, n);
        let share = self.scale * inverse;
        let [first, second, third] = matrix;
        self.matrix[0].scale(share).store(first);
        self.matrix[1].scale(share).store(second);
        self.matrix[2].scale(share).store(third);
        // What a polytope is off by in its own unit, as a share of the length of a direction.
        let off = number(DOT_ERROR + TURN_ERROR + DRIFT) + self.error / self.scale;
        let length = number(1.0) + number(2.0) * self.deviation;
        (length * number(2.0) * off * share).store_slice(margin);
    }
}
