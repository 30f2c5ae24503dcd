//! A sequence that is searched and edited in the middle: the edges under a sweep line, from bottom to top.
//!
//! The sequence is cut into pieces of bounded length, so that inserting moves little: O(log n) to find, O(sqrt n) in
//! theory and a short memory move in practice to edit. A search over a sequence that is out of order (an outline that
//! crosses itself) gives some place, and ends.

/// The longest piece.
const PIECE: usize = 512;

/// The sequence; no piece is empty.
#[derive(Debug, Default)]
pub(super) struct Status {
    pieces: Vec<Vec<u32>>,
}

/// A place in the sequence: a piece, and how far into it. It may be one past the end of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    piece: usize,
    offset: usize,
}

impl Status {
    /// The place before which `is_below` holds and from which on it does not.
    pub(super) fn search(&self, is_below: impl Fn(u32) -> bool) -> Place {
        // The last piece that starts below, or the first one.
        let after = self.pieces.partition_point(|piece| is_below(piece[0]));
        let piece = after.saturating_sub(1);
        let offset = match self.pieces.get(piece) {
            Some(piece) => piece.partition_point(|id| is_below(*id)),
            None => 0,
        };
        Place { piece, offset }
    }

    /// What is at a place.
    pub(super) fn at(&self, place: Place) -> Option<u32> {
        let piece = self.pieces.get(place.piece)?;
        match piece.get(place.offset) {
            Some(id) => Some(*id),
            None => self.pieces.get(place.piece + 1).map(|piece| piece[0]),
        }
    }

    /// What is just before a place.
    pub(super) fn before(&self, place: Place) -> Option<u32> {
        match place.offset.checked_sub(1) {
            Some(offset) => self.pieces.get(place.piece)?.get(offset).copied(),
            None => self
                .pieces
                .get(place.piece.checked_sub(1)?)?
                .last()
                .copied(),
        }
    }

    /// Inserts before whatever is at the place.
    pub(super) fn insert(&mut self, place: Place, id: u32) {
        if self.pieces.is_empty() {
            self.pieces.push(Vec::with_capacity(PIECE));
        }
        let piece = &mut self.pieces[place.piece];
        piece.insert(place.offset, id);
        if piece.len() == PIECE {
            let upper = piece.split_off(PIECE / 2);
            self.pieces.insert(place.piece + 1, upper);
        }
    }

    /// Removes what is at the place, if anything is.
    pub(super) fn remove(&mut self, place: Place) {
        let mut at = place;
        if self
            .pieces
            .get(at.piece)
            .is_some_and(|piece| at.offset == piece.len())
        {
            at = Place {
                piece: at.piece + 1,
                offset: 0,
            };
        }
        let Some(piece) = self.pieces.get_mut(at.piece) else {
            return;
        };
        piece.remove(at.offset);
        if piece.is_empty() {
            self.pieces.remove(at.piece);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    /// A plain sorted vector does the same, slowly.
    #[test]
    fn it_behaves_like_a_sorted_vector() {
        let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        let (mut status, mut twin) = (Status::default(), Vec::new());
        for step in 0..20_000 {
            let value = random.random_range(0..100_000);
            let place = status.search(|id| id < value);
            let index = twin.partition_point(|id| *id < value);
            assert_eq!(status.at(place), twin.get(index).copied());
            assert_eq!(status.before(place), index.checked_sub(1).map(|i| twin[i]));
            // First it grows, then it shrinks to nothing.
            if random.random_bool(if step < 10_000 { 0.8 } else { 0.1 }) {
                status.insert(place, value);
                twin.insert(index, value);
            } else if index < twin.len() {
                status.remove(place);
                twin.remove(index);
            }
        }
        assert_eq!(status.pieces.concat(), twin);
    }
}
