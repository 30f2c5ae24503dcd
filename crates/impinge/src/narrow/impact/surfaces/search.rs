//! The search for the first pair of pieces that touch.

use super::Meeting;
use super::contest::Contest;
use super::pieces::Pieces;
use super::queue::{Entry, Queue};
use super::span::{MovingBox, Span};
use super::window;
use crate::error::Error;
use crate::lanes::in_lanes;
use crate::math::Interval;
use crate::narrow::mesh::leaves::{Blocks, PAIRS};
use crate::narrow::mesh::overlap::lanes_of;
use crate::shape::{BLOCK, Block, Child, Node, Slot};
use fearless_simd::Simd;

/// A search among the pieces of two surfaces.
#[derive(Debug)]
pub(super) struct Search<'m, 'a> {
    pub(super) contest: Contest<'m, 'a>,
    spans: Vec<Span>,
    queue: Queue,
}

/// A span is divided where what its length adds to a box is more than this share of the size of the larger of two.
const COARSE: f32 = 0.25;
/// The same for leaves, where it is triangles that are searched for nothing.
const COARSE_LEAVES: f32 = 1.0 / 32.0;
/// The most spans. Beyond that the bodies turn so often, so close to each other, that nothing can be said.
const MAX_SPANS: usize = 1 << 18;

impl<'m, 'a> Search<'m, 'a> {
    pub(super) fn new(meeting: &'m Meeting<'a>, tolerance: f64) -> Search<'m, 'a> {
        Search {
            contest: Contest::new(meeting, tolerance),
            spans: Vec::new(),
            queue: Queue::new(),
        }
    }

    /// Searches some time, before which the surfaces are apart.
    pub(super) fn run(&mut self, during: Interval) -> Result<(), Error> {
        let Some(root) = self.add_span(during)? else {
            return self.contest.visit_all(during);
        };
        self.queue
            .push(Entry::new(during.lower, Slot::ROOT, Slot::ROOT, root));
        in_lanes!(simd => self.open_all(simd))
    }

    /// Adds a span and returns its number; `None` for numbers of extreme size.
    fn add_span(&mut self, time: Interval) -> Result<Option<u32>, Error> {
        let [a, b] = &self.contest.meeting.travellers;
        if !self.contest.meeting.pieces.iter().all(Pieces::is_ordinary) {
            return Ok(None);
        }
        let span = Span::new(a, b, time)?;
        Ok(span.map(|span| {
            self.spans.push(span);
            self.spans.len() as u32 - 1
        }))
    }

    #[inline(always)]
    fn open_all<S: Simd>(&mut self, simd: S) -> Result<(), Error> {
        while let Some(entry) = self.queue.pop() {
            if entry.time() > self.contest.limit() {
                break;
            }
            if self.spans.len() > MAX_SPANS {
                self.contest.give_up(entry.time());
                break;
            }
            self.open(simd, &entry)?;
        }
        Ok(())
    }

    #[inline(always)]
    fn open<S: Simd>(&mut self, simd: S, entry: &Entry) -> Result<(), Error> {
        let [a, b] = &self.contest.meeting.pieces;
        let (box_a, child_a) = a.opened(entry.a);
        let (box_b, child_b) = b.opened(entry.b);
        let span = &self.spans[entry.span as usize];
        let moving = span.from_a.moving(&box_b, b.radius());
        let (size_a, size_b) = (box_a.size(), box_b.size() * span.ratio);
        let share = match (child_a, child_b) {
            (Some(Child::Block(_)), None | Some(Child::Block(_))) => COARSE_LEAVES,
            _ => COARSE,
        };
        let size = size_a.max(size_b) + moving.slack - moving.shrinking;
        if moving.shrinking > share * size && span.is_divisible() {
            return self.divide(entry);
        }
        let opened = match (child_a, child_b) {
            (Some(Child::Node(p)), None | Some(Child::Block(_))) => Opened::First(p),
            (Some(Child::Node(p)), Some(Child::Node(_))) if size_a >= size_b => Opened::First(p),
            (_, Some(Child::Node(q))) => Opened::Second(q),
            (Some(Child::Block(p)), Some(Child::Block(q))) => {
                return self.visit_leaves(simd, entry, &moving, [p, q]);
            }
            (Some(Child::Block(p)), None) => return self.visit_leaf(simd, entry, &moving, p),
            (None, _) => return Ok(()),
        };
        let moving = match opened {
            Opened::First(_) => moving,
            Opened::Second(_) => span.from_b.moving(&box_a, 0.0),
        };
        self.compare(simd, entry, &moving, opened);
        Ok(())
    }

