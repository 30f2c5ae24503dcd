//! Two placed meshes, solids or not.

use super::distance::{Best, Goal, Search};
use super::frame::Frames;
use super::inside::part_inside;
use super::overlap::find_meeting;
use super::side::Side;
use super::triangles::{Part, common_point};
use crate::contact::{Feature, Separation};
use crate::exact::{count_filter, triangles_intersect};
use crate::lanes::in_lanes;
use crate::narrow::cache::{Last, PairCache};

/// Two meshes, of which either may be a solid.
#[derive(Debug, Clone, Copy)]
pub(super) struct MeshPair<'a> {
    pub(super) a: Side<'a>,
    pub(super) b: Side<'a>,
}

/// A triangle of one mesh inside the other, which is a solid.
pub(super) enum Contained {
    First(u32),
    Second(u32),
}

impl<'a> MeshPair<'a> {
    /// Whether the distance is at most `gap`, finite and not negative; `None` for numbers of extreme size.
    pub(super) fn within(&self, gap: f64, cache: &mut PairCache) -> Option<bool> {
        let frames = self.frames()?;
        let is_near = if gap > 0.0 {
            self.is_within(&frames, gap, cache)
        } else {
            self.meeting(&frames, cache).is_some()
        };
        count_filter();
        Some(is_near || self.contained().is_some())
    }

    /// How far they are apart; `None` for numbers of extreme size.
    pub(super) fn distance(&self, goal: Goal, cache: &mut PairCache) -> Option<Separation> {
        let frames = self.frames()?;
        let last = self.last_pair(cache);
        if let Some(pair) = self.meeting(&frames, cache) {
            return Some(self.meeting_at(pair));
        }
        if let Some(contained) = self.contained() {
            return Some(self.holding(&contained));
        }
        let best = self.search(&frames, goal, last).best?;
        cache.keep_triangles(best.pair, Last::Apart);
        Some(self.apart(&best, goal))
    }

    fn frames(&self) -> Option<Frames> {
        Frames::new(&self.a.frame(), &self.b.frame())
    }

    /// The pair that was closest, or met, last time.
    fn last_pair(&self, cache: &PairCache) -> Option<[u32; 2]> {
        let pair = cache.triangles()?;
        (self.a.has(pair[0]) && self.b.has(pair[1])).then_some(pair)
    }

    fn do_meet(&self, [p, q]: [u32; 2]) -> bool {
        triangles_intersect(&self.a.placed(p), &self.b.placed(q))
    }

    /// Two triangles that share a point.
    fn meeting(&self, frames: &Frames, cache: &mut PairCache) -> Option<[u32; 2]> {
        let met = cache.last == Last::Overlapping;
        let last = self
            .last_pair(cache)
            .filter(|pair| met && self.do_meet(*pair));
        let pair = last.or_else(|| in_lanes!(simd => find_meeting(simd, &self.a, &self.b, frames)));
        match pair {
            Some(pair) => cache.keep_triangles(pair, Last::Overlapping),
            None => cache.last = Last::Apart,
        }
        pair
    }

    /// Searches, from the closest pair of last time on.
    fn search(&self, frames: &Frames, goal: Goal, last: Option<[u32; 2]>) -> Search<'a> {
        let mut search = Search::new(self.a, self.b, *frames, goal);
        if let Some(pair) = last {
            search.visit(pair);
        }
        if !search.is_within {
            in_lanes!(simd => search.run(simd));
        }
        search
    }

    /// Whether two triangles are no farther apart than a gap.
    fn is_within(&self, frames: &Frames, gap: f64, cache: &mut PairCache) -> bool {
        let last = self.last_pair(cache);
        let search = self.search(frames, Goal::Within(gap), last);
        if let Some(best) = &search.best {
            cache.keep_triangles(best.pair, Last::Apart);
        }
        search.is_within
    }

    /// The answer if one holds a part of the other.
    pub(super) fn held(&self) -> Option<Separation> {
        let contained = self.contained()?;
        Some(self.holding(&contained))
    }

    pub(super) fn contained(&self) -> Option<Contained> {
        let MeshPair { a, b } = self;
        let first = b.is_solid.then(|| part_inside(a, b)).flatten();
        let second = || a.is_solid.then(|| part_inside(b, a)).flatten();
        first
            .map(Contained::First)
            .or_else(|| second().map(Contained::Second))
    }

    pub(super) fn meeting_at(&self, [p, q]: [u32; 2]) -> Separation {
        let (point, [on_a, on_b]) = common_point(&self.a.placed(p), &self.b.placed(q));
        let features = [self.a.feature(p, on_a), self.b.feature(q, on_b)];
        Separation::meeting_at(point, features)
    }

    pub(super) fn holding(&self, contained: &Contained) -> Separation {
        match contained {
            Contained::First(p) => {
                let on_a = self.a.feature(*p, Part::Corner(0));
                Separation::meeting_at(self.a.placed(*p)[0], [on_a, Feature::Inside])
            }
            Contained::Second(q) => {
                let on_b = self.b.feature(*q, Part::Corner(0));
                Separation::meeting_at(self.b.placed(*q)[0], [Feature::Inside, on_b])
            }
        }
    }

    fn apart(&self, best: &Best, goal: Goal) -> Separation {
        let ([p, q], [on_a, on_b]) = (best.pair, best.near.parts);
        let bounds = best.bounds(goal);
        let features = [self.a.feature(p, on_a), self.b.feature(q, on_b)];
        Separation::apart(bounds.lower, &bounds, best.near.witness, features)
    }
}
