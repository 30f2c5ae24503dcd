//! Stage 3: boxes to pairs. The pairs whose boxes overlap, sorted, with what is remembered of each.
//!
//! The broad phase tells what began and ended; here the two are merged into the list of live pairs. A pair that a filter
//! or a rule keeps out is in a list of its own, by name only, so that it can come back while its boxes overlap. Parts of one
//! articulated body that may always meet, as neighbours do, are in neither.

use super::Compute;
use super::articulations::Articulations;
use super::bodies::Bodies;
use super::rules::Rules;
use crate::body::Pair;
use crate::broad::{BroadPhase, PairChanges};
use crate::narrow::PairCache;

/// A pair whose boxes overlap and that is looked at.
#[derive(Debug, Clone, Copy)]
pub(super) struct LivePair {
    pub(super) pair: Pair,
    pub(super) cache: PairCache,
    /// The place of its last contact among the last contacts; [`LivePair::NO_CONTACT`] if it had none.
    pub(super) contact: u32,
    pub(super) compute: Compute,
    /// Whether it was looked at, in the same way, at the last update.
    pub(super) is_known: bool,
    /// Whether it intersected then.
    pub(super) is_touching: bool,
}

impl LivePair {
    pub(super) const NO_CONTACT: u32 = u32::MAX;

    fn new(pair: Pair, compute: Compute) -> LivePair {
        LivePair {
            pair,
            cache: PairCache::default(),
            contact: LivePair::NO_CONTACT,
            compute,
            is_known: false,
            is_touching: false,
        }
    }

    /// Takes note of what is computed from now on.
    fn set_compute(&mut self, compute: Compute) {
        if compute != self.compute {
            self.compute = compute;
            self.is_known = false;
        }
    }
}

/// What holds for pairs without a rule of their own.
#[derive(Debug, Clone, Copy)]
pub(super) struct Meetings<'w> {
    pub(super) bodies: &'w Bodies,
    pub(super) articulations: &'w Articulations,
    /// What is computed.
    pub(super) usual: Compute,
}

impl Meetings<'_> {
    /// What the application wants of a pair for now: what to compute, or `None` when it is not to be looked at.
    fn wanted(self, rules: &Rules, pair: Pair) -> Option<Compute> {
        let rule = rules.of(pair);
        let is_active = rule.is_active && self.bodies.may_meet(pair);
        is_active.then(|| rule.compute.unwrap_or(self.usual))
    }
}

/// The pairs whose boxes overlap, but for parts that may always meet.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    /// Those that are looked at, sorted.
    live: Vec<LivePair>,
    /// The others, sorted.
    idle: Vec<Pair>,
    /// Those that came: to be looked at, and not.
    came: Vec<LivePair>,
    came_idle: Vec<Pair>,
    /// Memory for the next lists.
    next: Vec<LivePair>,
    next_idle: Vec<Pair>,
    changes: PairChanges,
    /// The pairs that were touching when they ended, or when they were no longer looked at.
    ended: Vec<Pair>,
}

impl Pairs {
    /// Brings the live pairs up to date with the boxes.
    pub(super) fn update(
        &mut self,
        broad: &mut dyn BroadPhase,
        rules: &mut Rules,
        meetings: Meetings<'_>,
    ) {
        broad.collect(&mut self.changes);
        self.ended.clear();
        if rules.take_change() {
            // The bodies of a pair that ended may be gone; it is dropped below.
            self.apply(rules, meetings);
        }
        if self.changes.is_empty() {
            return;
        }
        // Parts of one body that its linkage lets meet always may: they never come back.
        let articulations = meetings.articulations;
        let began = self.changes.began.iter();
        for pair in began.filter(|pair| articulations.may_meet(**pair)) {
            match meetings.wanted(rules, *pair) {
                Some(compute) => self.came.push(LivePair::new(*pair, compute)),
                None => self.came_idle.push(*pair),
            }
        }
        let changes = std::mem::take(&mut self.changes);
        self.merge(&changes.ended);
        self.changes = changes;
    }

    /// Looks up again what the application wants of each pair.
    fn apply(&mut self, rules: &Rules, meetings: Meetings<'_>) {
        let came = &mut self.came;
        self.idle.retain(|pair| {
            let wanted = meetings.wanted(rules, *pair);
            came.extend(wanted.map(|compute| LivePair::new(*pair, compute)));
            wanted.is_none()
        });
        let (came_idle, ended) = (&mut self.came_idle, &mut self.ended);
        self.live.retain_mut(|live| {
            let wanted = meetings.wanted(rules, live.pair);
            match wanted {
                Some(compute) => live.set_compute(compute),
                None => came_idle.push(live.pair),
            }
            if wanted.is_none() && live.is_touching {
                ended.push(live.pair);
            }
            wanted.is_some()
        });
        self.merge(&[]);
    }

    /// Takes in the pairs that came, and drops those that are gone.
    fn merge(&mut self, gone: &[Pair]) {
        let (count, ended) = (self.ended.len(), &mut self.ended);
        let lists = (&mut self.live, &mut self.came, &mut self.next);
        merge(
            lists,
            gone,
            |live| live.pair,
            |live| {
                if live.is_touching {
                    ended.push(live.pair);
                }
            },
        );
        if count > 0 {
            // Behind those that are no longer looked at.
            self.ended.sort_unstable();
        }
        let lists = (&mut self.idle, &mut self.came_idle, &mut self.next_idle);
        merge(lists, gone, |pair| *pair, |_| ());
    }

