//! Stage 4: pairs to contacts.
//!
//! Live pairs are taken in order, a few at a time. The balls of their bodies decide many before a pose or a shape is read. Of the
//! others, those of two polytopes are computed together, which is faster than one by one, the rest through [`query`]. A pair that is
//! known and of which neither body moved keeps its contact.
//!
//! Pairs of small polytopes that are only asked whether they intersect get a [`glance`] first, which reads little. What is left after
//! some of these groups is searched together, as eight searches take as long as one.
//!
//! Each pair writes to its own place only, so the pairs can be shared out among threads; what comes out is put together in
//! the order of the pairs, and is the same for any number of threads.

use super::Compute;
use super::bodies::Bodies;
use super::events::Event;
use super::pairs::LivePair;
use super::threads::Threads;
use crate::body::Pair;
use crate::contact::{Feature, Manifold, Penetration, Separation, SignedDistance, Witness};
use crate::exact::{Counts, count_filters, counts};
use crate::lanes::in_lanes;
use crate::math::Vec3;
use crate::narrow::{
    Caches, GLANCE, GlimpsePair, PairCache, PolytopePair, distance_each, glance,
    intersects_by_search, intersects_each, signed_distance_each,
};
use crate::query;
use crate::shape::{Placed, Polytope, Shape};
use arrayvec::ArrayVec;

/// Two bodies that intersect, or are within the margin.
#[derive(Debug, Clone, PartialEq)]
pub struct Contact {
    /// The two; "first" and "second" below are `pair.a()` and `pair.b()`.
    pub pair: Pair,
    /// What was computed.
    pub finding: Finding,
}

/// What is known about a contact.
#[derive(Debug, Clone, PartialEq)]
pub enum Finding {
    /// They intersect; nothing more was asked for.
    Intersects,
    /// How far they are apart; 0 when they intersect and no depth was asked for, or there is none.
    Separation(Separation),
    /// How deep they overlap.
    Penetration(Penetration),
    /// Where their surfaces meet, when one of them is a mesh or a solid.
    Manifold(Manifold),
}

impl Contact {
    /// Whether the two intersect.
    pub fn intersects(&self) -> bool {
        self.finding.intersects()
    }

    /// The distance, or minus the depth; `None` when only intersecting was asked for.
    pub fn distance(&self) -> Option<f64> {
        match &self.finding {
            Finding::Intersects => None,
            Finding::Separation(near) => Some(near.distance),
            Finding::Penetration(deep) => Some(-deep.depth),
            Finding::Manifold(manifold) => Some(-manifold.depth),
        }
    }

    /// The unit vector along which the second body moves away from the first the quickest; `None` when it is not known.
    pub fn direction(&self) -> Option<Vec3> {
        match &self.finding {
            Finding::Intersects => None,
            Finding::Separation(near) => (near.witness.b - near.witness.a).try_normalize(),
            Finding::Penetration(deep) => Some(deep.direction),
            Finding::Manifold(manifold) => Some(manifold.normal),
        }
    }

    /// The closest points, or the points that leave each other last; for a manifold its first point, twice.
    pub fn witness(&self) -> Option<Witness> {
        match &self.finding {
            Finding::Intersects => None,
            Finding::Separation(near) => Some(near.witness),
            Finding::Penetration(deep) => Some(deep.witness),
            Finding::Manifold(manifold) => manifold.points.first().map(|p| Witness {
                a: p.point,
                b: p.point,
            }),
        }
    }

    /// What the witness points lie on.
    pub fn features(&self) -> Option<[Feature; 2]> {
        match &self.finding {
            Finding::Intersects => None,
            Finding::Separation(near) => Some(near.features),
            Finding::Penetration(deep) => Some(deep.features),
            Finding::Manifold(manifold) => manifold.points.first().map(|p| p.features),
        }
    }
}

impl Finding {
    #[inline]
    fn intersects(&self) -> bool {
        match self {
            Finding::Intersects | Finding::Penetration(_) | Finding::Manifold(_) => true,
            Finding::Separation(near) => near.distance == 0.0,
        }
    }

