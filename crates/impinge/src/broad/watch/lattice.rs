//! All pairs of boxes that overlap, where nothing is known from before: boxes in the cells of a lattice.
//!
//! A box is in the cell of its lowest corner. Cells are about as large as boxes or larger, so that two boxes that overlap are in
//! neighbouring cells. Boxes are put in the order of their cells by counting, row by row: what three neighbouring cells of a row
//! hold then lies side by side, and is compared eight boxes at a time. A box looks ahead only, at what is left of its own cell and
//! the next one, and at three cells of each of four later rows.
//!
//! **Large boxes**, which reach beyond the next cell, are kept apart and compared with all. Where there are many of them, or where
//! most boxes share few cells, as they do beside one that begins far away, the lattice declines, and the caller has to search otherwise.
//!
//! **Why no pair is lost.** The cell of a number is found by a subtraction, a product and a rounding, none of which ever falls as the
//! number grows. If `a` and `b` overlap on an axis, and `a` is the one that begins first, then `cell(a.min) <= cell(b.min) <=
//! cell(a.max)`; and `cell(a.max) <= cell(a.min) + 1` has been seen to hold, as `a` would be large otherwise.
//!
//! **Cost.** Linear in boxes and pairs: there are fewer cells than boxes, and a cell holds few boxes on average, weighted by boxes.

use super::super::Box32;
use super::super::changes::key_of;
use super::super::row::block;
use super::super::wide_tree::{LANES, Wide};
use super::segment::MANY_BOXES;
use crate::ahead;
#[cfg(feature = "parallel")]
use crate::lanes::in_lanes;
use fearless_simd::{Simd, SimdCvtTruncate, f32x4, i32x4, prelude::*};
#[cfg(feature = "parallel")]
use rayon::prelude::*;
use std::ops::Range;

/// How many boxes there are to be for each cell: three cells then seldom have more than eight.
const FILL: f32 = 1.25;

/// Cells are as large as the largest box, but no larger than so many times the mean.
const LARGE: f32 = 4.0;

/// How many boxes may be large.
const MOST_LARGE: usize = 16;

/// With more boxes than this in the cell of a box, on average, the lattice declines.
const CROWD: u64 = 12;

/// How many cells there are along an axis at most.
const MOST_CELLS: f32 = 4096.0;

/// How many rows of cells a box is compared with.
const ROWS: usize = 5;

/// How many boxes ahead memory is asked for.
const AHEAD: usize = 16;

/// How many boxes a thread takes at a time.
#[cfg(feature = "parallel")]
const SHARE: usize = 1 << 12;

/// Boxes in the order of their cells. Nothing is kept from one search to the next but memory.
#[derive(Debug, Clone, Default)]
pub(super) struct Lattice {
    /// The cell of each box in the upper half, its index in the lower one: first as they come, then by cells.
    unsorted: Vec<u64>,
    sorted: Vec<u64>,
    /// By cell: where its boxes begin.
    starts: Vec<u32>,
    /// Of the boxes by cells: lower ends and upper ends, axis by axis; behind them some that overlap nothing.
    min: [Vec<f32>; 3],
    max: [Vec<f32>; 3],
    /// Indices of large boxes.
    large: Vec<u32>,
    /// How far one row is from the next, and one layer of rows, in cells.
    row: usize,
    layer: usize,
}

/// Where cells are.
#[derive(Debug, Clone, Copy)]
struct Mesh {
    /// The lowest corner of all.
    low: [f32; 4],
    /// Cells in a unit of length.
    scale: [f32; 4],
    /// The last cell.
    last: [f32; 4],
}

/// The extent of some boxes, in lanes.
#[derive(Clone, Copy)]
struct Extent<S: Simd> {
    /// The lowest and the highest of the lower ends.
    low: f32x4<S>,
    high: f32x4<S>,
    /// The highest of the upper ends.
    top: f32x4<S>,
    /// The largest size, and the sum of all.
    largest: f32x4<S>,
    sum: f32x4<S>,
}