    /// How many there are, those that are not looked at included.
    pub(super) fn len(&self) -> usize {
        self.live.len() + self.idle.len()
    }

    /// Those that are looked at, sorted.
    pub(super) fn live_mut(&mut self) -> &mut [LivePair] {
        &mut self.live
    }

    /// The pairs that were touching and whose boxes do not overlap any more, or that are not looked at any more; sorted.
    pub(super) fn ended(&self) -> &[Pair] {
        &self.ended
    }

    pub(super) fn validate(&self) {
        let in_order = |p: &LivePair, q: &LivePair| p.pair < q.pair;
        assert!(self.live.is_sorted_by(in_order), "pairs are sorted");
        let in_order = |p: &Pair, q: &Pair| p < q;
        assert!(self.idle.is_sorted_by(in_order), "idle pairs are sorted");
        assert!(self.ended.is_sorted(), "pairs that ended are sorted");
    }
}

/// Takes the items of a second sorted list into the first, and drops those whose pairs are among the ones gone, also sorted, which it
/// tells. The third list is memory for it.
///
/// In a crowd every fifth pair comes or goes, and runs between two changes are a few items long: going through them one by one is
/// foreseen by the processor, and takes a third of the time that it takes to search for their ends.
fn merge<T: Copy>(
    (list, came, next): (&mut Vec<T>, &mut Vec<T>, &mut Vec<T>),
    gone: &[Pair],
    pair_of: impl Fn(&T) -> Pair,
    mut tell: impl FnMut(&T),
) {
    if came.is_empty() && (gone.is_empty() || list.is_empty()) {
        return;
    }
    next.clear();
    let mut came = came.drain(..).peekable();
    let mut gone = gone.iter().peekable();
    let (mut begin, mut end) = (0, 0);
    loop {
        let arrival = came.peek().map_or(NO_PAIR, |item| order_of(pair_of(item)));
        let departure = gone.peek().map_or(NO_PAIR, |pair| order_of(**pair));
        let change = arrival.min(departure);
        while list
            .get(end)
            .is_some_and(|item| order_of(pair_of(item)) < change)
        {
            end += 1;
        }
        next.extend_from_slice(&list[begin..end]);
        begin = end;
        if change == NO_PAIR {
            break;
        }
        // Where an index has changed hands, the old pair goes first.
        if arrival < departure {
            next.extend(came.next());
            continue;
        }
        let gone = gone.next();
        if let Some(item) = list.get(end)
            && gone == Some(&pair_of(item))
        {
            tell(item);
            end += 1;
            begin = end;
        }
    }
    std::mem::swap(list, next);
}

/// A number for a pair, by whose order pairs of bodies that are there at the same time are sorted.
#[inline(always)]
fn order_of(pair: Pair) -> u64 {
    u64::from(pair.a().index()) << 32 | u64::from(pair.b().index())
}

/// More than the number of any pair, whose indices differ.
const NO_PAIR: u64 = u64::MAX;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::BodyIds;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use std::collections::BTreeSet;

    /// Pairs come and go, at both ends, side by side and under numbers that another pair had until now; all is as in an ordered set.
    #[test]
    fn merged_lists_are_as_sets() {
        let mut rng = ChaCha8Rng::seed_from_u64(12);
        let mut ids = BodyIds::default();
        let mut bodies: Vec<_> = (0..12).map(|_| ids.insert().unwrap()).collect();
        let mut expected = BTreeSet::new();
        let (mut list, mut next) = (Vec::new(), Vec::new());
        let mut renewed = 0;
        for round in 0..2000 {
            let share = [0.0, 0.05, 0.5, 1.0][round % 4];
            let mut gone: BTreeSet<Pair> = BTreeSet::new();
            if round % 3 == 0 {
                // An index changes hands.
                let body = &mut bodies[rng.random_range(0..12)];
                ids.remove(*body).unwrap();
                let of_body = |pair: &&Pair| pair.a() == *body || pair.b() == *body;
                gone.extend(expected.iter().filter(of_body));
                *body = ids.insert().unwrap();
            }
            gone.extend(expected.iter().filter(|_| rng.random_bool(share)));
            let mut came = BTreeSet::new();
            for (number, a) in bodies.iter().enumerate() {
                for b in &bodies[..number] {
                    let pair = Pair::new(*a, *b).unwrap();
                    if !expected.contains(&pair) && rng.random_bool(share) {
                        came.insert(pair);
                    }
                }
            }
            let orders: BTreeSet<u64> = gone.iter().copied().map(order_of).collect();
            renewed += { came.iter() }
                .filter(|pair| orders.contains(&order_of(**pair)))
                .count();
            expected.retain(|pair| !gone.contains(pair));
            expected.extend(came.iter().copied());
            let mut told = Vec::new();
            // Some that are gone were in another list.
            let elsewhere = (0..20).filter_map(|k| Pair::new(bodies[k % 12], bodies[k % 7]));
            let elsewhere = elsewhere.filter(|pair| !expected.contains(pair) && round % 5 == 0);
            let mut all_gone = gone.clone();
            all_gone.extend(elsewhere);
            let all_gone: Vec<Pair> = all_gone.into_iter().collect();
            let mut arrivals: Vec<Pair> = came.into_iter().collect();
            let lists = (&mut list, &mut arrivals, &mut next);
            merge(lists, &all_gone, |pair| *pair, |pair| told.push(*pair));
            assert!(list.iter().eq(&expected), "round {round}");
            assert!(told.iter().eq(&gone), "round {round}");
            assert!(arrivals.is_empty());
        }
        assert!(renewed > 100, "{renewed}");
    }
}