    /// Whether it is a contact in a world of that margin.
    #[inline]
    fn is_within(&self, margin: f64) -> bool {
        match self {
            Finding::Intersects | Finding::Penetration(_) | Finding::Manifold(_) => true,
            Finding::Separation(near) => near.distance <= margin,
        }
    }
}

/// What contacts are computed from.
#[derive(Debug)]
pub(super) struct Scene<'w> {
    pub(super) bodies: &'w Bodies,
    pub(super) margin: f64,
    pub(super) threads: &'w Threads,
}

/// How much work contacts were.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ContactWork {
    pub(super) computed: usize,
    pub(super) intersecting: usize,
    pub(super) decisions: Counts,
}

/// The contacts of the last update.
#[derive(Debug, Default)]
pub(super) struct ContactStage {
    now: Output,
    /// The contacts of the update before.
    last: Vec<Contact>,
    /// Outputs of parts that are computed side by side.
    parts: Vec<Output>,
}

/// What a run of live pairs gives.
#[derive(Debug, Default)]
struct Output {
    contacts: Vec<Contact>,
    /// Whether some of them are more than that two bodies intersect.
    has_findings: bool,
    /// Whether some live pairs know the places of theirs.
    has_places: bool,
    events: Vec<Event>,
    work: ContactWork,
    /// What the pairs that are computed together gave, by place among them; empty when they are only asked whether they
    /// intersect.
    found: Vec<Option<Finding>>,
    /// Which of them intersect, of those that are asked nothing more: a bit for each place.
    meet: u64,
    /// Which of them were computed, likewise; the others keep their contacts.
    new: u64,
    waiting: Waiting,
}

/// Pairs that were looked at, and are to be concluded when some of them have been searched.
#[derive(Debug, Default)]
struct Waiting {
    /// What is known of each group of pairs, one behind the other.
    groups: ArrayVec<Glanced, GROUPS>,
    /// The numbers of pairs that are to be searched, counted from the first group, in order.
    open: Vec<u16>,
}

/// A group of pairs that are asked nothing but whether they intersect: a bit for each place.
#[derive(Debug, Clone, Copy)]
struct Glanced {
    /// Those that do, of those that were computed.
    meet: u64,
    /// Those that were.
    new: u64,
    /// Those that did before.
    before: u64,
    /// Those of which not all is noted that follows from the answer.
    unknown: u64,
}

/// How many live pairs are computed together.
const TOGETHER: usize = 64;
const _: () = assert!(TOGETHER <= GLANCE);
/// How many groups of them wait for each other: their pairs stay in a near cache.
const GROUPS: usize = 16;
/// How many live pairs ahead balls are asked for.
const AHEAD: usize = 12;
/// How many live pairs a thread takes at a time. Fewer are not worth handing over.
const PART: usize = 512;

impl ContactStage {
    pub(super) fn contacts(&self) -> &[Contact] {
        &self.now.contacts
    }

    /// The events of live pairs, sorted.
    pub(super) fn events(&self) -> &[Event] {
        &self.now.events
    }

    /// Computes the contacts of the live pairs.
    pub(super) fn update(&mut self, scene: &Scene<'_>, live: &mut [LivePair]) -> ContactWork {
        // Who was only asked whether pairs intersect looks nothing up, and writes to memory that is near.
        if self.now.has_findings {
            std::mem::swap(&mut self.now.contacts, &mut self.last);
        }
        self.now.clear();
        if scene.threads.are_many() && live.len() >= 2 * PART {
            self.update_in_parts(scene, live);
        } else {
            self.now.compute(scene, &self.last, live);
        }
        self.now.work
    }

    fn update_in_parts(&mut self, scene: &Scene<'_>, live: &mut [LivePair]) {
        let count = live.len().div_ceil(PART);
        self.parts
            .resize_with(count.max(self.parts.len()), Output::default);
        let last = &self.last;
        scene.threads.for_each(
            live.chunks_mut(PART).zip(&mut self.parts),
            |(live, part)| {
                part.clear();
                part.compute(scene, last, live);
            },
        );
        for (live, part) in live.chunks_mut(PART).zip(&mut self.parts) {
            let first = self.now.contacts.len() as u32;
            if part.has_places {
                for pair in live {
                    if pair.contact != LivePair::NO_CONTACT {
                        pair.contact += first;
                    }
                }
            }
            self.now.append(part);
        }
    }

