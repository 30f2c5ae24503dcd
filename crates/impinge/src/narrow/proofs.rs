//! The proofs that proposals of a search are the distance, for four pairs side by side.
//!
//! The proof of one pair is a chain of some hundred operations of which each waits for the one before. Here the placed
//! vertices of four pairs are put in columns, one pair a lane, and all that follows is done for the four at once and without a
//! branch on what kind of part it is: [`Part`](super::part::Part) says what it is about, and its formulas and error bounds
//! are those used here. Only the scans for other extreme vertices are for one pair at a time.
//!
//! **Invariant.** What [`Proofs::separation`] returns is certified as [`separation`](super::separation) promises. A lane that
//! proves nothing says nothing.

use super::centers::Centers;
use super::four::{FOUR, Four, Numbers, Points, point_of, set_point};
use super::pair::CENTER;
use super::search::{Item, Outcome, Proposal};
use super::separation::WIDTH;
use super::wide::LANES;
use crate::contact::{Feature, Separation, Witness};
use crate::math::{Interval, LEAST_SQUARE, MOST_SQUARE};
use crate::narrow::features::spanned;
use fearless_simd::{Simd, f64x4, prelude::*};

/// The proofs of up to eight proposals.
#[derive(Debug)]
pub(super) struct Proofs {
    halves: [Half; LANES / FOUR],
    features: [[Feature; 2]; LANES],
    /// One bit for each proposal that is proven.
    proven: u32,
}

/// Four pairs, one a lane. Lanes without a pair have no corners, which proves nothing.
#[derive(Debug)]
struct Half {
    /// The placed vertices of `a` and `b` that the corners are made of, repeated to three.
    corners: [[Points; 2]; 3],
    /// How many different corners there are.
    count: Numbers,
    /// What [`Centers`] says about the sizes of the pairs.
    extent: Numbers,
    gap_error: Numbers,
    scale: Numbers,
    /// From the origin to the part, of unit length.
    direction: Points,
    witness: [Points; 2],
    /// How far `a` reaches along the direction, and where `b` begins, from the first corner of `a` on.
    far_a: Numbers,
    near_b: Numbers,
    lower: Numbers,
    upper: Numbers,
}

impl Half {
    const NONE: Half = Half {
        corners: [[[[0.0; FOUR]; 3]; 2]; 3],
        count: [0.0; FOUR],
        extent: [0.0; FOUR],
        gap_error: [0.0; FOUR],
        scale: [0.0; FOUR],
        direction: [[0.0; FOUR]; 3],
        witness: [[[0.0; FOUR]; 3]; 2],
        far_a: [0.0; FOUR],
        near_b: [0.0; FOUR],
        lower: [0.0; FOUR],
        upper: [0.0; FOUR],
    };
}

impl Proofs {
    /// None.
    pub(super) const NONE: Proofs = Proofs {
        halves: [Half::NONE; LANES / FOUR],
        features: [[Feature::Inside; 2]; LANES],
        proven: 0,
    };

    /// Proves what it can of the proposals that pairs are apart. What was proven before is gone; its room is used again, because to
    /// clear it takes longer than some of the proofs.
    #[inline(always)]
    pub(super) fn prove<S: Simd>(
        &mut self,
        simd: S,
        items: &[Item<'_, '_, S>],
        proposals: &[Proposal; LANES],
    ) {
        for half in &mut self.halves {
            half.count = [0.0; FOUR];
        }
        for (item, proposal) in items.iter().zip(proposals) {
            let [p, q, r, _] = proposal.corners;
            item.centers.a.polytope.fetch_vertices([p[0], q[0], r[0]]);
            item.centers.b.polytope.fetch_vertices([p[1], q[1], r[1]]);
        }
        for (lane, (item, proposal)) in items.iter().zip(proposals).enumerate() {
            let [p, q, r, _] = proposal.corners;
            let has_center = p[0] == CENTER || q[0] == CENTER || r[0] == CENTER;
            if proposal.outcome == Outcome::Apart && !has_center {
                self.halves[lane / FOUR].gather(lane % FOUR, item.centers, [p, q, r]);
            }
        }
        let [first, second] = &mut self.halves;
        let sound = first.measure(simd) | second.measure(simd) << FOUR;
        for lane in lanes_of(sound) {
            let half = &mut self.halves[lane / FOUR];
            half.add_extremes(lane % FOUR, items[lane].centers, &proposals[lane]);
        }
        let [first, second] = &mut self.halves;
        self.proven = sound & (first.conclude(simd) | second.conclude(simd) << FOUR);
        for lane in lanes_of(self.proven) {
            let direction = &self.halves[lane / FOUR].direction;
            self.features[lane] = features(
                items[lane].centers,
                &proposals[lane],
                direction,
                lane % FOUR,
            );
        }
    }

