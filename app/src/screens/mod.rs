//! The screens: session and store on one side, Slint's models on the other.
//!
//! [`App`] owns the window and everything behind it; each file here binds one
//! screen's callbacks and fills in its properties. Screens know no game and
//! read or write no file themselves.

mod board;
mod home;
mod new_game;
mod play;
mod plugins;
mod preferences;
mod records;
mod rules;

use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::{Rc, Weak};

use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};
use slint::{ComponentHandle, Model, ModelRc, SharedString, VecModel};

use crate::plugins::{Found, Lang, Plugin, Prober, SearchPath};
use crate::store::{Notice, Settings, Store, WindowSize};
use crate::{AppWindow, Page, Shell, words};

pub use board::{Board, Extra};

/// What the app is started with.
pub struct Setup {
    /// Settings, saves and trust.
    pub store: Store,
    /// What the store had to say when it was opened.
    pub notices: Vec<Notice>,
    /// Where plugins are looked for.
    pub search: Vec<SearchPath>,
    /// Probes unknown plugins in a process of their own.
    pub prober: Prober,
    /// Seed of everything that is left to chance; `None`: the system's randomness.
    pub seed: Option<u64>,
}

/// The running app: its window and everything behind it.
#[derive(Clone)]
pub struct App(Rc<Shared>);

struct Shared {
    window: AppWindow,
    state: RefCell<State>,
}

struct State {
    store: Store,
    settings: Settings,
    lang: Lang,
    system_dark: bool,
    search: Vec<SearchPath>,
    prober: Prober,
    /// Where the seeds of games and searches come from.
    chance: StdRng,
    found: Vec<Found>,
    games: Vec<Plugin>,
    /// Pages that "back" returns to.
    trail: Vec<Page>,
    notices: Vec<String>,
    new_game: Option<new_game::Draft>,
    play: Option<play::Play>,
    rules_of: Option<String>,
    browser: Option<records::Browser>,
}

impl App {
    /// Makes the window, looks for games and shows the home screen.
    ///
    /// # Errors
    /// The window cannot be made on this system.
    pub fn new(setup: Setup) -> Result<Self, slint::PlatformError> {
        let window = AppWindow::new()?;
        let settings = setup.store.settings();
        let lang = preferences::lang(&settings);
        let state = State {
            store: setup.store,
            settings,
            lang,
            system_dark: false,
            search: setup.search,
            prober: setup.prober,
            chance: setup
                .seed
                .map_or_else(rand::make_rng, StdRng::seed_from_u64),
            found: Vec::new(),
            games: Vec::new(),
            trail: Vec::new(),
            notices: setup
                .notices
                .iter()
                .map(|notice| words::notice(lang, notice))
                .collect(),
            new_game: None,
            play: None,
            rules_of: None,
            browser: None,
        };
        let app = Self(Rc::new(Shared {
            window,
            state: RefCell::new(state),
        }));
        app.bind();
        let wake = std::sync::Mutex::new(app.waker());
        app.0.state.borrow().store.on_notice(move || {
            if let Ok(wake) = wake.lock() {
                wake();
            }
        });
        app.scan();
        app.apply_settings();
        app.refresh_home();
        Ok(app)
    }

    /// The window.
    pub fn window(&self) -> &AppWindow {
        &self.0.window
    }

    /// The language on screen.
    pub fn lang(&self) -> Lang {
        self.0.state.borrow().lang
    }

    /// A handle that callbacks may keep without keeping the app alive.
    fn weak(&self) -> WeakApp {
        WeakApp(Rc::downgrade(&self.0))
    }

    fn bind(&self) {
        let shell = self.0.window.global::<Shell>();
        shell.set_version(env!("CARGO_PKG_VERSION").into());
        let weak = self.weak();
        shell.on_open_page(move |page| weak.with(|app| app.open(page)));
        let weak = self.weak();
        shell.on_back(move || weak.with(App::back));
        let weak = self.weak();
        shell.on_close_notice(move |index| weak.with(|app| app.close_notice(index)));
        let weak = self.weak();
        shell.on_pump(move || weak.with(App::pump));
        let weak = self.weak();
        shell.on_system_dark(move |dark| weak.with(|app| app.system_dark(dark)));
        self.bind_home();
        self.bind_new_game();
        self.bind_play();
        self.bind_preferences();
        self.bind_plugins();
        self.bind_records();
    }

    /// A fresh seed for a game or a search.
    fn seed(&self) -> u64 {
        self.0.state.borrow_mut().chance.next_u64()
    }

    /// Physical pixels for a length in logical ones.
    fn physical(&self, logical: f32) -> u32 {
        (logical * self.0.window.window().scale_factor())
            .round()
            .clamp(8.0, 1024.0) as u32
    }

    /// Size of the sides' sprites in physical pixels.
    fn sprite_px(&self) -> u32 {
        self.physical(self.0.window.global::<crate::Play>().get_side_size())
    }

    /// Opens a page on top of the present one.
    pub fn open(&self, page: Page) {
        let shell = self.0.window.global::<Shell>();
        let from = shell.get_page();
        if from == page {
            return;
        }
        if page == Page::Home {
            self.0.state.borrow_mut().trail.clear();
        } else {
            self.0.state.borrow_mut().trail.push(from);
        }
        self.show(page);
    }

    /// Returns to the page before, at last to the home screen.
    pub fn back(&self) {
        let page = self.0.state.borrow_mut().trail.pop().unwrap_or(Page::Home);
        self.show(page);
    }

