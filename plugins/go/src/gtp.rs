//! The Go Text Protocol, version 2: the game for programs such as Sabaki, GoGui and referees.
//!
//! The source is Gunnar Farnebäck's "Specification of the Go Text Protocol, version 2, draft 2"
//! (2002). A line is a command; every command is answered with `= result` or `? message`, and no
//! line, however wrong, ends the program. On top of it: `kgs-time_settings`, `kgs-rules` and
//! `kgs-genmove_cleanup` as KGS sends them, some of KataGo's commands, and the analysis of Leela
//! Zero and KataGo (`lz-analyze`, `kata-analyze` and their `genmove` forms), which report until the
//! next line comes.
//!
//! * [`Session`] is a game with its clocks and knows the commands; [`serve`] reads lines on a thread
//!   of its own and writes answers. [`clock`] says how long to think, [`analysis`] writes reports.

pub mod analysis;
pub mod clock;
mod commands;
mod engine;
mod line;

pub use engine::{Session, Settings};

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, TryRecvError};
use std::thread;
use std::time::Duration;

use line::Line;

/// The longest line that is read, in bytes; what is beyond it is dropped.
const MAX_LINE: usize = 1 << 16;

/// Lines that are read ahead while a command runs. With [`MAX_LINE`] it bounds the memory that input
/// can fill.
const MAX_LINES: usize = 64;

/// Lines that have come in, read on a thread of their own so that an analysis can be interrupted.
pub(crate) struct Input {
    lines: Receiver<Vec<u8>>,
    /// A line that interrupted something and has not been answered yet.
    pending: Option<Vec<u8>>,
    is_closed: bool,
}

impl Input {
    /// Reads `source` to its end.
    fn new(source: impl BufRead + Send + 'static) -> io::Result<Input> {
        let (sender, lines) = mpsc::sync_channel(MAX_LINES);
        thread::Builder::new()
            .name("gtp input".to_owned())
            .spawn(move || {
                let mut source = source;
                while let Ok(Some(line)) = read_line(&mut source) {
                    if sender.send(line).is_err() {
                        return;
                    }
                }
            })?;
        Ok(Input {
            lines,
            pending: None,
            is_closed: false,
        })
    }

    /// The next line, waited for; `None` at the end.
    fn next(&mut self) -> Option<Vec<u8>> {
        self.pending.take().or_else(|| self.lines.recv().ok())
    }

    /// Waits for a line for so long, without taking it. True if one is there or the end is.
    pub(crate) fn is_waiting(&mut self, time: Duration) -> bool {
        if self.pending.is_none() && !self.is_closed {
            let got = if time.is_zero() {
                self.lines.try_recv().map_err(|error| match error {
                    TryRecvError::Empty => RecvTimeoutError::Timeout,
                    TryRecvError::Disconnected => RecvTimeoutError::Disconnected,
                })
            } else {
                self.lines.recv_timeout(time)
            };
            match got {
                Ok(line) => self.pending = Some(line),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => self.is_closed = true,
            }
        }
        self.pending.is_some() || self.is_closed
    }
}

/// One line without its end; `None` at the end of the source.
fn read_line(source: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let mut any = false;
    loop {
        let chunk = match source.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if chunk.is_empty() {
            return Ok(any.then_some(line));
        }
        any = true;
        let end = chunk.iter().position(|&b| b == b'\n');
        let part = chunk.get(..end.unwrap_or(chunk.len())).unwrap_or(chunk);
        let room = MAX_LINE.saturating_sub(line.len());
        line.extend(part.iter().take(room));
        let used = part.len() + usize::from(end.is_some());
        source.consume(used);
        if end.is_some() {
            return Ok(Some(line));
        }
    }
}

/// Answers the lines of `source` on `sink` until `quit` or the end of the source.
///
/// # Errors
/// Writing failed (the other side has closed the pipe, say), or no thread could be started.
pub fn serve(
    settings: Settings,
    source: impl BufRead + Send + 'static,
    sink: &mut impl Write,
) -> io::Result<()> {
    let mut input = Input::new(source)?;
    let mut session = Session::new(settings).map_err(io::Error::other)?;
    while let Some(bytes) = input.next() {
        let Some(line) = Line::read(&bytes) else {
            continue;
        };
        if session.answer(&line, &mut input, sink)? {
            return Ok(());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
