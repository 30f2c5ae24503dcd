//! All bodies in the order of their lower or upper ends on one axis, kept from frame to frame.
//!
//! **Invariant.** After [`Order::refresh`] there is one endpoint a body, with the value of now, and they ascend.
//!
//! **Cost.** A pass over all bodies a frame, and the exchanges of an insertion sort; many at once are sorted anew.

use super::Boxes;
use super::endpoints::{body_of, lower_end, merge_sorted, sort_nearly_sorted, upper_end};

/// Which end of an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Lower,
    Upper,
}

/// The endpoints of one kind on one axis.
#[derive(Debug, Clone)]
pub(super) struct Order {
    axis: usize,
    end: End,
    endpoints: Vec<u64>,
    /// By index: whether its endpoint is there.
    listed: Vec<bool>,
    /// Memory for the endpoints of new bodies.
    fresh: Vec<u64>,
}

impl Order {
    pub(super) fn new(axis: usize, end: End) -> Order {
        Order {
            axis,
            end,
            endpoints: Vec::new(),
            listed: Vec::new(),
            fresh: Vec::new(),
        }
    }

    /// The axis.
    pub(super) fn axis(&self) -> usize {
        self.axis
    }

    /// Goes over to another axis, at the next refresh.
    pub(super) fn turn_to(&mut self, axis: usize) {
        self.axis = axis;
    }

    /// The bodies in order, as of the last refresh.
    pub(super) fn endpoints(&self) -> &[u64] {
        &self.endpoints
    }

    /// Takes over the boxes of now. `fresh` has at least the indices of all bodies that were not there the last time. Tells the
    /// number of exchanges.
    pub(super) fn refresh(&mut self, boxes: &Boxes, fresh: &[u32]) -> u64 {
        let (axis, end) = (self.axis, self.end);
        let value = |index: u32| match end {
            End::Lower => lower_end(boxes.at(index), axis, index),
            End::Upper => upper_end(boxes.at(index), axis, index),
        };
        let listed = &mut self.listed;
        listed.resize(boxes.index_end(), false);
        self.endpoints.retain_mut(|endpoint| {
            let index = body_of(*endpoint);
            *endpoint = value(index);
            listed[index as usize] = boxes.body_at(index).is_some();
            listed[index as usize]
        });
        let swaps = sort_nearly_sorted(&mut self.endpoints);
        self.fresh.clear();
        for index in fresh {
            let is_listed = &mut listed[*index as usize];
            if !*is_listed && boxes.body_at(*index).is_some() {
                *is_listed = true;
                self.fresh.push(value(*index));
            }
        }
        self.fresh.sort_unstable();
        merge_sorted(&mut self.endpoints, &self.fresh);
        swaps
    }

    /// The memory held.
    pub(super) fn bytes(&self) -> usize {
        (self.endpoints.capacity() + self.fresh.capacity()) * 8 + self.listed.capacity()
    }

    /// Panics when the order is not one of all bodies.
    pub(super) fn validate(&self, boxes: &Boxes) {
        assert!(self.endpoints.is_sorted(), "endpoints ascend");
        assert_eq!(self.endpoints.len(), boxes.len(), "an endpoint a body");
        let mut bodies: Vec<u32> = self.endpoints.iter().map(|e| body_of(*e)).collect();
        bodies.sort_unstable();
        let all = boxes.iter().map(|(body, _)| body.index());
        assert!(bodies.into_iter().eq(all), "each body is there once");
    }
}
