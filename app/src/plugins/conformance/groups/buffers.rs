//! The caller's buffers: too small gives the need, and nothing outside is touched.

use std::ffi::c_void;

use qiju_abi::{
    GP_E_BUFFER, GP_OK, GP_OVERLAY_NONE, GP_VIEWER_PUBLIC, GpAiParams, GpAiReport, GpCandidate,
    GpCell, GpLevelResult, GpMove, GpStatus, GpText,
};

use super::Check;
use crate::plugins::buffer::borrowed;
use crate::plugins::conformance::subject::{Checked, Fault, Subject, ensure, passed, skipped};
use crate::plugins::game::no_move;
use crate::plugins::{Game, Lang};

pub const CHECKS: &[Check] = &[
    ("buffers/texts", texts),
    ("buffers/arrays", arrays),
    ("buffers/errors", errors),
    ("buffers/structs", structs),
    ("buffers/report", report),
];

/// Items behind each buffer that must stay as they are.
const GUARD: usize = 256;
/// What guarded bytes hold.
const CANARY: u8 = 0xa5;

/// A text function of the game, waiting for its buffer.
type TextCall<'a> = (&'static str, Box<dyn Fn(*mut GpText) -> i32 + 'a>);

/// Every function that gives text, with arguments under which it does.
fn text_calls<'a>(game: &'a Game, legal: GpMove) -> Vec<TextCall<'a>> {
    let vtable = game.plugin().vtable();
    let state = game.raw().cast_const();
    let zh = Lang::Zh.tag();
    let mut calls: Vec<TextCall<'a>> = vec![
        (
            "describe",
            // SAFETY: `out` is valid for the call, here and below.
            Box::new(move |out| unsafe { (vtable.describe)(borrowed(zh), out) }),
        ),
        (
            "layout",
            // SAFETY: as above, and the state is alive as long as `game`, here and below.
            Box::new(move |out| unsafe { (vtable.layout)(state, borrowed(zh), out) }),
        ),
        (
            "status_text",
            // SAFETY: as above.
            Box::new(move |out| unsafe {
                (vtable.status_text)(state, GP_VIEWER_PUBLIC, borrowed(zh), out)
            }),
        ),
        (
            "explain",
            // SAFETY: as above.
            Box::new(move |out| unsafe { (vtable.explain)(state, no_move(), borrowed(zh), out) }),
        ),
        (
            "move_text",
            // SAFETY: as above.
            Box::new(move |out| unsafe { (vtable.move_text)(state, legal, out) }),
        ),
        (
            "move_label",
            // SAFETY: as above.
            Box::new(move |out| unsafe { (vtable.move_label)(state, legal, borrowed(zh), out) }),
        ),
    ];
    if let (Some(tally), Ok(Some(_))) = (vtable.tally, game.tally(GP_VIEWER_PUBLIC, Lang::Zh)) {
        calls.push((
            "tally",
            // SAFETY: as above.
            Box::new(move |out| unsafe { tally(state, GP_VIEWER_PUBLIC, borrowed(zh), out) }),
        ));
    }
    if let (Some(level), true) = (vtable.level, game.plugin().describe(Lang::En).ladder > 0) {
        calls.push((
            "level",
            // SAFETY: as above.
            Box::new(move |out| unsafe { level(0, borrowed(zh), out) }),
        ));
    }
    calls
}

/// Calls with a buffer of `cap` bytes: the code, the reported length, and what
/// was written. The guard behind the buffer must be whole.
fn call_text(
    name: &str,
    cap: usize,
    call: &dyn Fn(*mut GpText) -> i32,
) -> Result<(i32, u64, Vec<u8>), Fault> {
    let mut bytes = vec![CANARY; cap + GUARD];
    let mut text = GpText {
        ptr: match cap {
            0 => std::ptr::null_mut(),
            _ => bytes.as_mut_ptr(),
        },
        cap: cap as u64,
        len: 0,
    };
    let code = call(&raw mut text);
    ensure!(
        bytes.iter().skip(cap).all(|byte| *byte == CANARY),
        "{name} writes behind a buffer of {cap} bytes"
    );
    ensure!(
        text.cap == cap as u64,
        "{name} changes the capacity of a buffer"
    );
    bytes.truncate(cap);
    Ok((code, text.len, bytes))
}

