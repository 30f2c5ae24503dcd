//! Whether work is shared among threads.
//!
//! Work that is large enough is shared out in the thread pool it runs in: that of [`rayon`] by default, or the one of a world.
//! Who wants one thread only says so by [`alone`]. Results are the same bits either way.

#[cfg(feature = "parallel")]
mod with_rayon {
    use std::cell::Cell;

    thread_local! {
        static IS_ALONE: Cell<bool> = const { Cell::new(false) };
    }

    /// Whether several threads are at hand, and wanted.
    pub(crate) fn is_shared() -> bool {
        !IS_ALONE.get() && rayon::current_num_threads() > 1
    }

    /// Does some work on this thread alone.
    pub(crate) fn alone<R>(work: impl FnOnce() -> R) -> R {
        // Also set back when the work panics.
        struct Before(bool);
        impl Drop for Before {
            fn drop(&mut self) {
                IS_ALONE.set(self.0);
            }
        }
        let _before = Before(IS_ALONE.replace(true));
        work()
    }
}

#[cfg(feature = "parallel")]
pub(crate) use with_rayon::{alone, is_shared};

/// Does some work: there is one thread only.
#[cfg(not(feature = "parallel"))]
pub(crate) fn alone<R>(work: impl FnOnce() -> R) -> R {
    work()
}
