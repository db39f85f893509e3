//! The border, from the caller's side: small games, called through their vtable
//! with buffers that are too small, pointers that are null, structs of other
//! versions, text that is no text, and games that panic.
//!
//! * `games`: the games; `caller`: the caller's buffers and objects.
//! * `buffers`, `errors`, `search`, `panics`: the tests.

mod buffers;
mod caller;
mod errors;
mod games;
mod panics;
mod search;

use qiju_sdk::abi::*;

use caller::{NO_TEXT, Owned, TALLY, borrowed, call, text};
use games::{Broken, Tally};
use qiju_sdk::place;

qiju_sdk::export_plugin!(Tally, Broken);

unsafe extern "C" {
    fn game_plugin_entry() -> *const GamePluginEntry;
}

#[test]
fn the_entry_lists_the_games_in_order() {
    // SAFETY: the macro above defined it; what it gives lives as long as the program.
    unsafe {
        let entry = &*game_plugin_entry();
        assert_eq!(entry.size as usize, size_of::<GamePluginEntry>());
        assert_eq!(
            (entry.magic, entry.abi_major, entry.count),
            (GP_MAGIC, GP_ABI_MAJOR, 2)
        );
        let plugin = entry.plugin.expect("a function");
        assert_eq!((*plugin(0)).size as usize, size_of::<GamePlugin>());
        let (code, description) = text(|out| call!(*plugin(0), describe(borrowed("en"), out)));
        assert_eq!(code, GP_OK);
        assert!(description.contains("id = \"tally\""), "{description}");
        assert_eq!(
            call!(*plugin(1), describe(borrowed("en"), NO_TEXT)),
            GP_E_PANIC
        );
        assert!(plugin(2).is_null() && plugin(u32::MAX).is_null());
    }
}

#[test]
fn presets_and_the_account_of_a_score_are_toml() {
    let state = Owned::new();
    // SAFETY: the state is alive, and all pointers are valid for the calls.
    let account =
        |lang: &str| text(|out| unsafe { call!(TALLY, tally(state.0, 0, borrowed(lang), out)) });
    assert_eq!(account("en"), (GP_E_UNSUPPORTED, String::new()));
    for _ in 0..4 {
        assert_eq!(state.apply(place(1)).0, GP_OK);
    }
    let (code, written) = account("zh-CN");
    assert_eq!(code, GP_OK);
    let expected = "title = \"计数\"\nnote = '\"so\"'\ncolumns = [\"唯一\"]\n\
                    [[rows]]\nname = \"0\"\nvalues = [\"0\"]\ntotal = false\n\
                    [[rows]]\nname = \"=\"\nvalues = [\"4\"]\ntotal = true\n";
    assert_eq!(table(&written), table(expected), "{written}");
    // SAFETY: all pointers are valid for the call.
    let (code, described) = text(|out| unsafe { call!(TALLY, describe(borrowed("en"), out)) });
    assert_eq!(code, GP_OK);
    let preset =
        "[[presets]]\nid = \"short\"\nname = \"Short\"\nhelp = \"\"\noptions = { limit = 2 }\n";
    assert_eq!(
        table(&described).get("presets"),
        table(preset).get("presets"),
        "{described}"
    );
}

fn table(text: &str) -> toml::Table {
    text.parse()
        .unwrap_or_else(|error| panic!("{error}: {text}"))
}
