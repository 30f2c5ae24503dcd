//! Whether work is shared among threads.
//!
//! Work that is large enough is shared out in the thread pool it runs in: that of [`rayon`] by default, or the one of a world.
//! Who wants one thread only says so by [`alone`]. Results are the same bits either way.
//!
//! A frame is shared out stage by stage, and some of it is done by one thread. The others sleep after some microseconds without work, and to wake
//! one takes fifty or more, for each stage again; a thread outside of the pool sleeps and is woken, too. Where that counts, a
//! frame is done [`together`]: one thread of the pool leads through all stages, and the others stay awake as long as something comes soon.

#[cfg(feature = "parallel")]
mod with_rayon {
    use rayon::Yield;
    use std::cell::Cell;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread::LocalKey;

    /// No more threads than this stay awake: waking them is work for the one that leads.
    const MOST_AWAKE: usize = 8;

    /// So often a thread looks for work in vain, some hundred microseconds in all, before it may sleep.
    const PATIENCE: usize = 1 << 11;

    thread_local! {
        static IS_ALONE: Cell<bool> = const { Cell::new(false) };
        /// Whether this thread leads through some work, or stays awake for it.
        static IS_TOGETHER: Cell<bool> = const { Cell::new(false) };
    }

    /// Sets a flag of this thread while it lives, also when the work panics.
    struct Flagged(&'static LocalKey<Cell<bool>>, bool);

    impl Flagged {
        fn new(flag: &'static LocalKey<Cell<bool>>) -> Flagged {
            Flagged(flag, flag.replace(true))
        }
    }

    impl Drop for Flagged {
        fn drop(&mut self) {
            self.0.set(self.1);
        }
    }

    /// Whether several threads are at hand, and wanted.
    pub(crate) fn is_shared() -> bool {
        !IS_ALONE.get() && rayon::current_num_threads() > 1
    }

    /// Does some work on this thread alone.
    pub(crate) fn alone<R>(work: impl FnOnce() -> R) -> R {
        let _alone = Flagged::new(&IS_ALONE);
        work()
    }

    /// Does some work, parts of which are shared among threads, on one thread of their pool, while others stay awake; if that is worth
    /// while.
    #[inline(always)]
    pub(crate) fn together<R: Send>(is_worth_while: bool, work: impl FnOnce() -> R + Send) -> R {
        if is_worth_while { lead(work) } else { work() }
    }

    /// Does some work on one thread of the pool, while others stay awake, unless that is so already or nothing is shared.
    #[inline(never)]
    fn lead<R: Send>(work: impl FnOnce() -> R + Send) -> R {
        if !is_shared() || IS_TOGETHER.get() {
            return work();
        }
        // A scope is a way into the pool. Those that stay awake do not belong to it: they may take up work of others, which nobody here should
        // have to wait for.
        rayon::scope(|_| {
            let done = Done::default();
            let _leading = Flagged::new(&IS_TOGETHER);
            for _ in 1..rayon::current_num_threads().min(MOST_AWAKE) {
                let is_done = Arc::clone(&done.0);
                rayon::spawn(move || stay_awake(&is_done));
            }
            work()
        })
    }

    /// Says that it is done when it is dropped, also when the work panics.
    #[derive(Default)]
    struct Done(Arc<AtomicBool>);

    impl Drop for Done {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }

    /// Works on whatever there is, until all is done or nothing came for long. Whoever takes it up while waiting for something else is
    /// not kept for good.
    fn stay_awake(is_done: &AtomicBool) {
        if IS_TOGETHER.get() {
            return;
        }
        let _awake = Flagged::new(&IS_TOGETHER);
        let mut vain = 0;
        while vain < PATIENCE && !is_done.load(Ordering::Relaxed) {
            if rayon::yield_now() == Some(Yield::Executed) {
                vain = 0;
            } else {
                vain += 1;
                std::hint::spin_loop();
            }
        }
    }
}

#[cfg(feature = "parallel")]
pub(crate) use with_rayon::{alone, is_shared, together};

/// Does some work: there is one thread only.
#[cfg(not(feature = "parallel"))]
pub(crate) fn alone<R>(work: impl FnOnce() -> R) -> R {
    work()
}

/// Does some work: there is one thread only.
#[cfg(not(feature = "parallel"))]
pub(crate) fn together<R>(_is_worth_while: bool, work: impl FnOnce() -> R) -> R {
    work()
}

#[cfg(all(test, feature = "parallel"))]
mod tests {
    use super::{alone, together};
    use rayon::prelude::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::thread;

    fn pool(threads: usize) -> rayon::ThreadPool {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().expect("threads can be started")
    }

    /// Stages that are shared, stages that are not, and work within work: it ends, every time, with all that was to be done.
    #[test]
    fn stages_are_done_together() {
        for threads in 1..=4 {
            let pool = pool(threads);
            for frame in 0..50_u64 {
                let sum = together_in(&pool, || {
                    let stages = (0..5).map(|stage| {
                        let within = together(true, || frame + stage);
                        let parts = (0..64_u64).into_par_iter();
                        parts.map(|part| part + within).sum::<u64>()
                    });
                    stages.sum::<u64>()
                });
                assert_eq!(sum, 5 * 64 * 63 / 2 + 64 * (5 * frame + 10));
            }
        }
    }

    fn together_in<R: Send>(pool: &rayon::ThreadPool, work: impl FnOnce() -> R + Send) -> R {
        pool.install(|| together(true, work))
    }

    #[test]
    fn what_is_not_to_be_shared_stays_on_its_thread() {
        let here = thread::current().id();
        let there = || thread::current().id();
        assert_eq!(together(false, there), here);
        assert_eq!(alone(|| together(true, there)), here);
    }

    #[test]
    fn a_panic_passes_and_leaves_nothing_behind() {
        let pool = pool(2);
        for _ in 0..3 {
            let failed = catch_unwind(AssertUnwindSafe(|| {
                together_in(&pool, || panic!("on purpose"));
            }));
            assert!(failed.is_err());
            let sum: i32 = together_in(&pool, || (0..100).into_par_iter().sum());
            assert_eq!(sum, 4950);
        }
    }
}
