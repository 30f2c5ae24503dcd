//! Whether eight pairs overlap: GJK in `f32` side by side, with proofs in the same lanes.
//!
//! The steps are those of [`search`](super::search), from the corners of last time, or from the offset of the centres along the direction that separated
//! them last. They end as soon as a verdict is certain; nothing is computed again in `f64`. What is not certain after all has a
//! [`Proposal`] for the slower ways.
//!
//! **Apart.** Let `L` be the [extent](Centers::extent) of a pair in its units. No difference `y` of two points is longer, and no polytope is larger. With the direction `d` of
//! a step, taken as of unit length, and the support point `w` of the difference, all differences are beyond `d . w` but for these errors: the scans see the direction
//! turned, off by [`TURN_ERROR`](super::closest::TURN_ERROR), and their products are off by [`DOT_ERROR`](crate::shape::DOT_ERROR), of points of a length up to `2 L` for both together, once for the
//! vertex that is found and once for the farthest (`6 * 2^-20 L`); they tell products apart to `2^-18` (twice, `2^-17 L`); the point `w` is off by the rounding of
//! matrices, points and sums, below `2^-19 L`, and its product by `2^-21 L`. That is less than `2^-15.9 L`. Placed vertices are off by
//! [`Centers::placing_error`] besides.
//!
//! **Overlapping.** Where the origin is inside of a tetrahedron of such points, and farther from its faces than the points are off, there is a
//! tetrahedron of differences around it. The distance from a face is `n . w / |n|`, with `n` the product of two edges and hence not longer than `4 L^2`. Each edge is
//! off by a rounding, `n` by `2^-19 L^2` and `n . w` by `2^-18 L^3`, and the volume, in which another edge takes the place of `w`, by twice as much. So
//! products of more than `L^2 (2^-15 L + 4 e)`, with `e` the error of placing, have the right sign and are far enough from zero.

use super::cache::{Last, PairCache};
use super::centers::Centers;
use super::closest::{LONGEST, SHORTEST};
use super::four::transposed;
use super::many::Waiting;
use super::pair::{CENTER, PolytopePair};
use super::search::{
    Blurs, MAX_STEPS, NO_PROGRESS, Names, Outcome, Part, Proposal, Turns, nearest_part, step,
};
use super::side::Side;
use super::wide::{Columns, LANES, Wide, set};
use fearless_simd::{Simd, f32x8, mask32x8, prelude::*, u32x8};

/// How the searches of up to eight pairs ended.
#[derive(Debug)]
pub(super) struct Decisions {
    /// One bit for each that seems to be apart, that seems to overlap, and of which one of these is certain.
    apart: u32,
    inside: u32,
    proven: u32,
    /// The last directions, of unit length.
    directions: Columns,
    /// The corners that each search ended with, and the last support point.
    corners: [Names; 3],
    last: Names,
}

impl Decisions {
    /// Whether a pair overlaps, if that is certain.
    #[inline(always)]
    pub(super) fn verdict(&self, lane: usize) -> Option<bool> {
        (self.proven >> lane & 1 == 1).then_some(self.inside >> lane & 1 == 1)
    }

    /// Keeps what is certain about a pair.
    #[inline(always)]
    pub(super) fn keep(&self, lane: usize, cache: &mut PairCache) {
        let is_inside = self.inside >> lane & 1 == 1;
        let direction = self.direction(lane);
        *cache = PairCache {
            corners: self.corners_of(lane),
            direction: if is_inside { [0.0; 3] } else { direction },
            has_corners: true,
            last: if is_inside {
                Last::Overlapping
            } else {
                Last::Apart
            },
            size: cache.size,
        };
    }

    /// What is to be checked about a pair.
    pub(super) fn proposal(&self, lane: usize) -> Proposal {
        let [p, q, r] = self.corners_of(lane);
        Proposal {
            outcome: Outcome::of_lane(lane, self.apart, self.inside),
            direction: self.direction(lane),
            corners: [p, q, r, [self.last[0][lane], self.last[1][lane]]],
        }
    }

    #[inline(always)]
    fn corners_of(&self, lane: usize) -> [[u32; 2]; 3] {
        let [p, q, r] = &self.corners;
        [
            [p[0][lane], p[1][lane]],
            [q[0][lane], q[1][lane]],
            [r[0][lane], r[1][lane]],
        ]
    }

    #[inline(always)]
    fn direction(&self, lane: usize) -> [f32; 3] {
        let [x, y, z] = &self.directions;
        [x[lane], y[lane], z[lane]]
    }
}

