//! Null pointers, text that is not UTF-8, error codes and error texts.

use std::ffi::c_void;
use std::ptr;

use qiju_sdk::abi::*;
use qiju_sdk::{place, plain};

use crate::caller::{
    CANARY, NO_TEXT, Owned, TALLY, borrowed, borrowed_bytes, call, call_with, empty_report, params,
    resign, start, text,
};
use crate::games::{ODD_EN, ODD_ZH};

#[test]
fn null_pointers_are_refused_or_ignored() {
    let state = Owned::new();
    let (s, none) = (state.0, ptr::null_mut::<c_void>());
    let (en, nowhere) = (
        borrowed("en"),
        GpStr {
            ptr: ptr::null(),
            len: 3,
        },
    );
    let asked = params();
    let mut made = ptr::dangling_mut();
    let mut mv = plain(0);
    let mut need = 0_u64;
    let mut bytes = [0_u8; 2048];
    let mut buffer = GpText {
        ptr: bytes.as_mut_ptr(),
        cap: 2048,
        len: 0,
    };
    let out = &raw mut buffer;
    // SAFETY: every pointer is null, which is what is tested, or valid for the call.
    unsafe {
        for (name, code) in [
            ("describe", call!(TALLY, describe(nowhere, out))),
            (
                "create",
                call!(TALLY, create(nowhere, 1, en, &raw mut made, out)),
            ),
            (
                "create",
                call!(TALLY, create(en, 1, en, ptr::null_mut(), out)),
            ),
            ("clone", call!(TALLY, clone(none, &raw mut made))),
            ("clone", call!(TALLY, clone(s, ptr::null_mut()))),
            ("layout", call!(TALLY, layout(none, en, out))),
            (
                "view",
                call!(
                    TALLY,
                    view(none, 0, GP_NONE, ptr::null_mut(), 0, &raw mut need)
                ),
            ),
            ("status", call!(TALLY, status(none, ptr::null_mut()))),
            ("status", call!(TALLY, status(s, ptr::null_mut()))),
            ("status_text", call!(TALLY, status_text(none, 0, en, out))),
            (
                "moves",
                call!(
                    TALLY,
                    moves(none, GP_NONE, ptr::null_mut(), 0, &raw mut need)
                ),
            ),
            (
                "apply",
                call!(TALLY, apply(none, place(0), ptr::null_mut())),
            ),
            ("explain", call!(TALLY, explain(none, place(0), en, out))),
            ("move_text", call!(TALLY, move_text(none, place(0), out))),
            (
                "parse_move",
                call!(TALLY, parse_move(none, en, &raw mut mv, out)),
            ),
            (
                "parse_move",
                call!(TALLY, parse_move(s, nowhere, &raw mut mv, out)),
            ),
            (
                "parse_move",
                call!(TALLY, parse_move(s, en, ptr::null_mut(), out)),
            ),
            (
                "move_label",
                call!(TALLY, move_label(none, place(0), en, out)),
            ),
            (
                "write_record",
                call!(TALLY, write_record(nowhere, en, out, NO_TEXT)),
            ),
            (
                "read_record",
                call!(TALLY, read_record(en, nowhere, out, NO_TEXT)),
            ),
            (
                "ai_start",
                call!(TALLY, ai_start(none, &raw const asked, &raw mut made, out)),
            ),
            (
                "ai_start",
                call!(TALLY, ai_start(s, ptr::null(), &raw mut made, out)),
            ),
            (
                "ai_start",
                call!(TALLY, ai_start(s, &raw const asked, ptr::null_mut(), out)),
            ),
            (
                "ai_step",
                call!(TALLY, ai_step(none, 1, &mut empty_report())),
            ),
            (
                "overlay",
                call!(
                    TALLY,
                    overlay(none, 0, 0, ptr::null_mut(), 0, &raw mut need)
                ),
            ),
            (
                "level_result",
                call!(TALLY, level_result(none, 0, 0, ptr::null_mut())),
            ),
        ] {
            assert_eq!(code, GP_E_ARGUMENT, "{name}");
        }
        assert!(made.is_null(), "a refused call leaves no object");
        call!(TALLY, destroy(none));
        call!(TALLY, ai_cancel(none));
        call!(TALLY, ai_free(none));

        // `events` and `err` may be null.
        assert_eq!(call!(TALLY, apply(s, place(0), ptr::null_mut())), GP_OK);
        let code = call!(TALLY, parse_move(s, en, &raw mut mv, NO_TEXT));
        assert_eq!(code, GP_E_PARSE);

        let (_, job) = start(&TALLY, s, &asked);
        assert_eq!(
            call!(TALLY, ai_step(job, 1, ptr::null_mut())),
            GP_E_ARGUMENT
        );
        call!(TALLY, ai_free(job));
    }
    assert_eq!(state.pieces(), [1, 0]);
}

