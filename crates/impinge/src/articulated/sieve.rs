//! Many configurations of one body: which of its pairs of parts may touch, eight configurations at a time.
//!
//! What single configurations are asked by [`Volume`](super::volume::Volume) is asked here in `f32`, in lanes: boxes along the
//! axes of the world for eight configurations, and then turned boxes for eight pairs that are left, of whatever configurations.
//!
//! **Rounding.** Let `u = 2^-24`, `t` the translation and `r` the reach of a part, from whose origin neither the middle of its box
//! nor a point of it is farther than `r`. Matrix, middle, half edges and translation are each rounded once.
//!
//! *Boxes along the axes.* A coordinate of the centre is a sum of three products, each off by three roundings, and two sums: by
//! Cauchy's inequality off by at most `5 u` times `1.01 r`, and by `2 u (|t| + r)` with the translation. The half edges are such
//! sums, of numbers up to `r`: off by at most `5 u` times `1.75 r`. The difference of two centres and the sum of two half
//! edges add `3 u (|t| + r)` on each side. Together that is below `19 u (|t| + r)` on each side; the [`SLACK`] of a side is `32 u`
//! of it, and the least normal number for all that underflows. This holds for any matrix.
//!
//! *Turned boxes.* The proof is that of [`OwnBox`](crate::bound::OwnBox) with `f32` in place of `f64`: matrices that are rounded have a
//! deviation that is larger by up to `4 u`, which is added, twice; points that are placed by them are off by `2 u r`, and the
//! offset of the centres by less than the slack above, which is added, too.
//!
//! Nothing is said to be apart by numbers that are not finite: comparisons are written so.

use super::encounter::{Candidate, PartPair};
use super::linkage::{Linkage, PartId};
use crate::bound::Extent;
use crate::lanes::in_lanes;
use crate::math::{Pose, Vec3};
use fearless_simd::{Simd, f32x8, prelude::*};

/// How many configurations, or pairs, are looked at at a time.
const LANES: usize = 8;

/// The share of reach and translation that a side may be off by; see the module.
const SLACK: f32 = 16.0 * f32::EPSILON;

/// One number a lane.
type Numbers = [f32; LANES];

/// Room to work in.
#[derive(Debug, Clone, Default)]
pub(super) struct Sieve {
    /// The parts, each in eight configurations.
    parts: Vec<PartLanes>,
    /// Pairs whose boxes along the axes overlap, with the lane of their configuration.
    near: Vec<(u8, PartPair)>,
}

/// A part in eight configurations.
#[derive(Debug, Clone, Copy, Default)]
struct PartLanes {
    /// By columns.
    matrix: [Numbers; 9],
    center: [Numbers; 3],
    /// Half of the box along the axes of the world, slack included.
    half: [Numbers; 3],
    slack: Numbers,
    deviation: Numbers,
}

/// A turned box of each of eight pairs.
#[derive(Debug, Clone, Copy, Default)]
struct Turned {
    matrix: [Numbers; 9],
    center: [Numbers; 3],
    /// Half of the box in the frame of the part.
    half: [Numbers; 3],
    slack: Numbers,
    deviation: Numbers,
}

impl Sieve {
    /// Appends the pairs of a list that may touch, in any frame. A frame is the poses of all parts.
    pub(super) fn sift(
        &mut self,
        linkage: &Linkage,
        listed: &[PartPair],
        frames: &[&[Pose]],
        candidates: &mut Vec<Candidate>,
    ) {
        self.parts
            .resize(linkage.parts().len(), PartLanes::default());
        for (first, some) in (0..).step_by(LANES).zip(frames.chunks(LANES)) {
            in_lanes!(simd => {
                self.place(simd, linkage, some);
                self.compare(simd, listed, some.len());
                self.compare_turned(simd, linkage, first, candidates);
            });
        }
    }