/// Texts: nothing, one byte less than needed, just enough, and more.
fn texts(subject: &Subject<'_>) -> Checked {
    let game = subject.default_game(1)?;
    let Some(legal) = game.moves(None)?.first().copied() else {
        return Err(Fault("a new game has no legal move".to_owned()));
    };
    let calls = text_calls(&game, legal);
    for (name, call) in &calls {
        let (code, need, _) = call_text(name, 0, call.as_ref())?;
        ensure!(
            code == GP_E_BUFFER && need > 0 && need < u64::from(u32::MAX),
            "{name} without a buffer gives code {code} and the need {need} instead of GP_E_BUFFER"
        );
        let need = need as usize;
        let (code, told, _) = call_text(name, need - 1, call.as_ref())?;
        ensure!(
            code == GP_E_BUFFER && told == need as u64,
            "{name} with {} bytes of {need} gives code {code} and the need {told}",
            need - 1
        );
        let (code, told, exact) = call_text(name, need, call.as_ref())?;
        ensure!(
            code == GP_OK && told == need as u64,
            "{name} with the {need} bytes that it asked for gives code {code} and the length {told}"
        );
        let (code, told, mut ample) = call_text(name, need + GUARD, call.as_ref())?;
        ample.truncate(need);
        ensure!(
            code == GP_OK && told == need as u64 && ample == exact,
            "{name} with more bytes than it asked for gives code {code}, the length {told} or another text"
        );
    }
    passed(format!("{} functions", calls.len()))
}

/// Tries one function that gives an array.
fn array<T: Copy + PartialEq>(
    name: &str,
    canary: T,
    call: impl Fn(*mut T, u64, *mut u64) -> i32,
) -> Result<(), Fault> {
    let run = |cap: usize| -> Result<(i32, u64, Vec<T>), Fault> {
        let mut items = vec![canary; cap + GUARD];
        let mut need = u64::MAX;
        let out = match cap {
            0 => std::ptr::null_mut(),
            _ => items.as_mut_ptr(),
        };
        let code = call(out, cap as u64, &raw mut need);
        ensure!(
            items.iter().skip(cap).all(|item| *item == canary),
            "{name} writes behind a buffer of {cap} items"
        );
        items.truncate(cap);
        Ok((code, need, items))
    };
    let (code, need, _) = run(0)?;
    ensure!(
        code == GP_E_BUFFER && need > 0 && need < u64::from(u32::MAX),
        "{name} without a buffer gives code {code} and the need {need} instead of GP_E_BUFFER"
    );
    let need = need as usize;
    let (code, told, _) = run(need - 1)?;
    ensure!(
        code == GP_E_BUFFER && told == need as u64,
        "{name} with room for {} of {need} gives code {code} and the need {told}",
        need - 1
    );
    let (code, told, exact) = run(need)?;
    ensure!(
        code == GP_OK && told == need as u64,
        "{name} with the room that it asked for gives code {code} and the need {told}"
    );
    let (code, told, mut ample) = run(need + GUARD)?;
    ample.truncate(need);
    ensure!(
        code == GP_OK && told == need as u64 && ample == exact,
        "{name} with more room than it asked for gives code {code}, the need {told} or other items"
    );
    Ok(())
}

/// Arrays: nothing, one item less than needed, just enough, and more.
fn arrays(subject: &Subject<'_>) -> Checked {
    let game = subject.default_game(1)?;
    let vtable = game.plugin().vtable();
    let state = game.raw().cast_const();
    let cell = GpCell {
        piece: 0xa5a5,
        mark: 0xa5a5,
        flags: 0xa5a5_a5a5,
        number: -7,
        tint: 0xa5a5_a5a5,
    };
    let none = qiju_abi::GP_NONE;
    array("view", cell, |out, cap, need| {
        // SAFETY: the state is alive, and `out` has room for `cap` items, here and below.
        unsafe { (vtable.view)(state, 0, none, out, cap, need) }
    })?;
    let mv = GpMove {
        kind: 0xa5a5,
        from: 0xa5a5,
        to: 0xa5a5,
        arg: 0xa5a5,
    };
    array("moves", mv, |out, cap, need| {
        // SAFETY: as above.
        unsafe { (vtable.moves)(state, none, out, cap, need) }
    })?;
    let overlays = subject.describe().overlays.len() as u32;
    let overlay = vtable.overlay.filter(|_| overlays > 0);
    if let Some(overlay) = overlay {
        for index in 0..overlays {
            array("overlay", GP_OVERLAY_NONE + 1, |out, cap, need| {
                // SAFETY: as above.
                unsafe { overlay(state, index, 0, out, cap, need) }
            })?;
        }
    }
    passed(format!("{} functions", 2 + u32::from(overlay.is_some())))
}

