//! The proofs that proposals of a search are the distance, for four pairs side by side.
//!
//! The proof of one pair is a chain of some hundred operations of which each waits for the one before. Here the placed
//! vertices of four pairs are put in columns, one pair a lane, and all that follows is done for the four at once and without a
//! branch on what kind of part it is ([`intervals`](super::intervals)). Only the scans for other extreme vertices are for one pair at a time.
//!
//! **Invariant.** What [`Proofs::separation`] returns is certified as [`separation`](super::separation) promises. A lane that
//! proves nothing says nothing.

use super::centers::Centers;
use super::features::spanned;
use super::four::{FOUR, Four, Numbers, Points, point_of, set_point};
use super::intervals::Intervals;
use super::pair::CENTER;
use super::search::{Item, Outcome, Proposal};
use super::wide::LANES;
use crate::contact::{Feature, Separation};
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
    intervals: Intervals,
}

impl Half {
    const NONE: Half = Half {
        corners: [[[[0.0; FOUR]; 3]; 2]; 3],
        count: [0.0; FOUR],
        intervals: Intervals::NONE,
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
        let [first, second] = [&mut first.intervals, &mut second.intervals];
        self.proven = sound & (first.conclude(simd) | second.conclude(simd) << FOUR);
        for lane in lanes_of(self.proven) {
            let direction = &self.halves[lane / FOUR].intervals.direction;
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
        (self.proven >> lane & 1 == 1)
            .then(|| half.intervals.separation(place, self.features[lane]))
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
        self.intervals.extent[lane] = pair.extent();
        self.intervals.gap_error[lane] = pair.gap_error();
        self.intervals.scale[lane] = pair.scale();
    }

    /// The nearest points of the parts, and what they bound from above; one bit for each lane where the nearest point is
    /// inside of the part and the direction is not lost in rounding.
    #[inline(always)]
    fn measure<S: Simd>(&mut self, simd: S) -> u32 {
        let corner = |k: usize, side: usize| Four::load(simd, &self.corners[k][side]);
        let on_a = [corner(0, 0), corner(1, 0), corner(2, 0)];
        let on_b = [corner(0, 1), corner(1, 1), corner(2, 1)];
        let count = f64x4::load_array_ref(simd, &self.count);
        self.intervals
            .measure(simd, [on_a, on_b], count)
            .to_bitmask() as u32
    }

    /// Takes the other vertices into account that may be extreme along the direction.
    #[inline(always)]
    fn add_extremes<S: Simd>(&mut self, lane: usize, pair: &Centers<'_, S>, proposal: &Proposal) {
        let [p, q, r, _] = proposal.corners;
        let intervals = &mut self.intervals;
        let direction = point_of(&intervals.direction, lane);
        let base = point_of(&self.corners[0][0], lane);
        let (far_a, near_b) = (&mut intervals.far_a[lane], &mut intervals.near_b[lane]);
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
}