    /// Places all parts in up to eight frames; lanes without a frame repeat the first.
    #[inline(always)]
    fn place<S: Simd>(&mut self, simd: S, linkage: &Linkage, frames: &[&[Pose]]) {
        let mut all = [frames[0]; LANES];
        for (lane, poses) in frames.iter().enumerate() {
            all[lane] = poses;
        }
        let count = self.parts.len();
        // Of one length, so that nothing is checked on the way.
        let all = all.map(|poses| &poses[..count]);
        let volumes = &linkage.volumes[..count];
        for place in 0..count {
            let part = &mut self.parts[place];
            let zero = f32x8::splat(simd, 0.0);
            let (mut rows, mut last_rows) = ([zero; LANES], [zero; LANES]);
            for lane in 0..LANES {
                let [first, second, third, fourth] = all[lane][place].in_fours(simd);
                rows[lane] = first.narrow(second);
                last_rows[lane] = third.narrow(fourth);
            }
            let [a, b, c, d, e, f, g, h] = transposed(rows);
            let [.., i, x, y, z, deviation] = transposed(last_rows);
            part.matrix = [a, b, c, d, e, f, g, h, i].map(Into::into);
            part.deviation = deviation.into();
            let matrix = [[a, d, g], [b, e, h], [c, f, i]];
            part.fit(simd, matrix, [x, y, z], volumes[place].extent());
        }
    }

    /// Finds the pairs whose boxes along the axes overlap, in so many frames.
    #[inline(always)]
    fn compare<S: Simd>(&mut self, simd: S, listed: &[PartPair], frames: usize) {
        self.near.clear();
        let all = (1_u64 << frames) - 1;
        for pair in listed {
            let [a, b] = [pair.a, pair.b].map(|part| &self.parts[part.index()]);
            let mut hits = !a.apart_from(simd, b) & all;
            while hits != 0 {
                self.near.push((hits.trailing_zeros() as u8, *pair));
                hits &= hits - 1;
            }
        }
    }

    /// Keeps the pairs whose turned boxes overlap, too.
    #[inline(always)]
    fn compare_turned<S: Simd>(
        &self,
        simd: S,
        linkage: &Linkage,
        first: u32,
        candidates: &mut Vec<Candidate>,
    ) {
        for some in self.near.chunks(LANES) {
            let (mut a, mut b) = (Turned::default(), Turned::default());
            for (place, (lane, pair)) in some.iter().enumerate() {
                for (side, part) in [(&mut a, pair.a), (&mut b, pair.b)] {
                    let lane = usize::from(*lane);
                    side.take(place, &self.parts[part.index()], lane, linkage, part);
                }
            }
            let apart = a.apart_from(simd, &b);
            for (place, (lane, pair)) in some.iter().enumerate() {
                if apart >> place & 1 == 0 {
                    candidates.push(Candidate {
                        frame: first + u32::from(*lane),
                        pair: *pair,
                    });
                }
            }
        }
    }
}

impl PartLanes {
    /// Fits the boxes along the axes, given the rows of the matrices and the translations.
    #[inline(always)]
    fn fit<S: Simd>(
        &mut self,
        simd: S,
        matrix: [[f32x8<S>; 3]; 3],
        translation: [f32x8<S>; 3],
        extent: Option<&Extent>,
    ) {
        let Some(extent) = extent else {
            self.half = [[f32::INFINITY; LANES]; 3];
            return;
        };
        let middle = splat(simd, extent.middle);
        let half = splat(simd, extent.half);
        let reach = f32x8::splat(simd, extent.reach as f32);
        let mut away = f32x8::splat(simd, 0.0);
        let (mut centers, mut halves) = ([away; 3], [away; 3]);
        for axis in 0..3 {
            let (row, shift) = (matrix[axis], translation[axis]);
            away = away.max(shift.abs());
            centers[axis] = dot(row, middle) + shift;
            halves[axis] = dot(absolute(row), half);
        }
        let least = f32x8::splat(simd, f32::MIN_POSITIVE);
        let slack = (reach + away) * f32x8::splat(simd, SLACK) + least;
        for axis in 0..3 {
            self.center[axis] = centers[axis].into();
            self.half[axis] = (halves[axis] + slack).into();
        }
        self.slack = slack.into();
    }

    /// In which configurations two parts are certainly apart, a bit each.
    #[inline(always)]
    fn apart_from<S: Simd>(&self, simd: S, other: &PartLanes) -> u64 {
        let mut bits = 0;
        for axis in 0..3 {
            let offset = load(simd, &other.center[axis]) - load(simd, &self.center[axis]);
            let reach = load(simd, &other.half[axis]) + load(simd, &self.half[axis]);
            bits |= offset.abs().simd_gt(reach).to_bitmask();
        }
        bits
    }
}

