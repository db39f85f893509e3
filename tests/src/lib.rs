//! What the end-to-end tests share: the real plugins, built, and a driver for the real window.
//!
//! The driver works as a person does: it finds things by what a screen reader
//! says of them, clicks in their middle, and presses keys.

pub mod drawn;

pub mod fixtures;
mod log;

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use i_slint_backend_testing::{
    AccessibleRole, ElementHandle, ElementQuery, TestingBackend, TestingBackendOptions,
};
use qiju::plugins::{Prober, SearchPath};
use qiju::screens::{App, Setup};
use qiju::store::{Paths, Store};
use slint::platform::{Key, PointerEventButton, WindowEvent};
use slint::{ComponentHandle, LogicalPosition, LogicalSize, Model, SharedString};

pub use log::Log;

/// Size of a phone in portrait, in logical pixels.
pub const PHONE: (f32, f32) = (360.0, 800.0);
/// Size of a small desktop window, in logical pixels.
pub const DESKTOP: (f32, f32) = (1280.0, 800.0);

/// Variable that a test sets for a copy of itself that it starts after [`built`]: nothing is built again.
pub const BUILT_BY_PARENT: &str = "QIJU_TEST_BUILT";

/// The plugins that the tests play with, built like the tests themselves.
pub struct Built {
    /// The program `qiju`.
    pub program: PathBuf,
    /// A folder with the bundled games only.
    pub bundled: PathBuf,
    /// A folder with the examples only.
    pub examples: PathBuf,
}

/// Builds program and plugins once per process.
pub fn built() -> &'static Built {
    static BUILT: OnceLock<Built> = OnceLock::new();
    BUILT
        .get_or_init(|| build().unwrap_or_else(|error| panic!("cannot build the plugins: {error}")))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .map(Path::to_owned)
        .unwrap_or_default()
}

/// The folder `target/<profile>` that the tests are built in.
fn profile_dir() -> Result<PathBuf, String> {
    // The tests' own executable is in target/<profile>/deps; examples and binaries may stand elsewhere below target/<profile>.
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    own.ancestors()
        .find(|dir| {
            dir.file_name()
                .is_some_and(|name| name == "debug" || name == "release")
        })
        .map(Path::to_owned)
        .ok_or_else(|| format!("{} is in no target folder", own.display()))
}

/// `cargo build` in the way in which the tests are built; what is built is still to be said.
fn cargo_build(profile: &Path) -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .current_dir(root())
        .args(["build", "--quiet", "--locked"]);
    cargo
        .arg("--target-dir")
        .arg(profile.parent().unwrap_or(profile));
    if profile.ends_with("release") {
        cargo.arg("--release");
    }
    cargo
}

fn build() -> Result<Built, String> {
    let profile = profile_dir()?;
    let mut cargo = cargo_build(&profile);
    cargo.args(["-p", "qiju", "-p", "qiju-go", "-p", "qiju-noughts"]);
    // A child of a test finds what its parent has built.
    if std::env::var_os(BUILT_BY_PARENT).is_none() {
        let status = cargo.status().map_err(|error| format!("cargo: {error}"))?;
        if !status.success() {
            return Err(format!("cargo build: {status}"));
        }
    }
    let folder = |name: &str, library: &str| {
        let dir = profile.join("test-plugins").join(name);
        let file = library_name(library);
        std::fs::create_dir_all(&dir)
            .and_then(|()| {
                // By way of a rename: another test process may have the old file open.
                let new = dir.join(format!("{file}.{}", std::process::id()));
                std::fs::copy(profile.join(&file), &new)?;
                std::fs::rename(&new, dir.join(&file))
            })
            .map_err(|error| format!("{}: {error}", dir.join(&file).display()))?;
        Ok::<_, String>(dir)
    };
    Ok(Built {
        program: profile.join(format!("qiju{}", std::env::consts::EXE_SUFFIX)),
        bundled: folder("bundled", "qiju_go")?,
        examples: folder("examples", "qiju_noughts")?,
    })
}