    /// Opens a page in the place of the present one.
    fn replace(&self, page: Page) {
        self.show(page);
    }

    fn show(&self, page: Page) {
        match page {
            Page::Home => self.refresh_home(),
            Page::Plugins => self.refresh_plugins(),
            Page::Settings => self.refresh_preferences(),
            Page::Rules => self.refresh_rules(),
            Page::Records => self.refresh_records(),
            Page::NewGame | Page::Play | Page::About => {}
        }
        if page != Page::Play {
            // Whoever leaves the board does not wait for the computer's answer there.
            self.rest();
        }
        self.0.window.global::<Shell>().set_page(page);
        if page == Page::Play {
            self.resume();
        }
    }

    /// A message that stays until the player closes it.
    fn notice(&self, message: String) {
        tracing::warn!("{message}");
        {
            let notices = &mut self.0.state.borrow_mut().notices;
            // Looking again finds the same fault again; the player has its line already.
            if !notices.contains(&message) {
                notices.push(message);
            }
        }
        self.refresh_notices();
    }

    fn close_notice(&self, index: i32) {
        let mut state = self.0.state.borrow_mut();
        if let Some(index) = usize::try_from(index)
            .ok()
            .filter(|&index| index < state.notices.len())
        {
            state.notices.remove(index);
        }
        drop(state);
        self.refresh_notices();
    }

    fn refresh_notices(&self) {
        let notices = strings(&self.0.state.borrow().notices);
        self.0.window.global::<Shell>().set_notices(notices);
    }

    /// The path of the data folder.
    fn data_dir(&self) -> PathBuf {
        self.0.state.borrow().store.paths().data_dir().to_path_buf()
    }

    /// Takes what workers have to say: the store's notices, finished saves, the opponent's moves.
    pub fn pump(&self) {
        let (notices, lang) = {
            let state = self.0.state.borrow();
            (state.store.take_notices(), state.lang)
        };
        for notice in notices {
            self.notice(words::notice(lang, &notice));
        }
        self.pump_play();
    }

    /// What another thread calls to have [`App::pump`] run on this one.
    fn waker(&self) -> impl Fn() + Send + use<> {
        let window = self.0.window.as_weak();
        move || {
            // Without an event loop (a test, the end of the program) whoever owns the app pumps himself.
            let _ = window.upgrade_in_event_loop(|window| window.global::<Shell>().invoke_pump());
        }
    }

    /// Waits until the opponent has moved and everything is on disk: for tests, which have no event loop.
    pub fn settle(&self) {
        self.settle_play();
        self.pump();
    }

    /// Cancels the opponent and writes everything that is not on disk yet.
    pub fn quit(&self) {
        self.rest();
        let store = self.0.state.borrow().store.clone();
        for error in store.flush() {
            tracing::error!("{error}");
        }
    }

    /// Shows the window, at the size that it had last time, and runs until it is closed.
    ///
    /// # Errors
    /// The window cannot be shown on this system.
    pub fn run(&self) -> Result<(), slint::PlatformError> {
        let window = self.0.window.window();
        let last = self.0.state.borrow().settings.window;
        window.set_size(slint::LogicalSize::new(
            last.width as f32,
            last.height as f32,
        ));
        let result = self.0.window.run();
        self.keep_window_size();
        self.quit();
        result
    }

    /// Keeps the size of the window for the next time.
    fn keep_window_size(&self) {
        let window = self.0.window.window();
        let size = window.size().to_logical(window.scale_factor());
        let (width, height) = (size.width.round() as u32, size.height.round() as u32);
        let mut state = self.0.state.borrow_mut();
        let known = state.settings.window;
        if width > 0 && height > 0 && (known.width, known.height) != (width, height) {
            state.settings.window = WindowSize { width, height };
            let settings = state.settings.clone();
            state.store.save_settings(&settings);
        }
    }
}

/// See [`App::weak`].
#[derive(Clone)]
struct WeakApp(Weak<Shared>);

impl WeakApp {
    fn with(&self, act: impl FnOnce(&App)) {
        if let Some(shared) = self.0.upgrade() {
            act(&App(shared));
        }
    }
}

/// A Slint model of texts.
fn strings<T: AsRef<str>>(texts: &[T]) -> ModelRc<SharedString> {
    ModelRc::new(VecModel::from_iter(
        texts.iter().map(|text| SharedString::from(text.as_ref())),
    ))
}

/// A Slint model of anything.
fn model<T: Clone + 'static>(items: Vec<T>) -> ModelRc<T> {
    ModelRc::new(VecModel::from(items))
}

/// Index from Slint, which has only signed numbers.
fn index(number: i32) -> Option<usize> {
    usize::try_from(number).ok()
}

/// Length or index for Slint.
fn number(index: usize) -> i32 {
    i32::try_from(index).unwrap_or(i32::MAX)
}

/// Brings a model to new content with as few changes as can be, so that only what differs is drawn again.
fn update<T: Clone + PartialEq + 'static>(rows: &VecModel<T>, items: Vec<T>) {
    let len = items.len();
    for (row, item) in items.into_iter().enumerate() {
        match rows.row_data(row) {
            Some(old) if old == item => {}
            Some(_) => rows.set_row_data(row, item),
            None => rows.push(item),
        }
    }
    while rows.row_count() > len {
        rows.remove(rows.row_count() - 1);
    }
}
