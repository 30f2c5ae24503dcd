//! The endpoints of all boxes on one axis, kept sorted.
//!
//! **Invariant.** Endpoints ascend, and `places` says where each body's two are.

use crate::broad::endpoints::{UPPER, body_of, is_upper, lower_end, merge_sorted, upper_end};
use crate::broad::{Box32, Boxes};

/// What an exchange of two endpoints does to their intervals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Crossing {
    /// They begin to overlap on this axis.
    Meet,
    /// They end to overlap on this axis.
    Part,
}

/// One of the three lists.
#[derive(Debug, Clone)]
pub(super) struct Axis {
    number: usize,
    endpoints: Vec<u64>,
    /// By index: where the lower and the upper end are; meaningless for bodies that are not listed.
    places: Vec<[u32; 2]>,
}

impl Axis {
    pub(super) fn new(number: usize) -> Axis {
        Axis {
            number,
            endpoints: Vec::new(),
            places: Vec::new(),
        }
    }

    /// The endpoints in order.
    pub(super) fn endpoints(&self) -> &[u64] {
        &self.endpoints
    }

    /// Moves the endpoints of one body to their new places, all others being in order, and tells the number of exchanges.
    pub(super) fn shift(
        &mut self,
        index: u32,
        bounds: &Box32,
        cross: &mut impl FnMut(u32, u32, Crossing),
    ) -> u64 {
        let upper = self.places[index as usize][1];
        let swaps = self.carry(upper, upper_end(bounds, self.number, index), cross);
        let lower = self.places[index as usize][0];
        swaps + self.carry(lower, lower_end(bounds, self.number, index), cross)
    }

    /// Puts a new endpoint in the place of an old one of the same kind and body, and exchanges it with its neighbours until
    /// the list is sorted.
    fn carry(
        &mut self,
        place: u32,
        moving: u64,
        cross: &mut impl FnMut(u32, u32, Crossing),
    ) -> u64 {
        let start = place as usize;
        let mut at = start;
        while at > 0 && self.endpoints[at - 1] > moving {
            let passed = self.endpoints[at - 1];
            tell_down(moving, passed, cross);
            self.put(at, passed);
            at -= 1;
        }
        while at + 1 < self.endpoints.len() && self.endpoints[at + 1] < moving {
            let passed = self.endpoints[at + 1];
            // Going up past an endpoint is its going down.
            tell_down(passed, moving, cross);
            self.put(at, passed);
            at += 1;
        }
        self.put(at, moving);
        at.abs_diff(start) as u64
    }

    #[inline]
    fn put(&mut self, place: usize, endpoint: u64) {
        self.endpoints[place] = endpoint;
        let kind = usize::from(is_upper(endpoint));
        self.places[body_of(endpoint) as usize][kind] = place as u32;
    }

    /// Gives the endpoints of a body new values without sorting: [`Axis::sort`] must follow.
    pub(super) fn overwrite(&mut self, index: u32, bounds: &Box32) {
        let [lower, upper] = self.places[index as usize].map(|place| place as usize);
        self.endpoints[lower] = lower_end(bounds, self.number, index);
        self.endpoints[upper] = upper_end(bounds, self.number, index);
    }

    /// Insertion sort of the whole list. Tells the number of exchanges, or `None` when there would be more than `patience`:
    /// then the list is not sorted yet, and crossings are missing.
    pub(super) fn sort(
        &mut self,
        patience: u64,
        cross: &mut impl FnMut(u32, u32, Crossing),
    ) -> Option<u64> {
        let mut swaps = 0;
        for start in 1..self.endpoints.len() {
            let moving = self.endpoints[start];
            let mut at = start;
            while at > 0 && self.endpoints[at - 1] > moving {
                let passed = self.endpoints[at - 1];
                tell_down(moving, passed, cross);
                self.endpoints[at] = passed;
                at -= 1;
            }
            self.endpoints[at] = moving;
            swaps += (start - at) as u64;
            if swaps > patience {
                return None;
            }
        }
        self.number_places();
        Some(swaps)
    }

    /// Gives all endpoints the values of now and sorts them without telling crossings; the list may be in any order.
    pub(super) fn sort_anew(&mut self, boxes: &Boxes) {
        for endpoint in &mut self.endpoints {
            let index = body_of(*endpoint);
            *endpoint = if is_upper(*endpoint) {
                upper_end(boxes.at(index), self.number, index)
            } else {
                lower_end(boxes.at(index), self.number, index)
            };
        }
        self.endpoints.sort_unstable();
        self.number_places();
    }

    /// Takes out the endpoints of all bodies but those that `is_kept` accepts.
    pub(super) fn retain(&mut self, is_kept: impl Fn(u32) -> bool) {
        self.endpoints
            .retain(|endpoint| is_kept(body_of(*endpoint)));
        self.number_places();
    }

    /// Puts in the endpoints of new bodies; `scratch` is memory.
    pub(super) fn merge<'a>(
        &mut self,
        bodies: impl Iterator<Item = (u32, &'a Box32)>,
        scratch: &mut Vec<u64>,
    ) {
        scratch.clear();
        for (index, bounds) in bodies {
            scratch.push(lower_end(bounds, self.number, index));
            scratch.push(upper_end(bounds, self.number, index));
        }
        scratch.sort_unstable();
        merge_sorted(&mut self.endpoints, scratch);
        self.number_places();
    }

    /// Notes where every endpoint is.
    fn number_places(&mut self) {
        for (endpoint, place) in self.endpoints.iter().zip(0..) {
            let index = body_of(*endpoint) as usize;
            if index >= self.places.len() {
                self.places.resize(index + 1, [0; 2]);
            }
            self.places[index][usize::from(is_upper(*endpoint))] = place;
        }
    }

    /// The memory held.
    pub(super) fn bytes(&self) -> usize {
        (self.endpoints.capacity() + self.places.capacity()) * 8
    }

    /// Panics when the list is not that of the given bodies.
    pub(super) fn validate<'a>(&self, bodies: impl Iterator<Item = (u32, &'a Box32)>) {
        assert!(self.endpoints.is_sorted(), "endpoints ascend");
        let mut count = 0;
        for (index, bounds) in bodies {
            let [lower, upper] = self.places[index as usize].map(|p| self.endpoints[p as usize]);
            assert_eq!(lower, lower_end(bounds, self.number, index), "{index}");
            assert_eq!(upper, upper_end(bounds, self.number, index), "{index}");
            count += 2;
        }
        assert_eq!(self.endpoints.len(), count, "two endpoints a body");
    }
}

/// Tells what it means that one endpoint goes down past another: nothing for two of a kind, or of one body.
#[inline]
fn tell_down(moving: u64, passed: u64, cross: &mut impl FnMut(u32, u32, Crossing)) {
    if (moving ^ passed) & UPPER == 0 {
        return;
    }
    let (a, b) = (body_of(moving), body_of(passed));
    if a != b {
        let crossing = if is_upper(moving) {
            Crossing::Part
        } else {
            Crossing::Meet
        };
        cross(a, b, crossing);
    }
}