/// File name of a library on this platform.
pub fn library_name(name: &str) -> String {
    format!(
        "{}{name}{}",
        std::env::consts::DLL_PREFIX,
        std::env::consts::DLL_SUFFIX
    )
}

/// Seed of everything that the app leaves to chance, printed so that a failing run can be had again.
fn seed() -> u64 {
    const VARIABLE: &str = "QIJU_TEST_SEED";
    let given = std::env::var(VARIABLE)
        .ok()
        .and_then(|text| text.parse().ok());
    let seed = given.unwrap_or_else(rand::random);
    println!("{VARIABLE}={seed}");
    seed
}

/// The app with its data in `data` and the plugins of `bundled`; others are probed by `program`.
fn app(data: &Path, bundled: &[&Path], program: &Path) -> App {
    let paths = Paths::at(data.to_owned());
    let mut search: Vec<SearchPath> = bundled
        .iter()
        .map(|dir| SearchPath {
            dir: (*dir).to_owned(),
            bundled: true,
        })
        .collect();
    search.push(SearchPath {
        dir: paths.plugins_dir(),
        bundled: false,
    });
    let (store, notices) = Store::open(paths);
    let setup = Setup {
        store,
        notices,
        search,
        prober: Prober::new(program.to_owned()),
        seed: Some(seed()),
    };
    App::new(setup).unwrap_or_else(|error| panic!("no window: {error}"))
}

/// The app in a window without a screen.
pub struct Driver {
    /// The app itself.
    pub app: App,
}

impl Driver {
    /// Starts the app with its data in `data` and the plugins of `bundled`.
    pub fn start(data: &Path, bundled: &[&Path]) -> Self {
        init_backend();
        let app = app(data, bundled, &built().program);
        let driver = Self { app };
        driver.resize(DESKTOP);
        driver
            .app
            .window()
            .show()
            .unwrap_or_else(|error| panic!("not shown: {error}"));
        driver
    }

    /// Gives the window another size, in logical pixels.
    pub fn resize(&self, (width, height): (f32, f32)) {
        let size = LogicalSize::new(width, height);
        let window = self.app.window().window();
        window.set_size(size);
        window.dispatch_event(WindowEvent::Resized { size });
        self.tick(0);
    }

    /// Lets Slint's clock go on.
    pub fn tick(&self, ms: u64) {
        i_slint_backend_testing::mock_elapsed_time(std::time::Duration::from_millis(ms.max(1)));
        slint::platform::update_timers_and_animations();
    }

    /// Waits for the computer's answer and for the disk.
    pub fn settle(&self) {
        self.app.settle();
        self.tick(500);
    }

    fn query(&self, matches: impl Fn(&str) -> bool + 'static) -> Vec<ElementHandle> {
        ElementQuery::from_root(self.app.window())
            .match_descendants()
            .match_predicate(move |element| {
                element
                    .accessible_label()
                    .is_some_and(|label| matches(&label))
                    && visible(element)
            })
            .find_all()
    }

    /// What a screen reader says of everything that can be pressed.
    pub fn labels(&self) -> Vec<String> {
        self.query(|_| true)
            .iter()
            .filter_map(|element| element.accessible_label())
            .map(|label| label.to_string())
            .collect()
    }

    /// Whether something with that label is on screen.
    pub fn shows(&self, label: &str) -> bool {
        let label = label.to_owned();
        !self.query(move |text| text == label).is_empty()
    }

    /// Whether some text on screen contains `part`.
    pub fn reads(&self, part: &str) -> bool {
        let part = part.to_owned();
        !self.query(move |text| text.contains(&part)).is_empty()
    }

    /// Clicks in the middle of what has that label.
    pub fn click(&self, label: &str) {
        let wanted = label.to_owned();
        let found = self.query(move |text| text == wanted);
        let pressable = found.iter().find(|element| {
            matches!(
                element.accessible_role(),
                Some(
                    AccessibleRole::Button
                        | AccessibleRole::Switch
                        | AccessibleRole::RadioButton
                        | AccessibleRole::Tab
                        | AccessibleRole::ListItem
                        | AccessibleRole::Checkbox
                )
            )
        });
        let Some(element) = pressable.or(found.first()) else {
            panic!(
                "nothing on screen is called {label:?}; there is {:#?}",
                self.labels()
            )
        };
        element.mock_single_click(PointerEventButton::Left);
        self.tick(50);
    }