impl<S: Simd> Extent<S> {
    #[inline(always)]
    fn of(simd: S, boxes: &[Box32], bodies: impl Iterator<Item = u32>) -> Extent<S> {
        let splat = |x: f32| f32x4::splat(simd, x);
        let mut extent = Extent {
            low: splat(f32::INFINITY),
            high: splat(f32::NEG_INFINITY),
            top: splat(f32::NEG_INFINITY),
            largest: splat(0.0),
            sum: splat(0.0),
        };
        for index in bodies {
            let (min, max) = boxes[index as usize].corners(simd);
            let size = max - min;
            extent.low = extent.low.min(min);
            extent.high = extent.high.max(min);
            extent.top = extent.top.max(max);
            extent.largest = extent.largest.max(size);
            extent.sum += size;
        }
        extent
    }
}

impl Mesh {
    /// Cells for so many boxes of such an extent; `None` where numbers are too large or too small to divide it.
    #[inline(always)]
    fn new<S: Simd>(extent: &Extent<S>, bodies: usize) -> Option<Mesh> {
        let low: [f32; 4] = extent.low.into();
        let across: [f32; 4] = (extent.top - extent.low).into();
        let spread: [f32; 4] = (extent.high - extent.low).into();
        let (largest, sum): ([f32; 4], [f32; 4]) = (extent.largest.into(), extent.sum.into());
        let mut counts = [1.0; 3];
        for axis in 0..3 {
            let mean = sum[axis] / bodies as f32;
            let edge = largest[axis].min(LARGE * mean);
            // A little more than the edge, for rounding; of boxes without size as many as may be.
            let count = spread[axis] / (1.01 * edge);
            if !(across[axis].is_finite() && mean.is_finite()) {
                return None;
            }
            counts[axis] = count.clamp(1.0, MOST_CELLS);
        }
        let most = (bodies as f32 / FILL).max(1.0);
        // What is one cell thick cannot be divided less.
        for _ in 0..3 {
            let excess = (counts[0] * counts[1] * counts[2] / most).max(1.0);
            let axes = counts.iter().filter(|count| **count > 1.0).count().max(1);
            let less = excess.powf(1.0 / axes as f32);
            counts = counts.map(|count| (count / less).max(1.0));
        }
        let (mut scale, mut last) = ([0.0; 4], [0.0; 4]);
        for axis in 0..3 {
            let count = counts[axis].floor();
            last[axis] = count - 1.0;
            if spread[axis] > 0.0 {
                scale[axis] = count / spread[axis];
            }
        }
        let is_sound = scale.iter().all(|scale| scale.is_finite());
        is_sound.then_some(Mesh { low, scale, last })
    }

    /// How many cells there are along each axis.
    fn counts(&self) -> [usize; 3] {
        std::array::from_fn(|axis| self.last[axis] as usize + 1)
    }
}

impl Lattice {
    /// Adds to `found` the keys of every two of the bodies whose boxes overlap, in an order of no meaning, and tells how many boxes were
    /// compared; `None`, with nothing added, where a lattice does not suit.
    #[inline(always)]
    pub(super) fn search<S: Simd>(
        &mut self,
        simd: S,
        boxes: &[Box32],
        bodies: impl Iterator<Item = u32> + Clone,
        found: &mut Vec<u64>,
    ) -> Option<u64> {
        let count = bodies.clone().count();
        let mesh = Mesh::new(&Extent::of(simd, boxes, bodies.clone()), count)?;
        if !(self.assign(simd, &mesh, boxes, bodies) && self.count()) {
            return None;
        }
        self.sort();
        self.fill(boxes);
        let tests = self.search_all(simd, found);
        Some(tests + self.search_large(simd, boxes, found))
    }

    /// Tells each box its cell, or that it is large, and counts the boxes of each cell two places behind it. Tells whether few are large.
    #[inline(always)]
    fn assign<S: Simd>(
        &mut self,
        simd: S,
        mesh: &Mesh,
        boxes: &[Box32],
        bodies: impl Iterator<Item = u32>,
    ) -> bool {
        // Each row, each layer and the whole end with empty cells, so that every cell has neighbours, all of them behind it.
        let [x, y, z] = mesh.counts();
        (self.row, self.layer) = (x + 1, (x + 1) * (y + 1));
        self.starts.clear();
        self.starts.resize(self.layer * (z + 2) + 4, 0);
        self.unsorted.clear();
        self.large.clear();
        let low = f32x4::load_array_ref(simd, &mesh.low);
        let scale = f32x4::load_array_ref(simd, &mesh.scale);
        let last = f32x4::load_array_ref(simd, &mesh.last);
        for index in bodies {
            let (min, max) = boxes[index as usize].corners(simd);
            let from = i32x4::truncate_from(((min - low) * scale).min(last));
            let to = i32x4::truncate_from(((max - low) * scale).min(last));
            let is_large = (to - from).simd_gt(i32x4::splat(simd, 1)).to_bitmask() & 0b111 != 0;
            if is_large {
                self.large.push(index);
                if self.large.len() > MOST_LARGE {
                    return false;
                }
                continue;
            }
            let [x, y, z, _]: [i32; 4] = from.into();
            let cell = x as usize + y as usize * self.row + z as usize * self.layer;
            self.starts[cell + 2] += 1;
            self.unsorted.push((cell as u64) << 32 | u64::from(index));
        }
        true
    }

