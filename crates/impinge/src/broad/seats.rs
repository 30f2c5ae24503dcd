//! Where each body is kept in memory.
//!
//! Names say nothing of where bodies are. A method that looks at neighbours again and again may *seat* bodies that are near each other
//! in space side by side. An index and a seat are both below the number of indices, and each index has one seat of its own, also
//! while no body has it. Until somebody gives another order, every index is its own seat, and nothing is stored.

/// The seats.
#[derive(Debug, Clone, Default)]
pub(super) struct Seats {
    /// By index, or empty while every index is its own seat.
    seats: Vec<u32>,
    /// By seat: its index; or empty.
    indices: Vec<u32>,
}

impl Seats {
    /// Whether every index is its own seat.
    #[inline(always)]
    pub(super) fn are_plain(&self) -> bool {
        self.seats.is_empty()
    }

    /// The seats by index; empty while every index is its own seat.
    #[inline(always)]
    pub(super) fn as_slice(&self) -> &[u32] {
        &self.seats
    }

    /// The indices by seat; empty while every index is its own seat.
    pub(super) fn indices(&self) -> &[u32] {
        &self.indices
    }

    /// The seat of an index.
    #[inline(always)]
    pub(super) fn of(&self, index: u32) -> u32 {
        if self.seats.is_empty() {
            index
        } else {
            self.seats[index as usize]
        }
    }

    /// The index of a seat.
    #[inline(always)]
    pub(super) fn index_at(&self, seat: u32) -> u32 {
        if self.indices.is_empty() {
            seat
        } else {
            self.indices[seat as usize]
        }
    }

    /// Makes room for indices below `len`.
    pub(super) fn resize(&mut self, len: usize) {
        if !self.are_plain() {
            let new = self.seats.len() as u32..len as u32;
            self.seats.extend(new.clone());
            self.indices.extend(new);
        }
    }

    /// Gives every index another seat: by seat, where it moves to.
    pub(super) fn renumber(&mut self, targets: &[u32]) {
        let mut indices = vec![0; targets.len()];
        for (seat, target) in (0..).zip(targets) {
            indices[*target as usize] = self.index_at(seat);
        }
        if indices.iter().zip(0..).all(|(index, seat)| *index == seat) {
            *self = Seats::default();
            return;
        }
        self.seats.resize(targets.len(), 0);
        for (seat, index) in (0..).zip(&indices) {
            self.seats[*index as usize] = seat;
        }
        self.indices = indices;
    }

    /// The memory held.
    pub(super) fn bytes(&self) -> usize {
        (self.seats.capacity() + self.indices.capacity()) * 4
    }

    /// Panics unless each of so many indices has a seat of its own.
    pub(super) fn validate(&self, len: usize) {
        if !self.are_plain() {
            assert_eq!(self.seats.len(), len, "a seat for each index");
            assert_eq!(self.indices.len(), len, "an index for each seat");
            let indices = 0..len as u32;
            assert!(
                { indices }.all(|index| self.index_at(self.of(index)) == index),
                "each index has its own seat"
            );
        }
    }
}