/// Error texts are cut to their buffer, between characters.
fn errors(subject: &Subject<'_>) -> Checked {
    let game = subject.default_game(1)?;
    let vtable = game.plugin().vtable();
    let state = game.raw().cast_const();
    let mut calls: Vec<TextCall<'_>> = vec![(
        "create",
        Box::new(move |err| {
            let mut out = std::ptr::null_mut();
            let (options, zh) = (borrowed("= 3"), borrowed(Lang::Zh.tag()));
            // SAFETY: all pointers are valid for the call.
            let code = unsafe { (vtable.create)(options, 1, zh, &raw mut out, err) };
            // SAFETY: null, or a state that nobody else has; null is ignored.
            unsafe { (vtable.destroy)(out) };
            code
        }),
    )];
    calls.push((
        "parse_move",
        Box::new(move |err| {
            let mut mv = no_move();
            let text = borrowed("\u{1}这不是一步棋");
            // SAFETY: the state is alive, and all pointers are valid for the call.
            unsafe { (vtable.parse_move)(state, text, &raw mut mv, err) }
        }),
    ));
    for (name, call) in &calls {
        let mut whole = Vec::new();
        for cap in [4096, 0, 1, 2, 3, 4, 5, 7, 11, 64] {
            let (code, len, mut bytes) = call_text(name, cap, call.as_ref())?;
            ensure!(
                code < 0 && code != GP_E_BUFFER,
                "{name} with nonsense and room for {cap} bytes of error text gives code {code}"
            );
            ensure!(
                len <= cap as u64,
                "{name} claims an error text of {len} bytes in {cap}"
            );
            bytes.truncate(len as usize);
            ensure!(
                std::str::from_utf8(&bytes).is_ok(),
                "the error text of {name} is cut within a character at {cap} bytes"
            );
            if whole.is_empty() {
                whole = bytes;
                ensure!(!whole.is_empty(), "{name} gives no error text");
            } else {
                ensure!(
                    whole.starts_with(&bytes),
                    "the error text of {name} is another in a buffer of {cap} bytes"
                );
            }
        }
        let code = call(std::ptr::null_mut());
        ensure!(
            code < 0,
            "{name} with nonsense and no error text gives code {code}"
        );
    }
    passed(format!("{} functions", calls.len()))
}

/// Lets a function fill a growing struct that says `size` bytes, and gives
/// the memory: `size` bytes and a guard.
fn fill_struct(size: usize, call: impl FnOnce(*mut c_void) -> i32) -> (i32, Vec<u8>) {
    // 64-bit words, so that the struct is aligned.
    let words = (size + GUARD).div_ceil(8);
    let mut memory = vec![u64::from_ne_bytes([CANARY; 8]); words];
    let pointer = memory.as_mut_ptr();
    // SAFETY: the memory is longer than a u32 and aligned for it.
    unsafe { pointer.cast::<u32>().write(size as u32) };
    let code = call(pointer.cast());
    (
        code,
        memory.iter().flat_map(|word| word.to_ne_bytes()).collect(),
    )
}

/// Structs: a caller with an older or newer version of them gets what it knows.
fn structs(subject: &Subject<'_>) -> Checked {
    let mut game = subject.default_game(1)?;
    let vtable = *game.plugin().vtable();
    let state = game.raw();
    try_sizes(
        "status",
        size_of::<GpStatus>(),
        std::mem::offset_of!(GpStatus, outcome),
        // SAFETY: the state is alive, and the memory is as long as it says.
        |out| unsafe { (vtable.status)(state, out.cast()) },
    )?;
    let Some(level_result) = vtable
        .level_result
        .filter(|_| subject.describe().ladder > 0)
    else {
        return passed("status");
    };
    if !subject.describe().resign {
        return passed("status; nobody can resign to finish a level");
    }
    if game.status()?.to_move == qiju_abi::GP_NONE {
        return passed("status; nobody can resign in a new game");
    }
    game.apply(GpMove {
        kind: qiju_abi::GP_MOVE_RESIGN,
        ..no_move()
    })?;
    try_sizes(
        "level_result",
        size_of::<GpLevelResult>(),
        std::mem::offset_of!(GpLevelResult, stars),
        // SAFETY: as above.
        |out| unsafe { level_result(state, 0, 0, out.cast()) },
    )?;
    passed("status, level_result")
}