    /// What the proof of a proposal says, if there is one.
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
}

/// The numbers of the bits that are set.
#[inline(always)]
pub(super) fn lanes_of(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(
        #[inline(always)]
        move || {
            let lane = bits.trailing_zeros() as usize % LANES;
            let is_some = bits != 0;
            bits &= bits.wrapping_sub(1);
            is_some.then_some(lane)
        },
    )
}

/// The features that the corners of a proposal span.
#[inline(always)]
fn features<S: Simd>(
    pair: &Centers<'_, S>,
    proposal: &Proposal,
    direction: &Points,
    place: usize,
) -> [Feature; 2] {
    let [p, q, r, _] = proposal.corners;
    [
        spanned(pair.a.polytope, &[p[0], q[0], r[0]], || {
            pair.a.local(point_of(direction, place))
        }),
        spanned(pair.b.polytope, &[p[1], q[1], r[1]], || {
            pair.b.local(-point_of(direction, place))
        }),
    ]
}

impl Half {
    /// Puts a pair into a lane.
    #[inline(always)]
    fn gather<S: Simd>(&mut self, lane: usize, pair: &Centers<'_, S>, names: [[u32; 2]; 3]) {
        let [p, q, r] = names;
        // Repeated corners are placed again: that is cheaper than a branch that is hard to foresee.
        for (corner, [on_a, on_b]) in self.corners.iter_mut().zip(names) {
            set_point(&mut corner[0], lane, pair.a.place(on_a));
            set_point(&mut corner[1], lane, pair.b.place(on_b));
        }
        self.count[lane] =
            1.0 + f64::from(u8::from(q != p)) + f64::from(u8::from((r != q) & (q != p)));
        self.extent[lane] = pair.extent();
        self.gap_error[lane] = pair.gap_error();
        self.scale[lane] = pair.scale();
    }

    /// The nearest points of the parts, and what they bound from above; one bit for each lane where the nearest point is
    /// inside of the part and the direction is not lost in rounding.
    #[inline(always)]
    fn measure<S: Simd>(&mut self, simd: S) -> u32 {
        let corner = |k: usize, side: usize| Four::load(simd, &self.corners[k][side]);
        let on_a = [corner(0, 0), corner(1, 0), corner(2, 0)];
        let on_b = [corner(0, 1), corner(1, 1), corner(2, 1)];
        let count = f64x4::load_array_ref(simd, &self.count);
        let extent = f64x4::load_array_ref(simd, &self.extent);
        let measured = Measured::new(simd, [on_a, on_b], count, extent);
        measured.direction.store(&mut self.direction);
        measured.witness[0].store(&mut self.witness[0]);
        measured.witness[1].store(&mut self.witness[1]);
        measured.upper.store_slice(&mut self.upper);
        measured.far_a.store_slice(&mut self.far_a);
        measured.near_b.store_slice(&mut self.near_b);
        measured.is_sound.to_bitmask() as u32
    }

