//! The thread that writes, so that nobody else waits for the disk.
//!
//! Jobs on one file are done in the order in which they came; a text that still waits gives way
//! to a newer one for the same file. A write that the system refuses waits for the next job, for
//! [`Writer::flush`] or for the end, and is tried again then.
//!
//! The writer is the one gate to the disk: whatever is under a name is looked at before it is
//! replaced, so a newer version's file is never overwritten and a damaged one is never lost.

use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use super::atomic::{keep_aside, replace, retire, sync_folder};
use super::error::{IoCause, StoreError};
use super::notice::{Notice, Notices};
use super::read::{Content, FORMAT, judge, read};
use super::ticket::Completion;

/// What is to be done with a file.
#[derive(Clone, Debug)]
pub(super) enum Op {
    /// Replace its content.
    Write(Arc<str>),
    /// Make it the backup of itself: it is gone, but not lost.
    Retire,
    /// Keep it aside as a broken one.
    SetAside,
}

struct Job {
    path: PathBuf,
    op: Op,
    completions: Vec<Completion>,
    /// Tried and refused; waits for an occasion to be tried again.
    failed: bool,
}

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Job>,
    /// What is being done to the disk.
    in_flight: Option<(PathBuf, Op)>,
    /// Whether the thread is at work, on the disk or in a callback.
    busy: bool,
    /// By file, why the last attempt to change it failed.
    errors: BTreeMap<PathBuf, StoreError>,
    closing: bool,
}

impl Queue {
    fn retry(&mut self) {
        for job in &mut self.jobs {
            job.failed = false;
        }
    }

    fn next(&mut self) -> Option<Job> {
        let index = self.jobs.iter().position(|job| !job.failed)?;
        self.jobs.remove(index)
    }

    fn is_idle(&self) -> bool {
        !self.busy && self.jobs.iter().all(|job| job.failed)
    }
}