fn try_sizes(
    name: &str,
    full: usize,
    older: usize,
    call: impl Fn(*mut c_void) -> i32,
) -> Result<(), Fault> {
    let newer = full + 16;
    let (_, expected) = fill_struct(full, &call);
    for size in [full, older, newer] {
        let (code, memory) = fill_struct(size, &call);
        ensure!(
            code == GP_OK,
            "{name} into a struct of {size} bytes gives code {code}"
        );
        ensure!(
            memory.iter().skip(size).all(|byte| *byte == CANARY),
            "{name} writes behind a struct of {size} bytes"
        );
        let fields = size_of::<u32>()..size.min(full);
        ensure!(
            memory.get(fields.clone()) == expected.get(fields),
            "{name} into a struct of {size} bytes gives something else than into one of {full}"
        );
        let told = memory.first_chunk().map(|bytes| u32::from_ne_bytes(*bytes));
        ensure!(
            told == Some(size as u32),
            "{name} changes the size that the caller set"
        );
    }
    Ok(())
}

/// A search's report fills each array as far as it has room.
fn report(subject: &Subject<'_>) -> Checked {
    let game = subject.default_game(1)?;
    let ai = game.plugin().vtable().ai;
    let Some(ai) = ai.filter(|_| subject.plugin.has_ai()) else {
        return skipped("the game has no opponent");
    };
    let player = game.status()?.to_move;
    if player == qiju_abi::GP_NONE {
        return skipped("nobody is to move in a new game");
    }
    for room in [0_usize, 1, 3] {
        let mut job = std::ptr::null_mut();
        let params = GpAiParams {
            size: size_of::<GpAiParams>() as u32,
            level: 0,
            threads: 1,
            flags: 0,
            seed: 1,
            node_limit: 40,
            time_ms: 0,
            player,
            // More than there is room for: the room counts.
            candidates: 8,
            reserved: 0,
        };
        let state = game.raw().cast_const();
        // SAFETY: the state is alive, all pointers are valid for the call, and the error text may be null.
        let code =
            unsafe { (ai.start)(state, &raw const params, &raw mut job, std::ptr::null_mut()) };
        ensure!(code == GP_OK, "ai_start gives code {code}");
        let verdict = step_into(room, |out| {
            // SAFETY: the job is alive, and the report's arrays have the room that it says.
            unsafe { (ai.step)(job, 1_000, out) }
        });
        // SAFETY: the job is alive, and not used after this.
        unsafe { (ai.free)(job) };
        verdict?;
    }
    passed("room for 0, 1 and 3")
}

fn step_into(room: usize, step: impl FnOnce(*mut GpAiReport) -> i32) -> Result<(), Fault> {
    let mv = GpMove {
        kind: 0xa5a5,
        from: 0xa5a5,
        to: 0xa5a5,
        arg: 0xa5a5,
    };
    let candidate = GpCandidate {
        mv,
        win_permille: -7,
        visits: 7,
    };
    let mut candidates = vec![candidate; room + GUARD];
    let mut line = vec![mv; room + GUARD];
    let mut heat = vec![i32::MIN + 7; room + GUARD];
    fn pointer<T>(items: &mut [T], room: usize) -> *mut T {
        match room {
            0 => std::ptr::null_mut(),
            _ => items.as_mut_ptr(),
        }
    }
    let cap = room as u32;
    let mut report = GpAiReport {
        size: size_of::<GpAiReport>() as u32,
        candidates_cap: cap,
        candidates_len: 0,
        line_cap: cap,
        line_len: 0,
        heat_cap: cap,
        heat_len: 0,
        win_permille: 0,
        best: no_move(),
        nodes: 0,
        depth: 0,
        reserved: 0,
        candidates: pointer(&mut candidates, room),
        line: pointer(&mut line, room),
        heat: pointer(&mut heat, room),
    };
    let code = step(&raw mut report);
    ensure!(code >= 0, "ai_step with room for {room} gives code {code}");
    ensure!(
        candidates.iter().skip(room).all(|c| *c == candidate)
            && line.iter().skip(room).all(|m| *m == mv)
            && heat.iter().skip(room).all(|h| *h == i32::MIN + 7),
        "ai_step writes behind arrays with room for {room}"
    );
    ensure!(
        report.candidates_len <= cap && report.line_len <= cap && report.heat_len <= cap,
        "ai_step claims more than the room for {room}: {} candidates, {} moves, {} cells",
        report.candidates_len,
        report.line_len,
        report.heat_len
    );
    Ok(())
}
