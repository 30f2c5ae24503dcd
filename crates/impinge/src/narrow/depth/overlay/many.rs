//! What is left of a polytope of many faces: blocks of faces that a cone leaves out need not be opened.
//!
//! With a ball of radius `r` inside `b` about its centre at `D`, and `low` the least distance of the faces of a block from the
//! centre of `a`, the ball does not leave out faces and the arcs around them only where `low - n . D + g < 0` for a normal `n`
//! of the block, with `g = r - T` or `(r - T) c` for a level `T`, whichever is less (see [`cull`](super::cull)). So only blocks matter that reach
//! into a cone about `D`.
//!
//! An arc is left when each of the three tests has one of its ends below. By the ball, one of its ends is below, and that one is in a block
//! that was opened: so the arcs around these faces are all that can be left. Of each face three bits tell which tests it is below by. A face
//! of a block that was not opened is not below by the ball, and it may be below by the points.
//!
//! **Cost.** Two lines of memory for eight faces, one product for each test.

use super::super::super::wide::Wide;
use super::cull::{LeftFace, MOST_ARCS, MOST_FACES, View};
use super::frame::splat;
use crate::shape::{Cones, GaussMap, Layout, Many, Planes};
use fearless_simd::{Simd, f32x8, prelude::*};

/// A cone wider than this is no cone.
const LEAST_COS: f32 = 1e-3;
/// More than the rounding of products of unit vectors, and of a sine from a cosine.
const SLACK: f32 = 4e-6;

/// The most blocks that are opened.
const MOST_BLOCKS: usize = 64;

/// The blocks of a polytope of many faces that their cones do not leave out; nothing for one of few.
#[derive(Debug)]
pub(super) struct Reached {
    /// Their numbers, with room for eight more.
    blocks: [u32; MOST_BLOCKS + 8],
    len: usize,
}

impl Default for Reached {
    fn default() -> Reached {
        Reached {
            blocks: [0; MOST_BLOCKS + 8],
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
        for (first, outer) in many.outer.iter().enumerate() {
            let mut hit = tests.reached(simd, outer);
            while hit != 0 {
                let group = 8 * first + hit.trailing_zeros() as usize;
                hit &= hit - 1;
                let Some(cones) = many.cones.get(group) else {
                    break;
                };
                self.add(8 * group, tests.reached(simd, cones));
                if self.len > MOST_BLOCKS {
                    return false;
                }
            }
        }
        // The last group may have less than eight.
        while self.len > 0 && self.blocks[self.len - 1] as usize >= many.blocks.len() {
            self.len -= 1;
        }
        for block in &self.blocks[..self.len] {
            many.fetch_block(*block as usize);
        }
        true
    }

    /// Adds some of eight blocks. There is room. Without a branch on which they are, which is hard to foresee.
    #[inline(always)]
    fn add(&mut self, first: usize, bits: u64) {
        for lane in 0..8 {
            self.blocks[self.len] = (first + lane) as u32;
            self.len += (bits >> lane & 1) as usize;
        }
    }
}

/// Which tests a face of a block that was not opened may be below by: the points.
const UNSEEN: u8 = 0b110;
/// Below by all tests.
const ALL: u8 = 0b111;

/// What a scan left.
#[derive(Debug)]
pub(super) struct Scan {
    opened: [Opened; MOST_BLOCKS],
    len: usize,
    /// For each place the tests that its face is below by; [`UNSEEN`] between scans.
    below: Vec<u8>,
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
}

impl Default for Scan {
    fn default() -> Scan {
        Scan {
            opened: [Opened::default(); MOST_BLOCKS],
            len: 0,
            below: Vec::new(),
        }
    }
}

impl Scan {
    /// Finds the faces that are not above a level, in the unit of the polytope; how many, or `None` when it is too much.
    #[inline(always)]
    pub(super) fn collect<S: Simd>(
        &mut self,
        simd: S,
        many: &Many,
        view: &View,
        level: f32,
        reached: &Reached,
        faces: &mut [LeftFace; MOST_FACES],
    ) -> Option<usize> {
        let tests = Tests::new(simd, view, level);
        self.len = reached.len.min(MOST_BLOCKS);
        for k in 0..self.len {
            let (number, opened) = (reached.blocks[k], &mut self.opened[k]);
            let planes = &many.blocks[number as usize];
            let low;
            [opened.left, low] = tests.measure(simd, planes, &mut opened.heights);
            opened.number = number;
            if low != 0 {
                many.fetch_around(number as usize);
            }
        }
        self.list_faces(many, view.radius, faces)
    }

