//! Every broad phase beside brute force: the same changes in every frame, the same pairs, and sound structures.

mod agreement;
mod errors;
mod queries;
mod round;

use impinge::body::Pair;
use impinge::broad::{BroadPhase, BroadPhaseKind, PairChanges};

/// A broad phase under test, and brute force.
#[derive(Debug)]
struct Twins {
    name: String,
    tested: Box<dyn BroadPhase>,
    brute: Box<dyn BroadPhase>,
    changes: [PairChanges; 2],
    /// The pair set as the changes add up.
    summed: Vec<Pair>,
}

impl Twins {
    fn new(kind: BroadPhaseKind, place: &str) -> Twins {
        Twins::of(format!("{kind} in {place}"), kind.create())
    }

    fn of(name: String, tested: Box<dyn BroadPhase>) -> Twins {
        Twins {
            name,
            tested,
            brute: BroadPhaseKind::Brute.create(),
            changes: Default::default(),
            summed: Vec::new(),
        }
    }

    /// The same thing said to both.
    fn tell(&mut self, say: impl Fn(&mut dyn BroadPhase)) {
        say(&mut *self.tested);
        say(&mut *self.brute);
    }

    /// Asks both, compares everything, and tells how much changed.
    fn compare(&mut self, frame: usize) -> usize {
        let place = format!("{}, frame {frame}", self.name);
        self.tested.validate();
        let [found, expected] = &mut self.changes;
        self.tested.collect(found);
        self.brute.collect(expected);
        assert_eq!(found, expected, "{place}");
        self.tested.validate();

        let mut all = Vec::new();
        self.brute.pairs(&mut all);
        let mut pairs = Vec::new();
        self.tested.pairs(&mut pairs);
        assert_eq!(pairs, all, "{place}");
        self.sum_up();
        assert_eq!(self.summed, all, "{place}");
        let [found, _] = &self.changes;
        found.began.len() + found.ended.len()
    }

    fn sum_up(&mut self) {
        let [found, _] = &self.changes;
        assert!(found.began.is_sorted() && found.ended.is_sorted());
        let ended = &found.ended;
        let before = self.summed.len();
        self.summed
            .retain(|pair| ended.binary_search(pair).is_err());
        assert_eq!(
            self.summed.len() + ended.len(),
            before,
            "what ends was there"
        );
        self.summed.extend(&found.began);
        self.summed.sort_unstable();
    }
}

/// The methods to compare with brute force.
fn methods() -> impl Iterator<Item = BroadPhaseKind> {
    BroadPhaseKind::ALL.into_iter()
}
