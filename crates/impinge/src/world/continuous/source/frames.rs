//! Boxes of whole frames, and a broad phase, as a source of pairs.
//!
//! At the beginning of a frame each moving body gets the box of its way until the end of it; when a motion changes, that of the rest
//! of the frame. Pairs whose boxes overlap may meet within the frame (Mirtich 1996; Larsen; sweep and prune with swept boxes is
//! the comparison of Coming and Staadt 2006).

use super::{Change, Source, SourceWork};
use crate::body::BodyId;
use crate::broad::{Box32, BroadPhase, BroadPhaseKind, PairChanges};
use crate::kinetic::KineticBox;
use crate::world::clock::Clock;
use std::collections::VecDeque;

/// Swept boxes, frame by frame.
#[derive(Debug)]
pub(in super::super) struct Frames {
    interval: f64,
    broad: Box<dyn BroadPhase>,
    /// By index.
    members: Vec<Option<Member>>,
    /// Indices of bodies whose box changed since the last look.
    changed: Vec<u32>,
    now: f64,
    /// Boxes hold until here.
    end: f64,
    pending: VecDeque<Change>,
    /// Kept for their memory.
    changes: PairChanges,
    moved: Vec<(BodyId, Box32)>,
    work: SourceWork,
}

#[derive(Debug, Clone, Copy)]
struct Member {
    id: BodyId,
    bounds: KineticBox,
    /// Whether the broad phase knows it.
    is_known: bool,
    is_changed: bool,
}

impl Frames {
    pub(in super::super) fn new(interval: f64, kind: BroadPhaseKind) -> Frames {
        Frames {
            interval,
            broad: kind.create(),
            members: Vec::new(),
            changed: Vec::new(),
            now: 0.0,
            end: 0.0,
            pending: VecDeque::new(),
            changes: PairChanges::default(),
            moved: Vec::new(),
            work: SourceWork::default(),
        }
    }

    /// The same at a later time.
    pub(super) fn starting_at(interval: f64, kind: BroadPhaseKind, time: f64) -> Frames {
        Frames {
            now: time,
            end: time,
            ..Frames::new(interval, kind)
        }
    }

    /// How long frames are from the next one on.
    pub(super) fn set_interval(&mut self, interval: f64) {
        self.interval = interval;
    }

    /// When this frame ends.
    pub(super) fn end(&self) -> f64 {
        self.end
    }

    /// Goes on to the next frame.
    pub(super) fn begin_frame(&mut self) {
        self.now = self.end;
        let next = ((self.end / self.interval).floor() + 1.0) * self.interval;
        self.end = if next > self.end {
            next
        } else {
            (self.end + self.interval).max(self.end.next_up())
        };
        self.work.frames += 1;
        let mut moved = std::mem::take(&mut self.moved);
        let mut clock = Clock::start();
        moved.clear();
        for member in self.members.iter_mut().flatten() {
            if member.is_known && !member.is_changed && !member.bounds.is_still() {
                moved.push((member.id, swept(&member.bounds, self.now, self.end)));
            }
        }
        let updated = self.broad.update_many(&moved);
        updated.expect("each body is known, once");
        self.work.updating += clock.lap();
        self.moved = moved;
        self.update_changed();
        self.collect();
    }

    /// Gives the broad phase the boxes of bodies that changed.
    fn update_changed(&mut self) {
        let mut clock = Clock::start();
        for index in self.changed.drain(..) {
            let Some(member) = &mut self.members[index as usize] else {
                continue;
            };
            if !std::mem::take(&mut member.is_changed) {
                continue;
            }
            let bounds = swept(&member.bounds, self.now, self.end);
            let result = if std::mem::replace(&mut member.is_known, true) {
                self.broad.update(member.id, bounds)
            } else {
                self.broad.insert(member.id, bounds)
            };
            result.expect("members are those of the broad phase");
        }
        self.work.updating += clock.lap();
    }

    fn collect(&mut self) {
        let mut clock = Clock::start();
        self.broad.collect(&mut self.changes);
        let ended = self.changes.ended.iter().map(|pair| Change::Ended(*pair));
        self.pending.extend(ended);
        let began = self.changes.began.iter().map(|pair| Change::Began(*pair));
        self.pending.extend(began);
        self.work.sorting += clock.lap();
    }
}

/// The box of a moving one during some time; everything, when that leaves the range of `f64`.
fn swept(bounds: &KineticBox, from: f64, to: f64) -> Box32 {
    let swept = bounds.swept(from, to);
    let rounded = swept.and_then(|swept| Box32::around(&swept));
    rounded
        .unwrap_or_else(|_| Box32::new([f32::MIN; 3], [f32::MAX; 3]).expect("finite and in order"))
}

impl Source for Frames {
    fn set(&mut self, body: BodyId, bounds: &KineticBox) {
        let place = body.index() as usize;
        if self.members.len() <= place {
            self.members.resize(place + 1, None);
        }
        let is_known = self.members[place].is_some_and(|member| member.is_known);
        self.members[place] = Some(Member {
            id: body,
            bounds: *bounds,
            is_known,
            is_changed: true,
        });
        self.changed.push(body.index());
    }

    fn remove(&mut self, body: BodyId) {
        let place = body.index() as usize;
        let member = self.members.get_mut(place).and_then(Option::take);
        if member.is_some_and(|member| member.is_known) {
            let result = self.broad.remove(body);
            result.expect("members are those of the broad phase");
        }
    }

    fn next_change(&mut self, until: f64) -> Option<Change> {
        loop {
            if let Some(change) = self.pending.pop_front() {
                return Some(change);
            }
            if !self.changed.is_empty() && self.now < self.end {
                self.update_changed();
                self.collect();
            } else if until > self.end || self.now >= self.end {
                self.begin_frame();
            } else {
                self.now = self.now.max(until);
                return None;
            }
        }
    }

    fn work(&self) -> SourceWork {
        SourceWork {
            swaps: self.broad.work().swaps,
            ..self.work
        }
    }

    fn validate(&self) {
        self.broad.validate();
    }
}
