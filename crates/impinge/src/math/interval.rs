//! A closed interval of real numbers that holds a value known only up to rounding.

/// The closed interval `[lower, upper]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Never above the true value.
    pub lower: f64,
    /// Never below the true value.
    pub upper: f64,
}

impl Interval {
    /// The interval of one exactly known value.
    pub const fn exact(value: f64) -> Interval {
        Interval {
            lower: value,
            upper: value,
        }
    }

    /// `upper - lower`, rounded up.
    pub fn width(self) -> f64 {
        if self.upper > self.lower {
            (self.upper - self.lower).next_up()
        } else {
            0.0
        }
    }

    /// Whether `value` lies inside, ends included.
    pub fn contains(self, value: f64) -> bool {
        self.lower <= value && value <= self.upper
    }
}
