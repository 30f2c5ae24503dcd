//! The broad phases by name.

use super::{BroadPhase, Brute};
use crate::error::Error;
use std::fmt;
use std::str::FromStr;

/// A broad phase to choose. All give the same pairs; they differ in time and memory.
///
/// ```
/// # use impinge::broad::BroadPhaseKind;
/// assert_eq!("brute".parse(), Ok(BroadPhaseKind::Brute));
/// assert!("fastest".parse::<BroadPhaseKind>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BroadPhaseKind {
    /// [`Brute`]: every body against every other.
    Brute,
}

impl BroadPhaseKind {
    /// All of them.
    pub const ALL: [BroadPhaseKind; 1] = [BroadPhaseKind::Brute];

    /// Its name: `brute`.
    pub fn name(self) -> &'static str {
        match self {
            BroadPhaseKind::Brute => "brute",
        }
    }

    /// An empty one with the options that it has by default.
    pub fn create(self) -> Box<dyn BroadPhase> {
        match self {
            BroadPhaseKind::Brute => Box::new(Brute::default()),
        }
    }
}

impl fmt::Display for BroadPhaseKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for BroadPhaseKind {
    type Err = Error;

    fn from_str(name: &str) -> Result<BroadPhaseKind, Error> {
        let known = BroadPhaseKind::ALL
            .into_iter()
            .find(|kind| kind.name() == name);
        known.ok_or_else(|| Error::UnknownName {
            what: "broad phase",
            name: name.to_owned(),
            known: BroadPhaseKind::ALL.map(BroadPhaseKind::name).to_vec(),
        })
    }
}