/// Searches up to eight pairs.
#[inline(always)]
pub(super) fn decide<S: Simd>(
    simd: S,
    pairs: &[PolytopePair<'_>],
    some: &[Waiting<'_, S>],
) -> Decisions {
    let number = |n: f32| f32x8::splat(simd, n);
    let mut lanes = Lanes::new(simd, pairs, some);
    let blurs = Blurs::load(simd, &lanes.extent, &lanes.placing);
    let (slack, least) = (blurs.gap(simd), blurs.room(simd));
    let mut part = lanes.first_part(simd);
    let wanted = (1_u64 << some.len().min(LANES)) - 1;
    let mut open = mask32x8::from_bitmask(simd, wanted);
    let (mut apart, mut inside, mut proven) = (0, 0, 0);
    for _ in 0..MAX_STEPS {
        let w = lanes.support(simd, &part, open.to_bitmask() as u32);
        let along = part.direction.dot(part.corners[0]);
        let to_w = part.direction.dot(w);
        let length = part.direction.dot(part.direction).sqrt();
        let is_usual = length.simd_gt(number(SHORTEST)) & length.simd_lt(number(LONGEST));
        let is_sure = to_w.simd_gt(length * slack) & is_usual;
        let tolerance = part.direction.size() * number(NO_PROGRESS);
        let is_apart = ((along - to_w).simd_le(tolerance) | is_sure) & open;
        apart |= is_apart.to_bitmask() as u32;
        proven |= (is_sure & open).to_bitmask() as u32;
        open &= !is_apart;
        if open.to_bitmask() == 0 {
            break;
        }
        let taken = step(simd, &part, w, lanes.names);
        let is_inside = taken.is_inside & open;
        let is_sure = taken.room.min(along).simd_gt(least) & is_inside;
        inside |= is_inside.to_bitmask() as u32;
        proven |= is_sure.to_bitmask() as u32;
        open &= !is_inside;
        part.advance(open, taken.next);
        if open.to_bitmask() == 0 {
            break;
        }
    }
    let mut decisions = Decisions {
        apart,
        inside,
        proven,
        directions: [[0.0; LANES]; 3],
        corners: [[[0; LANES]; 2]; 3],
        last: lanes.names,
    };
    let length = part.direction.dot(part.direction).sqrt();
    decisions.directions = part.direction.scale(number(1.0) / length).store();
    for k in 0..3 {
        for side in 0..2 {
            part.names[k][side].store_slice(&mut decisions.corners[k][side]);
        }
    }
    decisions
}

/// What searches of eight pairs need, one column a lane.
struct Lanes<'w, 'a> {
    sides: [[&'w Side<'a>; 2]; LANES],
    turns: Turns,
    extent: [f32; LANES],
    /// What placing is off by. Infinite where a search begins at centres that may be outside of their polytopes.
    placing: [f32; LANES],
    /// The direction to begin along where no corners are known; zero for that of the offset.
    along: Columns,
    /// The corners of last time, in the frames of the bodies.
    points: [[Columns; 2]; 3],
    corners: [Names; 3],
    /// All bits where these are known, none elsewhere.
    is_known: [u32; LANES],
    /// The vertices that the last support points are made of.
    names: Names,
}

impl<'w, 'a> Lanes<'w, 'a> {
    #[inline(always)]
    fn new<S: Simd>(
        simd: S,
        pairs: &[PolytopePair<'_>],
        some: &'w [Waiting<'a, S>],
    ) -> Lanes<'w, 'a> {
        const ZERO: Columns = [[0.0; LANES]; 3];
        let (_, first) = &some[0];
        let mut lanes = Lanes {
            // Lanes without a pair are never looked at.
            sides: [[&first.a, &first.b]; LANES],
            turns: Turns::ZERO,
            extent: [1.0; LANES],
            placing: [0.0; LANES],
            along: ZERO,
            points: [[ZERO; 2]; 3],
            corners: [[[CENTER; LANES]; 2]; 3],
            is_known: [0; LANES],
            names: [[0; LANES]; 2],
        };
        let mut shares = [[1.0; LANES]; 2];
        for lane in 0..some.len().min(LANES) {
            let (index, pair) = &some[lane];
            lanes.begin(lane, pair, pairs[*index].cache);
            shares[0][lane] = pair.share_of_unit(&pair.a) as f32;
            shares[1][lane] = pair.share_of_unit(&pair.b) as f32;
        }
        lanes.turn(simd, 0, &shares[0]);
        lanes.turn(simd, 1, &shares[1]);
        lanes
    }

    /// Puts a pair and where to begin into a lane. Without a branch: which pairs have corners is hard to foresee.
    #[inline(always)]
    fn begin<S: Simd>(&mut self, lane: usize, pair: &'w Centers<'a, S>, cache: &PairCache) {
        let (a, b) = (&pair.a, &pair.b);
        self.sides[lane] = [a, b];
        set(&mut self.turns.offsets, lane, pair.offset_narrowed());
        // Rounded up.
        self.extent[lane] = pair.extent_in_units() as f32 * (1.0 + 4.0 * f32::EPSILON);
        let [p, q, r] = cache.corners;
        // A cache of other polytopes may name vertices that do not exist.
        let is_known = cache.has_corners
            & (p[0].max(q[0]).max(r[0]) < a.packed.vertices.len() as u32)
            & (p[1].max(q[1]).max(r[1]) < b.packed.vertices.len() as u32);
        let placing = pair.placing_error() as f32 * (1.0 + 4.0 * f32::EPSILON);
        let is_sound = is_known | pair.has_centers();
        self.placing[lane] = if is_sound { placing } else { f32::INFINITY };
        let mask = u32::from(is_known).wrapping_neg();
        self.is_known[lane] = mask;
        set(&mut self.along, lane, cache.direction);
        for k in 0..3 {
            let [on_a, on_b] = cache.corners[k];
            self.corners[k][0][lane] = on_a | !mask;
            self.corners[k][1][lane] = on_b | !mask;
            let point_a = a.packed.vertices.point(on_a & mask);
            let point_b = b.packed.vertices.point(on_b & mask);
            set(&mut self.points[k][0], lane, point_a);
            set(&mut self.points[k][1], lane, point_b);
        }
    }

    /// Puts the matrices of one side in columns, times the shares of the scales in the units.
    #[inline(always)]
    fn turn<S: Simd>(&mut self, simd: S, side: usize, shares: &[f32; LANES]) {
        let pose = |lane: usize| self.sides[lane][side].pose.in_fours(simd);
        let columns = |lane: usize| {
            let (p, q, r, s) = (pose(lane), pose(lane + 1), pose(lane + 2), pose(lane + 3));
            let [m0, m1, m2, m3] = transposed([p[0], q[0], r[0], s[0]]);
            let [m4, m5, m6, m7] = transposed([p[1], q[1], r[1], s[1]]);
            let [_, _, _, m8] = transposed([p[2], q[2], r[2], s[2]]);
            [m0, m1, m2, m3, m4, m5, m6, m7, m8]
        };
        let (low, high) = (columns(0), columns(LANES / 2));
        let share = f32x8::load_array_ref(simd, shares);
        let matrix = &mut self.turns.matrices[side].0;
        for k in 0..9 {
            let numbers = low[k].narrow(high[k]) * share;
            numbers.store_slice(&mut matrix[k / 3][k % 3]);
        }
    }

    /// The part of the corners of last time that is nearest to the origin, or the offset of the centres.
    #[inline(always)]
    fn first_part<S: Simd>(&self, simd: S) -> Part<S> {
        let offset = Wide::load(simd, &self.turns.offsets);
        let nothing = u32x8::splat(simd, 0);
        let is_known = u32x8::load_array_ref(simd, &self.is_known).simd_gt(nothing);
        let mut y = [offset; 3];
        let mut names = [[nothing; 2]; 3];
        for k in 0..3 {
            let [a, b] = &self.points[k];
            let points = [Wide::load(simd, a), Wide::load(simd, b)];
            y[k] = Wide::select(is_known, self.turns.difference(simd, points), offset);
            names[k] = [
                u32x8::load_array_ref(simd, &self.corners[k][0]),
                u32x8::load_array_ref(simd, &self.corners[k][1]),
            ];
        }
        let mut part = nearest_part(simd, y, names);
        let along = Wide::load(simd, &self.along);
        let has_direction = along.size().simd_gt(f32x8::splat(simd, 0.0));
        part.direction = Wide::select(has_direction & !is_known, along, part.direction);
        part
    }

    /// The support points of some pairs.
    #[inline(always)]
    fn support<S: Simd>(&mut self, simd: S, part: &Part<S>, mut todo: u32) -> Wide<S> {
        let [local_a, local_b] = self.turns.local(simd, part.direction);
        let nothing = f32x8::splat(simd, 0.0);
        let (rows_a, rows_b) = (local_a.rows(nothing), local_b.rows(nothing));
        let mut points = [[[0.0; LANES]; 3]; 2];
        while todo != 0 {
            let lane = todo.trailing_zeros() as usize % LANES;
            todo &= todo - 1;
            // Not a loop over both sides: its counter, and all that depends on it, would be in memory.
            let [a, b] = self.sides[lane];
            let ([x, y, z, _], [u, v, w, _]) = (rows_a[lane], rows_b[lane]);
            let (vertex_a, point_a) = a.nearly_farthest(simd, [x, y, z]);
            let (vertex_b, point_b) = b.nearly_farthest(simd, [u, v, w]);
            self.names[0][lane] = vertex_a;
            self.names[1][lane] = vertex_b;
            set(&mut points[0], lane, point_a);
            set(&mut points[1], lane, point_b);
        }
        let points = [Wide::load(simd, &points[0]), Wide::load(simd, &points[1])];
        self.turns.difference(simd, points)
    }
}
