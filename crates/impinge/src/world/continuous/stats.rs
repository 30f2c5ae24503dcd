//! How much a continuous world did.

use std::time::Duration;

/// What was done since the world was made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ContinuousStats {
    /// Impacts told.
    pub impacts: u64,
    /// Pairs that were left alone until the next step because they touched again and again.
    pub rested: u64,
    /// Pairs that the pruning named.
    pub began: u64,
    /// Times that were computed from which on boxes may overlap.
    pub spans: u64,
    /// Tests of two shapes in motion, or looks at them step by step.
    pub tests: u64,
    /// Swaps of box ends in sorted lists, of moving boxes or of swept ones.
    pub swaps: u64,
    /// Frames of swept boxes.
    pub frames: u64,
    /// Changes between moving boxes and swept ones.
    pub switches: u64,
    /// Pairs that are waited for at present.
    pub waiting: usize,
    /// Time spent on new boxes.
    pub updating: Duration,
    /// Time spent on finding pairs.
    pub sorting: Duration,
    /// Time spent on tests.
    pub testing: Duration,
}
