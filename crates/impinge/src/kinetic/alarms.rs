//! The second queue: times that are given as floats. Ends of validity, and responses that the application asked for.

use crate::body::Pair;
use std::collections::{BTreeMap, BTreeSet};

/// What an alarm is about; the order is that of alarms at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Alarm {
    /// The motion of a body, by index, is known no longer.
    Expiry(u32),
    /// A response of a pair.
    Response(Pair),
}

/// Alarms in order of time.
#[derive(Debug, Clone, Default)]
pub(super) struct Alarms {
    queue: BTreeSet<(Time, Alarm)>,
    times: BTreeMap<Alarm, Time>,
    /// The responses of a body, by index.
    responses: BTreeMap<u32, BTreeSet<Pair>>,
}

/// A float that is not NaN, in order.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Time(f64);

impl Eq for Time {}

impl PartialOrd for Time {
    fn partial_cmp(&self, other: &Time) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Time {
    fn cmp(&self, other: &Time) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl Alarms {
    /// Sets an alarm, in place of the one about the same thing. None is set for an infinite time.
    pub(super) fn set(&mut self, alarm: Alarm, time: f64) {
        self.cancel(alarm);
        if time == f64::INFINITY {
            return;
        }
        // Both zeros are the same time.
        let time = Time(time + 0.0);
        self.queue.insert((time, alarm));
        self.times.insert(alarm, time);
        if let Alarm::Response(pair) = alarm {
            for body in [pair.a(), pair.b()] {
                self.responses.entry(body.index()).or_default().insert(pair);
            }
        }
    }

    /// Forgets an alarm; whether there was one.
    pub(super) fn cancel(&mut self, alarm: Alarm) -> bool {
        let Some(time) = self.times.remove(&alarm) else {
            return false;
        };
        self.queue.remove(&(time, alarm));
        if let Alarm::Response(pair) = alarm {
            for body in [pair.a(), pair.b()] {
                self.forget_response(body.index(), pair);
            }
        }
        true
    }

    /// Forgets the alarms that hang on the motion of a body.
    pub(super) fn cancel_body(&mut self, index: u32) {
        self.cancel(Alarm::Expiry(index));
        let responses = self.responses.get(&index).cloned().unwrap_or_default();
        for pair in responses {
            self.cancel(Alarm::Response(pair));
        }
    }

    fn forget_response(&mut self, index: u32, pair: Pair) {
        let Some(of_body) = self.responses.get_mut(&index) else {
            return;
        };
        of_body.remove(&pair);
        if of_body.is_empty() {
            self.responses.remove(&index);
        }
    }

    /// The first alarm and its time.
    pub(super) fn first(&self) -> Option<(f64, Alarm)> {
        self.queue.first().map(|(time, alarm)| (time.0, *alarm))
    }
}