    /// Turns the mouse wheel down until something with that label is whole on screen; what is not there at all is for
    /// [`Driver::click`] to say.
    pub fn scroll_to(&self, label: &str) {
        const NOTCH: f32 = 60.0;
        let size = self.app.window().window().size();
        let scale = self.app.window().window().scale_factor();
        let position = LogicalPosition::new(
            size.width as f32 / scale / 2.0,
            size.height as f32 / scale / 2.0,
        );
        for _ in 0..60 {
            let is_there = self.shows(label);
            // Once more after it has come in sight: its other half may still be below the edge.
            self.app
                .window()
                .window()
                .dispatch_event(WindowEvent::PointerScrolled {
                    position,
                    delta_x: 0.0,
                    delta_y: -NOTCH,
                });
            self.tick(200);
            if is_there {
                return;
            }
        }
    }

    /// The cell whose spoken name begins with `name`, such as "D4".
    pub fn cell(&self, name: &str) -> ElementHandle {
        let start = format!("{name}, ");
        let found = self.query(move |text| text.starts_with(&start));
        match found.into_iter().next() {
            Some(cell) => cell,
            None => panic!("no cell {name:?}; there is {:#?}", self.labels()),
        }
    }

    /// What a screen reader says of a cell.
    pub fn cell_label(&self, name: &str) -> String {
        self.cell(name)
            .accessible_label()
            .unwrap_or_default()
            .to_string()
    }

    /// Clicks on a cell.
    pub fn tap(&self, name: &str) {
        self.cell(name).mock_single_click(PointerEventButton::Left);
        self.tick(50);
    }

    /// Clicks on the last thing that has that label: the one on top.
    pub fn click_last(&self, label: &str) {
        let wanted = label.to_owned();
        let Some(element) = self.query(move |text| text == wanted).pop() else {
            panic!(
                "nothing on screen is called {label:?}; there is {:#?}",
                self.labels()
            )
        };
        element.mock_single_click(PointerEventButton::Left);
        self.tick(50);
    }

    /// What a screen reader says of all cells of the main board.
    pub fn board(&self) -> Vec<String> {
        let area = self.main_area();
        area.map(|area| {
            area.cells
                .iter()
                .map(|cell| cell.label.to_string())
                .collect()
        })
        .unwrap_or_default()
    }

    /// Clicks on the first cell that may be played on.
    pub fn tap_free(&self) {
        assert!(
            self.try_tap_free(),
            "no cell may be played on: {:#?}",
            self.board()
        );
    }

    /// Whether a person may play anywhere: not while the computer is at it.
    pub fn may_play(&self) -> bool {
        self.main_area()
            .is_some_and(|area| area.cells.iter().any(|cell| cell.playable))
    }

    /// Clicks on a cell that may be played on, spread over the board; false if there is none.
    pub fn try_tap_free(&self) -> bool {
        // A stride that shares no factor with a usual board's number of cells.
        const STRIDE: usize = 31;
        let cells: Vec<qiju::CellView> = self
            .main_area()
            .map(|area| area.cells.iter().collect())
            .unwrap_or_default();
        let free = (0..cells.len())
            .filter_map(|step| cells.get((step * STRIDE + cells.len() / 2) % cells.len()))
            .find(|cell| cell.playable);
        let Some(free) = free else { return false };
        self.tap(free.label.split(", ").next().unwrap_or_default());
        true
    }

    /// Clicks on the first cell that has a piece, if there is one.
    pub fn tap_taken(&self) {
        let taken = self
            .main_area()
            .and_then(|area| area.cells.iter().find(|cell| cell.piece > 0));
        if let Some(cell) = taken {
            self.tap(cell.label.split(", ").next().unwrap_or_default());
        }
    }

