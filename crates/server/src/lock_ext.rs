//! Locks that are held for a moment and never across a wait. A thread that died over one has left plain
//! data behind: whoever comes next goes on with it.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locking without a second thought.
pub trait LockExt<T> {
    /// The locked value.
    fn locked(&self) -> MutexGuard<'_, T>;
}

impl<T> LockExt<T> for Mutex<T> {
    fn locked(&self) -> MutexGuard<'_, T> {
        self.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
