//! What charts say about the pairs of a group.
//!
//! The [chart](crate::shape::Chart) of a polytope bounds how far it reaches along a direction, and how soon a segment leaves it. Looked at along the offset
//! of the centres they prove that it separates a pair, or that the segment of centres has a point in both, unless this is a matter of a few
//! per cent: four of five pairs of a crowd are decided so, and of each polytope one line of memory is read.
//!
//! Eight pairs are looked up side by side. What is read is asked for as soon as it is known where it is, for all pairs of the group.

use super::group::{GROUP, Group, List};
use super::wide::{LANES, set};
use crate::shape::Spots;
use fearless_simd::{Simd, prelude::*};

/// Some pairs of a group by what their charts say.
#[derive(Debug)]
pub(super) struct Charted {
    /// Those that they say nothing about.
    pub(super) open: List,
    pub(super) apart: List,
    pub(super) overlapping: List,
    /// By number, how steeply the segment of centres leaves `a` and `b`: bounds, in steps of charts.
    pub(super) tops: [[f32; 2]; GROUP],
}

/// Where the offset of a pair is in the charts of both, for eight pairs.
type Places = [Spots; 2];

impl Charted {
    /// Looks at the charts of pairs that are placed.
    #[inline(always)]
    pub(super) fn new<S: Simd>(group: &Group<'_, '_, S>, list: &List) -> Charted {
        let mut charted = Charted {
            open: List::EMPTY,
            apart: List::EMPTY,
            overlapping: List::EMPTY,
            tops: [[0.0; 2]; GROUP],
        };
        let numbers = list.as_slice();
        let mut places = [[Spots::NONE; 2]; GROUP / LANES];
        // Loops by index: adapters of iterators may be calls.
        for eight in 0..numbers.len().div_ceil(LANES) {
            let numbers = &numbers[eight * LANES..numbers.len().min((eight + 1) * LANES)];
            places[eight] = find(group, numbers);
        }
        for eight in 0..numbers.len().div_ceil(LANES) {
            let numbers = &numbers[eight * LANES..numbers.len().min((eight + 1) * LANES)];
            charted.add(group, numbers, &places[eight]);
        }
        charted
    }

    /// Reads the charts of up to eight pairs.
    #[inline(always)]
    fn add<S: Simd>(&mut self, group: &Group<'_, '_, S>, numbers: &[u8], places: &Places) {
        let simd = group.simd;
        let [of_a, of_b] = places;
        let (mut reached, mut topped) = ([[0; LANES]; 2], [[0; LANES]; 2]);
        for lane in 0..numbers.len() {
            let pair = group.placed(usize::from(numbers[lane]));
            [reached[0][lane], topped[0][lane]] = pair.a.packed.chart.corners(of_a.cell(lane));
            [reached[1][lane], topped[1][lane]] = pair.b.packed.chart.corners(of_b.cell(lane));
        }
        let (mut reach, mut tops) = ([[0.0; LANES]; 2], [[0.0; LANES]; 2]);
        for side in 0..2 {
            let spots = &places[side];
            let bounds = spots.bounds(simd, &reached[side]);
            bounds.store_slice(&mut reach[side]);
            let bounds = spots.bounds(simd, &topped[side]);
            bounds.store_slice(&mut tops[side]);
        }
        for lane in 0..numbers.len() {
            let k = usize::from(numbers[lane]);
            let found = group.placed(k).by_charts(
                [reach[0][lane], reach[1][lane]],
                [tops[0][lane], tops[1][lane]],
            );
            self.tops[k] = [tops[0][lane], tops[1][lane]];
            self.apart.push_if(k, found.are_apart);
            self.overlapping.push_if(k, found.overlap);
            self.open.push_if(k, !(found.are_apart | found.overlap));
        }
    }
}

/// Where up to eight pairs are in their charts, and asks for that.
#[inline(always)]
fn find<S: Simd>(group: &Group<'_, '_, S>, numbers: &[u8]) -> Places {
    let simd = group.simd;
    let mut seen = [[[0.0; LANES]; 3]; 2];
    for (lane, number) in numbers.iter().enumerate() {
        let [from_a, from_b] = group.placed(usize::from(*number)).offset_seen();
        set(&mut seen[0], lane, from_a);
        set(&mut seen[1], lane, from_b);
    }
    let places = [Spots::of(simd, &seen[0]), Spots::of(simd, &seen[1])];
    for (lane, number) in numbers.iter().enumerate() {
        let pair = group.placed(usize::from(*number));
        pair.a.packed.chart.fetch(places[0].cell(lane));
        pair.b.packed.chart.fetch(places[1].cell(lane));
    }
    places
}
