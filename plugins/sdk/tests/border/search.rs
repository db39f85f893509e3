//! The search: what it is asked for, what it reports, and how it is cancelled.

use std::ffi::c_void;
use std::mem::offset_of;
use std::ptr;
use std::sync::atomic::Ordering;

use qiju_sdk::abi::*;
use qiju_sdk::{place, plain};

use crate::caller::{NO_TEXT, Owned, TALLY, call, empty_report, params, start};
use crate::games::{ENDLESS, SEARCHING};

/// Runs one step of a search into a report.
fn step(params: &GpAiParams, budget_ms: u32, report: &mut GpAiReport) -> i32 {
    let state = Owned::new();
    let (code, job) = start(&TALLY, state.0, params);
    assert_eq!(code, GP_OK);
    // SAFETY: the job is alive until it is freed here; the report is ours.
    unsafe {
        let code = call!(TALLY, ai_step(job, budget_ms, report));
        call!(TALLY, ai_free(job));
        code
    }
}

#[test]
fn what_a_search_is_asked_for_arrives() {
    let asked = GpAiParams {
        threads: 3,
        flags: GP_AI_HINT | GP_AI_INFINITE | 1 << 20,
        node_limit: 1234,
        time_ms: 567,
        player: 1,
        ..params()
    };
    let mut report = empty_report();
    assert_eq!(step(&asked, 10, &mut report), GP_OK);
    assert_eq!((report.best, report.nodes), (place(1), 1234));
    assert_eq!((report.depth, report.win_permille), (33, 567));
    assert_eq!(
        (report.candidates_len, report.line_len, report.heat_len),
        (0, 0, 0)
    );
    assert_eq!(report.reserved, 0);

    // An older caller, whose struct ends before the seed: all the rest is zero.
    let older = GpAiParams {
        size: offset_of!(GpAiParams, seed) as u32,
        ..asked
    };
    assert_eq!(step(&older, 10, &mut report), GP_OK);
    assert_eq!((report.best, report.nodes), (place(0), 0));
    assert_eq!((report.depth, report.win_permille), (33, -1));

    // A newer one, whose struct goes on.
    #[repr(C)]
    struct Newer {
        known: GpAiParams,
        more: [u64; 4],
    }
    let newer = Newer {
        known: GpAiParams {
            size: size_of::<Newer>() as u32,
            ..asked
        },
        more: [u64::MAX; 4],
    };
    let state = Owned::new();
    let mut job = ptr::null_mut();
    let whole = (&raw const newer).cast();
    // SAFETY: the state is alive, and the struct is as long as it says.
    let code = unsafe { call!(TALLY, ai_start(state.0, whole, &raw mut job, NO_TEXT)) };
    assert_eq!(code, GP_OK);
    // SAFETY: the job is alive until it is freed here.
    unsafe {
        assert_eq!(call!(TALLY, ai_step(job, 10, &mut report)), GP_OK);
        call!(TALLY, ai_free(job));
    }
    assert_eq!((report.best, report.nodes), (place(1), 1234));
}

#[test]
fn a_search_that_is_not_done_says_so() {
    let mut report = empty_report();
    assert_eq!(step(&params(), 0, &mut report), GP_MORE);
    assert_eq!(report.best, place(0));
}

#[test]
fn a_report_is_filled_in_as_far_as_there_is_room() {
    for (room, asked) in [(0_usize, 5), (1, 5), (2, 5), (4, 3)] {
        let guard = GpCandidate {
            mv: plain(77),
            win_permille: -7,
            visits: 7,
        };
        let mut candidates = vec![guard; room + 2];
        let mut line = vec![plain(77); room + 2];
        let mut heat = vec![-7; room + 2];
        let mut report = GpAiReport {
            candidates_cap: room as u32,
            candidates: candidates.as_mut_ptr(),
            line_cap: room as u32,
            line: line.as_mut_ptr(),
            heat_cap: room as u32,
            heat: heat.as_mut_ptr(),
            ..empty_report()
        };
        let asked = GpAiParams {
            candidates: asked,
            ..params()
        };
        assert_eq!(step(&asked, 10, &mut report), GP_OK);
        let lens = (report.candidates_len, report.line_len, report.heat_len);
        let wanted = |len: usize| room.min(len) as u32;
        assert_eq!(
            lens,
            (wanted(asked.candidates.into()), wanted(3), wanted(2)),
            "room {room}"
        );
        assert!(
            candidates[lens.0 as usize..]
                .iter()
                .all(|one| *one == guard)
        );
        assert!(line[lens.1 as usize..].iter().all(|one| *one == plain(77)));
        assert!(heat[lens.2 as usize..].iter().all(|one| *one == -7));
        if room >= 2 {
            assert_eq!(
                (candidates[1].mv, line[1], &heat[..2]),
                (place(1), place(1), &[-1000, 1000][..])
            );
        }
    }
    // Too short for its array pointers.
    let mut short = empty_report();
    short.size = offset_of!(GpAiReport, candidates) as u32;
    assert_eq!(step(&params(), 10, &mut short), GP_E_ARGUMENT);
    assert_eq!(short.line_len, 7, "nothing is written");
    // A newer caller's is longer.
    #[repr(C)]
    struct Newer {
        known: GpAiReport,
        more: [u64; 2],
    }
    let mut newer = Newer {
        known: GpAiReport {
            size: size_of::<Newer>() as u32,
            ..empty_report()
        },
        more: [9; 2],
    };
    let state = Owned::new();
    let (_, job) = start(&TALLY, state.0, &params());
    // SAFETY: the job is alive until it is freed here; the report is as long as it says.
    unsafe {
        assert_eq!(
            call!(TALLY, ai_step(job, 10, (&raw mut newer).cast())),
            GP_OK
        );
        call!(TALLY, ai_free(job));
    }
    assert_eq!((newer.known.best, newer.more), (place(0), [9; 2]));
}

#[test]
fn another_thread_cancels_a_running_search() {
    /// A job that may be used from two threads as the ABI says.
    #[derive(Clone, Copy)]
    struct Shared(*mut c_void);
    // SAFETY: one thread steps, the other cancels; the ABI allows that.
    unsafe impl Send for Shared {}
    impl Shared {
        fn raw(self) -> *mut c_void {
            self.0
        }
    }

    let state = Owned::new();
    let endless = GpAiParams {
        seed: ENDLESS,
        player: 1,
        ..params()
    };
    let (_, job) = start(&TALLY, state.0, &endless);
    let job = Shared(job);
    let searcher = std::thread::spawn(move || {
        let mut report = empty_report();
        // SAFETY: the job is alive, and only this thread steps it.
        let code = unsafe { call!(TALLY, ai_step(job.raw(), 1, &mut report)) };
        // SAFETY: as above; once cancelled, a step returns at once.
        let again = unsafe { call!(TALLY, ai_step(job.raw(), 1, &mut report)) };
        (code, again, report.best)
    });
    while !SEARCHING.load(Ordering::Acquire) {
        std::thread::yield_now();
    }
    // SAFETY: the job is alive; it is freed after both threads are done with it.
    unsafe { call!(TALLY, ai_cancel(job.raw())) };
    let found = searcher.join().expect("no panic crosses the border");
    assert_eq!(found, (GP_OK, GP_OK, place(1)));
    // SAFETY: nobody uses it after this.
    unsafe { call!(TALLY, ai_free(job.raw())) };
}