    /// From numbers of boxes to where they begin, one place behind each cell. Tells whether few boxes share a cell.
    fn count(&mut self) -> bool {
        let (mut sum, mut shared) = (0, 0);
        for number in &mut self.starts {
            shared += u64::from(*number) * u64::from(*number);
            sum += *number;
            *number = sum;
        }
        shared <= CROWD * self.unsorted.len() as u64
    }

    /// Puts boxes in the order of their cells; what began one place behind a cell then ends there, and begins at the cell.
    fn sort(&mut self) {
        self.sorted.resize(self.unsorted.len(), 0);
        for word in &self.unsorted {
            let place = &mut self.starts[(word >> 32) as usize + 1];
            self.sorted[*place as usize] = *word;
            *place += 1;
        }
    }

    /// Copies the boxes in that order.
    #[inline(always)]
    fn fill(&mut self, boxes: &[Box32]) {
        let (count, are_far) = (self.sorted.len(), boxes.len() >= MANY_BOXES);
        for axis in 0..3 {
            self.min[axis].resize(count + LANES, f32::INFINITY);
            self.max[axis].resize(count + LANES, f32::NEG_INFINITY);
            self.min[axis][count..].fill(f32::INFINITY);
            self.max[axis][count..].fill(f32::NEG_INFINITY);
        }
        for place in 0..count {
            if are_far && let Some(later) = self.sorted.get(place + AHEAD) {
                ahead::fetch(boxes, *later as u32 as usize);
            }
            let bounds = &boxes[self.sorted[place] as u32 as usize];
            for axis in 0..3 {
                self.min[axis][place] = bounds.min[axis];
                self.max[axis][place] = bounds.max[axis];
            }
        }
    }

    /// Every box with those ahead of it.
    #[inline(always)]
    fn search_all<S: Simd>(&self, simd: S, found: &mut Vec<u64>) -> u64 {
        #[cfg(feature = "parallel")]
        if self.sorted.len() > 2 * SHARE && crate::sharing::is_shared() {
            return self.search_shared(found);
        }
        self.search_part(simd, 0..self.sorted.len(), found)
    }

    #[cfg(feature = "parallel")]
    fn search_shared(&self, found: &mut Vec<u64>) -> u64 {
        let count = self.sorted.len();
        let search = |part: usize| {
            let (places, mut found) = (part * SHARE..count.min(part * SHARE + SHARE), Vec::new());
            let tests = in_lanes!(simd => self.search_part(simd, places, &mut found));
            (tests, found)
        };
        let parts = (0..count.div_ceil(SHARE)).into_par_iter().map(search);
        let parts: Vec<(u64, Vec<u64>)> = parts.collect();
        parts.into_iter().fold(0, |sum, (tests, part)| {
            found.extend(part);
            sum + tests
        })
    }

    /// The boxes of some places with those ahead of them.
    #[inline(always)]
    fn search_part<S: Simd>(&self, simd: S, places: Range<usize>, found: &mut Vec<u64>) -> u64 {
        let mut tests = 0;
        for place in places {
            let own = Wide::splat(simd, &self.at(place));
            let ranges = self.ranges_ahead(place);
            // The first eight of each row, without a branch; seldom there are more.
            let (mut met, mut are_more) = (0, false);
            for (number, range) in ranges.iter().enumerate() {
                met |= self.met_in(simd, &own, range) << (number * LANES);
                are_more |= range.end > range.start + LANES as u32;
            }
            tests += (ROWS * LANES) as u64;
            while met != 0 {
                let bit = met.trailing_zeros() as usize;
                met &= met - 1;
                let other = ranges[bit / LANES].start as usize + bit % LANES;
                found.push(self.key(place, other));
            }
            if are_more {
                for range in ranges {
                    tests += self.search_rest(simd, place, &own, range, found);
                }
            }
        }
        tests
    }

