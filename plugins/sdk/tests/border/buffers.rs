//! Buffers that are too small, and structs of other versions.

use std::ffi::c_void;
use std::mem::offset_of;
use std::ptr;

use qiju_sdk::abi::*;
use qiju_sdk::{place, plain};

use crate::caller::{
    CANARY, NO_TEXT, Owned, TALLY, borrowed, call, call_with, fill_struct, resign,
};

/// A function that gives text, waiting for its buffer.
type TextCall = Box<dyn Fn(*mut GpText) -> i32>;

/// Every function of the vtable that gives text. The state must outlive them.
fn text_calls(state: GpState) -> Vec<(&'static str, TextCall)> {
    let (zh, raw, word) = (borrowed("zh"), borrowed("raw"), borrowed("字"));
    // SAFETY: in all of these, `out` is null or valid for the call, and the state is alive.
    unsafe {
        vec![
            (
                "describe",
                Box::new(move |out| call!(TALLY, describe(zh, out))),
            ),
            (
                "layout",
                Box::new(move |out| call!(TALLY, layout(state, zh, out))),
            ),
            (
                "status_text",
                Box::new(move |out| call!(TALLY, status_text(state, 0, zh, out))),
            ),
            (
                "explain",
                Box::new(move |out| call!(TALLY, explain(state, resign(), zh, out))),
            ),
            (
                "move_text",
                Box::new(move |out| call!(TALLY, move_text(state, place(1), out))),
            ),
            (
                "move_label",
                Box::new(move |out| call!(TALLY, move_label(state, place(1), zh, out))),
            ),
            (
                "write",
                Box::new(move |out| call!(TALLY, write_record(raw, word, out, NO_TEXT))),
            ),
            (
                "read",
                Box::new(move |out| call!(TALLY, read_record(raw, word, out, NO_TEXT))),
            ),
            (
                "level",
                Box::new(move |out| call!(TALLY, level(0, zh, out))),
            ),
        ]
    }
}

#[test]
fn a_text_buffer_that_is_too_small_reports_the_need() {
    let state = Owned::new();
    for (name, call) in text_calls(state.0) {
        let (code, need, _) = call_with(0, &call);
        assert_eq!(code, GP_E_BUFFER, "{name}");
        assert!(need > 0, "{name}");
        let need = need as usize;
        let (code, told, _) = call_with(need - 1, &call);
        assert_eq!((code, told), (GP_E_BUFFER, need as u64), "{name}");
        let (code, told, exact) = call_with(need, &call);
        assert_eq!((code, told), (GP_OK, need as u64), "{name}");
        assert!(std::str::from_utf8(&exact).is_ok(), "{name}");
        let (code, told, ample) = call_with(need + 32, &call);
        assert_eq!((code, told), (GP_OK, need as u64), "{name}");
        assert_eq!(ample[..need], exact, "{name}");
        assert!(ample[need..].iter().all(|byte| *byte == CANARY), "{name}");

        // A capacity without a buffer.
        let mut hollow = GpText {
            ptr: ptr::null_mut(),
            cap: 1 << 20,
            len: 0,
        };
        assert_eq!(call(&raw mut hollow), GP_E_ARGUMENT, "{name}");
        assert_eq!(call(NO_TEXT), GP_E_ARGUMENT, "{name}");
    }
}

#[test]
fn an_empty_text_needs_no_buffer() {
    let state = Owned::new();
    // SAFETY: the state is alive.
    let (code, len, _) = call_with(0, |out| unsafe {
        call!(TALLY, explain(state.0, place(0), borrowed("en"), out))
    });
    assert_eq!((code, len), (GP_OK, 0));
}

