//! What is left of a polytope of many faces: blocks of faces that a cone leaves out need not be opened.
//!
//! With a ball of radius `r` inside `b` about its centre at `D`, and `low` the least distance of the faces of a block from the
//! centre of `a`, the ball does not leave out faces and the arcs around them only where `low - n . D + g < 0` for a normal `n`
//! of the block, with `g = r - T` or `(r - T) c` for a level `T`, whichever is less (see [`cull`](super::cull)). So only blocks matter that reach
//! into a cone about `D`.
//!
//! An arc is left when each of the three tests has one of its ends below. By the ball, one of its ends is below, and that one is in a block
//! that was opened: so the arcs around these faces are all that can be left. Of each face three bits tell which tests it is not below by, and an arc is left when its ends
//! have none in common. A face of a block that was not opened is not below by the ball, and it may be below by the points. Which end of an arc lists it
//! if both can is known beforehand: of the other, the face is told by a second number, where a fourth bit says that it does.
//!
//! **Cost.** Two lines of memory for eight faces, one product for each test.

use super::super::super::wide::Wide;
use super::cull::{EIGHT, MOST_ARCS, View};
use super::faces::LeftFaces;
use super::frame::splat;
use crate::shape::{Cones, GaussMap, Layout, Many, Planes};
use fearless_simd::{Simd, f32x8, i16x16, i32x8, prelude::*, u32x8};

/// A cone wider than this is no cone.
const LEAST_COS: f32 = 1e-3;
/// More than the rounding of products of unit vectors, of a sine from a cosine, and of axes to steps: in each coordinate half of one, 2.7e-5 in all.
const SLACK: f32 = 3.5e-5;

/// The most blocks that are opened.
const MOST_BLOCKS: usize = 64;

/// The blocks of a polytope of many faces that their cones do not leave out; nothing for one of few.
#[derive(Debug)]
pub(super) struct Reached {
    /// Their numbers.
    blocks: [u32; MOST_BLOCKS],
    len: usize,
}

impl Default for Reached {
    fn default() -> Reached {
        Reached {
            blocks: [0; MOST_BLOCKS],
            len: 0,
        }
    }
}

impl Reached {
    /// Finds the blocks for a level in units of the pair, and asks for them; false when they are too many.
    #[inline(always)]
    pub(super) fn collect<S: Simd>(
        &mut self,
        simd: S,
        map: &GaussMap,
        view: &View,
        level: f32,
    ) -> bool {
        self.len = 0;
        let Layout::Many(many) = &map.layout else {
            return true;
        };
        let tests = Tests::new(simd, view, level * view.scale);
        for (number, outer) in many.outer.iter().enumerate() {
            // One bit for each of 64 blocks: one loop over all of them has one end that is hard to foresee.
            let mut found = 0;
            let mut hit = tests.reached(simd, outer);
            while hit != 0 {
                let lane = hit.trailing_zeros() as usize;
                hit &= hit - 1;
                let Some(cones) = many.cones.get(8 * number + lane) else {
                    break;
                };
                found |= tests.reached(simd, cones) << (8 * lane);
            }
            // The last group may have less than eight.
            let first = 64 * number;
            if let Some(none) = 64_usize.checked_sub(many.blocks.len() - first) {
                found &= u64::MAX >> (none % 64);
            }
            if self.len + found.count_ones() as usize > MOST_BLOCKS {
                return false;
            }
            while found != 0 {
                let block = first + found.trailing_zeros() as usize;
                found &= found - 1;
                self.blocks[self.len] = block as u32;
                self.len += 1;
                many.fetch_block(block);
            }
        }
        true
    }
}

/// What a face is not below by: a bit for each test, that of the ball first.
type Missing = u32;
const BALL: Missing = 1;
const FIRST: Missing = 2;
const SECOND: Missing = 4;
/// Lists its arcs itself, to who asks about an arc that both ends might list.
const LISTS: Missing = 8;
/// For a face of a block that was not opened: perhaps below by the points.
const UNSEEN: Missing = BALL;

/// What a scan left.
#[derive(Debug)]
pub(super) struct Scan {
    opened: [Opened; MOST_BLOCKS],
    len: usize,
    /// For each block the tests that its faces are not below by, and once more for arcs that the other end lists if it can; [`UNSEEN`] between scans.
    missing: Vec<[Missing; 8]>,
}

/// A block that was opened.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C, align(32))]
struct Opened {
    /// For each face how far it is beyond the points of the tests, that of the ball first.
    heights: [[f32; 8]; 3],
    number: u32,
    /// The faces that are not above the level by any test, one bit each.
    left: u32,
    /// Those that are below by the ball.
    low: u32,
}

