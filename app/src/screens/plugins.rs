//! The Plugins screen: every file that was found, and what became of it.

use slint::ComponentHandle;

use super::{App, index, model, strings};
use crate::plugins::{Found, FoundState, Lang, Plugin, Trust as _};
use crate::{PluginRow, PluginState, Plugins, words};

/// The games of the libraries that were loaded.
pub(super) fn games(found: &[Found]) -> Vec<Plugin> {
    found
        .iter()
        .filter_map(|file| match &file.state {
            FoundState::Loaded(plugins) => Some(plugins.clone()),
            _ => None,
        })
        .flatten()
        .collect()
}

/// One line for each file that cannot be used although it was meant to be.
pub(super) fn trouble(found: &[Found], lang: Lang) -> Vec<String> {
    found
        .iter()
        .filter_map(|file| match &file.state {
            FoundState::Broken(error) => Some(words::plugin_trouble(lang, &error.message(lang))),
            _ => None,
        })
        .collect()
}

fn file_name(file: &Found) -> String {
    file.path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

fn row(file: &Found, agreed: bool, lang: Lang) -> PluginRow {
    let (state, name, line) = match &file.state {
        FoundState::Loaded(plugins) => {
            let names: Vec<&str> = plugins
                .iter()
                .map(|plugin| plugin.describe(lang).name.as_str())
                .collect();
            let names = names.join(", ");
            let line = words::plugin_loaded(lang, &names);
            (PluginState::Loaded, names, line)
        }
        FoundState::New => (
            PluginState::New,
            file_name(file),
            words::with_hash(&words::plugin_new(lang), &file.hash),
        ),
        FoundState::Changed => (
            PluginState::Changed,
            file_name(file),
            words::with_hash(&words::plugin_changed(lang), &file.hash),
        ),
        FoundState::Broken(error) => (PluginState::Broken, file_name(file), error.message(lang)),
        FoundState::Shadowed { id, by } => (
            PluginState::Shadowed,
            file_name(file),
            words::plugin_shadowed(lang, id, &by.display().to_string()),
        ),
    };
    PluginRow {
        name: name.into(),
        file: file.path.display().to_string().into(),
        state,
        line: line.into(),
        bundled: file.bundled,
        agreed,
    }
}

impl App {
    pub(super) fn bind_plugins(&self) {
        let screen = self.0.window.global::<Plugins>();
        let weak = self.weak();
        screen.on_agree(move |row| weak.with(|app| app.trust(row, true)));
        let weak = self.weak();
        screen.on_forget(move |row| weak.with(|app| app.trust(row, false)));
        let weak = self.weak();
        screen.on_rescan(move || weak.with(App::rescan));
    }

    pub(super) fn refresh_plugins(&self) {
        let state = self.0.state.borrow();
        let rows: Vec<PluginRow> = state
            .found
            .iter()
            .map(|file| {
                let agreed = state.store.trusts(&file.hash) || state.store.knew(&file.path);
                row(file, agreed, state.lang)
            })
            .collect();
        let searched: Vec<String> = state
            .search
            .iter()
            .map(|path| path.dir.display().to_string())
            .collect();
        drop(state);
        let screen = self.0.window.global::<Plugins>();
        screen.set_rows(model(rows));
        screen.set_searched(strings(&searched));
    }

    /// Keeps or takes back the player's word that a file may be loaded.
    fn trust(&self, row: i32, agreed: bool) {
        {
            let state = self.0.state.borrow();
            let Some(file) = index(row).and_then(|row| state.found.get(row)) else {
                return;
            };
            if agreed {
                state.store.agree(&file.hash, &file.path);
            } else {
                // What was agreed to may be another content than the one that is there now.
                for (hash, known) in state.store.trusted() {
                    if known.path == *file.path.to_string_lossy() {
                        state.store.forget(&hash);
                    }
                }
                state.store.forget(&file.hash);
            }
        }
        self.rescan();
    }

    /// Looks for plugins again. A library that is loaded stays in memory until the app ends.
    fn rescan(&self) {
        self.scan();
        self.refresh_plugins();
    }
}