    /// The messages that stay above the page until they are closed.
    pub fn notices(&self) -> Vec<String> {
        let notices = self.app.window().global::<qiju::Shell>().get_notices();
        notices.iter().map(String::from).collect()
    }

    /// The rows of the Plugins screen, which must be open.
    pub fn plugin_rows(&self) -> Vec<qiju::PluginRow> {
        let screen = self.app.window().global::<qiju::Plugins>();
        screen.get_rows().iter().collect()
    }

    /// Number of moves in the list beside the board.
    pub fn moves(&self) -> usize {
        let screen = self.app.window().global::<qiju::Play>();
        screen.get_moves().row_count()
    }

    /// Has people play every side of the game in the new-game screen.
    pub fn seat_people(&self) {
        let screen = self.app.window().global::<qiju::NewGame>();
        for side in 0..screen.get_seats().row_count() {
            screen.invoke_set_human(i32::try_from(side).unwrap_or(-1), true);
        }
        self.tick(20);
    }

    fn main_area(&self) -> Option<qiju::AreaView> {
        self.app
            .window()
            .global::<qiju::Play>()
            .get_areas()
            .row_data(0)
    }

    /// Number of cells on which an overlay shows something.
    pub fn veils(&self) -> usize {
        let area = self.main_area().expect("a board");
        area.cells
            .iter()
            .filter(|cell| !cell.veil_text.is_empty() || cell.veil.alpha() > 0)
            .count()
    }

    /// Number of cells that a hint marks, or the best move of an analysis as its beginning.
    pub fn hinted(&self) -> usize {
        let area = self.main_area().expect("a board");
        area.cells.iter().filter(|cell| cell.hinted).count()
    }

    /// Sets the level of a side (counted from 0) in the new-game screen.
    pub fn choose_level(&self, side: i32, level: i32) {
        self.app
            .window()
            .global::<qiju::NewGame>()
            .invoke_set_level(side, level);
        self.tick(20);
    }

    /// Sets a number of the new-game screen, as its stepper does.
    pub fn choose_number(&self, key: &str, value: i32) {
        let screen = self.app.window().global::<qiju::NewGame>();
        let row = screen
            .get_options()
            .iter()
            .position(|row| row.key == key)
            .expect("an option of that key");
        screen.invoke_set_number(i32::try_from(row).unwrap_or(-1), value);
        self.tick(20);
    }

    /// What stands under the options of the new-game screen.
    pub fn option_errors(&self) -> Vec<(String, String)> {
        let screen = self.app.window().global::<qiju::NewGame>();
        screen
            .get_options()
            .iter()
            .map(|row| (row.key.to_string(), row.error.to_string()))
            .collect()
    }

    /// Presses a key.
    pub fn key(&self, key: impl Into<SharedString>) {
        let text = key.into();
        let window = self.app.window().window();
        window.dispatch_event(WindowEvent::KeyPressed { text: text.clone() });
        window.dispatch_event(WindowEvent::KeyReleased { text });
        self.tick(20);
    }

    /// Presses a key that has no character.
    pub fn special_key(&self, key: Key) {
        self.key(SharedString::from(key));
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        self.app.quit();
    }
}

/// Within the window and not transparent.
fn visible(element: &ElementHandle) -> bool {
    let size = element.size();
    size.width > 0.0 && size.height > 0.0 && element.computed_opacity() > 0.0
}

thread_local! {
    /// Whether this thread has a backend: each test runs on a thread of its own.
    static READY: Cell<bool> = const { Cell::new(false) };
}

/// The backend for tests: windows have a size and elements, but no pixels.
fn init_backend() {
    if !READY.replace(true) {
        i_slint_backend_testing::init_no_event_loop();
    }
}

/// The backend for pictures: Slint's software renderer without a screen.
/// Must be called before the first window of the thread.
pub fn init_drawing_backend() {
    if READY.replace(true) {
        return;
    }
    let options = TestingBackendOptions {
        mock_time: true,
        threading: false,
        renderer_name: Some("software".into()),
    };
    slint::platform::set_platform(Box::new(TestingBackend::new(options)))
        .unwrap_or_else(|error| panic!("this thread has a backend already: {error}"));
}
