//! Which links of a body are looked at for collision with each other.

use super::encounter::PartPair;
use super::joint::JointKind;
use super::linkage::{Link, LinkId, Part, PartId};
use crate::broad::KeyMap;

/// Which parts of an articulated body are tested against each other. Parts on links that cannot move against each other
/// never are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SelfCollision {
    /// None.
    Ignored,
    /// Those on links that are not neighbours. Links that are fixed to each other count as one, and two are neighbours when
    /// one joint moves the one against the other: their shapes usually overlap there, as they should.
    #[default]
    Distant,
    /// Those on neighbours too.
    All,
}

/// The rules, ready for use.
#[derive(Debug)]
pub(super) struct Rules {
    choice: SelfCollision,
    /// For each link the first link of those that are fixed to each other.
    groups: Vec<u32>,
    /// For each first link of a group the group that the whole hangs on; itself for that of the root.
    supports: Vec<u32>,
    /// The pairs of links that may meet, by [`key`].
    allowed: KeyMap,
    /// The pairs of parts that are looked at, sorted, unless they are many.
    listed: Option<Vec<PartPair>>,
    /// The same for each part, a bit for each other one, unless there are more parts than bits.
    rows: Vec<u64>,
}

/// Going through so many pairs of boxes one by one takes no longer than going down a tree.
const MOST_LISTED: usize = 512;

impl Rules {
    pub(super) fn new(
        choice: SelfCollision,
        links: &[Link],
        allowed: &[[LinkId; 2]],
        parts: &[Part],
    ) -> Rules {
        let mut groups: Vec<u32> = Vec::with_capacity(links.len());
        let mut supports = Vec::with_capacity(links.len());
        for (place, link) in links.iter().enumerate() {
            let parent = link.parent().map(|parent| groups[parent.index()]);
            let is_fixed = link.joint().is_some_and(|j| *j.kind() == JointKind::Fixed);
            let group = parent.filter(|_| is_fixed).unwrap_or(place as u32);
            groups.push(group);
            supports.push(parent.unwrap_or(group));
        }
        let mut set = KeyMap::default();
        for [a, b] in allowed {
            set.change(key(*a, *b), |_| 1);
        }
        let mut rules = Rules {
            choice,
            groups,
            supports,
            allowed: set,
            listed: None,
            rows: Vec::new(),
        };
        rules.listed = rules.list(parts);
        if parts.len() <= 64 {
            let link = |part: usize| parts[part].link;
            let row = |a: usize| {
                let others = (0..parts.len()).filter(|b| rules.may_meet(link(a), link(*b)));
                others.fold(0, |row, b| row | 1 << b)
            };
            rules.rows = (0..parts.len()).map(row).collect();
        }
        rules
    }

    /// Whether two parts are looked at, given the links they are on.
    #[inline]
    pub(super) fn may_parts_meet(&self, [a, b]: [PartId; 2], links: [LinkId; 2]) -> bool {
        match self.rows.get(a.index()) {
            Some(row) => row >> b.index() & 1 == 1,
            None => self.may_meet(links[0], links[1]),
        }
    }

    /// All pairs of parts that are looked at; `None` when they are many, or many have to be asked about.
    fn list(&self, parts: &[Part]) -> Option<Vec<PartPair>> {
        const MOST_PARTS: usize = 128;
        if parts.len() > MOST_PARTS {
            return None;
        }
        let ids = || (0..parts.len() as u32).map(PartId);
        let all = ids().flat_map(|a| ids().skip(a.index() + 1).map(move |b| PartPair { a, b }));
        let link = |part: PartId| parts[part.index()].link;
        let looked_at = all.filter(|pair| self.may_meet(link(pair.a), link(pair.b)));
        let listed: Vec<PartPair> = looked_at.take(MOST_LISTED + 1).collect();
        (listed.len() <= MOST_LISTED).then_some(listed)
    }

    /// The pairs of parts that are looked at, sorted, unless they are many.
    pub(super) fn listed(&self) -> Option<&[PartPair]> {
        self.listed.as_deref()
    }

    /// What tells links that move against each other apart.
    pub(super) fn group(&self, link: LinkId) -> u32 {
        self.groups[link.index()]
    }

    #[inline]
    pub(super) fn may_meet(&self, a: LinkId, b: LinkId) -> bool {
        let [p, q] = [self.group(a), self.group(b)];
        let is_barred = match self.choice {
            SelfCollision::Ignored => true,
            SelfCollision::Distant => {
                self.supports[p as usize] == q || self.supports[q as usize] == p
            }
            SelfCollision::All => false,
        };
        p != q && !is_barred && self.allowed.get(key(a, b)) == 0
    }
}

/// One number for two links in any order.
fn key(a: LinkId, b: LinkId) -> u64 {
    u64::from(a.0.min(b.0)) << 32 | u64::from(a.0.max(b.0))
}
