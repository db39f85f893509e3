//! What the app logs on a test's own thread.

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use tracing::subscriber::DefaultGuard;

/// Keeps what this thread logs, as long as it lives.
pub struct Log {
    text: Arc<Mutex<Vec<u8>>>,
    _guard: DefaultGuard,
}

impl Log {
    /// Begins to keep what this thread logs at the level that the app keeps by default.
    pub fn start() -> Self {
        let text = Arc::new(Mutex::new(Vec::new()));
        let sink = Sink(text.clone());
        let subscriber = tracing_subscriber::fmt()
            .with_max_level(tracing::Level::INFO)
            .with_ansi(false)
            .without_time()
            .with_writer(move || sink.clone())
            .finish();
        Self {
            text,
            _guard: tracing::subscriber::set_default(subscriber),
        }
    }

    /// Whether some line contains `part`.
    pub fn has(&self, part: &str) -> bool {
        self.text().lines().any(|line| line.contains(part))
    }

    /// Everything that was logged.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.text.lock().unwrap_or_else(PoisonError::into_inner))
            .into_owned()
    }
}

#[derive(Clone)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