    /// Lists the faces that are left.
    #[inline(always)]
    fn list_faces(
        &self,
        many: &Many,
        radius: f32,
        faces: &mut [LeftFace; MOST_FACES],
    ) -> Option<usize> {
        let mut count = 0;
        for eight in self.opened[..self.len].chunks(8) {
            let mut left = joined(eight);
            while left != 0 {
                let bit = left.trailing_zeros() as usize;
                left &= left - 1;
                let (opened, lane) = (&eight[bit / 8], bit % 8);
                let number = opened.number as usize;
                let [ball, first, second] = &opened.heights;
                let height = (ball[lane] + radius).max(first[lane]).max(second[lane]);
                let face = *many.names.get(8 * number + lane)?;
                *faces.get_mut(count)? = many.blocks[number].left_face(face, lane, height);
                count += 1;
            }
        }
        Some(count)
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
        places: &mut [u32],
    ) -> Option<usize> {
        let room = 8 * many.blocks.len();
        if self.below.len() < room {
            self.below.resize(room, UNSEEN);
        }
        let opened = &mut self.opened[..self.len];
        mark(simd, many, view, level, opened, &mut self.below);
        let count = list_arcs(many, opened, &self.below, places);
        for block in opened {
            set_eight(&mut self.below, block.number, [UNSEEN; 8]);
        }
        count
    }
}

/// Marks the faces of blocks that are below a level by some test. Those below by the ball are then the bits of what is left.
#[inline(always)]
fn mark<S: Simd>(
    simd: S,
    many: &Many,
    view: &View,
    level: f32,
    opened: &mut [Opened],
    below: &mut [u8],
) {
    let beyond_ball = level - view.radius;
    let by_point = f32x8::splat(simd, level);
    for block in opened {
        let number = block.number as usize;
        // Both cases of the head of `cull`: the cosine is at most 1.
        let half_cos = many.cones[number / 8].half_cos[number % 8];
        let by_ball = f32x8::splat(simd, beyond_ball.max(beyond_ball * half_cos));
        let [ball, first, second] = &block.heights;
        let is_low = |heights: &[f32; 8], limit: f32x8<S>| {
            let heights = f32x8::load_array_ref(simd, heights);
            heights.simd_lt(limit).to_bitmask()
        };
        let low = is_low(ball, by_ball);
        let bits = spread(low) | spread(is_low(first, by_point)) << 1;
        let bits = bits | spread(is_low(second, by_point)) << 2;
        block.left = low as u32;
        set_eight(below, block.number, bits.to_le_bytes());
    }
}

/// Sets what the faces of a block are below by.
#[inline(always)]
fn set_eight(below: &mut [u8], block: u32, bits: [u8; 8]) {
    let eight = below[8 * block as usize..].first_chunk_mut();
    *eight.expect("there is room for each block") = bits;
}

/// The lowest bit of each byte from one of eight bits.
#[inline(always)]
fn spread(bits: u64) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    // Byte k keeps bit k alone, and more than nothing carries into its highest bit.
    let kept = ((bits & 0xff) * EACH) & 0x8040_2010_0804_0201;
    (kept + 0x7f * EACH) >> 7 & EACH
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

/// The places of the arcs that no test leaves out.
#[inline(always)]
fn list_arcs(many: &Many, opened: &[Opened], below: &[u8], places: &mut [u32]) -> Option<usize> {
    let mut count = 0;
    for eight in opened.chunks(8) {
        let mut left = joined(eight);
        while left != 0 {
            let bit = left.trailing_zeros() as usize;
            left &= left - 1;
            let place = 8 * eight[bit / 8].number as usize + bit % 8;
            let own = below[place];
            let around = many.around(place);
            if count + around.len() > MOST_ARCS {
                return None;
            }
            for [arc, other] in around {
                let theirs = below[*other as usize];
                // What both ends would list, the first one does.
                let is_theirs = (theirs & 1 != 0) & ((*other as usize) < place);
                places[count] = *arc;
                count += usize::from(((own | theirs) == ALL) & !is_theirs);
            }
        }
    }
    Some(count)
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
        let low = f32x8::load_array_ref(simd, &cones.low);
        let half_cos = f32x8::load_array_ref(simd, &cones.half_cos);
        let beyond = self.radius - self.level;
        let beyond = beyond.min(beyond * half_cos);
        let cos = ((low + beyond) * self.inverse).min(one);
        let sin = (one - cos * cos).max(f32x8::splat(simd, 0.0)).sqrt();
        let along = Wide::load(simd, &cones.axis).dot(self.ball) * self.inverse;
        let rim = cos * f32x8::load_array_ref(simd, &cones.cos)
            - sin * f32x8::load_array_ref(simd, &cones.sin)
            - f32x8::splat(simd, SLACK);
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

impl Planes {
    /// One of the faces.
    #[inline(always)]
    fn left_face(&self, face: u32, lane: usize, height: f32) -> LeftFace {
        let [x, y, z] = &self.normals;
        LeftFace {
            face,
            normal: [x[lane], y[lane], z[lane]],
            offset: self.offsets[lane],
            height,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn bits_are_spread_over_bytes() {
        for bits in 0..256u64 {
            let bytes = spread(bits).to_le_bytes();
            for (k, byte) in bytes.into_iter().enumerate() {
                assert_eq!(u64::from(byte), bits >> k & 1);
            }
        }
    }
}