#[test]
fn text_that_is_not_utf8_is_refused() {
    let state = Owned::new();
    let s = state.0;
    let (bad, en) = (borrowed_bytes(b"a\xffb"), borrowed("en"));
    let mut made = ptr::null_mut();
    let mut mv = plain(0);
    // SAFETY: every pointer is valid for the call.
    unsafe {
        for code in [
            call!(TALLY, create(bad, 1, en, &raw mut made, NO_TEXT)),
            call!(TALLY, create(en, 1, bad, &raw mut made, NO_TEXT)),
            call!(TALLY, parse_move(s, bad, &raw mut mv, NO_TEXT)),
            text(|out| call!(TALLY, describe(bad, out))).0,
            text(|out| call!(TALLY, layout(s, bad, out))).0,
            text(|out| call!(TALLY, write_record(borrowed("raw"), bad, out, NO_TEXT))).0,
            text(|out| call!(TALLY, read_record(bad, en, out, NO_TEXT))).0,
        ] {
            assert_eq!(code, GP_E_ARGUMENT);
        }
        // The bytes of a file may be anything: what could be read comes with the error.
        let mut bytes = [0_u8; 64];
        let mut err = GpText {
            ptr: bytes.as_mut_ptr(),
            cap: 64,
            len: 0,
        };
        let (code, partial) =
            text(|out| call!(TALLY, read_record(borrowed("raw"), bad, out, &raw mut err)));
        assert_eq!((code, partial.as_str()), (GP_E_PARSE, "a"));
        assert_eq!(&bytes[..err.len as usize], b"column 2");
    }
    assert!(made.is_null());
}

#[test]
fn errors_have_their_own_codes() {
    let state = Owned::new();
    let s = state.0;
    let create = |options: &str, lang: &str| {
        let mut made = ptr::dangling_mut();
        // SAFETY: every pointer is valid for the call.
        let result = text(|err| unsafe {
            call!(
                TALLY,
                create(borrowed(options), 1, borrowed(lang), &raw mut made, err)
            )
        });
        assert!(made.is_null(), "a refused create leaves no state");
        result
    };
    assert_eq!(create("limit = ", "en").0, GP_E_PARSE);
    let (code, why) = create("limit = 10", "en");
    assert_eq!(code, GP_E_OPTION);
    assert!(why.starts_with("limit: "), "{why}");
    assert_eq!(
        create("limit = 3", "zh-CN"),
        (GP_E_OPTION, format!("limit：{ODD_ZH}"))
    );
    assert_eq!(
        create("limit = 3", "fr"),
        (GP_E_OPTION, format!("limit: {ODD_EN}"))
    );

    let (code, events) = state.apply(resign());
    assert_eq!((code, events), (GP_E_ILLEGAL, 0));
    assert_eq!(state.pieces(), [0, 0]);
    assert_eq!(state.apply(place(1)), (GP_OK, GP_EVENT_PLACE));

    let odd = borrowed("odd");
    let mut need = 0;
    // SAFETY: the state is alive, and every pointer is valid for the call or null where it may be.
    unsafe {
        let values = ptr::null_mut();
        for (name, code) in [
            (
                "overlay",
                call!(TALLY, overlay(s, 1, 0, values, 0, &raw mut need)),
            ),
            ("level", text(|out| call!(TALLY, level(1, odd, out))).0),
            (
                "write",
                text(|out| call!(TALLY, write_record(odd, odd, out, NO_TEXT))).0,
            ),
            (
                "read",
                text(|out| call!(TALLY, read_record(odd, odd, out, NO_TEXT))).0,
            ),
            (
                "result",
                call!(TALLY, level_result(s, 0, 0, ptr::null_mut())),
            ),
        ] {
            assert_eq!(code, GP_E_UNSUPPORTED, "{name}");
        }
        let no_level = GpAiParams {
            level: 5,
            ..params()
        };
        let mut job = ptr::dangling_mut();
        let (code, why) = text(|err| call!(TALLY, ai_start(s, &no_level, &raw mut job, err)));
        assert_eq!((code, why.as_str()), (GP_E_ARGUMENT, "没有第 5 级"));
        assert!(job.is_null());
    }
}

#[test]
fn an_error_text_is_cut_between_characters() {
    let state = Owned::new();
    let mut mv = plain(0);
    // SAFETY: the state is alive; `err` is valid for the call.
    let mut ask =
        |err| unsafe { call!(TALLY, parse_move(state.0, borrowed("x"), &raw mut mv, err)) };
    let whole = "没有这一格";
    for cap in 0..whole.len() + 3 {
        let (code, len, bytes) = call_with(cap, &mut ask);
        assert_eq!(
            code, GP_E_PARSE,
            "an error text that does not fit changes no code"
        );
        let written = std::str::from_utf8(&bytes[..len as usize]).expect("whole characters");
        assert!(whole.starts_with(written));
        assert_eq!(written.len(), whole.floor_char_boundary(cap), "cap {cap}");
        assert!(bytes[len as usize..].iter().all(|byte| *byte == CANARY));
    }
    let mut hollow = GpText {
        ptr: ptr::null_mut(),
        cap: 100,
        len: 55,
    };
    assert_eq!(ask(&raw mut hollow), GP_E_PARSE);
    assert_eq!(hollow.len, 0);
}