    pub(super) fn validate(&self) {
        let in_order = |p: &Contact, q: &Contact| p.pair < q.pair;
        assert!(
            self.contacts().is_sorted_by(in_order),
            "contacts are sorted"
        );
        let touching = self.contacts().iter().filter(|c| c.intersects()).count();
        assert_eq!(touching, self.now.work.intersecting, "contacts are counted");
    }
}

impl Output {
    fn clear(&mut self) {
        self.contacts.clear();
        self.has_findings = false;
        self.has_places = false;
        self.events.clear();
        self.work = ContactWork::default();
    }

    fn append(&mut self, part: &mut Output) {
        self.contacts.append(&mut part.contacts);
        self.has_findings |= part.has_findings;
        self.events.append(&mut part.events);
        self.work.computed += part.work.computed;
        self.work.intersecting += part.work.intersecting;
        self.work.decisions = self.work.decisions + part.work.decisions;
    }

    /// Computes a run of live pairs.
    fn compute(&mut self, scene: &Scene<'_>, last: &[Contact], live: &mut [LivePair]) {
        let before = counts();
        let (mut first, mut begin) = (0, 0);
        let mut looks = Looks::at(scene, live);
        while begin < live.len() {
            let end = live.len().min(begin + TOGETHER);
            // What the next ones need is on its way while these are computed.
            let next = Looks::at(scene, &live[end..]);
            if looks.measured == 0 {
                self.glance_at(scene, looks, &mut live[begin..end], begin - first);
            } else {
                self.settle(scene, &mut live[first..begin]);
                self.compute_together(scene, looks, &mut live[begin..end]);
                self.conclude(scene, last, &mut live[begin..end]);
            }
            let is_full = self.waiting.groups.is_full();
            if is_full {
                self.settle(scene, &mut live[first..end]);
            }
            if is_full || looks.measured != 0 {
                first = end;
            }
            (looks, begin) = (next, end);
        }
        self.settle(scene, &mut live[first..]);
        self.work.decisions = counts() - before;
    }

    /// Computes the pairs of a group that need it, but for those that need a search: they wait. `first` is the number of its first one
    /// among those that wait.
    fn glance_at(&mut self, scene: &Scene<'_>, looks: Looks, live: &mut [LivePair], first: usize) {
        let mut glimpses = Glimpses::new();
        let alone = glimpses.gather(scene, looks.open(), live);
        if alone != 0 {
            let others = looks.open() & !alone;
            self.compute_together(scene, looks.without(others), live);
        } else {
            self.work.computed += looks.new.count_ones() as usize;
            (self.meet, self.new) = (looks.meet, looks.new);
            self.found.clear();
        }
        let [meet, apart] = glimpses.decide(live);
        count_filters(u64::from((meet | apart).count_ones()));
        self.waiting.groups.push(Glanced {
            meet: self.meet | meet,
            new: self.new,
            before: looks.before,
            unknown: looks.unknown,
        });
        let open = looks.open() & !(alone | meet | apart);
        let numbers = places_in(open).map(|place| (first + place) as u16);
        self.waiting.open.extend(numbers);
    }

    /// Searches pairs that wait, and concludes all groups that do.
    fn settle(&mut self, scene: &Scene<'_>, live: &mut [LivePair]) {
        let waiting = &mut self.waiting;
        for number in &waiting.open {
            scene.bodies.fetch_placed(live[usize::from(*number)].pair);
        }
        let (mut rest, mut first) = (&mut *live, 0);
        for open in waiting.open.chunks(TOGETHER) {
            let mut batch = ArrayVec::<PolytopePair<'_>, TOGETHER>::new();
            for number in open {
                let place = usize::from(*number);
                let (pair, behind) = std::mem::take(&mut rest)[place - first..]
                    .split_first_mut()
                    .expect("it was there when it was looked at");
                (rest, first) = (behind, place + 1);
                batch.push(scene.bodies.polytopes(pair));
            }
            let groups = &mut waiting.groups;
            intersects_by_search(&mut batch, |k, meets| {
                let number = usize::from(open[k]);
                groups[number / TOGETHER].meet |= u64::from(meets) << (number % TOGETHER);
            });
        }
        waiting.open.clear();
        let groups = std::mem::take(&mut self.waiting.groups);
        for (group, live) in groups.into_iter().zip(live.chunks_mut(TOGETHER)) {
            self.conclude_overlaps(group, live);
        }
    }

