//! The new-game screen, made from the game's own option schema.

use slint::ComponentHandle;

use super::{App, index, model, number, strings};
use crate::plugins::{Describe, GameError, OptionSpec, OptionType, Plugin, Preset};
use crate::session::{Record, Seat, Session, SessionError};
use crate::{NewGame, OptionKind, OptionRow, Page, SeatRow, words};

/// A game that is being set up.
pub(super) struct Draft {
    plugin: Plugin,
    options: toml::Table,
    seats: Vec<Seat>,
    /// The level that a seat had when it was last a computer's.
    levels: Vec<u32>,
    error: Option<String>,
}

impl App {
    pub(super) fn bind_new_game(&self) {
        let screen = self.0.window.global::<NewGame>();
        let weak = self.weak();
        screen.on_set_number(move |row, value| {
            weak.with(|app| app.set_option(row, |_| Some(toml::Value::Integer(value.into()))));
        });
        let weak = self.weak();
        screen.on_set_choice(move |row, choice| {
            let chosen = |spec: &OptionSpec| Some(spec.choices.get(index(choice)?)?.value.clone());
            weak.with(|app| app.set_option(row, chosen));
        });
        let weak = self.weak();
        screen.on_set_switch(move |row, on| {
            weak.with(|app| app.set_option(row, |_| Some(toml::Value::Boolean(on))));
        });
        let weak = self.weak();
        screen.on_set_preset(move |preset| weak.with(|app| app.set_preset(preset)));
        let weak = self.weak();
        screen.on_set_human(move |side, human| {
            weak.with(|app| {
                app.change_draft(|draft| {
                    let Some(side) = index(side) else { return };
                    let level = draft.levels.get(side).copied().unwrap_or(0);
                    if let Some(seat) = draft.seats.get_mut(side) {
                        *seat = if human {
                            Seat::Person
                        } else {
                            Seat::Computer { level }
                        };
                    }
                });
            });
        });
        let weak = self.weak();
        screen.on_set_level(move |side, level| {
            weak.with(|app| {
                app.change_draft(|draft| {
                    let (Some(side), Ok(level)) = (index(side), u32::try_from(level)) else {
                        return;
                    };
                    if let Some(remembered) = draft.levels.get_mut(side) {
                        *remembered = level;
                    }
                    if let Some(Seat::Computer { level: now }) = draft.seats.get_mut(side) {
                        *now = level;
                    }
                });
            });
        });
        let weak = self.weak();
        screen.on_swap_seats(move || {
            weak.with(|app| {
                app.change_draft(|draft| {
                    let places = draft.seats.len().min(1);
                    draft.seats.rotate_left(places);
                    draft.levels.rotate_left(places);
                });
            });
        });
        let weak = self.weak();
        screen.on_start(move || weak.with(App::start_draft));
    }

    /// Opens the new-game screen of a game, with what was chosen last time.
    pub fn open_new_game(&self, id: &str) {
        let Some(plugin) = self.plugin(id) else {
            return;
        };
        let state = self.0.state.borrow();
        let describe = plugin.describe(state.lang);
        let remembered = state.settings.games.get(id).cloned().unwrap_or_default();
        let options = match remembered.get("options") {
            Some(toml::Value::Table(options)) => options.clone(),
            _ => toml::Table::new(),
        };
        let seats = match remembered
            .get("seats")
            .cloned()
            .map(toml::Value::try_into::<Vec<Seat>>)
        {
            Some(Ok(seats)) if seats.len() == describe.sides.len() => seats,
            _ => default_seats(&plugin, describe),
        };
        let top = u32::try_from(describe.levels.len().saturating_sub(1)).unwrap_or(0);
        let seats: Vec<Seat> = seats
            .into_iter()
            .map(|seat| match seat {
                Seat::Computer { level } if plugin.has_ai() => Seat::Computer {
                    level: level.min(top),
                },
                _ => Seat::Person,
            })
            .collect();
        let levels = seats
            .iter()
            .map(|seat| match seat {
                Seat::Computer { level } => *level,
                Seat::Person => default_level(describe),
            })
            .collect();
        drop(state);
        self.0.state.borrow_mut().new_game = Some(Draft {
            plugin,
            options,
            seats,
            levels,
            error: None,
        });
        self.0.window.global::<NewGame>().set_more(false);
        self.refresh_new_game();
        self.open(Page::NewGame);
    }

