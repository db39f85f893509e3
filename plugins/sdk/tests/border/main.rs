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

use caller::{NO_TEXT, borrowed, call, text};
use games::{Broken, Tally};

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