    /// Computes the pairs that need it.
    fn compute_together(&mut self, scene: &Scene<'_>, looks: Looks, live: &mut [LivePair]) {
        (self.meet, self.new) = (looks.meet, looks.new);
        self.found.clear();
        if looks.measured != 0 {
            self.found.resize_with(live.len(), || None);
        }
        let open = looks.open();
        let mut batches = [Batch::new(), Batch::new(), Batch::new()];
        // Not by place: the pairs are borrowed for as long as the batches.
        for (place, live) in live.iter_mut().enumerate() {
            if open >> place & 1 == 0 {
                continue;
            }
            let [(a, pose_a), (b, pose_b)] =
                [live.pair.a(), live.pair.b()].map(|body| scene.bodies.placed(body));
            match (polytope_of(a, live.compute), polytope_of(b, live.compute)) {
                (Some(p), Some(q)) => batches[live.compute as usize].push(
                    place,
                    PolytopePair {
                        a: p,
                        pose_a,
                        b: q,
                        pose_b,
                        cache: &mut live.cache,
                    },
                ),
                _ => self.compute_alone(place, live, [a.at(*pose_a), b.at(*pose_b)]),
            }
        }
        self.work.computed += self.new.count_ones() as usize;
        let [mut intersects, mut distances, mut contacts] = batches;
        let (meet, found) = (&mut self.meet, &mut self.found);
        let places = &intersects.places;
        intersects_each(&mut intersects.pairs, |k, meets| {
            *meet |= u64::from(meets) << places[k];
        });
        let places = &distances.places;
        distance_each(&mut distances.pairs, |k, near| {
            found[usize::from(places[k])] = Some(Finding::Separation(near));
        });
        let places = &contacts.places;
        signed_distance_each(&mut contacts.pairs, |k, signed| {
            found[usize::from(places[k])] = Some(Finding::from(signed));
        });
    }

