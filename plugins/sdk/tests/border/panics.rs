//! Games that panic, and what is freed.

use std::ptr;

use qiju_sdk::abi::*;
use qiju_sdk::{place, plain};

use crate::caller::{
    BROKEN, MINE, NO_TEXT, Owned, TALLY, borrowed, call, empty_report, fill_struct, params, start,
    state, text,
};
use crate::games::live;

#[test]
fn a_panic_becomes_a_code() {
    let s = state(&MINE);
    let en = borrowed("en");
    let mut need = 0;
    let mut mv = plain(0);
    let mut copy = ptr::dangling_mut();
    // SAFETY: the states and jobs are alive until they are ended here, and every pointer is valid for its call.
    unsafe {
        let (cells, values) = (ptr::null_mut(), ptr::null_mut());
        for (name, code) in [
            ("clone", call!(MINE, clone(s, &raw mut copy))),
            ("layout", text(|out| call!(MINE, layout(s, en, out))).0),
            (
                "view",
                call!(MINE, view(s, 0, GP_NONE, cells, 0, &raw mut need)),
            ),
            (
                "status",
                fill_struct(80, |out| call!(MINE, status(s, out.cast()))).0,
            ),
            (
                "status_text",
                text(|out| call!(MINE, status_text(s, 0, en, out))).0,
            ),
            (
                "moves",
                call!(MINE, moves(s, GP_NONE, ptr::null_mut(), 0, &raw mut need)),
            ),
            ("apply", call!(MINE, apply(s, place(0), ptr::null_mut()))),
            (
                "explain",
                text(|out| call!(MINE, explain(s, place(0), en, out))).0,
            ),
            (
                "move_text",
                text(|out| call!(MINE, move_text(s, place(0), out))).0,
            ),
            (
                "parse_move",
                call!(MINE, parse_move(s, en, &raw mut mv, NO_TEXT)),
            ),
            (
                "move_label",
                text(|out| call!(MINE, move_label(s, place(0), en, out))).0,
            ),
            (
                "overlay",
                call!(MINE, overlay(s, 0, 0, values, 0, &raw mut need)),
            ),
            (
                "level_result",
                call!(MINE, level_result(s, 0, 0, ptr::null_mut())),
            ),
            (
                "ai_start",
                start(
                    &MINE,
                    s,
                    &GpAiParams {
                        level: 1,
                        ..params()
                    },
                )
                .0,
            ),
            ("describe", text(|out| call!(BROKEN, describe(en, out))).0),
            (
                "create",
                call!(BROKEN, create(en, 1, en, &raw mut copy, NO_TEXT)),
            ),
            (
                "write_record",
                text(|out| call!(BROKEN, write_record(en, en, out, NO_TEXT))).0,
            ),
            (
                "read_record",
                text(|out| call!(BROKEN, read_record(en, en, out, NO_TEXT))).0,
            ),
            ("level", text(|out| call!(BROKEN, level(0, en, out))).0),
        ] {
            assert_eq!(code, GP_E_PANIC, "{name}");
        }
        assert!(copy.is_null(), "a call that panicked leaves no object");

        let (code, job) = start(&MINE, s, &params());
        assert_eq!(code, GP_OK);
        assert_eq!(
            call!(MINE, ai_step(job, 1, &mut empty_report())),
            GP_E_PANIC
        );
        // These two panic inside, and have no code to give.
        call!(MINE, ai_free(job));
        call!(MINE, destroy(s));
    }
}

#[test]
fn a_clone_is_independent_and_every_state_is_freed() {
    assert_eq!(live(), 0);
    {
        let original = Owned::new();
        original.apply(place(0));
        let mut copy = ptr::null_mut();
        // SAFETY: the state is alive.
        let code = unsafe { call!(TALLY, clone(original.0, &raw mut copy)) };
        assert_eq!(code, GP_OK);
        let copy = Owned(copy);
        assert_eq!(live(), 2);
        copy.apply(place(1));
        assert_eq!((original.pieces(), copy.pieces()), (vec![1, 0], vec![1, 1]));
        drop(original);
        assert_eq!(copy.pieces(), [1, 1]);
    }
    assert_eq!(live(), 0);
}