impl Turned {
    /// Takes over a part in one of its configurations.
    #[inline(always)]
    fn take(&mut self, place: usize, part: &PartLanes, lane: usize, linkage: &Linkage, id: PartId) {
        for (own, numbers) in self.matrix.iter_mut().zip(&part.matrix) {
            own[place] = numbers[lane];
        }
        for (own, numbers) in self.center.iter_mut().zip(&part.center) {
            own[place] = numbers[lane];
        }
        let extent = linkage.volumes[id.index()].extent();
        let half = extent.map_or([f32::INFINITY; 3], |e| e.half.as_vec3().to_array());
        for (own, number) in self.half.iter_mut().zip(half) {
            own[place] = number;
        }
        self.slack[place] = part.slack[lane];
        self.deviation[place] = part.deviation[lane];
    }

    /// The axes of the boxes.
    #[inline(always)]
    fn axes<S: Simd>(&self, simd: S) -> [[f32x8<S>; 3]; 3] {
        let [a, b, c, d, e, f, g, h, i] = &self.matrix;
        [
            [load(simd, a), load(simd, b), load(simd, c)],
            [load(simd, d), load(simd, e), load(simd, f)],
            [load(simd, g), load(simd, h), load(simd, i)],
        ]
    }

    /// Which pairs are certainly apart, a bit each.
    #[inline(always)]
    fn apart_from<S: Simd>(&self, simd: S, other: &Turned) -> u64 {
        let (a, b) = (self.axes(simd), other.axes(simd));
        let (half_a, half_b) = (load_three(simd, &self.half), load_three(simd, &other.half));
        let (from, to) = (
            load_three(simd, &self.center),
            load_three(simd, &other.center),
        );
        let offset = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
        let sizes = sum(half_a) + sum(half_b) + sum(absolute(offset));
        let deviation = load(simd, &self.deviation)
            + load(simd, &other.deviation)
            + f32x8::splat(simd, 8.0 * f32::EPSILON);
        let placing = load(simd, &self.slack) + load(simd, &other.slack);
        let slack =
            deviation * sizes * f32x8::splat(simd, 16.0) + placing * f32x8::splat(simd, 4.0);
        farthest_gap([half_a, half_b], a, b, offset)
            .simd_gt(slack)
            .to_bitmask()
    }
}

/// The widest gap between two boxes, given by half edges and axes, along the axes of both and the products of two of them.
#[inline(always)]
fn farthest_gap<S: Simd>(
    [half_a, half_b]: [[f32x8<S>; 3]; 2],
    a: [[f32x8<S>; 3]; 3],
    b: [[f32x8<S>; 3]; 3],
    offset: [f32x8<S>; 3],
) -> f32x8<S> {
    let seen_by_a = along(offset, a);
    // Axis i of the one times axis j of the other.
    let turn = [along(a[0], b), along(a[1], b), along(a[2], b)];
    let reach = [absolute(turn[0]), absolute(turn[1]), absolute(turn[2])];
    let mut widest = seen_by_a[0].abs() - half_a[0] - dot(reach[0], half_b);
    for i in 1..3 {
        widest = widest.max(seen_by_a[i].abs() - half_a[i] - dot(reach[i], half_b));
    }
    for j in 0..3 {
        let column = [reach[0][j], reach[1][j], reach[2][j]];
        let gap = dot(b[j], offset).abs() - half_b[j] - dot(column, half_a);
        widest = widest.max(gap);
    }
    for i in 0..3 {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        for j in 0..3 {
            let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
            let away = (seen_by_a[i2] * turn[i1][j] - seen_by_a[i1] * turn[i2][j]).abs();
            let own = half_a[i1] * reach[i2][j] + half_a[i2] * reach[i1][j];
            let others = half_b[j1] * reach[i][j2] + half_b[j2] * reach[i][j1];
            widest = widest.max(away - own - others);
        }
    }
    widest
}

/// Eight rows of eight numbers as columns: three times every other number is taken from the one half of the rows, and from the other.
#[inline(always)]
fn transposed<S: Simd>(mut rows: [f32x8<S>; LANES]) -> [f32x8<S>; LANES] {
    for _ in 0..3 {
        let [a, b, c, d, e, f, g, h] = rows;
        rows = [
            a.zip_low(e),
            a.zip_high(e),
            b.zip_low(f),
            b.zip_high(f),
            c.zip_low(g),
            c.zip_high(g),
            d.zip_low(h),
            d.zip_high(h),
        ];
    }
    rows
}

#[inline(always)]
fn load<S: Simd>(simd: S, numbers: &Numbers) -> f32x8<S> {
    f32x8::load_array_ref(simd, numbers)
}

#[inline(always)]
fn load_three<S: Simd>(simd: S, [x, y, z]: &[Numbers; 3]) -> [f32x8<S>; 3] {
    [load(simd, x), load(simd, y), load(simd, z)]
}