impl Default for Scan {
    fn default() -> Scan {
        Scan {
            opened: [Opened::default(); MOST_BLOCKS],
            len: 0,
            missing: Vec::new(),
        }
    }
}

impl Scan {
    /// Finds the faces that are not above a level, in the unit of the polytope; `None` when it is too much.
    #[inline(always)]
    pub(super) fn collect<S: Simd>(
        &mut self,
        simd: S,
        many: &Many,
        view: &View,
        level: f32,
        reached: &Reached,
        faces: &mut LeftFaces,
    ) -> Option<()> {
        let tests = Tests::new(simd, view, level);
        self.len = reached.len.min(MOST_BLOCKS);
        let mut low_blocks = 0_u64;
        for k in 0..self.len {
            let (number, opened) = (reached.blocks[k], &mut self.opened[k]);
            let planes = &many.blocks[number as usize];
            let low;
            [opened.left, low] = tests.measure(simd, planes, &mut opened.heights);
            opened.number = number;
            opened.low = low;
            // One bit for each block with a face that is below by the ball.
            low_blocks |= u64::from(low != 0) << k;
        }
        while low_blocks != 0 {
            let k = low_blocks.trailing_zeros() as usize;
            low_blocks &= low_blocks - 1;
            let Opened { number, low, .. } = self.opened[k];
            many.fetch_around(number as usize, low as u8);
        }
        self.list_faces(many, faces)
    }

    /// Lists the faces that are left.
    #[inline(always)]
    fn list_faces(&self, many: &Many, faces: &mut LeftFaces) -> Option<()> {
        faces.clear();
        for eight in self.opened[..self.len].chunks(8) {
            let mut left = joined(eight);
            while left != 0 {
                let bit = left.trailing_zeros() as usize;
                left &= left - 1;
                let (opened, lane) = (&eight[bit / 8], bit % 8);
                let place = 8 * opened.number + lane as u32;
                let [x, y, z] = &many.blocks[opened.number as usize].normals;
                let normal = [x[lane], y[lane], z[lane]];
                faces.push(place, normal, opened.heights[0][lane])?;
                many.fetch_name(place);
            }
        }
        Some(())
    }

    /// The places of the arcs that are not above a level, which is not above that of the scan; how many they are, or `None` when
    /// they are too many.
    #[inline(always)]
    pub(super) fn arcs<S: Simd>(
        &mut self,
        simd: S,
        many: &Many,
        view: &View,
        level: f32,
        places: &mut [u32; MOST_ARCS + EIGHT],
    ) -> Option<usize> {
        let room = many.blocks.len();
        if self.missing.len() < 2 * room {
            self.missing.resize(2 * room, [UNSEEN; 8]);
        }
        let opened = &mut self.opened[..self.len];
        let missing = &mut self.missing[..2 * room];
        mark(simd, many, view, level, opened, missing);
        let count = list_arcs(many, opened, missing.as_flattened(), places);
        let (own, again) = missing.split_at_mut(room);
        for block in opened {
            own[block.number as usize] = [UNSEEN; 8];
            again[block.number as usize] = [UNSEEN; 8];
        }
        count
    }
}

/// Marks the faces of blocks by the tests that they are not below a level by. Those below by the ball are then the bits of what is left.
#[inline(always)]
fn mark<S: Simd>(
    simd: S,
    many: &Many,
    view: &View,
    level: f32,
    opened: &mut [Opened],
    missing: &mut [[Missing; 8]],
) {
    let (own, again) = missing.split_at_mut(many.blocks.len());
    let beyond_ball = level - view.radius;
    let by_point = f32x8::splat(simd, level);
    let none = u32x8::splat(simd, 0);
    let [ball_bit, first_bit, second_bit, lists_bit] = [
        u32x8::splat(simd, BALL),
        u32x8::splat(simd, FIRST),
        u32x8::splat(simd, SECOND),
        u32x8::splat(simd, LISTS),
    ];
    for block in opened {
        let number = block.number as usize;
        // Both cases of the head of `cull`: the cosine is at most 1.
        let half_cos = many.cones[number / 8].half_cos(number % 8);
        let by_ball = f32x8::splat(simd, beyond_ball.max(beyond_ball * half_cos));
        let [ball, first, second] = &block.heights;
        let is_low = f32x8::load_array_ref(simd, ball).simd_lt(by_ball);
        let is_behind_first = f32x8::load_array_ref(simd, first).simd_lt(by_point);
        let is_behind_second = f32x8::load_array_ref(simd, second).simd_lt(by_point);
        let bits = is_low.select(none, ball_bit)
            | is_behind_first.select(none, first_bit)
            | is_behind_second.select(none, second_bit);
        block.left = is_low.to_bitmask() as u32;
        bits.store_array(&mut own[number]);
        (bits | is_low.select(lists_bit, none)).store_array(&mut again[number]);
    }
}

