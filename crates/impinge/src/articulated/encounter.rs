//! From pairs of parts whose boxes overlap to those that touch.
//!
//! 1. Boxes along the axes of the world: the pairs of one body that are looked at are gone through one by one, or, when there
//!    are many, down the tree; those of two bodies always down their trees.
//! 2. Boxes in the frames of the parts, and the hulls of few vertices inside of them ([`Volume`]): a
//!    certain no, and a certain yes. Boxes of many frames are compared in lanes ([`sieve`](super::sieve)).
//! 3. The parts as they are. Polytopes are computed many together, which is faster than one by one; all else through [`query`].
//!
//! Each pair of parts remembers what was found the last time. **Cost.** What is remembered grows with the number of different
//! pairs that ever came to step 2.

use super::hierarchy::Fitted;
use super::linkage::{Linkage, PartId};
use super::sieve::Sieve;
use super::volume::Volume;
use crate::broad::KeyMap;
use crate::math::{Aabb, Pose};
use crate::narrow::{PairCache, PolytopePair, intersects_each};
use crate::query;
use crate::shape::{Polytope, Shape};
use arrayvec::ArrayVec;

/// Two parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartPair {
    /// A part of the first body; of one body alone, the smaller of the two.
    pub a: PartId,
    /// A part of the second body; of one body alone, the larger of the two.
    pub b: PartId,
}

impl PartPair {
    fn key(self) -> u64 {
        u64::from(self.a.0) << 32 | u64::from(self.b.0)
    }
}

/// The parts of a body in one frame or in several.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side<'a> {
    pub(super) linkage: &'a Linkage,
    /// For each frame the poses of all parts.
    pub(super) frames: &'a [&'a [Pose]],
}

impl<'a> Side<'a> {
    #[inline]
    fn pose(&self, frame: u32, part: PartId) -> &'a Pose {
        &self.frames[frame as usize][part.index()]
    }

    #[inline]
    fn shape(&self, part: PartId) -> &'a Shape {
        self.linkage.part(part).shape()
    }

    #[inline]
    fn volume(&self, part: PartId) -> &'a Volume {
        &self.linkage.volumes[part.index()]
    }

    /// A part as a polytope: some of its vertices, or all.
    #[inline]
    fn polytope(&self, part: PartId, detail: Detail) -> Option<&'a Polytope> {
        let whole = self.shape(part).as_polytope()?;
        Some(match detail {
            Detail::Inner => self.volume(part).inner(whole),
            Detail::Whole => whole,
        })
    }
}

/// How closely parts are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Detail {
    Inner,
    Whole,
}

/// A pair of parts that may touch, in one of several frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Candidate {
    pub(super) frame: u32,
    pub(super) pair: PartPair,
}

/// What is remembered of the parts of two bodies, and room to work in.
#[derive(Debug, Clone, Default)]
pub(super) struct Memory {
    /// For each pair that was ever met its place in `caches`, plus one.
    places: KeyMap,
    caches: Vec<PairCache>,
    stack: Vec<[u32; 2]>,
    /// The boxes of the nodes of a tree.
    nodes: Vec<Aabb>,
    sieve: Sieve,
    candidates: Vec<Candidate>,
    /// Those that touch.
    found: Vec<Candidate>,
    contacts: Vec<PartPair>,
}

/// How many pairs are computed together: a bit of a word for each.
const TOGETHER: usize = 64;

impl Memory {
    /// Forgets the candidates of before.
    pub(super) fn start(&mut self) {
        self.candidates.clear();
        self.found.clear();
    }

    /// Collects the pairs of parts of two bodies that may touch.
    pub(super) fn collect_between(&mut self, sides: [Side<'_>; 2], fitted: [Fitted<'_>; 2]) {
        let candidates = &mut self.candidates;
        fitted[0].for_each_pair(&fitted[1], &mut self.stack, |a, b| {
            push_if_near(candidates, sides, 0, PartPair { a, b });
        });
    }

