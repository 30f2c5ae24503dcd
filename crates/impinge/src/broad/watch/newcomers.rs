//! Room for a crowd that came.
//!
//! Nothing is known of where a newcomer is going. With a wide box no wider than its box it is searched for again as soon as it
//! moves, and a crowd of newcomers all in the same frame. So bodies of a crowd get room on all sides that is enough for some
//! frames, for everyone another number of them; when one leaves, its mean step is known. Who does not move in the next frame, as
//! walls and floors never will, has to give its room back.
//!
//! How much room pays depends on how crowded it is, as ever (`motion`). Nobody has looked at pairs yet, so some bodies are
//! compared with all others to tell.

use super::super::wide_tree::{LANES, Node, Wide};
use super::super::{Boxes, Watch};
use super::motion::{Origin, first_wide_box};
use crate::lanes::in_lanes;
use fearless_simd::{Simd, prelude::*};

/// If more than one in so many bodies is new, they are a crowd.
const CROWD: usize = 4;

/// So many times eight bodies are compared with all.
const SAMPLES: usize = 4;

impl Watch {
    /// Gives those that came since the last look room to move, if they are many.
    pub(super) fn make_room(&mut self) {
        let boxes = &self.boxes;
        let new_at = |seat: &u32| {
            let index = boxes.seats().index_at(*seat);
            let is_new = boxes.body_at(index).is_some() && !boxes.is_settled(index);
            is_new.then_some(index)
        };
        let newcomers = || self.strays.iter().filter_map(new_at);
        if newcomers().count() * CROWD <= boxes.len() {
            return;
        }
        self.roomy.extend(newcomers());
        let pairs = in_lanes!(simd => pairs_a_body(simd, boxes));
        self.outlook.expect(pairs);
        for index in &self.roomy {
            let (place, bounds) = (*index as usize, boxes.at(*index));
            self.wide[place] = first_wide_box(*index, bounds, self.outlook, boxes.len());
            self.origins[place] = Origin::new(bounds, self.outlook);
        }
        self.are_tight = false;
    }

    /// Takes back the room of those that got it at the last `collect`, by index, and have not moved since; to be called when all
    /// pairs have been looked at, and what moved is still noted.
    pub(super) fn take_room_back(&mut self, roomy: Vec<u32>) {
        let (boxes, wide) = (&self.boxes, &mut self.wide);
        let mut still = roomy;
        still.retain_mut(|index| {
            let seat = boxes.seats().of(*index);
            // Those that came or went are among those that left.
            let is_still = !self.moved.has(seat as usize) && !self.left.has(seat as usize);
            if is_still {
                wide[*index as usize] = *boxes.at(*index);
                *index = seat;
            }
            is_still
        });
        if still.is_empty() {
            return;
        }
        let bounds_of = |seat: u32| wide[boxes.seats().index_at(seat) as usize];
        if self.is_planted {
            self.tree.set_all(&still, &self.slots, bounds_of);
            in_lanes!(simd => self.tree.refit(simd));
            self.tree.unmark();
        }
        self.list
            .keep(|[a, b]| bounds_of(a).overlaps(&bounds_of(b)));
    }
}

/// How many pairs of overlapping boxes there are for each body, about.
#[inline(always)]
fn pairs_a_body<S: Simd>(simd: S, boxes: &Boxes) -> f32 {
    let mut samples = [Node::EMPTY; SAMPLES];
    let count = boxes.len().min(SAMPLES * LANES);
    let step = (boxes.len() / count.max(1)).max(1);
    for (number, (_, bounds)) in boxes.iter().step_by(step).take(count).enumerate() {
        // Around them, so that there is somebody to be met.
        let around = bounds.widened(bounds.size());
        samples[number / LANES].set(number % LANES, &around);
    }
    let mut met = 0;
    for (_, bounds) in boxes.iter() {
        let bounds = Wide::splat(simd, bounds);
        for sample in &samples {
            met += sample.overlapping(simd, &bounds).to_bitmask().count_ones();
        }
    }
    // Everyone meets itself. Of boxes of one size a box meets an eighth of those that it meets with its size added on all sides, and
    // each pair is met from both. That nobody was met is no proof that nobody is near.
    let others = (met as f32 - count as f32).max(0.5);
    others / (8 * 2 * count.max(1)) as f32
}
