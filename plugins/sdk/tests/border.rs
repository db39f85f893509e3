//! The border, from the caller's side: small games, called through their vtable
//! with buffers that are too small, pointers that are null, structs of other
//! versions, text that is no text, and games that panic.
//!
//! `common/mod.rs` holds the games and the safe wrappers of the calls.

mod common;

use std::ffi::c_void;
use std::mem::offset_of;
use std::ptr;
use std::sync::atomic::Ordering;

use qiju_sdk::abi::*;
use qiju_sdk::export::vtable;
use qiju_sdk::place;

use common::{
    Broken, CALLED, Mine, Tally, borrowed, bytes_of, empty_report, empty_status, live, params,
    resign, state, text,
};

const TALLY: GamePlugin = vtable::<Tally>();

/// Every function of a game that gives text, on a state of it.
fn text_calls(state: GpState) -> Vec<(&'static str, Box<dyn Fn(*mut GpText) -> i32>)> {
    let zh = borrowed("zh");
    // SAFETY: in all of these, `out` is valid for the call, and the state is alive.
    unsafe {
        vec![
            ("describe", Box::new(move |out| (TALLY.describe.unwrap())(zh, out))),
            ("layout", Box::new(move |out| (TALLY.layout.unwrap())(state, zh, out))),
            ("status_text", Box::new(move |out| (TALLY.status_text.unwrap())(state, 0, zh, out))),
            ("explain", Box::new(move |out| (TALLY.explain.unwrap())(state, resign(), zh, out))),
            ("move_text", Box::new(move |out| (TALLY.move_text.unwrap())(state, place(1), out))),
            ("move_label", Box::new(move |out| (TALLY.move_label.unwrap())(state, place(1), zh, out))),
            (
                "write_record",
                Box::new(move |out| {
                    (TALLY.write_record.unwrap())(borrowed("raw"), borrowed("字"), out, ptr::null_mut())
                }),
            ),
            (
                "read_record",
                Box::new(move |out| {
                    (TALLY.read_record.unwrap())(borrowed("raw"), borrowed("字"), out, ptr::null_mut())
                }),
            ),
            ("level", Box::new(move |out| (TALLY.level.unwrap())(0, zh, out))),
        ]
    }
}