    /// Collects the pairs of parts of one body, of those listed, that may touch in some frame.
    pub(super) fn collect_listed(&mut self, side: Side<'_>, listed: &[PartPair]) {
        self.sieve
            .sift(side.linkage, listed, side.frames, &mut self.candidates);
    }

    /// Collects the pairs of parts of one body that may touch and should not, in a frame.
    pub(super) fn collect_within(&mut self, side: Side<'_>, frame: u32, boxes: &[Aabb]) {
        let candidates = &mut self.candidates;
        let mut push = |pair| push_if_near(candidates, [side; 2], frame, pair);
        if let Some(listed) = side.linkage.rules.listed() {
            for pair in listed {
                if boxes[pair.a.index()].overlaps(&boxes[pair.b.index()]) {
                    push(*pair);
                }
            }
            return;
        }
        let tree = &side.linkage.hierarchy;
        tree.refit(boxes, &mut self.nodes);
        let fitted = Fitted {
            tree,
            boxes: &self.nodes,
        };
        fitted.for_each_own_pair(&mut self.stack, |p, q| {
            if side.linkage.may_meet(p, q) {
                push(PartPair {
                    a: p.min(q),
                    b: p.max(q),
                });
            }
        });
    }

    /// Decides all candidates, and gives the pairs of the only frame that touch, sorted.
    pub(super) fn contacts(&mut self, sides: [Side<'_>; 2]) -> &[PartPair] {
        self.decide_all(sides);
        self.contacts.clear();
        let pairs = self.found.iter().map(|found| found.pair);
        self.contacts.extend(pairs);
        &self.contacts
    }

    /// Decides all candidates, and visits each frame with the pairs that touch, sorted.
    pub(super) fn contacts_each(
        &mut self,
        side: Side<'_>,
        mut visit: impl FnMut(usize, &[PartPair]),
    ) {
        self.decide_all([side; 2]);
        let mut rest = self.found.as_slice();
        for frame in 0..side.frames.len() as u32 {
            // Few pairs touch: those of a frame are the next ones, if there are any.
            let is_now = |found: &&Candidate| found.frame == frame;
            let count = rest.iter().take_while(is_now).count();
            let (now, later) = rest.split_at(count);
            self.contacts.clear();
            self.contacts.extend(now.iter().map(|found| found.pair));
            visit(frame as usize, &self.contacts);
            rest = later;
        }
    }

    /// Whether any candidate touches.
    pub(super) fn is_any(&mut self, sides: [Side<'_>; 2]) -> bool {
        let mut firsts = (0..self.candidates.len()).step_by(TOGETHER);
        firsts.any(|first| {
            self.decide_some(sides, first);
            !self.found.is_empty()
        })
    }

    fn decide_all(&mut self, sides: [Side<'_>; 2]) {
        for first in (0..self.candidates.len()).step_by(TOGETHER) {
            self.decide_some(sides, first);
        }
        self.found.sort_unstable();
    }

    /// Decides the candidates from `first` on, at most [`TOGETHER`], and keeps those that touch.
    fn decide_some(&mut self, sides: [Side<'_>; 2], first: usize) {
        let end = self.candidates.len().min(first + TOGETHER);
        let some = &self.candidates[first..end];
        let mut places = ArrayVec::<usize, TOGETHER>::new();
        let mut caches = ArrayVec::<PairCache, TOGETHER>::new();
        for candidate in some {
            let place = place_of(&mut self.places, &mut self.caches, candidate.pair);
            places.push(place);
            caches.push(self.caches[place]);
        }
        let touching = decide(sides, some, &mut caches);
        let is_touching = |number: &usize| touching >> number & 1 != 0;
        let numbers = (0..some.len()).filter(is_touching);
        self.found.extend(numbers.map(|number| some[number]));
        for (place, cache) in places.into_iter().zip(caches) {
            self.caches[place] = cache;
        }
    }
}

/// Adds a pair whose boxes along the axes overlap, unless those in the frames of the parts are apart.
#[inline]
fn push_if_near(candidates: &mut Vec<Candidate>, sides: [Side<'_>; 2], frame: u32, pair: PartPair) {
    let [a, b] = [sides[0].volume(pair.a), sides[1].volume(pair.b)];
    let [pose_a, pose_b] = [sides[0].pose(frame, pair.a), sides[1].pose(frame, pair.b)];
    if !a.are_apart(pose_a, b, pose_b) {
        candidates.push(Candidate { frame, pair });
    }
}

/// Which candidates touch, a bit each.
fn decide(sides: [Side<'_>; 2], some: &[Candidate], caches: &mut [PairCache]) -> u64 {
    let (mut polytopes, mut with_inner, mut touching) = (0, 0, 0);
    for (number, (candidate, cache)) in some.iter().zip(&mut *caches).enumerate() {
        let Candidate { frame, pair } = *candidate;
        let [shape_a, shape_b] = [sides[0].shape(pair.a), sides[1].shape(pair.b)];
        let bit = 1_u64 << number;
        if shape_a.as_polytope().is_some() && shape_b.as_polytope().is_some() {
            polytopes |= bit;
            let names = inner_names(sides, pair);
            with_inner |= if names == [None; 2] { 0 } else { bit };
        } else {
            let a = shape_a.at(*sides[0].pose(frame, pair.a));
            let b = shape_b.at(*sides[1].pose(frame, pair.b));
            touching |= u64::from(query::intersects_with(a, b, cache)) << number;
        }
    }
    touching |= meeting(sides, some, caches, Detail::Inner, polytopes);
    let open = with_inner & !touching;
    if open == 0 {
        return touching;
    }
    // Where the hulls inside are apart is where to look first.
    let begin = |(candidate, inner): (&Candidate, &PairCache)| {
        inner.renamed(inner_names(sides, candidate.pair))
    };
    let mut begins: ArrayVec<PairCache, TOGETHER> = some.iter().zip(&*caches).map(begin).collect();
    touching | meeting(sides, some, &mut begins, Detail::Whole, open)
}

/// For each vertex of the hulls inside two parts that of the part; `None` where they are the same.
fn inner_names<'a>(sides: [Side<'a>; 2], pair: PartPair) -> [Option<&'a [u32]>; 2] {
    let [a, b] = [sides[0].volume(pair.a), sides[1].volume(pair.b)];
    [a.inner_names(), b.inner_names()]
}

/// Which of the candidates that are asked for, all polytopes, touch; a bit each.
fn meeting(
    [a, b]: [Side<'_>; 2],
    some: &[Candidate],
    caches: &mut [PairCache],
    detail: Detail,
    asked: u64,
) -> u64 {
    let mut numbers = ArrayVec::<u8, TOGETHER>::new();
    let mut batch = ArrayVec::<PolytopePair<'_>, TOGETHER>::new();
    for (number, (candidate, cache)) in some.iter().zip(caches).enumerate() {
        let Candidate { frame, pair } = *candidate;
        let polytopes = (a.polytope(pair.a, detail), b.polytope(pair.b, detail));
        if let ((Some(p), Some(q)), 1) = (polytopes, asked >> number & 1) {
            numbers.push(number as u8);
            batch.push(PolytopePair {
                a: p,
                pose_a: a.pose(frame, pair.a),
                b: q,
                pose_b: b.pose(frame, pair.b),
                cache,
            });
        }
    }
    let mut meeting = 0;
    intersects_each(&mut batch, |k, meet| {
        meeting |= u64::from(meet) << numbers[k];
    });
    meeting
}

/// The place of what is remembered of a pair.
fn place_of(places: &mut KeyMap, caches: &mut Vec<PairCache>, pair: PartPair) -> usize {
    let next = caches.len() as u32 + 1;
    let [_, number] = places.change(pair.key(), |known| if known == 0 { next } else { known });
    if number == next {
        caches.push(PairCache::default());
    }
    number as usize - 1
}
