//! The threads that work on an update.

use crate::error::Error;
use crate::sharing::alone;
#[cfg(feature = "parallel")]
use rayon::prelude::*;
#[cfg(feature = "parallel")]
use std::sync::Arc;

/// One thread, or several.
#[derive(Debug, Clone)]
pub(super) struct Threads {
    #[cfg(feature = "parallel")]
    pool: Option<Arc<rayon::ThreadPool>>,
}

#[cfg(feature = "parallel")]
impl Threads {
    /// That many threads; 0 for as many as the machine has.
    pub(super) fn new(count: usize) -> Result<Threads, Error> {
        if count == 1 {
            return Ok(Threads { pool: None });
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build();
        let pool = pool.map_err(|error| Error::Threads {
            message: error.to_string(),
        })?;
        Ok(Threads {
            pool: Some(Arc::new(pool)),
        })
    }

    /// Does some work that may be shared among these threads.
    pub(super) fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => alone(work),
        }
    }

    /// Whether there are several.
    pub(super) fn are_many(&self) -> bool {
        let pool = self.pool.as_ref();
        pool.is_some_and(|pool| pool.current_num_threads() > 1)
    }

    /// Does each piece of work, side by side; to be called within [`Threads::run`].
    pub(super) fn for_each<T: Send>(
        &self,
        pieces: impl Iterator<Item = T> + Send,
        work: impl Fn(T) + Sync + Send,
    ) {
        pieces.par_bridge().for_each(work);
    }
}

#[cfg(not(feature = "parallel"))]
impl Threads {
    /// Always one.
    pub(super) fn new(_count: usize) -> Result<Threads, Error> {
        Ok(Threads {})
    }

    pub(super) fn run<R>(&self, work: impl FnOnce() -> R) -> R {
        alone(work)
    }

    pub(super) fn are_many(&self) -> bool {
        false
    }

    pub(super) fn for_each<T>(&self, pieces: impl Iterator<Item = T>, work: impl Fn(T)) {
        pieces.for_each(work);
    }
}