#[test]
fn an_array_that_is_too_small_reports_the_need() {
    fn check<T: Copy + PartialEq + std::fmt::Debug>(
        guard: T,
        call: impl Fn(*mut T, u64, *mut u64) -> i32,
    ) -> Vec<T> {
        let run = |cap: usize| {
            let mut items = vec![guard; cap + 4];
            let mut need = u64::MAX;
            let code = call(items.as_mut_ptr(), cap as u64, &raw mut need);
            assert!(
                items[cap..].iter().all(|item| *item == guard),
                "written behind the array"
            );
            items.truncate(cap);
            (code, need, items)
        };
        let (code, need, _) = run(0);
        assert_eq!((code, need), (GP_E_BUFFER, 2));
        let (code, need, items) = run(1);
        assert_eq!((code, need), (GP_E_BUFFER, 2));
        assert_eq!(items, [guard], "written though the array is too small");
        let (code, need, exact) = run(2);
        assert_eq!((code, need), (GP_OK, 2));
        let (code, need, ample) = run(3);
        assert_eq!((code, need, &ample[..2]), (GP_OK, 2, &exact[..]));

        let mut need = 0;
        assert_eq!(call(ptr::null_mut(), 0, &raw mut need), GP_E_BUFFER);
        assert_eq!(call(ptr::null_mut(), 2, &raw mut need), GP_E_ARGUMENT);
        assert_eq!(call(ptr::null_mut(), 2, ptr::null_mut()), GP_E_ARGUMENT);
        exact
    }
    let state = Owned::new();
    let s = state.0;
    let guard = GpCell {
        number: -7,
        ..GpCell::default()
    };
    // SAFETY: here and below, the state is alive, and `check` gives room for `cap` items.
    let cells = check(guard, |out, cap, need| unsafe {
        call!(TALLY, view(s, GP_VIEWER_PUBLIC, 1, out, cap, need))
    });
    assert_eq!(
        (cells[0].mark, cells[1].mark),
        (GP_MARK_CROSS, GP_MARK_CROSS)
    );
    assert_eq!((cells[0].flags, cells[1].flags), (0, GP_CELL_SELECTED));
    // SAFETY: as above.
    let moves = check(plain(77), |out, cap, need| unsafe {
        call!(TALLY, moves(s, GP_NONE, out, cap, need))
    });
    assert_eq!(moves, [place(0), place(1)]);
    // SAFETY: as above.
    let values = check(-7, |out, cap, need| unsafe {
        call!(TALLY, overlay(s, 0, GP_VIEWER_PUBLIC, out, cap, need))
    });
    assert_eq!(values, [GP_OVERLAY_NONE, 7]);

    // No moves begin on a cell of this game: an empty array needs no room.
    let mut need = 9;
    // SAFETY: as above.
    let code = unsafe { call!(TALLY, moves(s, 0, ptr::null_mut(), 0, &raw mut need)) };
    assert_eq!((code, need), (GP_OK, 0));
}

#[test]
fn a_struct_of_another_version_is_filled_in_as_far_as_both_know_it() {
    let state = Owned::new();
    for _ in 0..4 {
        assert_eq!(state.apply(place(0)).0, GP_OK);
    }
    let s = state.0;
    // SAFETY: the state is alive, and the memory is as long as it says.
    let status = |out: *mut c_void| unsafe { call!(TALLY, status(s, out.cast())) };
    // SAFETY: as above.
    let result = |out: *mut c_void| unsafe { call!(TALLY, level_result(s, 0, 0, out.cast())) };
    let check = |full: usize, sizes: &[usize], call: &dyn Fn(*mut c_void) -> i32| {
        let (_, expected) = fill_struct(full, call);
        for &size in sizes {
            let (code, memory) = fill_struct(size, call);
            assert_eq!(code, GP_OK, "{size} bytes");
            assert_eq!(
                memory[..4],
                (size as u32).to_ne_bytes(),
                "the caller's size stays"
            );
            let both = size.min(full);
            assert_eq!(memory[4..both], expected[4..both], "{size} bytes");
            assert!(
                memory[both..].iter().all(|byte| *byte == CANARY),
                "{size} bytes"
            );
        }
        for size in 0..4 {
            assert_eq!(fill_struct(size, call).0, GP_E_ARGUMENT, "{size} bytes");
        }
        expected
    };
    let full = size_of::<GpStatus>();
    let outcome = offset_of!(GpStatus, outcome);
    let memory = check(full, &[4, outcome, outcome + 1, full, full + 8], &status);
    assert_eq!(
        memory[outcome..outcome + 2],
        GP_OUTCOME_PASSED.to_ne_bytes()
    );
    let key = offset_of!(GpStatus, key);
    assert_eq!(
        memory[key..key + 8],
        0x0123_4567_89AB_CDEF_u64.to_ne_bytes()
    );

    let full = size_of::<GpLevelResult>();
    let stars = offset_of!(GpLevelResult, stars);
    let memory = check(full, &[4, stars, full, full + 8], &result);
    assert_eq!(
        memory[stars..stars + 4],
        3_u32.to_ne_bytes(),
        "never more than three stars"
    );
}