    /// Puts the boxes of a node that may touch the moving one into the queue.
    #[inline(always)]
    fn compare<S: Simd>(&mut self, simd: S, entry: &Entry, moving: &MovingBox, opened: Opened) {
        let (side, number) = match opened {
            Opened::First(number) => (0, number),
            Opened::Second(number) => (1, number),
        };
        let Some(surface) = self.contest.meeting.pieces[side].surface() else {
            return;
        };
        let mut made = Node::NEW;
        let (entries, lanes) = window::boxes(simd, moving, surface.node(number, &mut made));
        for lane in lanes_of(lanes) {
            let time = self.time_of(entry, entries[lane]);
            if time <= self.contest.limit() {
                let slot = Slot::new(number, lane);
                let [a, b] = match opened {
                    Opened::First(_) => [slot, entry.b],
                    Opened::Second(_) => [entry.a, slot],
                };
                self.queue.push(Entry::new(time, a, b, entry.span));
            }
        }
    }

    /// The time of a share of half the span of an entry, which is not before that of the entry itself.
    #[inline(always)]
    fn time_of(&self, entry: &Entry, share: f32) -> f64 {
        let span = &self.spans[entry.span as usize];
        span.time_at(share).max(entry.time())
    }

    /// Lets a pair of boxes wait for the two halves of its span.
    #[cold]
    fn divide(&mut self, entry: &Entry) -> Result<(), Error> {
        let span = self.spans[entry.span as usize];
        let halves = match span.halves {
            Some(first) => [first, first + 1],
            None => {
                let mut numbers = [0; 2];
                for (number, time) in numbers.iter_mut().zip(span.divided()) {
                    match self.add_span(time)? {
                        Some(added) => *number = added,
                        None => return self.contest.visit_all(span.time),
                    }
                }
                self.spans[entry.span as usize].halves = Some(numbers[0]);
                numbers
            }
        };
        for half in halves {
            let Interval { lower, upper } = self.spans[half as usize].time;
            if upper >= entry.time() && lower <= self.contest.limit() {
                let time = lower.max(entry.time());
                self.queue.push(Entry::new(time, entry.a, entry.b, half));
            }
        }
        Ok(())
    }

    /// Searches the triangles of two leaves.
    #[inline(always)]
    fn visit_leaves<S: Simd>(
        &mut self,
        simd: S,
        entry: &Entry,
        moving: &MovingBox,
        [p, q]: [u32; 2],
    ) -> Result<(), Error> {
        let [Some(a), Some(b)] = self.contest.meeting.pieces.each_ref().map(Pieces::surface) else {
            return Ok(());
        };
        let mut made = [Block::NEW; 2];
        let [made_a, made_b] = &mut made;
        let (p, q) = (a.block(p, made_a), b.block(q, made_b));
        let into_a = &self.spans[entry.span as usize].from_a.into;
        let (entries, mut bits) = window::triangles(&Blocks::new(simd, p, q, into_a), moving);
        bits &= full_pairs(p.distinct().len(), q.distinct().len());
        while let Some(first) = earliest(&entries, bits) {
            bits &= !(1 << first);
            let pieces = [p.triangles[first / BLOCK], q.triangles[first % BLOCK]];
            self.visit(entry, entries[first], pieces)?;
        }
        Ok(())
    }

    /// Searches the triangles of a leaf and the convex shape.
    #[inline(always)]
    fn visit_leaf<S: Simd>(
        &mut self,
        simd: S,
        entry: &Entry,
        moving: &MovingBox,
        p: u32,
    ) -> Result<(), Error> {
        let Some(surface) = self.contest.meeting.pieces[0].surface() else {
            return Ok(());
        };
        let mut made = Block::NEW;
        let block = surface.block(p, &mut made);
        let (entries, mut bits) = window::triangles_and_box(simd, block, moving);
        bits &= (1 << block.distinct().len()) - 1;
        while let Some(first) = earliest(&entries, bits) {
            bits &= !(1 << first);
            self.visit(entry, entries[first], [block.triangles[first], 0])?;
        }
        Ok(())
    }

    /// Searches two pieces from a share of half the span of an entry on.
    #[inline(never)]
    fn visit(&mut self, entry: &Entry, share: f32, pieces: [u32; 2]) -> Result<(), Error> {
        let end = self.spans[entry.span as usize].time.upper;
        let during = Interval {
            lower: self.time_of(entry, share),
            upper: end,
        };
        self.contest.visit(during, pieces)
    }
}

/// The node that is opened, of the first surface or of the second.
#[derive(Debug, Clone, Copy)]
enum Opened {
    First(u32),
    Second(u32),
}

/// The pair, among those whose bits are set, that may touch first.
#[inline(always)]
fn earliest(entries: &[f32], bits: u32) -> Option<usize> {
    lanes_of(bits).min_by(|p, q| entries[*p].total_cmp(&entries[*q]))
}

/// The bits of pairs of triangles that are not repeated.
fn full_pairs(of_a: usize, of_b: usize) -> u32 {
    let row = (1 << of_b) - 1;
    (0..of_a).fold(0, |bits, triangle| bits | row << (BLOCK * triangle))
}

const _: () = assert!(PAIRS <= 32);