    fn change_draft(&self, change: impl FnOnce(&mut Draft)) {
        if let Some(draft) = &mut self.0.state.borrow_mut().new_game {
            draft.error = None;
            change(draft);
        }
        self.refresh_new_game();
    }

    fn set_option(&self, row: i32, value: impl FnOnce(&OptionSpec) -> Option<toml::Value>) {
        let lang = self.lang();
        self.change_draft(|draft| {
            let describe = draft.plugin.describe(lang);
            let Some(spec) = index(row).and_then(|row| describe.options.get(row)) else {
                return;
            };
            if let Some(value) = value(spec) {
                draft.options.insert(spec.key.clone(), value);
            }
        });
    }

    /// Takes over the options of a preset; the entry behind the last one, "Custom", shows them all.
    fn set_preset(&self, preset: i32) {
        let lang = self.lang();
        let mut is_custom = false;
        self.change_draft(|draft| {
            let describe = draft.plugin.describe(lang);
            match index(preset).and_then(|preset| describe.presets.get(preset)) {
                Some(preset) => {
                    let options = preset.options.iter();
                    draft
                        .options
                        .extend(options.map(|(key, value)| (key.clone(), value.clone())));
                }
                None => is_custom = true,
            }
        });
        if is_custom {
            self.0.window.global::<NewGame>().set_more(true);
        }
    }

    pub(super) fn refresh_new_game(&self) {
        let sprite_px = self.sprite_px();
        let state = self.0.state.borrow();
        let Some(draft) = &state.new_game else { return };
        let lang = state.lang;
        let describe = draft.plugin.describe(lang);
        // An error names its key first; it stands under that option, and at the bottom if it is another one's.
        let error_of = |spec: &OptionSpec| {
            draft
                .error
                .as_deref()
                .and_then(|error| error.strip_prefix(&spec.key))
                .map(|why| why.trim_start_matches([':', '：', ' ']).to_owned())
        };
        let rows: Vec<OptionRow> = describe
            .options
            .iter()
            .map(|spec| {
                let error = error_of(spec).unwrap_or_default();
                // Numbers are often changed and stay in sight; so does what is wrong.
                let folded = error.is_empty()
                    && matches!(spec.kind, OptionType::Bool | OptionType::Choice)
                    && describe
                        .presets
                        .iter()
                        .any(|p| p.options.contains_key(&spec.key));
                OptionRow {
                    folded,
                    ..option_row(spec, draft.options.get(&spec.key), error)
                }
            })
            .collect();
        let preset = describe
            .presets
            .iter()
            .position(|preset| preset_is_set(preset, describe, &draft.options));
        let mut presets: Vec<&str> = describe.presets.iter().map(|p| p.name.as_str()).collect();
        let custom = words::custom(lang);
        if !presets.is_empty() {
            presets.push(&custom);
        }
        let preset_help = preset
            .and_then(|i| describe.presets.get(i))
            .map(|p| p.help.as_str());
        let general = match &draft.error {
            Some(error) if rows.iter().all(|row| row.error.is_empty()) => error.clone(),
            _ => String::new(),
        };
        let theme = super::preferences::board_theme(&state.settings);
        let seats: Vec<SeatRow> = describe
            .sides
            .iter()
            .zip(&draft.seats)
            .zip(&draft.levels)
            .enumerate()
            .map(|(side, ((about, seat), level))| SeatRow {
                name: (&about.name).into(),
                sprite: super::play::side_sprite(describe, side, sprite_px, theme),
                human: *seat == Seat::Person,
                level: number(*level as usize),
            })
            .collect();
        let names: Vec<&str> = describe
            .levels
            .iter()
            .map(|level| level.name.as_str())
            .collect();
        let helps: Vec<&str> = describe
            .levels
            .iter()
            .map(|level| level.help.as_str())
            .collect();
        let replaces = state
            .store
            .load_save(draft.plugin.id())
            .ok()
            .flatten()
            .and_then(|text| Record::read(&text).ok())
            .is_some_and(|record| record.at > 0 && !record.meta.contains_key("result"));
        let screen = self.0.window.global::<NewGame>();
        screen.set_name((&describe.name).into());
        screen.set_levels(strings(&names));
        screen.set_level_helps(strings(&helps));
        screen.set_can_computer(draft.plugin.has_ai() && !describe.levels.is_empty());
        screen.set_replaces(replaces);
        screen.set_error(general.into());
        screen.set_presets(strings(&presets));
        screen.set_preset(number(preset.unwrap_or(describe.presets.len())));
        screen.set_preset_help(preset_help.unwrap_or_default().into());
        screen.set_seats(model(seats));
        screen.set_options(model(rows));
    }

