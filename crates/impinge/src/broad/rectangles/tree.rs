//! An interval tree: which of the intervals that are in it now overlap a given one.
//!
//! All intervals that can be put in are known by their ranks in the order of their lower ends (Cormen, Leiserson, Rivest and
//! Stein's form of the tree: ordered by lower end, each node with the largest upper end below it). The tree is a row of
//! leaves and above each eight of them the largest upper end, level by level; an interval that is not in has an upper end of
//! minus infinity. Those that overlap `[low, high]` are among the ranks whose lower ends are at most `high`; of these, subtrees
//! whose largest upper end is below `low` are passed over.
//!
//! **Cost.** To put in or take out: one number a level, and eight to be compared when the largest leaves. To ask: the answers
//! times the levels at worst, mostly far less.

/// Numbers a node.
const WIDTH: usize = 8;

/// Intervals by rank, and the largest upper end of each group.
#[derive(Debug, Clone, Default)]
pub(super) struct IntervalTree {
    /// Upper ends by level: of the intervals first, then of groups, up to a single group.
    levels: Vec<Vec<f32>>,
}

impl IntervalTree {
    /// Makes room for so many ranks, all out.
    pub(super) fn reset(&mut self, ranks: usize) {
        let mut depth = 0;
        let mut width = ranks.max(1);
        loop {
            if depth == self.levels.len() {
                self.levels.push(Vec::new());
            }
            width = width.next_multiple_of(WIDTH);
            self.levels[depth].clear();
            self.levels[depth].resize(width, f32::NEG_INFINITY);
            depth += 1;
            if width == WIDTH {
                break;
            }
            width /= WIDTH;
        }
        self.levels.truncate(depth);
    }

    /// Puts an interval in by its rank and its upper end.
    pub(super) fn insert(&mut self, rank: usize, upper: f32) {
        let mut place = rank;
        for level in &mut self.levels {
            if level[place] >= upper {
                return;
            }
            level[place] = upper;
            place /= WIDTH;
        }
    }

    /// Takes an interval out.
    pub(super) fn remove(&mut self, rank: usize) {
        let mut place = rank;
        let mut largest = f32::NEG_INFINITY;
        for level in &mut self.levels {
            let before = std::mem::replace(&mut level[place], largest);
            if before <= largest {
                return;
            }
            let group = place / WIDTH * WIDTH;
            let members = level[group..group + WIDTH].iter();
            largest = members.fold(f32::NEG_INFINITY, |most, upper| most.max(*upper));
            place /= WIDTH;
        }
    }

    /// Calls `visit` for each interval of a rank below `end` whose upper end is at least `low`. Tells how many nodes were
    /// looked at.
    pub(super) fn query(&self, end: usize, low: f32, visit: &mut impl FnMut(usize)) -> u64 {
        let top = self.levels.len() - 1;
        self.descend(top, 0, end, low, visit)
    }

    fn descend(
        &self,
        level: usize,
        group: usize,
        end: usize,
        low: f32,
        visit: &mut impl FnMut(usize),
    ) -> u64 {
        // How many ranks one number of this level stands for.
        let share = WIDTH.pow(level as u32);
        let first = group * WIDTH;
        let members = &self.levels[level][first..first + WIDTH];
        // All at once, because each comparison alone is hard to foresee.
        let mut hits: u32 = 0;
        for (place, upper) in members.iter().enumerate() {
            hits |= u32::from(*upper >= low) << place;
        }
        let mut nodes = 1;
        while hits != 0 {
            let place = first + hits.trailing_zeros() as usize;
            hits &= hits - 1;
            if place * share >= end {
                break;
            }
            if level == 0 {
                visit(place);
            } else {
                nodes += self.descend(level - 1, place, end, low, visit);
            }
        }
        nodes
    }

    /// Whether nothing is in.
    pub(super) fn is_empty(&self) -> bool {
        self.levels
            .iter()
            .flatten()
            .all(|u| *u == f32::NEG_INFINITY)
    }

    /// The memory held.
    pub(super) fn bytes(&self) -> usize {
        self.levels.iter().map(|level| level.capacity() * 4).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn answers_are_those_of_trying_all() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let mut tree = IntervalTree::default();
        for ranks in [1, 7, 8, 9, 64, 65, 700] {
            tree.reset(ranks);
            let mut uppers = vec![f32::NEG_INFINITY; ranks];
            for _ in 0..2000 {
                let rank = rng.random_range(0..ranks);
                if uppers[rank] > f32::NEG_INFINITY {
                    tree.remove(rank);
                    uppers[rank] = f32::NEG_INFINITY;
                } else {
                    uppers[rank] = rng.random_range(0..40) as f32;
                    tree.insert(rank, uppers[rank]);
                }
                let (end, low) = (rng.random_range(0..=ranks), rng.random_range(0..45) as f32);
                let mut found = Vec::new();
                tree.query(end, low, &mut |rank| found.push(rank));
                let expected = (0..end).filter(|rank| uppers[*rank] >= low);
                assert!(found.into_iter().eq(expected));
            }
            for rank in (0..ranks).filter(|rank| uppers[*rank] > f32::NEG_INFINITY) {
                tree.remove(rank);
            }
            assert!(tree.is_empty());
        }
    }
}