/// What is left of up to eight blocks, as bits of one word: one loop for all of them has one end that is hard to foresee.
#[inline(always)]
fn joined(eight: &[Opened]) -> u64 {
    let mut bits = 0;
    for (k, block) in eight.iter().enumerate() {
        bits |= u64::from(block.left) << (8 * k);
    }
    bits
}

/// The places of the arcs that no test leaves out, given what faces are not below by at each place.
#[inline(always)]
fn list_arcs(
    many: &Many,
    opened: &[Opened],
    missing: &[Missing],
    places: &mut [u32; MOST_ARCS + EIGHT],
) -> Option<usize> {
    let mut count = 0;
    let has_further = many.has_further();
    for eight in opened.chunks(8) {
        let mut left = joined(eight);
        while left != 0 {
            let bit = left.trailing_zeros() as usize;
            left &= left - 1;
            let (number, lane) = (eight[bit / 8].number as usize, bit % 8);
            let place = 8 * number + lane;
            let own = missing[place] | LISTS;
            let [p, q, r] = &many.around[number].faces[lane];
            if count + 3 > MOST_ARCS {
                return None;
            }
            // Not a loop: what is known about the room there is would be lost. What both ends would list, the first one does.
            places[count] = p[0];
            count += usize::from(own & missing[p[1] as usize] == 0);
            places[count] = q[0];
            count += usize::from(own & missing[q[1] as usize] == 0);
            places[count] = r[0];
            count += usize::from(own & missing[r[1] as usize] == 0);
            if has_further {
                for beside in many.further(place) {
                    if count == MOST_ARCS {
                        return None;
                    }
                    places[count] = beside[0];
                    count += usize::from(own & missing[beside[1] as usize] == 0);
                }
            }
        }
    }
    Some(count)
}

/// Eight pairs of small numbers, the first ones and the second ones.
#[inline(always)]
fn numbers<S: Simd>(simd: S, pairs: &[[i16; 2]; 8]) -> [f32x8<S>; 2] {
    let halves = i16x16::from_slice(simd, pairs.as_flattened());
    let words: i32x8<S> = halves.bitcast();
    [((words << 16) >> 16).to_float(), (words >> 16).to_float()]
}

/// The three tests of a view, in all lanes.
struct Tests<S: Simd> {
    ball: Wide<S>,
    points: [Wide<S>; 2],
    level: f32x8<S>,
    radius: f32x8<S>,
    /// One over the distance of the ball's centre.
    inverse: f32x8<S>,
}

impl<S: Simd> Tests<S> {
    #[inline(always)]
    fn new(simd: S, view: &View, level: f32) -> Tests<S> {
        let inverse = view.distance.max(f32::MIN_POSITIVE).recip();
        Tests {
            ball: splat(simd, view.center),
            points: [splat(simd, view.points[0]), splat(simd, view.points[1])],
            level: f32x8::splat(simd, level),
            radius: f32x8::splat(simd, view.radius),
            inverse: f32x8::splat(simd, inverse),
        }
    }

    /// One bit for each cone that reaches into the one about the centre.
    #[inline(always)]
    fn reached(&self, simd: S, cones: &Cones) -> u64 {
        let one = f32x8::splat(simd, 1.0);
        let step = f32x8::splat(simd, 1.0 / Cones::STEPS);
        let [low, half_cos] = numbers(simd, &cones.low);
        let [rim_cos, rim_sin] = numbers(simd, &cones.rim);
        let ([x, y], [z, _]) = (numbers(simd, &cones.xy), numbers(simd, &cones.z));
        let beyond = self.radius - self.level;
        let beyond = beyond.min(beyond * (half_cos * step));
        let cos = ((low * step + beyond) * self.inverse).min(one);
        let sin = (one - cos * cos).max(f32x8::splat(simd, 0.0)).sqrt();
        let along = Wide { x, y, z }.dot(self.ball) * (self.inverse * step);
        let rim = (cos * rim_cos - sin * rim_sin) * step - f32x8::splat(simd, SLACK);
        let is_wide = cos.simd_lt(f32x8::splat(simd, LEAST_COS));
        (along.simd_ge(rim) | is_wide).to_bitmask()
    }

