//! The kits of all small polytopes of a world, side by side.
//!
//! A kit is all that most pairs of a crowd need of a shape. Those in the shapes themselves are each on a page of their own, behind a
//! pointer; here a body has the number of its kit at hand, and what many bodies share is there once.

use crate::shape::{Kit, Polytope, Shape};
use std::collections::HashMap;
use std::sync::Arc;

/// The kits, by number.
#[derive(Debug, Default)]
pub(super) struct Kits {
    kits: Vec<Kit>,
    /// What each is of, and how many bodies are of it; none where a number is free.
    owners: Vec<Option<Owner>>,
    /// The numbers of polytopes, by where they are in memory: an owner keeps them there.
    numbers: HashMap<usize, u32>,
    free: Vec<u32>,
}

#[derive(Debug)]
struct Owner {
    polytope: Arc<Polytope>,
    bodies: usize,
}

impl Kits {
    /// The number of no kit.
    pub(super) const NONE: u32 = u32::MAX;

    /// The number for a body of that shape.
    pub(super) fn insert(&mut self, shape: &Shape) -> u32 {
        let Shape::Polytope(polytope) = shape else {
            return Kits::NONE;
        };
        let Some(kit) = polytope.kit() else {
            return Kits::NONE;
        };
        let address = Arc::as_ptr(polytope).addr();
        if let Some(number) = self.numbers.get(&address) {
            if let Some(owner) = &mut self.owners[*number as usize] {
                owner.bodies += 1;
            }
            return *number;
        }
        let number = self.free.pop().unwrap_or(self.kits.len() as u32);
        let owner = Some(Owner {
            polytope: Arc::clone(polytope),
            bodies: 1,
        });
        if number as usize == self.kits.len() {
            self.kits.push(*kit);
            self.owners.push(owner);
        } else {
            self.kits[number as usize] = *kit;
            self.owners[number as usize] = owner;
        }
        self.numbers.insert(address, number);
        number
    }

    /// Takes back the number of a body.
    pub(super) fn remove(&mut self, number: u32) {
        let Some(place) = self.owners.get_mut(number as usize) else {
            return;
        };
        if let Some(owner) = place {
            owner.bodies -= 1;
            if owner.bodies == 0 {
                self.numbers.remove(&Arc::as_ptr(&owner.polytope).addr());
                self.free.push(number);
                *place = None;
            }
        }
    }

    /// The kit of a number.
    #[inline(always)]
    pub(super) fn get(&self, number: u32) -> Option<&Kit> {
        self.kits.get(number as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;

    #[test]
    fn bodies_of_one_shape_share_a_kit_until_the_last_is_gone() {
        let cube = |half: f64| {
            let polytope = Polytope::cuboid(Vec3::splat(half)).unwrap();
            Shape::Polytope(Arc::new(polytope))
        };
        let mut kits = Kits::default();
        let shapes = [cube(1.0), cube(2.0)];
        let numbers = [0, 1, 0].map(|k: usize| kits.insert(&shapes[k]));
        assert_eq!(numbers, [0, 1, 0]);
        let own = |shape: &Shape| shape.as_polytope().and_then(Polytope::kit).copied();
        for (number, shape) in [(0, &shapes[0]), (1, &shapes[1])] {
            assert_eq!(kits.get(number).copied(), own(shape));
        }
        kits.remove(0);
        assert_eq!(kits.insert(&cube(3.0)), 2);
        kits.remove(0);
        // Now it is gone, and its number is given again.
        let other = cube(4.0);
        assert_eq!(kits.insert(&other), 0);
        assert_eq!(kits.get(0).copied(), own(&other));
        assert_eq!(kits.insert(&shapes[0]), 3);
        let ball = Shape::sphere(1.0).unwrap();
        assert_eq!(kits.insert(&ball), Kits::NONE);
        assert!(kits.get(Kits::NONE).is_none());
        kits.remove(Kits::NONE);
    }
}
