//! The settings screen, and what the settings mean on screen.

use slint::ComponentHandle;

use super::{App, index, model, number, strings};
use crate::plugins::Lang;
use crate::store::{Animation, Appearance, ConfirmMove, Language, Settings};
use crate::{Page, Play, Preferences, Shell, art, words};

/// The language on screen under these settings.
pub(super) fn lang(settings: &Settings) -> Lang {
    match settings.language {
        Language::System => words::system_lang(),
        Language::Zh => Lang::Zh,
        Language::En => Lang::En,
    }
}

/// The board's theme under these settings; the first one for a name that is unknown.
pub(super) fn board_theme(settings: &Settings) -> art::Theme {
    art::Theme::from_id(&settings.board_theme)
}

/// Factor on the duration of every animation.
fn motion(animation: Animation) -> f32 {
    match animation {
        Animation::Off => 0.0,
        Animation::Fast => 0.5,
        Animation::Normal => 1.0,
        Animation::Slow => 2.0,
    }
}

impl App {
    pub(super) fn bind_preferences(&self) {
        let weak = self.weak();
        self.0
            .window
            .global::<Preferences>()
            .on_changed(move || weak.with(App::preferences_changed));
    }

    /// The system's own choice of light or dark.
    pub(super) fn system_dark(&self, dark: bool) {
        // Called while the window is being made: then the settings are applied afterwards anyway.
        if let Ok(mut state) = self.0.state.try_borrow_mut() {
            state.system_dark = dark;
            drop(state);
            self.apply_appearance();
        }
    }

    fn apply_appearance(&self) {
        let state = self.0.state.borrow();
        let dark = match state.settings.appearance {
            Appearance::System => state.system_dark,
            Appearance::Light => false,
            Appearance::Dark => true,
        };
        drop(state);
        self.0.window.global::<Shell>().set_dark(dark);
    }

    /// Brings the screen in line with the settings.
    pub(super) fn apply_settings(&self) {
        self.apply_appearance();
        let state = self.0.state.borrow();
        let tag = match state.lang {
            Lang::Zh => "zh",
            Lang::En => "",
        };
        if let Err(error) = slint::select_bundled_translation(tag) {
            tracing::error!("language {tag:?}: {error}");
        }
        self.0
            .window
            .global::<Shell>()
            .set_motion(motion(state.settings.animation));
        self.0
            .window
            .global::<Play>()
            .set_coordinates(state.settings.coordinates);
    }

    pub(super) fn refresh_preferences(&self) {
        let sample_px = self.physical(self.0.window.global::<Preferences>().get_sample_size());
        let state = self.0.state.borrow();
        let settings = &state.settings;
        let themes: Vec<&str> = art::Theme::ALL
            .iter()
            .map(|theme| words::theme(state.lang, *theme))
            .collect();
        let samples = art::Theme::ALL
            .iter()
            .map(|theme| art::sample(*theme, sample_px))
            .collect();
        let chosen = board_theme(settings);
        let screen = self.0.window.global::<Preferences>();
        screen.set_themes(strings(&themes));
        screen.set_theme_samples(model(samples));
        screen.set_theme(
            art::Theme::ALL
                .iter()
                .position(|theme| *theme == chosen)
                .map_or(0, number),
        );
        screen.set_language(match settings.language {
            Language::System => 0,
            Language::Zh => 1,
            Language::En => 2,
        });
        screen.set_appearance(match settings.appearance {
            Appearance::System => 0,
            Appearance::Light => 1,
            Appearance::Dark => 2,
        });
        screen.set_coordinates(settings.coordinates);
        screen.set_last_move(settings.show_last_move);
        screen.set_confirm_move(match settings.confirm_move {
            ConfirmMove::Auto => 0,
            ConfirmMove::Always => 1,
            ConfirmMove::Never => 2,
        });
        screen.set_animation(match settings.animation {
            Animation::Off => 0,
            Animation::Fast => 1,
            Animation::Normal => 2,
            Animation::Slow => 3,
        });
        drop(state);
        screen.set_folder(self.data_dir().display().to_string().into());
    }

    /// Takes what the screen holds, keeps it, and applies it at once.
    fn preferences_changed(&self) {
        let screen = self.0.window.global::<Preferences>();
        let lang_changed = {
            let mut state = self.0.state.borrow_mut();
            let settings = &mut state.settings;
            settings.language = match screen.get_language() {
                1 => Language::Zh,
                2 => Language::En,
                _ => Language::System,
            };
            settings.appearance = match screen.get_appearance() {
                1 => Appearance::Light,
                2 => Appearance::Dark,
                _ => Appearance::System,
            };
            if let Some(theme) =
                index(screen.get_theme()).and_then(|theme| art::Theme::ALL.get(theme))
            {
                settings.board_theme = theme.id().to_owned();
            }
            settings.coordinates = screen.get_coordinates();
            settings.show_last_move = screen.get_last_move();
            settings.confirm_move = match screen.get_confirm_move() {
                1 => ConfirmMove::Always,
                2 => ConfirmMove::Never,
                _ => ConfirmMove::Auto,
            };
            settings.animation = match screen.get_animation() {
                0 => Animation::Off,
                1 => Animation::Fast,
                3 => Animation::Slow,
                _ => Animation::Normal,
            };
            let settings = state.settings.clone();
            state.store.save_settings(&settings);
            let new = lang(&settings);
            let changed = new != state.lang;
            state.lang = new;
            changed
        };
        self.apply_settings();
        if lang_changed {
            self.refresh_new_game();
            self.refresh_rules();
            self.refresh_plugins();
            self.refresh_home();
        }
        if self.0.window.global::<Shell>().get_page() == Page::Settings {
            self.refresh_preferences();
        }
        self.board_settings_changed(lang_changed);
    }

    /// Changes light and dark as the settings screen does.
    pub fn set_appearance(&self, appearance: Appearance) {
        self.refresh_preferences();
        self.0
            .window
            .global::<Preferences>()
            .set_appearance(match appearance {
                Appearance::System => 0,
                Appearance::Light => 1,
                Appearance::Dark => 2,
            });
        self.preferences_changed();
    }

    /// Changes the language as the settings screen does.
    pub fn set_language(&self, language: Language) {
        self.refresh_preferences();
        self.0
            .window
            .global::<Preferences>()
            .set_language(match language {
                Language::System => 0,
                Language::Zh => 1,
                Language::En => 2,
            });
        self.preferences_changed();
    }
}
