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
/// tells. The third list is memory for it. Between two changes there are mostly a few items, which are copied one by one; many are copied
/// as a whole.
fn merge<T: Copy>(
    (list, came, next): (&mut Vec<T>, &mut Vec<T>, &mut Vec<T>),
    gone: &[Pair],
    pair_of: impl Fn(&T) -> Pair,
    mut tell: impl FnMut(&T),
) {
    if came.is_empty() && (gone.is_empty() || list.is_empty()) {
        return;
    }
    let rank = |item: &T| pair_of(item).rank();
    next.clear();
    next.reserve(list.len() + came.len());
    let (mut rest, mut arriving, mut leaving) = (list.as_slice(), came.as_slice(), gone);
    loop {
        let arrival = arriving.first().map_or(u128::MAX, rank);
        let departure = leaving.first().map_or(u128::MAX, |pair| pair.rank());
        let change = arrival.min(departure);
        if change == u128::MAX {
            break;
        }
        let few = &rest[..rest.len().min(FEW)];
        let mut count = 0;
        while count < few.len() && rank(&few[count]) < change {
            next.push(few[count]);
            count += 1;
        }
        rest = &rest[count..];
        if count == FEW {
            let (before, behind) = rest.split_at(count_below(rest, |item| rank(item) < change));
            next.extend_from_slice(before);
            rest = behind;
        }
        if arrival == change {
            next.push(arriving[0]);
            arriving = &arriving[1..];
            continue;
        }
        leaving = &leaving[1..];
        if let Some((item, behind)) = rest.split_first()
            && rank(item) == change
        {
            tell(item);
            rest = behind;
        }
    }
    next.extend_from_slice(rest);
    came.clear();
    std::mem::swap(list, next);
}

/// So many items are compared and copied one by one.
const FEW: usize = 8;

/// How many of the first items of a list, in which they come first, are below something. Changes are close to each other, so the search
/// goes from the beginning in steps that double.
fn count_below<T>(list: &[T], is_below: impl Fn(&T) -> bool) -> usize {
    let mut step = 1;
    while step < list.len() && is_below(&list[step]) {
        step *= 2;
    }
    let first = step / 2;
    first + list[first..list.len().min(step + 1)].partition_point(is_below)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::BodyIds;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Lists of all densities are merged as sets are.
    #[test]
    fn merged_lists_hold_what_came_and_not_what_is_gone() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut ids = BodyIds::default();
        let bodies: Vec<_> = (0..40).map(|_| ids.insert().unwrap()).collect();
        let all: Vec<Pair> = (0..40)
            .flat_map(|k| (0..k).map(move |l| (k, l)))
            .filter_map(|(k, l)| Pair::new(bodies[k], bodies[l]))
            .collect();
        let mut some = |share: f64| -> Vec<Pair> {
            let mut some: Vec<Pair> = all
                .iter()
                .copied()
                .filter(|_| rng.random_bool(share))
                .collect();
            some.sort_unstable();
            some
        };
        let shares = [0.0, 0.003, 0.05, 0.5];
        let mut next = Vec::new();
        for round in 0..640 {
            let share = |place: usize| shares[round / 4_usize.pow(place as u32) % 4];
            let (mut list, came, gone) = (some(share(0)), some(share(1)), some(share(2)));
            let before = list.clone();
            let came: Vec<Pair> = came
                .into_iter()
                .filter(|pair| !list.contains(pair))
                .collect();
            let mut told = Vec::new();
            let mut arriving = came.clone();
            let lists = (&mut list, &mut arriving, &mut next);
            merge(lists, &gone, |pair| *pair, |pair| told.push(*pair));
            let (left, stayed): (Vec<Pair>, Vec<Pair>) =
                before.into_iter().partition(|pair| gone.contains(pair));
            let mut expected = [stayed, came].concat();
            expected.sort_unstable();
            assert_eq!((list, told), (expected, left));
            assert!(arriving.is_empty());
        }
    }

    #[test]
    fn items_below_are_counted() {
        let list: Vec<usize> = (0..70).map(|k| k / 3).collect();
        for len in 0..list.len() {
            for limit in 0..26 {
                let expected = list[..len].iter().filter(|x| **x < limit).count();
                assert_eq!(count_below(&list[..len], |x| *x < limit), expected);
            }
        }
    }
}