    /// Takes the other vertices into account that may be extreme along the direction.
    #[inline(always)]
    fn add_extremes<S: Simd>(&mut self, lane: usize, pair: &Centers<'_, S>, proposal: &Proposal) {
        let [p, q, r, _] = proposal.corners;
        let direction = point_of(&self.direction, lane);
        let base = point_of(&self.corners[0][0], lane);
        let (far_a, near_b) = (&mut self.far_a[lane], &mut self.near_b[lane]);
        pair.a.for_each_other_extreme(
            pair.simd,
            direction,
            [p[0], q[0], r[0]],
            #[inline(always)]
            |vertex| *far_a = far_a.max(direction.dot(vertex - base)),
        );
        pair.b.for_each_other_extreme(
            pair.simd,
            -direction,
            [p[1], q[1], r[1]],
            #[inline(always)]
            |vertex| *near_b = near_b.min(direction.dot(vertex - base)),
        );
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

/// What the placed corners of four parts say.
pub(super) struct Measured<S: Simd> {
    /// From the origin to the part, of unit length.
    pub(super) direction: Four<S>,
    pub(super) witness: [Four<S>; 2],
    /// Bounds for the distances from above.
    pub(super) upper: f64x4<S>,
    /// How far the corners of `a` reach along the direction, and where those of `b` begin, from the first corner of `a` on.
    pub(super) far_a: f64x4<S>,
    pub(super) near_b: f64x4<S>,
    /// Where the nearest point is inside of the part and the direction is not lost in rounding.
    pub(super) is_sound: fearless_simd::mask64x4<S>,
}

impl<S: Simd> Measured<S> {
    /// Of the corners of `a` and of `b`, repeated to three, of which `count` are different.
    #[inline(always)]
    pub(super) fn new(
        simd: S,
        [on_a, on_b]: [[Four<S>; 3]; 2],
        count: f64x4<S>,
        extent: f64x4<S>,
    ) -> Measured<S> {
        let y = [
            on_b[0].sub(on_a[0]),
            on_b[1].sub(on_a[1]),
            on_b[2].sub(on_a[2]),
        ];
        let nearest = Nearest::new(simd, y, count);
        let (zero, one) = (f64x4::splat(simd, 0.0), f64x4::splat(simd, 1.0));
        let square = nearest.direction.dot(nearest.direction);
        let inverse = one / square.sqrt();
        let direction = nearest.direction.scale(inverse);
        let mean = Four::mean(y, nearest.weights);
        // As in `Part::length_above`.
        let room = extent * f64x4::splat(simd, 6.0 * f64::EPSILON);
        let upper = (mean.dot(mean).sqrt() + room) * f64x4::splat(simd, 1.0 + 4.0 * f64::EPSILON);
        // As in `gap_along`.
        let base = on_a[0];
        let along = |point: Four<S>| direction.dot(point.sub(base));
        Measured {
            direction,
            witness: [
                Four::mean(on_a, nearest.weights),
                Four::mean(on_b, nearest.weights),
            ],
            upper,
            far_a: along(on_a[1]).max(along(on_a[2])).max(zero),
            near_b: along(on_b[0]).min(along(on_b[1])).min(along(on_b[2])),
            // A square beyond these is rounded by more than a length may be.
            is_sound: nearest.is_inside
                & square.simd_ge(f64x4::splat(simd, LEAST_SQUARE))
                & square.simd_le(f64x4::splat(simd, MOST_SQUARE)),
        }
    }
}

/// The points of four parts that are nearest to the origin.
struct Nearest<S: Simd> {
    weights: [f64x4<S>; 3],
    /// From the origin to the part, of any length.
    direction: Four<S>,
    /// Whether the nearest point is inside of the hull of the corners, and not on its border.
    is_inside: fearless_simd::mask64x4<S>,
}

impl<S: Simd> Nearest<S> {
    /// Of the corners, of which there are as many different ones as `count` says: a vertex, an edge or a triangle.
    #[inline(always)]
    fn new(simd: S, y: [Four<S>; 3], count: f64x4<S>) -> Nearest<S> {
        let (zero, one) = (f64x4::splat(simd, 0.0), f64x4::splat(simd, 1.0));
        let is_edge = count.simd_eq(f64x4::splat(simd, 2.0));
        let is_triangle = count.simd_eq(f64x4::splat(simd, 3.0));
        let edge = Nearest::over_edge(simd, y[0], y[1]);
        let triangle = Nearest::over_triangle(simd, y);
        let weight = |k: usize, of_vertex: f64x4<S>| {
            is_triangle.select(
                triangle.weights[k],
                is_edge.select(edge.weights[k], of_vertex),
            )
        };
        let not_triangle = Four::select(is_edge, edge.direction, y[0]);
        Nearest {
            weights: [weight(0, one), weight(1, zero), weight(2, zero)],
            direction: Four::select(is_triangle, triangle.direction, not_triangle),
            is_inside: (count.simd_eq(one))
                | (is_edge & edge.is_inside)
                | (is_triangle & triangle.is_inside),
        }
    }

    #[inline(always)]
    fn over_edge(simd: S, p: Four<S>, q: Four<S>) -> Nearest<S> {
        let zero = f64x4::splat(simd, 0.0);
        let edge = q.sub(p);
        let (from_p, from_q) = (zero - p.dot(edge), q.dot(edge));
        let total = from_p + from_q;
        // The nearer end is the better base: less of it cancels.
        let base = Four::select(from_p.simd_lt(from_q), p, q);
        Nearest {
            weights: [from_q / total, from_p / total, zero],
            direction: edge.cross(base.cross(edge)),
            is_inside: from_p.simd_gt(zero) & from_q.simd_gt(zero),
        }
    }

    #[inline(always)]
    fn over_triangle(simd: S, [p, q, r]: [Four<S>; 3]) -> Nearest<S> {
        let zero = f64x4::splat(simd, 0.0);
        let normal = q.sub(p).cross(r.sub(p));
        // Twice the areas of the triangles that the foot makes with the opposite edges, times the length of the normal.
        let areas = [
            normal.dot(q.cross(r)),
            normal.dot(r.cross(p)),
            normal.dot(p.cross(q)),
        ];
        let total = areas[0] + areas[1] + areas[2];
        let one = f64x4::splat(simd, 1.0);
        let outward = normal.dot(p).simd_lt(zero).select(zero - one, one);
        Nearest {
            weights: [areas[0] / total, areas[1] / total, areas[2] / total],
            direction: normal.scale(outward),
            is_inside: areas[0].simd_gt(zero) & areas[1].simd_gt(zero) & areas[2].simd_gt(zero),
        }
    }
}
