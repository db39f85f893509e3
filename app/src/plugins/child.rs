//! This program as a child of its own: started again, listened to, and its end explained.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;

/// Bytes after which a line of a child's output is broken.
const MAX_LINE: u64 = 64 * 1024;

/// How this program is started again.
#[derive(Clone, Debug)]
pub struct SelfExec {
    /// Its file.
    pub exe: PathBuf,
    /// Arguments that come before the command.
    pub prefix: Vec<OsString>,
}

impl SelfExec {
    /// The process, with its arguments still to be added and its output to be read.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.exe);
        command
            .args(&self.prefix)
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        command
    }
}

/// Listens to a child's output line by line, of which it may write any amount
/// without being held up. What `read` makes of the lines can be received; the
/// channel closes at the end of the output.
pub fn listen<T: Send + 'static>(
    child: &mut Child,
    mut read: impl FnMut(&str) -> Option<T> + Send + 'static,
) -> mpsc::Receiver<T> {
    let (sender, receiver) = mpsc::channel();
    if let Some(stdout) = child.stdout.take() {
        std::thread::spawn(move || {
            let mut reader = BufReader::new(stdout);
            let mut bytes = Vec::new();
            // An error of the pipe ends the output like its end does.
            while matches!(
                reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes),
                Ok(1..)
            ) {
                let line = String::from_utf8_lossy(&bytes);
                if let Some(item) = read(line.trim_end_matches(['\n', '\r'])) {
                    // Where nobody waits any more the rest is read all the same: a full pipe
                    // would hold the child up.
                    let _ = sender.send(item);
                }
                bytes.clear();
            }
        });
    }
    receiver
}

/// Writes text to the parent, beginning on a new line and in one piece, because
/// a plugin may write to the same output.
pub fn tell(text: &str) {
    let text = format!("\n{text}\n");
    let mut stdout = std::io::stdout().lock();
    if let Err(error) = stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
    {
        tracing::error!(%error, "the parent cannot be told");
    }
}

/// The name of the signal that ended a process, or its exit code.
pub fn how_it_ended(status: ExitStatus) -> String {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        if let Some(signal) = status.signal() {
            let name = match signal {
                4 => "SIGILL",
                5 => "SIGTRAP",
                6 => "SIGABRT",
                8 => "SIGFPE",
                9 => "SIGKILL",
                11 => "SIGSEGV",
                // Linux and macOS differ only here.
                7 if cfg!(target_os = "linux") => "SIGBUS",
                10 if cfg!(target_os = "macos") => "SIGBUS",
                15 => "SIGTERM",
                _ => return format!("signal {signal}"),
            };
            return name.to_owned();
        }
    }
    match status.code() {
        // A crash on Windows: an NTSTATUS such as 0xc0000005.
        Some(code) if cfg!(windows) && code < 0 => format!("exception {code:#010x}"),
        Some(code) => format!("exit code {code}"),
        None => "no exit code".to_owned(),
    }
}