    /// Begins the game that was set up; an option that cannot be taken is shown at its row.
    pub fn start_draft(&self) {
        let (plugin, options, seats, lang) = {
            let state = self.0.state.borrow();
            let Some(draft) = &state.new_game else { return };
            (
                draft.plugin.clone(),
                draft.options.clone(),
                draft.seats.clone(),
                state.lang,
            )
        };
        let seed = self.seed();
        tracing::info!(game = plugin.id(), seed, "new game");
        match Session::start(&plugin, options.clone(), seed, seats.clone(), lang) {
            Ok(session) => {
                self.remember_choice(plugin.id(), options, &seats);
                self.keep_unusable_save(&plugin);
                self.begin(session);
                self.replace(Page::Play);
                self.save_game();
            }
            Err(error) => {
                let message = match error {
                    SessionError::Game(GameError::Option(message)) => message,
                    other => other.to_string(),
                };
                tracing::warn!("new game: {message}");
                if let Some(draft) = &mut self.0.state.borrow_mut().new_game {
                    draft.error = Some(message);
                }
                self.refresh_new_game();
            }
        }
    }

    /// A saved game that cannot be opened is kept apart before a new one takes its place; where it
    /// must stay, the player is told that the new game is not kept.
    pub(super) fn keep_unusable_save(&self, plugin: &Plugin) {
        let (saved, store, lang) = {
            let state = self.0.state.borrow();
            (
                state.store.load_save(plugin.id()),
                state.store.clone(),
                state.lang,
            )
        };
        match saved {
            Ok(None) => {}
            Ok(Some(text)) => {
                let usable = Record::read(&text)
                    .is_ok_and(|record| Session::replay(plugin, record, lang).is_ok());
                if !usable {
                    store.set_save_aside(plugin.id());
                }
            }
            Err(error) => self.notice(words::not_kept(
                lang,
                &plugin.describe(lang).name,
                &words::store_error(lang, &error),
            )),
        }
    }

    /// Keeps the choices for the next time.
    fn remember_choice(&self, id: &str, options: toml::Table, seats: &[Seat]) {
        let mut state = self.0.state.borrow_mut();
        let table = state.settings.games.entry(id.to_owned()).or_default();
        table.insert("options".to_owned(), toml::Value::Table(options));
        if let Ok(seats) = toml::Value::try_from(seats) {
            table.insert("seats".to_owned(), seats);
        }
        let settings = state.settings.clone();
        state.store.save_settings(&settings);
    }

    /// Opens the new-game screen of the game on the board.
    pub(super) fn new_game_of_play(&self) {
        let id = self
            .0
            .state
            .borrow()
            .play
            .as_ref()
            .map(|play| play.session.plugin().id().to_owned());
        if let Some(id) = id {
            self.open_new_game(&id);
        }
    }

    /// Begins the game on the board once more with the same options and players.
    pub(super) fn play_again(&self) {
        let seed = self.seed();
        let again = {
            let state = self.0.state.borrow();
            let Some(play) = &state.play else { return };
            let record = play.session.record();
            let (options, seats) = (record.options.clone(), record.seats.clone());
            Session::start(play.session.plugin(), options, seed, seats, state.lang)
        };
        match again {
            Ok(session) => {
                self.begin(session);
                self.save_game();
                self.resume();
            }
            Err(error) => self.notice(words::game_failed(self.lang(), &error.to_string())),
        }
    }
}

/// A person on the first side, the computer on the others where the game has one.
fn default_seats(plugin: &Plugin, describe: &Describe) -> Vec<Seat> {
    let computer = plugin.has_ai() && !describe.levels.is_empty();
    (0..describe.sides.len())
        .map(|side| match side {
            0 => Seat::Person,
            _ if computer => Seat::Computer {
                level: default_level(describe),
            },
            _ => Seat::Person,
        })
        .collect()
}