struct Shared {
    queue: Mutex<Queue>,
    /// Told of every change of the queue, to the thread and to whoever waits for it.
    changed: Condvar,
    /// Held by whoever looks at files and changes them by what he sees.
    disk: Mutex<()>,
    notices: Arc<Notices>,
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, queue: MutexGuard<'a, Queue>) -> MutexGuard<'a, Queue> {
        self.changed
            .wait(queue)
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// The handle on the thread. Dropping it writes what waits and ends the thread.
pub(super) struct Writer {
    shared: Arc<Shared>,
    /// Or why nothing is written.
    thread: Result<Option<JoinHandle<()>>, StoreError>,
}

impl Writer {
    /// Starts the thread.
    pub(super) fn start(notices: Arc<Notices>) -> Self {
        let mut writer =
            Self::refusing(StoreError::NoThread(IoCause::Other(String::new())), notices);
        let shared = Arc::clone(&writer.shared);
        writer.thread = std::thread::Builder::new()
            .name("store".to_owned())
            .spawn(move || run(&shared))
            .map(Some)
            .map_err(|error| StoreError::NoThread(IoCause::from(&error)));
        writer
    }

    /// A writer that writes nothing and says why.
    pub(super) fn refusing(why: StoreError, notices: Arc<Notices>) -> Self {
        let shared = Arc::new(Shared {
            queue: Mutex::default(),
            changed: Condvar::new(),
            disk: Mutex::default(),
            notices,
        });
        Self {
            shared,
            thread: Err(why),
        }
    }

    /// Why nothing at all is written, if so.
    pub(super) fn refusal(&self) -> Option<&StoreError> {
        self.thread.as_ref().err()
    }

    /// Puts a job on its way. Returns at once.
    pub(super) fn submit(&self, path: PathBuf, op: Op, completion: Completion) {
        if let Err(why) = &self.thread {
            completion.finish(Err(why.clone()));
            return;
        }
        let mut queue = self.shared.queue();
        queue.retry();
        let waiting = queue.jobs.iter_mut().rfind(|job| job.path == path);
        match (waiting, op) {
            (
                Some(Job {
                    op: Op::Write(old),
                    completions,
                    ..
                }),
                Op::Write(new),
            ) => {
                *old = new;
                completions.push(completion);
            }
            (_, op) => queue.jobs.push_back(Job {
                path,
                op,
                completions: vec![completion],
                failed: false,
            }),
        }
        drop(queue);
        self.shared.changed.notify_all();
    }

    /// Runs `look` while nothing on the disk changes; it gets what is on its way to `path`.
    pub(super) fn with_disk<T>(&self, path: &Path, look: impl FnOnce(Option<Op>) -> T) -> T {
        let _disk = self
            .shared
            .disk
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let pending = {
            let queue = self.shared.queue();
            let waiting = queue
                .jobs
                .iter()
                .rfind(|job| job.path == path)
                .map(|job| job.op.clone());
            waiting.or_else(|| {
                queue
                    .in_flight
                    .as_ref()
                    .filter(|(p, _)| p == path)
                    .map(|(_, op)| op.clone())
            })
        };
        look(pending)
    }

    /// What is on its way, oldest first.
    pub(super) fn pending(&self) -> Vec<(PathBuf, Op)> {
        let queue = self.shared.queue();
        let waiting = queue
            .jobs
            .iter()
            .map(|job| (job.path.clone(), job.op.clone()));
        queue.in_flight.iter().cloned().chain(waiting).collect()
    }

    /// Waits until everything is done or refused; gives, by file, why it is not as it should be.
    pub(super) fn flush(&self) -> Vec<StoreError> {
        let mut queue = self.shared.queue();
        if self.thread.is_ok() {
            queue.retry();
            self.shared.changed.notify_all();
            while !queue.is_idle() {
                queue = self.shared.wait(queue);
            }
        }
        queue.errors.values().cloned().collect()
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        let Ok(thread) = &mut self.thread else { return };
        let mut queue = self.shared.queue();
        queue.retry();
        queue.closing = true;
        drop(queue);
        self.shared.changed.notify_all();
        // A completion may hold the last handle: the thread cannot wait for itself, and need not.
        if let Some(thread) = thread
            .take()
            .filter(|thread| thread.thread().id() != std::thread::current().id())
            && thread.join().is_err()
        {
            tracing::error!("the writer ended by a panic");
        }
    }
}

/// What the thread does.
fn run(shared: &Shared) {
    loop {
        let mut queue = shared.queue();
        let job = loop {
            if let Some(job) = queue.next() {
                break job;
            }
            if queue.closing {
                return;
            }
            queue = shared.wait(queue);
        };
        queue.in_flight = Some((job.path.clone(), job.op.clone()));
        queue.busy = true;
        drop(queue);

        let result = {
            let _disk = shared.disk.lock().unwrap_or_else(PoisonError::into_inner);
            // A defect must cost one write at the most, never the thread and all later ones.
            catch_unwind(AssertUnwindSafe(|| {
                perform(&job.path, &job.op, &shared.notices)
            }))
            .unwrap_or_else(|_| {
                Err(StoreError::Defect {
                    path: job.path.clone(),
                })
            })
        };
        settle(shared, job, result);
    }
}

/// Puts a finished or refused job where it belongs and tells everybody.
fn settle(shared: &Shared, job: Job, result: Result<(), StoreError>) {
    let Job {
        path,
        op,
        completions,
        ..
    } = job;
    let mut queue = shared.queue();
    queue.in_flight = None;
    let notice = match &result {
        Ok(()) => queue
            .errors
            .remove(&path)
            .map(|_| Notice::WriteRecovered { path: path.clone() }),
        Err(error) => {
            let said = queue.errors.insert(path.clone(), error.clone());
            (said.as_ref() != Some(error)).then(|| failure(&path, error))
        }
    };
    let superseded = queue.jobs.iter().any(|job| job.path == path);
    if let (Err(error), Op::Write(_), false) = (&result, &op, superseded)
        && error.may_pass()
    {
        queue.jobs.push_front(Job {
            path,
            op,
            completions: Vec::new(),
            failed: true,
        });
    }
    drop(queue);
    if let Some(notice) = notice {
        match notice {
            // Loading may have said so already.
            Notice::Newer { .. } => shared.notices.push_once(notice),
            _ => shared.notices.push(notice),
        }
    }
    for completion in completions {
        let result = result.clone();
        if catch_unwind(AssertUnwindSafe(|| completion.finish(result))).is_err() {
            tracing::error!("a completion of a write panicked");
        }
    }
    shared.queue().busy = false;
    shared.changed.notify_all();
}

fn failure(path: &Path, error: &StoreError) -> Notice {
    match error {
        StoreError::Newer { path, found, known } => Notice::Newer {
            path: path.clone(),
            found: *found,
            known: *known,
        },
        _ => Notice::WriteFailed {
            path: path.to_owned(),
            error: error.clone(),
        },
    }
}

/// Does one job.
fn perform(path: &Path, op: &Op, notices: &Notices) -> Result<(), StoreError> {
    if let Op::Write(text) = op {
        // What we could not read again must not take the place of what we can.
        match judge(text) {
            Ok((_, FORMAT)) => {}
            Ok((_, found)) => {
                return Err(StoreError::Newer {
                    path: path.to_owned(),
                    found,
                    known: FORMAT,
                });
            }
            Err(damage) => {
                return Err(StoreError::BadText {
                    path: path.to_owned(),
                    damage,
                });
            }
        }
    }
    let refused = |error: std::io::Error| StoreError::Write {
        path: path.to_owned(),
        cause: IoCause::from(&error),
    };
    match (read(path), op) {
        (Content::Missing, Op::Write(text)) => {
            replace(path, text.as_bytes(), None).map_err(refused)
        }
        (Content::Missing, Op::Retire | Op::SetAside) => Ok(()),
        (Content::Sound { text: old, .. }, Op::Write(new)) if *old == **new => {
            // Nothing to change; and the backup stays the version before this one.
            path.parent().map_or(Ok(()), sync_folder).map_err(refused)
        }
        (Content::Sound { text: old, .. }, Op::Write(new)) => {
            replace(path, new.as_bytes(), Some(old.as_bytes())).map_err(refused)
        }
        (Content::Sound { .. }, Op::Retire) => retire(path).map_err(refused),
        (Content::Damaged(damage), Op::Write(_) | Op::Retire) => {
            let writes = matches!(op, Op::Write(_));
            let aside = keep_aside(path, !writes).map_err(refused)?;
            notices.push(Notice::Broken {
                path: path.to_owned(),
                damage,
                aside: Some(aside),
            });
            match op {
                Op::Write(text) => replace(path, text.as_bytes(), None).map_err(refused),
                Op::Retire | Op::SetAside => Ok(()),
            }
        }
        (Content::Sound { .. } | Content::Damaged(_) | Content::Newer { .. }, Op::SetAside) => {
            let aside = keep_aside(path, true).map_err(refused)?;
            notices.push(Notice::SetAside {
                path: path.to_owned(),
                aside,
            });
            Ok(())
        }
        (Content::Newer { found, .. }, Op::Write(_) | Op::Retire) => Err(StoreError::Newer {
            path: path.to_owned(),
            found,
            known: FORMAT,
        }),
        (Content::Unreadable(cause), _) => Err(StoreError::Read {
            path: path.to_owned(),
            cause,
        }),
    }
}