    /// Computes a pair that is not of two polytopes.
    fn compute_alone(&mut self, place: usize, live: &mut LivePair, [a, b]: [Placed<'_>; 2]) {
        let cache = &mut live.cache;
        match live.compute {
            Compute::Intersects => {
                self.meet |= u64::from(query::intersects_with(a, b, cache)) << place;
            }
            Compute::Distances => {
                let near = query::distance_with(a, b, cache);
                self.found[place] = Some(Finding::Separation(near));
            }
            Compute::Contacts => {
                let is_convex = a.shape.is_convex() && b.shape.is_convex();
                self.found[place] = Some(if is_convex {
                    depth_of(a, b, cache)
                } else {
                    manifold_of(a, b, cache)
                });
            }
        }
    }

    /// Writes contacts and events, in order, for pairs that are asked nothing but whether they intersect.
    fn conclude_overlaps(&mut self, group: Glanced, live: &mut [LivePair]) {
        let Glanced {
            before, unknown, ..
        } = group;
        // A pair that was not computed anew intersects if it did.
        let touching = group.meet | (before & !group.new);
        // There is nothing to tell about the others.
        for place in places_in(touching | before | unknown) {
            let live = &mut live[place];
            let is_touching = touching >> place & 1 == 1;
            if is_touching {
                self.contacts.push(Contact {
                    pair: live.pair,
                    finding: Finding::Intersects,
                });
            }
            self.events
                .extend(Event::of(live.pair, live.is_touching, is_touching));
            // Nobody looks up the contact of such a pair. So most of them, which are as they were, are not written to.
            if (live.is_touching != is_touching) | (unknown >> place & 1 == 1) {
                live.contact = LivePair::NO_CONTACT;
                live.is_touching = is_touching;
                live.is_known = true;
            }
        }
        self.work.intersecting += touching.count_ones() as usize;
    }

    /// Writes contacts and events, in order.
    fn conclude(&mut self, scene: &Scene<'_>, last: &[Contact], live: &mut [LivePair]) {
        for (place, live) in live.iter_mut().enumerate() {
            let is_new = self.new >> place & 1 == 1;
            let before = last.get(live.contact as usize);
            live.contact = LivePair::NO_CONTACT;
            let is_touching = if live.compute == Compute::Intersects {
                // A pair that was not computed anew intersects if it did.
                let meets = if is_new {
                    self.meet >> place & 1 == 1
                } else {
                    live.is_touching
                };
                if meets {
                    self.add_contact(live, Finding::Intersects);
                }
                meets
            } else {
                let finding = if is_new {
                    let found = self.found[place].take();
                    found.filter(|found| found.is_within(scene.margin))
                } else {
                    before.map(|contact| contact.finding.clone())
                };
                let is_touching = finding.as_ref().is_some_and(Finding::intersects);
                if let Some(finding) = finding {
                    self.has_findings = true;
                    self.add_contact(live, finding);
                }
                is_touching
            };
            self.events
                .extend(Event::of(live.pair, live.is_touching, is_touching));
            self.work.intersecting += usize::from(is_touching);
            live.is_touching = is_touching;
            live.is_known = true;
        }
    }

    #[inline]
    fn add_contact(&mut self, live: &mut LivePair, finding: Finding) {
        live.contact = self.contacts.len() as u32;
        self.has_places = true;
        let pair = live.pair;
        self.contacts.push(Contact { pair, finding });
    }
}

/// What a first look at some pairs tells, by the balls of their bodies alone: a bit for each place.
#[derive(Debug, Clone, Copy, Default)]
struct Looks {
    /// Those whose last answer, if there is one, may not stand.
    new: u64,
    /// Those of them that are too far apart for a contact.
    far: u64,
    /// Those of them that are only asked whether they intersect, and do.
    meet: u64,
    /// Those that are asked more than that, whether anew or not.
    measured: u64,
    /// Those that intersected at the last update, and those that were not looked at, or have more to forget of it than that: noted
    /// here, where they are read anyway.
    before: u64,
    unknown: u64,
}

impl Looks {
    /// Looks at the first pairs of a list, and asks for what has to be read of those that are left. Without a branch for a pair: nobody can
    /// foresee what balls tell.
    #[inline]
    fn at(scene: &Scene<'_>, live: &[LivePair]) -> Looks {
        let mut looks = Looks::default();
        // Without an end to the margin, all pairs of boxes are contacts.
        let may_be_far = scene.margin.is_finite();
        for (place, pair) in live.iter().take(TOGETHER).enumerate() {
            if let Some(later) = live.get(place + AHEAD) {
                scene.bodies.fetch_slots(later.pair);
            }
            let [a, b] = [pair.pair.a(), pair.pair.b()].map(|body| scene.bodies.slot(body));
            let is_new = scene.bodies.have_moved(a, b) | !pair.is_known;
            let is_measured = pair.compute != Compute::Intersects;
            let balls = a.stance().against(b.stance());
            looks.new |= u64::from(is_new) << place;
            looks.far |= u64::from(balls.are_apart & (may_be_far | !is_measured)) << place;
            looks.meet |= u64::from(balls.meet & !is_measured) << place;
            looks.measured |= u64::from(is_measured) << place;
            let is_unknown = !pair.is_known | (pair.contact != LivePair::NO_CONTACT);
            looks.before |= u64::from(pair.is_touching) << place;
            looks.unknown |= u64::from(is_unknown) << place;
        }
        looks.far &= looks.new;
        looks.meet &= looks.new;
        count_filters(u64::from((looks.far | looks.meet).count_ones()));
        for place in places_in(looks.open()) {
            scene.bodies.fetch(live[place].pair);
        }
        looks
    }

    /// Those that have to be computed.
    #[inline]
    fn open(&self) -> u64 {
        self.new & !(self.far | self.meet)
    }

    /// The same, but some of those that have to be computed are taken for computed.
    #[inline]
    fn without(mut self, some: u64) -> Looks {
        self.far |= some;
        self
    }
}

/// The places whose bits are set, in order.
#[inline]
fn places_in(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = bits.trailing_zeros() as usize;
        let is_there = bits != 0;
        bits &= bits.wrapping_sub(1);
        is_there.then_some(place)
    })
}

