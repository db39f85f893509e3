//! The home screen: every game that was found, with "continue" where one waits.

use slint::ComponentHandle;

use super::{App, model, strings};
use crate::plugins::{Game, Lang, Plugin};
use crate::session::Record;
use crate::{GameCard, Home, Page, art, words};

impl App {
    pub(super) fn bind_home(&self) {
        let home = self.0.window.global::<Home>();
        let weak = self.weak();
        home.on_continue_game(move |id| weak.with(|app| app.continue_game(&id)));
        let weak = self.weak();
        home.on_new_game(move |id| weak.with(|app| app.open_new_game(&id)));
        let weak = self.weak();
        home.on_rules(move |id| weak.with(|app| app.open_rules(&id)));
        let weak = self.weak();
        home.on_cover_size_changed(move || weak.with(App::cover_size_changed));
    }

    /// The screen shows covers at another size: the software renderer scales badly, so they are drawn anew.
    fn cover_size_changed(&self) {
        // Not now: this call comes from the screen while it is being made.
        let weak = self.weak();
        slint::Timer::single_shot(std::time::Duration::ZERO, move || {
            weak.with(App::refresh_home)
        });
    }

    /// Looks for plugins again.
    pub(super) fn scan(&self) {
        let mut state = self.0.state.borrow_mut();
        let store = state.store.clone();
        state.found = crate::plugins::discover(&state.search, &store, &state.prober);
        state.games = super::plugins::games(&state.found);
        let trouble: Vec<String> = super::plugins::trouble(&state.found, state.lang);
        drop(state);
        for line in trouble {
            self.notice(line);
        }
    }

    /// Ids of the games on the home screen.
    pub fn game_ids(&self) -> Vec<String> {
        self.0
            .state
            .borrow()
            .games
            .iter()
            .map(|plugin| plugin.id().to_owned())
            .collect()
    }

    /// The game with an id.
    pub(super) fn plugin(&self, id: &str) -> Option<Plugin> {
        self.0
            .state
            .borrow()
            .games
            .iter()
            .find(|plugin| plugin.id() == id)
            .cloned()
    }

    pub(super) fn refresh_home(&self) {
        let cover_px = self.physical(self.0.window.global::<Home>().get_cover_size());
        let state = self.0.state.borrow();
        let lang = state.lang;
        let theme = super::preferences::board_theme(&state.settings);
        let mut unusable = Vec::new();
        let cards: Vec<GameCard> = state
            .games
            .iter()
            .map(|plugin| {
                let describe = plugin.describe(lang);
                let waiting = state
                    .store
                    .load_save(plugin.id())
                    .ok()
                    .flatten()
                    .and_then(|text| {
                        Record::read(&text)
                            .map_err(|error| unusable.push((plugin.clone(), error.to_string())))
                            .ok()
                    })
                    .filter(|record| record.at > 0 && !record.meta.contains_key("result"));
                GameCard {
                    id: plugin.id().into(),
                    name: (&describe.name).into(),
                    summary: (&describe.summary).into(),
                    running: waiting.is_some(),
                    running_line: waiting
                        .as_ref()
                        .map(|record| words::running_line(lang, record.at))
                        .unwrap_or_default()
                        .into(),
                    cover: cover(plugin, waiting.as_ref(), theme, cover_px, lang),
                }
            })
            .collect();
        let searched: Vec<String> = state
            .search
            .iter()
            .map(|path| path.dir.display().to_string())
            .collect();
        drop(state);
        let home = self.0.window.global::<Home>();
        home.set_games(model(cards));
        home.set_searched(strings(&searched));
        for (plugin, cause) in unusable {
            self.give_up_save(&plugin, &cause);
        }
        self.refresh_notices();
    }

    /// Says why a saved game is none, and keeps its file out of the next game's way.
    fn give_up_save(&self, plugin: &Plugin, cause: &str) {
        let lang = self.lang();
        let store = self.0.state.borrow().store.clone();
        store.set_save_aside(plugin.id());
        self.notice(words::save_unusable(
            lang,
            &plugin.describe(lang).name,
            cause,
        ));
    }

    /// Opens the saved game of a plugin, or says why it cannot be opened.
    pub(super) fn continue_game(&self, id: &str) {
        let Some(plugin) = self.plugin(id) else {
            return;
        };
        let (saved, lang) = {
            let state = self.0.state.borrow();
            (state.store.load_save(id), state.lang)
        };
        let name = plugin.describe(lang).name.clone();
        let text = match saved {
            Ok(Some(text)) => text,
            Ok(None) => return self.open_new_game(id),
            Err(error) => {
                return self.notice(words::save_unusable(
                    lang,
                    &name,
                    &words::store_error(lang, &error),
                ));
            }
        };
        match Record::read(&text).map_err(Into::into).and_then(|record| {
            let saved = record.seats.clone();
            let session = crate::session::Session::replay(&plugin, record, lang)?;
            Ok::<_, crate::session::SessionError>((session, saved))
        }) {
            Ok((session, saved)) => {
                let other = session
                    .seats()
                    .iter()
                    .zip(&saved)
                    .any(|(now, then)| now != then);
                self.begin(session);
                self.open(Page::Play);
                if other {
                    self.notice(words::seats_changed(lang, &name));
                }
            }
            Err(error) => {
                self.give_up_save(&plugin, &error.to_string());
                self.refresh_home();
            }
        }
    }
}

/// A picture of the waiting game, or of the board as it is at the start.
fn cover(
    plugin: &Plugin,
    waiting: Option<&Record>,
    theme: art::Theme,
    px: u32,
    lang: Lang,
) -> slint::Image {
    let state = waiting
        .cloned()
        .and_then(|record| crate::session::Session::replay(plugin, record, lang).ok())
        .and_then(|session| session.game().try_clone().ok())
        .or_else(|| plugin.create(&toml::Table::new(), 0, lang).ok());
    let drawn = state.and_then(|game: Game| {
        let layout = game.layout(lang).ok()?;
        let cells = game.view(qiju_abi::GP_VIEWER_PUBLIC, None).ok()?;
        super::play::cover(&layout, &cells, &plugin.describe(lang).pieces, theme, px)
    });
    drawn.unwrap_or_default()
}
