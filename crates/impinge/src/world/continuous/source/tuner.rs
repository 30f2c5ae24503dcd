//! Which way to find pairs costs less at present? A model that is measured while it is used.
//!
//! There are two ways: frames with swept boxes, of some length, and moving boxes. Each has a *rate*: time spent for a unit of time
//! simulated. The rate of the way in use is measured all the time. What another length of frames would cost is tried
//! out for a frame now and then; the other way, for a *slice* as long as a frame. A slice that is dearer than the way in use is broken off. A
//! trial is made when the time spent since the last one is many times what the last one cost, and after each trial that changed nothing
//! twice as many: so trials cost a few per cent at most, and what is chosen wrongly by a noisy clock is corrected.
//!
//! Nothing here changes what is found, only when. Without a clock nothing is ever tried, and frames it is.

use std::collections::HashMap;
use std::time::Duration;

/// The two ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Frames,
    Kinetic,
}

impl Way {
    fn other(self) -> Way {
        match self {
            Way::Frames => Way::Kinetic,
            Way::Kinetic => Way::Frames,
        }
    }
}

/// The model.
#[derive(Debug)]
pub(super) struct Tuner {
    way: Way,
    /// The rate of the way that is not in use, when it last was.
    rate_of_other: Option<f64>,
    rate: Option<f64>,
    /// Spent since the last trial of the other way.
    spent_since: f64,
    /// What a trial costs, as far as is known.
    trial_cost: f64,
    patience: f64,
    /// While the way in use is on trial: what may be spent on it, and was.
    trial: Option<Trial>,
    lengths: Lengths,
}

#[derive(Debug, Clone, Copy)]
struct Trial {
    cost: f64,
    lasted: f64,
    budget: f64,
    length: f64,
}

/// What a review decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Decision {
    Stay,
    Switch,
}

/// A trial may begin when this many times its cost was spent since the last one.
const PATIENCE: f64 = 30.0;
const MOST_PATIENCE: f64 = 1000.0;
/// A way is changed for one that costs less than this share.
const WORTH: f64 = 0.9;
/// A trial lasts so many frames.
const SLICE: f64 = 1.0;

impl Tuner {
    pub(super) fn new() -> Tuner {
        Tuner {
            way: Way::Frames,
            rate_of_other: None,
            rate: None,
            spent_since: 0.0,
            trial_cost: 0.0,
            patience: PATIENCE,
            trial: None,
            lengths: Lengths::default(),
        }
    }

    /// How long a trial, or a span between two reviews of moving boxes, lasts.
    pub(super) fn slice(&self) -> f64 {
        SLICE * self.lengths.best_length()
    }

    /// Whether the way in use is on trial.
    pub(super) fn is_trial(&self) -> bool {
        self.trial.is_some()
    }

    /// The length of the next frame. The first time, a guess is asked for.
    pub(super) fn next_length(&mut self, guess: impl FnOnce() -> f64) -> f64 {
        self.lengths.next(guess)
    }

    /// Takes note of what some time cost, and says whether to go on in the same way. `building` is about what a switch costs.
    pub(super) fn review(&mut self, lasted: f64, spent: Duration, building: f64) -> Decision {
        let spent = spent.as_secs_f64();
        if lasted <= 0.0 {
            return Decision::Stay;
        }
        let rate = spent / lasted;
        if self.way == Way::Frames {
            self.lengths.note(rate);
        }
        self.spent_since += spent;
        match self.trial {
            Some(trial) => self.judge(trial, lasted, spent),
            None => {
                self.rate = Some(self.rate.map_or(rate, |old| 0.75 * old + 0.25 * rate));
                let cost = self.trial_cost.max(building);
                if self.spent_since <= self.patience * cost {
                    return Decision::Stay;
                }
                self.begin_trial(cost)
            }
        }
    }

    fn begin_trial(&mut self, cost: f64) -> Decision {
        let length = self.slice();
        self.trial = Some(Trial {
            cost: 0.0,
            lasted: 0.0,
            budget: (1.2 * self.rate.unwrap_or(0.0) * length).max(0.5 * cost),
            length,
        });
        self.turn_over();
        Decision::Switch
    }

    /// The way on trial becomes the one in use, or the other way round.
    fn turn_over(&mut self) {
        self.way = self.way.other();
        std::mem::swap(&mut self.rate, &mut self.rate_of_other);
    }

