//! Time between the stages of an update.

use std::time::Duration;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use std::time::Instant;

/// Measures one stage after the other. In the browser, which has no clock that code without bindings could read, all
/// times are 0.
#[derive(Debug)]
pub(super) struct Clock {
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    last: Instant,
}

impl Clock {
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    pub(super) fn start() -> Clock {
        Clock {
            last: Instant::now(),
        }
    }

    /// The time since the last lap.
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    pub(super) fn lap(&mut self) -> Duration {
        let now = Instant::now();
        now - std::mem::replace(&mut self.last, now)
    }

    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    pub(super) fn start() -> Clock {
        Clock {}
    }

    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    pub(super) fn lap(&mut self) -> Duration {
        Duration::ZERO
    }
}
