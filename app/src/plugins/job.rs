//! A search of a game's opponent, behind safe methods.

use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::{Arc, Mutex, PoisonError};

use qiju_abi::{GP_AI_HINT, GP_AI_INFINITE, GP_MORE, GpAiParams, GpAiReport, GpCandidate, GpMove};

use super::buffer::{ErrorText, check, failure};
use super::game::{Board, no_move};
use super::layout::MAX_CELLS;
use super::vtable::AiVtable;
use super::{Game, GameError};

/// Most candidates that a report can have.
const MAX_CANDIDATES: u16 = 1_024;
/// Most moves of a report's expected line.
const MAX_LINE: usize = 128;
/// A sure win, in permille.
const CERTAIN: i32 = 1_000;

/// What a search is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AiParams {
    /// Index into the levels of the description.
    pub level: u32,
    /// Threads to use; 0 or 1: one. With more than one the result may differ from run to run.
    pub threads: u32,
    /// Seed of everything random.
    pub seed: u64,
    /// Nodes or play-outs at the most; 0: what the level says.
    pub node_limit: u64,
    /// Milliseconds at the most; 0: no limit of time.
    pub time_ms: u64,
    /// The player whom the search serves.
    pub player: u16,
    /// Candidates wanted in the report at the most.
    pub candidates: u16,
    /// For teaching: as well as time allows, whatever the level, and never resign.
    pub hint: bool,
    /// Search until cancelled or out of time.
    pub infinite: bool,
}

/// What a search knows so far. Cells of all moves are known to be on the board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AiReport {
    /// The move that it would play now; the answer, once the search is done.
    pub best: Option<GpMove>,
    /// Chance to win for the searching player, 0–1000.
    pub win_permille: i32,
    /// Nodes or play-outs so far.
    pub nodes: u64,
    /// Plies looked ahead along the main line.
    pub depth: u32,
    /// Moves looked at, best first.
    pub candidates: Vec<GpCandidate>,
    /// The line that it expects, `best` first.
    pub line: Vec<GpMove>,
    /// Per cell −1000–1000, for the second player … for the first; empty if it has none.
    pub heat: Vec<i32>,
}

/// A running search over a copy of a state. Dropping it frees it; it outlives
/// the game that it was started from.
pub struct Job {
    shared: Arc<Shared>,
    board: Board,
    /// Candidates that were asked for.
    room: usize,
    panicked: bool,
}

/// What a job shares with those who may cancel it.
struct Shared {
    ai: AiVtable,
    /// The library's pointer; none once the job has been freed. The lock keeps
    /// `ai_cancel` from running beside `ai_free`; `ai_step` does not take it.
    job: Mutex<Option<RawJob>>,
}

#[derive(Clone, Copy)]
struct RawJob(NonNull<c_void>);

// SAFETY: by the ABI a job may be used from any thread; `Job::step` takes
// `&mut self`, so there is one step at a time, and `Shared::job` orders the rest.
unsafe impl Send for RawJob {}

impl std::fmt::Debug for Job {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Job").finish_non_exhaustive()
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        // The lock is released before the call: nobody who cancels waits for a slow `ai_free`.
        let raw = self.shared.lock().take();
        if let Some(raw) = raw {
            // SAFETY: the job is alive; no step runs, because we own it; no cancel runs or can
            // begin, because that takes the lock and finds the pointer gone.
            unsafe { (self.shared.ai.free)(raw.0.as_ptr()) };
        }
    }
}