/// A third of the way up: a beginner can win, and it is no walk-over.
fn default_level(describe: &Describe) -> u32 {
    u32::try_from(describe.levels.len() / 3)
        .unwrap_or(0)
        .min(u32::try_from(describe.levels.len().saturating_sub(1)).unwrap_or(0))
}

/// Whether the options are what a preset sets. A number is the player's own choice and does not count, unless
/// the preset sets nothing else.
fn preset_is_set(preset: &Preset, describe: &Describe, options: &toml::Table) -> bool {
    let governed = describe
        .options
        .iter()
        .filter_map(|spec| Some((spec, preset.options.get(&spec.key)?)));
    let (parts, numbers): (Vec<_>, Vec<_>) =
        governed.partition(|(spec, _)| matches!(spec.kind, OptionType::Bool | OptionType::Choice));
    let counted = if parts.is_empty() { numbers } else { parts };
    counted
        .into_iter()
        .all(|(spec, wanted)| options.get(&spec.key).unwrap_or(&spec.default) == wanted)
}

fn option_row(spec: &OptionSpec, value: Option<&toml::Value>, error: String) -> OptionRow {
    let value = value.unwrap_or(&spec.default);
    let names: Vec<&str> = spec
        .choices
        .iter()
        .map(|choice| choice.name.as_str())
        .collect();
    let chosen = spec
        .choices
        .iter()
        .position(|choice| &choice.value == value);
    let value_number = value.as_integer().unwrap_or(0);
    let narrow =
        |value: i64| i32::try_from(value).unwrap_or(if value < 0 { i32::MIN } else { i32::MAX });
    OptionRow {
        key: (&spec.key).into(),
        name: (&spec.name).into(),
        help: (&spec.help).into(),
        kind: match spec.kind {
            OptionType::Int | OptionType::Half => OptionKind::Number,
            OptionType::Bool => OptionKind::Switch,
            OptionType::Choice => OptionKind::Choice,
        },
        number: narrow(value_number),
        minimum: narrow(spec.min.unwrap_or(i64::from(i32::MIN))),
        maximum: narrow(spec.max.unwrap_or(i64::from(i32::MAX))),
        step: narrow(spec.step.max(1)),
        shown: match spec.kind {
            OptionType::Half => words::halves(narrow(value_number)),
            _ => value_number.to_string(),
        }
        .into(),
        choices: strings(&names),
        chosen: chosen.map_or(-1, number),
        on: value.as_bool().unwrap_or(false),
        error: error.into(),
        folded: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn describe(presets: &str) -> Describe {
        let text = format!(
            "id = \"a\"\nsides = [{{}}]\n\
             [[options]]\nkey = \"bonus\"\ntype = \"half\"\ndefault = 15\n\
             [[options]]\nkey = \"strict\"\ntype = \"bool\"\ndefault = true\n{presets}"
        );
        Describe::read(&text).expect("a description")
    }

    fn chosen(describe: &Describe, options: &str) -> Option<usize> {
        let options = options.parse().expect("options");
        let mut presets = describe.presets.iter();
        presets.position(|preset| preset_is_set(preset, describe, &options))
    }

    #[test]
    fn a_preset_stands_by_its_switches_and_choices() {
        let describe = describe(
            "[[presets]]\nid = \"x\"\noptions = { bonus = 15, strict = true }\n\
             [[presets]]\nid = \"y\"\noptions = { bonus = 13, strict = false }\n",
        );
        for (options, preset) in [
            ("", Some(0)),
            ("bonus = 1", Some(0)),
            ("strict = false", Some(1)),
            ("strict = 3", None),
        ] {
            assert_eq!(chosen(&describe, options), preset, "{options}");
        }
    }

    #[test]
    fn a_preset_of_numbers_only_stands_by_them() {
        let describe = describe("[[presets]]\nid = \"x\"\noptions = { bonus = 13 }\n");
        assert_eq!(chosen(&describe, "bonus = 13"), Some(0));
        assert_eq!(chosen(&describe, ""), None);
    }
}
