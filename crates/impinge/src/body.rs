//! Names of bodies, and of pairs of bodies.
//!
//! A [`BodyId`] is an index and a generation. Indices are re-used, so that everything kept about bodies can lie in
//! vectors; the generation tells the new owner of an index from the old one, so that a stale name is an error and never
//! another body.

use crate::error::Error;
use std::fmt;
use std::num::NonZeroU32;

/// The name of a body. Made by [`BodyIds`] alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId {
    index: u32,
    generation: NonZeroU32,
}

const _: () = assert!(size_of::<Option<BodyId>>() == 8);

impl BodyId {
    /// The first body that there is anywhere.
    pub(crate) const FIRST: BodyId = BodyId {
        index: 0,
        generation: NonZeroU32::MIN,
    };

    /// The place of the body in vectors over bodies, below [`BodyIds::CAPACITY`].
    #[inline]
    pub fn index(self) -> u32 {
        self.index
    }

    /// How many bodies have had this index, this one included.
    #[inline]
    pub fn generation(self) -> NonZeroU32 {
        self.generation
    }

    /// The name as its two parts give it; `None` for generation 0, which no body has.
    #[inline]
    pub(crate) fn from_parts(index: u32, generation: u32) -> Option<BodyId> {
        let generation = NonZeroU32::new(generation)?;
        Some(BodyId { index, generation })
    }
}

impl fmt::Display for BodyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.index, self.generation)
    }
}

/// The name of an articulated body, whose parts are bodies. Made by [`World`](crate::World) alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArticulationId(pub(crate) BodyId);

impl fmt::Display for ArticulationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Gives names to bodies, and knows which names are still good.
///
/// ```
/// # use impinge::body::BodyIds;
/// let mut ids = BodyIds::default();
/// let old = ids.insert()?;
/// ids.remove(old)?;
/// let new = ids.insert()?;
/// assert_eq!(old.index(), new.index());
/// assert!(ids.contains(new) && !ids.contains(old));
/// assert!(ids.remove(old).is_err());
/// # Ok::<(), impinge::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct BodyIds {
    /// By index: the generation of the present owner, or of the last one.
    generations: Vec<u32>,
    /// By index: whether it has an owner.
    taken: Vec<bool>,
    /// Indices without an owner, the next to be given away last.
    free: Vec<u32>,
    len: usize,
}

impl BodyIds {
    /// Indices are below this, so that one bit of a word is left for other uses.
    pub const CAPACITY: u32 = 1 << 31;

    /// A new name. Fails when all indices are in use.
    pub fn insert(&mut self) -> Result<BodyId, Error> {
        let index = match self.free.pop() {
            Some(index) => index,
            None => self.grow()?,
        };
        let place = index as usize;
        self.generations[place] += 1;
        self.taken[place] = true;
        self.len += 1;
        Ok(self.id_at(index).expect("it was just taken"))
    }

    fn grow(&mut self) -> Result<u32, Error> {
        let count = self.generations.len();
        if count >= BodyIds::CAPACITY as usize {
            return Err(Error::TooMany {
                what: "bodies",
                count: count + 1,
            });
        }
        self.generations.push(0);
        self.taken.push(false);
        Ok(count as u32)
    }

    /// Takes a name back. Fails for one that is not good any more.
    pub fn remove(&mut self, body: BodyId) -> Result<(), Error> {
        if !self.contains(body) {
            return Err(Error::UnknownBody { body });
        }
        self.taken[body.index as usize] = false;
        self.len -= 1;
        // An index whose generations are used up rests for ever.
        if body.generation < NonZeroU32::MAX {
            self.free.push(body.index);
        }
        Ok(())
    }

    /// Whether the name was given and not taken back.
    pub fn contains(&self, body: BodyId) -> bool {
        self.id_at(body.index) == Some(body)
    }

    /// How many names are in use.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether no name is in use.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The names in use, by index.
    pub fn iter(&self) -> impl Iterator<Item = BodyId> {
        (0..self.taken.len() as u32).filter_map(|index| self.id_at(index))
    }

    fn id_at(&self, index: u32) -> Option<BodyId> {
        let place = index as usize;
        let taken = *self.taken.get(place)?;
        let id = BodyId::from_parts(index, self.generations[place])?;
        taken.then_some(id)
    }
}

/// Two different bodies in no order: `a() < b()`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair {
    a: BodyId,
    b: BodyId,
}

impl Pair {
    /// The pair of two bodies; `None` when they are the same.
    #[inline]
    pub fn new(one: BodyId, other: BodyId) -> Option<Pair> {
        (one != other).then(|| Pair {
            a: one.min(other),
            b: one.max(other),
        })
    }

    /// The smaller of the two.
    #[inline]
    pub fn a(self) -> BodyId {
        self.a
    }

    /// The larger of the two.
    #[inline]
    pub fn b(self) -> BodyId {
        self.b
    }

    /// A number whose order is that of pairs, and that is compared at once; the largest of all belongs to no pair.
    #[inline(always)]
    pub(crate) fn rank(self) -> u128 {
        let of = |body: BodyId| u64::from(body.index) << 32 | u64::from(body.generation.get());
        u128::from(of(self.a)) << 64 | u128::from(of(self.b))
    }
}

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} with {}", self.a, self.b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_in_the_order_of_pairs() {
        let ends = [0, 1, 2, BodyIds::CAPACITY - 1];
        let bodies = ends.map(|index| {
            [1, 2, u32::MAX].map(|generation| BodyId::from_parts(index, generation).unwrap())
        });
        let bodies = bodies.as_flattened();
        let pairs = bodies
            .iter()
            .flat_map(|one| bodies.iter().filter_map(|other| Pair::new(*one, *other)));
        let pairs: Vec<Pair> = pairs.collect();
        for (p, q) in pairs.iter().flat_map(|p| pairs.iter().map(move |q| (p, q))) {
            assert_eq!(p.cmp(q), p.rank().cmp(&q.rank()));
        }
        assert!(pairs.iter().all(|pair| pair.rank() < u128::MAX));
    }

    #[test]
    fn indices_are_used_again_and_names_are_not() {
        let mut ids = BodyIds::default();
        let [a, b, c] = [(); 3].map(|()| ids.insert().unwrap());
        assert_eq!([a, b, c].map(BodyId::index), [0, 1, 2]);
        ids.remove(b).unwrap();
        assert_eq!(ids.remove(b), Err(Error::UnknownBody { body: b }));
        assert_eq!(ids.len(), 2);
        let d = ids.insert().unwrap();
        assert_eq!(d.index(), 1);
        assert!(d > b && a < d && d < c);
        assert_eq!(ids.iter().collect::<Vec<_>>(), [a, d, c]);
    }

    #[test]
    fn an_index_without_generations_left_rests() {
        let mut ids = BodyIds::default();
        ids.insert().unwrap();
        ids.generations[0] = u32::MAX;
        let last = ids.id_at(0).unwrap();
        ids.remove(last).unwrap();
        assert_eq!(ids.insert().unwrap().index(), 1);
        assert!(!ids.contains(last));
    }

    #[test]
    fn a_pair_has_one_order() {
        let mut ids = BodyIds::default();
        let [a, b] = [(); 2].map(|()| ids.insert().unwrap());
        let pair = Pair::new(b, a).unwrap();
        assert_eq!((pair.a(), pair.b()), (a, b));
        assert_eq!(Pair::new(a, b), Some(pair));
        assert_eq!(Pair::new(a, a), None);
    }
}