impl Shared {
    fn lock(&self) -> std::sync::MutexGuard<'_, Option<RawJob>> {
        // Nothing that holds the lock can leave it half done.
        self.job.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Job {
    pub(super) fn start(game: &Game, params: &AiParams) -> Result<Self, GameError> {
        let ai = game.plugin().vtable().ai.ok_or(GameError::Unsupported)?;
        let flag = |set: bool, bit: u32| if set { bit } else { 0 };
        let candidates = params.candidates.min(MAX_CANDIDATES);
        let raw_params = GpAiParams {
            size: size_of::<GpAiParams>() as u32,
            level: params.level,
            threads: params.threads,
            flags: flag(params.hint, GP_AI_HINT) | flag(params.infinite, GP_AI_INFINITE),
            seed: params.seed,
            node_limit: params.node_limit,
            time_ms: params.time_ms,
            player: params.player,
            candidates,
            reserved: 0,
        };
        let mut err = ErrorText::new();
        let mut job = std::ptr::null_mut();
        // SAFETY: the state is alive, and all pointers are valid for the call.
        let code = unsafe {
            (ai.start)(
                game.raw(),
                &raw const raw_params,
                &raw mut job,
                err.as_out(),
            )
        };
        if code != qiju_abi::GP_OK {
            return Err(failure("ai_start", code, &err.read()));
        }
        let job = NonNull::new(job)
            .ok_or_else(|| GameError::BadOutput("ai_start gave no job".to_owned()))?;
        Ok(Self {
            shared: Arc::new(Shared {
                ai,
                job: Mutex::new(Some(RawJob(job))),
            }),
            board: game.board(),
            room: usize::from(candidates),
            panicked: false,
        })
    }

    /// Searches for about `budget_ms` and reports; true once the search is done
    /// and `best` is its answer.
    ///
    /// # Errors
    /// [`GameError::Panicked`], then and ever after; any failure of the game.
    pub fn step(&mut self, budget_ms: u32) -> Result<(bool, AiReport), GameError> {
        if self.panicked {
            return Err(GameError::Panicked);
        }
        let result = self.step_unguarded(budget_ms);
        self.panicked = matches!(result, Err(GameError::Panicked));
        result
    }

    fn step_unguarded(&mut self, budget_ms: u32) -> Result<(bool, AiReport), GameError> {
        let Some(raw) = *self.shared.lock() else {
            return Err(GameError::Panicked);
        };
        let nothing = GpCandidate {
            mv: no_move(),
            win_permille: 0,
            visits: 0,
        };
        let mut candidates = vec![nothing; self.room];
        let mut line = vec![no_move(); MAX_LINE];
        let mut heat = vec![0; self.board.cells.min(MAX_CELLS)];
        let mut report = GpAiReport {
            size: size_of::<GpAiReport>() as u32,
            candidates_cap: candidates.len() as u32,
            candidates_len: 0,
            line_cap: line.len() as u32,
            line_len: 0,
            heat_cap: heat.len() as u32,
            heat_len: 0,
            win_permille: 0,
            best: no_move(),
            nodes: 0,
            depth: 0,
            reserved: 0,
            candidates: candidates.as_mut_ptr(),
            line: line.as_mut_ptr(),
            heat: heat.as_mut_ptr(),
        };
        // SAFETY: the job is alive until `self` is dropped, `&mut self` makes this the only
        // step, and the report's arrays have the room that it says.
        let code = unsafe { (self.shared.ai.step)(raw.0.as_ptr(), budget_ms, &raw mut report) };
        let done = code != GP_MORE;
        if done {
            check("ai_step", code)?;
        }
        shrink("candidates", &mut candidates, report.candidates_len)?;
        shrink("line", &mut line, report.line_len)?;
        shrink("heat", &mut heat, report.heat_len)?;
        if !heat.is_empty() && heat.len() != self.board.cells {
            return Err(GameError::BadOutput(format!(
                "ai_step has {} values of heat and layout {} cells",
                heat.len(),
                self.board.cells
            )));
        }
        let best = (report.best.kind != 0).then_some(report.best);
        best.iter()
            .chain(&line)
            .chain(candidates.iter().map(|candidate| &candidate.mv))
            .try_for_each(|mv| self.board.check("ai_step", *mv))?;
        let permille = |win: i32| win.clamp(0, CERTAIN);
        for candidate in &mut candidates {
            candidate.win_permille = permille(candidate.win_permille);
        }
        Ok((
            done,
            AiReport {
                best,
                win_permille: permille(report.win_permille),
                nodes: report.nodes,
                depth: report.depth,
                candidates,
                line,
                heat,
            },
        ))
    }

    /// Something that can stop this job from any thread.
    pub fn canceller(&self) -> Canceller {
        Canceller {
            shared: Arc::clone(&self.shared),
        }
    }
}

/// Cuts an array to the length that the game says it wrote.
fn shrink<T>(what: &str, items: &mut Vec<T>, len: u32) -> Result<(), GameError> {
    if len as usize > items.len() {
        return Err(GameError::BadOutput(format!(
            "ai_step claims {len} of {what} in a buffer of {}",
            items.len()
        )));
    }
    items.truncate(len as usize);
    Ok(())
}

/// Stops a job from any thread, at any time, also after the job has been freed.
#[derive(Clone)]
pub struct Canceller {
    shared: Arc<Shared>,
}

impl std::fmt::Debug for Canceller {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Canceller").finish_non_exhaustive()
    }
}

impl Canceller {
    /// Makes a running step return within 50 ms and all later ones at once.
    pub fn cancel(&self) {
        let job = self.shared.lock();
        if let Some(raw) = *job {
            // SAFETY: the job is alive while the lock is held; `ai_cancel` may run beside a step.
            unsafe { (self.shared.ai.cancel)(raw.0.as_ptr()) };
        }
    }
}