#[inline(always)]
fn splat<S: Simd>(simd: S, v: Vec3) -> [f32x8<S>; 3] {
    [
        f32x8::splat(simd, v.x as f32),
        f32x8::splat(simd, v.y as f32),
        f32x8::splat(simd, v.z as f32),
    ]
}

#[inline(always)]
fn dot<S: Simd>([a, b, c]: [f32x8<S>; 3], [x, y, z]: [f32x8<S>; 3]) -> f32x8<S> {
    a * x + b * y + c * z
}

/// A vector along three axes.
#[inline(always)]
fn along<S: Simd>(v: [f32x8<S>; 3], [x, y, z]: [[f32x8<S>; 3]; 3]) -> [f32x8<S>; 3] {
    [dot(v, x), dot(v, y), dot(v, z)]
}

#[inline(always)]
fn absolute<S: Simd>([x, y, z]: [f32x8<S>; 3]) -> [f32x8<S>; 3] {
    [x.abs(), y.abs(), z.abs()]
}

#[inline(always)]
fn sum<S: Simd>([x, y, z]: [f32x8<S>; 3]) -> f32x8<S> {
    x + y + z
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::articulated::{Joint, JointKind, LinkId, LinkageBuilder, SelfCollision};
    use crate::math::Quat;
    use crate::query;
    use crate::shape::Shape;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Boxes and a half-space, each on a link of its own.
    fn loose_parts(rng: &mut ChaCha8Rng, size: f64) -> Linkage {
        let mut builder = LinkageBuilder::new("root");
        for place in 0..6 {
            let joint = Joint::new(place.to_string(), JointKind::Floating, Pose::IDENTITY);
            let link = builder.add_link(place.to_string(), LinkId::ROOT, joint.unwrap());
            let half = [(); 3].map(|()| rng.random_range(0.05..1.0) * size);
            let shape = match place {
                0 => Shape::half_space(Vec3::Z, 0.0),
                _ => Shape::cuboid(Vec3::from_array(half)),
            };
            let part = builder.add_part(link.unwrap(), shape.unwrap(), Pose::IDENTITY);
            part.unwrap();
        }
        builder.set_self_collision(SelfCollision::All);
        builder.build().unwrap()
    }

    fn random_pose(rng: &mut ChaCha8Rng, size: f64, away: f64) -> Pose {
        let mut number = || rng.random_range(-1.0..1.0);
        let turn = Quat::from_xyzw(number(), number(), number(), number() + 1.5).normalize();
        let place = Vec3::from_array([(); 3].map(|()| number() * 2.0 * size));
        Pose::from_quat(turn, place + Vec3::splat(away)).unwrap()
    }

    #[test]
    fn what_touches_passes_and_much_else_does_not() {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        for (size, away) in [
            (1.0, 0.0),
            (1.0, 1e3),
            (1e-3, 1e4),
            (1e-42, 0.0),
            (1e-200, 0.0),
            (1e37, 0.0),
            (1e38, 3e38),
            (1e200, 0.0),
        ] {
            let linkage = loose_parts(&mut rng, size);
            let frames: Vec<Vec<Pose>> = (0..203)
                .map(|_| (0..6).map(|_| random_pose(&mut rng, size, away)).collect())
                .collect();
            let frames: Vec<&[Pose]> = frames.iter().map(Vec::as_slice).collect();
            let (mut sieve, mut passed) = (Sieve::default(), Vec::new());
            let listed = linkage.rules.listed().unwrap();
            sieve.sift(&linkage, listed, &frames, &mut passed);
            passed.sort_unstable();
            let mut touching = 0;
            for (frame, poses) in (0..).zip(&frames) {
                for pair in listed {
                    let at = |part: PartId| linkage.part(part).shape().at(poses[part.index()]);
                    if query::intersects(at(pair.a), at(pair.b)) {
                        touching += 1;
                        let candidate = Candidate { frame, pair: *pair };
                        assert!(passed.binary_search(&candidate).is_ok(), "{size} {away}");
                    }
                }
            }
            assert!(touching > 500, "{size} {away}: {touching}");
            // Beyond the range of `f32`, or far away, nothing can be told apart.
            if (1e-3..1e30).contains(&size) && away < 1e4 {
                let all = frames.len() * listed.len();
                assert!(
                    passed.len() < touching + (all - touching) / 2,
                    "{size} {away}"
                );
            }
        }
    }
}
