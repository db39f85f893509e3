//! How somebody learns that a write is done.

use std::fmt;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use super::error::StoreError;

/// What is called, on the writer's thread, when a write is done or refused.
///
/// It must not wait for the store: the thread that it would wait for is its own.
pub type Callback = Box<dyn FnOnce(Result<(), StoreError>) + Send>;

#[derive(Default)]
struct Slot {
    result: Mutex<Option<Result<(), StoreError>>>,
    done: Condvar,
}

/// Follows one write. "Done" is when that text or a newer one for the same file is on the disk,
/// or when the system refused. Dropping a ticket changes nothing.
#[derive(Clone)]
pub struct Ticket(Arc<Slot>);

impl Ticket {
    /// A ticket, and what finishes it.
    pub(super) fn new(callback: Option<Callback>) -> (Self, Completion) {
        let slot = Arc::new(Slot::default());
        (Self(Arc::clone(&slot)), Completion { slot, callback })
    }

    /// A ticket of something that failed before it began.
    pub(super) fn failed(error: StoreError, callback: Option<Callback>) -> Self {
        let (ticket, completion) = Self::new(callback);
        completion.finish(Err(error));
        ticket
    }

    /// Whether the write is done or refused.
    pub fn is_done(&self) -> bool {
        self.result().is_some()
    }

    /// How it went; `None` while it is on its way.
    pub fn result(&self) -> Option<Result<(), StoreError>> {
        self.0
            .result
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Waits until the write is done. Not for the thread of the screens, nor for a [`Callback`].
    ///
    /// # Errors
    /// Why the text is not on the disk.
    pub fn wait(&self) -> Result<(), StoreError> {
        let mut result = self.0.result.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(result) = &*result {
                return result.clone();
            }
            result = self
                .0
                .done
                .wait(result)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl fmt::Debug for Ticket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Ticket").field(&self.result()).finish()
    }
}

/// The writer's end of a [`Ticket`].
pub(super) struct Completion {
    slot: Arc<Slot>,
    callback: Option<Callback>,
}

impl Completion {
    /// Finishes the ticket, then calls back: whoever is called finds the ticket done.
    pub(super) fn finish(self, result: Result<(), StoreError>) {
        *self
            .slot
            .result
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Some(result.clone());
        self.slot.done.notify_all();
        if let Some(callback) = self.callback {
            callback(result);
        }
    }
}
