//! Ear clipping (Meisters 1975): cut off a corner whose triangle holds nothing else, until a triangle is left.
//!
//! Every corner removed here has a triangle of sign zero or more, so an attempt that ends has its certificate (see the
//! module above); whether a triangle is empty only guides the choice. Four kinds of corners may go, tried in this order:
//!
//! 1. *folds*, where the outline repeats a point or turns straight back: they enclose nothing;
//! 2. ears: positive, and no other corner in the closed triangle, corners at the place of one of its own not counted
//!    (they are the far sides of bridges);
//! 3. when none is left: positive corners with nothing strictly inside (another part of the outline touches them);
//! 4. when none is left: flat corners.
//!
//! A simple polygon has no folds and always an ear, so no triangle of zero area appears there, however many corners are
//! collinear. Clipping changes the ears of the two neighbours only, which are looked at
//! again: O(n) tests of O(n) each. The budget bounds the rest.

use super::{Budget, View};
use crate::exact::Sign;
use std::collections::VecDeque;

/// The triangles, or nothing when no corner could be cut off any more or all triangles were flat.
pub(super) fn triangulate(view: &View<'_>, budget: &mut Budget) -> Option<Vec<[u32; 3]>> {
    let mut outline = Outline::new(view, budget);
    let mut triangles = Vec::with_capacity(view.len() - 2);
    let mut has_area = false;
    while triangles.len() < view.len() - 2 {
        let corner = outline.find_corner()?;
        let triangle = outline.triangle(corner);
        has_area |= view.turn(triangle) == Sign::Positive;
        triangles.push(triangle);
        outline.clip(corner);
    }
    has_area.then_some(triangles)
}

/// Which corners keep a triangle from being an ear.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Blocking {
    /// Those inside or on it.
    Closed,
    /// Those strictly inside.
    Open,
}

/// What is left of the polygon: a ring of corners.
struct Outline<'a> {
    view: &'a View<'a>,
    next: Vec<u32>,
    previous: Vec<u32>,
    /// Some corner that is left.
    entry: u32,
    left: usize,
    /// Corners to be looked at, for folds and for ears; some may be gone by then.
    fold_candidates: VecDeque<u32>,
    ear_candidates: VecDeque<u32>,
    is_gone: Vec<bool>,
    budget: &'a mut Budget,
}

impl<'a> Outline<'a> {
    fn new(view: &'a View<'a>, budget: &'a mut Budget) -> Outline<'a> {
        let corners = 0..view.len() as u32;
        Outline {
            view,
            next: corners.clone().map(|i| view.next(i)).collect(),
            previous: corners.clone().map(|i| view.previous(i)).collect(),
            entry: 0,
            left: view.len(),
            fold_candidates: corners.clone().collect(),
            ear_candidates: corners.collect(),
            is_gone: vec![false; view.len()],
            budget,
        }
    }

    fn triangle(&self, corner: u32) -> [u32; 3] {
        let (before, after) = (self.previous[corner as usize], self.next[corner as usize]);
        [before, corner, after]
    }

    fn clip(&mut self, corner: u32) {
        let [before, _, after] = self.triangle(corner);
        self.next[before as usize] = after;
        self.previous[after as usize] = before;
        self.entry = after;
        self.left -= 1;
        self.is_gone[corner as usize] = true;
        self.fold_candidates.extend([before, after]);
        self.ear_candidates.extend([before, after]);
    }

    /// The next corner to cut off.
    fn find_corner(&mut self) -> Option<u32> {
        while let Some(corner) = self.fold_candidates.pop_front() {
            if !self.is_gone[corner as usize] && self.is_fold(corner) {
                return Some(corner);
            }
        }
        while let Some(corner) = self.ear_candidates.pop_front() {
            if !self.is_gone[corner as usize] && self.is_ear(corner, Blocking::Closed) {
                return Some(corner);
            }
        }
        self.find(|outline, corner| outline.is_ear(corner, Blocking::Open))
            .or_else(|| {
                self.find(|outline, corner| {
                    outline.view.turn(outline.triangle(corner)) == Sign::Zero
                })
            })
    }

    /// The first corner that passes a test, all around.
    fn find(&mut self, mut test: impl FnMut(&mut Self, u32) -> bool) -> Option<u32> {
        let mut corner = self.entry;
        for _ in 0..self.left {
            if !self.budget.pay(1) {
                return None;
            }
            if test(self, corner) {
                return Some(corner);
            }
            corner = self.next[corner as usize];
        }
        None
    }

    /// Whether the outline repeats a point here or turns straight back.
    fn is_fold(&self, corner: u32) -> bool {
        let triangle = self.triangle(corner);
        if self.view.turn(triangle) != Sign::Zero {
            return false;
        }
        // On one line, the corner is between its neighbours exactly when it is so in the coordinate that varies.
        let [a, b, c] = triangle.map(|i| self.view.flat(i));
        let is_between = |k: usize| (a[k] < b[k] && b[k] < c[k]) || (c[k] < b[k] && b[k] < a[k]);
        !is_between(0) && !is_between(1)
    }

    fn is_ear(&mut self, corner: u32, blocking: Blocking) -> bool {
        let triangle = self.triangle(corner);
        self.view.turn(triangle) == Sign::Positive && self.is_empty(triangle, blocking)
    }

    fn is_empty(&mut self, [a, b, c]: [u32; 3], blocking: Blocking) -> bool {
        let ear = [a, b, c].map(|i| self.view.flat(i));
        let range = |k: usize| {
            let [x, y, z] = ear.map(|p| p[k]);
            (x.min(y).min(z), x.max(y).max(z))
        };
        let ((left, right), (low, high)) = (range(0), range(1));
        let mut i = self.next[c as usize];
        let mut steps = 0;
        while i != a {
            steps += 1;
            let [x, y] = self.view.flat(i);
            let is_near = x >= left && x <= right && y >= low && y <= high;
            if is_near
                && (!self.budget.pay(std::mem::take(&mut steps))
                    || self.blocks([a, b, c], i, blocking))
            {
                return false;
            }
            i = self.next[i as usize];
        }
        self.budget.pay(steps)
    }

    fn blocks(&self, [a, b, c]: [u32; 3], i: u32, blocking: Blocking) -> bool {
        let least = match blocking {
            Blocking::Closed => Sign::Zero,
            Blocking::Open => Sign::Positive,
        };
        let place = self.view.flat(i);
        #[expect(clippy::float_cmp, reason = "the same place is the same numbers")]
        let is_same = |k: u32| self.view.flat(k) == place;
        ![a, b, c].into_iter().any(is_same)
            && self.view.turn([a, b, i]) >= least
            && self.view.turn([b, c, i]) >= least
            && self.view.turn([c, a, i]) >= least
    }
}