    /// What a box has to be compared with: the places of the boxes of some cells of each row.
    #[inline(always)]
    fn ranges_ahead(&self, place: usize) -> [Range<u32>; ROWS] {
        let cell = (self.sorted[place] >> 32) as usize;
        let three_from = |first: usize| self.starts[first]..self.starts[first + 3];
        [
            place as u32 + 1..self.starts[cell + 2],
            three_from(cell + self.row - 1),
            three_from(cell + self.layer - self.row - 1),
            three_from(cell + self.layer - 1),
            three_from(cell + self.layer + self.row - 1),
        ]
    }

    /// Which of the first eight boxes of a range overlap a box, a bit each.
    #[inline(always)]
    fn met_in<S: Simd>(&self, simd: S, own: &Wide<S>, range: &Range<u32>) -> u64 {
        let first = range.start as usize;
        let [x, y, z] = &self.min;
        let min = [
            block(simd, x, first),
            block(simd, y, first),
            block(simd, z, first),
        ];
        let [x, y, z] = &self.max;
        let max = [
            block(simd, x, first),
            block(simd, y, first),
            block(simd, z, first),
        ];
        let len = (range.end - range.start).min(LANES as u32);
        own.overlapping(min, max).to_bitmask() & ((1 << len) - 1)
    }

    /// The boxes of a range beyond the first eight.
    #[inline(always)]
    fn search_rest<S: Simd>(
        &self,
        simd: S,
        place: usize,
        own: &Wide<S>,
        range: Range<u32>,
        found: &mut Vec<u64>,
    ) -> u64 {
        let mut tests = 0;
        for first in range.clone().step_by(LANES).skip(1) {
            let mut met = self.met_in(simd, own, &(first..range.end));
            tests += LANES as u64;
            while met != 0 {
                found.push(self.key(place, first as usize + met.trailing_zeros() as usize));
                met &= met - 1;
            }
        }
        tests
    }

    /// The large boxes with each other, and with all others.
    #[inline(always)]
    fn search_large<S: Simd>(&self, simd: S, boxes: &[Box32], found: &mut Vec<u64>) -> u64 {
        let all = 0..self.sorted.len() as u32;
        let mut tests = 0;
        for (number, index) in self.large.iter().enumerate() {
            let bounds = &boxes[*index as usize];
            let others = self.large[number + 1..].iter();
            let met = others.filter(|other| boxes[**other as usize].overlaps(bounds));
            found.extend(met.map(|other| key_of(*index, *other)));
            let own = Wide::splat(simd, bounds);
            for first in all.clone().step_by(LANES) {
                let mut met = self.met_in(simd, &own, &(first..all.end));
                while met != 0 {
                    let other = self.sorted[first as usize + met.trailing_zeros() as usize];
                    found.push(key_of(*index, other as u32));
                    met &= met - 1;
                }
            }
            tests += (self.large.len() - number - 1 + self.sorted.len()) as u64;
        }
        tests
    }

    /// The box at a place.
    #[inline(always)]
    fn at(&self, place: usize) -> Box32 {
        let [min, max] = [&self.min, &self.max];
        Box32 {
            min: [min[0][place], min[1][place], min[2][place]],
            max: [max[0][place], max[1][place], max[2][place]],
        }
    }

    /// The key of the boxes at two places.
    #[inline(always)]
    fn key(&self, one: usize, other: usize) -> u64 {
        key_of(self.sorted[one] as u32, self.sorted[other] as u32)
    }

