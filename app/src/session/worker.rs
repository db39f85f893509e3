//! The opponent's thread: one search at a time, cancelled at any moment.
//!
//! A search has a generation number. What arrives from an older one than the
//! newest is stale and is dropped, so that a cancelled search can never move.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use crate::plugins::{AiParams, AiReport, Canceller, Game, GameError};

/// Milliseconds between two reports of a running search.
const STEP_MS: u32 = 100;

/// What a search says.
#[derive(Debug)]
pub enum News {
    /// It goes on and knows this much.
    Thinking(AiReport),
    /// It is done: `best` is the answer.
    Done(AiReport),
    /// It failed.
    Failed(GameError),
}

/// Wakes the thread that owns the [`Worker`]; called on the search's thread.
pub type Wake = Box<dyn Fn() + Send>;

/// The opponent's thread as its owner sees it.
pub struct Worker {
    sender: Sender<(u64, News)>,
    receiver: Receiver<(u64, News)>,
    generation: u64,
    running: Option<Running>,
}

struct Running {
    canceller: Canceller,
    /// `None` only while the thread is being joined.
    thread: Option<JoinHandle<()>>,
}

impl Default for Worker {
    fn default() -> Self {
        let (sender, receiver) = channel();
        Self {
            sender,
            receiver,
            generation: 0,
            running: None,
        }
    }
}

impl Worker {
    /// Begins a search over a copy of the state; one that runs is cancelled.
    ///
    /// # Errors
    /// The game does not begin a search here.
    pub fn start(&mut self, game: &Game, params: &AiParams, wake: Wake) -> Result<(), GameError> {
        self.cancel();
        let mut job = game.start_ai(params)?;
        let canceller = job.canceller();
        let generation = self.generation;
        let sender = self.sender.clone();
        let search = move || {
            loop {
                let news = match job.step(STEP_MS) {
                    Ok((true, report)) => News::Done(report),
                    Ok((false, report)) => News::Thinking(report),
                    Err(error) => News::Failed(error),
                };
                let last = !matches!(news, News::Thinking(_));
                // The owner is gone: nobody wants the answer.
                if sender.send((generation, news)).is_err() {
                    return;
                }
                wake();
                if last {
                    return;
                }
            }
        };
        let thread = std::thread::Builder::new()
            .name("opponent".to_owned())
            .spawn(search)
            .map_err(|_| GameError::Resource)?;
        self.running = Some(Running {
            canceller,
            thread: Some(thread),
        });
        Ok(())
    }

    /// Whether a search runs whose answer is awaited.
    pub fn thinking(&self) -> bool {
        self.running.is_some()
    }

    /// Stops the search; what it still says is dropped. Does not wait for its thread.
    pub fn cancel(&mut self) {
        self.generation += 1;
        if let Some(running) = self.running.take() {
            running.canceller.cancel();
        }
    }

    /// The next news of the present search, if there is any.
    pub fn news(&mut self) -> Option<News> {
        while let Ok(message) = self.receiver.try_recv() {
            if let Some(news) = self.sort(message) {
                return Some(news);
            }
        }
        None
    }

    /// Waits for the next news of the present search; `None` if none runs.
    /// For tests and for commands without a window.
    pub fn wait(&mut self) -> Option<News> {
        while self.running.is_some() {
            let message = self.receiver.recv().ok()?;
            if let Some(news) = self.sort(message) {
                return Some(news);
            }
        }
        None
    }

    /// Drops what is stale, and lets go of a search that has ended.
    fn sort(&mut self, (generation, news): (u64, News)) -> Option<News> {
        if generation != self.generation {
            return None;
        }
        if !matches!(news, News::Thinking(_))
            && let Some(mut running) = self.running.take()
            && let Some(thread) = running.thread.take()
            // It has sent its last word and only leaves its function.
            && thread.join().is_err()
        {
            tracing::error!("the opponent's thread panicked");
        }
        Some(news)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.cancel();
    }
}