    /// More is known of the way on trial.
    fn judge(&mut self, trial: Trial, lasted: f64, spent: f64) -> Decision {
        let trial = Trial {
            cost: trial.cost + spent,
            lasted: trial.lasted + lasted,
            ..trial
        };
        let is_over = trial.lasted >= trial.length || trial.cost > trial.budget;
        if !is_over {
            self.trial = Some(trial);
            return Decision::Stay;
        }
        self.trial = None;
        self.trial_cost = trial.cost;
        self.spent_since = 0.0;
        let rate = trial.cost / trial.lasted;
        self.rate = Some(rate);
        let is_better = self.rate_of_other.is_none_or(|other| rate < WORTH * other);
        if is_better {
            self.patience = PATIENCE;
            return Decision::Stay;
        }
        self.patience = (2.0 * self.patience).min(MOST_PATIENCE);
        self.turn_over();
        Decision::Switch
    }
}

/// Lengths of frames: powers of two times a guess, and what each costs.
#[derive(Debug, Default)]
struct Lengths {
    base: Option<f64>,
    best: i32,
    /// The length of this frame.
    current: i32,
    rates: HashMap<i32, f64>,
    frames: u32,
    /// A neighbour of the best length is tried every so many frames.
    period: u32,
    is_longer_next: bool,
}

const SHORTEST_PERIOD: u32 = 4;
const LONGEST_PERIOD: u32 = 64;
/// Another length is taken when it costs less than this share.
const BETTER: f64 = 0.95;

impl Lengths {
    fn best_length(&self) -> f64 {
        self.length(self.best)
    }

    fn length(&self, exponent: i32) -> f64 {
        self.base.unwrap_or(1.0) * 2_f64.powi(exponent)
    }

    fn next(&mut self, guess: impl FnOnce() -> f64) -> f64 {
        if self.base.is_none() {
            self.base = Some(guess());
            self.period = SHORTEST_PERIOD;
        }
        self.frames += 1;
        self.current = self.best;
        if self.frames >= self.period {
            self.frames = 0;
            self.current += if self.is_longer_next { 1 } else { -1 };
            self.current = self.current.clamp(-40, 40);
            self.is_longer_next = !self.is_longer_next;
        }
        self.length(self.current)
    }

    /// What the last frame cost for a unit of time.
    fn note(&mut self, rate: f64) {
        let known = self.rates.entry(self.current).or_insert(rate);
        *known = 0.75 * *known + 0.25 * rate;
        let known = *known;
        if self.current == self.best {
            return;
        }
        let best = self.rates.get(&self.best).copied();
        if best.is_some_and(|best| known < BETTER * best) {
            self.best = self.current;
            self.period = SHORTEST_PERIOD;
        } else {
            // One look is not remembered for long.
            self.rates.remove(&self.current);
            self.period = (self.period + self.period / 2).min(LONGEST_PERIOD);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a model in which frames of length `h` cost `1 / h + h`, and moving boxes a constant. It begins with frames that are
    /// much too long; all costs of the second half are counted, trials and switches among them.
    fn run(kinetic: f64, building: f64, reviews: u32) -> (f64, f64, Way) {
        let mut tuner = Tuner::new();
        let (mut cost, mut time) = (0.0, 0.0);
        for review in 0..reviews {
            let counts = f64::from(u8::from(review >= reviews / 2));
            let (lasted, rate) = match tuner.way {
                Way::Frames => {
                    let h = tuner.next_length(|| 16.0);
                    (h, 1.0 / h + h)
                }
                Way::Kinetic => (tuner.slice() / 16.0, kinetic),
            };
            cost += counts * lasted * rate;
            time += counts * lasted;
            let spent = Duration::from_secs_f64(lasted * rate);
            if tuner.review(lasted, spent, building) == Decision::Switch {
                cost += counts * building;
            }
        }
        (cost, time, tuner.way)
    }

    #[test]
    fn the_best_length_is_found() {
        let (cost, time, way) = run(100.0, 1.0, 3000);
        assert_eq!(way, Way::Frames);
        assert!(cost / time < 1.1 * 2.0, "{}", cost / time);
    }

    #[test]
    fn the_better_way_is_found() {
        let (cost, time, way) = run(0.25, 1.0, 10_000);
        assert_eq!(way, Way::Kinetic);
        assert!(cost / time < 1.1 * 0.25, "{}", cost / time);
    }
}