    /// The memory held.
    pub(super) fn bytes(&self) -> usize {
        let columns = self.min.iter().chain(&self.max);
        let numbers: usize = columns.map(Vec::capacity).sum();
        (self.unsorted.capacity() + self.sorted.capacity()) * 8
            + (self.starts.capacity() + self.large.capacity() + numbers) * 4
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::in_lanes;
    use crate::math::{ENDS, Vec3};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Pairs by a lattice, sorted; `None` where it declines.
    fn by_lattice(boxes: &[Box32]) -> Option<Vec<u64>> {
        let (mut lattice, mut found) = (Lattice::default(), Vec::new());
        let bodies = 0..boxes.len() as u32;
        in_lanes!(simd => lattice.search(simd, boxes, bodies, &mut found))?;
        found.sort_unstable();
        Some(found)
    }

    fn by_brute_force(boxes: &[Box32]) -> Vec<u64> {
        let mut found = Vec::new();
        for (a, one) in (0..).zip(boxes) {
            let others = (a + 1..).zip(&boxes[a as usize + 1..]);
            let met = others.filter(|(_, other)| one.overlaps(other));
            found.extend(met.map(|(b, _)| key_of(a, b)));
        }
        found
    }

    fn assert_same(boxes: &[Box32], what: &str) {
        let found = by_lattice(boxes).unwrap_or_else(|| panic!("{what}: declined"));
        assert_eq!(found, by_brute_force(boxes), "{what}");
    }

    /// Boxes of some size anywhere in a room, at whole places or not.
    fn crowd(count: usize, room: [f32; 3], size: f32, is_snapped: bool, seed: u64) -> Vec<Box32> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut any_box = || {
            let mut min = room.map(|side| rng.random_range(0.0..=side) - 0.3 * side);
            let mut edges = [(); 3].map(|()| rng.random_range(0.0..=size));
            if is_snapped {
                (min, edges) = (min.map(f32::round), edges.map(f32::ceil));
            }
            Box32::new(min, std::array::from_fn(|axis| min[axis] + edges[axis])).unwrap()
        };
        (0..count).map(|_| any_box()).collect()
    }

    #[test]
    fn pairs_are_those_of_brute_force() {
        for seed in 0..40 {
            let count = [2, 9, 100, 700][seed as usize % 4];
            let side = (10.0 * count as f32).cbrt();
            let is_snapped = seed % 3 == 0;
            for (size, what) in [(0.0, "points"), (1.5, "boxes"), (2.5, "large boxes")] {
                assert_same(&crowd(count, [side; 3], size, is_snapped, seed), what);
                let flat = [3.0 * side, 0.0, 3.0 * side];
                assert_same(&crowd(count, flat, size, is_snapped, seed), what);
                let far = [1e6 * side, side, side];
                assert_same(&crowd(count, far, size, is_snapped, seed), what);
            }
        }
    }

    #[test]
    fn a_few_large_boxes_are_met_by_all() {
        let mut boxes = crowd(600, [18.0; 3], 1.5, false, 1);
        let table = Box32::new([-8.0; 3], [20.0, 20.0, 0.0]).unwrap();
        boxes.extend([table; 3]);
        boxes.insert(17, Box32::new([-1.0; 3], [8.0; 3]).unwrap());
        assert_same(&boxes, "tables");
        boxes.extend([table; MOST_LARGE]);
        assert_eq!(by_lattice(&boxes), None, "too many tables");
    }

    /// All in one place, or two places far apart: nothing is won by cells.
    #[test]
    fn crowds_in_few_cells_are_declined() {
        let unit = Box32::new([0.0; 3], [1.0; 3]).unwrap();
        assert_eq!(by_lattice(&[unit; 200]), None);
        assert_same(&[unit; 5], "few");
        let mut boxes = crowd(300, [3.0; 3], 1.0, false, 3);
        boxes.push(Box32::new([1e9; 3], [1e9; 3]).unwrap());
        assert_eq!(by_lattice(&boxes), None);
    }

    /// At the ends of the range it may decline, but what it finds is right.
    #[test]
    fn boxes_of_any_size_at_any_place_are_right_or_declined() {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let mut taken = 0;
        for _ in 0..3000 {
            let scale = 10f64.powi(rng.random_range(-46..40));
            let mut boxes = Vec::new();
            for _ in 0..rng.random_range(1..40) {
                let mut corner = || match rng.random_range(0..12) {
                    0 => Vec3::splat(ENDS[rng.random_range(0..ENDS.len())]),
                    _ => Vec3::from([(); 3].map(|()| rng.random_range(-1.0..1.0) * scale)),
                };
                let (a, b) = (corner(), corner());
                let bounds = crate::math::Aabb::new(a.min(b), a.max(b)).unwrap();
                boxes.push(Box32::around(&bounds).unwrap());
            }
            if let Some(found) = by_lattice(&boxes) {
                taken += 1;
                assert_eq!(found, by_brute_force(&boxes), "{boxes:?}");
            }
        }
        assert!(taken > 500, "{taken}");
    }
}
