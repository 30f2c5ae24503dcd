//! Stage 5: contacts to events.

use crate::body::Pair;

/// Something that happened to a pair between two updates. It is about intersecting: a pair that is merely within the
/// margin has no events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Event {
    /// The two did not intersect before, and do now.
    Began(Pair),
    /// The two intersected before, and still do.
    Continued(Pair),
    /// The two intersected before, and do not any more, or are not looked at any more.
    Ended(Pair),
}

impl Event {
    /// The pair.
    pub fn pair(&self) -> Pair {
        match self {
            Event::Began(pair) | Event::Continued(pair) | Event::Ended(pair) => *pair,
        }
    }

    /// The event of a pair that intersected before or not, and does now or not.
    #[inline]
    pub(super) fn of(pair: Pair, before: bool, now: bool) -> Option<Event> {
        match (before, now) {
            (false, true) => Some(Event::Began(pair)),
            (true, true) => Some(Event::Continued(pair)),
            (true, false) => Some(Event::Ended(pair)),
            (false, false) => None,
        }
    }
}

/// Replaces `events` by those of live pairs and the ends of pairs that are gone, both sorted.
pub(super) fn merge(gone: &[Pair], live: &[Event], events: &mut Vec<Event>) {
    events.clear();
    let mut gone = gone.iter().copied().peekable();
    for event in live {
        while let Some(pair) = gone.next_if(|pair| *pair < event.pair()) {
            events.push(Event::Ended(pair));
        }
        events.push(*event);
    }
    events.extend(gone.map(Event::Ended));
}