    /// Measures eight faces. Those that are not above the level by any test, and by the ball, as bits.
    #[inline(always)]
    fn measure(&self, simd: S, planes: &Planes, heights: &mut [[f32; 8]; 3]) -> [u32; 2] {
        let normals = Wide::load(simd, &planes.normals);
        let offsets = f32x8::load_array_ref(simd, &planes.offsets);
        let by_ball = offsets - normals.dot(self.ball);
        let by_first = offsets - normals.dot(self.points[0]);
        let by_second = offsets - normals.dot(self.points[1]);
        by_ball.store_array(&mut heights[0]);
        by_first.store_array(&mut heights[1]);
        by_second.store_array(&mut heights[2]);
        let to_ball = by_ball + self.radius;
        let best = to_ball.max(by_first.max(by_second));
        let below = |heights: f32x8<S>| heights.simd_lt(self.level).to_bitmask() as u32;
        [below(best), below(to_ball)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::in_lanes;
    use crate::math::Vec3;
    use crate::shape::Polytope;
    use glam::Vec3A;
    use impinge_scenes::points::on_sphere;

    /// For each test whether a face is below a level by it, one by one: the ball with the cosine of its block.
    fn low(many: &Many, view: &View, level: f32, place: usize) -> [bool; 3] {
        let (block, lane) = (place / 8, place % 8);
        let planes = &many.blocks[block];
        let height = |point: [f32; 3]| {
            let [x, y, z] = [0, 1, 2].map(|axis| planes.normals[axis][lane] * point[axis]);
            planes.offsets[lane] - (x + y + z)
        };
        let beyond = level - view.radius;
        let limit = beyond.max(beyond * many.cones[block / 8].half_cos(block % 8));
        [
            height(view.center) < limit,
            height(view.points[0]) < level,
            height(view.points[1]) < level,
        ]
    }

    /// All that is left of a polytope, beside what a look at each face says; how many arcs there are.
    fn compare(polytope: &Polytope, view: &View, level: f32) -> usize {
        let map = polytope.gauss();
        let Layout::Many(many) = &map.layout else {
            panic!("it has many faces");
        };
        let (mut reached, mut scan) = (Reached::default(), Scan::default());
        let mut faces = LeftFaces::default();
        let mut places = [0; MOST_ARCS + 8];
        let unit = level / view.scale;
        let is_complete = in_lanes!(simd => reached.collect(simd, map, view, unit));
        let found = in_lanes!(simd => is_complete
            .then(|| scan.collect(simd, many, view, level, &reached, &mut faces))
            .flatten());
        if found.is_none() {
            return 0;
        }
        let Some(arcs) = in_lanes!(simd => scan.arcs(simd, many, view, level, &mut places)) else {
            return 0;
        };
        assert!(scan.missing.iter().all(|missing| *missing == [UNSEEN; 8]));
        let listed = &places[..arcs];
        let opened = &reached.blocks[..reached.len];
        assert!(opened.is_sorted() && opened.iter().all(|b| (*b as usize) < many.blocks.len()));
        let mut expected = Vec::new();
        for place in 0..many.names.len() {
            let own = low(many, view, level, place);
            assert!(!own[0] || opened.contains(&(place as u32 / 8)), "{place}");
            if own == [true; 3] && level >= view.radius {
                assert!(faces.places().any(|left| left as usize == place));
            }
            let first_three = many.around[place / 8].faces[place % 8];
            for [arc, other] in first_three.iter().chain(many.further(place)) {
                let other = &(other % (8 * many.blocks.len() as u32));
                let theirs = low(many, view, level, *other as usize);
                // Where nobody looked, a face may be below by the points.
                let is_seen = opened.contains(&(other / 8));
                let is_low = |test: usize| own[test] | theirs[test] | (!is_seen & (test > 0));
                if own[0] && is_low(1) && is_low(2) {
                    expected.push(*arc);
                }
            }
        }
        expected.sort_unstable();
        expected.dedup();
        let mut listed = listed.to_vec();
        listed.sort_unstable();
        assert_eq!(listed, expected);
        arcs
    }

    #[test]
    fn what_is_left_is_what_a_look_at_each_face_says() {
        let mut found = 0;
        // Less than 64 blocks of faces, and more.
        for (seed, count) in [60, 130, 252, 300, 700].into_iter().enumerate() {
            let points = on_sphere(count, seed as u64);
            let stretch = Vec3::new(1.0, 0.9, 0.8);
            let points: Vec<Vec3> = points.into_iter().map(|p| p * stretch).collect();
            let polytope = Polytope::from_points(&points).unwrap();
            let directions = on_sphere(40, 100 + seed as u64);
            for (k, direction) in directions.into_iter().enumerate() {
                let direction = direction.normalize().as_vec3a();
                let center = direction * (0.3 + 0.02 * k as f32);
                let beside = Vec3A::new(0.1, -0.05, 0.08);
                let deep = [center - direction * 0.4, center - direction * 0.4 + beside];
                let view = View::new(center, 0.4, deep, 1.0);
                for level in [0.05, 0.2, 0.35, 0.5] {
                    found += compare(&polytope, &view, level);
                }
            }
        }
        assert!(found > 1000, "{found}");
    }
}