/// The depth of two convex shapes, or how far they are apart.
fn depth_of(a: Placed<'_>, b: Placed<'_>, cache: &mut PairCache) -> Finding {
    match query::penetration_with(a, b, cache) {
        Ok(Some(deep)) => Finding::Penetration(deep),
        // Apart, or without a depth.
        Ok(None) | Err(_) => Finding::Separation(query::distance_with(a, b, cache)),
    }
}

/// Where the surface of a mesh meets another shape, or how far the two are apart: 0 for a shape inside a solid.
fn manifold_of(a: Placed<'_>, b: Placed<'_>, cache: &mut PairCache) -> Finding {
    let near = query::distance_with(a, b, cache);
    let is_meeting = near.distance <= 0.0;
    let manifold = is_meeting.then(|| query::manifold(a, b).ok().flatten());
    match manifold.flatten() {
        Some(manifold) => Finding::Manifold(manifold),
        None => Finding::Separation(near),
    }
}

/// The polytope that a shape is when it is to be computed together with others: a box has its own names for its features.
fn polytope_of(shape: &Shape, compute: Compute) -> Option<&Polytope> {
    let has_own_names = matches!(shape, Shape::Cuboid(_));
    let polytope = shape.as_polytope();
    polytope.filter(|_| compute == Compute::Intersects || !has_own_names)
}

impl From<SignedDistance> for Finding {
    fn from(found: SignedDistance) -> Finding {
        match found {
            SignedDistance::Apart(near) => Finding::Separation(near),
            SignedDistance::Overlapping(deep) => Finding::Penetration(deep),
        }
    }
}

/// Pairs of small polytopes that get a glance, and their places.
struct Glimpses<'w> {
    places: ArrayVec<u8, TOGETHER>,
    pairs: ArrayVec<GlimpsePair<'w>, TOGETHER>,
}

impl<'w> Glimpses<'w> {
    /// None yet; memory that is not written to beforehand.
    #[inline(always)]
    fn new() -> Glimpses<'w> {
        Glimpses {
            places: ArrayVec::new(),
            pairs: ArrayVec::new(),
        }
    }

    /// Takes those pairs of a group that are of two small polytopes, and returns the others.
    #[inline(always)]
    fn gather(&mut self, scene: &Scene<'w>, open: u64, live: &[LivePair]) -> u64 {
        let mut alone = 0;
        for place in places_in(open) {
            match scene.bodies.glimpses(live[place].pair) {
                Some(pair) => {
                    self.places.push(place as u8);
                    self.pairs.push(pair);
                }
                None => alone |= 1 << place,
            }
        }
        alone
    }

    /// Looks at them: the places of those that intersect, and of those that do not.
    #[inline(always)]
    fn decide(&self, live: &mut [LivePair]) -> [u64; 2] {
        let mut caches = LiveCaches {
            places: &self.places,
            live,
        };
        let found = in_lanes!(simd => glance(simd, &self.pairs, &mut caches));
        [found.meet, found.apart].map(|bits| {
            let places = places_in(bits).map(|k| self.places[k]);
            places.fold(0, |bits, place| bits | 1 << place)
        })
    }
}

/// What is remembered about live pairs at some places.
struct LiveCaches<'w> {
    places: &'w [u8],
    live: &'w mut [LivePair],
}

impl Caches for LiveCaches<'_> {
    #[inline(always)]
    fn of(&mut self, place: usize) -> &mut PairCache {
        &mut self.live[usize::from(self.places[place])].cache
    }
}

/// Pairs of polytopes that are computed together, and their places.
struct Batch<'w> {
    places: ArrayVec<u8, TOGETHER>,
    pairs: ArrayVec<PolytopePair<'w>, TOGETHER>,
}

impl<'w> Batch<'w> {
    /// None yet; memory that is not written to beforehand.
    #[inline(always)]
    fn new() -> Batch<'w> {
        Batch {
            places: ArrayVec::new(),
            pairs: ArrayVec::new(),
        }
    }

    fn push(&mut self, place: usize, pair: PolytopePair<'w>) {
        pair.fetch();
        self.places.push(place as u8);
        self.pairs.push(pair);
    }
}
